//! The command `sverka`.

use std::process::ExitCode;

fn main() -> ExitCode {
    sverka::cli::main()
}

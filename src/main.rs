//! The command `sverka`.

use std::process::ExitCode;

/// A bad day is hundreds of thousands of small texts, made by several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    sverka::cli::main()
}

//! The command `sverka`.

fn main() {}

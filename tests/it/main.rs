//! The house as a whole, in one binary.

mod architecture;

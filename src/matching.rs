//! Pairing: which entries of the two sides are one operation (DESIGN §6).

pub mod cancel;

//! Complementarity problems and every solver of them.

mod linear;

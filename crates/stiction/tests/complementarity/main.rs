//! Complementarity solvers: the vectors of the literature, each other, and bad situations.

mod cone;
mod limit;
mod linear;

//! Contact problems in FCLIB's HDF5 layout, in which the public collection of frictional problems is kept [ABKP14].
//!
//! ```text
//! /fclib_local                                    /fclib_global
//!   spacedim                      2 or 3            spacedim
//!   W, and V with R               matrices          M, H, and G
//!   vectors/q, mu, and s                            vectors/f, w, mu, and b
//!   info/title, …                                   info/title, …
//! /solution                       r, u, and v, l where there are bodies and joints
//! /guesses/number_of_guesses, /guesses/1, …         as the solution
//! ```
//!
//! The mixed local problem is `u = W r + V λ + q`, `Vᵀ r + R λ + s = 0`; the global one `M v = H r + G λ + f`,
//! `Gᵀ v + b = 0`, `u = Hᵀ v + w`. In both `C_μ ∋ r ⊥ u + μ‖u_T‖ e_N ∈ C_μ*`, three numbers a contact, normal first,
//! opening and pushing positive: our conventions, so nothing changes its sign or its place
//! (`tests/problems/fclib.rs`). What joints and masses do is worked into one operator (`reduce`): solvers see
//! `u = A r + b`.
//!
//! *Two dimensions.* A third direction is added in which nothing moves and nothing pulls: friction in it stays zero, so
//! solutions are the same. What is written is three-dimensional.
//!
//! *Written* are local problems, or global ones where a problem has bodies; compliance goes into the diagonal. The
//! first guess is where solvers start.

mod matrix;
mod read;
mod reduce;
mod write;

use thiserror::Error;

pub use read::read;
pub use write::write;

/// Why a file is no such problem, or a problem no such file.
#[derive(Debug, Error)]
pub enum FclibError {
    /// Not HDF5, or broken.
    #[error("HDF5: {0}\n  help: see whether `h5dump` can read it")]
    Hdf5(#[from] hdf5_pure::Error),
    /// HDF5, but of something else.
    #[error(
        "it holds neither /fclib_local nor /fclib_global\n  help: this reads problems in the layout of FCLIB"
    )]
    NoProblem,
    /// Something that must be there is not.
    #[error(
        "{0} is missing\n  help: FCLIB's layout has it; docs/solvers.md describes what is read"
    )]
    Missing(String),
    /// Numbers that contradict each other.
    #[error("{what} {problem}\n  help: {help}")]
    Wrong {
        /// Of what.
        what: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        help: &'static str,
    },
    /// A problem that this layout cannot hold.
    #[error("{0}")]
    Unfit(String),
}

/// Something wrong with a part of the file.
fn wrong(what: &str, problem: impl Into<String>, help: &'static str) -> FclibError {
    FclibError::Wrong { what: what.into(), problem: problem.into(), help }
}

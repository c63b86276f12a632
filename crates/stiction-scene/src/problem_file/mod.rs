//! Contact problems in files: impulses, velocities and the law between them, without bodies.
//!
//! | ending | holds | in |
//! |---|---|---|
//! | `.json` | Coulomb's law, `A` by blocks or as `J M⁻¹ Jᵀ` | [`ContactFile`] |
//! | `.json` | bounds on impulses: linear complementarity | [`LinearFile`] |
//! | `.hdf5`, `.h5` | Coulomb's law in the layout of FCLIB, local or global (feature `hdf5`) | `fclib` |
//!
//! `docs/solvers.md` describes all of them. Everywhere velocities are those of A relative to B and impulses act on A:
//! normal velocities that open are positive, normal impulses that push are positive, normals come first.

mod contact;
#[cfg(feature = "hdf5")]
pub mod fclib;
mod linear;

use std::path::Path;

use serde::Deserialize;
use stiction::solve::complementarity::cone::{Assembled, ContactProblem, MassJacobian};
use stiction::solve::complementarity::linear::LinearProblem;

pub use contact::{Block, ContactFile};
pub use linear::{Entry, LinearFile, Tied};

use crate::run::write_atomically;

/// A problem of any kind.
#[derive(Clone, Debug)]
pub enum Problem {
    /// Coulomb's law, with all blocks of the operator.
    Contact(ContactProblem<Assembled>),
    /// Coulomb's law between bodies: `A = J M⁻¹ Jᵀ`, not assembled.
    Bodies(ContactProblem<MassJacobian>),
    /// Bounds on impulses.
    Linear(LinearProblem),
}

impl Problem {
    /// How many numbers its impulses have.
    pub fn unknowns(&self) -> usize {
        match self {
            Self::Contact(problem) => 3 * problem.contacts(),
            Self::Bodies(problem) => 3 * problem.contacts(),
            Self::Linear(problem) => problem.len(),
        }
    }

    /// The largest velocity without impulses, without its sign [m/s].
    pub fn speed(&self) -> f64 {
        let b = match self {
            Self::Contact(problem) => problem.b(),
            Self::Bodies(problem) => problem.b(),
            Self::Linear(problem) => problem.b(),
        };
        b.iter().fold(0.0, |most, b| b.abs().max(most))
    }
}

/// A problem, and impulses that belong to it.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The problem.
    pub problem: Problem,
    /// Where solvers shall start [N·s]; zero if the file does not say.
    pub start: Vec<f64>,
    /// Impulses that are said to solve it [N·s].
    pub solution: Option<Vec<f64>>,
}

/// Why a problem cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ProblemFileError {
    /// No file, or none that may be read.
    #[error("cannot read {path}: {source}\n  help: check the name, and that you may read it")]
    Read {
        /// Its path.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// Cannot be written.
    #[error(transparent)]
    Write(#[from] crate::run::RunError),
    /// Not JSON, or not of this form.
    #[error("{path} is no contact problem: {source}\n  help: docs/solvers.md shows one")]
    Form {
        /// Its path.
        path: String,
        /// Where, and why.
        source: serde_json::Error,
    },
    /// Of the right form, but not sound.
    #[error("{path}: {reason}")]
    Unsound {
        /// Its path.
        path: String,
        /// What is wrong, and a remedy.
        reason: String,
    },
}

/// Endings of HDF5 files.
const HDF5: [&str; 3] = ["hdf5", "h5", "hdf"];

/// Whether a path ends as files with contact problems do.
pub fn is_problem_path(path: &Path) -> bool {
    ends_with(path, &["json"]) || ends_with(path, &HDF5)
}

fn ends_with(path: &Path, kinds: &[&str]) -> bool {
    path.extension().is_some_and(|kind| kinds.iter().any(|known| kind.eq_ignore_ascii_case(known)))
}

/// Reads a problem of any kind.
///
/// # Errors
/// When the file cannot be read, is of no known form, or makes no sense.
pub fn load(path: &Path) -> Result<Stored, ProblemFileError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path)
        .map_err(|source| ProblemFileError::Read { path: name.clone(), source })?;
    let unsound = |reason| ProblemFileError::Unsound { path: name.clone(), reason };
    if ends_with(path, &HDF5) || bytes.starts_with(b"\x89HDF\r\n\x1a\n") {
        return from_hdf5(bytes).map_err(unsound);
    }
    let form = |source| ProblemFileError::Form { path: name.clone(), source };
    /// What a file says it is.
    #[derive(Deserialize)]
    struct Head {
        format: String,
        version: u32,
    }
    let head: Head = serde_json::from_slice(&bytes).map_err(form)?;
    match (head.format.as_str(), head.version) {
        (ContactFile::FORMAT, 1) => {
            serde_json::from_slice::<ContactFile>(&bytes).map_err(form)?.stored().map_err(unsound)
        }
        (LinearFile::FORMAT, 1) => {
            serde_json::from_slice::<LinearFile>(&bytes).map_err(form)?.stored().map_err(unsound)
        }
        (format, version) => Err(unsound(format!(
            "it says it is `{format}`, version {version}\n  help: this reads `{}` and `{}`, version 1",
            ContactFile::FORMAT,
            LinearFile::FORMAT
        ))),
    }
}

/// Writes a problem in the form that the ending of `path` asks for.
///
/// # Errors
/// When that form cannot hold the problem, or the file cannot be written.
pub fn save(path: &Path, stored: &Stored) -> Result<(), ProblemFileError> {
    let name = path.display().to_string();
    let unsound = |reason| ProblemFileError::Unsound { path: name.clone(), reason };
    let bytes = if ends_with(path, &HDF5) {
        to_hdf5(stored).map_err(unsound)?
    } else {
        let text = match &stored.problem {
            Problem::Contact(problem) => ContactFile::of(problem, stored).map(|file| json(&file)),
            Problem::Bodies(problem) => {
                ContactFile::of_bodies(problem, stored).map(|file| json(&file))
            }
            Problem::Linear(problem) => Ok(json(&LinearFile::of(problem, stored))),
        };
        text.map_err(unsound)?.into_bytes()
    };
    Ok(write_atomically(path, &bytes)?)
}

fn json(file: &impl serde::Serialize) -> String {
    serde_json::to_string(file).unwrap_or_default()
}

/// `given` if there are as many as expected; zeros if there are none.
fn start_of(name: &str, given: &[f64], expected: usize) -> Result<Vec<f64>, String> {
    match given.len() {
        0 => Ok(vec![0.0; expected]),
        n if n == expected => Ok(given.to_vec()),
        n => Err(format!(
            "`{name}` has {n} numbers, {expected} were expected\n  help: one for each unknown, or none at all"
        )),
    }
}

/// The same for what may be missing.
fn solution_of(given: &[f64], expected: usize) -> Result<Option<Vec<f64>>, String> {
    let all = start_of("solution", given, expected)?;
    Ok((!given.is_empty()).then_some(all))
}

#[cfg(feature = "hdf5")]
fn from_hdf5(bytes: Vec<u8>) -> Result<Stored, String> {
    fclib::read(bytes).map_err(|error| error.to_string())
}

#[cfg(feature = "hdf5")]
fn to_hdf5(stored: &Stored) -> Result<Vec<u8>, String> {
    fclib::write(stored).map_err(|error| error.to_string())
}

#[cfg(not(feature = "hdf5"))]
const WITHOUT: &str =
    "HDF5 was left out when this was compiled\n  help: compile with `--features hdf5`, or use JSON";

#[cfg(not(feature = "hdf5"))]
fn from_hdf5(_: Vec<u8>) -> Result<Stored, String> {
    Err(WITHOUT.into())
}

#[cfg(not(feature = "hdf5"))]
fn to_hdf5(_: &Stored) -> Result<Vec<u8>, String> {
    Err(WITHOUT.into())
}

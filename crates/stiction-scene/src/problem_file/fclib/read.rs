//! From a file to a problem.

use hdf5_pure::File;
use stiction::solve::complementarity::cone::ContactProblem;

use super::matrix::Sparse;
use super::reduce::{Global, Local};
use super::{FclibError, wrong};
use crate::problem_file::contact::law;
use crate::problem_file::{Problem, Stored};

/// The most that deflate can shrink zeros: numbers beyond that are not in the file.
const LARGEST_EXPANSION: u64 = 1100;
/// Small files may hold any small dataset.
const ALWAYS_FINE: u64 = 1 << 20;

/// Reads a problem, local or global; the first guess is where to start, else the solution.
///
/// # Errors
/// When the bytes are no such file, or it makes no sense.
pub fn read(bytes: Vec<u8>) -> Result<Stored, FclibError> {
    let source = Source { size: bytes.len() as u64, file: File::from_bytes(bytes)? };
    let (local, dimension) = if source.has_group("fclib_local") {
        let dimension = source.dimension("fclib_local")?;
        (source.local(dimension)?, dimension)
    } else if source.has_group("fclib_global") {
        let dimension = source.dimension("fclib_global")?;
        (source.global(dimension)?.local(dimension)?, dimension)
    } else {
        return Err(FclibError::NoProblem);
    };
    let friction = local.friction.clone();
    let (operator, b) = local.reduced(dimension)?;
    let laws = friction.into_iter().map(law).collect();
    let problem = ContactProblem::new(operator, b, laws)
        .map_err(|error| FclibError::Unfit(error.to_string()))?;
    let solution = source.impulses("solution", dimension, problem.contacts())?;
    let guess = source.impulses("guesses/1", dimension, problem.contacts())?;
    let nothing = || vec![0.0; 3 * problem.contacts()];
    let start = guess.or_else(|| solution.clone()).unwrap_or_else(nothing);
    Ok(Stored { start, solution, problem: Problem::Contact(problem) })
}

/// A file, and how large it is.
pub(super) struct Source {
    file: File,
    size: u64,
}

impl Source {
    fn has_group(&self, path: &str) -> bool {
        self.file.group(path).is_ok()
    }

    fn dimension(&self, problem: &str) -> Result<usize, FclibError> {
        match self.integer(&format!("{problem}/spacedim"))? {
            dimension @ (2 | 3) => Ok(dimension as usize),
            other => Err(wrong(
                &format!("{problem}/spacedim"),
                format!("is {other}"),
                "contacts have two directions or three",
            )),
        }
    }

    fn local(&self, dimension: usize) -> Result<Local, FclibError> {
        let matrix = |name: &str| Sparse::read(self, &format!("fclib_local/{name}"));
        let joints = self.has_group("fclib_local/R") || self.has_group("fclib_local/V");
        let vector = |name: &str| self.numbers(&format!("fclib_local/vectors/{name}"));
        let local = Local {
            operator: matrix("W")?,
            joints: joints
                .then(|| Ok::<_, FclibError>((matrix("V")?, matrix("R")?, vector("s")?)))
                .transpose()?,
            // Early versions of FCLIB wrote `a` and read `q`.
            b: vector("q").or_else(|error| vector("a").map_err(|_| error))?,
            friction: vector("mu")?,
        };
        local.check(dimension)?;
        Ok(local)
    }

    fn global(&self, dimension: usize) -> Result<Global, FclibError> {
        let matrix = |name: &str| Sparse::read(self, &format!("fclib_global/{name}"));
        let vector = |name: &str| self.numbers(&format!("fclib_global/vectors/{name}"));
        let global = Global {
            mass: matrix("M")?,
            contacts: matrix("H")?,
            joints: self
                .has_group("fclib_global/G")
                .then(|| Ok::<_, FclibError>((matrix("G")?, vector("b")?)))
                .transpose()?,
            forces: vector("f")?,
            offsets: vector("w")?,
            friction: vector("mu")?,
        };
        global.check(dimension)?;
        Ok(global)
    }

    /// Impulses of a solution or a guess, three a contact; none if there is no such group.
    fn impulses(
        &self,
        group: &str,
        dimension: usize,
        contacts: usize,
    ) -> Result<Option<Vec<f64>>, FclibError> {
        if !self.has_group(group) {
            return Ok(None);
        }
        let path = format!("{group}/r");
        let r = self.numbers(&path)?;
        expect_length(&path, r.len(), dimension * contacts)?;
        let third = |block: &[f64]| [block[0], block[1], block.get(2).copied().unwrap_or(0.0)];
        Ok(Some(r.chunks_exact(dimension).flat_map(third).collect()))
    }

    /// A dataset that must be there, and cannot be larger than the file.
    fn dataset(&self, path: &str) -> Result<hdf5_pure::Dataset, FclibError> {
        let dataset = self.file.dataset(path).map_err(|_| FclibError::Missing(path.into()))?;
        let count = dataset.shape()?.iter().try_fold(1_u64, |n, &side| n.checked_mul(side));
        let most = ALWAYS_FINE.max(self.size.saturating_mul(LARGEST_EXPANSION)) / 8;
        match count {
            Some(count) if count <= most => Ok(dataset),
            _ => Err(wrong(path, "claims more numbers than the file can hold", "it is broken")),
        }
    }

    /// Finite numbers.
    pub(super) fn numbers(&self, path: &str) -> Result<Vec<f64>, FclibError> {
        let numbers = self.dataset(path)?.read_f64()?;
        match numbers.iter().position(|x| !x.is_finite()) {
            None => Ok(numbers),
            Some(k) => Err(wrong(path, format!("is {} at {k}", numbers[k]), "numbers are finite")),
        }
    }

    /// Whole numbers.
    pub(super) fn indices(&self, path: &str) -> Result<Vec<i64>, FclibError> {
        Ok(self.dataset(path)?.read_i64()?)
    }

    /// One whole number.
    pub(super) fn integer(&self, path: &str) -> Result<i64, FclibError> {
        match self.indices(path)?[..] {
            [only] => Ok(only),
            ref many => Err(wrong(path, format!("has {} numbers", many.len()), "one was expected")),
        }
    }
}

/// A list of the right length.
pub(super) fn expect_length(what: &str, found: usize, expected: usize) -> Result<(), FclibError> {
    match found == expected {
        true => Ok(()),
        false => Err(wrong(
            what,
            format!("has {found} numbers, {expected} were expected"),
            "sizes follow from those of the matrices and the number of contacts",
        )),
    }
}

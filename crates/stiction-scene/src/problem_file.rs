//! Contact problems in files: impulses, velocities and Coulomb's law, without bodies.
//!
//! JSON, described in `docs/solvers.md`. Velocities are `u = A r + b`, of A relative to B, three a contact, normal first.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use stiction::math::Matrix3;
use stiction::solve::complementarity::cone::{
    Assembled, ContactProblem, Delassus as _, Law, ProblemError,
};

/// What such files say they are.
const FORMAT: &str = "stiction contact problem";

/// A contact problem as it is written.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemFile {
    /// Always `stiction contact problem`.
    pub format: String,
    /// Always 1.
    pub version: u32,
    /// Coefficient of each contact [-].
    pub friction: Vec<f64>,
    /// `b`: relative velocities without impulses [m/s].
    pub free_velocity: Vec<f64>,
    /// `A`: blocks by row and column of contacts, each nine numbers row by row; those above the diagonal may be left out [1/kg].
    pub operator: Vec<Block>,
    /// Where solvers start [N·s]; zero if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impulses: Vec<f64>,
}

/// A block of the operator.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Block(pub usize, pub usize, pub [f64; 9]);

/// Why a problem cannot be read.
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

impl ProblemFile {
    /// Of a problem, and impulses to start from.
    pub fn of(problem: &ContactProblem<Assembled>, impulses: &[f64]) -> Self {
        let mut operator = Vec::new();
        for i in 0..problem.contacts() {
            let mut add = |j: usize, block: Matrix3| {
                let numbers = std::array::from_fn(|k| block[(k / 3, k % 3)]);
                operator.push(Block(i, j, numbers));
            };
            for (j, block) in problem.operator().others().row(i).filter(|(j, _)| *j < i) {
                add(j, *block);
            }
            add(i, problem.operator().diagonal(i));
        }
        Self {
            format: FORMAT.into(),
            version: 1,
            friction: (0..problem.contacts()).map(|i| problem.mu(i)).collect(),
            free_velocity: problem.b().to_vec(),
            operator,
            impulses: impulses.to_vec(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, is no such file, or makes no sense.
    pub fn load(path: &Path) -> Result<Self, ProblemFileError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|source| ProblemFileError::Read { path: name.clone(), source })?;
        let file: Self = serde_json::from_str(&text)
            .map_err(|source| ProblemFileError::Form { path: name.clone(), source })?;
        match file.problem() {
            Ok(_) => Ok(file),
            Err(reason) => Err(ProblemFileError::Unsound { path: name, reason }),
        }
    }

    /// As text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The problem, and impulses to start from.
    ///
    /// # Errors
    /// What is wrong with it, and a remedy.
    pub fn problem(&self) -> Result<(ContactProblem<Assembled>, Vec<f64>), String> {
        let count = self.friction.len();
        if self.format != FORMAT || self.version != 1 {
            let (format, version) = (&self.format, self.version);
            return Err(format!(
                "it says it is `{format}`, version {version}\n  help: this reads `{FORMAT}`, version 1"
            ));
        }
        let given: BTreeSet<(usize, usize)> = self.operator.iter().map(|b| (b.0, b.1)).collect();
        let mut rows: Vec<Vec<(usize, Matrix3)>> = vec![Vec::new(); count];
        for (k, Block(i, j, numbers)) in self.operator.iter().enumerate() {
            if *i >= count || *j >= count {
                return Err(format!(
                    "block {k} of the operator is at ({i}, {j}), but there are {count} contacts\n  \
                     help: contacts are counted from zero; `friction` has one number each"
                ));
            }
            let block = Matrix3::from_row_slice(numbers);
            rows[*i].push((*j, block));
            if i != j && !given.contains(&(*j, *i)) {
                rows[*j].push((*i, block.transpose()));
            }
        }
        let law = |&mu: &f64| if mu == 0.0 { Law::Frictionless } else { Law::Coulomb { mu } };
        let laws = self.friction.iter().map(law).collect();
        let operator = Assembled::from_rows(count, rows);
        let problem = ContactProblem::new(operator, self.free_velocity.clone(), laws);
        let problem = problem.map_err(|error: ProblemError| error.to_string())?;
        let start = match self.impulses.len() {
            0 => vec![0.0; 3 * count],
            n if n == 3 * count => self.impulses.clone(),
            n => {
                return Err(format!(
                    "`impulses` has {n} numbers, {} were expected\n  help: three for each contact, or none",
                    3 * count
                ));
            }
        };
        Ok((problem, start))
    }
}

//! Problems with Coulomb's law as JSON.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::cone::{
    Assembled, BlockRows, ContactProblem, Delassus, Law, MassJacobian, Model, ProblemError,
};

use super::{Problem, Stored, solution_of, start_of};

/// A contact problem as it is written.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ContactFile {
    /// Always `stiction contact problem`.
    pub format: String,
    /// Always 1.
    pub version: u32,
    /// Coefficient of each contact [-].
    pub friction: Vec<f64>,
    /// `b`: relative velocities without impulses [m/s].
    pub free_velocity: Vec<f64>,
    /// `A`: blocks by row and column of contacts, each nine numbers row by row; of mirrored blocks one is enough
    /// [1/kg].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operator: Vec<Block>,
    /// Instead of `operator`: `M⁻¹`, a symmetric block of nine numbers for every three velocities of bodies [1/kg].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inverse_mass: Vec<[f64; 9]>,
    /// With `inverse_mass`: `J`, blocks by contact and by block of `inverse_mass`, so that `A = J M⁻¹ Jᵀ`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jacobian: Vec<Block>,
    /// Velocity per impulse of each contact, three numbers each, added to the diagonal of `A`; zero if left out [1/kg].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compliance: Vec<f64>,
    /// The convex relaxation of Coulomb's law, in which what slides lifts off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub associated: bool,
    /// Where solvers start [N·s]; zero if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impulses: Vec<f64>,
    /// Impulses that solve it [N·s], if any are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solution: Vec<f64>,
}

/// A block of nine numbers at a row and a column.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Block(pub usize, pub usize, pub [f64; 9]);

impl Block {
    fn of(i: usize, j: usize, block: &Matrix3) -> Self {
        Self(i, j, row_by_row(block))
    }
}

impl ContactFile {
    /// What such files say they are.
    pub const FORMAT: &str = "stiction contact problem";

    /// Of a problem with its blocks.
    ///
    /// # Errors
    /// When a contact has a law that files do not hold.
    pub fn of(problem: &ContactProblem<Assembled>, stored: &Stored) -> Result<Self, String> {
        let mut operator = Vec::new();
        for i in 0..problem.contacts() {
            for (j, block) in problem.operator().others().row(i).filter(|(j, _)| *j < i) {
                operator.push(Block::of(i, j, block));
            }
            operator.push(Block::of(i, i, &problem.operator().diagonal(i)));
        }
        Ok(Self { operator, ..Self::without_operator(problem, stored)? })
    }

    /// Of a problem of bodies.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_bodies(
        problem: &ContactProblem<MassJacobian>,
        stored: &Stored,
    ) -> Result<Self, String> {
        let bodies = problem.operator();
        let rows = 0..problem.contacts();
        let row = |i| bodies.jacobian().row(i).map(move |(j, block)| Block::of(i, j, block));
        Ok(Self {
            inverse_mass: bodies.inverse_mass().iter().map(row_by_row).collect(),
            jacobian: rows.flat_map(row).collect(),
            ..Self::without_operator(problem, stored)?
        })
    }

    fn without_operator<A: Delassus>(
        problem: &ContactProblem<A>,
        stored: &Stored,
    ) -> Result<Self, String> {
        let soft = problem.compliance().iter().any(|c| *c != Vector3::zeros());
        let flat = problem.compliance().iter().flat_map(|c| [c.x, c.y, c.z]);
        Ok(Self {
            format: Self::FORMAT.into(),
            version: 1,
            friction: coefficients(problem)?,
            free_velocity: problem.b().to_vec(),
            operator: Vec::new(),
            inverse_mass: Vec::new(),
            jacobian: Vec::new(),
            compliance: if soft { flat.collect() } else { Vec::new() },
            associated: problem.model() == Model::Associated,
            impulses: stored.start.clone(),
            solution: stored.solution.clone().unwrap_or_default(),
        })
    }

    /// The problem, where to start, and what is said to solve it.
    ///
    /// # Errors
    /// What is wrong with it, and a remedy.
    pub fn stored(&self) -> Result<Stored, String> {
        let problem = match (self.operator.is_empty(), self.inverse_mass.is_empty()) {
            (false, false) => {
                return Err("it has both `operator` and `inverse_mass`\n  \
                     help: give A by its blocks, or M⁻¹ and J"
                    .into());
            }
            (true, false) => Problem::Bodies(self.finish(self.bodies()?)?),
            _ => Problem::Contact(self.finish(self.assembled()?)?),
        };
        let unknowns = problem.unknowns();
        let start = start_of("impulses", &self.impulses, unknowns)?;
        Ok(Stored { problem, start, solution: solution_of(&self.solution, unknowns)? })
    }

    fn finish<A: Delassus>(&self, operator: A) -> Result<ContactProblem<A>, String> {
        let told = |error: ProblemError| error.to_string();
        let laws = self.friction.iter().map(|&mu| law(mu)).collect();
        let mut problem =
            ContactProblem::new(operator, self.free_velocity.clone(), laws).map_err(told)?;
        if self.associated {
            problem = problem.with_model(Model::Associated);
        }
        if self.compliance.is_empty() {
            return Ok(problem);
        }
        if self.compliance.len() != 3 * self.friction.len() {
            return Err(format!(
                "`compliance` has {} numbers, {} were expected\n  help: three for each contact, or none",
                self.compliance.len(),
                3 * self.friction.len()
            ));
        }
        let compliance = self.compliance.chunks_exact(3).map(Vector3::from_column_slice);
        problem.with_compliance(compliance.collect()).map_err(told)
    }

    fn assembled(&self) -> Result<Assembled, String> {
        let count = self.friction.len();
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
        let operator = Assembled::from_rows(count, rows);
        match skewed(&operator) {
            Some(skewed) => Err(format!("the operator {skewed}\n  help: {SYMMETRY}")),
            None => Ok(operator),
        }
    }

    fn bodies(&self) -> Result<MassJacobian, String> {
        let (count, columns) = (self.friction.len(), self.inverse_mass.len());
        let mut rows: Vec<Vec<(usize, Matrix3)>> = vec![Vec::new(); count];
        for (k, Block(i, j, numbers)) in self.jacobian.iter().enumerate() {
            if *i >= count || *j >= columns {
                return Err(format!(
                    "block {k} of the Jacobian is at ({i}, {j}), but there are {count} contacts and {columns} \
                     blocks of mass\n  \
                     help: both are counted from zero"
                ));
            }
            rows[*i].push((*j, Matrix3::from_row_slice(numbers)));
        }
        let masses = self.inverse_mass.iter().map(|numbers| Matrix3::from_row_slice(numbers));
        Ok(MassJacobian::new(masses.collect(), BlockRows::from_rows(columns, rows)))
    }
}

/// How far mirrored entries of an operator may be apart, in its largest: what is left of numbers that were written
/// with six digits [-].
const MOST_SKEW: f64 = 1e-5;
pub(super) const SYMMETRY: &str = "what an impulse does to another contact is what that does to this one: check the \
     order of rows, and of contacts";

/// What is wrong with an operator that is not symmetric.
pub(super) fn skewed(operator: &Assembled) -> Option<String> {
    let skew = operator.skew();
    let told = || {
        format!(
            "is not symmetric: mirrored entries are apart by {skew:.1e} of the largest, {MOST_SKEW:e} is the most"
        )
    };
    (skew > MOST_SKEW).then(told)
}

/// Coulomb's law, or none where the coefficient is zero.
pub(super) fn law(mu: f64) -> Law {
    if mu == 0.0 { Law::Frictionless } else { Law::Coulomb { mu } }
}

/// Coefficients of contacts that obey Coulomb's law.
pub(super) fn coefficients<A: Delassus>(problem: &ContactProblem<A>) -> Result<Vec<f64>, String> {
    let coefficient = |(i, law): (usize, &Law)| match *law {
        Law::Frictionless => Ok(0.0),
        Law::Coulomb { mu } => Ok(mu),
        _ => Err(format!(
            "contact {i} has a law that problem files do not hold\n  help: they hold dry friction, the same in all \
             directions"
        )),
    };
    problem.laws().iter().enumerate().map(coefficient).collect()
}

fn row_by_row(block: &Matrix3) -> [f64; 9] {
    std::array::from_fn(|k| block[(k / 3, k % 3)])
}

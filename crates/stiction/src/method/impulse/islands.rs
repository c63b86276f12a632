//! Contacts that act on each other, and the problems they make: one for each island.
//!
//! Two contacts belong together if a chain of contacts and of bodies that move leads from one to the other; what does
//! not move joins nothing. Islands are solved each for itself: sweeps go on only where something is left to do,
//! factors are small, and threads share the work. What comes out depends on the islands alone, not on threads.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::friction::{Row, Shape};
use super::inverse_mass::InverseMass;
use super::splitting::Split;
use super::{ImpulseSettings, Operator};
use crate::math::{Matrix3, Vector3};
use crate::solve::complementarity::Limits;
use crate::solve::complementarity::cone::{
    Assembled, BlockRows, ContactProblem, Delassus, Factorised, MassJacobian, ProblemError,
};
use crate::solve::{Report, Status};

use crate::union_find::UnionFind;

/// Contacts from which on islands are given to threads: below, handing over takes longer than solving.
const WORTH_THREADS: usize = 48;

/// What impulses of a step, or displacements after it, have to satisfy.
#[derive(Debug)]
pub(super) struct Equations<'a> {
    /// From unknowns to contacts.
    pub(super) jacobian: &'a BlockRows,
    /// From impulses to unknowns.
    pub(super) answer: &'a InverseMass,
    /// Relative velocities without impulses, less what normal ones must be at least; three a row of blocks.
    pub(super) b: &'a [f64],
    /// What each row of blocks is.
    pub(super) rows: &'a [Row],
    pub(super) compliance: Compliance,
}

/// How much contacts give way along their normals: velocity per impulse.
#[derive(Clone, Copy, Debug)]
pub(super) enum Compliance {
    /// Not at all.
    Nothing,
    /// All alike [1/kg].
    Same(f64),
    /// In what an impulse moves the contact by itself [-].
    Relative(f64),
}

impl Compliance {
    pub(super) fn of(self, operator: &impl Delassus) -> Option<Vec<Vector3>> {
        let along_normal = |i: usize| match self {
            Self::Nothing => 0.0,
            Self::Same(compliance) => compliance,
            Self::Relative(part) => part * operator.diagonal(i)[(0, 0)],
        };
        let gives = !matches!(self, Self::Nothing);
        let each = |i: usize| Vector3::new(along_normal(i), 0.0, 0.0);
        gives.then(|| (0..operator.contacts()).map(each).collect())
    }
}

/// Rows of blocks of each island, ascending; islands by their first one.
pub(super) fn islands(jacobian: &BlockRows, answer: &InverseMass, rows: &[Row]) -> Vec<Vec<u32>> {
    let mut sets = UnionFind::new(jacobian.columns());
    if let Some(coupling) = answer.coupling() {
        coupling.groups.iter().enumerate().for_each(|(row, &group)| sets.unite(row as u32, group));
    }
    for i in 0..jacobian.rows() {
        for pair in jacobian.row_columns(i).windows(2) {
            sets.unite(pair[0], pair[1]);
        }
    }
    let mut number = vec![u32::MAX; jacobian.columns()];
    let mut islands: Vec<Vec<u32>> = Vec::new();
    // Where the contact before went.
    let mut last = 0;
    for i in 0..jacobian.rows() {
        if matches!(rows[i], Row::Turning) {
            islands[last].push(i as u32);
            continue;
        }
        // Where nothing moves there is nothing to share.
        let Some(&column) = jacobian.row_columns(i).first() else {
            last = islands.len();
            islands.push(vec![i as u32]);
            continue;
        };
        let number = &mut number[sets.root(column) as usize];
        if *number == u32::MAX {
            *number = islands.len() as u32;
            islands.push(Vec::new());
        }
        last = *number as usize;
        islands[last].push(i as u32);
    }
    islands
}

/// Operators of islands that were written out, for others with the same matrix.
#[derive(Debug, Default)]
pub(super) struct Written {
    of_islands: Vec<OnceLock<Assembled>>,
}

impl Written {
    /// There is another matrix.
    pub(super) fn clear(&mut self) {
        self.of_islands.clear();
    }
}

impl Equations<'_> {
    /// The whole problem as cones, all blocks written out, for impulses `r`; nothing where friction is no cone.
    pub(super) fn problem(&self, r: &mut [f64]) -> Option<ContactProblem<Assembled>> {
        let Shape::Cone(stretch) = Shape::of(self.rows).ok()? else { return None };
        let jacobian = self.jacobian.clone().scaled(stretch.scales());
        let operator = match self.answer {
            InverseMass::Blocks(blocks) | InverseMass::Explicit { blocks, .. } => {
                MassJacobian::new(blocks.clone(), jacobian).assemble()
            }
            InverseMass::Factor { factor, .. } => Factorised::assembled(factor.as_ref(), &jacobian),
            InverseMass::Iterated { inverse, .. } => {
                Factorised::assembled(inverse.as_ref(), &jacobian)
            }
        };
        let compliance = self.compliance.of(&operator);
        let mut b = self.b.to_vec();
        stretch.velocities(&mut b);
        stretch.stretch(r);
        let problem = ContactProblem::new(operator, b, stretch.laws()).ok()?;
        match compliance {
            Some(compliance) => problem.with_compliance(compliance).ok(),
            None => Some(problem),
        }
    }

    /// Improves the impulses `r` of some islands.
    pub(super) fn solve(
        &self,
        islands: &[Vec<u32>],
        settings: &ImpulseSettings,
        r: &mut [f64],
        written: &mut Written,
    ) -> Report {
        written.of_islands.resize_with(islands.len(), OnceLock::new);
        let one = |(island, written): (&Vec<u32>, &OnceLock<Assembled>)| {
            let mut own: Vec<f64> = island.iter().flat_map(|&i| three(r, i)).collect();
            let report = self.solve_island(island, settings, &mut own, written);
            (own, report)
        };
        let each = &written.of_islands;
        let contacts: usize = islands.iter().map(Vec::len).sum();
        let solved: Vec<(Vec<f64>, Report)> = match islands.len() > 1 && contacts > WORTH_THREADS {
            true => islands.par_iter().zip(each).map(one).collect(),
            false => islands.iter().zip(each).map(one).collect(),
        };
        let mut worst = Report { status: Status::Converged, iterations: 0, residuals: Vec::new() };
        for (island, (own, report)) in islands.iter().zip(solved) {
            for (&i, own) in island.iter().zip(own.chunks_exact(3)) {
                r[3 * i as usize..][..3].copy_from_slice(own);
            }
            worst = worse(worst, report);
        }
        worst
    }

    fn solve_island(
        &self,
        island: &[u32],
        settings: &ImpulseSettings,
        r: &mut [f64],
        written: &OnceLock<Assembled>,
    ) -> Report {
        let rows: Vec<Row> = island.iter().map(|&i| self.rows[i as usize]).collect();
        let solved = Shape::of(&rows).and_then(|shape| {
            let (jacobian, columns) = self.jacobian.only(island);
            let masses: Option<Vec<Matrix3>> = match self.answer {
                InverseMass::Blocks(blocks) | InverseMass::Explicit { blocks, .. } => {
                    Some(columns.iter().map(|&j| blocks[j as usize]).collect())
                }
                InverseMass::Factor { coupling, .. } | InverseMass::Iterated { coupling, .. } => {
                    columns.iter().map(|&j| coupling.alone[j as usize]).collect()
                }
            };
            match (masses, self.answer) {
                (None, InverseMass::Factor { factor, .. }) => {
                    let jacobian = || shape.scaled(self.jacobian.rows_only(island));
                    if settings.operator == Operator::Factored {
                        let operator = Factorised::new(factor.as_ref(), jacobian());
                        return self.impulses(operator, &shape, island, settings, r);
                    }
                    let write = || Factorised::assembled(factor.as_ref(), &jacobian());
                    self.impulses(written.get_or_init(write), &shape, island, settings, r)
                }
                (None, InverseMass::Iterated { inverse, coupling }) => {
                    let split = Split::new(inverse, coupling, self.jacobian, island, &columns);
                    self.split(split, &shape, island, settings, r)
                }
                (masses, _) => {
                    let masses = masses.unwrap_or_default();
                    let operator = MassJacobian::new(masses, shape.scaled(jacobian));
                    self.impulses(operator, &shape, island, settings, r)
                }
            }
        });
        solved.unwrap_or_else(|_| Report {
            status: Status::NotFinite,
            iterations: 0,
            residuals: vec![f64::NAN],
        })
    }

    fn impulses(
        &self,
        operator: impl Delassus,
        shape: &Shape,
        island: &[u32],
        settings: &ImpulseSettings,
        r: &mut [f64],
    ) -> Result<Report, ProblemError> {
        let limits = Limits { tolerance: settings.tolerance, iterations: settings.max_iterations };
        let b = island.iter().flat_map(|&i| three(self.b, i)).collect();
        let compliance = self.compliance.of(&operator);
        shape.solve(operator, b, compliance, r, &limits, settings.solver)
    }
}

pub(super) fn three(values: &[f64], i: u32) -> [f64; 3] {
    let values = &values[3 * i as usize..][..3];
    [values[0], values[1], values[2]]
}

/// Of two reports the one that tells more of what went wrong; iterations are the most.
fn worse(a: Report, b: Report) -> Report {
    let left = |report: &Report| report.residuals.last().copied().unwrap_or(0.0);
    let keep = match (a.status.converged(), b.status.converged()) {
        (true, false) => false,
        (false, true) => true,
        // NaN is the worst of all.
        _ => left(&b).total_cmp(&left(&a)).is_le(),
    };
    let iterations = a.iterations.max(b.iterations);
    Report { iterations, ..if keep { a } else { b } }
}

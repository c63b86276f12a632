//! The linear systems of Newton's method: `(∂F/∂r + ∂F/∂u (A + C)) δ = −F`, in the way that suits their size.

use std::sync::{Arc, Mutex};

use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::super::operator::block_rows::{block_of, set_block};
use super::super::penalised::pattern;
use super::super::{Assembled, ContactProblem, Delassus, Linearised};
use crate::math::Matrix3;
use crate::solve::direct::{Analysis, Lu, Order};
use crate::solve::krylov::{self, gmres};
use crate::solve::precondition::Preconditioner;
use crate::solve::{BlockMatrix, LinearOperator, LinearSolve};

/// How Newton's linear systems are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinearMethod {
    /// Dense up to 24 contacts, sparse while the factorisation is small enough, else Krylov.
    #[default]
    Auto,
    /// Dense LU.
    Dense,
    /// Multifrontal LU on the blocks of `A`.
    Sparse,
    /// GMRES with the inverses of the contacts' own blocks: no factorisation, no assembly.
    Krylov,
}

/// Contacts up to which a dense LU is the fastest.
pub(in super::super) const DENSE: usize = 24;
/// Multiplications of a symmetric factorisation up to which Newton factorises.
const LARGEST_FACTORISATION: f64 = 2e10;
/// Blocks of `A` beyond which they are not even written out to find that.
const LARGEST_ASSEMBLY: usize = 4_000_000;

pub(in super::super) enum System<'a, A> {
    Dense(Box<ContactProblem<Assembled>>),
    Sparse(Box<Sparse>),
    Krylov(Box<Krylov<'a, A>>),
}

pub(in super::super) struct Sparse {
    analysis: Arc<Analysis>,
    problem: ContactProblem<Assembled>,
    matrix: BlockMatrix,
    factor: Lu,
}

pub(in super::super) struct Krylov<'a, A> {
    problem: &'a ContactProblem<A>,
    workspace: gmres::Workspace,
}

impl<'a, A: Delassus> System<'a, A> {
    pub(in super::super) fn new(problem: &'a ContactProblem<A>, method: LinearMethod) -> Self {
        let krylov = || {
            Self::Krylov(Box::new(Krylov {
                problem,
                workspace: gmres::Workspace::with_restart(60),
            }))
        };
        let size = problem.contacts();
        match method {
            LinearMethod::Krylov => krylov(),
            LinearMethod::Dense => Self::Dense(Box::new(problem.assembled())),
            LinearMethod::Auto if size <= DENSE => Self::Dense(Box::new(problem.assembled())),
            LinearMethod::Auto if !few_blocks(problem.operator()) => krylov(),
            LinearMethod::Auto | LinearMethod::Sparse => {
                let problem = problem.assembled();
                let pattern = Arc::new(pattern(problem.operator()));
                let analysis = Analysis::new(&pattern, Order::Graph);
                if method == LinearMethod::Auto
                    && analysis.multiplications() > LARGEST_FACTORISATION
                {
                    return krylov();
                }
                let matrix = BlockMatrix::zeros(pattern);
                let factor = Lu::new(&analysis);
                Self::Sparse(Box::new(Sparse { analysis, problem, matrix, factor }))
            }
        }
    }

    /// Multiplications of a factorisation, about; infinite where there is none.
    pub(in super::super) fn cost(&self) -> f64 {
        match self {
            Self::Dense(problem) => 9.0 * (problem.contacts() as f64).powi(3),
            Self::Sparse(sparse) => 2.0 * sparse.analysis.multiplications(),
            Self::Krylov(_) => f64::INFINITY,
        }
    }

    /// Solves for the step `δ`, which comes in as `−F`; false when that failed.
    pub(super) fn solve(&mut self, rows: &[Linearised], step: &mut [f64], tolerance: f64) -> bool {
        match self {
            Self::Dense(problem) => dense(problem, rows, step),
            Self::Sparse(sparse) => sparse.solve(rows, step),
            Self::Krylov(krylov) => krylov.solve(rows, step, tolerance),
        }
    }
}

/// Whether the blocks of an operator can be written out; stops counting when they cannot.
fn few_blocks<A: Delassus>(operator: &A) -> bool {
    let mut count = 0;
    (0..operator.contacts()).all(|i| {
        operator.for_neighbours(i, &mut |_| count += 1);
        count <= LARGEST_ASSEMBLY
    })
}

/// Contacts that take off have rows `G δ = −F` of their own: they are put in, and the rest is solved.
fn dense(problem: &ContactProblem<Assembled>, rows: &[Linearised], step: &mut [f64]) -> bool {
    let free = |i: &usize| rows[*i].by_velocity != Matrix3::zeros();
    let active: Vec<usize> = (0..rows.len()).filter(free).collect();
    for i in 0..rows.len() {
        if !free(&i) {
            let Some(own) = rows[i].by_impulse.lu().solve(&block_of(step, i)) else { return false };
            set_block(step, i, own);
        }
    }
    if active.is_empty() {
        return step.iter().all(|v| v.is_finite());
    }
    let mut matrix = DMatrix::zeros(3 * active.len(), 3 * active.len());
    let mut right = DVector::zeros(3 * active.len());
    let mut place = vec![usize::MAX; rows.len()];
    for (k, &i) in active.iter().enumerate() {
        place[i] = k;
    }
    for (k, &i) in active.iter().enumerate() {
        let mut side = block_of(step, i);
        let mut put = |j: usize, block: &Matrix3| {
            if place[j] == usize::MAX {
                side -= rows[i].by_velocity * (block * block_of(step, j));
            } else {
                let block = rows[i].by_velocity * block;
                matrix.fixed_view_mut::<3, 3>(3 * k, 3 * place[j]).copy_from(&block);
            }
        };
        for (j, block) in problem.operator().others().row(i) {
            put(j, block);
        }
        put(i, &problem.diagonal(i));
        let mut own = matrix.fixed_view_mut::<3, 3>(3 * k, 3 * k);
        own += rows[i].by_impulse;
        right.fixed_rows_mut::<3>(3 * k).copy_from(&side);
    }
    let factor: LU<f64, Dyn, Dyn> = matrix.lu();
    let solved = factor.solve_mut(&mut right);
    for (k, &i) in active.iter().enumerate() {
        set_block(step, i, right.fixed_rows::<3>(3 * k).into());
    }
    solved && step.iter().all(|v| v.is_finite())
}

impl Sparse {
    fn solve(&mut self, rows: &[Linearised], step: &mut [f64]) -> bool {
        let pattern = Arc::clone(self.matrix.pattern());
        let values = self.matrix.values_mut();
        for (i, row) in rows.iter().enumerate() {
            let others = self.problem.operator().others();
            let mut given = others.row(i);
            for (slot, &j) in pattern.row_slots(i).zip(pattern.row(i)) {
                let block = match j as usize == i {
                    true => None,
                    false => given.next().map(|(_, block)| row.by_velocity * block),
                };
                values[slot] = block
                    .unwrap_or_else(|| row.by_impulse + row.by_velocity * self.problem.diagonal(i));
            }
        }
        self.factor.factor(&self.matrix);
        self.factor.solve_in_place(step);
        step.iter().all(|v| v.is_finite())
    }
}

/// The matrix, by products with the operator; and its block-diagonal preconditioner.
struct Products<'a, A> {
    problem: &'a ContactProblem<A>,
    rows: &'a [Linearised],
    memory: Mutex<Vec<f64>>,
    inverses: Vec<Matrix3>,
}

impl<A: Delassus> LinearOperator for Products<'_, A> {
    fn dimension(&self) -> usize {
        3 * self.rows.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let mut memory = self.memory.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.problem.products(x, y, &mut memory);
        for (i, row) in self.rows.iter().enumerate() {
            set_block(y, i, row.by_velocity * block_of(y, i) + row.by_impulse * block_of(x, i));
        }
    }
}

impl<A: Delassus> Preconditioner for Products<'_, A> {
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        for (i, inverse) in self.inverses.iter().enumerate() {
            set_block(z, i, inverse * block_of(r, i));
        }
    }
}

impl<A: Delassus> Krylov<'_, A> {
    fn solve(&mut self, rows: &[Linearised], step: &mut [f64], tolerance: f64) -> bool {
        let invert = |(i, row): (usize, &Linearised)| {
            let block = row.by_impulse + row.by_velocity * self.problem.diagonal(i);
            block.try_inverse().unwrap_or_else(|| Matrix3::identity() * self.problem.mass(i))
        };
        let inverses = rows.iter().enumerate().map(invert).collect();
        let memory = Mutex::new(self.problem.memory());
        let matrix = Products { problem: self.problem, rows, memory, inverses };
        let settings = krylov::Settings {
            relative_tolerance: tolerance,
            absolute_tolerance: 0.0,
            max_iterations: 300,
        };
        let right = step.to_vec();
        step.fill(0.0);
        let report = gmres::solve(&matrix, &matrix, &right, step, &settings, &mut self.workspace);
        report.residual() < 0.5 * crate::solve::vector::norm(&right)
    }
}

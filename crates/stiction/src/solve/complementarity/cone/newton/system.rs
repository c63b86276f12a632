//! The linear systems of Newton's method: `(∂F/∂r + ∂F/∂u (A + C)) δ = −F`, in the way that suits their size.

use std::sync::{Arc, Mutex};

use super::super::super::newton::bodies::Bodies;
use super::super::operator::block_rows::{block_of, set_block};
use super::super::penalised::pattern;
use super::super::{Assembled, ContactProblem, Delassus, Linearised};
use super::bodies;
use super::dense::Dense;
use crate::math::Matrix3;
use crate::solve::direct::{Analysis, Lu, Order};
use crate::solve::krylov::{self, gmres};
use crate::solve::precondition::Preconditioner;
use crate::solve::{BlockMatrix, LinearOperator, LinearSolve};

/// How Newton's linear systems are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinearMethod {
    /// Dense up to 24 contacts, sparse over velocities or impulses while the factorisation is small enough, else
    /// Krylov.
    #[default]
    Auto,
    /// Dense LU.
    Dense,
    /// Multifrontal LU on the blocks of `A`.
    Sparse,
    /// Multifrontal LU over velocities of bodies, where the operator knows them; else like `Sparse`.
    Bodies,
    /// GMRES with the inverses of the contacts' own blocks: no factorisation, no assembly.
    Krylov,
}

/// Contacts up to which a dense LU is the fastest.
pub(in super::super) const DENSE: usize = 24;
/// Multiplications of a symmetric factorisation up to which Newton factorises.
const LARGEST_FACTORISATION: f64 = 2e10;
/// Blocks of `A` beyond which they are not even written out to find that.
const LARGEST_ASSEMBLY: usize = 4_000_000;

/// Linear systems, and how many there were.
pub(in super::super) struct System<'a, A> {
    form: Form<'a, A>,
    factorisations: usize,
}

enum Form<'a, A> {
    Dense(Box<Dense>),
    Sparse(Box<Sparse>),
    Bodies(Box<Bodies<3>>),
    Krylov(Box<Krylov<'a, A>>),
}

struct Sparse {
    analysis: Arc<Analysis>,
    problem: ContactProblem<Assembled>,
    matrix: BlockMatrix,
    factor: Lu,
}

struct Krylov<'a, A> {
    problem: &'a ContactProblem<A>,
    workspace: gmres::Workspace,
}

impl<'a, A: Delassus> System<'a, A> {
    pub(in super::super) fn new(problem: &'a ContactProblem<A>, method: LinearMethod) -> Self {
        Self { form: Form::new(problem, method), factorisations: 0 }
    }

    /// How often something was factorised.
    pub(in super::super) fn factorisations(&self) -> usize {
        self.factorisations
    }

    /// What a step costs, in multiplications at the pace of a sweep; infinite where nothing is factorised. Large
    /// fronts go about six times as fast, what is read and written once takes its time.
    pub(in super::super) fn cost(&self) -> f64 {
        match &self.form {
            Form::Dense(dense) => 2.0 * (dense.contacts() as f64).powi(3),
            Form::Sparse(sparse) => 2.0 * sparse.analysis.multiplications(),
            Form::Bodies(bodies) => {
                let (products, numbers) = (bodies.products() as f64, bodies.factor_len() as f64);
                60.0 * products + 20.0 * numbers + bodies.multiplications() / 3.0
            }
            Form::Krylov(_) => f64::INFINITY,
        }
    }

    /// Solves for the step `δ`, which comes in as `−F`; false when that failed.
    pub(super) fn solve(&mut self, rows: &[Linearised], step: &mut [f64], tolerance: f64) -> bool {
        self.factorise(rows);
        self.substitute(rows, step, tolerance)
    }

    /// Makes ready for the matrix of `rows`.
    pub(in super::super) fn factorise(&mut self, rows: &[Linearised]) {
        self.factorisations += 1;
        match &mut self.form {
            Form::Dense(dense) => dense.factorise(rows),
            Form::Sparse(sparse) => sparse.factorise(rows),
            Form::Bodies(bodies) => bodies.factorise(rows),
            Form::Krylov(_) => {}
        }
    }

    /// Solves with the matrix that was made ready; false when that failed. A Krylov method goes to `tolerance`,
    /// relative.
    pub(in super::super) fn substitute(
        &mut self,
        rows: &[Linearised],
        step: &mut [f64],
        tolerance: f64,
    ) -> bool {
        match &mut self.form {
            Form::Dense(dense) => dense.substitute(rows, step),
            Form::Sparse(sparse) => {
                sparse.factor.solve_in_place(step);
                step.iter().all(|v| v.is_finite())
            }
            Form::Bodies(bodies) => bodies.substitute(rows, step),
            Form::Krylov(krylov) => krylov.solve(rows, step, tolerance),
        }
    }
}

impl<'a, A: Delassus> Form<'a, A> {
    fn new(problem: &'a ContactProblem<A>, method: LinearMethod) -> Self {
        let krylov = || {
            Self::Krylov(Box::new(Krylov {
                problem,
                workspace: gmres::Workspace::with_restart(60),
            }))
        };
        let size = problem.contacts();
        let bodies = problem.operator().bodies().filter(|bodies| match method {
            LinearMethod::Bodies => true,
            // Fewer unknowns, each with fewer neighbours; with more bodies than contacts it is the other way round.
            LinearMethod::Auto => size > DENSE && bodies.inverse_mass().len() <= size,
            _ => false,
        });
        if let Some(bodies) = bodies {
            let bodies = bodies::new(problem, bodies);
            return match method == LinearMethod::Auto
                && bodies.multiplications() > LARGEST_FACTORISATION
            {
                true => krylov(),
                false => Self::Bodies(Box::new(bodies)),
            };
        }
        match method {
            LinearMethod::Krylov => krylov(),
            LinearMethod::Dense => Self::Dense(Box::new(Dense::new(problem))),
            LinearMethod::Auto if size <= DENSE => Self::Dense(Box::new(Dense::new(problem))),
            LinearMethod::Auto if !few_blocks(problem.operator()) => krylov(),
            LinearMethod::Auto | LinearMethod::Sparse | LinearMethod::Bodies => {
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
}

/// Whether the blocks of an operator can be written out; stops counting when they cannot.
fn few_blocks<A: Delassus>(operator: &A) -> bool {
    let mut count = 0;
    (0..operator.contacts()).all(|i| {
        operator.for_neighbours(i, &mut |_| count += 1);
        count <= LARGEST_ASSEMBLY
    })
}

impl Sparse {
    fn factorise(&mut self, rows: &[Linearised]) {
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

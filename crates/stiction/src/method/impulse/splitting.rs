//! Contacts of an island without a factor: Jacobi splitting, as in iterative constraint anticipation [OTSG09; AEF22,
//! §4.3.6].
//!
//! Impulses change velocities by `w`, with `A w = Jᵀ r`. Each iteration puts the blocks `D` on the diagonal of `A` in
//! its place,
//!
//! $$ \tilde w = w - D^{-1} A w, \qquad u = J D^{-1} J^T r + J \tilde w + b,
//!    \qquad w \leftarrow \tilde w + D^{-1} J^T r $$
//!
//! and solves the contact problem in the middle, whose contacts act on each other through shared nodes only. The
//! fixed point is the solution with `A` itself. The rate is that of Jacobi's method: a chain of masses and springs,
//! `s = h² k/m`, gains a factor `1 + 1/(2s)` an iteration.
//!
//! Jacobi's method converges only where the eigenvalues of `D⁻¹A` are below two, and those of tetrahedra are not: `D`
//! is then enlarged by what a few power iterations find, and by more should changes grow all the same.
//!
//! Changes that are small may still add up. So at the end `A⁻¹ Jᵀ r` is found by conjugate gradients: velocities that
//! obey the contact law and velocities that obey dynamics differ by no more than the tolerance, or it goes on.

use super::ImpulseSettings;
use super::friction::Shape;
use super::inverse_mass::{Coupling, ITERATED, Iterated};
use super::islands::{Equations, three};
use crate::math::{Matrix3, Vector3};
use crate::solve::complementarity::Limits;
use crate::solve::complementarity::cone::{BlockRows, MassJacobian, ProblemError};
use crate::solve::krylov::cg;
use crate::solve::vector::{dot, max_abs, scale};
use crate::solve::{LinearOperator, LinearSolve, Report, Status, power_iteration};

/// Power iterations for the largest eigenvalue, and what they may miss of it.
const POWERS: usize = 15;
const MISSED: f64 = 1.02;
/// Iterations over which the rate is measured.
const WINDOW: usize = 6;
/// The rate that is assumed until then.
const UNKNOWN: f64 = 0.999;
/// Accuracy of contacts in an iteration, in the change that the one before made; and at most, in the tolerance.
const INNER: f64 = 0.03;
const INNERMOST: f64 = 0.1;
/// Changes that have grown so much since the least of them: it diverges.
const GROWN: f64 = 10.0;

/// The rows of the matrix that an island can move.
pub(super) struct Split {
    /// `A`.
    matrix: BlockRows,
    /// `D⁻¹`.
    inverse: Vec<Matrix3>,
    /// `J`.
    jacobian: BlockRows,
}

impl Split {
    /// `columns` are those that rows of the island have blocks in.
    pub(super) fn new(
        whole: &Iterated,
        coupling: &Coupling,
        jacobian: &BlockRows,
        island: &[u32],
        columns: &[u32],
    ) -> Self {
        let groups = &coupling.groups;
        let mut touched: Vec<u32> = columns.iter().map(|&j| groups[j as usize]).collect();
        touched.sort_unstable();
        touched.dedup();
        let takes_part = |row: &u32| touched.binary_search(&groups[*row as usize]).is_ok();
        let rows: Vec<u32> = (0..groups.len() as u32).filter(takes_part).collect();
        let place = |(column, block): (usize, &Matrix3)| {
            rows.binary_search(&(column as u32)).ok().map(|at| (at, *block))
        };
        let of_matrix = |&row: &u32| whole.matrix().row(row as usize).filter_map(place);
        let of_jacobian = |&row: &u32| jacobian.row(row as usize).filter_map(place);
        let diagonal = |&row: &u32| whole.matrix().block(row as usize, row as usize);
        let inverse = |row: &u32| diagonal(row).try_inverse().unwrap_or_else(Matrix3::zeros);
        let mut split = Self {
            matrix: BlockRows::from_rows(rows.len(), rows.iter().map(of_matrix)),
            inverse: rows.iter().map(inverse).collect(),
            jacobian: BlockRows::from_rows(rows.len(), island.iter().map(of_jacobian)),
        };
        split.enlarge((0.5 * MISSED * split.largest_eigenvalue()).max(1.0));
        split
    }

    fn unknowns(&self) -> usize {
        3 * self.inverse.len()
    }

    /// Makes `D` larger.
    fn enlarge(&mut self, factor: f64) {
        self.inverse.iter_mut().for_each(|block| *block /= factor);
    }

    /// Of `D⁻¹A`, about.
    fn largest_eigenvalue(&self) -> f64 {
        // Neighbours go to and fro: near what is wanted.
        let start = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 - 1.0 / (i + 1) as f64 };
        let x: Vec<f64> = (0..self.unknowns()).map(start).collect();
        let (mut y, mut largest) = (vec![0.0; x.len()], 0.0_f64);
        let norm = |x: &[f64]| dot(x, x).sqrt();
        let _ = power_iteration::growth(x, 1.0, POWERS, norm, |x, length| {
            scale(x, length.recip());
            let before = dot(x, x);
            self.apply(x, &mut y);
            self.solve_in_place(&mut y);
            largest = largest.max((dot(&y, &y) / before).sqrt());
            std::mem::swap(x, &mut y);
        });
        if largest.is_finite() { largest } else { 1.0 }
    }

    /// `p = Jᵀ r`.
    fn gather(&self, r: &[f64]) -> Vec<f64> {
        let mut p = vec![0.0; self.unknowns()];
        for (i, r) in r.chunks_exact(3).enumerate() {
            self.jacobian.add_transposed_row(i, Vector3::new(r[0], r[1], r[2]), &mut p);
        }
        p
    }

    /// `A⁻¹ Jᵀ r`.
    fn moved(&self, r: &[f64], start: &[f64]) -> Vec<f64> {
        let (mut w, mut room) = (start.to_vec(), cg::Workspace::default());
        let _ = cg::solve(self, self, &self.gather(r), &mut w, &ITERATED, &mut room);
        w
    }
}

/// `A`.
impl LinearOperator for Split {
    fn dimension(&self) -> usize {
        self.unknowns()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        for (i, y) in y.chunks_exact_mut(3).enumerate() {
            y.copy_from_slice(self.matrix.row_times(i, x).as_slice());
        }
    }
}

/// `D`.
impl LinearSolve for Split {
    fn dimension(&self) -> usize {
        self.unknowns()
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        for (b, inverse) in b.chunks_exact_mut(3).zip(&self.inverse) {
            b.copy_from_slice((inverse * Vector3::new(b[0], b[1], b[2])).as_slice());
        }
    }

    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        self.solve_in_place(b);
    }
}

impl Equations<'_> {
    /// Improves the impulses `r` of an island. Residuals are changes of velocities; the last is by how much contact
    /// law and dynamics differ.
    pub(super) fn split(
        &self,
        mut split: Split,
        shape: &Shape,
        island: &[u32],
        settings: &ImpulseSettings,
        r: &mut [f64],
    ) -> Result<Report, ProblemError> {
        let operator = |split: &Split| {
            MassJacobian::new(split.inverse.clone(), shape.scaled(split.jacobian.clone()))
        };
        let mut inner = operator(&split);
        let mut w = split.moved(r, &vec![0.0; split.unknowns()]);
        let mut shift = vec![0.0; w.len()];
        let (mut wanted, mut least) = (settings.tolerance, f64::INFINITY);
        let mut residuals: Vec<f64> = Vec::new();
        loop {
            split.apply(&w, &mut shift);
            split.solve_in_place(&mut shift);
            let free: Vec<f64> = w.iter().zip(&shift).map(|(w, shift)| w - shift).collect();
            let mut b: Vec<f64> = island.iter().flat_map(|&i| three(self.b, i)).collect();
            for (i, b) in b.chunks_exact_mut(3).enumerate() {
                let moved = split.jacobian.row_times(i, &free);
                b.iter_mut().zip(moved.iter()).for_each(|(b, moved)| *b += moved);
            }
            let change = residuals.last().copied().unwrap_or(0.0);
            let tolerance = (INNER * change).max(INNERMOST * wanted);
            let limits = Limits { tolerance, iterations: settings.max_iterations };
            let compliance = self.compliance.of(&inner);
            let solved = shape.solve(&inner, b, compliance, r, &limits, settings.solver)?;
            let mut new = split.gather(r);
            split.solve_in_place(&mut new);
            new.iter_mut().zip(&free).for_each(|(new, free)| *new += free);
            let change = farthest(&new, &w);
            w = new;
            residuals.push(change);
            let iterations = residuals.len();
            let end = |status, residuals| Ok(Report { status, iterations, residuals });
            if !change.is_finite() {
                return end(Status::NotFinite, residuals);
            }
            let rate = rate(&residuals);
            if rate < 1.0 && change * rate <= wanted * (1.0 - rate) && solved.status.converged() {
                let error = farthest(&split.moved(r, &w), &w);
                if error <= settings.tolerance {
                    *residuals.last_mut().expect("one an iteration") = error;
                    return end(Status::Converged, residuals);
                }
                wanted *= 0.1;
            }
            if iterations >= settings.max_iterations {
                return end(Status::IterationLimit, residuals);
            }
            if change > GROWN * least {
                split.enlarge(1.5);
                (inner, least) = (operator(&split), change);
            }
            least = least.min(change);
        }
    }
}

/// How much smaller changes get in an iteration.
fn rate(changes: &[f64]) -> f64 {
    let now = changes.len() - 1;
    match now.checked_sub(WINDOW) {
        Some(before) if changes[before] > 0.0 => {
            (changes[now] / changes[before]).powf(1.0 / WINDOW as f64)
        }
        _ => UNKNOWN,
    }
}

fn farthest(a: &[f64], b: &[f64]) -> f64 {
    let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    max_abs(&apart)
}

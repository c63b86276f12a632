//! Lemke's method [L65, CPS92 ch. 4.4]: follow one path of almost complementary corners to a solution, or off to
//! infinity.
//!
//! The only method here that asks for neither symmetry nor a diagonal: it solves polyhedral friction, and for
//! copositive-plus matrices (positive semidefinite ones, and those of polyhedral friction) a ray means that there is
//! no solution ([`Status::Infeasible`]). For other matrices a ray may be met although there is one. Ties are broken
//! lexicographically, so it cannot cycle. Dense tableau, square of the size an iteration, so for some hundred
//! unknowns. Starts cold, always; the last corner is solved for once more, so that rounding does not add up.

use super::active_step::ActiveStep;
use super::free_set::LARGEST_DENSE;
use super::frozen::{self, Frozen};
use super::order::split_mix;
use super::problem::LinearProblem;
use super::residual::Label;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// Directions to come from before giving up.
const ATTEMPTS: u64 = 10;

/// Solves into `x`. An iteration is a pivot. Tied bounds are held, solved for, and held again.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    frozen::solve(problem, x, limits, watch, |frozen, x| {
        let plain = Plain::new(frozen);
        if plain.parts.len() > LARGEST_DENSE / 2 {
            return Err(Status::Breakdown);
        }
        // Another direction to come from leads along another path, when rounding has lost this one.
        let mut end = Err(Status::Breakdown);
        for attempt in 0..ATTEMPTS {
            end = Tableau::new(&plain, frozen, attempt).run(&plain, frozen, x);
            if end != Err(Status::Breakdown) {
                break;
            }
        }
        plain.read(frozen, &end?, x);
        polish(frozen, x);
        frozen.monitor.look(x).map_or(Ok(()), Err)
    })
}

/// What an unknown of the plain problem `0 ≤ z ⊥ M z + q ≥ 0` is made from.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// `x = offset + sign z`.
    Unknown { row: usize, sign: f64 },
    /// What keeps `x` from its upper bound: `z ≤ width`.
    Ceiling { of: usize, width: f64 },
}

/// Bounds taken apart: rows with two bounds and rows with none become two unknowns each.
struct Plain {
    parts: Vec<Part>,
    offset: Vec<f64>,
}

impl Plain {
    fn new(frozen: &Frozen<'_>) -> Self {
        let (mut parts, mut offset) = (Vec::new(), Vec::new());
        for row in 0..frozen.lo.len() {
            let (lo, hi) = (frozen.lo[row], frozen.hi[row]);
            let of = parts.len();
            if lo.is_finite() {
                offset.push(lo);
                parts.push(Part::Unknown { row, sign: 1.0 });
                if hi.is_finite() {
                    parts.push(Part::Ceiling { of, width: hi - lo });
                }
            } else if hi.is_finite() {
                offset.push(hi);
                parts.push(Part::Unknown { row, sign: -1.0 });
            } else {
                offset.push(0.0);
                parts.push(Part::Unknown { row, sign: 1.0 });
                parts.push(Part::Unknown { row, sign: -1.0 });
            }
        }
        Self { parts, offset }
    }

    fn entry(&self, frozen: &Frozen<'_>, i: usize, j: usize) -> f64 {
        match (self.parts[i], self.parts[j]) {
            (Part::Unknown { row: i, sign: s }, Part::Unknown { row: j, sign: t }) => {
                s * t * frozen.a.at(i, j)
            }
            (Part::Unknown { .. }, Part::Ceiling { of, .. }) if of == i => 1.0,
            (Part::Ceiling { of, .. }, Part::Unknown { .. }) if of == j => -1.0,
            _ => 0.0,
        }
    }

    fn right(&self, frozen: &Frozen<'_>, i: usize) -> f64 {
        match self.parts[i] {
            Part::Unknown { row, sign } => {
                let held: f64 =
                    frozen.a.row(row).iter().zip(&self.offset).map(|(a, x)| a * x).sum();
                sign * (frozen.problem.b()[row] + held)
            }
            Part::Ceiling { width, .. } => width,
        }
    }

    /// What unknowns and rows are divided and multiplied by, so that heavy and light look alike in the tableau.
    fn weight(&self, frozen: &Frozen<'_>, i: usize) -> f64 {
        let root = |i: usize| match self.parts[i] {
            Part::Unknown { row, .. } => frozen.problem.scale()[row].sqrt(),
            Part::Ceiling { .. } => 1.0,
        };
        match self.parts[i] {
            Part::Unknown { .. } => 1.0 / root(i),
            Part::Ceiling { of, .. } => root(of),
        }
    }

    fn read(&self, frozen: &Frozen<'_>, z: &[f64], x: &mut [f64]) {
        x.copy_from_slice(&self.offset);
        for (i, z) in z.iter().enumerate() {
            if let Part::Unknown { row, sign } = self.parts[i] {
                x[row] += sign * z * self.weight(frozen, i);
            }
        }
        for i in 0..x.len() {
            x[i] = super::bounds::nearest(x[i], frozen.lo[i], frozen.hi[i]);
        }
    }
}

/// `w − M z − 1 z₀ = q`, basis first `w`. Columns: `w`, `z`, `z₀`, right side.
struct Tableau {
    n: usize,
    width: usize,
    values: Vec<f64>,
    /// Which column is basic in each row.
    basis: Vec<usize>,
    pivot_row: Vec<f64>,
    /// Ratios this near each other are a tie.
    slack: f64,
}

impl Tableau {
    fn new(plain: &Plain, frozen: &Frozen<'_>, attempt: u64) -> Self {
        let n = plain.parts.len();
        let mut chance = attempt;
        let width = 2 * n + 2;
        let mut values = vec![0.0; n * width];
        for (i, row) in values.chunks_exact_mut(width).enumerate() {
            row[i] = 1.0;
            for j in 0..n {
                row[n + j] =
                    -plain.entry(frozen, i, j) * plain.weight(frozen, i) * plain.weight(frozen, j);
            }
            let cover = if attempt == 0 {
                1.0
            } else {
                1.0 + (split_mix(&mut chance) % 1024) as f64 / 1024.0
            };
            (row[2 * n], row[2 * n + 1]) =
                (-cover, plain.right(frozen, i) * plain.weight(frozen, i));
        }
        let slack = [1e-10, 1e-12, 1e-9, 1e-11, 1e-8][attempt as usize % 5];
        Self { n, width, values, basis: (0..n).collect(), pivot_row: vec![0.0; width], slack }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.width..(i + 1) * self.width]
    }

    fn run(
        &mut self,
        plain: &Plain,
        frozen: &mut Frozen<'_>,
        x: &[f64],
    ) -> Result<Vec<f64>, Status> {
        let (n, artificial, right) = (self.n, 2 * self.n, 2 * self.n + 1);
        let worst =
            (0..n).reduce(|a, b| if self.row(b)[right] < self.row(a)[right] { b } else { a });
        if let Some(worst) = worst.filter(|&worst| self.row(worst)[right] < 0.0) {
            self.pivot(worst, artificial);
            let mut leaving = worst;
            // With exact numbers it could not go in circles.
            for pivots in 0.. {
                if pivots > 10 * n + 100 {
                    return Err(Status::Breakdown);
                }
                let entering = if leaving < n { leaving + n } else { leaving - n };
                let Some(row) = self.leaving_row(entering) else {
                    let proved = self.proves_infeasible(plain, frozen, entering);
                    return Err(if proved { Status::Infeasible } else { Status::Breakdown });
                };
                leaving = self.basis[row];
                self.pivot(row, entering);
                // The residual of the path is not that of a solution; what was there is looked at, to count.
                if let Some(status) = frozen.monitor.look(x) {
                    return Err(status);
                }
                if leaving == artificial {
                    break;
                }
            }
        }
        let mut z = vec![0.0; n];
        for i in 0..n {
            if (n..2 * n).contains(&self.basis[i]) {
                z[self.basis[i] - n] = self.row(i)[right].max(0.0);
            }
        }
        Ok(z)
    }

    /// Whether a ray is what it should be: impulses `z ≥ 0` that move nothing in, `Mᵀz ≤ 0`, although something
    /// comes, `qᵀz < 0`. Then nothing can hold it. If not, rounding has led astray, or the matrix is of another kind.
    fn proves_infeasible(&self, plain: &Plain, frozen: &Frozen<'_>, entering: usize) -> bool {
        let n = self.n;
        let mut ray = vec![0.0; n];
        for i in 0..n {
            if (n..2 * n).contains(&self.basis[i]) {
                ray[self.basis[i] - n] =
                    (-self.row(i)[entering]).max(0.0) * plain.weight(frozen, self.basis[i] - n);
            }
        }
        if entering >= n && entering < 2 * n {
            ray[entering - n] = plain.weight(frozen, entering - n);
        }
        let coming: f64 = (0..n).map(|i| ray[i] * plain.right(frozen, i)).sum();
        let size: f64 = (0..n).map(|i| (ray[i] * plain.right(frozen, i)).abs()).sum();
        coming < -1e-9 * size
            && (0..n).all(|j| {
                let terms = || (0..n).map(|i| plain.entry(frozen, i, j) * ray[i]);
                terms().sum::<f64>() <= 1e-9 * terms().map(f64::abs).sum::<f64>()
            })
    }

    /// The row with the smallest ratio; of several, that of the artificial unknown, else the lexicographically
    /// smallest.
    fn leaving_row(&self, entering: usize) -> Option<usize> {
        let (artificial, right) = (2 * self.n, 2 * self.n + 1);
        let column = |i: usize| self.row(i)[entering];
        let size = (0..self.n).fold(0.0_f64, |m, i| m.max(column(i).abs()));
        let candidates = || (0..self.n).filter(|&i| column(i) > 1e-9 * size);
        let ratio = |i: usize, k: usize| self.row(i)[k] / column(i);
        let smallest = candidates().map(|i| ratio(i, right)).fold(f64::INFINITY, f64::min);
        let slack =
            self.slack * (smallest.abs() + self.scale_of_right() / size.max(f64::MIN_POSITIVE));
        let mut tied: Vec<usize> =
            candidates().filter(|&i| ratio(i, right) <= smallest + slack).collect();
        if let Some(&i) = tied.iter().find(|&&i| self.basis[i] == artificial) {
            return Some(i);
        }
        for k in 0..self.n {
            if tied.len() <= 1 {
                break;
            }
            let smallest = tied.iter().map(|&i| ratio(i, k)).fold(f64::INFINITY, f64::min);
            tied.retain(|&i| ratio(i, k) <= smallest + 10.0 * self.slack * smallest.abs().max(1.0));
        }
        tied.first().copied()
    }

    fn scale_of_right(&self) -> f64 {
        (0..self.n).fold(0.0_f64, |m, i| m.max(self.row(i)[2 * self.n + 1].abs()))
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.width;
        let pivot = self.values[row * width + column];
        self.values[row * width..(row + 1) * width].iter_mut().for_each(|v| *v /= pivot);
        self.values[row * width + column] = 1.0;
        self.pivot_row.copy_from_slice(&self.values[row * width..(row + 1) * width]);
        for (i, other) in self.values.chunks_exact_mut(width).enumerate() {
            let factor = other[column];
            if i != row && factor != 0.0 {
                for (o, v) in other.iter_mut().zip(&self.pivot_row) {
                    *o -= factor * v;
                }
                other[column] = 0.0;
            }
        }
        self.basis[row] = column;
    }
}

/// Solves for the free unknowns of the corner once more, and keeps that if it is better.
fn polish(frozen: &mut Frozen<'_>, x: &mut [f64]) {
    let problem = frozen.problem;
    let monitor = &mut frozen.monitor;
    problem.velocities(x, &mut monitor.u, &mut monitor.w);
    let label = |i: usize| {
        if x[i] <= frozen.lo[i] {
            Label::Lower
        } else if x[i] >= frozen.hi[i] {
            Label::Upper
        } else {
            Label::Free
        }
    };
    let labels: Vec<Label> = (0..x.len()).map(label).collect();
    let mut dx = vec![0.0; x.len()];
    ActiveStep::default().solve(problem, &frozen.a, &labels, x, &monitor.u, &mut dx);
    let before = super::residual::natural(problem, x, &monitor.u);
    let trial: Vec<f64> = x.iter().zip(&dx).map(|(x, dx)| x + dx).collect();
    problem.velocities(&trial, &mut monitor.u, &mut monitor.w);
    if super::residual::natural(problem, &trial, &monitor.u) < before {
        x.copy_from_slice(&trial);
    }
}

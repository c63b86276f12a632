//! Problems that the tests share.

use nalgebra::{DMatrix, Vector3};
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::linear::{
    Bounds, BoxFriction, ContactRows, LinearProblem, Matrix,
};

pub(crate) const GRAVITY: f64 = 9.81;
pub(crate) const STEP: f64 = 0.01;

pub(crate) fn limits(tolerance: f64, iterations: usize) -> Limits {
    Limits { tolerance, iterations }
}

/// Inverse mass and inertia of a cube with edge one.
pub(crate) fn cube(mass: f64) -> DMatrix<f64> {
    let (linear, angular) = (1.0 / mass, 6.0 / mass);
    DMatrix::from_diagonal(&[linear, linear, linear, angular, angular, angular].to_vec().into())
}

/// A row of the velocity of one point of a body along a direction, as entries.
pub(crate) fn point_row(
    body: usize,
    arm: Vector3<f64>,
    direction: Vector3<f64>,
    sign: f64,
) -> Vec<(usize, f64)> {
    let turn = arm.cross(&direction);
    (0..3)
        .map(|k| (6 * body + k, sign * direction[k]))
        .chain((0..3).map(|k| (6 * body + 3 + k, sign * turn[k])))
        .collect()
}

/// Cubes on top of each other at rest on the ground, four contacts between each two: bottom first.
pub(crate) struct Tower {
    pub(crate) masses: Vec<f64>,
    pub(crate) mu: Option<f64>,
    pub(crate) gravity: Vector3<f64>,
}

impl Tower {
    pub(crate) fn new(masses: &[f64]) -> Self {
        Self { masses: masses.to_vec(), mu: None, gravity: Vector3::new(0.0, 0.0, -GRAVITY) }
    }

    pub(crate) fn with_friction(self, mu: f64) -> Self {
        Self { mu: Some(mu), ..self }
    }

    pub(crate) fn build(&self) -> LinearProblem {
        let n = self.masses.len();
        let dv = self.gravity * STEP;
        let free = (0..n).flat_map(|_| [dv.x, dv.y, dv.z, 0.0, 0.0, 0.0]).collect();
        let mut rows = ContactRows::new(free);
        let axes = [Vector3::z(), Vector3::x(), Vector3::y()];
        for upper in 0..n {
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let entries = axes.map(|axis| {
                    let mut row = point_row(upper, Vector3::new(x, y, -0.5), axis, 1.0);
                    if upper > 0 {
                        row.extend(point_row(upper - 1, Vector3::new(x, y, 0.5), axis, -1.0));
                    }
                    row
                });
                match self.mu {
                    Some(mu) => rows.contact(
                        [&entries[0], &entries[1], &entries[2]],
                        0.0,
                        BoxFriction::isotropic(mu),
                    ),
                    None => rows.row(&entries[0], 0.0, Bounds::AT_LEAST_ZERO),
                }
                .expect("bodies exist");
            }
        }
        let masses: Vec<_> = self.masses.iter().map(|&m| cube(m)).collect();
        rows.build(&masses).expect("rows fit bodies")
    }
}

/// The same problem measured by the plain minimum of `x` and `u`.
pub(crate) fn unscaled(problem: LinearProblem) -> LinearProblem {
    let n = problem.len();
    problem.with_scale(vec![1.0; n]).expect("one scale a row")
}

pub(crate) fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |worst, v| v.abs().max(worst))
}

/// Numbers in (-1, 1), the same for the same seed.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / (1_u64 << 52) as f64 - 1.0
    }

    /// Nearly normal.
    pub(crate) fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() / 2.0
    }
}

/// `G Gᵀ + shift I` and a vector, both random.
pub(crate) fn random_definite(n: usize, shift: f64, seed: u64) -> (DMatrix<f64>, Vec<f64>) {
    let mut chance = Chance(seed);
    let g = DMatrix::from_fn(n, n, |_, _| chance.normal());
    let a = &g * g.transpose() + DMatrix::identity(n, n) * shift;
    (a, (0..n).map(|_| chance.normal()).collect())
}

pub(crate) fn dense(a: &DMatrix<f64>, b: &[f64], bounds: Vec<Bounds>) -> LinearProblem {
    LinearProblem::new(Matrix::dense(a).expect("square"), b.to_vec(), bounds).expect("sizes fit")
}

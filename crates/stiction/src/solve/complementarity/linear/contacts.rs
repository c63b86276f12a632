//! Problems from contacts: rows of normals, friction in a box, torsion and rolling; joints beside them.
//!
//! Friction along two tangents, each bounded on its own, makes a box around the true disc: along its diagonal it
//! holds √2 times too much. [`polyhedral`](super::polyhedral) makes polygons inside the disc instead.

use nalgebra::DMatrix;

use super::bounds::Bounds;
use super::matrix::Matrix;
use super::problem::{LinearProblem, ProblemError};
use super::rows::Rows;

/// Where generalised velocities enter one relative velocity, and with which weight.
pub type Entries<'a> = &'a [(usize, f64)];

/// Collects rows of a Jacobian, what is known without impulses, and bounds.
#[derive(Clone, Debug)]
pub struct ContactRows {
    jacobian: Rows,
    free_velocities: Vec<f64>,
    b: Vec<f64>,
    bounds: Vec<Bounds>,
    compliance: Vec<f64>,
}

/// Friction of a contact along each of two tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("friction pyramid"))]
pub struct BoxFriction {
    /// Against sliding along plus and along minus each tangent: impulses reach down to `−plus p` and up to `minus p`.
    pub plus: [f64; 2],
    /// Against sliding the other way.
    pub minus: [f64; 2],
}

impl BoxFriction {
    /// The same everywhere.
    pub fn isotropic(mu: f64) -> Self {
        Self { plus: [mu; 2], minus: [mu; 2] }
    }
}

impl ContactRows {
    /// No rows yet. `free_velocities` are the generalised velocities that there would be without impulses.
    pub fn new(free_velocities: Vec<f64>) -> Self {
        let jacobian = Rows::new(free_velocities.len());
        Self {
            jacobian,
            free_velocities,
            b: Vec::new(),
            bounds: Vec::new(),
            compliance: Vec::new(),
        }
    }

    /// A row of any kind: `u = entries · velocities + offset`. Returns its number; `None` when an entry names a
    /// velocity that does not exist.
    pub fn row(&mut self, entries: Entries<'_>, offset: f64, bounds: Bounds) -> Option<usize> {
        self.jacobian.push(entries.iter().copied())?;
        let row = self.b.len();
        self.b.push(self.jacobian.dot(row, &self.free_velocities) + offset);
        self.bounds.push(bounds);
        self.compliance.push(0.0);
        Some(row)
    }

    /// A contact: normal and two tangents. `offset` is added to the normal velocity: a gap over the time step, what
    /// stabilises, or restitution times the speed of approach (which is negative). Returns the row of the normal.
    pub fn contact(
        &mut self,
        rows: [Entries<'_>; 3],
        offset: f64,
        friction: BoxFriction,
    ) -> Option<usize> {
        let normal = self.row(rows[0], offset, Bounds::AT_LEAST_ZERO)?;
        for t in 0..2 {
            let bounds = Bounds::asymmetric(normal, friction.plus[t], friction.minus[t]);
            self.row(rows[t + 1], 0.0, bounds)?;
        }
        Some(normal)
    }

    /// Resists spinning or rolling about one axis, up to `length` [m] times the impulse of a normal row.
    pub fn turning(&mut self, normal: usize, entries: Entries<'_>, length: f64) -> Option<usize> {
        self.row(entries, 0.0, Bounds::friction(normal, length))
    }

    /// A joint row: velocity zero, whatever the impulse.
    pub fn joint(&mut self, entries: Entries<'_>, offset: f64) -> Option<usize> {
        self.row(entries, offset, Bounds::NONE)
    }

    /// Lets a row give way by `compliance` times its impulse.
    pub fn soften(&mut self, row: usize, compliance: f64) -> Option<()> {
        *self.compliance.get_mut(row)? = compliance;
        Some(())
    }

    /// The problem, matrix-free. Blocks of the inverse mass follow each other along the velocities.
    pub fn build(self, inverse_mass: &[DMatrix<f64>]) -> Result<LinearProblem, ProblemError> {
        let expected = self.free_velocities.len();
        let found = inverse_mass.iter().map(|block| block.nrows()).sum();
        let wrong = ProblemError::Length { what: "the inverse mass", found, expected };
        let matrix = Matrix::factored(self.jacobian, inverse_mass).ok_or(wrong)?;
        LinearProblem::new(matrix, self.b, self.bounds)?.with_compliance(self.compliance)
    }

    /// The problem with all entries of its matrix.
    pub fn build_dense(self, inverse_mass: &[DMatrix<f64>]) -> Result<LinearProblem, ProblemError> {
        Ok(self.build(inverse_mass)?.densified())
    }
}

//! Linear complementarity with bounds: which `x` makes which `u`, and what both must obey.
//!
//! With `u = (A + C) x + b`, `C` diagonal (compliance, CFM), every row obeys
//!
//! | `x_i` is | then |
//! |---|---|
//! | at its lower bound | `u_i ≥ 0` |
//! | at its upper bound | `u_i ≤ 0` |
//! | between | `u_i = 0` |
//!
//! For contacts `x` are impulses on A and `u` velocities of A relative to B, normals point from B to A.

use thiserror::Error;

use super::bounds::{Bounds, nearest};
use super::matrix::{DenseRows, Matrix};

/// What is wrong with a problem.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ProblemError {
    /// Lists of different lengths.
    #[error("{what} has {found} entries where the matrix has {expected} rows")]
    Length {
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Rows of the matrix.
        expected: usize,
    },
    /// A tie that leads nowhere, to itself, or to bounds that are tied themselves.
    #[error(
        "bounds of row {row} are tied to row {to}, which does not exist or has no fixed bounds\n  help: tie \
         friction rows to normal rows, whose bounds are fixed"
    )]
    Tie {
        /// The tied row.
        row: usize,
        /// What it is tied to.
        to: usize,
    },
    /// A number that is none.
    #[error("{what} of row {row} is not finite")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Which row.
        row: usize,
    },
    /// No number lies between the bounds.
    #[error("bounds of row {row} exclude each other: {lo} > {hi}")]
    Infeasible {
        /// Which row.
        row: usize,
        /// Lower bound.
        lo: f64,
        /// Upper bound.
        hi: f64,
    },
    /// Compliance, or how much a tie widens, below zero.
    #[error("{what} of row {row} is negative")]
    Negative {
        /// Which number.
        what: &'static str,
        /// Which row.
        row: usize,
    },
}

/// `u = (A + C) x + b` with bounds on `x`.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias("LCP", "BLCP", "boxed LCP", "mixed LCP", "MLCP"))]
pub struct LinearProblem {
    matrix: Matrix,
    compliance: Vec<f64>,
    b: Vec<f64>,
    bounds: Vec<Bounds>,
    diagonal: Vec<f64>,
    scale: Vec<f64>,
    friction: Vec<bool>,
    /// Rows, each free one followed by those tied to it.
    members: Vec<u32>,
    /// Where the rows of each group begin, and the end.
    groups: Vec<u32>,
}

impl LinearProblem {
    /// Puts a problem together. Refused are lengths and ties that make no sense; numbers may still be wrong
    /// ([`check`](Self::check)), and every solver says so.
    pub fn new(matrix: Matrix, b: Vec<f64>, bounds: Vec<Bounds>) -> Result<Self, ProblemError> {
        let n = matrix.dimension();
        for (what, found) in [("b", b.len()), ("the list of bounds", bounds.len())] {
            if found != n {
                return Err(ProblemError::Length { what, found, expected: n });
            }
        }
        for (row, bound) in bounds.iter().enumerate() {
            if let Some(tie) = bound.tie
                && bounds.get(tie.row).is_none_or(|other| other.tie.is_some())
            {
                return Err(ProblemError::Tie { row, to: tie.row });
            }
        }
        let (members, groups) = group(&bounds);
        let friction = bounds.iter().map(|bound| bound.tie.is_some()).collect();
        let diagonal: Vec<f64> = (0..n).map(|i| matrix.diagonal(i)).collect();
        let scale = diagonal.iter().map(|&d| if d > 0.0 { d } else { 1.0 }).collect();
        Ok(Self {
            matrix,
            compliance: vec![0.0; n],
            b,
            bounds,
            diagonal,
            scale,
            friction,
            members,
            groups,
        })
    }

    /// Softens rows: adds to the diagonal.
    pub fn with_compliance(mut self, compliance: Vec<f64>) -> Result<Self, ProblemError> {
        self.expect_length("compliance", compliance.len())?;
        for i in 0..self.len() {
            let d = self.matrix.diagonal(i) + compliance[i];
            (self.diagonal[i], self.scale[i]) = (d, if d > 0.0 { d } else { 1.0 });
        }
        self.compliance = compliance;
        Ok(self)
    }

    /// What makes `x` comparable with `u` in residuals ([`natural`](super::residual::natural)): by default the
    /// diagonal, where it is positive. Ones give the plain minimum of `x` and `u`.
    pub fn with_scale(mut self, scale: Vec<f64>) -> Result<Self, ProblemError> {
        self.expect_length("scale", scale.len())?;
        self.scale = scale;
        Ok(self)
    }

    /// Which rows are friction, for solvers that treat it apart; by default those with tied bounds.
    pub fn with_friction_rows(mut self, friction: Vec<bool>) -> Result<Self, ProblemError> {
        self.expect_length("the list of friction rows", friction.len())?;
        self.friction = friction;
        Ok(self)
    }

    fn expect_length(&self, what: &'static str, found: usize) -> Result<(), ProblemError> {
        let expected = self.len();
        if found == expected { Ok(()) } else { Err(ProblemError::Length { what, found, expected }) }
    }

    /// How many unknowns.
    pub fn len(&self) -> usize {
        self.b.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.b.is_empty()
    }

    /// `A`, without compliance.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// What is added to the diagonal.
    pub fn compliance(&self) -> &[f64] {
        &self.compliance
    }

    /// Velocities without impulses.
    pub fn b(&self) -> &[f64] {
        &self.b
    }

    /// To solve the next problem that has the same matrix.
    pub fn b_mut(&mut self) -> &mut [f64] {
        &mut self.b
    }

    /// Bounds of all rows.
    pub fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }

    /// The diagonal of `A + C`.
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// See [`with_scale`](Self::with_scale).
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Which rows are friction.
    pub fn friction(&self) -> &[bool] {
        &self.friction
    }

    /// Whether bounds of any row depend on unknowns.
    pub fn tied(&self) -> bool {
        self.bounds.iter().any(|bound| bound.tie.is_some())
    }

    /// Fixes the bounds of a row that is not tied.
    pub(crate) fn hold_between(&mut self, i: usize, lo: f64, hi: f64) {
        debug_assert!(self.bounds[i].tie.is_none(), "tied bounds follow their tie");
        (self.bounds[i].lo, self.bounds[i].hi) = (lo, hi);
    }

    /// How many groups: rows with fixed bounds, each with the rows tied to it.
    pub fn groups(&self) -> usize {
        self.groups.len() - 1
    }

    /// Rows of a group, the one with fixed bounds first.
    pub fn group(&self, k: usize) -> &[u32] {
        &self.members[self.groups[k] as usize..self.groups[k + 1] as usize]
    }

    /// `u = (A + C) x + b`; `w` is memory, see [`Matrix::multiply`].
    pub fn velocities(&self, x: &[f64], u: &mut [f64], w: &mut Vec<f64>) {
        self.matrix.multiply(x, u, w);
        for i in 0..u.len() {
            u[i] += self.compliance[i] * x[i] + self.b[i];
        }
    }

    /// One of the velocities.
    pub fn velocity(&self, i: usize, x: &[f64], w: &[f64]) -> f64 {
        self.matrix.row(i, x, w) + self.compliance[i] * x[i] + self.b[i]
    }

    /// Moves `x` between its bounds: those that do not depend on others first.
    pub fn project(&self, x: &mut [f64]) {
        for &i in &self.members {
            let i = i as usize;
            let (lo, hi) = self.bounds[i].at(x);
            x[i] = nearest(x[i], lo, hi);
        }
    }

    /// Whether numbers make sense; what is wrong first.
    pub fn check(&self) -> Result<(), ProblemError> {
        let n = self.len();
        let finite =
            |what, row, ok| if ok { Ok(()) } else { Err(ProblemError::NotFinite { what, row }) };
        let positive =
            |what, row, ok| if ok { Ok(()) } else { Err(ProblemError::Negative { what, row }) };
        for row in 0..n {
            finite("the velocity without impulse", row, self.b[row].is_finite())?;
            finite("the diagonal", row, self.diagonal[row].is_finite())?;
            finite("the scale", row, self.scale[row].is_finite() && self.scale[row] > 0.0)?;
            finite("compliance", row, self.compliance[row].is_finite())?;
            positive("compliance", row, self.compliance[row] >= 0.0)?;
            let Bounds { lo, hi, tie } = self.bounds[row];
            finite("a bound", row, !lo.is_nan() && !hi.is_nan())?;
            if lo > hi || lo == f64::INFINITY || hi == f64::NEG_INFINITY {
                return Err(ProblemError::Infeasible { row, lo, hi });
            }
            if let Some(tie) = tie {
                finite("a tie", row, tie.below.is_finite() && tie.above.is_finite())?;
                positive("a tie", row, tie.below >= 0.0 && tie.above >= 0.0)?;
            }
        }
        finite("the matrix", 0, self.matrix.finite())
    }

    /// The same problem with all entries of its matrix.
    pub fn densified(&self) -> Self {
        Self { matrix: self.matrix.densified(), ..self.clone() }
    }

    /// All entries of `A + C`.
    pub(crate) fn assemble_dense(&self) -> DenseRows {
        let mut dense = self.matrix.assemble_dense();
        for (i, c) in self.compliance.iter().enumerate() {
            dense.values[i * dense.n + i] += c;
        }
        dense
    }
}

/// Every row with fixed bounds in order, each followed by those tied to it.
fn group(bounds: &[Bounds]) -> (Vec<u32>, Vec<u32>) {
    let mut sizes = vec![0_u32; bounds.len()];
    bounds.iter().filter_map(|bound| bound.tie).for_each(|tie| sizes[tie.row] += 1);
    let mut next = vec![0_u32; bounds.len()];
    let (mut groups, mut end) = (vec![0], 0);
    for i in 0..bounds.len() {
        if bounds[i].tie.is_none() {
            next[i] = end;
            end += 1 + sizes[i];
            groups.push(end);
        }
    }
    let mut members = vec![0; bounds.len()];
    for pass in [false, true] {
        for (i, bound) in bounds.iter().enumerate() {
            if bound.tie.is_some() == pass {
                let head = bound.tie.map_or(i, |tie| tie.row);
                members[next[head] as usize] = i as u32;
                next[head] += 1;
            }
        }
    }
    (members, groups)
}

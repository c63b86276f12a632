//! Linear maps without a matrix: closures, sums, multiples, transposes, difference quotients.
//!
//! They borrow or own their parts alike, since a reference to an operator is an operator. Those that
//! need scratch space keep it behind a lock, so that applying them allocates nothing after the
//! first time; two threads applying the *same* sum would wait for each other.

use std::sync::{Mutex, PoisonError};

use super::vector::{add_scaled, norm};
use super::{BlockMatrix, LinearOperator, TransposeOperator};

impl<A: LinearOperator + ?Sized> LinearOperator for &A {
    fn dimension(&self) -> usize {
        (**self).dimension()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        (**self).apply(x, y);
    }
}

impl<A: TransposeOperator + ?Sized> TransposeOperator for &A {
    fn apply_transpose(&self, x: &[f64], y: &mut [f64]) {
        (**self).apply_transpose(x, y);
    }
}

impl TransposeOperator for BlockMatrix {
    fn apply_transpose(&self, x: &[f64], y: &mut [f64]) {
        Self::apply_transpose(self, x, y); // the inherent method
    }
}

/// A closure `(x, y)` that writes `y = A x`.
#[derive(Clone, Copy, Debug)]
pub struct FunctionOperator<F> {
    dimension: usize,
    function: F,
}

impl<F: Fn(&[f64], &mut [f64]) + Sync> FunctionOperator<F> {
    /// `function` must be linear in its first argument.
    pub fn new(dimension: usize, function: F) -> Self {
        Self { dimension, function }
    }
}

impl<F: Fn(&[f64], &mut [f64]) + Sync> LinearOperator for FunctionOperator<F> {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        (self.function)(x, y);
    }
}

/// `s A`.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<A> {
    /// `s`.
    pub factor: f64,
    /// `A`.
    pub operator: A,
}

impl<A: LinearOperator> LinearOperator for Scaled<A> {
    fn dimension(&self) -> usize {
        self.operator.dimension()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.operator.apply(x, y);
        super::vector::scale(y, self.factor);
    }
}

impl<A: TransposeOperator> TransposeOperator for Scaled<A> {
    fn apply_transpose(&self, x: &[f64], y: &mut [f64]) {
        self.operator.apply_transpose(x, y);
        super::vector::scale(y, self.factor);
    }
}

/// `Aᵀ`.
#[derive(Clone, Copy, Debug)]
pub struct Transpose<A>(
    /// `A`.
    pub A,
);

impl<A: TransposeOperator> LinearOperator for Transpose<A> {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.0.apply_transpose(x, y);
    }
}

impl<A: TransposeOperator> TransposeOperator for Transpose<A> {
    fn apply_transpose(&self, x: &[f64], y: &mut [f64]) {
        self.0.apply(x, y);
    }
}

/// `A + B`.
#[derive(Debug)]
pub struct Sum<A, B> {
    first: A,
    second: B,
    scratch: Scratch,
}

impl<A: LinearOperator, B: LinearOperator> Sum<A, B> {
    /// # Panics
    /// When the dimensions differ.
    pub fn new(first: A, second: B) -> Self {
        assert_eq!(first.dimension(), second.dimension(), "the operators of a sum have one size");
        Self { first, second, scratch: Scratch::default() }
    }
}

impl<A: LinearOperator, B: LinearOperator> LinearOperator for Sum<A, B> {
    fn dimension(&self) -> usize {
        self.first.dimension()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.first.apply(x, y);
        self.scratch.with(x.len(), |more| {
            self.second.apply(x, more);
            add_scaled(y, 1.0, more);
        });
    }
}

impl<A: TransposeOperator, B: TransposeOperator> TransposeOperator for Sum<A, B> {
    fn apply_transpose(&self, x: &[f64], y: &mut [f64]) {
        self.first.apply_transpose(x, y);
        self.scratch.with(x.len(), |more| {
            self.second.apply_transpose(x, more);
            add_scaled(y, 1.0, more);
        });
    }
}

/// Which difference quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// `(r(x + hp) − r(x)) / h`: one evaluation a product, about 8 digits.
    Forward,
    /// `(r(x + hp) − r(x − hp)) / 2h`: two evaluations, about 10 digits.
    Central,
}

/// The Jacobian of a residual, one difference quotient a product.
///
/// For problems without derivatives, and as the twin that exact products are tested against. The
/// digits lost limit the accuracy of a linear solve, not of the Newton iteration around it.
pub struct DifferenceOperator<F> {
    residual: F,
    difference: Difference,
    x: Vec<f64>,
    r: Vec<f64>,
    scratch: Scratch,
}

impl<F: Fn(&[f64], &mut [f64]) + Sync> DifferenceOperator<F> {
    /// The Jacobian of `residual` (which writes `r(x)` to its second argument) at `x`.
    pub fn new(residual: F, x: &[f64], difference: Difference) -> Self {
        let mut r = vec![0.0; x.len()];
        residual(x, &mut r);
        Self { residual, difference, x: x.to_vec(), r, scratch: Scratch::default() }
    }

    /// Moves to another point.
    pub fn move_to(&mut self, x: &[f64]) {
        self.x.copy_from_slice(x);
        (self.residual)(x, &mut self.r);
    }

    /// The step along `p` that balances truncation against rounding.
    fn step(&self, p: &[f64]) -> f64 {
        let relative = match self.difference {
            Difference::Forward => f64::EPSILON.sqrt(),
            Difference::Central => f64::EPSILON.cbrt(),
        };
        relative * (1.0 + norm(&self.x)) / norm(p)
    }
}

impl<F: Fn(&[f64], &mut [f64]) + Sync> LinearOperator for DifferenceOperator<F> {
    fn dimension(&self) -> usize {
        self.x.len()
    }

    fn apply(&self, p: &[f64], y: &mut [f64]) {
        let h = self.step(p);
        if h.is_infinite() {
            return y.fill(0.0); // p = 0
        }
        let n = self.x.len();
        self.scratch.with(2 * n, |scratch| {
            let (moved, other) = scratch.split_at_mut(n);
            let mut at = |h: f64, r: &mut [f64]| {
                moved.copy_from_slice(&self.x);
                add_scaled(moved, h, p);
                (self.residual)(moved, r);
            };
            at(h, y);
            let (before, width) = match self.difference {
                Difference::Forward => (&self.r[..], h),
                Difference::Central => {
                    at(-h, other);
                    (&*other, 2.0 * h)
                }
            };
            for (y, before) in y.iter_mut().zip(before) {
                *y = (*y - before) / width;
            }
        });
    }
}

/// Memory that an operator reuses although it is applied through a shared reference.
#[derive(Debug, Default)]
pub(super) struct Scratch(Mutex<Vec<f64>>);

impl Scratch {
    /// Lends `length` values of arbitrary content.
    pub(super) fn with<T>(&self, length: usize, work: impl FnOnce(&mut [f64]) -> T) -> T {
        // A panic in `work` leaves numbers, and any numbers will do.
        let mut memory = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        memory.resize(length, 0.0);
        work(&mut memory)
    }
}

//! Regularisation by inertia: the smallest shift of the diagonal that gives the right signs.
//!
//! A symmetric matrix that should have a given number of negative eigenvalues, none for a minimum, one
//! per constraint for a saddle point, gets `A + δ W` with `δ` raised until it has [WB06, Alg. IC]. `W` is
//! diagonal: positive where curvature should be positive, negative where not. The shift that served last
//! time is tried first, reduced, so that a sequence of similar matrices costs few attempts.

use super::super::BlockMatrix;
use super::{Inertia, Ldlt};

/// Finds shifts, and remembers the last.
#[derive(Clone, Debug, Default)]
pub struct InertiaCorrection {
    last_shift: f64,
    shifted: Option<BlockMatrix>,
}

/// A factorisation with the right signs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// `δ` that was needed; zero when none was.
    pub shift: f64,
    /// Factorisations done.
    pub attempts: usize,
}

/// No shift gave the right signs.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "no shift up to {shift:.1e} gives the matrix {expected} negative eigenvalues; it has {} negative and {} zero \
     ones\n  \
     help: check the signs of the weights, and that the matrix is finite",
    inertia.negative, inertia.zero
)]
pub struct NotCorrected {
    /// The largest shift tried.
    pub shift: f64,
    /// Negative eigenvalues asked for.
    pub expected: usize,
    /// What the matrix with the largest shift has.
    pub inertia: Inertia,
}

impl InertiaCorrection {
    /// Forgets the last shift.
    pub fn reset(&mut self) {
        self.last_shift = 0.0;
    }

    /// Factors `matrix`, shifted if need be, so that it has `negative` negative eigenvalues and no zero one.
    ///
    /// # Errors
    /// When no shift does.
    ///
    /// # Panics
    /// When there is not one weight per unknown.
    pub fn factor(
        &mut self,
        ldlt: &mut Ldlt,
        matrix: &BlockMatrix,
        weights: &[f64],
        negative: usize,
    ) -> Result<Corrected, NotCorrected> {
        /// Growth of the shift between attempts.
        const GROWTH: f64 = 8.0;
        /// First and largest shift, relative to what makes the diagonal as large as the matrix.
        const RANGE: (f64, f64) = (1e-8, 1e8);
        assert_eq!(weights.len(), 3 * matrix.size(), "one weight per unknown");

        let right = |inertia: Inertia| inertia.negative == negative && inertia.zero == 0;
        let mut inertia = ldlt.factor(matrix);
        if right(inertia) {
            self.last_shift = 0.0;
            return Ok(Corrected { shift: 0.0, attempts: 1 });
        }
        let largest = matrix.values().iter().map(|block| block.amax()).fold(0.0, f64::max);
        let weight = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
        let scale = if largest > 0.0 && weight > 0.0 { largest / weight } else { 1.0 };
        let mut shift = (self.last_shift / 3.0).max(RANGE.0 * scale);
        let mut attempts = 1;
        let kept = self.shifted.take().filter(|kept| kept.pattern() == matrix.pattern());
        let mut shifted = kept.unwrap_or_else(|| BlockMatrix::zeros(matrix.pattern().clone()));
        let result = loop {
            shifted.values_mut().copy_from_slice(matrix.values());
            for i in 0..matrix.size() {
                let slot = matrix.pattern().slot(i, i).expect("the diagonal is in every pattern");
                for a in 0..3 {
                    shifted.values_mut()[slot][(a, a)] += shift * weights[3 * i + a];
                }
            }
            inertia = ldlt.factor(&shifted);
            attempts += 1;
            if right(inertia) {
                self.last_shift = shift;
                break Ok(Corrected { shift, attempts });
            }
            if shift > RANGE.1 * scale {
                break Err(NotCorrected { shift, expected: negative, inertia });
            }
            shift *= GROWTH;
        };
        self.shifted = Some(shifted);
        result
    }
}

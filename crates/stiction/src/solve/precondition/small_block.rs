//! Inverses of 3×3 blocks that always exist.
//!
//! Directions too weak to invert are scaled like the strongest one: neutral, where a pseudo-inverse
//! would never search them and a tiny pivot would search nothing else.

use nalgebra::{SVD, SymmetricEigen};

use crate::math::{Matrix3, Vector3};

/// Weakest direction, relative to the strongest, that is inverted as it stands.
const WEAKEST: f64 = 1e-12;
/// Enough for any 3×3 block; nalgebra takes 0 for "forever".
const MAX_SWEEPS: usize = 100;

/// Block `i` of a flat vector.
pub(super) fn vector(x: &[f64], i: usize) -> Vector3 {
    Vector3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2])
}

/// Writes block `i` of a flat vector.
pub(super) fn set_vector(x: &mut [f64], i: usize, value: Vector3) {
    x[3 * i..3 * i + 3].copy_from_slice(value.as_slice());
}

/// The inverse, if the block is far from singular.
pub(super) fn invert(block: &Matrix3, weakest: f64) -> Option<Matrix3> {
    let scale = block.amax(); // the determinant of a tiny block underflows
    let scaled = block / scale;
    let inverse = scaled.try_inverse()?;
    let result = inverse / scale;
    // Written so that NaN fails.
    let regular = inverse.norm() * scaled.norm() * weakest < 1.0 && is_finite(&result);
    regular.then_some(result)
}

/// An inverse of any block, and whether it had to be regularised. `scale` is that of the whole
/// diagonal, and stands in for blocks that are nothing beside it.
pub(super) fn invert_any(block: &Matrix3, scale: f64) -> (Matrix3, bool) {
    if is_nothing(block, scale) {
        return (Matrix3::identity() / scale, true);
    }
    if let Some(inverse) = invert(block, WEAKEST) {
        return (inverse, false);
    }
    let decomposition = if is_finite(block) {
        SVD::try_new(*block, true, true, f64::EPSILON, MAX_SWEEPS)
    } else {
        None
    };
    let regularised = decomposition.and_then(|mut svd| {
        regularise(&mut svd.singular_values);
        svd.singular_values.apply(|s| *s = 1.0 / *s);
        svd.recompose().ok().map(|inverse| inverse.transpose())
    });
    (regularised.filter(is_finite).unwrap_or(Matrix3::identity() / scale), true)
}

/// A symmetric positive definite inverse of any block: of its symmetric part, by absolute value.
pub(super) fn invert_positive(block: &Matrix3, scale: f64) -> (Matrix3, bool) {
    let symmetric = (block + block.transpose()) * 0.5;
    if is_nothing(&symmetric, scale) {
        return (Matrix3::identity() / scale, true);
    }
    if let Some(factor) = symmetric.cholesky() {
        let inverse = factor.inverse();
        if inverse.norm() * symmetric.norm() * WEAKEST < 1.0 {
            return (inverse, false);
        }
    }
    let decomposition = if is_finite(block) {
        SymmetricEigen::try_new(symmetric, f64::EPSILON, MAX_SWEEPS)
    } else {
        None
    };
    let regularised = decomposition.map(|mut eigen| {
        regularise(&mut eigen.eigenvalues);
        eigen.eigenvalues.apply(|e| *e = 1.0 / *e);
        eigen.recompose()
    });
    (regularised.filter(is_finite).unwrap_or(Matrix3::identity() / scale), true)
}

/// Makes all values positive and none weak.
fn regularise(values: &mut Vector3) {
    let strongest = values.amax();
    values.apply(|v| *v = if v.abs() > WEAKEST * strongest { v.abs() } else { strongest });
}

/// Whether a block is zero, or so small that its inverse would drown all others.
fn is_nothing(block: &Matrix3, scale: f64) -> bool {
    block.amax() <= f64::EPSILON * f64::EPSILON * scale
}

fn is_finite(block: &Matrix3) -> bool {
    block.iter().all(|v| v.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_block_has_a_finite_inverse_and_a_regular_one_its_own() {
        let regular = Matrix3::new(4.0, 1.0, 0.0, -2.0, 3.0, 1.0, 0.5, 0.0, 2.0);
        let rank_one = Vector3::new(1.0, 2.0, 3.0) * Vector3::new(-1.0, 0.5, 2.0).transpose();
        let cases =
            [Matrix3::zeros(), rank_one, Matrix3::repeat(f64::NAN), Matrix3::repeat(1e-320)];
        let (inverse, regularised) = invert_any(&regular, 1.0);
        assert!(!regularised && (inverse * regular - Matrix3::identity()).norm() < 1e-14);
        for block in cases {
            assert!(is_finite(&invert_any(&block, 2.0).0) && invert_any(&block, 2.0).1, "{block}");
            let positive = invert_positive(&block, 2.0).0;
            assert!(positive.cholesky().is_some(), "{block}");
        }
        // The strong direction of a singular block is inverted exactly.
        let strong = rank_one * Vector3::new(-1.0, 0.5, 2.0);
        assert!((rank_one * (invert_any(&rank_one, 1.0).0 * strong) - strong).norm() < 1e-12);
    }

    #[test]
    fn indefinite_blocks_are_inverted_by_absolute_value() {
        let (inverse, regularised) =
            invert_positive(&Matrix3::from_diagonal(&Vector3::new(2.0, -4.0, 8.0)), 1.0);
        let expected = Matrix3::from_diagonal(&Vector3::new(0.5, 0.25, 0.125));
        assert!(regularised && (inverse - expected).norm() < 1e-15);
    }
}

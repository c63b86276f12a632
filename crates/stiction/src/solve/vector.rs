//! Sums over flat vectors, always in the same order.
//!
//! Eight running sums let the compiler use vector registers, which it may not do with one: floating
//! point addition does not commute with reordering. The order depends on the length alone.

const LANES: usize = 8;

/// `aᵀb`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len(), "vectors of one product have one length");
    let mut sums = [0.0; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let tail: f64 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for k in 0..LANES {
            sums[k] += a[k] * b[k];
        }
    }
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)) + tail
}

/// Euclidean norm, without overflow or underflow: a vector of tiny entries is not zero.
pub(crate) fn norm(a: &[f64]) -> f64 {
    let sum = dot(a, a);
    if (1e-280..1e280).contains(&sum) {
        return sum.sqrt();
    }
    let largest = max_abs(a);
    if largest > 0.0 && largest.is_finite() {
        let sum: f64 = a.iter().map(|v| (v / largest).powi(2)).sum();
        return largest * sum.sqrt();
    }
    largest
}

/// Largest magnitude of any entry. Not `f64::max`: it drops NaN, and a broken solve would look
/// converged.
pub(crate) fn max_abs(a: &[f64]) -> f64 {
    let larger = |worst: f64, v: f64| if v > worst || v.is_nan() { v } else { worst };
    a.iter().fold(0.0, |worst, v| larger(worst, v.abs()))
}

/// `y += s x`.
pub(crate) fn add_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}

/// `y = x + s y`.
pub(crate) fn scale_then_add(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x + s * *y;
    }
}

/// `y = s x`.
pub(crate) fn set_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = s * x;
    }
}

/// `y *= s`.
pub(crate) fn scale(y: &mut [f64], s: f64) {
    for y in y {
        *y *= s;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norm_survives_extreme_scales_and_keeps_nan() {
        for scale in [1e-300, 1e-160, 1.0, 1e160, 1e300] {
            assert!((norm(&[3.0 * scale, -4.0 * scale]) / (5.0 * scale) - 1.0).abs() < 1e-15);
        }
        assert!(norm(&[1.0, f64::NAN]).is_nan());
        assert!(norm(&[1.0, f64::INFINITY]).is_infinite());
        assert!(norm(&[]).abs() < f64::MIN_POSITIVE);
        assert!(max_abs(&[f64::NAN, 1.0]).is_nan() && max_abs(&[1.0, f64::NAN]).is_nan());
    }

    #[test]
    fn dot_counts_every_entry_once() {
        for n in 0..40 {
            let a: Vec<f64> = (1..=n).map(f64::from).collect();
            let expected: f64 = a.iter().sum();
            assert!((dot(&a, &vec![1.0; a.len()]) - expected).abs() < 1e-12);
        }
    }
}

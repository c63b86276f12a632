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

/// Products of four vectors with one, which is read once.
pub(crate) fn dot_four(a: [&[f64]; 4], b: &[f64]) -> [f64; 4] {
    const LANES: usize = 4;
    let a = a.map(|a| &a[..b.len()]);
    let whole = b.len() - b.len() % LANES;
    let mut sums = [[0.0; LANES]; 4];
    for at in (0..whole).step_by(LANES) {
        for (sums, a) in sums.iter_mut().zip(a) {
            for k in 0..LANES {
                sums[k] += a[at + k] * b[at + k];
            }
        }
    }
    let mut products = sums.map(|[s0, s1, s2, s3]| (s0 + s2) + (s1 + s3));
    for (product, a) in products.iter_mut().zip(a) {
        *product += a[whole..].iter().zip(&b[whole..]).map(|(a, b)| a * b).sum::<f64>();
    }
    products
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

/// `y += Σ s x` over four vectors; `y` is read and written once.
pub(crate) fn add_scaled_four(y: &mut [f64], s: [f64; 4], x: [&[f64]; 4]) {
    let [x0, x1, x2, x3] = x.map(|x| &x[..y.len()]);
    for (k, y) in y.iter_mut().enumerate() {
        *y += (s[0] * x0[k] + s[1] * x1[k]) + (s[2] * x2[k] + s[3] * x3[k]);
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
            let ones = vec![1.0; a.len()];
            assert!((dot(&a, &ones) - expected).abs() < 1e-12);
            let [first, _, _, last] = dot_four([&a, &ones, &ones, &a], &ones);
            assert!((first - expected).abs() < 1e-12 && (last - expected).abs() < 1e-12);
            let mut sum = ones.clone();
            add_scaled_four(&mut sum, [1.0, 2.0, 3.0, -1.0], [&ones, &ones, &ones, &a]);
            assert!(sum.iter().zip(&a).all(|(sum, a)| (sum - (7.0 - a)).abs() < 1e-12));
        }
    }
}

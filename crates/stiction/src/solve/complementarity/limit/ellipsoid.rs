//! The nearest point of a solid ellipsoid, and how it moves [AEF22, alg. 13; corrected:
//! `docs/theory/limit-surfaces.md`, "Nearest point of an ellipsoid"].
//!
//! A point `z` outside of `{x : Σ (x_k/a_k)² ≤ 1}` has the nearest point
//!
//! $$ x_k = \frac{a_k^2 z_k}{a_k^2 + t}, \qquad \sum_k \Bigl(\frac{a_k z_k}{a_k^2 + t}\Bigr)^2 = 1, \quad t > 0 $$
//!
//! The sum falls with `t`, so there is one root. The inverse of its square root is nearly linear in `t`, so Newton's
//! method on that takes a few steps; a bracket, `0 ≤ t ≤ max(a) ‖z‖`, catches what rounding does. The source bisects.
//!
//! A coordinate whose semi-axis is zero has nowhere to go: it is zero. Semi-axes may depend on the sign of a
//! coordinate: the nearest point has the signs of `z`, so those of the orthant of `z` are the ones that count.

use nalgebra::{SMatrix, SVector};

/// The nearest point of the ellipsoid with semi-axes `a` around the origin; negative ones count as zero.
pub fn project_ellipsoid<const N: usize>(
    a: &SVector<f64, N>,
    z: &SVector<f64, N>,
) -> SVector<f64, N> {
    nearest(a, z).0
}

/// The nearest point, its derivative by `z`, and by a common factor of all semi-axes, at one.
pub fn project_ellipsoid_derivative<const N: usize>(
    a: &SVector<f64, N>,
    z: &SVector<f64, N>,
) -> (SVector<f64, N>, SMatrix<f64, N, N>, SVector<f64, N>) {
    let (x, t) = nearest(a, z);
    let mut by_z = SMatrix::zeros();
    let open = |k: usize| a[k] > 0.0;
    let Some(t) = t else {
        for k in (0..N).filter(|&k| open(k)) {
            by_z[(k, k)] = 1.0;
        }
        return (x, by_z, SVector::zeros());
    };
    // x = H z with H = a²/(a² + t); t moves so that Σ x²/a² stays one.
    let share = SVector::<f64, N>::from_fn(|k, _| match open(k) {
        true => a[k] * a[k] / (a[k] * a[k] + t),
        false => 0.0,
    });
    let normal =
        SVector::<f64, N>::from_fn(|k, _| if open(k) { x[k] / (a[k] * a[k]) } else { 0.0 });
    let pull = share.component_mul(&normal); // x/(a² + t)
    let sum = pull.dot(&normal);
    if sum <= 0.0 {
        return (x, by_z, SVector::zeros()); // no axis is open
    }
    for i in 0..N {
        for j in 0..N {
            by_z[(i, j)] = -pull[i] * pull[j] / sum;
        }
        by_z[(i, i)] += share[i];
    }
    // P(z; c a) = c P(z/c; a): by c at one it is x − P′ z.
    (x, by_z, x - by_z * z)
}

/// The nearest point, and `t` where `z` is outside.
fn nearest<const N: usize>(
    a: &SVector<f64, N>,
    z: &SVector<f64, N>,
) -> (SVector<f64, N>, Option<f64>) {
    let open = |k: usize| a[k] > 0.0;
    let z = SVector::<f64, N>::from_fn(|k, _| if open(k) { z[k] } else { 0.0 });
    let inside: f64 = (0..N).filter(|&k| open(k)).map(|k| (z[k] / a[k]).powi(2)).sum();
    if inside <= 1.0 {
        return (z, None);
    }
    // Sizes of one: squares of tiny axes would vanish.
    let size = z.amax();
    let (a, z) = (a / size, z / size);
    let terms = |t: f64| {
        let (mut square, mut slope) = (0.0, 0.0);
        for k in (0..N).filter(|&k| open(k)) {
            let below = a[k] * a[k] + t;
            let w = a[k] * z[k] / below;
            square += w * w;
            slope += w * w / below;
        }
        (square, slope)
    };
    let most = a.iter().copied().fold(0.0, f64::max);
    let (mut low, mut high) = (0.0, most * z.norm());
    let mut t = 0.0;
    for _ in 0..100 {
        let (square, slope) = terms(t);
        if square > 1.0 {
            low = t;
        } else {
            high = t;
        }
        let length = square.sqrt();
        // Newton for 1/‖w‖ = 1.
        let mut next = t + (length - 1.0) * square / slope;
        if !(next > low && next < high) {
            next = 0.5 * (low + high);
        }
        let done = (next - t).abs() <= 1e-16 * high.max(next);
        t = next;
        if done || high - low <= f64::EPSILON * high {
            break;
        }
    }
    let x = SVector::<f64, N>::from_fn(|k, _| match open(k) {
        true => size * z[k] / (1.0 + t / (a[k] * a[k])),
        false => 0.0,
    });
    (x, Some(t * size * size))
}

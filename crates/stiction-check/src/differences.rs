//! Derivatives checked by the slope of the error of central differences.
//!
//! A wrong derivative leaves an error that does not fall with the step; a right one falls like `h²`
//! until rounding. Comparing two steps tells them apart without choosing a tolerance by hand.

/// Asserts that `exact` is `df/dt` at `t = 0`.
///
/// `scale` is the size of `df/dt` that errors are measured against; below `1e-8` of it, the error
/// counts as rounding. `f` should be smooth for `|t| ≤ 1e-2`.
///
/// # Panics
/// When the error does not fall as it must.
#[track_caller]
pub fn assert_is_derivative(f: impl Fn(f64) -> f64, exact: f64, scale: f64) {
    let error = |h: f64| ((f(h) - f(-h)) / (2.0 * h) - exact).abs() / scale;
    let (coarse, fine) = (error(1e-2), error(1e-3));
    assert!(
        fine < 1e-8 || fine < 0.02 * coarse,
        "not the derivative: relative error {coarse:e} at h = 1e-2, {fine:e} at 1e-3 (exact {exact:e})"
    );
}

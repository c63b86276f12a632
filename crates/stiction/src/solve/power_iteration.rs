//! Power iteration: about the largest eigenvalue of a matrix, from products with it.

/// Multiplies `x` again and again, and returns how much the last product has grown.
///
/// `multiply` replaces `x` by the product of the matrix with `x / length`; `length` is that of the start, as far as it
/// counts, and afterwards the `norm` of each product.
///
/// # Errors
/// Where a product is zero or not finite: the growth before it, if there was one.
pub(crate) fn growth(
    mut x: Vec<f64>,
    mut length: f64,
    products: usize,
    norm: impl Fn(&[f64]) -> f64,
    mut multiply: impl FnMut(&mut Vec<f64>, f64),
) -> Result<f64, Option<f64>> {
    let mut last = None;
    for _ in 0..products {
        multiply(&mut x, length);
        length = norm(&x);
        if !(length > 0.0 && length.is_finite()) {
            return Err(last);
        }
        last = Some(length);
    }
    last.ok_or(None)
}

/// A start that is not symmetric: one that is may be orthogonal to the eigenvector of a symmetric scene.
pub(crate) fn uneven_start(size: usize) -> Vec<f64> {
    (0..size).map(|k| 1.0 + 0.37 * (k as f64).sin()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::vector::norm;

    /// `diag(1, 2, …)`.
    fn stretched(x: &mut [f64], length: f64) {
        x.iter_mut().enumerate().for_each(|(k, x)| *x *= (k + 1) as f64 / length);
    }

    #[test]
    fn the_largest_eigenvalue_of_a_diagonal_is_found() {
        let start = uneven_start(4);
        let length = norm(&start);
        // The error falls like (3/4)^(2k).
        let found =
            growth(start, length, 60, norm, |x, l| stretched(x, l)).expect("products with numbers");
        assert!((found - 4.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn what_vanishes_tells_what_it_was_before() {
        assert_eq!(growth(vec![1.0], 1.0, 30, norm, |x, _| x[0] = 0.0), Err(None));
        let mut products = 0;
        let decays = growth(vec![1.0], 1.0, 30, norm, |x, length| {
            products += 1;
            x[0] *= if products < 3 { 5.0 / length } else { f64::INFINITY };
        });
        assert_eq!((decays, products), (Err(Some(5.0)), 3));
        assert_eq!(growth(Vec::new(), 0.0, 30, norm, |x, l| stretched(x, l)), Err(None));
    }
}

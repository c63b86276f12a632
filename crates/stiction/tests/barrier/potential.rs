//! The barrier function against reference values.

use stiction::method::barrier::potential::{HALF_WAY, bend, slope, value};

/// Predicted: docs/theory/barrier.md, "Reference values", for `d̂ = 1`.
#[test]
fn the_barrier_has_its_reference_values() {
    let table = [
        (0.01, 4.51352729928693, -107.128236968256, 10206.210340372),
        (0.1, 1.86509392532518, -12.2446531673893, 121.605170185988),
        (0.25, 0.779790578129938, -4.32944154167984, 23.7725887222398),
        (0.5, 0.173286795139986, -1.19314718055995, 6.38629436111989),
        (0.9, 0.00105360515657826, -0.0321832142426764, 0.667511154772443),
        (0.99, 1.00503358535015e-6, -0.000302016818080131, 0.0606067425161041),
    ];
    for (d, b, db, ddb) in table {
        for (found, expected) in [(value(d, 1.0), b), (slope(d, 1.0), db), (bend(d, 1.0), ddb)] {
            assert!((found - expected).abs() < 1e-12 * expected.abs(), "{d}: {found} {expected}");
        }
        // b(s d; s d̂) = s² b, b' → s b', b'' stays.
        let s = 1e-3;
        assert!((value(s * d, s) - s * s * b).abs() < 1e-12 * s * s * b);
        assert!((slope(s * d, s) - s * db).abs() < 1e-12 * s * db.abs());
        assert!((bend(s * d, s) - ddb).abs() < 1e-11 * ddb);
    }
    // V32, to the digits that are printed there.
    assert!(
        (slope(0.004, 0.01) + 0.0199955).abs() < 5e-8
            && (bend(0.004, 0.01) - 10.08258).abs() < 5e-6
    );
    assert!((slope(0.5, 1.0) + HALF_WAY).abs() < 1e-15);
    assert!([value, slope, bend].iter().all(|of| of(1.0, 1.0).abs() <= 0.0));
    assert!(value(0.0, 1.0) > f64::MAX);
}

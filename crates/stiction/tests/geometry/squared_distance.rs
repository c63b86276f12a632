//! Squared distances and the mollifier of edges: reference values, and derivatives in every region.

use std::array::from_fn;

use proptest::prelude::*;
use stiction::geometry::closest::{
    Mollifier, SquaredDistance, mollifier_threshold, mollifier_value,
};
use stiction::math::Vector3;
use stiction_check::differences::assert_is_derivative;

type Points = [Vector3; 4];

fn points(x: [[f64; 3]; 4]) -> Points {
    x.map(Vector3::from)
}

fn moved(x: &Points, dx: &Points, t: f64) -> Points {
    from_fn(|k| x[k] + dx[k] * t)
}

fn along(gradient: &Points, dx: &Points) -> f64 {
    gradient.iter().zip(dx).map(|(g, d)| g.dot(d)).sum()
}

/// Predicted: docs/theory/barrier.md, "Reference values".
#[test]
fn a_point_and_a_triangle_in_all_regions() {
    let of = |p: [f64; 3]| {
        SquaredDistance::point_triangle(&points([
            p,
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
        ]))
    };
    let table: [([f64; 3], f64, [f64; 4]); 10] = [
        ([0.2, 0.3, 0.5], 0.25, [1.0, -0.5, -0.2, -0.3]),
        ([0.5, -0.4, 0.3], 0.25, [1.0, -0.5, -0.5, 0.0]),
        ([0.8, 0.9, 0.2], 0.285, [1.0, 0.0, -0.45, -0.55]),
        ([-0.3, 0.4, 0.1], 0.1, [1.0, -0.6, 0.0, -0.4]),
        ([-0.5, -0.6, 0.7], 1.1, [1.0, -1.0, 0.0, 0.0]),
        ([1.5, -0.1, 0.2], 0.3, [1.0, 0.0, -1.0, 0.0]),
        ([-0.2, 1.6, 0.1], 0.41, [1.0, 0.0, 0.0, -1.0]),
        ([0.25, 0.25, 0.0], 0.0, [1.0, -0.5, -0.25, -0.25]),
        ([0.5, 0.5, 0.1], 0.01, [1.0, 0.0, -0.5, -0.5]),
        ([0.0, 0.0, 0.1], 0.01, [1.0, -1.0, 0.0, 0.0]),
    ];
    for (p, value, coefficients) in table {
        let found = of(p);
        assert!((found.value() - value).abs() < 1e-15, "{p:?}: {}", found.value());
        for (c, expected) in found.coefficients.iter().zip(coefficients) {
            assert!((c - expected).abs() < 1e-15, "{p:?}: {:?}", found.coefficients);
        }
    }
}

/// Predicted: docs/theory/barrier.md, "Reference values". Edges, `d²`, coefficients, `|u × v|²` and `m`; coefficients
/// where they are unique.
#[test]
fn two_edges_in_all_cases() {
    type Row = ([[f64; 3]; 4], f64, Option<[f64; 4]>, f64, f64);
    let unit = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let with = |c: [f64; 3], d: [f64; 3]| [unit[0], unit[1], c, d];
    let wide = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let row_2 = [wide[0], wide[1], [0.3, -0.2, 0.4], [1.7, 0.9, 0.1]];
    let table: [Row; 8] = [
        (
            [wide[0], wide[1], [0.0, -1.0, 0.5], [0.0, 1.0, 0.5]],
            0.25,
            Some([0.5, 0.5, -0.5, -0.5]),
            16.0,
            1.0,
        ),
        (
            row_2,
            0.111076923076923,
            Some([0.166923076923077, 0.833076923076923, -0.738461538461538, -0.261538461538462]),
            5.2,
            1.0,
        ),
        (with([0.25, 0.2, 0.0], [2.0, 0.2, 0.0]), 0.04, None, 0.0, 0.0),
        (with([2.0, 1.0, 0.0], [3.0, 1.0, 0.0]), 2.0, Some([0.0, 1.0, -1.0, 0.0]), 0.0, 0.0),
        (with([2.0, 0.0, 0.0], [3.0, 0.0, 0.0]), 1.0, Some([0.0, 1.0, -1.0, 0.0]), 0.0, 0.0),
        (with([0.5, 0.3, 0.1], [0.5, 1.3, 0.1]), 0.1, Some([0.5, 0.5, -1.0, 0.0]), 1.0, 1.0),
        (
            with([0.0, 1e-3, 0.1], [1.0, -1e-3, 0.1]),
            0.01,
            Some([0.5, 0.5, -0.5, -0.5]),
            4e-6,
            0.00798396812812723,
        ),
        (with([1.2, 0.5, 0.1], [1.2, 0.5, 1.1]), 0.3, Some([0.0, 1.0, -1.0, 0.0]), 1.0, 1.0),
    ];
    for (k, (x, value, coefficients, crossed, mollified)) in table.into_iter().enumerate() {
        let x = points(x);
        let found = SquaredDistance::edge_edge(&x);
        assert!((found.value() - value).abs() < 1e-14, "row {k}: {}", found.value());
        for (c, expected) in found.coefficients.iter().zip(coefficients.into_iter().flatten()) {
            assert!((c - expected).abs() < 1e-10, "row {k}: {:?}", found.coefficients);
        }
        let (u, v) = (x[1] - x[0], x[3] - x[2]);
        assert!((u.cross(&v).norm_squared() - crossed).abs() < 1e-15);
        let threshold = mollifier_threshold([u.norm(), v.norm()]);
        let m = mollifier_value(&x, threshold);
        assert!((m - mollified).abs() < 1e-14, "row {k}: {m}");
        assert_eq!(Mollifier::new(&x, threshold).map_or(1.0, |m| m.value).to_bits(), m.to_bits());
    }
    let gradient = SquaredDistance::edge_edge(&points(row_2)).gradient();
    let expected = points([
        [0.0, -0.0292757396449704, -0.107344378698225],
        [0.0, -0.146108875739645, -0.535732544378698],
        [0.0, 0.129514792899408, 0.474887573964497],
        [0.0, 0.0458698224852071, 0.168189349112426],
    ]);
    for (found, expected) in gradient.iter().zip(&expected) {
        assert!((found - expected).norm() < 1e-14, "{found} is not {expected}");
    }
}

fn point() -> impl Strategy<Value = Vector3> {
    proptest::array::uniform3(-1.0..1.0_f64).prop_map(Vector3::from)
}

fn four() -> impl Strategy<Value = Points> {
    [point(), point(), point(), point()]
}

/// Which coefficients are not zero: the region.
fn region(distance: &SquaredDistance) -> [bool; 4] {
    distance.coefficients.map(|c| c != 0.0)
}

/// Checks first and second derivatives along `dx`, if the region is the same all along.
fn check(of: fn(&Points) -> SquaredDistance, x: &Points, dx: &Points) {
    let dx = dx.map(|d| d * 0.1);
    let here = of(x);
    let stays = |t: f64| region(&of(&moved(x, &dx, t))) == region(&here);
    // Edges that nearly are parallel, and thin triangles, have large derivatives: errors of differences are theirs.
    let thin = (x[1] - x[0]).cross(&(x[3] - x[2])).norm() < 0.3
        || (x[2] - x[1]).cross(&(x[3] - x[1])).norm() < 0.3;
    if thin || ![-1e-2, -1e-3, 1e-3, 1e-2].into_iter().all(stays) {
        return;
    }
    let gradient = here.gradient();
    assert_is_derivative(|t| of(&moved(x, &dx, t)).value(), along(&gradient, &dx), 1.0);
    let hessian = here.hessian(x);
    for k in 0..4 {
        let change: Vector3 = (0..4).map(|j| hessian[k][j] * dx[j]).sum();
        for axis in 0..3 {
            let slope = |t: f64| of(&moved(x, &dx, t)).gradient()[k][axis];
            assert_is_derivative(slope, change[axis], 1.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn derivatives_of_a_point_and_a_triangle(x in four(), dx in four()) {
        check(SquaredDistance::point_triangle, &x, &dx);
    }

    #[test]
    fn derivatives_of_two_edges(x in four(), dx in four()) {
        check(SquaredDistance::edge_edge, &x, &dx);
    }

    /// Edges that are nearly parallel, within the threshold.
    #[test]
    fn derivatives_of_the_mollifier(u in point(), off in point(), w in point(), dx in four()) {
        prop_assume!(u.norm() > 0.5);
        let x = [Vector3::zeros(), u, w, w + u + off * 0.01];
        let threshold = mollifier_threshold([u.norm(), u.norm()]);
        let dx = dx.map(|d| d * 0.01);
        let inside = |t: f64| Mollifier::new(&moved(&x, &dx, t), threshold).is_some();
        prop_assume!([-1e-2, 1e-2].into_iter().all(inside));
        let here = Mollifier::new(&x, threshold).expect("inside");
        let value = |t: f64| mollifier_value(&moved(&x, &dx, t), threshold);
        assert_is_derivative(value, along(&here.gradient, &dx), 1.0);
        for k in 0..4 {
            let change: Vector3 = (0..4).map(|j| here.hessian[k][j] * dx[j]).sum();
            for axis in 0..3 {
                let slope = |t: f64| {
                    Mollifier::new(&moved(&x, &dx, t), threshold).expect("inside").gradient[k][axis]
                };
                assert_is_derivative(slope, change[axis], 100.0);
            }
        }
    }
}

/// All sixteen regions occur among random points: what the tests above check, they check everywhere.
#[test]
fn random_points_lie_in_all_regions() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let (mut faces, mut edges) = (Vec::new(), Vec::new());
    for _ in 0..2000 {
        let x: Points = from_fn(|_| Vector3::new(random(), random(), random()));
        faces.push(region(&SquaredDistance::point_triangle(&x)));
        edges.push(region(&SquaredDistance::edge_edge(&x)));
    }
    for (regions, expected) in [(&mut faces, 7), (&mut edges, 9)] {
        regions.sort_unstable();
        regions.dedup();
        assert_eq!(regions.len(), expected);
    }
}

//! Nearest points of ellipsoids.

use crate::cone::problems::Random;
use nalgebra::{Matrix3, Vector3};
use stiction::solve::complementarity::limit::ellipsoid::{
    project_ellipsoid, project_ellipsoid_derivative,
};

/// V25 of `docs/theory/reference-values.md`.
#[test]
fn the_known_point_is_found() {
    let x = project_ellipsoid(&Vector3::new(1.0, 2.0, 3.0), &Vector3::new(3.0, 1.0, -2.0));
    let expected = Vector3::new(0.805_921, 0.595_021, -1.535_515);
    assert!((x - expected).amax() < 6e-7, "{x}");
}

/// On the surface, with the difference along its normal, for axes from 1e-3 to 1e3 and points near and far.
#[test]
fn what_is_left_is_normal_to_the_ellipsoid() {
    let mut random = Random(11);
    for _ in 0..2000 {
        let a = Vector3::from_fn(|_, _| 10f64.powf(6.0 * random.uniform() - 3.0));
        let z = random.vector().component_mul(&a) * 10f64.powf(4.0 * random.uniform() - 1.0);
        let x = project_ellipsoid(&a, &z);
        let inside = z.component_div(&a).norm() <= 1.0;
        if inside {
            assert_eq!(x, z);
            continue;
        }
        assert!((x.component_div(&a).norm() - 1.0).abs() < 1e-12, "{a} {z}");
        let normal = x.component_div(&a).component_div(&a);
        let rest = z - x;
        let off = rest.cross(&normal).norm() / (rest.norm() * normal.norm());
        // The difference of two points is known to the rounding of the points.
        let rounding = f64::EPSILON * z.norm() / rest.norm();
        assert!(off < 1e-12 + 4.0 * rounding, "{a} {z}: {off:e}");
    }
}

#[test]
fn coordinates_without_an_axis_are_zero() {
    let z = Vector3::new(3.0, -4.0, 1.0);
    let x = project_ellipsoid(&Vector3::new(0.0, 2.0, -1.0), &z);
    assert!((x - Vector3::new(0.0, -2.0, 0.0)).norm() < 1e-14, "{x}");
    assert_eq!(project_ellipsoid(&Vector3::zeros(), &z), Vector3::zeros());
}

#[test]
fn a_ball_is_a_scaling() {
    let z = Vector3::new(3.0, -4.0, 12.0);
    let x = project_ellipsoid(&Vector3::repeat(2.0), &z);
    assert!((x - z * (2.0 / 13.0)).norm() < 1e-14, "{x}");
}

/// Errors of central differences fall with the square of the step.
#[test]
fn derivatives_are_those_of_the_point() {
    let mut random = Random(3);
    for _ in 0..50 {
        let a = Vector3::from_fn(|_, _| 0.2 + random.uniform());
        let z = random.vector() * 3.0;
        if z.component_div(&a).norm() < 1.1 {
            continue;
        }
        let (_, by_z, by_factor) = project_ellipsoid_derivative(&a, &z);
        let error = |h: f64| {
            let column = |k: usize| {
                let e = Vector3::ith(k, h);
                (project_ellipsoid(&a, &(z + e)) - project_ellipsoid(&a, &(z - e))) / (2.0 * h)
            };
            let differences = Matrix3::from_columns(&[column(0), column(1), column(2)]);
            let (wide, narrow) = (a * (1.0 + h), a * (1.0 - h));
            let factor =
                (project_ellipsoid(&wide, &z) - project_ellipsoid(&narrow, &z)) / (2.0 * h);
            (differences - by_z).norm() + (factor - by_factor).norm()
        };
        let (coarse, fine) = (error(1e-2), error(1e-3));
        assert!(fine < 0.02 * coarse || fine < 1e-9, "{coarse:e}, {fine:e}");
    }
}

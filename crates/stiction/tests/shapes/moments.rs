//! Volumes, centres and second moments of shapes: closed forms, and surfaces that converge to them.

use std::f64::consts::PI;

use stiction::geometry::Pose;
use stiction::geometry::shape::{Convex, ShapeError};
use stiction::math::{Matrix3, Vector3};
use stiction::rigid::MassProperties;
use stiction_check::matrices::Random;

use super::support::{KINDS, directions, random_pose, random_shape};

#[track_caller]
fn assert_inertia(shape: &Convex, volume: f64, diagonal: [f64; 3]) {
    let moments = shape.moments().expect("an end");
    assert!((moments.volume - volume).abs() < 1e-13 * volume, "{} m³", moments.volume);
    let expected = Matrix3::from_diagonal(&Vector3::from(diagonal));
    assert!(
        (moments.inertia() - expected).amax() < 1e-13 * expected.amax(),
        "{}",
        moments.inertia()
    );
    assert!(moments.center.norm() < 1e-15);
}

#[test]
fn inertia_of_simple_shapes_is_that_of_the_textbook() {
    let (r, l): (f64, f64) = (0.3, 1.4);
    let ball = 4.0 / 3.0 * PI * r.powi(3);
    assert_inertia(&Convex::Sphere { radius: r }, ball, [0.4 * ball * r * r; 3]);

    let [a, b, c] = [0.3, 0.5, 0.9];
    let m = a * b * c;
    let about = |p: f64, q: f64| m * (p * p + q * q) / 12.0;
    assert_inertia(&Convex::cuboid([a, b, c]), m, [about(b, c), about(a, c), about(a, b)]);

    let can = PI * r * r * l;
    let across = can * (3.0 * r * r + l * l) / 12.0;
    let along = 0.5 * can * r * r;
    assert_inertia(&Convex::Cylinder { radius: r, length: l }, can, [across, along, across]);

    // Half balls: their centres are 3/8 r from the flat side.
    let caps = ball * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    let capsule = [across + caps, along + 0.4 * ball * r * r, across + caps];
    assert_inertia(&Convex::Capsule { radius: r, length: l }, can + ball, capsule);

    // A box rounded until it is a ball, and one that is not rounded at all.
    let size = Vector3::repeat(2.0 * r);
    assert_inertia(&Convex::Box { size, rounding: r }, ball, [0.4 * ball * r * r; 3]);
}

#[test]
fn moments_of_surfaces_converge_to_those_of_the_shape() {
    let shapes = [
        Convex::Sphere { radius: 0.4 },
        Convex::Box { size: Vector3::new(0.6, 0.9, 1.3), rounding: 0.2 },
        Convex::Capsule { radius: 0.3, length: 0.8 },
        Convex::Cylinder { radius: 0.5, length: 0.7 },
    ];
    for shape in shapes {
        let exact = MassProperties::of_shape(&shape, 1000.0).expect("a mass");
        let error = |segments| {
            let surface = shape.surface(segments).expect("a surface");
            let mass = MassProperties::of_surface(&surface, 1000.0).expect("a mass");
            assert!((mass.center() - exact.center()).norm() < 1e-12);
            let inertia = (mass.inertia() - exact.inertia()).norm() / exact.inertia().norm();
            (1.0 - mass.mass() / exact.mass(), inertia)
        };
        let (coarse, fine) = (error(24), error(48));
        assert!(fine.0 > 0.0 && fine.0 < 0.02, "inscribed: {fine:?}");
        for (coarse, fine) in [(coarse.0, fine.0), (coarse.1, fine.1)] {
            let order = (coarse / fine).log2();
            assert!((order - 2.0).abs() < 0.15, "{shape:?}: order {order}");
        }
    }
}

#[test]
fn surfaces_of_sharp_shapes_are_exact() {
    let mut random = Random::new(12);
    for shape in [Convex::cuboid([0.3, 0.5, 0.9]), random_shape("hull", &mut random)] {
        let surface = shape.surface(12).expect("a surface");
        let from_surface = MassProperties::of_surface(&surface, 2.0).expect("a mass");
        let exact = MassProperties::of_shape(&shape, 2.0).expect("a mass");
        assert!((from_surface.mass() - exact.mass()).abs() < 1e-13);
        assert!((from_surface.center() - exact.center()).norm() < 1e-13);
        assert!((from_surface.inertia() - exact.inertia()).norm() < 1e-13);
    }
}

#[test]
fn surfaces_lie_on_shapes() {
    let mut random = Random::new(13);
    for kind in KINDS {
        let shape = random_shape(kind, &mut random);
        let surface = shape.surface(36).expect("a surface");
        assert!(surface.is_closed() && surface.enclosed_volume() > 0.0);
        for x in surface.vertices() {
            let off = super::support::signed_distance(&shape, &Pose::identity(), x);
            assert!(off.abs() < 1e-12, "{kind}: {off}");
        }
    }
}

#[test]
fn support_points_are_the_farthest_and_boxes_hold_them() {
    let mut random = Random::new(14);
    for kind in KINDS {
        for _ in 0..20 {
            let (shape, pose) = (random_shape(kind, &mut random), random_pose(&mut random, 3.0));
            let bounds = shape.bounding_box(&pose);
            let surface = shape.surface(24).expect("a surface");
            for d in directions(60) {
                let local = pose.rotation.inverse_transform_vector(&d);
                let far = shape.support(&local).expect("an end");
                assert!(bounds.is_near(&pose.apply(&far), 1e-12));
                for x in surface.vertices() {
                    assert!(local.dot(x) <= local.dot(&far) + 1e-12);
                }
            }
            for axis in 0..3 {
                let d = Vector3::ith(axis, 1.0);
                let far =
                    shape.support(&pose.rotation.inverse_transform_vector(&d)).expect("an end");
                assert!((pose.apply(&far)[axis] - bounds.max[axis]).abs() < 1e-12, "tight");
            }
        }
    }
}

#[test]
fn lengths_that_make_no_shape_are_refused() {
    let length = |shape: Convex| matches!(shape.check(), Err(ShapeError::Length { .. }));
    assert!(length(Convex::Sphere { radius: 0.0 }));
    assert!(length(Convex::cuboid([1.0, 0.0, 1.0])));
    assert!(length(Convex::cuboid([1.0, f64::NAN, 1.0])));
    assert!(length(Convex::Capsule { radius: 1.0, length: -1.0 }));
    assert!(length(Convex::Cylinder { radius: f64::INFINITY, length: 1.0 }));
    let round = Convex::Box { size: Vector3::repeat(1.0), rounding: 0.6 };
    assert!(matches!(round.check(), Err(ShapeError::Rounding { .. })));
    let plane = Convex::Plane { normal: Vector3::repeat(1.0), offset: 0.0 };
    assert!(matches!(plane.check(), Err(ShapeError::Plane { .. })));
    assert!(plane.check().expect_err("refused").to_string().contains("help:"));
}

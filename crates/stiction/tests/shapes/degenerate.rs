//! Nothing is ever NaN: coincident, flat, tiny, huge and broken input.

use nalgebra::{Quaternion, UnitQuaternion};
use stiction::geometry::Pose;
use stiction::geometry::shape::{Convex, Hull};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

use super::support::{KINDS, deepest, random_pose, random_shape, random_vector, touch};

#[track_caller]
fn assert_finite(a: (&Convex, &Pose), b: (&Convex, &Pose)) -> usize {
    let points = touch(a, b, 0.1);
    for point in &points {
        let numbers = [point.point_a, point.point_b, point.normal];
        assert!(numbers.iter().flatten().chain([&point.gap]).all(|c| c.is_finite()), "{a:?} {b:?}");
        assert!((point.normal.norm() - 1.0).abs() < 1e-9, "{point:?}\n{a:?}\n{b:?}");
    }
    points.len()
}

/// Shapes without width, as points, lines and plates.
fn flat_shapes() -> Vec<Convex> {
    let mut shapes: Vec<Convex> =
        [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1e-160, 1.0, 1e-160]]
            .map(Convex::cuboid)
            .into();
    shapes.push(Convex::Sphere { radius: 0.0 });
    shapes.push(Convex::Capsule { radius: 0.0, length: 0.0 });
    shapes.push(Convex::Capsule { radius: 0.3, length: 0.0 });
    shapes.push(Convex::Cylinder { radius: 0.0, length: 1.0 });
    shapes.push(Convex::Cylinder { radius: 1.0, length: 0.0 });
    shapes.push(Convex::Box { size: Vector3::repeat(0.1), rounding: 0.3 });
    shapes
}

#[test]
fn coincident_shapes_touch() {
    let mut random = Random::new(51);
    for kind_a in KINDS {
        for kind_b in KINDS {
            let (a, b) = (random_shape(kind_a, &mut random), random_shape(kind_b, &mut random));
            for pose in [Pose::identity(), random_pose(&mut random, 10.0)] {
                assert!(assert_finite((&a, &pose), (&b, &pose)) > 0, "{kind_a} in {kind_b}");
                assert!(assert_finite((&a, &pose), (&a, &pose)) > 0, "{kind_a} in itself");
            }
        }
    }
}

#[test]
fn coincident_balls_go_apart_along_some_axis() {
    let ball = |radius| Convex::Sphere { radius };
    let points = touch((&ball(0.3), &Pose::identity()), (&ball(0.2), &Pose::identity()), 0.0);
    assert_eq!(points.len(), 1);
    assert!((points[0].gap + 0.5).abs() < 1e-15);
}

#[test]
fn crossing_axes_of_capsules_go_apart_across_both() {
    let capsule = Convex::Capsule { radius: 0.1, length: 1.0 };
    let lying = Pose::new(Vector3::zeros(), UnitQuaternion::from_scaled_axis(Vector3::z() * 1.2));
    let points = touch((&capsule, &lying), (&capsule, &Pose::identity()), 0.0);
    let point = deepest(&points).expect("a contact");
    assert!((point.gap + 0.2).abs() < 1e-12 && point.normal.z.abs() > 1.0 - 1e-12);
}

#[test]
fn shapes_without_width_make_no_nan() {
    let mut random = Random::new(52);
    let others: Vec<Convex> = KINDS.iter().map(|kind| random_shape(kind, &mut random)).collect();
    let plane = Convex::Plane { normal: Vector3::y(), offset: 0.0 };
    let flat = flat_shapes();
    let all: Vec<&Convex> = flat.iter().chain(&others).chain([&plane]).collect();
    for a in &flat {
        for b in &all {
            let mut poses =
                vec![Pose::identity(), Pose::at(Vector3::x()), Pose::at(Vector3::y() * 0.5)];
            poses.extend((0..20).map(|_| random_pose(&mut random, 0.5)));
            for pose in &poses {
                assert_finite((a, pose), (b, &Pose::identity()));
                assert_finite((b, pose), (a, &Pose::identity()));
            }
        }
    }
}

#[test]
fn tiny_huge_and_distant_shapes_make_no_nan() {
    let mut random = Random::new(53);
    let sizes = [1e-150, 1e-30, 1e-8, 1.0, 1e8, 1e30, 1e150];
    for size_a in sizes {
        for size_b in sizes {
            let box_of = |size: f64| Convex::cuboid([size, 0.7 * size, 1.3 * size]);
            let can_of = |size: f64| Convex::Cylinder { radius: size, length: 1.5 * size };
            let capsule_of = |size: f64| Convex::Capsule { radius: size, length: 1.5 * size };
            for a in [box_of(size_a), can_of(size_a), capsule_of(size_a)] {
                for b in [box_of(size_b), can_of(size_b), capsule_of(size_b)] {
                    for k in 0..6 {
                        let place = if k % 2 == 0 { size_a } else { size_b };
                        let pose_a = random_pose(&mut random, place);
                        let pose_b = random_pose(&mut random, place);
                        let points = touch((&a, &pose_a), (&b, &pose_b), 0.1);
                        for point in points {
                            assert!(
                                point.gap.is_finite() && point.normal.iter().all(|c| c.is_finite())
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn broken_poses_touch_nothing() {
    let cube = Convex::cuboid([1.0; 3]);
    for value in [f64::NAN, f64::INFINITY] {
        let nowhere = Pose::at(Vector3::new(0.0, value, 0.0));
        let twisted = Pose::new(
            Vector3::zeros(),
            UnitQuaternion::new_unchecked(Quaternion::new(value, 0.0, 0.0, 0.0)),
        );
        for pose in [nowhere, twisted] {
            assert!(touch((&cube, &pose), (&cube, &Pose::identity()), 1.0).is_empty());
            assert!(touch((&cube, &Pose::identity()), (&cube, &pose), 1.0).is_empty());
        }
    }
}

#[test]
fn planes_do_not_touch_planes() {
    let plane = Convex::Plane { normal: Vector3::y(), offset: 0.0 };
    assert!(touch((&plane, &Pose::identity()), (&plane, &Pose::identity()), 1.0).is_empty());
}

#[test]
fn hulls_with_slivers_make_no_nan() {
    let mut random = Random::new(54);
    let table = Convex::cuboid([1.0; 3]);
    for _ in 0..50 {
        let points: Vec<Vector3> = (0..30)
            .map(|_| random_vector(&mut random).component_mul(&Vector3::new(1.0, 1e-7, 1e-3)))
            .collect();
        let sliver = Convex::Hull(Hull::new(&points).expect("a hull"));
        for _ in 0..10 {
            let pose = random_pose(&mut random, 0.6);
            assert_finite((&sliver, &pose), (&table, &Pose::identity()));
            assert_finite((&sliver, &pose), (&sliver, &Pose::identity()));
        }
    }
}

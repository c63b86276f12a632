//! What manifolds look like: how many points, where, and what they are called.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use nalgebra::UnitQuaternion;
use stiction::geometry::Pose;
use stiction::geometry::manifold::{Feature, ManifoldPoint, compound_contacts, contacts, reduce};
use stiction::geometry::shape::{Compound, Convex, Hull, Part};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

use super::support::{KINDS, deepest, random_pose, random_shape, random_vector, touch};

fn turned(at: Vector3, axis: Vector3, angle: f64) -> Pose {
    Pose::new(at, UnitQuaternion::from_scaled_axis(axis * angle))
}

fn up(height: f64) -> Pose {
    Pose::at(Vector3::y() * height)
}

/// A box as the hull of its corners.
fn hull_box(size: [f64; 3]) -> Convex {
    let corner = |k: usize| Vector3::from_fn(|a, _| size[a] * ((k >> a & 1) as f64 - 0.5));
    Convex::Hull(Hull::new(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box"))
}

#[test]
fn a_box_flat_on_a_larger_face_touches_with_its_four_corners() {
    let (small, table) = (Convex::cuboid([0.4, 0.2, 0.6]), Convex::cuboid([2.0, 1.0, 3.0]));
    for (a, b) in [
        (small.clone(), table.clone()),
        (hull_box([0.4, 0.2, 0.6]), table.clone()),
        (small.clone(), hull_box([2.0, 1.0, 3.0])),
        (hull_box([0.4, 0.2, 0.6]), hull_box([2.0, 1.0, 3.0])),
    ] {
        for gap in [-0.01, 0.0, 0.01] {
            let pose = Pose { translation: Vector3::new(0.3, 0.6 + gap, -0.2), ..Pose::identity() };
            let points = touch((&a, &pose), (&b, &Pose::identity()), 0.02);
            assert_eq!(points.len(), 4, "{points:#?}");
            for point in &points {
                assert!((point.gap - gap).abs() < 1e-12);
                assert!((point.normal - Vector3::y()).norm() < 1e-12);
                assert!((point.point_b.y - 0.5).abs() < 1e-12);
                let from_middle = point.point() - pose.translation;
                assert!((from_middle.x.abs() - 0.2).abs() < 1e-12);
                assert!((from_middle.z.abs() - 0.3).abs() < 1e-12);
                assert!(matches!(point.feature.a, Feature::Vertex(_)));
                assert!(matches!(point.feature.b, Feature::Face(_)));
            }
        }
    }
}

#[test]
fn equal_boxes_twisted_by_45_degrees_touch_in_eight_points() {
    let cube = Convex::cuboid([1.0; 3]);
    for (a, b) in [(cube.clone(), cube.clone()), (hull_box([1.0; 3]), cube)] {
        let pose = turned(Vector3::y() * 0.999, Vector3::y(), FRAC_PI_4);
        let points = touch((&a, &pose), (&b, &Pose::identity()), 0.0);
        assert_eq!(points.len(), 8, "{points:#?}");
        // A regular octagon around the axis.
        let half = 0.5_f64;
        let corner = half.hypot(half * (std::f64::consts::SQRT_2 - 1.0));
        for point in &points {
            assert!((point.gap + 1e-3).abs() < 1e-12);
            assert!((point.point().x.hypot(point.point().z) - corner).abs() < 1e-9);
            assert!(matches!(point.feature.a, Feature::Edge(..)));
            assert!(matches!(point.feature.b, Feature::Edge(..)));
        }
    }
}

#[test]
fn a_stack_aligned_but_for_rounding_keeps_four_points_and_their_names() {
    let cube = Convex::cuboid([1.0; 3]);
    let mut names: Option<Vec<_>> = None;
    let mut random = Random::new(4);
    for _ in 0..100 {
        let at = Vector3::y() * 0.999 + random_vector(&mut random) * 1e-8;
        let pose =
            Pose::new(at, UnitQuaternion::from_scaled_axis(random_vector(&mut random) * 1e-8));
        let points = touch((&cube, &pose), (&cube, &Pose::identity()), 0.01);
        let found: Vec<_> = points.iter().map(|point| point.feature).collect();
        assert_eq!(found.len(), 4);
        assert_eq!(*names.get_or_insert(found.clone()), found);
    }
}

#[test]
fn crossing_edges_touch_in_one_point_between_them() {
    // Both boxes stand on an edge, one along x, one along z.
    let size = [1.0, 1.0, 1.0];
    let half_diagonal = 0.5_f64.sqrt();
    for (a, b) in [
        (Convex::cuboid(size), Convex::cuboid(size)),
        (hull_box(size), hull_box(size)),
        (Convex::cuboid(size), hull_box(size)),
    ] {
        for gap in [-0.02, 0.02] {
            let pose_a =
                turned(Vector3::new(0.1, 2.0 * half_diagonal + gap, 0.05), Vector3::x(), FRAC_PI_4);
            let pose_b = turned(Vector3::zeros(), Vector3::z(), FRAC_PI_4);
            let points = touch((&a, &pose_a), (&b, &pose_b), 0.05);
            assert_eq!(points.len(), 1, "{points:#?}");
            assert!((points[0].gap - gap).abs() < 1e-12);
            assert!((points[0].normal - Vector3::y()).norm() < 1e-9);
            let expected = Vector3::new(0.0, half_diagonal + 0.5 * gap, 0.05);
            assert!((points[0].point() - expected).norm() < 1e-9, "{:?}", points[0].point());
            assert!(matches!(points[0].feature.a, Feature::Edge(..)));
            assert!(matches!(points[0].feature.b, Feature::Edge(..)));
        }
    }
}

#[test]
fn distance_and_normal_go_on_when_a_ball_dives_into_a_box() {
    let (ball, table) = (Convex::Sphere { radius: 0.3 }, Convex::cuboid([2.0, 1.0, 2.0]));
    let at = |height: f64| {
        let points = touch((&ball, &up(0.5 + height)), (&table, &Pose::identity()), 1.0);
        assert_eq!(points.len(), 1);
        points[0]
    };
    for height in [1e-3, 1e-9, 1e-300, 0.0, -1e-300, -1e-9, -1e-3] {
        let point = at(height);
        assert!((point.gap - (height - 0.3)).abs() < 1e-15);
        assert!((point.normal - Vector3::y()).norm() < 1e-15);
    }
}

#[test]
fn a_box_turned_by_45_degrees_reaches_as_far_as_its_corner() {
    let cube = Convex::cuboid([2.0; 3]);
    let pose = turned(Vector3::zeros(), Vector3::z(), FRAC_PI_4);
    let far = cube.support(&pose.rotation.inverse_transform_vector(&Vector3::x())).expect("an end");
    assert!((pose.apply(&far).x - 2.0_f64.sqrt()).abs() < 1e-12);
    assert!((cube.bounding_box(&pose).max.x - 2.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn lying_cylinders_and_capsules_touch_along_a_line() {
    let table = Convex::cuboid([4.0, 1.0, 4.0]);
    let floor = Convex::Plane { normal: Vector3::y(), offset: 0.5 };
    for shape in [
        Convex::Capsule { radius: 0.2, length: 1.0 },
        Convex::Cylinder { radius: 0.2, length: 1.0 },
    ] {
        for ground in [&table, &floor] {
            let pose = turned(Vector3::y() * 0.699, Vector3::x(), FRAC_PI_2);
            let points = touch((&shape, &pose), (ground, &Pose::identity()), 0.01);
            assert_eq!(points.len(), 2, "{points:#?}");
            for point in points {
                assert!((point.gap + 1e-3).abs() < 1e-12);
                assert!((point.point().z.abs() - 0.5).abs() < 1e-9);
            }
        }
        // Side by side, shifted by half a length.
        let pose = Pose::at(Vector3::new(0.39, 0.5, 0.0));
        let points = touch((&shape, &pose), (&shape, &Pose::identity()), 0.01);
        assert_eq!(points.len(), 2, "{points:#?}");
        let mut heights: Vec<f64> = points.iter().map(|point| point.point().y).collect();
        heights.sort_by(f64::total_cmp);
        assert!((heights[0] - 0.0).abs() < 1e-9 && (heights[1] - 0.5).abs() < 1e-9);
    }
}

#[test]
fn a_standing_cylinder_rests_on_points_of_its_rim() {
    let can = Convex::Cylinder { radius: 0.3, length: 1.0 };
    let table = Convex::cuboid([4.0, 1.0, 4.0]);
    for ground in [&table, &Convex::Plane { normal: Vector3::y(), offset: 0.5 }] {
        let points = touch((&can, &up(0.999)), (ground, &Pose::identity()), 0.01);
        assert_eq!(points.len(), 8);
        for point in &points {
            assert!((point.gap + 1e-3).abs() < 1e-12);
            assert!((point.point().x.hypot(point.point().z) - 0.3).abs() < 1e-9);
        }
        // Tilted, its lowest point is one of them, wherever that is on the rim.
        let axis = Vector3::new(0.3, 0.0, 0.9).normalize();
        let points =
            touch((&can, &turned(Vector3::y(), axis, 0.01)), (ground, &Pose::identity()), 0.01);
        let drop = 0.5 - (0.5 * 0.01_f64.cos() + 0.3 * 0.01_f64.sin());
        let lowest = deepest(&points).expect("a contact");
        assert!((lowest.gap - drop).abs() < 1e-9, "{} for {drop}", lowest.gap);
    }
}

#[test]
fn names_stay_while_a_pair_moves_a_little() {
    for kind_a in KINDS {
        for kind_b in KINDS {
            let mut random = Random::new(31);
            let (mut same, mut all) = (0, 0);
            for _ in 0..100 {
                let (a, b) = (random_shape(kind_a, &mut random), random_shape(kind_b, &mut random));
                let (pose_a, pose_b) =
                    (random_pose(&mut random, 0.5), random_pose(&mut random, 0.5));
                let nudged = Pose {
                    translation: pose_a.translation + random_vector(&mut random) * 1e-6,
                    ..pose_a
                };
                let names = |pose: &Pose| -> Vec<_> {
                    touch((&a, pose), (&b, &pose_b), 0.05).iter().map(|p| p.feature).collect()
                };
                let (before, after) = (names(&pose_a), names(&nudged));
                same += usize::from(before == after);
                all += 1;
            }
            assert!(same >= all - 2, "{kind_a} and {kind_b}: {same} of {all}");
        }
    }
}

#[test]
fn reduced_manifolds_keep_the_deepest_point_and_the_area() {
    let cube = Convex::cuboid([1.0; 3]);
    let pose = turned(Vector3::y() * 0.999, Vector3::new(0.001, 1.0, 0.002), FRAC_PI_4);
    let mut points = touch((&cube, &pose), (&cube, &Pose::identity()), 0.01);
    assert_eq!(points.len(), 8);
    let lowest = *deepest(&points).expect("eight");
    let area = |points: &[ManifoldPoint]| -> f64 {
        let mut around: Vec<Vector3> = points.iter().map(ManifoldPoint::point).collect();
        around.sort_by(|p, q| p.z.atan2(p.x).total_cmp(&q.z.atan2(q.x)));
        let next = |k: usize| around[(k + 1) % around.len()];
        (0..around.len())
            .map(|k| 0.5 * (around[k].x * next(k).z - around[k].z * next(k).x))
            .sum::<f64>()
            .abs()
    };
    let octagon = area(&points);
    reduce(&mut points, 0, 4);
    assert_eq!(points.len(), 4);
    assert!(points.contains(&lowest));
    assert!(area(&points) > 0.7 * octagon, "{} of {octagon}", area(&points));
    // Points before the start are not touched.
    let before = points.clone();
    reduce(&mut points, 2, 1);
    assert_eq!(points.len(), 3);
    assert_eq!(points[..2], before[..2]);
}

#[test]
fn long_thin_manifolds_are_reduced_to_their_ends() {
    let at = |x: f64, z: f64| ManifoldPoint {
        point_a: Vector3::new(x, 0.0, z),
        point_b: Vector3::new(x, 0.0, z),
        normal: Vector3::y(),
        gap: -x * 1e-6,
        feature: Default::default(),
    };
    let mut points =
        vec![at(5.0, 0.0), at(0.0, 0.0), at(10.0, 0.0), at(5.0, 1.0), at(0.0, 1.0), at(10.0, 1.0)];
    reduce(&mut points, 0, 4);
    assert!(points.iter().all(|p| (p.point_b.x - 5.0).abs() > 1.0), "{points:?}");
}

#[test]
fn compounds_touch_with_the_parts_that_are_near() {
    let leg = Convex::cuboid([0.1, 1.0, 0.1]);
    let part =
        |x: f64, z: f64| Part { shape: leg.clone(), pose: Pose::at(Vector3::new(x, -0.5, z)) };
    let top = Part { shape: Convex::cuboid([1.2, 0.1, 1.2]), pose: Pose::at(Vector3::y() * 0.05) };
    let parts = vec![top, part(-0.5, -0.5), part(0.5, -0.5), part(0.5, 0.5), part(-0.5, 0.5)];
    let table = Compound::new(parts).expect("a table");
    let floor = Compound::from(Convex::Plane { normal: Vector3::y(), offset: 0.0 });
    let mut points = Vec::new();
    let pose = turned(Vector3::new(3.0, 0.999, 1.0), Vector3::y(), 0.3);
    compound_contacts(&table, &pose, &floor, &Pose::identity(), 0.01, &mut points);
    assert_eq!(points.len(), 16);
    for leg in 1..5 {
        assert_eq!(points.iter().filter(|point| point.feature.part_a == leg).count(), 4);
    }
    assert!(points.iter().all(|point| (point.gap + 1e-3).abs() < 1e-12));
    assert!(table.support(&Vector3::y()).is_some_and(|x| (x.y - 0.1).abs() < 1e-12));
    assert!((table.bounding_box(&Pose::identity()).min.y + 1.0).abs() < 1e-12);
}

#[test]
fn farther_than_the_reach_is_no_contact() {
    let cube = Convex::cuboid([1.0; 3]);
    let mut points = Vec::new();
    contacts(&cube, &up(1.2), &cube, &Pose::identity(), 0.19, &mut points);
    assert!(points.is_empty());
    contacts(&cube, &up(1.2), &cube, &Pose::identity(), 0.21, &mut points);
    assert_eq!(points.len(), 4);
}

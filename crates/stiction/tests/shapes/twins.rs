//! Contacts of every kind of pair against the slow twin: gaps by search over directions.

use stiction::geometry::Pose;
use stiction::geometry::manifold::ManifoldPoint;
use stiction::geometry::shape::Convex;
use stiction::math::Vector3;
use stiction_check::matrices::Random;

use super::support::{
    KINDS, deepest, directions, gap_by_search, random_pose, random_shape, random_vector,
    separation, signed_distance, touch,
};

const PAIRS: usize = 40;
const MANY_PAIRS: usize = 1000;

/// The smallest gap is that along the normal, no direction has a larger one, and points are on surfaces.
#[track_caller]
fn check(a: (&Convex, &Pose), b: (&Convex, &Pose), points: &[ManifoldPoint], starts: &[Vector3]) {
    let reach = 0.3;
    let by_search = gap_by_search(a, b, starts);
    let Some(point) = deepest(points) else {
        assert!(by_search > reach - 1e-4, "no contact at {by_search}:\n{a:?}\n{b:?}");
        return;
    };
    assert!(point.gap <= reach);
    assert!((point.normal.norm() - 1.0).abs() < 1e-12);
    let along = separation(a, b, &point.normal);
    assert!((along - point.gap).abs() < 2e-7, "{along} along the normal, {point:?}\n{a:?}\n{b:?}");
    assert!(by_search <= point.gap + 1e-7, "{by_search} found, {point:?}\n{a:?}\n{b:?}");
    for (shape, x) in [(a, point.point_a), (b, point.point_b)] {
        let off = signed_distance(shape.0, shape.1, &x);
        // Points on a round rim are found to the root of what gaps are.
        assert!(off.abs() < 1e-5, "{off} off the surface: {point:?}\n{a:?}\n{b:?}");
    }
    for point in points {
        assert!((point.normal - points[0].normal).norm() < 1e-12);
        assert!((point.point_a - point.point_b - point.normal * point.gap).norm() < 1e-12);
        for (shape, x) in [(a, point.point_a), (b, point.point_b)] {
            let off = signed_distance(shape.0, shape.1, &x);
            // A rounding around a face that looks aside is entered a little by what is measured along the normal.
            let inside = match shape.0 {
                Convex::Box { rounding, .. } => *rounding,
                Convex::Capsule { radius, .. } => 0.1 * radius,
                _ => 0.0,
            };
            assert!(
                (-5e-3 - inside..5e-3).contains(&off),
                "{off} off the surface: {point:?}\n{a:?}\n{b:?}"
            );
        }
    }
    let mut features: Vec<_> = points.iter().map(|point| point.feature).collect();
    features.sort_unstable();
    features.dedup();
    assert_eq!(features.len(), points.len(), "features name contacts: {points:#?}");
}

#[test]
fn gaps_of_every_pair_agree_with_a_search_over_directions() {
    let starts = directions(300);
    for (i, kind_a) in KINDS.iter().enumerate() {
        for (j, kind_b) in KINDS.iter().enumerate() {
            let mut random = Random::new(100 * i as u64 + j as u64);
            let mut found = 0;
            for _ in 0..PAIRS {
                let (a, b) = (random_shape(kind_a, &mut random), random_shape(kind_b, &mut random));
                let (pose_a, pose_b) =
                    (random_pose(&mut random, 0.6), random_pose(&mut random, 0.6));
                let (a, b) = ((&a, &pose_a), (&b, &pose_b));
                let points = touch(a, b, 0.3);
                found += usize::from(!points.is_empty());
                check(a, b, &points, &starts);
            }
            assert!(found > PAIRS / 3, "{kind_a} and {kind_b} touch: {found}");
        }
    }
}

/// Bounds from both sides without a search: the gap is that along the normal, and no direction of many has a larger
/// one.
#[test]
fn no_direction_has_a_larger_gap_in_a_thousand_pairs_of_every_kind() {
    let all = directions(250);
    for (i, kind_a) in KINDS.iter().enumerate() {
        for kind_b in &KINDS[i..] {
            let mut random = Random::new(4000 + i as u64);
            for _ in 0..MANY_PAIRS {
                let (a, b) = (random_shape(kind_a, &mut random), random_shape(kind_b, &mut random));
                let (pose_a, pose_b) =
                    (random_pose(&mut random, 0.6), random_pose(&mut random, 0.6));
                let (a, b) = ((&a, &pose_a), (&b, &pose_b));
                let points = touch(a, b, 0.3);
                let gap = deepest(&points).map_or(f64::INFINITY, |point| {
                    let along = separation(a, b, &point.normal);
                    assert!((along - point.gap).abs() < 2e-7, "{along}, {point:?}\n{a:?}\n{b:?}");
                    point.gap
                });
                for n in &all {
                    let found = separation(a, b, n);
                    assert!(found <= gap + 1e-9, "{found} along {n}, not {gap}:\n{a:?}\n{b:?}");
                }
            }
        }
    }
}

/// Faces and edges laid against each other, exactly or nearly: what random poses never do.
#[test]
fn gaps_of_aligned_pairs_agree_with_a_search_over_directions() {
    let starts = directions(300);
    for (i, kind_a) in KINDS.iter().enumerate() {
        for (j, kind_b) in KINDS.iter().enumerate() {
            let mut random = Random::new(7000 + 100 * i as u64 + j as u64);
            for k in 0..40 {
                let (a, b) = (random_shape(kind_a, &mut random), random_shape(kind_b, &mut random));
                let quarter = |random: &mut Random| {
                    let turns = random_vector(random)
                        .map(|c| (2.0 * c).round() * std::f64::consts::FRAC_PI_2);
                    nalgebra::UnitQuaternion::from_euler_angles(turns.x, turns.y, turns.z)
                };
                let tilt = [0.0, 1e-12, 1e-7, 1e-3][k % 4];
                let turn =
                    nalgebra::UnitQuaternion::from_scaled_axis(random_vector(&mut random) * tilt);
                let pose_a = Pose::new(Vector3::zeros(), turn * quarter(&mut random));
                let mut pose_b = Pose::new(random_vector(&mut random) * 0.2, quarter(&mut random));
                // Side by side along an axis, a little inside or apart.
                let axis = k % 3;
                let up = a.bounding_box(&pose_a).max[axis] - b.bounding_box(&pose_b).min[axis];
                pose_b.translation[axis] += up + [-1e-2, 0.0, 1e-9, 1e-2][k / 4 % 4];
                let (a, b) = ((&a, &pose_a), (&b, &pose_b));
                check(a, b, &touch(a, b, 0.3), &starts);
            }
        }
    }
}

#[test]
fn gaps_over_a_plane_are_those_of_the_lowest_point() {
    let mut random = Random::new(5);
    for kind in KINDS {
        for _ in 0..200 {
            let shape = random_shape(kind, &mut random);
            let pose = random_pose(&mut random, 0.8);
            let (normal, offset) = (random_vector(&mut random).normalize(), 0.2 * random.value());
            let (plane, plane_pose) =
                (Convex::Plane { normal, offset }, random_pose(&mut random, 0.5));
            let n = plane_pose.rotation * normal;
            let local = pose.rotation.inverse_transform_vector(&-n);
            let lowest = pose.apply(&shape.support(&local).expect("an end"));
            let gap = signed_distance(&plane, &plane_pose, &lowest);
            let points = touch((&shape, &pose), (&plane, &plane_pose), 0.3);
            match deepest(&points) {
                Some(point) => {
                    assert!((point.gap - gap).abs() < 1e-9, "{} for {gap}", point.gap);
                    assert!((point.normal - n).norm() < 1e-12);
                }
                None => assert!(gap > 0.3 - 1e-12),
            }
        }
    }
}

#[test]
fn exchanging_the_shapes_flips_the_contacts() {
    for (i, kind_a) in KINDS.iter().enumerate() {
        for (j, kind_b) in KINDS.iter().enumerate() {
            let mut random = Random::new(900 + 100 * i as u64 + j as u64);
            let mut differing = 0;
            for _ in 0..100 {
                let (a, b) = (random_shape(kind_a, &mut random), random_shape(kind_b, &mut random));
                let (pose_a, pose_b) =
                    (random_pose(&mut random, 0.6), random_pose(&mut random, 0.6));
                let mut there = touch((&a, &pose_a), (&b, &pose_b), 0.1);
                let back = touch((&b, &pose_b), (&a, &pose_a), 0.1);
                let mut back: Vec<_> = back.iter().map(ManifoldPoint::flipped).collect();
                there.sort_by_key(|point| point.feature);
                back.sort_by_key(|point| point.feature);
                if let (Some(p), Some(q)) = (deepest(&there), deepest(&back)) {
                    assert!(
                        (p.gap - q.gap).abs() < 1e-6,
                        "{p:?}\n{q:?}\n{a:?}\n{pose_a:?}\n{b:?}\n{pose_b:?}"
                    );
                    // Two ways out may be equally short, to the tolerance of ties.
                    differing += usize::from((p.normal - q.normal).norm() > 1e-5);
                    differing += usize::from(there.len() != back.len());
                } else {
                    assert_eq!(there.len(), back.len());
                }
            }
            assert!(differing <= 1, "{kind_a} and {kind_b}: {differing}");
        }
    }
}

#[test]
fn contacts_move_with_the_pair() {
    let mut random = Random::new(77);
    for kind_a in KINDS {
        for kind_b in KINDS {
            for _ in 0..20 {
                let (a, b) = (random_shape(kind_a, &mut random), random_shape(kind_b, &mut random));
                let (pose_a, pose_b) =
                    (random_pose(&mut random, 0.6), random_pose(&mut random, 0.6));
                let moved = random_pose(&mut random, 20.0);
                let here = touch((&a, &pose_a), (&b, &pose_b), 0.1);
                let there = touch((&a, &(moved * pose_a)), (&b, &(moved * pose_b)), 0.1);
                let (Some(p), Some(q)) = (deepest(&here), deepest(&there)) else {
                    assert_eq!(here.len(), there.len());
                    continue;
                };
                assert!((p.gap - q.gap).abs() < 1e-8);
                assert!((moved.rotation * p.normal - q.normal).norm() < 1e-5, "{kind_a} {kind_b}");
            }
        }
    }
}

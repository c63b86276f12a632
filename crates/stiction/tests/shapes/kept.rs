//! Kept manifolds: near those of a search, and searched again when it is time.

use nalgebra::UnitQuaternion;
use stiction::geometry::Pose;
use stiction::geometry::manifold::Kept;
use stiction::math::Vector3;
use stiction_check::matrices::Random;

use super::support::{KINDS, deepest, random_pose, random_shape, random_vector, touch};

#[test]
fn kept_gaps_are_off_by_no_more_than_twice_the_tolerance() {
    let mut random = Random::new(61);
    for kind_a in KINDS {
        for kind_b in KINDS {
            for _ in 0..20 {
                let (a, b) = (random_shape(kind_a, &mut random), random_shape(kind_b, &mut random));
                let (mut pose_a, pose_b) =
                    (random_pose(&mut random, 0.6), random_pose(&mut random, 0.6));
                let mut kept = Kept::default();
                for _ in 0..10 {
                    let mut points = Vec::new();
                    kept.contacts(&a, &pose_a, &b, &pose_b, 0.1, (1e-3, 1.0), &mut points);
                    let exact = touch((&a, &pose_a), (&b, &pose_b), 0.1);
                    match (deepest(&points), deepest(&exact)) {
                        (Some(kept), Some(exact)) => assert!((kept.gap - exact.gap).abs() < 2.1e-3),
                        (Some(only), None) | (None, Some(only)) => assert!(only.gap > 0.1 - 2.1e-3),
                        (None, None) => {}
                    }
                    pose_a.translation += random_vector(&mut random) * 2e-4;
                    let turn = UnitQuaternion::from_scaled_axis(random_vector(&mut random) * 1e-4);
                    pose_a.rotation = turn * pose_a.rotation;
                }
            }
        }
    }
}

#[test]
fn what_did_not_move_is_found_as_by_a_search() {
    let mut random = Random::new(62);
    for kind in KINDS {
        let (a, b) = (random_shape(kind, &mut random), random_shape("box", &mut random));
        let (pose_a, pose_b) = (random_pose(&mut random, 0.2), random_pose(&mut random, 0.2));
        let exact = touch((&a, &pose_a), (&b, &pose_b), 0.1);
        let mut kept = Kept::default();
        let moved = Pose { translation: pose_a.translation + Vector3::x() * 5.0, ..pose_a };
        for (pose, expected) in
            [(&pose_a, &exact), (&pose_a, &exact), (&moved, &vec![]), (&pose_a, &exact)]
        {
            let mut points = Vec::new();
            kept.contacts(&a, pose, &b, &pose_b, 0.1, (1e-3, 1.0), &mut points);
            assert_eq!(points.len(), expected.len());
            for (kept, exact) in points.iter().zip(expected) {
                assert_eq!(kept.feature, exact.feature);
                assert!((kept.point_a - exact.point_a).norm() < 1e-12);
                assert!((kept.normal - exact.normal).norm() < 1e-12);
            }
        }
    }
}

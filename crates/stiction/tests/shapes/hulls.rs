//! Hulls are convex, hold all their points, and have faces as large as they are flat.

use nalgebra::UnitQuaternion;
use stiction::geometry::shape::{Convex, Hull, ShapeError};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

use super::support::random_vector;

#[track_caller]
fn check(points: &[Vector3], hull: &Hull) {
    let size = points.iter().map(|x| x.norm()).fold(0.0, f64::max);
    for x in points {
        let (height, _) = hull.deepest_plane(x);
        assert!(height < 1e-10 * size, "{height} outside");
    }
    let corners: usize = (0..hull.face_count()).map(|f| hull.face(f).len()).sum();
    assert_eq!(hull.vertices().len() + hull.face_count(), corners / 2 + 2, "Euler");
    for f in 0..hull.face_count() {
        let n = hull.normals()[f];
        let x = |k: usize| hull.vertices()[hull.face(f)[k % hull.face(f).len()] as usize];
        for k in 0..hull.face(f).len() {
            assert!((n.dot(&(x(k) - x(0)))).abs() < 1e-9 * size, "flat");
            let turn = (x(k + 1) - x(k)).cross(&(x(k + 2) - x(k + 1))).dot(&n);
            assert!(turn > 0.0, "corners turn left: {turn}");
        }
    }
}

#[test]
fn a_grid_of_points_in_a_box_has_its_six_faces() {
    let turn = UnitQuaternion::from_euler_angles(0.3, -0.8, 1.1);
    for n in [2, 3, 5] {
        for turn in [UnitQuaternion::identity(), turn] {
            let at = |k: usize| k as f64 / (n - 1) as f64;
            let points: Vec<Vector3> = (0..n * n * n)
                .map(|k| turn * Vector3::new(at(k % n), 2.0 * at(k / n % n), 3.0 * at(k / n / n)))
                .collect();
            let hull = Hull::new(&points).expect("a box");
            assert_eq!((hull.vertices().len(), hull.face_count()), (8, 6));
            check(&points, &hull);
            let moments = Convex::Hull(hull).moments().expect("a volume");
            assert!((moments.volume - 6.0).abs() < 1e-12);
        }
    }
}

#[test]
fn random_clouds_are_held() {
    let mut random = Random::new(1);
    for count in [4, 5, 10, 50, 400] {
        for _ in 0..10 {
            let points: Vec<Vector3> = (0..count).map(|_| random_vector(&mut random)).collect();
            check(&points, &Hull::new(&points).expect("a hull"));
            let sphere: Vec<Vector3> = points.iter().map(|x| x.normalize()).collect();
            let hull = Hull::new(&sphere).expect("a hull");
            assert_eq!(hull.vertices().len(), count);
            check(&sphere, &hull);
        }
    }
}

#[test]
fn clouds_with_ties_are_held() {
    // Integer points: many coplanar, collinear and repeated ones.
    let mut random = Random::new(2);
    for _ in 0..200 {
        let points: Vec<Vector3> =
            (0..60).map(|_| random_vector(&mut random).map(|c| (3.0 * c).round())).collect();
        check(&points, &Hull::new(&points).expect("a hull"));
    }
    // Two regular polygons and an apex, turned.
    let turn = UnitQuaternion::from_euler_angles(0.4, 0.9, -0.2);
    let ring = |k: usize, y: f64| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / 24.0).sin_cos();
        turn * Vector3::new(cos, y, sin)
    };
    let mut points: Vec<Vector3> = (0..24).flat_map(|k| [ring(k, 0.0), ring(k, 1.0)]).collect();
    let hull = Hull::new(&points).expect("a prism");
    assert_eq!((hull.vertices().len(), hull.face_count()), (48, 26));
    check(&points, &hull);
    points.push(turn * Vector3::y() * 2.0);
    let hull = Hull::new(&points).expect("a prism with a roof");
    assert_eq!((hull.vertices().len(), hull.face_count()), (49, 49));
}

#[test]
fn points_a_hair_outside_of_faces_and_edges_are_left_out() {
    let corner = |k: usize| Vector3::from_fn(|a, _| (k >> a & 1) as f64 - 0.5);
    let mut points: Vec<Vector3> = (0..8).map(corner).collect();
    points.push(Vector3::new(0.1, 0.5 + 2e-12, 0.5 + 2e-12));
    points.push(Vector3::new(0.1, 0.2, 0.5 + 2e-12));
    let hull = Hull::new(&points).expect("a box");
    assert_eq!((hull.vertices().len(), hull.face_count()), (8, 6));
}

#[test]
fn tiny_huge_and_thin_clouds_are_held() {
    let mut random = Random::new(3);
    let points: Vec<Vector3> = (0..40).map(|_| random_vector(&mut random)).collect();
    for scale in [1e-9, 1e9] {
        let scaled: Vec<Vector3> = points.iter().map(|x| x * scale).collect();
        check(&scaled, &Hull::new(&scaled).expect("a hull"));
    }
    let thin: Vec<Vector3> = points.iter().map(|x| Vector3::new(x.x, 1e-6 * x.y, x.z)).collect();
    check(&thin, &Hull::new(&thin).expect("a hull"));
}

#[test]
fn clouds_without_volume_are_refused() {
    let flat = |points: &[Vector3]| matches!(Hull::new(points), Err(ShapeError::Flat { .. }));
    assert!(flat(&[]));
    assert!(flat(&[Vector3::x(); 8]));
    assert!(flat(&[Vector3::x(), Vector3::y(), Vector3::zeros()]));
    assert!(flat(&[Vector3::x(), Vector3::y(), Vector3::zeros(), Vector3::new(1.0, 1.0, 0.0)]));
    let broken = [Vector3::x(), Vector3::y(), Vector3::z(), Vector3::repeat(f64::NAN)];
    assert!(matches!(Hull::new(&broken), Err(ShapeError::NotFinite { index: 3 })));
}

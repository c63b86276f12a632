//! Closest points are the closest, name their features, and survive what is degenerate.

use stiction::geometry::closest::{
    Circle, Part, closest_point_point, closest_point_segment, closest_point_triangle,
    closest_segment_segment, places_near_circle,
};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

fn vector(random: &mut Random) -> Vector3 {
    Vector3::from_fn(|_, _| random.value())
}

/// Nothing among many samples of both is nearer.
fn sampled<const N: usize>(b: &[Vector3; N], x: Vector3) -> f64 {
    const STEPS: usize = 60;
    let mut least = f64::INFINITY;
    for i in 0..=STEPS {
        for j in 0..=(if N == 3 { STEPS - i } else { 0 }) {
            let (u, v) = (i as f64 / STEPS as f64, j as f64 / STEPS as f64);
            let point = b[0] + (b[1] - b[0]) * u + (b[N - 1] - b[0]) * v;
            least = least.min((point - x).norm());
        }
    }
    least
}

#[test]
fn edges_of_the_course_notes_are_closest_where_they_say() {
    // V22 of `docs/theory/reference-values.md`.
    let a = [Vector3::new(-1.0, 0.0, 0.0), Vector3::new(1.0, 0.0, 0.0)];
    let b = [Vector3::new(0.3, 0.5, -1.0), Vector3::new(0.3, 0.5, 1.0)];
    let closest = closest_segment_segment(&a, &b);
    assert!((closest.weights_a[1] - 0.65).abs() < 1e-15);
    assert!((closest.weights_b[1] - 0.5).abs() < 1e-15);
    assert!((closest.offset - Vector3::new(0.0, -0.5, 0.0)).norm() < 1e-15);
    assert_eq!([closest.part_a(), closest.part_b()], [Part::Edge(0, 1); 2]);
}

#[test]
fn no_sample_is_nearer() {
    let mut random = Random::new(1);
    for _ in 0..400 {
        let mut v = || vector(&mut random);
        let (x, triangle) = (v(), [v(), v(), v()]);
        let found = closest_point_triangle(x, &triangle).distance_sq().sqrt();
        let sample = sampled(&triangle, x);
        assert!(found <= sample + 1e-14 && found > sample - 0.06, "{found} {sample}");
        let segment = [v(), v()];
        let found = closest_point_segment(x, &segment).distance_sq().sqrt();
        let sample = sampled(&segment, x);
        assert!(found <= sample + 1e-14 && found > sample - 0.06, "{found} {sample}");
        let other = [v(), v()];
        let found = closest_segment_segment(&segment, &other).distance_sq().sqrt();
        let along = |k: i32| other[0] + (other[1] - other[0]) * (f64::from(k) / 100.0);
        let sample = (0..=100)
            .map(|k| closest_point_segment(along(k), &segment).distance_sq().sqrt())
            .fold(f64::INFINITY, f64::min);
        assert!(found <= sample + 1e-14 && found > sample - 0.06, "{found} {sample}");
    }
}

#[test]
fn weights_are_exactly_zero_off_the_feature() {
    let triangle = [Vector3::zeros(), Vector3::x(), Vector3::y()];
    let part = |x: f64, y: f64| closest_point_triangle(Vector3::new(x, y, 0.3), &triangle).part_b();
    assert_eq!(part(0.2, 0.2), Part::Face);
    assert_eq!(part(0.5, -0.1), Part::Edge(0, 1));
    assert_eq!(part(-0.5, 0.4), Part::Edge(0, 2));
    assert_eq!(part(0.9, 0.9), Part::Edge(1, 2));
    assert_eq!(part(-1.0, -1.0), Part::Vertex(0));
    assert_eq!(part(3.0, 0.1), Part::Vertex(1));
    assert_eq!(part(0.1, 3.0), Part::Vertex(2));
    assert_eq!(closest_point_point(Vector3::x(), Vector3::y()).part_a(), Part::Vertex(0));
}

#[test]
fn needles_and_points_are_what_they_look_like() {
    let mut random = Random::new(3);
    for k in 0..3000 {
        let (p, along) = (vector(&mut random), vector(&mut random));
        let width = 10_f64.powi(-(k % 24)) * f64::from(k % 5); // down to nothing
        let corner = p + along * random.value().abs() + vector(&mut random) * width;
        let triangle = [p, p + along, corner];
        let x = p + along * 0.5 + vector(&mut random);
        let found = closest_point_triangle(x, &triangle);
        assert!(found.weights_b.iter().all(|w| (0.0..=1.0).contains(w)));
        // A triangle is never nearer than its plane is wide, and never farther than its edges.
        let edges = [[p, p + along], [p, corner], [p + along, corner]];
        let edge = edges.iter().map(|edge| closest_point_segment(x, edge).distance_sq().sqrt());
        let edge = edge.fold(f64::INFINITY, f64::min);
        let distance = found.distance_sq().sqrt();
        assert!(distance <= edge * (1.0 + 1e-12), "{distance} {edge}");
        assert!(distance >= edge - 3.0 * width - 1e-12, "{distance} {edge} {width}");
    }
    let point = [Vector3::y(); 3];
    assert!((closest_point_triangle(Vector3::zeros(), &point).distance_sq() - 1.0).abs() < 1e-15);
    let segment = [Vector3::y(); 2];
    assert_eq!(closest_segment_segment(&segment, &segment).offset, Vector3::zeros());
    assert_eq!(closest_point_segment(Vector3::x(), &segment).part_b(), Part::Vertex(0));
}

#[test]
fn parallel_segments_have_a_closest_pair() {
    let mut random = Random::new(4);
    for k in 0..3000 {
        let (p, along, aside) = (vector(&mut random), vector(&mut random), vector(&mut random));
        let tilt = vector(&mut random) * 10_f64.powi(-(k % 20)) * f64::from(k % 3);
        let start = p + aside + along * (2.0 * random.value());
        let b = [start, start + along * random.value() + tilt];
        let found = closest_segment_segment(&[p, p + along], &b).distance_sq().sqrt();
        let on_b = |s: i32| b[0] + (b[1] - b[0]) * (f64::from(s) / 64.0);
        let least = (0..=64)
            .map(|s| closest_point_segment(on_b(s), &[p, p + along]).distance_sq().sqrt())
            .fold(f64::INFINITY, f64::min);
        assert!(found <= least * (1.0 + 1e-9) + 1e-15, "{found} {least}");
    }
}

/// Against all places of the segment, one by one.
#[test]
fn places_near_a_circle_are_all_that_are_nearer_than_those_beside_them() {
    const PARTS: usize = 1000;
    let mut random = Random::new(7);
    let mut found = [0; 3];
    for _ in 0..1000 {
        let mut point = || vector(&mut random);
        let axis = point().normalize();
        let circle = Circle { center: point() * 0.2, axis, radius: 0.5 };
        let segment = [point() * 1.5, point() * 1.5];
        let far = |s: f64| {
            let x = segment[0] + (segment[1] - segment[0]) * s;
            let out = circle.towards(x).unwrap_or_else(Vector3::zeros);
            (circle.center + out * circle.radius - x).norm()
        };
        let at = |k: usize| k as f64 / PARTS as f64;
        let all: Vec<f64> = (0..=PARTS).map(|k| far(at(k))).collect();
        let is_least = |k: &usize| all[*k] < all[k - 1] && all[*k] <= all[k + 1];
        // Places beside an end are hard to tell from the end.
        let clear = |s: &f64| (2.0 / PARTS as f64..1.0 - 2.0 / PARTS as f64).contains(s);
        let expected: Vec<f64> = (1..PARTS).filter(is_least).map(at).filter(clear).collect();
        let places = places_near_circle(&circle, &segment).into_iter().flatten();
        let places: Vec<f64> = places.filter(clear).collect();
        assert_eq!(places.len(), expected.len(), "{circle:?}, {segment:?}");
        for (place, expected) in places.iter().zip(&expected) {
            assert!((place - expected).abs() <= 1.0 / PARTS as f64, "{place}, {expected}");
        }
        found[places.len()] += 1;
    }
    assert!(found.iter().all(|count| *count > 20), "{found:?}");
}

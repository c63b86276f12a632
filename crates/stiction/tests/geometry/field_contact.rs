//! Contacts with signed distances: points, vertices, and the deepest point of a triangle.

use stiction::body::Shape;
use stiction::geometry::distance_grid::GridSettings;
use stiction::geometry::field_contact::{Search, deepest_on_triangle, touch_point, touch_vertices};
use stiction::geometry::{DistanceGrid, Jet};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

fn field(shape: Shape) -> impl Fn(Vector3) -> Jet {
    move |x| shape.distance(x).unwrap()
}

/// A needle along y, 4 mm thick, and a triangle a hundred times as large around it.
fn needle() -> (impl Fn(Vector3) -> Jet, [Vector3; 3]) {
    let corners = [[0.4, 0.1, 0.0], [-0.3, 0.1, 0.25], [-0.2, 0.1, -0.3]].map(Vector3::from);
    (field(Shape::Capsule { radius: 2e-3, length: 1.0 }), corners)
}

/// The least value on a fine grid of points of the triangle.
fn sampled(field: &impl Fn(Vector3) -> Jet, corners: &[Vector3; 3], count: usize) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..=count {
        for j in 0..=count - i {
            let [u, v] = [i, j].map(|k| k as f64 / count as f64);
            let x = corners[0] * u + corners[1] * v + corners[2] * (1.0 - u - v);
            least = least.min(field(x).value);
        }
    }
    least
}

#[test]
fn a_point_against_a_ball_is_exact() {
    let field = field(Shape::Sphere { radius: 2.0 });
    let x = Vector3::new(0.6, 1.2, 0.4);
    let contact = touch_point(&field, x, 0.0).unwrap();
    assert!((contact.gap - (x.norm() - 2.0)).abs() < 1e-15);
    assert!((contact.normal - x.normalize()).norm() < 1e-15);
    assert!((contact.foot - x.normalize() * 2.0).norm() < 1e-15);
    assert_eq!(touch_point(&field, x * 2.0, 0.0), None);
    assert!(touch_point(&field, x * 2.0, 1.0).is_some());
}

#[test]
fn vertices_miss_a_spike_that_the_triangle_finds() {
    let (field, corners) = needle();
    assert_eq!(touch_vertices(&field, &corners, 0.0), vec![]);
    let search = Search { tolerance: 1e-4, ..Search::overlaps(0.5) };
    let deepest = deepest_on_triangle(&field, &corners, &search).unwrap();
    assert!((deepest.contact.gap + 2e-3).abs() < 1e-4, "{}", deepest.contact.gap);
    assert!(deepest.contact.point.x.hypot(deepest.contact.point.z) < 1e-4);
    assert!(deepest.weights.iter().all(|w| *w > 0.1), "inside the triangle");
    assert!((deepest.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);

    // The same needle on a grid that resolves it.
    let shape = Shape::Capsule { radius: 2e-2, length: 1.0 };
    let bounds = stiction::mesh::BoundingBox {
        min: Vector3::new(-0.1, -0.6, -0.1),
        max: Vector3::new(0.1, 0.6, 0.1),
    };
    let settings = GridSettings { resolution: 120, ..GridSettings::default() };
    let grid =
        DistanceGrid::sample(&bounds, &settings, |x| shape.distance(x).unwrap().value).unwrap();
    let search = Search { slope: 1.3, ..Search::overlaps(0.3) };
    let on_grid = |x: Vector3| grid.jet(&x);
    assert_eq!(touch_vertices(&on_grid, &corners, 0.0), vec![]);
    let deepest = deepest_on_triangle(&on_grid, &corners, &search).unwrap();
    assert!((deepest.contact.gap + 2e-2).abs() < 5e-3, "{}", deepest.contact.gap);
}

#[test]
fn vertices_that_touch_are_found_with_their_numbers() {
    let field = field(Shape::Plane { normal: Vector3::y(), offset: 0.0 });
    let points = [0.2, -0.1, 0.0, 0.05].map(|y| Vector3::new(1.0, y, 2.0));
    let found: Vec<u32> = touch_vertices(&field, &points, 0.1).iter().map(|(v, _)| *v).collect();
    assert_eq!(found, [1, 2, 3]);
}

#[test]
fn the_deepest_point_is_the_deepest_of_many_samples() {
    let shapes = [
        Shape::Sphere { radius: 0.5 },
        Shape::Box { size: Vector3::new(0.9, 0.5, 0.7), rounding: 0.0 },
        Shape::Torus { ring_radius: 0.5, tube_radius: 0.15 },
        Shape::Cylinder { radius: 0.3, length: 0.8 },
        Shape::Plane { normal: Vector3::y(), offset: -0.2 },
    ];
    let mut random = Random::new(11);
    let mut kinds = [0; 4];
    for shape in shapes {
        let field = field(shape);
        for _ in 0..60 {
            let corners = [0; 3].map(|_| Vector3::from_fn(|_, _| random.value()));
            let search = Search { reach: 10.0, tolerance: 1e-3, slope: 1.0, pieces: 20_000 };
            let deepest = deepest_on_triangle(&field, &corners, &search).unwrap();
            let slow = sampled(&field, &corners, 120);
            assert!(deepest.contact.gap < slow + 1e-3, "{} is not {slow}", deepest.contact.gap);
            assert!(deepest.bound <= slow + 1e-12, "{} is no bound of {slow}", deepest.bound);
            kinds[deepest.weights.iter().filter(|w| **w > 0.0).count()] += 1;
            let overlaps = deepest_on_triangle(&field, &corners, &Search { reach: 0.0, ..search });
            assert_eq!(overlaps.is_some(), deepest.contact.gap <= 0.0);
        }
    }
    assert!(kinds[1..].iter().all(|count| *count > 10), "corners, edges and faces: {kinds:?}");
}

#[test]
fn triangles_without_area_and_fields_without_slope_are_no_trouble() {
    let field = field(Shape::Sphere { radius: 1.0 });
    let search = Search { reach: 1.0, ..Search::overlaps(1.0) };
    let point = [Vector3::new(0.5, 0.0, 0.0); 3];
    let deepest = deepest_on_triangle(&field, &point, &search).unwrap();
    assert!((deepest.contact.gap + 0.5).abs() < 1e-15);
    let line = [Vector3::x(), -Vector3::x(), Vector3::zeros()];
    let deepest = deepest_on_triangle(&field, &line, &search).unwrap();
    assert!(deepest.contact.gap < -0.98 && deepest.contact.normal.norm() > 0.99);
}

#[test]
fn work_is_bounded_and_the_bound_is_honest() {
    // A triangle parallel to a plane: everything is equally deep, nothing can be left out.
    let field = field(Shape::Plane { normal: Vector3::y(), offset: 0.0 });
    let corners = [[1.0, -0.1, 0.0], [-1.0, -0.1, 1.0], [-1.0, -0.1, -1.0]].map(Vector3::from);
    let search = Search { tolerance: 0.0, pieces: 200, ..Search::overlaps(1.0) };
    let deepest = deepest_on_triangle(&field, &corners, &search).unwrap();
    assert!((deepest.contact.gap + 0.1).abs() < 1e-15 && deepest.bound < -0.1);
}

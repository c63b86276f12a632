//! Pairs of features: none missed, none twice, and one contact for a vertex wherever it slides.

use std::collections::BTreeMap;

use stiction::geometry::closest::{closest_point_triangle, closest_segment_segment};
use stiction::geometry::features::{Feature, Proximity, Surface, proximities, self_proximities};
use stiction::math::Vector3;
use stiction::mesh::TriMesh;
use stiction::mesh::generate::{CuboidSplit, Diagonals, cuboid, sheet};
use stiction_check::matrices::Random;

fn cube(cells: usize) -> TriMesh {
    cuboid([1.0; 3], [cells; 3], CuboidSplit::Kuhn).expect("a cube").boundary().surface
}

fn vector(random: &mut Random) -> Vector3 {
    Vector3::from_fn(|_, _| random.value())
}

/// Whether a feature is a face or bounds it; the same for an edge.
fn bounds(surface: &Surface, feature: Feature, corners: &[u32]) -> bool {
    match feature {
        Feature::Vertex(v) => corners.contains(&v),
        Feature::Edge(e) => surface.edges()[e as usize].iter().all(|v| corners.contains(v)),
        Feature::Face(f) => surface.triangles()[f as usize] == *corners,
    }
}

/// Every vertex and face, and every two edges, within reach are in the list under one name, with their distance.
fn check(
    a: &Surface,
    x_a: &[Vector3],
    b: &Surface,
    x_b: &[Vector3],
    reach: f64,
    found: &[Proximity],
    same: bool,
) {
    let names: Vec<_> = found.iter().map(Proximity::features).collect();
    assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "sorted, and none twice");
    assert!(found.iter().all(|p| p.distance() <= reach));
    for p in found {
        let offset = p.a.point(x_a) - p.b.point(x_b);
        assert!((offset - p.offset).norm() < 1e-14);
    }
    let is_there = |corners_a: &[u32], corners_b: &[u32], distance: f64| {
        found.iter().any(|p| {
            let [f, g] = p.features();
            let straight = bounds(a, f, corners_a) && bounds(b, g, corners_b);
            let turned = same && bounds(a, g, corners_a) && bounds(b, f, corners_b);
            (straight || turned) && (p.distance() - distance).abs() < 1e-8
        })
    };
    let near = |distance: f64| distance < reach - 1e-8;
    let point = |x: &[Vector3], v: u32| x[v as usize];
    for v in 0..x_a.len() as u32 {
        for t in b.triangles().iter().filter(|t| !(same && t.contains(&v))) {
            let distance = closest_point_triangle(point(x_a, v), &t.map(|v| point(x_b, v)))
                .distance_sq()
                .sqrt();
            assert!(
                !near(distance) || is_there(&[v], t, distance),
                "vertex {v}, {t:?}, {distance}"
            );
        }
    }
    if !same {
        for v in 0..x_b.len() as u32 {
            for t in a.triangles() {
                let distance = closest_point_triangle(point(x_b, v), &t.map(|v| point(x_a, v)))
                    .distance_sq()
                    .sqrt();
                assert!(
                    !near(distance) || is_there(t, &[v], distance),
                    "{t:?}, vertex {v}, {distance}"
                );
            }
        }
    }
    for e in a.edges() {
        for f in b.edges().iter().filter(|f| !(same && e.iter().any(|v| f.contains(v)))) {
            let ends = (e.map(|v| point(x_a, v)), f.map(|v| point(x_b, v)));
            let distance = closest_segment_segment(&ends.0, &ends.1).distance_sq().sqrt();
            assert!(!near(distance) || is_there(e, f, distance), "{e:?}, {f:?}, {distance}");
        }
    }
}

#[test]
fn all_pairs_within_reach_are_found_once() {
    let mut random = Random::new(1);
    for (cells, other) in [(1, 1), (2, 1), (2, 2)] {
        let (mesh_a, mesh_b) = (cube(cells), cube(other));
        let (a, b) = (Surface::new(&mesh_a), Surface::new(&mesh_b));
        for k in 0..6 {
            let mut shake =
                |x: &Vector3| x + vector(&mut random) * if k % 2 == 0 { 0.0 } else { 0.1 };
            let x_b: Vec<_> = mesh_b.vertices().iter().map(&mut shake).collect();
            let offset = Vector3::new(0.25, 0.125, 1.05 + 0.1 * f64::from(k)); // often flush and parallel
            let x_a: Vec<_> = mesh_a.vertices().iter().map(|x| shake(x) + offset).collect();
            let found = proximities(&a, &x_a, &b, &x_b, 0.6).expect("finite");
            check(&a, &x_a, &b, &x_b, 0.6, &found, false);
        }
    }
}

#[test]
fn a_surface_near_itself_finds_all_but_its_own_neighbours() {
    let mesh = sheet([1.0, 1.0], [6, 6], Diagonals::Alternating).expect("a sheet");
    let surface = Surface::new(&mesh);
    let mut random = Random::new(2);
    let fold = |x: &Vector3| {
        let angle = 3.0 * x.x;
        Vector3::new(0.3 * angle.sin(), x.y, 0.3 * angle.cos() + 0.2 * angle)
    };
    let x: Vec<_> = mesh.vertices().iter().map(|x| fold(x) + vector(&mut random) * 0.02).collect();
    let found = self_proximities(&surface, &x, 0.2).expect("finite");
    assert!(found.len() > 10);
    check(&surface, &x, &surface, &x, 0.2, &found, true);
}

/// One vertex that points down, the rest of its body far above.
fn pin() -> TriMesh {
    TriMesh::new(
        vec![Vector3::zeros(), Vector3::new(0.1, 0.0, 9.0), Vector3::new(0.0, 0.1, 9.0)],
        vec![[0, 1, 2]],
    )
    .expect("a triangle")
}

#[test]
fn a_vertex_that_slides_over_a_flat_mesh_always_has_one_contact() {
    // The mesh of the energy walls: squares split along their diagonals.
    let mesh = sheet([6.0, 6.0], [6, 6], Diagonals::Alternating).expect("a sheet");
    let (floor, pin_mesh) = (Surface::new(&mesh), pin());
    let pin = Surface::new(&pin_mesh);
    let turn = nalgebra::Rotation3::new(Vector3::new(0.3, 0.2, 0.5));
    let mut random = Random::new(3);
    let mut kinds = BTreeMap::new();
    for k in 0..3000 {
        // On lines of the mesh, at its vertices, and anywhere.
        let mut place = || 2.5 * random.value();
        let (x, y) = match k % 4 {
            0 => (place().round(), place().round()),
            1 => (place().round(), place()),
            2 => {
                let x = place();
                (x, x)
            }
            _ => (place(), place()),
        };
        let at = Vector3::new(x, y, 0.1);
        // Rotated, so that rounding has its say.
        let x_pin: Vec<_> = pin_mesh.vertices().iter().map(|p| turn * (p + at)).collect();
        let x_floor: Vec<_> = mesh.vertices().iter().map(|p| turn * p).collect();
        let found = proximities(&pin, &x_pin, &floor, &x_floor, 0.5).expect("finite");
        let contacts: Vec<_> = found
            .iter()
            .filter(|p| p.a.feature == Feature::Vertex(0) && p.nearest[0] && p.is_contact())
            .collect();
        assert_eq!(contacts.len(), 1, "at {x}, {y}: {contacts:?}");
        assert!((contacts[0].distance() - 0.1).abs() < 1e-9);
        let kind = match contacts[0].b.feature {
            Feature::Vertex(_) => 0,
            Feature::Edge(_) => 1,
            Feature::Face(_) => 2,
        };
        *kinds.entry(kind).or_insert(0) += 1;
    }
    assert_eq!(kinds.len(), 3, "over vertices, edges and faces: {kinds:?}");
}

#[test]
fn edges_that_cross_are_one_contact_and_seams_are_none() {
    let mesh = cube(1);
    let surface = Surface::new(&mesh);
    // Edge over edge, both cubes standing on an edge, at a right angle.
    let half = std::f64::consts::FRAC_PI_4;
    let below: Vec<_> = {
        let turn = nalgebra::Rotation3::new(Vector3::x() * half);
        mesh.vertices().iter().map(|x| turn * x).collect()
    };
    let above: Vec<_> = {
        let turn = nalgebra::Rotation3::new(Vector3::y() * half);
        let up = Vector3::new(0.1, 0.05, 2.0_f64.sqrt() + 0.01);
        mesh.vertices().iter().map(|x| turn * x + up).collect()
    };
    let found = proximities(&surface, &above, &surface, &below, 0.05).expect("finite");
    let contacts: Vec<_> = found.iter().filter(|p| p.is_contact()).collect();
    assert_eq!(contacts.len(), 1, "{contacts:?}");
    assert!(matches!(contacts[0].features(), [Feature::Edge(_), Feature::Edge(_)]));
    assert!((contacts[0].offset - Vector3::z() * 0.01).norm() < 1e-12, "from B to A");
    // Flat on flat and turned: corners inside the other face, and rims that cross; no diagonals.
    let turn = nalgebra::Rotation3::new(Vector3::z() * half);
    let flat: Vec<_> = mesh.vertices().iter().map(|x| turn * x + Vector3::z() * 1.01).collect();
    let found = proximities(&surface, &flat, &surface, mesh.vertices(), 0.02).expect("finite");
    let contacts: Vec<_> = found.iter().filter(|p| p.is_contact()).collect();
    assert_eq!(contacts.len(), 8, "{contacts:#?}");
}

#[test]
fn names_stay_while_things_move_a_little_and_nan_is_refused() {
    let mesh = cube(2);
    let surface = Surface::new(&mesh);
    let names = |shift: f64| {
        let up: Vec<_> =
            mesh.vertices().iter().map(|x| x + Vector3::new(0.3 + shift, 0.17, 1.01)).collect();
        let found = proximities(&surface, &up, &surface, mesh.vertices(), 0.05).expect("finite");
        found.iter().map(Proximity::features).collect::<Vec<_>>()
    };
    assert_eq!(names(0.0), names(1e-6));
    let mut broken = mesh.vertices().to_vec();
    broken[3].x = f64::NAN;
    assert!(proximities(&surface, &broken, &surface, mesh.vertices(), 0.1).is_err());
    assert!(self_proximities(&surface, &broken, 0.1).is_err());
}

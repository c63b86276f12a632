//! Energy walls: what a point that is dragged over a mesh feels of its triangles. On flat meshes nothing, to
//! rounding; on cylinders no more than the published field (IMLS, R = 2.5 e), whose numbers are those of
//! `docs/theory/reference-values.md`, "Ripple of round surfaces".

use std::f64::consts::PI;

use crate::support::*;
use stiction::body::{Motion, Obstacle, Shape};
use stiction::contact::Friction;
use stiction::contact::obstacle::ObstacleSurface;
use stiction::math::Vector3;
use stiction::mesh::{Selection, TriMesh};
use stiction::method::smooth::Law;
use stiction::step::Integrator;
use stiction::{Scene, Simulation};

/// The largest force along the surface over that across it, on points without friction that may only move up and down
/// while the obstacle moves below them; `out` is the direction across.
fn wall(
    obstacle: Obstacle,
    points: [Vector3; 3],
    steps: usize,
    out: impl Fn(&Vector3) -> Vector3,
) -> f64 {
    let mut scene = Scene::new();
    let points = scene.add(point_masses(points));
    scene.pin(points, Selection::All).axes = [true, false, true];
    let obstacle = scene.add(obstacle);
    let rule = scene.contact(points, obstacle);
    rule.friction = Friction::NONE;
    rule.thickness = Some(THICKNESS);
    // Without friction the solver minimises, and energies have no more digits than this.
    let mut settings = settings(Integrator::BackwardEuler, 0.01, Law::default());
    settings.smooth().solver.tolerance = 1e-3;
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    advance(&mut simulation, 60); // comes to rest on it
    let mut worst = 0.0_f64;
    for _ in 0..steps {
        advance(&mut simulation, 1);
        let contacts = simulation.contacts();
        assert_eq!(contacts.len(), 3, "all of them touch");
        for contact in contacts {
            let (force, out) = (contact.forces[0].1, out(&contact.point));
            let across = force.dot(&out);
            worst = worst.max((force - out * across).norm() / across);
        }
    }
    worst
}

#[test]
fn a_flat_mesh_has_no_energy_walls() {
    let (cells, mut vertices, mut triangles) = (24_u32, Vec::new(), Vec::new());
    let at = |i: u32, j: u32| i * (cells + 1) + j;
    for (i, j) in (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j))) {
        let shake = |k: u32| 0.02 * f64::from((i * 7 + j * 13 + k) % 11) / 11.0;
        let place = |i: u32, k: u32| -1.0 + f64::from(i) / 12.0 + shake(k);
        vertices.push(Vector3::new(place(i, 0), 0.0, place(j, 5)));
        if i < cells && j < cells {
            triangles.push([at(i, j), at(i, j + 1), at(i + 1, j)]);
            triangles.push([at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]);
        }
    }
    let mesh = TriMesh::new(vertices, triangles).expect("a surface");
    let motion = Motion::Velocity(Vector3::new(0.2, 0.0, 0.13));
    let points = [[0.0, 0.0], [0.11, 0.03], [-0.04, 0.17]];
    let points = points.map(|[x, z]| Vector3::new(x, 0.5 * THICKNESS, z));
    let obstacle = Obstacle::new(Shape::Mesh(mesh)).motion(motion);
    let worst = wall(obstacle, points, 100, |_| Vector3::y());
    assert!(worst < 1e-10, "{worst:e}");
}

/// A cylinder of radius one around `z` with flat ends, `n` around, of halved squares.
fn closed_cylinder(n: u32, rows: u32) -> TriMesh {
    let edge = 2.0 * (PI / f64::from(n)).sin();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for row in 0..=rows {
        for i in 0..n {
            let angle = 2.0 * PI * f64::from(i) / f64::from(n);
            let z = edge * (f64::from(row) - 0.5 * f64::from(rows));
            vertices.push(Vector3::new(angle.cos(), angle.sin(), z));
        }
    }
    for (row, i) in (0..rows).flat_map(|row| (0..n).map(move |i| (row, i))) {
        let (a, b) = (n * row + i, n * row + (i + 1) % n);
        triangles.extend([[a, b, a + n], [b, b + n, a + n]]);
    }
    // Rings about as wide as the squares: the radius is that of the largest triangle.
    let rings = n / 6;
    for (first, end, up) in [(0, -0.5, false), (n * rows, 0.5, true)] {
        let z = edge * end * f64::from(rows);
        let mut outer = first;
        for ring in (1..rings).rev() {
            let inner = vertices.len() as u32;
            for i in 0..n {
                let angle = 2.0 * PI * f64::from(i) / f64::from(n);
                let r = f64::from(ring) / f64::from(rings);
                vertices.push(Vector3::new(r * angle.cos(), r * angle.sin(), z));
            }
            for (i, j) in (0..n).map(|i| (i, (i + 1) % n)) {
                let cells = [[outer + i, outer + j, inner + i], [outer + j, inner + j, inner + i]];
                triangles.extend(cells.map(|[a, b, c]| if up { [a, b, c] } else { [a, c, b] }));
            }
            outer = inner;
        }
        let middle = vertices.len() as u32;
        vertices.push(Vector3::z() * z);
        for (i, j) in (0..n).map(|i| (i, (i + 1) % n)) {
            let (a, b) = (outer + i, outer + j);
            triangles.push(if up { [a, b, middle] } else { [a, middle, b] });
        }
    }
    TriMesh::new(vertices, triangles).expect("a surface")
}

#[test]
fn a_mesh_of_a_cylinder_has_lower_energy_walls_than_the_published_field() {
    // The facets themselves: tan(π/n), 2e-1 to 2.5e-2. Its ends are sharp, which must not change its side.
    for (n, published) in [(16, 9.99e-3), (32, 6.50e-3), (64, 3.46e-3), (128, 1.76e-3)] {
        let edge = 2.0 * (PI / f64::from(n)).sin();
        let steps = 60;
        // Two facets.
        let rate = Vector3::z() * (4.0 * PI / f64::from(n) / (0.01 * f64::from(steps)));
        let motion = Motion::Rotation { center: Vector3::zeros(), rate };
        let place = |angle: f64, z: f64| {
            let height = 1.0 + 0.3 * edge * edge + 0.5 * THICKNESS;
            Vector3::new(height * angle.sin(), height * angle.cos(), z * edge)
        };
        let points = [place(0.0, 0.0), place(0.3 * edge, 0.2), place(-0.1 * edge, 0.4)];
        let obstacle = Obstacle::new(Shape::Mesh(closed_cylinder(n, 20))).motion(motion);
        let out = |x: &Vector3| Vector3::new(x.x, x.y, 0.0).normalize();
        let worst = wall(obstacle, points, steps as usize, out);
        assert!(worst < published, "{n} facets: {worst:e} for {published:e}");
        assert!(worst > 1e-5, "{n} facets: {worst:e} is too good to be true");
    }
}

/// As programs for construction write it: strips as long as the cylinder, and fans on its ends.
#[test]
fn strips_and_fans_do_as_well() {
    let n = 32_u32;
    let end = |z: f64| {
        (0..n).map(move |i| {
            let angle = 2.0 * PI * f64::from(i) / f64::from(n);
            Vector3::new(angle.cos(), angle.sin(), z)
        })
    };
    let mut vertices: Vec<Vector3> = end(-2.0).chain(end(2.0)).collect();
    vertices.extend([Vector3::z() * -2.0, Vector3::z() * 2.0]);
    let sides = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        [[i, j, i + n], [j, j + n, i + n], [2 * n, j, i], [2 * n + 1, i + n, j + n]]
    });
    let mesh = TriMesh::new(vertices, sides.collect()).expect("a surface");
    let surface = ObstacleSurface::new(&Obstacle::new(Shape::Mesh(mesh))).expect("sound");
    let pose = surface.pose(0.0);
    for (k, z) in [0.0, 0.37, 1.2].into_iter().enumerate() {
        for i in 0..200 {
            let angle = 0.01 * f64::from(i) + 0.3 * k as f64;
            let out = Vector3::new(angle.cos(), angle.sin(), 0.0);
            let jet = surface.distance(&pose, out * 1.02 + Vector3::z() * z).expect("near");
            assert!((-0.03..0.02).contains(&jet.value), "{} m", jet.value);
            let across = jet.gradient.dot(&out);
            let wall = (jet.gradient - out * across).norm() / across;
            assert!(wall < 6.50e-3, "{wall:e} at {angle}, {z}");
        }
    }
    // Its ends are flat, and where they are.
    for (x, y) in [(0.0, 0.0), (0.3, 0.5), (-0.7, 0.1)] {
        let jet = surface.distance(&pose, Vector3::new(x, y, 2.01)).expect("near");
        assert!((jet.value - 0.01).abs() < 1e-12, "{} m", jet.value);
    }
}

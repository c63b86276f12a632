//! Frames show where everything is, obstacles too, with triangles that close and face outward.

use std::f64::consts::PI;

use stiction::body::{Body, Cloth, Motion, Obstacle, Shape, Solid};
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::measure::{Field, VertexField};
use stiction::mesh::{BoundingBox, Selection, TriMesh};
use stiction::{Scene, Simulation};
use stiction_scene::capture::{Capture, Stored};
use stiction_scene::frame::{BodyInfo, BodyKind, FieldPlace};
use stiction_scene::tessellate::tessellate;

fn around() -> BoundingBox {
    BoundingBox { min: [-1.0; 3].into(), max: [1.0; 3].into() }
}

fn surface(shape: &Shape) -> TriMesh {
    let surface = tessellate(shape, &around());
    TriMesh::new(surface.vertices, surface.triangles).unwrap()
}

/// How far a point is from the surface of a shape, negative inside [m].
fn distance(shape: &Shape, x: &Vector3) -> f64 {
    let ring = x.x.hypot(x.z);
    match *shape {
        Shape::Plane { normal, offset } => normal.dot(x) - offset,
        Shape::Sphere { radius } => x.norm() - radius,
        Shape::Box { size, rounding } => {
            let out = x.abs() - size * 0.5 + Vector3::repeat(rounding);
            out.sup(&Vector3::zeros()).norm() + out.max().min(0.0) - rounding
        }
        Shape::Capsule { radius, length } => {
            let nearest = Vector3::y() * x.y.clamp(-0.5 * length, 0.5 * length);
            (x - nearest).norm() - radius
        }
        Shape::Cylinder { radius, length } => (ring - radius).max(x.y.abs() - 0.5 * length),
        Shape::Torus { ring_radius, tube_radius } => (ring - ring_radius).hypot(x.y) - tube_radius,
        Shape::Mesh(_) | Shape::Points(_) | Shape::Grid(_) => panic!("shown as they are"),
    }
}

#[test]
fn shapes_close_face_outward_and_fill_their_volume() {
    let [sphere, circle] = [4.0 / 3.0 * PI, PI].map(|unit| move |r: f64, n: i32| unit * r.powi(n));
    let rounded = |size: [f64; 3], r: f64| {
        let [a, b, c] = size.map(|s| s - 2.0 * r);
        let sides = 2.0 * r * (a * b + b * c + c * a);
        a * b * c + sides + circle(r, 2) * (a + b + c) + sphere(r, 3)
    };
    let shapes = [
        (Shape::Sphere { radius: 0.3 }, sphere(0.3, 3)),
        (Shape::Box { size: [0.5, 0.4, 0.3].into(), rounding: 0.0 }, 0.06),
        (Shape::Box { size: [0.5, 0.4, 0.3].into(), rounding: 0.1 }, rounded([0.5, 0.4, 0.3], 0.1)),
        (Shape::Box { size: [0.5, 0.4, 0.2].into(), rounding: 0.1 }, rounded([0.5, 0.4, 0.2], 0.1)),
        (Shape::Box { size: [0.2; 3].into(), rounding: 0.1 }, sphere(0.1, 3)),
        (Shape::Capsule { radius: 0.1, length: 0.5 }, sphere(0.1, 3) + circle(0.1, 2) * 0.5),
        (Shape::Cylinder { radius: 0.2, length: 0.5 }, circle(0.2, 2) * 0.5),
        (Shape::Torus { ring_radius: 0.4, tube_radius: 0.1 }, 2.0 * PI * 0.4 * circle(0.1, 2)),
    ];
    for (shape, volume) in shapes {
        let mesh = surface(&shape);
        mesh.check_cloth().unwrap();
        assert!(mesh.is_closed(), "{shape:?}");
        let hole = matches!(shape, Shape::Torus { .. });
        assert_eq!(mesh.euler_characteristic(), if hole { 0 } else { 2 }, "{shape:?}");
        let filled = mesh.enclosed_volume() / volume;
        // Circles of 32 segments lose 0.6 %, spheres and tori two or three times that.
        assert!((0.98..=1.0 + 1e-12).contains(&filled), "{shape:?} fills {filled}");
        for x in mesh.vertices() {
            let miss = distance(&shape, x).abs();
            assert!(miss < 1e-15, "{shape:?}: {miss:e}");
        }
    }
}

#[test]
fn a_plane_is_a_square_below_the_bodies() {
    let mut scene = Scene::new();
    scene.add(Solid::cuboid([0.2; 3], [1; 3]).unwrap().at([5.0, 3.0, -2.0]));
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 1.0));
    scene.add(Obstacle::plane([1.0, 2.0, -2.0], 0.0).at([0.0, 0.5, 0.0]));
    let simulation = Simulation::new(&scene).unwrap();
    let capture = Capture::new(&scene, &simulation, &[]);
    let normals = [Vector3::y(), Vector3::new(1.0, 2.0, -2.0) / 3.0];
    let through = [Vector3::y(), Vector3::y() * 0.5];
    for ((body, normal), point) in capture.bodies()[1..].iter().zip(normals).zip(through) {
        assert_eq!((body.start.len(), body.triangles.len(), body.moves), (4, 2, false));
        for x in &body.start {
            assert!(normal.dot(&(Vector3::from(*x) - point)).abs() < 1e-14);
        }
        for triangle in &body.triangles {
            let [a, b, c] = triangle.map(|v| Vector3::from(body.start[v as usize]));
            assert!((b - a).cross(&(c - a)).normalize().dot(&normal) > 1.0 - 1e-12);
        }
    }
    let floor = &capture.bodies()[1].start;
    let mean = floor.iter().map(|x| Vector3::from(*x)).sum::<Vector3>() / 4.0;
    assert!((mean - Vector3::new(5.0, 1.0, -2.0)).norm() < 1e-14, "{mean}");
    let width = (Vector3::from(floor[1]) - Vector3::from(floor[0])).norm();
    assert!(width > 4.0, "as wide as the way down: {width}");
}

fn lively() -> Scene {
    let mut scene = Scene::new();
    let block =
        scene.add(Solid::cuboid([0.4, 0.1, 0.1], [4, 1, 1]).unwrap().turned([0.0, 0.0, 1.0], 0.3));
    scene.pin(block, Selection::Tag("x-min".into()));
    scene.add(Cloth::sheet([0.2, 0.2], [2, 2]).unwrap().named("flag").at([0.0, 0.0, 1.0]));
    let turning = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::y() * 2.0 };
    let ball = Obstacle::new(Shape::Sphere { radius: 0.1 }).at([1.0, 0.0, 0.0]).motion(turning);
    scene.add(ball.named("body-0"));
    scene.add(Obstacle::new(Shape::Cylinder { radius: 0.1, length: 1.0 }).named("flag"));
    scene
}

#[test]
fn bodies_are_described_once_with_names_of_their_own() {
    let scene = lively();
    let simulation = Simulation::new(&scene).unwrap();
    let capture = Capture::new(
        &scene,
        &simulation,
        &[Stored::Element(Field::VonMises), Stored::Element(Field::Pressure)],
    );
    let [block, flag, ball, pole] = capture.bodies() else { panic!("four bodies") };
    let names = [block, flag, ball, pole].map(|body| body.name.as_str());
    assert_eq!(names, ["body-0-2", "flag", "body-0", "flag-2"]);
    let kinds = [block, flag, ball, pole].map(|body| body.kind);
    use BodyKind::{Cloth, Obstacle, Solid};
    assert_eq!(kinds, [Solid, Cloth, Obstacle, Obstacle]);
    assert_eq!([block, flag, ball, pole].map(|body| body.moves), [true, true, true, false]);
    let fields = |body: &BodyInfo| -> Vec<(String, String)> {
        assert!(body.fields.iter().all(|f| f.place == FieldPlace::Element && f.components == 1));
        body.fields.iter().map(|field| (field.name.clone(), field.unit.clone())).collect()
    };
    let named = |name: &str, unit: &str| (name.to_owned(), unit.to_owned());
    assert_eq!(fields(block), [named("von_mises", "Pa"), named("pressure", "Pa")]);
    assert_eq!(fields(flag), [named("von_mises", "N/m")]);
    assert!(fields(ball).is_empty());
    // Surface triangles index the vertices of the body, and enclose it.
    let vertices = block.start.iter().map(|x| Vector3::from(*x)).collect();
    let hull = TriMesh::new(vertices, block.triangles.clone()).unwrap();
    assert!(hull.is_closed() && (hull.enclosed_volume() - 0.004).abs() < 1e-15);
    let Body::Solid(solid) = &scene.bodies[0] else { panic!("a solid") };
    assert_eq!(block.tets, solid.mesh.tets());
}

#[test]
fn frames_follow_the_simulation_and_the_motions() {
    let scene = lively();
    let mut simulation = Simulation::new(&scene).unwrap();
    let capture = Capture::new(&scene, &simulation, &[Stored::Element(Field::VonMises)]);
    let first = capture.frame(&simulation);
    for _ in 0..3 {
        assert!(simulation.step().converged());
    }
    let frame = capture.frame(&simulation);
    assert_eq!((first.step, frame.step), (0, 3));
    assert!((frame.time - 0.03).abs() < 1e-15);
    for (body, shown) in capture.bodies().iter().zip(&frame.bodies) {
        let count = if body.moves { body.start.len() } else { 0 };
        assert_eq!([shown.positions.len(), shown.velocities.len()], [count; 2]);
        let lengths: Vec<usize> = shown.fields.iter().map(Vec::len).collect();
        let expected: Vec<usize> = body.fields.iter().map(|f| body.field_len(f)).collect();
        assert_eq!(lengths, expected);
    }
    // Bits: frames are what the simulation holds.
    assert_eq!(first.bodies[0].positions, capture.bodies()[0].start);
    let id = scene.ids().next().unwrap();
    let positions: Vec<[f64; 3]> = simulation.positions(id).into_iter().map(Into::into).collect();
    assert_eq!(frame.bodies[0].positions, positions);
    assert!(frame.bodies[0].fields[0].iter().any(|stress| *stress > 0.0));
    // The ball has turned about the origin, and moves at rate × arm.
    let angle: f64 = 0.06;
    let ball = &frame.bodies[2];
    let count = ball.positions.len() as f64;
    let mean =
        |points: &[[f64; 3]]| points.iter().map(|x| Vector3::from(*x)).sum::<Vector3>() / count;
    let center = Vector3::new(angle.cos(), 0.0, -angle.sin());
    assert!((mean(&ball.positions) - center).norm() < 1e-14);
    assert!((mean(&ball.velocities) - (Vector3::y() * 2.0).cross(&center)).norm() < 1e-14);
}

#[test]
fn vertices_carry_how_far_they_moved_and_what_holds_them() {
    let mut scene = Scene::new();
    let block = Solid::cuboid([0.2, 0.1, 0.1], [4, 2, 2]).unwrap().material(Material::RUBBER);
    let block = scene.add(block.at([0.0, 1.0, 0.0]));
    scene.pin(block, Selection::Tag("x-min".into()));
    let mut simulation = Simulation::new(&scene).unwrap();
    simulation.settle().unwrap();
    let names = ["displacement", "reaction"].map(|name| Stored::from_name(name).unwrap());
    assert_eq!(names, [VertexField::Displacement, VertexField::Reaction].map(Stored::Vertex));
    let capture = Capture::new(&scene, &simulation, &names);
    let info = &capture.bodies()[0];
    assert!(info.fields.iter().all(|f| f.place == FieldPlace::Vertex && f.components == 3));
    let frame = &capture.frame(&simulation).bodies[0];
    let [moved, held] = &frame.fields[..] else { panic!("two fields") };
    for (k, (x, start)) in frame.positions.iter().zip(&info.start).enumerate() {
        for axis in 0..3 {
            assert!((moved[3 * k + axis] - (x[axis] - start[axis])).abs() < 1e-15);
        }
        let force = Vector3::from_column_slice(&held[3 * k..3 * k + 3]);
        assert_eq!(force.norm() > 0.0, (start[0] + 0.1).abs() < 1e-9, "only pins push");
    }
    assert!(moved.iter().any(|&moved| moved < -1e-4), "the block hangs down");
    let lift: f64 = held.iter().skip(1).step_by(3).sum();
    let weight = 0.002 * scene.gravity.norm() * Material::RUBBER.density();
    assert!((lift - weight).abs() < 1e-6 * weight, "{lift} N carry {weight} N");
    let error = Stored::from_name("reacton").unwrap_err();
    assert_eq!(error.suggestion, Some("reaction"));
}

//! Obstacles that are known by their distance on a grid are as good as exact ones.

use crate::support::*;
use nalgebra::UnitQuaternion;
use stiction::body::{BodyId, Gridded, Motion, Obstacle, Shape, Solid};
use stiction::contact::Friction;
use stiction::geometry::ClosedSurface;
use stiction::geometry::distance_grid::GridSettings;
use stiction::math::Vector3;
use stiction::mesh::generate::{self, CuboidSplit};
use stiction::mesh::{TetMesh, Transform};
use stiction::step::Integrator;
use stiction::{Scene, Simulation};

fn gridded(mesh: TetMesh, resolution: usize, margin: f64) -> Shape {
    let surface = ClosedSurface::from_mesh(&mesh.boundary().surface).unwrap();
    let settings = GridSettings { resolution, margin, ..GridSettings::default() };
    Shape::Grid(Gridded::new(&surface, &settings).unwrap())
}

/// A slab whose upper side is the plane y = 0.
fn slab(resolution: usize) -> Obstacle {
    let mesh = generate::cuboid([4.0, 1.0, 4.0], [1; 3], CuboidSplit::Kuhn).unwrap();
    Obstacle::new(gridded(mesh, resolution, 0.0)).at([0.0, -0.5, 0.0])
}

/// Something on a slope of 30°, thrown down it; `x` is down.
fn on_slope(ground: Obstacle, what: &dyn Fn(&mut Scene) -> BodyId) -> (Simulation, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.5, -(0.75_f64.sqrt()), 0.0) * GRAVITY;
    let body = what(&mut scene);
    let ground = scene.add(ground);
    let rule = scene.contact(body, ground);
    rule.friction = Friction::coulomb(0.3);
    rule.thickness = Some(0.01);
    let settings = settings(Integrator::Bdf2, 0.01, anchored(100.0));
    (Simulation::with_settings(&scene, settings).unwrap(), body)
}

fn block(scene: &mut Scene) -> BodyId {
    let block = Solid::cuboid([0.3, 0.1, 0.2], [3, 1, 2]).unwrap();
    scene.add(block.at([-1.0, 0.055, 0.03]).velocity([0.3, 0.0, 0.1]))
}

#[test]
fn a_block_slides_on_a_slab_as_on_a_plane() {
    let run = |ground: Obstacle| {
        let (mut simulation, body) = on_slope(ground, &block);
        advance(&mut simulation, 30);
        simulation.positions(body)
    };
    let plane = run(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let grid = run(slab(40));
    for (a, b) in plane.iter().zip(&grid) {
        assert!((a - b).norm() < 1e-8, "{a:?} and {b:?}");
    }
}

#[test]
fn scale_and_rotation_of_a_grid_are_those_of_its_placement() {
    let mesh = generate::cuboid([4.0, 1.0, 4.0], [1; 3], CuboidSplit::Kuhn).unwrap();
    let mut small = Obstacle::new(gridded(mesh, 40, 0.0));
    small.placement = Transform::identity()
        .with_scale(Vector3::repeat(0.9))
        .unwrap()
        .with_rotation(UnitQuaternion::from_euler_angles(0.0, 0.4, 0.0))
        .with_translation(Vector3::new(0.0, -0.45, 0.0));
    assert!(small.is_valid());
    let run = |ground: Obstacle| {
        let (mut simulation, body) = on_slope(ground, &block);
        advance(&mut simulation, 10);
        middle(&simulation, body)
    };
    assert!((run(small.clone()) - run(slab(40))).norm() < 1e-8);
    small.placement = Transform::identity().with_scale(Vector3::new(1.0, 2.0, 1.0)).unwrap();
    assert!(!small.is_valid(), "distances do not stretch");
}

/// A rubber ball dropped on a fixed one, a little beside its top.
fn dropped(ground: Shape) -> (Vec<Vector3>, f64) {
    let mut scene = Scene::new();
    let ball = Solid::new(generate::ball(0.1, 0.05).unwrap());
    let ball = scene.add(ball.at([0.04, 0.42, 0.0]));
    let ground = scene.add(Obstacle::new(ground));
    let rule = scene.contact(ball, ground);
    rule.friction = Friction::coulomb(0.4);
    rule.thickness = Some(0.01);
    let settings = settings(Integrator::Bdf2, 0.005, anchored(100.0));
    let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
    let mut path = Vec::new();
    let mut lowest = f64::INFINITY;
    for _ in 0..50 {
        let report = advance(&mut simulation, 1);
        lowest = lowest.min(report.contact.smallest_gap);
        path.push(middle(&simulation, ball));
    }
    (path, lowest)
}

#[test]
fn a_ball_falls_on_a_meshed_ball_as_on_an_exact_one() {
    let exact = dropped(Shape::Sphere { radius: 0.3 });
    // Hollow, so that it has few tets; its triangles are 0.1 mm below the ball.
    let mesh = generate::layered_ball(&[0.2, 0.3], 24).unwrap();
    let grid = dropped(gridded(mesh, 60, 0.05));
    assert!(exact.1 < 5e-3 && exact.0[49].x > 0.042, "it bounced off: {:?}", exact.0[49]);
    let apart = exact.0.iter().zip(&grid.0).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(apart < 2e-3, "{apart} m");
    assert!(grid.1 > -1e-3, "it sank in by {} m", -grid.1);
}

#[test]
fn a_moving_grid_carries_what_lies_on_it() {
    let motion = Motion::Keyframes {
        frames: vec![
            stiction::body::Keyframe::default(),
            stiction::body::Keyframe {
                time: 1.0,
                translation: Vector3::new(0.3, 0.0, 0.0),
                ..Default::default()
            },
        ],
        center: Vector3::zeros(),
        interpolation: stiction::body::Interpolation::Smooth,
    };
    let run = |ground: Obstacle| {
        let mut scene = Scene::new();
        let body = block(&mut scene);
        let ground = scene.add(ground.motion(motion.clone()));
        scene.contact(body, ground).friction = Friction::coulomb(0.8);
        let mut simulation = Simulation::new(&scene).unwrap();
        advance(&mut simulation, 40);
        middle(&simulation, body)
    };
    let plane = run(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    assert!((plane - run(slab(40))).norm() < 1e-6);
}

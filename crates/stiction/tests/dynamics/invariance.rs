//! Free bodies fall exactly, keep their momentum, and do not care which way space is turned.

use nalgebra::Rotation3;
use stiction::body::{Anchor, BodyId, Cloth, LoadKind, Motion, Solid, Spring};
use stiction::material::{Damping, Fabric, Material, SolidLaw, Stretch};
use stiction::math::Vector3;
use stiction::mesh::{Selection, Transform};
use stiction::method::smooth::{SmoothSettings, SolverSettings, StageSolver};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::monitors::{INTEGRATORS, Monitor, distance};

fn block(law: SolidLaw, damping: Damping) -> Solid {
    let material = Material::new(2e4, 0.3, 1000.0)
        .and_then(|m| m.with_law(law))
        .and_then(|m| m.with_damping(damping))
        .unwrap();
    Solid::cuboid([0.2, 0.15, 0.1], [2, 2, 1]).unwrap().material(material)
}

fn settings(time_step: f64, integrator: Integrator) -> Settings {
    let solver = SolverSettings { tolerance: 1e-9, ..SolverSettings::default() };
    let method = SmoothSettings { integrator, solver }.into();
    Settings { time_step, method, ..Settings::default() }
}

fn start(scene: &Scene, time_step: f64, integrator: Integrator) -> Simulation {
    Simulation::with_settings(scene, settings(time_step, integrator)).unwrap()
}

/// Positions are quadratic in time, which every scheme but backward Euler integrates exactly; its error is
/// known: `h g t / 2`.
#[test]
fn falling_blocks_are_exact_to_rounding() {
    let (h, v0) = (0.02, Vector3::new(0.3, 1.0, -0.2));
    for (integrator, _) in INTEGRATORS {
        let mut scene = Scene::new();
        let damping = Damping { mass: 0.0, stiffness: 3e-3 };
        let body = scene.add(block(SolidLaw::StableNeoHookean, damping).velocity(v0));
        let mut simulation = start(&scene, h, integrator);
        let rest = simulation.positions(body);
        for _ in 0..50 {
            assert!(simulation.step().converged());
            let t = simulation.time();
            let extra = if integrator == Integrator::BackwardEuler { 0.5 * h * t } else { 0.0 };
            let path = v0 * t + scene.gravity * (0.5 * t * t + extra);
            for (x, rest) in simulation.positions(body).iter().zip(&rest) {
                let miss = (x - rest - path).norm();
                // Of the distance fallen, or of the block at the very start.
                assert!(miss < 1e-12 * path.norm().max(0.2), "{integrator} at {t}: {miss:e}");
            }
        }
    }
}

/// A squeezed block, a ribbon and a spring between them, thrown.
fn thrown(damping: Damping) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let solid = block(SolidLaw::StableNeoHookean, damping);
    let squeezed =
        solid.mesh.vertices().iter().map(|x| Vector3::new(1.2 * x.x, 0.9 * x.y, x.z)).collect();
    let solid = solid.starting_at(squeezed).velocity([1.0, 0.5, 0.0]).spin([1.0, 4.0, -2.0]);
    let a = scene.add(solid);
    let stretch = Stretch::Isotropic { youngs_modulus: 5.0, poissons_ratio: 0.3 };
    let fabric = Fabric::new(stretch, 0.3, 1e-4).and_then(|f| f.with_damping(damping)).unwrap();
    let ribbon = Cloth::sheet([0.3, 0.1], [4, 2]).unwrap().material(fabric).at([0.3, 0.1, 0.2]);
    let b = scene.add(ribbon.velocity([-0.5, 0.0, 0.2]).spin([0.0, 0.0, 3.0]));
    let spring = Spring::new(Anchor::Vertex(a, 3), Anchor::Vertex(b, 0), 3.0);
    scene.spring(spring.rest_length(0.15).damping(0.02));
    scene
}

#[test]
fn linear_momentum_is_kept_to_rounding() {
    // Drag along the mass would take it away, as it should.
    let scene = thrown(Damping { mass: 0.0, stiffness: 1e-3 });
    for (integrator, _) in INTEGRATORS {
        let monitor = Monitor::watch(&mut start(&scene, 0.01, integrator), 50);
        let drift = monitor.linear_momentum().max_relative();
        assert!(drift < 1e-12, "{integrator}: {drift:e}");
    }
}

/// Spun up at once, so it stretches and swings; dampers act along their line and take nothing away.
#[test]
fn angular_momentum_drifts_less_by_the_order_of_the_scheme() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let spinning = |at: [f64; 3]| {
        let jelly = Material::new(5e3, 0.3, 1000.0).unwrap();
        let block = Solid::cuboid([0.2, 0.15, 0.1], [2, 2, 1]).unwrap().material(jelly);
        block.at(at).velocity([1.0, 0.5, 0.0]).spin([1.0, 4.0, -2.0])
    };
    let [a, b] = [[0.0, 0.0, 0.0], [0.4, 0.0, 0.1]].map(|at| scene.add(spinning(at)));
    let spring = Spring::new(Anchor::Vertex(a, 3), Anchor::Vertex(b, 0), 30.0);
    scene.spring(spring.rest_length(0.1).damping(2.0));
    for (integrator, order) in INTEGRATORS {
        let drift = |steps: usize| {
            let mut simulation = start(&scene, 0.2 / steps as f64, integrator);
            Monitor::watch(&mut simulation, steps).angular_momentum().max_relative()
        };
        let (coarse, fine) = (drift(100), drift(200));
        let seen = (coarse / fine).log2();
        assert!(seen > order - 0.2, "{integrator}: order {seen:.3} ({coarse:e} → {fine:e})");
    }
}

/// Turned and moved, but not deformed: no energy, no force, and so no motion.
#[test]
fn rigid_rotation_costs_nothing() {
    let laws = SolidLaw::NAMES.into_iter().filter(|(_, law)| *law != SolidLaw::Linear);
    for (name, law) in laws {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let turned = |x: &Vector3| Rotation3::new(Vector3::new(1.0, 2.0, -0.5)) * x;
        let solid = block(law, Damping { mass: 0.0, stiffness: 1e-3 });
        let shape = solid.mesh.vertices().iter().map(turned).collect();
        scene.add(solid.starting_at(shape).at([1.0, 2.0, 3.0]));
        let cloth = Cloth::sheet([0.3, 0.2], [3, 2]).unwrap();
        let shape = cloth.mesh.vertices().iter().map(turned).collect();
        scene.add(cloth.starting_at(shape));
        let mut simulation = start(&scene, 0.01, Integrator::Trapezoid);
        // Strain is a rounding error ε, and energy goes with its square; moduli are at most 1e6.
        assert!(simulation.energies().elastic.abs() < 1e-12, "{name}: {:?}", simulation.energies());
        let before = simulation.trajectory().q.clone();
        assert!(simulation.step().converged());
        let moved = distance(&simulation.trajectory().q, &before);
        assert!(moved < 1e-12, "{name} moves by {moved:e}");
    }
}

/// Everything at once, placed by a rotation.
fn scene_in_frame(turn: &Rotation3<f64>) -> (Scene, Vec<BodyId>) {
    let mut scene = Scene::new();
    scene.gravity = turn * Vector3::new(0.0, -9.81, 0.0);
    let damping = Damping { mass: 0.3, stiffness: 2e-3 };
    let placed = |at: [f64; 3]| {
        let transform = Transform::identity().with_rotation((*turn).into());
        transform.with_translation(turn * Vector3::from(at))
    };
    let block = block(SolidLaw::StableNeoHookean, damping)
        .placed(placed([0.0, 0.0, 0.0]))
        .velocity(turn * Vector3::new(0.5, 1.0, 0.2))
        .spin(turn * Vector3::new(3.0, -2.0, 1.0));
    let a = scene.add(block);
    let fabric = Fabric::SOFT_COTTON.with_damping(damping).unwrap();
    let cloth = Cloth::sheet([0.3, 0.2], [3, 3]).unwrap().material(fabric);
    let b = scene.add(cloth.placed(placed([0.1, 0.4, 0.0])));
    let rate = turn * Vector3::new(1.0, 0.0, 2.0);
    let center = turn * Vector3::new(-0.05, 0.4, 0.0);
    scene.pin(b, Selection::Tag("left".into())).motion(Motion::Rotation { center, rate });
    scene.spring(Spring::new(Anchor::Vertex(a, 0), Anchor::Vertex(b, 9), 15.0).damping(0.05));
    let wind = turn * Vector3::new(0.2, 0.0, 1.0);
    scene.load(b, Selection::All, LoadKind::Traction(wind));
    (scene, vec![a, b])
}

#[test]
fn a_rotated_scene_takes_the_rotated_path() {
    let turn = Rotation3::new(Vector3::new(0.7, -1.9, 1.1));
    let (plain, bodies) = scene_in_frame(&Rotation3::identity());
    let (turned, _) = scene_in_frame(&turn);
    for (integrator, _) in INTEGRATORS {
        let (mut plain, mut turned) =
            (start(&plain, 0.01, integrator), start(&turned, 0.01, integrator));
        for _ in 0..30 {
            assert!(plain.step().converged() && turned.step().converged());
        }
        for &body in &bodies {
            for (x, y) in plain.positions(body).iter().zip(turned.positions(body)) {
                let miss = (turn * x - y).norm();
                assert!(miss < 1e-9, "{integrator}: {miss:e}");
            }
        }
    }
}

/// Rounding aside, a constant velocity of everything changes nothing either.
#[test]
fn a_moving_frame_sees_the_same_motion() {
    let drift = Vector3::new(3.0, -2.0, 1.0);
    let run = |drift: Vector3| {
        let mut scene = thrown(Damping { mass: 0.0, stiffness: 1e-3 });
        for body in &mut scene.bodies {
            match body {
                stiction::body::Body::Solid(solid) => solid.velocity += drift,
                stiction::body::Body::Cloth(cloth) => cloth.velocity += drift,
                stiction::body::Body::Rigid(rigid) => rigid.velocity += drift,
                stiction::body::Body::Obstacle(_) => {}
            }
        }
        let mut simulation = start(&scene, 0.01, Integrator::Bdf2);
        (0..30).for_each(|_| assert!(simulation.step().converged()));
        let shift = drift * simulation.time();
        let q = simulation.trajectory().q.clone();
        q.chunks_exact(3)
            .flat_map(|x| (0..3).map(|a| x[a] - shift[a]).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let apart = distance(&run(Vector3::zeros()), &run(drift));
    assert!(apart < 1e-9, "{apart:e}");
}

/// Iterative solves leave residuals that do not add up to zero, but no more than the tolerance.
#[test]
fn inexact_solves_keep_momentum_to_the_tolerance() {
    let scene = thrown(Damping { mass: 0.0, stiffness: 1e-3 });
    let mut settings = settings(0.01, Integrator::Bdf2);
    settings.smooth().solver.method = StageSolver::InexactNewton;
    let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
    let mass: f64 = simulation.model().node_masses().iter().sum();
    let drift = Monitor::watch(&mut simulation, 50).linear_momentum().max;
    // 50 steps of 0.01 s, each with an unbalanced acceleration of up to 1e-9 m/s².
    assert!(drift < 50.0 * 0.01 * 1e-9 * mass, "{drift:e}");
}

//! Rigid bodies with barriers.

use stiction::body::{BodyId, Cloth, Obstacle, Rigid, Shape};
use stiction::material::Fabric;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::mesh::generate::torus;
use stiction::method::barrier::BarrierSettings;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::scenes::{block, contact_force, floor, mass, mesh_block, soft_block};

fn simulation(scene: &Scene, h: f64, tolerance: f64) -> Simulation {
    let method = BarrierSettings { tolerance, ..Default::default() }.into();
    Simulation::with_settings(scene, Settings { time_step: h, method, ..Default::default() })
        .expect("valid")
}

/// Steps until a time; nothing crosses on the way.
fn run(simulation: &mut Simulation, until: f64) {
    while simulation.time() < until - 1e-9 {
        let report = simulation.step();
        assert_eq!(simulation.intersections().total(), 0, "at {} s", simulation.time());
        assert!(report.converged(), "at {} s: {:?}", simulation.time(), report.status);
    }
}

/// Predicted: without contacts the equations are those of backward Euler in `smooth`, whatever is held of torques on
/// the way to the solution. Three different moments, a spin about none of the axes, 0.2 rad a step.
#[test]
fn what_tumbles_alone_tumbles_as_elsewhere() {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let brick = block([0.3, 0.2, 0.1]).turned([1.0, 2.0, 0.5], 0.7).spin([12.0, 15.0, 3.0]);
    let brick = scene.add(brick.velocity([0.3, 0.0, 0.0]));
    let mut ours = simulation(&scene, 0.01, 1e-9);
    let mut method = SmoothSettings { integrator: Integrator::BackwardEuler, ..Default::default() };
    method.solver.tolerance = 1e-9;
    let settings = Settings { time_step: 0.01, method: method.into(), ..Default::default() };
    let mut theirs = Simulation::with_settings(&scene, settings).expect("valid");
    for _ in 0..20 {
        let report = ours.step();
        assert!(report.converged(), "{report:?}");
        assert!(theirs.step().converged());
        let [a, b] = [&ours, &theirs].map(|each| each.rigid_state(brick).expect("rigid"));
        assert!((a.spin - b.spin).norm() < 1e-8, "{} and {}", a.spin, b.spin);
        assert!(a.orientation.angle_to(&b.orientation) < 1e-9);
        assert!((a.center - b.center).norm() < 1e-11);
    }
}

/// Predicted: each surface carries what is above it, and nothing moves in the end.
#[test]
fn a_stack_rests_and_presses_with_its_weight() {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let boxes: Vec<BodyId> = (0..3)
        .map(|k| scene.add(block([0.1; 3]).at([0.0, 0.0505 + 0.1005 * f64::from(k), 0.0])))
        .collect();
    let mut simulation = simulation(&scene, 0.01, 1e-6);
    run(&mut simulation, 1.0);
    let weight = 9.81 * mass(&simulation, boxes[0]);
    for (k, &body) in boxes.iter().enumerate() {
        let below = if k == 0 { floor } else { boxes[k - 1] };
        let force = contact_force(&simulation, body, Some(below)).y;
        let expected = weight * (boxes.len() - k) as f64;
        assert!((force / expected - 1.0).abs() < 1e-3, "box {k}: {force} N, not {expected} N");
        let state = simulation.rigid_state(body).expect("rigid");
        assert!(state.velocity.norm() < 1e-4 && state.spin.norm() < 1e-3, "{state:?}");
    }
}

/// Twelve triangles each, the upper one turned by 20°: corners of neither are above the other's.
#[test]
fn cubes_of_eight_vertices_rest_on_each_other() {
    let mut scene = Scene::new();
    scene.add(floor());
    let lower = scene.add(mesh_block([0.1; 3], [1; 3]).at([0.0, 0.0505, 0.0]));
    let turned = mesh_block([0.1; 3], [1; 3]).turned([0.0, 1.0, 0.0], 20_f64.to_radians());
    let upper = scene.add(turned.at([0.0, 0.1515, 0.0]));
    let mut simulation = simulation(&scene, 0.01, 1e-4);
    run(&mut simulation, 0.6);
    let height = simulation.rigid_state(upper).expect("rigid").center.y;
    assert!((0.15..0.1515).contains(&height), "{height} m");
    let (force, weight) =
        (contact_force(&simulation, upper, Some(lower)).y, 9.81 * mass(&simulation, upper));
    assert!((force / weight - 1.0).abs() < 1e-2, "{force} N, not {weight} N");
}

/// A cube that is thrown at a cloth of a twentieth of a millimetre, held at its rim, at 100 m/s: two
/// centimetres a step. Steps may stop short, and say so; nothing has passed through even then.
#[test]
fn a_fast_cube_does_not_pass_through_cloth() {
    let mut scene = Scene::new();
    let sheet = Cloth::sheet([0.2; 2], [6; 2]).expect("valid").material(Fabric::COTTON);
    let sheet = scene.add(sheet);
    scene.pin(sheet, Selection::Boundary);
    let thrown = block([0.01; 3]).at([0.003, 0.002, 0.03]).velocity([0.0, 0.0, -100.0]);
    let thrown = scene.add(thrown.turned([1.0, 0.3, 0.0], 0.4));
    let method = BarrierSettings { tolerance: 1.0, max_iterations: 40, ..Default::default() };
    let (method, time_step) = (method.into(), 2e-4);
    let settings = Settings { time_step, max_halvings: 0, method };
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let mut touched = 0;
    for _ in 0..4 {
        let report = simulation.step();
        assert_eq!(simulation.intersections().total(), 0, "at {} s", simulation.time());
        assert!(report.residual().value.is_finite());
        touched += report.contact.touching;
    }
    assert!(touched > 0);
    let center = simulation.rigid_state(thrown).expect("rigid").center;
    let lowest = simulation.positions(sheet).iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    assert!(center.z > lowest, "{center} is below {lowest} m");
}

/// Two rings through each other, the upper one held by its surroundings: the lower one falls and hangs in it.
#[test]
fn a_ring_hangs_in_a_ring() {
    let ring = || {
        let torus = torus(0.04, 0.01, 0.018).expect("valid").boundary().surface;
        Rigid::new(torus)
    };
    let mut scene = Scene::new();
    scene.add(Obstacle::new(Shape::Mesh(ring().mesh)));
    let turned = ring().turned([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2);
    let hangs = scene.add(turned.at([0.04, 0.0, 0.0]));
    let mut simulation = simulation(&scene, 0.01, 1e-1);
    run(&mut simulation, 0.15);
    let center = simulation.rigid_state(hangs).expect("rigid").center;
    assert!(center.norm() < 0.1, "still linked: {center}");
}

/// A box that gravity pulls along a floor, with so much of what friction can hold: way and speed in the end.
fn pulled(part: f64) -> (f64, f64) {
    let mu = 0.5;
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(mu * part, -1.0, 0.0).normalize() * 9.81;
    let floor = scene.add(floor());
    let body = scene.add(block([0.2, 0.05, 0.2]).at([0.0, 0.02515, 0.0]));
    scene.friction_between(body, floor, mu);
    let mut simulation = simulation(&scene, 0.01, 1e-6);
    run(&mut simulation, 0.5);
    let before = simulation.rigid_state(body).expect("rigid").center.x;
    run(&mut simulation, 1.0);
    let state = simulation.rigid_state(body).expect("rigid");
    (state.center.x - before, state.velocity.x)
}

/// Predicted: below its limit friction holds without creep, above it the box slides with `g (sin θ − μ cos θ)`.
#[test]
fn friction_holds_a_box_without_creep() {
    let (crept, _) = pulled(0.95);
    assert!(crept.abs() < 1e-7, "crept by {crept} m");
    let (_, velocity) = pulled(1.3);
    let (mu, slope) = (0.5, 0.5 * 1.3_f64);
    let expected = 9.81 * (slope - mu) / slope.hypot(1.0);
    assert!((velocity / expected - 1.0).abs() < 0.03, "{velocity} m/s, not {expected} m/s");
}

/// Two boxes that meet in mid-air, one turned: linear momentum stays, to what balances leave; angular momentum but for
/// what backward Euler loses of spin. A state that was kept goes on to the same bits.
#[test]
fn blows_keep_momentum_and_states_go_on_to_the_same_bits() {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let one = block([0.1; 3]).at([-0.06, 0.02, 0.01]).velocity([1.0, 0.0, 0.0]);
    let other = block([0.1; 3]).turned([0.2, 1.0, 0.1], 0.4).at([0.07, -0.02, 0.0]);
    scene.add(one);
    scene.add(other);
    let new = || simulation(&scene, 0.002, 1e-6);
    let mut simulation = new();
    let (linear, _) = simulation.momentum();
    let mut touched = 0;
    for _ in 0..30 {
        let mut again = new();
        again.restore(&simulation.state()).expect("its own");
        let report = simulation.step();
        assert!(report.converged(), "at {} s: {report:?}", simulation.time());
        again.step();
        assert_eq!(again.state(), simulation.state());
        touched += simulation.contacts().len();
    }
    assert!(touched > 0);
    let change = (simulation.momentum().0 - linear).norm();
    // 1e-6 m/s² on two bodies of a kilogram, for all the time.
    assert!(change < 1e-6 * 2.0 * 0.06, "{change}");
}

/// A soft block on a rigid one on a soft one.
#[test]
fn soft_and_rigid_bodies_rest_on_each_other() {
    let mut scene = Scene::new();
    scene.add(floor());
    let low = scene.add(soft_block([0.12, 0.05, 0.12], [3, 1, 3]).at([0.0, 0.0255, 0.0]));
    let middle = scene.add(block([0.1, 0.02, 0.1]).at([0.0, 0.0615, 0.0]));
    let high = scene.add(soft_block([0.08, 0.05, 0.08], [2, 1, 2]).at([0.01, 0.0975, 0.0]));
    let mut simulation = simulation(&scene, 0.01, 1e-4);
    run(&mut simulation, 1.0);
    let weights = [middle, high].map(|body| 9.81 * mass(&simulation, body));
    let force = contact_force(&simulation, middle, Some(low)).y;
    let expected = weights[0] + weights[1];
    assert!((force / expected - 1.0).abs() < 0.01, "{force} N, not {expected} N");
}

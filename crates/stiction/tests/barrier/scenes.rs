//! Scenes with barriers.

use stiction::body::{BodyId, Cloth, Interpolation, Keyframe, Motion, Obstacle, Solid};
use stiction::material::{BendingModel, Fabric, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::mesh::generate::{Diagonals, sheet};
use stiction::method::barrier::BarrierSettings;
use stiction::{Scene, Settings, Simulation};

fn simulation(scene: &Scene, h: f64) -> Simulation {
    let method = BarrierSettings { tolerance: 1e-3, ..Default::default() }.into();
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

fn floor(scene: &mut Scene) -> BodyId {
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0))
}

fn weight(simulation: &Simulation, body: BodyId) -> f64 {
    9.81 * simulation.model().vertex_masses(body).iter().sum::<f64>()
}

/// Predicted: the floor carries the weight.
#[test]
fn a_block_comes_to_rest_on_the_floor() {
    let mut scene = Scene::new();
    let floor = floor(&mut scene);
    let block = Solid::cuboid([0.1; 3], [3, 3, 3]).expect("valid").material(Material::RUBBER);
    let block = scene.add(block.at([0.0, 0.06, 0.0]));
    scene.friction_between(block, floor, 0.5);
    let mut simulation = simulation(&scene, 0.01);
    run(&mut simulation, 1.0);
    let pressed: f64 = simulation.contacts().iter().map(|contact| contact.normal_force).sum();
    let weight = weight(&simulation, block);
    assert!((pressed / weight - 1.0).abs() < 1e-3, "{pressed} N carry {weight} N");
    let fastest = simulation.velocities(block).iter().fold(0.0, |most: f64, v| most.max(v.norm()));
    assert!(fastest < 1e-3, "{fastest} m/s");
}

/// A wall that moves from `x` towards the middle, by `way`, in half a second.
fn wall(x: [f64; 3], way: [f64; 3]) -> Obstacle {
    let normal = Vector3::from(way).normalize();
    let frames = vec![
        Keyframe::default(),
        Keyframe { time: 0.5, translation: way.into(), ..Keyframe::default() },
    ];
    let (center, interpolation) = (Vector3::zeros(), Interpolation::Linear);
    let mut wall = Obstacle::plane(normal, normal.dot(&Vector3::from(x)));
    wall.motion = Motion::Keyframes { frames, center, interpolation };
    wall
}

/// A sheet of silk between walls that close: it has no room but in folds.
#[test]
fn a_sheet_is_crumpled_in_a_closing_box() {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let flat = sheet([0.2, 0.2], [12, 12], Diagonals::Alternating).expect("valid");
    // Not quite flat, so that it knows where to go.
    let wave = |x: &Vector3| Vector3::new(x.x, x.y, 2e-3 * (31.0 * x.x + 17.0 * x.y).sin());
    let start = flat.vertices().iter().map(wave).collect();
    // By hinges: softer, and there are more folds than a test has time for.
    let silk = Fabric::SOFT_SILK.with_bending_stiffness(3e-8).expect("not below zero");
    let silk = silk.with_bending_model(BendingModel::Hinges);
    scene.add(Cloth::new(flat).material(silk).starting_at(start));
    for k in 0..3 {
        for side in [-1.0, 1.0] {
            let (mut x, mut way) = ([0.0; 3], [0.0; 3]);
            x[k] = side * 0.105;
            way[k] = -side * 0.06;
            scene.add(wall(x, way));
        }
    }
    let mut simulation = simulation(&scene, 0.01);
    run(&mut simulation, 0.5);
}

/// A bar of rubber between clamps, twisted by two turns and a half: its faces fold onto themselves.
#[test]
fn a_bar_is_twisted_far() {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let bar = Solid::cuboid([0.4, 0.1, 0.1], [12, 3, 3]).expect("valid").material(Material::RUBBER);
    let bar = scene.add(bar);
    for (end, way) in [("x-min", -1.0), ("x-max", 1.0)] {
        let rotation = Vector3::x() * (way * 3.5 * std::f64::consts::PI);
        let frames =
            vec![Keyframe::default(), Keyframe { time: 1.5, rotation, ..Keyframe::default() }];
        let (center, interpolation) = (Vector3::zeros(), Interpolation::Linear);
        let motion = Motion::Keyframes { frames, center, interpolation };
        let pin = scene.pin(bar, Selection::Tag(end.into()));
        pin.motion = motion;
    }
    let mut simulation = simulation(&scene, 0.02);
    run(&mut simulation, 1.5);
}

/// A soft block on a floor that gravity pulls along, with so much of what friction can hold; how far it went in the
/// last half of a second, and how fast it is along the floor in the end.
fn pulled(part: f64) -> (f64, f64) {
    let mu = 0.5;
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(mu * part, -1.0, 0.0).normalize() * 9.81;
    let floor = floor(&mut scene);
    let block = Solid::cuboid([0.2, 0.05, 0.2], [4, 1, 4]).expect("valid");
    let block = scene.add(block.material(Material::RUBBER).at([0.0, 0.0265, 0.0]));
    scene.friction_between(block, floor, mu);
    let mut simulation = simulation(&scene, 0.01);
    let middle = |x: Vec<Vector3>| x.iter().map(|x| x.x).sum::<f64>() / x.len() as f64;
    run(&mut simulation, 0.5);
    let before = middle(simulation.positions(block));
    run(&mut simulation, 1.0);
    (middle(simulation.positions(block)) - before, middle(simulation.velocities(block)))
}

/// Predicted: below its limit friction holds without creep, above it the block slides with `g (sin θ − μ cos θ)`.
#[test]
fn friction_holds_what_it_can_without_creep() {
    let (crept, _) = pulled(0.95);
    assert!(crept.abs() < 1e-6, "crept by {crept} m");
    let (_, velocity) = pulled(1.3);
    let (mu, slope) = (0.5, 0.5 * 1.3_f64);
    let expected = 9.81 * (slope - mu) / slope.hypot(1.0);
    // It starts above its layer, and is pulled along while it falls into it.
    assert!((velocity / expected - 1.0).abs() < 0.03, "{velocity} m/s, not {expected} m/s");
}

/// Two blocks that meet in mid-air, one of them turned, and go on from a state that was kept: to the same bits, and
/// with the momentum that they had.
#[test]
fn blows_keep_momentum_and_states_go_on_to_the_same_bits() {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let block = |x: f64, v: f64| {
        let block = Solid::cuboid([0.1; 3], [2, 2, 2]).expect("valid").material(Material::RUBBER);
        block.at([x, 0.03 * x.signum(), 0.01]).velocity([v, 0.0, 0.0])
    };
    let (a, b) = (scene.add(block(-0.06, 1.0)), scene.add(block(0.06, -0.5)));
    scene.friction_between(a, b, 0.4);
    let settings = |tolerance| {
        let method = BarrierSettings { tolerance, ..Default::default() }.into();
        Settings { time_step: 0.005, method, ..Default::default() }
    };
    let new = || Simulation::with_settings(&scene, settings(1e-6)).expect("valid");
    let mut simulation = new();
    let (start, _) = simulation.momentum();
    let mut touched = 0;
    while simulation.time() < 0.05 {
        let mut again = new();
        again.restore(&simulation.state()).expect("its own");
        assert!(simulation.step().converged());
        again.step();
        assert_eq!(again.state(), simulation.state());
        touched += simulation.contacts().len();
        for contact in simulation.contacts() {
            let sum: Vector3 = contact.forces.iter().map(|(_, force)| force).sum();
            assert!(sum.norm() <= 1e-9 * contact.normal_force, "{sum}");
        }
    }
    assert!(touched > 0);
    let (end, _) = simulation.momentum();
    // What balances leave over: 1e-6 m/s² on all of it, for all the time.
    let mass: f64 = simulation.model().node_masses().iter().sum();
    assert!((end - start).norm() < 1e-6 * mass * 0.05, "{start} became {end}");
}

#[test]
fn what_has_no_room_at_the_start_is_refused() {
    let refused = |height: f64| {
        let mut scene = Scene::new();
        floor(&mut scene);
        let block = Solid::cuboid([0.1; 3], [2, 2, 2]).expect("valid");
        scene.add(block.material(Material::RUBBER).at([0.0, height, 0.0]));
        let method = BarrierSettings::default().into();
        let settings = Settings { method, ..Default::default() };
        Simulation::with_settings(&scene, settings).err().map(|error| error.to_string())
    };
    assert!(refused(0.051).is_none());
    for height in [0.05, 0.03] {
        let message = refused(height).expect("it touches");
        assert!(message.contains("move them apart"), "{message}");
    }
}

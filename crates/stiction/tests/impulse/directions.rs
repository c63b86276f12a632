//! Friction that depends on direction, and on whether something slides.

use std::sync::Arc;

use stiction::body::{BodyId, LoadKind, Obstacle, Profile, Rigid, Shape, Solid};
use stiction::contact::Friction;
use stiction::contact::friction::{Combination, Directional, FrictionTensor, Grain, NormalMap};
use stiction::material::Material;
use stiction::math::{Matrix2, Vector3};
use stiction::mesh::Selection;
use stiction::method::impulse::ImpulseSettings;
use stiction::solve::complementarity::cone::{Map, Solver};
use stiction::{Scene, Settings, Simulation};

const G: f64 = 9.81;

fn block(size: [f64; 3]) -> Rigid {
    let shape = Shape::Box { size: size.into(), rounding: 0.0 };
    Rigid::shape(&shape, 12).expect("a box")
}

fn simulation(scene: &Scene, solver: Solver) -> Simulation {
    let impulse = ImpulseSettings { tolerance: 1e-12, solver, ..ImpulseSettings::default() };
    let settings = Settings { time_step: 0.01, method: impulse.into(), ..Default::default() };
    Simulation::with_settings(scene, settings).expect("valid")
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "{report:?}");
    }
}

fn velocity(simulation: &Simulation, body: BodyId) -> Vector3 {
    simulation.rigid_state(body).expect("rigid").velocity
}

/// A box on a plane under gravity that pulls along `(x, z)` as a slope of that tangent.
fn on_slope(pull: [f64; 2], friction: Friction) -> (Scene, BodyId, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(pull[0], -1.0, pull[1]) * G;
    let cube = scene.add(block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.contact(cube, plane).friction = friction;
    (scene, cube, plane)
}

fn grained(along: f64, across: f64) -> Friction {
    Friction { direction: Directional::Grain { along, across }, ..Friction::coulomb(0.5) }
}

fn slides(scene: &Scene, body: BodyId) -> bool {
    let mut simulation = simulation(scene, Solver::Default);
    run(&mut simulation, 50);
    let speed = velocity(&simulation, body).norm();
    assert!(!(1e-9..1e-6).contains(&speed), "neither holds nor slides: {speed:e}");
    speed > 1e-6
}

#[test]
fn a_slope_holds_along_and_across_the_grain_as_much_as_it_should() {
    for (pull, expected) in [
        ([0.2999, 0.0], false),
        ([0.3001, 0.0], true),
        ([0.0, 0.5999], false),
        ([0.0, 0.6001], true),
        ([-0.3001, 0.0], true),
    ] {
        let (mut scene, cube, plane) = on_slope(pull, grained(0.3, 0.6));
        scene.skin(plane).grain = Some(Grain::Straight(Vector3::x()));
        assert_eq!(slides(&scene, cube), expected, "{pull:?}");
    }
}

/// Downhill at an angle to the grain, a box goes where `a ∥ v`, with the friction that takes most of its energy.
#[test]
fn a_box_is_led_aside_by_the_grain() {
    let solvers = [
        Solver::Default,
        Solver::Nncg,
        Solver::Newton(Map::AlartCurnier),
        Solver::Newton(Map::FischerBurmeister),
        Solver::Apgd,
    ];
    for solver in solvers {
        let (mut scene, cube, plane) = on_slope([0.8, 0.8], grained(0.2, 0.7));
        scene.skin(plane).grain = Some(Grain::Straight(Vector3::x() * 3.0));
        let mut simulation = simulation(&scene, solver);
        run(&mut simulation, 40);
        let v = velocity(&simulation, cube);
        let length = (0.2 * v.x).hypot(0.7 * v.z);
        let a =
            Vector3::new(0.8 - 0.2 * 0.2 * v.x / length, 0.0, 0.8 - 0.7 * 0.7 * v.z / length) * G;
        assert!((v - a * 0.4).norm() < 1e-7, "{}: {v:?}, not {:?}", solver.name(), a * 0.4);
        assert!(v.x > 1.5 * v.z, "it goes along the grain: {v:?}");
    }
}

/// V34 of `docs/theory/reference-values.md` in motion: with 30° between grains it is 0.3 along their mean, with 90° 0.5
/// along anything.
#[test]
fn matchsticks_hold_as_their_angle_says() {
    for (degrees, threshold) in [(0.0, 0.2), (30.0, 0.3), (60.0, 0.4), (90.0, 0.5)] {
        for (factor, expected) in [(0.999, false), (1.001, true)] {
            let (sin, cos) = f64::to_radians(0.5 * degrees).sin_cos();
            let pull = [cos * threshold * factor, sin * threshold * factor];
            let (mut scene, cube, plane) = on_slope(pull, grained(0.2, 0.8));
            scene.skin(cube).grain = Some(Grain::Straight(Vector3::x()));
            let (sin, cos) = f64::to_radians(degrees).sin_cos();
            scene.skin(plane).grain = Some(Grain::Straight(Vector3::new(-cos, 0.0, -sin)));
            assert_eq!(slides(&scene, cube), expected, "{degrees}°, {factor}");
        }
    }
}

/// The grain turns with its body: a box turned by 90° is held across it.
#[test]
fn the_grain_turns_with_its_body() {
    for (turned, expected) in [(false, true), (true, false)] {
        let (mut scene, cube, _) = on_slope([0.45, 0.0], grained(0.3, 0.6));
        let angle = if turned { std::f64::consts::FRAC_PI_2 } else { 0.0 };
        let cube_body = block([0.2, 0.1, 0.2]).turned([0.0, 1.0, 0.0], angle);
        scene.bodies[cube.index()] = cube_body.at([0.0, 0.05, 0.0]).into();
        scene.skin(cube).grain = Some(Grain::Straight(Vector3::x()));
        assert_eq!(slides(&scene, cube), expected, "turned: {turned}");
    }
}

/// V36 of `docs/theory/reference-values.md`: with the same pull a cube slides along the ridges and sticks across them.
/// Steep sides hold more than gentle ones.
#[test]
fn a_sawtooth_holds_across_its_ridges() {
    let textured = Friction { direction: Directional::Texture, ..Friction::coulomb(0.1) };
    let sliding = |pull: [f64; 2], map: &Arc<NormalMap>| {
        let (mut scene, cube, plane) = on_slope(pull, textured);
        let skin = scene.skin(plane);
        skin.grain = Some(Grain::Straight(Vector3::x()));
        skin.texture = Some(map.clone());
        slides(&scene, cube)
    };
    let even = Arc::new(NormalMap::sawtooth(0.004, 0.002, 0.5).expect("valid"));
    assert!(sliding([0.2, 0.0], &even) && sliding([-0.2, 0.0], &even));
    assert!(!sliding([0.0, 0.2], &even) && !sliding([0.0, -0.2], &even));
    // Half of the facets stand at 45°: 0.1 + 0.5 sin 45° (2/π) π/4 = 0.2768.
    assert!(!sliding([0.0, 0.2767], &even) && sliding([0.0, 0.2769], &even));
    // Rising slowly towards −z (seen from above, left of +x) and falling steeply: what comes along +z climbs the
    // steep side. Slopes 0.3125 on four fifths and 1.25 on one add 0.0460 and 0.0891.
    let uneven = Arc::new(NormalMap::sawtooth(0.004, 0.001, 0.8).expect("valid"));
    let held = [0.165, -0.165].map(|pull| !sliding([0.0, pull], &uneven));
    assert_eq!(held, [true, false]);
}

/// Two tensors add; a backward one counts where the other body comes the other way.
#[test]
fn tensors_resist_by_direction() {
    let friction = Friction { direction: Directional::Tensor(0.5), ..Friction::NONE };
    let sliding = |pull: [f64; 2], backward: Option<Matrix2>, start: f64| {
        let (mut scene, cube, plane) = on_slope(pull, friction);
        scene.skin(cube).grain = Some(Grain::Straight(Vector3::x()));
        scene.skin(cube).tensor = Some(FrictionTensor::diagonal(0.2, 0.6));
        scene.skin(plane).grain = Some(Grain::Straight(Vector3::z()));
        let forward = Matrix2::new(0.4, 0.0, 0.0, 0.8);
        scene.skin(plane).tensor = Some(FrictionTensor { forward, backward });
        scene.bodies[cube.index()] =
            block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]).velocity([0.0, 0.0, start]).into();
        let mut simulation = simulation(&scene, Solver::Default);
        run(&mut simulation, 60);
        velocity(&simulation, cube).norm() > 1e-6
    };
    // Along x: (0.2 + 0.8)/2; along z: (0.6 + 0.4)/2.
    assert!(sliding([0.501, 0.0], None, 0.0) && !sliding([0.499, 0.0], None, 0.0));
    assert!(sliding([0.0, 0.501], None, 0.0) && !sliding([0.0, 0.499], None, 0.0));
    // Slippery one way: it goes on along −z, and stops along +z.
    let slippery = Some(Matrix2::new(0.0, 0.0, 0.0, 0.8));
    assert!(sliding([0.0, -0.4], slippery, -0.5) && !sliding([0.0, 0.4], slippery, 0.5));
}

/// A box on a surface that resists 0.6 along its grain and 0.1 against it, under a pull along the grain.
fn on_scales(pull: f64, velocity: f64) -> (Scene, BodyId) {
    let friction = Friction { direction: Directional::Tensor(1.0), ..Friction::NONE };
    let (mut scene, cube, plane) = on_slope([pull, 0.0], friction);
    let [forward, backward] = [0.6, 0.1].map(|mu| Matrix2::identity() * mu);
    scene.skin(plane).grain = Some(Grain::Straight(Vector3::x()));
    scene.skin(plane).tensor = Some(FrictionTensor { forward, backward: Some(backward) });
    scene.bodies[cube.index()] =
        block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]).velocity([velocity, 0.0, 0.0]).into();
    (scene, cube)
}

/// Goes on from a state under another pull.
fn pulled(from: &Simulation, pull: f64) -> Simulation {
    let mut next = simulation(&on_scales(pull, 0.0).0, Solver::Default);
    next.restore(&from.state()).expect("the same bodies");
    next
}

/// At rest velocities are rounding, of either sign: they do not choose the tensor.
#[test]
fn what_rests_keeps_the_tensor_of_its_last_slip() {
    // Between both limits it stays as it was left, whichever way it is pulled: 0.6 counts until it slips the other way.
    let (scene, cube) = on_scales(0.3, 0.5);
    let mut rests = simulation(&scene, Solver::Default);
    run(&mut rests, 30);
    for pull in [0.3, -0.3, 0.59, -0.59] {
        rests = pulled(&rests, pull);
        for _ in 0..100 {
            run(&mut rests, 1);
            let speed = velocity(&rests, cube).norm();
            assert!(speed < 1e-10, "{pull}: {speed:e}");
        }
    }
    let mut slips = pulled(&rests, -0.61);
    run(&mut slips, 1);
    assert!(velocity(&slips, cube).x < -1e-4, "{:?}", velocity(&slips, cube));
    // From now on 0.1 is all there is.
    let mut slips = pulled(&slips, -0.3);
    let before = velocity(&slips, cube).x;
    run(&mut slips, 20);
    let gained = velocity(&slips, cube).x - before;
    assert!((gained + 0.2 * 0.2 * G).abs() < 1e-8, "{gained}");
    // Nor is more left where it comes to rest, until it has slipped along the grain: for one step.
    let mut rests = pulled(&slips, -0.05);
    run(&mut rests, 150);
    let mut back = pulled(&rests, 0.3);
    run(&mut back, 1);
    let v = velocity(&back, cube).x;
    assert!((v - 0.01 * 0.2 * G).abs() < 1e-8, "{v}");
    run(&mut back, 1);
    assert!(velocity(&back, cube).norm() < 1e-10, "{:?}", velocity(&back, cube));
}

/// It slides against the grain until 0.41 s, and is pulled along it from 0.5 s on, by less than 0.6: what was not
/// remembered would never move.
#[test]
fn the_tensor_of_the_last_slip_is_saved() {
    let (mut scene, cube) = on_scales(-0.05, -0.2);
    let weight = block([0.2, 0.1, 0.2]).properties().expect("a box").mass() * G;
    let pull = LoadKind::Force(Vector3::x() * (0.35 * weight));
    let profile = Profile::Points(vec![(0.5, 0.0), (0.51, 1.0)]);
    scene.load(cube, Selection::All, pull).profile(profile);
    let mut one = simulation(&scene, Solver::Default);
    run(&mut one, 20);
    let sliding = one.state();
    run(&mut one, 25);
    let resting = one.state();
    assert!(velocity(&one, cube).norm() < 1e-10, "{:?}", velocity(&one, cube));
    run(&mut one, 6);
    assert!(velocity(&one, cube).x > 1e-3, "{:?}", velocity(&one, cube));
    for (saved, steps) in [(sliding, 31), (resting, 6)] {
        let mut other = simulation(&scene, Solver::Default);
        other.restore(&saved).expect("the same scene");
        run(&mut other, steps);
        assert!(one.state() == other.state(), "{steps} steps before");
    }
}

/// What rests is held by the static coefficient, what slides is not.
#[test]
fn what_slides_is_held_less_than_what_rests() {
    let friction = Friction { static_coefficient: Some(0.6), ..Friction::coulomb(0.3) };
    let (scene, cube, _) = on_slope([0.5, 0.0], friction);
    assert!(!slides(&scene, cube));
    let (mut scene, cube, _) = on_slope([0.5, 0.0], friction);
    scene.bodies[cube.index()] =
        block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]).velocity([0.5, 0.0, 0.0]).into();
    let mut one = simulation(&scene, Solver::Default);
    run(&mut one, 1);
    let first = velocity(&one, cube).x;
    run(&mut one, 50);
    let gained = velocity(&one, cube).x - first;
    assert!((gained - 0.5 * (0.5 - 0.3) * G).abs() < 1e-8, "{gained}");
}

#[test]
fn a_soft_block_feels_the_grain_it_carries() {
    for (grain, expected) in [(Vector3::x(), true), (Vector3::z(), false)] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::new(0.4, -1.0, 0.0) * G;
        let solid = Solid::cuboid([0.2, 0.1, 0.2], [2, 1, 2]).expect("valid");
        let solid = scene.add(solid.material(Material::RUBBER).at([0.0, 0.0505, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.contact(solid, plane).friction = grained(0.3, 0.6);
        scene.skin(solid).grain = Some(Grain::Straight(grain));
        let mut simulation = simulation(&scene, Solver::Default);
        run(&mut simulation, 60);
        let v = simulation.velocities(solid);
        let speed = (v.iter().sum::<Vector3>() / v.len() as f64).x;
        assert_eq!(speed > 0.1, expected, "{grain:?}: {speed}");
    }
}

#[test]
fn materials_of_skins_find_their_pair() {
    let setup = |combination| {
        let (mut scene, cube, plane) = on_slope([0.0, 0.0], Friction::default());
        scene.contacts.clear();
        scene.combination = combination;
        (scene, cube, plane)
    };
    let (mut scene, cube, plane) = setup(Combination::Average);
    scene.skin(cube).stuff.material = Some("rubber".into());
    scene.skin(plane).stuff.material = Some("asphalt".into());
    assert_eq!(scene.friction_of(cube, plane), scene.friction_of(plane, cube));
    assert_eq!(scene.friction_of(cube, plane).static_coefficient, Some(0.9));
    let expected = [0.5, 0.4, 0.2, 0.8];
    use Combination::{Average, Geometric, Larger, Smaller};
    for (rule, expected) in [Average, Geometric, Smaller, Larger].into_iter().zip(expected) {
        let (mut scene, cube, plane) = setup(rule);
        scene.skin(cube).coefficient = Some(0.2);
        scene.skin(plane).coefficient = Some(0.8);
        let mu = scene.friction_of(cube, plane).coefficient;
        assert!((mu - expected).abs() < 1e-15, "{rule:?}: {mu}");
        for (factor, slid) in [(0.99, false), (1.01, true)] {
            scene.gravity = Vector3::new(mu * factor, -1.0, 0.0) * G;
            assert_eq!(slides(&scene, cube), slid, "{rule:?} {factor}");
        }
    }
}

#[test]
fn frictions_that_make_no_sense_are_refused() {
    let refused = |change: &dyn Fn(&mut Scene, BodyId, BodyId)| {
        let (mut scene, cube, plane) = on_slope([0.1, 0.0], Friction::coulomb(0.5));
        change(&mut scene, cube, plane);
        let impulse = ImpulseSettings::default();
        let settings = Settings { method: impulse.into(), ..Default::default() };
        Simulation::with_settings(&scene, settings).err().map(|error| error.to_string())
    };
    let friction =
        |friction: Friction| refused(&move |scene, _, _| scene.contacts[0].friction = friction);
    for bad in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(friction(Friction::coulomb(bad)).is_some(), "{bad}");
        assert!(friction(Friction { torsion: bad, ..Friction::coulomb(0.5) }).is_some(), "{bad}");
        assert!(friction(Friction { rolling: bad, ..Friction::coulomb(0.5) }).is_some(), "{bad}");
        assert!(friction(grained(bad, 0.5)).is_some(), "{bad}");
    }
    let without = friction(grained(0.2, 0.5)).expect("refused");
    assert!(without.contains("help:") && without.contains("grain"), "{without}");
    let grain =
        |grain: Grain| refused(&move |scene, _, plane| scene.skin(plane).grain = Some(grain));
    assert!(grain(Grain::Straight(Vector3::zeros())).is_some());
    assert!(grain(Grain::Straight(Vector3::repeat(f64::NAN))).is_some());
    let driving = refused(&|scene, _, plane| {
        scene.skin(plane).grain = Some(Grain::Straight(Vector3::x()));
        scene.skin(plane).tensor = Some(FrictionTensor::diagonal(-0.1, 0.5));
    });
    assert!(driving.is_some());
    let smooth = |friction: Friction| {
        let (mut scene, ..) = on_slope([0.1, 0.0], Friction::coulomb(0.5));
        scene.contacts[0].friction = friction;
        Simulation::with_settings(&scene, Settings::default()).err().map(|e| e.to_string())
    };
    assert_eq!(smooth(Friction { torsion: 0.1, ..Friction::coulomb(0.5) }), None);
    let apart = Friction { torsion: 0.1, shared: false, ..Friction::coulomb(0.5) };
    for refused in [apart, Friction { rolling: 0.1, ..Friction::coulomb(0.5) }] {
        let error = smooth(refused).expect("refused");
        assert!(error.contains("impulse"), "{error}");
    }
    // A grain along the normal is no grain: it is as if there were none.
    let (mut scene, cube, plane) = on_slope([0.45, 0.0], grained(0.1, 0.2));
    scene.skin(plane).grain = Some(Grain::Straight(Vector3::y()));
    assert!(!slides(&scene, cube), "isotropic, 0.5");
    // No friction along the grain, some across.
    let (mut scene, cube, plane) = on_slope([0.01, 0.0], grained(0.0, 0.6));
    scene.skin(plane).grain = Some(Grain::Straight(Vector3::x()));
    assert!(slides(&scene, cube));
}

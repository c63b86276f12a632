//! Bodies that touch.

use stiction::body::{BodyId, Cloth, End, Joint, Obstacle, Rigid, Shape, Solid};
use stiction::contact::Friction;
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::scenes::run;

/// A box of 0.2 m whose surface has several vertices a side.
fn cube() -> Rigid {
    let solid = Solid::cuboid([0.2; 3], [3; 3]).expect("valid");
    Rigid::new(solid.mesh.boundary().surface)
}

/// Gravity turned instead of the slope.
fn slope(tangent: f64) -> Vector3 {
    Vector3::new(tangent, -1.0, 0.0).normalize() * 9.81
}

fn simulation(scene: &Scene, h: f64, integrator: Integrator) -> Simulation {
    let settings = Settings {
        time_step: h,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Default::default()
    };
    Simulation::with_settings(scene, settings).expect("valid")
}

fn velocity(simulation: &Simulation, body: BodyId) -> Vector3 {
    simulation.rigid_state(body).expect("rigid").velocity
}

#[test]
fn a_box_on_a_slope_slides_or_stays_as_coulomb_says() {
    for (friction, slides) in [(0.501, false), (0.499, true), (0.3, true)] {
        for integrator in [Integrator::BackwardEuler, Integrator::Bdf2] {
            let mut scene = Scene::new();
            scene.gravity = slope(0.5);
            let cube = scene.add(cube().at([0.0, 0.1, 0.0]));
            let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
            scene.friction_between(cube, plane, friction);
            let mut simulation = simulation(&scene, 0.01, integrator);
            simulation.settle().ok();
            run(&mut simulation, 0.2);
            let before = velocity(&simulation, cube).x;
            run(&mut simulation, 0.6);
            let acceleration = (velocity(&simulation, cube).x - before) / 0.4;
            let down = slope(0.5);
            let expected = down.x + friction * down.y;
            if slides {
                let off = acceleration - expected;
                assert!(off.abs() < 1e-3 * 9.81, "{integrator}, {friction}: {acceleration}");
            } else {
                assert!(velocity(&simulation, cube).norm() < 1e-9, "{integrator}: creeps");
            }
        }
    }
}

/// Momentum of a rigid box that slides over a soft block, and of a soft one over a rigid box, in free space.
#[test]
fn what_touches_in_free_space_keeps_its_momentum() {
    let soft = Material::RUBBER.with_youngs_modulus(1e5).expect("valid");
    for rigid_above in [true, false] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let other = Solid::cuboid([0.4, 0.2, 0.4], [6, 2, 6]).expect("valid").material(soft);
        let (rigid, other) = if rigid_above {
            let other = scene.add(other);
            (
                scene.add(
                    cube().at([0.0, 0.205, 0.0]).velocity([0.5, -0.5, 0.1]).spin([0.0, 1.0, 0.3]),
                ),
                other,
            )
        } else {
            let rigid = scene.add(cube().spin([0.0, 1.0, 0.3]));
            (rigid, scene.add(other.at([0.0, 0.205, 0.0]).velocity([0.5, -0.5, 0.1])))
        };
        scene.friction_between(rigid, other, 0.5);
        let mut simulation = simulation(&scene, 0.002, Integrator::BackwardEuler);
        let (linear, _) = simulation.momentum();
        let mut touched = 0;
        for _ in 0..30 {
            assert!(simulation.step().converged());
            touched += simulation.contacts().len();
        }
        assert!(touched > 20, "{touched} contacts");
        let (after, _) = simulation.momentum();
        let size = linear.norm();
        // The tolerance of the solver, over all steps.
        assert!((after - linear).norm() < 1e-5 * size, "{linear:?}, then {after:?}");
    }
}

#[test]
fn cloth_falls_on_a_rigid_box_that_rests_on_the_ground() {
    let mut scene = Scene::new();
    let cube = scene.add(cube().at([0.0, 0.1005, 0.0]));
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let sheet = Cloth::sheet([0.3; 2], [10; 2]).expect("valid");
    let sheet =
        scene.add(sheet.turned([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2).at([0.0, 0.21, 0.0]));
    let mut simulation = simulation(&scene, 0.01, Integrator::BackwardEuler);
    run(&mut simulation, 0.3);
    let center = simulation.rigid_state(cube).expect("rigid").center;
    assert!((center - Vector3::new(0.0, 0.1, 0.0)).norm() < 2e-3, "{center:?}");
    let lowest = simulation.positions(sheet).iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    assert!(lowest > 0.0 && lowest < 0.2, "{lowest}");
}

/// Down a slope of tangent 0.3 a ball rolls with 5/7 of the acceleration of one that slips freely, if `μ > 2/7 tan θ`.
#[test]
fn a_ball_rolls_or_slips() {
    for (friction, rolls) in [(0.2, true), (0.05, false)] {
        let mut scene = Scene::new();
        scene.gravity = slope(0.3);
        let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 24).expect("a ball");
        let ball = scene.add(ball.at([0.0, 0.10005, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.friction_between(ball, plane, friction);
        let mut simulation = simulation(&scene, 0.005, Integrator::Bdf2);
        run(&mut simulation, 0.3);
        let before = velocity(&simulation, ball).x;
        run(&mut simulation, 0.8);
        let acceleration = (velocity(&simulation, ball).x - before) / 0.5;
        let down = slope(0.3);
        let expected = if rolls { 5.0 / 7.0 * down.x } else { down.x + friction * down.y };
        assert!(
            (acceleration / expected - 1.0).abs() < 1e-3,
            "{friction}: {acceleration}, not {expected}"
        );
        let state = simulation.rigid_state(ball).expect("rigid");
        let slip = state.velocity.x + 0.1 * state.spin.z;
        assert_eq!(slip.abs() < 1e-3 * state.velocity.x, rolls, "{friction}: slips at {slip}");
    }
}

/// A capsule touches with the two ends of its axis: down a slope it rolls as its moment of inertia says.
#[test]
fn a_capsule_rolls() {
    let mut scene = Scene::new();
    scene.gravity = slope(0.3);
    let shape = Shape::Capsule { radius: 0.1, length: 0.3 };
    let capsule = Rigid::shape(&shape, 24).expect("a capsule");
    let properties = capsule.properties().expect("has mass");
    let capsule = capsule.turned([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2);
    let capsule = scene.add(capsule.at([0.0, 0.10005, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(capsule, plane, 0.3);
    let mut simulation = simulation(&scene, 0.005, Integrator::Bdf2);
    run(&mut simulation, 0.3);
    assert_eq!(simulation.contacts().len(), 2);
    let before = velocity(&simulation, capsule).x;
    run(&mut simulation, 0.8);
    let acceleration = (velocity(&simulation, capsule).x - before) / 0.5;
    let share = properties.inertia()[(1, 1)] / (properties.mass() * 0.1 * 0.1);
    let expected = slope(0.3).x / (1.0 + share);
    assert!((acceleration / expected - 1.0).abs() < 1e-3, "{acceleration}, not {expected}");
}

/// A ball of 0.1 m.
fn ball() -> Rigid {
    Rigid::shape(&Shape::Sphere { radius: 0.1 }, 12).expect("a ball")
}

/// Two balls that strike each other off centre, spinning. Where friction holds, what slides at the contact stops:
/// seven parts of the momentum of one ball that slides are one part that it gives away.
#[test]
fn balls_that_collide_keep_their_momentum_and_stop_to_slide() {
    for integrator in [Integrator::BackwardEuler, Integrator::Bdf2] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let a = scene
            .add(ball().at([0.0, 0.201, 0.0]).velocity([0.1, -0.5, 0.0]).spin([0.0, 3.0, 0.0]));
        let b = scene.add(ball());
        scene.friction_between(a, b, 1.0);
        let mut settings = Settings {
            time_step: 2e-4,
            method: SmoothSettings { integrator, ..Default::default() }.into(),
            ..Default::default()
        };
        settings.smooth().solver.tolerance = 1e-9;
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let (linear, _) = simulation.momentum();
        let mut touched = 0;
        for _ in 0..100 {
            assert!(simulation.step().converged());
            touched = touched.max(simulation.contacts().len());
        }
        assert_eq!((touched, simulation.contacts().len()), (1, 0), "touch once");
        let (after, _) = simulation.momentum();
        assert!((after - linear).norm() < 1e-12 * linear.norm(), "{linear:?}, then {after:?}");
        let given = velocity(&simulation, b).x;
        assert!((given / (0.1 / 7.0) - 1.0).abs() < 0.03, "{integrator}: {given}");
    }
}

/// From the top of a ball that stays, a ball rolls off; it leaves where `cos θ = 10/17`, and does not slip before if
/// friction is large.
#[test]
fn a_ball_balances_on_a_ball_or_rolls_off() {
    for push in [0.0, 0.02] {
        let mut scene = Scene::new();
        let below = Rigid::shape(&Shape::Sphere { radius: 0.4 }, 12).expect("a ball");
        let below = scene.add(below);
        scene.joint(Joint::fixed(End::World, below, [0.0; 3]));
        let above =
            ball().at([0.0, 0.5001, 0.0]).velocity([push, 0.0, 0.0]).spin([0.0, 0.0, -push / 0.1]);
        let above = scene.add(above);
        let rule = scene.contact(above, below);
        (rule.friction, rule.thickness) = (Friction::coulomb(3.0), Some(2e-4));
        let mut simulation = simulation(&scene, 1e-3, Integrator::Bdf2);
        let mut leaves = None;
        while simulation.time() < 1.5 - 1e-9 && leaves.is_none() {
            assert!(simulation.step().converged());
            let [a, b] = [above, below].map(|body| simulation.rigid_state(body).expect("rigid"));
            let from = a.center - b.center;
            let touches = simulation
                .contacts()
                .iter()
                .any(|contact| contact.collider == above || contact.surface == above);
            if simulation.time() > 0.1 && !touches {
                leaves = Some(from.y / from.norm());
            }
        }
        let aside = simulation.rigid_state(above).expect("rigid").center.x;
        if push == 0.0 {
            assert!(leaves.is_none() && aside.abs() < 1e-9, "{aside:e} m aside");
        } else {
            let cosine = leaves.expect("rolls off");
            assert!((cosine / (10.0 / 17.0) - 1.0).abs() < 0.01, "{cosine}");
        }
    }
}

//! Blows: velocities that jump within a step, and ways that lead through what is thin.

use stiction::body::{BodyId, Obstacle, Rigid, Shape};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

fn cuboid(size: [f64; 3]) -> Rigid {
    Rigid::shape(&Shape::Box { size: size.into(), rounding: 0.0 }, 4).expect("a box")
}

fn simulation(scene: &Scene, step: f64, integrator: Integrator) -> Simulation {
    let settings = Settings {
        time_step: step,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Default::default()
    };
    Simulation::with_settings(scene, settings).expect("valid")
}

/// A ball that comes down on a plane, a part of a step later or earlier.
fn bounce(phase: f64) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 12).expect("a ball");
    let ball = ball.at([0.0, 0.1 + 0.01 * (2.0 + phase), 0.0]).velocity([0.0, -1.0, 0.0]);
    let ball = scene.add(ball);
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let rule = scene.contact(ball, plane);
    (rule.friction, rule.thickness) = (Friction::NONE, Some(1e-3));
    (scene, ball)
}

/// A bounce that takes a step or two: schemes that look back would go on with what the blow did, in the step after
/// it, or in the one after the next, when the ball lets go.
#[test]
fn what_bounces_is_never_faster_than_before() {
    for integrator in [Integrator::Bdf2, Integrator::TR_BDF2, Integrator::Sdirk2] {
        for k in 0..20 {
            let (scene, ball) = bounce(0.05 * f64::from(k));
            let mut simulation = simulation(&scene, 0.01, integrator);
            let (mut energy, mut touched) = (simulation.energies().total(), false);
            for step in 0..12 {
                let report = simulation.step();
                assert!(report.converged(), "{integrator}, phase {k}: {:?}", report.status);
                touched |= report.contact.touching > 0;
                let now = simulation.energies().total();
                let most = energy * (1.0 + 1e-9);
                assert!(now <= most, "{integrator}, phase {k}, step {step}: {energy} J to {now} J");
                energy = now;
            }
            let up = simulation.rigid_state(ball).expect("rigid").velocity.y;
            assert!(touched && up >= 0.0, "{integrator}, phase {k}: {up} m/s");
        }
    }
}

/// The second blow of two steps is a blow, too: a ball lands the same way whether or not another one landed a step
/// before.
#[test]
fn a_ball_lands_the_same_way_after_a_blow_elsewhere() {
    let landed = |others: bool| {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        let balls: Vec<_> = [0.0221, 0.0121][..1 + usize::from(others)]
            .iter()
            .zip([0.0, 1.0])
            .map(|(gap, x)| {
                let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 12).expect("a ball");
                scene.add(ball.at([x, 0.1 + gap, 0.0]).velocity([0.0, -1.0, 0.0]))
            })
            .collect();
        for &ball in &balls {
            let rule = scene.contact(ball, plane);
            (rule.friction, rule.thickness) = (Friction::NONE, Some(1e-3));
        }
        let mut simulation = simulation(&scene, 0.01, Integrator::Bdf2);
        let speeds = (0..4).map(|_| {
            assert!(simulation.step().converged());
            simulation.rigid_state(balls[0]).expect("rigid").velocity.y
        });
        speeds.collect::<Vec<_>>()
    };
    let (alone, beside) = (landed(false), landed(true));
    assert!((alone[1] + 1.0).abs() < 1e-9 && alone[2] > -0.9, "lands in the third step: {alone:?}");
    for (a, b) in alone.iter().zip(&beside) {
        assert!((a - b).abs() < 1e-6, "{alone:?}, beside another {beside:?}");
    }
}

/// Saved after any step, the ones of blows and those after them included.
#[test]
fn a_run_restored_after_a_blow_has_the_same_bits() {
    let bits = |s: &Simulation| s.trajectory().q.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let (mut scene, _) = bounce(0.3);
    // So that it rolls on, and that rules of rough starts matter.
    scene.gravity = Vector3::new(3.0, -9.81, 0.0);
    scene.contacts.iter_mut().for_each(|rule| rule.friction = Friction::coulomb(0.3));
    for integrator in [Integrator::Bdf2, Integrator::TR_BDF2, Integrator::Trapezoid] {
        let start = || simulation(&scene, 0.01, integrator);
        let mut first = start();
        let states: Vec<_> = (0..9)
            .map(|_| {
                first.step();
                (first.state(), bits(&first))
            })
            .collect();
        for (k, pair) in states.windows(3).enumerate() {
            let mut second = start();
            second.restore(&pair[0].0).expect("the same scene");
            for (_, then) in &pair[1..] {
                second.step();
                assert_eq!(&bits(&second), then, "{integrator}, from step {}", k + 1);
            }
        }
    }
}

/// Up to four hundred thicknesses of a plate in one step.
#[test]
fn what_is_fast_does_not_pass_through_thin_plates() {
    for moves in [false, true] {
        for speed in [5.0, 20.0, 80.0] {
            let mut scene = Scene::new();
            scene.gravity = Vector3::zeros();
            let size = Vector3::new(1.0, 0.002, 1.0);
            let plate = if moves {
                scene.add(cuboid(size.into()).density(1e5))
            } else {
                scene.add(Obstacle::new(Shape::Box { size, rounding: 0.0 }))
            };
            let cube = cuboid([0.02; 3]).at([0.03, 0.1, 0.01]).velocity([0.0, -speed, 0.0]);
            let cube = scene.add(cube.spin([0.3, 0.1, 0.2]));
            let rule = scene.contact(cube, plate);
            (rule.friction, rule.thickness) = (Friction::NONE, Some(2e-4));
            let mut settings = Settings { time_step: 0.01, max_halvings: 14, ..Default::default() };
            settings.smooth().integrator = Integrator::BackwardEuler;
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            for _ in 0..4 {
                simulation.step();
            }
            let height = |id: BodyId| simulation.rigid_state(id).map_or(0.0, |s| s.center.y);
            let above = height(cube) - height(plate);
            assert!(above > 0.0, "{speed} m/s, moves: {moves}: {above} m above");
        }
    }
}

/// Edges alone can stop them: all corners are far away.
#[test]
fn bars_across_each_other_do_not_pass() {
    for speed in [5.0, 20.0] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let below = scene.add(cuboid([1.0, 0.01, 0.01]));
        let above = cuboid([0.01, 0.01, 1.0]).at([0.03, 0.05, 0.01]).velocity([0.0, -speed, 0.0]);
        let above = scene.add(above.turned([0.0, 1.0, 0.2], 0.3));
        let rule = scene.contact(below, above);
        (rule.friction, rule.thickness) = (Friction::NONE, Some(2e-4));
        let settings = Settings { time_step: 0.01, max_halvings: 14, ..Default::default() };
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        for _ in 0..4 {
            simulation.step();
        }
        let [a, b] = [above, below].map(|id| simulation.rigid_state(id).expect("rigid"));
        let (apart, up) = (a.center.y - b.center.y, a.velocity.y - b.velocity.y);
        assert!(apart > 0.0 && up > -0.1 * speed, "{speed} m/s: {apart} m above, {up} m/s up");
    }
}

/// A step that stops short is taken as it is: what it turned is not turned again in the next one.
#[test]
fn steps_that_stop_short_turn_bodies_once() {
    for integrator in [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::Trapezoid] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let brick = scene.add(cuboid([0.3, 0.2, 0.1]).spin([1.0, 5.0, -2.0]));
        let mut settings = Settings {
            max_halvings: 0,
            method: SmoothSettings { integrator, ..Default::default() }.into(),
            ..Default::default()
        };
        let run = |settings: Settings| {
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            let short = (0..20).filter(|_| !simulation.step().converged()).count();
            (short, simulation.rigid_state(brick).expect("rigid").orientation)
        };
        let (_, solved) = run(settings);
        (settings.smooth().solver.tolerance, settings.smooth().solver.max_iterations) = (1e-300, 1);
        let (short, turned) = run(settings);
        assert!(short > 10, "{integrator}: {short} of 20 stopped short");
        let off = turned.angle_to(&solved);
        assert!(off < 0.05, "{integrator}: {off} rad of {}", solved.angle());
    }
}

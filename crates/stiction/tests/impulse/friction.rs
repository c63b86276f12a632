//! Coulomb's law, as exact as numbers are.

use stiction::body::{BodyId, Obstacle, Rigid, Shape};
use stiction::math::Vector3;
use stiction::{Scene, Simulation};

use crate::common::{block, run, simulation};

fn velocity(simulation: &Simulation, body: BodyId) -> Vector3 {
    simulation.rigid_state(body).expect("rigid").velocity
}

fn slope(tangent: f64) -> Vector3 {
    Vector3::new(tangent, -1.0, 0.0).normalize() * 9.81
}

/// A box on a slope of tangent 0.5: sticks if and only if `μ ≥ tan θ`.
#[test]
fn a_box_sticks_or_slides_as_coulomb_says() {
    for (friction, slides) in [(0.50005, false), (0.49995, true), (0.3, true)] {
        let mut scene = Scene::new();
        scene.gravity = slope(0.5);
        let cube = scene.add(block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.friction_between(cube, plane, friction);
        let mut simulation = simulation(&scene, 0.01, 1e-13);
        run(&mut simulation, 1.0);
        let speed = velocity(&simulation, cube);
        let down = slope(0.5);
        if slides {
            let expected = down.x + friction * down.y;
            assert!((speed.x - expected).abs() < 1e-8, "{friction}: {speed:?}, not {expected}");
        } else {
            assert!(speed.norm() < 1e-12, "{friction}: creeps at {speed:?}");
        }
    }
}

#[test]
fn a_stack_of_ten_stands_still() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let boxes: Vec<BodyId> = (0..10)
        .map(|k| scene.add(block([0.1; 3]).at([0.0, 0.05 + 0.1 * f64::from(k), 0.0])))
        .collect();
    let mut simulation = simulation(&scene, 0.01, 1e-13);
    run(&mut simulation, 2.0);
    for (k, body) in boxes.iter().enumerate() {
        let state = simulation.rigid_state(*body).expect("rigid");
        let off = (state.center - Vector3::new(0.0, 0.05 + 0.1 * k as f64, 0.0)).norm();
        assert!(off < 1e-9 && state.velocity.norm() < 1e-9, "{k}: {off:e} m, {:?}", state.velocity);
    }
}

#[test]
fn a_ball_rolls_with_five_sevenths_or_slips() {
    for (friction, rolls) in [(0.2, true), (0.05, false)] {
        let mut scene = Scene::new();
        scene.gravity = slope(0.3);
        let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 24).expect("a ball");
        let ball = scene.add(ball.at([0.0, 0.1, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.friction_between(ball, plane, friction);
        let mut simulation = simulation(&scene, 0.01, 1e-13);
        run(&mut simulation, 1.0);
        let down = slope(0.3);
        let expected = if rolls { 5.0 / 7.0 * down.x } else { down.x + friction * down.y };
        let speed = velocity(&simulation, ball).x;
        assert!((speed / expected - 1.0).abs() < 1e-8, "{friction}: {speed}, not {expected}");
    }
}

#[test]
fn what_is_fast_is_caught_and_bounces_as_it_is_told() {
    for restitution in [0.0, 0.7] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let ball = Rigid::shape(&Shape::Sphere { radius: 0.01 }, 24).expect("a ball");
        let ball = scene.add(ball.at([0.0, 1.0, 0.0]).velocity([0.0, -100.0, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.friction_between(ball, plane, 0.0);
        scene.contacts[0].restitution = restitution;
        let mut simulation = simulation(&scene, 0.01, 1e-13);
        run(&mut simulation, 0.05);
        let state = simulation.rigid_state(ball).expect("rigid");
        assert!((state.velocity.y - 100.0 * restitution).abs() < 1e-9, "{:?}", state.velocity);
        // It touches after 9.9 ms, is as far up again as restitution says, and by what a step takes wrongly further:
        // a bounce begins with the step in which the plane would be reached. What does not bounce lies on the plane.
        let bounced = 0.01 + 100.0 * restitution * (0.05 - 0.0099);
        let early = if restitution > 0.0 { (1.0 + restitution) * 100.0 * 0.01 } else { 0.0 };
        let past = state.center.y - bounced;
        assert!((-1e-9..early + 1e-9).contains(&past), "{restitution}: {past} m from {bounced} m");
    }
}

#[test]
fn a_saved_state_goes_on_to_the_same_bits() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    for k in 0..4 {
        let at = [0.02 * f64::from(k), 0.06 + 0.12 * f64::from(k), 0.0];
        scene.add(block([0.1; 3]).at(at).spin([0.3, 1.0, 0.2]));
    }
    let mut one = simulation(&scene, 0.01, 1e-11);
    run(&mut one, 0.5);
    let saved = one.state();
    run(&mut one, 1.0);
    let mut two = simulation(&scene, 0.01, 1e-11);
    two.restore(&saved).expect("the same scene");
    run(&mut two, 1.0);
    assert_eq!(one.state(), two.state());
}

//! What rests: it costs no iterations, stays, and is saved with its manifolds.

use stiction::Scene;
use stiction::body::Obstacle;

use crate::common::{block, run, simulation};

/// A floor, and boxes let go a little above each other.
fn stack(count: u32) -> Scene {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    for k in 0..count {
        let at = [1e-3 * f64::from(k % 2), 0.1 + 0.202 * f64::from(k), 0.0];
        scene.add(block([0.2; 3]).at(at).turned([0.0, 1.0, 0.0], 0.05 * f64::from(k)));
    }
    scene
}

#[test]
fn a_stack_that_has_come_to_rest_needs_no_iterations_and_does_not_creep() {
    let scene = stack(6);
    let mut simulation = simulation(&scene, 0.01, 1e-6);
    run(&mut simulation, 1.5);
    let before = simulation.state().trajectory.q;
    let iterations: usize = (0..50).map(|_| simulation.step().iterations()).sum();
    assert!(iterations <= 25, "{iterations} iterations in 50 steps");
    let after = simulation.state().trajectory.q;
    let moved = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(moved < 1e-7, "{moved}");
}

/// Manifolds are kept where nothing moves: without them a restored run would find contacts that are others by rounding.
#[test]
fn a_stack_that_is_saved_while_it_comes_to_rest_goes_on_to_the_same_bits() {
    let scene = stack(4);
    let mut one = simulation(&scene, 0.01, 1e-6);
    for end in [0.3, 0.8, 1.2] {
        run(&mut one, end);
        let saved = one.state();
        let mut other = one_more(&scene, &saved);
        let mut same = one_more(&scene, &saved);
        run(&mut other, end + 0.2);
        // Not even asking what the next problem is changes anything.
        let _ = same.contact_problem();
        run(&mut same, end + 0.2);
        run(&mut one, end + 0.2);
        assert!(one.state() == other.state(), "at {end} s");
        assert!(one.state() == same.state(), "at {end} s, after a look ahead");
    }
}

fn one_more(scene: &Scene, saved: &stiction::State) -> stiction::Simulation {
    let mut simulation = simulation(scene, 0.01, 1e-6);
    simulation.restore(saved).expect("the same scene");
    simulation
}

//! Steps: where contacts are found, what spins, what is far away.

use stiction::body::{LoadKind, Obstacle, Solid};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::impulse::{ImpulseSettings, Stepping};
use stiction::{Scene, Settings, Simulation};

use crate::common::{ball, block, run, simulation, with};

fn midpoint() -> ImpulseSettings {
    let stepping = Stepping::Midpoint;
    ImpulseSettings { stepping, tolerance: 1e-13, ..ImpulseSettings::default() }
}

fn first(simulation: &Simulation, scene: &Scene) -> stiction::rigid::RigidState {
    simulation.rigid_state(scene.ids().next().expect("one")).expect("rigid")
}

/// The mean of two velocities makes parabolas exact; the one of the end is late by `g h t / 2`.
#[test]
fn moreaus_rule_falls_along_a_parabola() {
    let mut scene = Scene::new();
    scene.add(block([0.1; 3]).at([0.0; 3]).velocity([1.0, 3.0, 0.0]));
    let fallen = |settings: ImpulseSettings| {
        let mut simulation = with(&scene, 0.01, settings);
        run(&mut simulation, 1.0);
        first(&simulation, &scene).center
    };
    let exact = Vector3::new(1.0, 3.0 - 0.5 * 9.81, 0.0);
    let (middle, end) = (fallen(midpoint()), fallen(ImpulseSettings::default()));
    assert!((middle - exact).norm() < 1e-11, "{middle:?}");
    assert!((exact.y - end.y - 0.5 * 9.81 * 0.01).abs() < 1e-11, "{end:?}");
}

#[test]
fn moreaus_rule_knows_coulombs_threshold() {
    for (friction, slides) in [(0.50005, false), (0.49995, true)] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::new(0.5, -1.0, 0.0).normalize() * 9.81;
        let cube = scene.add(block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.friction_between(cube, plane, friction);
        let mut simulation = with(&scene, 0.01, midpoint());
        run(&mut simulation, 1.0);
        let (speed, g) = (first(&simulation, &scene).velocity, scene.gravity);
        match slides {
            true => assert!((speed.x - g.x - friction * g.y).abs() < 1e-8, "{speed:?}"),
            false => assert!(speed.norm() < 1e-12, "creeps at {speed:?}"),
        }
    }
}

/// V26: a ball that bounces with `e` comes back to `e²` of its height. Predicted: a step bounces where the plane would
/// be reached within it, at most `v h` too high, which leaves `(1 − e²) v h`; the speed of steps that fall is that of
/// half a step before, and so is the apex of steps that rise: another `½ e (1 + e) v h`.
#[test]
fn apexes_fall_with_the_square_of_restitution() {
    for stepping in [Stepping::SemiImplicit, Stepping::Midpoint] {
        for restitution in [0.0, 0.5, 0.8] {
            let mut scene = Scene::new();
            let body = scene.add(ball(0.1).at([0.0, 1.1, 0.0]));
            let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
            scene.friction_between(body, plane, 0.0);
            scene.contacts[0].restitution = restitution;
            let settings = ImpulseSettings { stepping, ..ImpulseSettings::default() };
            let mut simulation = with(&scene, 1e-3, settings);
            let (mut apex, mut landed) = (0.0_f64, false);
            // Down in 0.45 s, and up for as long as restitution says.
            for _ in 0..(460 + (460.0 * restitution) as usize) {
                assert!(simulation.step().converged());
                let state = first(&simulation, &scene);
                landed |= state.velocity.y > -1e-9;
                if landed {
                    apex = apex.max(state.center.y - 0.1);
                }
            }
            let e = restitution;
            let of_a_step = (1.0 - e * e + 0.5 * e * (1.0 + e)) * (2.0 * 9.81_f64).sqrt() * 1e-3;
            let off = apex - e * e;
            assert!(landed && off.abs() < of_a_step, "{stepping:?}: {apex} m, not {} m", e * e);
        }
    }
}

/// What else is in a scene, far away.
#[derive(Clone, Copy, Debug)]
enum Beside {
    Nothing,
    Pulled,
    Soft,
}

/// Bodies that only gravity pulls on have equations of their own, without a matrix. A load on another body, far away,
/// makes all go the general way, to the same place; so does something soft, with a matrix that is factored.
#[test]
fn bare_bodies_move_as_all_others_do() {
    let end = |beside: Beside| {
        let mut scene = Scene::new();
        scene.friction.coefficient = 0.3;
        let slab = block([0.3, 0.1, 0.2]).at([0.0, 0.4, 0.0]).spin([9.0, -4.0, 6.0]);
        scene.add(slab.velocity([1.0, 0.0, 0.5]));
        scene.add(ball(0.1).at([0.5, 0.1, 0.1]));
        scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        match beside {
            Beside::Nothing => {}
            Beside::Pulled => {
                let other = scene.add(ball(0.1).at([50.0, 40.0, 0.0]));
                scene.load(other, Selection::All, LoadKind::Force(Vector3::x()));
            }
            Beside::Soft => {
                let jelly = Solid::cuboid([0.2; 3], [1; 3]).expect("valid");
                scene.add(jelly.at([50.0, 40.0, 0.0]));
            }
        }
        let mut simulation = with(&scene, 2e-3, ImpulseSettings::default());
        run(&mut simulation, 0.4);
        first(&simulation, &scene)
    };
    let bare = end(Beside::Nothing);
    assert!(bare.velocity.y.abs() < 3.0, "it has landed: {:?}", bare.velocity);
    for beside in [Beside::Pulled, Beside::Soft] {
        let general = end(beside);
        assert!((bare.center - general.center).norm() < 1e-7, "{beside:?}");
        assert!(bare.orientation.angle_to(&general.orientation) < 1e-6, "{beside:?}");
        assert!((bare.spin - general.spin).norm() < 1e-5, "{beside:?}");
    }
}

/// A slab that turns by more than a radian in a step, and hits: what is gyroscopic in its equations is not symmetric,
/// and made impulses that were not impulses of any mass.
#[test]
fn what_spins_fast_and_hits_gains_no_energy() {
    for stepping in [Stepping::SemiImplicit, Stepping::Midpoint] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let slab = block([0.4, 0.02, 0.1]).at([0.0, 0.3, 0.0]).velocity([0.0, -2.0, 0.0]);
        scene.add(slab.spin([150.0, 20.0, 80.0]));
        scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.friction.coefficient = 0.5;
        let settings = ImpulseSettings { stepping, ..ImpulseSettings::default() };
        let mut simulation = with(&scene, 0.01, settings);
        let mut before = simulation.energies().kinetic;
        let mut touched = false;
        for k in 0..40 {
            let report = simulation.step();
            assert!(report.converged(), "{stepping:?}, {k}: {:?}", report.status);
            let after = simulation.energies().kinetic;
            assert!(after < before * (1.0 + 1e-9), "{stepping:?}, {k}: {before} J, then {after} J");
            touched |= report.contact.touching > 0;
            before = after;
        }
        assert!(touched);
    }
}

/// Islands: a stack does not know of another one, to the bit.
#[test]
fn what_is_far_away_changes_no_bit() {
    let stack = |scene: &mut Scene, x: f64| {
        for k in 0..5 {
            let at = [x + 0.01 * f64::from(k % 2), 0.06 + 0.11 * f64::from(k), 0.0];
            scene.add(block([0.1; 3]).at(at).spin([0.2, 0.5, 0.1]));
        }
    };
    let mut one = Scene::new();
    stack(&mut one, 0.0);
    let mut many = one.clone();
    for k in 1..4 {
        stack(&mut many, 2.0 * f64::from(k));
    }
    let end = |scene: &mut Scene| {
        scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.friction.coefficient = 0.5;
        let mut simulation = simulation(scene, 0.01, 1e-6);
        run(&mut simulation, 0.12);
        let states = scene.ids().take(5).map(|body| simulation.rigid_state(body).expect("rigid"));
        states.map(|s| (s.center, s.velocity, s.spin)).collect::<Vec<_>>()
    };
    assert_eq!(end(&mut one), end(&mut many));
}

/// A step that stops short is taken as it is: what it turned must not be turned again in the next one.
#[test]
fn steps_that_stop_short_turn_bodies_once() {
    let mut scene = Scene::new();
    scene.friction.coefficient = 0.0;
    scene.add(block([0.2, 0.1, 0.1]).at([0.0, 0.05, 0.0]).spin([0.0, 5.0, 0.0]));
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    // Two iterations leave about the rounding of numbers, and never nothing.
    let impulse = ImpulseSettings { tolerance: 1e-300, max_iterations: 2, ..Default::default() };
    let mut simulation = impatient(&scene, impulse);
    let short = (0..20).filter(|_| !simulation.step().converged()).count();
    assert!(short > 10, "{short} of 20 stopped short");
    let angle = first(&simulation, &scene).orientation.scaled_axis().y;
    assert!((angle - 1.0).abs() < 1e-3, "{angle} rad");
}

/// A ball through a wall of bricks without mortar: bricks turn by a radian in a step, and not every step is solved;
/// but nothing stays inside anything by more than projections leave, a ten-thousandth of a brick.
#[test]
fn a_brick_wall_falls_apart_without_overlaps() {
    let mut scene = Scene::new();
    scene.friction.coefficient = 0.5;
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    for j in 0..4 {
        for i in 0..3 {
            let x = 0.2 * f64::from(i) + 0.1 * f64::from(j % 2);
            scene.add(block([0.2, 0.1, 0.1]).at([x, 0.05 + 0.1 * f64::from(j), 0.0]));
        }
    }
    scene.add(ball(0.1).at([0.25, 0.25, 0.5]).velocity([0.0, 0.0, -10.0]));
    let impulse =
        ImpulseSettings { tolerance: 1e-4, max_iterations: 300, ..ImpulseSettings::default() };
    let mut simulation = impatient(&scene, impulse);
    let start = simulation.energies().total();
    for k in 0..80 {
        let report = simulation.step();
        assert!(report.contact.smallest_gap > -2.5e-5, "{k}: {:?}", report.contact);
        let now = simulation.energies().total();
        assert!(now < start * (1.0 + 1e-9), "{k}: {start} J, then {now} J");
    }
}

/// Steps of 10 ms that are never halved.
fn impatient(scene: &Scene, impulse: ImpulseSettings) -> Simulation {
    let settings = Settings { max_halvings: 0, method: impulse.into(), ..Default::default() };
    Simulation::with_settings(scene, settings).expect("valid")
}

//! What rests stays: no creep, no ratchet, and it gives way at the angle of friction.
//!
//! The reference block of `docs/theory/reference-values.md`, 1 m × 0.5 m in plane strain, is a slice one cell deep
//! whose vertices keep their `z`.

use crate::support::*;
use stiction::body::{BodyId, Interpolation, Keyframe, Motion, Obstacle, Solid};
use stiction::contact::Friction;
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::Law;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

const MU: f64 = 0.177;

/// A slice of the reference block, so many cells long and half as many high, a layer above the plane `y = 0`.
fn block(cells: usize, damping: f64) -> Solid {
    let damping = Damping { mass: 0.0, stiffness: damping };
    let material = Material::RUBBER
        .with_youngs_modulus(1e6)
        .and_then(|m| m.with_poissons_ratio(0.3))
        .and_then(|m| m.with_density(1000.0))
        .and_then(|m| m.with_damping(damping))
        .expect("valid");
    let depth = 1.0 / cells as f64;
    let block = Solid::cuboid([1.0, 0.5, depth], [cells, cells / 2, 1]).expect("valid");
    block.material(material).at([0.0, 0.25 + THICKNESS, 0.0])
}

/// The block on a plane that moves; carried at half the layer, on average. Damped so much that it soon rests.
fn resting(cells: usize, gravity: Vector3, friction: f64, motion: Motion) -> (Scene, BodyId) {
    on_plane(block(cells, 2e-2), cells, gravity, friction, motion)
}

fn on_plane(
    block: Solid,
    cells: usize,
    gravity: Vector3,
    friction: f64,
    motion: Motion,
) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = gravity;
    let block = scene.add(block);
    scene.pin(block, Selection::All).axes([false, false, true]);
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0).motion(motion));
    let weight = 1000.0 * 0.5 / cells as f64 * GRAVITY * TEN_DEGREES.cos();
    let rule = scene.contact(block, plane);
    rule.friction = Friction::coulomb(friction);
    rule.thickness = Some(THICKNESS);
    rule.stiffness = Some(carrying(weight / (2 * cells) as f64));
    (scene, block)
}

fn slope() -> Vector3 {
    Vector3::new(GRAVITY * TEN_DEGREES.sin(), -GRAVITY * TEN_DEGREES.cos(), 0.0)
}

fn loose(integrator: Integrator, h: f64) -> Settings {
    let mut settings = settings(integrator, h, Law::default());
    settings.smooth().solver.tolerance = 1e-8;
    settings
}

/// Mean speed over 12 s after 12 s, and the most iterations of a stage.
fn creep(cells: usize, integrator: Integrator) -> (f64, usize) {
    let (scene, block) = resting(cells, slope(), MU, Motion::Still);
    let mut simulation = Simulation::with_settings(&scene, loose(integrator, 0.02)).expect("valid");
    let mut most = 0;
    for _ in 0..600 {
        most = most.max(most_iterations(&advance(&mut simulation, 1)));
    }
    let start = middle(&simulation, block);
    advance(&mut simulation, 600);
    ((middle(&simulation, block) - start).norm() / 12.0, most)
}

#[test]
fn a_dropped_block_does_not_creep() {
    for integrator in SCHEMES {
        let (speed, most) = creep(4, integrator);
        assert!(speed < 1e-12, "{integrator}: {speed:e} m/s");
        assert!(most <= 20, "{integrator}: {most} iterations");
    }
}

#[test]
#[ignore = "slow: minutes"]
fn the_reference_block_does_not_creep() {
    for integrator in SCHEMES {
        let (speed, most) = creep(12, integrator);
        assert!(speed < 1e-12, "{integrator}: {speed:e} m/s");
        assert!(most <= 20, "{integrator}: {most} iterations");
    }
}

/// A block that slid and stopped: nothing slides any more, however loosely its steps are solved.
#[test]
fn what_a_loose_tolerance_leaves_of_a_block_at_rest_is_no_slide() {
    for integrator in SCHEMES {
        for tolerance in [1e-8, 1e-2] {
            let block = block(4, 2e-2).velocity([0.5, 0.0, 0.0]);
            let (scene, _) = on_plane(block, 4, slope(), 0.2, Motion::Still);
            let mut settings = loose(integrator, 0.02);
            settings.smooth().solver.tolerance = tolerance;
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            advance(&mut simulation, 400);
            let slid = |simulation: &Simulation| {
                simulation.contacts().iter().map(|contact| contact.slid).sum::<f64>()
            };
            let (before, mut sliding) = (slid(&simulation), 0);
            for _ in 0..50 {
                sliding += advance(&mut simulation, 1).contact.sliding;
            }
            let way = slid(&simulation) - before;
            assert_eq!(sliding, 0, "{integrator}, {tolerance:e}: by {way:e} m");
            assert!(before > 1e-2, "{integrator}, {tolerance:e}: {before} m before");
        }
    }
}

/// Tilts in five seconds to just below the angle of friction, then ever so slowly through it.
fn tilting(from: f64, to: f64) -> Motion {
    let frame = |time: f64, angle: f64| Keyframe {
        time,
        rotation: Vector3::z() * -angle,
        ..Keyframe::default()
    };
    let limit = MU.atan();
    Motion::Keyframes {
        frames: vec![
            frame(0.0, 0.0),
            frame(5.0, limit + from),
            frame(6.0, limit + from),
            frame(12.0, limit + to),
        ],
        center: Vector3::zeros(),
        interpolation: Interpolation::Smooth,
    }
}

/// How steep the plane is when `body` has begun to slide, over the coefficient of friction, less one.
fn threshold(scene: &Scene, settings: Settings, motion: &Motion) -> f64 {
    let mut simulation = Simulation::with_settings(scene, settings).expect("valid");
    let slid = |simulation: &Simulation| {
        let contacts = simulation.contacts();
        contacts.iter().map(|contact| contact.slid).fold(f64::INFINITY, f64::min)
    };
    let mut start = 0.0;
    while simulation.time() < 12.0 {
        advance(&mut simulation, 1);
        if simulation.time() < 6.0 {
            start = slid(&simulation);
        } else if slid(&simulation) > start + 1e-9 {
            break;
        }
    }
    let (normal, _) = motion.at(Vector3::y(), simulation.time());
    normal.x / normal.y / MU - 1.0
}

#[test]
fn points_give_way_at_the_angle_of_friction() {
    let motion = tilting(-2e-4, 2e-4);
    let mut scene = Scene::new();
    let points = point_masses(
        [-Vector3::x(), Vector3::x() + Vector3::z(), Vector3::x() - Vector3::z()].map(|x| x * 0.1),
    );
    let points = scene.add(points.at([0.0, 0.5 * THICKNESS, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0).motion(motion.clone()));
    let rule = scene.contact(points, plane);
    rule.friction = Friction::coulomb(MU);
    rule.thickness = Some(THICKNESS);
    rule.stiffness = Some(carrying(GRAVITY));
    for integrator in SCHEMES {
        for (h, ratio) in [(0.1, 1.0), (0.01, 1.0), (0.01, 100.0)] {
            let error = threshold(&scene, settings(integrator, h, anchored(ratio)), &motion);
            assert!(error.abs() <= 1e-4, "{integrator}, {h}, {ratio}: {error:.2e}");
        }
    }
}

#[test]
fn a_block_gives_way_at_the_angle_of_friction() {
    let motion = tilting(-2e-4, 2e-4);
    let (scene, _) = resting(4, Vector3::y() * -GRAVITY, MU, motion.clone());
    for integrator in SCHEMES {
        let error = threshold(&scene, loose(integrator, 0.02), &motion);
        assert!(error.abs() <= 1e-4, "{integrator}: {error:.2e}");
    }
}

/// A slope of 8.95° that shakes along itself once a second, as if it swung from 8.0° to 9.9°; friction holds up to
/// 10.04°.
#[test]
fn load_cycles_inside_the_cone_of_friction_do_not_ratchet() {
    const CYCLES: usize = 9;
    let gravity = |angle: f64| GRAVITY * angle.to_radians().sin();
    let (low, high) = (gravity(8.0), gravity(9.9));
    // Between smooth keyframes the acceleration goes from 6 Δ/T² to −6 Δ/T².
    let way = 0.5 * (high - low) * 0.5 * 0.5 / 6.0;
    let frame = |k: usize| {
        let translation = Vector3::x() * (way * (k % 2) as f64);
        Keyframe { time: 4.0 + 0.5 * k as f64, translation, ..Keyframe::default() }
    };
    let frames = (0..=2 * CYCLES).map(frame).collect();
    let (center, interpolation) = (Vector3::zeros(), Interpolation::Smooth);
    let motion = Motion::Keyframes { frames, center, interpolation };
    let along = 0.5 * (low + high);
    let down = Vector3::new(along, -(GRAVITY * GRAVITY - along * along).sqrt(), 0.0);
    // Damped as in the specification. The more damped a block is, the longer it takes to shake down.
    let (scene, block) = on_plane(block(4, 1e-3), 4, down, MU, motion);
    for integrator in [Integrator::BackwardEuler, Integrator::Bdf2] {
        let mut simulation =
            Simulation::with_settings(&scene, loose(integrator, 0.02)).expect("valid");
        advance(&mut simulation, 200);
        let mut last = middle(&simulation, block);
        let mut moved = Vec::new();
        for _ in 0..CYCLES {
            advance(&mut simulation, 50);
            let now = middle(&simulation, block);
            moved.push((now - last).norm());
            last = now;
        }
        let falls = moved.windows(2).all(|pair| pair[1] < pair[0].max(1e-14));
        assert!(falls, "{integrator}: {moved:?}");
        assert!(moved[CYCLES - 1] < 1e-10, "{integrator}: {moved:?}");
    }
}

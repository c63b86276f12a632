//! A sheet on a sheet, by forces and by impulses: weights are carried, and friction holds below its limit and lets go
//! above it.

use stiction::body::{BodyId, Cloth, Obstacle, Shape};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::MethodSettings;
use stiction::method::impulse::ImpulseSettings;
use stiction::{Scene, Settings, Simulation};

const THICKNESS: f64 = 1e-3;

fn settings(impulses: bool) -> Settings {
    let method =
        if impulses { ImpulseSettings::default().into() } else { MethodSettings::default() };
    Settings { time_step: 0.005, method, ..Default::default() }
}

/// A plane, a sheet on it, and one on that, turned so that no vertices lie on each other.
fn layers(gravity: Vector3, held: bool) -> (Scene, [BodyId; 3]) {
    let mut scene = Scene { gravity, ..Scene::new() };
    let plane = Shape::Plane { normal: Vector3::z(), offset: 0.0 };
    let floor = scene.add(Obstacle::new(plane));
    let lower = Cloth::sheet([0.2, 0.2], [6, 6]).unwrap().at([0.0, 0.0, 1.2 * THICKNESS]);
    let upper = Cloth::sheet([0.12, 0.12], [4, 4]).unwrap();
    let upper = upper.turned(Vector3::z(), 0.3).at([0.003, 0.005, 2.4 * THICKNESS]);
    let (lower, upper) = (scene.add(lower), scene.add(upper));
    for [a, b] in [[floor, lower], [lower, upper], [floor, upper]] {
        scene.contact(a, b).thickness = Some(THICKNESS);
    }
    if held {
        scene.pin(lower, Selection::All);
    }
    (scene, [floor, lower, upper])
}

/// The force of one body on another [N].
fn force(simulation: &Simulation, on: BodyId, by: BodyId) -> Vector3 {
    let mut sum = Vector3::zeros();
    for contact in simulation.contacts() {
        let force = contact.normal * contact.normal_force + contact.friction;
        match [contact.collider, contact.surface] {
            pair if pair == [on, by] => sum += force,
            pair if pair == [by, on] => sum -= force,
            _ => {}
        }
    }
    sum
}

fn weight(simulation: &Simulation, body: BodyId) -> f64 {
    9.81 * simulation.model().vertex_masses(body).iter().sum::<f64>()
}

#[test]
fn sheets_carry_sheets() {
    for impulses in [false, true] {
        let (scene, [floor, lower, upper]) = layers(Vector3::new(0.0, 0.0, -9.81), false);
        let mut simulation = Simulation::with_settings(&scene, settings(impulses)).unwrap();
        // Forces have no loss but that of the time steps.
        for _ in 0..if impulses { 60 } else { 250 } {
            assert!(simulation.step().converged());
        }
        let (w_lower, w_upper) = (weight(&simulation, lower), weight(&simulation, upper));
        let above = force(&simulation, upper, lower).z;
        let below = force(&simulation, lower, floor).z;
        let error = |force: f64, weight: f64| (force / weight - 1.0).abs();
        let errors = [error(above, w_upper), error(below, w_lower + w_upper)];
        assert!(errors.iter().all(|e| *e < 1e-3), "impulses {impulses}: {errors:?}");
        let height = |body: BodyId| simulation.positions(body).iter().map(|x| x.z).sum::<f64>();
        let mean = height(upper) / simulation.positions(upper).len() as f64;
        // By impulses a layer apart; forces let half of it be.
        let range = if impulses { 1.9..2.05 } else { 0.5..2.0 };
        assert!(range.contains(&(mean / THICKNESS)), "impulses {impulses}: {mean}");
    }
}

/// How far the upper sheet slides down the lower one in 0.1 s, at this part of the slope that friction can hold, and
/// how far it would by theory.
fn slid(impulses: bool, part: f64) -> [f64; 2] {
    let mu = 0.4_f64;
    let slope = (part * mu).atan();
    let (mut scene, [_, lower, upper]) =
        layers(Vector3::new(slope.sin(), 0.0, -slope.cos()) * 9.81, true);
    scene.contact(lower, upper).friction = Friction::coulomb(mu);
    let rule = scene.contacts.last_mut().unwrap();
    rule.thickness = Some(THICKNESS);
    let mut simulation = Simulation::with_settings(&scene, settings(impulses)).unwrap();
    let middle = |simulation: &Simulation| {
        let x = simulation.positions(upper);
        x.iter().map(|x| x.x).sum::<f64>() / x.len() as f64
    };
    for _ in 0..if impulses || part > 1.0 { 10 } else { 100 } {
        simulation.step();
    }
    // Where it holds, it has come to rest; where it slides, it is not far.
    let start = middle(&simulation);
    let speed = simulation.velocities(upper).iter().map(|v| v.x).sum::<f64>() / 25.0;
    for _ in 0..20 {
        simulation.step();
    }
    let acceleration = 9.81 * (slope.sin() - mu * slope.cos()).max(0.0);
    [middle(&simulation) - start, speed * 0.1 + 0.5 * acceleration * 0.1 * 0.1]
}

#[test]
fn sheets_hold_sheets_below_the_limit_and_slide_above_it() {
    for impulses in [false, true] {
        let [held, _] = slid(impulses, 0.95);
        assert!(held.abs() < 1e-6, "impulses {impulses}: {held}");
        let [way, theory] = slid(impulses, 1.5);
        assert!(theory > 5e-3);
        assert!((way / theory - 1.0).abs() < 0.05, "impulses {impulses}: {way} of {theory}");
    }
}

//! Contacts of single points on a slope against the vectors of `docs/theory/reference-values.md`, "Anchored friction".
//!
//! A triangle of cloth whose vertices weigh one kilogram each, flat on the slope: it never deforms, so every vertex is
//! a point mass with a contact of its own.

use stiction::body::{Cloth, Obstacle};
use stiction::material::Fabric;
use stiction::math::Vector3;
use stiction::mesh::TriMesh;
use stiction::method::smooth::SolverSettings;
use stiction::method::smooth::{ContactSettings, Law, SmoothSettings};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

const ANGLE: f64 = 10.0 * std::f64::consts::PI / 180.0;
const MU: f64 = 0.177;
const KAPPA: f64 = 12881.2854093997;

/// Gravity turned instead of the slope: `x` is down the slope, `y` up from it.
fn scene(speed: f64) -> Scene {
    let corners = vec![Vector3::zeros(), Vector3::new(0.0, 0.0, 1.0), Vector3::new(1.0, 0.0, 0.0)];
    let mesh = TriMesh::new(corners, vec![[0, 1, 2]]).expect("a triangle");
    let fabric = Fabric::COTTON.with_density(6.0).expect("valid");
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(9.81 * ANGLE.sin(), -9.81 * ANGLE.cos(), 0.0);
    let cloth = Cloth::new(mesh).material(fabric).at([0.0, 5e-4, 0.0]).velocity([speed, 0.0, 0.0]);
    let cloth = scene.add(cloth);
    let slope = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let rule = scene.contact(cloth, slope);
    rule.friction = stiction::contact::Friction::coulomb(MU);
    rule.thickness = Some(1e-3);
    rule.stiffness = Some(KAPPA);
    scene
}

fn simulate(
    integrator: Integrator,
    ratio: f64,
    speed: f64,
    steps: usize,
    h: f64,
) -> (f64, Simulation) {
    let law = Law::Anchored { ratio, damping: 1.0, corner: 0.0, mixed: true };
    let contact = ContactSettings { law, ..Default::default() };
    let solver = SolverSettings { tolerance: 1e-10, contact, ..Default::default() };
    let settings = Settings {
        time_step: h,
        method: SmoothSettings { integrator, solver }.into(),
        ..Default::default()
    };
    let scene = scene(speed);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let start = simulation.trajectory().q[0];
    for step in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "{integrator} step {step}: {report:?}");
        assert_eq!(report.sub_steps, 1, "{integrator} step {step}");
    }
    (simulation.trajectory().q[0] - start, simulation)
}

#[test]
fn a_point_from_rest_gives_way_by_its_presliding_and_stays() {
    let rows = [
        (Integrator::BackwardEuler, 1, 3.9917283819035e-7),
        (Integrator::BackwardEuler, 100, 4.4081745179877e-7),
        (Integrator::Sdirk2, 1, 1.4893509487082e-6),
        (Integrator::Sdirk2, 100, 6.1195005110218e-6),
    ];
    for (integrator, steps, expected) in rows {
        let (x, _) = simulate(integrator, 100.0, 0.0, steps, 0.01);
        let error = (x - expected).abs();
        assert!(
            error < 1e-14 + 1e-9 * expected,
            "{integrator} after {steps}: {x:e} for {expected:e}"
        );
    }
}

#[test]
fn a_softer_spring_gives_way_further() {
    let rows = [
        (Integrator::BackwardEuler, 10, 1.6440735193685e-4),
        (Integrator::BackwardEuler, 200, 2.9799334548743e-4),
        (Integrator::Sdirk2, 10, 4.3691102799856e-4),
        (Integrator::Sdirk2, 200, 1.8236565405336e-3),
    ];
    for (integrator, steps, expected) in rows {
        let (x, _) = simulate(integrator, 1.0, 0.0, steps, 0.01);
        let error = (x - expected).abs();
        assert!(error < 1e-8 * expected, "{integrator} after {steps}: {x:e} for {expected:e}");
    }
}

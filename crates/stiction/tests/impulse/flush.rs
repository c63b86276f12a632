//! Soft bodies that touch without a gap.

use stiction::body::{BodyId, Obstacle, Solid};
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::{Scene, Simulation};

use crate::common::simulation;

fn soft() -> Material {
    let soft = Material::RUBBER.with_youngs_modulus(3e5).expect("valid");
    let soft = soft.with_poissons_ratio(0.4).expect("valid").with_density(1e3).expect("valid");
    soft.with_damping(Damping { mass: 0.0, stiffness: 2e-3 }).expect("valid")
}

/// Boxes 10 cm high of these widths on each other and on the ground.
fn stack(widths: &[f64]) -> (Simulation, Vec<BodyId>) {
    let mut scene = Scene::new();
    scene.friction.coefficient = 0.5;
    let place = |(k, &width): (usize, &f64)| {
        let solid = Solid::cuboid([width, 0.1, width], [3; 3]).expect("valid").material(soft());
        scene.add(solid.at([0.0, 0.05 + 0.1 * k as f64, 0.0]))
    };
    let boxes = widths.iter().enumerate().map(place).collect();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    (simulation(&scene, 0.01, 1e-8), boxes)
}

fn mean(x: &[Vector3]) -> Vector3 {
    x.iter().sum::<Vector3>() / x.len() as f64
}

/// They stay, each on the one below, of which a skin and its weight take a little. A box 9 cm wide dropped 5 cm into
/// one of 10 cm within half a second: where surfaces touch, their distance has no direction.
#[test]
fn soft_boxes_flush_on_each_other_stand() {
    for widths in [&[0.1, 0.09][..], &[0.09, 0.1], &[0.1, 0.1], &[0.1, 0.09, 0.1, 0.09, 0.1]] {
        let (mut simulation, boxes) = stack(widths);
        let start: Vec<Vector3> = boxes.iter().map(|&b| mean(&simulation.positions(b))).collect();
        let mut seen = Vec::new();
        for step in 0..150 {
            let report = simulation.step();
            assert!(report.converged(), "{widths:?} {step}: {report:?}");
            if step == 100 {
                seen = boxes.iter().map(|&b| mean(&simulation.positions(b))).collect();
            }
        }
        let mass: f64 = simulation.model().node_masses().iter().sum();
        let worth = mass * 9.81 * 0.1;
        let kinetic = simulation.energies().kinetic;
        assert!(kinetic < 1e-6 * worth, "{widths:?}: {kinetic} J of {worth} J");
        for (k, &b) in boxes.iter().enumerate() {
            let now = mean(&simulation.positions(b));
            assert!((now - start[k]).norm() < 3e-3, "{widths:?}, {k}: {:?}", now - start[k]);
            // Five of them sway for seconds, by a few hundredths of a millimetre.
            let moved = now - seen[k];
            assert!(
                moved.norm() < 5e-5 && moved.y.abs() < 1e-6,
                "{widths:?}, {k} creeps: {moved:?}"
            );
        }
    }
}

/// Two millimetres inside of each other, they are moved apart: the way out is the way they came.
#[test]
fn soft_boxes_that_overlap_are_moved_apart() {
    for widths in [[0.1, 0.09], [0.09, 0.1], [0.1, 0.1]] {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let heights = [0.05, 0.148];
        let boxes = [0, 1].map(|k| {
            let size = [widths[k], 0.1, widths[k]];
            let solid = Solid::cuboid(size, [3; 3]).expect("valid").material(soft());
            scene.add(solid.at([0.001 * k as f64, heights[k], 0.002 * k as f64]))
        });
        let mut simulation = simulation(&scene, 0.01, 1e-8);
        let mut gap = 0.0;
        for _ in 0..5 {
            let report = simulation.step();
            assert!(report.converged(), "{widths:?}: {report:?}");
            gap = report.contact.smallest_gap;
        }
        assert!(gap > -1e-4, "{widths:?}: {gap} m");
        let middle = |k: usize| mean(&simulation.positions(boxes[k])).y;
        let apart = middle(1) - middle(0);
        assert!(apart > 0.0985 && apart < 0.102, "{widths:?}: middles are {apart} m apart");
    }
}

/// A box that slides over a plate held below loses `μ g` of its speed, flush as it begins.
#[test]
fn what_slides_flush_over_something_soft_feels_coulomb_friction() {
    let mut scene = Scene::new();
    scene.friction.coefficient = 0.3;
    let solid = |size, cells| Solid::cuboid(size, cells).expect("valid").material(soft());
    let plate = scene.add(solid([0.6, 0.05, 0.3], [12, 1, 6]).at([0.0, -0.025, 0.0]));
    scene.pin(plate, Selection::Tag("y-min".into()));
    let above = solid([0.1; 3], [3; 3]).at([-0.1, 0.05, 0.01]).velocity([1.0, 0.0, 0.0]);
    let above = scene.add(above);
    let mut simulation = simulation(&scene, 0.005, 1e-8);
    let speed = |simulation: &Simulation| mean(&simulation.velocities(above)).x;
    let after = |simulation: &mut Simulation, time: f64| {
        while simulation.time() < time - 1e-9 {
            let report = simulation.step();
            assert!(report.converged(), "{report:?}");
        }
        speed(simulation)
    };
    let (first, last) = (after(&mut simulation, 0.05), after(&mut simulation, 0.2));
    let deceleration = (first - last) / 0.15;
    assert!((deceleration / (0.3 * 9.81) - 1.0).abs() < 0.1, "{deceleration} m/s²");
}

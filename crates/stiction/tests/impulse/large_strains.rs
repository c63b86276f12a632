//! What is strained much, or turns much, within a step.

use stiction::body::{BodyId, Cloth, LoadKind, Obstacle, Solid};
use stiction::material::{Damping, Fabric, Material, Stretch};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::mesh::generate::{Diagonals, sheet, torus};
use stiction::method::impulse::ImpulseSettings;
use stiction::{Scene, Settings, Simulation};
use stiction_check::analytic::Catenary;

use crate::common::{run, simulation};

fn tag(name: &str) -> Selection {
    Selection::Tag(name.into())
}

fn soft() -> Material {
    let soft = Material::RUBBER.with_youngs_modulus(3e5).expect("valid");
    let soft = soft.with_poissons_ratio(0.4).expect("valid").with_density(1e3).expect("valid");
    soft.with_damping(Damping { mass: 0.0, stiffness: 2e-3 }).expect("valid")
}

/// A body that hits the ground.
fn dropped(solid: Solid) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let solid = scene.add(solid.material(soft()));
    let ground = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(solid, ground, 0.4);
    (scene, solid)
}

/// Steps of 10 ms in which energy only falls.
fn loses_energy(simulation: &mut Simulation, steps: usize) {
    let mut before = simulation.energies().total();
    for step in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "{step}: {report:?}");
        let after = simulation.energies().total();
        assert!(after <= before + 1e-6 * before.abs(), "{step}: {before} J, then {after} J");
        before = after;
    }
}

/// It is flattened to a third of its height. Linearised once, steps had 1.7e4, 6e8, 3e12 J.
#[test]
fn a_box_that_hits_the_ground_at_20_metres_per_second_gains_no_energy() {
    let solid = Solid::cuboid([0.2; 3], [8; 3]).expect("valid");
    let (scene, solid) = dropped(solid.at([0.0, 0.1, 0.0]).velocity([0.0, -20.0, 0.0]));
    let mut simulation = simulation(&scene, 0.01, 1e-8);
    loses_energy(&mut simulation, 10);
    let lowest = simulation.positions(solid).iter().map(|x| x.y).fold(f64::MAX, f64::min);
    assert!(lowest > -1e-4, "{lowest} m");
}

#[test]
fn a_ring_that_hits_the_ground_gains_no_energy() {
    let ring = Solid::new(torus(0.1, 0.015, 0.01).expect("a ring"));
    let ring = ring.turned([1.0, 0.0, 0.0], 1.2).at([0.0, 0.15, 0.0]);
    let (scene, _) = dropped(ring.velocity([0.0, -3.0, 0.0]));
    loses_energy(&mut simulation(&scene, 0.01, 1e-8), 12);
}

/// Steps that stop short are told, leave numbers, and make nothing faster.
#[test]
fn what_is_not_solved_is_told_and_does_not_explode() {
    for (iterations, halvings) in [(2, 0), (2, 3), (20, 1)] {
        let ring = Solid::new(torus(0.1, 0.015, 0.02).expect("a ring"));
        let ring = ring.turned([1.0, 0.0, 0.0], 1.2).at([0.0, 0.12, 0.0]);
        let (scene, ring) = dropped(ring.velocity([0.0, -10.0, 0.0]));
        let impulse = ImpulseSettings { max_iterations: iterations, ..Default::default() };
        let settings = Settings { time_step: 0.01, max_halvings: halvings, method: impulse.into() };
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let mut short = 0;
        for _ in 0..40 {
            short += usize::from(!simulation.step().converged());
        }
        assert!(short > 0, "{iterations} iterations are enough");
        let speeds = simulation.velocities(ring).into_iter().map(|v| v.norm());
        let fastest = speeds.fold(0.0, f64::max);
        assert!(fastest < 30.0, "{fastest} m/s");
    }
}

/// A strip of 2.5 g is pulled across by 2 N. Linearised once, it had 31 J after one step, 355 J after five.
#[test]
fn what_is_pulled_suddenly_has_the_energy_of_the_load_at_most() {
    let stretch = Stretch::Isotropic { youngs_modulus: 1e4, poissons_ratio: 0.0 };
    let fabric = Fabric::new(stretch, 0.1, 1e-4).expect("valid");
    let mut scene = Scene::new();
    let strip = scene.add(Cloth::sheet([0.5, 0.05], [20, 2]).expect("valid").material(fabric));
    scene.pin(strip, tag("left"));
    let force = Vector3::new(0.0, 0.0, 2.0);
    scene.load(strip, tag("right"), LoadKind::Force(force));
    let mut simulation = simulation(&scene, 0.01, 1e-8);
    let pulled = tag("right").vertices(&sheet_of([20, 2])).expect("a tag");
    let at = |simulation: &Simulation| {
        let x = simulation.positions(strip);
        pulled.iter().map(|&k| x[k as usize]).sum::<Vector3>() / pulled.len() as f64
    };
    let (start, before) = (at(&simulation), simulation.energies().total());
    for step in 0..20 {
        let report = simulation.step();
        assert!(report.converged() && report.sub_steps == 1, "{step}: {report:?}");
        let work = force.dot(&(at(&simulation) - start));
        let gained = simulation.energies().total() - before;
        assert!(gained <= work && work < 1.1, "{step}: {gained} J by {work} J");
    }
    assert!(at(&simulation).z > 0.4, "it points along the force: {:?}", at(&simulation));
}

fn sheet_of(cells: [usize; 2]) -> stiction::mesh::TriMesh {
    sheet([0.5, 0.05], cells, Diagonals::Alternating).expect("valid")
}

/// Steps of 20 ms, from two straight halves. Linearised once, its sag was wrong by 27 %.
#[test]
fn a_strip_without_bending_comes_to_hang_in_a_catenary() {
    let (span, length, width) = (0.8, 1.2, 0.02);
    let stretch = Stretch::Isotropic { youngs_modulus: 2e4, poissons_ratio: 0.0 };
    let fabric = Fabric::new(stretch, 0.2, 0.0).expect("valid");
    let fabric = fabric.with_damping(Damping { mass: 3.0, stiffness: 0.0 }).expect("valid");
    let mesh = sheet([length, width], [60, 1], Diagonals::Alternating).expect("valid");
    let start = mesh.vertices().iter().map(|x| {
        let s = x.x / length;
        Vector3::new(span * s, length * 0.3 * (2.0 * s.abs() - 1.0), x.y)
    });
    let mut scene = Scene::new();
    let cloth = Cloth::new(mesh.clone()).material(fabric).starting_at(start.collect());
    let strip = scene.add(cloth);
    scene.pin(strip, tag("left").or(tag("right")));
    let mut simulation = simulation(&scene, 0.02, 1e-8);
    run(&mut simulation, 3.0);
    let catenary = Catenary::hung(span, length);
    let error = simulation.positions(strip).into_iter().zip(mesh.vertices()).map(|(x, rest)| {
        let (at, height) = catenary.at_length(rest.x);
        (x.x - at).hypot(x.y - height)
    });
    let error = error.fold(0.0, f64::max);
    assert!(error < 0.01 * length, "{error} m");
}

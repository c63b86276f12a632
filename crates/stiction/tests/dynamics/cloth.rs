//! Cloth hangs still when it should, and winds up through full turns and back.

use std::f64::consts::TAU;

use stiction::body::{BodyId, Cloth, Interpolation, Keyframe, Motion};
use stiction::material::{Damping, Fabric};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::monitors::distance;

fn start(scene: &Scene, time_step: f64) -> Simulation {
    let settings = Settings {
        time_step,
        method: SmoothSettings { integrator: Integrator::Bdf2, ..Default::default() }.into(),
        ..Settings::default()
    };
    Simulation::with_settings(scene, settings).unwrap()
}

#[test]
fn cloth_pinned_at_two_corners_comes_to_rest() {
    let mut scene = Scene::new();
    let damping = Damping { mass: 2.0, stiffness: 5e-3 };
    let fabric = Fabric::SOFT_COTTON.with_damping(damping).unwrap();
    let sheet = Cloth::sheet([0.5, 0.5], [8, 8]).unwrap().material(fabric);
    let body = scene.add(sheet.turned([1.0, 0.0, 0.0], 1.0));
    scene.pin(body, Selection::Tag("corners".into()).and(Selection::Tag("top".into())));
    let mut simulation = start(&scene, 0.02);
    let (mut most, mut kinetic) = (0.0_f64, 0.0);
    for _ in 0..400 {
        assert!(simulation.step().converged());
        kinetic = simulation.energies().kinetic;
        most = most.max(kinetic);
    }
    assert!(kinetic < 1e-7 * most, "kinetic {kinetic:e} J after {most:e} J");
    // Where it came to rest is an equilibrium, and the corners carry its weight.
    let weight = scene.gravity * -simulation.model().node_masses().iter().sum::<f64>();
    let carried: Vector3 = simulation.reactions(body).iter().sum();
    assert!((carried - weight).norm() < 1e-3 * weight.norm(), "{carried:?}, not {weight:?}");
    let at_rest = simulation.trajectory().q.clone();
    assert!(simulation.settle().unwrap().converged());
    let moved = distance(&simulation.trajectory().q, &at_rest);
    assert!(moved < 1e-2, "settles {moved} m away");
}

const CELL: [f64; 2] = [0.05, 0.05];

/// Six cells along `x`, one across; the left part is held, the right one turned about the middle by `turns`
/// and back.
fn folding_strip(turns: f64) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let fabric = Fabric::COTTON.with_damping(Damping { mass: 1.0, stiffness: 2e-3 }).unwrap();
    let strip = scene.add(Cloth::sheet([6.0 * CELL[0], CELL[1]], [6, 1]).unwrap().material(fabric));
    let side = |x: f64| Selection::HalfSpace { point: Vector3::x() * x, normal: Vector3::x() * x };
    scene.pin(strip, side(-0.8 * CELL[0]));
    let frame = |time: f64, turns: f64| Keyframe {
        time,
        rotation: Vector3::y() * (TAU * turns),
        ..Keyframe::default()
    };
    let frames = vec![frame(0.0, 0.0), frame(1.0, turns), frame(2.0, 0.0)];
    let (center, interpolation) = (Vector3::zeros(), Interpolation::Smooth);
    scene.pin(strip, side(0.8 * CELL[0])).motion(Motion::Keyframes {
        frames,
        center,
        interpolation,
    });
    (scene, strip)
}

/// Energy of the strip with one sharp crease between two triangles as wide and as long as a cell: their curvature is
/// `θ` over that length, on the area of a cell.
fn creased(turns: f64) -> f64 {
    0.5 * Fabric::COTTON.bending_stiffness() * (TAU * turns).powi(2)
}

/// The crease may spread over its neighbours once the strip lies on itself, but turns are counted.
#[test]
fn a_strip_folded_through_full_turns_unfolds_to_nothing() {
    let turns = 1.2;
    let (scene, _) = folding_strip(turns);
    let mut simulation = start(&scene, 0.01);
    let mut folded = 0.0;
    for n in 1..=260 {
        let report = simulation.step();
        assert!(report.converged(), "at {}: {:?}", report.time, report.status);
        if n == 100 {
            folded = simulation.energies().elastic;
            // Both triangles beside a crease count it.
            let counted = simulation.state().memory.iter().sum::<f64>().abs() / (2.0 * TAU);
            assert!((counted - turns).abs() < 0.01, "the creases count {counted} turns");
        }
    }
    // Shared by three creases it would cost a third; forgetting a full turn, a thirty-sixth.
    assert!(folded > 0.3 * creased(turns) && folded < 1.01 * creased(turns), "{folded:e} J");
    let left = simulation.energies().elastic;
    assert!(left < 1e-5 * folded, "{left:e} J left of {folded:e} J");
}

/// With the crease held on the axis, nothing is left to solve for, and the energy is known at all times.
#[test]
fn a_held_crease_costs_the_square_of_all_its_turns() {
    let turns = 2.3;
    let (mut scene, strip) = folding_strip(turns);
    let (min, max) = (Vector3::repeat(-0.1 * CELL[0]), Vector3::repeat(0.1 * CELL[0]));
    let column = Vector3::new(1.0, 100.0, 1.0);
    scene.pin(
        strip,
        Selection::Box { min: min.component_mul(&column), max: max.component_mul(&column) },
    );
    let mut simulation = start(&scene, 0.01);
    assert_eq!(simulation.model().unknown_count(), 0);
    for _ in 0..200 {
        assert!(simulation.step().converged());
        let u = 1.0 - (simulation.time() - 1.0).abs();
        let expected = creased(turns * u * u * (3.0 - 2.0 * u));
        let elastic = simulation.energies().elastic;
        let error = (elastic - expected).abs();
        assert!(
            error < 1e-9 * creased(turns),
            "at {}: {elastic:e}, not {expected:e}",
            simulation.time()
        );
    }
}

/// Steps are short enough that no crease snaps over by more than half a turn in one: that would be counted
/// the other way round, and the strip would stay knotted.
#[test]
fn a_strip_twisted_through_two_turns_unwinds() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let fabric = Fabric::DENIM.with_damping(Damping { mass: 2.0, stiffness: 5e-3 }).unwrap();
    let strip = scene.add(Cloth::sheet([0.4, 0.04], [20, 2]).unwrap().material(fabric));
    scene.pin(strip, Selection::Tag("left".into()));
    let frame = |time: f64, turns: f64| Keyframe {
        time,
        rotation: Vector3::x() * (TAU * turns),
        ..Keyframe::default()
    };
    let frames = vec![frame(0.0, 0.0), frame(1.0, 2.0), frame(2.0, 0.0)];
    let (center, interpolation) = (Vector3::zeros(), Interpolation::Smooth);
    scene.pin(strip, Selection::Tag("right".into())).motion(Motion::Keyframes {
        frames,
        center,
        interpolation,
    });
    let mut simulation = start(&scene, 0.004);
    let mut wound = 0.0;
    for n in 1..=800 {
        let report = simulation.step();
        assert!(report.converged(), "at {}: {:?}", report.time, report.status);
        if n == 250 {
            wound = simulation.energies().elastic;
        }
    }
    let left = simulation.energies().elastic;
    assert!(left < 1e-5 * wound, "{left:e} J left of {wound:e} J");
}

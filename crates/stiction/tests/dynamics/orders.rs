//! Integrators keep their order on whole scenes: large strain, damping, moving pins, changing loads.

use stiction::body::{Cloth, Interpolation, Keyframe, LoadKind, Motion, Profile, Solid};
use stiction::material::{Damping, Fabric, Material, Stretch};
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, SolverSettings};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::monitors::{INTEGRATORS, observed_orders};

const DURATION: f64 = 0.2;

/// A jelly bar, held at one end by a clamp that turns and moves, twisted by it, and pulled ever harder.
fn twisting_bar(damping: Damping) -> Scene {
    let mut scene = Scene::new();
    let jelly = Material::new(5e3, 0.3, 1000.0).and_then(|m| m.with_damping(damping)).unwrap();
    let bar = scene.add(Solid::cuboid([0.4, 0.1, 0.1], [3, 1, 1]).unwrap().material(jelly));
    scene.pin(bar, Selection::Tag("x-min".into())).motion(clamp([-0.2, 0.0, 0.0]));
    scene
        .load(bar, Selection::Tag("x-max".into()), LoadKind::Force([4.0, 6.0, -5.0].into()))
        .profile(Profile::Points(vec![(0.0, 0.2), (DURATION, 1.0)]));
    scene
}

/// A woven sheet hanging from a moving edge, blown by a growing wind.
fn swinging_cloth(damping: Damping) -> Scene {
    let mut scene = Scene::new();
    let stretch = Stretch::Isotropic { youngs_modulus: 5.0, poissons_ratio: 0.3 };
    let fabric = Fabric::new(stretch, 0.3, 2e-4).and_then(|f| f.with_damping(damping)).unwrap();
    let sheet = scene.add(Cloth::sheet([0.4, 0.3], [4, 3]).unwrap().material(fabric));
    scene.pin(sheet, Selection::Tag("left".into())).motion(clamp([-0.2, 0.0, 0.0]));
    scene
        .load(sheet, Selection::All, LoadKind::Traction([0.0, 0.5, 2.0].into()))
        .profile(Profile::Points(vec![(0.0, 0.3), (DURATION, 1.0)]));
    scene
}

/// Starts and ends outside the run, so that nothing jumps on the way.
fn clamp(center: [f64; 3]) -> Motion {
    let end = Keyframe {
        time: DURATION + 0.1,
        translation: [0.05, 0.1, -0.05].into(),
        rotation: [1.2, 0.4, -0.3].into(),
    };
    let frames = vec![Keyframe { time: -0.1, ..Keyframe::default() }, end];
    Motion::Keyframes { frames, center: center.into(), interpolation: Interpolation::Smooth }
}

fn end_state(scene: &Scene, integrator: Integrator, steps: usize) -> Vec<f64> {
    let solver = SolverSettings { tolerance: 1e-9, ..SolverSettings::default() };
    let time_step = DURATION / steps as f64;
    let settings = Settings {
        time_step,
        max_halvings: 0,
        method: SmoothSettings { integrator, solver }.into(),
    };
    let mut simulation = Simulation::with_settings(scene, settings).unwrap();
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "{integrator} at {} s: {:?}", report.time, report);
    }
    let state = simulation.trajectory();
    // Velocities by the duration, to weigh about as much as positions.
    state.q.iter().copied().chain(state.v.iter().map(|v| DURATION * v)).collect()
}

/// Measured at the finest steps: at coarse ones, stiff modes are not resolved and errors fall slower.
#[track_caller]
fn assert_orders(scene: &Scene) {
    for (integrator, order) in INTEGRATORS {
        let seen = observed_orders(160, 3, |steps| end_state(scene, integrator, steps))[0];
        assert!((seen - order).abs() < 0.15, "{integrator}: order {seen:.3}, not {order}");
    }
}

#[test]
fn a_twisting_bar_converges_with_the_order_of_the_scheme() {
    assert_orders(&twisting_bar(Damping::NONE));
}

/// Damping frozen at the start of a step would bring every scheme down to first order.
#[test]
fn damping_does_not_cost_a_bar_its_order() {
    assert_orders(&twisting_bar(Damping { mass: 1.0, stiffness: 4e-3 }));
}

#[test]
fn damping_does_not_cost_cloth_its_order() {
    assert_orders(&swinging_cloth(Damping { mass: 1.0, stiffness: 4e-3 }));
}

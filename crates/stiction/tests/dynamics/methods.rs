//! All ways of solving a stage find the same one.

use stiction::body::{Anchor, Cloth, LoadKind, Motion, Solid, Spring};
use stiction::material::{Damping, Fabric, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, Stabilisation, StageSolver};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::monitors::distance;

const CHOICES: [(StageSolver, Stabilisation); 6] = [
    (StageSolver::Auto, Stabilisation::Projection),
    (StageSolver::Minimise, Stabilisation::Projection),
    (StageSolver::Minimise, Stabilisation::Inertia),
    (StageSolver::Newton, Stabilisation::Projection),
    (StageSolver::InexactNewton, Stabilisation::Projection),
    (StageSolver::MatrixFree, Stabilisation::Projection),
];

/// A twisted bar, a sheet under its own weight, a spring between them.
fn scene() -> Scene {
    let mut scene = Scene::new();
    let damping = Damping { mass: 0.1, stiffness: 1e-3 };
    let soft = Material::new(2e4, 0.4, 1000.0).and_then(|m| m.with_damping(damping)).unwrap();
    let bar = scene.add(Solid::cuboid([0.4, 0.1, 0.1], [4, 2, 2]).unwrap().material(soft));
    let (center, rate) = (Vector3::zeros(), Vector3::x() * 6.0);
    scene.pin(bar, Selection::Tag("x-min".into())).motion(Motion::Rotation { center, rate });
    let fabric = Fabric::SOFT_COTTON.with_damping(damping).unwrap();
    let sheet = Cloth::sheet([0.3, 0.3], [5, 5]).unwrap().material(fabric).at([0.4, 0.3, 0.0]);
    let sheet = scene.add(sheet);
    scene.pin(sheet, Selection::Tag("top".into()));
    scene.spring(Spring::new(Anchor::Vertex(bar, 4), Anchor::Vertex(sheet, 0), 5.0).damping(0.02));
    scene
}

fn paths(scene: &Scene, steps: usize, tolerance: f64) -> Vec<Vec<f64>> {
    CHOICES
        .iter()
        .map(|&(method, stabilisation)| {
            let mut settings = Settings {
                method: SmoothSettings { integrator: Integrator::TR_BDF2, ..Default::default() }
                    .into(),
                ..Settings::default()
            };
            settings.smooth().solver.method = method;
            settings.smooth().solver.stabilisation = stabilisation;
            settings.smooth().solver.tolerance = tolerance;
            let mut simulation = Simulation::with_settings(scene, settings).unwrap();
            for _ in 0..steps {
                let report = simulation.step();
                assert!(report.converged(), "{method:?}: {:?}", report.status);
                assert_eq!(report.sub_steps, 1, "{method:?} at {}", report.time);
            }
            simulation.trajectory().q.clone()
        })
        .collect()
}

#[test]
fn methods_agree_to_the_tolerance() {
    let scene = scene();
    for (tolerance, apart) in [(1e-4, 1e-5), (1e-9, 1e-10)] {
        let paths = paths(&scene, 30, tolerance);
        for (path, choice) in paths.iter().zip(&CHOICES) {
            let distance = distance(path, &paths[0]);
            assert!(distance < apart, "{choice:?}, tolerance {tolerance:e}: {distance:e} m apart");
        }
    }
}

/// A sheet pushed together edge to edge: flat, it is a saddle of the energy, and Hessians on the way to the
/// fold are indefinite. The ways of minimising must find the same fold. Root finders are not asked: with
/// several roots they may take another, such as the saddle.
#[test]
fn minimisation_finds_one_minimum_through_indefinite_hessians() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.0, 0.0, -9.81);
    let sheet = Cloth::sheet([0.4, 0.1], [10, 3]).unwrap().material(Fabric::COTTON);
    let sheet = scene.add(sheet);
    for (side, speed) in [("left", 0.4), ("right", -0.4)] {
        let motion = Motion::Velocity([speed, 0.0, 0.0].into());
        scene.pin(sheet, Selection::Tag(side.into())).motion(motion);
    }
    let run = |stabilisation: Stabilisation| {
        let integrator = Integrator::BackwardEuler;
        let mut settings = Settings {
            time_step: 0.02,
            method: SmoothSettings { integrator, ..Default::default() }.into(),
            ..Settings::default()
        };
        settings.smooth().solver.method = StageSolver::Minimise;
        settings.smooth().solver.stabilisation = stabilisation;
        settings.smooth().solver.tolerance = 1e-8;
        let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
        let mut projected = 0;
        for _ in 0..8 {
            let report = simulation.step();
            assert!(report.converged(), "{stabilisation:?}: {:?}", report.status);
            projected += report.stages.iter().map(|stage| stage.projected).sum::<usize>();
        }
        assert!(projected > 0, "{stabilisation:?} was never needed");
        simulation.trajectory().q.clone()
    };
    let apart = distance(&run(Stabilisation::Projection), &run(Stabilisation::Inertia));
    assert!(apart < 1e-9, "{apart:e} m apart");
}

/// Pressure follows the surface and has no energy here: minimisation must step aside.
#[test]
fn methods_agree_on_forces_without_an_energy() {
    let mut scene = scene();
    let bar = scene.add(Solid::cuboid([0.4, 0.1, 0.1], [4, 1, 1]).unwrap().at([0.0, -0.5, 0.0]));
    scene.load(bar, Selection::Tag("y-max".into()), LoadKind::Pressure(300.0));
    let paths = paths(&scene, 20, 1e-9);
    for (path, choice) in paths.iter().zip(&CHOICES) {
        let distance = distance(path, &paths[0]);
        assert!(distance < 1e-10, "{choice:?}: {distance:e} m apart");
    }
}

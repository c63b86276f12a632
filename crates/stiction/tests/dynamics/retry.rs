//! Steps that fail are halved; when nothing helps, the run goes on, finite, and says so.

use stiction::body::{Cloth, Motion, Solid};
use stiction::material::{Fabric, Material, SolidLaw};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, StageSolver};
use stiction::solve::Status;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::monitors::{INTEGRATORS, distance};

fn bar(law: SolidLaw) -> Solid {
    let soft = Material::new(2e4, 0.3, 1000.0).and_then(|m| m.with_law(law)).unwrap();
    Solid::cuboid([0.4, 0.1, 0.1], [4, 1, 1]).unwrap().material(soft)
}

fn with(scene: &Scene, settings: Settings) -> Simulation {
    Simulation::with_settings(scene, settings).unwrap()
}

fn finite(simulation: &Simulation) -> bool {
    let state = simulation.trajectory();
    let reactions = simulation.model().reactions();
    state.q.iter().chain(&state.v).chain(reactions).all(|value| value.is_finite())
        && simulation.energies().total().is_finite()
}

/// A clamp that turns and shakes one end of a bar.
fn shaken(law: SolidLaw) -> Scene {
    let mut scene = Scene::new();
    let body = scene.add(bar(law));
    let (center, rate) = (Vector3::new(-0.3, 0.05, 0.0), Vector3::new(4.0, 0.0, 6.0));
    scene.pin(body, Selection::Tag("x-min".into())).motion(Motion::Rotation { center, rate });
    scene
}

/// Two iterations are not enough for a long step, but they are for a short one.
#[test]
fn steps_that_need_too_many_iterations_are_halved() {
    let scene = shaken(SolidLaw::StableNeoHookean);
    let h = 0.02;
    for (integrator, _) in INTEGRATORS {
        let settings = Settings {
            time_step: h,
            method: SmoothSettings { integrator, ..Default::default() }.into(),
            ..Settings::default()
        };
        let mut hasty = settings;
        hasty.smooth().solver.max_iterations = 2;
        let fine = Settings { time_step: h / 64.0, ..settings };
        let (mut halved, mut whole, mut fine) =
            (with(&scene, hasty), with(&scene, settings), with(&scene, fine));
        let (mut sub_steps, mut failed) = (0, 0);
        for n in 1..=5 {
            let report = halved.step();
            assert!(report.converged(), "{integrator}: {:?}", report.status);
            sub_steps += report.sub_steps;
            failed += report.failed_attempts;
            // Counted times, to the bit, however the step was cut.
            assert_eq!(halved.time().to_bits(), (n as f64 * h).to_bits());
            assert_eq!(report.time.to_bits(), halved.time().to_bits());
            assert_eq!(whole.step().sub_steps, 1);
            (0..64).for_each(|_| assert!(fine.step().converged()));
        }
        assert!(sub_steps > 5 && failed > 0, "{integrator}: {sub_steps} parts, {failed} failed");
        // Smaller steps are more accurate, too.
        let [halved, whole] =
            [halved, whole].map(|s| distance(&s.trajectory().q, &fine.trajectory().q));
        assert!(halved < 0.9 * whole, "{integrator}: {halved:e} off, in whole steps {whole:e}");
    }
}

/// Neo-Hookean elements have infinite energy inside out, where a long step of the clamp throws them.
#[test]
fn steps_that_start_outside_the_domain_are_halved() {
    let mut scene = Scene::new();
    let body = scene.add(bar(SolidLaw::NeoHookean));
    let motion = Motion::Velocity([3.0, 1.0, 0.0].into());
    scene.pin(body, Selection::Tag("x-min".into())).motion(motion);
    let settings = Settings {
        time_step: 0.05,
        method: SmoothSettings { integrator: Integrator::BackwardEuler, ..Default::default() }
            .into(),
        ..Settings::default()
    };
    let mut simulation = with(&scene, settings);
    let report = simulation.step();
    assert!(report.converged() && report.failed_attempts > 0, "{:?}", report.status);
    assert_eq!(report.stages[0].status, Status::NotFinite);
}

#[test]
fn unsolved_steps_are_reported_and_the_run_goes_on() {
    let scene = shaken(SolidLaw::StableNeoHookean);
    for (integrator, _) in INTEGRATORS {
        let mut settings = Settings {
            time_step: 0.05,
            max_halvings: 1,
            method: SmoothSettings { integrator, ..Default::default() }.into(),
        };
        settings.smooth().solver.max_iterations = 1;
        let mut simulation = with(&scene, settings);
        let mut after_three = None;
        for n in 1..=20 {
            let report = simulation.step();
            assert!(!report.converged(), "{integrator}: one iteration cannot be enough");
            // In halves; and where a first stage of a half stops, that half by backward Euler.
            assert_eq!(report.sub_steps, 2);
            assert!([1, 3].contains(&report.failed_attempts), "{integrator}: {report:?}");
            assert_eq!(simulation.time().to_bits(), (n as f64 * 0.05).to_bits());
            assert!(finite(&simulation), "{integrator} at step {n}");
            // What was not solved is no past for a multistep scheme.
            let before = simulation.state().trajectory.before;
            assert!(before.is_none_or(|before| before.step < 0.04), "{integrator}");
            if n == 3 {
                after_three = Some(simulation.state());
            }
        }
        // And with the iterations it needs, it finds back.
        let state = after_three.expect("more than three steps");
        settings.smooth().solver.max_iterations = 60;
        settings.max_halvings = 6;
        let mut patient = with(&scene, settings);
        patient.restore(&state).unwrap();
        let report = patient.step();
        assert!(report.converged(), "{integrator}: {:?}", report.status);
    }
}

/// Crushed by clamps that meet, born inside out, hit by a cannon, spun to pieces.
fn violent(law: SolidLaw) -> Vec<(&'static str, Scene)> {
    let mut crushed = Scene::new();
    let body = crushed.add(bar(law));
    for (side, speed) in [("x-min", 6.0), ("x-max", -6.0)] {
        let motion = Motion::Velocity([speed, 0.0, 0.0].into());
        crushed.pin(body, Selection::Tag(side.into())).motion(motion);
    }
    let mut inverted = Scene::new();
    let mirrored = bar(law);
    let shape = mirrored.mesh.vertices().iter().map(|x| Vector3::new(-0.7 * x.x, x.y, x.z));
    let shape = shape.collect();
    inverted.add(mirrored.starting_at(shape));
    let mut flattened = Scene::new();
    let flat = bar(law);
    let shape = flat.mesh.vertices().iter().map(|x| Vector3::new(x.x, 0.0, x.z)).collect();
    flattened.add(flat.starting_at(shape));
    let mut point = Scene::new();
    let dot = bar(law);
    let shape = vec![Vector3::zeros(); dot.mesh.vertex_count()];
    point.add(dot.starting_at(shape));
    let mut spun = Scene::new();
    spun.add(bar(law).velocity([1e4, -1e5, 0.0]).spin([1e3, 1e4, 0.0]));
    let mut cannon = Scene::new();
    let body = cannon.add(bar(law));
    let motion = Motion::Velocity([1e4, 0.0, 0.0].into());
    cannon.pin(body, Selection::Ids(vec![7])).motion(motion);
    let mut rag = Scene::new();
    let sheet = Cloth::sheet([0.3, 0.3], [3, 3]).unwrap().material(Fabric::SOFT_SILK);
    let body = rag.add(sheet.spin([300.0, 200.0, 0.0]));
    let motion = Motion::Velocity([50.0, 80.0, -100.0].into());
    rag.pin(body, Selection::Ids(vec![5])).motion(motion);
    vec![
        ("crushed", crushed),
        ("inverted", inverted),
        ("flattened", flattened),
        ("point", point),
        ("spun", spun),
        ("cannon", cannon),
        ("rag", rag),
    ]
}

#[test]
fn nothing_violent_makes_a_number_that_is_none() {
    let methods = [StageSolver::Auto, StageSolver::Newton, StageSolver::InexactNewton];
    for law in [
        SolidLaw::StableNeoHookean,
        SolidLaw::NeoHookean,
        SolidLaw::StVenantKirchhoff,
        SolidLaw::Corotated,
    ] {
        for (k, (integrator, _)) in INTEGRATORS.into_iter().enumerate() {
            for (name, scene) in violent(law) {
                let mut settings = Settings {
                    max_halvings: 2,
                    method: SmoothSettings { integrator, ..Default::default() }.into(),
                    ..Settings::default()
                };
                settings.smooth().solver.method = methods[k % 3];
                settings.smooth().solver.max_iterations = 15;
                let mut simulation = with(&scene, settings);
                let born_finite = finite(&simulation);
                for n in 1..=4 {
                    let report = simulation.step();
                    let state = simulation.trajectory();
                    let fine = state.q.iter().chain(&state.v).all(|value| value.is_finite());
                    assert!(fine, "{name}, {integrator}, {law:?} at step {n}: {:?}", report.status);
                    // Infinite energy only where it was born with it.
                    assert!(
                        finite(&simulation) || !born_finite,
                        "{name}, {integrator}, {law:?} at step {n}: {:?} {:?}",
                        simulation.energies(),
                        report.status
                    );
                }
            }
        }
    }
}

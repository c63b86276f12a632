//! The same bits for any number of threads, and after saving and restoring at any step.

use rayon::ThreadPoolBuilder;
use stiction::body::{
    Anchor, BodyId, Cloth, Interpolation, Keyframe, LoadKind, Motion, Solid, Spring,
};
use stiction::material::{Damping, Fabric, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, Stabilisation, StageSolver};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation, State};
use stiction_check::monitors::INTEGRATORS;

const STEPS: usize = 12;
const TIME_STEP: f64 = 0.01;

/// A block of `cells³`, a strip folded over by more than half a turn, a spring between them, damping
/// everywhere, a pin that lets go on the way.
fn everything(cells: usize) -> Scene {
    let mut scene = Scene::new();
    let damping = Damping { mass: 0.2, stiffness: 1e-3 };
    let jelly = Material::JELLY.with_damping(damping).unwrap();
    let block = Solid::cuboid([0.2; 3], [cells; 3]).unwrap().material(jelly).at([0.3, 0.3, 0.0]);
    let block = scene.add(block.velocity([0.0, -1.0, 0.5]).spin([5.0, 3.0, 0.0]));
    let until = 4.5 * TIME_STEP;
    scene.pin(block, Selection::Tag("x-min".into())).release(until);
    let strip = strip(&mut scene, damping);
    fold(&mut scene, strip, 230_f64.to_radians(), STEPS as f64 * TIME_STEP);
    scene
        .spring(Spring::new(Anchor::Vertex(block, 0), Anchor::Vertex(strip, 3), 5.0).damping(0.01));
    scene.spring(Spring::new(Anchor::Vertex(block, 1), Anchor::Point(Vector3::y()), 5.0));
    scene.load(block, Selection::Tag("y-max".into()), LoadKind::Force([0.0, 0.0, 2.0].into()));
    scene
}

/// Six cells along `x`, one across.
fn strip(scene: &mut Scene, damping: Damping) -> BodyId {
    let fabric = Fabric::COTTON.with_damping(damping).unwrap();
    scene.add(Cloth::sheet([0.3, 0.05], [6, 1]).unwrap().material(fabric))
}

/// Holds the left part and turns the right one about the middle of the strip; the crease between follows.
fn fold(scene: &mut Scene, strip: BodyId, angle: f64, duration: f64) {
    let (left, right) = (Vector3::new(-0.04, 0.0, 0.0), Vector3::new(0.04, 0.0, 0.0));
    scene.pin(strip, Selection::HalfSpace { point: left, normal: -Vector3::x() });
    let turned = Keyframe { time: duration, rotation: Vector3::y() * angle, ..Keyframe::default() };
    let frames = vec![Keyframe::default(), turned];
    let (center, interpolation) = (Vector3::zeros(), Interpolation::Linear);
    scene
        .pin(strip, Selection::HalfSpace { point: right, normal: Vector3::x() })
        .motion(Motion::Keyframes { frames, center, interpolation });
}

/// The bits of a state, signs of zeros and all.
fn bits(state: &State) -> Vec<u64> {
    let trajectory = &state.trajectory;
    let before = trajectory.before.iter().flat_map(|b| [&b.q, &b.v]).flatten();
    let values = trajectory.q.iter().chain(&trajectory.v).chain(before).chain(&state.memory);
    [state.steps, trajectory.time.to_bits()]
        .into_iter()
        .chain(values.map(|v| v.to_bits()))
        .collect()
}

fn settings(integrator: Integrator, method: StageSolver, stabilisation: Stabilisation) -> Settings {
    let mut settings = Settings {
        time_step: TIME_STEP,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Settings::default()
    };
    (settings.smooth().solver.method, settings.smooth().solver.stabilisation) =
        (method, stabilisation);
    settings
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // More elements than are summed on one thread.
    let scene = everything(6);
    for (method, stabilisation) in [
        (StageSolver::Minimise, Stabilisation::Projection),
        (StageSolver::Minimise, Stabilisation::Inertia),
        (StageSolver::Newton, Stabilisation::Projection),
        (StageSolver::InexactNewton, Stabilisation::Projection),
    ] {
        let run = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let settings = settings(Integrator::Bdf2, method, stabilisation);
                let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
                for _ in 0..6 {
                    assert!(simulation.step().converged(), "{method:?}");
                }
                let energies = simulation.energies();
                let reactions = simulation.model().reactions().iter().map(|r| r.to_bits());
                let mut all = bits(&simulation.state());
                all.extend(
                    reactions.chain([energies.elastic.to_bits(), energies.kinetic.to_bits()]),
                );
                all
            })
        };
        let alone = run(1);
        for threads in [2, 3, 7] {
            assert!(
                run(threads) == alone,
                "{method:?}, {stabilisation:?}: {threads} threads differ"
            );
        }
    }
}

#[test]
fn a_restored_run_continues_with_the_same_bits() {
    let scene = everything(2);
    let methods = [StageSolver::Minimise, StageSolver::Newton, StageSolver::InexactNewton];
    let stabilisations = [Stabilisation::Projection, Stabilisation::Inertia];
    for (k, (integrator, _)) in INTEGRATORS.into_iter().enumerate() {
        let settings = settings(integrator, methods[k % 3], stabilisations[k % 2]);
        let start = || Simulation::with_settings(&scene, settings).unwrap();
        let mut simulation = start();
        let mut states = vec![simulation.state()];
        for _ in 0..STEPS {
            simulation.step();
            states.push(simulation.state());
        }
        let half_turn = std::f64::consts::PI;
        let most = states[STEPS].memory.iter().fold(0.0, |most: f64, angle| most.max(angle.abs()));
        assert!(most > half_turn, "the strip folds over: {most}");
        for from in 0..STEPS {
            let mut restored = start();
            restored.restore(&states[from]).unwrap();
            assert_eq!(bits(&restored.state()), bits(&states[from]));
            for n in from + 1..=STEPS {
                restored.step();
                let same = bits(&restored.state()) == bits(&states[n]);
                assert!(same, "{integrator}, saved at {from}: differs at {n}");
            }
            // Back in time, in the run that went on: pins that had let go hold again.
            simulation.restore(&states[from]).unwrap();
            simulation.step();
            assert!(
                bits(&simulation.state()) == bits(&states[from + 1]),
                "{integrator}, back to {from}"
            );
        }
    }
}

#[test]
fn a_state_of_another_scene_is_refused() {
    let (large, small) = (everything(2), everything(1));
    let state = Simulation::new(&large).unwrap().state();
    let error = Simulation::new(&small).unwrap().restore(&state).unwrap_err();
    assert!(error.to_string().contains("help:"), "{error}");
    let mut state = Simulation::new(&small).unwrap().state();
    state.memory.pop();
    assert!(Simulation::new(&small).unwrap().restore(&state).is_err());
}

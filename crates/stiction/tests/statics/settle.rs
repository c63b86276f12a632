//! Settling finds equilibria: steps from there stand still, all methods agree, and what cannot rest says so.

use stiction::body::{BodyId, Cloth, LoadKind, Motion, Solid};
use stiction::material::{Fabric, Material, SolidLaw};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, SolverSettings, Stabilisation, StageSolver};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::shapes::{farthest, noise};

fn tag(name: &str) -> Selection {
    Selection::Tag(name.into())
}

/// A cantilever of 0.5 m by 0.05 m.
fn beam(material: Material) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let body = Solid::cuboid([0.5, 0.05, 0.05], [10, 1, 1]).unwrap().material(material);
    let body = scene.add(body.named("beam"));
    scene.pin(body, tag("x-min"));
    (scene, body)
}

fn lowest(x: &[Vector3]) -> f64 {
    x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_step_from_equilibrium_does_nothing() {
    let integrators = [
        Integrator::BackwardEuler,
        Integrator::Bdf2,
        Integrator::Trapezoid,
        Integrator::TR_BDF2,
        Integrator::Sdirk2,
        Integrator::Newmark { beta: 0.25, gamma: 0.5 },
    ];
    for integrator in integrators {
        let (mut scene, body) = beam(Material::FLESH);
        let cloth = Cloth::sheet([0.3, 0.3], [6, 6]).unwrap().turned([1.0, 0.0, 0.0], 1.5);
        let cloth = scene.add(cloth.at([0.0, 0.0, 1.0]));
        scene.pin(cloth, tag("top"));
        let mut simulation = Simulation::with_settings(
            &scene,
            Settings {
                method: SmoothSettings { integrator, ..Default::default() }.into(),
                ..Default::default()
            },
        )
        .unwrap();
        assert!(simulation.settle().unwrap().converged());
        let rest = simulation.positions(body);
        assert!(lowest(&rest) < -0.1, "it sags: {}", lowest(&rest));
        for _ in 0..3 {
            let report = simulation.step();
            assert!(report.converged() && report.iterations() == 0, "{integrator}: {report:?}");
        }
        let energy = simulation.energies();
        assert!(energy.kinetic < 1e-15 * energy.elastic, "{integrator}: {energy:?}");
        assert!(farthest(&simulation.positions(body), &rest) < 1e-9, "{integrator}");
        let reaction: Vector3 = simulation.reactions(body).iter().sum();
        let nodes = simulation.model().nodes(body).iter();
        let mass: f64 = nodes.map(|&n| simulation.model().node_masses()[n as usize]).sum();
        let off = (reaction.y / (9.81 * mass) - 1.0).abs();
        assert!(off < 1e-6, "{integrator}: pins of a beam at rest bear its weight, off by {off:e}");
    }
}

/// Hanging straight down from a start straight out.
#[test]
fn soft_beams_sag_all_the_way() {
    for law in [SolidLaw::StableNeoHookean, SolidLaw::NeoHookean, SolidLaw::Corotated] {
        let material = Material::new(2e3, 0.3, 1000.0).unwrap().with_law(law).unwrap();
        let (scene, body) = beam(material);
        let mut simulation = Simulation::new(&scene).unwrap();
        let report = simulation.settle().unwrap();
        assert!(report.converged(), "{law:?}: {report:?}");
        let x = simulation.positions(body);
        assert!(lowest(&x) < -0.6, "{law:?}: hangs down to {}", lowest(&x));
        assert!(simulation.energies().elastic.is_finite());
        let weight = 9.81 * simulation.model().node_masses().iter().sum::<f64>();
        let reaction: Vector3 = simulation.reactions(body).iter().sum();
        assert!((reaction.y / weight - 1.0).abs() < 1e-6, "{law:?}: {reaction}");
    }
}

#[test]
fn all_methods_find_the_same_equilibrium() {
    let (scene, body) = beam(Material::FLESH.with_youngs_modulus(1e6).unwrap());
    let settle = |method: StageSolver, stabilisation: Stabilisation| {
        let solver =
            SolverSettings { method, stabilisation, tolerance: 1e-9, ..Default::default() };
        let settings = Settings {
            method: SmoothSettings { solver, ..Default::default() }.into(),
            ..Default::default()
        };
        let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
        let report = simulation.settle().unwrap();
        assert!(
            report.converged(),
            "{method:?}, {stabilisation:?}: {}, {:?}",
            report.status,
            report.residuals.last()
        );
        simulation.positions(body)
    };
    let reference = settle(StageSolver::Auto, Stabilisation::Projection);
    assert!(lowest(&reference) < -0.05, "far from linear: {}", lowest(&reference));
    for method in [StageSolver::Minimise, StageSolver::Newton, StageSolver::InexactNewton] {
        for stabilisation in [Stabilisation::Projection, Stabilisation::Inertia] {
            let off = farthest(&settle(method, stabilisation), &reference);
            assert!(off < 1e-9, "{method:?}, {stabilisation:?}: off by {off:e} m");
        }
    }
}

/// Squeezed elements have indefinite Hessians: both ways around that end in the same place.
#[test]
fn both_stabilisations_recover_a_crumpled_box() {
    for law in [SolidLaw::StableNeoHookean, SolidLaw::Corotated] {
        let solid = Solid::cuboid([0.2; 3], [3, 3, 3]).unwrap();
        let solid = solid.material(Material::RUBBER.with_law(law).unwrap());
        let rest = solid.mesh.vertices().to_vec();
        let start = rest
            .iter()
            .enumerate()
            .map(|(v, x)| if x.y < -0.09 { *x } else { x * 0.5 + noise(5, v) * 0.03 });
        let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
        let body = scene.add(solid.clone().starting_at(start.collect()));
        scene.pin(body, tag("y-min"));
        for stabilisation in [Stabilisation::Projection, Stabilisation::Inertia] {
            let solver = SolverSettings { stabilisation, ..Default::default() };
            let settings = Settings {
                method: SmoothSettings { solver, ..Default::default() }.into(),
                ..Default::default()
            };
            let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
            let report = simulation.settle().unwrap();
            assert!(report.converged(), "{law:?}, {stabilisation:?}: {report:?}");
            assert!(report.projected > 0, "{stabilisation:?} had work to do");
            let off = farthest(&simulation.positions(body), &rest);
            assert!(off < 1e-6, "{law:?}, {stabilisation:?}: off by {off:e} m");
        }
    }
}

/// Rigid motions cost nothing, so the equilibrium is not unique and the Hessian singular there.
#[test]
fn a_free_body_settles_to_its_shape_where_nothing_pushes() {
    let solid = Solid::cuboid([0.2; 3], [2, 2, 2]).unwrap();
    let rest = solid.mesh.vertices().to_vec();
    let start = rest.iter().enumerate().map(|(v, x)| x * 1.2 + noise(9, v) * 0.02).collect();
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let body = scene.add(solid.starting_at(start));
    let mut simulation = Simulation::new(&scene).unwrap();
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{report:?}");
    let x = simulation.positions(body);
    for i in 0..rest.len() {
        for j in 0..i {
            let (now, then) = ((x[i] - x[j]).norm(), (rest[i] - rest[j]).norm());
            assert!((now - then).abs() < 1e-7, "{i} and {j} are {now} apart, not {then}");
        }
    }
}

#[test]
fn what_nothing_holds_cannot_settle() {
    let block = || Solid::cuboid([0.1; 3], [1, 1, 1]).unwrap();
    // Falls.
    let mut scene = Scene::new();
    let pinned = scene.add(block());
    scene.pin(pinned, Selection::All);
    scene.add(block().at([1.0, 0.0, 0.0]));
    let mut simulation = Simulation::new(&scene).unwrap();
    let before = simulation.state();
    let error = simulation.settle().expect_err("one of them falls");
    let weight = 9.81 * 1030.0 * 1e-3;
    assert!((error.force - weight).abs() < 1e-9 && error.node >= 8, "{error:?}");
    let message = error.to_string();
    assert!(message.contains("help:") && message.contains("1.010e1 N"), "{message}");
    assert!(simulation.state() == before, "nothing has moved");
    // Held along x only: still falls.
    let mut scene = Scene::new();
    let body = scene.add(block());
    scene.pin(body, Selection::All).axes([true, false, false]);
    assert!(Simulation::new(&scene).unwrap().settle().is_err());
    // Held along y: rests.
    scene.pins[0].axes = [false, true, false];
    assert!(Simulation::new(&scene).unwrap().settle().unwrap().converged());
    // Pushed sideways: not any more.
    scene.load(body, Selection::All, LoadKind::Force(Vector3::x()));
    assert!(Simulation::new(&scene).unwrap().settle().is_err());
    // Pushed from both sides: rests again.
    scene.load(body, Selection::All, LoadKind::Force(-Vector3::x()));
    assert!(Simulation::new(&scene).unwrap().settle().unwrap().converged());
}

/// A sheet held out flat by two corners falls into folds: thin, soft, and singular at the start.
#[test]
fn hanging_cloth_settles() {
    let mut scene = Scene::new();
    let cloth = Cloth::sheet([0.5, 0.5], [10, 10]).unwrap().material(Fabric::SILK);
    let body = scene.add(cloth.turned([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2));
    scene.pin(body, Selection::Ids(vec![110, 120]));
    let mut simulation = Simulation::new(&scene).unwrap();
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{report:?}");
    let weight = 9.81 * simulation.model().node_masses().iter().sum::<f64>();
    let reaction: Vector3 = simulation.reactions(body).iter().sum();
    assert!((reaction.y / weight - 1.0).abs() < 1e-5, "{reaction} for {weight}");
    let lowest = lowest(&simulation.positions(body));
    assert!(lowest < -0.5 && lowest > -0.65, "{lowest}");
}

/// Velocities stay, pins that moved away are followed.
#[test]
fn settling_keeps_velocities_and_follows_pins() {
    let (mut scene, body) = beam(Material::RUBBER);
    let mut reference = Simulation::new(&scene).unwrap();
    assert!(reference.settle().unwrap().converged());
    scene.pins[0].motion(Motion::Velocity(Vector3::z()));
    let mut simulation = Simulation::new(&scene).unwrap();
    for _ in 0..5 {
        assert!(simulation.step().converged());
    }
    let before = simulation.velocities(body);
    assert!(simulation.settle().unwrap().converged());
    assert_eq!(simulation.velocities(body), before);
    let moved: Vec<Vector3> =
        reference.positions(body).iter().map(|x| x + Vector3::z() * simulation.time()).collect();
    let off = farthest(&simulation.positions(body), &moved);
    assert!(off < 1e-7, "off by {off:e} m");
}

/// Pressure has no energy to minimise, and the root is far away: the way there is gone in time.
#[test]
fn a_soft_beam_bends_under_pressure_all_the_way() {
    let mut scene = Scene::new();
    let soft = Material::new(1e5, 0.3, 1000.0).unwrap();
    let beam = scene.add(Solid::cuboid([1.0, 0.1, 0.1], [12, 2, 2]).unwrap().material(soft));
    scene.pin(beam, Selection::Tag("x-min".into()));
    scene.load(beam, Selection::Tag("y-max".into()), LoadKind::Pressure(200.0));
    let mut simulation = Simulation::new(&scene).unwrap();
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{:?} after {}", report.status, report.iterations);
    let tip = simulation.positions(beam).iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    assert!(tip < -0.5, "the tip hangs at {tip}");
    let step = simulation.step();
    assert!(step.iterations() <= 1, "an equilibrium, but for the tolerance: {step:?}");
    assert!(simulation.energies().kinetic < 1e-12, "nothing moves");
}

//! Oscillators swing at the frequency and die at the rate that closed forms give.

use std::f64::consts::{PI, TAU};

use nalgebra::Rotation3;
use stiction::body::{Anchor, BodyId, LoadKind, Solid, Spring};
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, SolverSettings};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::monitors::{Monitor, exponential_rate, period};

fn start(scene: &Scene, time_step: f64) -> Simulation {
    let solver = SolverSettings { tolerance: 1e-9, ..SolverSettings::default() };
    let integrator = Integrator::Trapezoid;
    let settings = Settings {
        time_step,
        method: SmoothSettings { integrator, solver }.into(),
        ..Settings::default()
    };
    Simulation::with_settings(scene, settings).unwrap()
}

/// A cube of 1 kg on rails along `y`, each vertex tied to the ground by its share of the spring.
fn mass_on_springs(stiffness: f64, damping: f64) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let stiff = Material::new(1e6, 0.0, 1000.0).unwrap();
    let cube = Solid::cuboid([0.1, 0.1, 0.1], [1, 1, 1]).unwrap().material(stiff);
    let corners: Vec<Vector3> = cube.mesh.vertices().to_vec();
    let body = scene.add(cube.velocity([0.0, 0.3, 0.0]));
    scene.pin(body, Selection::All).axes([true, false, true]);
    // Shares by mass, so that nothing deforms: the corners of a Kuhn cube are not equally heavy.
    let simulation = start(&scene, 0.01);
    let masses = simulation.model().node_masses();
    for (v, x) in corners.iter().enumerate() {
        let share = masses[v]; // of 1 kg
        let anchor = Anchor::Point(x - Vector3::y());
        let spring = Spring::new(Anchor::Vertex(body, v as u32), anchor, share * stiffness);
        scene.spring(spring.damping(share * damping));
    }
    (scene, body)
}

#[test]
fn a_mass_on_a_spring_swings_at_its_frequency() {
    let stiffness = 400.0;
    let (scene, body) = mass_on_springs(stiffness, 0.0);
    let mut simulation = start(&scene, 0.002);
    let rest = simulation.positions(body)[0].y;
    let mut path = Vec::new();
    for _ in 0..1000 {
        assert!(simulation.step().converged());
        path.push((simulation.time(), simulation.positions(body)[0].y - rest));
    }
    // The trapezoid rule turns by 2 atan(ωh/2) in a step instead of ωh.
    let omega: f64 = stiffness.sqrt();
    let exact = TAU / omega;
    let discrete = TAU * 0.002 / (2.0 * (0.5 * omega * 0.002).atan());
    assert!((period(&path) / discrete - 1.0).abs() < 1e-5, "{} {discrete}", period(&path));
    assert!((period(&path) / exact - 1.0).abs() < 2e-4);
    let amplitude = path.iter().fold(0.0, |most: f64, (_, y)| most.max(y.abs()));
    assert!((amplitude * omega / 0.3 - 1.0).abs() < 1e-3, "amplitude {amplitude}");
}

/// `x ∝ exp(−c t/2m) sin ω_d t`: energy dies with `c/m` on average.
#[test]
fn a_damper_takes_energy_at_its_rate() {
    let (stiffness, damping) = (400.0, 1.0);
    let (scene, body) = mass_on_springs(stiffness, damping);
    let mut simulation = start(&scene, 0.001);
    let rest = simulation.positions(body)[0].y;
    // Kinetic energy where the mass passes its rest: the peaks of a decaying sine, free of phase.
    let (mut peaks, mut last) = (Vec::new(), 0.0);
    for _ in 0..3000 {
        assert!(simulation.step().converged());
        let y = simulation.positions(body)[0].y - rest;
        if last * y < 0.0 {
            peaks.push((simulation.time(), simulation.energies().total()));
        }
        last = y;
    }
    let rate = exponential_rate(peaks.iter().copied());
    assert!(peaks.len() > 15 && (rate + damping).abs() < 2e-3, "rate {rate}");
}

const LENGTH: f64 = 0.5;
const HEIGHT: f64 = 0.1;
const YOUNGS_MODULUS: f64 = 1e6;
const DENSITY: f64 = 1000.0;

/// First bending frequency [1/s] of a cantilever, with `cells` along and across.
fn bending_frequency(cells: [usize; 2]) -> f64 {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let soft = Material::new(YOUNGS_MODULUS, 0.0, DENSITY).unwrap();
    let cells = [cells[0], cells[1], cells[1]];
    let cantilever = Solid::cuboid([LENGTH, HEIGHT, HEIGHT], cells).unwrap().material(soft);
    let rest = cantilever.mesh.vertices().to_vec();
    let body = scene.add(cantilever.clone());
    scene.pin(body, Selection::Tag("x-min".into()));
    let tip_load = LoadKind::Force([0.0, -1e-3, 0.0].into());
    scene.load(body, Selection::Tag("x-max".into()), tip_load);
    // Bent as by a load at the tip, nearly the shape of the first mode; then let go.
    let mut bent = start(&scene, 0.008);
    assert!(bent.settle().unwrap().converged());
    scene.loads.clear();
    scene.bodies[0] = cantilever.starting_at(bent.positions(body)).into();
    let mut simulation = start(&scene, 0.008);
    let tip = (0..rest.len()).find(|&v| rest[v].x >= 0.5 * LENGTH).unwrap();
    let mut path = Vec::new();
    for _ in 0..80 {
        assert!(simulation.step().converged());
        path.push((simulation.time(), simulation.positions(body)[tip].y - rest[tip].y));
    }
    1.0 / period(&path)
}

/// Linear elements are too stiff in bending, by an error that falls like the square of their size.
#[test]
fn a_cantilever_swings_as_beam_theory_says() {
    // ω = 1.8751² √(EI/ρA)/L². For L = 5 h and ν = 0, shear and rotary inertia take off 2 %.
    let beam = 1.8751_f64.powi(2) / LENGTH.powi(2)
        * (YOUNGS_MODULUS * HEIGHT.powi(2) / 12.0 / DENSITY).sqrt()
        / TAU;
    let (coarse, fine) = (bending_frequency([9, 2]), bending_frequency([18, 4]));
    assert!(coarse > fine && fine > beam, "not stiffer than the beam: {coarse}, {fine}, {beam}");
    let limit = fine + (fine - coarse) / 3.0;
    assert!((limit / beam - 0.98).abs() < 0.03, "{limit} in the limit, beam {beam}");
}

/// On a hinge, `T = 2π √(I/mgd)` with the inertia of the lumped masses, longer by `1 + θ²/16` at amplitude `θ`.
#[test]
fn a_stiff_bar_swings_like_a_rigid_pendulum() {
    let mut scene = Scene::new();
    let stiff = Material::new(1e8, 0.3, 1000.0).unwrap();
    let (length, angle) = (1.0, 0.1_f64);
    let bar = Solid::cuboid([0.05, length, 0.05], [2, 6, 1]).unwrap().material(stiff);
    let hanging = Rotation3::new(Vector3::z() * angle) * Vector3::new(0.0, -0.5 * length, 0.0);
    let body = scene.add(bar.turned([0.0, 0.0, 1.0], angle).at(hanging));
    // The vertices on the axis.
    let (min, max) = (Vector3::new(-0.01, -0.01, -0.1), Vector3::new(0.01, 0.01, 0.1));
    scene.pin(body, Selection::Box { min, max });
    let mut simulation = start(&scene, 0.005);
    let (mut inertia, mut lever) = (0.0, Vector3::zeros());
    for (m, x) in simulation.model().node_masses().iter().zip(simulation.positions(body)) {
        inertia += m * x.xy().norm_squared();
        lever += x * *m;
    }
    let expected = TAU * (inertia / (9.81 * lever.norm())).sqrt() * (1.0 + angle * angle / 16.0);
    let mut path = Vec::new();
    for _ in 0..1000 {
        assert!(simulation.step().converged());
        path.push((simulation.time(), simulation.positions(body).iter().map(|x| x.x).sum()));
    }
    let seen = period(&path);
    assert!((seen / expected - 1.0).abs() < 2e-3, "{seen} s, not {expected} s");
}

/// Two ways of losing energy: drag on mass takes `2α` of the kinetic energy of a flying body per second,
/// and viscosity nothing of a rigid motion.
#[test]
fn mass_damping_brakes_flight_and_stiffness_damping_does_not() {
    let flight = |damping: Damping| {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let material = Material::new(1e5, 0.3, 1000.0).and_then(|m| m.with_damping(damping));
        let block = Solid::cuboid([0.2, 0.1, 0.1], [2, 1, 1]).unwrap().material(material.unwrap());
        scene.add(block.velocity([1.0, 2.0, -1.0]));
        Monitor::watch(&mut start(&scene, 0.01), 100)
    };
    let dragged = flight(Damping { mass: 0.5, stiffness: 0.0 });
    assert!((dragged.kinetic_rate() + 1.0).abs() < 1e-4, "rate {}", dragged.kinetic_rate());
    let viscous = flight(Damping { mass: 0.0, stiffness: 0.05 });
    assert!(viscous.energy().max_relative() < 1e-12, "{:?}", viscous.energy());
}

/// Of a mode with frequency `ω`, `αM + βK` takes `α + βω²` of the energy per second.
#[test]
fn rayleigh_damping_takes_energy_from_a_mode_at_its_rate() {
    let watch = |damping: Damping| {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let material = Material::new(1e4, 0.0, 1000.0).and_then(|m| m.with_damping(damping));
        let rod = Solid::cuboid([0.4, 0.1, 0.1], [4, 1, 1]).unwrap().material(material.unwrap());
        // Lowest longitudinal mode of a rod on rails: u ∝ sin(πx/L).
        let shape = rod.mesh.vertices().iter();
        let shape = shape.map(|x| x + Vector3::x() * (1e-4 * (PI * x.x / 0.4).sin())).collect();
        let body = scene.add(rod.starting_at(shape));
        scene.pin(body, Selection::All).axes([false, true, true]);
        let mut simulation = start(&scene, 0.001);
        let (rest, mut path, mut energies) = (simulation.positions(body)[0].x, vec![], vec![]);
        for _ in 0..1500 {
            assert!(simulation.step().converged());
            let (time, x) = (simulation.time(), simulation.positions(body)[0].x);
            path.push((time, x - rest - 1e-4));
            energies.push((time, simulation.energies().total()));
        }
        (TAU / period(&path), exponential_rate(energies.into_iter()))
    };
    let (omega, kept) = watch(Damping::NONE);
    assert!(kept.abs() < 1e-4, "without damping, {kept}");
    let (_, by_mass) = watch(Damping { mass: 1.0, stiffness: 0.0 });
    assert!((by_mass + 1.0).abs() < 0.02, "by mass, {by_mass}");
    let beta = 2.0 / (omega * omega);
    let (_, by_stiffness) = watch(Damping { mass: 0.0, stiffness: beta });
    assert!((by_stiffness + 2.0).abs() < 0.06, "by stiffness, {by_stiffness}");
}

//! What contact costs, on three scenes.
//!
//! `contact slide|soft|torus|contacts`, one thread by default (`RAYON_NUM_THREADS` says otherwise):
//!
//! - `slide`: a unit cube of 4×4×4 cells of five tets (375 unknowns) slides down 10° at μ = 0.177; backward Euler, 10 ms.
//! - `soft`: a soft block of 6×6×6 vertices slides down a slope beyond its friction; how far off is its acceleration?
//! - `torus`: 6.6k vertices and 28.6k tets thrown onto a plane at 1 m/s, μ = 0.5; backward Euler, 10 ms.
//! - `contacts`: the same number of unknowns with ever more contacts.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use stiction::body::{Obstacle, Solid};
use stiction::contact::Friction;
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::mesh::generate::{self, CuboidSplit};
use stiction::step::Integrator;
use stiction::system::Phase;
use stiction::{Scene, Settings, Simulation};

/// CPU time of this process so far [s], in steps of 10 ms. Clocks on the wall drift with what else the machine does.
fn cpu_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks: Vec<f64> = stat
        .rsplit(')')
        .next()
        .into_iter()
        .flat_map(str::split_whitespace)
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse().ok())
        .collect();
    ticks.iter().sum::<f64>() / 100.0
}

/// Largest memory so far [MB].
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1e3
}

fn main() {
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let what = std::env::args().nth(1).unwrap_or_default();
    pool.install(|| match what.as_str() {
        "slide" => slide(),
        "soft" => soft(),
        "torus" => torus(),
        "contacts" => contacts(),
        _ => println!("contact slide|soft|torus|contacts"),
    });
}

/// Gravity turned instead of the slope.
fn slope(tangent: f64) -> Vector3 {
    let angle = tangent.atan();
    Vector3::new(9.81 * angle.sin(), -9.81 * angle.cos(), 0.0)
}

fn slide() {
    let mut scene = Scene::new();
    scene.gravity = slope(10_f64.to_radians().tan());
    let mesh = generate::cuboid([1.0; 3], [4; 3], CuboidSplit::Five).expect("a valid box");
    let material = Material::RUBBER.with_youngs_modulus(1e9).expect("valid");
    let material = material.with_poissons_ratio(0.0).expect("valid").with_density(1000.0);
    let block = Solid::new(mesh).material(material.expect("valid")).at([0.0, 0.501, 0.0]);
    let block = scene.add(block.velocity([0.1, 0.0, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let rule = scene.contact(block, plane);
    rule.friction = Friction::coulomb(0.177);
    rule.thickness = Some(1e-3);
    run(&scene, 0.01, 100, 400);
}

fn soft() {
    // Young's modulus 2e5, Poisson's ratio 0.3, μ = 0.5: down a slope of tangent 0.6 it accelerates by g (sin − μ cos).
    let mut scene = Scene::new();
    let tangent = 0.6;
    scene.gravity = slope(tangent);
    let material = Material::RUBBER
        .with_youngs_modulus(2e5)
        .and_then(|m| m.with_poissons_ratio(0.3))
        .and_then(|m| m.with_density(1000.0))
        .and_then(|m| m.with_damping(stiction::material::Damping { mass: 0.0, stiffness: 5e-3 }))
        .expect("valid");
    let block = Solid::cuboid([0.2; 3], [5; 3]).expect("valid").material(material);
    let block = scene.add(block.at([0.0, 0.1002, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(block, plane, 0.5);
    let angle = f64::atan(tangent);
    let expected = 9.81 * (angle.sin() - 0.5 * angle.cos());
    for step in [0.005, 0.01, 0.02] {
        let settings =
            Settings { time_step: step, integrator: Integrator::Bdf2, ..Default::default() };
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let speed = |simulation: &Simulation| {
            let v = simulation.velocities(block);
            v.iter().map(|v| v.x).sum::<f64>() / v.len() as f64
        };
        let advance = |simulation: &mut Simulation, until: f64| {
            while simulation.time() < until - 1e-9 {
                assert!(simulation.step().converged(), "at {} s", simulation.time());
            }
        };
        let start = cpu_time();
        advance(&mut simulation, 0.5);
        let (before, at) = (speed(&simulation), simulation.time());
        advance(&mut simulation, 1.5);
        let acceleration = (speed(&simulation) - before) / (simulation.time() - at);
        println!(
            "soft block, step {step} s: {:.3} s per simulated second, acceleration off by {:+.4} %",
            (cpu_time() - start) / 1.5,
            100.0 * (acceleration / expected - 1.0)
        );
    }
}

fn torus() {
    let mut scene = Scene::new();
    let mesh = generate::torus(0.5, 0.2, 0.04).expect("a valid torus");
    let material = Material::RUBBER
        .with_youngs_modulus(1e6)
        .and_then(|m| m.with_poissons_ratio(0.4))
        .and_then(|m| m.with_density(1000.0))
        .expect("valid");
    println!("{} vertices, {} tets", mesh.vertex_count(), mesh.element_count());
    let turn = 90_f64.to_radians();
    let torus = Solid::new(mesh).material(material).turned([1.0, 0.0, 0.0], turn);
    let torus = scene.add(torus.at([0.0, 0.205, 0.0]).velocity([0.6, -0.8, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(torus, plane, 0.5);
    run(&scene, 0.01, 5, 20);
}

fn contacts() {
    for cells in [[64, 16, 1], [32, 16, 2], [32, 8, 4], [16, 8, 8]] {
        let mut scene = Scene::new();
        let size = cells.map(|n| 0.02 * n as f64);
        let block = Solid::cuboid([size[0], size[2], size[1]], [cells[0], cells[2], cells[1]]);
        let block = scene.add(block.expect("valid").at([0.0, 0.5 * size[2] + 1e-4, 0.0]));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.friction_between(block, plane, 0.5);
        run(&scene, 0.01, 5, 10);
    }
}

/// Steps with backward Euler; the first ones are not counted.
fn run(scene: &Scene, time_step: f64, first: usize, steps: usize) {
    let settings =
        Settings { time_step, integrator: Integrator::BackwardEuler, ..Default::default() };
    let mut simulation = Simulation::with_settings(scene, settings).expect("a valid scene");
    for _ in 0..first {
        simulation.step();
    }
    let clock = std::time::Instant::now();
    simulation.set_clock(move || clock.elapsed().as_secs_f64());
    let wall = clock;
    let start = cpu_time();
    let (mut iterations, mut touching, mut unconverged) = (0, 0, 0);
    for _ in 0..steps {
        let report = simulation.step();
        iterations += report.iterations();
        touching = touching.max(report.contact.touching);
        unconverged += usize::from(!report.converged());
    }
    let total = cpu_time() - start;
    println!(
        "{} unknowns, {touching} contacts, {:.2} iterations a step, {unconverged} not converged: {:.3} ms a step, {:.0} MB",
        simulation.system().unknown_count(),
        iterations as f64 / steps as f64,
        1e3 * total / steps as f64,
        peak_memory()
    );
    let (timings, elapsed) = (simulation.timings(), wall.elapsed().as_secs_f64());
    let shares = Phase::ALL.map(|phase| {
        format!("{phase:?} {:.0} %", 100.0 * timings.seconds(phase) / elapsed).to_lowercase()
    });
    println!("  {}", shares.join(", "));
}

//! What contact costs.
//!
//! `contact slide|soft|torus|squish|tube|contacts`, one thread by default (`RAYON_NUM_THREADS` says otherwise):
//!
//! - `slide`: a unit cube of 4×4×4 cells of five tets (375 unknowns) slides down 10° at μ = 0.177; backward Euler, 10
//!   ms.
//! - `soft`: a soft block of 6×6×6 vertices slides down a slope beyond its friction; how far off is its acceleration?
//! - `torus`: 6.6k vertices and 31k tets thrown onto a plane at 1 m/s, μ = 0.5; backward Euler, 10 ms.
//! - `squish`: a hollow ball of 58k tets full of gas between plates that close; direct and iterative.
//! - `tube`: a sleeve of 8k triangles on a soft capsule of 30k tets that bends; direct and iterative.
//! - `contacts`: a sheet, the same in all lines, on ever wider tables: analytic ones and soft ones.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use stiction::body::{Cloth, Motion, Obstacle, Shape, Solid, Zone};
use stiction::contact::Friction;
use stiction::material::{Fabric, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::mesh::generate::{self, CuboidSplit, Diagonals};
use stiction::method::smooth::{SmoothSettings, SolverSettings, StageSolver};
use stiction::model::Phase;
use stiction::step::Integrator;
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
        "squish" => squish(),
        "tube" => tube(),
        "contacts" => contacts(),
        _ => println!("contact slide|soft|torus|squish|tube|contacts"),
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
    run(&scene, StageSolver::Auto, 0.01, 100, 400);
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
    for step in [0.005, 0.01, 0.02, 0.05] {
        let settings = Settings {
            time_step: step,
            method: SmoothSettings { integrator: Integrator::Bdf2, ..Default::default() }.into(),
            ..Default::default()
        };
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
    let mesh = generate::torus(0.5, 0.12, 0.0288).expect("a valid torus");
    let material = Material::RUBBER
        .with_youngs_modulus(1e6)
        .and_then(|m| m.with_poissons_ratio(0.4))
        .and_then(|m| m.with_density(1000.0))
        .expect("valid");
    println!("{} vertices, {} tets", mesh.vertex_count(), mesh.element_count());
    let turn = 90_f64.to_radians();
    let torus = Solid::new(mesh).material(material).turned([1.0, 0.0, 0.0], turn);
    let torus = scene.add(torus.at([0.0, 0.125, 0.0]).velocity([0.6, -0.8, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(torus, plane, 0.5);
    run(&scene, StageSolver::Auto, 0.01, 5, 20);
}

fn squish() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let mesh = generate::layered_ball(&[0.09, 0.0933, 0.0967, 0.1], 18).expect("a valid ball");
    println!("{} vertices, {} tets", mesh.vertex_count(), mesh.element_count());
    let material = Material::RUBBER
        .with_youngs_modulus(1e5)
        .and_then(|m| m.with_poissons_ratio(0.45))
        .and_then(|m| m.with_density(1000.0))
        .expect("valid");
    let ball = scene.add(Solid::new(mesh).material(material));
    scene.zone(Zone::cavity(ball));
    for side in [-1.0, 1.0] {
        let plate = Obstacle::plane([0.0, -side, 0.0], -0.1005);
        let plate = scene.add(plate.motion(Motion::Velocity(Vector3::new(0.0, -0.15 * side, 0.0))));
        scene.friction_between(ball, plate, 0.5);
    }
    for method in [StageSolver::Auto, StageSolver::InexactNewton] {
        run(&scene, method, 0.01, 5, 5);
    }
}

fn tube() {
    let mut scene = Scene::new();
    let mesh = generate::capsule(0.05, 0.4, 0.009).expect("a valid capsule");
    let sleeve = generate::sleeve([0.0525; 2], 0.3, [80, 50], Diagonals::Alternating);
    let sleeve = sleeve.expect("a valid sleeve");
    println!("{} tets, {} triangles", mesh.element_count(), sleeve.element_count());
    let material = Material::RUBBER.with_youngs_modulus(2e5).expect("valid");
    let arm = scene.add(Solid::new(mesh).material(material));
    for (side, low, high) in [(-1.0, -0.3, -0.2), (1.0, 0.2, 0.3)] {
        let end = Selection::Box {
            min: Vector3::new(-0.1, -0.1, low),
            max: Vector3::new(0.1, 0.1, high),
        };
        let rate = Vector3::new(0.8 * side, 0.0, 0.0);
        let center = Vector3::new(0.0, 0.0, 0.2 * side);
        scene.pin(arm, end).motion(Motion::Rotation { center, rate });
    }
    let tube = scene.add(Cloth::new(sleeve).material(Fabric::COTTON));
    scene.friction_between(arm, tube, 0.2);
    for method in [StageSolver::Auto, StageSolver::InexactNewton] {
        run(&scene, method, 0.01, 1, 4);
    }
}

fn contacts() {
    let cells = 64;
    for soft in [false, true] {
        for width in [0.0625, 0.125, 0.25, 0.5] {
            let mut scene = Scene::new();
            let sheet = Cloth::sheet([1.0; 2], [cells; 2]).expect("valid").material(Fabric::COTTON);
            let sheet = scene.add(sheet.turned([1.0, 0.0, 0.0], -90_f64.to_radians()));
            let table = if soft {
                // Cells of one size on every table.
                let (x, z) = ((32.0 * width) as usize, 32);
                let table = Solid::cuboid([width, 0.0625, 1.1], [x.max(2), 2, z]).expect("valid");
                let table = scene.add(table.at([0.0, -0.0325, 0.0]));
                scene.pin(table, Selection::Tag("y-min".into()));
                table
            } else {
                let size = Vector3::new(width, 0.0625, 1.1);
                let table = Obstacle::new(Shape::Box { size, rounding: 0.0 });
                scene.add(table.at([0.0, -0.0325, 0.0]))
            };
            scene.friction_between(sheet, table, 0.5);
            run(&scene, StageSolver::Auto, 0.005, 10, 20);
        }
    }
}

/// Steps with backward Euler; the first ones are not counted.
fn run(scene: &Scene, method: StageSolver, time_step: f64, first: usize, steps: usize) {
    let settings = Settings {
        time_step,
        method: SmoothSettings {
            integrator: Integrator::BackwardEuler,
            solver: SolverSettings { method, ..Default::default() },
        }
        .into(),
        ..Default::default()
    };
    let mut simulation = Simulation::with_settings(scene, settings).expect("a valid scene");
    for _ in 0..first {
        simulation.step();
    }
    let wall = std::time::Instant::now();
    simulation.set_clock(move || wall.elapsed().as_secs_f64());
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
        "{method:?}: {} unknowns, {touching} contacts, {:.2} iterations a step, {unconverged} not converged: {:.3} \
         ms a step, {:.0} MB",
        simulation.model().unknown_count(),
        iterations as f64 / steps as f64,
        1e3 * total / steps as f64,
        peak_memory()
    );
    let (timings, elapsed) = (simulation.timings(), wall.elapsed().as_secs_f64());
    let shares = Phase::ALL.map(|phase| {
        format!("{phase:?} {:.1} %", 100.0 * timings.seconds(phase) / elapsed).to_lowercase()
    });
    println!("  {}", shares.join(", "));
}

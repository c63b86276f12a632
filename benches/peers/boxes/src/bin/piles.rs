//! Piles of rigid bodies: time a step, ours beside Rapier's at the same residual, step by step in one process.
//!
//! ```console
//! $ piles stacks|pyramid|packing [SUBSTEPSxSWEEPS ...]
//! $ piles stacks|pyramid|packing alone SETTLING RESTING...    # ours with these tolerances, in turn, for a profile
//! ```
//!
//! For each number of substeps and sweeps (default 4x1, 4x16, 4x64, 4x256; Rapier's default is 4x1) Rapier runs from
//! the start, with friction at every contact. Its residual is that of `cone/residual.rs`, the largest
//! `‖s − P(s − ũ)‖` of all contacts with `s = r tr(W_ii)/3` and `ũ = u + max(g, 0)/h + μ‖u_T‖ e_N`, from its impulses
//! and its velocities after the step. Ours runs beside it with its median as tolerance, that of things that settle
//! first, then that of things that rest, to which it is tightened bit by bit in steps that are not timed. Medians
//! over the steps in which things fall and settle, and over the last ones, in which they rest. Both may use all
//! threads; nothing sleeps.

use std::time::Instant;

use rapier3d::prelude::*;
use stiction::body::{Obstacle, Rigid, Shape};
use stiction::method::impulse::ImpulseSettings;
use stiction::{Scene, Settings, Simulation};

const STEP: f64 = 1.0 / 120.0; // [s]
const FRICTION: f64 = 0.5;
const DENSITY: f64 = 1000.0; // [kg/m³]
/// Half a side of a box, or the radius of a ball [m].
const HALF: f64 = 0.1;
/// By which tolerances are tightened between settling and resting.
const EASE: f64 = 4.0;

/// A pile: what it is of, and where.
struct Pile {
    balls: bool,
    centers: Vec<[f64; 3]>,
    /// Walls around it, this far from the middle [m].
    walls: Option<f64>,
    settling: usize,
    resting: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let pile = match arguments.first().map(String::as_str) {
        Some("stacks") => stacks(),
        Some("pyramid") => pyramid(),
        Some("packing") => packing(),
        _ => panic!("piles stacks|pyramid|packing [SUBSTEPSxSWEEPS ...]"),
    };
    if arguments.get(1).is_some_and(|argument| argument == "alone") {
        let tolerances = arguments[2..].iter().map(|text| text.parse().expect("a tolerance"));
        return alone(&pile, &tolerances.collect::<Vec<f64>>());
    }
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let two =
        |text: &String| text.split_once('x').map(|(a, b)| [number(a), number(b)]).expect("AxB");
    let mut iterations: Vec<[usize; 2]> = arguments[1..].iter().map(two).collect();
    if iterations.is_empty() {
        iterations = vec![[4, 1], [4, 16], [4, 64], [4, 256]];
    }
    println!("{} bodies, {} threads", pile.centers.len(), rayon::current_num_threads());
    println!(
        "| Rapier's iterations | while | residual [m/s] | Rapier [ms] | ours [ms] | Rapier / ours | our iterations |"
    );
    println!("|---|---|---|---|---|---|---|");
    for iterations in iterations {
        compare(&pile, iterations);
    }
}

/// A hundred stacks of ten, let go with gaps of 2 mm.
fn stacks() -> Pile {
    let at = |k: usize| {
        let (i, j, layer) = (k % 10, k / 10 % 10, k / 100);
        [0.5 * i as f64, HALF + 2.02 * HALF * layer as f64, 0.5 * j as f64]
    };
    Pile {
        balls: false,
        centers: (0..1000).map(at).collect(),
        walls: None,
        settling: 60,
        resting: 60,
    }
}

/// Rows of 44, 43, … 1, let go with gaps of 2 mm: one island.
fn pyramid() -> Pile {
    const ROWS: usize = 44;
    let mut centers = Vec::new();
    for row in 0..ROWS {
        for k in 0..ROWS - row {
            let x = (k as f64 + 0.5 * row as f64) * 2.05 * HALF;
            centers.push([x, HALF + 2.02 * HALF * row as f64, 0.0]);
        }
    }
    Pile { balls: false, centers, walls: None, settling: 60, resting: 60 }
}

/// Three thousand balls poured between four walls.
fn packing() -> Pile {
    let at = |k: usize| {
        let (i, j, layer) = (k % 10, k / 10 % 10, k / 100);
        let shift = 0.3 * HALF * (layer % 3) as f64;
        let across = |i: usize| (i as f64 - 4.5) * 2.15 * HALF;
        [across(i) + shift, 1.1 * HALF + 2.2 * HALF * layer as f64, across(j) + 0.6 * shift]
    };
    let walls = Some(4.5 * 2.15 * HALF + 1.9 * HALF);
    Pile { balls: true, centers: (0..3000).map(at).collect(), walls, settling: 240, resting: 60 }
}

impl Pile {
    fn rapier(&self, iterations: [usize; 2]) -> PhysicsWorld {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = STEP as f32;
        world.integration_parameters.num_solver_iterations = iterations[0];
        world.integration_parameters.num_internal_pgs_iterations = iterations[1];
        world.integration_parameters.num_internal_stabilization_iterations = iterations[1];
        world.integration_parameters.friction_model = FrictionModel::Coulomb;
        let friction = FRICTION as f32;
        let mut plane = |normal: [f64; 3], offset: f64| {
            let normal = Vector::new(normal[0] as f32, normal[1] as f32, normal[2] as f32);
            world.insert(
                RigidBodyBuilder::fixed().translation(normal * offset as f32),
                ColliderBuilder::new(SharedShape::halfspace(normal)).friction(friction),
            );
        };
        plane([0.0, 1.0, 0.0], 0.0);
        for normal in self.wall_normals() {
            plane(normal, -self.walls.unwrap_or_default());
        }
        for [x, y, z] in self.centers.iter().map(|center| center.map(|x| x as f32)) {
            let half = HALF as f32;
            let collider = if self.balls {
                ColliderBuilder::ball(half)
            } else {
                ColliderBuilder::cuboid(half, half, half)
            };
            world.insert(
                RigidBodyBuilder::dynamic().translation(Vector::new(x, y, z)).can_sleep(false),
                collider.friction(friction).density(DENSITY as f32),
            );
        }
        world
    }

    fn ours(&self, tolerance: f64) -> Simulation {
        let mut scene = Scene::new();
        scene.friction.coefficient = FRICTION;
        let body = match self.balls {
            // What is drawn is coarse: Rapier draws nothing.
            true => Rigid::shape(&Shape::Sphere { radius: HALF }, 2),
            false => Rigid::shape(&Shape::Box { size: [2.0 * HALF; 3].into(), rounding: 0.0 }, 1),
        };
        let body = body.expect("a valid shape").density(DENSITY);
        scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        for normal in self.wall_normals() {
            scene.add(Obstacle::plane(normal, -self.walls.unwrap_or_default()));
        }
        for center in &self.centers {
            scene.add(body.clone().at(*center));
        }
        let impulse = ImpulseSettings { tolerance, ..ImpulseSettings::default() };
        let settings = Settings { time_step: STEP, method: impulse.into(), ..Settings::default() };
        Simulation::with_settings(&scene, settings).expect("a valid scene")
    }

    /// The same with another tolerance.
    fn go_on(&self, from: &Simulation, tolerance: f64) -> Simulation {
        let mut on = self.ours(tolerance);
        on.restore(&from.state()).expect("a state of the same scene");
        on
    }

    fn wall_normals(&self) -> Vec<[f64; 3]> {
        let all = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
        if self.walls.is_some() { all.to_vec() } else { Vec::new() }
    }

    /// Mass and moment of inertia.
    fn inertia(&self) -> [f64; 2] {
        if self.balls {
            let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * HALF.powi(3);
            [mass, 0.4 * mass * HALF * HALF]
        } else {
            let mass = DENSITY * (2.0 * HALF).powi(3);
            [mass, mass * (2.0 * HALF).powi(2) / 6.0]
        }
    }

    /// Of Rapier's last step: the residual as in `cone/residual.rs` [m/s].
    fn residual(&self, world: &PhysicsWorld) -> f64 {
        let [mass, inertia] = self.inertia();
        let mut worst: f64 = 0.0;
        for pair in world.narrow_phase.contact_pairs() {
            for manifold in pair.manifolds() {
                let data = &manifold.data;
                let normal = data.normal;
                let bodies = [data.rigid_body1, data.rigid_body2];
                for point in &manifold.points {
                    let arms = [point.data.solver_dp1, point.data.solver_dp2];
                    let (mut trace, mut u) = (0.0, Vector::ZERO);
                    for ((body, arm), sign) in bodies.iter().zip(arms).zip([-1.0_f32, 1.0]) {
                        let Some(body) = body.map(|body| &world.bodies[body]) else { continue };
                        if body.is_dynamic() {
                            trace += 3.0 / mass + 2.0 * f64::from(arm.length_squared()) / inertia;
                            u += (body.linvel() + body.angvel().cross(arm)) * sign;
                        }
                    }
                    // Distances are those of the last search, not of this step: what pushes is closed.
                    let open = point.data.impulse <= 0.0;
                    let gap = if open { f64::from(point.dist).max(0.0) } else { 0.0 };
                    let u_n = f64::from(u.dot(normal)) + gap / STEP;
                    let u_t = u - normal * u.dot(normal);
                    // On the second body, in velocities.
                    let scale = trace / 3.0;
                    let push = f64::from(point.data.impulse) * scale;
                    let drag = -point.data.warmstart_tangent_world * scale as f32;
                    worst = worst.max(natural(push, drag.to_array(), u_n, u_t.to_array()));
                }
            }
        }
        worst
    }
}

/// `‖s − P(s − ũ)‖`, whichever sign friction is written with.
fn natural(push: f64, drag: [f32; 3], u_n: f64, u_t: [f32; 3]) -> f64 {
    let [drag, u_t] = [drag, u_t].map(|v| v.map(f64::from));
    let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let with = |sign: f64| {
        let s = drag.map(|x| sign * x);
        let normal = push - u_n - FRICTION * length(u_t);
        let z = [0, 1, 2].map(|k| s[k] - u_t[k]);
        let t = length(z);
        let (p_n, p_t) = if t <= FRICTION * normal {
            (normal, z)
        } else {
            let p = (normal + FRICTION * t).max(0.0) / (1.0 + FRICTION * FRICTION);
            (p, z.map(|x| if t > 0.0 { x * FRICTION * p / t } else { 0.0 }))
        };
        let across = length([0, 1, 2].map(|k| s[k] - p_t[k]));
        (push - p_n).hypot(across)
    };
    with(1.0).min(with(-1.0))
}

fn compare(pile: &Pile, iterations: [usize; 2]) {
    let steps = pile.settling + pile.resting;
    // First Rapier alone: what it reaches while things settle, and while they rest.
    let mut world = pile.rapier(iterations);
    let mut reached = Vec::new();
    for _ in 0..steps {
        world.step();
        reached.push(pile.residual(&world));
    }
    let tolerances =
        [&reached[..pile.settling], &reached[pile.settling..]].map(|r| median(r.to_vec()));
    eprintln!("residuals of Rapier: {:.1e} and {:.1e} m/s", tolerances[0], tolerances[1]);
    let (mut world, mut ours) = (pile.rapier(iterations), pile.ours(tolerances[0]));
    let mut current = tolerances[0];
    let phases = ["settling", "resting"].iter().zip(tolerances).zip([pile.settling, pile.resting]);
    for ((phase, tolerance), steps) in phases {
        // A pile that a loose tolerance has left is tightened bit by bit: at once, who pushes whom would change
        // everywhere.
        while current > EASE * tolerance {
            current /= EASE;
            ours = pile.go_on(&ours, current);
            for _ in 0..pile.resting {
                world.step();
                ours.step();
            }
        }
        current = tolerance;
        ours = pile.go_on(&ours, tolerance);
        let mut times = [Vec::new(), Vec::new()];
        let mut most = Vec::new();
        for step in 0..steps {
            let start = Instant::now();
            world.step();
            times[0].push(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let report = ours.step();
            times[1].push(start.elapsed().as_secs_f64());
            most.push(report.iterations() as f64);
            if !report.converged() {
                eprintln!("{phase}, step {step}: {:?}", report.status);
            }
        }
        let [theirs, own] = times.map(|times| 1e3 * median(times));
        let ratio = theirs / own;
        let most = median(most);
        let [substeps, sweeps] = iterations;
        println!(
            "| {substeps} × {sweeps} | {phase} | {tolerance:.1e} | {theirs:.2} | {own:.2} | **{ratio:.2}** | {most} |"
        );
    }
}

fn alone(pile: &Pile, tolerances: &[f64]) {
    let mut ours = pile.ours(tolerances[0]);
    let steps = std::iter::once(pile.settling).chain(std::iter::repeat(pile.resting));
    for (&tolerance, steps) in tolerances.iter().zip(steps) {
        ours = pile.go_on(&ours, tolerance);
        for _ in 0..steps / 10 {
            let (mut times, mut iterations, mut last) = (Vec::new(), Vec::new(), None);
            for _ in 0..10 {
                let start = Instant::now();
                let report = ours.step();
                times.push(1e3 * start.elapsed().as_secs_f64());
                iterations.push(report.iterations() as f64);
                last = Some(report);
            }
            let Some(report) = last else { continue };
            println!(
                "{:.3} s: {:.2} ms a step, {} iterations, {} contacts, {:?}, gap {:.1e}",
                report.time,
                median(times),
                median(iterations),
                report.contact.touching,
                report.status,
                report.contact.smallest_gap
            );
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

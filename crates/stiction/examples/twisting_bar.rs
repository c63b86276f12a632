//! A rubber bar, held at one end, twisted through almost three turns and pulled at the other.
//!
//! ```console
//! cargo run --example twisting_bar [picture.svg]
//! ```
//!
//! Without the pull it would buckle into a knot, and nothing keeps it from passing through itself yet.
#![expect(clippy::print_stdout, reason = "an example talks to a person")]

#[path = "common/svg.rs"]
mod svg;

use std::error::Error;
use std::f64::consts::TAU;
use std::time::Instant;

use stiction::body::{Interpolation, Keyframe, Motion, Solid};
use stiction::material::{Damping, Material};
use stiction::math::{Matrix3, Vector3};
use stiction::mesh::{Selection, TetMesh};
use stiction::{Scene, Settings, Simulation};
use svg::{Cell, Look, Page, Surface, View};

const LENGTH: f64 = 1.0; // [m]
const WIDTH: f64 = 0.2; // [m]
const CELLS: [usize; 3] = [44, 6, 6];
const TURNS: f64 = 2.75;
const PULL: f64 = 0.35; // [m]
const TIME_STEP: f64 = 0.05; // [s]
const STEPS: usize = 80;
/// Colours of the largest principal stretch, ever darker.
const RAMP: [u32; 5] = [0xf5e6c8, 0xf2b880, 0xe07a5f, 0xb23a66, 0x5f1d63];

/// The bar at a moment.
struct Pose {
    turns: f64,
    positions: Vec<Vector3>,
    /// Around each vertex [-].
    stretches: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let rubber = Material::RUBBER.with_damping(Damping { mass: 2.0, stiffness: 0.0 })?;
    let bar = Solid::cuboid([LENGTH, WIDTH, WIDTH], CELLS)?.material(rubber);
    let mesh = bar.mesh.clone();
    let hand = Motion::Keyframes {
        frames: vec![
            Keyframe::default(),
            Keyframe {
                time: TIME_STEP * STEPS as f64,
                translation: Vector3::x() * PULL,
                rotation: Vector3::x() * (TAU * TURNS),
            },
        ],
        center: Vector3::zeros(),
        interpolation: Interpolation::Smooth,
    };

    let mut scene = Scene::new();
    let bar = scene.add(bar);
    scene.pin(bar, Selection::Tag("x-min".into()));
    scene.pin(bar, Selection::Tag("x-max".into())).motion(hand.clone());

    let settings = Settings { time_step: TIME_STEP, ..Settings::default() };
    let mut simulation = Simulation::with_settings(&scene, settings)?;
    println!(
        "rubber, {LENGTH} x {WIDTH} x {WIDTH} m: {} tetrahedra, {} unknowns, {STEPS} steps of {TIME_STEP} s",
        mesh.element_count(),
        simulation.model().unknown_count(),
    );

    let turned_end = Selection::Tag("x-max".into()).vertices(&mesh)?;
    let (mut iterations, mut unconverged) = (0, 0);
    let mut poses = vec![Pose::new(&mesh, 0.0, simulation.positions(bar))];
    let start = Instant::now();
    for step in 1..=STEPS {
        let report = simulation.step();
        iterations += report.iterations();
        unconverged += usize::from(!report.converged());
        // The smooth interpolation of the keyframes.
        let u = step as f64 / STEPS as f64;
        let turns = TURNS * u * u * (3.0 - 2.0 * u);
        if step % (STEPS / 10) == 0 {
            let (x, forces) = (simulation.positions(bar), simulation.reactions(bar));
            let moment = |&v: &u32| x[v as usize].cross(&forces[v as usize]).x;
            println!(
                "{:3} %  t = {:.2} s   {turns:.2} turns   {:2} iterations   torque {:5.0} N·m   elastic {:6.0} J",
                100 * step / STEPS,
                report.time,
                report.iterations(),
                turned_end.iter().map(moment).sum::<f64>(),
                simulation.energies().elastic,
            );
        }
        if step == STEPS / 2 || step == STEPS {
            poses.push(Pose::new(&mesh, turns, simulation.positions(bar)));
        }
    }
    println!(
        "{iterations} Newton iterations, {unconverged} steps not converged, energy {:.0} J, {:.0} ms a step",
        simulation.energies().total(),
        1e3 * start.elapsed().as_secs_f64() / STEPS as f64,
    );

    let path = std::env::args().nth(1).unwrap_or_else(|| "twisting_bar.svg".into());
    std::fs::write(&path, picture(&mesh, &hand, &poses))?;
    println!("picture: {path}");
    Ok(())
}

impl Pose {
    /// Largest principal stretches of tets, averaged to vertices by volume.
    fn new(mesh: &TetMesh, turns: f64, positions: Vec<Vector3>) -> Self {
        let edges =
            |x: [Vector3; 4]| Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
        let mut sums = vec![(0.0, 0.0); positions.len()];
        for (e, tet) in mesh.tets().iter().enumerate() {
            let rest = edges(mesh.corners(e));
            let inverse = rest.try_inverse().expect("a mesh has no flat tets");
            let deformation = edges(tet.map(|v| positions[v as usize])) * inverse;
            let (stretch, volume) = (deformation.singular_values().max(), rest.determinant());
            for &v in tet {
                sums[v as usize].0 += volume * stretch;
                sums[v as usize].1 += volume;
            }
        }
        Self {
            turns,
            positions,
            stretches: sums.iter().map(|(sum, weight)| sum / weight).collect(),
        }
    }
}

/// The poses below each other, coloured by stretch.
fn picture(mesh: &TetMesh, hand: &Motion, poses: &[Pose]) -> String {
    let boundary = mesh.boundary();
    let cells = svg::cells(boundary.surface.vertices(), boundary.surface.triangles());
    let most = poses.iter().flat_map(|pose| &pose.stretches).fold(1.0, |a: f64, b| a.max(*b));
    let mut page = Page::new([1000.0, 760.0]);
    for (k, pose) in poses.iter().enumerate() {
        let view = View {
            eye: Vector3::new(0.3, 1.1, 2.8),
            target: Vector3::new(0.5 * PULL, 0.0, 0.0),
            centre: [530.0, 125.0 + 230.0 * k as f64],
            scale: 520.0,
        };
        page.shadow(&view, &pose.positions, -0.2);
        let time = TIME_STEP * (STEPS * k / (poses.len() - 1)) as f64;
        for (end, motion) in [(-1.0, &Motion::Still), (1.0, hand)] {
            let (corners, faces) = plate(end, |x| motion.at(x, time).0);
            let grey = |_: usize, _: bool| svg::colour(0x4a5361);
            let look = Look::Solid;
            page.surface(
                &view,
                &Surface { positions: &corners, cells: &faces, colour: &grey, look },
            );
        }
        let surface: Vec<Vector3> =
            boundary.vertices.iter().map(|&v| pose.positions[v as usize]).collect();
        let stretch = |v: u32| pose.stretches[boundary.vertices[v as usize] as usize];
        let colour = |c: usize, _: bool| {
            let mean = cells[c].iter().map(|&v| stretch(v)).sum::<f64>() / 4.0;
            svg::ramp(&RAMP, (mean - 1.0) / (most - 1.0))
        };
        let look = Look::Solid;
        page.surface(&view, &Surface { positions: &surface, cells: &cells, colour: &colour, look });
        page.text([36.0, view.centre[1] + 6.0], 16.0, "start", &format!("{:.2} turns", pose.turns));
    }
    page.legend([700.0, 728.0], [250.0, 9.0], &RAMP, ["1", &format!("{most:.1}")]);
    page.text([690.0, 737.0], 13.0, "end", "largest principal stretch");
    page.finish()
}

/// A plate behind an end of the bar, moved.
fn plate(end: f64, moved: impl Fn(Vector3) -> Vector3) -> (Vec<Vector3>, Vec<Cell>) {
    let half = Vector3::new(0.02, 0.75 * WIDTH, 0.75 * WIDTH);
    let center = Vector3::x() * (end * (0.5 * LENGTH + half.x));
    let sign = |corner: u32, bit: u32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let corners = (0..8).map(|c| {
        moved(center + half.component_mul(&Vector3::new(sign(c, 0), sign(c, 1), sign(c, 2))))
    });
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (corners.collect(), faces.to_vec())
}

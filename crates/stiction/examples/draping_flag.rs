//! A cotton sheet that falls, drapes between two corners, and fills with wind.
//!
//! ```console
//! cargo run --example draping_flag [picture.svg]
//! ```
//!
//! The sheet starts almost level and swings down from two corners, which move together meanwhile; from 2.5 s
//! on a gust pushes it. Wind is a traction of fixed direction here, so that forces have an energy.
#![expect(clippy::print_stdout, reason = "an example talks to a person")]

#[path = "common/svg.rs"]
mod svg;

use std::error::Error;
use std::time::Instant;

use stiction::body::{Cloth, Interpolation, Keyframe, LoadKind, Motion, Profile};
use stiction::material::{Damping, Fabric};
use stiction::math::Vector3;
use stiction::mesh::{Selection, TriMesh};
use stiction::{Scene, Settings, Simulation};
use svg::{Look, Page, Surface, View};

const SIZE: [f64; 2] = [1.2, 0.8]; // [m]
const CELLS: [usize; 2] = [36, 24];
const STEEPNESS: f64 = 1.25; // start of the sheet against the vertical [rad]
const APPROACH: f64 = 0.2; // of each corner [m]
const WIND: [f64; 3] = [1.4, 0.2, 1.0]; // [Pa]
const TIME_STEP: f64 = 0.025; // [s]
const STEPS: usize = 140;
/// Steps that are drawn, and what is seen there.
const POSES: [(usize, &str); 3] = [(40, "swinging"), (96, "hanging"), (STEPS, "in the wind")];

fn main() -> Result<(), Box<dyn Error>> {
    let cotton = Fabric::COTTON.with_damping(Damping { mass: 1.5, stiffness: 1e-3 })?;
    let flag = Cloth::sheet(SIZE, CELLS)?.material(cotton).turned([1.0, 0.0, 0.0], STEEPNESS);
    let (mesh, placement) = (flag.mesh.clone(), flag.placement);

    let mut scene = Scene::new();
    let flag = scene.add(flag);
    for side in [-1.0, 1.0] {
        let center = placement.apply(&Vector3::new(0.5 * side * SIZE[0], 0.5 * SIZE[1], 0.0));
        let there = Vector3::x() * (-APPROACH * side);
        scene.pin(flag, Selection::Sphere { center, radius: 1e-3 }).motion(Motion::Keyframes {
            frames: vec![
                Keyframe::default(),
                Keyframe { time: 2.0, translation: there, ..Keyframe::default() },
            ],
            center,
            interpolation: Interpolation::Smooth,
        });
    }
    let gust = vec![(2.5, 0.0), (3.0, 1.0), (3.3, 0.7), (3.5, 1.0)];
    scene
        .load(flag, Selection::All, LoadKind::Traction(WIND.into()))
        .profile(Profile::Points(gust));

    let settings = Settings { time_step: TIME_STEP, ..Settings::default() };
    let mut simulation = Simulation::with_settings(&scene, settings)?;
    println!(
        "cotton, {} x {} m: {} triangles, {} unknowns, {STEPS} steps of {TIME_STEP} s",
        SIZE[0],
        SIZE[1],
        mesh.element_count(),
        simulation.model().unknown_count(),
    );

    let (mut iterations, mut unconverged) = (0, 0);
    let mut poses = Vec::new();
    let start = Instant::now();
    for step in 1..=STEPS {
        let report = simulation.step();
        iterations += report.iterations();
        unconverged += usize::from(!report.converged());
        if step % (STEPS / 10) == 0 {
            let energies = simulation.energies();
            println!(
                "{:3} %  t = {:.2} s   {:2} iterations   kinetic {:.4} J   elastic {:.4} J",
                100 * step / STEPS,
                report.time,
                report.iterations(),
                energies.kinetic,
                energies.elastic,
            );
        }
        if let Some((_, name)) = POSES.iter().find(|(at, _)| *at == step) {
            let caption = format!("{name}, {:.1} s", report.time);
            poses.push((caption, simulation.positions(flag)));
        }
    }
    println!(
        "{iterations} Newton iterations, {unconverged} steps not converged, energy {:.3} J, {:.0} ms a step",
        simulation.energies().total(),
        1e3 * start.elapsed().as_secs_f64() / STEPS as f64,
    );

    let path = std::env::args().nth(1).unwrap_or_else(|| "draping_flag.svg".into());
    std::fs::write(&path, picture(&mesh, &poses))?;
    println!("picture: {path}");
    Ok(())
}

/// The poses side by side: blue outside, sand inside.
fn picture(mesh: &TriMesh, poses: &[(String, Vec<Vector3>)]) -> String {
    let cells = svg::cells(mesh.vertices(), mesh.triangles());
    let sides = |_: usize, outside: bool| svg::colour(if outside { 0x2f74a8 } else { 0xe9b85a });
    let mut page = Page::new([1080.0, 330.0]);
    for (k, (caption, x)) in poses.iter().enumerate() {
        let view = View {
            eye: Vector3::new(1.2, 0.65, 3.2),
            target: Vector3::new(0.0, -0.1, 0.35),
            centre: [195.0 + 350.0 * k as f64, 112.0],
            scale: 240.0,
        };
        page.shadow(&view, x, -0.7);
        page.surface(
            &view,
            &Surface { positions: x, cells: &cells, colour: &sides, look: Look::Sheet },
        );
        page.text([view.centre[0], 314.0], 15.0, "middle", caption);
    }
    page.finish()
}

//! Draws a few shapes, to look at light and speed.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::f32::consts::TAU;

use stiction_render::file::write_png;
use stiction_render::{
    Camera, Ground, Margins, Paint, Settings, Stage, Studio, Surface, Vec3, View, draw,
};

fn torus(centre: Vec3, ring: f32, tube: f32, cells: [u32; 2], paint: [f32; 3]) -> Surface {
    let [n, m] = cells;
    let vertices = (0..n * m)
        .map(|k| {
            let (a, b) = (TAU * (k / m) as f32 / n as f32, TAU * (k % m) as f32 / m as f32);
            let r = ring + tube * b.cos();
            centre + Vec3::new(r * a.cos(), tube * b.sin(), r * a.sin())
        })
        .collect();
    let at = |i: u32, j: u32| (i % n) * m + j % m;
    let triangles = (0..n * m)
        .flat_map(|k| {
            let (i, j) = (k / m, k % m);
            [[at(i, j), at(i, j + 1), at(i + 1, j)], [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]]
        })
        .collect();
    Surface {
        vertices,
        triangles,
        paint: Paint::Plain(paint),
        smooth: true,
        wires: false,
        casts: true,
        through: false,
    }
}

fn main() {
    let stage = Stage {
        surfaces: vec![
            torus(Vec3::new(0.0, 0.2, 0.0), 0.5, 0.2, [128, 64], [0.75, 0.25, 0.06]),
            torus(Vec3::new(0.3, 0.55, 0.1), 0.3, 0.12, [64, 32], [0.09, 0.31, 0.6]),
        ],
        grounds: vec![Ground { normal: Vec3::y(), offset: 0.0 }],
    };
    let size = [1280, 720];
    let view = View::default();
    let points: Vec<Vec3> = stage.surfaces.iter().flat_map(|s| s.vertices.clone()).collect();
    let settings = Settings {
        size,
        camera: Camera::fit(&view, &points, &Margins::default(), 1280.0 / 720.0),
        up: view.up,
        focus: stage.bounds(),
        studio: match std::env::args().nth(1).as_deref() {
            Some("dark") => Studio::DARK,
            Some("clear") => Studio::CLEAR,
            _ => Studio::LIGHT,
        },
    };
    let clock = std::time::Instant::now();
    let picture = draw(&stage, &settings, |_| {});
    println!("{:.2} s", clock.elapsed().as_secs_f64());
    let file = std::fs::File::create("still.png").expect("a file");
    write_png(&picture, std::io::BufWriter::new(file)).expect("room");
}

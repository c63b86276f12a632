//! Solids and distances from surfaces.
//!
//! ```text
//! surfaces write FOLDER    surfaces to be filled, as OBJ
//! surfaces judge FOLDER    fills them, and measures our tets and those of peers (FOLDER/NAME.PEER.vtk) alike
//! surfaces grid            distances of 50,000 triangles on 128 cells
//! ```
//!
//! Times are CPU times of all threads.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::error::Error;
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use stiction::geometry::distance_grid::{DistanceGrid, GridSettings};
use stiction::geometry::region::Interior;
use stiction::geometry::{ClosedSurface, WindingNumber};
use stiction::math::Vector3;
use stiction::mesh::tetrahedralise::{Filling, tetrahedralise};
use stiction::mesh::{TetMesh, TriSoup};
use stiction_bench::cpu_seconds;
use stiction_scene::mesh_file;

const NAMES: [&str; 4] = ["torus", "blob", "gear", "broken"];
/// Edges along the longest side.
const RESOLUTION: usize = 30;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["write", folder] => write(Path::new(folder)),
        ["judge", folder] => judge(Path::new(folder)),
        ["grid"] => grid(),
        _ => Err("usage: surfaces write FOLDER | judge FOLDER | grid".into()),
    }
}

fn shape(name: &str) -> TriSoup {
    match name {
        "torus" => ring(120, 48, |_, _| 0.3, 0.7),
        "blob" => blob(),
        "gear" => gear(),
        _ => {
            // A hole, triangles turned over, one given twice.
            let mut soup = blob();
            soup.elements.drain(100..103);
            (200..2000).step_by(300).for_each(|t| soup.elements[t].swap(0, 1));
            let twice = soup.elements[50];
            soup.elements.push(twice);
            soup
        }
    }
}

/// A closed tube around z, whose radius may vary.
fn ring(around: usize, across: usize, tube: impl Fn(f64, f64) -> f64, radius: f64) -> TriSoup {
    let id = |i: usize, j: usize| ((i % around) * across + j % across) as u32;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let (a, b) = (TAU * i as f64 / around as f64, TAU * j as f64 / across as f64);
            let (tube, out) = (tube(a, b), Vector3::new(a.cos(), a.sin(), 0.0));
            vertices.push(out * (radius + tube * b.cos()) + Vector3::z() * (tube * b.sin()));
            triangles.push([id(i, j), id(i + 1, j), id(i + 1, j + 1)]);
            triangles.push([id(i, j), id(i + 1, j + 1), id(i, j + 1)]);
        }
    }
    TriSoup::new(vertices, triangles)
}

/// A ball with bumps: an octahedron, each side cut into 32.
fn blob() -> TriSoup {
    const SIDE: usize = 32;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for octant in 0..8_u32 {
        let sign = |bit: u32| if octant >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let mut row_start = Vec::new();
        for i in 0..=SIDE {
            row_start.push(vertices.len() as u32);
            for j in 0..=SIDE - i {
                let [x, y] = [i, j].map(|k| k as f64);
                let n = Vector3::new(sign(0) * x, sign(1) * y, sign(2) * (SIDE as f64 - x - y));
                let n = n.normalize();
                let bumps = (5.0 * n.x).sin() * (4.0 * n.y + 0.5).cos() + (6.0 * n.z).sin();
                vertices.push(n * (0.8 + 0.07 * bumps));
            }
        }
        let flip = sign(0) * sign(1) * sign(2) < 0.0;
        let mut add =
            |[a, b, c]: [u32; 3]| triangles.push(if flip { [a, c, b] } else { [a, b, c] });
        for i in 0..SIDE {
            for j in 0..SIDE - i {
                let (here, next) = (row_start[i] + j as u32, row_start[i + 1] + j as u32);
                add([here, next, here + 1]);
                if j + 1 < SIDE - i {
                    add([next, next + 1, here + 1]);
                }
            }
        }
    }
    TriSoup::new(vertices, triangles).welded(1e-9)
}

/// Twelve teeth with sharp edges.
fn gear() -> TriSoup {
    let tooth = [(0.0, 0.8), (0.3, 0.8), (0.35, 1.0), (0.65, 1.0), (0.7, 0.8)];
    let ring: Vec<Vector3> = (0..12)
        .flat_map(|t| {
            tooth.map(|(share, radius)| {
                let angle = TAU * (f64::from(t) + share) / 12.0;
                Vector3::new(angle.cos(), angle.sin(), 0.0) * radius
            })
        })
        .collect();
    let n = ring.len() as u32;
    let half = Vector3::z() * 0.15;
    let mut vertices: Vec<Vector3> = ring.iter().map(|x| x - half).collect();
    vertices.extend(ring.iter().map(|x| x + half));
    vertices.extend([-half, half]);
    let sides = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        [[i, j, n + j], [i, n + j, n + i], [j, i, 2 * n], [n + i, n + j, 2 * n + 1]]
    });
    TriSoup::new(vertices, sides.collect())
}

fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for name in NAMES {
        let soup = shape(name);
        let mut text = String::new();
        for x in &soup.vertices {
            writeln!(text, "v {} {} {}", x.x, x.y, x.z)?;
        }
        for [a, b, c] in &soup.elements {
            writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1)?;
        }
        fs::write(folder.join(format!("{name}.obj")), text)?;
    }
    Ok(())
}

fn judge(folder: &Path) -> Result<(), Box<dyn Error>> {
    println!(
        "| surface | by | tets | time [s] | dihedral [°] | least radius ratio | volume [%] | distance [edges] |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for name in NAMES {
        let surface = ClosedSurface::new(shape(name))?;
        for rounds in [6, 0] {
            let start = cpu_seconds();
            let region = Interior::new(&surface, Interior::SHARP);
            let filling = Filling { rounds, ..Filling::with_resolution(&region, RESOLUTION) };
            let mesh = tetrahedralise(&region, &filling, &mut |_| ())?;
            let seconds = cpu_seconds() - start;
            row(
                name,
                if rounds == 0 { "stuffing alone" } else { "ours" },
                &mesh,
                seconds,
                &surface,
            );
        }
        for peer in ["tetgen", "tetwild"] {
            let stem = folder.join(format!("{name}.{peer}"));
            let Ok(seconds) = fs::read_to_string(stem.with_extension(format!("{peer}.seconds")))
            else {
                println!("| {name} | {peer} | no mesh | | | | | |");
                continue;
            };
            let read = mesh_file::read(&stem.with_extension(format!("{peer}.vtk")));
            match read.and_then(mesh_file::MeshFile::into_tets) {
                Ok(mesh) => row(name, peer, &mesh, seconds.trim().parse()?, &surface),
                Err(error) => println!("| {name} | {peer} | {error} | | | | | |"),
            }
        }
    }
    Ok(())
}

fn row(name: &str, by: &str, mesh: &TetMesh, seconds: f64, surface: &ClosedSurface) {
    let (quality, edge) = (mesh.quality(), mesh.edge_lengths().mean);
    println!(
        "| {name} | {by} | {} | {seconds:.2} | {:.1}–{:.1} | {:.3} | {:+.2} | {:.3} |",
        mesh.element_count(),
        quality.min_angle.min.to_degrees(),
        quality.max_angle.max.to_degrees(),
        quality.radius_ratio.min,
        100.0 * (mesh.volume() / surface.volume() - 1.0),
        surface.hausdorff(&mesh.boundary().surface) / edge,
    );
}

fn grid() -> Result<(), Box<dyn Error>> {
    let tube = |a: f64, b: f64| 0.5 + 0.04 * (7.0 * a).sin() * (5.0 * b).cos();
    let mut soup = ring(200, 126, tube, 0.56);
    soup.vertices.iter_mut().for_each(|x| x.z *= 2.0);
    let start = cpu_seconds();
    let surface = ClosedSurface::new(soup)?;
    let prepared = cpu_seconds() - start;
    let start = cpu_seconds();
    let settings = GridSettings { resolution: 128, ..GridSettings::default() };
    let grid = DistanceGrid::from_surface(&surface, &settings)?;
    let seconds = cpu_seconds() - start;
    println!(
        "{} triangles: prepared in {prepared:.2} s, {:?} nodes in {seconds:.2} s",
        surface.triangles().len(),
        grid.counts()
    );
    let points: Vec<Vector3> = (0..200_000)
        .map(|k| Vector3::new((k % 58) as f64, (k / 58 % 58) as f64, (k / 3364) as f64) / 30.0)
        .map(|x| x - Vector3::repeat(0.97))
        .collect();
    let ask = |what: &str, f: &dyn Fn(&Vector3) -> f64| {
        let start = cpu_seconds();
        let sum: f64 = points.iter().map(f).sum();
        let each = (cpu_seconds() - start) / points.len() as f64 * 1e6;
        println!("{what}: {each:.2} µs (sum {sum:.3})");
    };
    let winding = WindingNumber::new(surface.vertices(), surface.triangles());
    ask("distance, value and derivatives, from the grid", &|x| grid.jet(x).value);
    ask("nearest point of the mesh", &|x| surface.nearest(x).distance);
    ask("winding number", &|x| winding.at(x));
    Ok(())
}

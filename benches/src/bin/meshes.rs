//! How fast mesh files are read: a million tets in every format that holds them.
//!
//! `meshes write FOLDER [CELLS]` writes a box of `6 CELLS³` tets (55 cells make 998,250) in all formats;
//! `meshes read FILE…` prints the best of several readings of each. `peers/meshes.py` lets meshio read the same files.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use stiction::mesh::generate::{CuboidSplit, cuboid};
use stiction_scene::mesh_file::{self, MeshFile, write};
use write::WriteFormat;

const READINGS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["write", folder] => write_all(Path::new(folder), 55),
        ["write", folder, cells] => write_all(Path::new(folder), cells.parse().expect("a number")),
        ["read", files @ ..] => files.iter().for_each(|file| read(Path::new(file))),
        _ => println!("usage: meshes write FOLDER [CELLS] | meshes read FILE…"),
    }
}

fn write_all(folder: &Path, cells: usize) {
    std::fs::create_dir_all(folder).expect("a folder");
    let mesh = cuboid([1.0; 3], [cells; 3], CuboidSplit::Kuhn).expect("a valid box");
    let mut mesh = MeshFile::from(&mesh);
    mesh.vertex_groups = Default::default(); // all formats hold the same
    for (name, format) in [
        ("gmsh41-binary.msh", WriteFormat::Gmsh41 { text: false }),
        ("gmsh41-text.msh", WriteFormat::Gmsh41 { text: true }),
        ("gmsh22-binary.msh", WriteFormat::Gmsh22 { text: false }),
        ("gmsh22-text.msh", WriteFormat::Gmsh22 { text: true }),
        ("legacy.vtk", WriteFormat::Vtk),
        ("raw.vtu", WriteFormat::Vtu),
        ("box.node", WriteFormat::Tetgen),
    ] {
        let path: PathBuf = folder.join(name);
        write::write(&path, &mesh, format, true).expect("written");
        println!("{}", path.display());
    }
}

fn read(path: &Path) {
    let mut best = f64::INFINITY;
    let mut tets = 0;
    for _ in 0..READINGS {
        let start = Instant::now();
        let mesh = mesh_file::read(path).expect("read");
        best = best.min(start.elapsed().as_secs_f64());
        tets = mesh.tets.len();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    println!("{name} {tets} {best:.4}");
}

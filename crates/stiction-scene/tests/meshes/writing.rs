//! Meshes that we write come back as they were, through our readers and through those of others.
#![expect(clippy::print_stderr, reason = "tests say why they are skipped")]

use std::path::{Path, PathBuf};

use stiction::mesh::Tags;
use stiction_scene::mesh_file::write::{WriteError, WriteFormat, write};
use stiction_scene::mesh_file::{self, MeshFile};

const VOLUMES: [(&str, WriteFormat); 7] = [
    ("41.msh", WriteFormat::Gmsh41 { text: false }),
    ("41_text.msh", WriteFormat::Gmsh41 { text: true }),
    ("22.msh", WriteFormat::Gmsh22 { text: false }),
    ("22_text.msh", WriteFormat::Gmsh22 { text: true }),
    ("cube.vtk", WriteFormat::Vtk),
    ("cube.vtu", WriteFormat::Vtu),
    ("cube.ele", WriteFormat::Tetgen),
];
const SURFACES: [(&str, WriteFormat); 3] = [
    ("cube.obj", WriteFormat::Obj),
    ("cube.stl", WriteFormat::Stl),
    ("cube.ply", WriteFormat::Ply),
];

/// Gmsh's unit cube with groups: tets `block`; triangles `left`, `physical=77`; vertices `edge`.
fn cube() -> MeshFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mesh_files/gmsh_41_binary.msh");
    mesh_file::read(&path).unwrap()
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

#[track_caller]
fn there_and_back(folder: &Folder, name: &str, mesh: &MeshFile, format: WriteFormat) -> MeshFile {
    let path = folder.0.join(name);
    let written = write(&path, mesh, format, false).unwrap_or_else(|error| panic!("{error}"));
    assert!(written.files.contains(&path), "{written:?}");
    mesh_file::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn sorted<const N: usize>(elements: &[[u32; N]]) -> Vec<[u32; N]> {
    let mut elements = elements.to_vec();
    elements.sort_unstable();
    elements
}

/// Corners of the members of each group: does not depend on the order of elements.
fn members<const N: usize>(groups: &Tags, elements: &[[u32; N]]) -> Vec<(String, Vec<[u32; N]>)> {
    let corners = |ids: &[u32]| ids.iter().map(|&t| elements[t as usize]).collect::<Vec<_>>();
    groups.iter().map(|(name, ids)| (name.to_owned(), sorted(&corners(ids)))).collect()
}

#[test]
fn every_volume_format_returns_the_same_vertices_and_tets() {
    let folder = Folder::new("mesh_write_volumes");
    let cube = cube();
    for (name, format) in VOLUMES {
        let back = there_and_back(&folder, name, &cube, format);
        assert_eq!(back.vertices, cube.vertices, "{name}");
        assert_eq!(sorted(&back.tets), sorted(&cube.tets), "{name}");
        if format != WriteFormat::Tetgen {
            assert_eq!(sorted(&back.triangles), sorted(&cube.triangles), "{name}");
        }
        let volume = back.into_tets().unwrap().volume();
        assert!((volume - 1.0).abs() < 1e-12, "{name}: {volume}");
    }
}

#[test]
fn gmsh_keeps_all_groups_by_name() {
    let folder = Folder::new("mesh_write_groups");
    let cube = cube();
    for (name, format) in &VOLUMES[..4] {
        let back = there_and_back(&folder, name, &cube, *format);
        assert_eq!(back.vertex_groups, cube.vertex_groups, "{name}");
        let (found, expected) =
            (members(&back.tet_groups, &back.tets), members(&cube.tet_groups, &cube.tets));
        assert_eq!(found, expected, "{name}");
        let found = members(&back.triangle_groups, &back.triangles);
        assert_eq!(found, members(&cube.triangle_groups, &cube.triangles), "{name}");
    }
}

#[test]
fn overlapping_groups_survive_in_gmsh_41_and_are_told_in_22() {
    let folder = Folder::new("mesh_write_overlap");
    let mut cube = cube();
    cube.tet_groups.add("core", &[3, 4, 5]);
    for (name, format) in &VOLUMES[..2] {
        let back = there_and_back(&folder, name, &cube, *format);
        let found = members(&back.tet_groups, &back.tets);
        assert_eq!(found, members(&cube.tet_groups, &cube.tets), "{name}");
    }
    let written = write(&folder.0.join("22.msh"), &cube, VOLUMES[2].1, false).unwrap();
    assert_eq!(written.lost, ["3 members of tet group `core`, which are in another group too"]);
}

#[test]
fn numbered_groups_survive_as_arrays() {
    let folder = Folder::new("mesh_write_arrays");
    let mut cube = MeshFile { triangles: Vec::new(), triangle_groups: Tags::new(), ..cube() };
    cube.vertex_groups = Tags::new();
    cube.tet_groups = Tags::new();
    cube.tet_groups.add("material=3", &(0..40).collect::<Vec<_>>());
    cube.tet_groups.add("material=0", &(40..100).collect::<Vec<_>>());
    for (name, format) in &VOLUMES[4..6] {
        assert_eq!(
            there_and_back(&folder, name, &cube, *format).tet_groups,
            cube.tet_groups,
            "{name}"
        );
    }
    let mut marked = MeshFile { tet_groups: Tags::new(), ..cube };
    marked.tet_groups.add("region=2", &(0..100).collect::<Vec<_>>());
    marked.vertex_groups.add("marker=5", &[0, 7]);
    let back = there_and_back(&folder, "cube.ele", &marked, WriteFormat::Tetgen);
    assert_eq!((back.tet_groups, back.vertex_groups), (marked.tet_groups, marked.vertex_groups));
}

#[test]
fn surface_formats_get_the_triangles_or_the_boundary() {
    let folder = Folder::new("mesh_write_surfaces");
    let full = cube();
    let tets_only = MeshFile::from(&cube().into_tets().unwrap());
    for (name, format) in SURFACES {
        for (kind, mesh) in [("full", &full), ("tets", &tets_only)] {
            let name = format!("{kind}_{name}");
            let back = there_and_back(&folder, &name, mesh, format).into_surface().unwrap();
            let (area, volume) = (back.area(), back.enclosed_volume());
            let near = |x: f64, y: f64| (x - y).abs() < 1e-6;
            assert!(near(area, 6.0) && near(volume, 1.0), "{name}: {area} {volume}");
            assert_eq!((back.vertex_count(), back.element_count()), (44, 84), "{name}");
        }
    }
    let back = there_and_back(&folder, "groups.obj", &full, WriteFormat::Obj);
    let sizes = |mesh: &MeshFile| -> Vec<(String, usize)> {
        mesh.triangle_groups.iter().map(|(n, ids)| (n.to_owned(), ids.len())).collect()
    };
    assert_eq!(sizes(&back), sizes(&full));
}

#[test]
fn point_clouds_keep_their_normals_in_ply() {
    let folder = Folder::new("mesh_write_cloud");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mesh_files/cloud.ply");
    let cloud = mesh_file::read(&path).unwrap();
    let back = there_and_back(&folder, "cloud.ply", &cloud, WriteFormat::Ply);
    assert_eq!((back.vertices, back.normals), (cloud.vertices, cloud.normals));
}

#[test]
fn what_a_format_cannot_hold_is_refused_or_told() {
    let folder = Folder::new("mesh_write_refused");
    let sheet = MeshFile { tets: Vec::new(), tet_groups: Tags::new(), ..cube() };
    let error = write(&folder.0.join("sheet.ele"), &sheet, WriteFormat::Tetgen, false).unwrap_err();
    assert!(matches!(error, WriteError::Missing { wanted: "tets", .. }), "{error}");
    assert!(error.to_string().contains("\n  help: "), "{error}");
    let written = write(&folder.0.join("cube.stl"), &cube(), WriteFormat::Stl, false).unwrap();
    let lost = [
        "vertex group `edge`",
        "tet group `block`",
        "triangle group `left`",
        "triangle group `physical=77`",
    ];
    assert_eq!(written.lost, lost);
    let error = write(&folder.0.join("cube.stl"), &cube(), WriteFormat::Stl, false).unwrap_err();
    assert!(error.to_string().contains("already exists"), "{error}");
    write(&folder.0.join("cube.stl"), &cube(), WriteFormat::Stl, true).unwrap();
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1, "no parts are left");
}

#[test]
fn meshio_pyvista_and_trimesh_read_what_we_write() {
    let folder = Folder::new("mesh_write_readers");
    let cube = cube();
    for (name, format) in VOLUMES.iter().chain(&SURFACES) {
        write(&folder.0.join(name), &cube, *format, false).unwrap();
    }
    // meshio wants all elements in groups, or none.
    let partly = MeshFile { tet_groups: Tags::new(), ..cube };
    let format = WriteFormat::Gmsh41 { text: false };
    write(&folder.0.join("partly_41.msh"), &partly, format, false).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/export_mesh_write.py");
    match stiction_check::python::run(&script, &[folder.0.to_str().unwrap()]) {
        Some(said) => assert!(said.trim_end().ends_with("as expected"), "{said}"),
        None => eprintln!("skipped: no Python to run {}", script.display()),
    }
}

//! The same cube, written by other programs in every format we read, comes in as the same mesh.

use std::path::{Path, PathBuf};

use stiction_scene::mesh_file::{self, Fault, Format, MeshFile, Skipped};

/// Gmsh's mesh of the unit cube, see `mesh_files/make.py`.
const VERTICES: usize = 45;
const TETS: usize = 100;
const SURFACE_VERTICES: usize = 44;
const TRIANGLES: usize = 84;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mesh_files").join(name)
}

#[track_caller]
fn read(name: &str) -> MeshFile {
    mesh_file::read(&fixture(name)).unwrap_or_else(|error| panic!("{error}"))
}

const GMSH_OWN: [&str; 5] = [
    "gmsh_22_ascii.msh",
    "gmsh_22_binary.msh",
    "gmsh_22_big_endian.msh",
    "gmsh_41_ascii.msh",
    "gmsh_41_binary.msh",
];

const TETGEN: [&str; 4] =
    ["meshio_zero.node", "meshio_zero.ele", "tetgen_one.node", "tetgen_one.ele"];

/// Files with the cell array `material`, 3 everywhere.
const WITH_MATERIAL: [&str; 16] = [
    "meshio_42_ascii.vtk",
    "meshio_42_binary.vtk",
    "meshio_51_ascii.vtk",
    "meshio_51_binary.vtk",
    "vtk_51_ascii.vtk",
    "vtk_51_binary.vtk",
    "meshio_ascii.vtu",
    "meshio_base64.vtu",
    "meshio_zlib.vtu",
    "vtk_ascii.vtu",
    "vtk_binary.vtu",
    "vtk_binary_zlib.vtu",
    "vtk_appended_raw.vtu",
    "vtk_appended_raw_zlib.vtu",
    "vtk_appended_base64.vtu",
    "vtk_appended_base64_zlib.vtu",
];

const SURFACES: [&str; 17] = [
    "gmsh_ascii.stl",
    "meshio_binary.stl",
    "vtk_ascii.stl",
    "vtk_binary.stl",
    "trimesh.stl",
    "trimesh_ascii.stl",
    "meshio_ascii.ply",
    "meshio_binary.ply",
    "vtk_ascii.ply",
    "vtk_binary.ply",
    "trimesh.ply",
    "trimesh_ascii.ply",
    "big_endian.ply",
    "meshio.obj",
    "trimesh.obj",
    "vtk_polydata_ascii.vtk",
    "vtk_polydata_binary.vtk",
];

#[test]
fn every_volume_format_gives_the_same_solid() {
    let others = ["meshio_41_binary.msh", "gmsh_binary.vtk"];
    let names = GMSH_OWN.iter().chain(&TETGEN).chain(&WITH_MATERIAL).chain(&others);
    let known = read(GMSH_OWN[3]).into_tets().unwrap();
    for name in names {
        let mesh = read(name).into_tets().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((mesh.vertex_count(), mesh.element_count()), (VERTICES, TETS), "{name}");
        assert!((mesh.volume() - 1.0).abs() < 1e-12, "{name}: volume {}", mesh.volume());
        assert_eq!(mesh.tets(), known.tets(), "{name}");
        for (x, y) in mesh.vertices().iter().zip(known.vertices()) {
            // VTK, and meshio into VTU, write eleven digits of text.
            let is_short = name.contains("ascii.vt");
            let tolerance = if is_short { 1e-10 } else { 1e-15 };
            assert!((x - y).norm() < tolerance, "{name}: {x} instead of {y}");
        }
    }
}

#[test]
fn every_surface_format_gives_the_same_surface() {
    for name in SURFACES {
        let mesh = read(name).into_surface().unwrap_or_else(|error| panic!("{error}"));
        let counts = (mesh.vertex_count(), mesh.element_count());
        assert_eq!(counts, (SURFACE_VERTICES, TRIANGLES), "{name}");
        // STL and most PLY writers keep single precision.
        let (area, volume) = (mesh.area(), mesh.enclosed_volume());
        assert!(
            (area - 6.0).abs() < 1e-6 && (volume - 1.0).abs() < 1e-6,
            "{name}: {area} {volume}"
        );
    }
}

#[test]
fn physical_groups_of_gmsh_keep_their_names() {
    for name in GMSH_OWN {
        let file = read(name);
        assert_eq!(file.tet_groups.get("block").map(<[u32]>::len), Some(TETS), "{name}");
        let names: Vec<&str> = file.triangle_groups.names().collect();
        assert_eq!(names, ["left", "physical=77"], "{name}");
        let left = file.triangle_groups.get("left").unwrap();
        for &v in left.iter().flat_map(|&t| &file.triangles[t as usize]) {
            assert!(file.vertices[v as usize].x.abs() < 1e-12, "{name}");
        }
        assert_eq!(file.vertex_groups.names().collect::<Vec<_>>(), ["edge"], "{name}");
        assert_eq!(file.vertex_groups.get("edge").map(<[u32]>::len), Some(3), "{name}");

        let mesh = file.into_tets().unwrap();
        let pinned = mesh.vertex_tags().get("left").unwrap();
        let expected: Vec<u32> =
            (0..45).filter(|&v| mesh.vertices()[v as usize].x.abs() < 1e-12).collect();
        assert_eq!(pinned, expected, "{name}: a surface group becomes a vertex group");
    }
}

#[test]
fn integer_cell_arrays_become_groups() {
    for name in WITH_MATERIAL {
        let file = read(name);
        assert_eq!(file.tet_groups.names().collect::<Vec<_>>(), ["material=3"], "{name}");
        assert_eq!(file.tet_groups.get("material=3").map(<[u32]>::len), Some(TETS), "{name}");
    }
}

#[test]
fn markers_and_regions_of_tetgen_become_groups() {
    let file = read("tetgen_one.ele");
    let marked = file.vertex_groups.get("marker=5").unwrap();
    assert!(
        !marked.is_empty() && marked.iter().all(|&v| file.vertices[v as usize].x.abs() < 1e-12)
    );
    assert_eq!(file.tet_groups.get("region=2").map(<[u32]>::len), Some(TETS));
}

#[test]
fn a_point_cloud_keeps_its_normals() {
    let file = read("cloud.ply");
    let normals = file.normals.as_ref().unwrap();
    assert_eq!((file.vertices.len(), normals.len()), (SURFACE_VERTICES, SURFACE_VERTICES));
    for (x, n) in file.vertices.iter().zip(normals) {
        assert!((n.norm() - 1.0).abs() < 1e-6);
        assert!((x.add_scalar(-0.5)).dot(n) > 0.0, "the normal at {x} points inward");
    }
    assert!(matches!(file.into_surface().unwrap_err().fault, Fault::Missing { .. }));
}

#[test]
fn solids_of_text_stl_become_groups() {
    let file = read("gmsh_ascii.stl");
    let total: usize = file.triangle_groups.iter().map(|(_, ids)| ids.len()).sum();
    assert_eq!(total, TRIANGLES);
}

#[test]
fn a_file_without_triangles_gives_the_boundary_of_its_tets() {
    let mesh = read("meshio_zlib.vtu").into_surface().unwrap();
    assert_eq!((mesh.vertex_count(), mesh.element_count()), (SURFACE_VERTICES, TRIANGLES));
    assert!((mesh.enclosed_volume() - 1.0).abs() < 1e-12);
}

#[test]
fn second_order_elements_are_counted_and_the_solid_refused() {
    let file = read("gmsh_second_order.msh");
    let tets = Skipped { kind: "second-order tets", count: TETS, solid: true };
    assert!(file.skipped.contains(&tets), "{:?}", file.skipped);
    let message = file.into_tets().unwrap_err().to_string();
    assert!(
        message.contains("100 second-order tets") && message.contains("\n  help: "),
        "{message}"
    );
}

#[test]
fn quads_pixels_and_strips_become_triangles_facing_the_same_way() {
    let text = "# vtk DataFile Version 3.0\nfour ways to a square\nASCII\nDATASET UNSTRUCTURED_GRID\n\
        POINTS 4 float\n0 0 0 1 0 0 1 1 0 0 1 0\n\
        CELLS 4 20\n4 0 1 2 3\n4 0 1 3 2\n4 0 1 3 2\n4 0 1 2 3\nCELL_TYPES 4\n9 8 6 7\n\
        CELL_DATA 4\nSCALARS kind int 1\nLOOKUP_TABLE default\n9 8 6 7\n";
    let file = mesh_file::read_bytes(Format::Vtk, "square.vtk", text.as_bytes()).unwrap();
    assert_eq!(file.triangles.len(), 8);
    for corners in &file.triangles {
        let [a, b, c] = corners.map(|v| file.vertices[v as usize]);
        let normal = (b - a).cross(&(c - a));
        assert!((normal.z - 1.0).abs() < 1e-15, "{corners:?}");
    }
    assert_eq!(file.triangle_groups.get("kind=6"), Some(&[4, 5][..]));
}

#[test]
fn pieces_of_a_vtu_are_put_side_by_side() {
    let piece = "<Piece NumberOfPoints='4' NumberOfCells='1'>\
        <Points><DataArray type='Float32' NumberOfComponents='3'>0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>\
        <Cells><DataArray type='Int32' Name='connectivity'>0 1 2 3</DataArray>\
        <DataArray type='Int32' Name='offsets'>4</DataArray>\
        <DataArray type='UInt8' Name='types'>10</DataArray></Cells></Piece>";
    let text = format!(
        "<VTKFile type='UnstructuredGrid'><UnstructuredGrid>{piece}{piece}</UnstructuredGrid></VTKFile>"
    );
    let file = mesh_file::read_bytes(Format::Vtu, "two.vtu", text.as_bytes()).unwrap();
    assert_eq!(file.tets, [[0, 1, 2, 3], [4, 5, 6, 7]]);
}

/// Gmsh writes the byte order of its machine, so this one is made by hand; node numbers are far apart.
#[test]
fn big_endian_gmsh_41_is_read_with_any_node_numbers() {
    let ints = |values: &[i32]| values.iter().flat_map(|v| v.to_be_bytes()).collect::<Vec<u8>>();
    let sizes = |values: &[u64]| values.iter().flat_map(|v| v.to_be_bytes()).collect::<Vec<u8>>();
    let doubles = |values: &[f64]| values.iter().flat_map(|v| v.to_be_bytes()).collect::<Vec<u8>>();
    let tags = [900_000, 7, 1_000_000_000_000, 3];
    let bytes = [
        b"$MeshFormat\n4.1 1 8\n".to_vec(),
        ints(&[1]),
        b"\n$EndMeshFormat\n$Nodes\n".to_vec(),
        sizes(&[1, 4, 3, 1_000_000_000_000]),
        ints(&[3, 1, 0]),
        sizes(&[4]),
        sizes(&tags),
        doubles(&[0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 2.]),
        b"\n$EndNodes\n$Elements\n".to_vec(),
        sizes(&[1, 1, 1, 1]),
        ints(&[3, 1, 4]),
        sizes(&[1, 1]),
        sizes(&tags),
        b"\n$EndElements\n".to_vec(),
    ]
    .concat();
    let file = mesh_file::read_bytes(Format::Gmsh, "tet.msh", &bytes).unwrap();
    assert_eq!(file.tets, [[0, 1, 2, 3]]);
    assert!((file.into_tets().unwrap().volume() - 1.0 / 3.0).abs() < 1e-15);
}

//! Broken mesh files are refused in words; nothing makes a reader panic, hang or take much memory.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use stiction_scene::mesh_file::{self, Fault, Format, MeshFile, MeshFileError, Place};

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mesh_files");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".py"))
        .collect();
    names.sort();
    assert!(names.len() > 40, "the fixtures are missing");
    names.into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

/// Reads bytes as the format of the fixture they come from; an `.ele` with the sound `.node` beside it.
fn read_as(
    name: &str,
    bytes: &[u8],
    original: &[(String, Vec<u8>)],
) -> Result<MeshFile, MeshFileError> {
    if let Some(stem) = name.strip_suffix(".ele") {
        let node = format!("{stem}.node");
        let nodes = &original.iter().find(|(other, _)| *other == node).unwrap().1;
        return mesh_file::read_tetgen_bytes((&node, nodes), (name, bytes));
    }
    // By the name alone: a broken beginning must reach the reader.
    let format = Format::detect(name, b"").unwrap();
    mesh_file::read_bytes(format, name, bytes)
}

/// Whatever came out is sound: no id out of range, no coordinate that is not finite, a message with help.
fn check(name: &str, outcome: Result<MeshFile, MeshFileError>) {
    match outcome {
        Ok(file) => {
            let count = file.vertices.len() as u32;
            assert!(file.tets.iter().flatten().all(|&v| v < count), "{name}");
            assert!(file.triangles.iter().flatten().all(|&v| v < count), "{name}");
            assert!(file.vertices.iter().flatten().all(|c| c.is_finite()), "{name}");
            assert!(file.normals.as_ref().is_none_or(|n| n.len() == count as usize), "{name}");
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with(name.split('.').next().unwrap()), "{message}");
            assert!(message.contains("\n  help: ") && message.len() < 400, "{message}");
        }
    }
}

#[test]
fn a_file_cut_short_is_refused_or_sound() {
    let original = fixtures();
    for (name, bytes) in &original {
        let mut refused = 0;
        let step = (bytes.len() / 200).max(1);
        for length in (0..bytes.len()).step_by(step) {
            let outcome = read_as(name, &bytes[..length], &original);
            refused += usize::from(outcome.is_err());
            check(name, outcome);
        }
        // OBJ has no end and no counts: a shorter file is a smaller mesh.
        assert!(name.ends_with(".obj") || refused > 100, "{name}: only {refused} refused");
    }
}

#[test]
fn flipped_bytes_are_refused_or_sound_and_cost_no_time() {
    let original = fixtures();
    let mut random = Random(0x5EED);
    for (name, bytes) in &original {
        let started = Instant::now();
        for _ in 0..300 {
            let mut broken = bytes.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(broken.len());
                broken[at] = random.below(256) as u8;
            }
            check(name, read_as(name, &broken, &original));
        }
        assert!(started.elapsed() < Duration::from_secs(5), "{name}: {:?}", started.elapsed());
    }
}

/// A small generator (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[track_caller]
fn message(format: Format, name: &str, text: &str) -> String {
    mesh_file::read_bytes(format, name, text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn messages_name_file_line_expectation_and_remedy() {
    let cases = [
        (
            message(Format::Obj, "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n"),
            "a.obj:4: a face names vertex 7, but there are 3 vertices\n  \
             help: write the file again; a common cause is counting from 1 instead of 0",
        ),
        (
            message(Format::Obj, "a.obj", "v 0 0 0\nv 1 zero 0\n"),
            "a.obj:2: expected three coordinates, found `zero`\n  \
             help: write the file again with the tool that made it",
        ),
        (
            message(Format::Obj, "a.obj", "v 0 0 0\nv 0 nan 0\n"),
            "a.obj:2: vertex 1 has a NaN or infinite coordinate\n  \
             help: look where this coordinate comes from",
        ),
        (
            message(Format::Gmsh, "a.msh", ""),
            "a.msh:1: expected `$MeshFormat`, found the end\n  \
             help: was the file written or copied to its end?",
        ),
        (
            message(Format::Gmsh, "a.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n"),
            "a.msh:2: version `4` of the format\n  \
             help: export from Gmsh as version 4.1 or 2.2 (`gmsh -format msh41`)",
        ),
        (
            message(
                Format::Gmsh,
                "a.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n999999999999\n1 0 0 0\n",
            ),
            "a.msh:5: 999999999999 nodes cannot fit into the 9 bytes that follow\n  \
             help: the count is wrong, or the file is cut short",
        ),
        (
            message(
                Format::Gmsh,
                "a.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n\
                 $Elements\n1\n1 5 0 1 1 1 1 1 1 1 1\n$EndElements\n",
            ),
            "a.msh:10: the mesh has hexes; solids here are made of tets\n  \
             help: mesh the volume with tets, or split each hex into five or six of them",
        ),
        (
            message(Format::Ply, "a.ply", "plx\n"),
            "a.ply:1: expected `ply`, found `plx`\n  \
             help: write the file again with the tool that made it",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn second_order_tetgen_files_are_refused() {
    let nodes = b"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
    let elements = b"1 10 0\n0 0 1 2 3 0 1 2 3 0 1\n";
    let error = mesh_file::read_tetgen_bytes(("a.node", nodes), ("a.ele", elements)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.ele:1: tets with 10 nodes\n  help: run TetGen without `-o2`: only first-order tets are read"
    );
}

#[test]
fn binary_faults_are_placed_by_byte() {
    let original = fixtures();
    let name = "gmsh_41_binary.msh";
    let bytes = &original.iter().find(|(other, _)| other == name).unwrap().1;
    let error = read_as(name, &bytes[..bytes.len() / 2], &original).unwrap_err();
    assert!(matches!(error.place, Place::Byte(n) if n > 0 && n <= bytes.len()), "{error}");

    let nodes = bytes.windows(7).position(|w| w == b"$Nodes\n").unwrap();
    let mut broken = bytes.clone();
    // Section header of 32 bytes, block header of 20, one tag: then the first coordinate of the first vertex.
    let at = nodes + 7 + 32 + 20 + 8;
    broken[at..at + 8].copy_from_slice(&f64::NAN.to_le_bytes());
    let error = read_as(name, &broken, &original).unwrap_err();
    assert!(matches!(error.fault, Fault::NotFinite { vertex: 0 }), "{error}");
    assert_eq!(error.place, Place::Byte(at + 23), "the last byte of the vertex");
}

#[test]
fn vtu_arrays_that_share_their_bytes_cannot_ask_for_any_amount() {
    let original = fixtures();
    let name = "vtk_appended_raw.vtu";
    let bytes = &original.iter().find(|(other, _)| other == name).unwrap().1;
    let place = bytes.windows(9).position(|w| w == b"<CellData").unwrap();
    let again =
        b"<CellData><DataArray type='Int32' Name='a' format='appended' offset='0'/></CellData>";
    let broken = [&bytes[..place], &again.repeat(200), &bytes[place..]].concat();
    let error = read_as(name, &broken, &original).unwrap_err();
    assert!(error.to_string().contains("data arrays overlap"), "{error}");
}

#[test]
fn missing_and_unknown_files_are_told_apart() {
    let missing = mesh_file::read(Path::new("no/such/cube.msh")).unwrap_err();
    assert!(matches!(missing.fault, Fault::Unreadable(_)), "{missing}");
    let unknown = mesh_file::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")));
    assert!(matches!(unknown.unwrap_err().fault, Fault::UnknownFormat));
}

#[test]
fn faces_of_obj_may_count_back_and_have_many_corners() {
    let text = "o sheet\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng a b\nf -4//1 -3/2 -2/1/3 -1 # quad\ng\nf 1 2 3\n";
    let file = mesh_file::read_bytes(Format::Obj, "a.obj", text.as_bytes()).unwrap();
    assert_eq!(file.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
    let groups: Vec<(&str, &[u32])> = file.triangle_groups.iter().collect();
    assert_eq!(groups, [("a", &[0, 1][..]), ("b", &[0, 1]), ("sheet", &[0, 1, 2])]);
}

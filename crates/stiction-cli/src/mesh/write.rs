//! The one place where the command writes mesh files.
//!
//! Gmsh 2.2, text: every mesher and viewer reads it. Groups of vertices are physical points, so their names
//! survive. An element of this format belongs to one group; of several, the first by name is kept.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use stiction::mesh::Tags;
use stiction_scene::mesh_file::MeshFile;

/// Gmsh's number and dimension of the elements we write.
const POINT: (u32, u32) = (15, 0);
const TRIANGLE: (u32, u32) = (2, 2);
const TET: (u32, u32) = (4, 3);

/// Writes a mesh in the format that the extension names; an existing file is replaced only with `force`.
pub(super) fn write(path: &Path, mesh: &MeshFile, force: bool) -> anyhow::Result<()> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if !extension.eq_ignore_ascii_case("msh") {
        bail!("{}: not a format we write\n  help: end the name with .msh", path.display());
    }
    let mut options = File::options();
    options.write(true).create(true).truncate(true).create_new(!force);
    match options.open(path).and_then(|mut file| file.write_all(gmsh(mesh).as_bytes())) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!(
                "{} exists\n  help: choose another name, or replace it with --force",
                path.display()
            )
        }
        result => result.with_context(|| format!("cannot write {}", path.display())),
    }
}

fn gmsh(mesh: &MeshFile) -> String {
    let mut text = String::from("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    physical_names(&mut text, mesh);
    push(&mut text, format_args!("$Nodes\n{}\n", mesh.vertices.len()));
    for (v, x) in mesh.vertices.iter().enumerate() {
        // Rust prints the shortest digits that read back as the same bits.
        push(&mut text, format_args!("{} {} {} {}\n", v + 1, x.x, x.y, x.z));
    }
    let marks: usize = mesh.vertex_groups.iter().map(|(_, ids)| ids.len()).sum();
    let count = marks + mesh.triangles.len() + mesh.tets.len();
    push(&mut text, format_args!("$EndNodes\n$Elements\n{count}\n"));
    let mut next = 1;
    for (k, (_, ids)) in mesh.vertex_groups.iter().enumerate() {
        for &v in ids {
            element(&mut text, &mut next, POINT, k + 1, &[v]);
        }
    }
    let groups = first_group(&mesh.triangle_groups, mesh.triangles.len());
    for (corners, group) in mesh.triangles.iter().zip(groups) {
        element(&mut text, &mut next, TRIANGLE, group, corners);
    }
    let groups = first_group(&mesh.tet_groups, mesh.tets.len());
    for (corners, group) in mesh.tets.iter().zip(groups) {
        element(&mut text, &mut next, TET, group, corners);
    }
    text.push_str("$EndElements\n");
    text
}

fn physical_names(text: &mut String, mesh: &MeshFile) {
    let mut names = String::new();
    let mut count = 0;
    let kinds =
        [(POINT, &mesh.vertex_groups), (TRIANGLE, &mesh.triangle_groups), (TET, &mesh.tet_groups)];
    for ((_, dimension), groups) in kinds {
        for (k, (name, _)) in groups.iter().enumerate() {
            // The format has no way to write a quote inside a name.
            let name = name.replace('"', "'");
            push(&mut names, format_args!("{dimension} {} \"{name}\"\n", k + 1));
            count += 1;
        }
    }
    if count > 0 {
        push(text, format_args!("$PhysicalNames\n{count}\n{names}$EndPhysicalNames\n"));
    }
}

/// The number of the first group of each element, counted from 1; 0 for none.
fn first_group(groups: &Tags, element_count: usize) -> Vec<usize> {
    let mut first = vec![0; element_count];
    for (k, (_, ids)) in groups.iter().enumerate() {
        for &id in ids {
            if let Some(group @ 0) = first.get_mut(id as usize) {
                *group = k + 1;
            }
        }
    }
    first
}

fn element(
    text: &mut String,
    next: &mut usize,
    (kind, _): (u32, u32),
    group: usize,
    corners: &[u32],
) {
    // Two tags, as Gmsh wants: the group, and a geometrical entity, which we number alike.
    push(text, format_args!("{next} {kind} 2 {group} {}", group.max(1)));
    for &v in corners {
        push(text, format_args!(" {}", v + 1));
    }
    text.push('\n');
    *next += 1;
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a String takes everything");
}

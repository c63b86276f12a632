//! TetGen's `.node` and `.ele`, counted from 1.

use std::io::{self, Write};

use stiction::mesh::Tags;

use super::Precision;
use crate::mesh_file::MeshFile;

pub(super) fn nodes(out: &mut dyn Write, mesh: &MeshFile) -> io::Result<()> {
    let markers = numbers(&mesh.vertex_groups, "marker", mesh.vertices.len());
    writeln!(out, "{} 3 0 {}", mesh.vertices.len(), u8::from(markers.is_some()))?;
    for (k, v) in mesh.vertices.iter().enumerate() {
        let position = Precision::Double.row([v.x, v.y, v.z]);
        match &markers {
            Some(markers) => writeln!(out, "{} {position} {}", k + 1, markers[k])?,
            None => writeln!(out, "{} {position}", k + 1)?,
        }
    }
    Ok(())
}

pub(super) fn elements(out: &mut dyn Write, mesh: &MeshFile) -> io::Result<()> {
    let regions = numbers(&mesh.tet_groups, "region", mesh.tets.len());
    writeln!(out, "{} 4 {}", mesh.tets.len(), u8::from(regions.is_some()))?;
    for (k, corners) in mesh.tets.iter().enumerate() {
        let [a, b, c, d] = corners.map(|v| u64::from(v) + 1);
        match &regions {
            Some(regions) => writeln!(out, "{} {a} {b} {c} {d} {}", k + 1, regions[k])?,
            None => writeln!(out, "{} {a} {b} {c} {d}", k + 1)?,
        }
    }
    Ok(())
}

/// The number in `marker=5`.
pub(super) fn number(name: &str, kind: &str) -> Option<i32> {
    name.strip_prefix(kind)?.strip_prefix('=')?.parse().ok()
}

/// The number of each vertex or tet, 0 for those in no group; nothing if there are no such groups.
fn numbers(groups: &Tags, kind: &str, count: usize) -> Option<Vec<i32>> {
    let mut values = None;
    for (name, ids) in groups.iter() {
        if let Some(value) = number(name, kind) {
            let values = values.get_or_insert_with(|| vec![0; count]);
            ids.iter().for_each(|&id| values[id as usize] = value);
        }
    }
    values
}

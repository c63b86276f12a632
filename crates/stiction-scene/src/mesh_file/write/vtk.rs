//! Legacy VTK 4.2, binary: big endian, and the version that every reader knows.

use std::io::{self, Write};

use super::{arrays, word};
use crate::mesh_file::MeshFile;

pub(super) fn write(out: &mut dyn Write, mesh: &MeshFile) -> io::Result<()> {
    writeln!(out, "# vtk DataFile Version 4.2\nstiction\nBINARY\nDATASET UNSTRUCTURED_GRID")?;
    writeln!(out, "POINTS {} double", mesh.vertices.len())?;
    let coordinates = mesh.vertices.iter().flat_map(|v| [v.x, v.y, v.z]);
    block(out, coordinates.flat_map(f64::to_be_bytes))?;

    let (tets, triangles) = (mesh.tets.len(), mesh.triangles.len());
    let count = tets + triangles;
    writeln!(out, "CELLS {count} {}", 5 * tets + 4 * triangles)?;
    let of_tets = mesh.tets.iter().flat_map(|&[a, b, c, d]| [4, a, b, c, d]);
    let of_triangles = mesh.triangles.iter().flat_map(|&[a, b, c]| [3, a, b, c]);
    block(out, of_tets.chain(of_triangles).flat_map(u32::to_be_bytes))?;
    writeln!(out, "CELL_TYPES {count}")?;
    let types = std::iter::repeat_n(10_u32, tets).chain(std::iter::repeat_n(5, triangles));
    block(out, types.flat_map(u32::to_be_bytes))?;

    let arrays = arrays::of_cells(mesh);
    if !arrays.is_empty() {
        writeln!(out, "CELL_DATA {count}\nFIELD FieldData {}", arrays.len())?;
        for (name, values) in &arrays {
            writeln!(out, "{} 1 {count} int", word(name))?;
            block(out, values.iter().flat_map(|v| v.to_be_bytes()))?;
        }
    }
    Ok(())
}

fn block(out: &mut dyn Write, bytes: impl Iterator<Item = u8>) -> io::Result<()> {
    let mut bytes: Vec<u8> = bytes.collect();
    bytes.push(b'\n');
    out.write_all(&bytes)
}

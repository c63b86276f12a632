//! Binary STL.

use std::io::{self, Write};

use crate::mesh_file::MeshFile;

/// Must not begin with `solid`, which would announce text.
const HEADER: &[u8; 80] = &{
    let mut header = [b' '; 80];
    let name = *b"stiction, metres";
    let mut k = 0;
    while k < name.len() {
        header[k] = name[k];
        k += 1;
    }
    header
};

pub(super) fn write(out: &mut dyn Write, mesh: &MeshFile) -> io::Result<()> {
    let count = u32::try_from(mesh.triangles.len());
    let count = count.map_err(|_| io::Error::other("STL holds no more than 2³² triangles"))?;
    out.write_all(HEADER)?;
    out.write_all(&count.to_le_bytes())?;
    for corners in &mesh.triangles {
        let [a, b, c] = corners.map(|v| mesh.vertices[v as usize]);
        let normal = (b - a).cross(&(c - a));
        let length = normal.norm();
        // A triangle without area has no normal; the format lets readers find their own.
        let normal = if length > 0.0 { normal / length } else { normal * 0.0 };
        for vector in [normal, a, b, c] {
            for coordinate in vector.iter() {
                out.write_all(&(*coordinate as f32).to_le_bytes())?;
            }
        }
        out.write_all(&[0; 2])?;
    }
    Ok(())
}

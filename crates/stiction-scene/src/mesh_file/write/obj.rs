//! Wavefront OBJ.

use std::io::{self, Write};

use super::Precision;

/// Lines `v`.
pub(crate) fn positions(
    out: &mut dyn Write,
    positions: impl Iterator<Item = [f64; 3]>,
    precision: Precision,
) -> io::Result<()> {
    for position in positions {
        writeln!(out, "v {}", precision.row(position))?;
    }
    Ok(())
}

/// Lines `f`, of corners that were counted from 0 behind `before` vertices.
pub(crate) fn faces(
    out: &mut dyn Write,
    triangles: impl Iterator<Item = [u32; 3]>,
    before: usize,
) -> io::Result<()> {
    for corners in triangles {
        let [a, b, c] = corners.map(|v| before + v as usize + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}

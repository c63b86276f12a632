//! One `.npz`: numpy arrays in a zip, stored without compression.
//!
//! | array | shape | |
//! |---|---|---|
//! | `time`, `step` | frames | [s]; steps taken |
//! | `bodies`, `keys` | bodies | names, and what their arrays begin with |
//! | `KEY/positions` | frames × vertices × 3 | [m]; 1 × vertices × 3 for a body that never moves, which broadcasts |
//! | `KEY/velocities` | frames × vertices × 3 | [m/s]; moving bodies only |
//! | `KEY/triangles`, `KEY/tets` | n × 3, n × 4 | corners |
//! | `KEY/pose` | frames × 13 | rigid bodies: centre of mass [m], quaternion with its real part first, velocity [m/s], spin [rad/s] |
//! | `KEY/FIELD` | frames × sites (× components) | moving bodies only |
//!
//! An array holds all frames together, while frames come one by one: they wait in a scratch file. Entries above
//! 4 GiB are zip64. Format: NEP 1, "A simple file format for NumPy arrays".

use std::io::{self, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::frame::{BodyInfo, Pose};

use super::selection::Selection;
use super::staged::{Piece, SpoolReader, Staged};
use super::{Done, ExportError, ExportOptions, Precision, names};

pub(super) fn export(
    selection: &mut Selection<'_>,
    path: &Path,
    options: &ExportOptions,
    staged: &mut Staged,
) -> Result<Done, ExportError> {
    let precision = options.precision.unwrap_or(Precision::Double);
    let bodies = selection.bodies();
    let keys = names::file_names(selection.names());
    staged.check_free(path)?;
    let mut spool = staged.spool(path)?;
    let mut steps = Vec::with_capacity(selection.len());
    // Of each body: positions, velocities, then its fields.
    let mut pieces: Vec<Vec<Vec<Piece>>> =
        bodies.iter().map(|body| vec![Vec::new(); 2 + body.fields.len()]).collect();
    let mut poses: Vec<Vec<f64>> = vec![Vec::new(); bodies.len()];
    let mut bytes = Vec::new();
    selection.for_each(|_, _, frame| {
        steps.push(frame.step);
        for (poses, state) in poses.iter_mut().zip(&frame.bodies) {
            poses.extend(state.pose.iter().flat_map(Pose::numbers));
        }
        let moving =
            bodies.iter().zip(&frame.bodies).zip(&mut pieces).filter(|((b, _), _)| b.moves);
        for ((_, state), pieces) in moving {
            let vectors = [&state.positions, &state.velocities].map(|v| v.as_flattened());
            let arrays = vectors.into_iter().chain(state.fields.iter().map(Vec::as_slice));
            for (pieces, values) in pieces.iter_mut().zip(arrays) {
                bytes.clear();
                precision.push(&mut bytes, values.iter().copied());
                pieces.push(spool.push(&bytes)?);
            }
        }
        Ok(())
    })?;

    let times = selection.times();
    let mut spooled = spool.rewind()?;
    let mut file = staged.file(path)?;
    file.fill(|out| {
        let mut archive = Archive { zip: ZipWriter::new(out), spooled: &mut spooled };
        let frames = times.len();
        archive.array("time", "<f8", &[frames], &times, |t| t.to_le_bytes())?;
        archive.array("step", "<u8", &[frames], &steps, |n| n.to_le_bytes())?;
        archive.text("bodies", selection.names())?;
        archive.text("keys", keys.iter().map(String::as_str))?;
        for (((body, key), pieces), poses) in bodies.iter().zip(&keys).zip(&pieces).zip(&poses) {
            archive.body(body, key, frames, pieces, precision)?;
            if poses.len() == frames * Pose::WIDTH {
                let shape = [frames, Pose::WIDTH];
                archive.array(&format!("{key}/pose"), "<f8", &shape, poses, |x| x.to_le_bytes())?;
            }
        }
        archive.zip.finish()?;
        Ok(())
    })?;
    staged.close(file)?;
    Ok(Done::one(path))
}

struct Archive<'a, W: Write + io::Seek> {
    zip: ZipWriter<W>,
    spooled: &'a mut SpoolReader,
}

impl<W: Write + io::Seek> Archive<'_, W> {
    fn body(
        &mut self,
        body: &BodyInfo,
        key: &str,
        frames: usize,
        pieces: &[Vec<Piece>],
        precision: Precision,
    ) -> io::Result<()> {
        let count = body.start.len();
        let kind = if precision == Precision::Single { "<f4" } else { "<f8" };
        let (triangles, tets) = (body.triangles.as_flattened(), body.tets.as_flattened());
        let named = |name: &str| format!("{key}/{name}");
        let shape = [body.triangles.len(), 3];
        self.array(&named("triangles"), "<u4", &shape, triangles, |v| v.to_le_bytes())?;
        if !tets.is_empty() {
            let shape = [body.tets.len(), 4];
            self.array(&named("tets"), "<u4", &shape, tets, |v| v.to_le_bytes())?;
        }
        if !body.moves {
            let mut bytes = Vec::new();
            precision.push(&mut bytes, body.start.iter().flatten().copied());
            self.begin(&named("positions"), kind, &[1, count, 3], precision.width())?;
            return self.zip.write_all(&bytes);
        }
        let taken = ["positions", "velocities", "triangles", "tets", "pose"];
        let fields = body.fields.iter().map(|field| field.name.as_str());
        let fields = names::file_names_beside(fields, &taken);
        let mut arrays =
            vec![("positions", vec![frames, count, 3]), ("velocities", vec![frames, count, 3])];
        for (name, field) in fields.iter().zip(&body.fields) {
            let sites = body.field_len(field) / field.components.max(1);
            let shape = match field.components {
                1 => vec![frames, sites],
                components => vec![frames, sites, components],
            };
            arrays.push((name, shape));
        }
        for ((name, shape), pieces) in arrays.iter().zip(pieces) {
            self.begin(&named(name), kind, shape, precision.width())?;
            for &piece in pieces {
                self.spooled.copy(piece, &mut self.zip)?;
            }
        }
        Ok(())
    }

    fn array<T: Copy, const N: usize>(
        &mut self,
        name: &str,
        kind: &str,
        shape: &[usize],
        values: &[T],
        encode: impl Fn(T) -> [u8; N],
    ) -> io::Result<()> {
        self.begin(name, kind, shape, N)?;
        let bytes: Vec<u8> = values.iter().flat_map(|&value| encode(value)).collect();
        self.zip.write_all(&bytes)
    }

    /// Text of fixed width, four bytes a character, as numpy has it.
    fn text<'a>(&mut self, name: &str, values: impl Iterator<Item = &'a str>) -> io::Result<()> {
        let values: Vec<Vec<char>> = values.map(|value| value.chars().collect()).collect();
        let width = values.iter().map(Vec::len).max().unwrap_or(0).max(1);
        self.begin(name, &format!("<U{width}"), &[values.len()], 4 * width)?;
        let padded = values.iter().flat_map(|value| {
            let characters = value.iter().map(|&c| u32::from(c));
            characters.chain(std::iter::repeat(0)).take(width)
        });
        let bytes: Vec<u8> = padded.flat_map(u32::to_le_bytes).collect();
        self.zip.write_all(&bytes)
    }

    /// Begins an array, whose values follow.
    fn begin(&mut self, name: &str, kind: &str, shape: &[usize], width: usize) -> io::Result<()> {
        let header = header(kind, shape);
        let values: u64 = shape.iter().map(|&n| n as u64).product();
        let size = header.len() as u64 + values * width as u64;
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(size >= u64::from(u32::MAX));
        self.zip.start_file(format!("{name}.npy"), options)?;
        self.zip.write_all(&header)
    }
}

fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(|n| format!("{n},")).collect();
    let shape = lengths.join(" ");
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    let before = 10; // magic, version and length
    let total = (before + text.len() + 1).next_multiple_of(64);
    text.push_str(&" ".repeat(total - before - text.len() - 1));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

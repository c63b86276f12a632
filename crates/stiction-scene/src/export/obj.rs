//! OBJ sequence: `frame.0000.obj` and so on, with the surface of each body as an object `o`.

use std::io::Write as _;
use std::path::Path;

use crate::mesh_file::write::obj;

use super::selection::{Selection, positions};
use super::staged::Staged;
use super::surface::Surface;
use super::{Done, ExportError, ExportOptions, Precision, frame_name, names};

pub(super) fn export(
    selection: &mut Selection<'_>,
    folder: &Path,
    options: &ExportOptions,
    staged: &mut Staged,
) -> Result<Done, ExportError> {
    let precision = options.precision.unwrap_or(Precision::Single);
    let bodies = selection.bodies();
    let surfaces: Vec<Surface> = bodies.iter().map(Surface::of).collect();
    let main = folder.join(frame_name("frame", selection.indices()[0], "obj"));
    selection.for_each(|_, index, frame| {
        let mut file = staged.file(&folder.join(frame_name("frame", index, "obj")))?;
        file.fill(|out| {
            writeln!(out, "# stiction, frame {index}, {:?} s", frame.time)?;
            let mut before = 0;
            for ((body, state), surface) in bodies.iter().zip(&frame.bodies).zip(&surfaces) {
                writeln!(out, "o {}", names::one_line(&body.name))?;
                obj::positions(out, surface.pick(positions(body, state)), precision)?;
                obj::faces(out, surface.triangles.iter().copied(), before)?;
                before += surface.vertices.len();
            }
            Ok(())
        })?;
        staged.close(file)?;
        Ok(())
    })?;
    Ok(Done::series(&main, vec!["frame".to_owned()], "obj"))
}

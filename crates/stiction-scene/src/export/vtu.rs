//! VTU series with a PVD, for ParaView.
//!
//! One `.vtu` for each body and frame, gathered by `run.pvd` as a multi-block data set. One file for all bodies
//! would be fewer files, but this is what ParaView works with best: blocks carry the names of the bodies and can be
//! shown, hidden and coloured apart; each has exactly its own fields, without NaN for those it lacks; and a body that
//! never moves is written once, however long the run.
//!
//! Solids are tets, all else triangles. Arrays `velocity` [m/s] and the fields, on points or cells.

use std::path::Path;

use crate::frame::{BodyFrame, BodyInfo, BodyKind, FieldPlace};
use crate::mesh_file::write::vtu::{self, Array, Grid, Values};

use super::selection::{Selection, positions};
use super::staged::Staged;
use super::{Done, ExportError, ExportOptions, Precision, frame_name, names};

pub(super) fn export(
    selection: &mut Selection<'_>,
    folder: &Path,
    options: &ExportOptions,
    staged: &mut Staged,
) -> Result<Done, ExportError> {
    let precision = options.precision.unwrap_or(Precision::Single);
    let bodies = selection.bodies();
    let stems = names::file_names(selection.names());
    let main = folder.join("run.pvd");
    staged.check_free(&main)?;
    for (body, stem) in bodies.iter().zip(&stems).filter(|(body, _)| !body.moves) {
        let grid = grid(body, &body.start);
        let mut file = staged.file(&folder.join(format!("{stem}.vtu")))?;
        file.fill(|out| vtu::write(out, &grid, precision))?;
        staged.close(file)?;
    }
    selection.for_each(|_, index, frame| {
        let moving = bodies.iter().zip(&frame.bodies).zip(&stems).filter(|((b, _), _)| b.moves);
        for ((body, state), stem) in moving {
            let fields = names::file_names_beside(
                body.fields.iter().map(|field| field.name.as_str()),
                &["velocity"],
            );
            let grid = Grid { time: Some(frame.time), ..moving_grid(body, state, &fields) };
            let mut file = staged.file(&folder.join(frame_name(stem, index, "vtu")))?;
            file.fill(|out| vtu::write(out, &grid, precision))?;
            staged.close(file)?;
        }
        Ok(())
    })?;
    let collection = collection(selection, &stems);
    let mut file = staged.file(&main)?;
    file.fill(|out| std::io::Write::write_all(out, collection.as_bytes()))?;
    staged.close(file)?;
    Ok(Done::series(&main, stems, "vtu"))
}

fn grid<'a>(body: &'a BodyInfo, points: &'a [[f64; 3]]) -> Grid<'a> {
    match body.kind {
        BodyKind::Solid => Grid { points, tets: &body.tets, ..Grid::default() },
        BodyKind::Cloth | BodyKind::Rigid | BodyKind::Obstacle => {
            Grid { points, triangles: &body.triangles, ..Grid::default() }
        }
    }
}

fn moving_grid<'a>(body: &'a BodyInfo, state: &'a BodyFrame, names: &'a [String]) -> Grid<'a> {
    let mut grid = grid(body, positions(body, state));
    let values = Values::Vectors(&state.velocities);
    grid.point_arrays.push(Array { name: "velocity", components: 3, values });
    for ((field, values), name) in body.fields.iter().zip(&state.fields).zip(names) {
        let values = Values::Floats(values);
        let array = Array { name, components: field.components, values };
        match field.place {
            FieldPlace::Vertex => grid.point_arrays.push(array),
            FieldPlace::Element => grid.cell_arrays.push(array),
        }
    }
    grid
}

fn collection(selection: &Selection<'_>, stems: &[String]) -> String {
    let mut xml = String::from(concat!(
        "<?xml version=\"1.0\"?>\n",
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
        "<Collection>\n",
    ));
    for (&index, time) in selection.indices().iter().zip(selection.times()) {
        for (part, (body, stem)) in selection.bodies().iter().zip(stems).enumerate() {
            let file =
                if body.moves { frame_name(stem, index, "vtu") } else { format!("{stem}.vtu") };
            xml.push_str(&format!(
                "<DataSet timestep=\"{time:?}\" group=\"\" part=\"{part}\" name=\"{}\" file=\"{file}\"/>\n",
                vtu::escape(&body.name)
            ));
        }
    }
    xml.push_str("</Collection>\n</VTKFile>\n");
    xml
}

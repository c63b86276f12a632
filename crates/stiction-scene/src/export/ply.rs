//! PLY sequence: `frame.0000.ply` and so on, binary, the surfaces of all bodies in one.
//!
//! Vertices have velocities `vx`, `vy`, `vz` [m/s], the number of their body, and the fields of vertices; triangles
//! have the fields of triangles. Bodies without a field have NaN there. Fields of tets have no place on a surface.
//! The number of the body is not with the triangles because meshio 5 reads binary triangles only if they have nothing
//! but corners.

use std::path::Path;

use crate::frame::{BodyInfo, BodyKind, FieldInfo, FieldPlace, Frame};
use crate::mesh_file::write::ply::{self, Column, ColumnValues};

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
    let main = folder.join(frame_name("frame", selection.indices()[0], "ply"));
    let triangles = joined(&surfaces);
    let of_vertices = Merged::of(bodies, FieldPlace::Vertex);
    let of_triangles = Merged::of(bodies, FieldPlace::Element);
    selection.for_each(|_, index, frame| {
        let mut points: Vec<[f64; 3]> = Vec::new();
        for ((body, state), surface) in bodies.iter().zip(&frame.bodies).zip(&surfaces) {
            points.extend(surface.pick(positions(body, state)));
        }
        let mut vertex_columns = velocity_columns(bodies, &surfaces, frame);
        vertex_columns.push(body_column(&surfaces));
        vertex_columns.extend(of_vertices.columns(
            bodies,
            frame,
            |body, values, components, all| {
                for &v in &surfaces[body].vertices {
                    all.extend_from_slice(&values[v as usize * components..][..components]);
                }
            },
            |body| surfaces[body].vertices.len(),
        ));
        let triangle_columns = of_triangles.columns(
            bodies,
            frame,
            |_, values, _, all| all.extend_from_slice(values),
            |body| surfaces[body].triangles.len(),
        );
        let comment = format!("stiction, frame {index}, {:?} s", frame.time);
        let mut file = staged.file(&folder.join(frame_name("frame", index, "ply")))?;
        file.fill(|out| {
            ply::write(
                out,
                &comment,
                &points,
                &vertex_columns,
                &triangles,
                &triangle_columns,
                precision,
            )
        })?;
        staged.close(file)?;
        Ok(())
    })?;
    Ok(Done::series(&main, vec!["frame".to_owned()], "ply"))
}

fn joined(surfaces: &[Surface]) -> Vec<[u32; 3]> {
    let mut before = 0;
    let mut triangles = Vec::new();
    for surface in surfaces {
        triangles.extend(surface.triangles.iter().map(|t| t.map(|v| v + before)));
        before += surface.vertices.len() as u32;
    }
    triangles
}

fn velocity_columns(bodies: &[BodyInfo], surfaces: &[Surface], frame: &Frame) -> Vec<Column> {
    let mut velocities: [Vec<f64>; 3] = Default::default();
    for ((body, state), surface) in bodies.iter().zip(&frame.bodies).zip(surfaces) {
        for &v in &surface.vertices {
            let velocity = if body.moves { state.velocities[v as usize] } else { [0.0; 3] };
            (0..3).for_each(|i| velocities[i].push(velocity[i]));
        }
    }
    let named = ["vx", "vy", "vz"].into_iter().zip(velocities);
    named
        .map(|(name, values)| Column {
            name: name.to_owned(),
            values: ColumnValues::Floats(values),
        })
        .collect()
}

fn body_column(surfaces: &[Surface]) -> Column {
    let numbers = surfaces.iter().enumerate();
    let values = numbers.flat_map(|(body, s)| vec![body as i32; s.vertices.len()]).collect();
    Column { name: "body".to_owned(), values: ColumnValues::Integers(values) }
}

/// Fields of one place over all bodies; those of the same name and components are one.
struct Merged {
    /// Name of the field, its components, and the name it gets.
    fields: Vec<(String, usize, String)>,
    place: FieldPlace,
}

impl Merged {
    fn of(bodies: &[BodyInfo], place: FieldPlace) -> Self {
        let mut found: Vec<(String, usize)> = Vec::new();
        let wanted = |body: &BodyInfo, field: &FieldInfo| {
            field.place == place
                && body.moves
                && (place == FieldPlace::Vertex || body.kind != BodyKind::Solid)
        };
        for body in bodies {
            for field in body.fields.iter().filter(|field| wanted(body, field)) {
                let key = (field.name.clone(), field.components);
                if !found.contains(&key) {
                    found.push(key);
                }
            }
        }
        let taken = ["x", "y", "z", "vx", "vy", "vz", "body", "vertex_indices"];
        let names = names::identifiers(found.iter().map(|(name, _)| name.as_str()), &taken);
        let fields = found.into_iter().zip(names).map(|((field, n), name)| (field, n, name));
        Self { fields: fields.collect(), place }
    }

    /// `append` adds the values of a body that has the field, NaN for `count` sites otherwise.
    fn columns(
        &self,
        bodies: &[BodyInfo],
        frame: &Frame,
        append: impl Fn(usize, &[f64], usize, &mut Vec<f64>),
        count: impl Fn(usize) -> usize,
    ) -> Vec<Column> {
        let mut columns = Vec::new();
        for (name, components, shown) in &self.fields {
            let mut all = Vec::new();
            for (index, (body, state)) in bodies.iter().zip(&frame.bodies).enumerate() {
                let found = body.fields.iter().position(|field| {
                    field.place == self.place
                        && field.name == *name
                        && field.components == *components
                });
                let fits = body.moves
                    && (self.place == FieldPlace::Vertex || body.kind != BodyKind::Solid);
                match found.filter(|_| fits) {
                    Some(k) => append(index, &state.fields[k], *components, &mut all),
                    None => all.extend(std::iter::repeat_n(f64::NAN, count(index) * components)),
                }
            }
            columns.extend(ply::columns(shown, *components, &all));
        }
        columns
    }
}

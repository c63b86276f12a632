//! PLY, binary little endian: positions, triangles, and columns of numbers for either.

use std::io::{self, Write};

use super::Precision;

/// A property with one number a vertex or triangle.
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) values: ColumnValues,
}

pub(crate) enum ColumnValues {
    Floats(Vec<f64>),
    Integers(Vec<i32>),
}

/// Columns of a field: one of its name, or one for each component, `name_x`, `name_y`, `name_z` or by number.
pub(crate) fn columns(name: &str, components: usize, values: &[f64]) -> Vec<Column> {
    let column = |component: usize, name: String| {
        let of_component = values.iter().skip(component).step_by(components).copied();
        Column { name, values: ColumnValues::Floats(of_component.collect()) }
    };
    match components {
        1 => vec![column(0, name.to_owned())],
        3 => (0..3).map(|k| column(k, format!("{name}_{}", ["x", "y", "z"][k]))).collect(),
        _ => (0..components).map(|k| column(k, format!("{name}_{k}"))).collect(),
    }
}

/// Writes a surface; columns have as many values as there are positions or triangles.
pub(crate) fn write(
    out: &mut dyn Write,
    comment: &str,
    positions: &[[f64; 3]],
    vertex_columns: &[Column],
    triangles: &[[u32; 3]],
    triangle_columns: &[Column],
    precision: Precision,
) -> io::Result<()> {
    let float = if precision == Precision::Single { "float" } else { "double" };
    let mut header = String::from("ply\nformat binary_little_endian 1.0\n");
    header.push_str(&format!("comment {comment}\nelement vertex {}\n", positions.len()));
    for axis in ["x", "y", "z"] {
        header.push_str(&format!("property {float} {axis}\n"));
    }
    declare(&mut header, vertex_columns, float);
    header.push_str(&format!("element face {}\n", triangles.len()));
    header.push_str("property list uchar int vertex_indices\n");
    declare(&mut header, triangle_columns, float);
    header.push_str("end_header\n");
    out.write_all(header.as_bytes())?;

    let mut row = Vec::new();
    for (index, position) in positions.iter().enumerate() {
        row.clear();
        precision.push(&mut row, *position);
        push_row(&mut row, vertex_columns, index, precision);
        out.write_all(&row)?;
    }
    for (index, corners) in triangles.iter().enumerate() {
        row.clear();
        row.push(3);
        corners.iter().for_each(|corner| row.extend(corner.to_le_bytes()));
        push_row(&mut row, triangle_columns, index, precision);
        out.write_all(&row)?;
    }
    Ok(())
}

fn declare(header: &mut String, columns: &[Column], float: &str) {
    for column in columns {
        let kind = match column.values {
            ColumnValues::Floats(_) => float,
            ColumnValues::Integers(_) => "int",
        };
        header.push_str(&format!("property {kind} {}\n", column.name));
    }
}

fn push_row(row: &mut Vec<u8>, columns: &[Column], index: usize, precision: Precision) {
    for column in columns {
        match &column.values {
            ColumnValues::Floats(values) => precision.push(row, [values[index]]),
            ColumnValues::Integers(values) => row.extend(values[index].to_le_bytes()),
        }
    }
}

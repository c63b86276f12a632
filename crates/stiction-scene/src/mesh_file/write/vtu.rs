//! VTK's XML `.vtu`, arrays appended as raw bytes: the fastest flavour to write and to read.
//!
//! Format: "VTK File Formats", XML part. Every array begins with its length in bytes, a `UInt64`.

use std::io::{self, Write};

use super::Precision;

/// An unstructured grid: tets first, then triangles.
#[derive(Default)]
pub(crate) struct Grid<'a> {
    pub(crate) points: &'a [[f64; 3]],
    pub(crate) tets: &'a [[u32; 4]],
    pub(crate) triangles: &'a [[u32; 3]],
    pub(crate) point_arrays: Vec<Array<'a>>,
    pub(crate) cell_arrays: Vec<Array<'a>>,
    /// Written for readers that open a file of a series alone [s].
    pub(crate) time: Option<f64>,
}

/// A named array with one value a point or cell.
pub(crate) struct Array<'a> {
    pub(crate) name: &'a str,
    /// Numbers a value has.
    pub(crate) components: usize,
    pub(crate) values: Values<'a>,
}

pub(crate) enum Values<'a> {
    Floats(&'a [f64]),
    Vectors(&'a [[f64; 3]]),
    Integers(&'a [i32]),
}

const TRIANGLE: u8 = 5;
const TET: u8 = 10;

/// Writes a grid.
pub(crate) fn write(out: &mut dyn Write, grid: &Grid<'_>, precision: Precision) -> io::Result<()> {
    let mut data = Appended { declared: Vec::new(), bytes: Vec::new(), precision };
    // The bytes of arrays stand in the reverse order of their declarations: meshio 5 moves offsets while it still
    // looks for others, takes the first that fits, and would find moved ones instead.
    let cells = data.section("Cells", |data| declare_cells(data, grid));
    let points = data.section("Points", |data| {
        let values = Values::Vectors(grid.points);
        data.array(&Array { name: "Points", components: 3, values });
    });
    let cell_data =
        data.section("CellData", |data| grid.cell_arrays.iter().rev().for_each(|a| data.array(a)));
    let point_data = data
        .section("PointData", |data| grid.point_arrays.iter().rev().for_each(|a| data.array(a)));

    let time = grid.time.map_or_else(String::new, |time| {
        format!(
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" \
             format=\"ascii\">{time:?}</DataArray>\n</FieldData>\n"
        )
    });
    let (point_count, cell_count) = (grid.points.len(), grid.tets.len() + grid.triangles.len());
    write!(
        out,
        r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<UnstructuredGrid>
{time}<Piece NumberOfPoints="{point_count}" NumberOfCells="{cell_count}">
{point_data}{cell_data}{points}{cells}</Piece>
</UnstructuredGrid>
<AppendedData encoding="raw">
_"#
    )?;
    out.write_all(&data.bytes)?;
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}

fn declare_cells(data: &mut Appended, grid: &Grid<'_>) {
    data.raw("types", "UInt8", 1, |bytes| {
        bytes.extend(std::iter::repeat_n(TET, grid.tets.len()));
        bytes.extend(std::iter::repeat_n(TRIANGLE, grid.triangles.len()));
    });
    let tets_end = 4 * grid.tets.len() as i64;
    data.raw("offsets", "Int64", 1, |bytes| {
        let of_tets = (1..=grid.tets.len() as i64).map(|k| 4 * k);
        let of_triangles = (1..=grid.triangles.len() as i64).map(|k| tets_end + 3 * k);
        of_tets.chain(of_triangles).for_each(|end| bytes.extend(end.to_le_bytes()));
    });
    data.raw("connectivity", "Int64", 1, |bytes| {
        let corners = grid.tets.iter().flatten().chain(grid.triangles.iter().flatten());
        corners.for_each(|&v| bytes.extend(i64::from(v).to_le_bytes()));
    });
}

/// The bytes so far, and the declarations of the arrays in them.
struct Appended {
    declared: Vec<String>,
    bytes: Vec<u8>,
    precision: Precision,
}

impl Appended {
    /// The XML of a section whose arrays are filled last to first.
    fn section(&mut self, tag: &str, fill: impl FnOnce(&mut Self)) -> String {
        fill(self);
        let arrays: String = self.declared.drain(..).rev().collect();
        format!("<{tag}>\n{arrays}</{tag}>\n")
    }

    fn array(&mut self, array: &Array<'_>) {
        let precision = self.precision;
        let float = if precision == Precision::Single { "Float32" } else { "Float64" };
        let (name, components) = (array.name, array.components);
        match array.values {
            Values::Floats(values) => self.raw(name, float, components, |bytes| {
                precision.push(bytes, values.iter().copied());
            }),
            Values::Vectors(values) => self.raw(name, float, components, |bytes| {
                precision.push(bytes, values.iter().flatten().copied());
            }),
            Values::Integers(values) => self.raw(name, "Int32", components, |bytes| {
                values.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
            }),
        }
    }

    fn raw(&mut self, name: &str, kind: &str, components: usize, fill: impl FnOnce(&mut Vec<u8>)) {
        let offset = self.bytes.len();
        self.bytes.extend([0; 8]);
        fill(&mut self.bytes);
        let width = match components {
            1 => String::new(), // meshio makes a column of what declares one component
            _ => format!(" NumberOfComponents=\"{components}\""),
        };
        let length = (self.bytes.len() - offset - 8) as u64;
        self.bytes[offset..offset + 8].copy_from_slice(&length.to_le_bytes());
        self.declared.push(format!(
            "<DataArray type=\"{kind}\" Name=\"{}\"{width} format=\"appended\" offset=\"{offset}\"/>\n",
            escape(name)
        ));
    }
}

/// Text fit for an XML attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

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
    let cell_count = grid.tets.len() + grid.triangles.len();
    let mut data = Appended { xml: String::new(), bytes: Vec::new(), precision };
    data.xml.push_str(concat!(
        "<?xml version=\"1.0\"?>\n",
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
        "<UnstructuredGrid>\n",
    ));
    if let Some(time) = grid.time {
        data.xml.push_str(&format!(
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray>\n</FieldData>\n"
        ));
    }
    data.xml.push_str(&format!(
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{cell_count}\">\n",
        grid.points.len()
    ));
    data.section("PointData", |data| grid.point_arrays.iter().for_each(|array| data.array(array)));
    data.section("CellData", |data| grid.cell_arrays.iter().for_each(|array| data.array(array)));
    data.section("Points", |data| {
        let values = Values::Vectors(grid.points);
        data.array(&Array { name: "Points", components: 3, values });
    });
    data.section("Cells", |data| cells(data, grid));
    data.xml.push_str("</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    out.write_all(data.xml.as_bytes())?;
    out.write_all(&data.bytes)?;
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}

fn cells(data: &mut Appended, grid: &Grid<'_>) {
    data.raw("connectivity", "Int64", 1, |bytes| {
        let corners = grid.tets.iter().flatten().chain(grid.triangles.iter().flatten());
        corners.for_each(|&v| bytes.extend(i64::from(v).to_le_bytes()));
    });
    let tets_end = 4 * grid.tets.len() as i64;
    data.raw("offsets", "Int64", 1, |bytes| {
        let of_tets = (1..=grid.tets.len() as i64).map(|k| 4 * k);
        let of_triangles = (1..=grid.triangles.len() as i64).map(|k| tets_end + 3 * k);
        of_tets.chain(of_triangles).for_each(|end| bytes.extend(end.to_le_bytes()));
    });
    data.raw("types", "UInt8", 1, |bytes| {
        bytes.extend(std::iter::repeat_n(TET, grid.tets.len()));
        bytes.extend(std::iter::repeat_n(TRIANGLE, grid.triangles.len()));
    });
}

/// The XML so far, and the bytes it points into.
struct Appended {
    xml: String,
    bytes: Vec<u8>,
    precision: Precision,
}

impl Appended {
    fn section(&mut self, tag: &str, fill: impl FnOnce(&mut Self)) {
        self.xml.push_str(&format!("<{tag}>\n"));
        fill(self);
        self.xml.push_str(&format!("</{tag}>\n"));
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
        let length = (self.bytes.len() - offset - 8) as u64;
        self.bytes[offset..offset + 8].copy_from_slice(&length.to_le_bytes());
        self.xml.push_str(&format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>\n",
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

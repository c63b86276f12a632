//! VTU, VTK's XML form of unstructured grids, in one or more pieces.
//!
//! Format: "VTK File Formats", XML part. Integer cell arrays become groups.

use roxmltree::{Document, Node};

use super::MeshFile;
use super::cells::{Cells, Vertices};
use super::error::{Failure, Fault, Parsed, Place};
use super::number::{Endian, Scalar};
use super::scanner::shown;
use super::shape;
use super::vtu_data::{Encoding, Numbers, Source, split_appended};

pub(super) fn parse(bytes: &[u8]) -> Parsed<MeshFile> {
    let split = split_appended(bytes);
    let (xml, appended) = match &split {
        Some((xml, appended)) => (xml.as_slice(), Some(*appended)),
        None => (bytes, None),
    };
    let text = std::str::from_utf8(xml).map_err(|error| Failure {
        place: Place::Byte(error.valid_up_to()),
        fault: Fault::Xml("not UTF-8".to_owned()),
    })?;
    let document = Document::parse(text).map_err(|error| Failure {
        place: Place::Line(error.pos().row as usize),
        fault: Fault::Xml(error.to_string()),
    })?;
    let mut reader = Reader {
        encoding: encoding(&document, bytes.len(), appended)?,
        document: &document,
        file: MeshFile::default(),
        cells: Cells::default(),
    };
    let grid = reader.child(document.root_element(), "UnstructuredGrid")?;
    for piece in grid.children().filter(|node| node.has_tag_name("Piece")) {
        reader.piece(piece)?;
    }
    reader.cells.finish(&mut reader.file);
    Ok(reader.file)
}

fn encoding<'a>(
    document: &Document<'_>,
    file_size: usize,
    appended: Option<&'a [u8]>,
) -> Parsed<Encoding<'a>> {
    let root = document.root_element();
    let place = place(document, root);
    let unsupported = |what: String, help| Err(Failure::unsupported(place, what, help));
    if !root.has_tag_name("VTKFile") {
        let found = shown(root.tag_name().name().as_bytes());
        let fault = Fault::Unexpected { expected: "`<VTKFile>`".into(), found };
        return Err(Failure { place, fault });
    }
    let kind = root.attribute("type").unwrap_or_default();
    if kind != "UnstructuredGrid" {
        let what = format!("a VTK file of type {}", shown(kind.as_bytes()));
        return unsupported(what, "save as an unstructured grid (.vtu)");
    }
    let compressed = match root.attribute("compressor") {
        None | Some("") => false,
        Some("vtkZLibDataCompressor") => true,
        Some(other) => {
            let what = format!("compression by {}", shown(other.as_bytes()));
            return unsupported(what, "save with zlib or without compression");
        }
    };
    let header = match root.attribute("header_type") {
        None | Some("UInt32") => Scalar::U32,
        Some("UInt64") => Scalar::U64,
        Some(other) => {
            let what = format!("headers of type {}", shown(other.as_bytes()));
            return unsupported(what, "save with `header_type` UInt32 or UInt64");
        }
    };
    let endian = match root.attribute("byte_order") {
        Some("BigEndian") => Endian::Big,
        _ => Endian::Little,
    };
    let node = root.children().find(|node| node.has_tag_name("AppendedData"));
    let raw = node.and_then(|node| node.attribute("encoding")) == Some("raw");
    let appended = appended.map(|bytes| match raw {
        true => Source::Raw(bytes),
        false => Source::Base64(bytes),
    });
    let budget = Encoding::greatest_total(file_size, compressed).into();
    Ok(Encoding { endian, header, compressed, budget, appended })
}

struct Reader<'a> {
    document: &'a Document<'a>,
    encoding: Encoding<'a>,
    file: MeshFile,
    cells: Cells,
}

impl<'a> Reader<'a> {
    fn piece(&mut self, piece: Node<'a, 'a>) -> Parsed<()> {
        let vertices = self.points(piece)?;
        let first_cell = self.cells.len();
        let cells = self.child(piece, "Cells")?;
        let connectivity = self.integers(self.array(cells, "connectivity")?)?;
        let ends = self.integers(self.array(cells, "offsets")?)?;
        let types = self.integers(self.array(cells, "types")?)?;
        if ends.len() != types.len() {
            let what = format!("{} offsets, but {} cell types", ends.len(), types.len());
            return Err(Failure::contradiction(place(self.document, cells), what));
        }
        let shapes = types.iter().map(|&code| shape::of_vtk(code));
        let added = self.cells.add_all(&mut self.file, &connectivity, &ends, shapes, vertices);
        added.map_err(|fault| self.failure(cells, fault))?;
        self.groups(piece, first_cell, types.len())
    }

    fn points(&mut self, piece: Node<'a, 'a>) -> Parsed<Vertices> {
        let points = self.child(piece, "Points")?;
        let array = self.child(points, "DataArray")?;
        let numbers = self.numbers(array)?;
        let coordinates =
            numbers.floats(self.scalar(array)?).map_err(|fault| self.failure(array, fault))?;
        let first = self.file.vertices.len();
        let count = coordinates.len() / 3;
        let announced = piece.attribute("NumberOfPoints").and_then(|n| n.trim().parse().ok());
        if announced != Some(count) || coordinates.len() % 3 != 0 {
            let announced = piece.attribute("NumberOfPoints").unwrap_or("no count of");
            let what = format!("{announced} points, but {} coordinates", coordinates.len());
            return Err(Failure::contradiction(place(self.document, array), what));
        }
        for (index, x) in coordinates.chunks_exact(3).enumerate() {
            if !x.iter().all(|c| c.is_finite()) {
                return Err(self.failure(array, Fault::NotFinite { vertex: first + index }));
            }
            self.file.vertices.push([x[0], x[1], x[2]].into());
        }
        Ok(Vertices { first, count })
    }

    fn groups(&mut self, piece: Node<'a, 'a>, first: usize, count: usize) -> Parsed<()> {
        let data = piece.children().filter(|node| node.has_tag_name("CellData"));
        for array in data.flat_map(|data| data.children()) {
            let is_integer = array.attribute("type").and_then(Scalar::of_vtu);
            let name = array.attribute("Name");
            if let (Some(name), Some(true)) = (name, is_integer.map(Scalar::is_integer)) {
                let values = self.integers(array)?;
                if values.len() == count {
                    self.cells.group_by(name, &values, first);
                }
            }
        }
        Ok(())
    }

    fn integers(&self, array: Node<'a, 'a>) -> Parsed<Vec<i64>> {
        let scalar = self.scalar(array)?;
        self.numbers(array)?.integers(scalar).map_err(|fault| self.failure(array, fault))
    }

    fn numbers(&self, array: Node<'a, 'a>) -> Parsed<Numbers<'a>> {
        let text = array.text().unwrap_or_default().as_bytes();
        let source = match array.attribute("format") {
            None | Some("ascii") => return Ok(Numbers::Text(text)),
            Some("binary") => Source::Base64(text),
            Some("appended") => {
                let offset = array.attribute("offset").and_then(|n| n.trim().parse().ok());
                let appended = self.encoding.appended;
                let source =
                    appended.zip(offset).and_then(|(source, n): (_, usize)| source.skip(n));
                source.ok_or_else(|| {
                    let expected = "appended data at the offset of this array".into();
                    self.failure(array, Fault::Truncated { expected })
                })?
            }
            Some(other) => {
                let what = format!("a data array in format {}", shown(other.as_bytes()));
                let help = "save as ascii, binary or appended";
                return Err(Failure::unsupported(place(self.document, array), what, help));
            }
        };
        let bytes = self.encoding.decode(source).map_err(|fault| self.failure(array, fault))?;
        Ok(Numbers::Binary(bytes, self.encoding.endian))
    }

    fn scalar(&self, array: Node<'a, 'a>) -> Parsed<Scalar> {
        let name = array.attribute("type").unwrap_or_default();
        Scalar::of_vtu(name).ok_or_else(|| {
            let expected = "a type such as `Float64`".into();
            self.failure(array, Fault::Unexpected { expected, found: shown(name.as_bytes()) })
        })
    }

    fn array(&self, parent: Node<'a, 'a>, name: &'static str) -> Parsed<Node<'a, 'a>> {
        let found = parent.children().find(|node| node.attribute("Name") == Some(name));
        found.ok_or_else(|| self.missing(parent, format!("a data array `{name}`")))
    }

    fn child(&self, parent: Node<'a, 'a>, tag: &'static str) -> Parsed<Node<'a, 'a>> {
        let found = parent.children().find(|node| node.has_tag_name(tag));
        found.ok_or_else(|| self.missing(parent, format!("`<{tag}>`")))
    }

    fn missing(&self, parent: Node<'a, 'a>, expected: String) -> Failure {
        let found = format!("`<{}>` without it", parent.tag_name().name());
        self.failure(parent, Fault::Unexpected { expected: expected.into(), found })
    }

    fn failure(&self, node: Node<'a, 'a>, fault: Fault) -> Failure {
        Failure { place: place(self.document, node), fault }
    }
}

fn place(document: &Document<'_>, node: Node<'_, '_>) -> Place {
    Place::Line(document.text_pos_at(node.range().start).row as usize)
}

//! Legacy VTK: text and big-endian binary, unstructured grids and polygons.
//!
//! Versions up to 4.2 write each cell with its length; from 5.0 on there are offsets and connectivity.
//! Format: "VTK File Formats", legacy part. Integer cell arrays become groups.

use super::MeshFile;
use super::cells::{Cells, Vertices};
use super::error::{Failure, Parsed};
use super::number::{Endian, Scalar};
use super::scanner::{Scanner, shown};
use super::shape::{self, Shape};

pub(super) fn parse(bytes: &[u8]) -> Parsed<MeshFile> {
    let mut scanner = Scanner::new(bytes);
    let has_offsets = header(&mut scanner)?;
    let mut reader = Reader {
        scanner,
        has_offsets,
        file: MeshFile::default(),
        cells: Cells::default(),
        pending: None,
        attributes: Attributes::None,
        arrays: Vec::new(),
    };
    while let Some(keyword) = reader.scanner.token() {
        reader.section(&keyword.to_ascii_uppercase())?;
    }
    reader.finish()
}

/// Reads the first lines; true when cells come as offsets and connectivity.
fn header(scanner: &mut Scanner<'_>) -> Parsed<bool> {
    const MAGIC: &[u8] = b"# vtk DataFile Version ";
    let line = scanner.line().unwrap_or_default();
    let Some(version) = line.strip_prefix(MAGIC) else {
        return Err(scanner.unexpected(line, "`# vtk DataFile Version`"));
    };
    let major = match version.trim_ascii() {
        [major @ b'1'..=b'5', b'.', ..] => major - b'0',
        other => {
            let what = format!("version {} of the format", shown(other));
            let help = "save as version 5.1 or 4.2";
            return Err(Failure::unsupported(scanner.place_at(0), what, help));
        }
    };
    scanner.line(); // the title
    let flavour = scanner.word("`ASCII` or `BINARY`")?;
    match flavour.to_ascii_uppercase().as_slice() {
        b"ASCII" => {}
        b"BINARY" => scanner.binary = true,
        _ => return Err(scanner.unexpected(flavour, "`ASCII` or `BINARY`")),
    }
    Ok(major >= 5)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Attributes {
    None,
    Points,
    Cells,
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    has_offsets: bool,
    file: MeshFile,
    cells: Cells,
    /// Ids and ends of cells that wait for their types.
    pending: Option<(Vec<i64>, Vec<i64>)>,
    attributes: Attributes,
    /// Integer cell arrays, one value a cell.
    arrays: Vec<(String, Vec<i64>)>,
}

impl Reader<'_> {
    fn section(&mut self, keyword: &[u8]) -> Parsed<()> {
        match keyword {
            b"DATASET" => {
                let kind = self.scanner.word("a kind of dataset")?;
                if !matches!(
                    kind.to_ascii_uppercase().as_slice(),
                    b"UNSTRUCTURED_GRID" | b"POLYDATA"
                ) {
                    let what = format!("a dataset of kind {}", shown(kind));
                    let help = "save as UNSTRUCTURED_GRID or POLYDATA";
                    return Err(Failure::unsupported(self.scanner.place(), what, help));
                }
            }
            b"POINTS" => self.points()?,
            b"CELLS" => self.pending = Some(self.connectivity()?),
            b"CELL_TYPES" => self.cell_types()?,
            b"VERTICES" => self.polygons(Shape::Skipped { kind: "points", solid: false })?,
            b"LINES" => self.polygons(Shape::Skipped { kind: "lines", solid: false })?,
            b"POLYGONS" => self.polygons(Shape::Polygon)?,
            b"TRIANGLE_STRIPS" => self.polygons(Shape::Strip)?,
            b"POINT_DATA" | b"CELL_DATA" => {
                self.scanner.integer("a count")?;
                let cells = keyword == b"CELL_DATA";
                self.attributes = if cells { Attributes::Cells } else { Attributes::Points };
            }
            b"METADATA" => {
                self.scanner.line();
                while self.scanner.line().is_some_and(|line| !line.trim_ascii().is_empty()) {}
            }
            _ => self.attribute(keyword)?,
        }
        Ok(())
    }

    fn points(&mut self) -> Parsed<()> {
        let count = self.scanner.count("points", 6)?;
        let scalar = self.scalar()?;
        let start = self.data_start();
        let coordinates = self.floats(3 * count, scalar)?;
        self.file.vertices.reserve(count);
        for (index, x) in coordinates.chunks_exact(3).enumerate() {
            let vertex =
                self.scanner.vertex([x[0], x[1], x[2]], index).map_err(|mut failure| {
                    if self.scanner.binary {
                        let byte = start + 3 * index * scalar.width();
                        failure.place = self.scanner.place_at(byte);
                    } else {
                        let mut again = self.scanner.clone_at(start);
                        for _ in 0..=3 * index {
                            again.token();
                        }
                        failure.place = again.place();
                    }
                    failure
                })?;
            self.file.vertices.push(vertex);
        }
        Ok(())
    }

    /// Ids of all cells, and where each cell ends among them.
    fn connectivity(&mut self) -> Parsed<(Vec<i64>, Vec<i64>)> {
        let first = self.scanner.count("cells", 1)?;
        let second = self.scanner.count("ids", 1)?;
        if self.has_offsets {
            self.keyword(b"OFFSETS", "`OFFSETS`")?;
            let scalar = self.scalar()?;
            let offsets = self.integers(first, scalar)?;
            self.keyword(b"CONNECTIVITY", "`CONNECTIVITY`")?;
            let scalar = self.scalar()?;
            let ids = self.integers(second, scalar)?;
            return Ok((ids, offsets.get(1..).unwrap_or_default().to_vec()));
        }
        let raw = self.integers(second, Scalar::I32)?;
        let (mut ids, mut ends) = (Vec::with_capacity(raw.len()), Vec::new());
        let mut rest = raw.as_slice();
        while let [length, behind @ ..] = rest {
            let cell = usize::try_from(*length).ok().and_then(|n| behind.get(..n));
            let Some(cell) = cell else {
                let what = format!("cell {} has {length} ids, more than follow", ends.len());
                return Err(Failure::contradiction(self.scanner.place(), what));
            };
            ids.extend_from_slice(cell);
            ends.push(ids.len() as i64);
            rest = &behind[cell.len()..];
        }
        if ends.len() != first {
            let what = format!("{first} cells are announced, but there are {}", ends.len());
            return Err(Failure::contradiction(self.scanner.place(), what));
        }
        Ok((ids, ends))
    }

    fn cell_types(&mut self) -> Parsed<()> {
        let count = self.scanner.count("cell types", 2)?;
        let types = self.integers(count, Scalar::I32)?;
        let (ids, ends) = self.pending.take().unwrap_or_default();
        if ends.len() != count {
            let what = format!("{} cells, but {count} cell types", ends.len());
            return Err(Failure::contradiction(self.scanner.place(), what));
        }
        self.add_cells(&ids, &ends, types.iter().map(|&code| shape::of_vtk(code)))
    }

    fn polygons(&mut self, shape: Shape) -> Parsed<()> {
        let (ids, ends) = self.connectivity()?;
        self.add_cells(&ids, &ends, std::iter::repeat(shape))
    }

    fn add_cells(
        &mut self,
        ids: &[i64],
        ends: &[i64],
        shapes: impl Iterator<Item = Shape>,
    ) -> Parsed<()> {
        let vertices = Vertices { first: 0, count: self.file.vertices.len() };
        let added = self.cells.add_all(&mut self.file, ids, ends, shapes, vertices);
        added.map_err(|fault| self.scanner.failure(fault))
    }

    fn attribute(&mut self, keyword: &[u8]) -> Parsed<()> {
        match keyword {
            b"FIELD" => {
                self.scanner.word("the name of a field")?;
                let count = self.scanner.count("arrays", 8)?;
                for _ in 0..count {
                    self.field_array()?;
                }
            }
            b"SCALARS" => {
                let name = self.scanner.word("the name of an array")?;
                let scalar = self.scalar()?;
                let components = match self.scanner.token_in_line() {
                    None => 1,
                    Some(token) => super::scanner::parse_integer(token)
                        .ok_or_else(|| self.scanner.unexpected(token, "a count of components"))?,
                };
                if self.scanner.peek() == Some(b"LOOKUP_TABLE") {
                    self.scanner.token();
                    self.scanner.word("the name of a table")?;
                }
                self.array(name, components, None, scalar)?;
            }
            b"VECTORS" | b"NORMALS" => self.fixed_array(3)?,
            b"TENSORS" => self.fixed_array(9)?,
            b"TENSORS6" => self.fixed_array(6)?,
            b"GLOBAL_IDS" | b"PEDIGREE_IDS" => self.fixed_array(1)?,
            b"TEXTURE_COORDINATES" => {
                let name = self.scanner.word("the name of an array")?;
                let components = self.scanner.integer("a count of components")?;
                let scalar = self.scalar()?;
                self.array(name, components, None, scalar)?;
            }
            b"COLOR_SCALARS" => {
                let name = self.scanner.word("the name of an array")?;
                let components = self.scanner.integer("a count of components")?;
                // Bytes in binary files, fractions in text.
                let scalar = if self.scanner.binary { Scalar::U8 } else { Scalar::F32 };
                self.array(name, components, None, scalar)?;
            }
            b"LOOKUP_TABLE" => {
                self.scanner.word("the name of a table")?;
                let size = self.scanner.integer("the size of a table")?;
                let scalar = if self.scanner.binary { Scalar::U8 } else { Scalar::F32 };
                self.array(b"", 4, Some(size), scalar)?;
            }
            other => return Err(self.scanner.unexpected(other, "a section such as `POINTS`")),
        }
        Ok(())
    }

    fn fixed_array(&mut self, components: i64) -> Parsed<()> {
        let name = self.scanner.word("the name of an array")?;
        let scalar = self.scalar()?;
        self.array(name, components, None, scalar)
    }

    fn field_array(&mut self) -> Parsed<()> {
        let mut name = self.scanner.word("the name of an array")?;
        if name == b"METADATA" {
            // Describes the array before this one.
            self.section(b"METADATA")?;
            name = self.scanner.word("the name of an array")?;
        }
        let components = self.scanner.integer("a count of components")?;
        let count = self.scanner.integer("a count of tuples")?;
        let scalar = self.scalar()?;
        self.array(name, components, Some(count), scalar)
    }

    /// An array with `count` rows, by default as many as there are points or cells.
    fn array(
        &mut self,
        name: &[u8],
        components: i64,
        count: Option<i64>,
        scalar: Scalar,
    ) -> Parsed<()> {
        let of_cells = self.attributes == Attributes::Cells;
        let default = if of_cells { self.cells.len() } else { self.file.vertices.len() };
        let rows = count.unwrap_or(default as i64);
        let total = rows.checked_mul(components).unwrap_or(i64::MAX);
        let width = if self.scanner.binary { scalar.width() } else { 2 };
        let total = self.scanner.checked_count(total, "values", width)?;
        if of_cells && components == 1 && scalar.is_integer() && rows == self.cells.len() as i64 {
            let values = self.integers(total, scalar)?;
            self.arrays.push((String::from_utf8_lossy(name).into_owned(), values));
        } else {
            self.floats(total, scalar)?;
        }
        Ok(())
    }

    fn keyword(&mut self, keyword: &[u8], expected: &'static str) -> Parsed<()> {
        let found = self.scanner.word(expected)?;
        let matches = found.eq_ignore_ascii_case(keyword);
        if matches { Ok(()) } else { Err(self.scanner.unexpected(found, expected)) }
    }

    fn scalar(&mut self) -> Parsed<Scalar> {
        let name = self.scanner.word("a type of numbers")?;
        Scalar::of_vtk(name)
            .ok_or_else(|| self.scanner.unexpected(name, "a type such as `float` or `int`"))
    }

    /// Where the numbers begin: in binary files, right behind the line.
    fn data_start(&self) -> usize {
        let mut ahead = self.scanner.clone();
        if ahead.binary {
            ahead.line();
        }
        ahead.position()
    }

    fn floats(&mut self, count: usize, scalar: Scalar) -> Parsed<Vec<f64>> {
        if self.scanner.binary {
            return Ok(scalar.floats(Endian::Big, self.block(count, scalar)?));
        }
        self.scanner.checked_count(count as i64, "values", 2)?;
        (0..count).map(|_| self.scanner.float("a number")).collect()
    }

    fn integers(&mut self, count: usize, scalar: Scalar) -> Parsed<Vec<i64>> {
        if self.scanner.binary {
            return Ok(scalar.integers(Endian::Big, self.block(count, scalar)?));
        }
        self.scanner.checked_count(count as i64, "values", 2)?;
        (0..count).map(|_| self.scanner.integer("an integer")).collect()
    }

    fn block(&mut self, count: usize, scalar: Scalar) -> Parsed<&[u8]> {
        self.scanner.line();
        self.scanner.checked_count(count as i64, "values", scalar.width())?;
        self.scanner.take(count * scalar.width(), "numbers")
    }

    fn finish(mut self) -> Parsed<MeshFile> {
        if self.pending.is_some() {
            return Err(self.scanner.truncated("`CELL_TYPES`"));
        }
        if self.file.vertices.is_empty() {
            return Err(self.scanner.truncated("`POINTS`"));
        }
        for (name, values) in &self.arrays {
            if values.len() == self.cells.len() {
                self.cells.group_by(name, values, 0);
            }
        }
        self.cells.finish(&mut self.file);
        Ok(self.file)
    }
}

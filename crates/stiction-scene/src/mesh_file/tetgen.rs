//! TetGen's `.node` and `.ele`: vertices and tets in two text files (TetGen manual, section 5.2).
//!
//! Ids count from 0 or from 1, as the first vertex does. Boundary markers become groups of vertices,
//! regions groups of tets; marker 0 is none.

use super::MeshFile;
use super::error::{Failure, Fault, Parsed};
use super::groups::Groups;
use super::scanner::{Scanner, parse_float, parse_integer};
use super::shape::Shape;

/// Reads a `.node` file; also gives the id of its first vertex, 0 or 1.
pub(super) fn parse_nodes(bytes: &[u8]) -> Parsed<(MeshFile, i64)> {
    let mut rows = Rows { scanner: Scanner::new(bytes) };
    rows.next("a line `vertices 3 attributes markers`")?;
    let count = rows.integer("a count of vertices")?;
    let count = rows.scanner.checked_count(count, "vertices", 8)?;
    let dimension = rows.integer("the dimension 3")?;
    if dimension != 3 {
        let what = format!("vertices in {dimension} dimensions");
        return Err(Failure::unsupported(rows.scanner.place(), what, "give three coordinates"));
    }
    let attribute_count = rows.optional("a count of attributes")?.unwrap_or(0);
    let has_markers = rows.optional("0 or 1 for markers")?.unwrap_or(0) != 0;

    let mut file = MeshFile::default();
    file.vertices.reserve(count);
    let mut groups = Groups::default();
    let mut first_id = 0;
    for index in 0..count {
        rows.next("a vertex")?;
        let id = rows.integer("the id of a vertex")?;
        if index == 0 && (id == 0 || id == 1) {
            first_id = id;
        }
        rows.expect_id(id, first_id + index as i64)?;
        let mut x = [0.0; 3];
        for x in &mut x {
            *x = rows.float("a coordinate")?;
        }
        file.vertices.push(rows.scanner.vertex(x, index)?);
        for _ in 0..attribute_count {
            rows.float("an attribute")?;
        }
        if has_markers {
            let marker = rows.integer("a boundary marker")?;
            if marker != 0 {
                groups.add(&format!("marker={marker}"), [index as u32]);
            }
        }
    }
    file.vertex_groups = groups.finish();
    Ok((file, first_id))
}

/// Reads an `.ele` file into `file`, which has the vertices.
pub(super) fn parse_elements(bytes: &[u8], first_id: i64, file: &mut MeshFile) -> Parsed<()> {
    let mut rows = Rows { scanner: Scanner::new(bytes) };
    rows.next("a line `tets 4 attributes`")?;
    let count = rows.integer("a count of tets")?;
    let count = rows.scanner.checked_count(count, "tets", 10)?;
    let corner_count = rows.integer("4 corners a tet")?;
    if corner_count != 4 {
        let what = format!("tets with {corner_count} nodes");
        let help = "run TetGen without `-o2`: only first-order tets are read";
        return Err(Failure::unsupported(rows.scanner.place(), what, help));
    }
    let attribute_count = rows.optional("a count of attributes")?.unwrap_or(0);

    let vertex_count = file.vertices.len();
    let mut groups = Groups::default();
    for index in 0..count {
        rows.next("a tet")?;
        let id = rows.integer("the id of a tet")?;
        rows.expect_id(id, first_id + index as i64)?;
        let mut corners = [0; 4];
        for corner in &mut corners {
            let id = rows.integer("a corner of a tet")?;
            let vertex = id - first_id;
            if vertex < 0 || vertex >= vertex_count as i64 {
                let fault = Fault::OutOfRange { element: "a tet", id, vertex_count };
                return Err(rows.scanner.failure_before(fault));
            }
            *corner = vertex as u32;
        }
        let added = file.add(Shape::Tet, &corners);
        added.map_err(|fault| rows.scanner.failure_before(fault))?;
        for k in 0..attribute_count {
            let region = rows.float("an attribute")?;
            if k == 0 {
                groups.add(&format!("region={region}"), [index as u32]);
            }
        }
    }
    file.tet_groups = groups.finish();
    Ok(())
}

/// Lines of numbers; `#` begins a comment.
struct Rows<'a> {
    scanner: Scanner<'a>,
}

impl<'a> Rows<'a> {
    /// Moves to the next line that is not empty, and not over the one the cursor stands before.
    fn next(&mut self, expected: &'static str) -> Parsed<()> {
        if self.scanner.position() > 0 {
            self.scanner.line();
        }
        while !self.scanner.remaining().is_empty() {
            match self.scanner.clone().token_in_line() {
                Some(token) if !token.starts_with(b"#") => return Ok(()),
                _ => self.scanner.line(),
            };
        }
        Err(self.scanner.truncated(expected))
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        self.scanner.token_in_line().filter(|token| !token.starts_with(b"#"))
    }

    fn required(&mut self, expected: &'static str) -> Parsed<&'a [u8]> {
        self.value().ok_or_else(|| self.scanner.unexpected(b"end of line", expected))
    }

    fn integer(&mut self, expected: &'static str) -> Parsed<i64> {
        let token = self.required(expected)?;
        parse_integer(token).ok_or_else(|| self.scanner.unexpected(token, expected))
    }

    fn optional(&mut self, expected: &'static str) -> Parsed<Option<i64>> {
        let Some(token) = self.value() else { return Ok(None) };
        let value = parse_integer(token);
        value.map(Some).ok_or_else(|| self.scanner.unexpected(token, expected))
    }

    fn float(&mut self, expected: &'static str) -> Parsed<f64> {
        let token = self.required(expected)?;
        parse_float(token).ok_or_else(|| self.scanner.unexpected(token, expected))
    }

    fn expect_id(&self, id: i64, expected: i64) -> Parsed<()> {
        if id == expected {
            return Ok(());
        }
        let found = id.to_string();
        Err(self
            .scanner
            .unexpected(found.as_bytes(), format!("id {expected}, in order from 0 or 1")))
    }
}

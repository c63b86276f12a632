//! Wavefront OBJ: positions and faces; objects and groups become groups of triangles.
//!
//! Texture coordinates, normals, materials and everything else are passed over.

use super::MeshFile;
use super::error::{Failure, Fault, Parsed};
use super::groups::Groups;
use super::scanner::{Scanner, parse_float, parse_integer};
use super::shape::Shape;

/// More names than this in one `g` are a broken file, and would cost memory for each of its faces.
const MOST_GROUPS: usize = 256;

pub(super) fn parse(bytes: &[u8]) -> Parsed<MeshFile> {
    let mut reader = Reader {
        scanner: Scanner::new(bytes),
        object: None,
        group_names: Vec::new(),
        groups: Groups::default(),
        greatest: None,
        file: MeshFile::default(),
    };
    let mut corners = Vec::new();
    loop {
        match reader.scanner.token_in_line() {
            Some(b"v") => reader.position()?,
            Some(b"f") => reader.face(&mut corners)?,
            Some(b"o") => {
                let name = reader.scanner.line().unwrap_or_default().trim_ascii();
                reader.object = (!name.is_empty()).then(|| text(name));
                continue;
            }
            Some(b"g") => reader.group()?,
            _ => {}
        }
        if reader.scanner.line().is_none() {
            break;
        }
    }
    reader.finish()
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    object: Option<String>,
    group_names: Vec<String>,
    groups: Groups,
    /// The greatest vertex named so far, and where: faces may come before their vertices.
    greatest: Option<(u32, usize)>,
    file: MeshFile,
}

impl Reader<'_> {
    fn position(&mut self) -> Parsed<()> {
        let mut x = [0.0; 3];
        for x in &mut x {
            let expected = "three coordinates";
            let token = self.scanner.token_in_line();
            let token = token.ok_or_else(|| self.scanner.unexpected(b"end of line", expected))?;
            *x = parse_float(token).ok_or_else(|| self.scanner.unexpected(token, expected))?;
        }
        let vertex = self.scanner.vertex(x, self.file.vertices.len())?;
        self.file.vertices.push(vertex);
        Ok(())
    }

    fn face(&mut self, corners: &mut Vec<u32>) -> Parsed<()> {
        corners.clear();
        while let Some(token) = self.scanner.token_in_line() {
            if token.starts_with(b"#") {
                break;
            }
            corners.push(self.corner(token)?);
        }
        if corners.len() < 3 {
            let found = format!("corners: {}", corners.len());
            return Err(self
                .scanner
                .unexpected(found.as_bytes(), "a face with three corners or more"));
        }
        let start = self.file.triangles.len() as u32;
        let added = self.file.add(Shape::Polygon, corners);
        added.map_err(|fault| self.scanner.failure_before(fault))?;
        let added = start..self.file.triangles.len() as u32;
        for name in self.object.iter().chain(&self.group_names) {
            self.groups.add(name, added.clone());
        }
        Ok(())
    }

    /// `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative ids count back from the last vertex.
    fn corner(&mut self, token: &[u8]) -> Parsed<u32> {
        let digits = token.split(|&b| b == b'/').next().unwrap_or_default();
        let id = parse_integer(digits)
            .ok_or_else(|| self.scanner.unexpected(token, "a corner such as `7` or `7/2/5`"))?;
        let vertex_count = self.file.vertices.len();
        let from_zero = if id < 0 { vertex_count as i64 + id } else { id - 1 };
        let vertex = u32::try_from(from_zero).map_err(|_| {
            self.scanner.failure_before(Fault::OutOfRange { element: "a face", id, vertex_count })
        })?;
        if self.greatest.is_none_or(|(greatest, _)| vertex > greatest) {
            self.greatest = Some((vertex, self.scanner.position()));
        }
        Ok(vertex)
    }

    fn group(&mut self) -> Parsed<()> {
        self.group_names.clear();
        while let Some(name) = self.scanner.token_in_line() {
            self.group_names.push(text(name));
        }
        self.group_names.sort_unstable();
        self.group_names.dedup();
        if self.group_names.len() > MOST_GROUPS {
            let what = format!("a line with {} groups", self.group_names.len());
            return Err(Failure::unsupported(self.scanner.place(), what, "name fewer groups"));
        }
        Ok(())
    }

    fn finish(self) -> Parsed<MeshFile> {
        let vertex_count = self.file.vertices.len();
        if vertex_count == 0 {
            return Err(self.scanner.truncated("vertices (lines that begin with `v`)"));
        }
        if let Some((vertex, position)) = self.greatest
            && vertex as usize >= vertex_count
        {
            let id = i64::from(vertex) + 1;
            let fault = Fault::OutOfRange { element: "a face", id, vertex_count };
            return Err(Failure { place: self.scanner.place_at(position), fault });
        }
        Ok(MeshFile { triangle_groups: self.groups.finish(), ..self.file })
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

//! Gmsh `.msh`, versions 2.2 and 4.1, as text or binary of either byte order.
//!
//! Both versions and both flavours are read by the same code: [`Words`] hands out the integers, sizes and
//! doubles of a section, whatever they are written like. Format: Gmsh reference manual, "MSH file format".
//!
//! Physical groups become named groups: volumes of tets, surfaces of triangles, curves and points of vertices.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::MeshFile;
use super::error::{Failure, Fault, Parsed};
use super::groups::Groups;
use super::node_ids::NodeIds;
use super::number::{Endian, Scalar};
use super::scanner::Scanner;
use super::shape::{self, Shape};

const OTHER_VERSION: &str = "export from Gmsh as version 4.1 or 2.2 (`gmsh -format msh41`)";

/// What our writer calls elements without a group; they have none when they are read again.
pub(super) const UNGROUPED: &str = "(ungrouped)";

/// More groups than this on one entity are a broken file, and would cost memory for each of its elements.
const MOST_PHYSICALS: usize = 256;

pub(super) fn parse(bytes: &[u8]) -> Parsed<MeshFile> {
    let mut scanner = Scanner::new(bytes);
    let (version, flavour) = header(&mut scanner)?;
    let mut reader = Reader {
        words: Words { scanner, flavour },
        version,
        names: BTreeMap::new(),
        entities: BTreeMap::new(),
        nodes: NodeIds::default(),
        groups: BTreeMap::new(),
        file: MeshFile::default(),
    };
    while reader.section()? {}
    Ok(reader.finish())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    V22,
    V41,
}

fn header(scanner: &mut Scanner<'_>) -> Parsed<(Version, Option<Endian>)> {
    let magic = scanner.word("`$MeshFormat`")?;
    if magic != b"$MeshFormat" {
        return Err(scanner.unexpected(magic, "`$MeshFormat`"));
    }
    let version = match scanner.word("a version")? {
        b"2.2" | b"2.1" | b"2" | b"2.0" => Version::V22,
        b"4.1" => Version::V41,
        other => {
            let what = format!("version {} of the format", super::scanner::shown(other));
            return Err(Failure::unsupported(scanner.place(), what, OTHER_VERSION));
        }
    };
    let file_type = scanner.word("0 for text or 1 for binary")?;
    let data_size = scanner.word("the size of numbers")?;
    if data_size != b"8" {
        return Err(scanner.unexpected(data_size, "numbers of 8 bytes"));
    }
    let flavour = match file_type {
        b"0" => None,
        b"1" => {
            scanner.line(); // the end of this one
            scanner.binary = true;
            match scanner.array("the number 1 in binary")? {
                [1, 0, 0, 0] => Some(Endian::Little),
                [0, 0, 0, 1] => Some(Endian::Big),
                other => {
                    let found = format!("the bytes {other:?}");
                    let expected = "the number 1 in either byte order".into();
                    return Err(scanner.failure_before(Fault::Unexpected { expected, found }));
                }
            }
        }
        other => return Err(scanner.unexpected(other, "0 for text or 1 for binary")),
    };
    let end = scanner.word("`$EndMeshFormat`")?;
    if end != b"$EndMeshFormat" {
        return Err(scanner.unexpected(end, "`$EndMeshFormat`"));
    }
    Ok((version, flavour))
}

/// A physical group: dimension and number.
type Physical = (usize, i64);

struct Reader<'a> {
    words: Words<'a>,
    version: Version,
    names: BTreeMap<Physical, String>,
    /// Physical numbers of each entity, by dimension and tag (version 4.1).
    entities: BTreeMap<(usize, i64), Rc<[i64]>>,
    nodes: NodeIds,
    /// Elements, or vertices in dimensions 0 and 1, of each physical group.
    groups: BTreeMap<Physical, Vec<u32>>,
    file: MeshFile,
}

impl Reader<'_> {
    /// Reads the next section; false at the end of the file.
    fn section(&mut self) -> Parsed<bool> {
        let Some(name) = self.words.scanner.token() else { return Ok(false) };
        let Some(bare) = name.strip_prefix(b"$") else {
            return Err(self.words.scanner.unexpected(name, "a section, for example `$Nodes`"));
        };
        if matches!(bare, b"Nodes" | b"Elements" | b"Entities") && self.words.flavour.is_some() {
            self.words.scanner.line(); // binary numbers begin right behind the line
        }
        match (bare, self.version) {
            (b"PhysicalNames", _) => self.physical_names()?,
            (b"Entities", Version::V41) => self.entities()?,
            (b"Nodes", Version::V22) => self.nodes_22()?,
            (b"Nodes", Version::V41) => self.nodes_41()?,
            (b"Elements", Version::V22) => self.elements_22()?,
            (b"Elements", Version::V41) => self.elements_41()?,
            _ => {
                let end = [b"$End", bare].concat();
                if !self.words.scanner.skip_past(&end) {
                    let expected = format!("`{}`", String::from_utf8_lossy(&end));
                    return Err(self.words.scanner.truncated(expected));
                }
                return Ok(true);
            }
        }
        let end = self.words.scanner.word("the end of the section")?;
        if end.strip_prefix(b"$End") != Some(bare) {
            let expected = format!("`$End{}`", String::from_utf8_lossy(bare));
            return Err(self.words.scanner.unexpected(end, expected));
        }
        Ok(true)
    }

    fn physical_names(&mut self) -> Parsed<()> {
        let scanner = &mut self.words.scanner;
        let count = scanner.count("physical names", 6)?;
        for _ in 0..count {
            let dimension = scanner.integer("the dimension of a physical group")?;
            let tag = scanner.integer("the number of a physical group")?;
            let line = scanner.line().unwrap_or_default().trim_ascii();
            let name = line.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
            let Some(name) = name else {
                return Err(scanner.unexpected(line, "a name in quotes"));
            };
            let name = String::from_utf8_lossy(name).into_owned();
            self.names.insert((dimension.unsigned_abs() as usize, tag), name);
        }
        Ok(())
    }

    fn entities(&mut self) -> Parsed<()> {
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = self.words.count("entities", 8)?;
        }
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let tag = self.words.int("the tag of an entity")?;
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    self.words.double("the bounds of an entity")?;
                }
                let physical_count = self.words.count("physical groups", 2)?;
                if physical_count > MOST_PHYSICALS {
                    let what = format!("an entity in {physical_count} physical groups");
                    let place = self.words.scanner.place();
                    return Err(Failure::unsupported(place, what, "name fewer groups"));
                }
                let mut physicals = Vec::with_capacity(physical_count);
                for _ in 0..physical_count {
                    physicals.push(self.words.int("a physical group")?.abs());
                }
                if !physicals.is_empty() {
                    self.entities.insert((dimension, tag), physicals.into());
                }
                if dimension > 0 {
                    for _ in 0..self.words.count("bounding entities", 2)? {
                        self.words.int("a bounding entity")?;
                    }
                }
            }
        }
        Ok(())
    }

    fn nodes_22(&mut self) -> Parsed<()> {
        let count = self.words.scanner.count("nodes", 8)?;
        self.words.after_text_count();
        self.file.vertices.reserve(count);
        let mut tags = Vec::with_capacity(count);
        for _ in 0..count {
            tags.push(self.words.int("the number of a node")?);
            self.position()?;
        }
        self.number_nodes(tags)
    }

    fn nodes_41(&mut self) -> Parsed<()> {
        let block_count = self.words.count("blocks of nodes", 8)?;
        let count = self.words.count("nodes", 8)?;
        self.words.size("the least node")?;
        self.words.size("the greatest node")?;
        self.file.vertices.reserve(count);
        let mut tags = Vec::with_capacity(count);
        for _ in 0..block_count {
            let dimension = self.words.int("the dimension of an entity")?;
            self.words.int("the tag of an entity")?;
            let parametric = self.words.int("0 or 1 for parametric nodes")? != 0;
            let block = self.words.count("nodes", 8)?;
            match self.words.flavour {
                Some(endian) if !parametric => self.binary_nodes(block, endian, &mut tags)?,
                _ => {
                    for _ in 0..block {
                        tags.push(self.words.size("the number of a node")?);
                    }
                    for _ in 0..block {
                        self.position()?;
                        for _ in 0..if parametric { dimension } else { 0 } {
                            self.words.double("a parametric coordinate")?;
                        }
                    }
                }
            }
        }
        self.number_nodes(tags)
    }

    /// A block of nodes, taken as a whole, which is faster than word by word.
    fn binary_nodes(&mut self, count: usize, endian: Endian, tags: &mut Vec<i64>) -> Parsed<()> {
        let bytes = self.words.scanner.take(8 * count, "the numbers of nodes")?;
        tags.extend(Scalar::I64.integers(endian, bytes));
        let begin = self.words.scanner.position();
        let bytes = self.words.scanner.take(24 * count, "coordinates")?;
        let coordinates = Scalar::F64.floats(endian, bytes);
        for (k, x) in coordinates.chunks_exact(3).enumerate() {
            let index = self.file.vertices.len();
            let behind = self.words.scanner.clone_at(begin + 24 * (k + 1));
            self.file.vertices.push(behind.vertex([x[0], x[1], x[2]], index)?);
        }
        Ok(())
    }

    fn position(&mut self) -> Parsed<()> {
        let mut x = [0.0; 3];
        for x in &mut x {
            *x = self.words.double("a coordinate")?;
        }
        let vertex = self.words.scanner.vertex(x, self.file.vertices.len())?;
        self.file.vertices.push(vertex);
        Ok(())
    }

    fn number_nodes(&mut self, tags: Vec<i64>) -> Parsed<()> {
        let place = self.words.scanner.place();
        self.nodes = NodeIds::new(tags)
            .map_err(|tag| Failure::contradiction(place, format!("node {tag} is there twice")))?;
        Ok(())
    }

    fn elements_22(&mut self) -> Parsed<()> {
        let count = self.words.scanner.count("elements", 6)?;
        self.words.after_text_count();
        let mut done = 0;
        while done < count {
            // In binary, elements of one type and tag count follow one header; in text, each has its own.
            let (kind, many, tag_count) = if self.words.flavour.is_some() {
                let kind = self.words.int("a type of elements")?;
                let many = self.words.int("a count of elements")?;
                let many = self.words.scanner.checked_count(many, "elements", 8)?;
                (kind, many, self.words.int("a count of tags")?)
            } else {
                self.words.int("the number of an element")?;
                let kind = self.words.int("a type of elements")?;
                (kind, 1, self.words.int("a count of tags")?)
            };
            if many == 0 {
                return Err(self.words.scanner.unexpected(b"0", "a count of elements above 0"));
            }
            let (dimension, corner_count, shape) = self.shape(kind)?;
            for _ in 0..many {
                if self.words.flavour.is_some() {
                    self.words.int("the number of an element")?;
                }
                let mut physical = 0;
                for k in 0..tag_count {
                    let tag = self.words.int("a tag")?;
                    physical = if k == 0 { tag.abs() } else { physical };
                }
                let mut corners = [0; 64];
                for corner in &mut corners[..corner_count] {
                    let tag = self.words.int("a node of an element")?;
                    *corner = self.node(tag, shape)?;
                }
                let known = if physical == 0 { &[][..] } else { &[physical][..] };
                let starts = self.starts();
                self.element(dimension, shape, &corners[..corner_count], known)?;
                self.group(dimension, starts, known);
            }
            done += many;
        }
        Ok(())
    }

    fn elements_41(&mut self) -> Parsed<()> {
        let block_count = self.words.count("blocks of elements", 8)?;
        let count = self.words.count("elements", 4)?;
        self.words.size("the least element")?;
        self.words.size("the greatest element")?;
        let mut done = 0;
        for _ in 0..block_count {
            let dimension = self.words.int("the dimension of an entity")?;
            let entity = self.words.int("the tag of an entity")?;
            let kind = self.words.int("a type of elements")?;
            let (dimension_of_kind, corner_count, shape) = self.shape(kind)?;
            let block = self.words.count("elements", 2 * (1 + corner_count))?;
            let key = (dimension.unsigned_abs() as usize, entity);
            let physicals = self.entities.get(&key).cloned().unwrap_or_else(|| Rc::from([]));
            if shape == Shape::Tet {
                self.file.tets.reserve(block);
            }
            let starts = self.starts();
            let mut corners = [0; 64];
            let corners = &mut corners[..corner_count];
            if let Some(endian) = self.words.flavour {
                // Taken as a whole, which is faster than word by word.
                let begin = self.words.scanner.position();
                let row = 8 * (1 + corner_count);
                let bytes = self.words.scanner.take(block * row, "elements")?;
                for (k, bytes) in bytes.chunks_exact(row).enumerate() {
                    for (corner, tag) in corners.iter_mut().zip(bytes[8..].chunks_exact(8)) {
                        let tag = Scalar::I64.integer(endian, tag);
                        *corner = self.node(tag, shape).map_err(|failure| Failure {
                            place: self.words.scanner.place_at(begin + k * row),
                            ..failure
                        })?;
                    }
                    match (shape, &*corners) {
                        (Shape::Tet, &[a, b, c, d]) => self.file.tets.push([a, b, c, d]),
                        _ => self.element(dimension_of_kind, shape, corners, &physicals)?,
                    }
                }
            } else {
                for _ in 0..block {
                    self.words.size("the number of an element")?;
                    for corner in corners.iter_mut() {
                        let tag = self.words.size("a node of an element")?;
                        *corner = self.node(tag, shape)?;
                    }
                    self.element(dimension_of_kind, shape, corners, &physicals)?;
                }
            }
            self.group(dimension_of_kind, starts, &physicals);
            done += block;
        }
        if done != count {
            let what = format!("{count} elements are announced, but the blocks have {done}");
            return Err(Failure::contradiction(self.words.scanner.place(), what));
        }
        Ok(())
    }

    fn shape(&self, kind: i64) -> Parsed<(usize, usize, Shape)> {
        shape::of_gmsh(kind).ok_or_else(|| {
            let what = format!("elements of type {kind}");
            Failure::unsupported(self.words.scanner.place(), what, "mesh with first-order tets")
        })
    }

    fn node(&self, tag: i64, shape: Shape) -> Parsed<u32> {
        self.nodes.get(tag).ok_or_else(|| {
            let element = if shape == Shape::Tet { "a tet" } else { "an element" };
            let vertex_count = self.file.vertices.len();
            let fault = Fault::OutOfRange { element, id: tag, vertex_count };
            self.words.scanner.failure_before(fault)
        })
    }

    /// Adds an element; on curves and points, its vertices to their groups.
    fn element(
        &mut self,
        dimension: usize,
        shape: Shape,
        corners: &[u32],
        physicals: &[i64],
    ) -> Parsed<()> {
        let scanner = &self.words.scanner;
        self.file.add(shape, corners).map_err(|fault| scanner.failure_before(fault))?;
        if dimension < 2 {
            for &physical in physicals {
                self.groups.entry((dimension, physical)).or_default().extend_from_slice(corners);
            }
        }
        Ok(())
    }

    /// Triangles and tets so far.
    fn starts(&self) -> [u32; 2] {
        [self.file.triangles.len() as u32, self.file.tets.len() as u32]
    }

    /// Puts the triangles or tets since `starts` into their groups.
    fn group(&mut self, dimension: usize, starts: [u32; 2], physicals: &[i64]) {
        let ends = self.starts();
        if dimension < 2 || ends == starts {
            return;
        }
        for &physical in physicals {
            let group = self.groups.entry((dimension, physical)).or_default();
            group.extend(starts[dimension - 2]..ends[dimension - 2]);
        }
    }

    fn finish(self) -> MeshFile {
        let mut groups = [Groups::default(), Groups::default(), Groups::default()];
        for ((dimension, tag), ids) in self.groups {
            let name = self.names.get(&(dimension, tag)).cloned();
            let name = name.unwrap_or_else(|| format!("physical={tag}"));
            if name == UNGROUPED {
                continue;
            }
            groups[dimension.saturating_sub(1).min(2)].add(&name, ids);
        }
        let [vertices, triangles, tets] = groups.map(Groups::finish);
        MeshFile {
            vertex_groups: vertices,
            triangle_groups: triangles,
            tet_groups: tets,
            ..self.file
        }
    }
}

/// Numbers of a section, as text or binary.
struct Words<'a> {
    scanner: Scanner<'a>,
    flavour: Option<Endian>,
}

impl Words<'_> {
    #[inline]
    fn int(&mut self, expected: &'static str) -> Parsed<i64> {
        Ok(match self.flavour {
            None => self.scanner.integer(expected)?,
            Some(Endian::Little) => i32::from_le_bytes(self.scanner.array(expected)?).into(),
            Some(Endian::Big) => i32::from_be_bytes(self.scanner.array(expected)?).into(),
        })
    }

    /// A `size_t` of version 4.1. Beyond `i64` it comes out negative, and no node or count is that.
    #[inline]
    fn size(&mut self, expected: &'static str) -> Parsed<i64> {
        Ok(match self.flavour {
            None => self.scanner.integer(expected)?,
            Some(Endian::Little) => i64::from_le_bytes(self.scanner.array(expected)?),
            Some(Endian::Big) => i64::from_be_bytes(self.scanner.array(expected)?),
        })
    }

    #[inline]
    fn double(&mut self, expected: &'static str) -> Parsed<f64> {
        Ok(match self.flavour {
            None => self.scanner.float(expected)?,
            Some(Endian::Little) => f64::from_le_bytes(self.scanner.array(expected)?),
            Some(Endian::Big) => f64::from_be_bytes(self.scanner.array(expected)?),
        })
    }

    /// A count, in the form of [`Self::size`], of things with at least `bytes_each` bytes of text.
    fn count(&mut self, what: &'static str, bytes_each: usize) -> Parsed<usize> {
        let count = self.size(what)?;
        self.scanner.checked_count(count, what, bytes_each)
    }

    /// Version 2.2 writes counts as text even in binary files: the numbers begin behind the line.
    fn after_text_count(&mut self) {
        if self.flavour.is_some() {
            self.scanner.line();
        }
    }
}

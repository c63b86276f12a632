//! STL, text and binary.
//!
//! The format repeats the corners of every triangle. Corners with exactly the same coordinates become one
//! vertex; close ones stay apart: see `Soup::welded`. Normals are dropped, the order of corners says the same.

use std::collections::HashMap;

use super::MeshFile;
use super::error::{Failure, Fault, Parsed};
use super::groups::Groups;
use super::scanner::Scanner;

const HEADER: usize = 80;
const TRIANGLE: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Parsed<MeshFile> {
    // Many binary files begin with `solid` too, so the size is asked first.
    match announced(bytes) {
        Some(count) if bytes.len() as u64 == size(count) => binary(bytes),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        _ => binary(bytes),
    }
}

fn announced(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(HEADER..HEADER + 4)?;
    Some(u32::from_le_bytes(count.try_into().expect("four bytes")))
}

fn size(count: u32) -> u64 {
    (HEADER + 4) as u64 + TRIANGLE as u64 * u64::from(count)
}

fn binary(bytes: &[u8]) -> Parsed<MeshFile> {
    let mut scanner = Scanner::new(bytes);
    scanner.binary = true;
    if bytes.is_empty() {
        return Err(scanner.truncated("`solid` or a header of 80 bytes"));
    }
    scanner.take(HEADER, "a header of 80 bytes")?;
    let count = u32::from_le_bytes(scanner.array("a count of triangles")?);
    let count = scanner.checked_count(i64::from(count), "triangles", TRIANGLE)?;
    let mut welder = Welder::default();
    let mut file = MeshFile::default();
    file.triangles.reserve(count);
    for _ in 0..count {
        let record = scanner.take(TRIANGLE, "a triangle")?;
        let coordinate =
            |k: usize| f32::from_le_bytes(record[4 * k..4 * k + 4].try_into().expect("four bytes"));
        let mut corners = [0; 3];
        for (k, corner) in corners.iter_mut().enumerate() {
            let x = [3, 4, 5].map(|i| f64::from(coordinate(3 * k + i))); // behind the normal
            *corner = welder.vertex(&scanner, &mut file, x)?;
        }
        file.triangles.push(corners);
    }
    Ok(file)
}

fn text(bytes: &[u8]) -> Parsed<MeshFile> {
    let mut scanner = Scanner::new(bytes);
    let mut welder = Welder::default();
    let mut file = MeshFile::default();
    let mut groups = Groups::default();
    while let Some(keyword) = scanner.token() {
        if !keyword.eq_ignore_ascii_case(b"solid") {
            return Err(scanner.unexpected(keyword, "`solid`"));
        }
        let name = String::from_utf8_lossy(scanner.line().unwrap_or_default().trim_ascii());
        let start = file.triangles.len() as u32;
        loop {
            let keyword = scanner.word("`facet` or `endsolid`")?;
            if keyword.eq_ignore_ascii_case(b"endsolid") {
                scanner.line(); // the name again
                break;
            }
            if !keyword.eq_ignore_ascii_case(b"facet") {
                return Err(scanner.unexpected(keyword, "`facet` or `endsolid`"));
            }
            let corners = facet(&mut scanner, &mut welder, &mut file)?;
            file.triangles.push(corners);
        }
        if !name.is_empty() {
            groups.add(&name, start..file.triangles.len() as u32);
        }
    }
    file.triangle_groups = groups.finish();
    Ok(file)
}

fn facet(scanner: &mut Scanner<'_>, welder: &mut Welder, file: &mut MeshFile) -> Parsed<[u32; 3]> {
    keyword(scanner, "normal")?;
    for _ in 0..3 {
        scanner.word("a normal")?; // some tools write `nan` here; nobody needs it
    }
    keyword(scanner, "outer")?;
    keyword(scanner, "loop")?;
    let mut corners = [0; 3];
    for corner in &mut corners {
        keyword(scanner, "vertex")?;
        let mut x = [0.0; 3];
        for x in &mut x {
            *x = scanner.float("a coordinate")?;
        }
        *corner = welder.vertex(scanner, file, x)?;
    }
    keyword(scanner, "endloop")?;
    keyword(scanner, "endfacet")?;
    Ok(corners)
}

fn keyword(scanner: &mut Scanner<'_>, expected: &'static str) -> Parsed<()> {
    let found = scanner.word(expected)?;
    if found.eq_ignore_ascii_case(expected.as_bytes()) {
        return Ok(());
    }
    Err(scanner.unexpected(found, format!("`{expected}`")))
}

/// Vertices by their exact coordinates. Only looked up in, never iterated: no order leaks out.
#[derive(Default)]
struct Welder {
    known: HashMap<[u64; 3], u32>,
}

impl Welder {
    fn vertex(&mut self, scanner: &Scanner<'_>, file: &mut MeshFile, x: [f64; 3]) -> Parsed<u32> {
        let x = x.map(|c| c + 0.0); // makes −0 and 0 the same
        let next = file.vertices.len();
        let vertex = scanner.vertex(x, next)?;
        let id = *self.known.entry(x.map(f64::to_bits)).or_insert(next as u32);
        if id as usize == next {
            if next >= u32::MAX as usize {
                let (count, remaining) = (next as i64, scanner.remaining().len());
                let fault = Fault::TooMany { what: "vertices", count, remaining };
                return Err(Failure::whole(fault));
            }
            file.vertices.push(vertex);
        }
        Ok(id)
    }
}

//! PLY, as text or binary of either byte order: surfaces, and point clouds with normals.
//!
//! The header declares elements and their properties in any order and type; what we do not know is passed
//! over by its declared size.

use stiction::math::Vector3;

use super::MeshFile;
use super::error::{Failure, Fault, Parsed};
use super::number::{Endian, Scalar};
use super::scanner::Scanner;
use super::shape::Shape;

pub(super) fn parse(bytes: &[u8]) -> Parsed<MeshFile> {
    let mut scanner = Scanner::new(bytes);
    let (flavour, elements) = header(&mut scanner)?;
    scanner.binary = flavour.is_some();
    let vertex_count = elements.iter().find(|e| e.name == b"vertex").map_or(0, |e| e.count);
    let mut values = Values { scanner, flavour };
    let mut file = MeshFile::default();
    for element in &elements {
        // A row of nothing but empty lists still takes a byte a list; a row of no properties takes none.
        let bytes_each = match flavour {
            Some(_) => element.properties.iter().map(Property::least_width).sum(),
            None => 2 * element.properties.len(),
        };
        if bytes_each == 0 {
            continue;
        }
        values.scanner.checked_count(element.count as i64, "elements", bytes_each)?;
        match element.name {
            b"vertex" => vertices(&mut values, element, &mut file)?,
            b"face" => faces(&mut values, element, vertex_count, &mut file)?,
            b"tristrips" => {
                let what = "triangle strips (`tristrips`)";
                let help = "export faces instead of strips";
                return Err(Failure::unsupported(values.scanner.place(), what, help));
            }
            _ => {
                for _ in 0..element.count {
                    for property in &element.properties {
                        values.pass_over(property)?;
                    }
                }
            }
        }
    }
    if file.vertices.len() != vertex_count {
        return Err(values.scanner.truncated("vertices with properties `x`, `y` and `z`"));
    }
    Ok(file)
}

struct Element<'a> {
    name: &'a [u8],
    count: usize,
    properties: Vec<Property<'a>>,
}

struct Property<'a> {
    name: &'a [u8],
    /// Type of the length, for lists.
    length: Option<Scalar>,
    scalar: Scalar,
}

impl Property<'_> {
    fn least_width(&self) -> usize {
        self.length.unwrap_or(self.scalar).width()
    }
}

fn header<'a>(scanner: &mut Scanner<'a>) -> Parsed<(Option<Endian>, Vec<Element<'a>>)> {
    let magic = scanner.word("`ply`")?;
    if magic != b"ply" {
        return Err(scanner.unexpected(magic, "`ply`"));
    }
    let mut flavour = None;
    let mut elements: Vec<Element<'a>> = Vec::new();
    loop {
        let keyword = scanner.word("`end_header`")?;
        match keyword {
            b"format" => {
                flavour = Some(match scanner.word("a format")? {
                    b"ascii" => None,
                    b"binary_little_endian" => Some(Endian::Little),
                    b"binary_big_endian" => Some(Endian::Big),
                    other => {
                        let expected = "`ascii`, `binary_little_endian` or `binary_big_endian`";
                        return Err(scanner.unexpected(other, expected));
                    }
                });
            }
            b"element" => {
                let name = scanner.word("the name of an element")?;
                let count = scanner.integer("a count of elements")?;
                let count = usize::try_from(count).ok().filter(|&n| n < u32::MAX as usize);
                let Some(count) = count else {
                    let what = format!(
                        "a count that ids cannot reach, for {}",
                        super::scanner::shown(name)
                    );
                    return Err(Failure::contradiction(scanner.place(), what));
                };
                elements.push(Element { name, count, properties: Vec::new() });
            }
            b"property" => {
                let property = property(scanner)?;
                match elements.last_mut() {
                    Some(element) => element.properties.push(property),
                    None => return Err(scanner.unexpected(keyword, "`element` before `property`")),
                }
            }
            b"end_header" => break,
            b"comment" | b"obj_info" => {}
            other => return Err(scanner.unexpected(other, "`element`, `property` or `end_header`")),
        }
        scanner.line();
    }
    scanner.line();
    let flavour =
        flavour.ok_or_else(|| scanner.unexpected(b"end_header", "a line with `format`"))?;
    Ok((flavour, elements))
}

fn property<'a>(scanner: &mut Scanner<'a>) -> Parsed<Property<'a>> {
    let mut word = scanner.word("the type of a property")?;
    let mut length = None;
    if word == b"list" {
        length = Some(scalar(scanner)?).filter(|s| s.is_integer());
        if length.is_none() {
            return Err(scanner.unexpected(word, "a list with an integer length"));
        }
        word = scanner.word("the type of a property")?;
    }
    let scalar = Scalar::of_ply(word)
        .ok_or_else(|| scanner.unexpected(word, "a type such as `float` or `uchar`"))?;
    Ok(Property { name: scanner.word("the name of a property")?, length, scalar })
}

fn scalar(scanner: &mut Scanner<'_>) -> Parsed<Scalar> {
    let word = scanner.word("the type of a length")?;
    Scalar::of_ply(word).ok_or_else(|| scanner.unexpected(word, "a type such as `uchar` or `int`"))
}

fn vertices(values: &mut Values<'_>, element: &Element<'_>, file: &mut MeshFile) -> Parsed<()> {
    let find =
        |name: &[u8]| element.properties.iter().position(|p| p.name == name && p.length.is_none());
    let slots = |names: [&[u8]; 3]| match names.map(find) {
        [Some(x), Some(y), Some(z)] => Some([x, y, z]),
        _ => None,
    };
    let Some(position) = slots([b"x", b"y", b"z"]) else {
        let what = "vertices without properties `x`, `y` and `z`";
        return Err(Failure::contradiction(values.scanner.place(), what.to_owned()));
    };
    let normal = slots([b"nx", b"ny", b"nz"]);
    let mut normals = Vec::new();
    file.vertices.reserve(element.count);
    let mut row = vec![0.0; element.properties.len()];
    for _ in 0..element.count {
        for (value, property) in row.iter_mut().zip(&element.properties) {
            match property.length {
                None => *value = values.float(property.scalar)?,
                Some(_) => values.pass_over(property)?,
            }
        }
        let vertex = values.scanner.vertex(position.map(|k| row[k]), file.vertices.len())?;
        file.vertices.push(vertex);
        if let Some(normal) = normal {
            normals.push(Vector3::from(normal.map(|k| row[k])));
        }
    }
    file.normals = normal.map(|_| normals);
    Ok(())
}

fn faces(
    values: &mut Values<'_>,
    element: &Element<'_>,
    vertex_count: usize,
    file: &mut MeshFile,
) -> Parsed<()> {
    let is_corners = |p: &Property<'_>| matches!(p.name, b"vertex_indices" | b"vertex_index");
    let mut corners = Vec::new();
    for _ in 0..element.count {
        for property in &element.properties {
            let Some(length) = property.length.filter(|_| is_corners(property)) else {
                values.pass_over(property)?;
                continue;
            };
            let count = values.length(length, property.scalar)?;
            corners.clear();
            for _ in 0..count {
                let id = values.integer(property.scalar)?;
                if id < 0 || id >= vertex_count as i64 {
                    let fault = Fault::OutOfRange { element: "a face", id, vertex_count };
                    return Err(values.scanner.failure_before(fault));
                }
                corners.push(id as u32);
            }
            let added = file.add(Shape::Polygon, &corners);
            added.map_err(|fault| values.scanner.failure_before(fault))?;
        }
    }
    Ok(())
}

/// Values of the declared types, as text or binary.
struct Values<'a> {
    scanner: Scanner<'a>,
    flavour: Option<Endian>,
}

impl Values<'_> {
    fn float(&mut self, scalar: Scalar) -> Parsed<f64> {
        let Some(endian) = self.flavour else { return self.scanner.float("a number") };
        Ok(scalar.float(endian, self.scanner.take(scalar.width(), "a number")?))
    }

    fn integer(&mut self, scalar: Scalar) -> Parsed<i64> {
        let Some(endian) = self.flavour else { return self.scanner.integer("an integer") };
        Ok(scalar.integer(endian, self.scanner.take(scalar.width(), "an integer")?))
    }

    /// The length of a list with items of this type.
    fn length(&mut self, length: Scalar, item: Scalar) -> Parsed<usize> {
        let count = self.integer(length)?;
        let bytes_each = if self.flavour.is_some() { item.width() } else { 2 };
        self.scanner.checked_count(count, "items of a list", bytes_each)
    }

    fn pass_over(&mut self, property: &Property<'_>) -> Parsed<()> {
        let count = match property.length {
            Some(length) => self.length(length, property.scalar)?,
            None => 1,
        };
        if self.flavour.is_some() {
            self.scanner.take(count * property.scalar.width(), "a property")?;
        } else {
            for _ in 0..count {
                self.scanner.word("a property")?;
            }
        }
        Ok(())
    }
}

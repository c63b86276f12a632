//! Picking vertices by place, name or number.
//!
//! Shapes are closed sets, grown by a billionth of the mesh's size: a plane laid through vertices catches
//! them, whatever the last digit says.

use std::fmt;

use super::{BoundingBox, Tags, TetMesh, TriMesh};
use crate::math::Vector3;
use crate::names::nearest;

/// Shapes are grown by this much, relative to the diagonal of the mesh's bounding box.
const SLACK: f64 = 1e-9;

/// A set of vertices, described.
#[derive(Clone, Debug, PartialEq)]
pub enum Selection {
    /// Every vertex.
    All,
    /// Vertices in an axis-aligned box.
    Box {
        /// Lowest coordinates [m].
        min: Vector3,
        /// Highest coordinates [m].
        max: Vector3,
    },
    /// Vertices in a ball.
    Sphere {
        /// Its centre [m].
        center: Vector3,
        /// Its radius [m].
        radius: f64,
    },
    /// Vertices on the side of a plane that its normal points to, the plane included.
    HalfSpace {
        /// A point of the plane [m].
        point: Vector3,
        /// Normal of the plane; any length above zero.
        normal: Vector3,
    },
    /// Vertices by number.
    Ids(Vec<u32>),
    /// A named group of vertices, or the corners of a named group of elements; both, if both exist.
    Tag(String),
    /// The surface of a solid, the rim of a surface.
    Boundary,
    /// Vertices in all of these.
    And(Vec<Selection>),
    /// Vertices in any of these.
    Or(Vec<Selection>),
    /// Vertices not in this.
    Not(Box<Selection>),
}

/// Why nothing could be selected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SelectionError {
    /// The description is fine but catches nothing.
    #[error("no vertex is in {selection}\n  help: {}", self.help())]
    Empty {
        /// The selection as text.
        selection: String,
        /// Where the mesh is.
        mesh: BoundingBox,
    },
    /// The mesh has no group of this name.
    #[error("no tag `{name}`\n  help: {}", self.help())]
    UnknownTag {
        /// The name asked for.
        name: String,
        /// The most similar known name.
        suggestion: Option<String>,
        /// All known names, ascending.
        known: Vec<String>,
    },
    /// The mesh has no vertex of this number.
    #[error("no vertex {id}\n  help: {}", self.help())]
    IdOutOfRange {
        /// The number asked for.
        id: u32,
        /// Vertices the mesh has.
        vertex_count: usize,
    },
    /// A shape with a NaN, a zero normal, a negative radius or crossed corners.
    #[error("{selection} is no shape\n  help: {}", self.help())]
    NoShape {
        /// The selection as text.
        selection: String,
        /// What to give instead.
        help: &'static str,
    },
}

impl SelectionError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Empty { mesh, .. } => {
                format!("the mesh spans {} to {}", point(&mesh.min), point(&mesh.max))
            }
            Self::UnknownTag { suggestion, known, .. } => tag_help(suggestion.as_deref(), known),
            Self::IdOutOfRange { vertex_count, .. } => {
                format!("the mesh has {vertex_count} vertices, counted from 0")
            }
            Self::NoShape { help, .. } => help.to_string(),
        }
    }
}

impl Selection {
    /// The same vertices after they have moved.
    pub(crate) fn move_by(&mut self, offset: Vector3) {
        match self {
            Self::Box { min, max } => [min, max].into_iter().for_each(|corner| *corner += offset),
            Self::Sphere { center: place, .. } | Self::HalfSpace { point: place, .. } => {
                *place += offset;
            }
            Self::And(parts) | Self::Or(parts) => {
                parts.iter_mut().for_each(|part| part.move_by(offset));
            }
            Self::Not(part) => part.move_by(offset),
            Self::All | Self::Ids(_) | Self::Tag(_) | Self::Boundary => {}
        }
    }
}

/// What a selection asks of a mesh.
pub trait Selectable {
    /// Positions [m].
    fn positions(&self) -> &[Vector3];
    /// Named groups of vertices.
    fn vertex_groups(&self) -> &Tags;
    /// Named groups of elements.
    fn element_groups(&self) -> &Tags;
    /// Corners of element `e`.
    fn element_corners(&self, e: u32) -> &[u32];
    /// The smallest box around the positions.
    fn extent(&self) -> BoundingBox;
    /// Vertices of the surface of a solid, or of the rim of a surface.
    fn boundary_vertices(&self) -> Vec<u32>;
}

impl Selection {
    /// The vertices, ascending.
    ///
    /// # Errors
    /// When there are none, or the description does not fit the mesh.
    pub fn vertices(&self, mesh: &impl Selectable) -> Result<Vec<u32>, SelectionError> {
        let inside = self.mask(mesh)?;
        let ids: Vec<u32> = (0..inside.len() as u32).filter(|&v| inside[v as usize]).collect();
        if ids.is_empty() {
            return Err(SelectionError::Empty { selection: self.to_string(), mesh: mesh.extent() });
        }
        Ok(ids)
    }

    /// In this and in `other`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::And(vec![self, other])
    }

    /// In this or in `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::Or(vec![self, other])
    }

    /// Not in this.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Which vertices are in; parts of a larger selection may be empty.
    fn mask(&self, mesh: &impl Selectable) -> Result<Vec<bool>, SelectionError> {
        let x = mesh.positions();
        let slack = SLACK * mesh.extent().diagonal();
        let by_place = |inside: &dyn Fn(&Vector3) -> bool| Ok(x.iter().map(inside).collect());
        let mut chosen = vec![false; x.len()];
        match self {
            Self::All => chosen.fill(true),
            Self::Box { min, max } => {
                let ordered = (0..3).all(|k| min[k] <= max[k]);
                self.require(
                    ordered,
                    "give corners without NaN, each coordinate of min at most that of max",
                )?;
                return by_place(&|x| {
                    (0..3).all(|k| min[k] - slack <= x[k] && x[k] <= max[k] + slack)
                });
            }
            Self::Sphere { center, radius } => {
                let sound = *radius >= 0.0 && center.iter().all(|c| c.is_finite());
                self.require(sound, "give a finite centre and a radius of zero or more")?;
                return by_place(&|x| (x - center).norm() <= radius + slack);
            }
            Self::HalfSpace { point, normal } => {
                let unit = normal.try_normalize(0.0).filter(|n| n.iter().all(|c| c.is_finite()));
                let sound = unit.is_some() && point.iter().all(|c| c.is_finite());
                self.require(sound, "give a finite point and a normal longer than zero")?;
                let unit = unit.unwrap_or_else(Vector3::zeros);
                return by_place(&|x| (x - point).dot(&unit) >= -slack);
            }
            Self::Ids(ids) => {
                for &id in ids {
                    let Some(chosen) = chosen.get_mut(id as usize) else {
                        return Err(SelectionError::IdOutOfRange { id, vertex_count: x.len() });
                    };
                    *chosen = true;
                }
            }
            Self::Tag(name) => {
                let (vertices, elements) =
                    (mesh.vertex_groups().get(name), mesh.element_groups().get(name));
                if vertices.is_none() && elements.is_none() {
                    return Err(unknown_tag(name, mesh));
                }
                let corners =
                    elements.unwrap_or_default().iter().flat_map(|&e| mesh.element_corners(e));
                for &v in vertices.unwrap_or_default().iter().chain(corners) {
                    chosen[v as usize] = true;
                }
            }
            Self::Boundary => {
                for v in mesh.boundary_vertices() {
                    chosen[v as usize] = true;
                }
            }
            Self::And(parts) => {
                chosen.fill(true);
                for part in parts {
                    chosen.iter_mut().zip(part.mask(mesh)?).for_each(|(c, other)| *c &= other);
                }
            }
            Self::Or(parts) => {
                for part in parts {
                    chosen.iter_mut().zip(part.mask(mesh)?).for_each(|(c, other)| *c |= other);
                }
            }
            Self::Not(part) => return Ok(part.mask(mesh)?.iter().map(|other| !other).collect()),
        }
        Ok(chosen)
    }

    fn require(&self, sound: bool, help: &'static str) -> Result<(), SelectionError> {
        if sound {
            Ok(())
        } else {
            Err(SelectionError::NoShape { selection: self.to_string(), help })
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut fmt::Formatter<'_>, parts: &[Self], word: &str| {
            let parts: Vec<String> = parts.iter().map(Self::to_string).collect();
            write!(f, "({})", parts.join(word))
        };
        match self {
            Self::All => f.write_str("all"),
            Self::Box { min, max } => write!(f, "box {} to {}", point(min), point(max)),
            Self::Sphere { center, radius } => {
                write!(f, "sphere of radius {radius} at {}", point(center))
            }
            Self::HalfSpace { point: p, normal } => {
                write!(f, "half-space at {} toward {}", point(p), point(normal))
            }
            Self::Ids(ids) => write!(f, "{} ids", ids.len()),
            Self::Tag(name) => write!(f, "tag `{name}`"),
            Self::Boundary => f.write_str("boundary"),
            Self::And(parts) => joined(f, parts, " and "),
            Self::Or(parts) => joined(f, parts, " or "),
            Self::Not(part) => write!(f, "not {part}"),
        }
    }
}

impl Selectable for TetMesh {
    fn positions(&self) -> &[Vector3] {
        self.vertices()
    }
    fn vertex_groups(&self) -> &Tags {
        self.vertex_tags()
    }
    fn element_groups(&self) -> &Tags {
        self.element_tags()
    }
    fn element_corners(&self, e: u32) -> &[u32] {
        &self.tets()[e as usize]
    }
    fn extent(&self) -> BoundingBox {
        self.bounding_box()
    }
    fn boundary_vertices(&self) -> Vec<u32> {
        self.boundary().vertices
    }
}

impl Selectable for TriMesh {
    fn positions(&self) -> &[Vector3] {
        self.vertices()
    }
    fn vertex_groups(&self) -> &Tags {
        self.vertex_tags()
    }
    fn element_groups(&self) -> &Tags {
        self.element_tags()
    }
    fn element_corners(&self, e: u32) -> &[u32] {
        &self.triangles()[e as usize]
    }
    fn extent(&self) -> BoundingBox {
        self.bounding_box()
    }
    fn boundary_vertices(&self) -> Vec<u32> {
        let mut rim: Vec<u32> = self.boundary_edges().into_iter().flatten().collect();
        rim.sort_unstable();
        rim.dedup();
        rim
    }
}

fn unknown_tag(name: &str, mesh: &impl Selectable) -> SelectionError {
    let groups = mesh.vertex_groups().names().chain(mesh.element_groups().names());
    let mut known: Vec<String> = groups.map(str::to_owned).collect();
    known.sort_unstable();
    known.dedup();
    let suggestion = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    SelectionError::UnknownTag { name: name.to_owned(), suggestion, known }
}

fn tag_help(suggestion: Option<&str>, known: &[String]) -> String {
    match (suggestion, known) {
        (_, []) => "the mesh has no tags".to_owned(),
        (Some(near), _) => format!("did you mean `{near}`? known: {}", known.join(", ")),
        (None, _) => format!("known: {}", known.join(", ")),
    }
}

fn point(x: &Vector3) -> String {
    format!("({}, {}, {})", x.x, x.y, x.z)
}

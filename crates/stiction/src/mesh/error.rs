//! What can be wrong with a mesh, said in full.
//!
//! A refusal lists every kind of problem, the first few places of each, how many there are, and what to do.

use std::fmt;

use super::check::{element_name, element_names};

/// Why a mesh was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The lists do not describe a sound mesh.
    #[error("{}", Refusal { corners: *corners, problems })]
    Broken {
        /// Corners per element: 3 for triangles, 4 for tets.
        corners: usize,
        /// Everything found, one entry per kind.
        problems: Vec<Problem>,
    },
    /// An argument makes no sense.
    #[error("`{function}`: {argument} is {value}\n  help: {help}")]
    Argument {
        /// The function called, for example `ball`.
        function: &'static str,
        /// Its argument.
        argument: &'static str,
        /// The value given.
        value: String,
        /// What to give instead.
        help: String,
    },
}

impl MeshError {
    /// What to do about it; each problem of a broken mesh has its own remedy, in the message.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Broken { .. } => None,
            Self::Argument { help, .. } => Some(help.clone()),
        }
    }
}

/// One kind of problem, with its places.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// No elements at all.
    Empty,
    /// More vertices or elements than a `u32` can count.
    TooLarge {
        /// Vertices given.
        vertex_count: usize,
        /// Elements given.
        element_count: usize,
    },
    /// Vertices with a NaN or infinite coordinate.
    NotFinite(Sample<u32>),
    /// Elements that name a vertex the mesh does not have.
    OutOfRange {
        /// Element and the vertex it names.
        corners: Sample<(u32, u32)>,
        /// Vertices the mesh has.
        vertex_count: usize,
    },
    /// Elements that name a vertex twice.
    RepeatedCorner(Sample<u32>),
    /// Elements without volume or area, relative to their longest edge.
    Degenerate(Sample<u32>),
    /// Tets with negative volume.
    Inverted(Sample<u32>),
    /// Elements with the same corners as an earlier one: the copy, then the original.
    Duplicate(Sample<(u32, u32)>),
    /// Faces shared by more than two tets, or by two tets on the same side.
    CrowdedFace(Sample<[u32; 3]>),
    /// Vertices that belong to no element.
    Unused(Sample<u32>),
    /// Edges in more than two triangles.
    CrowdedEdge(Sample<[u32; 2]>),
    /// Vertices whose triangles do not form one fan.
    PinchedVertex(Sample<u32>),
    /// Edges whose two triangles run through them in the same direction.
    OrientationClash(Sample<[u32; 2]>),
    /// A named group with ids the mesh does not have.
    TagOutOfRange {
        /// Name of the group.
        tag: String,
        /// What the group holds: vertices, tets or triangles.
        of: &'static str,
        /// The ids.
        ids: Sample<u32>,
        /// Ids must be below this.
        count: usize,
    },
}

/// The first few of many, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample<T> {
    first: Vec<T>,
    total: usize,
}

impl<T> Sample<T> {
    /// At most this many are kept: enough to see a pattern, few enough to read.
    pub const KEPT: usize = 10;

    /// The first ones, at most [`Self::KEPT`].
    pub fn first(&self) -> &[T] {
        &self.first
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.total
    }

    pub(super) fn new() -> Self {
        Self { first: Vec::new(), total: 0 }
    }

    pub(super) fn push(&mut self, item: T) {
        if self.first.len() < Self::KEPT {
            self.first.push(item);
        }
        self.total += 1;
    }

    /// The problem these places make; none if there are no places.
    pub(super) fn report(self, problems: &mut Vec<Problem>, kind: impl FnOnce(Self) -> Problem) {
        if self.total > 0 {
            problems.push(kind(self));
        }
    }

    fn list(&self, f: &mut fmt::Formatter<'_>, show: impl Fn(&T) -> String) -> fmt::Result {
        let shown: Vec<String> = self.first.iter().map(show).collect();
        f.write_str(&shown.join(", "))?;
        if self.total > self.first.len() {
            write!(f, ", … ({} more)", self.total - self.first.len())?;
        }
        Ok(())
    }
}

/// A whole refusal as text.
struct Refusal<'a> {
    corners: usize,
    problems: &'a [Problem],
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "broken {} mesh", element_name(self.corners))?;
        for problem in self.problems {
            f.write_str("\n  ")?;
            problem.describe(self.corners, f)?;
            write!(f, "\n    help: {}", problem.help(self.corners))?;
        }
        Ok(())
    }
}

impl Problem {
    fn describe(&self, corners: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, many) = (element_name(corners), element_names(corners));
        let elements = |n: usize| if n == 1 { one } else { many };
        let vertices = |n: usize| if n == 1 { "vertex" } else { "vertices" };
        let edges = |n: usize| if n == 1 { "edge" } else { "edges" };
        let faces = |n: usize| if n == 1 { "face" } else { "faces" };
        match self {
            Self::Empty => write!(f, "no {many}"),
            Self::TooLarge { vertex_count, element_count } => {
                write!(
                    f,
                    "{vertex_count} vertices and {element_count} {many} are more than ids can count"
                )
            }
            Self::NotFinite(s) => {
                write!(f, "{} {} with NaN or infinite coordinates: ", s.total, vertices(s.total))?;
                s.list(f, u32::to_string)
            }
            Self::OutOfRange { corners, vertex_count } => {
                let n = corners.total;
                write!(
                    f,
                    "{n} {} out of range (the mesh has {vertex_count} vertices): ",
                    corner_word(n)
                )?;
                corners.list(f, |(e, v)| format!("{one} {e} names vertex {v}"))
            }
            Self::RepeatedCorner(s) => {
                write!(f, "{} {} naming a vertex twice: ", s.total, elements(s.total))?;
                s.list(f, u32::to_string)
            }
            Self::Degenerate(s) => {
                let what = if corners == 3 { "area" } else { "volume" };
                write!(f, "{} {} without {what}: ", s.total, elements(s.total))?;
                s.list(f, u32::to_string)
            }
            Self::Inverted(s) => {
                write!(f, "{} inverted {}: ", s.total, elements(s.total))?;
                s.list(f, u32::to_string)
            }
            Self::Duplicate(s) => {
                write!(f, "{} duplicate {}: ", s.total, elements(s.total))?;
                s.list(f, |(copy, original)| format!("{copy} repeats {original}"))
            }
            Self::CrowdedFace(s) => {
                let n = s.total;
                write!(f, "{n} {} in more than two tets, or in two on the same side: ", faces(n))?;
                s.list(f, |[a, b, c]| format!("({a}, {b}, {c})"))
            }
            Self::Unused(s) => {
                write!(f, "{} {} in no {one}: ", s.total, vertices(s.total))?;
                s.list(f, u32::to_string)
            }
            Self::CrowdedEdge(s) => {
                write!(f, "{} {} in more than two triangles: ", s.total, edges(s.total))?;
                s.list(f, |[a, b]| format!("({a}, {b})"))
            }
            Self::PinchedVertex(s) => {
                write!(
                    f,
                    "{} {} where sheets touch in a point only: ",
                    s.total,
                    vertices(s.total)
                )?;
                s.list(f, u32::to_string)
            }
            Self::OrientationClash(s) => {
                write!(
                    f,
                    "{} {} between triangles facing opposite sides: ",
                    s.total,
                    edges(s.total)
                )?;
                s.list(f, |[a, b]| format!("({a}, {b})"))
            }
            Self::TagOutOfRange { tag, of, ids, count } => {
                write!(f, "tag `{tag}` names {} {of} ids of {count} or above: ", ids.total)?;
                ids.list(f, u32::to_string)
            }
        }
    }

    fn help(&self, corners: usize) -> &'static str {
        match self {
            Self::Empty => "give at least one element; was the file read to its end?",
            Self::TooLarge { .. } => "split the mesh, or make it coarser",
            Self::NotFinite(_) => {
                "look where these coordinates come from; nothing can repair them here"
            }
            Self::OutOfRange { .. } => {
                "ids count from 0; files that count from 1 need one subtracted"
            }
            Self::RepeatedCorner(_) => "`Soup::without_degenerate` drops them",
            Self::Degenerate(_) if corners == 3 => {
                "`Soup::without_degenerate` drops them; if corners coincide, use `Soup::welded` first"
            }
            Self::Degenerate(_) => {
                "`Soup::without_degenerate` drops them; better, mesh the solid again"
            }
            Self::Inverted(_) => "`TetSoup::oriented` swaps two corners of each",
            Self::Duplicate(_) => "`Soup::without_duplicates` keeps the first of each",
            Self::CrowdedFace(_) => {
                "the tets overlap here: mesh the solid again, or keep the parts separate bodies"
            }
            Self::Unused(_) => {
                "they would have no mass; `Soup::without_unused_vertices` drops them"
            }
            Self::CrowdedEdge(_) => {
                "cloth must be a surface: cut the extra sheets off, or make them their own cloth"
            }
            Self::PinchedVertex(_) => "give each sheet its own copy of the vertex",
            Self::OrientationClash(_) => {
                "`TriSoup::oriented_consistently` turns triangles over; a Möbius band must be cut"
            }
            Self::TagOutOfRange { .. } => "ids count from 0; make groups after the mesh is final",
        }
    }
}

fn corner_word(n: usize) -> &'static str {
    if n == 1 { "corner" } else { "corners" }
}

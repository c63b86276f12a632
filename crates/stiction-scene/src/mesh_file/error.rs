//! What can be wrong with a mesh file: the file, the place, the fault, and a remedy.

use std::borrow::Cow;
use std::fmt;
use std::io;

use stiction::geometry::closed_surface::OpenSurfaceError;
use stiction::geometry::implicit::SurfaceError;
use stiction::mesh::MeshError;

use super::Skipped;

/// Why a mesh file was refused.
#[derive(Debug, thiserror::Error)]
#[error("{file}{place}: {fault}\n  help: {}", fault.help())]
pub struct MeshFileError {
    /// The file, as it was named by the caller.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is wrong there.
    pub fault: Fault,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    Whole,
    /// A line of a text file, counted from 1.
    Line(usize),
    /// A byte of a binary file, counted from 0.
    Byte(usize),
}

/// What is wrong.
#[derive(Debug)]
pub enum Fault {
    /// The file could not be read at all.
    Unreadable(io::Error),
    /// Neither the name nor the content tells the format.
    UnknownFormat,
    /// The file ends where more was expected.
    Truncated {
        /// What was expected.
        expected: Cow<'static, str>,
    },
    /// Something else stands where a certain thing was expected.
    Unexpected {
        /// What was expected.
        expected: Cow<'static, str>,
        /// What stands there, shortened.
        found: String,
    },
    /// A count that the rest of the file cannot hold.
    TooMany {
        /// What is counted.
        what: &'static str,
        /// The count.
        count: i64,
        /// Bytes left in the file.
        remaining: usize,
    },
    /// An element names a vertex that does not exist.
    OutOfRange {
        /// The element, for example `triangle`.
        element: &'static str,
        /// The id it names, counted as the file counts.
        id: i64,
        /// Vertices there are.
        vertex_count: usize,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// The vertex, counted from 0.
        vertex: usize,
    },
    /// The file is sound, but uses something we do not read.
    Unsupported {
        /// What it uses.
        what: String,
        /// What to do instead.
        help: &'static str,
    },
    /// Two parts of the file contradict each other.
    Contradiction {
        /// How.
        what: String,
    },
    /// The XML around the data is broken.
    Xml(String),
    /// There are no elements of the wanted kind.
    Missing {
        /// The wanted kind.
        wanted: &'static str,
        /// What the file has instead.
        skipped: Vec<Skipped>,
    },
    /// Part of the solid is made of elements that were skipped: what remains would have holes.
    PartOfSolid {
        /// What was skipped.
        skipped: Vec<Skipped>,
    },
    /// The lists were read, but do not make a mesh.
    Broken(MeshError),
    /// The triangles were read, but enclose nothing.
    Open(Box<OpenSurfaceError>),
    /// The points were read, but do not make a surface.
    NoCloud(SurfaceError),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, ":{line}"),
            Self::Byte(byte) => write!(f, " at byte {byte}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot read the file: {error}"),
            Self::UnknownFormat => write!(f, "not a mesh format we know"),
            Self::Truncated { expected } => write!(f, "expected {expected}, found the end"),
            Self::Unexpected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::TooMany { what, count, remaining } => {
                write!(f, "{count} {what} cannot fit into the {remaining} bytes that follow")
            }
            Self::OutOfRange { element, id, vertex_count } => {
                write!(f, "{element} names vertex {id}, but there are {vertex_count} vertices")
            }
            Self::NotFinite { vertex } => {
                write!(f, "vertex {vertex} has a NaN or infinite coordinate")
            }
            Self::Unsupported { what, .. } => write!(f, "{what}"),
            Self::Contradiction { what } => write!(f, "{what}"),
            Self::Xml(error) => write!(f, "broken XML: {error}"),
            Self::Missing { wanted, skipped } => {
                write!(f, "no {wanted}")?;
                list(f, " (skipped ", skipped, ")")
            }
            Self::PartOfSolid { skipped } => list(f, "part of the solid is made of ", skipped, ""),
            Self::Broken(error) => write!(f, "{error}"),
            Self::Open(error) => {
                write!(f, "{}", error.to_string().split("\n  help: ").next().unwrap_or_default())
            }
            Self::NoCloud(error) => {
                let text = error.to_string();
                let what = text.lines().next().unwrap_or_default();
                write!(f, "{}", what.trim_start_matches("implicit surface: "))
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, before: &str, items: &[Skipped], after: &str) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = items.iter().map(|s| format!("{} {}", s.count, s.kind)).collect();
    write!(f, "{before}{}{after}", words.join(", "))
}

impl Fault {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "check the path and the permissions",
            Self::UnknownFormat => {
                "we read .msh, .vtk, .vtu, .obj, .stl, .ply and .node with .ele; rename or convert the file"
            }
            Self::Truncated { .. } => "was the file written or copied to its end?",
            Self::Unexpected { .. } => "write the file again with the tool that made it",
            Self::TooMany { .. } => "the count is wrong, or the file is cut short",
            Self::OutOfRange { .. } => {
                "write the file again; a common cause is counting from 1 instead of 0"
            }
            Self::NotFinite { .. } => "look where this coordinate comes from",
            Self::Unsupported { help, .. } => help,
            Self::Contradiction { .. } => "write the file again with the tool that made it",
            Self::Xml(_) => "was the file written or copied to its end?",
            Self::Missing { wanted: "tets", .. } => {
                "mesh the volume with first-order tets (in Gmsh: a 3D mesh of order 1)"
            }
            Self::Missing { wanted: "points", .. } => "export the points as vertices",
            Self::Missing { wanted: "normals", .. } => {
                "let the scanner's program estimate normals and export them: in PLY, properties `nx`, `ny` and `nz`"
            }
            Self::Open(error) => match **error {
                OpenSurfaceError::Open { .. } => {
                    "close it in the program it comes from; small holes are filled here, these are too large"
                }
                OpenSurfaceError::Nothing => {
                    "give a closed surface, all triangles with the same side out"
                }
                OpenSurfaceError::Mesh(_) => "write the file again with the tool that made it",
            },
            Self::NoCloud(_) => "leave such points out, or estimate their normals",
            Self::Missing { .. } => "export the surface as first-order triangles",
            Self::PartOfSolid { .. } => "mesh the whole volume with first-order tets",
            Self::Broken(_) => {
                "`stiction mesh info` says what is wrong, and `stiction mesh convert IN OUT --repair` mends most of it"
            }
        }
    }
}

/// A fault with its place; the file's name joins at the border of the module.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) place: Place,
    pub(super) fault: Fault,
}

pub(super) type Parsed<T> = Result<T, Failure>;

impl Failure {
    pub(super) fn whole(fault: Fault) -> Self {
        Self { place: Place::Whole, fault }
    }

    pub(super) fn contradiction(place: Place, what: String) -> Self {
        Self { place, fault: Fault::Contradiction { what } }
    }

    pub(super) fn unsupported(place: Place, what: impl Into<String>, help: &'static str) -> Self {
        Self { place, fault: Fault::Unsupported { what: what.into(), help } }
    }

    pub(super) fn named(self, file: &str) -> MeshFileError {
        MeshFileError { file: file.to_owned(), place: self.place, fault: self.fault }
    }
}

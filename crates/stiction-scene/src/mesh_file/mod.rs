//! Mesh files: what other programs write, as vertices, tets, triangles and named groups.
//!
//! | format | flavours |
//! |---|---|
//! | Gmsh `.msh` | 2.2 and 4.1; ASCII and binary of either byte order |
//! | VTK `.vtk` | legacy 2.0 to 5.1; ASCII and binary; unstructured grids and polygons |
//! | VTU `.vtu` | ASCII, base64, appended raw or base64; plain or zlib |
//! | OBJ, STL, PLY | surfaces; PLY also point clouds with normals |
//! | TetGen `.node` with `.ele` | first order |
//!
//! Coordinates are taken as metres. Quads and polygons are split into fans of triangles. Elements we cannot
//! use are left out and counted in [`MeshFile::skipped`]; hexes are refused.
//!
//! Groups keep the names of the file: physical names of Gmsh, objects and groups of OBJ, solids of STL.
//! Where a format has numbers only, the group is called `physical=7`, `region=2` or by the array,
//! `material=3`.
//!
//! ```
//! use stiction_scene::mesh_file::{self, Format};
//!
//! let sheet = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng hem\nf 1 2 3 4\n";
//! let mesh = mesh_file::read_bytes(Format::Obj, "sheet.obj", sheet)?.into_surface()?;
//! assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
//! assert_eq!(mesh.element_tags().get("hem"), Some(&[0, 1][..]));
//! # Ok::<(), mesh_file::MeshFileError>(())
//! ```
//!
//! No file, however broken, makes a reader panic or take memory that the size of the file does not justify.

mod cells;
mod error;
mod gmsh;
mod groups;
mod node_ids;
mod number;
mod obj;
mod ply;
mod scanner;
mod shape;
mod stl;
mod tetgen;
mod vtk;
mod vtu;
mod vtu_data;
pub mod write;

use std::path::Path;

use stiction::body::Cloud;
use stiction::geometry::ClosedSurface;
use stiction::math::Vector3;
use stiction::mesh::{Tags, TetMesh, TetSoup, TriMesh, TriSoup};

pub use error::{Fault, MeshFileError, Place};

use error::Failure;

/// What a mesh file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshFile {
    /// The file, as it was named by the caller.
    pub name: String,
    /// Positions [m].
    pub vertices: Vec<Vector3>,
    /// Corners of the tets.
    pub tets: Vec<[u32; 4]>,
    /// Corners of the triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Normals, one a vertex, where the file has them.
    pub normals: Option<Vec<Vector3>>,
    /// Named groups of vertices.
    pub vertex_groups: Tags,
    /// Named groups of tets.
    pub tet_groups: Tags,
    /// Named groups of triangles.
    pub triangle_groups: Tags,
    /// Elements that were left out.
    pub skipped: Vec<Skipped>,
}

/// Elements of one kind that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// What they are, for example `second-order tets`.
    pub kind: &'static str,
    /// How many.
    pub count: usize,
    /// True when they fill volume: the remaining tets are then only a part of the solid.
    pub solid: bool,
}

/// A format we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Gmsh `.msh`.
    Gmsh,
    /// Legacy VTK `.vtk`.
    Vtk,
    /// VTK's XML `.vtu`.
    Vtu,
    /// Wavefront `.obj`.
    Obj,
    /// Stereolithography `.stl`.
    Stl,
    /// Stanford `.ply`.
    Ply,
    /// TetGen's `.node`: vertices only; see [`read_tetgen_bytes`].
    TetgenNode,
}

impl Format {
    /// The format by what the file begins with, else by the extension of its name.
    pub fn detect(name: &str, bytes: &[u8]) -> Option<Self> {
        let start = bytes.trim_ascii_start();
        let magic: [(&[u8], Self); 6] = [
            (b"$MeshFormat", Self::Gmsh),
            (b"# vtk DataFile", Self::Vtk),
            (b"<VTKFile", Self::Vtu),
            (b"<?xml", Self::Vtu),
            (b"ply\n", Self::Ply),
            (b"ply\r", Self::Ply),
        ];
        if let Some((_, format)) = magic.iter().find(|(magic, _)| start.starts_with(magic)) {
            return Some(*format);
        }
        match Path::new(name).extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "msh" => Some(Self::Gmsh),
            "vtk" => Some(Self::Vtk),
            "vtu" => Some(Self::Vtu),
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            "node" => Some(Self::TetgenNode),
            _ => None,
        }
    }
}

/// Reads a mesh file. For TetGen, give either of the two files; both are read.
///
/// # Errors
/// When the file cannot be read, or is not sound.
pub fn read(path: &Path) -> Result<MeshFile, MeshFileError> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if ["node", "ele"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        let (nodes, elements) = (path.with_extension("node"), path.with_extension("ele"));
        let (node_bytes, element_bytes) = (load(&nodes)?, load(&elements)?);
        return read_tetgen_bytes(
            (&shown(&nodes), &node_bytes),
            (&shown(&elements), &element_bytes),
        );
    }
    let (name, bytes) = (shown(path), load(path)?);
    match Format::detect(&name, &bytes) {
        Some(format) => read_bytes(format, &name, &bytes),
        None => Err(Failure::whole(Fault::UnknownFormat).named(&name)),
    }
}

/// Reads a mesh file from memory; `name` is for messages.
///
/// # Errors
/// When the bytes are not a sound file of this format.
pub fn read_bytes(format: Format, name: &str, bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
    let parsed = match format {
        Format::Gmsh => gmsh::parse(bytes),
        Format::Vtk => vtk::parse(bytes),
        Format::Vtu => vtu::parse(bytes),
        Format::Obj => obj::parse(bytes),
        Format::Stl => stl::parse(bytes),
        Format::Ply => ply::parse(bytes),
        Format::TetgenNode => tetgen::parse_nodes(bytes).map(|(file, _)| file),
    };
    let file = parsed.map_err(|failure| failure.named(name))?;
    Ok(MeshFile { name: name.to_owned(), ..file })
}

/// Reads TetGen's two files from memory, each with its name for messages.
///
/// # Errors
/// When one of them is not sound, or they do not belong together.
pub fn read_tetgen_bytes(
    nodes: (&str, &[u8]),
    elements: (&str, &[u8]),
) -> Result<MeshFile, MeshFileError> {
    let (mut file, first_id) = tetgen::parse_nodes(nodes.1).map_err(|f| f.named(nodes.0))?;
    tetgen::parse_elements(elements.1, first_id, &mut file).map_err(|f| f.named(elements.0))?;
    file.name = elements.0.to_owned();
    Ok(file)
}

impl MeshFile {
    /// The solid, oriented and without vertices that no tet uses, then checked.
    ///
    /// # Errors
    /// When there are no tets, when part of the solid was skipped, or when the tets make no mesh.
    pub fn into_tets(self) -> Result<TetMesh, MeshFileError> {
        let refuse = |fault| Err(Failure::whole(fault).named(&self.name));
        if self.tets.is_empty() {
            return refuse(Fault::Missing { wanted: "tets", skipped: self.skipped });
        }
        if self.skipped.iter().any(|s| s.solid) {
            let skipped = self.skipped.into_iter().filter(|s| s.solid).collect();
            return refuse(Fault::PartOfSolid { skipped });
        }
        let name = self.name.clone();
        let soup = self.into_tet_soup().oriented().without_unused_vertices();
        soup.build().map_err(|error| Failure::whole(Fault::Broken(error)).named(&name))
    }

    /// The surface without vertices that no triangle uses, checked; the boundary of the tets if the
    /// file has no triangles of its own.
    ///
    /// # Errors
    /// When there is neither, or when the triangles make no mesh.
    pub fn into_surface(self) -> Result<TriMesh, MeshFileError> {
        let name = self.name.clone();
        if self.triangles.is_empty() && !self.tets.is_empty() {
            return Ok(self.into_tets()?.boundary().surface);
        }
        if self.triangles.is_empty() {
            let fault = Fault::Missing { wanted: "triangles", skipped: self.skipped };
            return Err(Failure::whole(fault).named(&name));
        }
        let soup = self.into_triangle_soup().without_unused_vertices();
        soup.build().map_err(|error| Failure::whole(Fault::Broken(error)).named(&name))
    }

    /// The surface with an inside, repaired where it is slightly broken; the boundary of the tets if the file has no
    /// triangles of its own.
    ///
    /// # Errors
    /// When there is neither, or when the surface has no inside.
    pub fn into_closed_surface(self) -> Result<ClosedSurface, MeshFileError> {
        let name = self.name.clone();
        let soup = match self.triangles.is_empty() {
            true => self.into_surface()?.into_soup(),
            false => self.into_triangle_soup(),
        };
        let refuse = |error| Failure::whole(Fault::Open(Box::new(error))).named(&name);
        ClosedSurface::new(soup).map_err(refuse)
    }

    /// Its vertices as a cloud of points with normals, for example of a scanner. Faces do not matter.
    ///
    /// # Errors
    /// When there are no vertices, when the file has no normals, or when one of them has no direction.
    pub fn into_cloud(self) -> Result<Cloud, MeshFileError> {
        let refuse = |fault| Err(Failure::whole(fault).named(&self.name));
        if self.vertices.is_empty() {
            return refuse(Fault::Missing { wanted: "points", skipped: self.skipped });
        }
        let Some(normals) = self.normals else {
            return refuse(Fault::Missing { wanted: "normals", skipped: self.skipped });
        };
        let cloud = Cloud::new(self.vertices, normals);
        cloud.map_err(|error| Failure::whole(Fault::NoCloud(error)).named(&self.name))
    }

    /// The tets as they are, for repairs. Groups of triangles become groups of their vertices, so that a
    /// named surface can still be pinned or pressed.
    pub fn into_tet_soup(self) -> TetSoup {
        let mut vertex_tags = self.vertex_groups;
        for (name, ids) in self.triangle_groups.iter() {
            let corners: Vec<u32> = ids.iter().flat_map(|&t| self.triangles[t as usize]).collect();
            vertex_tags.add(name, &corners);
        }
        TetSoup {
            vertices: self.vertices,
            elements: self.tets,
            vertex_tags,
            element_tags: self.tet_groups,
        }
    }

    /// The triangles as they are, for repairs.
    pub fn into_triangle_soup(self) -> TriSoup {
        TriSoup {
            vertices: self.vertices,
            elements: self.triangles,
            vertex_tags: self.vertex_groups,
            element_tags: self.triangle_groups,
        }
    }
}

fn load(path: &Path) -> Result<Vec<u8>, MeshFileError> {
    std::fs::read(path).map_err(|e| Failure::whole(Fault::Unreadable(e)).named(&shown(path)))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

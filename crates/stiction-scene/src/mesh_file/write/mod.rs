//! Mesh files out: what [`read`](super::read) understands, for other programs.
//!
//! | format | tets | triangles | groups kept |
//! |---|---|---|---|
//! | Gmsh 4.1, binary or text | yes | yes | all, also overlapping ones |
//! | Gmsh 2.2, binary or text | yes | yes | all, but an element only the first of its groups |
//! | VTK legacy, VTU | yes | yes | of elements, as integer arrays |
//! | OBJ | | yes | of triangles |
//! | STL, PLY | | yes | none |
//! | TetGen `.node` with `.ele` | yes | | `marker=N` of vertices, `region=N` of tets |
//!
//! Formats for surfaces get the boundary of a mesh that has tets only. In an integer array, group `material=3` is the
//! value 3 of `material`; a group with another name is an array of its own, 1 inside and 0 elsewhere.
//! What a format could not keep is told in [`WrittenMesh::lost`].

mod arrays;
mod gmsh;
pub(crate) mod numbers;
pub(crate) mod obj;
pub(crate) mod ply;
mod stl;
mod tetgen;
mod vtk;
pub(crate) mod vtu;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use stiction::mesh::{Tags, TetMesh, TriMesh};

use crate::export::OutputError;
use crate::export::staged::Staged;

use super::{MeshFile, MeshFileError};

pub use numbers::Precision;

/// A format we write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteFormat {
    /// Gmsh `.msh` 4.1.
    Gmsh41 {
        /// Text instead of binary.
        text: bool,
    },
    /// Gmsh `.msh` 2.2.
    Gmsh22 {
        /// Text instead of binary.
        text: bool,
    },
    /// Legacy VTK `.vtk`, binary.
    Vtk,
    /// VTK's XML `.vtu`, binary.
    Vtu,
    /// Wavefront `.obj`.
    Obj,
    /// Stereolithography `.stl`, binary; single precision.
    Stl,
    /// Stanford `.ply`, binary.
    Ply,
    /// TetGen's `.node` and `.ele`.
    Tetgen,
}

impl WriteFormat {
    /// The format by the ending of a file's name; `.msh` is Gmsh 4.1, binary.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "msh" => Some(Self::Gmsh41 { text: false }),
            "vtk" => Some(Self::Vtk),
            "vtu" => Some(Self::Vtu),
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            "node" | "ele" => Some(Self::Tetgen),
            _ => None,
        }
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMesh {
    /// The files: two for TetGen, else one.
    pub files: Vec<PathBuf>,
    /// What the format has no place for, such as "vertex group `edge`".
    pub lost: Vec<String>,
}

/// Why a mesh cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format is for elements that the mesh has none of.
    #[error("{}: there are no {wanted} to write\n  help: {help}", path.display())]
    Missing {
        /// The file that was to be written.
        path: PathBuf,
        /// The elements.
        wanted: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// The tets have no boundary that could be written.
    #[error(transparent)]
    Surface(#[from] MeshFileError),
    /// The file cannot be written, or exists.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Writes a mesh; existing files are replaced only with `overwrite`.
///
/// # Errors
/// When the format cannot hold such a mesh, or a file cannot be written or exists. Nothing is left behind then.
pub fn write(
    path: &Path,
    mesh: &MeshFile,
    format: WriteFormat,
    overwrite: bool,
) -> Result<WrittenMesh, WriteError> {
    let mut staged = Staged::new(overwrite);
    let mut lost = Vec::new();
    let mut file = |path: &Path, fill: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let mut file = staged.file(path)?;
        file.fill(|out| fill(out))?;
        staged.close(file)
    };
    match format {
        WriteFormat::Gmsh41 { text } => {
            file(path, &|out| out.write_all(&gmsh::version_41(mesh, text)))?;
        }
        WriteFormat::Gmsh22 { text } => {
            let (bytes, overlapping) = gmsh::version_22(mesh, text);
            file(path, &|out| out.write_all(&bytes))?;
            lost.extend(overlapping);
        }
        WriteFormat::Vtk => {
            file(path, &|out| vtk::write(out, mesh))?;
            lose(&mut lost, "vertex", &mesh.vertex_groups, |_| false);
        }
        WriteFormat::Vtu => {
            file(path, &|out| write_vtu(out, mesh))?;
            lose(&mut lost, "vertex", &mesh.vertex_groups, |_| false);
        }
        WriteFormat::Tetgen => {
            if mesh.tets.is_empty() {
                let help = "TetGen's files are for solids; write .obj, .stl or .ply";
                return Err(WriteError::Missing { path: path.to_owned(), wanted: "tets", help });
            }
            file(&path.with_extension("node"), &|out| tetgen::nodes(out, mesh))?;
            file(&path.with_extension("ele"), &|out| tetgen::elements(out, mesh))?;
            lose(&mut lost, "vertex", &mesh.vertex_groups, |n| {
                tetgen::number(n, "marker").is_some()
            });
            lose(&mut lost, "tet", &mesh.tet_groups, |n| tetgen::number(n, "region").is_some());
            lose(&mut lost, "triangle", &mesh.triangle_groups, |_| false);
        }
        WriteFormat::Obj | WriteFormat::Stl | WriteFormat::Ply => {
            let surface = surface(mesh)?;
            if surface.triangles.is_empty() && format != WriteFormat::Ply {
                let help = "write a point cloud as .ply";
                let path = path.to_owned();
                return Err(WriteError::Missing { path, wanted: "triangles", help });
            }
            match format {
                WriteFormat::Obj => file(path, &|out| write_obj(out, &surface))?,
                WriteFormat::Stl => file(path, &|out| stl::write(out, &surface))?,
                _ => file(path, &|out| write_ply(out, &surface))?,
            }
            let keeps = format == WriteFormat::Obj;
            lose(&mut lost, "vertex", &mesh.vertex_groups, |_| false);
            lose(&mut lost, "tet", &mesh.tet_groups, |_| false);
            lose(&mut lost, "triangle", &mesh.triangle_groups, |_| keeps);
        }
    }
    let (files, _) = staged.publish()?;
    Ok(WrittenMesh { files, lost })
}

impl From<&TetMesh> for MeshFile {
    fn from(mesh: &TetMesh) -> Self {
        Self {
            vertices: mesh.vertices().to_vec(),
            tets: mesh.tets().to_vec(),
            vertex_groups: mesh.vertex_tags().clone(),
            tet_groups: mesh.element_tags().clone(),
            ..Self::default()
        }
    }
}

impl From<&TriMesh> for MeshFile {
    fn from(mesh: &TriMesh) -> Self {
        Self {
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
            vertex_groups: mesh.vertex_tags().clone(),
            triangle_groups: mesh.element_tags().clone(),
            ..Self::default()
        }
    }
}

fn lose(lost: &mut Vec<String>, kind: &str, groups: &Tags, is_kept: impl Fn(&str) -> bool) {
    let names = groups.names().filter(|name| !is_kept(name));
    lost.extend(names.map(|name| format!("{kind} group `{name}`")));
}

/// The triangles without vertices inside the solid; its boundary where there are no triangles.
fn surface(mesh: &MeshFile) -> Result<Cow<'_, MeshFile>, MeshFileError> {
    if mesh.tets.is_empty() {
        return Ok(Cow::Borrowed(mesh));
    }
    if mesh.triangles.is_empty() {
        return Ok(Cow::Owned(MeshFile::from(&mesh.clone().into_surface()?)));
    }
    let soup = mesh.clone().into_triangle_soup().without_unused_vertices();
    Ok(Cow::Owned(MeshFile {
        vertices: soup.vertices,
        triangles: soup.elements,
        triangle_groups: soup.element_tags,
        ..MeshFile::default()
    }))
}

fn points(mesh: &MeshFile) -> Vec<[f64; 3]> {
    mesh.vertices.iter().map(|v| [v.x, v.y, v.z]).collect()
}

fn write_vtu(out: &mut dyn Write, mesh: &MeshFile) -> io::Result<()> {
    let (points, arrays) = (points(mesh), arrays::of_cells(mesh));
    let cell_arrays = arrays.iter().map(|(name, values)| {
        let values = vtu::Values::Integers(values);
        vtu::Array { name, components: 1, values }
    });
    let grid = vtu::Grid {
        points: &points,
        tets: &mesh.tets,
        triangles: &mesh.triangles,
        cell_arrays: cell_arrays.collect(),
        ..vtu::Grid::default()
    };
    vtu::write(out, &grid, Precision::Double)
}

fn write_ply(out: &mut dyn Write, mesh: &MeshFile) -> io::Result<()> {
    let normals = mesh.normals.as_ref().map_or_else(Vec::new, |normals| {
        let column = |i: usize| normals.iter().map(|n| n[i]).collect();
        (0..3)
            .map(|i| ply::Column {
                name: ["nx", "ny", "nz"][i].to_owned(),
                values: ply::ColumnValues::Floats(column(i)),
            })
            .collect()
    });
    let precision = Precision::Double;
    ply::write(out, "stiction", &points(mesh), &normals, &mesh.triangles, &[], precision)
}

/// A line `g` names the groups of the faces behind it.
fn write_obj(out: &mut dyn Write, mesh: &MeshFile) -> io::Result<()> {
    obj::positions(out, points(mesh).into_iter(), Precision::Double)?;
    let names: Vec<String> = mesh.triangle_groups.names().map(word).collect();
    for (groups, triangles) in arrays::by_groups(&mesh.triangle_groups, mesh.triangles.len()) {
        if !names.is_empty() {
            let named: Vec<&str> = groups.iter().map(|&g| names[g].as_str()).collect();
            writeln!(out, "g {}", named.join(" "))?;
        }
        obj::faces(out, triangles.iter().map(|&t| mesh.triangles[t as usize]), 0)?;
    }
    Ok(())
}

/// A name without spaces, for formats that end names there.
fn word(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

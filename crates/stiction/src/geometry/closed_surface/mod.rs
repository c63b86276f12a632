//! Surfaces that enclose something: how far a point is from them, and on which side.
//!
//! Made from any list of triangles. What is slightly broken is repaired and reported: corners that are one, triangles
//! without area or given twice, triangles turned over, surfaces turned inside out, small holes. What remains (pieces
//! that overlap, cracks, edges of three triangles) is bridged by the winding number, which decides between inside and
//! outside.
//!
//! The distance is exact, except where pieces overlap: there it may be the distance to a wall within, and so is too
//! small, never too large.

mod hausdorff;
mod holes;
mod repairs;

pub use super::triangle_tree::SurfacePoint;
use rayon::prelude::*;
use repairs::Repaired;
pub use repairs::Repairs;

use super::Jet;
use super::triangle_tree::TriangleTree;
use super::winding::WindingNumber;
use crate::math::{Matrix3, Vector3};
use crate::mesh::{BoundingBox, MeshError, TriMesh, TriSoup};

/// A surface with an inside.
#[derive(Clone, Debug)]
#[doc(alias("SDF", "signed distance"))]
pub struct ClosedSurface {
    vertices: Vec<Vector3>,
    triangles: Vec<[u32; 3]>,
    winding: WindingNumber,
    bounds: BoundingBox,
    repairs: Repairs,
    lids: Vec<[Vector3; 3]>,
}

/// Why a surface has no inside.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OpenSurfaceError {
    /// The triangles themselves make no sense.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Nothing is enclosed.
    #[error(
        "the surface encloses nothing: it is flat, or its sides cancel\n  help: give a closed surface, all \
         triangles with the same side out"
    )]
    Nothing,
    /// There are holes that nobody would call small.
    #[error(
        "the surface is open: {} edges have a triangle on one side only, and closing the holes would take {:.0} % \
         of its area{}\n  help: close it in the program it comes from; holes of up to {:.0} % of the area are \
         filled here",
        edges, 100.0 * share, near(place), 100.0 * Repairs::MOST_FILLED
    )]
    Open {
        /// Edges without a triangle on one side.
        edges: usize,
        /// Area of the missing part over the area of the surface [-].
        share: f64,
        /// About where the largest hole is [m].
        place: Option<Vector3>,
    },
}

fn near(place: &Option<Vector3>) -> String {
    place.map_or_else(String::new, |x| {
        format!("; the largest hole is near ({:.4}, {:.4}, {:.4})", x.x, x.y, x.z)
    })
}

impl ClosedSurface {
    /// Repairs what is slightly broken and refuses the rest; [`Self::repairs`] says what was done.
    ///
    /// # Errors
    /// When the lists make no sense, or when the surface has no inside.
    pub fn new(soup: TriSoup) -> Result<Self, OpenSurfaceError> {
        let Repaired { soup, repairs, holes } = repairs::repaired(soup)?;
        let winding = WindingNumber::new(&soup.vertices, &soup.elements);
        let bounds = BoundingBox::of(&soup.vertices);
        let (vertices, triangles) = (soup.vertices, soup.elements);
        let area = repairs::area(&vertices, &triangles);
        repairs::refuse_open(&holes, &vertices, area, |x| winding.at(x))?;
        let lids = holes.iter().flat_map(|hole| hole.fan(&vertices)).collect();
        let surface = Self { vertices, triangles, winding, bounds, repairs, lids };
        let thickness = surface.volume() / area;
        if thickness < 1e-9 * bounds.diagonal() {
            return Err(OpenSurfaceError::Nothing);
        }
        Ok(surface)
    }

    /// Of a mesh that has been checked already.
    ///
    /// # Errors
    /// When the surface has no inside.
    pub fn from_mesh(mesh: &TriMesh) -> Result<Self, OpenSurfaceError> {
        Self::new(TriSoup::new(mesh.vertices().to_vec(), mesh.triangles().to_vec()))
    }

    /// Its vertices, those of filled holes at the end [m].
    pub fn vertices(&self) -> &[Vector3] {
        &self.vertices
    }

    /// Its triangles, normals outward.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Around all of it [m].
    pub fn bounds(&self) -> BoundingBox {
        self.bounds
    }

    /// As a mesh, to be looked at.
    ///
    /// # Errors
    /// When nothing is left of it but triangles without area.
    pub fn mesh(&self) -> Result<TriMesh, OpenSurfaceError> {
        let soup = TriSoup::new(self.vertices.clone(), self.triangles.clone());
        Ok(soup.without_degenerate().without_unused_vertices().build()?)
    }

    /// What had to be done to it.
    pub fn repairs(&self) -> &Repairs {
        &self.repairs
    }

    /// How often it winds around a point: 1 inside, 0 outside, about.
    pub fn winding(&self, x: &Vector3) -> f64 {
        self.winding.at(x)
    }

    /// Whether a point is inside.
    pub fn contains(&self, x: &Vector3) -> bool {
        self.bounds.is_near(x, 0.0) && self.winding(x) > 0.5
    }

    /// The point of the surface that is nearest to `x`.
    pub fn nearest(&self, x: &Vector3) -> SurfacePoint {
        self.nearest_within(x, f64::INFINITY).expect("there is at least one triangle")
    }

    /// The same, if it is no farther than `reach` [m].
    pub fn nearest_within(&self, x: &Vector3, reach: f64) -> Option<SurfacePoint> {
        self.tree().nearest(x, reach)
    }

    /// Its triangles in a tree.
    pub(super) fn tree(&self) -> &TriangleTree {
        &self.winding.tree
    }

    /// Triangles that would close the holes that are left, each a fan around the middle of one.
    pub(super) fn lids(&self) -> &[[Vector3; 3]] {
        &self.lids
    }

    /// Distance of a point, negative inside [m].
    pub fn distance(&self, x: &Vector3) -> f64 {
        let distance = self.nearest(x).distance;
        if self.contains(x) { -distance } else { distance }
    }

    /// Distance of a point with its derivatives. On the surface itself, the gradient is the normal of a triangle.
    pub fn jet(&self, x: &Vector3) -> Jet {
        let nearest = self.nearest(x);
        let corners = self.triangles[nearest.triangle as usize].map(|v| self.vertices[v as usize]);
        let sign = if self.contains(x) { -1.0 } else { 1.0 };
        let away = x - nearest.position;
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let scale = self.bounds.size().norm();
        let gradient = away.try_normalize(1e-14 * scale).map(|n| n * sign);
        let gradient = gradient.or_else(|| normal.try_normalize(0.0)).unwrap_or_else(Vector3::y);
        // Around a corner or an edge the distance curves; over a face it does not.
        let shared = nearest.weights.iter().filter(|w| **w > 0.0).count();
        let l = nearest.distance;
        let across = match shared {
            1 => Matrix3::identity(),
            2 => {
                let on = |k: usize| nearest.weights[k] > 0.0;
                let ends: Vec<Vector3> = (0..3).filter(|&k| on(k)).map(|k| corners[k]).collect();
                let along = (ends[1] - ends[0]).normalize();
                Matrix3::identity() - along * along.transpose()
            }
            _ => gradient * gradient.transpose(),
        };
        let curvature = if l > 1e-14 * scale { sign / l } else { 0.0 };
        let hessian = (across - gradient * gradient.transpose()) * curvature;
        Jet { value: sign * l, gradient, hessian }
    }

    /// Volume inside, where pieces do not overlap [m³].
    pub fn volume(&self) -> f64 {
        repairs::six_volume(&self.vertices, &self.triangles) / 6.0
    }

    /// Volume inside, counted once where pieces overlap [m³].
    ///
    /// That of [`Self::volume`], but for points of a lattice, 64 along the longest side, that pieces share: exact
    /// where nothing overlaps.
    pub fn united_volume(&self) -> f64 {
        let size = self.bounds.size();
        let cells = size.map(|width| (64.0 * width / size.max()).ceil().max(16.0) as usize);
        let winds = |index: usize| {
            let at = [index % cells.x, index / cells.x % cells.y, index / (cells.x * cells.y)];
            let share = Vector3::from_fn(|k, _| (at[k] as f64 + 0.5) / cells[k] as f64);
            let times = self.winding(&(self.bounds.min + size.component_mul(&share))).round();
            [f64::from(times > 0.0), times.max(0.0)]
        };
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        let count = cells.iter().product();
        // Sums of whole numbers, which no order changes.
        let [once, all] = (0..count).into_par_iter().map(winds).reduce(|| [0.0; 2], add);
        if all > 0.0 { self.volume() * (once / all) } else { self.volume() }
    }

    /// Area of the surface, filled holes included [m²].
    pub fn area(&self) -> f64 {
        repairs::area(&self.vertices, &self.triangles)
    }
}

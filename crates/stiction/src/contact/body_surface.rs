//! The surface of a body with nodes, as contacts see it.

use crate::body::Body;
use crate::mesh::{BoundingBox, TriMesh};

/// The surface of a body, and what it is made of.
pub(crate) struct BodySurface {
    /// Its surface, as placed.
    pub(crate) surface: TriMesh,
    /// Vertices of the body that those of its surface are.
    pub(crate) vertices: Vec<u32>,
    /// Mean length of its surface edges [m].
    pub(crate) edge: f64,
    /// Its middle extent, of three along the axes: of what is long or thin, how wide it is [m].
    pub(crate) width: f64,
    /// Mean area of its surface vertices [m²].
    pub(crate) area: f64,
    /// [kg].
    pub(crate) mass: f64,
    /// Stress that it takes for firm contact [Pa].
    pub(crate) firmness: f64,
}

impl BodySurface {
    pub(crate) fn of(body: &Body, mass: f64) -> Option<Self> {
        let (surface, vertices, firmness) = match body {
            Body::Solid(solid) => {
                let boundary = solid.mesh.transformed(&solid.placement).ok()?.boundary();
                (boundary.surface, boundary.vertices, solid.material.youngs_modulus())
            }
            Body::Cloth(cloth) => {
                let mesh = cloth.mesh.transformed(&cloth.placement).ok()?;
                let all = (0..mesh.vertex_count() as u32).collect();
                (mesh, all, 0.0)
            }
            Body::Rigid(rigid) => {
                let mesh = rigid.mesh.transformed(&rigid.placement).ok()?;
                let all = (0..mesh.vertex_count() as u32).collect();
                (mesh, all, 0.0)
            }
            Body::Obstacle(_) => return None,
        };
        let edge = surface.edge_lengths().mean;
        let area = surface.area() / vertices.len().max(1) as f64;
        let width = width(&surface.bounding_box());
        Some(Self { surface, vertices, edge, width, area, mass, firmness })
    }
}

/// The middle one of three extents [m].
pub(crate) fn width(bounds: &BoundingBox) -> f64 {
    let size = bounds.size();
    size.sum() - size.max() - size.min()
}

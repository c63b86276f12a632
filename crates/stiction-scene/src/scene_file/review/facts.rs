//! What a body is, in a few numbers: a slip of units shows at a glance.

use stiction::body::{Body, BodyId, Shape};
use stiction::material::Stretch;
use stiction::math::Vector3;
use stiction::mesh::BoundingBox;

use super::super::build::Setup;

/// A body in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyFacts {
    /// What the scene calls it.
    pub name: String,
    /// `solid`, `cloth`, `rigid` or `obstacle`.
    pub kind: &'static str,
    /// Widths along the axes, where it starts; nothing for obstacles without an end or without points [m].
    pub size: Option<[f64; 3]>,
    /// Nothing for obstacles [kg].
    pub mass: Option<f64>,
    /// Points of its mesh.
    pub vertices: usize,
    /// Of what deforms: Young's modulus, the larger one of woven cloth.
    pub stiffness: Option<f64>,
    /// `Pa`, or `N/m` for cloth.
    pub stiffness_unit: &'static str,
}

impl Setup {
    /// All bodies in numbers, in their order.
    pub fn body_facts(&self) -> Vec<BodyFacts> {
        self.scene.ids().map(|body| self.facts(body)).collect()
    }

    fn facts(&self, body: BodyId) -> BodyFacts {
        let given = &self.scene.bodies[body.index()];
        let model = self.simulation.model();
        let (kind, stiffness, stiffness_unit) = match given {
            Body::Solid(solid) => ("solid", Some(solid.material.youngs_modulus()), "Pa"),
            Body::Cloth(cloth) => ("cloth", Some(stiffest(&cloth.material.stretch())), "N/m"),
            Body::Rigid(_) => ("rigid", None, ""),
            Body::Obstacle(_) => ("obstacle", None, ""),
        };
        let mass = match given {
            Body::Rigid(rigid) => rigid.properties().ok().map(|properties| properties.mass()),
            Body::Obstacle(_) => None,
            _ => Some(model.vertex_masses(body).iter().sum()),
        };
        let points = match given {
            Body::Obstacle(obstacle) => match &obstacle.shape {
                Shape::Mesh(mesh) => placed(mesh.vertices(), obstacle),
                Shape::Grid(gridded) => placed(gridded.mesh().vertices(), obstacle),
                Shape::Points(cloud) => placed(cloud.points(), obstacle),
                _ => Vec::new(),
            },
            _ => self.simulation.positions(body),
        };
        let size = (!points.is_empty()).then(|| BoundingBox::of(&points).size().into());
        let name = given.name().unwrap_or_default().to_owned();
        let vertices = points.len();
        BodyFacts { name, kind, size, mass, vertices, stiffness, stiffness_unit }
    }
}

/// Young's modulus along the stiffer of two directions [N/m].
pub(super) fn stiffest(stretch: &Stretch) -> f64 {
    match stretch {
        Stretch::Woven(moduli) => moduli.youngs_modulus_warp.max(moduli.youngs_modulus_weft),
        Stretch::Isotropic { youngs_modulus, .. } => *youngs_modulus,
    }
}

fn placed(points: &[Vector3], obstacle: &stiction::body::Obstacle) -> Vec<Vector3> {
    points.iter().map(|x| obstacle.placement.apply(x)).collect()
}

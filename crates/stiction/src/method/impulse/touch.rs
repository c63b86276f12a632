//! One place where two bodies touch, or will.

use crate::assembly::point;
use crate::contact::ContactKind;
use crate::contact::friction::Grip;
use crate::geometry::features::Feature as MeshFeature;
use crate::geometry::manifold::FeatureId;
use crate::math::{Matrix3, Vector3};
use crate::model::Model;

/// A contact as it is found at the start of a step. Forces act on the first body, and with the opposite sign on the second.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) key: TouchKey,
    pub(super) bodies: [u32; 2],
    /// Where forces act, on both alike [m].
    pub(super) point: Vector3,
    /// Normal, out of the second body, and two tangents, as columns.
    pub(super) frame: Matrix3,
    /// Distance, negative inside [m].
    pub(super) gap: f64,
    /// What moves at either side.
    pub(super) ends: [End; 2],
    /// What friction can do; its tangent is the first of the frame.
    pub(super) grip: Grip,
    /// Of each body, whether the other one last slid against its grain.
    pub(super) against: [bool; 2],
    /// Part of the velocity that a bounce returns [-].
    pub(super) restitution: f64,
    /// Whether its bodies hardly move, and it is closed but for what may overlap as well: it stays as it is.
    pub(super) rests: bool,
    /// Vertex of the first body that touches, if it is one.
    pub(super) vertex: Option<u32>,
    /// Of the smaller body [m].
    pub(super) size: f64,
}

/// What moves at one side of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// A rigid body, by its number among them.
    Rigid(u32),
    /// Nodes, with weights.
    Nodes([u32; 3], [f64; 3]),
    /// An obstacle, at this velocity [m/s] and angular velocity [rad/s].
    Moved(Vector3, Vector3),
}

impl End {
    /// The velocity of a point, for velocities `v` of a state [m/s].
    pub(super) fn velocity(&self, x: Vector3, model: &Model, q: &[f64], v: &[f64]) -> Vector3 {
        match self {
            Self::Rigid(rigid) => {
                let (center, turn, by_turn) = model.rigid_arm(*rigid, x, q);
                point(v, center as usize) + by_turn * point(v, turn as usize)
            }
            Self::Nodes(nodes, weights) => {
                nodes.iter().zip(weights).map(|(node, w)| point(v, *node as usize) * *w).sum()
            }
            Self::Moved(velocity, _) => *velocity,
        }
    }
}

impl Touch {
    /// Lets friction be `grip`.
    pub(super) fn grips(&mut self, grip: Grip) {
        let normal = self.normal();
        self.frame = Matrix3::from_columns(&[normal, grip.tangent, normal.cross(&grip.tangent)]);
        self.grip = grip;
    }

    /// Whether it resists spin or rolling. Nodes do not turn: where soft bodies touch, nothing does.
    pub(super) fn turns(&self) -> bool {
        self.grip.turns() && !self.ends.iter().any(|end| matches!(end, End::Nodes(..)))
    }

    /// Out of the second body, of length one.
    pub(super) fn normal(&self) -> Vector3 {
        self.frame.column(0).into()
    }

    /// Calls `add` with what a force on the first body, and its opposite on the second, are on nodes of what deforms [N].
    pub(super) fn for_each_node_force(&self, force: Vector3, add: &mut dyn FnMut(u32, Vector3)) {
        for (end, sign) in self.ends.iter().zip([1.0, -1.0]) {
            if let End::Nodes(nodes, weights) = end {
                let parts = nodes.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
                parts.for_each(|(node, weight)| add(*node, force * (sign * weight)));
            }
        }
    }

    /// The force on the first body, and its opposite, on nodes [N]. Of bodies that do not deform, the nodes `shown` are meant.
    pub(super) fn forces(&self, force: Vector3, shown: [Option<u32>; 2]) -> Vec<(u32, Vector3)> {
        let mut forces = Vec::new();
        for ((end, shown), sign) in self.ends.iter().zip(shown).zip([1.0, -1.0]) {
            match (end, shown) {
                (End::Nodes(nodes, weights), _) => {
                    let parts = nodes.iter().zip(weights).filter(|(_, w)| **w != 0.0);
                    forces.extend(parts.map(|(node, w)| (*node, force * (sign * w))));
                }
                (_, Some(node)) => forces.push((node, force * sign)),
                _ => {}
            }
        }
        forces
    }
}

/// Names a contact, the same from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TouchKey {
    pub(super) bodies: [u32; 2],
    pub(super) name: Name,
}

/// What touches what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// Features of two exact shapes.
    Shapes(FeatureId),
    /// Features of two meshes.
    Meshes([MeshFeature; 2]),
    /// A vertex of the first body, and the second as a whole.
    Vertex(u32),
    /// One body as a whole, and a corner or a ball of the shape of the other.
    Corner(u32),
    /// The first body as a whole, and a point of an obstacle.
    Landmark(u32),
    /// An edge of the surface of the first body, and one of the shape of the second.
    Edges([u32; 2]),
}

impl Name {
    /// What kind of contact it is.
    pub(super) fn kind(&self) -> ContactKind {
        match self {
            Self::Shapes(_) => ContactKind::Shapes,
            Self::Meshes([MeshFeature::Edge(_), MeshFeature::Edge(_)]) | Self::Edges(_) => {
                ContactKind::EdgeEdge
            }
            Self::Meshes(_) => ContactKind::VertexFace,
            Self::Vertex(_) | Self::Corner(_) | Self::Landmark(_) => ContactKind::PointSurface,
        }
    }
}

impl TouchKey {
    /// Numbers of an encoded key.
    pub(super) const LENGTH: usize = 9;

    pub(super) fn encode(&self) -> [f64; Self::LENGTH] {
        let numbers: [u32; 7] = match self.name {
            Name::Shapes(feature) => {
                let [a, b, c, d, e, f] = feature.numbers();
                [0, a, b, c, d, e, f]
            }
            Name::Meshes([a, b]) => {
                let ([ka, a], [kb, b]) = (mesh_feature(a), mesh_feature(b));
                [1, ka, a, kb, b, 0, 0]
            }
            Name::Vertex(vertex) => [2, vertex, 0, 0, 0, 0, 0],
            Name::Corner(corner) => [3, corner, 0, 0, 0, 0, 0],
            Name::Landmark(point) => [5, point, 0, 0, 0, 0, 0],
            Name::Edges([own, other]) => [4, own, other, 0, 0, 0, 0],
        };
        let mut all = [0.0; Self::LENGTH];
        for (out, number) in all.iter_mut().zip(self.bodies.iter().chain(&numbers)) {
            *out = f64::from(*number);
        }
        all
    }

    pub(super) fn decode(numbers: &[f64]) -> Option<Self> {
        let whole = |x: f64| (x >= 0.0 && x <= f64::from(u32::MAX)).then_some(x as u32);
        let numbers: Vec<u32> = numbers.iter().map(|&x| whole(x)).collect::<Option<_>>()?;
        let [first, second, kind, a, b, c, d, e, f] = numbers.try_into().ok()?;
        let name = match kind {
            0 => Name::Shapes(FeatureId::of_numbers([a, b, c, d, e, f])?),
            1 => Name::Meshes([of_mesh(a, b)?, of_mesh(c, d)?]),
            2 => Name::Vertex(a),
            3 => Name::Corner(a),
            5 => Name::Landmark(a),
            4 => Name::Edges([a, b]),
            _ => return None,
        };
        Some(Self { bodies: [first, second], name })
    }
}

fn mesh_feature(feature: MeshFeature) -> [u32; 2] {
    match feature {
        MeshFeature::Vertex(v) => [0, v],
        MeshFeature::Edge(e) => [1, e],
        MeshFeature::Face(f) => [2, f],
    }
}

fn of_mesh(kind: u32, number: u32) -> Option<MeshFeature> {
    Some(match kind {
        0 => MeshFeature::Vertex(number),
        1 => MeshFeature::Edge(number),
        2 => MeshFeature::Face(number),
        _ => return None,
    })
}

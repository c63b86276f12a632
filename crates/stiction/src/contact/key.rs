//! The name of a contact, the same from step to step: memory finds a contact again by it.
//!
//! | name | who has such contacts |
//! |---|---|
//! | shapes, features, landmark, beside | impulses |
//! | vertex, corner, edges | every method |
//! | core, sheet | smooth: round parts by their centres, layers of what touches itself |

use super::ContactKind;
use crate::geometry::features::Feature as MeshFeature;
use crate::geometry::manifold::FeatureId;

/// Names a contact. Contacts are sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Numbers of the bodies; twice the same where a body touches itself.
    pub bodies: [u32; 2],
    /// What of them touches.
    pub name: Name,
}

/// What touches what. The order is that of contacts of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// Features of two exact shapes.
    Shapes(FeatureId),
    /// Features of two meshes.
    Meshes([MeshFeature; 2]),
    /// A vertex of the first body, and the second as a whole: sliding from face to face it stays the same contact.
    Vertex(u32),
    /// One body as a whole, and a corner or a ball of the shape of the other.
    Corner(u32),
    /// The first body as a whole, and a point of an obstacle.
    Landmark(u32),
    /// An edge of the first body, and one of the second.
    Edges([u32; 2]),
    /// A round part of the first body, such as a ball by its centre, and the second as a whole.
    Core(u32),
    /// A vertex of the first body, and one of several [sheets](super::sheets) of the second: that with this face.
    Sheet {
        /// Of the first body.
        vertex: u32,
        /// Of the second body.
        face: u32,
    },
    /// A ball of the first body, and what of the second is nearest to it a little one way or another.
    Beside {
        /// Of the first body.
        ball: u32,
        /// Along an axis of the second body, there or back.
        way: u32,
    },
}

impl Name {
    /// What kind of contact it is.
    pub fn kind(&self) -> ContactKind {
        match self {
            Self::Shapes(_) => ContactKind::Shapes,
            Self::Meshes([MeshFeature::Edge(_), MeshFeature::Edge(_)]) | Self::Edges(_) => {
                ContactKind::EdgeEdge
            }
            Self::Meshes(_) => ContactKind::VertexFace,
            Self::Vertex(_)
            | Self::Corner(_)
            | Self::Landmark(_)
            | Self::Core(_)
            | Self::Sheet { .. }
            | Self::Beside { .. } => ContactKind::PointSurface,
        }
    }
}

impl Key {
    /// Numbers of an encoded key.
    pub const LENGTH: usize = 9;

    /// As numbers.
    pub fn encode(&self) -> [f64; Self::LENGTH] {
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
            Name::Edges([own, other]) => [4, own, other, 0, 0, 0, 0],
            Name::Landmark(point) => [5, point, 0, 0, 0, 0, 0],
            Name::Core(core) => [6, core, 0, 0, 0, 0, 0],
            Name::Sheet { vertex, face } => [7, vertex, face, 0, 0, 0, 0],
            Name::Beside { ball, way } => [8, ball, way, 0, 0, 0, 0],
        };
        let mut all = [0.0; Self::LENGTH];
        for (out, number) in all.iter_mut().zip(self.bodies.iter().chain(&numbers)) {
            *out = f64::from(*number);
        }
        all
    }

    /// Reads [`Key::LENGTH`] numbers back; nothing where they name no contact.
    pub fn decode(numbers: &[f64]) -> Option<Self> {
        let whole = |x: f64| (x >= 0.0 && x <= f64::from(u32::MAX)).then_some(x as u32);
        let numbers: Vec<u32> = numbers.iter().map(|&x| whole(x)).collect::<Option<_>>()?;
        let [first, second, kind, a, b, c, d, e, f] = numbers.try_into().ok()?;
        let name = match kind {
            0 => Name::Shapes(FeatureId::of_numbers([a, b, c, d, e, f])?),
            1 => Name::Meshes([of_mesh(a, b)?, of_mesh(c, d)?]),
            2 => Name::Vertex(a),
            3 => Name::Corner(a),
            4 => Name::Edges([a, b]),
            5 => Name::Landmark(a),
            6 => Name::Core(a),
            7 => Name::Sheet { vertex: a, face: b },
            8 => Name::Beside { ball: a, way: b },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_all_kinds_are_read_back() {
        let features = [MeshFeature::Vertex(3), MeshFeature::Edge(u32::MAX), MeshFeature::Face(0)];
        let mut names = vec![
            Name::Vertex(1 << 30),
            Name::Corner(5),
            Name::Landmark(6),
            Name::Edges([7, u32::MAX]),
            Name::Core(8),
            Name::Beside { ball: 10, way: 3 },
            Name::Sheet { vertex: 9, face: 1 },
        ];
        names.extend(features.map(|feature| Name::Meshes([feature, MeshFeature::Face(2)])));
        for name in names {
            let key = Key { bodies: [4, 4], name };
            assert_eq!(Key::decode(&key.encode()), Some(key));
        }
        let mut unknown = Key { bodies: [0, 1], name: Name::Core(0) }.encode();
        unknown[2] = 9.0;
        assert_eq!(Key::decode(&unknown), None, "no such kind");
    }
}

//! On which side of a surface something lies that is near a feature of it.

use super::{Feature, Proximity, Side, Surface};
use crate::math::Vector3;

impl Surface {
    /// The normal of a feature: of the face, or the mean over the faces around it, weighted by the angles they have
    /// there. Its sign tells whether what has its closest point on the feature is outside a closed surface [BA05].
    /// Not of length one; zero where faces have no area.
    ///
    /// ([BA05]: Bærentzen, Aanæs, *Signed distance computation using the angle weighted pseudonormal*.)
    #[doc(alias = "pseudonormal")]
    pub fn normal(&self, feature: Feature, positions: &[Vector3]) -> Vector3 {
        let weighted = |face: u32| {
            let corners = self.triangles()[face as usize];
            let [a, b, c] = corners.map(|v| positions[v as usize]);
            let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
            let angle = match feature {
                Feature::Vertex(v) => {
                    let k = corners.iter().position(|&corner| corner == v).unwrap_or_default();
                    let x = [a, b, c];
                    (x[(k + 1) % 3] - x[k]).angle(&(x[(k + 2) % 3] - x[k]))
                }
                Feature::Edge(_) | Feature::Face(_) => 1.0,
            };
            normal * angle
        };
        self.star(feature).map(weighted).sum()
    }

    /// Whether what lies at `offset` from the closest point of a side is out of the surface there.
    pub fn is_outside(&self, side: &Side, offset: Vector3, positions: &[Vector3]) -> bool {
        self.normal(side.feature, positions).dot(&offset) > 0.0
    }

    /// Whether two features of this surface face each other from outside. Through the inside of a solid nothing
    /// touches.
    pub fn face_each_other(&self, pair: &Proximity, positions: &[Vector3]) -> bool {
        self.is_outside(&pair.b, pair.offset, positions)
            && self.is_outside(&pair.a, -pair.offset, positions)
    }
}

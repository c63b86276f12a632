//! Contacts between convex shapes: where two of them touch, or nearly.
//!
//! [`contacts`] finds up to a handful of points for a pair, enough to hold one shape on the other. As everywhere,
//! **the normal points out of B towards A, and the gap is positive while they are apart**; all points of a pair share
//! the normal along which the pair is nearest, or along which the shortest way out leads.
//!
//! The smallest gap of a pair is exact: the distance of the shapes, or minus the depth of the shortest way out.
//! Others are measured along the same normal. Points that are apart by no more than `reach` are found as well, for
//! methods that look ahead.
//!
//! | pair | nearest features by |
//! |---|---|
//! | ball and anything | exact signed distance of the centre |
//! | half-space and anything | the face that looks at it |
//! | two capsules | nearest points of two segments |
//! | two boxes | fifteen separating axes [GLM96]; where those leave a gap open, as below |
//! | all others | GJK apart, EPA inside each other |
//!
//! The manifold is then what faces that look at each other have in common. Roundings are a matter of radii:
//! everything happens between cores, and is moved out along the normal. [`reduce`] leaves the few points that matter;
//! [`Kept`] manifolds spare the search while a pair rests.

mod box_faces;
mod boxes;
mod capsules;
mod clip;
mod compound;
mod convex;
mod epa;
mod feature;
mod gjk;
mod kept;
mod pair;
mod plane;
mod reduce;
mod rim;
mod sphere;

pub use compound::compound_contacts;
pub use feature::{Feature, FeatureId};
pub use kept::Kept;
pub use reduce::reduce;

use super::Pose;
use super::shape::Convex;
use crate::math::Vector3;
use pair::{Pair, Writer};

/// A point where two shapes touch, or nearly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// On the surface of A, `gap` along the normal from the point of B [m].
    pub point_a: Vector3,
    /// On the surface of B [m].
    pub point_b: Vector3,
    /// Out of B towards A, of length one.
    pub normal: Vector3,
    /// Distance, negative inside [m].
    pub gap: f64,
    /// Which features touch: the same from step to step while the pair does not change the way it touches.
    pub feature: FeatureId,
}

impl ManifoldPoint {
    /// Where forces act, on both bodies alike: halfway [m]. Two different points would make a torque out of nothing.
    pub fn point(&self) -> Vector3 {
        (self.point_a + self.point_b) * 0.5
    }

    /// The same point, seen from the other body.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self {
            point_a: self.point_b,
            point_b: self.point_a,
            normal: -self.normal,
            gap: self.gap,
            feature: self.feature.flipped(),
        }
    }
}

/// Appends the contacts of two placed shapes whose gap is at most `reach` [m]; finds none between two half-spaces.
///
/// Nothing in it is ever infinite or NaN: poses that are make no contacts.
#[doc(alias("narrow phase", "GJK", "EPA", "separating axes", "SAT"))]
pub fn contacts(
    shape_a: &Convex,
    pose_a: &Pose,
    shape_b: &Convex,
    pose_b: &Pose,
    reach: f64,
    out: &mut Vec<ManifoldPoint>,
) {
    if !pose_a.is_finite() || !pose_b.is_finite() {
        return;
    }
    let mut writer = Writer::new(pose_b, reach, out);
    match (shape_a, shape_b) {
        (Convex::Plane { .. }, Convex::Plane { .. }) => {}
        (_, Convex::Plane { normal, offset }) => {
            plane::contacts(shape_a, pose_a, (*normal, *offset), &mut writer);
        }
        (Convex::Plane { normal, offset }, _) => {
            let mut writer = Writer { flip: true, ..Writer::new(pose_a, reach, writer.out) };
            plane::contacts(shape_b, pose_b, (*normal, *offset), &mut writer);
        }
        (Convex::Sphere { radius }, _) => {
            sphere::contacts(*radius, pose_a, shape_b, &mut writer);
        }
        (_, Convex::Sphere { radius }) => {
            let mut writer = Writer { flip: true, ..Writer::new(pose_a, reach, writer.out) };
            sphere::contacts(*radius, pose_b, shape_a, &mut writer);
        }
        _ => {
            let Some(pair) = Pair::new(shape_a, pose_a, shape_b, &writer) else { return };
            match (shape_a, shape_b) {
                (Convex::Box { .. }, Convex::Box { .. }) => {
                    boxes::contacts(&pair, &mut writer);
                }
                (Convex::Capsule { .. }, Convex::Capsule { .. }) => {
                    capsules::contacts(&pair, &mut writer);
                }
                _ => convex::contacts(&pair, &mut writer),
            }
        }
    }
}

//! A ball against anything: the signed distance of its centre, less its radius.
//!
//! Distance and gradient are continuous across faces, so the contact is too when the centre dives into a box; at
//! centres and axes, where all directions are alike, the distance chooses one.

use super::convex;
use super::pair::{Frame, Pair};
use super::{Feature, FeatureId};
use crate::geometry::distance::{capsule, cylinder, rounded_box, sphere};
use crate::geometry::shape::Convex;
use crate::geometry::{Jet, Pose};
use crate::math::Vector3;

/// The ball is A.
pub(super) fn contacts(radius: f64, pose: &Pose, shape: &Convex, frame: &mut Frame) {
    let x = frame.turn.tr_mul(&(pose.translation - frame.shift));
    let jet = match *shape {
        Convex::Sphere { radius } => sphere::distance(radius, x),
        Convex::Box { size, rounding } => rounded_box::distance(size, rounding, x),
        Convex::Capsule { radius, length } => capsule::distance(radius, length, x),
        Convex::Cylinder { radius, length } => cylinder::distance(radius, length, x),
        Convex::Hull(ref hull) => {
            let (height, face) = hull.deepest_plane(&x);
            if height > 0.0 {
                let ball = Convex::Sphere { radius };
                if let Some(pair) = Pair::new(&ball, pose, shape, frame)
                    && let Some(witness) = convex::witness(&pair, frame.reach + radius)
                {
                    let feature = FeatureId::new(Feature::Whole, Feature::Whole);
                    frame.push(witness.b, witness.normal, witness.gap - radius, feature);
                }
                return;
            }
            Jet { value: height, gradient: hull.normals()[face], hessian: Default::default() }
        }
        Convex::Plane { .. } => return,
    };
    let on_surface: Vector3 = x - jet.gradient * jet.value;
    let feature = FeatureId::new(Feature::Whole, Feature::Whole);
    frame.push(on_surface, jet.gradient, jet.value - radius, feature);
}

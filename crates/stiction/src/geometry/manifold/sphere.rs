//! A ball against anything: the signed distance of its centre, less its radius.
//!
//! Distance and gradient are continuous across faces, so the contact is too when the centre dives into a box; at
//! centres and axes, where all directions are alike, the distance chooses one.

use super::convex;
use super::pair::{Pair, Writer};
use super::{Feature, FeatureId};
use crate::geometry::shape::Convex;
use crate::geometry::{Jet, Pose, distance};
use crate::math::Vector3;

/// The ball is A.
pub(super) fn contacts(radius: f64, pose: &Pose, shape: &Convex, writer: &mut Writer) {
    let x = writer.turn.tr_mul(&(pose.translation - writer.shift));
    let jet = match *shape {
        Convex::Hull(ref hull) => {
            let (height, face) = hull.deepest_plane(&x);
            if height > 0.0 {
                let ball = Convex::Sphere { radius };
                if let Some(pair) = Pair::new(&ball, pose, shape, writer)
                    && let Some(witness) = convex::witness(&pair, writer.reach + radius)
                {
                    let feature = FeatureId::new(Feature::Whole, Feature::Whole);
                    writer.push(witness.b, witness.normal, witness.gap - radius, feature);
                }
                return;
            }
            Jet { value: height, gradient: hull.normals()[face], hessian: Default::default() }
        }
        Convex::Plane { .. } => return,
        _ => {
            let Some(jet) = distance(shape, x) else { return };
            jet
        }
    };
    let on_surface: Vector3 = x - jet.gradient * jet.value;
    let feature = FeatureId::new(Feature::Whole, Feature::Whole);
    writer.push(on_surface, jet.gradient, jet.value - radius, feature);
}

//! Anything against a half-space: the corners of the face that looks at it, and the deepest point.

use super::pair::Writer;
use super::{Feature, FeatureId};
use crate::geometry::Pose;
use crate::geometry::shape::{Convex, Corner, MAX_CORNERS, Rounded};
use crate::math::Vector3;

/// The half-space is B.
pub(super) fn contacts(
    shape: &Convex,
    pose: &Pose,
    (normal, offset): (Vector3, f64),
    writer: &mut Writer,
) {
    let Some(Rounded { core, radius }) = shape.rounded() else { return };
    let (turn, shift) = writer.relative(pose);
    let down = -turn.tr_mul(&normal);
    let is_ball = matches!(shape, Convex::Sphere { .. });
    let mut push = |corner: &Corner| {
        let x = turn * corner.x + shift;
        let height = normal.dot(&x) - offset;
        let feature = if is_ball { Feature::Whole } else { Feature::vertex(corner.number) };
        writer.push(
            x - normal * height,
            normal,
            height - radius,
            FeatureId::new(feature, Feature::Whole),
        );
        height
    };
    let mut room = [Corner::default(); MAX_CORNERS];
    let face = core.face(&down, &mut room);
    let lowest = face.corners.iter().map(&mut push).fold(f64::INFINITY, f64::min);
    // Caps of cylinders are round; their corners are only some of their points.
    let deepest = core.support(&down);
    let depth = normal.dot(&(turn * deepest.x + shift)) - offset;
    if lowest > depth + 1e-9 * core.extent() {
        push(&deepest);
    }
}

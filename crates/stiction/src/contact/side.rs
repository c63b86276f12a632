//! Which samples belong to the side of a surface that a point is on.
//!
//! Around a point near a thin wall there are samples of both of its sides. Their opposite normals would cancel, so
//! those that look away from the nearest one do not count. Of a surface with sharp edges this is asked patch by
//! patch: around a thin wedge both flanks count, but not two arms of the same flank that face each other.

use crate::geometry::implicit::ImplicitSurface;
use crate::math::Vector3;

/// Samples whose normals are this much against the nearest one's are on another side.
pub(crate) const OTHER_SIDE: f64 = -0.3;

/// Keeps the samples on the side of the nearest one. Of the patch of `nearest` that is a face, where it is known, with
/// this normal.
pub(crate) fn keep_side(
    field: &ImplicitSurface,
    x: &Vector3,
    nearest: Option<(u32, Vector3)>,
    samples: &mut Vec<u32>,
) {
    let (points, normals) = (field.sample_points(), field.sample_normals());
    // Of each patch: its nearest sample, and the normal there.
    let mut sides: Vec<(u32, f64, Vector3)> = Vec::new();
    if let Some((face, normal)) = nearest {
        sides.push((field.patch(face), -1.0, normal));
    }
    for &sample in samples.iter() {
        let patch = field.patch(sample);
        let distance = (points[sample as usize] - x).norm_squared();
        match sides.iter_mut().find(|side| side.0 == patch) {
            Some(side) if side.1 <= distance => {}
            Some(side) => (side.1, side.2) = (distance, normals[sample as usize]),
            None => sides.push((patch, distance, normals[sample as usize])),
        }
    }
    samples.retain(|&sample| {
        let side = sides.iter().find(|side| side.0 == field.patch(sample));
        side.is_some_and(|side| normals[sample as usize].dot(&side.2) > OTHER_SIDE)
    });
}

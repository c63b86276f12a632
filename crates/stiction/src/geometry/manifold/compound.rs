//! Compounds: the contacts of all pairs of parts that are near each other.

use super::{ManifoldPoint, contacts};
use crate::geometry::Pose;
use crate::geometry::shape::Compound;
use crate::mesh::BoundingBox;

/// Appends the contacts of two placed compounds whose gap is at most `reach` [m]; features tell the parts.
///
/// Where parts of one compound overlap, a point may touch several of them and be found several times.
pub fn compound_contacts(
    a: &Compound,
    pose_a: &Pose,
    b: &Compound,
    pose_b: &Pose,
    reach: f64,
    out: &mut Vec<ManifoldPoint>,
) {
    for (index_a, part_a) in a.parts().iter().enumerate() {
        let place_a = *pose_a * part_a.pose;
        let bounds_a = part_a.shape.bounding_box(&place_a);
        for (index_b, part_b) in b.parts().iter().enumerate() {
            let place_b = *pose_b * part_b.pose;
            if !are_near(&bounds_a, &part_b.shape.bounding_box(&place_b), reach) {
                continue;
            }
            let start = out.len();
            contacts(&part_a.shape, &place_a, &part_b.shape, &place_b, reach, out);
            for point in &mut out[start..] {
                point.feature.part_a = index_a as u32;
                point.feature.part_b = index_b as u32;
            }
        }
    }
}

fn are_near(a: &BoundingBox, b: &BoundingBox, reach: f64) -> bool {
    (0..3).all(|k| a.min[k] <= b.max[k] + reach && b.min[k] <= a.max[k] + reach)
}

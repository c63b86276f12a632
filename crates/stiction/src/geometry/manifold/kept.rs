//! Manifolds kept from step to step: points that move along with their bodies while the pair hardly moves.
//!
//! What rests costs a fraction of a search. In return gaps are those of the kept points only, and results depend on
//! the steps before; whoever saves a state saves the [`Kept`] manifolds with it.

use nalgebra::{Quaternion, UnitQuaternion, Vector4};

use super::{FeatureId, ManifoldPoint, contacts};
use crate::geometry::Pose;
use crate::geometry::shape::Convex;
use crate::math::Vector3;

/// How much farther is searched than asked for: who rests asks for a little more or less each time.
const HEADROOM: f64 = 1.1;

/// The manifold of a pair when it was last searched, in the frames of its bodies.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias("persistent manifold"))]
pub struct Kept {
    /// Of A, seen from B.
    found_at: Option<Pose>,
    reach: f64,      // that was searched
    normal: Vector3, // in the frame of B
    points: Vec<KeptPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct KeptPoint {
    on_a: Vector3,
    on_b: Vector3,
    feature: FeatureId,
}

impl Kept {
    /// Appends the contacts of two placed shapes as [`contacts`] does. If nothing on A, within `radius` of its
    /// origin, has moved by more than `tolerance` [m] against B since the last search, the points found then are
    /// used: gaps are off by no more than twice that.
    #[expect(clippy::too_many_arguments, reason = "those of `contacts`, and what may be kept")]
    pub fn contacts(
        &mut self,
        shape_a: &Convex,
        pose_a: &Pose,
        shape_b: &Convex,
        pose_b: &Pose,
        reach: f64,
        (tolerance, radius): (f64, f64),
        out: &mut Vec<ManifoldPoint>,
    ) {
        let seen = pose_b.inverse() * *pose_a;
        let has_rested =
            self.found_at.is_some_and(|then| motion(&then, &seen, radius) <= tolerance);
        if !(has_rested && reach <= self.reach) {
            self.reach = HEADROOM * reach;
            let start = out.len();
            contacts(shape_a, pose_a, shape_b, pose_b, self.reach + 2.0 * tolerance, out);
            self.found_at = Some(seen);
            self.points.clear();
            for point in out.drain(start..) {
                self.normal = pose_b.rotation.inverse_transform_vector(&point.normal);
                self.points.push(KeptPoint {
                    on_a: pose_a.apply_inverse(&point.point_a),
                    on_b: pose_b.apply_inverse(&point.point_b),
                    feature: point.feature,
                });
            }
        }
        // Points just found too: whoever comes back to this place from a saved state gets the same bits.
        self.append(pose_a, pose_b, reach, out);
    }

    /// Appends it as numbers; nothing if nothing is kept.
    pub(crate) fn encode(&self, out: &mut Vec<f64>) {
        let Some(Pose { rotation, translation }) = &self.found_at else { return };
        out.extend(rotation.coords.iter().chain(translation.iter()).chain(self.normal.iter()));
        out.extend([self.reach, self.points.len() as f64]);
        for KeptPoint { on_a, on_b, feature } in &self.points {
            out.extend(on_a.iter().chain(on_b.iter()));
            out.extend(feature.numbers().map(f64::from));
        }
    }

    /// Takes [`Self::encode`] off the front of some numbers; nothing if they are something else.
    pub(crate) fn decode(numbers: &mut &[f64]) -> Option<Self> {
        let mut take = |count: usize| {
            let (own, rest) = numbers.split_at_checked(count)?;
            *numbers = rest;
            Some(own)
        };
        let pose = take(7)?;
        // To the bit: a quaternion that was normalised again would not be the same one.
        let rotation = Quaternion::from(Vector4::from_column_slice(&pose[..4]));
        let rotation = UnitQuaternion::new_unchecked(rotation);
        let found_at = Some(Pose::new(Vector3::from_column_slice(&pose[4..]), rotation));
        let normal = Vector3::from_column_slice(take(3)?);
        let &[reach, count] = take(2)? else { return None };
        let count = (count >= 0.0 && count <= f64::from(u16::MAX)).then_some(count as usize)?;
        let mut points = Vec::with_capacity(count);
        for _ in 0..count {
            let [on_a, on_b] = [take(3)?, take(3)?].map(Vector3::from_column_slice);
            let feature: [f64; 6] = take(6)?.try_into().ok()?;
            let feature = FeatureId::of_numbers(feature.map(|number| number as u32))?;
            points.push(KeptPoint { on_a, on_b, feature });
        }
        Some(Self { found_at, reach, normal, points })
    }

    /// Whether anything is known.
    pub(crate) fn is_known(&self) -> bool {
        self.found_at.is_some()
    }

    /// The kept points where they are now.
    fn append(&self, pose_a: &Pose, pose_b: &Pose, reach: f64, out: &mut Vec<ManifoldPoint>) {
        let [turn_a, turn_b] =
            [pose_a, pose_b].map(|pose| pose.rotation.to_rotation_matrix().into_inner());
        let normal = turn_b * self.normal;
        for KeptPoint { on_a, on_b, feature } in &self.points {
            let point_b = turn_b * on_b + pose_b.translation;
            let gap = normal.dot(&(turn_a * on_a + pose_a.translation - point_b));
            if gap <= reach {
                let point_a = point_b + normal * gap;
                out.push(ManifoldPoint { point_a, point_b, normal, gap, feature: *feature });
            }
        }
    }
}

/// How far a point within `radius` of the origin may have moved [m]. Where the halves of two rotations differ by `δ`
/// as quaternions, directions differ by at most `2δ`.
fn motion(then: &Pose, now: &Pose, radius: f64) -> f64 {
    let (q, r) = (&then.rotation.coords, &now.rotation.coords);
    let turned = (q - r).norm_squared().min((q + r).norm_squared()).sqrt();
    (then.translation - now.translation).norm() + 2.0 * radius * turned
}

//! Two shapes seen from the second one, and the way from there to the world.

use super::{Feature, FeatureId, ManifoldPoint};
use crate::geometry::Pose;
use crate::geometry::shape::{Convex, Core, Corner, Looking, Rounded};
use crate::math::{Matrix3, Vector3};

/// Gaps closer than this, relative to the size of the pair, are the same.
const SAME: f64 = 1e-9;
/// Corners that differ in height by less, relative to the size of the pair, touch together.
const SAME_HEIGHT: f64 = 1e-7;

/// Shape A as it stands in the frame of shape B; no half-spaces.
pub(super) struct Pair<'a> {
    pub(super) a: Rounded<'a>,
    pub(super) b: Rounded<'a>,
    /// From the frame of A to that of B.
    pub(super) turn: Matrix3,
    pub(super) shift: Vector3,
}

/// The nearest points of two cores, or those farthest inside, with `a − b = gap · normal`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    pub(super) normal: Vector3,
    pub(super) gap: f64,
    pub(super) b: Vector3,
}

impl<'a> Pair<'a> {
    pub(super) fn new(
        shape_a: &'a Convex,
        pose_a: &Pose,
        shape_b: &'a Convex,
        pose_b: &Pose,
    ) -> Option<Self> {
        let (turn, shift) = relative(pose_a, pose_b);
        Some(Self { a: shape_a.rounded()?, b: shape_b.rounded()?, turn, shift })
    }

    /// Of the core of A, farthest along `d`.
    pub(super) fn support_a(&self, d: &Vector3) -> Corner {
        let Corner { x, number } = self.a.core.support(&self.turn.tr_mul(d));
        Corner { x: self.turn * x + self.shift, number }
    }

    /// What touches along `normal`.
    fn feature(&self, normal: &Vector3) -> FeatureId {
        let tolerance = SAME_HEIGHT * self.extent();
        let of = |core: &Core, d: &Vector3| match core.looking(d, tolerance) {
            Looking::Vertex(number) => Feature::vertex(number),
            Looking::Edge(from, to) => Feature::edge(from, to),
            Looking::Face(number) => Feature::face(number),
        };
        FeatureId::new(of(&self.a.core, &-self.turn.tr_mul(normal)), of(&self.b.core, normal))
    }

    /// What the two radii take from the gap of the cores [m].
    pub(super) fn radii(&self) -> f64 {
        self.a.radius + self.b.radius
    }

    /// A length that both cores together do not exceed by much [m].
    pub(super) fn extent(&self) -> f64 {
        self.a.core.extent() + self.b.core.extent()
    }

    /// Gaps no farther from each other are the same [m].
    pub(super) fn tolerance(&self) -> f64 {
        SAME * self.extent()
    }
}

/// Turn and shift from the frame at `pose_a` to the one at `pose_b`.
pub(super) fn relative(pose_a: &Pose, pose_b: &Pose) -> (Matrix3, Vector3) {
    let [turn_a, turn_b] =
        [pose_a, pose_b].map(|pose| pose.rotation.to_rotation_matrix().into_inner());
    (turn_b.tr_mul(&turn_a), turn_b.tr_mul(&(pose_a.translation - pose_b.translation)))
}

/// Takes contacts in the frame of B to the world.
pub(super) struct Frame<'a> {
    /// Of B.
    pub(super) pose: &'a Pose,
    pub(super) reach: f64,
    /// Whether A and B were exchanged.
    pub(super) flip: bool,
    pub(super) out: &'a mut Vec<ManifoldPoint>,
}

impl Frame<'_> {
    /// A contact at `b` on B, if it is near enough.
    pub(super) fn push(&mut self, b: Vector3, normal: Vector3, gap: f64, feature: FeatureId) {
        if gap > self.reach {
            return;
        }
        let (point_b, normal) = (self.pose.apply(&b), self.pose.rotation * normal);
        let point_a = point_b + normal * gap;
        if !point_a.iter().chain(point_b.iter()).chain(normal.iter()).all(|c| c.is_finite()) {
            return;
        }
        let point = ManifoldPoint { point_a, point_b, normal, gap, feature };
        self.out.push(if self.flip { point.flipped() } else { point });
    }

    /// The nearest points of two cores with radii around them.
    pub(super) fn push_witness(&mut self, pair: &Pair, witness: &Witness) {
        let Witness { normal, gap, b } = *witness;
        let feature = pair.feature(&normal);
        self.push(b + normal * pair.b.radius, normal, gap - pair.radii(), feature);
    }
}

//! Two shapes seen from the second one, and what writes their contacts in the world.

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
        writer: &Writer,
    ) -> Option<Self> {
        let (turn, shift) = writer.relative(pose_a);
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

/// Writes contacts that are found in the frame of B, in the world.
pub(super) struct Writer<'a> {
    /// Of B.
    pub(super) turn: Matrix3,
    pub(super) shift: Vector3,
    pub(super) reach: f64,
    /// Whether A and B were exchanged.
    pub(super) flip: bool,
    pub(super) out: &'a mut Vec<ManifoldPoint>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(pose_b: &Pose, reach: f64, out: &'a mut Vec<ManifoldPoint>) -> Self {
        let turn = pose_b.rotation.to_rotation_matrix().into_inner();
        Self { turn, shift: pose_b.translation, reach, flip: false, out }
    }

    /// Turn and shift from the frame at `pose` to this one.
    pub(super) fn relative(&self, pose: &Pose) -> (Matrix3, Vector3) {
        let turn = pose.rotation.to_rotation_matrix().into_inner();
        (self.turn.tr_mul(&turn), self.turn.tr_mul(&(pose.translation - self.shift)))
    }

    /// Where a point of B is in the world.
    pub(super) fn place(&self, x: &Vector3) -> Vector3 {
        self.turn * x + self.shift
    }

    /// A contact at `b` on B, if it is near enough.
    pub(super) fn push(&mut self, b: Vector3, normal: Vector3, gap: f64, feature: FeatureId) {
        self.push_placed(self.place(&b), self.turn * normal, gap, feature);
    }

    /// The same with point and normal in the world.
    #[inline]
    pub(super) fn push_placed(
        &mut self,
        point_b: Vector3,
        normal: Vector3,
        gap: f64,
        feature: FeatureId,
    ) {
        let point_a = point_b + normal * gap;
        // A sum is finite only if all of it is.
        let finite = (point_a.sum() + point_b.sum()).is_finite();
        if gap > self.reach || !finite {
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

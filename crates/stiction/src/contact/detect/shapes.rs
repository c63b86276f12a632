//! Exact shapes against exact shapes: contact manifolds.

use super::kept::{STILL, worth_keeping};
use super::search::{Placed, Search};
use crate::contact::key::Name;
use crate::geometry::manifold::{ManifoldPoint, compound_contacts};

impl Search<'_> {
    /// Manifolds of exact shapes.
    pub(super) fn shapes(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let (Some(shape_a), Some(shape_b)) = (&a.0.shape, &b.0.shape) else { return };
        let mut found: Vec<ManifoldPoint> = Vec::new();
        // Shapes keep what the rule says between them, and touch if it says nothing.
        let thickness = self.rule.thickness.unwrap_or(0.0);
        let reach = self.reach + thickness;
        let (pose_a, pose_b) = (&a.1.pose, &b.1.pose);
        if let Some([part_a, part_b]) = worth_keeping(a.0, b.0) {
            let places = (*pose_a * part_a.pose, *pose_b * part_b.pose);
            let still = STILL * self.slack * a.0.size.min(b.0.size);
            self.kept.contacts(
                &part_a.shape,
                &places.0,
                &part_b.shape,
                &places.1,
                reach,
                (still, a.0.radius),
                &mut found,
            );
        } else {
            compound_contacts(shape_a, pose_a, shape_b, pose_b, reach, &mut found);
        }
        for point in &found {
            let at = point.point();
            let ends = [a, b].map(|side| self.end(side, at));
            self.push(
                [a, b],
                Name::Shapes(point.feature),
                at,
                point.normal,
                point.gap - thickness,
                ends,
            );
        }
    }
}

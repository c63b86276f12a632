//! A broad phase that any other may replace: boxes sorted along one axis, then compared.

use stiction::geometry::Pose;
use stiction::geometry::shape::Convex;
use stiction::mesh::BoundingBox;

/// Keeps its lists from step to step.
#[derive(Default)]
pub struct Sweep {
    bounds: Vec<BoundingBox>,
    order: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Sweep {
    /// Pairs whose boxes are no farther apart than `reach`, ascending.
    pub fn pairs(&mut self, shapes: &[Convex], poses: &[Pose], reach: f64) -> &[(u32, u32)] {
        self.bounds.clear();
        self.bounds.extend(shapes.iter().zip(poses).map(|(shape, pose)| shape.bounding_box(pose)));
        let bounds = &self.bounds;
        self.order.resize(shapes.len(), 0);
        if self.order.last() == Some(&0) {
            (self.order.iter_mut().zip(0..)).for_each(|(place, k)| *place = k);
        }
        // Nearly sorted from the step before.
        let left = |k: u32| bounds[k as usize].min.x;
        self.order.sort_by(|&a, &b| left(a).total_cmp(&left(b)));
        self.pairs.clear();
        for (place, &a) in self.order.iter().enumerate() {
            let box_a = &bounds[a as usize];
            for &b in &self.order[place + 1..] {
                let box_b = &bounds[b as usize];
                if box_b.min.x > box_a.max.x + reach {
                    break;
                }
                let near = |k: usize| {
                    box_a.min[k] <= box_b.max[k] + reach && box_b.min[k] <= box_a.max[k] + reach
                };
                if near(1) && near(2) {
                    self.pairs.push((a.min(b), a.max(b)));
                }
            }
        }
        self.pairs.sort_unstable();
        &self.pairs
    }
}

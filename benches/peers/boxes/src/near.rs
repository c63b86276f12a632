//! The broad phase of `method/impulse/near.rs`, for shapes and poses: boxes with some room, and a tree that is fitted
//! again once a body leaves its room.

use stiction::geometry::Pose;
use stiction::geometry::bvh::Bvh;
use stiction::geometry::shape::Convex;
use stiction::mesh::BoundingBox;

/// How much larger boxes are than they need be [m].
const ROOM: f64 = 0.004;

/// What is known of the steps before.
#[derive(Default)]
pub struct Near {
    tree: Bvh,
    tight: Vec<BoundingBox>,
    roomy: Vec<BoundingBox>,
    found: Vec<[u32; 2]>,
    pairs: Vec<(u32, u32)>,
}

impl Near {
    /// Pairs whose boxes are no farther apart than `reach`, ascending.
    pub fn pairs(&mut self, shapes: &[Convex], poses: &[Pose], reach: f64) -> &[(u32, u32)] {
        let grown = |(shape, pose): (&Convex, &Pose)| shape.bounding_box(pose).grown(0.5 * reach);
        self.tight.clear();
        self.tight.extend(shapes.iter().zip(poses).map(grown));
        let stayed = self.roomy.len() == self.tight.len()
            && self.roomy.iter().zip(&self.tight).all(|(roomy, tight)| roomy.contains(tight));
        if !stayed {
            self.roomy.clear();
            self.roomy.extend(self.tight.iter().map(|tight| tight.grown(ROOM)));
            if self.tree.refit(&self.roomy).is_err() {
                self.tree = Bvh::new(&self.roomy).expect("boxes");
            }
            self.tree.self_pairs(&mut self.found);
            self.found.sort_unstable();
        }
        let near = |[a, b]: &&[u32; 2]| self.tight[*a as usize].overlaps(&self.tight[*b as usize]);
        self.pairs.clear();
        self.pairs.extend(self.found.iter().filter(near).map(|&[a, b]| (a, b)));
        &self.pairs
    }
}

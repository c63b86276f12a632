//! Broad phase: pairs of bodies that are near each other.
//!
//! Boxes around bodies are given some room. While all bodies stay within it, pairs are sought among those found before;
//! else the tree of boxes is fitted again. Either way they are the same pairs.

use crate::geometry::bvh::Bvh;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// How much larger boxes are than they need be, in sizes of bodies.
const ROOM: f64 = 0.02;
/// How often a tree is fitted again before a new one is built: bodies wander, and what is far apart comes to share a
/// branch.
const MOST_FITS: usize = 32;

/// The space that a body may touch things in during a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) region: Region,
    /// Whether it moves by anything but its own motion: of two that do not, neither matters to the other.
    pub(crate) moves: bool,
    /// How large it is [m].
    pub(crate) size: f64,
}

/// Where that is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Region {
    Box(BoundingBox),
    /// What is below a plane, and a little more.
    HalfSpace {
        normal: Vector3,
        /// Along the normal [m].
        height: f64,
    },
    /// Of what has no end, and is no plane.
    Everywhere,
}

impl Region {
    fn bounds(&self) -> Option<&BoundingBox> {
        match self {
            Self::Box(bounds) => Some(bounds),
            Self::HalfSpace { .. } | Self::Everywhere => None,
        }
    }

    /// Whether two of them may overlap.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Box(a), Self::Box(b)) => a.overlaps(b),
            (Self::Box(bounds), Self::HalfSpace { normal, height })
            | (Self::HalfSpace { normal, height }, Self::Box(bounds)) => {
                let (middle, half) =
                    ((bounds.min + bounds.max) * 0.5, (bounds.max - bounds.min) * 0.5);
                normal.dot(&middle) - normal.abs().dot(&half) <= *height
            }
            _ => true,
        }
    }
}

/// What is known of the steps before.
#[derive(Debug, Default)]
pub(crate) struct BroadPhase {
    tree: Option<Bvh>,
    fits: usize,
    /// Boxes with room, of bodies that have an end.
    roomy: Vec<BoundingBox>,
    /// Pairs whose boxes with room overlap, ascending, what moves first.
    found: Vec<[u32; 2]>,
}

impl BroadPhase {
    /// Pairs of bodies that are near each other, ascending; of those that cannot move, none.
    pub(crate) fn pairs(&mut self, extents: &[Extent]) -> Vec<[u32; 2]> {
        let ended = || extents.iter().filter_map(|extent| extent.region.bounds());
        let stayed = ended().count() == self.roomy.len()
            && ended().zip(&self.roomy).all(|(tight, roomy)| roomy.contains(tight));
        if !stayed {
            self.search(extents);
        }
        let near =
            |[a, b]: &&[u32; 2]| extents[*a as usize].region.is_near(&extents[*b as usize].region);
        self.found.iter().filter(near).copied().collect()
    }

    /// Gives room to boxes, and finds pairs.
    fn search(&mut self, extents: &[Extent]) {
        let moves = |k: u32| extents[k as usize].moves;
        let (mut ended, mut endless) = (Vec::new(), Vec::new());
        self.roomy.clear();
        for (k, extent) in extents.iter().enumerate() {
            match extent.region.bounds() {
                Some(bounds) => {
                    ended.push(k as u32);
                    self.roomy.push(bounds.grown(ROOM * extent.size));
                }
                None => endless.push(k as u32),
            }
        }
        let mut found = Vec::new();
        if self.roomy.len() > 1 && self.fit() {
            self.tree.iter().for_each(|tree| tree.self_pairs(&mut found));
        }
        self.found.clear();
        self.found.extend(found.iter().map(|pair| pair.map(|k| ended[k as usize])));
        self.found.extend(endless.iter().flat_map(|&a| ended.iter().map(move |&b| [a, b])));
        self.found.retain(|[a, b]| moves(*a) || moves(*b));
        // What moves comes first, and of two that do the one with the lower number.
        for pair in &mut self.found {
            pair.sort_by_key(|&k| (!moves(k), k));
        }
        self.found.sort_unstable();
    }

    /// Makes the tree one of the boxes with room; says whether they are boxes.
    fn fit(&mut self) -> bool {
        let (boxes, fits) = (&self.roomy, self.fits);
        let fitted = match &mut self.tree {
            Some(tree) if fits < MOST_FITS && tree.len() == boxes.len() => {
                tree.refit(boxes).is_ok()
            }
            _ => false,
        };
        self.fits += 1;
        if !fitted {
            (self.tree, self.fits) = (Bvh::new(boxes).ok(), 0);
        }
        self.tree.is_some()
    }
}

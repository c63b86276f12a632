//! Pairs of bodies that are near each other.
//!
//! Boxes around bodies are given some room. While all bodies stay within it, pairs are sought among those found before; else the tree
//! of boxes is fitted again. Either way they are the same pairs.

use super::body::{ContactBody, Kind, Place};
use super::detect::{MARGIN, SKIN};
use crate::geometry::bvh::Bvh;
use crate::geometry::shape::Convex;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// How much larger boxes are than they need be, in sizes of bodies.
const ROOM: f64 = 0.02;
/// How often a tree is fitted again before a new one is built: bodies wander, and what is far apart comes to share a branch.
const MOST_FITS: usize = 32;

/// What is below a plane, and a little more.
struct HalfSpace {
    normal: Vector3,
    /// Along the normal [m].
    height: f64,
}

impl HalfSpace {
    fn of(body: &ContactBody, place: &Place, reach: f64) -> Option<Self> {
        let [part] = body.shape.as_ref()?.parts() else { return None };
        let Convex::Plane { normal, offset } = part.shape else { return None };
        let pose = place.pose * part.pose;
        let normal = pose.rotation * normal;
        Some(Self { normal, height: normal.dot(&pose.translation) + offset + reach })
    }

    fn is_near(&self, bounds: &BoundingBox) -> bool {
        let (middle, half) = ((bounds.min + bounds.max) * 0.5, (bounds.max - bounds.min) * 0.5);
        self.normal.dot(&middle) - self.normal.abs().dot(&half) <= self.height
    }
}

/// What is known of the steps before.
#[derive(Debug, Default)]
pub(super) struct Near {
    tree: Option<Bvh>,
    fits: usize,
    /// Boxes with room, of bodies that have an end.
    roomy: Vec<BoundingBox>,
    /// Pairs whose boxes with room overlap, ascending, what moves first.
    found: Vec<[u32; 2]>,
}

impl Near {
    /// Pairs of bodies whose boxes are near each other, ascending; of those that cannot move, none. `thickest` is the thickest skin that is asked for [m].
    pub(super) fn pairs(
        &mut self,
        bodies: &[ContactBody],
        places: &[Place],
        gravity: f64,
        thickest: f64,
    ) -> Vec<[u32; 2]> {
        let of = |(body, place): (&ContactBody, &Place)| {
            // Triangles keep a skin; what rests on it is that far from them.
            let skin = match body.shape {
                Some(_) => 0.0,
                None => thickest.max(SKIN * body.size),
            };
            let reach = place.travel + gravity + MARGIN * body.size + skin;
            place.bounds.map(|bounds| bounds.grown(reach))
        };
        let boxes: Vec<Option<BoundingBox>> = bodies.iter().zip(places).map(of).collect();
        let ended = || boxes.iter().flatten();
        let stayed = ended().count() == self.roomy.len()
            && ended().zip(&self.roomy).all(|(tight, roomy)| roomy.contains(tight));
        if !stayed {
            self.search(bodies, &boxes);
        }
        let half_space = |(body, place): (&ContactBody, &Place)| match place.bounds {
            Some(_) => None,
            None => HalfSpace::of(body, place, place.travel + gravity + MARGIN * body.size),
        };
        let half_spaces: Vec<Option<HalfSpace>> =
            bodies.iter().zip(places).map(half_space).collect();
        // What has no end, and is no plane, is near everything.
        let reaches = |endless: u32, bounds: &BoundingBox| {
            half_spaces[endless as usize].as_ref().is_none_or(|space| space.is_near(bounds))
        };
        let near = |[a, b]: &&[u32; 2]| match [a, b].map(|k| &boxes[*k as usize]) {
            [Some(a), Some(b)] => a.overlaps(b),
            [Some(bounds), None] => reaches(*b, bounds),
            [None, Some(bounds)] => reaches(*a, bounds),
            [None, None] => true,
        };
        self.found.iter().filter(near).copied().collect()
    }

    /// Gives room to boxes, and finds pairs.
    fn search(&mut self, bodies: &[ContactBody], boxes: &[Option<BoundingBox>]) {
        let moves = |k: u32| !matches!(bodies[k as usize].kind, Kind::Obstacle(_));
        let (mut ended, mut endless) = (Vec::new(), Vec::new());
        self.roomy.clear();
        for (k, (body, bounds)) in bodies.iter().zip(boxes).enumerate() {
            match bounds {
                Some(bounds) => {
                    ended.push(k as u32);
                    self.roomy.push(bounds.grown(ROOM * body.size));
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

//! Manifolds of pairs of bodies that hardly move: found once, then moved along.
//!
//! Gaps are then those of the points found, right to a tenth of what may overlap anyway. Results depend on when pairs
//! were searched, so manifolds are part of what is saved.

use super::body::ContactBody;
use crate::geometry::manifold::Kept;
use crate::geometry::shape::{Convex, Part};

/// How far bodies may have moved against each other since, in what may overlap.
pub(super) const STILL: f64 = 0.1;

/// Pairs that are near each other, ascending, and what is known of their manifolds.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptPairs {
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) manifolds: Vec<Kept>,
}

impl KeptPairs {
    /// Goes over to other pairs, ascending; what is known of those that stay, stays.
    pub(super) fn follow(&mut self, pairs: Vec<[u32; 2]>) {
        if self.pairs == pairs {
            return;
        }
        let mut known = std::mem::take(&mut self.pairs).into_iter().zip(&mut self.manifolds);
        let mut next = known.next();
        let manifolds = pairs.iter().map(|pair| {
            while let Some((old, manifold)) = &mut next {
                match (*old).cmp(pair) {
                    std::cmp::Ordering::Less => next = known.next(),
                    std::cmp::Ordering::Equal => return std::mem::take(*manifold),
                    std::cmp::Ordering::Greater => break,
                }
            }
            Kept::default()
        });
        self.manifolds = manifolds.collect();
        self.pairs = pairs;
    }

    /// Appends what a restored run needs: how many are known, then each with its pair.
    pub(crate) fn encode(&self, out: &mut Vec<f64>) {
        let known = || self.pairs.iter().zip(&self.manifolds).filter(|(_, kept)| kept.is_known());
        out.push(known().count() as f64);
        for (pair, kept) in known() {
            out.extend(pair.map(f64::from));
            kept.encode(out);
        }
    }

    /// Takes [`Self::encode`] off the front of some numbers; nothing if they are something else.
    pub(crate) fn decode(numbers: &mut &[f64]) -> Option<Self> {
        let (count, rest) = numbers.split_first()?;
        *numbers = rest;
        let mut new = Self::default();
        for _ in 0..(*count as usize).min(numbers.len()) {
            let (pair, rest) = numbers.split_at_checked(2)?;
            *numbers = rest;
            new.pairs.push([pair[0] as u32, pair[1] as u32]);
            new.manifolds.push(Kept::decode(numbers)?);
        }
        Some(new)
    }
}

/// The two shapes of a pair whose manifold is worth keeping: one part each, both with faces. Those of balls, capsules
/// and planes are found in no time.
pub(super) fn worth_keeping<'a>(a: &'a ContactBody, b: &'a ContactBody) -> Option<[&'a Part; 2]> {
    let only = |body: &'a ContactBody| match body.shape.as_ref()?.parts() {
        [part] => Some(part),
        _ => None,
    };
    let simple = |shape: &Convex| {
        matches!(shape, Convex::Sphere { .. } | Convex::Capsule { .. } | Convex::Plane { .. })
    };
    let dear = |part: &&Part| !simple(&part.shape);
    Some([only(a).filter(dear)?, only(b).filter(dear)?])
}

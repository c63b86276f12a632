//! Whether the interiors of two triangles share a point.

use super::sign::{Sign, side, sure_side, turn};
use crate::math::Vector3;

type Triangle = [Vector3; 3];

/// Which corners two triangles share, by bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    pub(super) a: u8,
    pub(super) b: u8,
}

impl Shared {
    #[inline]
    pub(super) fn of(a: &[u32; 3], b: &[u32; 3]) -> Self {
        let mut shared = Self::default();
        for i in 0..3 {
            for j in 0..3 {
                let same = u8::from(a[i] == b[j]);
                shared.a |= same << i;
                shared.b |= same << j;
            }
        }
        shared
    }

    pub(super) fn swapped(self) -> Self {
        Self { a: self.b, b: self.a }
    }

    /// How many.
    pub(super) fn count(self) -> u32 {
        self.a.count_ones().max(self.b.count_ones())
    }
}

/// Whether the triangles cross. Shared corners lie in both planes.
pub(super) fn crosses(a: &Triangle, b: &Triangle, shared: Shared) -> bool {
    if shared.count() == 3 {
        return false;
    }
    let (of_a, of_b) = (Sides::sure(b, a, shared.a), Sides::sure(a, b, shared.b));
    if of_a.is_one_sided() || of_b.is_one_sided() {
        return false;
    }
    let doubtful = !(of_a.is_known() && of_b.is_known());
    if doubtful && is_separated(widest(a), a, b) {
        return false;
    }
    let (of_a, of_b) = (of_a.exact(b, a), of_b.exact(a, b));
    match (of_a == [0; 3], of_b == [0; 3]) {
        (true, true) => overlaps(a, b),
        // If all of B is in the plane of A but A is not in that of B, A has no area; or the other way round.
        (false, true) => pierces(a, of_a, b),
        (true, false) => pierces(b, of_b, a),
        (false, false) => intervals_overlap(a, of_a, b, of_b),
    }
}

/// On which sides of the plane of a triangle the corners of another are, where that is known.
struct Sides([Option<Sign>; 3]);

impl Sides {
    #[inline]
    fn sure(plane: &Triangle, corners: &Triangle, shared: u8) -> Self {
        Self(
            [0, 1, 2].map(|k| {
                if shared >> k & 1 == 1 { Some(0) } else { sure_side(plane, &corners[k]) }
            }),
        )
    }

    fn is_known(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    /// True if all are known and not on both sides. What is not shared is known only if it is not in the plane.
    fn is_one_sided(&self) -> bool {
        self.is_known() && !has_both(&self.0.map(Option::unwrap_or_default))
    }

    fn exact(&self, [p, q, r]: &Triangle, corners: &Triangle) -> [Sign; 3] {
        [0, 1, 2].map(|k| self.0[k].unwrap_or_else(|| side(p, q, r, &corners[k])))
    }
}

fn has_both(sides: &[Sign; 3]) -> bool {
    sides.contains(&1) && sides.contains(&-1)
}

/// The axis along which a triangle looks widest, but for rounding.
fn widest([p, q, r]: &Triangle) -> usize {
    (q - p).cross(&(r - p)).iamax()
}

/// Whether, seen along an axis, a line along an edge of one has the other on its far side: then interiors share
/// nothing.
fn is_separated(axis: usize, a: &Triangle, b: &Triangle) -> bool {
    separates(axis, a, b) || separates(axis, b, a)
}

fn separates(axis: usize, a: &Triangle, b: &Triangle) -> bool {
    let inside = turn(axis, &a[0], &a[1], &a[2]);
    inside != 0
        && (0..3).any(|k| {
            let (from, to) = (&a[k], &a[(k + 1) % 3]);
            b.iter().all(|x| turn(axis, from, to, x) != inside)
        })
}

/// In one plane: whether interiors overlap. What has no area has none.
fn overlaps(a: &Triangle, b: &Triangle) -> bool {
    let has_area = |axis: usize, t: &Triangle| turn(axis, &t[0], &t[1], &t[2]) != 0;
    let axis = (0..3).find(|&axis| has_area(axis, a) && has_area(axis, b));
    axis.is_some_and(|axis| !is_separated(axis, a, b))
}

/// Whether an edge of a triangle without area passes through the interior of another.
fn pierces(thin: &Triangle, sides: [Sign; 3], b: &Triangle) -> bool {
    (0..3).any(|k| {
        let l = (k + 1) % 3;
        let turns = || [0, 1, 2].map(|e| side(&thin[k], &thin[l], &b[e], &b[(e + 1) % 3]));
        sides[k] * sides[l] < 0 && matches!(turns(), [1, 1, 1] | [-1, -1, -1])
    })
}

/// In two planes: both triangles have a piece of the line where the planes meet; whether these overlap by more than
/// an end.
fn intervals_overlap(a: &Triangle, of_a: [Sign; 3], b: &Triangle, of_b: [Sign; 3]) -> bool {
    if !has_both(&of_a) || !has_both(&of_b) {
        return false;
    }
    let ((i, above_a), (j, above_b)) = (alone(&of_a), alone(&of_b));
    let (p1, mut q1, mut r1) = (&a[i], &a[(i + 1) % 3], &a[(i + 2) % 3]);
    let (p2, mut q2, mut r2) = (&b[j], &b[(j + 1) % 3], &b[(j + 2) % 3]);
    // Each is turned around where needed, so that the corner alone on its side is above the other.
    if above_a < 0 {
        (q2, r2) = (r2, q2);
    }
    if above_b < 0 {
        (q1, r1) = (r1, q1);
    }
    // Now A goes from its edge p1q1 to p1r1, B from p2r2 to p2q2, and lines that meet have no volume.
    side(p1, q1, p2, q2) < 0 && side(p1, r1, p2, r2) > 0
}

/// The corner that is strictly on a side where no other one is, and its side.
fn alone(sides: &[Sign; 3]) -> (usize, Sign) {
    let is_alone = |&k: &usize| sides[k] != 0 && (0..3).all(|l| l == k || sides[l] != sides[k]);
    let k =
        (0..3).find(is_alone).expect("of three corners on both sides, one is alone on its side");
    (k, sides[k])
}

//! The faces beside an edge, and where it can be touched.
//!
//! An edge is touched along a way `n` out of it if the faces beside it fall away: with `f` along each face and away
//! from the edge,
//!
//! $$ f \cdot n \le 0 $$
//!
//! What is flush with a face lies on the border of that, and is on either side of it from one step to the next.
//! Whoever drops such contacts lets bodies rock. So faces may rise, up to [`LEAN`]; the way is then turned until the
//! face is across it, which is the normal of a contact on that face.

use crate::math::Vector3;

/// How far faces may rise, as a sine.
pub(crate) const LEAN: f64 = 0.1;
/// Below this sine a face is across a way, and an edge lies in a plane.
pub(crate) const FLUSH: f64 = 1e-4;

/// Directions along the faces beside an edge, away from it, of length one; of something round, none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wedge {
    into: [Vector3; 2],
    count: usize,
}

/// How an edge is touched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaning {
    /// Out of the edge, of length one: no single face rises.
    pub(crate) way: Vector3,
    /// How far both faces together fall away, as sines: zero of a line within a plane, negative of a valley.
    pub(crate) fall: f64,
    /// How far the face falls away that does so the least.
    pub(crate) least: f64,
}

impl Wedge {
    /// Of a convex shape; faces are none where it is round.
    pub(crate) fn of(faces: Option<[Vector3; 2]>) -> Self {
        faces.map_or_else(Self::default, |into| Self { into, count: 2 })
    }

    /// One face more; of three and more, the first two count.
    pub(crate) fn add(&mut self, into: Vector3) {
        if self.count < 2 {
            self.into[self.count] = into;
            self.count += 1;
        }
    }

    /// Along a way of length one; nothing if a face is in it. What is round or ends at the edge falls away altogether.
    pub(crate) fn along(&self, way: Vector3) -> Option<Leaning> {
        let rise = |k: usize| self.into[k].dot(&way);
        match self.count {
            0 => Some(Leaning { way, fall: 1.0, least: 1.0 }),
            1 => {
                let first = rise(0);
                let way = if first > 0.0 { across(way, self.into[0]) } else { way };
                (first <= LEAN).then_some(Leaning { way, fall: 1.0, least: -first })
            }
            _ => {
                let [first, second] = [rise(0), rise(1)];
                let most = first.max(second);
                let way = match (first > 0.0, second > 0.0) {
                    (true, false) => across(way, self.into[0]),
                    (false, true) => across(way, self.into[1]),
                    _ => way,
                };
                let fall = -(first + second);
                (most <= LEAN).then_some(Leaning { way, fall, least: -most })
            }
        }
    }
}

/// The part of a way that is across a direction, of length one; the two are far from parallel.
fn across(way: Vector3, direction: Vector3) -> Vector3 {
    (way - direction * direction.dot(&way)).normalize()
}

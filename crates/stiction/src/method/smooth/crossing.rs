//! Edges of two rigid bodies that cross: of boxes, sharp or rounded, and capsules and cylinders, whose axes are edges
//! with a radius.
//!
//! Points of one body against the surface of another miss what happens between points: two planks or logs laid across
//! each other, or cards whose edges meet. With edges `P₀ + s u` of A and `Q₀ + t v` of B, `c = u × v`, the nearest
//! points of the two lines solve
//!
//! $$ P_0 + s u - Q_0 - t v = k c, \qquad d = \pm k |c| - \varrho_A - \varrho_B $$
//!
//! where the sign makes the normal `±c/|c|` point out of B and into A. They can touch there if the faces beside both
//! edges fall away from the plane between them (the arcs of their Gauss maps cross); that is asked at the start of a
//! step. What is round falls away wherever it is touched. Where the nearest points come within `δ` of the ends, or
//! edges are nearly parallel, points of one body begin to touch the other; there the gap widens, smoothly, so that no
//! place is counted twice:
//!
//! $$ \text{gap} = d + \delta \sum \Bigl(\frac{x}{\delta}\Bigr)_+^3
//!    + 10\,\delta\, \Bigl(1 - \frac{|c|}{\sigma |u||v|}\Bigr)_+^3 $$
//!
//! with `x` the way beyond `δ` before each end; derivatives are in [`lines`].

pub(crate) mod lines;

use lines::Lines;

use super::frame::{Frame, Meeting, NODES, Stand, Touched, Toucher};
use super::rigid_surface::{RigidSurface, Seen};
use super::spot::{Second, Spot};
use crate::contact::key::Name;
use crate::geometry::ccd::{self, Query};
use crate::geometry::closest;
use crate::geometry::shape::Edge;
use crate::math::{Matrix3, Vector3};

/// How much faces beside an edge may rise above the plane between two edges, as a sine, at the start of a step.
const RISE: f64 = 0.1;

/// All edges of a body.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    pub(crate) body: RigidSurface,
    edges: Vec<Edge>,
    /// Of what is around them, `ϱ` [m].
    radius: f64,
}

/// Edges of one body that may cross those of another.
#[derive(Clone, Debug)]
pub(crate) struct Crossings {
    /// Of the body that forces act on, and of the other.
    pub(crate) sides: [Edges; 2],
    /// `δ` [m].
    pub(crate) thickness: f64,
}

/// Two edges of bodies in a state.
struct Crossing {
    ends: [[Vector3; 2]; 2],
    inward: [Option<[Vector3; 2]>; 2],
}

impl Edges {
    /// Nothing for shapes that have none.
    pub(crate) fn of(body: &RigidSurface) -> Option<Self> {
        let (edges, radius) = body.shape.edges();
        let any = !edges.is_empty();
        any.then(|| Self { body: body.clone(), edges, radius })
    }
}

impl Crossings {
    /// Edges of both, of all of its contacts.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = [u32; 2]> + use<> {
        let [a, b] = [&self.sides[0], &self.sides[1]].map(|side| side.edges.len() as u32);
        (0..a).flat_map(move |i| (0..b).map(move |j| [i, j]))
    }

    /// What is around the edges of both [m].
    fn radii(&self) -> f64 {
        self.sides[0].radius + self.sides[1].radius
    }

    fn lines(&self, crossing: &Crossing, sign: f64) -> Option<Lines> {
        let lengths = crossing.ends.map(|[from, to]| (to - from).norm());
        Lines::new(&crossing.ends, lengths, sign, self.radii(), self.thickness)
    }

    fn frames(&self) -> [Frame; 2] {
        [&self.sides[0], &self.sides[1]].map(|side| side.body.frame)
    }

    /// Nodes of both bodies.
    pub(crate) fn nodes(&self) -> [u32; NODES] {
        let [[a, b, c, d], [e, f, g, h]] = self.frames().map(|frame| frame.nodes);
        [a, b, c, d, e, f, g, h]
    }

    /// A step begins.
    pub(crate) fn begin(&mut self, q: &[f64], v: &[f64]) {
        self.sides.iter_mut().for_each(|side| side.body.begin(q, v));
    }

    /// Both bodies in a state.
    pub(crate) fn stands(&self, q: &[f64], v: &[f64]) -> [Stand; 2] {
        self.frames().map(|frame| frame.stand(q, v))
    }

    /// Both at the start of the step.
    pub(crate) fn started(&self, q: &[f64], v: &[f64]) -> [Stand; 2] {
        [0, 1].map(|k| self.sides[k].body.started(q, v))
    }

    /// Whether the bodies are farther apart than a margin [m].
    pub(crate) fn are_apart(&self, stands: &[Stand; 2], margin: f64) -> bool {
        let reach: f64 = self.sides.iter().map(|side| side.body.reach()).sum();
        (stands[0].origin - stands[1].origin).norm() > reach + margin
    }

    /// How far points of the two may get towards each other in a time, at most [m].
    pub(crate) fn approach(&self, stands: &[Stand; 2], time: f64) -> f64 {
        let [a, b] = stands;
        let spread = |stand: &Stand, side: &Edges| {
            // Σ|ω × e_i|² = 2|ω|².
            let rates =
                stand.velocities[1..].iter().map(|v| (v - stand.velocities[0]).norm_squared());
            (0.5 * rates.sum::<f64>()).sqrt() / stand.arm * side.body.reach()
        };
        let centers = (a.velocities[0] - b.velocities[0]).norm();
        (centers + spread(a, &self.sides[0]) + spread(b, &self.sides[1])) * time
    }

    fn crossing(&self, edges: [u32; 2], stands: &[Stand; 2]) -> Crossing {
        let of = |k: usize| &self.sides[k].edges[edges[k] as usize];
        Crossing {
            ends: [0, 1].map(|k| of(k).ends.map(|end| stands[k].to_world(end))),
            inward: [0, 1].map(|k| of(k).inward.map(|ways| ways.map(|way| stands[k].axes * way))),
        }
    }

    /// Gap and normal of two edges where they can touch, and the sign of the normal; nothing beyond `reach`.
    pub(crate) fn gap(
        &self,
        edges: [u32; 2],
        stands: &[Stand; 2],
        reach: f64,
    ) -> Option<(f64, Vector3, f64)> {
        let crossing = self.crossing(edges, stands);
        if crossing.distance() > reach + self.radii() {
            return None;
        }
        let sign = crossing.sign()?;
        let lines = self.lines(&crossing, sign)?;
        // Deeper than halfway through, these are edges on the far sides of both.
        let is_near = sign * lines.p.z * lines.length - self.radii() > -self.depth();
        is_near.then_some((lines.gap, lines.normal, sign))
    }

    /// Gap and normal with a given sign.
    pub(crate) fn gap_on(
        &self,
        edges: [u32; 2],
        stands: &[Stand; 2],
        sign: f64,
    ) -> Option<(f64, Vector3)> {
        let lines = self.lines(&self.crossing(edges, stands), sign)?;
        Some((lines.gap, lines.normal))
    }

    /// Where two edges are nearest to each other [m].
    pub(crate) fn place(&self, edges: [u32; 2], q: &[f64]) -> Option<Vector3> {
        let crossing = self.crossing(edges, &self.stands(q, q));
        let sign = crossing.sign().unwrap_or(1.0);
        Some(self.lines(&crossing, sign)?.place(&crossing.ends, self.inset()))
    }

    /// From halfway between the nearest points of two edges to halfway between surfaces, along the normal [m].
    fn inset(&self) -> f64 {
        0.5 * (self.sides[1].radius - self.sides[0].radius)
    }

    /// How far one may get into the other before it could come out on another side [m].
    fn depth(&self) -> f64 {
        self.sides[0].body.depth().min(self.sides[1].body.depth())
    }

    /// Whether edges of the two went through each other since the start of the step.
    pub(crate) fn passed(&self, q: &[f64], v: &[f64], allowed: f64) -> bool {
        let seen = |[a, b]: [Stand; 2]| [a.seen_from(&b), b.seen_from(&b)];
        let (start, end) = (seen(self.started(q, v)), seen(self.stands(q, v)));
        let turned = (end[0].axes - start[0].axes).norm() * self.sides[0].body.reach();
        let way = (end[0].origin - start[0].origin).norm() + turned;
        if way <= self.depth() || self.are_apart(&start, way) {
            return false;
        }
        let settings = ccd::Settings { tolerance: 0.1 * allowed, ..Default::default() };
        self.numbers().any(|edges| {
            let [before, after] = [&start, &end].map(|stands| self.crossing(edges, stands));
            // What began inside is on its way out.
            let began = before.sign().and_then(|sign| self.lines(&before, sign));
            if before.distance() > way + self.radii() || began.is_some_and(|lines| lines.gap <= 0.0)
            {
                return false;
            }
            let ends = |c: &Crossing| [c.ends[0][0], c.ends[0][1], c.ends[1][0], c.ends[1][1]];
            let query = Query::SegmentSegment([ends(&before), ends(&after)]);
            let hit = ccd::inclusion::first_contact(&query, 1.0, &settings);
            hit.is_some_and(|hit| hit.reason == ccd::Reason::Contact)
        })
    }

    /// Gap and, where it is small, slip and derivatives.
    pub(crate) fn look(&self, spot: &mut Spot, seen: &Seen<'_>, second: Option<&mut Second>) {
        let Name::Edges(edges) = spot.point.name else { return };
        let stands = self.stands(seen.q, seen.v);
        let crossing = self.crossing(edges, &stands);
        let Some(lines) = self.lines(&crossing, spot.around.side) else { return };
        spot.geometry.gap = lines.gap;
        if lines.gap >= seen.below {
            return;
        }
        // How u, v, r are made of the nodes.
        let weights = [0, 1].map(|k| {
            let of = &self.sides[k].edges[edges[k] as usize];
            of.ends.map(|end| stands[k].weights(end))
        });
        let mut made = [[0.0; 3]; NODES];
        for n in 0..4 {
            let [[p0, p1], [q0, q1]] = weights.map(|ends| ends.map(|weights| weights[n]));
            made[n] = [p1 - p0, 0.0, -p0];
            made[n + 4] = [0.0, q1 - q0, q0];
        }
        let spread = |slopes: &[Vector3; 3]| {
            made.map(|made| (0..3).map(|k| slopes[k] * made[k]).sum::<Vector3>())
        };
        let geometry = &mut spot.geometry;
        geometry.exists = true;
        geometry.own = 4;
        geometry.nodes.extend(self.nodes().map(Some));
        geometry.gradient.extend(spread(&lines.slope));
        let start = self.started(seen.q, seen.v);
        let meeting = Meeting {
            a: Toucher::Frame(stands[0], start[0].origin, start[0].axes),
            b: Touched::Frame(stands[1], start[1]),
            place: lines.place(&crossing.ends, self.inset()),
        };
        meeting.slide(geometry);
        let Some(second) = second else { return };
        let hessian = lines.hessian();
        second.hessian.clear();
        for a in &made {
            for b in &made {
                let mut block = Matrix3::zeros();
                for (i, row) in hessian.iter().enumerate() {
                    for (j, of) in row.iter().enumerate() {
                        block += of * (a[i] * b[j]);
                    }
                }
                second.hessian.push(block);
            }
        }
        let [s, t] = [lines.p.x, lines.p.y];
        let [by_s, by_t] = [0, 1].map(|k| spread(&lines.by[k]));
        let [by_u, by_v] = lines.by_normal().map(|by| by * self.inset());
        let by_place = std::array::from_fn(|n| {
            let [own, along] = if n < 4 {
                [weights[0][0][n], made[n][0] * s]
            } else {
                [weights[1][0][n - 4], made[n][1] * t]
            };
            let moved = lines.u * by_s[n].transpose() + lines.v * by_t[n].transpose();
            let halfway = (Matrix3::from_diagonal_element(own + along) + moved) * 0.5;
            halfway + by_u * made[n][0] + by_v * made[n][1]
        });
        meeting.differentiate(&by_place, second);
    }
}

impl Crossing {
    /// Between the segments [m].
    fn distance(&self) -> f64 {
        let [[p0, p1], [q0, q1]] = self.ends;
        let (u, v, w) = (p1 - p0, q1 - q0, p0 - q0);
        let [s, t] = closest::places(u, v, w);
        (w + u * s - v * t).norm()
    }

    /// The sign of the normal, if the faces beside both edges fall away from the plane between them. Where nothing
    /// has faces, the side on which they are.
    fn sign(&self) -> Option<f64> {
        let [[p0, p1], [q0, q1]] = self.ends;
        let normal = (p1 - p0).cross(&(q1 - q0)).try_normalize(1e-300)?;
        if self.inward == [None; 2] {
            return Some(normal.dot(&(p0 - q0)).signum());
        }
        let rise = |sign: f64| {
            let n = normal * sign;
            let [a, b] = [&self.inward[0], &self.inward[1]].map(|ways| ways.iter().flatten());
            let rises = a.map(|way| -way.dot(&n)).chain(b.map(|way| way.dot(&n)));
            rises.fold(f64::NEG_INFINITY, f64::max)
        };
        let (up, down) = (rise(1.0), rise(-1.0));
        let (sign, least) = if up <= down { (1.0, up) } else { (-1.0, down) };
        (least <= RISE).then_some(sign)
    }
}

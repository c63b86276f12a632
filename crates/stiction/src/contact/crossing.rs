//! Edges of two rigid boxes that cross.
//!
//! Points of one body against the surface of another miss what happens between points: two planks laid across each other, or cards
//! whose edges meet. With edges `P₀ + s u` of A and `Q₀ + t v` of B, `c = u × v`, the nearest points of the two lines solve
//!
//! $$ P_0 + s u - Q_0 - t v = k c, \qquad d = \pm k |c| $$
//!
//! where the sign makes the normal `±c/|c|` point out of B and into A. They can touch there if the faces beside both edges fall away from
//! the plane between them (the arcs of their Gauss maps cross); that is asked at the start of a step. Where the nearest points
//! lie beyond the ends, or edges are nearly parallel, points of one body do touch the other, and the gap widens, smoothly:
//!
//! $$ \text{gap} = d + \delta \sum \Bigl(\frac{x}{\delta}\Bigr)_+^3 + 10\,\delta\, \Bigl(1 - \frac{|c|}{\sigma |u||v|}\Bigr)_+^3 $$
//!
//! with `x` the way beyond each end. Derivatives come from the linear system for `p = (s, t, k)`, `A p = r`, `r = Q₀ − P₀`:
//!
//! $$ A\,\partial p = \partial r - \partial A\, p, \qquad
//!    \omega \cdot \partial_1\partial_2 p = -z \cdot (\partial_1 A\, \partial_2 p + \partial_2 A\, \partial_1 p + \partial_1 \partial_2 A\, p),
//!    \quad A^T z = \omega $$

use super::frame::{Frame, Meeting, Stand, Touched, Toucher};
use super::rigid_surface::{RigidSurface, Seen};
use super::spot::{Second, Spot};
use crate::body::Shape;
use crate::geometry::ccd::{self, Query};
use crate::geometry::closest;
use crate::math::{Matrix3, Vector3};

/// Numbers of contacts of edges begin here, beyond those of all vertices.
pub(crate) const FIRST: u32 = 1 << 30;

/// Edges of a box.
const EDGES: u32 = 12;

/// `σ`: sine of the angle below which edges count as parallel.
const PARALLEL: f64 = 0.05;

/// How much faces beside an edge may rise above the plane between two edges, as a sine, at the start of a step.
const RISE: f64 = 0.1;

/// An edge of a box, in its own coordinates [m].
#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [Vector3; 2],
    /// Along the faces beside it, away from it.
    inward: [Vector3; 2],
}

/// All edges of a body.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    pub(crate) body: RigidSurface,
    edges: Vec<Edge>,
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
    inward: [[Vector3; 2]; 2],
}

impl Edges {
    /// Of a box with sharp edges; nothing for other shapes.
    pub(crate) fn of(body: &RigidSurface) -> Option<Self> {
        let Shape::Box { size, rounding: 0.0 } = body.shape else { return None };
        let half = size * 0.5;
        let mut edges = Vec::with_capacity(EDGES as usize);
        for axis in 0..3 {
            let others = [(axis + 1) % 3, (axis + 2) % 3];
            for signs in [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] {
                let mut end = Vector3::zeros();
                let mut inward = [Vector3::zeros(); 2];
                for k in 0..2 {
                    end[others[k]] = signs[k] * half[others[k]];
                    inward[k][others[k]] = -signs[k];
                }
                let mut along = Vector3::zeros();
                along[axis] = half[axis];
                edges.push(Edge { ends: [end - along, end + along], inward });
            }
        }
        Some(Self { body: body.clone(), edges })
    }
}

impl Crossings {
    /// Numbers of all of its contacts.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        FIRST..FIRST + EDGES * EDGES
    }

    fn frames(&self) -> [Frame; 2] {
        [&self.sides[0], &self.sides[1]].map(|side| side.body.frame)
    }

    /// Nodes of both bodies.
    pub(crate) fn nodes(&self) -> [u32; 8] {
        let [a, b] = self.frames();
        let nodes: Vec<u32> = a.nodes.into_iter().chain(b.nodes).collect();
        nodes.try_into().expect("two frames")
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
            let rates = stand.velocities[1..].iter().map(|v| (v - stand.velocities[0]).norm());
            rates.fold(0.0, f64::max) / stand.arm * side.body.reach()
        };
        let centers = (a.velocities[0] - b.velocities[0]).norm();
        (centers + spread(a, &self.sides[0]) + spread(b, &self.sides[1])) * time
    }

    fn crossing(&self, number: u32, stands: &[Stand; 2]) -> Crossing {
        let number = number - FIRST;
        let edges = [number / EDGES, number % EDGES];
        let of = |k: usize| &self.sides[k].edges[edges[k] as usize];
        Crossing {
            ends: [0, 1].map(|k| of(k).ends.map(|end| stands[k].to_world(end))),
            inward: [0, 1].map(|k| of(k).inward.map(|way| stands[k].axes * way)),
        }
    }

    /// Gap and normal of two edges where they can touch, and the sign of the normal; nothing beyond `reach`.
    pub(crate) fn gap(
        &self,
        number: u32,
        stands: &[Stand; 2],
        reach: f64,
    ) -> Option<(f64, Vector3, f64)> {
        let crossing = self.crossing(number, stands);
        if crossing.distance() > reach {
            return None;
        }
        let sign = crossing.sign()?;
        let lines = Lines::new(&crossing, sign, self.thickness)?;
        // Deeper than halfway through, these are edges on the far sides of both.
        let is_near = sign * lines.p.z * lines.length > -self.depth();
        is_near.then_some((lines.gap, lines.normal, sign))
    }

    /// Gap and normal with a given sign.
    pub(crate) fn gap_on(
        &self,
        number: u32,
        stands: &[Stand; 2],
        sign: f64,
    ) -> Option<(f64, Vector3)> {
        let lines = Lines::new(&self.crossing(number, stands), sign, self.thickness)?;
        Some((lines.gap, lines.normal))
    }

    /// Where two edges are nearest to each other [m].
    pub(crate) fn place(&self, number: u32, q: &[f64]) -> Option<Vector3> {
        let crossing = self.crossing(number, &self.stands(q, q));
        Some(Lines::new(&crossing, 1.0, self.thickness)?.place(&crossing))
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
        self.numbers().any(|number| {
            let [before, after] = [&start, &end].map(|stands| self.crossing(number, stands));
            // What began inside is on its way out.
            let began = before.sign().and_then(|sign| Lines::new(&before, sign, self.thickness));
            if before.distance() > way || began.is_some_and(|lines| lines.gap <= 0.0) {
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
        let stands = self.stands(seen.q, seen.v);
        let number = spot.point.vertex - FIRST;
        let crossing = self.crossing(spot.point.vertex, &stands);
        let Some(lines) = Lines::new(&crossing, spot.around.side, self.thickness) else { return };
        spot.geometry.gap = lines.gap;
        if lines.gap >= seen.below {
            return;
        }
        // How u, v, r are made of the nodes.
        let edges = [number / EDGES, number % EDGES];
        let weights = [0, 1].map(|k| {
            let of = &self.sides[k].edges[edges[k] as usize];
            of.ends.map(|end| stands[k].weights(end))
        });
        let mut made = [[0.0; 3]; 8];
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
            place: lines.place(&crossing),
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
        let by_place: Vec<Matrix3> = (0..8)
            .map(|n| {
                let [own, along] = if n < 4 {
                    [weights[0][0][n], made[n][0] * s]
                } else {
                    [weights[1][0][n - 4], made[n][1] * t]
                };
                let moved = lines.u * by_s[n].transpose() + lines.v * by_t[n].transpose();
                (Matrix3::from_diagonal_element(own + along) + moved) * 0.5
            })
            .collect();
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

    /// The sign of the normal, if the faces beside both edges fall away from the plane between them.
    fn sign(&self) -> Option<f64> {
        let [[p0, p1], [q0, q1]] = self.ends;
        let normal = (p1 - p0).cross(&(q1 - q0)).try_normalize(1e-300)?;
        let rise = |sign: f64| {
            let n = normal * sign;
            let [a, b] = self.inward;
            let rises = a.iter().map(|way| -way.dot(&n)).chain(b.iter().map(|way| way.dot(&n)));
            rises.fold(f64::NEG_INFINITY, f64::max)
        };
        let (up, down) = (rise(1.0), rise(-1.0));
        let (sign, least) = if up <= down { (1.0, up) } else { (-1.0, down) };
        (least <= RISE).then_some(sign)
    }
}

/// A function of `u`, `v`, `r`: its slopes.
type Slopes = [Vector3; 3];

/// The nearest points of two lines, and the gap.
struct Lines {
    u: Vector3,
    v: Vector3,
    c: Vector3,
    /// `|c|`, and its slopes.
    length: f64,
    by_length: Slopes,
    sign: f64,
    normal: Vector3,
    /// `s, t, k`, and their slopes.
    p: Vector3,
    by: [Slopes; 3],
    gap: f64,
    /// Of the gap.
    slope: Slopes,
    /// Of the gap, by `s, t, k` and by `|c|`; and second derivatives by `s`, `t`, `|c|`.
    by_p: Vector3,
    by_c: f64,
    bend: Vector3,
}

impl Lines {
    /// Nothing where lines have no direction, or the same.
    fn new(crossing: &Crossing, sign: f64, thickness: f64) -> Option<Self> {
        let [[p0, p1], [q0, q1]] = crossing.ends;
        let (u, v, r) = (p1 - p0, q1 - q0, q0 - p0);
        let c = u.cross(&v);
        let (length, lengths) = (c.norm(), [u.norm(), v.norm()]);
        if length <= 1e-6 * lengths[0] * lengths[1] {
            return None;
        }
        // Rows of A⁻¹, A = (u, −v, −c).
        let rows = [v.cross(&c), u.cross(&c), -c].map(|row| row / (length * length));
        let p = Vector3::from_iterator(rows.iter().map(|row| row.dot(&r)));
        let [s, t, k] = [p.x, p.y, p.z];
        let by_u = Matrix3::from_diagonal_element(-s) - v.cross_matrix() * k;
        let by_v = Matrix3::from_diagonal_element(t) + u.cross_matrix() * k;
        let by = rows.map(|row| [by_u.tr_mul(&row), by_v.tr_mul(&row), row]);
        let unit = c / length;
        let by_length = [v.cross(&unit), unit.cross(&u), Vector3::zeros()];
        let mut gap = sign * k * length;
        let mut by_p = Vector3::new(0.0, 0.0, sign * length);
        let mut by_c = sign * k;
        let mut bend = Vector3::zeros();
        for (axis, size) in lengths.into_iter().enumerate() {
            for (way, toward) in [(-p[axis], -1.0), (p[axis] - 1.0, 1.0)] {
                let x = (way * size / thickness).max(0.0);
                gap += thickness * x.powi(3);
                by_p[axis] += 3.0 * x * x * size * toward;
                bend[axis] += 6.0 * x * size * size / thickness;
            }
        }
        let scale = PARALLEL * lengths[0] * lengths[1];
        let x = (1.0 - length / scale).max(0.0);
        gap += 10.0 * thickness * x.powi(3);
        by_c -= 30.0 * thickness * x * x / scale;
        bend.z = 60.0 * thickness * x / (scale * scale);
        let slope = [0, 1, 2].map(|k| {
            by[0][k] * by_p.x + by[1][k] * by_p.y + by[2][k] * by_p.z + by_length[k] * by_c
        });
        let normal = unit * sign;
        Some(Self { u, v, c, length, by_length, sign, normal, p, by, gap, slope, by_p, by_c, bend })
    }

    /// Halfway between the nearest points [m].
    fn place(&self, crossing: &Crossing) -> Vector3 {
        let [[p0, _], [q0, _]] = crossing.ends;
        (p0 + self.u * self.p.x + q0 + self.v * self.p.y) * 0.5
    }

    /// Second derivatives of the gap by `u`, `v`, `r`.
    fn hessian(&self) -> [[Matrix3; 3]; 3] {
        let Self { u, v, c, length, p, by, by_length, .. } = self;
        let zero = Vector3::zeros();
        let mut h = [[Matrix3::zeros(); 3]; 3];
        let mut add = |a: &Slopes, b: &Slopes, weight: f64| {
            for (row, a) in h.iter_mut().zip(a) {
                for (block, b) in row.iter_mut().zip(b) {
                    *block += a * b.transpose() * weight;
                }
            }
        };
        // Of s, t, k: z = A⁻ᵀ ω.
        let rows = [v.cross(c), u.cross(c), -*c].map(|row| row / (length * length));
        let z = rows[0] * self.by_p.x + rows[1] * self.by_p.y + rows[2] * self.by_p.z;
        let changes = [[z, zero, zero], [zero, z, zero], [v.cross(&z), z.cross(u), zero]];
        for (k, weight) in [(0, -1.0), (1, 1.0), (2, 1.0)] {
            add(&changes[k], &by[k], weight);
            add(&by[k], &changes[k], weight);
        }
        // d = ± k |c|: the product, and what widens it.
        add(&by[2], by_length, self.sign);
        add(by_length, &by[2], self.sign);
        add(&by[0], &by[0], self.bend.x);
        add(&by[1], &by[1], self.bend.y);
        add(by_length, by_length, self.bend.z);
        // Of |c|.
        let unit = c / *length;
        let across = Matrix3::identity() - unit * unit.transpose();
        let by_c = [-v.cross_matrix(), u.cross_matrix()];
        for i in 0..2 {
            for j in 0..2 {
                h[i][j] += by_c[i].tr_mul(&(across * by_c[j])) * (self.by_c / length);
            }
        }
        // And of c itself, which is bilinear.
        let bilinear = z.cross_matrix() * p.z + unit.cross_matrix() * self.by_c;
        h[0][1] -= bilinear;
        h[1][0] += bilinear;
        h
    }
}

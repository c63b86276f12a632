//! How two edges slide on each other.
//!
//! With the nearest places `p` and `q` of the two lines, `p − q = d n`, they slide with the velocity of the material
//! there, less what turns it with the normal:
//!
//! $$ w = B v = v_p - v_q - d\, \dot n, \qquad B_k = w_k I - d\, \partial_k n, \qquad
//!    \Delta = p_0 - q_0 - d_0 n $$
//!
//! where `p₀`, `q₀` are where the places of the start of the step are now. Both vanish if the two move together,
//! however they turn; so friction, which is spread by `Bᵀ`, has no net force and no net torque. With `c = u × v`, `ĉ
//! = c/|c|`, the normal `n = ±ĉ` bends with `c` by
//!
//! $$ \partial_c (\partial_c n \cdot y) = \pm \frac{1}{|c|^2}
//!    \bigl( 3\, (\hat c \cdot y)\, \hat c \hat c^T - y \hat c^T - \hat c y^T - (\hat c \cdot y) I \bigr) $$

use super::MeshEdges;
use crate::contact::key::Name;
use crate::contact::obstacle::MovingPose;
use crate::math::{Matrix3, Vector3};
use crate::method::smooth::crossing::lines::{Lines, Slopes};
use crate::method::smooth::rigid_surface::Seen;
use crate::method::smooth::spot::{Second, Spot};

/// How `u`, `v`, `r` are made of the ends of A and of B.
const MADE: [[f64; 3]; 4] = [[-1.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 1.0], [0.0, 1.0, 0.0]];

/// Two edges in a state.
struct Ends {
    nodes: [Option<u32>; 4],
    x: [Vector3; 4],
    v: [Vector3; 4],
}

/// Where they were held at the start of the step: places along them, and how far apart [m].
#[derive(Clone, Copy)]
struct Held {
    places: [f64; 2],
    apart: f64,
}

impl Ends {
    fn pairs(&self) -> [[Vector3; 2]; 2] {
        let [a, b, c, d] = self.x;
        [[a, b], [c, d]]
    }
}

/// Weights of the four ends in `p − q`.
fn weights([s, t]: [f64; 2]) -> [f64; 4] {
    [1.0 - s, s, t - 1.0, -t]
}

fn spread(slopes: &Slopes) -> [Vector3; 4] {
    MADE.map(|made| (0..3).map(|k| slopes[k] * made[k]).sum())
}

impl Lines {
    /// `d` [m], and its slopes.
    fn apart(&self) -> (f64, Slopes) {
        let slope = |k: usize| self.by[2][k] * self.length + self.by_length[k] * self.p.z;
        (self.sign * self.p.z * self.length, [0, 1, 2].map(|k| slope(k) * self.sign))
    }

    /// `∂n` over the four ends [1/m].
    fn normal_change(&self) -> [Matrix3; 4] {
        let [by_u, by_v] = self.by_normal();
        MADE.map(|made| by_u * made[0] + by_v * made[1])
    }

    /// How `∂n · y` changes with `c` [1/m⁴].
    fn bend(&self, y: Vector3) -> Matrix3 {
        let unit = self.c / self.length;
        let along = unit.dot(&y);
        let sum = unit * unit.transpose() * (3.0 * along)
            - y * unit.transpose()
            - unit * y.transpose()
            - Matrix3::from_diagonal_element(along);
        sum * (self.sign / (self.length * self.length))
    }

    /// How `c` changes with `u` and `v`.
    fn by_cross(&self) -> [Matrix3; 2] {
        [-self.v.cross_matrix(), self.u.cross_matrix()]
    }

    /// Second derivatives of `n · y` by `u` and `v`.
    fn normal_bend(&self, y: Vector3) -> [[Matrix3; 2]; 2] {
        let (bend, by) = (self.bend(y), self.by_cross());
        let mut h = by.map(|a| by.map(|b| a.tr_mul(&(bend * b))));
        let unit = self.c / self.length;
        let slope = (y - unit * unit.dot(&y)) * (self.sign / self.length);
        h[0][1] -= slope.cross_matrix();
        h[1][0] += slope.cross_matrix();
        h
    }

    /// How `ṅ` changes with `u` and `v`, which change at these rates [1/(m·s)].
    fn turn_change(&self, [du, dv]: [Vector3; 2]) -> [Matrix3; 2] {
        let rate = du.cross(&self.v) + self.u.cross(&dv);
        let (bend, [by_u, by_v]) = (self.bend(rate), self.by_cross());
        let unit = self.c / self.length;
        let across = Matrix3::identity() - unit * unit.transpose();
        let by_c = across * (self.sign / self.length);
        [bend * by_u - by_c * dv.cross_matrix(), bend * by_v + by_c * du.cross_matrix()]
    }
}

impl MeshEdges {
    fn edges(spot: &Spot) -> Option<[u32; 2]> {
        match spot.point.name {
            Name::Edges(edges) => Some(edges),
            _ => None,
        }
    }

    fn in_state(&self, edges: [u32; 2], q: &[f64], v: &[f64], pose: &MovingPose) -> Ends {
        let of = |k: usize, end: usize| {
            let side = &self.sides[k];
            side.state(side.surface.edges()[edges[k] as usize][end], q, v, pose)
        };
        let all = [of(0, 0), of(0, 1), of(1, 0), of(1, 1)];
        Ends { nodes: all.map(|x| x.0), x: all.map(|x| x.1), v: all.map(|x| x.2) }
    }

    /// The lines of a spot at the start of the step.
    fn started(&self, edges: [u32; 2], sign: f64) -> Option<Lines> {
        let ends = [0, 1].map(|k| self.sides[k].ends(edges[k], &self.sides[k].start));
        self.lines(edges, &ends, sign)
    }

    /// Nothing where edges began nearly parallel: far beyond its ends, an edge holds nothing.
    fn held(&self, edges: [u32; 2], sign: f64) -> Option<Held> {
        let lines = self.started(edges, sign)?;
        let places = [lines.p.x, lines.p.y];
        let near = places.iter().all(|place| (-1.0..=2.0).contains(place));
        near.then(|| Held { places, apart: lines.apart().0 })
    }

    /// Gap and normal of two edges at the start of the step, with a given sign.
    pub(crate) fn started_on(&self, edges: [u32; 2], sign: f64) -> Option<(f64, Vector3)> {
        let lines = self.started(edges, sign)?;
        Some((lines.gap, lines.normal))
    }

    /// Where they are nearest to each other, and how they slide there [m, m/s].
    pub(crate) fn place(
        &self,
        edges: [u32; 2],
        sign: f64,
        q: &[f64],
        v: &[f64],
        pose: &MovingPose,
    ) -> Option<(Vector3, Vector3)> {
        let ends = self.in_state(edges, q, v, pose);
        let lines = self.lines(edges, &ends.pairs(), sign)?;
        Some((lines.place(&ends.pairs(), 0.0), slip_velocity(&slip(&lines), &ends)))
    }

    /// How B has turned at a contact since the start of the step: its edge, and the normal about it.
    pub(crate) fn rotation(&self, spot: &Spot, q: &[f64], pose: &MovingPose) -> Matrix3 {
        let frame = |lines: &Lines| {
            let along = lines.v.normalize();
            Matrix3::from_columns(&[along, lines.normal, along.cross(&lines.normal)])
        };
        let rotation = || {
            let edges = Self::edges(spot)?;
            let ends = self.in_state(edges, q, q, pose).pairs();
            let now = self.lines(edges, &ends, spot.around.side)?;
            let start = self.started(edges, spot.around.side)?;
            Some(frame(&now) * frame(&start).transpose())
        };
        rotation().unwrap_or_else(Matrix3::identity)
    }

    /// How much velocity a unit impulse gives to two edges where they touch at the start of the step; rigid bodies
    /// weigh `mass` [1/kg].
    pub(crate) fn mobility(&self, edges: [u32; 2], sign: f64, masses: &[f64], mass: f64) -> f64 {
        let places = self.started(edges, sign).map_or([0.5; 2], |lines| [lines.p.x, lines.p.y]);
        let weights = weights(places.map(|place| place.clamp(0.0, 1.0)));
        let nodes = self.nodes(edges);
        [0, 1]
            .map(|k| 2 * k..2 * k + 2)
            .map(|side| {
                let weigh = |k: usize| nodes[k].map_or(0.0, |node| masses[node as usize]);
                let each = side.clone().filter(|&k| weigh(k) > 0.0);
                let own: f64 = each.map(|k| weights[k] * weights[k] / weigh(k)).sum();
                // Nodes that a rigid body carries weigh nothing by themselves.
                let carried = side.clone().any(|k| nodes[k].is_some()) && own <= 0.0;
                if carried { 1.0 / mass } else { own }
            })
            .iter()
            .sum()
    }

    /// Gap and, where it is small, slip and derivatives; `pose` is that of B, in a step of length `step`.
    pub(crate) fn look(
        &self,
        spot: &mut Spot,
        seen: &Seen<'_>,
        (pose, step): (&MovingPose, f64),
        second: Option<&mut Second>,
    ) {
        let Some(edges) = Self::edges(spot) else { return };
        let ends = self.in_state(edges, seen.q, seen.v, pose);
        let Some(lines) = self.lines(edges, &ends.pairs(), spot.around.side) else { return };
        let geometry = &mut spot.geometry;
        geometry.gap = lines.gap;
        if lines.gap >= seen.below {
            return;
        }
        geometry.exists = true;
        geometry.own = 2;
        geometry.nodes.extend(ends.nodes);
        geometry.gradient.extend(spread(&lines.slope));
        let blocks = slip(&lines);
        geometry.slip.extend(blocks);
        geometry.velocity = slip_velocity(&blocks, &ends);
        let held = self.held(edges, spot.around.side);
        geometry.displacement = match held {
            Some(Held { places, apart }) => {
                let each = weights(places).into_iter().zip(ends.x);
                each.map(|(weight, x)| x * weight).sum::<Vector3>() - lines.normal * apart
            }
            // Nothing held it at the start: it slips as fast as it does now.
            None => geometry.velocity * step,
        };
        let Some(second) = second else { return };
        let hessian = lines.hessian();
        for a in &MADE {
            for b in &MADE {
                let mut block = Matrix3::zeros();
                for (i, row) in hessian.iter().enumerate() {
                    for (j, of) in row.iter().enumerate() {
                        block += of * (a[i] * b[j]);
                    }
                }
                second.hessian.push(block);
            }
        }
        match held {
            Some(Held { places, apart }) => {
                let each = weights(places).into_iter().zip(lines.normal_change());
                let block = |(weight, by)| Matrix3::from_diagonal_element(weight) - by * apart;
                second.carried.extend(each.map(block));
            }
            None => second.carried.extend(blocks),
        }
        second.slip_change.extend(slip_change(&lines, &ends));
    }

    /// Writes how the forces of a traction that stays change, over a stencil of `count` nodes of which the ends are
    /// the first.
    pub(crate) fn spread_change(
        &self,
        spot: &Spot,
        seen: &Seen<'_>,
        pose: &MovingPose,
        traction: Vector3,
        force_change: &mut Vec<Matrix3>,
    ) {
        let Some(edges) = Self::edges(spot) else { return };
        let ends = self.in_state(edges, seen.q, seen.v, pose);
        let Some(lines) = self.lines(edges, &ends.pairs(), spot.around.side) else { return };
        let count = spot.geometry.nodes.len();
        force_change.clear();
        force_change.resize(count * count, Matrix3::zeros());
        let (apart, by_apart) = lines.apart();
        let (by_apart, by_place) = (spread(&by_apart), [0, 1].map(|k| spread(&lines.by[k])));
        let (normal_change, bend) = (lines.normal_change(), lines.normal_bend(traction));
        for i in 0..4 {
            let turned = normal_change[i].tr_mul(&traction);
            let by_weight = if i % 2 == 0 { -1.0 } else { 1.0 } * if i < 2 { 1.0 } else { -1.0 };
            for j in 0..4 {
                let mut block = traction * by_place[i / 2][j].transpose() * by_weight
                    - turned * by_apart[j].transpose();
                for (a, row) in bend.iter().enumerate() {
                    for (b, of) in row.iter().enumerate() {
                        block -= of * (apart * MADE[i][a] * MADE[j][b]);
                    }
                }
                force_change[i * count + j] = block;
            }
        }
    }
}

/// `B`.
fn slip(lines: &Lines) -> [Matrix3; 4] {
    let (apart, weights) = (lines.apart().0, weights([lines.p.x, lines.p.y]));
    let turning = lines.normal_change();
    std::array::from_fn(|k| Matrix3::from_diagonal_element(weights[k]) - turning[k] * apart)
}

fn slip_velocity(slip: &[Matrix3; 4], ends: &Ends) -> Vector3 {
    slip.iter().zip(&ends.v).map(|(block, v)| block * v).sum()
}

/// `∂(B v)` [1/s].
fn slip_change(lines: &Lines, ends: &Ends) -> [Matrix3; 4] {
    let (apart, by_apart) = lines.apart();
    let rates = [ends.v[1] - ends.v[0], ends.v[3] - ends.v[2]];
    let turn: Vector3 = lines.normal_change().iter().zip(&ends.v).map(|(by, v)| by * v).sum();
    let by_turn = lines.turn_change(rates);
    let [by_s, by_t, by_apart] = [&lines.by[0], &lines.by[1], &by_apart].map(spread);
    std::array::from_fn(|k| {
        let turning = by_turn[0] * MADE[k][0] + by_turn[1] * MADE[k][1];
        rates[0] * by_s[k].transpose()
            - rates[1] * by_t[k].transpose()
            - turn * by_apart[k].transpose()
            - turning * apart
    })
}

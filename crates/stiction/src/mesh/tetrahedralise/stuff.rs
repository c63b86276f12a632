//! Isosurface stuffing [LS07]: tets of a lattice, snapped to the surface and cut where they cross it.
//!
//! 1. Every edge of the lattice whose ends are on different sides has a cut point.
//! 2. A node with a cut point too near (0.25 of a long edge, 0.41 of a short one) is moved there, and is then on the
//!    surface; its other cut points vanish.
//! 3. Tets inside are kept, those outside dropped, those between replaced by the part inside: a tet, a pyramid or a
//!    prism.
//!
//! Faces that two tets share are cut alike by both: a quad with one long edge cut is cut through that cut point; one
//! with both cut points on short edges by parity, so that neighbours around the long edge take turns. On a plane all
//! dihedral angles are then between 10.78° and 164.74° [LS07, §4].

use rayon::prelude::*;

use super::lattice::{Lattice, WAYS, is_forward, is_long, opposite};
use crate::math::Vector3;
use crate::mesh::{TetSoup, tet_volume};

/// How near a cut point pulls a node along a long edge, as a share of its length.
const NEAR_LONG: f64 = 0.24999;
/// Along a short edge.
const NEAR_SHORT: f64 = 0.41189;
/// Cubes along the side of a block that is looked at as a whole first.
const BLOCK: i32 = 4;

/// A lattice with a surface through it.
struct Cut<'a> {
    lattice: &'a Lattice,
    /// At the nodes, negative inside; of nodes far away only the sign counts [m].
    values: Vec<f64>,
    /// Cut points by edge, ascending.
    points: Vec<CutPoint>,
    /// Where nodes were moved to.
    moved: Vec<Option<Vector3>>,
}

#[derive(Clone, Copy, Debug)]
struct CutPoint {
    /// Node where the edge is kept, times fourteen, plus the way.
    edge: u64,
    /// From that node to the other, 0 to 1.
    share: f64,
    position: Vector3,
}

/// A vertex of the mesh before it has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Corner {
    Node(u32),
    Cut(u32),
}

/// The part of the lattice inside a surface.
///
/// `progress` hears how much of it is done, 0 to 1.
pub(super) fn stuff(
    lattice: &Lattice,
    distance: &(impl Fn(Vector3) -> f64 + Sync),
    progress: &mut dyn FnMut(f64),
) -> TetSoup {
    let values = values(lattice, distance);
    progress(0.4);
    let points = cut_points(lattice, &values, distance);
    progress(0.8);
    let moved = vec![None; values.len()];
    let mut cut = Cut { lattice, values, points, moved };
    cut.snap();
    let stencils: Vec<[Corner; 4]> = (lattice.centers().into_par_iter())
        .with_min_len(256)
        .flat_map_iter(|center| {
            let mut tets = Vec::new();
            for axis in 0..3 {
                for tet in lattice.tets(center, axis).into_iter().flatten() {
                    cut.fill(tet, &mut tets);
                }
            }
            tets
        })
        .collect();
    cut.mesh(&stencils)
}

fn values(lattice: &Lattice, distance: &(impl Fn(Vector3) -> f64 + Sync)) -> Vec<f64> {
    let last = lattice.place(lattice.node_count() as u32 - 1);
    let blocks = last.map(|place| place / (2 * BLOCK) + 1);
    let middle = |block: i32| 2 * BLOCK * block + BLOCK;
    let of_blocks: Vec<f64> = (0..blocks.iter().product::<i32>())
        .into_par_iter()
        .map(|block| {
            let [x, y, z] =
                [block % blocks[0], block / blocks[0] % blocks[1], block / blocks[0] / blocks[1]];
            distance(lattice.position([middle(x), middle(y), middle(z)]))
        })
        .collect();
    // No node of a block is farther from its middle.
    let radius = 0.5 * f64::from(BLOCK) * lattice.cell * 3.0_f64.sqrt() * (1.0 + 1e-9);
    (0..lattice.node_count() as u32)
        .into_par_iter()
        .with_min_len(256)
        .map(|node| {
            let place = lattice.place(node);
            let [x, y, z] = [0, 1, 2].map(|axis| (place[axis] / (2 * BLOCK)).min(blocks[axis] - 1));
            let of_block = of_blocks[(x + blocks[0] * (y + blocks[1] * z)) as usize];
            let near = (0..3).all(|axis| {
                place[axis] <= middle((place[axis] / (2 * BLOCK)).min(blocks[axis] - 1)) + BLOCK
            });
            if near && of_block.abs() > radius {
                of_block
            } else {
                distance(lattice.position(place))
            }
        })
        .collect()
}

fn cut_points(
    lattice: &Lattice,
    values: &[f64],
    distance: &(impl Fn(Vector3) -> f64 + Sync),
) -> Vec<CutPoint> {
    let mut points: Vec<CutPoint> = (0..values.len() as u32)
        .into_par_iter()
        .with_min_len(256)
        .flat_map_iter(|node| {
            let value = values[node as usize];
            let ways = (0..WAYS.len()).filter(|way| is_forward(*way));
            ways.filter_map(move |way| {
                let other = values[lattice.neighbour(node, way)? as usize];
                if value * other >= 0.0 {
                    return None;
                }
                let place = lattice.place(node);
                let there = [0, 1, 2].map(|axis| place[axis] + WAYS[way][axis]);
                let (from, to) = (lattice.position(place), lattice.position(there));
                let on_edge = |share: f64| from + (to - from) * share;
                let tolerance = 1e-4 * lattice.cell;
                let share = root(|share| distance(on_edge(share)), value, other, tolerance);
                let edge = u64::from(node) * WAYS.len() as u64 + way as u64;
                Some(CutPoint { edge, share, position: on_edge(share) })
            })
            .collect::<Vec<_>>()
        })
        .collect();
    points.sort_unstable_by_key(|point| point.edge);
    points
}

/// Where a function with these values at 0 and 1 is zero, within 0 and 1: regula falsi, Illinois variant.
fn root(f: impl Fn(f64) -> f64, at_zero: f64, at_one: f64, tolerance: f64) -> f64 {
    let ([mut a, mut b], [mut fa, mut fb]) = ([0.0, 1.0], [at_zero, at_one]);
    let mut t = fa / (fa - fb);
    for _ in 0..20 {
        let ft = f(t);
        if ft.abs() <= tolerance || !ft.is_finite() {
            break;
        }
        if (ft < 0.0) == (fb < 0.0) {
            fa *= 0.5;
        } else {
            (a, fa) = (b, fb);
        }
        (b, fb) = (t, ft);
        t = a + (b - a) * (fa / (fa - fb));
        if (b - a).abs() < 1e-6 {
            break;
        }
    }
    t.clamp(0.0, 1.0)
}

impl Cut<'_> {
    /// Moves nodes to cut points that are too near, in the order of their numbers.
    fn snap(&mut self) {
        let mut near: Vec<u32> = Vec::new();
        for point in &self.points {
            let (node, way) = ends(point.edge);
            near.push(node);
            near.extend(self.lattice.neighbour(node, way));
        }
        near.sort_unstable();
        near.dedup();
        for node in near {
            let mut nearest: Option<(f64, Vector3)> = None;
            for way in 0..WAYS.len() {
                let Some(point) = self.point(node, way) else { continue };
                let share = if is_forward(way) { point.share } else { 1.0 - point.share };
                let (limit, length) =
                    if is_long(way) { (NEAR_LONG, 1.0) } else { (NEAR_SHORT, 0.75_f64.sqrt()) };
                if share < limit && nearest.is_none_or(|(least, _)| share * length < least) {
                    nearest = Some((share * length, point.position));
                }
            }
            if let Some((_, position)) = nearest {
                self.moved[node as usize] = Some(position);
                self.values[node as usize] = 0.0;
            }
        }
    }

    /// The cut point of an edge, if its ends are (still) on different sides.
    fn point(&self, node: u32, way: usize) -> Option<&CutPoint> {
        self.point_number(node, way).map(|number| &self.points[number as usize])
    }

    fn point_number(&self, node: u32, way: usize) -> Option<u32> {
        let other = self.lattice.neighbour(node, way)?;
        if self.values[node as usize] * self.values[other as usize] >= 0.0 {
            return None;
        }
        let (keeper, way) = if is_forward(way) { (node, way) } else { (other, opposite(way)) };
        let edge = u64::from(keeper) * WAYS.len() as u64 + way as u64;
        self.points.binary_search_by_key(&edge, |point| point.edge).ok().map(|n| n as u32)
    }

    /// Adds the part of a tet that is inside.
    fn fill(&self, tet: [u32; 4], tets: &mut Vec<[Corner; 4]>) {
        let value = |node: u32| self.values[node as usize];
        let inside: Vec<u32> = tet.iter().copied().filter(|node| value(*node) < 0.0).collect();
        let rest: Vec<u32> = tet.iter().copied().filter(|node| value(*node) >= 0.0).collect();
        if inside.is_empty() {
            return;
        }
        let outside = rest.iter().filter(|node| value(**node) > 0.0).count();
        if outside == 0 {
            tets.push(tet.map(Corner::Node));
            return;
        }
        // Towards a node outside as far as the surface.
        let towards = |from: u32, to: u32| {
            if value(to) > 0.0 { self.between(from, to) } else { Corner::Node(to) }
        };
        let mut add = |tet: [Corner; 4]| tets.push(self.positive(tet));
        match (inside.as_slice(), rest.as_slice()) {
            (&[a], &[b, c, d]) => {
                add([Corner::Node(a), towards(a, b), towards(a, c), towards(a, d)]);
            }
            (&[a, b], &[c, d]) if outside == 1 => {
                let (cut, apex) = if value(c) > 0.0 { (c, d) } else { (d, c) };
                let (first, second) = if self.starts_at_first(a, b, cut) { (a, b) } else { (b, a) };
                // The quad a, b, and their cut points, cut from the first to the cut point of the second.
                let (p, q) = (self.between(first, cut), self.between(second, cut));
                let apex = Corner::Node(apex);
                add([Corner::Node(first), Corner::Node(second), q, apex]);
                add([Corner::Node(first), q, p, apex]);
            }
            (&[a, b], &[c, d]) => {
                let columns = [
                    (Corner::Node(a), Corner::Node(b)),
                    (self.between(a, c), self.between(b, c)),
                    (self.between(a, d), self.between(b, d)),
                ];
                let first = [self.starts_at_first(a, b, c), self.starts_at_first(a, b, d)];
                // The third quad is part of the surface: nobody shares it.
                let tets = [true, false].map(|third| prism(columns, [first[0], first[1], third]));
                let worst = |tets: &Option<[[Corner; 4]; 3]>| {
                    let shape = |tet: &[Corner; 4]| self.shape(tet);
                    tets.map_or(-1.0, |tets| tets.iter().map(shape).fold(f64::INFINITY, f64::min))
                };
                let better = if worst(&tets[0]) >= worst(&tets[1]) { tets[0] } else { tets[1] };
                better.into_iter().flatten().for_each(add);
            }
            (&[a, b, c], &[d]) => {
                let columns = [a, b, c].map(|v| (Corner::Node(v), self.between(v, d)));
                let first = [
                    self.starts_at_first(a, b, d),
                    self.starts_at_first(a, c, d),
                    self.starts_at_first(b, c, d),
                ];
                prism(columns, first).into_iter().flatten().for_each(add);
            }
            _ => unreachable!("a tet has four corners, and some are inside"),
        }
    }

    /// The cut point between a node inside and one outside.
    fn between(&self, inside: u32, outside: u32) -> Corner {
        let (from, to) = (self.lattice.place(inside), self.lattice.place(outside));
        let step = [0, 1, 2].map(|axis| to[axis] - from[axis]);
        let way = WAYS.iter().position(|way| *way == step).expect("nodes of a tet share an edge");
        Corner::Cut(self.point_number(inside, way).expect("the edge is cut"))
    }

    /// Of the quad between `a`, `b` and their cut points towards `c`: whether it is cut from `a` to the cut point of
    /// `b`.
    fn starts_at_first(&self, a: u32, b: u32, c: u32) -> bool {
        let [a, b, c] = [a, b, c].map(|node| self.lattice.place(node));
        let long = |x: [i32; 3], y: [i32; 3]| (x[0] ^ y[0]) & 1 == 0;
        if long(a, c) || long(b, c) {
            return long(b, c);
        }
        let greater = (0..3).filter(|&axis| a[axis] == b[axis] && c[axis] > a[axis]).count();
        (a < b) == (greater % 2 == 0)
    }

    fn position(&self, corner: Corner) -> Vector3 {
        match corner {
            Corner::Cut(number) => self.points[number as usize].position,
            Corner::Node(node) => self.moved[node as usize]
                .unwrap_or_else(|| self.lattice.position(self.lattice.place(node))),
        }
    }

    fn positive(&self, mut tet: [Corner; 4]) -> [Corner; 4] {
        if tet_volume(&tet.map(|corner| self.position(corner))) < 0.0 {
            tet.swap(2, 3);
        }
        tet
    }

    fn shape(&self, tet: &[Corner; 4]) -> f64 {
        let x = tet.map(|corner| self.position(corner));
        let edges = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
        let sum_sq: f64 = edges.map(|(i, j)| (x[i] - x[j]).norm_squared()).sum();
        tet_volume(&x).abs() / sum_sq.powf(1.5)
    }

    /// Numbers the corners that are used, nodes first.
    fn mesh(&self, stencils: &[[Corner; 4]]) -> TetSoup {
        let mut used: Vec<Corner> = stencils.iter().flatten().copied().collect();
        used.par_sort_unstable();
        used.dedup();
        let number = |corner: &Corner| used.binary_search(corner).expect("was collected") as u32;
        let elements = stencils.par_iter().map(|tet| tet.map(|corner| number(&corner))).collect();
        let vertices = used.iter().map(|corner| self.position(*corner)).collect();
        TetSoup::new(vertices, elements)
    }
}

fn ends(edge: u64) -> (u32, usize) {
    ((edge / WAYS.len() as u64) as u32, (edge % WAYS.len() as u64) as usize)
}

/// Three tets that fill a prism of three columns; `first` says of columns (0, 1), (0, 2) and (1, 2) whether their quad
/// is cut from the top of the first to the foot of the second. None if the cuts run in a circle.
fn prism(columns: [(Corner, Corner); 3], first: [bool; 3]) -> Option<[[Corner; 4]; 3]> {
    let [ab, ac, bc] = first;
    let order = match (ab, ac, bc) {
        (true, true, true) => [0, 1, 2],
        (true, true, false) => [0, 2, 1],
        (true, false, false) => [2, 0, 1],
        (false, true, true) => [1, 0, 2],
        (false, false, true) => [1, 2, 0],
        (false, false, false) => [2, 1, 0],
        (true, false, true) | (false, true, false) => return None,
    };
    let [i, j, k] = order.map(|column| columns[column]);
    Some([[i.0, j.0, k.0, k.1], [i.0, j.0, j.1, k.1], [i.0, i.1, j.1, k.1]])
}

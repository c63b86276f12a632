//! The volume inside a surface of triangles, and its derivatives.
//!
//! $$ V = \tfrac16 \sum x_a \cdot (x_b \times x_c), \qquad
//!    \frac{\partial V}{\partial x_a} = \tfrac16 \sum x_b \times x_c, \qquad
//!    \frac{\partial^2 V}{\partial x_a \partial x_b} = -\tfrac16 [x_c]_\times $$
//!
//! over triangles `(a, b, c)`, counter-clockwise seen from outside [Lar22, §4.3.3]. Of a closed surface `V` does
//! not depend on the origin; that of the formulas is the mean of the points, so that a body far away loses
//! no digits.
//!
//! Holes are filled by fans: each rim gets a *hub*, a virtual point in the mean of the rim's points, and a
//! virtual triangle for each of its edges. A hub moves with its rim, so derivatives with respect to it are handed on
//! to the rim in equal shares. In the second derivative this couples all points of a rim with each other;
//! that part has rank six at most and is given as columns ([`EnclosedVolume::rim_columns`]), not as blocks.

use std::collections::BTreeMap;

use crate::math::{Matrix3, Vector3};

/// A closed surface over numbered nodes; holes may be filled virtually.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnclosedVolume {
    /// Nodes of the surface, ascending. Triangles and rims count in this list.
    nodes: Vec<u32>,
    /// Real triangles, then those of fans; corners from `nodes.len()` on are hubs.
    triangles: Vec<[u32; 3]>,
    real: usize,
    /// Points around each hub, in order.
    rims: Vec<Vec<u32>>,
}

/// A surface with holes encloses nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the surface has {edges} open edges (holes: {holes})\n  help: {}", self.help())]
pub struct OpenSurface {
    /// Edges without a triangle on the other side, or with one that is turned over.
    pub edges: usize,
    /// Loops of such edges.
    pub holes: usize,
}

impl OpenSurface {
    /// What to do about it.
    pub fn help(&self) -> String {
        "close it, or let holes be filled".to_owned()
    }
}

/// A symmetric pair of columns, `u vᵀ + v uᵀ`: vectors at nodes, zero elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct RimColumns {
    /// `u` [m].
    pub u: Vec<(u32, Vector3)>,
    /// `v` [-].
    pub v: Vec<(u32, Vector3)>,
}

impl EnclosedVolume {
    /// The inside of a surface that has no holes.
    ///
    /// # Errors
    /// When it has.
    pub fn closed(triangles: &[[u32; 3]]) -> Result<Self, OpenSurface> {
        let filled = Self::with_holes_filled(triangles);
        if filled.rims.is_empty() {
            return Ok(filled);
        }
        let edges = filled.rims.iter().map(Vec::len).sum();
        Err(OpenSurface { edges, holes: filled.rims.len() })
    }

    /// The inside of a surface after its holes are filled.
    pub fn with_holes_filled(triangles: &[[u32; 3]]) -> Self {
        let mut nodes: Vec<u32> = triangles.iter().flatten().copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let local = |node: u32| nodes.binary_search(&node).expect("listed above") as u32;
        let mut triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(local)).collect();
        let real = triangles.len();
        let rims = rims(&triangles);
        for (k, rim) in rims.iter().enumerate() {
            let hub = (nodes.len() + k) as u32;
            let next = rim.iter().cycle().skip(1);
            triangles.extend(rim.iter().zip(next).map(|(&a, &b)| [a, b, hub]));
        }
        Self { nodes, triangles, real, rims }
    }

    /// The same surface seen from the other side: volumes change their sign.
    #[must_use]
    pub fn turned_over(mut self) -> Self {
        self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        self
    }

    /// Nodes of the surface, ascending.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Triangles over nodes, without those that fill holes.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.triangles[..self.real].iter().map(|t| t.map(|v| self.nodes[v as usize]))
    }

    /// How many holes are filled.
    pub fn hole_count(&self) -> usize {
        self.rims.len()
    }

    /// Writes the points of the surface and its hubs, relative to their mean, from flat positions `q` of all
    /// nodes [m]. The other functions ask for these.
    pub fn place(&self, q: &[f64], points: &mut Vec<Vector3>) {
        self.gather(q, points);
        let count = self.nodes.len().max(1) as f64;
        let origin = points[..self.nodes.len()].iter().sum::<Vector3>() / count;
        points.iter_mut().for_each(|x| *x -= origin);
    }

    /// Vectors at the nodes of the surface, and at hubs the mean of their rims.
    fn gather(&self, vectors: &[f64], at_points: &mut Vec<Vector3>) {
        at_points.clear();
        let at = |&node: &u32| Vector3::from_column_slice(&vectors[3 * node as usize..][..3]);
        at_points.extend(self.nodes.iter().map(at));
        for rim in &self.rims {
            let sum: Vector3 = rim.iter().map(|&v| at_points[v as usize]).sum();
            at_points.push(sum / rim.len() as f64);
        }
    }

    /// `V` [m³].
    pub fn volume(&self, points: &[Vector3]) -> f64 {
        let six_volume = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| points[v as usize]);
            a.dot(&b.cross(&c))
        };
        self.triangles.iter().map(six_volume).sum::<f64>() / 6.0
    }

    /// Writes `∂V/∂x` at each of [`EnclosedVolume::nodes`] [m²].
    pub fn gradient(&self, points: &[Vector3], gradient: &mut Vec<Vector3>) {
        gradient.clear();
        gradient.resize(points.len(), Vector3::zeros());
        for t in &self.triangles {
            let [a, b, c] = t.map(|v| points[v as usize]);
            for (v, area) in t.iter().zip([b.cross(&c), c.cross(&a), a.cross(&b)]) {
                gradient[*v as usize] += area / 6.0;
            }
        }
        self.hand_on(gradient);
    }

    /// Writes `∂²V/∂x²` times a change of all nodes at each node of the surface [m²]; `change` is flat [m],
    /// `at_points` scratch.
    pub fn hessian_product(
        &self,
        points: &[Vector3],
        change: &[f64],
        at_points: &mut Vec<Vector3>,
        product: &mut Vec<Vector3>,
    ) {
        self.gather(change, at_points);
        product.clear();
        product.resize(points.len(), Vector3::zeros());
        for t in &self.triangles {
            let x = t.map(|v| points[v as usize]);
            let dx = t.map(|v| at_points[v as usize]);
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                product[t[k] as usize] += (dx[i].cross(&x[j]) + x[i].cross(&dx[j])) / 6.0;
            }
        }
        self.hand_on(product);
    }

    /// Gives what hubs have to their rims, in equal shares.
    fn hand_on(&self, at_points: &mut Vec<Vector3>) {
        for (hub, rim) in (self.nodes.len()..).zip(&self.rims) {
            let share = at_points[hub] / rim.len() as f64;
            rim.iter().for_each(|&v| at_points[v as usize] += share);
        }
        at_points.truncate(self.nodes.len());
    }

    /// Pairs of nodes `(a, b)` that [`EnclosedVolume::for_each_block`] visits, in its order.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        let nodes = &self.nodes;
        self.inner_edges().map(|[a, b, _]| [nodes[a as usize], nodes[b as usize]])
    }

    /// Blocks of `∂²V/∂x²` within triangles, hubs held: calls `f(k, ∂²V/∂x_a∂x_b)` for the `k`-th of
    /// [`EnclosedVolume::edges`] [m]. The block of `(b, a)` is the transpose; those on the diagonal are zero.
    pub fn for_each_block(&self, points: &[Vector3], mut f: impl FnMut(usize, Matrix3)) {
        for (k, [_, _, c]) in self.inner_edges().enumerate() {
            f(k, (points[c as usize] / -6.0).cross_matrix());
        }
    }

    /// Edges between points that are no hubs, with the corner opposite.
    fn inner_edges(&self) -> impl Iterator<Item = [u32; 3]> {
        let count = self.nodes.len() as u32;
        let turns = |&[a, b, c]: &[u32; 3]| [[a, b, c], [b, c, a], [c, a, b]];
        self.triangles.iter().flat_map(turns).filter(move |[a, b, _]| *a < count && *b < count)
    }

    /// The rest of `∂²V/∂x²`: three pairs a hole, because hubs move [m].
    pub fn rim_columns(&self, points: &[Vector3]) -> Vec<RimColumns> {
        let mut columns = Vec::with_capacity(3 * self.rims.len());
        for (hub, rim) in (self.nodes.len() as u32..).zip(&self.rims) {
            // ∂²V/∂x_a∂hub of the fan, by points of the rim.
            let mut blocks: BTreeMap<u32, Matrix3> = BTreeMap::new();
            for &[a, b, c] in self.triangles[self.real..].iter() {
                // `turned_over` may have moved the hub to the middle.
                let (a, b) = if c == hub {
                    (a, b)
                } else if b == hub {
                    (c, a)
                } else {
                    continue;
                };
                let of = |v: u32| (points[v as usize] / 6.0).cross_matrix();
                *blocks.entry(a).or_default() += of(b);
                *blocks.entry(b).or_default() -= of(a);
            }
            for axis in 0..3 {
                let node = |v: u32| self.nodes[v as usize];
                let unit = Vector3::ith(axis, 1.0 / rim.len() as f64);
                columns.push(RimColumns {
                    u: blocks.iter().map(|(&v, b)| (node(v), b.column(axis).into())).collect(),
                    v: rim.iter().map(|&v| (node(v), unit)).collect(),
                });
            }
        }
        columns
    }
}

/// Loops of edges that have no partner, in the direction of the triangles that are missing.
fn rims(triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut open: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let forward = from < to;
            let key = if forward { [from, to] } else { [to, from] };
            *open.entry(key).or_default() += if forward { 1 } else { -1 };
        }
    }
    // What is missing runs against what is there.
    let mut onward: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for ([low, high], surplus) in open {
        let (from, to) = if surplus > 0 { (high, low) } else { (low, high) };
        for _ in 0..surplus.abs() {
            onward.entry(from).or_default().push(to);
        }
    }
    let mut rims = Vec::new();
    while let Some((&first, _)) = onward.iter().next() {
        let (mut rim, mut v) = (Vec::new(), first);
        // As many open edges leave a point as arrive: the edges of triangles are closed loops.
        while let Some(ends) = onward.get_mut(&v) {
            let next = ends.pop().expect("empty lists are taken out");
            if ends.is_empty() {
                onward.remove(&v);
            }
            rim.push(v);
            v = next;
            if v == first {
                break;
            }
        }
        rims.push(rim);
    }
    rims
}

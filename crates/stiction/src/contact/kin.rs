//! Which nodes are too near in the material to touch.
//!
//! Neighbours in a mesh are near each other and do not touch. What does is near in space and far in the material: so
//! a pair of features is left out if any node of the one is nearer to any node of the other, along the shape at rest,
//! than a radius. The relation is one over *nodes*, which welded bodies share: a seam is no contact, and neither is
//! what lies beside it.
//!
//! Distances are those along edges ([`EdgeGraph`]), which are too long by up to √2 on usual meshes; they are compared
//! with √2 times the radius, so that nothing within it is missed. Where triangles are slivers that is not enough, and
//! a shape may be folded at rest: [`Kin::offenders`] lists what is nearer than a layer and not kin.

use rayon::prelude::*;

use crate::geometry::bvh::NotABox;
use crate::geometry::features::{Proximity, Side, Surface, proximities, self_proximities};
use crate::math::Vector3;
use crate::mesh::topology::{Adjacency, EdgeGraph, Search, with_lengths};

/// How much longer ways along edges are taken to be than geodesics.
pub const DETOUR: f64 = std::f64::consts::SQRT_2;

/// A body at rest.
#[derive(Clone, Copy, Debug)]
pub struct RestShape<'a> {
    /// Edges of all of it, inside as well, between its vertices.
    pub edges: &'a [[u32; 2]],
    /// Where its vertices are at rest [m].
    pub positions: &'a [Vector3],
    /// The node of each vertex.
    pub nodes: &'a [u32],
    /// Vertices that may touch something: those of its surface.
    pub surface: &'a [u32],
    /// Below which distance its vertices are kin to others [m].
    pub radius: f64,
}

/// Pairs of nodes that are near in the material: symmetric, and every node is kin to itself.
#[doc(alias = "geodesic carving")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kin {
    of: Adjacency,
}

impl Kin {
    /// Nodes on surfaces of bodies whose distance in the material is below the radius of either body.
    ///
    /// # Panics
    /// When a number of a node is not below `node_count`.
    pub fn new(shapes: &[RestShape<'_>], node_count: usize) -> Self {
        let edges = shapes.iter().flat_map(|shape| {
            let node = |v: u32| shape.nodes[v as usize];
            with_lengths(shape.edges, shape.positions)
                .map(move |(ends, length)| (ends.map(node), length))
        });
        let graph = EdgeGraph::new(node_count, edges);
        // Of nodes that cannot touch there is none.
        let mut radii: Vec<Option<f64>> = vec![None; node_count];
        for shape in shapes {
            for &v in shape.surface {
                let radius = &mut radii[shape.nodes[v as usize] as usize];
                *radius = Some(radius.unwrap_or(0.0).max(shape.radius));
            }
        }
        let kin = |search: &mut Search<'_>, node: u32| {
            let radius = radii[node as usize].unwrap_or(0.0);
            let near = search.within(node, DETOUR * radius).into_iter().map(|(other, _)| other);
            let near = near.filter(|&other| radii[other as usize].is_some());
            near.map(|other| [node, other]).collect::<Vec<_>>()
        };
        let nodes = (0..node_count as u32).into_par_iter();
        let pairs: Vec<Vec<[u32; 2]>> = nodes.map_init(|| graph.search(), kin).collect();
        // Both ways, whatever sums of lengths round to on the way back.
        Self::of_pairs(node_count, pairs.iter().flatten().copied())
    }

    /// The relation that holds these pairs.
    fn of_pairs(node_count: usize, pairs: impl Iterator<Item = [u32; 2]> + Clone) -> Self {
        let own = (0..node_count as u32).map(|node| (node, node));
        let mut of =
            Adjacency::grouped(node_count, own.chain(pairs.flat_map(|[a, b]| [(a, b), (b, a)])));
        of.sort_and_deduplicate();
        Self { of }
    }

    /// The same relation and some pairs of nodes more.
    #[must_use]
    pub fn with(&self, more: &[[u32; 2]]) -> Self {
        let count = self.of.len();
        let own = (0..count as u32).flat_map(|a| self.of(a).iter().map(move |&b| [a, b]));
        Self::of_pairs(count, own.chain(more.iter().copied()))
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.of.len()
    }

    /// The kin of a node, ascending; it is one of them.
    pub fn of(&self, node: u32) -> &[u32] {
        self.of.of(node as usize)
    }

    /// Whether two nodes are too near in the material to touch.
    pub fn are_kin(&self, a: u32, b: u32) -> bool {
        // The longer list is not searched.
        let (one, other) = if self.of(a).len() <= self.of(b).len() { (a, b) } else { (b, a) };
        self.of(one).binary_search(&other).is_ok()
    }

    /// Whether any node of one feature is kin to any of another.
    pub fn any_kin(&self, a: &[u32], b: &[u32]) -> bool {
        a.iter().any(|&a| b.iter().any(|&b| self.are_kin(a, b)))
    }

    /// Whether two sides of a pair are; nodes are those of the vertices of either surface.
    pub fn sides_are_kin(&self, pair: &Proximity, nodes_a: &[u32], nodes_b: &[u32]) -> bool {
        let a = pair.a.vertices.map(|v| nodes_a[v as usize]);
        let b = pair.b.vertices.map(|v| nodes_b[v as usize]);
        self.any_kin(&a, &b)
    }

    /// What is not kin and yet nearer than a layer, ascending: to be looked at with the shape at rest, and with that
    /// at the start.
    ///
    /// # Errors
    /// When a position is not finite.
    pub fn offenders(
        &self,
        surface: &ContactSurface<'_>,
        layer: f64,
    ) -> Result<Vec<Offender>, NotABox> {
        let near = self_proximities(surface.surface, surface.positions, layer)?;
        let solid = |pair: &Proximity| {
            !surface.has_inside || surface.surface.face_each_other(pair, surface.positions)
        };
        Ok(self.listed(near.iter().filter(|pair| solid(pair)), [surface, surface], layer))
    }

    /// As [`Self::offenders`], of two surfaces that share nodes.
    ///
    /// # Errors
    /// When a position is not finite.
    pub fn offenders_between(
        &self,
        a: &ContactSurface<'_>,
        b: &ContactSurface<'_>,
        layer: f64,
    ) -> Result<Vec<Offender>, NotABox> {
        let near = proximities(a.surface, a.positions, b.surface, b.positions, layer)?;
        Ok(self.listed(near.iter(), [a, b], layer))
    }

    fn listed<'a>(
        &self,
        near: impl Iterator<Item = &'a Proximity>,
        [a, b]: [&ContactSurface<'_>; 2],
        layer: f64,
    ) -> Vec<Offender> {
        let strange = near
            .filter(|pair| pair.distance() < layer && !self.sides_are_kin(pair, a.nodes, b.nodes));
        let offender = |pair: &Proximity| {
            let vertices = [nearest(&pair.a), nearest(&pair.b)];
            let nodes = [a.nodes[vertices[0] as usize], b.nodes[vertices[1] as usize]];
            let joined = joined(a, b, pair);
            Offender { vertices, nodes, distance: pair.distance(), joined }
        };
        let mut found: Vec<Offender> = strange.map(offender).collect();
        // Of the same two vertices, the features that are nearest.
        found.sort_by(|x, y| x.vertices.cmp(&y.vertices).then(x.distance.total_cmp(&y.distance)));
        found.dedup_by_key(|offender| offender.vertices);
        found
    }
}

/// A surface that may touch itself or another one.
#[derive(Clone, Copy, Debug)]
pub struct ContactSurface<'a> {
    /// Its features.
    pub surface: &'a Surface,
    /// Where its vertices are [m].
    pub positions: &'a [Vector3],
    /// The node of each of its vertices.
    pub nodes: &'a [u32],
    /// Whether it is that of a solid: nothing touches through its inside.
    pub has_inside: bool,
}

/// Two places that are nearer than a layer and not kin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offender {
    /// Vertices of the two surfaces, nearest to the closest points.
    pub vertices: [u32; 2],
    /// Their nodes.
    pub nodes: [u32; 2],
    /// How far the features are from each other [m].
    pub distance: f64,
    /// Whether an edge of the surface joins the two features, as in slivers: they are near in the material all the
    /// same.
    pub joined: bool,
}

/// The corner with the largest weight.
fn nearest(side: &Side) -> u32 {
    let mut best = 0;
    for k in 1..3 {
        if side.weights[k] > side.weights[best] {
            best = k;
        }
    }
    side.vertices[best]
}

/// Whether an edge of either surface joins a node of the one side to a node of the other.
pub(crate) fn joined(a: &ContactSurface<'_>, b: &ContactSurface<'_>, pair: &Proximity) -> bool {
    let nodes_a = pair.a.vertices.map(|v| a.nodes[v as usize]);
    let nodes_b = pair.b.vertices.map(|v| b.nodes[v as usize]);
    let touches = |surface: &ContactSurface<'_>, vertices: [u32; 3], others: [u32; 3]| {
        vertices.iter().any(|&v| {
            let around = surface.surface.around(v);
            let corners = around.flat_map(|face| surface.surface.triangles()[face as usize]);
            corners.map(|w| surface.nodes[w as usize]).any(|node| others.contains(&node))
        })
    };
    touches(a, pair.a.vertices, nodes_b) || touches(b, pair.b.vertices, nodes_a)
}

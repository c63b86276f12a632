//! Edges of exact shapes against edges of triangles.
//!
//! Vertices of triangles against a shape and its corners against triangles miss what happens between: a thin rod across
//! a coarse net, the edge of a table under a cloth. With an edge `u` of the mesh, an edge `v` of the shape with a
//! radius `ϱ` around it, and `p`, `q` their nearest places, if both are between the ends,
//!
//! $$ n = \pm \frac{u \times v}{|u \times v|}, \qquad g = n \cdot (q - p) - \varrho - \text{skin} $$
//!
//! where `n` points out of the mesh: away from the faces beside `u` if it has an inside, else towards `v`. The faces
//! beside both have to fall away ([`Wedge`]). Where a face of the shape lies on triangles in a plane, their vertices
//! and its corners are all there is: edges within that plane do not touch. Nor, nearly in that plane, do edges with an
//! end under the face: it holds them, and more contacts than nodes would only make problems that have many solutions.
//! Edges that are nearly parallel have ends that touch.
//!
//! Limit: of compounds, edges where parts meet touch as well.

use super::body::Kind;
use super::rims::placed;
use super::search::{Placed, Search};
use crate::contact::candidate::End;
use crate::contact::key::Name;
use crate::geometry::closest::{self, Circle, places_near_circle};
use crate::geometry::features::{Feature, Proximity, Surface};
use crate::geometry::shape::{Compound, Edge};
use crate::geometry::wedge::{FLUSH, LEAN, Wedge};
use crate::math::Vector3;
use crate::mesh::{BoundingBox, triangle_normal};

/// How far from the ends nearest places are at least, in lengths of edges.
const INSIDE: f64 = 1e-9;
/// Sine of the angle below which edges count as parallel.
const PARALLEL: f64 = 1e-3;
/// How far edges may have gone through each other, in edges of the mesh: farther in, others are nearer.
const DEEPEST: f64 = 0.1;

/// An edge of a shape, in the frame of the body, and the radius of what is around it [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundEdge {
    edge: Edge,
    radius: f64,
}

/// Two edges where they cross.
struct Crossing {
    /// Where along the first, from zero to one, and in space [m].
    place: f64,
    at: Vector3,
    /// From the nearest place of the first to that of the second [m].
    offset: Vector3,
    /// Across both, of length one.
    across: Vector3,
}

impl Search<'_> {
    /// Edges and rims of the shape of B against edges of A, if that has no shape.
    pub(super) fn edges(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let mut near = Vec::new();
        for (number, RoundEdge { edge, radius }) in b.0.edges.iter().enumerate() {
            let ends = edge.ends.map(|end| b.1.pose.apply(&end));
            self.edges_near(a, &BoundingBox::of(&ends), *radius, &mut near);
            let turned = edge.inward.map(|ways| ways.map(|way| b.1.pose.rotation * way));
            let beside = Wedge::of(turned);
            for &(own, of_own) in &near {
                if let Some(crossing) = Crossing::of(&of_own, &ends) {
                    self.cross([a, b], [own, number as u32], &crossing, &beside, *radius);
                }
            }
        }
        for (number, rim) in b.0.rims.iter().enumerate() {
            let rim = placed(rim, b);
            let around = BoundingBox::of([&rim.center]).grown(rim.radius);
            self.edges_near(a, &around, 0.0, &mut near);
            for &(own, of_own) in &near {
                let places = places_near_circle(&rim, &of_own);
                for (side, s) in places.into_iter().enumerate() {
                    let met = s.and_then(|s| Crossing::of_rim(&rim, &of_own, s));
                    let Some((crossing, beside)) = met else { continue };
                    let name = b.0.edges.len() + 2 * number + side;
                    self.cross([a, b], [own, name as u32], &crossing, &beside, 0.0);
                }
            }
        }
    }

    /// How far edges may have gone through each other at a body [m].
    fn deepest(a: Placed<'_>) -> f64 {
        DEEPEST * a.0.size
    }

    /// Replaces what is in `near` by the edges of A, if it is triangles, that are as near to a box as an edge with a
    /// radius reaches.
    fn edges_near(
        &self,
        a: Placed<'_>,
        bounds: &BoundingBox,
        radius: f64,
        near: &mut Vec<(u32, [Vector3; 2])>,
    ) {
        near.clear();
        let Some(mesh) = a.0.triangles() else { return };
        let reach = (self.reach + radius + self.skin(a)).max(Self::deepest(a));
        let around = bounds.grown(reach);
        if a.1.bounds.is_some_and(|bounds| !bounds.overlaps(&around)) {
            return;
        }
        let mut faces = Vec::new();
        a.1.faces_near(&mesh.surface, &around, &mut faces);
        let mut edges: Vec<u32> =
            faces.iter().flat_map(|&face| mesh.surface.edges_around(face)).collect();
        edges.sort_unstable();
        edges.dedup();
        let ends = |edge: u32| mesh.surface.edges()[edge as usize].map(|k| a.1.x[k as usize]);
        near.extend(edges.into_iter().map(|edge| (edge, ends(edge))));
    }

    /// An edge of the mesh of A and one of the shape of B, which has a radius and faces beside it.
    fn cross(
        &mut self,
        [a, b]: [Placed<'_>; 2],
        [own, other]: [u32; 2],
        crossing: &Crossing,
        beside: &Wedge,
        radius: f64,
    ) {
        let Some(mesh) = &a.0.mesh else { return };
        let (skin, deepest) = (self.skin(a), Self::deepest(a));
        let reach = self.reach + radius + skin;
        if crossing.offset.norm_squared() > reach.max(deepest).powi(2) {
            return;
        }
        let of_mesh = (own, &mesh.surface, &*a.1.x, mesh.closed);
        let ends = mesh.surface.edges()[own as usize];
        let held = ends.iter().any(|end| self.held.binary_search(end).is_ok());
        let Some(out) = way_out(crossing, of_mesh, beside, held) else { return };
        let apart = out.dot(&crossing.offset);
        if apart > reach || apart < -deepest {
            return;
        }
        let [i, j] = ends.map(|k| mesh.nodes[k as usize]);
        let own_end = match a.0.kind {
            Kind::Soft => End::Nodes([i, j, j], [1.0 - crossing.place, crossing.place, 0.0]),
            _ => self.end(a, crossing.at),
        };
        let ends = [own_end, self.end(b, crossing.at + crossing.offset - out * radius)];
        let name = Name::Edges([own, other]);
        self.push([a, b], name, crossing.at, -out, apart - radius - skin, ends);
    }
}

impl Crossing {
    /// Nothing if they are nearly parallel, or nearest at an end.
    fn of(a: &[Vector3; 2], b: &[Vector3; 2]) -> Option<Self> {
        let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
        let places = closest::places(u, v, w);
        if !places.iter().all(|s| (INSIDE..=1.0 - INSIDE).contains(s)) {
            return None;
        }
        let across = u.cross(&v).try_normalize(PARALLEL * u.norm() * v.norm())?;
        let [s, t] = places;
        Some(Self { place: s, at: a[0] + u * s, offset: v * t - u * s - w, across })
    }

    /// A segment and a rim at a place where they are nearer than beside it, and the cap and the side beside the rim.
    fn of_rim(rim: &Circle, a: &[Vector3; 2], s: f64) -> Option<(Self, Wedge)> {
        let inside = (INSIDE..=1.0 - INSIDE).contains(&s);
        let u = a[1] - a[0];
        let at = a[0] + u * s;
        let radial = rim.towards(at).filter(|_| inside)?;
        let offset = rim.center + radial * rim.radius - at;
        let across = u.cross(&rim.axis.cross(&radial)).try_normalize(PARALLEL * u.norm())?;
        Some((Self { place: s, at, offset, across }, Wedge::of(Some([-radial, -rim.axis]))))
    }
}

/// The way out of a mesh at one of its edges, towards an edge of a shape that has the faces `beside` it; nothing if
/// they cannot touch there, or need not because an end is `held`.
fn way_out(
    crossing: &Crossing,
    (edge, surface, x, closed): (u32, &Surface, &[Vector3], bool),
    beside: &Wedge,
    held: bool,
) -> Option<Vector3> {
    let towards = if crossing.across.dot(&crossing.offset) < 0.0 {
        -crossing.across
    } else {
        crossing.across
    };
    let own = surface.wedge(edge, x);
    let flat = if held { LEAN } else { FLUSH };
    let admitted = |way: Vector3| {
        let of_mesh = own.along(way)?;
        let of_shape = beside.along(-of_mesh.way)?;
        (of_mesh.fall > flat || of_shape.least > flat).then_some(-of_shape.way)
    };
    if closed {
        let face = |face: u32| surface.triangles()[face as usize].map(|k| x[k as usize]);
        let normals = surface.beside(edge).filter_map(|f| triangle_normal(&face(f)));
        let outward = normals.sum::<Vector3>().dot(&towards) >= 0.0;
        return admitted(if outward { towards } else { -towards });
    }
    // What has no inside is on the side it is on: below the lower edge of a thin rod it would seem to be inside of the
    // upper one.
    admitted(towards)
}

/// Normal and distance of edges of two meshes, if they touch there: both are ridges, and the faces beside them fall
/// away.
pub(super) fn ridges(
    near: &Proximity,
    [a, b]: [(&Surface, &[Vector3]); 2],
) -> Option<(Vector3, f64)> {
    let [Feature::Edge(e), Feature::Edge(f)] = near.features() else { return None };
    let wedges = [a.0.wedge(e, a.1), b.0.wedge(f, b.1)];
    let normal = ridge(&wedges, near.offset.try_normalize(0.0)?)?;
    Some((normal, normal.dot(&near.offset)))
}

/// The way out of the second of two ridges that is across faces which rise towards `out`; nothing if they do not fall
/// away. Where faces beside both rise, it lies between what either turns it to first.
pub(super) fn ridge([a, b]: &[Wedge; 2], out: Vector3) -> Option<Vector3> {
    let (by_a, by_b) = (a.along(-out)?, b.along(out)?);
    let (then_a, then_b) = (a.along(-by_b.way)?, b.along(-by_a.way)?);
    let falls = [by_a, by_b, then_a, then_b].iter().all(|leaning| leaning.fall > FLUSH);
    let ways = [-then_a.way, then_b.way];
    falls.then(|| if ways[0] == ways[1] { ways[0] } else { (ways[0] + ways[1]).normalize() })
}

/// In the frame of the body.
pub(super) fn edges_of(shape: &Compound) -> Vec<RoundEdge> {
    let mut all = Vec::new();
    for part in shape.parts() {
        let (edges, radius) = part.shape.edges();
        all.extend(edges.into_iter().map(|edge| {
            let ends = edge.ends.map(|end| part.pose.apply(&end));
            let inward = edge.inward.map(|ways| ways.map(|way| part.pose.rotation * way));
            RoundEdge { edge: Edge { ends, inward }, radius }
        }));
    }
    all
}

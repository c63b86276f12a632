//! Vertices and balls against whatever knows how far a point is from it: exact shapes, and obstacles of any kind.

use super::body::Kind;
use super::cone::NormalCone;
use super::search::{Placed, Search};
use crate::contact::candidate::End;
use crate::contact::key::Name;
use crate::geometry::Pose;
use crate::geometry::manifold::{ManifoldPoint, contacts};
use crate::geometry::shape::Convex;
use crate::math::Vector3;

/// How far a ball may come aside in a step at most, in radii.
const ASIDE: f64 = 0.1;
/// How much farther than its middle the nearest place goes where a ball touches in several: in a hollow of radius `ϱ` a
/// ball of radius `r` has `ϱ / (ϱ − r)` times as far, over a plane as far.
const HOLLOW: f64 = 4.0;

impl Search<'_> {
    /// Vertices of A against the shape of B, or the distance to it.
    pub(super) fn vertices(&mut self, a: Placed<'_>, b: Placed<'_>) {
        if a.0.is_round() {
            return self.balls(a, b);
        }
        let Some(mesh) = &a.0.mesh else { return };
        let skin = self.skin(a);
        let mut found: Vec<ManifoldPoint> = Vec::new();
        // How far it is from what is not near this box need not be known.
        let around = b.1.bounds.map(|bounds| bounds.grown(skin + self.reach));
        for (k, x) in a.1.x.iter().enumerate() {
            if around.is_some_and(|around| !around.is_near(x, 0.0)) {
                continue;
            }
            let Some((gap, normal)) = self.distance(b, *x, skin, &mut found) else { continue };
            self.held.push(k as u32);
            if gap > 0.0 && self.is_ghost(a, k as u32, -normal) {
                continue;
            }
            let own = match a.0.kind {
                Kind::Soft => End::Nodes([mesh.nodes[k]; 3], [1.0, 0.0, 0.0]),
                _ => self.end(a, *x),
            };
            let at = *x - normal * gap;
            let ends = [own, self.end(b, at)];
            self.push([a, b], Name::Vertex(mesh.vertices[k]), *x, normal, gap, ends);
        }
    }

    /// Whether a vertex of A, if that is triangles, cannot be touched along a way out of it.
    fn is_ghost(&self, a: Placed<'_>, vertex: u32, way: Vector3) -> bool {
        a.0.triangles().is_some_and(|mesh| {
            let cone = NormalCone::at(&mesh.surface, vertex, &a.1.x);
            !cone.admits(way, !mesh.closed)
        })
    }

    /// Balls of A against the distance to B.
    fn balls(&mut self, a: Placed<'_>, b: Placed<'_>) {
        for (number, &(middle, radius)) in a.0.corners.iter().enumerate() {
            let x = a.1.pose.apply(&middle);
            let skin = self.skin(a);
            let found = self.distance(b, x, radius + skin, &mut Vec::new());
            let Some((gap, normal)) = found else { continue };
            let at = x - normal * (radius + skin + gap);
            let ends = [self.end(a, at), self.end(b, at)];
            self.push([a, b], Name::Corner(number as u32), at, normal, gap, ends);
            self.beside([a, b], number as u32, (x, radius + skin), at);
        }
    }

    /// Other places of an obstacle that a ball touches in a hollow: what is nearest when its middle `x` is a little
    /// aside. Where that is nearly `at`, as on all that is flat or bulges, there are none.
    fn beside(
        &mut self,
        [a, b]: [Placed<'_>; 2],
        ball: u32,
        (x, radius): (Vector3, f64),
        at: Vector3,
    ) {
        let (Kind::Obstacle(surface), Some([pose, _])) = (&b.0.kind, &b.1.moving) else { return };
        let little = self.reach.min(ASIDE * radius);
        let mut places = vec![at];
        for way in 0..6 {
            let there = if way % 2 == 0 { little } else { -little };
            let aside = x + pose.axes.column(way / 2) * there;
            let Some(jet) = surface.distance(pose, aside).filter(|jet| jet.value > 0.0) else {
                continue;
            };
            let Some(out) = jet.gradient.try_normalize(1e-9) else { continue };
            let place = aside - out * jet.value;
            let (far, from) = ((x - place).norm(), x - place);
            let known = places.iter().any(|known| (place - known).norm() < HOLLOW * little);
            // The surface has to face the ball.
            if known || far - radius > self.reach || from.dot(&out) < 0.5 * far {
                continue;
            }
            places.push(place);
            let ends = [self.end(a, place), self.end(b, place)];
            let name = Name::Beside { ball, way: way as u32 };
            self.push([a, b], name, place, from / far, far - radius, ends);
        }
    }

    /// How far a point is from a body, less a skin, and the way out; nothing if that is out of reach.
    pub(super) fn distance(
        &self,
        (body, place): Placed<'_>,
        x: Vector3,
        skin: f64,
        found: &mut Vec<ManifoldPoint>,
    ) -> Option<(f64, Vector3)> {
        if let (Kind::Obstacle(surface), Some([pose, _])) = (&body.kind, &place.moving) {
            let jet = surface.distance(pose, x)?;
            let slope = jet.gradient.norm();
            let (gap, normal) = (jet.value - skin, jet.gradient / slope);
            return (slope > 1e-9 && gap <= self.reach).then_some((gap, normal));
        }
        let shape = body.shape.as_ref()?;
        let mut nearest: Option<(f64, Vector3)> = None;
        for part in shape.parts() {
            found.clear();
            let (ball, at) = (Convex::Sphere { radius: skin }, Pose::at(x));
            contacts(&ball, &at, &part.shape, &(place.pose * part.pose), self.reach, found);
            for point in &*found {
                if nearest.is_none_or(|(gap, _)| point.gap < gap) {
                    nearest = Some((point.gap, point.normal));
                }
            }
        }
        nearest
    }
}

//! One pair of bodies, by the kinds of their geometry.

use super::SKIN;
use super::body::{ContactBody, Kind};
use super::itself::Itself;
use super::place::Place;
use crate::contact::ContactRule;
use crate::contact::candidate::{Candidate, End};
use crate::contact::key::{Key, Name};
use crate::geometry::features::Feature;
use crate::geometry::manifold::Kept;
use crate::math::{Matrix3, Vector3, any_across};

/// A body, and where it is.
pub(super) type Placed<'a> = (&'a ContactBody, &'a Place);

/// Looks at one pair of bodies.
pub(super) struct Search<'a> {
    /// Gaps that count [m].
    pub(super) reach: f64,
    /// How far the two may move against each other, at most [m].
    pub(super) travel: f64,
    /// Length of the step [s].
    pub(super) h: f64,
    pub(super) rule: &'a ContactRule,
    /// What is known of the manifold of the pair.
    pub(super) kept: &'a mut Kept,
    /// What may overlap, in sizes.
    pub(super) slack: f64,
    pub(super) found: &'a mut Vec<Candidate>,
    /// Vertices of the surface that touch, ascending.
    pub(super) held: Vec<u32>,
    /// Which bodies share nodes, and what is kin.
    pub(super) itself: &'a Itself,
}

impl Search<'_> {
    pub(super) fn pair(&mut self, a: Placed<'_>, b: Placed<'_>) {
        match (&a.0.shape, &b.0.shape) {
            (Some(_), Some(_)) => self.shapes(a, b),
            // An obstacle knows its distance, whatever it is.
            _ if matches!(b.0.kind, Kind::Obstacle(_)) => self.both(a, b),
            (None, Some(_)) => self.both(a, b),
            (Some(_), None) => self.both(b, a),
            (None, None) => self.meshes(a, b),
        }
    }

    /// Vertices of A against B, and corners and edges of B against A.
    fn both(&mut self, a: Placed<'_>, b: Placed<'_>) {
        self.vertices(a, b);
        self.corners(a, b);
        self.rims(a, b);
        self.edges(a, b);
        self.landmarks(a, b);
    }

    /// What a surface keeps between itself and others [m].
    pub(super) fn skin(&self, (body, _): Placed<'_>) -> f64 {
        match body.kind {
            Kind::Soft => self.rule.thickness.unwrap_or(SKIN * body.size),
            // What is open has no inside that would tell its two sides apart.
            _ if body.triangles().is_some_and(|mesh| !mesh.closed) => {
                self.rule.thickness.unwrap_or(SKIN * body.size)
            }
            _ => self.rule.thickness.unwrap_or(0.0),
        }
    }

    /// What moves a point of a body that does not deform.
    pub(super) fn end(&self, (body, place): Placed<'_>, x: Vector3) -> End {
        match (&body.kind, &place.moving) {
            (Kind::Rigid(number), _) => End::Rigid(*number),
            (_, Some([start, end])) => {
                End::Moved((end.to_world(start.to_local(x)) - x) / self.h, end.spin)
            }
            (_, None) => End::Moved(Vector3::zeros(), Vector3::zeros()),
        }
    }

    /// Appends a contact; the normal points out of B.
    pub(super) fn push(
        &mut self,
        [a, b]: [Placed<'_>; 2],
        name: Name,
        point: Vector3,
        normal: Vector3,
        gap: f64,
        ends: [End; 2],
    ) {
        let bodies = [a.0.number, b.0.number];
        let vertex = match name {
            Name::Vertex(vertex) => Some(vertex),
            Name::Meshes([Feature::Vertex(k), _]) => {
                a.0.mesh.as_ref().map(|mesh| mesh.vertices[k as usize])
            }
            _ => None,
        };
        let tangent = any_across(normal);
        let sizes = [a, b].map(|side| side.0.size).into_iter();
        self.found.push(Candidate {
            key: Key { bodies, name },
            bodies,
            ends,
            point,
            levers: None,
            frame: Matrix3::from_columns(&[normal, tangent, normal.cross(&tangent)]),
            gap,
            size: sizes.filter(|size| *size > 0.0).fold(f64::MAX, f64::min),
            travel: self.travel,
            vertex,
        });
    }
}

//! Which bodies touch, and where.
//!
//! | | an exact shape | triangles | an obstacle without convex shape |
//! |---|---|---|---|
//! | exact shape | manifolds | vertices against the shape; if they deform, its corners against them (`corners.rs`), edges against edges (`edges.rs`) | vertices against the distance |
//! | triangles | | vertices, edges and faces, each pair once | vertices against the distance |
//!
//! Meshes keep a skin between them: the sign of a distance between triangles is lost once they cross.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Impulse;
use super::body::{ContactBody, Kind, Place};
use super::edges::ridges;
use super::faces::plant;
use super::itself::Itself;
use super::kept::{KeptPairs, STILL, worth_keeping};
use super::touch::{End, Name, Touch, TouchKey};
use crate::contact::ContactRule;
use crate::contact::friction::{ContactAt, Grip};
use crate::contact::rule::rule_of;
use crate::contact::turn::any_across;
use crate::geometry::Pose;
use crate::geometry::features::{Feature, Proximity, proximities};
use crate::geometry::manifold::{Kept, ManifoldPoint, compound_contacts, contacts};
use crate::geometry::shape::Convex;
use crate::math::{Matrix3, Vector3};
use crate::model::Model;
use crate::scene::Scene;
use crate::threads::map_each;

/// Skin of meshes, in mean edge lengths.
pub(super) const SKIN: f64 = 0.01;
/// What is found beyond what a step can reach, in sizes of bodies: contacts that rest are found whatever rounding does.
pub(super) const MARGIN: f64 = 1e-3;
/// Pairs that a thread searches at once.
const PAIRS_TOGETHER: usize = 64;
/// Contacts that a thread lets friction act at.
pub(super) const TOUCHES_TOGETHER: usize = 256;

/// What scenes say about pairs.
#[derive(Debug)]
pub(super) struct Rules {
    named: BTreeMap<[u32; 2], ContactRule>,
    default: ContactRule,
    /// Of each body, which of the kinds of skins it has; and rules of their pairs, kind by kind.
    kinds: Vec<Option<usize>>,
    of_kinds: Vec<Vec<ContactRule>>,
    /// The thickest layer that a pair is said to have [m].
    pub(super) thickest: f64,
}

impl Rules {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut named = BTreeMap::new();
        let joined = scene.joints.iter().filter_map(|joint| match joint.between {
            [crate::body::End::Body(a), crate::body::End::Body(b)] => Some([a, b]),
            _ => None,
        });
        for pair in scene.contacts.iter().map(|rule| rule.between).chain(joined) {
            let [a, b] = pair.map(|body| body.index());
            let [a, b] = [a.min(b), a.max(b)];
            named.insert([a as u32, b as u32], rule_of(scene, a, b));
        }
        let nobody = crate::body::BodyId(u32::MAX);
        let default = ContactRule { friction: scene.friction, ..ContactRule::new(nobody, nobody) };
        // Copies of a body have the same skin: kinds are few, pairs of bodies are many.
        let mut first: Vec<crate::body::BodyId> = Vec::new();
        let kinds = scene.ids().map(|body| {
            let skin = scene.skins.get(&body)?;
            let like = |other: &crate::body::BodyId| {
                let other = &scene.skins[other];
                (&other.stuff, other.coefficient) == (&skin.stuff, skin.coefficient)
            };
            Some(first.iter().position(like).unwrap_or_else(|| {
                first.push(body);
                first.len() - 1
            }))
        });
        let kinds = kinds.collect();
        let rule = |a, b| ContactRule { friction: scene.friction_of(a, b), ..default.clone() };
        let of_kinds = first.iter().map(|&a| first.iter().map(|&b| rule(a, b)).collect()).collect();
        // Kinds differ by friction alone.
        let said = named.values().filter_map(|rule: &ContactRule| rule.thickness);
        let thickest = said.fold(0.0, f64::max);
        Self { named, default, kinds, of_kinds, thickest }
    }

    /// Of two bodies.
    pub(super) fn of(&self, [a, b]: [u32; 2]) -> &ContactRule {
        let named = self.named.get(&[a.min(b), a.max(b)]);
        named.unwrap_or_else(|| match [a, b].map(|body| self.kinds[body as usize]) {
            [Some(a), Some(b)] => &self.of_kinds[a][b],
            _ => &self.default,
        })
    }
}

impl Impulse {
    /// Contacts of a step of length `h` from `(q, v)` at time `t`, ascending by key.
    pub(super) fn detect(
        &mut self,
        model: &Model,
        (t, h): (f64, f64),
        q: &[f64],
        v: &[f64],
    ) -> Vec<Touch> {
        let place = |_, body: &ContactBody| Place::of(body, model, (t, h), q, v);
        let mut places = map_each(&self.bodies, PAIRS_TOGETHER, place);
        let gravity = model.gravity().norm() * h * h;
        let near = self.near.pairs(&self.bodies, &places, gravity, self.rules.thickest);
        plant(&self.bodies, &mut places, &near);
        self.kept.follow(near);
        self.recall_held(&places, (model, t, q, v), |this, pair| {
            let mut touches = Vec::new();
            this.search(pair, &places, (gravity, h), &mut Kept::default(), &mut touches);
            touches
        });
        loop {
            let mut touches = self.search_all(&places, gravity, h);
            self.search_itself(&places, (gravity, h, v), &mut touches);
            if !self.sleepers.wake_touched(&touches) {
                break touches;
            }
        }
    }

    /// Contacts of all pairs that are near each other and not asleep.
    fn search_all(&mut self, places: &[Place], gravity: f64, h: f64) -> Vec<Touch> {
        let mut kept = std::mem::take(&mut self.kept);
        let search = |(pairs, manifolds): (&[[u32; 2]], &mut [Kept])| {
            let mut touches = Vec::new();
            for (pair, kept) in pairs.iter().zip(manifolds) {
                if !self.sleepers.ignores(*pair, &self.bodies, places) {
                    self.search(*pair, places, (gravity, h), kept, &mut touches);
                }
            }
            touches
        };
        let KeptPairs { pairs, manifolds } = &mut kept;
        let mut touches = if pairs.len() <= PAIRS_TOGETHER {
            search((pairs, manifolds))
        } else {
            let together = pairs.par_chunks(PAIRS_TOGETHER);
            let together = together.zip(manifolds.par_chunks_mut(PAIRS_TOGETHER));
            let parts: Vec<Vec<Touch>> = together.map(search).collect();
            let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
            parts.into_iter().for_each(|mut part| all.append(&mut part));
            all
        };
        self.kept = kept;
        // Pairs ascend, but where vertices of the second body touch the first, that one comes first.
        if !touches.is_sorted_by_key(|touch| touch.key) {
            touches.sort_by_key(|touch| touch.key);
        }
        touches
    }

    /// Appends the contacts of a pair of bodies, ascending by key.
    fn search(
        &self,
        pair: [u32; 2],
        places: &[Place],
        (gravity, h): (f64, f64),
        kept: &mut Kept,
        touches: &mut Vec<Touch>,
    ) {
        let rule = self.rules.of(pair);
        if !rule.enabled {
            return;
        }
        let [one, other] = pair.map(|k| (&self.bodies[k as usize], &places[k as usize]));
        let travel = one.1.travel + other.1.travel;
        let reach = travel + gravity + MARGIN * one.0.size.max(other.0.size);
        let first = touches.len();
        let slack = self.settings.stabilisation.slack();
        let itself = &self.itself;
        Search { reach, h, rule, kept, slack, touches, held: Vec::new(), itself }.pair(one, other);
        for touch in &mut touches[first..] {
            touch.restitution = rule.restitution;
            touch.rests = travel <= slack * touch.size && touch.gap <= slack * touch.size;
        }
        touches[first..].sort_unstable_by_key(|touch| touch.key);
    }
}

impl Impulse {
    /// Lets friction act at contacts of a step that begins at time `t` with `(q, v)`. Apart from finding them: contacts are found before it is
    /// remembered which of them slid.
    pub(super) fn take_hold(
        &self,
        mut touches: Vec<Touch>,
        model: &Model,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Vec<Touch> {
        let hold = |touch: &mut Touch| {
            let surface = |side: usize| {
                let body = &self.bodies[touch.bodies[side] as usize];
                body.skin_at(&touch.ends[side], touch.point, model, t, q)
            };
            let normal = touch.normal();
            let [a, b] = touch.ends.map(|end| end.velocity(touch.point, model, q, v));
            let known = self.remembered(&touch.key);
            let contact = ContactAt {
                normal,
                slip: (a - b) - normal * normal.dot(&(a - b)),
                against: known.map_or([false; 2], |known| known.against),
                // Frozen during a step: a coefficient that fell as soon as something slides would have no solution.
                sticking: !known.is_some_and(|known| known.slid),
                surfaces: [surface(0), surface(1)],
            };
            let contact = contact.slipped(self.noise());
            touch.against = contact.against;
            touch.grips(self.rules.of(touch.bodies).friction.grip(&contact));
        };
        if touches.len() <= TOUCHES_TOGETHER {
            touches.iter_mut().for_each(hold);
        } else {
            touches.par_iter_mut().with_min_len(TOUCHES_TOGETHER).for_each(hold);
        }
        touches
    }
}

/// What two meshes, or parts of one, keep between them [m].
pub(super) fn layer(rule: &ContactRule, a: &ContactBody, b: &ContactBody) -> f64 {
    rule.thickness.unwrap_or(SKIN * a.size.min(b.size))
}

pub(super) type Placed<'a> = (&'a ContactBody, &'a Place);

pub(super) struct Search<'a> {
    pub(super) reach: f64,
    pub(super) h: f64,
    pub(super) rule: &'a ContactRule,
    /// What is known of the manifold of the pair.
    pub(super) kept: &'a mut Kept,
    /// What may overlap, in sizes.
    pub(super) slack: f64,
    pub(super) touches: &'a mut Vec<Touch>,
    /// Vertices of the surface that touch, ascending.
    pub(super) held: Vec<u32>,
    /// Which bodies share nodes, and what is kin.
    pub(super) itself: &'a Itself,
}

impl Search<'_> {
    fn pair(&mut self, a: Placed<'_>, b: Placed<'_>) {
        match (&a.0.shape, &b.0.shape) {
            (Some(_), Some(_)) => self.shapes(a, b),
            // An obstacle knows its distance, whatever it is.
            _ if matches!(b.0.kind, Kind::Obstacle(_)) => self.both(a, b),
            (None, Some(_)) => self.both(a, b),
            (Some(_), None) => self.both(b, a),
            (None, None) => self.meshes(a, b),
        }
    }

    /// Manifolds of exact shapes.
    fn shapes(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let (Some(shape_a), Some(shape_b)) = (&a.0.shape, &b.0.shape) else { return };
        let mut found: Vec<ManifoldPoint> = Vec::new();
        let (pose_a, pose_b) = (&a.1.pose, &b.1.pose);
        if let Some([part_a, part_b]) = worth_keeping(a.0, b.0) {
            let places = (*pose_a * part_a.pose, *pose_b * part_b.pose);
            let still = STILL * self.slack * a.0.size.min(b.0.size);
            self.kept.contacts(
                &part_a.shape,
                &places.0,
                &part_b.shape,
                &places.1,
                self.reach,
                (still, a.0.radius),
                &mut found,
            );
        } else {
            compound_contacts(shape_a, pose_a, shape_b, pose_b, self.reach, &mut found);
        }
        for point in &found {
            let at = point.point();
            let ends = [a, b].map(|side| self.end(side, at));
            self.push([a, b], Name::Shapes(point.feature), at, point.normal, point.gap, ends);
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
            _ => 0.0,
        }
    }

    /// Vertices of A against the shape of B, or the distance to it.
    fn vertices(&mut self, a: Placed<'_>, b: Placed<'_>) {
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
            let own = match a.0.kind {
                Kind::Soft => End::Nodes([mesh.nodes[k]; 3], [1.0, 0.0, 0.0]),
                _ => self.end(a, *x),
            };
            let at = *x - normal * gap;
            let ends = [own, self.end(b, at)];
            self.push([a, b], Name::Vertex(mesh.vertices[k]), *x, normal, gap, ends);
        }
    }

    /// Balls of A against the distance to B.
    fn balls(&mut self, a: Placed<'_>, b: Placed<'_>) {
        for (number, &(middle, radius)) in a.0.corners.iter().enumerate() {
            let x = a.1.pose.apply(&middle);
            let found = self.distance(b, x, radius, &mut Vec::new());
            let Some((gap, normal)) = found else { continue };
            let at = x - normal * (radius + gap);
            let ends = [self.end(a, at), self.end(b, at)];
            self.push([a, b], Name::Corner(number as u32), at, normal, gap, ends);
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

    /// Vertices, edges and faces of two meshes.
    fn meshes(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let (Some(mesh_a), Some(mesh_b)) = (&a.0.mesh, &b.0.mesh) else { return };
        let skin = self.layer(a, b);
        let found =
            proximities(&mesh_a.surface, &a.1.x, &mesh_b.surface, &b.1.x, self.reach + skin);
        let Ok(mut found) = found else { return };
        // What lies beside a seam does not touch.
        if let Some(kin) = self.itself.seam([a.0.number, b.0.number]) {
            found.retain(|near| !kin.sides_are_kin(near, &mesh_a.nodes, &mesh_b.nodes));
        }
        self.push_near([a, b], &found, skin);
    }

    /// What two meshes, or parts of one, keep between them [m].
    pub(super) fn layer(&self, a: Placed<'_>, b: Placed<'_>) -> f64 {
        layer(self.rule, a.0, b.0)
    }

    /// Contacts of features of two meshes, or of one with itself.
    pub(super) fn push_near(&mut self, [a, b]: [Placed<'_>; 2], found: &[Proximity], skin: f64) {
        let (Some(mesh_a), Some(mesh_b)) = (&a.0.mesh, &b.0.mesh) else { return };
        for near in found {
            let met = match near.features() {
                [Feature::Edge(_), Feature::Edge(_)] => {
                    ridges(near, [(&mesh_a.surface, &a.1.x), (&mesh_b.surface, &b.1.x)])
                }
                _ if !near.is_contact() => None,
                _ => near.offset.try_normalize(0.0).map(|normal| (normal, near.distance())),
            };
            let Some((normal, distance)) = met else { continue }; // also where they cross: no way out is shorter than another
            let name = Name::Meshes(near.features());
            let on = |x: &[Vector3], side: &crate::geometry::features::Side| {
                let corners = side.vertices.iter().zip(side.weights);
                corners.map(|(&k, w)| x[k as usize] * w).sum::<Vector3>()
            };
            let at = (on(&a.1.x, &near.a) + on(&b.1.x, &near.b)) * 0.5;
            let end = |side: Placed<'_>, nodes: &[u32], part: &crate::geometry::features::Side| {
                match side.0.kind {
                    Kind::Soft => {
                        End::Nodes(part.vertices.map(|k| nodes[k as usize]), part.weights)
                    }
                    _ => self.end(side, at),
                }
            };
            let ends = [end(a, &mesh_a.nodes, &near.a), end(b, &mesh_b.nodes, &near.b)];
            self.push([a, b], name, at, normal, distance - skin, ends);
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
        self.touches.push(Touch {
            key: TouchKey { bodies, name },
            bodies,
            point,
            frame: Matrix3::from_columns(&[normal, tangent, normal.cross(&tangent)]),
            gap,
            ends,
            grip: Grip::isotropic(tangent, 0.0),
            against: [false; 2],
            restitution: 0.0,
            rests: false,
            vertex,
            size: [a, b]
                .map(|side| side.0.size)
                .into_iter()
                .filter(|s| *s > 0.0)
                .fold(f64::MAX, f64::min),
        });
    }
}

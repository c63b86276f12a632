//! Which bodies touch, and where: the one detection of contacts.
//!
//! The broad phase ([`broad`]) finds pairs of bodies whose boxes are near each other, with what a step can reach.
//! Finders then look at a pair by the kinds of its geometry, each in a file of its own:
//!
//! | | an exact shape | triangles | an obstacle without convex shape |
//! |---|---|---|---|
//! | exact shape | manifolds ([`shapes`]) | vertices against the shape ([`fields`]); if they deform, its corners against them ([`corners`], [`rims`]), edges against edges ([`edges`]) | vertices against the distance ([`fields`]), points of it against the shape ([`landmarks`]) |
//! | triangles | | vertices, edges and faces, each pair once ([`meshes`]) | vertices against the distance ([`fields`]) |
//! | the same | | [`itself`]: what is not kin | |
//!
//! Meshes keep a skin between them: the sign of a distance between triangles is lost once they cross, but for solids
//! that are not far inside of each other ([`flush`]). All of them give
//! a
//! [`Candidate`]. Nothing here knows how a method keeps bodies apart.

pub(crate) mod body;
pub(crate) mod broad;
pub(crate) mod itself;
pub(crate) mod kept;
pub(crate) mod place;

mod cone;
mod corners;
mod edges;
mod faces;
mod fields;
mod flush;
mod landmarks;
mod lever;
mod meshes;
mod rims;
mod search;
mod shapes;

pub(crate) use self::lever::Lever;

use self::body::ContactBody;
use self::broad::BroadPhase;
use self::faces::plant;
use self::itself::Itself;
use self::kept::KeptPairs;
use self::place::Place;
use self::search::Search;
use super::candidate::Candidate;
use super::rules::Rules;
use crate::geometry::manifold::Kept;
use crate::model::{Model, SceneError};
use crate::scene::Scene;
use crate::threads::map_each;

/// Skin of meshes, in mean edge lengths.
const SKIN: f64 = 0.01;
/// What is found beyond what a step can reach, in sizes of bodies: contacts that rest are found whatever rounding does.
const MARGIN: f64 = 1e-3;
/// Bodies that a thread places at once.
const BODIES_TOGETHER: usize = 64;

/// Finds contacts of a scene, step by step.
#[derive(Debug)]
pub(crate) struct Detection {
    pub(crate) bodies: Vec<ContactBody>,
    pub(crate) rules: Rules,
    pub(crate) itself: Itself,
    /// Pairs that are near each other, and manifolds of those that hardly move.
    pub(crate) kept: KeptPairs,
    broad: BroadPhase,
    /// What may overlap, in sizes of bodies: manifolds need not be more accurate.
    slack: f64,
}

/// Where bodies are at the start of a step, and how far they may come in it.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) places: Vec<Place>,
    /// What gravity adds to the travel of bodies [m].
    gravity: f64,
    /// Length of the step [s].
    h: f64,
}

impl Detection {
    pub(crate) fn new(scene: &Scene, model: &Model, slack: f64) -> Result<Self, SceneError> {
        let bodies = ContactBody::all(scene, model)
            .map_err(|(body, source)| SceneError::Surface { body: scene.named(body), source })?;
        let rules = Rules::new(scene);
        let itself = Itself::new(scene, model, &bodies, &rules)?;
        let (kept, broad) = (KeptPairs::default(), BroadPhase::default());
        Ok(Self { bodies, rules, itself, kept, broad, slack })
    }

    /// A step of length `h` begins at time `t` with `(q, v)`: finds pairs of bodies that are near each other.
    pub(crate) fn begin(
        &mut self,
        model: &Model,
        (t, h): (f64, f64),
        q: &[f64],
        v: &[f64],
    ) -> Start {
        let place = |_, body: &ContactBody| Place::of(body, model, (t, h), q, v);
        let mut places = map_each(&self.bodies, BODIES_TOGETHER, place);
        let gravity = model.gravity().norm() * h * h;
        let of = |(body, place): (&ContactBody, &Place)| {
            place.extent(body, gravity, self.rules.thickest)
        };
        let extents: Vec<_> = self.bodies.iter().zip(&places).map(of).collect();
        let near = self.broad.pairs(&extents);
        plant(&self.bodies, &mut places, &near);
        self.kept.follow(near);
        Start { places, gravity, h }
    }

    /// Appends the contacts of a pair of bodies, ascending by key.
    pub(crate) fn search(
        &self,
        pair: [u32; 2],
        start: &Start,
        kept: &mut Kept,
        found: &mut Vec<Candidate>,
    ) {
        let rule = self.rules.of(pair);
        if !rule.enabled {
            return;
        }
        let [one, other] = pair.map(|k| (&self.bodies[k as usize], &start.places[k as usize]));
        let travel = one.1.travel + other.1.travel;
        let reach = travel + start.gravity + MARGIN * one.0.size.max(other.0.size);
        let (first, itself) = (found.len(), &self.itself);
        let (h, slack) = (start.h, self.slack);
        Search { reach, travel, h, rule, kept, slack, found, held: Vec::new(), itself }
            .pair(one, other);
        found[first..].sort_unstable_by_key(|candidate| candidate.key);
    }
}

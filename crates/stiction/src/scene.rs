//! What is simulated: bodies, what holds and drives them, gravity.

use std::collections::BTreeMap;

use crate::body::{
    Body, BodyId, Gear, Joint, JointId, Load, LoadKind, Motion, Pin, Profile, Spring, Weld, Zone,
    ZoneId,
};
use crate::contact::friction::{Combination, Skin, materials};
use crate::contact::{ContactRule, Friction};
use crate::math::Vector3;
use crate::mesh::Selection;
use crate::model::{Named, Subject};

/// A description; [`Simulation::new`](crate::Simulation::new) checks it and brings it to life.
///
/// ```
/// use stiction::body::Solid;
/// use stiction::mesh::Selection;
/// use stiction::{Scene, Simulation};
///
/// let mut scene = Scene::new();
/// let beam = scene.add(Solid::cuboid([1.0, 0.1, 0.1], [10, 1, 1])?);
/// scene.pin(beam, Selection::HalfSpace { point: [-0.5, 0.0, 0.0].into(), normal: [-1.0, 0.0, 0.0].into() });
///
/// let mut simulation = Simulation::new(&scene)?;
/// while simulation.time() < 0.1 {
///     let report = simulation.step();
///     assert!(report.converged());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    /// Acceleration of free fall [m/s²].
    pub gravity: Vector3,
    /// Bodies, in the order they were added.
    pub bodies: Vec<Body>,
    /// What holds them.
    pub pins: Vec<Pin>,
    /// What pulls them together.
    pub springs: Vec<Spring>,
    /// What lets them move against each other in some ways and not in others.
    pub joints: Vec<Joint>,
    /// Which of their angles turn together.
    pub gears: Vec<Gear>,
    /// What makes their vertices one.
    pub welds: Vec<Weld>,
    /// What pushes them.
    pub loads: Vec<Load>,
    /// How pairs of bodies touch, where it is not the default.
    pub contacts: Vec<ContactRule>,
    /// Friction of pairs that no rule names.
    pub friction: Friction,
    /// What surfaces are like, where it is known.
    pub skins: BTreeMap<BodyId, Skin>,
    /// How coefficients of two surfaces become that of a pair which no rule names.
    pub combination: Combination,
    /// What is enclosed in them.
    pub zones: Vec<Zone>,
}

impl Default for Scene {
    /// Earth's gravity along `−y`.
    fn default() -> Self {
        Self {
            gravity: Vector3::new(0.0, -9.81, 0.0),
            bodies: Vec::new(),
            pins: Vec::new(),
            springs: Vec::new(),
            joints: Vec::new(),
            gears: Vec::new(),
            welds: Vec::new(),
            loads: Vec::new(),
            contacts: Vec::new(),
            friction: Friction::default(),
            skins: BTreeMap::new(),
            combination: Combination::default(),
            zones: Vec::new(),
        }
    }
}

impl Scene {
    /// Nothing but gravity, along `−y`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body.
    pub fn add(&mut self, body: impl Into<Body>) -> BodyId {
        self.bodies.push(body.into());
        BodyId(self.bodies.len() as u32 - 1)
    }

    /// Ids of all bodies, in their order.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len() as u32).map(BodyId)
    }

    /// Holds vertices where they are; the pin returned can be made to move or let go.
    pub fn pin(&mut self, body: BodyId, selection: Selection) -> &mut Pin {
        self.pins.push(Pin {
            body,
            selection,
            axes: [true; 3],
            motion: Motion::Still,
            release: None,
        });
        self.pins.last_mut().expect("just added")
    }

    /// Pushes on vertices or faces.
    pub fn load(&mut self, body: BodyId, selection: Selection, kind: LoadKind) -> &mut Load {
        self.loads.push(Load { body, selection, kind, profile: Profile::Constant });
        self.loads.last_mut().expect("just added")
    }

    /// Sets how two bodies touch, or how one touches itself; the rule returned starts with the defaults.
    pub fn contact(&mut self, a: BodyId, b: BodyId) -> &mut ContactRule {
        let friction = self.friction_of(a, b);
        self.contacts.push(ContactRule { friction, ..ContactRule::new(a, b) });
        self.contacts.last_mut().expect("just added")
    }

    /// Whether a body touches itself: what the last rule of it with itself says, or else the body.
    #[doc(alias = "self-contact")]
    pub fn touches_itself(&self, body: BodyId) -> bool {
        let named = self.contacts.iter().rev().find(|rule| rule.between == [body; 2]);
        named.map_or_else(
            || self.bodies.get(body.index()).is_some_and(Body::touches_itself),
            |rule| rule.enabled,
        )
    }

    /// Sets the coefficient of friction between two bodies [-].
    pub fn friction_between(&mut self, a: BodyId, b: BodyId, coefficient: f64) {
        self.contact(a, b).friction = Friction::coulomb(coefficient);
    }

    /// What the surface of a body is like: grain, texture; nothing special at first.
    pub fn skin(&mut self, body: BodyId) -> &mut Skin {
        self.skins.entry(body).or_default()
    }

    /// Friction of two bodies that no rule names: by what their surfaces are of, or that of all pairs.
    pub fn friction_of(&self, a: BodyId, b: BodyId) -> Friction {
        let skins = self.skins.get(&a).zip(self.skins.get(&b));
        let both = skins.map(|(a, b)| [a, b].map(|skin| (&skin.stuff, skin.coefficient)));
        both.and_then(|both| materials::of_pair(both, self.combination)).unwrap_or(self.friction)
    }

    /// Joins two points by a spring.
    pub fn spring(&mut self, spring: Spring) {
        self.springs.push(spring);
    }

    /// Joins two bodies, or one and the world. They no longer touch each other, unless the joint or a contact rule
    /// says so.
    pub fn joint(&mut self, joint: Joint) -> JointId {
        self.joints.push(joint);
        JointId(self.joints.len() as u32 - 1)
    }

    /// Makes the second hinge turn `ratio` times as far as the first.
    pub fn gear(&mut self, first: JointId, second: JointId, ratio: f64) -> &mut Gear {
        self.gears.push(Gear { hinges: [first, second], ratio, compliance: None });
        self.gears.last_mut().expect("just added")
    }

    /// Ids of all joints, in their order.
    pub fn joint_ids(&self) -> impl Iterator<Item = JointId> + use<> {
        (0..self.joints.len() as u32).map(JointId)
    }

    /// The name of a joint for messages: its own, or its number.
    pub fn joint_name(&self, joint: JointId) -> String {
        let name = self.joints.get(joint.index()).and_then(|joint| joint.name.as_deref());
        name.map_or_else(|| format!("#{}", joint.index()), |name| format!("'{name}'"))
    }

    /// Makes vertices of `a` one with vertices of `b` at the same place.
    pub fn weld(&mut self, a: BodyId, selection: Selection, b: BodyId) -> &mut Weld {
        self.welds.push(Weld { a, selection, b, tolerance: None });
        self.welds.last_mut().expect("just added")
    }

    /// Encloses gas or liquid in bodies.
    pub fn zone(&mut self, zone: Zone) -> ZoneId {
        self.zones.push(zone);
        ZoneId(self.zones.len() as u32 - 1)
    }

    /// Ids of all zones, in their order.
    pub fn zone_ids(&self) -> impl Iterator<Item = ZoneId> + use<> {
        (0..self.zones.len() as u32).map(ZoneId)
    }

    /// The name of a zone for messages: its own, or its number.
    pub fn zone_name(&self, zone: ZoneId) -> String {
        let name = self.zones.get(zone.index()).and_then(|zone| zone.name.as_deref());
        name.map_or_else(|| format!("#{}", zone.index()), |name| format!("'{name}'"))
    }

    /// A body with its name, for errors.
    pub(crate) fn named(&self, body: BodyId) -> Named {
        Named::new(Subject::Body(body), self.name(body))
    }

    /// The name of a body for messages: its own, or its number.
    pub fn name(&self, body: BodyId) -> String {
        let name = self.bodies.get(body.index()).and_then(Body::name);
        name.map_or_else(|| format!("#{}", body.index()), |name| format!("'{name}'"))
    }
}

//! Velocity-level time stepping with exact Coulomb friction.
//!
//! A step finds where bodies touch, or will before it ends; then the velocities `v*` they would have without
//! contacts, linearly implicit in all other forces; and then the impulses `r` that obey Signorini's and Coulomb's
//! laws at the end of the step:
//!
//! $$ v = v^* + A^{-1} J^T r, \qquad u = J v, \qquad K \ni r \;\perp\; u + g/h + \mu \|u_T\| e_N \in K^* $$
//!
//! with `A` the matrix of the step: masses, and how stiff things are (`free.rs`; [`Operator`] says how `A⁻¹` is had,
//! or that `M` stands in its place). Where there are joints or bodies that deform, forces are looked at again there
//! (`newton.rs`), and what energy a step may gain is bounded (`energy.rs`). Contacts
//! that are apart by `g` may approach by that much in the step, so what is fast is caught before it is inside; what
//! overlaps all the same is moved apart after the step, or pushed out by a part of it ([`Stabilisation`]). Contacts
//! are found at the start of the step or, with Moreau's rule, half-way ([`Stepping`]); those that act on each other
//! are solved together, others in parallel (`islands.rs`). [AEF22, §1.2–1.3, 1.9, 3.4.5–3.4.6; Ste00]. ([AEF22]:
//! Andrews, Erleben, Ferguson, *Contact and friction simulation for computer graphics*. [Ste00]: Stewart, *Rigid-body
//! dynamics with friction and impact*.)

mod bare;
mod blow;
mod detect;
mod energy;
mod equations;
mod free;
mod friction;
mod inverse_mass;
mod islands;
mod newton;
mod operator;
mod projection;
mod settings;
mod settle;
mod sleep;
mod splitting;
mod step;
mod touch;

pub use operator::Operator;
pub use settings::{ImpulseSettings, Stabilisation, Stepping};
pub use sleep::Sleep;

use self::free::Room;
use self::inverse_mass::{Inverse, InverseMass};
use self::sleep::{Held, Sleepers};
use self::step::WithImpulses;
use self::touch::Touch;
use crate::assembly::point;
use crate::body::BodyId;
use crate::contact::candidate::End;
use crate::contact::detect::Detection;
use crate::contact::detect::body::{ContactBody, Kind};
use crate::contact::detect::kept::KeptPairs;
use crate::contact::friction::Grip;
use crate::contact::key::Key;
use crate::contact::{Contact, ContactCounts, ContactReport, FrictionError};
use crate::math::Vector3;
use crate::method::Method;
use crate::method::smooth::{Adrift, Smooth, SolverSettings};
use crate::model::{Model, SceneError};
use crate::scene::Scene;
use crate::solve::complementarity::cone::{Assembled, ContactProblem};
use crate::step::{Dynamics as _, Integrator, StageReport, Trajectory, Unfinished, Unit};

/// Contacts of a scene, from step to step.
#[derive(Debug)]
pub(crate) struct Impulse {
    settings: ImpulseSettings,
    detection: Detection,
    sleepers: Sleepers,
    /// Contacts of the last step, ascending by key.
    touches: Vec<Touch>,
    /// Where nodes were when they were found, if that was not at the start of the step [m].
    middle: Option<Vec<f64>>,
    /// Of each of them: impulse over the step, normal first [N·s].
    impulses: Vec<Vector3>,
    /// Of each of them: angular impulse against spin and rolling, in its frame [N·m·s].
    turnings: Vec<Vector3>,
    /// Of each of them: relative velocity at the end, normal first [m/s].
    velocities: Vec<Vector3>,
    /// Length of the last step [s].
    step: f64,
    /// What was remembered of the step before, ascending by key.
    memory: Vec<Remembered>,
    /// Of the last step, if it has ended: how velocities answer impulses.
    answer: Option<InverseMass>,
    /// Of the last step, if it has ended: displacements that let blows happen when they do [m].
    back: Option<Vec<f64>>,
    ahead: Option<Ahead>,
    room: Room,
    /// Solves the equation of statics, in which nothing touches.
    statics: Smooth,
}

/// What is remembered of a contact that pushed, or slid against a grain; vectors are in its frame.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    key: Key,
    /// [N·s].
    push: Vector3,
    /// The same in the world: frames of what hardly slides turn from step to step [N·s].
    in_world: Vector3,
    /// [N·m·s].
    turning: Vector3,
    /// Whether it slid at the end of the step.
    slid: bool,
    /// How far it has slid since it began [m].
    distance: f64,
    /// Of each body, whether the other one last slid against its grain.
    against: [bool; 2],
}

/// Contacts found at the end of a step, for the one that follows.
#[derive(Debug)]
struct Ahead {
    /// Start of that step [s].
    time: f64,
    /// Its length [s].
    step: f64,
    touches: Vec<Touch>,
}

impl Ahead {
    /// Whether it is this very step: to the bit, as times are counted.
    fn is_for(&self, time: f64, step: f64) -> bool {
        [self.time, self.step].map(f64::to_bits) == [time, step].map(f64::to_bits)
    }
}

impl Impulse {
    pub(crate) fn new(
        scene: &Scene,
        settings: ImpulseSettings,
        model: &Model,
    ) -> Result<Self, SceneError> {
        let detection = Detection::new(scene, model, settings.stabilisation.slack())?;
        Ok(Self {
            settings,
            sleepers: Sleepers::new(settings.sleep, detection.bodies.len()),
            detection,
            touches: Vec::new(),
            middle: None,
            impulses: Vec::new(),
            turnings: Vec::new(),
            velocities: Vec::new(),
            step: 0.0,
            memory: Vec::new(),
            answer: None,
            back: None,
            ahead: None,
            room: Room::default(),
            statics: Smooth::without_contacts(Integrator::BackwardEuler, SolverSettings::default()),
        })
    }

    /// Positions were changed by somebody else.
    fn forget(&mut self) {
        self.ahead = None;
        self.sleepers.wake_all();
    }

    /// How far a contact has slid, up to the end of the step before [m].
    fn distance(&self, key: &Key) -> f64 {
        self.remembered(key).map_or(0.0, |known| known.distance)
    }

    fn remembered(&self, key: &Key) -> Option<&Remembered> {
        let at = self.memory.binary_search_by_key(key, |known| known.key);
        at.ok().map(|at| &self.memory[at])
    }

    /// How far friction is from Coulomb's law, at the worst contact.
    fn friction_error(&self) -> FrictionError {
        let all = self.touches.iter().zip(&self.impulses).zip(&self.velocities);
        all.fold(FrictionError::default(), |worst, ((touch, r), u)| {
            let along = |v: &Vector3| touch.at.frame * Vector3::new(0.0, v.y, v.z);
            let torsion = if touch.turns() { touch.grip.torsion } else { 0.0 };
            let grip = Grip { torsion, ..touch.grip };
            // Impulses or forces: only ratios count.
            worst.or(FrictionError::of(&grip, touch.normal(), r.x, along(r), along(u)))
        })
    }

    /// What solvers leave of velocities [m/s].
    fn noise(&self) -> f64 {
        10.0 * self.settings.tolerance
    }

    /// Whether a velocity is more than what solvers leave.
    fn slides(&self, u: &Vector3) -> bool {
        u.yz().norm() > self.noise()
    }

    /// The vertex that shows a side of a contact, and its node: the nearest of the body; of one that touches itself,
    /// of the side.
    fn shown(&self, touch: &Touch, side: usize, q: &[f64]) -> Option<(u32, u32)> {
        let body = touch.at.bodies[side];
        match (touch.at.ends[side], touch.at.bodies[0] == touch.at.bodies[1]) {
            (End::Nodes(nodes, weights), true) => {
                let mesh = self.detection.bodies[body as usize].mesh.as_ref()?;
                let most = (0..3).reduce(|a, b| if weights[b] > weights[a] { b } else { a })?;
                let at = mesh.nodes.iter().position(|&node| node == nodes[most])?;
                Some((mesh.vertices[at], nodes[most]))
            }
            _ => self.nearest(body, touch.at.point, q),
        }
    }

    /// The vertex of a body nearest to a point, and its node.
    fn nearest(&self, body: u32, x: Vector3, q: &[f64]) -> Option<(u32, u32)> {
        let mesh = self.detection.bodies[body as usize].mesh.as_ref()?;
        let far = |node: u32| (point(q, node as usize) - x).norm_squared();
        let both = mesh.vertices.iter().copied().zip(mesh.nodes.iter().copied());
        both.min_by(|a, b| far(a.1).total_cmp(&far(b.1)))
    }

    /// Restores what was [saved](Method::save); nothing if it is something else.
    fn decode(&mut self, memory: &[f64]) -> Option<()> {
        const LENGTH: usize = Key::LENGTH + 13;
        // Of a scene that has not begun nothing is remembered.
        let (step, rest) = memory.split_first().unwrap_or((&0.0, &[]));
        let (count, rest) = rest.split_first().unwrap_or((&0.0, &[]));
        let (own, mut rest) = rest.split_at_checked(LENGTH.checked_mul(*count as usize)?)?;
        let kept = if memory.is_empty() { Some(KeptPairs::default()) } else { None };
        let kept = kept.or_else(|| KeptPairs::decode(&mut rest))?;
        let decoded = own.chunks_exact(LENGTH).map(|chunk| {
            let (key, numbers) = chunk.split_at(Key::LENGTH);
            Some(Remembered {
                key: Key::decode(key)?,
                push: Vector3::from_column_slice(&numbers[..3]),
                turning: Vector3::from_column_slice(&numbers[3..6]),
                in_world: Vector3::from_column_slice(&numbers[6..9]),
                distance: numbers[9],
                slid: numbers[10] != 0.0,
                against: [numbers[11] != 0.0, numbers[12] != 0.0],
            })
        });
        let decoded = decoded.collect::<Option<_>>()?;
        if memory.is_empty() {
            self.sleepers = Sleepers::new(self.settings.sleep, self.detection.bodies.len());
        } else {
            self.sleepers.decode(rest)?;
        }
        (self.memory, self.detection.kept, self.ahead) = (decoded, kept, None);
        self.step = *step;
        (self.touches, self.impulses, self.turnings) = (Vec::new(), Vec::new(), Vec::new());
        self.velocities.clear();
        Some(())
    }
}

impl Method for Impulse {
    fn name(&self) -> &'static str {
        "impulse"
    }

    fn residual_unit(&self) -> Unit {
        Unit::Velocity
    }

    fn attempt(
        &mut self,
        model: &mut Model,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        let euler = Integrator::BackwardEuler;
        euler.step_to(&mut WithImpulses { model, impulse: self }, state, h, end)
    }

    fn take_unfinished(&mut self, model: &mut Model, state: &mut Trajectory) {
        WithImpulses { model, impulse: self }.end(state);
    }

    /// A step has ended: its impulses are where the next one starts.
    fn accept(&mut self) {
        let mut memory = Vec::with_capacity(self.touches.len());
        // A step that stopped short has contacts, but perhaps no impulses.
        let found = self.touches.iter().zip(&self.impulses).zip(&self.velocities);
        for (((touch, &push), velocity), &turning) in found.zip(&self.turnings) {
            let (key, against) = (touch.at.key, touch.against);
            if push.x > 0.0 || against != [false; 2] {
                let slid = push.x > 0.0 && self.slides(velocity);
                let way = if slid { velocity.yz().norm() * self.step } else { 0.0 };
                let distance = self.distance(&key) + way;
                let in_world = touch.at.frame * push;
                memory.push(Remembered { key, push, in_world, turning, slid, distance, against });
            }
        }
        self.sleepers.remember(&mut memory);
        self.memory = memory;
    }

    fn renumbered(&mut self) {
        self.room = Room::default();
        self.statics.renumbered();
    }

    fn settle(
        &mut self,
        model: &mut Model,
        time: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift> {
        self.settle_touching(model, time, q)
    }

    fn find_reactions(&mut self, model: &mut Model, state: &Trajectory) {
        let forces = self.remembered_forces(model, state);
        model.find_reactions(state.time, &state.q, &state.v, |add| {
            forces.into_iter().for_each(|(node, force)| add(node, force));
        });
    }

    fn can_touch(&self) -> bool {
        self.detection.bodies.len() > 1 || !self.detection.itself.bodies().is_empty()
    }

    fn report(&self) -> ContactReport {
        /// Overlaps are rounding up to this, in sizes of bodies.
        const NOTHING: f64 = 1e-7;
        let size = self.detection.bodies.iter().map(|body| body.size).fold(0.0, f64::max);
        let visible = |gap: f64| if gap < 0.0 && gap > -NOTHING * size { 0.0 } else { gap };
        let pushing = || self.impulses.iter().zip(&self.velocities).filter(|(r, _)| r.x > 0.0);
        let held = self.sleepers.held();
        let touches = self.ahead.as_ref().map_or(&self.touches, |ahead| &ahead.touches);
        let near = || touches.iter().chain(held.iter().map(|held| &held.touch));
        let room = |touch: &Touch| visible(touch.at.gap) + self.may_stay(touch);
        let deepest = near().min_by(|a, b| room(a).total_cmp(&room(b)));
        let kind = |touch: &Touch| touch.at.key.name.kind();
        let awake = self.touches.iter().zip(&self.impulses).filter(|(_, r)| r.x > 0.0);
        let asleep = held.iter().map(|held| kind(&held.touch));
        let kinds: ContactCounts = awake.map(|(touch, _)| kind(touch)).chain(asleep).collect();
        ContactReport {
            touching: pushing().count() + held.len(),
            kinds,
            sliding: pushing().filter(|(_, u)| self.slides(u)).count(),
            friction: self.friction_error(),
            smallest_gap: near().map(|t| visible(t.at.gap)).fold(f64::INFINITY, f64::min),
            overlap: deepest
                .filter(|touch| room(touch) < 0.0)
                .map(|touch| touch.at.bodies.map(BodyId)),
            stiffenings: 0,
        }
    }

    fn may_touch(&self, body: BodyId) -> bool {
        let own = body.index() as u32;
        if self.detection.itself.bodies().contains(&own) {
            return true;
        }
        let others =
            self.detection.bodies.iter().map(|other| other.number).filter(|&other| other != own);
        let moves = |body: &&ContactBody| !matches!(body.kind, Kind::Obstacle(_));
        let own = self.detection.bodies.get(body.index()).filter(moves);
        own.is_some_and(|own| {
            others.clone().any(|b| self.detection.rules.of([own.number, b]).enabled)
        })
    }

    fn contacts(&self, q: &[f64]) -> Vec<Contact> {
        let still = Vector3::zeros();
        let all = self.touches.iter().zip(&self.impulses).zip(&self.velocities);
        // Who has fallen asleep in this very step is held by what is told below.
        let awake = all.filter(|((touch, _), _)| !self.sleepers.hold(touch));
        let held = self.sleepers.held().iter();
        let held = held.map(|Held { touch, push, .. }| ((touch, push), &still));
        let pushing = awake.chain(held).filter(|((_, r), _)| r.x > 0.0 && self.step > 0.0);
        let vertices = |body: u32| {
            let mesh = self.detection.bodies[body as usize].mesh.as_ref();
            mesh.map_or(&[][..], |mesh| &mesh.nodes)
        };
        pushing
            .map(|((touch, r), u)| {
                let (frame, normal) = (touch.at.frame, touch.normal());
                let force = frame * r / self.step;
                let sliding = self.slides(u);
                let shown = [0, 1].map(|side| self.shown(touch, side, q));
                Contact {
                    collider: BodyId(touch.at.bodies[0]),
                    vertex: touch.at.vertex.or(shown[0].map(|s| s.0)).unwrap_or(0),
                    surface: BodyId(touch.at.bodies[1]),
                    surface_vertex: shown[1].map(|s| s.0),
                    point: touch.at.point,
                    gap: touch.at.gap,
                    normal,
                    normal_force: r.x / self.step,
                    friction: force - normal * (r.x / self.step),
                    slip_velocity: frame * Vector3::new(0.0, u.y, u.z),
                    slid: self.distance(&touch.at.key),
                    sliding,
                    coefficient: self.detection.rules.of(touch.at.bodies).friction.coefficient,
                    forces: touch.at.forces(force, touch.at.bodies.map(vertices), q),
                }
            })
            .collect()
    }

    fn contact_problem(
        &mut self,
        model: &mut Model,
        state: &Trajectory,
        h: f64,
    ) -> Option<(ContactProblem<Assembled>, Vec<f64>)> {
        self.problem(model, state, h)
    }

    fn load(&mut self, memory: &[f64]) -> Result<(), usize> {
        self.decode(memory).ok_or(0)
    }

    fn save(&self, memory: &mut Vec<f64>) {
        memory.push(self.step);
        memory.push(self.memory.len() as f64);
        for known in &self.memory {
            memory.extend(known.key.encode());
            let vectors = [known.push, known.turning, known.in_world];
            memory.extend(vectors.iter().flat_map(|vector| vector.iter().copied()));
            memory.push(known.distance);
            let flags = [known.slid, known.against[0], known.against[1]];
            memory.extend(flags.map(|flag| f64::from(u8::from(flag))));
        }
        self.detection.kept.encode(memory);
        self.sleepers.encode(memory);
    }
}

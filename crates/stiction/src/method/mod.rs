//! Ways of taking a step. A method is a room of its own: what it needs of the scene is in the [`Model`], what it
//! tells goes through [`Method`], and its settings are one variant of [`MethodSettings`].
//!
//! | method | contacts are |
//! |---|---|
//! | [`smooth`] | layers that push the harder the more they are pressed, with implicit friction |
//! | [`impulse`] | impulses that obey Signorini's and Coulomb's laws exactly |
//! | [`barrier`] | energies without bound between features of meshes: nothing passes through |

pub mod barrier;
pub mod impulse;
pub mod smooth;

pub(crate) mod linear;

use std::fmt;

use self::barrier::{Barrier, BarrierSettings};
use self::impulse::{Impulse, ImpulseSettings};
use self::smooth::penalty::Penalty;
use self::smooth::{Adrift, Smooth, SmoothSettings};
use crate::body::BodyId;
use crate::contact::{Contact, ContactReport, Friction, SmoothSurface};
use crate::model::{FrameRequest, Model, Named, SceneError, Subject};
use crate::scene::Scene;
use crate::solve::complementarity::cone::{Assembled, ContactProblem};
use crate::step::{StageReport, Trajectory, Unfinished, Unit};

/// A way of taking steps, with all that it remembers from one to the next.
pub trait Method: fmt::Debug + Send + Sync {
    /// What it is called in scene files.
    fn name(&self) -> &'static str;

    /// What its residuals are measured in.
    fn residual_unit(&self) -> Unit;

    /// A new step begins, not a repetition of one.
    fn begin_step(&mut self) {}

    /// Tries to advance by `h` to the time `end`. Where that fails the state is as it was.
    ///
    /// # Errors
    /// With the place where it stopped.
    fn attempt(
        &mut self,
        model: &mut Model,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished>;

    /// The same in its plainest way, of one stage, where an attempt of several stopped before the last.
    ///
    /// # Errors
    /// With the place where it stopped.
    fn attempt_plainly(
        &mut self,
        model: &mut Model,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        self.attempt(model, state, h, end)
    }

    /// Goes on from a state that no attempt was content with.
    fn take_unfinished(&mut self, model: &mut Model, state: &mut Trajectory) {
        model.end(state);
    }

    /// A step, or a part of one, has ended.
    fn accept(&mut self);

    /// A step was taken in parts.
    fn was_halved(&mut self, _model: &Model) {}

    /// Unknowns were numbered anew.
    fn renumbered(&mut self) {}

    /// Moves `q` to static equilibrium at a time.
    ///
    /// # Errors
    /// When something is held by nothing and pushed.
    fn settle(
        &mut self,
        model: &mut Model,
        time: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift>;

    /// Finds [`Model::reactions`] at a state that no step has just ended at.
    fn find_reactions(&mut self, model: &mut Model, state: &Trajectory);

    /// Contacts that push, after a step that ended at positions `q` of the nodes.
    fn contacts(&self, q: &[f64]) -> Vec<Contact>;

    /// Contacts after the last step, in numbers.
    fn report(&self) -> ContactReport;

    /// Energy of contacts at a state [J].
    fn energy(&self, _t: f64, _q: &[f64]) -> f64 {
        0.0
    }

    /// Whether anything can ever touch.
    fn can_touch(&self) -> bool;

    /// Whether points of a body can touch anything, so that it has fields of contacts.
    fn may_touch(&self, body: BodyId) -> bool;

    /// What was chosen for each pair that may touch; empty where nothing is chosen by pair.
    fn chosen(&self) -> Vec<Chosen> {
        Vec::new()
    }

    /// Smooth surfaces that may be touched, each body once; of what deforms, as it was last.
    fn surfaces(&self) -> Vec<(BodyId, SmoothSurface<'_>)> {
        Vec::new()
    }

    /// The contact problem that the next step of length `h` has to solve, with the impulses it starts from; nothing
    /// where steps are no such problems.
    fn contact_problem(
        &mut self,
        _model: &mut Model,
        _state: &Trajectory,
        _h: f64,
    ) -> Option<(ContactProblem<Assembled>, Vec<f64>)> {
        None
    }

    /// Appends what a restored run needs to go on to the same bits.
    fn save(&self, out: &mut Vec<f64>);

    /// Restores [`Method::save`].
    ///
    /// # Errors
    /// With how many numbers it would need, if these do not fit. Nothing is changed then.
    fn load(&mut self, memory: &[f64]) -> Result<(), usize>;

    /// The end of the last step as a root `R(x; p) = 0`, linearised, for derivatives; nothing where it is not known.
    fn linearised(&self) -> Option<&dyn Linearised> {
        None
    }
}

/// A step as an implicit function of all that it depends on.
pub trait Linearised {
    /// `λ ← (∂R/∂x)⁻ᵀ λ`, over free rows: the transposed solve of an adjoint.
    fn solve_transposed(&self, lambda: &mut [f64]);
}

/// What was chosen for a pair that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The body whose points touch.
    pub points: BodyId,
    /// The body whose surface is touched.
    pub surface: BodyId,
    /// The layer between them.
    pub layer: Penalty,
}

/// Which method takes the steps, with its own settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MethodSettings {
    /// Contacts are layers.
    Smooth(SmoothSettings),
    /// Contacts are impulses.
    Impulse(ImpulseSettings),
    /// Contacts are barriers.
    Barrier(BarrierSettings),
}

impl Default for MethodSettings {
    fn default() -> Self {
        Self::Smooth(SmoothSettings::default())
    }
}

impl From<SmoothSettings> for MethodSettings {
    fn from(settings: SmoothSettings) -> Self {
        Self::Smooth(settings)
    }
}

impl From<ImpulseSettings> for MethodSettings {
    fn from(settings: ImpulseSettings) -> Self {
        Self::Impulse(settings)
    }
}

impl From<BarrierSettings> for MethodSettings {
    fn from(settings: BarrierSettings) -> Self {
        Self::Barrier(settings)
    }
}

/// Something that a method cannot do in a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// Which quantity or thing.
    pub what: &'static str,
    /// Of whom.
    pub whose: Named,
    /// The value given.
    pub value: String,
    /// The bodies it is about, if any.
    pub bodies: Vec<BodyId>,
    /// What to do instead.
    pub help: &'static str,
}

impl MethodSettings {
    /// What methods are called in scene files.
    pub const NAMES: [&'static str; 3] = ["smooth", "impulse", "barrier"];

    /// A method with its default settings.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "smooth" => Some(SmoothSettings::default().into()),
            "impulse" => Some(ImpulseSettings::default().into()),
            "barrier" => Some(BarrierSettings::default().into()),
            _ => None,
        }
    }

    /// What the method is called.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Smooth(_) => Self::NAMES[0],
            Self::Impulse(_) => Self::NAMES[1],
            Self::Barrier(_) => Self::NAMES[2],
        }
    }

    /// What the method cannot do in a scene.
    pub fn unsupported(&self, scene: &Scene) -> Vec<Unsupported> {
        match self {
            Self::Smooth(own) => own.unsupported(scene),
            Self::Impulse(own) => own.unsupported(scene),
            Self::Barrier(own) => own.unsupported(scene),
        }
    }

    /// Whether its numbers make sense.
    pub(crate) fn check(&self) -> Result<(), SceneError> {
        match self {
            Self::Smooth(own) => own.check(),
            Self::Impulse(_) => Ok(()),
            Self::Barrier(own) => own.check(),
        }
    }

    /// Frames that rigid bodies are to carry for it.
    pub(crate) fn frames(&self, scene: &Scene) -> Vec<FrameRequest> {
        match self {
            Self::Smooth(own) => own.frames(scene),
            Self::Impulse(_) | Self::Barrier(_) => Vec::new(),
        }
    }

    /// The method, for a model that carries its frames.
    pub(crate) fn build(
        &self,
        scene: &Scene,
        model: &Model,
    ) -> Result<Box<dyn Method>, SceneError> {
        match self {
            Self::Smooth(own) => Ok(Box::new(Smooth::new(scene, own, model)?)),
            Self::Impulse(own) => Ok(Box::new(Impulse::new(scene, *own, model)?)),
            Self::Barrier(own) => Ok(Box::new(Barrier::new(scene, *own, model)?)),
        }
    }
}

/// Refuses what is no number above zero.
pub(crate) fn positive(
    what: &'static str,
    value: f64,
    help: &'static str,
) -> Result<(), SceneError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    let (whose, value) = (Named::settings(), value.to_string());
    Err(SceneError::Value { what, whose, value, help })
}

/// Frictions of a scene: that of all pairs if anything can touch, and those of pairs.
fn frictions(scene: &Scene) -> impl Iterator<Item = (&Friction, Option<[BodyId; 2]>)> {
    let touch = scene.bodies.len() > 1 || scene.ids().any(|body| scene.touches_itself(body));
    let of_all = touch.then_some((&scene.friction, None));
    let of_pairs = scene.contacts.iter().map(|rule| (&rule.friction, Some(rule.between)));
    of_all.into_iter().chain(of_pairs)
}

/// What a method cannot do about the contact of two bodies.
fn unsupported_contact(
    scene: &Scene,
    [a, b]: [BodyId; 2],
    what: &'static str,
    value: f64,
    help: &'static str,
) -> Unsupported {
    let words = format!("the contact of {} and {}", scene.name(a), scene.name(b));
    let whose = Named::new(rule_of(scene, [a, b]), words);
    Unsupported { what, whose, value: value.to_string(), bodies: vec![a, b], help }
}

/// Whose a friction is.
fn whose_friction(scene: &Scene, bodies: Option<[BodyId; 2]>) -> Named {
    let Some([a, b]) = bodies else { return Subject::Friction.named(scene) };
    let words = format!("friction of {} and {}", scene.name(a), scene.name(b));
    Named::new(rule_of(scene, [a, b]), words)
}

/// The last rule of two bodies, which is the one that counts.
fn rule_of(scene: &Scene, between: [BodyId; 2]) -> Subject {
    let rule = scene.contacts.iter().rposition(|rule| rule.between == between);
    rule.map_or(Subject::Friction, Subject::Contact)
}

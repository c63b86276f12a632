//! Contacts as layers between bodies: forces that grow smoothly as layers are pressed, with friction that is implicit
//! too.
//!
//! Every stage of an [integrator](crate::step) is one nonlinear equation, contacts and friction included, solved to
//! its tolerance by Newton's method or, where all forces have an energy, by minimisation of the incremental potential
//! [Lar22].
//!
//! | module | what |
//! |---|---|
//! | [`penalty`] | the force that keeps bodies apart |
//! | [`law`] | friction: anchored, exact, smoothed, viscous; damped and lossy layers |
//! | [`settings`] | numerics of contacts |
//! | [`memory`] | what contacts remember from step to step |
//! | [`carrier`] | how deforming surfaces carry points near them |
//! | `layers`, `guard` | what touches itself: which parts of it, and what keeps them from crossing |
//! | `pair`, `shapes` | who may touch whom, with which geometry |
//! | `spot` | one contact in one stage: forces and their derivatives |
//! | `set` | all of them through the stages of a step |
//! | `stage`, `guess`, `settle` | the equation of a stage; a start where Newton's method gets lost; equilibrium |

pub mod carrier;
pub mod law;
pub mod memory;
pub mod penalty;
pub mod settings;

pub(crate) mod core;
pub(crate) mod crossing;
pub(crate) mod frame;
pub(crate) mod guard;
pub(crate) mod layers;
pub(crate) mod mesh_edges;
pub(crate) mod mesh_surface;
pub(crate) mod pair;
pub(crate) mod relative_rotation;
pub(crate) mod rigid_surface;
pub(crate) mod round;
pub(crate) mod set;
pub(crate) mod spin;
pub(crate) mod spot;

#[cfg(test)]
mod balance;
#[cfg(test)]
mod derivatives;
mod guess;
mod iterative;
mod jacobian;
mod matrix_free;
mod objective;
mod settle;
mod shapes;
mod stage;
mod system;
#[cfg(test)]
mod zones;

pub use settings::{ContactSettings, Coupling, Law, NormalLaw, SlipLevel};
pub use settle::Adrift;
pub(crate) use settle::check_support;
pub use system::System;

use self::iterative::Iterative;
use self::set::ContactSet;
use self::shapes::Shapes;
use super::linear::Linear;
use super::{Chosen, Method, Unsupported};
use crate::body::BodyId;
use crate::contact::{Contact, ContactReport, Friction, SmoothSurface};
use crate::math::Vector3;
use crate::model::{FrameRequest, Model, Phase, SceneError, Work};
use crate::scene::Scene;
use crate::solve::BlockMatrix;
use crate::step::{Dynamics, Integrator, Stage, StageReport, Trajectory, Unfinished, Unit};

/// How `smooth` takes its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmoothSettings {
    /// The scheme.
    pub integrator: Integrator,
    /// How stages are solved.
    pub solver: SolverSettings,
}

/// How the equations of a stage are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StageSolver {
    /// Minimisation where forces have an energy, Newton where not.
    #[default]
    Auto,
    /// Minimisation of the incremental potential; needs forces with an energy.
    Minimise,
    /// Damped Newton on the unbalanced forces, with direct solves.
    Newton,
    /// Inexact Newton, with GMRES and incomplete factors; direct where that fails.
    InexactNewton,
    /// Inexact Newton, with BiCGSTAB and products that never form a matrix; direct where that fails. The
    /// least memory.
    MatrixFree,
}

/// What makes an indefinite Hessian positive definite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stabilisation {
    /// Each element's Hessian loses its negative eigenvalues.
    #[default]
    Projection,
    /// The diagonal is shifted by a multiple of the mass, as little as the inertia of the whole matrix asks for.
    Inertia,
}

/// When the equations of a stage count as solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// How they are solved.
    pub method: StageSolver,
    /// How minimisation goes on where the Hessian is indefinite.
    pub stabilisation: Stabilisation,
    /// Largest acceptable unbalanced acceleration of any node [m/s²].
    pub tolerance: f64,
    /// Newton iterations per stage.
    pub max_iterations: usize,
    /// How contacts are modelled.
    pub contact: ContactSettings,
}

impl Default for SolverSettings {
    fn default() -> Self {
        let (method, stabilisation) = (StageSolver::Auto, Stabilisation::Projection);
        let contact = ContactSettings::default();
        Self { method, stabilisation, tolerance: 1e-6, max_iterations: 60, contact }
    }
}

/// Contacts of a scene as layers, and what solves the equations of a stage with them.
#[derive(Debug)]
pub(crate) struct Smooth {
    integrator: Integrator,
    solver: SolverSettings,
    contact: ContactSet,
    /// The Jacobian without what friction takes from normal forces, if it was needed.
    uncoupled: Option<BlockMatrix>,
    linear: Linear,
    iterative: Iterative,
    scratch: Scratch,
}

/// Memory that stages use again.
#[derive(Debug, Default)]
struct Scratch {
    unknowns: Vec<f64>,
    rows: Vec<f64>,
    work: Work,
    points: Vec<Vector3>,
    minimise: crate::solve::minimise::Workspace,
    newton: crate::solve::newton::Workspace,
}

impl SmoothSettings {
    /// Whether its numbers make sense.
    ///
    /// # Errors
    /// When they do not.
    pub(crate) fn check(&self) -> Result<(), SceneError> {
        self.integrator.check()?;
        let help = "give an acceleration above zero, such as 1e-6 [m/s²]";
        super::positive("tolerance", self.solver.tolerance, help)
    }

    /// What it cannot do.
    pub(crate) fn unsupported(&self, scene: &Scene) -> Vec<Unsupported> {
        let pair = |friction: &Friction, bodies: Option<[BodyId; 2]>| {
            let help = "take the impulse method, or leave it out";
            let rolls = (friction.rolling > 0.0).then(|| Unsupported {
                what: "the rolling resistance",
                value: friction.rolling.to_string(),
                bodies: bodies.into_iter().flatten().collect(),
                whose: super::whose_friction(scene, bodies),
                help,
            });
            let apart = (friction.torsion > 0.0 && !friction.shared).then(|| Unsupported {
                what: "the torsion",
                value: "apart from sliding".into(),
                bodies: bodies.into_iter().flatten().collect(),
                whose: super::whose_friction(scene, bodies),
                help: "let sliding and spin share one limit, or take the impulse method",
            });
            apart.into_iter().chain(rolls)
        };
        let bounces = scene.contacts.iter().filter(|rule| rule.restitution > 0.0).map(|rule| {
            let help = "take the impulse method, or `rebound` for the layers of all pairs";
            super::unsupported_contact(
                scene,
                rule.between,
                "the restitution",
                rule.restitution,
                help,
            )
        });
        let frictions =
            super::frictions(scene).flat_map(|(friction, bodies)| pair(friction, bodies));
        frictions.chain(bounces).collect()
    }

    /// Frames that rigid bodies carry for its contacts.
    pub(crate) fn frames(&self, scene: &Scene) -> Vec<FrameRequest> {
        Shapes::requests(scene)
    }
}

impl Smooth {
    /// For a model that carries [its frames](SmoothSettings::frames).
    pub(crate) fn new(
        scene: &Scene,
        settings: &SmoothSettings,
        model: &Model,
    ) -> Result<Self, SceneError> {
        let SmoothSettings { integrator, solver } = *settings;
        let contact = ContactSet::new(
            scene,
            solver.contact,
            solver.tolerance,
            model,
            &Shapes::new(scene, &model.frames),
            &felt_masses(model),
        )?;
        Ok(Self { contact, ..Self::without_contacts(integrator, solver) })
    }

    /// Solves stages of a model in which nothing touches.
    pub(crate) fn without_contacts(integrator: Integrator, solver: SolverSettings) -> Self {
        Self {
            integrator,
            solver,
            contact: ContactSet::default(),
            uncoupled: None,
            linear: Linear::default(),
            iterative: Iterative::default(),
            scratch: Scratch::default(),
        }
    }

    /// Whether linear systems are solved without complete factors, as long as that goes.
    fn iterates(&self) -> bool {
        matches!(self.solver.method, StageSolver::InexactNewton | StageSolver::MatrixFree)
    }

    /// Whether joints, or contacts of what does not give way, hold anything.
    fn is_held(&self, model: &Model) -> bool {
        !model.joints.is_empty() || self.contact.any_held()
    }

    /// Makes room in the matrices for what contacts couple.
    fn fit_contacts(&mut self, model: &mut Model) {
        model.fit(self.contact.stencils());
    }

    /// Works on contacts, and books the time.
    fn watch_contacts<T>(
        &mut self,
        model: &mut Model,
        phase: Phase,
        work: impl FnOnce(&mut ContactSet) -> T,
    ) -> T {
        let contact = &mut self.contact;
        model.meter.time(phase, || work(contact))
    }
}

impl Method for Smooth {
    fn name(&self) -> &'static str {
        "smooth"
    }

    fn residual_unit(&self) -> Unit {
        Unit::Acceleration
    }

    fn begin_step(&mut self) {
        self.contact.forget_stiffenings();
    }

    fn attempt(
        &mut self,
        model: &mut Model,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        let integrator = self.integrator;
        integrator.step_to(&mut WithContacts { model, smooth: self }, state, h, end)
    }

    fn attempt_plainly(
        &mut self,
        model: &mut Model,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        let euler = Integrator::BackwardEuler;
        euler.step_to(&mut WithContacts { model, smooth: self }, state, h, end)
    }

    fn settle(
        &mut self,
        model: &mut Model,
        time: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift> {
        Smooth::settle(self, model, time, q)
    }

    fn accept(&mut self) {
        self.contact.accept();
    }

    fn was_halved(&mut self, model: &Model) {
        if self.is_held(model) {
            self.contact.expect_jump();
        }
    }

    fn renumbered(&mut self) {
        self.linear = Linear::default();
    }

    fn find_reactions(&mut self, model: &mut Model, state: &Trajectory) {
        let (t, q, v) = (state.time, &state.q, &state.v);
        self.contact.find_free(model);
        let contact = &mut self.contact;
        contact.begin(t, 0.0, q, v);
        model.find_reactions(t, q, v, |add| contact.past_forces(t, q, v, add));
    }

    fn contacts(&self, q: &[f64]) -> Vec<Contact> {
        self.contact.contacts(q)
    }

    fn report(&self) -> ContactReport {
        self.contact.report()
    }

    fn energy(&self, t: f64, q: &[f64]) -> f64 {
        self.contact.energy_at(t, q)
    }

    fn can_touch(&self) -> bool {
        !self.contact.is_empty()
    }

    fn may_touch(&self, body: BodyId) -> bool {
        self.contact.chosen().any(|(points, ..)| points == body)
    }

    fn chosen(&self) -> Vec<Chosen> {
        let pairs = self.contact.chosen();
        pairs.map(|(points, surface, layer)| Chosen { points, surface, layer }).collect()
    }

    fn surfaces(&self) -> Vec<(BodyId, SmoothSurface<'_>)> {
        self.contact.surfaces().collect()
    }

    fn save(&self, out: &mut Vec<f64>) {
        if !self.contact.is_empty() {
            self.contact.encode(out);
        }
    }

    fn load(&mut self, memory: &[f64]) -> Result<(), usize> {
        match (self.contact.is_empty(), memory.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err(0),
            (false, _) => self.contact.decode(memory),
        }
    }
}

/// A model whose contacts are layers.
pub(crate) struct WithContacts<'a> {
    pub(crate) model: &'a mut Model,
    pub(crate) smooth: &'a mut Smooth,
}

impl Dynamics for WithContacts<'_> {
    fn masses(&self) -> &[f64] {
        self.model.mass_diagonal()
    }

    fn begin(&mut self, t: f64, h: f64, q: &[f64], v: &[f64]) {
        self.smooth.contact.find_free(self.model);
        let detect = |contact: &mut ContactSet| contact.begin(t, h, q, v);
        self.smooth.watch_contacts(self.model, Phase::Detection, detect);
        self.model.begin(q);
        self.smooth.fit_contacts(self.model);
    }

    fn end(&mut self, state: &mut Trajectory) {
        self.model.end(state);
    }

    fn is_rough(&self) -> bool {
        self.smooth.contact.is_rough()
    }

    fn is_held(&self) -> bool {
        self.smooth.is_held(self.model)
    }

    fn is_struck(&self) -> bool {
        self.smooth.contact.is_struck()
    }

    fn force(&mut self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        let Self { model, smooth } = self;
        model.force(t, q, v, |add| smooth.contact.past_forces(t, q, v, add), f);
    }

    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport {
        stage::solve(self.smooth, self.model, stage, q, v)
    }
}

/// Masses as contacts feel them: carried vertices have their share in the body's.
fn felt_masses(model: &Model) -> Vec<f64> {
    let mut felt = model.masses.clone();
    let nodes = model.body_nodes.iter().flatten();
    for (&node, &mass) in nodes.zip(model.vertex_masses.iter().flatten()) {
        if felt[node as usize] == 0.0 {
            felt[node as usize] = mass;
        }
    }
    felt
}

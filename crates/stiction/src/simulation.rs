//! The loop: steps, retries, reports.

use crate::body::{BodyId, JointId, JointState, ZoneId};
use crate::contact::{Contact, ContactReport};
use crate::math::Vector3;
use crate::method::impulse::{Impulse, ImpulseSettings, WithImpulses};
use crate::rigid::RigidState;
use crate::scene::Scene;
use crate::solve::Status;
use crate::solve::complementarity::cone::{Assembled, ContactProblem};
use crate::step::{Before, Dynamics as _, Integrator, Retry, StageReport, Trajectory, Unfinished};
use crate::system::{Adrift, Energies, SceneError, SolverSettings, System, Timings};

/// How time is advanced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Time between outputs [s].
    pub time_step: f64,
    /// The scheme.
    pub integrator: Integrator,
    /// How stages are solved.
    pub solver: SolverSettings,
    /// How often a step that fails may be halved.
    pub max_halvings: u32,
    /// Contacts are impulses that obey Coulomb's law exactly, instead of forces; steps are then backward Euler's, linearised.
    pub impulse: Option<ImpulseSettings>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            time_step: 0.01,
            integrator: Integrator::default(),
            solver: SolverSettings::default(),
            max_halvings: 6,
            impulse: None,
        }
    }
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Time at the end [s].
    pub time: f64,
    /// Converged if all sub-steps did; else why the first one that did not stopped.
    pub status: Status,
    /// Parts the step was cut into; 1 if it went well at once.
    pub sub_steps: usize,
    /// Attempts that failed and were repeated in halves.
    pub failed_attempts: usize,
    /// Stages of all attempts, in order.
    pub stages: Vec<StageReport>,
    /// Contacts at the end.
    pub contact: ContactReport,
}

impl StepReport {
    /// Whether the step was solved to its tolerance.
    pub fn converged(&self) -> bool {
        self.status.converged()
    }

    /// Newton iterations of all attempts.
    pub fn iterations(&self) -> usize {
        self.stages.iter().map(|stage| stage.iterations).sum()
    }

    /// Largest unbalanced acceleration left in any stage of the final attempt's end [m/s²].
    pub fn residual(&self) -> f64 {
        self.stages.last().and_then(|stage| stage.residuals.last()).copied().unwrap_or(0.0)
    }
}

/// All that a simulation needs to go on from a point in time, to the same bits.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps done.
    pub steps: u64,
    /// Time, positions, velocities, and those before.
    pub trajectory: Trajectory,
    /// What elements remember.
    pub memory: Vec<f64>,
}

/// A scene in motion.
#[derive(Debug)]
pub struct Simulation {
    settings: Settings,
    system: System,
    trajectory: Trajectory,
    steps: u64,
    impulse: Option<Impulse>,
}

impl Simulation {
    /// Prepares a scene with default settings.
    ///
    /// # Errors
    /// When the scene is not a system; see [`SceneError`].
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        Self::with_settings(scene, Settings::default())
    }

    /// Prepares a scene.
    ///
    /// # Errors
    /// When the scene or the settings make no sense; see [`SceneError`].
    pub fn with_settings(scene: &Scene, settings: Settings) -> Result<Self, SceneError> {
        settings.integrator.check()?;
        let positive = |what: &'static str, value: f64, help: &'static str| {
            if value.is_finite() && value > 0.0 {
                return Ok(());
            }
            Err(SceneError::Value {
                what,
                whose: "the settings".into(),
                value: value.to_string(),
                help,
            })
        };
        positive("time_step", settings.time_step, "give a time above zero, such as 0.01 [s]")?;
        positive(
            "tolerance",
            settings.solver.tolerance,
            "give an acceleration above zero, such as 1e-6 [m/s²]",
        )?;
        if settings.max_halvings > 30 {
            return Err(SceneError::Value {
                what: "max_halvings",
                whose: "the settings".into(),
                value: settings.max_halvings.to_string(),
                help: "give at most 30; a billionth of a step is no step any more",
            });
        }
        crate::contact::friction::check::check(scene, settings.impulse.is_some())?;
        let mut solver = settings.solver;
        if settings.impulse.is_some() {
            if !scene.zones.is_empty() {
                return Err(SceneError::Value {
                    what: "the method",
                    whose: "the settings".into(),
                    value: "impulses, in a scene with zones of gas or liquid".into(),
                    help: "zones need the smooth method",
                });
            }
            solver.contact.enabled = false;
        }
        let (mut system, q, v) = System::new(scene, solver)?;
        system.find_reactions(0.0, &q, &v);
        let impulse = settings.impulse.map(|own| Impulse::new(scene, own, &system)).transpose();
        let impulse = impulse
            .map_err(|(body, source)| SceneError::Surface { body: scene.name(body), source })?;
        let trajectory = Trajectory::new(0.0, q, v);
        Ok(Self { settings, system, trajectory, steps: 0, impulse })
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.trajectory.time
    }

    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How time is advanced.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The system: nodes, masses, reactions, terms.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Positions and velocities of nodes.
    pub fn trajectory(&self) -> &Trajectory {
        &self.trajectory
    }

    /// Positions of the vertices of a body [m].
    ///
    /// # Panics
    /// When the body is of another scene.
    pub fn positions(&self, body: BodyId) -> Vec<Vector3> {
        self.of_body(body, &self.trajectory.q)
    }

    /// Velocities of the vertices of a body [m/s].
    ///
    /// # Panics
    /// When the body is of another scene.
    pub fn velocities(&self, body: BodyId) -> Vec<Vector3> {
        self.of_body(body, &self.trajectory.v)
    }

    /// Forces that held vertices of a body needed at the end of the last step, zero for free ones [N]. Before the
    /// first step, and after [`Simulation::restore`], those of the present state; after [`Simulation::settle`], those
    /// of the equilibrium.
    ///
    /// # Panics
    /// When the body is of another scene.
    pub fn reactions(&self, body: BodyId) -> Vec<Vector3> {
        self.of_body(body, self.system.reactions())
    }

    fn of_body(&self, body: BodyId, values: &[f64]) -> Vec<Vector3> {
        self.system
            .nodes(body)
            .iter()
            .map(|&node| crate::assembly::point(values, node as usize))
            .collect()
    }

    /// How a rigid body stands and moves; nothing for other bodies.
    pub fn rigid_state(&self, body: BodyId) -> Option<RigidState> {
        let state = self.trajectory();
        self.system.rigid_state(body, &state.q, &state.v)
    }

    /// How a joint stands.
    ///
    /// # Panics
    /// When the joint is of another scene.
    pub fn joint(&self, joint: JointId) -> JointState {
        self.system.joint_state(joint, &self.trajectory.q)
    }

    /// Contacts that push, after the last step.
    pub fn contacts(&self) -> Vec<Contact> {
        match &self.impulse {
            Some(impulse) => impulse.contacts(&self.trajectory.q),
            None => self.system.contacts(&self.trajectory.q),
        }
    }

    /// Volume of a zone [m³].
    ///
    /// # Panics
    /// When the zone is of another scene.
    pub fn zone_volume(&self, zone: ZoneId) -> f64 {
        self.system.zone_volume(zone, &self.trajectory.q)
    }

    /// Pressure in a zone, above that of the atmosphere [Pa].
    ///
    /// # Panics
    /// When the zone is of another scene.
    pub fn zone_pressure(&self, zone: ZoneId) -> f64 {
        self.system.zone_pressure(zone, &self.trajectory.q)
    }

    /// Energy of motion, elements, gravity, zones and contacts [J].
    pub fn energies(&self) -> Energies {
        self.system.energies(self.trajectory.time, &self.trajectory.q, &self.trajectory.v)
    }

    /// Linear momentum [N·s], and angular momentum about the origin [N·m·s].
    pub fn momentum(&self) -> (Vector3, Vector3) {
        self.system.momentum(&self.trajectory.q, &self.trajectory.v)
    }

    /// Sets the clock that times the phases of steps [s].
    pub fn set_clock(&mut self, clock: impl Fn() -> f64 + Send + Sync + 'static) {
        self.system.set_clock(clock);
    }

    /// Time spent per phase since the clock was set.
    pub fn timings(&self) -> Timings {
        self.system.timings()
    }

    /// Moves everything to static equilibrium, so that what follows starts without a kick. Velocities stay.
    ///
    /// # Errors
    /// When something is held by nothing and pushed: it has no equilibrium.
    pub fn settle(&mut self) -> Result<StageReport, Adrift> {
        let mut q = self.trajectory.q.clone();
        let report = self.system.settle(self.trajectory.time, &mut q)?;
        if q.iter().all(|q| q.is_finite()) {
            self.system.accept(&q);
            self.trajectory.q = q;
            self.trajectory.before = None;
            if let Some(impulse) = &mut self.impulse {
                impulse.forget();
            }
        }
        Ok(report)
    }

    /// Whether anything can ever touch.
    pub fn has_contacts(&self) -> bool {
        self.system.has_contacts() || (self.impulse.is_some() && self.system.body_count() > 1)
    }

    /// Whether points of a body can touch anything, so that it has fields of contacts.
    pub fn may_touch(&self, body: BodyId) -> bool {
        match &self.impulse {
            Some(impulse) => impulse.may_touch(body),
            None => self.system.contact_pairs().any(|(points, ..)| points == body),
        }
    }

    /// The contact problem that the next step has to solve, with the impulses it starts from; nothing for other methods than
    /// impulses.
    pub fn contact_problem(&mut self) -> Option<(ContactProblem<Assembled>, Vec<f64>)> {
        let impulse = self.impulse.as_mut()?;
        impulse.problem(&mut self.system, &self.trajectory, self.settings.time_step)
    }

    /// Takes a step. A step that fails is repeated in halves; output times stay.
    pub fn step(&mut self) -> StepReport {
        let h = self.settings.time_step;
        // Counted, not added up, so that rounding does not gather.
        let time = (self.steps + 1) as f64 * h;
        let mut report = StepReport {
            time,
            status: Status::Converged,
            sub_steps: 0,
            failed_attempts: 0,
            stages: Vec::new(),
            contact: ContactReport::default(),
        };
        self.system.begin_step();
        let mut trajectory = std::mem::take(&mut self.trajectory);
        self.advance(&mut trajectory, h, time, 0, &mut report);
        if self.system.release(time) {
            // Accelerations jump: a multistep scheme that looked across would lose an order.
            trajectory.before = None;
        }
        self.steps += 1;
        self.trajectory = trajectory;
        report.contact = match &self.impulse {
            Some(impulse) => impulse.report(),
            None => self.system.contact_report(),
        };
        report
    }

    /// Advances by `h` to the time `end`, in halves if need be.
    fn advance(
        &mut self,
        trajectory: &mut Trajectory,
        h: f64,
        end: f64,
        depth: u32,
        report: &mut StepReport,
    ) {
        let attempt = match &mut self.impulse {
            Some(impulse) => {
                let mut dynamics = WithImpulses { system: &mut self.system, impulse };
                Integrator::BackwardEuler.step_to(&mut dynamics, trajectory, h, end)
            }
            None => self.settings.integrator.step_to(&mut self.system, trajectory, h, end),
        };
        match attempt {
            Ok(stages) => self.accept_part(trajectory, stages, report),
            Err(unfinished) if unfinished.asks_for(Retry::Again) => {
                report.stages.extend(unfinished.reports);
                self.advance(trajectory, h, end, depth, report);
            }
            Err(unfinished) if depth < self.settings.max_halvings => {
                report.stages.extend(unfinished.reports);
                report.failed_attempts += 1;
                let start = (depth == 0).then(|| (trajectory.q.clone(), trajectory.v.clone()));
                let middle = trajectory.time + 0.5 * h;
                self.advance(trajectory, 0.5 * h, middle, depth + 1, report);
                self.advance(trajectory, 0.5 * h, end, depth + 1, report);
                if let (Some((q, v)), true) = (start, report.converged()) {
                    // For multistep schemes the past is a whole step away, whatever happened in between; but contacts
                    // remember no further than the last part.
                    trajectory.before = (!self.has_contacts()).then_some(Before { step: h, q, v });
                    self.system.was_halved();
                }
            }
            // Where a first stage ends is not where the step does: what stopped there would fall behind.
            Err(unfinished) if unfinished.time < end => {
                report.stages.extend(unfinished.reports);
                report.failed_attempts += 1;
                let euler = Integrator::BackwardEuler;
                match euler.step_to(&mut self.system, trajectory, h, end) {
                    Ok(stages) => self.accept_part(trajectory, stages, report),
                    Err(unfinished) => self.accept_unfinished(trajectory, end, unfinished, report),
                }
            }
            Err(unfinished) => self.accept_unfinished(trajectory, end, unfinished, report),
        }
    }

    fn accept_part(
        &mut self,
        trajectory: &Trajectory,
        stages: Vec<StageReport>,
        report: &mut StepReport,
    ) {
        report.stages.extend(stages);
        report.sub_steps += 1;
        self.accept(&trajectory.q);
    }

    fn accept(&mut self, q: &[f64]) {
        self.system.accept(q);
        if let Some(impulse) = &mut self.impulse {
            impulse.accept();
        }
    }

    /// Nothing is left but to go on from where the solver stopped, and to say so; from the last good state, if that
    /// place is not finite, or has more energy than everything had before: what was not solved must not explode.
    fn accept_unfinished(
        &mut self,
        trajectory: &mut Trajectory,
        end: f64,
        unfinished: Unfinished,
        report: &mut StepReport,
    ) {
        let Unfinished { reports, q, v, .. } = unfinished;
        if report.converged() {
            report.status = match reports.last() {
                Some(stage) if stage.retry.is_some() => Status::Refused,
                Some(stage) => stage.status,
                None => Status::Breakdown,
            };
        }
        report.stages.extend(reports);
        report.sub_steps += 1;
        trajectory.time = end;
        trajectory.before = None;
        let usable = q.iter().chain(&v).all(|value| value.is_finite())
            && self.is_tame(trajectory, end, &q, &v);
        if usable {
            (trajectory.q, trajectory.v) = (q, v);
            // Rotations are counted from here on, as after any other step.
            match &mut self.impulse {
                Some(impulse) => WithImpulses { system: &mut self.system, impulse }.end(trajectory),
                None => self.system.end(trajectory),
            }
            self.accept(&trajectory.q);
        }
    }

    /// Whether a state at the time `end` has no more than twice the energy of the present one, give or take what gravity
    /// and a crawl are worth.
    fn is_tame(&self, now: &Trajectory, end: f64, q: &[f64], v: &[f64]) -> bool {
        let before = self.system.energies(now.time, &now.q, &now.v);
        let after = self.system.energies(end, q, v);
        let fall = self.system.gravity().norm() * (end - now.time);
        let mass: f64 = self.system.node_masses().iter().sum();
        let stored = before.kinetic + before.elastic + before.contact;
        let gain = after.total() - before.total();
        gain <= stored + mass * fall * fall
    }

    /// All that is needed to go on from here.
    pub fn state(&self) -> State {
        let mut memory = self.system.memory();
        if let Some(impulse) = &self.impulse {
            impulse.encode(&mut memory);
        }
        State { steps: self.steps, trajectory: self.trajectory.clone(), memory }
    }

    /// Goes back, or on, to a state saved from the same scene.
    ///
    /// # Errors
    /// When the state does not fit the scene, or holds a number that is not finite. Nothing is changed then.
    pub fn restore(&mut self, state: &State) -> Result<(), SceneError> {
        let expected = self.trajectory.q.len();
        let before = state.trajectory.before.as_ref();
        let lengths = [state.trajectory.q.len(), state.trajectory.v.len()];
        let lengths = lengths.into_iter().chain(before.iter().flat_map(|b| [b.q.len(), b.v.len()]));
        if let Some(given) = lengths.into_iter().find(|&length| length != expected) {
            return Err(SceneError::State { what: "trajectory", given, expected });
        }
        let now = [&state.trajectory.q, &state.trajectory.v, &state.memory];
        let past = before.iter().flat_map(|b| [&b.q, &b.v]);
        let times = [&state.trajectory.time].into_iter().chain(before.iter().map(|b| &b.step));
        let mut numbers = now.into_iter().chain(past).flatten().chain(times);
        if let Some(value) = numbers.find(|value| !value.is_finite()) {
            return Err(SceneError::Value {
                what: "a number",
                whose: "the state".into(),
                value: value.to_string(),
                help: "restore only states that were saved from a simulation",
            });
        }
        match &mut self.impulse {
            None => self.system.set_memory(&state.memory)?,
            Some(impulse) => {
                let (given, own) = (state.memory.len(), self.system.memory().len());
                let wrong = SceneError::State { what: "memory", given, expected: own };
                if given < own || impulse.decode(&state.memory[own..]).is_none() {
                    return Err(wrong);
                }
                self.system.set_memory(&state.memory[..own])?;
            }
        }
        self.trajectory = state.trajectory.clone();
        self.steps = state.steps;
        self.system.release(self.trajectory.time);
        self.system.find_reactions(state.trajectory.time, &state.trajectory.q, &state.trajectory.v);
        Ok(())
    }
}

//! The loop: steps, retries, reports.

use crate::body::{BodyId, JointId, JointState, ZoneId};
use crate::contact::{Contact, ContactReport, SmoothSurface};
use crate::math::Vector3;
use crate::measure::{Intersections, Surfaces};
use crate::method::smooth::{Adrift, SmoothSettings};
use crate::method::{Chosen, Method, MethodSettings, Unsupported, positive};
use crate::model::{Energies, Model, Named, SceneError, Subject, Timings};
use crate::rigid::RigidState;
use crate::scene::Scene;
use crate::solve::Status;
use crate::solve::complementarity::cone::{Assembled, ContactProblem};
use crate::step::{Before, Residual, Retry, StageReport, Trajectory, Unfinished};

/// How time is advanced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Time between outputs [s].
    pub time_step: f64,
    /// How often a step that fails may be halved.
    pub max_halvings: u32,
    /// Which method takes the steps, with its own settings.
    pub method: MethodSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self { time_step: 0.01, max_halvings: 6, method: MethodSettings::default() }
    }
}

impl Settings {
    /// Settings of [`smooth`](crate::method::smooth), to be changed; it becomes the method if it was not.
    pub fn smooth(&mut self) -> &mut SmoothSettings {
        if !matches!(self.method, MethodSettings::Smooth(_)) {
            self.method = MethodSettings::default();
        }
        match &mut self.method {
            MethodSettings::Smooth(own) => own,
            _ => unreachable!("it was just made smooth"),
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

    /// What the last stage of the final attempt has left, in the unit of its method.
    pub fn residual(&self) -> Residual {
        self.stages.last().map_or_else(Residual::default, |stage| Residual {
            value: stage.residuals.last().copied().unwrap_or(0.0),
            unit: stage.unit,
        })
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
    model: Model,
    method: Box<dyn Method>,
    trajectory: Trajectory,
    steps: u64,
    surfaces: Surfaces,
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
        check(&settings)?;
        crate::contact::friction::check::check(scene)?;
        crate::contact::itself::check(scene)?;
        if let Some(first) = settings.method.unsupported(scene).into_iter().next() {
            let Unsupported { what, whose, value, help, .. } = first;
            return Err(SceneError::Value { what, whose, value, help });
        }
        let (model, q, v) = Model::new(scene, &settings.method.frames(scene))?;
        let method = settings.method.build(scene, &model)?;
        Ok(Self::start(scene, settings, model, method, Trajectory::new(0.0, q, v)))
    }

    /// Prepares a scene for a method from outside; that of `settings` is passed over.
    ///
    /// # Errors
    /// When the scene or the settings make no sense; see [`SceneError`].
    pub fn with_method(
        scene: &Scene,
        settings: Settings,
        method: impl FnOnce(&Scene, &Model) -> Result<Box<dyn Method>, SceneError>,
    ) -> Result<Self, SceneError> {
        check(&settings)?;
        crate::contact::friction::check::check(scene)?;
        crate::contact::itself::check(scene)?;
        let (model, q, v) = Model::new(scene, &[])?;
        let method = method(scene, &model)?;
        Ok(Self::start(scene, settings, model, method, Trajectory::new(0.0, q, v)))
    }

    fn start(
        scene: &Scene,
        settings: Settings,
        mut model: Model,
        mut method: Box<dyn Method>,
        trajectory: Trajectory,
    ) -> Self {
        method.find_reactions(&mut model, &trajectory);
        let surfaces = Surfaces::new(scene, &model);
        Self { settings, model, method, trajectory, steps: 0, surfaces }
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

    /// Nodes, masses, reactions, terms.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What takes the steps.
    pub fn method(&self) -> &dyn Method {
        &*self.method
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
        self.of_body(body, self.model.reactions())
    }

    fn of_body(&self, body: BodyId, values: &[f64]) -> Vec<Vector3> {
        self.model
            .nodes(body)
            .iter()
            .map(|&node| crate::assembly::point(values, node as usize))
            .collect()
    }

    /// How a rigid body stands and moves; nothing for other bodies.
    pub fn rigid_state(&self, body: BodyId) -> Option<RigidState> {
        let state = self.trajectory();
        self.model.rigid_state(body, &state.q, &state.v)
    }

    /// How a joint stands.
    ///
    /// # Panics
    /// When the joint is of another scene.
    pub fn joint(&self, joint: JointId) -> JointState {
        self.model.joint_state(joint, &self.trajectory.q)
    }

    /// Contacts that push, after the last step.
    pub fn contacts(&self) -> Vec<Contact> {
        self.method.contacts(&self.trajectory.q)
    }

    /// Pairs of triangles that cross now, by bodies, whether contacts are on or off; [`Intersections`] says of which
    /// bodies. Found anew each time it is asked for.
    pub fn intersections(&self) -> Intersections {
        self.surfaces.intersections(&self.trajectory.q, self.trajectory.time)
    }

    /// Whether [`Simulation::intersections`] looks at a body.
    pub fn has_intersections(&self, body: BodyId) -> bool {
        self.surfaces.has(body)
    }

    /// Volume of a zone [m³].
    ///
    /// # Panics
    /// When the zone is of another scene.
    pub fn zone_volume(&self, zone: ZoneId) -> f64 {
        self.model.zone_volume(zone, &self.trajectory.q)
    }

    /// Pressure in a zone, above that of the atmosphere [Pa].
    ///
    /// # Panics
    /// When the zone is of another scene.
    pub fn zone_pressure(&self, zone: ZoneId) -> f64 {
        self.model.zone_pressure(zone, &self.trajectory.q)
    }

    /// Energy of motion, elements, gravity, zones and contacts [J].
    pub fn energies(&self) -> Energies {
        let Trajectory { time, q, v, .. } = &self.trajectory;
        self.energies_at(*time, q, v)
    }

    fn energies_at(&self, t: f64, q: &[f64], v: &[f64]) -> Energies {
        Energies { contact: self.method.energy(t, q), ..self.model.energies(q, v) }
    }

    /// Linear momentum [N·s], and angular momentum about the origin [N·m·s].
    pub fn momentum(&self) -> (Vector3, Vector3) {
        self.model.momentum(&self.trajectory.q, &self.trajectory.v)
    }

    /// Sets the clock that times the phases of steps [s].
    pub fn set_clock(&mut self, clock: impl Fn() -> f64 + Send + Sync + 'static) {
        self.model.set_clock(clock);
    }

    /// Time spent per phase since the clock was set.
    pub fn timings(&self) -> Timings {
        self.model.timings()
    }

    /// Moves everything to static equilibrium, so that what follows starts without a kick. Velocities stay.
    ///
    /// # Errors
    /// When something is held by nothing and pushed: it has no equilibrium.
    pub fn settle(&mut self) -> Result<StageReport, Adrift> {
        let mut q = self.trajectory.q.clone();
        let report = self.method.settle(&mut self.model, self.trajectory.time, &mut q)?;
        if q.iter().all(|q| q.is_finite()) {
            self.model.accept(&q);
            self.trajectory.q = q;
            self.trajectory.before = None;
        }
        Ok(report)
    }

    /// Whether anything can ever touch.
    pub fn has_contacts(&self) -> bool {
        self.method.can_touch()
    }

    /// Whether points of a body can touch anything, so that it has fields of contacts.
    pub fn may_touch(&self, body: BodyId) -> bool {
        self.method.may_touch(body)
    }

    /// What was chosen for each pair that may touch; empty where a method chooses nothing by pair.
    pub fn contact_pairs(&self) -> Vec<Chosen> {
        self.method.chosen()
    }

    /// Smooth surfaces that may be touched, each body once; of what deforms, as it was last.
    pub fn contact_surfaces(&self) -> Vec<(BodyId, SmoothSurface<'_>)> {
        self.method.surfaces()
    }

    /// Contacts after the last step, in numbers.
    pub fn contact_report(&self) -> ContactReport {
        self.method.report()
    }

    /// The contact problem that the next step has to solve, with the impulses it starts from; nothing for methods
    /// whose steps are no such problems.
    pub fn contact_problem(&mut self) -> Option<(ContactProblem<Assembled>, Vec<f64>)> {
        self.method.contact_problem(&mut self.model, &self.trajectory, self.settings.time_step)
    }

    /// Most memory that a matrix and its factor took in the last step, counted by their numbers, not measured; none for
    /// methods without matrices [bytes].
    pub fn matrix_bytes(&self) -> usize {
        self.model.matrix_bytes()
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
        self.method.begin_step();
        self.model.begin_step();
        let mut trajectory = std::mem::take(&mut self.trajectory);
        self.advance(&mut trajectory, h, time, 0, &mut report);
        if self.model.release(time) {
            self.method.renumbered();
            // Accelerations jump: a multistep scheme that looked across would lose an order.
            trajectory.before = None;
        }
        self.steps += 1;
        self.trajectory = trajectory;
        report.contact = self.method.report();
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
        let attempt = self.method.attempt(&mut self.model, trajectory, h, end);
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
                    self.method.was_halved(&self.model);
                }
            }
            // Where a first stage ends is not where the step does: what stopped there would fall behind.
            Err(unfinished) if unfinished.time < end => {
                report.stages.extend(unfinished.reports);
                report.failed_attempts += 1;
                match self.method.attempt_plainly(&mut self.model, trajectory, h, end) {
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
        self.model.accept(q);
        self.method.accept();
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
            self.method.take_unfinished(&mut self.model, trajectory);
            self.accept(&trajectory.q);
        }
    }

    /// Whether a state at the time `end` has no more than twice the energy of the present one, give or take what
    /// gravity and a crawl are worth.
    fn is_tame(&self, now: &Trajectory, end: f64, q: &[f64], v: &[f64]) -> bool {
        let before = self.energies_at(now.time, &now.q, &now.v);
        let after = self.energies_at(end, q, v);
        let fall = self.model.gravity().norm() * (end - now.time);
        let mass: f64 = self.model.node_masses().iter().sum();
        let stored = before.kinetic + before.elastic + before.contact;
        let gain = after.total() - before.total();
        gain <= stored + mass * fall * fall
    }

    /// All that is needed to go on from here.
    pub fn state(&self) -> State {
        let mut memory = self.model.memory();
        self.method.save(&mut memory);
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
                whose: Named::new(Subject::State, "the state".into()),
                value: value.to_string(),
                help: "restore only states that were saved from a simulation",
            });
        }
        let (given, own) = (state.memory.len(), self.model.memory_length());
        let wrong = |expected| SceneError::State { what: "memory", given, expected };
        let rest = state.memory.get(own..).ok_or_else(|| wrong(own))?;
        self.method.load(rest).map_err(|more| wrong(own + more))?;
        self.model.set_memory(&state.memory)?;
        self.trajectory = state.trajectory.clone();
        self.steps = state.steps;
        if self.model.release(self.trajectory.time) {
            self.method.renumbered();
        }
        self.method.find_reactions(&mut self.model, &self.trajectory);
        Ok(())
    }
}

/// Whether settings make sense.
fn check(settings: &Settings) -> Result<(), SceneError> {
    let help = "give a time above zero, such as 0.01 [s]";
    positive("time_step", settings.time_step, help)?;
    settings.method.check()?;
    if settings.max_halvings > 30 {
        return Err(SceneError::Value {
            what: "max_halvings",
            whose: Named::settings(),
            value: settings.max_halvings.to_string(),
            help: "give at most 30; a billionth of a step is no step any more",
        });
    }
    Ok(())
}

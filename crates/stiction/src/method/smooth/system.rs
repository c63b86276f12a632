//! A scene as a system of differential equations, for those who integrate it themselves.

use super::{Shapes, Smooth, SmoothSettings, SolverSettings, WithContacts};
use crate::model::{Model, SceneError};
use crate::scene::Scene;
use crate::step::{Dynamics, Stage, StageReport, Trajectory};

/// `M dv/dt = f(t, q, v)` of a scene whose contacts are layers.
#[derive(Debug)]
pub struct System {
    model: Model,
    smooth: Smooth,
}

impl System {
    /// The system, and positions and velocities of its nodes at the start.
    ///
    /// # Errors
    /// When the scene is no such system: see [`SceneError`].
    pub fn new(
        scene: &Scene,
        solver: SolverSettings,
    ) -> Result<(Self, Vec<f64>, Vec<f64>), SceneError> {
        let (model, q, v) = Model::new(scene, &Shapes::requests(scene))?;
        let settings = SmoothSettings { solver, ..Default::default() };
        let smooth = Smooth::new(scene, &settings, &model)?;
        Ok((Self { model, smooth }, q, v))
    }

    /// Nodes, masses, terms.
    pub fn model(&self) -> &Model {
        &self.model
    }

    fn with_contacts(&mut self) -> WithContacts<'_> {
        WithContacts { model: &mut self.model, smooth: &mut self.smooth }
    }
}

impl Dynamics for System {
    fn masses(&self) -> &[f64] {
        self.model.mass_diagonal()
    }

    fn begin(&mut self, t: f64, h: f64, q: &[f64], v: &[f64]) {
        self.with_contacts().begin(t, h, q, v);
    }

    fn end(&mut self, state: &mut Trajectory) {
        self.with_contacts().end(state);
    }

    fn is_rough(&self) -> bool {
        self.smooth.contact.is_rough()
    }

    fn is_held(&self) -> bool {
        self.smooth.is_held(&self.model)
    }

    fn is_struck(&self) -> bool {
        self.smooth.contact.is_struck()
    }

    fn force(&mut self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.with_contacts().force(t, q, v, f);
    }

    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport {
        self.with_contacts().solve(stage, q, v)
    }
}

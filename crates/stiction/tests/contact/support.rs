//! Point masses on slopes, and settings, for tests of contact.
//!
//! A triangle of a fabric without stiffness to speak of is three point masses of one kilogram: they do not feel each
//! other, but each has a contact of its own.

use stiction::body::{BodyId, Cloth, Obstacle};
use stiction::contact::Friction;
use stiction::material::{Fabric, Stretch};
use stiction::math::Vector3;
use stiction::mesh::TriMesh;
use stiction::method::smooth::SolverSettings;
use stiction::method::smooth::{ContactSettings, Law, SmoothSettings};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation, State, StepReport};

/// The schemes that friction at rest is made for.
pub(crate) const SCHEMES: [Integrator; 4] =
    [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::TR_BDF2, Integrator::Sdirk2];

pub(crate) const GRAVITY: f64 = 9.81;

/// Ten degrees [rad].
pub(crate) const TEN_DEGREES: f64 = std::f64::consts::PI / 18.0;

/// Of layers [m].
pub(crate) const THICKNESS: f64 = 1e-3;

/// Three point masses of one kilogram.
pub(crate) fn point_masses(corners: [Vector3; 3]) -> Cloth {
    let area = 0.5 * (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm();
    let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a triangle");
    let stretch = Stretch::Isotropic { youngs_modulus: 1e-9, poissons_ratio: 0.0 };
    Cloth::new(mesh).material(Fabric::new(stretch, 3.0 / area, 0.0).expect("valid"))
}

/// Three points that span a metre of the plane `y = 0`.
pub(crate) fn flat() -> Cloth {
    point_masses([Vector3::zeros(), Vector3::z(), Vector3::x()])
}

/// The stiffness of a layer that carries `load` [N] at half its thickness [N/m].
pub(crate) fn carrying(load: f64) -> f64 {
    4.0 * load / (3.0 * THICKNESS)
}

/// A plane `y = 0`, and points at half the layer that weigh nothing more than the plane carries there. Gravity is
/// turned instead of the plane: `x` is down the slope.
pub(crate) struct Slope {
    pub(crate) angle: f64,
    pub(crate) friction: Friction,
    /// Of the points at the start [m/s].
    pub(crate) velocity: Vector3,
    /// Of the points at the start [m].
    pub(crate) height: f64,
}

impl Slope {
    /// The slope of the specification: ten degrees, held to 0.4 %.
    pub(crate) fn reference(speed: f64) -> Self {
        let velocity = Vector3::x() * speed;
        Self {
            angle: TEN_DEGREES,
            friction: Friction::coulomb(0.177),
            velocity,
            height: 0.5 * THICKNESS,
        }
    }

    pub(crate) fn scene(&self) -> (Scene, BodyId) {
        self.scene_in(Vector3::new(GRAVITY * self.angle.sin(), -GRAVITY * self.angle.cos(), 0.0))
    }

    /// Like [`Slope::scene`], in another gravity.
    pub(crate) fn scene_in(&self, gravity: Vector3) -> (Scene, BodyId) {
        let mut scene = Scene::new();
        scene.gravity = gravity;
        let points = scene.add(flat().at([0.0, self.height, 0.0]).velocity(self.velocity));
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        let rule = scene.contact(points, plane);
        rule.friction = self.friction;
        rule.thickness = Some(THICKNESS);
        rule.stiffness = Some(carrying(GRAVITY * self.angle.cos()));
        (scene, points)
    }
}

/// Settings with a law of friction.
pub(crate) fn settings(integrator: Integrator, time_step: f64, law: Law) -> Settings {
    let contact = ContactSettings { law, ..Default::default() };
    let solver = SolverSettings { tolerance: 1e-10, contact, ..Default::default() };
    let method = SmoothSettings { integrator, solver }.into();
    Settings { time_step, method, ..Default::default() }
}

/// The default law with a spring as stiff as given.
pub(crate) fn anchored(ratio: f64) -> Law {
    Law::Anchored { ratio, damping: 1.0, corner: 0.0, mixed: true }
}

/// Takes steps that must converge.
#[track_caller]
pub(crate) fn advance(simulation: &mut Simulation, steps: usize) -> StepReport {
    let mut last = None;
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "{:?}: {report:?}", simulation.settings().method);
        last = Some(report);
    }
    last.expect("at least a step")
}

/// Mean position of a body's vertices [m].
pub(crate) fn middle(simulation: &Simulation, body: BodyId) -> Vector3 {
    let x = simulation.positions(body);
    x.iter().sum::<Vector3>() / x.len() as f64
}

/// A simulation of `scene` whose contacts remember that they slid, as if the scene had not just begun: `before` is the
/// same scene in another gravity or with another velocity, in which everything has slid for a while.
pub(crate) fn sliding_already(scene: &Scene, before: &Scene, settings: Settings) -> Simulation {
    let mut past = Simulation::with_settings(before, settings).expect("valid");
    advance(&mut past, 60);
    let mut simulation = Simulation::with_settings(scene, settings).expect("valid");
    let State { steps, trajectory, .. } = simulation.state();
    let memory = past.state().memory;
    simulation.restore(&State { steps, trajectory, memory }).expect("the same bodies");
    simulation
}

/// Largest number of Newton iterations of a stage.
pub(crate) fn most_iterations(report: &StepReport) -> usize {
    report.stages.iter().map(|stage| stage.iterations).max().unwrap_or(0)
}

/// Whether every number of a state is one.
pub(crate) fn is_finite(simulation: &Simulation) -> bool {
    let trajectory = simulation.trajectory();
    trajectory.q.iter().chain(&trajectory.v).all(|value| value.is_finite())
}

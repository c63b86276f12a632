//! A new method is one file: symplectic Euler without contacts, beside those that come with the library.

use stiction::body::{BodyId, Solid};
use stiction::contact::{Contact, ContactReport};
use stiction::math::Vector3;
use stiction::method::Method;
use stiction::method::smooth::Adrift;
use stiction::model::Model;
use stiction::step::{StageReport, Trajectory, Unfinished, Unit};
use stiction::{Scene, Settings, Simulation};

/// `v ← v + h M⁻¹ f(q)`, then `q ← q + h v`.
#[derive(Debug)]
struct SymplecticEuler;

impl Method for SymplecticEuler {
    fn name(&self) -> &'static str {
        "symplectic-euler"
    }

    fn residual_unit(&self) -> Unit {
        Unit::Acceleration
    }

    fn attempt(
        &mut self,
        model: &mut Model,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        let mut f = vec![0.0; state.q.len()];
        model.free_force(state.time, &state.q, &state.v, &mut f);
        for (k, f) in f.iter().enumerate() {
            state.v[k] += h * f / model.node_masses()[k / 3];
            state.q[k] += h * state.v[k];
        }
        state.time = end;
        Ok(vec![StageReport::default()])
    }

    fn accept(&mut self) {}

    fn settle(&mut self, _: &mut Model, _: f64, _: &mut [f64]) -> Result<StageReport, Adrift> {
        Ok(StageReport::default())
    }

    fn find_reactions(&mut self, _: &mut Model, _: &Trajectory) {}

    fn contacts(&self, _: &[f64]) -> Vec<Contact> {
        Vec::new()
    }

    fn report(&self) -> ContactReport {
        ContactReport::default()
    }

    fn can_touch(&self) -> bool {
        false
    }

    fn may_touch(&self, _: BodyId) -> bool {
        false
    }

    fn save(&self, _: &mut Vec<f64>) {}

    fn load(&mut self, memory: &[f64]) -> Result<(), usize> {
        if memory.is_empty() { Ok(()) } else { Err(0) }
    }
}

/// A block thrown up: `y = v t − g t (t + h) / 2` exactly, in every step.
#[test]
fn a_method_from_outside_takes_steps_is_measured_and_restored() {
    let mut scene = Scene::new();
    let block = Solid::cuboid([0.1; 3], [1, 1, 1]).expect("valid").velocity([0.0, 3.0, 0.0]);
    let block = scene.add(block);
    let (h, steps) = (1e-4, 50);
    let settings = Settings { time_step: h, ..Settings::default() };
    let new = || Simulation::with_method(&scene, settings, |_, _| Ok(Box::new(SymplecticEuler)));
    let mut simulation = new().expect("valid");
    assert_eq!(simulation.method().name(), "symplectic-euler");
    let height =
        |simulation: &Simulation| simulation.positions(block).iter().sum::<Vector3>().y / 8.0;
    let start = height(&simulation);
    for _ in 0..steps {
        assert!(simulation.step().converged());
    }
    let t = f64::from(steps) * h;
    let exact = 3.0 * t - 0.5 * 9.81 * t * (t + h);
    assert!((height(&simulation) - start - exact).abs() < 1e-13);
    let mut again = new().expect("valid");
    again.restore(&simulation.state()).expect("its own");
    simulation.step();
    again.step();
    assert_eq!(simulation.state(), again.state());
}

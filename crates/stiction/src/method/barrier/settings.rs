//! Numbers of the barrier method.

use crate::body::{Body, BodyId};
use crate::contact::Friction;
use crate::contact::friction::Directional;
use crate::method::Unsupported;
use crate::model::{SceneError, Subject};
use crate::scene::Scene;
use crate::step::Integrator;

/// How `barrier` takes its steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarrierSettings {
    /// The scheme.
    pub integrator: Integrator,
    /// Largest acceptable unbalanced acceleration of any node [m/s²].
    pub tolerance: f64,
    /// Newton iterations of one minimisation.
    pub max_iterations: usize,
    /// How friction knows its normal forces.
    pub coupling: Coupling,
    /// How often a stage is minimised at most until lagged friction fits normal forces.
    pub friction_passes: usize,
}

/// How friction knows normal forces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coupling {
    /// They are unknown as everything else is (fully implicit): one system, which is no gradient.
    #[default]
    Implicit,
    /// Of the minimum before, found again until they fit (lagged [LFS+20, §5]).
    Lagged,
}

impl Default for BarrierSettings {
    fn default() -> Self {
        let integrator = Integrator::BackwardEuler;
        let coupling = Coupling::Implicit;
        Self { integrator, tolerance: 1e-4, max_iterations: 200, coupling, friction_passes: 8 }
    }
}

impl BarrierSettings {
    pub(crate) fn check(&self) -> Result<(), SceneError> {
        self.integrator.check()?;
        let help = "give an acceleration above zero, such as 1e-4 [m/s²]";
        crate::method::positive("tolerance", self.tolerance, help)
    }

    /// What it cannot do.
    pub(crate) fn unsupported(&self, scene: &Scene) -> Vec<Unsupported> {
        let elsewhere = "take the smooth or the impulse method";
        let body = |what, value: String, id: BodyId, help| Unsupported {
            what,
            whose: Subject::Body(id).named(scene),
            value,
            bodies: vec![id],
            help,
        };
        let bodies =
            scene.bodies.iter().zip(scene.ids()).filter_map(|(described, id)| match described {
                Body::Obstacle(obstacle) if !super::mesh::has_triangles(&obstacle.shape) => {
                    let help = "give it as a mesh or as another shape, or take the smooth method";
                    Some(body("the shape", "without triangles".into(), id, help))
                }
                _ => None,
            });
        let frictions = crate::method::frictions(scene).filter_map(|(friction, bodies)| {
            let Friction { rolling, torsion, viscosity, direction, .. } = friction;
            let (what, value) = match direction {
                _ if *rolling > 0.0 => ("the rolling resistance", rolling.to_string()),
                _ if *torsion > 0.0 => ("the torsion", torsion.to_string()),
                _ if *viscosity > 0.0 => ("the viscosity", viscosity.to_string()),
                Directional::Any => return None,
                _ => ("the direction", "by skin".into()),
            };
            let whose = crate::method::whose_friction(scene, bodies);
            let bodies = bodies.into_iter().flatten().collect();
            Some(Unsupported { what, whose, value, bodies, help: elsewhere })
        });
        let rules = scene.contacts.iter().filter_map(|rule| {
            let (what, value, help) = match rule.fracture {
                _ if rule.restitution > 0.0 => {
                    ("the restitution", rule.restitution, "take the impulse method")
                }
                Some(length) => ("the fracture length", length, "take the smooth method"),
                None => return None,
            };
            Some(crate::method::unsupported_contact(scene, rule.between, what, value, help))
        });
        bodies.chain(frictions).chain(rules).collect()
    }
}

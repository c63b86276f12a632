//! The simulation behind a run, to ask what was not stored.

use stiction::measure::Field;
use stiction::{Scene, Simulation};

use crate::frame::{BodyInfo, Frames as _};
use crate::job::keep;
use crate::run::RunFolder;

/// A scene as at its start.
#[derive(Debug)]
pub(super) struct Model {
    scene: Scene,
    simulation: Simulation,
}

impl Model {
    /// Builds it from the scene in the folder, or says why not.
    pub(super) fn build(run: &RunFolder) -> Result<Self, String> {
        let (file, fingerprint) = keep::load(run.path()).map_err(|error| error.to_string())?;
        if fingerprint != run.fingerprint() {
            return Err("the scene or a mesh has been changed since the run".into());
        }
        let setup = file.build().map_err(|error| error.to_string())?;
        let model = Self { scene: setup.scene, simulation: setup.simulation };
        match model.fits(run.bodies()) {
            true => Ok(model),
            false => Err("the frames are of another scene".into()),
        }
    }

    fn fits(&self, bodies: &[BodyInfo]) -> bool {
        let system = self.simulation.model();
        let fits = |(id, info): (stiction::body::BodyId, &BodyInfo)| {
            let nodes = system.nodes(id).len();
            nodes == 0 || nodes == info.start.len()
        };
        self.scene.bodies.len() == bodies.len() && self.scene.ids().zip(bodies).all(fits)
    }

    /// A field at the elements of a body whose vertices are at these coordinates.
    pub(super) fn evaluate(&self, field: Field, body: usize, positions: &[f64]) -> Vec<f64> {
        let mut values = Vec::new();
        let Some(id) = self.scene.ids().nth(body) else { return values };
        let system = self.simulation.model();
        let mut q = self.simulation.trajectory().q.clone();
        for (&node, x) in system.nodes(id).iter().zip(positions.as_chunks::<3>().0) {
            q[3 * node as usize..][..3].copy_from_slice(x);
        }
        field.evaluate_at(system, id, &q, &mut values);
        values
    }
}

//! Inexact Newton gave up on its first step.
//!
//! GMRES stopped when the Euclidean norm of the forces had halved, the line search asks for smaller
//! accelerations: on a clamped beam the light corner nodes came out worse than before, at every step length.

use stiction::body::Solid;
use stiction::material::Material;
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, SolverSettings, StageSolver};
use stiction::{Scene, Settings, Simulation};

#[test]
fn inexact_directions_keep_their_promise_in_the_norm_of_the_line_search() {
    let mut scene = Scene::new();
    let material = Material::new(1e6, 0.45, 1050.0).unwrap();
    let beam = Solid::cuboid([0.5, 0.05, 0.05], [10, 1, 1]).unwrap().material(material);
    let body = scene.add(beam);
    scene.pin(body, Selection::Tag("x-min".into()));
    let solver = SolverSettings { method: StageSolver::InexactNewton, ..Default::default() };
    let settings = Settings {
        method: SmoothSettings { solver, ..Default::default() }.into(),
        ..Default::default()
    };
    let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{} after {} iterations", report.status, report.iterations);
}

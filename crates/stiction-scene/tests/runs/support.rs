//! A small simulation and what its run folder holds, for the tests of run folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use stiction::body::{BodyId, Cloth, Solid};
use stiction::material::{Fabric, Material};
use stiction::mesh::Selection;
use stiction::{Scene, Settings, Simulation, State};
use stiction_scene::frame::{BodyFrame, BodyInfo, BodyKind, FieldInfo, FieldPlace, Frame};
use stiction_scene::run::{Precision, Resumed, RunError, RunPlan, RunStatus, RunWriter};

pub(crate) const FINGERPRINT: u64 = 0xfeed_beef_dead_cafe;
pub(crate) const STEPS: u64 = 24;
pub(crate) const STEPS_A_FRAME: u64 = 2;

/// A block of jelly and a strip of cotton, both held at one side, above a floor.
pub(crate) fn simulation() -> (Simulation, Vec<BodyId>) {
    let mut scene = Scene::new();
    let block = Solid::cuboid([0.2; 3], [1; 3]).unwrap().material(Material::JELLY);
    let block = scene.add(block.spin([0.0, 3.0, 1.0]));
    scene.pin(block, Selection::Tag("x-min".into()));
    let strip = Cloth::sheet([0.3, 0.1], [3, 1]).unwrap().material(Fabric::COTTON);
    let strip = scene.add(strip.at([0.0, 0.0, 0.5]));
    scene.pin(strip, Selection::Tag("left".into()));
    let settings = Settings { time_step: 0.01, ..Settings::default() };
    (Simulation::with_settings(&scene, settings).unwrap(), vec![block, strip])
}

pub(crate) fn plan(precision: Precision) -> RunPlan {
    let (simulation, ids) = simulation();
    let field = |name: &str, unit: &str, place, components| FieldInfo {
        name: name.into(),
        unit: unit.into(),
        place,
        components,
    };
    let body = |name: &str, kind, id, tets: Vec<[u32; 4]>, triangles| BodyInfo {
        name: name.into(),
        kind,
        start: simulation.positions(id).iter().map(|x| [x.x, x.y, x.z]).collect(),
        tets,
        triangles,
        moves: true,
        fields: vec![
            field("speed", "m/s", FieldPlace::Vertex, 1),
            field("middle", "m", FieldPlace::Element, 3),
        ],
    };
    let floor = BodyInfo {
        name: "the floor".into(),
        kind: BodyKind::Obstacle,
        start: vec![[-1.0, -1.0, -1.0], [1.0, -1.0, -1.0], [0.0, 1.0, -1.0]],
        tets: Vec::new(),
        triangles: vec![[0, 1, 2]],
        moves: false,
        fields: Vec::new(),
    };
    let (tets, triangles) = (vec![[0, 1, 2, 4], [1, 2, 4, 5]], vec![[0, 1, 2], [1, 3, 2]]);
    RunPlan {
        bodies: vec![
            body("block", BodyKind::Solid, ids[0], tets, triangles.clone()),
            floor,
            body("Wäsche/strip", BodyKind::Cloth, ids[1], Vec::new(), triangles),
        ],
        frame_count: STEPS / STEPS_A_FRAME + 1,
        precision,
        step_columns: vec!["time [s]".into(), "iterations".into(), "status".into()],
        probe_columns: vec!["tip, x [m]".into(), "tip z [m]".into()],
        fingerprint: FINGERPRINT,
    }
}

pub(crate) fn frame(plan: &RunPlan, simulation: &Simulation, ids: &[BodyId]) -> Frame {
    let of_body = |info: &BodyInfo, id: BodyId| {
        let triple = |x: &stiction::math::Vector3| [x.x, x.y, x.z];
        let positions: Vec<_> = simulation.positions(id).iter().map(triple).collect();
        let velocities: Vec<_> = simulation.velocities(id).iter().map(triple).collect();
        let speed = simulation.velocities(id).iter().map(|v| v.norm()).collect();
        let corners: Vec<u32> = match info.kind {
            BodyKind::Solid => info.tets.iter().map(|tet| tet[3]).collect(),
            _ => info.triangles.iter().map(|triangle| triangle[2]).collect(),
        };
        let middle = corners.iter().flat_map(|&corner| positions[corner as usize]).collect();
        BodyFrame { positions, velocities, fields: vec![speed, middle], pose: None }
    };
    let bodies = vec![
        of_body(&plan.bodies[0], ids[0]),
        BodyFrame::default(),
        of_body(&plan.bodies[2], ids[1]),
    ];
    Frame { time: simulation.time(), step: simulation.state().steps, bodies }
}

/// Runs to the end, from the beginning or from a state.
pub(crate) fn simulate(
    plan: &RunPlan,
    mut writer: RunWriter,
    state: Option<&State>,
) -> Result<(), RunError> {
    let (mut simulation, ids) = simulation();
    match state {
        Some(state) => simulation.restore(state).unwrap(),
        None => writer.frame(frame(plan, &simulation, &ids), simulation.state())?,
    }
    for step in simulation.state().steps + 1..=STEPS {
        let report = simulation.step();
        let status = format!("{:?}", report.status);
        let cells = [report.time.into(), report.iterations().into(), status.as_str().into()];
        writer.step_row(step, &cells)?;
        let tip = simulation.positions(ids[1])[3];
        writer.probe_row(step, &[tip.x.into(), tip.z.into()])?;
        if step % STEPS_A_FRAME == 0 {
            writer.frame(frame(plan, &simulation, &ids), simulation.state())?;
        }
    }
    writer.finish(RunStatus::Finished)
}

/// A whole run.
pub(crate) fn run(path: &Path, precision: Precision) -> RunPlan {
    let plan = plan(precision);
    simulate(&plan, RunWriter::create(path, &plan, false).unwrap(), None).unwrap();
    plan
}

/// Resumes and runs to the end; returns how many frames there were.
pub(crate) fn resume(path: &Path, plan: &RunPlan) -> Result<u64, RunError> {
    let Resumed { writer, state, frames } = RunWriter::resume(path, plan)?;
    simulate(plan, writer, state.as_ref())?;
    Ok(frames)
}

/// Every file below a folder, with its bytes.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    found.insert(name, fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

/// Equal file for file and byte for byte.
#[track_caller]
pub(crate) fn assert_same(folder: &Path, expected: &BTreeMap<String, Vec<u8>>, when: &str) {
    let found = contents(folder);
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(expected), "{when}");
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{when}: {name} differs");
    }
}

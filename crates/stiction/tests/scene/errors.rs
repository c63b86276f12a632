//! Every way a scene can be wrong is refused in words: what, whose, which number, and what to do.

use stiction::body::{
    Anchor, Body, BodyId, Cloth, Keyframe, LoadKind, Motion, Obstacle, Profile, Shape, Solid,
    Spring,
};
use stiction::math::Vector3;
use stiction::mesh::{Selection, TriMesh};
use stiction::method::smooth::{SmoothSettings, SolverSettings};
use stiction::model::{SceneError, Subject};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

const NAN: f64 = f64::NAN;

/// A block named 'block', a sheet named 'sheet', a floor named 'floor', and an id of no body.
struct Stage {
    scene: Scene,
    block: BodyId,
    sheet: BodyId,
    floor: BodyId,
    nobody: BodyId,
}

fn stage() -> Stage {
    let mut scene = Scene::new();
    let block = scene.add(Solid::cuboid([0.1; 3], [1, 1, 1]).unwrap().named("block"));
    let sheet = Cloth::sheet([0.2, 0.2], [2, 2]).unwrap().named("sheet").at([1.0, 0.0, 0.0]);
    let sheet = scene.add(sheet);
    let floor = scene.add(Obstacle::plane([0.0, 1.0, 0.0], -1.0).named("floor"));
    let mut other = scene.clone();
    let nobody = other.add(Obstacle::plane([0.0, 1.0, 0.0], -1.0));
    Stage { scene, block, sheet, floor, nobody }
}

fn solid(scene: &mut Scene, body: BodyId) -> &mut Solid {
    match &mut scene.bodies[body.index()] {
        Body::Solid(solid) => solid,
        _ => panic!("a solid"),
    }
}

fn cloth(scene: &mut Scene, body: BodyId) -> &mut Cloth {
    match &mut scene.bodies[body.index()] {
        Body::Cloth(cloth) => cloth,
        _ => panic!("cloth"),
    }
}

fn refused(scene: &Scene) -> SceneError {
    Simulation::new(scene).map(|_| ()).expect_err("must be refused")
}

/// The message has these parts, and a remedy.
#[track_caller]
fn assert_says(error: &SceneError, parts: &[&str]) {
    let message = error.to_string();
    for part in parts.iter().chain(&["help:"]) {
        assert!(message.contains(part), "no `{part}` in: {message}");
    }
    if let Some(help) = error.help() {
        assert_eq!(message, format!("{}\n  help: {help}", error.message()));
    }
}

#[test]
fn the_stage_itself_is_fine() {
    let Stage { scene, .. } = stage();
    assert!(Simulation::new(&scene).unwrap().step().converged());
}

#[test]
fn ids_of_other_scenes_are_refused() {
    let Stage { mut scene, block, nobody, .. } = stage();
    let fresh = scene.clone();
    scene.pin(nobody, Selection::All);
    let error = refused(&scene);
    assert!(matches!(error, SceneError::UnknownBody { body, count: 3, .. } if body == nobody));
    assert_says(&error, &["a pin", "body 3", "has 3"]);

    scene = fresh.clone();
    scene.load(nobody, Selection::All, LoadKind::Force(Vector3::x()));
    assert_says(&refused(&scene), &["a load", "body 3"]);

    scene = fresh.clone();
    scene.weld(block, Selection::All, nobody);
    assert_says(&refused(&scene), &["a weld", "body 3"]);

    scene = fresh;
    scene.spring(Spring::new(Anchor::Vertex(block, 0), Anchor::Vertex(nobody, 0), 1.0));
    assert_says(&refused(&scene), &["a spring", "body 3"]);
}

#[test]
fn obstacles_cannot_be_held_loaded_or_joined() {
    let Stage { mut scene, block, floor, .. } = stage();
    let fresh = scene.clone();
    scene.pin(floor, Selection::All);
    let error = refused(&scene);
    assert!(matches!(error, SceneError::NotDeformable { .. }));
    assert_says(&error, &["a pin", "'floor'", "obstacle", "motion"]);
    scene = fresh.clone();
    scene.weld(block, Selection::All, floor);
    assert_says(&refused(&scene), &["a weld", "'floor'"]);
    scene = fresh;
    scene.spring(Spring::new(Anchor::Vertex(floor, 0), Anchor::Vertex(block, 0), 1.0));
    assert_says(&refused(&scene), &["a spring", "'floor'"]);
}

#[test]
fn selections_that_catch_nothing_are_refused() {
    let Stage { mut scene, block, sheet, .. } = stage();
    let fresh = scene.clone();
    let nowhere = Selection::Sphere { center: Vector3::repeat(9.0), radius: 0.5 };
    scene.pin(block, nowhere);
    let error = refused(&scene);
    assert!(matches!(error, SceneError::Selection { .. }));
    assert_says(&error, &["a pin on body 'block'", "sphere of radius 0.5 at (9, 9, 9)", "0.05"]);

    scene = fresh.clone();
    scene.load(sheet, Selection::Tag("lft".into()), LoadKind::Force(Vector3::x()));
    assert_says(&refused(&scene), &["a load on body 'sheet'", "`lft`", "did you mean `left`"]);

    scene = fresh.clone();
    scene.pin(sheet, Selection::Ids(vec![3, 99]));
    assert_says(&refused(&scene), &["'sheet'", "no vertex 99", "9 vertices"]);

    scene = fresh;
    scene.weld(block, Selection::Sphere { center: Vector3::zeros(), radius: NAN }, sheet);
    assert_says(&refused(&scene), &["a weld on body 'block'", "NaN"]);
}

#[test]
fn placements_that_break_a_mesh_are_refused() {
    let Stage { mut scene, block, .. } = stage();
    let fresh = scene.clone();
    for bad in [NAN, f64::INFINITY, 1e30] {
        scene = fresh.clone();
        let placed = solid(&mut scene, block).clone().at([0.0, bad, 0.0]);
        scene.bodies[block.index()] = placed.into();
        let error = refused(&scene);
        assert!(matches!(error, SceneError::Mesh { .. }), "{error}");
        assert_says(&error, &["body 'block'"]);
    }
    let placed = solid(&mut scene, block).clone().at([0.0; 3]).turned([0.0, 1.0, 0.0], NAN);
    scene.bodies[block.index()] = placed.into();
    assert_says(&refused(&scene), &["body 'block'"]);
}

/// Three triangles at one edge are a mesh, but not cloth.
#[test]
fn surfaces_that_are_no_cloth_are_refused() {
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()];
    let book =
        TriMesh::new(vec![Vector3::zeros(), z, x, y, -x], vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]]);
    let mut scene = Scene::new();
    scene.add(Cloth::new(book.unwrap()).named("book"));
    let error = refused(&scene);
    assert!(matches!(error, SceneError::Mesh { .. }), "{error}");
    assert_says(&error, &["body 'book'"]);
}

#[test]
fn warps_out_of_the_sheet_are_refused() {
    let Stage { mut scene, sheet, .. } = stage();
    for warp in [Vector3::z(), Vector3::zeros()] {
        cloth(&mut scene, sheet).warp = warp;
        let error = refused(&scene);
        assert!(matches!(error, SceneError::RestShape { .. }), "{error}");
        assert_says(&error, &["body 'sheet'", "warp", "triangle 0"]);
    }
}

#[test]
fn start_shapes_must_fit_and_be_finite() {
    let Stage { mut scene, block, sheet, .. } = stage();
    let fresh = scene.clone();
    solid(&mut scene, block).start = Some(vec![Vector3::zeros(); 5]);
    let error = refused(&scene);
    assert!(matches!(error, SceneError::StartShape { given: 5, vertices: 8, .. }));
    assert_says(&error, &["body 'block'", "5 positions", "8 vertices"]);

    scene = fresh;
    let mut start = cloth(&mut scene, sheet).mesh.vertices().to_vec();
    start[4].y = NAN;
    cloth(&mut scene, sheet).start = Some(start);
    assert_says(&refused(&scene), &["start position 4", "body 'sheet'", "NaN"]);
}

#[test]
fn numbers_out_of_range_are_refused() {
    let Stage { scene: fresh, block, sheet, floor, .. } = stage();
    let bad = Vector3::new(1.0, NAN, 2.0);
    let spring = move || Spring::new(Anchor::Vertex(block, 0), Anchor::Point(Vector3::x()), 10.0);
    type Change = Box<dyn Fn(&mut Scene)>;
    let changes: Vec<(&[&str], Change)> = vec![
        (&["gravity", "the scene", "NaN"], Box::new(move |s| s.gravity = bad)),
        (
            &["velocity", "'block'", "(1, NaN, 2)"],
            Box::new(move |s| solid(s, block).velocity = bad),
        ),
        (&["spin", "'sheet'", "NaN"], Box::new(move |s| cloth(s, sheet).spin = bad)),
        (&["warp", "'sheet'", "NaN"], Box::new(move |s| cloth(s, sheet).warp = bad)),
        (
            &["stiffness", "a spring", "-3"],
            Box::new(move |s| s.spring(Spring { stiffness: -3.0, ..spring() })),
        ),
        (
            &["stiffness", "a spring", " 0"],
            Box::new(move |s| s.spring(Spring { stiffness: 0.0, ..spring() })),
        ),
        (&["damping", "a spring", "-1"], Box::new(move |s| s.spring(spring().damping(-1.0)))),
        (
            &["rest length", "a spring", "inf"],
            Box::new(move |s| s.spring(spring().rest_length(f64::INFINITY))),
        ),
        (
            &["anchor", "a spring", "NaN"],
            Box::new(move |s| {
                s.spring(Spring::new(Anchor::Vertex(block, 0), Anchor::Point(bad), 10.0));
            }),
        ),
        (
            &["motion", "a pin on body 'block'", "NaN"],
            Box::new(move |s| {
                s.pin(block, Selection::All).motion(Motion::Velocity(bad));
            }),
        ),
        (
            &["motion", "a pin on body 'block'", "frames: []"],
            Box::new(move |s| {
                let (frames, center) = (Vec::new(), Vector3::zeros());
                let interpolation = Default::default();
                let motion = Motion::Keyframes { frames, center, interpolation };
                s.pin(block, Selection::All).motion(motion);
            }),
        ),
        (
            &["motion", "a pin on body 'block'", "ascending"],
            Box::new(move |s| {
                let frames = vec![Keyframe::default(); 2];
                let (center, interpolation) = (Vector3::zeros(), Default::default());
                let motion = Motion::Keyframes { frames, center, interpolation };
                s.pin(block, Selection::All).motion(motion);
            }),
        ),
        (
            &["release", "a pin on body 'block'", "NaN"],
            Box::new(move |s| {
                s.pin(block, Selection::All).release(NAN);
            }),
        ),
        (
            &["profile", "a load on body 'sheet'", "2.0"],
            Box::new(move |s| {
                let kind = LoadKind::Force(Vector3::x());
                let profile = Profile::Points(vec![(2.0, 1.0), (1.0, 0.0)]);
                s.load(sheet, Selection::All, kind).profile(profile);
            }),
        ),
        (
            &["force", "a load on body 'sheet'", "NaN"],
            Box::new(move |s| {
                s.load(sheet, Selection::All, LoadKind::Force(bad));
            }),
        ),
        (
            &["traction", "a load on body 'sheet'", "NaN"],
            Box::new(move |s| {
                s.load(sheet, Selection::All, LoadKind::Traction(bad));
            }),
        ),
        (
            &["pressure", "a load on body 'block'", "inf"],
            Box::new(move |s| {
                s.load(block, Selection::Boundary, LoadKind::Pressure(f64::INFINITY));
            }),
        ),
        (
            &["obstacle 'floor'", "-1"],
            Box::new(move |s| {
                let shape = Shape::Sphere { radius: -1.0 };
                s.bodies[floor.index()] = Obstacle::new(shape).named("floor").into();
            }),
        ),
        (
            &["obstacle 'floor'", "NaN"],
            Box::new(move |s| {
                s.bodies[floor.index()] = Obstacle::plane([0.0; 3], 0.0).named("floor").into();
            }),
        ),
    ];
    for (parts, change) in changes {
        let mut scene = fresh.clone();
        change(&mut scene);
        let error = refused(&scene);
        assert!(matches!(error, SceneError::Value { .. }), "{error}");
        assert_says(&error, parts);
    }
}

/// Every number is finite, but not what follows from them.
#[test]
fn numbers_that_overflow_are_refused() {
    let Stage { mut scene, block, .. } = stage();
    let fresh = scene.clone();
    for density in [1e-310, f64::MAX] {
        // A box of a thousand cubic metres, so that the large mass is infinite.
        let solid = Solid::cuboid([10.0; 3], [1, 1, 1]).unwrap().named("block");
        let material = solid.material.with_density(density).unwrap();
        scene.bodies[block.index()] = solid.material(material).into();
        let error = refused(&scene);
        assert!(matches!(error, SceneError::Value { .. }), "{error}");
        assert_says(&error, &["mass of a vertex", "body 'block'", "kg", "density"]);
    }
    // The centre of mass is infinitely far away, and so are the arms of the spin.
    scene = fresh;
    let solid = solid(&mut scene, block);
    solid.material = solid.material.with_density(1e10).unwrap();
    let mut start = solid.mesh.vertices().to_vec();
    start[2].y = f64::MAX;
    solid.start = Some(start);
    assert_says(&refused(&scene), &["start velocity", "body 'block'", "NaN"]);
}

#[test]
fn two_pins_cannot_hold_one_coordinate() {
    let Stage { mut scene, block, .. } = stage();
    scene.pin(block, Selection::Ids(vec![0, 1])).axes([true, false, false]);
    scene.pin(block, Selection::Ids(vec![1, 2])).axes([false, true, true]);
    assert!(Simulation::new(&scene).is_ok(), "different axes do not clash");
    scene.pin(block, Selection::Ids(vec![2, 3])).axes([true, false, true]);
    let error = refused(&scene);
    assert!(matches!(error, SceneError::HeldTwice { vertex: 2, axis: 'z', .. }));
    assert_says(&error, &["vertex 2", "'block'", "along z"]);
}

#[test]
fn surface_loads_need_whole_faces() {
    let Stage { mut scene, block, .. } = stage();
    scene.load(block, Selection::Ids(vec![0, 7]), LoadKind::Pressure(1.0));
    let error = refused(&scene);
    assert!(matches!(error, SceneError::NoFace { vertices: 2, .. }));
    assert_says(&error, &["'block'", "2 vertices"]);
}

/// Whoever shows an error finds the part of the scene by its id; names may be missing, or hold each other.
#[test]
fn errors_know_the_part_they_speak_of() {
    let Stage { scene: fresh, block, sheet, floor, .. } = stage();
    let force = LoadKind::Force(Vector3::x());
    let spring = Spring::new(Anchor::Vertex(block, 0), Anchor::Point(Vector3::x()), 10.0);
    type Change = Box<dyn Fn(&mut Scene)>;
    let changes: Vec<(Subject, Change)> = vec![
        (Subject::Scene, Box::new(|s| s.gravity.x = NAN)),
        (Subject::Body(sheet), Box::new(move |s| cloth(s, sheet).spin.x = NAN)),
        (
            Subject::Pin(1),
            Box::new(move |s| {
                s.pin(block, Selection::All);
                s.pin(block, Selection::Ids(vec![2]));
            }),
        ),
        (
            Subject::Pin(1),
            Box::new(move |s| {
                s.pin(block, Selection::All);
                s.pin(floor, Selection::All);
            }),
        ),
        (
            Subject::Load(1),
            Box::new(move |s| {
                s.load(block, Selection::All, force);
                s.load(block, Selection::Tag("lft".into()), force);
            }),
        ),
        (
            Subject::Load(0),
            Box::new(move |s| {
                s.load(block, Selection::Ids(vec![0, 7]), LoadKind::Pressure(1.0));
            }),
        ),
        (
            Subject::Spring(1),
            Box::new(move |s| {
                s.spring(spring);
                s.spring(Spring { stiffness: -1.0, ..spring });
            }),
        ),
        (
            Subject::Weld(0),
            Box::new(move |s| {
                s.weld(block, Selection::All, sheet);
            }),
        ),
        (
            Subject::Contact(1),
            Box::new(move |s| {
                s.friction_between(block, sheet, 0.3);
                s.friction_between(block, floor, -0.3);
            }),
        ),
        // What a method cannot do is told by the same ids.
        (
            Subject::Contact(1),
            Box::new(move |s| {
                s.friction_between(block, sheet, 0.3);
                s.contact(block, floor).restitution = 0.5;
            }),
        ),
        (Subject::Friction, Box::new(|s| s.friction.rolling = 0.1)),
    ];
    for (subject, change) in changes {
        let mut scene = fresh.clone();
        change(&mut scene);
        let error = refused(&scene);
        assert_eq!(error.subject(), subject, "{error}");
        assert!(error.help().is_some_and(|help| !help.is_empty()), "{error}");
    }
}

#[test]
fn springs_need_vertices_that_exist() {
    let Stage { mut scene, block, .. } = stage();
    scene.spring(Spring::new(Anchor::Vertex(block, 8), Anchor::Point(Vector3::zeros()), 1.0));
    let error = refused(&scene);
    assert!(matches!(error, SceneError::NoVertex { vertex: 8, count: 8, .. }));
    assert_says(&error, &["vertex 8", "'block'", "has 8"]);
}

#[test]
fn welds_need_partners() {
    let Stage { mut scene, block, sheet, .. } = stage();
    for tolerance in [None, Some(0.0), Some(-1.0), Some(NAN)] {
        scene.welds.clear();
        scene.weld(block, Selection::All, sheet).tolerance = tolerance;
        let error = refused(&scene);
        assert!(matches!(error, SceneError::Alone { alone: 8, selected: 8, .. }), "{error}");
        assert_says(&error, &["8 of 8", "'block'", "'sheet'"]);
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let Stage { scene, .. } = stage();
    let solver = |tolerance: f64| SolverSettings { tolerance, ..Default::default() };
    for (settings, parts) in [
        (Settings { time_step: -0.5, ..Default::default() }, ["time_step", "-0.5"]),
        (Settings { time_step: NAN, ..Default::default() }, ["time_step", "NaN"]),
        (
            Settings {
                method: SmoothSettings { solver: solver(0.0), ..Default::default() }.into(),
                ..Default::default()
            },
            ["tolerance", " 0"],
        ),
        (
            Settings {
                method: SmoothSettings { solver: solver(f64::INFINITY), ..Default::default() }
                    .into(),
                ..Default::default()
            },
            ["tolerance", "inf"],
        ),
    ] {
        let error = Simulation::with_settings(&scene, settings).expect_err("refused");
        assert!(matches!(error, SceneError::Value { .. }));
        assert_says(&error, &parts);
    }
    let settings = Settings {
        method: SmoothSettings {
            integrator: Integrator::TrBdf2 { split: 1.5 },
            ..Default::default()
        }
        .into(),
        ..Default::default()
    };
    let error = Simulation::with_settings(&scene, settings).expect_err("refused");
    assert!(matches!(error, SceneError::Integrator(_)));
    assert_says(&error, &["TR-BDF2", "1.5"]);
}

#[test]
fn states_of_other_scenes_are_refused() {
    let Stage { scene, .. } = stage();
    let mut simulation = Simulation::new(&scene).unwrap();
    let _ = simulation.step();
    let good = simulation.state();
    let length = good.trajectory.q.len();

    let mut short = good.clone();
    short.trajectory.v.pop();
    let error = simulation.restore(&short).expect_err("refused");
    assert!(matches!(error, SceneError::State { what: "trajectory", .. }));
    assert_says(&error, &["trajectory", &(length - 1).to_string(), &length.to_string()]);

    let mut forgetful = good.clone();
    forgetful.memory.clear();
    let error = simulation.restore(&forgetful).expect_err("refused");
    assert_says(&error, &["memory", " 0 entries"]);

    let mut broken = good.clone();
    broken.trajectory.q[7] = NAN;
    let error = simulation.restore(&broken).expect_err("refused");
    assert_says(&error, &["state", "NaN"]);

    assert_eq!(simulation.state(), good, "a refused state changes nothing");
    assert!(simulation.restore(&good).is_ok());
}

#[test]
fn a_scene_without_bodies_stands_still() {
    let mut scene = Scene::new();
    for _ in 0..2 {
        let mut simulation = Simulation::new(&scene).unwrap();
        assert!(simulation.settle().unwrap().converged());
        for _ in 0..3 {
            assert!(simulation.step().converged());
        }
        assert!((simulation.time() - 0.03).abs() < 1e-15);
        assert!(simulation.energies().total().abs() < 1e-300);
        scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    }
    // Nor does one where everything is held.
    let body = scene.add(Solid::cuboid([0.1; 3], [1, 1, 1]).unwrap());
    scene.pin(body, Selection::All);
    let mut simulation = Simulation::new(&scene).unwrap();
    let start = simulation.positions(body);
    assert!(simulation.settle().unwrap().converged() && simulation.step().converged());
    assert_eq!(simulation.positions(body), start);
}

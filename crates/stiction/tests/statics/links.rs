//! Springs and welds: lengths, forces, and bodies made one.

use stiction::body::{Anchor, Solid, Spring};
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, SolverSettings};
use stiction::model::SceneError;
use stiction::{Scene, Settings, Simulation};
use stiction_check::shapes::farthest;

fn tag(name: &str) -> Selection {
    Selection::Tag(name.into())
}

fn settled(scene: &Scene) -> Simulation {
    let solver = SolverSettings { tolerance: 1e-7, ..Default::default() };
    let settings = Settings {
        method: SmoothSettings { solver, ..Default::default() }.into(),
        ..Default::default()
    };
    let mut simulation = Simulation::with_settings(scene, settings).unwrap();
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{report:?}");
    simulation
}

/// A cube of 0.1 m, its corner 7 near the origin.
fn cube() -> Solid {
    Solid::cuboid([0.1; 3], [1, 1, 1]).unwrap().material(Material::FOAM)
}

/// The cube may turn and deform: whatever it does, the spring bears its weight.
#[test]
fn a_spring_is_longer_by_weight_over_stiffness() {
    let stiffness = 2.0;
    for (rest_length, expected_rest) in [(Some(0.3), 0.3), (Some(0.0), 0.0), (None, 0.5)] {
        let mut scene = Scene::new();
        let body = scene.add(cube());
        let corner = Vector3::repeat(0.05);
        let anchor = corner + Vector3::new(0.3, 0.4, 0.0);
        let mut spring = Spring::new(Anchor::Point(anchor), Anchor::Vertex(body, 7), stiffness);
        spring.rest_length = rest_length;
        scene.spring(spring);
        let simulation = settled(&scene);
        let weight = 9.81 * simulation.model().node_masses().iter().sum::<f64>();
        let x = simulation.positions(body);
        let length = (x[7] - anchor).norm();
        let expected = expected_rest + weight / stiffness;
        assert!((length - expected).abs() < 1e-8, "{rest_length:?}: {length} m, not {expected}");
        // Straight down, the centre of mass below.
        assert!((x[7].xz() - anchor.xz()).norm() < 1e-7, "{}", x[7] - anchor);
        let masses = simulation.model().node_masses();
        let center: Vector3 = x.iter().zip(masses).map(|(x, m)| x * *m).sum::<Vector3>();
        let center = center * (9.81 / weight);
        assert!((center.xz() - anchor.xz()).norm() < 1e-6, "{}", center - anchor);
    }
}

#[test]
fn a_spring_starts_without_force_unless_told() {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let body = scene.add(cube());
    scene.spring(Spring::new(Anchor::Point(Vector3::x()), Anchor::Vertex(body, 0), 1e3));
    let mut simulation = Simulation::new(&scene).unwrap();
    let report = simulation.settle().unwrap();
    assert!(report.converged() && report.iterations == 0, "{report:?}");
    assert!(simulation.energies().elastic.abs() < 1e-20);
}

/// Springs in a row and side by side between a held body and a hanging one.
#[test]
fn springs_between_bodies_pass_the_weight_on() {
    let mut scene = Scene::new();
    let top = scene.add(cube().named("top"));
    let bottom = scene.add(cube().named("bottom").at([0.0, -0.5, 0.0]));
    scene.pin(top, Selection::All);
    // Corners 0, 1, 4, 5 are below, 2, 3, 6, 7 above.
    for (below, above) in [(0, 2), (1, 3), (4, 6), (5, 7)] {
        scene.spring(
            Spring::new(Anchor::Vertex(top, below), Anchor::Vertex(bottom, above), 5.0)
                .rest_length(0.2),
        );
    }
    let simulation = settled(&scene);
    let weight = 9.81 * simulation.model().node_masses().iter().sum::<f64>();
    let reaction: Vector3 = simulation.reactions(top).iter().sum();
    let off = reaction - Vector3::new(0.0, weight, 0.0);
    assert!(off.norm() < 1e-9 * weight, "{reaction} N for {weight} N");
    let (x, y) = (simulation.positions(top), simulation.positions(bottom));
    let pull: f64 = [(0, 2), (1, 3), (4, 6), (5, 7)]
        .map(|(below, above): (usize, usize)| {
            let along = x[below] - y[above];
            5.0 * (along.norm() - 0.2) * along.normalize().y
        })
        .iter()
        .sum();
    assert!((pull - 0.5 * weight).abs() < 1e-9 * weight, "{pull} N, not {}", 0.5 * weight);
}

/// Two halves share their middle vertices, so nodes, masses and shape are those of one box.
#[test]
fn two_welded_boxes_are_one_box() {
    let material = Material::JELLY;
    let mut whole = Scene::new();
    let one = whole.add(Solid::cuboid([0.4, 0.1, 0.1], [8, 2, 2]).unwrap().material(material));
    whole.pin(one, tag("x-min"));
    let whole_simulation = settled(&whole);
    let expected = whole_simulation.positions(one);
    let sag = expected.iter().map(|x| x.y).fold(0.0, f64::min);
    assert!(sag < -0.15, "there is something to compare: {sag}");

    for (selection, start) in
        [(tag("x-max"), "left"), (Selection::All, "left"), (tag("x-min"), "right")]
    {
        let half = || Solid::cuboid([0.2, 0.1, 0.1], [4, 2, 2]).unwrap().material(material);
        let mut scene = Scene::new();
        let left = scene.add(half().at([-0.1, 0.0, 0.0]));
        let right = scene.add(half().at([0.1, 0.0, 0.0]));
        scene.pin(left, tag("x-min"));
        if start == "left" {
            scene.weld(left, selection, right);
        } else {
            scene.weld(right, selection, left);
        }
        let simulation = settled(&scene);
        assert_eq!(simulation.model().node_masses().len(), expected.len());
        // Vertices of the halves in the order of the whole.
        let (l, r) = (simulation.positions(left), simulation.positions(right));
        let merged: Vec<Vector3> = (0..9)
            .flat_map(|row| {
                let (l, r) = (&l[5 * row..5 * row + 5], &r[5 * row..5 * row + 5]);
                assert_eq!(l[4], r[0], "they share a node");
                l.iter().chain(&r[1..]).copied().collect::<Vec<_>>()
            })
            .collect();
        let off = farthest(&merged, &expected);
        assert!(off < 1e-10, "{start}: off by {off:e} m");
    }
}

#[test]
fn welds_without_partners_are_refused_in_words() {
    let mut scene = Scene::new();
    let left = scene.add(cube().named("left"));
    let right = scene.add(cube().named("right").at([0.1 + 2e-3, 0.0, 0.0]));
    scene.weld(left, tag("x-max"), right);
    let error = Simulation::new(&scene).expect_err("2 mm apart");
    let SceneError::Alone { alone: 4, selected: 4, nearest, .. } = error else {
        panic!("{error}");
    };
    assert!((nearest - 2e-3).abs() < 1e-9);
    let message = error.to_string();
    for part in ["'left'", "'right'", "4 of 4", "2.0e-3", "help:", "tolerance"] {
        assert!(message.contains(part), "{part} in {message}");
    }
    // A larger tolerance takes them.
    scene.welds[0].tolerance = Some(3e-3);
    let simulation = Simulation::new(&scene).unwrap();
    assert_eq!(simulation.model().node_masses().len(), 12);
    // `All` joins those that have partners, but there must be some.
    scene.welds[0].selection = Selection::All;
    assert!(Simulation::new(&scene).is_ok());
    scene.welds[0].tolerance = None;
    assert!(matches!(Simulation::new(&scene), Err(SceneError::Alone { alone: 8, .. })));
    // Part of a selection is not enough.
    scene.welds[0].selection = tag("x-max").or(tag("x-min"));
    scene.welds[0].tolerance = Some(3e-3);
    assert!(matches!(
        Simulation::new(&scene),
        Err(SceneError::Alone { alone: 4, selected: 8, .. })
    ));
}

/// Chains of welds, a body welded to itself, a pin on both sides: all fall into one node.
#[test]
fn welds_chain() {
    let mut scene = Scene::new();
    let [a, b, c] = [0, 1, 2].map(|k| scene.add(cube().at([0.1 * f64::from(k), 0.0, 0.0])));
    scene.weld(b, tag("x-min"), a);
    scene.weld(c, tag("x-min"), b);
    scene.pin(a, tag("x-min"));
    let simulation = settled(&scene);
    assert_eq!(simulation.model().node_masses().len(), 16);
    let total: f64 = simulation.model().node_masses().iter().sum();
    assert!((total - 3.0 * 40.0 * 1e-3).abs() < 1e-12, "{total} kg");
    let reaction: Vector3 = simulation.reactions(a).iter().sum();
    assert!((reaction.y - 9.81 * total).abs() < 1e-9, "{reaction}");
}

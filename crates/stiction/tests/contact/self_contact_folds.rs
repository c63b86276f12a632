//! Bodies that touch themselves where folds are as short as edges of the mesh: nothing crosses, whatever they do.

use stiction::body::{BodyId, Cloth, Interpolation, Keyframe, Motion, Obstacle, Solid};
use stiction::contact::{ContactKind, Friction};
use stiction::material::{BendingModel, Fabric, Material};
use stiction::math::Vector3;
use stiction::mesh::generate::{Diagonals, sheet};
use stiction::mesh::{Selection, TriSoup};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::folded::Strip;

const LAYER: f64 = 1e-3;

fn simulation(scene: &Scene, h: f64) -> Simulation {
    let mut settings = Settings { time_step: h, ..Settings::default() };
    settings.smooth().integrator = Integrator::BackwardEuler;
    settings.smooth().solver.tolerance = 1e-5;
    Simulation::with_settings(scene, settings).expect("valid")
}

/// Steps until a time; nothing crosses on the way. How many steps did not converge, and Newton's iterations in all.
fn run(simulation: &mut Simulation, until: f64) -> (usize, usize) {
    let (mut short, mut iterations) = (0, 0);
    while simulation.time() < until - 1e-9 {
        let report = simulation.step();
        short += usize::from(!report.converged());
        iterations += report.iterations();
        assert_eq!(simulation.intersections().total(), 0, "at {} s", simulation.time());
    }
    (short, iterations)
}

fn floor(scene: &mut Scene) -> BodyId {
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0))
}

/// A curtain of silk, with cells of 25 mm, that falls on its lower edge.
fn curtain(cells: [usize; 2]) -> Scene {
    let mut scene = Scene::new();
    floor(&mut scene);
    let size = cells.map(|cells| 0.025 * cells as f64);
    let flat = sheet(size, cells, Diagonals::Alternating).expect("valid");
    // Upright, with waves so that it knows where to go.
    let stand = |x: &Vector3| {
        let up = x.y + 0.5 * size[1];
        Vector3::new(x.x, up + 0.01, 2e-3 * (31.0 * x.x + 23.0 * up).sin())
    };
    let start = flat.vertices().iter().map(stand).collect();
    let silk = Cloth::new(flat).material(Fabric::SOFT_SILK).touching_itself(true);
    scene.add(silk.starting_at(start));
    scene
}

#[test]
fn a_small_curtain_falls_edge_on() {
    let mut simulation = simulation(&curtain([6, 8]), 0.01);
    assert_eq!(run(&mut simulation, 0.3).0, 0);
}

#[test]
#[ignore = "takes minutes"]
fn a_curtain_falls_edge_on() {
    let mut simulation = simulation(&curtain([12, 16]), 0.01);
    assert_eq!(run(&mut simulation, 0.6).0, 0);
}

/// A wall that moves from `x` by `way`, in half a second.
fn wall(x: [f64; 3], way: [f64; 3]) -> Obstacle {
    let normal = Vector3::from(way).normalize();
    let frames = vec![
        Keyframe::default(),
        Keyframe { time: 0.5, translation: way.into(), ..Keyframe::default() },
    ];
    let (center, interpolation) = (Vector3::zeros(), Interpolation::Linear);
    let mut wall = Obstacle::plane(normal, normal.dot(&Vector3::from(x)));
    wall.motion = Motion::Keyframes { frames, center, interpolation };
    wall
}

/// A sheet of silk between walls that close: it has no room but in folds.
fn crumple(cells: usize) -> Scene {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let flat = sheet([0.2; 2], [cells; 2], Diagonals::Alternating).expect("valid");
    let wave = |x: &Vector3| Vector3::new(x.x, x.y, 2e-3 * (31.0 * x.x + 17.0 * x.y).sin());
    let start = flat.vertices().iter().map(wave).collect();
    let silk = Fabric::SOFT_SILK.with_bending_stiffness(3e-8).expect("not below zero");
    let silk = silk.with_bending_model(BendingModel::Hinges);
    scene.add(Cloth::new(flat).material(silk).starting_at(start).touching_itself(true));
    for k in 0..3 {
        for side in [-1.0, 1.0] {
            let (mut x, mut way) = ([0.0; 3], [0.0; 3]);
            x[k] = side * 0.105;
            way[k] = -side * 0.06;
            scene.add(wall(x, way));
        }
    }
    scene
}

#[test]
fn a_coarse_sheet_is_crumpled_in_a_closing_box() {
    let mut simulation = simulation(&crumple(8), 0.01);
    assert_eq!(run(&mut simulation, 0.5).0, 0);
}

#[test]
#[ignore = "takes minutes"]
fn a_sheet_is_crumpled_in_a_closing_box() {
    let mut simulation = simulation(&crumple(16), 0.01);
    assert_eq!(run(&mut simulation, 0.5).0, 0);
}

/// A bar of rubber between clamps, twisted by so many turns in 1.5 s.
fn twist(turns: f64, cells: [usize; 3]) -> Scene {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let bar = Solid::cuboid([0.4, 0.1, 0.1], cells).expect("valid").material(Material::RUBBER);
    let bar = scene.add(bar.touching_itself(true));
    for (end, way) in [("x-min", -1.0), ("x-max", 1.0)] {
        let rotation = Vector3::x() * (way * turns * std::f64::consts::PI);
        let frames =
            vec![Keyframe::default(), Keyframe { time: 1.5, rotation, ..Keyframe::default() }];
        let (center, interpolation) = (Vector3::zeros(), Interpolation::Linear);
        let motion = Motion::Keyframes { frames, center, interpolation };
        scene.pin(bar, Selection::Tag(end.into())).motion = motion;
    }
    scene
}

/// By 2.1 turns; it crossed itself from 1.9 turns on.
#[test]
fn a_bar_is_twisted_by_two_turns() {
    let mut simulation = simulation(&twist(3.5, [12, 3, 3]), 0.02);
    assert_eq!(run(&mut simulation, 0.9).0, 0);
}

/// By 3.5 turns.
#[test]
#[ignore = "takes minutes"]
fn a_bar_is_twisted_far() {
    let mut simulation = simulation(&twist(3.5, [12, 3, 3]), 0.02);
    assert_eq!(run(&mut simulation, 1.5).0, 0);
}

/// A strip of silk in four folds, loose or not, that falls on a floor.
fn folds(apart: f64) -> Scene {
    let layers = 4;
    let strip = Strip::new(0.06 * layers as f64, 0.03, [9 * layers, 4]);
    let mut scene = Scene { gravity: -9.81 * Vector3::z(), ..Scene::new() };
    let floor = scene.add(Obstacle::plane([0.0, 0.0, 1.0], 0.0));
    let start = strip.folded(layers, apart);
    let cloth = Cloth::new(strip.mesh).material(Fabric::SOFT_SILK).starting_at(start);
    let body = scene.add(cloth.at([0.0, 0.0, 5.0 * LAYER]));
    for other in [floor, body] {
        let rule = scene.contact(body, other);
        (rule.thickness, rule.friction) = (Some(LAYER), Friction::coulomb(0.3));
    }
    scene
}

/// Two sheets welded along an edge, with an angle between them that closes: away from the seam they touch.
fn welded(itself: bool) -> (Scene, [BodyId; 2]) {
    let mut scene = Scene { gravity: -9.81 * Vector3::z(), ..Scene::new() };
    let floor = scene.add(Obstacle::plane([0.0, 0.0, 1.0], 0.0));
    let flat = sheet([0.06, 0.03], [6, 3], Diagonals::Regular).expect("valid");
    let leaf = |slope: f64| {
        let tilted = flat.vertices().iter().map(|x| {
            let along = x.x + 0.03;
            Vector3::new(along * slope.cos(), x.y, 1.1 * LAYER + along * slope.sin())
        });
        let mesh = TriSoup::new(tilted.collect(), flat.triangles().to_vec()).build_cloth();
        Cloth::new(mesh.expect("valid")).material(Fabric::SOFT_SILK).touching_itself(itself)
    };
    let leaves = [leaf(0.0), leaf(0.4)].map(|leaf| scene.add(leaf));
    let seam = Selection::HalfSpace { point: Vector3::x() * 1e-4, normal: -Vector3::x() };
    scene.weld(leaves[1], seam, leaves[0]);
    for leaf in leaves {
        scene.contact(leaf, floor).thickness = Some(LAYER);
    }
    scene.contact(leaves[0], leaves[1]).thickness = Some(LAYER);
    (scene, leaves)
}

/// They passed through each other before: smooth left out whatever is welded.
#[test]
fn welded_sheets_touch_away_from_their_seam() {
    for itself in [false, true] {
        let (scene, leaves) = welded(itself);
        let mut simulation = simulation(&scene, 0.004);
        assert_eq!(run(&mut simulation, 0.3).0, 0);
        let mut contacts = simulation.contacts();
        contacts.retain(|c| leaves.contains(&c.collider) && leaves.contains(&c.surface));
        assert!(contacts.len() > 5, "{}", contacts.len());
        assert!(contacts.iter().all(|contact| contact.point.x > 0.002));
        let [below, above] = leaves.map(|leaf| simulation.positions(leaf));
        let (below, above) = (below.last().expect("vertices"), above.last().expect("vertices"));
        assert!(above.z > below.z, "{below} {above}");
    }
}

/// In the middle of a crumple, with the guard at work.
#[test]
fn crumpled_it_goes_on_to_the_same_bits_on_any_number_of_threads() {
    let scene = crumple(8);
    let mut straight = simulation(&scene, 0.01);
    run(&mut straight, 0.3);
    assert!(straight.contact_report().kinds.of(ContactKind::VertexFace) > 0);
    let state = straight.state();
    run(&mut straight, 0.36);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut restored = simulation(&scene, 0.01);
            restored.restore(&state).expect("its own");
            run(&mut restored, 0.36);
            assert!(straight.state() == restored.state(), "{threads} threads");
        });
    }
}

#[test]
fn loose_folds_fall_on_a_floor() {
    let mut simulation = simulation(&folds(8.0 * LAYER), 0.004);
    assert_eq!(run(&mut simulation, 0.28).0, 0);
}

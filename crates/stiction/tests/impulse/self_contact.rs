//! Bodies that touch themselves.

use std::f64::consts::PI;

use stiction::body::{Anchor, BodyId, Cloth, Obstacle, Shape, Solid, Spring};
use stiction::contact::{Contact, Friction};
use stiction::material::Fabric;
use stiction::math::Vector3;
use stiction::mesh::generate::{CuboidSplit, Diagonals, ball, cuboid, cylinder, sheet};
use stiction::mesh::{Selection, TriSoup};
use stiction::method::impulse::ImpulseSettings;
use stiction::{Scene, Settings, Simulation};
use stiction_check::folded::{Strip, crossings, stack};

use super::common::{run, simulation};

const DOWN: Vector3 = Vector3::new(0.0, 0.0, -9.81);

fn floor(scene: &mut Scene) -> BodyId {
    scene.add(Obstacle::new(Shape::Plane { normal: Vector3::z(), offset: 0.0 }))
}

fn own(simulation: &Simulation, body: BodyId) -> Vec<Contact> {
    let mut contacts = simulation.contacts();
    contacts.retain(|contact| contact.collider == body && contact.surface == body);
    contacts
}

fn weight(simulation: &Simulation, body: BodyId) -> f64 {
    9.81 * simulation.model().vertex_masses(body).iter().sum::<f64>()
}

/// A limp fabric: what lies on another follows it.
fn limp() -> Fabric {
    Fabric::SOFT_SILK
}

const LAYER: f64 = 1e-3;

/// A strip that lies on a floor, folded once or twice.
fn folded_strip(layers: usize) -> (Scene, Strip, BodyId) {
    let strip = Strip::new(0.06 * layers as f64, 0.03, [9 * layers, 4]);
    let mut scene = Scene { gravity: DOWN, ..Scene::new() };
    let floor = floor(&mut scene);
    let start = strip.folded(layers, 4.0 * LAYER);
    let cloth = Cloth::new(strip.mesh.clone()).material(limp()).starting_at(start);
    let body = scene.add(cloth.at([0.0, 0.0, 1.1 * LAYER]));
    scene.contact(body, floor).thickness = Some(LAYER);
    scene.contact(body, body).thickness = Some(LAYER);
    (scene, strip, body)
}

#[test]
fn a_folded_strip_rests_on_itself_with_forces_in_pairs() {
    let (scene, strip, body) = folded_strip(2);
    let mut simulation = simulation(&scene, 0.004, 1e-6);
    run(&mut simulation, 0.4);
    let contacts = own(&simulation, body);
    assert!(contacts.len() >= 20, "{} contacts", contacts.len());
    let mut pushing = 0.0;
    for contact in &contacts {
        let sum: Vector3 = contact.forces.iter().map(|(_, force)| force).sum();
        let most = contact.forces.iter().map(|(_, force)| force.norm()).fold(0.0, f64::max);
        assert!(sum.norm() <= 1e-14 * most, "forces come in pairs: {sum:?}");
        let second = contact.surface_vertex.expect("a vertex shows it");
        assert_ne!(contact.vertex, second);
        if [contact.vertex, second].map(|v| strip.layer(v, 2)) != [0, 0] {
            pushing += contact.normal_force * contact.normal.z.abs();
        }
    }
    // The upper half lies on the lower one, but for what the crease carries.
    let half = 0.5 * weight(&simulation, body);
    assert!((pushing / half - 1.0).abs() < 0.25, "{} of {half}", pushing);
    // Away from the crease they are a layer apart.
    let x = simulation.positions(body);
    let upper = (0..x.len()).filter(|&v| strip.mesh.vertices()[v].x > 0.085);
    let heights: Vec<f64> = upper.map(|v| x[v].z).collect();
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    assert!((mean / LAYER - 2.0).abs() < 0.1, "{mean}");
    assert_eq!(crossings(&strip.mesh, &x), 0);
}

/// Springs pull two sheets together that are one body. Nothing else acts: momentum stays.
#[test]
fn touching_itself_leaves_momentum_alone() {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let mesh = stack(2, 0.1, 3, 4.0 * LAYER);
    let each = (mesh.vertex_count() / 2) as u32;
    let body = scene.add(Cloth::new(mesh).velocity([0.1, 0.2, 0.05]));
    let rule = scene.contact(body, body);
    (rule.thickness, rule.friction) = (Some(LAYER), Friction::coulomb(0.3));
    for v in [0, 3, 12, 15] {
        let ends = [v, v + each].map(|v| Anchor::Vertex(body, v));
        scene.spring(Spring::new(ends[0], ends[1], 1.0).rest_length(0.0));
    }
    let mut simulation = simulation(&scene, 0.004, 1e-9);
    let before = simulation.momentum().0;
    let (mut touched, mut most) = (0, 0.0_f64);
    for _ in 0..60 {
        assert!(simulation.step().converged());
        touched += own(&simulation, body).len();
        most = most.max((simulation.momentum().0 - before).norm());
    }
    assert!(touched > 50, "{touched}");
    assert!(most < 1e-13 * before.norm(), "{most:e} of {before:?}");
}

/// Sheets that are one body, above each other: each carries those above it, and the middle one touches on both sides.
#[test]
fn layers_carry_layers() {
    let mut scene = Scene { gravity: DOWN, ..Scene::new() };
    let floor = floor(&mut scene);
    let mesh = stack(3, 0.1, 3, 1.05 * LAYER);
    let body = scene.add(Cloth::new(mesh.clone()).at([0.0, 0.0, 1.05 * LAYER]));
    scene.contact(body, floor).thickness = Some(LAYER);
    scene.contact(body, body).thickness = Some(LAYER);
    let mut simulation = simulation(&scene, 0.004, 1e-9);
    run(&mut simulation, 0.3);
    let each = (mesh.vertex_count() / 3) as u32;
    let mut between = [0.0; 2];
    let mut sides = vec![[false; 2]; each as usize];
    for contact in own(&simulation, body) {
        let vertices = [contact.vertex, contact.surface_vertex.unwrap()];
        let [a, b] = vertices.map(|v| v / each);
        assert_eq!(a.abs_diff(b), 1, "neighbours touch");
        between[a.min(b) as usize] += contact.normal_force * contact.normal.z.abs();
        for v in vertices.into_iter().filter(|v| v / each == 1) {
            sides[(v - each) as usize][a.min(b) as usize] = true;
        }
    }
    let third = weight(&simulation, body) / 3.0;
    let [below, above] = between.map(|force| force / third);
    assert!((above - 1.0).abs() < 1e-3 && (below - 2.0).abs() < 1e-3, "{above} : {below}");
    let both = sides.iter().filter(|side| **side == [true; 2]).count();
    assert!(both >= 8, "{both} vertices of the middle touch on both sides");
}

#[test]
fn nothing_touches_at_rest() {
    let spiral = |x: &Vector3| {
        let (inner, grow) = (0.05, 0.01 / (2.0 * PI));
        let angle = ((inner * inner + 2.0 * grow * (x.x + 0.5)).sqrt() - inner) / grow;
        let r = inner + grow * angle;
        Vector3::new(r * angle.cos(), r * angle.sin(), x.y)
    };
    let flat = sheet([1.0, 0.1], [80, 4], Diagonals::Alternating).unwrap();
    let rolled = flat.vertices().iter().map(spiral).collect();
    let rolled = TriSoup::new(rolled, flat.triangles().to_vec()).build_cloth().unwrap();
    let sphere = ball(0.2, 0.06).unwrap().boundary().surface;
    let cloths = [flat, sphere, rolled];
    let solids = [
        cylinder(0.02, 0.4, 0.012).unwrap(),
        cuboid([0.2; 3], [4; 3], CuboidSplit::Kuhn).unwrap(),
        ball(0.2, 0.08).unwrap(),
        cuboid([0.2, 0.2, 0.004], [6, 6, 1], CuboidSplit::Five).unwrap(),
    ];
    for thickness in [None, Some(8e-3)] {
        let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
        let mut bodies = Vec::new();
        let aside = |k: usize| Vector3::new(0.0, 0.0, 2.0 * k as f64);
        for (k, mesh) in cloths.iter().enumerate() {
            bodies.push(scene.add(Cloth::new(mesh.clone()).touching_itself(true).at(aside(k))));
        }
        for (k, mesh) in solids.iter().enumerate() {
            let solid = Solid::new(mesh.clone()).touching_itself(true);
            bodies.push(scene.add(solid.at(aside(k + 10)).velocity([0.0, 5.0, 0.0])));
        }
        for &body in &bodies {
            scene.contact(body, body).thickness = thickness;
        }
        let mut simulation = simulation(&scene, 0.01, 1e-8);
        for _ in 0..2 {
            let report = simulation.step();
            assert!(report.converged());
            assert_eq!(report.contact.touching, 0);
            assert!(report.contact.smallest_gap > 1e-4, "{}", report.contact.smallest_gap);
        }
    }
}

/// How far the upper of two sheets that are one body slides in 0.1 s, at this part of the slope that friction holds;
/// and by theory.
fn slid(part: f64) -> [f64; 2] {
    let mu = 0.4_f64;
    let slope = (part * mu).atan();
    let gravity = Vector3::new(slope.sin(), 0.0, -slope.cos()) * 9.81;
    let mut scene = Scene { gravity, ..Scene::new() };
    let mesh = stack(2, 0.1, 3, LAYER);
    let each = (mesh.vertex_count() / 2) as u32;
    let body = scene.add(Cloth::new(mesh));
    scene.pin(body, Selection::Ids((0..each).collect()));
    let rule = scene.contact(body, body);
    (rule.thickness, rule.friction) = (Some(LAYER), Friction::coulomb(mu));
    let mut simulation = simulation(&scene, 0.004, 1e-9);
    let middle = |simulation: &Simulation| {
        let x = simulation.positions(body);
        x[each as usize..].iter().map(|x| x.x).sum::<f64>() / f64::from(each)
    };
    let start = middle(&simulation);
    run(&mut simulation, 0.1);
    let acceleration = 9.81 * (slope.sin() - mu * slope.cos()).max(0.0);
    // Backward Euler goes half a step farther.
    [middle(&simulation) - start, 0.5 * acceleration * 0.1 * 0.104]
}

#[test]
fn friction_between_layers_holds_below_its_limit_and_slides_above_it() {
    let [held, _] = slid(0.95);
    assert!(held.abs() < 1e-7, "{held:e}");
    let [way, theory] = slid(1.3);
    assert!((way / theory - 1.0).abs() < 0.02, "{way} of {theory}");
}

#[test]
fn restored_in_contact_it_goes_on_to_the_same_bits() {
    let (scene, _, body) = folded_strip(2);
    let mut straight = simulation(&scene, 0.004, 1e-6);
    run(&mut straight, 0.2);
    assert!(own(&straight, body).len() > 5);
    let state = straight.state();
    let mut restored = simulation(&scene, 0.004, 1e-6);
    restored.restore(&state).unwrap();
    run(&mut straight, 0.28);
    run(&mut restored, 0.28);
    assert_eq!(straight.state(), restored.state());
}

#[test]
fn threads_make_no_difference() {
    let (scene, ..) = folded_strip(2);
    let after = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = simulation(&scene, 0.004, 1e-6);
            run(&mut simulation, 0.16);
            simulation.state()
        })
    };
    assert_eq!(after(1), after(2));
}

#[test]
fn crossings_are_seen() {
    let x = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.2, 0.2, -1.0],
        [0.2, 0.2, 1.0],
        [2.0, 2.0, 0.5],
    ];
    let x = x.map(Vector3::from).to_vec();
    let mesh = TriSoup::new(x.clone(), vec![[0, 1, 2], [3, 4, 5]]).build_cloth().unwrap();
    assert!(crossings(&mesh, &x) > 0);
}

#[test]
fn what_cannot_touch_itself_is_refused() {
    let impulse = || Settings { method: ImpulseSettings::default().into(), ..Default::default() };
    let message = |scene: &Scene, settings: Settings| {
        Simulation::with_settings(scene, settings).map(|_| ()).unwrap_err().to_string()
    };
    // Rigid bodies and obstacles.
    let mut scene = Scene::new();
    let block = scene.add(super::common::block([0.1; 3]));
    scene.contact(block, block);
    assert!(message(&scene, impulse()).contains("cannot touch itself: it is rigid"));
    let mut scene = Scene::new();
    let plane = floor(&mut scene);
    scene.contact(plane, plane);
    assert!(message(&scene, impulse()).contains("cannot touch itself: it is an obstacle"));
    // A layer thicker than the gap at rest, and at the start.
    let mut scene = Scene::new();
    let body = scene.add(Cloth::new(stack(2, 0.1, 3, 0.01)));
    scene.contact(body, body).thickness = Some(0.02);
    let refused = message(&scene, impulse());
    assert!(refused.contains("at rest") && refused.contains("`thickness`"), "{refused}");
    let strip = Strip::new(0.12, 0.03, [12, 3]);
    let mut scene = Scene::new();
    let folded = strip.folded(2, 4e-3);
    let body = scene.add(Cloth::new(strip.mesh).starting_at(folded));
    scene.contact(body, body).thickness = Some(5e-3);
    let refused = message(&scene, impulse());
    assert!(refused.contains("at the start"), "{refused}");
    scene.contact(body, body).thickness = Some(3e-3);
    assert!(Simulation::with_settings(&scene, impulse()).is_ok());
}

/// Two sheets welded along an edge, with an angle between them that closes: beside the seam they do not touch,
/// farther away they do.
#[test]
fn welded_bodies_touch_away_from_their_seam() {
    let mut scene = Scene { gravity: DOWN, ..Scene::new() };
    let floor = floor(&mut scene);
    let flat = |x: f64| {
        Cloth::sheet([0.06, 0.03], [6, 3]).unwrap().material(limp()).at([x, 0.0, 1.1 * LAYER])
    };
    let lower = scene.add(flat(0.03));
    // Above the lower one, sharing the edge at x = 0.
    let mesh = sheet([0.06, 0.03], [6, 3], Diagonals::Regular).unwrap();
    let lifted = mesh.vertices().iter().map(|x| {
        let along = x.x + 0.03;
        Vector3::new(along * 0.2_f64.cos(), x.y, 1.1 * LAYER + along * 0.2_f64.sin())
    });
    let lifted = TriSoup::new(lifted.collect(), mesh.triangles().to_vec()).build_cloth().unwrap();
    let upper = scene.add(Cloth::new(lifted).material(limp()));
    scene.weld(
        upper,
        Selection::HalfSpace { point: Vector3::x() * 1e-4, normal: -Vector3::x() },
        lower,
    );
    for [a, b] in [[lower, floor], [upper, floor], [lower, upper]] {
        scene.contact(a, b).thickness = Some(LAYER);
    }
    let mut simulation = simulation(&scene, 0.004, 1e-6);
    let report = simulation.step();
    assert!(report.converged());
    // At the start nothing is nearer than the layer but what is beside the seam.
    let between = |simulation: &Simulation| {
        let mut contacts = simulation.contacts();
        let pair = [lower, upper];
        contacts.retain(|c| pair.contains(&c.collider) && pair.contains(&c.surface));
        contacts
    };
    assert_eq!(between(&simulation).len(), 0);
    run(&mut simulation, 0.3);
    let contacts = between(&simulation);
    assert!(contacts.len() > 10, "{}", contacts.len());
    assert!(contacts.iter().all(|contact| contact.point.x > 0.005));
}

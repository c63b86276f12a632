//! Edges, sides and rims of shapes against edges of what deforms, where no vertex and no corner is near.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_8};

use nalgebra::UnitQuaternion;
use stiction::Scene;
use stiction::body::{BodyId, Cloth, Obstacle, Rigid, Shape, Solid};
use stiction::geometry::shape::{Convex, Hull};
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::mesh::Selection;

use crate::common::{ball, block, farthest, run, simulation};

/// A soft block of 40 cm on a floor, its upper side at 0.1 m.
fn cushion(parts: usize) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.friction.coefficient = 0.5;
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let cushion = Solid::cuboid([0.4, 0.1, 0.4], [parts, 1, parts]).expect("valid");
    let cushion = scene.add(cushion.material(Material::RUBBER).at([0.0, 0.05, 0.0]));
    (scene, cushion)
}

fn shape(shape: &Shape) -> Rigid {
    Rigid::shape(shape, 8).expect("sound")
}

/// Rods of half a metre along `y`, two centimetres thick.
fn rods() -> [(&'static str, Rigid); 5] {
    let (radius, length) = (0.01, 0.5);
    let size = Vector3::new(0.02, length, 0.02);
    let corners: Vec<Vector3> = (0..8)
        .map(|k| Vector3::from_fn(|axis, _| if k >> axis & 1 == 0 { -0.5 } else { 0.5 }))
        .map(|x| x.component_mul(&size))
        .collect();
    let hull = Convex::Hull(Hull::new(&corners).expect("a box"));
    [
        ("capsule", shape(&Shape::Capsule { radius, length })),
        ("cylinder", shape(&Shape::Cylinder { radius, length })),
        ("rounded", shape(&Shape::Box { size, rounding: 0.004 })),
        ("box", block(size.into())),
        ("hull", Rigid::convex(hull, 8).expect("a box")),
    ]
}

/// Lays a rod flat, turned in the plane.
fn laid(rod: Rigid, turn: f64) -> Rigid {
    rod.turned([turn.cos(), 0.0, turn.sin()], FRAC_PI_2)
}

/// Longer than the cushion, thinner than its triangles: neither their vertices nor corners of the rod can hold it.
#[test]
fn rods_do_not_pass_between_vertices() {
    for (name, rod) in rods() {
        for turn in [0.0, 0.2] {
            let (mut scene, _) = cushion(2);
            let rod = scene.add(laid(rod.clone(), turn).at([0.07, 0.1125, 0.0]));
            let mut simulation = simulation(&scene, 0.005, 1e-8);
            run(&mut simulation, 0.5);
            let state = simulation.rigid_state(rod).expect("rigid");
            let height = state.center.y;
            assert!((0.108..0.114).contains(&height), "{name}, turned by {turn}: {height}");
            assert!(state.velocity.norm() < 1e-2, "{name}, turned by {turn}: {state:?}");
        }
    }
}

/// As above, on a sheet that has no inside and is held at the two sides that the rod crosses.
#[test]
fn rods_do_not_pass_through_cloth() {
    for (name, rod) in rods() {
        let mut scene = Scene::new();
        scene.friction.coefficient = 0.5;
        let tray = Cloth::sheet([0.4, 0.4], [2, 2]).expect("valid");
        let tray = scene.add(tray.turned([1.0, 0.0, 0.0], -FRAC_PI_2));
        for side in ["left", "right"] {
            scene.pin(tray, Selection::Tag(side.into()));
        }
        let rod = scene.add(laid(rod, FRAC_PI_2 - 0.1).at([0.0, 0.02, 0.07]));
        let mut simulation = simulation(&scene, 0.005, 1e-8);
        run(&mut simulation, 0.3);
        let height = simulation.rigid_state(rod).expect("rigid").center.y;
        assert!((0.01..0.02).contains(&height), "{name}: {height}");
    }
}

/// A strip of cloth over the edge of a fixed box that stands on an edge: it hangs on that edge, where it has no vertex.
#[test]
fn cloth_hangs_on_a_sharp_edge_between_its_vertices() {
    let mut scene = Scene::new();
    scene.friction.coefficient = 0.8;
    let mut ridge = Obstacle::new(Shape::Box { size: [0.1, 0.1, 0.6].into(), rounding: 0.0 });
    let eighth = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.5 * FRAC_PI_2);
    ridge.placement = ridge.placement.with_rotation(eighth);
    scene.add(ridge);
    let top = 0.05 * 2.0_f64.sqrt();
    let strip = Cloth::sheet([0.6, 0.1], [3, 1]).expect("valid");
    let strip = strip.turned([1.0, 0.0, 0.0], -FRAC_PI_2).at([0.0, top + 0.01, 0.0]);
    let strip = scene.add(strip);
    let mut simulation = simulation(&scene, 0.002, 1e-8);
    run(&mut simulation, 0.5);
    let highest = simulation.positions(strip).iter().map(|x| x.y).fold(f64::MIN, f64::max);
    assert!(highest > top - 0.11, "{highest}");
}

/// Where faces lie on each other, vertices and corners hold them. The box presses itself into the cushion, and lies
/// still in there.
#[test]
fn a_box_that_lies_flat_rests_on_vertices_and_does_not_rock() {
    for turn in [0.0, 0.3] {
        let (mut scene, _) = cushion(4);
        let cube = block([0.3, 0.1, 0.1]).turned([0.0, 1.0, 0.0], turn).at([0.02, 0.152, 0.01]);
        let cube = scene.add(cube);
        let mut simulation = simulation(&scene, 0.005, 1e-11);
        run(&mut simulation, 1.0);
        let before = simulation.rigid_state(cube).expect("rigid");
        run(&mut simulation, 2.0);
        let after = simulation.rigid_state(cube).expect("rigid");
        let crept = (after.center - before.center).norm();
        assert!(after.spin.norm() < 1e-9 && crept < 1e-9, "{turn}: {after:?}, crept {crept} m");
        let touches = |c: &&stiction::contact::Contact| c.collider == cube || c.surface == cube;
        let count = simulation.contacts().iter().filter(touches).count();
        // Four corners, three vertices in the middle, and an edge at most; not each of the edges that leave these
        // vertices.
        assert!((7..=8).contains(&count), "turned by {turn}: {count}");
    }
}

/// Smaller than the triangles: a cylinder stands on points of a rim, lies on the lowest of both, and falls onto one
/// of these.
#[test]
fn small_cylinders_stand_lie_and_fall_over_on_a_triangle() {
    for (name, turn) in
        [("stands", 0.0), ("lies", FRAC_PI_2), ("lies turned", 1.57), ("leans", 0.5)]
    {
        let (mut scene, _) = cushion(2);
        let small = shape(&Shape::Cylinder { radius: 0.02, length: 0.04 });
        let small = scene.add(small.turned([1.0, 0.0, 0.0], turn).at([0.07, 0.1275, 0.04]));
        let mut simulation = simulation(&scene, 0.005, 1e-8);
        run(&mut simulation, 0.4);
        let state = simulation.rigid_state(small).expect("rigid");
        assert!((0.119..0.125).contains(&state.center.y), "{name}: {state:?}");
        assert!(state.velocity.norm() < 1e-2, "{name}: {state:?}");
    }
}

/// A drum that stands across a bar narrower than it: the edges of the bar cross its rim, and hold it up.
#[test]
fn a_drum_stands_across_a_narrow_bar() {
    let mut scene = Scene::new();
    scene.friction.coefficient = 0.5;
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let bar = Solid::cuboid([0.06, 0.06, 0.8], [1, 1, 2]).expect("valid");
    scene.add(bar.material(Material::RUBBER).at([0.0, 0.03, 0.2]));
    let drum = shape(&Shape::Cylinder { radius: 0.1, length: 0.05 });
    // None of the points that stay where they are on its rim is over the bar.
    let drum = scene.add(drum.turned([0.0, 1.0, 0.0], FRAC_PI_8).at([0.0, 0.09, 0.0]));
    let mut simulation = simulation(&scene, 0.005, 1e-8);
    run(&mut simulation, 0.5);
    let state = simulation.rigid_state(drum).expect("rigid");
    assert!((0.083..0.091).contains(&state.center.y), "{state:?}");
    assert!(state.velocity.norm() < 1e-2 && state.spin.norm() < 1e-1, "{state:?}");
}

/// Between vertices of a fine net, where triangles are found by a tree.
#[test]
fn what_is_smaller_than_fine_triangles_does_not_fall_through() {
    let (mut scene, _) = cushion(6);
    let grain = scene.add(ball(0.005).at([0.045, 0.1065, 0.025]));
    let mut simulation = simulation(&scene, 0.005, 1e-8);
    run(&mut simulation, 0.1);
    let height = simulation.rigid_state(grain).expect("rigid").center.y;
    assert!((0.1055..0.1075).contains(&height), "{height}");
}

/// Soft bars across each other touch where their edges cross: at the same four places in every step.
#[test]
fn crossed_bars_come_to_rest() {
    let bar =
        |size: [f64; 3]| Solid::cuboid(size, [2, 1, 1]).expect("valid").material(Material::RUBBER);
    let mut scene = Scene::new();
    scene.friction.coefficient = 0.5;
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], -0.051));
    scene.add(bar([0.1, 0.1, 1.0]));
    let high = scene.add(bar([1.0, 0.1, 0.1]).at([0.0, 0.103, 0.0]));
    let mut simulation = simulation(&scene, 0.005, 1e-11);
    run(&mut simulation, 2.0);
    let before = simulation.positions(high);
    run(&mut simulation, 2.5);
    let crept = farthest(&before, &simulation.positions(high));
    assert!(crept < 1e-8, "{crept} m");
    let fastest = simulation.velocities(high).iter().map(Vector3::norm).fold(0.0, f64::max);
    assert!(fastest < 1e-8, "{fastest} m/s");
}

/// Names of edges are saved with what they carry.
#[test]
fn a_state_with_edges_goes_on_to_the_same_bits() {
    let (mut scene, _) = cushion(2);
    let [(_, rod), ..] = rods();
    scene.add(laid(rod, 0.2).at([0.07, 0.1125, 0.0]));
    let mut one = simulation(&scene, 0.005, 1e-8);
    run(&mut one, 0.1);
    let mut two = simulation(&scene, 0.005, 1e-8);
    two.restore(&one.state()).expect("the same scene");
    run(&mut one, 0.2);
    run(&mut two, 0.2);
    assert!(one.state() == two.state());
}

//! What must not matter: where bodies stand in the list, how the scene is turned. What must stay: momentum.

use nalgebra::{UnitQuaternion, Vector3 as Axis};
use stiction::body::{Body, BodyId, Rigid, Shape};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::{Scene, Simulation};
use stiction_check::scenes::{
    ball, block, contact_force, floor, mesh_block, run as run_all, soft_block, turned,
};

use crate::harness::{Verdict, claims, holds, near_vector, run, within};
use crate::methods::Method;

claims!(
    "invariance": round_bodies_in_another_order_move_alike,
    balls_of_two_sizes_in_another_order_move_alike, boxes_in_another_order_move_nearly_alike,
    soft_bodies_in_another_order_move_alike,
    round_bodies_in_a_turned_scene_move_alike, boxes_in_a_turned_scene_move_nearly_alike,
    soft_bodies_in_a_turned_scene_move_alike,
    rigid_bodies_that_collide_keep_their_momentum, a_soft_and_a_rigid_body_that_collide_keep_their_momentum,
    soft_bodies_that_collide_keep_their_momentum, rigid_bodies_that_collide_keep_their_angular_momentum,
    soft_bodies_that_slide_on_each_other_keep_their_angular_momentum, forces_on_all_bodies_add_up_to_nothing
);

const H: f64 = 2e-3;

/// What moves alike is this near [m], after a tenth of a second.
const ALIKE: f64 = 1e-8;

/// The same of boxes: how four corners share a load is not determined, and friction of what turns depends on it.
const NEARLY: f64 = 1e-5;

/// Each touches at one point, or two.
fn round_bodies() -> Vec<Body> {
    let capsule = Shape::Capsule { radius: 0.05, length: 0.1 };
    let capsule = Rigid::shape(&capsule, 16).expect("a capsule");
    vec![
        ball(0.05).at([0.0, 0.051, 0.0]).velocity([0.5, 0.0, 0.1]).into(),
        ball(0.06).at([0.12, 0.061, 0.03]).velocity([-1.0, 0.0, 0.0]).spin([3.0, 2.0, 1.0]).into(),
        capsule
            .turned([0.0, 0.0, 1.0], 1.5)
            .at([-0.2, 0.055, 0.0])
            .velocity([1.0, 0.0, 0.2])
            .into(),
        ball(0.05).at([0.0, 0.152, 0.01]).into(),
        floor().into(),
    ]
}

fn boxes() -> Vec<Body> {
    vec![
        block([0.2, 0.1, 0.2]).at([0.0, 0.051, 0.0]).velocity([0.5, 0.0, 0.1]).into(),
        block([0.1; 3]).at([0.02, 0.153, 0.01]).turned([0.0, 1.0, 0.0], 0.3).into(),
        ball(0.05).at([0.3, 0.052, 0.0]).velocity([-1.0, 0.0, 0.0]).into(),
        mesh_block([0.1; 3], [2; 3]).at([-0.3, 0.052, 0.0]).spin([0.0, 3.0, 0.0]).into(),
        floor().into(),
    ]
}

fn soft_bodies() -> Vec<Body> {
    vec![
        soft_block([0.2, 0.1, 0.2], [3, 1, 3])
            .at([0.0, 0.051, 0.0])
            .velocity([0.5, 0.0, 0.1])
            .into(),
        soft_block([0.1; 3], [2; 3]).at([0.02, 0.155, 0.01]).turned([0.0, 1.0, 0.0], 0.3).into(),
        ball(0.05).at([0.3, 0.052, 0.0]).velocity([-1.0, 0.0, 0.0]).into(),
        floor().into(),
    ]
}

/// The bodies in an order: entry `k` of it comes `k`-th.
fn scene(bodies: &[Body], order: &[usize]) -> (Scene, Vec<BodyId>) {
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(0.3);
    let mut ids = vec![None; bodies.len()];
    for &k in order {
        ids[k] = Some(scene.add(bodies[k].clone()));
    }
    (scene, ids.into_iter().flatten().collect())
}

fn after(method: &Method, scene: &Scene) -> Verdict<Simulation> {
    let mut simulation = method.start(scene, H)?;
    run(&mut simulation, 0.1)?;
    holds("nothing touches", simulation.contacts().len() >= 3)?;
    Ok(simulation)
}

fn apart(a: &[Vector3], b: &[Vector3], rotation: &UnitQuaternion<f64>) -> f64 {
    a.iter().zip(b).map(|(a, b)| (rotation * a - b).norm()).fold(0.0, f64::max)
}

fn in_any_order(method: &Method, bodies: &[Body], alike: f64) -> Verdict {
    let usual: Vec<usize> = (0..bodies.len()).collect();
    let backwards: Vec<usize> = (0..bodies.len()).rev().collect();
    let (first, first_ids) = scene(bodies, &usual);
    let (second, second_ids) = scene(bodies, &backwards);
    let (first, second) = (after(method, &first)?, after(method, &second)?);
    for (k, (&a, &b)) in first_ids.iter().zip(&second_ids).enumerate() {
        let apart = apart(&first.positions(a), &second.positions(b), &UnitQuaternion::identity());
        within(&format!("body {k} is elsewhere [m]"), apart, 0.0, alike)?;
    }
    Ok(())
}

fn round_bodies_in_another_order_move_alike(method: &Method) -> Verdict {
    in_any_order(method, &round_bodies(), ALIKE)
}

/// Without the two that are equal.
fn balls_of_two_sizes_in_another_order_move_alike(method: &Method) -> Verdict {
    let mut bodies = round_bodies();
    bodies.remove(3);
    in_any_order(method, &bodies, ALIKE)
}

fn boxes_in_another_order_move_nearly_alike(method: &Method) -> Verdict {
    in_any_order(method, &boxes(), NEARLY)
}

fn soft_bodies_in_another_order_move_alike(method: &Method) -> Verdict {
    in_any_order(method, &soft_bodies(), ALIKE)
}

fn in_any_frame(method: &Method, bodies: &[Body], alike: f64) -> Verdict {
    let usual: Vec<usize> = (0..bodies.len()).collect();
    let (scene, ids) = scene(bodies, &usual);
    let axis = Axis::new(0.3, -0.8, 0.5);
    let rotation = UnitQuaternion::new(axis);
    let (straight, leaning) = (after(method, &scene)?, after(method, &turned(&scene, &rotation))?);
    for (k, &id) in ids.iter().enumerate() {
        let apart = apart(&straight.positions(id), &leaning.positions(id), &rotation);
        within(&format!("body {k} is elsewhere [m]"), apart, 0.0, alike)?;
    }
    Ok(())
}

fn round_bodies_in_a_turned_scene_move_alike(method: &Method) -> Verdict {
    in_any_frame(method, &round_bodies(), ALIKE)
}

fn boxes_in_a_turned_scene_move_nearly_alike(method: &Method) -> Verdict {
    in_any_frame(method, &boxes(), NEARLY)
}

fn soft_bodies_in_a_turned_scene_move_alike(method: &Method) -> Verdict {
    in_any_frame(method, &soft_bodies(), ALIKE)
}

/// Two bodies that meet in free space, off their middles: momentum before and after.
fn collided(method: &Method, a: Body, b: Body, h: f64) -> Verdict<[(Vector3, Vector3); 2]> {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    scene.friction = Friction::coulomb(0.5);
    let a = scene.add(a);
    scene.add(b);
    let mut simulation = method.start(&scene, h)?;
    let before = simulation.momentum();
    let center = |simulation: &Simulation| stiction_check::scenes::mean(&simulation.velocities(a));
    let slow = center(&simulation);
    run(&mut simulation, 0.1)?;
    let pushed = (center(&simulation) - slow).norm();
    within("they did not meet: a velocity changed by", pushed, 0.05, 10.0)?;
    Ok([before, simulation.momentum()])
}

fn left() -> [Body; 2] {
    [
        block([0.1, 0.2, 0.2]).at([0.0, 0.0, 0.0]).spin([0.3, 0.8, -0.5]).into(),
        soft_block([0.1, 0.2, 0.2], [1, 2, 2]).at([0.0, 0.0, 0.0]).spin([0.3, 0.8, -0.5]).into(),
    ]
}

fn right() -> [Body; 2] {
    let (at, velocity) = ([0.135, 0.06, 0.02], [-1.0, 0.3, 0.2]);
    [
        block([0.1; 3]).at(at).velocity(velocity).into(),
        soft_block([0.1; 3], [2; 3]).at(at).velocity(velocity).into(),
    ]
}

fn keeps_momentum(method: &Method, a: Body, b: Body) -> Verdict {
    let [(before, _), (after, _)] = collided(method, a, b, H)?;
    near_vector("momentum", after, before, 1e-7 * before.norm())
}

fn rigid_bodies_that_collide_keep_their_momentum(method: &Method) -> Verdict {
    let ([a, _], [b, _]) = (left(), right());
    keeps_momentum(method, a, b)
}

fn a_soft_and_a_rigid_body_that_collide_keep_their_momentum(method: &Method) -> Verdict {
    let ([rigid, _], [_, soft]) = (left(), right());
    keeps_momentum(method, rigid, soft)?;
    let ([_, soft], [rigid, _]) = (left(), right());
    keeps_momentum(method, soft, rigid)
}

fn soft_bodies_that_collide_keep_their_momentum(method: &Method) -> Verdict {
    let ([_, a], [_, b]) = (left(), right());
    keeps_momentum(method, a, b)
}

/// Up to what a step turns them by: of first order.
fn rigid_bodies_that_collide_keep_their_angular_momentum(method: &Method) -> Verdict {
    let mut lost = [0.0; 2];
    for (lost, h) in lost.iter_mut().zip([2e-3, 5e-4]) {
        let ([a, _], [b, _]) = (left(), right());
        let [(_, before), (_, after)] = collided(method, a, b, h)?;
        *lost = (after - before).norm() / before.norm();
    }
    within("lost, of all", lost[0], 0.0, 0.02)?;
    within("lost with steps a quarter as long", lost[1], 0.0, f64::max(0.5 * lost[0], 1e-4))
}

/// Pressed together by two hands that push alike, one slides over the other: friction turns neither of them
/// more than the other
/// one, whatever is between them.
fn soft_bodies_that_slide_on_each_other_keep_their_angular_momentum(method: &Method) -> Verdict {
    let mut lost = [0.0; 2];
    for (lost, h) in lost.iter_mut().zip([2e-3, 5e-4]) {
        let below = soft_block([0.3, 0.1, 0.2], [4, 1, 2]).velocity([0.0, 0.5, 0.0]);
        let above = soft_block([0.1; 3], [2; 3]).at([0.01, 0.104, 0.02]);
        let above = above.velocity([1.0, -0.5, 0.0]);
        let [(_, before), (_, after)] = collided(method, below.into(), above.into(), h)?;
        *lost = (after - before).norm() / before.norm();
    }
    within("lost, of all", lost[0], 0.0, 0.02)?;
    within("lost with steps a quarter as long", lost[1], 0.0, f64::max(0.5 * lost[0], 1e-4))
}

/// Of all bodies that move, against each other.
fn forces_on_all_bodies_add_up_to_nothing(method: &Method) -> Verdict {
    let (scene, ids) = scene(&soft_bodies(), &[0, 1, 2, 3]);
    let simulation = after(method, &scene)?;
    let force = |id: &BodyId| contact_force(&simulation, *id, None);
    let (sum, size) = (
        ids.iter().map(force).sum::<Vector3>(),
        ids.iter().map(|id| force(id).norm()).sum::<f64>(),
    );
    near_vector("sum", sum, Vector3::zeros(), 1e-9 * size)
}

/// Helpers are what they say: a scene that is turned by nothing is the same.
#[test]
fn a_scene_turned_by_nothing_is_the_same() {
    let (scene, _) = scene(&boxes(), &[0, 1, 2, 3, 4]);
    let run = |scene: &Scene| {
        let mut simulation = Simulation::new(scene).expect("valid");
        run_all(&mut simulation, 0.02);
        stiction_check::scenes::bits(&simulation.state())
    };
    assert_eq!(run(&scene), run(&turned(&scene, &UnitQuaternion::identity())));
}

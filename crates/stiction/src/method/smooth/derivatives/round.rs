//! The same of round things between vertices: on exact shapes, and on surfaces through meshes.

use nalgebra::UnitQuaternion;

use super::{check, check_all, laws, resisting};
use crate::Scene;
use crate::body::{Motion, Obstacle, Rigid, Shape};
use crate::contact::Friction;
use crate::math::Vector3;
use crate::method::smooth::SlipLevel;
use crate::step::Integrator;

fn shape(shape: &Shape) -> Rigid {
    Rigid::shape(shape, 12).expect("a shape")
}

fn rub(scene: &mut Scene, [a, b]: [crate::body::BodyId; 2], stiffness: f64) {
    let rule = scene.contact(a, b);
    rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
    (rule.thickness, rule.stiffness) = (Some(0.02), Some(stiffness));
}

/// A plank whose vertices are elsewhere, on a ball or a capsule that turns.
fn plank_on(round: Shape, height: f64) -> Scene {
    let mut scene = Scene::new();
    let plank = shape(&Shape::Box { size: Vector3::new(0.6, 0.1, 0.6), rounding: 0.0 });
    let plank = plank.turned([0.1, 1.0, 0.05], 0.3).at([0.02, height, 0.01]);
    let plank = scene.add(plank.velocity([0.3, -0.1, 0.1]).spin([0.1, 0.6, -0.15]));
    let motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::new(0.5, 2.0, 0.3) };
    let mut below = Obstacle::new(round).motion(motion);
    let turn = UnitQuaternion::new(Vector3::new(1.5, 0.0, 0.1));
    below.placement = below.placement.with_rotation(turn);
    let below = scene.add(below);
    rub(&mut scene, [plank, below], 500.0);
    scene
}

#[test]
fn jacobian_of_planks_on_round_obstacles_is_complete() {
    let ball = plank_on(Shape::Sphere { radius: 0.2 }, 0.262);
    check_all(&ball, 1);
    check_all(&plank_on(Shape::Capsule { radius: 0.1, length: 0.2 }, 0.162), 1);
    for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
        check(&resisting(ball.clone(), 0.06), laws()[1], slip, Integrator::BackwardEuler, 1);
    }
}

//! The same of round things between vertices: on exact shapes, and on surfaces through meshes.

use nalgebra::UnitQuaternion;

use super::{check, check_all, laws, resisting};
use crate::Scene;
use crate::body::{Cloth, Motion, Obstacle, Rigid, Shape, Solid};
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

/// A ball, or a capsule, above a coarse block or cloth that deforms, or a rigid mesh.
fn round_on_mesh(kind: u32) -> Scene {
    let mut scene = Scene::new();
    let solid =
        || Solid::cuboid([0.6, 0.2, 0.6], [3, 1, 3]).expect("valid").turned([0.1, 1.0, 0.0], 0.2);
    let spin = [0.1, 0.5, -0.2];
    let (velocity, turning) = ([0.3, -0.1, 0.1], [1.0, 2.0, -3.0]);
    let ball = shape(&Shape::Sphere { radius: 0.1 });
    let capsule =
        shape(&Shape::Capsule { radius: 0.1, length: 0.12 }).turned([0.02, 0.0, 1.0], 1.6);
    let (below, above) = match kind {
        0 => (scene.add(solid().spin(spin)), ball.at([0.04, 0.21, 0.03])),
        1 => (scene.add(solid().spin(spin)), capsule.at([0.04, 0.21, 0.03])),
        2 => {
            let mesh = solid().mesh.boundary().surface;
            (scene.add(Rigid::new(mesh).spin(spin)), ball.at([0.04, 0.21, 0.03]))
        }
        _ => {
            let sheet = Cloth::sheet([0.6, 0.6], [3, 3]).expect("valid");
            let sheet = sheet.turned([1.0, 0.02, 0.01], -1.55).spin(spin);
            (scene.add(sheet), ball.at([0.04, 0.11, 0.03]))
        }
    };
    let above = scene.add(above.velocity(velocity).spin(turning));
    rub(&mut scene, [above, below], if kind == 3 { 20.0 } else { 300.0 });
    scene
}

#[test]
fn jacobian_of_round_bodies_on_meshes_is_complete() {
    (0..4).for_each(|kind| check_all(&round_on_mesh(kind), 1));
}

/// A coarse block that is a rigid mesh, on a ball that turns.
#[test]
fn jacobian_of_a_coarse_rigid_mesh_on_a_round_obstacle_is_complete() {
    let mut scene = Scene::new();
    let solid = Solid::cuboid([0.6, 0.2, 0.6], [1; 3]).expect("valid");
    let above = Rigid::new(solid.mesh.boundary().surface).at([0.04, 0.31, 0.03]);
    let above = scene.add(above.velocity([0.3, -0.1, 0.1]).spin([0.1, 0.5, -0.2]));
    let rate = Vector3::new(0.5, 2.0, 0.3);
    let motion = Motion::Rotation { center: Vector3::zeros(), rate };
    let below = scene.add(Obstacle::new(Shape::Sphere { radius: 0.2 }).motion(motion));
    rub(&mut scene, [above, below], 300.0);
    check_all(&scene, 1);
}

//! Forces of contacts between bodies add up to nothing, and turn nothing: at every contact, to rounding, whatever
//! touches.

use super::{Shapes, Smooth, SmoothSettings, SolverSettings, StageSolver, WithContacts};
use crate::Scene;
use crate::assembly::point;
use crate::body::{Rigid, Shape};
use crate::contact::Friction;
use crate::math::Vector3;
use crate::method::Method as _;
use crate::model::Model;
use crate::step::{Integrator, Retry, Trajectory};

fn shape(shape: &Shape) -> Rigid {
    Rigid::shape(shape, 12).expect("a shape")
}

fn cuboid(x: f64, y: f64, z: f64) -> Rigid {
    shape(&Shape::Box { size: Vector3::new(x, y, z), rounding: 0.0 })
}

/// Steps of two bodies towards each other, with friction and oil.
fn check(below: Rigid, above: Rigid, height: f64) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let below = scene.add(below.spin([0.4, 0.2, -0.3]));
    let above = above.at([0.0, height, 0.0]).velocity([0.4, -0.5, 0.1]).spin([0.5, 2.0, 1.0]);
    let above = scene.add(above);
    let rule = scene.contact(below, above);
    rule.friction = Friction { viscosity: 0.1, ..Friction::coulomb(0.5) };
    rule.thickness = Some(2e-3);
    let solver = SolverSettings { method: StageSolver::Newton, ..Default::default() };
    let (mut model, q, v) = Model::new(&scene, &Shapes::requests(&scene)).expect("valid");
    let settings = SmoothSettings { solver, ..Default::default() };
    let mut smooth = Smooth::new(&scene, &settings, &model).expect("valid");
    let mut state = Trajectory::new(0.0, q, v);
    let mut touched = 0;
    for _ in 0..20 {
        let mut dynamics = WithContacts { model: &mut model, smooth: &mut smooth };
        let mut step = || Integrator::BackwardEuler.step(&mut dynamics, &mut state, 5e-4);
        let mut done = step();
        while done.as_ref().is_err_and(|unfinished| unfinished.asks_for(Retry::Again)) {
            done = step();
        }
        done.expect("converges");
        model.accept(&state.q);
        smooth.accept();
        let (mut force, mut torque, mut scale) = (Vector3::zeros(), Vector3::zeros(), 0.0);
        smooth.contact.for_each_force(|node, f| {
            force += f;
            torque += point(&state.q, node as usize).cross(&f);
            scale += f.norm();
            touched += 1;
        });
        assert!(force.norm() <= 1e-13 * scale, "{force:?} of {scale} N");
        assert!(torque.norm() <= 1e-13 * scale, "{torque:?} of {scale} N·m");
    }
    assert!(touched > 0, "they touch");
}

#[test]
fn contacts_between_rigid_bodies_balance() {
    let (quarter, eighth) = (std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_4);
    let diagonal = 0.02_f64.sqrt();
    let (x, z) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    check(
        cuboid(0.1, 0.1, 0.5).turned(z, eighth),
        cuboid(0.4, 0.1, 0.1).turned(x, eighth),
        diagonal + 2e-3,
    );
    check(cuboid(0.4, 0.2, 0.4), cuboid(0.1, 0.1, 0.1).turned([0.0, 1.0, 0.0], 0.3), 0.152);
    let ball = || shape(&Shape::Sphere { radius: 0.1 });
    check(cuboid(0.2, 0.2, 0.2).turned(z, eighth), ball(), 0.102 + diagonal);
    check(ball(), ball(), 0.202);
    let cylinder = shape(&Shape::Cylinder { radius: 0.1, length: 0.3 }).turned(x, quarter);
    let capsule = shape(&Shape::Capsule { radius: 0.05, length: 0.2 });
    check(cylinder.clone(), capsule.clone().turned(z, 0.1), 0.251);
    // Round sides that cross.
    check(cylinder, capsule.turned(z, quarter), 0.152);
}

//! Small scenes: bodies, loops and questions that many tests share.
//!
//! Bodies weigh 1,000 kg/m³ and stand upright: gravity is along `−y`, floors are planes `y = 0`.

use nalgebra::UnitQuaternion;
use stiction::body::{Body, BodyId, Cloth, Keyframe, Motion, Obstacle, Rigid, Shape, Solid};
use stiction::material::{Damping, Fabric, Material};
use stiction::math::Vector3;
use stiction::measure::{Probe, Quantity};
use stiction::mesh::Selection;
use stiction::{Scene, Simulation, State, StepReport};

/// Acceleration of free fall [m/s²].
pub const GRAVITY: f64 = 9.81;

/// The plane `y = 0`.
pub fn floor() -> Obstacle {
    Obstacle::plane([0.0, 1.0, 0.0], 0.0)
}

/// A rigid box.
///
/// # Panics
/// When a length is not above zero.
pub fn block(size: [f64; 3]) -> Rigid {
    let shape = Shape::Box { size: size.into(), rounding: 0.0 };
    Rigid::shape(&shape, 12).expect("lengths above zero")
}

/// A rigid ball.
///
/// # Panics
/// When the radius is not above zero.
pub fn ball(radius: f64) -> Rigid {
    Rigid::shape(&Shape::Sphere { radius }, 24).expect("a radius above zero")
}

/// A rigid box that is known by its triangles only, so many cells along each axis.
///
/// # Panics
/// When a length or a number of cells is not above zero.
pub fn mesh_block(size: [f64; 3], cells: [usize; 3]) -> Rigid {
    let solid = Solid::cuboid(size, cells).expect("lengths and cells above zero");
    Rigid::new(solid.mesh.boundary().surface)
}

/// A box of rubber that shakes for a few hundredths of a second only.
///
/// # Panics
/// When a length or a number of cells is not above zero.
pub fn soft_block(size: [f64; 3], cells: [usize; 3]) -> Solid {
    let solid = Solid::cuboid(size, cells).expect("lengths and cells above zero");
    solid.material(soft(2e5))
}

/// Something of this Young's modulus [Pa], a third of Poisson's limit from incompressible, damped.
///
/// # Panics
/// When the modulus is not above zero.
pub fn soft(youngs_modulus: f64) -> Material {
    let material = Material::new(youngs_modulus, 0.3, 1000.0).expect("a modulus above zero");
    material.with_damping(Damping { mass: 0.0, stiffness: 5e-3 }).expect("damping above zero")
}

/// A sheet of cotton in a plane `y = 0`, damped.
///
/// # Panics
/// When a length or a number of cells is not above zero.
pub fn flat_sheet(size: [f64; 2], cells: [usize; 2]) -> Cloth {
    let sheet = Cloth::sheet(size, cells).expect("lengths and cells above zero");
    let damping = Damping { mass: 0.0, stiffness: 5e-3 };
    let cotton = Fabric::COTTON.with_damping(damping).expect("damping above zero");
    sheet.material(cotton).turned([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2)
}

/// Takes steps to a time.
///
/// # Errors
/// The report of the first step that does not converge.
pub fn try_run(simulation: &mut Simulation, until: f64) -> Result<(), Box<StepReport>> {
    while simulation.time() < until - 1e-9 {
        let report = simulation.step();
        if !report.converged() {
            return Err(Box::new(report));
        }
    }
    Ok(())
}

/// Takes steps to a time.
///
/// # Panics
/// When a step does not converge.
#[track_caller]
pub fn run(simulation: &mut Simulation, until: f64) {
    if let Err(report) = try_run(simulation, until) {
        panic!("at {} s: {report:?}", report.time);
    }
}

/// Takes so many steps.
///
/// # Panics
/// When a step does not converge.
#[track_caller]
pub fn run_steps(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "at {} s: {report:?}", report.time);
    }
}

/// The value of a probe now.
///
/// # Panics
/// When the probe makes no sense.
#[track_caller]
pub fn measure(scene: &Scene, simulation: &Simulation, probe: &Probe) -> f64 {
    probe.prepare(scene, simulation).expect("a probe that makes sense").measure(simulation)
}

/// A probe of a body as a whole.
pub fn of(body: BodyId, quantity: Quantity) -> Probe {
    Probe::new(quantity).of(body, Selection::All)
}

/// The mass of a body that moves [kg].
pub fn mass(simulation: &Simulation, body: BodyId) -> f64 {
    simulation.model().vertex_masses(body).iter().sum()
}

/// Force of contacts on a body, against one other or against all [N].
pub fn contact_force(simulation: &Simulation, body: BodyId, against: Option<BodyId>) -> Vector3 {
    let contacts = simulation.contacts();
    let on_body = contacts.iter().map(|contact| {
        let force = contact.normal * contact.normal_force + contact.friction;
        let (own, other) = (contact.collider, contact.surface);
        let meant = |other: BodyId| against.is_none_or(|against| against == other);
        match () {
            () if own == body && meant(other) => force,
            () if other == body && meant(own) => -force,
            () => Vector3::zeros(),
        }
    });
    on_body.sum()
}

/// The mean of points; the origin, if there are none [m].
pub fn mean(points: &[Vector3]) -> Vector3 {
    points.iter().sum::<Vector3>() / points.len().max(1) as f64
}

/// Where the lowest of them is [m].
pub fn lowest(points: &[Vector3]) -> f64 {
    points.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

/// The bits of a state, signs of zeros and all.
pub fn bits(state: &State) -> Vec<u64> {
    let State { steps, trajectory, memory } = state;
    let before = trajectory.before.iter().flat_map(|b| [&b.q, &b.v]).flatten();
    let values = trajectory.q.iter().chain(&trajectory.v).chain(before).chain(memory);
    [*steps, trajectory.time.to_bits()].into_iter().chain(values.map(|v| v.to_bits())).collect()
}

/// The whole scene, gravity and motions and all, turned about the origin. Pins are turned if they choose
/// vertices by name or number.
#[must_use]
pub fn turned(scene: &Scene, rotation: &UnitQuaternion<f64>) -> Scene {
    let mut scene = scene.clone();
    let turn = |v: &mut Vector3| *v = rotation * *v;
    turn(&mut scene.gravity);
    for body in &mut scene.bodies {
        let placement = match body {
            Body::Solid(solid) => {
                [&mut solid.velocity, &mut solid.spin].into_iter().for_each(turn);
                &mut solid.placement
            }
            Body::Cloth(cloth) => {
                [&mut cloth.velocity, &mut cloth.spin].into_iter().for_each(turn);
                &mut cloth.placement
            }
            Body::Rigid(rigid) => {
                [&mut rigid.velocity, &mut rigid.spin].into_iter().for_each(turn);
                &mut rigid.placement
            }
            Body::Obstacle(obstacle) => {
                turn_motion(&mut obstacle.motion, rotation);
                &mut obstacle.placement
            }
        };
        let origin = rotation * placement.apply_rigid(&Vector3::zeros());
        *placement =
            placement.with_rotation(rotation * placement.rotation()).with_translation(origin);
    }
    scene.pins.iter_mut().for_each(|pin| turn_motion(&mut pin.motion, rotation));
    for joint in &mut scene.joints {
        [&mut joint.at, &mut joint.axis].into_iter().for_each(turn);
    }
    scene
}

fn turn_motion(motion: &mut Motion, rotation: &UnitQuaternion<f64>) {
    let turn = |v: &mut Vector3| *v = rotation * *v;
    match motion {
        Motion::Still => {}
        Motion::Velocity(velocity) => turn(velocity),
        Motion::Rotation { center, rate } => [center, rate].into_iter().for_each(turn),
        Motion::Keyframes { frames, center, .. } => {
            turn(center);
            for Keyframe { translation, rotation, .. } in frames {
                [translation, rotation].into_iter().for_each(turn);
            }
        }
    }
}

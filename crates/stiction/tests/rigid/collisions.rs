//! Rigid bodies that strike each other in free space, with friction: what must not depend on shapes, steps or
//! coordinates.

use nalgebra::UnitQuaternion;
use stiction::body::{BodyId, Rigid, Shape};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::mesh::Transform;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

const STEP: f64 = 2e-4;

/// What meets what.
#[derive(Clone, Copy, Debug)]
enum Encounter {
    /// Edges of two boxes that cross, between their corners.
    Edges,
    /// A ball and an edge of a box.
    BallOnBox,
    /// An end of the one and the side of the other: vertices of each, and the shape of the other.
    CapsuleOnCylinder,
    /// Corners of a box and a face.
    BoxOnBox,
    /// Round sides that cross, between vertices.
    Logs,
}

const ALL: [Encounter; 5] = [
    Encounter::Edges,
    Encounter::BallOnBox,
    Encounter::CapsuleOnCylinder,
    Encounter::BoxOnBox,
    Encounter::Logs,
];

/// A rotation and a move of everything.
#[derive(Clone, Copy)]
struct Frame {
    rotation: UnitQuaternion<f64>,
    origin: Vector3,
}

const HERE: Frame = Frame {
    rotation: UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(1.0, 0.0, 0.0, 0.0)),
    origin: Vector3::new(0.0, 0.0, 0.0),
};

fn bodies(encounter: Encounter) -> [(Shape, UnitQuaternion<f64>, f64); 2] {
    let turn = |x: f64, y: f64, z: f64| UnitQuaternion::from_scaled_axis(Vector3::new(x, y, z));
    let eighth = std::f64::consts::FRAC_PI_4;
    let cuboid = |x: f64, y: f64, z: f64| Shape::Box { size: Vector3::new(x, y, z), rounding: 0.0 };
    let flat = turn(0.0, 0.0, 0.0);
    match encounter {
        // Half a diagonal each.
        Encounter::Edges => [
            (cuboid(0.1, 0.1, 0.5), turn(0.0, 0.0, eighth), 0.0),
            (cuboid(0.4, 0.1, 0.1), turn(eighth, 0.0, 0.0), 0.2_f64.hypot(0.2) * 0.5),
        ],
        Encounter::BallOnBox => [
            (cuboid(0.2, 0.2, 0.2), turn(0.0, 0.0, eighth), 0.0),
            (Shape::Sphere { radius: 0.1 }, flat, 0.1 + 0.02_f64.sqrt()),
        ],
        Encounter::CapsuleOnCylinder => [
            (Shape::Cylinder { radius: 0.1, length: 0.3 }, turn(2.0 * eighth, 0.0, 0.0), 0.0),
            (Shape::Capsule { radius: 0.05, length: 0.2 }, turn(0.1, 0.0, 0.2), 0.247),
        ],
        Encounter::BoxOnBox => {
            [(cuboid(0.4, 0.2, 0.4), flat, 0.0), (cuboid(0.1, 0.1, 0.1), turn(0.0, 0.3, 0.1), 0.16)]
        }
        Encounter::Logs => [
            (Shape::Cylinder { radius: 0.1, length: 0.6 }, turn(2.0 * eighth, 0.0, 0.0), 0.0),
            (Shape::Capsule { radius: 0.05, length: 0.5 }, turn(0.0, 0.0, 2.0 * eighth), 0.152),
        ],
    }
}

fn scene(encounter: Encounter, frame: &Frame) -> (Scene, [BodyId; 2]) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let motions = [
        (Vector3::new(0.1, 0.3, -0.05), Vector3::new(0.4, 0.2, -0.3)),
        (Vector3::new(0.4, -0.5, 0.1), Vector3::new(0.5, 2.0, 1.0)),
    ];
    let mut all = bodies(encounter).into_iter().zip(motions);
    let ids = [0; 2].map(|_| {
        let ((shape, turn, height), (velocity, spin)) = all.next().expect("two");
        let height = if height > 0.0 { height + 1e-3 } else { 0.0 };
        let at = frame.rotation * Vector3::new(0.0, height, 0.0) + frame.origin;
        let placement =
            Transform::identity().with_rotation(frame.rotation * turn).with_translation(at);
        let body = Rigid::shape(&shape, 24).expect("a shape").placed(placement);
        scene.add(body.velocity(frame.rotation * velocity).spin(frame.rotation * spin))
    });
    let rule = scene.contact(ids[0], ids[1]);
    (rule.friction, rule.thickness) = (Friction::coulomb(0.5), Some(1e-3));
    (scene, ids)
}

/// Through a collision, in steps of a length [s].
fn collide(
    encounter: Encounter,
    frame: &Frame,
    integrator: Integrator,
    step: f64,
) -> (Simulation, [BodyId; 2]) {
    let (scene, ids) = scene(encounter, frame);
    let mut settings = Settings {
        time_step: step,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Default::default()
    };
    settings.smooth().solver.tolerance = 1e-7;
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let (mut touched, mut slid) = (0, 0);
    while simulation.time() < 0.02 - 1e-9 {
        let report = simulation.step();
        assert!(report.converged(), "{encounter:?}, {integrator}: {:?}", report.status);
        touched = touched.max(report.contact.touching);
        slid += report.contact.sliding;
    }
    assert!(touched > 0 && slid > 0, "{encounter:?}: {touched} touched, {slid} slid");
    (simulation, ids)
}

/// Linear momentum to rounding. Schemes keep angular momentum to their order only: forces act where bodies are at the
/// end of a step.
#[test]
fn collisions_keep_momentum() {
    for encounter in ALL {
        for integrator in [Integrator::BackwardEuler, Integrator::Bdf2] {
            let (start, _) = scene(encounter, &HERE);
            let (linear, angular) = Simulation::new(&start).expect("valid").momentum();
            let lost = [STEP, 0.125 * STEP].map(|step| {
                let (simulation, _) = collide(encounter, &HERE, integrator, step);
                let (after, turning) = simulation.momentum();
                let off = (after - linear).norm() / linear.norm();
                assert!(off < 1e-12, "{encounter:?}, {integrator}: loses {off:e}");
                (turning - angular).norm() / angular.norm()
            });
            // Blows are of first order in all schemes.
            let [coarse, fine] = lost;
            let small = if integrator == Integrator::Bdf2 { 2e-4 } else { 0.0 };
            assert!(
                coarse < 2e-3 && fine < 0.7 * coarse + small,
                "{encounter:?}, {integrator}: {lost:?}"
            );
        }
    }
}

/// The same elsewhere, and the other way up.
#[test]
fn collisions_are_the_same_in_any_frame() {
    let rotation = UnitQuaternion::from_scaled_axis(Vector3::new(0.7, -1.9, 1.1));
    let frame = Frame { rotation, origin: Vector3::new(0.3, -0.2, 0.1) };
    for encounter in ALL {
        for integrator in [Integrator::BackwardEuler, Integrator::Bdf2] {
            let (here, ids) = collide(encounter, &HERE, integrator, STEP);
            let (there, _) = collide(encounter, &frame, integrator, STEP);
            for id in ids {
                let [a, b] = [&here, &there].map(|s| s.rigid_state(id).expect("rigid"));
                let moved = rotation * a.center + frame.origin;
                let off = [
                    (b.center - moved).norm() / 0.1,
                    (b.velocity - rotation * a.velocity).norm() / 0.5,
                    (b.spin - rotation * a.spin).norm() / 2.0,
                    b.orientation.angle_to(&(rotation * a.orientation)),
                ];
                assert!(off.iter().all(|off| *off < 1e-7), "{encounter:?}, {integrator}: {off:?}");
            }
        }
    }
}

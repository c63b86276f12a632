//! Bodies that nothing touches.

use nalgebra::UnitQuaternion;
use stiction::body::{BodyId, Rigid, Shape};
use stiction::math::Vector3;
use stiction::mesh::Transform;
use stiction::method::smooth::SmoothSettings;
use stiction::rigid::RigidState;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

const SCHEMES: [(Integrator, f64); 6] = [
    (Integrator::BackwardEuler, 1.0),
    (Integrator::Bdf2, 2.0),
    (Integrator::Trapezoid, 2.0),
    (Integrator::TR_BDF2, 2.0),
    (Integrator::Sdirk2, 2.0),
    (Integrator::Newmark { beta: 0.25, gamma: 0.5 }, 2.0),
];

/// A brick with three different moments.
fn brick(spin: [f64; 3]) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let size = Vector3::new(0.3, 0.2, 0.1);
    let brick = Rigid::shape(&Shape::Box { size, rounding: 0.0 }, 12).expect("a box");
    let brick = scene.add(brick.turned([1.0, 2.0, 0.5], 0.7).spin(spin));
    (scene, brick)
}

fn simulate(scene: &Scene, integrator: Integrator, h: f64, steps: usize) -> Simulation {
    let settings = Settings {
        time_step: h,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Default::default()
    };
    let mut simulation = Simulation::with_settings(scene, settings).expect("valid");
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "{integrator}: {report:?}");
    }
    simulation
}

fn state(simulation: &Simulation, body: BodyId) -> RigidState {
    simulation.rigid_state(body).expect("rigid")
}

/// Euler's equations by a Runge–Kutta method of order four and tiny steps; moments of the brick per mass.
fn reference(start: RigidState, time: f64) -> (UnitQuaternion<f64>, Vector3) {
    let moments =
        Vector3::new(0.2 * 0.2 + 0.1 * 0.1, 0.3 * 0.3 + 0.1 * 0.1, 0.3 * 0.3 + 0.2 * 0.2) / 12.0;
    let rate = |w: Vector3| -w.cross(&moments.component_mul(&w)).component_div(&moments);
    let steps = 20_000;
    let h = time / f64::from(steps);
    let (mut r, mut w) = (start.orientation, start.orientation.inverse() * start.spin);
    for _ in 0..steps {
        let k1 = rate(w);
        let k2 = rate(w + k1 * (0.5 * h));
        let k3 = rate(w + k2 * (0.5 * h));
        let k4 = rate(w + k3 * h);
        let next = w + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
        // Fourth order for a smooth spin: two commutator-free exponentials.
        let middle = w + (k1 + k2) * (0.25 * h);
        let (early, late) =
            ((w * 3.0 + middle * 4.0 - next) / 12.0, (middle * 4.0 + next * 3.0 - w) / 12.0);
        r = r
            * UnitQuaternion::from_scaled_axis(early * h)
            * UnitQuaternion::from_scaled_axis(late * h);
        w = next;
    }
    (r, w)
}

fn turned(simulation: &Simulation, body: BodyId, reference: UnitQuaternion<f64>) -> f64 {
    state(simulation, body).orientation.angle_to(&reference)
}

#[test]
fn schemes_have_their_order_on_rotations() {
    let (scene, brick) = brick([1.0, 2.0, -1.5]);
    let start = state(&Simulation::new(&scene).expect("valid"), brick);
    let (exact, _) = reference(start, 1.0);
    for (integrator, order) in SCHEMES {
        let off = [40, 80].map(|steps| {
            turned(&simulate(&scene, integrator, 1.0 / steps as f64, steps), brick, exact)
        });
        let slope = (off[0] / off[1]).log2();
        assert!((slope - order).abs() < 0.15, "{integrator}: {slope} from {off:?}");
    }
}

/// A dumbbell of two balls and a rod, and the same by hand.
#[test]
fn parts_make_one_body() {
    let ball = |x: f64| {
        let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 36).expect("a ball");
        ball.density(2000.0).turned([0.0, 0.0, 1.0], 0.3).at([x, 0.0, 0.0])
    };
    let rod = Shape::Box { size: Vector3::new(0.6, 0.02, 0.02), rounding: 0.0 };
    let rod = Rigid::shape(&rod, 12).expect("a rod").density(500.0);
    let body = Rigid::joined(&[ball(-0.4), ball(0.4), rod]).expect("one body");
    let found = body.properties().expect("a mass");
    let one = 2000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let rod = 500.0 * 0.6 * 4e-4;
    assert!((found.mass() / (2.0 * one + rod) - 1.0).abs() < 1e-12);
    assert!(found.center().norm() < 1e-12);
    let across = 2.0 * (0.4 * one * 0.01 + one * 0.16) + rod * (0.36 + 4e-4) / 12.0;
    assert!((found.inertia()[(1, 1)] / across - 1.0).abs() < 1e-12, "{:?}", found.inertia());
    // Twice as large, it is what its triangles enclose.
    let placement = Transform::identity().with_scale(Vector3::repeat(2.0)).expect("valid");
    let larger = body.clone().placed(placement).properties().expect("a mass");
    let ratio = larger.mass() / (8.0 * found.mass());
    assert!((0.95..1.05).contains(&ratio), "{ratio}");
    assert!(Rigid::joined(&[]).is_err());
}

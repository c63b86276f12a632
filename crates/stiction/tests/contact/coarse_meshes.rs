//! Meshes of a few large faces: edges and faces touch, not vertices alone.

use crate::support::*;
use stiction::body::{
    Body, BodyId, Cloth, Interpolation, Keyframe, Motion, Obstacle, Rigid, Shape, Solid,
};
use stiction::contact::{Friction, Roles};
use stiction::geometry::shape::{Convex, Hull};
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::Law;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation, State};

/// What a cuboid of eight vertices is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Mesh,
    Hull,
    Solid,
}

/// Stiff, and damped enough to come to rest soon.
fn stuff() -> Material {
    let damping = Damping { mass: 0.0, stiffness: 2e-3 };
    let stiff = Material::RUBBER.with_youngs_modulus(1e7);
    stiff.and_then(|stiff| stiff.with_damping(damping)).expect("valid")
}

/// A cuboid of eight vertices, as dense as water, turned about the vertical.
fn cuboid(kind: Kind, size: [f64; 3], at: [f64; 3], turn: f64) -> Body {
    let solid = Solid::cuboid(size, [1; 3]).expect("valid");
    let up = [0.0, 1.0, 0.0];
    match kind {
        Kind::Mesh => Rigid::new(solid.mesh.boundary().surface).turned(up, turn).at(at).into(),
        Kind::Hull => {
            let hull = Hull::new(solid.mesh.vertices()).expect("a cuboid");
            let hull = Rigid::convex(Convex::Hull(hull), 4).expect("has mass");
            hull.turned(up, turn).at(at).into()
        }
        Kind::Solid => solid.material(stuff()).turned(up, turn).at(at).into(),
    }
}

const SIDE: f64 = 0.1;
const TWENTY_DEGREES: f64 = 20.0 * std::f64::consts::PI / 180.0;

/// A cube on a plane, and another one a millimetre above it, turned by 20°: no vertex is over a face of the other.
fn tower(below: Kind, above: Kind) -> (Scene, BodyId, BodyId) {
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(0.5);
    let lower = scene.add(cuboid(below, [SIDE; 3], [0.0, 0.5 * SIDE + 5e-4, 0.0], 0.0));
    let upper = scene.add(cuboid(above, [SIDE; 3], [0.0, 1.5 * SIDE + 15e-4, 0.0], TWENTY_DEGREES));
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    (scene, lower, upper)
}

fn steps(integrator: Integrator, time_step: f64) -> Settings {
    let mut settings = settings(integrator, time_step, Law::default());
    settings.smooth().solver.tolerance = 1e-7;
    settings
}

/// Of a cube [kg].
fn mass(kind: Kind) -> f64 {
    let density = if kind == Kind::Solid { stuff().density() } else { 1000.0 };
    SIDE.powi(3) * density
}

/// Force of contacts on a body along the vertical [N].
fn carried(simulation: &Simulation, body: BodyId) -> f64 {
    let on_body = |contact: &stiction::contact::Contact| {
        let force = contact.normal * contact.normal_force + contact.friction;
        match body {
            body if contact.collider == body => force.y,
            body if contact.surface == body => -force.y,
            _ => 0.0,
        }
    };
    simulation.contacts().iter().map(on_body).sum()
}

#[test]
fn cubes_of_eight_vertices_stand_on_each_other_turned() {
    let pairs = [
        (Kind::Mesh, Kind::Mesh),
        (Kind::Hull, Kind::Hull),
        (Kind::Solid, Kind::Solid),
        (Kind::Mesh, Kind::Solid),
        (Kind::Solid, Kind::Hull),
        (Kind::Hull, Kind::Mesh),
    ];
    for (below, above) in pairs {
        let (scene, _, upper) = tower(below, above);
        let settings = steps(Integrator::BackwardEuler, 0.01);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        advance(&mut simulation, 50);
        let (height, turned) = (middle(&simulation, upper).y, simulation.positions(upper)[0]);
        let fallen = 1.5 * SIDE + 15e-4 - height;
        assert!(fallen.abs() < 2e-3, "{above:?} on {below:?}: fell {fallen} m");
        let weight = GRAVITY * mass(above);
        let carried = carried(&simulation, upper);
        assert!((carried - weight).abs() < 0.01 * weight, "{above:?}: {carried} of {weight} N");
        // And stays there.
        advance(&mut simulation, 20);
        let moved = (simulation.positions(upper)[0] - turned).norm();
        assert!(moved < 1e-5, "{above:?} on {below:?}: moved by {moved} m");
    }
}

/// Two cubes that meet with edges, far from everything, in all combinations: no force and no torque is left over.
#[test]
fn edges_that_collide_keep_momentum() {
    let kinds = [Kind::Mesh, Kind::Hull, Kind::Solid];
    for (below, above) in kinds.into_iter().flat_map(|a| kinds.map(|b| (a, b))) {
        let (mut scene, lower, upper) = tower(below, above);
        scene.bodies.truncate(2);
        scene.gravity = Vector3::zeros();
        for (body, velocity, spin) in
            [(lower, [0.0; 3], [0.3, 0.8, -0.2]), (upper, [0.3, -0.4, 0.1], [0.2, 1.0, -0.3])]
        {
            let (velocity, spin) = (Vector3::from(velocity), Vector3::from(spin));
            match &mut scene.bodies[body.index()] {
                Body::Solid(solid) => (solid.velocity, solid.spin) = (velocity, spin),
                Body::Rigid(rigid) => (rigid.velocity, rigid.spin) = (velocity, spin),
                other => panic!("no {other:?} here"),
            }
        }
        let mut settings = steps(Integrator::BackwardEuler, 0.002);
        settings.smooth().solver.tolerance = 1e-9;
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let (linear, _) = simulation.momentum();
        let mut friction = 0.0;
        for _ in 0..20 {
            let report = simulation.step();
            assert!(report.converged(), "{above:?} on {below:?}: {report:?}");
            let q = &simulation.trajectory().q;
            let at = |node: u32| Vector3::from_column_slice(&q[3 * node as usize..][..3]);
            let (mut force, mut torque, mut size) = (Vector3::zeros(), Vector3::zeros(), 0.0);
            for contact in simulation.contacts() {
                friction += contact.friction.norm();
                for (node, f) in &contact.forces {
                    force += f;
                    torque += at(*node).cross(f);
                    size += f.norm();
                }
            }
            assert!(force.norm() <= 1e-13 * size, "{below:?}: net force {force:?} of {size}");
            assert!(torque.norm() <= 1e-13 * size, "{below:?}: net torque {torque:?} of {size}");
        }
        assert!(friction > 0.0, "{above:?} on {below:?} never touched");
        let (now, _) = simulation.momentum();
        assert!((now - linear).norm() < 1e-9 * linear.norm(), "{now:?} {linear:?}");
    }
}

/// A plank across the edges of another one, which is an obstacle: it slides along its own edges just when gravity is
/// steep enough.
#[test]
fn a_plank_slides_on_edges_when_friction_says_so() {
    let friction = 0.3;
    let slide = |steepness: f64, settled: usize| {
        let mut scene = Scene::new();
        let angle = f64::atan(steepness * friction);
        scene.gravity = Vector3::new(angle.sin(), -angle.cos(), 0.0) * GRAVITY;
        let below = Solid::cuboid([0.3, 0.05, 0.5], [1; 3]).expect("valid");
        let below = Obstacle::new(Shape::Mesh(below.mesh.boundary().surface));
        let below = scene.add(below);
        let above = cuboid(Kind::Mesh, [0.8, 0.05, 0.05], [0.0, 0.0505, 0.0], 0.0);
        let plank = scene.add(above);
        let rule = scene.contact(plank, below);
        rule.friction = Friction::coulomb(friction);
        rule.thickness = Some(THICKNESS);
        let settings = steps(Integrator::BackwardEuler, 0.005);
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        advance(&mut simulation, settled);
        let speed =
            |simulation: &Simulation| simulation.rigid_state(plank).expect("rigid").velocity.x;
        let (start, before) = (middle(&simulation, plank).x, speed(&simulation));
        advance(&mut simulation, 100);
        (middle(&simulation, plank).x - start, speed(&simulation) - before, angle)
    };
    let (moved, speed, _) = slide(0.95, 400);
    assert!(moved.abs() < 1e-7 && speed.abs() < 1e-6, "crept {moved:e} m, {speed:e} m/s");
    let (_, speed, angle) = slide(1.05, 100);
    let expected = 0.05 * friction * GRAVITY * angle.cos() * 0.5;
    assert!((speed / expected - 1.0).abs() < 0.05, "{speed} of {expected} m/s");
}

#[test]
fn towers_restored_on_the_way_go_on_with_the_same_bits() {
    let bits = |simulation: &Simulation| -> Vec<u64> {
        let State { trajectory, memory, .. } = simulation.state();
        let values = trajectory.q.iter().chain(&trajectory.v).chain(&memory);
        values.map(|value| value.to_bits()).collect()
    };
    for (below, above) in [(Kind::Mesh, Kind::Hull), (Kind::Solid, Kind::Solid)] {
        let (mut scene, _, upper) = tower(below, above);
        match &mut scene.bodies[upper.index()] {
            Body::Solid(solid) => solid.velocity = Vector3::new(0.1, -0.1, 0.05),
            Body::Rigid(rigid) => rigid.velocity = Vector3::new(0.1, -0.1, 0.05),
            other => panic!("no {other:?} here"),
        }
        let start = || {
            let settings = steps(Integrator::Bdf2, 0.01);
            Simulation::with_settings(&scene, settings).expect("valid")
        };
        let mut simulation = start();
        advance(&mut simulation, 12);
        assert!(!simulation.contacts().is_empty());
        let saved = simulation.state();
        advance(&mut simulation, 8);
        let mut again = start();
        again.restore(&saved).expect("the same scene");
        advance(&mut again, 8);
        assert_eq!(bits(&again), bits(&simulation), "{above:?} on {below:?}");
    }
}

/// Smaller than the cells: none of the cloth's points is near.
#[test]
fn a_steel_ball_is_held_by_a_coarse_cloth() {
    let mut scene = Scene::new();
    let sheet = Cloth::sheet([1.0, 1.0], [8, 8]).expect("valid");
    let on_border = |x: &Vector3| x.iter().any(|x| x.abs() > 0.499);
    let all = (0..).zip(sheet.mesh.vertices());
    let border: Vec<u32> = all.filter(|(_, x)| on_border(x)).map(|(k, _)| k).collect();
    assert_eq!(border.len(), 32);
    let sheet = scene.add(sheet.turned([1.0, 0.0, 0.0], -0.5 * std::f64::consts::PI));
    scene.pin(sheet, Selection::Ids(border));
    let ball = Rigid::shape(&Shape::Sphere { radius: 0.04 }, 24).expect("a ball").density(7800.0);
    let ball = scene.add(ball.at([0.06, 0.042, 0.064]));
    let settings = steps(Integrator::BackwardEuler, 0.01);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    for _ in 0..60 {
        let report = simulation.step();
        assert!(report.converged(), "{report:?}");
    }
    let height = simulation.rigid_state(ball).expect("rigid").center.y;
    let lowest = simulation.positions(sheet).iter().fold(0.0, |least: f64, x| least.min(x.y));
    assert!(height > lowest, "the ball is at {height}, the cloth at {lowest} and above");
    assert!(!simulation.contacts().is_empty());
}

/// Strips with vertices beyond each other's borders, which alone cross. Ends of the upper one are drawn down: the
/// lower one holds its middle.
#[test]
fn strips_of_cloth_hold_each_other_at_their_borders() {
    let drawn = 0.08;
    let mut scene = Scene::new();
    let mut strip = |size, cells, height: f64, motion: Motion| {
        let strip = Cloth::sheet(size, cells).expect("valid");
        let all = (0..).zip(strip.mesh.vertices());
        let is_end = |x: &Vector3| x.x.abs().max(x.y.abs()) > 0.299;
        let ends: Vec<u32> = all.filter(|(_, x)| is_end(x)).map(|(k, _)| k).collect();
        let strip = strip.turned([1.0, 0.0, 0.0], -0.5 * std::f64::consts::PI);
        let strip = scene.add(strip.at([0.0, height, 0.0]));
        scene.pin(strip, Selection::Ids(ends)).motion(motion);
        strip
    };
    let below = strip([0.6, 0.1], [3, 1], 0.0, Motion::Still);
    let frames = [(0.0, 0.0), (0.4, -drawn)].map(|(time, down)| Keyframe {
        time,
        translation: Vector3::y() * down,
        ..Keyframe::default()
    });
    let (frames, center) = (frames.to_vec(), Vector3::zeros());
    let motion = Motion::Keyframes { frames, center, interpolation: Interpolation::Linear };
    let above = strip([0.1, 0.6], [1, 3], 0.004, motion);
    let settings = steps(Integrator::BackwardEuler, 0.005);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    advance(&mut simulation, 120);
    let inner = |body: BodyId| {
        let inner = simulation.positions(body);
        let inner: Vec<f64> =
            inner.iter().filter(|x| x.x.abs().max(x.z.abs()) < 0.2).map(|x| x.y).collect();
        inner.iter().sum::<f64>() / inner.len() as f64
    };
    let (upper, lower) = (inner(above), inner(below));
    assert!(upper > lower - 5e-3, "drawn down to {upper} m, the other to {lower} m");
    assert!(lower < -0.3 * drawn, "nobody drew it down: {lower} m");
    assert!(simulation.contacts().len() >= 4, "{} contacts", simulation.contacts().len());
}

/// Whoever says which one has points and which one the surface gets just these.
#[test]
fn roles_that_are_given_leave_edges_out() {
    let (mut scene, lower, upper) = tower(Kind::Mesh, Kind::Mesh);
    scene.contact(upper, lower).roles = Roles::FirstIsSurface;
    let settings = steps(Integrator::BackwardEuler, 0.01);
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    (0..20).for_each(|_| drop(simulation.step()));
    assert!(middle(&simulation, upper).y < 1.45 * SIDE);
}

//! Obstacles that are points with normals, as scanned.

use std::f64::consts::PI;

use crate::support::*;
use stiction::body::{Cloud, Obstacle, Shape, Solid};
use stiction::contact::Friction;
use stiction::contact::obstacle::ObstacleSurface;
use stiction::geometry::implicit::SurfaceError;
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::method::smooth::Law;
use stiction::step::Integrator;
use stiction::{Scene, Simulation};

/// Points spread evenly and without a pattern over the plane `y = 0`, from `x = −1` to 3.
fn plane(count: u32) -> Cloud {
    let golden = 0.5 * (5_f64.sqrt() - 1.0);
    let point = |i: u32| {
        let (u, v) = (f64::from(i) / f64::from(count), (f64::from(i) * golden).fract());
        Vector3::new(-1.0 + 4.0 * u, 0.0, -1.0 + 2.0 * v)
    };
    let normals = vec![Vector3::y() * 3.0; count as usize];
    Cloud::new((0..count).map(point).collect(), normals).expect("sound")
}

/// Points spread evenly over a ball of radius one.
fn ball(count: u32) -> Cloud {
    let golden = PI * (3.0 - 5_f64.sqrt());
    let point = |i: u32| {
        let y = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
        let (r, angle) = ((1.0 - y * y).sqrt(), golden * f64::from(i));
        Vector3::new(r * angle.cos(), y, r * angle.sin())
    };
    let points: Vec<Vector3> = (0..count).map(point).collect();
    Cloud::new(points.clone(), points).expect("sound")
}

#[test]
fn points_on_a_scanned_plane_stop_where_they_do_on_a_plane() {
    for integrator in [Integrator::BackwardEuler, Integrator::Bdf2] {
        let run = |scanned: bool| {
            let (mut scene, points) = Slope::reference(0.1).scene();
            if scanned {
                let rule = scene.contacts[0].clone();
                scene.bodies.pop();
                scene.contacts.clear();
                let plane = scene.add(Obstacle::new(Shape::Points(plane(2000))));
                *scene.contact(points, plane) = rule;
            }
            let settings = settings(integrator, 0.1, Law::default());
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            advance(&mut simulation, 180);
            simulation.positions(points)[0]
        };
        let (plane, scanned) = (run(false), run(true));
        assert!(plane.x > 0.7, "{plane:?}");
        let apart = (plane - scanned).norm();
        assert!(apart < 1e-12, "{integrator}: {apart:e} m apart");
    }
}

#[test]
fn a_scanned_ball_is_a_ball_a_little_larger() {
    let cloud = Obstacle::new(Shape::Points(ball(4000)));
    let surface = ObstacleSurface::new(&cloud).expect("sound");
    let radius = surface.smooth().expect("it is smooth").surface.radius();
    let pose = surface.pose(0.0);
    for k in 0..200 {
        let out = ball(200).points()[k];
        let jet = surface.distance(&pose, out).expect("near");
        // A twelfth of the radius squared times the curvature, and the grain of the points.
        let expected = -radius * radius / 12.0;
        assert!((jet.value / expected - 1.0).abs() < 0.05, "{} for {expected}", jet.value);
        let tilt = (jet.gradient.normalize() - out).norm();
        assert!(tilt < 2e-3, "{tilt:e}");
    }
}

#[test]
fn a_soft_ball_rests_on_a_scanned_plane() {
    let damping = Damping { mass: 2.0, stiffness: 1e-3 };
    let material = Material::SILICONE.with_damping(damping).expect("valid");
    let mut rest = Vec::new();
    for obstacle in [Obstacle::new(Shape::Points(plane(2000))), Obstacle::plane(Vector3::y(), 0.0)]
    {
        let mut scene = Scene::new();
        scene.friction = Friction::coulomb(0.4);
        let ball = Solid::ball(0.1, 0.05).expect("valid").material(material);
        let ball = scene.add(ball.at([0.5, 0.1, 0.0]));
        scene.add(obstacle);
        let mut settings = settings(Integrator::BackwardEuler, 0.02, Law::default());
        settings.smooth().solver.tolerance = 1e-8;
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        advance(&mut simulation, 100);
        let lift: f64 = simulation.contacts().iter().map(|c| c.normal.y * c.normal_force).sum();
        let weight = 9.81 * simulation.model().vertex_masses(ball).iter().sum::<f64>();
        assert!((lift / weight - 1.0).abs() < 1e-3, "{lift} N for {weight} N");
        rest.push(middle(&simulation, ball));
    }
    let apart = (rest[0] - rest[1]).norm();
    assert!(apart < 1e-9, "{apart:e} m apart");
}

#[test]
fn clouds_that_are_no_surface_are_refused() {
    let (x, n) = (Vector3::x(), Vector3::y());
    let refused = |points: Vec<Vector3>, normals: Vec<Vector3>| Cloud::new(points, normals).err();
    assert_eq!(refused(vec![], vec![]), Some(SurfaceError::Empty));
    let count = SurfaceError::NormalCount { points: 2, normals: 1 };
    assert_eq!(refused(vec![x, x], vec![n]), Some(count));
    let normal = SurfaceError::NoNormal { index: 1 };
    assert_eq!(refused(vec![x, x], vec![n, Vector3::zeros()]), Some(normal));
    let point = SurfaceError::NotFinite { index: 0 };
    assert_eq!(refused(vec![x * f64::NAN], vec![n]), Some(point));
}

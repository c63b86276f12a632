//! Cameras see what they should, where they should.

use stiction_render::{Bounds, Camera, Margins, Vec3, View};

use crate::common::Numbers;

fn cloud() -> Vec<Vec3> {
    let mut numbers = Numbers::new(3);
    (0..500).map(|_| numbers.vector().component_mul(&Vec3::new(3.0, 0.5, 1.0))).collect()
}

#[test]
fn all_points_fit_and_some_touch_the_margins() {
    let margins = Margins { sides: [0.05, 0.2], ends: [0.1, 0.15] };
    for (azimuth, elevation, up) in [
        (30.0, 20.0, Vec3::y()),
        (200.0, 80.0, Vec3::y()),
        (-60.0, -10.0, Vec3::z()),
        (5.0, 30.0, Vec3::x()),
    ] {
        for aspect in [0.5, 1.0, 1.8] {
            let view = View { azimuth, elevation, field_of_view: 30.0, up };
            let camera = Camera::fit(&view, &cloud(), &margins, aspect);
            let (mut across, mut along) = ([1.0_f32, 0.0_f32], [1.0_f32, 0.0_f32]);
            for point in &cloud() {
                let ([x, y], _) = camera.project(point).expect("before the camera");
                across = [across[0].min(x), across[1].max(x)];
                along = [along[0].min(y), along[1].max(y)];
            }
            let room = [across[0] - 0.05, 0.8 - across[1], along[0] - 0.1, 0.85 - along[1]];
            assert!(room.iter().all(|room| *room > -1e-3), "{room:?}");
            // As near as can be: either both sides or both ends are touched.
            let touched = room.map(|room| room < 1e-3);
            assert!(touched[0] && touched[1] || touched[2] && touched[3], "{room:?}");
        }
    }
}

#[test]
fn a_ray_through_the_image_of_a_point_meets_it() {
    let camera = Camera::fit(&View::default(), &cloud(), &Margins::default(), 1.5);
    for point in cloud() {
        let ([x, y], _) = camera.project(&point).expect("before the camera");
        let ray = camera.ray(x, y);
        let off = (point - ray.origin).cross(&ray.direction).norm();
        assert!(off < 1e-4, "{off}");
    }
}

#[test]
fn up_is_up_and_the_front_is_in_front() {
    for up in [Vec3::x(), Vec3::y(), Vec3::z()] {
        let view = View { azimuth: 0.0, elevation: 10.0, up, ..View::default() };
        let camera = Camera::look_at(&view, &Vec3::zeros(), 5.0, 1.0);
        let ([_, high], _) = camera.project(&(up * 0.5)).expect("seen");
        let ([_, low], _) = camera.project(&(up * -0.5)).expect("seen");
        assert!(high < low);
        let front = if up == Vec3::z() { -Vec3::y() } else { Vec3::z() };
        assert!(camera.eye.dot(&front) > 4.0);
    }
}

#[test]
fn a_single_point_is_looked_at() {
    let point = Vec3::new(1.0, 2.0, 3.0);
    let camera = Camera::fit(&View::default(), &[point], &Margins::default(), 1.5);
    let ([x, y], depth) = camera.project(&point).expect("before the camera");
    assert!((x - 0.5).abs() < 0.01 && (y - 0.5).abs() < 0.01 && depth > 0.0, "{x} {y} {depth}");
}

#[test]
fn zooming_in_makes_things_larger() {
    let bounds = Bounds::of(&cloud());
    let camera = Camera::fit(&View::default(), &cloud(), &Margins::default(), 1.5);
    let near = camera.zoomed(&bounds.centre(), 2.0);
    let size = |camera: &Camera| {
        let edge =
            |x: f32| camera.project(&(bounds.centre() + camera.forward().cross(&Vec3::y()) * x));
        edge(0.1).expect("seen").0[0] - edge(-0.1).expect("seen").0[0]
    };
    assert!((size(&near) / size(&camera) - 2.0).abs() < 1e-3);
}

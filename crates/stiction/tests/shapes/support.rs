//! Random shapes and poses, and slow ways of measuring them.

use nalgebra::UnitQuaternion;
use stiction::geometry::Pose;
use stiction::geometry::distance::{capsule, cylinder, plane, rounded_box, sphere};
use stiction::geometry::manifold::{ManifoldPoint, contacts};
use stiction::geometry::shape::{Convex, Hull};
use stiction::math::Vector3;
use stiction_check::matrices::Random;

pub(crate) const KINDS: [&str; 6] = ["sphere", "box", "round box", "capsule", "cylinder", "hull"];

pub(crate) fn random_vector(random: &mut Random) -> Vector3 {
    Vector3::from_fn(|_, _| random.value())
}

pub(crate) fn random_pose(random: &mut Random, spread: f64) -> Pose {
    let turn = UnitQuaternion::from_scaled_axis(random_vector(random) * 3.0);
    Pose::new(random_vector(random) * spread, turn)
}

/// Between `low` and `high`.
pub(crate) fn random_length(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * 0.5 * (random.value() + 1.0)
}

pub(crate) fn random_shape(kind: &str, random: &mut Random) -> Convex {
    let mut length = |low, high| random_length(random, low, high);
    match kind {
        "sphere" => Convex::Sphere { radius: length(0.2, 0.6) },
        "box" => Convex::cuboid([length(0.3, 1.2), length(0.3, 1.2), length(0.3, 1.2)]),
        "round box" => {
            let size = Vector3::new(length(0.4, 1.2), length(0.4, 1.2), length(0.4, 1.2));
            Convex::Box { size, rounding: length(0.01, 0.2) }
        }
        "capsule" => Convex::Capsule { radius: length(0.1, 0.4), length: length(0.2, 1.2) },
        "cylinder" => Convex::Cylinder { radius: length(0.1, 0.6), length: length(0.1, 1.2) },
        _ => {
            let points: Vec<Vector3> = (0..12).map(|_| random_vector(random) * 0.6).collect();
            Convex::Hull(Hull::new(&points).expect("a hull"))
        }
    }
}

/// Separation along `n`, out of B: no larger than the gap for any `n`, and equal to it for the best one.
pub(crate) fn separation(
    (a, pose_a): (&Convex, &Pose),
    (b, pose_b): (&Convex, &Pose),
    n: &Vector3,
) -> f64 {
    let reach = |shape: &Convex, pose: &Pose, d: &Vector3| {
        let local = pose.rotation.inverse_transform_vector(d);
        d.dot(&pose.apply(&shape.support(&local).expect("an end")))
    };
    -reach(a, pose_a, &-n) - reach(b, pose_b, n)
}

/// Unit vectors evenly over the sphere.
pub(crate) fn directions(count: usize) -> Vec<Vector3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..count)
        .map(|k| {
            let z = 1.0 - 2.0 * (k as f64 + 0.5) / count as f64;
            let (sin, cos) = (golden * k as f64).sin_cos();
            let r = (1.0 - z * z).sqrt();
            Vector3::new(r * cos, r * sin, z)
        })
        .collect()
}

/// The gap of two shapes by search over directions: never more than it is, and not much less.
pub(crate) fn gap_by_search(a: (&Convex, &Pose), b: (&Convex, &Pose), starts: &[Vector3]) -> f64 {
    let mut best: Vec<(f64, Vector3)> = starts.iter().map(|n| (separation(a, b, n), *n)).collect();
    best.sort_by(|s, t| t.0.total_cmp(&s.0));
    let mut most = f64::NEG_INFINITY;
    for &(mut value, mut n) in best.iter().take(4) {
        let mut step = 0.05;
        while step > 1e-8 {
            let u = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
            let v = n.cross(&u);
            let around = (0..12).map(|k| {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 12.0).sin_cos();
                (n + (u * cos + v * sin) * step).normalize()
            });
            let tries = around.map(|n| (separation(a, b, &n), n));
            let better = tries.max_by(|s, t| s.0.total_cmp(&t.0)).expect("twelve");
            if better.0 > value {
                (value, n) = better;
            } else {
                step *= 0.5;
            }
        }
        most = most.max(value);
    }
    most
}

/// Signed distance of a point from a placed shape; of a hull, its largest distance from a plane.
pub(crate) fn signed_distance(shape: &Convex, pose: &Pose, x: &Vector3) -> f64 {
    let x = pose.apply_inverse(x);
    match *shape {
        Convex::Plane { normal, offset } => plane::distance(normal, offset, x).value,
        Convex::Sphere { radius } => sphere::distance(radius, x).value,
        Convex::Box { size, rounding } => rounded_box::distance(size, rounding, x).value,
        Convex::Capsule { radius, length } => capsule::distance(radius, length, x).value,
        Convex::Cylinder { radius, length } => cylinder::distance(radius, length, x).value,
        Convex::Hull(ref hull) => hull.deepest_plane(&x).0,
    }
}

pub(crate) fn touch(
    (a, pose_a): (&Convex, &Pose),
    (b, pose_b): (&Convex, &Pose),
    reach: f64,
) -> Vec<ManifoldPoint> {
    let mut out = Vec::new();
    contacts(a, pose_a, b, pose_b, reach, &mut out);
    out
}

/// The point with the smallest gap.
pub(crate) fn deepest(points: &[ManifoldPoint]) -> Option<&ManifoldPoint> {
    points.iter().min_by(|a, b| a.gap.total_cmp(&b.gap))
}

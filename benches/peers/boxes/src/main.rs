//! Contacts of a thousand resting boxes: ours, Parry's and Rapier's, alternating in one process.
//!
//! Ten by ten stacks of ten boxes settle in Rapier; each further step of it is a frame. Its own narrow phase is timed
//! by its own counters. Ours and Parry's get the poses of that frame, and the pairs that our broad phase finds. The
//! least of all frames counts.
//!
//! - *Rapier*: `f32`, manifolds of the step before moved along where boxes moved little; all of its collision
//!   detection, and the narrow phase alone.
//! - *Parry, kept*: the same in `f64` without the bookkeeping. *Parry, new*: each manifold from nothing.
//! - *Ours*: `f64`, from nothing, or kept likewise.

mod near;

use std::time::Instant;

use nalgebra::{Quaternion, UnitQuaternion};
use parry3d_f64::math as parry;
use parry3d_f64::query::ContactManifold;
use parry3d_f64::query::details::contact_manifold_cuboid_cuboid;
use parry3d_f64::shape::Cuboid;
use rapier3d::prelude::*;
use stiction::geometry::Pose as OurPose;
use stiction::geometry::manifold::{Kept, ManifoldPoint, contacts};
use stiction::geometry::shape::Convex;
use stiction::math::Vector3;

const SIDE: usize = 10;
const SETTLING: usize = 200;
const FRAMES: usize = 200;
/// How far apart boxes may be, as far as Rapier looks [m].
const REACH: f64 = 0.002;
const SIZES: [[f64; 3]; 2] = [[20.0, 1.0, 20.0], [0.2, 0.2, 0.2]];

fn main() {
    let twisted = std::env::args().any(|argument| argument == "twisted");
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / 60.0;
    let mut handles = vec![world.insert(
        RigidBodyBuilder::fixed().translation(Vector::new(0.0, -0.5, 0.0)),
        ColliderBuilder::cuboid(10.0, 0.5, 10.0),
    )];
    for k in 0..SIDE * SIDE * SIDE {
        let (i, j, layer) = (k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE);
        let turn = if twisted { 0.2 * layer as f32 } else { 0.0 };
        let at = Vector::new(0.5 * i as f32, 0.1 + 0.2 * layer as f32, 0.5 * j as f32);
        let body = RigidBodyBuilder::dynamic()
            .translation(at)
            .rotation(Vector::new(0.0, turn, 0.0))
            .can_sleep(false);
        handles.push(world.insert(body, ColliderBuilder::cuboid(0.1, 0.1, 0.1)));
    }
    for _ in 0..SETTLING {
        world.step();
    }
    world.physics_pipeline.counters.enable();

    let shapes: Vec<Convex> =
        (0..handles.len()).map(|k| Convex::cuboid(SIZES[usize::from(k > 0)])).collect();
    let cuboids = SIZES.map(|[x, y, z]| Cuboid::new(parry::Vector::new(x, y, z) * 0.5));
    let cuboid = |k: u32| &cuboids[usize::from(k > 0)];
    let mut kept: Vec<((u32, u32), ContactManifold<(), ()>)> = Vec::new();
    let mut new: ContactManifold<(), ()> = ContactManifold::new();
    let mut points: Vec<ManifoldPoint> = Vec::new();
    let mut near = near::Near::default();
    let mut least = [f64::INFINITY; 7];
    let mut ours_kept: Vec<((u32, u32), Kept)> = Vec::new();
    let mut kept_points: Vec<ManifoldPoint> = Vec::new();
    let (mut pair_count, mut theirs) = (0, 0);
    for _ in 0..FRAMES {
        world.step();
        let counters = &world.physics_pipeline.counters;
        let narrow = counters.cd.narrow_phase_time.time_ms() * 1e-3;
        let whole = counters.stages.collision_detection_time.time_ms() * 1e-3;
        let poses: Vec<OurPose> = handles.iter().map(|(body, _)| pose(&world, *body)).collect();
        let parry_poses: Vec<parry::Pose> = poses.iter().map(to_parry).collect();

        let start = Instant::now();
        let pairs = near.pairs(&shapes, &poses, REACH);
        let swept = start.elapsed().as_secs_f64();
        pair_count = pairs.len();

        let start = Instant::now();
        points.clear();
        for &(a, b) in pairs {
            let (a, b) = (a as usize, b as usize);
            contacts(&shapes[a], &poses[a], &shapes[b], &poses[b], REACH, &mut points);
        }
        let ours = start.elapsed().as_secs_f64();

        if !ours_kept.iter().map(|(pair, _)| pair).eq(pairs) {
            ours_kept = pairs.iter().map(|pair| (*pair, Kept::default())).collect();
        }
        let start = Instant::now();
        kept_points.clear();
        for ((a, b), kept) in &mut ours_kept {
            let (a, b) = (*a as usize, *b as usize);
            let (shape_a, shape_b) = (&shapes[a], &shapes[b]);
            // The floor is A where it is one of the two: its radius about the place of a contact.
            kept.contacts(
                shape_a,
                &poses[a],
                shape_b,
                &poses[b],
                REACH,
                (1e-4, 0.2),
                &mut kept_points,
            );
        }
        let ours_from_kept = start.elapsed().as_secs_f64();

        if !kept.iter().map(|(pair, _)| pair).eq(pairs) {
            kept = pairs.iter().map(|pair| (*pair, ContactManifold::new())).collect();
        }
        let start = Instant::now();
        theirs = 0;
        for ((a, b), manifold) in &mut kept {
            let between = parry_poses[*a as usize].inv_mul(&parry_poses[*b as usize]);
            contact_manifold_cuboid_cuboid(&between, cuboid(*a), cuboid(*b), REACH, manifold);
            theirs += manifold.points.len();
        }
        let parry_kept = start.elapsed().as_secs_f64();

        let start = Instant::now();
        for &(a, b) in pairs {
            new.clear();
            let between = parry_poses[a as usize].inv_mul(&parry_poses[b as usize]);
            contact_manifold_cuboid_cuboid(&between, cuboid(a), cuboid(b), REACH, &mut new);
        }
        let parry_new = start.elapsed().as_secs_f64();
        for (least, time) in least.iter_mut().zip([
            whole,
            narrow,
            parry_kept,
            parry_new,
            ours,
            ours_from_kept,
            ours_from_kept + swept,
        ]) {
            *least = least.min(time);
        }
    }
    println!("{pair_count} pairs, {} contacts, Parry {theirs}", points.len());
    let names = [
        "Rapier, all",
        "Rapier, narrow",
        "Parry, kept",
        "Parry, new",
        "ours, new",
        "ours, kept",
        "ours, all",
    ];
    for (name, time) in names.iter().zip(least) {
        println!(
            "{name:16}{:8.3} ms a step{:8.0} ns a pair",
            time * 1e3,
            time / pair_count as f64 * 1e9
        );
    }
}

fn pose(world: &PhysicsWorld, body: RigidBodyHandle) -> OurPose {
    let pose = world.bodies[body].position();
    let (t, r) = (pose.translation, pose.rotation);
    let turn = Quaternion::new(f64::from(r.w), f64::from(r.x), f64::from(r.y), f64::from(r.z));
    let at = Vector3::new(f64::from(t.x), f64::from(t.y), f64::from(t.z));
    OurPose::new(at, UnitQuaternion::from_quaternion(turn))
}

fn to_parry(pose: &OurPose) -> parry::Pose {
    let (t, r) = (pose.translation, pose.rotation);
    parry::Pose::from_parts(
        parry::Vector::new(t.x, t.y, t.z),
        parry::Rotation::from_xyzw(r.i, r.j, r.k, r.w),
    )
}

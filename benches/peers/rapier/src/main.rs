//! The soft block on an incline in Rapier; `soft_block.py` says what is measured.
//!
//! ```console
//! $ soft_block constraints|fem FRICTION TANGENT
//! ```

use std::time::Duration;

use rapier3d::prelude::*;

const TIME_STEP: f32 = 5e-3; // [s]
const STEPS: usize = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |k: usize| arguments[k].parse::<f32>().expect("a number");
    let solver = match arguments[1].as_str() {
        "fem" => SoftBodySolver::Fem,
        _ => SoftBodySolver::Constraints,
    };
    let (friction, angle) = (number(2), number(3).atan());

    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(9.81 * angle.sin(), -9.81 * angle.cos(), 0.0);
    world.integration_parameters.dt = TIME_STEP;
    world.insert(
        RigidBodyBuilder::fixed().translation(Vector::new(0.0, -0.1, 0.0)),
        ColliderBuilder::cuboid(60.0, 0.1, 5.0).friction(friction),
    );
    let material = SoftBodyMaterial {
        young_modulus: 2e5,
        poisson_ratio: 0.3,
        elastic_damping_ratio: 0.5,
        ..Default::default()
    };
    let block = SoftBodyBuilder::cuboid(Vector::new(0.0, 0.102, 0.0), Vector::splat(0.1), 6, 6, 6)
        .cell_model(SoftBodyCellModel::Corotational)
        .material(material)
        .solver(solver)
        .surface_collider(ColliderBuilder::ball(0.01).friction(friction))
        .mass(8.0)
        .self_contacts(false)
        .can_sleep(false);
    let block = world.insert_soft_body(block);
    let speed = |world: &PhysicsWorld| {
        let particles = world.soft_bodies[block].particles();
        particles.iter().map(|p| p.velocity().x).sum::<f32>() / particles.len() as f32
    };

    let start = cpu_time();
    for _ in 0..STEPS / 2 {
        world.step();
    }
    let middle = speed(&world);
    for _ in 0..STEPS / 2 {
        world.step();
    }
    let cpu = (cpu_time() - start).as_secs_f64();
    let acceleration = (speed(&world) - middle) / (TIME_STEP * (STEPS / 2) as f32);
    println!(
        r#"{{"speed": {}, "acceleration": {acceleration}, "cpu": {cpu}}}"#,
        speed(&world)
    );
}

/// What this thread has computed so far, from the scheduler of Linux.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number"))
}

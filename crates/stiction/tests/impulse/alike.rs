//! How a scene is turned, and in which order its bodies are listed, does not matter to what deforms.

use nalgebra::UnitQuaternion;
use stiction::body::{Body, BodyId, Obstacle, Solid};
use stiction::contact::Friction;
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::{Scene, Simulation};
use stiction_check::scenes::turned;

use crate::common::{farthest, simulation};

/// A soft block that falls on another one, which falls on the ground; bodies in this order.
fn falling(order: [usize; 3], speed: f64) -> (Scene, [BodyId; 2]) {
    let soft = Material::RUBBER.with_youngs_modulus(3e5).expect("valid");
    let soft = soft.with_poissons_ratio(0.4).expect("valid").with_density(1e3).expect("valid");
    let soft = soft.with_damping(Damping { mass: 0.0, stiffness: 2e-3 }).expect("valid");
    let block = |size, cells| Solid::cuboid(size, cells).expect("valid").material(soft);
    let lower = block([0.2, 0.1, 0.2], [4, 2, 4]).at([0.0, 0.06, 0.0]);
    let upper = block([0.1; 3], [3; 3]).turned([0.0, 1.0, 0.0], 0.3).at([0.02, 0.18, 0.01]);
    let bodies: [Body; 3] = [
        lower.velocity([0.5, -speed, 0.1]).into(),
        upper.velocity([0.0, -speed, 0.0]).into(),
        Obstacle::plane([0.0, 1.0, 0.0], 0.0).into(),
    ];
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(0.3);
    let mut ids = [None; 3];
    for k in order {
        ids[k] = Some(scene.add(bodies[k].clone()));
    }
    let [lower, upper, _] = ids.map(|id| id.expect("all were added"));
    (scene, [lower, upper])
}

/// The largest distance between two runs, of which the second is turned.
fn apart(
    a: (&Simulation, [BodyId; 2]),
    b: (&Simulation, [BodyId; 2]),
    rotation: &UnitQuaternion<f64>,
) -> f64 {
    let of = |k: usize| {
        let straight: Vec<Vector3> = a.0.positions(a.1[k]).iter().map(|x| rotation * x).collect();
        farthest(&straight, &b.0.positions(b.1[k]))
    };
    of(0).max(of(1))
}

/// Linearised once, and with overlaps moved apart to a quarter of what may stay, they were up to 1e-4 m apart; normals
/// of edges that both lean made 1e-7 m.
#[test]
fn soft_blocks_that_collide_move_alike_in_any_order_and_direction() {
    let straight = UnitQuaternion::identity();
    let rotation = UnitQuaternion::new(Vector3::new(0.3, -0.8, 0.5));
    for speed in [0.0, 2.0] {
        let (scene, ids) = falling([0, 1, 2], speed);
        let (other, other_ids) = falling([2, 1, 0], speed);
        let start = |scene: &Scene| simulation(scene, 0.01, 1e-10);
        let (mut one, mut listed) = (start(&scene), start(&other));
        let mut leaning = start(&turned(&scene, &rotation));
        for step in 0..40 {
            for simulation in [&mut one, &mut listed, &mut leaning] {
                let report = simulation.step();
                assert!(report.converged(), "{speed} m/s, {step}: {report:?}");
            }
            let by_order = apart((&one, ids), (&listed, other_ids), &straight);
            assert!(by_order < 1e-8, "{speed} m/s, {step}: another order, {by_order:e} m");
            let by_rotation = apart((&one, ids), (&leaning, ids), &rotation);
            assert!(by_rotation < 1e-8, "{speed} m/s, {step}: turned, {by_rotation:e} m");
        }
        assert!(one.contacts().len() > 20, "{} contacts", one.contacts().len());
    }
}

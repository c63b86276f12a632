//! Bodies that touch at the start, moved apart.

use stiction::body::{BodyId, End, Joint, Obstacle, Rigid, Shape, Solid};
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::barrier::{BarrierSettings, make_room};
use stiction::{Scene, Settings, Simulation};

const ROOM: f64 = 2e-4;

fn cube(size: f64) -> Rigid {
    let shape = Shape::Box { size: Vector3::repeat(size), rounding: 0.0 };
    Rigid::shape(&shape, 1).expect("a box")
}

fn starts(scene: &Scene) -> bool {
    let settings = Settings { method: BarrierSettings::default().into(), ..Default::default() };
    Simulation::with_settings(scene, settings).is_ok()
}

/// Moves of bodies against what is predicted; the scene starts after it, and not before.
fn check(mut scene: Scene, expected: &[(BodyId, [f64; 3])]) {
    assert!(!starts(&scene), "it touches");
    let moves = make_room(&mut scene, ROOM).expect("there is room");
    assert_eq!(moves.len(), expected.len(), "{moves:?}");
    for ((id, offset), (body, wanted)) in moves.iter().zip(expected) {
        let error = (offset - Vector3::from(*wanted)).norm();
        assert!(id == body && error < 1e-3 * ROOM, "{id:?} by {offset:?}, not {wanted:?}");
    }
    assert!(starts(&scene), "it still touches");
    assert!(make_room(&mut scene, ROOM).expect("there is room").is_empty(), "once is enough");
}

/// Predicted: each box of a stack goes up by one gap more than the one below it.
#[test]
fn stacks_of_boxes_are_lifted() {
    for soft in [false, true] {
        for sizes in [[0.1, 0.1, 0.1], [0.1, 0.09, 0.1]] {
            let (mut scene, mut top) = (Scene::new(), 0.0);
            scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
            let mut expected = Vec::new();
            for (k, size) in sizes.into_iter().enumerate() {
                let at = [0.0, top + 0.5 * size, 0.0];
                let block = || Solid::cuboid([size; 3], [2, 2, 2]).expect("valid");
                let id = match soft {
                    true => scene.add(block().material(Material::RUBBER).at(at)),
                    false => scene.add(cube(size).at(at)),
                };
                top += size;
                expected.push((id, [0.0, ROOM * (k + 1) as f64, 0.0]));
            }
            check(scene, &expected);
        }
    }
}

/// Predicted: two equal boxes side by side share the way, unless one of them is held; a slight overlap counts.
#[test]
fn neighbours_share_the_way() {
    for (held, shares) in [(false, [-0.5, 0.5]), (true, [0.0, 1.0])] {
        let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
        let block = Solid::cuboid([0.1; 3], [2, 2, 2]).expect("valid").material(Material::RUBBER);
        let a = scene.add(block);
        let b = scene.add(cube(0.1).at([0.09999, 0.02, 0.01]));
        if held {
            scene.pin(a, Selection::Tag("x-min".into()));
        }
        let missing = ROOM + 1e-5;
        let each = [a, b].into_iter().zip(shares).filter(|(_, share)| *share != 0.0);
        let expected: Vec<_> = each.map(|(id, share)| (id, [share * missing, 0.0, 0.0])).collect();
        check(scene, &expected);
    }
}

/// Predicted: what is joined goes together, and so does the joint.
#[test]
fn joints_go_along() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let low = scene.add(cube(0.1).at([0.0, 0.05, 0.0]));
    let high = scene.add(cube(0.1).at([0.0, 0.2, 0.0]));
    scene.joint(Joint::hinge(End::Body(low), high, [0.0, 0.125, 0.0], [0.0, 0.0, 1.0]));
    make_room(&mut scene, ROOM).expect("there is room");
    assert!((scene.joints[0].at.y - 0.125 - ROOM).abs() < 1e-9, "{}", scene.joints[0].at.y);
    assert!(starts(&scene));
}

/// A body deep inside another, and one wedged between others that are held: refused with their names.
#[test]
fn what_has_no_way_out_is_refused() {
    let mut scene = Scene::new();
    scene.add(cube(0.1));
    scene.add(cube(0.1).at([0.05, 0.02, 0.01]));
    let error = make_room(&mut scene, ROOM).expect_err("deep").to_string();
    assert!(error.contains("deep inside") && error.contains("by hand"), "{error}");

    let mut scene = Scene::new();
    for side in [-1.0, 1.0] {
        let shape = Shape::Box { size: Vector3::new(0.1, 0.3, 0.3), rounding: 0.0 };
        scene.add(Obstacle::new(shape).at([0.1 * side, 0.0, 0.0]));
    }
    scene.add(cube(0.1));
    let error = make_room(&mut scene, ROOM).expect_err("wedged").to_string();
    assert!(error.contains("no room"), "{error}");
    let error = make_room(&mut scene, -1.0).expect_err("no distance").to_string();
    assert!(error.contains("above zero"), "{error}");
}

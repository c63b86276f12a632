//! What a scene or its settings say is done, or refused; nothing is ignored in silence.

use stiction::body::{Cloth, Rigid};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::mesh::{Selection, TriMesh};
use stiction::{Scene, Settings};
use stiction_check::scenes::{ball, block, contact_force, flat_sheet, floor, lowest, mesh_block};

use crate::harness::{Run, Verdict, claims, holds, near, within};
use crate::methods::{Method, start};

claims!(
    "silent": a_thickness_is_kept, a_fracture_length_holds_on,
    a_body_touches_itself_if_told_so,
    cloth_lies_on_cloth, halving_is_told
);

/// A layer of 2 cm: what is let down slowly is pushed before it is 1 cm away.
fn a_thickness_is_kept(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let body = scene.add(block([0.1; 3]).at([0.0, 0.08, 0.0]));
    scene.contact(body, floor).thickness = Some(0.02);
    let run = Run::new(method, scene, body, 5e-3)?.to(0.6)?;
    within("gap at rest", lowest(&run.simulation.positions(body)), 2e-3, 0.02 + 1e-6)?;
    within("force", contact_force(&run.simulation, body, None).y, 9.0, 11.0)
}

/// A cube that was pressed to a ceiling hangs there.
fn a_fracture_length_holds_on(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let floor = scene.add(floor());
    let cube: Rigid = mesh_block([0.1; 3], [2; 3]);
    let body = scene.add(cube.at([0.0, 0.051, 0.0]).velocity([0.0, -0.05, 0.0]));
    let rule = scene.contact(body, floor);
    rule.friction = Friction::NONE;
    (rule.thickness, rule.stiffness, rule.fracture) = (Some(4e-3), Some(2e4), Some(0.02));
    let run = Run::new(method, scene, body, 1e-3)?;
    // It is slow: what came near is held until it is 2 cm away, which it never is.
    let mut run = run.to(0.05)?;
    let mut least = 0.0_f64;
    for _ in 0..200 {
        let until = run.simulation.time() + 1e-3;
        crate::harness::run(&mut run.simulation, until)?;
        let contacts = run.simulation.contacts();
        least = contacts.iter().map(|contact| contact.normal_force).fold(least, f64::min);
    }
    within("a force that pulls", least, f64::NEG_INFINITY, -1e-3)
}

/// One body of two sheets: the upper one falls on the lower one, which is held.
fn a_body_touches_itself_if_told_so(method: &Method) -> Verdict {
    let corner = |x: f64, y: f64, z: f64| Vector3::new(x, y, z);
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for (size, height) in [(0.4, 0.0), (0.2, 0.02)] {
        let first = vertices.len() as u32;
        for i in 0..5 {
            for j in 0..5 {
                let place = |k: i32| size * (f64::from(k) / 4.0 - 0.5);
                vertices.push(corner(place(i), height, place(j)));
            }
        }
        for i in 0..4 {
            for j in 0..4 {
                let at = |i: u32, j: u32| first + 5 * i + j;
                triangles.push([at(i, j), at(i, j + 1), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
            }
        }
    }
    let mesh = TriMesh::new(vertices, triangles).expect("two sheets");
    let mut scene = Scene::new();
    let both = scene.add(Cloth::new(mesh));
    scene.pin(both, Selection::Ids((0..25).collect()));
    scene.contact(both, both);
    let run = Run::new(method, scene, both, 5e-3)?.to(0.3)?;
    let upper = lowest(&run.simulation.positions(both)[25..]);
    within("the upper sheet", upper, -5e-3, 0.02)
}

/// A sheet falls flat on another one that is held.
fn cloth_lies_on_cloth(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let held = scene.add(flat_sheet([0.4; 2], [4; 2]));
    scene.pin(held, Selection::All);
    let free = scene.add(flat_sheet([0.2; 2], [3; 2]).at([0.013, 0.01, 0.017]));
    let run = Run::new(method, scene, free, 5e-3)?.to(0.5)?;
    within("lowest point", lowest(&run.simulation.positions(free)), -3e-3, 8e-3)?;
    let weight = run.mass() * 9.81;
    near("force", contact_force(&run.simulation, free, Some(held)).y, weight, 0.05 * weight)
}

/// A step that ends short of its tolerance says so.
fn halving_is_told(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    scene.add(floor());
    scene.add(ball(0.1).at([0.0, 0.11, 0.0]).velocity([3.0, -8.0, 0.0]).spin([0.0, 3.0, 40.0]));
    let settings = Settings { max_halvings: 31, ..method.settings(0.01) };
    let refused = start(&scene, settings).is_err();
    holds("31 halvings make sense", refused)?;
    let mut simulation = method.start(&scene, 0.05)?;
    for _ in 0..10 {
        let report = simulation.step();
        let stages = report.stages.len();
        holds("attempts are not counted", stages >= report.sub_steps && report.sub_steps > 0)?;
        holds("time stands still", (simulation.time() - report.time).abs() < 1e-12)?;
    }
    Ok(())
}

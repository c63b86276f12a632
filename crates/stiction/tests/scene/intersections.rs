//! Bodies that pass through each other or themselves are counted, whatever moves them.

use stiction::body::{BodyId, Cloth, Motion, Obstacle, Rigid, Shape, Solid};
use stiction::geometry::intersection::{Meeting, meeting_of};
use stiction::math::Vector3;
use stiction::measure::{Probe, ProbeError, Quantity};
use stiction::mesh::{Selection, TriSoup};
use stiction::method::impulse::ImpulseSettings;
use stiction::{Scene, Settings, Simulation};

/// Contacts off, by either method.
fn methods() -> [Settings; 2] {
    let mut smooth = Settings { time_step: 0.01, ..Settings::default() };
    smooth.smooth().solver.contact.enabled = false;
    [smooth, Settings { method: ImpulseSettings::default().into(), ..smooth }]
}

fn weightless() -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    scene
}

/// A cube off the diagonals of a wide sheet of two triangles, which comes down on it along `z`.
fn sheet_and_cube(speed: f64) -> (Scene, BodyId, BodyId) {
    let mut scene = weightless();
    let sheet = Cloth::sheet([8.0, 8.0], [1, 1]).unwrap().named("sheet");
    let sheet = scene.add(sheet.at([0.0, 0.0, 0.695]).velocity([0.0, 0.0, -speed]));
    let cube = Solid::cuboid([1.0; 3], [1; 3]).unwrap().named("cube").at([2.5, 0.0, 0.0]);
    let cube = scene.add(cube);
    (scene, sheet, cube)
}

#[test]
fn a_sheet_that_passes_through_a_cube_crosses_its_eight_sides() {
    let (scene, sheet, cube) = sheet_and_cube(10.0);
    let mut simulation = Simulation::with_settings(&scene, methods()[0]).unwrap();
    // Above until 0.02 s, below from 0.12 s on.
    for step in 0..=15 {
        let found = simulation.intersections();
        let inside = (2..=11).contains(&step);
        let expected = if inside { vec![(sheet, cube, 8)] } else { Vec::new() };
        assert_eq!(found.pairs, expected, "step {step}");
        assert_eq!(
            (found.total(), found.worst()),
            (8 * usize::from(inside), expected.first().copied())
        );
        assert!(simulation.step().converged());
    }
}

#[test]
fn counts_are_those_of_testing_all_pairs() {
    for settings in methods() {
        let mut scene = weightless();
        let sheet = |z: f64| Cloth::sheet([1.0, 1.0], [7, 6]).unwrap().at([0.0, 0.0, z]);
        let bodies = [
            scene.add(sheet(0.05).turned([1.0, 2.0, 3.0], 0.7)),
            scene.add(sheet(-0.03).turned([3.0, 1.0, -1.0], 2.0)),
            scene.add(
                Solid::cuboid([0.4, 0.3, 0.5], [3, 2, 3]).unwrap().turned([1.0, 1.0, 0.0], 0.3),
            ),
            scene.add(
                Rigid::shape(&Shape::Box { size: Vector3::repeat(0.6), rounding: 0.0 }, 12)
                    .unwrap(),
            ),
        ];
        let simulation = Simulation::with_settings(&scene, settings).unwrap();
        let mut surfaces = Vec::new();
        for (&body, given) in bodies.iter().zip(&scene.bodies) {
            let triangles: Vec<[u32; 3]> = match given {
                stiction::body::Body::Solid(solid) => {
                    let boundary = solid.mesh.boundary();
                    let faces = boundary.surface.triangles().iter();
                    faces.map(|face| face.map(|v| boundary.vertices[v as usize])).collect()
                }
                stiction::body::Body::Cloth(cloth) => cloth.mesh.triangles().to_vec(),
                stiction::body::Body::Rigid(rigid) => rigid.mesh.triangles().to_vec(),
                stiction::body::Body::Obstacle(_) => unreachable!("there is none"),
            };
            surfaces.push((body, simulation.positions(body), triangles));
        }
        let mut expected = Vec::new();
        for (i, (a, x, of_a)) in surfaces.iter().enumerate() {
            for (b, y, of_b) in &surfaces[i + 1..] {
                let points = [&x[..], &y[..]].concat();
                let shifted = |t: &[u32; 3]| t.map(|v| v + x.len() as u32);
                let crossing = |t: &[u32; 3], u: &[u32; 3]| {
                    meeting_of(&points, *t, shifted(u)) == Some(Meeting::Crossing)
                };
                let count =
                    of_a.iter().map(|t| of_b.iter().filter(|u| crossing(t, u)).count()).sum();
                if count > 0 {
                    expected.push((*a, *b, count));
                }
            }
        }
        assert_eq!(expected.len(), 6, "all of them cross");
        assert_eq!(simulation.intersections().pairs, expected);
    }
}

#[test]
fn a_cloth_that_passes_through_itself_is_counted_once_a_pair() {
    // A strip of four triangles, bent so that its last one pierces its first.
    let at = |x: f64, y: f64, z: f64| Vector3::new(x, y, z);
    let flat = vec![
        at(0.0, 0.0, 0.0),
        at(0.0, 1.0, 0.0),
        at(1.0, 0.0, 0.0),
        at(1.0, 1.0, 0.0),
        at(2.0, 0.0, 0.0),
        at(2.0, 1.0, 0.0),
    ];
    let triangles = vec![[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]];
    let mut bent = flat.clone();
    (bent[4], bent[5]) = (at(1.5, 0.3, 1.0), at(0.2, 0.3, -0.5));
    for settings in methods() {
        for (start, count) in [(flat.clone(), 0), (bent.clone(), 1)] {
            let mut scene = weightless();
            let mesh = TriSoup::new(flat.clone(), triangles.clone()).build_cloth().unwrap();
            let cloth = scene.add(Cloth::new(mesh).starting_at(start.clone()));
            let simulation = Simulation::with_settings(&scene, settings).unwrap();
            let mut all = 0;
            for (k, a) in triangles.iter().enumerate() {
                let crossing =
                    |b: &&[u32; 3]| meeting_of(&start, *a, **b) == Some(Meeting::Crossing);
                all += triangles[k + 1..].iter().filter(crossing).count();
            }
            assert!((count == 0) == (all == 0), "{all}");
            let found = simulation.intersections();
            assert_eq!(found.total(), all);
            assert_eq!(found.of(cloth, Some(cloth)), all);
        }
    }
}

#[test]
fn round_shapes_planes_and_what_cannot_change_do_not_count() {
    let shape = |radius: f64| Shape::Sphere { radius };
    let sharp = || Shape::Box { size: Vector3::repeat(1.0), rounding: 0.0 };
    let rounded = || Shape::Box { size: Vector3::repeat(1.0), rounding: 0.1 };
    let mesh = || stiction::geometry::shape::Convex::cuboid([0.9; 3]).surface(12).unwrap();
    let mut scene = weightless();
    // All in one place, each a little turned.
    let boxed = scene.add(Rigid::shape(&sharp(), 12).unwrap());
    let solid = scene.add(Solid::cuboid([0.8; 3], [1; 3]).unwrap().turned([1.0, 2.0, 3.0], 0.5));
    let joined = [0.0, 0.3].map(|x| Rigid::shape(&sharp(), 12).unwrap().at([x, 0.1, 0.2]));
    let joined = scene.add(Rigid::joined(&joined).unwrap());
    let ball = scene.add(Rigid::shape(&shape(0.6), 12).unwrap());
    let soft_box = scene.add(Rigid::shape(&rounded(), 12).unwrap());
    let floor = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let round = scene.add(Obstacle::new(shape(0.55)));
    let stone = scene.add(Obstacle::new(Shape::Mesh(mesh())).at([0.2, 0.1, 0.0]));
    let block = scene.add(Obstacle::new(sharp()).at([0.1, 0.2, 0.3]));
    let simulation = Simulation::with_settings(&scene, methods()[0]).unwrap();
    let looked_at = [boxed, solid, joined, stone, block];
    for body in scene.ids() {
        assert_eq!(simulation.has_intersections(body), looked_at.contains(&body), "{body:?}");
    }
    let pairs: Vec<(BodyId, BodyId)> =
        simulation.intersections().pairs.iter().map(|&(a, b, _)| (a, b)).collect();
    let expected = [
        (boxed, solid),
        (boxed, joined),
        (boxed, stone),
        (boxed, block),
        (solid, joined),
        (solid, stone),
        (solid, block),
        (joined, stone),
        (joined, block),
    ];
    assert_eq!(pairs, expected, "not {ball:?}, {soft_box:?}, {floor:?}, {round:?}");
}

#[test]
fn obstacles_count_where_they_have_moved_to() {
    let mut scene = weightless();
    let cube = scene.add(Solid::cuboid([1.0; 3], [1; 3]).unwrap());
    let mesh = stiction::geometry::shape::Convex::cuboid([0.1, 0.1, 0.1]).surface(12).unwrap();
    let stone = Obstacle::new(Shape::Mesh(mesh)).at([2.0, 0.2, 0.1]);
    let stone = scene.add(stone.motion(Motion::Velocity(Vector3::new(-50.0, 0.0, 0.0))));
    let mut simulation = Simulation::with_settings(&scene, methods()[0]).unwrap();
    for step in 0..=3 {
        // At 2, 1.5, 1 and 0.5, where it goes through a face.
        let pairs = simulation.intersections().pairs;
        assert_eq!(pairs.is_empty(), step < 3, "step {step}: {pairs:?}");
        assert!(pairs.iter().all(|&(a, b, _)| (a, b) == (cube, stone)));
        simulation.step();
    }
}

#[test]
fn probes_count_for_the_scene_a_body_or_two() {
    let (mut scene, sheet, cube) = sheet_and_cube(60.0);
    let far = scene.add(Cloth::sheet([1.0, 1.0], [1, 1]).unwrap().at([50.0, 0.0, 0.0]));
    let ball = scene.add(Rigid::shape(&Shape::Sphere { radius: 0.1 }, 12).unwrap().at([9.0; 3]));
    let mut simulation = Simulation::with_settings(&scene, methods()[0]).unwrap();
    let of = |body| Probe::new(Quantity::Intersections).of(body, Selection::All);
    let probes = [
        (Probe::new(Quantity::Intersections), 8.0),
        (of(sheet), 8.0),
        (of(cube).against(sheet), 8.0),
        (of(sheet).against(sheet), 0.0),
        (of(far), 0.0),
        (of(sheet).against(far), 0.0),
    ];
    let probes = probes.map(|(probe, count)| (probe.prepare(&scene, &simulation).unwrap(), count));
    assert!(
        probes.iter().all(|(probe, _)| probe.measure(&simulation) < 1e-9 && probe.unit() == "1")
    );
    simulation.step();
    for (k, (probe, count)) in probes.iter().enumerate() {
        assert!((probe.measure(&simulation) - count).abs() < 1e-9, "probe {k}");
    }
    let refused = |probe: Probe| probe.prepare(&scene, &simulation).unwrap_err();
    assert!(matches!(refused(of(ball)), ProbeError::WrongBody { .. }));
    assert!(matches!(refused(of(sheet).against(ball)), ProbeError::WrongBody { .. }));
    let some = Probe::new(Quantity::Intersections).of(sheet, Selection::Tag("left".into()));
    assert!(matches!(refused(some), ProbeError::Unused { part: "where", .. }));
    let nobody = Probe::new(Quantity::Intersections).against(cube);
    assert!(matches!(refused(nobody), ProbeError::Missing { part: "body", .. }));
}

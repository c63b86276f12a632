//! Bars bend, hang, stretch and twist as closed forms say.

use stiction::body::{Keyframe, Motion, Solid};
use stiction::material::{Material, SolidLaw};
use stiction::math::Vector3;
use stiction::mesh::generate::{CuboidSplit, cuboid, cylinder};
use stiction::mesh::{Selection, TetMesh};
use stiction::method::smooth::{SmoothSettings, SolverSettings};
use stiction::{Scene, Settings, Simulation};
use stiction_check::analytic::{
    Beam, Uniaxial, torsion_constant_circle, torsion_constant_rectangle,
};

fn settled(scene: &Scene, tolerance: f64) -> Simulation {
    let solver = SolverSettings { tolerance, ..Default::default() };
    let settings = Settings {
        method: SmoothSettings { solver, ..Default::default() }.into(),
        ..Default::default()
    };
    let mut simulation = Simulation::with_settings(scene, settings).unwrap();
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{report:?}");
    simulation
}

fn still() -> Scene {
    Scene { gravity: Vector3::zeros(), ..Scene::new() }
}

fn tag(name: &str) -> Selection {
    Selection::Tag(name.into())
}

fn linear(youngs_modulus: f64, poissons_ratio: f64) -> Material {
    let material = Material::new(youngs_modulus, poissons_ratio, 1000.0).unwrap();
    material.with_law(SolidLaw::Linear).unwrap()
}

/// Mean displacement of a flat side of a box, weighted by area [m].
fn mean_displacement(mesh: &TetMesh, x: &[Vector3], side: &str) -> Vector3 {
    let selected = tag(side).vertices(mesh).unwrap();
    let boundary = mesh.boundary();
    let (mut sum, mut total) = (Vector3::zeros(), 0.0);
    for (face, area) in boundary.surface.triangles().iter().zip(boundary.surface.areas()) {
        let face = face.map(|v| boundary.vertices[v as usize]);
        if face.iter().all(|v| selected.binary_search(v).is_ok()) {
            let moved = face.map(|v| x[v as usize] - mesh.vertices()[v as usize]);
            sum += (moved[0] + moved[1] + moved[2]) * (area / 3.0);
            total += area;
        }
    }
    sum / total
}

const BEAM: Beam =
    Beam { length: 1.0, width: 0.1, height: 0.1, youngs_modulus: 1e6, poissons_ratio: 0.0 };

/// Tip deflection of a cantilever with `n` cells through its height, as a part of beam theory [-].
fn cantilever(n: usize, nu: f64, material: Material, own_weight: bool) -> f64 {
    let mesh =
        cuboid([BEAM.length, BEAM.height, BEAM.width], [10 * n, n, n], CuboidSplit::Five).unwrap();
    let beam = Beam { poissons_ratio: nu, ..BEAM };
    // Soft enough to be measured, stiff enough to be small: a deflection of L/1000.
    let force = 1e-3 * beam.length / beam.end_load_timoshenko(1.0);
    let mut scene = still();
    let body = scene.add(Solid::new(mesh.clone()).material(material));
    scene.pin(body, tag("x-min"));
    let expected = if own_weight {
        scene.gravity = Vector3::new(0.0, -force / (material.density() * beam.area()), 0.0);
        beam.uniform_load_timoshenko(force)
    } else {
        let traction = Vector3::new(0.0, -force / beam.area(), 0.0);
        scene.load(body, tag("x-max"), stiction::body::LoadKind::Traction(traction));
        beam.end_load_timoshenko(force)
    };
    let simulation = settled(&scene, 1e-8);
    -mean_displacement(&mesh, &simulation.positions(body), "x-max").y / expected
}

/// Linear tets are too stiff in bending, so deflections rise towards theory as the mesh is refined, with the
/// square of the edge length; measured, as a part of Timoshenko's deflection:
///
/// | cells through the height | end load, ν = 0 | own weight, ν = 0 | end load, ν = 0.3 |
/// |---|---|---|---|
/// | 1 | 0.324 | 0.324 | 0.354 |
/// | 2 | 0.642 | 0.642 | 0.672 |
/// | 4 | 0.877 | 0.877 | 0.886 |
/// | 8 | 0.966 | 0.966 | 0.963 |
/// | extrapolated from 4 and 8 | 0.99995 | 0.99993 | 0.992 |
///
/// With `ν = 0.3` the clamp keeps the root from widening, which the theory leaves out.
#[test]
fn cantilevers_approach_beam_theory_from_below() {
    for (nu, own_weight, tolerance) in [(0.0, false, 1e-3), (0.0, true, 1e-3), (0.3, false, 0.02)] {
        let part = |n: usize| cantilever(n, nu, linear(1e6, nu), own_weight);
        let parts = [1, 2, 4, 8].map(part);
        assert!(parts.is_sorted() && parts[3] < 1.0, "ν = {nu}: {parts:?}");
        let [.., middle, fine] = parts;
        assert!((1.0 - fine) < 0.35 * (1.0 - middle), "ν = {nu}: {parts:?}");
        // It is the stiffness, not the deflection, that is too large by a multiple of the edge squared.
        let extrapolated = 1.0 / (1.0 / fine + (1.0 / fine - 1.0 / middle) / 3.0);
        assert!((extrapolated - 1.0).abs() < tolerance, "ν = {nu}: {extrapolated}");
    }
}

/// A small deflection is the same for all laws.
#[test]
fn all_laws_bend_alike_where_deflections_are_small() {
    let reference = cantilever(2, 0.3, linear(1e6, 0.3), false);
    for (name, law) in SolidLaw::NAMES {
        let material = linear(1e6, 0.3).with_law(law).unwrap();
        let part = cantilever(2, 0.3, material, false);
        assert!((part / reference - 1.0).abs() < 1e-4, "{name}: {part}, not {reference}");
    }
}

/// With `ν = 0` the mean displacement of every section of a linear bar is exact, whatever the mesh: sections
/// that move as wholes are among the virtual displacements.
#[test]
fn a_hanging_bar_is_longer_by_the_closed_form() {
    let (gravity, n) = (9.81, [2, 5, 2]);
    let bar = Beam { length: 2.0, width: 0.2, height: 0.2, ..BEAM };
    for split in [CuboidSplit::Kuhn, CuboidSplit::MirroredKuhn, CuboidSplit::Five] {
        let mesh = cuboid([bar.width, bar.length, bar.height], n, split).unwrap();
        let mut scene = Scene::new();
        let body = scene.add(Solid::new(mesh.clone()).material(linear(1e6, 0.0)));
        scene.pin(body, tag("y-max"));
        let simulation = settled(&scene, 1e-9);
        let moved = mean_displacement(&mesh, &simulation.positions(body), "y-min");
        let expected = bar.hanging_elongation(1000.0, gravity);
        assert!((moved.y / -expected - 1.0).abs() < 1e-10, "{split:?}: {} {expected}", moved.y);
    }
}

/// Three planes of symmetry hold a bar, its end is pulled: one stretch along, one across, to all digits.
#[test]
fn bars_of_every_law_stretch_as_the_closed_form() {
    let size = [0.4, 0.1, 0.1];
    let mesh = cuboid(size, [4, 1, 1], CuboidSplit::Kuhn).unwrap();
    let origin = Vector3::new(-0.2, -0.05, -0.05);
    for (name, law) in SolidLaw::NAMES {
        let material = Material::new(1e6, 0.3, 1000.0).unwrap().with_law(law).unwrap();
        for stretch in [0.8, 1.3, 1.6] {
            let start = mesh.vertices().iter();
            let start = start.map(|x| {
                let arm = x - origin;
                origin + Vector3::new(stretch * arm.x, arm.y, arm.z)
            });
            let mut scene = still();
            let body = Solid::new(mesh.clone()).material(material).starting_at(start.collect());
            let body = scene.add(body);
            scene.pin(body, tag("x-min").or(tag("x-max"))).axes([true, false, false]);
            scene.pin(body, tag("y-min")).axes([false, true, false]);
            scene.pin(body, tag("z-min")).axes([false, false, true]);
            let simulation = settled(&scene, 1e-8);
            let expected = Uniaxial::solid(law, material.lame(), stretch);
            for (x, rest) in simulation.positions(body).iter().zip(mesh.vertices()) {
                let b = expected.lateral_stretch;
                let image = origin + (rest - origin).component_mul(&Vector3::new(stretch, b, b));
                let off = (x - image).norm();
                assert!(off < 1e-8 * size[0], "{name} at {stretch}: off by {off:e} m");
            }
            let pull: f64 = tag("x-max")
                .vertices(&mesh)
                .unwrap()
                .iter()
                .map(|&v| simulation.reactions(body)[v as usize].x)
                .sum();
            let stress = pull / (size[1] * size[2]);
            let off = (stress / expected.nominal_stress - 1.0).abs();
            assert!(off < 1e-8, "{name} at {stretch}: stress off by {off:e}");
        }
    }
}

/// Torque per angle of a bar along an axis, ends turned in their planes and free to warp, as a part of
/// Saint-Venant's [-].
fn twisted(mesh: &TetMesh, axis: usize, ends: [&str; 2], length: f64, constant: f64) -> f64 {
    let (material, angle) = (linear(1e6, 0.3), 1e-3);
    let mut scene = still();
    let body = scene.add(Solid::new(mesh.clone()).material(material));
    let along = Vector3::from_fn(|k, _| if k == axis { 1.0 } else { 0.0 });
    let mut in_plane = [true; 3];
    in_plane[axis] = false;
    for (end, angle) in ends.into_iter().zip([0.0, angle]) {
        let frame = Keyframe { rotation: along * angle, ..Default::default() };
        let motion = Motion::Keyframes {
            frames: vec![frame],
            center: Vector3::zeros(),
            interpolation: Default::default(),
        };
        scene.pin(body, tag(end)).axes(in_plane).motion(motion);
    }
    let mut along_only = [false; 3];
    along_only[axis] = true;
    scene.pin(body, Selection::Ids(vec![0])).axes(along_only);
    let simulation = settled(&scene, 1e-8);
    let (x, f) = (simulation.positions(body), simulation.reactions(body));
    let held = tag(ends[1]).vertices(mesh).unwrap();
    let torque: f64 = held.iter().map(|&v| x[v as usize].cross(&f[v as usize]).dot(&along)).sum();
    torque / (material.lame().mu * constant * angle / length)
}

/// Displacements that do not bend with the section make bars too stiff; the excess falls with the square of
/// the edge length. Measured, as a part of Saint-Venant's torque:
///
/// | cells through the thickness | rectangle 2 : 1 | | cells through the radius | circle |
/// |---|---|---|---|---|
/// | 3 | 1.365 | | 3 | 1.167 |
/// | 6 | 1.095 | | 6 | 1.046 |
/// | extrapolated | 1.006 | | extrapolated | 1.005 |
#[test]
fn bars_twist_as_saint_venant_says() {
    let rectangle = |n: usize| {
        let size = [0.6, 0.3, 0.15];
        let mesh = cuboid(size, [4 * n, 2 * n, n], CuboidSplit::Five).unwrap();
        let constant = torsion_constant_rectangle(size[1], size[2]);
        twisted(&mesh, 0, ["x-min", "x-max"], size[0], constant)
    };
    let circle = |n: usize| {
        let mesh = cylinder(0.1, 0.4, 0.1 / n as f64).unwrap();
        twisted(&mesh, 2, ["bottom", "top"], 0.4, torsion_constant_circle(0.1))
    };
    for [coarse, fine] in [[3, 6].map(rectangle), [3, 6].map(circle)] {
        assert!(fine > 1.0 && fine - 1.0 < 0.35 * (coarse - 1.0), "{coarse} {fine}");
        let extrapolated = fine + (fine - coarse) / 3.0;
        assert!((extrapolated - 1.0).abs() < 0.01, "{coarse} {fine} {extrapolated}");
    }
}

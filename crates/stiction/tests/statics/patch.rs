//! Patch tests: where the boundary is moved affinely, everything inside follows, whatever the mesh and law.
#![expect(non_snake_case, reason = "F, P as in the literature")]

use stiction::body::{Cloth, Keyframe, Motion, Solid};
use stiction::energy::{ElasticDensity, MembraneDensity};
use stiction::material::{Fabric, Material, SolidLaw, Stretch};
use stiction::math::{Matrix3, Matrix3x2, Vector3};
use stiction::mesh::generate::{CuboidSplit, cuboid, unstructured_sheet};
use stiction::mesh::{Selection, TetMesh, TriMesh};
use stiction::method::smooth::{SmoothSettings, SolverSettings};
use stiction::{Scene, Settings, Simulation};
use stiction_check::shapes::{farthest, interior, jittered, noise};

/// Tight: residuals are accelerations, and `1e-8 m/s²` moves these bodies by less than `1e-13 m`.
fn settings() -> Settings {
    let solver = SolverSettings { tolerance: 1e-8, ..Default::default() };
    let method = SmoothSettings { solver, ..Default::default() }.into();
    Settings { method, ..Default::default() }
}

fn still() -> Scene {
    Scene { gravity: Vector3::zeros(), ..Scene::new() }
}

/// A box whose 27 inner vertices stand anywhere.
fn block() -> TetMesh {
    let mesh = cuboid([0.4, 0.4, 0.4], [4, 4, 4], CuboidSplit::Five).unwrap();
    jittered(mesh, Vector3::repeat(0.02), 7).build().unwrap()
}

/// Where an affine map puts vertices, with those inside misplaced by up to `amount` [m].
fn misplaced(image: &[Vector3], inside: &[u32], F: &Matrix3, amount: f64) -> Vec<Vector3> {
    let mut start = image.to_vec();
    for &v in inside {
        start[v as usize] += F * noise(11, v as usize) * amount;
    }
    start
}

/// Stretch, squeeze, shear and, where the law allows, rotation.
fn gradients() -> [Matrix3; 3] {
    let turn = nalgebra::Rotation3::new(Vector3::new(0.4, -0.9, 0.3)).into_inner();
    let stretch = Matrix3::new(1.2, 0.1, 0.0, 0.1, 0.9, 0.05, 0.0, 0.05, 1.1);
    let shear = Matrix3::new(1.0, 0.3, 0.0, 0.0, 1.0, 0.0, 0.0, -0.1, 1.0);
    [stretch, shear, turn * stretch]
}

#[test]
fn solids_of_every_law_follow_an_affine_boundary() {
    let mesh = block();
    let inside = interior(&mesh);
    assert_eq!(inside.len(), 27);
    for (name, law) in SolidLaw::NAMES {
        let material = Material::new(1e6, 0.3, 1000.0).unwrap().with_law(law).unwrap();
        for F in gradients() {
            let image: Vec<Vector3> = mesh.vertices().iter().map(|x| F * x).collect();
            let start = misplaced(&image, &inside, &F, 0.01);
            assert!(farthest(&start, &image) > 0.005, "there is something to do");
            let mut scene = still();
            let body = Solid::new(mesh.clone()).material(material).starting_at(start);
            let body = scene.add(body);
            scene.pin(body, Selection::Boundary);
            let mut simulation = Simulation::with_settings(&scene, settings()).unwrap();
            let report = simulation.settle().unwrap();
            assert!(report.converged(), "{name}: {report:?}");
            let x = simulation.positions(body);
            let error = farthest(&x, &image);
            assert!(error < 1e-9, "{name}: off by {error:e} m");

            // The same stress everywhere: that of F.
            let P = material.model().stress(&F);
            for (e, tet) in mesh.tets().iter().enumerate() {
                let edges = |x: [Vector3; 4]| {
                    Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]])
                };
                let rest = edges(mesh.corners(e)).try_inverse().unwrap();
                let F_e = edges(tet.map(|v| x[v as usize])) * rest;
                let off = (material.model().stress(&F_e) - P).norm();
                assert!(off < 1e-7 * P.norm(), "{name}: stress off by {off:e} Pa in tet {e}");
            }
            // What the boundary is held with adds up to it: Σ f ⊗ X = V P.
            let reactions = simulation.reactions(body);
            let virial: Matrix3 =
                reactions.iter().zip(mesh.vertices()).map(|(f, X)| f * X.transpose()).sum();
            let off = (virial / mesh.volume() - P).norm();
            assert!(off < 1e-8 * P.norm(), "{name}: the virial is off by {off:e} Pa");
        }
    }
}

fn fabrics() -> [(&'static str, Fabric); 2] {
    let isotropic = Stretch::Isotropic { youngs_modulus: 100.0, poissons_ratio: 0.3 };
    [("woven", Fabric::COTTON), ("isotropic", Fabric::new(isotropic, 0.2, 1e-5).unwrap())]
}

#[test]
fn membranes_of_every_law_follow_an_affine_rim() {
    let mesh = unstructured_sheet([0.5, 0.4], 0.08, 3).unwrap();
    let mesh: TriMesh = jittered(mesh, Vector3::new(0.01, 0.01, 0.0), 5).build_cloth().unwrap();
    let inside = interior(&mesh);
    assert!(inside.len() > 10);
    // Pulled in all directions, so that flat is where it wants to be, then turned in space.
    let turn = nalgebra::Rotation3::new(Vector3::new(0.5, 0.2, -0.7)).into_inner();
    let F = turn * Matrix3::new(1.15, 0.04, 0.0, 0.02, 1.1, 0.0, 0.0, 0.0, 1.0);
    for (name, fabric) in fabrics() {
        let image: Vec<Vector3> = mesh.vertices().iter().map(|x| F * x).collect();
        let start = misplaced(&image, &inside, &F, 0.005);
        let mut scene = still();
        let body = scene.add(Cloth::new(mesh.clone()).material(fabric).starting_at(start));
        scene.pin(body, Selection::Boundary);
        let mut simulation = Simulation::with_settings(&scene, settings()).unwrap();
        let report = simulation.settle().unwrap();
        assert!(report.converged(), "{name}: {report:?}");
        let error = farthest(&simulation.positions(body), &image);
        assert!(error < 1e-9, "{name}: off by {error:e} m");

        let P = fabric.model().stress(&F.fixed_columns::<2>(0).into_owned());
        let reactions = simulation.reactions(body);
        let virial: Matrix3x2 =
            reactions.iter().zip(mesh.vertices()).map(|(f, X)| f * X.xy().transpose()).sum();
        let off = (virial / mesh.area() - P).norm();
        assert!(off < 1e-8 * P.norm(), "{name}: the virial is off by {off:e} N/m");
    }
}

/// A rail holds one coordinate: sliding along it costs nothing, and the rest follows the closed patch.
#[test]
fn a_boundary_on_rails_and_keyframes_gives_the_same_patch() {
    let mesh = block();
    let mut scene = still();
    let body = scene.add(Solid::new(mesh.clone()).material(Material::FOAM));
    // Two faces are moved apart along x; the others may only slide. Nothing can widen: F = diag(s, 1, 1).
    let stretch = 1.25;
    for (tag, sign) in [("x-min", -1.0), ("x-max", 1.0)] {
        let translation = Vector3::x() * (sign * 0.2 * (stretch - 1.0));
        let end = Keyframe { time: 0.1, translation, ..Default::default() };
        let frames = vec![Keyframe::default(), end];
        let motion = Motion::Keyframes {
            frames,
            center: Vector3::zeros(),
            interpolation: Default::default(),
        };
        scene.pin(body, Selection::Tag(tag.into())).axes([true, false, false]).motion(motion);
    }
    for (axis, tags) in [(1, ["y-min", "y-max"]), (2, ["z-min", "z-max"])] {
        for tag in tags {
            let mut axes = [false; 3];
            axes[axis] = true;
            scene.pin(body, Selection::Tag(tag.into())).axes(axes);
        }
    }
    let settings = Settings { time_step: 0.02, ..settings() };
    let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
    for _ in 0..6 {
        assert!(simulation.step().converged());
    }
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{report:?}");
    let F = Matrix3::from_diagonal(&Vector3::new(stretch, 1.0, 1.0));
    let image: Vec<Vector3> = mesh.vertices().iter().map(|x| F * x).collect();
    let error = farthest(&simulation.positions(body), &image);
    assert!(error < 1e-9, "off by {error:e} m");
}

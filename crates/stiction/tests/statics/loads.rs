//! Loads: what is applied is what supports answer with; pressure follows the surface and closes on itself.

use stiction::body::{Cloth, LoadKind, Profile, Solid};
use stiction::energy::Lame;
use stiction::material::{Fabric, Material, SolidLaw};
use stiction::math::Vector3;
use stiction::mesh::generate::hollow_ball;
use stiction::mesh::{Selection, TetMesh};
use stiction::method::smooth::{SmoothSettings, SolverSettings, StageSolver, System};
use stiction::step::Dynamics;
use stiction::{Scene, Settings, Simulation};
use stiction_check::analytic::HollowBall;
use stiction_check::shapes::noise;

fn tag(name: &str) -> Selection {
    Selection::Tag(name.into())
}

fn still() -> Scene {
    Scene { gravity: Vector3::zeros(), ..Scene::new() }
}

fn simulation(scene: &Scene, method: StageSolver) -> Simulation {
    let solver = SolverSettings { tolerance: 1e-8, method, ..Default::default() };
    Simulation::with_settings(
        scene,
        Settings {
            method: SmoothSettings { solver, ..Default::default() }.into(),
            ..Default::default()
        },
    )
    .unwrap()
}

fn settled(scene: &Scene) -> Simulation {
    let mut simulation = simulation(scene, StageSolver::Auto);
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{report:?}");
    simulation
}

#[test]
fn reactions_answer_forces_tractions_and_weight() {
    let force = Vector3::new(0.3, -2.0, 0.7);
    for (kind, applied) in [
        (LoadKind::Force(force), force),
        // On a face of 0.2 m by 0.2 m.
        (LoadKind::Traction(force / 0.04), force),
    ] {
        let mut scene = Scene::new();
        let body = scene.add(Solid::cuboid([0.6, 0.2, 0.2], [6, 2, 2]).unwrap());
        scene.pin(body, tag("x-min"));
        scene.load(body, tag("x-max"), kind);
        let simulation = settled(&scene);
        let weight = scene.gravity * simulation.model().node_masses().iter().sum::<f64>();
        let reaction: Vector3 = simulation.reactions(body).iter().sum();
        let off = (reaction + applied + weight).norm() / (applied + weight).norm();
        assert!(off < 1e-9, "{kind:?}: off by {off:e}");
        // And their moments.
        let x = simulation.positions(body);
        let held: Vector3 =
            x.iter().zip(simulation.reactions(body)).map(|(x, f)| x.cross(&f)).sum();
        let masses = simulation.model().node_masses();
        let mut moment: Vector3 =
            x.iter().zip(masses).map(|(x, m)| x.cross(&scene.gravity) * *m).sum();
        let Some(mesh) = mesh_of(&scene) else { panic!("a solid") };
        let loaded = tag("x-max").vertices(mesh).unwrap();
        let share = |v: u32| match kind {
            LoadKind::Force(force) => force / loaded.len() as f64,
            _ => applied * (area_share(mesh, &loaded, v) / 0.04),
        };
        moment += loaded.iter().map(|&v| x[v as usize].cross(&share(v))).sum::<Vector3>();
        let off = (held + moment).norm() / moment.norm();
        assert!(off < 1e-8, "{kind:?}: moments off by {off:e}");
    }
}

fn mesh_of(scene: &Scene) -> Option<&TetMesh> {
    match &scene.bodies[0] {
        stiction::body::Body::Solid(solid) => Some(&solid.mesh),
        _ => None,
    }
}

/// A third of the area of the selected faces around a vertex [m²].
fn area_share(mesh: &TetMesh, selected: &[u32], v: u32) -> f64 {
    let boundary = mesh.boundary();
    let faces = boundary.surface.triangles().iter().zip(boundary.surface.areas());
    let faces = faces.map(|(face, area)| (face.map(|v| boundary.vertices[v as usize]), area));
    faces
        .filter(|(face, _)| face.iter().all(|v| selected.binary_search(v).is_ok()))
        .filter(|(face, _)| face.contains(&v))
        .map(|(_, area)| area / 3.0)
        .sum()
}

/// A linear bar answers in proportion, so its elongation follows the profile.
#[test]
fn profiles_scale_loads_in_time() {
    let profile = Profile::Points(vec![(0.5, 0.0), (1.0, 1.0), (2.0, -0.5)]);
    let material = Material::new(1e6, 0.3, 1000.0).unwrap().with_law(SolidLaw::Linear).unwrap();
    for kind in [LoadKind::Force(Vector3::x() * 10.0), LoadKind::Traction(Vector3::x() * 1e3)] {
        let mut scene = still();
        let body = Solid::cuboid([0.4, 0.1, 0.1], [4, 1, 1]).unwrap().material(material);
        let body = scene.add(body);
        scene.pin(body, tag("x-min"));
        scene.load(body, tag("x-max"), kind).profile(profile.clone());
        let mut simulation = simulation(&scene, StageSolver::Auto);
        let rest = simulation.positions(body);
        let mut pull_at = |time: f64| {
            let mut state = simulation.state();
            state.trajectory.time = time;
            simulation.restore(&state).unwrap();
            assert!(simulation.settle().unwrap().converged());
            let pull: Vector3 = simulation.reactions(body).iter().sum();
            (pull.x, simulation.positions(body)[4].x - rest[4].x)
        };
        let (full, longest) = pull_at(1.0);
        assert!((full + 10.0).abs() < 1e-9 && longest > 0.0, "{full} {longest}");
        for (time, factor) in
            [(0.0, 0.0), (0.5, 0.0), (0.75, 0.5), (1.5, 0.25), (2.0, -0.5), (9.0, -0.5)]
        {
            let (pull, length) = pull_at(time);
            assert!((pull - factor * full).abs() < 1e-9, "{kind:?} at {time}: {pull} N");
            assert!((length - factor * longest).abs() < 1e-9 * longest, "at {time}: {length} m");
        }
    }
}

#[test]
fn pressure_follows_its_profile() {
    let mut scene = still();
    let body = scene.add(Solid::cuboid([0.4, 0.1, 0.1], [4, 1, 1]).unwrap());
    scene.pin(body, tag("x-min"));
    let profile = Profile::Points(vec![(0.0, 0.0), (1.0, 1.0)]);
    scene.load(body, tag("x-max"), LoadKind::Pressure(500.0)).profile(profile);
    let mut simulation = simulation(&scene, StageSolver::Auto);
    for (time, factor) in [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)] {
        let mut state = simulation.state();
        state.trajectory.time = time;
        simulation.restore(&state).unwrap();
        assert!(simulation.settle().unwrap().converged());
        let push: Vector3 = simulation.reactions(body).iter().sum();
        // Against the end, and so answered along +x; on the area as it is now.
        let x = simulation.positions(body);
        let end = tag("x-max").vertices(mesh_of(&scene).unwrap()).unwrap();
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| x[end[k] as usize]);
        let area = (d - a).cross(&(c - b)) * 0.5;
        let off = (push - area * (500.0 * factor * area.x.signum())).norm();
        assert!(off < 1e-6, "at {time}: {push}, off by {off:e} N");
    }
}

/// A body in a closed skin of uniform pressure is neither pushed nor turned, however it is deformed.
#[test]
fn pressure_on_a_closed_surface_has_no_resultant() {
    let mesh = hollow_ball(0.5, 1.0, 0.5).unwrap();
    for skin in [Selection::Boundary, tag("inner"), tag("outer")] {
        let start: Vec<Vector3> = mesh
            .vertices()
            .iter()
            .enumerate()
            .map(|(v, x)| x + noise(3, v) * 0.1 + Vector3::new(2.0, 0.0, -1.0))
            .collect();
        let mut scene = still();
        let body = scene.add(Solid::new(mesh.clone()).starting_at(start));
        scene.load(body, skin.clone(), LoadKind::Pressure(1e5));
        let (mut system, q, v) = System::new(&scene, SolverSettings::default()).unwrap();
        let mut f = vec![0.0; q.len()];
        system.force(0.0, &q, &v, &mut f);
        let points = |flat: &[f64]| -> Vec<Vector3> {
            flat.chunks_exact(3).map(Vector3::from_column_slice).collect()
        };
        let (x, f) = (points(&q), points(&f));
        let size: f64 = f.iter().map(|f| f.norm()).sum();
        let force: Vector3 = f.iter().sum();
        let torque: Vector3 = x.iter().zip(&f).map(|(x, f)| x.cross(f)).sum();
        assert!(force.norm() < 1e-13 * size, "{skin}: {force} of {size}");
        assert!(torque.norm() < 1e-12 * size, "{skin}: {torque} of {size}");
    }
}

/// Vertices that hold a body without forcing it: one in space, one on a line, one in a plane.
fn support(scene: &mut Scene, body: stiction::body::BodyId, mesh: &TetMesh) {
    let extreme = |direction: Vector3| {
        let far = |v: u32| mesh.vertices()[v as usize].dot(&direction);
        (0..mesh.vertex_count() as u32).max_by(|&v, &w| far(v).total_cmp(&far(w))).unwrap()
    };
    for (direction, axes) in [
        (Vector3::x(), [true; 3]),
        (-Vector3::x(), [false, true, true]),
        (Vector3::y(), [false, false, true]),
    ] {
        scene.pin(body, Selection::Ids(vec![extreme(direction)])).axes(axes);
    }
}

/// Mean growth of the radius of a shell of vertices [m].
fn growth(mesh: &TetMesh, x: &[Vector3], shell: &str) -> f64 {
    let ids = tag(shell).vertices(mesh).unwrap();
    let mean = |of: &dyn Fn(usize) -> f64| {
        ids.iter().map(|&v| of(v as usize)).sum::<f64>() / ids.len() as f64
    };
    let center = Vector3::from_fn(|axis, _| mean(&|v| x[v][axis]));
    let rest = Vector3::from_fn(|axis, _| mean(&|v| mesh.vertices()[v][axis]));
    mean(&|v| (x[v] - center).norm()) - mean(&|v| (mesh.vertices()[v] - rest).norm())
}

const BALL_LAME: Lame = Lame { mu: 4e5, lambda: 6e5 };

/// Growth of the inner and outer radius of a ball of 1 m with a cavity of 0.5 m, as parts of Lamé's [-].
fn inflated(edge_length: f64, inside: f64, outside: f64, method: StageSolver) -> [f64; 2] {
    let (a, b) = (0.5, 1.0);
    let mesh = hollow_ball(a, b, edge_length).unwrap();
    let law = SolidLaw::StableNeoHookean;
    let material =
        Material::new(BALL_LAME.youngs_modulus(), BALL_LAME.poissons_ratio(), 1000.0).unwrap();
    let mut scene = still();
    let body = scene.add(Solid::new(mesh.clone()).material(material.with_law(law).unwrap()));
    support(&mut scene, body, &mesh);
    for (shell, pressure) in [("inner", inside), ("outer", outside)] {
        scene.load(body, tag(shell), LoadKind::Pressure(pressure));
    }
    let mut simulation = simulation(&scene, method);
    let report = simulation.settle().unwrap();
    assert!(report.converged(), "{report:?}");
    // Nothing is left for the support to do.
    let most = simulation.reactions(body).iter().map(|f| f.norm()).fold(0.0, f64::max);
    assert!(most < 1e-6 * inside.abs().max(outside.abs()), "supports push with {most} N");
    let exact = HollowBall { inner_radius: a, outer_radius: b, lame: BALL_LAME };
    let x = simulation.positions(body);
    [("inner", a), ("outer", b)]
        .map(|(shell, r)| growth(&mesh, &x, shell) / exact.displacement(r, inside, outside))
}

/// Elements too stiff and a surface inside the sphere: both errors fall with the square of the edge length.
/// Measured, as parts of Lamé's displacement:
///
/// | edge / cavity radius | pushed from inside: inner, outer | from outside: inner, outer |
/// |---|---|---|
/// | 1/2 | 0.719, 0.739 | 0.812, 0.929 |
/// | 1/4 | 0.910, 0.917 | 0.940, 0.977 |
/// | 1/5 | 0.940, 0.945 | 0.960, 0.985 |
/// | 1/6 | 0.958, 0.961 | 0.972, 0.989 |
/// | extrapolated from 1/4 and 1/5 | 0.994, 0.995 | 0.996, 0.999 |
#[test]
fn hollow_balls_grow_and_shrink_as_lame_says() {
    // A strain of 1e-4: small enough for Lamé, far above rounding.
    let p = 1e-4 * BALL_LAME.mu;
    for (inside, outside) in [(p, 0.0), (0.0, p)] {
        let parts = [2.0, 4.0, 5.0].map(|n| inflated(0.5 / n, inside, outside, StageSolver::Auto));
        for shell in 0..2 {
            let [coarse, middle, fine] = parts.map(|part| part[shell]);
            let errors = [coarse, middle, fine].map(|part| 1.0 - part);
            assert!(errors[1] < 0.4 * errors[0] && errors[2] < 0.7 * errors[1], "{errors:?}");
            // Along a line in the square of the edge length, from 1/16 and 1/25 to zero.
            let extrapolated = fine + (fine - middle) * 16.0 / 9.0;
            assert!((extrapolated - 1.0).abs() < 0.01, "{extrapolated} from {middle}, {fine}");
        }
    }
}

/// The same pressure on all sides squeezes every element alike: no mesh error is left, only that of Lamé's
/// small strains, about the strain itself.
#[test]
fn balls_under_pressure_on_all_sides_shrink_alike() {
    let p = 1e-4 * BALL_LAME.mu;
    let strain = p / (3.0 * BALL_LAME.bulk_modulus());
    for part in inflated(0.25, p, p, StageSolver::Auto) {
        assert!((part - 1.0).abs() < 2.0 * strain, "{part}, strain {strain}");
    }
}

#[test]
fn direct_and_iterative_newton_agree_on_follower_loads() {
    let p = 0.1 * BALL_LAME.mu;
    let [direct, iterative, asked] =
        [StageSolver::Newton, StageSolver::InexactNewton, StageSolver::Minimise]
            .map(|method| inflated(0.25, p, 0.0, method));
    for k in 0..2 {
        assert!((direct[k] - iterative[k]).abs() < 1e-8, "{direct:?} {iterative:?}");
        // Without an energy there is nothing to minimise: Newton takes over.
        assert!((direct[k] - asked[k]).abs() < 1e-12, "{direct:?} {asked:?}");
    }
}

/// Gas in a bag: the pressure on a sheet follows it, so a cloth held at its rim bulges with the wind.
#[test]
fn cloth_bulges_along_its_normal_under_negative_pressure() {
    let mut scene = still();
    let fabric = Fabric::PAPER.with_density(0.2).unwrap();
    let body = scene.add(Cloth::sheet([0.4, 0.4], [8, 8]).unwrap().material(fabric));
    scene.pin(body, Selection::Boundary);
    scene.load(body, Selection::All, LoadKind::Pressure(-200.0));
    let simulation = settled(&scene);
    let highest = simulation.positions(body).iter().map(|x| x.z).fold(0.0, f64::max);
    let lowest = simulation.positions(body).iter().map(|x| x.z).fold(0.0, f64::min);
    assert!(highest > 1e-4 && lowest > -1e-12, "{lowest} to {highest}");
    let lift: f64 = simulation.reactions(body).iter().map(|f| f.z).sum();
    // The lift of a bulged sheet is that of its flat outline, but for what acts on the held rim: all of it.
    assert!((lift + 200.0 * 0.16).abs() < 1e-6, "{lift} N");
}

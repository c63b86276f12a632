//! Enclosed gas and liquid: pressures, forces and derivatives are those of the formulas, on closed surfaces and on
//! surfaces whose holes are filled.

use stiction::body::{BodyId, Cloth, Motion, Solid, Zone, ZonePart};
use stiction::energy::{ATMOSPHERE, VolumeEnergy, VolumeModel};
use stiction::geometry::EnclosedVolume;
use stiction::material::{Damping, Fabric, Material, Stretch};
use stiction::math::Vector3;
use stiction::mesh::{Selection, TriMesh, generate};
use stiction::method::smooth::{
    SmoothSettings, SolverSettings, Stabilisation, StageSolver, System,
};
use stiction::model::SceneError;
use stiction::step::Dynamics;
use stiction::{Scene, Settings, Simulation};
use stiction_check::analytic::HollowBall;
use stiction_check::differences::assert_is_derivative;
use stiction_check::shapes::noise;

const MODELS: [VolumeModel; 3] = [
    VolumeModel::IdealGas,
    VolumeModel::NearlyIncompressible { compressibility: 1.0 },
    VolumeModel::Quadratic { compressibility: 1.0 },
];

fn assert_near(value: f64, expected: f64, relative: f64) {
    let error = (value - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
    assert!(error <= relative, "{value} instead of {expected}: {error:e} off");
}

mod models {
    use super::*;

    #[test]
    fn energies_and_pressures_are_those_of_the_specification() {
        // [V, W and p of the gas, the liquid and the quadratic model], smooth-friction.md §5.10.
        let rows = [
            (
                0.7,
                [5742.58869459206, 5099.43791378556, 4559.625],
                [43425.0, 36140.0886945921, 30397.5],
            ),
            (
                1.3,
                [3813.44090283147, 4161.77682631908, 4559.625],
                [-23382.6923076923, -26584.0590971685, -30397.5],
            ),
        ];
        for (volume, energies, pressures) in rows {
            for (k, model) in MODELS.into_iter().enumerate() {
                let energy = VolumeEnergy::new(model, 1.0, 1.0).unwrap();
                assert_near(energy.value(volume), energies[k], 1e-13);
                assert_near(energy.pressure(volume), pressures[k], 1e-13);
            }
        }
    }

    #[test]
    fn gauge_pressure_at_rest_is_what_was_asked_for_in_every_model() {
        // `docs/theory/zones.md`, "Energies": an expansion about b V0 would give half an atmosphere instead of one.
        for model in MODELS {
            for factor in [0.4, 1.0, 1.68, 2.0] {
                let energy = VolumeEnergy::new(model, 0.37, factor).unwrap();
                let expected = (factor - 1.0) * ATMOSPHERE;
                assert!((energy.pressure(0.37) - expected).abs() <= 1e-11 * ATMOSPHERE);
                assert!(energy.value(0.37).abs() <= 1e-12);
            }
        }
    }

    #[test]
    fn pressure_and_its_slope_are_derivatives() {
        for model in [
            VolumeModel::IdealGas,
            VolumeModel::NearlyIncompressible { compressibility: 4.6e-5 },
            VolumeModel::Quadratic { compressibility: 0.01 },
        ] {
            // Near rest, where series are used, and away from it.
            for (factor, volume) in [(1.0, 2.0), (1.7, 2.015), (1.7, 2.9), (0.6, 0.8)] {
                let energy = VolumeEnergy::new(model, 2.0, factor).unwrap();
                let scale = energy.pressure(volume).abs() + ATMOSPHERE;
                assert_is_derivative(|t| -energy.value(volume + t), energy.pressure(volume), scale);
                let slope = energy.pressure_slope(volume);
                assert!(slope < 0.0);
                assert_is_derivative(|t| energy.pressure(volume + t), slope, slope.abs());
            }
        }
    }

    #[test]
    fn a_liquid_near_rest_keeps_its_digits() {
        // s²/2κ, where W as printed would be rounding noise of P0 V0 / κ.
        let model = VolumeModel::NearlyIncompressible { compressibility: 4.6e-5 };
        let energy = VolumeEnergy::new(model, 1.0, 1.0).unwrap();
        let change: f64 = 2f64.powi(-30);
        let expected = ATMOSPHERE / 4.6e-5 * (0.5 * change * change - change.powi(3) / 6.0);
        assert_near(energy.value(1.0 + change), expected, 1e-14);
    }

    #[test]
    fn inside_out_is_infinitely_dear_or_allowed_but_never_nan() {
        for model in MODELS {
            let energy = VolumeEnergy::new(model, 1.0, 1.5).unwrap();
            for volume in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                let outside =
                    !matches!(model, VolumeModel::Quadratic { .. }) || !volume.is_finite();
                assert_eq!(energy.value(volume) == f64::INFINITY, outside);
                assert_eq!(energy.is_defined(volume), !outside);
                assert!(energy.pressure(volume).is_finite());
                assert!(energy.pressure_slope(volume).is_finite());
            }
        }
    }

    #[test]
    fn constants_out_of_range_are_refused() {
        let wrong =
            |model, volume, factor| VolumeEnergy::new(model, volume, factor).unwrap_err().what;
        assert_eq!(wrong(MODELS[0], 0.0, 1.0), "rest volume");
        assert_eq!(wrong(MODELS[0], 1.0, 0.0), "pressure");
        assert_eq!(wrong(MODELS[1], 1.0, f64::NAN), "pressure");
        let model = VolumeModel::Quadratic { compressibility: -1.0 };
        assert_eq!(wrong(model, 1.0, 1.0), "compressibility");
    }
}

mod shapes {
    use super::*;

    /// The deformed tetrahedron of `docs/theory/reference-values.md`, "Elements".
    const TETRAHEDRON: [f64; 12] =
        [0.05, -0.02, 0.01, 1.1, 0.08, -0.03, 0.12, 0.9, 0.06, -0.04, 0.15, 1.2];
    const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    fn at(shape: &EnclosedVolume, q: &[f64]) -> Vec<Vector3> {
        let mut points = Vec::new();
        shape.place(q, &mut points);
        points
    }

    /// A cylinder of cloth, open at both ends, crumpled; its holes filled.
    fn open_tube() -> (EnclosedVolume, Vec<f64>) {
        let tube = tube(9, 5);
        let shape = EnclosedVolume::with_holes_filled(tube.triangles());
        let q = crumpled(tube.vertices(), 0.05);
        (shape, q)
    }

    fn closed_ball() -> (EnclosedVolume, Vec<f64>) {
        let ball = generate::ball(0.7, 0.35).unwrap().boundary().surface;
        (EnclosedVolume::closed(ball.triangles()).unwrap(), crumpled(ball.vertices(), 0.05))
    }

    #[test]
    fn a_tetrahedron_has_the_volume_and_force_of_the_specification() {
        let shape = EnclosedVolume::closed(&FACES).unwrap();
        let points = at(&shape, &TETRAHEDRON);
        let volume = shape.volume(&points);
        let mut gradient = Vec::new();
        shape.gradient(&points, &mut gradient);
        let model = VolumeModel::Quadratic { compressibility: 1.0 };
        let energy = VolumeEnergy::new(model, 1.0 / 6.0, 1.0).unwrap();
        assert_near(volume, 0.188007833333333, 1e-14);
        assert_near(energy.pressure(volume), -12974.362275, 1e-11);
        assert_near(energy.value(volume), 138.444013852245, 1e-12);
        let expected = [
            Vector3::new(-0.16705, -0.1838, -0.144366666667),
            Vector3::new(0.18105, -0.014633333333, 0.015783333333),
            Vector3::new(-0.020966666667, 0.20765, -0.03125),
            Vector3::new(0.006966666667, -0.009216666667, 0.159833333333),
        ];
        for (g, expected) in gradient.iter().zip(expected) {
            assert!((g - expected).norm() < 1e-12, "{g} instead of {expected}");
        }
        let force = gradient[1] * energy.pressure(volume);
        let expected = Vector3::new(-2349.00828989, 189.858167958, -204.778684574);
        assert!((force - expected).norm() < 1e-8);
    }

    #[test]
    fn derivatives_fall_with_the_step_with_and_without_holes() {
        for (shape, q) in [closed_ball(), open_tube()] {
            let d: Vec<f64> = (0..q.len()).map(|k| noise(7, k).x).collect();
            let moved = |t: f64| -> Vec<f64> { q.iter().zip(&d).map(|(q, d)| q + t * d).collect() };
            let gradient = |q: &[f64]| {
                let mut gradient = Vec::new();
                shape.gradient(&at(&shape, q), &mut gradient);
                gradient
            };
            let swept = |g: &[Vector3], d: &[f64]| -> f64 {
                let at = |node: u32| Vector3::from_column_slice(&d[3 * node as usize..][..3]);
                shape.nodes().iter().zip(g).map(|(&node, g)| g.dot(&at(node))).sum()
            };
            let volume = |t: f64| shape.volume(&at(&shape, &moved(t)));
            let exact = swept(&gradient(&q), &d);
            assert_is_derivative(volume, exact, exact.abs());

            // Another direction for the second derivative, and its two parts against the product.
            let e: Vec<f64> = (0..q.len()).map(|k| noise(8, k).y).collect();
            let points = at(&shape, &q);
            let (mut scratch, mut product) = (Vec::new(), Vec::new());
            shape.hessian_product(&points, &d, &mut scratch, &mut product);
            let exact = swept(&product, &e);
            assert_is_derivative(|t| swept(&gradient(&moved(t)), &e), exact, exact.abs().max(0.1));

            let at_node =
                |v: &[f64], node: u32| Vector3::from_column_slice(&v[3 * node as usize..][..3]);
            let edges: Vec<[u32; 2]> = shape.edges().collect();
            let mut by_parts = 0.0;
            shape.for_each_block(&points, |k, block| {
                let [a, b] = edges[k];
                by_parts += at_node(&e, a).dot(&(block * at_node(&d, b)));
                by_parts += at_node(&e, b).dot(&(block.transpose() * at_node(&d, a)));
            });
            for pair in shape.rim_columns(&points) {
                let dot = |column: &[(u32, Vector3)], x: &[f64]| -> f64 {
                    column.iter().map(|(node, c)| c.dot(&at_node(x, *node))).sum()
                };
                by_parts +=
                    dot(&pair.u, &e) * dot(&pair.v, &d) + dot(&pair.v, &e) * dot(&pair.u, &d);
            }
            assert!((by_parts - exact).abs() < 1e-12 * exact.abs().max(1.0));
            assert!(exact.abs() > 1e-3, "a test of nothing");
        }
    }

    #[test]
    fn pressure_neither_pushes_nor_turns_a_body_as_a_whole() {
        for (shape, mut q) in [closed_ball(), open_tube()] {
            q.iter_mut().for_each(|q| *q += 3.0); // away from the origin
            let mut gradient = Vec::new();
            shape.gradient(&at(&shape, &q), &mut gradient);
            let x = |node: u32| Vector3::from_column_slice(&q[3 * node as usize..][..3]);
            let force: Vector3 = gradient.iter().sum();
            let torque: Vector3 =
                shape.nodes().iter().zip(&gradient).map(|(&node, g)| x(node).cross(g)).sum();
            let size: f64 = gradient.iter().map(Vector3::norm).sum();
            assert!(force.norm() < 1e-13 * size, "net force {:e}", force.norm() / size);
            // Arms are about five.
            assert!(torque.norm() < 5e-13 * size, "net torque {:e}", torque.norm() / size);
        }
    }

    #[test]
    fn a_filled_tube_has_the_volume_of_its_prism() {
        let tube = tube(6, 4);
        let shape = EnclosedVolume::with_holes_filled(tube.triangles());
        assert_eq!(shape.hole_count(), 2);
        let q: Vec<f64> = tube.vertices().iter().flat_map(|x| x.iter().copied()).collect();
        let hexagon = 1.5 * 3f64.sqrt() * 0.3 * 0.3;
        assert_near(shape.volume(&at(&shape, &q)).abs(), hexagon, 1e-14);
        let turned = shape.clone().turned_over();
        assert_near(turned.volume(&at(&turned, &q)), -shape.volume(&at(&shape, &q)), 1e-14);
        let open = EnclosedVolume::closed(tube.triangles()).unwrap_err();
        assert_eq!((open.edges, open.holes), (12, 2));
    }
}

mod simulations {
    use super::*;

    #[test]
    fn gauge_pressure_is_right_at_the_start_for_every_model_and_surface() {
        for model in MODELS {
            let mut scene = Scene::new();
            let hollow = scene.add(Solid::new(generate::hollow_ball(0.06, 0.1, 0.04).unwrap()));
            let bag = scene.add(balloon(0.1, 0.05).at([0.5, 0.0, 0.0]));
            let cavity = scene.zone(Zone::cavity(hollow).model(model).pressure_factor(2.0));
            let skin = scene.zone(Zone::inside(hollow).model(model).gauge_pressure(500.0));
            let inside = scene.zone(Zone::inside(bag).model(model).gauge_pressure(-300.0));
            let inner = ZonePart::Selected(Selection::Tag("inner".into()));
            let picked = scene.zone(Zone::of(hollow, inner).model(model));
            let simulation = Simulation::new(&scene).unwrap();
            assert_near(simulation.zone_pressure(cavity), ATMOSPHERE, 1e-10);
            assert_near(simulation.zone_pressure(skin), 500.0, 1e-8);
            assert_near(simulation.zone_pressure(inside), -300.0, 1e-8);
            assert!(simulation.zone_pressure(picked).abs() < 1e-8);
            assert_near(simulation.zone_volume(cavity), simulation.zone_volume(picked), 1e-14);
            // Polyhedra inside spheres.
            let ball = |r: f64| 4.0 / 3.0 * std::f64::consts::PI * f64::powi(r, 3);
            assert_near(simulation.zone_volume(cavity), ball(0.06), 0.3);
            assert_near(simulation.zone_volume(skin), ball(0.1), 0.2);
            assert!(simulation.zone_volume(cavity) < ball(0.06));
        }
    }

    #[test]
    fn forces_are_the_slope_of_the_energy_and_balance() {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let tube = scene.add(Cloth::new(tube(8, 4)));
        scene.zone(Zone::inside(tube).filling_holes().gauge_pressure(2e4));
        let (mut system, mut q, v) = System::new(&scene, SolverSettings::default()).unwrap();
        for (k, q) in q.iter_mut().enumerate() {
            *q += 0.01 * noise(3, k).z;
        }
        let d: Vec<f64> = (0..q.len()).map(|k| 0.1 * noise(4, k).x).collect();
        let mut force = vec![0.0; q.len()];
        system.force(0.0, &q, &v, &mut force);
        let exact: f64 = force.iter().zip(&d).map(|(f, d)| -f * d).sum();
        let potential = |t: f64| {
            let moved: Vec<f64> = q.iter().zip(&d).map(|(q, d)| q + t * d).collect();
            system.model().potential(&moved)
        };
        assert_is_derivative(potential, exact, exact.abs());
        let total: Vector3 = force.chunks_exact(3).map(Vector3::from_column_slice).sum();
        let size: f64 = force.iter().map(|f| f.abs()).sum();
        assert!(total.norm() < 1e-13 * size);
    }

    /// A box of cloth whose lid is pushed in: all of it is held, so that volumes and forces are exact.
    #[test]
    fn gas_under_a_piston_obeys_boyle_and_pushes_on_the_lid() {
        let size = [0.2, 0.3, 0.4];
        let reactions = |filled: bool| {
            let mut scene = Scene::new();
            scene.gravity = Vector3::zeros();
            let walls = Solid::cuboid(size, [2, 3, 4]).unwrap().mesh.boundary().surface;
            let case = scene.add(Cloth::new(walls).warp([1.0, 1.0, 1.0]));
            let lid = Selection::HalfSpace {
                point: Vector3::new(0.0, 0.0, 0.2 - 1e-9),
                normal: Vector3::z(),
            };
            scene.pin(case, lid.clone()).motion(Motion::Velocity(Vector3::new(0.0, 0.0, -1.0)));
            scene.pin(case, lid.inverse());
            let gas = filled.then(|| scene.zone(Zone::inside(case).pressure_factor(1.5)));
            let settings = Settings { time_step: 0.05, ..Default::default() };
            let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
            simulation.step();
            simulation.step();
            if let Some(gas) = gas {
                // 0.1 m of 0.4 m.
                assert_near(simulation.zone_volume(gas), 0.75 * 0.024, 1e-13);
                assert_near(simulation.zone_pressure(gas), ATMOSPHERE, 1e-12);
            }
            let top =
                simulation.positions(case).iter().map(|x| x.z > 0.1 - 1e-9).collect::<Vec<_>>();
            let forces = simulation.reactions(case);
            forces.iter().zip(top).filter(|(_, top)| *top).map(|(f, _)| *f).sum::<Vector3>()
        };
        // The cloth pulls as well; what the gas adds is p A. Edges of the lid share in the pressure on walls, but
        // not along z.
        let push = reactions(true) - reactions(false);
        assert_near(push.z, -ATMOSPHERE * size[0] * size[1], 1e-9);
    }

    /// Δr = p r² (1 − ν) / 2 E with E the modulus per width; the mesh is a polyhedron, so its own volume and area
    /// are a little off.
    #[test]
    fn a_pressurised_membrane_sphere_grows_by_the_closed_form() {
        let (radius, modulus, nu) = (0.1, 5e4, 0.3);
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let ball = scene.add(balloon(radius, 0.02));
        let air = scene.zone(Zone::inside(ball).gauge_pressure(5e3));
        let mut simulation = Simulation::new(&scene).unwrap();
        let before = simulation.zone_volume(air);
        let report = simulation.settle().unwrap();
        assert!(report.converged(), "{report:?}");
        let growth = (simulation.zone_volume(air) / before).cbrt() - 1.0;
        let expected = simulation.zone_pressure(air) * radius * (1.0 - nu) / (2.0 * modulus);
        assert!(growth > 2e-3, "grew by {growth}");
        assert_near(growth, expected, 0.03);
        // Boyle: the gas at rest has one and a bit atmospheres.
        let absolute = (ATMOSPHERE + 5e3) * before / simulation.zone_volume(air);
        assert_near(simulation.zone_pressure(air) + ATMOSPHERE, absolute, 1e-13);
    }

    #[test]
    fn a_pressurised_hollow_ball_grows_as_lame_says() {
        let material = Material::RUBBER.with_poissons_ratio(0.3).unwrap();
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let mesh = generate::hollow_ball(0.07, 0.1, 0.015).unwrap();
        let outer = mesh.vertex_tags().get("outer").unwrap().to_vec();
        let ball = scene.add(Solid::new(mesh).material(material));
        let gas = scene.zone(Zone::cavity(ball).gauge_pressure(2000.0));
        let mut simulation = Simulation::new(&scene).unwrap();
        let start = simulation.positions(ball);
        assert!(simulation.settle().unwrap().converged());
        let now = simulation.positions(ball);
        let moved: f64 = outer.iter().map(|&v| (now[v as usize] - start[v as usize]).norm()).sum();
        let lame = HollowBall { inner_radius: 0.07, outer_radius: 0.1, lame: material.lame() };
        let expected = lame.displacement(0.1, simulation.zone_pressure(gas), 0.0);
        // As stiff as the same mesh is under a load, see scenes/hollow_ball.toml.
        assert_near(moved / outer.len() as f64, expected, 0.08);
    }

    /// The same equilibrium and the same steps whatever solves the equations.
    #[test]
    fn all_methods_agree() {
        let run = |method, stabilisation, holes: bool| {
            let mut scene = Scene::new();
            scene.gravity = Vector3::new(0.0, 0.0, -9.81);
            let (body, zone): (BodyId, Zone);
            if holes {
                body = scene.add(Cloth::new(tube(8, 5)));
                let rim = Selection::HalfSpace {
                    point: Vector3::new(0.0, 0.0, 0.5 - 1e-6),
                    normal: Vector3::z(),
                };
                scene.pin(body, rim).axes([true, false, true]);
                zone = Zone::inside(body).filling_holes().gauge_pressure(300.0);
            } else {
                let mesh = generate::hollow_ball(0.06, 0.1, 0.04).unwrap();
                body = scene.add(Solid::new(mesh).material(Material::JELLY));
                let top = Selection::HalfSpace {
                    point: Vector3::new(0.0, 0.0, 0.09),
                    normal: Vector3::z(),
                };
                scene.pin(body, top);
                // Root finding follows a liquid as stiff as water in small steps only: its merit is the size of forces,
                // which rise steeply beside the way.
                let liquid = VolumeModel::NearlyIncompressible { compressibility: 0.05 };
                zone = Zone::cavity(body).model(liquid).gauge_pressure(100.0);
            }
            scene.zone(zone);
            let solver =
                SolverSettings { method, stabilisation, tolerance: 1e-8, ..Default::default() };
            let settings = Settings {
                method: SmoothSettings { solver, ..Default::default() }.into(),
                ..Default::default()
            };
            let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
            for _ in 0..4 {
                let report = simulation.step();
                assert!(report.converged(), "{method:?} {holes}: {report:?}");
                assert_eq!(report.sub_steps, 1, "{method:?} {holes}: {report:?}");
            }
            simulation.positions(body)
        };
        for holes in [false, true] {
            let reference = run(StageSolver::Minimise, Stabilisation::Projection, holes);
            for (method, stabilisation) in [
                (StageSolver::Minimise, Stabilisation::Inertia),
                (StageSolver::Newton, Stabilisation::Projection),
                (StageSolver::InexactNewton, Stabilisation::Projection),
                (StageSolver::MatrixFree, Stabilisation::Projection),
            ] {
                let other = run(method, stabilisation, holes);
                let apart = stiction_check::shapes::farthest(&reference, &other);
                assert!(apart < 1e-10, "{method:?} {stabilisation:?} {holes}: {apart:e} m apart");
            }
        }
    }

    #[test]
    fn zones_keep_to_themselves() {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let left = scene.add(balloon(0.1, 0.05));
        let right = scene.add(balloon(0.1, 0.05).at([1.0, 0.0, 0.0]));
        let high = scene.zone(Zone::inside(left).gauge_pressure(5e3));
        let low = scene.zone(Zone::inside(right));
        let mut simulation = Simulation::new(&scene).unwrap();
        let rest = simulation.positions(right);
        assert!(simulation.settle().unwrap().converged());
        assert!(simulation.zone_pressure(high) > 2e3);
        assert!(simulation.zone_pressure(low).abs() < 1e-6);
        assert!(stiction_check::shapes::farthest(&rest, &simulation.positions(right)) < 1e-9);
    }

    /// Poles of a hollow ball are pushed inward; the emptier the cavity, the more volume is lost.
    #[test]
    fn squeezed_balls_lose_less_volume_the_stiffer_their_filling() {
        let loss = |compressibility: Option<f64>| {
            let mut scene = Scene::new();
            scene.gravity = Vector3::zeros();
            let mesh = generate::hollow_ball(0.07, 0.1, 0.03).unwrap();
            let soft = Material::RUBBER.with_youngs_modulus(1e5).unwrap();
            let ball = scene.add(Solid::new(mesh).material(soft));
            for side in [1.0, -1.0] {
                let cap = Selection::HalfSpace {
                    point: Vector3::new(0.0, 0.0, side * 0.08),
                    normal: Vector3::new(0.0, 0.0, side),
                };
                let inward = Motion::Velocity(Vector3::new(0.0, 0.0, -side * 0.2));
                scene.pin(ball, cap).motion(inward);
            }
            // A zone of no stiffness measures without pushing.
            let compressibility = compressibility.unwrap_or(1e9);
            let cavity = scene.zone(
                Zone::cavity(ball).model(VolumeModel::NearlyIncompressible { compressibility }),
            );
            let settings = Settings { time_step: 0.02, ..Default::default() };
            let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
            let full = simulation.zone_volume(cavity);
            for _ in 0..10 {
                assert!(simulation.step().converged());
            }
            1.0 - simulation.zone_volume(cavity) / full
        };
        let [empty, air, liquid] = [loss(None), loss(Some(1.0)), loss(Some(0.01))];
        assert!(empty > 1.2 * air, "{empty} empty, {air} with air");
        assert!(air > 10.0 * liquid, "{air} with air, {liquid} with liquid");
        assert!(liquid > 0.0);
    }

    #[test]
    fn energy_of_zones_belongs_to_the_balance() {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let ball = scene.add(balloon(0.1, 0.05));
        scene.zone(Zone::inside(ball).gauge_pressure(2e3));
        let settings = Settings {
            time_step: 2e-4,
            method: SmoothSettings {
                integrator: stiction::step::Integrator::Trapezoid,
                ..Default::default()
            }
            .into(),
            ..Default::default()
        };
        let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
        let start = simulation.energies().total();
        let mut zones = (0.0f64, 0.0f64);
        let mut drift = 0.0f64;
        for _ in 0..100 {
            assert!(simulation.step().converged());
            let energies = simulation.energies();
            zones = (zones.0.min(energies.zones), zones.1.max(energies.kinetic));
            drift = drift.max((energies.total() - start).abs());
        }
        assert!(zones.1 > 0.0 && zones.0 < -zones.1, "the gas drives the motion: {zones:?}");
        assert!(drift < 0.01 * zones.1, "{drift} J of {} J", zones.1);
    }

    #[test]
    fn a_zone_that_would_turn_inside_out_is_survived() {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let case = Solid::cuboid([0.2; 3], [1, 1, 1]).unwrap().mesh.boundary().surface;
        let case = scene.add(Cloth::new(case).warp([1.0, 1.0, 1.0]));
        let lid =
            Selection::HalfSpace { point: Vector3::new(0.0, 0.0, 0.05), normal: Vector3::z() };
        // Through the bottom: no volume is left for the gas, whatever the free vertices do quickly.
        scene.pin(case, lid).motion(Motion::Velocity(Vector3::new(0.0, 0.0, -30.0)));
        let gas = scene.zone(Zone::inside(case));
        for method in [StageSolver::Auto, StageSolver::Newton, StageSolver::MatrixFree] {
            let solver = SolverSettings { method, ..Default::default() };
            let settings = Settings {
                method: SmoothSettings { solver, ..Default::default() }.into(),
                ..Default::default()
            };
            let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
            for _ in 0..3 {
                let report = simulation.step();
                assert!(simulation.positions(case).iter().all(|x| x.iter().all(|c| c.is_finite())));
                assert!(simulation.zone_volume(gas) > 0.0 || !report.converged());
                assert!(simulation.zone_pressure(gas).is_finite());
            }
        }
    }

    #[test]
    fn surfaces_of_two_bodies_enclose_one_zone_where_they_are_welded() {
        let mut scene = Scene::new();
        let tube = scene.add(Cloth::new(tube(12, 4)));
        // Both lids, one of them with its normal inward, come as one cloth of two pieces.
        let lids = scene.add(Cloth::new(lids(12)));
        scene.weld(tube, Selection::Boundary, lids);
        let zone = scene.zone(
            Zone::inside(tube).and(lids, ZonePart::Outside).gauge_pressure(1e3).filling_holes(),
        );
        let simulation = Simulation::new(&scene).unwrap();
        assert_eq!(simulation.model().zone_shape(zone).hole_count(), 0);
        let polygon = 6.0 * (std::f64::consts::TAU / 12.0).sin() * 0.09;
        assert_near(simulation.zone_volume(zone), polygon, 1e-12);
    }

    #[test]
    fn a_bag_that_is_flat_at_rest_needs_a_rest_volume() {
        let mut scene = Scene::new();
        let flat = flat_bag();
        let start: Vec<Vector3> = flat
            .vertices()
            .iter()
            .enumerate()
            .map(|(v, x)| x + Vector3::z() * if v == 8 { 0.1 } else { 0.0 })
            .collect();
        let bag = scene.add(Cloth::new(flat).starting_at(start));
        let zone = scene.zone(Zone::inside(bag));
        assert!(matches!(Simulation::new(&scene), Err(SceneError::FlatZone { .. })));
        scene.zones[zone.index()].rest_volume = Some(1e-2);
        let simulation = Simulation::new(&scene).unwrap();
        assert!(simulation.zone_volume(zone) > 0.0);
        assert!(simulation.zone_pressure(zone) < 0.0 || simulation.zone_volume(zone) < 1e-2);
    }

    #[test]
    fn what_cannot_be_a_zone_is_refused_by_name() {
        let refuse = |make: &dyn Fn(&mut Scene, BodyId, BodyId) -> Zone| {
            let mut scene = Scene::new();
            let solid = scene.add(Solid::cuboid([0.1; 3], [1, 1, 1]).unwrap().named("block"));
            let cloth = scene.add(Cloth::sheet([0.1; 2], [2, 2]).unwrap().named("sheet"));
            let zone = make(&mut scene, solid, cloth).named("air");
            scene.zone(zone);
            Simulation::new(&scene).unwrap_err()
        };
        let error = refuse(&|_, _, cloth| Zone::inside(cloth));
        assert!(matches!(error, SceneError::OpenZone { .. }));
        assert!(error.to_string().contains("'air'") && error.to_string().contains("8 open edges"));
        let error = refuse(&|_, solid, _| Zone::cavity(solid));
        assert!(matches!(error, SceneError::NoCavity { cloth: false, .. }));
        let error = refuse(&|_, _, cloth| Zone::cavity(cloth));
        assert!(matches!(error, SceneError::NoCavity { cloth: true, .. }));
        let error = refuse(&|_, _, cloth| Zone::inside(cloth).filling_holes());
        assert!(matches!(error, SceneError::FlatZone { .. }));
        let error = refuse(&|_, solid, _| Zone::inside(solid).gauge_pressure(-2e5));
        assert!(matches!(error, SceneError::Value { what: "gauge pressure", .. }));
        let liquid = VolumeModel::Quadratic { compressibility: 0.0 };
        let error = refuse(&|_, solid, _| Zone::inside(solid).model(liquid));
        assert!(matches!(error, SceneError::Value { what: "compressibility", .. }));
        let error = refuse(&|_, solid, _| Zone::inside(solid).rest_volume(f64::NAN));
        assert!(matches!(error, SceneError::Value { what: "rest volume", .. }));
        let error = refuse(&|scene, _, _| {
            Zone::inside(scene.add(stiction::body::Obstacle::plane(Vector3::y(), 0.0)))
        });
        assert!(matches!(error, SceneError::NotDeformable { what: "a zone", .. }));
        let error =
            refuse(&|_, solid, _| Zone::of(solid, ZonePart::Selected(Selection::Ids(vec![0, 1]))));
        assert!(matches!(error, SceneError::NoFace { what: "a zone", vertices: 2, .. }));
    }
}

/// A closed ball of thin isotropic sheet: 50 kN/m, ν = 0.3.
fn balloon(radius: f64, edge_length: f64) -> Cloth {
    let mesh = generate::ball(radius, edge_length).unwrap().boundary().surface;
    let stretch = Stretch::Isotropic { youngs_modulus: 5e4, poissons_ratio: 0.3 };
    let sheet = Fabric::new(stretch, 0.2, 0.0).unwrap().with_damping(Damping::NONE).unwrap();
    Cloth::new(mesh).material(sheet)
}

/// A prism without ends, of radius 0.3 and length 1 along z, from −0.5 to 0.5 [m].
fn tube(sides: u32, rings: u32) -> TriMesh {
    let vertex = |ring: u32, side: u32| ring * sides + side % sides;
    let mut vertices = Vec::new();
    for ring in 0..rings {
        for side in 0..sides {
            let angle = std::f64::consts::TAU * f64::from(side) / f64::from(sides);
            let z = f64::from(ring) / f64::from(rings - 1) - 0.5;
            vertices.push(Vector3::new(0.3 * angle.cos(), 0.3 * angle.sin(), z));
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..rings - 1 {
        for side in 0..sides {
            let [a, b] = [vertex(ring, side), vertex(ring, side + 1)];
            let [c, d] = [vertex(ring + 1, side), vertex(ring + 1, side + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    TriMesh::cloth(vertices, triangles).unwrap()
}

/// Two polygons that close a [`tube`], both facing outward.
fn lids(sides: u32) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (k, z) in [-0.5, 0.5].into_iter().enumerate() {
        let first = vertices.len() as u32;
        for side in 0..sides {
            let angle = std::f64::consts::TAU * f64::from(side) / f64::from(sides);
            vertices.push(Vector3::new(0.3 * angle.cos(), 0.3 * angle.sin(), z));
        }
        vertices.push(Vector3::new(0.0, 0.0, z));
        for side in 0..sides {
            let (a, b, hub) = (first + side, first + (side + 1) % sides, first + sides);
            triangles.push(if k == 0 { [b, a, hub] } else { [a, b, hub] });
        }
    }
    TriMesh::cloth(vertices, triangles).unwrap()
}

/// Two squares on top of each other, one around its centre, sewn together at the rim; flat.
fn flat_bag() -> TriMesh {
    let mut vertices = Vec::new();
    for k in 0..8 {
        let angle = std::f64::consts::TAU * f64::from(k) / 8.0;
        vertices.push(Vector3::new(0.3 * angle.cos(), 0.3 * angle.sin(), 0.0));
    }
    vertices.extend([Vector3::zeros(), Vector3::zeros()]);
    let mut triangles = Vec::new();
    for k in 0..8 {
        let next = (k + 1) % 8;
        triangles.extend([[k, next, 8], [next, k, 9]]);
    }
    TriMesh::cloth(vertices, triangles).unwrap()
}

/// Flat positions with noise.
fn crumpled(vertices: &[Vector3], amount: f64) -> Vec<f64> {
    let moved = vertices.iter().enumerate().map(|(k, x)| x + noise(5, k) * amount);
    moved.flat_map(|x| [x.x, x.y, x.z]).collect()
}

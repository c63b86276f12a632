//! Assembly against its brute-force twin, and the same bits on any number of threads.

use stiction::assembly::{Assembly, Rows, Term};
use stiction::body::{Anchor, Cloth, LoadKind, Solid, Spring as Link};
use stiction::element::{
    HingeSet, PressureSet, Projection, RestAngles, Spring, SpringSet, TetrahedronSet, TriangleSet,
};
use stiction::energy::{MembraneModel, SolidModel};
use stiction::material::{Damping, Fabric, Material, SolidLaw};
use stiction::math::Vector3;
use stiction::mesh::generate::{CuboidSplit, cuboid, unstructured_sheet};
use stiction::mesh::{Selection, TetMesh, TriMesh};
use stiction::method::smooth::System;
use stiction::method::smooth::{SmoothSettings, SolverSettings, StageSolver};
use stiction::solve::BlockMatrix;
use stiction::step::{Dynamics, Stage};
use stiction::{Scene, Settings, Simulation};
use stiction_check::dense::{DenseSum, by_node, difference_jacobian, vector_by_node};
use stiction_check::shapes::noise;

/// Elements of all kinds on one set of nodes: a box, a sheet, springs between them, pressure on the box.
#[derive(Clone)]
struct Mixed {
    points: Vec<Vector3>,
    solid: (TetrahedronSet<SolidModel>, Vec<[u32; 4]>),
    membrane: (TriangleSet<MembraneModel>, Vec<[u32; 3]>),
    bending: (HingeSet, Vec<[u32; 4]>),
    springs: (SpringSet, Vec<[u32; 2]>),
    pressure: (PressureSet, Vec<[u32; 3]>),
}

const PRESSURE_SCALE: f64 = 0.7;
const STIFFNESS_DAMPING: f64 = 0.01;

impl Mixed {
    fn new(cells: usize) -> Self {
        let solid: TetMesh = cuboid([0.3; 3], [cells; 3], CuboidSplit::Five).unwrap();
        let sheet: TriMesh = unstructured_sheet([0.5, 0.4], 0.3 / cells as f64, 3).unwrap();
        let first = solid.vertex_count() as u32;
        let placed = sheet.vertices().iter().map(|x| x + Vector3::new(0.0, 0.0, 0.4));
        let points = solid.vertices().iter().copied().chain(placed).collect();
        let hinges: Vec<[u32; 4]> = sheet.hinges().iter().map(|hinge| hinge.vertices).collect();
        let boundary = solid.boundary();
        // Half of the surface: over all of it pressure would have an energy, and a symmetric Hessian.
        let half = boundary.surface.triangles().iter().take(boundary.surface.element_count() / 2);
        let faces: Vec<[u32; 3]> =
            half.map(|face| face.map(|v| boundary.vertices[v as usize])).collect();
        let pairs: Vec<[u32; 2]> = (0..first.min(sheet.vertex_count() as u32))
            .step_by(3)
            .map(|v| [v, first + v])
            .collect();
        let springs = (0..pairs.len())
            .map(|k| Spring { stiffness: 10.0 + k as f64, rest_length: 0.05 * (k % 3) as f64 });
        Self {
            points,
            solid: (
                TetrahedronSet::new(Material::FOAM.model(), solid.vertices(), solid.tets())
                    .unwrap(),
                solid.tets().to_vec(),
            ),
            membrane: (
                TriangleSet::from_rest_positions(
                    Fabric::COTTON.model(),
                    sheet.vertices(),
                    sheet.triangles(),
                    Vector3::x(),
                )
                .unwrap(),
                sheet.triangles().iter().map(|t| t.map(|v| v + first)).collect(),
            ),
            bending: (
                HingeSet::new(1e-2, sheet.vertices(), &hinges, RestAngles::Flat).unwrap(),
                hinges.iter().map(|hinge| hinge.map(|v| v + first)).collect(),
            ),
            springs: (SpringSet::new(springs.collect()), pairs),
            pressure: (PressureSet::uniform(300.0, faces.len()), faces),
        }
    }

    fn assembly(&self, held: impl Fn(u32) -> bool) -> (Assembly, Rows) {
        let rows = Rows::new(&self.points, held);
        let Self { solid, membrane, bending, springs, pressure, .. } = self.clone();
        let mut push = Term::new("pressure", pressure.0, pressure.1, 0.0);
        push.set_scale(PRESSURE_SCALE);
        let terms = vec![
            Term::new("solid", solid.0, solid.1, STIFFNESS_DAMPING),
            Term::new("membrane", membrane.0, membrane.1, 0.0),
            Term::new("bending", bending.0, bending.1, 0.0),
            Term::new("spring", springs.0, springs.1, 0.0),
            push,
        ];
        (Assembly::new(terms, &rows, &[]), rows)
    }

    /// The same sums, dense, in the same order.
    fn twin(&self, x: &[f64], projection: Projection) -> DenseSum {
        let mut sum = DenseSum::at(x);
        sum.add(&self.solid.0, &self.solid.1, projection, 1.0);
        sum.add(&self.membrane.0, &self.membrane.1, projection, 1.0);
        sum.add(&self.bending.0, &self.bending.1, projection, 1.0);
        sum.add(&self.springs.0, &self.springs.1, projection, 1.0);
        sum.add(&self.pressure.0, &self.pressure.1, projection, PRESSURE_SCALE);
        sum
    }

    /// Positions away from rest, flat.
    fn deformed(&self) -> Vec<f64> {
        let moved = self.points.iter().enumerate().map(|(v, x)| x + noise(21, v) * 0.01);
        moved.flat_map(|x| [x.x, x.y, x.z]).collect()
    }
}

/// Every node's sums run over elements in one order, so the twins agree to the last bit.
#[test]
fn gradients_and_hessians_are_those_of_the_twin() {
    let mixed = Mixed::new(3);
    let x = mixed.deformed();
    for held in [u32::MAX, 0, 7] {
        let (assembly, rows) = mixed.assembly(|node| held < 32 && node % 7 == held % 7);
        assert!(!assembly.is_conservative());
        assert_eq!(rows.len(), mixed.points.len());
        for projection in [Projection::Exact, Projection::Positive] {
            let twin = mixed.twin(&x, projection);
            let energy = assembly.energy(&x);
            assert!((energy - twin.energy).abs() < 1e-14 * energy, "{energy} {}", twin.energy);
            let mut gradient = vec![0.0; x.len()];
            assembly.gradient(&x, &mut gradient);
            assert_eq!(vector_by_node(&gradient, &rows), twin.gradient);
            let mut matrix = BlockMatrix::zeros(assembly.pattern().clone());
            assembly.hessian(&x, projection, &mut matrix);
            assert_eq!(by_node(&matrix, &rows), twin.hessian);
            if projection == Projection::Exact {
                let dx: Vec<f64> = (0..x.len()).map(|k| (0.7 * k as f64).cos()).collect();
                let mut product = vec![0.0; x.len()];
                assembly.hessian_product(&x, &dx, &mut product);
                let expected = &twin.hessian * nalgebra::DVector::from_column_slice(&dx);
                let difference = vector_by_node(&product, &rows) - &expected;
                assert!(difference.amax() < 1e-13 * expected.amax(), "product without a matrix");
            }
        }
    }
}

#[test]
fn damping_is_that_of_damped_terms() {
    let mixed = Mixed::new(2);
    let x = mixed.deformed();
    let (assembly, rows) = mixed.assembly(|_| false);
    let mut matrix = BlockMatrix::zeros(assembly.pattern().clone());
    assembly.damping(&x, &mut matrix);
    let mut twin = nalgebra::DMatrix::zeros(x.len(), x.len());
    let (set, stencils) = (&mixed.solid.0, &mixed.solid.1);
    for (e, nodes) in stencils.iter().enumerate() {
        let corners = nodes.map(|node| stiction::assembly::point(&x, node as usize));
        let damping = stiction::element::ElementSet::damping(set, e, &corners);
        for (a, &row) in nodes.iter().enumerate() {
            for (b, &column) in nodes.iter().enumerate() {
                let mut block = twin.fixed_view_mut::<3, 3>(3 * row as usize, 3 * column as usize);
                block += damping[a][b] * STIFFNESS_DAMPING;
            }
        }
    }
    assert_eq!(by_node(&matrix, &rows), twin);
}

/// By error slope: differences of the gradient come to the Hessian with the square of their step.
#[test]
fn the_hessian_is_the_derivative_of_the_gradient() {
    let mixed = Mixed::new(1);
    let (assembly, rows) = mixed.assembly(|_| false);
    let x = mixed.deformed();
    let gradient = |x: &[f64]| {
        let mut gradient = vec![0.0; x.len()];
        assembly.gradient(x, &mut gradient);
        vector_by_node(&gradient, &rows).as_slice().to_vec()
    };
    let mut matrix = BlockMatrix::zeros(assembly.pattern().clone());
    assembly.hessian(&x, Projection::Exact, &mut matrix);
    let exact = by_node(&matrix, &rows);
    let error = |h: f64| (difference_jacobian(gradient, &x, h) - &exact).norm() / exact.norm();
    let (coarse, fine) = (error(1e-4), error(1e-5));
    assert!(fine < 0.02 * coarse && fine < 1e-5, "{coarse:e} to {fine:e}");
}

fn on_threads<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(f)
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn threads_do_not_change_a_bit_of_the_sums() {
    let mixed = Mixed::new(6);
    let x = mixed.deformed();
    let run = |threads: usize| {
        on_threads(threads, || {
            let (assembly, _) = mixed.assembly(|node| node % 5 == 0);
            let mut gradient = vec![0.0; x.len()];
            assembly.gradient(&x, &mut gradient);
            let mut matrix = BlockMatrix::zeros(assembly.pattern().clone());
            assembly.hessian(&x, Projection::Exact, &mut matrix);
            let blocks: Vec<f64> =
                matrix.values().iter().flat_map(|block| block.iter().copied()).collect();
            (assembly.energy(&x).to_bits(), bits(&gradient), bits(&blocks))
        })
    };
    let one = run(1);
    for threads in [2, 3, 7] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

/// A bit of everything that can be in a scene today.
fn scene(pressure: bool) -> Scene {
    let mut scene = Scene::new();
    let damping = Damping { mass: 0.5, stiffness: 1e-3 };
    let material = Material::FOAM.with_damping(damping).unwrap();
    let block = Solid::cuboid([0.3, 0.2, 0.2], [6, 4, 4]).unwrap().material(material);
    let block = scene.add(block);
    let sheet = Cloth::sheet([0.4, 0.4], [8, 8]).unwrap().at([0.0, 0.0, 0.5]);
    let sheet = scene.add(sheet);
    scene.pin(block, Selection::Tag("x-min".into()));
    scene.pin(sheet, Selection::Tag("left".into())).axes([true, true, false]);
    scene.pin(sheet, Selection::Ids(vec![8])).release(0.02);
    for v in 0..8 {
        scene.spring(
            Link::new(Anchor::Vertex(block, 10 * v), Anchor::Vertex(sheet, 5 * v), 3.0)
                .rest_length(0.3)
                .damping(0.01),
        );
    }
    if pressure {
        scene.load(block, Selection::Boundary, LoadKind::Pressure(500.0));
    }
    scene.load(sheet, Selection::All, LoadKind::Traction(Vector3::new(0.0, 0.0, 1.0)));
    scene
}

#[test]
fn threads_do_not_change_a_bit_of_a_run() {
    for (pressure, method) in [
        (false, StageSolver::Auto),
        (true, StageSolver::Auto),
        (false, StageSolver::Newton),
        (true, StageSolver::InexactNewton),
    ] {
        let scene = scene(pressure);
        let run = |threads: usize| {
            on_threads(threads, || {
                let solver = SolverSettings { method, ..Default::default() };
                let settings = Settings {
                    method: SmoothSettings { solver, ..Default::default() }.into(),
                    ..Default::default()
                };
                let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
                for _ in 0..4 {
                    let report = simulation.step();
                    assert!(report.converged(), "{report:?}");
                }
                if !pressure && method == StageSolver::Auto {
                    assert!(simulation.settle().unwrap().converged());
                }
                let state = simulation.state();
                let reactions = bits(simulation.model().reactions());
                (
                    bits(&state.trajectory.q),
                    bits(&state.trajectory.v),
                    bits(&state.memory),
                    reactions,
                )
            })
        };
        let one = run(1);
        for threads in [2, 3, 7] {
            assert!(run(threads) == one, "{threads} threads, pressure {pressure}, {method:?}");
        }
    }
}

/// A small scene whose forces are smooth: every kind of force, damping where it does not depend on position.
fn smooth_scene(method: StageSolver, max_iterations: usize) -> (System, Vec<f64>, Vec<f64>) {
    let mut scene = Scene::new();
    let damping = Damping { mass: 0.5, stiffness: 0.0 };
    let linear = Material::FOAM.with_law(SolidLaw::Linear).unwrap().with_damping(damping).unwrap();
    let stiff = scene.add(Solid::cuboid([0.2; 3], [2, 1, 1]).unwrap().material(linear));
    let soft = Solid::cuboid([0.2; 3], [1, 2, 1]).unwrap().material(Material::JELLY);
    let soft = scene.add(soft.at([0.3, 0.0, 0.0]));
    let sheet = Cloth::sheet([0.2, 0.2], [2, 2]).unwrap().at([0.0, 0.0, 0.4]);
    let sheet = scene.add(sheet);
    scene.pin(stiff, Selection::Tag("x-min".into()));
    scene.pin(sheet, Selection::Tag("left".into())).axes([true, false, true]);
    scene.spring(
        Link::new(Anchor::Vertex(stiff, 2), Anchor::Vertex(soft, 0), 30.0).rest_length(0.05),
    );
    scene.spring(
        Link::new(Anchor::Vertex(soft, 3), Anchor::Vertex(sheet, 4), 5.0)
            .damping(0.3)
            .rest_length(0.0),
    );
    // On an open part of the surface, so that the Jacobian is not symmetric.
    scene.load(soft, Selection::Tag("y-max".into()), LoadKind::Pressure(-200.0));
    let solver = SolverSettings { method, max_iterations, tolerance: 1e-11, ..Default::default() };
    System::new(&scene, solver).unwrap()
}

/// A stage whose end is not far from where it starts.
fn stage(q: &[f64], v: &[f64]) -> Stage {
    let h = 0.01;
    let (time, q_hat, v_hat, impulse) = (h, q.to_vec(), v.to_vec(), vec![0.0; q.len()]);
    let history = Default::default();
    Stage { time, beta: h, gamma: h, q_hat, v_hat, impulse, history }
}

/// One Newton step from `ε` away ends `ε²` away only if the Jacobian is the derivative of the residual.
#[test]
fn one_newton_step_squares_the_error() {
    let (mut system, q0, v0) = smooth_scene(StageSolver::Newton, 50);
    // Away from rest, so that everything is bent, stretched and moving.
    let wobble = |scale: f64, seed: u64| move |k: usize| noise(seed, k / 3)[k % 3] * scale;
    let q0: Vec<f64> = q0.iter().enumerate().map(|(k, q)| q + wobble(0.01, 4)(k)).collect();
    let v0: Vec<f64> = v0.iter().enumerate().map(|(k, v)| v + wobble(0.1, 5)(k)).collect();
    let stage = stage(&q0, &v0);
    let (mut q, mut root) = (q0.clone(), v0.clone());
    let report = system.solve(&stage, &mut q, &mut root);
    assert!(report.residuals.last().unwrap() < &1e-7, "{report:?}");

    let (mut once, ..) = smooth_scene(StageSolver::Newton, 1);
    let mut error = |epsilon: f64| {
        let guess = |k: usize| root[k] + wobble(epsilon, 6)(k);
        let mut v: Vec<f64> = (0..root.len()).map(guess).collect();
        let mut q = q0.clone();
        let report = once.solve(&stage, &mut q, &mut v);
        assert_eq!(report.iterations, 1, "{report:?}");
        v.iter().zip(&root).map(|(v, root)| (v - root).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(1e-2), error(1e-3));
    let order = (coarse / fine).log10();
    assert!(order > 1.9 && coarse < 2e-3, "{coarse:e} to {fine:e}: order {order}");
}

/// Where forces are linear a stage is a linear system: solved densely, with a Jacobian from differences of forces.
#[test]
fn a_linear_stage_is_solved_as_its_dense_twin() {
    let mut scene = Scene::new();
    let damping = Damping { mass: 0.5, stiffness: 0.0 };
    let linear = Material::FOAM.with_law(SolidLaw::Linear).unwrap().with_damping(damping).unwrap();
    let block = Solid::cuboid([0.2; 3], [2, 1, 1]).unwrap().material(linear);
    let block = scene.add(block.velocity([0.3, 0.0, 0.1]).spin([0.0, 1.0, 2.0]));
    let point = Anchor::Point(Vector3::new(0.5, 0.5, 0.5));
    scene.spring(Link::new(Anchor::Vertex(block, 3), point, 20.0).rest_length(0.0).damping(0.4));
    for method in [StageSolver::Auto, StageSolver::Newton, StageSolver::InexactNewton] {
        let solver = SolverSettings { method, tolerance: 1e-8, ..Default::default() };
        let (mut system, q0, v0) = System::new(&scene, solver).unwrap();
        let stage = stage(&q0, &v0);
        let mut force = |q: &[f64], v: &[f64]| {
            let mut f = vec![0.0; q.len()];
            system.force(0.0, q, v, &mut f);
            f
        };
        // Linear: any step gives the derivative to rounding.
        let stiffness = -difference_jacobian(|q| force(q, &v0), &q0, 0.1);
        let damping = -difference_jacobian(|v| force(&q0, v), &v0, 1.0);
        let f0 = nalgebra::DVector::from_vec(force(&q0, &v0));
        let n = q0.len() - 3; // but the anchor
        let h = stage.beta;
        let mut matrix = (&stiffness * (h * h) + &damping * h).view((0, 0), (n, n)).into_owned();
        for (k, mass) in system.masses()[..n].iter().enumerate() {
            matrix[(k, k)] += mass;
        }
        // M (v − v₀) = h f(q₀ + h v, v), about v₀.
        let v = nalgebra::DVector::from_vec(v0.clone());
        let right = (f0 - &stiffness * &v * h) * h;
        let change = matrix.lu().solve(&right.rows(0, n).into_owned()).unwrap();
        let (mut q, mut v) = (q0.clone(), v0.clone());
        let report = system.solve(&stage, &mut q, &mut v);
        assert!(report.converged(), "{method:?}: {report:?}");
        if method != StageSolver::InexactNewton {
            assert_eq!(report.iterations, 1, "{method:?}: {report:?}");
        }
        let scale = change.amax();
        for k in 0..n {
            let off = (v[k] - v0[k] - change[k]).abs();
            assert!(off < 1e-9 * scale, "{method:?}: unknown {k} off by {off:e} of {scale}");
        }
    }
}

/// Pressure, springs, bending: what `force` returns at a deformed shape is the dense sum of all its parts.
#[test]
fn forces_of_a_system_come_from_its_energy() {
    let (mut system, q, v) = smooth_scene(StageSolver::Auto, 50);
    let q: Vec<f64> =
        q.iter().enumerate().map(|(k, q)| q + noise(8, k / 3)[k % 3] * 0.01).collect();
    let still = vec![0.0; v.len()];
    let mut with_pressure = vec![0.0; q.len()];
    system.force(0.0, &q, &still, &mut with_pressure);
    // Without damping and speed: weight minus the slope of the energy, plus the pressure, which has none.
    let h = 1e-6;
    let slope = |k: usize| {
        let energy = |step: f64| {
            let mut moved = q.clone();
            moved[k] += step;
            system.model().assembly().energy(&moved)
        };
        (energy(h) - energy(-h)) / (2.0 * h)
    };
    let masses = system.masses();
    let rest: Vec<f64> = (0..q.len())
        .map(|k| with_pressure[k] + slope(k) - if k % 3 == 1 { -9.81 * masses[k] } else { 0.0 })
        .collect();
    // Only the top of the soft block is under pressure; it pulls on the area as it is now.
    let top = [4, 10, 11, 5].map(|v| 12 + v);
    let x = top.map(|node| Vector3::from_column_slice(&q[3 * node..3 * node + 3]));
    let area = (x[2] - x[0]).cross(&(x[3] - x[1])) * 0.5;
    let total: Vector3 = rest.chunks_exact(3).map(Vector3::from_column_slice).sum();
    assert!((total - area * 200.0).norm() < 1e-5 * total.norm(), "{total} N on {area} m²");
    for (node, f) in rest.chunks_exact(3).enumerate().filter(|(node, _)| !top.contains(node)) {
        let f = Vector3::from_column_slice(f).norm();
        assert!(f < 1e-5, "node {node} feels {f} N from nowhere");
    }
}

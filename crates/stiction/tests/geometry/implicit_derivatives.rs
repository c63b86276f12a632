//! Every derivative of implicit surfaces is one, by error slope; and floating pairs feel no net force.

use stiction::geometry::implicit::{
    Edges, FieldJet, ImplicitSurface, NormalWeights, Order, Robust, SampleKind, Sharp,
    SurfaceSettings,
};
use stiction::geometry::kernel::Kernel;
use stiction::math::Vector3;
use stiction::mesh::generate::{CuboidSplit, Diagonals, cuboid, sheet};
use stiction_check::differences::assert_is_derivative;
use stiction_check::shapes::noise;

const KERNELS: [Kernel; 4] = [
    Kernel::Cubic,
    Kernel::Quartic,
    Kernel::Rational { epsilon: 0.1 },
    Kernel::Interpolating { epsilon: 0.1 },
];

const KINDS: [SampleKind; 4] = [
    SampleKind::Faces,
    SampleKind::Vertices(NormalWeights::Area),
    SampleKind::Vertices(NormalWeights::Angle),
    SampleKind::Vertices(NormalWeights::Uniform),
];

/// A point over a bumpy, irregular sheet of cells of size one.
#[derive(Clone)]
struct Scene {
    x: Vector3,
    vertices: Vec<Vector3>,
    triangles: Vec<[u32; 3]>,
}

impl Scene {
    fn new(seed: u64) -> Self {
        let mut soup = sheet([6.0, 6.0], [6, 6], Diagonals::Alternating).unwrap().into_soup();
        for (index, vertex) in soup.vertices.iter_mut().enumerate() {
            vertex.z = 0.3 * (vertex.x + 0.4 * vertex.y).sin();
            *vertex += 0.15 * noise(seed, index);
        }
        let x = Vector3::new(0.1, -0.2, 0.45) + 0.3 * noise(seed, 1000);
        Self { x, vertices: soup.vertices, triangles: soup.elements }
    }

    /// A point near a corner of an irregular box of cells of size one.
    fn corner(seed: u64) -> Self {
        let mesh = cuboid([4.0; 3], [4; 3], CuboidSplit::default()).unwrap();
        let mut soup = mesh.boundary().surface.into_soup();
        for (index, vertex) in soup.vertices.iter_mut().enumerate() {
            *vertex += 0.05 * noise(seed, index);
        }
        let x = Vector3::repeat(2.0) + 0.2 * noise(seed, 1000);
        Self { x, vertices: soup.vertices, triangles: soup.elements }
    }

    /// Everything moved along a direction: the point first, then the vertices.
    fn moved(&self, direction: &[Vector3], t: f64) -> Self {
        let mut moved = self.clone();
        moved.x += direction[0] * t;
        for (vertex, d) in moved.vertices.iter_mut().zip(&direction[1..]) {
            *vertex += d * t;
        }
        moved
    }

    fn direction(&self, seed: u64) -> Vec<Vector3> {
        (0..1 + self.vertices.len()).map(|index| noise(seed, index)).collect()
    }

    /// A surface whose radius is far from all samples: kernels other than the quartic jump there in some
    /// derivative. Also how far any sample may move against the point.
    fn surface(&self, kind: SampleKind, kernel: Kernel, edges: Edges) -> (ImplicitSurface, f64) {
        let mut settings = SurfaceSettings { samples: kind, kernel, radius: None, edges };
        let build = |settings: &SurfaceSettings| {
            ImplicitSurface::from_mesh(&self.vertices, &self.triangles, settings).unwrap()
        };
        let surface = build(&settings);
        let mut distances: Vec<f64> =
            surface.sample_points().iter().map(|s| (s - self.x).norm()).collect();
        distances.retain(|&r| (1.5..2.5).contains(&r));
        distances.sort_by(f64::total_cmp);
        let widest = distances
            .windows(2)
            .max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])))
            .expect("several samples are around");
        settings.radius = Some(0.5 * (widest[0] + widest[1]));
        (build(&settings), 0.5 * (widest[1] - widest[0]))
    }
}

/// Candidates are collected once and kept, as in a step.
fn evaluate(surface: &ImplicitSurface, scene: &Scene, order: Order) -> FieldJet {
    let mut moved = surface.clone();
    moved.update(&scene.vertices);
    let (mut candidates, mut jet) = (Vec::new(), FieldJet::default());
    moved.candidates(&scene.x, 0.3, &mut candidates);
    assert!(moved.jet(&scene.x, &candidates, order, &mut jet));
    jet
}

fn dot_gradient(jet: &FieldJet, direction: &[Vector3]) -> f64 {
    let numbers = std::iter::once(0).chain(jet.vertices.iter().map(|&v| 1 + v as usize));
    jet.gradient.iter().zip(numbers).map(|(g, number)| g.dot(&direction[number])).sum()
}

fn dot_hessian(jet: &FieldJet, v: &[Vector3], w: &[Vector3]) -> f64 {
    let numbers: Vec<usize> =
        std::iter::once(0).chain(jet.vertices.iter().map(|&v| 1 + v as usize)).collect();
    let mut sum = 0.0;
    for (a, &na) in numbers.iter().enumerate() {
        for (b, &nb) in numbers.iter().enumerate() {
            sum += v[na].dot(&(jet.block(a, b) * w[nb]));
        }
    }
    sum
}

fn for_every_surface(mut test: impl FnMut(&Scene, &ImplicitSurface, f64)) {
    for seed in [1, 2] {
        let scene = Scene::new(seed);
        for kind in KINDS {
            for kernel in KERNELS {
                let robust = Edges::Robust(Robust { range: 0.7, normal: 0.9 });
                for edges in [Edges::Round, robust] {
                    let (surface, room) = scene.surface(kind, kernel, edges);
                    test(&scene, &surface, room);
                }
            }
        }
        // Rounded so much that all three faces of a corner take part.
        let corner = Scene::corner(seed);
        for kernel in KERNELS {
            let sharp = Edges::Sharp(Sharp { rounding: 2.0, ..Sharp::default() });
            let (surface, room) = corner.surface(SampleKind::Faces, kernel, sharp);
            test(&corner, &surface, room);
        }
    }
}

#[test]
fn gradients_are_derivatives_of_values() {
    for_every_surface(|scene, surface, room| {
        let jet = evaluate(surface, scene, Order::First);
        for seed in 0..3 {
            // Differences reach 0.01 along the direction; point and sample may both move.
            let speed = (10.0 * room).min(0.5);
            let direction: Vec<_> = scene.direction(seed).iter().map(|d| d * speed).collect();
            assert_is_derivative(
                |t| evaluate(surface, &scene.moved(&direction, t), Order::Value).value,
                dot_gradient(&jet, &direction),
                speed,
            );
        }
    });
}

#[test]
fn hessians_are_derivatives_of_gradients() {
    for_every_surface(|scene, surface, room| {
        let jet = evaluate(surface, scene, Order::Second);
        for seed in 0..3 {
            let speed = (10.0 * room).min(0.5);
            let direction: Vec<_> = scene.direction(seed).iter().map(|d| d * speed).collect();
            let along = scene.direction(100 + seed);
            assert_is_derivative(
                |t| {
                    let moved = scene.moved(&direction, t);
                    dot_gradient(&evaluate(surface, &moved, Order::First), &along)
                },
                dot_hessian(&jet, &along, &direction),
                speed,
            );
        }
    });
}

#[test]
fn orders_agree_and_hessians_are_symmetric() {
    for_every_surface(|scene, surface, _| {
        let second = evaluate(surface, scene, Order::Second);
        let first = evaluate(surface, scene, Order::First);
        let value = evaluate(surface, scene, Order::Value);
        assert_eq!(first.value.to_bits(), second.value.to_bits());
        assert_eq!(value.value.to_bits(), second.value.to_bits());
        assert_eq!(first.gradient, second.gradient);
        assert!(first.hessian.is_empty() && value.gradient.is_empty());
        let width = second.gradient.len();
        for a in 0..width {
            for b in 0..width {
                assert_eq!(*second.block(a, b), second.block(b, a).transpose());
            }
        }
        // With the mesh held fixed: the same by the point.
        let point = surface.point_jet(&scene.x).unwrap();
        assert_eq!(point.value.to_bits(), second.value.to_bits());
        assert!((point.gradient - second.gradient[0]).norm() < 1e-14);
        assert!((point.hessian - second.block(0, 0)).norm() < 1e-12 * point.hessian.norm());
    });
}

#[test]
fn nothing_pushes_or_turns_a_floating_pair() {
    for_every_surface(|scene, surface, _| {
        let jet = evaluate(surface, scene, Order::Second);
        let position = |a: usize| match a {
            0 => scene.x,
            a => scene.vertices[jet.vertices[a - 1] as usize],
        };
        let width = jet.gradient.len();
        let force: Vector3 = jet.gradient.iter().sum();
        let torque: Vector3 = (0..width).map(|a| position(a).cross(&jet.gradient[a])).sum();
        assert!(force.norm() < 1e-14, "{force}");
        assert!(torque.norm() < 2e-14, "{torque}");
        let scale = jet.hessian.iter().map(|block| block.norm()).fold(0.0, f64::max);
        for a in 0..width {
            let change: stiction::math::Matrix3 = (0..width).map(|b| *jet.block(a, b)).sum();
            assert!(change.norm() < 1e-13 * scale * width as f64, "{change}");
        }
    });
}

#[test]
fn derivatives_by_samples_of_a_cloud_are_derivatives() {
    let count = 30;
    let points: Vec<Vector3> = (0..count)
        .map(|index| noise(5, index).component_mul(&Vector3::new(1.2, 1.2, 0.15)))
        .collect();
    let normals: Vec<Vector3> =
        (0..count).map(|index| (Vector3::z() + 0.3 * noise(6, index)).normalize()).collect();
    let x = Vector3::new(0.1, 0.05, 0.2);
    for robust in [None, Some(Robust { range: 1.0, normal: 0.8 })] {
        // The spacing must not change with the points, so give what it is.
        let settings =
            SurfaceSettings { kernel: Kernel::Quartic, radius: Some(1.0), ..Default::default() };
        let spacing = ImplicitSurface::from_points(&points, &normals, &settings).unwrap().spacing();
        let build = |points: &[Vector3], normals: &[Vector3]| {
            let plain = ImplicitSurface::from_points(points, normals, &settings).unwrap();
            let edges = robust.map_or(Edges::Round, |robust: Robust| {
                let range = robust.range * spacing / plain.spacing();
                Edges::Robust(Robust { range, ..robust })
            });
            ImplicitSurface::from_points(points, normals, &SurfaceSettings { edges, ..settings })
                .unwrap()
        };
        let mut candidates = Vec::new();
        let surface = build(&points, &normals);
        surface.candidates(&x, 0.0, &mut candidates);
        let mut jet = FieldJet::default();
        assert!(surface.jet(&x, &candidates, Order::First, &mut jet));
        assert!(jet.samples.len() > 10);
        for slope in &jet.samples {
            let j = slope.sample as usize;
            let direction = noise(7, j);
            assert_is_derivative(
                |t| {
                    let mut moved = points.clone();
                    moved[j] += direction * t;
                    build(&moved, &normals).value(&x).unwrap()
                },
                slope.by_point.dot(&direction),
                0.1,
            );
            // Normals are made unit again: only turning counts.
            let turning = direction - normals[j] * normals[j].dot(&direction);
            assert_is_derivative(
                |t| {
                    let mut turned = normals.clone();
                    turned[j] += turning * t;
                    build(&points, &turned).value(&x).unwrap()
                },
                slope.by_normal.dot(&turning),
                0.1,
            );
        }
    }
}

#[test]
fn kernels_are_derivatives_of_each_other() {
    for kernel in KERNELS {
        for r in [0.05, 0.3, 0.9, 1.7] {
            let radius = 1.9;
            let exact = kernel.derivatives(r, radius);
            for order in 0..3 {
                let f = |t: f64| kernel.derivatives(r + t, radius)[order];
                let scale = exact[order + 1].abs().max(1e-2);
                assert_is_derivative(f, exact[order + 1], scale);
            }
        }
    }
}

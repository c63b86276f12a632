//! Nanoseconds per element: energy, gradient, Hessian exact and projected, product with the Hessian.
//!
//! Elements are squeezed and sheared by up to 15 %, so that most solid tangents are indefinite, or stretched by
//! 2 %, so that they are not.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::hint::black_box;
use std::time::Instant;

use stiction::element::{
    CurvatureSet, ElementSet, HingeSet, Projection, RestAngles, TetrahedronSet, TriangleSet,
};
use stiction::energy::Lame;
use stiction::material::{Fabric, SolidLaw};
use stiction::math::{Matrix3, Vector3};

/// Different shapes, so that branches cannot be learnt by heart.
const SHAPES: usize = 1024;

const REST: [Vector3; 4] = [
    Vector3::new(0.0, 0.0, 0.0),
    Vector3::new(1.0, 0.0, 0.0),
    Vector3::new(0.0, 1.0, 0.0),
    Vector3::new(0.0, 0.0, 1.0),
];

fn main() {
    let squeezed = shapes(0.95, 0.15);
    let stretched = shapes(1.02, 0.01);
    println!(
        "ns a call           energy  gradient  product  Hessian  projected, positive  projected, squeezed"
    );
    for (name, law) in SolidLaw::NAMES {
        let model = law.model(Lame::new(1e6, 0.3).expect("valid"));
        let set = TetrahedronSet::new(model, &REST, &[[0, 1, 2, 3]]).expect("valid");
        row(name, &set, &squeezed, &stretched);
    }
    for (name, fabric) in
        [("woven membrane", Fabric::COTTON), ("isotropic membrane", Fabric::PAPER)]
    {
        let set =
            TriangleSet::from_rest_positions(fabric.model(), &REST, &[[0, 1, 2]], Vector3::x());
        let three =
            |shapes: &[[Vector3; 4]]| shapes.iter().map(|x| [x[0], x[1], x[2]]).collect::<Vec<_>>();
        row(name, &set.expect("valid"), &three(&squeezed), &three(&stretched));
    }
    let flat = [REST[0], REST[1], -REST[2], REST[2]];
    let hinge = HingeSet::new(1.0, &flat, &[[0, 1, 2, 3]], RestAngles::Flat).expect("valid");
    row("hinge", &hinge, &squeezed, &stretched);
    let patch = |x: &[Vector3; 4]| [x[0], x[1], x[2], x[3], x[1] + x[2] - x[3], x[2] - x[1]];
    let set = CurvatureSet::new(1.0, 0.3, &patch(&flat), &[[0, 1, 2, 3, 4, 5]], RestAngles::Flat);
    let six = |shapes: &[[Vector3; 4]]| shapes.iter().map(patch).collect::<Vec<_>>();
    row("curvature", &set.expect("valid"), &six(&squeezed), &six(&stretched));
}

fn row<const N: usize>(
    name: &str,
    set: &impl ElementSet<N>,
    squeezed: &[[Vector3; N]],
    stretched: &[[Vector3; N]],
) {
    let energy = best(|i| _ = black_box(set.energy(0, &squeezed[i])));
    let gradient = best(|i| _ = black_box(set.gradient(0, &squeezed[i])));
    let product = best(|i| _ = black_box(set.hessian_product(0, &squeezed[i], &stretched[i])));
    let exact = best(|i| _ = black_box(set.hessian(0, &squeezed[i], Projection::Exact)));
    let positive = best(|i| _ = black_box(set.hessian(0, &stretched[i], Projection::Positive)));
    let projected = best(|i| _ = black_box(set.hessian(0, &squeezed[i], Projection::Positive)));
    println!(
        "{name:20}{energy:6.0}{gradient:10.0}{product:9.0}{exact:9.0}{positive:21.0}{projected:21.0}"
    );
}

/// Tets with an edge matrix of about `scale` times the identity, and noise.
fn shapes(scale: f64, noise: f64) -> Vec<[Vector3; 4]> {
    let mut seed = 12345_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        2.0 * (seed >> 11) as f64 / (1_u64 << 53) as f64 - 1.0
    };
    let mut shape = || {
        let edges =
            Matrix3::from_diagonal_element(scale) + Matrix3::from_fn(|_, _| noise * random());
        let start = Vector3::new(0.1, 0.2, 0.3);
        [start, start + edges.column(0), start + edges.column(1), start + edges.column(2)]
    };
    (0..SHAPES).map(|_| shape()).collect()
}

/// The shortest of fifteen runs [ns].
fn best(mut call: impl FnMut(usize)) -> f64 {
    const CALLS: usize = 20_480;
    let run = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|i| call(black_box(i % SHAPES)));
        start.elapsed().as_secs_f64() / CALLS as f64 * 1e9
    };
    (0..15).map(run).fold(f64::INFINITY, f64::min)
}

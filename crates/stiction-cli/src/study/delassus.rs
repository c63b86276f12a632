//! Contacts of a soft cube with `m` nodes along each edge: what the operator costs. (B16, B17, §4.3)
//!
//! `m³` nodes, `m²` contacts on the ground. With mass alone, `W_M = J M⁻¹ Jᵀ` is diagonal: cheap, and blind to
//! stiffness. With the implicit operator, `W_A = J (M + h²K)⁻¹ Jᵀ` couples all contacts: a factor, three solves a
//! contact, and a dense matrix. `K` is that of springs along the edges of the lattice, the same in all directions.

use std::sync::Arc;
use std::time::Instant;

use stiction::math::Matrix3;
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::{
    BlockRows, ContactProblem, Delassus, Factorised, Law, MassJacobian, Order, Solver,
};
use stiction::solve::direct::{Analysis, Cholesky, Order as Elimination};
use stiction::solve::{BlockMatrix, BlockPattern};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "delassus",
    title: "What does the operator of a soft body cost?",
    source: "B16, B17, §4.3",
    run,
};

/// Of a node [kg], of a spring [N/m], of a step [s].
const MASS: f64 = 0.01;
const STIFFNESS: f64 = 1000.0;
const STEP: f64 = 0.01;
const SWEEPS: usize = 20;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let mut sheet = Sheet::new(&[
        "m",
        "nodes",
        "contacts",
        "blocks of W_A",
        "factor [s]",
        "build W_A [s]",
        "sweep W_A [s]",
        "sweep W_M [s]",
    ]);
    let sizes = [3_usize, 4, 5, 6, 8, 10, 12];
    let mut lines = [const { Vec::new() }; 4];
    for (k, &m) in sizes.iter().enumerate() {
        told(k as f64 / sizes.len() as f64);
        let matrix = lattice(m);
        let (factor_time, factor) = timed(|| {
            let mut factor = Cholesky::new(&Analysis::new(matrix.pattern(), Elimination::Graph));
            factor.factor(&matrix).map(|()| factor)
        });
        let factor = factor.map_err(|_| anyhow::anyhow!("mass and springs are definite"))?;
        // Normals are up, so the frame of a contact is that of the world, turned.
        let frame = Matrix3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
        let jacobian = BlockRows::from_rows(m * m * m, (0..m * m).map(|node| [(node, frame)]));
        let (build_time, assembled) =
            timed(|| Factorised::new(&factor, jacobian.clone()).assemble());
        let masses = vec![Matrix3::identity() / MASS; m * m * m];
        let lumped = MassJacobian::new(masses, jacobian);
        let blocks = assembled.others().block_count() + m * m;
        let (sweep_all, sweep_own) = (sweep_time(assembled)?, sweep_time(lumped)?);
        let times = [factor_time, build_time, sweep_all, sweep_own];
        sheet.row([
            m.to_string(),
            (m * m * m).to_string(),
            (m * m).to_string(),
            blocks.to_string(),
            factor_time.to_string(),
            build_time.to_string(),
            sweep_all.to_string(),
            sweep_own.to_string(),
        ]);
        for (line, time) in lines.iter_mut().zip(times) {
            line.push([m as f64, time]);
        }
    }
    let mut chart = Chart::new(
        "A soft cube on the ground: m³ nodes, m² contacts",
        Quantity::logarithmic("nodes along an edge, m", "1"),
        Quantity::logarithmic("time", "s"),
    );
    let names = ["factor M + h²K", "build W_A", "a sweep over W_A", "a sweep over W_M"];
    for (name, line) in names.into_iter().zip(lines) {
        chart.add(Series::line(name, line).shaped(Shape::DottedLine));
    }
    for (label, power, size) in [("like m⁴", 4, 2e-7), ("like m²", 2, 1e-7)] {
        let line = [3.0, 12.0].map(|m: f64| [m, size * m.powi(power)]).to_vec();
        chart.add(Series::line(label, line).shaped(Shape::Reference));
    }
    let mut findings = Findings::default();
    findings.say("W_A has m⁴ blocks, W_M has m²; times are those of this machine".into());
    findings.sheet("", sheet);
    findings.chart("", chart);
    Ok(findings)
}

/// `M + h²K` of a cube of nodes; those at the bottom come first.
fn lattice(m: usize) -> BlockMatrix {
    let node = |x: usize, y: usize, z: usize| (z * m + y) * m + x;
    let mut springs: Vec<[u32; 2]> = Vec::new();
    for (z, y, x) in (0..m * m * m).map(|k| (k / (m * m), k / m % m, k % m)) {
        for (dx, dy, dz) in [(1, 0, 0), (0, 1, 0), (0, 0, 1)] {
            if x + dx < m && y + dy < m && z + dz < m {
                springs.push([node(x, y, z) as u32, node(x + dx, y + dy, z + dz) as u32]);
            }
        }
    }
    let stencils = springs.iter().map(|pair| pair.as_slice());
    let pattern = Arc::new(BlockPattern::from_stencils(m * m * m, stencils));
    let mut matrix = BlockMatrix::zeros(Arc::clone(&pattern));
    let mut add = |i: usize, j: usize, value: f64| {
        if let Some(slot) = pattern.slot(i, j) {
            matrix.values_mut()[slot] += Matrix3::identity() * value;
        }
    };
    for i in 0..m * m * m {
        add(i, i, MASS);
    }
    for [a, b] in &springs {
        let (a, b, k) = (*a as usize, *b as usize, STEP * STEP * STIFFNESS);
        add(a, a, k);
        add(b, b, k);
        add(a, b, -k);
        add(b, a, -k);
    }
    matrix
}

/// Time of a sweep, the shortest of a few.
fn sweep_time<A: Delassus>(operator: A) -> anyhow::Result<f64> {
    let contacts = operator.contacts();
    let b = (0..contacts).flat_map(|_| [-0.1, 0.05, 0.0]).collect();
    let problem = ContactProblem::new(operator, b, vec![Law::Coulomb { mu: 0.5 }; contacts])?;
    let limits = Limits { tolerance: 0.0, iterations: SWEEPS };
    let mut shortest = f64::INFINITY;
    for _ in 0..3 {
        let mut r = vec![0.0; 3 * contacts];
        let (time, report) =
            timed(|| Solver::GaussSeidel(Order::Given).solve(&problem, &mut r, &limits, &mut ()));
        shortest = shortest.min(time / report.iterations.max(1) as f64);
    }
    Ok(shortest)
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let started = Instant::now();
    let done = work();
    (started.elapsed().as_secs_f64(), done)
}

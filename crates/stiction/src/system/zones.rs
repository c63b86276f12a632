//! Pressure of enclosed volumes: energy, forces, and a second derivative in two parts.
//!
//! $$ f = p\,g, \quad g = \frac{\partial V}{\partial q}, \qquad
//!    -\frac{\partial f}{\partial q} = -p\,\frac{\partial^2 V}{\partial q^2} - p'\, g g^T $$
//!
//! The first part couples corners of triangles, which the stiffness couples anyway, and is added to it. The second
//! couples every node of a zone with every other, and is not small: it keeps the volume, where the first may even
//! push. It stays a [`LowRank`] update of the matrix, exact in every solve: one column a zone, and six for each
//! hole that is filled (see [`crate::geometry::EnclosedVolume`]).
//!
//! `−p′ ≥ 0`, so that `−p′ g gᵀ` never spoils definiteness. `−p ∂²V` is indefinite, and no triangle owns a share of it
//! that could be projected: its blocks depend on the origin. Projection leaves it out, as for follower pressure.
//! Far from a solution that loses little: the minimisation tries the exact Hessian first, and judges its
//! definiteness with the update, not without.
//!
//! Newton iterations of ten steps in which the poles of a hollow ball are pushed together by four fifths of its radius,
//! with 5 kPa of gas-like and stiffer fillings (`κ` per atmosphere):
//!
//! | | `κ` = 1 | 0.01 | 4.6e-5 |
//! |---|---|---|---|
//! | exact, as here | 35 | 37 | 44 |
//! | without `−p ∂²V` | 77 | 84 | 85 |
//! | without `−p′ g gᵀ` | 126 | 20331, in 222 parts | |

use super::build::PlacedZone;
use crate::assembly::{Rows, point};
use crate::element::Projection;
use crate::math::{Matrix3, Vector3};
use crate::solve::low_rank::{Column, LowRank};
use crate::solve::{BlockMatrix, BlockPattern};

/// All zones of a system.
#[derive(Debug)]
pub(super) struct Zones {
    zones: Vec<PlacedZone>,
    /// Per zone and edge, the slots of its block and of the transpose in the stiffness.
    slots: Vec<Vec<[u32; 2]>>,
    /// What the Jacobian last filled lacks.
    update: LowRank,
    points: Vec<Vector3>,
    gradient: Vec<Vector3>,
}

impl Zones {
    pub(super) fn new(zones: Vec<PlacedZone>, rows: &Rows, pattern: &BlockPattern) -> Self {
        let (update, slots) = (no_update(rows), Vec::new());
        let mut zones = Self { zones, slots, update, points: Vec::new(), gradient: Vec::new() };
        zones.prepare(rows, pattern);
        zones
    }

    /// Looks up slots. Triangles are faces of elements: the pattern has them already.
    pub(super) fn prepare(&mut self, rows: &Rows, pattern: &BlockPattern) {
        let slot = |a: u32, b: u32| {
            let (a, b) = (rows.of_node(a) as usize, rows.of_node(b) as usize);
            pattern.slot(a, b).expect("faces of elements are in the pattern") as u32
        };
        let edges =
            |zone: &PlacedZone| zone.shape.edges().map(|[a, b]| [slot(a, b), slot(b, a)]).collect();
        self.slots = self.zones.iter().map(edges).collect();
        self.update = no_update(rows);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.zones.len()
    }

    pub(super) fn zone(&self, k: usize) -> &PlacedZone {
        &self.zones[k]
    }

    /// What [`Zones::add_hessian`] could not put into the matrix.
    pub(super) fn update(&self) -> &LowRank {
        &self.update
    }

    /// Volume of zone `k` at positions `q` [m³].
    pub(super) fn volume(&self, k: usize, q: &[f64]) -> f64 {
        let mut points = Vec::new();
        self.zones[k].shape.place(q, &mut points);
        self.zones[k].shape.volume(&points)
    }

    /// Energy of all zones at positions `q` [J]; infinite where one is inside out.
    pub(super) fn energy(&self, q: &[f64]) -> f64 {
        self.zones.iter().enumerate().map(|(k, zone)| zone.energy.value(self.volume(k, q))).sum()
    }

    /// The same, with the size of what its rounding errors come from [J].
    pub(super) fn energy_and_magnitude(&mut self, q: &[f64]) -> (f64, f64) {
        let (mut energy, mut magnitude) = (0.0, 0.0);
        for PlacedZone { shape, energy: law } in &self.zones {
            shape.place(q, &mut self.points);
            let volume = shape.volume(&self.points);
            energy += law.value(volume);
            magnitude += law.value(volume).abs() + (law.pressure(volume) * volume).abs();
        }
        (energy, magnitude)
    }

    /// Whether every zone has an energy at positions `q`.
    pub(super) fn is_defined(&self, q: &[f64]) -> bool {
        (0..self.len()).all(|k| self.zones[k].energy.is_defined(self.volume(k, q)))
    }

    /// Adds the derivative of the energy, in rows [N].
    pub(super) fn add_gradient(&mut self, q: &[f64], rows: &Rows, out: &mut [f64]) {
        for PlacedZone { shape, energy } in &self.zones {
            shape.place(q, &mut self.points);
            let pressure = energy.pressure(shape.volume(&self.points));
            shape.gradient(&self.points, &mut self.gradient);
            for (&node, g) in shape.nodes().iter().zip(&self.gradient) {
                let at = 3 * rows.of_node(node) as usize;
                out[at..at + 3].iter_mut().zip(g.iter()).for_each(|(out, g)| *out -= pressure * g);
            }
        }
    }

    /// Adds what fits into the stiffness [N/m], and notes the rest, times `scale`, for free rows whose coordinates
    /// are not prescribed.
    pub(super) fn add_hessian(
        &mut self,
        q: &[f64],
        projection: Projection,
        scale: f64,
        rows: &Rows,
        fixed: &[[bool; 3]],
        stiffness: &mut BlockMatrix,
    ) {
        let mut parts = Vec::new();
        for (PlacedZone { shape, energy }, slots) in self.zones.iter().zip(&self.slots) {
            shape.place(q, &mut self.points);
            let volume = shape.volume(&self.points);
            let (p, slope) = (energy.pressure(volume), energy.pressure_slope(volume));
            shape.gradient(&self.points, &mut self.gradient);
            let vectors = shape.nodes().iter().copied().zip(self.gradient.iter().copied());
            parts.push((-slope * scale, column(vectors, rows, fixed)));
            if projection == Projection::Positive {
                continue;
            }
            let blocks = stiffness.values_mut();
            shape.for_each_block(&self.points, |k, block| {
                let [slot, mirror] = slots[k];
                blocks[slot as usize] -= block * p;
                blocks[mirror as usize] -= block.transpose() * p;
            });
            for pair in shape.rim_columns(&self.points) {
                // u vᵀ + v uᵀ = ((u + sv)(u + sv)ᵀ − (u − sv)(u − sv)ᵀ) / 2s, with a length s that makes both alike.
                let size = |of: &[(u32, Vector3)]| of.iter().map(|(_, x)| x.norm_squared()).sum();
                let (u, v): (f64, f64) = (size(&pair.u), size(&pair.v));
                if u == 0.0 {
                    continue;
                }
                let s = (u / v).sqrt();
                for sign in [1.0, -1.0] {
                    let scaled = pair.v.iter().map(|&(node, x)| (node, x * (sign * s)));
                    let sum = column(pair.u.iter().copied().chain(scaled), rows, fixed);
                    parts.push((-p * scale * sign / (2.0 * s), sum));
                }
            }
        }
        self.update = LowRank::symmetric(3 * rows.free(), parts)
            .expect("columns have been cut to the free rows");
    }

    /// What products with the second derivative need, at `q`.
    pub(super) fn tangents(&self, q: &[f64]) -> Vec<Tangent<'_>> {
        let tangent = |zone| Tangent::new(zone, q);
        self.zones.iter().map(tangent).collect()
    }
}

/// The second derivative of the energy of one zone as an operator.
pub(super) struct Tangent<'a> {
    zone: &'a PlacedZone,
    pressure: f64,
    slope: f64,
    points: Vec<Vector3>,
    gradient: Vec<Vector3>,
}

impl<'a> Tangent<'a> {
    fn new(zone: &'a PlacedZone, q: &[f64]) -> Self {
        let (mut points, mut gradient) = (Vec::new(), Vec::new());
        zone.shape.place(q, &mut points);
        zone.shape.gradient(&points, &mut gradient);
        let volume = zone.shape.volume(&points);
        let (pressure, slope) = (zone.energy.pressure(volume), zone.energy.pressure_slope(volume));
        Self { zone, pressure, slope, points, gradient }
    }

    /// Adds the product with a change of all nodes, in rows [N].
    pub(super) fn add_product(&self, change: &[f64], rows: &Rows, out: &mut [f64]) {
        let shape = &self.zone.shape;
        let (mut scratch, mut bent) = (Vec::new(), Vec::new());
        shape.hessian_product(&self.points, change, &mut scratch, &mut bent);
        let nodes = shape.nodes().iter().zip(&self.gradient);
        let swept: f64 = nodes.map(|(&node, g)| g.dot(&point(change, node as usize))).sum();
        for ((&node, g), bent) in shape.nodes().iter().zip(&self.gradient).zip(&bent) {
            let force = -(bent * self.pressure + g * (self.slope * swept));
            let at = 3 * rows.of_node(node) as usize;
            out[at..at + 3].iter_mut().zip(force.iter()).for_each(|(out, f)| *out += f);
        }
    }

    /// Adds the diagonal blocks, in rows [N/m]. Those of `∂²V` are zero.
    pub(super) fn add_diagonal(&self, rows: &Rows, blocks: &mut [Matrix3]) {
        for (&node, g) in self.zone.shape.nodes().iter().zip(&self.gradient) {
            blocks[rows.of_node(node) as usize] -= g * g.transpose() * self.slope;
        }
    }
}

fn no_update(rows: &Rows) -> LowRank {
    LowRank::symmetric(3 * rows.free(), Vec::new()).expect("nothing always fits")
}

/// Vectors at nodes as a column over free rows, without prescribed coordinates.
fn column(
    vectors: impl Iterator<Item = (u32, Vector3)>,
    rows: &Rows,
    fixed: &[[bool; 3]],
) -> Column {
    let mut entries = Vec::new();
    for (node, vector) in vectors {
        let row = rows.of_node(node) as usize;
        if row < rows.free() {
            let free = (0..3).filter(|&axis| !fixed[node as usize][axis]);
            entries.extend(free.map(|axis| (3 * row + axis, vector[axis])));
        }
    }
    Column::Sparse(entries)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::Scene;
    use crate::body::{Cloth, Solid, Zone};
    use crate::energy::VolumeModel;
    use crate::material::Material;
    use crate::mesh::{Selection, generate};
    use crate::solve::LinearOperator;
    use crate::solve::low_rank::LowRankOperator;
    use crate::system::iterative::{Iterative, Request};
    use crate::system::jacobian::{Wanted, Weights};
    use crate::system::linear::{Linear, Near, Outcome, Symmetry, Updated};
    use crate::system::matrix_free::Jacobian;
    use crate::system::watch::Watch;
    use crate::system::{SolverSettings, System};

    /// A hollow ball full of liquid, and a ball of cloth with a hole full of gas; some of both is held in part.
    fn filled(pressure: f64) -> (System, Vec<f64>) {
        let mut scene = Scene::new();
        let ball = generate::hollow_ball(0.06, 0.1, 0.05).expect("valid");
        let ball = scene.add(Solid::new(ball).material(Material::JELLY));
        let mut bag = generate::ball(0.1, 0.05).expect("valid").boundary().surface.into_soup();
        bag.elements.retain(|t| !t.contains(&0));
        let bag = bag.without_unused_vertices().build().expect("valid");
        let bag = scene.add(Cloth::new(bag).at([0.5, 0.0, 0.0]));
        let above = |z| Selection::HalfSpace { point: Vector3::z() * z, normal: Vector3::z() };
        scene.pin(ball, above(0.09));
        scene.pin(bag, above(0.07)).axes([true, false, true]);
        let liquid = VolumeModel::NearlyIncompressible { compressibility: 0.01 };
        scene.zone(Zone::cavity(ball).model(liquid).gauge_pressure(pressure));
        scene.zone(Zone::inside(bag).filling_holes().gauge_pressure(pressure));
        let (system, mut q, _) = System::new(&scene, SolverSettings::default()).expect("valid");
        for (k, q) in q.iter_mut().enumerate() {
            *q += 5e-4 * (1.7 * k as f64).sin();
        }
        (system, q)
    }

    fn dense(operator: &impl LinearOperator) -> DMatrix<f64> {
        let n = operator.dimension();
        let mut matrix = DMatrix::zeros(n, n);
        for j in 0..n {
            let mut unit = vec![0.0; n];
            unit[j] = 1.0;
            operator.apply(&unit, matrix.column_mut(j).as_mut_slice());
        }
        matrix
    }

    fn fill(system: &mut System, q: &[f64], weights: Weights) {
        let wanted = Wanted { weights, projection: Projection::Exact, shift: 0.0, near: false };
        system.fill_jacobian(q, &vec![0.0; q.len()], wanted);
    }

    #[test]
    fn dense_woodbury_and_matrix_free_solves_are_one() {
        let (mut system, q) = filled(100.0);
        let weights =
            Weights { mass: 1.0, stiffness: 1e-4, damping: 0.0, contact: 0.0, position: 1.0 };
        fill(&mut system, &q, weights);
        let points: Vec<Vector3> =
            system.rows.free_nodes().iter().map(|&node| system.start[node as usize]).collect();
        let update = system.zones.update().clone();
        assert_eq!(update.rank_bound(), 2 + 6, "two zones and a hole");
        let by_matrix = dense(&LowRankOperator::new(&system.jacobian, &update));
        let matrix = system.jacobian.clone();
        let still = vec![0.0; q.len()];
        let free = Jacobian::new(&mut system, &q, &still, weights);
        let by_elements = dense(&free);
        let scale = by_matrix.amax();
        assert!((&by_matrix - &by_elements).amax() < 1e-13 * scale);
        let sparse = dense(&matrix);
        assert!((&by_matrix - sparse).norm() > 0.1 * by_matrix.norm(), "the update is not small");
        let diagonal = free.diagonal();
        for row in 0..diagonal.size() {
            let block = by_matrix.fixed_view::<3, 3>(3 * row, 3 * row);
            assert!((block - diagonal.block(row, row)).amax() < 1e-13 * scale);
        }

        let r: Vec<f64> = (0..by_matrix.nrows()).map(|k| (0.9 * k as f64).cos()).collect();
        let exact =
            by_matrix.clone().lu().solve(&(-DVector::from_vec(r.clone()))).expect("regular");
        let sum = Updated { matrix: &matrix, update: &update };
        let (mut linear, mut watch) = (Linear::default(), Watch::default());
        let near = |p: &[f64], what: &str| {
            let off = (DVector::from_column_slice(p) - &exact).norm() / exact.norm();
            assert!(off < 1e-10, "{what}: {off:e}");
        };
        let mut p = vec![0.0; r.len()];
        let outcome = linear.definite(sum, &points, &r, &mut p, &mut watch);
        assert_eq!(outcome, Outcome::Solved);
        near(&p, "Cholesky and Woodbury");
        // Near nothing that could be factorised: down to the last resort.
        let nothing = BlockMatrix::zeros(Arc::clone(sum.matrix.pattern()));
        let symmetry = Symmetry::Near(Near { matrix: &nothing, accuracy: 1e-6, definite: false });
        linear.regular(sum, &points, symmetry, &r, &mut p, &mut watch).expect("regular");
        near(&p, "LU and Woodbury");
        let weights: Vec<f64> = (0..r.len()).map(|k| 1.0 + 0.5 * (k as f64).sin()).collect();
        let request = Request { r: &r, weights: &weights, tolerance: 1e-13 };
        let mut iterative = Iterative::default();
        let start = || vec![0.0; r.len()];
        let mut p = start();
        iterative.matrix_free(&free, &diagonal, request, &mut p, &mut watch).expect("finite");
        near(&p, "matrix-free");
        let mut p = start();
        iterative.regular(sum, request, &mut p, &mut watch).expect("finite");
        near(&p, "GMRES");
        let mut p = start();
        let outcome = iterative.definite(sum, &r, 1e-13, &mut p, &mut watch);
        assert_eq!(outcome, Outcome::Solved);
        near(&p, "conjugate gradients");
    }

    /// Pressure so high that the sparse part is indefinite: the update decides.
    #[test]
    fn definiteness_is_judged_with_the_update() {
        let (mut system, q) = filled(4e3);
        let points: Vec<Vector3> =
            system.rows.free_nodes().iter().map(|&node| system.start[node as usize]).collect();
        let (mut rescued, mut refused) = (0, 0);
        for stiffness in [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0] {
            let weights =
                Weights { mass: 1.0, stiffness, damping: 0.0, contact: 0.0, position: 1.0 };
            fill(&mut system, &q, weights);
            let update = system.zones.update().clone();
            let lowest = |m: DMatrix<f64>| m.symmetric_eigenvalues().min();
            let with = lowest(dense(&LowRankOperator::new(&system.jacobian, &update)));
            let without = lowest(dense(&system.jacobian));
            let sum = Updated { matrix: &system.jacobian, update: &update };
            let (mut linear, mut watch) = (Linear::default(), Watch::default());
            let r = vec![1.0; 3 * points.len()];
            let mut p = r.clone();
            let outcome = linear.definite(sum, &points, &r, &mut p, &mut watch);
            assert_eq!(
                outcome == Outcome::Solved,
                with > 0.0,
                "{with:e} with, {without:e} without"
            );
            rescued += usize::from(with > 0.0 && without < 0.0);
            refused += usize::from(with < 0.0);
        }
        assert!(refused > 0, "{rescued} rescued, {refused} refused");
    }
}

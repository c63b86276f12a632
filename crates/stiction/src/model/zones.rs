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
pub(crate) struct Zones {
    zones: Vec<PlacedZone>,
    /// Per zone and edge, the slots of its block and of the transpose in the stiffness.
    slots: Vec<Vec<[u32; 2]>>,
    /// What the Jacobian last filled lacks.
    update: LowRank,
    points: Vec<Vector3>,
    gradient: Vec<Vector3>,
}

impl Zones {
    pub(crate) fn new(zones: Vec<PlacedZone>, rows: &Rows, pattern: &BlockPattern) -> Self {
        let (update, slots) = (no_update(rows), Vec::new());
        let mut zones = Self { zones, slots, update, points: Vec::new(), gradient: Vec::new() };
        zones.prepare(rows, pattern);
        zones
    }

    /// Looks up slots. Triangles are faces of elements: the pattern has them already.
    pub(crate) fn prepare(&mut self, rows: &Rows, pattern: &BlockPattern) {
        let slot = |a: u32, b: u32| {
            let (a, b) = (rows.of_node(a) as usize, rows.of_node(b) as usize);
            pattern.slot(a, b).expect("faces of elements are in the pattern") as u32
        };
        let edges =
            |zone: &PlacedZone| zone.shape.edges().map(|[a, b]| [slot(a, b), slot(b, a)]).collect();
        self.slots = self.zones.iter().map(edges).collect();
        self.update = no_update(rows);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.zones.len()
    }

    pub(crate) fn zone(&self, k: usize) -> &PlacedZone {
        &self.zones[k]
    }

    /// What [`Zones::add_hessian`] could not put into the matrix.
    pub(crate) fn update(&self) -> &LowRank {
        &self.update
    }

    /// Volume of zone `k` at positions `q` [m³].
    pub(crate) fn volume(&self, k: usize, q: &[f64]) -> f64 {
        let mut points = Vec::new();
        self.zones[k].shape.place(q, &mut points);
        self.zones[k].shape.volume(&points)
    }

    /// Energy of all zones at positions `q` [J]; infinite where one is inside out.
    pub(crate) fn energy(&self, q: &[f64]) -> f64 {
        self.zones.iter().enumerate().map(|(k, zone)| zone.energy.value(self.volume(k, q))).sum()
    }

    /// The same, with the size of what its rounding errors come from [J].
    pub(crate) fn energy_and_magnitude(&mut self, q: &[f64]) -> (f64, f64) {
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
    pub(crate) fn is_defined(&self, q: &[f64]) -> bool {
        (0..self.len()).all(|k| self.zones[k].energy.is_defined(self.volume(k, q)))
    }

    /// Adds the derivative of the energy, in rows [N].
    pub(crate) fn add_gradient(&mut self, q: &[f64], rows: &Rows, out: &mut [f64]) {
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
    pub(crate) fn add_hessian(
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
    pub(crate) fn tangents(&self, q: &[f64]) -> Vec<Tangent<'_>> {
        let tangent = |zone| Tangent::new(zone, q);
        self.zones.iter().map(tangent).collect()
    }
}

/// The second derivative of the energy of one zone as an operator.
pub(crate) struct Tangent<'a> {
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
    pub(crate) fn add_product(&self, change: &[f64], rows: &Rows, out: &mut [f64]) {
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
    pub(crate) fn add_diagonal(&self, rows: &Rows, blocks: &mut [Matrix3]) {
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

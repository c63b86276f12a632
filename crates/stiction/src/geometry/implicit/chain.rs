//! From samples to mesh vertices: the chain rule, for each kind of sample.
//!
//! A field knows its derivatives by `d = x − s` and by the unit normal `n` of each sample. With
//! `n = M/L`, `L = |M|`, `P = I − n nᵀ`, and `B_v = ∂M/∂p_v`, `c_v = ∂s/∂p_v` for the vertices `p_v` behind it,
//!
//! $$ \frac{\partial d}{\partial p_v} = -c_v I, \qquad
//!    \frac{\partial n}{\partial p_v} = \frac1L P B_v, $$
//!
//! and a slope `u` by the normal bends with it:
//!
//! $$ u \cdot \frac{\partial^2 n}{\partial p_v \partial p_w} = B_v^T S B_w + \frac{Pu}{L} \cdot
//!    \frac{\partial^2 M}{\partial p_v \partial p_w}, \qquad
//!    S = \frac{1}{L^2} \bigl( 3 (u\cdot n)\, n n^T - u n^T - n u^T - (u\cdot n) I \bigr) . $$
//!
//! For a face, `M = (p₁ − p₀) × (p₂ − p₀)`, `B_k = [o_k]×` with the opposite edge `o_k = p_{k+2} − p_{k+1}`, and
//! `z·∂²M/∂p_k∂p_{k+1} = −[z]×` (cyclic).

use super::jet::{Order, Slots, Upper};
use super::near::{Near, add_to_diagonal};
use super::samples::Faces;
use super::vertex_normal::Rings;
use crate::math::{Matrix3, Vector3};

/// Second derivatives by `d` and `n` of one sample.
pub(super) struct Local {
    pub(super) dd: Matrix3,
    pub(super) dn: Matrix3,
    pub(super) nn: Option<Matrix3>,
}

/// Carries derivatives of the `j`-th sample near to the point (slot 0) and the vertices (its slots).
pub(super) trait Chain {
    /// Adds the first derivative whose parts by `d` and `n` are given.
    fn add_vector(&self, j: usize, one: &Near, d: &Vector3, n: &Vector3, out: &mut [Vector3]);

    /// The same without a part by `n`.
    fn add_point_vector(&self, j: usize, one: &Near, d: &Vector3, out: &mut [Vector3]);

    /// Adds second derivatives, and the curvature of the normal for the slope `u` by it.
    fn add_local(&self, j: usize, one: &Near, local: &Local, u: &Vector3, out: &mut Upper);
}

/// Samples that do not move: only the point does.
pub(super) struct Fixed;

impl Chain for Fixed {
    fn add_vector(&self, _: usize, _: &Near, d: &Vector3, _: &Vector3, out: &mut [Vector3]) {
        out[0] += d;
    }

    fn add_point_vector(&self, _: usize, _: &Near, d: &Vector3, out: &mut [Vector3]) {
        out[0] += d;
    }

    fn add_local(&self, _: usize, _: &Near, local: &Local, _: &Vector3, out: &mut Upper) {
        out.add(0, 0, &local.dd);
    }
}

/// Samples at centroids with face normals.
pub(super) struct ByFaces<'a> {
    pub(super) faces: &'a Faces,
    pub(super) slots: &'a Slots,
}

impl Chain for ByFaces<'_> {
    fn add_vector(&self, j: usize, one: &Near, d: &Vector3, n: &Vector3, out: &mut [Vector3]) {
        let shape = &self.faces.shapes[one.sample as usize];
        let c = reject(n, &one.n) * shape.inverse;
        out[0] += d;
        for (&slot, o) in self.slots.of(j).iter().zip(shape.edges()) {
            out[slot as usize] += c.cross(&o) - d / 3.0;
        }
    }

    fn add_point_vector(&self, j: usize, _: &Near, d: &Vector3, out: &mut [Vector3]) {
        out[0] += d;
        for &slot in self.slots.of(j) {
            out[slot as usize] -= d / 3.0;
        }
    }

    fn add_local(&self, j: usize, one: &Near, local: &Local, u: &Vector3, out: &mut Upper) {
        let shape = &self.faces.shapes[one.sample as usize];
        let [o0, o1] = &shape.opposite;
        let s = normal_curvature(u, &one.n, shape.inverse, local.nn.as_ref());
        let c = reject(u, &one.n) * shape.inverse;
        // ∂²/∂d∂p_k through the normal: E P [o_k]× / L.
        let ep = reject_rows(&local.dn, &one.n) * shape.inverse;
        let (g0, g1) = (times_cross(&ep, o0), times_cross(&ep, o1));
        let (s0, s1) = (times_cross(&s, o0), times_cross(&s, o1));

        // Moving everything by the same changes nothing, so blocks of the last corner follow from the others.
        let xx = &local.dd;
        let (third, ninth) = (xx / 3.0, xx / 9.0);
        let (x0, x1) = (g0 - third, g1 - third);
        let x2 = -(xx + x0 + x1);
        let b00 = ninth - (g0 + g0.transpose()) / 3.0 + cross_transposed_times(o0, &s0);
        let b11 = ninth - (g1 + g1.transpose()) / 3.0 + cross_transposed_times(o1, &s1);
        let b01 = ninth - (g1 + g0.transpose()) / 3.0 + cross_transposed_times(o0, &s1)
            - c.cross_matrix();
        let b02 = -(x0.transpose() + b00 + b01);
        let b12 = -(x1.transpose() + b01.transpose() + b11);
        let b22 = -(x2.transpose() + b02.transpose() + b12.transpose());

        let &[p0, p1, p2] = self.slots.of(j) else { unreachable!("a face has three corners") };
        out.add(0, 0, xx);
        out.add(0, p0, &x0);
        out.add(0, p1, &x1);
        out.add(0, p2, &x2);
        out.add(p0, p0, &b00);
        out.add(p1, p1, &b11);
        out.add(p2, p2, &b22);
        out.add(p0, p1, &b01);
        out.add(p0, p2, &b02);
        out.add(p1, p2, &b12);
    }
}

/// Samples at vertices with averaged normals.
pub(super) struct ByVertices<'a> {
    rings: &'a Rings,
    slots: &'a Slots,
    slopes: &'a [Matrix3], // B_v of every vertex of every sample, in the order of the slots
}

impl<'a> ByVertices<'a> {
    pub(super) fn new(
        rings: &'a Rings,
        near: &[Near],
        slots: &'a Slots,
        order: Order,
        slopes: &'a mut Vec<Matrix3>,
    ) -> Self {
        slopes.clear();
        if order > Order::Value {
            slopes.resize(slots.total(), Matrix3::zeros());
            for (j, one) in near.iter().enumerate() {
                rings.add_slopes(one.sample, &mut slopes[slots.range(j)]);
            }
        }
        Self { rings, slots, slopes }
    }
}

impl Chain for ByVertices<'_> {
    fn add_vector(&self, j: usize, one: &Near, d: &Vector3, n: &Vector3, out: &mut [Vector3]) {
        let c = reject(n, &one.n) * self.rings.inverse(one.sample);
        self.add_point_vector(j, one, d, out);
        for (&slot, slope) in self.slots.of(j).iter().zip(&self.slopes[self.slots.range(j)]) {
            out[slot as usize] += slope.tr_mul(&c);
        }
    }

    fn add_point_vector(&self, j: usize, one: &Near, d: &Vector3, out: &mut [Vector3]) {
        out[0] += d;
        out[self.own_slot(j, one) as usize] -= d;
    }

    fn add_local(&self, j: usize, one: &Near, local: &Local, u: &Vector3, out: &mut Upper) {
        let inverse = self.rings.inverse(one.sample);
        let s = normal_curvature(u, &one.n, inverse, local.nn.as_ref());
        let ep = reject_rows(&local.dn, &one.n) * inverse;
        let (slots, slopes) = (self.slots.of(j), &self.slopes[self.slots.range(j)]);
        let own = self.own_slot(j, one);

        out.add(0, 0, &local.dd);
        out.add(0, own, &-local.dd);
        out.add(own, own, &local.dd);
        for (w, (&slot_w, slope_w)) in slots.iter().zip(slopes).enumerate() {
            let g = ep * slope_w;
            out.add(0, slot_w, &g);
            if slot_w == own {
                out.add(own, own, &-(g + g.transpose()));
            } else {
                out.add(own, slot_w, &-g);
            }
            let sw = s * slope_w;
            for (&slot_v, slope_v) in slots[..=w].iter().zip(slopes) {
                out.add(slot_v, slot_w, &slope_v.tr_mul(&sw));
            }
        }
        let z = reject(u, &one.n) * inverse;
        self.rings.add_curvature(one.sample, &z, slots, out);
    }
}

impl ByVertices<'_> {
    fn own_slot(&self, j: usize, one: &Near) -> u32 {
        self.slots.of(j)[self.rings.own_place(one.sample)]
    }
}

/// `S` of the module's formulas, and `P N P / L²` for second derivatives `N` by the normal.
pub(super) fn normal_curvature(
    u: &Vector3,
    n: &Vector3,
    inverse: f64,
    nn: Option<&Matrix3>,
) -> Matrix3 {
    let along = u.dot(n);
    let un = u * n.transpose();
    let mut s = n * (n * (3.0 * along)).transpose() - un - un.transpose();
    add_to_diagonal(&mut s, -along);
    if let Some(nn) = nn {
        s += reject_rows(&reject_rows(nn, n).transpose(), n);
    }
    s * (inverse * inverse)
}

/// `P u`.
pub(super) fn reject(u: &Vector3, n: &Vector3) -> Vector3 {
    u - n * n.dot(u)
}

/// `M P`.
fn reject_rows(m: &Matrix3, n: &Vector3) -> Matrix3 {
    m - (m * n) * n.transpose()
}

/// `M [o]×`.
pub(super) fn times_cross(m: &Matrix3, o: &Vector3) -> Matrix3 {
    let (c0, c1, c2) = (m.column(0), m.column(1), m.column(2));
    Matrix3::from_columns(&[c1 * o.z - c2 * o.y, c2 * o.x - c0 * o.z, c0 * o.y - c1 * o.x])
}

/// `[o]×ᵀ M`.
pub(super) fn cross_transposed_times(o: &Vector3, m: &Matrix3) -> Matrix3 {
    Matrix3::from_columns(&[m.column(0).cross(o), m.column(1).cross(o), m.column(2).cross(o)])
}

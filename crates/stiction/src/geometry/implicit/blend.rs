//! The plain field: a weighted mean of heights over tangent planes.
//!
//! Everything a sample does goes through `d = x − s` and its normal `n`: its weight `w(d)`, with `a = ∂w/∂d`
//! and `H = ∂²w/∂d²`, and its height `u = n·d`. With `W = Σ w`, subscripts for derivatives [Lar22, §3.4]:
//!
//! $$ f_d = \tfrac1W \bigl( w\,n + (u - f)\,a \bigr), \qquad f_n = \tfrac1W w\,d, $$
//!
//! and for any two variables `α`, `β` behind the samples
//!
//! $$ f_{\alpha\beta} = \tfrac1W \Bigl( \sum_j L^j_{\alpha\beta} - f_\alpha W_\beta -
//!    W_\alpha f_\beta \Bigr), $$
//!
//! $$ L_{dd} = a n^T + n a^T + (u - f) H, \quad L_{dn} = w I + a d^T, \quad L_{nn} = 0 . $$
//!
//! So the second derivative is a sum of small local matrices, one for each sample, plus one product of rank
//! two. That is what makes it cheap: no work is quadratic in the number of samples except that product.

use super::chain::{Chain, Local};
use super::jet::{FieldJet, Order, SampleSlope, Upper};
use super::near::{Near, add_to_diagonal, mean_height};
use crate::math::{Matrix3, Vector3};

pub(super) fn evaluate(chain: &impl Chain, order: Order, jet: &mut FieldJet) {
    let FieldJet { vertices, value, gradient, hessian, samples, near, vectors, .. } = jet;
    let (f, total) = mean_height(near, |j| near[j].w);
    *value = f;
    if order == Order::Value {
        return;
    }

    let width = 1 + vertices.len();
    let over = 1.0 / total;
    gradient.resize(width, Vector3::zeros());
    for (j, one) in near.iter().enumerate() {
        let (by_d, by_n) = slopes(one, f, over);
        samples.push(SampleSlope {
            sample: one.sample,
            weight: one.w * over,
            by_point: -by_d,
            by_normal: by_n,
        });
        chain.add_vector(j, one, &by_d, &by_n, gradient);
    }
    if order == Order::First {
        return;
    }

    vectors.clear();
    vectors.resize(width, Vector3::zeros());
    let mut upper = Upper::zeros(width, hessian);
    for (j, one) in near.iter().enumerate() {
        let (dd, dn) = local(one, f);
        let local = Local { dd: dd * over, dn: dn * over, nn: None };
        chain.add_local(j, one, &local, &samples[j].by_normal, &mut upper);
        chain.add_point_vector(j, one, &(one.a() * -over), vectors); // −W′/W
    }
    upper.add_product(gradient, vectors);
    upper.mirror();
}

/// `f_d` and `f_n`.
pub(super) fn slopes(one: &Near, f: f64, over: f64) -> (Vector3, Vector3) {
    ((one.n * one.w + one.a() * (one.u - f)) * over, one.d * (one.w * over))
}

/// `L_dd` and `L_dn`.
pub(super) fn local(one: &Near, f: f64) -> (Matrix3, Matrix3) {
    let a = one.a();
    let an = a * one.n.transpose();
    let dd = an + an.transpose() + one.h() * (one.u - f);
    let mut dn = a * one.d.transpose();
    add_to_diagonal(&mut dn, one.w);
    (dd, dn)
}

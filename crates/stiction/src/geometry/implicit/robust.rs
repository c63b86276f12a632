//! The robust field: samples that disagree with the plain blend count less.
//!
//! With the plain field `f₀` of `blend` and its gradient `g` at the same point [OGG09; DLCT24, app. A]:
//!
//! $$ f = \frac{\sum_j \omega_j u_j}{\sum_j \omega_j}, \qquad \omega_j = w_j e^{\epsilon_j}, \quad
//!    \epsilon_j = -\frac{(f_0 - u_j)^2}{\sigma_r^2} - \frac{|g - n_j|^2}{\sigma_n^2} . $$
//!
//! One iteration. Common code holds the robust weights fixed when differentiating; that is several per cent off
//! the gradient, and Newton's method stalls on it. Here derivatives are exact.
//!
//! Idea: everything non-local passes through four numbers `y = (f₀, g)`. As a function of the samples *and* `y`
//! the field has the structure of `blend` (local parts and a product of rank two); then
//!
//! $$ \nabla^2 f = F_{zz} + \sum_c \bigl( F_{z y_c} \otimes \nabla y_c + \nabla y_c \otimes F_{z y_c} \bigr) +
//!    \sum_{c c'} F_{y_c y_{c'}} \nabla y_c \otimes \nabla y_{c'} +
//!    \eta\, \nabla^2 f_0 + \nabla^2 (\gamma\cdot\nabla_x f_0), \qquad \eta = F_{f_0},\; \gamma = F_g . $$
//!
//! The last term holds third derivatives of the plain field in the one direction `γ`; with `W₀ = Σ w` and a dot
//! for `∂/∂x` along `γ`, it is again local parts and products:
//!
//! $$ W_0\,\nabla^2 \dot f_0 = \sum_j \bigl( \dot L^j - \dot f_0 \nabla^2 w_j \bigr) - \dot W_0 \nabla^2 f_0 -
//!    \nabla f_0 \otimes \nabla\dot W_0 - \nabla\dot f_0 \otimes \nabla W_0 - \ldots^T , $$
//!
//! $$ \dot L_{dd} = n (H\gamma)^T + (H\gamma) n^T + (n\cdot\gamma) H + (u - f_0) \dot H, \qquad
//!    \dot L_{dn} = a \gamma^T + (a\cdot\gamma) I + (H\gamma) d^T . $$
//!
//! Legend: `A = Σ a`, `r = f₀ − u`, `m = g − n`, `alpha = 2/σ_r²`, `beta = 2/σ_n²`, `E = e^ε`.

use super::blend;
use super::chain::{Chain, Local};
use super::jet::{FieldJet, Order, SampleSlope, Upper};
use super::near::{Near, add_to_diagonal, mean_height};
use super::settings::Robust;
use crate::math::{Matrix3, Vector3};

/// How disagreement weighs down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Falloff {
    alpha: f64, // 2/σ_r² [1/m²]
    beta: f64,  // 2/σ_n² [-]
}

impl Falloff {
    pub(super) fn new(robust: &Robust, spacing: f64) -> Self {
        Self { alpha: 2.0 / (robust.range * spacing).powi(2), beta: 2.0 / robust.normal.powi(2) }
    }
}

/// Sums over the samples.
struct Sums {
    // The plain field.
    f0: f64,
    g: Vector3,
    over0: f64, // 1/W₀
    a: Vector3, // A
    // The robust one.
    shift: f64, // largest exponent
    f: f64,
    over: f64, // 1/W
    // What the robust one feels of the plain one.
    eta: f64,
    gamma: Vector3,
    // γ·A, γ·g
    a_dot: f64,
    f0_dot: f64,
}

/// One sample in the robust field.
struct Robustly {
    r: f64,
    m: Vector3,
    e: f64,     // E
    omega: f64, // w E
}

impl Sums {
    fn robustly(&self, falloff: &Falloff, one: &Near) -> Robustly {
        let (r, m) = (self.f0 - one.u, self.g - one.n);
        let e = (exponent(falloff, r, &m) - self.shift).exp();
        Robustly { r, m, e, omega: one.w * e }
    }
}

fn exponent(falloff: &Falloff, r: f64, m: &Vector3) -> f64 {
    -0.5 * (falloff.alpha * r * r + falloff.beta * m.norm_squared())
}

pub(super) fn evaluate(falloff: &Falloff, chain: &impl Chain, order: Order, jet: &mut FieldJet) {
    let sums = sum(falloff, &jet.near);
    jet.value = sums.f;
    if order == Order::Value {
        return;
    }
    let FieldJet { vertices, gradient, samples, near, .. } = jet;
    gradient.resize(1 + vertices.len(), Vector3::zeros());
    for (j, one) in near.iter().enumerate() {
        let slope = slope(falloff, &sums, one);
        chain.add_vector(j, one, &-slope.by_point, &slope.by_normal, gradient);
        samples.push(slope);
    }
    if order == Order::Second {
        second(falloff, &sums, chain, jet);
    }
}

fn sum(falloff: &Falloff, near: &[Near]) -> Sums {
    let (f0, total0) = mean_height(near, |j| near[j].w);
    let over0 = 1.0 / total0;
    let (mut g, mut a) = (Vector3::zeros(), Vector3::zeros());
    for one in near {
        g += blend::slopes(one, f0, over0).0;
        a += one.a();
    }
    // Relative to the largest exponent: the weights never all vanish.
    let shift = near
        .iter()
        .map(|one| exponent(falloff, f0 - one.u, &(g - one.n)))
        .fold(f64::NEG_INFINITY, f64::max);
    let mut sums = Sums {
        f0,
        g,
        over0,
        a,
        shift,
        f: 0.0,
        over: 0.0,
        eta: 0.0,
        gamma: Vector3::zeros(),
        a_dot: 0.0,
        f0_dot: 0.0,
    };
    let (f, total) = mean_height(near, |j| sums.robustly(falloff, &near[j]).omega);
    (sums.f, sums.over) = (f, 1.0 / total);
    for one in near {
        let Robustly { r, m, omega, .. } = sums.robustly(falloff, one);
        let share = omega * (one.u - f) * sums.over;
        sums.eta -= share * falloff.alpha * r;
        sums.gamma -= m * (share * falloff.beta);
    }
    (sums.a_dot, sums.f0_dot) = (sums.gamma.dot(&a), sums.gamma.dot(&g));
    sums
}

/// The whole first derivative by one sample: its own part, and what it does to `f₀` and `g`.
fn slope(falloff: &Falloff, sums: &Sums, one: &Near) -> SampleSlope {
    let Robustly { r, m, e, omega } = sums.robustly(falloff, one);
    let (c, gamma) = (one.u - sums.f, &sums.gamma);
    let omega_d = one.a() * e + one.n * (omega * falloff.alpha * r);
    let omega_n = (one.d * (falloff.alpha * r) + m * falloff.beta) * omega;
    let own_d = (one.n * omega + omega_d * c) * sums.over;
    let own_n = (one.d * omega + omega_n * c) * sums.over;

    let (f0_d, f0_n) = blend::slopes(one, sums.f0, sums.over0);
    let (l_dd, l_dn) = blend::local(one, sums.f0);
    let dot_d = l_dd * gamma - one.a() * sums.f0_dot - f0_d * sums.a_dot;
    let dot_n = l_dn.tr_mul(gamma) - f0_n * sums.a_dot;
    SampleSlope {
        sample: one.sample,
        weight: omega * sums.over,
        by_point: -(own_d + f0_d * sums.eta + dot_d * sums.over0),
        by_normal: own_n + f0_n * sums.eta + dot_n * sums.over0,
    }
}

/// Vectors over the point and all vertices, one row of `FieldJet::vectors` each.
mod row {
    /// ∇f₀, then the three ∇g: the four ∇y.
    pub(super) const Y: usize = 0;
    /// ∇W₀.
    pub(super) const W0: usize = 4;
    /// ∇ of `W₀` along γ.
    pub(super) const W0_DOT: usize = 5;
    /// ∇ of `f₀` along γ.
    pub(super) const F0_DOT: usize = 6;
    /// ∇W.
    pub(super) const W: usize = 7;
    /// F_{z y}, four.
    pub(super) const MIXED: usize = 8;
    pub(super) const COUNT: usize = 12;
}

fn second(falloff: &Falloff, sums: &Sums, chain: &impl Chain, jet: &mut FieldJet) {
    let FieldJet { vertices, gradient, hessian, samples, near, vectors, .. } = jet;
    let width = 1 + vertices.len();
    vectors.clear();
    vectors.resize(row::COUNT * width, Vector3::zeros());
    let span = |row: usize| row * width..(row + 1) * width;
    let mut upper = Upper::zeros(width, hessian);

    let mut omega_y = [0.0; 4]; // Σ ∂ω/∂y
    let mut f_yy = [[0.0; 4]; 4];
    for (j, one) in near.iter().enumerate() {
        let parts = Parts::new(falloff, sums, one);
        chain.add_local(j, one, &parts.local, &samples[j].by_normal, &mut upper);

        let mut add = |row: usize, d: &Vector3, n: &Vector3| {
            chain.add_vector(j, one, d, n, &mut vectors[span(row)]);
        };
        let (f0_d, f0_n) = blend::slopes(one, sums.f0, sums.over0);
        add(row::Y, &f0_d, &f0_n);
        for c in 0..3 {
            add(row::Y + 1 + c, &parts.g_d.column(c).into(), &parts.g_n.column(c).into());
        }
        add(row::W, &parts.omega_d, &parts.omega_n);
        for c in 0..4 {
            add(row::MIXED + c, &parts.mixed_d[c], &parts.mixed_n[c]);
        }
        chain.add_point_vector(j, one, &one.a(), &mut vectors[span(row::W0)]);
        chain.add_point_vector(j, one, &(one.h() * sums.gamma), &mut vectors[span(row::W0_DOT)]);
        for c in 0..4 {
            omega_y[c] += parts.omega_y[c];
            for k in 0..4 {
                f_yy[c][k] += parts.f_yy[c][k];
            }
        }
    }

    // What is not local in the rows.
    for v in 0..width {
        let at = |row: usize| row * width + v;
        let (f0, w0) = (vectors[at(row::Y)], vectors[at(row::W0)]);
        let mut y = [f0; 4];
        for c in 0..3 {
            let g = &mut vectors[at(row::Y + 1 + c)];
            *g -= (w0 * sums.g[c] + f0 * sums.a[c]) * sums.over0;
            y[1 + c] = *g;
        }
        for c in 0..4 {
            vectors[at(row::W)] += y[c] * omega_y[c];
            for k in 0..4 {
                vectors[at(row::MIXED + c)] += y[k] * (0.5 * f_yy[c][k]);
            }
        }
        vectors[at(row::F0_DOT)] =
            y[1] * sums.gamma[0] + y[2] * sums.gamma[1] + y[3] * sums.gamma[2];
        // Factors of the products below.
        let plain = sums.eta - sums.a_dot * sums.over0;
        vectors[at(row::W)] *= -sums.over;
        let w0_dot = vectors[at(row::W0_DOT)];
        vectors[at(row::W0_DOT)] = (w0_dot + w0 * plain) * -sums.over0;
        vectors[at(row::W0)] *= -sums.over0;
        // With ∇f₀ as their partner both: two products in one.
        let w0_dot = vectors[at(row::W0_DOT)];
        vectors[at(row::MIXED)] += w0_dot;
    }
    upper.add_product(gradient, &vectors[span(row::W)]);
    upper.add_product(&vectors[span(row::F0_DOT)], &vectors[span(row::W0)]);
    for c in 0..4 {
        upper.add_product(&vectors[span(row::Y + c)], &vectors[span(row::MIXED + c)]);
    }
    upper.mirror();
}

/// Second-order parts of one sample.
struct Parts {
    local: Local,
    g_d: Matrix3, // column c: local part of ∂g_c/∂d
    g_n: Matrix3,
    omega_d: Vector3,
    omega_n: Vector3,
    omega_y: [f64; 4],
    mixed_d: [Vector3; 4], // F_{d y}
    mixed_n: [Vector3; 4],
    f_yy: [[f64; 4]; 4],
}

impl Parts {
    fn new(falloff: &Falloff, sums: &Sums, one: &Near) -> Self {
        let &Falloff { alpha, beta } = falloff;
        let Robustly { r, m, e, omega } = sums.robustly(falloff, one);
        let (c, gamma) = (one.u - sums.f, &sums.gamma);
        let (a, h, d, n) = (one.a(), one.h(), &one.d, &one.n);

        // Exponent and weight by d, n and y.
        let e_d = n * (alpha * r);
        let e_n = d * (alpha * r) + m * beta;
        let e_y = [-alpha * r, -beta * m.x, -beta * m.y, -beta * m.z];
        let omega_d = a * e + e_d * omega;
        let omega_n = e_n * omega;
        let omega_y = e_y.map(|slope| slope * omega);

        // ∂²ω, then L = ω ∂²u + ∂ω ∂uᵀ + ∂u ∂ωᵀ + (u − f) ∂²ω.
        let ae = a * e_d.transpose();
        let omega_dd = (h + ae + ae.transpose()) * e
            + (e_d * e_d.transpose() - n * n.transpose() * alpha) * omega;
        let mut omega_dn =
            (a * e) * e_n.transpose() + (e_d * e_n.transpose() - n * d.transpose() * alpha) * omega;
        add_to_diagonal(&mut omega_dn, omega * alpha * r);
        let mut omega_nn = (e_n * e_n.transpose() - d * d.transpose() * alpha) * omega;
        add_to_diagonal(&mut omega_nn, -omega * beta);

        let dn_ = omega_d * n.transpose();
        let nd_ = omega_n * d.transpose();
        let l_dd = dn_ + dn_.transpose() + omega_dd * c;
        let mut l_dn = omega_d * d.transpose() + n * omega_n.transpose() + omega_dn * c;
        add_to_diagonal(&mut l_dn, omega);
        let l_nn = nd_ + nd_.transpose() + omega_nn * c;

        // The plain field, and its change along γ.
        let (l0_dd, l0_dn) = blend::local(one, sums.f0);
        let (hg, plain) = (h * gamma, sums.eta - sums.a_dot * sums.over0);
        let nhg = n * hg.transpose();
        let dot_dd = nhg
            + nhg.transpose()
            + h * (n.dot(gamma) - sums.f0_dot)
            + one.third(gamma) * (one.u - sums.f0);
        let mut dot_dn = a * gamma.transpose() + hg * d.transpose();
        add_to_diagonal(&mut dot_dn, a.dot(gamma));
        let local = Local {
            dd: l_dd * sums.over + (l0_dd * plain + dot_dd) * sums.over0,
            dn: l_dn * sums.over + (l0_dn * plain + dot_dn) * sums.over0,
            nn: Some(l_nn * sums.over),
        };

        // By the samples and y. Only f₀ has cross terms with d and n in the exponent, and g with n.
        let mixed_d = std::array::from_fn(|k| {
            let bent = if k == 0 { n * (alpha * omega) } else { Vector3::zeros() };
            (n * omega_y[k] + (omega_d * e_y[k] + bent) * c) * sums.over
        });
        let mixed_n = std::array::from_fn(|k| {
            let bent = if k == 0 { d * alpha } else { Vector3::ith(k - 1, beta) } * omega;
            (d * omega_y[k] + (omega_n * e_y[k] + bent) * c) * sums.over
        });
        let f_yy = std::array::from_fn(|k| {
            std::array::from_fn(|l| {
                let bent = if k != l {
                    0.0
                } else if k == 0 {
                    alpha
                } else {
                    beta
                };
                c * omega * (e_y[k] * e_y[l] - bent) * sums.over
            })
        });
        Self {
            local,
            g_d: l0_dd * sums.over0,
            g_n: l0_dn.transpose() * sums.over0,
            omega_d,
            omega_n,
            omega_y,
            mixed_d,
            mixed_n,
            f_yy,
        }
    }
}

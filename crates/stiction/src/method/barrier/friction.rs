//! Friction of one contact in one step: a stiff spring in series with a slider. With the limit of a normal force known
//! before (lagged), it has a potential.
//!
//! With the elastic traction `s` of the step before, the slip `u` since then and a spring `k`, `y = |s + k u|`:
//!
//! $$ D(u) = \frac{1}{k} \begin{cases} \tfrac12 y^2 & y \le \mu N \\ \mu N y - \tfrac12 (\mu N)^2 \end{cases},
//!    \qquad t = \partial D = \min\!\Bigl(1, \frac{\mu N}{y}\Bigr) (s + k u) $$
//!
//! What sticks keeps its traction from step to step and does not creep. `D` is convex and once differentiable.
//!
//! Where friction follows its normal force there is no potential; [`Held::follow`] is the derivative of `t` then.

use super::contact::Pair;
use super::memory::Key;
use super::mesh::Layer;
use super::potential;
use crate::contact::parallel_transport::ParallelTransport;
use crate::math::{Matrix3, Vector3};

/// Slip at which friction reaches its limit, in layers: what a contact that sticks gives way.
const GIVES_WAY: f64 = 1e-3;

/// What rubs on what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Site {
    /// Two features.
    Features(Pair),
    /// A vertex and a half-space, which has turned by so much since the step began.
    Plane { layer: Layer, turned: Matrix3 },
}

/// What a contact knows of friction where it was looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Held {
    pub(super) key: Key,
    pub(super) site: Site,
    /// `μ` [-].
    pub(super) coefficient: f64,
    /// Normal and traction at the end of the step before.
    pub(super) before: Option<[Vector3; 2]>,
    /// What it acts on, and with which weights.
    pub(super) vertices: [u32; 4],
    pub(super) coefficients: [f64; 4],
    pub(super) normal: Vector3,
    /// `d` [m].
    pub(super) gap: f64,
    /// How far a half-space carried the place since the step began [m].
    pub(super) carried: Vector3,
    /// `μN` [N].
    pub(super) limit: f64,
    /// `s` [N].
    pub(super) elastic: Vector3,
    /// `k` [N/m].
    pub(super) stiffness: f64,
}

/// How friction on each of four vertices changes with each of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Following {
    /// `∂(cᵢ t)/∂xⱼ`, row by row [N/m].
    pub(super) blocks: [Matrix3; 16],
    /// The part of it by which `t` follows the normal force: `aᵢ bⱼᵀ`.
    pub(super) couplings: [[Vector3; 2]; 4],
}

impl Held {
    /// Of a contact that nothing is known of but who touches.
    pub(super) fn at(site: Site) -> Self {
        Self {
            key: [0; 5],
            site,
            coefficient: 0.0,
            before: None,
            vertices: [0; 4],
            coefficients: [0.0; 4],
            normal: Vector3::y(),
            gap: 0.0,
            carried: Vector3::zeros(),
            limit: 0.0,
            elastic: Vector3::zeros(),
            stiffness: 1.0,
        }
    }

    /// Under a normal force [N], with the traction of the step before carried along.
    pub(super) fn under(mut self, force: f64) -> Self {
        self.limit = self.coefficient * force;
        self.stiffness = self.limit / (GIVES_WAY * self.layer().d_hat);
        self.elastic = self.before.map_or_else(Vector3::zeros, |[normal, traction]| {
            ParallelTransport::between(normal, self.normal).apply(traction)
        });
        self
    }

    /// How many of its vertices count.
    pub(super) fn count(&self) -> usize {
        match self.site {
            Site::Features(_) => 4,
            Site::Plane { .. } => 1,
        }
    }

    fn layer(&self) -> Layer {
        match self.site {
            Site::Features(Pair { layer, .. }) | Site::Plane { layer, .. } => layer,
        }
    }

    /// Derivatives of all of it: of slip, of the normal force, of the normal and of the weights, for vertices at `x`
    /// that have `moved` since the step began.
    pub(super) fn follow(&self, x: &[Vector3; 4], moved: &[Vector3; 4]) -> Following {
        let Layer { d_hat, kappa } = self.layer();
        let (n, c, gap, give) = (self.normal, &self.coefficients, self.gap, GIVES_WAY * d_hat);
        let along = Matrix3::identity() - n * n.transpose();
        let count = self.count();
        let all = (0..count).map(|i| moved[i] * c[i]).sum::<Vector3>() - self.carried;
        let slip = along * all;
        let trial = self.trial(slip);
        let y = trial.norm();
        // `∂t/∂y`, and the whole change of `t` with its limit.
        let (by_trial, by_limit) = if y <= self.limit {
            (Matrix3::identity(), slip / give)
        } else {
            let way = trial / y;
            let turn = (Matrix3::identity() - way * way.transpose()) * (self.limit / y);
            (turn, turn * slip / give + way)
        };
        let traction = self.traction(slip);
        let transported = self.before.map_or_else(Matrix3::zeros, |[normal, traction]| {
            ParallelTransport::between(normal, n).by_end(traction)
        });
        let mut following =
            Following { blocks: [Matrix3::zeros(); 16], couplings: [[Vector3::zeros(); 2]; 4] };
        let (slope, bend) = (potential::slope(gap, d_hat), potential::bend(gap, d_hat));
        match &self.site {
            Site::Plane { turned, .. } => {
                let by_force = n * (-self.coefficient * kappa * bend);
                following.blocks[0] =
                    by_trial * along * turned * self.stiffness + by_limit * by_force.transpose();
                following.couplings[0] = [by_limit, by_force];
            }
            Site::Features(pair) => {
                let change = pair.change(x, c, n, gap);
                let (m, by_m) = pair.mollified(x);
                for j in 0..4 {
                    let by_force =
                        (n * (m * bend * c[j]) + by_m[j] * slope) * (-self.coefficient * kappa);
                    let turn = change.normal[j];
                    let by_weights: Matrix3 =
                        (0..4).map(|i| moved[i] * change.weights[i][j].transpose()).sum();
                    let of_all = Matrix3::from_diagonal_element(c[j]) + by_weights;
                    let of_slip =
                        along * of_all - turn * n.dot(&all) - n * (turn.tr_mul(&all)).transpose();
                    let of_trial = transported * turn + of_slip * self.stiffness;
                    let of_traction = by_trial * of_trial + by_limit * by_force.transpose();
                    for i in 0..4 {
                        following.blocks[4 * i + j] =
                            of_traction * c[i] + traction * change.weights[i][j].transpose();
                    }
                    following.couplings[j] = [by_limit * c[j], by_force];
                }
            }
        }
        following
    }

    /// `u`, for displacements since the step began [m].
    pub(super) fn slip(&self, moved: impl Fn(u32) -> Vector3) -> Vector3 {
        let each = self.vertices.iter().zip(&self.coefficients).filter(|(_, c)| **c != 0.0);
        let moved = each.map(|(&v, &c)| moved(v) * c).sum::<Vector3>() - self.carried;
        moved - self.normal * self.normal.dot(&moved)
    }

    fn trial(&self, slip: Vector3) -> Vector3 {
        self.elastic + slip * self.stiffness
    }

    /// `D` [J].
    pub(super) fn energy(&self, slip: Vector3) -> f64 {
        let y = self.trial(slip).norm();
        let twice = if y <= self.limit { y * y } else { (2.0 * y - self.limit) * self.limit };
        0.5 * twice / self.stiffness
    }

    /// `t` [N].
    pub(super) fn traction(&self, slip: Vector3) -> Vector3 {
        let trial = self.trial(slip);
        let y = trial.norm();
        if y <= self.limit { trial } else { trial * (self.limit / y) }
    }

    /// Whether it slides.
    pub(super) fn slides(&self, slip: Vector3) -> bool {
        self.trial(slip).norm() > self.limit
    }

    /// `∂t/∂u` [N/m].
    pub(super) fn bend(&self, slip: Vector3) -> Matrix3 {
        let along = Matrix3::identity() - self.normal * self.normal.transpose();
        let trial = self.trial(slip);
        let y = trial.norm();
        if y <= self.limit {
            return along * self.stiffness;
        }
        let way = trial / y;
        (along - way * way.transpose()) * (self.stiffness * self.limit / y)
    }
}

#[cfg(test)]
mod tests {
    use stiction_check::differences::assert_is_derivative;

    use super::super::contact::Kind;
    use super::*;
    use crate::geometry::closest::mollifier_threshold;

    const LAYER: Layer = Layer { d_hat: 1.0, kappa: 2.0 };

    fn blank(site: Site) -> Held {
        Held { coefficient: 0.5, vertices: [0, 1, 2, 3], ..Held::at(site) }
    }

    fn way() -> [Vector3; 4] {
        std::array::from_fn(|k| {
            let k = k as f64;
            Vector3::new((1.7 * k).sin(), (2.3 * k + 1.0).cos(), (0.9 * k + 2.0).sin()) * 0.01
        })
    }

    /// Forces on vertices, `−cᵢ t`, for what has moved by `moved` to `x`.
    fn forces(held: &Held, moved: &[Vector3; 4]) -> [Vector3; 4] {
        let traction = held.traction(held.slip(|v| moved[v as usize]));
        held.coefficients.map(|c| -traction * c)
    }

    /// Compares the derivative at `x` with differences of the forces that `at` has, for vertices that come from `x0`.
    fn check(at: impl Fn(&[Vector3; 4]) -> Held, x: [Vector3; 4], x0: [Vector3; 4]) {
        let moved = |x: &[Vector3; 4]| -> [Vector3; 4] { std::array::from_fn(|k| x[k] - x0[k]) };
        let held = at(&x);
        let Following { blocks, couplings } = held.follow(&x, &moved(&x));
        let size = blocks.iter().fold(0.0, |most: f64, block| most.max(block.norm()));
        assert!(couplings.iter().any(|[a, b]| a.norm() * b.norm() > 0.0), "it follows");
        let (way, count) = (way(), held.count());
        let along = |t: f64| -> [Vector3; 4] { std::array::from_fn(|k| x[k] + way[k] * t) };
        for i in 0..count {
            let change: Vector3 = (0..count).map(|j| blocks[count * i + j] * way[j]).sum();
            for axis in 0..3 {
                let slope = |t: f64| {
                    let x = along(t);
                    -forces(&at(&x), &moved(&x))[i][axis]
                };
                assert_is_derivative(slope, change[axis], 0.01 * size);
            }
        }
    }

    /// Sticking and sliding, over a triangle, its edge, across an edge, beyond its end, and nearly along it.
    #[test]
    fn forces_that_follow_everything_have_their_derivative() {
        let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.1, 1.0, 0.0]];
        let edge = [[-1.0, 0.0, 0.0], [1.0, 0.1, 0.0]];
        let point = |p| (Kind::PointTriangle, [p, triangle[0], triangle[1], triangle[2]]);
        let edges = |a, b| (Kind::EdgeEdge, [edge[0], edge[1], a, b]);
        for (kind, x) in [
            point([0.3, 0.3, 0.4]),
            point([0.4, -0.3, 0.3]),
            edges([0.2, -0.8, 0.4], [-0.1, 1.0, 0.5]),
            edges([1.2, 0.2, 0.4], [1.4, 1.0, 0.5]),
            edges([-1.0, -0.02, 0.4], [1.0, 0.13, 0.42]),
        ] {
            let x = x.map(Vector3::from);
            let threshold = mollifier_threshold([(x[1] - x[0]).norm(), (x[3] - x[2]).norm()]);
            let pair = Pair { kind, vertices: [0, 1, 2, 3], layer: LAYER, threshold };
            let felt = pair.feel(&x).expect("near");
            let before = (felt.normal + Vector3::new(0.1, -0.2, 0.3)).normalize();
            let across = before.cross(&Vector3::new(0.3, 0.5, -0.2)) * felt.force;
            for (scale, sticks) in [(2e-4, true), (0.3, false)] {
                let x0 = std::array::from_fn(|k| x[k] - way()[(k + 1) % 4] * 100.0 * scale);
                let at = |x: &[Vector3; 4]| {
                    let felt = pair.feel(x).expect("near");
                    let held = Held {
                        before: Some([before, across * 0.1]),
                        coefficients: felt.coefficients,
                        normal: felt.normal,
                        gap: felt.gap,
                        ..blank(Site::Features(pair))
                    };
                    held.under(felt.force)
                };
                let held = at(&x);
                let slip = held.slip(|v| x[v as usize] - x0[v as usize]);
                assert_eq!(held.slides(slip), !sticks, "{slip:?}");
                check(at, x, x0);
            }
        }
    }

    /// A half-space that has turned since the step began.
    #[test]
    fn forces_of_turning_half_spaces_have_their_derivative() {
        let turned = *nalgebra::Rotation3::new(Vector3::new(0.1, 0.2, -0.3)).matrix();
        let normal = Vector3::new(0.2, 1.0, -0.1).normalize();
        let x = [Vector3::new(0.3, 0.4, 0.1); 4];
        for scale in [1e-4, 0.2] {
            let x0 = x.map(|x| turned * x - Vector3::new(1.0, 0.3, 2.0) * scale);
            let at = |x: &[Vector3; 4]| {
                let gap = normal.dot(&x[0]);
                let held = Held {
                    vertices: [0; 4],
                    coefficients: [1.0, 0.0, 0.0, 0.0],
                    normal,
                    gap,
                    carried: x[0] - turned * x[0],
                    ..blank(Site::Plane { layer: LAYER, turned })
                };
                let force = -LAYER.kappa * potential::slope(gap, LAYER.d_hat);
                held.under(force)
            };
            check(at, x, x0);
        }
    }
}

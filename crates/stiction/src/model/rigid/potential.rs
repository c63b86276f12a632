//! Rotations in a minimisation. The balance of a body's rotation is no gradient: it spins, and `Tᵀ` is not the
//! derivative of `Ω = T(θ) w`. What has a potential is
//!
//! $$ \Phi(w) = \tfrac12 (\Omega - \hat\Omega) \cdot I (\Omega - \hat\Omega), \qquad
//!    \partial\Omega/\partial w = T + \beta\, \partial(T w)/\partial\theta $$
//!
//! The rest, `Tᵀ(I(Ω − Ω̂) + γ Ω × IΩ − e) − ∂Φ + e`, is held while a minimum is found, and found again there.

use super::{RigidBody, RigidSet, add_block};
use crate::assembly::{Rows, point};
use crate::element::Projection;
use crate::math::{Matrix3, Vector3};
use crate::model::Weights;
use crate::rigid::rotation::tangent_change;
use crate::solve::BlockMatrix;
use crate::step::Stage;

impl RigidBody {
    /// `Ω − Ω̂` at the point last looked at [rad/s].
    fn change(&self, stage: &Stage) -> Vector3 {
        self.now.omega - point(&stage.v_hat, self.nodes.turn as usize)
    }
}

impl RigidSet {
    /// `Φ` of all bodies at the point last looked at, and the size of what it is made of [J].
    pub(crate) fn potential(&self, stage: &Stage) -> [f64; 2] {
        let (mut sum, mut size) = (0.0, 0.0);
        for body in &self.bodies {
            let change = body.change(stage);
            let momentum = body.angular_momentum(change);
            sum += 0.5 * change.dot(&momentum);
            size += momentum.norm() * body.now.omega.norm();
        }
        [sum, size]
    }

    /// Node of each body's rotation, its rate, and the part of its balance without potential [N·m·s].
    pub(crate) fn for_each_lag(&self, stage: &Stage, mut visit: impl FnMut(u32, Vector3, Vector3)) {
        for body in &self.bodies {
            let (turn, now) = (body.nodes.turn, &body.now);
            let momentum = body.angular_momentum(body.change(stage));
            let impulse = point(&stage.impulse, turn as usize);
            let spin = now.omega.cross(&body.angular_momentum(now.omega)) * stage.gamma;
            let own = now.tangent.tr_mul(&(momentum + spin - impulse));
            let by_rate = now.tangent + tangent_change(now.theta, now.rate) * stage.beta;
            visit(turn, now.rate, own - by_rate.tr_mul(&momentum) + impulse);
        }
    }

    /// Makes what [`RigidSet::add_jacobian`] added symmetric, and positive if asked for.
    pub(crate) fn symmetrise(
        &self,
        rows: &Rows,
        weights: Weights,
        projection: Projection,
        jacobian: &mut BlockMatrix,
    ) {
        for body in &self.bodies {
            let own = body.own_block(weights);
            let half = (own + own.transpose()) * 0.5;
            let wanted = match projection {
                Projection::Exact => half,
                Projection::Positive => positive(half),
            };
            let row = rows.of_node(body.nodes.turn) as usize;
            add_block(jacobian, row, row, wanted - own);
        }
    }
}

/// A symmetric matrix without its negative eigenvalues.
fn positive(matrix: Matrix3) -> Matrix3 {
    let mut eigen = matrix.symmetric_eigen();
    eigen.eigenvalues.iter_mut().for_each(|value| *value = value.max(0.0));
    eigen.recompose()
}

#[cfg(test)]
mod tests {
    use stiction_check::differences::assert_is_derivative;

    use super::*;
    use crate::body::{Rigid, Shape};
    use crate::model::Model;
    use crate::scene::Scene;

    /// Predicted: what is held and the slope of the potential make up the balance of a body that nothing pushes.
    #[test]
    fn slope_and_lag_are_the_balance() {
        let size = Vector3::new(0.3, 0.2, 0.1);
        let brick = Rigid::shape(&Shape::Box { size, rounding: 0.0 }, 12).expect("a box");
        let mut scene = Scene::new();
        scene.add(brick.spin([5.0, -3.0, 8.0]));
        let (model, q, v) = Model::new(&scene, &[]).expect("valid");
        let turn = model.rigid.bodies()[0].nodes.turn as usize;
        let stage = Stage::implicit(0.05, 0.05, &q, &v);
        let at = Vector3::new(6.0, -2.5, 7.0);
        let model = std::cell::RefCell::new(model);
        let look = |rate: Vector3| {
            let mut model = model.borrow_mut();
            let (mut q, mut v) = (q.clone(), v.clone());
            v[3 * turn..3 * turn + 3].copy_from_slice(rate.as_slice());
            let theta = rate * stage.beta;
            q[3 * turn..3 * turn + 3].copy_from_slice(theta.as_slice());
            model.rigid.place(&stage, true, &mut q, &mut v);
            let (mut own, mut held) = (Vector3::zeros(), Vector3::zeros());
            model.rigid.for_each_own(&stage, |_, _, balance, _| own = balance);
            model.rigid.for_each_lag(&stage, |_, _, lag| held = lag);
            (model.rigid.potential(&stage)[0], own - held)
        };
        let (_, slope) = look(at);
        for way in [Vector3::x(), Vector3::new(0.3, -0.5, 0.8)] {
            let scale = slope.norm();
            assert_is_derivative(|t| look(at + way * t).0, slope.dot(&way), scale);
        }
    }
}

//! One place where two bodies may touch, during one step: its geometry, its forces, and their derivatives.
//!
//! With `d` the gap, `g = ∂d/∂x` its gradient at the point, `n = g/|g|`, `P = I − n nᵀ` [Lar22, §4.3; derivatives in
//! full]:
//!
//! $$ f = \lambda\, \partial d - B^T t, \qquad N = \lambda |g|, \qquad w = B v, \qquad u = P w $$
//!
//! over the stencil: the point first (or the nodes of a frame that it is fixed to, whose gradients add up to `g`),
//! then the vertices of the surface that move it. `B` vanishes for rigid motions of both together, so friction has no
//! net force and no net torque. A change `dq` of positions changes
//!
//! $$ dn = \tfrac{1}{|g|} P\, dg, \qquad dg = \partial_x \partial d \cdot dq, \qquad
//!    dN = -k_N |g|\, \partial d \cdot dq + \lambda\, n \cdot dg $$
//!
//! and the slip of the stage, measured by velocity (`e = β P w`) or by position (`e = P Δ + Q e₀`, `Δ` how far the
//! point is from where the surface carried it), by
//!
//! $$ de = \beta P (B\, dv + C_1 dq) + K_n dn, \quad K_n = -\beta (n \cdot w + n w^T) \qquad\text{or}\qquad
//!    de = P\, B_\Delta dq + K_n dn, \quad K_n = -(n \cdot \Delta + n \Delta^T) + \partial_n (Q e_0) $$
//!
//! Friction that resists [spin](super::turning) has a third component of slip and traction, along `n`.

use super::frame::Lever;
use super::law::{Anchored, Elliptic, Normal, Response, Smoothed, StretchedDerivatives, Viscous};
use super::memory::Memory;
use super::mesh_surface::Around;
use super::pair::Point;
use super::penalty::Penalty;
use super::spin::Spin;
use crate::contact::coulomb_residual::FrictionError;
use crate::contact::friction::Grip;
use crate::contact::parallel_transport::ParallelTransport;
use crate::math::{Matrix3, Vector3};

/// A place where two bodies may touch.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// Number of its pair.
    pub(crate) pair: usize,
    /// What it remembers from the step before.
    pub(crate) memory: Memory,
    /// The point.
    pub(crate) point: Point,
    /// What is around it, of a surface that deforms.
    pub(crate) around: Around,
    /// Where the point was at the start of the step [m].
    pub(crate) start: Vector3,
    /// Axes of a point with a radius, at the start of the step.
    pub(crate) start_axes: Matrix3,
    /// Gap at the start of the step [m].
    pub(crate) start_gap: f64,
    /// Whether it is inside, and gives way to others that know a better way out.
    pub(crate) waits: bool,
    /// Whether matrices have room for what it couples.
    pub(crate) coupled: bool,
    /// Mass that moves with it, to measure what its law is short of [kg].
    pub(crate) mass: f64,
    /// What the stage has given.
    pub(crate) given: Given,
    /// The end of the first stage, in schemes with two.
    pub(crate) middle: Option<StageEnd>,
    /// Rotation of the surface since the start of the step.
    pub(crate) rotation: Matrix3,
    /// Where it is.
    pub(crate) geometry: Geometry,
    /// What it feels.
    pub(crate) felt: Felt,
}

/// What a stage gives to a spot before it is solved.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// The normal that the vectors below belong to.
    pub(crate) reference: Vector3,
    /// `ŝ`: known part of the elastic traction [N].
    pub(crate) elastic: Vector3,
    /// `e₀`: known part of the slip, by position [m].
    pub(crate) slip: Vector3,
    /// How the layer between the bodies pushes.
    pub(crate) normal: Normal,
    /// The law.
    pub(crate) law: SpotLaw,
    /// How friction depends on direction, if it does.
    pub(crate) elliptic: Option<Elliptic>,
    /// What friction can do, to judge what it did.
    pub(crate) grip: Option<Grip>,
    /// Additional coefficient of friction per slip velocity [s/m].
    pub(crate) viscosity: f64,
    /// Normal force and directions from elsewhere, where friction is lagged.
    pub(crate) frozen: Option<Frozen>,
}

impl Default for Given {
    fn default() -> Self {
        Self {
            reference: Vector3::y(),
            elastic: Vector3::zeros(),
            slip: Vector3::zeros(),
            normal: Normal::default(),
            law: SpotLaw::None,
            elliptic: None,
            grip: None,
            viscosity: 0.0,
            frozen: None,
        }
    }
}

/// The law of a spot in a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SpotLaw {
    /// No friction.
    None,
    /// With the traction as an unknown.
    Mixed(Anchored),
    /// With the traction as a function of slip.
    Primal(Anchored),
    /// Smoothed.
    Smoothed(Smoothed),
    /// Viscous up to the limit.
    Viscous(Viscous),
}

impl SpotLaw {
    /// Whether the traction is an unknown of its own.
    pub(crate) fn is_mixed(&self) -> bool {
        matches!(self, Self::Mixed(_))
    }
}

/// Lagged friction: everything but the velocity.
#[derive(Clone, Debug)]
pub(crate) struct Frozen {
    pub(crate) normal_force: f64,
    pub(crate) normal: Vector3,
}

/// A contact at the end of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StageEnd {
    pub(crate) normal: Vector3,
    pub(crate) traction: Vector3,
    pub(crate) elastic: Vector3,
    pub(crate) elastic_rate: Vector3,
    pub(crate) plastic_slip: f64,
    pub(crate) rotation: Matrix3,
}

/// Gap and slip at a point in a stage, with derivatives over the stencil.
#[derive(Clone, Debug, Default)]
pub(crate) struct Geometry {
    /// False where there is no surface near: no gap, no forces.
    pub(crate) exists: bool,
    /// How many of the stencil move the point: the first.
    pub(crate) own: usize,
    /// Nodes of the stencil; those of the point first.
    pub(crate) nodes: Vec<Option<u32>>,
    /// `d` [m].
    pub(crate) gap: f64,
    /// `∂d` [-].
    pub(crate) gradient: Vec<Vector3>,
    /// `w` [m/s].
    pub(crate) velocity: Vector3,
    /// `Δ`: from where the surface carried the point of the start of the step [m].
    pub(crate) displacement: Vector3,
    /// `B`; with spin, `B + n nᵀ X`.
    pub(crate) slip: Vec<Matrix3>,
    /// What turns against what, if friction resists spin.
    pub(crate) spin: Option<Box<Spin>>,
}

/// Second derivatives over the stencil: large, and wanted for a moment only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Second {
    /// `∂²d`, row by row [1/m].
    pub(crate) hessian: Vec<Matrix3>,
    /// `B_Δ = ∂Δ/∂q`.
    pub(crate) carried: Vec<Matrix3>,
    /// `C₁ = ∂(B v)/∂q` [1/s].
    pub(crate) slip_change: Vec<Matrix3>,
    /// `∂(Bᵀ t)/∂q`, row by row; empty if zero [N/m].
    pub(crate) force_change: Vec<Matrix3>,
    /// Of frames: what it would be made of.
    pub(crate) levers: Vec<Lever>,
}

impl Second {
    pub(crate) fn clear(&mut self) {
        let Self { hessian, carried, slip_change, force_change, levers } = self;
        levers.clear();
        [hessian, carried, slip_change, force_change].into_iter().for_each(Vec::clear);
    }
}

/// Forces of a spot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Felt {
    /// `n`.
    pub(crate) normal: Vector3,
    /// `|g|` [-].
    pub(crate) slope: f64,
    /// `λ` [N].
    pub(crate) lambda: f64,
    /// `k_N` [N/m].
    pub(crate) stiffness: f64,
    /// `N`, negative where a bond pulls [N].
    pub(crate) normal_force: f64,
    /// `u` [m/s].
    pub(crate) slip_velocity: Vector3,
    /// `e` [m].
    pub(crate) slip: Vector3,
    /// `ŝ`, turned to the present normal [N].
    pub(crate) elastic: Vector3,
    /// `t`, without the viscous part [N].
    pub(crate) traction: Vector3,
    /// All of it [N].
    pub(crate) total: Vector3,
    /// How the law answers.
    pub(crate) response: Option<Response>,
    /// What else it answers where friction depends on direction.
    pub(crate) stretched: Option<StretchedDerivatives>,
    /// Change of the traction per change of each velocity of the stencil [N·s/m].
    pub(crate) by_velocity: Vec<Matrix3>,
    /// Change of the normal force per change of each velocity of the stencil [N·s/m].
    pub(crate) normal_by_velocity: Vec<Vector3>,
    /// The same of its viscous part; empty if there is none.
    pub(crate) viscous_by_velocity: Vec<Matrix3>,
}

/// What all spots of a stage share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StageContext {
    /// End of the stage [s].
    pub(crate) time: f64,
    /// Position per velocity [s].
    pub(crate) beta: f64,
    /// Whether slip is measured by position.
    pub(crate) by_position: bool,
    /// Factor on contact forces, other than 1 only where contact is decoupled.
    pub(crate) weight: f64,
    /// Slip that the tolerance of the solver cannot tell from none [m].
    pub(crate) noise: f64,
}

impl Default for StageContext {
    fn default() -> Self {
        Self { time: 0.0, beta: 0.0, by_position: false, weight: 1.0, noise: 0.0 }
    }
}

impl Spot {
    /// The gap less what it was born with [m].
    pub(crate) fn effective_gap(&self) -> f64 {
        self.geometry.gap - self.memory.offset
    }

    /// Whether it pushes or pulls.
    pub(crate) fn is_active(&self) -> bool {
        self.geometry.exists && self.felt.lambda.abs() > 0.0
    }

    /// Whether forces act that depend on where nodes are.
    pub(crate) fn acts(&self) -> bool {
        self.geometry.exists && (self.felt.lambda.abs() > 0.0 || self.given.frozen.is_some())
    }

    /// `n` and `|g|`, or what the contact was given where a field has no direction.
    fn direction(&self) -> (Vector3, f64) {
        let g: Vector3 = self.geometry.gradient[..self.geometry.own].iter().sum();
        let slope = g.norm();
        (if slope > 1e-9 { g / slope } else { self.given.reference }, slope)
    }

    /// The normal of friction.
    pub(crate) fn friction_normal(&self) -> Vector3 {
        self.given.frozen.as_ref().map_or_else(|| self.direction().0, |frozen| frozen.normal)
    }

    /// How the normal changes with the positions of the stencil [1/m].
    pub(crate) fn normal_change(&self, second: &Second) -> Vec<Matrix3> {
        let (n, slope) = self.direction();
        let projection = (Matrix3::identity() - n * n.transpose()) / slope.max(1e-9);
        let count = self.geometry.nodes.len();
        let of = |j: usize| -> Matrix3 {
            second.hessian.iter().skip(j).step_by(count).take(self.geometry.own).sum()
        };
        (0..count).map(|j| projection * of(j)).collect()
    }

    /// Finds forces from the geometry, at the iterate `traction` if the law has one.
    pub(crate) fn feel(&mut self, penalty: &Penalty, context: &StageContext, traction: Vector3) {
        let gap = self.effective_gap();
        let direction = self.geometry.exists.then(|| self.direction());
        let (geometry, given, felt) = (&self.geometry, &self.given, &mut self.felt);
        felt.by_velocity.clear();
        if let Some(direction) = direction {
            (felt.normal, felt.slope) = direction;
            [felt.lambda, felt.stiffness] = given.normal.at(penalty, gap);
            felt.normal_force = felt.lambda * felt.slope;
        } else {
            felt.lambda = 0.0;
            felt.stiffness = 0.0;
            felt.normal_force = 0.0;
        }
        let (n, bound) = match &given.frozen {
            Some(frozen) => (frozen.normal, frozen.normal_force),
            // What pulls does not press, and rubs against nothing.
            None => (felt.normal, felt.normal_force.max(0.0)),
        };
        if !geometry.exists {
            // Nothing to hold on to: the law sees no normal force, and lets go.
            felt.slip = Vector3::zeros();
            felt.slip_velocity = Vector3::zeros();
            felt.elastic = given.elastic;
        } else {
            let transport = ParallelTransport::between(given.reference, n);
            felt.elastic = transport.apply(given.elastic);
            felt.slip_velocity = geometry.slip_velocity(n);
            felt.slip = if context.by_position {
                geometry.slipped(n) + transport.apply(given.slip)
            } else {
                felt.slip_velocity * context.beta
            };
        }
        let stretched = given.elliptic.and_then(|elliptic| elliptic.at(n));
        // Laws of velocities see slips of the same kind: what a stage moves.
        let (seen, remembered, compliance) = match &given.law {
            SpotLaw::Mixed(law) | SpotLaw::Primal(law) => (felt.slip, felt.elastic, law.compliance),
            _ => (felt.slip_velocity, Vector3::zeros(), 0.0),
        };
        let (slip, memory) = match &stretched {
            None => (seen, remembered),
            Some(stretched) => stretched.see(seen, remembered, compliance),
        };
        let iterate = traction;
        let (traction, response) = match &given.law {
            SpotLaw::None => (Vector3::zeros(), None),
            SpotLaw::Mixed(law) => {
                let own = stretched.map_or(traction, |s| s.restore(traction));
                (own, Some(law.respond(own, slip, memory, bound)))
            }
            SpotLaw::Primal(law) => {
                let (traction, response) = law.primal(slip, memory, bound);
                (traction, Some(response))
            }
            SpotLaw::Smoothed(law) => {
                let (traction, response) = law.respond(slip, bound, context.beta);
                (traction, Some(response))
            }
            SpotLaw::Viscous(law) => {
                let (traction, response) = law.respond(slip, bound, context.beta);
                (traction, Some(response))
            }
        };
        felt.stretched = None;
        let response = response.map(|own| match &stretched {
            None => own,
            Some(stretched) => {
                let by_velocity = matches!(given.law, SpotLaw::Smoothed(_) | SpotLaw::Viscous(_));
                let seen = if by_velocity { seen * context.beta } else { seen };
                let (response, derivatives) =
                    stretched.respond(&own, traction, seen, remembered, compliance);
                felt.stretched = Some(derivatives);
                response
            }
        });
        let traction = match &given.law {
            // The very bits of the iterate.
            SpotLaw::Mixed(_) => iterate,
            _ => stretched.map_or(traction, |s| s.traction(traction)),
        };
        felt.traction = traction;
        felt.response = response;
        let sliding = geometry.along_surface(n, felt.slip_velocity);
        felt.total = traction + sliding * (given.viscosity * bound);
    }

    /// Force on stencil entry `k` [N].
    pub(crate) fn force(&self, k: usize) -> Vector3 {
        let mut force = self.geometry.gradient[k] * self.felt.lambda;
        if self.has_friction() {
            force -= self.geometry.slip[k].tr_mul(&self.felt.total);
        }
        force
    }

    /// Whether friction acts or could.
    pub(crate) fn has_friction(&self) -> bool {
        self.given.law != SpotLaw::None || self.given.viscosity > 0.0
    }

    /// How far friction is from Coulomb's law, but for what is viscous.
    pub(crate) fn friction_error(&self) -> FrictionError {
        let Felt { normal, normal_force, traction, slip_velocity, .. } = self.felt;
        let judged = self.given.grip.filter(|_| self.is_active());
        judged.map_or_else(FrictionError::default, |grip| {
            FrictionError::of(&grip, normal, normal_force, -traction, slip_velocity)
        })
    }

    /// Finds how the traction changes with velocities of the stencil.
    pub(crate) fn differentiate(&mut self, second: &Second, context: &StageContext) {
        let (geometry, given, felt) = (&self.geometry, &self.given, &mut self.felt);
        felt.by_velocity.clear();
        felt.viscous_by_velocity.clear();
        felt.normal_by_velocity.clear();
        let lagged = given.frozen.is_some();
        let n = given.frozen.as_ref().map_or(felt.normal, |frozen| frozen.normal);
        let beta = context.beta;
        let transport = ParallelTransport::between(given.reference, n);
        let identity = Matrix3::identity();
        let projection = identity - n * n.transpose();
        let (spin, zero) = (geometry.spin.as_deref(), Vector3::zeros());
        // Derivative of the slip velocity by the normal.
        let w = geometry.velocity;
        let velocity_by_normal = -(identity * n.dot(&w)) - n * w.transpose();
        let (by_slip, by_normal, compliance) = match (&felt.response, &given.law) {
            (Some(response), SpotLaw::Mixed(law) | SpotLaw::Primal(law)) => {
                (response.by_slip, response.by_normal, law.compliance)
            }
            (Some(response), _) => (response.by_slip, response.by_normal, 0.0),
            (None, _) => (Matrix3::zeros(), Vector3::zeros(), 0.0),
        };
        let slip_by_normal = if context.by_position {
            let delta =
                geometry.displacement - spin.map_or(zero, |s| s.rotation.angle() * s.length);
            -(identity * n.dot(&delta)) - n * delta.transpose() + transport.by_end(given.slip)
        } else if let Some(spin) = spin {
            let w = w - spin.rotation.rate() * spin.length;
            (-(identity * n.dot(&w)) - n * w.transpose()) * beta
        } else {
            velocity_by_normal * beta
        };
        let memory_by_normal = transport.by_end(given.elastic) * compliance;
        let traction_by_normal = match &felt.stretched {
            None => by_slip * (slip_by_normal + memory_by_normal),
            Some(stretched) => {
                by_slip * slip_by_normal
                    + stretched.by_memory * memory_by_normal
                    + stretched.by_frame
            }
        };
        let bound = given.frozen.as_ref().map_or(felt.normal_force, |frozen| frozen.normal_force);
        let (bound, presses) = (bound.max(0.0), felt.lambda > 0.0);
        let beta_by_slope = beta / felt.slope.max(1e-9);
        let count = geometry.nodes.len();
        let mut rotation_change = vec![Matrix3::zeros(); spin.map_or(0, |_| count)];
        match spin {
            Some(spin) if context.by_position => {
                spin.add_change(&spin.rotation.angle_change(), n, &mut rotation_change);
            }
            Some(spin) if !lagged => {
                spin.add_change(&spin.rotation.rate_change(), n, &mut rotation_change);
            }
            _ => {}
        }
        for j in 0..count {
            let slip = &geometry.slip[j];
            let mut change = if context.by_position {
                projection * second.carried[j] * beta
            } else if lagged {
                projection * slip * beta
            } else {
                projection * (slip + second.slip_change[j] * beta) * beta
            };
            if let Some(rotation) = rotation_change.get(j) {
                change += if context.by_position {
                    rotation * beta
                } else {
                    n * n.transpose() * slip * beta + rotation * (beta * beta)
                };
            }
            let mut total = by_slip * change;
            let mut velocity_change = projection * slip;
            let mut force_change = Vector3::zeros();
            if !lagged {
                let rows = second.hessian.iter().skip(j).step_by(geometry.nodes.len());
                let hessian: Matrix3 = rows.take(geometry.own).sum();
                let normal_change = projection * hessian * beta_by_slope;
                total += traction_by_normal * normal_change;
                if presses {
                    force_change = (hessian.tr_mul(&n) * felt.lambda
                        - geometry.gradient[j] * (felt.stiffness * felt.slope))
                        * beta;
                }
                total += by_normal * force_change.transpose();
                velocity_change +=
                    projection * second.slip_change[j] * beta + velocity_by_normal * normal_change;
            }
            felt.by_velocity.push(total);
            felt.normal_by_velocity.push(force_change);
            if given.viscosity > 0.0 {
                let sliding = geometry.along_surface(n, felt.slip_velocity);
                let viscous = velocity_change * bound + sliding * force_change.transpose();
                felt.viscous_by_velocity.push(viscous * given.viscosity);
            }
        }
    }

    /// Minus the derivative of the force on entry `i` by the velocity of entry `j`.
    pub(crate) fn jacobian(
        &self,
        i: usize,
        j: usize,
        second: &Second,
        context: &StageContext,
    ) -> Matrix3 {
        let (geometry, felt) = (&self.geometry, &self.felt);
        let at = i * geometry.nodes.len() + j;
        let mut block = (geometry.gradient[i] * geometry.gradient[j].transpose() * felt.stiffness
            - second.hessian[at] * felt.lambda)
            * context.beta;
        if self.has_friction() {
            block += geometry.slip[i].tr_mul(&felt.by_velocity[j]);
            if let Some(viscous) = felt.viscous_by_velocity.get(j) {
                block += geometry.slip[i].tr_mul(viscous);
            }
            if let (Some(change), None) = (second.force_change.get(at), &self.given.frozen) {
                block += change * context.beta;
            }
        }
        block
    }

    /// The part `a_i b_jᵀ` of [`Spot::jacobian`] by which friction follows the normal force: what is farthest from
    /// symmetric.
    pub(crate) fn coupling(&self, k: usize) -> [Vector3; 2] {
        let by_normal = self.felt.response.map_or_else(Vector3::zeros, |r| r.by_normal);
        [self.geometry.slip[k].tr_mul(&by_normal), self.felt.normal_by_velocity[k]]
    }

    /// Minus the derivative of the contact force alone by the velocity, made positive semi-definite.
    pub(crate) fn positive_jacobian(&self, i: usize, j: usize, context: &StageContext) -> Matrix3 {
        let (geometry, felt) = (&self.geometry, &self.felt);
        geometry.gradient[i] * geometry.gradient[j].transpose() * (felt.stiffness * context.beta)
    }

    /// What a Newton step of the velocities does to the traction.
    pub(crate) fn traction_step(&self, change: impl Fn(u32) -> Vector3) -> Vector3 {
        let correction = self.felt.response.map_or_else(Vector3::zeros, |r| r.correction);
        let nodes = self.geometry.nodes.iter().zip(&self.felt.by_velocity);
        nodes.fold(correction, |sum, (node, by)| node.map_or(sum, |node| sum + by * change(node)))
    }

    /// The contact at the end of a stage.
    pub(crate) fn end(&self, context: &StageContext) -> StageEnd {
        let (felt, beta) = (&self.felt, context.beta);
        let (elastic, plastic_slip) = match &self.given.law {
            SpotLaw::Mixed(law) | SpotLaw::Primal(law) => {
                match self.given.elliptic.and_then(|elliptic| elliptic.at(felt.normal)) {
                    None => (
                        law.elastic(felt.traction, felt.elastic),
                        law.plastic_slip(felt.traction, felt.slip, felt.elastic),
                    ),
                    Some(s) => {
                        let [now, before] = [felt.traction, felt.elastic].map(|t| s.soften(t));
                        let elastic = if s.is_alike(felt.traction, felt.elastic) {
                            law.elastic(felt.traction, felt.elastic)
                        } else {
                            s.stiffen(law.elastic(now, before))
                        };
                        (elastic, law.plastic_slip(now, felt.slip, before))
                    }
                }
            }
            SpotLaw::Smoothed(_) | SpotLaw::Viscous(_) | SpotLaw::None => {
                (Vector3::zeros(), felt.slip_velocity * beta)
            }
        };
        // What the solver leaves of a contact that sticks is not slip: not more than its tolerance makes, or than a
        // small part of what the spring gives way before it slips.
        let sticks = matches!(&self.given.law, SpotLaw::Mixed(law) | SpotLaw::Primal(law)
            if plastic_slip.norm() <= context.noise.max(1e-5 * law.presliding(felt.normal_force.max(0.0))));
        StageEnd {
            normal: felt.normal,
            traction: felt.total,
            elastic,
            elastic_rate: (elastic - felt.elastic) / beta,
            plastic_slip: if sticks { 0.0 } else { plastic_slip.norm() },
            rotation: self.rotation,
        }
    }
}

/// The part of a vector across a unit vector.
pub(crate) fn across(n: Vector3, y: Vector3) -> Vector3 {
    y - n * n.dot(&y)
}

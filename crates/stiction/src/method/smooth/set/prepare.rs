//! What a stage gives to its spots: transported history, law, numbers.

use super::ContactSet;
use crate::contact::friction::{ContactAt, Grip};
use crate::contact::parallel_transport::ParallelTransport;
use crate::math::Vector3;
use crate::method::smooth::law::{
    Anchored, Coefficients, Corner, Elliptic, Normal, Smoothed, Viscous,
};
use crate::method::smooth::pair::PairSurface;
use crate::method::smooth::settings::{Coupling, Law, SlipLevel};
use crate::method::smooth::spot::{Frozen, Spot, SpotLaw, StageContext, across};
use crate::step::{Stage, StageHistory};

/// `ρ` in units of the mass that moves with a contact, per `β²`; 1 to 10 are equally good.
const SCALING: f64 = 10.0;

impl ContactSet {
    /// A stage is about to be solved.
    ///
    /// `q` and `v` are what is expected at its end.
    pub(crate) fn prepare(&mut self, stage: &Stage, q: &[f64], v: &[f64]) {
        let history = stage.history;
        let by_position = match (self.settings.slip, self.settings.law) {
            (_, Law::Smoothed { .. } | Law::Viscous { .. }) | (SlipLevel::Velocity, _) => false,
            (SlipLevel::Auto, _) => history.by_position,
        };
        self.alone = history.by_position && history.before == 0.0;
        // What the explicit part of a stage leaves out, the implicit part makes up for.
        let decoupled = self.settings.coupling == Coupling::Decoupled;
        let weight = if decoupled { 1.0 + history.rate_now / stage.gamma } else { 1.0 };
        self.context = StageContext {
            time: stage.time,
            beta: stage.beta,
            by_position,
            weight,
            noise: self.tolerance * stage.beta * stage.gamma,
        };
        self.move_surfaces(stage.time);
        self.follow(q, v);
        let mut active = vec![0_usize; self.pairs.len()];
        for spot in &self.spots {
            let thickness = self.pairs[spot.pair].penalty.thickness;
            active[spot.pair] += usize::from(spot.start_gap - spot.memory.offset < thickness);
        }
        for k in 0..self.spots.len() {
            let shared = active[self.spots[k].pair];
            self.spots[k].given.normal = self.normal(&self.spots[k], stage.time, shared);
            self.give(k, &history, shared, q);
        }
        self.renumber();
    }

    /// Brings obstacles to time `t`.
    pub(super) fn move_surfaces(&mut self, t: f64) {
        self.poses.clear();
        self.poses.extend(self.pairs.iter().map(|pair| pair.surface.pose(t)));
        if self.still {
            for pose in &mut self.poses {
                (pose.velocity, pose.spin) = (Vector3::zeros(), Vector3::zeros());
            }
        }
    }

    fn give(&mut self, k: usize, history: &StageHistory, shared: usize, q: &[f64]) {
        let number = self.spots[k].pair;
        let viscosity = self.pairs[number].friction.viscosity;
        let rotation = match &self.pairs[number].surface {
            PairSurface::Obstacle(_) => {
                self.poses[number].rotation_since(&self.start_poses[number])
            }
            PairSurface::Mesh(surface) => surface.rotation(&self.spots[k].around),
            PairSurface::Rigid(surface) => surface.rotation(q),
            PairSurface::Edges(crossings) => crossings.sides[1].body.rotation(q),
            PairSurface::MeshEdges(edges) => edges.rotation(&self.spots[k], q, &self.poses[number]),
        };
        let reference = rotation * self.spots[k].memory.normal;
        // Frozen during a step: a coefficient that fell as soon as something slides would have no solution.
        let kinetic = self.grip(k, reference, q);
        let by_speed = matches!(self.settings.law, Law::Smoothed { .. } | Law::Viscous { .. });
        // Laws of velocities find themselves what else sticking is.
        let grip = if by_speed || self.spots[k].memory.sliding {
            kinetic
        } else {
            self.pairs[number].friction.sticking(kinetic)
        };
        let spinning = self.pairs[number].spinning;
        let coefficients = |grip: &Grip| Coefficients {
            along: [grip.plus[0], grip.minus[0]],
            across: [grip.plus[1], grip.minus[1]],
            spin: spinning.map(|spinning| grip.torsion / spinning.length),
        };
        let limits = coefficients(&grip);
        let law = self.law(k, shared, limits.most(), coefficients(&kinetic).most());
        let spot = &mut self.spots[k];
        let memory = &spot.memory;
        let mut elastic = rotation
            * (memory.elastic * history.now
                + memory.elastic_before * history.before
                + memory.elastic_rate * history.rate_now);
        let mut traction = rotation * memory.traction;
        if let Some(middle) = &spot.middle {
            let since = rotation * middle.rotation.transpose();
            let transport = ParallelTransport::between(since * middle.normal, reference);
            let then = middle.elastic * history.middle + middle.elastic_rate * history.rate_middle;
            elastic += transport.apply(since * then);
            traction = transport.apply(since * middle.traction);
        }
        spot.rotation = rotation;
        spot.given.reference = reference;
        spot.given.elastic = elastic;
        spot.given.slip = rotation * memory.slip * history.before;
        spot.given.law = law;
        spot.given.elliptic = Elliptic::new(grip.tangent, &limits);
        // What does not turn has no spin to share limits with.
        let torsion = if spinning.is_some() { grip.torsion } else { 0.0 };
        spot.given.grip = Some(Grip { torsion, ..grip });
        spot.given.viscosity = viscosity;
        spot.given.frozen = None;
        spot.felt.traction = traction;
    }

    fn normal(&self, spot: &Spot, time: f64, shared: usize) -> Normal {
        let (pair, law) = (&self.pairs[spot.pair], &self.settings.normal);
        let mass = pair.mass / shared.max(1) as f64;
        let stiffness = pair.penalty.slope(0.5 * pair.penalty.thickness);
        Normal {
            damper: 2.0 * law.damping * (stiffness * mass).sqrt(),
            rebound: law.rebound,
            start: pair.penalty.depth(spot.start_gap - spot.memory.offset),
            since: if self.still { 0.0 } else { time - self.start },
            bond: pair.bond.filter(|_| spot.memory.bonded),
        }
    }

    /// With the coefficient of the step, and that of sliding; the larger of two, where friction depends on direction.
    fn law(&self, k: usize, shared: usize, coefficient: f64, kinetic: f64) -> SpotLaw {
        let spot = &self.spots[k];
        let pair = &self.pairs[spot.pair];
        let friction = &pair.friction;
        let stick = friction.stick_of(kinetic);
        if stick <= 0.0 && kinetic <= 0.0 {
            return SpotLaw::None;
        }
        let beta = self.context.beta;
        let scaling = SCALING * self.moving_mass(spot) / (beta * beta);
        match self.settings.law {
            Law::Anchored { ratio, damping, corner, mixed } => {
                let k_t = ratio * 3.0 * pair.penalty.stiffness;
                let mass = pair.mass / shared.max(1) as f64;
                let relaxation = 2.0 * damping * (mass / k_t).sqrt();
                let effective = k_t * (1.0 + relaxation / beta);
                let law = Anchored {
                    coefficient,
                    compliance: 1.0 / effective,
                    elastic_share: k_t / effective,
                    scaling: scaling.min(effective),
                    corner: Corner(corner),
                };
                if mixed { SpotLaw::Mixed(law) } else { SpotLaw::Primal(law) }
            }
            Law::Exact => SpotLaw::Mixed(Anchored {
                coefficient,
                compliance: 0.0,
                elastic_share: 0.0,
                scaling,
                corner: Corner(0.0),
            }),
            Law::Smoothed { profile, epsilon } => SpotLaw::Smoothed(Smoothed {
                profile,
                epsilon,
                kinetic,
                stick,
                stribeck: friction.stribeck_velocity,
            }),
            Law::Viscous { resistance } => {
                SpotLaw::Viscous(Viscous { resistance, coefficient: kinetic })
            }
        }
    }

    /// What friction can do at a spot with a normal, while it slides.
    fn grip(&self, k: usize, normal: Vector3, q: &[f64]) -> Grip {
        let spot = &self.spots[k];
        let pair = &self.pairs[spot.pair];
        let surfaces = pair.surfaces_at(spot, &self.poses[spot.pair], self.context.time, q);
        let slip = across(spot.memory.normal, spot.memory.slip);
        let contact = ContactAt { normal, slip, against: [false; 2], sticking: false, surfaces };
        pair.friction.grip(&contact.slipped(0.0))
    }

    /// Mass that a traction moves: `1/(B M⁻¹ Bᵀ)`, with the weights of the start of the step [kg].
    fn moving_mass(&self, spot: &Spot) -> f64 {
        let mut inverse = spot.point.node.map_or(0.0, |_| 1.0 / spot.mass);
        inverse += match &self.pairs[spot.pair].surface {
            PairSurface::Mesh(surface) => surface.mobility(&spot.around, &self.masses),
            PairSurface::Rigid(_) | PairSurface::Edges(_) => 1.0 / self.pairs[spot.pair].mass,
            // All of it, of both.
            PairSurface::MeshEdges(_) => 1.0 / spot.mass,
            PairSurface::Obstacle(_) => 0.0,
        };
        if inverse > 0.0 { 1.0 / inverse } else { spot.mass }
    }

    /// Where friction is lagged: takes normal forces and normals from the start of the step.
    pub(crate) fn freeze_at_start(&mut self) {
        if self.settings.coupling != Coupling::Implicit {
            self.poses.clone_from(&self.start_poses);
            let q = std::mem::take(&mut self.start_q);
            self.freeze(&q);
            self.start_q = q;
        }
    }

    /// Where friction is lagged: takes normal forces and normals from `q`.
    pub(crate) fn freeze(&mut self, q: &[f64]) {
        if self.settings.coupling == Coupling::Implicit {
            return;
        }
        let still = vec![0.0; q.len()];
        for spot in &mut self.spots {
            spot.given.frozen = None;
        }
        let mut tractions = vec![0.0; self.unknowns()];
        self.guess(&mut tractions);
        self.look(q, &still, &tractions);
        for spot in &mut self.spots {
            let felt = &spot.felt;
            let (normal_force, normal) = if spot.geometry.exists {
                (felt.normal_force.max(0.0), felt.normal)
            } else {
                (0.0, spot.given.reference)
            };
            spot.given.frozen = Some(Frozen { normal_force, normal });
        }
        self.move_surfaces(self.context.time);
    }
}

//! All contacts of a scene, through the stages of a step.
//!
//! | when | what |
//! |---|---|
//! | [`ContactSet::begin`] | spots are collected: points that may touch during the step |
//! | [`ContactSet::prepare`] | a stage gives them their history, law and numbers |
//! | [`ContactSet::look`] | at an iterate: gaps, forces, derivatives |
//! | [`ContactSet::judge`] | whether the end of a stage will do |
//! | [`ContactSet::finish_stage`] | the stage's end becomes history of the next stage |
//! | [`ContactSet::accept`] | the step's end becomes the memory of the next step |
//!
//! Spots are a function of the state at the start of the step alone, so that a restored run meets the same ones.

mod clique;
mod detect;
mod hidden;
mod itself;
mod look;
mod near;
mod overlap;
mod passage;
mod prepare;
mod report;
mod verdict;

pub(crate) use clique::Derivative;

use clique::Cliques;
use near::NearPairs;

use super::guard::Guard;
use super::memory::Memory;
use super::mesh_surface::{Ball, Workspace};
use super::pair::{Pair, PairSurface, pairs};
use super::settings::{ContactSettings, Coupling, Law};
use super::shapes::Shapes;
use super::spot::{Given, Spot, SpotLaw, StageContext};
use crate::contact::key::{Key, Name};
use crate::contact::obstacle::MovingPose;
use crate::contact::parallel_transport::ParallelTransport;
use crate::math::Vector3;
use crate::model::{Model, SceneError};
use crate::scene::Scene;

/// All contacts of a scene.
#[derive(Debug, Default)]
pub(crate) struct ContactSet {
    settings: ContactSettings,
    pairs: Vec<Pair>,
    near: NearPairs,
    /// Beneath the layers of what touches itself.
    pub(in crate::method::smooth) guard: Option<Guard>,
    /// Of contacts at the end of the last step, by key.
    memory: Vec<Memory>,
    /// Mass of each node [kg].
    masses: Vec<f64>,
    /// Start of the step [s], and its length [s].
    start: f64,
    step: f64,
    /// Positions [m] and velocities [m/s] at the start of the step.
    start_q: Vec<f64>,
    start_v: Vec<f64>,
    /// Poses of the surfaces of pairs, at the start of the step and now.
    start_poses: Vec<MovingPose>,
    poses: Vec<MovingPose>,
    spots: Vec<Spot>,
    /// Spots whose traction is unknown, in the order of unknowns.
    mixed: Vec<usize>,
    /// Memory of derivatives.
    cliques: Cliques,
    context: StageContext,
    /// Of the solver: unbalanced accelerations up to this remain [m/s²].
    tolerance: f64,
    /// Steps were repeated with stiffer contacts this often, in the present step.
    stiffenings: u32,
    /// Whether the next step follows a jump of forces.
    rough: bool,
    /// Whether something that does not give way is struck in this step, and whether that happened in the one before.
    struck: bool,
    after_blow: bool,
    /// Whether the stage is all there is of the step, and looks back no further than its start.
    alone: bool,
    /// Whether obstacles stand still, whatever their motions say.
    still: bool,
}

impl ContactSet {
    pub(crate) fn new(
        scene: &Scene,
        settings: ContactSettings,
        tolerance: f64,
        model: &Model,
        shapes: &Shapes,
        masses: &[f64],
    ) -> Result<Self, SceneError> {
        let pairs = pairs(scene, &settings, model, shapes)?;
        let masses = masses.to_vec();
        let near = NearPairs::new(&pairs);
        let guard = Guard::new(scene, &settings, model);
        Ok(Self { settings, tolerance, pairs, near, guard, masses, rough: true, ..Self::default() })
    }

    /// Nodes that contacts couple, where they couple more than elements do. Most points that come near do not touch,
    /// and room for them would make factors several times as dear.
    pub(crate) fn stencils(&self) -> Vec<Vec<u32>> {
        let mut stencils: Vec<Vec<u32>> = Vec::new();
        for spot in self.spots.iter().filter(|spot| spot.coupled) {
            let mut stencil: Vec<u32> = spot.point.node.into_iter().collect();
            match &self.pairs[spot.pair].surface {
                PairSurface::Mesh(surface) => surface.dependencies(&spot.around, &mut stencil),
                // One node of a body stands for all.
                PairSurface::Rigid(surface) => stencil.push(surface.frame.nodes[0]),
                PairSurface::Edges(crossings) => {
                    stencil.extend(crossings.sides.each_ref().map(|side| side.body.frame.nodes[0]));
                }
                PairSurface::MeshEdges(edges) => {
                    let Name::Edges(number) = spot.point.name else { continue };
                    stencil.extend(edges.nodes(number).into_iter().flatten());
                }
                PairSurface::Obstacle(_) => continue,
            }
            stencil.sort_unstable();
            stencil.dedup();
            stencils.push(stencil);
        }
        stencils.extend(self.guard.iter().flat_map(Guard::stencils));
        stencils
    }

    /// Whether points act that did not so far in this step: [`ContactSet::stencils`] are more then.
    pub(crate) fn couple_more(&mut self) -> bool {
        let mut more = self.guard.as_mut().is_some_and(Guard::couple);
        for spot in self.spots.iter_mut().filter(|spot| !spot.coupled && spot.acts()) {
            spot.coupled = true;
            more |= !matches!(self.pairs[spot.pair].surface, PairSurface::Obstacle(_));
        }
        more
    }

    /// Whether nothing can ever touch.
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.guard.is_none()
    }

    /// Whether a spot of the step that has begun is inside its layer already.
    pub(crate) fn any_near(&self) -> bool {
        let near = |spot: &Spot| spot.start_gap < self.pairs[spot.pair].range(spot.memory.bonded);
        self.spots.iter().any(near) || self.guard.as_ref().is_some_and(Guard::is_touched)
    }

    /// The same of bodies that do not give way.
    pub(crate) fn any_held(&self) -> bool {
        let near = |spot: &Spot| {
            let pair = &self.pairs[spot.pair];
            pair.is_rigid && spot.start_gap < pair.penalty.thickness
        };
        self.spots.iter().any(near)
    }

    /// Whether normal forces derive from [`ContactSet::energy`].
    pub(crate) fn has_layer_energy(&self) -> bool {
        self.settings.normal.is_elastic()
    }

    /// Whether every contact force derives from an energy.
    pub(crate) fn is_conservative(&self) -> bool {
        self.has_layer_energy() && self.spots.iter().all(|spot| !spot.has_friction())
    }

    /// Whether forces jumped: schemes that look back at forces had better not.
    pub(crate) fn is_rough(&self) -> bool {
        self.rough && self.pairs.iter().any(|pair| !pair.friction.is_none())
    }

    /// Unknown tractions, three numbers each.
    pub(crate) fn unknowns(&self) -> usize {
        3 * self.mixed.len()
    }

    /// Writes a first guess of the unknown tractions [N].
    pub(crate) fn guess(&self, tractions: &mut [f64]) {
        for (out, &spot) in tractions.chunks_exact_mut(3).zip(&self.mixed) {
            out.copy_from_slice(self.spots[spot].felt.traction.as_slice());
        }
    }

    /// Penalty energy of the spots, and that of bonds [J].
    pub(crate) fn energy(&self) -> f64 {
        let of = |spot: &Spot| {
            let pair = &self.pairs[spot.pair];
            let gap = spot.effective_gap();
            if spot.geometry.exists { pair.layer_energy(gap, spot.memory.bonded) } else { 0.0 }
        };
        let layers: f64 = self.spots.iter().map(of).sum();
        layers + self.guard.as_ref().map_or(0.0, Guard::energy)
    }

    /// Energy of compressed contacts and of tangential springs at a state between steps [J].
    pub(crate) fn energy_at(&self, t: f64, q: &[f64]) -> f64 {
        let mut sum = self.guard.as_ref().map_or(0.0, |guard| guard.energy_at(q));
        let near = self.near_pairs((t, 0.0), q, &vec![0.0; q.len()]);
        for (number, pair) in self.pairs.iter().enumerate().filter(|(number, _)| near[*number]) {
            let (pose, mover) = (pair.surface.pose(t), pair.mover_pose(t));
            if let PairSurface::MeshEdges(edges) = &pair.surface {
                let reach = pair.penalty.thickness;
                for found in edges.near_now(q, &pose, reach, |e| self.facing_of(pair, e)) {
                    let memory = self.remembered(pair.key(Name::Edges(found.edges)));
                    sum += self.contact_energy(number, found.gap, memory);
                }
                continue;
            }
            let mut now = None;
            if let PairSurface::Mesh(surface) = &pair.surface {
                let mut surface = surface.clone();
                surface.begin(0.0, q, q);
                if surface.layers.is_some() {
                    sum += self.own_energy(number, &surface);
                    continue;
                }
                now = Some(surface);
            }
            let mut work = Workspace::default();
            for touching in &pair.points {
                let (x, _) = pair.state(touching, q, q, mover.as_ref());
                let memory = self.remembered(pair.key(touching.name));
                // Vertices that rows stand for are no contacts.
                if memory.is_none() && touching.core.is_none() && pair.has_rows() {
                    continue;
                }
                let gap = match (&pair.surface, &now) {
                    (PairSurface::Obstacle(surface), _) => {
                        surface.distance(&pose, x).map(|jet| jet.value - touching.radius())
                    }
                    (PairSurface::Rigid(surface), _) => {
                        Some(surface.gap(&surface.stand(q), x).0 - touching.radius())
                    }
                    (PairSurface::Edges(crossings), _) => {
                        let Name::Edges(edges) = touching.name else { continue };
                        let stands = crossings.stands(q, q);
                        let reach = pair.penalty.thickness;
                        crossings.gap(edges, &stands, reach).map(|found| found.0)
                    }
                    (PairSurface::Mesh(_), Some(surface)) => {
                        let facing = memory.and_then(Memory::facing);
                        match touching.core {
                            Some(core) => {
                                let ball = Ball::new(core, core.stand(q, q, mover.as_ref()));
                                surface.ball_gap_now(&ball, facing, &mut work)
                            }
                            None => surface.gap_now(x, facing, &mut work),
                        }
                    }
                    (PairSurface::Mesh(_), None) | (PairSurface::MeshEdges(_), _) => None,
                };
                sum += gap.map_or(0.0, |gap| self.contact_energy(number, gap, memory));
            }
        }
        sum
    }

    /// Energy of one contact of a pair, of its layer and its tangential spring [J].
    fn contact_energy(&self, number: usize, gap: f64, memory: Option<&Memory>) -> f64 {
        let pair = &self.pairs[number];
        let bonded = memory.is_some_and(|memory| memory.bonded);
        if gap >= pair.range(bonded) {
            return 0.0;
        }
        let effective = gap - memory.map_or_else(|| self.first_offset(pair, gap), |m| m.offset);
        let elastic = memory.map_or(0.0, |m| m.elastic.norm_squared());
        pair.layer_energy(effective, bonded) + 0.5 * elastic * self.spring_compliance(number)
    }

    /// Calls `add` with every force on a node [N].
    pub(crate) fn for_each_force(&self, mut add: impl FnMut(u32, Vector3)) {
        let weight = self.context.weight;
        for spot in self.spots.iter().filter(|spot| spot.geometry.exists) {
            for (k, node) in spot.geometry.nodes.iter().enumerate() {
                if let Some(node) = node {
                    add(*node, spot.force(k) * weight);
                }
            }
        }
        if let Some(guard) = &self.guard {
            guard.for_each_force(|node, force| add(node, force * weight));
        }
    }

    /// Calls `add` with minus the forces of friction [N].
    pub(crate) fn for_each_friction(&self, mut add: impl FnMut(u32, Vector3)) {
        let weight = self.context.weight;
        for spot in self.spots.iter().filter(|spot| spot.geometry.exists && spot.has_friction()) {
            for (node, slip) in spot.geometry.nodes.iter().zip(&spot.geometry.slip) {
                if let Some(node) = node {
                    add(*node, slip.tr_mul(&spot.felt.total) * weight);
                }
            }
        }
    }

    /// Takes friction away, for a while.
    pub(crate) fn mute(&mut self) -> Vec<Given> {
        let mute = |spot: &mut Spot| {
            let quiet = Given { law: SpotLaw::None, viscosity: 0.0, ..spot.given.clone() };
            std::mem::replace(&mut spot.given, quiet)
        };
        let muted = self.spots.iter_mut().map(mute).collect();
        self.renumber();
        muted
    }

    /// Gives it back.
    pub(crate) fn unmute(&mut self, muted: Vec<Given>) {
        self.spots.iter_mut().zip(muted).for_each(|(spot, given)| spot.given = given);
        self.renumber();
    }

    /// Calls `add` with minus the forces that a Newton step adds if nothing moves [N].
    pub(crate) fn for_each_correction(&self, mut add: impl FnMut(u32, Vector3)) {
        let weight = self.context.weight;
        for &spot in &self.mixed {
            let spot = &self.spots[spot];
            let Some(response) = &spot.felt.response else { continue };
            for (node, slip) in spot.geometry.nodes.iter().zip(&spot.geometry.slip) {
                if let Some(node) = node {
                    add(*node, slip.tr_mul(&response.correction) * weight);
                }
            }
        }
    }

    /// Writes what the laws are short of [N].
    pub(crate) fn law_residuals(&self, out: &mut [f64]) {
        for (out, &spot) in out.chunks_exact_mut(3).zip(&self.mixed) {
            let felt = &self.spots[spot].felt;
            let residual = felt.response.map_or_else(Vector3::zeros, |response| response.residual);
            out.copy_from_slice(residual.as_slice());
        }
    }

    /// The largest of these as an acceleration [m/s²].
    pub(crate) fn law_acceleration(&self, residuals: &[f64]) -> f64 {
        let each = residuals
            .chunks_exact(3)
            .zip(&self.mixed)
            .map(|(r, &spot)| Vector3::new(r[0], r[1], r[2]).norm() / self.spots[spot].mass);
        each.fold(0.0, |most, a| if a > most || a.is_nan() { a } else { most })
    }

    /// The sum of their squares over mass [N²/kg].
    pub(crate) fn law_square(&self, residuals: &[f64]) -> f64 {
        let each = residuals.chunks_exact(3).zip(&self.mixed);
        each.map(|(r, &spot)| r.iter().map(|r| r * r).sum::<f64>() / self.spots[spot].mass).sum()
    }

    /// Writes what a Newton step of velocities does to unknown tractions [N].
    pub(crate) fn traction_steps(&self, change: impl Fn(u32) -> Vector3, out: &mut [f64]) {
        for (out, &spot) in out.chunks_exact_mut(3).zip(&self.mixed) {
            out.copy_from_slice(self.spots[spot].traction_step(&change).as_slice());
        }
    }

    /// Ends a stage: what it found is history for the next one.
    pub(crate) fn finish_stage(&mut self) {
        for spot in &mut self.spots {
            spot.middle = spot.geometry.exists.then(|| spot.end(&self.context));
        }
    }

    /// Obstacles count as standing still, or not: they have no velocity while a scene settles.
    pub(crate) fn hold_still(&mut self, still: bool) {
        self.still = still;
    }

    /// Ends a step (or a part of one): what it found is remembered.
    pub(crate) fn accept(&mut self) {
        /// Pairs that do not touch lose half of what they were stiffened by in this time [s].
        const FORGET: f64 = 0.5;
        let mut kept: Vec<Memory> = Vec::with_capacity(self.memory.len());
        let mut touched = vec![false; self.pairs.len()];
        for spot in &self.spots {
            let pair = &self.pairs[spot.pair];
            let (thickness, gap) = (pair.penalty.thickness, spot.effective_gap());
            let bonded = pair.bond.is_some_and(|b| b.holds(spot.memory.bonded, gap, thickness));
            if !spot.geometry.exists || (gap >= thickness && !bonded) {
                kept.extend(spot.still_inside(self.step, thickness));
                continue;
            }
            touched[spot.pair] = true;
            if spot.waits {
                continue; // it begins anew, perhaps with a way out
            }
            let (end, old) = (spot.end(&self.context), &spot.memory);
            let turned = spot.rotation * old.normal;
            let transport = ParallelTransport::between(turned, end.normal);
            let elastic_before = transport.apply(spot.rotation * old.elastic);
            let slip = spot.geometry.slipped(end.normal);
            let sliding = end.plastic_slip > 0.0
                || spot.middle.is_some_and(|middle| middle.plastic_slip > 0.0);
            let compliance = self.spring_compliance(spot.pair);
            let plastic = slip - (end.elastic - elastic_before) * compliance;
            let plastic = spot.geometry.along_surface(end.normal, plastic);
            kept.push(Memory {
                key: old.key,
                normal: end.normal,
                traction: end.traction,
                elastic: end.elastic,
                elastic_rate: end.elastic_rate,
                elastic_before,
                slip,
                gap: spot.geometry.gap,
                push: Some(spot.felt.lambda),
                offset: spot.next_offset(self.step, thickness),
                slid: old.slid + if sliding { plastic.norm() } else { 0.0 },
                sliding,
                bonded,
            });
        }
        for (pair, touched) in self.pairs.iter_mut().zip(touched) {
            if !touched {
                let stiffness = &mut pair.penalty.stiffness;
                // Slowly: every stiffening of a compressed contact adds energy.
                *stiffness *= 0.5_f64.powf(self.step / FORGET);
                *stiffness = stiffness.max(pair.first_stiffness);
            }
        }
        kept.sort_by_key(|memory| memory.key);
        self.memory = kept;
        self.rough = false;
        self.after_blow = self.struck;
        self.struck = false;
    }

    /// `1/k_T` of a pair; zero if friction has no spring [m/N].
    fn spring_compliance(&self, pair: usize) -> f64 {
        match self.settings.law {
            Law::Anchored { ratio, .. } => 1.0 / (ratio * 3.0 * self.pairs[pair].penalty.stiffness),
            Law::Exact | Law::Smoothed { .. } | Law::Viscous { .. } => 0.0,
        }
    }

    /// How often friction is solved with normal forces of the pass before.
    pub(crate) fn passes(&self) -> u32 {
        match self.settings.coupling {
            Coupling::Lagged { passes } if !self.spots.is_empty() => passes.max(1),
            _ => 1,
        }
    }

    /// Appends what is to be saved.
    pub(crate) fn encode(&self, out: &mut Vec<f64>) {
        out.extend(self.pairs.iter().map(|pair| pair.penalty.stiffness));
        out.push(f64::from(u8::from(self.rough) + 2 * u8::from(self.after_blow)));
        self.memory.iter().for_each(|memory| memory.encode(out));
    }

    /// Restores [`ContactSet::encode`]; the length of what it needs if that does not fit.
    pub(crate) fn decode(&mut self, numbers: &[f64]) -> Result<(), usize> {
        let first = self.pairs.len() + 1;
        let rest = numbers.len().checked_sub(first).ok_or(first)?;
        if rest % Memory::LENGTH != 0 {
            return Err(first + rest.next_multiple_of(Memory::LENGTH));
        }
        let contacts = numbers[first..].chunks_exact(Memory::LENGTH).map(Memory::decode);
        // What is no contact here is one of another version, of which as many numbers would be more or fewer.
        let memory = contacts.collect::<Option<_>>().ok_or(first)?;
        for (pair, stiffness) in self.pairs.iter_mut().zip(numbers) {
            pair.penalty.stiffness = *stiffness;
        }
        let flags = numbers[first - 1] as u8;
        (self.rough, self.after_blow) = (flags & 1 != 0, flags & 2 != 0);
        self.memory = memory;
        self.spots.clear();
        self.mixed.clear();
        Ok(())
    }

    fn remembered(&self, key: Key) -> Option<&Memory> {
        let at = self.memory.binary_search_by_key(&key, |memory| memory.key).ok()?;
        Some(&self.memory[at])
    }

    fn renumber(&mut self) {
        self.mixed =
            (0..self.spots.len()).filter(|&spot| self.spots[spot].given.law.is_mixed()).collect();
    }
}

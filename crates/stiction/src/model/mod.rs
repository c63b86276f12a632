//! The model of a scene: nodes, masses, elements, holds, loads, rigid bodies, joints, zones. It knows no contact, no
//! solver and no method.
//!
//! $$ f(t, q, v) = M g + f_{ext}(t) - \nabla W(q) - \bigl(\alpha M + \textstyle\sum_s \beta_s K_s(q_l)\bigr) v $$
//!
//! Stiffness-proportional damping takes the positive semi-definite part of the stiffness at `q_l`, the
//! position expected at the end of a stage. It is frozen there, so that no third derivatives of the
//! energy are needed, and dissipates always. Freezing it at the start of the step instead, as the source
//! does, would cost a second-order integrator its order.

mod build;
mod clique;
mod error;
mod freedom;
mod jacobian;
mod joints;
mod meter;
mod potential;
mod rigid;
mod stage;
mod subject;
mod zones;

pub(crate) use build::{FrameAt, FrameRequest};
pub(crate) use clique::Clique;
pub use error::SceneError;
pub(crate) use jacobian::{Places, Weights};
pub(crate) use meter::Meter;
pub use meter::{Phase, Timings};
pub(crate) use stage::Work;
pub use subject::{Named, Subject};
pub(crate) use zones::Tangent;

use crate::assembly::{Assembly, Rows, point};
use crate::body::{BodyId, Motion, Profile, ZoneId};
use crate::energy::VolumeEnergy;
use crate::geometry::EnclosedVolume;
use crate::math::Vector3;
use crate::mesh::BoundingBox;
use crate::rigid::RigidState;
use crate::scene::Scene;
use crate::solve::{BlockMatrix, LinearOperator as _};
use build::{DeadLoad, Hold, Parts};
use jacobian::matrices;
use joints::JointPlaces;
use rigid::RigidSet;
use zones::Zones;

/// Nodes and forces of a scene.
#[derive(Debug)]
pub struct Model {
    pub(crate) gravity: Vector3,
    pub(crate) body_nodes: Vec<Vec<u32>>,
    pub(crate) vertex_masses: Vec<Vec<f64>>,
    pub(crate) body_terms: Vec<Vec<usize>>,
    /// Per node [kg].
    pub(crate) masses: Vec<f64>,
    /// The same per coordinate; of rotations, principal moments [kg·m²].
    pub(crate) coordinate_masses: Vec<f64>,
    /// Of each node: its mass, or the mean moment of a rotation [kg·m²].
    pub(crate) inertias: Vec<f64>,
    /// How far a node moves when its unknown does: 1, or for a rotation the farthest vertex [m].
    pub(crate) reaches: Vec<f64>,
    pub(crate) rigid: RigidSet,
    /// Frames that were asked for: origin and tips of three axes, and how far these are from it [m].
    pub(crate) frames: Vec<([u32; 4], f64)>,
    pub(crate) joints: Vec<JointPlaces>,
    /// The term that has the rows of all joints.
    pub(crate) joint_term: usize,
    /// Per node [kg/s].
    pub(crate) mass_damping: Vec<f64>,
    pub(crate) holds: Vec<Hold>,
    pub(crate) motions: Vec<Motion>,
    pub(crate) dead_loads: Vec<DeadLoad>,
    pub(crate) scaled_terms: Vec<(usize, Profile)>,
    pub(crate) assembly: Assembly,
    pub(crate) zones: Zones,
    pub(crate) rows: Rows,
    /// Prescribed coordinates of each node.
    pub(crate) fixed: Vec<[bool; 3]>,
    /// Where nodes started [m]. Orders are found from these, so that a restored run has the same.
    pub(crate) start: Vec<Vector3>,
    /// Size of the scene, for tests of rounding [m].
    pub(crate) size: f64,

    /// Second derivative of the energy, over all rows.
    pub(crate) stiffness: BlockMatrix,
    /// `Σ β K`, over all rows, if anything is damped so.
    pub(crate) damping: Option<BlockMatrix>,
    /// Over free rows.
    pub(crate) jacobian: BlockMatrix,
    /// Gravity and loads at the present time, per node coordinate [N].
    pub(crate) external: Vec<f64>,
    /// Forces that prescribed coordinates needed at the end of the last stage, per node coordinate [N].
    pub(crate) reactions: Vec<f64>,
    /// Nodes that rigid bodies and contacts couple in the present pattern.
    pub(crate) stencils: Vec<Vec<u32>>,
    /// How many of them are of rigid bodies; they come first.
    pub(crate) rigid_stencils: usize,
    pub(crate) meter: Meter,
}

impl Model {
    /// Checks a scene and prepares everything that does not change; rigid bodies carry the frames that are asked for.
    ///
    /// # Errors
    /// When the scene is not a system: see [`SceneError`].
    pub(crate) fn new(
        scene: &Scene,
        frames: &[FrameRequest],
    ) -> Result<(Self, Vec<f64>, Vec<f64>), SceneError> {
        if !scene.gravity.iter().all(|g| g.is_finite()) {
            return Err(SceneError::Value {
                what: "gravity",
                whose: Subject::Scene.named(scene),
                value: format!("{:?}", scene.gravity.as_slice()),
                help: "give three finite numbers, such as (0, -9.81, 0)",
            });
        }
        let parts = Parts::new(scene, frames)?;
        let count = parts.positions.len();
        let flatten = |vectors: &[Vector3]| {
            vectors.iter().flat_map(|v| v.iter().copied()).collect::<Vec<f64>>()
        };
        let (mut q, mut v) = (flatten(&parts.positions), flatten(&parts.velocities));
        let mut rigid = RigidSet::new(parts.rigid, count);
        rigid.start(&mut q, &mut v);
        let fixed = fixed_axes(&parts.holds, &rigid, count, 0.0);
        let extent = BoundingBox::of(&parts.positions);
        let stencils = rigid.stencils(|add| {
            parts.terms.iter().for_each(|term| term.for_each_stencil(&mut *add));
        });
        let (rows, assembly) = arrange(parts.terms, &parts.positions, &fixed, &stencils);
        let (jacobian, stiffness, damping) = matrices(&assembly, &rows);
        let zones = Zones::new(parts.zones, &rows, assembly.pattern());
        let mut model = Self {
            rigid_stencils: stencils.len(),
            stencils,
            gravity: scene.gravity,
            body_nodes: parts.nodes,
            vertex_masses: parts.vertex_masses,
            body_terms: parts.body_terms,
            coordinate_masses: coordinate_masses(&parts.masses, &rigid),
            inertias: inertias(&parts.masses, &rigid),
            reaches: reaches(count, &rigid),
            rigid,
            joints: parts.joints,
            joint_term: parts.joint_term,
            masses: parts.masses,
            mass_damping: parts.mass_damping,
            holds: parts.holds,
            motions: parts.motions,
            dead_loads: parts.dead_loads,
            scaled_terms: parts.scaled_terms,
            assembly,
            zones,
            rows,
            fixed,
            start: parts.positions,
            size: if count > 0 {
                extent.diagonal().max(extent.min.amax()).max(extent.max.amax())
            } else {
                1.0
            },
            stiffness,
            damping,
            jacobian,
            external: vec![0.0; 3 * count],
            reactions: vec![0.0; 3 * count],
            frames: parts.frames,
            meter: Meter::default(),
        };
        model.set_time(0.0);
        model.prescribe(0.0, &mut q, &mut v);
        model.check_start(scene, &q, &v)?;
        Ok((model, q, v))
    }

    /// Refuses a start that overflowed: every number was finite, but what follows from them is not.
    fn check_start(&self, scene: &Scene, q: &[f64], v: &[f64]) -> Result<(), SceneError> {
        for (b, nodes) in self.body_nodes.iter().enumerate() {
            for (what, values) in [("a start position", q), ("a start velocity", v)] {
                let starts = nodes.iter().map(|&node| point(values, node as usize));
                if let Some(start) = starts.into_iter().find(|x| !x.iter().all(|c| c.is_finite())) {
                    return Err(SceneError::Value {
                        what,
                        whose: Subject::Body(BodyId(b as u32)).named(scene),
                        value: format!("({}, {}, {})", start.x, start.y, start.z),
                        help: "look for very large numbers in its placement, spin, density and pins",
                    });
                }
            }
        }
        Ok(())
    }

    /// How many bodies there are, obstacles counted.
    pub fn body_count(&self) -> usize {
        self.body_nodes.len()
    }

    /// Nodes of the vertices of a body; welded vertices share one. Empty for an obstacle.
    pub fn nodes(&self, body: BodyId) -> &[u32] {
        &self.body_nodes[body.index()]
    }

    /// Mass of each vertex of a body: its share in that of its node [kg]. Empty for an obstacle.
    pub fn vertex_masses(&self, body: BodyId) -> &[f64] {
        &self.vertex_masses[body.index()]
    }

    /// Numbers of the terms a body is made of, in [`Assembly::terms`]. The first holds its elements in the order of
    /// its mesh; a cloth that resists bending has a second one. None for an obstacle.
    pub fn body_terms(&self, body: BodyId) -> &[usize] {
        &self.body_terms[body.index()]
    }

    /// Where nodes started [m].
    pub fn start(&self) -> &[Vector3] {
        &self.start
    }

    /// Nodes that a pin holds now, or held until it let go; in some coordinates at least.
    pub fn held_nodes(&self) -> impl Iterator<Item = u32> {
        self.holds.iter().map(|hold| hold.node)
    }

    /// Acceleration of free fall [m/s²].
    pub fn gravity(&self) -> Vector3 {
        self.gravity
    }

    /// Mass of each node [kg].
    pub fn node_masses(&self) -> &[f64] {
        &self.masses
    }

    /// Unknowns that are solved for, prescribed coordinates of partly held nodes included.
    pub fn unknown_count(&self) -> usize {
        3 * self.rows.free()
    }

    /// The energy terms.
    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// Forces that prescribed coordinates needed at the end of the last stage, per node coordinate [N].
    pub fn reactions(&self) -> &[f64] {
        &self.reactions
    }

    /// Sets the clock by which phases are timed [s].
    pub fn set_clock(&mut self, clock: impl Fn() -> f64 + Send + Sync + 'static) {
        self.meter.set_clock(Box::new(clock));
    }

    /// Time spent per phase since the clock was set.
    pub fn timings(&self) -> Timings {
        self.meter.timings
    }

    /// A step begins.
    pub(crate) fn begin_step(&mut self) {
        self.meter.begin_step();
    }

    /// Most memory that a matrix and its factor took since the step began [bytes].
    pub(crate) fn matrix_bytes(&self) -> usize {
        self.meter.memory()
    }

    /// The node of a rigid body's centre of mass, and its mass [kg]; nothing for other bodies.
    pub fn rigid_center(&self, body: BodyId) -> Option<(u32, f64)> {
        let node = self.rigid.center(body.0)?;
        Some((node, self.masses[node as usize]))
    }

    /// How a rigid body stands and moves in a state; nothing for other bodies.
    pub fn rigid_state(&self, body: BodyId, q: &[f64], v: &[f64]) -> Option<RigidState> {
        self.rigid.state(body.0, q, v)
    }

    /// How many zones there are.
    pub fn zone_count(&self) -> usize {
        self.zones.len()
    }

    /// Volume of a zone at positions `q` of the nodes [m³].
    ///
    /// # Panics
    /// When the zone is of another scene.
    pub fn zone_volume(&self, zone: ZoneId, q: &[f64]) -> f64 {
        self.zones.volume(zone.index(), q)
    }

    /// Pressure in a zone at positions `q` of the nodes, above that of the atmosphere [Pa].
    ///
    /// # Panics
    /// When the zone is of another scene.
    pub fn zone_pressure(&self, zone: ZoneId, q: &[f64]) -> f64 {
        self.zone_energy(zone).pressure(self.zone_volume(zone, q))
    }

    /// How the energy of a zone follows from its volume.
    ///
    /// # Panics
    /// When the zone is of another scene.
    pub fn zone_energy(&self, zone: ZoneId) -> &VolumeEnergy {
        &self.zones.zone(zone.index()).energy
    }

    /// What encloses a zone, over nodes.
    ///
    /// # Panics
    /// When the zone is of another scene.
    pub fn zone_shape(&self, zone: ZoneId) -> &EnclosedVolume {
        &self.zones.zone(zone.index()).shape
    }

    /// Energy of gas and liquid in all zones at positions `q` of the nodes [J]; infinite where one is inside out.
    pub fn energy_of_zones(&self, q: &[f64]) -> f64 {
        self.zones.energy(q)
    }

    /// Energy of elements, springs and zones at positions `q` of the nodes [J]; infinite where they have none.
    pub fn potential(&self, q: &[f64]) -> f64 {
        self.assembly.energy(q) + self.zones.energy(q)
    }

    /// Energy of motion, elements, gravity and zones [J].
    pub fn energies(&self, q: &[f64], v: &[f64]) -> Energies {
        let (elastic, zones) = (self.assembly.energy(q), self.zones.energy(q));
        let mut energies = Energies { elastic, zones, ..Energies::default() };
        for (node, mass) in self.masses.iter().enumerate() {
            energies.kinetic += 0.5 * mass * point(v, node).norm_squared();
            energies.gravitational -= mass * self.gravity.dot(&point(q, node));
        }
        energies.kinetic += self.rigid.rotation(q, v).0;
        energies
    }

    /// Linear momentum [N·s], and angular momentum about the origin [N·m·s].
    pub fn momentum(&self, q: &[f64], v: &[f64]) -> (Vector3, Vector3) {
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for (node, mass) in self.masses.iter().enumerate() {
            let p = point(v, node) * *mass;
            linear += p;
            angular += point(q, node).cross(&p);
        }
        (linear, angular + self.rigid.rotation(q, v).1)
    }

    /// Tells elements that a step ended at `q`.
    pub fn accept(&mut self, q: &[f64]) {
        self.assembly.terms_mut().iter_mut().for_each(|term| term.accept(q));
    }

    /// What elements remember between steps: all terms back to back.
    pub fn memory(&self) -> Vec<f64> {
        let terms = self.assembly.terms().iter();
        terms.flat_map(|term| term.memory().iter().copied()).collect()
    }

    /// How many numbers [`Model::memory`] has.
    pub fn memory_length(&self) -> usize {
        self.assembly.terms().iter().map(|term| term.memory().len()).sum()
    }

    /// Restores [`Model::memory`], which comes first in `memory`.
    ///
    /// # Errors
    /// When it is from another scene.
    pub fn set_memory(&mut self, mut memory: &[f64]) -> Result<(), SceneError> {
        let (given, expected) = (memory.len(), self.memory_length());
        if given < expected {
            return Err(SceneError::State { what: "memory", given, expected });
        }
        for term in self.assembly.terms_mut() {
            let (own, rest) = memory.split_at(term.memory().len());
            term.set_memory(own);
            memory = rest;
        }
        Ok(())
    }

    /// Lets go of pins whose time has come by `t`; the unknowns are then numbered anew. Says whether there
    /// were any.
    pub fn release(&mut self, t: f64) -> bool {
        let fixed = fixed_axes(&self.holds, &self.rigid, self.masses.len(), t);
        if fixed == self.fixed {
            return false;
        }
        self.fixed = fixed;
        let terms = self.assembly.take_terms();
        (self.rows, self.assembly) = arrange(terms, &self.start, &self.fixed, &self.stencils);
        (self.jacobian, self.stiffness, self.damping) = matrices(&self.assembly, &self.rows);
        self.zones.prepare(&self.rows, self.assembly.pattern());
        true
    }

    /// Makes room in the matrices for what contacts couple: groups of nodes.
    pub(crate) fn fit(&mut self, mut stencils: Vec<Vec<u32>>) {
        if !self.rigid.is_empty() {
            stencils.iter_mut().for_each(|nodes| *nodes = self.rigid.real_nodes(nodes));
        }
        if stencils == self.stencils[self.rigid_stencils..] {
            return;
        }
        self.stencils.truncate(self.rigid_stencils);
        self.stencils.extend(stencils);
        let terms = self.assembly.take_terms();
        let Self { rows, stencils, meter, .. } = self;
        self.assembly = meter.time(Phase::Analysis, || Assembly::new(terms, rows, stencils));
        let frozen = self.damping.take();
        (self.jacobian, self.stiffness, self.damping) = matrices(&self.assembly, &self.rows);
        if let (Some(damping), Some(frozen)) = (&mut self.damping, &frozen) {
            damping.copy_blocks_of(frozen);
        }
        self.zones.prepare(&self.rows, self.assembly.pattern());
    }

    /// Brings loads to time `t`.
    pub(crate) fn set_time(&mut self, t: f64) {
        self.assembly.terms_mut().iter_mut().for_each(|term| term.set_time(t));
        for (term, profile) in &self.scaled_terms {
            self.assembly.terms_mut()[*term].set_scale(profile.at(t));
        }
        for (f, mass) in self.external.chunks_exact_mut(3).zip(&self.masses) {
            f.copy_from_slice((self.gravity * *mass).as_slice());
        }
        for load in &self.dead_loads {
            let factor = load.profile.at(t);
            for (node, force) in &load.forces {
                let at = 3 * *node as usize;
                for (f, force) in self.external[at..at + 3].iter_mut().zip(force.iter()) {
                    *f += factor * force;
                }
            }
        }
    }

    /// Sets prescribed coordinates to their values at time `t`.
    pub(crate) fn prescribe(&self, t: f64, q: &mut [f64], v: &mut [f64]) {
        for hold in &self.holds {
            let (x, dx) = self.motions[hold.motion].at(hold.start, t);
            for axis in 0..3 {
                if self.fixed[hold.node as usize][axis] && hold.axes[axis] {
                    q[3 * hold.node as usize + axis] = x[axis];
                    v[3 * hold.node as usize + axis] = dx[axis];
                }
            }
        }
    }

    /// Freezes stiffness-proportional damping at `q`.
    pub(crate) fn freeze_damping(&mut self, q: &[f64]) {
        if let Some(damping) = &mut self.damping {
            let assembly = &self.assembly;
            self.meter.time(Phase::Assembly, || {
                assembly.damping(q, damping);
            });
        }
    }

    /// Writes what pulls on each row besides inertia: `∇W − f_ext + (α M + D) v` [N].
    pub(crate) fn unbalanced(&mut self, q: &[f64], v: &[f64], work: &mut Work, out: &mut [f64]) {
        let Self { assembly, zones, rows, damping, external, mass_damping, meter, .. } = self;
        meter.time(Phase::Forces, || {
            assembly.gradient(q, out);
            zones.add_gradient(q, rows, out);
            if let Some(damping) = damping {
                work.gather_rows(rows, v);
                damping.apply(&work.rows, &mut work.product);
                out.iter_mut().zip(&work.product).for_each(|(out, d)| *out += d);
            }
            for (out, &node) in out.chunks_exact_mut(3).zip(rows.nodes()) {
                for a in 0..3 {
                    let at = 3 * node as usize + a;
                    out[a] += mass_damping[node as usize] * v[at] - external[at];
                }
            }
        });
    }

    /// Writes what prescribed coordinates need beyond the forces they feel, `M a − f` [N], given `−f` and with inertia
    /// counted once or not at all. Zero where a stage failed so badly that there is no number.
    pub(crate) fn react(&mut self, t: f64, inertia: f64, in_rows: &[f64]) {
        let Self { rows, fixed, reactions, holds, motions, masses, .. } = self;
        for (r, &node) in in_rows.chunks_exact(3).zip(rows.nodes()) {
            for a in 0..3 {
                let known = fixed[node as usize][a] && r[a].is_finite();
                reactions[3 * node as usize + a] = if known { r[a] } else { 0.0 };
            }
        }
        for hold in holds.iter() {
            let node = hold.node as usize;
            let acceleration = motions[hold.motion].acceleration(hold.start, t);
            for a in (0..3).filter(|&a| fixed[node][a] && hold.axes[a]) {
                reactions[3 * node + a] += inertia * masses[node] * acceleration[a];
            }
        }
    }
}

/// Takes a force on a node away from a vector over rows.
pub(crate) fn subtract(rows: &Rows, node: u32, force: Vector3, in_rows: &mut [f64]) {
    let at = 3 * rows.of_node(node) as usize;
    for (value, force) in in_rows[at..at + 3].iter_mut().zip(force.iter()) {
        *value -= force;
    }
}

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Of motion.
    pub kinetic: f64,
    /// Of all elements and springs.
    pub elastic: f64,
    /// In gravity, zero at the origin.
    pub gravitational: f64,
    /// Of gas and liquid in zones, zero at their rest volumes.
    pub zones: f64,
    /// Of compressed contacts, of bonds, and of tangential springs that stick.
    pub contact: f64,
}

impl Energies {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.gravitational + self.zones + self.contact
    }
}

/// Which coordinates are prescribed at time `t`.
fn fixed_axes(holds: &[Hold], rigid: &RigidSet, count: usize, t: f64) -> Vec<[bool; 3]> {
    let mut fixed = vec![[false; 3]; count];
    for hold in holds.iter().filter(|hold| t < hold.release) {
        for axis in 0..3 {
            fixed[hold.node as usize][axis] |= hold.axes[axis];
        }
    }
    rigid.dependent().for_each(|node| fixed[node as usize] = [true; 3]);
    fixed
}

fn coordinate_masses(masses: &[f64], rigid: &RigidSet) -> Vec<f64> {
    let mut all: Vec<f64> = masses.iter().flat_map(|&m| [m; 3]).collect();
    for body in rigid.bodies() {
        all[3 * body.nodes.turn as usize..][..3].copy_from_slice(body.moments.as_slice());
    }
    all
}

fn inertias(masses: &[f64], rigid: &RigidSet) -> Vec<f64> {
    let mut all = masses.to_vec();
    for body in rigid.bodies() {
        all[body.nodes.turn as usize] = body.moments.mean();
    }
    all
}

fn reaches(count: usize, rigid: &RigidSet) -> Vec<f64> {
    let mut all = vec![1.0; count];
    for body in rigid.bodies() {
        all[body.nodes.turn as usize] = body.reach;
    }
    all
}

/// Orders the rows and looks up slots.
fn arrange(
    terms: Vec<crate::assembly::Term>,
    points: &[Vector3],
    fixed: &[[bool; 3]],
    more: &[Vec<u32>],
) -> (Rows, Assembly) {
    let rows = Rows::new(points, |node| fixed[node as usize] == [true; 3]);
    let assembly = Assembly::new(terms, &rows, more);
    (rows, assembly)
}

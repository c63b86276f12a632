//! The scene as a dynamical system: nodes, forces, Jacobians, and the solution of a stage.
//!
//! $$ f(t, q, v) = M g + f_{ext}(t) - \nabla W(q) - \bigl(\alpha M + \textstyle\sum_s \beta_s K_s(q_l)\bigr) v $$
//!
//! Stiffness-proportional damping takes the positive semi-definite part of the stiffness at `q_l`, the
//! position expected at the end of a stage. It is frozen there, so that no third derivatives of the
//! energy are needed, and dissipates always. Freezing it at the start of the step instead, as the source
//! does, would cost a second-order integrator its order.

mod build;
mod equilibrium;
mod error;
mod iterative;
mod jacobian;
mod joints;
mod linear;
mod matrix_free;
mod rigid;
mod stage;

pub(crate) use stage::Answer;

mod watch;
mod zones;

pub use equilibrium::Adrift;
pub use error::SceneError;
pub use watch::{Phase, Timings};

use crate::assembly::{Assembly, Rows, point};
use crate::body::{BodyId, Motion, Profile, ZoneId};
use crate::contact::penalty::Penalty;
use crate::contact::set::ContactSet;
use crate::contact::{Contact, ContactReport, ContactSettings, SmoothSurface};
use crate::energy::VolumeEnergy;
use crate::geometry::EnclosedVolume;
use crate::math::Vector3;
use crate::mesh::BoundingBox;
use crate::rigid::RigidState;
use crate::scene::Scene;
use crate::solve::{BlockMatrix, LinearOperator};
use crate::step::{Dynamics, Stage, StageReport, Trajectory};
use build::{DeadLoad, Hold, Parts};
use iterative::Iterative;
use jacobian::matrices;
use joints::JointPlaces;
use linear::Linear;
use rigid::RigidSet;
use watch::Watch;
use zones::Zones;

/// How the equations of a stage are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Minimisation where forces have an energy, Newton where not.
    #[default]
    Auto,
    /// Minimisation of the incremental potential; needs forces with an energy.
    Minimise,
    /// Damped Newton on the unbalanced forces, with direct solves.
    Newton,
    /// Inexact Newton, with GMRES and incomplete factors; direct where that fails.
    InexactNewton,
    /// Inexact Newton, with BiCGSTAB and products that never form a matrix; direct where that fails. The
    /// least memory.
    MatrixFree,
}

/// What makes an indefinite Hessian positive definite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stabilisation {
    /// Each element's Hessian loses its negative eigenvalues.
    #[default]
    Projection,
    /// The diagonal is shifted by a multiple of the mass, as little as the inertia of the whole matrix asks for.
    Inertia,
}

/// When the equations of a stage count as solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// How they are solved.
    pub method: Method,
    /// How minimisation goes on where the Hessian is indefinite.
    pub stabilisation: Stabilisation,
    /// Largest acceptable unbalanced acceleration of any node [m/s²].
    pub tolerance: f64,
    /// Newton iterations per stage.
    pub max_iterations: usize,
    /// How contacts are modelled.
    pub contact: ContactSettings,
}

impl Default for SolverSettings {
    fn default() -> Self {
        let (method, stabilisation) = (Method::Auto, Stabilisation::Projection);
        let contact = ContactSettings::default();
        Self { method, stabilisation, tolerance: 1e-6, max_iterations: 60, contact }
    }
}

/// Nodes and forces of a scene.
#[derive(Debug)]
pub struct System {
    settings: SolverSettings,
    gravity: Vector3,
    body_nodes: Vec<Vec<u32>>,
    vertex_masses: Vec<Vec<f64>>,
    body_terms: Vec<Vec<usize>>,
    /// Per node [kg].
    masses: Vec<f64>,
    /// The same per coordinate; of rotations, principal moments [kg·m²].
    coordinate_masses: Vec<f64>,
    /// Of each node: its mass, or the mean moment of a rotation [kg·m²].
    inertias: Vec<f64>,
    /// How far a node moves when its unknown does: 1, or for a rotation the farthest vertex [m].
    reaches: Vec<f64>,
    rigid: RigidSet,
    joints: Vec<JointPlaces>,
    /// The term that has the rows of all joints.
    joint_term: usize,
    /// Per node [kg/s].
    mass_damping: Vec<f64>,
    holds: Vec<Hold>,
    motions: Vec<Motion>,
    dead_loads: Vec<DeadLoad>,
    scaled_terms: Vec<(usize, Profile)>,
    assembly: Assembly,
    zones: Zones,
    rows: Rows,
    /// Prescribed coordinates of each node.
    fixed: Vec<[bool; 3]>,
    /// Where nodes started [m]. Orders are found from these, so that a restored run has the same.
    start: Vec<Vector3>,
    /// Size of the scene, for tests of rounding [m].
    size: f64,

    /// Second derivative of the energy, over all rows.
    stiffness: BlockMatrix,
    /// `Σ β K`, over all rows, if anything is damped so.
    damping: Option<BlockMatrix>,
    /// Over free rows.
    jacobian: BlockMatrix,
    /// The Jacobian without what friction takes from normal forces, if it was needed.
    uncoupled: Option<BlockMatrix>,
    linear: Linear,
    iterative: Iterative,
    scratch: Scratch,
    /// Gravity and loads at the present time, per node coordinate [N].
    external: Vec<f64>,
    /// Forces that prescribed coordinates needed at the end of the last stage, per node coordinate [N].
    reactions: Vec<f64>,
    contact: ContactSet,
    /// Nodes that rigid bodies and contacts couple in the present pattern.
    stencils: Vec<Vec<u32>>,
    /// How many of them are of rigid bodies; they come first.
    rigid_stencils: usize,
    watch: Watch,
}

impl System {
    /// Checks a scene and prepares everything that does not change.
    ///
    /// # Errors
    /// When the scene is not a system: see [`SceneError`].
    pub fn new(
        scene: &Scene,
        settings: SolverSettings,
    ) -> Result<(Self, Vec<f64>, Vec<f64>), SceneError> {
        if !scene.gravity.iter().all(|g| g.is_finite()) {
            return Err(SceneError::Value {
                what: "gravity",
                whose: "the scene".into(),
                value: format!("{:?}", scene.gravity.as_slice()),
                help: "give three finite numbers, such as (0, -9.81, 0)",
            });
        }
        let parts = Parts::new(scene)?;
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
        let contact = ContactSet::new(
            scene,
            settings.contact,
            settings.tolerance,
            &parts.nodes,
            &parts.shapes,
            &parts.vertex_masses,
            &felt_masses(&parts.masses, &parts.nodes, &parts.vertex_masses),
        );
        let contact = contact
            .map_err(|(body, source)| SceneError::Surface { body: scene.name(body), source })?;
        let mut system = Self {
            settings,
            contact,
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
            uncoupled: None,
            linear: Linear::default(),
            iterative: Iterative::default(),
            scratch: Scratch::default(),
            external: vec![0.0; 3 * count],
            reactions: vec![0.0; 3 * count],
            watch: Watch::default(),
        };
        system.set_time(0.0);
        system.prescribe(0.0, &mut q, &mut v);
        system.check_start(scene, &q, &v)?;
        Ok((system, q, v))
    }

    /// Refuses a start that overflowed: every number was finite, but what follows from them is not.
    fn check_start(&self, scene: &Scene, q: &[f64], v: &[f64]) -> Result<(), SceneError> {
        for (b, nodes) in self.body_nodes.iter().enumerate() {
            for (what, values) in [("a start position", q), ("a start velocity", v)] {
                let starts = nodes.iter().map(|&node| point(values, node as usize));
                if let Some(start) = starts.into_iter().find(|x| !x.iter().all(|c| c.is_finite())) {
                    return Err(SceneError::Value {
                        what,
                        whose: format!("body {}", scene.name(BodyId(b as u32))),
                        value: format!("({}, {}, {})", start.x, start.y, start.z),
                        help: "look for very large numbers in its placement, spin, density and pins",
                    });
                }
            }
        }
        Ok(())
    }

    /// How stages are solved.
    pub fn settings(&self) -> &SolverSettings {
        &self.settings
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
        self.watch.set_clock(Box::new(clock));
    }

    /// Time spent per phase since the clock was set.
    pub fn timings(&self) -> Timings {
        self.watch.timings
    }

    /// Contacts after the last step, in numbers.
    pub fn contact_report(&self) -> ContactReport {
        self.contact.report()
    }

    /// Contacts that push, after a step that ended at positions `q` of the nodes.
    pub fn contacts(&self, q: &[f64]) -> Vec<Contact> {
        self.contact.contacts(q)
    }

    /// What was chosen for each pair that may touch: the body of the points, that of the surface, the layer between them.
    pub fn contact_pairs(&self) -> impl Iterator<Item = (BodyId, BodyId, Penalty)> {
        self.contact.chosen()
    }

    /// Smooth surfaces that may be touched, each body once; of what deforms, as it was last.
    pub fn contact_surfaces(&self) -> impl Iterator<Item = (BodyId, SmoothSurface<'_>)> {
        self.contact.surfaces()
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

    /// Whether anything can touch.
    pub fn has_contacts(&self) -> bool {
        !self.contact.is_empty()
    }

    /// A new step begins, not a repetition of one.
    pub(crate) fn begin_step(&mut self) {
        self.contact.forget_stiffenings();
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

    /// Energy of motion, elements, gravity, zones and contacts at time `t` [J].
    pub fn energies(&self, t: f64, q: &[f64], v: &[f64]) -> Energies {
        let (elastic, zones) = (self.assembly.energy(q), self.zones.energy(q));
        let contact = self.contact.energy_at(t, q);
        let mut energies = Energies { elastic, zones, contact, ..Energies::default() };
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
        self.contact.accept();
    }

    /// What elements and contacts remember between steps: all terms back to back, then contacts.
    pub fn memory(&self) -> Vec<f64> {
        let terms = self.assembly.terms().iter();
        let mut memory: Vec<f64> = terms.flat_map(|term| term.memory().iter().copied()).collect();
        if !self.contact.is_empty() {
            self.contact.encode(&mut memory);
        }
        memory
    }

    /// Restores [`System::memory`].
    ///
    /// # Errors
    /// When it is from another scene.
    pub fn set_memory(&mut self, mut memory: &[f64]) -> Result<(), SceneError> {
        let given = memory.len();
        let of_terms: usize = self.assembly.terms().iter().map(|term| term.memory().len()).sum();
        let wrong = |expected| SceneError::State { what: "memory", given, expected };
        if given < of_terms || (self.contact.is_empty() && given > of_terms) {
            return Err(wrong(of_terms));
        }
        if !self.contact.is_empty() {
            self.contact.decode(&memory[of_terms..]).map_err(|more| wrong(of_terms + more))?;
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
        self.linear = Linear::default();
        true
    }

    /// A step was taken in parts.
    pub(crate) fn was_halved(&mut self) {
        if self.is_held() {
            self.contact.expect_jump();
        }
    }

    /// Makes room in the matrices for what contacts couple.
    fn fit_contacts(&mut self) {
        let mut stencils = self.contact.stencils();
        if !self.rigid.is_empty() {
            stencils.iter_mut().for_each(|nodes| *nodes = self.rigid.real_nodes(nodes));
        }
        if stencils == self.stencils[self.rigid_stencils..] {
            return;
        }
        self.stencils.truncate(self.rigid_stencils);
        self.stencils.extend(stencils);
        let terms = self.assembly.take_terms();
        let Self { rows, stencils, watch, .. } = self;
        self.assembly = watch.time(Phase::Analysis, || Assembly::new(terms, rows, stencils));
        let frozen = self.damping.take();
        (self.jacobian, self.stiffness, self.damping) = matrices(&self.assembly, &self.rows);
        if let (Some(damping), Some(frozen)) = (&mut self.damping, &frozen) {
            damping.copy_blocks_of(frozen);
        }
        self.zones.prepare(&self.rows, self.assembly.pattern());
    }

    /// Brings loads to time `t`.
    fn set_time(&mut self, t: f64) {
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
    fn prescribe(&self, t: f64, q: &mut [f64], v: &mut [f64]) {
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
    fn freeze_damping(&mut self, q: &[f64]) {
        if let Some(damping) = &mut self.damping {
            let assembly = &self.assembly;
            self.watch.time(Phase::Assembly, || {
                assembly.damping(q, damping);
            });
        }
    }

    /// Writes what pulls on each row besides inertia: `∇W − f_ext + (α M + D) v` [N].
    fn unbalanced(&mut self, q: &[f64], v: &[f64], work: &mut Work, out: &mut [f64]) {
        let Self { assembly, zones, rows, damping, external, mass_damping, watch, .. } = self;
        watch.time(Phase::Forces, || {
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

    /// Finds [`System::reactions`] at a time and place that no stage has just ended at, such as the start.
    /// Damping is frozen at `q`, not where a stage would have predicted it: in damped scenes a stage may report
    /// slightly other forces.
    pub fn find_reactions(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.set_time(t);
        self.freeze_damping(q);
        let mut in_rows = vec![0.0; q.len()];
        self.unbalanced(q, v, &mut Work::default(), &mut in_rows);
        self.contact.begin(t, 0.0, q, v);
        self.add_past_contacts(t, q, v, &mut in_rows);
        self.react(t, 1.0, &in_rows);
    }

    /// Takes contact forces of a past state away from what pulls on rows.
    fn add_past_contacts(&mut self, t: f64, q: &[f64], v: &[f64], in_rows: &mut [f64]) {
        let Self { contact, rows, watch, .. } = self;
        watch.time(Phase::Contact, || {
            contact.past_forces(t, q, v, |node, force| subtract(rows, node, force, in_rows));
        });
    }

    /// Takes contact forces of the present iterate away from what pulls on rows.
    fn add_contacts(&mut self, in_rows: &mut [f64]) {
        let Self { contact, rows, .. } = self;
        contact.for_each_force(|node, force| subtract(rows, node, force, in_rows));
    }

    /// Writes what prescribed coordinates need beyond the forces they feel, `M a − f` [N], given `−f` and with inertia
    /// counted once or not at all. Zero where a stage failed so badly that there is no number.
    fn react(&mut self, t: f64, inertia: f64, in_rows: &[f64]) {
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
fn subtract(rows: &Rows, node: u32, force: Vector3, in_rows: &mut [f64]) {
    let at = 3 * rows.of_node(node) as usize;
    for (value, force) in in_rows[at..at + 3].iter_mut().zip(force.iter()) {
        *value -= force;
    }
}

/// Memory that stages use again.
#[derive(Debug, Default)]
struct Scratch {
    unknowns: Vec<f64>,
    rows: Vec<f64>,
    work: Work,
    points: Vec<Vector3>,
    minimise: crate::solve::minimise::Workspace,
    newton: crate::solve::newton::Workspace,
}

/// Scratch vectors over all rows.
#[derive(Clone, Debug, Default)]
struct Work {
    rows: Vec<f64>,
    product: Vec<f64>,
}

impl Work {
    /// Copies a vector over nodes into rows.
    fn gather_rows(&mut self, rows: &Rows, nodes: &[f64]) {
        self.rows.resize(nodes.len(), 0.0);
        self.product.resize(nodes.len(), 0.0);
        rows.gather(nodes, &mut self.rows);
    }
}

/// Energies of a system [J].
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

/// Masses as contacts feel them: carried vertices have their share in the body's.
fn felt_masses(masses: &[f64], nodes: &[Vec<u32>], vertex_masses: &[Vec<f64>]) -> Vec<f64> {
    let mut felt = masses.to_vec();
    for (&node, &mass) in nodes.iter().flatten().zip(vertex_masses.iter().flatten()) {
        if felt[node as usize] == 0.0 {
            felt[node as usize] = mass;
        }
    }
    felt
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

impl Dynamics for System {
    #[expect(clippy::misnamed_getters, reason = "`masses` are those of nodes")]
    fn masses(&self) -> &[f64] {
        &self.coordinate_masses
    }

    fn begin(&mut self, t: f64, h: f64, q: &[f64], v: &[f64]) {
        let Self { contact, watch, .. } = self;
        watch.time(Phase::Contact, || contact.begin(t, h, q, v));
        self.rigid.begin(q);
        self.fit_contacts();
    }

    fn end(&mut self, state: &mut Trajectory) {
        let before = state.before.as_mut().map(|before| &mut before.q[..]);
        self.rigid.rebase(&mut state.q, before);
    }

    fn is_rough(&self) -> bool {
        self.contact.is_rough()
    }

    fn is_held(&self) -> bool {
        !self.joints.is_empty() || self.contact.any_held()
    }

    fn is_struck(&self) -> bool {
        self.contact.is_struck()
    }

    fn force(&mut self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.set_time(t);
        self.freeze_damping(q);
        let mut in_rows = vec![0.0; q.len()];
        self.unbalanced(q, v, &mut Work::default(), &mut in_rows);
        self.add_past_contacts(t, q, v, &mut in_rows);
        self.rigid.stand(q, v);
        self.rigid.gather(&self.rows, &mut in_rows);
        for (row, &node) in in_rows.chunks_exact(3).zip(self.rows.nodes()) {
            for a in 0..3 {
                f[3 * node as usize + a] = -row[a];
            }
        }
    }

    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport {
        stage::solve(self, stage, q, v)
    }
}

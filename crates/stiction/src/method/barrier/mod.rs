//! Contacts as barriers: energies that grow without bound as features come near each other, and steps that stop before
//! anything touches. Nothing passes through anything, whatever the step (incremental potential contact [LFS+20]).
//!
//! | module | what |
//! |---|---|
//! | `mesh` | all vertices, edges and triangles that may touch |
//! | `near` | pairs of them that are near each other |
//! | [`potential`], `contact` | the barrier; one pair: energy, forces, derivatives; shared, in `contact/features` |
//! | `friction` | friction of one contact: with a potential, or following its normal force |
//! | `felt` | contacts that push, with the friction that they have |
//! | `bound` | how far everything may move (continuous collision detection) |
//! | `view` | where everything is, and the energy of barriers there |
//! | `stage` | the incremental potential of a stage, and its minimum |
//! | `implicit` | the equation of a stage with friction that follows, and its root |
//! | `room` | bodies moved apart that touch at the start |
//! | `memory`, `record` | what contacts remember, and what they tell |

mod bound;
mod felt;
mod friction;
mod implicit;
mod memory;
mod mesh;
mod near;
mod record;
mod room;
mod settings;
mod settle;
mod stage;
mod view;

pub use crate::contact::features::potential;
pub use room::make_room;
pub use settings::{BarrierSettings, Coupling};

use self::bound::{Places, Room, free_part};
use self::friction::Held;
use self::memory::Memory;
use self::mesh::ContactMesh;
use self::near::{Filter, Near};
use self::view::View;
use super::linear::Linear;
use super::smooth::{Adrift, Smooth, SolverSettings};
use super::{Chosen, Method};
use crate::body::BodyId;
use crate::contact::features as contact;
use crate::contact::{Contact, ContactReport};
use crate::element::Projection;
use crate::geometry::intersection::crossings;
use crate::math::{Matrix3, Vector3};
use crate::model::{Clique, Model, Phase, SceneError, Work};
use crate::scene::Scene;
use crate::solve::BlockMatrix;
use crate::step::{Dynamics, Integrator, Stage, StageReport, Trajectory, Unfinished, Unit};
use crate::threads::map_each;

/// Contacts that a thread looks at in one go.
const TOGETHER: usize = 64;

/// Barriers between all bodies of a scene.
#[derive(Debug)]
pub(crate) struct Barrier {
    settings: BarrierSettings,
    mesh: ContactMesh,
    /// Whether each vertex can move by itself.
    free: Vec<bool>,
    /// Where everything is.
    now: View,
    /// Friction, with normal forces of some minimum, or with those of where everything is.
    held: Vec<Held>,
    /// Whether friction follows normal forces wherever everything goes.
    follows: bool,
    /// What has no potential: nodes of rotations, and torques times the length of the stage [N·m·s].
    lag: Vec<(u32, Vector3)>,
    /// Contacts at the end of the last step, and of the present one so far.
    memory: Vec<Memory>,
    ended: Vec<Memory>,
    /// Where vertices were when the step began, and when that was.
    start: Vec<Vector3>,
    start_time: f64,
    /// Positions of nodes at which nothing touches [m].
    feasible: Vec<f64>,
    report: ContactReport,
    linear: Linear,
    /// The Jacobian in which friction does not follow normal forces, which is nearly symmetric.
    uncoupled: Option<BlockMatrix>,
    scratch: Scratch,
    /// Statics of what hangs free.
    statics: Smooth,
}

/// Memory that stages use again.
#[derive(Debug, Default)]
struct Scratch {
    rows: Vec<f64>,
    work: Work,
    points: Vec<Vector3>,
    minimise: crate::solve::minimise::Workspace,
    newton: crate::solve::newton::Workspace,
}

impl Barrier {
    pub(crate) fn new(
        scene: &Scene,
        settings: BarrierSettings,
        model: &Model,
    ) -> Result<Self, SceneError> {
        let mesh = ContactMesh::new(scene, model).map_err(|body| SceneError::Value {
            what: "the shape",
            whose: crate::model::Subject::Body(body).named(scene),
            value: "without triangles".into(),
            help: "give it as a mesh, or take the smooth method",
        })?;
        let solver = SolverSettings { tolerance: settings.tolerance, ..Default::default() };
        let mut barrier = Self {
            settings,
            free: Vec::new(),
            now: View::default(),
            held: Vec::new(),
            follows: false,
            lag: Vec::new(),
            memory: Vec::new(),
            ended: Vec::new(),
            start: Vec::new(),
            start_time: 0.0,
            feasible: Vec::new(),
            report: ContactReport::default(),
            linear: Linear::default(),
            uncoupled: None,
            scratch: Scratch::default(),
            statics: Smooth::without_contacts(Integrator::BackwardEuler, solver),
            mesh,
        };
        barrier.find_free(model);
        barrier.check_start(scene, model)?;
        Ok(barrier)
    }

    /// Refuses a start at which anything touches.
    fn check_start(&mut self, scene: &Scene, model: &Model) -> Result<(), SceneError> {
        let q: Vec<f64> = model.start().iter().flat_map(|x| x.iter().copied()).collect();
        self.move_to(&q, 0.0);
        let body = |vertex: u32| self.mesh.vertices[vertex as usize].body;
        let named = |body: u32| scene.name(BodyId(body)).to_string();
        let refuse = |[a, b]: [u32; 2], count: usize, how: &str| {
            let places = if count == 1 { "place" } else { "places" };
            Err(SceneError::Value {
                what: "the start",
                whose: crate::model::Subject::Body(BodyId(a)).named(scene),
                value: format!("{how} {} in {count} {places}", named(b)),
                help: "move them apart: barriers need room between bodies, a hundredth of a cell will do; \
                       `room = 1e-4` in a scene file makes it",
            })
        };
        let triangle_body = |t: u32| body(self.mesh.triangles[t as usize][0]);
        let counts = |a: u32, b: u32| {
            let [ta, tb] = [a, b].map(|t| self.mesh.triangles[t as usize]);
            self.filter().layer(&ta, &tb).is_some()
        };
        // Positions that are not finite are refused elsewhere.
        let crossing = crossings(&self.now.x, &self.mesh.triangles, counts).unwrap_or_default();
        if let Some(&[a, b]) = crossing.first() {
            return refuse([triangle_body(a), triangle_body(b)], crossing.len(), "crossed by");
        }
        let close = |pair: &&contact::Pair| pair.gap(&self.now.corners(pair)) <= 0.0;
        let close: Vec<_> = self.now.near.pairs.iter().filter(close).collect();
        if let Some(pair) = close.first() {
            let bodies = [body(pair.vertices[0]), body(pair.vertices[3])];
            return refuse(bodies, close.len(), "in touch with");
        }
        let below = |at: &&near::OnPlane| self.now.plane_gap(at) <= 0.0;
        let below: Vec<_> = self.now.near.on_planes.iter().filter(below).collect();
        if let Some(at) = below.first() {
            let bodies = [body(at.vertex), self.mesh.planes[at.plane as usize].body];
            return refuse(bodies, below.len(), "in touch with");
        }
        Ok(())
    }

    fn filter(&self) -> Filter<'_> {
        Filter { mesh: &self.mesh, free: &self.free }
    }

    /// Finds which vertices can move by themselves.
    fn find_free(&mut self, model: &Model) {
        let vertices = self.mesh.vertices.iter();
        let moves = |node: u32| (model.rows.of_node(node) as usize) < model.rows.free();
        let free = |node: u32| model.rigid.arm(node).map_or(moves(node), |arm| moves(arm.center));
        self.free.clear();
        self.free.extend(vertices.map(|vertex| vertex.node().is_some_and(free)));
    }

    /// Brings vertices to nodes at `q`, and obstacles to time `t`.
    fn move_to(&mut self, q: &[f64], t: f64) {
        self.now.time = t;
        self.now.planes = self.mesh.standing(&self.mesh.poses(t));
        self.look(q);
    }

    /// Brings vertices to nodes at `q`, and finds what is near them.
    fn look(&mut self, q: &[f64]) {
        self.now.x = self.mesh.positions(q, self.now.time);
        if !self.now.near.holds(&self.now.x) {
            self.now.near = Near::find(self.filter(), &self.now.x, &self.now.planes);
        }
        if self.follows {
            self.freeze_friction();
        }
    }

    /// Goes to a guess, obstacles at time `t`, if nothing is in the way.
    fn take_guess(&mut self, q: &[f64], t: f64) -> bool {
        let start = self.mesh.positions(&self.feasible, self.now.time);
        let planes = self.mesh.standing(&self.mesh.poses(self.now.time));
        let end_planes = self.mesh.standing(&self.mesh.poses(t));
        let end = self.mesh.positions(q, t);
        let places = Places { x: &start, planes: &planes };
        let ends = Places { x: &end, planes: &end_planes };
        let free = free_part(self.filter(), &self.now.near, places, ends, Room::STEP);
        if free < 1.0 {
            self.move_to(&self.feasible.clone(), self.now.time);
            return false;
        }
        self.move_to(q, t);
        true
    }

    /// Leads pins and obstacles towards time `t`, as far as there is room. `q` and `v` are those of the nodes.
    fn advance(&mut self, model: &Model, t: f64, q: &mut [f64], v: &mut [f64]) {
        /// Tries, each half as far.
        const TRIES: usize = 20;
        let mut to = t;
        for _ in 0..TRIES {
            let (mut moved, mut velocities) = (q.to_vec(), v.to_vec());
            model.prescribe(to, &mut moved, &mut velocities);
            let planes = self.mesh.standing(&self.mesh.poses(to));
            let end = self.mesh.positions(&moved, to);
            let (start, end) = (
                Places { x: &self.now.x, planes: &self.now.planes },
                Places { x: &end, planes: &planes },
            );
            if free_part(self.filter(), &self.now.near, start, end, Room::STEP) >= 1.0 {
                q.copy_from_slice(&moved);
                v.copy_from_slice(&velocities);
                self.move_to(q, to);
                return;
            }
            to = self.now.time + 0.5 * (to - self.now.time);
        }
    }

    /// Displacement of a vertex since the step began [m].
    fn moved(&self, vertex: u32) -> Vector3 {
        self.now.x[vertex as usize] - self.start[vertex as usize]
    }

    /// Energy of barriers and friction [J], and the sum of all forces of barriers [N].
    fn energy(&self) -> [f64; 2] {
        let friction = self.held.iter().map(|held| held.energy(held.slip(|v| self.moved(v))));
        let [energy, forces] = self.now.energy();
        [energy + friction.sum::<f64>(), forces]
    }

    /// Calls `add` with what contacts do to nodes [N].
    fn for_each_force(&self, mut add: impl FnMut(u32, Vector3)) {
        let mut push = |vertices: &[u32; 4], forces: [Vector3; 4]| {
            for (&vertex, force) in vertices.iter().zip(forces) {
                if let Some(node) = self.mesh.vertices[vertex as usize].node() {
                    add(node, force);
                }
            }
        };
        let gradients = map_each(&self.now.near.pairs, TOGETHER, |_, pair| {
            pair.gradient(&self.now.corners(pair))
        });
        for (pair, gradient) in self.now.near.pairs.iter().zip(gradients) {
            if let Some(gradient) = gradient {
                push(&pair.vertices, gradient.map(|g| -g));
            }
        }
        for at in &self.now.near.on_planes {
            let slope = at.layer.kappa * potential::slope(self.now.plane_gap(at), at.layer.d_hat);
            let force = self.now.planes[at.plane as usize].0 * -slope;
            push(&[at.vertex; 4], stage::weighted(&[1.0, 0.0, 0.0, 0.0], force));
        }
        for held in &self.held {
            let traction = held.traction(held.slip(|v| self.moved(v)));
            push(&held.vertices, stage::weighted(&held.coefficients, -traction));
        }
    }

    /// Calls `add` with second derivatives of all energies by positions.
    fn for_each_clique(&self, projection: Projection, mut add: impl FnMut(&Clique)) {
        let positive = projection == Projection::Positive;
        let nodes = |vertices: &[u32]| {
            vertices.iter().map(|&v| self.mesh.vertices[v as usize].node()).collect()
        };
        let bends = map_each(&self.now.near.pairs, TOGETHER, |_, pair| {
            pair.hessian(&self.now.corners(pair), positive)
        });
        let (mut clique, couplings) = (Clique::default(), Vec::new());
        for (pair, blocks) in self.now.near.pairs.iter().zip(bends) {
            if let Some(blocks) = blocks {
                clique.nodes = nodes(&pair.vertices);
                clique.blocks = blocks.to_vec();
                add(&clique);
            }
        }
        for at in &self.now.near.on_planes {
            let bend = at.layer.kappa * potential::bend(self.now.plane_gap(at), at.layer.d_hat);
            if bend > 0.0 {
                let normal = self.now.planes[at.plane as usize].0;
                let blocks = vec![normal * normal.transpose() * bend];
                add(&Clique { nodes: nodes(&[at.vertex]), blocks, couplings: couplings.clone() });
            }
        }
        for held in &self.held {
            let count = held.count();
            clique.nodes = nodes(&held.vertices[..count]);
            if self.follows {
                let following = self.following(held);
                clique.blocks.clear();
                clique.blocks.extend_from_slice(&following.blocks[..count * count]);
                clique.couplings.clear();
                clique.couplings.extend_from_slice(&following.couplings[..count]);
            } else {
                let bend: Matrix3 = held.bend(held.slip(|v| self.moved(v)));
                clique.blocks = match count {
                    1 => vec![bend],
                    _ => stage::blocks_of(&held.coefficients, bend),
                };
            }
            add(&clique);
        }
    }

    /// Nodes that contacts couple.
    fn stencils(&self) -> Vec<Vec<u32>> {
        let nodes = |vertices: &[u32]| -> Vec<u32> {
            let nodes = vertices.iter().filter_map(|&v| self.mesh.vertices[v as usize].node());
            nodes.collect()
        };
        let pairs = self.now.near.pairs.iter().map(|pair| nodes(&pair.vertices));
        // Contacts of the lag may be none of those that are near now.
        let held = self.held.iter().map(|held| nodes(&held.vertices));
        let mut all: Vec<Vec<u32>> = pairs.chain(held).filter(|nodes| nodes.len() > 1).collect();
        all.iter_mut().for_each(|nodes| {
            nodes.sort_unstable();
            nodes.dedup();
        });
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Method for Barrier {
    fn name(&self) -> &'static str {
        "barrier"
    }

    fn residual_unit(&self) -> Unit {
        Unit::Acceleration
    }

    fn attempt(
        &mut self,
        model: &mut Model,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        let integrator = self.settings.integrator;
        integrator.step_to(&mut WithBarriers { model, barrier: self }, state, h, end)
    }

    fn attempt_plainly(
        &mut self,
        model: &mut Model,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        let euler = Integrator::BackwardEuler;
        euler.step_to(&mut WithBarriers { model, barrier: self }, state, h, end)
    }

    fn settle(
        &mut self,
        model: &mut Model,
        time: f64,
        q: &mut [f64],
    ) -> Result<StageReport, Adrift> {
        self.come_to_rest(model, time, q)
    }

    fn accept(&mut self) {
        self.memory.clone_from(&self.ended);
    }

    fn renumbered(&mut self) {
        self.linear = Linear::default();
        self.statics.renumbered();
    }

    fn find_reactions(&mut self, model: &mut Model, state: &Trajectory) {
        self.find_free(model);
        self.begin(state.time, &state.q);
        let forces = |add: &mut dyn FnMut(u32, Vector3)| self.for_each_past_force(add);
        model.find_reactions(state.time, &state.q, &state.v, forces);
    }

    fn contacts(&self, q: &[f64]) -> Vec<Contact> {
        self.records(q)
    }

    fn report(&self) -> ContactReport {
        self.report
    }

    fn energy(&self, t: f64, q: &[f64]) -> f64 {
        View::new(self.filter(), q, t).energy()[0]
    }

    fn can_touch(&self) -> bool {
        !self.mesh.triangles.is_empty()
    }

    fn may_touch(&self, body: BodyId) -> bool {
        let vertices = &self.mesh.vertices[..self.mesh.soft];
        vertices.iter().any(|vertex| vertex.body == body.0)
    }

    fn chosen(&self) -> Vec<Chosen> {
        Vec::new()
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.push(self.now.time);
        self.memory.iter().for_each(|memory| memory.encode(out));
    }

    fn load(&mut self, numbers: &[f64]) -> Result<(), usize> {
        let (time, contacts) = numbers.split_first().ok_or(1_usize)?;
        if contacts.len() % Memory::LENGTH != 0 {
            return Err(1 + contacts.len().next_multiple_of(Memory::LENGTH));
        }
        self.now.time = *time;
        self.memory = contacts.chunks_exact(Memory::LENGTH).map(Memory::decode).collect();
        self.now.near = Near::default();
        self.held.clear();
        Ok(())
    }
}

impl Barrier {
    /// A step begins.
    fn begin(&mut self, t: f64, q: &[f64]) {
        // Found anew, so that a restored run finds the same.
        self.now = View::new(self.filter(), q, t);
        self.start.clone_from(&self.now.x);
        self.start_time = t;
        self.feasible.clear();
        self.feasible.extend_from_slice(q);
        self.held.clear();
        self.follows = false;
        self.lag.clear();
    }

    /// Calls `add` with what contacts do at the start of a step, friction as it is remembered [N].
    fn for_each_past_force(&self, add: &mut dyn FnMut(u32, Vector3)) {
        self.for_each_force(&mut *add);
        if !self.held.is_empty() {
            return;
        }
        for (held, _) in self.each_felt(&self.now).iter().filter(|(held, _)| held.limit > 0.0) {
            let traction = held.traction(Vector3::zeros());
            for (&vertex, c) in held.vertices.iter().zip(held.coefficients) {
                if let Some(node) = self.mesh.vertices[vertex as usize].node() {
                    add(node, traction * -c);
                }
            }
        }
    }
}

/// A model with barriers.
struct WithBarriers<'a> {
    model: &'a mut Model,
    barrier: &'a mut Barrier,
}

impl Dynamics for WithBarriers<'_> {
    fn masses(&self) -> &[f64] {
        self.model.mass_diagonal()
    }

    fn begin(&mut self, t: f64, _h: f64, q: &[f64], _v: &[f64]) {
        self.barrier.find_free(self.model);
        let barrier = &mut *self.barrier;
        self.model.meter.time(Phase::Detection, || barrier.begin(t, q));
        self.model.begin(q);
    }

    fn end(&mut self, state: &mut Trajectory) {
        self.model.end(state);
    }

    fn force(&mut self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        let barrier = &mut *self.barrier;
        barrier.move_to(q, t);
        self.model.force(t, q, v, |add| barrier.for_each_past_force(add), f);
    }

    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport {
        stage::solve(self.barrier, self.model, stage, q, v)
    }
}

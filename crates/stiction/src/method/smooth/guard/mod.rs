//! What keeps bodies that touch themselves from crossing themselves, beneath their layers; see
//! docs/theory/smooth-contact.md.
//!
//! Layers are smooth: the gap of a vertex over a fold as short as an edge is off by many thicknesses, and a force by
//! such a gap pushes anywhere. So below each layer there is a *guard*: a [barrier](crate::contact::features) between
//! all features of a body, as thin as a part of the layer ([`PART`]), that makes no difference where layers do what
//! they should. No step of a solver leads farther than the first contact of two features: no iterate crosses, if the
//! start did not. Where a stage starts is where the last one ended, moved on as far as there is room ([`start`]).
//!
//! Bodies that are welded to each other are one body to it, if both touch themselves or a rule names the two.

mod bound;
mod record;
mod start;

use std::collections::{BTreeMap, BTreeSet};

use super::settings::ContactSettings;
use crate::assembly::point;
use crate::body::{Body, BodyId};
use crate::contact::body_surface::BodySurface;
use crate::contact::features::potential::HALF_WAY;
use crate::contact::features::{self, Layer, Surfaces};
use crate::contact::itself::{at_rest, welded};
use crate::contact::rule::{ContactRule, rule_of};
use crate::element::Projection;
use crate::math::Vector3;
use crate::model::{Clique, Model};
use crate::scene::Scene;
use crate::threads::map_each;
use crate::union_find::UnionFind;

/// `d̂` of the guard, in thicknesses of the layer.
pub(super) const PART: f64 = 0.25;
/// … and in distances at rest, at most: what is near at rest is pushed apart by nothing.
const PART_OF_REST: f64 = 0.9;
/// Part of the stiffness of solids, times the area of a vertex, that half of `d̂` carries: where they are pressed
/// together in earnest, their layers have given way long before.
const FIRM: f64 = 3e-2;
/// How far vertices may move before pairs are sought anew, in mean edges.
const MARGIN: f64 = 0.1;
/// Pairs that a thread looks at in one go.
const TOGETHER: usize = 64;

/// Features of bodies that touch themselves.
#[derive(Debug)]
pub(crate) struct Guard {
    vertices: Vec<Vertex>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Where vertices are at rest, and at the start of the run [m].
    rest: Vec<Vector3>,
    begun: Vec<Vector3>,
    /// Of each group of bodies.
    layers: Vec<Layer>,
    /// The thickest of them, and how far vertices may move before pairs are sought anew [m].
    thickest: f64,
    margin: f64,
    /// Whether each vertex can move by itself.
    free: Vec<bool>,
    /// Whether a rigid body carries any.
    pub(super) carried: bool,
    /// Whether a step has begun: statics know no contacts.
    active: bool,
    /// Where vertices are [m].
    now: Vec<Vector3>,
    near: Near,
    /// Pairs that pushed in this step, by their nodes.
    coupled: BTreeSet<[u32; 4]>,
    /// Positions of all nodes where nothing crosses [m].
    safe: Vec<f64>,
}

/// A vertex of a surface; one for all that share a node.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    node: u32,
    body: u32,
    /// Its number in the body.
    number: u32,
    /// Bodies that touch each other.
    group: u32,
}

/// Pairs of features that are near each other.
#[derive(Debug, Default)]
struct Near {
    pairs: Vec<features::Pair>,
    /// Where vertices were when they were found [m].
    found_at: Vec<Vector3>,
}

impl Guard {
    /// Nothing if no body touches itself.
    pub(crate) fn new(scene: &Scene, settings: &ContactSettings, model: &Model) -> Option<Self> {
        let groups = groups(scene, &model.body_nodes);
        if !settings.enabled || groups.is_empty() {
            return None;
        }
        let mut guard = Self {
            vertices: Vec::new(),
            triangles: Vec::new(),
            edges: Vec::new(),
            rest: Vec::new(),
            begun: Vec::new(),
            layers: Vec::new(),
            thickest: 0.0,
            margin: f64::INFINITY,
            free: Vec::new(),
            carried: false,
            active: false,
            now: Vec::new(),
            near: Near::default(),
            coupled: BTreeSet::new(),
            safe: Vec::new(),
        };
        for group in &groups {
            guard.add(scene, settings, model, group);
        }
        guard.carried = guard.vertices.iter().any(|v| model.rigid.arm(v.node).is_some());
        guard.thickest = guard.layers.iter().fold(0.0, |most, layer| layer.d_hat.max(most));
        guard.margin = guard.margin.max(guard.thickest);
        Some(guard)
    }

    /// Adds the surfaces of bodies that touch each other.
    fn add(&mut self, scene: &Scene, settings: &ContactSettings, model: &Model, group: &Group) {
        let number = self.layers.len() as u32;
        let mut of_node = BTreeMap::new();
        let (mut edge, mut load, mut lightest) = (f64::INFINITY, 0.0_f64, f64::INFINITY);
        for &id in &group.bodies {
            let (body, nodes) = (&scene.bodies[id as usize], &model.body_nodes[id as usize]);
            let mass = model.vertex_masses[id as usize].iter().sum::<f64>();
            let Some(side) = BodySurface::of(body, mass) else { continue };
            let rest = at_rest(body).map(|(_, rest)| rest).unwrap_or_default();
            let mass = side.mass / side.vertices.len().max(1) as f64;
            let weight = 4.0 * scene.gravity.norm() * mass;
            load = load.max(weight).max(FIRM * side.firmness * side.area);
            (edge, lightest) = (edge.min(side.edge), lightest.min(mass));
            let vertex = |&vertex: &u32| {
                let node = nodes[vertex as usize];
                *of_node.entry(node).or_insert_with(|| {
                    self.vertices.push(Vertex { node, body: id, number: vertex, group: number });
                    self.rest.push(rest[vertex as usize]);
                    self.begun.push(model.start()[node as usize]);
                    self.vertices.len() as u32 - 1
                })
            };
            let own: Vec<u32> = side.vertices.iter().map(vertex).collect();
            let triangles = side.surface.elements().iter().map(|t| t.map(|v| own[v as usize]));
            self.triangles.extend(triangles);
        }
        let thickness = group.rules.iter().filter_map(|rule| rule.thickness);
        let thickness = thickness.reduce(f64::min).or(settings.thickness).unwrap_or(0.01 * edge);
        let d_hat = PART * thickness;
        // Where nothing weighs anything and nothing is firm: what stops a vertex within the layer at 1 m/s.
        let load = if load > 0.0 { load } else { lightest / thickness };
        self.layers.push(Layer { d_hat, kappa: load / (HALF_WAY * d_hat) });
        self.margin = self.margin.min(MARGIN * edge);
        let sides = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        self.edges = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        self.edges.sort_unstable();
        self.edges.dedup();
    }

    /// Finds which vertices can move by themselves.
    pub(crate) fn find_free(&mut self, model: &Model) {
        let moves = |node: u32| {
            let is_free = (model.rows.of_node(node) as usize) < model.rows.free();
            is_free && model.fixed[node as usize] != [true; 3]
        };
        let free =
            |v: &Vertex| model.rigid.arm(v.node).map_or(moves(v.node), |arm| moves(arm.center));
        self.free.clear();
        self.free.extend(self.vertices.iter().map(free));
    }

    /// Statics begin, which know no contacts.
    pub(crate) fn rest(&mut self) {
        self.active = false;
    }

    /// A step begins.
    pub(crate) fn begin(&mut self, q: &[f64]) {
        self.active = true;
        self.safe.clear();
        self.safe.extend_from_slice(q);
        self.coupled.clear();
        self.now = self.positions(q);
        // Found anew, so that a restored run finds the same.
        self.near = self.find(&self.now);
        self.couple();
    }

    /// Goes to an iterate.
    pub(crate) fn look(&mut self, q: &[f64]) {
        if !self.active {
            return;
        }
        self.now = self.positions(q);
        if !self.near.holds(&self.now, self.margin) {
            self.near = self.find(&self.now);
        }
    }

    /// A stage has ended where nothing crosses.
    pub(crate) fn end_stage(&mut self, q: &[f64]) {
        self.safe.copy_from_slice(q);
    }

    fn positions(&self, q: &[f64]) -> Vec<Vector3> {
        self.vertices.iter().map(|vertex| point(q, vertex.node as usize)).collect()
    }

    fn surfaces(&self) -> Surfaces<'_> {
        Surfaces { triangles: &self.triangles, edges: &self.edges, rest: &self.rest }
    }

    /// How two features push; nothing if they never touch.
    fn layer(&self, a: &[u32], b: &[u32]) -> Option<Layer> {
        let group = |v: u32| self.vertices[v as usize].group;
        let is_free = |v: &u32| self.free[*v as usize];
        let apart = group(a[0]) == group(b[0]) && !a.iter().any(|v| b.contains(v));
        (apart && a.iter().chain(b).any(is_free)).then(|| self.layers[group(a[0]) as usize])
    }

    /// How far apart two features are at rest; at the start, if they are of different bodies [m].
    fn rest_gap(&self, pair: &features::Pair) -> f64 {
        let body = |v: u32| self.vertices[v as usize].body;
        let [first, others @ ..] = pair.vertices;
        let alike = others.iter().all(|&v| body(v) == body(first));
        let places = if alike { &self.rest } else { &self.begun };
        pair.gap(&pair.vertices.map(|v| places[v as usize]))
    }

    /// Pairs that may push before vertices have moved by half of the margin.
    fn find(&self, x: &[Vector3]) -> Near {
        let reach = self.thickest + self.margin;
        // Positions that are not finite touch nothing: energies tell.
        let mut pairs =
            self.surfaces().pairs([x, x], reach, |a, b| self.layer(a, b)).unwrap_or_default();
        pairs.retain_mut(|pair| {
            if pair.gap(&pair.vertices.map(|v| x[v as usize])) >= reach {
                return false;
            }
            pair.layer.d_hat = pair.layer.d_hat.min(PART_OF_REST * self.rest_gap(pair));
            pair.layer.d_hat > 0.0
        });
        Near { pairs, found_at: x.to_vec() }
    }

    fn corners(&self, pair: &features::Pair) -> [Vector3; 4] {
        pair.vertices.map(|v| self.now[v as usize])
    }

    fn nodes(&self, pair: &features::Pair) -> [u32; 4] {
        pair.vertices.map(|v| self.vertices[v as usize].node)
    }

    /// [J].
    pub(crate) fn energy(&self) -> f64 {
        if !self.active {
            return 0.0;
        }
        let pairs = &self.near.pairs;
        map_each(pairs, TOGETHER, |_, pair| pair.energy(&self.corners(pair))[0]).iter().sum()
    }

    /// With nodes at `q` [J].
    pub(crate) fn energy_at(&self, q: &[f64]) -> f64 {
        let x = self.positions(q);
        let pairs = self.find(&x).pairs;
        pairs.iter().map(|pair| pair.energy(&pair.vertices.map(|v| x[v as usize]))[0]).sum()
    }

    /// Calls `add` with all forces [N].
    pub(crate) fn for_each_force(&self, mut add: impl FnMut(u32, Vector3)) {
        if !self.active {
            return;
        }
        let pairs = &self.near.pairs;
        let gradients = map_each(pairs, TOGETHER, |_, pair| pair.gradient(&self.corners(pair)));
        for (pair, gradient) in pairs.iter().zip(gradients) {
            for (node, slope) in self.nodes(pair).into_iter().zip(gradient.into_iter().flatten()) {
                add(node, -slope);
            }
        }
    }

    /// Calls `add` with second derivatives of the energy, times a number.
    pub(crate) fn for_each_clique(
        &self,
        projection: Projection,
        scale: f64,
        mut add: impl FnMut(&Clique),
    ) {
        if !self.active {
            return;
        }
        let (pairs, positive) = (&self.near.pairs, projection == Projection::Positive);
        let bends =
            map_each(pairs, TOGETHER, |_, pair| pair.hessian(&self.corners(pair), positive));
        let mut clique = Clique::default();
        for (pair, blocks) in pairs.iter().zip(bends) {
            let Some(blocks) = blocks else { continue };
            clique.nodes.clear();
            clique.nodes.extend(self.nodes(pair).map(Some));
            clique.blocks.clear();
            clique.blocks.extend(blocks.map(|block| block * scale));
            add(&clique);
        }
    }

    /// Notes pairs that push; whether there are any that did not so far in this step.
    pub(crate) fn couple(&mut self) -> bool {
        let before = self.coupled.len();
        if self.active {
            let pairs = &self.near.pairs;
            let push = |pair: &&features::Pair| pair.gap(&self.corners(pair)) < pair.layer.d_hat;
            let all: Vec<_> = pairs.iter().filter(push).map(|pair| self.nodes(pair)).collect();
            self.coupled.extend(all);
        }
        self.coupled.len() > before
    }

    /// Nodes that are coupled.
    pub(crate) fn stencils(&self) -> impl Iterator<Item = Vec<u32>> {
        self.coupled.iter().map(|nodes| {
            let mut nodes = nodes.to_vec();
            nodes.sort_unstable();
            nodes
        })
    }
}

/// Bodies that are one because they are welded, and rules of them with themselves and each other.
struct Group {
    bodies: Vec<u32>,
    rules: Vec<ContactRule>,
}

/// Bodies that touch themselves, each alone or with others that are welded to it: those that touch themselves, too, and
/// those that a rule names with it.
fn groups(scene: &Scene, nodes: &[Vec<u32>]) -> Vec<Group> {
    let touches = |body: u32| scene.touches_itself(BodyId(body));
    let is_named = |pair: [u32; 2]| {
        let [a, b] = pair.map(BodyId);
        scene.contacts.iter().any(|rule| rule.between == [a, b] || rule.between == [b, a])
    };
    let deforms = |body: u32| {
        let body = &scene.bodies[body as usize];
        matches!(body, Body::Solid(_) | Body::Cloth(_))
    };
    let mut same = UnionFind::new(scene.bodies.len());
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    for [a, b] in welded(scene, nodes) {
        let touch = is_named([a, b]) || touches(a) && touches(b);
        let rule = rule_of(scene, a as usize, b as usize);
        if touch && rule.enabled && deforms(a) && deforms(b) {
            same.unite(a, b);
            pairs.push([a, b]);
        }
    }
    pairs.extend(
        (0..scene.bodies.len() as u32).filter(|&a| touches(a) && deforms(a)).map(|a| [a; 2]),
    );
    let mut groups: BTreeMap<u32, Group> = BTreeMap::new();
    for pair in pairs {
        let group = groups.entry(same.root(pair[0]));
        let group = group.or_insert_with(|| Group { bodies: Vec::new(), rules: Vec::new() });
        group.bodies.extend(pair);
        group.rules.push(rule_of(scene, pair[0] as usize, pair[1] as usize));
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    for group in &mut groups {
        group.bodies.sort_unstable();
        group.bodies.dedup();
    }
    groups
}

impl Near {
    /// Whether no other pair can push by now.
    fn holds(&self, x: &[Vector3], margin: f64) -> bool {
        // Both sides may move.
        let most = 0.5 * margin;
        self.found_at.len() == x.len()
            && self.found_at.iter().zip(x).all(|(a, b)| (a - b).norm_squared() <= most * most)
    }
}

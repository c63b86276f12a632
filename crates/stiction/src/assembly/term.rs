//! One kind of elements placed on nodes.

use std::fmt;
use std::ops::Range;

use rayon::prelude::*;

use super::{Parts, Rows, point};
use crate::element::{ElementSet, Projection, Strained};
use crate::math::{Matrix3, Vector3};
use crate::solve::BlockPattern;

/// Elements of one kind, the nodes they couple, and how strongly they act and are damped.
pub struct Term {
    name: &'static str,
    damping: f64,
    scale: f64,
    placed: Box<dyn Placed>,
}

impl Term {
    /// Places elements on nodes; `damping` is the time `β` of stiffness-proportional damping [s].
    ///
    /// # Panics
    /// When there is not one stencil per element.
    pub fn new<const N: usize>(
        name: &'static str,
        set: impl ElementSet<N> + 'static,
        nodes: Vec<[u32; N]>,
        damping: f64,
    ) -> Self {
        assert_eq!(set.len(), nodes.len(), "one stencil per element");
        let placed =
            OnNodes { set, nodes, rows: Vec::new(), slots: Vec::new(), touching: Vec::new() };
        Self { name, damping, scale: 1.0, placed: Box::new(placed) }
    }

    /// What it is, for reports.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Time `β` of stiffness-proportional damping [s].
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// Factor on energy and forces: zero switches the term off, other values ramp loads.
    pub fn set_scale(&mut self, scale: f64) {
        self.scale = scale;
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.placed.len()
    }

    /// True when it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Energy at positions `x` of the nodes [J].
    pub fn energy(&self, x: &[f64]) -> f64 {
        // Not even infinite energy counts when switched off.
        if self.scale == 0.0 { 0.0 } else { self.scale * self.placed.energy(x) }
    }

    /// Energy of element `e` at positions `x` of the nodes [J].
    pub fn element_energy(&self, e: usize, x: &[f64]) -> f64 {
        if self.scale == 0.0 { 0.0 } else { self.scale * self.placed.element_energy(e, x) }
    }

    /// Strain and stress of element `e` at positions `x` of the nodes, of elements that have them.
    pub fn strained(&self, e: usize, x: &[f64]) -> Option<Strained> {
        self.placed.strained(e, x)
    }

    /// Size of the terms that cancel inside energies, for estimates of rounding [J].
    pub fn energy_magnitude(&self) -> f64 {
        self.scale.abs() * self.placed.energy_magnitude()
    }

    /// Whether forces derive from the energy.
    pub fn is_conservative(&self) -> bool {
        self.placed.is_conservative()
    }

    /// What the elements remember between steps, such as the turns of hinges.
    pub fn memory(&self) -> &[f64] {
        self.placed.memory()
    }

    /// Restores [`Term::memory`].
    pub fn set_memory(&mut self, memory: &[f64]) {
        self.placed.set_memory(memory);
    }

    /// Brings elements whose targets move to a time [s].
    pub fn set_time(&mut self, time: f64) {
        self.placed.set_time(time);
    }

    /// Tells the elements that a step ended at `x`.
    pub fn accept(&mut self, x: &[f64]) {
        self.placed.accept(x);
    }

    /// Calls `f` with the nodes of each element.
    pub fn for_each_stencil(&self, f: &mut dyn FnMut(&[u32])) {
        self.placed.for_each_stencil(f);
    }

    pub(super) fn prepare(&mut self, rows: &Rows, pattern: &BlockPattern, parts: &Parts) {
        self.placed.prepare(rows, pattern, parts);
    }

    pub(super) fn add_gradient(&self, target: Target<'_, f64>, x: &[f64]) {
        if self.scale != 0.0 {
            self.placed.add_vectors(target, x, Vectors::Gradient, self.scale);
        }
    }

    pub(super) fn add_product(&self, target: Target<'_, f64>, x: &[f64], dx: &[f64]) {
        if self.scale != 0.0 {
            self.placed.add_vectors(target, x, Vectors::Product(dx), self.scale);
        }
    }

    pub(super) fn add_hessian(
        &self,
        target: Target<'_, Matrix3>,
        x: &[f64],
        projection: Projection,
    ) {
        if self.scale != 0.0 {
            self.placed.add_blocks(target, x, Blocks::Hessian(projection), self.scale);
        }
    }

    pub(super) fn add_diagonal(&self, target: Target<'_, Matrix3>, x: &[f64]) {
        if self.scale != 0.0 {
            self.placed.add_diagonal(target, x, self.scale);
        }
    }

    pub(super) fn add_damping(&self, target: Target<'_, Matrix3>, x: &[f64]) {
        if self.scale * self.damping != 0.0 {
            self.placed.add_blocks(target, x, Blocks::Damping, self.scale * self.damping);
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Term");
        debug.field("name", &self.name).field("damping", &self.damping).field("scale", &self.scale);
        debug.finish_non_exhaustive()
    }
}

/// Which vectors at the points of an element are meant.
#[derive(Clone, Copy, Debug)]
enum Vectors<'a> {
    Gradient,
    /// The Hessian times a change of all nodes.
    Product(&'a [f64]),
}

/// Which matrix of an element is meant.
#[derive(Clone, Copy, Debug)]
enum Blocks {
    Hessian(Projection),
    Damping,
}

/// Where a part's share of a vector or matrix goes.
pub(super) struct Target<'a, T> {
    pub(super) part: usize,
    pub(super) rows: Range<u32>,
    /// Where `values[0]` stands in the whole.
    pub(super) first: usize,
    pub(super) values: &'a mut [T],
}

/// A term without its number of points, so that terms of different kinds stand in one list.
trait Placed: Send + Sync {
    fn len(&self) -> usize;
    fn energy(&self, x: &[f64]) -> f64;
    fn element_energy(&self, e: usize, x: &[f64]) -> f64;
    fn strained(&self, e: usize, x: &[f64]) -> Option<Strained>;
    fn energy_magnitude(&self) -> f64;
    fn is_conservative(&self) -> bool;
    fn memory(&self) -> &[f64];
    fn set_memory(&mut self, memory: &[f64]);
    fn set_time(&mut self, time: f64);
    fn accept(&mut self, x: &[f64]);
    fn for_each_stencil(&self, f: &mut dyn FnMut(&[u32]));
    fn prepare(&mut self, rows: &Rows, pattern: &BlockPattern, parts: &Parts);
    fn add_vectors(&self, target: Target<'_, f64>, x: &[f64], vectors: Vectors<'_>, scale: f64);
    fn add_blocks(&self, target: Target<'_, Matrix3>, x: &[f64], blocks: Blocks, scale: f64);
    fn add_diagonal(&self, target: Target<'_, Matrix3>, x: &[f64], scale: f64);
}

struct OnNodes<S, const N: usize> {
    set: S,
    nodes: Vec<[u32; N]>,
    rows: Vec<[u32; N]>,
    /// Slots of the blocks of each element in the stiffness matrix.
    slots: Vec<[[u32; N]; N]>,
    /// Elements that touch each part, ascending.
    touching: Vec<Vec<u32>>,
}

impl<S: ElementSet<N>, const N: usize> OnNodes<S, N> {
    fn points(&self, e: usize, x: &[f64]) -> [Vector3; N] {
        self.nodes[e].map(|node| point(x, node as usize))
    }
}

impl<S: ElementSet<N>, const N: usize> Placed for OnNodes<S, N> {
    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn energy(&self, x: &[f64]) -> f64 {
        /// Elements summed on one thread: fixed, so that threads do not change the sum.
        const CHUNK: usize = 1024;
        let chunks: Vec<f64> = (0..self.nodes.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let end = self.nodes.len().min((chunk + 1) * CHUNK);
                (chunk * CHUNK..end).map(|e| self.element_energy(e, x)).sum()
            })
            .collect();
        chunks.iter().sum()
    }

    fn element_energy(&self, e: usize, x: &[f64]) -> f64 {
        self.set.energy(e, &self.points(e, x))
    }

    fn strained(&self, e: usize, x: &[f64]) -> Option<Strained> {
        self.set.strained(e, &self.points(e, x))
    }

    fn energy_magnitude(&self) -> f64 {
        self.set.energy_magnitude()
    }

    fn is_conservative(&self) -> bool {
        self.set.is_conservative()
    }

    fn memory(&self) -> &[f64] {
        self.set.memory()
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.set.set_memory(memory);
    }

    fn set_time(&mut self, time: f64) {
        self.set.set_time(time);
    }

    fn accept(&mut self, x: &[f64]) {
        if !self.set.memory().is_empty() {
            for e in 0..self.nodes.len() {
                self.set.accept(e, &self.points(e, x));
            }
        }
    }

    fn for_each_stencil(&self, f: &mut dyn FnMut(&[u32])) {
        self.nodes.iter().for_each(|nodes| f(nodes));
    }

    fn prepare(&mut self, rows: &Rows, pattern: &BlockPattern, parts: &Parts) {
        self.rows = self.nodes.iter().map(|nodes| nodes.map(|node| rows.of_node(node))).collect();
        let slot = |a: u32, b: u32| {
            pattern.slot(a as usize, b as usize).expect("the pattern holds every stencil") as u32
        };
        self.slots =
            self.rows.par_iter().map(|rows| rows.map(|a| rows.map(|b| slot(a, b)))).collect();
        self.touching = vec![Vec::new(); parts.len()];
        for (e, rows) in self.rows.iter().enumerate() {
            for &row in rows {
                let touching = &mut self.touching[parts.of_row(row)];
                if touching.last() != Some(&(e as u32)) {
                    touching.push(e as u32);
                }
            }
        }
    }

    fn add_vectors(&self, target: Target<'_, f64>, x: &[f64], vectors: Vectors<'_>, scale: f64) {
        for &e in &self.touching[target.part] {
            let e = e as usize;
            let points = self.points(e, x);
            let vectors = match vectors {
                Vectors::Gradient => self.set.gradient(e, &points),
                Vectors::Product(dx) => self.set.hessian_product(e, &points, &self.points(e, dx)),
            };
            for (row, vector) in self.rows[e].iter().zip(vectors) {
                if target.rows.contains(row) {
                    let at = 3 * *row as usize - target.first;
                    for (value, add) in target.values[at..at + 3].iter_mut().zip(vector.iter()) {
                        *value += scale * add;
                    }
                }
            }
        }
    }

    fn add_blocks(&self, target: Target<'_, Matrix3>, x: &[f64], blocks: Blocks, scale: f64) {
        for &e in &self.touching[target.part] {
            let e = e as usize;
            let points = self.points(e, x);
            let blocks = match blocks {
                Blocks::Hessian(projection) => self.set.hessian(e, &points, projection),
                Blocks::Damping => self.set.damping(e, &points),
            };
            for a in 0..N {
                if target.rows.contains(&self.rows[e][a]) {
                    for b in 0..N {
                        target.values[self.slots[e][a][b] as usize - target.first] +=
                            blocks[a][b] * scale;
                    }
                }
            }
        }
    }

    fn add_diagonal(&self, target: Target<'_, Matrix3>, x: &[f64], scale: f64) {
        for &e in &self.touching[target.part] {
            let e = e as usize;
            let hessian = self.set.hessian(e, &self.points(e, x), Projection::Exact);
            for (a, row) in self.rows[e].iter().enumerate() {
                if target.rows.contains(row) {
                    // Welds, and neighbours across two edges, put a node in two places of one element.
                    for (b, _) in self.rows[e].iter().enumerate().filter(|(_, other)| *other == row)
                    {
                        target.values[*row as usize - target.first] += hessian[a][b] * scale;
                    }
                }
            }
        }
    }
}

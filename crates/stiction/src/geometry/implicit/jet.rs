//! A field with its derivatives over the point and the mesh vertices it depends on.

use super::near::Near;
use super::sharp::Groups;
use crate::math::{Matrix3, Vector3};

/// How many derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// The value only.
    Value,
    /// And the gradient.
    First,
    /// And the second derivative.
    Second,
}

/// Value and derivatives of a field. Make one per thread and reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct FieldJet {
    /// The mesh vertices the value depends on, ascending.
    pub vertices: Vec<u32>,
    /// The value [m].
    pub value: f64,
    /// Derivatives by the point, then by each of `vertices` [-]. From [`Order::First`] on.
    pub gradient: Vec<Vector3>,
    /// Second derivatives in blocks, row by row, numbered like `gradient` [1/m]. From [`Order::Second`] on.
    pub hessian: Vec<Matrix3>,
    /// The samples that take part, ascending. From [`Order::First`] on.
    pub samples: Vec<SampleSlope>,
    // Scratch.
    pub(super) near: Vec<Near>,
    pub(super) groups: Groups,
    pub(super) slots: Slots,
    pub(super) vectors: Vec<Vector3>,
    pub(super) normal_slopes: Vec<Matrix3>,
    numbers: Vec<u32>, // by mesh vertex: its place, or UNSEEN
}

/// What one sample does to the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleSlope {
    /// Which sample.
    pub sample: u32,
    /// Its share; shares add up to one [-].
    pub weight: f64,
    /// Derivative by the sample point, all else fixed [-].
    pub by_point: Vector3,
    /// Derivative by the normal, as if it were free [m].
    pub by_normal: Vector3,
}

/// Where the vertices of samples stand in `gradient`.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    starts: Vec<u32>,
    slots: Vec<u32>,
}

impl Slots {
    /// Of the vertices of the sample with number `j` among those near.
    pub(super) fn of(&self, j: usize) -> &[u32] {
        &self.slots[self.range(j)]
    }

    /// The same as a range over all.
    pub(super) fn range(&self, j: usize) -> std::ops::Range<usize> {
        self.starts[j] as usize..self.starts[j + 1] as usize
    }

    pub(super) fn total(&self) -> usize {
        self.slots.len()
    }
}

const UNSEEN: u32 = u32::MAX;

impl FieldJet {
    /// The second derivative by the `a`-th and the `b`-th variable: the point, then each of `vertices`.
    pub fn block(&self, a: usize, b: usize) -> &Matrix3 {
        &self.hessian[a * self.gradient.len() + b]
    }

    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.value = 0.0;
        self.gradient.clear();
        self.hessian.clear();
        self.samples.clear();
    }

    /// Numbers the vertices that the samples near depend on.
    pub(super) fn number_vertices<'a>(
        &mut self,
        vertex_count: usize,
        stencil: impl Fn(u32) -> &'a [u32],
    ) {
        let Self { vertices, near, slots: Slots { starts, slots }, numbers, .. } = self;
        if numbers.len() < vertex_count {
            numbers.resize(vertex_count, UNSEEN);
        }
        for one in near.iter() {
            for &vertex in stencil(one.sample) {
                let number = &mut numbers[vertex as usize];
                if *number == UNSEEN {
                    *number = 0;
                    vertices.push(vertex);
                }
            }
        }
        vertices.sort_unstable();
        for (index, &vertex) in vertices.iter().enumerate() {
            numbers[vertex as usize] = 1 + index as u32; // 0 is the point
        }
        slots.clear();
        starts.clear();
        starts.push(0);
        for one in near.iter() {
            slots.extend(stencil(one.sample).iter().map(|&vertex| numbers[vertex as usize]));
            starts.push(slots.len() as u32);
        }
        for &vertex in vertices.iter() {
            numbers[vertex as usize] = UNSEEN;
        }
    }
}

/// The upper half of a symmetric matrix of blocks; the lower half follows at the end.
pub(super) struct Upper<'a> {
    width: usize,
    blocks: &'a mut [Matrix3],
}

impl<'a> Upper<'a> {
    /// A zero matrix of `width` × `width` blocks in `blocks`.
    pub(super) fn zeros(width: usize, blocks: &'a mut Vec<Matrix3>) -> Self {
        blocks.clear();
        blocks.resize(width * width, Matrix3::zeros());
        Self { width, blocks }
    }

    /// Adds a block at `(a, b)`, and so its transpose at `(b, a)`.
    #[inline]
    pub(super) fn add(&mut self, a: u32, b: u32, block: &Matrix3) {
        let (a, b) = (a as usize, b as usize);
        if a <= b {
            self.blocks[a * self.width + b] += block;
        } else {
            self.blocks[b * self.width + a] += block.transpose();
        }
    }

    /// Adds `p qᵀ + q pᵀ`.
    pub(super) fn add_product(&mut self, p: &[Vector3], q: &[Vector3]) {
        for (a, row) in self.blocks.chunks_exact_mut(self.width).enumerate() {
            let ([p_a], [q_a]) = (p[a].data.0, q[a].data.0);
            for ((block, p_b), q_b) in row[a..].iter_mut().zip(&p[a..]).zip(&q[a..]) {
                let ([p_b], [q_b]) = (p_b.data.0, q_b.data.0);
                for (column, entries) in block.data.0.iter_mut().enumerate() {
                    for row in 0..3 {
                        entries[row] += p_a[row] * q_b[column] + q_a[row] * p_b[column];
                    }
                }
            }
        }
    }

    /// Fills the lower half.
    pub(super) fn mirror(self) {
        for a in 0..self.width {
            let diagonal = &mut self.blocks[a * self.width + a];
            *diagonal = (*diagonal + diagonal.transpose()) * 0.5;
            for b in a + 1..self.width {
                self.blocks[b * self.width + a] = self.blocks[a * self.width + b].transpose();
            }
        }
    }
}

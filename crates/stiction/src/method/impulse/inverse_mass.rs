//! How velocities of free rows answer impulses: `v = v* + P p`, in the forms that `P` comes in.

use crate::math::{Matrix3, Vector3};
use crate::method::linear::Linear;
use crate::model::{Model, Phase};
use crate::solve::direct::Cholesky;
use crate::solve::krylov::{Settings, cg};
use crate::solve::precondition::BlockJacobi;
use crate::solve::{BlockMatrix, LinearSolve, Status};
use crate::union_find::UnionFind;

/// How velocities of free rows answer impulses.
#[derive(Debug)]
pub(super) enum InverseMass {
    /// Every block for itself: inverse masses.
    Blocks(Vec<Matrix3>),
    /// The same where things are coupled: other forces are taken as they are at the start of the step.
    Explicit { blocks: Vec<Matrix3>, groups: Vec<u32>, stable: bool },
    /// Together, those that anything couples.
    Factor { factor: Box<Cholesky>, coupling: Coupling },
    /// The same, without a factor.
    Iterated { inverse: Box<Iterated>, coupling: Coupling },
}

/// What a matrix couples.
#[derive(Debug)]
pub(super) struct Coupling {
    /// Of each block row, the lowest one of those it is coupled with.
    pub(super) groups: Vec<u32>,
    /// Inverse blocks of rows that are coupled with no other.
    pub(super) alone: Vec<Option<Matrix3>>,
}

/// Changes of forces over changes of momentum up to which a step that takes forces as they are at its start is surely
/// stable: with both of a mode's numbers, `d = h D/M` and `s = γβ K/M`, positions by the velocities of the end need
/// `2d + 3s < 4`, Moreau's rule `d + 2s < 2`.
const SURELY_STABLE: f64 = 1.0;

/// What is asked for: the inverse of the matrix of a stage, in one of two forms, or of masses alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inverse {
    Factor,
    Iterated,
    Masses,
}

/// A symmetric positive definite matrix whose inverse is applied by conjugate gradients.
#[derive(Debug)]
pub(super) struct Iterated {
    matrix: BlockMatrix,
    diagonal: BlockJacobi,
}

impl Iterated {
    pub(super) fn matrix(&self) -> &BlockMatrix {
        &self.matrix
    }
}

/// As far as rounding lets conjugate gradients come, nearly; not getting there shows in what is solved with the result.
pub(super) const ITERATED: Settings =
    Settings { relative_tolerance: 1e-13, absolute_tolerance: 0.0, max_iterations: 10_000 };

impl LinearSolve for Iterated {
    fn dimension(&self) -> usize {
        3 * self.matrix.size()
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        let mut x = vec![0.0; b.len()];
        let mut room = cg::Workspace::default();
        let _ = cg::solve(&self.matrix, &self.diagonal, b, &mut x, &ITERATED, &mut room);
        b.copy_from_slice(&x);
    }

    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        self.solve_in_place(b);
    }
}

impl InverseMass {
    /// `p ← P p`.
    pub(super) fn apply(&self, p: &mut [f64]) {
        match self {
            Self::Blocks(blocks) | Self::Explicit { blocks, .. } => {
                for (p, block) in p.chunks_exact_mut(3).zip(blocks) {
                    let moved = block * Vector3::new(p[0], p[1], p[2]);
                    p.copy_from_slice(moved.as_slice());
                }
            }
            Self::Factor { factor, .. } => factor.solve_in_place(p),
            Self::Iterated { inverse, .. } => inverse.solve_in_place(p),
        }
    }

    /// What it couples; nothing where every block is for itself.
    pub(super) fn coupling(&self) -> Option<&Coupling> {
        match self {
            Self::Blocks(_) | Self::Explicit { .. } => None,
            Self::Factor { coupling, .. } | Self::Iterated { coupling, .. } => Some(coupling),
        }
    }

    /// Of each block row, the lowest one of those it is tied to by anything but contacts, whether impulses are felt
    /// there at once or not; nothing where nothing is tied.
    pub(super) fn ties(&self) -> Option<&[u32]> {
        match self {
            Self::Explicit { groups, .. } => Some(groups),
            _ => self.coupling().map(|coupling| coupling.groups.as_slice()),
        }
    }

    /// Whether the step is short enough for the forces in it.
    pub(super) fn is_stable(&self) -> bool {
        !matches!(self, Self::Explicit { stable: false, .. })
    }
}

impl InverseMass {
    /// The answer of the Jacobian just filled, without what is not symmetric in it. Contacts push bodies as they
    /// stand at the start of the step, where `T = I`: so bodies answer with their moments, whatever else is in the
    /// scene.
    pub(super) fn of_jacobian(
        model: &mut Model,
        linear: &mut Linear,
        iterated: bool,
    ) -> Result<Self, Status> {
        model.rigid.complete_moments(&model.rows, &mut model.jacobian);
        let pattern = model.jacobian.pattern().clone();
        if model.assembly.terms().is_empty() {
            let diagonal = |row: usize| {
                let block = model.jacobian.block(row, row);
                ((block + block.transpose()) * 0.5).try_inverse().ok_or(Status::Breakdown)
            };
            return (0..pattern.size())
                .map(diagonal)
                .collect::<Result<_, _>>()
                .map(InverseMass::Blocks);
        }
        let mut matrix = BlockMatrix::zeros(pattern);
        matrix.set_symmetric_part_of(&model.jacobian);
        let coupling = Coupling::of(&matrix);
        if iterated {
            let diagonal = BlockJacobi::positive(&matrix);
            let inverse = Box::new(Iterated { matrix, diagonal });
            return Ok(InverseMass::Iterated { inverse, coupling });
        }
        let nodes = model.rows.free_nodes().iter();
        let points: Vec<Vector3> = nodes.map(|&node| model.start[node as usize]).collect();
        let analysis = linear.analysis(&matrix, &points, &mut model.meter);
        let mut factor = Cholesky::new(&analysis);
        let factored = model.meter.time(Phase::Factor, || factor.factor(&matrix));
        factored.map_err(|_| Status::Breakdown)?;
        Ok(InverseMass::Factor { factor: Box::new(factor), coupling })
    }

    /// The answer of masses alone, whatever the Jacobian just filled couples; it is that of forces alone.
    pub(super) fn of_masses(model: &Model) -> Self {
        let nodes = model.rows.free_nodes().iter();
        let mut blocks: Vec<Matrix3> =
            nodes.map(|&node| Matrix3::identity() / model.inertias[node as usize]).collect();
        model.rigid.for_each_inertia(&model.rows, |row, moments| {
            blocks[row] = Matrix3::from_diagonal(&moments.map(f64::recip));
        });
        if model.assembly.terms().is_empty() {
            return InverseMass::Blocks(blocks);
        }
        let groups = Coupling::groups(&model.jacobian);
        let stable = Self::largest_change(model, &blocks) <= SURELY_STABLE;
        InverseMass::Explicit { blocks, groups, stable }
    }

    /// No less than the largest eigenvalue of `M⁻¹ (γ D + γβ K)`: a norm of `M^{-1/2} (…) M^{-1/2}`, the largest sum
    /// over a row.
    fn largest_change(model: &Model, inverse_masses: &[Matrix3]) -> f64 {
        let roots: Vec<Vector3> =
            inverse_masses.iter().map(|block| block.diagonal().map(f64::sqrt)).collect();
        let mut largest = 0.0_f64;
        for (row, &node) in model.rows.free_nodes().iter().enumerate() {
            let mut sums = Vector3::zeros();
            for (column, block) in model.jacobian.row(row) {
                sums += block.abs() * roots[column];
            }
            let sums = sums.component_mul(&roots[row]);
            // What is prescribed has an identity there.
            let free = (0..3).filter(|&axis| !model.fixed[node as usize][axis]);
            largest = free.fold(largest, |largest, axis| largest.max(sums[axis]));
        }
        largest
    }
}

impl Coupling {
    /// Which rows of a matrix hang together, and the inverse of each that hangs on nothing.
    fn of(matrix: &BlockMatrix) -> Self {
        let groups = Self::groups(matrix);
        let mut members = vec![0_u32; groups.len()];
        groups.iter().for_each(|&group| members[group as usize] += 1);
        let inverse = |(row, &group): (usize, &u32)| match members[group as usize] {
            1 => matrix.block(row, row).try_inverse(),
            _ => None,
        };
        let alone = groups.iter().enumerate().map(inverse).collect();
        Self { groups, alone }
    }

    /// Of each row of a matrix, the lowest one of those that hang together with it.
    fn groups(matrix: &BlockMatrix) -> Vec<u32> {
        let size = matrix.pattern().size();
        let mut sets = UnionFind::new(size);
        for row in 0..size {
            for (column, block) in matrix.row(row) {
                if column != row && *block != Matrix3::zeros() {
                    sets.unite(row as u32, column as u32);
                }
            }
        }
        (0..size as u32).map(|row| sets.root(row)).collect()
    }
}

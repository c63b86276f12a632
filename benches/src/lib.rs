//! What the benchmarks share: clocks, peak memory, and the matrices of an implicit step.

pub mod packing;

use std::sync::Arc;

use stiction::assembly::{Assembly, Rows, Term};
use stiction::element::{Projection, TetrahedronSet, lumped_masses};
use stiction::material::Material;
use stiction::math::{Matrix3, Vector3};
use stiction::mesh::generate::{CuboidSplit, cuboid};
use stiction::solve::{BlockMatrix, LinearOperator};

/// CPU time of all threads of this process [s]. Wall time drifts when the machine is shared.
pub fn cpu_seconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() * 1e-9
}

/// The most memory this process has held [MiB].
pub fn peak_mebibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes =
        line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok());
    kibibytes.unwrap_or(f64::NAN) / 1024.0
}

/// A box of rubber in the middle of a step: its elements and where its nodes are.
pub struct Block {
    /// The elements.
    pub assembly: Assembly,
    /// Order of nodes.
    pub rows: Rows,
    /// Positions of nodes [m].
    pub x: Vec<f64>,
    /// Masses of nodes [kg].
    pub masses: Vec<f64>,
    /// Where nodes rest [m].
    pub points: Vec<Vector3>,
}

impl Block {
    /// `cells` along each axis of a cube of 1 m, bent and twisted a little.
    pub fn new(cells: usize) -> Self {
        let mesh = cuboid([1.0; 3], [cells; 3], CuboidSplit::Kuhn).expect("a valid box");
        let material = Material::RUBBER;
        let set = TetrahedronSet::new(material.model(), mesh.vertices(), mesh.elements())
            .expect("valid elements");
        let masses =
            lumped_masses(mesh.elements(), &set.volumes(), material.density(), mesh.vertex_count());
        let rows = Rows::new(mesh.vertices(), |_| false);
        let term = Term::new("solid", set, mesh.elements().to_vec(), 0.0);
        let bend = |p: &Vector3| {
            let twist = 0.2 * p.z;
            let (s, c) = twist.sin_cos();
            [c * p.x - s * p.y + 0.05 * p.z * p.z, s * p.x + c * p.y, 1.02 * p.z]
        };
        let x = mesh.vertices().iter().flat_map(bend).collect();
        Self {
            assembly: Assembly::new(vec![term], &rows, &[]),
            rows,
            x,
            masses,
            points: mesh.vertices().to_vec(),
        }
    }

    /// `M + h² K`: the Jacobian of backward Euler, positive definite. Also where its rows are.
    pub fn matrix(&self, time_step: f64) -> (BlockMatrix, Vec<Vector3>) {
        let mut matrix = BlockMatrix::zeros(Arc::clone(self.assembly.pattern()));
        self.assembly.hessian(&self.x, Projection::Positive, &mut matrix);
        matrix.values_mut().iter_mut().for_each(|block| *block *= time_step * time_step);
        for (row, &node) in self.rows.nodes().iter().enumerate() {
            let slot = matrix.pattern().slot(row, row).expect("a diagonal");
            matrix.values_mut()[slot] += Matrix3::from_diagonal_element(self.masses[node as usize]);
        }
        (matrix, self.rows.nodes().iter().map(|&node| self.points[node as usize]).collect())
    }
}

/// Adds what implicit friction adds: on the bottom face, tangential rows depend on normal columns.
pub fn add_friction(matrix: &mut BlockMatrix, points: &[Vector3]) {
    let bottom = points.iter().map(|p| p.z).fold(f64::INFINITY, f64::min) + 1e-9;
    let pattern = Arc::clone(matrix.pattern());
    for row in (0..pattern.size()).filter(|&row| points[row].z < bottom) {
        for (slot, &column) in pattern.row_slots(row).zip(pattern.row(row)) {
            if points[column as usize].z < bottom {
                let size = 0.5 * matrix.values()[slot].amax();
                matrix.values_mut()[slot][(0, 2)] += size;
                matrix.values_mut()[slot][(1, 2)] -= 0.7 * size;
            }
        }
    }
}

/// A right-hand side without structure.
pub fn right_hand_side(matrix: &BlockMatrix) -> Vec<f64> {
    (0..matrix.dimension()).map(|i| (0.37 * i as f64).sin()).collect()
}

/// `‖b − A x‖ / ‖b‖`.
pub fn relative_residual(matrix: &BlockMatrix, x: &[f64], b: &[f64]) -> f64 {
    let mut ax = vec![0.0; b.len()];
    matrix.apply(x, &mut ax);
    let r: f64 = ax.iter().zip(b).map(|(ax, b)| (b - ax).powi(2)).sum();
    (r / b.iter().map(|b| b * b).sum::<f64>()).sqrt()
}

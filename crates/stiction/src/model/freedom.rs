//! Free rows and rigid bodies, for methods that work on them directly.

use super::Model;
use crate::body::BodyId;
use crate::geometry::Pose;
use crate::math::{Matrix3, Vector3};

impl Model {
    /// Moves free rows by `dx`, and nothing gets any faster.
    pub(crate) fn displace(&mut self, dx: &[f64], q: &mut [f64], v: &mut [f64]) {
        for (&node, dx) in self.rows.free_nodes().iter().zip(dx.chunks_exact(3)) {
            for a in (0..3).filter(|&a| !self.fixed[node as usize][a]) {
                q[3 * node as usize + a] += dx[a];
            }
        }
        self.rigid.displace(q, v);
    }

    /// Velocities of free rows.
    pub(crate) fn gather(&self, v: &[f64], x: &mut [f64]) {
        self.rows.gather(v, x);
    }

    /// The row of a node, if it has unknowns.
    pub(crate) fn free_row(&self, node: u32) -> Option<usize> {
        let row = self.rows.of_node(node) as usize;
        (row < self.rows.free()).then_some(row)
    }

    /// Along which axes a node is free, if not along all.
    pub(crate) fn freedom(&self, node: u32) -> Option<Matrix3> {
        let fixed = self.fixed[node as usize];
        let free = fixed.map(|fixed| if fixed { 0.0 } else { 1.0 });
        fixed.contains(&true).then(|| Matrix3::from_diagonal(&Vector3::from(free)))
    }

    /// The number of a body among rigid ones.
    pub(crate) fn rigid_number(&self, body: BodyId) -> Option<u32> {
        self.rigid.number(body.0).map(|number| number as u32)
    }

    /// Rows of a rigid body's centre and rotation, where they have unknowns.
    pub(crate) fn rigid_rows(&self, number: u32) -> [Option<usize>; 2] {
        self.rigid_nodes(number).map(|node| self.free_row(node))
    }

    /// Nodes of a rigid body's centre and rotation.
    pub(crate) fn rigid_nodes(&self, number: u32) -> [u32; 2] {
        let nodes = &self.rigid.bodies()[number as usize].nodes;
        [nodes.center, nodes.turn]
    }

    /// How far a rigid body reaches from its centre [m].
    pub(crate) fn rigid_reach(&self, number: u32) -> f64 {
        self.rigid.bodies()[number as usize].reach
    }

    /// How fast any point of a rigid body is at most [m/s].
    pub(crate) fn rigid_speed(&self, number: u32, v: &[f64]) -> f64 {
        self.rigid.speed(number as usize, v)
    }

    /// Where the frame of a rigid body's mesh is.
    pub(crate) fn rigid_pose(&self, number: u32, q: &[f64]) -> Pose {
        self.rigid.pose(number as usize, q)
    }

    /// How a point moves with a rigid body: nodes of its centre and rotation, and what the rotation does to the point.
    pub(crate) fn rigid_arm(&self, rigid: u32, x: Vector3, q: &[f64]) -> (u32, u32, Matrix3) {
        let arm = self.rigid.arm_of_point(rigid as usize, x, q);
        (arm.center, arm.turn, arm.by_turn)
    }

    /// How a rigid body turns: the node of its rotation, and the matrix that makes an angular velocity of its rate.
    pub(crate) fn rigid_turn(&self, rigid: u32, q: &[f64]) -> (u32, Matrix3) {
        self.rigid.turn_of(rigid as usize, q)
    }
}

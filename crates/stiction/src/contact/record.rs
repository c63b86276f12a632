//! The contact record: what every method finds and every output reads.

use crate::body::BodyId;
use crate::math::Vector3;

/// A contact at the end of a step: a point of a body A against a surface of a body B.
///
/// Forces act on A, and with the opposite sign on B. Velocities are those of A relative to B.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Body A.
    pub collider: BodyId,
    /// The vertex of A.
    pub vertex: u32,
    /// Body B.
    pub surface: BodyId,
    /// The vertex of B that shows the contact, where both sides do.
    pub surface_vertex: Option<u32>,
    /// Where the point is [m].
    pub point: Vector3,
    /// Distance from the surface, negative inside [m].
    pub gap: f64,
    /// Out of B, of length one.
    pub normal: Vector3,
    /// Force along the normal, negative only where a bond pulls [N].
    #[doc(alias("Lagrange multiplier"))]
    pub normal_force: f64,
    /// Force of friction on A, along the surface [N].
    pub friction: Vector3,
    /// Velocity along the surface [m/s].
    pub slip_velocity: Vector3,
    /// Distance slid since the contact began [m].
    pub slid: f64,
    /// Whether it slid in the last step.
    #[doc(alias("stick", "slip"))]
    pub sliding: bool,
    /// Coefficient of friction of a contact that slides [-].
    pub coefficient: f64,
    /// What feels the contact: nodes, and the force on each [N]. The point first, if it has a node. On a rigid body,
    /// four of its vertices near the point, some of them perhaps pulled: together the same force and the same torque.
    pub forces: Vec<(u32, Vector3)>,
}

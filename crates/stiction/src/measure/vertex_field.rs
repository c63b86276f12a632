//! One vector a vertex: what frames carry besides positions and velocities.

use super::UnknownName;
use super::error::find;
use crate::Simulation;
use crate::assembly::point;
use crate::body::BodyId;
use crate::math::Vector3;

/// A quantity that every vertex of a body that deforms has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexField {
    /// From where the vertex started [m].
    Displacement,
    /// Force of a pin on the vertex, zero where none holds it [N].
    Reaction,
    /// Force of all contacts on the vertex, zero where nothing touches it [N].
    ContactForce,
    /// Force of friction on the vertex, where it is the point of a contact; not on the surface under it [N].
    FrictionForce,
}

impl VertexField {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Displacement, Self::Reaction, Self::ContactForce, Self::FrictionForce];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Displacement => "displacement",
            Self::Reaction => "reaction",
            Self::ContactForce => "contact_force",
            Self::FrictionForce => "friction_force",
        }
    }

    /// The field of this name.
    ///
    /// # Errors
    /// When there is none, with the nearest that there is.
    pub fn from_name(name: &str) -> Result<Self, UnknownName> {
        find("field of vertices", name, &Self::ALL, Self::name)
    }

    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Displacement => "m",
            Self::Reaction | Self::ContactForce | Self::FrictionForce => "N",
        }
    }

    /// Its values at the vertices of a body, in the order of its mesh.
    ///
    /// # Panics
    /// When the body is of another scene.
    pub fn evaluate(self, simulation: &Simulation, body: BodyId) -> Vec<Vector3> {
        match self {
            Self::Reaction => simulation.reactions(body),
            Self::Displacement => {
                let (system, q) = (simulation.system(), &simulation.trajectory().q);
                let moved = |&node: &u32| point(q, node as usize) - system.start()[node as usize];
                system.nodes(body).iter().map(moved).collect()
            }
            Self::ContactForce => {
                let mut forces = vec![Vector3::zeros(); simulation.system().node_masses().len()];
                for (node, force) in simulation.contacts().iter().flat_map(|c| &c.forces) {
                    forces[*node as usize] += force;
                }
                let nodes = simulation.system().nodes(body).iter();
                nodes.map(|&node| forces[node as usize]).collect()
            }
            Self::FrictionForce => {
                let mut forces = vec![Vector3::zeros(); simulation.system().nodes(body).len()];
                for contact in simulation.contacts().iter().filter(|c| c.collider == body) {
                    forces[contact.vertex as usize] += contact.friction;
                }
                forces
            }
        }
    }
}

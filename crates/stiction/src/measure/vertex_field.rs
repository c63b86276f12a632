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
}

impl VertexField {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Displacement, Self::Reaction];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Displacement => "displacement",
            Self::Reaction => "reaction",
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
            Self::Reaction => "N",
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
        }
    }
}

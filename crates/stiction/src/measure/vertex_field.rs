//! Numbers at vertices: what frames carry besides positions and velocities.

use super::UnknownName;
use super::error::find;
use crate::Simulation;
use crate::assembly::point;
use crate::body::BodyId;
use crate::contact::Contact;
use crate::math::Vector3;

/// A quantity that every vertex of a body that deforms has.
///
/// Those of contacts are of contacts that push at the end of the last step, and of the body whose points touch, not of
/// the surface under them. Only [`VertexField::ContactForce`] is of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexField {
    /// From where the vertex started [m].
    Displacement,
    /// Force of a pin on the vertex, zero where none holds it [N].
    Reaction,
    /// Force of all contacts on the vertex, zero where nothing touches it [N].
    ContactForce,
    /// Force of friction on the vertex [N].
    FrictionForce,
    /// Force of contacts on the vertex along their normals [N].
    NormalForce,
    /// 0 free, 1 sticks, 2 slips: the most of all contacts of the vertex.
    ContactState,
    /// Smallest distance from what the vertex touches, negative inside; zero where it is free [m].
    Gap,
    /// Of the contact that pushes most, zero where the vertex is free [-].
    FrictionCoefficient,
}

impl VertexField {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Displacement,
        Self::Reaction,
        Self::ContactForce,
        Self::FrictionForce,
        Self::NormalForce,
        Self::ContactState,
        Self::Gap,
        Self::FrictionCoefficient,
    ];

    /// What tells all about the contacts of a vertex.
    pub const OF_CONTACTS: [Self; 5] = [
        Self::ContactState,
        Self::Gap,
        Self::NormalForce,
        Self::FrictionForce,
        Self::FrictionCoefficient,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Displacement => "displacement",
            Self::Reaction => "reaction",
            Self::ContactForce => "contact_force",
            Self::FrictionForce => "friction_force",
            Self::NormalForce => "normal_force",
            Self::ContactState => "contact_state",
            Self::Gap => "gap",
            Self::FrictionCoefficient => "friction_coefficient",
        }
    }

    /// The field of this name.
    ///
    /// # Errors
    /// When there is none, with the nearest that there is.
    pub fn from_name(name: &str) -> Result<Self, UnknownName> {
        find("field of vertices", name, &Self::ALL, Self::name)
    }

    /// Its unit, `1` if it has none.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Displacement | Self::Gap => "m",
            Self::Reaction | Self::ContactForce | Self::FrictionForce | Self::NormalForce => "N",
            Self::ContactState | Self::FrictionCoefficient => "1",
        }
    }

    /// Numbers of a value: 3 of a vector, 1 of others.
    pub fn components(self) -> usize {
        match self {
            Self::ContactState | Self::Gap | Self::FrictionCoefficient => 1,
            _ => 3,
        }
    }

    /// Whether it needs to know the contacts.
    pub fn is_of_contacts(self) -> bool {
        self == Self::ContactForce || Self::OF_CONTACTS.contains(&self)
    }

    /// Its values at the vertices of a body, in the order of its mesh, components next to each other. `contacts` are
    /// [those of the simulation](Simulation::contacts); fields that are not of contacts need none.
    ///
    /// # Panics
    /// When the body or the contacts are of another scene.
    pub fn evaluate(self, simulation: &Simulation, contacts: &[Contact], body: BodyId) -> Vec<f64> {
        let nodes = simulation.model().nodes(body);
        let mut values = vec![0.0; nodes.len() * self.components()];
        // A contact, the vertex that shows it, and the sign of its forces there.
        let own = contacts.iter().flat_map(|c| {
            let first = (c.collider == body).then_some((c, c.vertex as usize, 1.0));
            let second = c.surface_vertex.filter(|_| c.surface == body);
            first.into_iter().chain(second.map(|vertex| (c, vertex as usize, -1.0)))
        });
        match self {
            Self::Reaction => return flat(&simulation.reactions(body)),
            Self::Displacement => {
                let (start, q) = (simulation.model().start(), &simulation.trajectory().q);
                for (value, &node) in values.as_chunks_mut::<3>().0.iter_mut().zip(nodes) {
                    *value = (point(q, node as usize) - start[node as usize]).into();
                }
            }
            Self::ContactForce => {
                let mut forces = vec![Vector3::zeros(); simulation.model().node_masses().len()];
                for (node, force) in contacts.iter().flat_map(|c| &c.forces) {
                    forces[*node as usize] += force;
                }
                for (value, &node) in values.as_chunks_mut::<3>().0.iter_mut().zip(nodes) {
                    *value = forces[node as usize].into();
                }
            }
            Self::FrictionForce => {
                own.for_each(|(c, vertex, sign)| add(&mut values, vertex, c.friction * sign));
            }
            Self::NormalForce => own.for_each(|(c, vertex, sign)| {
                add(&mut values, vertex, c.normal * (c.normal_force * sign));
            }),
            Self::ContactState => own.for_each(|(c, vertex, _)| {
                let state = &mut values[vertex];
                *state = state.max(if c.sliding { 2.0 } else { 1.0 });
            }),
            Self::Gap => {
                let mut touched = vec![false; nodes.len()];
                own.for_each(|(c, vertex, _)| {
                    let (gap, touched) = (&mut values[vertex], &mut touched[vertex]);
                    *gap = if *touched { gap.min(c.gap) } else { c.gap };
                    *touched = true;
                });
            }
            Self::FrictionCoefficient => {
                let mut hardest = vec![-1.0; nodes.len()];
                own.for_each(|(c, vertex, _)| {
                    let hardest = &mut hardest[vertex];
                    if c.normal_force > *hardest {
                        *hardest = c.normal_force;
                        values[vertex] = c.coefficient;
                    }
                });
            }
        }
        values
    }
}

fn add(values: &mut [f64], vertex: usize, vector: Vector3) {
    for k in 0..3 {
        values[3 * vertex + k] += vector[k];
    }
}

fn flat(vectors: &[Vector3]) -> Vec<f64> {
    vectors.iter().flat_map(|vector| <[f64; 3]>::from(*vector)).collect()
}

//! A probe that knows its nodes and elements.

use super::contacts::OfContacts;
use super::{Field, Quantity, Reduction};
use crate::Simulation;
use crate::assembly::point;
use crate::body::{BodyId, JointId, ZoneId};
use crate::math::{Matrix3, Vector3};
use crate::mesh::{tet_volume, triangle_area};
use crate::rigid::RigidState;

/// Moments of inertia below this part of the largest one are zero but for rounding.
const ROUNDING: f64 = 1e-12;

/// A [`Probe`](super::Probe) made ready for a simulation, and for any other of the same scene.
#[derive(Clone, Debug)]
pub struct PreparedProbe {
    pub(super) unit: &'static str,
    pub(super) measured: Measured,
}

/// What is measured, in terms of nodes and elements of terms.
#[derive(Clone, Debug)]
pub(super) enum Measured {
    Vertices {
        value: AtNode,
        nodes: Vec<u32>,
        part: Part,
        reduction: Reduction,
    },
    Length {
        from: Vec<u32>,
        to: Vec<u32>,
        part: Part,
    },
    Area(Vec<[u32; 3]>),
    Volume(Vec<[u32; 4]>),
    Zone {
        quantity: Quantity,
        zone: ZoneId,
    },
    Joint(Quantity, JointId),
    Contacts(OfContacts),
    /// Of all bodies, of one, or of two.
    Intersections {
        body: Option<BodyId>,
        against: Option<BodyId>,
    },
    /// Inside a closed surface.
    Enclosed(Vec<[u32; 3]>),
    Elements {
        term: usize,
        elements: Vec<u32>,
        value: AtElement,
        reduction: Reduction,
    },
    CenterOfMass {
        masses: Masses,
        part: Part,
    },
    Momentum {
        masses: Masses,
        part: Part,
    },
    AngularMomentum {
        masses: Masses,
        about: Vector3,
        part: Part,
    },
    Spin {
        masses: Masses,
        part: Part,
    },
    Energy {
        kind: Quantity,
        masses: Masses,
        elastic: Elastic,
    },
}

/// A vector at a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum AtNode {
    Position,
    Displacement,
    Velocity,
    Reaction,
    Torque { about: Vector3 },
}

/// A number at an element.
#[derive(Clone, Debug)]
pub(super) enum AtElement {
    Field(Field),
    /// A function of the largest principal stretch.
    PrincipalStretch(Quantity),
    /// A function of the stretch along a direction of the rest shape, one an element.
    StretchAlong(Quantity, Vec<Vector3>),
    /// Along a unit direction in space.
    NormalStress(Vector3),
}

/// How a vector becomes a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// Its component along a unit vector.
    Along(Vector3),
    Length,
}

/// What has mass.
#[derive(Clone, Debug)]
pub(super) struct Masses {
    /// Nodes, and how much of the mass of each counts [kg].
    pub(super) nodes: Vec<(u32, f64)>,
    /// Rigid bodies, which spin about their nodes.
    pub(super) rigid: Vec<BodyId>,
}

/// Whose elastic energy.
#[derive(Clone, Debug)]
pub(super) enum Elastic {
    All,
    /// Of these elements of these terms.
    Elements(Vec<(usize, Vec<u32>)>),
}

impl PreparedProbe {
    /// The unit of what [`PreparedProbe::measure`] returns, `1` if it has none.
    pub fn unit(&self) -> &'static str {
        self.unit
    }

    /// The value now. Not a number only where the state makes it so, such as the stress of a triangle without area.
    ///
    /// # Panics
    /// When the simulation is of a smaller scene than the one the probe was prepared for.
    pub fn measure(&self, simulation: &Simulation) -> f64 {
        let (q, v) = (&simulation.trajectory().q, &simulation.trajectory().v);
        let x = |node: u32| point(q, node as usize);
        match &self.measured {
            Measured::Vertices { value, nodes, part, reduction } => {
                let vector = |k: usize| value.at(simulation, nodes[k] as usize);
                match reduction {
                    Reduction::Sum => part.of(&(0..nodes.len()).map(vector).sum()),
                    _ => reduction.of(nodes.len(), |k| (part.of(&vector(k)), 1.0)),
                }
            }
            Measured::Length { from, to, part } => {
                let mean = |nodes: &[u32]| {
                    nodes.iter().map(|&node| x(node)).sum::<Vector3>() / nodes.len() as f64
                };
                part.of(&(mean(to) - mean(from)))
            }
            Measured::Area(faces) => {
                Reduction::Sum.of(faces.len(), |k| (triangle_area(&faces[k].map(x)), 1.0))
            }
            Measured::Volume(tets) => {
                Reduction::Sum.of(tets.len(), |k| (tet_volume(&tets[k].map(x)), 1.0))
            }
            Measured::Enclosed(faces) => {
                // Any origin will do for a closed surface; one nearby keeps digits.
                let origin = x(faces[0][0]);
                Reduction::Sum.of(faces.len(), |k| {
                    let [a, b, c] = faces[k].map(|node| x(node) - origin);
                    (a.dot(&b.cross(&c)) / 6.0, 1.0)
                })
            }
            Measured::Zone { quantity, zone } => {
                let volume = simulation.zone_volume(*zone);
                let law = simulation.model().zone_energy(*zone);
                match quantity {
                    Quantity::Pressure => law.pressure(volume),
                    Quantity::Energy => law.value(volume),
                    _ => volume,
                }
            }
            Measured::Joint(quantity, joint) => {
                let state = simulation.joint(*joint);
                match quantity {
                    Quantity::Drift => state.gap,
                    Quantity::Tilt => state.tilt,
                    _ => state.coordinate,
                }
            }
            Measured::Contacts(contacts) => contacts.measure(simulation),
            Measured::Intersections { body, against } => {
                let found = simulation.intersections();
                match body {
                    _ if !found.unknown.is_empty() => f64::NAN,
                    None => found.total() as f64,
                    Some(body) => found.of(*body, *against) as f64,
                }
            }
            Measured::Elements { term, elements, value, reduction } => {
                let term = &simulation.model().assembly().terms()[*term];
                reduction.of(elements.len(), |k| {
                    let element = term.strained(elements[k] as usize, q);
                    let element = element.expect("probes choose terms that have strains");
                    let value = match value {
                        AtElement::Field(field) => field.at(&element),
                        AtElement::PrincipalStretch(quantity) => {
                            quantity.of_stretch(Field::MaxStretch.at(&element))
                        }
                        AtElement::StretchAlong(quantity, directions) => {
                            quantity.of_stretch(element.stretch_along(&directions[k]))
                        }
                        AtElement::NormalStress(d) => d.dot(&(element.cauchy_stress() * d)),
                    };
                    (value, element.rest_size)
                })
            }
            Measured::CenterOfMass { masses, part } => part.of(&masses.center(q)),
            Measured::Momentum { masses, part } => {
                part.of(&masses.sum(|node, m| point(v, node as usize) * m))
            }
            Measured::AngularMomentum { masses, about, part } => {
                let of_nodes =
                    masses.sum(|node, m| (x(node) - about).cross(&(point(v, node as usize) * m)));
                let rigid = masses.rigid_states(simulation);
                part.of(&rigid.fold(of_nodes, |sum, rigid| sum + rigid.angular_momentum()))
            }
            Measured::Spin { masses, part } => part.of(&masses.spin(simulation)),
            Measured::Energy { kind, masses, elastic } => {
                energy(*kind, simulation, masses, elastic)
            }
        }
    }
}

fn energy(kind: Quantity, simulation: &Simulation, masses: &Masses, elastic: &Elastic) -> f64 {
    let (q, v) = (&simulation.trajectory().q, &simulation.trajectory().v);
    let model = simulation.model();
    let kinetic = || -> f64 {
        let nodes = masses.nodes.iter();
        let of_nodes: f64 =
            nodes.map(|(n, m)| 0.5 * m * point(v, *n as usize).norm_squared()).sum();
        let spinning = |rigid: RigidState| 0.5 * rigid.spin.dot(&rigid.angular_momentum());
        of_nodes + masses.rigid_states(simulation).map(spinning).sum::<f64>()
    };
    let gravitational = || -> f64 {
        let g = model.gravity();
        masses.nodes.iter().map(|(n, m)| -m * g.dot(&point(q, *n as usize))).sum()
    };
    // Of no body: a zone may be enclosed by several.
    let zones = || match elastic {
        Elastic::All => model.energy_of_zones(q),
        Elastic::Elements(_) => 0.0,
    };
    let elastic = || match elastic {
        Elastic::All => model.assembly().energy(q),
        Elastic::Elements(terms) => terms
            .iter()
            .map(|(term, elements)| {
                let term = &model.assembly().terms()[*term];
                let energy = |k: usize| (term.element_energy(elements[k] as usize, q), 1.0);
                Reduction::Sum.of(elements.len(), energy)
            })
            .sum(),
    };
    match kind {
        Quantity::KineticEnergy => kinetic(),
        Quantity::ElasticEnergy => elastic(),
        Quantity::GravitationalEnergy => gravitational(),
        _ => kinetic() + elastic() + gravitational() + zones(),
    }
}

impl AtNode {
    fn at(self, simulation: &Simulation, node: usize) -> Vector3 {
        let trajectory = simulation.trajectory();
        let x = || point(&trajectory.q, node);
        let force = || point(simulation.model().reactions(), node);
        match self {
            Self::Position => x(),
            Self::Displacement => x() - simulation.model().start()[node],
            Self::Velocity => point(&trajectory.v, node),
            Self::Reaction => force(),
            Self::Torque { about } => (x() - about).cross(&force()),
        }
    }
}

impl Part {
    pub(super) fn of(&self, vector: &Vector3) -> f64 {
        match self {
            Self::Along(direction) => direction.dot(vector),
            Self::Length => vector.norm(),
        }
    }
}

impl Masses {
    fn sum(&self, of: impl Fn(u32, f64) -> Vector3) -> Vector3 {
        self.nodes.iter().map(|&(node, mass)| of(node, mass)).sum()
    }

    fn total(&self) -> f64 {
        self.nodes.iter().map(|(_, mass)| mass).sum()
    }

    fn rigid_states(&self, simulation: &Simulation) -> impl Iterator<Item = RigidState> {
        self.rigid.iter().filter_map(|&body| simulation.rigid_state(body))
    }

    /// The centre of mass [m].
    fn center(&self, q: &[f64]) -> Vector3 {
        self.sum(|node, m| point(q, node as usize) * m) / self.total()
    }

    /// `ω` with `I ω = L` about the centre of mass; no part of it is about an axis on which all of the mass lies
    /// [rad/s].
    fn spin(&self, simulation: &Simulation) -> Vector3 {
        let (q, v) = (&simulation.trajectory().q, &simulation.trajectory().v);
        let center = self.center(q);
        let arm = |node: u32| point(q, node as usize) - center;
        let mut momentum = self.sum(|node, m| arm(node).cross(&point(v, node as usize)) * m);
        let mut inertia = self.nodes.iter().fold(Matrix3::zeros(), |sum, &(node, m)| {
            let cross = arm(node).cross_matrix();
            sum + cross.tr_mul(&cross) * m
        });
        for rigid in self.rigid_states(simulation) {
            momentum += rigid.angular_momentum();
            inertia += rigid.inertia;
        }
        let axes = inertia.symmetric_eigen();
        let least = ROUNDING * axes.eigenvalues.max();
        (0..3).filter(|&k| axes.eigenvalues[k] > least).fold(Vector3::zeros(), |spin, k| {
            let axis = axes.eigenvectors.column(k);
            spin + axis * (axis.dot(&momentum) / axes.eigenvalues[k])
        })
    }
}

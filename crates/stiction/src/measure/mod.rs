//! Numbers and fields out of a simulation: what probes record and colours show.
//!
//! A [`Probe`] is one number over time: the deflection of a tip, the force at a pin, an energy. It finds its
//! vertices and elements once, where bodies are placed, as pins do; [`PreparedProbe::measure`] is then quick.
//! A [`Field`] is one number an element, a [`VertexField`] one number or vector a vertex.
//!
//! | quantity | where | unit |
//! |---|---|---|
//! | `position`, `displacement`, `velocity`, `speed` | vertices | m, m/s |
//! | `center_of_mass`, `length` | one point, the way between two | m |
//! | `area`, `volume` | faces, tetrahedra or a closed cloth | m², m³ |
//! | `stretch`, `strain`, `green_strain`, `min_stretch` | elements | 1 |
//! | `volume_ratio`, `area_ratio` | tetrahedra, triangles | 1 |
//! | `strain_energy_density`, `stress`, `von_mises`, `pressure` | elements | J/m³, Pa; of cloth J/m², N/m |
//! | `kinetic_energy`, `elastic_energy`, `gravitational_energy`, `energy` | a body or the scene | J |
//! | `momentum`, `angular_momentum`, `spin` | a body or the scene | N·s, N·m·s, rad/s |
//! | `volume`, `pressure`, `energy` | a zone | m³, Pa, J |
//! | `travel`, `drift`, `tilt` | a joint | rad or m, m, rad |
//! | `reaction`, `reaction_torque` | held vertices | N, N·m |
//! | `contact_force`, `normal_force`, `friction_force` | contacts of a body | N |
//! | `slip`, `slip_velocity`, `gap` | contacts of a body | m, m/s, m |
//! | `contact_count`, `sliding_count` | contacts of a body | 1 |
//! | `intersections` | a body or the scene | 1 |
//!
//! A vector becomes a number by its component along a direction, or, where that says something, by its length.
//! Values at vertices and elements are reduced to their mean, least, largest or sum. The mean over vertices
//! counts each once, that over elements by rest volume or area: it does not depend on the mesh.
//!
//! ```
//! use stiction::body::Solid;
//! use stiction::measure::{Probe, Quantity};
//! use stiction::mesh::Selection;
//! use stiction::{Scene, Simulation};
//!
//! let mut scene = Scene::new();
//! let beam = scene.add(Solid::cuboid([1.0, 0.1, 0.1], [10, 1, 1])?);
//! scene.pin(beam, Selection::Tag("x-min".into()));
//! let mut simulation = Simulation::new(&scene)?;
//!
//! let tip = Probe::new(Quantity::Displacement).of(beam, Selection::Tag("x-max".into())).along([0.0, 1.0, 0.0]);
//! let tip = tip.prepare(&scene, &simulation)?;
//! simulation.step();
//! assert!(tip.measure(&simulation) < 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contacts;
mod error;
mod field;
mod intersections;
mod overlaps;
mod prepare;
mod prepared;
mod probe;
mod quantity;
mod reduction;
mod vertex_field;

pub(crate) use intersections::Surfaces;

pub use crate::names::UnknownName;
pub use error::ProbeError;
pub use field::Field;
pub use intersections::Intersections;
pub use overlaps::{Facing, Overlap, Overlaps};
pub use prepared::PreparedProbe;
pub use probe::Probe;
pub use quantity::Quantity;
pub use reduction::Reduction;
pub use vertex_field::VertexField;

//! Meshes: generators, topology, selections, validation.

mod generators;
mod geodesic;
mod parts;
mod selection;
mod tetrahedralise;
mod topology;
mod validation;

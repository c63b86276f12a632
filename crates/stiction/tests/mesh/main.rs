//! Meshes: generators, topology, selections, validation.

mod generators;
mod parts;
mod selection;
mod topology;
mod validation;

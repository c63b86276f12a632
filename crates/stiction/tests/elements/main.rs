//! Elements: energies and their derivatives, materials, damping, assembly, measured strain.

mod assembly;
mod element_damping;
mod element_derivatives;
mod energy_derivatives;
mod materials;
mod probes;
mod projection;
mod rest_shapes;
mod strain;
mod vectors;

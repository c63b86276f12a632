//! Distances and implicit surfaces.

mod distance;
mod implicit_derivatives;
mod implicit_surfaces;
mod implicit_vectors;

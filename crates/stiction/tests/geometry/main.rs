//! Distances, surfaces with an inside, and implicit surfaces.

mod closed_surface;
mod distance;
mod distance_grid;
mod field_contact;
mod implicit_derivatives;
mod implicit_surfaces;
mod implicit_vectors;

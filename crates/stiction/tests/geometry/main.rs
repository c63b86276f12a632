//! Distances, surfaces with an inside, implicit surfaces, trees of boxes, pairs of features, continuous collision,
//! intersections; meshes and convex shapes. One binary for all: each links the whole library.

mod bvh;
mod ccd;
mod ccd_exact;
mod ccd_surfaces;
mod closed_surface;
mod closest;
mod distance;
mod distance_grid;
mod features;
mod field_contact;
mod implicit_derivatives;
mod implicit_surfaces;
mod implicit_vectors;
mod intersection;
mod intersection_oracle;
#[path = "../mesh/mod.rs"]
mod mesh;
#[path = "../shapes/mod.rs"]
mod shapes;
mod squared_distance;

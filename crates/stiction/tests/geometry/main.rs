//! Distances, implicit surfaces, trees of boxes, pairs of features, continuous collision.

mod bvh;
mod ccd;
mod ccd_exact;
mod ccd_surfaces;
mod closest;
mod distance;
mod features;
mod implicit_derivatives;
mod implicit_surfaces;
mod implicit_vectors;

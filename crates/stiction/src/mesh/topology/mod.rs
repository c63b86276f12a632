//! Who touches whom: edges, faces, neighbours, hinges, loops, pieces.
//!
//! Everything is found by grouping under the lowest vertex and sorting within the (short) groups, so the
//! work is linear in practice, and results are sorted and the same for the same mesh.

mod adjacency;
mod components;
mod faces;
mod geodesic;
mod surface;

pub use adjacency::{Adjacency, unique_edges};
pub use components::Components;
pub use faces::{Face, TET_FACES, tet_faces};
pub(crate) use geodesic::with_lengths;
pub use geodesic::{EdgeGraph, Search};
pub use surface::{EdgeSide, Hinge, SurfaceEdges};

//! Scene files: shapes, mistakes, the resolved scene, the schema, expectations, the pages that show them.

mod barriers;
mod cache;
mod capture;
mod clouds;
mod docs;
mod doubts;
mod errors;
mod expectations;
mod frictions;
mod impulses;
mod masonry;
#[path = "../meshes/mod.rs"]
mod meshes;
mod motions;
mod mutations;
#[path = "../problems/mod.rs"]
mod problems;
mod resolved;
mod schema;
#[path = "../scratch/mod.rs"]
mod scratch;
mod shapes;
mod surfaces;
mod textures;

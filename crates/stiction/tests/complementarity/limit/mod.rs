//! Contacts with limit surfaces.

mod ellipsoid;
mod heap;
mod problems;
mod surfaces;

#[path = "../../../../../benches/src/packing.rs"]
#[expect(dead_code, unreachable_pub, reason = "shared with benchmarks, which use all of it")]
mod packing;

//! Pictures of surfaces, drawn on the processor: no window, no graphics card.
//!
//! A [`Stage`] holds triangulated surfaces and grounds; [`draw`] looks at it with rays from a [`Camera`], with a
//! wide sun, a sky that is dimmed where things are near each other, and no grain.

#![allow(rustdoc::broken_intra_doc_links, reason = "units [degrees] are not links")]

mod arrows;
mod bvh;
mod camera;
mod draw;
pub mod file;
pub mod ink;
mod lit;
mod math;
mod picture;
mod stage;
mod studio;

pub use arrows::arrows;
pub use bvh::{Bvh, Hit, Ray};
pub use camera::{Camera, Margins, View};
pub use draw::{Settings, draw};
pub use math::{Bounds, Vec3};
pub use picture::Picture;
pub use stage::{Colour, Ground, Paint, Stage, Surface};
pub use studio::{Studio, decoded, encoded};

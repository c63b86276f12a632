//! Pictures of surfaces, drawn on the processor: no window, no graphics card.
//!
//! A [`Stage`] holds triangulated surfaces and perhaps a floor; [`draw`] looks at it with rays from a [`Camera`], with a
//! wide sun, a sky that is dimmed where things are near each other, and no grain.

mod bvh;
mod camera;
mod draw;
mod math;
mod picture;
mod stage;

pub use bvh::{Bvh, Hit, Ray};
pub use camera::{Camera, View};
pub use draw::{Settings, Studio, camera, draw};
pub use math::{Bounds, Vec3};
pub use picture::Picture;
pub use stage::{Colour, Paint, Stage, Surface};

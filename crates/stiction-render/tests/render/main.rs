//! Claims about pictures.

mod camera;
mod common;
mod files;
mod ink;
mod light;
mod reference;
mod tree;

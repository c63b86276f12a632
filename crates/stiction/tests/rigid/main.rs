//! Rigid bodies: free, spinning, touching.

mod free;
mod joints;
mod refused;
mod restore;
mod touching;

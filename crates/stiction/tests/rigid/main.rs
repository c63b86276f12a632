//! Rigid bodies: free, spinning, touching.

mod free;
mod refused;
mod restore;
mod touching;

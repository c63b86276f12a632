//! Rigid bodies: free, spinning, touching.

mod bonds;
mod free;
mod joints;
mod penalty;
mod refused;
mod restore;
mod touching;

//! Rigid bodies: free, spinning, touching.

mod bonds;
mod collapse;
mod free;
mod joints;
mod penalty;
mod refused;
mod restore;
mod touching;

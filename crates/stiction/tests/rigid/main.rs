//! Rigid bodies: free, spinning, touching.

mod collapse;
mod free;
mod joints;
mod penalty;
mod refused;
mod restore;
mod touching;

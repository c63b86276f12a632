//! Rigid bodies: free, spinning, touching.

mod blows;
mod bonds;
mod collapse;
mod collisions;
mod free;
mod joints;
mod once;
mod penalty;
mod refused;
mod restore;
mod spin;
mod touching;

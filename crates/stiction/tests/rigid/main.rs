//! Rigid bodies: free, spinning, touching.

mod free;
mod joints;
mod touching;

//! Rigid bodies: free, spinning, touching.

mod free;
mod touching;

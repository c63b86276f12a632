//! Convex shapes: hulls, masses, contacts between them.

mod degenerate;
mod hulls;
mod kept;
mod manifolds;
mod masses;
mod moments;
mod support;
mod twins;

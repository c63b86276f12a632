//! Equilibrium: bars, cloth, links, loads, settling.

mod bars;
mod bending;
mod cloth;
mod inexact_norm;
mod links;
mod loads;
mod patch;
mod settle;

//! Motion in time: integrators, energy, momentum, pins, retries, the same bits again; equilibrium; what scenes
//! are refused. One binary for all: each links the whole library.

mod cloth;
mod determinism;
mod energy;
mod integrators;
mod invariance;
mod methods;
mod orders;
mod oscillators;
mod pins;
mod retry;
#[path = "../scene/mod.rs"]
mod scene;
#[path = "../statics/mod.rs"]
mod statics;
mod toy_method;

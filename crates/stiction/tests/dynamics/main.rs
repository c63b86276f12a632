//! Motion in time: integrators, energy, momentum, pins, retries, the same bits again.

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
mod toy_method;

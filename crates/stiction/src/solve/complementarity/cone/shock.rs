//! Shock propagation: layers of contacts from the ground up, each solved on its own with the newest impulses of the
//! others, then back down (`docs/theory/contact-solvers.md`, "Sweeps").
//!
//! A block Gauss–Seidel whose blocks are layers, so loads cross a pile in one pass instead of one contact a sweep; it
//! keeps the exact solution, unlike shock propagation that freezes what lies below. Pays when layers couple more
//! inside than between each other; a tower of single boxes gains little. Someone must know the layers, or at least
//! what touches the ground: [`layers_from`].

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::gauss_seidel::{self, improve, prepare};
use super::operator::block_rows::{block_of, set_block};
use super::run::conduct;
use super::{ContactProblem, Delassus};
use crate::solve::Report;

/// How each layer is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Sweeps in a layer each time it is visited.
    pub sweeps: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { sweeps: 5 }
    }
}

/// Improves the impulses `r` in place, with the layer of each contact; an iteration is a way up and a way down.
///
/// # Panics
/// When `r` does not have three numbers a contact, or `layers` not one.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    layers: &[u32],
    limits: &Limits,
    settings: &Settings,
    watch: &mut dyn Watch,
) -> Report {
    assert_eq!(layers.len(), problem.contacts(), "one layer a contact");
    conduct(problem, r, limits, watch, |run, r| {
        let mut sequence: Vec<u32> = (0..problem.contacts() as u32).collect();
        sequence.sort_by_key(|&i| (layers[i as usize], i));
        let blocks: Vec<&[u32]> =
            sequence.chunk_by(|&a, &b| layers[a as usize] == layers[b as usize]).collect();
        let prepared = prepare(problem);
        let local = gauss_seidel::Settings::default();
        loop {
            let mut worst: f64 = 0.0;
            for block in blocks.iter().chain(blocks.iter().rev()) {
                for sweep in 0..settings.sweeps {
                    for &i in *block {
                        let i = i as usize;
                        let (new, residual) =
                            improve(problem, &prepared, &local, i, r, &run.memory);
                        let change = new - block_of(r, i);
                        set_block(r, i, new);
                        problem.operator().changed(i, change, &mut run.memory);
                        if sweep == 0 {
                            worst = if residual > worst || residual.is_nan() {
                                residual
                            } else {
                                worst
                            };
                        }
                    }
                }
            }
            if let ControlFlow::Break(status) = run.proposed(r, worst.sqrt()) {
                break status;
            }
        }
    })
}

/// Layers by how many steps from contact to contact lead to a `ground` contact; what no step reaches comes last.
pub fn layers_from<A: Delassus>(problem: &ContactProblem<A>, ground: &[usize]) -> Vec<u32> {
    let mut layers = vec![u32::MAX; problem.contacts()];
    let mut queue: VecDeque<usize> = ground.iter().copied().collect();
    for &i in ground {
        layers[i] = 0;
    }
    while let Some(i) = queue.pop_front() {
        let next = layers[i] + 1;
        problem.operator().for_neighbours(i, &mut |j| {
            if layers[j] == u32::MAX {
                layers[j] = next;
                queue.push_back(j);
            }
        });
    }
    layers
}

//! In which order a sweep visits rows. A row whose bounds are fixed comes first, those tied to it right after:
//! friction is bounded by the newest normal impulse.

use std::collections::VecDeque;

use super::problem::LinearProblem;
use super::residual::natural_row;

/// The order of groups ([`LinearProblem::group`]) in a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Order {
    /// As they come.
    #[default]
    Forward,
    /// From the last to the first.
    Backward,
    /// Forward, then backward, as one sweep: no side is preferred.
    Symmetric,
    /// Shuffled anew for every sweep, the same way for the same seed.
    Random {
        /// Where chance begins.
        seed: u64,
    },
    /// Largest residual first, as it was when the sweep began. Not monotone.
    Greedy,
    /// Colour by colour; groups of one colour do not touch each other. Two colours, red and black, where two will do.
    Coloured,
    /// Largest impulse first, as it was when the sweep began.
    ByImpulse,
    /// Yours. Groups that are not listed are not visited.
    Given(Vec<u32>),
}

/// An order at work.
#[derive(Clone, Debug)]
pub(crate) struct Visits {
    order: Order,
    groups: Vec<u32>,
    keys: Vec<f64>,
    chance: u64,
}

impl Visits {
    pub(crate) fn new(problem: &LinearProblem, order: &Order) -> Self {
        let natural = 0..problem.groups() as u32;
        let groups = match order {
            Order::Backward => natural.rev().collect(),
            Order::Symmetric => natural.clone().chain(natural.rev()).collect(),
            Order::Coloured => by_colour(problem),
            Order::Given(groups) => {
                groups.iter().copied().filter(|&k| (k as usize) < problem.groups()).collect()
            }
            _ => natural.collect(),
        };
        let chance = if let Order::Random { seed } = order { *seed } else { 0 };
        Self { order: order.clone(), groups, keys: vec![0.0; problem.groups()], chance }
    }

    /// The groups of the next sweep, which begins at `x`.
    pub(crate) fn next(&mut self, problem: &LinearProblem, x: &[f64], u: &[f64]) -> &[u32] {
        match self.order {
            Order::Random { .. } => {
                for i in (1..self.groups.len()).rev() {
                    let j = (split_mix(&mut self.chance) % (i as u64 + 1)) as usize;
                    self.groups.swap(i, j);
                }
            }
            Order::Greedy => self.sort_by(problem, |i| natural_row(problem, i, x, u[i]).abs()),
            Order::ByImpulse => self.sort_by(problem, |i| x[i].abs()),
            _ => {}
        }
        &self.groups
    }

    fn sort_by(&mut self, problem: &LinearProblem, key: impl Fn(usize) -> f64) {
        for (k, value) in self.keys.iter_mut().enumerate() {
            *value = problem.group(k).iter().map(|&i| key(i as usize)).fold(0.0, f64::max);
        }
        let keys = &self.keys;
        self.groups.sort_unstable_by(|&a, &b| {
            keys[b as usize].total_cmp(&keys[a as usize]).then(a.cmp(&b))
        });
    }
}

/// The generator of [SLF14]: good enough to shuffle, and the same everywhere.
pub(crate) fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Groups sorted by the smallest colour that no neighbour has; visited breadth first, so that what can do with two
/// gets two.
fn by_colour(problem: &LinearProblem) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let groups = problem.groups();
    let mut group_of = vec![0_u32; problem.len()];
    for k in 0..groups {
        problem.group(k).iter().for_each(|&i| group_of[i as usize] = k as u32);
    }
    let transpose = problem.matrix().transpose_pattern();
    let mut colours = vec![NONE; groups];
    let mut taken = vec![NONE; groups + 1];
    let mut queued = vec![false; groups];
    let mut queue = VecDeque::new();
    for seed in 0..groups {
        if !queued[seed] {
            queued[seed] = true;
            queue.push_back(seed);
        }
        while let Some(k) = queue.pop_front() {
            for &i in problem.group(k) {
                problem.matrix().neighbours(&transpose, i as usize, |j| {
                    let other = group_of[j] as usize;
                    if colours[other] != NONE {
                        taken[colours[other] as usize] = k as u32;
                    } else if !queued[other] {
                        queued[other] = true;
                        queue.push_back(other);
                    }
                });
            }
            colours[k] =
                (0..).find(|&colour: &u32| taken[colour as usize] != k as u32).unwrap_or(0);
        }
    }
    let mut sorted: Vec<u32> = (0..groups as u32).collect();
    sorted.sort_by_key(|&k| colours[k as usize]);
    sorted
}

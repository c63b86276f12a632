//! In which order a sweep visits contacts.

use super::{ContactProblem, Delassus};

/// In which order a sweep visits contacts. All are deterministic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As numbered.
    #[default]
    Given,
    /// Backwards.
    Reverse,
    /// Forwards, then backwards, in turn.
    Symmetric,
    /// Shuffled before each sweep.
    Random {
        /// The same seed gives the same orders.
        seed: u64,
    },
    /// Contacts that were worst in the last sweep come first; no guarantee that this helps.
    Greedy,
    /// Contacts that carry most come first.
    ImpulseSorted,
    /// Contacts that do not act on each other are solved at once, in parallel; a sweep is not slower than the number
    /// of colours.
    Coloured,
}

/// The order of the next sweep, kept up to date.
pub(super) struct Orderer {
    order: Order,
    /// Contacts in the order of the sweep.
    pub(super) sequence: Vec<u32>,
    /// Where each colour ends in the sequence; empty unless coloured.
    pub(super) colour_ends: Vec<usize>,
    random: u64,
}

impl Orderer {
    pub(super) fn new<A: Delassus>(order: Order, problem: &ContactProblem<A>) -> Self {
        let mut sequence: Vec<u32> = (0..problem.contacts() as u32).collect();
        let mut colour_ends = Vec::new();
        let mut random = 0;
        match order {
            Order::Reverse => sequence.reverse(),
            Order::Random { seed } => random = seed,
            Order::Coloured => (sequence, colour_ends) = colours(problem.operator()),
            _ => {}
        }
        Self { order, sequence, colour_ends, random }
    }

    /// Prepares sweep `k`, counted from zero, with the impulses and residuals of the last.
    pub(super) fn prepare(&mut self, k: usize, r: &[f64], residuals: &[f64]) {
        match self.order {
            Order::Given | Order::Reverse | Order::Coloured => {}
            Order::Symmetric if k == 0 => {}
            Order::Symmetric => self.sequence.reverse(),
            Order::Random { .. } => shuffle(&mut self.sequence, &mut self.random),
            Order::Greedy => sort_descending(&mut self.sequence, |i| residuals[i]),
            Order::ImpulseSorted => sort_descending(&mut self.sequence, |i| r[3 * i]),
        }
    }

    /// Whether `prepare` wants the residual of each contact.
    pub(super) fn needs_residuals(&self) -> bool {
        self.order == Order::Greedy
    }
}

fn sort_descending(sequence: &mut [u32], key: impl Fn(usize) -> f64) {
    sequence.sort_by(|&a, &b| key(b as usize).total_cmp(&key(a as usize)).then(a.cmp(&b)));
}

/// Fisher–Yates with SplitMix64.
fn shuffle(sequence: &mut [u32], state: &mut u64) {
    for k in (1..sequence.len()).rev() {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        sequence.swap(k, (z % (k as u64 + 1)) as usize);
    }
}

/// Contacts by colour, and where each colour ends: first fit, in the order of contacts.
fn colours<A: Delassus>(operator: &A) -> (Vec<u32>, Vec<usize>) {
    let size = operator.contacts();
    let mut colour = vec![u32::MAX; size];
    let mut taken: Vec<usize> = Vec::new(); // by colour: the last contact that found it taken, plus one
    for i in 0..size {
        operator.for_neighbours(i, &mut |j| {
            if j != i && colour[j] != u32::MAX {
                taken[colour[j] as usize] = i + 1;
            }
        });
        let free = taken.iter().position(|&by| by != i + 1).unwrap_or(taken.len());
        if free == taken.len() {
            taken.push(0);
        }
        colour[i] = free as u32;
    }
    let mut sequence: Vec<u32> = (0..size as u32).collect();
    sequence.sort_by_key(|&i| (colour[i as usize], i));
    let ends = (0..taken.len() as u32)
        .map(|c| sequence.partition_point(|&i| colour[i as usize] <= c))
        .collect();
    (sequence, ends)
}

//! Bodies that have come to rest sleep: they stay where they are at hardly any cost, until something happens to them.
//!
//! Rigid bodies that act on each other by contacts or joints form an island. It falls asleep when none of its bodies
//! has been faster than a limit for some time. It wakes as a whole when a body that is awake, or an obstacle that
//! moves, comes near one of its bodies; or, a step late, when other forces act on one of them. What held it is
//! remembered: forces are reported as they were, and are where the solver starts when it wakes.
//!
//! Sleeping bodies are not moved apart, and do not creep. Islands with bodies that deform do not sleep.

use super::inverse_mass::InverseMass;
use super::touch::Touch;
use super::{Impulse, Remembered};
use crate::assembly::point;
use crate::contact::candidate::End;
use crate::contact::detect::body::{ContactBody, Kind};
use crate::contact::detect::place::Place;
use crate::math::Vector3;
use crate::model::Model;
use crate::step::Trajectory;
use crate::union_find::UnionFind;

/// When bodies sleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleep {
    /// No point of a body that falls asleep is faster than this [m/s].
    pub velocity: f64,
    /// For this long [s].
    pub time: f64,
}

impl Default for Sleep {
    fn default() -> Self {
        Self { velocity: 5e-3, time: 0.5 }
    }
}

/// A contact between bodies that sleep, or one of them and what does not move.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) touch: Touch,
    /// [N·s] in a step.
    pub(super) push: Vector3,
    /// [N·m·s].
    pub(super) turning: Vector3,
    /// How far it slid before [m].
    pub(super) distance: f64,
}

/// What a body would do if nothing held it: accelerations of its centre [m/s²] and about its axes [rad/s²].
type Pull = [Vector3; 2];

/// A body, awake or not.
#[derive(Clone, Copy, Debug, Default)]
struct Sleeper {
    /// How long it has been calm [s].
    calm: f64,
    /// The lowest body of its island, if it sleeps.
    island: Option<u32>,
    /// As it was in the last step before it fell asleep, or in the last one.
    pull: Pull,
}

/// Who sleeps.
#[derive(Debug)]
pub(super) struct Sleepers {
    when: Option<Sleep>,
    bodies: Vec<Sleeper>,
    /// Contacts of those that sleep, ascending by key.
    held: Vec<Held>,
    /// Contacts of those that have just woken.
    woken: Vec<Held>,
    /// Whether contacts of those that sleep are known; not after a state was restored.
    known: bool,
}

impl Sleepers {
    /// Whether anybody may sleep.
    pub(super) fn are_meant(&self) -> bool {
        self.when.is_some()
    }

    pub(super) fn new(when: Option<Sleep>, bodies: usize) -> Self {
        let bodies = vec![Sleeper::default(); if when.is_some() { bodies } else { 0 }];
        Self { when, bodies, held: Vec::new(), woken: Vec::new(), known: true }
    }

    fn sleeps(&self, body: u32) -> bool {
        self.bodies.get(body as usize).is_some_and(|body| body.island.is_some())
    }

    /// Whether a pair need not be looked at: one of the two sleeps, and the other sleeps too or does not move.
    pub(super) fn ignores(&self, pair: [u32; 2], bodies: &[ContactBody], places: &[Place]) -> bool {
        let still = |k: u32| {
            let (body, place) = (&bodies[k as usize], &places[k as usize]);
            self.sleeps(k) || matches!(body.kind, Kind::Obstacle(_)) && place.travel <= 0.0
        };
        pair.iter().any(|&k| self.sleeps(k)) && pair.iter().all(|&k| still(k))
    }

    /// Wakes islands that something touches; says whether there were any.
    pub(super) fn wake_touched(&mut self, touches: &[Touch]) -> bool {
        if self.bodies.is_empty() {
            return false;
        }
        let touched: Vec<u32> =
            touches.iter().flat_map(|touch| touch.at.bodies).filter(|&k| self.sleeps(k)).collect();
        touched.iter().for_each(|&body| self.wake(body));
        !touched.is_empty()
    }

    fn wake(&mut self, body: u32) {
        let Some(island) = self.bodies[body as usize].island else { return };
        let woken: Vec<bool> = self.bodies.iter().map(|body| body.island == Some(island)).collect();
        for (body, woken) in self.bodies.iter_mut().zip(&woken) {
            if *woken {
                (body.island, body.calm) = (None, 0.0);
            }
        }
        let of_it = |held: &mut Held| held.touch.at.bodies.iter().any(|&k| woken[k as usize]);
        self.woken.extend(self.held.extract_if(.., of_it));
    }

    /// Wakes all.
    pub(super) fn wake_all(&mut self) {
        (0..self.bodies.len() as u32).for_each(|body| self.wake(body));
    }

    /// Whether a contact is one of those that sleep.
    pub(super) fn hold(&self, touch: &Touch) -> bool {
        self.held.binary_search_by_key(&touch.at.key, |held| held.touch.at.key).is_ok()
    }

    /// Contacts of those that sleep.
    pub(super) fn held(&self) -> &[Held] {
        &self.held
    }

    /// What is remembered of contacts of those that sleep, or did until now.
    pub(super) fn remember(&mut self, memory: &mut Vec<Remembered>) {
        if self.held.is_empty() && self.woken.is_empty() {
            return;
        }
        let woken = std::mem::take(&mut self.woken);
        memory.extend(self.held.iter().chain(&woken).map(|held| Remembered {
            key: held.touch.at.key,
            push: held.push,
            in_world: held.touch.at.frame * held.push,
            turning: held.turning,
            slid: false,
            distance: held.distance,
            against: held.touch.against,
        }));
        memory.sort_by_key(|known| known.key);
        memory.dedup_by_key(|known| known.key);
    }

    /// Appends what a restored run needs: three numbers and a pull for each body.
    pub(super) fn encode(&self, out: &mut Vec<f64>) {
        for body in &self.bodies {
            out.extend([body.calm, body.island.map_or(-1.0, f64::from)]);
            out.extend(body.pull.iter().flat_map(|pull| pull.iter().copied()));
        }
    }

    /// Restores [`Self::encode`]; nothing if it is something else.
    pub(super) fn decode(&mut self, numbers: &[f64]) -> Option<()> {
        if numbers.len() != 8 * self.bodies.len() {
            return None;
        }
        for (body, numbers) in self.bodies.iter_mut().zip(numbers.chunks_exact(8)) {
            *body = Sleeper {
                calm: numbers[0],
                island: (numbers[1] >= 0.0).then_some(numbers[1] as u32),
                pull: [
                    Vector3::from_column_slice(&numbers[2..5]),
                    Vector3::from_column_slice(&numbers[5..8]),
                ],
            };
        }
        self.held.clear();
        self.woken.clear();
        self.known = false;
        Some(())
    }
}

impl Impulse {
    /// Finds contacts of bodies that sleep again, after a state was restored; `find` searches a pair.
    pub(super) fn recall_held(
        &mut self,
        places: &[Place],
        (model, t, q, v): (&Model, f64, &[f64], &[f64]),
        find: impl Fn(&Self, [u32; 2]) -> Vec<Touch>,
    ) {
        if std::mem::replace(&mut self.sleepers.known, true) {
            return;
        }
        let pairs = self.detection.kept.pairs.iter().copied();
        let slept =
            pairs.filter(|pair| self.sleepers.ignores(*pair, &self.detection.bodies, places));
        let touches: Vec<Touch> = slept.flat_map(|pair| find(self, pair)).collect();
        let touches = self.take_hold(touches, model, t, q, v);
        let held = touches.into_iter().filter_map(|touch| {
            let known = self.remembered(&touch.at.key).filter(|known| known.push.x > 0.0)?;
            let Remembered { push, turning, distance, .. } = *known;
            Some(Held { push, turning, distance, touch })
        });
        self.sleepers.held = held.collect();
        self.sleepers.held.sort_by_key(|held| held.touch.at.key);
    }

    /// Keeps sleeping bodies where they are: `x` are velocities of free rows at the end of a step of length `h`,
    /// `free` those without impulses, `start` those of its start. What is pulled otherwise than when it fell asleep
    /// wakes after the step.
    pub(super) fn hold_still(
        &mut self,
        model: &Model,
        h: f64,
        [start, free]: [&[f64]; 2],
        x: &mut [f64],
    ) {
        let Some(Sleep { velocity, .. }) = self.sleepers.when else { return };
        let mut disturbed = Vec::new();
        for (k, body) in self.detection.bodies.iter().enumerate() {
            let Kind::Rigid(number) = body.kind else { continue };
            let rows = model.rigid_rows(number);
            let gain = |row: Option<usize>| {
                row.map_or_else(Vector3::zeros, |row| (point(free, row) - point(start, row)) / h)
            };
            let (pull, reach) = (rows.map(gain), model.rigid_reach(number));
            let sleeper = &mut self.sleepers.bodies[k];
            if sleeper.island.is_none() {
                sleeper.pull = pull;
                continue;
            }
            let [along, about] = [0, 1].map(|i| (pull[i] - sleeper.pull[i]).norm());
            if (along + about * reach) * h > 0.1 * velocity {
                disturbed.push(k as u32);
            }
            for row in rows.into_iter().flatten() {
                x[3 * row..][..3].fill(0.0);
            }
        }
        disturbed.iter().for_each(|&body| self.sleepers.wake(body));
    }

    /// After a step of length `h`: who has been calm for long enough falls asleep.
    pub(super) fn fall_asleep(
        &mut self,
        model: &Model,
        answer: Option<&InverseMass>,
        h: f64,
        state: &mut Trajectory,
    ) {
        let Some(Sleep { velocity, time }) = self.sleepers.when else { return };
        for (body, sleeper) in self.detection.bodies.iter().zip(&mut self.sleepers.bodies) {
            if let (Kind::Rigid(number), None) = (&body.kind, sleeper.island) {
                let calm = model.rigid_speed(*number, &state.v) <= velocity;
                sleeper.calm = if calm { sleeper.calm + h } else { 0.0 };
            }
        }
        // Half a step of grace: times add up with rounding.
        let ready = |k: usize| {
            let sleeper = &self.sleepers.bodies[k];
            sleeper.island.is_none() && sleeper.calm >= time - 0.5 * h
        };
        if !(0..self.detection.bodies.len()).any(ready) {
            return;
        }
        let (islands, soft) = self.body_islands(model, answer);
        let mut fit: Vec<bool> = vec![false; self.detection.bodies.len()];
        let pushing = || self.touches.iter().zip(&self.impulses).filter(|(_, r)| r.x > 0.0);
        for (touch, _) in pushing() {
            for &body in &touch.at.bodies {
                fit[islands[body as usize] as usize] = true;
            }
        }
        for (k, body) in self.detection.bodies.iter().enumerate() {
            let may = matches!(body.kind, Kind::Obstacle(_)) || ready(k);
            fit[islands[k] as usize] &= may && !soft[k];
        }
        for touch in &self.touches {
            let moved = touch.at.ends.iter().any(|end| match end {
                End::Moved(velocity, spin) => velocity.norm() > 0.0 || spin.norm() > 0.0,
                End::Nodes(..) => true,
                End::Rigid(_) => false,
            });
            if moved {
                touch.at.bodies.iter().for_each(|&k| fit[islands[k as usize] as usize] = false);
            }
        }
        let sleeps = |k: u32| fit[islands[k as usize] as usize];
        let is_rigid = |k: u32| matches!(self.detection.bodies[k as usize].kind, Kind::Rigid(_));
        let mut held = Vec::new();
        // Not by number: a step that stopped short has contacts, but perhaps no impulses.
        let found = self.touches.iter().zip(&self.impulses).zip(&self.turnings);
        for ((touch, &push), &turning) in found {
            if push.x > 0.0 && touch.at.bodies.iter().any(|&k| sleeps(k) && is_rigid(k)) {
                let touch = touch.clone();
                let distance = self.distance(&touch.at.key);
                held.push(Held { touch, push, turning, distance });
            }
        }
        for k in 0..self.detection.bodies.len() as u32 {
            let Kind::Rigid(number) = self.detection.bodies[k as usize].kind else { continue };
            if sleeps(k) {
                self.sleepers.bodies[k as usize].island = Some(islands[k as usize]);
                for node in model.rigid_nodes(number) {
                    state.v[3 * node as usize..][..3].fill(0.0);
                }
            }
        }
        self.sleepers.held.extend(held);
        self.sleepers.held.sort_by_key(|held| held.touch.at.key);
    }

    /// Of each body, the lowest of those it acts on by contacts or joints, what does not move being an island of its
    /// own; and whether a joint ties it to something that deforms.
    fn body_islands(&self, model: &Model, answer: Option<&InverseMass>) -> (Vec<u32>, Vec<bool>) {
        let mut soft = vec![false; self.detection.bodies.len()];
        let mut sets = UnionFind::new(self.detection.bodies.len());
        let moves = |k: u32| !matches!(self.detection.bodies[k as usize].kind, Kind::Obstacle(_));
        for touch in self.touches.iter().filter(|touch| touch.at.bodies.iter().all(|&k| moves(k))) {
            sets.unite(touch.at.bodies[0], touch.at.bodies[1]);
        }
        if let Some(groups) = answer.and_then(InverseMass::ties) {
            let rigid = || {
                self.detection.bodies.iter().enumerate().flat_map(|(k, body)| match body.kind {
                    Kind::Rigid(number) => model.rigid_rows(number).map(|row| Some((k, row?))),
                    _ => [None, None],
                })
            };
            let mut deforms = vec![true; groups.len()];
            rigid().flatten().for_each(|(_, row)| deforms[row] = false);
            // Of each group of rows, a body in it, and whether anything in it deforms.
            let mut first: Vec<Option<u32>> = vec![None; groups.len()];
            let mut mixed = vec![false; groups.len()];
            for (row, &group) in groups.iter().enumerate() {
                mixed[group as usize] |= deforms[row];
            }
            for (k, row) in rigid().flatten() {
                let group = groups[row] as usize;
                sets.unite(*first[group].get_or_insert(k as u32), k as u32);
                soft[k] |= mixed[group];
            }
        }
        ((0..self.detection.bodies.len() as u32).map(|k| sets.root(k)).collect(), soft)
    }
}

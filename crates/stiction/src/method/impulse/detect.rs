//! Contacts of a step: what [detection](crate::contact::detect) finds, of bodies that are awake, and friction at it.

use rayon::prelude::*;

use super::Impulse;
use super::touch::Touch;
use crate::contact::candidate::Candidate;
use crate::contact::detect::Start;
use crate::contact::detect::kept::KeptPairs;
use crate::contact::friction::ContactAt;
use crate::geometry::manifold::Kept;
use crate::model::Model;

/// Pairs that a thread searches at once.
const PAIRS_TOGETHER: usize = 64;
/// Contacts that a thread lets friction act at.
pub(super) const TOUCHES_TOGETHER: usize = 256;

impl Impulse {
    /// Contacts of a step of length `h` from `(q, v)` at time `t`, ascending by key.
    pub(super) fn detect(
        &mut self,
        model: &Model,
        (t, h): (f64, f64),
        q: &[f64],
        v: &[f64],
    ) -> Vec<Touch> {
        let start = self.detection.begin(model, (t, h), q, v);
        self.recall_held(&start.places, (model, t, q, v), |this, pair| {
            let (mut found, mut touches) = (Vec::new(), Vec::new());
            this.search(pair, &start, &mut Kept::default(), &mut found, &mut touches);
            touches
        });
        loop {
            let mut touches = self.search_all(&start);
            self.search_itself(&start, v, &mut touches);
            if !self.sleepers.wake_touched(&touches) {
                break touches;
            }
        }
    }

    /// Contacts of all pairs that are near each other and not asleep.
    fn search_all(&mut self, start: &Start) -> Vec<Touch> {
        let mut kept = std::mem::take(&mut self.detection.kept);
        let search = |(pairs, manifolds): (&[[u32; 2]], &mut [Kept])| {
            let (mut found, mut touches) = (Vec::new(), Vec::new());
            for (pair, kept) in pairs.iter().zip(manifolds) {
                if !self.sleepers.ignores(*pair, &self.detection.bodies, &start.places) {
                    self.search(*pair, start, kept, &mut found, &mut touches);
                }
            }
            touches
        };
        let KeptPairs { pairs, manifolds } = &mut kept;
        let mut touches = if pairs.len() <= PAIRS_TOGETHER {
            search((pairs, manifolds))
        } else {
            let together = pairs.par_chunks(PAIRS_TOGETHER);
            let together = together.zip(manifolds.par_chunks_mut(PAIRS_TOGETHER));
            let parts: Vec<Vec<Touch>> = together.map(search).collect();
            let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
            parts.into_iter().for_each(|mut part| all.append(&mut part));
            all
        };
        self.detection.kept = kept;
        // Pairs ascend, but where vertices of the second body touch the first, that one comes first.
        if !touches.is_sorted_by_key(|touch| touch.at.key) {
            touches.sort_by_key(|touch| touch.at.key);
        }
        touches
    }

    /// Appends the contacts of a pair of bodies, ascending by key; `found` is room for them.
    fn search(
        &self,
        pair: [u32; 2],
        start: &Start,
        kept: &mut Kept,
        found: &mut Vec<Candidate>,
        touches: &mut Vec<Touch>,
    ) {
        self.detection.search(pair, start, kept, found);
        self.touch(found, touches);
    }

    /// Adds the contacts of bodies with themselves to those with others.
    fn search_itself(&self, start: &Start, v: &[f64], touches: &mut Vec<Touch>) {
        let near = |body: u32| touches.iter().any(|touch| touch.at.bodies.contains(&body));
        let mut found = Vec::new();
        self.detection.search_itself(start, v, near, &mut found);
        if !found.is_empty() {
            self.touch(&mut found, touches);
            touches.sort_by_key(|touch| touch.at.key);
        }
    }

    /// Moves what was found to contacts of the step.
    fn touch(&self, found: &mut Vec<Candidate>, touches: &mut Vec<Touch>) {
        let slack = self.settings.stabilisation.slack();
        let of = |at: Candidate| {
            let rule = self.detection.rules.of(at.bodies);
            Touch::new(at, rule, slack)
        };
        touches.extend(found.drain(..).map(of));
    }
}

impl Impulse {
    /// Lets friction act at contacts of a step that begins at time `t` with `(q, v)`. Apart from finding them: contacts
    /// are found before it is remembered which of them slid.
    pub(super) fn take_hold(
        &self,
        mut touches: Vec<Touch>,
        model: &Model,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Vec<Touch> {
        let hold = |touch: &mut Touch| {
            let surface = |side: usize| {
                let body = &self.detection.bodies[touch.at.bodies[side] as usize];
                body.skin_at(&touch.at.ends[side], touch.at.point, model, t, q)
            };
            let normal = touch.normal();
            let [a, b] = [0, 1].map(|side| touch.at.velocity(side, model, q, v));
            let known = self.remembered(&touch.at.key);
            let contact = ContactAt {
                normal,
                slip: (a - b) - normal * normal.dot(&(a - b)),
                against: known.map_or([false; 2], |known| known.against),
                // Frozen during a step: a coefficient that fell as soon as something slides would have no solution.
                sticking: !known.is_some_and(|known| known.slid),
                surfaces: [surface(0), surface(1)],
            };
            let contact = contact.slipped(self.noise());
            touch.against = contact.against;
            touch.grips(self.detection.rules.of(touch.at.bodies).friction.grip(&contact));
        };
        if touches.len() <= TOUCHES_TOGETHER {
            touches.iter_mut().for_each(hold);
        } else {
            touches.par_iter_mut().with_min_len(TOUCHES_TOGETHER).for_each(hold);
        }
        touches
    }
}

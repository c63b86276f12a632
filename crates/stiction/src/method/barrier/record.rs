//! What barriers tell: contacts, and a step in numbers.

use super::friction::Held;
use super::memory::{Key, Memory, recall};
use super::{Barrier, View};
use crate::body::BodyId;
use crate::contact::friction::Grip;
use crate::contact::{Contact, ContactKind, ContactReport, FrictionError};
use crate::math::Vector3;
use crate::math::any_across;

/// A contact that pushes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pushing {
    pub(super) key: Key,
    pub(super) kind: ContactKind,
    pub(super) bodies: [u32; 2],
    /// [m].
    pub(super) gap: f64,
    /// Along the normal [N].
    pub(super) force: f64,
}

impl Barrier {
    /// A stage has ended with what is seen now: notes what contacts remember and tell.
    pub(super) fn end_stage(&mut self) {
        let time = self.now.time - self.start_time;
        let mut report = ContactReport::default();
        let (mut ended, mut kinds) = (Vec::new(), Vec::new());
        for (fresh, pushing) in self.each_felt(&self.now) {
            let same = |held: &&Held| {
                held.coefficients.map(|c| c > 0.0) == fresh.coefficients.map(|c| c > 0.0)
            };
            let at = self.held.binary_search_by_key(&fresh.key, |held| held.key);
            let held = at.ok().map(|at| &self.held[at]).filter(same).unwrap_or(&fresh);
            let slip = held.slip(|v| self.moved(v));
            let rubs = held.limit > 0.0;
            let traction = if rubs { held.traction(slip) } else { Vector3::zeros() };
            let sliding = !rubs || held.slides(slip);
            let before = recall(&self.memory, pushing.key).map_or(0.0, |memory| memory.slid);
            let slid = before + if sliding { slip.norm() } else { 0.0 };
            let slip_velocity = if time > 0.0 { slip / time } else { Vector3::zeros() };
            let friction = &self.mesh.rules.of(pushing.bodies).friction;
            let coefficient = if sliding { friction.coefficient } else { friction.stick() };
            let grip = Grip::isotropic(any_across(fresh.normal), coefficient);
            let error =
                FrictionError::of(&grip, fresh.normal, pushing.force, -traction, slip_velocity);
            report.friction = report.friction.or(error);
            report.sliding += usize::from(sliding);
            report.smallest_gap = report.smallest_gap.min(pushing.gap);
            kinds.push(pushing.kind);
            let (key, normal) = (pushing.key, fresh.normal);
            ended.push(Memory { key, normal, traction, slip_velocity, slid, sliding });
        }
        report.touching = kinds.len();
        report.kinds = kinds.into_iter().collect();
        ended.sort_unstable_by_key(|memory| memory.key);
        (self.ended, self.report) = (ended, report);
    }

    /// Contacts that push with nodes at `q`, at the end of the last step.
    pub(super) fn records(&self, q: &[f64]) -> Vec<Contact> {
        let view = View::new(self.filter(), q, self.now.time);
        let felt = self.each_felt(&view);
        felt.iter().map(|(held, pushing)| self.record(&view, held, pushing)).collect()
    }

    fn record(&self, view: &View, held: &Held, pushing: &Pushing) -> Contact {
        let known = recall(&self.memory, pushing.key);
        let traction = known.map_or_else(Vector3::zeros, |memory| memory.traction);
        let force = held.normal * pushing.force - traction;
        let vertex = |v: u32| &self.mesh.vertices[v as usize];
        // The vertex that weighs most on either side.
        let heaviest = |sign: f64| {
            let each = held.vertices.iter().zip(&held.coefficients);
            let side = each.filter(|(_, c)| sign * **c > 0.0);
            side.max_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1))).map(|(&v, _)| v)
        };
        let place = |sign: f64| -> Vector3 {
            let each = held.vertices.iter().zip(&held.coefficients);
            let side = each.filter(|(_, c)| sign * **c > 0.0);
            side.map(|(&v, c)| view.x[v as usize] * (sign * c)).sum()
        };
        let mut sides = [heaviest(1.0), heaviest(-1.0)];
        let (mut bodies, mut sign) = (pushing.bodies, 1.0);
        // Forces are told of what feels them: an obstacle is the second.
        if sides[0].is_none_or(|v| vertex(v).node().is_none()) {
            sides.swap(0, 1);
            bodies.swap(0, 1);
            sign = -1.0;
        }
        let soft = |v: Option<u32>| v.map(vertex).filter(|vertex| vertex.node().is_some());
        let each = held.vertices.iter().zip(&held.coefficients).filter(|(_, c)| **c != 0.0);
        let mut forces: Vec<(u32, Vector3)> =
            each.filter_map(|(&v, &c)| Some((vertex(v).node()?, force * c))).collect();
        let first = soft(sides[0]).and_then(|vertex| vertex.node());
        forces.sort_by_key(|(node, _)| Some(*node) != first);
        let friction = &self.mesh.rules.of(pushing.bodies).friction;
        Contact {
            collider: BodyId(bodies[0]),
            vertex: soft(sides[0]).map_or(0, |vertex| vertex.number),
            surface: BodyId(bodies[1]),
            surface_vertex: soft(sides[1]).map(|vertex| vertex.number),
            point: place(sign),
            gap: pushing.gap,
            normal: held.normal * sign,
            normal_force: pushing.force,
            friction: traction * -sign,
            slip_velocity: known.map_or_else(Vector3::zeros, |m| m.slip_velocity * sign),
            slid: known.map_or(0.0, |memory| memory.slid),
            sliding: known.is_some_and(|memory| memory.sliding),
            coefficient: friction.coefficient,
            forces,
        }
    }
}

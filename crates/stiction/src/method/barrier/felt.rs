//! Contacts that push, with the friction that they have.

use super::friction::{Following, Held, Site};
use super::memory::recall;
use super::near::OnPlane;
use super::record::Pushing;
use super::view::View;
use super::{Barrier, potential};
use crate::contact::ContactKind;

impl Barrier {
    /// Whether any contact has friction.
    pub(super) fn rubs(&self) -> bool {
        !self.held.is_empty() || self.each_felt(&self.now).iter().any(|(held, _)| held.limit > 0.0)
    }

    /// Whether anything within reach has friction.
    pub(super) fn may_rub(&self) -> bool {
        let rubs = |bodies: [u32; 2]| {
            let friction = &self.mesh.rules.of(bodies).friction;
            friction.coefficient.max(friction.stick()) > 0.0
        };
        let body = |v: u32| self.mesh.vertices[v as usize].body;
        let near = &self.now.near;
        let pairs = near.pairs.iter().map(|pair| [pair.vertices[0], pair.vertices[3]].map(body));
        let plane = |at: &OnPlane| self.mesh.planes[at.plane as usize].body;
        let planes = near.on_planes.iter().map(|at| [body(at.vertex), plane(at)]);
        pairs.chain(planes).any(rubs)
    }

    /// Takes normal forces, directions and weights of friction from where everything is.
    pub(super) fn freeze_friction(&mut self) {
        let felt = self.each_felt(&self.now);
        self.held = felt.into_iter().map(|(held, _)| held).filter(|h| h.limit > 0.0).collect();
    }

    /// All contacts that push, with what friction would be there: pairs first, by name.
    pub(super) fn each_felt(&self, view: &View) -> Vec<(Held, Pushing)> {
        let mut all = Vec::new();
        let mut add = |held: Held, pushing: Pushing| {
            let friction = &self.mesh.rules.of(pushing.bodies).friction;
            let known = recall(&self.memory, pushing.key);
            let sliding = known.is_some_and(|memory| memory.sliding);
            let coefficient = if sliding { friction.coefficient } else { friction.stick() };
            let before = known.map(|memory| [memory.normal, memory.traction]);
            let held = Held { key: pushing.key, gap: pushing.gap, coefficient, before, ..held };
            all.push((held.under(pushing.force), pushing));
        };
        let body = |v: u32| self.mesh.vertices[v as usize].body;
        for pair in &view.near.pairs {
            let Some(felt) = pair.feel(&view.corners(pair)) else { continue };
            let (vertices, coefficients) = (pair.vertices, felt.coefficients);
            let normal = felt.normal;
            let held = Held { vertices, coefficients, normal, ..Held::at(Site::Features(*pair)) };
            let bodies = [body(vertices[0]), body(vertices[3])];
            let (key, kind) = (pair.key(), pair.kind.named());
            let (gap, force) = (felt.gap, felt.force);
            add(held, Pushing { key, kind, bodies, gap, force });
        }
        let (now, before) = (self.mesh.poses(view.time), self.mesh.poses(self.start_time));
        for at in &view.near.on_planes {
            let (gap, d_hat) = (view.plane_gap(at), at.layer.d_hat);
            if gap >= d_hat {
                continue;
            }
            let plane = self.mesh.planes[at.plane as usize].body;
            let x = view.x[at.vertex as usize];
            let (pose, old) = (&now[plane as usize], &before[plane as usize]);
            let carried = x - old.to_world(pose.to_local(x));
            let (normal, _) = view.planes[at.plane as usize];
            let (vertices, coefficients) = ([at.vertex; 4], [1.0, 0.0, 0.0, 0.0]);
            let site = Site::Plane { layer: at.layer, turned: old.axes * pose.axes.transpose() };
            let held = Held { vertices, coefficients, normal, carried, ..Held::at(site) };
            let force = -at.layer.kappa * potential::slope(gap, d_hat);
            let (key, bodies) = (at.key(), [body(at.vertex), plane]);
            let kind = ContactKind::PointSurface;
            add(held, Pushing { key, kind, bodies, gap, force });
        }
        all
    }

    /// How friction changes with its normal force and all else.
    pub(super) fn following(&self, held: &Held) -> Following {
        let x = held.vertices.map(|v| self.now.x[v as usize]);
        held.follow(&x, &held.vertices.map(|v| self.moved(v)))
    }
}

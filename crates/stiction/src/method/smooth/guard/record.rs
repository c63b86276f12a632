//! What the guard tells of where it pushes.

use super::Guard;
use crate::body::BodyId;
use crate::contact::{Contact, ContactKind};
use crate::math::Vector3;

impl Guard {
    /// Kinds and gaps of pairs that push, where vertices are.
    pub(crate) fn pushing(&self) -> impl Iterator<Item = (ContactKind, f64)> {
        let pairs = self.near.pairs.iter().filter(|_| self.active);
        pairs.filter_map(|pair| Some((pair.kind.named(), pair.feel(&self.corners(pair))?.gap)))
    }

    /// Pairs that push with nodes at `q`: without friction, which layers have.
    pub(crate) fn contacts(&self, q: &[f64]) -> Vec<Contact> {
        if !self.active {
            return Vec::new();
        }
        let x = self.positions(q);
        let mut contacts = Vec::new();
        for pair in &self.find(&x).pairs {
            let corners = pair.vertices.map(|v| x[v as usize]);
            let (Some(felt), Some(slopes)) = (pair.feel(&corners), pair.gradient(&corners)) else {
                continue;
            };
            // The vertex that weighs most on either side.
            let heaviest = |sign: f64| {
                let weight = |k: &usize| sign * felt.coefficients[*k];
                let most = (0..4).max_by(|a, b| weight(a).total_cmp(&weight(b))).unwrap_or(0);
                &self.vertices[pair.vertices[most] as usize]
            };
            let place = corners.iter().zip(felt.coefficients).filter(|(_, c)| *c > 0.0);
            let [one, other] = [heaviest(1.0), heaviest(-1.0)];
            let nodes = pair.vertices.map(|v| self.vertices[v as usize].node);
            contacts.push(Contact {
                collider: BodyId(one.body),
                vertex: one.number,
                surface: BodyId(other.body),
                surface_vertex: Some(other.number),
                point: place.map(|(x, c)| x * c).sum(),
                gap: felt.gap,
                normal: felt.normal,
                normal_force: felt.force,
                friction: Vector3::zeros(),
                slip_velocity: Vector3::zeros(),
                slid: 0.0,
                sliding: false,
                coefficient: 0.0,
                forces: nodes.into_iter().zip(slopes.map(|slope| -slope)).collect(),
            });
        }
        contacts
    }
}

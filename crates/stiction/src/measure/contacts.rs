//! What bodies feel of each other: sums and extremes over contacts.
//!
//! Contacts are those that push at the end of the last step; before the first step there are none. Forces are those on
//! the body that is named, whichever side of a contact it is.

use super::prepared::Part;
use super::{Quantity, Reduction};
use crate::Simulation;
use crate::body::BodyId;
use crate::contact::Contact;
use crate::math::Vector3;

/// A quantity of the contacts of a body.
#[derive(Clone, Debug)]
pub(super) struct OfContacts {
    pub(super) quantity: Quantity,
    pub(super) body: BodyId,
    /// Only with this one.
    pub(super) against: Option<BodyId>,
    /// Only of these vertices of the body, ascending.
    pub(super) vertices: Option<Vec<u32>>,
    pub(super) part: Part,
    pub(super) reduction: Reduction,
}

impl OfContacts {
    /// The value now. Where nothing touches, gaps are infinite and all else is zero.
    pub(super) fn measure(&self, simulation: &Simulation) -> f64 {
        let mut contacts = simulation.contacts();
        contacts.retain(|contact| self.counts(contact));
        let sum = |of: &dyn Fn(&Contact) -> Vector3| -> f64 {
            let on_body = |contact: &Contact| of(contact) * self.sign_of_force(contact);
            self.part.of(&contacts.iter().map(on_body).sum())
        };
        let reduced = |nothing: f64, of: &(dyn Fn(&Contact) -> f64 + Sync)| match contacts.len() {
            0 => nothing,
            count => self.reduction.of(count, |k| (of(&contacts[k]), 1.0)),
        };
        match self.quantity {
            Quantity::ContactForce => sum(&|c| c.normal * c.normal_force + c.friction),
            Quantity::FrictionForce => sum(&|c| c.friction),
            Quantity::NormalForce => reduced(0.0, &|c| c.normal_force),
            Quantity::Slip => reduced(0.0, &|c| c.slid),
            Quantity::SlipVelocity => {
                reduced(0.0, &|c| self.part.of(&(c.slip_velocity * self.sign(c))))
            }
            Quantity::Gap => reduced(f64::INFINITY, &|c| c.gap),
            Quantity::SlidingCount => contacts.iter().filter(|c| c.sliding).count() as f64,
            _ => contacts.len() as f64,
        }
    }

    fn counts(&self, contact: &Contact) -> bool {
        let own = contact.collider == self.body;
        let other = if own { contact.surface } else { contact.collider };
        let selected = |vertices: &Vec<u32>| own && vertices.binary_search(&contact.vertex).is_ok();
        (own || contact.surface == self.body)
            && self.against.is_none_or(|against| against == other)
            && self.vertices.as_ref().is_none_or(selected)
    }

    /// Nothing that a body does to itself moves all of it; of some of its vertices, forces on the points are meant.
    fn sign_of_force(&self, contact: &Contact) -> f64 {
        let inner = contact.collider == contact.surface && self.vertices.is_none();
        if inner { 0.0 } else { self.sign(contact) }
    }

    /// Forces and velocities of contacts are those of the points.
    fn sign(&self, contact: &Contact) -> f64 {
        if contact.collider == self.body { 1.0 } else { -1.0 }
    }
}

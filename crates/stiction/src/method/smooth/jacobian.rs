//! The Jacobian of a stage with contacts.

use super::Smooth;
use super::set::Derivative;
use crate::element::Projection;
use crate::model::{Clique, Model, Phase, Places, Weights};

/// Which Jacobian is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) weights: Weights,
    pub(super) projection: Projection,
    /// A multiple of the mass, relative to the stiffest node.
    pub(super) shift: f64,
    /// Whether to make another one in which friction does not follow normal forces, which is nearly symmetric.
    pub(super) near: bool,
}

impl Smooth {
    /// Fills the Jacobian of the model, contacts included; prescribed coordinates become identities.
    pub(super) fn fill_jacobian(
        &mut self,
        model: &mut Model,
        q: &[f64],
        v: &[f64],
        wanted: Wanted,
    ) {
        let Wanted { weights, projection, shift, near } = wanted;
        // Statics know no contacts.
        let touches = weights.contact != 0.0;
        if touches && self.contact.couple_more() {
            self.fit_contacts(model);
        }
        model.fill_jacobian(q, weights, projection);
        let Self { contact, uncoupled, .. } = self;
        let Model { jacobian, rows, rigid, meter, .. } = &mut *model;
        meter.time(Phase::Assembly, || {
            *uncoupled = near.then(|| jacobian.copied_into(uncoupled.take()));
        });
        meter.time(Phase::Contact, || {
            if touches {
                let derivative = match projection {
                    Projection::Positive => Derivative::Positive,
                    Projection::Exact => Derivative::Exact,
                };
                let (mut places, mut reduced) = (Places::default(), Clique::default());
                contact.for_each_clique(q, v, derivative, |clique| {
                    let carried = rigid.reduce(clique, &mut reduced);
                    let clique = if carried { &reduced } else { clique };
                    places.find(rows, clique);
                    places.add(clique, weights.contact, jacobian, uncoupled.as_mut());
                });
            }
        });
        model.finish_jacobian(shift, uncoupled.as_mut());
    }
}

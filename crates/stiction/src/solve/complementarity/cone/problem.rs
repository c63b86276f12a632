//! A frictional contact problem: impulses `r` make velocities `u = (A + C) r + b`, and each contact has its law.
//!
//! With Coulomb's law and the cone `K = {‖r_T‖ ≤ μ r_N}`, a contact takes off (`r = 0`), sticks (`u = 0`) or slides
//! (`u_N = 0`, `r` on the boundary of `K`, opposite to `u_T`); in one line, de Saxcé's: `K ∋ r ⊥ u + μ‖u_T‖ e_N ∈ K*`.
//!
//! Redundant contacts make `A` singular: then impulses are not unique, velocities are. Large `μ` can have several
//! solutions even for one contact; solvers return one of them.

use super::operator::block_rows::block_of;
use super::operator::{Assembled, Delassus};
use super::{Law, Model};
use crate::math::{Matrix3, Vector3};
use crate::solve::vector::max_abs;

/// Why a problem could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// Lengths do not agree.
    #[error(
        "{what} has {found} numbers, {expected} were expected\n  help: three for each contact, normal first; one \
         law for each contact"
    )]
    Size {
        /// Of what.
        what: &'static str,
        /// Its length.
        found: usize,
        /// What it should be.
        expected: usize,
    },
    /// A NaN or an infinity.
    #[error("{what} of contact {contact} is not finite")]
    NotFinite {
        /// Of what.
        what: &'static str,
        /// Of which contact.
        contact: usize,
    },
    /// A coefficient below zero.
    #[error("{what} of contact {contact} is {value}: it cannot be negative")]
    Negative {
        /// Of what.
        what: &'static str,
        /// Of which contact.
        contact: usize,
        /// What it is.
        value: f64,
    },
}

/// Contacts, their laws, and how impulses make velocities.
#[derive(Clone, Debug)]
#[doc(alias("Signorini", "NCP", "Lagrange multiplier"))]
pub struct ContactProblem<A> {
    operator: A,
    laws: Vec<Law>,
    b: Vec<f64>,
    model: Model,
    compliance: Vec<Vector3>,
    /// Impulse per velocity of each contact; see [`mass`](Self::mass).
    mass: Vec<f64>,
    immobile: Vec<bool>,
}

impl<A: Delassus> ContactProblem<A> {
    /// Coulomb's law, no compliance.
    ///
    /// # Errors
    /// When sizes do not agree, a number is not finite, or a coefficient is negative.
    pub fn new(operator: A, b: Vec<f64>, laws: Vec<Law>) -> Result<Self, ProblemError> {
        let size = operator.contacts();
        check_size("the law", laws.len(), size)?;
        check_size("the velocity without impulses", b.len(), 3 * size)?;
        for (contact, law) in laws.iter().enumerate() {
            let mu = law.mu();
            check_finite("the friction coefficient", contact, mu)?;
            if mu < 0.0 {
                let what = "the friction coefficient";
                return Err(ProblemError::Negative { what, contact, value: mu });
            }
            let free = block_of(&b, contact);
            check_finite("the velocity without impulses", contact, free.sum())?;
            check_finite("the operator", contact, operator.diagonal(contact).sum())?;
        }
        let compliance = vec![Vector3::zeros(); size];
        let mut new = Self {
            operator,
            laws,
            b,
            model: Model::Coulomb,
            compliance,
            mass: vec![],
            immobile: vec![],
        };
        new.weigh();
        Ok(new)
    }

    /// With the compliance `C` of each contact, velocity per impulse along normal and tangents, added to the diagonal
    /// of `A`.
    ///
    /// # Errors
    /// When there is not one for each contact, or one is negative or not finite.
    pub fn with_compliance(mut self, compliance: Vec<Vector3>) -> Result<Self, ProblemError> {
        check_size("the compliance", compliance.len(), self.contacts())?;
        for (contact, value) in compliance.iter().enumerate() {
            check_finite("the compliance", contact, value.sum())?;
            if value.min() < 0.0 {
                let what = "the compliance";
                return Err(ProblemError::Negative { what, contact, value: value.min() });
            }
        }
        self.compliance = compliance;
        self.weigh();
        Ok(self)
    }

    /// With another way to tie impulses to velocities.
    pub fn with_model(mut self, model: Model) -> Self {
        self.model = model;
        self
    }

    /// The same problem with another model, and the operator of this one.
    pub(super) fn borrowed(&self, model: Model) -> ContactProblem<&A> {
        ContactProblem {
            operator: &self.operator,
            laws: self.laws.clone(),
            b: self.b.clone(),
            model,
            compliance: self.compliance.clone(),
            mass: self.mass.clone(),
            immobile: self.immobile.clone(),
        }
    }

    /// The same problem with all blocks written out.
    pub fn assembled(&self) -> ContactProblem<Assembled> {
        ContactProblem {
            operator: self.operator.assemble(),
            laws: self.laws.clone(),
            b: self.b.clone(),
            model: self.model,
            compliance: self.compliance.clone(),
            mass: self.mass.clone(),
            immobile: self.immobile.clone(),
        }
    }

    fn weigh(&mut self) {
        let trace: Vec<f64> = (0..self.contacts()).map(|i| self.diagonal(i).trace()).collect();
        let largest = trace.iter().copied().fold(0.0, f64::max);
        // Rounding of a mobility that cancels to nothing; a mass ratio of 1e12 is still a mobility.
        let least = 1e-14 * largest;
        self.immobile = trace.iter().map(|&t| t <= least).collect();
        let typical = if largest > 0.0 { 3.0 / largest } else { 1.0 };
        self.mass = trace.iter().map(|&t| if t <= least { typical } else { 3.0 / t }).collect();
    }

    /// Contacts: three unknowns each.
    pub fn contacts(&self) -> usize {
        self.laws.len()
    }

    /// The operator, without compliance.
    pub fn operator(&self) -> &A {
        &self.operator
    }

    /// The law of each contact.
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// The friction coefficient of a contact [-].
    #[inline]
    pub fn mu(&self, contact: usize) -> f64 {
        self.laws[contact].mu()
    }

    /// Velocities without impulses.
    pub fn b(&self) -> &[f64] {
        &self.b
    }

    /// The largest of them, without its sign: the size that residuals are compared with [m/s].
    pub fn speed(&self) -> f64 {
        max_abs(&self.b)
    }

    /// How impulses are tied to velocities.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Velocity per impulse of each contact, besides what the operator has.
    pub fn compliance(&self) -> &[Vector3] {
        &self.compliance
    }

    /// What a contact weighs, impulse per velocity: `3 / tr(A_ii + C_ii)`. It turns velocities into impulses in
    /// residuals.
    #[inline]
    pub fn mass(&self, contact: usize) -> f64 {
        self.mass[contact]
    }

    /// Whether no impulse can move a contact: both its sides are fixed.
    #[inline]
    pub fn is_immobile(&self, contact: usize) -> bool {
        self.immobile[contact]
    }

    /// The block of a contact on itself, compliance included.
    pub fn diagonal(&self, contact: usize) -> Matrix3 {
        self.operator.diagonal(contact) + Matrix3::from_diagonal(&self.compliance[contact])
    }

    /// The velocity of one contact, with the operator's memory of `r`.
    #[inline]
    pub fn velocity(&self, contact: usize, r: &[f64], memory: &[f64]) -> Vector3 {
        let compliant = self.compliance[contact].component_mul(&block_of(r, contact));
        self.operator.row(contact, r, memory) + compliant + block_of(&self.b, contact)
    }

    /// `u = (A + C) r + b`.
    pub fn velocities(&self, r: &[f64], u: &mut [f64], memory: &mut [f64]) {
        self.products(r, u, memory);
        for (u, b) in u.iter_mut().zip(&self.b) {
            *u += b;
        }
    }

    /// `y = (A + C) r`.
    pub fn products(&self, r: &[f64], y: &mut [f64], memory: &mut [f64]) {
        self.operator.apply(r, y, memory);
        for (i, compliance) in self.compliance.iter().enumerate() {
            for k in 0..3 {
                y[3 * i + k] += compliance[k] * r[3 * i + k];
            }
        }
    }

    /// Room for the operator's memory.
    pub fn memory(&self) -> Vec<f64> {
        vec![0.0; self.operator.memory_len()]
    }
}

fn check_size(what: &'static str, found: usize, expected: usize) -> Result<(), ProblemError> {
    if found == expected { Ok(()) } else { Err(ProblemError::Size { what, found, expected }) }
}

fn check_finite(what: &'static str, contact: usize, value: f64) -> Result<(), ProblemError> {
    if value.is_finite() { Ok(()) } else { Err(ProblemError::NotFinite { what, contact }) }
}

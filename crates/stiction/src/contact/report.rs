//! Contacts of a step, in numbers.

use super::FrictionError;
use crate::body::BodyId;

/// What is to be known of contacts after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReport {
    /// Contacts that push, or pull where there are bonds.
    pub touching: usize,
    /// Of these, how many slid in the step.
    pub sliding: usize,
    /// How far friction is from Coulomb's law, at the worst of them.
    pub friction: FrictionError,
    /// Smallest gap of any contact looked at, negative where bodies overlap; infinite if there is none [m].
    pub smallest_gap: f64,
    /// The two bodies that overlap most, if any do by more than their method allows.
    pub overlap: Option<[BodyId; 2]>,
    /// How often the step was repeated with stiffer contacts.
    pub stiffenings: u32,
}

impl Default for ContactReport {
    /// No contacts.
    fn default() -> Self {
        Self {
            touching: 0,
            sliding: 0,
            friction: FrictionError::default(),
            smallest_gap: f64::INFINITY,
            overlap: None,
            stiffenings: 0,
        }
    }
}

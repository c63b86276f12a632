//! What a contact remembers from step to step.

use super::contact::{Kind, Pair};
use super::near::OnPlane;
use crate::math::Vector3;

/// Names a contact; contacts are sorted by it.
pub(super) type Key = [u32; 5];

/// A contact at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Memory {
    pub(super) key: Key,
    pub(super) normal: Vector3,
    /// Of friction, on what moves with the second feature [N].
    pub(super) traction: Vector3,
    pub(super) slip_velocity: Vector3,
    /// Distance slid since it began [m].
    pub(super) slid: f64,
    pub(super) sliding: bool,
}

impl Pair {
    pub(super) fn key(&self) -> Key {
        let [a, b, c, d] = self.vertices;
        let kind = match self.kind {
            Kind::PointTriangle => 0,
            Kind::EdgeEdge => 1,
        };
        [kind, a, b, c, d]
    }
}

impl OnPlane {
    pub(super) fn key(&self) -> Key {
        [2, self.vertex, self.plane, 0, 0]
    }
}

impl Memory {
    /// Numbers of an encoded contact.
    pub(super) const LENGTH: usize = 16;

    pub(super) fn encode(&self, out: &mut Vec<f64>) {
        out.extend(self.key.map(f64::from));
        let vectors = [self.normal, self.traction, self.slip_velocity];
        vectors.iter().for_each(|vector| out.extend(vector.iter()));
        out.extend([self.slid, f64::from(u8::from(self.sliding))]);
    }

    /// Reads [`Memory::LENGTH`] numbers back.
    pub(super) fn decode(numbers: &[f64]) -> Self {
        let vector = |at: usize| Vector3::new(numbers[at], numbers[at + 1], numbers[at + 2]);
        Self {
            key: std::array::from_fn(|k| numbers[k] as u32),
            normal: vector(5),
            traction: vector(8),
            slip_velocity: vector(11),
            slid: numbers[14],
            sliding: numbers[15] != 0.0,
        }
    }
}

/// What is remembered under a name.
pub(super) fn recall(memory: &[Memory], key: Key) -> Option<&Memory> {
    let at = memory.binary_search_by_key(&key, |memory| memory.key).ok()?;
    Some(&memory[at])
}

//! What a contact remembers from step to step.

use crate::contact::key::Key;
use crate::math::Vector3;

/// State of a contact at the end of a step. Vectors are in world coordinates and turn with the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Whose it is.
    pub key: Key,
    /// Normal of the surface, of length one.
    pub normal: Vector3,
    /// `t`: traction on the surface, the opposite of what the point feels [N].
    pub traction: Vector3,
    /// `s`: the part of it that a spring holds [N].
    pub elastic: Vector3,
    /// `ds/dt` [N/s].
    pub elastic_rate: Vector3,
    /// `s` one step before, for multistep schemes [N].
    pub elastic_before: Vector3,
    /// Slip of the last step [m].
    pub slip: Vector3,
    /// Gap; infinite before there was one [m].
    pub gap: f64,
    /// `λ`: what keeps them apart, if that was found; negative where a bond pulled [N].
    pub push: Option<f64>,
    /// The gap that counts as zero: negative for contacts that started inside [m].
    pub offset: f64,
    /// Distance slid so far [m].
    pub slid: f64,
    /// Whether it slid in the last step.
    pub sliding: bool,
    /// Whether a bond holds it.
    pub bonded: bool,
}

/// Stands for a push that was not found, among numbers.
const UNKNOWN: f64 = -1.0;

impl Memory {
    /// A contact that begins.
    pub fn born(key: Key, normal: Vector3, gap: f64) -> Self {
        let zero = Vector3::zeros();
        Self {
            key,
            normal,
            traction: zero,
            elastic: zero,
            elastic_rate: zero,
            elastic_before: zero,
            slip: zero,
            gap,
            push: None,
            offset: gap.min(0.0),
            slid: 0.0,
            sliding: false,
            bonded: false,
        }
    }

    /// Where the surface looked, if it was met before.
    pub fn facing(&self) -> Option<Vector3> {
        self.gap.is_finite().then_some(self.normal)
    }

    /// Numbers of an encoded contact.
    pub const LENGTH: usize = Key::LENGTH + 6 * 3 + 5;

    /// Appends its numbers.
    pub fn encode(&self, out: &mut Vec<f64>) {
        out.extend(self.key.encode());
        let vectors = [
            self.normal,
            self.traction,
            self.elastic,
            self.elastic_rate,
            self.elastic_before,
            self.slip,
        ];
        out.extend(vectors.iter().flat_map(|v| v.iter().copied()));
        out.extend([self.gap, self.push.unwrap_or(UNKNOWN), self.offset]);
        out.extend([self.slid, f64::from(u8::from(self.sliding) + 2 * u8::from(self.bonded))]);
    }

    /// Reads [`Memory::LENGTH`] numbers back; nothing where they name no kind of contact.
    pub fn decode(numbers: &[f64]) -> Option<Self> {
        let (key, numbers) = numbers.split_at(Key::LENGTH);
        let vector = |k: usize| Vector3::from_column_slice(&numbers[3 * k..][..3]);
        let [gap, push, offset, slid, flags] = [18, 19, 20, 21, 22].map(|k| numbers[k]);
        let (sliding, bonded) = (flags as u8 & 1 != 0, flags as u8 & 2 != 0);
        Some(Self {
            key: Key::decode(key)?,
            normal: vector(0),
            traction: vector(1),
            elastic: vector(2),
            elastic_rate: vector(3),
            elastic_before: vector(4),
            slip: vector(5),
            gap,
            push: Some(push).filter(|push| bonded || *push >= 0.0),
            offset,
            slid,
            sliding,
            bonded,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::key::Name;

    #[test]
    fn contacts_are_read_back() {
        for name in [Name::Vertex(1 << 30), Name::Sheet { vertex: 2, face: u32::MAX }] {
            let key = Key { bodies: [5, 2], name };
            let contact = Memory { push: Some(3.0), ..Memory::born(key, Vector3::z(), 0.25) };
            let mut numbers = Vec::new();
            contact.encode(&mut numbers);
            assert_eq!(numbers.len(), Memory::LENGTH);
            assert_eq!(Memory::decode(&numbers), Some(contact));
            numbers[2] = 99.0;
            assert_eq!(Memory::decode(&numbers), None, "no such kind");
        }
    }
}

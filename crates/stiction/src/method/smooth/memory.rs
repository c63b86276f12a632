//! What a contact remembers from step to step.

use crate::math::Vector3;

/// What of two bodies touches. The order is that of contacts in a [state](crate::State).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touching {
    /// A vertex of the collider and the surface of the other body.
    Vertex(u32),
    /// A round part of the collider, such as a ball by its centre, and the surface of the other body.
    Core(u32),
    /// An edge of the collider and one of the other body.
    Edges([u32; 2]),
    /// A vertex and one of several sheets of its own body, by the face that was nearest to it.
    Sheet {
        /// The vertex.
        vertex: u32,
        /// The face; it changes while the vertex slides.
        face: u32,
    },
}

impl Touching {
    /// Numbers of an encoded one.
    const LENGTH: usize = 3;

    fn encode(self) -> [f64; Self::LENGTH] {
        match self {
            Self::Vertex(vertex) => [0.0, f64::from(vertex), 0.0],
            Self::Core(core) => [1.0, f64::from(core), 0.0],
            Self::Edges([a, b]) => [2.0, f64::from(a), f64::from(b)],
            Self::Sheet { vertex, face } => [3.0, f64::from(vertex), f64::from(face)],
        }
    }

    /// Nothing of what no contact was encoded as.
    fn decode(numbers: &[f64]) -> Option<Self> {
        let [kind, a, b] = [numbers[0], numbers[1], numbers[2]].map(|number| number as u32);
        match kind {
            0 => Some(Self::Vertex(a)),
            1 => Some(Self::Core(a)),
            2 => Some(Self::Edges([a, b])),
            3 => Some(Self::Sheet { vertex: a, face: b }),
            _ => None,
        }
    }
}

/// Which parts of which bodies touch. A vertex that slides from face to face stays the same contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The body of the point, or of the first edge.
    pub collider: u32,
    /// What touches.
    pub touching: Touching,
    /// The body of the surface.
    pub surface: u32,
}

impl Key {
    /// Whether it is a contact of points of one body with the surface of another.
    pub fn is_between(&self, collider: u32, surface: u32) -> bool {
        (self.collider, self.surface) == (collider, surface)
    }
}

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
    pub const LENGTH: usize = Self::KEY + 6 * 3 + 5;

    /// Numbers of its key.
    const KEY: usize = 2 + Touching::LENGTH;

    /// Appends its numbers.
    pub fn encode(&self, out: &mut Vec<f64>) {
        let Key { collider, touching, surface } = self.key;
        out.push(f64::from(collider));
        out.extend(touching.encode());
        out.push(f64::from(surface));
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
        let (key, numbers) = numbers.split_at(Self::KEY);
        let vector = |k: usize| Vector3::from_column_slice(&numbers[3 * k..][..3]);
        let [gap, push, offset, slid, flags] = [18, 19, 20, 21, 22].map(|k| numbers[k]);
        let (sliding, bonded) = (flags as u8 & 1 != 0, flags as u8 & 2 != 0);
        Some(Self {
            key: Key {
                collider: key[0] as u32,
                touching: Touching::decode(&key[1..])?,
                surface: key[Self::KEY - 1] as u32,
            },
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

    /// Also those whose numbers were once beyond those of vertices.
    #[test]
    fn contacts_of_all_kinds_are_read_back() {
        let kinds = [
            Touching::Vertex(7),
            Touching::Vertex(1 << 30),
            Touching::Core(0),
            Touching::Core(3),
            Touching::Edges([4, 2]),
            Touching::Edges([u32::MAX, 1]),
            Touching::Sheet { vertex: 0, face: 9 },
            Touching::Sheet { vertex: 2, face: u32::MAX },
        ];
        assert!(kinds.is_sorted());
        for touching in kinds {
            let key = Key { collider: 5, touching, surface: 2 };
            let contact = Memory { push: Some(3.0), ..Memory::born(key, Vector3::z(), 0.25) };
            let mut numbers = Vec::new();
            contact.encode(&mut numbers);
            assert_eq!(numbers.len(), Memory::LENGTH);
            assert_eq!(Memory::decode(&numbers), Some(contact));
            numbers[1] = 4.0;
            assert_eq!(Memory::decode(&numbers), None, "no such kind");
        }
    }
}

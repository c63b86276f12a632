//! What a contact remembers from step to step.

use crate::math::Vector3;

/// Which point touches which surface. A vertex that slides from face to face stays the same contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The body of the point.
    pub collider: u32,
    /// Its vertex.
    pub vertex: u32,
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
    pub const LENGTH: usize = 3 + 6 * 3 + 5;

    /// Appends its numbers.
    pub fn encode(&self, out: &mut Vec<f64>) {
        let Key { collider, vertex, surface } = self.key;
        out.extend([collider, vertex, surface].map(f64::from));
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

    /// Reads [`Memory::LENGTH`] numbers back.
    pub fn decode(numbers: &[f64]) -> Self {
        let vector = |k: usize| Vector3::from_column_slice(&numbers[3 + 3 * k..][..3]);
        let (sliding, bonded) = (numbers[25] as u8 & 1 != 0, numbers[25] as u8 & 2 != 0);
        Self {
            key: Key {
                collider: numbers[0] as u32,
                vertex: numbers[1] as u32,
                surface: numbers[2] as u32,
            },
            normal: vector(0),
            traction: vector(1),
            elastic: vector(2),
            elastic_rate: vector(3),
            elastic_before: vector(4),
            slip: vector(5),
            gap: numbers[21],
            push: Some(numbers[22]).filter(|push| bonded || *push >= 0.0),
            offset: numbers[23],
            slid: numbers[24],
            sliding,
            bonded,
        }
    }
}

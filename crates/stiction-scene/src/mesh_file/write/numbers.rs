//! Numbers as bytes and as text.

pub use crate::frame::Precision;

impl Precision {
    /// Bytes a number takes.
    pub(crate) fn width(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }

    /// Appends numbers, little endian.
    pub(crate) fn push(self, bytes: &mut Vec<u8>, values: impl IntoIterator<Item = f64>) {
        match self {
            Self::Single => values.into_iter().for_each(|v| bytes.extend((v as f32).to_le_bytes())),
            Self::Double => values.into_iter().for_each(|v| bytes.extend(v.to_le_bytes())),
        }
    }

    /// The shortest text that reads back as the same number; exponents where digits would be many.
    pub(crate) fn text(self, value: f64) -> String {
        match self {
            Self::Single => format!("{:?}", value as f32),
            Self::Double => format!("{value:?}"),
        }
    }

    /// Three numbers with spaces between.
    pub(crate) fn row(self, values: [f64; 3]) -> String {
        let [x, y, z] = values.map(|v| self.text(v));
        format!("{x} {y} {z}")
    }
}

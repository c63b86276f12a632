//! Numbers as bytes and back: little-endian, blocks with their length before them.

/// Bytes being written.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn word(&mut self, value: u64) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn number(&mut self, value: f64) -> &mut Self {
        self.word(value.to_bits())
    }

    pub(super) fn block(&mut self, bytes: &[u8]) -> &mut Self {
        self.word(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// A list of numbers, with its length.
    pub(super) fn numbers(&mut self, values: impl ExactSizeIterator<Item = f64>) -> &mut Self {
        self.word(values.len() as u64);
        self.0.reserve(8 * values.len());
        values.for_each(|value| self.0.extend(value.to_le_bytes()));
        self
    }

    /// A list of indices, with its length.
    pub(super) fn indices(&mut self, values: &[u32]) -> &mut Self {
        self.word(values.len() as u64);
        values.iter().for_each(|value| self.0.extend(value.to_le_bytes()));
        self
    }
}

/// What is left to read; nothing is believed but what is there.
#[derive(Debug)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// As many pieces of this many bytes as a length before them says.
    fn pieces<const N: usize>(&mut self) -> Option<impl ExactSizeIterator<Item = [u8; N]> + 'a> {
        let count = usize::try_from(self.word()?).ok()?;
        let bytes = self.take(count.checked_mul(N)?)?;
        Some(bytes.chunks_exact(N).map(|piece| piece.try_into().expect("pieces of this length")))
    }

    pub(super) fn word(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().expect("eight bytes")))
    }

    pub(super) fn number(&mut self) -> Option<f64> {
        self.word().map(f64::from_bits)
    }

    pub(super) fn block(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.word()?).ok()?;
        self.take(count)
    }

    pub(super) fn numbers(&mut self) -> Option<Vec<f64>> {
        Some(self.pieces()?.map(f64::from_le_bytes).collect())
    }

    pub(super) fn indices(&mut self) -> Option<Vec<u32>> {
        Some(self.pieces()?.map(u32::from_le_bytes).collect())
    }
}

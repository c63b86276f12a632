//! Numbers in binary files: byte orders and types.
#![expect(clippy::unnecessary_cast, reason = "one macro for all types, the target among them")]

/// The order of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endian {
    Little,
    Big,
}

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

/// `$body` with `$read` bound to the function that reads one number of this type.
macro_rules! with_reader {
    ($scalar:expr, $endian:expr, $read:ident => $body:expr) => {
        with_reader!(@ $scalar, $endian, $read, $body,
            I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64, F32 f32, F64 f64)
    };
    (@ $scalar:expr, $endian:expr, $read:ident, $body:expr, $($kind:ident $type:ty),*) => {
        match ($scalar, $endian) {
            $(
                (Scalar::$kind, Endian::Little) => {
                    let $read = |b: &[u8]| <$type>::from_le_bytes(b.try_into().expect("one number"));
                    $body
                }
                (Scalar::$kind, Endian::Big) => {
                    let $read = |b: &[u8]| <$type>::from_be_bytes(b.try_into().expect("one number"));
                    $body
                }
            )*
        }
    };
}

impl Scalar {
    /// Bytes it takes.
    pub(super) fn width(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    /// By the names of VTK's XML: `Int32`, `Float64`.
    pub(super) fn of_vtu(name: &str) -> Option<Self> {
        Some(match name {
            "Int8" => Self::I8,
            "UInt8" => Self::U8,
            "Int16" => Self::I16,
            "UInt16" => Self::U16,
            "Int32" => Self::I32,
            "UInt32" => Self::U32,
            "Int64" => Self::I64,
            "UInt64" => Self::U64,
            "Float32" => Self::F32,
            "Float64" => Self::F64,
            _ => return None,
        })
    }

    /// By the names of legacy VTK; `long` is taken as 64 bits, as VTK writes it on all but Windows.
    pub(super) fn of_vtk(name: &[u8]) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_slice() {
            b"char" | b"signed_char" | b"vtktypeint8" => Self::I8,
            b"unsigned_char" | b"vtktypeuint8" => Self::U8,
            b"short" | b"vtktypeint16" => Self::I16,
            b"unsigned_short" | b"vtktypeuint16" => Self::U16,
            b"int" | b"vtktypeint32" => Self::I32,
            b"unsigned_int" | b"vtktypeuint32" => Self::U32,
            b"long" | b"vtktypeint64" | b"vtkidtype" => Self::I64,
            b"unsigned_long" | b"vtktypeuint64" => Self::U64,
            b"float" | b"vtktypefloat32" => Self::F32,
            b"double" | b"vtktypefloat64" => Self::F64,
            _ => return None,
        })
    }

    /// By the names of PLY, old and new.
    pub(super) fn of_ply(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// One number; `bytes` has its width.
    #[inline]
    pub(super) fn float(self, endian: Endian, bytes: &[u8]) -> f64 {
        with_reader!(self, endian, read => read(bytes) as f64)
    }

    /// One number as an integer; fractions are cut off.
    #[inline]
    pub(super) fn integer(self, endian: Endian, bytes: &[u8]) -> i64 {
        with_reader!(self, endian, read => read(bytes) as i64)
    }

    /// All numbers in `bytes`; what is left at the end is ignored.
    pub(super) fn floats(self, endian: Endian, bytes: &[u8]) -> Vec<f64> {
        with_reader!(self, endian, read =>
            bytes.chunks_exact(self.width()).map(|b| read(b) as f64).collect())
    }

    /// All numbers in `bytes` as integers; what is left at the end is ignored.
    pub(super) fn integers(self, endian: Endian, bytes: &[u8]) -> Vec<i64> {
        with_reader!(self, endian, read =>
            bytes.chunks_exact(self.width()).map(|b| read(b) as i64).collect())
    }
}

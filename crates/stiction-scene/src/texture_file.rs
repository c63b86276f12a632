//! Reliefs in pictures: PNGs of normals or heights, as slopes or heights of the cells of a texture.
//!
//! The right of a picture is along the grain, `u`, its top across it, `v = n × u`: laid on a body and seen from
//! outside, it looks as it does on a screen. Rows of a picture begin at its top, those of a texture at `v = 0`; the
//! last row of the picture is the first of the texture.
//!
//! A normal map has `n = 2c/max − 1` of the colours `c`: red along `u`, green along `v` (up, as OpenGL has it), blue
//! outwards. Its slopes are
//!
//! $$ \frac{\partial h}{\partial u} = -\frac{n_x}{n_z}, \qquad \frac{\partial h}{\partial v} = -\frac{n_y}{n_z} $$
//!
//! of any length of `n`. A height map is 0 where it is black. Samples are taken as they are, whatever the file says
//! about gamma; transparency counts for nothing.
//!
//! No file, however broken, makes the reader panic, or take more memory than [`MAX_PIXELS`] need.

use std::fs::File;
use std::io::{BufReader, Error};
use std::path::Path;

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits};

/// Pixels of a picture: 4096 × 4096. Contacts look at far fewer.
const MAX_PIXELS: u64 = 1 << 24;

/// Bytes that the decoder may use: a few rows of the widest picture.
const MAX_BYTES: usize = 1 << 28;

/// Why a picture is no relief.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {fault}\n  help: {}", fault.help())]
pub(crate) struct TextureFileError {
    file: String,
    fault: Fault,
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] Error),
    #[error("is no sound PNG: {0}")]
    Damaged(String),
    #[error("has {0} × {1} pixels, more than {MAX_PIXELS}")]
    TooLarge(u32, u32),
    #[error("is {found}, where {} is needed", kind.wanted())]
    Colours { found: String, kind: Kind },
    #[error(
        "the normal in column {column}, row {row} does not look outwards: its blue is {blue:.4} of the most"
    )]
    Inwards { column: usize, row: usize, blue: f64 },
}

impl Fault {
    fn help(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "check that it exists and may be read",
            Self::Damaged(_) => "export it again as PNG, from a program that can open it",
            Self::TooLarge(..) => "scale it down, or cut out a piece that repeats itself",
            Self::Colours { kind: Kind::Normals, .. } => {
                "save normals as RGB with 8 or 16 bits; a grey picture of heights is a `height_map`"
            }
            Self::Colours { kind: Kind::Heights, .. } => {
                "save heights as grey with 8 or 16 bits; a coloured picture of normals is a `normal_map`"
            }
            Self::Inwards { .. } => {
                "blue is above a half everywhere in a tangent-space normal map: convert it to one"
            }
        }
    }
}

impl From<DecodingError> for Fault {
    fn from(error: DecodingError) -> Self {
        match error {
            // A file that ends too early is damaged; what the system refuses is not.
            DecodingError::IoError(error) if error.raw_os_error().is_some() => error.into(),
            other => Self::Damaged(other.to_string()),
        }
    }
}

/// What a picture is of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Normals,
    Heights,
}

impl Kind {
    fn wanted(self) -> &'static str {
        match self {
            Self::Normals => "RGB with 8 or 16 bits",
            Self::Heights => "grey with 8 or 16 bits",
        }
    }

    fn takes(self, colours: ColorType) -> bool {
        match self {
            Self::Normals => matches!(colours, ColorType::Rgb | ColorType::Rgba),
            Self::Heights => matches!(colours, ColorType::Grayscale | ColorType::GrayscaleAlpha),
        }
    }
}

/// Cells along and across the grain, and the slopes of a normal map in them [-], row after row along the grain.
pub(crate) fn slopes(path: &Path) -> Result<([usize; 2], Vec<[f64; 2]>), TextureFileError> {
    let named = |fault| TextureFileError { file: path.display().to_string(), fault };
    let picture = Picture::read(path, Kind::Normals).map_err(named)?;
    let slope = |(column, row)| {
        let [red, green, blue] = [0, 1, 2].map(|channel| picture.sample(column, row, channel));
        let z = 2.0 * blue - 1.0;
        match z > 0.0 {
            true => Ok([(1.0 - 2.0 * red) / z, (1.0 - 2.0 * green) / z]),
            false => Err(named(Fault::Inwards { column, row, blue })),
        }
    };
    let slopes = picture.places().map(slope).collect::<Result<_, _>>()?;
    Ok((picture.size, slopes))
}

/// Cells along and across the grain, and the heights of a height map whose white is at `white` [m], row after row
/// along the grain.
pub(crate) fn heights(path: &Path, white: f64) -> Result<([usize; 2], Vec<f64>), TextureFileError> {
    let picture = Picture::read(path, Kind::Heights)
        .map_err(|fault| TextureFileError { file: path.display().to_string(), fault })?;
    let height = |(column, row)| white * picture.sample(column, row, 0);
    Ok((picture.size, picture.places().map(height).collect()))
}

/// Pixels as the file has them.
struct Picture {
    /// Columns and rows.
    size: [usize; 2],
    /// Bytes of a pixel and of a sample.
    bytes: [usize; 2],
    data: Vec<u8>,
}

impl Picture {
    fn read(path: &Path, kind: Kind) -> Result<Self, Fault> {
        let limits = Limits { bytes: MAX_BYTES };
        let mut decoder = Decoder::new_with_limits(BufReader::new(File::open(path)?), limits);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        decoder.ignore_checksums(false);
        // Before anything is made of the size that the file claims.
        let header = decoder.read_header_info()?;
        let (width, height) = (header.width, header.height);
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(Fault::TooLarge(width, height));
        }
        let (colours, depth) = (header.color_type, header.bit_depth);
        let deep = match depth {
            BitDepth::Eight => Some(1),
            BitDepth::Sixteen => Some(2),
            _ => None,
        };
        let Some(deep) = deep.filter(|_| kind.takes(colours)) else {
            return Err(Fault::Colours { found: described(colours, depth), kind });
        };
        // The default keeps samples as they are; an alpha channel from a transparent colour would be another.
        decoder.set_transformations(png::Transformations::IDENTITY);
        let mut reader = decoder.read_info()?;
        let wide = colours.samples() * deep;
        let mut data = vec![0; width as usize * height as usize * wide];
        let frame = reader.next_frame(&mut data)?;
        reader.finish()?;
        if (frame.width, frame.height) != (width, height) {
            let reason = format!("its first picture has {} × {} pixels", frame.width, frame.height);
            return Err(Fault::Damaged(reason));
        }
        Ok(Self { size: [width, height].map(|side| side as usize), bytes: [wide, deep], data })
    }

    /// Columns and rows of all pixels in the order of a texture: from the bottom.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [columns, rows] = self.size;
        (0..rows).rev().flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    /// A sample between 0 and 1.
    fn sample(&self, column: usize, row: usize, channel: usize) -> f64 {
        let [wide, deep] = self.bytes;
        let at = (row * self.size[0] + column) * wide + channel * deep;
        match deep {
            1 => f64::from(self.data[at]) / 255.0,
            _ => f64::from(u16::from_be_bytes([self.data[at], self.data[at + 1]])) / 65535.0,
        }
    }
}

fn described(colours: ColorType, depth: BitDepth) -> String {
    let colours = match colours {
        ColorType::Grayscale => "grey",
        ColorType::GrayscaleAlpha => "grey and transparent",
        ColorType::Rgb => "RGB",
        ColorType::Rgba => "RGB and transparent",
        ColorType::Indexed => "a palette of colours",
    };
    format!("{colours} with {} bits", depth as u8)
}

//! Moving WebP, without loss: pictures of `image-webp` in the container for many [RFC9649].

use std::io::{self, Write};

use image_webp::{ColorType, EncodingError, WebPEncoder};

use super::{changed, cut};
use crate::picture::Picture;

/// Writes a moving WebP, so many pictures a second.
///
/// # Errors
/// When `out` cannot be written to, or a picture cannot be made.
pub fn write_webp<E: From<io::Error>>(
    pictures: impl Iterator<Item = Result<Picture, E>>,
    rate: f64,
    mut out: impl Write,
) -> Result<(), E> {
    let mut body = b"WEBP".to_vec();
    let mut last: Option<Picture> = None;
    for picture in pictures {
        let picture = picture?;
        if last.is_none() {
            const ANIMATED_WITH_OPACITY: u32 = 0x12;
            let [width, height] = [picture.width, picture.height].map(|n| three(n - 1));
            let flags = ANIMATED_WITH_OPACITY.to_le_bytes();
            chunk(&mut body, b"VP8X", &[&flags[..], &width, &height].concat());
            // Background, which is never seen, and no end of repeats.
            chunk(&mut body, b"ANIM", &[0; 6]);
        }
        let area = changed(last.as_ref(), &picture, 2);
        let encoded = encoded(&cut(&picture, area)).map_err(io::Error::other)?;
        let [left, top, width, height] = area;
        let places = [left / 2, top / 2, width - 1, height - 1].map(three);
        const REPLACE: u8 = 2; // instead of laying it over what is there
        let mut frame = places.concat();
        frame.extend(three((1000.0 / rate).round() as usize));
        frame.push(REPLACE);
        frame.extend(encoded);
        chunk(&mut body, b"ANMF", &frame);
        last = Some(picture);
    }
    out.write_all(b"RIFF")?;
    out.write_all(&(body.len() as u32).to_le_bytes())?;
    out.write_all(&body)?;
    Ok(out.flush()?)
}

/// The chunk of one picture.
fn encoded(picture: &Picture) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::new();
    let [width, height] = [picture.width, picture.height].map(|n| n as u32);
    WebPEncoder::new(&mut file).encode(&picture.pixels, width, height, ColorType::Rgba8)?;
    Ok(file.split_off(b"RIFF????WEBP".len()))
}

fn chunk(body: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    body.extend(name);
    body.extend((data.len() as u32).to_le_bytes());
    body.extend(data);
    body.extend(std::iter::repeat_n(0, data.len() % 2));
}

/// A number in three bytes.
fn three(n: usize) -> [u8; 3] {
    let [a, b, c, _] = (n as u32).to_le_bytes();
    [a, b, c]
}

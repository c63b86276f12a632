//! Pictures as files, still and moving.
//!
//! Moving ones take their pictures one by one from an iterator, which may fail, and store of each only the rectangle in
//! which it differs from the one before.

mod gif;
mod palette;
mod png;
mod webp;

pub use self::gif::write_gif;
pub use self::png::{write_apng, write_png, write_small_png};
pub use self::webp::write_webp;

use crate::picture::Picture;

/// A rectangle of pixels: left, top, width, height.
type Area = [usize; 4];

/// Where two pictures of the same size differ; one pixel if they do not, because a file must hold something. Left and
/// top are multiples of `step`.
fn changed(before: Option<&Picture>, now: &Picture, step: usize) -> Area {
    let Some(before) = before else { return [0, 0, now.width, now.height] };
    let row = |picture: &Picture, y: usize| {
        let width = 4 * picture.width;
        picture.pixels[y * width..(y + 1) * width].as_chunks::<4>().0.to_vec()
    };
    let (mut columns, mut rows) = ((usize::MAX, 0), (usize::MAX, 0));
    for y in 0..now.height {
        let (a, b) = (row(before, y), row(now, y));
        let mut differ = (0..now.width).filter(|&x| a[x] != b[x]);
        if let Some(first) = differ.next() {
            let last = differ.next_back().unwrap_or(first);
            columns = (columns.0.min(first), columns.1.max(last));
            rows = (rows.0.min(y), y);
        }
    }
    if rows.0 == usize::MAX {
        return [0, 0, 1, 1];
    }
    let (left, top) = (columns.0 / step * step, rows.0 / step * step);
    [left, top, columns.1 + 1 - left, rows.1 + 1 - top]
}

/// Part of a picture.
fn cut(picture: &Picture, [left, top, width, height]: Area) -> Picture {
    let mut part = Picture::new(width, height);
    for row in 0..height {
        let from = 4 * ((top + row) * picture.width + left);
        part.pixels[4 * row * width..][..4 * width]
            .copy_from_slice(&picture.pixels[from..from + 4 * width]);
    }
    part
}

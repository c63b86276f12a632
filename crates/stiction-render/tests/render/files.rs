//! Files can be read again, with the pictures that were written.

use std::io::{self, Cursor};

use stiction_render::Picture;
use stiction_render::file::{write_apng, write_gif, write_png, write_small_png, write_webp};

use crate::common::Numbers;

/// Pictures of few colours that change here and there.
fn speckled() -> Vec<Picture> {
    let mut numbers = Numbers::new(2);
    let mut picture = Picture::new(37, 23);
    picture.pixels.fill(255);
    let change = |k: usize| {
        for _ in 0..200 {
            let x = 2 * k + ((numbers.next() + 1.0) * 14.0) as usize;
            let y = k + ((numbers.next() + 1.0) * 9.0) as usize;
            let colour = ((numbers.next() + 1.0) * 1.9) as u8;
            picture.pixels[4 * (y * 37 + x)] = 80 * colour;
        }
        picture.clone()
    };
    (0..4).map(change).collect()
}

/// A square that moves over a gradient; the last two pictures are equal.
fn pictures() -> Vec<Picture> {
    let picture = |k: usize| {
        let mut picture = Picture::new(37, 23);
        for (at, pixel) in picture.pixels.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let (x, y) = (at % 37, at / 37);
            let inside = (3 * k..3 * k + 6).contains(&x) && (5 + k..12 + k).contains(&y);
            *pixel = if inside { [200, 30, 40, 255] } else { [250, 250, (200 + y) as u8, 255] };
        }
        picture
    };
    [0, 1, 2, 3, 3].map(picture).to_vec()
}

fn written<F>(write: F, pictures: &[Picture]) -> Vec<u8>
where
    F: FnOnce(&mut dyn Iterator<Item = io::Result<Picture>>, &mut Vec<u8>) -> io::Result<()>,
{
    let mut file = Vec::new();
    write(&mut pictures.iter().cloned().map(Ok), &mut file).expect("room");
    file
}

fn read_png(file: &[u8]) -> (png::OutputInfo, Vec<u8>) {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    bytes.truncate(info.buffer_size());
    (info, bytes)
}

#[test]
fn a_png_holds_the_picture_and_opacity_only_where_there_is_some() {
    let mut picture = pictures().remove(1);
    let mut file = Vec::new();
    write_png(&picture, &mut file).expect("room");
    let (info, bytes) = read_png(&file);
    assert_eq!((info.width, info.height, info.color_type), (37, 23, png::ColorType::Rgb));
    let expected: Vec<u8> =
        picture.pixels.as_chunks::<4>().0.iter().flat_map(|p| p[..3].to_vec()).collect();
    assert_eq!(bytes, expected);
    picture.pixels[3] = 77;
    file.clear();
    write_png(&picture, &mut file).expect("room");
    let (info, bytes) = read_png(&file);
    assert_eq!(info.color_type, png::ColorType::Rgba);
    assert_eq!(bytes, picture.pixels);
}

#[test]
fn a_small_png_is_exact_with_few_colours_and_close_with_many() {
    let mut file = Vec::new();
    write_small_png(&pictures()[0], &mut file).expect("room");
    let (_, bytes) = read_png(&file);
    let flat: Vec<u8> =
        pictures()[0].pixels.as_chunks::<4>().0.iter().flat_map(|p| p[..3].to_vec()).collect();
    assert_eq!(bytes, flat);

    let mut many = Picture::new(200, 150);
    for (k, pixel) in many.pixels.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (x, y) = (k % 200, k / 200);
        *pixel = if x < 100 { [255; 4] } else { [x as u8, y as u8, 120, 255] };
    }
    file.clear();
    write_small_png(&many, &mut file).expect("room");
    let (_, bytes) = read_png(&file);
    let mut off = 0.0;
    for (now, before) in bytes.as_chunks::<3>().0.iter().zip(many.pixels.as_chunks::<4>().0) {
        off += (0..3).map(|k| f64::from(now[k].abs_diff(before[k]))).sum::<f64>() / 3.0;
        assert!(*before != [255; 4] || *now == [255; 3], "paper stays white");
    }
    assert!(off / 30_000.0 < 2.0, "{off}");
    let mut full = Vec::new();
    write_png(&many, &mut full).expect("room");
}

#[test]
fn a_moving_png_plays_all_pictures() {
    let file = written(|pictures, out| write_apng(pictures, 5, 25.0, out), &pictures());
    let mut reader = png::Decoder::new(Cursor::new(&file)).read_info().expect("a PNG");
    assert_eq!(reader.info().animation_control().map(|control| control.num_frames), Some(5));
    let mut canvas = Picture::new(37, 23);
    for expected in pictures() {
        let mut bytes = vec![0; 4 * 37 * 23];
        let info = reader.next_frame(&mut bytes).expect("a picture");
        let control = *reader.info().frame_control().expect("its place");
        assert_eq!((control.delay_num, control.delay_den), (40, 1000));
        let mut part = Picture::new(info.width as usize, info.height as usize);
        part.pixels.copy_from_slice(&bytes[..info.buffer_size()]);
        canvas.put(&part, [control.x_offset as usize, control.y_offset as usize]);
        assert!(canvas == expected);
    }
    assert!(reader.next_frame(&mut vec![0; 4 * 37 * 23]).is_err(), "there are no more");
}

#[test]
fn a_gif_plays_all_pictures() {
    for expected in [pictures(), speckled()] {
        check_gif(&expected);
    }
}

fn check_gif(expected: &[Picture]) {
    let file = written(|pictures, out| write_gif(pictures, 20.0, out), expected);
    let mut reader = gif::DecodeOptions::new();
    reader.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = reader.read_info(Cursor::new(&file)).expect("a GIF");
    assert_eq!((reader.width(), reader.height()), (37, 23));
    let mut canvas = Picture::new(37, 23);
    let mut count = 0;
    while let Some(frame) = reader.read_next_frame().expect("a picture") {
        assert_eq!(frame.delay, 5);
        for (k, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            if pixel[3] > 0 {
                let (x, y) = (k % usize::from(frame.width), k / usize::from(frame.width));
                let at = (y + usize::from(frame.top)) * 37 + x + usize::from(frame.left);
                canvas.pixels[4 * at..][..4].copy_from_slice(pixel);
            }
        }
        assert!(canvas == expected[count], "picture {count}");
        count += 1;
    }
    assert_eq!(count, expected.len());
}

#[test]
fn a_webp_plays_all_pictures() {
    let mut all = pictures();
    all[2].pixels[3] = 100; // something to be seen through
    let file = written(|pictures, out| write_webp(pictures, 25.0, out), &all);
    let mut reader = image_webp::WebPDecoder::new(Cursor::new(&file)).expect("a WebP");
    assert!(reader.is_animated() && reader.has_alpha());
    assert_eq!((reader.dimensions(), reader.num_frames()), ((37, 23), 5));
    assert_eq!(reader.loop_count(), image_webp::LoopCount::Forever);
    for expected in &all {
        let mut bytes = vec![0; 4 * 37 * 23];
        assert_eq!(reader.read_frame(&mut bytes).expect("a picture"), 40);
        assert!(bytes == expected.pixels);
    }
}

#[test]
fn moving_pictures_store_what_changed() {
    let mut numbers = Numbers::new(1);
    let mut first = Picture::new(100, 100);
    first.pixels.iter_mut().for_each(|c| *c = (numbers.next() * 100.0 + 128.0) as u8);
    first.pixels.iter_mut().skip(3).step_by(4).for_each(|a| *a = 255);
    let mut second = first.clone();
    second.pixels[4 * 5050] ^= 255;
    let one = |pictures: &[Picture]| {
        [
            written(|p, out| write_apng(p, pictures.len(), 25.0, out), pictures).len(),
            written(|p, out| write_webp(p, 25.0, out), pictures).len(),
            written(|p, out| write_gif(p, 25.0, out), pictures).len(),
        ]
    };
    let (alone, both) = (one(&[first.clone()]), one(&[first, second]));
    for (alone, both) in alone.iter().zip(both) {
        assert!(both < alone + 400, "{alone} then {both} bytes");
    }
}

#[test]
fn a_picture_that_cannot_be_made_ends_the_file_with_its_error() {
    let broken = || pictures().into_iter().take(1).map(Ok).chain([Err(io::Error::other("no"))]);
    let message = |result: io::Result<()>| result.expect_err("an error").to_string();
    assert_eq!(message(write_apng(broken(), 2, 25.0, Vec::new())), "no");
    assert_eq!(message(write_gif(broken(), 25.0, Vec::new())), "no");
    assert_eq!(message(write_webp(broken(), 25.0, Vec::new())), "no");
}

//! Textures from pictures: the same friction as the same relief in numbers; files that are none are refused by name.

use std::fs;
use std::sync::Arc;

use crate::scratch::Scratch;
use png::{BitDepth, ColorType, Encoder};
use stiction::contact::friction::NormalMap;
use stiction_scene::scene_file::{SceneFile, SceneFileError, Setup, Wishes};

/// A plane with a texture, in a folder.
fn build(scratch: &Scratch, texture: &str) -> Result<Setup, SceneFileError> {
    let scene = format!(
        "[[body]]\nname = \"floor\"\nobstacle = {{ plane = {{}} }}\nskin = {{ grain = \"x\", texture = {texture} }}\n\
         [[body]]\nname = \"cube\"\nrigid = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}\nplace = {{ move = [0, 0.05, \
         0] }}\n\
         [friction]\ncoefficient = 0.1\ntextures = true\n[method.impulse]\ntime_step = 0.01\n"
    );
    fs::write(scratch.join("scene.toml"), scene).expect("a scratch file");
    SceneFile::load(&scratch.join("scene.toml"), &Wishes::default())?.build()
}

#[track_caller]
fn map(scratch: &Scratch, texture: &str) -> Arc<NormalMap> {
    let setup = build(scratch, texture).unwrap_or_else(|error| panic!("{error}"));
    setup.scene.skins.values().find_map(|skin| skin.texture.clone()).expect("a texture")
}

fn encoded(
    [width, height]: [usize; 2],
    (colours, depth): (ColorType, BitDepth),
    data: &[u8],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(colours);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(data).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

/// A 16-bit picture of `c(column, row)`, rows from the top.
fn picture<const C: usize>(size: [usize; 2], c: impl Fn(usize, usize) -> [f64; C]) -> Vec<u8> {
    let pixels = (0..size[0] * size[1]).flat_map(|k| c(k % size[0], k / size[0]));
    let data: Vec<u8> = pixels.flat_map(|c| ((c * 65535.0).round() as u16).to_be_bytes()).collect();
    let colours = if C == 1 { ColorType::Grayscale } else { ColorType::Rgb };
    encoded(size, (colours, BitDepth::Sixteen), &data)
}

/// Colours of the normal `(−s, 1)`.
fn normal([su, sv]: [f64; 2]) -> [f64; 3] {
    let length = (1.0 + su * su + sv * sv).sqrt();
    [-su, -sv, 1.0].map(|x| 0.5 + 0.5 * x / length)
}

/// Along and across, forth and back, and askew.
const DIRECTIONS: [[f64; 2]; 6] =
    [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.6, 0.8], [-0.8, 0.6]];

#[track_caller]
fn assert_close(found: &NormalMap, expected: &NormalMap, directions: &[[f64; 2]]) {
    let mut largest: f64 = 0.0;
    for center in [[0.0, 0.0], [0.0031, 0.0017], [-0.0072, 0.0053], [0.0101, -0.0024]] {
        for &d in directions {
            let [found] = found.ploughing(center, [d]);
            let [expected] = expected.ploughing(center, [d]);
            assert!((found - expected).abs() < 1e-3, "{center:?} {d:?}: {found}, not {expected}");
            largest = largest.max(expected);
        }
    }
    assert!(largest > 0.05, "nothing was compared");
}

/// Grooves with a gentle and a steep side: both sides, both directions, and what is along them are told apart.
#[test]
fn grooves_in_a_normal_map_resist_as_saw_teeth() {
    let scratch = Scratch::new("texture_grooves");
    // One groove a picture; then 24 of them, as many as a contact has samples, which single texels would alias with.
    for (grooves, rows) in [(1, 64), (24, 24 * 8), (5, 100)] {
        let (pitch, height) = (0.004, 0.001);
        let teeth =
            format!("{{ sawtooth = {{ pitch = {pitch}, height = {height}, rise = 0.75 }} }}");
        let expected = map(&scratch, &teeth);
        let (tall, texels) = (pitch * f64::from(grooves), rows / grooves as usize);
        let slope = |row: usize| {
            let part = ((rows - 1 - row) % texels) as f64 / texels as f64;
            if part < 0.75 { height / (0.75 * pitch) } else { -height / (0.25 * pitch) }
        };
        fs::write(scratch.join("n.png"), picture([3, rows], |_, row| normal([0.0, slope(row)])))
            .expect("a scratch file");
        let found = map(
            &scratch,
            &format!("{{ normal_map = {{ image = \"n.png\", size = [{tall}, {tall}] }} }}"),
        );
        assert_close(&found, &expected, &DIRECTIONS);
        let [along, up, down] =
            found.ploughing([0.0; 2], [DIRECTIONS[0], DIRECTIONS[2], DIRECTIONS[3]]);
        assert!(along < 1e-4 && (up - down).abs() > 0.02, "{along} {up} {down}");
    }
}

const CELLS: [usize; 2] = [16, 12];
const SIZE: [f64; 2] = [0.02, 0.012];

/// Between 0 and 1, the same from no two sides.
fn height(i: usize, j: usize) -> f64 {
    let [x, y] = [(i, 0), (j, 1)].map(|(at, k)| (at % CELLS[k]) as f64 / CELLS[k] as f64);
    let wave = |x: f64| (std::f64::consts::TAU * x).sin();
    0.5 + 0.2 * wave(x) + 0.1 * wave(2.0 * x + 0.1) + 0.15 * wave(y) * wave(x + 0.3)
}

const HIGH: f64 = 0.012;

fn in_numbers(patch: f64) -> String {
    let row = |j: usize| {
        let heights: Vec<String> =
            (0..CELLS[0]).map(|i| format!("{:e}", HIGH * height(i, j))).collect();
        format!("[{}]", heights.join(", "))
    };
    let rows: Vec<String> = (0..CELLS[1]).map(row).collect();
    let [width, tall] = SIZE;
    format!(
        "{{ heights = {{ size = [{width}, {tall}], rows = [{}], patch = {patch} }} }}",
        rows.join(", ")
    )
}

/// The picture seen from outside is the relief: with patches of a few texels each place counts, not only means.
#[test]
fn pictures_lie_on_the_body_as_they_look() {
    let scratch = Scratch::new("texture_pictures");
    let [columns, rows] = CELLS;
    let heights = picture(CELLS, |column, row| [height(column, rows - 1 - row)]);
    let slopes = picture(CELLS, |i, row| {
        let j = rows - 1 - row;
        let [a, b, c, d] = [height(i, j), height(i + 1, j), height(i, j + 1), height(i + 1, j + 1)];
        let step = |k: usize| HIGH * CELLS[k] as f64 / SIZE[k];
        normal([0.5 * (b - a + d - c) * step(0), 0.5 * (c - a + d - b) * step(1)])
    });
    fs::write(scratch.join("h.png"), heights).expect("a scratch file");
    fs::write(scratch.join("n.png"), slopes).expect("a scratch file");
    let [width, tall] = SIZE;
    // The last patch has fewer samples than the picture has columns: texels are gathered.
    for patch in [0.002, 0.02, 0.05] {
        let expected = map(&scratch, &in_numbers(patch));
        let size = format!("size = [{width}, {tall}], patch = {patch}");
        let normals = map(&scratch, &format!("{{ normal_map = {{ image = \"n.png\", {size} }} }}"));
        let heights = map(
            &scratch,
            &format!("{{ height_map = {{ image = \"h.png\", height = {HIGH}, {size} }} }}"),
        );
        if patch < 0.03 {
            assert_close(&normals, &expected, &DIRECTIONS);
            assert_close(&heights, &expected, &DIRECTIONS);
        } else {
            assert!(normals != expected && columns > 9);
            assert_close(&normals, &heights, &DIRECTIONS);
        }
    }
}

/// Eight bits and transparency change little; the resolved scene is one again.
#[test]
fn flat_maps_of_eight_bits_resist_nothing() {
    let scratch = Scratch::new("texture_flat");
    let data = [128, 128, 255, 7].repeat(6);
    fs::write(scratch.join("flat.png"), encoded([3, 2], (ColorType::Rgba, BitDepth::Eight), &data))
        .expect("a scratch file");
    let setup = build(&scratch, "{ normal_map = { image = \"flat.png\", size = [0.01, 0.01] } }");
    let setup = setup.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(setup.inputs, ["flat.png"]);
    let map = setup.scene.skins.values().find_map(|skin| skin.texture.clone()).expect("a texture");
    assert!(map.ploughing([0.0; 2], DIRECTIONS).iter().all(|mu| *mu < 2e-5));
    let json = serde_json::to_string(&setup.resolved).expect("a scene can be written");
    fs::write(scratch.join("again.json"), json).expect("a scratch file");
    let again = SceneFile::load(&scratch.join("again.json"), &Wishes::default());
    let again = again.and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(setup.scene.skins, again.scene.skins);
}

const NORMALS: &str = "{ normal_map = { image = \"relief.png\", size = [0.01, 0.01] } }";
const HEIGHTS: &str =
    "{ height_map = { image = \"relief.png\", size = [0.01, 0.01], height = 0.001 } }";

#[test]
fn files_that_are_no_relief_are_refused_with_a_remedy() {
    let scratch = Scratch::new("texture_refused");
    let refused = |texture: &str, bytes: Option<&[u8]>, message: &str, help: &str| {
        let path = scratch.join("relief.png");
        match bytes {
            Some(bytes) => fs::write(&path, bytes).expect("a scratch file"),
            None => drop(fs::remove_file(&path)),
        }
        let error = build(&scratch, texture).map(drop).expect_err(message);
        let [problem] = error.problems() else { panic!("{error}") };
        assert!(problem.message.contains("relief.png"), "{error}");
        assert!(problem.message.contains(message), "{error}\nnot: {message}");
        assert!(
            problem.help.as_ref().is_some_and(|text| text.contains(help)),
            "{error}\nnot: {help}"
        );
    };
    let grey = picture([2, 2], |_, _| [0.5]);
    let flat = picture([2, 2], |_, _| normal([0.0; 2]));
    refused(NORMALS, None, "there is no file", "relative to the folder");
    refused(NORMALS, Some(b""), "is no sound PNG", "export it again");
    refused(NORMALS, Some(b"P6 2 2 255 "), "is no sound PNG", "export it again");
    refused(NORMALS, Some(&flat[..flat.len() - 30]), "is no sound PNG", "export it again");
    refused(NORMALS, Some(&grey), "is grey with 16 bits", "`height_map`");
    refused(HEIGHTS, Some(&flat), "is RGB with 16 bits", "`normal_map`");
    let coarse = encoded([8, 1], (ColorType::Grayscale, BitDepth::One), &[0x55]);
    refused(HEIGHTS, Some(&coarse), "is grey with 1 bits", "8 or 16 bits");
    let inwards =
        picture([2, 2], |i, j| if (i, j) == (1, 0) { [0.5; 3] } else { normal([0.0; 2]) });
    let inwards_too =
        picture([2, 2], |i, j| if (i, j) == (1, 0) { [0.5, 0.5, 0.2] } else { normal([0.0; 2]) });
    refused(NORMALS, Some(&inwards_too), "column 1, row 0 does not look outwards", "tangent-space");
    // A half is 32768 of 65535: just outwards, and as steep as nothing is, but a number.
    fs::write(scratch.join("relief.png"), inwards).expect("a scratch file");
    map(&scratch, NORMALS);
    let mut large = encoded([1, 1], (ColorType::Rgb, BitDepth::Eight), &[0; 3]);
    large[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    signed(&mut large);
    refused(NORMALS, Some(&large), "65536 × 65536 pixels", "scale it down");
}

/// Puts right the check sums of all chunks.
fn signed(png: &mut [u8]) {
    let mut at = 8;
    while at + 12 <= png.len() {
        let length = [0, 1, 2, 3].map(|k| png[at + k]);
        let end = at.saturating_add(8).saturating_add(u32::from_be_bytes(length) as usize);
        if end + 4 > png.len() {
            return;
        }
        let mut sum = flate2::Crc::new();
        sum.update(&png[at + 4..end]);
        png[end..end + 4].copy_from_slice(&sum.sum().to_be_bytes());
        at = end + 4;
    }
}

/// Every byte changed in two ways, with check sums that are wrong and right, and every length: a map, or an error
/// that names the file.
#[test]
fn no_bytes_make_the_reader_panic() {
    let scratch = Scratch::new("texture_broken");
    let sound = picture([5, 4], |i, j| normal([0.1 * i as f64, -0.2 * j as f64]));
    let mut refused = 0;
    let mut check = |bytes: &[u8]| {
        fs::write(scratch.join("relief.png"), bytes).expect("a scratch file");
        if let Err(error) = build(&scratch, NORMALS) {
            assert!(error.to_string().contains("relief.png"), "{error}");
            refused += 1;
        }
    };
    for at in 0..sound.len() {
        check(&sound[..at]);
        for change in [0x01, 0xff] {
            let mut broken = sound.clone();
            broken[at] ^= change;
            check(&broken);
            signed(&mut broken);
            check(&broken);
        }
    }
    assert!(refused > 2 * sound.len(), "{refused}");
}

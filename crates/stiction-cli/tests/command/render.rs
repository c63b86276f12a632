//! `stiction render`: pictures show what was asked for, in files that others can read.

use std::io::Cursor;

use crate::common::{Folder, Ran};

/// A block that is thrown along a floor, before a wall.
const BLOCK: &str = r#"
duration = 0.2
friction = 0.3
[[body]]
name = "floor"
obstacle = { plane = { normal = "y" } }
[[body]]
name = "block"
solid = { box = { size = [0.2, 0.1, 0.1], cells = [2, 1, 1] } }
material = "rubber"
place = { move = [0.0, 0.0505, 0.0] }
velocity = [1.0, 0.0, 0.0]
[[body]]
name = "wall"
obstacle = { box = { size = [0.02, 0.2, 0.2] } }
place = { move = [0.5, 0.1, 0.0] }
[method.smooth]
time_step = 0.01
[output]
frame_rate = 50
"#;

const SMALL: [&str; 2] = ["--size", "160x90"];

/// A folder with a run called `run`.
fn with_run() -> Folder {
    let folder = Folder::new();
    folder.write("block.toml", BLOCK);
    folder.done(&["run", "block.toml", "-q", "--out", "run"]);
    folder
}

fn render(folder: &Folder, arguments: &[&str]) -> Ran {
    folder.done(&[&["render", "run"][..], &SMALL, arguments].concat())
}

/// Width, height and pixels, four bytes each.
fn read(folder: &Folder, name: &str) -> (u32, u32, Vec<[u8; 4]>) {
    let mut decoder = png::Decoder::new(Cursor::new(folder.read(name)));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    (info.width, info.height, bytes.as_chunks::<4>().0.to_vec())
}

fn pixels(folder: &Folder, arguments: &[&str]) -> Vec<[u8; 4]> {
    render(folder, &[arguments, &["-o", "a.png"]].concat());
    read(folder, "a.png").2
}

#[track_caller]
fn refused(folder: &Folder, arguments: &[&str], code: i32, says: &[&str]) {
    let ran = folder.run(&[&["render", "run"][..], arguments].concat());
    assert_eq!(ran.code, code, "{}", ran.stderr);
    for word in says {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
}

/// Pixels of about this colour, whatever the light.
fn like(pixels: &[[u8; 4]], is: fn([i32; 3]) -> bool) -> usize {
    pixels.iter().filter(|p| is([p[0], p[1], p[2]].map(i32::from))).count()
}

const ORANGE: fn([i32; 3]) -> bool = |[r, g, b]| r > g + 30 && g > b + 20;

#[test]
fn the_last_frame_is_drawn_into_the_folder_of_the_run() {
    let folder = with_run();
    let ran = render(&folder, &[]);
    assert!(ran.stdout.starts_with("run/pictures/frame-0010.png: 1 frame, "), "{}", ran.stdout);
    let (width, height, pixels) = read(&folder, "run/pictures/frame-0010.png");
    assert_eq!((width, height), (160, 90));
    assert!(like(&pixels, ORANGE) > 300, "the block is there");
    assert!(pixels.contains(&[255; 4]), "on paper");
    let ran = folder.done(&["render", "run", "--size", "32x32", "--json"]);
    let events = ran.events();
    let event = events.last().expect("an event");
    assert_eq!((event["event"].as_str(), event["frames"].as_u64()), (Some("rendered"), Some(1)));
}

#[test]
fn frames_are_chosen_by_number_or_time() {
    let folder = with_run();
    let frame = |arguments: &[&str]| pixels(&folder, arguments);
    let fifth = frame(&["--frame", "5"]);
    assert!(fifth == frame(&["--time", "0.104"]));
    assert!(fifth != frame(&[]));
    assert!(frame(&["--frame", "10"]) == frame(&["--time", "99"]));
    // The camera stands still, so that the block moves to the right.
    let middle = |pixels: &[[u8; 4]]| {
        let places: Vec<usize> = (0..pixels.len())
            .filter(|&k| like(&pixels[k..=k], ORANGE) == 1)
            .map(|k| k % 160)
            .collect();
        places.iter().sum::<usize>() as f64 / places.len() as f64
    };
    assert!(middle(&frame(&[])) > middle(&frame(&["--frame", "0"])) + 5.0);
    refused(&folder, &["--frame", "11"], 1, &["no frame 11", "from 0 to 10"]);
    refused(&folder, &["--frame", "1", "--time", "0"], 2, &["cannot be used with"]);
}

#[test]
fn colours_follow_a_quantity_and_its_range() {
    let folder = with_run();
    let plain = pixels(&folder, &[]);
    let speed = pixels(&folder, &["--color-by", "speed", "--frame", "0"]);
    assert!(like(&speed, ORANGE) < like(&plain, ORANGE) / 4);
    // All of it moves at 1 m/s: the top of the colours, or the bottom of a larger range.
    let yellow: fn([i32; 3]) -> bool = |[r, g, b]| r > b + 60 && g > b + 60;
    let purple: fn([i32; 3]) -> bool = |[r, g, b]| b > g + 20 && r > g + 5;
    let slow = pixels(&folder, &["--color-by", "speed", "--frame", "0", "--range", "0.99:50"]);
    assert!(like(&speed, yellow) > like(&slow, yellow) + 200);
    assert!(like(&slow, purple) > like(&speed, purple) + 200);
    let teal: fn([i32; 3]) -> bool = |[r, g, b]| g > r + 40 && b > r + 40;
    let middle = pixels(&folder, &["--color-by", "speed", "--frame", "0", "--range", "0.9:1.1"]);
    assert!(
        like(&middle, teal) > like(&speed, teal) + 200
            && like(&middle, yellow) < like(&speed, yellow)
    );
    let bare = pixels(&folder, &["--color-by", "speed", "--frame", "0", "--no-legend"]);
    // The bar of the legend ends in purple, which nothing in the picture has.
    assert!(like(&speed, purple) > 3 && like(&bare, purple) == 0);
    assert!(pixels(&folder, &["--color-by", "body"]) == plain);
}

#[test]
fn what_the_run_does_not_have_is_refused_with_what_it_has() {
    let folder = with_run();
    refused(
        &folder,
        &["--color-by", "sped"],
        1,
        &["no quantity called `sped`", "did you mean `speed`?", "von_mises"],
    );
    refused(&folder, &["--arrows", "velocty"], 1, &["did you mean `velocity`?"]);
    refused(
        &folder,
        &["--hide", "blok"],
        1,
        &["no body called `blok`", "did you mean `block`?", "wall"],
    );
    refused(&folder, &["-o", "a.jpg"], 1, &["pictures are PNG", "end the name with .png"]);
    refused(&folder, &["--animate", "a.avi"], 1, &[".gif, .webp, .png or .mp4"]);
    refused(&folder, &["--animate", "a.gif", "--speed", "0"], 1, &["--speed 0", "real time"]);
    refused(&folder, &["--size", "10x10"], 2, &["16 to 16383"]);
    refused(&folder, &["--size", "big"], 2, &["1280x720"]);
    refused(&folder, &["--sheet", "0"], 2, &["1 to 50"]);
    refused(&folder, &["--camera", "azimut=3"], 2, &["did you mean azimuth?"]);
    refused(&folder, &["--camera", "fov=500"], 2, &["`500` makes no sense for fov"]);
    refused(&folder, &["--clip", "w<3"], 2, &["x<0.1"]);
    refused(&folder, &["--color-by", "speed", "--range", "2:1"], 2, &["to a larger one"]);
    let ran = folder.run(&["render", "nowhere"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("nowhere") && ran.stderr.contains("help:"), "{}", ran.stderr);
}

#[test]
fn bodies_can_be_hidden_cut_wired_and_pointed_at() {
    let folder = with_run();
    let plain = pixels(&folder, &[]);
    assert!(like(&pixels(&folder, &["--hide", "block"]), ORANGE) < 20);
    assert!(like(&pixels(&folder, &["--hide", "wall", "--hide", "floor"]), ORANGE) > 200);
    let all = like(&plain, ORANGE);
    // Half of the block is cut away, at the far or at the near side, and the cut is closed.
    let near = like(&pixels(&folder, &["--clip", "z<0"]), ORANGE);
    let far = like(&pixels(&folder, &["--clip", "z > 0"]), ORANGE);
    assert!(
        near < all && far < all && near > all / 3 && far > all / 3,
        "{near} and {far} of {all}"
    );
    assert!(like(&pixels(&folder, &["--clip", "0,1,0>1"]), ORANGE) < 20, "nothing is left");
    let darker = |pixels: &[[u8; 4]]| {
        pixels.iter().zip(&plain).filter(|(a, b)| i32::from(a[0]) + 30 < i32::from(b[0])).count()
    };
    assert!(darker(&pixels(&folder, &["--wireframe"])) > 30);
    assert!(darker(&pixels(&folder, &["--arrows", "velocity", "--no-legend"])) > 10);
}

#[test]
fn cameras_do_as_they_are_told() {
    let folder = with_run();
    let size = |camera: &str| like(&pixels(&folder, &["--camera", camera]), ORANGE) as f64;
    let fitted = size("azimuth=30");
    assert!(size("azimuth=30,zoom=0.5") < 0.4 * fitted);
    assert!(size("azimuth=30,distance=100") < 20.0);
    assert!(size("azimuth=30,fit=frame") > fitted);
    assert!(size("at=50:0:0") < 20.0, "it looks elsewhere");
    assert!(size("fov=60,azimuth=30") > 0.5 * fitted, "and comes nearer");
}

#[test]
fn a_sheet_shows_frames_side_by_side() {
    let folder = with_run();
    let ran =
        folder.done(&["render", "run", "--sheet", "3x2", "--size", "301x200", "-o", "new/s.png"]);
    assert!(ran.stdout.contains("6 frames"), "{}", ran.stdout);
    let (width, height, sheet) = read(&folder, "new/s.png");
    assert_eq!((width, height), (300, 200));
    folder.done(&[
        "render", "run", "--frame", "2", "--size", "100x100", "--stamp", "always", "-o", "a.png",
    ]);
    let (.., second) = read(&folder, "a.png");
    for y in 0..100 {
        assert_eq!(sheet[300 * y + 100..300 * y + 200], second[100 * y..100 * y + 100]);
    }
    let ran = folder.done(&[
        "render",
        "run",
        "--sheet",
        "99",
        "--size",
        "800x800",
        "--background",
        "dark",
    ]);
    assert!(
        ran.stdout.contains("run/pictures/sheet.png: 11 frames"),
        "no more than there are: {}",
        ran.stdout
    );
}

#[test]
fn moving_pictures_can_be_read_by_others() {
    let folder = with_run();
    // 0.2 s at 25 a second and half speed: 11 pictures.
    for name in ["a.gif", "a.webp", "b/a.png"] {
        let ran = render(&folder, &["--animate", name, "--speed", "0.5"]);
        assert!(ran.stdout.contains("11 frames"), "{}", ran.stdout);
    }
    let mut gif =
        gif::DecodeOptions::new().read_info(Cursor::new(folder.read("a.gif"))).expect("a GIF");
    let mut count = 0;
    while gif.read_next_frame().expect("a frame").is_some() {
        count += 1;
    }
    assert_eq!((gif.width(), gif.height(), count), (160, 90, 11));
    let webp = image_webp::WebPDecoder::new(Cursor::new(folder.read("a.webp"))).expect("a WebP");
    assert_eq!((webp.dimensions(), webp.num_frames(), webp.loop_duration()), ((160, 90), 11, 440));
    let png = png::Decoder::new(Cursor::new(folder.read("b/a.png"))).read_info().expect("a PNG");
    assert_eq!(png.info().animation_control().map(|control| control.num_frames), Some(11));
    assert_eq!(
        std::fs::read_dir(folder.path().join("b")).expect("the folder").count(),
        1,
        "nothing is left"
    );
}

#[test]
fn mp4_without_ffmpeg_says_what_to_do() {
    let folder = with_run();
    let mut command = folder.command(&["render", "run", "--animate", "a.mp4", "--size", "32x32"]);
    let ran: Ran = command.env("PATH", folder.path()).output().expect("it starts").into();
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("ffmpeg was not found"), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: install ffmpeg, or choose .webp"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn ffmpeg_is_given_all_pictures_and_its_errors_are_passed_on() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = with_run();
    let with = |script: &str| -> Ran {
        folder.write("ffmpeg", &format!("#!/bin/sh\n{script}\n"));
        let path = folder.path().join("ffmpeg");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script");
        let mut command =
            folder.command(&["render", "run", "--animate", "a.mp4", "--size", "33x33"]);
        let search = format!("{}:/usr/bin:/bin", folder.path().display());
        command.env("PATH", search).output().expect("it starts").into()
    };
    let ran = with("for last; do :; done; cat > \"$last\"");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // Six pictures in 0.2 s, of an even size.
    assert_eq!(folder.read("a.mp4").len(), 6 * 3 * 32 * 32);
    let ran = with("echo no such codec >&2; exit 3");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("ffmpeg failed: no such codec"), "{}", ran.stderr);
}

#[test]
fn a_picture_is_the_same_for_any_number_of_threads_and_small_ones_are_small() {
    let folder = with_run();
    let draw = |threads: &str, out: &str| {
        folder.done(&["render", "run", "--size", "320x180", "--threads", threads, "-o", out]);
        folder.read(out)
    };
    let one = draw("1", "one.png");
    assert!(one == draw("3", "three.png"));
    folder.done(&["render", "run", "--size", "320x180", "--small", "-o", "small.png"]);
    let small = folder.read("small.png");
    assert!(small.len() < one.len(), "{} of {}", small.len(), one.len());
    let (near, far) = (read(&folder, "one.png").2, read(&folder, "small.png").2);
    let off = |(a, b): (&[u8; 4], &[u8; 4])| {
        f64::from((0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap_or(0))
    };
    let mean = near.iter().zip(&far).map(off).sum::<f64>() / near.len() as f64;
    assert!(mean < 1.5, "{mean} off");
}

#[test]
fn clear_paper_can_be_seen_through() {
    let folder = with_run();
    let clear = pixels(&folder, &["--background", "clear"]);
    assert_eq!(clear[0][3], 0);
    assert!(clear.iter().filter(|p| p[3] == 255).count() > 200, "the block cannot");
    let dark = pixels(&folder, &["--background", "dark"]);
    assert!(dark[0][0] < 40 && dark[0][3] == 255);
}

#[test]
fn contacts_have_colours_and_normals() {
    let folder = with_run();
    let states = pixels(
        &folder,
        &["--color-by", "contact_state", "--clip", "y<0.04", "--camera", "elevation=60"],
    );
    assert!(like(&states, ORANGE) > 20, "the legend at least");
    render(&folder, &["--arrows", "contact_normal", "--color-by", "gap", "-o", "gap.png"]);
}

//! Silhouettes and shadows are where geometry says, and nothing depends on threads.

use stiction_render::{Ground, Paint, Picture, Settings, Stage, Studio, Surface, Vec3, draw};

use crate::common::{FLOOR, ball, ball_on_floor, brightness, settings, square};

fn picture(stage: &Stage, settings: &Settings) -> Picture {
    draw(stage, settings, |_| {})
}

#[test]
fn a_ball_covers_the_disk_that_projective_geometry_says() {
    let stage = Stage { surfaces: vec![ball(Vec3::zeros(), 0.5, [0.5; 3])], grounds: Vec::new() };
    let mut settings = settings([300, 200], Vec3::zeros(), 3.0, 0.0);
    settings.studio = Studio::CLEAR;
    let picture = picture(&stage, &settings);
    // A cone of half-angle asin(r/d) around the axis.
    let radius = (0.5_f32 / 3.0).asin().tan() / 15.0_f32.to_radians().tan() * 100.0;
    let cover: f32 = picture.pixels.iter().skip(3).step_by(4).map(|&a| f32::from(a) / 255.0).sum();
    let expected = std::f32::consts::PI * radius * radius;
    assert!((cover / expected - 1.0).abs() < 0.004, "{cover} pixels, not {expected}");
    for (x, y) in [(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.6, 0.8)] {
        let opacity = |r: f32| {
            let (x, y) = (150.0 + x * r, 100.0 + y * r);
            picture.pixel(x as usize, y as usize)[3]
        };
        assert_eq!((opacity(radius - 1.5), opacity(radius + 1.5)), (255, 0));
    }
    // Not a staircase: many pixels at the rim are covered in part.
    let partly = picture.pixels.iter().skip(3).step_by(4).filter(|a| (1..255).contains(*a)).count();
    assert!(partly as f32 > 4.0 * radius, "{partly} pixels");
}

#[test]
fn a_ball_casts_its_shadow_away_from_the_sun() {
    let mut settings = settings([300, 300], Vec3::zeros(), 8.0, 50.0);
    settings.studio.sun_at = [-90.0, 45.0]; // from the left
    settings.studio.sun_width = 0.05;
    let drawn = picture(&ball_on_floor(), &settings);
    let empty = picture(&Stage { surfaces: Vec::new(), ..ball_on_floor() }, &settings);
    let share = |at: Vec3| {
        let ([x, y], _) = settings.camera.project(&at).expect("seen");
        let [x, y] = [x, y].map(|c| (c * 300.0) as usize);
        brightness(drawn.pixel(x, y)) / brightness(empty.pixel(x, y))
    };
    // Its centre is 0.6 above the floor: the middle of the shadow is 0.6 to the right, its end √2/2 farther.
    let behind = Vec3::new(0.9, 0.0, 0.0);
    assert!(share(behind) < 0.75, "{}", share(behind));
    let end = |x: f32| share(Vec3::new(0.6 + 0.5 * 2.0_f32.sqrt() + x, 0.0, 0.0));
    assert!(end(-0.1) < 0.8 && end(0.12) > 0.9, "{} {}", end(-0.1), end(0.12));
    assert!(share(Vec3::new(-1.6, 0.0, 0.0)) > 0.95);
    // Only dimmed by what is near on the side of the sun.
    assert!(share(Vec3::new(-0.7, 0.0, 0.0)) > share(behind) + 0.1);
}

#[test]
fn arrows_cast_no_shadow() {
    let settings = settings([100, 100], Vec3::zeros(), 5.0, 60.0);
    let stage = |casts: bool| {
        let roof = Surface { casts, ..square(Vec3::new(0.0, 1.2, -0.5), 0.5, [0.5; 3]) };
        Stage { surfaces: vec![roof], grounds: vec![FLOOR] }
    };
    let below = |casts: bool| {
        let picture = picture(&stage(casts), &settings);
        picture.pixels.iter().map(|&c| u64::from(c)).sum::<u64>()
    };
    assert!(below(false) > below(true) + 10_000);
}

#[test]
fn marks_shine_through_only_if_they_may() {
    let settings = settings([60, 60], Vec3::zeros(), 5.0, 0.0);
    let drawn = |through: bool| {
        let mark = Surface { casts: false, through, ..ball(Vec3::zeros(), 0.1, [0.0; 3]) };
        let stage =
            Stage { surfaces: vec![ball(Vec3::zeros(), 0.5, [0.8; 3]), mark], grounds: Vec::new() };
        picture(&stage, &settings)
    };
    let (hidden, shining) = (drawn(false), drawn(true));
    assert!(brightness(shining.pixel(30, 30)) < 0.9 * brightness(hidden.pixel(30, 30)));
    assert_eq!(shining.pixel(24, 30), hidden.pixel(24, 30), "beside it");
}

#[test]
fn both_sides_of_cloth_are_lit_alike() {
    let cloth = square(Vec3::zeros(), 0.5, [0.5; 3]);
    let turned = Surface {
        triangles: cloth.triangles.iter().map(|t| [t[0], t[2], t[1]]).collect(),
        ..cloth.clone()
    };
    let settings = settings([80, 60], Vec3::zeros(), 3.0, 40.0);
    let draw = |surface: Surface| {
        picture(&Stage { surfaces: vec![surface], grounds: Vec::new() }, &settings)
    };
    assert!(draw(cloth) == draw(turned));
}

#[test]
fn open_ground_is_as_bright_as_the_paper_says_and_fades_into_it() {
    let settings = settings([200, 100], Vec3::zeros(), 6.0, 17.0);
    let picture = picture(&Stage { surfaces: Vec::new(), grounds: vec![FLOOR] }, &settings);
    assert_eq!(picture.pixel(100, 0), [255; 4], "paper");
    let ground = Studio::LIGHT.ground.map(|c| (stiction_render::encoded(c) * 255.0).round() as u8);
    assert_eq!(picture.pixel(100, 50)[..3], ground);
    let column: Vec<f32> = (0..50).map(|y| brightness(picture.pixel(100, y))).collect();
    assert!(column.windows(2).all(|pair| pair[1] <= pair[0] + 1e-6), "never darker farther away");
}

#[test]
fn a_ground_is_not_there_from_behind() {
    let settings = settings([50, 50], Vec3::zeros(), 6.0, -30.0);
    let picture = picture(&Stage { surfaces: Vec::new(), grounds: vec![FLOOR] }, &settings);
    assert!(picture.pixels.iter().all(|&c| c == 255));
}

#[test]
fn a_clear_picture_laid_on_white_keeps_its_shadow() {
    let mut settings = settings([120, 120], Vec3::zeros(), 7.0, 40.0);
    settings.studio = Studio::CLEAR;
    let picture = picture(&ball_on_floor(), &settings);
    assert_eq!(picture.pixel(0, 0)[3], 0);
    assert!(!picture.is_opaque());
    let shadow = picture.pixels.as_chunks::<4>().0.iter().filter(|p| p[..3] == [0; 3] && p[3] > 30);
    assert!(shadow.count() > 100);
}

#[test]
fn numbers_are_blended_and_colours_of_triangles_are_not() {
    let mut cloth = square(Vec3::zeros(), 1.0, [0.5; 3]);
    cloth.paint = Paint::Triangles(vec![[0.8, 0.0, 0.0], [0.0, 0.0, 0.8]]);
    let settings = settings([100, 100], Vec3::zeros(), 3.0, 89.0);
    let stage = |surface: &Surface| Stage { surfaces: vec![surface.clone()], grounds: Vec::new() };
    let flat = picture(&stage(&cloth), &settings);
    // The first triangle is on the left, in front.
    let ([left, right], blue_is_right) =
        ([flat.pixel(35, 60), flat.pixel(65, 40)], |p: [u8; 4]| p[2] > p[0]);
    assert!(!blue_is_right(left) && blue_is_right(right), "{left:?} {right:?}");
    let (colours, none) = (vec![[0.0; 3], [0.2; 3], [0.8; 3]], [0.0, 0.6, 0.0]);
    let map = |numbers: [f32; 4]| Paint::Map {
        colours: colours.clone(),
        numbers: numbers.to_vec(),
        none,
    };
    cloth.paint = map([0.0, 0.0, 1.0, 1.0]);
    let smooth = picture(&stage(&cloth), &settings);
    let row: Vec<f32> = (30..70).map(|x| brightness(smooth.pixel(x, 50))).collect();
    assert!(row.windows(2).all(|pair| pair[1] > pair[0] && pair[1] - pair[0] < 0.05), "{row:?}");
    // Where a corner has no number, its triangle has none: here the one on the right.
    cloth.paint = map([0.5, 0.5, 0.5, f32::NAN]);
    let partly = picture(&stage(&cloth), &settings);
    let green = |[r, g, b, _]: [u8; 4]| g > r && g > b;
    assert!(!green(partly.pixel(35, 60)) && green(partly.pixel(65, 40)));
}

#[test]
fn wires_darken_edges_only() {
    let mut cloth = square(Vec3::zeros(), 1.0, [0.5; 3]);
    let settings = settings([100, 100], Vec3::zeros(), 3.0, 89.0);
    let stage = |surface: &Surface| Stage { surfaces: vec![surface.clone()], grounds: Vec::new() };
    let plain = picture(&stage(&cloth), &settings);
    cloth.wires = true;
    let wired = picture(&stage(&cloth), &settings);
    assert_eq!(plain.pixel(30, 60), wired.pixel(30, 60));
    // The diagonal runs from the left far corner to the right near one.
    assert!(brightness(wired.pixel(50, 50)) < 0.8 * brightness(plain.pixel(50, 50)));
}

#[test]
fn the_same_bits_come_from_any_number_of_threads() {
    let settings = settings([150, 140], Vec3::new(0.0, 0.3, 0.0), 4.0, 25.0);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| picture(&ball_on_floor(), &settings))
    };
    let one = with(1);
    assert!(one == with(2) && one == with(5));
}

#[test]
fn light_has_no_grain() {
    let settings = settings([240, 160], Vec3::new(0.0, 0.4, 0.0), 5.0, 35.0);
    let picture = picture(&ball_on_floor(), &settings);
    let at = |x: usize, y: usize| f32::from(picture.pixel(x, y)[1]);
    // Around places on the lit side of the ball, in its shadow and at the soft edge of it, brightness bends slowly.
    for place in [[-0.1, 0.8, 0.4], [0.75, 0.0, 0.0], [1.05, 0.0, -0.1], [-0.5, 0.0, 0.5]] {
        let ([x, y], _) = settings.camera.project(&Vec3::from(place)).expect("seen");
        let (x, y) = ((x * 240.0) as usize, (y * 160.0) as usize);
        for k in 0..80 {
            let (x, y) = (x - 5 + k % 10, y - 4 + k / 10);
            let bend = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4.0 * at(x, y);
            assert!(bend.abs() <= 5.0, "{bend} at {x}, {y}, near {place:?}");
        }
    }
}

#[test]
fn a_ceiling_seen_from_above_takes_no_light() {
    let settings = settings([60, 60], Vec3::zeros(), 5.0, 60.0);
    let ceiling = Ground { normal: -Vec3::y(), offset: -0.52 };
    let ball = ball(Vec3::zeros(), 0.5, [0.7; 3]);
    let stage = |grounds: Vec<Ground>| Stage { surfaces: vec![ball.clone()], grounds };
    assert!(picture(&stage(vec![ceiling]), &settings) == picture(&stage(Vec::new()), &settings));
}

#[test]
fn progress_ends_at_one() {
    let mut told = Vec::new();
    draw(&ball_on_floor(), &settings([40, 150], Vec3::zeros(), 5.0, 25.0), |share| {
        told.push(share)
    });
    assert!(told.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(told.last(), Some(&1.0));
}

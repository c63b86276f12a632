//! Semicircular arches of 25 dry stones. With infinitely many stones and no sliding, the thinnest that stands has a
//! thickness of 0.1075 of its radius (Milankovitch 1907); where friction is below about 0.3, the stones slide.

use std::f64::consts::PI;
use std::fmt::Write as _;
use std::fs;

use crate::scratch::Scratch;
use stiction_scene::scene_file::{SceneFile, Wishes};

const STONES: usize = 25;

/// Corners of a stone at the top of an arch of radius 1 m: low and high, left and right, front and back [m].
fn stone(thickness: f64) -> Vec<[f64; 3]> {
    let half = 0.5 * PI / STONES as f64;
    let radii = [1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness];
    let corners = radii.into_iter().flat_map(|radius| {
        [-1.0, 1.0].map(|side| [side * radius * half.sin(), radius * half.cos()])
    });
    corners.flat_map(|[x, y]| [[x, y, -0.15], [x, y, 0.15]]).collect()
}

/// Its twelve triangles.
fn obj(corners: &[[f64; 3]]) -> String {
    let mut text = String::new();
    for [x, y, z] in corners {
        writeln!(text, "v {x} {y} {z}").expect("to memory");
    }
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3]];
    for [a, b, c, d] in sides.map(|side| side.map(|v: usize| v + 1)) {
        writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").expect("to memory");
    }
    text
}

/// How far the key stone comes down [m], and the most by which energy grows over what it was before [J], of how much.
fn simulated(mesh: bool, thickness: f64, friction: f64, method: &str, until: f64) -> [f64; 2] {
    let scratch = Scratch::new(&format!("arch-{mesh}-{thickness}-{friction}-{method}"));
    let corners = stone(thickness);
    fs::write(scratch.join("stone.obj"), obj(&corners)).expect("a scratch file");
    let shape = match mesh {
        true => "{ mesh = \"stone.obj\" }".to_owned(),
        false => format!("{{ hull = {{ points = {corners:?} }} }}"),
    };
    let mut scene = format!(
        "duration = {until}\nfriction = {friction}\n[method.{method}]\ntime_step = 0.005\n\
         [[body]]\nname = \"ground\"\nobstacle = {{ plane = {{}} }}\n"
    );
    for k in 0..STONES {
        let degrees = 90.0 - 180.0 * (k as f64 + 0.5) / STONES as f64;
        write!(
            scene,
            "[[body]]\nname = \"s{k}\"\nrigid = {shape}\ndensity = 2000\n\
             place = {{ rotate = {{ axis = \"z\", degrees = {degrees} }} }}\n"
        )
        .expect("to memory");
    }
    fs::write(scratch.join("scene.toml"), scene).expect("a scratch file");
    let file = SceneFile::load(&scratch.join("scene.toml"), &Wishes::default());
    let mut setup = file.and_then(|file| file.build()).unwrap_or_else(|error| panic!("{error}"));
    let key = setup.scene.ids().nth(1 + STONES / 2).expect("the key");
    let height = |setup: &stiction_scene::scene_file::Setup| {
        setup.simulation.rigid_state(key).expect("rigid").center.y
    };
    let start = height(&setup);
    let (mut least, mut grown) = (setup.simulation.energies().total(), 0.0_f64);
    for _ in 0..setup.steps {
        setup.simulation.step();
        let energy = setup.simulation.energies().total();
        (grown, least) = (grown.max(energy - least), least.min(energy));
    }
    [start - height(&setup), grown]
}

#[test]
fn arches_of_25_stones_stand_and_fall_as_lines_of_thrust_say() {
    for mesh in [false, true] {
        let [stands, grown] = simulated(mesh, 0.15, 0.5, "impulse", 0.5);
        assert!(stands.abs() < 1e-3, "0.15 thick, friction 0.5: down by {stands} m");
        assert!(grown < 1e-2, "energy grew by {grown} J of 1762 J");
        let [thin, _] = simulated(mesh, 0.09, 0.5, "impulse", 1.0);
        assert!(thin > 0.05, "0.09 thick: down by {thin} m only");
        let [slides, _] = simulated(mesh, 0.15, 0.2, "impulse", 0.5);
        assert!(slides > 0.05, "friction 0.2: down by {slides} m only");
    }
}

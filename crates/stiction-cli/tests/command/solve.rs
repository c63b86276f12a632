//! `stiction solve`: problems of scenes and files, by solvers of both kinds; and `stiction compare`.

use crate::common::{Folder, Ran};

/// A tower of four boxes that somebody pushes.
const TOWER: &str = r#"
title = "Small tower"
duration = 0.02
friction = 0.5
gravity = [1.0, -9.81, 0.0]
[[body]]
name = "ground"
obstacle = { plane = {} }
[[body]]
name = "box"
rigid = { box = { size = [0.1, 0.1, 0.1] } }
place = { move = [0.0, 0.05, 0.0] }
copies = { count = [1, 4, 1], spacing = [0.1, 0.1, 0.1] }
[method.impulse]
time_step = 0.01
[output]
frame_rate = 100
"#;

/// `solved` events by solver.
fn solved(ran: &Ran) -> Vec<serde_json::Value> {
    ran.events().into_iter().filter(|event| event["event"] == "solved").collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("tower.toml", TOWER);
    folder
}

#[test]
fn a_problem_goes_through_files_and_every_solver_takes_it() {
    let folder = folder();
    let ran =
        folder.run(&["--json", "solve", "tower.toml", "--save", "tower.hdf5", "--save", "x.json"]);
    assert_eq!(ran.code, 2, "one file: {}", ran.stderr);
    let ran = folder.done(&["--json", "solve", "tower.toml", "--save", "tower.hdf5"]);
    let energy = solved(&ran)[0]["energy"].as_f64().expect("a number");
    assert!(energy < 0.0, "contacts take energy: {energy}");
    let ran =
        folder.done(&["--json", "solve", "tower.hdf5", "--from-solution", "--save", "tower.json"]);
    assert_eq!(solved(&ran)[0]["iterations"], 0, "it is solved already");
    let ran = folder.run(&[
        "--json",
        "solve",
        "tower.json",
        "--cold",
        "--solvers",
        "all",
        "--iterations",
        "3000",
        "--tolerance",
        "1e-6",
        "-o",
        "page.html",
        "-o",
        "curves.csv",
    ]);
    // Some stop short, which is what was asked.
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let all = solved(&ran);
    assert_eq!(all.len(), 15);
    let arrived: Vec<_> = all.iter().filter(|one| one["status"] == "converged").collect();
    assert!(arrived.len() >= 10, "{all:#?}");
    for one in &arrived {
        // One velocity, whatever the impulses: so one energy.
        let other = one["energy"].as_f64().expect("a number");
        assert!((other - energy).abs() < 1e-6, "{one}");
        assert_eq!(
            one["open"]
                .as_u64()
                .zip(one["slide"].as_u64())
                .map(|(a, b)| a + b + one["stick"].as_u64().unwrap()),
            Some(16)
        );
    }
    let page = String::from_utf8(folder.read("page.html")).expect("text");
    for words in [
        "By iteration",
        "By time",
        "Fischer–Burmeister",
        "Alart–Curnier",
        "error of the energy",
        "angle [°]",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(&page, options).expect("it is XML");
    let csv = String::from_utf8(folder.read("curves.csv")).expect("text");
    assert!(csv.lines().all(|line| line.split(',').count() == 8), "{csv}");
}

#[test]
fn friction_may_become_linear_and_linear_solvers_take_it() {
    let folder = folder();
    for (friction, least) in [("box", 14), ("polygon", 1), ("none", 16)] {
        let ran = folder.run(&[
            "--json",
            "solve",
            "tower.toml",
            "--friction",
            friction,
            "--solvers",
            "all",
            "--iterations",
            "5000",
            "--tolerance",
            "1e-6",
            "--save",
            "linear.json",
        ]);
        assert!([0, 3].contains(&ran.code), "{}", ran.stderr);
        let all = solved(&ran);
        assert_eq!(all.len(), 20);
        let arrived = all.iter().filter(|one| one["status"] == "converged").count();
        assert!(arrived >= least, "{friction}: {arrived}\n{all:#?}");
        let ran = folder.done(&[
            "--json",
            "solve",
            "linear.json",
            "--from-solution",
            "--solver",
            "lemke",
            "--tolerance",
            "1e-6",
        ]);
        assert_eq!(solved(&ran)[0]["iterations"], 0, "it is solved already");
    }
    let ran = folder.run(&["solve", "linear.json", "--solver", "apgd"]);
    assert!(ran.stderr.contains("there is no solver `apgd` for linear problems"), "{}", ran.stderr);
    let ran = folder.run(&["solve", "linear.json", "--save", "linear.hdf5"]);
    assert!(ran.stderr.contains("help: write linear problems to .json"), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_solved_is_said_with_a_remedy() {
    let folder = folder();
    folder.write("smooth.toml", &TOWER.replace("[method.impulse]", "[method.smooth]"));
    folder.write("other.hdf5", "not HDF5");
    folder.write("other.json", "{ \"format\": \"poem\", \"version\": 1 }");
    for (arguments, expected) in [
        (["solve", "smooth.toml"], "it needs the impulse method"),
        (["solve", "other.hdf5"], "help: see whether `h5dump` can read it"),
        (["solve", "other.json"], "it says it is `poem`"),
        (["solve", "towr"], "did you mean the scene `tower`?"),
    ] {
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains(expected), "{arguments:?}\n{}", ran.stderr);
    }
    let ran = folder.run(&["solve", "tower.toml", "--solver", "gaus-seidel"]);
    assert!(ran.stderr.contains("did you mean `gauss-seidel`?"), "{}", ran.stderr);
}

/// Ten kilometres a second: eight digits of that are a tenth of a millimetre a second.
#[test]
fn what_is_fast_is_solved_to_as_many_digits() {
    let folder = Folder::new();
    folder.write(
        "fast.json",
        r#"{ "format": "stiction contact problem", "version": 1, "friction": [0.5], "free_velocity": [-1e4, 3e3, 1e3],
             "operator": [[0, 0, [2, 0.5, 0, 0.5, 1, 0.2, 0, 0.2, 1]]] }"#,
    );
    let residuals = |more: &[&str]| {
        let arguments = ["--json", "solve", "fast.json", "--solver", "prox-jacobi"];
        let one = solved(&folder.done(&[&arguments[..], more].concat())).remove(0);
        ["residual", "relative"].map(|name| one[name].as_f64().expect("a number"))
    };
    let [residual, relative] = residuals(&[]);
    assert!(residual > 1e-8 && residual <= 1e-4, "{residual:e}");
    assert!((relative / (residual / 1e4) - 1.0).abs() < 1e-12, "{relative:e}");
    let [residual, _] = residuals(&["--relative", "1e-10"]);
    assert!(residual > 1e-8 && residual <= 1e-6, "{residual:e}");
    // The tolerance says for both.
    let [residual, _] = residuals(&["--tolerance", "1e-11"]);
    assert!(residual <= 1e-7, "{residual:e}");
    let [residual, _] = residuals(&["--relative", "0"]);
    assert!(residual <= 1e-8, "{residual:e}");
}

/// A block that slides, from where the layer below it carries its weight.
const SLIDING: &str = r#"
title = "sliding"
duration = 0.05
friction = 0.3
[[body]]
name = "floor"
obstacle = { plane = {} }
[[body]]
name = "block"
rigid = { box = { size = [0.1, 0.1, 0.1] } }
place = { move = [0.0, 0.0503, 0.0] }
velocity = [1.0, 0.0, 0.0]
[[probe]]
name = "speed"
quantity = "velocity"
body = "block"
along = "x"
reduce = "mean"
"#;

/// The rows of `compare.csv` by column.
fn compared(folder: &Folder, column: &str) -> Vec<String> {
    let csv = String::from_utf8(folder.read("out/compare.csv")).expect("text");
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let at = lines.next().and_then(|heads| heads.iter().position(|head| head == column));
    let at = at.unwrap_or_else(|| panic!("no column {column}\n{csv}"));
    lines.map(|line| line.get(at).cloned().unwrap_or_default()).collect()
}

#[test]
fn comparing_puts_ways_beside_each_other() {
    let folder = folder();
    folder.write("sliding.toml", SLIDING);
    let solvers = ["--solvers", "nncg,newton-natural", "-o", "out"];
    let ran = folder.done(&[&["--json", "compare", "sliding.toml"], &solvers[..]].concat());
    let events = ran.events();
    let event = events.iter().find(|event| event["event"] == "compared").expect("it says so");
    assert_eq!(event["runs"].as_array().map(Vec::len), Some(4));
    assert!(event["left_out"].as_array().is_some_and(Vec::is_empty), "{event}");
    let names = ["smooth", "impulse-nncg", "impulse-newton-natural", "barrier"];
    assert_eq!(compared(&folder, "run"), names);
    assert_eq!(compared(&folder, "status"), ["finished"; 4]);
    for speed in &compared(&folder, "speed at the end [m/s]")[..3] {
        let speed: f64 = speed.parse().expect("a number");
        assert!((speed - (1.0 - 0.3 * 9.81 * 0.05)).abs() < 0.01, "{speed} m/s");
    }
    for column in ["friction excess", "unresisted slip [m/s]"] {
        for error in &compared(&folder, column)[..3] {
            assert!(error.parse::<f64>().is_ok_and(|error| error < 1e-4), "{column}: {error}");
        }
    }
    assert!(folder.path().join("out/report.html").is_file());
}

#[test]
fn comparing_goes_on_where_a_method_cannot() {
    let folder = folder();
    let filled = r#"
duration = 0.02
gravity = [0.0, 0.0, 0.0]
[[body]]
name = "ball"
solid = { hollow_ball = { inner_radius = 0.07, outer_radius = 0.1, edge_length = 0.04 } }
[[zone]]
body = "ball"
cavity = true
gauge_pressure = 100.0
"#;
    folder.write("filled.toml", filled);
    let ran = folder.done(&["compare", "filled.toml", "-o", "out"]);
    assert!(ran.stderr.contains("impulse is left out: "), "{}", ran.stderr);
    assert_eq!(compared(&folder, "status"), ["finished", "finished", "left out"]);
}

#[test]
fn what_no_method_can_do_is_wrong_with_the_scene() {
    let folder = folder();
    folder.write(
        "late.toml",
        &SLIDING.replace(
            "reduce = \"mean\"",
            "reduce = \"mean\"\n[[expect]]\nname = \
         \"slow\"\nprobe = \"speed\"\nat = 3.0\nbelow = 1.0\nkind = \"theory\"\nsource = \"none\"",
        ),
    );
    let ran = folder.run(&["compare", "late.toml"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("late.toml:") && ran.stderr.contains("help:"), "{}", ran.stderr);
}

/// What `docs/solvers.md` says about files and studies.
const PAGE: &str = include_str!("../../../../docs/solvers.md");

#[test]
fn files_and_pictures_of_the_page_about_solvers_are_there() {
    let folder = Folder::new();
    let files =
        PAGE.split("```json\n").skip(1).map(|block| block.split("```").next().unwrap_or(""));
    let mut count = 0;
    for text in files {
        folder.write("problem.json", text);
        let ran = folder.done(&["--json", "solve", "problem.json", "--solvers", "default"]);
        assert_eq!(solved(&ran)[0]["status"], "converged", "{text}");
        count += 1;
    }
    assert_eq!(count, 2);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pictures = PAGE.split("](images/").skip(1).filter_map(|rest| rest.split(')').next());
    for picture in pictures {
        assert!(root.join("images").join(picture).is_file(), "{picture}");
    }
    let list = folder.done(&["study"]).stdout;
    let named = PAGE.split("stiction study ").skip(1);
    for name in named.filter_map(|rest| rest.split(['`', ';', ',', ' ']).next()) {
        assert!(name == "all" || list.contains(name), "there is no study {name}");
    }
}

/// Nothing was written of solvers that stopped short, though the help promises the best that was found.
#[test]
fn the_best_impulses_are_kept_even_if_they_are_no_solution() {
    let folder = folder();
    let short = ["--cold", "--iterations", "3", "--tolerance", "1e-14", "--save", "tower.json"];
    let solve =
        [&["--json", "solve", "tower.toml", "--solvers", "gauss-seidel,apgd"][..], &short].concat();
    let ran = folder.run(&solve);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let left = |ran: &Ran| {
        let all = solved(ran);
        let of = |one: &serde_json::Value| one["residual"].as_f64().expect("a residual");
        all.iter().map(of).fold(f64::INFINITY, f64::min)
    };
    let best = left(&ran);
    let told = folder.run(&solve[1..]);
    assert!(told.stderr.contains("with the best that was found"), "{}", told.stderr);
    // Looked at, it is as far from solved as it was; and what is worse does not take its place.
    let again = ["--json", "solve", "tower.json", "--from-solution", "--iterations", "0"];
    let seen = left(&folder.run(&again));
    assert!((seen - best).abs() <= 1e-9 * best, "{seen} is not {best}");
    let worse =
        ["--json", "solve", "tower.json", "--cold", "--iterations", "0", "--save", "tower.json"];
    folder.run(&worse);
    let seen = left(&folder.run(&again));
    assert!((seen - best).abs() <= 1e-9 * best, "{seen} is not {best}");
}

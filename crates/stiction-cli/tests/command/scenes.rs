//! `check`, `verify`, `scenes`, `schema`, `export`, and the examples in their help texts.

use crate::common::Folder;
use serde_json::Value;

/// A block in free fall, which is known exactly.
pub(crate) const FALL: &str = r#"
title = "Fall & <rest>"
duration = 0.2
[[body]]
name = "block"
solid = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
[method.smooth]
time_step = 0.01
integrator = "trapezoid"
[output]
every = 5
[[probe]]
name = "speed"
quantity = "velocity"
body = "block"
along = "y"
[[expect]]
name = "v = g t & more"
probe = "speed"
value = -1.962
relative = 1e-9
kind = "theory"
source = "Galileo \"1638\" <Discorsi>"
"#;

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(name)).expect("JSON")
}

#[test]
fn verify_compares_writes_reports_and_fails_when_a_number_is_wrong() {
    let folder = Folder::new();
    folder.write("fall.toml", FALL);
    let ran = folder.done(&["verify", "fall.toml", "--junit", "good.xml", "--report", "good.json"]);
    for part in [
        "holds fall",
        "v = g t & more",
        "-1.962",
        "Galileo",
        "theory",
        "all hold: 1 run, 1 number compared (1 proved, 0 recorded)",
    ] {
        assert!(ran.stdout.contains(part), "{}", ran.stdout);
    }
    let scene = &json(&folder, "good.json")["scenes"][0];
    assert_eq!(
        (&scene["scene"], &scene["holds"], &scene["trouble"]),
        (&"fall".into(), &true.into(), &Value::Null)
    );

    let good = String::from_utf8(folder.read("good.xml")).expect("text");
    assert!(good.contains("<testsuites name=\"stiction verify: 1 proved, 0 recorded\">"), "{good}");
    assert!(good.contains("<property name=\"kind\" value=\"theory\"/>"), "{good}");
    // What was only recorded is not called a proof, in any of the places.
    folder.write("old.toml", &FALL.replace("\"theory\"", "\"recorded\""));
    let ran = folder.done(&["verify", "old.toml", "--junit", "old.xml", "--report", "old.json"]);
    assert!(ran.stdout.contains("holds old") && !ran.stdout.contains("1 proved"), "{}", ran.stdout);
    assert!(ran.stdout.contains("compared (0 proved, 1 recorded)"), "{}", ran.stdout);
    let old = json(&folder, "old.json");
    let tally = serde_json::json!({ "proved": 0, "recorded": 1, "failed": 0 });
    assert_eq!((&old["tally"], &old["scenes"][0]["tally"]), (&tally, &tally));
    assert_eq!(old["scenes"][0]["expectations"][0]["kind"], "recorded");
    let old = String::from_utf8(folder.read("old.xml")).expect("text");
    assert!(old.contains("<property name=\"recorded\" value=\"1\"/>"), "{old}");
    // Without a kind nobody knows which of both it is.
    folder.write("bare.toml", &FALL.replace("kind = \"theory\"\n", ""));
    let ran = folder.run(&["check", "bare.toml"]);
    assert!(ran.stderr.contains("an expectation needs `kind`"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("help: give one of: theory, spec, peer, recorded"),
        "{}",
        ran.stderr
    );

    folder.write("wrong.toml", &FALL.replace("-1.962", "-1.9"));
    folder.write("silent.toml", FALL.split("[[expect]]").next().expect("a part"));
    folder.write("broken.toml", "duration = \"<&>\"\n");
    let all = [
        "verify",
        "fall.toml",
        "wrong.toml",
        "silent.toml",
        "broken.toml",
        "--junit",
        "bad.xml",
        "--report",
        "bad.json",
    ];
    let ran = folder.run(&all);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    for part in [
        "FAILS wrong",
        "✗",
        "FAILS silent",
        "expects nothing",
        "FAILS broken",
        "broken.toml:1:12",
        "3 failed: 4 runs",
    ] {
        assert!(ran.stdout.contains(part), "{}", ran.stdout);
    }
    let scenes = &json(&folder, "bad.json")["scenes"];
    let holds: Vec<bool> = (0..4).filter_map(|at| scenes[at]["holds"].as_bool()).collect();
    assert_eq!(holds, [true, false, false, false]);
    let script = folder.path().join("junit.py");
    std::fs::write(&script, JUNIT).expect("a script");
    for (name, expected) in [("good.xml", "1 2 0\n"), ("bad.xml", "4 6 3\n")] {
        let file = folder.path().join(name);
        let python = std::process::Command::new("python3").arg(&script).arg(&file).output();
        // Any Python will do: XML is in its library.
        if let Ok(output) = python {
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                expected,
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    let ran = folder.run(&["verify", "fall.toml", "--junit", "nowhere/results.xml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("nowhere/results.xml") && ran.stderr.contains("help: "),
        "{}",
        ran.stderr
    );
}

/// Counts suites, cases and failures, and compares with what the suites say.
const JUNIT: &str = r#"
import sys, xml.etree.ElementTree as xml
suites = xml.parse(sys.argv[1]).getroot().findall("testsuite")
cases = [case for suite in suites for case in suite.findall("testcase")]
failures = [case for case in cases if case.find("failure") is not None]
assert sum(int(s.get("tests")) for s in suites) == len(cases)
assert sum(int(s.get("failures")) for s in suites) == len(failures)
assert cases[0].get("name") == "v = g t & more"
print(len(suites), len(cases), len(failures))
"#;

#[test]
fn verify_runs_variants_and_folders_and_the_coarse_version() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("scenes/more")).expect("folders");
    let variants = "[[variant]]\nname = \"moon\"\nset = { gravity = [0, -1.62, 0] }\n\
        [[expect]]\nprobe = \"speed\"\nvalue = -0.324\nrelative = 1e-9\nkind = \"theory\"\n\
        source = \"on the moon\"\nvariants = [\"moon\"]\n\
        [coarse]\n\"method.smooth.time_step\" = 0.02\n";
    let scene = FALL.replace("source = \"Galileo", "variants = []\nsource = \"Galileo");
    folder.write("scenes/a.toml", &format!("{scene}{variants}"));
    folder.write("scenes/more/b.toml", FALL);
    let events = folder.done(&["verify", "scenes", "--coarse", "--json"]).events();
    let runs: Vec<_> = events.iter().filter(|event| event["event"] == "scene-verified").collect();
    let names: Vec<&str> = runs.iter().filter_map(|event| event["scene"].as_str()).collect();
    // As it is the first expects nothing, so only its variant is run.
    assert_eq!(names, ["a:moon", "b"]);
    assert_eq!(
        (&runs[0]["totals"]["steps"], &runs[1]["totals"]["steps"]),
        (&10.into(), &20.into())
    );
    std::fs::create_dir(folder.path().join("empty")).expect("a folder");
    let ran = folder.run(&["verify", "empty"]);
    assert!(ran.code == 1 && ran.stderr.contains("there is no scene in empty"), "{}", ran.stderr);
}

#[test]
fn check_looks_at_all_files_even_if_one_is_wrong_or_missing() {
    let folder = Folder::new();
    folder.write("fall.toml", FALL);
    folder.write("wrong.toml", "duration = -1\ntitel = \"a\"\n");
    let ran = folder.run(&["check", "wrong.toml", "missing.toml", "fall.toml", "twisting_bra"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.contains("sound fall.toml: 1 body, 24 unknowns, 20 steps"),
        "{}",
        ran.stdout
    );
    for part in [
        "wrong.toml:1:1",
        "wrong.toml:1:12",
        "wrong.toml:2:1",
        "did you mean `title`",
        "3 errors",
        "no file `missing.toml`",
        "did you mean the scene `twisting_bar`",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let ran = folder.run(&["check", "fall.toml", "--set", "duration=never"]);
    assert!(ran.code == 1 && ran.stderr.contains("--set:1:10"), "{}", ran.stderr);
    // What is resolved is a scene again.
    let resolved = folder.done(&["check", "fall.toml", "--resolved"]).stdout;
    folder.write("resolved.json", &resolved);
    assert_eq!(folder.done(&["check", "resolved.json", "--resolved"]).stdout, resolved);
}

#[test]
fn check_tells_how_far_surfaces_are_from_their_meshes() {
    let folder = Folder::new();
    let scene = r#"
[[body]]
name = "below"
solid = { box = { size = [0.4, 0.1, 0.4], cells = [4, 1, 4] } }
surface = { edges = "sharp", rounding = 0.06 }
[[body]]
name = "above"
solid = { box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] } }
place = { move = [0, 0.2, 0] }
"#;
    folder.write("blocks.toml", scene);
    let text = folder.done(&["check", "blocks.toml"]).stdout;
    // Edges lie a sixth of the rounding too deep in both faces, corners a little more; spacing 0.0745 m.
    assert!(text.contains("surface of below: 96 samples, radius 149 mm, sharp edges"), "{text}");
    let lines = folder.done(&["check", "blocks.toml", "--json"]).stdout;
    let event = lines.lines().find(|line| line.contains("surface-checked")).expect("an event");
    let event: Value = serde_json::from_str(event).expect("JSON");
    let distance = event["distance"].as_f64().expect("a number");
    let edge = 0.06 * 0.1 * 5_f64.sqrt() / 3.0 / 6.0;
    assert!((edge..3.0 * edge).contains(&distance), "{event}");
    assert_eq!((&event["holes"], &event["lost"]), (&Value::from(0), &Value::from(0)), "{event}");
    let ran = folder.run(&["check", "blocks.toml", "--set", "body.below.surface.radius=0.03"]);
    assert!(ran.stderr.contains("the surface of `below` has holes"), "{}", ran.stderr);
    assert!(ran.stderr.contains("enlarge the `radius`"), "{}", ran.stderr);
}

#[test]
fn scenes_are_listed_shown_and_copied() {
    let folder = Folder::new();
    let list = folder.done(&["scenes"]).stdout;
    assert_eq!(list, folder.done(&["scenes", "list"]).stdout);
    let name = "twisting_bar";
    assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
    let shown = folder.done(&["scenes", "show", name]).stdout;
    assert!(
        folder
            .done(&["scenes", "copy", name, "mine.toml"])
            .stdout
            .contains("stiction run mine.toml")
    );
    folder.done(&["scenes", "copy", name]);
    assert_eq!(
        (folder.read("mine.toml"), folder.read("twisting_bar.toml")),
        (shown.clone().into_bytes(), shown.into_bytes())
    );
    folder.write("mine.toml", "precious");
    let ran = folder.run(&["scenes", "copy", name, "mine.toml"]);
    assert!(
        ran.code == 1
            && ran.stderr.contains("mine.toml exists already")
            && ran.stderr.contains("--force"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.read("mine.toml"), b"precious");
    folder.done(&["scenes", "copy", name, "mine.toml", "--force"]);
    folder.done(&["check", "mine.toml"]);
    let ran = folder.run(&["scenes", "show", "twisting_bra"]);
    assert!(ran.code == 1 && ran.stderr.contains("did you mean `twisting_bar`?"), "{}", ran.stderr);
}

#[test]
fn the_schema_is_json_with_a_dialect() {
    let schema = Folder::new().done(&["schema"]).stdout;
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    assert!(schema["$schema"].as_str().is_some_and(|dialect| dialect.contains("json-schema.org")));
    assert!(schema["properties"]["body"]["description"].is_string());
}

#[test]
fn a_run_is_exported_to_every_format() {
    let folder = Folder::new();
    folder.write("fall.toml", FALL);
    folder.done(&["run", "fall.toml"]);
    let cases = [
        ("vtu", "exports/vtu/run.pvd"),
        ("obj", "exports/obj/frame.0000.obj"),
        ("gltf", "exports/run.glb"),
        ("usd", "exports/run.usda"),
        ("npz", "exports/run.npz"),
        ("ply", "exports/ply/frame.0000.ply"),
    ];
    for (format, file) in cases {
        let ran = folder.done(&["export", "runs/fall", "--to", format]);
        assert!(ran.stdout.contains(file) && ran.stdout.contains("5 frames"), "{}", ran.stdout);
        assert!(!folder.read(&format!("runs/fall/{file}")).is_empty());
        let ran = folder.run(&["export", "runs/fall", "--to", format]);
        assert!(
            ran.code == 1
                && ran.stderr.contains("already exists")
                && ran.stderr.contains("--force"),
            "{}",
            ran.stderr
        );
        folder.done(&["export", "runs/fall", "--to", format, "--force"]);
    }
    let some = [
        "export",
        "runs/fall",
        "--to",
        "npz",
        "--out",
        "some.npz",
        "--first",
        "1",
        "--last",
        "3",
        "--every",
        "2",
    ];
    assert!(folder.done(&some).stdout.contains("2 frames"));
    for wrong in [&["--every", "0"][..], &["--first", "9"], &["--first", "3", "--last", "1"]] {
        let ran = folder
            .run(&[&["export", "runs/fall", "--to", "npz", "--out", "none.npz"], wrong].concat());
        assert!(ran.code == 1 && ran.stderr.contains("help: "), "{wrong:?}: {}", ran.stderr);
    }
    let ran = folder.run(&["export", "nowhere", "--to", "vtu"]);
    assert!(ran.code == 1 && ran.stderr.contains("help: "), "{}", ran.stderr);
}

/// Examples run on what they speak of: scenes of these names, and a run. Where a scene is not shipped (yet), a small
/// one stands in; long ones are kept short.
#[test]
fn every_example_in_the_help_runs() {
    let commands: [&[&str]; 8] = [
        &[],
        &["run"],
        &["resume"],
        &["check"],
        &["verify"],
        &["scenes"],
        &["schema"],
        &["export"],
    ];
    let folder = Folder::new();
    let listed = folder.done(&["scenes"]).stdout;
    let shipped =
        |name: &str| listed.lines().any(|line| line.split_whitespace().next() == Some(name));
    let named = FALL
        .replace("name = \"block\"", "name = \"beam\"")
        .replace("duration = 0.2", "duration = 0.2\ngravity = [0, -9.81, 0]");
    let variants = "[[variant]]\nname = \"trapezoid\"\nset = {}\n";
    folder.write("my_scene.toml", FALL);
    for name in ["cantilever", "pendulum"] {
        if !shipped(name) {
            folder.write(name, &format!("{named}{variants}"));
        }
    }
    std::fs::create_dir(folder.path().join("scenes")).expect("a folder");
    folder.write("scenes/fall.toml", FALL);
    folder.done(&["run", "my_scene.toml", "--out", "runs/twisting_bar"]);
    let mut count = 0;
    for command in commands {
        let help = folder.done(&[command, &["--help"]].concat()).stdout;
        for line in help.lines().map(str::trim).filter(|line| line.starts_with("stiction ")) {
            // What explains an example stands behind it, two spaces or more away.
            let example = line.split("  ").next().unwrap_or_default();
            let mut words: Vec<&str> = example.split_whitespace().skip(1).collect();
            let redirected = words.iter().position(|&word| word == ">");
            words.truncate(redirected.unwrap_or(words.len()));
            let quick: &[&str] = match words.as_slice() {
                // All shipped scenes are run by `./test`; here it is the command line that matters.
                ["verify"] | ["verify", "--coarse"] => &["my_scene.toml"],
                ["scenes", "copy", ..] | ["export", ..] => &["--force"],
                ["mesh", ..] => continue, // run by the tests of meshes
                ["view", ..] | ["run", _, "--view"] => continue, // serve until Ctrl-C; `view.rs`
                ["run", ..] => &["--coarse", "--set", "duration=0.02"],
                _ => &[],
            };
            let stands_in = words
                .iter()
                .any(|word| ["cantilever", "pendulum"].contains(word) && !shipped(word));
            if stands_in && words[0] == "scenes" {
                continue;
            }
            // Expectations at fixed times are beside the point, too.
            let ran = folder.run(&[&words, quick].concat());
            let short = ran.stderr.contains("lengthen `duration`");
            assert!(ran.code == 0 || short, "{line}\n{}{}", ran.stdout, ran.stderr);
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} examples were found");
}

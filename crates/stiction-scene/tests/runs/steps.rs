//! `steps.csv` has the same columns for every method, and numbers in them.

use crate::scratch::Scratch;
use stiction::contact::ContactKind;
use stiction::method::MethodSettings;
use stiction::model::Phase;
use stiction_scene::job::Job;
use stiction_scene::run::RunStatus;
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};

/// A soft block, a little inside the floor.
const SOFT: &str = r#"
duration = 0.05

[[body]]
name = "floor"
obstacle = { plane = { normal = "y" } }

[[body]]
name = "soft"
solid = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
place = { move = [0, 0.0499, 0] }
"#;

/// A rigid one beside it.
const HARD: &str = r#"
[[body]]
name = "hard"
rigid = { box = { size = [0.1, 0.1, 0.1] } }
place = { move = [0.5, 0.0499, 0] }
"#;

/// Names of columns without units, and rows of cells.
fn table(test: &str, text: &str, method: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let scratch = Scratch::new(&format!("steps-{test}-{method}"));
    let text = format!("{text}\n[method.{method}]\ntime_step = 0.01\n");
    let scene = SceneFile::parse("steps", &text, Notation::Toml, None, &Wishes::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let folder = scratch.join("run");
    let mut job = Job::start(&scene, &folder, false).expect("a job");
    while !job.is_done() {
        job.advance().expect("a step");
    }
    job.finish(RunStatus::Finished).expect("a report");
    let text = std::fs::read_to_string(folder.join("steps.csv")).expect("a table");
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
    let headers: Vec<String> = rows.next().expect("a header");
    let names = headers.iter().map(|name| name.split(" [").next().unwrap_or_default().to_owned());
    (names.collect(), rows.collect())
}

#[test]
fn every_method_fills_the_same_columns() {
    let mut first: Option<Vec<String>> = None;
    for method in MethodSettings::NAMES {
        // Where nothing may pass through, nothing begins inside; and rigid bodies are refused, so far.
        let (scene, blocks) = match method {
            "barrier" => (SOFT.replace("0.0499", "0.0501"), 1.0),
            _ => (format!("{SOFT}{HARD}"), 2.0),
        };
        let (names, rows) = table("columns", &scene, method);
        assert_eq!(&names, first.get_or_insert_with(|| names.clone()), "{method}");
        let of = |row: &[String], name: &str| -> f64 {
            let at = names.iter().position(|known| known == name);
            let at = at.unwrap_or_else(|| panic!("{method}: no column `{name}`"));
            row[at].parse().unwrap_or_else(|_| panic!("{method}: `{name}` is {}", row[at]))
        };
        for name in ["iterations", "residual", "memory", "momentum", "angular_momentum", "volume"] {
            assert!(rows.iter().all(|row| of(row, name).is_finite()), "{method}: {name}");
        }
        let last = rows.last().expect("steps");
        assert!(of(last, "memory") > 0.0, "{method}");
        // All blocks rest on the floor, and each contact is of one kind.
        let kinds = ContactKind::ALL.map(|kind| of(last, &format!("contacts_{}", kind.name())));
        assert!(of(last, "contacts") >= 4.0 * blocks, "{method}: {kinds:?}");
        assert!(
            (kinds.iter().sum::<f64>() - of(last, "contacts")).abs() < 0.5,
            "{method}: {kinds:?}"
        );
        assert!(kinds[ContactKind::PointSurface as usize] >= 4.0, "{method}: {kinds:?}");
        // What overlaps is what has no gap.
        for row in &rows {
            let (gap, overlap) = (of(row, "smallest_gap"), of(row, "deepest_overlap"));
            assert!((overlap - (-gap).max(0.0)).abs() < 1e-15, "{method}: {gap} {overlap}");
        }
        // Phases and the rest are all of the time.
        let phases = Phase::ALL.map(|phase| of(last, &format!("seconds_{}", phase.name())));
        let parts = phases.iter().sum::<f64>() + of(last, "seconds_other");
        assert!((parts - of(last, "seconds")).abs() <= 1e-9 + 1e-6 * parts, "{method}: {parts}");
    }
}

/// What is minimised is searched along lines; contacts of shapes are an own kind where a method knows shapes.
#[test]
fn line_searches_and_kinds_of_contacts_are_told_apart() {
    let sum_of = |text: &str, method: &str, name: &str| -> f64 {
        let (names, rows) = table("kinds", text, method);
        let at = names.iter().position(|known| known == name).expect("a column");
        rows.iter().map(|row| row[at].parse::<f64>().expect("a number")).sum()
    };
    let sum = |method: &str, name: &str| sum_of(&format!("{SOFT}{HARD}"), method, name);
    let alone = SOFT.split("[[body]]").nth(2).expect("the soft block");
    let alone = format!("duration = 0.05\n[[body]]{alone}");
    for method in ["smooth", "barrier"] {
        assert!(sum_of(&alone, method, "seconds_line_search") > 0.0, "{method}");
    }
    assert!(sum("smooth", "contacts_shapes") < 0.5);
    assert!(sum("impulse", "contacts_shapes") > 0.5);
    assert!(sum("impulse", "seconds_contact_solver") > 0.0);
    assert!(sum("impulse", "seconds_line_search").abs() < 1e-300);
}

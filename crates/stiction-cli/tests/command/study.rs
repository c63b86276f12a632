//! `stiction study`: the numbers of the course and of `docs/theory/reference-values.md`.

use nalgebra::{DMatrix, DVector};
use stiction_check::stacks::Stack;

use crate::common::Folder;

/// Cells of a table by row, without its head.
fn table(folder: &Folder, name: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(folder.read(name)).expect("text");
    let columns = text.lines().next().expect("a head").split(',').count();
    let rows = text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == columns), "{name}\n{text}");
    rows
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("no number: {cell}"))
}

/// Studies in a folder; every plot is an SVG of its own.
fn studied(names: &[&str]) -> Folder {
    let folder = Folder::new();
    let ran = folder.done(&[&["--json", "study"], names, &["-o", "."]].concat());
    for event in ran.events().iter().filter(|event| event["event"] == "studied") {
        let files = event["files"].as_array().expect("files");
        let plots: Vec<&str> = files
            .iter()
            .filter_map(|file| file.as_str())
            .filter(|file| file.ends_with(".svg"))
            .collect();
        assert!(!plots.is_empty(), "{event}");
        for plot in plots {
            let svg = String::from_utf8(folder.read(plot)).expect("text");
            let tree = roxmltree::Document::parse(&svg).expect("an SVG is XML");
            let drawn = tree
                .descendants()
                .filter(|node| matches!(node.tag_name().name(), "path" | "rect" | "circle"));
            assert!(drawn.count() > 10 && !svg.contains("NaN") && !svg.contains("inf"), "{plot}");
        }
    }
    folder
}

#[test]
fn all_orders_of_eight_contacts_spread_as_measured() {
    let folder = studied(&["orders"]);
    let counts = [720, 6000, 14072, 10072, 5456, 2352, 904, 488, 160, 72, 24];
    let expected: Vec<Vec<String>> = counts
        .iter()
        .enumerate()
        .map(|(k, count)| vec![(k + 10).to_string(), count.to_string()])
        .collect();
    assert_eq!(table(&folder, "orders.csv"), expected);
}

#[test]
fn sweeps_grow_with_masses_and_heights_as_measured() {
    let folder = studied(&["conjugate"]);
    let found: Vec<[u64; 2]> = table(&folder, "conjugate.csv")
        .iter()
        .map(|row| [row[1].parse().expect("a count"), row[2].parse().expect("a count")])
        .collect();
    let expected = [
        [29, 20],
        [209, 62],
        [1994, 198],
        [19843, 687],
        [8, 17],
        [22, 16],
        [143, 58],
        [549, 96],
        [2087, 225],
    ];
    assert_eq!(found, expected);
}

#[test]
fn proximal_steps_on_discs_are_as_many_as_measured() {
    let folder = studied(&["disc", "disc-coupled"]);
    let steps = |name: &str| -> Vec<String> {
        table(&folder, name).iter().map(|row| row[1].clone()).collect()
    };
    assert_eq!(steps("disc.csv"), ["152", "65", "36", "21", "13", "8"]);
    for row in table(&folder, "disc.csv") {
        assert!((number(&row[2]) - number(&row[3])).abs() < 1e-3, "rate 1/(1 + r): {row:?}");
    }
    let coupled = steps("disc-coupled.csv");
    assert_eq!(coupled[..8], ["78", "36", "10", "5", "16", "31", "56", "269"]);
    assert!(coupled[8] != "never" && coupled[9..] == ["never", "never", "never"], "{coupled:?}");
    // Where it goes in circles, how wide they are.
    let circles: Vec<f64> =
        table(&folder, "disc-coupled.csv")[9..].iter().map(|row| number(&row[2])).collect();
    for (found, expected) in circles.iter().zip([0.34, 0.64, 0.77]) {
        assert!((found - expected).abs() < 0.01, "{circles:?}");
    }
}

#[test]
fn matched_scales_take_one_newton_step() {
    let folder = studied(&["scaling"]);
    for row in table(&folder, "scaling.csv") {
        let steps: u32 = row[3].parse().expect("a count");
        match (row[0].as_str(), row[1].as_str()) {
            ("minimum map", "0.25") => assert_eq!(steps, 1, "{row:?}"),
            ("minimum map", _) => assert!((1..=2).contains(&steps), "{row:?}"),
            (_, "0.25") => assert!((3..=6).contains(&steps), "{row:?}"),
            _ => {}
        }
    }
}

#[test]
fn slopes_slide_where_they_should() {
    let folder = studied(&["slopes", "smoothing"]);
    let speeds = table(&folder, "slopes.csv");
    let speed = |friction: &str, slope: &str| {
        let row = speeds.iter().find(|row| row[0] == friction && row[1] == slope);
        number(&row.unwrap_or_else(|| panic!("{friction} at {slope}"))[2])
    };
    assert!(speed("exact cone", "26") < 1e-12);
    assert!((speed("exact cone", "27") - 0.04163).abs() < 1e-5);
    assert!((speed("exact cone", "30") - 0.32857).abs() < 1e-5);
    assert!((speed("exact cone", "36") - 0.8990).abs() < 1e-4);
    assert!((speed("box; along its diagonal", "36") - 0.0771).abs() < 5e-5);
    assert!(speed("box; along its diagonal", "35") < 1e-9);
    assert!(speed("polygon of 4; between corners", "19") < 1e-9);
    assert!(speed("polygon of 4; between corners", "20") > 1e-3);
    // V31, printed numbers of the specification; `what_creeps_is_told_from_what_obeys` has a block that creeps so.
    let creep = table(&folder, "smoothing-creep.csv");
    for (slope, expected) in [("5", 9.169e-5), ("15", 3.187e-4), ("20", 4.784e-4), ("25", 7.404e-4)]
    {
        let row = creep.iter().find(|row| row[0] == slope).expect("a slope");
        assert!((number(&row[1]) / expected - 1.0).abs() < 1e-3, "{row:?}");
    }
    // ∫ (1 − s) = ε/3.
    let area = table(&folder, "smoothing.csv");
    assert!((number(&area[4][2]) - 0.01 / 3.0).abs() < 1e-12, "{:?}", area[4]);
}

#[test]
fn grids_and_matrices_have_the_shape_they_should() {
    let folder = studied(&["circle-grid", "sparsity"]);
    let grid = table(&folder, "circle-grid.csv");
    let errors: Vec<f64> =
        grid.iter().filter(|row| row[0] == "linear").map(|row| number(&row[3])).collect();
    assert!(errors[0] > 0.01, "four cells are coarse: {errors:?}");
    for pair in errors.windows(2).skip(2) {
        assert!((3.0..5.5).contains(&(pair[0] / pair[1])), "second order: {errors:?}");
    }
    let blocks = table(&folder, "sparsity.csv");
    // Six boxes with four contacts below each: a contact acts on its own layer and on the two beside it.
    assert_eq!(
        blocks[0],
        ["tower", "24", &(16 * (6 + 2 * 5)).to_string(), &(100.0 * 16.0 / 36.0_f64).to_string()]
    );
}

/// By which a sweep multiplies the error where all contacts stick: the largest eigenvalue of `I − (D + L)⁻¹ A`, with
/// the blocks of contacts as `D`, by power iterations. Seen by the bodies, `A = B Bᵀ` and `w = Bᵀ r`: so impulses of
/// redundant contacts that move nothing are left out.
fn factor_of_sweeps(stack: &Stack) -> f64 {
    let problem = stack.cone(0.5);
    let bodies = problem.operator().scaled();
    let mut b = DMatrix::zeros(3 * bodies.rows(), 3 * bodies.columns());
    for i in 0..bodies.rows() {
        for (j, block) in bodies.row(i) {
            b.view_mut((3 * i, 3 * j), (3, 3)).copy_from(block);
        }
    }
    let a = &b * b.transpose();
    let below =
        DMatrix::from_fn(a.nrows(), a.nrows(), |i, j| if j / 3 <= i / 3 { a[(i, j)] } else { 0.0 });
    let sweep = b.tr_mul(&below.try_inverse().expect("blocks of contacts are definite")) * &b;
    let mut w = DVector::from_fn(b.ncols(), |i, _| (1.0 + i as f64).sin());
    let (mut log, steps) = (0.0, 4000);
    for step in 0..2 * steps {
        w -= &sweep * w.clone();
        let size = w.norm();
        w /= size;
        if step >= steps {
            log += size.ln();
        }
    }
    (log / f64::from(steps)).exp()
}

#[test]
fn orderings_and_subspaces_behave_as_told() {
    let folder = studied(&["ordering", "sweeping", "subspace"]);
    let factors = table(&folder, "sweeping.csv");
    for (scene, stack) in [
        ("tower of 2", Stack::tower(&[1.0; 2])),
        ("tower of 5", Stack::tower(&[1.0; 5])),
        ("10 kg on 1 kg", Stack::tower(&[1.0, 10.0])),
    ] {
        let row = factors.iter().find(|row| row[0] == scene).expect("a scene");
        let (found, predicted) = (number(&row[3]), factor_of_sweeps(&stack));
        assert!((found - predicted).abs() < 0.1 * (1.0 - predicted), "{row:?}: {predicted}");
    }
    assert!(factors.iter().all(|row| number(&row[3]) < 1.0), "{factors:?}");
    let merits = table(&folder, "subspace.csv");
    let last = |scene: &str, solver: &str| {
        let row = merits.iter().rfind(|row| row[0] == scene && row[1] == solver).expect("a row");
        (number(&row[2]), number(&row[3]))
    };
    // On small scenes and joints it pays.
    assert!(
        last("small", "pgs-sm").0 < 0.5 * last("small", "pgs").0,
        "{:?}",
        last("small", "pgs-sm")
    );
    assert!(
        last("joints", "pgs-sm").1 < 0.1 * last("joints", "pgs").1,
        "{:?}",
        last("joints", "pgs-sm")
    );
}

#[test]
fn studies_are_listed_and_guessed_at() {
    let folder = Folder::new();
    let list = folder.done(&["study"]);
    assert!(list.stdout.contains("disc-coupled") && list.stdout.contains("V15"), "{}", list.stdout);
    let ran = folder.run(&["study", "ordrs"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("did you mean `orders`?"), "{}", ran.stderr);
}

/// V33, printed numbers of the specification. The barrier is that of the method: its area between itself and a wall is
/// 11/18 of its width, and what it carries comes nearer with the square of it.
#[test]
fn barriers_and_layers_tend_to_walls() {
    let folder = studied(&["layers", "barrier"]);
    let sums: Vec<f64> = table(&folder, "layers.csv").iter().map(|row| number(&row[1])).collect();
    for (found, expected) in sums.iter().zip([1.0, 6.657, 110.1, 1068.0, 2.907e6]) {
        assert!((found / expected - 1.0).abs() < 5e-4, "{sums:?}");
    }
    let stops: Vec<f64> =
        table(&folder, "layers-stops.csv").iter().map(|row| number(&row[1])).collect();
    assert!(stops.windows(2).all(|pair| 0.0 < pair[1] && pair[1] < pair[0]), "{stops:?}");
    for row in table(&folder, "barrier.csv") {
        let (width, area) = (number(&row[0]), number(&row[1]));
        assert!((area / width - 11.0 / 18.0).abs() < 1e-5 && number(&row[2]) < 1e-6, "{row:?}");
    }
    let rests = table(&folder, "barrier-rests.csv");
    let soft: Vec<[f64; 2]> =
        rests[..13].iter().map(|row| [1, 2].map(|k| number(&row[k]))).collect();
    // Narrow: −b′ tends to d̂²/d.
    let ends = [soft[10], soft[12]];
    let power = (ends[0][1] / ends[1][1]).ln() / (ends[0][0] / ends[1][0]).ln();
    assert!((power - 2.0).abs() < 0.1, "{power}");
}

/// Both make the same guesses; times are the machine's.
#[test]
fn factors_that_follow_guesses_answer_as_new_ones_do() {
    let folder = studied(&["downdating"]);
    let rows = table(&folder, "downdating.csv");
    assert_eq!(rows.len(), 18);
    for row in &rows {
        assert!(number(&row[4]) < 1e-9 && number(&row[3]) >= 1.0, "{row:?}");
    }
    let share = |k: usize| number(&rows[k][2]);
    assert!(share(12) < 5.0 && share(17) > 20.0, "{rows:?}");
}

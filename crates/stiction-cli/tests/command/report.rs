//! `stiction report`: one page that holds everything, and nothing that it should not.

use crate::common::{Folder, Ran};

/// A block that slides, with names that try to be markup, one expectation that holds and one that cannot.
const BLOCK: &str = r#"
title = "A <block> & \"co\""
description = "slides </p><script>alert(1)</script>"
duration = 0.1
friction = 0.3
[[body]]
name = "floor"
obstacle = { plane = { normal = "y" } }
[[body]]
name = "<script>alert(2)</script>"
solid = { box = { size = [0.2, 0.1, 0.1], cells = [2, 1, 1] } }
material = "rubber"
place = { move = [0.0, 0.0505, 0.0] }
velocity = [1.0, 0.0, 0.0]
[[probe]]
name = "way <b>"
quantity = "displacement"
body = "<script>alert(2)</script>"
along = "x"
[[probe]]
name = "gap"
quantity = "gap"
body = "<script>alert(2)</script>"
[[expect]]
name = "moves"
probe = "way <b>"
above = 0.01
kind = "theory"
source = "it is thrown & slides"
[[expect]]
name = "flies"
probe = "way <b>"
value = 5.0
tolerance = 0.1
kind = "recorded"
source = "wishes"
[method.smooth]
time_step = 0.01
"#;

/// A folder with a run called `run`.
fn with_run() -> Folder {
    let folder = Folder::new();
    folder.write("block.toml", BLOCK);
    folder.done(&["run", "block.toml", "-q", "--out", "run"]);
    folder
}

fn page(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).expect("text")
}

/// Reads a page as XML, and insists that it asks nobody for anything and runs nothing.
#[track_caller]
fn parsed(page: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(page, options).expect("it is XML");
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let tag = node.tag_name().name();
        let known = !["script", "iframe", "object", "embed", "link", "base", "form"].contains(&tag);
        assert!(known, "<{tag}>");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on"), "{name}");
            let inside = match name {
                "src" => value.starts_with("data:image/png;base64,"),
                "href" => value.starts_with('#'),
                "srcset" | "action" | "data" => false,
                _ => !value.contains("url("),
            };
            assert!(inside, "{name}={value}");
        }
        assert!(tag != "style" || !node.text().unwrap_or_default().contains("url("));
    }
    document
}

/// All text of elements with this tag, one each.
fn texts(document: &roxmltree::Document<'_>, tag: &str) -> Vec<String> {
    let text = |node: roxmltree::Node<'_, '_>| {
        node.descendants().filter(roxmltree::Node::is_text).filter_map(|t| t.text()).collect()
    };
    document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/1999/xhtml", tag)))
        .map(text)
        .collect()
}

fn count(document: &roxmltree::Document<'_>, tag: &str) -> usize {
    document.descendants().filter(|node| node.tag_name().name() == tag).count()
}

#[track_caller]
fn refused(ran: &Ran, says: &[&str]) {
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    for word in says.iter().chain(&["help:"]) {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
}

#[test]
fn a_report_holds_pictures_plots_and_what_came_out() {
    let folder = with_run();
    let ran = folder.done(&["report", "run"]);
    assert!(ran.stdout.starts_with("run/report.html: 1 run, "), "{}", ran.stdout);
    let page = page(&folder, "run/report.html");
    let document = parsed(&page);
    assert_eq!(texts(&document, "h1"), ["A <block> & \"co\""]);
    assert_eq!(count(&document, "img"), 5, "the last frame and four before it");
    let plots = texts(&document, "figcaption").join("; ");
    for plot in [
        "Energies [",
        "way <b> [",
        "gap [",
        "Contacts",
        "Smallest gap",
        "Newton",
        "Residual [m/s²]",
        "Computing time",
    ] {
        assert!(plots.contains(plot), "{plot}: {plots}");
    }
    let rows = texts(&document, "tr");
    let row = |start: &str| rows.iter().find(|row| row.starts_with(start)).expect(start);
    assert!(row("moves").contains("✓ holds") && row("moves").contains("at least 0.01"));
    assert!(row("moves").contains("theoryit is thrown & slides"));
    assert!(row("flies").contains("recordedwishes"));
    assert!(row("flies").contains("✗ fails") && row("flies").contains("5 ± 1.00×10⁻¹"));
    assert!(row("smooth.time_step").contains("0.01") && row("contact").contains('%'));
    let facts = texts(&document, "dl").concat();
    assert!(facts.contains("1 of 2") && facts.contains("finished"), "{facts}");
    assert!(texts(&document, "pre").concat().contains("\"time_step\": 0.01"));
}

#[test]
fn names_cannot_become_markup() {
    let folder = with_run();
    folder.done(&[
        "report",
        "run",
        "--no-pictures",
        "--title",
        "<img src=x onerror=y>",
        "-o",
        "new/a.html",
    ]);
    let page = page(&folder, "new/a.html");
    assert!(!page.contains("<script") && !page.contains("<img"));
    let document = parsed(&page);
    assert_eq!(texts(&document, "title"), ["<img src=x onerror=y>"]);
    assert!(texts(&document, "p").contains(&"slides </p><script>alert(1)</script>".to_owned()));
    let names = texts(&document, "th").concat();
    assert!(names.contains("<script>alert(2)</script>.material.density"), "{names}");
}

#[test]
fn several_runs_are_compared_in_tables_and_in_plots() {
    let folder = with_run();
    folder.done(&[
        "run",
        "block.toml",
        "-q",
        "--out",
        "other/run",
        "--set",
        "method.smooth.time_step=0.02",
    ]);
    let ran = folder.done(&["report", "run", "other/run", "--no-pictures", "--json"]);
    let events = ran.events();
    let event = events.last().expect("an event");
    assert_eq!((event["event"].as_str(), event["runs"].as_u64()), (Some("reported"), Some(2)));
    assert_eq!(event["bytes"].as_u64(), Some(folder.read("report.html").len() as u64));
    let page = page(&folder, "report.html");
    let document = parsed(&page);
    assert_eq!(texts(&document, "h1"), ["A <block> & \"co\": 2 runs"]);
    let rows = texts(&document, "tr");
    let of_run =
        |name: &str| rows.iter().filter(|row| row.starts_with(name)).cloned().collect::<Vec<_>>();
    assert_eq!((of_run("run").len() - 3, of_run("other/run").len()), (3, 3), "{rows:#?}");
    let difference = of_run("method.smooth.time_step");
    assert_eq!(difference, ["method.smooth.time_step0.010.02"]);
    assert!(of_run("gravity").iter().all(|row| !row.contains("gravity[0.0, -9.81, 0.0][")));
    let highlighted =
        document.descendants().filter(|node| node.attribute("class") == Some("other"));
    assert!(highlighted.filter_map(|node| node.text()).any(|text| text == "0.02"));
    // A plot of both has a line of each.
    let figure = document.descendants().find(|node| {
        node.has_tag_name(("http://www.w3.org/1999/xhtml", "figure"))
            && node.descendants().any(|inner| inner.text() == Some("way <b>"))
    });
    let lines = figure.expect("a plot").descendants().filter(|node| {
        node.attribute("class").is_some_and(|class| class.starts_with("line"))
            && node.attribute("d").is_some_and(|d| d.len() > 20)
    });
    assert_eq!(lines.count(), 2);
}

#[test]
fn tables_without_rows_or_numbers_are_reported_as_such() {
    let folder = with_run();
    let steps = page(&folder, "run/steps.csv");
    let head = steps.lines().next().expect("a head").to_owned();
    folder.write("run/steps.csv", &format!("{head}\n"));
    seal_tables(&folder);
    folder.write("run/probes.csv", "step,time [s],way [m]\n0,0.0,NaN\n1,0.01,inf\n2,0.0");
    seal_tables(&folder);
    folder.done(&["report", "run", "--no-pictures"]);
    let text = page(&folder, "run/report.html");
    let document = parsed(&text);
    assert_eq!(count(&document, "figure"), 0, "there is nothing to plot");
    assert!(texts(&document, "p").concat().contains("Nothing was measured yet."));
    assert!(
        texts(&document, "tr").iter().any(|row| row.starts_with("waynone") && row.contains('∞'))
    );
    for cells in ["NaN", ""] {
        let row: String = head.split(',').skip(1).map(|_| format!(",{cells}")).collect();
        folder.write("run/steps.csv", &format!("{head}\n1{row}\n"));
        seal_tables(&folder);
        folder.done(&["report", "run", "--no-pictures"]);
        let text = page(&folder, "run/report.html");
        parsed(&text);
        assert!(!text.contains("NaN ") && !text.contains("NaN\""));
    }
}

#[test]
fn steps_that_stopped_short_and_overlaps_are_told_of() {
    let folder = with_run();
    let steps = page(&folder, "run/steps.csv").replacen("converged", "stalled", 2);
    let mut lines: Vec<String> = steps.lines().map(str::to_owned).collect();
    let at = |name: &str| lines[0].split(',').position(|head| head.starts_with(name));
    let (gap, overlap) = (at("smallest_gap").expect("gaps"), at("overlap").expect("overlaps"));
    // Of the second, its method thinks nothing.
    for (row, depth, between) in [(3, "-0.002", "block | ramp"), (4, "-0.003", "")] {
        let mut cells: Vec<&str> = lines[row].split(',').collect();
        (cells[gap], cells[overlap]) = (depth, between);
        lines[row] = cells.join(",");
    }
    folder.write("run/steps.csv", &(lines.join("\n") + "\n"));
    seal_tables(&folder);
    folder.done(&["report", "run", "--no-pictures"]);
    let text = page(&folder, "run/report.html");
    let said = texts(&parsed(&text), "p").concat();
    assert!(said.contains("2 of 10 steps stopped short"), "{said}");
    assert!(
        said.contains("overlapped at the end of 1 of 10 steps, deepest by 2 mm at 0.03 s"),
        "{said}"
    );
    let rows = texts(&parsed(&text), "tr");
    assert!(rows.iter().any(|row| row.starts_with("10.01 sstalled")), "{rows:?}");
}

#[test]
fn a_long_run_makes_a_small_page() {
    let folder = with_run();
    let rows: String = (0..60_000).map(|k| format!("{k},{}.5,{}\n", k, k * 7919 % 1000)).collect();
    folder.write("run/probes.csv", &format!("step,time [s],noise [m]\n{rows}"));
    seal_tables(&folder);
    folder.done(&["report", "run", "--no-pictures"]);
    assert!(folder.read("run/report.html").len() < 150_000);
}

#[test]
fn of_many_probes_some_are_plotted_and_all_are_listed() {
    let folder = with_run();
    let line = |cell: fn(usize) -> String| (0..30).map(cell).collect::<String>();
    let heads = line(|k| format!(",probe {k} [m]"));
    let row = line(|k| format!(",{k}"));
    folder.write("run/probes.csv", &format!("step,time [s]{heads}\n0,0.0{row}\n1,0.01{row}\n"));
    seal_tables(&folder);
    folder.done(&["report", "run", "--no-pictures"]);
    let text = page(&folder, "run/report.html");
    let document = parsed(&text);
    let plots = texts(&document, "figcaption");
    assert_eq!(plots.iter().filter(|plot| plot.starts_with("probe ")).count(), 24);
    assert!(texts(&document, "p").concat().contains("The first 24 probes are plotted"));
    assert!(texts(&document, "tr").iter().any(|row| row.starts_with("probe 29")));
}

#[test]
fn what_cannot_be_drawn_is_said_and_the_rest_is_there() {
    let folder = with_run();
    let chunks = folder.path().join("run/frames.zarr");
    let mut stack = vec![chunks];
    while let Some(path) = stack.pop() {
        for entry in std::fs::read_dir(path).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                stack.push(path);
            } else if path.to_string_lossy().contains("position") && !path.ends_with("zarr.json") {
                std::fs::remove_file(path).expect("removed");
            }
        }
    }
    // Who sends a report vouches for all of the run.
    let ran = folder.run(&["report", "run"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("positions/c.0.0.0: is missing"), "{}", ran.stderr);
    let text = page(&folder, "run/report.html");
    let document = parsed(&text);
    assert!(texts(&document, "p").concat().contains("It could not be drawn"));
    assert_eq!(count(&document, "img"), 0);
    assert!(texts(&document, "tr").iter().any(|row| row.contains("✓ holds")));
}

#[test]
fn a_run_that_goes_on_is_reported_as_far_as_it_is() {
    let folder = with_run();
    let root = page(&folder, "run/frames.zarr/zarr.json").replace("finished", "running");
    folder.write("run/frames.zarr/zarr.json", &root);
    let mut steps = page(&folder, "run/steps.csv");
    steps.truncate(steps.len() - 30);
    folder.write("run/steps.csv", &steps);
    seal_tables(&folder);
    let mut report: serde_json::Value =
        serde_json::from_slice(&folder.read("run/report.json")).expect("JSON");
    report["expectations"] = serde_json::json!([]);
    folder.write("run/report.json", &report.to_string());
    folder.done(&["report", "run", "--no-pictures"]);
    let text = page(&folder, "run/report.html");
    let document = parsed(&text);
    let said = texts(&document, "p").concat();
    assert!(said.contains("still goes on") && said.contains("is compared when"), "{said}");
    assert!(texts(&document, "div").contains(&"steps9".to_owned()), "the torn row is left out");
}

#[test]
fn what_is_no_run_is_refused_with_a_remedy() {
    let folder = with_run();
    refused(&folder.run(&["report", "nowhere"]), &["nowhere"]);
    assert_eq!(folder.run(&["report"]).code, 2);
    folder.write("run/steps.csv", "a,b\n1,2\n");
    seal_tables(&folder);
    refused(&folder.run(&["report", "run"]), &["steps.csv", "no column `time [s]`"]);
    std::fs::remove_file(folder.path().join("run/steps.csv")).expect("removed");
    refused(&folder.run(&["report", "run"]), &["steps.csv", "cannot read it"]);
    folder.write("run/report.json", "[]");
    refused(&folder.run(&["report", "run"]), &["report.json", "holds no report"]);
    folder.write("run/report.json", "{");
    refused(&folder.run(&["report", "run"]), &["report.json", "is no JSON"]);
}

/// Writes the checksums that a run would have if these were its tables; see "Damage" in `docs/runs.md`.
fn seal_tables(folder: &Folder) {
    const OPEN: &str = "\"checksum\": \"00000000\"";
    let root = "run/frames.zarr/zarr.json";
    let mut json: serde_json::Value = serde_json::from_slice(&folder.read(root)).expect("JSON");
    let attributes = &mut json["attributes"];
    for table in ["steps.csv", "probes.csv"] {
        let bytes = folder.read(&format!("run/{table}"));
        let sum = format!("{:08x}", crc32(&bytes));
        attributes["tables"][table] = serde_json::json!({ "bytes": bytes.len(), "crc32": sum });
    }
    attributes["checksum"] = "00000000".into();
    let text = serde_json::to_string_pretty(&json).expect("JSON");
    let sum = format!("\"checksum\": \"{:08x}\"", crc32(text.as_bytes()));
    folder.write(root, &text.replacen(OPEN, &sum, 1));
}

/// As of gzip, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _: u32| (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), bit))
}

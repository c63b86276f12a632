//! Commands shown in `docs/scenes.md`, `docs/render.md`, `docs/reports.md` and the README do what they say.

use crate::common::Folder;

const PAGE: &str = include_str!("../../../../docs/scenes.md");
const PICTURES: &str = include_str!("../../../../docs/render.md");
const REPORTS: &str = include_str!("../../../../docs/reports.md");
const README: &str = include_str!("../../../../README.md");

/// Blocks of a page by the words after the fence.
fn blocks<'a>(page: &'a str, fence: &str) -> Vec<&'a str> {
    let found = page.split("```").skip(1).step_by(2);
    found.filter_map(|block| block.strip_prefix(fence)?.strip_prefix('\n')).collect()
}

/// Lines `$ stiction …` of a page, without comments.
fn commands(page: &str) -> Vec<Vec<String>> {
    let lines = blocks(page, "console").into_iter().flat_map(str::lines);
    let stiction = lines.filter_map(|line| line.strip_prefix("$ stiction "));
    let words = stiction.map(|line| line.split_once(" #").map_or(line, |(command, _)| command));
    words.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

fn all_run(folder: &Folder, page: &str) {
    let commands = commands(page);
    assert!(commands.len() >= 4, "{} commands found", commands.len());
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        folder.done(&words);
    }
}

#[test]
fn commands_of_the_page_about_scenes_run() {
    let folder = Folder::new();
    let scene =
        blocks(PAGE, "toml").into_iter().find(|block| block.contains("\"A beam\"")).unwrap();
    let parts = blocks(PAGE, "toml part");
    let parts =
        parts.iter().filter(|part| part.contains("[[expect]]") || part.contains("[[variant]]"));
    let parts: Vec<&str> = parts.copied().collect();
    folder.write("scene.toml", &format!("{scene}\n{}", parts.join("\n")));
    all_run(&folder, PAGE);
}

#[test]
fn commands_of_the_readme_run() {
    let folder = Folder::new();
    let scene = blocks(README, "toml")[0];
    folder.write("beam.toml", &scene.replace("[[body]]", "duration = 0.1\n[[body]]"));
    // All scenes are verified elsewhere, and the viewer serves until Ctrl-C; here it is enough that they are
    // understood.
    let readme = README
        .replace("stiction verify --coarse", "stiction verify --help")
        .replace("stiction view runs/beam", "stiction view --help");
    all_run(&folder, &readme);
}

#[test]
fn commands_of_the_page_about_pictures_run() {
    let folder = Folder::new();
    let short =
        "stiction run twisting_bar --set duration=0.1 --set body.bar.solid.box.cells=[2,1,1]";
    all_run(&folder, &PICTURES.replace("stiction run twisting_bar", short));
    for file in ["bar.png", "bar.gif", "runs/twisting_bar/pictures/sheet.png"] {
        assert!(!folder.read(file).is_empty());
    }
}

#[test]
fn commands_of_the_page_about_reports_run() {
    let folder = Folder::new();
    all_run(&folder, REPORTS);
    for file in ["runs/block_slide/report.html", "compared.html"] {
        assert!(!folder.read(file).is_empty());
    }
}

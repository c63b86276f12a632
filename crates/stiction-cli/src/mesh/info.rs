//! `stiction mesh info`: what mesh files hold, how good it is, what is wrong with it.

use std::path::PathBuf;
use std::process::ExitCode;

use super::problems::Finding;
use super::survey::{Bounds, Group, Quality, Range, Solid, Surface, Survey};
use crate::exit;
use crate::terminal::Column::{Left, Right};
use crate::terminal::{Table, Terminal, human, style};

/// Arguments of `stiction mesh info`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct InfoArgs {
    /// Mesh files: .msh, .vtk, .vtu, .obj, .stl, .ply, or .node with .ele.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  stiction mesh info gear.msh
  stiction mesh info *.stl --quiet
  stiction mesh info gear.msh --json

A file with problems is described all the same; the exit code is 1 only when a file cannot be read.";

/// Bars of histograms are at most this wide.
const BAR_WIDTH: usize = 30;
/// More groups than this are shown under `--verbose` only.
const FEW_GROUPS: usize = 20;

pub(super) fn run(args: &InfoArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let mut code = exit::DONE;
    let mut progress = terminal.progress("reading");
    for (k, path) in args.files.iter().enumerate() {
        progress.set(k as f64 / args.files.len() as f64, || path.display().to_string());
        match Survey::of_file(path) {
            Ok(survey) => {
                progress.suspend(|| {
                    if k > 0 {
                        terminal.print("");
                    }
                    show(&survey, terminal);
                });
                terminal.event("mesh-info", &survey);
            }
            Err(error) => {
                progress.suspend(|| terminal.error(&error));
                code = exit::FAILED; // the others may still be of interest
            }
        }
    }
    Ok(ExitCode::from(code))
}

fn show(survey: &Survey, terminal: &Terminal) {
    let bytes = human::bytes(survey.bytes);
    terminal.print(format!("{}  {}, {bytes}", style::bold(&survey.file), survey.format));
    terminal.print(facts(survey));
    if let Some(solid) = &survey.solid {
        terminal.print(format!("\n  {}", style::bold("Solid")));
        terminal.print(solid_facts(solid));
        terminal.print(quality(&solid.quality, "dihedral"));
    }
    if let Some(surface) = &survey.surface {
        let title = if survey.solid.is_some() { "Triangles of the file" } else { "Surface" };
        terminal.print(format!("\n  {}", style::bold(title)));
        terminal.print(surface_facts(surface));
        // The solid's elements matter more; two histograms would hide them.
        if survey.solid.is_none() {
            terminal.print(quality(&surface.quality, "corner"));
        }
    }
    show_groups(&survey.groups, terminal);
    show_problems(&survey.problems, terminal);
}

fn facts(survey: &Survey) -> Table {
    let mut table = Table::new(&[Left(""), Left("")]).indented(2);
    let mut counts = vec![human::plural(survey.vertices, "vertex", "vertices")];
    for (n, one, many) in
        [(survey.tets, "tet", "tets"), (survey.triangles, "triangle", "triangles")]
    {
        if n > 0 {
            counts.push(human::plural(n, one, many));
        }
    }
    table.row(["holds".to_owned(), counts.join(", ")]);
    if !survey.skipped.is_empty() {
        let skipped: Vec<String> = survey
            .skipped
            .iter()
            .map(|s| format!("{} {}", human::count(s.count), s.kind))
            .collect();
        table.row(["left out".to_owned(), skipped.join(", ")]);
    }
    if let Some(Bounds { min, max }) = &survey.bounds {
        let size: Vec<String> = (0..3).map(|k| human::length(max[k] - min[k])).collect();
        table.row(["size".to_owned(), size.join(" × ")]);
        let point = |x: &[f64; 3]| x.map(|c| human::significant(c, 4)).join(", ");
        table.row(["from".to_owned(), format!("({}) m", point(min))]);
        table.row(["to".to_owned(), format!("({}) m", point(max))]);
    }
    table
}

fn solid_facts(solid: &Solid) -> Table {
    let mut table = Table::new(&[Left(""), Left("")]).indented(4);
    table.row(["volume".to_owned(), human::volume(solid.volume)]);
    let triangles = human::plural(solid.surface_triangles, "triangle", "triangles");
    table
        .row(["surface".to_owned(), format!("{} in {triangles}", human::area(solid.surface_area))]);
    table.row(["pieces".to_owned(), human::count(solid.pieces)]);
    table.row(["edges".to_owned(), lengths(&solid.edge_length)]);
    table
}

fn surface_facts(surface: &Surface) -> Table {
    let mut table = Table::new(&[Left(""), Left("")]).indented(4);
    table.row(["area".to_owned(), human::area(surface.area)]);
    let rim = match (surface.closed, surface.rim_edges) {
        (true, _) => "none: the surface is closed".to_owned(),
        (false, 0) => "none, but edges in more than two triangles".to_owned(),
        (false, count) => format!("{}: the surface is open", human::plural(count, "edge", "edges")),
    };
    table.row(["rim".to_owned(), rim]);
    let oriented = match (surface.oriented, surface.enclosed_volume) {
        (false, _) => "neighbours disagree on a side",
        (true, Some(volume)) if volume < 0.0 => "consistent, normals inward",
        (true, Some(_)) => "consistent, normals outward",
        (true, None) => "consistent",
    };
    table.row(["orientation".to_owned(), oriented.to_owned()]);
    if let Some(volume) = surface.enclosed_volume {
        table.row(["encloses".to_owned(), human::volume(volume.abs())]);
    }
    table.row(["pieces".to_owned(), human::count(surface.pieces)]);
    table.row(["edges".to_owned(), lengths(&surface.edge_length)]);
    table
}

fn lengths(range: &Range) -> String {
    let [min, mean, max] = [range.min, range.mean, range.max].map(human::length);
    format!("{min} to {max}, mean {mean}")
}

/// A table of measures and a histogram; `angle` says which angles.
pub(super) fn quality(quality: &Quality, angle: &str) -> String {
    let mut table =
        Table::new(&[Left("quality"), Right("min"), Right("mean"), Right("max")]).indented(4);
    let mut row = |name: String, range: &Range, scale: f64, digits: usize| {
        let cells = [range.min, range.mean, range.max].map(|x| format!("{:.digits$}", x * scale));
        table.row([vec![name], cells.to_vec()].concat());
    };
    let degrees = 1.0_f64.to_degrees();
    row("mean ratio, 1 is best".to_owned(), &quality.mean_ratio, 1.0, 3);
    row("radius ratio, 1 is best".to_owned(), &quality.radius_ratio, 1.0, 3);
    row(format!("smallest {angle} angle [°]"), &quality.min_angle, degrees, 1);
    row(format!("largest {angle} angle [°]"), &quality.max_angle, degrees, 1);
    row("aspect, 1 is best".to_owned(), &quality.aspect, 1.0, 2);
    format!("{table}\n{}", histogram(&quality.histogram))
}

/// Elements by mean ratio. Every bin that has any shows at least one mark.
fn histogram(bins: &[usize; 10]) -> String {
    let most = bins.iter().copied().max().unwrap_or(0).max(1);
    let total: usize = bins.iter().sum();
    let mut table =
        Table::new(&[Left("mean ratio"), Right("elements"), Right(""), Left("")]).indented(4);
    let first = bins.iter().position(|&n| n > 0).unwrap_or(0);
    for (k, &n) in bins.iter().enumerate().skip(first) {
        let bar = "█".repeat((BAR_WIDTH * n).div_ceil(most));
        let bar = match k {
            0..2 => style::error(bar),
            2..4 => style::warning(bar),
            _ => style::good(bar),
        };
        let share = format!("{:.1} %", 100.0 * n as f64 / total.max(1) as f64);
        let range = format!("{:.1} to {:.1}", k as f64 / 10.0, (k + 1) as f64 / 10.0);
        table.row([range, human::count(n), share, bar]);
    }
    table.to_string()
}

fn show_groups(groups: &[Group], terminal: &Terminal) {
    if groups.is_empty() {
        return;
    }
    terminal.print(format!("\n  {}", style::bold("Groups")));
    let shown = if terminal.is_verbose() { groups.len() } else { groups.len().min(FEW_GROUPS) };
    let mut table = Table::new(&[Left(""), Right(""), Left("")]).indented(4);
    for group in &groups[..shown] {
        table.row([group.name.clone(), human::count(group.count), group.of.to_owned()]);
    }
    terminal.print(table);
    if shown < groups.len() {
        terminal.print(format!("    … and {} more; --verbose shows all", groups.len() - shown));
    }
}

fn show_problems(problems: &[Finding], terminal: &Terminal) {
    if problems.is_empty() {
        terminal.print(format!("\n  {}", style::good("No problems found.")));
        return;
    }
    terminal.print(format!("\n  {}", style::bold("Problems")));
    for problem in problems {
        let mark = if problem.refused { style::error("refused") } else { style::warning("note") };
        terminal.print(format!("    {mark}: {}", problem.what));
        if !problem.help.is_empty() {
            terminal.print(format!("      {} {}", style::help("help:"), problem.help));
        }
    }
}

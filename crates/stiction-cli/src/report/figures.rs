//! Which plots a report has.

use super::numbers::{PHASE, column, residual_unit};
use super::plot::{Line, Plot};
use super::run::Run;

/// So many runs are named in every plot; more are named once above all.
const NAMED_EACH: usize = 4;
/// More plots of probes than anyone looks at.
const MOST_PROBES: usize = 24;

/// Everything over time, of one run.
pub(super) fn of_one(run: &Run) -> String {
    grid([energies(run)].into_iter().chain(shared(&[run])).chain([phases(run)]))
        + &left_out(std::slice::from_ref(run))
}

/// What cannot be laid over other runs, because it has many lines already.
pub(super) fn of_one_among_others(run: &Run) -> String {
    grid([energies(run), phases(run)])
}

/// Everything over time, a line for each run.
pub(super) fn of_many(runs: &[Run]) -> String {
    let left_out = left_out(runs);
    let runs: Vec<&Run> = runs.iter().collect();
    let energy = lines(&runs, |run| {
        let total = total_energy(run);
        let first = total.iter().copied().find(|x| x.is_finite()).unwrap_or(0.0);
        total.into_iter().map(|energy| energy - first).collect()
    });
    let energy = plot("Energy, since the first step", "J", energy);
    let kinetic = plot("Kinetic energy", "J", of_steps(&runs, "kinetic"));
    let mut plots: Vec<Plot<'_>> = [energy, kinetic].into_iter().chain(shared(&runs)).collect();
    let mut names = String::new();
    if runs.len() > NAMED_EACH {
        names = format!("<p class=\"keys\">{}</p>\n", plots[0].legend());
        plots.iter_mut().for_each(|plot| plot.nameless = true);
    }
    names + &grid(plots) + &left_out
}

/// Plots with a line for each run.
fn shared<'a>(runs: &[&'a Run]) -> Vec<Plot<'a>> {
    let mut plots = probes(runs);
    let touches =
        |name: &str| runs.iter().any(|run| column(&run.steps, name).iter().any(|&x| x > 0.0));
    if touches("contacts") {
        match runs {
            [run] => {
                let mut lines = of_steps(runs, "contacts");
                lines.extend(of_steps(&[run], "sliding"));
                for (line, label) in lines.iter_mut().zip(["touching", "sliding"]) {
                    label.clone_into(&mut line.label);
                }
                plots.push(plot("Contacts", "1", lines));
            }
            _ => {
                plots.push(plot("Contacts", "1", of_steps(runs, "contacts")));
                plots.push(plot("Contacts that slide", "1", of_steps(runs, "sliding")));
            }
        }
        let slip = "Slip that friction does not resist as Coulomb's law has it";
        plots.push(Plot { log: true, ..plot(slip, "m/s", of_steps(runs, "unresisted_slip")) });
        let excess = "Friction beyond its limit, in limits";
        plots.push(Plot { log: true, ..plot(excess, "1", of_steps(runs, "friction_excess")) });
        let gap = "Smallest gap (overlap below 0)";
        plots.push(plot(gap, "m", of_steps(runs, "smallest_gap")));
    }
    if touches("intersections") {
        let held = lines(runs, |run| held(column(&run.steps, "intersections")));
        plots.push(plot("Pairs of triangles that cross, in the last frame", "1", held));
    }
    plots.push(plot("Newton iterations of a step", "1", of_steps(runs, "iterations")));
    plots.extend(residuals(runs));
    if runs.len() > 1 {
        let spent = lines(runs, |run| so_far(column(&run.steps, "seconds")));
        plots.push(plot("Computing time so far", "s", spent));
    }
    plots
}

/// A plot for each probe that any of the runs has.
fn probes<'a>(runs: &[&'a Run]) -> Vec<Plot<'a>> {
    let mut plots: Vec<Plot<'a>> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        for probe in run.probe_columns() {
            let known = plots.iter().position(|p| p.title == probe.name && p.unit == probe.unit);
            let line = Line {
                label: run.name.clone(),
                times: column(&run.probes, "time"),
                values: probe.numbers.clone(),
            };
            match known {
                Some(known) => plots[known].lines[number] = line,
                None if plots.len() < MOST_PROBES => {
                    // A line for each run, so that each has its colour.
                    let mut own = plot(&probe.name, &probe.unit, lines(runs, |_| Vec::new()));
                    own.lines[number] = line;
                    plots.push(own);
                }
                None => {}
            }
        }
    }
    plots
}

/// Says so if a run has more probes than are plotted.
fn left_out(runs: &[Run]) -> String {
    match runs.iter().any(|run| run.probe_columns().len() > MOST_PROBES) {
        true => format!(
            "<p class=\"soft\">The first {MOST_PROBES} probes are plotted; all are in probes.csv.</p>\n"
        ),
        false => String::new(),
    }
}

fn energies(run: &Run) -> Plot<'_> {
    let times = column(&run.steps, "time");
    let mut lines: Vec<Line<'_>> = parts(run)
        .into_iter()
        .filter(|(_, values)| values.iter().any(|&x| x.is_finite() && x.abs() > 0.0))
        .map(|(label, values)| Line { label: label.to_owned(), times, values })
        .collect();
    lines.insert(0, Line { label: "total".into(), times, values: total_energy(run) });
    plot("Energies", "J", lines)
}

/// Energies by name. That of gravity is counted from its lowest, which would dwarf the others.
fn parts(run: &Run) -> Vec<(&'static str, Vec<f64>)> {
    let parts = ["kinetic", "elastic", "gravitational", "zones", "contact"];
    let part = |name: &'static str| {
        let mut values = column(&run.steps, name).to_vec();
        if name == "gravitational" {
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            values.iter_mut().for_each(|x| *x -= lowest);
        }
        (name, values)
    };
    parts.map(part).into_iter().collect()
}

fn total_energy(run: &Run) -> Vec<f64> {
    let parts = parts(run);
    let sum = |row: usize| parts.iter().filter_map(|(_, values)| values.get(row)).sum();
    (0..run.steps.rows()).map(sum).collect()
}

fn phases(run: &Run) -> Plot<'_> {
    let phases = run.steps.0.iter().filter(|column| column.name.starts_with(PHASE));
    let line = |label: &str, values: &[f64]| Line {
        label: label.to_owned(),
        times: column(&run.steps, "time"),
        values: so_far(values),
    };
    let mut lines = vec![line("all", column(&run.steps, "seconds"))];
    lines.extend(phases.map(|phase| line(&phase.name[PHASE.len()..], &phase.numbers)));
    plot("Computing time so far", "s", lines)
}

/// What is known at frames only, kept until the next.
fn held(values: &[f64]) -> Vec<f64> {
    let keep = |last: &mut f64, x: &f64| {
        *last = if x.is_nan() { *last } else { *x };
        Some(*last)
    };
    values.iter().scan(f64::NAN, keep).collect()
}

fn so_far(values: &[f64]) -> Vec<f64> {
    let add = |sum: &mut f64, x: &f64| {
        *sum += if x.is_finite() { *x } else { 0.0 };
        Some(*sum)
    };
    values.iter().scan(0.0, add).collect()
}

/// Residuals of methods that measure them in the same unit, in one plot each.
fn residuals<'a>(runs: &[&'a Run]) -> Vec<Plot<'a>> {
    let mut units: Vec<&str> = runs.iter().map(|run| residual_unit(run)).collect();
    units.sort_unstable();
    units.dedup();
    let of_unit = |unit: &str| {
        let own = runs.iter().copied().filter(|run| residual_unit(run) == unit);
        let own: Vec<&'a Run> = own.collect();
        Plot { log: true, ..plot("Residual", unit, of_steps(&own, "residual")) }
    };
    units.into_iter().map(of_unit).collect()
}

fn of_steps<'a>(runs: &[&'a Run], name: &str) -> Vec<Line<'a>> {
    lines(runs, |run| column(&run.steps, name).to_vec())
}

fn lines<'a>(runs: &[&'a Run], values: impl Fn(&Run) -> Vec<f64>) -> Vec<Line<'a>> {
    let line = |run: &&'a Run| Line {
        label: run.name.clone(),
        times: column(&run.steps, "time"),
        values: values(run),
    };
    runs.iter().map(line).collect()
}

fn plot<'a>(title: &str, unit: &str, lines: Vec<Line<'a>>) -> Plot<'a> {
    Plot {
        title: title.to_owned(),
        unit: unit.to_owned(),
        log: false,
        across: ("time", "s"),
        lines,
        nameless: false,
    }
}

fn grid<'a>(plots: impl IntoIterator<Item = Plot<'a>>) -> String {
    let figures: String = plots.into_iter().filter_map(|plot| plot.html()).collect();
    match figures.is_empty() {
        true => "<p class=\"soft\">Nothing was measured yet.</p>\n".to_owned(),
        false => format!("<div class=\"plots\">\n{figures}</div>\n"),
    }
}

//! What solvers did, as tables, curves and CSV.

use std::fmt::Write as _;

use stiction_scene::problem_file::Problem;

use super::find::described;
use super::judge::Measures;
use super::trial::{Sample, Trial};
use crate::report::chart::{Chart, End, Quantity, Series, Shape};
use crate::report::markup::{self, Cell};
use crate::report::page::document;
use crate::terminal::Column::{Left, Right};
use crate::terminal::{Table, human};
use crate::xml::escaped;

/// For the terminal.
pub(super) fn table(trials: &[Trial]) -> Table {
    let mut table = Table::new(&[
        Left("solver"),
        Left("status"),
        Right("iterations"),
        Right("time"),
        Right("residual [m/s]"),
        Right("relative"),
        Right("Fischer–Burmeister"),
        Right("Alart–Curnier"),
        Right("energy [J]"),
        Right("open, stick, slide"),
    ])
    .indented(2);
    for one in trials {
        let accuracy = &one.accuracy;
        table.row([
            one.solver.to_owned(),
            one.status.name().to_owned(),
            human::count(one.iterations),
            human::duration(one.seconds),
            small(one.measures.natural),
            small(one.relative),
            small(one.measures.fischer_burmeister),
            small(one.measures.alart_curnier),
            human::significant(one.measures.energy, 6),
            format!("{}, {}, {}", accuracy.open, accuracy.stick, accuracy.slide),
        ]);
    }
    table
}

fn small(x: f64) -> String {
    if x.is_nan() { "–".to_owned() } else { format!("{x:.1e}") }
}

/// Every look at every solver.
pub(super) fn as_csv(trials: &[Trial]) -> String {
    let mut text =
        "solver,status,iteration,seconds,natural [m/s],Fischer–Burmeister [m/s],Alart–Curnier \
         [m/s],energy [J]\n"
            .to_owned();
    for one in trials {
        for Sample { iteration, seconds, measures } in &one.history {
            let Measures { natural, fischer_burmeister, alart_curnier, energy } = measures;
            let _ = writeln!(
                text,
                "{},{},{iteration},{seconds},{natural},{fischer_burmeister},{alart_curnier},{energy}",
                one.solver,
                one.status.name()
            );
        }
    }
    text
}

/// A page that needs nothing else.
pub(super) fn page(name: &str, problem: &Problem, trials: &[Trial], tolerance: f64) -> String {
    let arrived = trials.iter().filter(|one| one.status.converged()).count();
    let mut main = format!(
        "<section>\n<p class=\"lead\">{}. {arrived} of {} came to {} m/s.</p>\n",
        escaped(&described(problem)),
        human::plural(trials.len(), "solver", "solvers"),
        markup::number(tolerance, 2),
    );
    main.push_str(&costs(trials).html());
    main.push_str(
        "<p class=\"soft\">Sorted as asked for. A cross ends the curve of a solver that stopped short. \
         The energy is what impulses add to the kinetic energy of the step.</p>\n",
    );
    let iterations = |sample: &Sample| sample.iteration as f64;
    let seconds = |sample: &Sample| sample.seconds;
    let by_iteration = || Quantity::logarithmic("iterations", "1");
    let by_second = || Quantity::logarithmic("time", "s");
    let natural = |sample: &Sample| sample.measures.natural;
    let best = trials
        .iter()
        .min_by(|a, b| a.measures.natural.total_cmp(&b.measures.natural))
        .map_or(f64::NAN, |one| one.measures.energy);
    let curves = |title: &str, x: Quantity, y: Quantity, at: &dyn Fn(&Sample) -> [f64; 2]| {
        curves(trials, title, x, y, at).figure().unwrap_or_default()
    };
    let speed = |name: &str| Quantity::logarithmic(name, "m/s");
    main.push_str("<h3>Convergence</h3>\n<div class=\"charts\">\n");
    main.push_str(&curves("By iteration", by_iteration(), speed("residual, natural map"), &|s| {
        [iterations(s), natural(s)]
    }));
    main.push_str(&curves("By time", by_second(), speed("residual, natural map"), &|s| {
        [seconds(s), natural(s)]
    }));
    main.push_str(&bargains(trials).figure().unwrap_or_default());
    main.push_str("</div>\n<h3>The same by other measures</h3>\n<div class=\"charts\">\n");
    main.push_str(&curves(
        "Fischer–Burmeister",
        by_iteration(),
        speed("residual, Fischer–Burmeister"),
        &|s| [iterations(s), s.measures.fischer_burmeister],
    ));
    main.push_str(&curves(
        "Alart–Curnier",
        by_iteration(),
        speed("residual, Alart–Curnier"),
        &|s| [iterations(s), s.measures.alart_curnier],
    ));
    main.push_str(&curves(
        "Energy: how far from that of the best solution",
        by_iteration(),
        Quantity::logarithmic("error of the energy", "J"),
        &|s| [iterations(s), (s.measures.energy - best).abs()],
    ));
    main.push_str("</div>\n<h3>Friction</h3>\n");
    main.push_str(&frictions(trials).html());
    main.push_str(
        "<p class=\"soft\">Outside of the cone: friction beyond what the normal impulse allows, as a share of the \
         largest normal \
         impulse. Angle: between friction and what is opposite to the slip, the largest of all contacts that slide. \
         Sinking: how fast contacts go on into each other at most.</p>\n</section>\n",
    );
    document(&format!("Solvers on {name}"), &main)
}

fn curves(
    trials: &[Trial],
    title: &str,
    x: Quantity,
    y: Quantity,
    at: &dyn Fn(&Sample) -> [f64; 2],
) -> Chart {
    let mut chart = Chart::new(title, x, y);
    for one in trials {
        let end = if one.status.converged() { End::Arrived } else { End::Failed };
        let points = one.history.iter().map(at).collect();
        chart.add(Series::line(one.solver, points).ending(end));
    }
    chart
}

/// Residuals by iteration as a picture of its own.
pub(super) fn picture(name: &str, problem: &Problem, trials: &[Trial]) -> String {
    let title = format!("{name}: {}", described(problem));
    let (x, y) = (
        Quantity::logarithmic("iterations", "1"),
        Quantity::logarithmic("residual, natural map", "m/s"),
    );
    let at = |sample: &Sample| [sample.iteration as f64, sample.measures.natural];
    curves(trials, &title, x, y, &at).svg_file().unwrap_or_default()
}

/// Time against accuracy: the best are at the lower left.
fn bargains(trials: &[Trial]) -> Chart {
    let mut chart = Chart::new(
        "What it cost, and what came of it",
        Quantity::logarithmic("time", "s"),
        Quantity::logarithmic("residual at the end, natural map", "m/s"),
    );
    for one in trials {
        let point = [one.seconds, one.measures.natural];
        chart.add(Series::line(one.solver, vec![point]).shaped(Shape::Points));
    }
    chart
}

fn heads(words: &[&str]) -> Vec<Cell> {
    let head =
        |(k, word): (usize, &&str)| if k < 2 { Cell::text(word) } else { Cell::number(word) };
    words.iter().enumerate().map(head).collect()
}

fn named(one: &Trial) -> [Cell; 2] {
    let status = one.status.to_string();
    let class = if one.status.converged() { "good" } else { "bad" };
    [Cell::text(one.solver), Cell::text(&status).class(class)]
}

fn number(x: f64, digits: usize) -> Cell {
    if x.is_nan() { Cell::number("–") } else { Cell::number(&markup::number(x, digits)) }
}

fn costs(trials: &[Trial]) -> markup::Table {
    let words = [
        "solver",
        "status",
        "iterations",
        "time",
        "an iteration",
        "natural map [m/s]",
        "Fischer–Burmeister [m/s]",
        "Alart–Curnier [m/s]",
        "energy [J]",
    ];
    let mut rows = markup::Table::new(heads(&words));
    for one in trials {
        let each = one.seconds / one.iterations.max(1) as f64;
        rows.row(named(one).into_iter().chain([
            Cell::number(&human::count(one.iterations)),
            Cell::number(&human::duration(one.seconds)),
            Cell::number(&human::duration(each)),
            number(one.measures.natural, 2),
            number(one.measures.fischer_burmeister, 2),
            number(one.measures.alart_curnier, 2),
            number(one.measures.energy, 7),
        ]));
    }
    rows
}

fn frictions(trials: &[Trial]) -> markup::Table {
    let words = [
        "solver",
        "status",
        "open",
        "stick",
        "slide",
        "outside of the cone",
        "angle [°]",
        "sinking [m/s]",
    ];
    let mut rows = markup::Table::new(heads(&words));
    for one in trials {
        let accuracy = &one.accuracy;
        rows.row(named(one).into_iter().chain([
            Cell::number(&human::count(accuracy.open)),
            Cell::number(&human::count(accuracy.stick)),
            Cell::number(&human::count(accuracy.slide)),
            number(accuracy.excess, 2),
            number(accuracy.angle.to_degrees(), 2),
            number(accuracy.sinking, 2),
        ]));
    }
    rows
}

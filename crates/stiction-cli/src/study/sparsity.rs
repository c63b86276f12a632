//! Which contacts act on which: the blocks of `A` are those that share a body. (B24, Figs. 41–43)

use stiction::solve::complementarity::cone::{Assembled, Delassus as _};
use stiction_check::stacks::Stack;

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "sparsity",
    title: "Which contacts act on which?",
    source: "B24, Figs. 41–43",
    run,
};

fn run(_: Told<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let mut sheet = Sheet::new(&["scene", "contacts", "blocks", "share of all [%]"]);
    for (part, title, stack) in [
        ("tower", "A of a tower of six boxes", Stack::tower(&[1.0; 6])),
        ("wall", "A of a wall of 6 × 4 bricks", Stack::wall(6, 4)),
    ] {
        let a: Assembled = stack.cone(0.5).operator().assemble();
        let contacts = a.contacts();
        let mut points: Vec<[f64; 2]> = Vec::new();
        for i in 0..contacts {
            let others = a.others().row_columns(i).iter().map(|&j| f64::from(j));
            points.extend(others.chain([i as f64]).map(|j| [j, i as f64]));
        }
        let share = 100.0 * points.len() as f64 / (contacts * contacts) as f64;
        sheet.row([part.into(), contacts.to_string(), points.len().to_string(), share.to_string()]);
        findings.say(format!(
            "{part}: {contacts} contacts, {} blocks, {share:.0} % of all",
            points.len()
        ));
        let mut chart =
            Chart::new(title, Quantity::linear("contact", "1"), Quantity::linear("contact", "1"));
        chart.downwards = true;
        chart.add(Series::line("", points).shaped(Shape::Squares(1.0)));
        findings.chart(part, chart);
    }
    findings.sheet("", sheet);
    Ok(findings)
}

//! All 40,320 orders in which eight contacts of two boxes can be swept: how many sweeps does each need? (B2, V09)

use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::linear::{Order, gauss_seidel};
use stiction_check::stacks::{Stack, unscaled};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Mark, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "orders",
    title: "Does the order of contacts matter?",
    source: "B2, Fig. 16; V09",
    run,
};

const ORDERS: usize = 40_320;
const MOST_SWEEPS: usize = 64;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let problem = unscaled(Stack::tower(&[1.0, 1.0]).linear(None));
    let limits = Limits { tolerance: 1e-4, iterations: MOST_SWEEPS - 1 };
    let sweeps = |order: Order| {
        let mut x = [0.0; 8];
        let settings = gauss_seidel::Settings { relaxation: 1.0, order };
        gauss_seidel::solve(&problem, &mut x, &settings, &limits, &mut ()).iterations
    };
    let mut counts = [0_usize; MOST_SWEEPS];
    let (mut order, mut done): (Vec<u32>, usize) = ((0..8).collect(), 0);
    for_each_permutation(&mut order, 8, &mut |order| {
        counts[sweeps(Order::Given(order.to_vec()))] += 1;
        done += 1;
        if done.is_multiple_of(1000) {
            told(done as f64 / ORDERS as f64);
        }
    });
    let as_given = sweeps(Order::Forward);
    let (mut sheet, mut bars) = (Sheet::new(&["sweeps", "orders"]), Vec::new());
    for (sweeps, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        sheet.row([sweeps.to_string(), count.to_string()]);
        bars.push([sweeps as f64, count as f64]);
    }
    let mut chart = Chart::new(
        "Two boxes, eight contacts: all orders of Gauss–Seidel",
        Quantity::linear("sweeps until the residual is below 10⁻⁴ m/s", "1"),
        Quantity::linear("orders", "1"),
    );
    chart.marks.push(Mark { at: as_given as f64, label: "bottom to top".to_owned() });
    let (best, worst) = (bars[0][0], bars[bars.len() - 1][0]);
    chart.add(Series::line("", bars).shaped(Shape::Bars(0.8)));
    let mut findings = Findings::default();
    findings.say(format!(
        "{best} sweeps in the best order, {worst} in the worst, {as_given} from bottom to top"
    ));
    findings.sheet("", sheet);
    findings.chart("", chart);
    Ok(findings)
}

/// Heap's algorithm.
fn for_each_permutation(order: &mut [u32], k: usize, f: &mut impl FnMut(&[u32])) {
    if k <= 1 {
        return f(order);
    }
    for i in 0..k {
        for_each_permutation(order, k - 1, f);
        if i + 1 < k {
            order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
        }
    }
}

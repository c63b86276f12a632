//! Marks of axes in SVG: a line across the figure, or a tick, and the number beside it.

use std::fmt::Write as _;

/// A mark of the axis upwards: a line at height `y`, its label before it, moved by `by`.
pub(super) fn mark_y(
    svg: &mut String,
    class: &str,
    [left, right]: [f64; 2],
    y: f64,
    label: &str,
    by: [f64; 2],
) {
    let _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
        left + by[0],
        y + by[1]
    );
}

/// A mark of the axis across: a line at `x` along `line`, a part of an SVG path, and its label at height `below`.
pub(super) fn mark_x(svg: &mut String, class: &str, x: f64, line: &str, below: f64, label: &str) {
    let _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{x:.1} {line}\"/>\
         <text x=\"{x:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{label}</text>"
    );
}

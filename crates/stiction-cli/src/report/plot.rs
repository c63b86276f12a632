//! A small plot, mostly over time, as SVG inside of a page.

use std::fmt::Write as _;

use super::axes::{mark_x, mark_y};
use super::markup::superscript;
use super::thin::thinned;
use super::ticks::Axis;
use crate::xml::escaped;

/// Width and height, in units of the picture.
const SIZE: [f64; 2] = [440.0, 200.0];
/// Room above the lines.
const TOP: f64 = 8.0;
/// Room at their right; that at the left is as wide as its labels.
const RIGHT: f64 = 14.0;
/// Room below.
const BOTTOM: f64 = 34.0;
/// Colours there are; lines after that begin again, dashed, then dotted.
const COLOURS: usize = 8;

/// A line over time.
pub(crate) struct Line<'a> {
    pub(crate) label: String,
    pub(crate) times: &'a [f64],
    pub(crate) values: Vec<f64>,
}

/// A small plot.
pub(crate) struct Plot<'a> {
    pub(crate) title: String,
    /// Of all its lines.
    pub(crate) unit: String,
    /// Powers of ten at equal distances.
    pub(crate) log: bool,
    /// What is across, with its unit.
    pub(crate) across: (&'static str, &'static str),
    pub(crate) lines: Vec<Line<'a>>,
    /// Its lines are named elsewhere.
    pub(crate) nameless: bool,
}

impl Plot<'_> {
    /// A figure with heading, legend and lines; nothing if there is nothing to show.
    pub(crate) fn html(&self) -> Option<String> {
        let shown = |line: &Line<'_>, k: usize| {
            let y = line.values[k];
            line.times[k].is_finite() && y.is_finite() && (!self.log || y > 0.0)
        };
        let points = self.lines.iter().flat_map(|line| {
            let all = 0..line.times.len().min(line.values.len());
            all.filter(|&k| shown(line, k)).map(|k| [line.times[k], line.values[k]])
        });
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        let [x_range, y_range] = points.fold([none, none], |ranges, point| {
            [0, 1].map(|k: usize| [ranges[k][0].min(point[k]), ranges[k][1].max(point[k])])
        });
        if x_range[0] > x_range[1] {
            return None;
        }
        // Tables begin after the first step; time begins at zero. So do counts.
        let x_range =
            if x_range[0] < 0.1 * x_range[1] { [x_range[0].min(0.0), x_range[1]] } else { x_range };
        let y_range = match self.unit == "1" && !self.log {
            true => [y_range[0].min(0.0), y_range[1].max(0.0)],
            false => y_range,
        };
        let zeros = self.log && self.lines.iter().any(|line| line.values.contains(&0.0));
        let x_axis = Axis::linear(x_range, 5, true);
        let y_axis =
            if self.log { Axis::logarithmic(y_range) } else { Axis::linear(y_range, 4, false) };
        Some(format!(
            "<figure class=\"plot\">\n<figcaption><b>{}</b>{}{}{}</figcaption>\n{}</figure>\n",
            escaped(&self.title),
            unit(&self.unit, y_axis.power),
            if zeros { ", zeros not drawn" } else { "" },
            if self.nameless { String::new() } else { self.legend() },
            self.svg(&x_axis, &y_axis)
        ))
    }

    /// Names of its lines, if there are several.
    pub(crate) fn legend(&self) -> String {
        let mut html = String::new();
        if self.lines.len() > 1 {
            for (k, line) in self.lines.iter().enumerate() {
                let _ = write!(
                    html,
                    " <span class=\"key\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 18 8\" \
                     width=\"18\" height=\"8\" \
                     aria-hidden=\"true\"><path class=\"{}\" d=\"M1 4H17\"/></svg> {}</span>",
                    class(k),
                    escaped(&line.label)
                );
            }
        }
        html
    }

    fn svg(&self, x_axis: &Axis, y_axis: &Axis) -> String {
        let widest = y_axis.marks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let left = 12.0 + 6.4 * widest as f64;
        let [width, height] = [SIZE[0] - left - RIGHT, SIZE[1] - TOP - BOTTOM];
        let (right, bottom) = (left + width, TOP + height);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} over {}\">\n",
            SIZE[0],
            SIZE[1],
            escaped(&self.title),
            self.across.0
        );
        for (place, label) in &y_axis.marks {
            let y = bottom - height * y_axis.share_of_mark(*place);
            let line = if label == "0" { "zero" } else { "grid" };
            mark_y(&mut svg, line, [left, right], y, label, [-5.0, 3.8]);
        }
        for (place, label) in &x_axis.marks {
            let x = left + width * x_axis.share_of_mark(*place);
            mark_x(&mut svg, "axis", x, &format!("{bottom:.1}v4"), bottom + 15.0, label);
        }
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{left:.1} {bottom:.1}H{right:.1}\"/><text class=\"unit\" x=\"{right:.1}\" \
             y=\"{:.1}\" \
             text-anchor=\"end\">{}{}</text>",
            bottom + 29.0,
            self.across.0,
            unit(self.across.1, x_axis.power)
        );
        for (k, line) in self.lines.iter().enumerate() {
            let values = match self.log {
                true => line.values.iter().map(|&y| if y > 0.0 { y } else { f64::NAN }).collect(),
                false => line.values.clone(),
            };
            let path =
                path(&thinned(line.times, &values, x_axis.range, width as usize), |[x, y]| {
                    [left + width * x_axis.share(x), bottom - height * y_axis.share(y)]
                });
            if !path.is_empty() {
                // The first are the widest, so that they are seen below others.
                let above = (self.lines.len() - 1 - k).min(2);
                let width = 1.4 + 0.9 * above as f64;
                let _ = writeln!(
                    svg,
                    "<path class=\"{}\" stroke-width=\"{width:.1}\" d=\"{path}\"/>",
                    class(k)
                );
            }
        }
        svg + "</svg>\n"
    }
}

/// Points on the page, joined; a point alone becomes a dot.
pub(super) fn path(pieces: &[Vec<[f64; 2]>], place: impl Fn([f64; 2]) -> [f64; 2]) -> String {
    let mut path = String::new();
    for piece in pieces {
        for (k, &point) in piece.iter().enumerate() {
            let [x, y] = place(point);
            let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
        }
        if piece.len() == 1 {
            path.push_str("h0");
        }
    }
    path
}

/// The look of a line.
pub(super) fn class(line: usize) -> String {
    let dashes = ["", " dashed", " dotted"][line / COLOURS % 3];
    format!("line c{}{dashes}", line % COLOURS)
}

/// A unit behind the name of an axis.
pub(super) fn unit(unit: &str, power: i32) -> String {
    let unit = escaped(if unit == "1" { "" } else { unit });
    match (unit.as_str(), power) {
        ("", 0) => String::new(),
        ("", power) => format!(" [10{}]", superscript(power)),
        (unit, 0) => format!(" [{unit}]"),
        (unit, power) => format!(" [10{} {unit}]", superscript(power)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Plot};

    /// Friction in limits has no unit and is often zero: its axis began at the logarithm of that.
    #[test]
    fn zeros_of_a_plot_of_powers_leave_its_axis_alone() {
        let line =
            Line { label: "a".into(), times: &[0.0, 0.1, 0.2], values: vec![0.0, 1e-4, 2e-2] };
        let plot = Plot {
            title: "excess".into(),
            unit: "1".into(),
            log: true,
            across: ("time", "s"),
            lines: vec![line],
            nameless: false,
        };
        let html = plot.html().expect("two points");
        assert!(html.contains("10⁻⁴") && html.contains("10⁻¹"), "{html}");
        assert!(!html.contains("⁴²⁹⁴") && !html.contains("NaN"), "{html}");
        assert!(html.contains("zeros not drawn"), "{html}");
    }
}

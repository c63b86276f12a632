//! A large plot with labelled axes and a legend beside it: lines, points, bars; for pages, and alone as an SVG file.
//!
//! Made to be read in a paper: eight colours that colour-blind people tell apart [W11], three dashes, so that 24 lines
//! differ; lines that end in a cross stopped short.

use std::fmt::Write as _;

use super::axes::{mark_x, mark_y};
use super::plot::{class, path, unit};
use super::thin::thinned;
use super::ticks::Axis;
use crate::xml::escaped;

/// Room above, for the title.
const TOP: f64 = 34.0;
/// Room below, for marks and the name of the axis.
const BOTTOM: f64 = 48.0;
/// Width of a letter of the legend.
const LETTER: f64 = 6.7;

/// What an axis shows.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    pub(crate) name: String,
    /// `1` for numbers.
    pub(crate) unit: &'static str,
    /// Powers of ten at equal distances.
    pub(crate) log: bool,
    /// What must be seen at least, whatever is shown.
    pub(crate) at_least: Option<[f64; 2]>,
}

impl Quantity {
    /// With equal distances.
    pub(crate) fn linear(name: &str, unit: &'static str) -> Self {
        Self { name: name.to_owned(), unit, log: false, at_least: None }
    }

    /// With powers of ten.
    pub(crate) fn logarithmic(name: &str, unit: &'static str) -> Self {
        Self { log: true, ..Self::linear(name, unit) }
    }

    /// Shows at least from here to there.
    pub(crate) fn from(self, low: f64, high: f64) -> Self {
        Self { at_least: Some([low, high]), ..self }
    }
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// Joined.
    Line,
    /// Joined by a broad line that others can lie on.
    Broad,
    /// Joined, with a dot each.
    DottedLine,
    /// A dot each.
    Points,
    /// Squares of this width, in units of both axes.
    Squares(f64),
    /// Bars from the bottom, of this width in units of the axis.
    Bars(f64),
    /// A soft line, to compare with.
    Reference,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// As it is.
    #[default]
    Plain,
    /// With a dot: it arrived.
    Arrived,
    /// With a cross: it did not.
    Failed,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) label: String,
    pub(crate) shape: Shape,
    pub(crate) points: Vec<[f64; 2]>,
    pub(crate) end: End,
}

impl Series {
    /// A line.
    pub(crate) fn line(label: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { label: label.into(), shape: Shape::Line, points, end: End::Plain }
    }

    /// The same drawn another way.
    pub(crate) fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// The same with this end.
    pub(crate) fn ending(self, end: End) -> Self {
        Self { end, ..self }
    }
}

/// A place on an axis that has a name.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// A large plot.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x: Quantity,
    pub(crate) y: Quantity,
    pub(crate) series: Vec<Series>,
    /// Lines from bottom to top.
    pub(crate) marks: Vec<Mark>,
    /// Rows are counted from above, and squares are square: for matrices.
    pub(crate) downwards: bool,
}

impl Chart {
    /// With nothing in it yet.
    pub(crate) fn new(title: &str, x: Quantity, y: Quantity) -> Self {
        let (series, marks) = (Vec::new(), Vec::new());
        Self { title: title.to_owned(), x, y, series, marks, downwards: false }
    }

    /// Adds points.
    pub(crate) fn add(&mut self, series: Series) {
        self.series.push(series);
    }

    /// A file of its own; nothing if there is nothing to show.
    pub(crate) fn svg_file(&self) -> Option<String> {
        let style = format!(
            "<style>\n{}{}</style>\n",
            include_str!("alone.css"),
            include_str!("chart.css")
        );
        self.svg(&style)
    }

    /// A figure of a page.
    pub(crate) fn figure(&self) -> Option<String> {
        Some(format!("<figure class=\"chart\">\n{}</figure>\n", self.svg("")?))
    }

    fn svg(&self, style: &str) -> Option<String> {
        let [x_axis, y_axis] = self.axes()?;
        let legend: Vec<(usize, &Series)> =
            self.series.iter().enumerate().filter(|(_, s)| !s.label.is_empty()).collect();
        let beside = if legend.len() > 1 {
            let widest = legend.iter().map(|(_, s)| s.label.chars().count()).max().unwrap_or(0);
            44.0 + LETTER * widest as f64
        } else {
            16.0
        };
        let marks = y_axis.marks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let left = 40.0 + LETTER * marks as f64;
        let inner = if self.downwards { [300.0, 300.0] } else { [500.0, 300.0] };
        let tall = f64::max(inner[1], 18.0 * legend.len() as f64);
        let frame = Frame {
            left,
            top: TOP,
            width: inner[0],
            height: tall,
            x_axis,
            y_axis,
            downwards: self.downwards,
        };
        let (width, height) = (left + inner[0] + beside, TOP + tall + BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{}\">\n{style}",
            escaped(&self.title)
        );
        if !style.is_empty() {
            let _ = writeln!(
                svg,
                "<rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\"/>"
            );
        }
        let _ = writeln!(
            svg,
            "<text class=\"title\" x=\"{left:.1}\" y=\"20\">{}</text>",
            escaped(&self.title)
        );
        self.draw_axes(&mut svg, &frame);
        for (k, series) in self.series.iter().enumerate() {
            draw(&mut svg, &frame, k, series);
        }
        if legend.len() > 1 {
            draw_legend(&mut svg, &legend, left + inner[0] + 14.0);
        }
        Some(svg + "</svg>\n")
    }

    /// Axes around all that is shown; nothing if that is nothing.
    fn axes(&self) -> Option<[Axis; 2]> {
        let shown = |point: &[f64; 2]| {
            let fine = |v: f64, log: bool| v.is_finite() && (!log || v > 0.0);
            fine(point[0], self.x.log) && fine(point[1], self.y.log)
        };
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        let mut ranges = [none, none];
        for series in &self.series {
            let half = match series.shape {
                Shape::Squares(width) | Shape::Bars(width) => 0.5 * width,
                _ => 0.0,
            };
            let up = if matches!(series.shape, Shape::Squares(_)) { half } else { 0.0 };
            for point in series.points.iter().filter(|point| shown(point)) {
                for (k, half, log) in [(0, half, self.x.log), (1, up, self.y.log)] {
                    let first = point[k] - half;
                    // On an axis of powers of ten what begins at or below zero is cut off at its middle.
                    let first = if log && first <= 0.0 { point[k] } else { first };
                    ranges[k][0] = ranges[k][0].min(first);
                    ranges[k][1] = ranges[k][1].max(point[k] + half);
                }
                if matches!(series.shape, Shape::Bars(_)) && !self.y.log {
                    ranges[1][0] = ranges[1][0].min(0.0);
                }
            }
        }
        if ranges[0][0] > ranges[0][1] {
            return None;
        }
        let axis = |quantity: &Quantity, [low, high]: [f64; 2], tight: bool| {
            let [least, most] = quantity.at_least.unwrap_or(none);
            let least = if quantity.log && least <= 0.0 { low } else { least };
            let range = [low.min(least), high.max(most)];
            match (quantity.log, tight) {
                (true, true) => Axis::logarithmic_tight(range),
                (true, false) => Axis::logarithmic(range),
                (false, tight) => Axis::linear(range, 6, tight),
            }
        };
        Some([axis(&self.x, ranges[0], true), axis(&self.y, ranges[1], self.downwards)])
    }

    fn draw_axes(&self, svg: &mut String, frame: &Frame) {
        let Frame { left, top, width, height, x_axis, y_axis, .. } = frame;
        let (right, bottom) = (left + width, top + height);
        for (place, label) in &y_axis.marks {
            let y = frame.y_of_share(y_axis.share_of_mark(*place));
            mark_y(svg, "grid", [*left, right], y, label, [-7.0, 4.0]);
        }
        for (place, label) in &x_axis.marks {
            let x = left + width * x_axis.share_of_mark(*place);
            mark_x(svg, "grid", x, &format!("{top:.1}V{bottom:.1}"), bottom + 17.0, label);
        }
        for mark in self.marks.iter().filter(|mark| x_axis.share(mark.at).is_finite()) {
            let x = left + width * x_axis.share(mark.at);
            let before = x > left + 0.7 * width;
            let _ = writeln!(
                svg,
                "<path class=\"mark\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/><text class=\"soft\" x=\"{:.1}\" \
                 y=\"{:.1}\" text-anchor=\"{}\">{}</text>",
                if before { x - 5.0 } else { x + 5.0 },
                top + 14.0,
                if before { "end" } else { "start" },
                escaped(&mark.label)
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\"/>\
             <text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}{}</text>\
             <text class=\"name\" transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}{}</text>",
            left + 0.5 * width,
            bottom + 38.0,
            escaped(&self.x.name),
            unit(self.x.unit, x_axis.power),
            top + 0.5 * height,
            escaped(&self.y.name),
            unit(self.y.unit, y_axis.power)
        );
    }
}

/// Where numbers are on the page.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x_axis: Axis,
    y_axis: Axis,
    downwards: bool,
}

impl Frame {
    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.left + self.width * self.x_axis.share(x), self.y_of_share(self.y_axis.share(y))]
    }

    fn y_of_share(&self, share: f64) -> f64 {
        self.top + self.height * if self.downwards { share } else { 1.0 - share }
    }
}

fn draw(svg: &mut String, frame: &Frame, number: usize, series: &Series) {
    let drawable = |&&[x, y]: &&[f64; 2]| {
        let fine = |v: f64, axis: &Axis| v.is_finite() && (!axis.log || v > 0.0);
        fine(x, &frame.x_axis) && fine(y, &frame.y_axis)
    };
    let look = class(number);
    match series.shape {
        Shape::Line | Shape::Broad | Shape::DottedLine | Shape::Reference => {
            let (x, y): (Vec<f64>, Vec<f64>) = series
                .points
                .iter()
                .map(
                    |point| {
                        if drawable(&point) { (point[0], point[1]) } else { (point[0], f64::NAN) }
                    },
                )
                .unzip();
            // Thinning goes by columns of pixels, which are powers on a logarithmic axis.
            let across: Vec<f64> = match frame.x_axis.log {
                true => x.iter().map(|x| x.log10()).collect(),
                false => x,
            };
            let pieces = thinned(&across, &y, frame.x_axis.range, frame.width as usize);
            let back = |[x, y]: [f64; 2]| {
                frame.place([if frame.x_axis.log { 10_f64.powf(x) } else { x }, y])
            };
            let path = path(&pieces, back);
            let look = styled(look, series.shape);
            if !path.is_empty() {
                let _ = writeln!(svg, "<path class=\"{look}\" d=\"{path}\"/>");
            }
            if series.shape == Shape::DottedLine {
                dots(svg, frame, number, series.points.iter().filter(drawable));
            }
            let last = series.points.iter().rfind(drawable);
            match (last, series.end) {
                (Some(last), End::Arrived) => dots(svg, frame, number, [last].into_iter()),
                (Some(last), End::Failed) => {
                    let [x, y] = frame.place(*last);
                    let _ = writeln!(
                        svg,
                        "<path class=\"cross c{}\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"/>",
                        number % 8,
                        x - 4.0,
                        y - 4.0
                    );
                }
                _ => {}
            }
        }
        Shape::Points => dots(svg, frame, number, series.points.iter().filter(drawable)),
        Shape::Bars(width) => {
            for &[x, y] in series.points.iter().filter(drawable) {
                let left = x - 0.5 * width;
                let cut = frame.x_axis.log && left <= 0.0;
                let left = if cut { frame.x_axis.floor() } else { left };
                block(svg, frame, number, [left, frame.y_axis.floor()], [x + 0.5 * width, y]);
            }
        }
        Shape::Squares(width) => {
            let mut points: Vec<[f64; 2]> =
                series.points.iter().filter(drawable).copied().collect();
            points.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
            // Those beside each other become one: a matrix of thousands stays a small picture.
            let beside = |a: &[f64; 2], b: &[f64; 2]| {
                a[1].to_bits() == b[1].to_bits() && (b[0] - a[0] - width).abs() < 1e-9 * width
            };
            for run in points.chunk_by(beside) {
                let (first, last) = (run[0], run[run.len() - 1]);
                let half = 0.5 * width;
                let corner = [first[0] - half, first[1] - half];
                block(svg, frame, number, corner, [last[0] + half, last[1] + half]);
            }
        }
    }
}

/// A filled rectangle between two corners.
fn block(svg: &mut String, frame: &Frame, number: usize, a: [f64; 2], b: [f64; 2]) {
    let ([x0, y0], [x1, y1]) = (frame.place(a), frame.place(b));
    let _ = writeln!(
        svg,
        "<rect class=\"fill f{}\" x=\"{x0:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
        number % 8,
        y0.min(y1),
        x1 - x0,
        (y1 - y0).abs()
    );
}

fn styled(look: String, shape: Shape) -> String {
    match shape {
        Shape::Reference => "line reference".to_owned(),
        Shape::Broad => format!("{look} broad"),
        _ => look,
    }
}

fn dots<'a>(
    svg: &mut String,
    frame: &Frame,
    number: usize,
    points: impl Iterator<Item = &'a [f64; 2]>,
) {
    for point in points {
        let [x, y] = frame.place(*point);
        let _ = writeln!(
            svg,
            "<circle class=\"dot f{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>",
            number % 8
        );
    }
}

fn draw_legend(svg: &mut String, legend: &[(usize, &Series)], left: f64) {
    for (line, (number, series)) in legend.iter().enumerate() {
        let y = TOP + 8.0 + 18.0 * line as f64;
        let (x, look) = (left, class(*number));
        match series.shape {
            Shape::Points => {
                let _ = write!(
                    svg,
                    "<circle class=\"dot f{}\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>",
                    number % 8,
                    x + 10.0
                );
            }
            Shape::Bars(_) | Shape::Squares(_) => {
                let _ = write!(
                    svg,
                    "<rect class=\"fill f{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"10\"/>",
                    number % 8,
                    x + 4.0,
                    y - 5.0
                );
            }
            shape => {
                let look = styled(look, shape);
                let _ = write!(svg, "<path class=\"{look}\" d=\"M{x:.1} {y:.1}h20\"/>");
                if series.end == End::Failed {
                    let _ = write!(
                        svg,
                        "<path class=\"cross c{}\" d=\"M{:.1} {:.1}l7 7m0 -7l-7 7\"/>",
                        number % 8,
                        x + 6.5,
                        y - 3.5
                    );
                }
            }
        }
        let soft = if series.end == End::Failed { " class=\"soft\"" } else { "" };
        let _ = writeln!(
            svg,
            "<text{soft} x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 26.0,
            y + 4.0,
            escaped(&series.label)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{Chart, End, Quantity, Series, Shape};

    fn chart() -> Chart {
        Chart::new(
            "a < b",
            Quantity::logarithmic("sweeps", "1"),
            Quantity::logarithmic("residual", "m/s"),
        )
    }

    #[test]
    fn what_cannot_be_on_a_logarithmic_axis_is_left_out() {
        let mut chart = chart();
        chart.add(Series::line("x", vec![[0.0, 1.0], [1.0, 0.0], [2.0, f64::NAN]]));
        assert!(chart.svg_file().is_none());
        chart.add(
            Series::line("y", vec![[1.0, 1e-3], [10.0, 1e-9], [20.0, 0.0]]).ending(End::Failed),
        );
        let svg = chart.svg_file().expect("there is a point");
        assert!(svg.contains("a &lt; b") && svg.contains("cross") && !svg.contains("NaN"), "{svg}");
        let tree = roxmltree::Document::parse(&svg).expect("an SVG is XML");
        assert!(tree.descendants().any(|node| node.text() == Some("residual [m/s]")));
    }

    /// Axes began at the logarithm of zero, with marks such as 10^-429496732.
    #[test]
    fn axes_of_powers_begin_above_zero_whatever_is_shown() {
        let mut bars = chart();
        bars.add(Series::line("", vec![[1.0, 1e-3], [3.0, 0.0]]).shaped(Shape::Bars(2.0)));
        let mut least = chart();
        least.y = least.y.from(0.0, 1.0);
        least.x = least.x.from(-1.0, 10.0);
        least.add(Series::line("", vec![[1.0, 1e-3], [2.0, 0.0]]));
        for svg in [bars, least].map(|chart| chart.figure().expect("there is a point")) {
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            let tree = roxmltree::Document::parse(&svg).expect("an SVG is XML");
            let words: Vec<&str> = tree.descendants().filter_map(|node| node.text()).collect();
            assert!(words.iter().all(|word| word.chars().count() < 20), "{words:?}");
            assert!(words.contains(&"10⁻³"), "{words:?}");
        }
    }

    #[test]
    fn bars_stand_on_the_axis() {
        let mut chart = Chart::new("", Quantity::linear("n", "1"), Quantity::linear("count", "1"));
        chart.add(Series::line("", vec![[1.0, 4.0], [2.0, 8.0]]).shaped(Shape::Bars(0.8)));
        let svg = chart.figure().expect("bars");
        let heights: Vec<f64> = svg
            .match_indices("<rect class=\"fill")
            .map(|(at, _)| {
                let rest = &svg[at..];
                let from = rest.find("height=\"").expect("a height") + 8;
                rest[from..].split('"').next().expect("a number").parse().expect("a number")
            })
            .collect();
        assert!((heights[1] - 2.0 * heights[0]).abs() < 0.2, "{heights:?}");
    }
}

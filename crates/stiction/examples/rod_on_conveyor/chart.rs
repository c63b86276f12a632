//! Line charts as plain SVG: panels in a grid, axes linear or logarithmic, one legend.

use std::fmt::Write as _;

/// An axis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// Ticks at multiples of `step`.
    Linear { from: f64, to: f64, step: f64, label: &'static str },
    /// Ticks at powers of ten.
    Log { from: f64, to: f64, label: &'static str },
}

/// A line.
pub(crate) struct Curve {
    name: String,
    color: &'static str,
    points: Vec<(f64, f64)>,
    dashed: bool,
}

/// One pair of axes.
pub(crate) struct Panel<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: Scale,
    pub(crate) y: Scale,
    pub(crate) curves: Vec<Curve>,
    pub(crate) dots: Vec<(f64, f64)>,
}

impl Curve {
    /// Without a name it is not in the legend.
    pub(crate) fn new(name: &str, color: &'static str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), color, points, dashed: false }
    }

    pub(crate) fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }
}

const WIDTH: f64 = 900.0;
const TOP: f64 = 92.0; // of the first panel
const LEFT: f64 = 72.0; // between a panel's place and its axes
const RIGHT: f64 = 24.0;
const BELOW: f64 = 84.0; // between rows, where ticks, labels and the next title are

/// A page of panels, `columns` in a row, each with axes of this height.
pub(crate) fn page(
    title: &str,
    subtitle: &str,
    columns: usize,
    height: f64,
    panels: &[Panel<'_>],
) -> String {
    let rows = panels.len().div_ceil(columns);
    // Panels above one another share the labels of the lowest.
    let below = if columns == 1 { 34.0 } else { BELOW };
    let total = TOP + rows as f64 * (height + below) - below + 56.0;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}"
 font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#333333">
<title>{title}</title>
<rect width="{WIDTH}" height="{total}" fill="#ffffff"/>
<text x="{LEFT}" y="30" font-size="18" font-weight="bold" fill="#111111">{title}</text>
<text x="{LEFT}" y="51" fill="#666666">{subtitle}</text>
"##
    );
    let column_width = WIDTH / columns as f64;
    for (k, panel) in panels.iter().enumerate() {
        let (row, column) = (k / columns, k % columns);
        let left = column as f64 * column_width + LEFT;
        let top = TOP + row as f64 * (height + below);
        let right = (column + 1) as f64 * column_width - RIGHT;
        let last = row + 1 == rows;
        draw(&mut svg, panel, [left, top, right, top + height], last, columns > 1 || k == 0);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, panel: &Panel<'_>, frame: [f64; 4], with_x: bool, with_legend: bool) {
    let [left, top, right, bottom] = frame;
    let x = |value: f64| left + (right - left) * panel.x.fraction(value);
    let y = |value: f64| bottom - (bottom - top) * panel.y.fraction(value);
    text(svg, [left, top - 9.0], "start", panel.title, true);
    for (value, label) in panel.y.ticks() {
        line(svg, [left, y(value), right, y(value)], "#e6e6e6");
        text(svg, [left - 8.0, y(value) + 4.5], "end", &label, false);
    }
    line(svg, [left, bottom, right, bottom], "#888888");
    for (value, label) in panel.x.ticks() {
        line(svg, [x(value), bottom, x(value), bottom + 5.0], "#888888");
        if with_x {
            text(svg, [x(value), bottom + 20.0], "middle", &label, false);
        }
    }
    if with_x {
        text(svg, [0.5 * (left + right), bottom + 40.0], "middle", panel.x.label(), false);
    }
    let (at, middle) = (left - 52.0, 0.5 * (top + bottom));
    let _ = writeln!(
        svg,
        r#"<text x="{at:.1}" y="{middle:.1}" text-anchor="middle"
 transform="rotate(-90 {at:.1} {middle:.1})">{}</text>"#,
        panel.y.label()
    );
    for Curve { color, points, dashed, .. } in &panel.curves {
        let points: Vec<String> =
            points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let (width, dash) = if *dashed { (1.0, "5 4") } else { (1.6, "") };
        let _ = writeln!(
            svg,
            r#"<polyline fill="none" stroke="{color}" stroke-width="{width}" stroke-linejoin="round"
 stroke-dasharray="{dash}" points="{}"/>"#,
            points.join(" ")
        );
    }
    for &(a, b) in &panel.dots {
        let _ =
            writeln!(svg, r##"<circle cx="{:.1}" cy="{:.1}" r="3" fill="#333333"/>"##, x(a), y(b));
    }
    if with_legend {
        legend(svg, &panel.curves, right, top - 9.0);
    }
}

/// Names in a row, the last at the right end of the title's line if there is room, else below it.
fn legend(svg: &mut String, curves: &[Curve], right: f64, y: f64) {
    let named: Vec<&Curve> = curves.iter().filter(|curve| !curve.name.is_empty()).collect();
    let widths: Vec<f64> =
        named.iter().map(|c| 40.0 + 6.8 * c.name.chars().count() as f64).collect();
    let room = right - widths.iter().sum::<f64>();
    let wide = right > 0.6 * WIDTH && widths.len() > 3;
    let (mut x, y) = (room, if wide { y } else { y + 27.0 });
    for (curve, width) in named.iter().zip(widths) {
        let color = curve.color;
        let _ = writeln!(
            svg,
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{color}" stroke-width="2.4"/>"#,
            x + 8.0,
            y - 4.5,
            x + 28.0,
            y - 4.5
        );
        text(svg, [x + 34.0, y], "start", &curve.name, false);
        x += width;
    }
}

impl Scale {
    fn fraction(&self, value: f64) -> f64 {
        match *self {
            Self::Linear { from, to, .. } => (value - from) / (to - from),
            Self::Log { from, to, .. } => (value / from).ln() / (to / from).ln(),
        }
    }

    fn label(&self) -> &'static str {
        match self {
            Self::Linear { label, .. } | Self::Log { label, .. } => label,
        }
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        match *self {
            Self::Linear { from, to, step, .. } => {
                let count = ((to - from) / step).floor() as usize;
                (0..=count).map(|k| from + k as f64 * step).map(|t| (t, t.to_string())).collect()
            }
            Self::Log { from, to, .. } => {
                let (low, high) = (from.log10().round() as i32, to.log10().round() as i32);
                let every = 1 + (high - low) as usize / 8;
                let tick = |power: i32| (10.0_f64.powi(power), format!("10{}", superscript(power)));
                (low..=high).step_by(every).map(tick).collect()
            }
        }
    }
}

fn superscript(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    power.to_string().chars().map(raised).collect()
}

fn line(svg: &mut String, [x1, y1, x2, y2]: [f64; 4], color: &str) {
    let _ = writeln!(
        svg,
        r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{color}"/>"#
    );
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, words: &str, bold: bool) {
    let weight = if bold { "bold" } else { "normal" };
    let _ = writeln!(
        svg,
        r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>"#
    );
}

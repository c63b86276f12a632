//! The page: the surface on the left with its legend, histograms with numbers on the right.

use stiction::mesh::TriMesh;

use super::canvas::{Anchor, Canvas, Font};
use super::color::{self, GREY, INK, PANEL, RULE, Rgb, SAND, SLATE};
use super::render;
use crate::terminal::human;

/// Width and height of the page.
pub(in crate::mesh) const SIZE: [f32; 2] = [1200.0, 720.0];

/// Where the surface goes: left, top, width, height.
const VIEW: [f32; 4] = [30.0, 84.0, 690.0, 556.0];
/// Pixels of the surface for each unit of the page.
const DENSITY: usize = 2;
/// The column of histograms: left, width, and the tops and height of each.
const COLUMN: [f32; 2] = [770.0, 400.0];
const TOPS: [f32; 3] = [84.0, 296.0, 508.0];
const HEIGHT: f32 = 120.0;

const PLAIN: Font = Font { size: 13.0, bold: false, color: INK, anchor: Anchor::Start };
const SMALL: Font = Font { size: 11.0, bold: false, color: GREY, anchor: Anchor::Start };

/// What a picture shows.
#[derive(Debug)]
pub(in crate::mesh) struct Page {
    pub(in crate::mesh) title: String,
    pub(in crate::mesh) subtitle: String,
    pub(in crate::mesh) surface: TriMesh,
    /// One for each triangle of the surface, 0 to 1.
    pub(in crate::mesh) surface_quality: Vec<f64>,
    /// What the colours mean.
    pub(in crate::mesh) legend: String,
    /// Mean ratio of each element, 0 to 1.
    pub(in crate::mesh) qualities: Vec<f64>,
    /// `dihedral` or `corner`.
    pub(in crate::mesh) angle_name: &'static str,
    /// Smallest and largest angle of each element [rad].
    pub(in crate::mesh) angles: [Vec<f64>; 2],
    /// Length of each edge [m].
    pub(in crate::mesh) edges: Vec<f64>,
}

/// The colour of a bar by its place along the axis, 0 to 1.
type Paint = fn(f64) -> Rgb;

/// Bars over an axis.
struct Histogram {
    title: String,
    /// With the colour of what they speak of.
    numbers: Vec<(String, Rgb)>,
    /// Counts and colour of each series.
    series: Vec<(Vec<usize>, Paint)>,
    /// Labels at equal distances, the first and the last at the ends.
    labels: Vec<String>,
}

impl Page {
    /// Draws everything.
    pub(super) fn draw(&self, canvas: &mut dyn Canvas) -> anyhow::Result<()> {
        let [width, height] = SIZE;
        canvas.rect([0.0, 0.0, width, height], color::PAPER);
        canvas.text([30.0, 40.0], &self.title, &Font { size: 21.0, bold: true, ..PLAIN });
        canvas.text([30.0, 62.0], &self.subtitle, &Font { color: GREY, ..PLAIN });

        canvas.rect(VIEW, PANEL);
        let [w, h] = [VIEW[2], VIEW[3]].map(|s| s as usize * DENSITY);
        canvas.image(VIEW, &render::surface(&self.surface, &self.surface_quality, w, h))?;
        self.legend(canvas);

        for (histogram, top) in [self.qualities(), self.angles(), self.edges()].iter().zip(TOPS) {
            histogram.draw(canvas, top);
        }
        Ok(())
    }

    fn legend(&self, canvas: &mut dyn Canvas) {
        const STEPS: usize = 150;
        let (left, top, width) = (VIEW[0] + 370.0, 656.0, 300.0);
        let step = width / STEPS as f32;
        for k in 0..STEPS {
            let quality = (k as f64 + 0.5) / STEPS as f64;
            // Overlapping a little, or seams would show.
            let area = [left + k as f32 * step, top, step + 0.4, 14.0];
            canvas.rect(area, color::of_quality(quality));
        }
        for (k, label) in ["0", "0.25", "0.5", "0.75", "1"].iter().enumerate() {
            let at = [left + width * k as f32 / 4.0, top + 29.0];
            canvas.text(at, label, &Font { anchor: Anchor::Middle, ..SMALL });
        }
        let end = |text: &str, canvas: &mut dyn Canvas, dy: f32, font: Font| {
            canvas.text([left - 18.0, top + dy], text, &Font { anchor: Anchor::End, ..font });
        };
        end(&self.legend, canvas, 11.0, PLAIN);
        end("0 flat, 1 regular", canvas, 29.0, SMALL);
    }

    fn qualities(&self) -> Histogram {
        Histogram {
            title: "Mean ratio".to_owned(),
            numbers: vec![(numbers(&self.qualities, |x| format!("{x:.3}")), GREY)],
            series: vec![(bins(&self.qualities, 0.0, 1.0, 40), color::of_quality)],
            labels: ["0", "0.2", "0.4", "0.6", "0.8", "1"].map(str::to_owned).to_vec(),
        }
    }

    fn angles(&self) -> Histogram {
        let [smallest, largest] = &self.angles;
        let pi = std::f64::consts::PI;
        let [low, high] = [smallest, largest].map(|angles| {
            let (min, _, max) = min_mean_max(angles);
            [min, max].map(|a| format!("{:.1}°", a.to_degrees()))
        });
        Histogram {
            title: format!("Smallest and largest {} angle of each element", self.angle_name),
            numbers: vec![
                (format!("smallest {} to {}", low[0], low[1]), SAND),
                (format!("largest {} to {}", high[0], high[1]), SLATE),
            ],
            series: vec![
                (bins(smallest, 0.0, pi, 60), |_| SAND),
                (bins(largest, 0.0, pi, 60), |_| SLATE),
            ],
            labels: (0..=6).map(|k| format!("{}°", 30 * k)).collect(),
        }
    }

    fn edges(&self) -> Histogram {
        let (min, _, max) = min_mean_max(&self.edges);
        // Edges all alike still deserve an axis.
        let slack = (0.05 * max).max(max - min);
        let (low, high) = ((min - 0.1 * slack).max(0.0), max + 0.1 * slack);
        let label = |k: usize| human::length(low + (high - low) * k as f64 / 4.0);
        Histogram {
            title: "Edge length".to_owned(),
            numbers: vec![(numbers(&self.edges, human::length), GREY)],
            series: vec![(bins(&self.edges, low, high, 40), |_| SLATE)],
            labels: (0..=4).map(label).collect(),
        }
    }
}

impl Histogram {
    fn draw(&self, canvas: &mut dyn Canvas, top: f32) {
        let [left, width] = COLUMN;
        canvas.text([left, top + 12.0], &self.title, &Font { bold: true, ..PLAIN });
        for (k, (text, color)) in self.numbers.iter().enumerate() {
            let at = [left + 150.0 * k as f32, top + 29.0];
            canvas.text(at, text, &Font { color: *color, ..SMALL });
        }

        let (floor, ceiling) = (top + 40.0 + HEIGHT, top + 40.0);
        let most = self.series.iter().flat_map(|(bins, _)| bins).copied().max().unwrap_or(0).max(1);
        canvas.line([left, ceiling], [left + width, ceiling], RULE);
        canvas.line([left, 0.5 * (floor + ceiling)], [left + width, 0.5 * (floor + ceiling)], RULE);
        let peak = format!("peak {}", human::count(most));
        canvas.text([left + width, top + 29.0], &peak, &Font { anchor: Anchor::End, ..SMALL });

        let count = self.series[0].0.len();
        let step = width / count as f32;
        for k in 0..count {
            let mut bars: Vec<_> =
                self.series.iter().map(|(bins, color)| (bins[k], color)).collect();
            bars.sort_by_key(|(n, _)| std::cmp::Reverse(*n)); // the lower in front
            for (n, color) in bars.into_iter().filter(|(n, _)| *n > 0) {
                // Never too low to be seen: a single bad element matters.
                let height = (HEIGHT * n as f32 / most as f32).max(2.0);
                let area = [left + k as f32 * step + 0.5, floor - height, step - 1.0, height];
                canvas.rect(area, color((k as f64 + 0.5) / count as f64));
            }
        }
        canvas.line([left, floor], [left + width, floor], GREY);
        let last = self.labels.len() - 1;
        for (k, label) in self.labels.iter().enumerate() {
            let x = left + width * k as f32 / last as f32;
            canvas.line([x, floor], [x, floor + 4.0], GREY);
            let anchor = match k {
                0 => Anchor::Start,
                k if k == last => Anchor::End,
                _ => Anchor::Middle,
            };
            canvas.text([x, floor + 17.0], label, &Font { anchor, ..SMALL });
        }
    }
}

/// How many values fall into each of `count` equal parts of the range.
fn bins(values: &[f64], low: f64, high: f64, count: usize) -> Vec<usize> {
    let mut bins = vec![0; count];
    for x in values {
        let k = ((x - low) / (high - low) * count as f64) as usize;
        bins[k.min(count - 1)] += 1;
    }
    bins
}

fn numbers(values: &[f64], show: impl Fn(f64) -> String) -> String {
    let (min, mean, max) = min_mean_max(values);
    format!("min {}, mean {}, max {}", show(min), show(mean), show(max))
}

fn min_mean_max(values: &[f64]) -> (f64, f64, f64) {
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (min, values.iter().sum::<f64>() / values.len().max(1) as f64, max)
}

//! Signed distances of a circle on grids: how fast does the shape come out as the grid gets finer? (B23, Fig. 15)

use stiction::geometry::distance_grid::{DistanceGrid, GridInterpolation, GridSettings};
use stiction::math::Vector3;
use stiction::mesh::BoundingBox;

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "circle-grid",
    title: "How fine must a grid of distances be?",
    source: "B23, Fig. 15",
    run,
};

const RADIUS: f64 = 0.8;
const SAMPLES: u32 = 2000;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let bounds =
        BoundingBox { min: Vector3::new(-1.0, -1.0, -0.01), max: Vector3::new(1.0, 1.0, 0.01) };
    let mut sheet = Sheet::new(&["interpolation", "cells", "spacing [m]", "largest error [m]"]);
    let mut chart = Chart::new(
        "A circle of radius 0.8 m on a grid of distances",
        Quantity::logarithmic("spacing of the grid", "m"),
        Quantity::logarithmic("largest error of the distance on the circle", "m"),
    );
    let ways = [("linear", GridInterpolation::Linear), ("cubic", GridInterpolation::Cubic)];
    for (w, (name, interpolation)) in ways.into_iter().enumerate() {
        let mut line = Vec::new();
        for (k, resolution) in [4_usize, 8, 16, 32, 64, 128, 256].into_iter().enumerate() {
            told((w as f64 + k as f64 / 7.0) / 2.0);
            let settings = GridSettings { resolution, margin: 0.0, interpolation };
            let grid = DistanceGrid::sample(&bounds, &settings, |x| x.x.hypot(x.y) - RADIUS)?;
            let error = |k: u32| {
                let (sin, cos) =
                    (std::f64::consts::TAU * f64::from(k) / f64::from(SAMPLES)).sin_cos();
                grid.distance(&(Vector3::new(cos, sin, 0.0) * RADIUS)).abs()
            };
            let worst = (0..SAMPLES).map(error).fold(0.0, f64::max);
            sheet.row([
                name.into(),
                resolution.to_string(),
                grid.spacing().to_string(),
                worst.to_string(),
            ]);
            line.push([grid.spacing(), worst]);
        }
        chart.add(Series::line(name, line).shaped(Shape::DottedLine));
    }
    let line = [0.0078, 0.5].map(|h: f64| [h, 0.15 * h * h]).to_vec();
    chart.add(Series::line("like h²", line).shaped(Shape::Reference));
    let mut findings = Findings::default();
    findings.say("half the spacing, a quarter of the error".into());
    findings.sheet("", sheet);
    findings.chart("", chart);
    Ok(findings)
}

//! Answers queries of continuous collision from a file, for `benches/peers/ccd.py`.
//!
//! `ccd vf|ee inclusion|additive SEPARATION TOLERANCE REPEATS QUERIES TIMES`: queries are 24 numbers each, four
//! points at the start and at the end; times are one number each, infinite where there is no contact. Prints seconds
//! of the fastest pass.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::Instant;

use stiction::geometry::ccd::{Query, Settings, additive, inclusion};
use stiction::math::Vector3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, method, separation, tolerance, repeats, queries, times] = arguments.as_slice()
    else {
        return Err(
            "ccd vf|ee inclusion|additive SEPARATION TOLERANCE REPEATS QUERIES TIMES".into()
        );
    };
    let numbers: Vec<f64> = std::fs::read(queries)?
        .chunks_exact(8)
        .map(|bytes| bytes.try_into().map(f64::from_le_bytes))
        .collect::<Result<_, _>>()?;
    let queries: Vec<Query> = numbers
        .chunks_exact(24)
        .map(|x| {
            let points = |from: usize| {
                [0, 3, 6, 9].map(|k| Vector3::new(x[from + k], x[from + k + 1], x[from + k + 2]))
            };
            let motion = [points(0), points(12)];
            if kind == "vf" { Query::PointTriangle(motion) } else { Query::SegmentSegment(motion) }
        })
        .collect();
    let find =
        if method == "additive" { additive::first_contact } else { inclusion::first_contact };
    let settings = Settings {
        separation: separation.parse()?,
        tolerance: tolerance.parse()?,
        ..Settings::default()
    };
    let mut answers = Vec::new();
    let mut fastest = f64::INFINITY;
    for _ in 0..repeats.parse::<usize>()? {
        let start = Instant::now();
        answers = queries.iter().map(|query| find(query, 1.0, &settings)).collect();
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    let bytes: Vec<u8> = answers
        .iter()
        .flat_map(|answer| answer.map_or(f64::INFINITY, |impact| impact.time).to_le_bytes())
        .collect();
    std::fs::write(times, bytes)?;
    println!("{fastest}");
    Ok(())
}

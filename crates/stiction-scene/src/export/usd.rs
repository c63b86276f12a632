//! One `.usda`: USD as text, with time samples, for Blender, Houdini and usdview.
//!
//! Each body is a `Mesh` below `/run`: points, velocities [m/s] and extent sampled at every frame, or once for a body
//! that never moves. Time codes are times multiplied by `timeCodesPerSecond`, which is one over the spacing of frames:
//! those of an evenly spaced run fall on whole codes, as players like it. Runs of older programs end with a frame that
//! is nearer than the others; only its code is a fraction then.
//!
//! USD wants all samples of an attribute together, while frames come one by one: samples wait in a scratch file.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use crate::frame::BodyInfo;

use super::selection::{Selection, check_finite};
use super::staged::{Piece, Staged};
use super::surface::Surface;
use super::{Done, ExportError, names, palette};

/// Attributes that are sampled.
const SAMPLED: [&str; 3] = ["point3f[] points", "vector3f[] velocities", "float3[] extent"];

pub(super) fn export(
    selection: &mut Selection<'_>,
    path: &Path,
    staged: &mut Staged,
) -> Result<Done, ExportError> {
    let bodies = selection.bodies();
    let surfaces: Vec<Surface> = bodies.iter().map(Surface::of).collect();
    let prims = names::identifiers(selection.names(), &[]);
    let clock = Clock::of(&selection.times());
    staged.check_free(path)?;
    let mut spool = staged.spool(path)?;
    let mut samples: Vec<[Vec<Piece>; 3]> = vec![Default::default(); bodies.len()];
    let mut text = String::new();
    selection.for_each(|place, index, frame| {
        let moving = bodies.iter().zip(&frame.bodies).enumerate().filter(|(_, (b, _))| b.moves);
        for (k, (body, state)) in moving {
            check_finite(body, index, &state.positions)?;
            let points: Vec<[f64; 3]> = surfaces[k].pick(&state.positions).collect();
            let velocities: Vec<[f64; 3]> = surfaces[k].pick(&state.velocities).collect();
            let values = [&points[..], &velocities[..], &extent(&points)[..]];
            for (pieces, values) in samples[k].iter_mut().zip(values) {
                text.clear();
                let _ = write!(text, "            {}: ", number(clock.codes[place]));
                push_vectors(&mut text, values);
                text.push_str(",\n");
                pieces.push(spool.push(text.as_bytes())?);
            }
        }
        Ok(())
    })?;

    let mut spooled = spool.rewind()?;
    let mut file = staged.file(path)?;
    file.fill(|out| {
        out.write_all(header(&clock).as_bytes())?;
        for (k, body) in bodies.iter().enumerate() {
            out.write_all(mesh(body, &prims[k], &surfaces[k], k).as_bytes())?;
            for (attribute, pieces) in SAMPLED.iter().zip(&samples[k]).filter(|_| body.moves) {
                writeln!(out, "        {attribute}.timeSamples = {{")?;
                for &piece in pieces {
                    spooled.copy(piece, out)?;
                }
                writeln!(out, "        }}")?;
            }
            writeln!(out, "    }}\n")?;
        }
        writeln!(out, "}}")
    })?;
    staged.close(file)?;
    Ok(Done::one(path))
}

/// Time codes of the frames.
struct Clock {
    per_second: f64,
    codes: Vec<f64>,
}

impl Clock {
    fn of(times: &[f64]) -> Self {
        // All but the last, if that comes early.
        let even = match times {
            [.., a, b, c] if c - b < (b - a) * (1.0 - 1e-6) => &times[..times.len() - 1],
            _ => times,
        };
        let (first, last) = (even[0], even[even.len() - 1]);
        let per_second = match (even.len() - 1) as f64 / (last - first) {
            rate if rate.is_finite() && rate > 0.0 => nearly_whole(rate),
            _ => 24.0, // one frame only
        };
        let codes = times.iter().map(|t| nearly_whole(t * per_second)).collect();
        Self { per_second, codes }
    }
}

/// Rounded, where only rounding errors of the clock speak against it.
fn nearly_whole(x: f64) -> f64 {
    if (x - x.round()).abs() <= 1e-6 * x.abs().max(1.0) { x.round() } else { x }
}

fn header(clock: &Clock) -> String {
    let rate = number(clock.per_second);
    let (start, end) = (number(clock.codes[0]), number(clock.codes[clock.codes.len() - 1]));
    format!(
        r#"#usda 1.0
(
    defaultPrim = "run"
    doc = "stiction {version}"
    endTimeCode = {end}
    framesPerSecond = {rate}
    metersPerUnit = 1
    startTimeCode = {start}
    timeCodesPerSecond = {rate}
    upAxis = "Y"
)

def Xform "run" (
    kind = "component"
)
{{
"#,
        version = env!("CARGO_PKG_VERSION"),
    )
}

/// A mesh up to what is sampled.
fn mesh(body: &BodyInfo, prim: &str, surface: &Surface, index: usize) -> String {
    let mut text = format!(
        r#"    def Mesh "{prim}" (
        customData = {{
            string name = "{}"
        }}
    )
    {{
        uniform bool doubleSided = 1
        uniform token orientation = "rightHanded"
        uniform token subdivisionScheme = "none"
        color3f[] primvars:displayColor = "#,
        escape(&body.name)
    );
    push_vectors(&mut text, &[palette::colour(index)]);
    text.push_str(" (\n            interpolation = \"constant\"\n        )\n");
    let counts = vec!["3"; surface.triangles.len()].join(", ");
    let corners: Vec<String> = surface.triangles.iter().flatten().map(u32::to_string).collect();
    let _ = writeln!(text, "        int[] faceVertexCounts = [{counts}]");
    let _ = writeln!(text, "        int[] faceVertexIndices = [{}]", corners.join(", "));
    if !body.moves {
        let points: Vec<[f64; 3]> = surface.pick(&body.start).collect();
        for (attribute, values) in [(SAMPLED[0], &points[..]), (SAMPLED[2], &extent(&points)[..])] {
            let _ = write!(text, "        {attribute} = ");
            push_vectors(&mut text, values);
            text.push('\n');
        }
    }
    text
}

fn extent(points: &[[f64; 3]]) -> [[f64; 3]; 2] {
    let bound = |pick: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|i| points.iter().map(|p| p[i]).reduce(pick).unwrap_or(0.0))
    };
    [bound(f64::min), bound(f64::max)]
}

fn push_vectors(text: &mut String, values: &[[f64; 3]]) {
    text.push('[');
    for (k, value) in values.iter().enumerate() {
        let [x, y, z] = value.map(|c| number(c as f32));
        let _ = write!(text, "{}({x}, {y}, {z})", if k == 0 { "" } else { ", " });
    }
    text.push(']');
}

/// Whole numbers without a fraction, and `nan` as USD spells it.
fn number(x: impl std::fmt::Debug) -> String {
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text.to_ascii_lowercase(),
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

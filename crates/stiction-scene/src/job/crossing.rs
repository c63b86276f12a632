//! Triangles that cross in frames: which bodies, when, and how many.

use serde_json::json;
use stiction::body::Body;
use stiction::{Scene, Simulation};

use super::report::BETWEEN;

/// What crosses in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Crossing {
    /// Pairs of triangles; nothing if that is not known, because a position is not finite.
    pub(super) pairs: Option<u64>,
    /// The bodies with most of them, as a cell of a table; empty if nothing crosses.
    pub(super) between: String,
}

impl Crossing {
    /// In the present frame. Bodies that do not deform are left out where they meet each other: methods let them
    /// overlap a little, and `overlap` tells how deep.
    pub(super) fn of(simulation: &Simulation, scene: &Scene) -> Self {
        let mut found = simulation.intersections();
        let deforms = |body: stiction::body::BodyId| {
            matches!(scene.bodies[body.index()], Body::Solid(_) | Body::Cloth(_))
        };
        found.pairs.retain(|&(a, b, _)| deforms(a) || deforms(b));
        let name = |body: stiction::body::BodyId| {
            let name = scene.bodies[body.index()].name();
            // It stands in a table of cells without quotes.
            let name = name.map_or_else(|| format!("body-{}", body.index()), str::to_owned);
            name.replace(['"', ',', '\n', '\r'], "_")
        };
        Self {
            pairs: found.unknown.is_empty().then(|| found.total() as u64),
            between: found
                .worst()
                .map_or_else(String::new, |(a, b, _)| [name(a), name(b)].join(BETWEEN)),
        }
    }
}

/// Triangles that crossed in frames of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crossings {
    /// Frames that were looked at.
    pub frames: u64,
    /// Those in which triangles cross.
    pub crossing: u64,
    /// The one in which most do; the first if there are several.
    pub worst: Option<WorstCrossing>,
}

/// The frame in which most triangles cross.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstCrossing {
    /// Pairs of triangles that cross.
    pub pairs: u64,
    /// Which frame; the start is 0.
    pub frame: u64,
    /// When [s].
    pub time: f64,
    /// The bodies with most of them: `one | other`, the same twice for a body that passes through itself.
    pub between: String,
}

impl std::fmt::Display for WorstCrossing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { pairs, frame, time, between } = self;
        write!(f, "{pairs} pairs of triangles in frame {frame} at t = {time:.4} s, most of ")?;
        match between.split_once(BETWEEN) {
            Some((a, b)) if a == b => write!(f, "`{a}` with itself"),
            Some((a, b)) => write!(f, "`{a}` with `{b}`"),
            None => write!(f, "`{between}`"),
        }
    }
}

impl Crossings {
    /// Adds the next frame.
    pub(super) fn add(&mut self, time: f64, crossing: &Crossing) {
        let (frame, pairs) = (self.frames, crossing.pairs.unwrap_or(0));
        self.frames += 1;
        self.crossing += u64::from(pairs > 0);
        if pairs > self.worst.as_ref().map_or(0, |worst| worst.pairs) {
            let between = crossing.between.clone();
            self.worst = Some(WorstCrossing { pairs, frame, time, between });
        }
    }

    /// Adds cells of a table, empty ones where there was no frame.
    pub(super) fn add_cells(&mut self, time: f64, pairs: &str, between: &str) -> Option<()> {
        if pairs.is_empty() {
            return Some(());
        }
        let pairs = if pairs == UNKNOWN { None } else { Some(pairs.parse().ok()?) };
        self.add(time, &Crossing { pairs, between: between.to_owned() });
        Some(())
    }

    /// For `report.json`.
    pub(super) fn to_json(&self) -> serde_json::Value {
        json!({
            "frames": self.crossing,
            "worst": self.worst.as_ref().map(|worst| json!({
                "pairs": worst.pairs,
                "frame": worst.frame,
                "time": worst.time,
                "between": worst.between.split(BETWEEN).collect::<Vec<_>>(),
            })),
        })
    }
}

/// Stands in a table where positions are not finite.
pub(super) const UNKNOWN: &str = "NaN";

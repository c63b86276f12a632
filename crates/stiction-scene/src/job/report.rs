//! What came out of a job: totals while it runs, and `report.json` when it ends.

use std::path::{Path, PathBuf};

use serde_json::json;
use stiction::Scene;
use stiction::body::Body;
use stiction::contact::{ContactReport, FrictionError};
use stiction::model::Phase;
use stiction::step::{Residual, Unit};

use super::crossing::{Crossing, Crossings};
use super::series::{damaged, rows};
use super::steps::{Work, place};
use super::{Job, JobError};
use crate::expectation::{ExpectKind, Expectation, Outcome, Tally};
use crate::frame::FrameError;
use crate::run::{OPEN, REPORT, RunStatus, write_sealed};
use crate::scene_file::Setup;

/// Sums over steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Steps taken.
    pub steps: u64,
    /// Newton iterations.
    pub iterations: u64,
    /// Parts that steps were cut into.
    pub sub_steps: u64,
    /// Attempts that failed and were repeated in halves.
    pub failed_attempts: u64,
    /// Steps that stopped short of their tolerance.
    pub unconverged: u64,
    /// If the start stopped short of equilibrium: what was left, in the unit of the method's residuals.
    pub unsettled: Option<f64>,
    /// Most contacts at the end of a step.
    pub most_contacts: u64,
    /// How far friction was from Coulomb's law at most.
    pub friction: FrictionError,
    /// Times that steps were repeated with stiffer contacts.
    pub stiffenings: u64,
    /// Steps that ended with bodies overlapping.
    pub overlapping: u64,
    /// The deepest of these overlaps.
    pub deepest: Option<Penetration>,
    /// Triangles that crossed in frames.
    pub crossings: Crossings,
    /// Time spent in steps [s].
    pub seconds: f64,
    /// The same by phase [s].
    pub phases: [f64; Phase::ALL.len()],
}

/// Bodies that overlapped at the end of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Penetration {
    /// How deep [m].
    pub depth: f64,
    /// When [s].
    pub time: f64,
    /// Which: `points | surface`.
    pub between: String,
}

impl std::fmt::Display for Penetration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "deepest penetration {:.1e} m at t = {:.4} s", self.depth, self.time)?;
        match self.between.split_once(BETWEEN) {
            Some((points, surface)) => write!(f, " between `{points}` and `{surface}`"),
            None => Ok(()),
        }
    }
}

/// Stands between the names of two bodies in `steps.csv`.
pub(super) const BETWEEN: &str = " | ";

/// The bodies that overlap most, as a cell of a table; empty if none do.
pub(super) fn overlap(report: &ContactReport, scene: &Scene) -> String {
    report.overlap.map_or_else(String::new, |bodies| {
        let names = bodies.map(|body| {
            let name = scene.bodies[body.index()].name().unwrap_or_default();
            // It stands in a table of cells without quotes.
            name.replace(['"', ',', '\n', '\r'], "_")
        });
        names.join(BETWEEN)
    })
}

/// The status of a step that met its tolerance.
const CONVERGED: &str = "converged";

impl Totals {
    /// Adds a step.
    pub(super) fn add(&mut self, work: &Work) {
        self.steps += 1;
        self.iterations += work.iterations as u64;
        self.sub_steps += work.sub_steps as u64;
        self.failed_attempts += work.failed_attempts as u64;
        self.unconverged += u64::from(work.status != CONVERGED);
        self.friction = self.friction.or(work.contact.friction);
        self.add_contacts(
            work.time,
            work.contact.touching as u64,
            work.contact.smallest_gap,
            &work.overlap,
            u64::from(work.contact.stiffenings),
        );
        work.crossing.iter().for_each(|crossing| self.crossings.add(work.time, crossing));
        self.seconds += work.seconds;
        self.phases.iter_mut().zip(work.phases).for_each(|(sum, seconds)| *sum += seconds);
    }

    fn add_contacts(&mut self, time: f64, count: u64, gap: f64, overlap: &str, stiffenings: u64) {
        self.most_contacts = self.most_contacts.max(count);
        self.stiffenings += stiffenings;
        if overlap.is_empty() {
            return;
        }
        self.overlapping += 1;
        if -gap > self.deepest.as_ref().map_or(0.0, |deepest| deepest.depth) {
            self.deepest = Some(Penetration { depth: -gap, time, between: overlap.to_owned() });
        }
    }

    /// What the reader should know of the start.
    pub(super) fn note(&self, unit: Unit) -> Option<String> {
        self.unsettled.map(|value| {
            format!("the start is not quite settled: {} are left", Residual { value, unit })
        })
    }

    /// Sums up what an earlier part of the run has written, after what crossed at the start if no row holds that.
    pub(super) fn read(path: &Path, start: Option<Crossing>) -> Result<Self, FrameError> {
        let mut totals = Self::default();
        start.iter().for_each(|crossing| totals.crossings.add(0.0, crossing));
        for row in rows(path)? {
            totals.add_row(&row).ok_or_else(|| damaged(path, &row))?;
        }
        Ok(totals)
    }

    fn add_row(&mut self, row: &[String]) -> Option<()> {
        let cell = |name: &str| row.get(place(name)?);
        let count = |name: &str| cell(name)?.parse::<u64>().ok();
        let number = |name: &str| cell(name)?.parse::<f64>().ok();
        self.steps = row.first()?.parse().ok()?;
        let (pairs, between) = (cell("intersections")?, cell("intersecting")?);
        self.crossings.add_cells(number("time")?, pairs, between)?;
        if self.steps == 0 {
            // The way to equilibrium is no step.
            let unsettled = cell("status")? != CONVERGED;
            self.unsettled = unsettled.then_some(cell("residual")?.parse().ok()?);
            return Some(());
        }
        self.iterations += count("iterations")?;
        self.sub_steps += count("sub_steps")?;
        self.failed_attempts += count("failed_attempts")?;
        self.unconverged += u64::from(cell("status")? != CONVERGED);
        self.friction = self.friction.or(FrictionError {
            excess: number("friction_excess")?,
            unresisted: number("unresisted_slip")?,
        });
        self.add_contacts(
            number("time")?,
            count("contacts")?,
            number("smallest_gap")?,
            cell("overlap")?,
            count("stiffenings")?,
        );
        self.seconds += number("seconds")?;
        for (phase, sum) in Phase::ALL.iter().zip(&mut self.phases) {
            *sum += number(&format!("seconds_{}", phase.name()))?;
        }
        Some(())
    }
}

/// An expectation, and what came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What must come out.
    pub expectation: Expectation,
    /// What did.
    pub outcome: Outcome,
}

/// A probe over the whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeSummary {
    /// What it is called.
    pub name: String,
    /// SI.
    pub unit: String,
    /// At the start.
    pub first: f64,
    /// At the end.
    pub last: f64,
    /// Smallest of all steps.
    pub min: f64,
    /// Largest of all steps.
    pub max: f64,
}

/// What came out of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The scene.
    pub title: String,
    /// What its method is called in scene files.
    pub method: &'static str,
    /// How it ended.
    pub status: RunStatus,
    /// The folder, if it has one.
    pub folder: Option<PathBuf>,
    /// Simulated time [s].
    pub time: f64,
    /// Sums over steps.
    pub totals: Totals,
    /// Vertices of all bodies that deform.
    pub vertices: usize,
    /// Tets and triangles of all bodies that deform.
    pub elements: usize,
    /// What was followed.
    pub probes: Vec<ProbeSummary>,
    /// What had to come out; only of a run that came to its end.
    pub checked: Vec<Checked>,
    /// What one should know, though it is no error.
    pub notes: Vec<String>,
}

impl Summary {
    /// Whether everything came out as it had to.
    pub fn holds(&self) -> bool {
        self.checked.iter().all(|checked| checked.outcome.holds)
    }

    /// How many numbers came out as expected, and what those rest on.
    pub fn tally(&self) -> Tally {
        Tally::of(self.checked.iter().map(Checked::number))
    }

    /// For `report.json` and JSON lines.
    pub fn to_json(&self) -> serde_json::Value {
        let phases: serde_json::Map<String, serde_json::Value> = Phase::ALL
            .iter()
            .zip(self.totals.phases)
            .map(|(phase, seconds)| (phase.name().to_owned(), json!(seconds)))
            .collect();
        let probes: serde_json::Map<String, serde_json::Value> = self
            .probes
            .iter()
            .map(|probe| {
                let numbers = json!({
                    "unit": probe.unit, "first": probe.first, "last": probe.last,
                    "min": probe.min, "max": probe.max,
                });
                (probe.name.clone(), numbers)
            })
            .collect();
        json!({
            "title": self.title,
            "status": self.status.word(),
            "time": self.time,
            "totals": {
                "steps": self.totals.steps,
                "iterations": self.totals.iterations,
                "sub_steps": self.totals.sub_steps,
                "failed_attempts": self.totals.failed_attempts,
                "unconverged_steps": self.totals.unconverged,
                "unsettled_start": self.totals.unsettled.is_some(),
                "most_contacts": self.totals.most_contacts,
                "friction_excess": self.totals.friction.excess,
                "unresisted_slip": self.totals.friction.unresisted,
                "stiffenings": self.totals.stiffenings,
                "overlapping_steps": self.totals.overlapping,
                "deepest_penetration": self.totals.deepest.as_ref().map(|deepest| json!({
                    "depth": deepest.depth,
                    "time": deepest.time,
                    "between": deepest.between.split(BETWEEN).collect::<Vec<_>>(),
                })),
                "intersections": self.totals.crossings.to_json(),
                "seconds": self.totals.seconds,
                "seconds_by_phase": phases,
                "vertices": self.vertices,
                "elements": self.elements,
            },
            "probes": probes,
            "expectations": self.checked.iter().map(checked_json).collect::<Vec<_>>(),
            "tally": self.tally().to_json(),
            "notes": self.notes,
        })
    }
}

impl Checked {
    /// What the number rests on, and whether it came out.
    pub fn number(&self) -> (ExpectKind, bool) {
        (self.expectation.kind, self.outcome.holds)
    }
}

fn checked_json(checked: &Checked) -> serde_json::Value {
    let Checked { expectation, outcome } = checked;
    json!({
        "name": expectation.name,
        "holds": outcome.holds,
        "value": outcome.value,
        "time": outcome.time,
        "expected": expectation.claim.value,
        "low": expectation.claim.low,
        "high": expectation.claim.high,
        "kind": expectation.kind,
        "source": expectation.source,
    })
}

impl Job {
    /// What will be run, for JSON lines.
    pub fn outline(&self) -> serde_json::Value {
        let (vertices, elements) = self.sizes();
        json!({
            "title": self.setup.title,
            "vertices": vertices,
            "elements": elements,
            "steps": self.setup.steps,
            "time_step": self.setup.simulation.settings().time_step,
        })
    }

    /// Vertices and elements of all bodies that forces move.
    fn sizes(&self) -> (usize, usize) {
        let sizes = self.setup.scene.bodies.iter().map(|body| match body {
            Body::Solid(solid) => (solid.mesh.vertices().len(), solid.mesh.tets().len()),
            Body::Cloth(cloth) => (cloth.mesh.vertices().len(), cloth.mesh.triangles().len()),
            Body::Rigid(rigid) => (rigid.mesh.vertices().len(), 0),
            Body::Obstacle(_) => (0, 0),
        });
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }

    pub(super) fn summary(&self, status: RunStatus) -> Summary {
        let setup = &self.setup;
        let probes =
            setup.probes.iter().zip(&self.probes.values).map(|(named, values)| ProbeSummary {
                name: named.name.clone(),
                unit: named.probe.unit().to_owned(),
                first: values.first().copied().unwrap_or(f64::NAN),
                last: values.last().copied().unwrap_or(f64::NAN),
                min: values.iter().copied().fold(f64::INFINITY, f64::min),
                max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            });
        let (vertices, elements) = self.sizes();
        Summary {
            title: setup.title.clone(),
            method: setup.method(),
            status,
            folder: self.folder.as_ref().map(|recorder| recorder.writer.path().to_path_buf()),
            time: setup.simulation.time(),
            totals: self.totals.clone(),
            vertices,
            elements,
            probes: probes.collect(),
            checked: if status == RunStatus::Finished { self.check() } else { Vec::new() },
            notes: self.notes.clone(),
        }
    }
}

/// Writes `report.json`: what came out, of which scene, with which program.
pub(super) fn write(folder: &Path, summary: &Summary, setup: &Setup) -> Result<(), JobError> {
    let mut report = summary.to_json();
    report["format"] = json!("stiction report 1");
    report["versions"] = json!({ "stiction": env!("CARGO_PKG_VERSION") });
    report["threads"] = json!(rayon::current_num_threads());
    report["checksum"] = json!(OPEN);
    report["scene"] = serde_json::to_value(&setup.resolved).unwrap_or_default();
    let path = folder.join(REPORT);
    let bytes = serde_json::to_vec_pretty(&report).map_err(|error| FrameError {
        path: path.clone(),
        reason: error.to_string(),
        help: "this is a bug in stiction; please report it".into(),
    })?;
    Ok(write_sealed(&path, &bytes)?)
}

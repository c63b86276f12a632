//! `steps.csv`: one table says what its columns are called, and what is in them.

use stiction::contact::{ContactKind, ContactReport};
use stiction::math::Vector3;
use stiction::model::{Energies, Phase};
use stiction::step::Unit;

use super::crossing::{self, Crossing};
use crate::run::Cell;

/// What a step has taken.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pub(super) time: f64,
    pub(super) status: &'static str,
    pub(super) iterations: usize,
    pub(super) stages: usize,
    pub(super) sub_steps: usize,
    pub(super) failed_attempts: usize,
    pub(super) residual: f64,
    /// Of the largest matrix and its factor [bytes].
    pub(super) memory: usize,
    pub(super) contact: ContactReport,
    pub(super) overlap: String,
    /// If a frame is taken.
    pub(super) crossing: Option<Crossing>,
    pub(super) seconds: f64,
    pub(super) phases: [f64; Phase::ALL.len()],
}

/// What a row is made of.
pub(super) struct StepRow<'a> {
    pub(super) time: f64,
    pub(super) work: &'a Work,
    pub(super) energies: Energies,
    /// Linear [N·s] and angular [N·m·s].
    pub(super) momentum: (Vector3, Vector3),
    /// Of all zones [m³].
    pub(super) volume: f64,
}

/// A column: its name, its unit, and its cell in a row.
type Column = (&'static str, &'static str, for<'a> fn(&StepRow<'a>) -> Cell<'a>);

/// Columns between the step and those of contacts by kind. The unit of residuals is that of the method.
const COLUMNS: [Column; 26] = [
    ("time", "s", |row| row.time.into()),
    ("status", "", |row| row.work.status.into()),
    ("iterations", "", |row| row.work.iterations.into()),
    ("stages", "", |row| row.work.stages.into()),
    ("sub_steps", "", |row| row.work.sub_steps.into()),
    ("failed_attempts", "", |row| row.work.failed_attempts.into()),
    (RESIDUAL, "", |row| row.work.residual.into()),
    ("memory", "B", |row| row.work.memory.into()),
    ("kinetic", "J", |row| row.energies.kinetic.into()),
    ("elastic", "J", |row| row.energies.elastic.into()),
    ("gravitational", "J", |row| row.energies.gravitational.into()),
    // A sum of nothing is −0, which looks odd in a table.
    ("zones", "J", |row| (row.energies.zones + 0.0).into()),
    ("contact", "J", |row| (row.energies.contact + 0.0).into()),
    ("momentum", "N·s", |row| row.momentum.0.norm().into()),
    ("angular_momentum", "N·m·s", |row| row.momentum.1.norm().into()),
    ("volume", "m³", |row| (row.volume + 0.0).into()),
    ("contacts", "", |row| row.work.contact.touching.into()),
    ("sliding", "", |row| row.work.contact.sliding.into()),
    ("friction_excess", "", |row| row.work.contact.friction.excess.into()),
    ("unresisted_slip", "m/s", |row| row.work.contact.friction.unresisted.into()),
    ("smallest_gap", "m", |row| row.work.contact.smallest_gap.into()),
    ("deepest_overlap", "m", |row| row.work.contact.deepest_overlap().into()),
    ("overlap", "", |row| row.work.overlap.as_str().into()),
    ("stiffenings", "", |row| u64::from(row.work.contact.stiffenings).into()),
    ("intersections", "", |row| match &row.work.crossing {
        None => "".into(),
        Some(Crossing { pairs: None, .. }) => crossing::UNKNOWN.into(),
        Some(Crossing { pairs: Some(pairs), .. }) => (*pairs).into(),
    }),
    ("intersecting", "", |row| {
        row.work.crossing.as_ref().map_or("", |crossing| crossing.between.as_str()).into()
    }),
];

const RESIDUAL: &str = "residual";
/// Before the name of a kind of contacts.
const KIND: &str = "contacts_";
/// Time of a step.
const SECONDS: &str = "seconds";
/// Before the name of a phase.
const PHASE: &str = "seconds_";
/// Time of a step in no phase.
const OTHER: &str = "seconds_other";

/// What columns are called, after the step.
pub(super) fn headers(residual: Unit) -> Vec<String> {
    let own = COLUMNS.iter().map(|(name, unit, _)| match (*name, *unit) {
        (RESIDUAL, _) => format!("{RESIDUAL} [{residual}]"),
        (name, "") => name.to_owned(),
        (name, unit) => format!("{name} [{unit}]"),
    });
    let kinds = ContactKind::ALL.iter().map(|kind| format!("{KIND}{}", kind.name()));
    let phases = Phase::ALL.iter().map(|phase| format!("{PHASE}{}", phase.name()));
    let seconds = [SECONDS.to_owned()].into_iter().chain(phases).chain([OTHER.to_owned()]);
    own.chain(kinds).chain(seconds).collect()
}

/// Cells of a row, after the step.
pub(super) fn cells<'a>(row: &StepRow<'a>) -> Vec<Cell<'a>> {
    let other = row.work.seconds - row.work.phases.iter().sum::<f64>();
    let own = COLUMNS.iter().map(|(.., cell)| cell(row));
    let kinds = ContactKind::ALL.iter().map(|kind| row.work.contact.kinds.of(*kind).into());
    let seconds = [row.work.seconds].into_iter().chain(row.work.phases).chain([other.max(0.0)]);
    own.chain(kinds).chain(seconds.map(Cell::Number)).collect()
}

/// Where a column is in a row, the step counted.
pub(super) fn place(name: &str) -> Option<usize> {
    let own = COLUMNS.iter().position(|(known, ..)| *known == name);
    let seconds = || {
        let first = COLUMNS.len() + ContactKind::ALL.len();
        let Some(phase) = name.strip_prefix(PHASE) else {
            return (name == SECONDS).then_some(first);
        };
        let at = Phase::ALL.iter().position(|known| known.name() == phase)?;
        Some(first + 1 + at)
    };
    Some(1 + own.or_else(seconds)?)
}

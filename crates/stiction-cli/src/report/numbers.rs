//! Sums over the steps of a run, from its table: they are true while it goes on as well.

use stiction_scene::run::Columns;

use super::run::Run;

/// A step that stopped short of its tolerance.
pub(super) struct Short {
    pub(super) step: f64,
    pub(super) time: f64,
    pub(super) status: String,
    pub(super) residual: f64,
    /// Of the residual.
    pub(super) unit: String,
}

/// Sums over steps.
pub(super) struct Numbers {
    pub(super) steps: usize,
    /// Simulated [s].
    pub(super) time: f64,
    pub(super) iterations: f64,
    /// Time spent in steps [s].
    pub(super) seconds: f64,
    /// The same by phase.
    pub(super) phases: Vec<(String, f64)>,
    pub(super) short: Vec<Short>,
    /// Attempts that failed and were repeated in halves.
    pub(super) failed_attempts: f64,
    pub(super) most_contacts: f64,
    /// Slip that friction did not resist as Coulomb's law has it, at most [m/s].
    pub(super) unresisted: f64,
    /// Deepest overlap at the end of a step [m], and when [s]; zero if there was none.
    pub(super) deepest: (f64, f64),
    /// Steps that ended with bodies overlapping.
    pub(super) overlapping: usize,
    /// Rows of frames in which triangles cross, and most pairs of these in one.
    pub(super) crossing: (usize, f64),
}

/// Columns of phases begin so.
pub(super) const PHASE: &str = "seconds_";

impl Numbers {
    /// Of a run, as far as it is.
    pub(super) fn of(run: &Run) -> Self {
        let table = &run.steps;
        // Row zero is the way to equilibrium, and no step.
        let rows: Vec<usize> = column(table, "step")
            .iter()
            .enumerate()
            .filter(|(_, step)| **step > 0.0)
            .map(|(row, _)| row)
            .collect();
        let all = |name: &str| {
            let numbers = column(table, name);
            rows.iter().filter_map(|&row| numbers.get(row).copied()).collect::<Vec<f64>>()
        };
        let sum = |name: &str| all(name).into_iter().filter(|x| x.is_finite()).sum::<f64>();
        let at = |name: &str, row: usize| column(table, name).get(row).copied().unwrap_or(f64::NAN);
        let status = table.get("status").map(|column| &column.words);
        let short = rows.iter().filter_map(|&row| {
            let status =
                status.and_then(|words| words.get(&row)).filter(|word| *word != "converged")?;
            Some(Short {
                step: at("step", row),
                time: at("time", row),
                status: status.clone(),
                residual: at("residual", row),
                unit: residual_unit(run).to_owned(),
            })
        });
        // Methods may allow some; what is too deep has names.
        let overlap = table.get("overlap").map(|column| &column.words);
        let overlapping = rows.iter().filter(|row| overlap.is_some_and(|of| of.contains_key(row)));
        let deepest = overlapping.clone().fold((0.0, 0.0), |deepest, &row| {
            let depth = -at("smallest_gap", row);
            if depth > deepest.0 { (depth, at("time", row)) } else { deepest }
        });
        let crossing = all("intersections");
        let phases = table.0.iter().filter_map(|column| column.name.strip_prefix(PHASE));
        Self {
            steps: rows.len(),
            time: rows.last().map_or(0.0, |&row| at("time", row)),
            iterations: sum("iterations"),
            seconds: sum("seconds"),
            phases: phases
                .map(|phase| (phase.to_owned(), sum(&format!("{PHASE}{phase}"))))
                .collect(),
            short: short.collect(),
            failed_attempts: sum("failed_attempts"),
            most_contacts: all("contacts").into_iter().fold(0.0, f64::max),
            unresisted: all("unresisted_slip").into_iter().fold(0.0, f64::max),
            overlapping: overlapping.count(),
            crossing: (
                crossing.iter().filter(|&&pairs| pairs > 0.0).count(),
                crossing.iter().copied().fold(0.0, f64::max),
            ),
            deepest,
        }
    }

    /// Iterations of a step, on the average; NaN without steps.
    pub(super) fn mean_iterations(&self) -> f64 {
        self.iterations / self.steps as f64
    }
}

/// What a run measures its residuals in.
pub(super) fn residual_unit(run: &Run) -> &str {
    run.steps.get("residual").map_or("", |column| &column.unit)
}

/// Numbers of a column; none if there is no such column.
pub(super) fn column<'a>(table: &'a Columns, name: &str) -> &'a [f64] {
    table.get(name).map_or(&[], |column| &column.numbers)
}

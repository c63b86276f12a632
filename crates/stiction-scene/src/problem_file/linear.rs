//! Linear complementarity as JSON: `u = (A + C) x + b`, bounds on `x`, and `u` that vanishes where `x` is between them.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use stiction::solve::complementarity::linear::{Bounds, LinearProblem, Matrix, Rows, Tie};

use super::{Problem, Stored, solution_of, start_of};

/// A linear problem as it is written.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LinearFile {
    /// Always `stiction linear problem`.
    pub format: String,
    /// Always 1.
    pub version: u32,
    /// `b`: velocities without impulses [m/s].
    pub free_velocity: Vec<f64>,
    /// `A`, all its rows; or `entries`, or `jacobian` and `inverse_mass` [1/kg].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matrix: Vec<Vec<f64>>,
    /// `A` by its entries, each row, column and value [1/kg].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Entry>,
    /// `J` by its entries, so that `A = J M⁻¹ Jᵀ`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jacobian: Vec<Entry>,
    /// `M⁻¹`: square blocks that follow each other along the columns of `J`, each all its numbers [1/kg].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inverse_mass: Vec<Vec<f64>>,
    /// Lower bounds; `null` for none; all zero if left out [N·s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<Vec<Option<f64>>>,
    /// Upper bounds; `null` for none; none if left out [N·s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<Vec<Option<f64>>>,
    /// Bounds that widen with another impulse, such as those of friction with that along the normal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<Tied>,
    /// `C`: added to the diagonal; zero if left out [1/kg].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compliance: Vec<f64>,
    /// What makes `x` comparable with `u` in residuals; the diagonal if left out [1/kg].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scale: Vec<f64>,
    /// Where solvers start [N·s]; zero if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impulses: Vec<f64>,
    /// Impulses that solve it [N·s], if any are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solution: Vec<f64>,
}

/// A number at a row and a column.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Entry(pub usize, pub usize, pub f64);

/// `lower − below p ≤ x_row ≤ upper + above p`, with `p = max(x_to, 0)`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tied {
    /// Whose bounds widen.
    pub row: usize,
    /// With which other unknown.
    pub to: usize,
    /// How much further down [-].
    pub below: f64,
    /// How much further up [-].
    pub above: f64,
}

impl LinearFile {
    /// What such files say they are.
    pub const FORMAT: &str = "stiction linear problem";

    /// Of a problem. The matrix is written by its entries, whatever form it had.
    pub fn of(problem: &LinearProblem, stored: &Stored) -> Self {
        let finite = |x: f64| x.is_finite().then_some(x);
        let rows = problem.matrix().entries().into_iter().enumerate();
        let tied = problem.bounds().iter().enumerate().filter_map(|(row, bounds)| {
            let Tie { row: to, below, above } = bounds.tie?;
            Some(Tied { row, to, below, above })
        });
        let soft = problem.compliance().iter().any(|c| *c != 0.0);
        let own = |i: usize| if problem.diagonal()[i] > 0.0 { problem.diagonal()[i] } else { 1.0 };
        let scaled = (0..problem.len()).any(|i| problem.scale()[i].to_bits() != own(i).to_bits());
        Self {
            format: Self::FORMAT.into(),
            version: 1,
            free_velocity: problem.b().to_vec(),
            entries: rows
                .flat_map(|(i, row)| row.into_iter().map(move |(j, value)| Entry(i, j, value)))
                .collect(),
            lower: Some(problem.bounds().iter().map(|bounds| finite(bounds.lo)).collect()),
            upper: Some(problem.bounds().iter().map(|bounds| finite(bounds.hi)).collect()),
            ties: tied.collect(),
            compliance: if soft { problem.compliance().to_vec() } else { Vec::new() },
            scale: if scaled { problem.scale().to_vec() } else { Vec::new() },
            impulses: stored.start.clone(),
            solution: stored.solution.clone().unwrap_or_default(),
            ..Self::default()
        }
    }

    /// The problem, where to start, and what is said to solve it.
    ///
    /// # Errors
    /// What is wrong with it, and a remedy.
    pub fn stored(&self) -> Result<Stored, String> {
        let told =
            |error: stiction::solve::complementarity::linear::ProblemError| error.to_string();
        let n = self.free_velocity.len();
        let mut problem =
            LinearProblem::new(self.operator(n)?, self.free_velocity.clone(), self.bounds(n)?)
                .map_err(told)?;
        if !self.compliance.is_empty() {
            problem = problem.with_compliance(self.compliance.clone()).map_err(told)?;
        }
        if !self.scale.is_empty() {
            problem = problem.with_scale(self.scale.clone()).map_err(told)?;
        }
        problem.check().map_err(told)?;
        let start = start_of("impulses", &self.impulses, n)?;
        let solution = solution_of(&self.solution, n)?;
        Ok(Stored { problem: Problem::Linear(problem), start, solution })
    }

    fn operator(&self, n: usize) -> Result<Matrix, String> {
        let forms =
            [!self.matrix.is_empty(), !self.entries.is_empty(), !self.inverse_mass.is_empty()];
        match forms {
            [true, false, false] => {
                if self.matrix.len() != n || self.matrix.iter().any(|row| row.len() != n) {
                    return Err(format!(
                        "`matrix` is not square with {n} rows\n  help: `free_velocity` has one number a row"
                    ));
                }
                let dense = DMatrix::from_fn(n, n, |i, j| self.matrix[i][j]);
                Matrix::dense(&dense).ok_or_else(|| "`matrix` is not square".into())
            }
            [false, false, true] => {
                let blocks = self.inverse_mass.iter().enumerate().map(|(k, numbers)| {
                    let size = numbers.len().isqrt();
                    if size * size != numbers.len() {
                        return Err(format!(
                            "block {k} of `inverse_mass` has {} numbers\n  help: blocks are square",
                            numbers.len()
                        ));
                    }
                    Ok(DMatrix::from_row_slice(size, size, numbers))
                });
                let blocks = blocks.collect::<Result<Vec<_>, String>>()?;
                let columns = blocks.iter().map(DMatrix::nrows).sum();
                let rows = gathered("jacobian", &self.jacobian, n, columns)?;
                Matrix::factored(rows, &blocks).ok_or_else(|| "J does not fit M⁻¹".into())
            }
            [false, _, false] => {
                let rows = gathered("entries", &self.entries, n, n)?;
                Matrix::sparse(rows).ok_or_else(|| "`entries` are not square".into())
            }
            _ => Err("its matrix is given more than once\n  \
                      help: give `matrix`, or `entries`, or `jacobian` and `inverse_mass`"
                .into()),
        }
    }

    fn bounds(&self, n: usize) -> Result<Vec<Bounds>, String> {
        let all = |name: &str, given: &Option<Vec<Option<f64>>>, left_out, none| match given {
            None => Ok(vec![left_out; n]),
            Some(given) if given.len() == n => {
                Ok(given.iter().map(|bound| bound.unwrap_or(none)).collect::<Vec<f64>>())
            }
            Some(given) => Err(format!(
                "`{name}` has {} numbers, {n} were expected\n  help: one for each row; null for none",
                given.len()
            )),
        };
        let lower = all("lower", &self.lower, 0.0, f64::NEG_INFINITY)?;
        let upper = all("upper", &self.upper, f64::INFINITY, f64::INFINITY)?;
        let mut bounds: Vec<Bounds> =
            lower.iter().zip(&upper).map(|(&lo, &hi)| Bounds::between(lo, hi)).collect();
        for tied in &self.ties {
            let Some(bound) = bounds.get_mut(tied.row) else {
                return Err(format!(
                    "a tie names row {}, but there are {n}\n  help: rows are counted from zero",
                    tied.row
                ));
            };
            bound.tie = Some(Tie { row: tied.to, below: tied.below, above: tied.above });
        }
        Ok(bounds)
    }
}

fn gathered(name: &str, entries: &[Entry], rows: usize, columns: usize) -> Result<Rows, String> {
    let mut by_row: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rows];
    for (k, Entry(i, j, value)) in entries.iter().enumerate() {
        if *i >= rows || *j >= columns {
            return Err(format!(
                "number {k} of `{name}` is at ({i}, {j}), outside of {rows} by {columns}\n  help: both are counted \
                 from zero"
            ));
        }
        by_row[*i].push((*j, *value));
    }
    let mut all = Rows::new(columns);
    for row in by_row {
        all.push(row).ok_or("too many columns")?;
    }
    Ok(all)
}

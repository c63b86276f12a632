//! What a simulation should keep, watched: energy and momentum over time, rates, periods, orders.
//!
//! Without a known solution `x(t)`, the order `p` of a scheme follows from three runs with steps `h`,
//! `h/2`, `h/4` (Richardson): errors are `C hᵖ + …`, so the runs differ from each other like
//!
//! $$ \frac{\|x_h - x_{h/2}\|}{\|x_{h/2} - x_{h/4}\|} \to 2^p $$

use nalgebra::Vector3;
use stiction::Simulation;
use stiction::model::Energies;
use stiction::step::Integrator;

/// Every integrator, and the order it should have.
pub const INTEGRATORS: [(Integrator, f64); 8] = [
    (Integrator::BackwardEuler, 1.0),
    (Integrator::Bdf2, 2.0),
    (Integrator::Trapezoid, 2.0),
    (Integrator::TrBdf2 { split: 0.5 }, 2.0),
    (Integrator::TR_BDF2, 2.0),
    (Integrator::Sdirk2, 2.0),
    (Integrator::Newmark { beta: 0.25, gamma: 0.5 }, 2.0),
    (Integrator::Newmark { beta: 0.36, gamma: 0.6 }, 1.0),
];

/// What is watched at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Time [s].
    pub time: f64,
    /// Kinetic, elastic and gravitational energy, and that of zones [J].
    pub energies: Energies,
    /// Linear momentum [N·s].
    pub linear: Vector3<f64>,
    /// Angular momentum about the origin [N·m·s].
    pub angular: Vector3<f64>,
}

/// The history of a simulation.
#[derive(Clone, Debug)]
pub struct Monitor {
    mass: f64, // [kg]
    samples: Vec<Sample>,
}

/// How far something that should stay has moved from where it started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// At the end; for energies with sign, a loss is negative.
    pub last: f64,
    /// The largest at any time.
    pub max: f64,
    /// What both are to be compared with.
    pub scale: f64,
}

impl Drift {
    /// [`Drift::last`] over the scale [-].
    pub fn last_relative(&self) -> f64 {
        self.last / self.scale
    }

    /// [`Drift::max`] over the scale [-].
    pub fn max_relative(&self) -> f64 {
        self.max / self.scale
    }
}

impl Monitor {
    /// Starts with the present state.
    pub fn new(simulation: &Simulation) -> Self {
        let mass = simulation.model().node_masses().iter().sum();
        let mut monitor = Self { mass, samples: Vec::new() };
        monitor.record(simulation);
        monitor
    }

    /// Adds the present state.
    pub fn record(&mut self, simulation: &Simulation) {
        let (linear, angular) = simulation.momentum();
        let (time, energies) = (simulation.time(), simulation.energies());
        self.samples.push(Sample { time, energies, linear, angular });
    }

    /// Takes steps and records each.
    ///
    /// # Panics
    /// When a step does not converge: what follows would say nothing about the integrator.
    #[track_caller]
    pub fn watch(simulation: &mut Simulation, steps: usize) -> Self {
        let mut monitor = Self::new(simulation);
        for _ in 0..steps {
            let report = simulation.step();
            assert!(report.converged(), "at {} s: {:?}", report.time, report.status);
            monitor.record(simulation);
        }
        monitor
    }

    /// What was recorded, in order.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Of the total energy, against the largest energy that was in play: motion, strain and the fall [J].
    pub fn energy(&self) -> Drift {
        let start = self.samples[0].energies;
        let in_play = |e: &Energies| {
            let fall = (e.gravitational - start.gravitational).abs();
            e.kinetic.abs() + e.elastic.abs() + fall + (e.zones - start.zones).abs()
        };
        let scale = largest(self.samples.iter().map(|sample| in_play(&sample.energies)));
        let change = |sample: &Sample| sample.energies.total() - start.total();
        let max = largest(self.samples.iter().map(|sample| change(sample).abs()));
        Drift { last: self.samples.last().map_or(0.0, change), max, scale }
    }

    /// Of the linear momentum, against that of the mass at its root mean square speed [N·s].
    pub fn linear_momentum(&self) -> Drift {
        let speed = |sample: &Sample| (2.0 * self.mass * sample.energies.kinetic).sqrt();
        self.vector_drift(|sample| sample.linear, largest(self.samples.iter().map(speed)))
    }

    /// Of the angular momentum, against its largest size [N·m·s].
    pub fn angular_momentum(&self) -> Drift {
        let size = largest(self.samples.iter().map(|sample| sample.angular.norm()));
        self.vector_drift(|sample| sample.angular, size)
    }

    /// Rate `r` of the best fit `kinetic ∝ exp(r t)` to the times when something moved [1/s]; negative when it
    /// decays.
    pub fn kinetic_rate(&self) -> f64 {
        let points = self.samples.iter().map(|sample| (sample.time, sample.energies.kinetic));
        exponential_rate(points.filter(|(_, kinetic)| *kinetic > 0.0))
    }

    fn vector_drift(&self, of: impl Fn(&Sample) -> Vector3<f64>, scale: f64) -> Drift {
        let start = of(&self.samples[0]);
        let change = |sample: &Sample| (of(sample) - start).norm();
        let max = largest(self.samples.iter().map(change));
        Drift { last: self.samples.last().map_or(0.0, change), max, scale }
    }
}

/// Rate `r` of the least-squares fit of `ln y = a + r t` to `(t, y)`; needs `y > 0`.
pub fn exponential_rate(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let count = points.clone().count() as f64;
    let (t, y) = points.clone().fold((0.0, 0.0), |(t, y), p| (t + p.0, y + p.1.ln()));
    let (t_mean, y_mean) = (t / count, y / count);
    let (up, down) = points.fold((0.0, 0.0), |(up, down), (t, y)| {
        let dt = t - t_mean;
        (up + dt * (y.ln() - y_mean), down + dt * dt)
    });
    up / down
}

/// Mean time between upward crossings of zero of `(t, y)`, by straight lines [s]; NaN with fewer than two.
pub fn period(points: &[(f64, f64)]) -> f64 {
    let crossings: Vec<f64> = points
        .windows(2)
        .filter(|pair| pair[0].1 < 0.0 && pair[1].1 >= 0.0)
        .map(|pair| pair[0].0 - pair[0].1 * (pair[1].0 - pair[0].0) / (pair[1].1 - pair[0].1))
        .collect();
    match crossings[..] {
        [first, .., last] => (last - first) / (crossings.len() - 1) as f64,
        _ => f64::NAN,
    }
}

/// Orders seen between successive refinements: `run` is called with `coarsest · 2^k` steps for `k < levels`
/// and returns what should converge. Three levels give one order.
pub fn observed_orders(
    coarsest: usize,
    levels: u32,
    mut run: impl FnMut(usize) -> Vec<f64>,
) -> Vec<f64> {
    let results: Vec<Vec<f64>> = (0..levels).map(|level| run(coarsest << level)).collect();
    let differences: Vec<f64> =
        results.windows(2).map(|pair| distance(&pair[0], &pair[1])).collect();
    differences.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

/// Euclidean distance of two vectors.
///
/// # Panics
/// When their lengths differ.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "vectors of one length");
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Not `f64::max`: it drops NaN, and a broken run would look fine.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, value| if value > most || value.is_nan() { value } else { most })
}

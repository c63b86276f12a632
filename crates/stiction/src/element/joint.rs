//! Joints: one number `s` of a few points, and what it costs.
//!
//! | [`Coordinate`] | `s` |
//! |---|---|
//! | product | $c\,(x_1 - x_0) \cdot (x_3 - x_2)$: an offset along an axis, or the cosine between two axes |
//! | distance | $\|x_1 - x_0\|$ |
//! | angle | from $x_2$ to $x_3$ about the axis $x_0 x_1$, over full turns |
//!
//! With `W(s)` of a [`Law`], the gradient is `W′ ∂s` and the Hessian `W″ ∂s∂sᵀ + W′ ∂²s`. `W″` is never negative:
//! `Projection::Positive` keeps the first part. Every `s` is blind to rigid motions of all its points, so no joint
//! pushes or turns what floats freely.
//!
//! What shakes inside a joint is calmed by `½ (c/t) (s − s₀)²`, with `s₀` at the last accepted step and `t` the time
//! since: a difference of coordinates, since that of velocities sees motion where bodies turn far in a step.

use std::f64::consts::{PI, TAU};

use super::{ElementSet, Hessian, HingeAngle, Projection};
use crate::math::{Matrix3, Vector3};
use crate::profile::Profile;

/// A number of four points; some may be the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// `scale (x₁ − x₀)·(x₃ − x₂)`.
    Product {
        /// Factor of the product.
        scale: f64,
    },
    /// From `x₀` to `x₁` [m].
    Distance,
    /// By how much `x₃` is turned from `x₂` about the axis from `x₀` to `x₁`, right-handed [rad].
    Angle,
}

impl Coordinate {
    /// Its value; of angles, that within half a turn of `near`.
    pub fn value(&self, x: &[Vector3; 4], near: f64) -> f64 {
        match self {
            Self::Product { scale } => scale * (x[1] - x[0]).dot(&(x[3] - x[2])),
            Self::Distance => (x[1] - x[0]).norm(),
            Self::Angle => {
                // A dihedral angle of π is no turn.
                let angle = HingeAngle::new(x).angle - PI;
                angle + TAU * ((near - angle) / TAU).round()
            }
        }
    }

    /// Its derivative with respect to each point.
    pub fn gradient(&self, x: &[Vector3; 4]) -> [Vector3; 4] {
        let zero = Vector3::zeros();
        match self {
            Self::Product { scale } => {
                let (first, second) = ((x[1] - x[0]) * *scale, (x[3] - x[2]) * *scale);
                [-second, second, -first, first]
            }
            Self::Distance => {
                let along = (x[1] - x[0]).try_normalize(0.0).unwrap_or(zero);
                [-along, along, zero, zero]
            }
            Self::Angle => HingeAngle::new(x).gradient(),
        }
    }

    /// Its second derivative.
    pub fn hessian(&self, x: &[Vector3; 4]) -> Hessian<4> {
        let mut hessian = [[Matrix3::zeros(); 4]; 4];
        let block = match self {
            Self::Product { scale } => {
                let block = Matrix3::from_diagonal_element(*scale);
                for (a, b, sign) in [(0, 2, 1.0), (0, 3, -1.0), (1, 2, -1.0), (1, 3, 1.0)] {
                    hessian[a][b] = block * sign;
                    hessian[b][a] = block * sign;
                }
                return hessian;
            }
            Self::Distance => {
                let d = x[1] - x[0];
                let along = d.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
                let across = Matrix3::identity() - along * along.transpose();
                // Points in one place have no line between them.
                across * d.norm().recip().min(f64::MAX.sqrt())
            }
            Self::Angle => return HingeAngle::new(x).hessian(),
        };
        for (a, b, sign) in [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)] {
            hessian[a][b] = block * sign;
        }
        hessian
    }
}

/// What a coordinate costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Nothing; it is followed, and may be damped.
    Free,
    /// `½ k (s − rest)²`.
    Spring {
        /// `k` [N/m, or N·m].
        stiffness: f64,
        /// Where it costs nothing.
        rest: f64,
    },
    /// Nothing inside, a spring outside.
    Limits {
        /// Of the spring [N/m, or N·m].
        stiffness: f64,
        /// Where it begins on one side.
        least: f64,
        /// And on the other.
        most: f64,
    },
    /// A spring to a target that moves, `rest + speed t`, and pulls no harder than it can. With a
    /// [profile](JointSet::with_profile) `p`, to `rest + speed ∫p` if it waits, to `rest p` if not.
    Drive {
        /// Of the spring [N/m, or N·m].
        stiffness: f64,
        /// Target at time zero.
        rest: f64,
        /// Of the target [m/s, or rad/s].
        speed: f64,
        /// The most it pulls [N, or N·m].
        strength: f64,
        /// Whether the target waits for what the motor is too weak to move.
        waits: bool,
    },
}

/// Energy, its derivative, and its second derivative.
struct Cost {
    energy: f64,
    force: f64,
    stiffness: f64,
}

impl Cost {
    const NONE: Self = Self { energy: 0.0, force: 0.0, stiffness: 0.0 };

    fn spring(stiffness: f64, by: f64) -> Self {
        Self { energy: 0.5 * stiffness * by * by, force: stiffness * by, stiffness }
    }

    fn and(self, other: Self) -> Self {
        Self {
            energy: self.energy + other.energy,
            force: self.force + other.force,
            stiffness: self.stiffness + other.stiffness,
        }
    }
}

impl Law {
    /// What of a coordinate is felt: of one with limits, how far it is beyond them.
    fn beyond(&self, s: f64) -> f64 {
        match *self {
            Self::Limits { least, most, .. } => (s - most).max(0.0) + (s - least).min(0.0),
            _ => s,
        }
    }

    /// `target` is that of a drive, now.
    fn cost(&self, s: f64, target: f64) -> Cost {
        match *self {
            Self::Free => Cost::NONE,
            Self::Spring { stiffness, rest } => Cost::spring(stiffness, s - rest),
            Self::Limits { stiffness, .. } => Cost::spring(stiffness, self.beyond(s)),
            Self::Drive { stiffness, strength, .. } => {
                let by = s - target;
                let reach = strength / stiffness;
                if by.abs() <= reach {
                    return Cost::spring(stiffness, by);
                }
                let energy = strength * (by.abs() - 0.5 * reach);
                Cost { energy, force: strength.copysign(by), stiffness: 0.0 }
            }
        }
    }
}

/// A coordinate, its law, and dampers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRow {
    /// Of what.
    pub coordinate: Coordinate,
    /// What it costs.
    pub law: Law,
    /// Force per rate of the coordinate [N·s/m, or N·m·s].
    pub damping: f64,
    /// The same, of first order and blind to turns in any step; beyond limits only, if it has some.
    pub calming: f64,
}

/// `½ (c/t) (s − s₀)²`; nothing before time passes.
fn calm(calming: f64, since: f64, by: f64) -> Cost {
    if calming > 0.0 && since > 0.0 { Cost::spring(calming / since, by) } else { Cost::NONE }
}

/// Many rows. Damping is that of the rows, for a `β` of 1 s.
#[derive(Clone, Debug, Default)]
pub struct JointSet {
    rows: Vec<JointRow>,
    /// Of each row: the coordinate at the last accepted step, and the target of its drive at time zero. Then that
    /// step's time.
    memory: Vec<f64>,
    time: f64,
    /// Factors in time of what drives are told, by row, ascending.
    profiles: Vec<(usize, Profile)>,
}

impl JointSet {
    /// Takes the rows, whose coordinates are near `starts` at first.
    pub fn new(rows: Vec<JointRow>, starts: &[f64]) -> Self {
        let rest = |row: &JointRow| match row.law {
            Law::Drive { rest, .. } => rest,
            _ => 0.0,
        };
        let memory = rows.iter().zip(starts).flat_map(|(row, &start)| [start, rest(row)]);
        let memory = memory.chain([0.0]).collect();
        Self { memory, rows, time: 0.0, profiles: Vec::new() }
    }

    /// Scales what the drive of a row is told with time; rows come in ascending order.
    #[must_use]
    pub fn with_profile(mut self, row: usize, profile: Profile) -> Self {
        self.profiles.push((row, profile));
        self
    }

    fn value(&self, e: usize, x: &[Vector3; 4]) -> f64 {
        self.rows[e].coordinate.value(x, self.memory[2 * e])
    }

    fn target(&self, e: usize) -> f64 {
        match self.rows[e].law {
            Law::Drive { speed, waits, .. } => {
                let (rest, t) = (self.memory[2 * e + 1], self.time);
                match self.profiles.binary_search_by_key(&e, |(row, _)| *row) {
                    Ok(at) if waits => rest + speed * self.profiles[at].1.integral(t),
                    Ok(at) => rest * self.profiles[at].1.at(t),
                    Err(_) => rest + speed * t,
                }
            }
            _ => 0.0,
        }
    }

    fn cost(&self, e: usize, x: &[Vector3; 4]) -> Cost {
        let (row, s) = (&self.rows[e], self.value(e, x));
        let [now, before] = [s, self.memory[2 * e]].map(|s| row.law.beyond(s));
        let since = self.time - self.memory[self.memory.len() - 1];
        let cost = row.law.cost(s, self.target(e)).and(calm(row.calming, since, now - before));
        // Limits stop; they do not hold back what leaves them.
        let leaves = now == 0.0 || cost.force * now < 0.0;
        if leaves && matches!(row.law, Law::Limits { .. }) {
            let since_zero = if cost.stiffness > 0.0 { cost.force / cost.stiffness } else { 0.0 };
            let energy = cost.energy - 0.5 * cost.force * since_zero;
            return Cost { energy, ..Cost::NONE };
        }
        cost
    }
}

impl ElementSet<4> for JointSet {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn energy(&self, e: usize, x: &[Vector3; 4]) -> f64 {
        self.cost(e, x).energy
    }

    fn gradient(&self, e: usize, x: &[Vector3; 4]) -> [Vector3; 4] {
        let force = self.cost(e, x).force;
        self.rows[e].coordinate.gradient(x).map(|g| g * force)
    }

    fn hessian(&self, e: usize, x: &[Vector3; 4], projection: Projection) -> Hessian<4> {
        let (cost, coordinate) = (self.cost(e, x), self.rows[e].coordinate);
        let mut hessian = outer(&coordinate.gradient(x), cost.stiffness);
        if projection == Projection::Exact && cost.force != 0.0 {
            add(&mut hessian, &coordinate.hessian(x), cost.force);
        }
        hessian
    }

    fn damping(&self, e: usize, x: &[Vector3; 4]) -> Hessian<4> {
        let JointRow { coordinate, damping, .. } = self.rows[e];
        outer(&coordinate.gradient(x), damping)
    }

    fn memory(&self) -> &[f64] {
        &self.memory
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.memory.copy_from_slice(memory);
    }

    fn set_time(&mut self, time: f64) {
        self.time = time;
    }

    /// A target that waits is never farther ahead than the motor's strength takes it.
    fn accept(&mut self, e: usize, x: &[Vector3; 4]) {
        let s = self.value(e, x);
        self.memory[2 * e] = s;
        if let Law::Drive { stiffness, strength, waits: true, .. } = self.rows[e].law {
            let (ahead, reach) = (self.target(e) - s, strength / stiffness);
            self.memory[2 * e + 1] += ahead.clamp(-reach, reach) - ahead;
        }
        if let Some(accepted) = self.memory.last_mut() {
            *accepted = self.time;
        }
    }
}

/// Two angles that turn together: `½ k (θ₂ − r θ₁)²`, of points as [`Coordinate::Angle`] has them, four and four.
#[derive(Clone, Debug, Default)]
pub struct GearSet {
    /// The gears.
    pub gears: Vec<GearRow>,
    /// The angles of each at the last accepted step [rad]. Then that step's time.
    memory: Vec<f64>,
    time: f64,
}

/// One pair of angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearRow {
    /// `r`: turns of the second a turn of the first [-].
    pub ratio: f64,
    /// `k` [N·m].
    pub stiffness: f64,
    /// Torque per difference of rates [N·m·s].
    pub calming: f64,
}

impl GearSet {
    /// Takes the gears; all angles start at zero.
    pub fn new(gears: Vec<GearRow>) -> Self {
        Self { memory: vec![0.0; 2 * gears.len() + 1], gears, time: 0.0 }
    }

    fn angles(&self, e: usize, x: &[Vector3; 8]) -> [f64; 2] {
        let near = |k: usize| self.memory[2 * e + k];
        halves(x).map(|(k, x)| Coordinate::Angle.value(&x, near(k)))
    }

    /// Of how far they are out of step.
    fn cost(&self, e: usize, x: &[Vector3; 8]) -> Cost {
        let GearRow { ratio, stiffness, calming } = self.gears[e];
        let slip = |[first, second]: [f64; 2]| second - ratio * first;
        let (now, then) = (self.angles(e, x), [self.memory[2 * e], self.memory[2 * e + 1]]);
        let since = self.time - self.memory[self.memory.len() - 1];
        Cost::spring(stiffness, slip(now)).and(calm(calming, since, slip(now) - slip(then)))
    }

    fn slip_gradient(&self, e: usize, x: &[Vector3; 8]) -> [Vector3; 8] {
        let [first, second] = halves(x).map(|(_, x)| Coordinate::Angle.gradient(&x));
        let ratio = self.gears[e].ratio;
        std::array::from_fn(|a| if a < 4 { first[a] * -ratio } else { second[a - 4] })
    }
}

impl ElementSet<8> for GearSet {
    fn len(&self) -> usize {
        self.gears.len()
    }

    fn energy(&self, e: usize, x: &[Vector3; 8]) -> f64 {
        self.cost(e, x).energy
    }

    fn gradient(&self, e: usize, x: &[Vector3; 8]) -> [Vector3; 8] {
        let torque = self.cost(e, x).force;
        self.slip_gradient(e, x).map(|g| g * torque)
    }

    fn hessian(&self, e: usize, x: &[Vector3; 8], projection: Projection) -> Hessian<8> {
        let (cost, ratio) = (self.cost(e, x), self.gears[e].ratio);
        let mut hessian = outer(&self.slip_gradient(e, x), cost.stiffness);
        if projection == Projection::Exact {
            let torque = cost.force;
            for ((k, x), factor) in halves(x).into_iter().zip([-ratio, 1.0]) {
                let own = Coordinate::Angle.hessian(&x);
                for a in 0..4 {
                    for b in 0..4 {
                        hessian[4 * k + a][4 * k + b] += own[a][b] * (factor * torque);
                    }
                }
            }
        }
        hessian
    }

    fn memory(&self) -> &[f64] {
        &self.memory
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.memory.copy_from_slice(memory);
    }

    fn set_time(&mut self, time: f64) {
        self.time = time;
    }

    fn accept(&mut self, e: usize, x: &[Vector3; 8]) {
        let angles = self.angles(e, x);
        self.memory[2 * e..2 * e + 2].copy_from_slice(&angles);
        if let Some(accepted) = self.memory.last_mut() {
            *accepted = self.time;
        }
    }
}

/// The points of either angle, and which it is.
fn halves(x: &[Vector3; 8]) -> [(usize, [Vector3; 4]); 2] {
    [0, 1].map(|k| (k, std::array::from_fn(|a| x[4 * k + a])))
}

fn outer<const N: usize>(g: &[Vector3; N], weight: f64) -> Hessian<N> {
    std::array::from_fn(|a| std::array::from_fn(|b| g[a] * (g[b] * weight).transpose()))
}

fn add<const N: usize>(sum: &mut Hessian<N>, more: &Hessian<N>, weight: f64) {
    for (row, more) in sum.iter_mut().zip(more) {
        row.iter_mut().zip(more).for_each(|(block, more)| *block += more * weight);
    }
}

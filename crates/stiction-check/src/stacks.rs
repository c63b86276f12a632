//! Boxes on each other at rest, as contact problems: towers and brick walls whose answers others have counted.
//!
//! Gravity 9.81 m/s² acts for a step of 0.01 s on boxes that stand still; contacts are the corners of the faces they
//! share, bottom first (`docs/theory/reference-values.md`, V09–V12).

use nalgebra::DMatrix;
use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::cone::{BlockRows, ContactProblem, Law, MassJacobian};
use stiction::solve::complementarity::linear::{Bounds, BoxFriction, ContactRows, LinearProblem};

/// A box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brick {
    /// Its centre [m].
    pub centre: Vector3,
    /// Its sides [m].
    pub size: Vector3,
    /// Its mass [kg].
    pub mass: f64,
}

impl Brick {
    /// Inverse moments of inertia about its axes [1/(kg m²)].
    fn inverse_inertia(&self) -> Vector3 {
        let sq = self.size.component_mul(&self.size);
        let moment = |a: f64, b: f64| 12.0 / (self.mass * (a + b));
        Vector3::new(moment(sq.y, sq.z), moment(sq.x, sq.z), moment(sq.x, sq.y))
    }
}

/// A point where a box rests on another, or on the ground; the normal is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// The box above.
    pub upper: usize,
    /// The box below; none for the ground.
    pub lower: Option<usize>,
    /// Where [m].
    pub point: Vector3,
}

/// Boxes, where they rest, and balls that join some.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// The boxes.
    pub bricks: Vec<Brick>,
    /// The contacts.
    pub rests: Vec<Rest>,
    /// Pairs of boxes that are joined at a point.
    pub joints: Vec<(usize, usize, Vector3)>,
    /// What accelerates all of them [m/s²].
    pub gravity: Vector3,
    /// What accelerates one of them besides [m/s²].
    pub pulled: Option<(usize, Vector3)>,
}

/// The time step [s].
pub const STEP: f64 = 0.01;
const GRAVITY: f64 = 9.81;

impl Stack {
    /// Unit cubes on each other, bottom first.
    pub fn tower(masses: &[f64]) -> Self {
        let cube = |(k, &mass): (usize, &f64)| Brick {
            centre: Vector3::new(0.0, 0.0, k as f64 + 0.5),
            size: Vector3::repeat(1.0),
            mass,
        };
        let bricks = masses.iter().enumerate().map(cube).collect();
        let rests = (0..masses.len()).flat_map(|upper| {
            [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| Rest {
                upper,
                lower: upper.checked_sub(1),
                point: Vector3::new(x, y, upper as f64),
            })
        });
        Self::of(bricks, rests.collect())
    }

    /// Rows of bricks of 2 × 1 × 1 m and one kilogram, each row shifted by half a brick.
    pub fn wall(rows: usize, columns: usize) -> Self {
        let (mut bricks, mut rests): (Vec<Brick>, Vec<Rest>) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let below = bricks.len().saturating_sub(columns);
            for column in 0..columns {
                let x = 2.0 * column as f64 + (row % 2) as f64;
                let upper = bricks.len();
                let centre = Vector3::new(x, 0.0, row as f64 + 0.5);
                bricks.push(Brick { centre, size: Vector3::new(2.0, 1.0, 1.0), mass: 1.0 });
                let mut rest = |lower: Option<usize>, from: f64, to: f64| {
                    for (x, y) in [(from, -0.5), (to, -0.5), (to, 0.5), (from, 0.5)] {
                        rests.push(Rest { upper, lower, point: Vector3::new(x, y, row as f64) });
                    }
                };
                if row == 0 {
                    rest(None, x - 1.0, x + 1.0);
                    continue;
                }
                for lower in below..below + columns {
                    let other = bricks[lower].centre.x;
                    let (from, to) = (f64::max(x, other) - 1.0, f64::min(x, other) + 1.0);
                    if to > from {
                        rest(Some(lower), from, to);
                    }
                }
            }
        }
        Self::of(bricks, rests)
    }

    /// Unit cubes in a row on the ground, each joined to the next by a ball between them; the last is pulled along.
    ///
    /// # Panics
    /// Without any.
    pub fn train(count: usize, pull: f64) -> Self {
        let cube = |k: usize| Brick {
            centre: Vector3::new(k as f64, 0.0, 0.5),
            size: Vector3::repeat(1.0),
            mass: 1.0,
        };
        let rests = (0..count).flat_map(|upper| {
            [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| Rest {
                upper,
                lower: None,
                point: Vector3::new(upper as f64 + x, y, 0.0),
            })
        });
        let mut train = Self::of((0..count).map(cube).collect(), rests.collect());
        train.joints =
            (1..count).map(|k| (k, k - 1, Vector3::new(k as f64 - 0.5, 0.0, 0.5))).collect();
        train.pulled = Some((count - 1, Vector3::x() * pull));
        train
    }

    fn of(bricks: Vec<Brick>, rests: Vec<Rest>) -> Self {
        Self {
            bricks,
            rests,
            joints: Vec::new(),
            gravity: Vector3::new(0.0, 0.0, -GRAVITY),
            pulled: None,
        }
    }

    /// The velocity of a box without contacts [m/s].
    fn free(&self, brick: usize) -> Vector3 {
        let own = self.pulled.filter(|(pulled, _)| *pulled == brick);
        (self.gravity + own.map_or_else(Vector3::zeros, |(_, pull)| pull)) * STEP
    }

    /// Bounds on impulses: normals alone, or with friction in a box.
    ///
    /// # Panics
    /// Never: every row names boxes that exist.
    pub fn linear(&self, mu: Option<f64>) -> LinearProblem {
        let velocity = |k: usize| {
            let v = self.free(k);
            [v.x, v.y, v.z, 0.0, 0.0, 0.0]
        };
        let mut rows = ContactRows::new((0..self.bricks.len()).flat_map(velocity).collect());
        let row = |body: usize, point: Vector3, axis: Vector3, sign: f64| {
            let turn = (point - self.bricks[body].centre).cross(&axis);
            let entry = move |k: usize| if k < 3 { axis[k] } else { turn[k - 3] };
            (0..6).map(move |k| (6 * body + k, sign * entry(k)))
        };
        let pair = |upper: usize, lower: Option<usize>, point: Vector3, axis: Vector3| {
            let below = lower.into_iter().flat_map(|lower| row(lower, point, axis, -1.0));
            row(upper, point, axis, 1.0).chain(below).collect::<Vec<_>>()
        };
        for rest in &self.rests {
            let [n, s, t] = [Vector3::z(), Vector3::x(), Vector3::y()]
                .map(|axis| pair(rest.upper, rest.lower, rest.point, axis));
            let added = match mu {
                Some(mu) => rows.contact([&n, &s, &t], 0.0, BoxFriction::isotropic(mu)),
                None => rows.row(&n, 0.0, Bounds::AT_LEAST_ZERO),
            };
            added.expect("boxes exist");
        }
        for &(a, b, point) in &self.joints {
            for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
                rows.joint(&pair(a, Some(b), point, axis), 0.0).expect("boxes exist");
            }
        }
        let masses = self.bricks.iter().map(|brick| {
            let (m, i) = (1.0 / brick.mass, brick.inverse_inertia());
            DMatrix::from_diagonal(&vec![m, m, m, i.x, i.y, i.z].into())
        });
        rows.build(&masses.collect::<Vec<_>>()).expect("rows fit boxes")
    }

    /// Coulomb's law, exactly; joints are left out.
    ///
    /// # Panics
    /// When `mu` is negative or not finite.
    pub fn cone(&self, mu: f64) -> ContactProblem<MassJacobian> {
        let mut inverse_mass = Vec::new();
        for brick in &self.bricks {
            inverse_mass.push(Matrix3::identity() / brick.mass);
            inverse_mass.push(Matrix3::from_diagonal(&brick.inverse_inertia()));
        }
        let frame = Matrix3::from_rows(&[
            Vector3::z().transpose(),
            Vector3::x().transpose(),
            Vector3::y().transpose(),
        ]);
        let rows = self.rests.iter().map(|rest| {
            let blocks = |body: usize, sign: f64| {
                let arm = rest.point - self.bricks[body].centre;
                [(2 * body, frame * sign), (2 * body + 1, -frame * arm.cross_matrix() * sign)]
            };
            let below = rest.lower.into_iter().flat_map(|lower| blocks(lower, -1.0));
            blocks(rest.upper, 1.0).into_iter().chain(below).collect::<Vec<_>>()
        });
        let jacobian = BlockRows::from_rows(inverse_mass.len(), rows);
        let free = self.rests.iter().flat_map(|rest| {
            let below = rest.lower.map_or_else(Vector3::zeros, |lower| self.free(lower));
            let v = frame * (self.free(rest.upper) - below);
            [v.x, v.y, v.z]
        });
        let laws = self.rests.iter().map(|_| Law::Coulomb { mu });
        let operator = MassJacobian::new(inverse_mass, jacobian);
        ContactProblem::new(operator, free.collect(), laws.collect()).expect("sizes fit")
    }
}

/// The same problem measured by the plain minimum of `x` and `u`.
///
/// # Panics
/// Never: there is one scale a row.
pub fn unscaled(problem: LinearProblem) -> LinearProblem {
    let rows = problem.len();
    problem.with_scale(vec![1.0; rows]).expect("one scale a row")
}

/// The largest number, without its sign.
pub fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |worst, v| v.abs().max(worst))
}

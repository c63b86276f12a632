//! Friction with a polygon inside Coulomb's disc: a plain linear complementarity problem, without tied bounds [ST96,
//! AP97].
//!
//! Each contact has a normal impulse `n`, `k` pushes `t ≥ 0` along directions around the circle, and a slip speed `β`:
//!
//! ```text
//! 0 ≤ velocity along the normal    ⊥  n ≥ 0
//! 0 ≤ velocity along t_i + β       ⊥  t_i ≥ 0
//! 0 ≤ μ n − Σ t_i                  ⊥  β ≥ 0
//! ```
//!
//! Along one of the directions friction is exact; halfway between two it is `cos(π/k)` of it. Where coefficients
//! differ by direction, corners are where rays in these directions meet the limit curve, four quarters of ellipses
//! [AEF22, §6.1.4]: `t_i` pushes with `μ_i/μ`, `μ` the largest coefficient. The matrix is not symmetric and has zeros
//! on its diagonal: Lemke's method solves it, sweeps do not. Last rows are scaled by the inverse mass along the
//! normal, so that all `x` are impulses and all `u` are velocities.

use nalgebra::DMatrix;

use super::bounds::Bounds;
use super::matrix::Matrix;
use super::problem::{LinearProblem, ProblemError};

/// A problem with boxes, told with polygons.
#[derive(Clone, Debug)]
#[doc(alias("Stewart-Trinkle", "polyhedral cone"))]
pub struct Polyhedral {
    /// Unknowns: first all rows that were not tied, in order; then `sides` pushes a contact; then a slip speed a
    /// contact.
    pub problem: LinearProblem,
    sides: usize,
    heads: Vec<usize>,
    contacts: Vec<Contact>,
    /// How many unknowns the boxed problem has.
    boxed: usize,
}

#[derive(Clone, Copy, Debug)]
struct Contact {
    /// Among unknowns that are not tied.
    normal: usize,
    tangents: [usize; 2],
    curve: Curve,
    /// Inverse mass along the normal.
    scale: f64,
}

/// A limit curve: how far friction reaches down and up along both tangents, per normal impulse.
#[derive(Clone, Copy, Debug)]
struct Curve([[f64; 2]; 2]);

impl Curve {
    /// Of two rows that are tied to a normal.
    fn of(boxed: &LinearProblem, tangents: [u32; 2]) -> Option<Self> {
        let reach = |row: u32| {
            let bounds = boxed.bounds()[row as usize];
            let tie = bounds.tie.filter(|_| bounds.lo == 0.0 && bounds.hi == 0.0)?;
            Some([tie.below, tie.above])
        };
        Some(Self([reach(tangents[0])?, reach(tangents[1])?]))
    }

    fn most(&self) -> f64 {
        self.0.iter().flatten().copied().fold(0.0, f64::max)
    }

    /// Corner `i` of `sides`, in units of the largest coefficient.
    fn corner(&self, i: usize, sides: usize) -> [f64; 2] {
        let (sin, cos) = (std::f64::consts::TAU * i as f64 / sides as f64).sin_cos();
        let most = self.most();
        let even = self.0.iter().flatten().all(|reach| *reach >= most);
        let part = |k: usize, x: f64| {
            // What rounding leaves of a zero is no direction.
            let x = if x.abs() < 1e-12 { 0.0 } else { x };
            let reach = self.0[k][usize::from(x > 0.0)] / most;
            if x == 0.0 { 0.0 } else { (x / reach).powi(2) }
        };
        let reach = if even { 1.0 } else { 1.0 / (part(0, cos) + part(1, sin)).sqrt() };
        [cos * reach, sin * reach]
    }
}

/// Why polygons cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolyhedralError {
    /// Directions come in opposite pairs.
    #[error("a friction polygon has an even number of sides, at least four, not {sides}")]
    Sides {
        /// How many were asked for.
        sides: usize,
    },
    /// Not a normal with two tangents.
    #[error(
        "row {row} has {tied} rows tied to it, or bounds beside them\n  help: a contact has two tangents and \
         coefficients of friction"
    )]
    Contact {
        /// The normal row.
        row: usize,
        /// How many are tied to it.
        tied: usize,
    },
    /// See there.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl Polyhedral {
    /// From a problem whose tied rows are two tangents a contact. Torsion and rolling have no polygon.
    pub fn new(boxed: &LinearProblem, sides: usize) -> Result<Self, PolyhedralError> {
        if sides < 4 || !sides.is_multiple_of(2) {
            return Err(PolyhedralError::Sides { sides });
        }
        let a = boxed.assemble_dense();
        let (mut heads, mut contacts, mut friction) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..boxed.groups() {
            let rows = boxed.group(k);
            let head = rows[0] as usize;
            if rows.len() > 1 {
                let wrong = PolyhedralError::Contact { row: head, tied: rows.len() - 1 };
                let [_, s, t] = *rows else { return Err(wrong) };
                let curve = Curve::of(boxed, [s, t]).ok_or(wrong)?;
                let scale = if a.at(head, head) > 0.0 { a.at(head, head) } else { 1.0 };
                contacts.push(Contact {
                    normal: heads.len(),
                    tangents: [s as usize, t as usize],
                    curve,
                    scale,
                });
                friction.push(curve.most());
            }
            heads.push(head);
        }
        let (h, p) = (heads.len(), contacts.len());
        let n = h + p * sides + p;
        // Columns: what each new unknown does to the old ones.
        let mut map = DMatrix::zeros(boxed.len(), n);
        for (k, &head) in heads.iter().enumerate() {
            map[(head, k)] = 1.0;
        }
        for (c, contact) in contacts.iter().enumerate() {
            for i in 0..sides {
                let [along, across] = contact.curve.corner(i, sides);
                map[(contact.tangents[0], h + c * sides + i)] = along;
                map[(contact.tangents[1], h + c * sides + i)] = across;
            }
        }
        let old = DMatrix::from_row_slice(boxed.len(), boxed.len(), &a.values);
        let mut matrix = map.transpose() * old * &map;
        let mut b: Vec<f64> =
            (map.transpose() * nalgebra::DVector::from_column_slice(boxed.b())).as_slice().to_vec();
        let mut bounds: Vec<Bounds> = heads.iter().map(|&head| boxed.bounds()[head]).collect();
        bounds.resize(n, Bounds::AT_LEAST_ZERO);
        let mut scale: Vec<f64> =
            (0..n).map(|i| if matrix[(i, i)] > 0.0 { matrix[(i, i)] } else { 1.0 }).collect();
        for (c, contact) in contacts.iter().enumerate() {
            let beta = h + p * sides + c;
            matrix[(beta, contact.normal)] = contact.scale * friction[c];
            for i in 0..sides {
                matrix[(h + c * sides + i, beta)] = contact.scale;
                matrix[(beta, h + c * sides + i)] = -contact.scale;
            }
            (b[beta], scale[beta]) = (0.0, contact.scale);
        }
        let matrix = Matrix::dense(&matrix).expect("it was made square");
        let friction = (0..n).map(|i| i >= h).collect();
        let problem = LinearProblem::new(matrix, b, bounds)?
            .with_scale(scale)?
            .with_friction_rows(friction)?;
        Ok(Self { problem, sides, heads, contacts, boxed: boxed.len() })
    }

    /// Impulses in the rows of the boxed problem.
    pub fn impulses(&self, x: &[f64]) -> Vec<f64> {
        let mut boxed = vec![0.0; self.boxed];
        for (k, &head) in self.heads.iter().enumerate() {
            boxed[head] = x[k];
        }
        for (c, contact) in self.contacts.iter().enumerate() {
            for i in 0..self.sides {
                let [along, across] = contact.curve.corner(i, self.sides);
                let push = x[self.heads.len() + c * self.sides + i];
                boxed[contact.tangents[0]] += along * push;
                boxed[contact.tangents[1]] += across * push;
            }
        }
        boxed
    }

    /// How fast a contact slips: along that direction in which it slips fastest.
    pub fn slip_speed(&self, x: &[f64], contact: usize) -> Option<f64> {
        let beta = self.heads.len() + self.contacts.len() * self.sides + contact;
        Some(self.contacts.get(contact)?.scale * x.get(beta)?)
    }
}

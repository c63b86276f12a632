//! Bending of a plate: curvature of a triangle from the angles of its three hinges.
//!
//! $$ W = \tfrac{D}{2}\, A\, \bigl[(1-\nu)\,\mathrm{tr}\,\kappa^2 + \nu\,(\mathrm{tr}\,\kappa)^2\bigr], \qquad
//!    \kappa = \sum_k \frac{l_k\,(\theta_k - \bar\theta_k)}{A + A_k}\; n_k n_k^T $$
//!
//! `D` plate rigidity `E h³/12(1−ν²)` [N·m], `ν` Poisson's ratio of bending [-], `A` rest area of the
//! triangle and `A_k` of its neighbour across edge `k` [m²], `l_k` rest length of that edge [m] and `n_k` its
//! normal in the plane of the triangle, `θ_k` angle of the hinge ([`HingeAngle`]) and `θ̄_k` at rest [rad].
//!
//! The second derivative of a sheet that is flat between its edges is `θ n nᵀ` on each edge, and nothing else. Here
//! that of an edge is spread evenly over the two triangles beside it: [GSHGZ04] with weights by area, which are exact
//! where neighbours differ in height. Means of curvature are then right on every mesh, and by convexity no mesh
//! bends more easily than a plate. The curvature of a paraboloid is exact where every hinge is symmetric about the
//! middle of its edge (parallelograms, equilateral triangles); elsewhere the sheet is too stiff by what
//! `docs/theory/bending.md` measures, since the split between the two triangles is not free, as in [Mor68, GGRZ06].
//!
//! On an edge without neighbour no moment acts: its share of the curvature is what makes the energy least.
//!
//! With the weights of the three angles gathered once in a 3×3 matrix, `W = ½ D δᵀ G δ`, `δ_k = θ_k − θ̄_k`.
//! `Projection::Positive` keeps `D ∂θᵀ G ∂θ`, as [`HingeSet`](super::HingeSet) does.

use super::hinge::{RestAngles, nearest_turn};
use super::hinge_angle::HingeAngle;
use super::rest_shape::{RestShapeError, check_size, corners};
use super::{ElementSet, Hessian, Projection};
use crate::math::{Matrix3, Vector3};

/// Triangles that bend like a plate. Six points each: the corners, then across each edge from corner `k` to
/// corner `k + 1` the third corner of the neighbour, or once more the own one where there is none.
#[derive(Clone, Debug)]
pub struct CurvatureSet {
    rigidity: f64,
    triangles: Vec<Rest>,
    /// Angles of the hinges of each triangle at the last accepted step [rad].
    reference: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    weights: Matrix3, // G [-]; zero rows and columns for edges without neighbour
    has: [bool; 3],   // whether there is a neighbour across edge k
    angles: [f64; 3], // [rad]
}

/// The hinges of one triangle as it is now.
struct Bent {
    hinges: [Option<HingeAngle>; 3],
    moments: [f64; 3], // ∂W/∂θ [J]
}

impl CurvatureSet {
    /// From rest positions of vertices [m], `rigidity` `D` [N·m] and Poisson's ratio of bending, between −1 and 1.
    pub fn new(
        rigidity: f64,
        poissons_ratio: f64,
        positions: &[Vector3],
        patches: &[[u32; 6]],
        rest_angles: RestAngles,
    ) -> Result<Self, RestShapeError> {
        let mut triangles = Vec::with_capacity(patches.len());
        let mut reference = Vec::with_capacity(3 * patches.len());
        for (e, patch) in patches.iter().enumerate() {
            let x = corners(positions, e, patch)?;
            let has = std::array::from_fn(|k| patch[3 + k] != patch[(k + 2) % 3]);
            let weights = weights(e, &x, has, poissons_ratio)?;
            let angles = std::array::from_fn(|k| if has[k] { angle(k, &x).angle } else { 0.0 });
            reference.extend(angles);
            triangles.push(Rest { weights, has, angles: angles.map(|a| rest_angles.of(a)) });
        }
        Ok(Self { rigidity, triangles, reference })
    }

    /// Angles of the hinges of triangle `e` [rad], on the branches nearest to their references; zero where there is
    /// no neighbour.
    pub fn angles(&self, e: usize, x: &[Vector3; 6]) -> [f64; 3] {
        let has = self.triangles[e].has;
        std::array::from_fn(|k| if has[k] { self.unwrap(e, k, angle(k, x).angle) } else { 0.0 })
    }

    fn unwrap(&self, e: usize, k: usize, angle: f64) -> f64 {
        nearest_turn(angle, self.reference[3 * e + k])
    }

    fn bent(&self, e: usize, x: &[Vector3; 6]) -> Bent {
        let rest = &self.triangles[e];
        let hinges: [Option<HingeAngle>; 3] =
            std::array::from_fn(|k| rest.has[k].then(|| angle(k, x)));
        let bend = Vector3::from_fn(|k, _| match &hinges[k] {
            Some(hinge) => self.unwrap(e, k, hinge.angle) - rest.angles[k],
            None => 0.0,
        });
        Bent { hinges, moments: (rest.weights * bend * self.rigidity).into() }
    }
}

impl ElementSet<6> for CurvatureSet {
    fn len(&self) -> usize {
        self.triangles.len()
    }

    fn energy(&self, e: usize, x: &[Vector3; 6]) -> f64 {
        let rest = &self.triangles[e];
        let bend = Vector3::from(self.angles(e, x)) - Vector3::from(rest.angles);
        0.5 * self.rigidity * bend.dot(&(rest.weights * bend))
    }

    fn gradient(&self, e: usize, x: &[Vector3; 6]) -> [Vector3; 6] {
        let Bent { hinges, moments } = self.bent(e, x);
        let mut gradient = [Vector3::zeros(); 6];
        for (k, hinge) in each(&hinges) {
            for (a, g) in points(k).into_iter().zip(hinge.gradient()) {
                gradient[a] += g * moments[k];
            }
        }
        gradient
    }

    fn hessian(&self, e: usize, x: &[Vector3; 6], projection: Projection) -> Hessian<6> {
        let Bent { hinges, moments } = self.bent(e, x);
        // Columns of J[a]: derivatives of the three angles with respect to point a.
        let mut J = [Matrix3::zeros(); 6];
        for (k, hinge) in each(&hinges) {
            for (a, g) in points(k).into_iter().zip(hinge.gradient()) {
                J[a].set_column(k, &g);
            }
        }
        let G = self.triangles[e].weights * self.rigidity;
        let right = J.map(|J| G * J.transpose());
        let mut K: Hessian<6> = [[Matrix3::zeros(); 6]; 6];
        for a in 0..6 {
            for b in a..6 {
                K[a][b] = J[a] * right[b];
                K[b][a] = K[a][b].transpose();
            }
        }
        if projection == Projection::Exact {
            for (k, hinge) in each(&hinges) {
                let (H, at) = (hinge.hessian(), points(k));
                for a in 0..4 {
                    for b in 0..4 {
                        K[at[a]][at[b]] += H[a][b] * moments[k];
                    }
                }
            }
        }
        K
    }

    fn memory(&self) -> &[f64] {
        &self.reference
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.reference.copy_from_slice(memory);
    }

    /// The present angles become the references.
    fn accept(&mut self, e: usize, x: &[Vector3; 6]) {
        let angles = self.angles(e, x);
        self.reference[3 * e..3 * e + 3].copy_from_slice(&angles);
    }
}

/// Which points of a patch hinge `k` joins, numbered as [`HingeAngle`] wants them.
fn points(k: usize) -> [usize; 4] {
    [k, (k + 1) % 3, (k + 2) % 3, 3 + k]
}

fn angle(k: usize, x: &[Vector3; 6]) -> HingeAngle {
    HingeAngle::new(&points(k).map(|a| x[a]))
}

fn each<T: Copy>(hinges: &[Option<T>; 3]) -> impl Iterator<Item = (usize, T)> {
    hinges.iter().enumerate().filter_map(|(k, hinge)| hinge.map(|hinge| (k, hinge)))
}

/// `G`: energy of the triangle of unit rigidity as a quadratic form in its hinge angles.
fn weights(
    element: usize,
    x: &[Vector3; 6],
    has: [bool; 3],
    poissons_ratio: f64,
) -> Result<Matrix3, RestShapeError> {
    let twice = |a: usize, b: usize, c: usize| (x[b] - x[a]).cross(&(x[c] - x[a])).norm();
    let longest_sq = |a: usize, b: usize, c: usize| {
        (x[b] - x[a]).norm_squared().max((x[c] - x[a]).norm_squared())
    };
    check_size(element, "triangle area", 0.5 * twice(0, 1, 2), longest_sq(0, 1, 2))?;
    let normal = (x[1] - x[0]).cross(&(x[2] - x[0])).normalize();
    let first = (x[1] - x[0]).normalize();
    let second = normal.cross(&first);
    // Curvatures as (xx, yy, xy) in the plane of the triangle; energy ½ κᵀ Q κ.
    let nu = poissons_ratio;
    let mut Q = Matrix3::new(1.0, nu, 0.0, nu, 1.0, 0.0, 0.0, 0.0, 2.0 * (1.0 - nu));
    let mut B = Matrix3::zeros();
    for k in 0..3 {
        let [a, b, c, d] = points(k);
        let edge = x[b] - x[a];
        let across = edge.cross(&normal).normalize();
        let (s, t) = (across.dot(&first), across.dot(&second));
        let bend = Vector3::new(s * s, t * t, s * t);
        if has[k] {
            check_size(element, "triangle area", 0.5 * twice(a, b, d), longest_sq(a, b, d))?;
            let areas = 0.5 * (twice(a, b, c) + twice(a, b, d));
            B.set_column(k, &(bend * (edge.norm() / areas)));
        } else {
            // The least energy over any multiple of `bend`. No two edges are parallel: only the third of three
            // without neighbours would have nothing left, and then there are no angles either.
            let stress = Q * bend;
            let stiffness = bend.dot(&stress);
            if stiffness > 1e-12 {
                Q -= stress * stress.transpose() / stiffness;
            }
        }
    }
    Ok(B.tr_mul(&(Q * B)) * (0.5 * twice(0, 1, 2)))
}

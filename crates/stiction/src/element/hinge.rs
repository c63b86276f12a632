//! Discrete-shell bending.
//!
//! $$ W = \tfrac12 k_b \frac{\bar l}{\bar h} (\theta - \bar\theta)^2, \qquad
//!    \bar h = \tfrac16 (h_0 + h_1) \qquad \text{[GHDS03]} $$
//!
//! `θ` angle of the hinge [rad] ([`HingeAngle`]), `θ̄` at rest; `k_b` bending stiffness [N·m], `l̄` rest
//! length of the edge, `h₀`, `h₁` rest heights of its triangles [m].
//!
//! On equilateral triangles a plate of rigidity `D` corresponds to `k_b = D/3`: rolled to curvature `c`,
//! in any direction, the hinges store `3/2 k_b c²` per area. Twisted, and on other meshes, they are up to several
//! times stiffer, however fine the mesh (`docs/theory/bending.md`); [`CurvatureSet`](super::CurvatureSet) is less so.
//!
//! The angle is known up to full turns. Each hinge keeps a reference angle, that of the last accepted
//! step, and takes the branch within half a turn of it, so cloth can be folded past 180° and back.
//!
//! `Projection::Positive` keeps the Gauss–Newton part `k ∂θ∂θᵀ`. The second derivative of an angle is
//! always indefinite, so the alternative is to clamp the eigenvalues of a 12×12 matrix at every bent hinge.
//! Six drapes, curls and a buckling sheet took 725 projected Newton iterations with Gauss–Newton and 768
//! with clamping, at a fraction of the cost per hinge.

use std::f64::consts::TAU;

use super::rest_shape::{RestShapeError, check_size, corners};
use super::{ElementSet, Hessian, HingeAngle, Projection};
use crate::math::Vector3;

/// Which angles cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestAngles {
    /// The shape given: a moulded part.
    FromShape,
    /// Flat, whatever the shape given: cloth that happens to start folded.
    Flat,
}

impl RestAngles {
    /// The rest angle of a hinge that has this angle in the shape given [rad].
    pub(super) fn of(self, angle: f64) -> f64 {
        match self {
            Self::FromShape => angle,
            Self::Flat => 0.0,
        }
    }
}

/// `angle` plus as many full turns as bring it nearest to `reference` [rad].
pub(super) fn nearest_turn(angle: f64, reference: f64) -> f64 {
    angle + TAU * ((reference - angle) / TAU).round()
}

/// Hinges of one bending stiffness.
#[derive(Clone, Debug)]
pub struct HingeSet {
    stiffness: f64,
    hinges: Vec<Hinge>,
    /// Angle of each hinge at the last accepted step [rad].
    reference: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Hinge {
    shape: f64,      // l̄/h̄
    rest_angle: f64, // [rad]
}

impl HingeSet {
    /// Builds hinges from rest positions of vertices [m]. Each names the two ends of its edge, then
    /// the opposite vertex of the triangle that runs through the edge from first to second, then that
    /// of the other triangle. `stiffness` is `k_b` [N·m].
    pub fn new(
        stiffness: f64,
        positions: &[Vector3],
        hinges: &[[u32; 4]],
        rest_angles: RestAngles,
    ) -> Result<Self, RestShapeError> {
        let shapes = hinges
            .iter()
            .enumerate()
            .map(|(e, indices)| corners(positions, e, indices))
            .collect::<Result<Vec<_>, _>>()?;
        let hinges = shapes
            .iter()
            .enumerate()
            .map(|(e, x)| Hinge::new(e, x, rest_angles))
            .collect::<Result<Vec<_>, _>>()?;
        let reference = shapes.iter().map(|x| HingeAngle::new(x).angle).collect();
        Ok(Self { stiffness, hinges, reference })
    }

    /// Bending stiffness `k_b` [N·m].
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Replaces the bending stiffness `k_b` [N·m], keeping shapes and angles.
    pub fn set_stiffness(&mut self, stiffness: f64) {
        self.stiffness = stiffness;
    }

    /// Rest angle of hinge `e` [rad].
    pub fn rest_angle(&self, e: usize) -> f64 {
        self.hinges[e].rest_angle
    }

    /// Replaces the rest angle of hinge `e` [rad]: a crease.
    pub fn set_rest_angle(&mut self, e: usize, angle: f64) {
        self.hinges[e].rest_angle = angle;
    }

    /// Angle of hinge `e` [rad], on the branch nearest to its reference.
    pub fn angle(&self, e: usize, x: &[Vector3; 4]) -> f64 {
        self.unwrap(e, HingeAngle::new(x).angle)
    }

    fn unwrap(&self, e: usize, angle: f64) -> f64 {
        nearest_turn(angle, self.reference[e])
    }

    fn weight(&self, e: usize) -> f64 {
        self.stiffness * self.hinges[e].shape
    }
}

impl ElementSet<4> for HingeSet {
    fn memory(&self) -> &[f64] {
        &self.reference
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.reference.copy_from_slice(memory);
    }

    /// The present angle becomes the reference.
    fn accept(&mut self, e: usize, x: &[Vector3; 4]) {
        self.reference[e] = self.angle(e, x);
    }

    fn len(&self) -> usize {
        self.hinges.len()
    }

    fn energy(&self, e: usize, x: &[Vector3; 4]) -> f64 {
        0.5 * self.weight(e) * (self.angle(e, x) - self.hinges[e].rest_angle).powi(2)
    }

    fn gradient(&self, e: usize, x: &[Vector3; 4]) -> [Vector3; 4] {
        let hinge = HingeAngle::new(x);
        let bend = self.unwrap(e, hinge.angle) - self.hinges[e].rest_angle;
        let moment = self.weight(e) * bend;
        hinge.gradient().map(|g| g * moment)
    }

    fn hessian(&self, e: usize, x: &[Vector3; 4], projection: Projection) -> Hessian<4> {
        let hinge = HingeAngle::new(x);
        let (g, k) = (hinge.gradient(), self.weight(e));
        let scaled = g.map(|g| (g * k).transpose());
        let mut K: Hessian<4> = std::array::from_fn(|a| std::array::from_fn(|b| g[a] * scaled[b]));
        if projection == Projection::Exact {
            let moment = k * (self.unwrap(e, hinge.angle) - self.hinges[e].rest_angle);
            let H = hinge.hessian();
            for a in 0..4 {
                for b in 0..4 {
                    K[a][b] += H[a][b] * moment;
                }
            }
        }
        K
    }
}

impl Hinge {
    fn new(
        element: usize,
        x: &[Vector3; 4],
        rest_angles: RestAngles,
    ) -> Result<Self, RestShapeError> {
        let (e0, e1, e2) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let (length, twice0, twice1) = (e0.norm(), e0.cross(&e1).norm(), e0.cross(&e2).norm());
        let scale = e0.norm_squared().max(e1.norm_squared()).max(e2.norm_squared());
        check_size(element, "edge length", length, scale.sqrt())?;
        check_size(element, "triangle area", 0.5 * twice0.min(twice1), scale)?;
        let height = (twice0 + twice1) / (6.0 * length);
        Ok(Self { shape: length / height, rest_angle: rest_angles.of(HingeAngle::new(x).angle) })
    }
}

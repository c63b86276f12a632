//! Friction against spin about the normal: torsional (drilling) friction, coupled with sliding.
//!
//! Spin `Ω` of A [against B](super::relative_rotation) about the normal `n` is a third component of slip: with a
//! length `ϱ`, torque per force,
//!
//! $$ u = P w + \varrho\, n (n \cdot \Omega) = (B + n n^T X) v, \qquad X = \varrho W - B, \qquad \Omega = W v, \qquad
//!    \text{force} = -(B + n n^T X)^T t $$
//!
//! so a traction has a torque `ϱ n (n · t)`, the same on both, and one law limits force and torque together:
//! Coulomb–Contensou [AEF22, §3.4.1]. Where things touch by vertices, each of them resists spin by itself.

use super::frame::Frame;
use super::relative_rotation::{ByFrames, RelativeRotation, SIGNS};
use super::spot::{Geometry, Second, across};
use crate::math::{Matrix3, Vector3};

/// What resists spin in all contacts of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spinning {
    /// `ϱ`: a spin counts as much as this times it in slip [m].
    pub(crate) length: f64,
    /// Frames of the body of the points and of that of the surface; nothing of obstacles.
    pub(crate) frames: [Option<Frame>; 2],
    /// Their axes at the start of the step.
    pub(crate) start: [Matrix3; 2],
}

/// Spin at a contact.
#[derive(Clone, Debug)]
pub(crate) struct Spin {
    pub(crate) rotation: RelativeRotation,
    /// `ϱ` [m].
    pub(crate) length: f64,
    /// Nodes of the stencil that more than rotates: the first.
    pub(crate) moving: usize,
    /// `X`.
    blocks: Vec<Matrix3>,
}

impl Spin {
    /// Makes a contact one that resists spin, for a normal.
    pub(crate) fn add(
        rotation: RelativeRotation,
        length: f64,
        n: Vector3,
        geometry: &mut Geometry,
    ) {
        let moving = geometry.slip.len();
        geometry.slip.resize(geometry.nodes.len(), Matrix3::zeros());
        let mut blocks: Vec<Matrix3> = geometry.slip.iter().map(|b| -b).collect();
        rotation.for_each(&rotation.operator(), |k, w| blocks[k] += w * length);
        let along = n * n.transpose();
        geometry.slip.iter_mut().zip(&blocks).for_each(|(slip, x)| *slip += along * x);
        geometry.spin = Some(Box::new(Self { rotation, length, moving, blocks }));
    }

    /// Its part of a slip velocity [m/s].
    pub(crate) fn velocity(&self, n: Vector3) -> Vector3 {
        n * (self.length * n.dot(&self.rotation.rate()))
    }

    /// Its part of a slip [m].
    pub(crate) fn slip(&self, n: Vector3) -> Vector3 {
        n * (self.length * n.dot(&self.rotation.angle()))
    }

    /// Adds to how slip changes with the nodes of the stencil: of `θ` or `Ω`, by `n`.
    pub(crate) fn add_change(&self, by: &ByFrames, n: Vector3, change: &mut [Matrix3]) {
        let along = n * n.transpose() * self.length;
        self.rotation.for_each(by, |k, block| change[k] += along * block);
    }

    /// Adds how forces of a traction that stays change beyond those of its part across `n`, given how the normal does
    /// with the stencil.
    pub(crate) fn spread(
        &self,
        n: Vector3,
        traction: Vector3,
        normal_change: &[Matrix3],
        force_change: &mut Vec<Matrix3>,
    ) {
        let count = self.blocks.len();
        force_change.resize(count * count, Matrix3::zeros());
        let size = n.dot(&traction);
        // Xᵀ (dn (n·t) + n (dn·t))
        let by_normal = Matrix3::from_diagonal_element(size) + n * traction.transpose();
        for (j, dn) in normal_change.iter().enumerate() {
            let turned = by_normal * dn;
            for (i, x) in self.blocks.iter().enumerate() {
                force_change[i * count + j] += x.tr_mul(&turned);
            }
        }
        // ϱ dWᵀ n (n·t): a couple turns with its arms.
        let torque = (n * (self.length * size)).cross_matrix();
        let sides = [&self.rotation.a, &self.rotation.b].into_iter().zip(SIGNS);
        for (rotating, sign) in sides {
            let Some((stand, first)) = rotating.frame() else { continue };
            let block = torque * (sign * 0.5 / stand.arm.powi(2));
            for tip in first + 1..first + 4 {
                for (i, j, sign) in
                    [(tip, tip, 1.0), (tip, first, -1.0), (first, tip, -1.0), (first, first, 1.0)]
                {
                    force_change[i * count + j] += block * sign;
                }
            }
        }
    }
}

impl Geometry {
    /// What of a slip or a traction is along the surface.
    pub(crate) fn along_surface(&self, n: Vector3, y: Vector3) -> Vector3 {
        if self.spin.is_some() { across(n, y) } else { y }
    }

    /// `u` [m/s].
    pub(crate) fn slip_velocity(&self, n: Vector3) -> Vector3 {
        let sliding = across(n, self.velocity);
        self.spin.as_ref().map_or(sliding, |spin| sliding + spin.velocity(n))
    }

    /// What it slipped since the start of the step [m].
    pub(crate) fn slipped(&self, n: Vector3) -> Vector3 {
        let sliding = across(n, self.displacement);
        self.spin.as_ref().map_or(sliding, |spin| sliding + spin.slip(n))
    }

    /// Appends the nodes of a frame, which move neither gap nor place; says where they begin.
    pub(crate) fn append(&mut self, frame: &Frame) -> usize {
        let first = self.nodes.len();
        self.nodes.extend(frame.nodes.map(Some));
        self.gradient.resize(self.nodes.len(), Vector3::zeros());
        first
    }
}

impl Second {
    /// Makes room for a stencil that has grown from `from` nodes to `to`.
    pub(crate) fn widen(&mut self, from: usize, to: usize) {
        let mut hessian = vec![Matrix3::zeros(); to * to];
        for (row, old) in hessian.chunks_exact_mut(to).zip(self.hessian.chunks_exact(from)) {
            row[..from].copy_from_slice(old);
        }
        self.hessian = hessian;
        self.carried.resize(to, Matrix3::zeros());
        self.slip_change.resize(to, Matrix3::zeros());
    }
}

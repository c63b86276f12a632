//! Contacts with limit surfaces: impulses `r` make velocities `u = A r + b`.
//!
//! A contact has three rows (normal, two tangents), or six where it resists spin or rolling (the same, then spin
//! about the normal and about both tangents [rad/s, N·m·s]). The operator is one of
//! [`cone`](super::super::cone::operator), with one block row for the first three and another for the others; so
//! assembled, matrix-free and factorised forms all work.
//!
//! # Scaling
//! Rows have different units, and ellipsoids different axes. So a contact is looked at in `z = D⁻¹ r`, `w = D u`,
//! with `D` such that within a group all semi-axes are the same: ellipsoids become balls, `z` impulses [N·s] and `w`
//! velocities [m/s]. A group that slides keeps its larger coefficient; one that only turns is scaled to give way as
//! easily as sliding does. The residual is the natural map in these coordinates,
//!
//! ```text
//! max_i ‖ z/ρ − P(z/ρ − w) ‖,    ρ_i = rows / tr(D A_ii D)
//! ```
//!
//! with `P` the projection on `z_N ≥ 0`, and on balls whose radius is that of the present normal impulse.

use nalgebra::{SMatrix, SVector};

use super::super::cone::ProblemError;
use super::super::cone::operator::Delassus;
use super::super::run::Posed;
use super::ellipsoid::project_ellipsoid;
use super::surface::{LimitSurface, ROWS};
use crate::math::Matrix3;
use crate::solve::vector::max_abs;

/// Numbers of a contact: normal, tangents, spin, rolling; the last three are zero where it has three rows.
pub type Six = SVector<f64, 6>;
/// A block of a contact on itself.
pub type Block = SMatrix<f64, 6, 6>;

/// Contacts, what friction can do at each, and how impulses make velocities.
#[derive(Clone, Debug)]
pub struct LimitProblem<A> {
    operator: A,
    b: Vec<f64>,
    contacts: Vec<Contact>,
    unknowns: usize,
}

/// One contact in its own coordinates.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Its first block row.
    pub(super) row: usize,
    /// Numbers it has: three or six.
    pub(super) size: usize,
    pub(super) surface: LimitSurface,
    /// `D`.
    pub(super) scale: Six,
    /// Semi-axes of the scaled surface per normal impulse, down and up.
    pub(super) axes: [[f64; 2]; ROWS],
    /// Whether all axes of a group are the same.
    pub(super) round: bool,
    /// `D A D`.
    pub(super) block: Block,
    /// `ρ`: impulse per velocity.
    pub(super) mass: f64,
    /// Nothing can move it.
    pub(super) immobile: bool,
    /// How much it gives way along its normal, besides what the operator says [velocity/impulse].
    pub(super) compliance: f64,
}

impl<A: Delassus> LimitProblem<A> {
    /// One surface for each contact; the operator has a block row for each, and a second one for those that turn.
    ///
    /// # Errors
    /// When sizes do not agree, a number is not finite, or a reach is negative.
    pub fn new(operator: A, b: Vec<f64>, surfaces: &[LimitSurface]) -> Result<Self, ProblemError> {
        let rows: usize = surfaces.iter().map(|surface| 1 + usize::from(surface.turns())).sum();
        let size = |what, found, expected| match found == expected {
            true => Ok(()),
            false => Err(ProblemError::Size { what, found, expected }),
        };
        size("the operator", operator.contacts(), rows)?;
        size("the velocity without impulses", b.len(), 3 * rows)?;
        let mut contacts: Vec<Contact> = Vec::with_capacity(surfaces.len());
        let mut row = 0;
        for (contact, surface) in surfaces.iter().enumerate() {
            if let Some(value) = surface.wrong() {
                let what = "the reach of friction";
                return Err(match value < 0.0 {
                    true => ProblemError::Negative { what, contact, value },
                    false => ProblemError::NotFinite { what, contact },
                });
            }
            let new = Contact::new(&operator, row, surface);
            if !new.block.iter().all(|a| a.is_finite()) {
                return Err(ProblemError::NotFinite { what: "the operator", contact });
            }
            let free = &b[3 * row..3 * row + new.size];
            if !free.iter().all(|b| b.is_finite()) {
                let what = "the velocity without impulses";
                return Err(ProblemError::NotFinite { what, contact });
            }
            row += new.size / 3;
            contacts.push(new);
        }
        let mut new = Self { operator, b, contacts, unknowns: 3 * rows };
        new.weigh();
        Ok(new)
    }

    /// With contacts that give way along their normals, velocity per impulse.
    ///
    /// # Errors
    /// When there is not one for each contact, or one is negative or not finite.
    pub fn with_compliance(mut self, compliance: Vec<f64>) -> Result<Self, ProblemError> {
        let (what, found, expected) = ("the compliance", compliance.len(), self.contacts.len());
        if found != expected {
            return Err(ProblemError::Size { what, found, expected });
        }
        for (contact, value) in compliance.into_iter().enumerate() {
            if !value.is_finite() {
                return Err(ProblemError::NotFinite { what, contact });
            }
            if value < 0.0 {
                return Err(ProblemError::Negative { what, contact, value });
            }
            let own = &mut self.contacts[contact];
            own.block[(0, 0)] += value - own.compliance;
            own.compliance = value;
        }
        self.weigh();
        Ok(self)
    }

    fn weigh(&mut self) {
        let most = self.contacts.iter().map(|c| c.block.trace()).fold(0.0, f64::max);
        for contact in &mut self.contacts {
            contact.weigh(most);
        }
    }

    /// The operator.
    pub fn operator(&self) -> &A {
        &self.operator
    }

    /// Velocities without impulses.
    pub fn b(&self) -> &[f64] {
        &self.b
    }

    /// How many contacts there are.
    pub fn contacts(&self) -> usize {
        self.contacts.len()
    }

    /// Unknown impulses: three or six a contact.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// Where the numbers of a contact are.
    pub fn range(&self, contact: usize) -> std::ops::Range<usize> {
        let Contact { row, size, .. } = self.contacts[contact];
        3 * row..3 * row + size
    }

    /// What friction can do at a contact.
    pub fn surface(&self, contact: usize) -> &LimitSurface {
        &self.contacts[contact].surface
    }

    /// `u = (A + C) r + b`; room for `memory` is what the operator asks for.
    pub fn velocities(&self, r: &[f64], u: &mut [f64], memory: &mut [f64]) {
        self.operator.apply(r, u, memory);
        for (u, b) in u.iter_mut().zip(&self.b) {
            *u += b;
        }
        for contact in &self.contacts {
            u[3 * contact.row] += contact.compliance * r[3 * contact.row];
        }
    }

    /// The residual of impulses and the velocities they make [m/s].
    pub fn residual(&self, r: &[f64], u: &[f64]) -> f64 {
        let each = self.contacts.iter().filter(|contact| !contact.immobile).map(|contact| {
            contact.natural(&contact.impulses(r), &contact.velocities(u)).norm_squared()
        });
        // Not `f64::max`: it drops NaN, and a broken solve would look converged.
        each.fold(0.0, |worst: f64, e| if e > worst || e.is_nan() { e } else { worst }).sqrt()
    }

    pub(super) fn parts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The scaled velocity of one contact, with the operator's memory of `r`.
    pub(super) fn velocity(&self, contact: &Contact, r: &[f64], memory: &[f64]) -> Six {
        let mut w = Six::zeros();
        for k in 0..contact.size / 3 {
            let row = contact.row + k;
            let u = self.operator.row(row, r, memory);
            for l in 0..3 {
                w[3 * k + l] = (u[l] + self.b[3 * row + l]) * contact.scale[3 * k + l];
            }
        }
        // The normal is not scaled.
        w.x += contact.compliance * r[3 * contact.row];
        w
    }

    /// Writes new scaled impulses of a contact, and tells the operator.
    pub(super) fn set(&self, contact: &Contact, z: &Six, r: &mut [f64], memory: &mut [f64]) {
        for k in 0..contact.size / 3 {
            let row = contact.row + k;
            let new = z.fixed_rows::<3>(3 * k).component_mul(&contact.scale.fixed_rows::<3>(3 * k));
            let own = &mut r[3 * row..3 * row + 3];
            let change = new - crate::math::Vector3::new(own[0], own[1], own[2]);
            own.copy_from_slice(new.as_slice());
            if change != crate::math::Vector3::zeros() {
                self.operator.changed(row, change, memory);
            }
        }
    }
}

impl Contact {
    fn new<A: Delassus>(operator: &A, row: usize, surface: &LimitSurface) -> Self {
        let size = if surface.turns() { 6 } else { 3 };
        let mut block = Block::zeros();
        let mut put = |i: usize, j: usize, part: Matrix3| {
            block.fixed_view_mut::<3, 3>(i, j).copy_from(&part);
        };
        put(0, 0, operator.diagonal(row));
        if size == 6 {
            let across = operator.between(row, row + 1);
            put(0, 3, across);
            put(3, 0, across.transpose());
            put(3, 3, operator.diagonal(row + 1));
        }
        let scale = scales(surface, &block);
        let block = Block::from_fn(|i, j| block[(i, j)] * scale[i] * scale[j]);
        let mut axes = [[0.0; 2]; ROWS];
        for k in 0..ROWS {
            axes[k] =
                surface.reach[k].map(|a| if scale[k + 1] > 0.0 { a / scale[k + 1] } else { 0.0 });
        }
        let alike = |a: f64, b: f64| (a - b).abs() <= 1e-14 * a.max(b);
        let round = (0..ROWS).all(|k| {
            let same = |j: usize| {
                surface.group[j] != surface.group[k]
                    || alike(axes[j][1], axes[k][1])
                    || axes[j][1] == 0.0
                    || axes[k][1] == 0.0
            };
            alike(axes[k][0], axes[k][1]) && (0..ROWS).all(same)
        });
        Self {
            row,
            size,
            surface: *surface,
            scale,
            axes,
            round,
            block,
            mass: 1.0,
            immobile: false,
            compliance: 0.0,
        }
    }

    /// `most` is the largest trace of all contacts.
    fn weigh(&mut self, most: f64) {
        let trace = self.block.trace();
        self.immobile = trace <= 1e-14 * most;
        let open = self.scale.iter().filter(|scale| **scale > 0.0).count() as f64;
        let trace = if self.immobile { most } else { trace };
        self.mass = if trace > 0.0 { open / trace } else { 1.0 };
    }

    /// Scaled impulses of this contact.
    pub(super) fn impulses(&self, r: &[f64]) -> Six {
        let r = &r[3 * self.row..3 * self.row + self.size];
        let one = |k: usize| match r.get(k) {
            Some(r) if self.scale[k] > 0.0 => r / self.scale[k],
            _ => 0.0,
        };
        Six::from_fn(|k, _| one(k))
    }

    /// Scaled velocities of this contact.
    pub(super) fn velocities(&self, u: &[f64]) -> Six {
        let u = &u[3 * self.row..3 * self.row + self.size];
        Six::from_fn(|k, _| u.get(k).map_or(0.0, |u| u * self.scale[k]))
    }

    /// Semi-axes under a normal impulse, in the orthant of `z`; zero where there is no row.
    pub(super) fn axes_at(&self, normal: f64, z: &Six) -> SVector<f64, ROWS> {
        SVector::from_fn(|k, _| normal * self.axes[k][usize::from(z[k + 1] >= 0.0)])
    }

    /// What friction can do under a normal impulse that is nearest to `z`; the first number of `z` is kept.
    pub(super) fn project(&self, normal: f64, z: &Six) -> Six {
        let axes = self.axes_at(normal.max(0.0), z);
        let mut out = *z;
        for group in 0..ROWS as u8 {
            let own = |k: usize| self.surface.group[k] == group && axes[k] > 0.0;
            let radius = (0..ROWS).filter(|&k| own(k)).map(|k| axes[k]).fold(0.0, f64::max);
            if self.round {
                let length = (0..ROWS).filter(|&k| own(k)).map(|k| z[k + 1].powi(2)).sum::<f64>();
                let length = length.sqrt();
                let share = if length <= radius { 1.0 } else { radius / length };
                for k in (0..ROWS).filter(|&k| self.surface.group[k] == group) {
                    out[k + 1] = if own(k) { share * z[k + 1] } else { 0.0 };
                }
            } else {
                let only = |k: usize, x: f64| if own(k) { x } else { 0.0 };
                let a = SVector::<f64, ROWS>::from_fn(|k, _| only(k, axes[k]));
                let z = SVector::<f64, ROWS>::from_fn(|k, _| only(k, z[k + 1]));
                let x = project_ellipsoid(&a, &z);
                for k in (0..ROWS).filter(|&k| self.surface.group[k] == group) {
                    out[k + 1] = x[k];
                }
            }
        }
        out
    }

    /// The natural map [m/s].
    pub(super) fn natural(&self, z: &Six, w: &Six) -> Six {
        let s = z / self.mass;
        let mut nearest = self.project(s.x.max(0.0), &(s - w));
        nearest.x = (s.x - w.x).max(0.0);
        s - nearest
    }
}

/// `D` of a contact: see the module.
fn scales(surface: &LimitSurface, block: &Block) -> Six {
    let widest = |k: usize| surface.reach[k][0].max(surface.reach[k][1]);
    let mut scale = Six::zeros();
    scale.x = 1.0;
    let slides = 0.5 * (block[(1, 1)] + block[(2, 2)]);
    let ease = if slides > 0.0 { slides } else { block[(0, 0)] };
    for group in 0..ROWS as u8 {
        let rows = || (0..ROWS).filter(|&k| surface.group[k] == group && widest(k) > 0.0);
        let sliding = rows().filter(|&k| k < 2).map(widest).fold(0.0, f64::max);
        let turning = rows().map(|k| widest(k).powi(2) * block[(k + 1, k + 1)]).fold(0.0, f64::max);
        let factor = match sliding > 0.0 {
            true => 1.0 / sliding,
            false if turning > 0.0 && ease > 0.0 => (ease / turning).sqrt(),
            false => 1.0,
        };
        for k in rows() {
            scale[k + 1] = factor * widest(k);
        }
    }
    scale
}

impl<A: Delassus> Posed for LimitProblem<A> {
    fn unknowns(&self) -> usize {
        self.unknowns
    }

    fn room(&self) -> Vec<f64> {
        vec![0.0; self.operator.memory_len()]
    }

    fn evaluate(&self, r: &[f64], u: &mut [f64], memory: &mut [f64]) {
        self.velocities(r, u, memory);
    }

    fn judge(&self, r: &[f64], u: &[f64]) -> f64 {
        self.residual(r, u)
    }

    fn hopeless(&self) -> f64 {
        let approach = |c: &Contact| if c.immobile { -self.b[3 * c.row] } else { 0.0 };
        self.contacts.iter().map(approach).fold(0.0, f64::max)
    }

    fn free_speed(&self) -> f64 {
        max_abs(&self.b)
    }

    fn largest_term(&self, r: &[f64]) -> f64 {
        let term = |c: &Contact| {
            let own = (0..c.size).map(|k| c.block[(k, k)] * r[3 * c.row + k].abs());
            own.fold(0.0, f64::max)
        };
        self.contacts.iter().map(term).fold(0.0, f64::max)
    }
}

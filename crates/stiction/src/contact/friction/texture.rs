//! Friction of surfaces with a relief: facets plough into the other body [And21; AEF22, §6.3].
//!
//! A facet with unit normal `m` on a surface with mean normal `n`, `θ` between them, resists what comes against it
//! along `d` by
//!
//! $$ \mu_d = \max(0, m' \cdot d)\, \tfrac{2}{\pi}\, \theta, \qquad m' = m - n (n \cdot m) $$
//!
//! Averaged over a patch around the contact, for ±t and ±b, of both surfaces, and added to the coefficient of the
//! pair. (The sources have `tan θ` in one place and `θ` in another; with `tan θ` and a unit `m'` the mean over any
//! periodic relief is the same forth and back, and steep walls have no bound.)
//!
//! Facets of B that resist A sliding along `d` look against `d`; those of A look along it. A side of a saw tooth at
//! an angle `θ` takes part with `θ cos θ`: up to 49°, what climbs the steep sides is held more than what climbs the
//! gentle ones.
//!
//! A contact looks at as many cells of its patch as it has samples. Where a relief is finer, means of slopes would be
//! flat where grooves are, and picks of single cells would miss or repeat a phase of them: [`NormalMap::gathered`]
//! adds the vectors `m' (2/π) θ` of all facets of larger cells, apart for sectors of directions. As no `d` along or
//! across the grain has its perpendicular inside a sector, means along and across lose nothing; in other directions
//! they lose 2 % at most where facets look everywhere alike.

use super::{ContactAt, Grip, SurfaceAt};
use crate::math::{Vector3, any_across};

/// Samples along each side of a patch.
const SAMPLES: usize = 24;

/// Sectors of directions in which facets are gathered: a multiple of four, so that none has the grain or what is
/// across it inside.
const SECTORS: usize = 16;

/// A relief that repeats itself: facets, cell by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalMap {
    /// Cells along and across the grain.
    cells: [usize; 2],
    /// Lengths after which it repeats itself [m].
    size: [f64; 2],
    /// `m' (2/π) θ` along and across the grain, of all facets of a cell, times their parts of it; `cells[0]` cells a
    /// row, row after row [-].
    facets: Vec<[f64; 2]>,
    /// Where the facets of each cell begin, and where those of the last one end.
    starts: Vec<usize>,
    /// Side of the square that a contact averages over [m].
    patch: f64,
}

/// Why a relief makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NormalMapError {
    /// Not as many heights or slopes as cells.
    #[error(
        "{found} {what} for {} × {} cells\n  help: one for each, row after row along the grain",
        cells[0],
        cells[1]
    )]
    Count {
        /// Of what.
        what: &'static str,
        /// How many are given.
        found: usize,
        /// Cells along and across.
        cells: [usize; 2],
    },
    /// A length that is zero, negative or not finite, or a height or slope that is not finite.
    #[error(
        "{what} of a texture is {value}\n  help: lengths are positive, in metres; heights are finite"
    )]
    Value {
        /// Of what.
        what: &'static str,
        /// What it is.
        value: f64,
    },
}

impl NormalMap {
    /// From heights [m] on a grid that repeats itself after `size` [m]: rows run along the grain.
    ///
    /// # Errors
    /// When there are not as many heights as cells, or numbers make no sense.
    pub fn from_heights(
        cells: [usize; 2],
        size: [f64; 2],
        heights: &[f64],
    ) -> Result<Self, NormalMapError> {
        let [nu, nv] = cells;
        check(("heights", heights.len()), cells, size)?;
        if let Some(&value) = heights.iter().find(|height| !height.is_finite()) {
            return Err(NormalMapError::Value { what: "a height", value });
        }
        let at = |i: usize, j: usize| heights[(j % nv) * nu + i % nu];
        let slope = |k: usize| {
            let (i, j) = (k % nu, k / nu);
            // Facets between samples, the mean of both sides of a cell.
            let along = 0.5 * (at(i + 1, j) - at(i, j) + at(i + 1, j + 1) - at(i, j + 1));
            let across = 0.5 * (at(i, j + 1) - at(i, j) + at(i + 1, j + 1) - at(i + 1, j));
            [along * nu as f64 / size[0], across * nv as f64 / size[1]]
        };
        Self::from_slopes(cells, size, (0..nu * nv).map(slope).collect())
    }

    /// From slopes of the height along and across the grain [-], on a grid that repeats itself after `size` [m]: rows
    /// run along the grain.
    ///
    /// # Errors
    /// When there are not as many slopes as cells, or numbers make no sense.
    pub fn from_slopes(
        cells: [usize; 2],
        size: [f64; 2],
        slopes: Vec<[f64; 2]>,
    ) -> Result<Self, NormalMapError> {
        check(("slopes", slopes.len()), cells, size)?;
        if let Some(&value) = slopes.iter().flatten().find(|slope| !slope.is_finite()) {
            return Err(NormalMapError::Value { what: "a slope", value });
        }
        let starts = (0..=slopes.len()).collect();
        let facets = slopes.into_iter().map(facet).collect();
        Ok(Self { cells, size, facets, starts, patch: size[0].max(size[1]) })
    }

    /// Saw teeth whose ridges run along the grain: going across, the height rises over the part `rise` of each pitch
    /// [-], and falls over the rest.
    ///
    /// # Errors
    /// When a length is not positive, or `rise` is not between 0 and 1.
    pub fn sawtooth(pitch: f64, height: f64, rise: f64) -> Result<Self, NormalMapError> {
        let within = rise > 0.0 && rise < 1.0;
        if !within {
            return Err(NormalMapError::Value { what: "the rising part", value: rise });
        }
        for (what, value) in [("the pitch", pitch), ("the height", height)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(NormalMapError::Value { what, value });
            }
        }
        let cells = 256;
        let up = [0.0, height / (rise * pitch)];
        let down = [0.0, -height / ((1.0 - rise) * pitch)];
        let edge = (rise * cells as f64).round() as usize;
        let slope = |k: usize| if k < edge { up } else { down };
        Self::from_slopes([1, cells], [pitch; 2], (0..cells).map(slope).collect())
    }

    /// Round bumps in rows, `height` from lowest to highest [m].
    ///
    /// # Errors
    /// When a length is not positive.
    pub fn bumps(pitch: f64, height: f64) -> Result<Self, NormalMapError> {
        let cells = 32;
        let wave = |k: usize| (std::f64::consts::TAU * k as f64 / cells as f64).sin();
        let heights: Vec<f64> =
            (0..cells * cells).map(|k| 0.5 * height * wave(k % cells) * wave(k / cells)).collect();
        Self::from_heights([cells; 2], [pitch; 2], &heights)
    }

    /// With another side of the square that a contact averages over [m].
    ///
    /// # Errors
    /// When it is not positive.
    pub fn with_patch(mut self, patch: f64) -> Result<Self, NormalMapError> {
        if !(patch > 0.0 && patch.is_finite()) {
            return Err(NormalMapError::Value { what: "the patch", value: patch });
        }
        self.patch = patch;
        Ok(self)
    }

    /// With cells so large that a contact looks at all of its patch; for a relief that is finer than the samples of a
    /// contact.
    #[must_use]
    pub fn gathered(self) -> Self {
        let coarse = [0, 1].map(|k| {
            // A patch as long as the relief has exactly as many cells as samples, whatever rounding does.
            let count = (SAMPLES as f64 * self.size[k] / self.patch * (1.0 + 1e-9)) as usize;
            count.clamp(1, self.cells[k])
        });
        if coarse == self.cells {
            return self;
        }
        let parts = [0, 1].map(|k| overlaps(self.cells[k], coarse[k]));
        let (mut facets, mut starts) = (Vec::new(), vec![0]);
        for row in &parts[1] {
            for column in &parts[0] {
                let mut sectors = [[0.0; 2]; SECTORS];
                for &(j, height) in row {
                    for &(i, width) in column {
                        for &mu in self.facets_of(i, j) {
                            let sum = &mut sectors[sector(mu)];
                            sum[0] += width * height * mu[0];
                            sum[1] += width * height * mu[1];
                        }
                    }
                }
                facets.extend(sectors.into_iter().filter(|mu| mu[0].abs() + mu[1].abs() > 0.0));
                starts.push(facets.len());
            }
        }
        Self { cells: coarse, facets, starts, ..self }
    }

    /// `m' (2/π) θ` of the facets of a cell.
    fn facets_of(&self, i: usize, j: usize) -> &[[f64; 2]] {
        let k = j * self.cells[0] + i;
        &self.facets[self.starts[k]..self.starts[k + 1]]
    }

    /// `m' (2/π) θ` of the facets around a point.
    fn facets_at(&self, u: f64, v: f64) -> &[[f64; 2]] {
        let cell = |x: f64, size: f64, count: usize| {
            let part = (x / size).rem_euclid(1.0);
            ((part * count as f64) as usize).min(count - 1)
        };
        let (i, j) = (cell(u, self.size[0], self.cells[0]), cell(v, self.size[1], self.cells[1]));
        self.facets_of(i, j)
    }

    /// `μ_d` of each of some directions `d` in the plane, of length one, averaged over the patch around a point.
    pub fn ploughing<const K: usize>(&self, center: [f64; 2], d: [[f64; 2]; K]) -> [f64; K] {
        let mut sum = [0.0; K];
        let at = |k: usize| self.patch * ((k as f64 + 0.5) / SAMPLES as f64 - 0.5);
        for i in 0..SAMPLES {
            for j in 0..SAMPLES {
                for mu in self.facets_at(center[0] + at(i), center[1] + at(j)) {
                    for (sum, d) in sum.iter_mut().zip(&d) {
                        *sum += (mu[0] * d[0] + mu[1] * d[1]).max(0.0);
                    }
                }
            }
        }
        sum.map(|sum| sum / (SAMPLES * SAMPLES) as f64)
    }
}

/// `m' (2/π) θ` of a facet with given slopes: its normal is `(−s, 1)` over its length.
fn facet([su, sv]: [f64; 2]) -> [f64; 2] {
    let steep = su.hypot(sv);
    let weight = std::f64::consts::FRAC_2_PI * steep.atan() / 1.0_f64.hypot(steep);
    [-su * weight, -sv * weight]
}

/// The sector of directions that a facet looks to.
fn sector([u, v]: [f64; 2]) -> usize {
    let turn = (v.atan2(u) / std::f64::consts::TAU).rem_euclid(1.0);
    ((turn * SECTORS as f64) as usize).min(SECTORS - 1)
}

/// Of each of `coarse` equal parts of a line of `fine` cells: the cells that overlap it, and how much of it each
/// makes up [-].
fn overlaps(fine: usize, coarse: usize) -> Vec<Vec<(usize, f64)>> {
    let part = |k: usize| {
        // In units of a coarse-th of a cell everything is whole.
        let (start, end) = (k * fine, (k + 1) * fine);
        let overlap = |i: usize| {
            let shared = end.min((i + 1) * coarse) - start.max(i * coarse);
            (i, shared as f64 / fine as f64)
        };
        (start / coarse..end.div_ceil(coarse)).map(overlap).collect()
    };
    (0..coarse).map(part).collect()
}

/// As many values as cells, some at least, on an area.
fn check(
    (what, found): (&'static str, usize),
    cells: [usize; 2],
    size: [f64; 2],
) -> Result<(), NormalMapError> {
    if found == 0 || cells[0].checked_mul(cells[1]) != Some(found) {
        return Err(NormalMapError::Count { what, found, cells });
    }
    match size.into_iter().find(|value| !(*value > 0.0 && value.is_finite())) {
        Some(value) => Err(NormalMapError::Value { what: "the size", value }),
        None => Ok(()),
    }
}

impl SurfaceAt<'_> {
    /// What its facets that look along directions `d` do against what comes from there, for an outward normal.
    fn ploughing<const K: usize>(&self, outward: Vector3, d: [Vector3; K]) -> [f64; K] {
        let Some(map) = &self.skin.texture else { return [0.0; K] };
        let u = self.grain(outward).unwrap_or_else(|| any_across(outward));
        let v = outward.cross(&u);
        // In its own frame the point stays where it is on the relief, however the body moves.
        let place = |axis: Vector3| self.carry.tr_mul(&axis).dot(&self.local);
        map.ploughing([place(u), place(v)], d.map(|d| [d.dot(&u), d.dot(&v)]))
    }
}

/// What friction can do between surfaces with a relief, besides an isotropic coefficient.
pub fn grip(contact: &ContactAt<'_>, coefficient: f64) -> Grip {
    let n = contact.normal;
    let t = contact.tangent();
    let b = n.cross(&t);
    // Against A sliding along t, b, −t, −b.
    let slips = [t, b, -t, -b];
    let mut mu = [coefficient; 4];
    if let Some(a) = &contact.surfaces[0] {
        mu.iter_mut().zip(a.ploughing(-n, slips)).for_each(|(mu, own)| *mu += own);
    }
    if let Some(b) = &contact.surfaces[1] {
        mu.iter_mut().zip(b.ploughing(n, slips.map(|d| -d))).for_each(|(mu, own)| *mu += own);
    }
    Grip { plus: [mu[0], mu[1]], minus: [mu[2], mu[3]], ..Grip::isotropic(t, coefficient) }
}

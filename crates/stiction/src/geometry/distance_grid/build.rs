//! Sampling distances at the nodes of a grid, row by row.

use rayon::prelude::*;

use super::{DistanceGrid, DistanceGridError, GridInterpolation};
use crate::geometry::ClosedSurface;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// How fine a grid is, and how far it reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridSettings {
    /// Cells along the longest side of the box to sample.
    pub resolution: usize,
    /// How far beyond the box values are interpolated, at least [m]; two cells more are always added.
    pub margin: f64,
    /// How values between nodes are found.
    pub interpolation: GridInterpolation,
}

impl Default for GridSettings {
    fn default() -> Self {
        Self { resolution: 64, margin: 0.0, interpolation: GridInterpolation::default() }
    }
}

impl GridSettings {
    /// The coarsest grid that makes sense.
    const LEAST: usize = 4;
    /// Distances are exact up to this many cells from the surface, at least.
    const BAND: f64 = 4.0;
    /// Half a gigabyte of values.
    const MOST_NODES: f64 = 6.5e7;
}

impl DistanceGrid {
    /// Distances from a surface.
    ///
    /// # Errors
    /// When the settings make no sense.
    pub fn from_surface(
        surface: &ClosedSurface,
        settings: &GridSettings,
    ) -> Result<Self, DistanceGridError> {
        let grid = Self::empty(&surface.bounds(), settings)?;
        // A surface without holes cannot be crossed by a way shorter than the distances at its ends.
        let sealed = surface.repairs().open_edges == 0;
        let h = grid.spacing;
        let band = settings.margin.max(GridSettings::BAND * h);
        let bounds = surface.bounds();
        grid.filled(|start, row| {
            let (mut before, mut last, mut inside) = (0, f64::INFINITY, false);
            for (i, value) in row.iter_mut().enumerate() {
                let x = start + Vector3::x() * (i as f64 * h);
                let distance = surface.distance_near(&x, band, &mut before);
                if !sealed || last + distance <= h * (1.0 + 1e-9) {
                    inside = bounds.is_near(&x, 0.0) && surface.winding(&x) > 0.5;
                }
                *value = if inside { -distance } else { distance };
                last = distance;
            }
        })
    }

    /// Distances by a function that is zero on the surface, negative inside, and nowhere more than the distance.
    ///
    /// # Errors
    /// When the settings make no sense, or when the function is not finite somewhere.
    pub fn sample(
        bounds: &BoundingBox,
        settings: &GridSettings,
        distance: impl Fn(Vector3) -> f64 + Sync,
    ) -> Result<Self, DistanceGridError> {
        let grid = Self::empty(bounds, settings)?;
        let h = grid.spacing;
        grid.filled(|start, row| {
            for (i, value) in row.iter_mut().enumerate() {
                *value = distance(start + Vector3::x() * (i as f64 * h));
            }
        })
    }

    /// A grid around a box, all zero.
    fn empty(bounds: &BoundingBox, settings: &GridSettings) -> Result<Self, DistanceGridError> {
        let (size, margin) = (bounds.size(), settings.margin);
        let sound = size.iter().all(|side| side.is_finite() && *side >= 0.0) && size.max() > 0.0;
        if !(sound && margin.is_finite() && margin >= 0.0) {
            return Err(DistanceGridError::Bounds);
        }
        let spacing = size.max() / settings.resolution.max(1) as f64;
        let half = size / 2.0 + Vector3::repeat(margin + 3.0 * spacing);
        let cells = half.map(|half| (2.0 * half / spacing - 1e-9).ceil());
        let nodes = cells.map(|n| n + 1.0).product();
        if settings.resolution < GridSettings::LEAST || nodes > GridSettings::MOST_NODES {
            return Err(DistanceGridError::Resolution {
                resolution: settings.resolution,
                nodes,
                least: GridSettings::LEAST,
                most: GridSettings::MOST_NODES,
            });
        }
        Ok(Self {
            origin: bounds.center() - cells * (0.5 * spacing),
            spacing,
            counts: [0, 1, 2].map(|axis| cells[axis] as usize + 1),
            values: vec![0.0; nodes as usize],
            interpolation: settings.interpolation,
        })
    }

    /// Fills rows along `x`, each from its first node, on all threads.
    fn filled(
        mut self,
        fill: impl Fn(Vector3, &mut [f64]) + Sync,
    ) -> Result<Self, DistanceGridError> {
        let ([nx, ny, _], h, origin) = (self.counts, self.spacing, self.origin);
        self.values.par_chunks_mut(nx).enumerate().for_each(|(row, values)| {
            let (j, k) = (row % ny, row / ny);
            fill(origin + Vector3::new(0.0, j as f64, k as f64) * h, values);
        });
        match self.values.iter().position(|value| !value.is_finite()) {
            Some(node) => Err(DistanceGridError::NotFinite { node }),
            None => Ok(self),
        }
    }
}

//! Sampling distances at the nodes of a grid, on all threads.

use rayon::prelude::*;

use super::nearest::Layers;
use super::{DistanceGrid, DistanceGridError, GridInterpolation, sides};
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
        let mut grid = Self::empty(&surface.bounds(), settings)?;
        let ([nx, ny, _], h, origin) = (grid.counts, grid.spacing, grid.origin);
        let band = settings.margin.max(GridSettings::BAND * h);
        let layers = nx * ny * Layers::DEPTH;
        grid.values.par_chunks_mut(layers).enumerate().for_each(|(chunk, values)| {
            let first = origin + Vector3::z() * ((chunk * Layers::DEPTH) as f64 * h);
            Layers::new(surface.tree(), first, h, [nx, ny], band, values).fill();
        });
        sides::sign(&mut grid, surface);
        Ok(grid)
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
        let mut grid = Self::empty(bounds, settings)?;
        let ([nx, ny, _], h, origin) = (grid.counts, grid.spacing, grid.origin);
        grid.values.par_chunks_mut(nx).enumerate().for_each(|(row, values)| {
            let start = origin + Vector3::new(0.0, (row % ny) as f64, (row / ny) as f64) * h;
            for (i, value) in values.iter_mut().enumerate() {
                *value = distance(start + Vector3::x() * (i as f64 * h));
            }
        });
        match grid.values.iter().position(|value| !value.is_finite()) {
            Some(node) => Err(DistanceGridError::NotFinite { node }),
            None => Ok(grid),
        }
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

    /// Where a node is [m].
    pub(super) fn node(&self, number: usize) -> Vector3 {
        let [nx, ny, _] = self.counts;
        let place = [number % nx, number / nx % ny, number / nx / ny].map(|k| k as f64);
        self.origin + Vector3::from(place) * self.spacing
    }
}

//! Signed distances on a regular grid: sampled once, then asked at the cost of a few products, whatever the surface.
//!
//! They come from the mesh by blocks of nodes (`nearest.rs`) and get their sign from few winding numbers
//! (`sides.rs`). Values at nodes are exact within four cells of the surface, or within the margin; farther away,
//! where it saves most of the work, they may be too small by a twentieth of the rest, never too large. Between them
//! they are blended, linearly or cubically [Key81]: the cubic has a continuous gradient, follows smooth surfaces to
//! third order, and is exact where the distance is a quadratic, such as over flat faces two cells away from their
//! edges. Edges are rounded by about a cell.
//!
//! Outside the grid the value is `√(s² + d²)`, with `s` how far the point is from the grid and `d` the distance at the
//! point of the grid that is nearest to it: continuous, and never more than the true distance.

mod build;
mod error;
mod interpolate;
mod nearest;
mod sides;

pub use build::GridSettings;
pub use error::DistanceGridError;

use super::Jet;
use crate::math::{Matrix3, Vector3};
use crate::mesh::BoundingBox;

/// How values between nodes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridInterpolation {
    /// From 8 nodes; the gradient jumps from cell to cell.
    Linear,
    /// From 64 nodes; the gradient is continuous, the second derivative jumps.
    #[default]
    Cubic,
}

/// Signed distances on a grid.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias("SDF", "signed distance field"))]
pub struct DistanceGrid {
    /// Of the first node [m].
    origin: Vector3,
    /// Between nodes [m].
    spacing: f64,
    /// Nodes along each axis.
    counts: [usize; 3],
    /// At the nodes, `x` fastest [m].
    values: Vec<f64>,
    interpolation: GridInterpolation,
}

impl DistanceGrid {
    /// From values at nodes, `x` fastest, as [`Self::values`] gives them: to keep a grid and to take it up again.
    ///
    /// # Errors
    /// When there are not as many as nodes, when one is not finite, or when the grid has fewer than four nodes a side.
    pub fn from_values(
        origin: Vector3,
        spacing: f64,
        counts: [usize; 3],
        values: Vec<f64>,
        interpolation: GridInterpolation,
    ) -> Result<Self, DistanceGridError> {
        let wanted = counts.iter().try_fold(1_usize, |product, &n| product.checked_mul(n));
        let sound = spacing.is_finite() && spacing > 0.0 && origin.iter().all(|c| c.is_finite());
        if !sound || counts.iter().any(|&n| n < 4) || wanted != Some(values.len()) {
            return Err(DistanceGridError::Shape { counts, values: values.len() });
        }
        if let Some(node) = values.iter().position(|value| !value.is_finite()) {
            return Err(DistanceGridError::NotFinite { node });
        }
        Ok(Self { origin, spacing, counts, values, interpolation })
    }

    /// Where the first node is [m].
    pub fn origin(&self) -> Vector3 {
        self.origin
    }

    /// Between nodes [m].
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Nodes along each axis.
    pub fn counts(&self) -> [usize; 3] {
        self.counts
    }

    /// Distances at the nodes, `x` fastest [m].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Where distances are interpolated, not only bounded: all but the outermost cells [m].
    pub fn bounds(&self) -> BoundingBox {
        let last = Vector3::from(self.counts.map(|n| (n - 2) as f64));
        let (min, max) = (Vector3::repeat(1.0), last);
        BoundingBox { min: self.origin + min * self.spacing, max: self.origin + max * self.spacing }
    }

    /// How deep the deepest node is [m]; zero if none is inside.
    pub fn depth(&self) -> f64 {
        -self.values.iter().copied().fold(0.0, f64::min)
    }

    /// Distance of a point [m].
    pub fn distance(&self, x: &Vector3) -> f64 {
        self.jet(x).value
    }

    /// Distance of a point with its derivatives, everywhere in space.
    pub fn jet(&self, x: &Vector3) -> Jet {
        let bounds = self.bounds();
        let inside = x.sup(&bounds.min).inf(&bounds.max);
        let jet = self.inner_jet(&inside);
        let away = x - inside;
        if away == Vector3::zeros() {
            return jet;
        }
        // Along axes that were cut off, the value inside does not change.
        let free = Matrix3::from_diagonal(&away.map(|c| if c == 0.0 { 1.0 } else { 0.0 }));
        let d = jet.value.max(0.0);
        let value = away.norm().hypot(d);
        let slope = free * jet.gradient;
        let gradient = (away + slope * d) / value;
        let bent = slope * slope.transpose() + free * jet.hessian * free * d;
        let hessian = (Matrix3::identity() - free + bent - gradient * gradient.transpose()) / value;
        Jet { value, gradient, hessian }
    }
}

//! Mass, centre and inertia: from shapes, from compounds, from closed surfaces, or as given.
//!
//! The moments of [`geometry::shape`](crate::geometry::shape) times a density. Sums and differences go through second
//! moments, where the parallel-axis theorem is one term; see [`Moments`].

use super::{MassError, PrincipalAxes};
use crate::geometry::Pose;
use crate::geometry::shape::{Compound, Convex, Moments, of_triangles};
use crate::math::{Matrix3, Vector3};
use crate::mesh::TriMesh;

/// Principal moments closer to impossible than this, relative to the largest, are put down to rounding.
const ROUNDING: f64 = 1e-12;

/// Less volume than this, relative to the cube of the diagonal, is none: the terms it is summed from are not exact.
const NO_VOLUME: f64 = 1e-14;

/// Mass properties that a body can have: a positive mass, and an inertia that is positive definite and obeys the
/// triangle inequality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    mass: f64,
    center: Vector3,
    inertia: Matrix3,
}

impl MassProperties {
    /// As given: mass [kg], centre of mass [m], and inertia about that centre along the axes of the frame [kg·m²].
    ///
    /// # Errors
    /// When no body has them.
    pub fn new(mass: f64, center: Vector3, inertia: Matrix3) -> Result<Self, MassError> {
        if !mass.is_finite() || mass <= 0.0 {
            return Err(MassError::Mass { mass });
        }
        if !center.iter().chain(inertia.iter()).all(|c| c.is_finite()) {
            return Err(MassError::NotFinite);
        }
        let difference = (inertia - inertia.transpose()).amax();
        if difference > 1e-9 * inertia.amax() {
            return Err(MassError::NotSymmetric { difference });
        }
        let inertia = (inertia + inertia.transpose()) * 0.5;
        let moments = PrincipalAxes::of(&inertia).moments;
        let [small, middle, large] = [moments.x, moments.y, moments.z];
        if small <= ROUNDING * large {
            return Err(MassError::NotPositive { moments: moments.into() });
        }
        if large - small - middle > ROUNDING * large {
            return Err(MassError::Impossible { moments: moments.into() });
        }
        Ok(Self { mass, center, inertia })
    }

    /// Of a shape in its own frame, filled with something of this density [kg/m³].
    ///
    /// # Errors
    /// For half-spaces, shapes without volume, and densities that are not finite and above zero.
    pub fn of_shape(shape: &Convex, density: f64) -> Result<Self, MassError> {
        Self::of_moments(&shape.moments().ok_or(MassError::Endless)?, density)
    }

    /// Of all parts of a compound, all of the same density [kg/m³]; what overlaps counts twice. For parts of different
    /// densities, see [`Self::sum`].
    ///
    /// # Errors
    /// As for [shapes](Self::of_shape).
    pub fn of_compound(compound: &Compound, density: f64) -> Result<Self, MassError> {
        let part = |part: &crate::geometry::shape::Part| {
            Ok(Self::of_shape(&part.shape, density)?.placed(&part.pose))
        };
        let parts = compound.parts().iter().map(part).collect::<Result<Vec<_>, MassError>>()?;
        Self::sum(&parts)
    }

    /// Of what a closed surface encloses, filled with something of this density [kg/m³]. Hollows are surfaces too,
    /// which look into the hollow.
    ///
    /// # Errors
    /// When the surface has holes, looks inward, or encloses nothing.
    pub fn of_surface(surface: &TriMesh, density: f64) -> Result<Self, MassError> {
        let mut edges: Vec<[u32; 2]> =
            surface.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        edges.sort_unstable();
        let times = |edge: &[u32; 2]| {
            let start = edges.partition_point(|e| e < edge);
            edges[start..].iter().take_while(|e| *e == edge).count()
        };
        let lonely: Vec<[u32; 2]> =
            edges.iter().copied().filter(|e| times(e) != times(&[e[1], e[0]])).collect();
        if let Some(&edge) = lonely.first() {
            return Err(MassError::Open { edge, count: lonely.len() });
        }
        let moments = of_triangles((0..surface.element_count()).map(|e| surface.corners(e)));
        let (volume, diagonal) = (moments.volume, surface.bounding_box().diagonal());
        if volume.abs() <= NO_VOLUME * diagonal.powi(3) {
            return Err(MassError::NoVolume { volume, diagonal });
        }
        if volume < 0.0 {
            return Err(MassError::InsideOut { volume });
        }
        Self::of_moments(&moments, density)
    }

    /// Of several bodies joined into one.
    ///
    /// # Errors
    /// When there are none, or the sum is not finite.
    pub fn sum(parts: &[Self]) -> Result<Self, MassError> {
        Self::of_weighted(parts.iter().map(|part| (1.0, *part)))
    }

    /// Of this body with another one cut out of it, such as a hollow.
    ///
    /// # Errors
    /// When nothing remains, or what remains could not be a body: then `hollow` was not inside.
    pub fn without(&self, hollow: &Self) -> Result<Self, MassError> {
        Self::of_weighted([(1.0, *self), (-1.0, *hollow)].into_iter())
    }

    /// Mass [kg].
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Centre of mass [m].
    pub fn center(&self) -> Vector3 {
        self.center
    }

    /// Inertia about the centre, along the axes of the frame [kg·m²].
    pub fn inertia(&self) -> Matrix3 {
        self.inertia
    }

    /// Inertia about another point [kg·m²].
    pub fn inertia_about(&self, point: &Vector3) -> Matrix3 {
        let d = self.center - point;
        self.inertia + inertia_of(&(d * d.transpose())) * self.mass
    }

    /// The axes along which the inertia is diagonal.
    pub fn principal_axes(&self) -> PrincipalAxes {
        PrincipalAxes::of(&self.inertia)
    }

    /// Of the body, moved.
    #[must_use]
    pub fn placed(&self, pose: &Pose) -> Self {
        let turn = pose.rotation.to_rotation_matrix().into_inner();
        let inertia = turn * self.inertia * turn.transpose();
        let inertia = (inertia + inertia.transpose()) * 0.5;
        Self { mass: self.mass, center: pose.apply(&self.center), inertia }
    }

    fn of_moments(moments: &Moments, density: f64) -> Result<Self, MassError> {
        if !density.is_finite() || density <= 0.0 {
            return Err(MassError::Density { density });
        }
        Self::new(moments.volume * density, moments.center, moments.inertia() * density)
    }

    fn of_weighted(parts: impl Iterator<Item = (f64, Self)> + Clone) -> Result<Self, MassError> {
        let mass: f64 = parts.clone().map(|(sign, part)| sign * part.mass).sum();
        // Of a difference, rounding may leave a little where nothing is.
        let most: f64 = parts.clone().map(|(_, part)| part.mass).sum();
        if mass <= ROUNDING * most {
            return Err(MassError::Mass { mass });
        }
        let moment: Vector3 =
            parts.clone().map(|(sign, part)| part.center * (sign * part.mass)).sum();
        let center = moment / mass;
        let inertia = parts.map(|(sign, part)| part.inertia_about(&center) * sign).sum();
        Self::new(mass, center, inertia)
    }
}

/// From a second moment.
fn inertia_of(second: &Matrix3) -> Matrix3 {
    Matrix3::from_diagonal_element(second.trace()) - second
}

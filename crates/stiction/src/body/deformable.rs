//! Solids and cloth: a mesh at rest, a material, and how it starts.

use nalgebra::{Unit, UnitQuaternion};

use super::Surface;
use crate::element::RestAngles;
use crate::material::{Fabric, Material};
use crate::math::Vector3;
use crate::mesh::generate::{self, CuboidSplit, Diagonals};
use crate::mesh::{Mesh, MeshError, Transform};

/// A body with a mesh. Use it as [`Solid`], [`Cloth`] or [`Rigid`](super::Rigid).
#[derive(Clone, Debug)]
pub struct Deformable<const N: usize, M> {
    /// For messages and output.
    pub name: Option<String>,
    /// The shape at rest, before placement.
    pub mesh: Mesh<N>,
    /// What it is made of.
    pub material: M,
    /// Stretches the rest shape, then turns and moves it to where the body starts.
    pub placement: Transform,
    /// Velocity at the start [m/s].
    pub velocity: Vector3,
    /// Angular velocity at the start, about the centre of mass [rad/s].
    pub spin: Vector3,
    /// Where the vertices start, if not at rest; before the placement's turn and move [m].
    pub start: Option<Vec<Vector3>>,
    /// Direction of the warp threads in the rest shape; for cloth.
    pub warp: Vector3,
    /// Which hinge angles cost nothing; for cloth.
    pub rest_angles: RestAngles,
    /// How its surface is smoothed for those who touch it.
    pub surface: Surface,
    /// Whether parts of it that come near each other touch; a contact rule of the body with itself has the last word.
    /// Rigid bodies do not.
    pub touches_itself: bool,
}

/// An elastic solid.
///
/// ```
/// use stiction::body::Solid;
/// use stiction::material::Material;
///
/// let block = Solid::cuboid([0.2, 0.2, 0.1], [4, 4, 2])?.material(Material::RUBBER).at([0.0, 0.0, 0.3]);
/// # Ok::<(), stiction::mesh::MeshError>(())
/// ```
pub type Solid = Deformable<4, Material>;

/// An elastic sheet.
pub type Cloth = Deformable<3, Fabric>;

impl<const N: usize, M> Deformable<N, M> {
    pub(super) fn with(mesh: Mesh<N>, material: M) -> Self {
        Self {
            name: None,
            mesh,
            material,
            placement: Transform::identity(),
            velocity: Vector3::zeros(),
            spin: Vector3::zeros(),
            start: None,
            warp: Vector3::x(),
            rest_angles: RestAngles::FromShape,
            surface: Surface::default(),
            touches_itself: false,
        }
    }

    /// Gives it a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Makes it of `material`.
    #[must_use]
    pub fn material(mut self, material: M) -> Self {
        self.material = material;
        self
    }

    /// Moves its origin to `position` [m].
    #[must_use]
    pub fn at(mut self, position: impl Into<Vector3>) -> Self {
        self.placement = self.placement.with_translation(position.into());
        self
    }

    /// Turns it about an axis through its origin, by an angle [rad]. An axis of length zero turns nothing.
    #[must_use]
    pub fn turned(mut self, axis: impl Into<Vector3>, angle: f64) -> Self {
        if let Some(axis) = Unit::try_new(axis.into(), 0.0) {
            self.placement =
                self.placement.with_rotation(UnitQuaternion::from_axis_angle(&axis, angle));
        }
        self
    }

    /// Places it.
    #[must_use]
    pub fn placed(mut self, placement: Transform) -> Self {
        self.placement = placement;
        self
    }

    /// Starts with a velocity [m/s].
    #[must_use]
    pub fn velocity(mut self, velocity: impl Into<Vector3>) -> Self {
        self.velocity = velocity.into();
        self
    }

    /// Starts spinning about its centre of mass [rad/s].
    #[must_use]
    pub fn spin(mut self, spin: impl Into<Vector3>) -> Self {
        self.spin = spin.into();
        self
    }

    /// Starts deformed, with its vertices here before placement [m].
    #[must_use]
    pub fn starting_at(mut self, positions: Vec<Vector3>) -> Self {
        self.start = Some(positions);
        self
    }

    /// Smooths its surface in another way than the default one.
    #[must_use]
    pub fn surface(mut self, surface: Surface) -> Self {
        self.surface = surface;
        self
    }
}

impl Solid {
    /// Lets parts of it that come near each other touch, or not; they do not otherwise.
    #[must_use]
    pub fn touching_itself(mut self, touches_itself: bool) -> Self {
        self.touches_itself = touches_itself;
        self
    }

    /// A solid of the default material, silicone rubber.
    pub fn new(mesh: Mesh<4>) -> Self {
        Self::with(mesh, Material::SILICONE)
    }

    /// A box centred on the origin, of `size` [m], cut into `cells`.
    ///
    /// # Errors
    /// When a size or a number of cells is not above zero.
    pub fn cuboid(size: [f64; 3], cells: [usize; 3]) -> Result<Self, MeshError> {
        Ok(Self::new(generate::cuboid(size, cells, CuboidSplit::default())?))
    }

    /// A ball centred on the origin [m].
    ///
    /// # Errors
    /// When a length is not above zero.
    pub fn ball(radius: f64, edge_length: f64) -> Result<Self, MeshError> {
        Ok(Self::new(generate::ball(radius, edge_length)?))
    }
}

impl Cloth {
    /// Lets parts of it that come near each other touch, or not; they do not otherwise.
    #[must_use]
    pub fn touching_itself(mut self, touches_itself: bool) -> Self {
        self.touches_itself = touches_itself;
        self
    }

    /// A sheet of the default fabric, cotton.
    pub fn new(mesh: Mesh<3>) -> Self {
        Self::with(mesh, Fabric::COTTON)
    }

    /// A flat sheet centred on the origin in the plane `z = 0`, of `size` [m], cut into `cells`.
    ///
    /// # Errors
    /// When a size or a number of cells is not above zero.
    pub fn sheet(size: [f64; 2], cells: [usize; 2]) -> Result<Self, MeshError> {
        Ok(Self::new(generate::sheet(size, cells, Diagonals::default())?))
    }

    /// Directs the warp threads along `direction` of the rest shape; they run along `x` otherwise.
    #[must_use]
    pub fn warp(mut self, direction: impl Into<Vector3>) -> Self {
        self.warp = direction.into();
        self
    }

    /// Chooses which hinge angles cost nothing; those of the mesh otherwise.
    #[must_use]
    pub fn rest_angles(mut self, rest_angles: RestAngles) -> Self {
        self.rest_angles = rest_angles;
        self
    }
}

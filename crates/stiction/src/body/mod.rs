//! Bodies and what holds, moves, joins and loads them.

mod cloud;
mod deformable;
mod joint;
mod link;
mod load;
mod motion;
mod obstacle;
mod pin;
mod rigid;
mod surface;
mod zone;

pub use crate::profile::Profile;
pub use cloud::Cloud;
pub use deformable::{Cloth, Deformable, Solid};
pub use joint::{End, Gear, Joint, JointId, JointKind, JointState, Motor, Target};
pub use link::{Anchor, Spring, Weld};
pub use load::{Load, LoadKind};
pub use motion::{Interpolation, Keyframe, Motion};
pub use obstacle::{Gridded, GriddedError, Obstacle, Shape};
pub use pin::Pin;
pub use rigid::{Matter, Rigid};
pub use surface::Surface;
pub use zone::{Zone, ZoneId, ZonePart};

/// A body of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) u32);

impl BodyId {
    /// Position in the order of bodies.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Anything a scene is made of.
#[derive(Clone, Debug)]
pub enum Body {
    /// A solid of tetrahedra.
    Solid(Solid),
    /// A sheet of triangles.
    Cloth(Cloth),
    /// A body that moves but does not deform.
    Rigid(Rigid),
    /// Geometry that nothing moves but its own motion.
    Obstacle(Obstacle),
}

impl Body {
    /// The name for messages, if one was given.
    pub fn name(&self) -> Option<&str> {
        let name = match self {
            Self::Solid(solid) => &solid.name,
            Self::Cloth(cloth) => &cloth.name,
            Self::Rigid(rigid) => &rigid.name,
            Self::Obstacle(obstacle) => &obstacle.name,
        };
        name.as_deref()
    }

    /// Whether it is said to touch itself.
    pub fn touches_itself(&self) -> bool {
        match self {
            Self::Solid(solid) => solid.touches_itself,
            Self::Cloth(cloth) => cloth.touches_itself,
            Self::Rigid(rigid) => rigid.touches_itself,
            Self::Obstacle(_) => false,
        }
    }
}

impl From<Solid> for Body {
    fn from(solid: Solid) -> Self {
        Self::Solid(solid)
    }
}

impl From<Cloth> for Body {
    fn from(cloth: Cloth) -> Self {
        Self::Cloth(cloth)
    }
}

impl From<Rigid> for Body {
    fn from(rigid: Rigid) -> Self {
        Self::Rigid(rigid)
    }
}

impl From<Obstacle> for Body {
    fn from(obstacle: Obstacle) -> Self {
        Self::Obstacle(obstacle)
    }
}

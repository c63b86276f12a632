//! The tables of a scene file, as they are written.
//!
//! Each type is one table, each field one key. What may be left out is an `Option` or a list; what is chosen in its
//! place is decided in `build` and written into the resolved scene.

mod body;
mod contact;
mod control;
mod joint;
mod material;
mod measure;
mod method;
mod rigid;
mod shape;
mod skin;
mod surface;
mod zone;

pub use body::*;
pub use contact::*;
pub use control::*;
pub use joint::*;
pub use material::*;
pub use measure::*;
pub use method::*;
pub use rigid::*;
pub use shape::*;
pub use skin::*;
pub use surface::*;
pub use zone::*;

use super::decode::{Spanned, record};
use super::leaves::{Name, Positive, Vector};

record! {
    /// A stiction scene. Units are SI: metres, kilograms, seconds.
    SceneTable, "a scene" {
        /// A short name for lists and reports.
        title: Option<String>,
        /// What the scene shows.
        description: Option<String>,
        /// Where its numbers come from.
        source: Option<String>,
        /// Simulated time [s]; 2 by default.
        duration: Option<Positive>,
        /// Acceleration of free fall [m/s²]; `[0, -9.81, 0]` by default.
        gravity: Option<Vector>,
        /// Start from static equilibrium instead of dropping everything at time zero.
        settle: Option<bool>,
        /// Move bodies that touch at the start apart, as little as possible, until they have this much room [m]; for
        /// `barrier`, which refuses to start otherwise.
        room: Option<Positive>,
        /// What is simulated.
        body: Vec<Spanned<BodyTable>>,
        /// What holds or drives bodies.
        pin: Vec<Spanned<PinTable>>,
        /// What pushes them.
        load: Vec<Spanned<LoadTable>>,
        /// What pulls them together.
        spring: Vec<Spanned<SpringTable>>,
        /// What lets them move against each other in some ways and not in others.
        joint: Vec<Spanned<JointTable>>,
        /// Hinges that turn together.
        gear: Vec<Spanned<GearTable>>,
        /// What makes their vertices one.
        weld: Vec<Spanned<WeldTable>>,
        /// Gas and liquid enclosed in them.
        zone: Vec<Spanned<ZoneTable>>,
        /// How bodies rub against each other: a coefficient for all, or `[[friction]]` tables; 0.3 by default.
        friction: Option<FrictionValue>,
        /// How pairs of bodies touch, where it is not the default.
        contact: Vec<Spanned<ContactTable>>,
        /// How time is advanced.
        method: Option<MethodTable>,
        /// What is stored.
        output: Option<OutputTable>,
        /// Quantities to follow in time.
        probe: Vec<Spanned<ProbeTable>>,
        /// What must come out.
        expect: Vec<Spanned<ExpectTable>>,
        /// The same scene with some values changed; `verify` runs them all.
        variant: Vec<Spanned<VariantTable>>,
        /// Values changed by `--coarse`, for a quick look: `"body.bar.solid.box.cells" = [8, 2, 2]`.
        coarse: Option<super::overrides::Changes>,
    }
}

/// A mesh file, relative to the scene file.
pub type MeshPath = Name;

/// A picture, relative to the scene file.
pub type PicturePath = Name;

/// A table, relative to the scene file.
pub type TablePath = Name;

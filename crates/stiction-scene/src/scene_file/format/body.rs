//! Bodies, and how they start.

use super::super::decode::{List, Spanned, record};
use super::super::leaves::{Count, Direction, Name, NameOr, Number, Positive, Triple, Vector};
use super::{
    ClothShape, MaterialTable, MotionTable, ObstacleShape, RigidShape, SkinTable, SolidShape,
    SurfaceTable,
};

record! {
    /// A body: exactly one of `solid`, `cloth`, `rigid` and `obstacle`.
    BodyTable, "a body" {
        /// What others call it; `body-0`, `body-1`, … by default.
        name: Option<Name>,
        /// An elastic solid, and its shape at rest.
        solid: Option<Spanned<SolidShape>>,
        /// An elastic sheet, and its shape at rest.
        cloth: Option<Spanned<ClothShape>>,
        /// A body that moves but does not deform.
        rigid: Option<Spanned<RigidShape>>,
        /// A surface that nothing moves but its own motion.
        obstacle: Option<Spanned<ObstacleShape>>,
        /// Only elements of these groups of the shape: a body of several materials is several bodies, welded.
        only: Option<Spanned<List<Name>>>,
        /// The name of a preset, or the numbers. For solids `rubber` by default, for cloth `cotton`.
        material: Option<Spanned<NameOr<MaterialTable>>>,
        /// Of a rigid body [kg/m³]; 1000 by default.
        density: Option<Positive>,
        /// Of a rigid body, instead of its density [kg].
        mass: Option<Positive>,
        /// Where it starts; the shape is stretched, then turned, then moved.
        place: Option<Spanned<PlaceTable>>,
        /// Velocity at the start [m/s].
        velocity: Option<Vector>,
        /// Angular velocity at the start, about the centre of mass [rad/s].
        spin: Option<Vector>,
        /// Direction of the warp threads in the rest shape, for cloth; `"x"` by default.
        warp: Option<Direction>,
        /// Whether cloth wants to be flat even if its shape is not; `false` by default.
        flat: Option<bool>,
        /// Cloth that lies in a plane starts hung over half a cylinder along its second axis, around its origin.
        hung: Option<Spanned<HungTable>>,
        /// Whether parts of a solid or cloth that come near each other touch, with the impulse method; `false` by
        /// default.
        touches_itself: Option<bool>,
        /// How an obstacle moves.
        motion: Option<Spanned<MotionTable>>,
        /// How its mesh or cloud is smoothed where others touch it.
        surface: Option<Spanned<SurfaceTable>>,
        /// What its surface is of, or a table that says more: grain, texture.
        skin: Option<Spanned<NameOr<SkinTable>>>,
        /// Many of it: `name-0`, `name-1`, …
        copies: Option<Spanned<CopiesTable>>,
    }
}

record! {
    /// Copies of a body in rows, layers and columns.
    CopiesTable, "copies of a body" {
        /// How many along x, y and z; numbered along x first, then z, then y.
        count: Triple<Count>,
        /// From one to the next along each axis [m].
        spacing: Vector,
        /// Every second layer along y is moved by this much more [m]; nothing by default.
        stagger: Option<Vector>,
    }
}

record! {
    /// A sheet over half a cylinder, its ends hanging along `-z` before it is placed.
    HungTable, "a sheet over a cylinder" {
        /// Of the cylinder [m].
        radius: Positive,
        /// Which `x` of the sheet comes to the top, at `z = radius` [m]; 0 by default.
        middle: Option<Number>,
    }
}

record! {
    /// Where a body starts.
    PlaceTable, "a placement" {
        /// Factor on all lengths, or one for each axis.
        scale: Option<Scale>,
        /// Turn about the origin.
        rotate: Option<RotateTable>,
        /// Move by this much [m].
        r#move: Option<Vector>,
    }
}

record! {
    /// A turn about the origin.
    RotateTable, "a rotation" {
        /// What it turns about.
        axis: Direction,
        /// How far, counter-clockwise when looking against the axis.
        degrees: Number,
    }
}

/// One factor, or one for each axis.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Scale {
    /// The same for all axes.
    Uniform(Positive),
    /// One for each axis.
    Axes(super::super::leaves::Triple<Positive>),
}

impl super::super::decode::Decode for Scale {
    fn decode(
        node: &super::super::tree::Node,
        problems: &mut super::super::problem::Problems,
    ) -> Option<Self> {
        match node.value {
            super::super::tree::Value::Array(_) => {
                super::super::leaves::Triple::decode(node, problems).map(Self::Axes)
            }
            _ => Positive::decode(node, problems).map(Self::Uniform),
        }
    }
}

//! Why a shape was refused.

/// What makes no shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length that is none.
    #[error("{shape}: {name} is {length}\n  help: give a finite length above zero [m]")]
    Length {
        /// `box`, `sphere`, …
        shape: &'static str,
        /// `radius`, `size`, …
        name: &'static str,
        /// The length given [m].
        length: f64,
    },
    /// Edges rounder than the box has room for.
    #[error(
        "box: rounding is {rounding}\n  help: give at least zero and at most half the shortest edge, {most} m"
    )]
    Rounding {
        /// The radius given [m].
        rounding: f64,
        /// The largest possible [m].
        most: f64,
    },
    /// A normal that is no unit vector, or an offset that is not finite.
    #[error(
        "plane: normal {normal:?}, offset {offset}\n  help: give a normal of length one and a finite offset [m]"
    )]
    Plane {
        /// The normal given [-].
        normal: [f64; 3],
        /// The offset given [m].
        offset: f64,
    },
    /// A point of a hull that is nowhere.
    #[error(
        "hull: point {index} is not finite\n  help: leave out points with NaN or infinite coordinates"
    )]
    NotFinite {
        /// Which.
        index: usize,
    },
    /// Points that enclose nothing.
    #[error(
        "hull: {count} points lie in a plane, or nearly: {thickness:e} m thick, {width:e} m wide\n  \
         help: give points in all three dimensions, or a thin box"
    )]
    Flat {
        /// How many points were given.
        count: usize,
        /// The smallest extent found [m].
        thickness: f64,
        /// The largest extent found [m].
        width: f64,
    },
    /// More corners than a feature can name.
    #[error("hull: {count} corners\n  help: at most {most} are possible; leave some points out")]
    TooManyCorners {
        /// Corners of the hull.
        count: usize,
        /// Possible.
        most: usize,
    },
    /// Points on which rounding errors make no consistent hull.
    #[error(
        "hull: {count} points make no clean hull\n  \
         help: merge points that nearly coincide, for example by rounding coordinates to 1e-9 of the size"
    )]
    Unclean {
        /// How many points were given.
        count: usize,
    },
    /// A compound without parts.
    #[error("compound: has no parts\n  help: give at least one shape")]
    NoParts,
    /// A part that stands nowhere.
    #[error(
        "compound: the pose of part {index} is not finite\n  help: give finite places and turns"
    )]
    NoPose {
        /// Which.
        index: usize,
    },
}

//! What holds, drives, pushes and joins bodies.

use super::super::decode::{List, Spanned, choice, record};
use super::super::leaves::{
    Direction, Index, Name, NameOr, NotNegative, Number, Pair, Positive, Vector,
};
use super::TablePath;

/// Vertices: a group of the mesh by name, `"all"`, `"boundary"`, or a table.
pub type Where = Spanned<NameOr<WhereTable>>;

choice! {
    /// Vertices, chosen by where they are when the body is placed.
    WhereTable, "a selection of vertices" {
        /// In a box along the axes.
        "box" => Box(BoxRegion),
        /// In a ball.
        "sphere" => Sphere(SphereRegion),
        /// On one side of a plane.
        "half_space" => HalfSpace(HalfSpaceTable),
        /// By number, counted from 0.
        "ids" => Ids(List<Index>),
        /// A named group of the mesh.
        "tag" => Tag(String),
        /// In all of these.
        "and" => And(List<Where>),
        /// In any of these.
        "or" => Or(List<Where>),
        /// Not in this.
        "not" => Not(Box<Where>),
    }
}

record! {
    /// A box along the axes; a bound left out is far away.
    BoxRegion, "a box" {
        /// Lowest coordinates [m].
        min: Vector,
        /// Highest coordinates [m].
        max: Vector,
    }
}

record! {
    /// A ball.
    SphereRegion, "a sphere" {
        /// [m].
        center: Vector,
        /// [m].
        radius: NotNegative,
    }
}

record! {
    /// The side of a plane that its normal points to.
    HalfSpaceTable, "a half-space" {
        /// A point of the plane [m].
        point: Vector,
        /// Into the half-space.
        normal: Direction,
    }
}

record! {
    /// Holds vertices, or moves them as prescribed.
    PinTable, "a pin" {
        /// What others call it.
        name: Option<Name>,
        /// Whose vertices.
        body: Name,
        /// Which; all by default.
        r#where: Option<Where>,
        /// Which coordinates are prescribed, such as `"xz"`; the others stay free, as on a rail. `"xyz"` by default.
        axes: Option<Name>,
        /// How they move; not at all by default.
        motion: Option<Spanned<MotionTable>>,
        /// When they are let go [s]; never by default.
        release: Option<NotNegative>,
    }
}

choice! {
    /// A prescribed motion.
    MotionTable, "a motion" {
        /// At a constant velocity [m/s].
        "velocity" => Velocity(Vector),
        /// Turning at a constant rate.
        "turn" => Turn(TurnTable),
        /// Through given placements.
        "keyframes" => Keyframes(KeyframesTable),
    }
}

record! {
    /// Turning at a constant rate.
    TurnTable, "a turn" {
        /// What it turns about.
        axis: Direction,
        /// A point of the axis [m]; the origin by default.
        center: Option<Vector>,
        /// How fast, counter-clockwise when looking against the axis.
        degrees_per_second: Number,
    }
}

record! {
    /// Placements at given times, and how they are joined.
    KeyframesTable, "keyframes" {
        /// Ascending in time; the first and last hold before and after.
        frames: Option<List<KeyframeTable>>,
        /// The same in a table: CSV with the columns `time` [s], `x`, `y`, `z` [m], `rx`, `ry`, `rz` [degrees].
        file: Option<TablePath>,
        /// What rotations turn about [m]; the origin by default.
        center: Option<Vector>,
        /// Start and stop smoothly at every keyframe; `true` by default.
        smooth: Option<bool>,
    }
}

record! {
    /// A placement relative to the start.
    KeyframeTable, "a keyframe" {
        /// When [s].
        time: Number,
        /// How far moved [m].
        r#move: Option<Vector>,
        /// What it is turned about.
        axis: Option<Direction>,
        /// How far turned, more than a full turn if so wanted.
        degrees: Option<Number>,
    }
}

record! {
    /// A load: exactly one of `force`, `traction` and `pressure`.
    LoadTable, "a load" {
        /// What others call it.
        name: Option<Name>,
        /// On whom.
        body: Name,
        /// Where; all vertices by default.
        r#where: Option<Where>,
        /// A total force, shared equally by the selected vertices [N].
        force: Option<Vector>,
        /// A force per rest area of fixed direction, on faces whose corners are all selected [Pa].
        traction: Option<Vector>,
        /// A force per present area against the outward normal, on faces whose corners are all selected [Pa].
        pressure: Option<Number>,
        /// Factor in time: `[[time, factor], …]`, straight lines between; 1 by default.
        profile: Option<Spanned<List<Pair<Number>>>>,
    }
}

record! {
    /// A spring between two points.
    SpringTable, "a spring" {
        /// What others call it.
        name: Option<Name>,
        /// One end.
        from: Spanned<AnchorTable>,
        /// The other.
        to: Spanned<AnchorTable>,
        /// Force per elongation [N/m].
        stiffness: NotNegative,
        /// Length without force [m]; by default as long as it starts.
        rest_length: Option<NotNegative>,
        /// Force per speed along the spring [N·s/m]; 0 by default.
        damping: Option<NotNegative>,
    }
}

record! {
    /// An end of a spring: a point in space, or a vertex of a body.
    AnchorTable, "an end of a spring" {
        /// A fixed point in space [m].
        point: Option<Vector>,
        /// Whose vertex.
        body: Option<Name>,
        /// Its number, counted from 0.
        vertex: Option<Index>,
        /// The vertex nearest to this point, as the body is placed [m].
        nearest: Option<Vector>,
    }
}

record! {
    /// Makes vertices of one body one with the nearest of another.
    WeldTable, "a weld" {
        /// What others call it.
        name: Option<Name>,
        /// Whose vertices are joined.
        body: Name,
        /// Which; by default those that have a partner.
        r#where: Option<Where>,
        /// To whose vertices.
        to: Name,
        /// How far partners may be apart [m]; a millionth of the body's size by default.
        tolerance: Option<Positive>,
    }
}

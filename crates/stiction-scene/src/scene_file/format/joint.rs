//! Joints and gears.

use super::super::decode::{List, Spanned, record, word};
use super::super::leaves::{Direction, Name, NotNegative, Number, Pair, Positive, Vector};

record! {
    /// What two bodies may do to each other, and what not.
    JointTable, "a joint" {
        /// What gears and messages call it.
        name: Option<Name>,
        /// What moves in it.
        kind: JointWord,
        /// The body whose angle or travel is meant: rigid, or an obstacle; of a solid or cloth, its vertex nearest to
        /// the joint.
        body: Name,
        /// What it is joined to; the world by default.
        to: Option<Name>,
        /// Where, at the start [m].
        at: Vector,
        /// Its axis, of those that have one; also the middle of a cone.
        axis: Option<Direction>,
        /// Of a universal joint: the axis of `body`, across `axis`, which is that of `to`.
        second_axis: Option<Direction>,
        /// Of a distance: the point of `body` [m]; `at` is that of `to`.
        point: Option<Vector>,
        /// Of a ball: how far its axis may lean [degrees].
        cone: Option<Positive>,
        /// Least and most: of a hinge from the start [degrees], of a slider or cylinder from the start [m], of a
        /// distance [m].
        limits: Option<Pair<Number>>,
        /// What drives a hinge, slider or cylinder.
        motor: Option<Spanned<MotorTable>>,
        /// Torque or force per speed [N·m·s, or N·s/m]; 0 by default.
        damping: Option<NotNegative>,
        /// How far it gives way [m/N]; by default next to nothing.
        compliance: Option<Positive>,
        /// How far it gives way to torques [rad/(N·m)]; by default next to nothing.
        angular_compliance: Option<Positive>,
        /// Whether its bodies can touch each other; `false` by default.
        touching: Option<bool>,
    }
}

word! {
    /// What moves in a joint.
    JointWord, "a kind of joint" {
        /// All turns about a point.
        "ball" => Ball,
        /// Turns about an axis.
        "hinge" => Hinge,
        /// Slides along an axis.
        "slider" => Slider,
        /// Slides along an axis and turns about it.
        "cylindrical" => Cylindrical,
        /// Turns about two axes: a cross between two shafts.
        "universal" => Universal,
        /// Nothing.
        "fixed" => Fixed,
        /// All but the distance between two points.
        "distance" => Distance,
    }
}

record! {
    /// Keeps a speed, or goes to a place.
    MotorTable, "a motor" {
        /// Of a hinge [degrees/s], of a slider or cylinder [m/s].
        speed: Option<Number>,
        /// Of a hinge [degrees], of a slider or cylinder [m], from the start.
        place: Option<Number>,
        /// The most it pulls [N·m, or N]; by default it always wins.
        strength: Option<Positive>,
        /// Force per distance from its target [N·m/rad, or N/m]; by default a thousandth of the joint's own.
        stiffness: Option<Positive>,
        /// A factor of speed or place in time: straight lines between `[time, factor]`, constant before and after.
        profile: Option<Spanned<List<Pair<Number>>>>,
    }
}

record! {
    /// Two hinges that turn together.
    GearTable, "a gear" {
        /// Names of the hinges.
        hinges: Pair<Name>,
        /// Turns of the second a turn of the first; negative for wheels that mesh [-].
        ratio: Spanned<Number>,
        /// How far the second falls behind [rad/(N·m)]; by default next to nothing.
        compliance: Option<Positive>,
    }
}

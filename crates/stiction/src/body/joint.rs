//! Joints: what two bodies may do to each other, and what not.

use super::{BodyId, Profile};
use crate::math::Vector3;

/// A side of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Space itself.
    World,
    /// A rigid body, or an obstacle with its motion; of solids and cloth, the vertex nearest to the joint.
    Body(BodyId),
}

impl From<BodyId> for End {
    fn from(body: BodyId) -> Self {
        Self::Body(body)
    }
}

/// What moves in a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// All turns about a point.
    Ball {
        /// The most its axis may lean, if it may not lean to every side [rad].
        cone: Option<f64>,
    },
    /// Turns about the axis.
    Hinge,
    /// Slides along the axis.
    Slider,
    /// Slides along the axis and turns about it.
    Cylindrical,
    /// Turns about the axis, which is the first body's, and about another one across it, which is the second's: a cross
    /// between two shafts.
    Universal {
        /// The other axis.
        second: Vector3,
    },
    /// Nothing.
    Fixed,
    /// All but the distance between two points, as it starts or within limits.
    Distance {
        /// The point of the second body [m].
        to: Vector3,
    },
}

/// What a motor is told to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// Keep a speed [m/s, or rad/s]. A motor too weak for its load falls behind and does not catch up.
    Speed(f64),
    /// Go to a place and hold it, counted from the start [m, or rad].
    Place(f64),
}

/// Drives a hinge, or a slider.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// What it is told.
    pub target: Target,
    /// The most it pulls [N, or N·m]; infinite if it always wins.
    pub strength: f64,
    /// Force per distance from its target [N/m, or N·m]; by default a thousandth of the joint's own. Soft ones swing
    /// about their target until something damps them.
    pub stiffness: Option<f64>,
    /// A factor of its speed or place in time.
    pub profile: Profile,
}

/// A joint between two bodies, or one and the world.
///
/// It is an energy of how far its bodies are apart, so drift does not grow with time: it is force times compliance.
///
/// ```
/// use stiction::body::{End, Joint, Rigid, Shape};
/// use stiction::{Scene, Simulation};
///
/// let mut scene = Scene::new();
/// let rod = Rigid::shape(&Shape::Box { size: [1.0, 0.1, 0.1].into(), rounding: 0.0 }, 12)?;
/// let rod = scene.add(rod.at([0.5, 0.0, 0.0]));
/// let hinge = scene.joint(Joint::hinge(End::World, rod, [0.0; 3], [0.0, 0.0, 1.0]));
///
/// let mut simulation = Simulation::new(&scene)?;
/// simulation.step();
/// assert!(simulation.joint(hinge).gap < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// For messages and measurements.
    pub name: Option<String>,
    /// What it joins. Angles and travels are those of the second, seen from the first.
    pub between: [End; 2],
    /// What moves.
    pub kind: JointKind,
    /// Where it is at the start; of a distance, the point of the first body [m].
    pub at: Vector3,
    /// Its axis at the start; of any length.
    pub axis: Vector3,
    /// Least and most angle [rad] or travel [m] from the start, or distance [m].
    pub limits: Option<[f64; 2]>,
    /// What drives it.
    pub motor: Option<Motor>,
    /// Torque or force per speed of its angle or travel [N·m·s, or N·s/m].
    pub damping: f64,
    /// How far it gives way [m/N]. By default the heavier body's weight takes it 10⁻⁷ of the size of the smaller one,
    /// and what shakes inside the joint is damped.
    pub compliance: Option<f64>,
    /// How far it gives way to torques [rad/(N·m)]; by default, compliance over that size squared.
    pub angular_compliance: Option<f64>,
    /// Whether its bodies can touch each other; a contact rule between them says more.
    pub touching: bool,
}

impl Joint {
    fn new(
        between: [End; 2],
        kind: JointKind,
        at: impl Into<Vector3>,
        axis: impl Into<Vector3>,
    ) -> Self {
        Self {
            name: None,
            between,
            kind,
            at: at.into(),
            axis: axis.into(),
            limits: None,
            motor: None,
            damping: 0.0,
            compliance: None,
            angular_compliance: None,
            touching: false,
        }
    }

    /// Keeps one point of two bodies in one place.
    pub fn ball(a: impl Into<End>, b: impl Into<End>, at: impl Into<Vector3>) -> Self {
        Self::new([a.into(), b.into()], JointKind::Ball { cone: None }, at, Vector3::x())
    }

    /// Lets `b` turn about an axis through `at`.
    pub fn hinge(
        a: impl Into<End>,
        b: impl Into<End>,
        at: impl Into<Vector3>,
        axis: impl Into<Vector3>,
    ) -> Self {
        Self::new([a.into(), b.into()], JointKind::Hinge, at, axis)
    }

    /// Lets `b` slide along an axis.
    pub fn slider(
        a: impl Into<End>,
        b: impl Into<End>,
        at: impl Into<Vector3>,
        axis: impl Into<Vector3>,
    ) -> Self {
        Self::new([a.into(), b.into()], JointKind::Slider, at, axis)
    }

    /// Lets `b` slide along an axis and turn about it.
    pub fn cylindrical(
        a: impl Into<End>,
        b: impl Into<End>,
        at: impl Into<Vector3>,
        axis: impl Into<Vector3>,
    ) -> Self {
        Self::new([a.into(), b.into()], JointKind::Cylindrical, at, axis)
    }

    /// Joins two shafts by a cross, with one axis in `a` and the other, across it, in `b`.
    pub fn universal(
        a: impl Into<End>,
        b: impl Into<End>,
        at: impl Into<Vector3>,
        axes: [Vector3; 2],
    ) -> Self {
        let kind = JointKind::Universal { second: axes[1] };
        Self::new([a.into(), b.into()], kind, at, axes[0])
    }

    /// Makes two bodies one.
    pub fn fixed(a: impl Into<End>, b: impl Into<End>, at: impl Into<Vector3>) -> Self {
        Self::new([a.into(), b.into()], JointKind::Fixed, at, Vector3::x())
    }

    /// Keeps a point of `a` and one of `b` as far apart as they start, or within limits.
    pub fn distance(
        a: impl Into<End>,
        b: impl Into<End>,
        at: impl Into<Vector3>,
        to: impl Into<Vector3>,
    ) -> Self {
        let kind = JointKind::Distance { to: to.into() };
        Self::new([a.into(), b.into()], kind, at, Vector3::x())
    }

    /// Stops it at the least and most angle [rad], travel [m] or distance [m].
    #[must_use]
    pub fn limits(mut self, least: f64, most: f64) -> Self {
        self.limits = Some([least, most]);
        self
    }

    /// Stops a ball from leaning more than `cone` away from where `axis` points at the start [rad].
    #[must_use]
    pub fn cone(mut self, axis: impl Into<Vector3>, cone: f64) -> Self {
        self.axis = axis.into();
        self.kind = JointKind::Ball { cone: Some(cone) };
        self
    }

    /// Drives it, with no more than `strength` [N, or N·m].
    #[must_use]
    pub fn motor(mut self, target: Target, strength: f64) -> Self {
        let profile = Profile::Constant;
        self.motor = Some(Motor { target, strength, stiffness: None, profile });
        self
    }

    /// Scales the speed or place of its motor with time; without a motor, nothing.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        if let Some(motor) = &mut self.motor {
            motor.profile = profile;
        }
        self
    }

    /// Brakes it [N·m·s, or N·s/m].
    #[must_use]
    pub fn damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// Lets it give way [m/N].
    #[must_use]
    pub fn compliance(mut self, compliance: f64) -> Self {
        self.compliance = Some(compliance);
        self
    }
}

/// Two hinges that turn together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// The hinges.
    pub hinges: [JointId; 2],
    /// Turns of the second a turn of the first; negative for wheels that mesh [-].
    pub ratio: f64,
    /// How far the second falls behind [rad/(N·m)]; by default as its hinge.
    pub compliance: Option<f64>,
}

/// A joint of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub(crate) u32);

impl JointId {
    /// Position in the order of joints.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a joint stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointState {
    /// By how much points that belong together are apart: its drift [m].
    pub gap: f64,
    /// By how much axes that belong together are apart [rad].
    pub tilt: f64,
    /// Angle of a hinge over full turns [rad], travel of a slider or cylinder, or distance [m], after the last step;
    /// zero of others.
    pub coordinate: f64,
}

//! What can be measured, and what each quantity asks for.

use std::fmt;

use super::error::find;
use super::{Field, Reduction, UnknownName};

/// What a probe measures; [the module](super) has a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Of vertices, along a direction [m].
    Position,
    /// Of vertices, from where they started; along a direction, or how far [m].
    Displacement,
    /// Of vertices, along a direction [m/s].
    Velocity,
    /// Of vertices [m/s].
    Speed,
    /// Of a body, of selected vertices or of the scene, along a direction [m].
    CenterOfMass,
    /// Between the mean points of two selections; the component along a direction, if one is given [m].
    Length,
    /// Of cloth, or of the surface of a solid [m²].
    Area,
    /// Of a solid, inside a closed cloth, or of a zone [m³].
    Volume,
    /// Length over rest length: the largest there is in an element, or along a direction of the body as it is
    /// placed [-].
    Stretch,
    /// Stretch minus one [-].
    Strain,
    /// Half of the stretch squared minus one: Green's strain [-].
    GreenStrain,
    /// The smallest principal stretch of an element [-].
    MinStretch,
    /// Volume over rest volume of tetrahedra; its mean is that of the whole [-].
    VolumeRatio,
    /// Area over rest area of triangles of cloth; its mean is that of the whole [-].
    AreaRatio,
    /// Elastic energy per rest volume [J/m³]; of cloth per rest area, without bending [J/m²].
    StrainEnergyDensity,
    /// Cauchy stress: the largest principal one, or the normal stress along a direction in space [Pa]; of cloth per
    /// width [N/m].
    Stress,
    /// Von Mises' equivalent stress [Pa]; of cloth per width [N/m].
    VonMises,
    /// Minus the mean principal stress; of a zone, its pressure above that of the atmosphere [Pa].
    Pressure,
    /// Of motion [J].
    KineticEnergy,
    /// Of elements; springs count only for the scene as a whole [J].
    ElasticEnergy,
    /// In gravity, zero at the origin [J].
    GravitationalEnergy,
    /// Kinetic, elastic and gravitational, of the scene with that of zones; of a zone, what its gas or liquid stores
    /// [J].
    Energy,
    /// Along a direction, or its size [N·s].
    Momentum,
    /// About a point, the origin if none is given; along a direction, or its size [N·m·s].
    AngularMomentum,
    /// Angular velocity about the centre of mass, as that of a rigid body of the same shape and angular momentum; along a
    /// direction, or its size [rad/s].
    Spin,
    /// Force that pins exert on selected vertices, in total; along a direction, or its size [N].
    Reaction,
    /// Torque that pins exert about a point, the origin if none is given; along a direction, or its size [N·m].
    ReactionTorque,
    /// Force of contacts on a body, in total; along a direction, or its size [N].
    ContactForce,
    /// Of contacts, across the surface; never negative [N].
    NormalForce,
    /// Force of friction on a body, in total; along a direction, or its size [N].
    FrictionForce,
    /// Distance that contacts have slid since they began [m].
    Slip,
    /// Velocity along the surface, of the body against what it touches; along a direction, or its size [m/s].
    SlipVelocity,
    /// Distance of points that touch from the surface, negative inside; infinite where nothing touches [m].
    Gap,
    /// Contacts that push [-].
    ContactCount,
    /// Of these, how many slid in the last step [-].
    SlidingCount,
    /// Of a joint: angle of a hinge over full turns [rad], way of a slider or cylinder, or distance [m].
    Travel,
    /// Of a joint: how far points are apart that belong together [m].
    Drift,
    /// Of a joint: how far axes are apart that belong together [rad].
    Tilt,
    /// Pairs of triangles that cross, of the scene or of a body with itself and others [-].
    Intersections,
}

/// Whether a quantity has a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Needed,
    Optional,
    None,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 39] = [
        Self::Position,
        Self::Displacement,
        Self::Velocity,
        Self::Speed,
        Self::CenterOfMass,
        Self::Length,
        Self::Area,
        Self::Volume,
        Self::Stretch,
        Self::Strain,
        Self::GreenStrain,
        Self::MinStretch,
        Self::VolumeRatio,
        Self::AreaRatio,
        Self::StrainEnergyDensity,
        Self::Stress,
        Self::VonMises,
        Self::Pressure,
        Self::KineticEnergy,
        Self::ElasticEnergy,
        Self::GravitationalEnergy,
        Self::Energy,
        Self::Momentum,
        Self::AngularMomentum,
        Self::Spin,
        Self::Reaction,
        Self::ReactionTorque,
        Self::ContactForce,
        Self::NormalForce,
        Self::FrictionForce,
        Self::Slip,
        Self::SlipVelocity,
        Self::Gap,
        Self::ContactCount,
        Self::SlidingCount,
        Self::Travel,
        Self::Drift,
        Self::Tilt,
        Self::Intersections,
    ];

    /// Names of all of them, in the same order.
    pub const NAMES: [&'static str; 39] = {
        let mut names = [""; 39];
        let mut k = 0;
        while k < names.len() {
            names[k] = Self::ALL[k].name();
            k += 1;
        }
        names
    };

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Displacement => "displacement",
            Self::Velocity => "velocity",
            Self::Speed => "speed",
            Self::CenterOfMass => "center_of_mass",
            Self::Length => "length",
            Self::Area => "area",
            Self::Volume => "volume",
            Self::Stretch => "stretch",
            Self::Strain => "strain",
            Self::GreenStrain => "green_strain",
            Self::MinStretch => "min_stretch",
            Self::VolumeRatio => "volume_ratio",
            Self::AreaRatio => "area_ratio",
            Self::StrainEnergyDensity => "strain_energy_density",
            Self::Stress => "stress",
            Self::VonMises => "von_mises",
            Self::Pressure => "pressure",
            Self::KineticEnergy => "kinetic_energy",
            Self::ElasticEnergy => "elastic_energy",
            Self::GravitationalEnergy => "gravitational_energy",
            Self::Energy => "energy",
            Self::Momentum => "momentum",
            Self::AngularMomentum => "angular_momentum",
            Self::Spin => "spin",
            Self::Reaction => "reaction",
            Self::ReactionTorque => "reaction_torque",
            Self::ContactForce => "contact_force",
            Self::NormalForce => "normal_force",
            Self::FrictionForce => "friction_force",
            Self::Slip => "slip",
            Self::SlipVelocity => "slip_velocity",
            Self::Gap => "gap",
            Self::ContactCount => "contact_count",
            Self::SlidingCount => "sliding_count",
            Self::Travel => "travel",
            Self::Drift => "drift",
            Self::Tilt => "tilt",
            Self::Intersections => "intersections",
        }
    }

    /// The quantity of this name.
    ///
    /// # Errors
    /// When there is none, with the nearest that there is.
    pub fn from_name(name: &str) -> Result<Self, UnknownName> {
        find("quantity", name, &Self::ALL, Self::name)
    }

    /// Its unit, `1` if it has none. That of stresses and energy densities is for solids, of cloth they are per area
    /// and width; hinges travel in radians: [`PreparedProbe::unit`](super::PreparedProbe::unit) knows.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Position
            | Self::Displacement
            | Self::CenterOfMass
            | Self::Length
            | Self::Slip
            | Self::Gap
            | Self::Travel
            | Self::Drift => "m",
            Self::Tilt => "rad",
            Self::Velocity | Self::Speed | Self::SlipVelocity => "m/s",
            Self::Area => "m²",
            Self::Volume => "m³",
            Self::Stretch
            | Self::Strain
            | Self::GreenStrain
            | Self::MinStretch
            | Self::VolumeRatio
            | Self::AreaRatio
            | Self::ContactCount
            | Self::SlidingCount
            | Self::Intersections => "1",
            Self::StrainEnergyDensity => "J/m³",
            Self::Stress | Self::VonMises | Self::Pressure => "Pa",
            Self::KineticEnergy
            | Self::ElasticEnergy
            | Self::GravitationalEnergy
            | Self::Energy => "J",
            Self::Momentum => "N·s",
            Self::AngularMomentum => "N·m·s",
            Self::Spin => "rad/s",
            Self::Reaction | Self::ContactForce | Self::NormalForce | Self::FrictionForce => "N",
            Self::ReactionTorque => "N·m",
        }
    }

    /// The ways to make one number of it, the usual one first; none if it is one number.
    pub fn reductions(self) -> &'static [Reduction] {
        use Reduction::{Max, Mean, Min, Sum};
        match self {
            Self::Position | Self::Displacement | Self::Velocity | Self::Speed => &[Mean, Min, Max],
            Self::Reaction | Self::ReactionTorque | Self::NormalForce => &[Sum, Mean, Min, Max],
            Self::Slip | Self::SlipVelocity => &[Max, Mean, Min],
            Self::Gap => &[Min, Mean, Max],
            _ if self.field().is_some() => &[Mean, Min, Max],
            _ => &[],
        }
    }

    pub(super) fn direction(self) -> Direction {
        match self {
            Self::Position | Self::Velocity | Self::CenterOfMass => Direction::Needed,
            Self::Displacement
            | Self::Length
            | Self::Stretch
            | Self::Strain
            | Self::GreenStrain
            | Self::Stress
            | Self::Momentum
            | Self::AngularMomentum
            | Self::Spin
            | Self::Reaction
            | Self::ReactionTorque
            | Self::ContactForce
            | Self::FrictionForce
            | Self::SlipVelocity => Direction::Optional,
            _ => Direction::None,
        }
    }

    /// Whether it is about a point.
    pub(super) fn has_point(self) -> bool {
        matches!(self, Self::AngularMomentum | Self::ReactionTorque)
    }

    /// Whether it adds up over bodies, so that the scene as a whole has it too.
    pub(super) fn is_of_scene(self) -> bool {
        matches!(
            self,
            Self::CenterOfMass
                | Self::KineticEnergy
                | Self::ElasticEnergy
                | Self::GravitationalEnergy
                | Self::Energy
                | Self::Momentum
                | Self::AngularMomentum
                | Self::Spin
                | Self::Intersections
        )
    }

    /// Whether it is of contacts.
    pub(super) fn is_of_contacts(self) -> bool {
        matches!(
            self,
            Self::ContactForce
                | Self::NormalForce
                | Self::FrictionForce
                | Self::Slip
                | Self::SlipVelocity
                | Self::Gap
                | Self::ContactCount
                | Self::SlidingCount
        )
    }

    /// Whether zones have it.
    pub(super) fn is_of_zones(self) -> bool {
        matches!(self, Self::Volume | Self::Pressure | Self::Energy)
    }

    /// Whether joints have it, and nothing else has.
    pub(super) fn is_of_joints(self) -> bool {
        matches!(self, Self::Travel | Self::Drift | Self::Tilt)
    }

    /// The field it reduces, if it is one of elements.
    pub(super) fn field(self) -> Option<Field> {
        match self {
            Self::Stretch | Self::Strain | Self::GreenStrain => Some(Field::MaxStretch),
            Self::MinStretch => Some(Field::MinStretch),
            Self::VolumeRatio => Some(Field::VolumeRatio),
            Self::AreaRatio => Some(Field::AreaRatio),
            Self::StrainEnergyDensity => Some(Field::StrainEnergyDensity),
            Self::Stress => Some(Field::MaxStress),
            Self::VonMises => Some(Field::VonMises),
            Self::Pressure => Some(Field::Pressure),
            _ => None,
        }
    }

    /// What a stretch is reported as.
    pub(super) fn of_stretch(self, stretch: f64) -> f64 {
        match self {
            Self::Strain => stretch - 1.0,
            // As a product: the square of a stretch near one has lost the digits that matter.
            Self::GreenStrain => 0.5 * (stretch - 1.0) * (stretch + 1.0),
            _ => stretch,
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! What can be measured, and what each quantity asks for.

use std::fmt;

use Owner::{Contacts, Joints, Scene, Zones};
use Quantity as Q;

use super::Reduction::{Max, Mean, Min, Sum};
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
    /// Angular velocity about the centre of mass, as that of a rigid body of the same shape and angular momentum;
    /// along a direction, or its size [rad/s].
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

/// Whose a quantity is, besides that of bodies.
#[derive(Clone, Copy)]
enum Owner {
    /// It adds up over bodies, so that the scene as a whole has it too.
    Scene,
    /// It is of contacts.
    Contacts,
    /// Zones have it.
    Zones,
    /// Joints have it, and nothing else has.
    Joints,
}

/// What there is to know of a quantity.
struct Row {
    quantity: Quantity,
    name: &'static str,
    unit: &'static str,
    reductions: &'static [Reduction],
    direction: Direction,
    field: Option<Field>,
    about_a_point: bool,
    owners: [bool; 4],
}

impl Row {
    const fn reduced(self, reductions: &'static [Reduction]) -> Self {
        Self { reductions, ..self }
    }

    const fn may_have_direction(self) -> Self {
        Self { direction: Direction::Optional, ..self }
    }

    const fn needs_direction(self) -> Self {
        Self { direction: Direction::Needed, ..self }
    }

    const fn of_elements(self, field: Field) -> Self {
        Self { field: Some(field), reductions: &[Mean, Min, Max], ..self }
    }

    const fn about_a_point(self) -> Self {
        Self { about_a_point: true, ..self }
    }

    const fn of(mut self, owner: Owner) -> Self {
        self.owners[owner as usize] = true;
        self
    }
}

/// A quantity of bodies that is one number, without a direction.
const fn row(quantity: Quantity, name: &'static str, unit: &'static str) -> Row {
    Row {
        quantity,
        name,
        unit,
        reductions: &[],
        direction: Direction::None,
        field: None,
        about_a_point: false,
        owners: [false; 4],
    }
}

/// Name, unit, ways to make one number of it with the usual one first, and what it asks for: one row a quantity.
#[rustfmt::skip]
const TABLE: [Row; 39] = [
    row(Q::Position, "position", "m").reduced(&[Mean, Min, Max]).needs_direction(),
    row(Q::Displacement, "displacement", "m").reduced(&[Mean, Min, Max]).may_have_direction(),
    row(Q::Velocity, "velocity", "m/s").reduced(&[Mean, Min, Max]).needs_direction(),
    row(Q::Speed, "speed", "m/s").reduced(&[Mean, Min, Max]),
    row(Q::CenterOfMass, "center_of_mass", "m").needs_direction().of(Scene),
    row(Q::Length, "length", "m").may_have_direction(),
    row(Q::Area, "area", "m²"),
    row(Q::Volume, "volume", "m³").of(Zones),
    row(Q::Stretch, "stretch", "1").may_have_direction().of_elements(Field::MaxStretch),
    row(Q::Strain, "strain", "1").may_have_direction().of_elements(Field::MaxStretch),
    row(Q::GreenStrain, "green_strain", "1").may_have_direction().of_elements(Field::MaxStretch),
    row(Q::MinStretch, "min_stretch", "1").of_elements(Field::MinStretch),
    row(Q::VolumeRatio, "volume_ratio", "1").of_elements(Field::VolumeRatio),
    row(Q::AreaRatio, "area_ratio", "1").of_elements(Field::AreaRatio),
    row(Q::StrainEnergyDensity, "strain_energy_density", "J/m³").of_elements(Field::StrainEnergyDensity),
    row(Q::Stress, "stress", "Pa").may_have_direction().of_elements(Field::MaxStress),
    row(Q::VonMises, "von_mises", "Pa").of_elements(Field::VonMises),
    row(Q::Pressure, "pressure", "Pa").of_elements(Field::Pressure).of(Zones),
    row(Q::KineticEnergy, "kinetic_energy", "J").of(Scene),
    row(Q::ElasticEnergy, "elastic_energy", "J").of(Scene),
    row(Q::GravitationalEnergy, "gravitational_energy", "J").of(Scene),
    row(Q::Energy, "energy", "J").of(Scene).of(Zones),
    row(Q::Momentum, "momentum", "N·s").may_have_direction().of(Scene),
    row(Q::AngularMomentum, "angular_momentum", "N·m·s").may_have_direction().about_a_point().of(Scene),
    row(Q::Spin, "spin", "rad/s").may_have_direction().of(Scene),
    row(Q::Reaction, "reaction", "N").reduced(&[Sum, Mean, Min, Max]).may_have_direction(),
    row(Q::ReactionTorque, "reaction_torque", "N·m")
        .reduced(&[Sum, Mean, Min, Max]).may_have_direction().about_a_point(),
    row(Q::ContactForce, "contact_force", "N").may_have_direction().of(Contacts),
    row(Q::NormalForce, "normal_force", "N").reduced(&[Sum, Mean, Min, Max]).of(Contacts),
    row(Q::FrictionForce, "friction_force", "N").may_have_direction().of(Contacts),
    row(Q::Slip, "slip", "m").reduced(&[Max, Mean, Min]).of(Contacts),
    row(Q::SlipVelocity, "slip_velocity", "m/s").reduced(&[Max, Mean, Min]).may_have_direction().of(Contacts),
    row(Q::Gap, "gap", "m").reduced(&[Min, Mean, Max]).of(Contacts),
    row(Q::ContactCount, "contact_count", "1").of(Contacts),
    row(Q::SlidingCount, "sliding_count", "1").of(Contacts),
    row(Q::Travel, "travel", "m").of(Joints),
    row(Q::Drift, "drift", "m").of(Joints),
    row(Q::Tilt, "tilt", "rad").of(Joints),
    row(Q::Intersections, "intersections", "1").of(Scene),
];

// Rows are found by number.
const _: () = {
    let mut k = 0;
    while k < TABLE.len() {
        assert!(TABLE[k].quantity as usize == k, "a row for each quantity, in the same order");
        k += 1;
    }
};

impl Quantity {
    /// All of them.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Position; TABLE.len()];
        let mut k = 0;
        while k < all.len() {
            all[k] = TABLE[k].quantity;
            k += 1;
        }
        all
    };

    /// Names of all of them, in the same order.
    pub const NAMES: [&'static str; TABLE.len()] = {
        let mut names = [""; TABLE.len()];
        let mut k = 0;
        while k < names.len() {
            names[k] = TABLE[k].name;
            k += 1;
        }
        names
    };

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    fn is_of(self, owner: Owner) -> bool {
        self.row().owners[owner as usize]
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        self.row().name
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
        self.row().unit
    }

    /// The ways to make one number of it, the usual one first; none if it is one number.
    pub fn reductions(self) -> &'static [Reduction] {
        self.row().reductions
    }

    pub(super) fn direction(self) -> Direction {
        self.row().direction
    }

    /// Whether it is about a point.
    pub(super) fn has_point(self) -> bool {
        self.row().about_a_point
    }

    /// Whether it adds up over bodies, so that the scene as a whole has it too.
    pub(super) fn is_of_scene(self) -> bool {
        self.is_of(Owner::Scene)
    }

    /// Whether it is of contacts.
    pub(super) fn is_of_contacts(self) -> bool {
        self.is_of(Owner::Contacts)
    }

    /// Whether zones have it.
    pub(super) fn is_of_zones(self) -> bool {
        self.is_of(Owner::Zones)
    }

    /// Whether joints have it, and nothing else has.
    pub(super) fn is_of_joints(self) -> bool {
        self.is_of(Owner::Joints)
    }

    /// The field it reduces, if it is one of elements.
    pub(super) fn field(self) -> Option<Field> {
        self.row().field
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

//! Zones: gas or liquid enclosed in bodies.

use super::BodyId;
use crate::energy::{ATMOSPHERE, VolumeModel};
use crate::mesh::Selection;

/// A zone of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ZoneId(pub(crate) u32);

impl ZoneId {
    /// Position in the order of zones.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A volume of gas or liquid that a surface encloses. Its pressure is the same everywhere and follows from its
/// volume; it has no mass and no flow. Pressures are counted from that of the atmosphere, which pushes on the other
/// side.
///
/// ```
/// use stiction::body::{Cloth, Solid, Zone};
/// use stiction::mesh::generate;
/// use stiction::{Scene, Simulation};
///
/// let mut scene = Scene::new();
/// let ball = scene.add(Solid::new(generate::hollow_ball(0.026, 0.033, 0.006)?));
/// let air = scene.zone(Zone::cavity(ball).gauge_pressure(80e3)); // a tennis ball
///
/// let simulation = Simulation::new(&scene)?;
/// assert!((simulation.zone_pressure(air) - 80e3).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Zone {
    /// For messages and output.
    pub name: Option<String>,
    /// What encloses it: surfaces that together are closed, where they meet by welds.
    pub surfaces: Vec<(BodyId, ZonePart)>,
    /// How pressure follows from volume.
    pub model: VolumeModel,
    /// Pressure above that of the atmosphere, at the rest volume [Pa].
    pub gauge_pressure: f64,
    /// The volume at which the pressure is `gauge_pressure`; by default that inside the bodies at rest [m³].
    pub rest_volume: Option<f64>,
    /// Whether holes are closed by virtual fans, which have no mass or strength but count for volume and pressure;
    /// the surface must be closed otherwise.
    pub fill_holes: bool,
}

/// Which surface of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum ZonePart {
    /// A cloth as a whole; a solid from outside, with all that is in it.
    Outside,
    /// The hollows inside a solid, all taken together.
    Cavity,
    /// Faces of a cloth or of the surface of a solid whose corners are all selected, where the body is placed.
    Selected(Selection),
}

impl Zone {
    /// Air inside a closed cloth, or in place of a solid.
    pub fn inside(body: BodyId) -> Self {
        Self::of(body, ZonePart::Outside)
    }

    /// Air in the hollows of a solid.
    pub fn cavity(body: BodyId) -> Self {
        Self::of(body, ZonePart::Cavity)
    }

    /// Air enclosed by part of a body: an ideal gas as dense as outside.
    pub fn of(body: BodyId, part: ZonePart) -> Self {
        Self {
            name: None,
            surfaces: vec![(body, part)],
            model: VolumeModel::IdealGas,
            gauge_pressure: 0.0,
            rest_volume: None,
            fill_holes: false,
        }
    }

    /// Lets another surface help to enclose it, one that is welded to the first.
    #[must_use]
    pub fn and(mut self, body: BodyId, part: ZonePart) -> Self {
        self.surfaces.push((body, part));
        self
    }

    /// Gives it a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Fills it with something else than an ideal gas.
    #[must_use]
    pub fn model(mut self, model: VolumeModel) -> Self {
        self.model = model;
        self
    }

    /// Sets the pressure above that of the atmosphere at rest [Pa].
    #[must_use]
    pub fn gauge_pressure(mut self, pressure: f64) -> Self {
        self.gauge_pressure = pressure;
        self
    }

    /// Sets the absolute pressure at rest in atmospheres [-]: 1 is as outside.
    #[must_use]
    pub fn pressure_factor(self, factor: f64) -> Self {
        self.gauge_pressure((factor - 1.0) * ATMOSPHERE)
    }

    /// Sets the volume at which the pressure is that at rest [m³].
    #[must_use]
    pub fn rest_volume(mut self, volume: f64) -> Self {
        self.rest_volume = Some(volume);
        self
    }

    /// Closes holes by virtual fans.
    #[must_use]
    pub fn filling_holes(mut self) -> Self {
        self.fill_holes = true;
        self
    }
}

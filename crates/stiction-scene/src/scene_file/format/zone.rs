//! What bodies enclose.

use super::super::decode::{Spanned, record, word};
use super::super::leaves::{Name, Number, Positive};
use super::Where;

record! {
    /// Gas or liquid that a body encloses, of one pressure everywhere.
    ZoneTable, "a zone" {
        /// What probes call it.
        name: Option<Name>,
        /// What encloses it: a closed cloth, or a solid.
        body: Name,
        /// Only faces of the surface whose corners are all selected.
        r#where: Option<Where>,
        /// The hollows inside a solid, instead of its outside; `false` by default.
        cavity: Option<bool>,
        /// Other surfaces that help to enclose it, welded to the first.
        and: Vec<Spanned<ZoneSurfaceTable>>,
        /// What it is filled with; `ideal-gas` by default.
        model: Option<ZoneModelWord>,
        /// Of a liquid: relative loss of volume per atmosphere of pressure [1/atm]; of water 4.6e-5.
        compressibility: Option<Spanned<Positive>>,
        /// Pressure above that of the atmosphere, at the rest volume [Pa]; 0 by default.
        gauge_pressure: Option<Number>,
        /// The same as absolute pressure, in atmospheres [-]: 1 is as outside.
        pressure: Option<Spanned<Number>>,
        /// The volume at which it has this pressure [m³]; by default that of the bodies at rest.
        rest_volume: Option<Positive>,
        /// Close holes virtually, each by a fan about its centre; `false` by default.
        fill_holes: Option<bool>,
    }
}

record! {
    /// Another surface around a zone.
    ZoneSurfaceTable, "a surface of a zone" {
        /// Whose.
        body: Name,
        /// Only faces whose corners are all selected.
        r#where: Option<Where>,
        /// The hollows inside a solid, instead of its outside; `false` by default.
        cavity: Option<bool>,
    }
}

word! {
    /// How pressure follows from volume.
    ZoneModelWord, "a model of a volume" {
        /// Pressure times volume stays the same.
        "ideal-gas" => IdealGas,
        /// A liquid.
        "nearly-incompressible" => NearlyIncompressible,
        /// Pressure is linear in volume.
        "quadratic" => Quadratic,
    }
}

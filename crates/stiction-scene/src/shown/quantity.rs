//! Names, units and scales of what can be shown.

use super::range::Range;
use crate::frame::FieldPlace;

/// Something that a body can be coloured by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Words joined by underscores.
    pub name: String,
    /// SI; `1` if it has none.
    pub unit: String,
    /// Where its values sit.
    pub place: FieldPlace,
}

/// Vectors that can be drawn at vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrows {
    /// Words joined by underscores.
    pub name: String,
    /// SI; `1` if they have none.
    pub unit: String,
}

impl Quantity {
    pub(super) fn new(name: &str, unit: &str, place: FieldPlace) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), place }
    }

    /// How its numbers become colours.
    pub fn scale(&self) -> Scale {
        Scale::of(&self.name)
    }
}

impl Arrows {
    pub(super) fn new(name: &str, unit: &str) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned() }
    }
}

/// How numbers become colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From zero up: one colour map from dark to bright.
    FromZero,
    /// Both sides of this number: a colour map with a middle.
    Around(i8),
    /// 0 free, 1 sticks, 2 slips: a colour each.
    States,
}

impl Scale {
    /// That of the quantity of this name.
    pub fn of(name: &str) -> Self {
        match name {
            "contact_state" => Self::States,
            "max_stretch" | "min_stretch" | "volume_ratio" | "area_ratio" => Self::Around(1),
            "pressure" | "max_stress" | "gap" => Self::Around(0),
            _ => Self::FromZero,
        }
    }

    /// As written to JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::FromZero => "from_zero",
            Self::Around(_) => "around",
            Self::States => "states",
        }
    }

    /// Makes a range of what was found such that the scale keeps its promise.
    pub fn fit(self, found: Range) -> Range {
        let range = match self {
            Self::FromZero => Range { min: found.min.min(0.0), max: found.max },
            Self::Around(middle) => {
                let middle = f64::from(middle);
                let reach = (found.max - middle).abs().max((middle - found.min).abs());
                Range { min: middle - reach, max: middle + reach }
            }
            Self::States => Range { min: 0.0, max: 2.0 },
        };
        range.widened()
    }
}

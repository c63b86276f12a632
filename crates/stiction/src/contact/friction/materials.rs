//! Coefficients of pairs of materials, and rules for pairs that no table has [AEF22, §1.5.1, tab. 1; §6.4].
//!
//! Friction belongs to the pair: there is no coefficient of steel, only of steel on steel, dry or greasy. Numbers of
//! tables are ranges, with gaps: where a kinetic coefficient is missing the static one is taken for both. Aluminium
//! on aluminium is listed with a larger kinetic than static coefficient; what slides more easily at rest than in
//! motion would start and stop without end, so the smaller one is taken for both.
//!
//! Where both surfaces come with a number of their own, [`Combination`] makes one of two. None of its rules is
//! physics; all are symmetric.

use super::super::rule::Friction;
use crate::names::UnknownName;

/// What is between two surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// Clean and dry.
    #[default]
    Dry,
    /// Greasy.
    Greasy,
    /// Castor oil.
    CastorOil,
    /// Dry, along the grain of the wood.
    AlongTheGrain,
}

impl Condition {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Dry, Self::Greasy, Self::CastorOil, Self::AlongTheGrain];

    /// As it is written after the comma.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dry => "dry",
            Self::Greasy => "greasy",
            Self::CastorOil => "castor oil",
            Self::AlongTheGrain => "along the grain",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredPair {
    /// Its name.
    pub name: &'static str,
    /// Both materials; either may be named first.
    pub materials: [&'static str; 2],
    /// What is between them.
    pub condition: Condition,
    /// Smallest and largest coefficient of sticking that is reported [-].
    pub stick: [f64; 2],
    /// The same of sliding, where it is reported [-].
    pub slide: Option<[f64; 2]>,
}

impl MeasuredPair {
    /// Friction with the middle of both ranges.
    pub fn friction(&self) -> Friction {
        let middle = |[low, high]: [f64; 2]| 0.5 * (low + high);
        let stick = middle(self.stick);
        let slide = self.slide.map_or(stick, middle).min(stick);
        let different = (stick > slide).then_some(stick);
        Friction { static_coefficient: different, ..Friction::coulomb(slide) }
    }
}

const fn row(
    name: &'static str,
    materials: [&'static str; 2],
    condition: Condition,
    stick: [f64; 2],
    slide: Option<[f64; 2]>,
) -> MeasuredPair {
    MeasuredPair { name, materials, condition, stick, slide }
}

/// [AEF22, tab. 1].
pub const PAIRS: [MeasuredPair; 11] = [
    row(
        "aluminium on aluminium, dry",
        ["aluminium", "aluminium"],
        Condition::Dry,
        [1.05, 1.35],
        Some([1.4, 1.4]),
    ),
    row(
        "aluminium on aluminium, greasy",
        ["aluminium", "aluminium"],
        Condition::Greasy,
        [0.3, 0.3],
        None,
    ),
    row(
        "cast iron on cast iron, dry",
        ["cast iron", "cast iron"],
        Condition::Dry,
        [1.1, 1.1],
        Some([0.15, 0.15]),
    ),
    row("tyre on asphalt, dry", ["tyre", "asphalt"], Condition::Dry, [0.72, 0.72], None),
    row("tyre on grass, dry", ["tyre", "grass"], Condition::Dry, [0.35, 0.35], None),
    row("ice on wood, dry", ["ice", "wood"], Condition::Dry, [0.05, 0.05], None),
    row(
        "leather on oak, along the grain",
        ["leather", "oak"],
        Condition::AlongTheGrain,
        [0.61, 0.61],
        Some([0.52, 0.52]),
    ),
    row(
        "rubber on asphalt, dry",
        ["rubber", "asphalt"],
        Condition::Dry,
        [0.9, 0.9],
        Some([0.5, 0.8]),
    ),
    row("steel on steel, dry", ["steel", "steel"], Condition::Dry, [0.5, 0.8], Some([0.42, 0.42])),
    row("steel on steel, greasy", ["steel", "steel"], Condition::Greasy, [0.16, 0.16], None),
    row(
        "steel on steel, castor oil",
        ["steel", "steel"],
        Condition::CastorOil,
        [0.15, 0.15],
        Some([0.081, 0.081]),
    ),
];

/// The row of two materials, in either order. Without a condition: dry, or the only one there is.
pub fn pair(a: &str, b: &str, condition: Option<Condition>) -> Option<&'static MeasuredPair> {
    let fits = |row: &&MeasuredPair| row.materials == [a, b] || row.materials == [b, a];
    let mut rows = PAIRS.iter().filter(fits);
    match condition {
        Some(condition) => rows.find(|row| row.condition == condition),
        None => {
            let all: Vec<_> = rows.collect();
            let dry = all.iter().find(|row| row.condition == Condition::Dry);
            dry.or(all.first().filter(|_| all.len() == 1)).copied()
        }
    }
}

/// The row with a name: `steel on steel, dry`; either material may come first, and the condition may be left out.
///
/// # Errors
/// When there is none.
pub fn named(name: &str) -> Result<&'static MeasuredPair, UnknownName> {
    let parsed = || {
        let (both, condition) = match name.split_once(',') {
            Some((both, condition)) => {
                let is_it = |known: &Condition| known.name() == condition.trim();
                (both, Some(Condition::ALL.into_iter().find(is_it)?))
            }
            None => (name, None),
        };
        let (a, b) = both.split_once(" on ")?;
        pair(a.trim(), b.trim(), condition)
    };
    let known = || PAIRS.iter().map(|row| row.name).collect();
    parsed().ok_or_else(|| UnknownName::new("pair of materials", name, known()))
}

/// Whether a row of the table names a material.
pub fn is_material(name: &str) -> bool {
    PAIRS.iter().any(|row| row.materials.contains(&name))
}

/// What one surface brings along for pairs that no rule names.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stuff {
    /// What it is of, as the table names it.
    pub material: Option<String>,
    /// What is on it.
    pub condition: Condition,
}

/// Friction of two surfaces: of the table, if it has both materials; else, if both have a coefficient of their own,
/// of the rule.
pub fn of_pair([a, b]: [(&Stuff, Option<f64>); 2], combination: Combination) -> Option<Friction> {
    let measured = a.0.material.as_deref().zip(b.0.material.as_deref()).and_then(|(x, y)| {
        // Grease on one is grease between both.
        let condition = a.0.condition.max(b.0.condition);
        pair(x, y, (condition != Condition::Dry).then_some(condition))
    });
    let combined = || Some(Friction::coulomb(combination.combine(a.1?, b.1?)));
    measured.map(MeasuredPair::friction).or_else(combined)
}

/// One coefficient of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combination {
    /// Half of the sum.
    #[default]
    Average,
    /// Root of the product: nothing rubs on what has no friction.
    Geometric,
    /// The smaller one.
    Smaller,
    /// The larger one.
    Larger,
}

impl Combination {
    /// The coefficient of a pair [-].
    pub fn combine(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Average => 0.5 * (a + b),
            Self::Geometric => (a * b).sqrt(),
            Self::Smaller => a.min(b),
            Self::Larger => a.max(b),
        }
    }
}

//! Continuous collision: when do two features that move along straight lines meet?
//!
//! Positions are given at the start and at the end of a motion; in between, every point moves evenly along the line
//! from one to the other, and time runs from zero to one. A *contact* is a moment at which the distance is not above
//! the `separation` asked for. Two methods find the first:
//!
//! | module | promise | price |
//! |---|---|---|
//! | [`inclusion`] | never misses a contact, whatever is degenerate, rounding included | |
//! | [`additive`] | never misses a contact in exact arithmetic; keeps a part of the gap | slow where corners move much faster than the point of contact |
//!
//! Both report a time at which there has been no contact yet, and leave no more than a tolerance between the two.
//! [`surface`] asks for the first contact of whole meshes.

pub mod additive;
pub mod inclusion;
pub mod surface;

mod patch;
mod query;

pub use query::Query;

/// What to look for, and how precisely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Distance that counts as contact [m]; zero: only touching does.
    pub separation: f64,
    /// How much more than `separation` may be left at the time reported [m]. Of a smaller gap at the start, at most
    /// one half is used up, so that a motion that starts apart gets somewhere.
    pub tolerance: f64,
    /// After so many steps the search ends with the earliest time not yet ruled out.
    pub max_steps: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { separation: 0.0, tolerance: 1e-6, max_steps: 100_000 }
    }
}

/// The first contact of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("TOI", "time of impact"))]
pub struct Impact {
    /// No contact happens before this part of the motion, from zero to one.
    pub time: f64,
    /// Why the search ended here.
    pub reason: Reason,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// What is left of the gap is within the tolerance.
    Contact,
    /// The steps were used up; a contact may come later, or never.
    StepLimit,
    /// A position is NaN, infinite or too large to compute with. The time is zero.
    NotFinite,
}

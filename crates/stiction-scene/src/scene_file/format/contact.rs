//! How bodies touch and rub against each other.

use super::super::decode::{Spanned, record};
use super::super::leaves::{Fraction, Name, NotNegative, NumberOr, OneOrMore, Pair, Positive};

/// `friction = 0.3`, a table, or `[[friction]]` tables.
pub type FrictionValue = OneOrMore<Spanned<NumberOr<FrictionTable>>>;

record! {
    /// Friction between two bodies, or between all that no other table names.
    FrictionTable, "friction" {
        /// What others call it.
        name: Option<Name>,
        /// The two bodies; by default all pairs that no other table names.
        between: Option<Spanned<Pair<Name>>>,
        /// Of a contact that slides: force along the surfaces over force across them [-].
        coefficient: NotNegative,
        /// The same of a contact that sticks [-]; by default no other.
        static_coefficient: Option<Spanned<NotNegative>>,
        /// Of the smoothed law: slip velocity at which friction has fallen from static to kinetic [m/s]; 0 by default.
        stribeck_velocity: Option<NotNegative>,
        /// What the coefficient grows by per slip velocity, as if oiled [s/m]; 0 by default.
        viscosity: Option<NotNegative>,
    }
}

record! {
    /// How two bodies touch.
    ContactTable, "a contact" {
        /// What others call it.
        name: Option<Name>,
        /// The two bodies.
        between: Spanned<Pair<Name>>,
        /// Friction between them, as a coefficient or as a table; by default that of all pairs.
        friction: Option<Spanned<NumberOr<PairFrictionTable>>>,
        /// Of the impulse method: part of its velocity that a bounce returns; 0 by default [-].
        restitution: Option<Fraction>,
        /// Gap at which they begin to push [m]; by default a hundredth of the mean edge.
        thickness: Option<Positive>,
        /// A third of the normal stiffness at half the thickness [N/m]; by default from weights and materials.
        stiffness: Option<Positive>,
        /// Whose surface the points of the other touch: a body of the two, `auto` (default) or `both`.
        surface: Option<Name>,
        /// False for bodies that pass through each other; true by default.
        enabled: Option<bool>,
    }
}

record! {
    /// Friction of a pair.
    PairFrictionTable, "friction of a contact" {
        /// Of a contact that slides: force along the surfaces over force across them [-].
        coefficient: NotNegative,
        /// The same of a contact that sticks [-]; by default no other.
        static_coefficient: Option<Spanned<NotNegative>>,
        /// Of the smoothed law: slip velocity at which friction has fallen from static to kinetic [m/s]; 0 by default.
        stribeck_velocity: Option<NotNegative>,
        /// What the coefficient grows by per slip velocity, as if oiled [s/m]; 0 by default.
        viscosity: Option<NotNegative>,
    }
}

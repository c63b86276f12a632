//! How bodies touch and rub against each other.

use super::super::decode::{Spanned, record};
use super::super::leaves::{Fraction, Name, NotNegative, NumberOr, OneOrMore, Pair, Positive};
use super::CombineWord;

/// `friction = 0.3`, a table, or `[[friction]]` tables.
pub type FrictionValue = OneOrMore<Spanned<NumberOr<FrictionTable>>>;

/// Declares the tables of friction, of pairs and of all bodies, with the keys they share.
macro_rules! friction_tables {
    ($($(#[$doc:meta])* $key:ident: $kind:ty,)*) => {
        record! {
            /// Friction between two bodies, or between all that no other table names.
            FrictionTable, "friction" {
                /// What others call it.
                name: Option<Name>,
                /// The two bodies; by default all pairs that no other table names.
                between: Option<Spanned<Pair<Name>>>,
                $($(#[$doc])* $key: $kind,)*
                /// For all pairs: how coefficients of two skins become one where no table names both; `average` by
                /// default.
                combine: Option<Spanned<CombineWord>>,
            }
        }

        record! {
            /// Friction of a pair.
            PairFrictionTable, "friction of a contact" {
                $($(#[$doc])* $key: $kind,)*
            }
        }

        impl FrictionTable {
            /// The same keys, for a pair.
            pub(in crate::scene_file) fn of_pair(&self) -> PairFrictionTable {
                let Self { $($key,)* .. } = self.clone();
                PairFrictionTable { $($key,)* }
            }
        }
    };
}

friction_tables! {
    /// Two materials of the table, and what is between them: `steel on steel, dry`.
    preset: Option<Name>,
    /// Of a contact that slides: force along the surfaces over force across them [-]; needed without `preset` or
    /// `along` and `across`.
    coefficient: Option<NotNegative>,
    /// The same of a contact that sticks [-]; by default no other.
    static_coefficient: Option<Spanned<NotNegative>>,
    /// Of the smoothed law: slip velocity at which friction has fallen from static to kinetic [m/s]; 0 by default.
    stribeck_velocity: Option<NotNegative>,
    /// What the coefficient grows by per slip velocity, as if oiled [s/m]; 0 by default.
    viscosity: Option<NotNegative>,
    /// Of sliding along the grain of a skin, or of both [-].
    along: Option<Spanned<NotNegative>>,
    /// Of sliding across the grain [-].
    across: Option<NotNegative>,
    /// By the tensors of both skins, times this [-].
    tensors: Option<NotNegative>,
    /// Whether the textures of both skins add to the coefficient; `false` by default.
    textures: Option<bool>,
    /// Torque against spin about the normal, per force across the surfaces [m]; 0 by default.
    torsion: Option<NotNegative>,
    /// Of the impulse method: torque against rolling, per force across the surfaces [m]; 0 by default.
    rolling: Option<NotNegative>,
    /// Whether spin and slip share one limit, so that what spins slides more easily; `true` by default.
    shared: Option<bool>,
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
        /// Of the `smooth` method: points that came nearer than the thickness hold on until the gap is this large
        /// [m]; by default they do not.
        fracture: Option<Positive>,
        /// Whose surface the points of the other touch: a body of the two, `auto` (default) or `both`.
        surface: Option<Name>,
        /// False for bodies that pass through each other; true by default.
        enabled: Option<bool>,
    }
}

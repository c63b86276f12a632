//! What a contact may do.

/// The law of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Law {
    /// Pushes along its normal, nothing else.
    Frictionless,
    /// Dry friction, the same in all directions.
    Coulomb {
        /// Friction coefficient [-].
        mu: f64,
    },
}

impl Law {
    /// Its friction coefficient [-].
    pub fn mu(self) -> f64 {
        match self {
            Self::Frictionless => 0.0,
            Self::Coulomb { mu } => mu,
        }
    }
}

/// How the cone of impulses is tied to velocities: a choice for the whole problem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Model {
    /// Friction opposes sliding, which happens in the tangent plane: `K ∋ r ⊥ u + μ‖u_T‖ e_N ∈ K*`.
    #[default]
    Coulomb,
    /// The convex relaxation `K ∋ r ⊥ u ∈ K*`: a quadratic program, but what slides lifts off at
    /// speed `μ‖u_T‖` (`docs/theory/impulses.md`, "Coulomb's cone, and de Saxcé's shift").
    #[doc(alias("CCP", "cone complementarity problem"))]
    Associated,
    /// Between both, `K ∋ r ⊥ u + θμ‖u_T‖ e_N ∈ K*` with `θ` from zero (associated) to one (Coulomb's): what the
    /// default goes through where all else fails. Maps and interior points know it; solvers that go contact by
    /// contact take Coulomb's law instead.
    Between(f64),
}

impl Model {
    /// What multiplies `‖u_T‖ e_N` in the shifted velocity.
    pub(super) fn shift(self, mu: f64) -> f64 {
        match self {
            Self::Coulomb => mu,
            Self::Associated => 0.0,
            Self::Between(part) => part * mu,
        }
    }
}

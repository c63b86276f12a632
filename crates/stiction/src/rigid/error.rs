//! Why something cannot be the mass of a rigid body.

/// What has no mass, or none that a body can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MassError {
    /// A density that is none.
    #[error("density is {density}\n  help: {}", self.help())]
    Density {
        /// The density given [kg/m³].
        density: f64,
    },
    /// A mass that is none.
    #[error("mass is {mass}\n  help: {}", self.help())]
    Mass {
        /// The mass given, or found [kg].
        mass: f64,
    },
    /// A centre or an inertia that is not finite.
    #[error("centre or inertia is not finite\n  help: {}", self.help())]
    NotFinite,
    /// A half-space.
    #[error("a half-space has no end, and no mass\n  help: {}", self.help())]
    Endless,
    /// A surface that encloses nothing.
    #[error("the surface is open: {count} edges have no partner, the first from vertex {} to {}\n  help: {}",
        .edge[0], .edge[1], self.help())]
    Open {
        /// The first such edge, as its triangle runs through it.
        edge: [u32; 2],
        /// How many there are.
        count: usize,
    },
    /// A surface that looks inward.
    #[error("the surface is inside out: it encloses {volume:e} m³\n  help: {}", self.help())]
    InsideOut {
        /// Negative [m³].
        volume: f64,
    },
    /// A surface that is closed but encloses nothing to speak of.
    #[error(
        "the surface encloses no volume: {volume:e} m³ in a box with a diagonal of {diagonal} m\n  help: {}",
        self.help()
    )]
    NoVolume {
        /// [m³].
        volume: f64,
        /// [m].
        diagonal: f64,
    },
    /// An inertia that is not symmetric.
    #[error(
        "the inertia is not symmetric: off-diagonal entries differ by {difference:e} kg·m²\n  help: {}",
        self.help()
    )]
    NotSymmetric {
        /// The largest [kg·m²].
        difference: f64,
    },
    /// An inertia without resistance about some axis.
    #[error("the inertia is not positive definite: principal moments {moments:?} kg·m²\n  help: {}", self.help())]
    NotPositive {
        /// Ascending [kg·m²].
        moments: [f64; 3],
    },
    /// An inertia that no distribution of mass has.
    #[error("no body has this inertia: of its principal moments {moments:?} kg·m², the largest exceeds the sum of \
         the others\n  help: {}", self.help())]
    Impossible {
        /// Ascending [kg·m²].
        moments: [f64; 3],
    },
}

impl MassError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Density { .. } => "give a finite density above zero [kg/m³]".to_owned(),
            Self::Mass { .. } => {
                "give a finite mass above zero [kg]; a body that nothing moves is an obstacle"
                    .to_owned()
            }
            Self::NotFinite => "check lengths and densities for overflow".to_owned(),
            Self::Endless => "make it an obstacle, or use a box".to_owned(),
            Self::Open { .. } => {
                "close the holes, make all triangles look outward, or weld vertices that coincide"
                    .to_owned()
            }
            Self::InsideOut { .. } => {
                "turn its triangles round, so that normals point outward".to_owned()
            }
            Self::NoVolume { .. } => "give it thickness".to_owned(),
            Self::NotSymmetric { .. } => "give both halves alike".to_owned(),
            Self::NotPositive { .. } => "give the body some width in all directions".to_owned(),
            Self::Impossible { .. } => {
                "check signs and order of the entries, or what was cut out".to_owned()
            }
        }
    }
}

//! How impulses are found.

use super::Operator;
use super::sleep::Sleep;
use crate::method::Unsupported;
use crate::model::Named;
use crate::scene::Scene;
use crate::solve::complementarity::cone::Solver;

/// How impulses are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseSettings {
    /// The solver of the contact problem.
    pub solver: Solver,
    /// What impulses do to bodies that deform or are joined.
    pub operator: Operator,
    /// Largest error of a contact's velocity that counts as solved [m/s].
    pub tolerance: f64,
    /// The most iterations a step.
    pub max_iterations: usize,
    /// Where in a step contacts are found.
    pub stepping: Stepping,
    /// What is done about overlaps.
    pub stabilisation: Stabilisation,
    /// Bodies that approach more slowly than this do not bounce [m/s].
    pub bounce_velocity: f64,
    /// When bodies that have come to rest sleep; if ever.
    pub sleep: Option<Sleep>,
}

/// Where in a step contacts are found, and how positions follow velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stepping {
    /// Contacts at the start; positions by the velocities of the end.
    #[default]
    SemiImplicit,
    /// Moreau's: contacts half a step ahead; positions by the mean of the velocities of start and end. A contact is
    /// noticed half a step later.
    Midpoint,
}

/// What is done about overlaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stabilisation {
    /// Bodies are moved apart after each step, and get no faster by it.
    Projection {
        /// What need not be moved apart, in sizes of the smaller body [-].
        allowed: f64,
        /// How often contacts are found again and bodies moved, at most.
        passes: usize,
    },
    /// Velocities are asked for that take overlaps away, as a damped spring would: `u + ε r = -υ g / h` [AEF22,
    /// §1.9]. They stay.
    Baumgarte {
        /// Part of an overlap that a step takes away, `υ` or "ERP" [-].
        #[doc(alias("ERP", "error reduction parameter"))]
        correction: f64,
        /// How much contacts give way, velocity per impulse, `ε` or "CFM" [1/kg].
        #[doc(alias("CFM", "constraint force mixing"))]
        compliance: f64,
    },
}

impl Stabilisation {
    /// What need not be moved apart by default, in sizes of the smaller body [-]: it is not seen.
    pub const ALLOWED_OVERLAP: f64 = 1e-4;
    /// Passes by default: they leave no more than the allowed overlap, unless something is jammed.
    pub const PASSES: usize = 5;
    /// Part of an overlap that a step takes away by default [-], as in most engines.
    pub const CORRECTION: f64 = 0.2;
    /// Projection with its defaults.
    pub const PROJECTION: Self =
        Self::Projection { allowed: Self::ALLOWED_OVERLAP, passes: Self::PASSES };
    /// The spring and damper that most engines have.
    pub const BAUMGARTE: Self = Self::Baumgarte { correction: Self::CORRECTION, compliance: 0.0 };

    /// What need be neither moved apart nor closed, in sizes of the smaller body [-].
    pub(super) fn slack(&self) -> f64 {
        match *self {
            Self::Projection { allowed, .. } => allowed,
            Self::Baumgarte { .. } => 0.0,
        }
    }
}

impl Default for ImpulseSettings {
    fn default() -> Self {
        Self {
            solver: Solver::Default,
            operator: Operator::Assembled,
            tolerance: 1e-8,
            max_iterations: 10_000,
            stepping: Stepping::SemiImplicit,
            stabilisation: Stabilisation::PROJECTION,
            bounce_velocity: 0.02,
            sleep: None,
        }
    }
}

impl ImpulseSettings {
    /// What it cannot do.
    pub(crate) fn unsupported(&self, scene: &Scene) -> Vec<Unsupported> {
        let zones = (!scene.zones.is_empty()).then(|| Unsupported {
            what: "the method",
            whose: Named::settings(),
            value: "impulses, in a scene with zones of gas or liquid".into(),
            bodies: Vec::new(),
            help: "zones need the smooth method",
        });
        let solver = self.solver;
        let limited = super::super::frictions(scene).filter(|(friction, _)| {
            super::friction::for_limits(solver).is_none() && super::friction::needs_limits(friction)
        });
        let limited = limited.map(|(_, bodies)| Unsupported {
            what: "the solver",
            whose: super::super::whose_friction(scene, bodies),
            value: format!("`{}`, which knows cones of friction alone", solver.name()),
            bodies: bodies.into_iter().flatten().collect(),
            help: "torsion, rolling, tensors and textures need `default`, `gauss-seidel`, `nncg`, `prox-gauss-seidel`, \
                   `prox-jacobi`, a Newton solver or `interior-point`",
        });
        let help = "take the smooth method, or leave it out";
        let oiled = super::super::frictions(scene).filter(|(friction, _)| friction.viscosity > 0.0);
        let oiled = oiled.map(|(friction, bodies)| Unsupported {
            what: "the viscosity",
            whose: super::super::whose_friction(scene, bodies),
            value: friction.viscosity.to_string(),
            bodies: bodies.into_iter().flatten().collect(),
            help,
        });
        let bonds = scene.contacts.iter().filter_map(|rule| Some((rule.between, rule.fracture?)));
        let bonds = bonds.map(|(between, fracture)| {
            super::super::unsupported_contact(scene, between, "the fracture length", fracture, help)
        });
        zones.into_iter().chain(limited).chain(oiled).chain(bonds).collect()
    }
}

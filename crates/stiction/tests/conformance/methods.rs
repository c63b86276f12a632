//! The methods, and what is said of each besides that all claims hold.
//!
//! A new method is one line of [`METHODS`], and gets the whole suite. What it cannot do it *refuses*, with a
//! reason that the table quotes.
//! What is wrong today is *known*: the claim stays as it is, the suite makes sure that it still fails, and
//! whoever mends it takes the mark away.

use stiction::method::barrier::{BarrierSettings, make_room};
use stiction::method::impulse::ImpulseSettings;
use stiction::solve::complementarity::cone::Solver;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

use crate::harness::{Fault, Verdict};

/// A way of taking steps.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// Solved so well that only what a method does is left.
    settings: fn() -> Settings,
    /// The same with a contact solver by name, if the method has such.
    with_solver: Option<fn(Solver) -> Settings>,
    /// Room that it needs between bodies [m].
    room: Option<f64>,
    marks: &'static [(&'static str, Mark)],
}

/// What a method does about a claim, if it does not hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    /// It says that it cannot, with these words.
    Refuses(&'static str),
    /// It is wrong: what is to be mended, and what happens today.
    Known(Defect, &'static str),
}

/// All of them, that others are compared with first.
pub(crate) const METHODS: &[Method] = &[
    Method { name: "smooth", settings: smooth, with_solver: None, room: None, marks: SMOOTH },
    Method {
        name: "impulse",
        settings: impulse,
        with_solver: Some(impulse_by),
        room: None,
        marks: IMPULSE,
    },
    Method {
        name: "barrier",
        settings: barrier,
        with_solver: None,
        room: Some(2e-4),
        marks: BARRIER,
    },
];

fn smooth() -> Settings {
    let mut settings = Settings::default();
    settings.smooth().integrator = Integrator::BackwardEuler;
    settings.smooth().solver.tolerance = 1e-8;
    settings
}

fn impulse() -> Settings {
    impulse_by(Solver::Default)
}

fn impulse_by(solver: Solver) -> Settings {
    let own = ImpulseSettings { tolerance: 1e-10, solver, ..ImpulseSettings::default() };
    Settings { method: own.into(), ..smooth() }
}

fn barrier() -> Settings {
    let own = BarrierSettings { tolerance: 1e-8, ..BarrierSettings::default() };
    Settings { method: own.into(), ..Settings::default() }
}

/// What is to be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    /// Of two balls of the same size, which one is the point depends on their order.
    OrderOfBodies,
    /// Round bodies are polyhedra, which roll with bumps.
    Facets,
}

use Defect::*;
use Mark::{Known, Refuses};

const SMOOTH: &[(&str, Mark)] = &[
    ("friction/rolling_resistance_stops_a_ball", Refuses("take the impulse method")),
    ("friction/torsion_apart_from_sliding_stops_a_spin", Refuses("or take the impulse method")),
    ("restitution/a_ball_comes_back_as_fast_as_its_rule_says", Refuses("take the impulse method")),
    ("restitution/a_ball_turns_back_at_the_floor", Refuses("take the impulse method")),
    (
        "invariance/round_bodies_in_another_order_move_alike",
        Known(OrderOfBodies, "of two equal balls, the first is the surface"),
    ),
];

const IMPULSE: &[(&str, Mark)] = &[
    ("zones/a_balloon_rests_on_a_floor", Refuses("zones need the smooth method")),
    (
        "friction/torsion_is_solved_by_the_solver_that_was_chosen",
        Refuses("which knows cones of friction alone"),
    ),
    ("friction/oil_brakes_what_is_fast", Refuses("take the smooth method")),
    ("silent/a_fracture_length_holds_on", Refuses("take the smooth method")),
];

const BARRIER: &[(&str, Mark)] = &[
    ("friction/rolling_resistance_stops_a_ball", Refuses("take the smooth or the impulse method")),
    (
        "friction/torsion_apart_from_sliding_stops_a_spin",
        Refuses("take the smooth or the impulse method"),
    ),
    ("friction/torsion_stops_a_spin", Refuses("take the smooth or the impulse method")),
    ("friction/a_grain_guides_what_slides", Refuses("take the smooth or the impulse method")),
    (
        "records/the_coefficient_along_a_grain_is_that_of_the_pair",
        Refuses("take the smooth or the impulse method"),
    ),
    ("friction/oil_brakes_what_is_fast", Refuses("take the smooth or the impulse method")),
    ("silent/a_fracture_length_holds_on", Refuses("take the smooth method")),
    ("restitution/a_ball_comes_back_as_fast_as_its_rule_says", Refuses("take the impulse method")),
    ("restitution/a_ball_turns_back_at_the_floor", Refuses("take the impulse method")),
    ("bodies/Ball on CoarseSolid", Known(Facets, "it still rolls at 0.04 m/s")),
    ("bodies/Capsule on CoarseSolid", Known(Facets, "it still rolls at 0.033 m/s")),
    ("probes/spin", Known(Facets, "it rolls with 0.64 of its speed, not 5/7")),
    ("probes/angular_momentum", Known(Facets, "3 % too much while it slips")),
    ("bodies/Solid on Cloud", Refuses("without triangles")),
    ("bodies/Cloth on Cloud", Refuses("without triangles")),
    ("bodies/Box on Cloud", Refuses("without triangles")),
    ("bodies/Ball on Cloud", Refuses("without triangles")),
    ("bodies/Capsule on Cloud", Refuses("without triangles")),
    ("bodies/Cylinder on Cloud", Refuses("without triangles")),
    ("bodies/Hull on Cloud", Refuses("without triangles")),
    ("bodies/Compound on Cloud", Refuses("without triangles")),
    ("bodies/RigidMesh on Cloud", Refuses("without triangles")),
    ("bodies/Box slides over Cloud", Refuses("without triangles")),
];

impl Method {
    pub(crate) fn settings(&self, h: f64) -> Settings {
        Settings { time_step: h, ..(self.settings)() }
    }

    /// The same with a contact solver; nothing if it has none.
    pub(crate) fn settings_by(&self, h: f64, solver: Solver) -> Option<Settings> {
        let by = self.with_solver?;
        Some(Settings { time_step: h, ..by(solver) })
    }

    /// A simulation with steps of `h`, or why not.
    pub(crate) fn start(&self, scene: &Scene, h: f64) -> Verdict<Simulation> {
        start(&self.placed(scene)?, self.settings(h))
    }

    /// The scene with as much room between bodies as the method needs.
    pub(crate) fn placed(&self, scene: &Scene) -> Verdict<Scene> {
        let mut scene = scene.clone();
        if let Some(room) = self.room {
            // Whatever has none is refused as such.
            let _ = make_room(&mut scene, room);
        }
        Ok(scene)
    }

    pub(crate) fn mark(&self, claim: &str) -> Option<Mark> {
        self.marks.iter().find(|(marked, _)| *marked == claim).map(|(_, mark)| *mark)
    }

    /// Claims that are marked.
    pub(crate) fn marked(&self) -> impl Iterator<Item = &'static str> {
        self.marks.iter().map(|(claim, _)| *claim)
    }
}

pub(crate) fn start(scene: &Scene, settings: Settings) -> Verdict<Simulation> {
    Simulation::with_settings(scene, settings).map_err(|error| Fault::Refused(error.to_string()))
}

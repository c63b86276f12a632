//! How time is advanced, and what is stored, with defaults chosen from the scene.

use stiction::Settings;
use stiction::math::Vector3;
use stiction::step::Integrator;
use stiction::system::{Method, SolverSettings, Stabilisation};

use super::super::decode::{Spanned, did_you_mean};
use super::super::format::{
    IntegratorTable, IntegratorValue, MethodTable, OutputTable, PrecisionWord, SmoothTable,
    SolverWord, StabilisationWord,
};
use super::super::leaves::{Count, Index, Name, NameOr, Positive};
use super::super::problem::Problems;

/// Frames per simulated second, unless the scene says otherwise: smooth to look at, and little to store.
const FRAME_RATE: f64 = 50.0;

/// Settings for a scene, written into `given` where they were left out.
pub(super) fn settings(
    given: &mut Option<MethodTable>,
    duration: f64,
    gravity: Vector3,
    problems: &mut Problems,
) -> Settings {
    let MethodTable::Smooth(table) = given.get_or_insert(MethodTable::Smooth(SmoothTable {
        time_step: None,
        integrator: None,
        tolerance: None,
        max_iterations: None,
        max_halvings: None,
        solver: None,
        stabilisation: None,
    }));
    let default = Settings::default();
    let time_step = table.time_step.get_or_insert(Positive((0.01_f64).min(duration / 100.0))).0;
    let by_default = || Spanned {
        value: NameOr::Name(Name { value: "bdf2".into(), span: Default::default() }),
        span: Default::default(),
    };
    let integrator = integrator(table.integrator.get_or_insert_with(by_default), problems);
    // Accelerations are measured against gravity, and where there is none against 1 m/s².
    let tolerance = *table.tolerance.get_or_insert(Positive(1e-7 * gravity.norm().max(1.0)));
    let max_iterations =
        *table.max_iterations.get_or_insert(Count(default.solver.max_iterations as u32));
    let max_halvings = *table.max_halvings.get_or_insert(Index(default.max_halvings));
    let method = match table.solver.get_or_insert(SolverWord::Auto) {
        SolverWord::Auto => Method::Auto,
        SolverWord::Minimise => Method::Minimise,
        SolverWord::Newton => Method::Newton,
        SolverWord::InexactNewton => Method::InexactNewton,
        SolverWord::MatrixFree => Method::MatrixFree,
    };
    let stabilisation = match table.stabilisation.get_or_insert(StabilisationWord::Projection) {
        StabilisationWord::Projection => Stabilisation::Projection,
        StabilisationWord::Inertia => Stabilisation::Inertia,
    };
    Settings {
        time_step,
        integrator: integrator.unwrap_or_default(),
        solver: SolverSettings {
            method,
            stabilisation,
            tolerance: tolerance.0,
            max_iterations: max_iterations.0 as usize,
            ..SolverSettings::default()
        },
        max_halvings: max_halvings.0,
    }
}

fn integrator(given: &IntegratorValue, problems: &mut Problems) -> Option<Integrator> {
    let known: [(&str, Integrator); 6] = [
        ("backward-euler", Integrator::BackwardEuler),
        ("bdf2", Integrator::Bdf2),
        ("newmark", Integrator::Newmark { beta: 0.25, gamma: 0.5 }),
        ("sdirk2", Integrator::Sdirk2),
        ("tr-bdf2", Integrator::TR_BDF2),
        ("trapezoid", Integrator::Trapezoid),
    ];
    let integrator = match &given.value {
        NameOr::Name(name) => match known.iter().find(|(known, _)| *known == name.value) {
            Some((_, integrator)) => *integrator,
            None => {
                let names = known.map(|(name, _)| name);
                let message = format!("there is no integrator `{}`", name.value);
                problems.add(name.span, message, did_you_mean(&name.value, &names));
                return None;
            }
        },
        NameOr::Table(IntegratorTable::TrBdf2(table)) => {
            Integrator::TrBdf2 { split: table.split.0 }
        }
        NameOr::Table(IntegratorTable::Newmark(table)) => {
            Integrator::Newmark { beta: table.beta.0, gamma: table.gamma.0 }
        }
    };
    problems.note(given.span, integrator.check())?;
    Some(integrator)
}

/// Steps from frame to frame.
pub(super) fn steps_per_frame(
    given: &mut Option<OutputTable>,
    time_step: f64,
    steps: Option<u64>,
    problems: &mut Problems,
) -> (u64, PrecisionWord) {
    let table = given.get_or_insert(OutputTable {
        frame_rate: None,
        every: None,
        fields: None,
        precision: None,
    });
    if let (Some(_), Some(every)) = (table.frame_rate, &table.every) {
        let help = "leave one out".to_owned();
        problems.add(every.span, "`frame_rate` and `every` are both given", help);
    }
    let rate = table.frame_rate.take().map_or(FRAME_RATE, |rate| rate.0);
    let most = steps.unwrap_or(1).clamp(1, u64::from(u32::MAX)) as f64;
    let nearest = (1.0 / (rate * time_step)).round().clamp(1.0, most);
    let by_default = Spanned { value: Count(nearest as u32), span: Default::default() };
    let every = table.every.get_or_insert(by_default).value;
    let precision = table.precision.get_or_insert(PrecisionWord::Single);
    (u64::from(every.0), *precision)
}

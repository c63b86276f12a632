//! How time is advanced, and what is stored, with defaults chosen from the scene.

use stiction::Settings;
use stiction::math::Vector3;
use stiction::method::barrier::{BarrierSettings, Coupling as BarrierCoupling};
use stiction::method::impulse::{
    ImpulseSettings, Operator, Sleep, Stabilisation as Overlaps, Stepping,
};
use stiction::method::smooth::law::Profile;
use stiction::method::smooth::penalty::Push;
use stiction::method::smooth::{
    ContactSettings, Coupling, Law, NormalLaw, SlipLevel, SmoothSettings,
};
use stiction::method::smooth::{SolverSettings, Stabilisation, StageSolver};
use stiction::solve::complementarity::cone::Solver;
use stiction::step::Integrator;

use super::super::decode::{Spanned, did_you_mean};
use super::super::format::{
    BarrierCouplingWord, BarrierTable, ContactMethodTable, CouplingWord, ImpulseTable,
    IntegratorTable, IntegratorValue, LawWord, MethodTable, NewtonWord, OperatorWord, OutputTable,
    OverlapWord, PrecisionWord, ProfileWord, PushWord, SlipWord, SmoothTable, SolverWord,
    StabilisationWord, SteppingWord,
};
use super::super::leaves::{Count, Fraction, Index, Name, NameOr, NotNegative, Positive};
use super::super::problem::Problems;

/// Frames per simulated second, unless the scene says otherwise: smooth to look at, and little to store.
const FRAME_RATE: f64 = 50.0;

/// Length of a step, unless the scene says otherwise; whatever the duration, which must not change what happens [s].
const TIME_STEP: f64 = 0.01;

/// Settings for a scene, written into `given` where they were left out.
pub(super) fn settings(
    given: &mut Option<MethodTable>,
    gravity: Vector3,
    problems: &mut Problems,
) -> Settings {
    let table = given.get_or_insert(MethodTable::Smooth(Box::new(SmoothTable {
        time_step: None,
        integrator: None,
        tolerance: None,
        max_iterations: None,
        max_halvings: None,
        solver: None,
        stabilisation: None,
        contact: None,
    })));
    let default = Settings::default();
    let time_step = Positive(TIME_STEP);
    let table = match table {
        MethodTable::Smooth(table) => table,
        MethodTable::Impulse(table) => {
            let method = impulse(table, problems).into();
            let time_step = table.time_step.get_or_insert(time_step).0;
            let max_halvings = table.max_halvings.get_or_insert(Index(default.max_halvings)).0;
            return Settings { time_step, max_halvings, method };
        }
        MethodTable::Barrier(table) => {
            let method = barrier(table, gravity, problems).into();
            let time_step = table.time_step.get_or_insert(time_step).0;
            let max_halvings = table.max_halvings.get_or_insert(Index(default.max_halvings)).0;
            return Settings { time_step, max_halvings, method };
        }
    };
    let time_step = table.time_step.get_or_insert(time_step).0;
    let by_default = || integrator_named("bdf2");
    let integrator = integrator(table.integrator.get_or_insert_with(by_default), problems);
    // Accelerations are measured against gravity, and where there is none against 1 m/s².
    let tolerance = *table.tolerance.get_or_insert(Positive(1e-7 * gravity.norm().max(1.0)));
    let max_iterations =
        *table.max_iterations.get_or_insert(Count(SolverSettings::default().max_iterations as u32));
    let max_halvings = *table.max_halvings.get_or_insert(Index(default.max_halvings));
    let method = match table.solver.get_or_insert(SolverWord::Auto) {
        SolverWord::Auto => StageSolver::Auto,
        SolverWord::Minimise => StageSolver::Minimise,
        SolverWord::Newton => StageSolver::Newton,
        SolverWord::InexactNewton => StageSolver::InexactNewton,
        SolverWord::MatrixFree => StageSolver::MatrixFree,
    };
    let stabilisation = match table.stabilisation.get_or_insert(StabilisationWord::Projection) {
        StabilisationWord::Projection => Stabilisation::Projection,
        StabilisationWord::Inertia => Stabilisation::Inertia,
    };
    let contact = contact(table.contact.get_or_insert_with(blank_contact), problems);
    Settings {
        time_step,
        max_halvings: max_halvings.0,
        method: SmoothSettings {
            integrator: integrator.unwrap_or_default(),
            solver: SolverSettings {
                method,
                stabilisation,
                tolerance: tolerance.0,
                max_iterations: max_iterations.0 as usize,
                contact,
            },
        }
        .into(),
    }
}

fn integrator_named(name: &str) -> IntegratorValue {
    let name = Name { value: name.into(), span: Default::default() };
    Spanned { value: NameOr::Name(name), span: Default::default() }
}

fn barrier(table: &mut BarrierTable, gravity: Vector3, problems: &mut Problems) -> BarrierSettings {
    let default = BarrierSettings::default();
    let by_default = || integrator_named("backward-euler");
    let scheme = integrator(table.integrator.get_or_insert_with(by_default), problems);
    let tolerance = Positive(1e-4 * gravity.norm().max(1.0));
    let count = |given: &mut Option<Count>, default: usize| {
        given.get_or_insert(Count(default as u32)).0 as usize
    };
    BarrierSettings {
        integrator: scheme.unwrap_or(default.integrator),
        tolerance: table.tolerance.get_or_insert(tolerance).0,
        max_iterations: count(&mut table.max_iterations, default.max_iterations),
        coupling: match table.coupling.get_or_insert(BarrierCouplingWord::Implicit) {
            BarrierCouplingWord::Implicit => BarrierCoupling::Implicit,
            BarrierCouplingWord::Lagged => BarrierCoupling::Lagged,
        },
        friction_passes: count(&mut table.friction_passes, default.friction_passes),
    }
}

fn impulse(table: &mut ImpulseTable, problems: &mut Problems) -> ImpulseSettings {
    let default = ImpulseSettings::default();
    let by_default = || Name { value: default.solver.name().into(), span: Default::default() };
    let name = table.solver.get_or_insert_with(by_default);
    let solver = Solver::ALL.into_iter().find(|solver| solver.name() == name.value);
    if solver.is_none() {
        let known = Solver::ALL.map(Solver::name);
        let message = format!("there is no solver `{}`", name.value);
        problems.add(name.span, message, did_you_mean(&name.value, &known));
    }
    let stabilisation = overlaps(table, problems);
    let sleep = table.sleep_time.map(|Positive(time)| Sleep {
        velocity: filled(&mut table.sleep_velocity, Positive(Sleep::default().velocity)).0,
        time,
    });
    if sleep.is_none() {
        vain(table.sleep_velocity.as_ref(), "sleep_velocity", "sleep_time", problems);
    }
    ImpulseSettings {
        solver: solver.unwrap_or(default.solver),
        operator: match table.operator.get_or_insert(OperatorWord::Assembled) {
            OperatorWord::Assembled => Operator::Assembled,
            OperatorWord::Factored => Operator::Factored,
            OperatorWord::Splitting => Operator::Splitting,
            OperatorWord::Mass => Operator::Mass,
        },
        tolerance: table.tolerance.get_or_insert(Positive(default.tolerance)).0,
        max_iterations: table.max_iterations.get_or_insert(Count(default.max_iterations as u32)).0
            as usize,
        stepping: match table.stepping.get_or_insert(SteppingWord::SemiImplicit) {
            SteppingWord::SemiImplicit => Stepping::SemiImplicit,
            SteppingWord::Midpoint => Stepping::Midpoint,
        },
        stabilisation,
        bounce_velocity: table
            .bounce_velocity
            .get_or_insert(NotNegative(default.bounce_velocity))
            .0,
        sleep,
    }
}

/// What is done about overlaps; numbers of the other way are refused.
fn overlaps(table: &mut ImpulseTable, problems: &mut Problems) -> Overlaps {
    let word = *table.stabilisation.get_or_insert(OverlapWord::Projection);
    match word {
        OverlapWord::Projection => {
            let needs = "stabilisation = \"baumgarte\"";
            vain(table.correction.as_ref(), "correction", needs, problems);
            vain(table.compliance.as_ref(), "compliance", needs, problems);
            Overlaps::Projection {
                allowed: filled(&mut table.allowed_overlap, Positive(Overlaps::ALLOWED_OVERLAP)).0,
                passes: filled(&mut table.passes, Count(Overlaps::PASSES as u32)).0 as usize,
            }
        }
        OverlapWord::Baumgarte => {
            let needs = "stabilisation = \"projection\"";
            vain(table.allowed_overlap.as_ref(), "allowed_overlap", needs, problems);
            vain(table.passes.as_ref(), "passes", needs, problems);
            Overlaps::Baumgarte {
                correction: filled(&mut table.correction, Fraction(Overlaps::CORRECTION)).0,
                compliance: filled(&mut table.compliance, NotNegative(0.0)).0,
            }
        }
    }
}

fn blank_contact() -> ContactMethodTable {
    ContactMethodTable {
        enabled: None,
        law: None,
        tangential_ratio: None,
        tangential_damping: None,
        corner: None,
        newton: None,
        profile: None,
        epsilon: None,
        resistance: None,
        push: None,
        power: None,
        decay: None,
        damping: None,
        rebound: None,
        coupling: None,
        passes: None,
        slip: None,
        thickness: None,
        stiffness: None,
        fracture: None,
        max_stiffenings: None,
    }
}

/// Width of the smoothed law, unless the scene says otherwise [m/s].
const EPSILON: f64 = 1e-4;
/// Traction per slip velocity of viscous friction [N·s/m].
const RESISTANCE: f64 = 1e4;

fn contact(table: &mut ContactMethodTable, problems: &mut Problems) -> ContactSettings {
    let default = ContactSettings::default();
    let law = law(table, problems);
    let coupling = match table.coupling.get_or_insert(CouplingWord::Implicit) {
        CouplingWord::Lagged => Coupling::Lagged { passes: filled(&mut table.passes, Count(1)).0 },
        word => {
            let coupling = match word {
                CouplingWord::Decoupled => Coupling::Decoupled,
                _ => Coupling::Implicit,
            };
            vain(table.passes.as_ref(), "passes", "coupling = \"lagged\"", problems);
            coupling
        }
    };
    let normal = normal(table, problems);
    ContactSettings {
        normal,
        enabled: *table.enabled.get_or_insert(default.enabled),
        law,
        coupling,
        slip: match table.slip.get_or_insert(SlipWord::Auto) {
            SlipWord::Auto => SlipLevel::Auto,
            SlipWord::Velocity => SlipLevel::Velocity,
        },
        thickness: table.thickness.map(|thickness| thickness.0),
        stiffness: table.stiffness.map(|stiffness| stiffness.0),
        fracture: table.fracture.map(|fracture| fracture.0),
        max_stiffenings: table.max_stiffenings.get_or_insert(Index(default.max_stiffenings)).0,
    }
}

/// How bodies push.
fn normal(table: &mut ContactMethodTable, problems: &mut Problems) -> NormalLaw {
    /// Over which part of the thickness an exponential grows.
    const DECAY: f64 = 0.125;
    let word = *table.push.get_or_insert(PushWord::Cubic);
    if word != PushWord::Power {
        vain(table.power.as_ref(), "power", "push = \"power\"", problems);
    }
    if word != PushWord::Exponential {
        vain(table.decay.as_ref(), "decay", "push = \"exponential\"", problems);
    }
    if let Some(Spanned { value: Positive(power), span }) = table.power
        && !(1.0..=10.0).contains(&power)
    {
        let help = "give one from 1, a spring, to 10".to_owned();
        problems.add(span, format!("{power} is no power of a push"), help);
    }
    if let Some(Spanned { value: Positive(decay), span }) = table.decay
        && !(0.01..=10.0).contains(&decay)
    {
        let help = "give a part of the thickness from 0.01, very steep, to 10".to_owned();
        problems.add(span, format!("{decay} is no part of the thickness"), help);
    }
    NormalLaw {
        push: match word {
            PushWord::Cubic => Push::Power(2.0),
            PushWord::Spring => Push::Power(1.0),
            PushWord::Power => Push::Power(filled(&mut table.power, Positive(2.0)).0),
            PushWord::Exponential => Push::Exponential(filled(&mut table.decay, Positive(DECAY)).0),
        },
        damping: table.damping.get_or_insert(NotNegative(0.0)).0,
        rebound: table.rebound.get_or_insert(Fraction(1.0)).0,
    }
}

/// The friction law; numbers of another one are refused.
fn law(table: &mut ContactMethodTable, problems: &mut Problems) -> Law {
    let word = *table.law.get_or_insert(LawWord::Anchored);
    if word != LawWord::Anchored {
        let law = "law = \"anchored\"";
        vain(table.tangential_ratio.as_ref(), "tangential_ratio", law, problems);
        vain(table.tangential_damping.as_ref(), "tangential_damping", law, problems);
        vain(table.corner.as_ref(), "corner", law, problems);
        vain(table.newton.as_ref(), "newton", law, problems);
    }
    if word != LawWord::Smoothed {
        let law = "law = \"smoothed\"";
        vain(table.profile.as_ref(), "profile", law, problems);
        vain(table.epsilon.as_ref(), "epsilon", law, problems);
    }
    if word != LawWord::Viscous {
        vain(table.resistance.as_ref(), "resistance", "law = \"viscous\"", problems);
    }
    match word {
        LawWord::Exact => Law::Exact,
        LawWord::Viscous => {
            Law::Viscous { resistance: filled(&mut table.resistance, Positive(RESISTANCE)).0 }
        }
        LawWord::Smoothed => Law::Smoothed {
            profile: match filled(&mut table.profile, ProfileWord::Quadratic) {
                ProfileWord::Quadratic => Profile::Quadratic,
                ProfileWord::Rational => Profile::Rational,
            },
            epsilon: filled(&mut table.epsilon, Positive(EPSILON)).0,
        },
        LawWord::Anchored => {
            let default = match Law::default() {
                Law::Anchored { ratio, damping, corner, mixed } => (ratio, damping, corner, mixed),
                _ => (100.0, 1.0, 0.0, true),
            };
            let newton = if default.3 { NewtonWord::Mixed } else { NewtonWord::Primal };
            Law::Anchored {
                ratio: filled(&mut table.tangential_ratio, Positive(default.0)).0,
                damping: filled(&mut table.tangential_damping, NotNegative(default.1)).0,
                corner: filled(&mut table.corner, Fraction(default.2)).0,
                mixed: filled(&mut table.newton, newton) == NewtonWord::Mixed,
            }
        }
    }
}

/// The value, or the default, which is written into its place.
fn filled<T: Copy>(given: &mut Option<Spanned<T>>, default: T) -> T {
    given.get_or_insert(Spanned { value: default, span: Default::default() }).value
}

/// Refuses a value that nothing looks at.
fn vain<T>(given: Option<&Spanned<T>>, key: &str, needs: &str, problems: &mut Problems) {
    if let Some(given) = given {
        let message = format!("`{key}` has no meaning without `{needs}`");
        problems.add(given.span, message, "leave it out".to_owned());
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

/// Which steps have frames, and with how many digits.
pub(super) struct Pace {
    pub(super) steps_per_frame: u64,
    pub(super) precision: PrecisionWord,
    /// What the reader should know of it.
    pub(super) note: Option<String>,
}

/// Which steps have frames. A frame rate that is asked for is kept: by shorter steps, where those given do not fit.
pub(super) fn pace(
    given: &mut Option<OutputTable>,
    method: &mut Option<MethodTable>,
    settings: &mut Settings,
    duration: f64,
    problems: &mut Problems,
) -> Pace {
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
    let precision = *table.precision.get_or_insert(PrecisionWord::Single);
    let mut note = None;
    let every = match (table.frame_rate.take(), &table.every) {
        (_, Some(every)) => every.value.0,
        (Some(Positive(rate)), None) => {
            // As close to a whole number as rounding leaves it, it is one.
            let every = (1.0 / (rate * settings.time_step) - 1e-9).ceil().clamp(1.0, MOST);
            let fitting = 1.0 / (rate * every);
            let given = settings.time_step;
            if (fitting - given).abs() > 1e-9 * given {
                note = Some(format!(
                    "steps are {} s instead of {given} s, so that {rate} frames a second fall on steps",
                    significant(fitting)
                ));
                settings.time_step = fitting;
                method.iter_mut().for_each(|method| method.set_time_step(fitting));
            }
            every as u32
        }
        (None, None) => default_every(duration, settings.time_step),
    };
    table.every.get_or_insert(Spanned { value: Count(every), span: Default::default() });
    Pace { steps_per_frame: u64::from(every), precision, note }
}

/// Most steps from frame to frame.
const MOST: f64 = u32::MAX as f64;

/// About [`FRAME_RATE`], and so that the end has a frame, if that is near enough.
fn default_every(duration: f64, time_step: f64) -> u32 {
    let steps = (duration / time_step - 1e-6).ceil().max(1.0);
    let wanted = (1.0 / (FRAME_RATE * time_step)).round().clamp(1.0, steps.min(MOST));
    let fits = |every: &f64| steps % every == 0.0;
    let near = (0..wanted as u32)
        .map(f64::from)
        .take_while(|away| *away <= 0.5 * wanted)
        .flat_map(|away| [wanted - away, wanted + away])
        .find(fits);
    near.unwrap_or(wanted) as u32
}

/// Six digits, as one would write them.
fn significant(x: f64) -> String {
    let places = (5 - x.log10().floor() as i32).max(0) as usize;
    let text = format!("{x:.places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

//! How a claim is judged: by what the table says of the method that makes it.

use stiction::body::BodyId;
use stiction::math::Vector3;
use stiction::measure::{Probe, Quantity};
use stiction::{Scene, Simulation};
use stiction_check::scenes::{self, of};

use crate::methods::{METHODS, Mark, Method};

/// What became of a claim.
pub(crate) type Verdict<T = ()> = Result<T, Fault>;

/// Why a claim does not hold.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The method says that it cannot, and why.
    Refused(String),
    /// It does something else.
    Wrong(String),
}

pub(crate) fn wrong<T>(what: impl Into<String>) -> Verdict<T> {
    Err(Fault::Wrong(what.into()))
}

/// The claim that `found` is `expected`, to `tolerance`; not a number is nothing.
pub(crate) fn near(what: &str, found: f64, expected: f64, tolerance: f64) -> Verdict {
    match (found - expected).abs() <= tolerance {
        true => Ok(()),
        false => wrong(format!("{what}: {found:.9e}, not {expected:.9e} ± {tolerance:.1e}")),
    }
}

/// The same of vectors.
pub(crate) fn near_vector(
    what: &str,
    found: Vector3,
    expected: Vector3,
    tolerance: f64,
) -> Verdict {
    match (found - expected).norm() <= tolerance {
        true => Ok(()),
        false => wrong(format!(
            "{what}: ({:.6e}, {:.6e}, {:.6e}), not ({:.6e}, {:.6e}, {:.6e}) ± {tolerance:.1e}",
            found.x, found.y, found.z, expected.x, expected.y, expected.z
        )),
    }
}

/// The claim that `found` lies between two numbers.
pub(crate) fn within(what: &str, found: f64, least: f64, most: f64) -> Verdict {
    match least <= found && found <= most {
        true => Ok(()),
        false => wrong(format!("{what}: {found:.9e}, not {least:.3e} to {most:.3e}")),
    }
}

pub(crate) fn holds(what: &str, is_so: bool) -> Verdict {
    if is_so { Ok(()) } else { wrong(what) }
}

/// Takes steps to a time.
pub(crate) fn run(simulation: &mut Simulation, until: f64) -> Verdict {
    scenes::try_run(simulation, until).or_else(|report| {
        wrong(format!("the step to {} s ends with {:?}", report.time, report.status))
    })
}

/// The value of a probe now.
pub(crate) fn measured(scene: &Scene, simulation: &Simulation, probe: Probe) -> Verdict<f64> {
    match probe.prepare(scene, simulation) {
        Ok(prepared) => Ok(prepared.measure(simulation)),
        Err(error) => wrong(format!("no probe: {error}")),
    }
}

/// A simulation, and the body that is looked at.
pub(crate) struct Run {
    pub(crate) scene: Scene,
    pub(crate) simulation: Simulation,
    pub(crate) body: BodyId,
}

impl Run {
    pub(crate) fn new(method: &Method, scene: Scene, body: BodyId, h: f64) -> Verdict<Self> {
        let scene = method.placed(&scene)?;
        Ok(Self { simulation: method.start(&scene, h)?, scene, body })
    }

    pub(crate) fn to(mut self, until: f64) -> Verdict<Self> {
        run(&mut self.simulation, until)?;
        Ok(self)
    }

    /// Of the body, or of what the probe names itself.
    pub(crate) fn measure(&self, quantity: Quantity) -> Verdict<f64> {
        self.probe(of(self.body, quantity))
    }

    pub(crate) fn along(&self, quantity: Quantity, direction: Vector3) -> Verdict<f64> {
        self.probe(of(self.body, quantity).along(direction))
    }

    pub(crate) fn probe(&self, probe: Probe) -> Verdict<f64> {
        measured(&self.scene, &self.simulation, probe)
    }

    pub(crate) fn mass(&self) -> f64 {
        scenes::mass(&self.simulation, self.body)
    }

    /// The centre of a rigid body.
    pub(crate) fn center(&self) -> Vector3 {
        self.simulation.rigid_state(self.body).map_or_else(
            || scenes::mean(&self.simulation.positions(self.body)),
            |state| state.center,
        )
    }

    /// The velocity of it.
    pub(crate) fn velocity(&self) -> Vector3 {
        self.simulation.rigid_state(self.body).map_or_else(
            || scenes::mean(&self.simulation.velocities(self.body)),
            |state| state.velocity,
        )
    }
}

/// Asks every method, and says what is not as the table has it.
#[track_caller]
pub(crate) fn every(claim: &str, check: impl Fn(&Method) -> Verdict) {
    all_agree(complaints(claim, check));
}

#[track_caller]
pub(crate) fn all_agree(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

pub(crate) fn complaints(claim: &str, check: impl Fn(&Method) -> Verdict) -> Vec<String> {
    METHODS.iter().filter_map(|method| judge(method, claim, check(method)).err()).collect()
}

fn judge(method: &Method, claim: &str, verdict: Verdict) -> Result<(), String> {
    let who = format!("{}, {claim}", method.name);
    match (method.mark(claim), verdict) {
        (None, Ok(())) => Ok(()),
        (None, Err(Fault::Wrong(what))) => Err(format!("{who}: {what}")),
        (None, Err(Fault::Refused(why))) => {
            Err(format!("{who}: refused, and not marked so: {why}"))
        }
        (Some(Mark::Refuses(text)), Err(Fault::Refused(why))) => {
            match why.contains(text) && why.contains("help:") {
                true => Ok(()),
                false => Err(format!("{who}: refused without `{text}` and a help: {why}")),
            }
        }
        (Some(Mark::Refuses(_)), Ok(())) => Err(format!("{who}: holds; take the mark away")),
        (Some(Mark::Refuses(_)), Err(Fault::Wrong(what))) => {
            Err(format!("{who}: not refused, and wrong: {what}"))
        }
        (Some(Mark::Known(defect, story)), Err(Fault::Wrong(what))) => {
            tell(&format!("known, {defect:?}: {who}: {what} [{story}]"));
            Ok(())
        }
        (Some(Mark::Known(defect, _)), Ok(())) => {
            Err(format!("{who}: holds now; {defect:?} is mended here: take the mark away"))
        }
        (Some(Mark::Known(defect, _)), Err(Fault::Refused(why))) => {
            Err(format!("{who}: refused now; mark {defect:?} as `Refuses`: {why}"))
        }
    }
}

#[expect(
    clippy::print_stdout,
    reason = "`--nocapture` lists what is known to be wrong, with numbers"
)]
fn tell(line: &str) {
    println!("{line}");
}

/// Makes a test of each function of a subject, and a list of their names.
macro_rules! claims {
    ($subject:literal: $($claim:ident),+ $(,)?) => {
        /// Names of what is claimed here.
        pub(crate) const CLAIMS: &[&str] = &[$(concat!($subject, "/", stringify!($claim))),+];

        mod claims {
            $(#[test]
            fn $claim() {
                crate::harness::every(concat!($subject, "/", stringify!($claim)), super::$claim);
            })+
        }
    };
}
pub(crate) use claims;

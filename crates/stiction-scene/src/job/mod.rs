//! A scene being run: steps, probes, expectations, and a folder that holds all of it.
//!
//! A [`Job`] knows no terminal. Whoever runs it calls [`advance`](Job::advance) until it is [`done`](Job::is_done),
//! shows what it likes of the [`Advance`]s, and may stop at any point; [`finish`](Job::finish) says what came out.
//!
//! The folder holds the scene as resolved and copies of the meshes it was made of. [`Job::resume`] needs nothing else,
//! even if the scene file has changed since.

mod crossing;
pub(crate) mod keep;
mod report;
mod series;
mod steps;

use std::path::Path;
use std::time::Instant;

use stiction::method::smooth::Adrift;
use stiction::model::{Phase, Timings};
use stiction::{Simulation, StepReport};

use crate::capture::Capture;
use crate::expectation::Outcome;
use crate::frame::FrameError;
use crate::run::{
    Cell, Precision, REPORT, RunError, RunFolder, RunPlan, RunStatus, RunWriter, Verified,
    read_sealed,
};
use crate::scene_file::format::PrecisionWord;
use crate::scene_file::{MAX_STEPS, SceneFile, SceneFileError, Setup};
use crossing::Crossing;
pub use crossing::{Crossings, WorstCrossing};
pub use report::{Checked, Penetration, Summary, Totals};
pub use series::Series;
use steps::{StepRow, Work};

/// Reads all of a run folder, and says what in it is not as it was written.
///
/// # Errors
/// When it is no run.
pub fn verify(folder: &Path, progress: &mut dyn FnMut(f64)) -> Result<Verified, RunError> {
    let mut found = RunFolder::verify(folder, progress)?;
    if let Ok(Some(fingerprint)) = RunFolder::fingerprint_of(folder)
        && let Err(error) = keep::unchanged(folder, fingerprint)
    {
        found.damages.push(error);
    }
    let report = read_sealed(&folder.join(REPORT));
    found.damages.extend(report.err().map(|error| error.into_frame_error(folder)));
    Ok(found)
}

/// A scene being run.
#[derive(Debug)]
pub struct Job {
    setup: Setup,
    /// Steps to the end of the scene; those to be taken are in `setup`.
    scene_steps: u64,
    folder: Option<Recorder>,
    probes: Series,
    totals: Totals,
    notes: Vec<String>,
}

/// What writes the folder.
#[derive(Debug)]
struct Recorder {
    capture: Capture,
    writer: RunWriter,
}

/// What a step has brought.
#[derive(Clone, Debug)]
pub struct Advance {
    /// Steps done.
    pub step: u64,
    /// What happened.
    pub report: StepReport,
    /// Whether a frame was handed over to be written.
    pub frame: bool,
}

/// Why a job cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The scene makes no sense.
    #[error(transparent)]
    Scene(#[from] SceneFileError),
    /// Nothing to settle into.
    #[error("the scene cannot settle: {0}")]
    Adrift(#[from] Adrift),
    /// The folder cannot be written or read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Something in the folder cannot be read.
    #[error(transparent)]
    File(#[from] FrameError),
}

impl Job {
    /// Runs a scene for its probes only.
    ///
    /// # Errors
    /// When the scene makes no sense.
    pub fn rehearse(scene: &SceneFile) -> Result<Self, JobError> {
        let mut job = Self::new(scene.build()?);
        job.begin()?;
        Ok(job)
    }

    /// Runs a scene into a folder; into one that holds an older run only if `overwrite` allows it.
    ///
    /// # Errors
    /// When the scene makes no sense, or the folder cannot be written.
    pub fn start(scene: &SceneFile, folder: &Path, overwrite: bool) -> Result<Self, JobError> {
        let mut setup = scene.build()?;
        let inputs = keep::collect(scene, &mut setup)?;
        let mut job = Self::new(setup);
        let capture = Capture::new(&job.setup.scene, &job.setup.simulation, &job.setup.fields);
        let plan = job.plan(&capture, inputs.fingerprint);
        let writer = RunWriter::create(folder, &plan, overwrite)?;
        inputs.store(folder)?;
        job.folder = Some(Recorder { capture, writer });
        job.begin()?;
        job.announce()?;
        Ok(job)
    }

    /// Goes on with a run that was stopped or killed, to the same bits as if it had not been.
    ///
    /// # Errors
    /// When the folder holds no run, or a damaged one.
    pub fn resume(folder: &Path) -> Result<Self, JobError> {
        Self::go_on(folder, None)
    }

    /// The same up to this time [s], be it before or after the end of the scene.
    ///
    /// # Errors
    /// As [`resume`](Self::resume), and when the run is past that time.
    pub fn resume_until(folder: &Path, until: f64) -> Result<Self, JobError> {
        Self::go_on(folder, Some(until))
    }

    fn go_on(folder: &Path, until: Option<f64>) -> Result<Self, JobError> {
        // First of all: what is wrong with a scene that was damaged is not worth telling.
        if let Some(fingerprint) = RunFolder::fingerprint_of(folder)? {
            keep::unchanged(folder, fingerprint)?;
        }
        let (scene, fingerprint) = keep::load(folder)?;
        let mut job = Self::new(scene.build()?);
        if let Some(until) = until {
            job.end_at(folder, until)?;
        }
        let capture = Capture::new(&job.setup.scene, &job.setup.simulation, &job.setup.fields);
        let plan = job.plan(&capture, fingerprint);
        let resumed = RunWriter::resume(folder, &plan)?;
        job.folder = Some(Recorder { capture, writer: resumed.writer });
        let start = job.start_crossing();
        match resumed.state {
            None => job.begin()?,
            Some(state) => {
                job.setup.simulation.restore(&state).map_err(|error| FrameError {
                    path: folder.to_path_buf(),
                    reason: error.to_string(),
                    help: "the checkpoint is of another scene; run the scene anew".into(),
                })?;
                let names = job.probes.names.clone();
                job.probes = Series::read(&folder.join("probes.csv"), names)?;
                job.totals = Totals::read(&folder.join("steps.csv"), start)?;
                // Rows only sum up what happened; how far the run is, the state knows.
                job.totals.steps = state.steps;
                let unit = job.setup.simulation.method().residual_unit();
                job.notes.extend(job.totals.note(unit));
            }
        }
        job.announce()?;
        Ok(job)
    }

    /// Sets another end than the scene has [s].
    fn end_at(&mut self, folder: &Path, until: f64) -> Result<(), FrameError> {
        let refuse = |reason: String| FrameError {
            path: folder.to_path_buf(),
            reason,
            help: "give a later time, in seconds from the start of the scene".into(),
        };
        let time_step = self.setup.simulation.settings().time_step;
        let steps = (until / time_step - 1e-6).ceil();
        if !(1.0..MAX_STEPS).contains(&steps) {
            return Err(refuse(format!("cannot go on until {until} s in steps of {time_step} s")));
        }
        let done = match RunFolder::open(folder) {
            Ok(run) => run.steps().last().copied().unwrap_or(0),
            // Not begun, or damaged, which is told when it is gone on with.
            Err(_) => 0,
        };
        if done > steps as u64 {
            let time = done as f64 * time_step;
            return Err(refuse(format!("is at {time:.6} s already, which is after {until} s")));
        }
        self.setup.steps = steps as u64;
        Ok(())
    }

    fn new(setup: Setup) -> Self {
        let names = setup.probes.iter().map(|probe| probe.name.clone()).collect();
        let notes = setup.notes.clone();
        let mut job = Self {
            scene_steps: setup.steps,
            setup,
            folder: None,
            probes: Series::new(names),
            totals: Totals::default(),
            notes,
        };
        let started = Instant::now();
        job.setup.simulation.set_clock(move || started.elapsed().as_secs_f64());
        job
    }

    fn plan(&self, capture: &Capture, fingerprint: u64) -> RunPlan {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let mut probe_columns: Vec<String> = owned(&["time [s]"]);
        probe_columns.extend(
            self.setup
                .probes
                .iter()
                .map(|named| format!("{} [{}]", named.name, named.probe.unit())),
        );
        RunPlan {
            bodies: capture.bodies().to_vec(),
            frame_count: 1 + self.setup.steps / self.setup.steps_per_frame,
            precision: match self.setup.precision {
                PrecisionWord::Single => Precision::Single,
                PrecisionWord::Double => Precision::Double,
            },
            step_columns: steps::headers(self.setup.simulation.method().residual_unit()),
            probe_columns,
            fingerprint,
        }
    }

    /// The start: settled if so wanted, measured, and the first frame.
    fn begin(&mut self) -> Result<(), JobError> {
        match self.start_crossing() {
            None if self.setup.settle => self.settle()?,
            start => start.iter().for_each(|crossing| self.totals.crossings.add(0.0, crossing)),
        }
        self.measure()?;
        self.frame()?;
        Ok(())
    }

    /// Finds equilibrium; `steps.csv` holds it as step 0, so that a resumed run knows how it went.
    fn settle(&mut self) -> Result<(), JobError> {
        let before = Instant::now();
        let timings = self.setup.simulation.timings();
        let report = self.setup.simulation.settle()?;
        let seconds = before.elapsed().as_secs_f64();
        let residual = report.residuals.last().copied().unwrap_or(f64::NAN);
        let work = Work {
            time: self.setup.simulation.time(),
            status: report.status.name(),
            iterations: report.iterations,
            stages: 1,
            sub_steps: 0,
            failed_attempts: 0,
            residual,
            memory: self.setup.simulation.matrix_bytes(),
            contact: self.setup.simulation.contact_report(),
            overlap: String::new(),
            crossing: self.crossing(),
            seconds,
            phases: self.phases_since(&timings),
        };
        self.row(0, &work)?;
        work.crossing.iter().for_each(|crossing| self.totals.crossings.add(work.time, crossing));
        self.totals.unsettled = (!report.converged()).then_some(residual);
        self.notes.extend(self.totals.note(self.setup.simulation.method().residual_unit()));
        Ok(())
    }

    /// Takes a step.
    ///
    /// # Errors
    /// When a frame cannot be written, or would hold a number that is not finite.
    pub fn advance(&mut self) -> Result<Advance, JobError> {
        let advance = self.try_advance();
        if let Err(error) = &advance {
            self.notes.push(error.to_string());
        }
        advance
    }

    fn try_advance(&mut self) -> Result<Advance, JobError> {
        let before = Instant::now();
        let timings = self.setup.simulation.timings();
        let report = self.setup.simulation.step();
        let seconds = before.elapsed().as_secs_f64();
        let step = self.totals.steps + 1;
        // Evenly spaced in time, also at the end.
        let frame = step.is_multiple_of(self.setup.steps_per_frame);
        let work = Work {
            time: report.time,
            status: report.status.name(),
            iterations: report.iterations(),
            stages: report.stages.len(),
            sub_steps: report.sub_steps,
            failed_attempts: report.failed_attempts,
            residual: report.residual().value,
            memory: self.setup.simulation.matrix_bytes(),
            contact: report.contact,
            overlap: report::overlap(&report.contact, &self.setup.scene),
            crossing: if frame { self.crossing() } else { None },
            seconds,
            phases: self.phases_since(&timings),
        };
        self.totals.add(&work);
        self.row(step, &work)?;
        self.measure()?;
        if frame {
            self.frame()?;
        }
        Ok(Advance { step, report, frame })
    }

    fn phases_since(&self, before: &Timings) -> [f64; Phase::ALL.len()] {
        let after = self.setup.simulation.timings();
        Phase::ALL.map(|phase| after.seconds(phase) - before.seconds(phase))
    }

    /// Writes a row of `steps.csv`.
    fn row(&mut self, step: u64, work: &Work) -> Result<(), JobError> {
        let Some(recorder) = &mut self.folder else { return Ok(()) };
        let simulation = &self.setup.simulation;
        let zones = self.setup.scene.zone_ids().map(|zone| simulation.zone_volume(zone));
        let row = steps::cells(&StepRow {
            time: simulation.time(),
            work,
            energies: simulation.energies(),
            momentum: simulation.momentum(),
            volume: zones.sum(),
        });
        recorder.writer.step_row(step, &row)?;
        Ok(())
    }

    /// What crosses now, for a frame; nothing without a folder, which has no frames.
    fn crossing(&self) -> Option<Crossing> {
        let wanted = self.folder.is_some();
        wanted.then(|| Crossing::of(&self.setup.simulation, &self.setup.scene))
    }

    /// What crosses at the start, if there is no row of `steps.csv` to say so; to be called before the first step.
    fn start_crossing(&self) -> Option<Crossing> {
        if self.setup.settle { None } else { self.crossing() }
    }

    fn measure(&mut self) -> Result<(), JobError> {
        let simulation = &self.setup.simulation;
        let values: Vec<f64> =
            self.setup.probes.iter().map(|named| named.probe.measure(simulation)).collect();
        if let Some(recorder) = &mut self.folder {
            let row: Vec<Cell<'_>> = std::iter::once(simulation.time())
                .chain(values.iter().copied())
                .map(Cell::Number)
                .collect();
            recorder.writer.probe_row(self.totals.steps, &row)?;
        }
        self.probes.push(simulation.time(), &values);
        Ok(())
    }

    fn frame(&mut self) -> Result<(), JobError> {
        if let Some(Recorder { capture, writer }) = &mut self.folder {
            let simulation = &self.setup.simulation;
            writer.frame(capture.frame(simulation), simulation.state())?;
        }
        Ok(())
    }

    /// Whether all steps have been taken.
    pub fn is_done(&self) -> bool {
        self.totals.steps >= self.setup.steps
    }

    /// Whether it is at the end of the scene, or past it.
    pub fn reached_end(&self) -> bool {
        self.totals.steps >= self.scene_steps
    }

    /// What is run.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Where it is now.
    pub fn simulation(&self) -> &Simulation {
        &self.setup.simulation
    }

    /// What has happened so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// What was measured so far.
    pub fn probes(&self) -> &Series {
        &self.probes
    }

    /// What one should know, though it is no error.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Expectations, and what came out.
    pub fn check(&self) -> Vec<Checked> {
        let compared = self.setup.expectations.iter().map(|expectation| {
            let outcome: Outcome =
                expectation.check(&self.probes.times, &self.probes.values[expectation.probe]);
            Checked { expectation: expectation.clone(), outcome }
        });
        compared.collect()
    }

    /// Ends it, done or not, and writes the report.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn finish(mut self, status: RunStatus) -> Result<Summary, JobError> {
        let summary = self.summary(status);
        if let Some(Recorder { writer, .. }) = self.folder.take() {
            // The report comes last: it says `finished` only of frames that are on the disk.
            let folder = writer.path().to_path_buf();
            writer.finish(status)?;
            report::write(&folder, &summary, &self.setup)?;
        }
        Ok(summary)
    }

    /// Writes a first `report.json`, so that a run that is killed has one too.
    fn announce(&self) -> Result<(), JobError> {
        let Some(recorder) = &self.folder else { return Ok(()) };
        report::write(recorder.writer.path(), &self.summary(RunStatus::Running), &self.setup)
    }
}

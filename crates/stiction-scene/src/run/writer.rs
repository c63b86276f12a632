//! Writing a run from a thread of its own, so that the solver waits for memory, not for the disk.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use stiction::State;

use super::checkpoint::{self, Checkpoint};
use super::disk::Disk;
use super::folder::{Lock, Places};
use super::layout::{Layout, store_topology};
use super::root::Root;
use super::seal::TableSeal;
use super::table::{self, Cell, Table};
use super::{Precision, Resumed, RunError, RunFolder, RunPlan, RunStatus};
use crate::frame::{BodyInfo, FieldPlace, Frame};

/// Frames that may wait for the disk. Two are enough to write one while the next is made.
const WAITING: usize = 2;

/// Writes a run; see [the module](super) for what survives what.
///
/// Dropped without [`finish`](RunWriter::finish), it writes the frames handed to it and leaves the run resumable.
#[derive(Debug)]
pub struct RunWriter {
    places: Places,
    bodies: Vec<BodyInfo>,
    precision: Precision,
    steps: Table,
    probes: Table,
    orders: Option<SyncSender<Order>>,
    thread: Option<JoinHandle<Result<(), RunError>>>,
    failure: Option<RunError>,
    _lock: Lock,
}

impl RunWriter {
    /// Starts a run in a new or empty folder; in one with an older run only if `overwrite` allows it.
    ///
    /// # Errors
    /// When the folder is in use, holds something else, or cannot be written.
    pub fn create(path: &Path, plan: &RunPlan, overwrite: bool) -> Result<Self, RunError> {
        let places = Places::new(path);
        let lock = places.claim(overwrite)?;
        Self::begin(places, lock, plan)
    }

    /// Goes on with a run where its newest sound checkpoint is.
    ///
    /// # Errors
    /// When there is no run, when it is in use, of another scene or damaged, or cannot be written.
    pub fn resume(path: &Path, plan: &RunPlan) -> Result<Resumed, RunError> {
        let places = Places::new(path);
        let lock = places.reclaim()?;
        if !places.has_root()? {
            // Killed before there was anything; begin again in the folder that is ours.
            let writer = Self::begin(places, lock, plan)?;
            return Ok(Resumed { writer, state: None, frames: 0 });
        }
        let (stored, disk) = Root::open(&places.zarr)?;
        let root = Root::new(&plan.bodies, plan.precision, plan.fingerprint);
        let mut root = root.of_version_of(&stored);
        same_run(&places, &stored, &root)?;
        let (checkpoint, seals) = last_whole(&places, &stored, plan)?;
        let (frames, state) = match checkpoint {
            Some(checkpoint) => (checkpoint.frames, Some(checkpoint.state)),
            None => (0, None),
        };
        let capacity = plan.frame_count.max(frames);
        let layout = Layout::make(&disk, &plan.bodies, plan.precision, capacity)?;
        // Before tables are cut, so that whoever reads them meanwhile finds no less than the root promises.
        root.frames = frames;
        root.tables = root.is_sealed().then(|| seals.each_ref().map(TableSeal::stored));
        root.write(&disk)?;
        for (path, seal) in places.tables.iter().zip(&seals) {
            table::cut(path, seal.bytes)?;
        }
        if let Some(state) = &state {
            checkpoint::tidy(&places.checkpoints, state.steps)?;
        }
        let [steps, probes] = &places.tables;
        let tables =
            [Table::reopen(steps, &plan.step_columns), Table::reopen(probes, &plan.probe_columns)];
        let writer = Self::start(places, lock, plan, layout, root, tables, seals)?;
        Ok(Resumed { writer, state, frames })
    }

    fn begin(places: Places, lock: Lock, plan: &RunPlan) -> Result<Self, RunError> {
        for folder in [&places.zarr, &places.checkpoints] {
            fs::create_dir_all(folder).map_err(RunError::disk(folder, "make the folder"))?;
        }
        let [steps, probes] = &places.tables;
        let (steps, of_steps) = Table::create(steps, &plan.step_columns)?;
        let (probes, of_probes) = Table::create(probes, &plan.probe_columns)?;
        let seals = [of_steps, of_probes];
        let disk = Arc::new(Disk::new(places.zarr.clone(), true));
        let layout = Layout::make(&disk, &plan.bodies, plan.precision, plan.frame_count)?;
        store_topology(&disk, &plan.bodies)?;
        let mut root = Root::new(&plan.bodies, plan.precision, plan.fingerprint);
        root.tables = Some(seals.each_ref().map(TableSeal::stored));
        root.write(&disk)?;
        Self::start(places, lock, plan, layout, root, [steps, probes], seals)
    }

    fn start(
        places: Places,
        lock: Lock,
        plan: &RunPlan,
        layout: Layout,
        root: Root,
        [steps, probes]: [Table; 2],
        seals: [TableSeal; 2],
    ) -> Result<Self, RunError> {
        let (orders, received) = sync_channel(WAITING);
        let clerk = Clerk { places: places.clone(), layout, root, seals };
        let thread = thread::Builder::new()
            .name("run writer".into())
            .spawn(move || clerk.work(&received))
            .map_err(RunError::disk(&places.folder, "start a thread to write it"))?;
        Ok(Self {
            places,
            bodies: plan.bodies.clone(),
            precision: plan.precision,
            steps,
            probes,
            orders: Some(orders),
            thread: Some(thread),
            failure: None,
            _lock: lock,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.places.folder
    }

    /// Adds a row to `steps.csv`, without the step itself. It reaches the disk with the next frame.
    ///
    /// # Errors
    /// When an earlier frame could not be written.
    ///
    /// # Panics
    /// When the row does not fit the columns.
    pub fn step_row(&mut self, step: u64, cells: &[Cell<'_>]) -> Result<(), RunError> {
        self.check()?;
        self.steps.row(step, cells);
        Ok(())
    }

    /// Adds a row to `probes.csv`, without the step itself. It reaches the disk with the next frame.
    ///
    /// # Errors
    /// When an earlier frame could not be written.
    ///
    /// # Panics
    /// When the row does not fit the columns.
    pub fn probe_row(&mut self, step: u64, cells: &[Cell<'_>]) -> Result<(), RunError> {
        self.check()?;
        self.probes.row(step, cells);
        Ok(())
    }

    /// Hands over a frame, and the state that belongs to it, to be written with the rows up to now. Returns at once
    /// unless the disk is behind by more than two frames.
    ///
    /// # Errors
    /// When a number is not finite; nothing of the frame is written then, and the run stays as it was. When an
    /// earlier frame could not be written.
    ///
    /// # Panics
    /// When the frame does not fit the bodies of the run, or the state is of another step.
    pub fn frame(&mut self, frame: Frame, state: State) -> Result<(), RunError> {
        assert_eq!(frame.step, state.steps, "frame and state are of one step");
        self.check()?;
        check_frame(&self.bodies, &frame, self.precision)?;
        let rows = [self.steps.take(), self.probes.take()];
        self.send(Order::Frame { frame, state, rows })
    }

    /// Ends the run: rows that wait are written, arrays trimmed to the frames there are.
    ///
    /// # Errors
    /// When something could not be written, now or earlier.
    pub fn finish(mut self, status: RunStatus) -> Result<(), RunError> {
        let rows = [self.steps.take(), self.probes.take()];
        self.send(Order::Finish { status, rows })?;
        self.join()
    }

    fn check(&mut self) -> Result<(), RunError> {
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            self.failure = self.join().err();
        }
        self.failure.clone().map_or(Ok(()), Err)
    }

    fn send(&mut self, order: Order) -> Result<(), RunError> {
        // The thread hears no more only if it failed.
        if self.orders.as_ref().is_none_or(|orders| orders.send(order).is_err())
            && let Err(failure) = self.join()
        {
            self.failure = Some(failure);
        }
        self.failure.clone().map_or(Ok(()), Err)
    }

    fn join(&mut self) -> Result<(), RunError> {
        self.orders = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => self.failure.clone().map_or(Ok(()), Err),
        }
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // Nobody is left to hear of a failure; the run stays resumable from the frame before.
            let _ = thread.join();
        }
    }
}

/// What the thread is told.
enum Order {
    Frame { frame: Frame, state: State, rows: [String; 2] },
    Finish { status: RunStatus, rows: [String; 2] },
}

/// Who writes, on the other thread.
struct Clerk {
    places: Places,
    layout: Layout,
    root: Root,
    /// Of the tables as they are on the disk.
    seals: [TableSeal; 2],
}

impl Clerk {
    fn work(mut self, orders: &Receiver<Order>) -> Result<(), RunError> {
        for order in orders {
            let done = match order {
                Order::Frame { frame, state, rows } => self.commit(&frame, state, &rows),
                Order::Finish { status, rows } => self.finish(status, &rows),
            };
            done.map_err(|error| match self.root.frames {
                0 => error,
                _ => error.while_running(),
            })?;
        }
        Ok(())
    }

    fn finish(&mut self, status: RunStatus, rows: &[String; 2]) -> Result<(), RunError> {
        self.append(rows)?;
        self.layout.resize(self.root.frames)?;
        self.root.status = status;
        self.root.write(&self.layout.disk)
    }

    /// The order matters; see the table in [the module](super).
    fn commit(&mut self, frame: &Frame, state: State, rows: &[String; 2]) -> Result<(), RunError> {
        self.layout.store(self.root.frames, frame)?;
        self.append(rows)?;
        let (fingerprint, frames) = (self.root.fingerprint, self.root.frames + 1);
        let tables = self.root.tables;
        let checkpoint = Checkpoint { fingerprint, frames, tables, state };
        checkpoint.write(&self.places.checkpoints)?;
        self.root.frames = frames;
        self.root.write(&self.layout.disk)?;
        checkpoint::tidy(&self.places.checkpoints, checkpoint.state.steps)
    }

    fn append(&mut self, rows: &[String; 2]) -> Result<(), RunError> {
        for ((path, rows), seal) in self.places.tables.iter().zip(rows).zip(&mut self.seals) {
            table::append(path, rows)?;
            seal.add(rows.as_bytes());
        }
        if self.root.is_sealed() {
            self.root.tables = Some(self.seals.each_ref().map(TableSeal::stored));
        }
        Ok(())
    }
}

/// The newest checkpoint up to which everything is whole, frames and tables too; and how long tables were then.
fn last_whole(
    places: &Places,
    stored: &Root,
    plan: &RunPlan,
) -> Result<(Option<Checkpoint>, [TableSeal; 2]), RunError> {
    let whole = |checkpoint: Option<&Checkpoint>| {
        let (steps, sealed) = match checkpoint {
            Some(checkpoint) => (Some(checkpoint.state.steps), checkpoint.tables),
            // Nothing but heads.
            None => (None, None),
        };
        let columns = [&plan.step_columns, &plan.probe_columns];
        let table = |k: usize| {
            table::kept(&places.tables[k], columns[k], sealed.map(|seals| seals[k]), steps)
        };
        let seals = [table(0)?, table(1)?];
        RunFolder::read_all(&places.folder, checkpoint.map_or(0, |checkpoint| checkpoint.frames))?;
        Ok(seals)
    };
    let mut damage = None;
    for checkpoint in checkpoint::all(&places.checkpoints, plan.fingerprint)? {
        let checkpoint = match checkpoint {
            Ok(checkpoint) => checkpoint,
            Err(error @ RunError::OtherRun { .. }) => return Err(error),
            Err(error) => {
                damage = damage.or(Some(error));
                continue;
            }
        };
        match whole(Some(&checkpoint)) {
            Ok(seals) => return Ok((Some(checkpoint), seals)),
            Err(error @ RunError::OtherRun { .. }) => return Err(error),
            Err(error) => damage = damage.or(Some(error)),
        }
    }
    match damage {
        Some(damage) => Err(damage),
        None if stored.frames > 0 => {
            let reason = format!("has no checkpoint, but the run has {} frames", stored.frames);
            Err(RunError::damaged(&places.checkpoints, reason))
        }
        None => Ok((None, whole(None)?)),
    }
}

fn same_run(places: &Places, stored: &Root, given: &Root) -> Result<(), RunError> {
    let differs = |what, stored: String, given: String| {
        Err(RunError::OtherRun { path: places.root(), what, stored, given })
    };
    if stored.fingerprint != given.fingerprint {
        let [stored, given] = [stored, given].map(|root| format!("{:016x}", root.fingerprint));
        return differs("a scene of fingerprint", stored, given);
    }
    if stored.precision != given.precision {
        let [stored, given] = [stored, given].map(|root| root.precision.word().to_owned());
        return differs("precision", stored, given);
    }
    if stored.bodies != given.bodies {
        let names = |root: &Root| {
            let names: Vec<&str> = root.bodies.iter().map(|(name, _)| name.as_str()).collect();
            names.join(", ")
        };
        return differs("the bodies", names(stored), names(given));
    }
    Ok(())
}

/// Every number finite, also as it is stored.
fn check_frame(bodies: &[BodyInfo], frame: &Frame, precision: Precision) -> Result<(), RunError> {
    assert_eq!(frame.bodies.len(), bodies.len(), "a frame has the bodies of its run");
    let bad = |value: f64| match precision {
        Precision::Single => !(value as f32).is_finite(),
        Precision::Double => !value.is_finite(),
    };
    for (info, body) in bodies.iter().zip(&frame.bodies) {
        let vertices = if info.moves { info.start.len() } else { 0 };
        let fields = if info.moves { info.fields.as_slice() } else { &[] };
        assert_eq!(body.fields.len(), fields.len(), "a frame has the fields of `{}`", info.name);
        assert_eq!(
            body.pose.is_some(),
            info.has_pose(),
            "a pose is of what is rigid: `{}`",
            info.name
        );
        let pose = body.pose.map(|pose| pose.numbers());
        if let Some(value) = pose.iter().flatten().copied().find(|value| !value.is_finite()) {
            let (body, quantity) = (info.name.clone(), "pose".to_owned());
            let (place, index, time) = ("body", 0, frame.time);
            return Err(RunError::NotFinite { body, quantity, place, index, value, time });
        }
        let motion = [("positions", &body.positions), ("velocities", &body.velocities)];
        let motion = motion.map(|(quantity, values)| {
            assert_eq!(values.len(), vertices, "{quantity} fit the vertices of `{}`", info.name);
            (quantity, FieldPlace::Vertex, 3, values.as_flattened())
        });
        let fields = fields.iter().zip(&body.fields).map(|(field, values)| {
            let length = info.field_len(field);
            assert_eq!(values.len(), length, "{} fits the body `{}`", field.name, info.name);
            (field.name.as_str(), field.place, field.components.max(1), values.as_slice())
        });
        for (quantity, place, components, values) in motion.into_iter().chain(fields) {
            let Some(index) = values.iter().position(|&value| bad(value)) else { continue };
            return Err(RunError::NotFinite {
                body: info.name.clone(),
                quantity: quantity.to_owned(),
                place: super::layout::place_word(place),
                index: index / components,
                value: values[index],
                time: frame.time,
            });
        }
    }
    Ok(())
}

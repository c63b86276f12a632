//! Looking at a run, frame by frame, also while it is written.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use zarrs::array::Array;
use zarrs::group::Group;

use super::disk::Disk;
use super::folder::{Places, TABLES};
use super::layout::{BodyArrays, chunk_path, load, metadata_path};
use super::names::is_safe;
use super::root::{Root, count, list, text};
use super::{Precision, RunError, RunStatus};
use crate::frame::{
    BodyFrame, BodyInfo, BodyKind, FieldInfo, FieldPlace, Frame, FrameError, Frames, Pose,
};

/// More than any vector or tensor has; a larger number is damage.
const MOST_COMPONENTS: u64 = 1000;

/// A run folder, opened for reading. Holds times and topology in memory; reads a frame when asked for it.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    disk: Arc<Disk>,
    root: Root,
    bodies: Vec<BodyInfo>,
    arrays: Vec<BodyArrays>,
    time: Array<Disk>,
    step: Array<Disk>,
    times: Vec<f64>,
    steps: Vec<u64>,
}

impl RunFolder {
    /// Opens a run, finished or not.
    ///
    /// # Errors
    /// When it is no run, or when metadata, topology or times are damaged.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        Self::open_up_to(path, None)
    }

    /// Reads so many frames, to see whether they are whole.
    pub(super) fn read_all(path: &Path, frames: u64) -> Result<(), RunError> {
        let run = Self::open_up_to(path, Some(frames))?;
        (0..run.times.len()).try_for_each(|index| run.read_frame(index).map(|_| ()))
    }

    /// With so many frames, whatever the root says.
    fn open_up_to(path: &Path, frames: Option<u64>) -> Result<Self, RunError> {
        let places = Places::new(path);
        places.check()?;
        if !places.has_root()? {
            let reason = "it was stopped before its first frame".into();
            return Err(RunError::NoRun { path: path.to_path_buf(), reason });
        }
        let (mut root, disk) = Root::open(&places.zarr)?;
        root.frames = frames.unwrap_or(root.frames);
        let (mut bodies, mut arrays) = (Vec::new(), Vec::new());
        for (_, path) in &root.bodies {
            let (body, of_body) = open_body(&disk, path)?;
            bodies.push(body);
            arrays.push(of_body);
        }
        let (time, step) = (open_array(&disk, "/time")?, open_array(&disk, "/step")?);
        let (path, times, steps) = (path.to_path_buf(), Vec::new(), Vec::new());
        let mut run = Self { path, disk, root, bodies, arrays, time, step, times, steps };
        run.read_times()?;
        Ok(run)
    }

    /// Looks again how far a run is that is still being written.
    ///
    /// # Errors
    /// When metadata or times are damaged.
    pub fn refresh(&mut self) -> Result<(), RunError> {
        self.root = Root::read(&self.disk)?;
        // A resumed run may have gone back a frame, or have more room than it had.
        (self.time, self.step) =
            (open_array(&self.disk, "/time")?, open_array(&self.disk, "/step")?);
        self.read_times()
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How it ended, or [`Running`](RunStatus::Running) if it did not.
    pub fn status(&self) -> RunStatus {
        self.root.status
    }

    /// In what precision its numbers are stored.
    pub fn precision(&self) -> Precision {
        self.root.precision
    }

    /// The same of a run that need not be whole; nothing if it was stopped before its first frame.
    pub(crate) fn fingerprint_of(path: &Path) -> Result<Option<u64>, RunError> {
        let places = Places::new(path);
        places.check()?;
        match places.has_root()? {
            true => Ok(Some(Root::open(&places.zarr)?.0.fingerprint)),
            false => Ok(None),
        }
    }

    /// Fingerprint of the scene it was made from.
    pub fn fingerprint(&self) -> u64 {
        self.root.fingerprint
    }

    /// Whether all of it has checksums; runs of older programs do not.
    pub fn has_checksums(&self) -> bool {
        self.root.is_sealed()
    }

    /// A table as it is now, compared with its checksum: rows after the last frame are only there while a run goes
    /// on, or after it was killed.
    ///
    /// # Errors
    /// When it cannot be read, or has changed since it was written.
    pub fn table(&self, table: RunTable) -> Result<Vec<u8>, RunError> {
        let path = self.path.join(table.file_name());
        let read = |root: &Root| {
            let bytes = fs::read(&path).map_err(RunError::disk(&path, "read it"))?;
            let Some(seals) = root.tables else { return Ok(bytes) };
            let seal = seals[table as usize];
            seal.check(&path, &bytes)?;
            let more = bytes.len() as u64 - seal.bytes;
            if more > 0 && root.status != RunStatus::Running {
                let reason = format!("has {more} bytes more than were written");
                return Err(RunError::damaged(&path, reason));
            }
            Ok(bytes)
        };
        // It may have been resumed from an earlier frame, or gone on, since the root was read.
        read(&self.root).or_else(|_| read(&Root::read(&self.disk)?))
    }

    /// Steps done at its frames, ascending.
    pub fn steps(&self) -> &[u64] {
        &self.steps
    }

    fn read_times(&mut self) -> Result<(), RunError> {
        let frames = self.root.frames;
        self.times.truncate(frames.try_into().unwrap_or(usize::MAX));
        self.steps.truncate(self.times.len());
        // Not reserved: a damaged count meets a missing chunk long before memory ends.
        for index in self.times.len() as u64..frames {
            let time = load::<f64>(&self.time, index, 1)?[0];
            let step = load::<i64>(&self.step, index, 1)?[0];
            let ascending = self.times.last().is_none_or(|&last| time > last);
            if !time.is_finite() || !ascending || step < 0 {
                let reason = format!("frame {index} is at {time} s, step {step}: not ascending");
                return Err(RunError::damaged(&metadata_path(&self.disk, "/time"), reason));
            }
            self.times.push(time);
            self.steps.push(step as u64);
        }
        Ok(())
    }

    fn read_frame(&self, index: usize) -> Result<Frame, RunError> {
        let bodies = self
            .bodies
            .iter()
            .zip(&self.arrays)
            .map(|(info, arrays)| self.read_body(info, arrays, index as u64))
            .collect::<Result<_, _>>()?;
        Ok(Frame { time: self.times[index], step: self.steps[index], bodies })
    }

    fn read_body(
        &self,
        info: &BodyInfo,
        arrays: &BodyArrays,
        index: u64,
    ) -> Result<BodyFrame, RunError> {
        let mut parts =
            parts(info, arrays).map(|(array, length)| self.read_numbers(array, index, length));
        let mut vectors =
            || parts.next().transpose().map(|numbers| triples(&numbers.unwrap_or_default()));
        Ok(BodyFrame {
            positions: vectors()?,
            velocities: vectors()?,
            fields: parts.collect::<Result<_, _>>()?,
            pose: arrays.pose.as_ref().map(|array| read_pose(array, index)).transpose()?,
        })
    }

    /// Every damage there is in what frames are made of, file by file.
    pub(super) fn damages(&self, progress: &mut dyn FnMut(f64)) -> Vec<RunError> {
        let mut damages = Vec::new();
        if let Err(error) = Group::open(Arc::clone(&self.disk), "/bodies") {
            damages.push(self.disk.explain(&metadata_path(&self.disk, "/bodies"), &error));
        }
        for index in 0..self.times.len() {
            for (info, arrays) in self.bodies.iter().zip(&self.arrays) {
                damages.extend(
                    parts(info, arrays)
                        .map(|(array, length)| self.read_numbers(array, index as u64, length))
                        .filter_map(Result::err),
                );
                let pose = arrays.pose.as_ref().map(|array| read_pose(array, index as u64));
                damages.extend(pose.and_then(Result::err));
            }
            progress((index + 1) as f64 / self.times.len() as f64);
        }
        damages
    }

    fn read_numbers(
        &self,
        array: &Array<Disk>,
        index: u64,
        length: usize,
    ) -> Result<Vec<f64>, RunError> {
        let values = match self.root.precision {
            Precision::Single => {
                load::<f32>(array, index, length)?.into_iter().map(f64::from).collect()
            }
            Precision::Double => load::<f64>(array, index, length)?,
        };
        // No writer writes others; without checksums this tells some damage.
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(values),
            Some(place) => {
                let reason = format!("number {place} of frame {index} is {}", values[place]);
                Err(RunError::damaged(&chunk_path(array, index), reason))
            }
        }
    }

    /// One array of one body in one frame, components next to each other: a whole [`frame`](Frames::frame) may be far
    /// more than is asked for. Empty for a body that never moves.
    ///
    /// # Errors
    /// When there is no such frame, body or field, or it cannot be read.
    pub fn part(&self, index: usize, body: usize, part: Part) -> Result<Vec<f64>, FrameError> {
        self.has_frame(index)?;
        let missing = |what: String| FrameError {
            path: self.path.clone(),
            reason: format!("has no {what}"),
            help: "bodies and fields are counted from 0".into(),
        };
        let (Some(info), Some(arrays)) = (self.bodies.get(body), self.arrays.get(body)) else {
            return Err(missing(format!("body {body}")));
        };
        let Some([positions, velocities]) = &arrays.motion else { return Ok(Vec::new()) };
        let (array, length) = match part {
            Part::Positions => (positions, 3 * info.start.len()),
            Part::Velocities => (velocities, 3 * info.start.len()),
            Part::Field(field) => match (arrays.fields.get(field), info.fields.get(field)) {
                (Some(array), Some(field)) => (array, info.field_len(field)),
                _ => return Err(missing(format!("field {field} of body {body}"))),
            },
        };
        self.read_numbers(array, index as u64, length)
            .map_err(|error| error.into_frame_error(&self.path))
    }

    fn has_frame(&self, index: usize) -> Result<(), FrameError> {
        if index < self.times.len() {
            return Ok(());
        }
        Err(FrameError {
            path: self.path.clone(),
            reason: format!("has {} frames, so there is no frame {index}", self.times.len()),
            help: "frames are counted from 0".into(),
        })
    }
}

/// A table of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunTable {
    /// `steps.csv`: what steps took.
    Steps,
    /// `probes.csv`: what probes measured.
    Probes,
}

impl RunTable {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Steps, Self::Probes];

    /// What its file is called.
    pub fn file_name(self) -> &'static str {
        TABLES[self as usize]
    }
}

/// What a frame holds of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Of vertices [m].
    Positions,
    /// Of vertices [m/s].
    Velocities,
    /// A field, by its place in [`BodyInfo::fields`].
    Field(usize),
}

impl Frames for RunFolder {
    fn bodies(&self) -> &[BodyInfo] {
        &self.bodies
    }

    fn times(&self) -> &[f64] {
        &self.times
    }

    fn frame(&self, index: usize) -> Result<Frame, FrameError> {
        self.has_frame(index)?;
        self.read_frame(index).map_err(|error| error.into_frame_error(&self.path))
    }
}

fn open_body(disk: &Arc<Disk>, path: &str) -> Result<(BodyInfo, BodyArrays), RunError> {
    let path = format!("/bodies/{path}");
    let metadata = metadata_path(disk, &path);
    let group = Group::open(Arc::clone(disk), &path);
    let group = group.map_err(|error| disk.explain(&metadata, &error))?;
    let (mut body, fields) = parse_body(group.attributes())
        .map_err(|reason: String| RunError::damaged(&metadata, reason))?;

    body.start = triples(&topology::<f64>(disk, &format!("{path}/start"), 3)?);
    let tets = topology::<u32>(disk, &format!("{path}/tets"), 4)?;
    body.tets = tets.as_chunks::<4>().0.to_vec();
    body.triangles = triples(&topology::<u32>(disk, &format!("{path}/triangles"), 3)?);
    let corners = body.tets.as_flattened().iter().chain(body.triangles.as_flattened());
    if let Some(corner) = corners.copied().find(|&corner| corner as usize >= body.start.len()) {
        let reason = format!("has {} vertices, but a corner is {corner}", body.start.len());
        return Err(RunError::damaged(&metadata, reason));
    }
    if !body.start.as_flattened().iter().all(|value| value.is_finite()) {
        return Err(RunError::damaged(&metadata, "its `start` is not finite"));
    }
    if !body.moves {
        return Ok((body, BodyArrays::default()));
    }
    let array = |name: &str| open_array(disk, &format!("{path}/{name}"));
    let motion = Some([array("positions")?, array("velocities")?]);
    let fields = fields.iter().map(|name| array(name)).collect::<Result<_, _>>()?;
    let pose = (body.has_pose() && disk.is_sealed()).then(|| array("pose")).transpose()?;
    Ok((body, BodyArrays { motion, fields, pose }))
}

/// A body without its topology, and where its fields are.
fn parse_body(attributes: &Map<String, Value>) -> Result<(BodyInfo, Vec<String>), String> {
    let kind = match text(attributes, "kind")?.as_str() {
        "solid" => BodyKind::Solid,
        "cloth" => BodyKind::Cloth,
        "rigid" => BodyKind::Rigid,
        "obstacle" => BodyKind::Obstacle,
        other => return Err(format!("no kind of body is `{other}`")),
    };
    let moves = attributes.get("moves").and_then(Value::as_bool).ok_or("lacks `moves`")?;
    let (mut fields, mut paths) = (Vec::new(), Vec::new());
    for field in list(attributes, "fields")? {
        let field = field.as_object().ok_or("a field of `fields` is no object")?;
        let place = match text(field, "place")?.as_str() {
            "vertex" => FieldPlace::Vertex,
            "element" => FieldPlace::Element,
            other => return Err(format!("no field sits at `{other}`")),
        };
        let (components, path) = (count(field, "components")?, text(field, "path")?);
        if components > MOST_COMPONENTS || !is_safe(&path) {
            return Err(format!("no field has {components} components at `{path}`"));
        }
        fields.push(FieldInfo {
            name: text(field, "name")?,
            unit: text(field, "unit")?,
            place,
            components: components as usize,
        });
        paths.push(path);
    }
    let name = text(attributes, "name")?;
    let (start, tets, triangles) = (Vec::new(), Vec::new(), Vec::new());
    Ok((BodyInfo { name, kind, start, tets, triangles, moves, fields }, paths))
}

fn open_array(disk: &Arc<Disk>, path: &str) -> Result<Array<Disk>, RunError> {
    let metadata = metadata_path(disk, path);
    let array = Array::open(Arc::clone(disk), path);
    let array = array.map_err(|error| disk.explain(&metadata, &error))?;
    match array.dimensionality() {
        0 => Err(RunError::damaged(&metadata, "has no axes")),
        _ => Ok(array),
    }
}

/// All of an array of `[sites, width]`.
fn topology<T: zarrs::array::ElementOwned>(
    disk: &Arc<Disk>,
    path: &str,
    width: usize,
) -> Result<Vec<T>, RunError> {
    let array = open_array(disk, path)?;
    let metadata = metadata_path(disk, path);
    let &[sites, columns] = array.shape() else {
        return Err(RunError::damaged(&metadata, "is no table"));
    };
    // Vertices are numbered in 32 bits; so much more cannot be meant.
    if columns != width as u64 || sites > 8 * u64::from(u32::MAX) {
        let reason = format!("is a table of {sites} × {columns}");
        return Err(RunError::damaged(&metadata, reason));
    }
    load(&array, 0, sites as usize * width)
}

fn read_pose(array: &Array<Disk>, index: u64) -> Result<Pose, RunError> {
    let numbers = load::<f64>(array, index, Pose::WIDTH)?;
    let damaged = || RunError::damaged(&chunk_path(array, index), "does not hold a pose");
    numbers.first_chunk().map(Pose::of_numbers).ok_or_else(damaged)
}

/// Positions, velocities and fields of a body, and how many numbers each has; nothing if it does not move.
fn parts<'a>(
    info: &'a BodyInfo,
    arrays: &'a BodyArrays,
) -> impl Iterator<Item = (&'a Array<Disk>, usize)> {
    let motion = arrays.motion.iter().flatten().map(|array| (array, 3 * info.start.len()));
    let fields = arrays.fields.iter().zip(&info.fields);
    motion.chain(fields.map(|(array, field)| (array, info.field_len(field))))
}

fn triples<T: Copy>(values: &[T]) -> Vec<[T; 3]> {
    values.as_chunks::<3>().0.to_vec()
}

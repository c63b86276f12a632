//! Looking at a run, frame by frame, also while it is written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use zarrs::array::Array;
use zarrs::group::Group;

use super::disk::Disk;
use super::folder::Places;
use super::layout::{BodyArrays, load, metadata_path};
use super::names::is_safe;
use super::root::{Root, count, list, text};
use super::{Precision, RunError, RunStatus};
use crate::frame::{
    BodyFrame, BodyInfo, BodyKind, FieldInfo, FieldPlace, Frame, FrameError, Frames,
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
        let places = Places::new(path);
        places.check()?;
        if !places.root().exists() {
            let reason = "it was stopped before its first frame".into();
            return Err(RunError::NoRun { path: path.to_path_buf(), reason });
        }
        let disk = Arc::new(Disk::new(places.zarr));
        let root = Root::read(&disk)?;
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

    /// Fingerprint of the scene it was made from.
    pub fn fingerprint(&self) -> u64 {
        self.root.fingerprint
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
        let Some([positions, velocities]) = &arrays.motion else { return Ok(BodyFrame::default()) };
        let vectors =
            |array| Ok(triples(&self.read_numbers(array, index, 3 * info.start.len())?));
        let fields = info.fields.iter().zip(&arrays.fields);
        Ok(BodyFrame {
            positions: vectors(positions)?,
            velocities: vectors(velocities)?,
            fields: fields
                .map(|(field, array)| self.read_numbers(array, index, info.field_len(field)))
                .collect::<Result<_, _>>()?,
        })
    }

    fn read_numbers(
        &self,
        array: &Array<Disk>,
        index: u64,
        length: usize,
    ) -> Result<Vec<f64>, RunError> {
        match self.root.precision {
            Precision::Single => {
                Ok(load::<f32>(array, index, length)?.into_iter().map(f64::from).collect())
            }
            Precision::Double => load::<f64>(array, index, length),
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
    Ok((body, BodyArrays { motion, fields }))
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

fn triples<T: Copy>(values: &[T]) -> Vec<[T; 3]> {
    values.as_chunks::<3>().0.to_vec()
}

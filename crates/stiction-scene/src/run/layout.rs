//! The arrays of a run, as `docs/runs.md` draws them: made, written and read through `zarrs`.

use std::fs;
use std::io;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use zarrs::array::codec::Crc32cCodec;
use zarrs::array::codec::api::BytesToBytesCodecTraits;
use zarrs::array::{
    Array, ArrayBuilder, ArrayMetadataOptions, ChunkKeySeparator, CodecOptions, DataType,
    ElementOwned, data_type,
};
use zarrs::group::GroupBuilder;

use super::disk::Disk;
use super::names::path_names;
use super::{Precision, RunError, seal};
use crate::frame::{BodyFrame, BodyInfo, BodyKind, FieldPlace, Frame, Pose};

/// Arrays of these names are in every body, so that no field may have them.
const OWN_ARRAYS: [&str; 6] = ["start", "tets", "triangles", "positions", "velocities", "pose"];

/// What the codec `crc32c` adds to a chunk.
const CHECKSUM_BYTES: usize = 4;

/// All arrays that grow.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) disk: Arc<Disk>,
    pub(super) precision: Precision,
    time: Array<Disk>,
    step: Array<Disk>,
    bodies: Vec<BodyArrays>,
    /// Frames there is room for.
    capacity: u64,
}

/// Arrays of a body; none if it does not move.
#[derive(Debug, Default)]
pub(super) struct BodyArrays {
    pub(super) motion: Option<[Array<Disk>; 2]>,
    pub(super) fields: Vec<Array<Disk>>,
    /// Of rigid bodies, since version 2 of the format.
    pub(super) pose: Option<Array<Disk>>,
}

/// Where bodies are, in their order: names below `bodies/`.
pub(super) fn body_paths(bodies: &[BodyInfo]) -> Vec<String> {
    path_names(bodies.iter().map(|body| body.name.as_str()), &[])
}

impl Layout {
    /// Writes the metadata of everything but the root.
    pub(super) fn make(
        disk: &Arc<Disk>,
        bodies: &[BodyInfo],
        precision: Precision,
        capacity: u64,
    ) -> Result<Self, RunError> {
        group(disk, "/bodies", Map::new())?;
        let paths = body_paths(bodies);
        let arrays = bodies
            .iter()
            .zip(&paths)
            .map(|(body, path)| BodyArrays::make(disk, body, path, precision, capacity))
            .collect::<Result<_, _>>()?;
        let seconds = json!({ "unit": "s" });
        Ok(Self {
            disk: Arc::clone(disk),
            precision,
            time: Shape::growing(capacity, &[], &["frame"]).array(
                disk,
                "/time",
                data_type::float64(),
                &seconds,
            )?,
            step: Shape::growing(capacity, &[], &["frame"]).array(
                disk,
                "/step",
                data_type::int64(),
                &json!({}),
            )?,
            bodies: arrays,
            capacity,
        })
    }

    /// Writes all chunks of a frame.
    pub(super) fn store(&mut self, index: u64, frame: &Frame) -> Result<(), RunError> {
        if index >= self.capacity {
            self.resize(index + 1)?;
        }
        store(&self.time, index, vec![frame.time])?;
        store(&self.step, index, vec![frame.step as i64])?;
        for (arrays, body) in self.bodies.iter().zip(&frame.bodies) {
            arrays.store(index, body, self.precision)?;
        }
        Ok(())
    }

    /// Changes for how many frames there is room.
    pub(super) fn resize(&mut self, capacity: u64) -> Result<(), RunError> {
        if capacity == self.capacity {
            return Ok(());
        }
        let bodies = self.bodies.iter_mut();
        let arrays = bodies.flat_map(|body| {
            body.motion.iter_mut().flatten().chain(&mut body.fields).chain(&mut body.pose)
        });
        for array in [&mut self.time, &mut self.step].into_iter().chain(arrays) {
            let mut shape = array.shape().to_vec();
            shape[0] = capacity;
            let path = metadata_path(&self.disk, array.path().as_str());
            array.set_shape(shape).map_err(|error| self.disk.explain(&path, &error))?;
            array.store_metadata().map_err(|error| self.disk.explain(&path, &error))?;
        }
        self.capacity = capacity;
        Ok(())
    }
}

impl BodyArrays {
    fn make(
        disk: &Arc<Disk>,
        body: &BodyInfo,
        path: &str,
        precision: Precision,
        capacity: u64,
    ) -> Result<Self, RunError> {
        let names = path_names(body.fields.iter().map(|field| field.name.as_str()), &OWN_ARRAYS);
        let fields: Vec<Value> = body
            .fields
            .iter()
            .zip(&names)
            .map(|(field, path)| {
                json!({
                    "name": field.name, "path": path, "unit": field.unit,
                    "place": place_word(field.place), "components": field.components,
                })
            })
            .collect();
        let attributes = json!({
            "name": body.name, "kind": kind_word(body.kind), "moves": body.moves, "fields": fields,
        });
        group(disk, &format!("/bodies/{path}"), object(attributes))?;
        if !body.moves {
            return Ok(Self::default());
        }
        let real = match precision {
            Precision::Single => data_type::float32(),
            Precision::Double => data_type::float64(),
        };
        let motion = |name: &str, unit: &str| {
            Shape::growing(capacity, &[body.start.len(), 3], &["frame", "vertex", "axis"]).array(
                disk,
                &format!("/bodies/{path}/{name}"),
                real.clone(),
                &json!({ "unit": unit, "place": "vertex" }),
            )
        };
        let field = |(field, attributes): (&crate::frame::FieldInfo, &Value)| {
            let sites = body.field_len(field) / field.components.max(1);
            let place = place_word(field.place);
            let shape = match field.components {
                1 => Shape::growing(capacity, &[sites], &["frame", place]),
                n => Shape::growing(capacity, &[sites, n], &["frame", place, "component"]),
            };
            let name = attributes["path"].as_str().unwrap_or_default();
            let about = json!({ "name": field.name, "unit": field.unit, "place": place });
            shape.array(disk, &format!("/bodies/{path}/{name}"), real.clone(), &about)
        };
        Ok(Self {
            motion: Some([motion("positions", "m")?, motion("velocities", "m/s")?]),
            fields: body.fields.iter().zip(&fields).map(field).collect::<Result<_, _>>()?,
            pose: match body.has_pose() && disk.is_sealed() {
                true => Some(pose_array(disk, path, capacity)?),
                false => None,
            },
        })
    }

    fn store(&self, index: u64, body: &BodyFrame, precision: Precision) -> Result<(), RunError> {
        if let (Some(array), Some(pose)) = (&self.pose, &body.pose) {
            store(array, index, pose.numbers().to_vec())?;
        }
        let vectors = self.motion.iter().flatten().zip([&body.positions, &body.velocities]);
        let motion = vectors.map(|(array, values)| (array, values.as_flattened()));
        let fields = self.fields.iter().zip(body.fields.iter().map(Vec::as_slice));
        for (array, values) in motion.chain(fields) {
            match precision {
                Precision::Single => {
                    store(array, index, values.iter().map(|&value| value as f32).collect())?;
                }
                Precision::Double => store(array, index, values.to_vec())?,
            }
        }
        Ok(())
    }
}

fn pose_array(disk: &Arc<Disk>, path: &str, capacity: u64) -> Result<Array<Disk>, RunError> {
    let about = json!({
        "components": ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"],
        "units": ["m", "m", "m", "1", "1", "1", "1", "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"],
    });
    Shape::growing(capacity, &[Pose::WIDTH], &["frame", "component"]).array(
        disk,
        &format!("/bodies/{path}/pose"),
        data_type::float64(),
        &about,
    )
}

/// Writes what stays the same during a run.
pub(super) fn store_topology(disk: &Arc<Disk>, bodies: &[BodyInfo]) -> Result<(), RunError> {
    for (body, path) in bodies.iter().zip(body_paths(bodies)) {
        let whole =
            |name: &str, sites: usize, width: usize, names: [&str; 2], kind, about: Value| {
                Shape::whole(&[sites, width], &names).array(
                    disk,
                    &format!("/bodies/{path}/{name}"),
                    kind,
                    &about,
                )
            };
        let start = body.start.as_flattened().to_vec();
        let array = whole(
            "start",
            body.start.len(),
            3,
            ["vertex", "axis"],
            data_type::float64(),
            json!({ "unit": "m", "place": "vertex" }),
        )?;
        store(&array, 0, start)?;
        let tets = body.tets.as_flattened().to_vec();
        let names = ["tet", "corner"];
        store(&whole("tets", body.tets.len(), 4, names, data_type::uint32(), json!({}))?, 0, tets)?;
        let triangles = body.triangles.as_flattened().to_vec();
        let names = ["triangle", "corner"];
        let array =
            whole("triangles", body.triangles.len(), 3, names, data_type::uint32(), json!({}))?;
        store(&array, 0, triangles)?;
    }
    Ok(())
}

/// Writes a group's metadata.
pub(super) fn group(
    disk: &Arc<Disk>,
    path: &str,
    mut attributes: Map<String, Value>,
) -> Result<(), RunError> {
    seal_later(disk, &mut attributes);
    let fail = |error: &dyn std::fmt::Display| disk.explain(&metadata_path(disk, path), error);
    let group = GroupBuilder::new().attributes(attributes).build(Arc::clone(disk), path);
    group.map_err(|error| fail(&error))?.store_metadata().map_err(|error| fail(&error))
}

/// Makes room for the checksum that [`Disk`] fills in.
fn seal_later(disk: &Disk, attributes: &mut Map<String, Value>) {
    if disk.is_sealed() {
        attributes.insert("checksum".into(), json!(seal::OPEN));
    }
}

fn chunk_of(array: &Array<Disk>, index: u64) -> Vec<u64> {
    let mut chunk = vec![0; array.dimensionality()];
    chunk[0] = index;
    chunk
}

/// The file of a chunk.
pub(super) fn chunk_path(array: &Array<Disk>, index: u64) -> std::path::PathBuf {
    array.storage().path(&array.chunk_key(&chunk_of(array, index)))
}

/// Reads one chunk of known length.
pub(super) fn load<T: ElementOwned>(
    array: &Array<Disk>,
    index: u64,
    length: usize,
) -> Result<Vec<T>, RunError> {
    if length == 0 {
        return Ok(Vec::new());
    }
    let disk = array.storage();
    let chunk = chunk_of(array, index);
    let path = chunk_path(array, index);
    let summed = !array.codecs().bytes_to_bytes_codecs().is_empty();
    // Both lengths are asked before any memory is taken: metadata and files may say anything.
    let expected = (length * size_of::<T>() + if summed { CHECKSUM_BYTES } else { 0 }) as u64;
    let found = match fs::metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(RunError::damaged(&path, "is missing"));
        }
        found => found.map_err(RunError::disk(&path, "look at it"))?.len(),
    };
    if found != expected {
        let reason = format!("has {found} bytes instead of {expected}");
        return Err(RunError::damaged(&path, reason));
    }
    let described = array.chunk_shape(&chunk).map_err(|error| disk.explain(&path, &error))?;
    let sizes = described.iter().map(|size| size.get());
    if sizes.clone().try_fold(1u64, |all, size| all.checked_mul(size)) != Some(length as u64) {
        let metadata = metadata_path(&disk, array.path().as_str());
        let sizes: Vec<u64> = sizes.collect();
        let reason = format!("has chunks of {sizes:?}, which should hold {length} numbers");
        return Err(RunError::damaged(&metadata, reason));
    }
    let values = array.retrieve_chunk::<Vec<T>>(&chunk);
    // Its length being right, there is little else that can be wrong with it.
    let refusal = |error: zarrs::array::ArrayError| match summed {
        true => disk.explain(&path, &seal::CHANGED),
        false => disk.explain(&path, &error),
    };
    let values = values.map_err(refusal)?;
    match values.len() == length {
        true => Ok(values),
        false => Err(RunError::damaged(&path, "does not hold what its metadata says")),
    }
}

fn store<T: zarrs::array::Element>(
    array: &Array<Disk>,
    index: u64,
    values: Vec<T>,
) -> Result<(), RunError> {
    if values.is_empty() {
        return Ok(());
    }
    let chunk = chunk_of(array, index);
    // Chunks that equal the fill value are stored too: a reader can tell them from missing ones.
    let options = CodecOptions::default().with_store_empty_chunks(true);
    array
        .store_chunk_opt(&chunk, values, &options)
        .map_err(|error| array.storage().explain(&chunk_path(array, index), &error))
}

/// The shape of an array, its chunks, and what its axes are called.
struct Shape<'a> {
    shape: Vec<u64>,
    chunk: Vec<u64>,
    names: Vec<&'a str>,
}

impl<'a> Shape<'a> {
    /// One chunk for each frame.
    fn growing(capacity: u64, sizes: &[usize], names: &[&'a str]) -> Self {
        let Self { mut shape, mut chunk, names } = Self::whole(sizes, names);
        shape.insert(0, capacity);
        chunk.insert(0, 1);
        Self { shape, chunk, names }
    }

    /// One chunk in all.
    fn whole(sizes: &[usize], names: &[&'a str]) -> Self {
        let shape: Vec<u64> = sizes.iter().map(|&size| size as u64).collect();
        // No chunk may be empty, even where the array is.
        let chunk = shape.iter().map(|&size| size.max(1)).collect();
        Self { shape, chunk, names: names.to_vec() }
    }

    /// Makes the array and writes its metadata.
    fn array(
        self,
        disk: &Arc<Disk>,
        path: &str,
        kind: DataType,
        attributes: &Value,
    ) -> Result<Array<Disk>, RunError> {
        let fail = |error: &dyn std::fmt::Display| disk.explain(&metadata_path(disk, path), error);
        let fill = match &kind {
            kind if *kind == data_type::uint32() => json!(0),
            kind if *kind == data_type::int64() => json!(-1),
            _ => json!("NaN"),
        };
        let fill: zarrs::metadata::FillValueMetadata =
            serde_json::from_value(fill).map_err(|error| fail(&error))?;
        let mut attributes = object(attributes.clone());
        seal_later(disk, &mut attributes);
        let codecs: &[Arc<dyn BytesToBytesCodecTraits>] =
            if disk.is_sealed() { &[Arc::new(Crc32cCodec::new())] } else { &[] };
        let array = ArrayBuilder::new(self.shape, self.chunk, kind, fill)
            .bytes_to_bytes_codecs(codecs.to_vec())
            // One flat folder per array instead of folders in folders for each frame.
            .chunk_key_encoding_default_separator(ChunkKeySeparator::Dot)
            .dimension_names(Some(self.names))
            .attributes(attributes)
            .build(Arc::clone(disk), path)
            .map_err(|error| fail(&error))?
            .with_metadata_options(
                ArrayMetadataOptions::default().with_include_zarrs_metadata(false),
            );
        array.store_metadata().map_err(|error| fail(&error))?;
        Ok(array)
    }
}

pub(super) fn metadata_path(disk: &Disk, path: &str) -> std::path::PathBuf {
    disk.root().join(path.trim_start_matches('/')).join("zarr.json")
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

pub(super) fn kind_word(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Solid => "solid",
        BodyKind::Cloth => "cloth",
        BodyKind::Rigid => "rigid",
        BodyKind::Obstacle => "obstacle",
    }
}

pub(super) fn place_word(place: FieldPlace) -> &'static str {
    match place {
        FieldPlace::Vertex => "vertex",
        FieldPlace::Element => "element",
    }
}

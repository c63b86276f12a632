//! Metadata of the root: what the run is, and how many frames of it count.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use zarrs::group::Group;

use super::disk::Disk;
use super::folder::TABLES;
use super::layout::{body_paths, group, metadata_path};
use super::names::is_safe;
use super::seal::StoredSeal;
use super::{Precision, RunError, RunStatus};
use crate::frame::BodyInfo;

const FORMAT: &str = "stiction-run";
/// Has checksums of everything; version 1 had them of checkpoints only.
const VERSION: u64 = 2;

/// What the root says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Root {
    /// Of the format.
    version: u64,
    pub(super) status: RunStatus,
    pub(super) frames: u64,
    pub(super) precision: Precision,
    pub(super) fingerprint: u64,
    /// Names and paths, in order.
    pub(super) bodies: Vec<(String, String)>,
    /// `steps.csv` and `probes.csv` at the last frame, or at the end.
    pub(super) tables: Option<[StoredSeal; 2]>,
}

impl Root {
    pub(super) fn new(bodies: &[BodyInfo], precision: Precision, fingerprint: u64) -> Self {
        let names = bodies.iter().map(|body| body.name.clone());
        Self {
            version: VERSION,
            tables: None,
            status: RunStatus::Running,
            frames: 0,
            precision,
            fingerprint,
            bodies: names.zip(body_paths(bodies)).collect(),
        }
    }

    /// Replaces what the root says, in one go. This is what commits a frame.
    pub(super) fn write(&self, disk: &Arc<Disk>) -> Result<(), RunError> {
        let bodies: Vec<Value> = self
            .bodies
            .iter()
            .map(|(name, path)| json!({ "name": name, "path": format!("bodies/{path}") }))
            .collect();
        let seals = self.tables.iter().flatten();
        let tables: Map<String, Value> = TABLES
            .iter()
            .zip(seals)
            .map(|(name, seal)| {
                let sum = format!("{:08x}", seal.sum);
                ((*name).to_owned(), json!({ "bytes": seal.bytes, "crc32": sum }))
            })
            .collect();
        let attributes = [
            ("format", json!(FORMAT)),
            ("format_version", json!(self.version)),
            ("tables", Value::Object(tables)),
            ("stiction", json!(env!("CARGO_PKG_VERSION"))),
            ("status", json!(self.status.word())),
            ("frames", json!(self.frames)),
            ("units", json!({ "length": "m", "time": "s", "velocity": "m/s" })),
            ("precision", json!(self.precision.word())),
            // As text: numbers of JSON lose bits beyond 53 in many readers.
            ("fingerprint", json!(format!("{:016x}", self.fingerprint))),
            ("bodies", Value::Array(bodies)),
        ];
        let attributes: Map<String, Value> =
            attributes.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        group(disk, "/", attributes)
    }

    /// Whether everything has a checksum.
    pub(super) fn is_sealed(&self) -> bool {
        self.version > 1
    }

    /// Reads it, whatever version it is of, and says how to read the rest.
    pub(super) fn open(zarr: &Path) -> Result<(Self, Arc<Disk>), RunError> {
        let root = Self::read(&Arc::new(Disk::new(zarr.to_path_buf(), false)))?;
        let disk = Arc::new(Disk::new(zarr.to_path_buf(), root.is_sealed()));
        if root.is_sealed() {
            Self::read(&disk)?;
        }
        Ok((root, disk))
    }

    /// As it was made by an older version of the format, if it was.
    pub(super) fn of_version_of(self, stored: &Self) -> Self {
        Self { version: stored.version, ..self }
    }

    pub(super) fn read(disk: &Arc<Disk>) -> Result<Self, RunError> {
        let path = metadata_path(disk, "/");
        let group = Group::open(Arc::clone(disk), "/");
        let group = group.map_err(|error| disk.explain(&path, &error))?;
        Self::parse(group.attributes()).map_err(|reason| RunError::damaged(&path, reason))
    }

    fn parse(attributes: &Map<String, Value>) -> Result<Self, String> {
        if text(attributes, "format")? != FORMAT {
            return Err(format!("its `format` is not `{FORMAT}`"));
        }
        let version = count(attributes, "format_version")?;
        if !(1..=VERSION).contains(&version) {
            return Err(format!("is of version {version}, and this program reads {VERSION}"));
        }
        let tables = match version {
            1 => None,
            _ => {
                let tables = attributes.get("tables").and_then(Value::as_object);
                let [steps, probes] = TABLES.map(|name| seal(tables?.get(name)?));
                Some([steps, probes].map(|seal| seal.ok_or("lacks checksums of `tables`")))
            }
        };
        let tables = match tables {
            None => None,
            Some([steps, probes]) => Some([steps?, probes?]),
        };
        let status = text(attributes, "status")?;
        let precision = text(attributes, "precision")?;
        let bodies = list(attributes, "bodies")?.iter().map(|body| {
            let body = body.as_object().ok_or("a body of `bodies` is no object")?;
            let path = text(body, "path")?;
            match path.strip_prefix("bodies/") {
                Some(path) if is_safe(path) => Ok((text(body, "name")?, path.to_owned())),
                _ => Err(format!("`{path}` is no place for a body")),
            }
        });
        Ok(Self {
            version,
            tables,
            status: RunStatus::parse(&status).ok_or_else(|| format!("no status is `{status}`"))?,
            frames: count(attributes, "frames")?,
            precision: Precision::parse(&precision)
                .ok_or_else(|| format!("no precision is `{precision}`"))?,
            fingerprint: u64::from_str_radix(&text(attributes, "fingerprint")?, 16)
                .map_err(|error| format!("its `fingerprint` is broken: {error}"))?,
            bodies: bodies.collect::<Result<_, String>>()?,
        })
    }
}

fn seal(stored: &Value) -> Option<StoredSeal> {
    let sum = u32::from_str_radix(stored.get("crc32")?.as_str()?, 16).ok()?;
    Some(StoredSeal { bytes: stored.get("bytes")?.as_u64()?, sum })
}

pub(super) fn text(attributes: &Map<String, Value>, key: &str) -> Result<String, String> {
    let value = attributes.get(key).and_then(Value::as_str);
    value.map(str::to_owned).ok_or_else(|| format!("lacks the text `{key}`"))
}

pub(super) fn count(attributes: &Map<String, Value>, key: &str) -> Result<u64, String> {
    let value = attributes.get(key).and_then(Value::as_u64);
    value.ok_or_else(|| format!("lacks the count `{key}`"))
}

pub(super) fn list<'a>(
    attributes: &'a Map<String, Value>,
    key: &str,
) -> Result<&'a Vec<Value>, String> {
    let value = attributes.get(key).and_then(Value::as_array);
    value.ok_or_else(|| format!("lacks the list `{key}`"))
}

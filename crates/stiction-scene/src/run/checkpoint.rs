//! The state of a simulation in a file.
//!
//! All numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `STICTION` |
//! | 4 | version of this format, 2 |
//! | 4 | 1 if the state before is known, else 0 |
//! | 8 | fingerprint of the scene |
//! | 8 + 8 | frames and steps done |
//! | 8 | time [s] |
//! | 8 | seconds since the state before, or 0 |
//! | 2 × (8 + 8) | length [bytes] and CRC-32 of `steps.csv`, then of `probes.csv`; not in version 1 |
//! | 5 × 8 | lengths of `q`, `v`, `memory`, and `q`, `v` before |
//! | 8 × … | these five, one after the other |
//! | 4 | CRC-32 of all above |

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use stiction::State;
use stiction::step::{Before, Trajectory};

use super::RunError;
use super::disk::{UNFINISHED, write_atomically};
use super::seal::{StoredSeal, checksum};

const MAGIC: &[u8; 8] = b"STICTION";
const VERSION: u32 = 2;
const ENDING: &str = ".checkpoint";
/// So many are kept: if the newest is damaged, the one before still serves.
const KEPT: usize = 2;

/// A state, and how many frames were written when it was reached.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Checkpoint {
    pub(super) fingerprint: u64,
    pub(super) frames: u64,
    /// `steps.csv` and `probes.csv` up to this state; not known of old ones.
    pub(super) tables: Option<[StoredSeal; 2]>,
    pub(super) state: State,
}

impl Checkpoint {
    pub(super) fn write(&self, folder: &Path) -> Result<(), RunError> {
        write_atomically(&path(folder, self.state.steps), &self.encode())
    }

    fn encode(&self) -> Vec<u8> {
        let Trajectory { time, q, v, before } = &self.state.trajectory;
        let nothing = Before { step: 0.0, q: Vec::new(), v: Vec::new() };
        let past = before.as_ref().unwrap_or(&nothing);
        let vectors = [q, v, &self.state.memory, &past.q, &past.v];
        let numbers: usize = vectors.iter().map(|vector| vector.len()).sum();

        let mut bytes = Vec::with_capacity(136 + 8 * numbers);
        let version = if self.tables.is_some() { VERSION } else { 1 };
        bytes.extend(MAGIC);
        bytes.extend(version.to_le_bytes());
        bytes.extend(u32::from(before.is_some()).to_le_bytes());
        for number in [self.fingerprint, self.frames, self.state.steps] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(time.to_le_bytes());
        bytes.extend(past.step.to_le_bytes());
        for seal in self.tables.iter().flatten() {
            bytes.extend(seal.bytes.to_le_bytes());
            bytes.extend(u64::from(seal.sum).to_le_bytes());
        }
        for vector in vectors {
            bytes.extend((vector.len() as u64).to_le_bytes());
        }
        for value in vectors.into_iter().flatten() {
            bytes.extend(value.to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Self, String> {
        if !bytes.starts_with(MAGIC) {
            return Err("is no checkpoint of stiction".into());
        }
        let (body, sum) = bytes.split_last_chunk::<4>().ok_or("is cut off")?;
        if checksum(body) != u32::from_le_bytes(*sum) {
            return Err("is cut off or changed: its checksum does not fit".into());
        }
        let mut rest = Rest(body.get(MAGIC.len()..).ok_or("is cut off")?);
        let version = rest.u32()?;
        if !(1..=VERSION).contains(&version) {
            return Err(format!("is of version {version}, and this program reads {VERSION}"));
        }
        let has_before = rest.u32()? == 1;
        let (fingerprint, frames, steps) = (rest.u64()?, rest.u64()?, rest.u64()?);
        let (time, past_step) = (rest.f64()?, rest.f64()?);
        let mut seal = || -> Result<StoredSeal, String> {
            Ok(StoredSeal { bytes: rest.u64()?, sum: rest.u64()? as u32 })
        };
        let tables = if version == 1 { None } else { Some([seal()?, seal()?]) };
        let lengths = [rest.u64()?, rest.u64()?, rest.u64()?, rest.u64()?, rest.u64()?];
        let [q, v, memory, past_q, past_v] = lengths.map(|length| rest.vector(length));
        let (q, v, memory, past_q, past_v) = (q?, v?, memory?, past_q?, past_v?);
        if !rest.0.is_empty() {
            return Err("is longer than it says".into());
        }
        let before = has_before.then_some(Before { step: past_step, q: past_q, v: past_v });
        let trajectory = Trajectory { time, q, v, before };
        Ok(Self { fingerprint, frames, tables, state: State { steps, trajectory, memory } })
    }
}

/// All of them, newest first, or what is wrong with each.
pub(super) fn all(
    folder: &Path,
    fingerprint: u64,
) -> Result<Vec<Result<Checkpoint, RunError>>, RunError> {
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).map_err(RunError::disk(&path, "read it"))?;
        match Checkpoint::decode(&bytes) {
            Ok(found) if found.fingerprint != fingerprint => Err(RunError::OtherRun {
                path,
                what: "a scene of fingerprint",
                stored: format!("{:016x}", found.fingerprint),
                given: format!("{fingerprint:016x}"),
            }),
            Ok(found) => Ok(found),
            Err(reason) => Err(RunError::damaged(&path, reason)),
        }
    };
    Ok(list(folder)?.into_iter().rev().map(read).collect())
}

/// Removes all but the last two up to `steps`, all after it, and what was left unfinished.
pub(super) fn tidy(folder: &Path, steps: u64) -> Result<(), RunError> {
    let newest = path(folder, steps);
    let (mut old, newer): (Vec<_>, Vec<_>) =
        list(folder)?.into_iter().partition(|path| *path <= newest);
    old.truncate(old.len().saturating_sub(KEPT));
    let unfinished = entries(folder)?.into_iter().filter(|path| has_ending(path, UNFINISHED));
    for path in old.into_iter().chain(newer).chain(unfinished) {
        fs::remove_file(&path).map_err(RunError::disk(&path, "remove it"))?;
    }
    Ok(())
}

/// Where that of a step is; names sort like steps.
pub(super) fn path(folder: &Path, steps: u64) -> PathBuf {
    folder.join(format!("step-{steps:012}{ENDING}"))
}

/// Oldest first.
fn list(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut paths = entries(folder)?;
    paths.retain(|path| has_ending(path, ENDING));
    paths.sort();
    Ok(paths)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let read = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    read().map_err(RunError::disk(folder, "list the folder"))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.to_str().is_some_and(|path| path.ends_with(ending))
}

/// What is not yet read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (bytes, rest) = self.0.split_first_chunk::<N>().ok_or("is shorter than it says")?;
        self.0 = rest;
        Ok(*bytes)
    }

    fn u32(&mut self) -> Result<u32, String> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, String> {
        self.take().map(u64::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64, String> {
        self.take().map(f64::from_le_bytes)
    }

    fn vector(&mut self, length: u64) -> Result<Vec<f64>, String> {
        // Asked before any memory is taken: a length may be anything.
        if length > self.0.len() as u64 / 8 {
            return Err("is shorter than it says".into());
        }
        (0..length).map(|_| self.f64()).collect()
    }
}

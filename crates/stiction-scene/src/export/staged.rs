//! Files that appear whole or not at all.
//!
//! Every file is written under a hidden name beside its place, `.frame.0000.vtu.part`. Only when the last one is
//! complete do all get their names; on an error, all are removed. A killed program leaves parts that nothing takes
//! for results and that the next attempt overwrites.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// It exists, and nobody allowed to replace it.
    #[error(
        "{}: already exists\n  help: choose another place, or overwrite it (--force)",
        path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{}: cannot write: {source}\n  help: {}", path.display(), help(source))]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

fn help(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a folder that you may write to"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space, or export fewer frames"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file stands where a folder is needed; choose another place"
        }
        _ => "check the path, the permissions and the free space",
    }
}

pub(crate) type Written<T> = Result<T, OutputError>;

/// Files on their way; see the module.
pub(crate) struct Staged {
    overwrite: bool,
    /// Part and final name.
    files: Vec<(PathBuf, PathBuf)>,
    /// Folders we made, outer ones first.
    folders: Vec<PathBuf>,
    bytes: u64,
}

impl Staged {
    pub(crate) fn new(overwrite: bool) -> Self {
        Self { overwrite, files: Vec::new(), folders: Vec::new(), bytes: 0 }
    }

    /// Makes a folder and those it stands in.
    pub(crate) fn folder(&mut self, path: &Path) -> Written<()> {
        let is_missing = |p: &&Path| !p.as_os_str().is_empty() && !p.exists();
        let missing: Vec<PathBuf> =
            path.ancestors().take_while(is_missing).map(Path::to_owned).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(&folder).map_err(|e| unwritable(&folder, e))?;
            self.folders.push(folder);
        }
        if !path.as_os_str().is_empty() && !path.is_dir() {
            return Err(unwritable(path, io::ErrorKind::NotADirectory.into()));
        }
        Ok(())
    }

    /// Refuses before any work is done what would be refused at the end.
    pub(crate) fn check_free(&self, path: &Path) -> Written<()> {
        if path.is_dir() {
            return Err(unwritable(path, io::ErrorKind::IsADirectory.into()));
        }
        if !self.overwrite && path.symlink_metadata().is_ok() {
            return Err(OutputError::Exists { path: path.to_owned() });
        }
        Ok(())
    }

    /// Begins a file that will be `path`, in a folder that is made if missing.
    pub(crate) fn file(&mut self, path: &Path) -> Written<OutputFile> {
        self.check_free(path)?;
        self.folder(path.parent().unwrap_or(Path::new("")))?;
        let part = part_name(path, "part");
        let file = File::create(&part).map_err(|e| unwritable(path, e))?;
        self.files.push((part, path.to_owned()));
        Ok(OutputFile { path: path.to_owned(), file: BufWriter::with_capacity(1 << 18, file) })
    }

    /// A file beside `path` for what must be put into another order; it is gone when this value is.
    pub(crate) fn spool(&mut self, path: &Path) -> Written<Spool> {
        self.folder(path.parent().unwrap_or(Path::new("")))?;
        let part = part_name(path, "spool");
        let opened = File::options().read(true).write(true).create(true).truncate(true).open(&part);
        let file = opened.map_err(|e| unwritable(&part, e))?;
        let writer = BufWriter::with_capacity(1 << 18, file);
        Ok(Spool { path: part, writer: Some(writer), length: 0 })
    }

    /// Ends a file. It keeps its hidden name until [`Self::publish`].
    pub(crate) fn close(&mut self, output: OutputFile) -> Written<()> {
        let OutputFile { path, file } = output;
        let file = file.into_inner().map_err(|e| unwritable(&path, e.into_error()))?;
        self.bytes += file.metadata().map_err(|e| unwritable(&path, e))?.len();
        Ok(())
    }

    /// Gives all files their names; returns these and the bytes in them.
    pub(crate) fn publish(mut self) -> Written<(Vec<PathBuf>, u64)> {
        for (_, path) in &self.files {
            self.check_free(path)?; // somebody may have come in between
        }
        let mut published = Vec::with_capacity(self.files.len());
        for (part, path) in std::mem::take(&mut self.files) {
            if let Err(error) = fs::rename(&part, &path) {
                self.files.push((part, path.clone()));
                return Err(unwritable(&path, error));
            }
            published.push(path);
        }
        self.folders.clear();
        Ok((published, self.bytes))
    }
}

impl Drop for Staged {
    /// Takes back what was not published. Errors are passed over: there is nobody left to tell.
    fn drop(&mut self) {
        for (part, _) in &self.files {
            let _ = fs::remove_file(part);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder); // refuses unless empty
        }
    }
}

/// A file being written; errors name the file it will be.
pub(crate) struct OutputFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl OutputFile {
    /// Writes through `fill`.
    pub(crate) fn fill(
        &mut self,
        fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Written<()> {
        fill(&mut self.file).map_err(|e| unwritable(&self.path, e))
    }
}

/// Where in a [`Spool`] a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    start: u64,
    length: u64,
}

/// A scratch file: pieces go in as they come and out in any order.
pub(crate) struct Spool {
    path: PathBuf,
    writer: Option<BufWriter<File>>,
    length: u64,
}

impl Spool {
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Written<Piece> {
        let writer = self.writer.as_mut().expect("reading begins after writing");
        writer.write_all(bytes).map_err(|e| unwritable(&self.path, e))?;
        let piece = Piece { start: self.length, length: bytes.len() as u64 };
        self.length += piece.length;
        Ok(piece)
    }

    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Ends writing.
    pub(crate) fn rewind(&mut self) -> Written<SpoolReader> {
        let writer = self.writer.take().expect("rewound once");
        let file = writer.into_inner().map_err(|e| unwritable(&self.path, e.into_error()))?;
        Ok(SpoolReader { file })
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        self.writer = None;
        let _ = fs::remove_file(&self.path);
    }
}

/// The pieces of a spool.
pub(crate) struct SpoolReader {
    file: File,
}

impl SpoolReader {
    pub(crate) fn copy(&mut self, piece: Piece, out: &mut dyn io::Write) -> io::Result<()> {
        use io::{Read as _, Seek as _};
        self.file.seek(io::SeekFrom::Start(piece.start))?;
        let copied = io::copy(&mut (&mut self.file).take(piece.length), out)?;
        if copied != piece.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Everything, in the order it went in.
    pub(crate) fn copy_all(&mut self, length: u64, out: &mut dyn io::Write) -> io::Result<()> {
        self.copy(Piece { start: 0, length }, out)
    }
}

/// Removes what an earlier, longer series left in `folder`: files that `is_stale` recognises by their names.
pub(crate) fn remove_stale(folder: &Path, is_stale: impl Fn(&str) -> bool) -> Written<()> {
    let entries = fs::read_dir(folder).map_err(|e| unwritable(folder, e))?;
    let names: BTreeSet<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    for name in names.iter().filter(|name| is_stale(name)) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|e| unwritable(&path, e))?;
    }
    Ok(())
}

fn part_name(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{ending}"))
}

pub(crate) fn unwritable(path: &Path, source: io::Error) -> OutputError {
    OutputError::Unwritable { path: path.to_owned(), source }
}

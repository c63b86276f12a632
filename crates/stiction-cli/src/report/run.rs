//! What a report is made of: a run, read once.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde_json::Value;
use stiction_scene::run::{Column, Columns, REPORT, RunFolder, RunTable, read_sealed};
use stiction_scene::shown::Shown;

/// A run, read once.
pub(super) struct Run {
    pub(super) folder: PathBuf,
    /// What it is called beside others.
    pub(super) name: String,
    pub(super) shown: Shown,
    /// `report.json`. While a run goes on its sums are those of the start: they are taken from the tables.
    pub(super) report: Value,
    pub(super) steps: Columns,
    pub(super) probes: Columns,
}

impl Run {
    /// Opens a run, finished or not.
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        let shown = Shown::open(folder)?;
        let path = folder.join(REPORT);
        let report = match serde_json::from_slice(&read_sealed(&path)?) {
            Ok(report @ Value::Object(_)) => report,
            Ok(_) => bail!("{}", damaged(&path, "holds no report")),
            Err(error) => bail!("{}", damaged(&path, &format!("is no JSON: {error}"))),
        };
        let name = folder.canonicalize().ok();
        let name = name.as_deref().unwrap_or(folder).file_name();
        Ok(Self {
            name: name.unwrap_or(folder.as_os_str()).to_string_lossy().into_owned(),
            steps: table(shown.run(), RunTable::Steps)?,
            probes: table(shown.run(), RunTable::Probes)?,
            folder: folder.to_path_buf(),
            shown,
            report,
        })
    }

    /// The scene, with all that was chosen for it.
    pub(super) fn scene(&self) -> &Value {
        &self.report["scene"]
    }

    /// What the scene is called.
    pub(super) fn title(&self) -> &str {
        self.report["title"].as_str().filter(|title| !title.is_empty()).unwrap_or(&self.name)
    }

    /// How it ended.
    pub(super) fn status(&self) -> &'static str {
        self.shown.run().status().word()
    }

    /// What was followed.
    pub(super) fn probe_columns(&self) -> &[Column] {
        self.probes.0.get(2..).unwrap_or_default()
    }
}

/// Runs of the same name are called by their folders, as given.
pub(super) fn tell_apart(runs: &mut [Run]) {
    let names: Vec<String> = runs.iter().map(|run| run.name.clone()).collect();
    for run in runs {
        if names.iter().filter(|name| **name == run.name).count() > 1 {
            run.name = run.folder.display().to_string();
        }
    }
}

/// A table with times in its second column, or without any rows and heads: then nothing was written yet.
fn table(run: &RunFolder, which: RunTable) -> anyhow::Result<Columns> {
    let table = Columns::parse(&String::from_utf8_lossy(&run.table(which)?));
    let path = run.path().join(which.file_name());
    match table.0.get(1) {
        Some(time) if time.name != "time" => {
            bail!("{}", damaged(&path, "has no column `time [s]`"))
        }
        None if !table.0.is_empty() => bail!("{}", damaged(&path, "has no column `time [s]`")),
        _ => Ok(table),
    }
}

fn damaged(path: &Path, reason: &str) -> String {
    let help = "restore it from a copy, or run the scene again";
    format!("{}: {reason}\n  help: {help}", path.display())
}

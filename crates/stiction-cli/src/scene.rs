//! Which scene: a file, or one that comes with the command; and what is changed in it.

use std::path::{Path, PathBuf};

use clap::Args;
use stiction::names::nearest;
use stiction_scene::library::{SCENES, Shipped};
use stiction_scene::scene_file::{SceneFile, SceneFileError, Wishes};

/// Values changed before a scene is built.
#[derive(Clone, Debug, Default, Args)]
pub struct Changes {
    /// Change a value: a path of keys and names, and what to put there; may be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Run a variant that the scene defines.
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Run the quick version, if the scene defines one.
    #[arg(long)]
    pub coarse: bool,
}

impl Changes {
    /// For the reader of scenes.
    pub fn wishes(&self) -> Wishes {
        Wishes { variant: self.variant.clone(), coarse: self.coarse, set: self.set.clone() }
    }
}

/// A scene that was named on the command line.
#[derive(Clone, Debug)]
pub enum Named {
    /// A file.
    File(PathBuf),
    /// One that comes with the command.
    Shipped(&'static Shipped),
}

impl Named {
    /// A file of this path if there is one, else a shipped scene of this name.
    ///
    /// # Errors
    /// When there is neither.
    pub fn find(name: &str) -> anyhow::Result<Self> {
        let path = Path::new(name);
        let shipped = Shipped::find(name).filter(|_| !path.is_file());
        if let Some(shipped) = shipped {
            return Ok(Self::Shipped(shipped));
        }
        if path.exists() {
            return Ok(Self::File(path.to_path_buf()));
        }
        let meant = nearest(name, SCENES.iter().map(|scene| scene.name))
            .map(|near| format!("did you mean the scene `{near}`? "))
            .unwrap_or_default();
        anyhow::bail!(
            "there is no file `{name}`, and no scene of that name comes with stiction\n  \
             help: {meant}`stiction scenes` lists those that do"
        )
    }

    /// What it is called in tables and folder names.
    pub fn stem(&self) -> String {
        match self {
            Self::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            Self::Shipped(scene) => scene.name.to_owned(),
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// With everything that is wrong with it.
    pub fn load(&self, wishes: &Wishes) -> Result<SceneFile, SceneFileError> {
        match self {
            Self::File(path) => SceneFile::load(path, wishes),
            Self::Shipped(scene) => scene.load(wishes),
        }
    }
}

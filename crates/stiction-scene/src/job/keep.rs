//! What a run needs to be gone on with, kept in its folder: the resolved scene, and the meshes and pictures it was
//! made of.

use std::path::{Path, PathBuf};

use crate::frame::FrameError;
use crate::run::{INPUTS, SCENE, write_atomically};
use crate::scene_file::format::{
    ClothShape, ObstacleShape, RigidShape, SceneTable, SkinTable, SolidShape, TextureShape,
};
use crate::scene_file::{Name, NameOr, Notation, SceneFile, Setup, Wishes};

use super::JobError;

/// The resolved scene and its files, in memory until the folder is ours.
pub(super) struct Inputs {
    pub(super) fingerprint: u64,
    scene: Vec<u8>,
    /// Names in the folder, and contents.
    files: Vec<(String, Vec<u8>)>,
}

/// Collects the files, and makes the resolved scene point to where they will be.
pub(super) fn collect(scene: &SceneFile, setup: &mut Setup) -> Result<Inputs, JobError> {
    let (mut files, mut names) = (Vec::new(), Vec::new());
    for (number, input) in setup.inputs.iter().enumerate() {
        let path = scene.folder().map_or_else(|| PathBuf::from(input), |folder| folder.join(input));
        let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let kept = format!("{INPUTS}/{number}-{}", file_name.unwrap_or_default());
        for (from, to) in siblings(&path, &kept) {
            files.push((to, read(&from)?));
        }
        names.push((input, kept));
    }
    // All at once: a new name may be the old one of another file.
    for path in paths(&mut setup.resolved) {
        if let Some((_, kept)) = names.iter().find(|(input, _)| **input == path.value) {
            path.value.clone_from(kept);
        }
    }
    let scene = serde_json::to_vec_pretty(&setup.resolved)
        .map_err(|error| unreadable(Path::new(SCENE), &error.to_string()))?;
    Ok(Inputs { fingerprint: fingerprint(&scene, &files), scene, files })
}

impl Inputs {
    /// Writes them into the folder of the run.
    pub(super) fn store(&self, folder: &Path) -> Result<(), JobError> {
        if !self.files.is_empty() {
            let inputs = folder.join(INPUTS);
            std::fs::create_dir_all(&inputs)
                .map_err(|error| unreadable(&inputs, &error.to_string()))?;
        }
        for (name, bytes) in &self.files {
            write_atomically(&folder.join(name), bytes)?;
        }
        // The scene comes last: where it is, all of it is.
        write_atomically(&folder.join(SCENE), &self.scene)?;
        Ok(())
    }
}

/// Whether the scene and its files are those of the run, which has this fingerprint.
pub(super) fn unchanged(folder: &Path, expected: u64) -> Result<(), FrameError> {
    let lost = |path: &Path, reason: String| FrameError {
        path: path.to_path_buf(),
        reason,
        help: "restore it from a copy, or run the scene again".into(),
    };
    let read = |path: &Path| {
        std::fs::read(path).map_err(|error| lost(path, format!("cannot be read: {error}")))
    };
    let scene = read(&folder.join(SCENE))?;
    let inputs = folder.join(INPUTS);
    let mut files = Vec::new();
    if inputs.is_dir() {
        let list = std::fs::read_dir(&inputs).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        for entry in list.map_err(|error| lost(&inputs, error.to_string()))? {
            let name = entry.file_name().to_string_lossy().into_owned();
            // Ours are numbered; systems leave files of their own everywhere.
            if name.starts_with(|letter: char| letter.is_ascii_digit()) {
                files.push((format!("{INPUTS}/{name}"), read(&entry.path())?));
            }
        }
    }
    if fingerprint(&scene, &files) == expected {
        return Ok(());
    }
    let or: String = files.iter().map(|(name, _)| format!(" or {name}")).collect();
    Err(lost(&folder.join(SCENE), format!("this file{or} has been changed since the run")))
}

/// Reads the scene of a run, and its fingerprint.
pub(crate) fn load(folder: &Path) -> Result<(SceneFile, u64), JobError> {
    let path = folder.join(SCENE);
    if !path.exists() {
        let reason = match folder.is_dir() {
            true => "holds no scene.json: it is no run, or one that was killed before it began",
            false => "is no folder",
        };
        return Err(JobError::File(FrameError {
            path: folder.to_path_buf(),
            reason: reason.into(),
            help: "name the folder of a run, or run the scene again".into(),
        }));
    }
    let scene = read(&path)?;
    let text = String::from_utf8(scene.clone()).map_err(|_| unreadable(&path, "it is not text"))?;
    let name = path.display().to_string();
    let file =
        SceneFile::parse(&name, &text, Notation::Json, Some(folder.into()), &Wishes::default())?;
    let mut names = paths(&mut file.table().clone())
        .into_iter()
        .map(|path| path.value.clone())
        .collect::<Vec<_>>();
    names.sort();
    names.dedup();
    // A run that somebody sends must not read other files.
    let kept = |name: &&String| {
        let file = name.strip_prefix(INPUTS).and_then(|name| name.strip_prefix('/'));
        file.is_some_and(|file| !file.contains(['/', '\\'])) && !folder.join(name).is_symlink()
    };
    if let Some(other) = names.iter().find(|name| !kept(name)) {
        return Err(
            unreadable(&path, &format!("`{other}` is not one of the run's {INPUTS}")).into()
        );
    }
    let mut files = Vec::new();
    for name in names {
        for (from, to) in siblings(&folder.join(&name), &name) {
            files.push((to, read(&from)?));
        }
    }
    let fingerprint = fingerprint(&scene, &files);
    Ok((file, fingerprint))
}

/// A mesh file and what belongs to it: TetGen writes two.
fn siblings(path: &Path, kept: &str) -> Vec<(PathBuf, String)> {
    let stem = kept.rsplit_once('.').map_or(kept, |(stem, _)| stem);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !["node", "ele"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        return vec![(path.to_owned(), kept.to_owned())];
    }
    // The file that the scene names is not read if it is, say, `.NODE`, but must be there.
    let pair = ["node", "ele"]
        .map(|extension| (path.with_extension(extension), format!("{stem}.{extension}")));
    let named = (path.to_owned(), kept.to_owned());
    let others = pair.into_iter().filter(|pair| *pair != named && pair.0.exists());
    others.chain([named.clone()]).collect()
}

/// All files that a scene names.
fn paths(table: &mut SceneTable) -> Vec<&mut Name> {
    let mut paths = Vec::new();
    for body in &mut table.body {
        let body = &mut body.value;
        paths.extend(body.solid.as_mut().and_then(|shape| of_solid(&mut shape.value)));
        if let Some(ClothShape::Mesh(path)) = body.cloth.as_mut().map(|shape| &mut shape.value) {
            paths.push(path);
        }
        match body.obstacle.as_mut().map(|shape| &mut shape.value) {
            Some(ObstacleShape::Mesh(path) | ObstacleShape::Points(path)) => paths.push(path),
            Some(ObstacleShape::Grid(table)) => paths.push(&mut table.mesh),
            Some(ObstacleShape::Faceted(solid)) => paths.extend(of_solid(solid)),
            _ => {}
        }
        if let Some(shape) = &mut body.rigid {
            of_rigid(&mut shape.value, &mut paths);
        }
        if let Some(NameOr::Table(skin)) = body.skin.as_mut().map(|skin| &mut skin.value) {
            paths.extend(of_skin(skin));
        }
    }
    paths
}

fn of_rigid<'a>(shape: &'a mut RigidShape, paths: &mut Vec<&'a mut Name>) {
    match shape {
        RigidShape::Mesh(path) => paths.push(path),
        RigidShape::Parts(parts) => {
            parts.0.iter_mut().for_each(|part| of_rigid(&mut part.shape.value, paths));
        }
        _ => {}
    }
}

fn of_skin(skin: &mut SkinTable) -> Option<&mut Name> {
    match &mut skin.texture.as_mut()?.value {
        TextureShape::HeightMap(table) => Some(&mut table.image),
        TextureShape::NormalMap(table) => Some(&mut table.image),
        _ => None,
    }
}

fn of_solid(shape: &mut SolidShape) -> Option<&mut Name> {
    match shape {
        SolidShape::Mesh(path) => Some(path),
        SolidShape::Surface(table) => Some(&mut table.mesh),
        _ => None,
    }
}

/// 64-bit FNV-1a over the scene and its files.
fn fingerprint(scene: &[u8], files: &[(String, Vec<u8>)]) -> u64 {
    let mut files: Vec<_> = files.iter().collect();
    files.sort();
    let parts = files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes]);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in std::iter::once(scene).chain(parts).flatten() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

fn read(path: &Path) -> Result<Vec<u8>, FrameError> {
    std::fs::read(path).map_err(|error| unreadable(path, &error.to_string()))
}

fn unreadable(path: &Path, reason: &str) -> FrameError {
    FrameError {
        path: path.to_path_buf(),
        reason: reason.to_owned(),
        help: "check that it exists and may be read".into(),
    }
}

//! What all targets share: read, then use what was read as a scene would.
//!
//! A reader passes when it returns, whatever it returns: no panic, no hang, no memory that the size of
//! the input does not justify. What it hands out must be safe to build meshes from.

use stiction_scene::mesh_file::{self, Format, MeshFile, MeshFileError};
use stiction_scene::scene_file::format::SceneTable;
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};

/// Reads the bytes as this format and builds what they hold.
pub fn read(format: Format, bytes: &[u8]) {
    use_all(mesh_file::read_bytes(format, "fuzz", bytes));
}

/// Renders the error, or asks a mesh file for everything it can become.
pub fn use_all(read: Result<MeshFile, MeshFileError>) {
    match read {
        Err(error) => drop(error.to_string()),
        Ok(file) => {
            show(file.clone().into_tets());
            show(file.into_surface());
        }
    }
}

fn show<T>(built: Result<T, MeshFileError>) {
    if let Err(error) = built {
        drop(error.to_string());
    }
}

/// Reads a text as a scene, every other one as its coarse variant, and builds one in 64: building a simulation takes a
/// hundred times as long as reading it, and most of it is not about the text. Generators of meshes refuse all but small
/// ones here (`cfg(fuzzing)`): a ball of a million vertices is slow for good reason.
pub fn read_scene(text: &str, notation: Notation, set: &[&str]) {
    let coarse = text.len() % 2 == 1;
    let set = set.iter().map(|&argument| argument.to_owned()).collect();
    let wishes = Wishes { coarse, variant: coarse.then(|| "other".to_owned()), set };
    let build = text.bytes().fold(0, u8::wrapping_add) % 64 == 0;
    match SceneFile::parse("fuzz", text, notation, None, &wishes) {
        Err(error) => drop(error.to_string()),
        Ok(scene) if build => match scene.build() {
            Err(error) => drop(error.to_string()),
            Ok(setup) => resolves_to_itself(&setup.resolved),
        },
        Ok(_) => {}
    }
}

/// What was resolved is a scene, and has nothing left to resolve.
fn resolves_to_itself(resolved: &SceneTable) {
    let text = serde_json::to_string(resolved).expect("a scene can be written");
    let scene = SceneFile::parse("resolved", &text, Notation::Json, None, &Wishes::default());
    let again = scene.and_then(|scene| scene.build()).expect("a resolved scene is a scene");
    assert_eq!(serde_json::to_string(&again.resolved).expect("a scene can be written"), text);
}

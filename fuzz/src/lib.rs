//! What all targets share: read, then use what was read as a scene would.
//!
//! A reader passes when it returns, whatever it returns: no panic, no hang, no memory that the size of
//! the input does not justify. What it hands out must be safe to build meshes from.

use stiction_scene::mesh_file::{self, Format, MeshFile, MeshFileError};

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

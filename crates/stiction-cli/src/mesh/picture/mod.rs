//! Pictures of a mesh and the quality of its elements, as SVG or PNG.
//!
//! A page is drawn once, on a [`Canvas`]; [`svg`] writes it as text, [`png`] as pixels. The surface itself is
//! rendered to an image for both, so that a file stays small however many triangles there are.

mod canvas;
mod color;
mod page;
mod png;
mod render;
mod svg;

use std::path::Path;

use anyhow::{Context as _, bail};

pub(super) use page::Page;

/// Draws the page into a file, as its extension says.
pub(super) fn save(page: &Page, path: &Path) -> anyhow::Result<()> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let bytes = match extension.to_ascii_lowercase().as_str() {
        "svg" => svg::write(page)?,
        "png" => png::write(page)?,
        _ => bail!(
            "{}: pictures are SVG or PNG\n  help: end the name with .svg or .png",
            path.display()
        ),
    };
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

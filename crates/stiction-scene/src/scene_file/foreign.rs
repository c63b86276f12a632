//! Files that are no scenes: what they are, and what to do with them.

use std::path::Path;

use roxmltree::Document;

use super::problem::Problem;

/// What the first bytes or the name of a file say that it is, if that is no scene.
pub(super) fn problem(path: &Path, bytes: &[u8]) -> Option<Problem> {
    let (what, help) = robot(bytes).or_else(|| of_name(path))?;
    let message = format!("{} is {what}, and no scene", path.display());
    Some(Problem { message, span: None, help: Some(help) })
}

/// Descriptions of robots, by their root.
fn robot(bytes: &[u8]) -> Option<(String, String)> {
    let text = str::from_utf8(bytes).ok()?;
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        return None;
    }
    let help = "write each of its links as a [[body]], with `rigid = { mesh = … }`, `mass` and `place`, and each of \
                its joints as a [[joint]]; docs/scenes.md has both";
    let Ok(document) = Document::parse(text) else {
        return Some(("XML that is broken".to_owned(), "a scene is TOML or JSON".to_owned()));
    };
    let root = document.root_element();
    let count = |tag: &str| root.descendants().filter(|node| node.has_tag_name(tag)).count();
    let name = root.attribute("name").or_else(|| root.attribute("model")).unwrap_or("unnamed");
    let (links, joints) = (count("link").max(count("body")), count("joint"));
    let format = match root.tag_name().name() {
        "robot" => "URDF",
        "sdf" => "SDF",
        "mujoco" => "MJCF",
        other => {
            let help = "a scene is TOML or JSON; `stiction scenes` lists some".to_owned();
            return Some((format!("XML, a `{other}`"), help));
        }
    };
    let what = format!("a {format} file of the robot `{name}`, {links} links and {joints} joints");
    Some((what, help.to_owned()))
}

/// Meshes, pictures, tables and runs, by extension.
fn of_name(path: &Path) -> Option<(String, String)> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let name = path.file_name()?.to_string_lossy().into_owned();
    let (what, help) = match extension.as_str() {
        "msh" | "vtk" | "vtu" | "node" | "ele" => (
            "a mesh",
            format!(
                "write a scene with [[body]] solid = {{ mesh = \"{name}\" }}; `stiction mesh info` tells what is in it"
            ),
        ),
        "obj" | "ply" | "stl" => (
            "a mesh",
            format!(
                "write a scene with [[body]] rigid = {{ mesh = \"{name}\" }}, or cloth = …, obstacle = …, or \
                 solid = {{ surface = {{ mesh = \"{name}\" }} }}; `stiction mesh info` tells what is in it"
            ),
        ),
        "gltf" | "glb" | "usd" | "usda" | "usdc" | "fbx" | "dae" | "blend" | "step" | "stp"
        | "iges" => (
            "a file of a modelling program",
            "write its shapes as .obj, .ply or .stl from there, and name them in a scene"
                .to_owned(),
        ),
        "csv" | "png" | "svg" | "html" | "npz" | "zarr" => (
            "what stiction or another program has written",
            "name a scene file, or the folder of a run to `view`, `render` or `report`".to_owned(),
        ),
        "py" | "rs" | "xml" | "yaml" | "yml" => (
            "of another language",
            "a scene is TOML or JSON; `stiction scenes` lists some".to_owned(),
        ),
        _ => return None,
    };
    Some((what.to_owned(), help))
}

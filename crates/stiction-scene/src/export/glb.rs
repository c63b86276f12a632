//! One animated `.glb`: glTF 2.0 with everything inside.
//!
//! A moving body is a mesh at its first frame with a morph target for every later one, which holds displacements
//! (and changes of normals); the animation lets one weight after the other rise to 1, linearly between frames. This
//! is how glTF carries moving vertices; every viewer that plays morph targets plays it. The bodies share times and
//! weights, `frames × (frames − 1)` numbers. Sparse accessors would pay only where most vertices rest.
//!
//! The binary part goes through a scratch file, because the JSON before it needs the bounds of every frame.
//! Source: glTF 2.0 specification, Khronos Group, sections 3.6, 3.7.2.2 and 3.11.

use std::cmp::Ordering;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::frame::BodyInfo;

use super::selection::{Selection, check_finite};
use super::staged::{Spool, Staged, Written};
use super::surface::Surface;
use super::{Done, ExportError, ExportOptions, palette};

/// Weights grow with the square of the frames; at this many they take 16 MB.
const MOST_FRAMES: usize = 2000;
/// Morph targets that every WebGL 2 device can hold, as layers of a texture.
const WIDELY_PLAYED: usize = 256;

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

pub(super) fn export(
    selection: &mut Selection<'_>,
    path: &Path,
    options: &ExportOptions,
    staged: &mut Staged,
) -> Result<Done, ExportError> {
    let bodies = selection.bodies();
    let surfaces: Vec<Surface> = bodies.iter().map(Surface::of).collect();
    check_limits(selection, &surfaces, options)?;
    let times = relative_times(selection)?;
    staged.check_free(path)?;

    let mut scene = Scene {
        spool: staged.spool(path)?,
        accessors: Vec::new(),
        views: Vec::new(),
        has_normals: options.smooth_normals,
        parts: surfaces.iter().map(Part::new).collect(),
    };
    scene.indices()?;
    let is_animated = times.len() > 1 && bodies.iter().any(|body| body.moves);
    let sampler = if is_animated { Some(scene.sampler(&times)?) } else { None };
    let vectors_start = scene.spool.len();
    for (k, body) in bodies.iter().enumerate().filter(|(_, body)| !body.moves) {
        check_finite(body, selection.indices()[0], &body.start)?;
        scene.shape(k, &body.start)?;
    }
    selection.for_each(|_, index, frame| {
        for (k, body) in bodies.iter().enumerate().filter(|(_, body)| body.moves) {
            check_finite(body, index, &frame.bodies[k].positions)?;
            scene.shape(k, &frame.bodies[k].positions)?;
        }
        Ok(())
    })?;
    scene.view(vectors_start, json!({ "byteStride": 12, "target": ARRAY_BUFFER }));

    let document = scene.document(bodies, sampler).to_string();
    let length = scene.spool.len();
    let mut spooled = scene.spool.rewind()?;
    let mut file = staged.file(path)?;
    file.fill(|out| {
        let padding = document.len().next_multiple_of(4) - document.len();
        let json_length = document.len() + padding;
        let total = 12 + 8 + json_length as u64 + 8 + length;
        out.write_all(b"glTF")?;
        out.write_all(&2_u32.to_le_bytes())?;
        out.write_all(&word(total)?)?;
        out.write_all(&word(json_length as u64)?)?;
        out.write_all(b"JSON")?;
        out.write_all(document.as_bytes())?;
        out.write_all(&b"   "[..padding])?;
        out.write_all(&word(length)?)?;
        out.write_all(b"BIN\0")?;
        spooled.copy_all(length, out)
    })?;
    staged.close(file)?;
    let mut done = Done::one(path);
    if is_animated && times.len() > WIDELY_PLAYED + 1 {
        done.notes.push(format!(
            "{} frames are {} morph targets; some browsers play no more than {WIDELY_PLAYED}: export with a stride \
             for those",
            times.len(),
            times.len() - 1
        ));
    }
    Ok(done)
}

/// A length of the container.
fn word(length: u64) -> std::io::Result<[u8; 4]> {
    let fits = u32::try_from(length).map(u32::to_le_bytes);
    fits.map_err(|_| std::io::Error::other("a .glb cannot be larger than 4 GiB"))
}

/// Refuses before the work what the container cannot hold.
fn check_limits(
    selection: &Selection<'_>,
    surfaces: &[Surface],
    options: &ExportOptions,
) -> Result<(), ExportError> {
    if surfaces.iter().all(|surface| surface.triangles.is_empty()) {
        let what = "no body has triangles to draw".to_owned();
        let help = "export to vtu or npz".to_owned();
        return Err(ExportError::Limit { what, help });
    }
    let frames = selection.len();
    let of_moving = selection.bodies().iter().zip(surfaces).filter(|(body, _)| body.moves);
    let vertices: usize = of_moving.map(|(_, surface)| surface.vertices.len()).sum();
    let bytes_each = 12 * vertices * if options.smooth_normals { 2 } else { 1 };
    // Half a GiB is left for everything else.
    let by_size = (7 << 29) / (bytes_each as u64).max(1);
    let most = (MOST_FRAMES as u64).min(by_size) as usize;
    if vertices == 0 || frames <= most {
        return Ok(());
    }
    let help = match frames.div_ceil(most.max(1)) {
        _ if most < 2 => "export to usd instead".to_owned(),
        times => format!("take every {}th frame (stride {})", times, options.stride * times),
    };
    let what =
        format!("{frames} frames of {vertices} vertices: a .glb of this run holds {most} frames");
    Err(ExportError::Limit { what, help })
}

/// Times since the first frame [s]; glTF wants them strictly ascending, in single precision.
fn relative_times(selection: &Selection<'_>) -> Result<Vec<f32>, ExportError> {
    let times = selection.times();
    let relative: Vec<f32> = times.iter().map(|t| (t - times[0]) as f32).collect();
    let repeats = |pair: &[f32]| !matches!(pair[0].partial_cmp(&pair[1]), Some(Ordering::Less));
    match relative.windows(2).position(repeats) {
        None => Ok(relative),
        Some(k) => Err(ExportError::Limit {
            what: format!(
                "frames {} and {} have the same time in single precision",
                selection.indices()[k],
                selection.indices()[k + 1]
            ),
            help: "export with a larger stride".to_owned(),
        }),
    }
}

/// What a body has become so far.
struct Part<'a> {
    surface: &'a Surface,
    indices: usize,
    /// Positions and normals of the first frame.
    base: Option<[Vec<[f32; 3]>; 2]>,
    /// Accessors by attribute: of the base, then of each target.
    attributes: Vec<Value>,
}

impl<'a> Part<'a> {
    fn new(surface: &'a Surface) -> Self {
        Self { surface, indices: 0, base: None, attributes: Vec::new() }
    }
}

struct Scene<'a> {
    spool: Spool,
    accessors: Vec<Value>,
    views: Vec<Value>,
    has_normals: bool,
    parts: Vec<Part<'a>>,
}

/// The views, in the order they are made; the middle one only with an animation.
const INDEX_VIEW: usize = 0;

impl Scene<'_> {
    /// Everything in the spool since `start` becomes a view.
    fn view(&mut self, start: u64, properties: Value) {
        let mut view = json!({
            "buffer": 0,
            "byteOffset": start,
            "byteLength": self.spool.len() - start,
        });
        if let (Some(view), Value::Object(more)) = (view.as_object_mut(), properties) {
            view.extend(more);
        }
        self.views.push(view);
    }

    fn indices(&mut self) -> Written<()> {
        for k in 0..self.parts.len() {
            let triangles = &self.parts[k].surface.triangles;
            if triangles.is_empty() {
                continue;
            }
            let start = self.spool.len();
            let bytes: Vec<u8> = triangles.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
            self.parts[k].indices = self.accessors.len();
            self.accessors.push(json!({
                "bufferView": INDEX_VIEW,
                "byteOffset": start,
                "componentType": UNSIGNED_INT,
                "count": 3 * triangles.len(),
                "type": "SCALAR",
            }));
            self.spool.push(&bytes)?;
        }
        self.view(0, json!({ "target": ELEMENT_ARRAY_BUFFER }));
        Ok(())
    }

    /// Times and weights, as `[input, output]` accessors.
    fn sampler(&mut self, times: &[f32]) -> Written<[usize; 2]> {
        let start = self.spool.len();
        let view = self.views.len();
        let input = self.accessors.len();
        let last = f64::from(times[times.len() - 1]);
        self.accessors.push(json!({
            "bufferView": view, "byteOffset": 0, "componentType": FLOAT, "count": times.len(),
            "type": "SCALAR", "min": [0.0], "max": [last],
        }));
        self.accessors.push(json!({
            "bufferView": view, "byteOffset": 4 * times.len(), "componentType": FLOAT,
            "count": times.len() * (times.len() - 1), "type": "SCALAR",
        }));
        let bytes: Vec<u8> = times.iter().flat_map(|t| t.to_le_bytes()).collect();
        self.spool.push(&bytes)?;
        for frame in 0..times.len() {
            let weight = |target| if target + 1 == frame { 1.0_f32 } else { 0.0 };
            let row: Vec<u8> =
                (0..times.len() - 1).flat_map(|target| weight(target).to_le_bytes()).collect();
            self.spool.push(&row)?;
        }
        self.view(start, json!({}));
        Ok([input, input + 1])
    }

    /// Adds a body's positions: its base the first time, then targets.
    fn shape(&mut self, body: usize, positions: &[[f64; 3]]) -> Written<()> {
        let surface = self.parts[body].surface;
        if surface.triangles.is_empty() {
            return Ok(());
        }
        let positions: Vec<[f64; 3]> = surface.pick(positions).collect();
        let normals = if self.has_normals { surface.normals(&positions) } else { Vec::new() };
        let attributes = match self.parts[body].base.take() {
            None => {
                let base = [&positions, &normals].map(|values| rounded(values));
                let attributes = self.vectors(&base)?;
                self.parts[body].base = Some(base);
                attributes
            }
            Some(base) => {
                let change = [change(&positions, &base[0]), change(&normals, &base[1])];
                self.parts[body].base = Some(base);
                self.vectors(&change)?
            }
        };
        self.parts[body].attributes.push(attributes);
        Ok(())
    }

    /// Writes positions and normals; returns their accessors by attribute.
    fn vectors(&mut self, values: &[Vec<[f32; 3]>; 2]) -> Written<Value> {
        let mut attributes = json!({});
        for (values, name) in values.iter().zip(["POSITION", "NORMAL"]) {
            if values.is_empty() {
                continue;
            }
            let offset = self.spool.len();
            let bytes: Vec<u8> = values.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
            self.spool.push(&bytes)?;
            attributes[name] = json!(self.accessors.len());
            let mut accessor = json!({
                "byteOffset": offset, // in the spool; `document` makes it one in the view
                "componentType": FLOAT, "count": values.len(), "type": "VEC3",
            });
            if name == "POSITION" {
                let bound = |pick: fn(f32, f32) -> f32| -> [f64; 3] {
                    [0, 1, 2]
                        .map(|i| f64::from(values.iter().map(|v| v[i]).reduce(pick).unwrap_or(0.0)))
                };
                accessor["min"] = json!(bound(f32::min));
                accessor["max"] = json!(bound(f32::max));
            }
            self.accessors.push(accessor);
        }
        Ok(attributes)
    }

    fn document(&mut self, bodies: &[BodyInfo], sampler: Option<[usize; 2]>) -> Value {
        let view = self.views.len() - 1;
        let start = self.views[view]["byteOffset"].as_u64().unwrap_or(0);
        for accessor in &mut self.accessors {
            if accessor["type"] == "VEC3" {
                let offset = accessor["byteOffset"].as_u64().unwrap_or(start);
                accessor["byteOffset"] = json!(offset - start);
                accessor["bufferView"] = json!(view);
            }
        }
        let (mut nodes, mut meshes, mut materials, mut channels) = (vec![], vec![], vec![], vec![]);
        for (k, (body, part)) in bodies.iter().zip(&self.parts).enumerate() {
            let Some((base, targets)) = part.attributes.split_first() else {
                nodes.push(json!({ "name": body.name }));
                continue;
            };
            let [r, g, b] = palette::colour(k);
            materials.push(json!({
                "name": body.name,
                "doubleSided": true,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7,
                },
            }));
            let mut primitive = json!({
                "attributes": base, "indices": part.indices, "material": materials.len() - 1,
            });
            let mut mesh = json!({ "name": body.name });
            if !targets.is_empty() {
                primitive["targets"] = json!(targets);
                mesh["weights"] = json!(vec![0.0; targets.len()]);
                channels.push(json!({
                    "sampler": 0, "target": { "node": nodes.len(), "path": "weights" },
                }));
            }
            mesh["primitives"] = json!([primitive]);
            nodes.push(json!({ "name": body.name, "mesh": meshes.len() }));
            meshes.push(mesh);
        }
        let mut document = json!({
            "asset": { "version": "2.0", "generator": concat!("stiction ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
            "nodes": nodes,
            "meshes": meshes,
            "materials": materials,
            "accessors": std::mem::take(&mut self.accessors),
            "bufferViews": std::mem::take(&mut self.views),
            "buffers": [{ "byteLength": self.spool.len() }],
        });
        if let (Some([input, output]), false) = (sampler, channels.is_empty()) {
            document["animations"] = json!([{
                "name": "run",
                "samplers": [{ "input": input, "output": output, "interpolation": "LINEAR" }],
                "channels": channels,
            }]);
        }
        document
    }
}

fn rounded(values: &[[f64; 3]]) -> Vec<[f32; 3]> {
    values.iter().map(|v| v.map(|c| c as f32)).collect()
}

/// What must be added to the rounded base.
fn change(values: &[[f64; 3]], base: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let pairs = values.iter().zip(base);
    pairs.map(|(v, b)| [0, 1, 2].map(|i| (v[i] - f64::from(b[i])) as f32)).collect()
}

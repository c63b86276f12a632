//! From frames of a run to pictures.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use serde_json::Value;
use stiction::math::Vector3;
use stiction_render::{
    Ground, Margins, Picture, Settings, Stage, Studio, Surface, Vec3, arrows, draw, encoded,
};
use stiction_scene::frame::{BodyFrame, BodyInfo, BodyKind, Frame, Frames as _};
use stiction_scene::run::SCENE;
use stiction_scene::shown::{Shown, samples};

use super::camera::{Framing, SAMPLES};
use super::cut::Piece;
use super::legend::{self, Legend};
use super::options::{CameraOption, Clip};
use super::paint::{Coat, Colouring, linear, unknown};

/// What to draw, and how.
#[derive(Clone, Debug)]
pub struct Look {
    pub(super) colouring: Option<Colouring>,
    pub(super) arrows: Option<String>,
    /// Names of bodies that are left out.
    pub(super) hide: Vec<String>,
    pub(super) wireframe: bool,
    pub(super) clip: Option<Clip>,
    pub(super) ground: bool,
    pub(super) legend: bool,
    pub(super) studio: Studio,
    pub(super) camera: CameraOption,
}

/// Everything, on white paper, each body in a colour of its own.
impl Default for Look {
    fn default() -> Self {
        Self {
            colouring: None,
            arrows: None,
            hide: Vec::new(),
            wireframe: false,
            clip: None,
            ground: true,
            legend: true,
            studio: Studio::LIGHT,
            camera: CameraOption::default(),
        }
    }
}

/// A run that is ready to be drawn.
pub struct Show<'a> {
    shown: &'a Shown,
    look: Look,
    hidden: Vec<bool>,
    planes: Vec<bool>,
    up: Vec3,
    /// Of the whole run.
    framing: Framing,
    /// Unit of the arrows, and the length of the longest.
    arrows: Option<(String, f64)>,
}

impl<'a> Show<'a> {
    /// Looks over the run.
    ///
    /// # Errors
    /// When it cannot be read, or lacks what is to be drawn.
    ///
    /// # Panics
    /// When it has no frames.
    pub fn new(shown: &'a Shown, look: Look) -> anyhow::Result<Self> {
        let (bodies, frame_count) = (shown.run().bodies(), shown.run().times().len());
        let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
        if let Some(name) = look.hide.iter().find(|name| !names.contains(&name.as_str())) {
            bail!("{}", unknown("body", name, &names));
        }
        let hidden: Vec<bool> =
            names.iter().map(|&name| look.hide.iter().any(|hide| hide == name)).collect();
        let (up, planes) = of_scene(shown);
        let samples = samples(frame_count, SAMPLES);
        let frames = samples.iter().map(|&k| frame(shown, k)).collect::<Result<Vec<_>, _>>()?;
        let framing = Framing::new(shown, &frames, &hidden, &planes, up);
        let arrows = look.arrows.as_ref().map(|name| longest(shown, &samples, name)).transpose()?;
        Ok(Self { shown, look, hidden, planes, up, framing, arrows })
    }

    /// The colour of the paper, unless it is clear.
    pub(super) fn paper(&self) -> Option<[u8; 4]> {
        let [r, g, b] = self.look.studio.background?.map(|c| (encoded(c) * 255.0 + 0.5) as u8);
        Some([r, g, b, 255])
    }

    /// The picture of a frame. `stamp` writes the time; `progress` is told which share is done.
    ///
    /// # Errors
    /// When the frame cannot be read.
    pub fn picture(
        &self,
        index: usize,
        size: [usize; 2],
        stamp: bool,
        progress: impl FnMut(f64),
    ) -> anyhow::Result<Picture> {
        let frame = frame(self.shown, index)?;
        let of_frame = self.look.camera.fit_frame.then(|| {
            let frames = std::slice::from_ref(&frame);
            Framing::new(self.shown, frames, &self.hidden, &self.planes, self.up)
        });
        let framing = of_frame.as_ref().unwrap_or(&self.framing);
        let legend = self.legend(stamp.then_some(frame.time));
        let mut margins = Margins::default();
        legend.make_room(&mut margins);
        let aspect = size[0] as f32 / size[1] as f32;
        let settings = Settings {
            size,
            camera: framing.camera(&self.look.camera, &margins, aspect),
            up: self.up,
            focus: framing.focus,
            studio: self.look.studio.clone(),
        };
        let stage = self.stage(index, &frame, framing)?;
        let mut picture = draw(&stage, &settings, progress);
        legend.draw(&mut picture, legend::ink(&self.look.studio));
        Ok(picture)
    }

    fn legend(&self, time: Option<f64>) -> Legend<'_> {
        let shown = self.look.legend;
        let times = self.shown.run().times();
        let arrows = self.look.arrows.as_deref().zip(self.arrows.as_ref());
        Legend {
            colouring: self.look.colouring.as_ref().filter(|_| shown),
            arrows: arrows
                .filter(|_| shown)
                .map(|(name, (unit, most))| (name, unit.as_str(), *most)),
            time: time.map(|time| {
                let frames_a_second =
                    (times.len() - 1) as f64 / (times[times.len() - 1] - times[0]);
                let places = frames_a_second.log10().ceil().clamp(1.0, 6.0);
                format!("t = {time:.*} s", if places.is_nan() { 1 } else { places as usize })
            }),
        }
    }

    fn stage(&self, index: usize, frame: &Frame, framing: &Framing) -> anyhow::Result<Stage> {
        let mut stage = Stage::default();
        let bodies = self.shown.run().bodies();
        for (body, info) in bodies.iter().enumerate().filter(|(body, _)| !self.hidden[*body]) {
            let positions = positions(info, frame, body);
            if self.planes[body] {
                stage.grounds.extend(ground(positions));
                continue;
            }
            let vertices: Vec<Vec3> = positions.iter().map(single).collect();
            if !vertices.iter().flatten().all(|c| c.is_finite()) {
                bail!(
                    "frame {index}: body `{}` is nowhere, because some of its positions are not numbers\n  \
                     help: draw an earlier frame",
                    info.name
                );
            }
            let vertices = match info.kind {
                BodyKind::Obstacle => shrunk(vertices, &info.triangles, framing.focus.diagonal()),
                BodyKind::Solid | BodyKind::Cloth | BodyKind::Rigid => vertices,
            };
            stage.surfaces.push(self.surface(index, body, info, vertices)?);
            stage.surfaces.extend(self.arrows_of(index, body, info, positions, framing)?);
        }
        let level = |ground: &Ground| ground.normal.dot(&self.up) > 0.5;
        if self.look.ground && !stage.grounds.iter().any(level) {
            let below = 2e-3 * framing.focus.diagonal();
            stage.grounds.push(Ground { normal: self.up, offset: framing.lowest() - below });
        }
        Ok(stage)
    }

    fn surface(
        &self,
        frame: usize,
        body: usize,
        info: &BodyInfo,
        vertices: Vec<Vec3>,
    ) -> anyhow::Result<Surface> {
        let colouring = self.look.colouring.as_ref();
        let coat = Coat::new(self.shown, frame, body, colouring)?;
        let numbers = if let Coat::Shares(shares) = &coat { shares.clone() } else { Vec::new() };
        let triangles = info.triangles.clone();
        let origins = (0..triangles.len()).map(Some).collect();
        let mut piece = Piece { vertices, numbers, triangles, origins };
        if let Some(clip) = &self.look.clip {
            piece = piece.cut(&clip.normal.cast(), clip.offset as f32, &info.tets);
        }
        Ok(Surface {
            paint: coat.paint(piece.numbers, &piece.origins, colouring),
            vertices: piece.vertices,
            triangles: piece.triangles,
            smooth: true,
            wires: self.look.wireframe,
            casts: true,
            through: false,
        })
    }

    /// Arrows at vertices of a surface: of those close together the longest.
    fn arrows_of(
        &self,
        frame: usize,
        body: usize,
        info: &BodyInfo,
        positions: &[[f64; 3]],
        framing: &Framing,
    ) -> anyhow::Result<Option<Surface>> {
        /// In sizes of the picture: the longest arrow, how wide arrows are, and how far apart at least.
        const SIZES: [f64; 3] = [0.2, 0.007, 0.03];
        let [longest, wide, apart] = SIZES;
        const COLOUR: [u8; 3] = [36, 40, 52];
        let Some((name, (_, most))) = self.look.arrows.as_ref().zip(self.arrows.as_ref()) else {
            return Ok(None);
        };
        if !self.shown.arrows(body).iter().any(|own| own.name == *name) {
            return Ok(None);
        }
        let vectors = self.shown.vectors(frame, body, name)?;
        let size = f64::from(framing.focus.diagonal());
        let mut on_surface = vec![false; positions.len()];
        info.triangles.iter().flatten().for_each(|&v| on_surface[v as usize] = true);
        let mut places: BTreeMap<[i64; 3], (f64, usize)> = BTreeMap::new();
        for v in (0..positions.len()).filter(|&v| on_surface[v]) {
            let place = positions[v].map(|x| (x / (apart * size)).floor() as i64);
            let length = Vector3::from(vectors[v]).norm();
            let best = places.entry(place).or_insert((0.0, v));
            if length > best.0 {
                *best = (length, v);
            }
        }
        // Forces act where bodies touch, which is hidden mostly; motion is the same all through.
        let through = !matches!(name.as_str(), "velocity" | "displacement");
        let scale = if *most > 0.0 { longest * size / most } else { 0.0 };
        let shafts = places
            .values()
            .map(|&(_, v)| (single(&positions[v]), single(&vectors[v].map(|x| x * scale))));
        Ok(Some(arrows(shafts, (wide * size) as f32, linear(COLOUR), through)))
    }
}

/// Positions of a body in a frame: where it starts, if it never moves.
pub(super) fn positions<'a>(info: &'a BodyInfo, frame: &'a Frame, body: usize) -> &'a [[f64; 3]] {
    if info.moves { &frame.bodies[body].positions } else { &info.start }
}

pub(super) fn single(x: &[f64; 3]) -> Vec3 {
    Vec3::from(x.map(|c| c as f32))
}

/// Drawn in by a hair, so that corners of an obstacle do not pierce cloth that lies on it in longer facets.
fn shrunk(mut vertices: Vec<Vec3>, triangles: &[[u32; 3]], size: f32) -> Vec<Vec3> {
    /// In sizes of the picture.
    const HAIR: f32 = 1.5e-3;
    let mut normals = vec![Vec3::zeros(); vertices.len()];
    for t in triangles {
        let [a, b, c] = t.map(|v| vertices[v as usize]);
        let normal = (b - a).cross(&(c - a));
        t.iter().for_each(|&v| normals[v as usize] += normal);
    }
    for (x, normal) in vertices.iter_mut().zip(normals) {
        *x -= normal.try_normalize(0.0).unwrap_or_default() * (HAIR * size);
    }
    vertices
}

fn frame(shown: &Shown, index: usize) -> anyhow::Result<Frame> {
    let frame = shown.run().frame(index)?;
    let fits = |(info, body): (&BodyInfo, &BodyFrame)| {
        !info.moves || body.positions.len() == info.start.len()
    };
    let bodies = shown.run().bodies();
    if frame.bodies.len() != bodies.len() || !bodies.iter().zip(&frame.bodies).all(fits) {
        bail!("frame {index} is of other bodies\n  help: run the scene again");
    }
    Ok(frame)
}

/// The plane that four corners of a square lie in.
fn ground(corners: &[[f64; 3]]) -> Option<Ground> {
    let &[a, b, _, d] = corners else { return None };
    let [a, b, d] = [a, b, d].map(Vector3::from);
    let normal = (b - a).cross(&(d - a)).try_normalize(0.0)?;
    Some(Ground { normal: normal.cast(), offset: normal.dot(&a) as f32 })
}

/// Which way is up, and which bodies are planes without end, as the scene of the run says.
fn of_scene(shown: &Shown) -> (Vec3, Vec<bool>) {
    let scene = std::fs::read(shown.run().path().join(SCENE)).ok();
    let scene: Value =
        scene.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let gravity: Option<[f64; 3]> = serde_json::from_value(scene["gravity"].clone()).ok();
    let up =
        gravity.and_then(|g| single(&g.map(|c| -c)).try_normalize(1e-12)).unwrap_or_else(Vec3::y);
    let is_plane = |(k, info): (usize, &BodyInfo)| {
        scene["body"][k]["obstacle"]["plane"].is_object() && info.start.len() == 4
    };
    (up, shown.run().bodies().iter().enumerate().map(is_plane).collect())
}

/// Unit of arrows, and the length of the longest in some frames.
fn longest(shown: &Shown, samples: &[usize], name: &str) -> anyhow::Result<(String, f64)> {
    let mut known = Vec::new();
    let (mut unit, mut most) = (None, 0.0_f64);
    for body in 0..shown.run().bodies().len() {
        for own in shown.arrows(body) {
            if own.name == name {
                unit = Some(own.unit);
                for &frame in samples {
                    let vectors = shown.vectors(frame, body, name)?;
                    most = vectors.iter().map(|&v| Vector3::from(v).norm()).fold(most, f64::max);
                }
            } else if !known.contains(&own.name) {
                known.push(own.name);
            }
        }
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    Ok((unit.with_context(|| unknown("arrows", name, &known))?, most))
}

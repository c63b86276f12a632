//! What of a run can be shown, for whatever draws it: numbers to colour by, vectors to draw as arrows.
//!
//! [`Shown::quantities`] lists what a body has; [`Shown::values`] computes one of them for one frame and reads no more
//! than it needs. Speed and displacement come from motion, others from fields that the frames carry. What elastic
//! bodies feel (stretch, stress, energy) is computed where it was not stored: the simulation is built once from the
//! run's own scene, and asked at the positions of the frame. Positions are mostly stored with seven digits, so
//! stresses come out with noise of about 10⁻⁷ of the stiffness times body size over element size.

mod colours;
mod model;
mod quantity;
mod range;
mod surface;

use std::path::Path;
use std::sync::OnceLock;

use stiction::measure::{Field, VertexField};

use crate::frame::{BodyInfo, BodyKind, FieldInfo, FieldPlace, FrameError, Frames as _};
use crate::run::{Part, RunError, RunFolder, SCENE};

pub use colours::{ColourMap, body_colour, state_colour};
use model::Model;
pub use quantity::{Arrows, Quantity, Scale};
pub use range::{Range, full_range, robust_range};
pub use surface::{elements_of_triangles, means_at_vertices};

/// Frames that [`Shown::range`] looks at.
const SAMPLES: usize = 9;

/// A run folder, and what can be shown of it.
#[derive(Debug)]
pub struct Shown {
    run: RunFolder,
    /// What stresses are computed with: built at the first question, or why it cannot be.
    model: OnceLock<Result<Model, String>>,
    has_scene: bool,
}

/// Where the numbers of a quantity come from.
enum Source {
    Speed,
    Displacement,
    Stored(usize),
    Computed(Field),
}

impl Shown {
    /// Opens a run, finished or not.
    ///
    /// # Errors
    /// When it is no run, or a damaged one.
    pub fn open(folder: &Path) -> Result<Self, RunError> {
        Ok(Self::new(RunFolder::open(folder)?))
    }

    /// Of a run that is open already.
    pub fn new(run: RunFolder) -> Self {
        let has_scene = run.path().join(SCENE).is_file();
        Self { run, model: OnceLock::new(), has_scene }
    }

    /// The run.
    pub fn run(&self) -> &RunFolder {
        &self.run
    }

    /// Looks again how far a run is that is still being written.
    ///
    /// # Errors
    /// When metadata or times are damaged.
    pub fn refresh(&mut self) -> Result<(), RunError> {
        self.run.refresh()
    }

    /// What a body can be coloured by; nothing if there is no such body, or it never moves.
    pub fn quantities(&self, body: usize) -> Vec<Quantity> {
        let Some(info) = self.run.bodies().get(body).filter(|info| info.moves) else {
            return Vec::new();
        };
        let stored = info.fields.iter().filter(|field| matches!(field.components, 1 | 3));
        let mut all = vec![
            Quantity::new("speed", "m/s", FieldPlace::Vertex),
            Quantity::new("displacement", "m", FieldPlace::Vertex),
        ];
        all.extend(
            stored
                .filter(|field| field.name != "displacement")
                .map(|field| Quantity::new(&field.name, &field.unit, field.place)),
        );
        for field in Field::ALL.into_iter().filter(|_| self.has_scene) {
            let unit = match info.kind {
                BodyKind::Solid => field.unit_on_solids(),
                BodyKind::Cloth => field.unit_on_cloth(),
                BodyKind::Rigid | BodyKind::Obstacle => None,
            };
            if let Some(unit) = unit.filter(|_| stored_field(info, field.name()).is_none()) {
                all.push(Quantity::new(field.name(), unit, FieldPlace::Element));
            }
        }
        all
    }

    /// Values of a quantity in a frame, one a vertex or one an element; of vectors their lengths. NaN where there is
    /// none: the gap of what touches nothing.
    ///
    /// # Errors
    /// When the body has no such quantity, or something cannot be read.
    pub fn values(&self, frame: usize, body: usize, name: &str) -> Result<Vec<f64>, FrameError> {
        let info = self.body(body)?;
        match self.source(info, body, name)? {
            Source::Speed => Ok(lengths(&self.run.part(frame, body, Part::Velocities)?)),
            Source::Displacement => Ok(lengths(&self.displacements(frame, body, info)?)),
            Source::Stored(field) => {
                let values = self.run.part(frame, body, Part::Field(field))?;
                match info.fields[field].components {
                    1 if name == VertexField::Gap.name() => {
                        self.where_touching(frame, body, values)
                    }
                    1 => Ok(values),
                    _ => Ok(lengths(&values)),
                }
            }
            Source::Computed(field) => {
                let positions = self.run.part(frame, body, Part::Positions)?;
                let model = self.model.get_or_init(|| Model::build(&self.run));
                let model = model.as_ref().map_err(|reason| FrameError {
                    path: self.run.path().join(SCENE),
                    reason: format!("{name} cannot be computed: {reason}"),
                    help: format!("run the scene with `fields = [\"{name}\"]` in its [output]"),
                })?;
                Ok(model.evaluate(field, body, &positions))
            }
        }
    }

    /// Arrows that can be drawn at the vertices of a body.
    pub fn arrows(&self, body: usize) -> Vec<Arrows> {
        let Some(info) = self.run.bodies().get(body).filter(|info| info.moves) else {
            return Vec::new();
        };
        let vector = |field: &&FieldInfo| {
            field.components == 3
                && field.place == FieldPlace::Vertex
                && field.name != "displacement"
        };
        let stored = info.fields.iter().filter(vector);
        let mut all = vec![Arrows::new("velocity", "m/s"), Arrows::new("displacement", "m")];
        all.extend(stored.map(|field| Arrows::new(&field.name, &field.unit)));
        if stored_field(info, VertexField::NormalForce.name()).is_some() {
            all.push(Arrows::new(CONTACT_NORMAL, "1"));
        }
        all
    }

    /// Arrows in a frame, one a vertex, of length zero where there is none.
    ///
    /// # Errors
    /// When the body has no such arrows, or something cannot be read.
    pub fn vectors(
        &self,
        frame: usize,
        body: usize,
        name: &str,
    ) -> Result<Vec<[f64; 3]>, FrameError> {
        let info = self.body(body)?;
        let stored = |name: &str| {
            let found = stored_field(info, name);
            found.filter(|&field| info.fields[field].components == 3 && is_of_vertices(info, field))
        };
        let flat = match name {
            "velocity" => self.run.part(frame, body, Part::Velocities)?,
            "displacement" => self.displacements(frame, body, info)?,
            CONTACT_NORMAL => {
                let field = stored(VertexField::NormalForce.name());
                let field = field.ok_or_else(|| self.unknown(info, "arrows", name))?;
                let mut forces = self.run.part(frame, body, Part::Field(field))?;
                forces.as_chunks_mut::<3>().0.iter_mut().for_each(normalise);
                forces
            }
            _ => {
                let field = stored(name).ok_or_else(|| self.unknown(info, "arrows", name))?;
                self.run.part(frame, body, Part::Field(field))?
            }
        };
        Ok(flat.as_chunks::<3>().0.to_vec())
    }

    /// A range of colours for a quantity that holds for the whole run, found in a few frames of those of these bodies
    /// that have it, in the same unit: stress is a pressure in solids, and a force per length in cloth. Nothing if
    /// there are no numbers.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn range(
        &self,
        quantity: &Quantity,
        bodies: impl Iterator<Item = usize>,
    ) -> Result<Option<Range>, FrameError> {
        let mut range: Option<Range> = None;
        for body in bodies.filter(|&body| self.quantities(body).contains(quantity)) {
            for frame in samples(self.run.times().len(), SAMPLES) {
                let found = robust_range(&self.values(frame, body, &quantity.name)?);
                range = range.into_iter().chain(found).reduce(Range::and);
            }
        }
        Ok(range.map(|range| quantity.scale().fit(range)))
    }

    fn body(&self, body: usize) -> Result<&BodyInfo, FrameError> {
        self.run.bodies().get(body).ok_or_else(|| FrameError {
            path: self.run.path().to_path_buf(),
            reason: format!("has {} bodies, so there is no body {body}", self.run.bodies().len()),
            help: "bodies are counted from 0".into(),
        })
    }

    fn source(&self, info: &BodyInfo, body: usize, name: &str) -> Result<Source, FrameError> {
        if !self.quantities(body).iter().any(|quantity| quantity.name == name) {
            return Err(self.unknown(info, "quantity", name));
        }
        match name {
            "speed" => return Ok(Source::Speed),
            "displacement" => return Ok(Source::Displacement),
            _ => {}
        }
        let computed = || Field::from_name(name).ok().map(Source::Computed);
        let source = stored_field(info, name).map(Source::Stored).or_else(computed);
        source.ok_or_else(|| self.unknown(info, "quantity", name))
    }

    fn displacements(
        &self,
        frame: usize,
        body: usize,
        info: &BodyInfo,
    ) -> Result<Vec<f64>, FrameError> {
        let mut positions = self.run.part(frame, body, Part::Positions)?;
        for (x, start) in positions.iter_mut().zip(info.start.as_flattened()) {
            *x -= start;
        }
        Ok(positions)
    }

    /// Gaps where the body touches something.
    fn where_touching(
        &self,
        frame: usize,
        body: usize,
        mut gaps: Vec<f64>,
    ) -> Result<Vec<f64>, FrameError> {
        let info = self.body(body)?;
        if let Some(state) = stored_field(info, VertexField::ContactState.name()) {
            let states = self.run.part(frame, body, Part::Field(state))?;
            let free = gaps.iter_mut().zip(states).filter(|(_, state)| *state < 0.5);
            free.for_each(|(gap, _)| *gap = f64::NAN);
        }
        Ok(gaps)
    }

    fn unknown(&self, info: &BodyInfo, what: &str, name: &str) -> FrameError {
        FrameError {
            path: self.run.path().to_path_buf(),
            reason: format!("body `{}` has no {what} `{name}`", info.name),
            help: "ask for one of those that are listed".into(),
        }
    }
}

/// At most so many frames, spread over a run.
pub fn samples(frame_count: usize, most: usize) -> Vec<usize> {
    let count = frame_count.min(most);
    (0..count).map(|k| k * (frame_count - 1) / (count.max(2) - 1)).collect()
}

/// The direction in which what is touched pushes, of length one.
const CONTACT_NORMAL: &str = "contact_normal";

fn stored_field(info: &BodyInfo, name: &str) -> Option<usize> {
    info.fields.iter().position(|field| field.name == name)
}

fn is_of_vertices(info: &BodyInfo, field: usize) -> bool {
    info.fields[field].place == FieldPlace::Vertex
}

fn lengths(flat: &[f64]) -> Vec<f64> {
    flat.as_chunks::<3>().0.iter().map(length).collect()
}

fn length([x, y, z]: &[f64; 3]) -> f64 {
    x.hypot(*y).hypot(*z)
}

fn normalise(vector: &mut [f64; 3]) {
    let length = length(vector);
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

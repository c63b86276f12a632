//! What a run shows: bodies that keep their topology, and frames of where they were.
//!
//! Everything that stores, converts or draws a run speaks in these types and knows neither scene nor solver.

use std::path::PathBuf;

/// Digits of numbers that are stored. Times, states and topology always keep all bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Seven digits, 32 bits: plenty to look at, half the size.
    #[default]
    Single,
    /// All 64 bits.
    Double,
}

impl Precision {
    /// As written to runs.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Self> {
        [Self::Single, Self::Double].into_iter().find(|precision| precision.word() == word)
    }
}

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Tetrahedra; `triangles` are its surface.
    Solid,
    /// Triangles.
    Cloth,
    /// The surface of a body that does not deform.
    Rigid,
    /// A surface that only moves as prescribed; curved ones are cut into triangles.
    Obstacle,
}

/// Where the values of a field sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPlace {
    /// One value a vertex.
    Vertex,
    /// One value a tetrahedron of a solid, a triangle of a cloth.
    Element,
}

/// A quantity that every frame carries for a body, besides positions and velocities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// Words joined by underscores, such as `strain_energy`.
    pub name: String,
    /// SI, such as `J/m³`; `1` if it has none.
    pub unit: String,
    /// Where its values sit.
    pub place: FieldPlace,
    /// Numbers a value has: 1 for a scalar, 3 for a vector.
    pub components: usize,
}

/// What stays the same during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyInfo {
    /// Unique within the run.
    pub name: String,
    /// What it is made of.
    pub kind: BodyKind,
    /// Where its vertices start, as placed [m].
    pub start: Vec<[f64; 3]>,
    /// Corners of tetrahedra; none unless it is a solid.
    pub tets: Vec<[u32; 4]>,
    /// Corners of triangles, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Whether it ever moves; frames of a body that does not hold nothing for it.
    pub moves: bool,
    /// What else is stored for it, in the order of [`BodyFrame::fields`].
    pub fields: Vec<FieldInfo>,
}

impl BodyInfo {
    /// Whether frames say how it stands: it is rigid and moves.
    pub fn has_pose(&self) -> bool {
        self.kind == BodyKind::Rigid && self.moves
    }

    /// Values that a field has in one frame, components counted.
    pub fn field_len(&self, field: &FieldInfo) -> usize {
        let sites = match (field.place, self.kind) {
            (FieldPlace::Vertex, _) => self.start.len(),
            (FieldPlace::Element, BodyKind::Solid) => self.tets.len(),
            (FieldPlace::Element, BodyKind::Cloth | BodyKind::Rigid | BodyKind::Obstacle) => {
                self.triangles.len()
            }
        };
        sites * field.components
    }
}

/// All bodies at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// [s].
    pub time: f64,
    /// Steps taken so far.
    pub step: u64,
    /// In the order of the run's [`BodyInfo`].
    pub bodies: Vec<BodyFrame>,
}

/// A body at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyFrame {
    /// Of vertices [m]; empty for a body that never moves.
    pub positions: Vec<[f64; 3]>,
    /// Of vertices [m/s]; empty for a body that never moves.
    pub velocities: Vec<[f64; 3]>,
    /// Values of its fields, components of a value next to each other.
    pub fields: Vec<Vec<f64>>,
    /// How it stands and moves, if it is rigid; nothing in runs of older programs.
    pub pose: Option<Pose>,
}

/// How a rigid body stands and moves at one time, with all digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Centre of mass [m].
    pub center: [f64; 3],
    /// Unit quaternion, the real part first: from the axes of its mesh to those of the world.
    pub rotation: [f64; 4],
    /// Of the centre of mass [m/s].
    pub velocity: [f64; 3],
    /// Angular velocity, in the world [rad/s].
    pub spin: [f64; 3],
}

impl Pose {
    /// Numbers it has.
    pub const WIDTH: usize = 13;

    /// All of its numbers, in the order of its fields.
    pub fn numbers(&self) -> [f64; Self::WIDTH] {
        let parts = [&self.center[..], &self.rotation, &self.velocity, &self.spin];
        let mut numbers = parts.into_iter().flatten();
        std::array::from_fn(|_| numbers.next().copied().unwrap_or_default())
    }

    pub(crate) fn of_numbers(numbers: &[f64; Self::WIDTH]) -> Self {
        let three = |at: usize| std::array::from_fn(|k| numbers[at + k]);
        let rotation = std::array::from_fn(|k| numbers[3 + k]);
        Self { center: three(0), rotation, velocity: three(7), spin: three(10) }
    }
}

/// A run that can be looked at, frame by frame.
pub trait Frames {
    /// What is in it.
    fn bodies(&self) -> &[BodyInfo];
    /// Times of its frames, ascending [s].
    fn times(&self) -> &[f64];
    /// One frame.
    ///
    /// # Errors
    /// When it cannot be read.
    fn frame(&self, index: usize) -> Result<Frame, FrameError>;
}

/// Why a frame cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}\n  help: {help}", path.display())]
pub struct FrameError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
    /// The remedy.
    pub help: String,
}

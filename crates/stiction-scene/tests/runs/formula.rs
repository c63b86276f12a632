//! A small run that moves by formula, so that readers in other languages can compute it again.
//!
//! At time `t`, a vertex that starts at `(x, y, z)` is at `(x + t·y, y − t²/2, z + sin(t)·x)` and moves at
//! `(y, −t, cos(t)·x)`. Fields: `height` = y now; `force` = three times the velocity; `energy` = t + index of element.

use std::path::PathBuf;

use stiction_scene::frame::{
    BodyFrame, BodyInfo, BodyKind, FieldInfo, FieldPlace, Frame, FrameError, Frames,
};

pub(crate) struct Formula {
    pub(crate) bodies: Vec<BodyInfo>,
    pub(crate) times: Vec<f64>,
    /// A frame that cannot be read.
    pub(crate) broken: Option<usize>,
}

impl Formula {
    /// A solid, a cloth, an obstacle that rests and one that moves.
    pub(crate) fn new(frame_count: usize) -> Self {
        Self {
            bodies: vec![solid(), cloth(), obstacle("floor", false), obstacle("press", true)],
            times: (0..frame_count).map(|k| 0.05 * k as f64).collect(),
            broken: None,
        }
    }
}

impl Frames for Formula {
    fn bodies(&self) -> &[BodyInfo] {
        &self.bodies
    }

    fn times(&self) -> &[f64] {
        &self.times
    }

    fn frame(&self, index: usize) -> Result<Frame, FrameError> {
        if self.broken == Some(index) {
            return Err(FrameError {
                path: PathBuf::from("chunk"),
                reason: "cut short".to_owned(),
                help: "resume the run".to_owned(),
            });
        }
        let time = self.times[index];
        let bodies = self.bodies.iter().map(|body| state(body, time)).collect();
        Ok(Frame { time, step: 10 * index as u64, bodies })
    }
}

fn state(body: &BodyInfo, t: f64) -> BodyFrame {
    if !body.moves {
        return BodyFrame::default();
    }
    let positions: Vec<[f64; 3]> =
        body.start.iter().map(|&[x, y, z]| [x + t * y, y - 0.5 * t * t, z + t.sin() * x]).collect();
    let velocities: Vec<[f64; 3]> =
        body.start.iter().map(|&[x, y, _]| [y, -t, t.cos() * x]).collect();
    let fields = body.fields.iter().map(|field| match field.name.as_str() {
        "height" => positions.iter().map(|p| p[1]).collect(),
        "force" => velocities.iter().flatten().map(|c| 3.0 * c).collect(),
        _ => (0..body.field_len(field)).map(|k| t + k as f64).collect(),
    });
    let fields = fields.collect();
    BodyFrame { positions, velocities, fields, pose: None }
}

fn field(name: &str, place: FieldPlace, components: usize) -> FieldInfo {
    FieldInfo { name: name.to_owned(), unit: "1".to_owned(), place, components }
}

/// A tet cut into four around a vertex inside, which no triangle of the surface uses.
fn solid() -> BodyInfo {
    let start = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.25, 0.25, 0.25], // inside
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let triangles = vec![[0, 3, 1], [0, 1, 4], [0, 4, 3], [1, 3, 4]];
    let tets = triangles.iter().map(|&[a, b, c]| [a, c, b, 2]).collect();
    BodyInfo {
        name: "block".to_owned(),
        kind: BodyKind::Solid,
        start,
        tets,
        triangles,
        moves: true,
        fields: vec![
            field("height", FieldPlace::Vertex, 1),
            field("force", FieldPlace::Vertex, 3),
            field("energy", FieldPlace::Element, 1),
        ],
    }
}

/// A grid of 3 × 3 vertices.
fn cloth() -> BodyInfo {
    let start = (0..9).map(|k| [f64::from(k % 3), 2.0, f64::from(k / 3)]).collect();
    let corner = |i: u32, j: u32| 3 * j + i;
    let triangles = (0..4)
        .map(|k| (k % 2, k / 2))
        .flat_map(|(i, j)| {
            [
                [corner(i, j), corner(i, j + 1), corner(i + 1, j)],
                [corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)],
            ]
        })
        .collect();
    BodyInfo {
        name: "table cloth \"fine\"/ü".to_owned(),
        kind: BodyKind::Cloth,
        start,
        tets: Vec::new(),
        triangles,
        moves: true,
        fields: vec![field("energy", FieldPlace::Element, 1)],
    }
}

fn obstacle(name: &str, moves: bool) -> BodyInfo {
    let start = vec![[-3.0, -1.0, -3.0], [3.0, -1.0, -3.0], [3.0, -1.0, 3.0], [-3.0, -1.0, 3.0]];
    BodyInfo {
        name: name.to_owned(),
        kind: BodyKind::Obstacle,
        start,
        tets: Vec::new(),
        triangles: vec![[0, 2, 1], [0, 3, 2]],
        moves,
        fields: Vec::new(),
    }
}

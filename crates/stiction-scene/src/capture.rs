//! From a simulation to frames.

use std::collections::BTreeSet;

use stiction::body::{Body, BodyId, Motion, Obstacle, Shape};
use stiction::contact::Contact;
use stiction::math::{Vector3, any_across};
use stiction::measure::{Field, UnknownName, VertexField};
use stiction::mesh::BoundingBox;
use stiction::{Scene, Simulation};

use crate::frame::{BodyFrame, BodyInfo, BodyKind, FieldInfo, FieldPlace, Frame, Pose};
use crate::tessellate::{Triangles, tessellate};

/// Knows what every frame of a simulation holds.
#[derive(Clone, Debug)]
pub struct Capture {
    bodies: Vec<BodyInfo>,
    sources: Vec<Source>,
}

/// What a frame carries besides positions and velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// One number an element.
    Element(Field),
    /// One number or vector a vertex.
    Vertex(VertexField),
}

impl Stored {
    /// The field of this name, of elements or of vertices.
    ///
    /// # Errors
    /// When there is none, with the nearest that there is.
    pub fn from_name(name: &str) -> Result<Self, UnknownName> {
        let element = Field::from_name(name).map(Self::Element);
        element.or_else(|_| VertexField::from_name(name).map(Self::Vertex)).map_err(|_| {
            let elements = Field::ALL.map(Field::name).into_iter();
            let vertices = VertexField::ALL.map(VertexField::name);
            UnknownName::new("field", name, elements.chain(vertices).collect())
        })
    }

    /// How it is stored; nothing where the body has no such field.
    fn info(self, body: &Body) -> Option<FieldInfo> {
        let (name, unit, place, components) = match self {
            Self::Element(field) => (field.name(), field.unit(body)?, FieldPlace::Element, 1),
            Self::Vertex(field) => {
                (field.name(), field.unit(), FieldPlace::Vertex, field.components())
            }
        };
        Some(FieldInfo { name: name.to_owned(), unit: unit.to_owned(), place, components })
    }

    fn evaluate(self, simulation: &Simulation, contacts: &[Contact], body: BodyId) -> Vec<f64> {
        match self {
            Self::Element(field) => {
                let mut values = Vec::new();
                field.evaluate(simulation, body, &mut values);
                values
            }
            Self::Vertex(field) => field.evaluate(simulation, contacts, body),
        }
    }

    fn is_of_contacts(self) -> bool {
        matches!(self, Self::Vertex(field) if field.is_of_contacts())
    }
}

/// Where the frames of a body come from.
#[derive(Clone, Debug)]
enum Source {
    Deformable { body: BodyId, fields: Vec<Stored> },
    Obstacle { start: Vec<Vector3>, motion: Motion },
}

impl Capture {
    /// Frames with these fields, for each body those it has: those of contacts only where its points may touch.
    /// `scene` is what the simulation was made from.
    ///
    /// # Panics
    /// When it is not.
    pub fn new(scene: &Scene, simulation: &Simulation, fields: &[Stored]) -> Self {
        let names = unique_names(scene);
        let around = extent(simulation);
        let mut capture = Self { bodies: Vec::new(), sources: Vec::new() };
        for ((body, id), name) in scene.bodies.iter().zip(scene.ids()).zip(names) {
            let (info, source) = match body {
                Body::Obstacle(given) => obstacle(name, given, &around),
                _ => deformable(name, body, id, simulation, fields),
            };
            capture.bodies.push(info);
            capture.sources.push(source);
        }
        capture
    }

    /// What stays the same, in the order of the scene's bodies.
    pub fn bodies(&self) -> &[BodyInfo] {
        &self.bodies
    }

    /// The present frame.
    ///
    /// # Panics
    /// When the simulation is of another scene.
    pub fn frame(&self, simulation: &Simulation) -> Frame {
        let wanted = self.sources.iter().any(Source::wants_contacts);
        let contacts = if wanted { simulation.contacts() } else { Vec::new() };
        let bodies = self.sources.iter().map(|source| source.frame(simulation, &contacts));
        let bodies = bodies.collect();
        Frame { time: simulation.time(), step: simulation.steps(), bodies }
    }
}

impl Source {
    fn wants_contacts(&self) -> bool {
        matches!(self, Self::Deformable { fields, .. } if fields.iter().any(|f| f.is_of_contacts()))
    }

    fn frame(&self, simulation: &Simulation, contacts: &[Contact]) -> BodyFrame {
        let values = |field: &Stored, body| field.evaluate(simulation, contacts, body);
        match self {
            Self::Deformable { body, fields } => BodyFrame {
                positions: arrays(simulation.positions(*body)),
                velocities: arrays(simulation.velocities(*body)),
                fields: fields.iter().map(|field| values(field, *body)).collect(),
                pose: simulation.rigid_state(*body).map(|state| Pose {
                    center: state.center.into(),
                    rotation: {
                        let q = state.orientation.quaternion();
                        [q.w, q.i, q.j, q.k]
                    },
                    velocity: state.velocity.into(),
                    spin: state.spin.into(),
                }),
            },
            Self::Obstacle { motion: Motion::Still, .. } => BodyFrame::default(),
            Self::Obstacle { start, motion } => {
                let moved = start.iter().map(|x| motion.at(*x, simulation.time()));
                let (positions, velocities) =
                    moved.map(|(x, v)| (<[f64; 3]>::from(x), <[f64; 3]>::from(v))).unzip();
                BodyFrame { positions, velocities, ..BodyFrame::default() }
            }
        }
    }
}

fn deformable(
    name: String,
    body: &Body,
    id: BodyId,
    simulation: &Simulation,
    fields: &[Stored],
) -> (BodyInfo, Source) {
    let (kind, tets, triangles) = match body {
        Body::Solid(solid) => {
            let boundary = solid.mesh.boundary();
            let outward = boundary.surface.triangles().iter();
            let triangles = outward.map(|face| face.map(|v| boundary.vertices[v as usize]));
            (BodyKind::Solid, solid.mesh.tets().to_vec(), triangles.collect())
        }
        Body::Cloth(cloth) => (BodyKind::Cloth, Vec::new(), cloth.mesh.triangles().to_vec()),
        Body::Rigid(rigid) => (BodyKind::Rigid, Vec::new(), rigid.mesh.triangles().to_vec()),
        Body::Obstacle(_) => (BodyKind::Obstacle, Vec::new(), Vec::new()),
    };
    let touches = simulation.may_touch(id);
    let info = |&field: &Stored| match field {
        Stored::Vertex(of) if VertexField::OF_CONTACTS.contains(&of) && !touches => None,
        _ => Some((field, field.info(body)?)),
    };
    let (fields, infos) = fields.iter().filter_map(info).unzip();
    let system = simulation.model();
    let start = system.nodes(id).iter().map(|&node| system.start()[node as usize]);
    let start = arrays(start.collect());
    let info = BodyInfo { name, kind, start, tets, triangles, moves: true, fields: infos };
    (info, Source::Deformable { body: id, fields })
}

fn obstacle(name: String, obstacle: &Obstacle, around: &BoundingBox) -> (BodyInfo, Source) {
    let placement = &obstacle.placement;
    let Triangles { vertices: start, triangles } = match &obstacle.shape {
        // Placed first and cut afterwards, so that the part near the bodies is seen.
        Shape::Plane { normal, offset } => {
            let (normal, offset) = placed_plane(normal, *offset, |x| placement.apply(x));
            tessellate(&Shape::Plane { normal, offset }, around)
        }
        shape => {
            let mut surface = tessellate(shape, around);
            surface.vertices.iter_mut().for_each(|x| *x = placement.apply(x));
            surface
        }
    };
    let motion = obstacle.motion.clone();
    let info = BodyInfo {
        name,
        kind: BodyKind::Obstacle,
        start: arrays(start.clone()),
        tets: Vec::new(),
        triangles,
        moves: motion != Motion::Still,
        fields: Vec::new(),
    };
    (info, Source::Obstacle { start, motion })
}

/// Normal and offset of a plane whose points are moved.
fn placed_plane(
    normal: &Vector3,
    offset: f64,
    place: impl Fn(&Vector3) -> Vector3,
) -> (Vector3, f64) {
    let foot = normal * offset;
    let u = any_across(*normal);
    let [p, pu, pv] = [foot, foot + u, foot + normal.cross(&u)].map(|x| place(&x));
    let normal = (pu - p).cross(&(pv - p)).normalize();
    (normal, normal.dot(&p))
}

/// Where deformable bodies start; a metre around the origin if there are none.
fn extent(simulation: &Simulation) -> BoundingBox {
    let points = simulation.model().start();
    let Some(&first) = points.first() else {
        return BoundingBox { min: Vector3::repeat(-0.5), max: Vector3::repeat(0.5) };
    };
    let start = BoundingBox { min: first, max: first };
    points.iter().fold(start, |b, x| BoundingBox { min: b.min.inf(x), max: b.max.sup(x) })
}

/// Names as given, `body-0` for those without; what is taken already gets a number.
fn unique_names(scene: &Scene) -> Vec<String> {
    let given: BTreeSet<&str> = scene.bodies.iter().filter_map(Body::name).collect();
    let mut names = BTreeSet::new();
    let unique = |(k, body): (usize, &Body)| {
        let wanted = body.name().map_or_else(|| format!("body-{k}"), str::to_owned);
        let own = body.name().is_some() && !names.contains(&wanted);
        let mut name = wanted.clone();
        let mut number = 2;
        while !own && (names.contains(&name) || given.contains(name.as_str())) {
            name = format!("{wanted}-{number}");
            number += 1;
        }
        names.insert(name.clone());
        name
    };
    scene.bodies.iter().enumerate().map(unique).collect()
}

fn arrays(points: Vec<Vector3>) -> Vec<[f64; 3]> {
    points.into_iter().map(<[f64; 3]>::from).collect()
}

//! From a scene to nodes, masses and terms.

mod bodies;
mod control;
mod frames;
mod joints;
mod nodes;
mod zones;

pub(crate) use frames::{FrameAt, FrameRequest};
pub(super) use zones::PlacedZone;

use super::joints::JointPlaces;
use super::rigid::RigidBody;
use super::{Named, SceneError, Subject};
use crate::assembly::Term;
use crate::body::{Body, BodyId, Deformable, Motion, Profile};
use crate::material::Damping;
use crate::math::Vector3;
use crate::mesh::{Mesh, Selectable, Selection};
use crate::scene::Scene;

/// A scene in terms of nodes.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Nodes of the vertices of each body; welded vertices share one.
    pub(super) nodes: Vec<Vec<u32>>,
    /// Mass of each node [kg].
    pub(super) masses: Vec<f64>,
    /// Mass of each vertex of each body: its share in that of its node [kg].
    pub(super) vertex_masses: Vec<Vec<f64>>,
    /// Terms that each body is made of; the first has its elements, in the order of its mesh.
    pub(super) body_terms: Vec<Vec<usize>>,
    /// Mass times `α` of each node [kg/s].
    pub(super) mass_damping: Vec<f64>,
    /// Where nodes start [m].
    pub(super) positions: Vec<Vector3>,
    /// How fast nodes start [m/s].
    pub(super) velocities: Vec<Vector3>,
    pub(super) terms: Vec<Term>,
    pub(super) holds: Vec<Hold>,
    pub(super) motions: Vec<Motion>,
    pub(super) dead_loads: Vec<DeadLoad>,
    /// Terms whose scale follows a profile.
    pub(super) scaled_terms: Vec<(usize, Profile)>,
    pub(super) zones: Vec<PlacedZone>,
    pub(super) rigid: Vec<RigidBody>,
    /// Frames that rigid bodies carry: origin and tips of three axes, and how far these are from it [m].
    pub(super) frames: Vec<([u32; 4], f64)>,
    pub(super) joints: Vec<JointPlaces>,
    /// The term that has the rows of all joints.
    pub(super) joint_term: usize,
}

/// A node with prescribed coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    pub(super) node: u32,
    pub(super) axes: [bool; 3],
    pub(super) motion: usize,
    /// Where its motion starts [m].
    pub(super) start: Vector3,
    /// Until when [s].
    pub(super) release: f64,
}

/// Forces on nodes that keep their direction.
#[derive(Clone, Debug)]
pub(crate) struct DeadLoad {
    pub(super) profile: Profile,
    pub(super) forces: Vec<(u32, Vector3)>,
}

/// A deformable body as placed: what selections look at.
enum Placed {
    Solid(Mesh<4>),
    Cloth(Mesh<3>),
    Rigid(Mesh<3>),
}

impl Placed {
    fn vertices(&self) -> &[Vector3] {
        match self {
            Self::Solid(mesh) => mesh.vertices(),
            Self::Cloth(mesh) | Self::Rigid(mesh) => mesh.vertices(),
        }
    }

    fn size(&self) -> f64 {
        match self {
            Self::Solid(mesh) => mesh.extent().diagonal(),
            Self::Cloth(mesh) | Self::Rigid(mesh) => mesh.extent().diagonal(),
        }
    }
}

impl Parts {
    pub(super) fn new(scene: &Scene, frames: &[FrameRequest]) -> Result<Self, SceneError> {
        let placed = scene
            .bodies
            .iter()
            .enumerate()
            .map(|(b, body)| match body {
                Body::Solid(solid) => Ok(Some(Placed::Solid(place(scene, b, solid)?))),
                Body::Cloth(cloth) => Ok(Some(Placed::Cloth(place(scene, b, cloth)?))),
                Body::Rigid(rigid) => Ok(Some(Placed::Rigid(place(scene, b, rigid)?))),
                Body::Obstacle(obstacle) if obstacle.is_valid() => Ok(None),
                Body::Obstacle(obstacle) => Err(SceneError::Value {
                    what: "shape or motion",
                    whose: obstacle_named(scene, b),
                    value: format!("{:?}", obstacle.shape).chars().take(120).collect(),
                    help: "lengths must be finite and above zero, normals of length one, keyframes ascending",
                }),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut parts = Self::default();
        let build = Build { scene, placed: &placed };
        build.number_nodes(&mut parts)?;
        for (b, body) in scene.bodies.iter().enumerate() {
            match body {
                Body::Solid(solid) => build.add_solid(&mut parts, b, solid)?,
                Body::Cloth(cloth) => build.add_cloth(&mut parts, b, cloth)?,
                Body::Rigid(rigid) => build.add_rigid(&mut parts, b, rigid)?,
                Body::Obstacle(_) => {}
            }
        }
        build.check_masses(&parts)?;
        build.set_velocities(&mut parts);
        parts.add_frames(frames);
        build.add_springs(&mut parts)?;
        build.add_joints(&mut parts)?;
        build.add_pins(&mut parts)?;
        build.add_loads(&mut parts)?;
        build.add_zones(&mut parts)?;
        Ok(parts)
    }
}

/// The mesh where the body starts.
fn place<const N: usize, M>(
    scene: &Scene,
    b: usize,
    body: &Deformable<N, M>,
) -> Result<Mesh<N>, SceneError> {
    let id = BodyId(b as u32);
    for (what, vector) in [("velocity", &body.velocity), ("spin", &body.spin), ("warp", &body.warp)]
    {
        check(what, || Subject::Body(id).named(scene), vector, "give three finite numbers")?;
    }
    if let Some(start) = &body.start
        && start.len() != body.mesh.vertex_count()
    {
        let (given, vertices) = (start.len(), body.mesh.vertex_count());
        return Err(SceneError::StartShape { body: scene.named(id), given, vertices });
    }
    for (v, x) in body.start.iter().flatten().enumerate() {
        let words = || format!("start position {v} of body {}", scene.name(id));
        let whose = || Named::new(Subject::Body(id), words());
        check("a coordinate", whose, x, "give three finite numbers")?;
    }
    body.mesh
        .transformed(&body.placement)
        .map_err(|source| SceneError::Mesh { body: scene.named(id), source })
}

fn obstacle_named(scene: &Scene, b: usize) -> Named {
    let id = BodyId(b as u32);
    Named::new(Subject::Body(id), format!("obstacle {}", scene.name(id)))
}

fn check(
    what: &'static str,
    whose: impl Fn() -> Named,
    vector: &Vector3,
    help: &'static str,
) -> Result<(), SceneError> {
    if vector.iter().all(|c| c.is_finite()) {
        return Ok(());
    }
    let value = format!("({}, {}, {})", vector.x, vector.y, vector.z);
    Err(SceneError::Value { what, whose: whose(), value, help })
}

struct Build<'a> {
    scene: &'a Scene,
    placed: &'a [Option<Placed>],
}

impl Build<'_> {
    fn placed(&self, by: Subject, body: BodyId) -> Result<&Placed, SceneError> {
        let (count, what) = (self.placed.len(), by.kind());
        let placed = self.placed.get(body.index());
        let placed = placed.ok_or(SceneError::UnknownBody { what, by, body, count })?;
        placed.as_ref().ok_or_else(|| SceneError::NotDeformable {
            what,
            by,
            body: self.scene.named(body),
        })
    }

    /// For what only deforming bodies can have.
    fn refuse_rigid(&self, by: Subject, body: BodyId) -> Result<(), SceneError> {
        match self.placed(by, body)? {
            Placed::Rigid(_) => {
                Err(SceneError::Rigid { what: by.kind(), by, body: self.scene.named(body) })
            }
            Placed::Solid(_) | Placed::Cloth(_) => Ok(()),
        }
    }

    fn select(
        &self,
        by: Subject,
        body: BodyId,
        selection: &Selection,
    ) -> Result<Vec<u32>, SceneError> {
        let vertices = match self.placed(by, body)? {
            Placed::Solid(mesh) => selection.vertices(mesh),
            Placed::Cloth(mesh) | Placed::Rigid(mesh) => selection.vertices(mesh),
        };
        let body = || self.scene.named(body);
        vertices.map_err(|source| SceneError::Selection {
            what: by.kind(),
            by,
            body: body(),
            source: Box::new(source),
        })
    }
}

impl Parts {
    fn place<const N: usize>(&self, b: usize, elements: &[[u32; N]]) -> Vec<[u32; N]> {
        elements.iter().map(|element| element.map(|v| self.nodes[b][v as usize])).collect()
    }

    fn add_masses(&mut self, b: usize, masses: &[f64], damping: Damping) {
        for (&node, mass) in self.nodes[b].iter().zip(masses) {
            self.masses[node as usize] += mass;
            self.mass_damping[node as usize] += damping.mass * mass;
        }
        self.vertex_masses[b] = masses.to_vec();
    }

    /// Adds a term that body `b` is made of.
    fn add_term(&mut self, b: usize, term: Term) {
        self.body_terms[b].push(self.terms.len());
        self.terms.push(term);
    }

    /// A node that stays at a point.
    fn add_anchor(&mut self, point: Vector3) -> u32 {
        let node = self.add_massless(point);
        self.motions.push(Motion::Still);
        let motion = self.motions.len() - 1;
        self.holds.push(Hold {
            node,
            axes: [true; 3],
            motion,
            start: point,
            release: f64::INFINITY,
        });
        node
    }
}

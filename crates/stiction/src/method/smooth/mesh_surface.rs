//! The surface of a body that deforms, as points of other bodies meet it.
//!
//! The gap is the value of an implicit surface through the body's mesh; slip is measured against the motion of the
//! mesh around the point. Of the samples near a point only those count that belong to the same side of the same skin
//! as the nearest face: the far side of a thin wall, or the inside of a hollow body, is no part of what is touched. A
//! point beyond the rim of an open surface at the start of a step touches nothing during it.

mod itself;
mod round;
mod slip;

pub(crate) use itself::Met;
pub(crate) use round::{Ball, Rounded};

use std::sync::Arc;

use super::carrier::{Anchor, AnchorFace, Carrier};
use super::layers::Layers;
use super::spot::{Geometry, Second};
use crate::assembly::point;
use crate::body::Surface;
use crate::contact::rim::{NearestFace, Rim};
use crate::contact::side::{OTHER_SIDE, keep_side};
use crate::contact::smooth_surface::SmoothSurface;
use crate::geometry::implicit::{
    Edges, FieldJet, ImplicitSurface, Order, SampleKind, SurfaceError,
};
use crate::geometry::neighbours::Neighbours;
use crate::math::{Matrix3, Vector3};
use crate::mesh::{BoundingBox, TriMesh, triangle_normal};

/// The skin of a deforming body.
#[derive(Clone, Debug)]
pub(crate) struct MeshSurface {
    /// Node of each vertex.
    nodes: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Which connected skin a face belongs to.
    skin: Vec<u32>,
    field: ImplicitSurface,
    /// What of the mesh its samples are.
    samples: Samples,
    /// Of an open mesh.
    rim: Option<Rim>,
    /// At the start of the step [m].
    start: Vec<Vector3>,
    /// Now [m].
    positions: Vec<Vector3>,
    /// Now [m/s].
    velocities: Vec<Vector3>,
    /// Faces whose normals will be of use until the end of the step.
    steady: Vec<bool>,
    /// Around the start [m].
    bounds: BoundingBox,
    /// Of its vertices at the start of the step, and how far any of them is from it [m/s].
    mean_velocity: Vector3,
    velocity_spread: f64,
    /// Whether points may be on either side: true for cloth.
    pub(crate) two_sided: bool,
    /// Which of its faces its own points touch, if they do.
    pub(crate) layers: Option<Arc<Layers>>,
}

/// What of a mesh the samples of its field are.
#[derive(Clone, Debug)]
enum Samples {
    /// Its faces. Where its edges are kept sharp, those around the corner count as well.
    Faces { sharp: bool },
    /// Its vertices. Then faces have to be found for themselves.
    Vertices {
        /// Of each sample.
        skin: Vec<u32>,
        /// Centroids at the start of the step.
        faces: Neighbours,
    },
}

/// What a point needs to know of a surface around it, found once a step.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    /// Samples that may count.
    pub(crate) samples: Vec<u32>,
    /// Faces that may carry the point; none where samples are just these.
    pub(crate) faces: Vec<u32>,
    /// Where the surface holds the point of the start of the step.
    pub(crate) anchor: Anchor,
    /// Which side the point is on: −1 behind a cloth, else 1.
    pub(crate) side: f64,
    /// How far the point may stray before other samples count [m].
    pub(crate) margin: f64,
    /// Where it was when this was found [m].
    pub(crate) found_at: Vector3,
    /// The face that was nearest then.
    pub(crate) nearest: u32,
    /// What else is known of something round.
    pub(crate) round: Option<Box<Rounded>>,
}

impl Default for Around {
    /// Nothing, on the front.
    fn default() -> Self {
        Self {
            samples: Vec::new(),
            faces: Vec::new(),
            anchor: Anchor::default(),
            side: 1.0,
            margin: 0.0,
            found_at: Vector3::zeros(),
            nearest: 0,
            round: None,
        }
    }
}

/// Memory of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    jet: FieldJet,
    carrier: Carrier,
    velocities: Vec<Vector3>,
    blocks: Vec<Matrix3>,
    of_field: Vec<usize>,
    of_carrier: Vec<usize>,
    of_anchor: Vec<usize>,
    vertices: Vec<u32>,
    round: round::RoundWork,
    /// What was found last, if second derivatives were asked for.
    pub(crate) second: Second,
}

impl MeshSurface {
    pub(crate) fn new(
        mesh: &TriMesh,
        nodes: Vec<u32>,
        two_sided: bool,
        wishes: &Surface,
    ) -> Result<Self, SurfaceError> {
        let (vertices, triangles) = (mesh.vertices(), mesh.elements());
        let settings = wishes.of_deforming(vertices, triangles);
        let field = ImplicitSurface::from_mesh(vertices, triangles, &settings)?;
        let skin = mesh.components().of_element;
        let samples = match settings.samples {
            SampleKind::Faces => {
                Samples::Faces { sharp: matches!(settings.edges, Edges::Sharp(_)) }
            }
            SampleKind::Vertices(_) => Samples::Vertices {
                skin: skin_of_vertices(vertices.len(), triangles, &skin),
                faces: Neighbours::default(),
            },
        };
        Ok(Self {
            triangles: triangles.to_vec(),
            skin,
            samples,
            rim: Rim::new(vertices.len(), triangles, field.spacing()),
            field,
            start: vertices.to_vec(),
            positions: vertices.to_vec(),
            velocities: vec![Vector3::zeros(); nodes.len()],
            nodes,
            steady: vec![true; triangles.len()],
            bounds: mesh.bounding_box(),
            mean_velocity: Vector3::zeros(),
            velocity_spread: 0.0,
            two_sided,
            layers: None,
        })
    }

    /// The surface and its mesh, as they are now.
    pub(crate) fn smooth(&self) -> SmoothSurface<'_> {
        let Self { field: surface, positions: vertices, triangles, .. } = self;
        SmoothSurface { surface, vertices, triangles }
    }

    /// How far from the mesh there is a gap at all [m].
    pub(crate) fn radius(&self) -> f64 {
        self.field.radius()
    }

    /// Brings the surface to the start of a step of length `h`.
    pub(crate) fn begin(&mut self, h: f64, q: &[f64], v: &[f64]) {
        self.follow(q, v);
        self.start.clone_from(&self.positions);
        let steady = |face: &[u32; 3]| {
            let [p, v] = [&self.positions, &self.velocities].map(|of| face.map(|v| of[v as usize]));
            is_steady(p, v, h)
        };
        self.steady.clear();
        self.steady.extend(self.triangles.iter().map(steady));
        self.field.rebuild_search();
        let radius = self.radius();
        if let Samples::Vertices { faces, .. } = &mut self.samples {
            let corners = self.triangles.iter().map(|t| t.map(|v| self.start[v as usize]));
            let centroids: Vec<Vector3> = corners.map(|[a, b, c]| (a + b + c) / 3.0).collect();
            faces.rebuild(&centroids, radius);
        }
        self.bounds = BoundingBox::of(&self.start);
        let mean = self.velocities.iter().sum::<Vector3>() / self.velocities.len().max(1) as f64;
        self.mean_velocity = mean;
        self.velocity_spread =
            self.velocities.iter().fold(0.0, |most, v| (v - mean).norm().max(most));
    }

    /// Moves the surface with its nodes.
    pub(crate) fn follow(&mut self, q: &[f64], v: &[f64]) {
        for (k, &node) in self.nodes.iter().enumerate() {
            self.positions[k] = point(q, node as usize);
            self.velocities[k] = point(v, node as usize);
        }
        self.field.update(&self.positions);
    }

    /// How far something with velocity `v` and any part of the surface may get towards each other in a time, about [m].
    pub(crate) fn approach(&self, v: Vector3, time: f64) -> f64 {
        ((v - self.mean_velocity).norm() + self.velocity_spread) * time
    }

    /// Velocity of the surface where it holds a point [m/s].
    pub(crate) fn velocity_at(&self, around: &Around) -> Vector3 {
        if around.anchor.is_empty() {
            return self.mean_velocity;
        }
        let vertices = around.anchor.vertices();
        let of_face = |face: &AnchorFace| -> Vector3 {
            let corners = face.corners.iter().zip(face.coordinates);
            let velocity = |&c: &u32| self.velocities[vertices[c as usize] as usize];
            corners.map(|(c, share)| velocity(c) * (share * face.weight)).sum()
        };
        around.anchor.faces().iter().map(of_face).sum()
    }

    /// Nodes of the face that holds a point most, and the weights of its place among them.
    pub(crate) fn held_by(&self, around: &Around) -> Option<([u32; 3], [f64; 3])> {
        let vertices = around.anchor.vertices();
        let most = around.anchor.faces().iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        let node = |corner: u32| self.nodes[vertices[corner as usize] as usize];
        Some((most.corners.map(node), most.coordinates))
    }

    /// Whether a point that was held at the start of the step went through the surface on its way to `x`, deeper than
    /// `allowed`.
    pub(crate) fn passed(
        &self,
        x: Vector3,
        around: &Around,
        allowed: f64,
        work: &mut Workspace,
    ) -> bool {
        let from = self.carried(around);
        let way = (x - from).norm();
        if way <= 0.5 * self.radius() {
            return false;
        }
        let looks = (4.0 * way / self.radius()).ceil().min(1e3);
        (1..=looks as usize).any(|k| {
            let between = from + (x - from) * (k as f64 / looks);
            self.gap(between, around, work).is_some_and(|(gap, _)| gap < -allowed)
        })
    }

    /// Finds what is around a point that moves by no more than `margin`; nothing if the surface is too far.
    pub(crate) fn around(&self, x: Vector3, margin: f64, around: &mut Around) -> bool {
        let reach = self.radius() + margin;
        around.samples.clear();
        around.faces.clear();
        around.margin = margin;
        around.found_at = x;
        if !self.bounds.is_near(&x, reach) {
            return false;
        }
        self.field.candidates(&x, margin, &mut around.samples);
        let Around { samples, faces, .. } = around;
        match &self.samples {
            Samples::Faces { .. } => {
                samples.retain(|&face| self.steady[face as usize]);
                faces.clone_from(samples);
            }
            Samples::Vertices { faces: search, .. } => {
                search.within(&x, reach, faces);
                faces.retain(|&face| self.steady[face as usize]);
            }
        }
        self.keep_nearest_side(x, around)
    }

    fn corners(&self, face: u32) -> [Vector3; 3] {
        self.triangles[face as usize].map(|v| self.positions[v as usize])
    }

    /// Keeps what is on the side of the nearest face; nothing is left beyond the rim.
    fn keep_nearest_side(&self, x: Vector3, around: &mut Around) -> bool {
        let Around { samples, faces, nearest: nearest_face, .. } = around;
        let corners = |face: u32| self.corners(face);
        let Some(nearest) = NearestFace::find(x, faces, corners) else { return false };
        *nearest_face = nearest.face;
        let triangle = &self.triangles[nearest.face as usize];
        if self.rim.as_ref().is_some_and(|rim| rim.is_past(triangle, &nearest)) {
            samples.clear();
            faces.clear();
            return false;
        }
        let (skin, out) = (self.skin[nearest.face as usize], nearest.normal());
        faces.retain(|&face| {
            let normal = triangle_normal(&corners(face)).unwrap_or_else(Vector3::zeros);
            self.skin[face as usize] == skin && normal.dot(&out) > OTHER_SIDE
        });
        match &self.samples {
            Samples::Faces { sharp: true } => {
                keep_side(&self.field, &x, Some((nearest.face, out)), samples);
            }
            Samples::Faces { sharp: false } => {
                std::mem::swap(samples, faces);
                faces.clear(); // they are the samples
            }
            Samples::Vertices { skin: skins, .. } => {
                let normals = self.field.sample_normals();
                samples.retain(|&s| {
                    skins[s as usize] == skin && normals[s as usize].dot(&out) > OTHER_SIDE
                });
            }
        }
        true
    }

    /// Faces that may carry a point.
    fn faces<'a>(&self, around: &'a Around) -> &'a [u32] {
        match &self.samples {
            Samples::Faces { sharp: false } => &around.samples,
            _ => &around.faces,
        }
    }

    /// What is around a point at the start of a step, in which it may move by `margin`, and its gap and normal if it
    /// has any; nothing if the surface is too far. `facing` is where the surface looked if the point touched it
    /// before.
    pub(crate) fn meet(
        &self,
        x: Vector3,
        margin: f64,
        facing: Option<Vector3>,
        work: &mut Workspace,
    ) -> Option<(Around, Option<(f64, Vector3)>)> {
        let mut around = Around::default();
        if !self.around(x, margin, &mut around) {
            return None;
        }
        let found = self.take_side(x, facing, &mut around, work);
        Some((around, found))
    }

    /// Decides on which side of what is around it a point is, and holds it there; its gap and normal.
    fn take_side(
        &self,
        x: Vector3,
        facing: Option<Vector3>,
        around: &mut Around,
        work: &mut Workspace,
    ) -> Option<(f64, Vector3)> {
        let mut found = self.gap(x, around, work);
        if let Some((gap, normal)) = &mut found
            && self.is_behind(*gap, *normal, facing)
        {
            around.side = -1.0;
            (*gap, *normal) = (-*gap, -*normal);
        }
        self.hold(x, around, work);
        found
    }

    /// Whether a point is behind a cloth, given its gap and normal as if it was in front. A point stays on the side
    /// where it began to touch; which one that is, the normal remembers better than the name of a side would: folded
    /// over, the front of a cloth is where its back is next to it.
    fn is_behind(&self, gap: f64, normal: Vector3, facing: Option<Vector3>) -> bool {
        self.two_sided && facing.map_or(gap < 0.0, |facing| facing.dot(&normal) < 0.0)
    }

    /// The gap of a point, on the side it is on; its normal.
    pub(crate) fn gap(
        &self,
        x: Vector3,
        around: &Around,
        work: &mut Workspace,
    ) -> Option<(f64, Vector3)> {
        let exists = self.field.jet(&x, &around.samples, Order::First, &mut work.jet);
        exists.then(|| {
            let normal = work.jet.gradient[0].try_normalize(1e-9).unwrap_or_else(Vector3::y);
            (work.jet.value * around.side, normal * around.side)
        })
    }

    /// The gap of a point as the surface is now, on the side it was on or else on the one it is on.
    pub(crate) fn gap_now(
        &self,
        x: Vector3,
        facing: Option<Vector3>,
        work: &mut Workspace,
    ) -> Option<f64> {
        let mut around = Around::default();
        if !self.around(x, 0.0, &mut around) {
            return None;
        }
        let (gap, normal) = self.gap(x, &around, work)?;
        Some(if self.is_behind(gap, normal, facing) { -gap } else { gap })
    }

    /// Holds the point of the start of the step.
    fn hold(&self, x: Vector3, around: &mut Around, work: &mut Workspace) {
        let Workspace { carrier, .. } = work;
        let faces = self.faces(around);
        carrier.find(&x, self.radius(), &self.start, &self.triangles, faces);
        around.anchor.hold(carrier);
    }

    /// How the surface around a point has turned since the start of the step.
    pub(crate) fn rotation(&self, around: &Around) -> Matrix3 {
        around.anchor.rotation(&self.start, &self.positions).into_inner()
    }

    /// How much velocity a unit impulse gives to the surface around a point [1/kg].
    pub(crate) fn mobility(&self, around: &Around, masses: &[f64]) -> f64 {
        let vertices = around.anchor.vertices();
        let mut shares = vec![0.0; vertices.len()];
        for face in around.anchor.faces() {
            for (&corner, coordinate) in face.corners.iter().zip(face.coordinates) {
                shares[corner as usize] += face.weight * coordinate;
            }
        }
        let mobility = |(share, &v): (&f64, &u32)| {
            let mass = masses[self.nodes[v as usize] as usize];
            if mass > 0.0 { share * share / mass } else { 0.0 }
        };
        shares.iter().zip(vertices).map(mobility).sum()
    }

    /// Nodes that a point may come to depend on.
    pub(crate) fn dependencies(&self, around: &Around, found: &mut Vec<u32>) {
        for &s in &around.samples {
            found.extend(self.field.sample_vertices(s).iter().map(|&v| self.nodes[v as usize]));
        }
        for &face in &around.faces {
            found.extend(self.triangles[face as usize].map(|v| self.nodes[v as usize]));
        }
        // Samples may have been found anew since the anchor was.
        found.extend(around.anchor.vertices().iter().map(|&v| self.nodes[v as usize]));
    }

    /// Whether a point has strayed so far that other samples may count.
    pub(crate) fn strayed(&self, x: Vector3, around: &Around) -> bool {
        // The samples may have moved as well, but together with what they carry.
        (x - self.carried(around)).norm() > around.margin
    }

    /// Where the surface has carried the point of the start of the step; nowhere if nothing holds it [m].
    fn carried(&self, around: &Around) -> Vector3 {
        if around.anchor.is_empty() {
            around.found_at
        } else {
            around.anchor.carried(&self.positions)
        }
    }

    /// Gap and, where it is below `thickness`, slip and derivatives, at a point in a stage.
    pub(crate) fn look(
        &self,
        geometry: &mut Geometry,
        around: &Around,
        at: &Looking,
        work: &mut Workspace,
    ) {
        geometry.nothing();
        work.second.clear();
        let order = if at.second { Order::Second } else { Order::First };
        if !self.field.jet(&at.x, &around.samples, Order::Value, &mut work.jet) {
            return;
        }
        geometry.gap = work.jet.value * around.side;
        if geometry.gap >= at.below {
            return;
        }
        self.field.jet(&at.x, &around.samples, order, &mut work.jet);
        geometry.exists = true;
        geometry.own = 1;
        if at.friction {
            let Workspace { carrier, .. } = work;
            let faces = self.faces(around);
            carrier.find(&at.x, self.radius(), &self.positions, &self.triangles, faces);
        }
        self.number(geometry, around, at, work);
        let count = geometry.nodes.len();
        geometry.gradient.resize(count, Vector3::zeros());
        for (from, &to) in work.of_field.iter().enumerate() {
            geometry.gradient[to] = work.jet.gradient[from] * around.side;
        }
        if at.second {
            let Workspace { jet, of_field, second, .. } = work;
            second.hessian.resize(count * count, Matrix3::zeros());
            let size = of_field.len();
            for (i, &row) in of_field.iter().enumerate() {
                for (j, &column) in of_field.iter().enumerate() {
                    second.hessian[row * count + column] = jet.hessian[i * size + j] * around.side;
                }
            }
        }
        if at.friction {
            self.slip(geometry, around, at, work);
        }
    }

    /// Makes one stencil of those of the gap, the slip and the anchor.
    fn number(&self, geometry: &mut Geometry, around: &Around, at: &Looking, work: &mut Workspace) {
        let Workspace { jet, carrier, vertices, of_field, of_carrier, of_anchor, .. } = work;
        vertices.clear();
        vertices.extend_from_slice(&jet.vertices);
        if at.friction {
            vertices.extend_from_slice(carrier.vertices());
            vertices.extend_from_slice(around.anchor.vertices());
        }
        vertices.sort_unstable();
        vertices.dedup();
        geometry.nodes.push(at.node);
        geometry.nodes.extend(vertices.iter().map(|&v| Some(self.nodes[v as usize])));
        let places = |list: &[u32], places: &mut Vec<usize>| {
            places.clear();
            places.push(0);
            let place = |v: &u32| vertices.binary_search(v).expect("in the union") + 1;
            places.extend(list.iter().map(place));
        };
        places(&jet.vertices, of_field);
        if at.friction {
            places(carrier.vertices(), of_carrier);
            places(around.anchor.vertices(), of_anchor);
        }
    }
}

/// The skin of each vertex that has faces, in their order.
fn skin_of_vertices(vertex_count: usize, triangles: &[[u32; 3]], of_face: &[u32]) -> Vec<u32> {
    let mut skins = vec![None; vertex_count];
    for (triangle, &skin) in triangles.iter().zip(of_face) {
        triangle.iter().for_each(|&v| skins[v as usize] = Some(skin));
    }
    skins.into_iter().flatten().collect()
}

/// Whether a triangle has a normal, and keeps it for a while: what shrinks to nothing within a step may look the
/// other way at its end, and would pull through the surface what it held off.
fn is_steady(p: [Vector3; 3], v: [Vector3; 3], h: f64) -> bool {
    /// Twice the area that is too little, over the square of an edge.
    const NEEDLE: f64 = 1e-6;
    /// What must be left of the area, as a share.
    const LEFT: f64 = 0.1;
    let [e, f] = [p[1] - p[0], p[2] - p[0]];
    let [de, df] = [v[1] - v[0], v[2] - v[0]].map(|dv| dv * h);
    let (now, then) = (e.cross(&f), (e + de).cross(&(f + df)));
    let size = now.norm_squared();
    size > (NEEDLE * e.norm_squared().max(f.norm_squared())).powi(2) && then.dot(&now) > LEFT * size
}

/// A point to be looked at.
pub(crate) struct Looking {
    /// Its node, if it has one.
    pub(crate) node: Option<u32>,
    /// Where it is [m], and how fast [m/s].
    pub(crate) x: Vector3,
    pub(crate) v: Vector3,
    /// Gaps from here on do not matter [m].
    pub(crate) below: f64,
    /// Length of the step [s].
    pub(crate) step: f64,
    /// Whether slip matters.
    pub(crate) friction: bool,
    /// Whether second derivatives are wanted.
    pub(crate) second: bool,
}

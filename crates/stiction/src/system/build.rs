//! From a scene to nodes, masses and terms.

use super::SceneError;
use crate::assembly::Term;
use crate::body::{Anchor, Body, BodyId, Cloth, Deformable, LoadKind, Motion, Profile, Solid};
use crate::element::{
    HingeSet, PressureSet, Spring, SpringSet, TetrahedronSet, TriangleSet, lumped_masses,
};
use crate::material::Damping;
use crate::math::Vector3;
use crate::mesh::{Mesh, Selectable, Selection, Transform};
use crate::scene::Scene;

/// A scene in terms of nodes.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Nodes of the vertices of each body; welded vertices share one.
    pub(super) nodes: Vec<Vec<u32>>,
    /// Mass of each node [kg].
    pub(super) masses: Vec<f64>,
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
}

/// A node with prescribed coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
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
pub(super) struct DeadLoad {
    pub(super) profile: Profile,
    pub(super) forces: Vec<(u32, Vector3)>,
}

/// A deformable body as placed: what selections look at.
enum Placed {
    Solid(Mesh<4>),
    Cloth(Mesh<3>),
}

impl Placed {
    fn vertices(&self) -> &[Vector3] {
        match self {
            Self::Solid(mesh) => mesh.vertices(),
            Self::Cloth(mesh) => mesh.vertices(),
        }
    }

    fn size(&self) -> f64 {
        match self {
            Self::Solid(mesh) => mesh.extent().diagonal(),
            Self::Cloth(mesh) => mesh.extent().diagonal(),
        }
    }
}

impl Parts {
    pub(super) fn new(scene: &Scene) -> Result<Self, SceneError> {
        let placed = scene
            .bodies
            .iter()
            .enumerate()
            .map(|(b, body)| match body {
                Body::Solid(solid) => Ok(Some(Placed::Solid(place(scene, b, solid)?))),
                Body::Cloth(cloth) => Ok(Some(Placed::Cloth(place(scene, b, cloth)?))),
                Body::Obstacle(obstacle) if obstacle.is_valid() => Ok(None),
                Body::Obstacle(obstacle) => Err(SceneError::Value {
                    what: "shape or motion",
                    whose: format!("obstacle {}", scene.name(BodyId(b as u32))),
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
                Body::Obstacle(_) => {}
            }
        }
        build.check_masses(&parts)?;
        build.set_velocities(&mut parts);
        build.add_springs(&mut parts)?;
        build.add_pins(&mut parts)?;
        build.add_loads(&mut parts)?;
        Ok(parts)
    }
}

/// The mesh where the body starts.
fn place<const N: usize, M>(
    scene: &Scene,
    b: usize,
    body: &Deformable<N, M>,
) -> Result<Mesh<N>, SceneError> {
    let name = || scene.name(BodyId(b as u32));
    for (what, vector) in [("velocity", &body.velocity), ("spin", &body.spin), ("warp", &body.warp)]
    {
        check(what, || format!("body {}", name()), vector, "give three finite numbers")?;
    }
    if let Some(start) = &body.start
        && start.len() != body.mesh.vertex_count()
    {
        let (given, vertices) = (start.len(), body.mesh.vertex_count());
        return Err(SceneError::StartShape { body: name(), given, vertices });
    }
    for (v, x) in body.start.iter().flatten().enumerate() {
        let whose = || format!("start position {v} of body {}", name());
        check("a coordinate", whose, x, "give three finite numbers")?;
    }
    body.mesh
        .transformed(&body.placement)
        .map_err(|source| SceneError::Mesh { body: name(), source })
}

fn check(
    what: &'static str,
    whose: impl Fn() -> String,
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
    fn placed(&self, what: &'static str, body: BodyId) -> Result<&Placed, SceneError> {
        let count = self.placed.len();
        let placed = self.placed.get(body.index());
        let placed = placed.ok_or(SceneError::UnknownBody { what, body: body.index(), count })?;
        placed
            .as_ref()
            .ok_or_else(|| SceneError::NotDeformable { what, body: self.scene.name(body) })
    }

    fn select(
        &self,
        what: &'static str,
        body: BodyId,
        selection: &Selection,
    ) -> Result<Vec<u32>, SceneError> {
        let vertices = match self.placed(what, body)? {
            Placed::Solid(mesh) => selection.vertices(mesh),
            Placed::Cloth(mesh) => selection.vertices(mesh),
        };
        let body = || self.scene.name(body);
        vertices.map_err(|source| SceneError::Selection { what, body: body(), source })
    }

    /// One node per vertex, or per group of welded ones.
    fn number_nodes(&self, parts: &mut Parts) -> Result<(), SceneError> {
        let mut first = Vec::new();
        let mut total = 0u32;
        for placed in self.placed {
            first.push(total);
            total += placed.as_ref().map_or(0, |placed| placed.vertices().len()) as u32;
        }
        // Welded vertices point to the one they are welded to.
        let mut same: Vec<u32> = (0..total).collect();
        for weld in &self.scene.welds {
            for (v, w) in self.partners(weld)? {
                let a = root(&mut same, first[weld.a.index()] + v);
                let b = root(&mut same, first[weld.b.index()] + w);
                same[a.max(b) as usize] = a.min(b);
            }
        }
        let mut node_of = vec![u32::MAX; total as usize];
        for (b, placed) in self.placed.iter().enumerate() {
            let mut nodes = Vec::new();
            if let Some(placed) = placed {
                let start = self.start(b, placed);
                for (v, x) in start.into_iter().enumerate() {
                    let root = root(&mut same, first[b] + v as u32) as usize;
                    if node_of[root] == u32::MAX {
                        node_of[root] = parts.positions.len() as u32;
                        parts.positions.push(x);
                    }
                    nodes.push(node_of[root]);
                }
            }
            parts.nodes.push(nodes);
        }
        parts.masses = vec![0.0; parts.positions.len()];
        parts.mass_damping = vec![0.0; parts.positions.len()];
        parts.velocities = vec![Vector3::zeros(); parts.positions.len()];
        Ok(())
    }

    /// Where the vertices of a body start.
    fn start(&self, b: usize, placed: &Placed) -> Vec<Vector3> {
        let (start, placement) = match &self.scene.bodies[b] {
            Body::Solid(solid) => (&solid.start, &solid.placement),
            Body::Cloth(cloth) => (&cloth.start, &cloth.placement),
            Body::Obstacle(_) => return Vec::new(),
        };
        match start {
            Some(start) => start.iter().map(|x| placement.apply_rigid(x)).collect(),
            None => placed.vertices().to_vec(),
        }
    }

    /// Pairs of vertices that a weld joins.
    fn partners(&self, weld: &crate::body::Weld) -> Result<Vec<(u32, u32)>, SceneError> {
        let (a, b) = (self.placed("a weld", weld.a)?, self.placed("a weld", weld.b)?);
        let selected = self.select("a weld", weld.a, &weld.selection)?;
        let tolerance = weld.tolerance.unwrap_or(1e-6 * a.size().max(b.size()));
        // Sorted along x, so that only a thin slab has to be searched.
        let mut order: Vec<u32> = (0..b.vertices().len() as u32).collect();
        let x = |v: u32| b.vertices()[v as usize].x;
        order.sort_by(|&v, &w| x(v).total_cmp(&x(w)).then(v.cmp(&w)));
        let mut pairs = Vec::new();
        let (mut alone, mut nearest_alone) = (0, f64::INFINITY);
        for &v in &selected {
            let at = a.vertices()[v as usize];
            let from = order.partition_point(|&w| x(w) < at.x - tolerance);
            let slab = order[from..].iter().take_while(|&&w| x(w) <= at.x + tolerance);
            let distance = |w: u32| (b.vertices()[w as usize] - at).norm();
            let nearest = slab
                .map(|&w| (distance(w), w))
                .min_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
            match nearest {
                Some((distance, w)) if distance <= tolerance => pairs.push((v, w)),
                _ => {
                    alone += 1;
                    let far = order.iter().map(|&w| distance(w)).fold(f64::INFINITY, f64::min);
                    nearest_alone = nearest_alone.min(far);
                }
            }
        }
        if pairs.is_empty() || (alone > 0 && weld.selection != Selection::All) {
            return Err(SceneError::Alone {
                a: self.scene.name(weld.a),
                b: self.scene.name(weld.b),
                alone,
                selected: selected.len(),
                tolerance,
                nearest: nearest_alone,
            });
        }
        Ok(pairs)
    }

    fn add_solid(&self, parts: &mut Parts, b: usize, solid: &Solid) -> Result<(), SceneError> {
        let rest = self.rest(b, &solid.mesh, &solid.placement)?;
        let name = || self.scene.name(BodyId(b as u32));
        let set = TetrahedronSet::new(solid.material.model(), rest.vertices(), rest.elements())
            .map_err(|source| SceneError::RestShape { body: name(), source })?;
        let masses = lumped_masses(
            rest.elements(),
            &set.volumes(),
            solid.material.density(),
            rest.vertex_count(),
        );
        let damping = solid.material.damping();
        parts.add_masses(b, &masses, damping);
        let nodes = parts.place(b, rest.elements());
        parts.terms.push(Term::new("solid", set, nodes, damping.stiffness));
        Ok(())
    }

    fn add_cloth(&self, parts: &mut Parts, b: usize, cloth: &Cloth) -> Result<(), SceneError> {
        let name = || self.scene.name(BodyId(b as u32));
        cloth.mesh.check_cloth().map_err(|source| SceneError::Mesh { body: name(), source })?;
        let rest = self.rest(b, &cloth.mesh, &cloth.placement)?;
        let failed = |source| SceneError::RestShape { body: name(), source };
        let fabric = &cloth.material;
        let set = TriangleSet::from_rest_positions(
            fabric.model(),
            rest.vertices(),
            rest.elements(),
            cloth.warp,
        )
        .map_err(failed)?;
        let masses =
            lumped_masses(rest.elements(), &set.areas(), fabric.density(), rest.vertex_count());
        let damping = fabric.damping();
        parts.add_masses(b, &masses, damping);
        let nodes = parts.place(b, rest.elements());
        parts.terms.push(Term::new("membrane", set, nodes, damping.stiffness));
        if fabric.bending_stiffness() > 0.0 {
            let hinges: Vec<[u32; 4]> = rest.hinges().iter().map(|hinge| hinge.vertices).collect();
            let set = HingeSet::new(
                fabric.bending_stiffness(),
                rest.vertices(),
                &hinges,
                cloth.rest_angles,
            )
            .map_err(failed)?;
            let nodes = parts.place(b, &hinges);
            parts.terms.push(Term::new("bending", set, nodes, damping.stiffness));
        }
        Ok(())
    }

    /// The rest shape: the mesh with the placement's stretch, but not its turn and move.
    fn rest<const N: usize>(
        &self,
        b: usize,
        mesh: &Mesh<N>,
        placement: &Transform,
    ) -> Result<Mesh<N>, SceneError> {
        let body = || self.scene.name(BodyId(b as u32));
        mesh.transformed(&placement.stretch())
            .map_err(|source| SceneError::Mesh { body: body(), source })
    }

    /// Refuses bodies so light or heavy that the masses of their vertices are no numbers any more.
    fn check_masses(&self, parts: &Parts) -> Result<(), SceneError> {
        for (b, nodes) in parts.nodes.iter().enumerate() {
            let wrong = |&&node: &&u32| !parts.masses[node as usize].is_normal();
            if let Some(&node) = nodes.iter().find(wrong) {
                return Err(SceneError::Value {
                    what: "the mass of a vertex",
                    whose: format!("body {}", self.scene.name(BodyId(b as u32))),
                    value: format!("{:e} kg", parts.masses[node as usize]),
                    help: "check its density and the size of its mesh",
                });
            }
        }
        Ok(())
    }

    /// Velocity and spin about the centre of mass; welded nodes get the mean of their bodies.
    fn set_velocities(&self, parts: &mut Parts) {
        for (b, body) in self.scene.bodies.iter().enumerate() {
            let (velocity, spin) = match body {
                Body::Solid(solid) => (solid.velocity, solid.spin),
                Body::Cloth(cloth) => (cloth.velocity, cloth.spin),
                Body::Obstacle(_) => continue,
            };
            let nodes = &parts.nodes[b];
            let mass: f64 = nodes.iter().map(|&n| parts.masses[n as usize]).sum();
            let moment: Vector3 =
                nodes.iter().map(|&n| parts.positions[n as usize] * parts.masses[n as usize]).sum();
            let center = moment / mass;
            for &n in nodes {
                let arm = parts.positions[n as usize] - center;
                // Added, then divided by how many bodies share the node.
                parts.velocities[n as usize] += velocity + spin.cross(&arm);
            }
        }
        let mut shared = vec![0.0; parts.positions.len()];
        parts.nodes.iter().flatten().for_each(|&n| shared[n as usize] += 1.0);
        for (velocity, count) in parts.velocities.iter_mut().zip(shared) {
            *velocity /= count;
        }
    }

    fn add_springs(&self, parts: &mut Parts) -> Result<(), SceneError> {
        for spring in &self.scene.springs {
            let positive = |value: f64| value.is_finite() && value >= 0.0;
            let length = spring.rest_length.unwrap_or(0.0);
            for (what, value) in [
                ("stiffness", spring.stiffness),
                ("damping", spring.damping),
                ("rest length", length),
            ] {
                if !positive(value) || (what == "stiffness" && value <= 0.0) {
                    let help = "give a finite number, above zero for the stiffness";
                    return Err(SceneError::Value {
                        what,
                        whose: "a spring".into(),
                        value: value.to_string(),
                        help,
                    });
                }
            }
            let mut ends = [0; 2];
            for (end, anchor) in ends.iter_mut().zip(spring.ends) {
                *end = match anchor {
                    Anchor::Vertex(body, vertex) => {
                        let placed = self.placed("a spring", body)?;
                        let nodes = &parts.nodes[body.index()];
                        *nodes.get(vertex as usize).ok_or_else(|| SceneError::NoVertex {
                            body: self.scene.name(body),
                            vertex,
                            count: placed.vertices().len(),
                        })?
                    }
                    Anchor::Point(point) => {
                        check("anchor", || "a spring".into(), &point, "give three finite numbers")?;
                        parts.add_anchor(point)
                    }
                };
            }
            let apart = parts.positions[ends[0] as usize] - parts.positions[ends[1] as usize];
            let rest_length = spring.rest_length.unwrap_or_else(|| apart.norm());
            let set = SpringSet::new(vec![Spring { stiffness: spring.stiffness, rest_length }]);
            // A damper of c beside a spring of k is damping in proportion c/k to the stiffness.
            parts.terms.push(Term::new(
                "spring",
                set,
                vec![ends],
                spring.damping / spring.stiffness,
            ));
        }
        Ok(())
    }

    fn add_pins(&self, parts: &mut Parts) -> Result<(), SceneError> {
        let mut held = vec![[false; 3]; parts.positions.len()];
        for pin in &self.scene.pins {
            let vertices = self.select("a pin", pin.body, &pin.selection)?;
            let whose = || format!("a pin on body {}", self.scene.name(pin.body));
            if let Some(release) = pin.release.filter(|release| release.is_nan()) {
                let (whose, value) = (whose(), release.to_string());
                let help = "give a time [s], or none to hold on";
                return Err(SceneError::Value { what: "release", whose, value, help });
            }
            if !pin.motion.is_valid() {
                return Err(SceneError::Value {
                    what: "motion",
                    whose: whose(),
                    value: format!("{:?}", pin.motion).chars().take(120).collect(),
                    help: "numbers must be finite, keyframes ascending in time",
                });
            }
            parts.motions.push(pin.motion.clone());
            for vertex in vertices {
                let node = parts.nodes[pin.body.index()][vertex as usize];
                for (k, axis) in ['x', 'y', 'z'].into_iter().enumerate() {
                    if pin.axes[k] && std::mem::replace(&mut held[node as usize][k], true) {
                        return Err(SceneError::HeldTwice {
                            body: self.scene.name(pin.body),
                            vertex,
                            axis,
                        });
                    }
                }
                parts.holds.push(Hold {
                    node,
                    axes: pin.axes,
                    motion: parts.motions.len() - 1,
                    start: parts.positions[node as usize],
                    release: pin.release.unwrap_or(f64::INFINITY),
                });
            }
        }
        Ok(())
    }

    fn add_loads(&self, parts: &mut Parts) -> Result<(), SceneError> {
        for load in &self.scene.loads {
            let vertices = self.select("a load", load.body, &load.selection)?;
            let whose = || format!("a load on body {}", self.scene.name(load.body));
            if !load.profile.is_valid() {
                let help = "numbers must be finite, times ascending";
                let value = format!("{:?}", load.profile).chars().take(120).collect();
                return Err(SceneError::Value { what: "profile", whose: whose(), value, help });
            }
            let body_nodes = &parts.nodes[load.body.index()];
            let mut forces = Vec::new();
            match load.kind {
                LoadKind::Force(force) => {
                    check("force", whose, &force, "give three finite numbers")?;
                    let share = force / vertices.len() as f64;
                    forces.extend(vertices.iter().map(|&v| (body_nodes[v as usize], share)));
                }
                LoadKind::Traction(traction) => {
                    check("traction", whose, &traction, "give three finite numbers")?;
                    for (face, area) in self.faces(load.body, &vertices)? {
                        let share = traction * (area / 3.0);
                        forces.extend(face.map(|v| (body_nodes[v as usize], share)));
                    }
                }
                LoadKind::Pressure(pressure) => {
                    if !pressure.is_finite() {
                        let help = "give a finite number [Pa]";
                        let value = pressure.to_string();
                        return Err(SceneError::Value {
                            what: "pressure",
                            whose: whose(),
                            value,
                            help,
                        });
                    }
                    let faces = self.faces(load.body, &vertices)?;
                    let nodes = faces
                        .iter()
                        .map(|(face, _)| face.map(|v| body_nodes[v as usize]))
                        .collect();
                    // Against the normal.
                    let set = PressureSet::uniform(-pressure, faces.len());
                    parts.scaled_terms.push((parts.terms.len(), load.profile.clone()));
                    parts.terms.push(Term::new("pressure", set, nodes, 0.0));
                    continue;
                }
            }
            parts.dead_loads.push(DeadLoad { profile: load.profile.clone(), forces });
        }
        Ok(())
    }

    /// Faces of the surface with all corners selected, with their areas as placed.
    fn faces(&self, body: BodyId, vertices: &[u32]) -> Result<Vec<([u32; 3], f64)>, SceneError> {
        let selected = |face: &[u32; 3]| face.iter().all(|v| vertices.binary_search(v).is_ok());
        let faces: Vec<([u32; 3], f64)> = match self.placed("a load", body)? {
            Placed::Solid(mesh) => {
                let boundary = mesh.boundary();
                let triangles = boundary.surface.triangles().iter();
                let faces = triangles.map(|face| face.map(|v| boundary.vertices[v as usize]));
                faces.zip(boundary.surface.areas()).filter(|(face, _)| selected(face)).collect()
            }
            Placed::Cloth(mesh) => {
                let faces = mesh.triangles().iter().copied().zip(mesh.areas());
                faces.filter(|(face, _)| selected(face)).collect()
            }
        };
        if faces.is_empty() {
            return Err(SceneError::NoFace {
                body: self.scene.name(body),
                vertices: vertices.len(),
            });
        }
        Ok(faces)
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
    }

    /// A node that stays at a point.
    fn add_anchor(&mut self, point: Vector3) -> u32 {
        let node = self.positions.len() as u32;
        self.positions.push(point);
        self.velocities.push(Vector3::zeros());
        self.masses.push(0.0);
        self.mass_damping.push(0.0);
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

fn root(same: &mut [u32], mut v: u32) -> u32 {
    while same[v as usize] != v {
        same[v as usize] = same[same[v as usize] as usize];
        v = same[v as usize];
    }
    v
}

//! From a description to nodes and elements, once.

use super::contacts::OfContacts;
use super::prepared::{AtElement, AtNode, Elastic, Masses, Measured, Part};
use super::quantity::Direction;
use super::{PreparedProbe, Probe, ProbeError, Quantity, Reduction};
use crate::assembly::Term;
use crate::body::{Body, BodyId, JointKind, ZoneId};
use crate::math::Vector3;
use crate::mesh::topology::SurfaceEdges;
use crate::mesh::{Mesh, Selection, SelectionError, TetMesh, TriMesh};
use crate::{Scene, Simulation};

impl Probe {
    /// Finds vertices and elements where bodies are placed, wherever they are by now.
    ///
    /// # Errors
    /// When the probe makes no sense; see [`ProbeError`].
    pub fn prepare(
        &self,
        scene: &Scene,
        simulation: &Simulation,
    ) -> Result<PreparedProbe, ProbeError> {
        if let Some(zone) = self.zone {
            let count = scene.zones.len().min(simulation.model().zone_count());
            self.check_zone(zone, count)?;
            let measured = Measured::Zone { quantity: self.quantity, zone };
            return Ok(PreparedProbe { unit: self.quantity.unit(), measured });
        }
        if let Some(joint) = self.joint {
            self.check_joint()?;
            let count = scene.joints.len();
            let Some(described) = scene.joints.get(joint.index()) else {
                return Err(ProbeError::UnknownJoint { joint: joint.index(), count });
            };
            let turns = self.quantity == Quantity::Travel && described.kind == JointKind::Hinge;
            let unit = if turns { "rad" } else { self.quantity.unit() };
            return Ok(PreparedProbe { unit, measured: Measured::Joint(self.quantity, joint) });
        }
        self.check_parts()?;
        let reduction = self.checked_reduction()?;
        let along = self.unit_direction()?;
        let part = along.map_or(Part::Length, Part::Along);
        let about = self.about.unwrap_or_else(Vector3::zeros);
        let prepare = Prepare { probe: self, scene, simulation };
        let mut unit = self.quantity.unit();
        let at_vertices = |value: AtNode| -> Result<Measured, ProbeError> {
            let nodes = prepare.chosen()?.nodes(simulation);
            Ok(Measured::Vertices { value, nodes, part, reduction })
        };
        let measured = match self.quantity {
            Quantity::Position => at_vertices(AtNode::Position)?,
            Quantity::Displacement => at_vertices(AtNode::Displacement)?,
            Quantity::Velocity | Quantity::Speed => at_vertices(AtNode::Velocity)?,
            Quantity::Reaction => prepare.reaction(AtNode::Reaction, part, reduction)?,
            Quantity::ReactionTorque => {
                prepare.reaction(AtNode::Torque { about }, part, reduction)?
            }
            Quantity::ContactForce
            | Quantity::NormalForce
            | Quantity::FrictionForce
            | Quantity::Slip
            | Quantity::SlipVelocity
            | Quantity::Gap
            | Quantity::ContactCount
            | Quantity::SlidingCount => prepare.contacts(part, reduction)?,
            Quantity::Intersections => prepare.intersections()?,
            Quantity::Travel | Quantity::Drift | Quantity::Tilt => {
                let joint = self.joint.expect("checked: it is of a joint");
                Measured::Joint(self.quantity, joint)
            }
            Quantity::Length => {
                let (body, selection) =
                    self.to.as_ref().expect("checked: a length has another end");
                let to = prepare.select(*body, selection)?.nodes(simulation);
                Measured::Length { from: prepare.chosen()?.nodes(simulation), to, part }
            }
            Quantity::Area => prepare.area()?,
            Quantity::Volume => prepare.volume()?,
            Quantity::CenterOfMass => Measured::CenterOfMass { masses: prepare.masses()?, part },
            Quantity::Momentum => Measured::Momentum { masses: prepare.masses()?, part },
            Quantity::AngularMomentum => {
                Measured::AngularMomentum { masses: prepare.masses()?, about, part }
            }
            Quantity::Spin => Measured::Spin { masses: prepare.masses()?, part },
            kind @ (Quantity::KineticEnergy
            | Quantity::ElasticEnergy
            | Quantity::GravitationalEnergy
            | Quantity::Energy) => {
                let (masses, elastic) = (prepare.masses()?, prepare.elastic()?);
                Measured::Energy { kind, masses, elastic }
            }
            Quantity::Stretch
            | Quantity::Strain
            | Quantity::GreenStrain
            | Quantity::MinStretch
            | Quantity::VolumeRatio
            | Quantity::AreaRatio
            | Quantity::StrainEnergyDensity
            | Quantity::Stress
            | Quantity::VonMises
            | Quantity::Pressure => {
                unit = prepare.unit_of_field()?;
                prepare.elements(along, reduction)?
            }
        };
        Ok(PreparedProbe { unit, measured })
    }

    /// Asks for what is missing, and refuses what would be ignored.
    fn check_parts(&self) -> Result<(), ProbeError> {
        let quantity = self.quantity.name();
        let missing = |part, help| Err(ProbeError::Missing { quantity, part, help });
        let unused = |part, help| Err(ProbeError::Unused { quantity, part, help });
        if self.quantity.is_of_joints() {
            return missing("joint", "say which joint is measured");
        }
        if self.body.is_none() && !self.quantity.is_of_scene() {
            return missing("body", "say which body is measured");
        }
        if self.body.is_none() && self.selection != Selection::All {
            return missing("body", "say whose vertices are selected");
        }
        match (self.quantity == Quantity::Length, &self.to) {
            (true, None) => {
                return missing("to", "give the vertices that the length is measured to");
            }
            (false, Some(_)) => return unused("to", "only a `length` has another end"),
            _ => {}
        }
        let crosses = self.quantity == Quantity::Intersections;
        if self.against.is_some() && !self.quantity.is_of_contacts() && !crosses {
            return unused(
                "against",
                "only forces, slip and counts of contacts, and intersections, are against a body",
            );
        }
        if crosses && self.body.is_none() && self.against.is_some() {
            return missing("body", "say whose intersections with the other body count");
        }
        if crosses && self.selection != Selection::All {
            return unused("where", "all triangles of a body are looked at: leave it out");
        }
        match (self.quantity.direction(), self.along) {
            (Direction::Needed, None) if self.quantity == Quantity::Velocity => {
                return missing("along", "give a direction, such as [0, 1, 0], or probe `speed`");
            }
            (Direction::Needed, None) => {
                return missing("along", "give a direction, such as [0, 1, 0]");
            }
            (Direction::None, Some(_)) => {
                return unused("along", "it has no direction: leave it out");
            }
            _ => {}
        }
        if let Some(about) = self.about {
            if !self.quantity.has_point() {
                return unused("about", "only torques and angular momenta are about a point");
            }
            self.check_finite("about", &about)?;
        }
        Ok(())
    }

    /// The same for a probe of a zone.
    fn check_zone(&self, zone: ZoneId, count: usize) -> Result<(), ProbeError> {
        let quantity = self.quantity.name();
        let unused = |part, help| Err(ProbeError::Unused { quantity, part, help });
        if !self.quantity.is_of_zones() {
            return unused("zone", "of a zone, probe `volume`, `pressure` or `energy`");
        }
        self.check_whole("a zone is measured as a whole: leave it out")?;
        if zone.index() >= count {
            return Err(ProbeError::UnknownZone { zone: zone.index(), count });
        }
        Ok(())
    }

    /// The same for a probe of a joint.
    fn check_joint(&self) -> Result<(), ProbeError> {
        if !self.quantity.is_of_joints() {
            let (quantity, help) =
                (self.quantity.name(), "of a joint, probe `travel`, `drift` or `tilt`");
            return Err(ProbeError::Unused { quantity, part: "joint", help });
        }
        self.check_whole("a joint is measured as a whole: leave it out")
    }

    fn check_whole(&self, help: &'static str) -> Result<(), ProbeError> {
        let parts = [
            ("body", self.body.is_some()),
            ("where", self.selection != Selection::All),
            ("to", self.to.is_some()),
            ("against", self.against.is_some()),
            ("along", self.along.is_some()),
            ("about", self.about.is_some()),
            ("reduction", self.reduction.is_some()),
        ];
        let quantity = self.quantity.name();
        match parts.into_iter().find(|(_, given)| *given) {
            Some((part, _)) => Err(ProbeError::Unused { quantity, part, help }),
            None => Ok(()),
        }
    }

    fn checked_reduction(&self) -> Result<Reduction, ProbeError> {
        let allowed = self.quantity.reductions();
        match self.reduction {
            None => Ok(allowed.first().copied().unwrap_or(Reduction::Sum)),
            Some(reduction) if allowed.contains(&reduction) => Ok(reduction),
            Some(reduction) => {
                let quantity = self.quantity.name();
                Err(ProbeError::Reduction { quantity, reduction, allowed })
            }
        }
    }

    fn unit_direction(&self) -> Result<Option<Vector3>, ProbeError> {
        let Some(along) = self.along else { return Ok(None) };
        self.check_finite("along", &along)?;
        let unit = along.try_normalize(0.0).filter(|unit| unit.iter().all(|c| c.is_finite()));
        unit.map(Some).ok_or_else(|| ProbeError::Value {
            quantity: self.quantity.name(),
            part: "along",
            value: along.into(),
            help: "give a direction longer than zero, such as [0, 1, 0]",
        })
    }

    fn check_finite(&self, part: &'static str, value: &Vector3) -> Result<(), ProbeError> {
        if value.iter().all(|c| c.is_finite()) {
            return Ok(());
        }
        let (quantity, help) = (self.quantity.name(), "give three finite numbers");
        Err(ProbeError::Value { quantity, part, value: (*value).into(), help })
    }
}

/// A probe whose parts are in order, and where it is to be placed.
struct Prepare<'a> {
    probe: &'a Probe,
    scene: &'a Scene,
    simulation: &'a Simulation,
}

/// Vertices of a body.
struct Selected {
    body: BodyId,
    mesh: Placed,
    vertices: Vec<u32>,
}

/// A body as placed.
enum Placed {
    Solid(TetMesh),
    Cloth(TriMesh),
}

impl Prepare<'_> {
    /// What the probe selects.
    fn chosen(&self) -> Result<Selected, ProbeError> {
        let body = self.probe.body.expect("checked: quantities of no body do not come here");
        self.select(body, &self.probe.selection)
    }

    fn select(&self, body: BodyId, selection: &Selection) -> Result<Selected, ProbeError> {
        let model = self.simulation.model();
        let count = self.scene.bodies.len().min(model.body_count());
        let given = self.scene.bodies.get(body.index()).filter(|_| body.index() < count);
        let given = given.ok_or(ProbeError::UnknownBody { body: body.index(), count })?;
        let simulated = model.nodes(body).len();
        let (mesh, vertices) = match given {
            Body::Solid(solid) => {
                let mesh =
                    self.placed(body, solid.mesh.transformed(&solid.placement), simulated)?;
                let vertices = selection.vertices(&mesh);
                (Placed::Solid(mesh), vertices)
            }
            Body::Cloth(cloth) => {
                let mesh =
                    self.placed(body, cloth.mesh.transformed(&cloth.placement), simulated)?;
                let vertices = selection.vertices(&mesh);
                (Placed::Cloth(mesh), vertices)
            }
            Body::Rigid(rigid) => {
                let mesh =
                    self.placed(body, rigid.mesh.transformed(&rigid.placement), simulated)?;
                let vertices = selection.vertices(&mesh);
                (Placed::Cloth(mesh), vertices)
            }
            Body::Obstacle(_) => {
                return Err(self.wrong_body(
                    body,
                    "a solid or cloth",
                    "an obstacle",
                    "where an obstacle is follows from its motion",
                ));
            }
        };
        let vertices = vertices.map_err(|source: SelectionError| ProbeError::Selection {
            quantity: self.probe.quantity.name(),
            body: self.scene.name(body),
            source,
        })?;
        Ok(Selected { body, mesh, vertices })
    }

    /// The mesh of a body, if it is the one that is simulated.
    fn placed<const N: usize>(
        &self,
        body: BodyId,
        mesh: Result<Mesh<N>, crate::mesh::MeshError>,
        simulated: usize,
    ) -> Result<Mesh<N>, ProbeError> {
        // Placing it went well when the simulation was made.
        let given = mesh.as_ref().map_or(0, Mesh::vertex_count);
        let body = || self.scene.name(body);
        mesh.ok()
            .filter(|mesh| mesh.vertex_count() == simulated)
            .ok_or_else(|| ProbeError::OtherScene { body: body(), given, simulated })
    }

    fn wrong_body(
        &self,
        body: BodyId,
        needed: &'static str,
        given: &'static str,
        help: &'static str,
    ) -> ProbeError {
        let (quantity, body) = (self.probe.quantity.name(), self.scene.name(body));
        ProbeError::WrongBody { quantity, needed, body, given, help }
    }

    fn no_element(&self, selected: &Selected, element: &'static str) -> ProbeError {
        ProbeError::NoElement {
            quantity: self.probe.quantity.name(),
            body: self.scene.name(selected.body),
            vertices: selected.vertices.len(),
            element,
        }
    }

    /// At the selected vertices that are ever held, each node once: welded vertices share their force.
    fn reaction(
        &self,
        value: AtNode,
        part: Part,
        reduction: Reduction,
    ) -> Result<Measured, ProbeError> {
        let selected = self.chosen()?;
        let model = self.simulation.model();
        let mut held = vec![false; model.node_masses().len()];
        model.held_nodes().for_each(|node| held[node as usize] = true);
        let mut nodes = selected.nodes(self.simulation);
        nodes.retain(|&node| held[node as usize]);
        nodes.sort_unstable();
        nodes.dedup();
        if nodes.is_empty() {
            return Err(ProbeError::NothingHeld {
                quantity: self.probe.quantity.name(),
                body: self.scene.name(selected.body),
                vertices: selected.vertices.len(),
            });
        }
        Ok(Measured::Vertices { value, nodes, part, reduction })
    }

    /// Of contacts of a body, or of some of its vertices. Obstacles, which have none, feel forces too.
    fn contacts(&self, part: Part, reduction: Reduction) -> Result<Measured, ProbeError> {
        let Probe { quantity, against, ref selection, .. } = *self.probe;
        let body = self.probe.body.expect("checked: contacts are of a body");
        let count = self.scene.bodies.len().min(self.simulation.model().body_count());
        for named in [Some(body), against].into_iter().flatten() {
            if named.index() >= count {
                return Err(ProbeError::UnknownBody { body: named.index(), count });
            }
        }
        if against == Some(body) && !self.scene.touches_itself(body) {
            let help = "name another body, or let this one touch itself";
            return Err(ProbeError::Unused { quantity: quantity.name(), part: "against", help });
        }
        let vertices = match selection {
            Selection::All => None,
            _ => Some(self.chosen()?.vertices),
        };
        let of = OfContacts { quantity, body, against, vertices, part, reduction };
        Ok(Measured::Contacts(of))
    }

    /// Of bodies that have surfaces of triangles, or of all of these.
    fn intersections(&self) -> Result<Measured, ProbeError> {
        let Probe { body, against, .. } = *self.probe;
        let count = self.scene.bodies.len().min(self.simulation.model().body_count());
        for named in [body, against].into_iter().flatten() {
            if named.index() >= count {
                return Err(ProbeError::UnknownBody { body: named.index(), count });
            }
            if !self.simulation.has_intersections(named) {
                return Err(self.wrong_body(
                    named,
                    "a body made of triangles",
                    "round, endless, or a cloud of points",
                    "facets of round shapes cross where the shapes only touch; probe the `gap` of contacts",
                ));
            }
        }
        Ok(Measured::Intersections { body, against })
    }

    fn area(&self) -> Result<Measured, ProbeError> {
        let selected = self.chosen()?;
        let faces = match &selected.mesh {
            Placed::Solid(mesh) => {
                let boundary = mesh.boundary();
                let faces = boundary.surface.triangles().iter();
                let faces: Vec<[u32; 3]> =
                    faces.map(|face| face.map(|v| boundary.vertices[v as usize])).collect();
                selected.whole(&faces)
            }
            Placed::Cloth(mesh) => selected.whole(mesh.triangles()),
        };
        if faces.is_empty() {
            return Err(self.no_element(&selected, "face"));
        }
        Ok(Measured::Area(selected.on_nodes(self.simulation, &faces)))
    }

    fn volume(&self) -> Result<Measured, ProbeError> {
        let selected = self.chosen()?;
        match &selected.mesh {
            Placed::Solid(mesh) => {
                let tets = selected.whole(mesh.tets());
                if tets.is_empty() {
                    return Err(self.no_element(&selected, "tetrahedron"));
                }
                Ok(Measured::Volume(selected.on_nodes(self.simulation, &tets)))
            }
            Placed::Cloth(mesh) => {
                let faces = selected.whole(mesh.triangles());
                if faces.is_empty() {
                    return Err(self.no_element(&selected, "triangle"));
                }
                let edges = SurfaceEdges::new(mesh.vertex_count(), &faces);
                let open = (0..edges.len()).filter(|&k| edges.sides(k).len() != 2).count();
                if open > 0 {
                    return Err(ProbeError::Open { body: self.scene.name(selected.body), open });
                }
                Ok(Measured::Enclosed(selected.on_nodes(self.simulation, &faces)))
            }
        }
    }

    /// Of the selected vertices, or of all nodes.
    fn masses(&self) -> Result<Masses, ProbeError> {
        let model = self.simulation.model();
        if self.probe.body.is_none() {
            let nodes = (0..).zip(model.node_masses().iter().copied()).collect();
            let rigid = self.scene.ids().filter(|&body| model.rigid_center(body).is_some());
            return Ok(Masses { nodes, rigid: rigid.collect() });
        }
        let selected = self.chosen()?;
        // A rigid body has its mass as a whole.
        if let Some((node, mass)) = model.rigid_center(selected.body) {
            return Ok(Masses { nodes: vec![(node, mass)], rigid: vec![selected.body] });
        }
        let masses = model.vertex_masses(selected.body);
        let masses = selected.vertices.iter().map(|&v| masses[v as usize]);
        let nodes = selected.nodes(self.simulation).into_iter().zip(masses).collect();
        Ok(Masses { nodes, rigid: Vec::new() })
    }

    fn elastic(&self) -> Result<Elastic, ProbeError> {
        if self.probe.body.is_none() {
            return Ok(Elastic::All);
        }
        let selected = self.chosen()?;
        let model = self.simulation.model();
        let terms = model.body_terms(selected.body).iter();
        let elements = |&term: &usize| {
            (term, selected.whole_elements(self.simulation, &model.assembly().terms()[term]))
        };
        Ok(Elastic::Elements(terms.map(elements).collect()))
    }

    /// The unit of the field on the body, if it has the field.
    fn unit_of_field(&self) -> Result<&'static str, ProbeError> {
        let field = self.probe.quantity.field().expect("only quantities of elements come here");
        let selected = self.chosen()?;
        field.unit(&self.scene.bodies[selected.body.index()]).ok_or_else(|| match selected.mesh {
            Placed::Solid(_) => self.wrong_body(
                selected.body,
                "a cloth",
                "a solid",
                "probe `area` or `volume_ratio`",
            ),
            Placed::Cloth(_) => self.wrong_body(
                selected.body,
                "a solid",
                "a cloth",
                "a sheet has `area_ratio`, and `stress` in its plane",
            ),
        })
    }

    fn elements(
        &self,
        along: Option<Vector3>,
        reduction: Reduction,
    ) -> Result<Measured, ProbeError> {
        let (quantity, selected) = (self.probe.quantity, self.chosen()?);
        let model = self.simulation.model();
        let number = model.body_terms(selected.body)[0];
        let term = &model.assembly().terms()[number];
        let mut elements = selected.whole_elements(self.simulation, term);
        if elements.is_empty() {
            let element = match selected.mesh {
                Placed::Solid(_) => "tetrahedron",
                Placed::Cloth(_) => "triangle",
            };
            return Err(self.no_element(&selected, element));
        }
        let value = match (quantity, along) {
            (Quantity::Stress, Some(along)) => AtElement::NormalStress(along),
            (_, Some(along)) => {
                let placed = selected.positions_of_nodes(self.simulation);
                let direction = |e: u32| term.strained(e as usize, &placed)?.rest_direction(&along);
                let found = elements.iter().filter_map(|&e| Some((e, direction(e)?)));
                let (kept, directions): (Vec<u32>, Vec<Vector3>) = found.unzip();
                if kept.is_empty() {
                    let body = self.scene.name(selected.body);
                    return Err(ProbeError::Perpendicular { quantity: quantity.name(), body });
                }
                elements = kept;
                AtElement::StretchAlong(quantity, directions)
            }
            (Quantity::Stretch | Quantity::Strain | Quantity::GreenStrain, None) => {
                AtElement::PrincipalStretch(quantity)
            }
            (_, None) => {
                let field = quantity.field();
                AtElement::Field(field.expect("only quantities of elements come here"))
            }
        };
        Ok(Measured::Elements { term: number, elements, value, reduction })
    }
}

impl Selected {
    /// Nodes of the vertices, in their order.
    fn nodes(&self, simulation: &Simulation) -> Vec<u32> {
        let nodes = simulation.model().nodes(self.body);
        self.vertices.iter().map(|&v| nodes[v as usize]).collect()
    }

    /// Those of `elements` whose corners are all selected.
    fn whole<const N: usize>(&self, elements: &[[u32; N]]) -> Vec<[u32; N]> {
        let selected = |v: &u32| self.vertices.binary_search(v).is_ok();
        elements.iter().filter(|corners| corners.iter().all(selected)).copied().collect()
    }

    fn on_nodes<const N: usize>(
        &self,
        simulation: &Simulation,
        elements: &[[u32; N]],
    ) -> Vec<[u32; N]> {
        let nodes = simulation.model().nodes(self.body);
        elements.iter().map(|corners| corners.map(|v| nodes[v as usize])).collect()
    }

    /// Elements of a term of the body whose nodes are all selected.
    fn whole_elements(&self, simulation: &Simulation, term: &Term) -> Vec<u32> {
        let mut inside = vec![false; simulation.model().node_masses().len()];
        self.nodes(simulation).into_iter().for_each(|node| inside[node as usize] = true);
        let (mut elements, mut e) = (Vec::new(), 0);
        term.for_each_stencil(&mut |nodes| {
            if nodes.iter().all(|&node| inside[node as usize]) {
                elements.push(e);
            }
            e += 1;
        });
        elements
    }

    /// The body as placed, as a vector over all nodes.
    fn positions_of_nodes(&self, simulation: &Simulation) -> Vec<f64> {
        let model = simulation.model();
        let vertices = match &self.mesh {
            Placed::Solid(mesh) => mesh.vertices(),
            Placed::Cloth(mesh) => mesh.vertices(),
        };
        let mut q = vec![0.0; 3 * model.node_masses().len()];
        for (&node, x) in model.nodes(self.body).iter().zip(vertices) {
            q[3 * node as usize..3 * node as usize + 3].copy_from_slice(x.as_slice());
        }
        q
    }
}

//! Elements, masses and velocities of solids and cloth.

use super::{Build, Parts};
use crate::assembly::Term;
use crate::body::{Body, BodyId, Cloth, Rigid, Solid};
use crate::element::{CurvatureSet, HingeSet, TetrahedronSet, TriangleSet, lumped_masses};
use crate::material::BendingModel;
use crate::math::Vector3;
use crate::mesh::{Mesh, Transform};
use crate::model::rigid::{RigidBody, RigidNodes};
use crate::model::{SceneError, Subject};

impl Build<'_> {
    pub(super) fn add_solid(
        &self,
        parts: &mut Parts,
        b: usize,
        solid: &Solid,
    ) -> Result<(), SceneError> {
        let rest = self.rest(b, &solid.mesh, &solid.placement)?;
        let name = || self.scene.named(BodyId(b as u32));
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
        parts.add_term(b, Term::new("solid", set, nodes, damping.stiffness));
        Ok(())
    }

    pub(super) fn add_cloth(
        &self,
        parts: &mut Parts,
        b: usize,
        cloth: &Cloth,
    ) -> Result<(), SceneError> {
        let name = || self.scene.named(BodyId(b as u32));
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
        parts.add_term(b, Term::new("membrane", set, nodes, damping.stiffness));
        let (rigidity, x, angles) =
            (fabric.bending_stiffness(), rest.vertices(), cloth.rest_angles);
        if rigidity > 0.0 {
            let term = match fabric.bending_model() {
                BendingModel::Curvature => {
                    let patches = rest.patches();
                    let ratio = fabric.bending_poissons_ratio();
                    let set = CurvatureSet::new(rigidity, ratio, x, &patches, angles);
                    let set = set.map_err(failed)?;
                    Term::new("bending", set, parts.place(b, &patches), damping.stiffness)
                }
                BendingModel::Hinges => {
                    let hinges: Vec<_> = rest.hinges().iter().map(|hinge| hinge.vertices).collect();
                    // As stiff as the plate where triangles are equilateral.
                    let set = HingeSet::new(rigidity / 3.0, x, &hinges, angles).map_err(failed)?;
                    Term::new("bending", set, parts.place(b, &hinges), damping.stiffness)
                }
            };
            parts.add_term(b, term);
        }
        Ok(())
    }

    pub(super) fn add_rigid(
        &self,
        parts: &mut Parts,
        b: usize,
        rigid: &Rigid,
    ) -> Result<(), SceneError> {
        let failed = |source| SceneError::Mass { body: self.scene.named(BodyId(b as u32)), source };
        if rigid.start.is_some() {
            return Err(SceneError::Value {
                what: "a start shape",
                whose: Subject::Body(BodyId(b as u32)).named(self.scene),
                value: "other than its mesh".into(),
                help: "rigid bodies keep the shape of their mesh; use `placement` to stretch it",
            });
        }
        let rest = self.rest(b, &rigid.mesh, &rigid.placement)?;
        let properties = rigid.rest_properties(&rest).map_err(failed)?;
        let share = properties.mass() / rest.vertex_count() as f64;
        parts.vertex_masses[b] = vec![share; rest.vertex_count()];
        let (first, center) = (parts.positions.len() as u32, properties.center());
        let at = rigid.placement.apply_rigid(&center);
        for mass in [properties.mass(), 0.0, 0.0, 0.0] {
            parts.positions.push(at);
            parts.velocities.push(Vector3::zeros());
            parts.masses.push(mass);
            parts.mass_damping.push(0.0);
        }
        parts.velocities[first as usize] = rigid.velocity;
        let axes = properties.principal_axes();
        let local = rest.vertices().iter().map(|x| axes.rotation.inverse() * (x - center));
        parts.rigid.push(RigidBody::new(
            RigidNodes {
                body: b as u32,
                center: first,
                turn: first + 1,
                orientation: [first + 2, first + 3],
                vertices: parts.nodes[b].clone(),
            },
            local.collect(),
            axes,
            center,
            rigid.placement.rotation(),
            rigid.spin,
        ));
        Ok(())
    }

    /// The rest shape: the mesh with the placement's stretch, but not its turn and move.
    fn rest<const N: usize>(
        &self,
        b: usize,
        mesh: &Mesh<N>,
        placement: &Transform,
    ) -> Result<Mesh<N>, SceneError> {
        let body = || self.scene.named(BodyId(b as u32));
        mesh.transformed(&placement.stretch())
            .map_err(|source| SceneError::Mesh { body: body(), source })
    }

    /// Refuses bodies so light or heavy that the masses of their vertices are no numbers any more.
    pub(super) fn check_masses(&self, parts: &Parts) -> Result<(), SceneError> {
        for (b, nodes) in parts.nodes.iter().enumerate() {
            if matches!(self.scene.bodies[b], Body::Rigid(_)) {
                continue; // its vertices weigh nothing by themselves
            }
            let wrong = |&&node: &&u32| !parts.masses[node as usize].is_normal();
            if let Some(&node) = nodes.iter().find(wrong) {
                return Err(SceneError::Value {
                    what: "the mass of a vertex",
                    whose: Subject::Body(BodyId(b as u32)).named(self.scene),
                    value: format!("{:e} kg", parts.masses[node as usize]),
                    help: "check its density and the size of its mesh",
                });
            }
        }
        Ok(())
    }

    /// Velocity and spin about the centre of mass; welded nodes get the mean of their bodies.
    pub(super) fn set_velocities(&self, parts: &mut Parts) {
        for (b, body) in self.scene.bodies.iter().enumerate() {
            let (velocity, spin) = match body {
                Body::Solid(solid) => (solid.velocity, solid.spin),
                Body::Cloth(cloth) => (cloth.velocity, cloth.spin),
                Body::Rigid(_) | Body::Obstacle(_) => continue,
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
            *velocity /= f64::max(count, 1.0);
        }
    }
}

//! Springs, pins and loads.

use super::{Build, DeadLoad, Hold, Parts, Placed, check};
use crate::assembly::Term;
use crate::body::{Anchor, BodyId, LoadKind};
use crate::element::{PressureSet, Spring, SpringSet};
use crate::model::{SceneError, Subject};

impl Build<'_> {
    pub(super) fn add_springs(&self, parts: &mut Parts) -> Result<(), SceneError> {
        for (index, spring) in self.scene.springs.iter().enumerate() {
            let by = Subject::Spring(index);
            let whose = || by.named(self.scene);
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
                        whose: whose(),
                        value: value.to_string(),
                        help,
                    });
                }
            }
            let mut ends = [0; 2];
            for (end, anchor) in ends.iter_mut().zip(spring.ends) {
                *end = match anchor {
                    Anchor::Vertex(body, vertex) => {
                        let placed = self.placed(by, body)?;
                        let nodes = &parts.nodes[body.index()];
                        *nodes.get(vertex as usize).ok_or_else(|| SceneError::NoVertex {
                            spring: index,
                            body: self.scene.named(body),
                            vertex,
                            count: placed.vertices().len(),
                        })?
                    }
                    Anchor::Point(point) => {
                        check("anchor", whose, &point, "give three finite numbers")?;
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

    pub(super) fn add_pins(&self, parts: &mut Parts) -> Result<(), SceneError> {
        let mut held = vec![[false; 3]; parts.positions.len()];
        for (index, pin) in self.scene.pins.iter().enumerate() {
            let by = Subject::Pin(index);
            let vertices = self.select(by, pin.body, &pin.selection)?;
            self.refuse_rigid(by, pin.body)?;
            let whose = || by.named(self.scene);
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
                            pin: index,
                            body: self.scene.named(pin.body),
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

    pub(super) fn add_loads(&self, parts: &mut Parts) -> Result<(), SceneError> {
        for (index, load) in self.scene.loads.iter().enumerate() {
            let by = Subject::Load(index);
            let vertices = self.select(by, load.body, &load.selection)?;
            let whose = || by.named(self.scene);
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
                    for (face, area) in self.faces(by, load.body, &vertices)? {
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
                    let faces = self.faces(by, load.body, &vertices)?;
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
    pub(super) fn faces(
        &self,
        by: Subject,
        body: BodyId,
        vertices: &[u32],
    ) -> Result<Vec<([u32; 3], f64)>, SceneError> {
        let selected = |face: &[u32; 3]| face.iter().all(|v| vertices.binary_search(v).is_ok());
        let faces: Vec<([u32; 3], f64)> = match self.placed(by, body)? {
            Placed::Solid(mesh) => {
                let boundary = mesh.boundary();
                let triangles = boundary.surface.triangles().iter();
                let faces = triangles.map(|face| face.map(|v| boundary.vertices[v as usize]));
                faces.zip(boundary.surface.areas()).filter(|(face, _)| selected(face)).collect()
            }
            Placed::Cloth(mesh) | Placed::Rigid(mesh) => {
                let faces = mesh.triangles().iter().copied().zip(mesh.areas());
                faces.filter(|(face, _)| selected(face)).collect()
            }
        };
        if faces.is_empty() {
            return Err(SceneError::NoFace {
                what: by.kind(),
                by,
                body: self.scene.named(body),
                vertices: vertices.len(),
            });
        }
        Ok(faces)
    }
}

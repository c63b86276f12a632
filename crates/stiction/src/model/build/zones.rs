//! Zones: which triangles enclose them, and how large they are at rest.

use super::{Build, Parts, Placed};
use crate::body::{BodyId, Zone, ZoneId, ZonePart};
use crate::energy::{ATMOSPHERE, VolumeEnergy};
use crate::geometry::EnclosedVolume;
use crate::math::Vector3;
use crate::model::{SceneError, Subject};

/// A zone over nodes.
#[derive(Clone, Debug)]
pub(crate) struct PlacedZone {
    pub(in crate::model) shape: EnclosedVolume,
    pub(in crate::model) energy: VolumeEnergy,
}

/// Volumes below this, relative to the cube of the size of the surface, are none.
const FLAT: f64 = 1e-9;

impl Build<'_> {
    pub(super) fn add_zones(&self, parts: &mut Parts) -> Result<(), SceneError> {
        for (zone, id) in self.scene.zones.iter().zip(self.scene.zone_ids()) {
            let name = || Subject::Zone(id).named(self.scene);
            let triangles = self.enclosing(parts, zone, id)?;
            let shape = if zone.fill_holes {
                EnclosedVolume::with_holes_filled(&triangles)
            } else {
                EnclosedVolume::closed(&triangles)
                    .map_err(|source| SceneError::OpenZone { zone: name(), source })?
            };
            let (rest, size) = volume(&shape, &self.rest_positions(parts, zone));
            let (start, _) = volume(&shape, &parts.positions);
            // A flat rest shape, such as that of a bag, does not say which side is inside.
            let flat = rest.abs() <= FLAT * size.powi(3);
            let inside_out = if flat { start < 0.0 } else { rest < 0.0 };
            let shape = if inside_out { shape.turned_over() } else { shape };
            let rest = zone.rest_volume.unwrap_or(if flat { 0.0 } else { rest.abs() });
            if zone.rest_volume.is_none() && flat {
                return Err(SceneError::FlatZone { zone: name() });
            }
            let wrong = |what, value: f64, help| {
                let (whose, value) = (name(), value.to_string());
                SceneError::Value { what, whose, value, help }
            };
            let energy =
                VolumeEnergy::new(zone.model, rest, 1.0 + zone.gauge_pressure / ATMOSPHERE)
                    .map_err(|error| match error.what {
                        "pressure" => wrong("gauge pressure", zone.gauge_pressure, error.help),
                        what => wrong(what, error.value, error.help),
                    })?;
            let start = if inside_out { -start } else { start };
            if !energy.is_defined(start) {
                let help = "start from a shape that is not inside out";
                return Err(wrong("the volume at the start", start, help));
            }
            parts.zones.push(PlacedZone { shape, energy });
        }
        Ok(())
    }

    /// Triangles of all surfaces of a zone, over nodes and turned to the same side.
    fn enclosing(
        &self,
        parts: &Parts,
        zone: &Zone,
        id: ZoneId,
    ) -> Result<Vec<[u32; 3]>, SceneError> {
        let mut all: Vec<[u32; 3]> = Vec::new();
        for (body, part) in &zone.surfaces {
            let faces = self.zone_faces(*body, part, id)?;
            let nodes = &parts.nodes[body.index()];
            let mut faces: Vec<[u32; 3]> =
                faces.into_iter().map(|face| face.map(|v| nodes[v as usize])).collect();
            if !all.is_empty() && open_edges(&all, &faces, true) < open_edges(&all, &faces, false) {
                faces.iter_mut().for_each(|face| face.swap(1, 2));
            }
            all.extend(faces);
        }
        Ok(all)
    }

    fn zone_faces(
        &self,
        body: BodyId,
        part: &ZonePart,
        id: ZoneId,
    ) -> Result<Vec<[u32; 3]>, SceneError> {
        let by = Subject::Zone(id);
        let placed = self.placed(by, body)?;
        self.refuse_rigid(by, body)?;
        let no_cavity = |cloth| {
            let (zone, body) = (by.named(self.scene), self.scene.named(body));
            Err(SceneError::NoCavity { zone, body, cloth })
        };
        let faces: Vec<[u32; 3]> = match (placed, part) {
            (Placed::Cloth(mesh) | Placed::Rigid(mesh), ZonePart::Outside) => {
                mesh.triangles().to_vec()
            }
            (Placed::Cloth(_) | Placed::Rigid(_), ZonePart::Cavity) => {
                return no_cavity(true);
            }
            (Placed::Solid(mesh), ZonePart::Outside | ZonePart::Cavity) => {
                let boundary = mesh.boundary();
                let pieces = boundary.surface.components();
                // The surface of a solid turns its back on hollows: their volume counts negative.
                let mut volumes = vec![0.0; pieces.count];
                let origin = boundary.surface.centroid();
                let each = boundary.surface.triangles().iter().zip(&pieces.of_element);
                for (e, (_, &piece)) in each.enumerate() {
                    let [a, b, c] = boundary.surface.corners(e).map(|x| x - origin);
                    volumes[piece as usize] += a.dot(&b.cross(&c));
                }
                let hollow = *part == ZonePart::Cavity;
                let triangles = boundary.surface.triangles().iter().zip(&pieces.of_element);
                let wanted = triangles.filter(|&(_, &k)| (volumes[k as usize] < 0.0) == hollow);
                wanted.map(|(face, _)| face.map(|v| boundary.vertices[v as usize])).collect()
            }
            (_, ZonePart::Selected(selection)) => {
                let vertices = self.select(by, body, selection)?;
                let faces = self.faces(by, body, &vertices)?;
                return Ok(faces.into_iter().map(|(face, _)| face).collect());
            }
        };
        if faces.is_empty() {
            return no_cavity(false);
        }
        Ok(faces)
    }

    /// Where nodes are when the bodies of a zone are at rest, as placed.
    fn rest_positions(&self, parts: &Parts, zone: &Zone) -> Vec<Vector3> {
        let mut rest = parts.positions.clone();
        for (body, _) in &zone.surfaces {
            if let Some(placed) = &self.placed[body.index()] {
                for (&node, x) in parts.nodes[body.index()].iter().zip(placed.vertices()) {
                    rest[node as usize] = *x;
                }
            }
        }
        rest
    }
}

/// Open edges of two surfaces together, the second as it is or turned over.
fn open_edges(all: &[[u32; 3]], more: &[[u32; 3]], turned: bool) -> usize {
    let turn = |&[a, b, c]: &[u32; 3]| if turned { [a, c, b] } else { [a, b, c] };
    let together: Vec<[u32; 3]> = all.iter().copied().chain(more.iter().map(turn)).collect();
    EnclosedVolume::closed(&together).map_or_else(|open| open.edges, |_| 0)
}

/// The volume inside [m³], and the size of the surface [m].
fn volume(shape: &EnclosedVolume, positions: &[Vector3]) -> (f64, f64) {
    let flat: Vec<f64> = positions.iter().flat_map(|x| x.iter().copied()).collect();
    let mut points = Vec::new();
    shape.place(&flat, &mut points);
    let size = points.iter().map(Vector3::norm).fold(0.0, f64::max);
    (shape.volume(&points), 2.0 * size)
}

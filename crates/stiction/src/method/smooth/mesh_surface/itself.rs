//! The surface of a body as its own points meet it: as several sheets, each a contact of its own.
//!
//! Faces that a vertex may touch are taken apart by whether they look along its normal or against it, and then into
//! [sheets](crate::contact::sheets) that hang together. So layers never blend, also where a fold between them is in
//! sight, and what lies between two layers touches both.

use super::{Around, MeshSurface, Samples, Workspace};
use crate::contact::sheets::{Sheet, sheets};
use crate::geometry::closest::SquaredDistance;
use crate::math::Vector3;
use crate::mesh::triangle_normal;
use crate::method::smooth::layers::{Layers, OwnVertex};

/// Distance from the faces of a sheet up to which it is a contact of its own, in thicknesses.
const NEAR: f64 = 2.0;

/// A sheet around a vertex of the same body, and the gap and normal it has there, if any.
pub(crate) type Met = (Around, Option<(f64, Vector3)>);

impl MeshSurface {
    /// As [`MeshSurface::meet`], of a vertex of the surface itself at the start of a step: each sheet that it may
    /// touch. `facing` is where a sheet looked, if the vertex touched it before.
    pub(crate) fn meet_itself(
        &self,
        vertex: u32,
        margin: f64,
        facing: impl Fn(&Around) -> Option<Vector3>,
        work: &mut Workspace,
    ) -> Vec<Met> {
        let mut met = Vec::new();
        let Some(layers) = &self.layers else { return met };
        let own = layers.of(vertex, &self.start);
        for mut around in self.sheets_around(layers, &own, margin) {
            let found = self.take_side(own.x, facing(&around), &mut around, work);
            if found.is_some_and(|(gap, _)| self.is_true(own.x, &around, gap, layers.thickness)) {
                met.push((around, found));
            }
        }
        met
    }

    /// The gaps of a vertex to all sheets that it may touch, as the surface is now, and what is around it there.
    pub(crate) fn gaps_to_itself(
        &self,
        vertex: u32,
        facing: impl Fn(&Around) -> Option<Vector3>,
        work: &mut Workspace,
    ) -> Vec<(Around, f64)> {
        let mut gaps = Vec::new();
        let Some(layers) = &self.layers else { return gaps };
        let own = layers.of(vertex, &self.positions);
        for around in self.sheets_around(layers, &own, 0.0) {
            let Some((gap, normal)) = self.gap(own.x, &around, work) else { continue };
            let behind = self.is_behind(gap, normal, facing(&around));
            let gap = if behind { -gap } else { gap };
            if self.is_true(own.x, &around, gap, layers.thickness) {
                gaps.push((around, gap));
            }
        }
        gaps
    }

    /// Whether the gap of a point by the field is worth something: the faces of the sheet are near, and nothing pushes
    /// a thickness before it is there. Where folds are as short as edges the field is off by many thicknesses, and ends
    /// in steps: there the guard is all that pushes.
    fn is_true(&self, x: Vector3, around: &Around, gap: f64, thickness: f64) -> bool {
        let corners = self.faces(around).iter().map(|&face| self.corners(face));
        let distance =
            |p: [Vector3; 3]| SquaredDistance::point_triangle(&[x, p[0], p[1], p[2]]).value();
        let distance = corners.map(distance).fold(f64::INFINITY, f64::min).sqrt();
        gap >= distance - thickness && distance <= NEAR * thickness
    }

    /// The sheet at the start of the step that holds a face, with a wider margin.
    pub(crate) fn sheet_of(&self, vertex: u32, face: u32, margin: f64) -> Option<Around> {
        let layers = self.layers.as_ref()?;
        let own = layers.of(vertex, &self.start);
        let mut sheets = self.sheets_around(layers, &own, margin).into_iter();
        sheets.find(|around| self.holds(around, face))
    }

    /// Whether a sheet has a face, or one beside it.
    pub(crate) fn holds(&self, around: &Around, face: u32) -> bool {
        let faces = self.faces(around);
        if faces.contains(&face) {
            return true;
        }
        let Some(layers) = &self.layers else { return false };
        let surface = &layers.surface;
        let beside = |&edge: &u32| surface.beside(edge).any(|beside| faces.contains(&beside));
        (face as usize) < self.triangles.len() && surface.edges_around(face).iter().any(beside)
    }

    /// Sheets around a vertex that moves by no more than `margin`, ascending by their nearest faces.
    fn sheets_around(&self, layers: &Layers, own: &OwnVertex<'_>, margin: f64) -> Vec<Around> {
        let reach = self.radius() + margin;
        let (mut samples, mut faces) = (Vec::new(), Vec::new());
        self.field.candidates(&own.x, margin, &mut samples);
        match &self.samples {
            Samples::Faces { .. } => faces.clone_from(&samples),
            Samples::Vertices { faces: search, .. } => search.within(&own.x, reach, &mut faces),
        }
        faces.retain(|&face| self.steady[face as usize] && own.may_touch(face));
        let along = |face: &u32| {
            let normal = triangle_normal(&self.corners(*face)).unwrap_or_default();
            normal.dot(&own.normal) > 0.0
        };
        let (along, against): (Vec<u32>, Vec<u32>) = faces.iter().partition(|face| along(face));
        let pieces = [along, against].into_iter().flat_map(|side| sheets(&side, &layers.surface));
        let around = |sheet: Sheet| {
            let faces = sheet.faces().to_vec();
            let samples = match &self.samples {
                Samples::Faces { .. } => faces.clone(),
                Samples::Vertices { .. } => self.samples_of(&samples, &faces),
            };
            let mut around =
                Around { samples, faces, margin, found_at: own.x, ..Around::default() };
            self.keep_nearest_side(own.x, &mut around).then_some(around)
        };
        let mut found: Vec<Around> = pieces.filter_map(around).collect();
        found.sort_by_key(|around| around.nearest);
        found
    }

    /// Those samples that are vertices of some faces.
    fn samples_of(&self, samples: &[u32], faces: &[u32]) -> Vec<u32> {
        let corners = faces.iter().flat_map(|&face| self.triangles[face as usize]);
        let mut corners: Vec<u32> = corners.collect();
        corners.sort_unstable();
        corners.dedup();
        // All vertices of a surface have faces: samples are numbered like them.
        samples.iter().copied().filter(|sample| corners.binary_search(sample).is_ok()).collect()
    }
}

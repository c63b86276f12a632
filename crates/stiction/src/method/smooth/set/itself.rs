//! Contacts of a body with itself.
//!
//! A vertex may touch several [sheets](crate::contact::sheets) of its own body at once. A contact is named by the
//! vertex and the face of the sheet that was nearest; the sheet that holds this face in the next step goes on with
//! what it remembers.

use super::ContactSet;
use crate::contact::key::{Key, Name};
use crate::method::smooth::memory::Memory;
use crate::method::smooth::mesh_surface::{Around, MeshSurface, Met, Workspace};
use crate::method::smooth::pair::{Pair, PairSurface, Point};
use crate::method::smooth::spot::Spot;
use crate::model::Model;

impl Pair {
    /// The surface of a body that touches itself.
    pub(super) fn own_surface(&self) -> Option<&MeshSurface> {
        match &self.surface {
            PairSurface::Mesh(surface) if surface.layers.is_some() => Some(surface),
            _ => None,
        }
    }

    /// The number of a point among vertices of its surface, if that is what it touches.
    pub(super) fn own_vertex(&self, point: &Point) -> Option<u32> {
        let Name::Sheet { vertex, .. } = point.name else { return None };
        let named = Name::Vertex(vertex);
        self.points.binary_search_by_key(&named, |p| p.name).ok().map(|k| k as u32)
    }
}

fn on_sheet(point: &Point, around: &Around) -> Point {
    let Name::Vertex(vertex) = point.name else { return *point };
    Point { name: Name::Sheet { vertex, face: around.nearest }, ..*point }
}

impl ContactSet {
    /// Finds what can move by itself.
    pub(crate) fn find_free(&mut self, model: &Model) {
        if let Some(guard) = &mut self.guard {
            guard.find_free(model);
        }
    }

    /// Spots of the points of a body that come near other parts of it.
    pub(super) fn expect_itself(
        &self,
        number: usize,
        surface: &MeshSurface,
        work: &mut Workspace,
        spots: &mut Vec<Spot>,
    ) {
        let pair = &self.pairs[number];
        for (vertex, touching) in (0..).zip(&pair.points) {
            let (_, v) = pair.state(touching, &self.start_q, &self.start_v, None);
            let way = surface.approach(v, self.step);
            let reach = 2.0 * pair.range(true) + 0.25 * way;
            let facing = |around: &Around| self.recall_sheet(pair, touching, around)?.facing();
            for (around, found) in surface.meet_itself(vertex, reach + way, facing, work) {
                if !found.is_some_and(|(gap, _)| gap - way >= reach) {
                    spots.push(self.sheet_spot(number, surface, touching, (around, found)));
                }
            }
        }
    }

    fn sheet_spot(
        &self,
        number: usize,
        surface: &MeshSurface,
        touching: &Point,
        (around, found): Met,
    ) -> Spot {
        let (x, v) = self.pairs[number].state(touching, &self.start_q, &self.start_v, None);
        let velocity = v - surface.velocity_at(&around);
        self.spot(number, &on_sheet(touching, &around), x, velocity, found, around)
    }

    /// What is remembered of a vertex and a sheet.
    fn recall_sheet(&self, pair: &Pair, touching: &Point, around: &Around) -> Option<&Memory> {
        let surface = pair.own_surface()?;
        let vertex = match touching.name {
            Name::Vertex(vertex) | Name::Sheet { vertex, .. } => vertex,
            _ => return None,
        };
        let named = |face: u32| pair.key(Name::Sheet { vertex, face });
        let first = self.memory.partition_point(|memory| memory.key < named(0));
        let mut of_vertex = self.memory[first..].iter().take_while(|m| m.key <= named(u32::MAX));
        let face = |memory: &Memory| match memory.key.name {
            Name::Sheet { face, .. } => face,
            _ => u32::MAX,
        };
        of_vertex.find(|memory| surface.holds(around, face(memory)))
    }

    /// What is remembered of a contact, under the name that it has now.
    pub(super) fn recall(&self, pair: &Pair, touching: &Point, around: &Around) -> Option<Memory> {
        let key: Key = pair.key(touching.name);
        match touching.name {
            Name::Sheet { .. } => {
                self.recall_sheet(pair, touching, around).map(|memory| Memory { key, ..*memory })
            }
            _ => self.remembered(key).copied(),
        }
    }

    /// Spots of points that touch another part of their body although nobody expected them.
    pub(super) fn missed_itself(
        &self,
        number: usize,
        surface: &MeshSurface,
        work: &mut Workspace,
    ) -> Vec<Spot> {
        let pair = &self.pairs[number];
        let first = self.spots.partition_point(|spot| spot.pair < number);
        let spots = &self.spots[first..];
        let spots = &spots[..spots.partition_point(|spot| spot.pair == number)];
        let mut missed = Vec::new();
        for (vertex, touching) in (0..).zip(&pair.points) {
            for (now, gap) in surface.gaps_to_itself(vertex, |_| None, work) {
                let same = |spot: &Spot| {
                    spot.point.node == touching.node && surface.holds(&spot.around, now.nearest)
                };
                if gap >= pair.penalty.thickness || spots.iter().any(same) {
                    continue;
                }
                let (_, v) = pair.state(touching, &self.start_q, &self.start_v, None);
                let margin = 2.0 * surface.approach(v, self.step) + pair.penalty.thickness;
                let facing = |around: &Around| self.recall_sheet(pair, touching, around)?.facing();
                let all = surface.meet_itself(vertex, margin, facing, work);
                let met = all.into_iter().find(|(around, _)| surface.holds(around, now.nearest));
                missed.extend(met.map(|met| self.sheet_spot(number, surface, touching, met)));
            }
        }
        missed
    }

    /// Energy of the contacts of a body with itself, as nodes are [J].
    pub(super) fn own_energy(&self, number: usize, surface: &MeshSurface) -> f64 {
        let pair = &self.pairs[number];
        let (mut sum, mut work) = (0.0, Workspace::default());
        for (vertex, touching) in (0..).zip(&pair.points) {
            let facing = |around: &Around| self.recall_sheet(pair, touching, around)?.facing();
            for (around, gap) in surface.gaps_to_itself(vertex, facing, &mut work) {
                sum += self.contact_energy(number, gap, self.recall_sheet(pair, touching, &around));
            }
        }
        sum
    }
}

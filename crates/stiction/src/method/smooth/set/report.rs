//! What is told of contacts after a step: to those who look at forces, and to those who count.

use super::ContactSet;
use crate::assembly::point;
use crate::body::BodyId;
use crate::contact::coulomb_residual::FrictionError;
use crate::contact::key::Name;
use crate::contact::levers::weights_near;
use crate::contact::record::Contact;
use crate::contact::smooth_surface::SmoothSurface;
use crate::contact::{ContactCounts, ContactReport};
use crate::math::Vector3;
use crate::method::smooth::guard::Guard;
use crate::method::smooth::pair::{Pair, PairSurface};
use crate::method::smooth::penalty::Penalty;
use crate::method::smooth::spot::{Geometry, Spot};

impl ContactSet {
    /// What is to be known after a step.
    pub(crate) fn report(&self) -> ContactReport {
        let gap = |spot: &&Spot| spot.geometry.gap;
        let nearest = self.spots.iter().min_by(|a, b| gap(a).total_cmp(&gap(b)));
        let inside = nearest.filter(|spot| gap(spot) < 0.0).map(|spot| spot.memory.key);
        let pushing = self.spots.iter().filter(|spot| spot.is_active());
        let guarded = || self.guard.iter().flat_map(Guard::pushing);
        let kinds = pushing.map(|spot| spot.memory.key.name.kind());
        let kinds: ContactCounts = kinds.chain(guarded().map(|(kind, _)| kind)).collect();
        let guarded = guarded().map(|(_, gap)| gap).fold(f64::INFINITY, f64::min);
        ContactReport {
            touching: kinds.total(),
            kinds,
            sliding: self.memory.iter().filter(|memory| memory.sliding).count(),
            friction: self
                .spots
                .iter()
                .map(Spot::friction_error)
                .fold(FrictionError::default(), FrictionError::or),
            smallest_gap: nearest.as_ref().map_or(f64::INFINITY, gap).min(guarded),
            overlap: inside.map(|key| key.bodies.map(BodyId)),
            stiffenings: self.stiffenings,
        }
    }

    /// Contacts that push or pull, at the end of the last step.
    pub(crate) fn contacts(&self, q: &[f64]) -> Vec<Contact> {
        let pushing = self.spots.iter().filter(|spot| spot.is_active());
        let guarded = self.guard.iter().flat_map(|guard| guard.contacts(q));
        pushing.map(|spot| self.contact(spot, q)).chain(guarded).collect()
    }

    fn contact(&self, spot: &Spot, q: &[f64]) -> Contact {
        let (key, felt) = (spot.memory.key, &spot.felt);
        let memory = self.remembered(key).unwrap_or(&spot.memory);
        let pair = &self.pairs[spot.pair];
        let place = match &pair.surface {
            PairSurface::Edges(crossings) if let Name::Edges(edges) = key.name => {
                crossings.place(edges, q).unwrap_or(spot.start)
            }
            PairSurface::MeshEdges(edges) if let Name::Edges(number) = key.name => {
                let pose = &self.poses[spot.pair];
                let place = edges.place(number, spot.around.side, q, q, pose);
                place.map_or(spot.start, |(place, _)| place)
            }
            _ => match (&spot.point.core, spot.point.node) {
                (Some(core), Some(_)) => core.center(&core.stand(q, q, None)),
                (_, node) => node.map_or(spot.start, |node| point(q, node as usize)),
            },
        };
        let place = place - felt.normal * spot.point.radius();
        // What is shown at vertices is shown at the nearest one, where no vertex touches.
        let nearest = |vertices: &[u32]| {
            let far = |v: usize| (point(q, vertices[v] as usize) - place).norm_squared();
            (0..vertices.len()).min_by(|&a, &b| far(a).total_cmp(&far(b))).unwrap_or(0)
        };
        let Geometry { nodes, own, .. } = &spot.geometry;
        // Frames that only turn feel a couple, which is no force.
        let moving = spot.geometry.spin.as_ref().map_or(nodes.len(), |spin| spin.moving);
        let forces = nodes.iter().enumerate().take(moving);
        let forces = forces.filter_map(|(k, node)| Some(((*node)?, spot.force(k))));
        let mut forces: Vec<(u32, Vector3)> = forces.collect();
        // A vertex of an obstacle has no node.
        let own = nodes[..*own].iter().flatten().count();
        let [of_points, of_surface] = &pair.vertices;
        let mut vertex = match key.name {
            Name::Vertex(number) | Name::Core(number) => number,
            Name::Sheet { vertex, .. } => vertex,
            _ => 0, // shown at the nearest one, below
        };
        let mut surface_vertex = None;
        // Of what does not deform: the same force and torque.
        let at_vertices = |nodes: &[u32], force: Vector3| {
            let parts = weights_near(place, nodes, q).into_iter();
            parts.map(|(node, weight)| (node, force * weight)).collect::<Vec<_>>()
        };
        let whole = |forces: &[(u32, Vector3)]| forces.iter().map(|(_, force)| force).sum();
        if matches!(pair.surface, PairSurface::Rigid(_) | PairSurface::Edges(_)) {
            let all = whole(&forces.split_off(own));
            surface_vertex = Some(nearest(of_surface) as u32);
            forces.extend(at_vertices(of_surface, all));
        }
        if let (PairSurface::MeshEdges(edges), Name::Edges(number)) = (&pair.surface, key.name) {
            let [first, second] = edges.shown(number, place, q);
            (vertex, surface_vertex) = (first.unwrap_or(0), second);
        } else if own > 1 {
            let all = whole(&forces[..own]);
            vertex = nearest(of_points) as u32;
            forces.splice(..own, at_vertices(of_points, all));
        }
        Contact {
            collider: BodyId(key.bodies[0]),
            vertex,
            surface: BodyId(key.bodies[1]),
            surface_vertex,
            point: place,
            gap: spot.geometry.gap,
            normal: felt.normal,
            normal_force: felt.normal_force,
            friction: -spot.geometry.along_surface(felt.normal, felt.total),
            slip_velocity: spot.geometry.along_surface(felt.normal, felt.slip_velocity),
            slid: memory.slid,
            sliding: memory.sliding,
            coefficient: pair.friction.coefficient,
            forces,
        }
    }

    /// What was chosen for each pair: points' body, surface's body, penalty.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = (BodyId, BodyId, Penalty)> {
        self.pairs.iter().map(|pair| (BodyId(pair.collider), BodyId(pair.body), pair.penalty))
    }

    /// Smooth surfaces that may be touched, each body once.
    pub(crate) fn surfaces(&self) -> impl Iterator<Item = (BodyId, SmoothSurface<'_>)> {
        let first = |(k, pair): (usize, &Pair)| {
            self.pairs[..k].iter().all(|other| other.body != pair.body).then_some(pair.body)
        };
        self.pairs.iter().enumerate().filter_map(move |(k, pair)| {
            let body = first((k, pair))?;
            Some((BodyId(body), pair.surface.smooth()?))
        })
    }
}

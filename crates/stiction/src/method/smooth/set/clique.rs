//! How forces of contacts change: a small dense matrix for each, over all the nodes that shape it.
//!
//! These matrices are large, a hundred kilobytes on a smooth surface, and each is wanted once. So they are found a
//! few at a time, in memory that stays in the cache, and handed on at once.

use rayon::prelude::*;

use super::ContactSet;
use super::look::View;
use crate::element::Projection;
use crate::math::Matrix3;
use crate::method::smooth::frame::Lever;
use crate::method::smooth::mesh_surface::{MeshSurface, Workspace};
use crate::method::smooth::pair::PairSurface;
use crate::method::smooth::rigid_surface::Seen;
use crate::method::smooth::spot::{Second, Spot, StageContext};
use crate::model::Clique;

/// What is to be found of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derivative {
    /// All of it.
    Exact,
    /// A part without friction that is positive semi-definite.
    Positive,
}

/// Contacts of a thread at a time.
const BATCH: usize = 4;

/// Memory to keep.
#[derive(Debug, Default)]
pub(super) struct Cliques {
    batches: Vec<(Workspace, [Clique; BATCH])>,
}

impl ContactSet {
    /// Calls `add` with the matrices of all contacts that act, in their order. To be called where contacts were last
    /// looked at.
    pub(crate) fn for_each_clique(
        &mut self,
        q: &[f64],
        v: &[f64],
        derivative: Derivative,
        mut add: impl FnMut(&Clique),
    ) {
        let mut memory = std::mem::take(&mut self.cliques);
        memory.batches.resize_with(rayon::current_num_threads(), Default::default);
        let movers = self.movers();
        let Self { spots, pairs, poses, start_poses, context, step, .. } = self;
        let view = View { pairs, start_poses, poses, movers: &movers, step: *step, q, v };
        let mut acting: Vec<&mut Spot> = spots.iter_mut().filter(|spot| spot.acts()).collect();
        for group in acting.chunks_mut(BATCH * memory.batches.len()) {
            let batches = group.par_chunks_mut(BATCH).zip(&mut memory.batches);
            batches.for_each(|(spots, (work, cliques))| {
                for (spot, clique) in spots.iter_mut().zip(cliques) {
                    match derivative {
                        Derivative::Exact => clique.find(spot, &view, context, work),
                        Derivative::Positive => clique.find_positive(spot, context),
                    }
                }
            });
            let cliques = memory.batches.iter().flat_map(|(_, cliques)| cliques);
            cliques.take(group.len()).for_each(&mut add);
        }
        self.cliques = memory;
        if let Some(guard) = &self.guard {
            let projection = match derivative {
                Derivative::Exact => Projection::Exact,
                Derivative::Positive => Projection::Positive,
            };
            // By velocities.
            let scale = self.context.beta * self.context.weight;
            guard.for_each_clique(projection, scale, add);
        }
    }
}

impl Clique {
    fn find(
        &mut self,
        spot: &mut Spot,
        view: &View<'_>,
        context: &StageContext,
        work: &mut Workspace,
    ) {
        view.geometry(spot, true, work);
        if spot.has_friction() {
            let n = spot.friction_normal();
            let sliding = spot.geometry.along_surface(n, spot.felt.total);
            let deforms = matches!(view.pairs[spot.pair].surface, PairSurface::Mesh(_));
            if deforms && spot.given.frozen.is_none() {
                if spot.point.core.is_some() {
                    MeshSurface::ball_spread_change(&spot.geometry, sliding, work);
                } else {
                    MeshSurface::spread_change(&spot.geometry, sliding, work);
                }
            }
            let Second { levers, force_change, .. } = &mut work.second;
            if let (PairSurface::MeshEdges(edges), None) =
                (&view.pairs[spot.pair].surface, &spot.given.frozen)
            {
                let seen = Seen { q: view.q, v: view.v, below: f64::INFINITY, mover: None };
                let pose = &view.poses[spot.pair];
                edges.spread_change(spot, &seen, pose, sliding, force_change);
            }
            if !levers.is_empty() && spot.given.frozen.is_none() {
                Lever::spread(levers, spot.geometry.nodes.len(), sliding, force_change);
            }
            if let (Some(spin), None) = (&spot.geometry.spin, &spot.given.frozen) {
                let normal_change = spot.normal_change(&work.second);
                let force_change = &mut work.second.force_change;
                spin.spread(n, spot.felt.total, &normal_change, force_change);
            }
            spot.differentiate(&work.second, context);
        }
        let couples = spot.is_active() && spot.has_friction();
        self.fill(spot, context.weight, |i, j| spot.jacobian(i, j, &work.second, context));
        self.couplings.clear();
        if couples {
            let each = (0..self.nodes.len()).map(|k| spot.coupling(k));
            self.couplings.extend(each.map(|[along, by]| [along * context.weight, by]));
        }
    }

    fn find_positive(&mut self, spot: &Spot, context: &StageContext) {
        self.fill(spot, context.weight, |i, j| spot.positive_jacobian(i, j, context));
        self.couplings.clear();
    }

    fn fill(&mut self, spot: &Spot, weight: f64, block: impl Fn(usize, usize) -> Matrix3) {
        self.nodes.clone_from(&spot.geometry.nodes);
        self.blocks.clear();
        for i in 0..self.nodes.len() {
            self.blocks.extend((0..self.nodes.len()).map(|j| block(i, j) * weight));
        }
    }
}

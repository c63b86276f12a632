//! Which points may touch during a step.

use super::ContactSet;
use crate::assembly::point;
use crate::contact::key::Name;
use crate::contact::obstacle::MovingPose;
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};
use crate::method::smooth::core::Core;
use crate::method::smooth::frame::{Frame, Stand};
use crate::method::smooth::memory::Memory;
use crate::method::smooth::mesh_edges::Found;
use crate::method::smooth::mesh_surface::{Around, Ball, Workspace};
use crate::method::smooth::pair::{Pair, PairSurface, Point};
use crate::method::smooth::spin::Spinning;
use crate::method::smooth::spot::{Felt, Geometry, Given, Spot, across};

/// A point of a pair in a state: where it is [m], and how fast [m/s].
pub(in crate::method::smooth) type Moving = (Vector3, Vector3);

impl Pair {
    /// Where a point is, and how fast.
    pub(in crate::method::smooth) fn state(
        &self,
        touching: &Point,
        q: &[f64],
        v: &[f64],
        mover: Option<&MovingPose>,
    ) -> Moving {
        match (touching.node, mover) {
            (Some(node), _) => (point(q, node as usize), point(v, node as usize)),
            (None, Some(pose)) => {
                let x = pose.to_world(touching.local);
                (x, pose.velocity_at(x))
            }
            (None, None) => (touching.local, Vector3::zeros()),
        }
    }

    /// Where the obstacle is that the points belong to, if they do.
    pub(in crate::method::smooth) fn mover_pose(&self, t: f64) -> Option<MovingPose> {
        self.mover.as_ref().map(|mover| mover.pose(t))
    }
}

impl ContactSet {
    /// A step of length `h` begins at time `t`: collects the points that may touch during it.
    pub(crate) fn begin(&mut self, t: f64, h: f64, q: &[f64], v: &[f64]) {
        (self.start, self.step) = (t, h);
        if let Some(guard) = &mut self.guard {
            guard.begin(q);
        }
        if self.pairs.is_empty() {
            return;
        }
        self.start_q.clear();
        self.start_q.extend_from_slice(q);
        self.start_v.clear();
        self.start_v.extend_from_slice(v);
        self.find_near((t, h), q, v);
        for (number, pair) in self.pairs.iter_mut().enumerate() {
            match &mut pair.surface {
                PairSurface::Mesh(_) if !self.near.follows(number) => {}
                PairSurface::Mesh(surface) => surface.begin(h, q, v),
                PairSurface::Rigid(surface) => surface.begin(q, v),
                PairSurface::Edges(crossings) => crossings.begin(q, v),
                PairSurface::MeshEdges(edges) => edges.begin(q, v, &edges.pose(t)),
                PairSurface::Obstacle(_) => {}
            }
            let Pair { spinning, mover, .. } = pair;
            if let Some(Spinning { frames, start, .. }) = spinning {
                let axes = |frame: &Frame| frame.stand(q, v).axes;
                let moved = || mover.as_ref().map_or_else(Matrix3::identity, |m| m.pose(t).axes);
                start[0] = frames[0].as_ref().map_or_else(moved, axes);
                start[1] = frames[1].as_ref().map_or_else(Matrix3::identity, axes);
            }
        }
        self.start_poses = self.pairs.iter().map(|pair| pair.surface.pose(t)).collect();
        self.poses.clone_from(&self.start_poses);
        let mut spots = Vec::new();
        let mut work = Workspace::default();
        for number in 0..self.pairs.len() {
            let pair = &self.pairs[number];
            if !self.near.holds(number) || self.are_apart(pair, q, v) {
                continue;
            }
            if let PairSurface::MeshEdges(edges) = &pair.surface {
                let reach = 2.0 * pair.range(true) + 1.25 * edges.approach(h);
                let found = edges.near_start(reach, |number| self.facing_of(pair, number));
                spots.extend(found.iter().map(|found| self.mesh_edge_spot(number, found)));
                continue;
            }
            if let Some(surface) = pair.own_surface() {
                self.expect_itself(number, surface, &mut work, &mut spots);
                continue;
            }
            let (mover, ending) = (pair.mover_pose(t), pair.surface.pose(t + h));
            let first = spots.len();
            for touching in &pair.points {
                let moving = pair.state(touching, q, v, mover.as_ref());
                spots.extend(self.expect(number, touching, moving, &ending, &mut work));
            }
            self.hide(number, &mut spots, first);
        }
        self.spots = spots;
        self.give_way();
    }

    /// Whether edges of two bodies cannot meet in the step.
    fn are_apart(&self, pair: &Pair, q: &[f64], v: &[f64]) -> bool {
        let PairSurface::Edges(crossings) = &pair.surface else { return false };
        let stands = crossings.stands(q, v);
        let way = crossings.approach(&crossings.started(q, v), self.step);
        crossings.are_apart(&stands, 2.0 * (way + pair.penalty.thickness))
    }

    /// A spot, if a point comes near a surface at the start or at the end of a step in which nothing disturbs it.
    fn expect(
        &self,
        number: usize,
        touching: &Point,
        (x, v): Moving,
        ending: &MovingPose,
        work: &mut Workspace,
    ) -> Option<Spot> {
        let pair = &self.pairs[number];
        let ahead = x + v * self.step;
        let range = pair.range(true);
        match &pair.surface {
            PairSurface::Obstacle(surface) => {
                let start = &self.start_poses[number];
                let way = (ahead - ending.to_world(start.to_local(x))).norm();
                let reach = 2.0 * range + 0.25 * way;
                let distance = |pose: &MovingPose, x: Vector3| {
                    let jet = surface.distance(pose, x)?;
                    Some(Jet { value: jet.value - touching.radius(), ..jet })
                };
                let jet = distance(start, x);
                let near = |jet: &Jet| jet.value < reach;
                if !jet.as_ref().is_some_and(near)
                    && !distance(ending, ahead).as_ref().is_some_and(near)
                {
                    return None;
                }
                let found = jet.map(found);
                let velocity = match (&touching.core, &found) {
                    (Some(core), Some((_, n))) => {
                        let place = x - n * core.radius;
                        self.core_at_start(pair, core).velocity_at(place) - start.velocity_at(place)
                    }
                    _ => v - start.velocity_at(x),
                };
                Some(self.spot(number, touching, x, velocity, found, Around::default()))
            }
            PairSurface::Rigid(surface) => {
                let start = surface.started(&self.start_q, &self.start_v);
                let (distance, normal) = surface.gap(&start, x);
                let gap = distance - touching.radius();
                let place = x - normal * touching.radius();
                let own = touching
                    .core
                    .map_or(v, |core| self.core_at_start(pair, &core).velocity_at(place));
                let velocity = own - start.velocity_at(place);
                let way = velocity.norm().max((v - start.velocity_at(x)).norm()) * self.step;
                if gap >= 2.0 * range + 1.25 * way {
                    return None;
                }
                let found = Some((gap, normal));
                Some(self.spot(number, touching, x, velocity, found, Around::default()))
            }
            PairSurface::Edges(crossings) => {
                let stands = crossings.started(&self.start_q, &self.start_v);
                let reach = 2.0 * range + 1.25 * crossings.approach(&stands, self.step);
                let Name::Edges(edges) = touching.name else { return None };
                let (gap, normal, side) = crossings.gap(edges, &stands, reach)?;
                Some(self.edge_spot(number, touching, (gap, normal, side)))
            }
            PairSurface::MeshEdges(_) => None, // found by themselves
            PairSurface::Mesh(surface) => {
                let facing = self.facing(pair, touching);
                let ball =
                    touching.core.map(|core| Ball::new(core, self.core_at_start(pair, &core)));
                let v = ball.map_or(v, |ball| ball.velocity());
                let way = surface.approach(v, self.step);
                let reach = 2.0 * range + 0.25 * way;
                let (around, found) = match &ball {
                    Some(ball) => surface.meet_ball(ball, reach + way, facing, work)?,
                    None => surface.meet(x, reach + way, facing, work)?,
                };
                // Beyond its reach the surface has no gap, but it is not nearer than that.
                if found.is_some_and(|(gap, _)| gap - way >= reach) {
                    return None;
                }
                let own = touching
                    .core
                    .map_or(v, |core| self.core_at_start(pair, &core).velocity_at(around.found_at));
                let velocity = own - surface.velocity_at(&around);
                let x = ball.map_or(x, |ball| ball.center());
                Some(self.spot(number, touching, x, velocity, found, around))
            }
        }
    }

    /// Where something round is at the start of the step.
    fn core_at_start(&self, pair: &Pair, core: &Core) -> Stand {
        let mover = pair.mover_pose(self.start);
        core.stand(&self.start_q, &self.start_v, mover.as_ref())
    }

    /// A spot of two edges, with gap, normal and the sign of it.
    fn edge_spot(
        &self,
        number: usize,
        touching: &Point,
        (gap, normal, side): (f64, Vector3, f64),
    ) -> Spot {
        let pair = &self.pairs[number];
        let (mut x, mut velocity) = (Vector3::zeros(), Vector3::zeros());
        if let PairSurface::Edges(crossings) = &pair.surface
            && let Name::Edges(edges) = touching.name
            && let Some(place) = crossings.place(edges, &self.start_q)
        {
            let [a, b] = crossings.started(&self.start_q, &self.start_v);
            (x, velocity) = (place, a.velocity_at(place) - b.velocity_at(place));
        }
        let around = Around { side, ..Around::default() };
        self.spot(number, touching, x, velocity, Some((gap, normal)), around)
    }

    /// A spot of two edges of meshes.
    fn mesh_edge_spot(&self, number: usize, found: &Found) -> Spot {
        let pair = &self.pairs[number];
        let &Found { edges, gap, normal, sign } = found;
        let (mut x, mut velocity) = (Vector3::zeros(), Vector3::zeros());
        let mut mass = pair.mass;
        if let PairSurface::MeshEdges(all) = &pair.surface {
            let pose = &self.start_poses[number];
            let place = all.place(edges, sign, &self.start_q, &self.start_v, pose);
            (x, velocity) = place.unwrap_or((x, velocity));
            mass = 1.0 / all.mobility(edges, sign, &self.masses, pair.mass);
        }
        let around = Around { side: sign, ..Around::default() };
        let touching = Point::of_edges(edges);
        let spot = self.spot(number, &touching, x, velocity, Some((gap, normal)), around);
        Spot { mass: mass.max(f64::MIN_POSITIVE), ..spot }
    }

    /// The gap that counts as zero for a contact that begins at a gap [m].
    pub(super) fn first_offset(&self, pair: &Pair, gap: f64) -> f64 {
        match &pair.surface {
            // Edges that turned towards each other while they were near begin without a blow.
            PairSurface::Edges(_) | PairSurface::MeshEdges(_) if !self.rough => {
                (gap - pair.penalty.thickness).min(0.0)
            }
            _ => gap.min(0.0),
        }
    }

    pub(super) fn spot(
        &self,
        number: usize,
        touching: &Point,
        x: Vector3,
        velocity: Vector3,
        found: Option<(f64, Vector3)>,
        around: Around,
    ) -> Spot {
        /// A gap that shrinks by more than this between steps is that of another part of the surface; in thicknesses.
        const JUMP: f64 = 0.5;
        let pair = &self.pairs[number];
        let key = pair.key(touching.name);
        let (gap, normal) = found.unwrap_or((f64::INFINITY, Vector3::y()));
        let mut memory = self.recall(pair, touching, &around).unwrap_or_else(|| {
            let spin = pair.spinning.map_or(0.0, |spinning| {
                spinning.length * normal.dot(&self.start_spin(number, &spinning))
            });
            let slip = (across(normal, velocity) + normal * spin) * self.step;
            // What starts near enough is held from the start.
            let bonded = pair.bond.is_some() && gap < pair.penalty.thickness;
            let offset = self.first_offset(pair, gap);
            Memory { slip, bonded, offset, ..Memory::born(key, normal, gap) }
        });
        let jump = gap - memory.gap;
        if jump < -JUMP * pair.penalty.thickness {
            // What nobody pushed in begins inside once more, and comes out without a blow.
            memory.offset = (memory.offset + jump).min(0.0);
        }
        let mass = match (touching.core, touching.node) {
            (None, Some(node)) => self.masses[node as usize],
            _ => pair.mass,
        };
        Spot {
            pair: number,
            coupled: gap < pair.range(memory.bonded),
            memory,
            point: *touching,
            start: x,
            start_axes: touching
                .core
                .map_or_else(Matrix3::identity, |core| self.core_at_start(pair, &core).axes),
            start_gap: gap,
            around,
            waits: false,
            mass: mass.max(f64::MIN_POSITIVE),
            given: Given::default(),
            middle: None,
            rotation: Matrix3::identity(),
            geometry: Geometry::default(),
            felt: Felt::default(),
        }
    }

    /// Angular velocity of A relative to B at the start of the step [rad/s].
    fn start_spin(&self, number: usize, spinning: &Spinning) -> Vector3 {
        let mover = self.pairs[number].mover_pose(self.start);
        let obstacles =
            [mover.map_or_else(Vector3::zeros, |m| m.spin), self.start_poses[number].spin];
        let [a, b] = [0, 1].map(|side| match &spinning.frames[side] {
            Some(frame) => frame.stand(&self.start_q, &self.start_v).spin(),
            None => obstacles[side],
        });
        a - b
    }

    /// Where B looked when two edges last touched, if they do.
    pub(super) fn facing_of(&self, pair: &Pair, edges: [u32; 2]) -> Option<Vector3> {
        self.remembered(pair.key(Name::Edges(edges)))?.facing()
    }

    /// Where the surface looked when a point last touched it, if it does.
    fn facing(&self, pair: &Pair, touching: &Point) -> Option<Vector3> {
        self.remembered(pair.key(touching.name))?.facing()
    }

    /// Adds points that came to touch although nobody expected them, and looks around again for points that have
    /// strayed from where they were expected. Says whether there were any.
    pub(crate) fn add_missed(&mut self, q: &[f64], v: &[f64]) -> bool {
        self.find_nearer(q, v);
        let mut work = Workspace::default();
        let (mut missed, mut own) = (Vec::new(), Vec::new());
        let mut known = self.spots.iter().map(|spot| (spot.pair, spot.memory.key.name)).peekable();
        for (number, pair) in self.pairs.iter().enumerate() {
            if !self.near.holds(number) || self.are_apart(pair, q, v) {
                continue;
            }
            // Of pairs that were passed over.
            while known.next_if(|(pair, _)| *pair < number).is_some() {}
            if let PairSurface::MeshEdges(edges) = &pair.surface {
                let (pose, thickness) = (&self.poses[number], pair.penalty.thickness);
                let all = edges.near_now(q, pose, thickness, |e| self.facing_of(pair, e));
                let of_pair = self.spots.partition_point(|spot| spot.pair < number);
                let spots = &self.spots[of_pair..];
                let spots = &spots[..spots.partition_point(|spot| spot.pair == number)];
                for found in all.into_iter().filter(|found| found.gap < thickness) {
                    let name = Name::Edges(found.edges);
                    if spots.binary_search_by_key(&name, |s| s.point.name).is_err() {
                        missed.push((number, Point::of_edges(found.edges), found.sign));
                    }
                }
                continue;
            }
            if let Some(surface) = pair.own_surface() {
                own.extend(self.missed_itself(number, surface, &mut work));
                continue;
            }
            let mover = pair.mover_pose(self.context.time);
            for touching in &pair.points {
                if known.next_if_eq(&(number, touching.name)).is_some() {
                    continue;
                }
                let (x, _) = pair.state(touching, q, v, mover.as_ref());
                if let Some(side) = self.touches(number, touching, x, q, &mut work)
                    && (touching.core.is_some() || !self.was_hidden(number, touching))
                {
                    missed.push((number, *touching, side));
                }
            }
        }
        let any = !missed.is_empty() || !own.is_empty();
        let unexpected = |(number, touching, side): &(usize, Point, f64)| {
            self.unexpected(*number, touching, *side, &mut work)
        };
        let missed: Vec<Spot> = missed.iter().map(unexpected).chain(own).collect();
        for spot in missed {
            let place = |spot: &Spot| (spot.pair, spot.memory.key.name);
            let at = self.spots.partition_point(|other| place(other) < place(&spot));
            self.spots.insert(at, spot);
        }
        any | self.look_around_again(q, v)
    }

    /// The side of a point that is inside the layer, as surfaces are now: that of edges that cross, or the front.
    fn touches(
        &self,
        number: usize,
        touching: &Point,
        x: Vector3,
        q: &[f64],
        work: &mut Workspace,
    ) -> Option<f64> {
        let pair = &self.pairs[number];
        let thickness = pair.penalty.thickness;
        let gap = match &pair.surface {
            PairSurface::Obstacle(surface) => {
                surface.distance(&self.poses[number], x).map(|jet| jet.value - touching.radius())
            }
            PairSurface::Mesh(surface) => match touching.core {
                Some(core) => {
                    let mover = pair.mover_pose(self.context.time);
                    let ball = Ball::new(core, core.stand(q, q, mover.as_ref()));
                    surface.ball_gap_now(&ball, None, work)
                }
                None => surface.gap_now(x, None, work),
            },
            PairSurface::Rigid(surface) => {
                Some(surface.gap(&surface.stand(q), x).0 - touching.radius())
            }
            PairSurface::Edges(crossings) => {
                let Name::Edges(edges) = touching.name else { return None };
                let stands = crossings.stands(q, q);
                let (gap, _, side) = crossings.gap(edges, &stands, thickness)?;
                return (gap < thickness).then_some(side);
            }
            PairSurface::MeshEdges(_) => None, // found by themselves
        };
        gap.is_some_and(|gap| gap < thickness).then_some(1.0)
    }

    /// A spot for a point that nobody expected.
    fn unexpected(&self, number: usize, touching: &Point, side: f64, work: &mut Workspace) -> Spot {
        let pair = &self.pairs[number];
        let mover = pair.mover_pose(self.start);
        let (x, v) = pair.state(touching, &self.start_q, &self.start_v, mover.as_ref());
        match &pair.surface {
            PairSurface::Obstacle(surface) => {
                let found = surface.distance(&self.start_poses[number], x).map(found);
                let found = found.map(|(gap, n)| (gap - touching.radius(), n));
                self.spot(number, touching, x, Vector3::zeros(), found, Around::default())
            }
            PairSurface::Rigid(surface) => {
                let start = surface.started(&self.start_q, &self.start_v);
                let (distance, normal) = surface.gap(&start, x);
                let found = Some((distance - touching.radius(), normal));
                self.spot(number, touching, x, Vector3::zeros(), found, Around::default())
            }
            PairSurface::Edges(crossings) => {
                let stands = crossings.started(&self.start_q, &self.start_v);
                let found = match touching.name {
                    Name::Edges(edges) => crossings.gap_on(edges, &stands, side),
                    _ => None,
                };
                let (gap, normal) = found.unwrap_or((f64::INFINITY, Vector3::y()));
                self.edge_spot(number, touching, (gap, normal, side))
            }
            PairSurface::MeshEdges(all) => {
                let edges = match touching.name {
                    Name::Edges(edges) => edges,
                    _ => [0; 2], // it has edges alone
                };
                let found = all.started_on(edges, side);
                let (gap, normal) = found.unwrap_or((f64::INFINITY, Vector3::y()));
                self.mesh_edge_spot(number, &Found { edges, gap, normal, sign: side })
            }
            PairSurface::Mesh(surface) => {
                let margin = 2.0 * surface.approach(v, self.step) + pair.penalty.thickness;
                let facing = self.facing(pair, touching);
                let ball =
                    touching.core.map(|core| Ball::new(core, self.core_at_start(pair, &core)));
                let met = match &ball {
                    Some(ball) => surface.meet_ball(ball, margin, facing, work),
                    None => surface.meet(x, margin, facing, work),
                };
                let x = ball.map_or(x, |ball| ball.center());
                let far = || (Around { margin, found_at: x, ..Around::default() }, None);
                let (around, found) = met.unwrap_or_else(far);
                self.spot(number, touching, x, Vector3::zeros(), found, around)
            }
        }
    }

    /// Finds samples anew for points that have left where they were expected.
    fn look_around_again(&mut self, q: &[f64], v: &[f64]) -> bool {
        let Self { spots, pairs, context, .. } = self;
        let (mut any, mut work) = (false, Workspace::default());
        for spot in spots {
            let pair = &pairs[spot.pair];
            let PairSurface::Mesh(surface) = &pair.surface else { continue };
            let mover = pair.mover_pose(context.time);
            let mut x = pair.state(&spot.point, q, v, mover.as_ref()).0;
            if let Some(core) = spot.point.core {
                let ball = Ball::new(core, core.stand(q, v, mover.as_ref()));
                x = surface.ball_place(&ball, &spot.around, &mut work);
            }
            if spot.geometry.exists && surface.strayed(x, &spot.around) {
                let margin = 2.0 * spot.around.margin + (x - spot.around.found_at).norm();
                let Around { side, nearest, ref anchor, .. } = spot.around;
                if let Some(vertex) = pair.own_vertex(&spot.point) {
                    if let Some(wider) = surface.sheet_of(vertex, nearest, margin) {
                        any = true;
                        spot.around = Around { side, anchor: anchor.clone(), ..wider };
                    }
                    continue;
                }
                let mut wider = spot.around.clone();
                // The round have their start elsewhere, in their middle.
                any |= surface.around(spot.around.found_at, margin, &mut wider);
                spot.around = wider;
            }
        }
        any
    }
}

/// Gap and normal of a point at an obstacle.
fn found(jet: Jet) -> (f64, Vector3) {
    (jet.value, jet.gradient.try_normalize(1e-9).unwrap_or_else(Vector3::y))
}

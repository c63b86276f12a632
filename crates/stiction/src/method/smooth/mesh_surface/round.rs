//! Round things on a surface through a mesh: a ball by its centre, wherever between vertices it touches.
//!
//! With `F` the field of the surface, a ball of radius `ϱ` about `c` has the gap of its deepest point,
//!
//! $$ d = \min_{|u| = 1} F(c + \varrho u), \qquad x = c + \varrho u, \qquad \partial d = \partial F(x) $$
//!
//! since `F` does not change along the ball there, to first order. With `M = (F_xx, F_xp)` over centre and mesh,
//! and `T` two tangents of the ball at `x`, place and slope change by
//!
//! $$ dx = dc - \varrho^2 K M\, dq, \qquad \partial^2 d = \partial^2 F - \varrho^2 M^T K M, \qquad
//!    K = T \bigl( T^T (\varrho^2 F_{xx} + \varrho |F_x|) T \bigr)^{-1} T^T $$
//!
//! Friction acts at `x` on both: on the material of the body by its [frame](crate::method::smooth::frame), on that
//! of the mesh by its [carrier](crate::method::smooth::carrier). Slip by position is that of two [frames](carried).

mod carried;

use carried::Carried;

use super::{Around, Looking, MeshSurface, Samples, Workspace};
use crate::geometry::closest::weights_on_triangle;
use crate::geometry::implicit::{FieldJet, Order};
use crate::math::{Matrix3, Vector3};
use crate::mesh::triangle_normal;
use crate::method::smooth::carrier::Anchor;
use crate::method::smooth::core::Core;
use crate::method::smooth::frame::Stand;
use crate::method::smooth::spot::Geometry;

/// What else is known around something round.
#[derive(Clone, Debug)]
pub(crate) struct Rounded {
    /// From the centre to where it touches at the start of the step, of length one.
    pub(crate) way: Vector3,
    /// Nodes of its frame at the start, as the mesh carries them; empty if nothing does.
    hats: [Anchor; 4],
}

/// Something round in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    core: Core,
    stand: Stand,
}

/// Derivatives that forces of friction need as well.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundWork {
    /// `∂x/∂q`.
    by_place: Vec<Matrix3>,
    /// `∂μ_i/∂q` [1/m].
    levers: [Vec<Vector3>; 3],
}

impl Ball {
    pub(crate) fn new(core: Core, stand: Stand) -> Self {
        Self { core, stand }
    }

    /// [m].
    pub(crate) fn center(&self) -> Vector3 {
        self.core.center(&self.stand)
    }

    /// Velocity of its centre [m/s].
    pub(crate) fn velocity(&self) -> Vector3 {
        self.stand.velocity_at(self.center())
    }

    /// Weights of its nodes in its centre.
    fn weights(&self) -> [f64; 4] {
        self.core.frame.map_or([1.0, 0.0, 0.0, 0.0], |_| self.stand.weights(self.core.local))
    }

    /// Its nodes in the world [m].
    fn nodes(&self) -> [Vector3; 4] {
        let tip = |i: usize| self.stand.origin + self.stand.axes.column(i) * self.stand.arm;
        [self.stand.origin, tip(0), tip(1), tip(2)]
    }

    /// The leading point of it, given a way [m].
    pub(crate) fn leading(&self, way: Vector3) -> Vector3 {
        self.center() + way * self.core.radius
    }
}

impl MeshSurface {
    /// What is around a ball at the start of a step, and its gap and normal; as [`MeshSurface::meet`] for points.
    pub(crate) fn meet_ball(
        &self,
        ball: &Ball,
        margin: f64,
        facing: Option<Vector3>,
        work: &mut Workspace,
    ) -> Option<(Around, Option<(f64, Vector3)>)> {
        let (mut around, way) = self.around_ball(ball, margin, facing)?;
        let met = self.deepest(ball, &around, way, &mut work.jet);
        let x = met.map_or_else(|| ball.leading(way), |(x, _)| x);
        around.found_at = x;
        let found = self.gap(x, &around, work).filter(|_| met.is_some());
        self.hold(x, &mut around, work);
        let nodes = ball.nodes();
        let hats = nodes.map(|node| around.anchor.holding(node, &self.start));
        around.round = Some(Box::new(Rounded { way, hats }));
        Some((around, found))
    }

    /// The gap of a ball as the surface is now.
    pub(crate) fn ball_gap_now(
        &self,
        ball: &Ball,
        facing: Option<Vector3>,
        work: &mut Workspace,
    ) -> Option<f64> {
        let (around, way) = self.around_ball(ball, 0.0, facing)?;
        let (x, _) = self.deepest(ball, &around, way, &mut work.jet)?;
        Some(self.gap(x, &around, work)?.0)
    }

    /// Samples near the place of a mesh that is nearest to a ball, the side it is on, and the way there.
    fn around_ball(
        &self,
        ball: &Ball,
        margin: f64,
        facing: Option<Vector3>,
    ) -> Option<(Around, Vector3)> {
        let (center, radius) = (ball.center(), ball.core.radius);
        let reach = radius + margin;
        if !self.bounds.is_near(&center, self.radius() + reach) {
            return None;
        }
        let mut faces = Vec::new();
        match &self.samples {
            Samples::Faces { .. } => self.field.candidates(&center, reach, &mut faces),
            Samples::Vertices { faces: search, .. } => {
                search.within(&center, self.radius() + reach, &mut faces);
            }
        }
        let mut nearest: Option<(f64, Vector3, Vector3)> = None;
        for &face in faces.iter().filter(|&&face| self.steady[face as usize]) {
            let corners = self.triangles[face as usize].map(|v| self.positions[v as usize]);
            let Some(normal) = triangle_normal(&corners) else { continue };
            let shares = weights_on_triangle(&corners, center);
            let foot = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
            let away = center - foot;
            let far = away.norm_squared();
            if nearest.is_none_or(|(least, ..)| far < least) {
                nearest = Some((far, away, normal));
            }
        }
        let (_, away, normal) = nearest?;
        let behind = self.two_sided && normal.dot(&facing.unwrap_or(away)) < 0.0;
        let side = if behind { -1.0 } else { 1.0 };
        let out = away.try_normalize(1e-9).filter(|out| out.dot(&normal) * side > 0.0);
        let way = -out.unwrap_or(normal * side);
        let mut around = Around::default();
        if !self.around(center + way * radius, margin, &mut around) {
            return None;
        }
        around.side = side;
        Some((around, way))
    }

    /// The point of a ball that is deepest in the surface, from a way on, and the way to it.
    fn deepest(
        &self,
        ball: &Ball,
        around: &Around,
        way: Vector3,
        jet: &mut FieldJet,
    ) -> Option<(Vector3, Vector3)> {
        /// Steps of Newton's method, and halvings of each.
        const MOST: [usize; 2] = [40, 12];
        /// Changes of the way that are rounding.
        const SMALL: f64 = 1e-14;
        let (center, radius) = (ball.center(), ball.core.radius);
        let at = |u: Vector3, jet: &mut FieldJet| {
            let found = self.field.point_jet_among(&(center + u * radius), &around.samples, jet)?;
            Some((
                found.value * around.side,
                found.gradient * around.side,
                found.hessian * around.side,
            ))
        };
        let mut u = way;
        let (mut value, mut slope, mut bend) = at(u, jet)?;
        for _ in 0..MOST[0] {
            let along = slope - u * u.dot(&slope);
            let newton = -(inverse_bend(u, radius, slope, &bend).unwrap_or_else(Matrix3::zeros)
                * along)
                * radius;
            let steep = -along / slope.norm().max(1e-9);
            let mut step = if newton.dot(&along) < 0.0 { newton } else { steep };
            if step.norm() > 0.5 {
                step *= 0.5 / step.norm();
            }
            if step.norm() <= SMALL {
                break;
            }
            let mut moved = false;
            for _ in 0..MOST[1] {
                let next = (u + step).normalize();
                // Near the end values differ by rounding alone.
                if let Some(found) = at(next, jet)
                    && (found.0 < value || step.norm() < 1e-6)
                {
                    (u, value, slope, bend) = (next, found.0, found.1, found.2);
                    moved = true;
                    break;
                }
                step *= 0.5;
            }
            if !moved {
                break;
            }
        }
        Some((center + u * radius, u))
    }

    /// Where a ball touches, or would [m].
    pub(crate) fn ball_place(&self, ball: &Ball, around: &Around, work: &mut Workspace) -> Vector3 {
        let way = around.round.as_ref().map_or_else(Vector3::zeros, |round| round.way);
        let met = self.deepest(ball, around, way, &mut work.jet);
        met.map_or_else(|| ball.leading(way), |(x, _)| x)
    }

    /// Gap and, where it is below `at.below`, slip and derivatives of a ball.
    pub(crate) fn look_ball(
        &self,
        geometry: &mut Geometry,
        around: &Around,
        ball: &Ball,
        at: &Looking,
        work: &mut Workspace,
    ) {
        geometry.nothing();
        work.second.clear();
        let Some(round) = &around.round else { return };
        let Some((x, u)) = self.deepest(ball, around, round.way, &mut work.jet) else { return };
        let order = if at.second { Order::Second } else { Order::First };
        if !self.field.jet(&x, &around.samples, order, &mut work.jet) {
            return;
        }
        geometry.gap = work.jet.value * around.side;
        if geometry.gap >= at.below {
            return;
        }
        geometry.exists = true;
        geometry.own = 4;
        if at.friction {
            let faces = self.faces(around);
            work.carrier.find(&x, self.radius(), &self.positions, &self.triangles, faces);
        }
        self.number_ball(geometry, ball, around, at.friction, work);
        let (count, weights) = (geometry.nodes.len(), ball.weights());
        geometry.gradient.resize(count, Vector3::zeros());
        let slope = work.jet.gradient[0] * around.side;
        for (gradient, weight) in geometry.gradient.iter_mut().zip(weights) {
            *gradient = slope * weight;
        }
        for (from, &to) in work.of_field.iter().enumerate() {
            geometry.gradient[to] = work.jet.gradient[from + 1] * around.side;
        }
        if at.second {
            work.bend_ball(weights, (u, ball.core.radius), around.side, count);
        }
        if at.friction {
            self.slide_ball(geometry, (around, round), (ball, x), at, work);
        }
    }

    /// Makes one stencil: nodes of the ball, then vertices of gap, slip and anchors.
    fn number_ball(
        &self,
        geometry: &mut Geometry,
        ball: &Ball,
        around: &Around,
        friction: bool,
        work: &mut Workspace,
    ) {
        let Workspace { jet, carrier, vertices, of_field, of_carrier, of_anchor, .. } = work;
        vertices.clear();
        vertices.extend_from_slice(&jet.vertices);
        if friction {
            vertices.extend_from_slice(carrier.vertices());
            vertices.extend_from_slice(around.anchor.vertices());
        }
        vertices.sort_unstable();
        vertices.dedup();
        geometry.nodes.extend(ball.core.nodes());
        geometry.nodes.extend(vertices.iter().map(|&v| Some(self.nodes[v as usize])));
        let places = |list: &[u32], places: &mut Vec<usize>| {
            places.clear();
            let place = |v: &u32| vertices.binary_search(v).expect("in the union") + 4;
            places.extend(list.iter().map(place));
        };
        places(&jet.vertices, of_field);
        if friction {
            places(carrier.vertices(), of_carrier);
            places(around.anchor.vertices(), of_anchor);
        }
    }

    fn slide_ball(
        &self,
        geometry: &mut Geometry,
        (around, round): (&Around, &Rounded),
        (ball, x): (&Ball, Vector3),
        at: &Looking,
        work: &mut Workspace,
    ) {
        let count = geometry.nodes.len();
        let Workspace {
            carrier,
            velocities,
            blocks,
            of_carrier,
            of_anchor,
            second,
            round: own,
            ..
        } = work;
        let stand = &ball.stand;
        velocities.clear();
        velocities.push(stand.velocity_at(x));
        velocities.extend(carrier.vertices().iter().map(|&v| self.velocities[v as usize]));
        let nobody = carrier.vertices().is_empty();
        geometry.velocity =
            if nobody { velocities[0] } else { carrier.relative_velocity(velocities) };
        geometry.slip.resize(count, Matrix3::zeros());
        for (block, weight) in geometry.slip.iter_mut().zip(stand.weights(stand.to_local(x))) {
            *block = Matrix3::from_diagonal_element(weight);
        }
        if !nobody {
            for (from, &to) in of_carrier.iter().enumerate() {
                geometry.slip[to] = carrier.operator()[from + 1];
            }
        }
        let held =
            (!around.anchor.is_empty()).then(|| Carried::new(&self.positions, ball, round, x));
        geometry.displacement = match &held {
            Some(carried) => carried.slip(),
            None => geometry.velocity * at.step,
        };
        if !at.second {
            return;
        }
        own.find_levers(stand, x);
        second.slip_change.resize(count, Matrix3::zeros());
        if !nobody {
            carrier.relative_velocity_change(velocities, blocks);
            for (to, by_place) in own.by_place.iter().enumerate() {
                second.slip_change[to] = blocks[0] * by_place;
            }
            for (from, &to) in of_carrier.iter().enumerate() {
                second.slip_change[to] += blocks[from + 1];
            }
        }
        for (i, lever) in own.levers.iter().enumerate() {
            let rate = stand.velocities[i + 1] - stand.velocities[0];
            for (block, change) in second.slip_change.iter_mut().zip(lever) {
                *block += rate * change.transpose();
            }
        }
        match held {
            Some(carried) => {
                carried.differentiate(&self.positions, round, (of_anchor, &own.by_place), second);
            }
            // Nothing held it at the start: it slips as fast as it does now.
            None => second.carried.clone_from(&geometry.slip),
        }
    }

    /// How the spread of a traction changes, at the ball last looked at.
    pub(crate) fn ball_spread_change(geometry: &Geometry, traction: Vector3, work: &mut Workspace) {
        let Workspace { carrier, blocks, of_carrier, second, round, .. } = work;
        let (count, size) = (geometry.nodes.len(), of_carrier.len() + 1);
        second.force_change.resize(count * count, Matrix3::zeros());
        for (i, lever) in round.levers.iter().enumerate() {
            for (n, change) in lever.iter().enumerate() {
                let block = traction * change.transpose();
                second.force_change[(i + 1) * count + n] += block;
                second.force_change[n] -= block;
            }
        }
        if carrier.vertices().is_empty() {
            return;
        }
        carrier.spread_change(&traction, blocks);
        for (i, &row) in of_carrier.iter().enumerate() {
            let from = (i + 1) * size;
            for (n, by_place) in round.by_place.iter().enumerate() {
                second.force_change[row * count + n] += blocks[from] * by_place;
            }
            for (j, &column) in of_carrier.iter().enumerate() {
                second.force_change[row * count + column] += blocks[from + j + 1];
            }
        }
    }
}

impl Workspace {
    /// Second derivatives of the gap of a ball, and how the place changes where it touches.
    fn bend_ball(
        &mut self,
        weights: [f64; 4],
        (u, radius): (Vector3, f64),
        side: f64,
        count: usize,
    ) {
        let Self { jet, of_field, second, round, .. } = self;
        let size = of_field.len() + 1;
        let block = |i: usize, j: usize| jet.hessian[i * size + j] * side;
        let (slope, bend) = (jet.gradient[0] * side, block(0, 0));
        let inverse = inverse_bend(u, radius, slope, &bend).unwrap_or_else(Matrix3::zeros);
        let inverse = inverse * (radius * radius);
        // M over the stencil.
        let mut turns = vec![Matrix3::zeros(); count];
        for (turn, weight) in turns.iter_mut().zip(weights) {
            *turn = bend * weight;
        }
        for (from, &to) in of_field.iter().enumerate() {
            turns[to] = block(0, from + 1);
        }
        let RoundWork { by_place, .. } = round;
        by_place.clear();
        by_place.extend(turns.iter().map(|turn| -(inverse * turn)));
        for (by, weight) in by_place.iter_mut().zip(weights) {
            *by += Matrix3::from_diagonal_element(weight);
        }
        second.hessian.resize(count * count, Matrix3::zeros());
        for (i, a) in weights.into_iter().enumerate() {
            for (j, b) in weights.into_iter().enumerate() {
                second.hessian[i * count + j] = bend * (a * b);
            }
            for (from, &to) in of_field.iter().enumerate() {
                second.hessian[i * count + to] = block(0, from + 1) * a;
                second.hessian[to * count + i] = block(from + 1, 0) * a;
            }
        }
        for (i, &row) in of_field.iter().enumerate() {
            for (j, &column) in of_field.iter().enumerate() {
                second.hessian[row * count + column] = block(i + 1, j + 1);
            }
        }
        for (a, row) in turns.iter().zip(second.hessian.chunks_exact_mut(count)) {
            let half = a.tr_mul(&inverse);
            row.iter_mut().zip(&turns).for_each(|(block, b)| *block -= half * b);
        }
    }
}

impl RoundWork {
    /// `∂μ_i = (e_i·(∂x − ∂o) + (x − o)·∂e_i)/a`.
    fn find_levers(&mut self, stand: &Stand, x: Vector3) {
        let Self { by_place, levers } = self;
        let from = (x - stand.origin) / stand.arm;
        for (i, lever) in levers.iter_mut().enumerate() {
            let axis = stand.axes.column(i).into_owned();
            lever.clear();
            lever.extend(by_place.iter().map(|by| by.tr_mul(&axis) / stand.arm));
            lever[0] -= (axis + from) / stand.arm;
            lever[i + 1] += from / stand.arm;
        }
    }
}

/// `K` of a point `u` of a ball in a field with this slope and bend; nothing where it is no minimum.
fn inverse_bend(u: Vector3, radius: f64, slope: Vector3, bend: &Matrix3) -> Option<Matrix3> {
    let first = if u.x.abs() < 0.6 { Vector3::x() } else { Vector3::y() };
    let first = first.cross(&u).normalize();
    let second = u.cross(&first);
    let along = -radius * u.dot(&slope);
    let of = |a: &Vector3, b: &Vector3| radius * radius * a.dot(&(bend * b));
    let (a, b, c) = (of(&first, &first) + along, of(&first, &second), of(&second, &second) + along);
    let det = a * c - b * b;
    if !(det > 1e-12 * along * along && a > 0.0) {
        return None;
    }
    let cross = first * second.transpose() + second * first.transpose();
    Some((first * first.transpose() * c + second * second.transpose() * a - cross * b) / det)
}

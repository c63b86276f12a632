//! Slip of a ball over a mesh, by position: its frame against what the mesh carried of it since the start of the step.
//!
//! $$ \Delta = o - \hat o + \theta \times \bigl( x - \tfrac12 (o + \hat o) \bigr) $$
//!
//! with `o` the origin of the frame, hats for what was carried, and `θ` the rotation from there.

use super::{Ball, Rounded};
use crate::math::{Matrix3, Vector3};
use crate::method::smooth::relative_rotation::RotationVector;
use crate::method::smooth::spot::Second;

/// How the frame of a ball has moved against what the mesh carried of it.
pub(super) struct Carried {
    /// Origin, and that of the start of the step as it was carried [m].
    origins: [Vector3; 2],
    /// Axes, and those of the start of the step as they were carried.
    axes: [Matrix3; 2],
    rotation: RotationVector,
    arm: f64,
    /// From halfway between the origins to where it touches [m].
    from: Vector3,
}

impl Carried {
    pub(super) fn new(positions: &[Vector3], ball: &Ball, round: &Rounded, x: Vector3) -> Self {
        let stand = &ball.stand;
        let [origin, a, b, c] = round.hats.each_ref().map(|hat| hat.carried(positions));
        let hats = Matrix3::from_columns(&[a - origin, b - origin, c - origin]) / stand.arm;
        Self {
            origins: [stand.origin, origin],
            axes: [stand.axes, hats],
            rotation: RotationVector::between(&hats, &stand.axes),
            arm: stand.arm,
            from: x - (stand.origin + origin) * 0.5,
        }
    }

    /// `Δ` [m].
    pub(super) fn slip(&self) -> Vector3 {
        self.origins[0] - self.origins[1] + self.rotation.theta.cross(&self.from)
    }

    /// Writes `∂Δ/∂q`, given where vertices of anchors are in the stencil, and how the place changes.
    pub(super) fn differentiate(
        &self,
        positions: &[Vector3],
        round: &Rounded,
        (of_anchor, by_place): (&[usize], &[Matrix3]),
        second: &mut Second,
    ) {
        let identity = Matrix3::identity();
        let theta = self.rotation.theta.cross_matrix();
        let by_turn = -self.from.cross_matrix() * self.rotation.by_s * (0.5 / self.arm);
        second.carried.extend(by_place.iter().map(|by| theta * by));
        second.carried[0] += identity - theta * 0.5;
        let [axes, hats] = &self.axes;
        for i in 0..3 {
            let block = by_turn * hats.column(i).cross_matrix();
            second.carried[i + 1] += block;
            second.carried[0] -= block;
        }
        let mut derivatives = [const { Vec::new() }; 4];
        for (hat, blocks) in round.hats.iter().zip(&mut derivatives) {
            hat.carried_derivative(positions, blocks);
        }
        for (k, &to) in of_anchor.iter().enumerate() {
            let origin = derivatives[0][k];
            let mut block = -origin - theta * origin * 0.5;
            for i in 0..3 {
                let tip = derivatives[i + 1][k] - origin;
                block -= by_turn * axes.column(i).cross_matrix() * tip;
            }
            second.carried[to] += block;
        }
    }
}

//! Loads: forces on vertices and surfaces, changing with time.

use super::BodyId;
use crate::math::Vector3;
use crate::mesh::Selection;

/// A force on part of a body.
#[derive(Clone, Debug)]
pub struct Load {
    /// On whom.
    pub body: BodyId,
    /// Where, chosen by where vertices are when the body is placed.
    pub selection: Selection,
    /// What.
    pub kind: LoadKind,
    /// When.
    pub profile: Profile,
}

impl Load {
    /// Scales it with time.
    pub fn profile(&mut self, profile: Profile) -> &mut Self {
        self.profile = profile;
        self
    }
}

/// What a load does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadKind {
    /// A total force, shared equally by the selected vertices [N].
    Force(Vector3),
    /// A force per rest area, of fixed direction, on faces whose corners are all selected [Pa].
    Traction(Vector3),
    /// A force per present area against the outward normal, on faces whose corners are all selected; it
    /// follows the surface [Pa].
    Pressure(f64),
}

/// A factor in time.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Profile {
    /// Always one.
    #[default]
    Constant,
    /// Straight lines between `(time [s], factor [-])`, ascending; constant before and after.
    Points(Vec<(f64, f64)>),
}

impl Profile {
    /// The factor at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        let Self::Points(points) = self else { return 1.0 };
        let next = points.partition_point(|&(time, _)| time <= t);
        match (next.checked_sub(1).map(|k| points[k]), points.get(next)) {
            (Some((t0, f0)), Some(&(t1, f1))) => f0 + (f1 - f0) * (t - t0) / (t1 - t0),
            (Some((_, factor)), None) | (None, Some(&(_, factor))) => factor,
            (None, None) => 1.0,
        }
    }

    /// Whether numbers are finite and times ascend.
    pub fn is_valid(&self) -> bool {
        let Self::Points(points) = self else { return true };
        !points.is_empty()
            && points.iter().all(|(t, f)| t.is_finite() && f.is_finite())
            && points.windows(2).all(|pair| pair[0].0 < pair[1].0)
    }
}

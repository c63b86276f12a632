//! Vectors of single precision, and boxes: pictures need no more.

/// A vector.
pub type Vec3 = nalgebra::Vector3<f32>;

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest coordinates.
    pub min: Vec3,
    /// Highest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// Holds nothing.
    pub const EMPTY: Self = Self {
        min: Vec3::new(f32::INFINITY, f32::INFINITY, f32::INFINITY),
        max: Vec3::new(f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY),
    };

    /// Around points.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |all, x| all.with(x))
    }

    /// Around this and a point.
    pub fn with(&self, x: &Vec3) -> Self {
        Self { min: self.min.inf(x), max: self.max.sup(x) }
    }

    /// Around this and another.
    pub fn and(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// The middle.
    pub fn centre(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Half of its surface; zero if it holds nothing.
    pub(crate) fn area(&self) -> f32 {
        let w = self.max - self.min;
        if w.x < 0.0 { 0.0 } else { w.x * w.y + w.y * w.z + w.z * w.x }
    }

    /// Length of the diagonal; zero if it holds nothing.
    pub fn diagonal(&self) -> f32 {
        let w = self.max - self.min;
        if w.x < 0.0 { 0.0 } else { w.norm() }
    }

    /// Its eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|k| {
            let pick =
                |axis: usize| if k >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] };
            Vec3::new(pick(0), pick(1), pick(2))
        })
    }
}

/// Two unit vectors across a third and each other.
pub(crate) fn across(n: &Vec3) -> [Vec3; 2] {
    let other = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let a = n.cross(&other).normalize();
    [a, n.cross(&a)]
}

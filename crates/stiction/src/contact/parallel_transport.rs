//! Parallel transport: the smallest rotation that takes one direction to another, and how it changes.
//!
//! $$ Q y = y + z \times y + \frac{z \times (z \times y)}{1 + c}, \qquad z = a \times b, \quad c = a \cdot b $$
//!
//! Friction remembers a tangent vector; while the normal turns from `a` to `b` the vector turns with it and keeps
//! its length. Projecting it instead would lose a little of it every step.

use crate::math::{Matrix3, Vector3, any_across};

/// The smallest rotation from the unit vector `a` to the unit vector `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelTransport {
    from: Vector3,
    axis: Vector3,
    cosine: f64,
}

/// Directions closer to opposite than this: half a turn about any axis across.
const OPPOSITE: f64 = 1e-12;

impl ParallelTransport {
    /// From `a` to `b`, both of length one.
    pub fn between(a: Vector3, b: Vector3) -> Self {
        Self { from: a, axis: a.cross(&b), cosine: a.dot(&b) }
    }

    /// Rotates a vector.
    pub fn apply(&self, y: Vector3) -> Vector3 {
        let Self { from, axis: z, cosine } = *self;
        if 1.0 + cosine < OPPOSITE {
            // Half a turn about some axis across: reflects all but that axis.
            let across = any_across(from);
            return 2.0 * across.dot(&y) * across - y;
        }
        let zy = z.cross(&y);
        y + zy + z.cross(&zy) / (1.0 + cosine)
    }

    /// Change of a transported vector `y` per change of `b`: `∂(Q y)/∂b`.
    pub fn by_end(&self, y: Vector3) -> Matrix3 {
        let Self { from, axis: z, cosine } = *self;
        if 1.0 + cosine < OPPOSITE {
            return Matrix3::zeros();
        }
        let scale = 1.0 / (1.0 + cosine);
        let zy = z.cross(&y);
        let zzy = z.cross(&zy);
        let column = |axis: usize| {
            let mut db = Vector3::zeros();
            db[axis] = 1.0;
            let (dz, dc) = (from.cross(&db), from.dot(&db));
            dz.cross(&y) + (dz.cross(&zy) + z.cross(&dz.cross(&y))) * scale
                - zzy * (dc * scale * scale)
        };
        Matrix3::from_columns(&[column(0), column(1), column(2)])
    }
}

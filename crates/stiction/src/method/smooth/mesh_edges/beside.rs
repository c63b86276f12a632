//! The faces beside an edge: whether it sticks out, and from where it can be touched.

use super::HULL;
use crate::geometry::features::Surface;
use crate::math::Vector3;
use crate::mesh::triangle_normal;

/// Directions along the faces beside an edge, away from it, and whether it sticks out, or ends a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    into: [Option<Vector3>; 2],
    pub(super) is_ridge: bool,
}

/// Sine of the angle below which faces are in one plane.
const PLANE: f64 = 1e-3;

impl Beside {
    /// `least` is the cosine of the angle from which on it is a ridge.
    pub(super) fn of(
        surface: &Surface,
        edge: u32,
        x: &[Vector3],
        two_sided: bool,
        least: f64,
    ) -> Self {
        let faces = faces(surface, edge, x);
        let is_ridge = match faces {
            [Some([into, normal]), Some([other, other_normal])] => {
                let rise = normal.dot(&other).max(other_normal.dot(&into));
                (two_sided || rise <= PLANE) && normal.dot(&other_normal) <= least
            }
            _ => true,
        };
        Self { into: faces.map(|face| face.map(|[into, _]| into)), is_ridge }
    }

    /// How far the faces rise along a way out of the edge, as a sine.
    pub(super) fn rise(&self, way: Vector3) -> f64 {
        let rises = self.into.iter().flatten().map(|into| into.dot(&way));
        rises.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The first two faces with an area: along them and away from the edge, and their normals.
fn faces(surface: &Surface, edge: u32, x: &[Vector3]) -> [Option<[Vector3; 2]>; 2] {
    let ends = surface.edges()[edge as usize];
    let [from, to] = ends.map(|vertex| x[vertex as usize]);
    let mut found = [None; 2];
    let Some(along) = (to - from).try_normalize(0.0) else { return found };
    let mut count = 0;
    for face in surface.beside(edge) {
        let corners = surface.triangles()[face as usize];
        let opposite = corners.iter().find(|corner| !ends.contains(corner));
        let (Some(&opposite), Some(normal)) =
            (opposite, triangle_normal(&corners.map(|corner| x[corner as usize])))
        else {
            continue;
        };
        let into = x[opposite as usize] - from;
        let into = into - along * along.dot(&into);
        if let Some(into) = into.try_normalize(1e-12 * (to - from).norm())
            && count < 2
        {
            found[count] = Some([into, normal]);
            count += 1;
        }
    }
    found
}

/// Cosine of the angle from which on an edge of a mesh at rest counts.
pub(super) fn least(
    surface: &Surface,
    edge: u32,
    x: &[Vector3],
    two_sided: bool,
    is_hull: bool,
) -> f64 {
    /// Creases of cloth [°].
    const CREASE: f64 = 10.0;
    /// As smooth surfaces do [°]; and where an edge is so long that points may be beside it.
    const SHARP: f64 = 45.5;
    const LONG: f64 = 5.0;
    /// How long, in widths of faces.
    const SLENDER: f64 = 3.0;
    let ends = surface.edges()[edge as usize].map(|vertex| x[vertex as usize]);
    let along = ends[1] - ends[0];
    let width = |face: u32| {
        let corners = surface.triangles()[face as usize].map(|corner| x[corner as usize]);
        let double_area = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm();
        double_area / along.norm()
    };
    let narrowest = surface.beside(edge).map(width).fold(f64::INFINITY, f64::min);
    let degrees = if is_hull {
        HULL
    } else if two_sided {
        CREASE
    } else if along.norm() > SLENDER * narrowest {
        LONG
    } else {
        SHARP
    };
    degrees.to_radians().cos()
}

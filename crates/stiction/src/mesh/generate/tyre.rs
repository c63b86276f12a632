//! A tyre: a closed shell, a rectangle with round corners turned about the axis.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, TAU};

use super::sheet::Diagonals;
use super::{require_budget, require_cells, require_length, require_smaller};
use crate::math::{Vector2, Vector3};
use crate::mesh::{MeshError, TriMesh, TriSoup};

/// A closed tyre around `z` [m], its normals outward.
///
/// The section reaches from `rim_radius` to `outer_radius` and is `width` wide, its corners rounded by `rounding`.
/// `cells` counts around the axis and around the section; diagonals alternate if both are even.
/// Groups of triangles: `bead` (facing the axis), `sidewall`, `tread` (facing away); corners are shared out halfway.
///
/// # Errors
/// When a length is not finite and above zero, the rim is not the smaller, the rounding is more than half the section,
/// or there are fewer than eight cells one way.
pub fn tyre(
    rim_radius: f64,
    outer_radius: f64,
    width: f64,
    rounding: f64,
    cells: [usize; 2],
) -> Result<TriMesh, MeshError> {
    let name = "tyre";
    require_length(name, "rim_radius", rim_radius)?;
    require_length(name, "outer_radius", outer_radius)?;
    require_smaller(name, ("rim_radius", rim_radius), ("outer_radius", outer_radius))?;
    require_length(name, "width", width)?;
    require_length(name, "rounding", rounding)?;
    let height = outer_radius - rim_radius;
    let refuse = |argument: &'static str, value: String, help: String| {
        Err(MeshError::Argument { function: name, argument, value, help })
    };
    if rounding > 0.5 * width.min(height) {
        let help = format!("give at most half of the section, {}", 0.5 * width.min(height));
        return refuse("rounding", rounding.to_string(), help);
    }
    require_cells(name, &cells)?;
    if cells.iter().any(|&n| n < 8) {
        let help = "give at least eight around the axis and around the section".to_owned();
        return refuse("cells", format!("{cells:?}"), help);
    }
    let [around, across] = cells;
    require_budget(name, "cells", cells, 2.0 * around as f64 * across as f64)?;

    let section = Section { size: Vector2::new(width, height), rounding };
    let middle = 0.5 * (rim_radius + outer_radius);
    let mut vertices = Vec::with_capacity(around * across);
    for j in 0..across {
        let (p, _) = section.at(j as f64 / across as f64);
        vertices.extend((0..around).map(|i| {
            let (sin, cos) = (TAU * i as f64 / around as f64).sin_cos();
            Vector3::new((middle + p.y) * cos, (middle + p.y) * sin, p.x)
        }));
    }
    let mut soup = TriSoup::new(vertices, Vec::with_capacity(2 * around * across));
    for j in 0..across {
        let first = soup.elements.len() as u32;
        for i in 0..around {
            let vertex =
                |di: usize, dj: usize| ((i + di) % around + around * ((j + dj) % across)) as u32;
            let corners = [vertex(0, 0), vertex(1, 0), vertex(1, 1), vertex(0, 1)];
            soup.elements.extend(Diagonals::Alternating.cut([i, j], corners));
        }
        let (_, normal) = section.at((j as f64 + 0.5) / across as f64);
        let group = match normal.y {
            up if up > FRAC_1_SQRT_2 => "tread",
            up if up < -FRAC_1_SQRT_2 => "bead",
            _ => "sidewall",
        };
        let row: Vec<u32> = (first..soup.elements.len() as u32).collect();
        soup.element_tags.add(group, &row);
    }
    soup.build_cloth()
}

/// A rectangle with round corners around the origin; `x` is along the axis, `y` away from it.
struct Section {
    size: Vector2,
    rounding: f64,
}

impl Section {
    /// Point and outward normal at a fraction of the perimeter, clockwise from the middle of the lower side.
    fn at(&self, fraction: f64) -> (Vector2, Vector2) {
        let core = self.size * 0.5 - Vector2::repeat(self.rounding);
        let (flat, tall, arc) = (2.0 * core.x, 2.0 * core.y, FRAC_PI_2 * self.rounding);
        let perimeter = 2.0 * (flat + tall) + 4.0 * arc;
        let mut s = (fraction * perimeter + 0.5 * flat) % perimeter;
        // Sides in the order they are passed: where their core starts, which way they go and face.
        let sides = [
            (Vector2::new(core.x, -core.y), -Vector2::x(), -Vector2::y(), flat),
            (-core, Vector2::y(), -Vector2::x(), tall),
            (Vector2::new(-core.x, core.y), Vector2::x(), Vector2::y(), flat),
            (core, -Vector2::y(), Vector2::x(), tall),
        ];
        for (start, along, normal, length) in sides {
            if s <= length {
                return (start + along * s + normal * self.rounding, normal);
            }
            s -= length;
            if s <= arc {
                let (sin, cos) = (s / self.rounding).sin_cos();
                let turned = normal * cos + along * sin;
                return (start + along * length + turned * self.rounding, turned);
            }
            s -= arc;
        }
        // Rounding may leave a last bit of the perimeter: that is where the first side starts.
        let (start, _, normal, _) = sides[0];
        (start + normal * self.rounding, normal)
    }
}

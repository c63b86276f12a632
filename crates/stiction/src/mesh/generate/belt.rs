//! A belt: a rectangle swept along the tight line around two wheels.
//!
//! The line is straight, arc, straight, arc. With the wheels' centres `d` apart on the x axis and radii `r₀`
//! (left) and `r₁` (right), the normal of the upper straight makes the angle `φ` with the x axis,
//!
//! $$ d \cos\varphi = r_0 - r_1, $$
//!
//! because a line at distance `r₀` from one centre and `r₁` from the other has `n·(c₁ − c₀) = r₀ − r₁`.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::sweep::swept;
use super::{require_budget, require_cells, require_length};
use crate::math::{Vector2, Vector3};
use crate::mesh::{MeshError, TetMesh, TetSoup};

/// A belt that fits around two wheels with axes along `z` [m].
///
/// The wheels have the given `radii`, left then right, and their centres lie on the x axis, `distance` apart with
/// the origin halfway. A distance of zero with equal radii gives a plain band. `cells` counts along the belt,
/// through its `thickness` and across its `width`. Groups: `inner`, `outer`, `bottom`, `top`.
///
/// # Errors
/// When a length is not finite and above zero, a count is zero (along: below six), or one wheel holds the other.
pub fn belt(
    radii: [f64; 2],
    distance: f64,
    thickness: f64,
    width: f64,
    cells: [usize; 3],
) -> Result<TetMesh, MeshError> {
    let name = "belt";
    for radius in radii {
        require_length(name, "radii", radius)?;
    }
    require_length(name, "thickness", thickness)?;
    require_length(name, "width", width)?;
    require_cells(name, &cells)?;
    let [along, through, across] = cells;
    let refuse = |argument: &'static str, value: String, help: &str| {
        Err(MeshError::Argument { function: name, argument, value, help: help.to_owned() })
    };
    if along < 6 {
        return refuse("cells", format!("{cells:?}"), "give at least six cells along the belt");
    }
    // A band is the only belt around wheels in the same place.
    let difference = radii[0] - radii[1];
    let is_band = distance == 0.0 && difference == 0.0;
    if !(is_band || distance.is_finite() && distance > difference.abs()) {
        let help = "give more than the difference of the radii, or zero if they are equal [m]";
        return refuse("distance", distance.to_string(), help);
    }
    let tets = 6.0 * cells.iter().map(|&n| n as f64).product::<f64>();
    require_budget(name, "cells", cells, tets)?;

    let line = Line::new(radii, distance);
    // A section in the plane of width and thickness: counterclockwise seen from the next one.
    let (columns, rows) = (across + 1, through + 1);
    let count = columns * rows;
    let mut vertices = Vec::with_capacity(along * count);
    for step in 0..along {
        let (point, normal) = line.at(step as f64 / along as f64);
        for row in 0..rows {
            let p = point + normal * (thickness * row as f64 / through as f64);
            vertices.extend((0..columns).map(|column| {
                Vector3::new(p.x, p.y, width * (column as f64 / across as f64 - 0.5))
            }));
        }
    }
    let mut triangles = Vec::with_capacity(2 * through * across);
    for row in 0..through {
        for column in 0..across {
            let at = |i: usize, j: usize| (column + i + columns * (row + j)) as u32;
            triangles.extend([[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]]);
        }
    }
    let copies: Vec<Vec<u32>> = (0..=along)
        .map(|step| step % along * count)
        .map(|start| (start as u32..(start + count) as u32).collect())
        .collect();
    let layers: Vec<&[u32]> = copies.iter().map(Vec::as_slice).collect();
    let mut soup = TetSoup::new(vertices, swept(&triangles, &layers));

    let mut tag = |name: &str, belongs: &dyn Fn(usize, usize) -> bool| {
        let ids = (0..(along * count) as u32).filter(|&v| {
            let place = v as usize % count;
            belongs(place / columns, place % columns)
        });
        soup.vertex_tags.add(name, &ids.collect::<Vec<u32>>());
    };
    tag("inner", &|row, _| row == 0);
    tag("outer", &|row, _| row == through);
    tag("bottom", &|_, column| column == 0);
    tag("top", &|_, column| column == across);
    soup.build()
}

/// The line around two wheels, counterclockwise from where it first touches the right one.
struct Line {
    radii: [f64; 2],
    half_distance: f64,
    phi: f64,
    /// Lengths of right arc, upper straight, left arc, lower straight.
    lengths: [f64; 4],
}

impl Line {
    fn new(radii: [f64; 2], distance: f64) -> Self {
        let [r0, r1] = radii;
        let phi = if distance > 0.0 { ((r0 - r1) / distance).acos() } else { FRAC_PI_2 };
        let straight = distance * phi.sin();
        let lengths = [2.0 * phi * r1, straight, (TAU - 2.0 * phi) * r0, straight];
        Self { radii, half_distance: 0.5 * distance, phi, lengths }
    }

    /// Point and outward normal at a fraction of the whole length.
    fn at(&self, fraction: f64) -> (Vector2, Vector2) {
        let mut s = fraction * self.lengths.iter().sum::<f64>();
        let mut part = 0;
        while part < 3 && s > self.lengths[part] {
            s -= self.lengths[part];
            part += 1;
        }
        let ([r0, r1], [left, right]) = (self.radii, [-self.half_distance, self.half_distance]);
        let arc = |angle: f64, centre: f64, radius: f64| {
            let normal = Vector2::new(angle.cos(), angle.sin());
            (Vector2::new(centre, 0.0) + normal * radius, normal)
        };
        let straight = |(point, normal): (Vector2, Vector2)| {
            (point + Vector2::new(-normal.y, normal.x) * s, normal)
        };
        match part {
            0 => arc(s / r1 - self.phi, right, r1),
            1 => straight(arc(self.phi, right, r1)),
            2 => arc(self.phi + s / r0, left, r0),
            _ => straight(arc(-self.phi, left, r0)),
        }
    }
}

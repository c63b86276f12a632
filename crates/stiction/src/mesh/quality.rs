//! How well shaped the elements are.
//!
//! Measures are 1 for the regular element and fall to 0 as it degenerates:
//!
//! - mean ratio `η = 12 (3V)^{2/3} / Σ l²` of a tet [LJ94], `4√3 A / Σ l²` of a triangle: smooth, and the
//!   one to trust for overall shape;
//! - radius ratio `3 r/R` of a tet, `2 r/R` of a triangle, with `r` the inscribed and `R` the circumscribed
//!   radius: finds slivers;
//! - angles between faces of a tet, at corners of a triangle: small ones spoil conditioning, large ones spoil
//!   gradients;
//! - aspect, the longest edge over the smallest height, normalised so that the regular element has 1; it
//!   grows without bound.

use std::fmt;

use super::check::{element_name, element_names};
use super::measure::{signed_measure, tet_volume};
use super::topology::TET_FACES;
use super::{Mesh, TetMesh, TriMesh};
use crate::math::Vector3;

/// Shape of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementQuality {
    /// Volume or area against edge lengths, 0 to 1 [-].
    pub mean_ratio: f64,
    /// Inscribed against circumscribed radius, 0 to 1 [-].
    pub radius_ratio: f64,
    /// Smallest dihedral angle of a tet, smallest corner angle of a triangle [rad].
    pub min_angle: f64,
    /// Largest such angle [rad].
    pub max_angle: f64,
    /// Longest edge over smallest height, 1 or more [-].
    pub aspect: f64,
}

/// Least, mean and greatest value of a measure over a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Least.
    pub min: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Greatest.
    pub max: f64,
}

/// Shape of all elements of a mesh; prints as a table.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityReport {
    /// Corners per element: 3 for triangles, 4 for tets.
    pub corners: usize,
    /// How many vertices there are.
    pub vertex_count: usize,
    /// How many elements there are.
    pub element_count: usize,
    /// Mean ratio [-].
    pub mean_ratio: Spread,
    /// Radius ratio [-].
    pub radius_ratio: Spread,
    /// Smallest angle of each element [rad].
    pub min_angle: Spread,
    /// Largest angle of each element [rad].
    pub max_angle: Spread,
    /// Aspect [-].
    pub aspect: Spread,
    /// Elements of least mean ratio, worst first, at most ten.
    pub worst: Vec<(u32, f64)>,
    /// Elements by mean ratio, in ten bins from 0 to 1.
    pub histogram: [usize; 10],
}

impl TetMesh {
    /// Shape of the tets.
    pub fn quality(&self) -> QualityReport {
        report(self, tet_quality)
    }
}

impl TriMesh {
    /// Shape of the triangles.
    pub fn quality(&self) -> QualityReport {
        report(self, triangle_quality)
    }
}

/// Shape of a tet of positive volume.
pub fn tet_quality(x: &[Vector3; 4]) -> ElementQuality {
    let volume = tet_volume(x);
    let (sum_sq, longest) = edge_sums(x);
    // Outward face normals; their lengths are twice the face areas.
    let normals = TET_FACES.map(|[i, j, k]| (x[j] - x[i]).cross(&(x[k] - x[i])));
    let twice_areas = normals.map(|n| n.norm());
    let twice_area: f64 = twice_areas.iter().sum();
    let largest = twice_areas.iter().copied().fold(0.0, f64::max);

    let [a, b, c] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let toward_center = b.cross(&c) * a.norm_squared()
        + c.cross(&a) * b.norm_squared()
        + a.cross(&b) * c.norm_squared();
    let circumradius = toward_center.norm() / (12.0 * volume);
    let inradius = 6.0 * volume / twice_area;

    let (mut min_angle, mut max_angle) = (f64::INFINITY, 0.0_f64);
    for i in 0..4 {
        for j in 0..i {
            // Between outward normals lies the supplement of the angle between faces.
            let angle = std::f64::consts::PI - normals[i].angle(&normals[j]);
            min_angle = min_angle.min(angle);
            max_angle = max_angle.max(angle);
        }
    }
    ElementQuality {
        mean_ratio: 12.0 * (3.0 * volume).cbrt().powi(2) / sum_sq,
        radius_ratio: 3.0 * inradius / circumradius,
        min_angle,
        max_angle,
        aspect: longest * largest / (6.0 * volume) * (2.0_f64 / 3.0).sqrt(),
    }
}

/// Shape of a triangle of positive area.
pub fn triangle_quality(x: &[Vector3; 3]) -> ElementQuality {
    let twice_area = signed_measure(x);
    let (sum_sq, longest) = edge_sums(x);
    let lengths = [0, 1, 2].map(|k| (x[(k + 1) % 3] - x[(k + 2) % 3]).norm());
    let perimeter: f64 = lengths.iter().sum();
    let inradius = twice_area / perimeter;
    let circumradius = lengths.iter().product::<f64>() / (2.0 * twice_area);
    let angles = [0, 1, 2].map(|k| (x[(k + 1) % 3] - x[k]).angle(&(x[(k + 2) % 3] - x[k])));
    ElementQuality {
        mean_ratio: 2.0 * 3.0_f64.sqrt() * twice_area / sum_sq,
        radius_ratio: 2.0 * inradius / circumradius,
        min_angle: angles.iter().copied().fold(f64::INFINITY, f64::min),
        max_angle: angles.iter().copied().fold(0.0, f64::max),
        aspect: longest * longest / twice_area * 0.75_f64.sqrt(),
    }
}

/// Sum of squared edge lengths, and the longest edge.
fn edge_sums<const N: usize>(x: &[Vector3; N]) -> (f64, f64) {
    let (mut sum, mut longest_sq) = (0.0, 0.0_f64);
    for i in 0..N {
        for j in 0..i {
            let length_sq = (x[i] - x[j]).norm_squared();
            sum += length_sq;
            longest_sq = longest_sq.max(length_sq);
        }
    }
    (sum, longest_sq.sqrt())
}

fn report<const N: usize>(
    mesh: &Mesh<N>,
    quality: impl Fn(&[Vector3; N]) -> ElementQuality,
) -> QualityReport {
    let all: Vec<ElementQuality> =
        (0..mesh.element_count()).map(|e| quality(&mesh.corners(e))).collect();
    let spread = |measure: fn(&ElementQuality) -> f64| {
        let values = || all.iter().map(measure);
        Spread {
            min: values().fold(f64::INFINITY, f64::min),
            mean: values().sum::<f64>() / all.len() as f64,
            max: values().fold(f64::NEG_INFINITY, f64::max),
        }
    };
    let mut histogram = [0; 10];
    for q in &all {
        histogram[((10.0 * q.mean_ratio) as usize).min(9)] += 1;
    }
    let mut worst: Vec<(u32, f64)> =
        all.iter().enumerate().map(|(e, q)| (e as u32, q.mean_ratio)).collect();
    worst.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    worst.truncate(10);
    QualityReport {
        corners: N,
        vertex_count: mesh.vertex_count(),
        element_count: all.len(),
        mean_ratio: spread(|q| q.mean_ratio),
        radius_ratio: spread(|q| q.radius_ratio),
        min_angle: spread(|q| q.min_angle),
        max_angle: spread(|q| q.max_angle),
        aspect: spread(|q| q.aspect),
        worst,
        histogram,
    }
}

impl fmt::Display for QualityReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row =
            |f: &mut fmt::Formatter<'_>, name: &str, s: &Spread, scale: f64, digits: usize| {
                let [min, mean, max] =
                    [s.min, s.mean, s.max].map(|v| format!("{:.*}", digits, v * scale));
                writeln!(f, "  {name:<20}{min:>9}{mean:>9}{max:>9}")
            };
        let degrees = 1.0_f64.to_degrees();
        writeln!(
            f,
            "{} {}, {} vertices",
            self.element_count,
            element_names(self.corners),
            self.vertex_count
        )?;
        writeln!(f, "  {:<20}{:>9}{:>9}{:>9}", "", "min", "mean", "max")?;
        row(f, "mean ratio", &self.mean_ratio, 1.0, 3)?;
        row(f, "radius ratio", &self.radius_ratio, 1.0, 3)?;
        row(f, "smallest angle [°]", &self.min_angle, degrees, 1)?;
        row(f, "largest angle [°]", &self.max_angle, degrees, 1)?;
        row(f, "aspect", &self.aspect, 1.0, 2)?;
        let worst: Vec<String> =
            self.worst.iter().take(3).map(|(e, q)| format!("{e} ({q:.3})")).collect();
        writeln!(f, "  worst {}: {}", element_name(self.corners), worst.join(", "))?;
        f.write_str("  by mean ratio:")?;
        let most = self.histogram.iter().copied().max().unwrap_or(0).max(1);
        for (bin, &count) in self.histogram.iter().enumerate().filter(|(_, count)| **count > 0) {
            // At least one mark, so that a single bad element is seen.
            let bar = "#".repeat((30 * count).div_ceil(most));
            write!(
                f,
                "\n    {:.1}–{:.1} {count:>9} {bar}",
                bin as f64 / 10.0,
                (bin + 1) as f64 / 10.0
            )?;
        }
        Ok(())
    }
}

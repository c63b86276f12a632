//! One pair of features near each other: energy, forces and their derivatives.
//!
//! $$ E = \kappa\, m\, b(d), \qquad s = d^2, \quad \phi(s) = b(\sqrt s) $$
//! $$ \partial E = \kappa (m \phi' \partial s + \phi\, \partial m), \qquad
//!    \partial^2 E = \kappa \bigl( m (\phi'' \partial s\, \partial s^T + \phi' \partial^2 s)
//!    + \phi' (\partial m\, \partial s^T + \partial s\, \partial m^T) + \phi\, \partial^2 m \bigr) $$
//!
//! with the [mollifier](crate::geometry::closest::Mollifier) `m` of edges, 1 for a vertex and a triangle.

use nalgebra::SMatrix;

use super::{Layer, potential};
use crate::contact::ContactKind;
use crate::geometry::ccd::{self, Query, inclusion};
use crate::geometry::closest::{Mollifier, SquaredDistance, mollifier_value};
use crate::math::{Matrix3, Vector3};

/// Part of a small gap that is left on the way, as is usual [LFS+20, §4.4].
const LEFT: f64 = 0.2;

/// What is near what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A vertex and a triangle.
    PointTriangle,
    /// Two edges.
    EdgeEdge,
}

impl Kind {
    pub(crate) fn named(self) -> ContactKind {
        match self {
            Self::PointTriangle => ContactKind::VertexFace,
            Self::EdgeEdge => ContactKind::EdgeEdge,
        }
    }
}

/// Two features that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) kind: Kind,
    /// A vertex and three corners, or the ends of two edges.
    pub(crate) vertices: [u32; 4],
    pub(crate) layer: Layer,
    /// `ε` of the mollifier, of edges [m⁴].
    pub(crate) threshold: f64,
}

/// What a pair feels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Felt {
    /// `c`.
    pub(crate) coefficients: [f64; 4],
    /// `d` [m].
    pub(crate) gap: f64,
    /// Out of the second feature.
    pub(crate) normal: Vector3,
    /// Along the normal [N].
    pub(crate) force: f64,
}

/// How the closest points of two features change with their vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    /// `∂n/∂xⱼ` [1/m].
    pub(crate) normal: [Matrix3; 4],
    /// `∂cᵢ/∂xⱼ` [1/m].
    pub(crate) weights: [[Vector3; 4]; 4],
}

impl Kind {
    /// How many vertices the first feature has.
    fn first(self) -> usize {
        match self {
            Self::PointTriangle => 1,
            Self::EdgeEdge => 2,
        }
    }
}

impl Pair {
    /// Of the normal `n` and of the weights `c` at a gap `d`. Half of the gradient of `d²` is `cᵢ d n`; weights of the
    /// first feature add up to one, so that half of the sum of its Hessian's rows is `∂(d n)`.
    pub(crate) fn change(&self, x: &[Vector3; 4], c: &[f64; 4], n: Vector3, d: f64) -> Change {
        let hessian = self.distance(x).hessian(x);
        let along = Matrix3::identity() - n * n.transpose();
        let mut change =
            Change { normal: [Matrix3::zeros(); 4], weights: [[Vector3::zeros(); 4]; 4] };
        for j in 0..4 {
            let offset: Matrix3 = (0..self.kind.first()).map(|i| hessian[i][j] * 0.5).sum();
            change.normal[j] = along * offset / d;
            for i in 0..4 {
                change.weights[i][j] = (hessian[i][j] * 0.5 - offset * c[i]).tr_mul(&n) / d;
            }
        }
        change
    }

    /// `m` and `∂m`.
    pub(crate) fn mollified(&self, x: &[Vector3; 4]) -> (f64, [Vector3; 4]) {
        self.mollifier(x).map_or((1.0, [Vector3::zeros(); 4]), |m| (m.value, m.gradient))
    }

    fn distance(&self, x: &[Vector3; 4]) -> SquaredDistance {
        match self.kind {
            Kind::PointTriangle => SquaredDistance::point_triangle(x),
            Kind::EdgeEdge => SquaredDistance::edge_edge(x),
        }
    }

    /// `d` [m].
    pub(crate) fn gap(&self, x: &[Vector3; 4]) -> f64 {
        self.distance(x).value().sqrt()
    }

    /// Weights of the closest points, and the direction between them; nothing where they are one.
    pub(crate) fn closest(&self, x: &[Vector3; 4]) -> Option<([f64; 4], Vector3)> {
        let distance = self.distance(x);
        Some((distance.coefficients, distance.offset.try_normalize(0.0)?))
    }

    /// `E` [J], and its slope along the gap [N].
    pub(crate) fn energy(&self, x: &[Vector3; 4]) -> [f64; 2] {
        let Layer { d_hat, kappa } = self.layer;
        let gap = self.gap(x);
        if gap >= d_hat {
            return [0.0; 2];
        }
        let weight = match self.kind {
            Kind::PointTriangle => kappa,
            Kind::EdgeEdge => kappa * mollifier_value(x, self.threshold),
        };
        [weight * potential::value(gap, d_hat), weight * potential::slope(gap, d_hat)]
    }

    /// `∂E` [N]; nothing where there is none.
    pub(crate) fn gradient(&self, x: &[Vector3; 4]) -> Option<[Vector3; 4]> {
        let Layer { d_hat, kappa } = self.layer;
        let distance = self.distance(x);
        let d = distance.value().sqrt();
        if d >= d_hat {
            return None;
        }
        let slope = 0.5 * kappa * potential::slope(d, d_hat) / d;
        let ds = distance.gradient();
        let mollifier = self.mollifier(x);
        Some(match mollifier {
            None => ds.map(|ds| ds * slope),
            Some(m) => {
                let b = kappa * potential::value(d, d_hat);
                std::array::from_fn(|k| ds[k] * (slope * m.value) + m.gradient[k] * b)
            }
        })
    }

    /// The part of a way of all vertices, from zero to `until`, before which the two come no nearer than `left` layers,
    /// or a part of a smaller gap at its start, if they do.
    pub(crate) fn first_contact(&self, way: [&[Vector3]; 2], until: f64, left: f64) -> Option<f64> {
        let corners = way.map(|x| self.vertices.map(|v| x[v as usize]));
        let separation = (left * self.layer.d_hat).min(LEFT * self.gap(&corners[0]));
        let query = match self.kind {
            Kind::PointTriangle => Query::PointTriangle(corners),
            Kind::EdgeEdge => Query::SegmentSegment(corners),
        };
        let settings =
            ccd::Settings { separation, tolerance: 0.5 * separation, ..ccd::Settings::default() };
        inclusion::first_contact(&query, until, &settings).map(|impact| impact.time)
    }

    fn mollifier(&self, x: &[Vector3; 4]) -> Option<Mollifier> {
        match self.kind {
            Kind::PointTriangle => None,
            Kind::EdgeEdge => Mollifier::new(x, self.threshold),
        }
    }

    /// `∂²E`, row by row [N/m]; nothing where there is none. `positive` takes negative eigenvalues away.
    pub(crate) fn hessian(&self, x: &[Vector3; 4], positive: bool) -> Option<[Matrix3; 16]> {
        let Layer { d_hat, kappa } = self.layer;
        let distance = self.distance(x);
        let s = distance.value();
        let d = s.sqrt();
        if d >= d_hat {
            return None;
        }
        let (b, db, ddb) =
            (potential::value(d, d_hat), potential::slope(d, d_hat), potential::bend(d, d_hat));
        let (first, second) = (0.5 * db / d, 0.25 * (ddb - db / d) / s);
        let (ds, dds) = (distance.gradient(), distance.hessian(x));
        let mollifier = self.mollifier(x);
        let m = mollifier.as_ref().map_or(1.0, |m| m.value);
        let mut h: [Matrix3; 16] = std::array::from_fn(|k| {
            let (i, j) = (k / 4, k % 4);
            let mut block = (ds[i] * ds[j].transpose() * second + dds[i][j] * first) * (kappa * m);
            if let Some(Mollifier { gradient: dm, hessian: ddm, .. }) = &mollifier {
                block += (dm[i] * ds[j].transpose() + ds[i] * dm[j].transpose()) * (kappa * first)
                    + ddm[i][j] * (kappa * b);
            }
            block
        });
        if positive {
            project(&mut h);
        }
        Some(h)
    }

    /// What it feels; nothing where features are too far apart.
    pub(crate) fn feel(&self, x: &[Vector3; 4]) -> Option<Felt> {
        let Layer { d_hat, kappa } = self.layer;
        let distance = self.distance(x);
        let gap = distance.value().sqrt();
        if gap >= d_hat {
            return None;
        }
        let m = match self.kind {
            Kind::PointTriangle => 1.0,
            Kind::EdgeEdge => mollifier_value(x, self.threshold),
        };
        let force = -kappa * m * potential::slope(gap, d_hat);
        let coefficients = distance.coefficients;
        Some(Felt { coefficients, gap, normal: distance.offset / gap, force })
    }
}

/// Takes negative eigenvalues away.
fn project(h: &mut [Matrix3; 16]) {
    type Square = SMatrix<f64, 12, 12>;
    let all = Square::from_fn(|i, j| h[(i / 3) * 4 + j / 3][(i % 3, j % 3)]);
    let eigen = all.symmetric_eigen();
    if eigen.eigenvalues.min() >= 0.0 {
        return;
    }
    let mut sum = Square::zeros();
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value > 0.0 {
            sum += vector * vector.transpose() * *value;
        }
    }
    for (k, block) in h.iter_mut().enumerate() {
        *block = sum.fixed_view::<3, 3>(3 * (k / 4), 3 * (k % 4)).into_owned();
    }
}

#[cfg(test)]
mod tests {
    use stiction_check::differences::assert_is_derivative;

    use super::*;
    use crate::geometry::closest::mollifier_threshold;

    /// A pair, four points, and a direction in which they move.
    fn check(kind: Kind, x: [[f64; 3]; 4]) {
        let (x, layer) = (x.map(Vector3::from), Layer { d_hat: 1.0, kappa: 2.0 });
        let lengths = [(x[1] - x[0]).norm(), (x[3] - x[2]).norm()];
        let threshold = mollifier_threshold(lengths);
        let pair = Pair { kind, vertices: [0, 1, 2, 3], layer, threshold };
        let way: [Vector3; 4] = std::array::from_fn(|k| {
            let k = k as f64;
            Vector3::new((1.7 * k).sin(), (2.3 * k + 1.0).cos(), (0.9 * k + 2.0).sin()) * 0.02
        });
        let moved = |t: f64| -> [Vector3; 4] { std::array::from_fn(|k| x[k] + way[k] * t) };
        let gradient = pair.gradient(&x).expect("near");
        let along = gradient.iter().zip(&way).map(|(g, w)| g.dot(w)).sum();
        let scale = gradient.iter().fold(0.0, |most: f64, g| most.max(g.norm()));
        assert_is_derivative(|t| pair.energy(&moved(t))[0], along, 0.02 * scale);
        let hessian = pair.hessian(&x, false).expect("near");
        let size = hessian.iter().fold(0.0, |most: f64, h| most.max(h.norm()));
        for i in 0..4 {
            let change: Vector3 = (0..4).map(|j| hessian[4 * i + j] * way[j]).sum();
            for axis in 0..3 {
                let slope = |t: f64| pair.gradient(&moved(t)).expect("near")[i][axis];
                assert_is_derivative(slope, change[axis], 0.02 * size);
            }
        }
        let positive = pair.hessian(&x, true).expect("near");
        let all =
            SMatrix::<f64, 12, 12>::from_fn(|i, j| positive[(i / 3) * 4 + j / 3][(i % 3, j % 3)]);
        assert!(all.symmetric_eigenvalues().min() > -1e-9 * size);
    }

    #[test]
    fn derivatives_of_pairs_are_exact() {
        let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.1, 1.0, 0.0]];
        for p in [[0.3, 0.3, 0.4], [0.4, -0.3, 0.3], [-0.3, -0.4, 0.2]] {
            check(Kind::PointTriangle, [p, triangle[0], triangle[1], triangle[2]]);
        }
        let a = [[-1.0, 0.0, 0.0], [1.0, 0.1, 0.0]];
        // Across, beyond an end, and nearly parallel: with a mollifier below one.
        for b in [
            [[0.2, -0.8, 0.4], [-0.1, 1.0, 0.5]],
            [[1.2, 0.2, 0.4], [1.4, 1.0, 0.5]],
            [[-1.0, -0.02, 0.4], [1.0, 0.13, 0.42]],
        ] {
            check(Kind::EdgeEdge, [a[0], a[1], b[0], b[1]]);
        }
    }
}

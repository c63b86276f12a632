//! Better tets near the surface, and a surface with its sharp edges.
//!
//! One vertex after the other is moved, those on the surface along the surface, those on sharp edges along these. A
//! move counts only if the worst tet around the vertex becomes better; moves onto sharp edges and corners, which come
//! first, may cost some quality, never the sign of a volume.

use rayon::prelude::*;

use super::Region;
use crate::math::Vector3;
use crate::mesh::topology::{Adjacency, tet_faces};
use crate::mesh::{TetSoup, tet_volume};

/// Shape below which no move onto a sharp edge goes: mean ratio, 1 for the regular tet.
const LEAST_SHAPE: f64 = 0.12;
/// How far a sharp edge or a corner may pull a vertex, in cells.
const PULL: f64 = 0.9;
/// Edges of the surface whose middle is farther from the surface than this cut a sharp edge off, in cells.
const CUT_OFF: f64 = 0.02;
/// Rounds in which sharp edges pull.
const SHARPENED: usize = 4;
/// Vertices this many edges away from the surface are still moved.
const LAYERS: usize = 2;

/// What holds a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Hold {
    Deep,
    Inside,
    Surface,
    Crease,
    Corner,
}

struct Shaped<'a, R> {
    region: &'a R,
    cell: f64,
    x: Vec<Vector3>,
    tets: Vec<[u32; 4]>,
    /// Tets around each vertex.
    around: Adjacency,
    /// Vertices of the surface beside each vertex of it.
    beside: Adjacency,
    hold: Vec<Hold>,
}

pub(super) fn improved<R: Region>(
    soup: TetSoup,
    region: &R,
    cell: f64,
    rounds: usize,
    progress: &mut dyn FnMut(f64),
) -> TetSoup {
    if rounds == 0 {
        return soup;
    }
    let mut shaped = Shaped::new(soup, region, cell);
    for round in 0..rounds {
        // What tets did not allow at first they may allow when they are better shaped.
        if round < SHARPENED {
            shaped.sharpen();
        }
        shaped.smooth();
        progress((round + 1) as f64 / rounds as f64);
    }
    TetSoup::new(shaped.x, shaped.tets)
}

impl<'a, R: Region> Shaped<'a, R> {
    fn new(soup: TetSoup, region: &'a R, cell: f64) -> Self {
        let TetSoup { vertices: x, elements: tets, .. } = soup;
        let around = Adjacency::of_vertices(x.len(), &tets);
        let mut hold = vec![Hold::Deep; x.len()];
        let faces = tet_faces(x.len(), &tets);
        let outer = faces.iter().filter(|face| face.other.is_none());
        let outer: Vec<[u32; 3]> = outer.map(|face| face.corners).collect();
        for &v in outer.iter().flatten() {
            hold[v as usize] = Hold::Surface;
        }
        for _ in 0..LAYERS {
            let layer: Vec<u32> = (tets.iter())
                .filter(|tet| tet.iter().any(|&v| hold[v as usize] != Hold::Deep))
                .flatten()
                .copied()
                .collect();
            for v in layer {
                hold[v as usize] = hold[v as usize].max(Hold::Inside);
            }
        }
        let pairs =
            outer.iter().flat_map(|&[a, b, c]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)]);
        let mut beside = Adjacency::grouped(x.len(), pairs);
        beside.sort_and_deduplicate();
        Self { region, cell, x, tets, around, beside, hold }
    }

    /// Moves vertices onto corners, and onto sharp edges that edges of the surface cut off.
    fn sharpen(&mut self) {
        let reach = PULL * self.cell;
        let surface: Vec<u32> =
            (0..self.x.len() as u32).filter(|&v| self.hold[v as usize] >= Hold::Surface).collect();
        let nearest: Vec<Vec<(f64, u32)>> = (self.region.corners().par_iter())
            .map(|corner| {
                let distance = |&v: &u32| ((self.x[v as usize] - corner).norm(), v);
                let near = surface.iter().map(distance).filter(|(distance, _)| *distance < reach);
                let mut near: Vec<(f64, u32)> = near.collect();
                near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                near
            })
            .collect();
        for (corner, nearest) in self.region.corners().iter().zip(nearest) {
            // Where one is already, or where one may go.
            let _ = nearest
                .into_iter()
                .any(|(distance, v)| distance == 0.0 || self.pull(v, *corner, Hold::Corner));
        }
        for &v in &surface {
            for k in 0..self.beside.of(v as usize).len() {
                let w = self.beside.of(v as usize)[k];
                let free = |v: u32| self.hold[v as usize] == Hold::Surface;
                let middle = (self.x[v as usize] + self.x[w as usize]) * 0.5;
                if v > w
                    || !(free(v) || free(w))
                    || self.region.distance(middle).abs() < CUT_OFF * self.cell
                {
                    continue;
                }
                let mut ways: Vec<(f64, u32, Vector3)> = [v, w]
                    .into_iter()
                    .filter(|&v| free(v))
                    .filter_map(|v| {
                        let there = self.region.crease(self.x[v as usize], reach)?;
                        Some(((there - self.x[v as usize]).norm(), v, there))
                    })
                    .collect();
                // The one that is nearer first.
                ways.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                for (_, v, there) in ways {
                    if self.pull(v, there, Hold::Crease) {
                        break;
                    }
                }
            }
        }
    }

    /// Moves a vertex to where it shall stay, if its tets allow it.
    fn pull(&mut self, v: u32, there: Vector3, hold: Hold) -> bool {
        let now = self.worst(v, self.x[v as usize]);
        let allowed = self.hold[v as usize] < hold && self.worst(v, there) >= LEAST_SHAPE.min(now);
        if allowed {
            self.x[v as usize] = there;
            self.hold[v as usize] = hold;
        }
        allowed
    }

    /// Moves each vertex to the middle of its neighbours, or away from the worst face opposite to it, if that helps.
    fn smooth(&mut self) {
        for v in 0..self.x.len() as u32 {
            let hold = self.hold[v as usize];
            if matches!(hold, Hold::Deep | Hold::Corner) {
                continue;
            }
            let from = self.x[v as usize];
            let mut best = (self.worst(v, from), from);
            let mut attempt = |shaped: &Self, step: Vector3| {
                let there = match hold {
                    Hold::Surface => Some(shaped.region.project(from + step)),
                    Hold::Crease => shaped.region.crease(from + step, 0.5 * shaped.cell),
                    _ => Some(from + step),
                };
                // Near thin walls the nearest point may be on the other side.
                if let Some(there) = there.filter(|x| (x - from).norm() < 0.5 * shaped.cell) {
                    let worst = shaped.worst(v, there);
                    if worst > best.0 + 1e-9 {
                        best = (worst, there);
                    }
                }
            };
            let toward = self.middle(v, hold) - from;
            for share in [1.0, 0.5, 0.2] {
                attempt(self, toward * share);
            }
            if let Some(away) = self.lift(v) {
                for share in [0.2, 0.08, -0.08] {
                    attempt(self, away * (share * self.cell));
                }
            }
            self.x[v as usize] = best.1;
        }
    }

    /// The mean of the neighbours that are held at least as much.
    fn middle(&self, v: u32, hold: Hold) -> Vector3 {
        let (mut sum, mut count) = (Vector3::zeros(), 0.0);
        let mut add = |w: u32| {
            sum += self.x[w as usize];
            count += 1.0;
        };
        if hold == Hold::Inside {
            let tets = self.around.of(v as usize).iter().map(|&t| self.tets[t as usize]);
            tets.flatten().filter(|&w| w != v).for_each(&mut add);
        } else {
            let beside = self.beside.of(v as usize).iter();
            beside.filter(|&&w| self.hold[w as usize] >= hold).for_each(|&w| add(w));
        }
        if count == 0.0 { self.x[v as usize] } else { sum / count }
    }

    /// Away from the face opposite to a vertex in its worst tet.
    fn lift(&self, v: u32) -> Option<Vector3> {
        let tets = self.around.of(v as usize).iter().map(|&t| self.tets[t as usize]);
        let worst = tets.min_by(|a, b| {
            let shape = |tet: &[u32; 4]| shape(&tet.map(|v| self.x[v as usize]));
            shape(a).total_cmp(&shape(b))
        })?;
        let mut others = worst.iter().filter(|&&w| w != v).map(|&w| self.x[w as usize]);
        let (a, b, c) = (others.next()?, others.next()?, others.next()?);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        Some(normal * normal.dot(&(self.x[v as usize] - a)).signum())
    }

    /// The shape of the worst tet around a vertex, if it were at `x`.
    fn worst(&self, v: u32, x: Vector3) -> f64 {
        let shape_of = |&t: &u32| {
            let corner = |w: u32| if w == v { x } else { self.x[w as usize] };
            shape(&self.tets[t as usize].map(corner))
        };
        self.around.of(v as usize).iter().map(shape_of).fold(f64::INFINITY, f64::min)
    }
}

/// Mean ratio, negative for inverted tets.
fn shape(x: &[Vector3; 4]) -> f64 {
    let edges = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let sum_sq: f64 = edges.iter().map(|&(i, j)| (x[i] - x[j]).norm_squared()).sum();
    let six_volume = 6.0 * tet_volume(x);
    12.0 * (0.5 * six_volume.abs()).cbrt().powi(2).copysign(six_volume) / sum_sq
}

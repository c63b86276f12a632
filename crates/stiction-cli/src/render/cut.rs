//! Surfaces and solids cut by a plane.

use std::collections::BTreeMap;

use stiction_render::Vec3;

/// Vertices and triangles, with a number at each vertex, and which triangle each of them came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) vertices: Vec<Vec3>,
    /// Empty if there are none.
    pub(super) numbers: Vec<f32>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Empty until it is cut; nothing for a triangle of the cut itself.
    pub(super) origins: Vec<Option<usize>>,
}

impl Piece {
    /// What lies where `normal · x < offset`, closed where `tets` are cut.
    pub(super) fn cut(&self, normal: &Vec3, offset: f32, tets: &[[u32; 4]]) -> Self {
        let heights: Vec<f32> = self.vertices.iter().map(|x| x.dot(normal) - offset).collect();
        let mut cut = Cut {
            whole: self,
            heights: &heights,
            numbers: BTreeMap::new(),
            piece: Self::default(),
        };
        for (triangle, origin) in self.triangles.iter().zip(0..) {
            let mut polygon = Vec::with_capacity(4);
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                if cut.kept(a) {
                    polygon.push(cut.vertex(a, a));
                }
                if cut.kept(a) != cut.kept(b) {
                    polygon.push(cut.vertex(a, b));
                }
            }
            cut.add(&polygon, Some(origin));
        }
        for tet in tets {
            let (kept, lost): (Vec<u32>, Vec<u32>) = tet.iter().partition(|&&v| cut.kept(v));
            let mut between = |a: u32, b: u32| cut.vertex(a, b);
            let polygon = match (&kept[..], &lost[..]) {
                (&[a], &[b, c, d]) | (&[b, c, d], &[a]) => {
                    [b, c, d].map(|v| between(a, v)).to_vec()
                }
                (&[a, b], &[c, d]) => {
                    vec![between(a, c), between(a, d), between(b, d), between(b, c)]
                }
                _ => continue,
            };
            cut.add(&polygon, None);
        }
        cut.piece
    }
}

struct Cut<'a> {
    whole: &'a Piece,
    heights: &'a [f32],
    /// New numbers of vertices, and of points on edges between two.
    numbers: BTreeMap<(u32, u32), u32>,
    piece: Piece,
}

impl Cut<'_> {
    fn kept(&self, v: u32) -> bool {
        self.heights[v as usize] < 0.0
    }

    /// The point where the edge between two vertices is cut; the vertex itself if both are one.
    fn vertex(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (a.min(b), a.max(b));
        let (i, j) = (a as usize, b as usize);
        let Self { whole, heights, numbers, piece } = self;
        *numbers.entry((a, b)).or_insert_with(|| {
            let t = if a == b { 0.0 } else { heights[i] / (heights[i] - heights[j]) };
            piece.vertices.push(whole.vertices[i] + (whole.vertices[j] - whole.vertices[i]) * t);
            let [x, y] = [i, j].map(|v| whole.numbers.get(v));
            piece.numbers.extend(x.zip(y).map(|(x, y)| x + (y - x) * t));
            piece.vertices.len() as u32 - 1
        })
    }

    fn add(&mut self, polygon: &[u32], origin: Option<usize>) {
        for k in 2..polygon.len() {
            self.piece.triangles.push([polygon[0], polygon[k - 1], polygon[k]]);
            self.piece.origins.push(origin);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use stiction_render::Vec3;

    use super::Piece;

    #[test]
    fn a_cut_solid_is_closed_and_its_numbers_are_blended() {
        let vertices = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let numbers: Vec<f32> = vertices.iter().map(|x| x.x + 2.0 * x.y).collect();
        let whole = Piece { vertices, numbers, triangles, origins: Vec::new() };
        let tets = [[0, 1, 2, 3]];
        // One corner, three corners, two of them, all, none.
        let cases = [
            (Vec3::x(), 0.5),
            (-Vec3::x(), -0.5),
            (Vec3::new(1.0, 1.0, 0.0), 0.5),
            (Vec3::x(), 2.0),
        ];
        for (normal, offset) in cases {
            let piece = whole.cut(&normal, offset, &tets);
            assert_eq!(piece.origins.len(), piece.triangles.len());
            for (x, number) in piece.vertices.iter().zip(&piece.numbers) {
                assert!(x.dot(&normal) < offset + 1e-6, "{x} is cut away");
                assert!((number - x.x - 2.0 * x.y).abs() < 1e-6);
            }
            let mut edges: BTreeMap<(u32, u32), usize> = BTreeMap::new();
            for t in &piece.triangles {
                for k in 0..3 {
                    let (a, b) = (t[k], t[(k + 1) % 3]);
                    *edges.entry((a.min(b), a.max(b))).or_default() += 1;
                }
            }
            assert!(edges.len() >= 6 && edges.values().all(|&count| count == 2), "{edges:?}");
        }
        assert!(whole.cut(&Vec3::x(), -1.0, &tets).triangles.is_empty());
    }
}

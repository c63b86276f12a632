//! Distances along edges against all pairs at once (Floyd and Warshall), and what is cut off.

use stiction::math::Vector3;
use stiction::mesh::generate::{Diagonals, ball, sheet, unstructured_sheet};
use stiction::mesh::topology::EdgeGraph;
use stiction::mesh::{Mesh, TriMesh};

/// Distances of all vertices by Floyd's and Warshall's algorithm.
fn all_distances<const N: usize>(mesh: &Mesh<N>) -> Vec<Vec<f64>> {
    let n = mesh.vertex_count();
    let mut d = vec![vec![f64::INFINITY; n]; n];
    for [a, b] in mesh.edges().into_iter().map(|edge| edge.map(|v| v as usize)) {
        let length = (mesh.vertices()[a] - mesh.vertices()[b]).norm();
        d[a][b] = length;
        d[b][a] = length;
    }
    for (i, row) in d.iter_mut().enumerate() {
        row[i] = 0.0;
    }
    for k in 0..n {
        let by = d[k].clone();
        for row in &mut d {
            let to = row[k];
            row.iter_mut().zip(&by).for_each(|(x, from)| *x = x.min(to + from));
        }
    }
    d
}

fn agree<const N: usize>(mesh: &Mesh<N>, radius: f64) {
    let slow = all_distances(mesh);
    let graph = EdgeGraph::of_mesh(mesh);
    let mut search = graph.search();
    let mut cut = 0;
    for (source, slow) in slow.iter().enumerate() {
        let found = search.within(source as u32, radius);
        assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0), "ascending, none twice");
        for &(v, distance) in &found {
            assert!((distance - slow[v as usize]).abs() < 1e-12);
            assert!(distance < radius);
        }
        for (v, distance) in slow.iter().enumerate() {
            let is_there = found.iter().any(|(w, _)| *w as usize == v);
            assert!((distance - radius).abs() < 1e-9 || is_there == (*distance < radius));
        }
        cut += usize::from(found.len() < slow.len());
    }
    assert!(cut > 0, "something is farther away");
}

#[test]
fn distances_along_edges_are_the_shortest_and_end_at_the_radius() {
    agree(&sheet([1.0, 0.7], [9, 6], Diagonals::Alternating).unwrap(), 0.4);
    agree(&unstructured_sheet([1.0, 1.0], 0.15, 3).unwrap(), 0.5);
    agree(&ball(1.0, 0.5).unwrap(), 1.1);
}

/// On a grid of right triangles: of the 25 vertices within three edges, ways along edges find 19; √2 times as far,
/// they miss none.
#[test]
fn ways_along_edges_are_longer_than_geodesics() {
    let grid: TriMesh = sheet([20.0, 20.0], [20, 20], Diagonals::Regular).unwrap();
    let x = grid.vertices();
    let middle = x.iter().position(|x| x.norm() < 1e-9).unwrap();
    let near = |v: &usize| (x[*v] - x[middle]).norm() < 3.0 - 1e-9;
    let exact: Vec<u32> = (0..x.len()).filter(near).map(|v| v as u32).collect();
    let graph = EdgeGraph::of_mesh(&grid);
    let within = |radius: f64| {
        let found = graph.search().within(middle as u32, radius);
        found.into_iter().map(|(v, _)| v).collect::<Vec<_>>()
    };
    let enough = within(2.0_f64.sqrt() * 3.0 - 1e-9);
    assert_eq!((exact.len(), within(3.0 - 1e-9).len(), enough.len()), (25, 19, 45));
    assert!(exact.iter().all(|v| enough.contains(v)));
}

#[test]
fn graphs_may_be_odd() {
    let at = |x: f64| Vector3::new(x, 0.0, 0.0);
    let x = [at(0.0), at(1.0), at(3.0), at(f64::NAN), at(9.0)];
    let length = |[a, b]: [u32; 2]| ([a, b], (x[a as usize] - x[b as usize]).norm());
    // Joined twice, no number, joined to itself, alone.
    let edges = [length([0, 1]), ([0, 1], 5.0), length([1, 2]), length([2, 3]), ([1, 1], 0.0)];
    let graph = EdgeGraph::new(5, edges.into_iter());
    let mut search = graph.search();
    assert_eq!(search.within(0, 10.0), [(0, 0.0), (1, 1.0), (2, 3.0)]);
    assert_eq!(search.within(2, 2.5), [(1, 2.0), (2, 0.0)]);
    assert_eq!(search.within(4, 1.0), [(4, 0.0)]);
    assert_eq!(search.within(4, 0.0), []);
}

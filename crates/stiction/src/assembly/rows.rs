//! Which nodes are solved for, and in what order they stand in vectors and matrices.

use crate::math::Vector3;

/// The order of nodes in vectors and matrices: free ones first, held ones last.
#[derive(Clone, Debug)]
pub struct Rows {
    row_of_node: Vec<u32>,
    node_of_row: Vec<u32>,
    free: usize,
}

impl Rows {
    /// Orders free nodes by recursive bisection of their positions, so that ranges of rows are compact in
    /// space; held nodes follow in their own order.
    pub fn new(points: &[Vector3], held: impl Fn(u32) -> bool) -> Self {
        let (mut node_of_row, held): (Vec<u32>, Vec<u32>) =
            (0..points.len() as u32).partition(|&node| !held(node));
        let free = node_of_row.len();
        bisect(points, &mut node_of_row);
        node_of_row.extend(held);
        let mut row_of_node = vec![0; points.len()];
        for (row, &node) in node_of_row.iter().enumerate() {
            row_of_node[node as usize] = row as u32;
        }
        Self { row_of_node, node_of_row, free }
    }

    /// Number of rows, free and held.
    pub fn len(&self) -> usize {
        self.node_of_row.len()
    }

    /// True when there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.node_of_row.is_empty()
    }

    /// Number of rows that are solved for.
    pub fn free(&self) -> usize {
        self.free
    }

    /// The row of a node.
    pub fn of_node(&self, node: u32) -> u32 {
        self.row_of_node[node as usize]
    }

    /// Nodes in the order of rows.
    pub fn nodes(&self) -> &[u32] {
        &self.node_of_row
    }

    /// Nodes that are solved for, in the order of rows.
    pub fn free_nodes(&self) -> &[u32] {
        &self.node_of_row[..self.free]
    }

    /// Copies rows out of a vector over nodes: as many as `rows` holds, the free ones first.
    pub fn gather(&self, nodes: &[f64], rows: &mut [f64]) {
        for (row, &node) in rows.chunks_exact_mut(3).zip(&self.node_of_row) {
            row.copy_from_slice(&nodes[3 * node as usize..][..3]);
        }
    }

    /// Copies free rows into a vector over nodes.
    pub fn scatter(&self, rows: &[f64], nodes: &mut [f64]) {
        for (row, &node) in rows.chunks_exact(3).zip(self.free_nodes()) {
            nodes[3 * node as usize..][..3].copy_from_slice(row);
        }
    }
}

/// Orders `nodes` so that each half, quarter, … is compact.
fn bisect(points: &[Vector3], nodes: &mut [u32]) {
    /// Smaller groups share cache lines whatever their order.
    const GROUP: usize = 16;
    if nodes.len() <= GROUP {
        nodes.sort_unstable();
        return;
    }
    let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    for &node in nodes.iter() {
        low = low.inf(&points[node as usize]);
        high = high.sup(&points[node as usize]);
    }
    let axis = (high - low).imax();
    let at = |node: u32| points[node as usize][axis];
    let half = nodes.len() / 2;
    nodes.select_nth_unstable_by(half, |&a, &b| at(a).total_cmp(&at(b)).then(a.cmp(&b)));
    let (left, right) = nodes.split_at_mut(half);
    rayon::join(|| bisect(points, left), || bisect(points, right));
}

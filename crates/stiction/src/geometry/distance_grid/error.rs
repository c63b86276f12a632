//! Why there is no grid.

/// What is wrong with a grid of distances.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DistanceGridError {
    /// Too coarse or too fine.
    #[error(
        "a distance grid of resolution {resolution} would have {nodes:.2e} nodes\n  help: give a resolution of \
         {least} or more, and at most {most:.0e} nodes; 64 to 256 are usual"
    )]
    Resolution {
        /// Cells along the longest side.
        resolution: usize,
        /// Nodes that the grid would have.
        nodes: f64,
        /// The coarsest that makes sense.
        least: usize,
        /// The most nodes.
        most: f64,
    },
    /// The box to sample is empty or not finite.
    #[error(
        "a distance grid needs a box with a volume, finite, and a margin of at least zero\n  help: check the size \
         of the shape"
    )]
    Bounds,
    /// The numbers do not make a grid.
    #[error(
        "{values} values do not make a grid of {} × {} × {} nodes, at least 4 each\n  help: values go with `x` \
         fastest, one a node",
        counts[0], counts[1], counts[2]
    )]
    Shape {
        /// Nodes along each axis.
        counts: [usize; 3],
        /// Values given.
        values: usize,
    },
    /// A distance is not a number.
    #[error(
        "the distance at node {node} is not finite\n  help: check the function that was sampled"
    )]
    NotFinite {
        /// Which node, `x` fastest.
        node: usize,
    },
}

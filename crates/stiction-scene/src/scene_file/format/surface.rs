//! How surfaces are smoothed where others touch them.

use super::super::decode::{Spanned, record, word};
use super::super::leaves::Positive;

record! {
    /// How the mesh or the cloud of a body is smoothed for contact. What is left out is chosen from it.
    SurfaceTable, "a surface" {
        /// What of a mesh becomes a sample; `faces` by default.
        samples: Option<SamplesWord>,
        /// Of `vertices`: what faces count in a normal; `area` by default.
        normals: Option<NormalsWord>,
        /// How samples fade with distance; for obstacles `quartic` by default, for what deforms `cubic`.
        kernel: Option<KernelWord>,
        /// Of `rational` and `interpolating`: the smaller, the closer to the samples [-]; 0.1 and 1e-5 by default.
        epsilon: Option<Positive>,
        /// Where a sample stops to count [m]; by default 2 to 3.5 times how far samples are apart.
        radius: Option<Positive>,
        /// What becomes of edges; by default `sharp` if there are sharp ones, `robust` if these stick out and run
        /// along grooves, else `round`.
        edges: Option<EdgesWord>,
        /// Of `robust`: a height off by this many spacings counts less by e [-]; 0.5 by default.
        range: Option<Positive>,
        /// Of `robust`: a normal off by this length counts less by e [-]; 0.8 by default.
        normal_range: Option<Positive>,
        /// Of `sharp`: edges are sharp where faces turn by more than this; 45.5 by default.
        degrees: Option<Spanned<Positive>>,
        /// Of `sharp`: over how many spacings edges are rounded [-]; 0.05 by default.
        rounding: Option<Positive>,
    }
}

word! {
    /// What of a mesh becomes a sample.
    SamplesWord, "what of a mesh becomes a sample" {
        /// Centroids with face normals.
        "faces" => Faces,
        /// Vertices with averaged normals.
        "vertices" => Vertices,
    }
}

word! {
    /// What a face counts in the normal of its vertex.
    NormalsWord, "a weight of normals" {
        /// Its area.
        "area" => Area,
        /// Its angle.
        "angle" => Angle,
        /// One.
        "uniform" => Uniform,
    }
}

word! {
    /// How samples fade with distance.
    KernelWord, "a kernel" {
        /// `1 − 3ρ² + 2ρ³`: local.
        "cubic" => Cubic,
        /// `(1 − ρ²)⁴`: smoothest.
        "quartic" => Quartic,
        /// The cubic, sharpened towards the samples.
        "rational" => Rational,
        /// Close to every sample; its slope jumps.
        "interpolating" => Interpolating,
    }
}

word! {
    /// What becomes of edges.
    EdgesWord, "what becomes of edges" {
        /// Blended like all else.
        "round" => Round,
        /// Samples that disagree with the blend count less.
        "robust" => Robust,
        /// Kept: for shapes whose sharp edges all stick out, or all run along grooves.
        "sharp" => Sharp,
    }
}

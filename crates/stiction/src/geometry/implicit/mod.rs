//! Smooth surfaces through meshes and point clouds: implicit moving least squares.
//!
//! A triangulated surface has edges, and whatever slides over it feels them. Here a surface is the zero set
//! of a smooth function instead, blended from the tangent planes of oriented samples `(s_j, n_j)`:
//!
//! $$ \Psi(x) = \frac{\sum_j w_j\, \psi_j}{\sum_j w_j}, \qquad
//!    \psi_j = n_j \cdot (x - s_j), \quad w_j = \varphi(|x - s_j|) \qquad \text{[Lar22, §3.4.1]} $$
//!
//! positive outside. Samples are the centroids of the faces with face normals, the vertices with averaged
//! normals, or the points of an oriented cloud. On a flat mesh `Ψ` is the height, to rounding. The *robust*
//! field ([`Robust`]) weighs down samples that disagree with the blend, which keeps edges and thin parts somewhat; the
//! *sharp* one ([`Sharp`]) blends the parts between sharp edges each by itself, which keeps them altogether.
//!
//! Samples and normals follow the deformed mesh, and derivatives go all the way through them: with respect to
//! the point and to every mesh vertex the value depends on. So a force `λ ∂Ψ` on all of them pushes and turns
//! a free pair of bodies by nothing, to rounding.
//!
//! How a solver uses it:
//!
//! ```
//! use stiction::geometry::implicit::{FieldJet, ImplicitSurface, Order, SurfaceSettings};
//! use stiction::math::Vector3;
//! use stiction::mesh::generate;
//!
//! let mut mesh = generate::sheet([1.0, 1.0], [8, 8], generate::Diagonals::Alternating)?.into_soup();
//! let mut surface =
//!     ImplicitSurface::from_mesh(&mesh.vertices, &mesh.elements, &SurfaceSettings::default())?;
//!
//! // Once a step: sort the samples, and collect those that may come near.
//! surface.rebuild_search();
//! let (x, margin) = (Vector3::new(0.03, 0.02, 0.05), 0.1);
//! let mut candidates = Vec::new();
//! surface.candidates(&x, margin, &mut candidates);
//!
//! // Many times a step: move the mesh, evaluate.
//! mesh.vertices.iter_mut().for_each(|vertex| vertex.z += 0.01);
//! surface.update(&mesh.vertices);
//! let mut jet = FieldJet::default();
//! assert!(surface.jet(&x, &candidates, Order::Second, &mut jet));
//! assert!((jet.value - 0.04).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What to know about such surfaces [Lar22; DLCT24]:
//!
//! - `Ψ` is a height, not quite a distance: `|∇Ψ|` is one on planes and only near one elsewhere.
//! - Convex shapes come out larger, concave ones smaller, by about `R²` times the curvature over a dozen or two.
//!   A vertex of the mesh is not on the surface; [`ImplicitSurface::hausdorff`] measures by how much.
//! - Farther than the radius from every sample there is no value at all. A point that got in deeper than that
//!   is not pushed out, and an open sheet goes on beyond its border by up to the radius.
//! - Where two sides are closer than the radius, their opposite normals cancel. The robust field stands about
//!   2.5 times thinner parts, the sharp one any.

mod blend;
mod chain;
mod error;
mod jet;
mod near;
mod patches;
mod quality;
mod robust;
mod samples;
mod settings;
mod sharp;
mod vertex_normal;

pub use error::SurfaceError;
pub use jet::{FieldJet, Order, SampleSlope};
pub use patches::SharpEdges;
pub use quality::Hausdorff;
pub use settings::{Edges, NormalWeights, Robust, SampleKind, Sharp, SurfaceSettings};

use super::Jet;
use super::kernel::Kernel;
use super::neighbours::Neighbours;
use crate::math::Vector3;
use samples::{Layout, Samples};

/// The zero set of a blend of oriented samples. Positive outside.
#[derive(Clone, Debug)]
#[doc(alias("IMLS", "implicit moving least squares"))]
pub struct ImplicitSurface {
    samples: Samples,
    kernel: Kernel,
    radius: f64,  // R [m]
    spacing: f64, // [m]
    settings: SurfaceSettings,
    edges: Field,
    search: Neighbours,
}

/// How samples are blended.
#[derive(Clone, Debug)]
enum Field {
    Plain,
    Robust(robust::Falloff),
    Sharp(sharp::Creases),
}

impl ImplicitSurface {
    /// A surface through a triangle mesh with outward normals. Vertices no triangle names are ignored.
    ///
    /// Radius and spacing are measured here once; they stay when the mesh deforms.
    pub fn from_mesh(
        vertices: &[Vector3],
        triangles: &[[u32; 3]],
        settings: &SurfaceSettings,
    ) -> Result<Self, SurfaceError> {
        settings.check()?;
        let (samples, spacing) = Samples::from_mesh(vertices, triangles, settings.samples)?;
        let multiple = match (settings.samples, settings.kernel) {
            (SampleKind::Faces, Kernel::Quartic) => 3.5,
            (SampleKind::Faces, _) => 2.0,
            (SampleKind::Vertices(_), _) => 2.5,
        };
        let mut surface = Self::new(samples, spacing, multiple, settings);
        if let Edges::Sharp(Sharp { angle, rounding }) = settings.edges {
            if settings.samples != SampleKind::Faces {
                return Err(SurfaceError::NoFaces);
            }
            let edges = SharpEdges::find(vertices, triangles, angle);
            let patches = patches::Patches::new(triangles.len(), &edges)?;
            let rounding = rounding * surface.spacing;
            surface.edges = Field::Sharp(sharp::Creases { patches, rounding });
        }
        Ok(surface)
    }

    /// A surface through points with outward normals of any length, for example from a scanner. It has no
    /// mesh and does not move. Of the settings, `samples` does not matter.
    pub fn from_points(
        points: &[Vector3],
        normals: &[Vector3],
        settings: &SurfaceSettings,
    ) -> Result<Self, SurfaceError> {
        settings.check()?;
        if matches!(settings.edges, Edges::Sharp(_)) {
            return Err(SurfaceError::NoFaces);
        }
        let (samples, spacing) = Samples::from_points(points, normals)?;
        Ok(Self::new(samples, spacing, 2.5, settings))
    }

    fn new(samples: Samples, spacing: f64, multiple: f64, settings: &SurfaceSettings) -> Self {
        // A single point has no spacing; any length does, and the caller may know better.
        let spacing = if spacing > 0.0 { spacing } else { 1.0 };
        let radius = settings.radius.unwrap_or(multiple * spacing);
        let edges = match &settings.edges {
            Edges::Robust(robust) => Field::Robust(robust::Falloff::new(robust, spacing)),
            Edges::Round | Edges::Sharp(_) => Field::Plain,
        };
        let search = Neighbours::new(&samples.points, radius);
        let settings = SurfaceSettings { radius: Some(radius), ..*settings };
        Self { samples, kernel: settings.kernel, radius, spacing, settings, edges, search }
    }

    /// Moves the surface with its mesh: sample points and normals anew, in time linear in their number.
    /// The search structure stays as it is until [`rebuild_search`](Self::rebuild_search). A triangle without
    /// area has no normal; its sample does not count until it has one again.
    ///
    /// # Panics
    /// When the number of vertices is not that of the mesh the surface was made from, or it had none.
    pub fn update(&mut self, vertices: &[Vector3]) {
        assert_eq!(vertices.len(), self.samples.vertex_count(), "as many vertices as at first");
        self.update_from(|vertex| vertices[vertex as usize]);
    }

    /// As [`update`](Self::update), asking for the position of each vertex the triangles name.
    ///
    /// # Panics
    /// When the surface was made from points.
    pub fn update_from(&mut self, position: impl Fn(u32) -> Vector3) {
        self.samples.update(position);
    }

    /// Sorts the samples anew for [`candidates`](Self::candidates). Linear in their number.
    pub fn rebuild_search(&mut self) {
        self.search.rebuild(&self.samples.points, self.radius);
    }

    /// Collects the samples that were within the radius plus `margin` [m] of `x` when the search structure was
    /// built, ascending. As long as point and samples together move by less than the margin, no other sample
    /// can matter. Replaces what is in `found`.
    pub fn candidates(&self, x: &Vector3, margin: f64, found: &mut Vec<u32>) {
        self.search.within(x, self.radius + margin, found);
    }

    /// The mesh vertices that a sample depends on. Of vertices, samples are those with faces, in their order.
    pub fn sample_vertices(&self, sample: u32) -> &[u32] {
        self.samples.stencil(sample)
    }

    /// The patch between sharp edges that a sample belongs to; all are of one where edges are not kept sharp.
    pub fn patch(&self, sample: u32) -> u32 {
        match &self.edges {
            Field::Sharp(creases) => creases.patches.of_face[sample as usize],
            Field::Plain | Field::Robust(_) => 0,
        }
    }

    /// The mesh vertices that samples depend on, ascending: for sparsity patterns. Replaces what is in `found`.
    pub fn dependencies(&self, candidates: &[u32], found: &mut Vec<u32>) {
        found.clear();
        for &sample in candidates {
            found.extend_from_slice(self.samples.stencil(sample));
        }
        found.sort_unstable();
        found.dedup();
    }

    /// Value and derivatives at `x` with respect to `x` and mesh vertices, from the `candidates` only.
    ///
    /// False when no candidate is within the radius: there is no value then, and `jet` is empty. Any number of
    /// threads may evaluate, each with its own `jet`; its memory is reused.
    pub fn jet(&self, x: &Vector3, candidates: &[u32], order: Order, jet: &mut FieldJet) -> bool {
        jet.clear();
        if !near::gather(self, x, candidates, &mut jet.near) {
            return false;
        }
        self.select(x, jet);
        match &self.samples.layout {
            Layout::Points => self.evaluate(chain::Fixed, order, jet),
            Layout::Faces(faces) => {
                jet.number_vertices(faces.vertex_count, |sample| &faces.triangles[sample as usize]);
                let slots = std::mem::take(&mut jet.slots);
                self.evaluate(chain::ByFaces { faces, slots: &slots }, order, jet);
                jet.slots = slots;
            }
            Layout::Vertices(rings) => {
                jet.number_vertices(rings.vertex_count(), |sample| rings.stencil(sample));
                let slots = std::mem::take(&mut jet.slots);
                let mut slopes = std::mem::take(&mut jet.normal_slopes);
                let chain = chain::ByVertices::new(rings, &jet.near, &slots, order, &mut slopes);
                self.evaluate(chain, order, jet);
                (jet.slots, jet.normal_slopes) = (slots, slopes);
            }
        }
        true
    }

    /// The value at `x`, if any sample is near. Searches and allocates: for inspection rather than for loops.
    pub fn value(&self, x: &Vector3) -> Option<f64> {
        let (mut candidates, mut jet) = (Vec::new(), FieldJet::default());
        self.candidates(x, 0.0, &mut candidates);
        self.evaluate_fixed(x, &candidates, Order::Value, &mut jet).then_some(jet.value)
    }

    /// Value and derivatives at `x` with respect to `x`, the mesh held fixed. Searches and allocates; see
    /// [`point_jet_among`](Self::point_jet_among).
    pub fn point_jet(&self, x: &Vector3) -> Option<Jet> {
        let (mut candidates, mut jet) = (Vec::new(), FieldJet::default());
        self.candidates(x, 0.0, &mut candidates);
        self.point_jet_among(x, &candidates, &mut jet)
    }

    /// Value and derivatives at `x` with respect to `x` from the `candidates` only, the mesh held fixed: the
    /// cheap way for things that do not deform. Allocates nothing; `scratch` ends up as [`jet`](Self::jet)
    /// of a surface without vertices.
    pub fn point_jet_among(
        &self,
        x: &Vector3,
        candidates: &[u32],
        scratch: &mut FieldJet,
    ) -> Option<Jet> {
        self.evaluate_fixed(x, candidates, Order::Second, scratch).then(|| Jet {
            value: scratch.value,
            gradient: scratch.gradient[0],
            hessian: scratch.hessian[0],
        })
    }

    /// The kernel radius: farther from all samples there is no value [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// How far samples are apart at most, about; see [`SurfaceSettings::radius`] [m].
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// What it was made with, the radius as it was chosen.
    pub fn settings(&self) -> &SurfaceSettings {
        &self.settings
    }

    /// How samples fade with distance.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Where the samples are [m].
    pub fn sample_points(&self) -> &[Vector3] {
        &self.samples.points
    }

    /// Unit normals of the samples; zero where there is none.
    pub fn sample_normals(&self) -> &[Vector3] {
        &self.samples.normals
    }

    fn evaluate_fixed(
        &self,
        x: &Vector3,
        candidates: &[u32],
        order: Order,
        jet: &mut FieldJet,
    ) -> bool {
        jet.clear();
        let any = near::gather(self, x, candidates, &mut jet.near);
        if any {
            self.select(x, jet);
            self.evaluate(chain::Fixed, order, jet);
        }
        any
    }

    /// Of a sharp field, keeps the samples of patches that matter at `x`.
    fn select(&self, x: &Vector3, jet: &mut FieldJet) {
        if let (Field::Sharp(creases), Layout::Faces(faces)) = (&self.edges, &self.samples.layout) {
            creases.select(x, faces, &self.samples.points, &mut jet.near, &mut jet.groups);
        }
    }

    fn evaluate(&self, chain: impl chain::Chain, order: Order, jet: &mut FieldJet) {
        match &self.edges {
            Field::Plain => blend::evaluate(&chain, order, jet),
            Field::Robust(falloff) => robust::evaluate(falloff, &chain, order, jet),
            Field::Sharp(_) => sharp::evaluate(&chain, order, jet),
        }
    }
}

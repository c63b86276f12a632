//! What can be wrong with a scene.

use crate::element::RestShapeError;
use crate::geometry::OpenSurface;
use crate::mesh::{MeshError, SelectionError};
use crate::step::IntegratorError;

/// Why a scene cannot be simulated.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SceneError {
    /// No smooth surface can be put through a body that may be touched.
    #[error("body {body} cannot be touched: {source}")]
    Surface {
        /// The body.
        body: String,
        /// Why.
        source: crate::geometry::implicit::SurfaceError,
    },
    /// A body is to touch itself that cannot.
    #[error(
        "body {body} cannot touch itself: it is {what}\n  help: leave out its contact with itself; solids and cloth have one"
    )]
    NoSelfContact {
        /// Its name.
        body: String,
        /// What it is.
        what: &'static str,
    },
    /// Parts of a body that is to touch itself are within the layer of contact from the beginning.
    #[error(
        "body {body} is to touch itself, but {when} {count} pairs of places on it are nearer to each other than the layer of {layer:.2e} m: vertices {} and {} by {distance:.2e} m{}\n  help: {}",
        vertices[0], vertices[1],
        if *count > 1 { ", the nearest of them" } else { "" },
        if *distance > 0.0 { "give its contact with itself a `thickness` below that distance, or move them apart" } else { "move them apart: they touch or cross" }
    )]
    NearItself {
        /// Its name.
        body: String,
        /// At rest, or at the start.
        when: &'static str,
        /// How many pairs.
        count: usize,
        /// Vertices of the nearest pair.
        vertices: [u32; 2],
        /// How far they are apart [m].
        distance: f64,
        /// How far they ought to be [m].
        layer: f64,
    },
    /// A body is named that the scene does not have.
    #[error(
        "{what} refers to body {body}, but the scene has {count}\n  help: use the ids that `Scene::add` returned"
    )]
    UnknownBody {
        /// What refers to it.
        what: &'static str,
        /// Its number.
        body: usize,
        /// How many there are.
        count: usize,
    },
    /// An obstacle has no vertices to hold, load or join.
    #[error(
        "{what} needs a solid or cloth, but body {body} is an obstacle\n  help: move an obstacle by its own `motion`"
    )]
    NotDeformable {
        /// What refers to it.
        what: &'static str,
        /// Its name.
        body: String,
    },
    /// Something needs a body that deforms.
    #[error(
        "{what} needs a body that deforms, but body {body} is rigid\n  help: hold a rigid body with springs, or make it an obstacle with a `motion`"
    )]
    Rigid {
        /// What refers to it.
        what: &'static str,
        /// Its name.
        body: String,
    },
    /// A rigid body has no mass.
    #[error("body {body}: {source}")]
    Mass {
        /// Its name.
        body: String,
        /// What is wrong.
        source: crate::rigid::MassError,
    },
    /// A selection of a pin, load or weld fails.
    #[error("{what} on body {body}: {source}")]
    Selection {
        /// What selects.
        what: &'static str,
        /// On whom.
        body: String,
        /// Why it fails.
        source: SelectionError,
    },
    /// The placement of a body breaks its mesh.
    #[error("body {body}: {source}")]
    Mesh {
        /// Whose mesh.
        body: String,
        /// Why.
        source: MeshError,
    },
    /// The rest shape of a body has no elements to speak of.
    #[error("body {body}: {source}")]
    RestShape {
        /// Whose shape.
        body: String,
        /// Why.
        source: RestShapeError,
    },
    /// A number is out of its range.
    #[error("{what} of {whose} is {value}\n  help: {help}")]
    Value {
        /// Which quantity.
        what: &'static str,
        /// Of whom.
        whose: String,
        /// The value given.
        value: String,
        /// What to give instead.
        help: &'static str,
    },
    /// The start shape of a body has another number of vertices.
    #[error(
        "body {body} starts with {given} positions, but its mesh has {vertices} vertices\n  help: give one position per vertex"
    )]
    StartShape {
        /// Whose.
        body: String,
        /// Positions given.
        given: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// Two pins prescribe one coordinate.
    #[error(
        "vertex {vertex} of body {body} is held by two pins along {axis}\n  help: make their selections disjoint, or use one pin"
    )]
    HeldTwice {
        /// Whose vertex.
        body: String,
        /// Which.
        vertex: u32,
        /// Along which axis.
        axis: char,
    },
    /// Faces are needed, vertices were selected.
    #[error(
        "{what} on body {body} selects {vertices} vertices but no whole face of its surface\n  help: select all corners of at least one face of the surface"
    )]
    NoFace {
        /// What selects.
        what: &'static str,
        /// On whom.
        body: String,
        /// Selected vertices.
        vertices: usize,
    },
    /// What encloses a zone has holes.
    #[error("zone {zone} is not enclosed: {source}")]
    OpenZone {
        /// Which.
        zone: String,
        /// How open.
        source: OpenSurface,
    },
    /// What encloses a zone holds nothing at rest.
    #[error(
        "zone {zone} has no volume at rest\n  help: give its rest volume, or a surface that encloses some"
    )]
    FlatZone {
        /// Which.
        zone: String,
    },
    /// A zone is looked for inside a body that has none.
    #[error(
        "zone {zone} is in a cavity of body {body}, which {}",
        if *cloth { "is a cloth\n  help: take all of it" } else { "has none\n  help: give it a closed hollow, or take its outside" }
    )]
    NoCavity {
        /// Which.
        zone: String,
        /// Whose hollows.
        body: String,
        /// Whether it is a cloth.
        cloth: bool,
    },
    /// A weld finds no partner.
    #[error(
        "{alone} of {selected} vertices of body {a} have no vertex of body {b} within {tolerance:.1e} m to be welded to; the nearest is {nearest:.1e} m away\n  help: move the bodies together, raise the tolerance, or join them with springs"
    )]
    Alone {
        /// Whose vertices.
        a: String,
        /// Of whom partners were sought.
        b: String,
        /// Vertices without a partner.
        alone: usize,
        /// Vertices selected.
        selected: usize,
        /// How far partners may be [m].
        tolerance: f64,
        /// How far the nearest partner of a lonely vertex is [m].
        nearest: f64,
    },
    /// A vertex number is too large.
    #[error(
        "a spring is tied to vertex {vertex} of body {body}, which has {count}\n  help: vertices are numbered from 0"
    )]
    NoVertex {
        /// Whose.
        body: String,
        /// The number.
        vertex: u32,
        /// How many there are.
        count: usize,
    },
    /// The integrator's parameters are out of range.
    #[error(transparent)]
    Integrator(#[from] IntegratorError),
    /// A state of another scene.
    #[error(
        "the state does not fit the scene: {what} has {given} entries, not {expected}\n  help: restore a state only into the scene it was saved from"
    )]
    State {
        /// Which part.
        what: &'static str,
        /// Entries given.
        given: usize,
        /// Entries of the scene.
        expected: usize,
    },
}

//! What can be wrong with a scene.

use super::subject::{Named, Subject};
use crate::body::BodyId;
use crate::element::RestShapeError;
use crate::geometry::OpenSurface;
use crate::mesh::{MeshError, SelectionError};
use crate::step::IntegratorError;

/// Why a scene cannot be simulated. Displayed, it ends with its [remedy](Self::help).
#[derive(Clone, Debug, thiserror::Error)]
pub enum SceneError {
    /// No smooth surface can be put through a body that may be touched.
    #[error("body {body} cannot be touched: {source}")]
    Surface {
        /// The body.
        body: Named,
        /// Why.
        source: crate::geometry::implicit::SurfaceError,
    },
    /// A body is to touch itself that cannot.
    #[error("body {body} cannot touch itself: it is {what}\n  help: {}", self.remedy())]
    NoSelfContact {
        /// The body.
        body: Named,
        /// What it is.
        what: &'static str,
    },
    /// Parts of a body that is to touch itself are within the layer of contact from the beginning.
    #[error(
        "body {body} is to touch itself, but {when} {count} pairs of places on it are nearer to each other than \
         the layer of {layer:.2e} m: vertices {} and {} by {distance:.2e} m{}\n  help: {}",
        vertices[0],
        vertices[1],
        if *count > 1 { ", the nearest of them" } else { "" },
        self.remedy()
    )]
    NearItself {
        /// The body.
        body: Named,
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
    #[error("{what} refers to body {}, but the scene has {count}\n  help: {}", body.index(), self.remedy())]
    UnknownBody {
        /// The kind of what refers to it.
        what: &'static str,
        /// What refers to it.
        by: Subject,
        /// The id.
        body: BodyId,
        /// How many bodies there are.
        count: usize,
    },
    /// An obstacle has no vertices to hold, load or join.
    #[error("{what} needs a solid or cloth, but body {body} is an obstacle\n  help: {}", self.remedy())]
    NotDeformable {
        /// The kind of what refers to it.
        what: &'static str,
        /// What refers to it.
        by: Subject,
        /// The obstacle.
        body: Named,
    },
    /// Something needs a body that deforms.
    #[error("{what} needs a body that deforms, but body {body} is rigid\n  help: {}", self.remedy())]
    Rigid {
        /// The kind of what refers to it.
        what: &'static str,
        /// What refers to it.
        by: Subject,
        /// The rigid body.
        body: Named,
    },
    /// A rigid body has no mass.
    #[error("body {body}: {source}")]
    Mass {
        /// The body.
        body: Named,
        /// What is wrong.
        source: crate::rigid::MassError,
    },
    /// A selection of a pin, load, weld or zone fails.
    #[error("{what} on body {body}: {source}")]
    Selection {
        /// The kind of what selects.
        what: &'static str,
        /// What selects.
        by: Subject,
        /// On whom.
        body: Named,
        /// Why it fails.
        source: Box<SelectionError>,
    },
    /// The placement of a body breaks its mesh.
    #[error("body {body}: {source}")]
    Mesh {
        /// Whose mesh.
        body: Named,
        /// Why.
        source: MeshError,
    },
    /// The rest shape of a body has no elements to speak of.
    #[error("body {body}: {source}")]
    RestShape {
        /// Whose shape.
        body: Named,
        /// Why.
        source: RestShapeError,
    },
    /// A number is out of its range.
    #[error("{what} of {whose} is {value}\n  help: {help}")]
    Value {
        /// Which quantity.
        what: &'static str,
        /// Of whom.
        whose: Named,
        /// The value given.
        value: String,
        /// What to give instead.
        help: &'static str,
    },
    /// The start shape of a body has another number of vertices.
    #[error(
        "body {body} starts with {given} positions, but its mesh has {vertices} vertices\n  help: {}",
        self.remedy()
    )]
    StartShape {
        /// Whose.
        body: Named,
        /// Positions given.
        given: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// Two pins prescribe one coordinate.
    #[error("vertex {vertex} of body {body} is held by two pins along {axis}\n  help: {}", self.remedy())]
    HeldTwice {
        /// The second pin, of [`Scene::pins`](crate::Scene::pins).
        pin: usize,
        /// Whose vertex.
        body: Named,
        /// Which.
        vertex: u32,
        /// Along which axis.
        axis: char,
    },
    /// Faces are needed, vertices were selected.
    #[error(
        "{what} on body {body} selects {vertices} vertices but no whole face of its surface\n  help: {}",
        self.remedy()
    )]
    NoFace {
        /// The kind of what selects.
        what: &'static str,
        /// What selects.
        by: Subject,
        /// On whom.
        body: Named,
        /// Selected vertices.
        vertices: usize,
    },
    /// What encloses a zone has holes.
    #[error("{zone} is not enclosed: {source}")]
    OpenZone {
        /// Which.
        zone: Named,
        /// How open.
        source: OpenSurface,
    },
    /// What encloses a zone holds nothing at rest.
    #[error("{zone} has no volume at rest\n  help: {}", self.remedy())]
    FlatZone {
        /// Which.
        zone: Named,
    },
    /// A zone is looked for inside a body that has none.
    #[error(
        "{zone} is in a cavity of body {body}, which {}\n  help: {}",
        if *cloth { "is a cloth" } else { "has none" },
        self.remedy()
    )]
    NoCavity {
        /// Which.
        zone: Named,
        /// Whose hollows.
        body: Named,
        /// Whether it is a cloth.
        cloth: bool,
    },
    /// A weld finds no partner.
    #[error(
        "{alone} of {selected} vertices of body {a} have no vertex of body {b} within {tolerance:.1e} m to be \
         welded to; the nearest is {nearest:.1e} m away\n  help: {}",
        self.remedy()
    )]
    Alone {
        /// Of [`Scene::welds`](crate::Scene::welds).
        weld: usize,
        /// Whose vertices.
        a: Named,
        /// Of whom partners were sought.
        b: Named,
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
    #[error("a spring is tied to vertex {vertex} of body {body}, which has {count}\n  help: {}", self.remedy())]
    NoVertex {
        /// Of [`Scene::springs`](crate::Scene::springs).
        spring: usize,
        /// Whose vertex.
        body: Named,
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
        "the state does not fit the scene: {what} has {given} entries, not {expected}\n  help: {}",
        self.remedy()
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

impl SceneError {
    /// The part of the scene to look at.
    pub fn subject(&self) -> Subject {
        match self {
            Self::Surface { body, .. }
            | Self::NoSelfContact { body, .. }
            | Self::NearItself { body, .. }
            | Self::Mass { body, .. }
            | Self::Mesh { body, .. }
            | Self::RestShape { body, .. }
            | Self::StartShape { body, .. } => body.subject,
            Self::UnknownBody { by, .. }
            | Self::NotDeformable { by, .. }
            | Self::Rigid { by, .. }
            | Self::Selection { by, .. }
            | Self::NoFace { by, .. } => *by,
            Self::OpenZone { zone, .. } | Self::FlatZone { zone } | Self::NoCavity { zone, .. } => {
                zone.subject
            }
            Self::Value { whose, .. } => whose.subject,
            Self::HeldTwice { pin, .. } => Subject::Pin(*pin),
            Self::Alone { weld, .. } => Subject::Weld(*weld),
            Self::NoVertex { spring, .. } => Subject::Spring(*spring),
            Self::Integrator(_) => Subject::Settings,
            Self::State { .. } => Subject::State,
        }
    }

    /// What to do about it; none where the message has a remedy for each of several problems.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::Surface { source, .. } => source.help(),
            Self::Mass { source, .. } => source.help(),
            Self::Selection { source, .. } => source.help(),
            Self::Mesh { source, .. } => return source.help(),
            Self::RestShape { source, .. } => source.help(),
            Self::OpenZone { source, .. } => source.help(),
            Self::Integrator(source) => source.help(),
            _ => self.remedy().to_owned(),
        })
    }

    /// What is wrong, without the remedy.
    pub fn message(&self) -> String {
        let mut text = self.to_string();
        if let Some(help) = self.help() {
            // Displayed, the remedy is the last line.
            text.truncate(text.len() - "\n  help: ".len() - help.len());
        }
        text
    }

    /// The remedy of errors without a source.
    fn remedy(&self) -> &'static str {
        match self {
            Self::NoSelfContact { .. } => {
                "leave out its contact with itself; solids and cloth have one"
            }
            Self::NearItself { distance, .. } if *distance > 0.0 => {
                "give its contact with itself a `thickness` below that distance, or move them apart"
            }
            Self::NearItself { .. } => "move them apart: they touch or cross",
            Self::UnknownBody { .. } => "use the ids that `Scene::add` returned",
            Self::NotDeformable { .. } => "move an obstacle by its own `motion`",
            Self::Rigid { .. } => {
                "hold a rigid body with springs, or make it an obstacle with a `motion`"
            }
            Self::Value { help, .. } => help,
            Self::StartShape { .. } => "give one position per vertex",
            Self::HeldTwice { .. } => "make their selections disjoint, or use one pin",
            Self::NoFace { .. } => "select all corners of at least one face of the surface",
            Self::FlatZone { .. } => "give its rest volume, or a surface that encloses some",
            Self::NoCavity { cloth: true, .. } => "take all of it",
            Self::NoCavity { .. } => "give it a closed hollow, or take its outside",
            Self::Alone { .. } => {
                "move the bodies together, raise the tolerance, or join them with springs"
            }
            Self::NoVertex { .. } => "vertices are numbered from 0",
            Self::State { .. } => "restore a state only into the scene it was saved from",
            Self::Surface { .. }
            | Self::Mass { .. }
            | Self::Selection { .. }
            | Self::Mesh { .. }
            | Self::RestShape { .. }
            | Self::OpenZone { .. }
            | Self::Integrator(_) => "",
        }
    }
}

//! What can be wrong with a probe.

use super::Reduction;
use crate::mesh::SelectionError;
use crate::names::UnknownName;

/// Why a probe cannot measure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProbeError {
    /// Something is not given that the quantity needs.
    #[error("a probe of `{quantity}` needs `{part}`\n  help: {help}")]
    Missing {
        /// What is measured.
        quantity: &'static str,
        /// What is missing.
        part: &'static str,
        /// What to give.
        help: &'static str,
    },
    /// Something is given that the quantity does not look at.
    #[error("a probe of `{quantity}` has no use for `{part}`\n  help: {help}")]
    Unused {
        /// What is measured.
        quantity: &'static str,
        /// What is given in vain.
        part: &'static str,
        /// What to do instead.
        help: &'static str,
    },
    /// A direction without length, or a number that is none.
    #[error("`{part}` of a probe of `{quantity}` is ({}, {}, {})\n  help: {help}", value[0], value[1], value[2])]
    Value {
        /// What is measured.
        quantity: &'static str,
        /// Which part of the probe.
        part: &'static str,
        /// The value given.
        value: [f64; 3],
        /// What to give instead.
        help: &'static str,
    },
    /// A sum of what cannot be summed, a mean of one number.
    #[error(
        "a probe of `{quantity}` cannot be reduced to its {reduction}\n  help: {}",
        reductions(allowed)
    )]
    Reduction {
        /// What is measured.
        quantity: &'static str,
        /// What was asked for.
        reduction: Reduction,
        /// What there is instead; nothing if the quantity is a single number.
        allowed: &'static [Reduction],
    },
    /// A body is named that the scene does not have.
    #[error(
        "a probe refers to body {body}, but the scene has {count}\n  help: use the ids that `Scene::add` returned"
    )]
    UnknownBody {
        /// Its number.
        body: usize,
        /// How many there are.
        count: usize,
    },
    /// A zone is named that the scene does not have.
    #[error(
        "a probe refers to zone {zone}, but the scene has {count}\n  help: use the ids that `Scene::zone` returned"
    )]
    UnknownZone {
        /// Its number.
        zone: usize,
        /// How many there are.
        count: usize,
    },
    /// A joint is named that the scene does not have.
    #[error(
        "a probe refers to joint {joint}, but the scene has {count}\n  help: use the ids that `Scene::joint` returned"
    )]
    UnknownJoint {
        /// Its number.
        joint: usize,
        /// How many there are.
        count: usize,
    },
    /// The quantity is of other bodies.
    #[error("a probe of `{quantity}` needs {needed}, but body {body} is {given}\n  help: {help}")]
    WrongBody {
        /// What is measured.
        quantity: &'static str,
        /// What can be measured.
        needed: &'static str,
        /// Its name.
        body: String,
        /// What it is.
        given: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// The selection fails.
    #[error("a probe of `{quantity}` on body {body}: {source}")]
    Selection {
        /// What is measured.
        quantity: &'static str,
        /// On whom.
        body: String,
        /// Why it fails.
        source: SelectionError,
    },
    /// Elements or faces are needed, vertices were selected.
    #[error(
        "a probe of `{quantity}` selects {vertices} vertices of body {body} but no whole {element}\n  help: select \
         all corners of at least one"
    )]
    NoElement {
        /// What is measured.
        quantity: &'static str,
        /// Of whom.
        body: String,
        /// Selected vertices.
        vertices: usize,
        /// What there is none of.
        element: &'static str,
    },
    /// A surface that holds nothing.
    #[error(
        "a probe of `volume` needs a closed surface, but what is selected of cloth {body} has {open} open edges\n  \
         help: probe its `area`, or close the surface"
    )]
    Open {
        /// Of whom.
        body: String,
        /// Edges without a triangle on the other side.
        open: usize,
    },
    /// Nothing that is selected is ever held.
    #[error(
        "a probe of `{quantity}` selects {vertices} vertices of body {body}, but no pin holds any of them\n  help: \
         select vertices of a pin"
    )]
    NothingHeld {
        /// What is measured.
        quantity: &'static str,
        /// Of whom.
        body: String,
        /// Selected vertices.
        vertices: usize,
    },
    /// The direction is perpendicular to all triangles of a cloth.
    #[error(
        "`along` of a probe of `{quantity}` is perpendicular to cloth {body} as it is placed\n  help: give a \
         direction in the cloth"
    )]
    Perpendicular {
        /// What is measured.
        quantity: &'static str,
        /// Of whom.
        body: String,
    },
    /// The scene is not the one that is simulated.
    #[error(
        "body {body} has {given} vertices in the scene but {simulated} in the simulation\n  help: prepare a probe \
         with the scene that the simulation was made from"
    )]
    OtherScene {
        /// Whose.
        body: String,
        /// Vertices in the scene given.
        given: usize,
        /// Vertices in the simulation.
        simulated: usize,
    },
}

fn reductions(allowed: &[Reduction]) -> String {
    if allowed.is_empty() {
        return "it is a single number: leave the reduction out".to_owned();
    }
    let names: Vec<&str> = allowed.iter().map(|reduction| reduction.name()).collect();
    format!("use {}", names.join(", "))
}

/// The one of `all` that is called `name`.
pub(super) fn find<T: Copy>(
    kind: &'static str,
    name: &str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
) -> Result<T, UnknownName> {
    all.iter()
        .copied()
        .find(|&one| name_of(one) == name)
        .ok_or_else(|| UnknownName::new(kind, name, all.iter().map(|&one| name_of(one)).collect()))
}

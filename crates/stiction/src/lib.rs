//! `stiction` simulates things that touch, slide and stick.
//!
//! The library is pure computation: no files, no clock, no printing. SI units and `f64` throughout.
//! Start with [`Scene`] and [`Simulation`].
//!
//! | module | what |
//! |---|---|
//! | [`mesh`] | tetrahedral and triangle meshes, generators, selections |
//! | [`body`], [`material`] | what a scene is made of |
//! | [`energy`], [`element`] | elastic models, and elements that use them |
//! | [`contact`] | penalties, friction laws, what touches what |
//! | [`geometry`] | distances to shapes and surfaces |
//! | [`rigid`] | masses of rigid bodies |
//! | [`assembly`] | elements to vectors and matrices |
//! | [`solve`] | linear algebra and Newton methods; knows no physics |
//! | [`step`] | time integrators |
//! | [`model`] | nodes, masses, elements, holds, rigid bodies: what moves, without contacts |
//! | [`method`] | ways of taking a step, contacts included |
//! | [`measure`] | named quantities over time, fields over elements |
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units [m] and citations [GHDS03] are not links"
)]

pub mod assembly;
pub mod body;
pub mod contact;
pub mod element;
pub mod energy;
pub mod geometry;
pub mod material;
pub mod math;
pub mod measure;
pub mod mesh;
pub mod method;
pub mod model;
pub mod names;
mod profile;
pub mod rigid;
pub mod solve;
pub mod step;

mod scene;
mod simulation;
mod threads;
mod union_find;

pub use scene::Scene;
pub use simulation::{Settings, Simulation, State, StepReport};

/// Compiles and runs the snippets of the pages outside the source.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;

    #[doc = include_str!("../../../docs/meshes.md")]
    struct Meshes;

    #[doc = include_str!("../../../docs/contact.md")]
    struct Contact;

    #[doc = include_str!("../../../docs/integrators.md")]
    struct Integrators;
}

//! All solvers by name, and the one to take when nobody says which.

use super::problem::LinearProblem;
use super::{
    Order, block_principal, choice, conjugate, gauss_seidel, incremental, interior_point, jacobi,
    layers, lemke, newton, principal, staggering, subspace,
};
use crate::solve::Report;
use crate::solve::complementarity::{Limits, Watch};

/// A way of solving a linear problem.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Solver {
    /// [`solve`](super::solve): chosen by the problem.
    Chosen,
    /// [`lemke`].
    Lemke,
    /// [`incremental`].
    Incremental,
    /// [`principal`].
    Principal,
    /// [`block_principal`].
    BlockPrincipal(block_principal::Settings),
    /// [`jacobi`].
    Jacobi(jacobi::Settings),
    /// [`gauss_seidel`].
    GaussSeidel(gauss_seidel::Settings),
    /// [`layers`].
    Layers(layers::Settings),
    /// [`conjugate`].
    Conjugate(gauss_seidel::Settings),
    /// [`subspace`].
    Subspace(subspace::Settings),
    /// [`staggering`].
    Staggering,
    /// [`newton`].
    Newton(newton::Settings),
    /// [`interior_point`].
    InteriorPoint,
}

impl Solver {
    /// Every method with what it takes by default, and its name for tables and commands. Layers are missing: heights
    /// must be given.
    pub fn all() -> Vec<(&'static str, Self)> {
        let ordered =
            |order, relaxation| Self::GaussSeidel(gauss_seidel::Settings { order, relaxation });
        let root_of = |function| Self::Newton(newton::Settings { function, ..Default::default() });
        vec![
            ("default", Self::Chosen),
            ("lemke", Self::Lemke),
            ("incremental", Self::Incremental),
            ("murty", Self::Principal),
            ("block-pivoting", Self::BlockPrincipal(block_principal::Settings::default())),
            ("jacobi", Self::Jacobi(jacobi::Settings::default())),
            ("pgs", ordered(Order::Forward, 1.0)),
            ("pgs-backward", ordered(Order::Backward, 1.0)),
            ("pgs-symmetric", ordered(Order::Symmetric, 1.0)),
            ("pgs-random", ordered(Order::Random { seed: 1 }, 1.0)),
            ("pgs-greedy", ordered(Order::Greedy, 1.0)),
            ("pgs-coloured", ordered(Order::Coloured, 1.0)),
            ("pgs-by-impulse", ordered(Order::ByImpulse, 1.0)),
            ("psor", ordered(Order::Forward, 1.2)),
            ("nncg", Self::Conjugate(gauss_seidel::Settings::default())),
            ("pgs-sm", Self::Subspace(subspace::Settings::default())),
            ("staggering", Self::Staggering),
            ("newton-min-map", root_of(newton::Function::MinimumMap)),
            ("newton-fischer-burmeister", root_of(newton::Function::FischerBurmeister)),
            ("interior-point", Self::InteriorPoint),
        ]
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|(known, _)| *known == name).map(|(_, solver)| solver)
    }

    /// Improves `x` in place.
    #[doc(alias("warm start"))]
    pub fn solve(
        &self,
        problem: &LinearProblem,
        x: &mut [f64],
        limits: &Limits,
        watch: &mut dyn Watch,
    ) -> Report {
        match self {
            Self::Chosen => choice::solve(problem, x, limits, watch),
            Self::Lemke => lemke::solve(problem, x, limits, watch),
            Self::Incremental => incremental::solve(problem, x, limits, watch),
            Self::Principal => principal::solve(problem, x, limits, watch),
            Self::BlockPrincipal(settings) => {
                block_principal::solve(problem, x, settings, limits, watch)
            }
            Self::Jacobi(settings) => jacobi::solve(problem, x, settings, limits, watch),
            Self::GaussSeidel(settings) => gauss_seidel::solve(problem, x, settings, limits, watch),
            Self::Layers(settings) => layers::solve(problem, x, settings, limits, watch),
            Self::Conjugate(settings) => conjugate::solve(problem, x, settings, limits, watch),
            Self::Subspace(settings) => subspace::solve(problem, x, settings, limits, watch),
            Self::Staggering => staggering::solve(problem, x, limits, watch),
            Self::Newton(settings) => newton::solve(problem, x, settings, limits, watch),
            Self::InteriorPoint => interior_point::solve(problem, x, limits, watch),
        }
    }
}

//! Every solver by its name, with settings that suit most problems: for comparing, and for choosing on a command line.

use super::super::{Limits, Watch};
use super::{
    ContactProblem, Delassus, Map, Order, admm, apgd, default, gauss_seidel, interior_point,
    jacobi, newton, nncg, prox, shock, staggering,
};
use crate::solve::Report;

/// A solver by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// [`default::solve`].
    Default,
    /// [`gauss_seidel`] with any order.
    GaussSeidel(Order),
    /// [`jacobi`].
    Jacobi,
    /// [`prox`] with sweeps and local factors.
    ProxGaussSeidel,
    /// [`prox`] with one product a step and one factor for all.
    ProxJacobi,
    /// [`nncg`].
    Nncg,
    /// [`apgd`].
    Apgd,
    /// [`admm`].
    Admm,
    /// [`staggering`].
    Staggering,
    /// [`newton`] on one of the maps.
    Newton(Map),
    /// [`interior_point`].
    InteriorPoint,
    /// [`shock`], with layers counted from the first contact.
    Shock,
}

impl Solver {
    /// All of them, Gauss–Seidel in the given order and in parallel colours.
    pub const ALL: [Self; 15] = [
        Self::Default,
        Self::GaussSeidel(Order::Given),
        Self::GaussSeidel(Order::Symmetric),
        Self::GaussSeidel(Order::Coloured),
        Self::Jacobi,
        Self::ProxGaussSeidel,
        Self::ProxJacobi,
        Self::Nncg,
        Self::Apgd,
        Self::Admm,
        Self::Staggering,
        Self::Newton(Map::AlartCurnier),
        Self::Newton(Map::FischerBurmeister),
        Self::Newton(Map::Natural),
        Self::InteriorPoint,
    ];

    /// Its name, for tables and command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::GaussSeidel(Order::Given) => "gauss-seidel",
            Self::GaussSeidel(Order::Reverse) => "gauss-seidel-reverse",
            Self::GaussSeidel(Order::Symmetric) => "gauss-seidel-symmetric",
            Self::GaussSeidel(Order::Random { .. }) => "gauss-seidel-random",
            Self::GaussSeidel(Order::Greedy) => "gauss-seidel-greedy",
            Self::GaussSeidel(Order::ImpulseSorted) => "gauss-seidel-impulse-sorted",
            Self::GaussSeidel(Order::Coloured) => "gauss-seidel-coloured",
            Self::Jacobi => "jacobi",
            Self::ProxGaussSeidel => "prox-gauss-seidel",
            Self::ProxJacobi => "prox-jacobi",
            Self::Nncg => "nncg",
            Self::Apgd => "apgd",
            Self::Admm => "admm",
            Self::Staggering => "staggering",
            Self::Newton(Map::AlartCurnier) => "newton-alart-curnier",
            Self::Newton(Map::FischerBurmeister) => "newton-fischer-burmeister",
            Self::Newton(Map::Natural) => "newton-natural",
            Self::InteriorPoint => "interior-point",
            Self::Shock => "shock-propagation",
        }
    }

    /// Improves the impulses `r` in place.
    ///
    /// # Panics
    /// When `r` does not have three numbers a contact.
    #[doc(alias("warm start"))]
    pub fn solve<A: Delassus>(
        self,
        problem: &ContactProblem<A>,
        r: &mut [f64],
        limits: &Limits,
        watch: &mut dyn Watch,
    ) -> Report {
        let sweeps = gauss_seidel::Settings::default();
        match self {
            Self::Default => default::solve(problem, r, limits, watch),
            Self::GaussSeidel(order) => {
                let settings = gauss_seidel::Settings { order, ..sweeps };
                gauss_seidel::solve(problem, r, limits, &settings, watch)
            }
            Self::Jacobi => jacobi::solve(problem, r, limits, &jacobi::Settings::default(), watch),
            Self::ProxGaussSeidel => {
                prox::solve(problem, r, limits, &prox::Settings::default(), watch)
            }
            Self::ProxJacobi => {
                let settings = prox::Settings {
                    splitting: prox::Splitting::Jacobi,
                    factor: prox::Factor::Global,
                    reduction: Some(0.5),
                };
                prox::solve(problem, r, limits, &settings, watch)
            }
            Self::Nncg => nncg::solve(problem, r, limits, &sweeps, watch),
            Self::Apgd => apgd::solve(problem, r, limits, &apgd::Settings::default(), watch),
            Self::Admm => admm::solve(problem, r, limits, &admm::Settings::default(), watch),
            Self::Staggering => {
                staggering::solve(problem, r, limits, &staggering::Settings::default(), watch)
            }
            Self::Newton(map) => {
                let settings = newton::Settings { map, ..newton::Settings::default() };
                newton::solve(problem, r, limits, &settings, watch)
            }
            Self::InteriorPoint => interior_point::solve(problem, r, limits, watch),
            Self::Shock => {
                let ground = if problem.contacts() > 0 { &[0][..] } else { &[] };
                let layers = shock::layers_from(problem, ground);
                shock::solve(problem, r, &layers, limits, &shock::Settings::default(), watch)
            }
        }
    }
}

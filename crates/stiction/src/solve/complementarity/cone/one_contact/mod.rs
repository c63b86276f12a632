//! One contact on its own: `u = W r + q` with a 3×3 block `W`, solved exactly.
//!
//! | [`LocalSolver`] | how | limits |
//! |---|---|---|
//! | `Enumeration` | take off, else stick, else slide: a safeguarded scalar Newton for the ratio of slip to friction | none for positive definite `W` |
//! | `Quartic` | the same, the ratio as a root of a polynomial, all roots found | loses digits for ill-conditioned `W` |
//! | `Newton` | semismooth Newton on a [`Map`] | may fail to converge; then enumeration steps in |
//!
//! One contact can have several solutions when `μ` is large; `Enumeration` prefers take-off, then stick.

mod enumeration;
mod newton;
mod quartic;

pub use enumeration::Prepared;
pub use newton::newton;
pub use quartic::{quartic_slides, real_roots};

use super::Map;

/// How to solve the problem of one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocalSolver {
    /// Case by case.
    #[default]
    Enumeration,
    /// Case by case, sliding by a polynomial; the associated model has none, and takes `Enumeration`.
    Quartic,
    /// Semismooth Newton.
    Newton(Map),
}

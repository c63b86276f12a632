//! What impulses do to bodies that deform or are joined: the operator of the contact problem [AEF22, §4.3].
//!
//! $$ W_P = J P J^T $$
//!
//! with `P` the inverse of the matrix `A = M + h D + h² K` of the step, or of masses alone. Rigid bodies without
//! joints are the same under all: there `A = M`. With masses alone the step is explicit: `v* = ṽ − M⁻¹ r(ṽ)` as well,
//! with the residual `r` of the implicit step, whose forces are those at `q + h ṽ` (at `q` in [AEF22, §4.3.2]). So it
//! is the first iterate of a fixed-point iteration for the implicit step. It damps like that step does, and is stable
//! where the iteration converges: where `h D + h² K` is no more than `M` (`model/stage/answer.rs`).

use super::inverse_mass::Inverse;

/// What impulses do to bodies that deform or are joined, and how that is computed.
///
/// The first three solve the same problem and find the same velocities, within the tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias("Delassus operator"))]
pub enum Operator {
    /// `J A⁻¹ Jᵀ` written out: one factorisation a step, and one way up it with all contacts at once. Memory grows with
    /// the square of an island's contacts.
    #[default]
    Assembled,
    /// `J A⁻¹ Jᵀ` never written out: the factor is used whenever an impulse changes, at one solve a contact and
    /// sweep, or one solve a product. Memory grows with contacts alone. Solvers that factorise, among them the
    /// default where sweeps are slow, write it out after all.
    Factored,
    /// No factor: the diagonal of `A` stands in its place, again and again until nothing changes. Memory is that of
    /// `A`. Slow where `h² K` is large against `M`.
    Splitting,
    /// `J M⁻¹ Jᵀ`, and forces as they are at the start of the step: no matrix is solved with. A contact moves what it
    /// touches, and the rest follows in the steps after. Rests where the others do, and goes where they go as steps
    /// get short, but steps must be short: those too long for the stiffest spring are refused, and so halved. Not for
    /// joints, which are stiff.
    Mass,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Assembled, Self::Factored, Self::Splitting, Self::Mass];

    pub(super) fn inverse(self) -> Inverse {
        match self {
            Self::Assembled | Self::Factored => Inverse::Factor,
            Self::Splitting => Inverse::Iterated,
            Self::Mass => Inverse::Masses,
        }
    }
}

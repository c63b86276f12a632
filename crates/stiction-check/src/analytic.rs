//! Closed forms to measure simulations against, each with its source and its limits.
//!
//! | what | where | holds for |
//! |---|---|---|
//! | cantilevers, hanging bars | [`Beam`] | small deflections of straight, slender bars |
//! | bars of rubber | [`Uniaxial`] | any stretch, sides free |
//! | sheets pulled or overhanging | [`Uniaxial`], [`overhang_deflection`] | any stretch; small deflections |
//! | strips bent far | [`Elastica`] | no stretch, bent to a cylinder |
//! | hanging chains | [`Catenary`] | no bending, no stretch |
//! | hollow balls under pressure | [`HollowBall`] | small strains |
//! | twisted bars | [`torsion_constant_rectangle`], [`torsion_constant_circle`] | small angles, ends free to warp |
//! | swings | [`Oscillator`], [`free_fall`], [`pendulum_period`] | one degree of freedom |

mod beam;
mod catenary;
mod elastica;
mod hollow_ball;
mod motion;
mod torsion;
mod uniaxial;

pub use beam::{Beam, overhang_deflection};
pub use catenary::Catenary;
pub use elastica::Elastica;
pub use hollow_ball::HollowBall;
pub use motion::{Oscillator, free_fall, pendulum_period};
pub use torsion::{torsion_constant_circle, torsion_constant_rectangle};
pub use uniaxial::Uniaxial;

/// The root of `f` between `low` and `high`, to the last bit, by halving. Slow and safe.
///
/// # Panics
/// When `f` does not change its sign between the two.
fn root_between(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let rising = f(low) < 0.0;
    assert!(rising != (f(high) < 0.0), "a root lies between {low} and {high}");
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if (f(middle) < 0.0) == rising {
            low = middle;
        } else {
            high = middle;
        }
    }
}

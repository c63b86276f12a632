//! Functions of one contact's impulse and velocity that vanish exactly when its law holds, with derivatives.
//!
//! Impulses are divided by the mass `ρ` of the contact first, so values are velocities and do not change when all
//! masses are scaled. `s = r/ρ`, `ũ = u + μ‖u_T‖ e_N`; for the associated model `ũ = u`.
//!
//! | [`Map`] | value | |
//! |---|---|---|
//! | `Natural` | `s − P_K(s − ũ)` | the residual that all solvers stop by |
//! | `AlartCurnier` | `s_N − (s_N − u_N)₊`, `s_T − P_disc(s_T − u_T)` with radius `μ(s_N − u_N)₊` | piecewise closest to linear |
//! | `FischerBurmeister` | `x + y − (x∘x + y∘y)^½` in the Jordan algebra of the cone, `x = (μ s_N, s_T)`, `y = (ũ_N, μ u_T)` | smooth merit |
//!
//! Where a map is not differentiable, the derivative is an element of its generalised Jacobian.

use super::super::newton::Linearised;
use super::projection::{project_cone, project_cone_derivative, tangential};
use super::{ContactProblem, Delassus, Model};
use crate::math::{Matrix3, Vector2, Vector3};

/// Which function measures how far a contact is from its law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("NCP", "NCP function"))]
pub enum Map {
    /// Projection on the cone.
    Natural,
    /// Projections on a half-line and a disc.
    #[doc(alias("Alart-Curnier"))]
    AlartCurnier,
    /// The square-root function of the cone.
    #[doc(alias("Fischer-Burmeister"))]
    FischerBurmeister,
}

/// What a map needs to know of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// Friction coefficient [-].
    pub mu: f64,
    /// How impulses are tied to velocities.
    pub model: Model,
    /// Impulse per velocity.
    pub mass: f64,
}

impl<A: Delassus> ContactProblem<A> {
    /// What a map needs to know of a contact.
    #[inline]
    pub fn law(&self, contact: usize) -> ContactLaw {
        ContactLaw { mu: self.mu(contact), model: self.model(), mass: self.mass(contact) }
    }
}

impl ContactLaw {
    /// Natural map, in units of velocity.
    #[inline]
    pub fn natural(&self, r: Vector3, u: Vector3) -> Vector3 {
        let s = r / self.mass;
        s - project_cone(self.mu, s - self.shifted(u))
    }

    /// The velocity that is complementary to the impulse: `u + μ‖u_T‖ e_N`, or plain `u` in the associated model.
    #[inline]
    pub fn shifted(&self, u: Vector3) -> Vector3 {
        let shift = self.model.shift(self.mu);
        Vector3::new(u.x + shift * tangential(u), u.y, u.z)
    }
}

impl Map {
    /// A word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::AlartCurnier => "alart-curnier",
            Self::FischerBurmeister => "fischer-burmeister",
        }
    }

    /// The map alone.
    pub fn value(self, law: &ContactLaw, r: Vector3, u: Vector3) -> Vector3 {
        match self {
            Self::Natural => law.natural(r, u),
            Self::AlartCurnier => alart_curnier(law, r / law.mass, u).value,
            Self::FischerBurmeister => {
                let (x, y, _) = jordan_pair(law, r / law.mass, u);
                if law.mu > 0.0 {
                    x + y - jordan_root(x, y).root()
                } else {
                    frictionless(x, y).value
                }
            }
        }
    }

    /// The map and its derivatives.
    pub fn linearise(self, law: &ContactLaw, r: Vector3, u: Vector3) -> Linearised {
        let s = r / law.mass;
        let mut all = match self {
            Self::Natural => natural(law, s, u),
            Self::AlartCurnier => alart_curnier(law, s, u),
            Self::FischerBurmeister => fischer_burmeister(law, s, u),
        };
        all.by_impulse /= law.mass;
        all
    }
}

/// `u_T/‖u_T‖`, zero if there is none: one of the subgradients.
fn direction(u: Vector3) -> Vector2 {
    let length = tangential(u);
    if length > 0.0 { Vector2::new(u.y, u.z) / length } else { Vector2::zeros() }
}

/// The derivative of `u + c ‖u_T‖ e_N`.
fn shift_derivative(c: f64, u: Vector3) -> Matrix3 {
    let t = direction(u) * c;
    Matrix3::new(1.0, t.x, t.y, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
}

fn natural(law: &ContactLaw, s: Vector3, u: Vector3) -> Linearised {
    let z = s - law.shifted(u);
    let d = project_cone_derivative(law.mu, z);
    Linearised {
        value: s - project_cone(law.mu, z),
        by_impulse: Matrix3::identity() - d,
        by_velocity: d * shift_derivative(law.model.shift(law.mu), u),
    }
}

fn alart_curnier(law: &ContactLaw, s: Vector3, u: Vector3) -> Linearised {
    // The associated law for u is Coulomb's law for u − μ‖u_T‖ e_N.
    let back = law.model.shift(law.mu) - law.mu;
    let u_n = u.x + back * tangential(u);
    let push = s.x - u_n;
    if push <= 0.0 {
        return Linearised {
            value: s,
            by_impulse: Matrix3::identity(),
            by_velocity: Matrix3::zeros(),
        };
    }
    if law.mu <= 0.0 {
        return Linearised {
            value: Vector3::new(u_n, s.y, s.z),
            by_impulse: Matrix3::from_diagonal(&Vector3::new(0.0, 1.0, 1.0)),
            by_velocity: Matrix3::from_diagonal(&Vector3::x()),
        };
    }
    let radius = law.mu * push;
    let t = Vector2::new(s.y - u.y, s.z - u.z);
    let length = t.norm();
    let mut by_impulse = Matrix3::zeros();
    let mut by_velocity = Matrix3::identity();
    let value = if length <= radius {
        Vector3::new(u_n, u.y, u.z)
    } else {
        let t = t / length;
        let share = radius / length;
        for a in 0..2 {
            for b in 0..2 {
                let same = if a == b { 1.0 } else { 0.0 };
                let turn = share * (same - t[a] * t[b]);
                by_impulse[(a + 1, b + 1)] = same - turn;
                by_velocity[(a + 1, b + 1)] = turn;
            }
            by_impulse[(a + 1, 0)] = -law.mu * t[a];
            by_velocity[(a + 1, 0)] = law.mu * t[a];
        }
        Vector3::new(u_n, s.y - radius * t.x, s.z - radius * t.y)
    };
    if back < 0.0 {
        by_velocity *= shift_derivative(back, u);
    }
    Linearised { value, by_impulse, by_velocity }
}

/// Both arguments of the Fischer–Burmeister function, and the derivative of the second.
fn jordan_pair(law: &ContactLaw, s: Vector3, u: Vector3) -> (Vector3, Vector3, Matrix3) {
    let mu = law.mu;
    let shifted = law.shifted(u);
    let x = Vector3::new(mu * s.x, s.y, s.z);
    let y = Vector3::new(shifted.x, mu * u.y, mu * u.z);
    if mu > 0.0 {
        let scale = Matrix3::from_diagonal(&Vector3::new(1.0, mu, mu));
        (x, y, scale * shift_derivative(law.model.shift(mu), u))
    } else {
        (s, u, Matrix3::identity())
    }
}

/// `√(x∘x + y∘y)` by its spectral parts.
struct JordanRoot {
    large: f64,
    small: f64,
    axis: Vector2,
}

impl JordanRoot {
    fn root(&self) -> Vector3 {
        let half = 0.5 * (self.large - self.small);
        Vector3::new(0.5 * (self.large + self.small), half * self.axis.x, half * self.axis.y)
    }
}

fn jordan_root(x: Vector3, y: Vector3) -> JordanRoot {
    let w0 = x.norm_squared() + y.norm_squared();
    let w = 2.0 * Vector2::new(x.x * x.y + y.x * y.y, x.x * x.z + y.x * y.z);
    let length = w.norm();
    let axis = if length > 0.0 { w / length } else { Vector2::x() };
    JordanRoot { large: (w0 + length).sqrt(), small: (w0 - length).max(0.0).sqrt(), axis }
}

/// The Fischer–Burmeister function of the second-order cone, and its derivatives with respect to `x` and `y`
/// (`docs/theory/contact-solvers.md`, "Fischer–Burmeister of the cone").
pub fn fischer_burmeister_cone(x: Vector3, y: Vector3) -> (Vector3, Matrix3, Matrix3) {
    let root = jordan_root(x, y);
    let z = root.root();
    let value = x + y - z;
    let determinant = root.large * root.small;
    if root.small > 1e-10 * root.large {
        let arrow = |a: Vector3| Matrix3::new(a.x, a.y, a.z, a.y, a.x, 0.0, a.z, 0.0, a.x);
        let tail = Vector3::new(0.0, z.y, z.z);
        let mut inverse = tail * tail.transpose() / z.x;
        inverse[(1, 1)] += determinant / z.x;
        inverse[(2, 2)] += determinant / z.x;
        inverse[(0, 0)] = z.x;
        for k in 1..3 {
            inverse[(0, k)] = -z[k];
            inverse[(k, 0)] = -z[k];
        }
        inverse /= determinant;
        let one = Matrix3::identity();
        (value, one - inverse * arrow(x), one - inverse * arrow(y))
    } else if root.large > 0.0 {
        let length = x.x.hypot(y.x);
        let share = |a: f64| if length > 0.0 { 1.0 - a / length } else { 1.0 };
        (value, Matrix3::identity() * share(x.x), Matrix3::identity() * share(y.x))
    } else {
        (value, Matrix3::zeros(), Matrix3::identity())
    }
}

/// With no friction: the scalar function along the normal, and no tangential impulse.
fn frictionless(s: Vector3, u: Vector3) -> Linearised {
    let length = s.x.hypot(u.x);
    let (by_s, by_u) =
        if length > 0.0 { (1.0 - s.x / length, 1.0 - u.x / length) } else { (0.0, 1.0) };
    Linearised {
        value: Vector3::new(s.x + u.x - length, s.y, s.z),
        by_impulse: Matrix3::from_diagonal(&Vector3::new(by_s, 1.0, 1.0)),
        by_velocity: Matrix3::from_diagonal(&Vector3::new(by_u, 0.0, 0.0)),
    }
}

fn fischer_burmeister(law: &ContactLaw, s: Vector3, u: Vector3) -> Linearised {
    let (x, y, by_u) = jordan_pair(law, s, u);
    if law.mu <= 0.0 {
        return frictionless(x, y);
    }
    let (value, by_x, by_y) = fischer_burmeister_cone(x, y);
    let scale = Matrix3::from_diagonal(&Vector3::new(law.mu, 1.0, 1.0));
    Linearised { value, by_impulse: by_x * scale, by_velocity: by_y * by_u }
}

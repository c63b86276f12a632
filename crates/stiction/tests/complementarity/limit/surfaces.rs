//! What friction can do, and what of it takes most.

use crate::cone::problems::Random;
use stiction::math::Vector2;
use stiction::solve::complementarity::limit::LimitSurface;
use stiction::solve::complementarity::limit::implicit::ImplicitCone;

fn surfaces() -> Vec<LimitSurface> {
    let slides = LimitSurface::lopsided([0.2, 0.7], [0.5, 0.1]);
    vec![
        LimitSurface::disc(0.4),
        LimitSurface::ellipse([0.2, 0.8]),
        slides,
        slides.boxed(),
        LimitSurface::ellipse([0.2, 0.8]).with_torsion(0.03, true).with_rolling(0.01),
        slides.with_torsion(0.03, false).with_rolling(0.01),
    ]
}

/// No sampled impulse takes more power than the support point, which is on the surface.
#[test]
fn nothing_dissipates_more_than_the_support_point() {
    let mut random = Random(17);
    for surface in surfaces() {
        for _ in 0..200 {
            let v = [0; 5].map(|_| random.normal());
            let best = surface.most_dissipating(&v);
            assert!(surface.contains(1.0, &best, 1e-12));
            let power = |r: &[f64; 5]| r.iter().zip(&v).map(|(r, v)| r * v).sum::<f64>();
            for _ in 0..50 {
                let mut r = [0.0; 5];
                for (k, r) in r.iter_mut().enumerate() {
                    let x = random.normal();
                    *r = x * surface.towards(k, x);
                }
                // Brought to the surface, group by group.
                let out = surface.group.map(|g| surface.gauge(g, &r).max(1e-300));
                r.iter_mut().zip(out).for_each(|(r, out)| *r /= out);
                assert!(surface.contains(1.0, &r, 1e-12));
                assert!(power(&best) <= power(&r) + 1e-12, "{surface:?}: {best:?}, {r:?}");
            }
        }
    }
}

#[test]
fn a_disc_opposes_slip_and_an_ellipse_does_not() {
    let v = [0.6, 0.8, 0.0, 0.0, 0.0];
    let disc = LimitSurface::disc(0.5).most_dissipating(&v);
    assert!((disc[0] + 0.3).abs() < 1e-15 && (disc[1] + 0.4).abs() < 1e-15, "{disc:?}");
    let r = LimitSurface::ellipse([0.2, 0.8]).most_dissipating(&v);
    assert!((r[0] / r[1] - 0.2f64.powi(2) * 0.6 / (0.8f64.powi(2) * 0.8)).abs() < 1e-15, "{r:?}");
}

/// The equations of an implicit cone: rows and their derivatives, by error slope; and a solution that solves them.
#[test]
fn rows_of_an_implicit_cone_are_differentiated_right() {
    let cone = ImplicitCone::ellipse([0.3, 0.7], Vector2::new(0.8, 0.6));
    let mut random = Random(2);
    for _ in 0..40 {
        let x: [f64; 5] = [0; 5].map(|_| random.normal());
        let d: [f64; 5] = [0; 5].map(|_| random.normal());
        let at = |h: f64| {
            let y: Vec<f64> = x.iter().zip(&d).map(|(x, d)| x + h * d).collect();
            cone.rows(y[0], Vector2::new(y[1], y[2]), Vector2::new(y[3], y[4]), 1.3)
        };
        let rows = at(0.0);
        for k in 0..2 {
            let exact = rows.by_slip[k] * d[0]
                + rows.by_force[k].dot(&Vector2::new(d[1], d[2]))
                + rows.by_velocity[k].dot(&Vector2::new(d[3], d[4]));
            let error = |h: f64| ((at(h).value[k] - at(-h).value[k]) / (2.0 * h) - exact).abs();
            let (coarse, fine) = (error(1e-3), error(1e-4));
            assert!(fine < 0.02 * coarse || fine < 1e-6, "{k}: {coarse:e}, {fine:e}");
        }
    }
    // Slip along the first axis: friction is the vertex of the ellipse, and β the ratio of gradient and slip.
    let (f, v) = (Vector2::new(0.8, 0.6) * (-0.3 * 2.0), Vector2::new(0.8, 0.6) * 0.5);
    let gradient = cone.matrix * f * 2.0;
    let rows = cone.rows(gradient.norm() / 0.5, f, v, 2.0);
    assert!(rows.value.iter().all(|value| value.abs() < 1e-12), "{rows:?}");
}

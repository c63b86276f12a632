//! Slip speed against slope, by cones, boxes and polygons of friction: who slides too early, who too late? (V01–V03)

use nalgebra::DMatrix;
use stiction::math::Matrix3;
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::{self, Assembled, ContactProblem, Law};
use stiction::solve::complementarity::linear::{
    self, BoxFriction, ContactRows, LinearProblem, Polyhedral, lemke,
};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Mark, Quantity, Series, Shape};

pub(super) const STUDY: Study =
    Study { name: "slopes", title: "Which friction slides when?", source: "§3.4; V01–V03", run };

const MU: f64 = 0.5;
const STEP: f64 = 0.01;
const STEPS: usize = 50;
const LIMITS: Limits = Limits { tolerance: 1e-12, iterations: 1000 };

/// A model of friction, and the direction it slides in, as an angle from the first tangent [rad].
#[derive(Clone, Copy)]
enum Model {
    Cone,
    Box(f64),
    Polygon(usize, f64),
}

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let diagonal = std::f64::consts::FRAC_PI_4;
    let models = [
        ("exact cone", Model::Cone),
        ("box, along a tangent", Model::Box(0.0)),
        ("box, along its diagonal", Model::Box(diagonal)),
        ("polygon of 4, along a corner", Model::Polygon(4, 0.0)),
        ("polygon of 4, between corners", Model::Polygon(4, diagonal)),
        ("polygon of 8, between corners", Model::Polygon(8, 0.5 * diagonal)),
        ("polygon of 16, between corners", Model::Polygon(16, 0.25 * diagonal)),
    ];
    let mut sheet = Sheet::new(&["friction", "slope [°]", "speed after half a second [m/s]"]);
    let mut chart = Chart::new(
        "A particle on a slope, friction ½",
        Quantity::linear("slope", "°"),
        Quantity::linear("speed after half a second", "m/s"),
    );
    chart
        .marks
        .push(Mark { at: MU.atan().to_degrees(), label: "tan θ = μ: 26.565°".to_owned() });
    let slopes: Vec<f64> = (30..=80).map(|k| 0.5 * f64::from(k)).collect();
    let mut findings = Findings::default();
    for (k, (name, model)) in models.into_iter().enumerate() {
        let mut line = Vec::new();
        for (s, &slope) in slopes.iter().enumerate() {
            told((k as f64 + s as f64 / slopes.len() as f64) / models.len() as f64);
            let speed = speed(model, slope)?;
            sheet.row([name.replace(',', ";"), slope.to_string(), speed.to_string()]);
            line.push([slope, speed]);
        }
        findings.say(format!("{name}: slides from {:.3}° on", threshold(model)?));
        // Others may lie on it.
        let shape = if matches!(model, Model::Cone) { Shape::Broad } else { Shape::Line };
        chart.add(Series::line(name, line).shaped(shape));
    }
    findings.sheet("", sheet);
    findings.chart("", chart);
    Ok(findings)
}

/// The largest slope on which nothing moves, by halving.
fn threshold(model: Model) -> anyhow::Result<f64> {
    let (mut low, mut high) = (10.0, 45.0);
    while high - low > 1e-4 {
        let middle = 0.5 * (low + high);
        if speed(model, middle)? > 1e-9 { high = middle } else { low = middle }
    }
    Ok(0.5 * (low + high))
}

/// Speed of a particle of one kilogram after half a second.
fn speed(model: Model, slope: f64) -> anyhow::Result<f64> {
    let (sin, cos) = slope.to_radians().sin_cos();
    let direction = match model {
        Model::Cone => 0.3, // any
        Model::Box(angle) | Model::Polygon(_, angle) => angle,
    };
    let mut v = [0.0; 3];
    for _ in 0..STEPS {
        let g = 9.81 * STEP;
        let free =
            [v[0] - g * cos, v[1] + g * sin * direction.cos(), v[2] + g * sin * direction.sin()];
        let impulse = impulse(model, free)?;
        v = std::array::from_fn(|k| free[k] + impulse[k]);
    }
    Ok(v[1].hypot(v[2]))
}

fn impulse(model: Model, free: [f64; 3]) -> anyhow::Result<[f64; 3]> {
    let boxed = || -> anyhow::Result<LinearProblem> {
        let mut rows = ContactRows::new(free.to_vec());
        rows.contact([&[(0, 1.0)], &[(1, 1.0)], &[(2, 1.0)]], 0.0, BoxFriction::isotropic(MU));
        Ok(rows.build(&[DMatrix::identity(3, 3)])?)
    };
    let of = |r: &[f64]| [r[0], r[1], r[2]];
    match model {
        Model::Cone => {
            let operator = Assembled::from_rows(1, [[(0, Matrix3::identity())]]);
            let problem =
                ContactProblem::new(operator, free.to_vec(), vec![Law::Coulomb { mu: MU }])?;
            let mut r = [0.0; 3];
            let _ = cone::Solver::Default.solve(&problem, &mut r, &LIMITS, &mut ());
            Ok(r)
        }
        Model::Box(_) => {
            let mut r = [0.0; 3];
            let _ = linear::solve(&boxed()?, &mut r, &LIMITS, &mut ());
            Ok(r)
        }
        Model::Polygon(sides, _) => {
            let polygon = Polyhedral::new(&boxed()?, sides)?;
            let mut x = vec![0.0; polygon.problem.len()];
            let _ = lemke::solve(&polygon.problem, &mut x, &LIMITS, &mut ());
            Ok(of(&polygon.impulses(&x)))
        }
    }
}

//! A collection of contact problems, to see which solver solves what.
//!
//! They are like those of public collections [ABKP14], made anew: single contacts, boxes on each other, brick walls,
//! heavy on light, contacts between random bodies (an operator of two thirds of full rank), and steps of piles of
//! boxes, capsules and rods as they are simulated. All have their blocks written out, as problems of files have; every
//! third has an operator that is not quite symmetric.

use nalgebra::UnitQuaternion;
use stiction::body::{Obstacle, Rigid, Shape};
use stiction::math::{Matrix3, Vector3};
use stiction::method::impulse::ImpulseSettings;
use stiction::solve::complementarity::cone::{
    Assembled, BlockRows, ContactProblem, Delassus as _, Law, MassJacobian, Model,
};
use stiction::{Scene, Settings, Simulation};

use crate::matrices::Random;
use crate::scenes::floor;
use crate::stacks::Stack;

/// A problem of the collection.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is in contact.
    pub family: &'static str,
    /// The family, and what tells it from others of that.
    pub name: String,
    /// The largest coefficient of friction [-].
    pub mu: f64,
    /// What is added to the operator that is not symmetric, in its largest entry [-].
    pub skew: f64,
    /// The problem, with Coulomb's law.
    pub problem: ContactProblem<Assembled>,
}

impl Case {
    /// The next of a collection that has so many.
    fn new(
        count: usize,
        family: &'static str,
        what: &str,
        mu: f64,
        problem: ContactProblem<Assembled>,
    ) -> Self {
        let skew = if count % 3 == 2 { SKEW[count / 3 % 3] } else { 0.0 };
        let problem = if skew > 0.0 { skewed(&problem, skew, count as u64) } else { problem };
        Self { family, name: format!("{family}, {what}, μ = {mu}"), mu, skew, problem }
    }

    /// The same with the convex relaxation of Coulomb's law.
    pub fn associated(&self) -> ContactProblem<Assembled> {
        self.problem.clone().with_model(Model::Associated)
    }
}

/// Coefficients that most families are made with [-].
const FRICTION: [f64; 4] = [0.0, 0.3, 0.6, 1.0];
/// What is not symmetric in every third, in turns [-].
const SKEW: [f64; 3] = [1e-10, 1e-8, 1e-6];

/// The whole collection: 70 problems.
///
/// # Panics
/// Never: shapes and problems are sound.
pub fn whole() -> Vec<Case> {
    let mut all = small();
    let mut add = |family, what: String, mu: f64, problem: ContactProblem<Assembled>| {
        let case = Case::new(all.len(), family, &what, mu, problem);
        all.push(case);
    };
    for mu in [0.3, 0.8] {
        for (family, shape) in [("pile of boxes", 0), ("pile of capsules", 1), ("pile of rods", 2)]
        {
            let mut simulation = pile(shape, mu);
            for step in 1..=90 {
                simulation.step();
                if [30, 50, 90].contains(&step) {
                    let (problem, _) = simulation.contact_problem().expect("contacts are cones");
                    add(family, format!("step {step}"), mu, problem);
                }
            }
        }
    }
    for mu in [0.3, 0.8] {
        let problem = faster(&random(24, 8, mu, 5), 225.0);
        add("thrown hard", "24 contacts".into(), mu, problem);
        let mut stack = Stack::wall(3, 3);
        stack.gravity = Vector3::new(0.0, 9000.0, -20_000.0);
        add("thrown hard", "wall".into(), mu, stack.cone(mu).assembled());
    }
    all
}

/// The part of it that needs no simulation: 48 problems.
///
/// # Panics
/// Never, as above.
pub fn small() -> Vec<Case> {
    let mut all = Vec::new();
    let mut add = |family, what: String, mu: f64, problem: ContactProblem<Assembled>| {
        let case = Case::new(all.len(), family, &what, mu, problem);
        all.push(case);
    };
    for seed in 0..3 {
        for mu in FRICTION {
            add("single contact", format!("seed {seed}"), mu, random(1, 1, mu, seed));
        }
    }
    for mu in FRICTION {
        for height in [3, 8] {
            let mut stack = Stack::tower(&vec![1.0; height]);
            stack.gravity.x = 2.0;
            add("tower", format!("{height} boxes"), mu, stack.cone(mu).assembled());
        }
        for (rows, columns) in [(3, 2), (4, 4)] {
            let mut stack = Stack::wall(rows, columns);
            stack.gravity.y = 2.0;
            add("wall", format!("{rows} × {columns}"), mu, stack.cone(mu).assembled());
        }
        for ratio in [10.0, 100.0] {
            let stack = Stack::tower(&[1.0, ratio]);
            add("heavy on light", format!("{ratio} : 1"), mu, stack.cone(mu).assembled());
        }
        for (contacts, bodies) in [(9, 3), (24, 8), (60, 20)] {
            let problem = random(contacts, bodies, mu, contacts as u64);
            add("random bodies", format!("{contacts} contacts"), mu, problem);
        }
    }
    all
}

/// Contacts between random bodies of unit mass and inertia; one body alone touches what does not move.
fn random(contacts: usize, bodies: usize, mu: f64, seed: u64) -> ContactProblem<Assembled> {
    let mut random = Random::new(1000 * seed + contacts as u64);
    let mut vector = || Vector3::from_fn(|_, _| random.value());
    let mut rows = Vec::new();
    for k in 0..contacts {
        let axes = Matrix3::from_columns(&[vector(), vector(), vector()]).qr().q();
        let mut row = Vec::new();
        let pair = [k % bodies, (k * k + 1) % bodies];
        let sides = [(pair[0], 1.0), (pair[1], -1.0)];
        for (body, sign) in sides.into_iter().take(if pair[0] == pair[1] { 1 } else { 2 }) {
            let turn = -axes * (vector() * 1.5).cross_matrix();
            row.extend([(2 * body, axes * sign), (2 * body + 1, turn * sign)]);
        }
        rows.push(row);
    }
    let jacobian = BlockRows::from_rows(2 * bodies, rows);
    let v: Vec<f64> = (0..2 * bodies)
        .flat_map(|_| {
            let v = vector() * 2.0;
            [v.x, v.y, v.z]
        })
        .collect();
    let b = (0..contacts).flat_map(|i| {
        let u = jacobian.row_times(i, &v);
        [u.x, u.y, u.z]
    });
    let b = b.collect();
    let operator = MassJacobian::new(vec![Matrix3::identity(); 2 * bodies], jacobian);
    let laws = vec![Law::Coulomb { mu }; contacts];
    ContactProblem::new(operator, b, laws).expect("sizes fit").assembled()
}

/// A dozen bodies above each other in a shaft, each turned in its own way.
fn pile(shape: usize, mu: f64) -> Simulation {
    let shape = match shape {
        0 => Shape::Box { size: Vector3::new(0.2, 0.12, 0.16), rounding: 0.0 },
        1 => Shape::Capsule { radius: 0.06, length: 0.12 },
        _ => Shape::Cylinder { radius: 0.03, length: 0.4 },
    };
    let body = Rigid::shape(&shape, 12).expect("lengths above zero");
    let mut scene = Scene::new();
    scene.friction.coefficient = mu;
    scene.add(floor());
    for (normal, at) in [
        ([1.0, 0.0, 0.0], -0.3),
        ([-1.0, 0.0, 0.0], -0.3),
        ([0.0, 0.0, 1.0], -0.3),
        ([0.0, 0.0, -1.0], -0.3),
    ] {
        scene.add(Obstacle::plane(normal, at));
    }
    let mut random = Random::new(77);
    for k in 0..12 {
        let axis = Vector3::from_fn(|_, _| random.value());
        let turn = UnitQuaternion::from_scaled_axis(axis * 2.0);
        let place = [0.05 * random.value(), 0.25 + 0.18 * f64::from(k), 0.05 * random.value()];
        let (axis, angle) = turn.axis_angle().expect("an angle above zero");
        scene.add(body.clone().turned([axis.x, axis.y, axis.z], angle).at(place));
    }
    let settings = Settings {
        time_step: 0.01,
        method: ImpulseSettings::default().into(),
        ..Default::default()
    };
    Simulation::with_settings(&scene, settings).expect("a sound scene")
}

/// The same with all velocities so many times as fast.
///
/// # Panics
/// When that is not finite.
pub fn faster(problem: &ContactProblem<Assembled>, times: f64) -> ContactProblem<Assembled> {
    let b = problem.b().iter().map(|b| b * times).collect();
    ContactProblem::new(problem.operator().clone(), b, problem.laws().to_vec()).expect("as before")
}

/// The same, given by an operator that is not symmetric: `skew` of its largest entry is added on one side of the
/// diagonal, all over the blocks that it has, and taken away on the other.
///
/// # Panics
/// Never: the problem stays one.
pub fn skewed(
    problem: &ContactProblem<Assembled>,
    skew: f64,
    seed: u64,
) -> ContactProblem<Assembled> {
    let a = problem.operator();
    let size = problem.contacts();
    let largest = (0..size).map(|i| a.diagonal(i).amax()).fold(0.0, f64::max);
    let noise = |i: usize, j: usize| {
        let mut random = Random::new(seed + (i * size + j) as u64);
        random.matrix() * (skew * largest)
    };
    let row = |i: usize| {
        let own = noise(i, i);
        let others = a.others().row(i).map(move |(j, block)| match i < j {
            true => (j, block + noise(i, j)),
            false => (j, block - noise(j, i).transpose()),
        });
        others.chain([(i, a.diagonal(i) + (own - own.transpose()) * 0.5)])
    };
    let operator = Assembled::from_rows(size, (0..size).map(row));
    ContactProblem::new(operator, problem.b().to_vec(), problem.laws().to_vec())
        .and_then(|new| new.with_compliance(problem.compliance().to_vec()))
        .expect("as before")
}

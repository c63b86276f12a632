//! Contact problems with known answers, and random ones.

use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::cone::{BlockRows, ContactProblem, Law, MassJacobian};

pub(crate) type Problem = ContactProblem<MassJacobian>;

/// SplitMix64: tests need a few numbers, not a dependency.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    pub(crate) fn vector(&mut self) -> Vector3 {
        Vector3::new(self.normal(), self.normal(), self.normal())
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A random frame: rows are its axes.
    pub(crate) fn frame(&mut self) -> Matrix3 {
        let m = Matrix3::from_columns(&[self.vector(), self.vector(), self.vector()]);
        m.qr().q()
    }
}

/// The two blocks of a contact frame (rows: normal, tangents) at `arm` from a body's centre.
pub(crate) fn rigid_rows(frame: Matrix3, arm: Vector3) -> [Matrix3; 2] {
    let turn = |k: usize| arm.cross(&frame.row(k).transpose()).transpose();
    [frame, Matrix3::from_rows(&[turn(0), turn(1), turn(2)])]
}

/// `contacts` between random bodies of unit mass and inertia, three contacts a body: the generator of
/// `siconos_scenes.py`. The operator has rank two thirds.
pub(crate) fn random(contacts: usize, mu: f64, seed: u64) -> Problem {
    let mut random = Random(seed);
    let bodies = (contacts / 3).max(3);
    let mut rows = Vec::new();
    for _ in 0..contacts {
        let mut row = Vec::new();
        for sign in [1.0, -1.0] {
            let body = random.below(bodies);
            let arm = random.vector();
            let [linear, angular] = rigid_rows(random.frame(), arm);
            row.extend([(2 * body, linear * sign), (2 * body + 1, angular * sign)]);
        }
        rows.push(row);
    }
    let jacobian = BlockRows::from_rows(2 * bodies, rows);
    let v: Vec<f64> = (0..6 * bodies).map(|_| random.normal()).collect();
    let b = (0..contacts).flat_map(|i| jacobian.row_times(i, &v).data.0[0]).collect();
    let operator = MassJacobian::new(vec![Matrix3::identity(); 2 * bodies], jacobian);
    ContactProblem::new(operator, b, vec![Law::Coulomb { mu }; contacts]).unwrap()
}

/// A frame whose first row is `normal`, then the given tangent, then what makes it right-handed.
pub(crate) fn frame(normal: Vector3, tangent: Vector3) -> Matrix3 {
    let n = normal.normalize();
    let t = (tangent - n * n.dot(&tangent)).normalize();
    Matrix3::from_rows(&[n.transpose(), t.transpose(), n.cross(&t).transpose()])
}

/// A contact of particles: A, B if it is not an obstacle, frame, velocity of the world, coefficient.
pub(crate) struct NodalContact {
    pub(crate) a: usize,
    pub(crate) b: Option<usize>,
    pub(crate) frame: Matrix3,
    pub(crate) w: Vector3,
    pub(crate) mu: f64,
}

/// Particles of given mass under given impulses.
pub(crate) fn nodal(masses: &[f64], f: &[Vector3], contacts: &[NodalContact]) -> Problem {
    let free = |i: usize| f[i] / masses[i];
    let rows = contacts.iter().map(|c| {
        let mut row = vec![(c.a, c.frame)];
        row.extend(c.b.map(|b| (b, -c.frame)));
        row
    });
    let jacobian = BlockRows::from_rows(masses.len(), rows);
    let b = contacts.iter().flat_map(|c| {
        let relative = free(c.a) - c.b.map_or_else(Vector3::zeros, free) + c.w;
        (c.frame * relative).data.0[0]
    });
    let b = b.collect();
    let inverse = masses.iter().map(|m| Matrix3::identity() / *m).collect();
    let laws = contacts.iter().map(|c| Law::Coulomb { mu: c.mu }).collect();
    ContactProblem::new(MassJacobian::new(inverse, jacobian), b, laws).unwrap()
}

/// How fast the stack V3 slides along y over its floor. Both particles move as one; along x the wall leaves a slip of
/// 0.2, and the floor, `μ r_N = 0.5 · 19.6`, takes momentum along the slip: `2 (s − 0.3) + 9.8 s/√(0.2² + s²) = 0`, a
/// quartic after squaring. The left side grows with `s`: bisection.
pub(crate) fn stack_slip() -> f64 {
    let momentum = |s: f64| 2.0 * (s - 0.3) + 9.8 * s / 0.2_f64.hypot(s);
    let (mut low, mut high) = (0.0, 0.3);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if momentum(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// A case of `docs/theory/reference-values.md`, "One contact": coefficient, `d`, velocity, impulse; there `r = W u +
/// d`.
pub(crate) type OneContact = (f64, [f64; 3], [f64; 3], [f64; 3]);

/// `W` of that page, and its cases.
pub(crate) fn one_contact_vectors() -> (Matrix3, [OneContact; 6]) {
    let w = Matrix3::new(2.0, 0.3, -0.2, 0.3, 1.5, 0.4, -0.2, 0.4, 1.0);
    let cases = [
        (0.3, [-1.0, 0.2, 0.1], [0.553585817889, -0.276390008058, 0.121273166801], [0.0; 3]),
        (0.6, [2.0, 0.7, -0.5], [0.0; 3], [2.0, 0.7, -0.5]),
        (
            0.3,
            [1.0, 0.8, -0.6],
            [0.0, -0.631247536051, 0.702940588877],
            [0.670037621409, 0.134304931475, -0.149558425543],
        ),
        (
            0.9,
            [0.5, -1.0, 0.4],
            [0.0, 0.391275975729, -0.241667216521],
            [0.665716236023, -0.509752923015, 0.314843173770],
        ),
        (
            0.5,
            [-0.05, -1.2, 1.5],
            [0.0, 1.134644132265, -1.692652620994],
            [0.628923763878, -0.175094850001, 0.261205031912],
        ),
        (0.0, [1.0, 0.8, -0.6], [0.0, -0.776119402985, 0.910447761194], [0.585074626866, 0.0, 0.0]),
    ];
    (w, cases)
}

/// The small problems of `docs/theory/reference-values.md`, "Several contacts": problem, free velocities, velocities of
/// the particles.
pub(crate) fn nodal_vectors() -> Vec<(&'static str, Problem, Vec<f64>, Vec<f64>)> {
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    let v = Vector3::new;
    let contact = |a, b, frame, w, mu| NodalContact { a, b, frame, w, mu };
    let mut all = Vec::new();
    let mut add =
        |name, masses: &[f64], f: &[Vector3], contacts: &[NodalContact], expected: &[f64]| {
            let free = f.iter().zip(masses).flat_map(|(f, m)| (f / *m).data.0[0]).collect();
            all.push((name, nodal(masses, f, contacts), free, expected.to_vec()));
        };
    add(
        "V1 wall pressing",
        &[1.0],
        &[v(-9.8, 0.0, 0.0)],
        &[contact(0, None, frame(x, y), v(0.0, -1.0, 0.0), 1.0)],
        &[0.0, 1.0, 0.0],
    );
    add(
        "V2 two contacts, one vertex",
        &[1.0],
        &[v(0.0, 0.0, -9.8)],
        &[
            contact(0, None, frame(x, y), v(-1.0, 0.3, 0.0), 0.1),
            contact(0, None, frame(z, x), v(-1.0, 0.0, -0.2), 0.1),
        ],
        &[1.0, 0.0, 0.2],
    );
    let vy = stack_slip() - 0.3;
    add(
        "V3 stack",
        &[1.0, 1.0],
        &[v(0.0, 0.0, -9.8), v(0.0, 0.0, -9.8)],
        &[
            contact(0, None, frame(z, x), v(-1.0, 0.3, 0.0), 0.5),
            contact(0, Some(1), frame(-z, -y), Vector3::zeros(), 0.2),
            contact(0, None, frame(x, y), v(-1.2, 0.3, 0.0), 0.0),
        ],
        &[1.2, vy, 0.0, 1.2, vy, 0.0],
    );
    add(
        "V4 three tilted contacts",
        &[1.0],
        &[v(-4.0, 0.0, -9.8)],
        &[
            contact(0, None, frame(v(1.0, -0.1, -0.1), y), v(-1.0, 0.0, 0.0), 1.0),
            contact(0, None, frame(v(1.0, 0.2, 0.0), y), v(-1.0, 0.0, 0.0), 1.0),
            contact(0, None, frame(v(1.0, 0.0, 0.2), y), v(-1.0, 0.0, 0.0), 1.0),
        ],
        &[88.0 / 65.0, 0.0, -23.0 / 13.0],
    );
    add(
        "V5 self-contact",
        &[2.0, 1.0],
        &[v(-10.0, 0.0, 0.0), Vector3::zeros()],
        &[contact(0, Some(1), frame(x, y), Vector3::zeros(), 1.0)],
        &[-10.0 / 3.0, 0.0, 0.0, -10.0 / 3.0, 0.0, 0.0],
    );
    let slide = 10.0 / 3.0 * 0.2 / 10f64.sqrt();
    add(
        "V6 oblique self-contact",
        &[2.0, 1.0],
        &[v(-10.0, 3.0, 1.0), Vector3::zeros()],
        &[contact(0, Some(1), frame(x, y), Vector3::zeros(), 0.2)],
        &[-10.0 / 3.0, 1.5 - 1.5 * slide, 0.5 - 0.5 * slide, -10.0 / 3.0, 3.0 * slide, slide],
    );
    all
}

/// Boxes of unit edge piled on a floor, four contacts between neighbours, gravity for one step of 0.01 s.
pub(crate) fn tower(masses: &[f64], mu: f64) -> Problem {
    let mut rows = Vec::new();
    let axes = frame(Vector3::y(), Vector3::z());
    for k in 0..masses.len() {
        for (sx, sz) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let [linear, angular] = rigid_rows(axes, Vector3::new(sx, -0.5, sz));
            let mut row = vec![(2 * k, linear), (2 * k + 1, angular)];
            if k > 0 {
                let [linear, angular] = rigid_rows(axes, Vector3::new(sx, 0.5, sz));
                row.extend([(2 * k - 2, -linear), (2 * k - 1, -angular)]);
            }
            rows.push(row);
        }
    }
    let jacobian = BlockRows::from_rows(2 * masses.len(), rows);
    let inverse =
        masses.iter().flat_map(|m| [Matrix3::identity() / *m, Matrix3::identity() * (6.0 / m)]);
    let operator = MassJacobian::new(inverse.collect(), jacobian);
    let g = 9.81 * 0.01;
    let free: Vec<f64> = masses.iter().flat_map(|_| [0.0, -g, 0.0, 0.0, 0.0, 0.0]).collect();
    let contacts = 4 * masses.len();
    let b = (0..contacts).flat_map(|i| operator.jacobian().row_times(i, &free).data.0[0]).collect();
    ContactProblem::new(operator, b, vec![Law::Coulomb { mu }; contacts]).unwrap()
}

/// A box on an incline with slope angle `theta`, after a step of 0.01 s from rest: `columns × 2` coplanar contacts.
pub(crate) fn incline(columns: usize, theta: f64, mu: f64) -> Problem {
    let (mass, edge) = (8.0, 0.2);
    let axes = frame(Vector3::z(), Vector3::x());
    let mut rows = Vec::new();
    for k in 0..columns {
        let x = edge * (k as f64 / (columns - 1) as f64 - 0.5);
        for y in [-0.5 * edge, 0.5 * edge] {
            let [linear, angular] = rigid_rows(axes, Vector3::new(x, y, -0.5 * edge));
            rows.push([(0, linear), (1, angular)]);
        }
    }
    let jacobian = BlockRows::from_rows(2, rows);
    let inertia = mass * edge * edge / 6.0;
    let inverse = vec![Matrix3::identity() / mass, Matrix3::identity() / inertia];
    let step = 9.81 * 0.01;
    let free = [step * theta.sin(), 0.0, -step * theta.cos(), 0.0, 0.0, 0.0];
    let b = (0..2 * columns).flat_map(|i| jacobian.row_times(i, &free).data.0[0]).collect();
    let operator = MassJacobian::new(inverse, jacobian);
    ContactProblem::new(operator, b, vec![Law::Coulomb { mu }; 2 * columns]).unwrap()
}

/// Velocities of the unknowns: free velocity plus what impulses make.
pub(crate) fn velocities(problem: &Problem, free: &[f64], r: &[f64]) -> Vec<f64> {
    let mut v = vec![0.0; free.len()];
    problem.operator().velocities(r, &mut v);
    v.iter().zip(free).map(|(v, free)| v + free).collect()
}

/// A brick wall in the moment a ball hits it: bricks twice as long as high and deep, every second layer moved by half
/// a brick, four contacts where two bricks meet; bricks near the middle move away, all others wobble; gaps of a tenth
/// of a millimetre contradict each other.
pub(crate) fn wall(columns: usize, layers: usize, mu: f64, seed: u64) -> Problem {
    let mut random = Random(seed);
    let brick = |column: usize, layer: usize| layer * columns + column;
    let start = |column: usize, layer: usize| column as f64 + 0.5 * (layer % 2) as f64;
    let axes = frame(Vector3::y(), Vector3::x());
    let mut rows = Vec::new();
    let mut touch = |above: (usize, f64), below: Option<(usize, f64)>, from: f64, to: f64| {
        for (x, z) in [(from, -0.25), (to, -0.25), (to, 0.25), (from, 0.25)] {
            let arm = |start: f64, y: f64| Vector3::new(x - start - 0.5, y, z);
            let [linear, angular] = rigid_rows(axes, arm(above.1, -0.25));
            let mut row = vec![(2 * above.0, linear), (2 * above.0 + 1, angular)];
            if let Some((body, start)) = below {
                let [linear, angular] = rigid_rows(axes, arm(start, 0.25));
                row.extend([(2 * body, -linear), (2 * body + 1, -angular)]);
            }
            rows.push(row);
        }
    };
    for layer in 0..layers {
        for column in 0..columns {
            let (own, x) = (brick(column, layer), start(column, layer));
            if layer == 0 {
                touch((own, x), None, x, x + 1.0);
                continue;
            }
            for other in 0..columns {
                let below = start(other, layer - 1);
                let (from, to) = (x.max(below), (x + 1.0).min(below + 1.0));
                if from < to {
                    touch((own, x), Some((brick(other, layer - 1), below)), from, to);
                }
            }
        }
    }
    let bricks = columns * layers;
    let contacts = rows.len();
    let jacobian = BlockRows::from_rows(2 * bricks, rows);
    let inertia = Vector3::new(0.5, 1.25, 1.25) / 12.0;
    let inverse = [Matrix3::identity(), Matrix3::from_diagonal(&inertia.map(|i| 1.0 / i))];
    let mut free = Vec::new();
    for layer in 0..layers {
        for column in 0..columns {
            let middle =
                (column as f64 - 0.5 * columns as f64).hypot(layer as f64 - 0.5 * layers as f64);
            let hit = 3.0 * (-middle * middle).exp();
            let wobble = random.vector() * 0.02;
            let spin = random.vector() * 0.1 + Vector3::x() * hit;
            free.extend([wobble.x, wobble.y - 0.05, wobble.z - hit, spin.x, spin.y, spin.z]);
        }
    }
    let mut b: Vec<f64> =
        (0..contacts).flat_map(|i| jacobian.row_times(i, &free).data.0[0]).collect();
    b.iter_mut().step_by(3).for_each(|b| *b += 0.02 * random.normal());
    let operator = MassJacobian::new(inverse.repeat(bricks), jacobian);
    ContactProblem::new(operator, b, vec![Law::Coulomb { mu }; contacts]).unwrap()
}

//! Balls poured into a box, step by step: contact problems as they come one after the other, with the impulses of the
//! step before; with friction alone, or with resistance to spin and rolling.
//!
//! A world of its own, so that it measures solvers and nothing else: balls of one size, five planes, semi-implicit
//! steps, contacts within the distance that a step can close. Overlaps are left alone: where balls are jammed, no
//! impulses could take them away.

use std::collections::BTreeMap;

use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::cone::{BlockRows, ContactProblem, Law, MassJacobian};
use stiction::solve::complementarity::limit::{LimitProblem, LimitSurface};

/// Radius of a ball [m], and its mass [kg].
const RADIUS: f64 = 0.05;
const MASS: f64 = 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS * 1000.0;
/// Of a step [s].
const STEP: f64 = 0.005;
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.3;

/// Planes that hold the balls, numbered after them.
const PLANES: u32 = 5;

/// Balls in a box that is open above.
pub struct Packing {
    places: Vec<Vector3>,
    velocities: Vec<Vector3>,
    spins: Vec<Vector3>,
    /// Half of the width of the box [m].
    half: f64,
    /// Impulses of the last step by who touches whom, in space: forces, and torques where there are any.
    impulses: BTreeMap<[u32; 2], [Vector3; 2]>,
}

/// A step's contacts.
pub struct Step {
    /// The problem of its impulses.
    pub problem: ContactProblem<MassJacobian>,
    /// Impulses of the step before, in the frames of this one.
    pub warm: Vec<f64>,
    contacts: Vec<Contact>,
}

/// A step's contacts where they resist spin and rolling, six rows each.
pub struct TurningStep {
    /// The problem of its impulses.
    pub problem: LimitProblem<MassJacobian>,
    /// Impulses of the step before, in the frames of this one.
    pub warm: Vec<f64>,
    contacts: Vec<Contact>,
}

struct Contact {
    between: [u32; 2],
    frame: Matrix3,
    gap: f64,
}

impl Packing {
    /// So many balls, in layers above each other, each a bit out of line.
    pub fn new(balls: usize) -> Self {
        let side = ((balls as f64).cbrt().round() as usize).max(2);
        let spacing = 2.1 * RADIUS;
        let half = 0.5 * spacing * (side as f64 + 0.3);
        let mut state = 1u64;
        let mut jitter = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            0.004 * ((state >> 33) as f64 / (1u64 << 31) as f64 - 0.5)
        };
        let place = |k: usize| {
            let (i, j, layer) = (k % side, k / side % side, k / (side * side));
            let shift = 0.3 * spacing * (layer % 2) as f64;
            let along = |i: usize| (i as f64 + 0.5) * spacing - half + shift;
            Vector3::new(
                along(i) + jitter(),
                RADIUS + layer as f64 * spacing + jitter().abs(),
                along(j) + jitter(),
            )
        };
        let zeros = vec![Vector3::zeros(); balls];
        Self {
            places: (0..balls).map(place).collect(),
            velocities: zeros.clone(),
            spins: zeros,
            half,
            impulses: BTreeMap::new(),
        }
    }

    /// The kinetic energy a ball [J].
    pub fn energy(&self) -> f64 {
        let each = self.velocities.iter().zip(&self.spins);
        let sum: f64 = each
            .map(|(v, w)| {
                0.5 * MASS * (v.norm_squared() + 0.4 * RADIUS * RADIUS * w.norm_squared())
            })
            .sum();
        sum / self.places.len() as f64
    }

    /// The contacts of the next step; nothing changes.
    pub fn next(&self) -> Step {
        let contacts = self.contacts();
        let (operator, b) = self.operator(&contacts, false);
        let laws = vec![Law::Coulomb { mu: FRICTION }; contacts.len()];
        let problem = ContactProblem::new(operator, b, laws).expect("finite");
        Step { problem, warm: self.warm(&contacts, false), contacts }
    }

    /// The same where torsion and rolling are resisted, by a share of the radius each.
    pub fn next_turning(&self, torsion: f64, rolling: f64) -> TurningStep {
        let contacts = self.contacts();
        let (operator, b) = self.operator(&contacts, true);
        let slides = LimitSurface::disc(FRICTION);
        let surface = slides.with_torsion(torsion * RADIUS, true).with_rolling(rolling * RADIUS);
        let surfaces = vec![surface; contacts.len()];
        let problem = LimitProblem::new(operator, b, &surfaces).expect("finite");
        TurningStep { problem, warm: self.warm(&contacts, true), contacts }
    }

    /// How impulses make velocities of contacts, and the velocities without them; with rows that turn, if asked for.
    fn operator(&self, contacts: &[Contact], turning: bool) -> (MassJacobian, Vec<f64>) {
        let balls = self.places.len();
        let rows = contacts.iter().flat_map(|contact| {
            let slides = self.sliding(contact);
            let turns = turning.then(|| self.turning(contact));
            std::iter::once(slides).chain(turns)
        });
        let jacobian = BlockRows::from_rows(2 * balls, rows);
        let free: Vec<f64> = (0..balls)
            .flat_map(|k| {
                let v = self.velocities[k] - Vector3::y() * (GRAVITY * STEP);
                let w = self.spins[k];
                [v.x, v.y, v.z, w.x, w.y, w.z]
            })
            .collect();
        let mut b: Vec<f64> =
            (0..jacobian.rows()).flat_map(|i| jacobian.row_times(i, &free).data.0[0]).collect();
        let stride = if turning { 6 } else { 3 };
        for (contact, b) in contacts.iter().zip(b.chunks_exact_mut(stride)) {
            b[0] += contact.gap.max(0.0) / STEP;
        }
        let inertia = 0.4 * MASS * RADIUS * RADIUS;
        let inverse = [Matrix3::identity() / MASS, Matrix3::identity() / inertia].repeat(balls);
        (MassJacobian::new(inverse, jacobian), b)
    }

    fn sliding(&self, contact: &Contact) -> Vec<(usize, Matrix3)> {
        let normal = contact.frame.row(0).transpose();
        let one = |(ball, sign): (u32, f64)| {
            let arm = normal * (-sign * RADIUS);
            let turn = |k: usize| arm.cross(&contact.frame.row(k).transpose()).transpose();
            let angular = Matrix3::from_rows(&[turn(0), turn(1), turn(2)]);
            [(2 * ball as usize, contact.frame * sign), (2 * ball as usize + 1, angular * sign)]
        };
        self.movable(contact).flat_map(one).collect()
    }

    fn turning(&self, contact: &Contact) -> Vec<(usize, Matrix3)> {
        let one = |(ball, sign): (u32, f64)| (2 * ball as usize + 1, contact.frame * sign);
        self.movable(contact).map(one).collect()
    }

    /// The balls of a contact, with the sign of what an impulse does to them.
    fn movable(&self, contact: &Contact) -> impl Iterator<Item = (u32, f64)> + use<> {
        let balls = self.places.len();
        let both = contact.between.into_iter().zip([1.0, -1.0]);
        both.filter(move |(ball, _)| (*ball as usize) < balls)
    }

    fn warm(&self, contacts: &[Contact], turning: bool) -> Vec<f64> {
        let each = contacts.iter().flat_map(|contact| {
            let before = self.impulses.get(&contact.between).copied().unwrap_or_default();
            let parts = if turning { 2 } else { 1 };
            before.into_iter().take(parts).flat_map(|part| (contact.frame * part).data.0[0])
        });
        each.collect()
    }

    /// Takes the step with the impulses found for it.
    pub fn take(&mut self, step: &Step, impulses: &[f64]) {
        self.moved(step.problem.operator(), &step.contacts, impulses);
    }

    /// The same where contacts turn.
    pub fn take_turning(&mut self, step: &TurningStep, impulses: &[f64]) {
        self.moved(step.problem.operator(), &step.contacts, impulses);
    }

    fn moved(&mut self, operator: &MassJacobian, contacts: &[Contact], impulses: &[f64]) {
        let mut made = vec![0.0; 6 * self.places.len()];
        operator.velocities(impulses, &mut made);
        for (k, made) in made.chunks_exact(6).enumerate() {
            self.velocities[k] += Vector3::new(made[0], made[1] - GRAVITY * STEP, made[2]);
            self.spins[k] += Vector3::new(made[3], made[4], made[5]);
            self.places[k] += self.velocities[k] * STEP;
        }
        let Some(stride) = impulses.len().checked_div(contacts.len()) else { return };
        let kept = contacts.iter().zip(impulses.chunks_exact(stride)).map(|(contact, r)| {
            let mut parts = [Vector3::zeros(); 2];
            for (part, r) in parts.iter_mut().zip(r.chunks_exact(3)) {
                *part = contact.frame.tr_mul(&Vector3::new(r[0], r[1], r[2]));
            }
            (contact.between, parts)
        });
        self.impulses = kept.collect();
    }

    fn contacts(&self) -> Vec<Contact> {
        let cell = 2.2 * RADIUS;
        let index = |p: &Vector3| p.map(|x| (x / cell).floor() as i64);
        let mut cells: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
        for (k, place) in self.places.iter().enumerate() {
            cells.entry(index(place).data.0[0]).or_default().push(k as u32);
        }
        let near = 0.2 * RADIUS;
        let mut contacts = Vec::new();
        for (k, place) in self.places.iter().enumerate() {
            let k = k as u32;
            let (half, depth) = (self.half, RADIUS);
            let planes = [
                (Vector3::y(), place.y),
                (Vector3::x(), place.x + half),
                (-Vector3::x(), half - place.x),
                (Vector3::z(), place.z + half),
                (-Vector3::z(), half - place.z),
            ];
            for (number, (normal, distance)) in (0..PLANES).zip(planes) {
                let gap = distance - depth;
                if gap < near {
                    contacts.push(Contact {
                        between: [k, self.places.len() as u32 + number],
                        frame: frame(normal),
                        gap,
                    });
                }
            }
            let centre = index(place);
            let mut others: Vec<u32> = Vec::new();
            for dx in -1..=1 {
                for dy in -1..=1 {
                    for dz in -1..=1 {
                        let at = [centre.x + dx, centre.y + dy, centre.z + dz];
                        others.extend(
                            cells.get(&at).into_iter().flatten().filter(|&&other| other < k),
                        );
                    }
                }
            }
            others.sort_unstable();
            for other in others {
                let between = place - self.places[other as usize];
                let gap = between.norm() - 2.0 * RADIUS;
                if gap < near {
                    contacts.push(Contact {
                        between: [k, other],
                        frame: frame(between.normalize()),
                        gap,
                    });
                }
            }
        }
        contacts
    }
}

/// Rows: the normal and two tangents.
fn frame(normal: Vector3) -> Matrix3 {
    let least = normal.abs().imin();
    let first = normal.cross(&Vector3::ith(least, 1.0)).normalize();
    Matrix3::from_rows(&[normal.transpose(), first.transpose(), normal.cross(&first).transpose()])
}

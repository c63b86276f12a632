//! A deforming surface carries points near it like a body would: rigid motions exactly, momentum to rounding.
#![expect(non_snake_case, reason = "B as in the formulas")]

use nalgebra::{DMatrix, Rotation3};
use stiction::math::{Matrix3, Vector3};
use stiction::mesh::generate;
use stiction::method::smooth::carrier::{Anchor, Carrier};
use stiction_check::differences::assert_is_derivative;
use stiction_check::matrices::Random;

const RADIUS: f64 = 0.6;

/// A wavy, irregular sheet in a random pose, and a point near it.
struct Patch {
    x: Vector3,
    positions: Vec<Vector3>,
    triangles: Vec<[u32; 3]>,
}

impl Patch {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let soup = generate::sheet([2.0, 2.0], [6, 6], generate::Diagonals::Alternating)
            .expect("a fine sheet")
            .into_soup();
        let mut positions = soup.vertices;
        for p in &mut positions {
            p.z = 0.2 * (2.0 * p.x + 0.5).sin() * (1.5 * p.y).cos();
            *p += vector(&mut random) * 0.05;
        }
        let middle = Vector3::new(0.4 * random.value(), 0.4 * random.value(), 0.0);
        let x = middle + Vector3::z() * (0.1 + 0.25 * random.value());
        let (turn, shift) = (Rotation3::new(vector(&mut random) * 2.0), vector(&mut random));
        positions.iter_mut().for_each(|p| *p = turn * *p + shift);
        Self { x: turn * x + shift, positions, triangles: soup.elements }
    }

    /// Patches on which no face is about to enter or leave: there, everything is smooth.
    fn smooth(count: usize) -> impl Iterator<Item = Self> {
        (0..).map(Self::random).filter(Self::is_settled).take(count)
    }

    fn is_settled(&self) -> bool {
        self.triangles.iter().all(|t| {
            let c = t.iter().map(|&v| self.positions[v as usize]).sum::<Vector3>() / 3.0;
            ((self.x - c).norm() - RADIUS).abs() > 6e-3
        })
    }

    fn all(&self) -> Vec<u32> {
        (0..self.triangles.len() as u32).collect()
    }

    fn carrier(&self) -> Carrier {
        let mut carrier = Carrier::default();
        assert!(carrier.find(&self.x, RADIUS, &self.positions, &self.triangles, &self.all()));
        carrier
    }

    fn anchor(&self) -> Anchor {
        let mut anchor = Anchor::default();
        anchor.hold(&self.carrier());
        anchor
    }

    /// The point, then the vertices that carry it.
    fn places(&self, carrier: &Carrier) -> Vec<Vector3> {
        let vertices = carrier.vertices().iter().map(|&v| self.positions[v as usize]);
        [self.x].into_iter().chain(vertices).collect()
    }

    /// Moved by `t` along a direction over the point and the vertices that carry it.
    fn moved(&self, carrier: &Carrier, along: &[Vector3], t: f64) -> Self {
        let mut positions = self.positions.clone();
        for (&vertex, d) in carrier.vertices().iter().zip(&along[1..]) {
            positions[vertex as usize] += d * t;
        }
        Self { x: self.x + along[0] * t, positions, triangles: self.triangles.clone() }
    }
}

fn vector(random: &mut Random) -> Vector3 {
    Vector3::from_fn(|_, _| random.value())
}

/// Random and no longer than 0.2: steps of 1e-2 times that stay within [`Patch::is_settled`].
fn direction(random: &mut Random, size: usize) -> Vec<Vector3> {
    (0..size).map(|_| vector(random) * 0.1).collect()
}

/// Torque about the origin of forces at places.
fn torque(places: &[Vector3], forces: &[Vector3]) -> Vector3 {
    places.iter().zip(forces).map(|(x, f)| x.cross(f)).sum()
}

/// Where the surface takes the point of a patch when its vertices move, from the definition and nothing else.
fn carried_by_definition(patch: &Patch, new: &[Vector3]) -> Vector3 {
    let (mut sum, mut total) = (Vector3::zeros(), 0.0);
    for triangle in &patch.triangles {
        let [a, b, c] = triangle.map(|v| patch.positions[v as usize]);
        let rho = (patch.x - (a + b + c) / 3.0).norm() / RADIUS;
        if rho >= 1.0 {
            continue;
        }
        let weight = 1.0 - 3.0 * rho.powi(2) + 2.0 * rho.powi(3);
        let n = (b - a).cross(&(c - a)).normalize();
        // x = a + s (b − a) + t (c − a) + ψ n
        let frame = Matrix3::from_columns(&[b - a, c - a, n]);
        let coordinates = frame.lu().solve(&(patch.x - a)).expect("a triangle with area");
        let [a, b, c] = triangle.map(|v| new[v as usize]);
        let n = (b - a).cross(&(c - a)).normalize();
        let frame = Matrix3::from_columns(&[b - a, c - a, n]);
        sum += (a + frame * coordinates) * weight;
        total += weight;
    }
    sum / total
}

#[test]
fn slip_gradient_of_a_segment_is_reproduced() {
    // The segment (0,0)–(1,0.2) of the plane z = 0 as the lower edge of a triangle that stands on it: there, the
    // upper corner has no part.
    let positions = [Vector3::zeros(), Vector3::new(1.0, 0.2, 0.0), Vector3::new(0.5, 0.1, -1.0)];
    let x = Vector3::new(0.4, 0.0805, 0.0);
    let mut carrier = Carrier::default();
    assert!(carrier.find(&x, 2.0, &positions, &[[0, 1, 2]], &[0]));
    let e = Vector3::new(1.0, 0.2, 0.0).normalize();
    let mut spread = Vec::new();
    carrier.spread(&e, &mut spread);
    let expected = [
        [0.9805806756909, 0.1961161351382],
        [-0.5881598322077, -0.1181222567794],
        [-0.3924208434832, -0.0779938783588],
        [0.0, 0.0],
    ];
    for (row, expected) in spread.iter().zip(expected) {
        let expected = Vector3::new(expected[0], expected[1], 0.0);
        assert!((row - expected).norm() < 2e-13, "{row:?} is not {expected:?}");
    }
    let places = [x, positions[0], positions[1], positions[2]];
    assert!(spread.iter().sum::<Vector3>().norm() < 1e-15);
    assert!(torque(&places, &spread).norm() < 1e-15, "{:?}", torque(&places, &spread));

    let mut anchor = Anchor::default();
    anchor.hold(&carrier);
    let [a, b, c] = anchor.faces()[0].coordinates;
    assert!((b - 0.4000961538461538).abs() < 1e-15 && c.abs() < 1e-15);
    assert!((anchor.faces()[0].height - 4.902903378454504e-4).abs() < 1e-16);
    // Without the turning normal a moment is left.
    let plain = [e, -e * a, -e * b, -e * c];
    assert!((torque(&places, &plain).z + 4.902903378454504e-4).abs() < 1e-16);
}

#[test]
fn operator_is_the_rate_of_the_definition() {
    for (seed, patch) in Patch::smooth(40).enumerate() {
        let carrier = patch.carrier();
        let mut random = Random::new(seed as u64);
        let v = direction(&mut random, 1 + carrier.vertices().len());
        let to = vector(&mut random);
        let w = carrier.relative_velocity(&v);
        let carried = |t: f64| {
            to.dot(&carried_by_definition(&patch, &patch.moved(&carrier, &v, t).positions))
        };
        assert_is_derivative(carried, to.dot(&(v[0] - w)), 0.1);
    }
}

#[test]
fn rigid_motion_does_not_slip() {
    for seed in 0..200 {
        let patch = Patch::random(seed);
        let carrier = patch.carrier();
        let mut random = Random::new(seed);
        let (a, omega) = (vector(&mut random), vector(&mut random));
        let v: Vec<Vector3> = patch.places(&carrier).iter().map(|x| a + omega.cross(x)).collect();
        let w = carrier.relative_velocity(&v);
        assert!(w.norm() < 1e-14, "slips by {:e}", w.norm());
    }
}

#[test]
fn friction_has_no_net_force_and_no_net_torque() {
    let mut spread = Vec::new();
    for seed in 0..200 {
        let patch = Patch::random(seed);
        let carrier = patch.carrier();
        carrier.spread(&vector(&mut Random::new(seed)), &mut spread);
        let force: Vector3 = spread.iter().sum();
        let torque = torque(&patch.places(&carrier), &spread);
        assert!(force.norm() < 1e-14 && torque.norm() < 1e-14, "{force:?} {torque:?}");
    }
}

#[test]
fn change_of_relative_velocity_is_its_derivative() {
    let mut change = Vec::new();
    for (seed, patch) in Patch::smooth(40).enumerate() {
        let carrier = patch.carrier();
        let size = 1 + carrier.vertices().len();
        let mut random = Random::new(seed as u64);
        let v: Vec<Vector3> = (0..size).map(|_| vector(&mut random)).collect();
        carrier.relative_velocity_change(&v, &mut change);
        assert_eq!(change.len(), size);
        for _ in 0..4 {
            let (along, to) = (direction(&mut random, size), vector(&mut random));
            let exact: Vector3 = change.iter().zip(&along).map(|(block, d)| block * d).sum();
            let slip = |t: f64| {
                let moved = patch.moved(&carrier, &along, t).carrier();
                assert_eq!(moved.vertices(), carrier.vertices(), "the same vertices all along");
                to.dot(&moved.relative_velocity(&v))
            };
            assert_is_derivative(slip, to.dot(&exact), 1.0);
        }
    }
}

#[test]
fn change_of_spread_is_its_derivative() {
    let (mut change, mut spread) = (Vec::new(), Vec::new());
    for (seed, patch) in Patch::smooth(40).enumerate() {
        let carrier = patch.carrier();
        let size = 1 + carrier.vertices().len();
        let mut random = Random::new(seed as u64);
        let t = vector(&mut random);
        carrier.spread_change(&t, &mut change);
        assert_eq!(change.len(), size * size);
        let along = direction(&mut random, size);
        let to = vector(&mut random);
        for row in 0..size {
            let blocks = &change[row * size..][..size];
            let exact: Vector3 = blocks.iter().zip(&along).map(|(block, d)| block * d).sum();
            let force = |h: f64| {
                let moved = patch.moved(&carrier, &along, h).carrier();
                to.dot(&moved.operator()[row].tr_mul(&t))
            };
            assert_is_derivative(force, to.dot(&exact), 1.0);
        }
        carrier.spread(&t, &mut spread);
        let again = carrier.operator().iter().map(|block| block.tr_mul(&t));
        assert!(again.eq(spread.iter().copied()));
    }
}

/// `S = t·B v` has one derivative, whichever of `v` and `t` comes first. To rounding, and near the radius too.
#[test]
fn both_changes_are_parts_of_one_form() {
    let (mut of_slip, mut of_spread) = (Vec::new(), Vec::new());
    for seed in 0..200 {
        let carrier = Patch::random(seed).carrier();
        let size = 1 + carrier.vertices().len();
        let mut random = Random::new(seed);
        let v: Vec<Vector3> = (0..size).map(|_| vector(&mut random)).collect();
        let t = vector(&mut random);
        carrier.relative_velocity_change(&v, &mut of_slip);
        carrier.spread_change(&t, &mut of_spread);
        for column in 0..size {
            let left: Vector3 =
                (0..size).map(|row| of_spread[row * size + column].tr_mul(&v[row])).sum();
            let right = of_slip[column].tr_mul(&t);
            assert!((left - right).norm() < 1e-12, "{left:?} is not {right:?}");
        }
    }
}

#[test]
fn faces_come_and_go_without_a_jump() {
    let mut patch = Patch::random(5);
    let dense = |patch: &Patch| {
        let carrier = patch.carrier();
        let mut B = DMatrix::zeros(3, 3 * patch.positions.len());
        for (&vertex, block) in carrier.vertices().iter().zip(&carrier.operator()[1..]) {
            B.fixed_view_mut::<3, 3>(0, 3 * vertex as usize).copy_from(block);
        }
        (B, carrier.vertices().to_vec())
    };
    let (mut before, mut vertices) = dense(&patch);
    let mut changes = 0;
    for _ in 0..4000 {
        patch.x += Vector3::new(0.6, -0.5, 0.3) * 1e-4;
        let (after, now) = dense(&patch);
        assert!((&after - &before).norm() < 2e-3, "jump by {}", (&after - &before).norm());
        changes += usize::from(now != vertices);
        (before, vertices) = (after, now);
    }
    assert!(changes > 5, "only {changes} changes of the stencil on the way");
}

#[test]
fn anchor_follows_every_rigid_motion() {
    for seed in 0..100 {
        let patch = Patch::random(seed);
        let anchor = patch.anchor();
        assert!((anchor.carried(&patch.positions) - patch.x).norm() < 1e-14, "starts elsewhere");
        let mut random = Random::new(seed);
        let (turn, shift) = (Rotation3::new(vector(&mut random) * 3.0), vector(&mut random));
        let new: Vec<Vector3> = patch.positions.iter().map(|p| turn * p + shift).collect();
        let off = anchor.carried(&new) - (turn * patch.x + shift);
        assert!(off.norm() < 1e-14, "off by {:e}", off.norm());
        let rotation = anchor.rotation(&patch.positions, &new);
        assert!((rotation.matrix() - turn.matrix()).norm() < 1e-14, "{rotation} is not {turn}");
    }
}

#[test]
fn anchor_goes_where_the_definition_says() {
    for seed in 0..50 {
        let patch = Patch::random(seed);
        let mut random = Random::new(seed);
        let new: Vec<Vector3> =
            patch.positions.iter().map(|p| p + vector(&mut random) * 0.1).collect();
        let off = patch.anchor().carried(&new) - carried_by_definition(&patch, &new);
        assert!(off.norm() < 1e-14, "off by {:e}", off.norm());
    }
}

#[test]
fn derivative_of_the_anchor_is_one_and_starts_as_the_operator() {
    let mut blocks = Vec::new();
    for seed in 0..40 {
        let patch = Patch::random(seed);
        let (carrier, anchor) = (patch.carrier(), patch.anchor());
        assert_eq!(anchor.vertices(), carrier.vertices());
        anchor.carried_derivative(&patch.positions, &mut blocks);
        for (block, operator) in blocks.iter().zip(&carrier.operator()[1..]) {
            assert!((block + operator).norm() < 1e-14);
        }
        let mut random = Random::new(seed);
        let along = direction(&mut random, 1 + blocks.len());
        // Elsewhere it must hold too: the mesh has moved on.
        let later = patch.moved(&carrier, &direction(&mut random, 1 + blocks.len()), 1.0);
        anchor.carried_derivative(&later.positions, &mut blocks);
        let exact: Vector3 = blocks.iter().zip(&along[1..]).map(|(block, d)| block * d).sum();
        let to = vector(&mut random);
        let carried = |t: f64| to.dot(&anchor.carried(&later.moved(&carrier, &along, t).positions));
        assert_is_derivative(carried, to.dot(&exact), 0.1);
    }
}

#[test]
fn rotation_is_exactly_none_when_nothing_moved_and_blind_to_stretch() {
    for seed in 0..50 {
        let patch = Patch::random(seed);
        let anchor = patch.anchor();
        let still = anchor.rotation(&patch.positions, &patch.positions);
        assert_eq!(still, Rotation3::identity());
        let bigger: Vec<Vector3> = patch.positions.iter().map(|p| p * 1.7).collect();
        let rotation = anchor.rotation(&patch.positions, &bigger);
        assert!((rotation.matrix() - Matrix3::identity()).norm() < 1e-14);
    }
}

#[test]
fn nothing_near_carries_nothing() {
    let patch = Patch::random(1);
    let mut carrier = patch.carrier();
    let far = patch.x + Vector3::repeat(10.0);
    assert!(!carrier.find(&far, RADIUS, &patch.positions, &patch.triangles, &patch.all()));
    assert!(carrier.vertices().is_empty() && carrier.operator().is_empty());
    assert!(!carrier.find(&patch.x, RADIUS, &patch.positions, &patch.triangles, &[]));
    let mut change = vec![Matrix3::identity()];
    carrier.spread_change(&Vector3::x(), &mut change);
    assert!(change.is_empty());
    change.push(Matrix3::identity());
    carrier.relative_velocity_change(&[], &mut change);
    assert!(change.is_empty());
    let mut anchor = patch.anchor();
    anchor.hold(&carrier);
    assert!(anchor.is_empty());
    assert_eq!(anchor.carried(&patch.positions), Vector3::zeros());
    assert_eq!(anchor.rotation(&patch.positions, &patch.positions), Rotation3::identity());
}

#[test]
fn faces_without_area_do_not_count() {
    let patch = Patch::random(2);
    let whole = patch.carrier();
    // The same patch with collapsed faces on top: two corners in one place, three on a line, and a point.
    let mut worse =
        Patch { positions: patch.positions.clone(), triangles: patch.triangles.clone(), ..patch };
    let start = worse.positions.len() as u32;
    let d = Vector3::new(0.1, 0.2, -0.1);
    worse.positions.extend([worse.x, worse.x + d, worse.x + d * 2.0]);
    let [a, b, c] = [start, start + 1, start + 2];
    let flat = [[a, b, b], [a, b, c], [a, a, a]];
    worse.triangles.extend(flat);
    let carrier = worse.carrier();
    assert_eq!(carrier.vertices(), whole.vertices());
    assert_eq!(carrier.operator(), whole.operator());

    let mut carrier = Carrier::default();
    let last: Vec<u32> = (0..3).map(|i| patch.triangles.len() as u32 + i).collect();
    assert!(!carrier.find(&worse.x, RADIUS, &worse.positions, &worse.triangles, &last));
}

#[test]
fn anchors_survive_faces_that_collapse() {
    let patch = Patch::random(3);
    let anchor = patch.anchor();
    let mut blocks = Vec::new();
    let squashed: [(&str, Vec<Vector3>); 3] = [
        ("to a point", vec![patch.x; patch.positions.len()]),
        ("to a line", patch.positions.iter().map(|p| Vector3::x() * p.x).collect()),
        ("one vertex onto its neighbour", {
            let mut positions = patch.positions.clone();
            positions[anchor.vertices()[0] as usize] = positions[anchor.vertices()[1] as usize];
            positions
        }),
    ];
    for (how, new) in squashed {
        let carried = anchor.carried(&new);
        anchor.carried_derivative(&new, &mut blocks);
        assert!(carried.iter().all(|c| c.is_finite()), "{how}");
        assert!(blocks.iter().all(|block| block.iter().all(|c| c.is_finite())), "{how}");
        for (old, new) in [(&patch.positions, &new), (&new, &patch.positions)] {
            let rotation = anchor.rotation(old, new).into_inner();
            let off = (rotation.transpose() * rotation - Matrix3::identity()).norm();
            assert!(off < 1e-14 && rotation.determinant() > 0.0, "{how}: {rotation}");
        }
    }
    let to_a_point = vec![patch.x; patch.positions.len()];
    assert!((anchor.carried(&to_a_point) - patch.x).norm() < 1e-14);
}

#[test]
fn memory_of_earlier_points_has_no_effect() {
    let mut used = Carrier::default();
    for seed in 0..20 {
        let patch = Patch::random(seed);
        assert!(used.find(&patch.x, RADIUS, &patch.positions, &patch.triangles, &patch.all()));
        let fresh = patch.carrier();
        assert_eq!(used.vertices(), fresh.vertices());
        assert!(used.vertices().is_sorted_by(|a, b| a < b));
        assert_eq!(used.operator(), fresh.operator());
    }
}

//! Building elements: rest frames, masses, hinge branches, and what is refused.
#![expect(non_snake_case, reason = "F as in the literature")]

use std::f64::consts::{PI, TAU};

use nalgebra::Rotation3;
use stiction::element::{
    CurvatureSet, ElementSet, HingeSet, RestAngles, RestShapeError, TetrahedronSet, TriangleSet,
    lumped_masses,
};
use stiction::energy::{
    Lame, MembraneDensity, MembraneNeoHookean, OrthotropicStVenantKirchhoff, OrthotropicStiffness,
    StableNeoHookean,
};
use stiction::math::{Vector2, Vector3};

const RUBBER: Lame = Lame { mu: 3.0e5, lambda: 2.0e6 };

fn cloth() -> OrthotropicStVenantKirchhoff {
    let stiffness = OrthotropicStiffness { c00: 150.0, c11: 420.0, c01: 60.0, c22: 25.0 };
    OrthotropicStVenantKirchhoff::from_stiffness(stiffness).unwrap()
}

/// A triangle through `y = z` with the hinge edge on the x axis; face 1 turned by `angle`.
fn folded(angle: f64) -> [Vector3; 4] {
    let (sin, cos) = angle.sin_cos();
    [Vector3::zeros(), Vector3::x(), Vector3::new(0.4, -1.0, 0.0), Vector3::new(0.6, cos, sin)]
}

/// Two full turns one way and back: the stored energy is that of the true angle all along.
#[test]
fn hinges_count_full_turns() {
    let mut set = HingeSet::new(1.0, &folded(0.0), &[[0, 1, 2, 3]], RestAngles::Flat).unwrap();
    let steps = 200;
    let path = (0..=steps).chain((0..steps).rev()).map(|i| 2.0 * TAU * f64::from(i) / 200.0);
    // One unit of angle squared; from the shape, not from the code under test.
    let shape = 1.0 / (2.0 / 6.0);
    for angle in path {
        let x = folded(angle);
        assert!((set.angle(0, &x).abs() - angle).abs() < 1e-12, "at {angle}");
        assert!((set.energy(0, &x) - 0.5 * shape * angle * angle).abs() < 1e-11 * (1.0 + angle));
        set.accept(0, &x);
    }
    assert!(set.energy(0, &folded(0.0)).abs() < 1e-20, "unwound");
}

/// The same for the curvature of two triangles with one fold between them: each has it over both areas. On its two free
/// edges, of directions `a` and `b`, a triangle bears no moment, so it bears a multiple of `T = (a bᵀ + b aᵀ)/2`, and
/// stores `(n·T·n)²/(T:T)` of what a cylinder would.
#[test]
fn curvatures_count_full_turns() {
    let patches = [[0, 1, 2, 3, 0, 1], [1, 0, 3, 2, 1, 0]];
    let rest = folded(0.0);
    let mut set = CurvatureSet::new(1.0, 0.0, &rest, &patches, RestAngles::Flat).unwrap();
    let (a, b) = (Vector2::new(0.4, -1.0).normalize(), Vector2::new(-0.6, -1.0).normalize());
    let lone = (a.y * b.y).powi(2) / (0.5 * (1.0 + a.dot(&b).powi(2)));
    let steps = 200;
    for i in (0..=steps).chain((0..steps).rev()) {
        let angle = 2.0 * TAU * f64::from(i) / 200.0;
        let x = folded(angle);
        let mut energy = 0.0;
        for (e, patch) in patches.iter().enumerate() {
            let x = patch.map(|v| x[v as usize]);
            energy += set.energy(e, &x);
            set.accept(e, &x);
        }
        // Edge and heights are 1, so both areas are a half, the curvature is the angle over 1 m and lies on 1 m².
        let expected = 0.5 * lone * angle * angle;
        assert!((energy - expected).abs() < 1e-11 * (1.0 + expected), "{energy} at {angle}");
    }
}

/// Without updates a hinge knows nothing of turns, and its energy jumps where it folds shut.
#[test]
fn hinges_without_updates_wrap_at_half_a_turn() {
    let set = HingeSet::new(1.0, &folded(0.0), &[[0, 1, 2, 3]], RestAngles::Flat).unwrap();
    let (before, after) = (set.angle(0, &folded(PI - 0.01)), set.angle(0, &folded(PI + 0.01)));
    assert!((before + after).abs() < 1e-12 && (before.abs() - PI + 0.01).abs() < 1e-12);
}

#[test]
fn rest_angles_come_from_the_shape_or_are_flat() {
    let x = folded(0.7);
    let moulded = HingeSet::new(1.0, &x, &[[0, 1, 2, 3]], RestAngles::FromShape).unwrap();
    assert!(moulded.energy(0, &x) == 0.0 && moulded.rest_angle(0).abs() > 0.6);
    let mut flat = HingeSet::new(1.0, &x, &[[0, 1, 2, 3]], RestAngles::Flat).unwrap();
    assert!(flat.energy(0, &x) > 0.1 && flat.energy(0, &folded(0.0)) < 1e-20);
    flat.set_rest_angle(0, moulded.rest_angle(0));
    assert!(flat.energy(0, &x) < 1e-20);
}

/// A sheet of equilateral triangles rolled to a cylinder of curvature `c` stores `3/2 k_b c²` per area,
/// whichever way it is rolled: three times a plate of rigidity `k_b`. Second differences give each hinge
/// `θ = h c (cos²φ − ⅓ sin²φ)`, with `φ` between the normal of the edge and the direction of bending;
/// the squares of the three hinges of two triangles add up to `h² c²`.
#[test]
fn rolled_sheets_store_three_times_the_plate_energy() {
    let (l, h, c, stiffness) = (0.01, 0.01 * 0.75_f64.sqrt(), 0.5, 3.0);
    for turn in [0.0, 0.3, PI / 6.0, 1.1] {
        let rolled = |p: Vector2| {
            let p = Vector2::new(
                p.x * turn.cos() - p.y * turn.sin(),
                p.x * turn.sin() + p.y * turn.cos(),
            );
            Vector3::new((c * p.x).sin() / c, p.y, (1.0 - (c * p.x).cos()) / c)
        };
        let flat = |p: Vector2| Vector3::new(p.x, p.y, 0.0);
        let (a, b) = (Vector2::new(l, 0.0), Vector2::new(0.5 * l, h));
        // One hinge on each of the three edge directions, between the two triangles on its sides.
        let hinges = [
            [Vector2::zeros(), a, b, a - b],
            [Vector2::zeros(), b, b - a, a],
            [a, b, a + b, Vector2::zeros()],
        ];
        let energy: f64 = hinges
            .iter()
            .map(|hinge| {
                // Around the origin, where the three hinges see the same curvature.
                let x = hinge.map(flat);
                let set = HingeSet::new(stiffness, &x, &[[0, 1, 2, 3]], RestAngles::FromShape);
                set.unwrap().energy(0, &hinge.map(rolled))
            })
            .sum();
        let per_area = energy / (l * h);
        let plate = 0.5 * stiffness * c * c;
        assert!((per_area / plate - 3.0).abs() < 1e-4, "{} at {turn}", per_area / plate);
    }
}

/// On a lattice of parallelograms cut one way, however skew, a triangle bent to any paraboloid stores the energy of a
/// plate.
#[test]
fn triangles_of_a_lattice_bend_like_a_plate_in_every_direction() {
    let (rigidity, nu, size) = (3.0, 0.3, 1e-4);
    for (a, b) in [
        (Vector2::new(1.0, 0.0), Vector2::new(0.5, 0.75_f64.sqrt())),
        (Vector2::new(1.0, 0.0), Vector2::new(0.0, 1.0)),
        (Vector2::new(2.0, 0.3), Vector2::new(0.4, 0.7)),
        (Vector2::new(0.9, -0.4), Vector2::new(1.1, 0.8)),
    ] {
        let corners = [Vector2::zeros(), a, b, a - b, a + b, b - a];
        let flat = corners.map(|p| Vector3::new(p.x, p.y, 0.0) * size);
        let patch = [0, 1, 2, 3, 4, 5];
        let set = CurvatureSet::new(rigidity, nu, &flat, &[patch], RestAngles::FromShape).unwrap();
        let area = 0.5 * a.perp(&b) * size * size;
        for [xx, yy, xy] in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.4, -0.7, 0.5]] {
            let bent = flat.map(|p| {
                p + Vector3::z() * (0.5 * xx * p.x * p.x + 0.5 * yy * p.y * p.y + xy * p.x * p.y)
            });
            let (square, trace) = (xx * xx + yy * yy + 2.0 * xy * xy, xx + yy);
            let plate = 0.5 * rigidity * ((1.0 - nu) * square + nu * trace * trace);
            let ratio = set.energy(0, &bent) / area / plate;
            assert!((ratio - 1.0).abs() < 1e-6, "{ratio} of ({xx}, {yy}, {xy}) on {a:?} {b:?}");
        }
    }
}

/// A sheet rolled in space has the same warp everywhere as the same sheet given flat.
#[test]
fn warp_direction_in_space_equals_flat_coordinates() {
    let R = Rotation3::new(Vector3::new(0.4, 1.3, -0.8));
    let flat = [
        Vector2::new(0.0, 0.0),
        Vector2::new(0.7, 0.3),
        Vector2::new(-0.2, 0.8),
        Vector2::new(0.6, 1.1),
    ];
    let triangles = [[0, 1, 2], [1, 3, 2]];
    let space = flat.map(|p| R * Vector3::new(p.x, p.y, 0.0) + Vector3::new(5.0, 0.0, 1.0));
    // A part along the normal does not matter.
    let warp = R * Vector3::new(2.0, 0.0, 0.7);
    let a = TriangleSet::from_flat_vertices(cloth(), &flat, &triangles).unwrap();
    let b = TriangleSet::from_rest_positions(cloth(), &space, &triangles, warp).unwrap();
    for (e, triangle) in triangles.iter().enumerate() {
        let x = triangle.map(|v| space[v as usize] * 1.2 + space[v as usize].yzx() * 0.1);
        let (Wa, Wb) = (a.energy(e, &x), b.energy(e, &x));
        assert!(Wa > 1.0 && (Wa - Wb).abs() < 1e-12 * Wa);
    }
    // Turned by a right angle, warp and weft change places.
    let across = R * Vector3::y();
    let c = TriangleSet::from_rest_positions(cloth(), &space, &triangles, across).unwrap();
    let x = triangles[0].map(|v| space[v as usize] + warp * warp.dot(&space[v as usize]) * 0.1);
    assert!((a.energy(0, &x) - c.energy(0, &x)).abs() > 0.1 * a.energy(0, &x));
}

/// Mirrored panels are fine: the membrane does not know which side is up.
#[test]
fn mirrored_flat_coordinates_are_accepted() {
    let flat = [Vector2::zeros(), Vector2::new(0.0, 1.0), Vector2::new(1.0, 0.0)];
    let set = TriangleSet::from_flat_corners(cloth(), &[flat]).unwrap();
    assert!((set.areas()[0] - 0.5).abs() < 1e-15);
    let x = flat.map(|p| Vector3::new(p.x, p.y, 0.0));
    assert!(set.energy(0, &x).abs() < 1e-12);
    assert!((set.model().value(&set.deformation_gradient(0, &x))).abs() < 1e-12);
}

#[test]
fn lumped_masses_add_up_to_the_body() {
    let x =
        [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z(), Vector3::new(1.0, 1.0, 1.0)];
    let tetrahedra = [[0, 1, 2, 3], [1, 4, 2, 3]];
    let set = TetrahedronSet::new(StableNeoHookean::new(RUBBER), &x, &tetrahedra).unwrap();
    let volumes = set.volumes();
    assert!((volumes[0] - 1.0 / 6.0).abs() < 1e-15 && (volumes[1] - 1.0 / 3.0).abs() < 1e-15);
    let masses = lumped_masses(&tetrahedra, &volumes, 1000.0, x.len());
    assert!((masses.iter().sum::<f64>() - 500.0).abs() < 1e-12);
    assert!((masses[0] - 1000.0 / 24.0).abs() < 1e-12);
    let triangle = lumped_masses(&[[0, 1, 2]], &[0.5], 0.3, 3);
    assert!(triangle.iter().all(|m| (m - 0.05).abs() < 1e-16));
}

#[test]
fn bad_rest_shapes_are_refused_with_their_index() {
    let x =
        [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z(), Vector3::new(1.0, 1.0, 0.0)];
    let model = StableNeoHookean::new(RUBBER);
    let build = |tetrahedra: &[[u32; 4]]| TetrahedronSet::new(model, &x, tetrahedra).err().unwrap();
    assert!(matches!(
        build(&[[0, 1, 2, 3], [0, 2, 1, 3]]),
        RestShapeError::Inverted { element: 1, volume } if (volume + 1.0 / 6.0).abs() < 1e-15
    ));
    assert!(matches!(build(&[[0, 1, 2, 4]]), RestShapeError::Degenerate { element: 0, .. }));
    assert_eq!(
        build(&[[0, 1, 2, 9]]),
        RestShapeError::NoSuchVertex { element: 0, vertex: 9, vertex_count: 5 }
    );
    let message = build(&[[0, 2, 1, 3]]).to_string();
    assert!(message.contains("tetrahedron 0") && message.contains("\n  help: "), "{message}");

    let hinge = HingeSet::new(1.0, &x, &[[0, 1, 1, 2]], RestAngles::Flat).err().unwrap();
    assert!(matches!(hinge, RestShapeError::Degenerate { element: 0, .. }));

    let patch = [0, 1, 1, 2, 3, 4];
    let curvature = CurvatureSet::new(1.0, 0.0, &x, &[patch], RestAngles::Flat).err().unwrap();
    assert!(matches!(curvature, RestShapeError::Degenerate { element: 0, .. }));

    let perpendicular =
        TriangleSet::from_rest_positions(cloth(), &x, &[[0, 1, 2]], Vector3::z()).err().unwrap();
    assert_eq!(perpendicular, RestShapeError::WarpPerpendicular { element: 0 });
    // An isotropic sheet does not need to know.
    let isotropic = MembraneNeoHookean::new(RUBBER);
    assert!(TriangleSet::from_rest_positions(isotropic, &x, &[[0, 1, 2]], Vector3::z()).is_ok());

    let nan = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z() * f64::NAN];
    let broken = TetrahedronSet::new(model, &nan, &[[0, 1, 2, 3]]).err().unwrap();
    assert!(matches!(broken, RestShapeError::Degenerate { element: 0, .. }));
}

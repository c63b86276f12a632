//! Selections pick the vertices they describe, and say why when they pick none.

use proptest::prelude::*;
use stiction::math::Vector3;
use stiction::mesh::generate::{CuboidSplit, Diagonals, ball, cuboid, sheet};
use stiction::mesh::{Selection, TetMesh, Transform};

fn block() -> TetMesh {
    cuboid([1.0, 1.0, 1.0], [5, 5, 5], CuboidSplit::Kuhn).unwrap()
}

fn half_space(normal: Vector3, point: Vector3) -> Selection {
    Selection::HalfSpace { point, normal }
}

#[test]
fn a_plane_through_vertices_catches_them_after_rotation() {
    let rotation = nalgebra::UnitQuaternion::from_euler_angles(0.4, 0.9, -1.3);
    let move_by = Vector3::new(10.0, -4.0, 3.0);
    let place = Transform::identity().with_rotation(rotation).with_translation(move_by);
    let mesh = block().transformed(&place).unwrap();
    for k in 0..=5 {
        // The planes x = −0.5, −0.3, …, 0.5 of the block, as they lie now.
        let point = rotation * (Vector3::x() * (0.2 * f64::from(k) - 0.5)) + move_by;
        let found = half_space(rotation * Vector3::x(), point).vertices(&mesh).unwrap();
        assert_eq!(found.len(), 36 * (6 - k as usize));
    }
}

#[test]
fn boxes_and_spheres_are_closed() {
    let mesh = block();
    let face = Selection::Box { min: Vector3::new(0.5, -0.5, -0.5), max: Vector3::repeat(0.5) };
    assert_eq!(face.vertices(&mesh).unwrap(), mesh.vertex_tags().get("x-max").unwrap());
    let beam = Selection::Box {
        min: Vector3::new(0.4, f64::NEG_INFINITY, 0.4),
        max: Vector3::repeat(f64::INFINITY),
    };
    assert_eq!(beam.vertices(&mesh).unwrap().len(), 6);
    let everything = Selection::Sphere { center: Vector3::zeros(), radius: 0.75_f64.sqrt() };
    assert_eq!(everything.vertices(&mesh).unwrap().len(), 216);
    let but_corners =
        Selection::Sphere { center: Vector3::zeros(), radius: 0.75_f64.sqrt() - 1e-6 };
    assert_eq!(but_corners.vertices(&mesh).unwrap().len(), 208);
}

#[test]
fn the_boundary_is_the_surface_of_a_solid_and_the_rim_of_a_sheet() {
    let solid = ball(1.0, 0.3).unwrap();
    assert_eq!(
        Selection::Boundary.vertices(&solid).unwrap(),
        solid.vertex_tags().get("surface").unwrap()
    );
    let cloth = sheet([1.0, 1.0], [4, 4], Diagonals::Regular).unwrap();
    assert_eq!(Selection::Boundary.vertices(&cloth).unwrap().len(), 16);
}

#[test]
fn tags_name_vertices_or_corners_of_elements() {
    let mut mesh = block();
    mesh.tag_elements("first", &[0, 1]).unwrap();
    let mut corners: Vec<u32> = mesh.tets()[..2].iter().flatten().copied().collect();
    corners.sort_unstable();
    corners.dedup();
    assert_eq!(Selection::Tag("first".into()).vertices(&mesh).unwrap(), corners);
    mesh.tag_vertices("first", &[200]).unwrap();
    corners.push(200);
    assert_eq!(Selection::Tag("first".into()).vertices(&mesh).unwrap(), corners);
}

#[test]
fn an_unknown_tag_gets_a_suggestion() {
    let mesh = block();
    let text = Selection::Tag("x_min".into()).vertices(&mesh).unwrap_err().to_string();
    assert_eq!(
        text,
        "no tag `x_min`\n  help: did you mean `x-min`? known: x-max, x-min, y-max, y-min, z-max, z-min"
    );
    let text = Selection::Tag("handle".into()).vertices(&mesh).unwrap_err().to_string();
    assert_eq!(text, "no tag `handle`\n  help: known: x-max, x-min, y-max, y-min, z-max, z-min");
    let bare = TetMesh::new(mesh.vertices().to_vec(), mesh.tets().to_vec()).unwrap();
    let text = Selection::Tag("handle".into()).vertices(&bare).unwrap_err().to_string();
    assert_eq!(text, "no tag `handle`\n  help: the mesh has no tags");
}

#[test]
fn an_id_out_of_range_is_named() {
    let text = Selection::Ids(vec![3, 216]).vertices(&block()).unwrap_err().to_string();
    assert_eq!(text, "no vertex 216\n  help: the mesh has 216 vertices, counted from 0");
    assert_eq!(Selection::Ids(vec![3, 1, 3]).vertices(&block()).unwrap(), [1, 3]);
}

#[test]
fn an_empty_selection_says_where_the_mesh_is() {
    let nowhere = Selection::Sphere { center: Vector3::new(3.0, 0.0, 0.0), radius: 0.5 };
    let text = nowhere.and(Selection::Boundary).vertices(&block()).unwrap_err().to_string();
    assert_eq!(
        text,
        "no vertex is in (sphere of radius 0.5 at (3, 0, 0) and boundary)\n  \
         help: the mesh spans (-0.5, -0.5, -0.5) to (0.5, 0.5, 0.5)"
    );
    assert!(Selection::All.inverse().vertices(&block()).is_err());
    assert!(Selection::Or(vec![]).vertices(&block()).is_err());
    assert_eq!(Selection::And(vec![]).vertices(&block()).unwrap().len(), 216);
}

#[test]
fn shapes_that_are_none_are_refused() {
    let crossed = Selection::Box { min: Vector3::x(), max: -Vector3::x() };
    assert_eq!(
        crossed.vertices(&block()).unwrap_err().to_string(),
        "box (1, 0, 0) to (-1, -0, -0) is no shape\n  \
         help: give corners without NaN, each coordinate of min at most that of max"
    );
    let no_radius = Selection::Sphere { center: Vector3::zeros(), radius: f64::NAN };
    assert!(no_radius.vertices(&block()).is_err());
    assert!(half_space(Vector3::zeros(), Vector3::zeros()).vertices(&block()).is_err());
    assert!(half_space(Vector3::repeat(f64::NAN), Vector3::zeros()).vertices(&block()).is_err());
    // Wrong parts are found inside larger selections, even under a `Not`.
    assert!(
        half_space(Vector3::zeros(), Vector3::zeros())
            .inverse()
            .or(Selection::All)
            .vertices(&block())
            .is_err()
    );
}

/// A random selection, and the same as a test on one vertex.
fn selection() -> impl Strategy<Value = Selection> {
    let point = || proptest::array::uniform3(-0.6..0.6_f64).prop_map(Vector3::from);
    let leaf = prop_oneof![
        Just(Selection::All),
        Just(Selection::Boundary),
        Just(Selection::Tag("y-max".into())),
        (point(), point()).prop_map(|(a, b)| Selection::Box { min: a.inf(&b), max: a.sup(&b) }),
        (point(), 0.0..0.8_f64).prop_map(|(center, radius)| Selection::Sphere { center, radius }),
        (point(), point()).prop_map(|(point, normal)| Selection::HalfSpace { point, normal }),
        proptest::collection::vec(0..216_u32, 0..40).prop_map(Selection::Ids),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Selection::And),
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Selection::Or),
            inner.prop_map(Selection::inverse),
        ]
    })
}

fn holds(selection: &Selection, mesh: &TetMesh, v: u32) -> bool {
    let x = mesh.vertices()[v as usize];
    match selection {
        Selection::All => true,
        Selection::Boundary => x.amax() > 0.49,
        Selection::Tag(_) => x.y > 0.49,
        Selection::Box { min, max } => (x - min).min() >= 0.0 && (max - x).min() >= 0.0,
        Selection::Sphere { center, radius } => (x - center).norm() <= *radius,
        Selection::HalfSpace { point, normal } => (x - point).dot(normal) >= 0.0,
        Selection::Ids(ids) => ids.contains(&v),
        Selection::And(parts) => parts.iter().all(|part| holds(part, mesh, v)),
        Selection::Or(parts) => parts.iter().any(|part| holds(part, mesh, v)),
        Selection::Not(part) => !holds(part, mesh, v),
    }
}

proptest! {
    #[test]
    fn selections_match_a_test_vertex_by_vertex(selection in selection()) {
        let mesh = block();
        let slow: Vec<u32> = (0..216).filter(|&v| holds(&selection, &mesh, v)).collect();
        prop_assert_eq!(selection.vertices(&mesh).unwrap_or_default(), slow);
    }
}

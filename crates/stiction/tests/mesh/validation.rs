//! Broken meshes are refused, every problem named, and the remedies work.

use proptest::prelude::*;
use stiction::math::Vector3;
use stiction::mesh::generate::{CuboidSplit, Diagonals, cuboid, sheet, unstructured_sheet};
use stiction::mesh::{MeshError, Problem, TetMesh, TetSoup, TriMesh, TriSoup};

fn unit_tet() -> Vec<Vector3> {
    vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()]
}

#[track_caller]
fn problems<T: std::fmt::Debug>(result: Result<T, MeshError>) -> Vec<Problem> {
    match result.unwrap_err() {
        MeshError::Broken { problems, .. } => problems,
        other => panic!("another error: {other}"),
    }
}

#[track_caller]
fn text<T: std::fmt::Debug>(result: Result<T, MeshError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_sound_tet_is_accepted() {
    let mesh = TetMesh::new(unit_tet(), vec![[0, 1, 2, 3]]).unwrap();
    assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
}

#[test]
fn an_inverted_tet_is_named_and_can_be_turned() {
    let result = TetMesh::new(unit_tet(), vec![[0, 2, 1, 3]]);
    assert_eq!(
        text(result),
        "broken tet mesh\n  1 inverted tet: 0\n    help: `TetSoup::oriented` swaps two corners of each"
    );
    let mesh = TetSoup::new(unit_tet(), vec![[0, 2, 1, 3]]).oriented().build().unwrap();
    assert!(mesh.volume() > 0.0);
}

#[test]
fn of_many_inverted_tets_the_first_ten_are_shown() {
    let mut soup = cuboid([1.0; 3], [2; 3], CuboidSplit::Kuhn).unwrap().into_soup();
    for corners in &mut soup.elements[5..] {
        corners.swap(0, 1);
    }
    assert_eq!(
        text(soup.clone().build()),
        "broken tet mesh\n  43 inverted tets: 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, … (33 more)\n    \
         help: `TetSoup::oriented` swaps two corners of each"
    );
    assert!(soup.oriented().build().is_ok());
}

#[test]
fn everything_wrong_is_said_at_once() {
    let mut vertices = unit_tet();
    vertices.extend([
        Vector3::new(1.0, 1.0, 0.0),
        Vector3::new(0.0, f64::NAN, 0.0),
        Vector3::new(9.0, 9.0, 9.0),
    ]);
    let tets = vec![
        [0, 1, 2, 3],
        [0, 2, 1, 3],  // a copy of the first, and inverted
        [0, 1, 2, 4],  // flat
        [0, 1, 1, 3],  // repeats
        [0, 1, 2, 70], // out of range
        [0, 1, 2, 5],  // touches NaN, which is said once
    ];
    assert_eq!(
        text(TetMesh::new(vertices, tets)),
        "broken tet mesh
  1 vertex with NaN or infinite coordinates: 5
    help: look where these coordinates come from; nothing can repair them here
  1 corner out of range (the mesh has 7 vertices): tet 4 names vertex 70
    help: ids count from 0; files that count from 1 need one subtracted
  1 tet naming a vertex twice: 3
    help: `Soup::without_degenerate` drops them
  1 tet without volume: 2
    help: `Soup::without_degenerate` drops them; better, mesh the solid again
  1 duplicate tet: 1 repeats 0
    help: `Soup::without_duplicates` keeps the first of each
  1 vertex in no tet: 6
    help: they would have no mass; `Soup::without_unused_vertices` drops them
  1 inverted tet: 1
    help: `TetSoup::oriented` swaps two corners of each"
    );
}

#[test]
fn an_empty_mesh_is_refused() {
    assert_eq!(problems(TetMesh::new(vec![], vec![])), [Problem::Empty]);
    assert_eq!(problems(TriMesh::new(vec![Vector3::x()], vec![])), [Problem::Empty]);
    assert_eq!(problems(TriMesh::cloth(vec![], vec![])), [Problem::Empty]);
}

#[test]
fn overlapping_tets_are_refused() {
    // Two tips on the same side of the face (0, 1, 2).
    let mut vertices = unit_tet();
    vertices.push(Vector3::new(0.2, 0.2, 0.5));
    let result = TetMesh::new(vertices.clone(), vec![[0, 1, 2, 3], [0, 1, 2, 4]]);
    assert!(
        text(result)
            .contains("1 face in more than two tets, or in two on the same side: (0, 1, 2)")
    );
    // Three tets on one face.
    vertices.push(Vector3::new(0.2, 0.2, -0.5));
    let result = TetMesh::new(vertices.clone(), vec![[0, 1, 2, 3], [0, 2, 1, 5], [0, 1, 2, 4]]);
    assert!(
        matches!(&problems(result)[..], [Problem::CrowdedFace(faces)] if faces.first() == [[0, 1, 2]])
    );
    // Tips on either side are fine.
    vertices.swap(4, 5);
    vertices.pop();
    assert!(TetMesh::new(vertices, vec![[0, 1, 2, 3], [0, 2, 1, 4]]).is_ok());
}

#[test]
fn an_inverted_neighbour_is_inverted_but_does_not_overlap() {
    let mut vertices = unit_tet();
    vertices.push(Vector3::new(0.2, 0.2, -0.5));
    let result = TetMesh::new(vertices, vec![[0, 1, 2, 3], [0, 1, 2, 4]]);
    assert!(matches!(&problems(result)[..], [Problem::Inverted(tets)] if tets.first() == [1]));
}

#[test]
fn smallness_is_no_fault_but_flatness_is() {
    let tiny: Vec<Vector3> = unit_tet().iter().map(|x| x * 1e-9).collect();
    assert!(TetMesh::new(tiny, vec![[0, 1, 2, 3]]).is_ok());
    let mut flat = unit_tet();
    flat[3] = Vector3::new(0.3, 0.3, 1e-11);
    assert!(matches!(
        &problems(TetMesh::new(flat, vec![[0, 1, 2, 3]]))[..],
        [Problem::Degenerate(_)]
    ));
    let needle = vec![Vector3::zeros(), Vector3::x(), Vector3::new(0.5, 1e-11, 0.0)];
    let result = TriMesh::new(needle, vec![[0, 1, 2]]);
    assert!(text(result).contains("1 triangle without area: 0"));
    let point = vec![Vector3::x(); 3];
    assert!(TriMesh::new(point, vec![[0, 1, 2]]).is_err());
}

#[test]
fn triangles_may_branch_but_cloth_may_not() {
    // Three leaves on the edge (0, 1).
    let vertices = vec![
        Vector3::zeros(),
        Vector3::z(),
        Vector3::x(),
        Vector3::y(),
        Vector3::new(-1.0, -1.0, 0.0),
    ];
    let triangles = vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]];
    assert!(TriMesh::new(vertices.clone(), triangles.clone()).is_ok());
    assert_eq!(
        text(TriMesh::cloth(vertices, triangles)),
        "broken triangle mesh\n  1 edge in more than two triangles: (0, 1)\n    \
         help: cloth must be a surface: cut the extra sheets off, or make them their own cloth"
    );
}

#[test]
fn sheets_that_touch_in_a_point_are_no_cloth() {
    let vertices = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), -Vector3::x(), -Vector3::y()];
    let bow_tie = vec![[0, 1, 2], [0, 3, 4]];
    let mesh = TriMesh::new(vertices, bow_tie).unwrap();
    assert_eq!(
        text(mesh.check_cloth()),
        "broken triangle mesh\n  1 vertex where sheets touch in a point only: 0\n    \
         help: give each sheet its own copy of the vertex"
    );
}

#[test]
fn triangles_facing_opposite_sides_are_no_cloth_until_turned() {
    let mut soup = sheet([1.0, 1.0], [4, 4], Diagonals::Regular).unwrap().into_soup();
    soup.elements[7].swap(0, 1);
    let found = problems(soup.clone().build_cloth());
    assert!(
        matches!(&found[..], [Problem::OrientationClash(edges)] if edges.total() == 3),
        "{found:?}"
    );
    assert!(
        text(soup.clone().build_cloth())
            .contains("`TriSoup::oriented_consistently` turns triangles over")
    );
    let mesh = soup.oriented_consistently().build_cloth().unwrap();
    assert!(mesh.normals().iter().all(|n| n.z > 0.0));
}

#[test]
fn a_moebius_band_cannot_be_oriented() {
    let n = 12;
    let mut vertices = Vec::new();
    for k in 0..n {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(n);
        let (radial, half) = (Vector3::new(angle.cos(), angle.sin(), 0.0), 0.5 * angle);
        let across = (radial * half.cos() + Vector3::z() * half.sin()) * 0.2;
        vertices.extend([radial - across, radial + across]);
    }
    let mut triangles = Vec::new();
    for k in 0..n as u32 {
        let (a, b) = (2 * k, 2 * k + 1);
        let (c, d) = if k + 1 < n as u32 { (a + 2, b + 2) } else { (1, 0) };
        triangles.extend([[a, c, b], [b, c, d]]);
    }
    let soup = TriSoup::new(vertices, triangles).oriented_consistently();
    assert!(soup.clone().build().is_ok());
    let found = problems(soup.build_cloth());
    assert!(matches!(&found[..], [Problem::OrientationClash(_)]), "{found:?}");
}

#[test]
fn unused_vertices_are_named_and_can_be_dropped() {
    let mut vertices = unit_tet();
    vertices.insert(1, Vector3::repeat(7.0));
    let mut soup = TetSoup::new(vertices, vec![[0, 2, 3, 4]]);
    soup.vertex_tags.add("mixed", &[1, 2]);
    assert!(text(soup.clone().build()).contains("1 vertex in no tet: 1"));
    let mesh = soup.without_unused_vertices().build().unwrap();
    assert_eq!(mesh.tets(), [[0, 1, 2, 3]]);
    assert_eq!(mesh.vertex_tags().get("mixed"), Some(&[1][..]));
}

#[test]
fn duplicates_are_dropped_with_their_tags() {
    let mut soup = TetSoup::new(unit_tet(), vec![[0, 1, 2, 3], [1, 2, 0, 3]]);
    soup.element_tags.add("first", &[0]);
    soup.element_tags.add("second", &[1]);
    let mesh = soup.without_duplicates().build().unwrap();
    assert_eq!(mesh.element_count(), 1);
    assert_eq!(mesh.element_tags().get("first"), Some(&[0][..]));
    assert_eq!(mesh.element_tags().get("second"), Some(&[][..]));
}

#[test]
fn degenerate_elements_are_dropped() {
    let mut vertices = unit_tet();
    vertices.push(Vector3::new(1.0, 1.0, 0.0));
    let soup = TetSoup::new(vertices, vec![[0, 1, 2, 4], [0, 1, 2, 3], [0, 0, 1, 2]]);
    let mesh = soup.without_degenerate().without_unused_vertices().build().unwrap();
    assert_eq!(mesh.tets(), [[0, 1, 2, 3]]);
}

#[test]
fn tags_must_name_what_exists() {
    let mut soup = TetSoup::new(unit_tet(), vec![[0, 1, 2, 3]]);
    soup.vertex_tags.add("pinned", &[2, 9]);
    soup.element_tags.add("hard", &[1]);
    assert_eq!(
        text(soup.build()),
        "broken tet mesh
  tag `pinned` names 1 vertex ids of 4 or above: 9
    help: ids count from 0; make groups after the mesh is final
  tag `hard` names 1 tet ids of 1 or above: 1
    help: ids count from 0; make groups after the mesh is final"
    );
    let mut mesh = TetMesh::new(unit_tet(), vec![[0, 1, 2, 3]]).unwrap();
    assert!(mesh.tag_vertices("pinned", &[0, 4]).is_err());
    assert!(mesh.vertex_tags().is_empty());
    mesh.tag_vertices("pinned", &[3, 0, 3]).unwrap();
    assert_eq!(mesh.vertex_tags().get("pinned"), Some(&[0, 3][..]));
}

#[test]
fn repairs_of_hopeless_soups_do_not_panic() {
    let vertices = vec![Vector3::repeat(f64::NAN), Vector3::x(), Vector3::repeat(f64::INFINITY)];
    let tets = vec![[0, 1, 2, u32::MAX], [7, 7, 7, 7], [0, 0, 1, 1]];
    let soup = TetSoup::new(vertices.clone(), tets);
    let soup = soup.welded(1e-3).oriented().without_duplicates().without_unused_vertices();
    assert!(soup.build().is_err());
    let soup = TriSoup::new(vertices, vec![[0, 1, 2], [5, 1, 0], [1, 1, 1]]);
    assert!(
        soup.oriented_consistently().without_degenerate().welded(f64::NAN).build_cloth().is_err()
    );
}

#[test]
fn welding_glues_two_boxes_into_one() {
    let left = cuboid([1.0; 3], [2; 3], CuboidSplit::Kuhn).unwrap();
    let shift = stiction::mesh::Transform::identity().with_translation(Vector3::x() * (1.0 + 1e-9));
    let mut both = left.clone();
    both.append(&left.transformed(&shift).unwrap()).unwrap();
    assert_eq!(both.components().count, 2);
    let glued = both.into_soup().welded(1e-6).build().unwrap();
    let whole = cuboid([2.0, 1.0, 1.0], [4, 2, 2], CuboidSplit::Kuhn).unwrap();
    assert_eq!(glued.vertex_count(), whole.vertex_count());
    assert_eq!(glued.components().count, 1);
    assert_eq!(glued.faces().len(), whole.faces().len());
    assert!((glued.volume() - 2.0).abs() < 1e-8);
}

#[test]
fn zero_tolerance_welds_exact_copies_only() {
    let vertices = vec![
        Vector3::zeros(),
        Vector3::x(),
        Vector3::y(),
        Vector3::x() * (1.0 + 1e-15),
        Vector3::x(),
    ];
    let soup = TriSoup::new(vertices, vec![[0, 1, 2], [0, 4, 3]]).welded(0.0);
    assert_eq!(soup.vertices.len(), 4);
    assert_eq!(soup.elements, [[0, 1, 2], [0, 1, 3]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn welding_matches_its_slow_twin(
        points in proptest::collection::vec(proptest::array::uniform3(0..12_i32), 3..80),
        tolerance in 0.0..0.25_f64,
    ) {
        let vertices: Vec<Vector3> =
            points.iter().map(|p| Vector3::new(p[0].into(), p[1].into(), p[2].into()) * 0.1).collect();
        let ids: Vec<[u32; 3]> = (0..vertices.len() as u32 - 2).map(|v| [v, v + 1, v + 2]).collect();
        let welded = TriSoup::new(vertices.clone(), ids.clone()).welded(tolerance);

        let mut kept: Vec<Vector3> = Vec::new();
        let new_id: Vec<u32> = vertices
            .iter()
            .map(|x| {
                let k = kept.iter().position(|y| (x - y).norm() <= tolerance).unwrap_or_else(|| {
                    kept.push(*x);
                    kept.len() - 1
                });
                k as u32
            })
            .collect();
        prop_assert_eq!(welded.vertices, kept);
        let expected: Vec<[u32; 3]> = ids.iter().map(|t| t.map(|v| new_id[v as usize])).collect();
        prop_assert_eq!(welded.elements, expected);
    }

    #[test]
    fn random_flips_are_all_found_and_all_undone(flips in proptest::collection::vec(any::<bool>(), 48)) {
        let mesh = cuboid([1.0; 3], [2; 3], CuboidSplit::MirroredKuhn).unwrap();
        let mut soup = mesh.clone().into_soup();
        for (corners, _) in soup.elements.iter_mut().zip(&flips).filter(|(_, flip)| **flip) {
            corners.swap(2, 3);
        }
        let expected: Vec<u32> = (0..48).filter(|&e| flips[e as usize]).collect();
        match soup.clone().build() {
            Ok(_) => prop_assert!(expected.is_empty()),
            Err(MeshError::Broken { problems, .. }) => match &problems[..] {
                [Problem::Inverted(tets)] => {
                    prop_assert_eq!(tets.total(), expected.len());
                    prop_assert_eq!(tets.first(), &expected[..expected.len().min(10)]);
                }
                other => prop_assert!(false, "{other:?}"),
            },
            Err(other) => prop_assert!(false, "{other}"),
        }
        prop_assert_eq!(soup.oriented().build().unwrap(), mesh);
    }

    #[test]
    fn randomly_turned_cloth_is_turned_back(seed in 0..50_u64, flips in proptest::collection::vec(any::<bool>(), 13)) {
        let mesh = unstructured_sheet([1.0, 1.0], 0.2, seed).unwrap();
        let mut soup = mesh.clone().into_soup();
        for (e, corners) in soup.elements.iter_mut().enumerate().skip(1) {
            if flips[e % flips.len()] {
                corners.swap(1, 2);
            }
        }
        prop_assert_eq!(soup.oriented_consistently().build_cloth().unwrap(), mesh);
    }

    #[test]
    fn any_soup_is_accepted_or_refused_without_panic(
        points in proptest::collection::vec(proptest::array::uniform3(-2..3_i32), 0..8),
        tets in proptest::collection::vec(proptest::array::uniform4(0..9_u32), 0..8),
        triangles in proptest::collection::vec(proptest::array::uniform3(0..9_u32), 0..12),
    ) {
        let vertices: Vec<Vector3> =
            points.iter().map(|p| Vector3::new(p[0].into(), p[1].into(), p[2].into())).collect();
        let repaired = TetSoup::new(vertices.clone(), tets.clone()).oriented().without_degenerate();
        for soup in [TetSoup::new(vertices.clone(), tets), repaired.without_duplicates().without_unused_vertices()] {
            if let Ok(mesh) = soup.build() {
                let (inside, filled) = (mesh.boundary().surface.enclosed_volume(), mesh.volume());
                prop_assert!((inside - filled).abs() < 1e-12 * filled.max(1.0));
            }
        }
        let soup = TriSoup::new(vertices, triangles).without_degenerate().without_duplicates();
        if let Ok(mesh) = soup.without_unused_vertices().oriented_consistently().build_cloth() {
            prop_assert!(mesh.boundary_loops().is_ok());
            let sides = 2 * mesh.hinges().len() + mesh.boundary_edges().len();
            prop_assert_eq!(sides, 3 * mesh.element_count());
        }
    }
}

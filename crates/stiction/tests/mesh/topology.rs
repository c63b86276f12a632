//! Topology against slow twins, on generated and on mutilated meshes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use stiction::math::Vector3;
use stiction::mesh::generate::{
    CuboidSplit, Diagonals, ball, cuboid, cylinder, disk, hollow_ball, sheet, torus,
    unstructured_sheet,
};
use stiction::mesh::{Mesh, TetMesh, TetSoup, Transform, TriMesh, TriSoup};

/// A mesh with vertices and elements shuffled, corners turned (evenly), and only some elements kept.
fn shuffled<const N: usize>(
    mesh: &Mesh<N>,
    keep: &[bool],
    seed: u64,
) -> (Vec<Vector3>, Vec<[u32; N]>) {
    let mut state = seed;
    let mut random = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut order: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random(i + 1));
    }
    let mut vertices = vec![Vector3::zeros(); order.len()];
    for (v, x) in mesh.vertices().iter().enumerate() {
        vertices[order[v] as usize] = *x;
    }
    let mut elements: Vec<[u32; N]> = (mesh.elements().iter().enumerate())
        .filter(|(e, _)| keep[e % keep.len()])
        .map(|(_, corners)| corners.map(|v| order[v as usize]))
        .collect();
    for i in (1..elements.len()).rev() {
        elements.swap(i, random(i + 1));
    }
    for corners in &mut elements {
        corners[..3].rotate_left(random(3)); // an even permutation, for triangles and tets alike
    }
    (vertices, elements)
}

fn keep() -> impl Strategy<Value = Vec<bool>> {
    proptest::collection::vec(any::<bool>(), 7..40).prop_map(|mut keep| {
        keep[0] = true;
        keep
    })
}

fn random_solid(keep: &[bool], seed: u64) -> TetMesh {
    let (vertices, tets) = shuffled(&ball(1.0, 0.4).unwrap(), keep, seed);
    TetSoup::new(vertices, tets).without_unused_vertices().build().unwrap()
}

fn random_surface(keep: &[bool], seed: u64) -> TriMesh {
    let (vertices, triangles) =
        shuffled(&sheet([1.0, 1.0], [6, 6], Diagonals::Alternating).unwrap(), keep, seed);
    TriSoup::new(vertices, triangles).without_unused_vertices().build().unwrap()
}

fn sorted<const N: usize>(mut corners: [u32; N]) -> [u32; N] {
    corners.sort_unstable();
    corners
}

fn slow_edges<const N: usize>(elements: &[[u32; N]]) -> Vec<[u32; 2]> {
    let mut edges = BTreeSet::new();
    for corners in elements {
        for i in 0..N {
            for j in 0..i {
                edges.insert(sorted([corners[i], corners[j]]));
            }
        }
    }
    edges.into_iter().collect()
}

/// Sorted face to the tets that have it, ascending.
fn slow_faces(tets: &[[u32; 4]]) -> BTreeMap<[u32; 3], Vec<u32>> {
    let mut faces: BTreeMap<[u32; 3], Vec<u32>> = BTreeMap::new();
    for (e, [a, b, c, d]) in tets.iter().copied().enumerate() {
        for face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
            faces.entry(sorted(face)).or_default().push(e as u32);
        }
    }
    faces
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn edges_faces_and_neighbours_match_their_slow_twins(keep in keep(), seed: u64) {
        let mesh = random_solid(&keep, seed);
        prop_assert_eq!(mesh.edges(), slow_edges(mesh.tets()));

        let faces = mesh.faces();
        let slow = slow_faces(mesh.tets());
        prop_assert_eq!(faces.len(), slow.len());
        for (face, (corners, tets)) in faces.iter().zip(&slow) {
            prop_assert_eq!(&sorted(face.corners), corners);
            prop_assert_eq!(&face.tet, &tets[0]);
            prop_assert_eq!(face.other, tets.get(1).copied());
            prop_assert_eq!(face.corners[0], corners[0], "lowest corner first");
            // The normal points away from the tet's own middle.
            let [a, b, c] = face.corners.map(|v| mesh.vertices()[v as usize]);
            let middle: Vector3 = mesh.corners(face.tet as usize).iter().sum::<Vector3>() / 4.0;
            prop_assert!((b - a).cross(&(c - a)).dot(&(a - middle)) > 0.0);
        }

        let (around, beside) = (mesh.vertex_elements(), mesh.vertex_neighbours());
        for v in 0..mesh.vertex_count() {
            let has = |corners: &[u32; 4]| corners.contains(&(v as u32));
            let slow: Vec<u32> = (0..mesh.element_count() as u32).filter(|&e| has(&mesh.tets()[e as usize])).collect();
            prop_assert_eq!(around.of(v), slow.as_slice());
            let mut slow: BTreeSet<u32> = mesh.tets().iter().filter(|t| has(t)).flatten().copied().collect();
            slow.remove(&(v as u32));
            prop_assert_eq!(beside.of(v).to_vec(), slow.into_iter().collect::<Vec<u32>>());
        }
    }

    #[test]
    fn a_boundary_is_closed_outward_and_leads_back(keep in keep(), seed: u64) {
        let mesh = random_solid(&keep, seed);
        let boundary = mesh.boundary();
        let surface = &boundary.surface;
        let outer = slow_faces(mesh.tets()).into_iter().filter(|(_, tets)| tets.len() == 1);
        let back = |corners: &[u32; 3]| sorted(corners.map(|v| boundary.vertices[v as usize]));
        let mut found: Vec<([u32; 3], Vec<u32>)> =
            surface.triangles().iter().map(back).zip(boundary.tets.iter().map(|&t| vec![t])).collect();
        found.sort_unstable();
        prop_assert_eq!(found, outer.collect::<Vec<_>>());
        for (s, &v) in boundary.vertices.iter().enumerate() {
            prop_assert_eq!(surface.vertices()[s], mesh.vertices()[v as usize]);
        }
        // Where only edges are shared the surface is no manifold, but every edge has an even number of sides.
        let edges = surface.surface_edges();
        prop_assert!((0..edges.len()).all(|k| edges.sides(k).len() % 2 == 0));
        prop_assert!((surface.enclosed_volume() - mesh.volume()).abs() < 1e-12 * mesh.volume());
        // What the surface says of itself would pass the check it was spared.
        prop_assert!(TriMesh::new(surface.vertices().to_vec(), surface.triangles().to_vec()).is_ok());
    }

    #[test]
    fn hinges_match_their_slow_twin(keep in keep(), seed: u64) {
        let mesh = random_surface(&keep, seed);
        let hinges = mesh.hinges();
        // All pairs of triangles that share two vertices.
        let mut slow = BTreeSet::new();
        for (s, a) in mesh.triangles().iter().enumerate() {
            for (t, b) in mesh.triangles().iter().enumerate().skip(s + 1) {
                let shared: Vec<u32> = a.iter().filter(|v| b.contains(v)).copied().collect();
                if let [v, w] = shared[..] {
                    slow.insert((sorted([v, w]), sorted([s as u32, t as u32])));
                }
            }
        }
        let fast: BTreeSet<_> =
            hinges.iter().map(|h| ([h.vertices[0], h.vertices[1]], sorted(h.triangles))).collect();
        prop_assert_eq!(hinges.len(), fast.len());
        prop_assert_eq!(fast, slow);
        for hinge in hinges {
            for side in 0..2 {
                let mut corners = mesh.triangles()[hinge.triangles[side] as usize].to_vec();
                corners.retain(|v| !hinge.vertices[..2].contains(v));
                prop_assert_eq!(corners, vec![hinge.vertices[2 + side]]);
            }
        }
    }

    #[test]
    fn patches_are_triangles_with_what_lies_across_their_edges(keep in keep(), seed: u64) {
        let mesh = random_surface(&keep, seed);
        let mut slow = Vec::new();
        for a in mesh.triangles() {
            // The only other triangle with both ends of an edge, and its third corner.
            let across = |k: usize| {
                let edge = [a[k], a[(k + 1) % 3]];
                let beside = mesh.triangles().iter();
                let mut beside = beside.filter(|b| *b != a && edge.iter().all(|v| b.contains(v)));
                let third = |b: &[u32; 3]| *b.iter().find(|v| !edge.contains(v)).unwrap();
                beside.next().map(third)
            };
            let [x, y, z] = [0, 1, 2].map(across);
            if x.or(y).or(z).is_some() {
                let or_own = |x: Option<u32>, own: u32| x.unwrap_or(own);
                slow.push([a[0], a[1], a[2], or_own(x, a[2]), or_own(y, a[0]), or_own(z, a[1])]);
            }
        }
        prop_assert_eq!(mesh.patches(), slow);
    }

    #[test]
    fn rims_are_loops_of_edges_with_one_triangle(keep in keep(), seed: u64) {
        let mesh = random_surface(&keep, seed);
        let mut count: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for [a, b, c] in mesh.triangles().iter().copied() {
            for edge in [[a, b], [b, c], [c, a]] {
                *count.entry(sorted(edge)).or_default() += 1;
            }
        }
        let slow: Vec<[u32; 2]> = count.into_iter().filter(|(_, n)| *n == 1).map(|(e, _)| e).collect();
        let mut walked = Vec::new();
        for cycle in mesh.boundary_loops().unwrap() {
            prop_assert_eq!(cycle.iter().min(), cycle.first());
            walked.extend((0..cycle.len()).map(|k| sorted([cycle[k], cycle[(k + 1) % cycle.len()]])));
        }
        walked.sort_unstable();
        prop_assert_eq!(walked, slow);
    }

    #[test]
    fn pieces_are_what_a_walk_can_reach(keep in keep(), seed: u64) {
        let mesh = random_surface(&keep, seed);
        let pieces = mesh.components();
        let beside = mesh.vertex_neighbours();
        let mut label = vec![None; mesh.vertex_count()];
        let mut count = 0;
        for first in 0..mesh.vertex_count() {
            if label[first].is_some() {
                continue;
            }
            let mut stack = vec![first];
            while let Some(v) = stack.pop() {
                if label[v].is_none() {
                    label[v] = Some(count);
                    stack.extend(beside.of(v).iter().map(|&w| w as usize));
                }
            }
            count += 1;
        }
        prop_assert_eq!(pieces.count, count as usize);
        prop_assert_eq!(pieces.of_vertex.iter().map(|&p| Some(p)).collect::<Vec<_>>(), label);
        for (e, corners) in mesh.triangles().iter().enumerate() {
            prop_assert_eq!(pieces.of_element[e], pieces.of_vertex[corners[0] as usize]);
        }
    }
}

#[test]
fn hinge_normals_are_face_normals() {
    let bumpy = |mesh: TriMesh| {
        let soup = mesh.into_soup();
        let vertices =
            soup.vertices.iter().map(|x| x + Vector3::z() * (7.0 * x.x).sin() * (5.0 * x.y).cos());
        TriMesh::cloth(vertices.collect(), soup.elements).unwrap()
    };
    let surfaces = [
        bumpy(unstructured_sheet([1.0, 1.0], 0.1, 4).unwrap()),
        bumpy(sheet([1.0, 1.0], [5, 5], Diagonals::Regular).unwrap()),
        torus(2.0, 0.5, 0.4).unwrap().boundary().surface,
    ];
    for mesh in surfaces {
        let normals = mesh.normals();
        let hinges = mesh.hinges();
        assert_eq!(hinges.len(), mesh.edges().len() - mesh.boundary_edges().len());
        for hinge in hinges {
            let [x0, x1, x2, x3] = hinge.vertices.map(|v| mesh.vertices()[v as usize]);
            let (e0, e1, e2) = (x1 - x0, x2 - x0, x3 - x0);
            let [face0, face1] = hinge.triangles.map(|t| normals[t as usize]);
            assert!((e0.cross(&e1).normalize() - face0).norm() < 1e-12);
            assert!((e2.cross(&e0).normalize() - face1).norm() < 1e-12);
        }
    }
}

#[test]
fn open_and_closed_surfaces_are_told_apart() {
    let rim = disk(1.0, 0.3).unwrap();
    assert!(!rim.is_closed());
    assert_eq!(rim.boundary_loops().unwrap().len(), 1);
    let open = rim.boundary_loops().unwrap();
    assert_eq!(open[0].len(), 18);
    let closed = ball(1.0, 0.3).unwrap().boundary().surface;
    assert!(closed.is_closed());
    assert!(closed.boundary_edges().is_empty() && closed.boundary_loops().unwrap().is_empty());
}

#[test]
fn rims_run_with_the_surface_on_their_left() {
    let mesh = disk(1.0, 0.3).unwrap();
    let rim = &mesh.boundary_loops().unwrap()[0];
    for k in 0..rim.len() {
        let [a, b] = [rim[k], rim[(k + 1) % rim.len()]].map(|v| mesh.vertices()[v as usize]);
        assert!(a.cross(&b).z > 0.0, "counterclockwise around a disk that faces up");
    }
}

#[test]
fn loops_without_direction_are_refused() {
    // Two triangles over the edge (0, 1), one of them turned over.
    let vertices = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), -Vector3::y()];
    let mesh = TriMesh::new(vertices, vec![[0, 1, 2], [0, 1, 3]]).unwrap();
    let text = mesh.boundary_loops().unwrap_err().to_string();
    assert!(text.contains("1 edge between triangles facing opposite sides: (0, 1)"), "{text}");
}

#[test]
fn a_ball_with_a_cavity_has_two_surfaces() {
    let surface = hollow_ball(0.5, 1.0, 0.25).unwrap().boundary().surface;
    let pieces = surface.components();
    assert_eq!(pieces.count, 2);
    // Normals of the cavity point into it, toward the centre.
    for (e, n) in surface.normals().iter().enumerate() {
        let x = surface.corners(e)[0];
        assert_eq!(n.dot(&x) > 0.0, x.norm() > 0.75);
    }
}

#[test]
fn appended_meshes_stay_apart_and_keep_their_tags() {
    let mut two = ball(1.0, 0.5).unwrap();
    let other = cylinder(1.0, 2.0, 0.5).unwrap();
    let (vertex_count, element_count) = (two.vertex_count() as u32, two.element_count());
    two.tag_elements("first", &[0, 3]).unwrap();
    two.append(&other).unwrap();
    assert_eq!(two.components().count, 2);
    assert_eq!(two.element_count(), element_count + other.element_count());
    assert_eq!(two.element_tags().get("first"), Some(&[0, 3][..]));
    let shifted: Vec<u32> =
        other.vertex_tags().get("top").unwrap().iter().map(|v| v + vertex_count).collect();
    assert_eq!(two.vertex_tags().get("top"), Some(shifted.as_slice()));
    assert!(TetMesh::new(two.vertices().to_vec(), two.tets().to_vec()).is_ok());
}

#[test]
fn moving_a_mesh_moves_its_measures() {
    let mesh = cuboid([1.0, 2.0, 3.0], [2, 2, 2], CuboidSplit::Five).unwrap();
    let rotation = nalgebra::UnitQuaternion::from_euler_angles(0.3, -0.7, 1.1);
    let stretch = Vector3::new(2.0, 1.0, 0.5);
    let place = Transform::identity()
        .with_rotation(rotation)
        .with_translation(Vector3::new(5.0, -2.0, 1.0))
        .with_scale(stretch)
        .unwrap();
    let moved = mesh.transformed(&place).unwrap();
    assert!((moved.volume() - 6.0).abs() < 1e-12);
    assert!((moved.centroid() - Vector3::new(5.0, -2.0, 1.0)).norm() < 1e-12);
    let area = moved.boundary().surface.area();
    assert!((area - 2.0 * (2.0 * 2.0 + 2.0 * 1.5 + 2.0 * 1.5)).abs() < 1e-12, "{area}");
    assert_eq!(moved.vertex_tags(), mesh.vertex_tags());
}

#[test]
fn a_move_that_breaks_the_mesh_is_refused() {
    let mesh = ball(1.0, 0.5).unwrap();
    assert!(Transform::identity().with_scale(Vector3::new(1.0, -1.0, 1.0)).is_err());
    assert!(Transform::identity().with_scale(Vector3::new(1.0, f64::NAN, 1.0)).is_err());
    let flat = Transform::identity().with_scale(Vector3::new(1.0, 1.0, 1e-12)).unwrap();
    assert!(mesh.transformed(&flat).unwrap_err().to_string().contains("without volume"));
    let far = Transform::identity().with_translation(Vector3::x() * 1e17);
    assert!(mesh.transformed(&far).is_err());
    let nowhere = Transform::identity().with_translation(Vector3::x() * f64::NAN);
    assert!(mesh.transformed(&nowhere).unwrap_err().to_string().contains("NaN or infinite"));
}

#[test]
fn vertex_normals_of_a_ball_point_outward() {
    let surface = ball(1.0, 0.1).unwrap().boundary().surface;
    for (x, n) in surface.vertices().iter().zip(surface.vertex_normals()) {
        assert!((n.norm() - 1.0).abs() < 1e-12 && (n - x).norm() < 0.03, "{n} {x}");
    }
}

#[test]
fn enclosed_volume_does_not_care_where_the_surface_is() {
    let surface = ball(1.0, 0.3).unwrap().boundary().surface;
    let far = Transform::identity().with_translation(Vector3::new(1e5, 2e5, -3e5));
    let moved = surface.transformed(&far).unwrap();
    // Rounding of the coordinates themselves is 6e-11.
    assert!((moved.enclosed_volume() - surface.enclosed_volume()).abs() < 1e-9);
}

#[test]
fn regular_elements_have_quality_one() {
    let tet = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]
        .map(Vector3::from);
    let q = stiction::mesh::tet_quality(&[tet[0], tet[2], tet[1], tet[3]]);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(
        close(q.mean_ratio, 1.0) && close(q.radius_ratio, 1.0) && close(q.aspect, 1.0),
        "{q:?}"
    );
    let angle = (1.0_f64 / 3.0).acos();
    assert!(close(q.min_angle, angle) && close(q.max_angle, angle), "{q:?}");

    let triangle = [Vector3::x(), Vector3::y(), Vector3::z()];
    let q = stiction::mesh::triangle_quality(&triangle);
    assert!(
        close(q.mean_ratio, 1.0) && close(q.radius_ratio, 1.0) && close(q.aspect, 1.0),
        "{q:?}"
    );
    assert!(
        close(q.min_angle, std::f64::consts::FRAC_PI_3) && close(q.max_angle, q.min_angle),
        "{q:?}"
    );
}

#[test]
fn the_corner_of_a_cube_has_known_quality() {
    // V = 1/6, Σ l² = 9, r = 1/(3 + √3), R = √3/2, smallest height 1/√3 over edges √2.
    let q =
        stiction::mesh::tet_quality(&[Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()]);
    let root3 = 3.0_f64.sqrt();
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(close(q.mean_ratio, 12.0 * 0.25_f64.cbrt() / 9.0), "{q:?}");
    assert!(close(q.radius_ratio, 6.0 / (root3 * (3.0 + root3))), "{q:?}");
    assert!(close(q.aspect, 2.0), "{q:?}");
    assert!(
        close(q.max_angle, std::f64::consts::FRAC_PI_2) && close(q.min_angle, (1.0 / root3).acos()),
        "{q:?}"
    );
}

#[test]
fn a_quality_report_reads_well() {
    let report = cuboid([1.0; 3], [2; 3], CuboidSplit::Five).unwrap().quality();
    assert_eq!(report.to_string(), FIVE_TETS);
}

const FIVE_TETS: &str = "\
40 tets, 27 vertices
                            min     mean      max
  mean ratio              0.840    0.872    1.000
  radius ratio            0.732    0.786    1.000
  smallest angle [°]       54.7     57.9     70.5
  largest angle [°]        70.5     86.1     90.0
  aspect                   1.00     1.80     2.00
  worst tet: 1 (0.840), 2 (0.840), 3 (0.840)
  by mean ratio:
    0.8–0.9        32 ##############################
    0.9–1.0         8 ########";

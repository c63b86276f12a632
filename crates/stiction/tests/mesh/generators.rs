//! Generated meshes have the shape they claim: volume, surface, topology, quality.

use std::f64::consts::PI;

use stiction::math::Vector3;
use stiction::mesh::generate::{
    CuboidSplit, Diagonals, ball, capsule, cuboid, cylinder, disk, hollow_ball, sheet, torus, tube,
    unstructured_sheet,
};
use stiction::mesh::{MeshError, TetMesh};

/// A solid with its analytic volume, the Euler characteristic of its surface, and its signed distance.
struct Shape {
    name: &'static str,
    make: fn(f64) -> Result<TetMesh, MeshError>,
    volume: f64,
    surface_euler: i64,
    solid_euler: i64,
    /// Smallest dihedral angle we promise, in degrees, a little below what is reached at `h ≤ 0.25`.
    min_dihedral: f64,
    /// Zero on the surface.
    distance: fn(&Vector3) -> f64,
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape {
            name: "ball",
            make: |h| ball(1.0, h),
            volume: 4.0 / 3.0 * PI,
            surface_euler: 2,
            solid_euler: 1,
            min_dihedral: 40.0,
            distance: |x| x.norm() - 1.0,
        },
        Shape {
            name: "hollow ball",
            make: |h| hollow_ball(0.5, 1.0, h),
            volume: 4.0 / 3.0 * PI * (1.0 - 0.125),
            surface_euler: 4,
            solid_euler: 2,
            min_dihedral: 40.0,
            distance: |x| (x.norm() - 0.75).abs() - 0.25,
        },
        Shape {
            name: "cylinder",
            make: |h| cylinder(1.0, 2.0, h),
            volume: 2.0 * PI,
            surface_euler: 2,
            solid_euler: 1,
            min_dihedral: 34.0,
            distance: |x| (x.x.hypot(x.y) - 1.0).max(x.z.abs() - 1.0),
        },
        Shape {
            name: "tube",
            make: |h| tube(0.5, 1.0, 2.0, h),
            volume: 2.0 * PI * (1.0 - 0.25),
            surface_euler: 0,
            solid_euler: 0,
            min_dihedral: 34.0,
            distance: |x| ((x.x.hypot(x.y) - 0.75).abs() - 0.25).max(x.z.abs() - 1.0),
        },
        Shape {
            name: "capsule",
            make: |h| capsule(1.0, 2.0, h),
            volume: 4.0 / 3.0 * PI + 2.0 * PI,
            surface_euler: 2,
            solid_euler: 1,
            min_dihedral: 25.0,
            distance: |x| (x - Vector3::z() * x.z.clamp(-1.0, 1.0)).norm() - 1.0,
        },
        Shape {
            name: "torus",
            make: |h| torus(2.0, 0.8, h),
            volume: 2.0 * PI * PI * 2.0 * 0.64,
            surface_euler: 0,
            solid_euler: 0,
            min_dihedral: 25.0,
            distance: |x| (x.x.hypot(x.y) - 2.0).hypot(x.z) - 0.8,
        },
    ]
}

#[test]
fn solids_are_one_piece_with_the_right_number_of_holes() {
    for shape in shapes() {
        for h in [0.5, 0.25] {
            let mesh = (shape.make)(h).unwrap();
            let surface = mesh.boundary().surface;
            let name = shape.name;
            assert_eq!(mesh.components().count, 1, "{name}");
            assert_eq!(mesh.euler_characteristic(), shape.solid_euler, "{name}");
            assert_eq!(surface.euler_characteristic(), shape.surface_euler, "{name}");
            assert!(surface.is_closed(), "{name}");
            surface
                .check_cloth()
                .unwrap_or_else(|e| panic!("{name}: the surface is no manifold: {e}"));
        }
    }
}

#[test]
fn surfaces_face_outward_and_enclose_what_the_tets_fill() {
    for shape in shapes() {
        let mesh = (shape.make)(0.25).unwrap();
        let (inside, filled) = (mesh.boundary().surface.enclosed_volume(), mesh.volume());
        assert!((inside - filled).abs() < 1e-12 * filled, "{}: {inside} {filled}", shape.name);
    }
}

#[test]
fn surface_vertices_lie_on_the_shape() {
    for shape in shapes() {
        let mesh = (shape.make)(0.25).unwrap();
        let surface = mesh.boundary().surface;
        let off = surface.vertices().iter().map(|x| (shape.distance)(x).abs()).fold(0.0, f64::max);
        assert!(off < 1e-14, "{}: {off:e}", shape.name);
        let out = mesh.vertices().iter().map(shape.distance).fold(f64::NEG_INFINITY, f64::max);
        assert!(out < 1e-14, "{}: a vertex is {out:e} outside", shape.name);
    }
}

#[test]
fn volumes_converge_at_second_order() {
    for shape in shapes() {
        let error = |h: f64| shape.volume - (shape.make)(h).unwrap().volume();
        for h in [0.25, 0.125] {
            let relative = error(h).abs() / shape.volume;
            assert!(relative < 0.6 * h * h, "{} at {h}: {relative}", shape.name);
        }
        // What a tube lacks outside it gains inside: the h² terms cancel, rounding of counts is left.
        let order = (error(0.25) / error(0.125)).log2();
        assert!((order - 2.0).abs() < 0.1 || shape.name == "tube", "{}: order {order}", shape.name);
    }
}

#[test]
fn there_are_no_slivers() {
    for shape in shapes() {
        for h in [0.25, 0.125] {
            let quality = (shape.make)(h).unwrap().quality();
            let (name, angle) = (shape.name, quality.min_angle.min.to_degrees());
            assert!(angle > shape.min_dihedral, "{name} at {h}: {angle}°\n{quality}");
            assert!(quality.max_angle.max.to_degrees() < 132.0, "{name} at {h}\n{quality}");
            assert!(quality.mean_ratio.mean > 0.78, "{name} at {h}\n{quality}");
        }
    }
}

#[test]
fn even_the_coarsest_solids_are_sound() {
    for shape in shapes() {
        let mesh = (shape.make)(10.0).unwrap();
        let angle = mesh.quality().min_angle.min.to_degrees();
        assert!(angle > 7.0, "{}: {angle}°", shape.name);
    }
}

#[test]
fn edges_have_about_the_length_asked_for() {
    for shape in shapes() {
        let lengths = (shape.make)(0.125).unwrap().edge_lengths();
        assert!((0.125..0.18).contains(&lengths.mean), "{}: {lengths:?}", shape.name);
        assert!(lengths.min > 0.06 && lengths.max < 0.28, "{}: {lengths:?}", shape.name);
    }
}

#[test]
fn surface_tags_hold_the_surface() {
    let tagged = |mesh: &TetMesh, names: &[&str]| {
        let mut ids: Vec<u32> = Vec::new();
        for name in names {
            ids.extend(mesh.vertex_tags().get(name).unwrap_or_else(|| panic!("no tag {name}")));
        }
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let cases: [(TetMesh, &[&str]); 7] = [
        (
            cuboid([1.0, 2.0, 3.0], [2, 3, 4], CuboidSplit::Kuhn).unwrap(),
            &["x-min", "x-max", "y-min", "y-max", "z-min", "z-max"],
        ),
        (ball(1.0, 0.3).unwrap(), &["surface"]),
        (hollow_ball(0.5, 1.0, 0.2).unwrap(), &["inner", "outer"]),
        (cylinder(1.0, 2.0, 0.3).unwrap(), &["bottom", "top", "side"]),
        (tube(0.5, 1.0, 2.0, 0.2).unwrap(), &["bottom", "top", "inner", "outer"]),
        (capsule(1.0, 2.0, 0.3).unwrap(), &["surface"]),
        (torus(2.0, 0.8, 0.3).unwrap(), &["surface"]),
    ];
    for (mesh, names) in cases {
        assert_eq!(tagged(&mesh, names), mesh.boundary().vertices, "{names:?}");
    }
}

#[test]
fn a_cuboid_is_cut_into_five_or_six_tets_a_cell() {
    for (split, per_cell, volumes) in [
        (CuboidSplit::Kuhn, 6, vec![1.0 / 6.0; 6]),
        (CuboidSplit::MirroredKuhn, 6, vec![1.0 / 6.0; 6]),
        (CuboidSplit::Five, 5, vec![1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0]),
    ] {
        let mesh = cuboid([3.0, 2.0, 4.0], [3, 2, 4], split).unwrap();
        assert_eq!(mesh.element_count(), per_cell * 24, "{split:?}");
        for cell in mesh.volumes().chunks(per_cell) {
            for (got, want) in cell.iter().zip(&volumes) {
                assert!((got - want).abs() < 1e-14, "{split:?}: {got} {want}");
            }
        }
        let surface = mesh.boundary().surface;
        assert!(surface.is_closed() && surface.euler_characteristic() == 2, "{split:?}");
        assert!((surface.area() - 52.0).abs() < 1e-12, "{split:?}");
        assert!((surface.enclosed_volume() - 24.0).abs() < 1e-12, "{split:?}");
        assert!(mesh.centroid().norm() < 1e-14, "{split:?}");
    }
}

#[test]
fn a_kuhn_cube_has_no_angle_below_45_degrees() {
    let quality = cuboid([1.0; 3], [4; 3], CuboidSplit::Kuhn).unwrap().quality();
    assert!((quality.min_angle.min.to_degrees() - 45.0).abs() < 1e-9, "{quality}");
    assert!((quality.max_angle.max.to_degrees() - 90.0).abs() < 1e-9, "{quality}");
    let five = cuboid([1.0; 3], [4; 3], CuboidSplit::Five).unwrap().quality();
    assert!((five.mean_ratio.max - 1.0).abs() < 1e-12, "the middle tet is regular: {five}");
}

#[test]
fn a_mirrored_cuboid_is_symmetric() {
    // Reflecting every vertex about x = 0 must map the set of tets onto itself.
    let symmetric = |split: CuboidSplit| {
        let mesh = cuboid([1.0; 3], [2, 2, 2], split).unwrap();
        let mirrored = |v: u32| {
            let x = mesh.vertices()[v as usize];
            let y = Vector3::new(-x.x, x.y, x.z);
            mesh.vertices().iter().position(|z| (z - y).norm() < 1e-12).unwrap() as u32
        };
        let sorted = |mut corners: [u32; 4]| {
            corners.sort_unstable();
            corners
        };
        let mut ours: Vec<_> = mesh.tets().iter().map(|&t| sorted(t)).collect();
        let mut theirs: Vec<_> = mesh.tets().iter().map(|t| sorted(t.map(mirrored))).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        ours == theirs
    };
    assert!(symmetric(CuboidSplit::MirroredKuhn));
    assert!(!symmetric(CuboidSplit::Kuhn));
}

#[test]
fn sheets_are_flat_face_up_and_cover_their_rectangle() {
    let sheets = [
        sheet([2.0, 1.0], [8, 4], Diagonals::Regular).unwrap(),
        sheet([2.0, 1.0], [8, 4], Diagonals::Alternating).unwrap(),
        unstructured_sheet([2.0, 1.0], 0.1, 3).unwrap(),
        unstructured_sheet([2.0, 1.0], 0.5, 3).unwrap(),
        unstructured_sheet([2.0, 1.0], 10.0, 3).unwrap(),
    ];
    for mesh in sheets {
        assert!((mesh.area() - 2.0).abs() < 1e-12);
        assert!(mesh.normals().iter().all(|n| (n - Vector3::z()).norm() < 1e-12));
        assert_eq!(mesh.euler_characteristic(), 1);
        let loops = mesh.boundary_loops().unwrap();
        assert_eq!(loops.len(), 1);
        let tags = mesh.vertex_tags();
        let mut sides: Vec<u32> = ["left", "right", "top", "bottom"]
            .iter()
            .flat_map(|s| tags.get(s).unwrap())
            .copied()
            .collect();
        sides.sort_unstable();
        sides.dedup();
        let mut rim = loops[0].clone();
        rim.sort_unstable();
        assert_eq!(sides, rim);
        assert_eq!(tags.get("corners").unwrap().len(), 4);
    }
}

#[test]
fn alternating_diagonals_alternate() {
    let valences = |diagonals| {
        let mesh = sheet([1.0, 1.0], [4, 4], diagonals).unwrap();
        let around = mesh.vertex_elements();
        let inner = (0..mesh.vertex_count()).filter(|&v| mesh.vertices()[v].amax() < 0.49);
        let mut valences: Vec<usize> = inner.map(|v| around.of(v).len()).collect();
        valences.sort_unstable();
        valences
    };
    assert_eq!(valences(Diagonals::Regular), [6; 9]);
    assert_eq!(valences(Diagonals::Alternating), [4, 4, 4, 4, 8, 8, 8, 8, 8]);
}

#[test]
fn an_unstructured_sheet_has_good_triangles_of_the_size_asked_for() {
    for seed in 0..6 {
        let mesh = unstructured_sheet([2.0, 1.0], 0.05, seed).unwrap();
        let (quality, lengths) = (mesh.quality(), mesh.edge_lengths());
        assert!(quality.min_angle.min.to_degrees() > 20.0, "seed {seed}\n{quality}");
        assert!(quality.mean_ratio.mean > 0.94, "seed {seed}\n{quality}");
        assert!((lengths.mean / 0.05 - 1.0).abs() < 0.05, "seed {seed}: {lengths:?}");
    }
}

#[test]
fn an_unstructured_sheet_has_no_grain() {
    // Edge directions folded to three-fold axes average out; a regular grid's do not.
    let grain = |mesh: &stiction::mesh::TriMesh| {
        let edges = mesh.edges();
        let (mut cos, mut sin) = (0.0, 0.0);
        for [a, b] in &edges {
            let d = mesh.vertices()[*b as usize] - mesh.vertices()[*a as usize];
            let angle = 4.0 * d.y.atan2(d.x);
            cos += angle.cos();
            sin += angle.sin();
        }
        f64::hypot(cos, sin) / edges.len() as f64
    };
    let scattered = grain(&unstructured_sheet([1.0, 1.0], 0.02, 1).unwrap());
    let regular = grain(&sheet([1.0, 1.0], [50, 50], Diagonals::Regular).unwrap());
    assert!(scattered < 0.05 && regular > 0.3, "{scattered} {regular}");
}

#[test]
fn the_seed_decides_the_sheet() {
    let make = |seed| unstructured_sheet([1.0, 1.0], 0.1, seed).unwrap();
    assert_eq!(make(5), make(5));
    assert_ne!(make(5).vertices(), make(6).vertices());
}

#[test]
fn a_disk_converges_to_its_area() {
    let error = |h: f64| PI - disk(1.0, h).unwrap().area();
    let order = (error(0.1) / error(0.05)).log2();
    assert!((order - 2.0).abs() < 0.02, "order {order}");
    let mesh = disk(1.0, 0.1).unwrap();
    assert_eq!(mesh.euler_characteristic(), 1);
    assert_eq!(mesh.vertex_tags().get("rim").unwrap().len(), 60);
    assert!(mesh.quality().min_angle.min.to_degrees() > 40.0, "{}", mesh.quality());
    assert!(mesh.normals().iter().all(|n| n.z > 0.99));
}

#[test]
fn senseless_arguments_are_refused() {
    let text = |result: Result<TetMesh, MeshError>| result.unwrap_err().to_string();
    assert_eq!(
        text(ball(-1.0, 0.1)),
        "`ball`: radius is -1\n  help: give a finite length above zero [m]"
    );
    assert_eq!(
        text(hollow_ball(1.0, 0.5, 0.1)),
        "`hollow_ball`: inner_radius is 1\n  help: give less than the outer_radius, 0.5"
    );
    assert_eq!(
        text(cuboid([1.0; 3], [2, 0, 2], CuboidSplit::Kuhn)),
        "`cuboid`: cells is [2, 0, 2]\n  help: give at least one cell along each axis"
    );
    assert_eq!(
        text(ball(1.0, 1e-6)),
        "`ball`: edge_length is 1e-6\n  help: this makes about 2e19 elements; at most 1e8 are made"
    );
    assert!(cuboid([1.0, f64::NAN, 1.0], [1; 3], CuboidSplit::Five).is_err());
    assert!(cuboid([1.0; 3], [usize::MAX; 3], CuboidSplit::Five).is_err());
    assert!(hollow_ball(0.5, 1.0, 1e-9).is_err());
    assert!(hollow_ball(0.999_999, 1.0, 1e-5).is_err());
    assert!(tube(0.5, 0.5, 1.0, 0.1).is_err());
    assert!(tube(0.5, 1.0, f64::INFINITY, 0.1).is_err());
    assert!(cylinder(0.0, 1.0, 0.1).is_err());
    assert!(cylinder(1.0, 1e30, 0.1).is_err());
    assert!(capsule(1.0, -2.0, 0.1).is_err());
    assert!(capsule(1.0, 1.0, f64::NAN).is_err());
    assert!(torus(1.0, 1.0, 0.1).is_err());
    assert!(torus(1e300, 1.0, 0.1).is_err());
    assert!(sheet([1.0, 1.0], [0, 3], Diagonals::Regular).is_err());
    assert!(unstructured_sheet([1.0, 0.0], 0.1, 0).is_err());
    assert!(unstructured_sheet([1.0, 1.0], 1e-7, 0).is_err());
    assert!(unstructured_sheet([1.0, 1e-9], 0.1, 0).is_err());
    assert!(disk(1.0, 0.0).is_err());
}

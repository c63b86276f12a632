//! Meshes of things rather than of shapes (bowls, belts, stools, garments, tyres) are what they claim.

use std::f64::consts::PI;

use stiction::math::Vector3;
use stiction::mesh::generate::{
    Block, CuboidSplit, Diagonals, belt, blocks, bowl, cuboid, layered_ball, sheet, sleeve,
    tank_top, tyre, unstructured_sheet,
};
use stiction::mesh::{MeshError, Selection, TetMesh, TriMesh};

/// One piece, a closed manifold surface facing outward, and the right number of holes.
#[track_caller]
fn assert_sound(mesh: &TetMesh, surface_euler: i64) {
    let surface = mesh.boundary().surface;
    assert_eq!(mesh.components().count, 1);
    assert_eq!(surface.euler_characteristic(), surface_euler);
    assert!(surface.is_closed());
    surface.check_cloth().unwrap();
    let (inside, filled) = (surface.enclosed_volume(), mesh.volume());
    assert!((inside - filled).abs() < 1e-12 * filled, "{inside} {filled}");
}

/// The error must fall with the square of the edge length.
#[track_caller]
fn assert_second_order(exact: f64, measure: impl Fn(usize) -> f64) {
    let error = |refinement| (measure(refinement) - exact).abs() / exact;
    let order = (error(1) / error(2)).log2();
    assert!(error(2) < 0.01 && (order - 2.0).abs() < 0.15, "order {order}, error {}", error(2));
}

fn stool() -> Vec<Block> {
    let leg = |name: &str, x: f64, y: f64, lean: [f64; 2]| {
        let (min, max) = ([x - 0.03, y - 0.03, 0.0], [x + 0.03, y + 0.03, 0.4]);
        Block::new(name, min, max).leaning(lean)
    };
    vec![
        Block::new("seat", [-0.2, -0.2, 0.4], [0.2, 0.2, 0.45]),
        leg("leg-1", -0.15, -0.15, [-0.05, -0.05]),
        leg("leg-2", 0.15, -0.15, [0.05, -0.05]),
        leg("leg-3", 0.0, 0.15, [0.0, 0.07]),
    ]
}

#[test]
fn a_layered_ball_has_the_tets_and_the_volume_it_promises() {
    let radii = [0.8, 0.9, 1.0];
    for n in [1, 2, 5] {
        let mesh = layered_ball(&radii, n).unwrap();
        assert_sound(&mesh, 4);
        assert_eq!(mesh.element_count(), 120 * n * n);
    }
    let exact = 4.0 / 3.0 * PI * (1.0 - 0.512);
    assert_second_order(exact, |k| layered_ball(&radii, 6 * k).unwrap().volume());
    let counts = [(vec![0.9, 1.0], 4, 960), (vec![0.9, 1.0], 30, 54_000)];
    for (radii, n, tets) in counts {
        assert_eq!(layered_ball(&radii, n).unwrap().element_count(), tets);
    }
}

#[test]
fn layers_of_a_ball_are_groups_between_their_radii() {
    let mesh = layered_ball(&[0.8, 0.9, 1.0], 4).unwrap();
    for (name, low, high) in [("layer-1", 0.8, 0.9), ("layer-2", 0.9, 1.0)] {
        let tets = mesh.element_tags().get(name).unwrap();
        assert_eq!(tets.len(), 60 * 16);
        let radii = tets.iter().flat_map(|&e| mesh.corners(e as usize)).map(|x| x.norm());
        assert!(radii.into_iter().all(|r| r > low - 1e-12 && r < high + 1e-12), "{name}");
    }
}

#[test]
fn a_ball_in_two_bodies_matches_vertex_by_vertex() {
    let (core, felt) =
        (layered_ball(&[0.8, 0.9], 5).unwrap(), layered_ball(&[0.9, 1.0], 5).unwrap());
    let of = |mesh: &TetMesh, name: &str| -> Vec<Vector3> {
        let ids = mesh.vertex_tags().get(name).unwrap();
        ids.iter().map(|&v| mesh.vertices()[v as usize]).collect()
    };
    assert_eq!(of(&core, "outer"), of(&felt, "inner"));
}

#[test]
fn a_bowl_is_half_a_hollow_ball_with_a_flat_rim() {
    let exact = 2.0 / 3.0 * PI * (1.0 - 0.512);
    assert_second_order(exact, |k| bowl(0.8, 1.0, 0.2 / k as f64).unwrap().volume());
    for edge in [2.0, 0.2, 0.1] {
        let mesh = bowl(0.8, 1.0, edge).unwrap();
        assert_sound(&mesh, 2);
        for &v in mesh.vertex_tags().get("rim").unwrap() {
            assert!(mesh.vertices()[v as usize].z.abs() < 1e-300);
        }
        let out = |x: &Vector3| (x.norm() - 0.9).abs() - 0.1;
        assert!(mesh.vertices().iter().all(|x| x.z <= 0.0 && out(x) < 1e-14));
    }
    let quality = bowl(0.8, 1.0, 0.1).unwrap().quality();
    assert!(quality.min_angle.min.to_degrees() > 24.0, "{quality}");
}

#[test]
fn a_belt_lies_on_its_wheels() {
    for (radii, distance) in
        [([0.1, 0.1], 0.4), ([0.2, 0.1], 0.5), ([0.1, 0.25], 0.3), ([0.1, 0.1], 0.0)]
    {
        let mesh = belt(radii, distance, 0.01, 0.05, [60, 2, 4]).unwrap();
        assert_sound(&mesh, 0);
        assert_eq!(mesh.element_count(), 6 * 60 * 2 * 4);
        // No point is inside a wheel; every point of the inner side has a normal that leaves room for none.
        let gap = |x: &Vector3| {
            let from = |centre: f64, radius: f64| (x.x - centre).hypot(x.y) - radius;
            from(-0.5 * distance, radii[0]).min(from(0.5 * distance, radii[1]))
        };
        let inner = mesh.vertex_tags().get("inner").unwrap();
        let gaps: Vec<f64> = inner.iter().map(|&v| gap(&mesh.vertices()[v as usize])).collect();
        assert!(gaps.iter().all(|&gap| gap > -1e-14));
        let touching = gaps.iter().filter(|gap| gap.abs() < 1e-12).count();
        assert!(touching > gaps.len() / 4, "{touching} of {}", gaps.len());
    }
}

#[test]
fn the_volume_of_a_belt_is_that_of_its_middle_line() {
    // Equal wheels: two straights and a circle; the middle is π t longer than the inside.
    let (radius, distance, thickness, width) = (0.1, 0.4, 0.02, 0.05);
    let length = 2.0 * distance + 2.0 * PI * radius + PI * thickness;
    assert_second_order(length * thickness * width, |k| {
        belt([radius; 2], distance, thickness, width, [48 * k, 1, 2]).unwrap().volume()
    });
    // Unequal wheels: tangents from the right triangle (d, r₀ − r₁).
    let (r0, r1, d) = (0.2_f64, 0.1_f64, 0.5_f64);
    let phi = ((r0 - r1) / d).acos();
    let straight = (d * d - (r0 - r1).powi(2)).sqrt();
    let length = 2.0 * straight + 2.0 * phi * r1 + 2.0 * (PI - phi) * r0 + PI * thickness;
    let volume = belt([r0, r1], d, thickness, width, [400, 1, 2]).unwrap().volume();
    assert!((volume / (length * thickness * width) - 1.0).abs() < 1e-3);
}

#[test]
fn a_stool_is_one_piece_with_named_legs() {
    for split in [CuboidSplit::Kuhn, CuboidSplit::MirroredKuhn, CuboidSplit::Five] {
        let mesh = blocks(&stool(), 0.03, split).unwrap();
        assert_sound(&mesh, 2);
        // Leaning is a shear: it keeps volumes.
        let volume = |name: &str| -> f64 {
            let volumes = mesh.volumes();
            mesh.element_tags().get(name).unwrap().iter().map(|&e| volumes[e as usize]).sum()
        };
        assert!((volume("seat") - 0.4 * 0.4 * 0.05).abs() < 1e-15);
        assert!((volume("leg-1") - 0.06 * 0.06 * 0.4).abs() < 1e-15);
        let quality = mesh.quality();
        assert!(quality.min_angle.min.to_degrees() > 25.0, "{split:?}\n{quality}");
    }
    let mesh = blocks(&stool(), 0.03, CuboidSplit::Kuhn).unwrap();
    let feet = mesh.vertex_tags().get("bottom").unwrap();
    let span = feet.iter().map(|&v| mesh.vertices()[v as usize].x.abs()).fold(0.0, f64::max);
    assert!((span - 0.23).abs() < 1e-15, "feet reach {span}");
}

#[test]
fn blocks_that_overlap_or_do_not_match_are_joined() {
    let cross = [
        Block::new("beam", [-1.0, -0.1, -0.1], [1.0, 0.1, 0.1]),
        Block::new("bar", [-0.07, -1.0, -0.1], [0.13, 1.0, 0.1]),
    ];
    let mesh = blocks(&cross, 0.1, CuboidSplit::Five).unwrap();
    assert_sound(&mesh, 2);
    assert!((mesh.volume() - (2.0 * 0.08 - 0.2 * 0.2 * 0.2)).abs() < 1e-12);
    let ring = [
        Block::new("south", [-1.0, -1.0, 0.0], [1.0, -0.5, 0.5]),
        Block::new("north", [-1.0, 0.5, 0.0], [1.0, 1.0, 0.5]),
        Block::new("west", [-1.0, -0.5, 0.0], [-0.5, 0.5, 0.5]),
        Block::new("east", [0.5, -0.5, 0.0], [1.0, 0.5, 0.5]),
    ];
    assert_sound(&blocks(&ring, 0.3, CuboidSplit::Kuhn).unwrap(), 0);
}

#[test]
fn a_single_block_is_a_cuboid() {
    let block = [Block::new("cube", [-0.5; 3], [0.5; 3])];
    let ours = blocks(&block, 0.25, CuboidSplit::Five).unwrap();
    let known = cuboid([1.0; 3], [4; 3], CuboidSplit::Five).unwrap();
    assert_eq!(ours.element_count(), 5 * 64);
    assert!((ours.quality().mean_ratio.mean - known.quality().mean_ratio.mean).abs() < 1e-12);
}

/// Open or closed, in one piece, its normals away from the axis or centre line given.
#[track_caller]
fn assert_cloth(mesh: &TriMesh, euler: i64, rims: usize, outward: impl Fn(&Vector3) -> Vector3) {
    assert_eq!(mesh.components().count, 1);
    assert_eq!(mesh.euler_characteristic(), euler);
    assert_eq!(mesh.boundary_loops().unwrap().len(), rims);
    for (e, normal) in mesh.normals().iter().enumerate() {
        let middle = mesh.corners(e).iter().sum::<Vector3>() / 3.0;
        assert!(normal.dot(&outward(&middle)) > 0.0, "triangle {e} faces inward");
    }
}

fn from_axis(x: &Vector3) -> Vector3 {
    Vector3::new(x.x, x.y, 0.0)
}

#[test]
fn a_sleeve_is_a_cylinder_and_a_skirt_a_cone() {
    for radii in [[0.5, 0.5], [0.8, 0.3]] {
        let make = |k: usize| sleeve(radii, 1.0, [20 * k, 6 * k], Diagonals::Alternating).unwrap();
        let area = PI * (radii[0] + radii[1]) * 1.0_f64.hypot(radii[0] - radii[1]);
        assert_second_order(area, |k| make(k).area());
        assert_cloth(&make(1), 0, 2, from_axis);
        let mesh = make(1);
        for (name, z, radius) in [("bottom", -0.5, radii[0]), ("top", 0.5, radii[1])] {
            let ids = mesh.vertex_tags().get(name).unwrap();
            assert_eq!(ids.len(), 20);
            for &v in ids {
                let x = mesh.vertices()[v as usize];
                assert!((x.z - z).abs() < 1e-15 && (from_axis(&x).norm() - radius).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn a_tank_top_has_a_neck_two_armholes_and_a_hem() {
    let mesh = tank_top([1.0, 1.0], 2.0, [48, 16], 3).unwrap();
    // Away from the axis of the capsule it fits: from the top of the sleeve, z = 1, in a ball.
    let outward = |x: &Vector3| x - Vector3::z() * x.z.min(1.0);
    assert_cloth(&mesh, -2, 4, outward);
    assert!(mesh.vertices().iter().all(|x| (outward(x).norm() - 1.0).abs() < 1e-14));
    assert!(mesh.quality().min_angle.min.to_degrees() > 25.0, "{}", mesh.quality());
    assert_eq!(mesh.vertex_tags().get("hem").unwrap().len(), 48);
}

#[test]
fn straps_cover_their_part_of_the_half_ball() {
    // Half of a zone of the sphere each: π r Δx, between the columns 5 to 11 of 48, refined alike.
    let x = |column: f64| (2.0 * PI * column / 48.0).cos();
    let exact = 2.0 * PI * (x(5.0) - x(11.0));
    assert_second_order(exact, |k| {
        let mesh = tank_top([1.0, 1.0], 2.0, [48 * k, 16 * k], 6 * k).unwrap();
        let areas = mesh.areas();
        mesh.element_tags().get("straps").unwrap().iter().map(|&e| areas[e as usize]).sum()
    });
}

#[test]
fn a_tyre_is_closed_and_has_the_area_and_volume_of_pappus() {
    let (rim, outer, width, rounding) = (0.2, 0.4, 0.3, 0.06);
    let make = |k: usize| tyre(rim, outer, width, rounding, [48 * k, 40 * k]).unwrap();
    let (height, around) = (outer - rim, PI * (rim + outer));
    let section = width * height - (4.0 - PI) * rounding * rounding;
    let perimeter = 2.0 * (width + height) - (8.0 - 2.0 * PI) * rounding;
    assert_second_order(around * section, |k| make(k).enclosed_volume());
    assert!((make(4).area() / (around * perimeter) - 1.0).abs() < 2e-3);
    let mesh = make(1);
    assert!(mesh.is_closed());
    let middle = |x: &Vector3| {
        let radial = from_axis(x);
        x - radial * (0.3 / radial.norm())
    };
    assert_cloth(&mesh, 0, 0, middle);
}

#[test]
fn a_tyre_is_tread_sidewalls_and_bead() {
    let mesh = tyre(0.2, 0.4, 0.3, 0.06, [48, 40]).unwrap();
    let tags = mesh.element_tags();
    let count = |name: &str| tags.get(name).unwrap().len();
    assert_eq!(count("tread") + count("sidewall") + count("bead"), mesh.element_count());
    assert_eq!(count("tread"), count("bead"));
    let normals = mesh.normals();
    for (name, expected) in [("tread", 1.0), ("bead", -1.0)] {
        for &e in tags.get(name).unwrap() {
            let middle = mesh.corners(e as usize).iter().sum::<Vector3>() / 3.0;
            let radial = normals[e as usize].dot(&from_axis(&middle).normalize());
            assert!(radial * expected > 0.6, "{name}: {radial}");
        }
    }
    // Selections understand groups of triangles as well.
    let bead = Selection::Tag("bead".to_owned()).vertices(&mesh).unwrap();
    assert!(
        bead.len() > 48
            && bead.iter().all(|&v| from_axis(&mesh.vertices()[v as usize]).norm() < 0.3)
    );
}

#[test]
fn tread_and_sidewalls_are_symmetric() {
    let mesh = tyre(0.2, 0.4, 0.3, 0.06, [8, 40]).unwrap();
    for x in mesh.vertices() {
        let mirrored = Vector3::new(x.x, x.y, -x.z);
        assert!(mesh.vertices().iter().any(|y| (y - mirrored).norm() < 1e-12), "{x:?}");
    }
}

#[test]
fn sheets_come_in_the_sizes_of_the_ramp_and_cylinder_experiments() {
    let grid =
        |n: usize| sheet([1.0, 1.0], [n, n], Diagonals::Alternating).unwrap().element_count();
    assert_eq!([1, 14, 19, 32, 59].map(grid), [2, 392, 722, 2048, 6962]);
    // Half of 1322 is a prime number: no grid has so many triangles, but this irregular sheet does.
    let irregular = unstructured_sheet([1.0, 1.0], 0.042, 18).unwrap();
    assert_eq!(irregular.element_count(), 1322);
}

#[test]
fn senseless_parts_are_refused() {
    let text = |error: MeshError| error.to_string();
    assert_eq!(
        text(layered_ball(&[1.0], 3).unwrap_err()),
        "`layered_ball`: radii is [1.0]\n  help: give at least two: of the cavity and of the ball [m]"
    );
    assert_eq!(
        text(belt([0.3, 0.1], 0.1, 0.01, 0.1, [9, 1, 1]).unwrap_err()),
        "`belt`: distance is 0.1\n  help: give more than the difference of the radii, or zero if they are equal [m]"
    );
    assert_eq!(
        text(tyre(0.2, 0.4, 0.3, 0.11, [20, 20]).unwrap_err()),
        "`tyre`: rounding is 0.11\n  help: give at most half of the section, 0.1"
    );
    assert!(layered_ball(&[0.5, 0.4], 3).is_err());
    assert!(layered_ball(&[0.5, f64::NAN], 3).is_err());
    assert!(layered_ball(&[0.5, 1.0], 0).is_err());
    assert!(layered_ball(&[0.5, 1.0], usize::MAX).is_err());
    assert!(bowl(1.0, 0.9, 0.1).is_err());
    assert!(bowl(0.9, 1.0, 1e-9).is_err());
    assert!(belt([0.1, 0.1], f64::NAN, 0.01, 0.1, [9, 1, 1]).is_err());
    assert!(belt([0.1, 0.1], f64::INFINITY, 0.01, 0.1, [9, 1, 1]).is_err());
    assert!(belt([0.1, 0.1], 0.3, 0.01, 0.1, [5, 1, 1]).is_err());
    assert!(belt([0.1, 0.1], 0.3, 0.01, 0.1, [usize::MAX; 3]).is_err());
    assert!(blocks(&[], 0.1, CuboidSplit::Kuhn).is_err());
    assert!(
        blocks(&[Block::new("flat", [0.0; 3], [1.0, 1.0, 0.0])], 0.1, CuboidSplit::Kuhn).is_err()
    );
    assert!(blocks(&[Block::new("huge", [0.0; 3], [1e9; 3])], 0.1, CuboidSplit::Kuhn).is_err());
    assert!(sleeve([1.0, -1.0], 1.0, [8, 8], Diagonals::Regular).is_err());
    assert!(sleeve([1.0, 1.0], 1.0, [2, 8], Diagonals::Regular).is_err());
    assert!(tank_top([1.0, 1.0], 1.0, [47, 8], 3).is_err());
    assert!(tank_top([1.0, 1.0], 1.0, [24, 8], 3).is_err());
    assert!(tank_top([1.0, 1.0], 1.0, [24, 8], usize::MAX).is_err());
    // What the help asks for is enough.
    for strap in 1..12 {
        assert!(tank_top([1.0, 1.0], 1.0, [6 * strap + 8, 4], strap).is_ok(), "{strap}");
    }
    assert!(tyre(0.4, 0.2, 0.3, 0.01, [20, 20]).is_err());
    assert!(tyre(0.2, 0.4, 0.3, 0.05, [20, 3]).is_err());
}

#[test]
fn a_leg_that_turns_its_neighbour_inside_out_is_refused() {
    // Two legs side by side share a face; one leans far across the other.
    let legs = [
        Block::new("left", [0.0, 0.0, 0.0], [0.1, 0.1, 1.0]).leaning([3.0, 0.0]),
        Block::new("right", [0.1, 0.0, 0.0], [0.2, 0.1, 1.0]),
    ];
    assert!(blocks(&legs, 0.1, CuboidSplit::Kuhn).is_err());
}

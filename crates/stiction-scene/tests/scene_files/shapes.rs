//! Shapes of scene files are the meshes they describe, with defaults that make sense.

use stiction::body::Body;
use stiction::mesh::Tags;
use stiction_scene::scene_file::{Notation, SceneFile, SceneFileError, Setup, Wishes};

/// Every key of every generator of parts.
const SHAPES: &str = include_str!("../../../../fuzz/corpus/scene_toml/shapes.toml");

fn build(text: &str) -> Result<Setup, SceneFileError> {
    SceneFile::parse("scene", text, Notation::Toml, None, &Wishes::default())?.build()
}

/// Vertices, elements and groups of a body; those of vertices first.
fn mesh(setup: &Setup, name: &str) -> (usize, usize, Vec<String>) {
    let names = |vertices: &Tags, elements: &Tags| {
        vertices.names().chain(elements.names()).map(str::to_owned).collect()
    };
    for body in &setup.scene.bodies {
        match body {
            Body::Solid(solid) if solid.name.as_deref() == Some(name) => {
                let mesh = &solid.mesh;
                let groups = names(mesh.vertex_tags(), mesh.element_tags());
                return (mesh.vertex_count(), mesh.element_count(), groups);
            }
            Body::Cloth(cloth) if cloth.name.as_deref() == Some(name) => {
                let mesh = &cloth.mesh;
                let groups = names(mesh.vertex_tags(), mesh.element_tags());
                return (mesh.vertex_count(), mesh.element_count(), groups);
            }
            _ => {}
        }
    }
    panic!("no body {name}");
}

#[test]
fn every_part_has_the_elements_and_groups_its_keys_say() {
    let setup = build(SHAPES).unwrap_or_else(|error| panic!("{error}"));
    for (name, elements, groups) in [
        ("core", 60, "inner outer layer-1"),
        ("felt", 60, "inner outer layer-1"),
        ("bowl", 72, "inner outer rim"),
        ("belt", 72, "bottom inner outer top"),
        ("skirt", 48, "bottom top"),
        ("tyre", 240, "bead sidewall tread"),
        ("towel", 32, "bottom corners left right top"),
    ] {
        let (_, count, names) = mesh(&setup, name);
        assert_eq!((count, names.join(" ").as_str()), (elements, groups), "{name}");
    }
    assert_eq!(mesh(&setup, "stool").2.join(" "), "bottom top leg seat");
    assert_eq!(mesh(&setup, "top").2.join(" "), "hem straps");
}

#[test]
fn a_part_of_a_shape_has_the_elements_of_its_groups_and_no_vertex_more() {
    let setup = build(SHAPES).unwrap_or_else(|error| panic!("{error}"));
    let ((_, all, _), (vertices, part, _)) = (mesh(&setup, "tyre"), mesh(&setup, "half tyre"));
    let of_group = |name: &str| match &setup.scene.bodies.iter().find(|body| named(body, "tyre")) {
        Some(Body::Cloth(tyre)) => tyre.mesh.element_tags().get(name).map_or(0, <[u32]>::len),
        _ => 0,
    };
    assert_eq!(part, of_group("bead") + of_group("sidewall"));
    assert_eq!(part + of_group("tread"), all);
    // Rows of ten cells, of two triangles each, and their two borders.
    assert_eq!(vertices, part / 2 + 10);
}

fn named(body: &Body, name: &str) -> bool {
    matches!(body, Body::Cloth(cloth) if cloth.name.as_deref() == Some(name))
}

#[test]
fn a_group_that_the_shape_does_not_have_is_named() {
    let text = SHAPES.replace(r#"only = ["bead", "sidewall"]"#, r#"only = ["bead", "sidewal"]"#);
    let message = build(&text).err().map_or_else(String::new, |error| error.to_string());
    assert!(message.contains("no group of elements `sidewal`"), "{message}");
    assert!(message.contains("did you mean `sidewall`?"), "{message}");
}

#[test]
fn a_sheet_hung_over_a_cylinder_touches_it_and_keeps_its_lengths() {
    let setup = build(SHAPES).unwrap_or_else(|error| panic!("{error}"));
    let Some(Body::Cloth(towel)) = setup.scene.bodies.iter().find(|body| named(body, "towel"))
    else {
        panic!("no towel");
    };
    let (rest, start) = (towel.mesh.vertices(), towel.start.as_deref().unwrap_or(&[]));
    assert_eq!(rest.len(), start.len());
    let on_cylinder = start.iter().filter(|x| x.z > 0.0);
    assert!(on_cylinder.clone().count() >= 9, "three columns");
    for x in on_cylinder {
        assert!((x.x.hypot(x.z) - 0.3).abs() < 1e-12, "{x}");
    }
    // What is at x = 0.25 is on top; columns of 0.25 m are as far apart as before, but for those around the edges.
    let top = rest.iter().position(|x| (x.x - 0.25).abs() < 1e-12).map(|v| start[v]);
    assert!(top.is_some_and(|x| (x.z - 0.3).abs() < 1e-12 && x.x.abs() < 1e-12), "{top:?}");
    for triangle in towel.mesh.triangles() {
        let [a, b] = [triangle[0] as usize, triangle[1] as usize];
        let (before, now) = ((rest[a] - rest[b]).norm(), (start[a] - start[b]).norm());
        assert!((now / before - 1.0).abs() < 0.06, "{before} m became {now} m");
    }
}

#[test]
fn a_ball_of_two_materials_is_two_bodies_with_one_surface_between_them() {
    let setup = build(SHAPES).unwrap_or_else(|error| panic!("{error}"));
    let apart: usize =
        ["core", "felt", "bowl", "belt", "stool", "skirt", "top", "tyre", "half tyre", "towel"]
            .map(|name| mesh(&setup, name).0)
            .iter()
            .sum();
    // An icosahedron has twelve corners: those of the core's outside are those of the felt's inside.
    assert_eq!(setup.simulation.model().node_masses().len(), apart - 12);
}

#[test]
fn parts_have_defaults_of_sensible_size() {
    let setup = build(
        r#"
        [[body]]
        name = "bowl"
        solid = { bowl = { inner_radius = 0.08, outer_radius = 0.1 } }
        [[body]]
        name = "belt"
        solid = { belt = { radii = [0.1, 0.1], distance = 0.4, thickness = 0.01, width = 0.05 } }
        [[body]]
        name = "step"
        solid = { blocks = { edge_length = 0.5, boxes = [{ min = [0, 0, 0], max = [1, 1, 1] }] } }
        [[body]]
        name = "sleeve"
        cloth = { sleeve = { radius = 0.1, length = 0.5 } }
        [[body]]
        name = "top"
        cloth = { tank_top = { radius = 0.2, length = 0.5 } }
        [[body]]
        name = "tyre"
        cloth = { tyre = { rim_radius = 0.2, outer_radius = 0.4, width = 0.3 } }
        "#,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let table = |name: &str| mesh(&setup, name).1;
    assert_eq!(table("step"), 48);
    for (name, range) in [
        ("bowl", 4000..12000),
        ("belt", 2000..4000),
        ("sleeve", 2000..3000),
        ("top", 2000..4000),
        ("tyre", 4000..8000),
    ] {
        assert!(range.contains(&table(name)), "{name}: {}", table(name));
    }
}

#[test]
fn a_part_that_makes_no_sense_is_refused_where_it_stands() {
    for (shape, says) in [
        (
            "solid = { layered_ball = { radii = [0.2, 0.1], cells = 2 } }",
            "give less than the next one, 0.1",
        ),
        (
            "solid = { belt = { radii = [0.3, 0.1], distance = 0.1, thickness = 0.01, width = 0.1 } }",
            "give more than the difference of the radii",
        ),
        ("solid = { blocks = { edge_length = 1, boxes = [] } }", "give at least one box"),
        (
            "solid = { blocks = { edge_length = 1, boxes = [{ min = [0, 0, 0], max = [1, 0, 1] }] } }",
            "give lowest, then highest coordinates",
        ),
        (
            "cloth = { tank_top = { radius = 1, length = 1, cells = [20, 4], strap_cells = 3 } }",
            "give an even number around, at least 26",
        ),
        (
            "cloth = { tyre = { rim_radius = 0.5, outer_radius = 0.4, width = 0.3 } }",
            "give less than the outer_radius, 0.4",
        ),
        ("cloth = { sleve = { radius = 1, length = 1 } }", "did you mean `sleeve`?"),
    ] {
        let error =
            build(&format!("[[body]]\n{shape}\n")).err().unwrap_or_else(|| panic!("{shape}"));
        let text = error.to_string();
        assert!(text.contains(says) && text.contains(":2:"), "{shape}:\n{text}");
    }
}

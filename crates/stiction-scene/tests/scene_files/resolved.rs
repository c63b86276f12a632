//! One scene, however it is written: TOML or JSON, with changes by path, with its defaults filled in.

use serde_json::{Value, json};
use stiction::body::{Body, BodyId};
use stiction::material::{Fabric, Material, SolidLaw};
use stiction_scene::library::SCENES;
use stiction_scene::scene_file::{Notation, SceneFile, Setup, Wishes};

/// A bit of everything, and small.
const EVERY_KEY: &str = include_str!("../../../../fuzz/corpus/scene_toml/every_key.toml");
/// Shapes that are more than a size.
const SHAPES: &str = include_str!("../../../../fuzz/corpus/scene_toml/shapes.toml");

fn build(text: &str, notation: Notation, wishes: &Wishes) -> Setup {
    let scene = SceneFile::parse("scene", text, notation, None, wishes);
    scene.and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}"))
}

fn resolved(setup: &Setup) -> Value {
    serde_json::to_value(&setup.resolved).expect("a scene can be written")
}

fn set(arguments: &[&str]) -> Wishes {
    Wishes {
        set: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        ..Wishes::default()
    }
}

/// All coordinates after some steps, bit for bit.
fn bits_after(setup: &mut Setup, steps: usize) -> Vec<u64> {
    for _ in 0..steps {
        setup.simulation.step();
    }
    let deforms = |id: &BodyId| !matches!(setup.scene.bodies[id.index()], Body::Obstacle(_));
    let coordinates = |id: BodyId| -> Vec<u64> {
        let (x, v) = (setup.simulation.positions(id), setup.simulation.velocities(id));
        x.iter().chain(v.iter()).flat_map(|x| [x.x, x.y, x.z]).map(f64::to_bits).collect()
    };
    setup.scene.ids().filter(deforms).flat_map(coordinates).collect()
}

/// Its resolved form resolves to itself, and simulates to the same bits.
#[track_caller]
fn assert_resolves(text: &str, wishes: &Wishes, what: &str) {
    let mut first = build(text, Notation::Toml, wishes);
    let json = serde_json::to_string_pretty(&first.resolved).expect("a scene can be written");
    let mut second = build(&json, Notation::Json, &Wishes::default());
    let again = serde_json::to_string_pretty(&second.resolved).expect("a scene can be written");
    assert_eq!(json, again, "{what}");
    assert_eq!(first.title, second.title, "{what}");
    assert_eq!(
        (first.steps, first.steps_per_frame),
        (second.steps, second.steps_per_frame),
        "{what}"
    );
    assert_eq!(first.expectations, second.expectations, "{what}");
    assert_eq!(bits_after(&mut first, 5), bits_after(&mut second, 5), "{what}");
}

#[test]
fn a_resolved_scene_is_the_same_simulation_to_the_bit() {
    assert_resolves(EVERY_KEY, &Wishes::default(), "every key");
    assert_resolves(SHAPES, &Wishes::default(), "shapes");
    let other = Wishes { variant: Some("other".into()), coarse: true, set: Vec::new() };
    assert_resolves(EVERY_KEY, &other, "its coarse variant");
}

/// A block on a floor that it touches from the start.
const CONTACT: &str = r#"
gravity = [1.0, -9.81, 0.0]
[[body]]
name = "floor"
obstacle = { plane = { normal = "y" } }
[[body]]
name = "block"
solid = { box = { size = [0.2, 0.2, 0.2], cells = [2, 2, 2] } }
place = { move = [0, 0.0999, 0] }
velocity = [0.1, 0, 0]
"#;

#[test]
fn every_way_to_model_contact_survives_being_resolved() {
    let ways = [
        "",
        "friction.coefficient = 0.2\nfriction.static_coefficient = 0.31",
        "friction = 0.0",
        "[[friction]]\nbetween = [\"floor\", \"block\"]\ncoefficient = 0.177",
        "[[contact]]\nbetween = [\"floor\", \"block\"]\nsurface = \"floor\"\nfriction = 0.1",
        "[[contact]]\nbetween = [\"block\", \"floor\"]\nsurface = \"both\"\nthickness = 3e-3",
        "[[contact]]\nbetween = [\"block\", \"floor\"]\nenabled = false",
        "[method.smooth.contact]\nlaw = \"exact\"\nthickness = 1e-3",
        "[method.smooth.contact]\nlaw = \"smoothed\"\nprofile = \"rational\"\nstiffness = 1e4",
        "[method.smooth.contact]\nlaw = \"smoothed\"\ncoupling = \"lagged\"\npasses = 3",
        "[method.smooth.contact]\ncoupling = \"decoupled\"\nslip = \"velocity\"\nnewton = \"primal\"",
        "[method.smooth.contact]\nenabled = false",
    ];
    for way in ways {
        // What is no table must come before the first one.
        let (before, after) = if way.starts_with('[') { ("", way) } else { (way, "") };
        let scene = format!("{before}\n{CONTACT}\n{after}");
        assert_resolves(&scene, &Wishes::default(), &scene);
    }
}

/// Blocks that touch each other, so that one of them has a smooth surface.
fn blocks(surface: &str) -> String {
    format!(
        "[[body]]\nname = \"below\"\nsolid = {{ box = {{ size = [0.4, 0.1, 0.4], cells = [4, 1, 4] }} }}\n{surface}\n\
         [[body]]\nname = \"above\"\nsolid = {{ box = {{ size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }} }}\n\
         place = {{ move = [0.013, 0.1003, 0.02] }}\n[[pin]]\nbody = \"below\"\nwhere = \"y-min\"\n\
         [[contact]]\nbetween = [\"above\", \"below\"]\nsurface = \"below\"\n"
    )
}

#[test]
fn every_way_to_make_a_surface_survives_being_resolved() {
    use stiction::geometry::implicit::{Edges, NormalWeights, Robust, SampleKind, Sharp};
    use stiction::geometry::kernel::Kernel;
    let sharp = Edges::Sharp(Sharp::default());
    let (faces, robust) = (SampleKind::Faces, Edges::Robust(Robust::default()));
    let own = Edges::Robust(Robust { range: 0.4, normal: 0.7 });
    let angle = SampleKind::Vertices(NormalWeights::Angle);
    let fine = Edges::Sharp(Sharp { angle: 33.3_f64.to_radians(), rounding: 0.02 });
    let rational = Kernel::Rational { epsilon: 0.2 };
    let ways = [
        ("", faces, Kernel::Cubic, sharp),
        ("surface = { kernel = \"quartic\" }", faces, Kernel::Quartic, sharp),
        ("surface = { edges = \"round\", radius = 0.15 }", faces, Kernel::Cubic, Edges::Round),
        (
            "surface = { edges = \"sharp\", degrees = 33.3, rounding = 0.02 }",
            faces,
            Kernel::Cubic,
            fine,
        ),
        (
            "surface = { edges = \"robust\", range = 0.4, normal_range = 0.7 }",
            faces,
            Kernel::Cubic,
            own,
        ),
        (
            "surface = { samples = \"vertices\", normals = \"angle\", kernel = \"rational\", epsilon = 0.2 }",
            angle,
            rational,
            robust,
        ),
    ];
    for (way, samples, kernel, edges) in ways {
        let scene = blocks(way);
        let setup = build(&scene, Notation::Toml, &Wishes::default());
        let (_, smooth) =
            setup.simulation.contact_surfaces().into_iter().next().expect("a surface");
        let settings = smooth.surface.settings();
        assert_eq!((settings.samples, settings.kernel), (samples, kernel), "{way}");
        assert_eq!(settings.edges, edges, "{way}");
        let table = &resolved(&setup)["body"][0]["surface"];
        assert_eq!(table["radius"], json!(smooth.surface.radius()), "{way}");
        assert_resolves(&scene, &Wishes::default(), &scene);
    }
}

#[test]
fn friction_reaches_the_library_wherever_it_is_written() {
    use stiction::contact::{Friction, Roles};
    let setup = |before: &str, after: &str| {
        build(&format!("{before}\n{CONTACT}\n{after}"), Notation::Toml, &Wishes::default())
    };
    assert_eq!(setup("", "").scene.friction, Friction::coulomb(0.3));
    assert_eq!(setup("friction = 0.7", "").scene.friction, Friction::coulomb(0.7));
    let pair = "between = [\"floor\", \"block\"]\n";
    let numbers =
        "coefficient = 0.1\nstatic_coefficient = 0.2\nviscosity = 3\nstribeck_velocity = 0.4";
    let expected = Friction {
        coefficient: 0.1,
        static_coefficient: Some(0.2),
        stribeck_velocity: 0.4,
        viscosity: 3.0,
        ..Friction::NONE
    };
    let inline = numbers.replace('\n', ", ");
    for after in [
        format!("[[friction]]\n{pair}{numbers}"),
        format!("[[contact]]\n{pair}friction = {{ {inline} }}"),
        format!("[[contact]]\n{pair}thickness = 1e-3\n[[friction]]\n{pair}{numbers}"),
    ] {
        let scene = setup("", &after).scene;
        assert_eq!((scene.contacts.len(), scene.friction), (1, Friction::coulomb(0.3)), "{after}");
        assert_eq!(scene.contacts[0].friction, expected, "{after}");
    }
    let scene = setup("", &format!("[[friction]]\n{numbers}")).scene;
    assert_eq!((scene.contacts.len(), scene.friction), (0, expected));
    let scene =
        setup("", &format!("[[contact]]\n{pair}surface = \"floor\"\nenabled = false")).scene;
    assert_eq!(
        (scene.contacts[0].roles, scene.contacts[0].enabled),
        (Roles::FirstIsSurface, false)
    );
}

#[test]
fn the_resolved_scene_holds_what_was_chosen_for_each_pair() {
    let setup = build(CONTACT, Notation::Toml, &Wishes::default());
    let chosen = setup.simulation.contact_pairs().first().expect("a pair").layer;
    let contact = &resolved(&setup)["contact"][0];
    assert_eq!(contact["between"], json!(["block", "floor"]));
    assert_eq!(contact["thickness"], json!(chosen.thickness));
    assert_eq!(contact["stiffness"], json!(chosen.stiffness));
    assert!(chosen.thickness > 0.0 && chosen.stiffness > 0.0);
    assert_eq!(resolved(&setup)["method"]["smooth"]["contact"]["law"], json!("anchored"));
}

#[test]
fn every_material_and_fabric_survives_being_resolved() {
    let mut materials: Vec<String> =
        Material::PRESETS.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    materials.extend(SolidLaw::NAMES.map(|(law, _)| {
        format!(
            "{{ model = \"{law}\", youngs_modulus = 1.1e5, poissons_ratio = 0.31, damping = {{ mass = 0.3 }} }}"
        )
    }));
    materials.push("{ model = \"mooney-rivlin\", share = 0.7 }".to_owned());
    for material in materials {
        let scene = format!(
            "[[body]]\nsolid = {{ box = {{ size = [0.3, 0.1, 0.1], cells = [1, 1, 1] }} }}\n\
             material = {material}\n[[pin]]\nbody = \"body-0\"\nwhere = \"x-min\"\n"
        );
        assert_resolves(&scene, &Wishes::default(), &scene);
    }
    let mut fabrics: Vec<String> =
        Fabric::PRESETS.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    fabrics.extend(
        [
            "{ youngs_modulus_warp = 70.1, shear_modulus = 3.3, poissons_ratio = 0.11 }",
            "{ youngs_modulus = 33.3 }",
            "{ preset = \"paper\", youngs_modulus_warp = 70.1, youngs_modulus_weft = 50.7, shear_modulus = 3.3, \
             poissons_ratio = 0.11 }",
            "{ preset = \"paper\", poissons_ratio = 0.2, density = 0.3 }",
            "{ bending_model = \"hinges\", bending_stiffness = 1e-5, bending_poissons_ratio = 0.1 }",
        ]
        .map(str::to_owned),
    );
    for fabric in fabrics {
        let scene = format!(
            "[[body]]\ncloth = {{ sheet = {{ size = [0.3, 0.1], cells = [2, 1] }} }}\nmaterial = {fabric}\n\
             warp = [1, 2, 0]\n[[pin]]\nbody = \"body-0\"\nwhere = \"left\"\n"
        );
        assert_resolves(&scene, &Wishes::default(), &scene);
    }
}

#[test]
fn shipped_scenes_resolve_to_themselves() {
    for shipped in SCENES {
        let wishes = Wishes { coarse: true, ..Wishes::default() };
        let scene = shipped.load(&wishes).and_then(|scene| scene.build());
        let setup = scene.unwrap_or_else(|error| panic!("{}: {error}", shipped.name));
        let json = serde_json::to_string(&setup.resolved).expect("a scene can be written");
        assert_eq!(
            json,
            resolved(&build(&json, Notation::Json, &Wishes::default())).to_string(),
            "{}",
            shipped.name
        );
    }
}

#[test]
fn defaults_are_written_into_the_resolved_scene() {
    let scene = "[[body]]\nsolid = { box = { size = [0.4, 0.1, 0.1] } }\n[[body]]\ncloth = { disk = { radius = 0.3 \
         } }\n";
    let resolved = resolved(&build(scene, Notation::Toml, &Wishes::default()));
    let expected = [
        ("/title", json!("scene")),
        ("/duration", json!(2.0)),
        ("/gravity", json!([0.0, -9.81, 0.0])),
        ("/settle", json!(false)),
        ("/body/0/name", json!("body-0")),
        ("/body/0/solid/box/cells", json!([8, 2, 2])),
        ("/body/0/solid/box/split", json!("kuhn")),
        ("/body/0/material/model", json!("stable-neo-hookean")),
        ("/body/1/name", json!("body-1")),
        ("/body/1/cloth/disk/edge_length", json!(0.3 / 6.0)),
        ("/body/1/warp", json!([1.0, 0.0, 0.0])),
        ("/body/1/flat", json!(false)),
        ("/method/smooth/time_step", json!(0.01)),
        ("/method/smooth/integrator", json!("bdf2")),
        ("/method/smooth/tolerance", json!(1e-7 * 9.81)),
        ("/method/smooth/max_iterations", json!(60)),
        ("/method/smooth/max_halvings", json!(6)),
        ("/method/smooth/solver", json!("auto")),
        ("/method/smooth/stabilisation", json!("projection")),
        ("/output/every", json!(2)),
        ("/output/precision", json!("single")),
    ];
    for (path, value) in expected {
        assert_eq!(resolved.pointer(path), Some(&value), "{path}");
    }
    for number in ["density", "youngs_modulus", "poissons_ratio"] {
        assert!(resolved["body"][0]["material"][number].is_f64(), "{number}");
    }
}

#[test]
fn json_and_toml_give_the_same_simulation() {
    let toml = r#"
        duration = 0.5
        [[body]]
        name = "bar"
        solid.box = { size = [0.3, 0.1, 0.1], cells = [3, 1, 1] }
        material = { preset = "jelly", youngs_modulus = 1_000e2 }
        place.rotate = { axis = [1, 1, 0], degrees = 33.3 }
        spin = [0, 0x3, 1e0]
        [[probe]]
        name = "energy"
        quantity = "kinetic_energy"
    "#;
    let json = r#"{
        "$schema": "./stiction.schema.json", // as editors want it
        "duration": 0.5, "settle": null,
        "body": [{
            "name": "bar", "solid": { "box": { "size": [0.3, 0.1, 0.1], "cells": [3, 1, 1] } },
            "material": { "preset": "jelly", "youngs_modulus": 1.0e5 },
            "place": { "rotate": { "axis": [1, 1, 0], "degrees": 33.3 } }, "spin": [0, 3, 1],
        }],
        "probe": { "name": "energy", "quantity": "kinetic_energy" }
    }"#;
    let mut first = build(toml, Notation::Toml, &Wishes::default());
    let mut second = build(json, Notation::Json, &Wishes::default());
    assert_eq!(resolved(&first), resolved(&second));
    assert_eq!(bits_after(&mut first, 5), bits_after(&mut second, 5));
}

const SCENE: &str = r#"
title = "plain"
[[body]]
name = "a.b"
solid = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }
material = "rubber"

[[body]]
name = "second"
solid = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }

[coarse]
duration = 0.5
title = "coarse"
"body.second.solid.box.cells" = [2, 1, 1]

[[variant]]
name = "v"
set = { duration = 0.25, title = "variant", "body.1.material.density" = 500 }

[[variant]]
name = "w"
set = { duration = 0.25, "body.1.material.density" = 500 }
coarse = { title = "quick", "body.1.material.density" = 400 }
"#;

#[test]
fn values_are_changed_by_name_by_number_and_in_quotes() {
    let arguments = [
        "body.second.material.density=700",
        "body.\"a.b\".material.youngs_modulus = 2e6",
        "body.0.velocity=[1, 2, 3]",
        "method.smooth.integrator=trapezoid",
        "title=two words",
        "output={ every = 3 }",
        "body.second.name=\"third\"",
        "body.third.spin=[0, 0, 1]",
    ];
    let resolved = resolved(&build(SCENE, Notation::Toml, &set(&arguments)));
    let expected = [
        ("/body/1/material/density", json!(700.0)),
        // The shorthand has become a table, and kept its preset.
        ("/body/0/material/preset", json!("rubber")),
        ("/body/0/material/youngs_modulus", json!(2e6)),
        ("/body/0/velocity", json!([1.0, 2.0, 3.0])),
        ("/method/smooth/integrator", json!("trapezoid")),
        ("/title", json!("two words")),
        ("/output/every", json!(3)),
        ("/body/1/name", json!("third")),
        ("/body/1/spin", json!([0.0, 0.0, 1.0])),
    ];
    for (path, value) in expected {
        assert_eq!(resolved.pointer(path), Some(&value), "{path}");
    }
}

#[test]
fn a_single_table_is_found_by_its_name_like_a_list_of_one() {
    let scene = "[body]\nname = \"ball\"\nsolid = { ball = { radius = 1, edge_length = 1 } }\n";
    let unnamed = "[body]\nsolid = { ball = { radius = 1, edge_length = 1 } }\n";
    for (scene, path) in [(scene, "body.ball"), (scene, "body"), (unnamed, "body.body-0")] {
        let setup = build(scene, Notation::Toml, &set(&[&format!("{path}.material.density=123")]));
        assert_eq!(resolved(&setup)["body"][0]["material"]["density"], 123.0, "{path}");
    }
}

#[test]
fn coarse_comes_before_the_variant_and_both_before_single_values() {
    let wishes = |coarse, variant: Option<&str>, arguments: &[&str]| Wishes {
        coarse,
        variant: variant.map(str::to_owned),
        ..set(arguments)
    };
    let cases = [
        (wishes(false, None, &[]), "plain", 2.0, 1, 925.0),
        (wishes(true, None, &[]), "coarse", 0.5, 2, 925.0),
        (wishes(false, Some("v"), &[]), "variant", 0.25, 1, 500.0),
        (wishes(true, Some("v"), &[]), "variant", 0.25, 2, 500.0),
        (wishes(false, Some("w"), &[]), "plain", 0.25, 1, 500.0),
        (wishes(true, Some("w"), &[]), "quick", 0.25, 2, 400.0),
        (wishes(true, Some("v"), &["title=set", "duration=1", "duration=3"]), "set", 3.0, 2, 500.0),
    ];
    for (wishes, title, duration, cells, density) in cases {
        let resolved = resolved(&build(SCENE, Notation::Toml, &wishes));
        assert_eq!(resolved["title"], title, "{wishes:?}");
        assert_eq!(resolved["duration"], duration, "{wishes:?}");
        assert_eq!(resolved["body"][1]["solid"]["box"]["cells"][0], cells, "{wishes:?}");
        assert_eq!(resolved["body"][1]["material"]["density"], density, "{wishes:?}");
        assert!(resolved.get("variant").is_none() && resolved.get("coarse").is_none());
    }
}

#[test]
fn what_the_scene_lacks_of_a_coarse_variant_is_no_error() {
    let scene = "[body]\nobstacle = { plane = {} }\n[[body]]\n";
    assert!(SceneFile::parse("s", scene, Notation::Toml, None, &Wishes::default()).is_err());
    let scene = "[body]\nsolid = { ball = { radius = 1, edge_length = 1 } }\n";
    build(scene, Notation::Toml, &Wishes { coarse: true, ..Wishes::default() });
}

#[test]
fn numbers_are_read_in_every_notation_of_toml() {
    for (text, value) in [
        ("1_000", 1000.0),
        ("0x10", 16.0),
        ("0b11", 3.0),
        ("+1.5", 1.5),
        ("1e3", 1e3),
        ("5_0.2_5", 50.25),
    ] {
        let setup =
            build(&format!("duration = {text}\n{SCENE}"), Notation::Toml, &Wishes::default());
        assert_eq!(resolved(&setup)["duration"].as_f64(), Some(value), "{text}");
    }
}

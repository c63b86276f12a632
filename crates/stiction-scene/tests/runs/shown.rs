//! What a run can show: stored, derived, or computed from its own scene.

use std::fs;

use stiction_scene::frame::{BodyInfo, BodyKind, FieldPlace, Frames as _};
use stiction_scene::job::Job;
use stiction_scene::run::{Part, RunStatus};
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};
use stiction_scene::shown::{
    Range, Scale, Shown, elements_of_triangles, full_range, means_at_vertices, robust_range,
};

use crate::scratch::Scratch;

/// A block that slides, a cloth that falls, a ramp, and a paddle.
const SCENE: &str = r#"
duration = 0.1
gravity = [3, -9, 0]

[[body]]
name = "floor"
obstacle = { plane = { normal = [0, 1, 0] } }

[[body]]
name = "block"
solid = { box = { size = [0.2, 0.2, 0.2], cells = [2, 2, 2] } }
material = "rubber"
place = { move = [0, 0.1, 0] }

[[body]]
name = "cloth"
cloth = { sheet = { size = [1, 1], cells = [2, 2] } }
place = { move = [5, 3, 0] }

[[body]]
name = "paddle"
obstacle = { sphere = { radius = 0.1 } }
place = { move = [9, 9, 0] }
motion = { velocity = [0, 0, 2] }

[[contact]]
between = ["block", "floor"]
friction = 0.1

[method.smooth]
time_step = 0.01

[output]
every = 2
"#;

const CONTACT_FIELDS: [&str; 5] =
    ["contact_state", "gap", "normal_force", "friction_force", "friction_coefficient"];

fn run(scratch: &Scratch, name: &str, scene: &str) -> Shown {
    let folder = scratch.join(name);
    let file = SceneFile::parse("test", scene, Notation::Toml, None, &Wishes::default());
    let file = file.unwrap_or_else(|error| panic!("{}", error.render(false)));
    let job = Job::start(&file, &folder, false);
    let mut job = job.unwrap_or_else(|error| panic!("{error}"));
    while !job.is_done() {
        job.advance().expect("a step");
    }
    job.finish(RunStatus::Finished).expect("a report");
    Shown::open(&folder).expect("a run")
}

fn names(shown: &Shown, body: usize) -> Vec<String> {
    shown.quantities(body).into_iter().map(|quantity| quantity.name).collect()
}

#[test]
fn a_body_lists_what_it_has_and_nothing_else() {
    let scratch = Scratch::new("shown-lists");
    let shown = run(&scratch, "run", SCENE);
    assert!(
        shown.quantities(0).is_empty() && shown.arrows(0).is_empty(),
        "still obstacles show nothing"
    );
    assert!(shown.quantities(99).is_empty());

    let mut block = vec!["speed", "displacement"];
    block.extend(CONTACT_FIELDS);
    block.extend(["strain_energy_density", "max_stretch", "min_stretch", "volume_ratio"]);
    block.extend(["max_stress", "von_mises", "pressure"]);
    assert_eq!(names(&shown, 1), block);
    let mut cloth = block[..7].to_vec();
    cloth.extend(["strain_energy_density", "max_stretch", "min_stretch", "area_ratio"]);
    cloth.extend(["max_stress", "von_mises"]);
    assert_eq!(names(&shown, 2), cloth);
    assert_eq!(names(&shown, 3), ["speed", "displacement"]);

    let unit = |body: usize, name: &str| {
        let all = shown.quantities(body);
        let found = all.iter().find(|quantity| quantity.name == name).expect("it is listed");
        (found.unit.clone(), found.place)
    };
    assert_eq!(unit(1, "von_mises"), ("Pa".into(), FieldPlace::Element));
    assert_eq!(unit(2, "von_mises"), ("N/m".into(), FieldPlace::Element));
    assert_eq!(unit(1, "gap"), ("m".into(), FieldPlace::Vertex));
    let arrows: Vec<String> = shown.arrows(1).into_iter().map(|arrows| arrows.name).collect();
    assert_eq!(
        arrows,
        ["velocity", "displacement", "normal_force", "friction_force", "contact_normal"]
    );

    let error = shown.values(0, 2, "pressure").expect_err("cloth has no pressure").to_string();
    assert!(error.contains("no quantity `pressure`") && error.contains("help:"), "{error}");
    assert!(shown.values(99, 1, "speed").is_err() && shown.values(0, 99, "speed").is_err());
    assert!(shown.vectors(0, 3, "contact_normal").is_err());
}

#[test]
fn every_value_that_is_listed_can_be_had_in_every_frame() {
    let scratch = Scratch::new("shown-values");
    let shown = run(&scratch, "run", SCENE);
    for body in 0..4 {
        let info = &shown.run().bodies()[body];
        for quantity in shown.quantities(body) {
            let sites = match (quantity.place, info.kind) {
                (FieldPlace::Vertex, _) => info.start.len(),
                (FieldPlace::Element, BodyKind::Solid) => info.tets.len(),
                (FieldPlace::Element, _) => info.triangles.len(),
            };
            for frame in 0..shown.run().times().len() {
                let values = shown.values(frame, body, &quantity.name).expect("values");
                assert_eq!(values.len(), sites, "{}", quantity.name);
                let gap = quantity.name == "gap";
                assert!(values.iter().all(|value| value.is_finite() || gap), "{}", quantity.name);
            }
            let range = shown.range(&quantity, 0..shown.run().bodies().len()).expect("a range");
            assert!(range.is_none_or(|range| range.min < range.max), "{}", quantity.name);
        }
        for arrows in shown.arrows(body) {
            assert_eq!(
                shown.vectors(1, body, &arrows.name).expect("arrows").len(),
                info.start.len()
            );
        }
    }
}

#[test]
fn speed_displacement_and_contacts_mean_what_they_say() {
    let scratch = Scratch::new("shown-means");
    let shown = run(&scratch, "run", SCENE);
    let last = shown.run().times().len() - 1;
    let near = |values: &[f64], expected: f64| values.iter().all(|v| (v - expected).abs() < 1e-6);
    assert!(near(&shown.values(last, 3, "speed").expect("speed"), 2.0));
    assert!(near(&shown.values(last, 3, "displacement").expect("way"), 0.2));

    // The block slides, as 3/9 > 0.1.
    let states = shown.values(last, 1, "contact_state").expect("states");
    let gaps = shown.values(last, 1, "gap").expect("gaps");
    assert!(states.iter().filter(|&&state| state > 1.5).count() >= 3);
    assert!(states.iter().zip(&gaps).all(|(state, gap)| gap.is_nan() == (*state < 0.5)));
    let normals = shown.vectors(last, 1, "contact_normal").expect("normals");
    let pushes = shown.values(last, 1, "normal_force").expect("forces");
    let rubs = shown.values(last, 1, "friction_force").expect("forces");
    let mu = shown.values(last, 1, "friction_coefficient").expect("coefficients");
    for v in (0..states.len()).filter(|&v| states[v] > 0.5) {
        assert!((normals[v][1] - 1.0).abs() < 1e-6 && (mu[v] - 0.1).abs() < 1e-6);
        let (limit, slips) = (mu[v] * pushes[v], states[v] > 1.5);
        assert!(rubs[v] < 1.001 * limit && (!slips || rubs[v] > 0.999 * limit));
    }
    assert!(
        near(&shown.values(0, 1, "contact_state").expect("states"), 0.0),
        "before the first step"
    );
}

#[test]
fn what_is_computed_equals_what_would_have_been_stored() {
    let scratch = Scratch::new("shown-computed");
    let fields = ["strain_energy_density", "von_mises", "pressure", "min_stretch"];
    let wanted = format!("precision = \"double\"\nfields = {fields:?}\n");
    let stored = run(&scratch, "stored", &format!("{SCENE}{wanted}"));
    let computed = run(&scratch, "computed", &format!("{SCENE}precision = \"double\"\n"));
    assert_eq!(stored.run().bodies()[1].fields.len(), 4, "a list replaces the default");
    for field in fields {
        let expected = stored.values(3, 1, field).expect("stored");
        let found = computed.values(3, 1, field).expect("computed");
        let scale = expected.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        assert!(expected.len() == 48 && scale > 0.0, "{field}");
        let differs = expected.iter().zip(&found).any(|(a, b)| (a - b).abs() > 1e-12 * scale);
        assert!(!differs, "{field}: {expected:?} {found:?}");
    }
}

#[test]
fn without_its_scene_a_run_shows_what_is_stored() {
    let scratch = Scratch::new("shown-no-scene");
    let scene = run(&scratch, "run", SCENE).run().path().join("scene.json");
    let text = fs::read_to_string(&scene).expect("a scene");
    fs::write(&scene, text.replace("0.1", "0.2")).expect("a changed scene");
    let shown = Shown::open(&scratch.join("run")).expect("a run");
    let error = shown.values(1, 1, "pressure").expect_err("another scene").to_string();
    assert!(error.contains("changed since") && error.contains("help:"), "{error}");
    assert!(shown.values(1, 1, "speed").is_ok());

    fs::remove_file(&scene).expect("removed");
    let shown = Shown::open(&scratch.join("run")).expect("a run");
    assert_eq!(names(&shown, 1)[2..], CONTACT_FIELDS);
}

#[test]
fn runs_without_contact_store_no_fields_and_an_empty_list_stores_none() {
    let scratch = Scratch::new("shown-default");
    let (_, alone) = SCENE.split_once("[[body]]\nname = \"cloth\"").expect("the cloth");
    let (alone, _) = alone.split_once("[[contact]]").expect("contact");
    let (alone, _) = alone.split_once("[[body]]").expect("the paddle");
    let alone = format!("duration = 0.02\n[[body]]\nname = \"cloth\"{alone}");
    let shown = run(&scratch, "alone", &alone);
    assert!(shown.run().bodies()[0].fields.is_empty());
    let shown = run(&scratch, "none", &format!("{SCENE}fields = []\n"));
    assert!(shown.run().bodies().iter().all(|body| body.fields.is_empty()));
}

#[test]
fn one_part_of_a_frame_is_what_the_whole_frame_holds() {
    let scratch = Scratch::new("shown-parts");
    let shown = run(&scratch, "run", SCENE);
    let run = shown.run();
    let frame = run.frame(2).expect("a frame");
    let flat = |vectors: &[[f64; 3]]| vectors.as_flattened().to_vec();
    let part = |part| run.part(2, 1, part).expect("a part");
    assert_eq!(part(Part::Positions), flat(&frame.bodies[1].positions));
    assert_eq!(part(Part::Velocities), flat(&frame.bodies[1].velocities));
    assert_eq!(part(Part::Field(3)), frame.bodies[1].fields[3]);
    assert!(run.part(2, 0, Part::Positions).expect("nothing").is_empty());
    assert!(run.part(2, 1, Part::Field(9)).is_err() && run.part(2, 9, Part::Positions).is_err());
}

#[test]
fn a_surface_triangle_belongs_to_the_tetrahedron_it_is_a_face_of() {
    let scratch = Scratch::new("shown-surface");
    let shown = run(&scratch, "run", SCENE);
    let block = &shown.run().bodies()[1];
    let elements = elements_of_triangles(block);
    assert_eq!(elements.len(), block.triangles.len());
    for (triangle, element) in block.triangles.iter().zip(elements) {
        let tet = block.tets[element as usize];
        assert!(triangle.iter().all(|corner| tet.contains(corner)));
    }
    assert_eq!(elements_of_triangles(&shown.run().bodies()[2]), (0..8).collect::<Vec<u32>>());
}

#[test]
fn vertices_get_the_mean_of_elements_by_size() {
    // Two triangles of areas 1 and 3 share an edge.
    let body = BodyInfo {
        name: "cloth".into(),
        kind: BodyKind::Cloth,
        start: vec![[0., 0., 0.], [2., 0., 0.], [0., 1., 0.], [0., -3., 0.], [9., 9., 9.]],
        tets: vec![],
        triangles: vec![[0, 1, 2], [0, 3, 1]],
        moves: true,
        fields: vec![],
    };
    let means = means_at_vertices(&body, &[10.0, 2.0]);
    assert_eq!(means[..4], [4.0, 4.0, 10.0, 2.0]);
    assert!(means[4].is_nan());
}

#[test]
fn ranges_do_not_mix_units() {
    let scratch = Scratch::new("shown_units");
    let shown = run(&scratch, "run", SCENE);
    let (block, cloth, all) = (1, 2, 0..shown.run().bodies().len());
    let von_mises = |body: usize| {
        let mut all = shown.quantities(body).into_iter();
        all.find(|quantity| quantity.name == "von_mises").expect("a stress")
    };
    for body in [block, cloth] {
        let own = shown.range(&von_mises(body), std::iter::once(body)).expect("a range");
        assert_eq!(shown.range(&von_mises(body), all.clone()).expect("a range"), own);
    }
    assert_ne!(von_mises(block).unit, von_mises(cloth).unit);
}

#[test]
fn ranges_forget_a_few_wild_values_unless_all_others_are_equal() {
    let mut values: Vec<f64> = (0..=1000).map(f64::from).collect();
    values.extend([f64::NAN, 1e5]);
    assert_eq!(full_range(&values), Some(Range { min: 0.0, max: 1e5 }));
    let robust = robust_range(&values).expect("a range");
    assert!((robust.min - 20.0).abs() < 1.5 && (robust.max - 981.0).abs() < 1.5, "{robust:?}");
    let mut flat = vec![0.0; 1000];
    flat.push(5.0);
    assert_eq!(robust_range(&flat), Some(Range { min: 0.0, max: 5.0 }));
    assert_eq!((robust_range(&[f64::NAN]), full_range(&[])), (None, None));

    let found = Range { min: 0.2, max: 3.0 };
    assert_eq!(Scale::of("speed").fit(found), Range { min: 0.0, max: 3.0 });
    assert_eq!(Scale::of("max_stretch").fit(found), Range { min: -1.0, max: 3.0 });
    assert_eq!(Scale::of("contact_state").fit(found), Range { min: 0.0, max: 2.0 });
    let constant = Scale::of("speed").fit(Range { min: 0.0, max: 0.0 });
    assert!(constant.max > constant.min);
}

//! What the page is told is what the run holds.

use stiction_scene::frame::Frames as _;
use stiction_scene::run::RunFolder;

use crate::support::{Scratch, get, serve};

#[test]
fn bodies_tables_and_frames_are_those_of_the_run() {
    let scratch = Scratch::new("numbers");
    let folder = scratch.run();
    let run = RunFolder::open(&folder).expect("a run");
    let server = serve(&folder);
    assert_eq!(get(&server, "/api").json()["runs"], 1);

    let about = get(&server, "/api/0").json();
    assert_eq!((&about["title"], &about["gravity"][1]), (&"A block".into(), &(-9.81).into()));
    let block = &about["bodies"][1];
    assert_eq!(
        (&block["name"], &block["kind"], &block["tets"]),
        (&"block".into(), &"solid".into(), &48.into())
    );
    let place = |name: &str| {
        let list = block["quantities"].as_array().expect("quantities");
        list.iter().position(|quantity| quantity["name"] == name).expect("it is listed")
    };
    assert_eq!(block["quantities"][place("pressure")]["scale"], "around");

    let status = get(&server, "/api/0/status?from=2").json();
    assert_eq!(
        (&status["frames"], &status["status"]),
        (&run.times().len().into(), &"finished".into())
    );
    assert_eq!(status["times"].as_array().map(Vec::len), Some(run.times().len() - 2));

    let frame = run.frame(3).expect("a frame");
    let expected: Vec<f32> =
        frame.bodies[1].positions.as_flattened().iter().map(|x| *x as f32).collect();
    assert_eq!(get(&server, "/api/0/frame/3/body/1/positions").floats(), expected);
    assert!(get(&server, "/api/0/frame/3/body/0/positions").floats().is_empty());
    let stress =
        get(&server, &format!("/api/0/frame/3/body/1/values/{}", place("von_mises"))).floats();
    assert!(stress.len() == 48 && stress.iter().all(|value| *value >= 0.0));
    let arrows = get(&server, "/api/0/frame/3/body/1/arrows/0").floats();
    assert_eq!(arrows.len(), expected.len());
    let range = get(&server, &format!("/api/0/body/1/range/{}", place("speed"))).json();
    assert!(range["range"][1].as_f64() > Some(0.0), "{range}");

    assert_eq!(get(&server, "/api/0/body/1/start").body.len(), 4 * 3 * 27);
    assert_eq!(get(&server, "/api/0/body/1/tets").body.len(), 4 * 4 * 48);
    let triangles = run.bodies()[1].triangles.len();
    assert_eq!(get(&server, "/api/0/body/1/owners").body.len(), 4 * triangles);

    let probes = get(&server, "/api/0/probes").json();
    assert_eq!(
        (&probes["columns"][2]["name"], &probes["columns"][2]["unit"]),
        (&"height".into(), &"m".into())
    );
    assert_eq!(probes["rows"], 11);
    assert!(
        get(&server, "/api/0/steps").json()["columns"].as_array().is_some_and(|c| c.len() > 15)
    );
    let csv = get(&server, "/api/0/steps.csv");
    assert!(csv.head.contains("attachment") && csv.body.starts_with(b"step,"));
    assert_eq!(get(&server, "/api/0/report").json()["status"], "finished");
}

#[test]
fn a_port_that_is_taken_is_refused_with_a_remedy() {
    let scratch = Scratch::new("port");
    let folder = scratch.run();
    let first = serve(&folder);
    let second = stiction_view::Server::start(&[folder], Some(first.port()));
    let error = second.expect_err("it is taken").to_string();
    assert!(error.contains("cannot listen") && error.contains("help:"), "{error}");
}

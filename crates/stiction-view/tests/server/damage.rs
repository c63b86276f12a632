//! Runs that grow, break or vanish while they are shown.

use std::fs;
use std::time::Duration;

use stiction_scene::run::RunStatus;

use crate::support::{Scratch, get, serve, start};

/// Longer than the server takes what it saw for granted.
fn wait() {
    std::thread::sleep(Duration::from_millis(300));
}

#[test]
fn a_run_grows_while_it_is_shown() {
    let scratch = Scratch::new("grows");
    let folder = scratch.0.join("run");
    let mut job = start(&folder);
    let server = serve(&folder);
    wait();
    let status = get(&server, "/api/0/status").json();
    assert!(status["grows"] == true && status["frames"].as_u64() <= Some(1), "{status}");
    let mut before = 0;
    while !job.is_done() {
        job.advance().expect("a step");
        job.advance().expect("a step");
        wait();
        let frames = get(&server, "/api/0/status").json()["frames"].as_u64().expect("a count");
        assert!(frames >= before);
        before = frames;
    }
    job.finish(RunStatus::Finished).expect("a report");
    wait();
    let status = get(&server, "/api/0/status").json();
    assert_eq!((&status["frames"], &status["status"]), (&6.into(), &"finished".into()));
    assert_eq!(get(&server, "/api/0/frame/5/body/1/positions").status, 200);
}

#[test]
fn a_run_that_is_replaced_is_opened_anew() {
    let scratch = Scratch::new("replaced");
    let folder = scratch.run();
    let server = serve(&folder);
    let job = start(&folder);
    wait();
    let status = get(&server, "/api/0/status").json();
    assert!(status["generation"] == 1 && status["frames"].as_u64() <= Some(1), "{status}");
    drop(job);
}

#[test]
fn a_run_that_vanishes_is_an_error_until_it_is_back() {
    let scratch = Scratch::new("vanishes");
    let folder = scratch.run();
    let server = serve(&folder);
    let away = scratch.0.join("away");
    fs::rename(&folder, &away).expect("moved");
    wait();
    for path in ["/api/0", "/api/0/status", "/api/0/frame/1/body/1/positions", "/api/0/steps"] {
        let reply = get(&server, path);
        assert!(reply.status >= 400, "{path}: {}", reply.status);
        let said = reply.json();
        assert!(said["error"].is_string() && said["help"].is_string(), "{path}: {said}");
    }
    assert_eq!(get(&server, "/").status, 200);
    fs::rename(&away, &folder).expect("moved back");
    wait();
    assert_eq!(get(&server, "/api/0/status").status, 200);
    assert_eq!(get(&server, "/api/0/frame/1/body/1/positions").status, 200);
}

#[test]
fn damage_is_told_and_the_rest_is_shown() {
    let scratch = Scratch::new("damage");
    let folder = scratch.run();
    let server = serve(&folder);
    let block = folder.join("frames.zarr/bodies/block");
    fs::write(block.join("positions/c.2.0.0"), b"too short").expect("damaged");
    fs::remove_file(block.join("velocities/c.3.0.0")).expect("removed");
    fs::write(folder.join("steps.csv"), [0xff, 0xfe, b'\n', b'1', b'\n']).expect("damaged");
    fs::write(folder.join("report.json"), b"{").expect("damaged");
    fs::write(folder.join("scene.json"), b"{ \"body\": 3 }").expect("damaged");
    let ask = |path: &str| get(&server, &format!("/api/0/{path}"));
    assert_eq!(ask("frame/2/body/1/positions").status, 500);
    assert_eq!(ask("frame/1/body/1/positions").status, 200);
    assert_eq!(ask("frame/3/body/1/values/0").status, 500, "speed");
    for table in ["steps", "steps.csv", "report"] {
        let reply = ask(table);
        assert_eq!(reply.status, 500, "{table}");
        assert!(reply.json()["help"].as_str().is_some_and(|help| !help.is_empty()), "{reply:?}");
    }
    assert_eq!(ask("probes").status, 200);
    assert_eq!(ask("status").status, 200);
    assert_eq!(get(&server, "/api/0").status, 200);
    let list = get(&server, "/api/0").json()["bodies"][1]["quantities"].clone();
    let computed = list.as_array().and_then(|l| l.iter().position(|q| q["name"] == "pressure"));
    let reply = ask(&format!("frame/1/body/1/values/{}", computed.expect("pressure is listed")));
    assert!(
        reply.status == 500 && reply.json()["help"].to_string().contains("fields"),
        "{reply:?}"
    );

    fs::write(folder.join("frames.zarr/zarr.json"), b"no JSON").expect("damaged");
    wait();
    assert_eq!(get(&server, "/api/0/status").status, 500);
    assert_eq!(ask("frame/1/body/1/positions").status, 200, "what was open stays open");
}

#[test]
fn a_scene_that_names_other_files_is_not_read() {
    let scratch = Scratch::new("other-files");
    let folder = scratch.run();
    let scene = fs::read_to_string(folder.join("scene.json")).expect("a scene");
    let mut scene: serde_json::Value = serde_json::from_str(&scene).expect("JSON");
    for path in ["/dev/zero", "../secret.msh", "inputs/../../secret.msh"] {
        scene["body"][1]["solid"] = serde_json::json!({ "mesh": path });
        fs::write(folder.join("scene.json"), scene.to_string()).expect("written");
        let server = serve(&folder);
        let list = get(&server, "/api/0").json()["bodies"][1]["quantities"].clone();
        let place = list.as_array().and_then(|l| l.iter().position(|q| q["name"] == "von_mises"));
        let path = format!("/api/0/frame/1/body/1/values/{}", place.expect("it is listed"));
        let reply = get(&server, &path);
        assert!(
            reply.status == 500 && reply.json()["error"].to_string().contains("not one of"),
            "{reply:?}"
        );
    }
}

//! `stiction view` and `run --view`: an address that answers, until Ctrl-C.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::common::Folder;
use crate::scenes::FALL;

/// Starts a command that serves, and finds its address.
fn serve(folder: &Folder, words: &[&str]) -> (Child, String) {
    let mut child = folder
        .command(words)
        .args(["--no-browser", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let out = BufReader::new(child.stdout.take().expect("its output"));
    let mut lines = out.lines().map_while(Result::ok);
    let viewing = lines.find(|line| line.contains("\"viewing\"")).expect("an address");
    // What else it says is read, so that it never waits for a reader.
    std::thread::spawn(move || lines.for_each(drop));
    let (_, rest) = viewing.split_once("http://").expect("an address");
    let host = rest.split('/').next().unwrap_or_default().to_owned();
    (child, host)
}

fn ask(host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// Presses Ctrl-C, and tells the exit code.
fn interrupt(mut child: Child) -> Option<i32> {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    child.wait().expect("it ends").code()
}

#[test]
fn a_run_is_served_until_ctrl_c() {
    let folder = Folder::new();
    folder.write("fall.toml", FALL);
    folder.done(&["run", "fall.toml", "--out", "first"]);
    folder.done(&["run", "fall.toml", "--out", "second"]);
    let (child, host) = serve(&folder, &["view", "first", "second"]);
    assert!(ask(&host, "/").contains("<!doctype html>"));
    assert!(ask(&host, "/api").contains("\"runs\":2"));
    assert_eq!(interrupt(child), Some(0));
    assert!(TcpStream::connect(&host).is_err(), "nobody listens any more");
}

#[test]
fn a_run_is_shown_while_it_runs_and_stays_until_ctrl_c() {
    let folder = Folder::new();
    folder.write("fall.toml", FALL);
    let (child, host) = serve(&folder, &["run", "fall.toml", "--view", "--out", "live"]);
    while !ask(&host, "/api/0/status").contains("\"finished\"") {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!(interrupt(child), Some(0));
}

#[test]
fn what_is_no_run_is_refused_with_a_remedy() {
    let folder = Folder::new();
    let refused = folder.run(&["view", "nothing"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("nothing") && refused.stderr.contains("help:"),
        "{}",
        refused.stderr
    );
}

//! Runs to show, and the simplest of clients.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use stiction_scene::job::Job;
use stiction_scene::run::RunStatus;
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};
use stiction_view::Server;

const SCENE: &str = r#"
title = "A block"
duration = 0.1

[[body]]
name = "floor"
obstacle = { plane = { normal = [0, 1, 0] } }

[[body]]
name = "block"
solid = { box = { size = [0.2, 0.2, 0.2], cells = [2, 2, 2] } }
place = { move = [0, 0.1, 0] }

[[probe]]
name = "height"
quantity = "position"
body = "block"
along = "y"

[method.smooth]
time_step = 0.01

[output]
every = 2
"#;

/// A folder that is gone when the test has passed.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        Self(folder)
    }

    /// A run of the block in this folder, made anew.
    pub(crate) fn run(&self) -> PathBuf {
        let folder = self.0.join("run");
        let mut job = start(&folder);
        while !job.is_done() {
            job.advance().expect("a step");
        }
        job.finish(RunStatus::Finished).expect("a report");
        folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// A job that writes into a folder.
pub(crate) fn start(folder: &Path) -> Job {
    let file = SceneFile::parse("test", SCENE, Notation::Toml, None, &Wishes::default());
    let file = file.unwrap_or_else(|error| panic!("{}", error.render(false)));
    Job::start(&file, folder, true).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn serve(folder: &Path) -> Server {
    Server::start(&[folder.to_path_buf()], None).unwrap_or_else(|error| panic!("{error}"))
}

/// Status, head and body of an answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    pub(crate) fn floats(&self) -> Vec<f32> {
        self.body.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }
}

/// What comes back for these bytes; nothing if the server hangs up.
pub(crate) fn send(server: &Server, bytes: &[u8]) -> Option<Reply> {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a limit");
    // It may have hung up already.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    let end = reply.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8(reply[..end].to_vec()).expect("a head is text");
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Reply { status, head, body: reply[end + 4..].to_vec() })
}

/// Asks as our own page would.
pub(crate) fn get(server: &Server, path: &str) -> Reply {
    let host = format!("127.0.0.1:{}", server.port());
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    send(server, request.as_bytes()).expect("an answer")
}

//! The server: a thread that listens, and one for each connection.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use stiction_scene::run::RunError;

use crate::answer::Answer;
use crate::runs::Run;
use crate::{api, connection, gate};

/// A browser opens six connections to a server, a few pages a few more.
const MOST_CONNECTIONS: usize = 48;

/// A server that shows runs, until it is dropped.
#[derive(Debug)]
pub struct Server {
    port: u16,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    port: u16,
    runs: Vec<Run>,
    ending: AtomicBool,
    connections: AtomicUsize,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// A run cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The port is taken, or the system refuses.
    #[error("cannot listen on port {port}: {reason}\n  help: leave out --port to take a free one")]
    Listen {
        /// What was asked for.
        port: u16,
        /// The words of the system.
        reason: io::Error,
    },
}

impl Server {
    /// Starts to serve the runs in these folders on 127.0.0.1; without a port on a free one.
    ///
    /// # Errors
    /// When a folder holds no run, or the port is taken.
    pub fn start(folders: &[PathBuf], port: Option<u16>) -> Result<Self, ViewError> {
        let runs = folders.iter().map(|folder| Run::open(folder)).collect::<Result<_, _>>()?;
        let wanted = port.unwrap_or(0);
        let failed = |reason| ViewError::Listen { port: wanted, reason };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let (ending, connections) = (AtomicBool::new(false), AtomicUsize::new(0));
        let shared = Arc::new(Shared { port, runs, ending, connections });
        let listening = {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name("viewer".into())
                .spawn(move || listen(&listener, &shared))
                .map_err(failed)?
        };
        Ok(Self { port, shared, listening: Some(listening) })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ending.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.ending.load(Ordering::SeqCst) {
            return;
        }
        match stream {
            Ok(stream) => accept(stream, shared),
            // Out of file handles, most likely; connections that end give some back.
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

fn accept(mut stream: TcpStream, shared: &Arc<Shared>) {
    if shared.connections.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
        let answer = Answer::error(503, "there are too many connections", "close some pages");
        let _ = stream.set_write_timeout(Some(Duration::from_millis(200)));
        let _ = answer.send(&mut stream, false, true);
        shared.connections.fetch_sub(1, Ordering::SeqCst);
        return;
    }
    let place = Place(Arc::clone(shared));
    let spawned = std::thread::Builder::new().name("viewer-connection".into()).spawn(move || {
        let shared = &place.0;
        let ending = || shared.ending.load(Ordering::SeqCst);
        // A browser that hangs up is no failure.
        let _ = connection::serve(stream, ending, |request| {
            let refused = gate::refused(request, shared.port);
            refused.unwrap_or_else(|| api::answer(&shared.runs, request))
        });
    });
    drop(spawned);
}

/// A place among the connections, given back whatever ends the thread.
struct Place(Arc<Shared>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

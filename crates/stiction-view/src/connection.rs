//! One connection: requests in, answers out, until either side has had enough.

use std::io::{self, Read as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::answer::Answer;
use crate::request::{self, Request};

/// No head of a browser is as long [bytes].
const LONGEST_HEAD: usize = 16 << 10;
/// How long a head may take to come, once it has begun.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a connection is kept without requests.
const IDLE: Duration = Duration::from_secs(60);
/// How often it is looked whether the server ends.
const TICK: Duration = Duration::from_millis(200);
/// How long a browser may take to accept an answer.
const SLOWEST_ANSWER: Duration = Duration::from_secs(20);

/// Serves a connection until it ends, is misused, or `ending` says so.
pub(crate) fn serve(
    mut stream: TcpStream,
    ending: impl Fn() -> bool,
    answer: impl Fn(&Request) -> Answer,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TICK))?;
    stream.set_write_timeout(Some(SLOWEST_ANSWER))?;
    let mut bytes = Vec::new();
    let mut since = Instant::now();
    while !ending() {
        match request::parse(&bytes) {
            Ok(Some((request, length))) => {
                bytes.drain(..length);
                answer(&request).send(&mut stream, request.method == "HEAD", request.close)?;
                if request.close {
                    return Ok(());
                }
                since = Instant::now();
                continue;
            }
            Ok(None) if bytes.len() >= LONGEST_HEAD => {
                let answer = Answer::error(431, "the request is too long", "ask for less");
                return answer.send(&mut stream, false, true);
            }
            Ok(None) => {}
            Err(reason) => {
                let answer = Answer::error(400, reason, "open the page in a browser");
                return answer.send(&mut stream, false, true);
            }
        }
        let begun = !bytes.is_empty();
        if since.elapsed() > if begun { PATIENCE } else { IDLE } {
            if begun {
                let answer = Answer::error(408, "the request did not end", "try again");
                return answer.send(&mut stream, false, true);
            }
            return Ok(());
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                if !begun {
                    since = Instant::now();
                }
                bytes.extend_from_slice(&chunk[..count]);
            }
            Err(error) if is_pause(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

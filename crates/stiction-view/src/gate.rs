//! Who may ask: our own page, in a browser on this machine.
//!
//! Any page that a browser has open can send requests to 127.0.0.1, and a name that somebody else owns can be made to
//! point there. The first are known by their `Origin`, the second by their `Host`.

use crate::answer::Answer;
use crate::request::Request;

/// What a request is refused with, if it is.
pub(crate) fn refused(request: &Request, port: u16) -> Option<Answer> {
    let ours = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let is_ours = |host: &str| ours.iter().any(|ours| ours.eq_ignore_ascii_case(host));
    if !request.host.as_deref().is_some_and(is_ours) {
        let help = format!("open http://{}/", ours[0]);
        return Some(Answer::error(403, "this server is for this machine only", &help));
    }
    let foreign = |origin: &str| !origin.strip_prefix("http://").is_some_and(is_ours);
    if request.origin.as_deref().is_some_and(foreign) {
        return Some(Answer::error(403, "other pages may not ask", "open the page itself"));
    }
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        return Some(Answer::error(405, "nothing can be changed here", "use GET or HEAD"));
    }
    None
}

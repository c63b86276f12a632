//! The page, as built by `viewer/`.

use crate::answer::Answer;

/// The file at an address, if the page has it.
pub(crate) fn find(path: &str) -> Option<Answer> {
    let (kind, body): (_, &'static [u8]) = match path {
        "/" => ("text/html; charset=utf-8", include_bytes!("../../../viewer/dist/index.html")),
        "/app.js" => {
            ("text/javascript; charset=utf-8", include_bytes!("../../../viewer/dist/app.js"))
        }
        "/app.css" => ("text/css; charset=utf-8", include_bytes!("../../../viewer/dist/app.css")),
        "/icon.svg" => ("image/svg+xml", include_bytes!("../../../viewer/dist/icon.svg")),
        _ => return None,
    };
    Some(Answer::asset(kind, body, include_str!("../../../viewer/dist/tag.txt")))
}

//! Heads of requests: all that is read from a browser.

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Before the `?`.
    pub(crate) path: String,
    /// After it.
    pub(crate) query: String,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    pub(crate) if_none_match: Option<String>,
    /// Whether the connection ends with the answer.
    pub(crate) close: bool,
}

/// More headers than any browser sends.
const MOST_HEADERS: usize = 64;

/// A head at the start of the bytes, and how long it is; nothing while it is not complete.
///
/// # Errors
/// With what is wrong with it.
pub(crate) fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, &'static str> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let length = match head.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err("this is no HTTP request"),
    };
    let (Some(method), Some(target), Some(version)) = (head.method, head.path, head.version) else {
        return Err("this is no HTTP request");
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if !path.starts_with('/') {
        return Err("the address must begin with /");
    }
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        host: None,
        origin: None,
        if_none_match: None,
        close: version == 0,
    };
    for header in head.headers.iter() {
        let value = std::str::from_utf8(header.value).map_err(|_| "a header is not text")?.trim();
        match header.name.to_ascii_lowercase().as_str() {
            "host" if request.host.is_some() => return Err("there are two Host headers"),
            "host" => request.host = Some(value.to_owned()),
            "origin" if request.origin.is_some() => return Err("there are two Origin headers"),
            "origin" => request.origin = Some(value.to_owned()),
            "if-none-match" => request.if_none_match = Some(value.to_owned()),
            "connection" if value.eq_ignore_ascii_case("close") => request.close = true,
            // Nothing here takes a body; what followed would be read as the next request.
            "content-length" if value != "0" => return Err("a body is not accepted"),
            "transfer-encoding" => return Err("a body is not accepted"),
            _ => {}
        }
    }
    Ok(Some((request, length)))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let text = b"GET /api/0?from=3 HTTP/1.1\r\nHost: localhost:1\r\nOrigin: x\r\n\r\nGET";
        for end in 0..text.len() - 3 {
            assert_eq!(parse(&text[..end]), Ok(None), "after {end} bytes");
        }
        let (request, length) = parse(text).expect("a request").expect("all of it");
        assert_eq!(
            (length, request.path.as_str(), request.query.as_str()),
            (60, "/api/0", "from=3")
        );
        assert_eq!((request.host.as_deref(), request.close), (Some("localhost:1"), false));
    }

    #[test]
    fn what_could_be_misread_is_refused() {
        for text in [
            "GET http://a/ HTTP/1.1\r\n\r\n",
            "GET * HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: \u{1}\r\n\r\n",
            "GET /\r\n\r\n",
            "\0\0\0\0",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text:?}");
        }
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(100));
        assert!(parse(many.as_bytes()).is_err());
    }
}

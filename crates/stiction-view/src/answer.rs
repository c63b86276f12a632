//! Answers, as they are sent.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::{Value, json};
use stiction_scene::run::RunError;

/// What the page may load: itself, and pictures and films that it makes.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
media-src blob:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    kind: &'static str,
    body: Cow<'static, [u8]>,
    /// Of assets, which change with the program only.
    tag: Option<&'static str>,
    /// Name under which a browser saves it.
    file: Option<&'static str>,
}

impl Answer {
    fn new(status: u16, kind: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { status, kind, body: body.into(), tag: None, file: None }
    }

    pub(crate) fn json(value: &Value) -> Self {
        Self::new(200, "application/json", value.to_string().into_bytes())
    }

    pub(crate) fn asset(kind: &'static str, body: &'static [u8], tag: &'static str) -> Self {
        Self { tag: Some(tag), ..Self::new(200, kind, body) }
    }

    pub(crate) fn csv(file: &'static str, body: Vec<u8>) -> Self {
        Self { file: Some(file), ..Self::new(200, "text/csv; charset=utf-8", body) }
    }

    /// Numbers for a picture; what does not fit 32 bits is no number.
    pub(crate) fn floats(values: impl Iterator<Item = f64>) -> Self {
        Self::binary(values.map(|value| (value as f32).to_le_bytes()))
    }

    pub(crate) fn integers(values: impl Iterator<Item = u32>) -> Self {
        Self::binary(values.map(u32::to_le_bytes))
    }

    fn binary(values: impl Iterator<Item = [u8; 4]>) -> Self {
        Self::new(200, "application/octet-stream", values.flatten().collect::<Vec<u8>>())
    }

    pub(crate) fn error(status: u16, error: &str, help: &str) -> Self {
        let body = json!({ "error": error, "help": help });
        Self::new(status, "application/json", body.to_string().into_bytes())
    }

    /// Why something of a run cannot be read.
    pub(crate) fn broken(error: &RunError) -> Self {
        let text = error.to_string();
        let (what, help) = text.split_once("\n  help: ").unwrap_or((&text, ""));
        Self::error(500, what, help)
    }

    /// The same without a body, if the browser has it already.
    pub(crate) fn unless_known(self, known: Option<&str>) -> Self {
        match (self.tag, known) {
            (Some(tag), Some(known)) if known == tag => {
                Self { status: 304, body: Cow::Borrowed(&[]), ..self }
            }
            _ => self,
        }
    }

    /// Sends it.
    pub(crate) fn send(
        &self,
        out: &mut impl Write,
        head_only: bool,
        close: bool,
    ) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            304 => "Not Modified",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            431 => "Request Header Fields Too Large",
            503 => "Service Unavailable",
            _ => "Internal Server Error",
        };
        let mut head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: {}\r\n\
             Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n",
            self.status,
            self.kind,
            self.body.len(),
            // Frames are quick to read again, and too large to be kept by a browser for good.
            if self.tag.is_some() { "no-cache" } else { "no-store" },
        );
        if let Some(tag) = self.tag {
            head.push_str(&format!("ETag: {tag}\r\n"));
        }
        if let Some(file) = self.file {
            head.push_str(&format!("Content-Disposition: attachment; filename=\"{file}\"\r\n"));
        }
        if self.status == 405 {
            head.push_str("Allow: GET, HEAD\r\n");
        }
        head.push_str(if close { "Connection: close\r\n\r\n" } else { "\r\n" });
        out.write_all(head.as_bytes())?;
        if !head_only {
            out.write_all(&self.body)?;
        }
        out.flush()
    }
}

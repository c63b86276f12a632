//! Shows runs in the browser: a small server for this machine only, and the page it serves.
//!
//! The page (`viewer/`, built into `viewer/dist/`) is part of the program. It asks for what it shows, frame by frame
//! and body by body, and knows no solver; the server knows no drawing. Addresses hold only numbers and fixed words:
//!
//! | address | what |
//! |---|---|
//! | `/`, `/app.js`, `/app.css`, `/icon.svg` | the page |
//! | `/api` | how many runs, colours |
//! | `/api/RUN` | title, bodies, what they can be coloured by |
//! | `/api/RUN/status?from=FRAME` | how far it is, and times from that frame on |
//! | `/api/RUN/steps`, `…/probes` | tables, thinned out where they are long; with `.csv` as they are |
//! | `/api/RUN/report` | `report.json` |
//! | `/api/RUN/body/B/start`, `…/triangles`, `…/tets`, `…/owners` | topology: little-endian `f32` and `u32` |
//! | `/api/RUN/body/B/range/Q` | colours of a quantity, for the whole run |
//! | `/api/RUN/frame/F/body/B/positions`, `…/values/Q`, `…/arrows/A` | one frame: little-endian `f32` |
//!
//! `Q` and `A` are places in the lists of the body. Nothing in an address becomes a path, so that no other file can be
//! asked for; runs whose links lead elsewhere are refused. Errors are JSON with `error` and `help`.
//!
//! Only 127.0.0.1 is listened to. Other pages in the same browser are kept out by checking `Host` and `Origin`, and by
//! answers that no other origin may use.

mod answer;
mod api;
mod assets;
mod browser;
mod connection;
mod gate;
mod request;
mod runs;
mod server;
mod table;

pub use browser::open_browser;
pub use server::{Server, ViewError};

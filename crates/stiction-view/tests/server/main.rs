//! The server as a browser, a foreign page and a broken run see it.

mod damage;
mod gate;
mod large;
mod numbers;
mod support;

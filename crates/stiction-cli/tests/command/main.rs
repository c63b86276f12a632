//! The command, as people call it.

mod common;
mod docs;
mod mesh;
mod render;
mod report;
mod run;
mod scenes;
mod scenes_hold;
mod solve;
mod study;
mod terminal;
mod view;

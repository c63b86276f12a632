//! Run folders and what is made from them: killed, damaged, resumed, exported.

mod damage;
mod export_readers;
mod export_safety;
mod faults;
mod folder;
mod formula;
mod intersections;
mod kill;
mod pace;
mod poses;
mod resume;
#[path = "../scratch/mod.rs"]
mod scratch;
mod shown;
mod steps;
mod support;
mod version_1;

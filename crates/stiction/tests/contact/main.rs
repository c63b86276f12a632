//! Contact and friction: laws, surfaces, bodies, rest, robustness, what is saved.

mod bodies;
mod carrier;
mod clouds;
mod coarse_meshes;
mod energy;
mod energy_wall;
mod friction_models;
mod grids;
mod hard_cases;
mod kin;
mod laws;
mod measures;
mod points;
mod rest;
mod restore;
mod robust;
mod rod_on_conveyor;
mod self_contact;
mod self_contact_folds;
mod slide;
mod sliding_cloth;
mod solvers;
mod support;
mod surfaces;
mod turntable;
mod zones;

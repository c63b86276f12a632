//! `stiction check`: whether scene files make sense, without running them; how surfaces come out; and whether runs are
//! as they were written.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use stiction::geometry::implicit::Edges;
use stiction_scene::job::verify;
use stiction_scene::library::Shipped;
use stiction_scene::scene_file::{BodyFacts, Setup, split_help};

use crate::exit;
use crate::scene::{Changes, Named};
use crate::terminal::Column::{Left, Right};
use crate::terminal::{Table, Terminal, human, style};

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// Scene files, names of scenes that come with stiction, or folders of runs.
    #[arg(required = true, value_name = "SCENE|RUN")]
    scenes: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Print the scene with every default filled in, as JSON.
    #[arg(long)]
    resolved: bool,
}

const EXAMPLES: &str = "\
Examples:
  stiction check my_scene.toml
  stiction check cantilever --set body.beam.material.poissons_ratio=0.45
  stiction check cantilever --resolved              what the defaults are
  stiction check runs/twisting_bar                  whether any file of the run was damaged";

/// Checks scenes.
///
/// # Errors
/// Never, so far: what is wrong with one scene does not keep the others from being checked.
pub fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let mut sound = true;
    for name in &args.scenes {
        // A folder of the name of a scene does not hide it.
        if Path::new(name).is_dir() && Shipped::find(name).is_none() {
            sound &= run_folder(name, terminal);
            continue;
        }
        let named = match Named::find(name) {
            Ok(named) => named,
            Err(error) => {
                terminal.error(&error);
                sound = false;
                continue;
            }
        };
        let scene = named.load(&args.changes.wishes());
        let Some(setup) = terminal
            .patiently("preparing the scene", || terminal.scene(scene.and_then(|s| s.build())))
        else {
            sound = false;
            continue;
        };
        if args.resolved {
            terminal.document(&serde_json::to_value(&setup.resolved)?);
            continue;
        }
        setup.notes.iter().for_each(|note| terminal.remark(note));
        let unknowns = setup.simulation.model().unknown_count();
        let memory = setup.memory;
        terminal.event(
            "scene-checked",
            json!({
                "scene": name, "title": setup.title, "bodies": setup.scene.bodies.len(), "unknowns": unknowns,
                "steps": setup.steps, "probes": setup.probes.len(), "expectations": setup.expectations.len(),
                "warnings": setup.notes.len(), "memory": memory,
            }),
        );
        terminal.print(format!(
            "{} {name}: {}, {} unknowns, {} steps of {} s, {}, {}; about {} of memory",
            match setup.notes.len() {
                0 => style::good("sound"),
                1 => style::warning("runs, but see the warning above:"),
                _ => style::warning("runs, but see the warnings above:"),
            },
            human::plural(setup.scene.bodies.len(), "body", "bodies"),
            human::count(unknowns),
            human::count(setup.steps as usize),
            setup.simulation.settings().time_step,
            human::plural(setup.probes.len(), "probe", "probes"),
            human::plural(setup.expectations.len(), "expectation", "expectations"),
            human::bytes(memory),
        ));
        bodies(name, &setup, terminal);
        filled(name, &setup, terminal);
        surfaces(name, &setup, terminal);
        for advice in setup.advice() {
            let (message, help) = split_help(&advice);
            terminal.event("advice", json!({ "scene": name, "message": message, "help": help }));
            terminal.print(format!("  {message}: {}", help.unwrap_or_default()));
        }
    }
    Ok(ExitCode::from(if sound { exit::DONE } else { exit::FAILED }))
}

/// Says what of a run is damaged, file by file; whether nothing is.
fn run_folder(name: &str, terminal: &Terminal) -> bool {
    let mut progress = terminal.progress(name);
    let found = verify(Path::new(name), &mut |done| progress.set(done, || "reading".to_owned()));
    drop(progress);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            terminal.error(&error.into());
            return false;
        }
    };
    let status = found.status.map(|status| status.word());
    terminal.event(
        "run-checked",
        json!({
            "run": name, "status": status, "frames": found.frames, "checksums": found.has_checksums,
            "damages": found.damages.iter().map(|damage| json!({
                "file": damage.path, "reason": damage.reason, "help": damage.help,
            })).collect::<Vec<_>>(),
        }),
    );
    let sound = found.damages.is_empty();
    for damage in found.damages {
        terminal.error(&damage.into());
    }
    if sound {
        let frames = human::plural(found.frames, "frame", "frames");
        let status = status.unwrap_or_default();
        terminal.print(format!("{} {name}: {frames}, {status}", style::good("sound")));
        if !found.has_checksums {
            let help = "run the scene again to have them";
            let message = "the run is of an older program and has no checksums: lengths fit, no more is known";
            terminal.warn(message, Some(help));
        }
    }
    sound
}

/// Says of every body how large, heavy and stiff it is: a slip of units shows at a glance.
fn bodies(scene: &str, setup: &Setup, terminal: &Terminal) {
    let [size, mass, vertices, stiffness] =
        ["size [m]", "mass [kg]", "vertices", "stiffness"].map(Right);
    let columns = [Left("body"), Left(""), size, mass, vertices, stiffness];
    let mut table = Table::new(&columns).indented(2);
    let (facts, mut shown) = (setup.body_facts(), 0);
    for BodyFacts { name, kind, size, mass, vertices, stiffness, stiffness_unit } in &facts {
        terminal.event(
            "body-checked",
            json!({
                "scene": scene, "body": name, "kind": kind, "size": size, "mass": mass, "vertices": vertices,
                "stiffness": stiffness, "stiffness_unit": stiffness_unit,
            }),
        );
        // Copies are alike.
        shown += 1;
        if shown > MOST_BODIES {
            continue;
        }
        let number = |x: f64| human::significant(x, 3);
        table.row([
            name.clone(),
            (*kind).to_owned(),
            size.map_or_else(String::new, |size| size.map(number).join(" × ")),
            mass.map_or_else(String::new, number),
            if *vertices > 0 { human::count(*vertices) } else { String::new() },
            stiffness.map_or_else(String::new, |e| format!("{} {stiffness_unit}", number(e))),
        ]);
    }
    terminal.print(table);
    if let more @ 1.. = facts.len().saturating_sub(MOST_BODIES) {
        terminal.print(format!("  … and {more} more; --json has all of them"));
    }
}

/// Bodies that are shown; nobody reads more.
const MOST_BODIES: usize = 20;

/// Says of every surface that was filled how much of its inside the tetrahedra have.
fn filled(scene: &str, setup: &Setup, terminal: &Terminal) {
    for (file, filled) in &setup.filled {
        terminal.event(
            "surface-filled",
            json!({
                "scene": scene, "file": file, "tets": filled.tets, "volume": filled.volume,
                "inside": filled.inside, "lost": filled.lost(),
            }),
        );
        terminal.print(format!(
            "  {file} filled: {} tetrahedra, {}, {:+.2} % of what is inside",
            human::count(filled.tets),
            human::volume(filled.volume),
            -100.0 * filled.lost(),
        ));
    }
}

/// Says of every smooth surface that others may touch how it was made, and how far it is from its mesh.
fn surfaces(scene: &str, setup: &Setup, terminal: &Terminal) {
    for (body, smooth) in setup.simulation.contact_surfaces() {
        let name = setup.scene.bodies[body.index()].name().unwrap_or_default();
        let found = smooth.hausdorff();
        let samples = smooth.surface.sample_points().len();
        let radius = smooth.surface.radius();
        let edges = match smooth.surface.settings().edges {
            Edges::Round => "round",
            Edges::Robust(_) => "robust",
            Edges::Sharp(_) => "sharp",
        };
        terminal.event(
            "surface-checked",
            json!({
                "scene": scene, "body": name, "samples": samples, "radius": radius, "edges": edges,
                "distance": found.distance, "relative": found.relative, "points": found.points,
                "holes": found.holes, "lost": found.lost,
            }),
        );
        let of = if smooth.triangles.is_empty() { "points" } else { "mesh" };
        terminal.print(format!(
            "  surface of {name}: {}, radius {}, {edges} edges; at most {} from its {of}",
            human::plural(samples, "sample", "samples"),
            human::length(radius),
            human::length(found.distance),
        ));
        if found.holes > 0 {
            let message = format!(
                "the surface of `{name}` has holes: at {} of {} places no sample is within its radius",
                human::count(found.holes),
                human::count(found.points),
            );
            let help = "enlarge the `radius` of its `surface`, or leave it out";
            terminal.warn(&message, Some(help));
        }
    }
}

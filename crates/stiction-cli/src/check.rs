//! `stiction check`: whether scene files make sense, without running them; and how surfaces come out.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use stiction::geometry::implicit::Edges;
use stiction_scene::scene_file::Setup;

use crate::exit;
use crate::scene::{Changes, Named};
use crate::terminal::{Terminal, human, style};

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// Scene files, or names of scenes that come with stiction.
    #[arg(required = true, value_name = "SCENE")]
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
  stiction check cantilever --resolved              what the defaults are";

/// Checks scenes.
///
/// # Errors
/// Never, so far: what is wrong with one scene does not keep the others from being checked.
pub fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let mut sound = true;
    for name in &args.scenes {
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
        for note in &setup.notes {
            terminal.warn(note, None);
        }
        let unknowns = setup.simulation.model().unknown_count();
        terminal.event(
            "scene-checked",
            json!({
                "scene": name, "title": setup.title, "bodies": setup.scene.bodies.len(), "unknowns": unknowns,
                "steps": setup.steps, "probes": setup.probes.len(), "expectations": setup.expectations.len(),
            }),
        );
        terminal.print(format!(
            "{} {name}: {}, {} unknowns, {} steps of {} s, {}, {}",
            style::good("sound"),
            human::plural(setup.scene.bodies.len(), "body", "bodies"),
            human::count(unknowns),
            human::count(setup.steps as usize),
            setup.simulation.settings().time_step,
            human::plural(setup.probes.len(), "probe", "probes"),
            human::plural(setup.expectations.len(), "expectation", "expectations"),
        ));
        surfaces(name, &setup, terminal);
    }
    Ok(ExitCode::from(if sound { exit::DONE } else { exit::FAILED }))
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

//! From addresses to answers.

use serde_json::{Value, json};
use stiction_scene::frame::{BodyInfo, BodyKind, FieldPlace, FrameError, Frames as _};
use stiction_scene::run::{Part, RunTable};
use stiction_scene::shown::{
    ColourMap, Scale, Shown, body_colour, elements_of_triangles, state_colour,
};

use crate::answer::Answer;
use crate::assets;
use crate::request::Request;
use crate::runs::{Run, is_open_ended};
use crate::table;

/// Answers a request that may be asked.
pub(crate) fn answer(runs: &[Run], request: &Request) -> Answer {
    if let Some(asset) = assets::find(&request.path) {
        return asset.unless_known(request.if_none_match.as_deref());
    }
    let parts: Vec<&str> = request.path.split('/').skip(1).collect();
    let answer = match parts[..] {
        ["api"] => Some(Answer::json(&overview(runs))),
        ["api", run, ref rest @ ..] => {
            number(run).and_then(|run| runs.get(run)).and_then(|run| of_run(run, rest, request))
        }
        _ => None,
    };
    answer.unwrap_or_else(|| Answer::error(404, "there is nothing at this address", "open /"))
}

fn of_run(run: &Run, rest: &[&str], request: &Request) -> Option<Answer> {
    match *rest {
        [] => Some(look(run, |_| Answer::json(&about(run)))),
        ["status"] => Some(look(run, |run| Answer::json(&status(run, &request.query)))),
        ["report"] => {
            Some(run.report().map_or_else(|answer| answer, |report| Answer::json(&report)))
        }
        ["steps"] => Some(columns(run.table(RunTable::Steps))),
        ["probes"] => Some(columns(run.table(RunTable::Probes))),
        ["steps.csv"] => Some(csv(RunTable::Steps, run)),
        ["probes.csv"] => Some(csv(RunTable::Probes, run)),
        ["body", body, what] => {
            let opened = run.opened();
            topology(opened.shown.run().bodies().get(number(body)?)?, what)
        }
        ["body", body, "range", quantity] => {
            range(&run.opened().shown, number(body)?, number(quantity)?)
        }
        ["frame", frame, "body", body, ref what @ ..] => {
            of_frame(&run.opened().shown, number(frame)?, number(body)?, what)
        }
        _ => None,
    }
}

fn look(run: &Run, answer: impl FnOnce(&Run) -> Answer) -> Answer {
    match run.look().map(|_| ()) {
        Ok(()) => answer(run),
        Err(error) => Answer::broken(&error),
    }
}

fn overview(runs: &[Run]) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "runs": runs.len(),
        "colours": {
            "sequential": ColourMap::SEQUENTIAL.stops,
            "diverging": ColourMap::DIVERGING.stops,
            "states": (0..3).map(state_colour).collect::<Vec<_>>(),
            "bodies": (0..8).map(body_colour).collect::<Vec<_>>(),
        },
    })
}

fn about(run: &Run) -> Value {
    let opened = run.opened();
    let shown = &opened.shown;
    let report = run.report().unwrap_or_default();
    let bodies = shown.run().bodies().iter().enumerate();
    json!({
        "name": run.name(),
        "title": report["title"],
        "gravity": report["scene"]["gravity"],
        "duration": report["scene"]["duration"],
        "generation": opened.generation,
        "bodies": bodies.map(|(index, info)| body(shown, index, info)).collect::<Vec<_>>(),
    })
}

fn body(shown: &Shown, index: usize, info: &BodyInfo) -> Value {
    let kind = match info.kind {
        BodyKind::Solid => "solid",
        BodyKind::Cloth => "cloth",
        BodyKind::Rigid => "rigid",
        BodyKind::Obstacle => "obstacle",
    };
    let quantities = shown.quantities(index).into_iter().map(|quantity| {
        let place = match quantity.place {
            FieldPlace::Vertex => "vertex",
            FieldPlace::Element => "element",
        };
        let scale = quantity.scale();
        json!({
            "name": quantity.name, "unit": quantity.unit, "place": place, "scale": scale.word(),
            "middle": if let Scale::Around(middle) = scale { Some(middle) } else { None },
        })
    });
    let arrows = shown.arrows(index).into_iter();
    json!({
        "name": info.name, "kind": kind, "moves": info.moves,
        "vertices": info.start.len(), "triangles": info.triangles.len(), "tets": info.tets.len(),
        "quantities": quantities.collect::<Vec<_>>(),
        "arrows": arrows.map(|a| json!({ "name": a.name, "unit": a.unit })).collect::<Vec<_>>(),
    })
}

/// How far the run is; `from=FRAME` leaves out times that are known.
fn status(run: &Run, query: &str) -> Value {
    let opened = run.opened();
    let folder = opened.shown.run();
    let from = query.split('&').find_map(|pair| number(pair.strip_prefix("from=")?)).unwrap_or(0);
    json!({
        "status": folder.status().word(),
        "grows": is_open_ended(folder.status()),
        "generation": opened.generation,
        "frames": folder.times().len(),
        "from": from.min(folder.times().len()),
        "times": folder.times().get(from..).unwrap_or_default(),
        "steps": folder.steps().get(from..).unwrap_or_default(),
    })
}

fn topology(info: &BodyInfo, what: &str) -> Option<Answer> {
    Some(match what {
        "start" => Answer::floats(info.start.as_flattened().iter().copied()),
        "triangles" => Answer::integers(info.triangles.as_flattened().iter().copied()),
        "tets" => Answer::integers(info.tets.as_flattened().iter().copied()),
        "owners" => Answer::integers(elements_of_triangles(info).into_iter()),
        _ => return None,
    })
}

fn range(shown: &Shown, body: usize, quantity: usize) -> Option<Answer> {
    let quantity = shown.quantities(body).into_iter().nth(quantity)?;
    Some(match shown.range(&quantity, 0..shown.run().bodies().len()) {
        Ok(range) => Answer::json(&json!({ "range": range.map(|range| [range.min, range.max]) })),
        Err(error) => broken(&error),
    })
}

fn of_frame(shown: &Shown, frame: usize, body: usize, what: &[&str]) -> Option<Answer> {
    let flat = match *what {
        ["positions"] => shown.run().part(frame, body, Part::Positions),
        ["values", quantity] => {
            let quantity = shown.quantities(body).into_iter().nth(number(quantity)?)?;
            shown.values(frame, body, &quantity.name)
        }
        ["arrows", arrows] => {
            let arrows = shown.arrows(body).into_iter().nth(number(arrows)?)?;
            let vectors = shown.vectors(frame, body, &arrows.name);
            vectors.map(|vectors| vectors.into_iter().flatten().collect())
        }
        _ => return None,
    };
    Some(flat.map_or_else(|error| broken(&error), |flat| Answer::floats(flat.into_iter())))
}

fn columns(file: Result<Vec<u8>, Answer>) -> Answer {
    file.map_or_else(
        |answer| answer,
        |bytes| Answer::json(&table::columns(&String::from_utf8_lossy(&bytes))),
    )
}

fn csv(table: RunTable, run: &Run) -> Answer {
    run.table(table).map_or_else(|answer| answer, |bytes| Answer::csv(table.file_name(), bytes))
}

fn broken(error: &FrameError) -> Answer {
    let text = format!("{}: {}", error.path.display(), error.reason);
    Answer::error(500, &text, &error.help)
}

/// A number as we write them: digits only, no sign, not too many.
fn number(text: &str) -> Option<usize> {
    let plain = !text.is_empty() && text.len() < 10 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

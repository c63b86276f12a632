//! `stiction study`: the experiments of the course on contact [AEF22] that are about solvers, computed anew and drawn.
//!
//! One file a study: what is asked, the numbers as a table (CSV), the plots (SVG). Problems come from
//! `stiction_check::stacks`, answers from the library's solvers; nothing is stored.

mod barrier;
mod circle_grid;
mod conjugate;
mod delassus;
mod disc;
mod disc_coupled;
mod downdating;
mod findings;
mod layers;
mod masses_and_heights;
mod ordering;
mod orders;
mod rates;
mod scaling;
mod slopes;
mod smoothing;
mod sparsity;
mod subspace;
mod sweeping;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::json;
use stiction::names::nearest;
use stiction_scene::run::write_atomically;

use crate::exit;
use crate::report::page::document;
use crate::terminal::Column::Left;
use crate::terminal::{Table, Terminal, human, style};
use crate::xml::escaped;
use findings::Findings;

/// Arguments of `study`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct StudyArgs {
    /// Studies, by name; `all` for every one. Without names they are listed.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Folder for tables (.csv), plots (.svg) and a page with all of it (studies.html).
    #[arg(short, long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  stiction study                         what there is
  stiction study orders disc -o plots
  stiction study all

Each study solves small contact problems in a way that shows one thing about solvers. docs/solvers.md explains the \
plots.

The column `course`: Fig. and § are of the course notes by Andrews, Erleben and Ferguson, Contact and friction \
simulation for computer graphics (2022). B1 to B24 number the experiments in them, F051 is a technique that they \
describe. V01 to V40 are numbers that must come out; docs/theory/reference-values.md lists them.";

/// How much of a study is done is told here, from 0 to 1.
type Told<'a> = &'a mut dyn FnMut(f64);

/// A study.
struct Study {
    name: &'static str,
    /// What is asked.
    title: &'static str,
    /// Where the course has it, and the vectors that tests compare with.
    source: &'static str,
    run: fn(Told<'_>) -> anyhow::Result<Findings>,
}

const STUDIES: [Study; 18] = [
    orders::STUDY,
    ordering::STUDY,
    sweeping::STUDY,
    conjugate::STUDY,
    masses_and_heights::STUDY,
    subspace::STUDY,
    downdating::STUDY,
    scaling::STUDY,
    disc::STUDY,
    disc_coupled::STUDY,
    rates::STUDY,
    slopes::STUDY,
    smoothing::STUDY,
    layers::STUDY,
    barrier::STUDY,
    sparsity::STUDY,
    delassus::STUDY,
    circle_grid::STUDY,
];

/// Computes studies and draws them.
///
/// # Errors
/// When a name is not known, or the folder cannot be written.
pub fn run(args: &StudyArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    if args.names.is_empty() {
        terminal.print(list());
        return Ok(ExitCode::from(exit::DONE));
    }
    let chosen = chosen(&args.names)?;
    std::fs::create_dir_all(&args.out).with_context(|| {
        format!("cannot make the folder {}\n  help: name another with -o", args.out.display())
    })?;
    let mut main = String::new();
    let mut progress = terminal.progress("studying");
    for (k, study) in chosen.iter().enumerate() {
        let mut told = |share: f64| {
            let done = (k as f64 + share) / chosen.len() as f64;
            progress.set(done, || study.name.to_owned());
        };
        told(0.0);
        let findings = (study.run)(&mut told)?;
        main.push_str(&format!(
            "<section>\n<h2>{}</h2>\n<p class=\"soft\">stiction study {}; {}</p>\n{}</section>\n",
            escaped(study.title),
            study.name,
            escaped(study.source),
            findings.html()
        ));
        let mut files = Vec::new();
        for (name, text) in findings.files(study.name) {
            let path = args.out.join(name);
            write_atomically(&path, text.as_bytes())?;
            files.push(path);
        }
        progress.suspend(|| {
            terminal.event("studied", json!({ "study": study.name, "files": files }));
            terminal.print(format!("{}: {}", style::bold(study.name), study.title));
            for line in &findings.words {
                terminal.print(format!("  {line}"));
            }
        });
    }
    drop(progress);
    let page = args.out.join("studies.html");
    write_atomically(&page, document("Studies of contact solvers", &main).as_bytes())?;
    let count = human::plural(chosen.len(), "study", "studies");
    terminal.print(format!("{}: {count}", style::bold(page.display())));
    Ok(ExitCode::from(exit::DONE))
}

fn list() -> Table {
    let mut table = Table::new(&[Left("study"), Left("what it shows"), Left("course")]).indented(2);
    for study in &STUDIES {
        table.row([study.name.to_owned(), study.title.to_owned(), study.source.to_owned()]);
    }
    table
}

fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Study>> {
    if let [only] = names
        && only == "all"
    {
        return Ok(STUDIES.iter().collect());
    }
    let find = |name: &String| match STUDIES.iter().find(|study| study.name == name) {
        Some(study) => Ok(study),
        None => {
            let known = STUDIES.iter().map(|study| study.name);
            let near = nearest(name, known.clone());
            let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let known: Vec<&str> = known.collect();
            bail!("there is no study `{name}`\n  help: {near}known: {}", known.join(", "))
        }
    };
    names.iter().map(find).collect()
}

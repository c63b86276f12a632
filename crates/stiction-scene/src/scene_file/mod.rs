//! Scene files: what is simulated, written down.
//!
//! TOML, or JSON with the same keys. `docs/scenes.md` shows the format by example, [`schema`] describes it for editors.
//! A file is read in three passes, each of which goes on after a mistake so that one reading finds them all: text to a
//! tree of values that know their place, changed by path where the caller asks for it; tree to
//! [tables](format); tables to a [simulation](Setup) with every default filled in.

mod build;
mod copies;
mod decode;
mod foreign;
pub mod format;
mod leaves;
mod overrides;
mod problem;
mod review;
mod source;
mod tree;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

pub(crate) use build::MAX_STEPS;
pub use build::{Filled, NamedProbe, Setup};
pub use decode::{List, Spanned};
pub use leaves::{
    Count, Direction, Fraction, Index, Name, NameOr, NotNegative, Number, NumberOr, OneOrMore,
    Pair, Positive, Several, Triple, Vector,
};
pub use overrides::{Changes, OtherMethod};
pub use problem::{Problem, SceneFileError, split_help};
pub use review::BodyFacts;
pub use source::{Source, Sources, Span};

use crate::cache::Cache;
use decode::{Decode as _, did_you_mean};
use format::{SceneTable, VariantTable};
use problem::Problems;
use tree::{Node, Value};

/// Files larger than this are no scenes [bytes]; meshes go into files of their own.
const MAX_BYTES: u64 = 64 << 20;

/// A scene file that has been read, but not yet built.
#[derive(Clone, Debug)]
pub struct SceneFile {
    name: String,
    folder: Option<PathBuf>,
    cache: Cache,
    sources: Sources,
    variant: Option<String>,
    table: SceneTable,
    written: Written,
}

/// Names that the file gives, also to tables that turned out wrong: what refers to those is not at fault.
#[derive(Clone, Debug, Default)]
struct Written {
    bodies: Vec<String>,
    /// Whether there is anything in the place of bodies.
    any_body: bool,
    probes: Vec<String>,
    zones: Vec<String>,
    variants: Vec<String>,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `key = value`.
    Toml,
    /// `"key": value`.
    Json,
}

/// What the caller wants changed before a scene is built.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// A variant that the scene defines.
    pub variant: Option<String>,
    /// The quick variant, if the scene defines one.
    pub coarse: bool,
    /// `PATH=VALUE`, applied last and in order.
    pub set: Vec<String>,
}

impl SceneFile {
    /// Reads a file; `.json` is JSON, all else TOML.
    ///
    /// # Errors
    /// When it cannot be read, or with everything in it that is not understood.
    pub fn load(path: &Path, wishes: &Wishes) -> Result<Self, SceneFileError> {
        let name = path.display().to_string();
        let text = read_text(path)
            .map_err(|problem| SceneFileError::new(Sources::default(), vec![problem]))?;
        let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let notation = if json { Notation::Json } else { Notation::Toml };
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Self::parse(&name, &text, notation, Some(folder), wishes)
    }

    /// Reads a text. Mesh files are looked for in `folder`; without one, there are none.
    ///
    /// # Errors
    /// With everything that is not understood.
    pub fn parse(
        name: &str,
        text: &str,
        notation: Notation,
        folder: Option<PathBuf>,
        wishes: &Wishes,
    ) -> Result<Self, SceneFileError> {
        // Some editors begin files with this mark; it is no part of the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let read = read(name, text, notation, wishes, &mut sources, &mut problems);
        let name = name.to_owned();
        let file = read.map(|(table, written)| Self {
            name,
            folder,
            cache: Cache::standard(),
            sources: sources.clone(),
            variant: wishes.variant.clone(),
            table,
            written,
        });
        match file {
            Some(file) if problems.list.is_empty() => Ok(file),
            Some(file) => {
                // What was understood may be wrong as well; one reading shall find everything.
                file.try_build(&mut problems);
                Err(SceneFileError::new(sources, problems.list))
            }
            None => Err(SceneFileError::new(sources, problems.list)),
        }
    }

    /// The tables as written.
    pub fn table(&self) -> &SceneTable {
        &self.table
    }

    /// Where mesh files are looked for.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Keeps what is made of meshes in another cache than [the standard one](Cache::standard).
    #[must_use]
    pub fn cached(self, cache: Cache) -> Self {
        Self { cache, ..self }
    }

    /// What the file is called, without folder and extension.
    pub fn stem(&self) -> String {
        let stem =
            Path::new(&self.name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.unwrap_or_else(|| self.name.clone())
    }

    /// The beginning of the file, for problems of the whole.
    fn whole(&self) -> Span {
        Span::default()
    }
}

/// Describes the format as JSON Schema, for editors that complete and check while one types.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(SceneTable);
    schema.insert("title".into(), "stiction scene".into());
    // All lists may be left out but this one; derived, they would all be required.
    schema.insert("required".into(), serde_json::json!(["body"]));
    // Editors of JSON name the schema in the file itself.
    if let Some(properties) = schema.get_mut("properties").and_then(|value| value.as_object_mut()) {
        properties.insert("$schema".into(), serde_json::json!({ "type": "string" }));
    }
    let mut schema = schema.to_value();
    // The same for the list inside a table.
    let of_zones = schema.pointer_mut("/$defs/ZoneTable/required");
    if let Some(required) = of_zones.and_then(|required| required.as_array_mut()) {
        required.retain(|key| key != "and");
    }
    schema
}

fn read_text(path: &Path) -> Result<String, Problem> {
    let problem =
        |message: String, help: &str| Problem { message, span: None, help: Some(help.to_owned()) };
    let shown = path.display();
    if path.is_dir() {
        return Err(problem(format!("{shown} is a folder"), "name the scene file in it"));
    }
    // The length that the system tells is not to be relied on: that of a device or a pipe is 0.
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| {
        let help = "check the path; `stiction scenes` lists scenes that come with stiction";
        problem(format!("cannot read {shown}: {error}"), help)
    })?;
    if bytes.len() as u64 > MAX_BYTES {
        let help = "a scene is text of some pages; keep meshes in files of their own";
        return Err(problem(format!("{shown} is longer than {} MB", MAX_BYTES >> 20), help));
    }
    if let Some(problem) = foreign::problem(path, &bytes) {
        return Err(problem);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        problem(format!("{shown} is not text: byte {at} is not UTF-8"), "save the scene as UTF-8")
    })
}

fn read(
    name: &str,
    text: &str,
    notation: Notation,
    wishes: &Wishes,
    sources: &mut Sources,
    problems: &mut Problems,
) -> Option<(SceneTable, Written)> {
    let source = sources.add(name, text);
    let mut root = match notation {
        Notation::Toml => tree::from_toml(text, source, problems),
        Notation::Json => tree::from_json(text, source, problems),
    };
    if let Value::Table(entries) = &mut root.value {
        entries.retain(|entry| entry.key != "$schema");
    }
    // What half a file means nobody knows.
    if !problems.list.is_empty() {
        return None;
    }
    root.name_items("body");
    apply(wishes, &mut root, sources, problems);
    root.span = Span::new(source, 0..0);
    let mut written = Written {
        bodies: root.names("body"),
        any_body: root.has("body"),
        probes: root.names("probe"),
        zones: root.names("zone"),
        variants: root.names("variant"),
    };
    let table = SceneTable::decode(&root, problems);
    let table =
        table.or_else(|| SceneTable::decode(&without_failures(root), &mut Problems::default()));
    let mut table = table?;
    copies::write_out(&mut table.body, problems);
    let names = table.body.iter().filter_map(|body| body.value.name.as_ref());
    written.bodies.extend(names.map(|name| name.value.clone()));
    Some((table, written))
}

/// Leaves out keys whose values have been found wrong.
fn without_failures(mut root: Node) -> Node {
    let span = root.span;
    if let Value::Table(entries) = &mut root.value {
        entries.retain(|entry| {
            let alone = Node { value: Value::Table(vec![entry.clone()]), span };
            SceneTable::decode(&alone, &mut Problems::default()).is_some()
        });
    }
    root
}

/// Changes what the caller wants changed: the coarse variant, a named one, single values.
fn apply(wishes: &Wishes, root: &mut Node, sources: &mut Sources, problems: &mut Problems) {
    if !wishes.coarse && wishes.variant.is_none() && wishes.set.is_empty() {
        return;
    }
    // Which changes there are must be known before they are made; problems of this reading show up in the next.
    let table = SceneTable::decode(&root.only(&["coarse", "variant"]), &mut Problems::default());
    if let (true, Some(Some(coarse))) = (wishes.coarse, table.as_ref().map(|table| &table.coarse)) {
        coarse.apply_coarse(root, problems);
    }
    if let Some(wanted) = &wishes.variant {
        let variants = table.as_ref().map_or(&[][..], |table| &table.variant);
        match variants.iter().find(|variant| variant.value.name.value == *wanted) {
            Some(Spanned { value: VariantTable { method, set, coarse, .. }, .. }) => {
                method.iter().for_each(|method| method.apply(root, problems));
                let quick = coarse.iter().filter(|_| wishes.coarse);
                set.iter().chain(quick).for_each(|changes| changes.apply(root, problems));
            }
            // One that is written but wrong is found when the scene is read.
            None if root.names("variant").contains(wanted) => {}
            None => {
                let names = root.names("variant");
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let source = sources.add("--variant", wanted);
                let span = Span::new(source, 0..wanted.len());
                let message = format!("the scene has no variant `{wanted}`");
                problems.add(span, message, did_you_mean(wanted, &names));
            }
        }
    }
    for argument in &wishes.set {
        if let Some(change) = overrides::Change::from_argument(argument, sources, problems) {
            change.apply(root, problems);
        }
    }
}

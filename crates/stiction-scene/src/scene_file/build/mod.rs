//! From tables to a simulation that is ready to run.
//!
//! Everything that was left out is decided here and written into the resolved scene, which is itself a scene file: run
//! again, it gives the same simulation. Problems of all tables are gathered before any of them counts.

mod bodies;
mod contacts;
mod control;
mod files;
mod frictions;
mod joints;
mod materials;
mod probes;
mod rigid;
mod settings;
mod size;
mod surfaces;
mod zones;

use stiction::body::BodyId;
use stiction::math::Vector3;
use stiction::method::barrier::make_room;
use stiction::model::Subject;
use stiction::{Scene, Settings, Simulation};

use super::decode::Spanned;
use super::format::{PrecisionWord, SceneTable};
use super::leaves::{Positive, Vector};
use super::problem::{Problem, Problems, SceneFileError};
use super::{SceneFile, source::Span};
use crate::capture::Stored;
use crate::expectation::Expectation;
use crate::memory;
pub use files::Filled;
pub use probes::NamedProbe;

/// Simulated time, unless the scene says otherwise [s].
const DURATION: f64 = 2.0;

/// More steps than this are a slip of the pen, not a scene.
pub(crate) const MAX_STEPS: f64 = 1e9;

/// A scene ready to run.
#[derive(Debug)]
pub struct Setup {
    /// What it is called.
    pub title: String,
    /// What is simulated.
    pub scene: Scene,
    /// At time zero, not yet settled.
    pub simulation: Simulation,
    /// Whether to start from static equilibrium.
    pub settle: bool,
    /// Steps to take.
    pub steps: u64,
    /// Steps from frame to frame.
    pub steps_per_frame: u64,
    /// Stored with each frame.
    pub fields: Vec<Stored>,
    /// Digits of frames.
    pub precision: PrecisionWord,
    /// Followed in time.
    pub probes: Vec<NamedProbe>,
    /// What must come out.
    pub expectations: Vec<Expectation>,
    /// The scene with everything in it that was chosen.
    pub resolved: SceneTable,
    /// Meshes and pictures that were read, as the scene names them.
    pub inputs: Vec<String>,
    /// About how much memory it takes to simulate; within a factor of three of what was measured [bytes].
    pub memory: u64,
    /// Surfaces that were filled with tetrahedra, by file.
    pub filled: Vec<(String, Filled)>,
    /// What the reader should know, though it is no error; some end with their remedy, as in
    /// [`split_help`](super::split_help).
    pub notes: Vec<String>,
}

impl Setup {
    /// What its method is called in scene files.
    pub fn method(&self) -> &'static str {
        self.simulation.method().name()
    }
}

/// Names of bodies, and which could be built.
struct Bodies<'a> {
    scene: &'a Scene,
    names: Vec<String>,
    ids: Vec<Option<BodyId>>,
    /// Also those that could not even be read.
    written: &'a [String],
}

impl SceneFile {
    /// Builds the simulation.
    ///
    /// # Errors
    /// With all that makes no sense, each with its place.
    pub fn build(&self) -> Result<Setup, SceneFileError> {
        let mut problems = Problems::default();
        match self.try_build(&mut problems) {
            Some(setup) if problems.list.is_empty() => Ok(setup),
            _ => Err(SceneFileError::new(self.sources.clone(), problems.list)),
        }
    }

    pub(super) fn try_build(&self, problems: &mut Problems) -> Option<Setup> {
        let mut table = self.table.clone();
        let duration = table.duration.get_or_insert(Positive(DURATION)).0;
        let gravity = table.gravity.get_or_insert(Vector([0.0, -9.81, 0.0])).vector();
        let settle = *table.settle.get_or_insert(false);
        let mut settings = settings::settings(&mut table.method, gravity, problems);
        let pace =
            settings::pace(&mut table.output, &mut table.method, &mut settings, duration, problems);
        let steps = steps(duration, &settings, self.whole(), problems);
        let fields = probes::fields(table.output.as_ref(), problems);

        let folder = self.folder.as_deref();
        let mut inputs = files::Inputs {
            folder,
            cache: &self.cache,
            read: Vec::new(),
            notes: Vec::new(),
            direct: size::is_direct(&table),
            filled: Vec::new(),
        };
        let scene = self.scene(&mut table, gravity, &mut inputs, problems);
        let (mut scene, names, ids) = scene?;
        let bodies = Bodies { scene: &scene, names, ids, written: &self.written.bodies };
        let controls = controls(&mut table, &bodies, &mut inputs, problems);
        let named = probes::Named {
            zones: &table.zone,
            written_zones: &self.written.zones,
            joints: &table.joint,
        };
        let probes = probes::probes(&table.probe, &bodies, &named, problems);
        let end = steps.map_or(f64::INFINITY, |steps| steps as f64 * settings.time_step);
        let expectations = probes::expectations(&mut table, self, end, problems);
        let names = bodies.names;
        if !problems.list.is_empty() {
            return None;
        }
        controls.into_scene(&mut scene);
        let counts = size::of_scene(&scene);
        let placed: Vec<_> =
            counts.into_iter().zip(table.body.iter().map(|body| body.span)).collect();
        if !size::fits(&placed, inputs.direct, problems) {
            return None;
        }
        let memory = memory::needed(placed.iter().map(|(count, _)| count), inputs.direct) as u64;

        let room = table.room.map_or(Ok(Vec::new()), |Positive(room)| make_room(&mut scene, room));
        let moved = room.as_ref().map_or(0, Vec::len);
        let simulation = match room.and_then(|_| Simulation::with_settings(&scene, settings)) {
            Ok(simulation) => simulation,
            Err(error) => {
                let span = place(error.subject(), &table).or_else(|| Some(self.whole()));
                let (message, help) = (error.message(), error.help());
                problems.list.push(Problem { message, span, help });
                return None;
            }
        };
        let probes = probes::prepare(probes, &scene, &simulation, problems)?;
        let touching = simulation.has_contacts();
        let fields = fields?.unwrap_or_else(|| probes::default_fields(&mut table.output, touching));
        let mut notes = inputs.notes;
        notes.extend(pace.note);
        if moved > 0 {
            let bodies = if moved == 1 { "body" } else { "bodies" };
            notes.push(format!("{moved} {bodies} moved apart at the start: `room` asks for it"));
        }
        notes.extend(super::review::doubts(&scene, &simulation));
        notes.extend(contacts::write_chosen(&mut table, &scene, &names, &simulation));
        surfaces::write_chosen(&mut table.body, &simulation);
        table.variant.clear();
        table.coarse = None;
        Some(Setup {
            title: table.title.get_or_insert_with(|| self.stem()).clone(),
            scene,
            simulation,
            settle,
            steps: steps?,
            // A run that is shorter than the way to the next frame has one at its end.
            steps_per_frame: pace.steps_per_frame.min(steps?),
            fields,
            precision: pace.precision,
            probes,
            expectations,
            resolved: table,
            inputs: inputs.read,
            memory,
            filled: inputs.filled,
            notes,
        })
    }

    /// Bodies in their order; those that failed are missing from the scene, not from the names.
    fn scene(
        &self,
        table: &mut SceneTable,
        gravity: Vector3,
        inputs: &mut files::Inputs<'_>,
        problems: &mut Problems,
    ) -> Option<(Scene, Vec<String>, Vec<Option<BodyId>>)> {
        let mut scene = Scene { gravity, ..Scene::new() };
        let (mut names, mut ids): (Vec<String>, Vec<_>) = (Vec::new(), Vec::new());
        if table.body.is_empty() && !self.written.any_body {
            let help = "add one: [[body]], then solid = { box = { size = [1, 1, 1] } }".to_owned();
            problems.add(self.whole(), "the scene has no bodies", help);
            return None;
        }
        if !size::refuse_too_large(table, problems) {
            return None;
        }
        for body in &mut table.body {
            let built = bodies::body(body, inputs, problems);
            let name = body.value.name.as_ref()?;
            if names.contains(&name.value) {
                let message = format!("two bodies are called `{}`", name.value);
                problems.add(name.span, message, "give each its own name".to_owned());
            }
            names.push(name.value.clone());
            let id = built.map(|built| scene.add(built));
            if let Some((id, skin)) = id.zip(frictions::skin(&body.value, inputs, problems)) {
                scene.skins.insert(id, skin);
            }
            ids.push(id);
        }
        Some((scene, names, ids))
    }
}

/// What acts on bodies, before it is added to the scene.
struct Controls {
    pins: Vec<stiction::body::Pin>,
    loads: Vec<stiction::body::Load>,
    springs: Vec<stiction::body::Spring>,
    joints: joints::Joints,
    welds: Vec<stiction::body::Weld>,
    zones: Vec<stiction::body::Zone>,
    contacts: contacts::Contacts,
}

fn controls(
    table: &mut SceneTable,
    bodies: &Bodies<'_>,
    inputs: &mut files::Inputs<'_>,
    problems: &mut Problems,
) -> Controls {
    let contacts = contacts::contacts(table, bodies, problems);
    Controls {
        contacts,
        pins: table
            .pin
            .iter()
            .filter_map(|pin| control::pin(&pin.value, bodies, inputs, problems))
            .collect(),
        loads: table
            .load
            .iter()
            .filter_map(|load| control::load(&load.value, load.span, bodies, problems))
            .collect(),
        springs: table
            .spring
            .iter()
            .filter_map(|spring| control::spring(&spring.value, bodies, problems))
            .collect(),
        joints: joints::Joints::read(table, bodies, problems),
        welds: table
            .weld
            .iter()
            .filter_map(|weld| control::weld(&weld.value, bodies, problems))
            .collect(),
        zones: zones::zones(&mut table.zone, bodies, problems),
    }
}

impl Controls {
    fn into_scene(self, scene: &mut Scene) {
        scene.pins = self.pins;
        scene.loads = self.loads;
        scene.springs = self.springs;
        self.joints.into_scene(scene);
        scene.welds = self.welds;
        scene.zones = self.zones;
        scene.contacts = self.contacts.rules;
        scene.friction = self.contacts.friction;
        scene.combination = self.contacts.combination;
    }
}

/// Steps that reach the end; a last one that would hardly move is left out.
fn steps(duration: f64, settings: &Settings, place: Span, problems: &mut Problems) -> Option<u64> {
    if settings.time_step > duration * (1.0 + 1e-9) {
        let step = settings.time_step;
        let message = format!("one step of {step} s is longer than the {duration} s to simulate");
        let help =
            format!("give the method a `time_step` of at most {duration}, or lengthen `duration`");
        problems.add(place, message, help);
        return None;
    }
    let steps = (duration / settings.time_step - 1e-6).ceil().max(1.0);
    if steps > MAX_STEPS {
        let message =
            format!("{duration} s in steps of {} s are {steps:.0} steps", settings.time_step);
        problems.add(place, message, "shorten `duration`, or lengthen `time_step`".to_owned());
        return None;
    }
    Some(steps as u64)
}

/// The table of what an error of the library speaks of. All of them were built, so places in lists are the same.
fn place(subject: Subject, table: &SceneTable) -> Option<Span> {
    fn nth<T>(tables: &[Spanned<T>], index: usize) -> Option<Span> {
        tables.get(index).map(|table| table.span)
    }
    match subject {
        Subject::Scene | Subject::Settings | Subject::State => None,
        Subject::Body(body) | Subject::Skin(body) => nth(&table.body, body.index()),
        Subject::Pin(index) => nth(&table.pin, index),
        Subject::Load(index) => nth(&table.load, index),
        Subject::Spring(index) => nth(&table.spring, index),
        Subject::Joint(joint) => nth(&table.joint, joint.index()),
        Subject::Gear(index) => nth(&table.gear, index),
        Subject::Weld(index) => nth(&table.weld, index),
        Subject::Zone(zone) => nth(&table.zone, zone.index()),
        Subject::Contact(index) => nth(&table.contact, index),
        Subject::Friction => {
            // What nobody wrote has no place.
            let of_all = table.friction.as_ref().and_then(|friction| nth(&friction.0, 0));
            of_all.filter(|span| *span != Span::default())
        }
    }
}

//! Which part of a scene an error speaks of.

use std::fmt;

use crate::body::{BodyId, JointId, ZoneId};
use crate::scene::Scene;

/// A part of a scene: by its id, or by its place in the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The scene as a whole.
    Scene,
    /// How it is simulated.
    Settings,
    /// A saved state.
    State,
    /// A body.
    Body(BodyId),
    /// What the surface of a body is like.
    Skin(BodyId),
    /// Of [`Scene::pins`].
    Pin(usize),
    /// Of [`Scene::loads`].
    Load(usize),
    /// Of [`Scene::springs`].
    Spring(usize),
    /// A joint.
    Joint(JointId),
    /// Of [`Scene::gears`].
    Gear(usize),
    /// Of [`Scene::welds`].
    Weld(usize),
    /// A zone.
    Zone(ZoneId),
    /// A rule of [`Scene::contacts`].
    Contact(usize),
    /// Friction of all pairs that no rule names.
    Friction,
}

impl Subject {
    /// Its kind, as in "a pin refers to body 3".
    pub fn kind(self) -> &'static str {
        match self {
            Self::Scene => "the scene",
            Self::Settings => "the settings",
            Self::State => "the state",
            Self::Body(_) => "a body",
            Self::Skin(_) => "a skin",
            Self::Pin(_) => "a pin",
            Self::Load(_) => "a load",
            Self::Spring(_) => "a spring",
            Self::Joint(_) => "a joint",
            Self::Gear(_) => "a gear",
            Self::Weld(_) => "a weld",
            Self::Zone(_) => "a zone",
            Self::Contact(_) => "a contact",
            Self::Friction => "friction of all pairs",
        }
    }

    /// With the words that tell it from others of its kind.
    pub(crate) fn named(self, scene: &Scene) -> Named {
        let on = |body: Option<BodyId>| match body {
            Some(body) => format!("{} on body {}", self.kind(), scene.name(body)),
            None => self.kind().to_owned(),
        };
        let words = match self {
            Self::Body(body) => format!("body {}", scene.name(body)),
            Self::Skin(body) => format!("the skin of body {}", scene.name(body)),
            Self::Pin(index) => on(scene.pins.get(index).map(|pin| pin.body)),
            Self::Load(index) => on(scene.loads.get(index).map(|load| load.body)),
            Self::Joint(joint) => format!("joint {}", scene.joint_name(joint)),
            Self::Zone(zone) => format!("zone {}", scene.zone_name(zone)),
            _ => self.kind().to_owned(),
        };
        Named::new(self, words)
    }
}

/// A part of a scene with words for it; prints as the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Which part.
    pub subject: Subject,
    /// What it is called in messages, such as `'floor'` or `a pin on body 'floor'`.
    pub words: Box<str>,
}

impl Named {
    pub(crate) fn new(subject: Subject, words: String) -> Self {
        Self { subject, words: words.into() }
    }

    /// How a scene is simulated.
    pub(crate) fn settings() -> Self {
        Self::new(Subject::Settings, Subject::Settings.kind().to_owned())
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

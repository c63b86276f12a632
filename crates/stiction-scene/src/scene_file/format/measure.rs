//! What is followed in time, what must come out, what is stored, and variants of a scene.

use super::super::decode::{Decode, List, Spanned, record, word, wrong};
use super::super::leaves::{Count, Direction, Name, NotNegative, Number, Positive, Vector};
use super::super::overrides::{Changes, OtherMethod};
use super::super::problem::Problems;
use super::super::tree::{Node, Value};
use super::Where;

record! {
    /// A quantity to follow in time.
    ProbeTable, "a probe" {
        /// What others call it, and the head of its column.
        name: Name,
        /// What is measured: `position`, `velocity`, `length`, `volume`, `reaction`, `contact_force`, …
        quantity: Name,
        /// On whom; needed by all but energies, momenta and spin, which are of the whole scene without it.
        body: Option<Name>,
        /// Of a zone instead: its `volume`, `pressure` or `energy`.
        zone: Option<Name>,
        /// Of a joint instead: its `travel`, `drift` or `tilt`.
        joint: Option<Name>,
        /// On which vertices, or elements whose corners they are; all by default.
        r#where: Option<Where>,
        /// The other end of a length: its body; the same by default.
        to_body: Option<Name>,
        /// The other end of a length: its vertices.
        to: Option<Where>,
        /// Of contacts: only those with this body.
        against: Option<Name>,
        /// Of vectors: the part along this direction; their length by default.
        along: Option<Direction>,
        /// Of angular momenta and torques: about this point [m]; the origin by default.
        about: Option<Vector>,
        /// How values of many vertices become one.
        reduce: Option<ReductionWord>,
    }
}

word! {
    /// How many values become one.
    ReductionWord, "a way to make one value of many" {
        /// Their average.
        "mean" => Mean,
        /// The smallest.
        "min" => Min,
        /// The largest.
        "max" => Max,
        /// All added up.
        "sum" => Sum,
    }
}

record! {
    /// What a probe must show: a `value` with a `tolerance` or `relative` tolerance, or a bound `above`, `below` or
    /// both; `at` a time, or at all times `from` … `until`.
    ExpectTable, "an expectation" {
        /// What reports call it; the probe's name by default.
        name: Option<Name>,
        /// Which probe.
        probe: Name,
        /// When [s], or `"end"`; the end by default.
        at: Option<When>,
        /// Start of a range of times [s]; the start by default.
        from: Option<NotNegative>,
        /// End of a range of times [s]; the end by default.
        until: Option<NotNegative>,
        /// Of a range: what is compared. By default every moment must agree.
        take: Option<SpanReduction>,
        /// What must come out.
        value: Option<Number>,
        /// How far off it may be, in the probe's unit.
        tolerance: Option<NotNegative>,
        /// How far off it may be, as a share of the value [-].
        relative: Option<NotNegative>,
        /// Must be at least this.
        above: Option<Number>,
        /// Must be at most this.
        below: Option<Number>,
        /// What the number rests on.
        kind: ExpectKind,
        /// Where the number comes from: the formula, the publication, the program, or the run.
        source: String,
        /// Only checked in these variants; in all by default.
        variants: Option<List<Name>>,
    }
}

word! {
    /// What an expected number rests on. The first three prove something; the last shows that nothing has changed.
    ExpectKind, "what a number rests on" {
        /// A closed form, a law of conservation, or a bound that follows from them.
        "theory" => Theory,
        /// What a specification, a standard or a publication states.
        "spec" => Spec,
        /// What a program that shares nothing with this one computes.
        "peer" => Peer,
        /// What came out here before: a guard against change, and no proof.
        "recorded" => Recorded,
    }
}

impl ExpectKind {
    /// Whether a number that comes out as expected shows that the physics is right.
    pub fn proves(self) -> bool {
        self != Self::Recorded
    }
}

word! {
    /// What is taken of a range of times.
    SpanReduction, "a way to make one value of a range of times" {
        /// The average over time.
        "mean" => Mean,
        /// The smallest.
        "min" => Min,
        /// The largest.
        "max" => Max,
        /// The largest minus the smallest.
        "range" => Range,
    }
}

/// A moment: seconds, or `"end"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum When {
    /// [s].
    Time(f64),
    /// The end of the run.
    End,
}

impl Decode for When {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match &node.value {
            Value::Text(text) if text == "end" => Some(Self::End),
            Value::Text(_) => wrong(node, "a time in seconds, or \"end\"", None, problems),
            _ => NotNegative::decode(node, problems).map(|time| Self::Time(time.0)),
        }
    }
}

impl serde::Serialize for When {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Time(time) => serializer.serialize_f64(*time),
            Self::End => serializer.serialize_str("end"),
        }
    }
}

impl schemars::JsonSchema for When {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "When".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "anyOf": [{ "const": "end" }, { "type": "number", "minimum": 0 }] })
    }
}

record! {
    /// What is stored.
    OutputTable, "output" {
        /// Frames per simulated second, exactly: steps are shortened until a whole number of them fits between two
        /// frames. By default about 50, as steps allow.
        frame_rate: Option<Positive>,
        /// Steps from frame to frame, instead of a rate.
        every: Option<Spanned<Count>>,
        /// Fields stored with each frame. Of elements: `strain_energy_density`, `max_stretch`, `min_stretch`,
        /// `volume_ratio`, `area_ratio`, `max_stress`, `von_mises`, `pressure`; of vertices: `displacement`,
        /// `reaction`, `contact_force`, `friction_force`, `normal_force`, `contact_state` (0 free, 1 sticks, 2
        /// slips), `gap`, `friction_coefficient`. By default the last five where bodies can touch, else none.
        fields: Option<List<Name>>,
        /// Digits of frames; `single` by default. Checkpoints and probes always have all.
        precision: Option<PrecisionWord>,
    }
}

word! {
    /// Digits of frames.
    PrecisionWord, "a precision" {
        /// Seven digits.
        "single" => Single,
        /// Sixteen digits.
        "double" => Double,
    }
}

record! {
    /// The same scene with some values changed.
    VariantTable, "a variant" {
        /// What it is called on the command line.
        name: Name,
        /// What it shows.
        description: Option<String>,
        /// Takes long: `verify --coarse` leaves it out; `false` by default.
        long: Option<bool>,
        /// Another method, in place of the scene's: `{ impulse = { time_step = 0.005 } }`.
        method: Option<OtherMethod>,
        /// Values changed: `{ "method.smooth.integrator" = "bdf2" }`.
        set: Option<Changes>,
        /// Values changed after those in its quick version, such as what else must come out there.
        coarse: Option<Changes>,
    }
}

//! What had to come out of a run, and what did.

use serde_json::Value;
use stiction_scene::expectation::{Claim, ExpectKind};

use super::markup::{Cell, Table, number, typeset};
use super::run::Run;

/// What had to come out, and what did.
pub(super) struct Expected<'a> {
    pub(super) name: &'a str,
    pub(super) value: f64,
    pub(super) holds: bool,
    /// What the number rests on, by the word of the scene file.
    pub(super) kind: &'a str,
    claim: Claim,
    time: f64,
    source: &'a str,
}

/// Of a run that came to its end; before that nothing is compared.
pub(super) fn of(run: &Run) -> Vec<Expected<'_>> {
    let list = run.report["expectations"].as_array().map_or(&[][..], |list| list);
    list.iter().map(Expected::read).collect()
}

/// How many came out, of how many, and how many of these are no more than a guard against change.
pub(super) fn count(all: &[Expected<'_>]) -> String {
    let holding = all.iter().filter(|expected| expected.holds);
    let recorded =
        holding.clone().filter(|expected| expected.kind == ExpectKind::Recorded.word()).count();
    let count = format!("{} of {}", holding.count(), all.len());
    if recorded > 0 { format!("{count} ({recorded} recorded)") } else { count }
}

/// All of a run in a table.
pub(super) fn html(run: &Run) -> String {
    let all = of(run);
    if all.is_empty() {
        let wanted = run.scene()["expect"].as_array().map_or(0, Vec::len);
        let words = match wanted {
            0 => "The scene says nothing about what must come out.",
            _ => "What must come out is compared when the run has come to its end.",
        };
        return format!("<p class=\"soft\">{words}</p>\n");
    }
    let heads = ["", "", "came out", "expected", "", "at", "kind", "where the number comes from"];
    let mut table = Table::new(heads.map(|head| match head {
        "came out" | "at" => Cell::number(head),
        head => Cell::text(head),
    }));
    for own in &all {
        table.row([
            Cell::text(own.name),
            own.verdict(),
            Cell::number(&number(own.value, 6)),
            Cell::text(&typeset(&own.claim.to_string())).class("whole"),
            Cell::html(own.scale()),
            Cell::number(&format!("{} s", number(own.time, 4))),
            Cell::text(own.kind),
            Cell::text(own.source).class("soft"),
        ]);
    }
    table.html()
}

impl<'a> Expected<'a> {
    fn read(value: &'a Value) -> Self {
        let text = |name: &str| value[name].as_str().unwrap_or_default();
        let number = |name: &str, otherwise: f64| value[name].as_f64().unwrap_or(otherwise);
        Self {
            name: text("name"),
            value: number("value", f64::NAN),
            holds: value["holds"] == true,
            kind: text("kind"),
            // JSON has no infinity.
            claim: Claim {
                value: value["expected"].as_f64(),
                low: number("low", f64::NEG_INFINITY),
                high: number("high", f64::INFINITY),
            },
            time: number("time", f64::NAN),
            source: text("source"),
        }
    }

    fn verdict(&self) -> Cell {
        match self.holds {
            true => Cell::text("✓ holds").class("good"),
            false => Cell::text("✗ fails").class("bad"),
        }
    }

    /// Where in the allowed range the value lies, or beside it.
    fn scale(&self) -> String {
        let (low, high) = (self.claim.low, self.claim.high);
        if !(high - low > 0.0 && (high - low).is_finite() && self.value.is_finite()) {
            return String::new();
        }
        let share = ((self.value - low) / (high - low)).clamp(-0.2, 1.2);
        let class = if self.holds { "good" } else { "bad" };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scale {class}\" viewBox=\"0 0 84 12\" width=\"84\" \
             height=\"12\" \
             aria-hidden=\"true\"><path d=\"M12 6H72M12 2V10M72 2V10\"/><circle cx=\"{:.1}\" cy=\"6\" \
                  r=\"3.5\"/></svg>",
            12.0 + 60.0 * share
        )
    }
}

//! Results as JUnit XML: a suite for each run, a case for each expectation. What a number rests on is a property of its
//! case, how many are proved and how many recorded are properties of the suite and part of the name of the whole.

use std::fmt::Write as _;

use stiction_scene::expectation::Tally;

use super::Verified;
use crate::xml::escaped;

pub(super) fn document(all: &[Verified]) -> String {
    let tally = Tally::of(all.iter().flat_map(Verified::numbers));
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"stiction verify: {tally}\">\n"
    );
    for verified in all {
        let mut cases = String::new();
        let (mut tests, mut failures) = (0, 0);
        let mut case = |name: &str, kind: Option<&str>, failure: Option<String>| {
            tests += 1;
            failures += u32::from(failure.is_some());
            let mut body = kind.map_or_else(String::new, |kind| properties(&[("kind", kind)], 6));
            if let Some(message) = failure {
                let _ = writeln!(body, "      <failure message=\"{}\"/>", escaped(&message));
            }
            if !body.is_empty() {
                body = format!("\n{body}    ");
            }
            let _ = writeln!(
                cases,
                "    <testcase classname=\"{}\" name=\"{}\">{body}</testcase>",
                escaped(&verified.name),
                escaped(name)
            );
        };
        for checked in verified.result.iter().flat_map(|summary| &summary.checked) {
            let (value, claim) = (checked.outcome.value, &checked.expectation.claim);
            let failure = (!checked.outcome.holds).then(|| {
                format!(
                    "came out as {value}, not as {claim} (from: {})",
                    checked.expectation.source
                )
            });
            let kind = checked.expectation.kind.word();
            case(&checked.expectation.name, Some(kind), failure);
        }
        case("runs", None, verified.trouble());
        let Tally { proved, recorded, .. } = verified.tally();
        let counts =
            properties(&[("proved", &proved.to_string()), ("recorded", &recorded.to_string())], 4);
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" time=\"{:.3}\">\n{counts}{cases}  \
             </testsuite>",
            escaped(&verified.name),
            verified.seconds
        );
    }
    xml + "</testsuites>\n"
}

fn properties(all: &[(&str, &str)], indent: usize) -> String {
    let mut xml = format!("{:indent$}<properties>\n", "");
    for (name, value) in all {
        let _ = writeln!(xml, "{:indent$}  <property name=\"{name}\" value=\"{value}\"/>", "");
    }
    xml + &format!("{:indent$}</properties>\n", "")
}

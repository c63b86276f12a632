//! Results as JUnit XML: a suite for each run, a case for each expectation.

use std::fmt::Write as _;

use super::Verified;
use crate::xml::escaped;

pub(super) fn document(all: &[Verified]) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for verified in all {
        let mut cases = String::new();
        let (mut tests, mut failures) = (0, 0);
        let mut case = |name: &str, failure: Option<String>| {
            tests += 1;
            failures += u32::from(failure.is_some());
            let body = failure.map_or_else(String::new, |message| {
                format!("\n      <failure message=\"{}\"/>\n    ", escaped(&message))
            });
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
            case(&checked.expectation.name, failure);
        }
        case("runs", verified.trouble());
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" time=\"{:.3}\">\n{cases}  </testsuite>",
            escaped(&verified.name),
            verified.seconds
        );
    }
    xml + "</testsuites>\n"
}

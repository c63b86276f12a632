//! What a scene that can be simulated says that nobody means: bodies that start inside each other, surfaces that look
//! the wrong way, numbers of other units.

mod advice;
mod facts;
mod starts;
mod units;

use stiction::math::Vector3;
use stiction::{Scene, Simulation};

pub use facts::BodyFacts;

/// What is doubtful, each with a remedy on a line of its own: `message\n  help: remedy`.
pub(super) fn doubts(scene: &Scene, simulation: &Simulation) -> Vec<String> {
    let mut doubts = units::doubts(scene);
    doubts.extend(starts::doubts(scene, simulation));
    doubts
}

/// A line of each kind is worth reading, and a few more.
const MOST: usize = 5;

/// The first of many, and how many more there are.
fn first_of(mut doubts: Vec<String>, what: &str) -> Vec<String> {
    if doubts.len() > MOST {
        let more = doubts.len() - MOST;
        doubts.truncate(MOST);
        doubts.push(format!("… and {more} more {what}"));
    }
    doubts
}

/// A number with three digits that count.
fn short(x: f64) -> String {
    if x.abs() <= 0.0 {
        return "0".to_owned();
    }
    if x.abs() >= 1e5 || x.abs() < 1e-3 {
        return format!("{x:.2e}");
    }
    let digits = (2 - x.abs().log10().floor() as i32).max(0) as usize;
    format!("{x:.digits$}")
}

fn shown(x: &Vector3) -> String {
    format!("({}, {}, {})", short(x.x), short(x.y), short(x.z))
}

#[test]
fn numbers_are_as_long_as_they_need_to_be() {
    let cases = [(0.0123456, "0.0123"), (1.5, "1.50"), (420.0, "420"), (0.0, "0"), (2e7, "2.00e7")];
    for (number, text) in cases {
        assert_eq!(short(number), text);
    }
}

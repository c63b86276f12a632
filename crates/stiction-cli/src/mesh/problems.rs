//! What is wrong with a mesh, for those who hold the file: what follows from it, and which command helps.
//!
//! The library names repairs by function; here they are flags of `stiction mesh convert`.

use serde::Serialize;
use stiction::mesh::{MeshError, Problem};

/// One kind of problem.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Finding {
    /// What, how many and where.
    pub(super) what: String,
    /// What to do.
    pub(super) help: String,
    /// True when scenes refuse the mesh because of it; else it is repaired on reading.
    pub(super) refused: bool,
}

/// The problems of an error, in words. `file` is for the commands in remedies.
pub(super) fn findings(error: MeshError, file: &str) -> Vec<Finding> {
    match error {
        MeshError::Broken { corners, problems } => {
            problems.into_iter().map(|p| finding(corners, p, file)).collect()
        }
        other => vec![Finding { what: other.to_string(), help: String::new(), refused: true }],
    }
}

fn finding(corners: usize, problem: Problem, file: &str) -> Finding {
    let repair = format!("`stiction mesh convert {file} repaired.msh --repair`");
    let (help, refused) = match &problem {
        Problem::Unused(_) => ("they are left out on reading; nothing to do".to_owned(), false),
        Problem::Inverted(_) => {
            ("two corners of each are swapped on reading; nothing to do".to_owned(), false)
        }
        Problem::Empty => ("was the file written to its end?".to_owned(), true),
        Problem::TooLarge { .. } => ("split the mesh, or make it coarser".to_owned(), true),
        Problem::NotFinite(_) => {
            ("write the file again; nothing can repair these".to_owned(), true)
        }
        Problem::OutOfRange { .. } => (
            "write the file again; a common cause is counting from 1 instead of 0".to_owned(),
            true,
        ),
        Problem::RepeatedCorner(_) => (format!("{repair} drops them"), true),
        Problem::Degenerate(_) if corners == 3 => {
            (format!("{repair} drops them; if corners almost coincide, add --weld"), true)
        }
        Problem::Degenerate(_) => {
            (format!("{repair} drops them; better, mesh the solid again"), true)
        }
        Problem::Duplicate(_) => (format!("{repair} keeps the first of each"), true),
        Problem::CrowdedFace(_) => (
            "tets overlap here: mesh the solid again, or make its parts separate bodies".to_owned(),
            true,
        ),
        Problem::CrowdedEdge(_) => {
            ("fine for obstacles, not for cloth: cut the extra sheets off".to_owned(), false)
        }
        Problem::PinchedVertex(_) => {
            ("fine for obstacles, not for cloth: give each sheet its own vertex".to_owned(), false)
        }
        Problem::OrientationClash(_) => {
            (format!("fine for obstacles, not for cloth: {repair} turns triangles over"), false)
        }
        Problem::TagOutOfRange { .. } => ("make groups after the mesh is final".to_owned(), true),
    };
    Finding { what: description(corners, problem), help, refused }
}

/// The library's own words for one problem: the second line of a refusal with this problem alone.
fn description(corners: usize, problem: Problem) -> String {
    let refusal = MeshError::Broken { corners, problems: vec![problem] }.to_string();
    refusal.lines().nth(1).unwrap_or(&refusal).trim().to_owned()
}

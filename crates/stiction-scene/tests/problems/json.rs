//! Our own JSON files: there and back, and what is wrong with others.

use nalgebra::DMatrix;
use stiction::math::Vector3;
use stiction::solve::complementarity::cone::{Delassus as _, Model};
use stiction::solve::complementarity::linear::{
    Bounds, BoxFriction, ContactRows, LinearProblem, Matrix,
};
use stiction_scene::problem_file::{Problem, Stored, load, save};

use super::support::{boxes, dense, solved};
use crate::scratch::Scratch;

fn back(name: &str, stored: &Stored) -> Stored {
    let folder = Scratch::new(&format!("problem_json_{name}"));
    let path = folder.join("problem.json");
    save(&path, stored).unwrap_or_else(|error| panic!("{error}"));
    load(&path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn contact_problems_come_back_to_the_bit() {
    let soft = vec![Vector3::new(0.1, 0.0, 0.3); 8];
    let problem = boxes().with_compliance(soft).unwrap().with_model(Model::Associated);
    for (name, problem) in [
        ("assembled", Problem::Contact(problem.assembled())),
        ("bodies", Problem::Bodies(problem.clone())),
    ] {
        let stored = solved(problem.clone());
        let back = back(name, &stored);
        assert_eq!((&stored.start, &stored.solution), (&back.start, &back.solution));
        let parts = |problem: &Problem| match problem {
            Problem::Contact(p) => {
                (dense(p.operator()), p.compliance().to_vec(), p.b().to_vec(), p.model())
            }
            Problem::Bodies(p) => (
                dense(&p.operator().assemble()),
                p.compliance().to_vec(),
                p.b().to_vec(),
                p.model(),
            ),
            Problem::Linear(_) => panic!("not linear"),
        };
        assert_eq!(parts(&problem), parts(&back.problem));
        assert_eq!(
            std::mem::discriminant(&problem),
            std::mem::discriminant(&back.problem),
            "bodies stay bodies"
        );
    }
}

#[test]
fn linear_problems_come_back_to_the_bit() {
    let mut rows = ContactRows::new(vec![-1.0, 3.0, 0.0, -0.5]);
    let friction = BoxFriction { plus: [0.5, 0.4], minus: [0.3, 0.2] };
    let normal = rows.contact([&[(0, 1.0)], &[(1, 1.0)], &[(2, 1.0), (3, -1.0)]], 0.01, friction);
    rows.joint(&[(3, 1.0), (0, 0.5)], 0.0).unwrap();
    rows.row(&[(3, 2.0)], 0.1, Bounds::between(-1.0, 2.0)).unwrap();
    rows.soften(normal.unwrap(), 0.2).unwrap();
    let masses = [DMatrix::from_row_slice(2, 2, &[1.0, 0.2, 0.2, 3.0]), DMatrix::identity(2, 2)];
    let problem = rows.build(&masses).unwrap().with_scale(vec![1.0; 5]).unwrap();
    let stored = solved(Problem::Linear(problem.clone()));
    let back = back("linear", &stored);
    let Problem::Linear(found) = &back.problem else { panic!("linear stays linear") };
    assert_eq!(found.matrix().entries(), problem.matrix().entries());
    assert_eq!((found.bounds(), found.b()), (problem.bounds(), problem.b()));
    assert_eq!((found.compliance(), found.scale()), (problem.compliance(), problem.scale()));
    assert_eq!((&stored.start, &stored.solution), (&back.start, &back.solution));
}

fn read(text: &str) -> Result<Stored, String> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let folder = Scratch::new(&format!("problem_text_{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    let path = folder.join("problem.json");
    std::fs::write(&path, text).unwrap();
    load(&path).map_err(|error| error.to_string())
}

fn linear(problem: Stored) -> LinearProblem {
    match problem.problem {
        Problem::Linear(problem) => problem,
        other => panic!("not linear: {other:?}"),
    }
}

#[test]
fn a_matrix_may_be_given_in_three_ways() {
    let head = r#""format": "stiction linear problem", "version": 1, "free_velocity": [-1, 2]"#;
    let whole = format!("{{ {head}, \"matrix\": [[5, 3], [3, 2]] }}");
    let entries =
        format!("{{ {head}, \"entries\": [[0, 0, 5], [0, 1, 3], [1, 0, 3], [1, 1, 2]] }}");
    // J = [[1, 2], [1, 1]], M = 1.
    let bodies = format!(
        "{{ {head}, \"jacobian\": [[0, 0, 1], [0, 1, 2], [1, 0, 1], [1, 1, 1]], \"inverse_mass\": [[1], [1]] }}"
    );
    let expected = Matrix::dense(&DMatrix::from_row_slice(2, 2, &[5.0, 3.0, 3.0, 2.0])).unwrap();
    for text in [whole, entries, bodies] {
        let problem = linear(read(&text).unwrap_or_else(|error| panic!("{error}\n{text}")));
        assert_eq!(problem.matrix().entries(), expected.entries(), "{text}");
        assert_eq!(
            problem.bounds(),
            [Bounds::AT_LEAST_ZERO; 2],
            "zero is the bound if none is said"
        );
    }
}

/// Contacts act on each other alike: what a file says otherwise in its last digits is averaged, and what is more is
/// refused.
#[test]
fn operators_are_symmetric_to_what_was_written() {
    let text = |mirror: f64| {
        format!(
            r#"{{ "format": "stiction contact problem", "version": 1, "friction": [0.5, 0.5],
                  "free_velocity": [-1, 0, 0, -1, 0, 0], "operator": [[0, 0, [2, 0, 0, 0, 2, 0, 0, 0, 2]],
                  [0, 1, [1, 0, 0, 0.5, 1, 0, 0, 0, 1]], [1, 0, [1, {mirror}, 0, 0, 1, 0, 0, 0, 1]],
                  [1, 1, [2, 0, 0, 0, 2, 0, 0, 0, 2]]] }}"#
        )
    };
    for (mirror, skew) in [(0.5, 0.0), (0.500001, 5e-7)] {
        let stored = read(&text(mirror)).unwrap_or_else(|error| panic!("{error}"));
        let Problem::Contact(problem) = stored.problem else { panic!("blocks are given") };
        let a = problem.operator();
        assert!((a.block(0, 1)[(1, 0)] - 0.5 * (0.5 + mirror)).abs() < 1e-15);
        assert_eq!(a.block(0, 1), a.block(1, 0).transpose());
        assert!((a.skew() - skew).abs() < 1e-12, "{}", a.skew());
    }
    let error = read(&text(0.4)).expect_err("half a tenth of the largest");
    assert!(
        error.contains("mirrored entries are apart by 5.0e-2") && error.contains("help:"),
        "{error}"
    );
}

#[test]
fn what_is_wrong_is_said_with_a_remedy() {
    let linear = r#""format": "stiction linear problem", "version": 1"#;
    let contact = r#""format": "stiction contact problem", "version": 1"#;
    for (text, expected) in [
        ("{}".to_owned(), "missing field `format`"),
        ("not JSON".to_owned(), "is no contact problem"),
        (r#"{ "format": "poem", "version": 1 }"#.to_owned(), "it says it is `poem`, version 1"),
        (format!("{{ {linear}, \"free_velocity\": [1], \"matrix\": [[1, 2]] }}"), "not square"),
        (
            format!(
                "{{ {linear}, \"free_velocity\": [1], \"matrix\": [[1]], \"entries\": [[0, 0, 1]] }}"
            ),
            "more than once",
        ),
        (
            format!("{{ {linear}, \"free_velocity\": [1], \"entries\": [[0, 7, 1]] }}"),
            "outside of 1 by 1",
        ),
        (
            format!("{{ {linear}, \"free_velocity\": [1], \"matrix\": [[1]], \"upper\": [-1] }}"),
            "exclude each other",
        ),
        (
            format!(
                "{{ {linear}, \"free_velocity\": [1], \"matrix\": [[1]], \"impulses\": [1, 2] }}"
            ),
            "2 numbers, 1 were expected",
        ),
        (
            format!("{{ {contact}, \"friction\": [0.5], \"free_velocity\": [0, 0] }}"),
            "2 numbers, 3 were expected",
        ),
        (
            format!("{{ {contact}, \"friction\": [-1], \"free_velocity\": [0, 0, 0] }}"),
            "cannot be negative",
        ),
        (
            format!(
                "{{ {contact}, \"friction\": [1], \"free_velocity\": [0, 0, 0], \"operator\": [[3, 0, \
                 [1,0,0,0,1,0,0,0,1]]] }}"
            ),
            "there are 1 contacts",
        ),
        (
            format!(
                "{{ {contact}, \"friction\": [1], \"free_velocity\": [0, 0, 0], \"rolling\": 1 }}"
            ),
            "unknown field `rolling`",
        ),
    ] {
        let error = read(&text).expect_err(&text);
        assert!(error.contains(expected), "{text}\n{error}");
    }
}

//! Which solver solves what, of a collection of problems.
#![expect(clippy::print_stdout, reason = "the ignored survey prints the table of docs/solvers.md")]

use std::collections::BTreeMap;

use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::{Assembled, ContactProblem, Delassus as _, Solver};
use stiction_check::collection::{self, Case};

/// What a solver is asked for: so many digits, by so many iterations at most.
fn asked(solver: Solver) -> (f64, usize) {
    match solver {
        Solver::Default | Solver::Newton(_) | Solver::InteriorPoint => (1e-8, 2_000),
        _ => (1e-6, 30_000),
    }
}

/// The residual that is left, in the larger of the problem's speed and one, and iterations.
fn left(solver: Solver, problem: &ContactProblem<Assembled>) -> (f64, usize) {
    let (tolerance, iterations) = asked(solver);
    let limits = Limits { tolerance, iterations }.or_relative(tolerance, problem.speed());
    let mut r = vec![0.0; 3 * problem.contacts()];
    let report = solver.solve(problem, &mut r, &limits, &mut ());
    assert_eq!(report.converged(), report.residual() <= limits.tolerance, "{}", solver.name());
    (report.residual() / problem.speed().max(1.0), report.iterations)
}

/// How many of `cases` a solver solves, with the convex relaxation instead of Coulomb's law if so; the median of
/// iterations of those; and those that it does not.
fn solved(solver: Solver, cases: &[Case], relaxed: bool) -> (usize, usize, Vec<String>) {
    let (mut iterations, mut failed) = (Vec::new(), Vec::new());
    for case in cases {
        let relaxation = relaxed.then(|| case.associated());
        let (residual, count) = left(solver, relaxation.as_ref().unwrap_or(&case.problem));
        match residual <= asked(solver).0 {
            true => iterations.push(count),
            false => failed.push(format!("{}: {residual:.1e}", case.name)),
        }
    }
    iterations.sort_unstable();
    let median = iterations.get(iterations.len() / 2).copied().unwrap_or(0);
    (iterations.len(), median, failed)
}

/// Solvers that know the relaxation.
fn relaxes(solver: Solver) -> bool {
    solver != Solver::Staggering
}

/// The table of `docs/solvers.md`, "Which solver solves what":
/// `cargo test --workspace --test complementarity survey -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement, of minutes"]
fn the_whole_collection_is_solved_by_nine_in_ten() {
    let cases = collection::whole();
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    cases.iter().for_each(|case| *families.entry(case.family).or_default() += 1);
    println!("{} problems: {families:?}\n", cases.len());
    println!(
        "| solver | to | Coulomb | iterations | relaxation | iterations |\n|---|---|---|---|---|---|"
    );
    let (mut notes, mut short) = (String::new(), Vec::new());
    for solver in Solver::ALL {
        let count = cases.len();
        let (coulomb, median, failed) = solved(solver, &cases, false);
        let mut row = format!(
            "| `{}` | {:e} | {coulomb}/{count} | {median} |",
            solver.name(),
            asked(solver).0
        );
        notes += &format!("{}: {failed:#?}\n", solver.name());
        if 10 * coulomb < 9 * count {
            short.push((solver.name(), coulomb));
        }
        if relaxes(solver) {
            let (relaxed, median, failed) = solved(solver, &cases, true);
            row += &format!(" {relaxed}/{count} | {median} |");
            notes += &format!("{}, relaxed: {failed:#?}\n", solver.name());
            if 10 * relaxed < 9 * count {
                short.push((solver.name(), relaxed));
            }
        } else {
            row += " – | – |";
        }
        println!("{row}");
    }
    println!("\n{notes}");
    // One product a step and one factor for all: towers take more steps than it has.
    short.retain(|(name, _)| *name != "prox-jacobi");
    assert_eq!(short, [], "less than nine in ten");
}

/// The same of the smaller problems, one of each family and coefficient.
#[test]
fn small_problems_of_the_collection_are_solved_by_nine_in_ten() {
    let cases: Vec<Case> =
        collection::small().into_iter().filter(|case| case.problem.contacts() <= 24).collect();
    assert!(cases.len() >= 30, "{}", cases.len());
    for solver in Solver::ALL {
        let (count, _, failed) = solved(solver, &cases, false);
        assert!(10 * count >= 9 * cases.len(), "{}: {count}, {failed:#?}", solver.name());
    }
}

/// What an impulse does to another contact is what that does to this one: a file that says otherwise in its last digits
/// means the same problem. Solved as it stands, the difference would be a velocity that redundant contacts cannot take
/// away: sweeps, conjugate directions and ADMM stopped at 1e-5 of heavy on light.
#[test]
fn what_is_not_quite_symmetric_is_solved_like_what_is() {
    for case in collection::small().iter().filter(|case| case.problem.contacts() <= 12) {
        for skew in [1e-10, 1e-8, 1e-6] {
            let skewed = collection::skewed(&case.problem, skew, 9);
            let found = skewed.operator().skew();
            assert!(found > 0.1 * skew && found < 10.0 * skew, "{}: {found:e}", case.name);
            let size = case.problem.contacts();
            let (a, b) = (skewed.operator(), case.problem.operator());
            for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
                assert_eq!(a.block(i, j), a.block(j, i).transpose(), "{}", case.name);
                let apart = (a.block(i, j) - b.block(i, j)).amax();
                assert!(apart < 1e-15 * b.diagonal(i).amax().max(1.0), "{}: {apart:e}", case.name);
            }
        }
    }
    let single = &collection::small()[1];
    assert_eq!(single.problem.contacts(), 1);
    let skewed = collection::skewed(&single.problem, 1e-6, 1);
    for solver in Solver::ALL {
        let (residual, _) = left(solver, &skewed);
        assert!(residual <= asked(solver).0, "{}: {residual:e}", solver.name());
    }
}

/// A pile that moves at hundreds of metres a second is solved to as many digits as one that rests, not to as many
/// metres a second.
#[test]
fn what_is_fast_is_judged_by_its_speed() {
    let limits = Limits { tolerance: 1e-8, iterations: 1000 };
    let slow = limits.or_relative(1e-8, 0.5);
    assert_eq!(slow, limits);
    assert!((limits.or_relative(1e-8, 225.0).tolerance - 225.0 * 1e-8).abs() < 1e-20);
    assert_eq!(limits.or_relative(0.0, 225.0), limits);
    let cases = collection::small();
    let case = cases.iter().find(|case| case.family == "random bodies" && case.mu > 0.0);
    let problem = &case.expect("there are some").problem;
    // A power of two: the same numbers to the last bit, so as many iterations.
    let fast = collection::faster(problem, 256.0);
    assert!((fast.speed() - 256.0 * problem.speed()).abs() <= 1e-12 * fast.speed());
    let count = |problem: &ContactProblem<Assembled>| {
        let limits = Limits { tolerance: 0.0, iterations: 1000 }.or_relative(1e-8, problem.speed());
        let mut r = vec![0.0; 3 * problem.contacts()];
        let report = Solver::Default.solve(problem, &mut r, &limits, &mut ());
        assert!(report.converged(), "{} {:e}", report.status, report.residual());
        report.iterations
    };
    assert_eq!(count(problem), count(&fast));
}

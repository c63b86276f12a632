//! Every method and every claim: each cell holds, or is refused with a reason, or is known to be wrong.
//!
//! [`methods`] has the table. `cargo test -p stiction --test conformance -- --nocapture` lists what is known
//! to be wrong, with numbers.

mod bodies;
mod determinism;
mod friction;
mod harness;
mod invariance;
mod joints;
mod methods;
mod pins;
mod probes;
mod reactions;
mod records;
mod residual;
mod restitution;
mod settle;
mod silent;
mod timings;
mod welds;
mod zones;

/// A mark that names no claim would say nothing.
#[test]
fn marks_name_claims() {
    let subjects = [
        bodies::CLAIMS,
        determinism::CLAIMS,
        friction::CLAIMS,
        invariance::CLAIMS,
        joints::CLAIMS,
        pins::CLAIMS,
        probes::CLAIMS,
        reactions::CLAIMS,
        records::CLAIMS,
        residual::CLAIMS,
        restitution::CLAIMS,
        settle::CLAIMS,
        silent::CLAIMS,
        timings::CLAIMS,
        welds::CLAIMS,
        zones::CLAIMS,
    ];
    let mut claims: Vec<String> = subjects.concat().iter().map(|claim| claim.to_string()).collect();
    claims.extend(bodies::cells());
    for method in methods::METHODS {
        for marked in method.marked() {
            let exists = claims.iter().any(|claim| claim == marked);
            assert!(exists, "{}: no claim `{marked}`", method.name);
        }
    }
}

//! How the command speaks: help, exit codes, colours, JSON lines, pipes that close, panics.

use std::io::Read as _;
use std::process::Stdio;

use crate::common::Folder;

const ESCAPE: char = '\u{1b}';

#[test]
fn help_lists_subcommands_exit_codes_and_events() {
    let help = Folder::new().done(&["--help"]).stdout;
    for wanted in
        ["mesh", "completions", "Examples:", "Exit codes:", "3  a step", "mesh-info", "--threads"]
    {
        assert!(help.contains(wanted), "no `{wanted}` in\n{help}");
    }
}

#[test]
fn every_subcommand_has_examples() {
    let folder = Folder::new();
    let commands: [&[&str]; 6] = [
        &["completions"],
        &["mesh"],
        &["mesh", "info"],
        &["mesh", "convert"],
        &["mesh", "generate"],
        &["mesh", "quality"],
    ];
    for command in commands {
        let help = folder.done(&[command, &["--help"]].concat()).stdout;
        assert!(help.contains("Examples:\n  stiction "), "{command:?}:\n{help}");
    }
}

#[test]
fn exit_codes_are_as_documented() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["--version"]).code, 0);
    assert_eq!(folder.run(&["mesh", "info", "absent.msh"]).code, 1);
    assert_eq!(folder.run(&["mesh", "inspect"]).code, 2);
    assert_eq!(folder.run(&["completions", "bash", "--threads", "0"]).code, 2);
    assert_eq!(folder.run(&["completions", "bash", "--quiet", "--verbose"]).code, 2);
    assert_eq!(folder.run(&[]).code, 2);
}

#[test]
fn errors_say_what_and_how_to_help() {
    let ran = Folder::new().run(&["mesh", "info", "absent.msh"]);
    assert!(ran.stderr.starts_with("error: absent.msh: cannot read the file"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n  help: "), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_slip_in_a_name_is_answered_with_the_right_one() {
    let ran = Folder::new().run(&["mesh", "qality", "a.msh"]);
    assert!(ran.stderr.contains("quality"), "{}", ran.stderr);
}

#[test]
fn colours_come_only_when_wanted() {
    let folder = Folder::new();
    let error = ["mesh", "info", "absent.msh"];
    let colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = folder.command(arguments);
        command.envs(variables.iter().copied());
        let output = command.output().expect("the command starts");
        String::from_utf8_lossy(&output.stderr).contains(ESCAPE)
    };
    assert!(!colored(&error, &[]), "a pipe is no terminal");
    assert!(colored(&error, &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&error, &[("NO_COLOR", "1")]));
    assert!(
        colored(&[&error[..], &["--color", "always"]].concat(), &[("NO_COLOR", "1")]),
        "a flag wins"
    );
    assert!(!colored(&[&error[..], &["--color", "never"]].concat(), &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn errors_are_json_lines_too() {
    let ran = Folder::new().run(&["mesh", "info", "absent.msh", "--json"]);
    let events = ran.events();
    assert_eq!(events.len(), 1, "{}", ran.stdout);
    assert_eq!(events[0]["event"], "error");
    assert!(events[0]["message"].as_str().is_some_and(|m| m.starts_with("absent.msh")));
    assert!(events[0]["help"].is_string());
    assert_eq!(ran.code, 1);
}

#[test]
fn a_reader_may_leave_early() {
    // Far more text than a pipe holds, and nobody reads beyond the first bytes.
    let folder = Folder::new();
    folder.write("two.msh", crate::common::TWO_TETS);
    let files = vec!["two.msh"; 200];
    let mut child = folder
        .command(&[&["mesh", "info"], &files[..]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut [0; 10]).expect("a beginning");
    drop(stdout);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("linux has it");
    let output =
        Folder::new().command(&["completions", "bash"]).stdout(full).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("cannot write to stdout"), "{stderr}");
}

#[test]
fn completions_name_our_subcommands_for_each_shell() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.done(&["completions", shell]).stdout;
        assert!(script.contains("unstructured-sheet"), "{shell}");
    }
    assert_eq!(folder.run(&["completions", "cobol"]).code, 2);
}

/// Not a claim: what `panics_ask_for_a_report` runs in a process of its own.
#[test]
fn panic_if_told_to() {
    if std::env::var_os("STICTION_TEST_PANIC").is_some() {
        stiction_cli::bug::report_panics();
        panic!("a triangle had four corners");
    }
}

#[test]
fn panics_ask_for_a_report() {
    let output = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["terminal::panic_if_told_to", "--exact", "--nocapture"])
        .env("STICTION_TEST_PANIC", "1")
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("this test starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    for wanted in [
        "because of a bug",
        "a triangle had four corners",
        "command/terminal.rs",
        "/issues",
        "RUST_BACKTRACE=1",
    ] {
        assert!(stderr.contains(wanted), "no `{wanted}` in\n{stderr}");
    }
}

//! What a person expects of a command line: examples that run, completions, manual pages, silence, no colours.

use std::path::Path;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;

use crate::common::{backrank, commands, lacks, stdout};

const PROGRAM: &str = env!("CARGO_BIN_EXE_backrank");

fn examples(command: &str) -> Vec<String> {
    let help = stdout(&[command, "--help"]);
    let examples = help.split("\nExamples:\n").nth(1).unwrap_or_else(|| panic!("{command} has no examples"));
    examples.lines().take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_string()).collect()
}

/// The same command for a hundred games, where a person has more, or time for them.
fn shorter(example: &str) -> String {
    let example = example.replace("--time 30s", "--games 100");
    let mut words: Vec<&str> = example.split(' ').collect();
    for index in 1..words.len() {
        if words[index - 1] == "--games" && words[index].parse().is_ok_and(|games: u32| games > 100) {
            words[index] = "100";
        }
    }
    words.join(" ")
}

/// Those that take long, need another program, or read from a terminal.
const NOT_RUN: [&str; 5] = ["play", "study", "merge", "uci", "verify"];

#[test]
fn examples_run() {
    let folder = tempfile::tempdir().unwrap();
    let mini = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/variants/chess960.toml");
    std::fs::copy(mini, folder.path().join("my-game.toml")).unwrap();
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games/lichess.pgn.zst");
    std::fs::copy(archive, folder.path().join("lichess.pgn.zst")).unwrap();
    let path = std::env::join_paths(
        std::iter::once(Path::new(PROGRAM).parent().unwrap().to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let run = |line: &str| {
        let mut shell = Command::new("sh");
        let output = shell.args(["-ec", line]).env("PATH", &path).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    };
    // The studies that examples speak of.
    let simulate = "backrank simulate pmrc --values P=1,N=3,B=3.3,R=5,M=8,Q=9 --games 200";
    for study in ["all", "deep", "quick"] {
        run(&format!("{simulate} -o runs/{study}"));
    }
    run(&format!("{simulate} --odds P:- -o runs/pawn"));
    run(&format!("{simulate} --odds N:- -o runs/knight"));
    for (index, odds) in ["P:-", "2P:-", "N:3P", "R:N+2P", "R:2P"].into_iter().enumerate() {
        run(&format!("{simulate} --odds {odds} -o runs/network/{index}"));
    }
    run("backrank study my-game.toml --games 40 --rounds 1 --tasks 2 --nodes 1 -o runs/big");
    run("backrank play chess8400 -o runs/train --setups random:400 --nodes 100 --scores");
    run("backrank atlas pmrc -o runs/atlas --setups 0..9 --nodes 500");
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        let examples = examples(&command);
        assert!(!examples.is_empty(), "{command}");
        for example in examples {
            assert!(example.starts_with(&format!("backrank {command}")), "{command}: {example}");
            let needs_another =
                example.contains("fairy-stockfish") && lacks("fairy-stockfish", "fairy-stockfish");
            if !NOT_RUN.contains(&command.as_str()) && example != "backrank bench" && !needs_another {
                run(&shorter(&example));
            }
        }
    }
}

#[test]
fn every_shell_gets_a_script_that_asks_the_program() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains("BACKRANK_COMPLETE") && script.contains("backrank"), "{shell}: {script}");
    }
    backrank(&["completions", "tcl"]).assert().code(2);
}

/// Fish gives the words so far, and gets a line for each that the last may become, with what it means behind a tab.
#[test]
fn commands_games_numberings_and_constraints_are_completed() {
    let completed = |words: &[&str]| -> Vec<String> {
        let mut command = backrank(&[&["--", "backrank"], words].concat());
        let output = command.env("BACKRANK_COMPLETE", "fish").assert().success().get_output().stdout.clone();
        let lines = String::from_utf8(output).unwrap();
        lines.lines().map(|line| line.split('\t').next().unwrap().to_string()).collect()
    };
    assert_eq!(completed(&["perf"]), ["perft"]);
    assert_eq!(completed(&["show", "chess96"]), ["chess960"]);
    assert_eq!(completed(&["play", "pmr"]), ["pmrc"]);
    assert_eq!(completed(&["values", "--mobility", "xiang"]), ["xiangqi"]);
    assert_eq!(completed(&["list", "chess960", "--numbering", ""]), ["lex", "scharnagl"]);
    assert_eq!(completed(&["list", "pmrc", "--where", "oppos"]), ["opposite_colours="]);
    assert_eq!(completed(&["list", "pmrc", "--where", "no_c"]), ["no_check"]);
    assert!(completed(&["count", "Cargo.t"]).contains(&"Cargo.toml".to_string()));
    assert!(completed(&["list", "--quie"]).contains(&"--quiet".to_string()));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man/man1");
    assert_eq!(stdout(&["man", "-o", pages.to_str().unwrap()]), "");
    let page = |name: &str| std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
    for command in commands() {
        let page = page(&format!("backrank-{command}"));
        assert!(page.contains(".SH SYNOPSIS") && page.contains("Examples:"), "{command}");
    }
    assert_eq!(page("backrank"), stdout(&["man"]));
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), commands().len() + 1);
}

#[test]
fn quiet_keeps_the_result_and_nothing_else() {
    let loud = ["random", "pmrc", "-n", "2"];
    assert!(!backrank(&loud).assert().success().get_output().stderr.is_empty());
    for arguments in
        [&["random", "pmrc", "-n", "2", "-q"][..], &["--quiet", "perft", "chess", "--depth", "2"]]
    {
        assert!(!backrank(arguments).assert().success().stderr("").get_output().stdout.is_empty());
    }
    let wrong = backrank(&["-q", "count", "nonesuch"]).assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8(wrong).unwrap().starts_with("error: no variant"), "errors stay");
}

/// The letters that begin what a terminal takes as a command.
const ESCAPE: &str = "\u{1b}[";

#[test]
fn into_a_pipe_go_no_colours() {
    for arguments in [&["--help"][..], &["verify", "chess"], &["variants"], &["count", "--nonesuch"]] {
        let output = backrank(arguments).output().unwrap();
        let all = [output.stdout, output.stderr].concat();
        assert!(!String::from_utf8(all).unwrap().contains(ESCAPE), "{arguments:?}");
    }
}

/// `script` gives a program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn no_color_is_heeded_on_a_terminal() {
    if lacks("script", "bsdutils") {
        return;
    }
    for arguments in ["--help", "count --nonesuch"] {
        let shown = |no_color: &str| {
            let mut command = Command::new("script");
            command.args(["-qec", &format!("{PROGRAM} {arguments}"), "/dev/null"]).env("TERM", "xterm");
            command.env_remove("CLICOLOR_FORCE").env("NO_COLOR", no_color).output().unwrap()
        };
        let (with, without) = (shown(""), shown("1"));
        let contains = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(ESCAPE);
        assert!(contains(&with.stdout), "{arguments}: there are colours to be left out");
        assert!(!contains(&without.stdout), "{arguments}: {}", String::from_utf8_lossy(&without.stdout));
    }
}

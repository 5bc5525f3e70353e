//! How the tests run the program.
#![allow(dead_code, reason = "not every file of tests uses all of it")]

use std::process::Command;

use assert_cmd::assert::OutputAssertExt;

/// The program with some arguments.
pub fn backrank(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(arguments);
    command
}

/// What a command prints that succeeds without a note on stderr.
pub fn stdout(arguments: &[&str]) -> String {
    let output = backrank(arguments).assert().success().stderr("").get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// What a command prints that succeeds, whatever it notes on stderr.
pub fn stdout_beside_notes(arguments: &[&str]) -> String {
    String::from_utf8(backrank(arguments).assert().success().get_output().stdout.clone()).unwrap()
}

/// What a command says that refuses its input. It must print nothing else.
pub fn refusal(arguments: &[&str]) -> String {
    let output = backrank(arguments).assert().code(2).stdout("").get_output().stderr.clone();
    String::from_utf8(output).unwrap()
}

/// The names of all commands, as the help lists them.
pub fn commands() -> Vec<String> {
    let help = stdout(&["--help"]);
    let listed = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|&name| name != "help");
    names.map(String::from).collect()
}

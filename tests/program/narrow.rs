//! Tables and sentences on terminals of several widths.

use std::path::Path;

use assert_cmd::assert::OutputAssertExt;
use insta::assert_snapshot;

use crate::common::backrank;

const WIDTHS: [usize; 4] = [60, 80, 120, 200];

/// What a command prints on a terminal of this width.
fn printed(folder: &Path, arguments: &[&str], width: &str) -> String {
    let mut command = backrank(arguments);
    let output = command.env("COLUMNS", width).current_dir(folder).assert().success().get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn tables_fit_the_terminal_and_break_no_word() {
    let folder = tempfile::tempdir().unwrap();
    let simulate = |name: &str, more: &[&str]| {
        let values =
            ["simulate", "pmrc", "--values", "P=1,N=3,B=3.3,R=5,M=8,Q=9", "--games", "400", "-o", name];
        backrank(&[&values[..], more].concat()).current_dir(&folder).assert().success();
    };
    simulate("all", &[]);
    simulate("pawn", &["--odds", "P:-"]);
    simulate("minister", &["--odds", "M:Q"]);
    simulate("rook", &["--odds", "R:N+P"]);
    for (name, arguments) in [
        ("variants", &["variants"][..]),
        ("count", &["count", "--all"]),
        ("verify", &["verify", "pmrc", "capablanca-random"]),
        ("values", &["values", "all", "pawn", "minister", "rook", "--bootstrap", "10"]),
        ("setups", &["setups", "all", "--permutations", "99"]),
    ] {
        let whole = printed(folder.path(), arguments, "1000");
        let words = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(String::from).collect();
            words.sort();
            words.dedup();
            words
        };
        for width in WIDTHS {
            let text = printed(folder.path(), arguments, &width.to_string());
            assert_eq!(words(&text), words(&whole), "{name} at {width}:\n{text}");
            // An address may be longer than the terminal is wide.
            let is_long = |line: &&str| line.chars().count() > width && !line.contains("https://");
            assert_eq!(text.lines().find(is_long), None, "{name} at {width}:\n{text}");
            if ["variants", "values"].contains(&name) {
                assert_snapshot!(format!("{name}_at_{width}"), text);
            }
        }
    }
}

//! Every command that writes directories, ended at every moment.

use std::collections::BTreeSet;

use super::disk::{Disk, LOSSES};
use super::recorder::{kill_at, record};
use super::*;

/// The most moments at which one command is ended in one way; of more, some are left out at equal distances.
const MOST: usize = 12;

/// A command that writes something, and those that come before it.
struct Case {
    before: &'static [&'static str],
    line: &'static str,
}

const CASES: [Case; 10] = [
    Case { before: &[], line: "play mini.toml -o out --setups 0..4 --nodes 10 --threads 1 --quiet" },
    // In a folder that is not there, and with two files that must go together.
    Case {
        before: &[],
        line: "play mini.toml -o new/out --setups 0..4 --nodes 10 --threads 1 --quiet --scores",
    },
    Case { before: &[], line: "study mini.toml -o out --games 12 --rounds 2 --nodes 10 --threads 1 --quiet" },
    Case {
        before: &["study mini.toml -o out --games 24 --rounds 2 --tasks 4 --nodes 10 --quiet"],
        line: "work out --threads 1 --heartbeat 100ms --quiet",
    },
    Case {
        before: &[
            "study mini.toml -o out --games 24 --rounds 2 --tasks 4 --nodes 10 --quiet",
            "work out --threads 1 --heartbeat 100ms --quiet",
        ],
        line: "gather out --heartbeat 100ms --quiet",
    },
    Case {
        before: &[
            "play mini.toml -o 1 --setups 0..4 --nodes 10 --scores --shard 1/2 --quiet",
            "play mini.toml -o 2 --setups 0..4 --nodes 10 --scores --shard 2/2 --quiet",
        ],
        line: "merge 1 2 -o out --quiet",
    },
    Case {
        before: &[
            "play mini.toml -o 1 --setups 0..4 --nodes 10 --scores --quiet",
            "export 1 --format pgn -o games.pgn",
        ],
        line: "import games.pgn -o out --variant mini.toml --quiet",
    },
    Case { before: &[], line: "atlas mini.toml -o out --setups 0..4 --nodes 50 --threads 1 --quiet" },
    Case {
        before: &[
            "atlas mini.toml -o 1 --setups 0..4 --nodes 50 --shard 1/2 --quiet",
            "atlas mini.toml -o 2 --setups 0..4 --nodes 50 --shard 2/2 --quiet",
        ],
        line: "merge 1 2 -o out --quiet",
    },
    // Not a study, but a file that replaces another.
    Case {
        before: &["play mini.toml -o 1 --setups 0..4 --nodes 10 --quiet", "list mini.toml -o games.pgn"],
        line: "export 1 --format pgn -o games.pgn",
    },
];

/// Runs a command after it was ended. Where it had planned the next round already, `gather` says that its tasks are not finished.
fn run_again(folder: &Path, line: &str, when: &str) {
    let output = backrank(folder, line).output().unwrap();
    let is_planned = line.starts_with("gather ") && output.status.code() == Some(75);
    assert!(output.status.success() || is_planned, "{when}: {}", stderr(&output));
}

/// Some of so many, the first and the last among them.
fn some(all: usize) -> impl Iterator<Item = usize> {
    let some = all.min(MOST);
    (0..some).map(move |number| number * (all - 1) / (some - 1).max(1))
}

#[test]
fn killed_before_any_operation_the_same_command_ends_it() {
    for Case { before, line } in CASES {
        let prepared = folder(before);
        let (start, disk) = (tree(prepared.path()), Disk::of(prepared.path()));
        let Some(log) = record(prepared.path(), line) else { return };
        let whole = tree(prepared.path());
        let mut operations = 0;
        disk.replay(&log, |_| operations += 1);
        let mut is_killed = true;
        let mut moments = (1..).step_by(operations / MOST + 1);
        while is_killed {
            let operation = moments.next().unwrap();
            let folder = tempfile::tempdir().unwrap();
            write(&start, folder.path());
            is_killed = kill_at(folder.path(), line, operation);
            let when = format!("{line}, killed before operation {operation}");
            run_again(folder.path(), line, &when);
            assert_same(folder.path(), &whole, &when);
        }
    }
}

#[test]
fn without_power_after_any_operation_the_same_command_ends_it() {
    for Case { before, line } in CASES {
        let prepared = folder(before);
        let disk = Disk::of(prepared.path());
        let Some(log) = record(prepared.path(), line) else { return };
        let whole = tree(prepared.path());
        for loss in LOSSES {
            // Most operations change nothing on the disk.
            let (mut seen, mut states) = (BTreeSet::new(), Vec::new());
            let disk = disk.clone();
            let mut operation = 0;
            disk.replay(&log, |disk| {
                operation += 1;
                let state = disk.after_crash(loss);
                if seen.insert(state.clone()) {
                    states.push((operation, state));
                }
            });
            for number in some(states.len()) {
                let (operation, state) = &states[number];
                let folder = tempfile::tempdir().unwrap();
                write(state, folder.path());
                let when = format!("{line}, without power after operation {operation}, lost: {loss:?}");
                run_again(folder.path(), line, &when);
                assert_same(folder.path(), &whole, &when);
            }
        }
    }
}

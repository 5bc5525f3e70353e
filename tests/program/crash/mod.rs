//! Runs that end in the worst moment: killed before any operation on a file, or with the power gone after it, so that only what
//! was put on the disk is there. The same command again then gives the same bytes, and leaves no litter.
#![cfg(target_os = "linux")]

mod damage;
mod disk;
mod ends;
mod recorder;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common::{MINI, lacks};

/// The files in a folder by their paths, with their bytes; `None` for a folder.
type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// A folder with the file of a game in it, and with what some commands write.
fn folder(commands: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mini.toml"), MINI).unwrap();
    for command in commands {
        succeed(folder.path(), command);
    }
    folder
}

/// The program with the words of a command line.
fn backrank(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(line.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    command
}

fn succeed(folder: &Path, line: &str) -> String {
    let output = backrank(folder, line).output().unwrap();
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a command says on stderr that ends with an exit code.
fn fail(folder: &Path, code: i32, line: &str) -> String {
    let output = backrank(folder, line).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{line}: {}", stderr(&output));
    stderr(&output)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Everything below a folder.
fn tree(folder: &Path) -> Tree {
    fn add(folder: &Path, below: &Path, tree: &mut Tree) {
        for entry in std::fs::read_dir(folder.join(below)).unwrap() {
            let entry = entry.unwrap();
            let path = below.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                tree.insert(path.clone(), None);
                add(folder, &path, tree);
            } else {
                tree.insert(path.clone(), Some(std::fs::read(entry.path()).unwrap()));
            }
        }
    }
    let mut found = Tree::new();
    add(folder, Path::new(""), &mut found);
    found
}

/// Writes everything into an empty folder.
fn write(tree: &Tree, folder: &Path) {
    for (path, bytes) in tree {
        match bytes {
            None => std::fs::create_dir(folder.join(path)).unwrap(),
            Some(bytes) => std::fs::write(folder.join(path), bytes).unwrap(),
        }
    }
}

/// What must be the same whenever it was made: everything but what says how long it took and on which machine.
fn lasting(tree: &Tree) -> Tree {
    let varies = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy();
        ["task.toml", "gathered.toml"].contains(&&*name)
    };
    tree.iter().filter(|(path, _)| !varies(path)).map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
}

/// Asserts that a folder holds what another run has left in its own.
fn assert_same(folder: &Path, expected: &Tree, when: &str) {
    let (found, expected) = (lasting(&tree(folder)), lasting(expected));
    let names = |tree: &Tree| tree.keys().map(|path| path.display().to_string()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "{when}");
    for (path, bytes) in &expected {
        assert!(found[path] == *bytes, "{when}: {} differs", path.display());
    }
}

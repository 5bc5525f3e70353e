//! Where `-o` writes: the file that was named, and only when it is whole.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;

use crate::common::PATIENCE;

fn list(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.current_dir(folder).arg("list").args(arguments);
    command
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

const MMCC: &str = "RNEBMKMBENR\n";

#[test]
fn the_output_file_minus_means_stdout() {
    let folder = tempfile::tempdir().unwrap();
    list(folder.path(), &["mmcc", "--format", "ranks", "-o", "-"]).assert().success().stdout(MMCC);
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_file_is_replaced_and_keeps_its_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ranks");
    fs::write(&file, "before").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    list(folder.path(), &["mmcc", "--format", "ranks", "-o", "ranks"]).assert().success();
    assert_eq!(fs::read_to_string(&file).unwrap(), MMCC);
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ranks");
    fs::write(&file, "before").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let said = "error: cannot write ranks: the file is read-only\n";
    list(folder.path(), &["mmcc", "-o", "ranks"]).assert().code(1).stdout("").stderr(said);
    assert_eq!(fs::read_to_string(&file).unwrap(), "before");
    assert_eq!(names(folder.path()), ["ranks"]);
}

#[test]
fn links_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there");
    fs::create_dir(&there).unwrap();
    fs::write(there.join("existing"), "before").unwrap();
    // Links to a file, to one that does not exist yet, and to a link.
    for (link, target) in [("a", "there/existing"), ("b", "there/new"), ("c", "b")] {
        let link = folder.path().join(link);
        symlink(target, &link).unwrap();
        list(folder.path(), &["mmcc", "--format", "ranks"]).arg("-o").arg(&link).assert().success();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&link).unwrap(), MMCC);
    }
    assert_eq!(fs::read_to_string(there.join("existing")).unwrap(), MMCC);
    assert_eq!(fs::read_to_string(there.join("new")).unwrap(), MMCC);
    symlink("circle", folder.path().join("circle")).unwrap();
    list(folder.path(), &["mmcc", "-o", "circle"]).assert().code(1).stdout("");
    assert_eq!((names(&there).len(), names(folder.path()).len()), (2, 5));
}

#[test]
fn other_hard_links_keep_what_they_had() {
    let folder = tempfile::tempdir().unwrap();
    let [games, link] = ["games.csv", "link"].map(|name| folder.path().join(name));
    fs::write(folder.path().join("study.toml"), "").unwrap();
    fs::write(&games, "the games of a study").unwrap();
    fs::hard_link(&games, &link).unwrap();
    list(folder.path(), &["mmcc", "--format", "ranks", "-o", "link"]).assert().success();
    assert_eq!(fs::read_to_string(&link).unwrap(), MMCC);
    assert_eq!(fs::read_to_string(&games).unwrap(), "the games of a study");
}

/// A signal that comes while a file is written leaves nothing of it.
#[test]
fn ended_by_a_signal_it_leaves_no_file() {
    for (name, number) in [("TERM", 15), ("INT", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let mut run = list(folder.path(), &["transcendental", "-o", "list.csv"]).spawn().unwrap();
        let start = Instant::now();
        while names(folder.path()).is_empty() {
            assert!(start.elapsed() < PATIENCE, "nothing is written");
            sleep(Duration::from_millis(1));
        }
        Command::new("kill").args([format!("-{name}"), run.id().to_string()]).assert().success();
        let status = run.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(number), "{status}");
        assert_eq!(names(folder.path()), <[&str; 0]>::default());
    }
}

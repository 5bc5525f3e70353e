//! Symbolic links in a directory, which lead out of it.

use std::os::unix::fs::symlink;

use super::*;

/// A folder with a study that is begun, and the file of somebody else.
fn begun() -> (TempDir, PathBuf) {
    let folder = folder();
    let study = ["play", "mini.toml", "-o", "s", "--setups", "0..4", "--nodes", "20", "--scores"];
    succeed(folder.path(), &study);
    let precious = folder.path().join("precious");
    std::fs::write(&precious, "mine\n").unwrap();
    (folder, precious)
}

#[test]
fn nothing_is_written_through_a_link() {
    for name in ["games.csv", "scores.csv", ".lock"] {
        let (folder, precious) = begun();
        let file = folder.path().join("s").join(name);
        std::fs::remove_file(&file).unwrap();
        symlink(&precious, &file).unwrap();
        let ran = run(folder.path(), &["play", "s"]);
        assert!([Some(1), Some(2)].contains(&ran.code), "{name}: {ran:?}");
        assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine\n", "{name}");
        // Nor is a file made at the end of a link.
        std::fs::remove_file(&file).unwrap();
        symlink(folder.path().join("new"), &file).unwrap();
        let ran = run(folder.path(), &["play", "s"]);
        assert!(ran.code != Some(0), "{name}: {ran:?}");
        assert!(!folder.path().join("new").exists(), "{name}");
    }
}

#[test]
fn the_log_of_failures_is_no_link() {
    let folder = folder();
    let precious = folder.path().join("precious");
    std::fs::write(&precious, "mine\n").unwrap();
    std::fs::create_dir(folder.path().join("s")).unwrap();
    symlink(&precious, folder.path().join("s/failures.log")).unwrap();
    let study = ["play", "chess960", "-o", "s", "--setups", "0..2", "--black", &engine("lie 1")];
    let ran = run(folder.path(), &study);
    assert!(ran.code == Some(1) && ran.stderr.contains("failures.log: it is a symbolic link"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine\n");
}

#[test]
fn directories_of_a_plan_are_no_links() {
    for name in ["tasks", "odds", "fixed"] {
        let folder = folder();
        let big = plan(folder.path());
        let elsewhere = folder.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        symlink(&elsewhere, big.join(name)).unwrap();
        for command in [&["work", "big"][..], &["gather", "big"]] {
            let ran = run(folder.path(), command);
            // The second round is not planned yet, and nothing is below `fixed` before it is.
            assert!(name == "fixed" || ran.stderr.contains("symbolic link"), "{name}: {ran:?}");
        }
        assert!(everything(&elsewhere).is_empty(), "{name}: {:?}", everything(&elsewhere));
    }
    // What the study is played in that is not planned.
    let folder = folder();
    std::fs::create_dir_all(folder.path().join("one")).unwrap();
    std::fs::create_dir(folder.path().join("elsewhere")).unwrap();
    symlink(folder.path().join("elsewhere"), folder.path().join("one/odds")).unwrap();
    let study = ["study", "mini.toml", "--games", "80", "--rounds", "2", "--nodes", "20", "-o", "one"];
    let ran = run(folder.path(), &study);
    assert!(ran.code == Some(1) && ran.stderr.contains("one/odds is a symbolic link"), "{ran:?}");
    assert!(everything(&folder.path().join("elsewhere")).is_empty());
}

#[test]
fn findings_and_reports_are_not_written_through_links_either() {
    for name in ["values.csv", "setups.csv", "report.html"] {
        let folder = folder();
        let precious = folder.path().join("precious");
        std::fs::write(&precious, "mine\n").unwrap();
        std::fs::create_dir(folder.path().join("one")).unwrap();
        symlink(&precious, folder.path().join("one").join(name)).unwrap();
        let study = ["study", "mini.toml", "--games", "80", "--rounds", "1", "--nodes", "20", "-o", "one"];
        let ran = run(folder.path(), &study);
        assert!(ran.code == Some(1) && ran.stderr.contains("a symbolic link"), "{name}: {ran:?}");
        assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine\n", "{name}");
    }
    let (folder, precious) = begun();
    symlink(&precious, folder.path().join("s/report.html")).unwrap();
    let says = refusal(folder.path(), &["report", "s", "-o", "s/report.html"]);
    assert!(says.contains("s/report.html is a symbolic link that leads out of"), "{says}");
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine\n");
    // A link of one's own, elsewhere, is followed.
    symlink(&precious, folder.path().join("report.html")).unwrap();
    succeed(folder.path(), &["report", "s", "-o", "report.html"]);
    assert!(std::fs::read_to_string(&precious).unwrap().contains("<html"));
}

#[test]
fn a_directory_that_is_named_may_be_a_link() {
    let (folder, _) = begun();
    symlink(folder.path().join("s"), folder.path().join("link")).unwrap();
    succeed(folder.path(), &["play", "link"]);
    let big = plan(folder.path());
    symlink(&big, folder.path().join("other")).unwrap();
    succeed(folder.path(), &["work", "other"]);
    succeed(folder.path(), &["gather", "other"]);
    assert!(big.join("games.csv").exists());
}

#[test]
fn a_task_that_failed_is_not_noted_through_a_link() {
    let folder = folder();
    let big = plan(folder.path());
    let precious = folder.path().join("precious");
    // The lock of a worker on another machine, which has died.
    let lock = "worker = \"node7-1-0\"\nhost = \"node7\"\nprocess = 1\nincarnation = \"\"\nevery = 0.1\nbeats = 3\nsince = 0.0\n\
        now = 9.0\nfound = 0\ngames = 2\nthreads = 1\n";
    std::fs::write(&precious, lock).unwrap();
    std::fs::create_dir(big.join("tasks")).unwrap();
    for name in ["1.lock", "1.failed", "gather.lock", "1"] {
        symlink(&precious, big.join("tasks").join(name)).unwrap();
    }
    for command in [
        &["work", "big", "--task", "1", "--heartbeat", "100ms"][..],
        &["gather", "big", "--heartbeat", "100ms"],
    ] {
        let _ = run(folder.path(), command);
        assert_eq!(std::fs::read_to_string(&precious).unwrap(), lock, "{command:?}");
    }
}

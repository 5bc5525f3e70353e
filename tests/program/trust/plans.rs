//! Plans whose parts lie elsewhere, overlap, have gaps or never end.

use super::*;

/// Every command that reads a plan.
const READERS: [&[&str]; 6] = [
    &["status", "big"],
    &["gather", "big"],
    &["work", "big"],
    &["work", "big", "--task", "1"],
    &["cluster", "big", "--parallel"],
    &["study", "big"],
];

#[test]
fn parts_of_a_plan_outside_its_directory_are_refused() {
    let folder = folder();
    let big = plan(folder.path());
    let outside = folder.path().join("mine");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("games.csv"), "of another study\n").unwrap();
    let whole = std::fs::read_to_string(big.join("plan.toml")).unwrap();
    let path = whole.lines().find(|line| line.starts_with("path = \"odds/")).unwrap();
    let mine = text(&outside);
    for wrong in [
        mine,
        "../mine",
        "odds/../../mine",
        "odds/..",
        "odds/",
        "odds/a/b",
        "tasks/1",
        "/",
        "",
        "odds/a b",
        "./odds/Q-M",
        "odds/x\\u0000",
        "..",
        "fixed",
        "odds/Q-M/",
        "\\u001b[2J",
    ] {
        std::fs::write(big.join("plan.toml"), whole.replacen(path, &format!("path = \"{wrong}\""), 1))
            .unwrap();
        let before = everything(folder.path());
        for command in READERS {
            let says = refusal(folder.path(), command);
            assert!(
                says.contains("plan.toml") && says.contains("is no directory of a plan"),
                "{wrong}: {says}"
            );
            assert!(!says.contains('\x1b'), "{says}");
        }
        assert!(everything(folder.path()) == before, "{wrong}: something was changed");
    }
    // One that could be ours, and is not that of its odds.
    std::fs::write(big.join("plan.toml"), whole.replacen(path, "path = \"odds/XYZ\"", 1)).unwrap();
    assert!(refusal(folder.path(), &["status", "big"]).contains("the directory of these odds is"));
}

#[test]
fn a_plan_whose_numbers_contradict_each_other_is_refused() {
    let folder = folder();
    let big = plan(folder.path());
    let whole = std::fs::read_to_string(big.join("plan.toml")).unwrap();
    let parts = whole.find("[[parts]]").unwrap();
    let end: &str = whole[parts..].lines().find(|line| line.starts_with("end = ")).unwrap();
    let number: u64 = end["end = ".len()..].parse().unwrap();
    for (from, to, says) in [
        (end, format!("end = {}", number + 1), "are no games of a plan"),
        (end, format!("end = {}", number + 2), "games, and should have"),
        (end, "end = 0".to_string(), "are no games of a plan"),
        (end, format!("end = {}", i64::MAX), "are no games of a plan"),
        ("start = 0", "start = 2".to_string(), "but the games before it end with 0"),
        ("round = 1", "round = 9".to_string(), "round = 9 cannot follow 0 games of round 1"),
        ("round = 1", "round = 0".to_string(), "round = 0 cannot follow"),
        (
            "rounds = 2",
            "rounds = 9223372036854775807".to_string(),
            "is not a plan: rounds = 9223372036854775807",
        ),
        ("rounds = 2", "rounds = 0".to_string(), "is not a plan: rounds = 0"),
        ("rounds = 2", "rounds = 3".to_string(), "games, and should have"),
        (
            "tasks = 4",
            "tasks = 9000000000000000000".to_string(),
            "is not a plan: tasks = 9000000000000000000",
        ),
        ("tasks = 4", "tasks = 1".to_string(), "each of 2 rounds needs a task"),
        ("tasks = 4", "tasks = 60".to_string(), "too few for its tasks"),
        ("games = 80", "games = 9000000000000".to_string(), "is not a plan: games = "),
        ("games = 80", "games = 81".to_string(), "must be even"),
        ("files_of_a_task = ", "files_of_a_task = 9".to_string(), "files_of_a_task = "),
    ] {
        assert!(whole.contains(from), "{from}");
        std::fs::write(big.join("plan.toml"), whole.replacen(from, &to, 1)).unwrap();
        for command in READERS {
            let refused = refusal(folder.path(), command);
            assert!(refused.contains(says), "{to}: {refused}");
        }
    }
    std::fs::write(big.join("plan.toml"), &whole).unwrap();
    succeed(folder.path(), &["status", "big"]);
}

#[test]
fn an_unreadable_file_is_a_failure_that_names_it() {
    let folder = folder();
    plan(folder.path());
    std::os::unix::fs::chown(folder.path(), Some(65534), None).unwrap_or_default();
    let mode = |path: &str, mode: u32| {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(folder.path().join(path), permissions).unwrap();
    };
    mode("big/study.toml", 0);
    mode("", 0o755);
    // Whoever may do everything is let in everywhere.
    let may_do_everything = std::fs::read(folder.path().join("big/study.toml")).is_ok();
    if may_do_everything && lacks("setpriv", "util-linux") {
        return;
    }
    let nobody = |folder: &Path, arguments: &[&str]| {
        if !may_do_everything {
            return run(folder, arguments);
        }
        let program = folder.join("backrank");
        // Not by this process: other tests start programs meanwhile, which would keep the file open for writing.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_backrank")).arg(&program).status().unwrap();
        assert!(copied.success());
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program).args(arguments);
        command.current_dir(folder).stdin(Stdio::null());
        finish(command, arguments)
    };
    for command in [
        &["status", "big"][..],
        &["values", "big"],
        &["play", "big"],
        &["study", "big"],
        &["explore", "big", "-o", "x.html"],
    ] {
        let ran = nobody(folder.path(), command);
        assert_eq!(ran.code, Some(1), "{command:?}: {ran:?}");
        assert!(ran.stderr.contains("cannot read big/study.toml: Permission denied"), "{command:?}: {ran:?}");
    }
    mode("big/study.toml", 0o644);
    mode("big", 0);
    for command in [&["status", "big"][..], &["play", "big"], &["study", "big"]] {
        let ran = nobody(folder.path(), command);
        assert!(ran.code == Some(1) && ran.stderr.contains("Permission denied"), "{command:?}: {ran:?}");
    }
    mode("big", 0o755);
}

#[test]
fn named_pipes_in_place_of_files_are_refused() {
    let folder = folder();
    let study = ["play", "mini.toml", "-o", "s", "--setups", "0..2", "--nodes", "20", "--scores"];
    succeed(folder.path(), &study);
    succeed(folder.path(), &["atlas", "mini.toml", "-o", "a", "--setups", "0..2", "--nodes", "20"]);
    plan(folder.path());
    succeed(folder.path(), &["work", "big"]);
    for (file, commands) in [
        (
            "s/games.csv",
            &[
                &["play", "s"][..],
                &["values", "s"],
                &["export", "s", "--format", "pgn"],
                &["report", "s", "-o", "r.html"],
            ][..],
        ),
        (
            "s/study.toml",
            &[
                &["play", "s"],
                &["values", "s"],
                &["merge", "s", "-o", "m"],
                &["explore", "s", "-o", "e.html"],
            ],
        ),
        ("s/scores.csv", &[&["play", "s"]]),
        ("s/.lock", &[&["play", "s"]]),
        ("a/atlas.csv", &[&["atlas", "a"], &["explore", "a", "-o", "e.html"]]),
        ("a/atlas.toml", &[&["atlas", "a"]]),
        ("big/study.toml", &[&["status", "big"], &["work", "big"], &["gather", "big"]]),
        ("big/plan.toml", &[&["status", "big"], &["work", "big"], &["gather", "big"], &["study", "big"]]),
        ("big/tasks/1/task.toml", &[&["gather", "big"]]),
    ] {
        let path = folder.path().join(file);
        assert!(path.exists(), "{file}");
        let kept = path.with_extension("kept");
        std::fs::rename(&path, &kept).unwrap();
        let pipe = || assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let directory = || std::fs::create_dir(&path).unwrap();
        for (make, what) in [(&pipe as &dyn Fn(), "a pipe"), (&directory, "a directory")] {
            make();
            for command in commands {
                let ran = run(folder.path(), command);
                assert!([Some(1), Some(2)].contains(&ran.code), "{file}, {what}: {command:?}: {ran:?}");
                assert!(ran.stderr.contains(what), "{file}, {what}: {command:?}: {ran:?}");
            }
            std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path)).unwrap();
        }
        std::fs::rename(&kept, &path).unwrap();
    }
}

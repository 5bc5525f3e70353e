//! The commands that a study's file names, and engines that do not end.

use super::*;

/// A study of chess960 that somebody else has made: its Black is a command that leaves a mark.
fn foreign(folder: &Path) -> PathBuf {
    succeed(
        folder,
        &["play", "chess960", "-o", "s", "--setups", "0..2", "--nodes", "20", "--max-plies", "20"],
    );
    let toml = folder.join("s/study.toml");
    let (before, black) = std::fs::read_to_string(&toml)
        .unwrap()
        .split_once("[black]")
        .map(|(a, b)| (a.to_string(), b.to_string()))
        .unwrap();
    let black = black.replacen("command = \"builtin\"", "command = \"touch ran\"", 1).replacen(
        "name = \"builtin\"",
        "name = \"touch\"",
        1,
    );
    let black: Vec<&str> = black.lines().filter(|line| !line.starts_with("fingerprint")).collect();
    std::fs::write(&toml, format!("{before}[black]{}\n", black.join("\n"))).unwrap();
    std::fs::remove_file(folder.join("s/games.csv")).unwrap();
    folder.join("ran")
}

#[test]
fn no_command_of_a_strangers_study_is_run() {
    let folder = folder();
    let ran = foreign(folder.path());
    let says = refusal(folder.path(), &["play", "s"]);
    assert!(
        says.contains("s/study.toml names programs")
            && says.contains("black: touch ran")
            && says.contains("--trust-engines"),
        "{says}"
    );
    assert!(!ran.exists());
    // Every other command that reads it.
    for command in [
        &["values", "s"][..],
        &["setups", "s"],
        &["report", "s", "-o", "r.html"],
        &["export", "s", "--format", "pgn"],
        &["merge", "s", "-o", "m"],
        &["explore", "s", "-o", "e.html"],
        &["status", "s"],
        &["work", "s"],
        &["study", "s"],
        &["play", "--from", "s", "--at-plies", "4", "--odds", "N:-", "-o", "f"],
        &["tune", "s", "-o", "w.toml"],
    ] {
        run(folder.path(), command);
        assert!(!ran.exists(), "{command:?}");
    }
    // The command alone is named, and not an option that the file sets.
    change(
        &folder.path().join("s/study.toml"),
        "command = \"touch ran\"\n",
        "command = \"touch ran\"\noptions = [{ name = \"Log\", value = \"x\" }]\n",
    );
    let says = refusal(folder.path(), &["play", "s", "--black", "touch ran"]);
    assert!(says.contains("black: touch ran, with the options Log=x"), "{says}");
    assert!(!ran.exists());
    // Whoever trusts it runs it.
    let trusting = run(folder.path(), &["play", "s", "--trust-engines"]);
    assert!(trusting.code == Some(2) && ran.exists(), "{trusting:?}");
}

#[test]
fn a_study_of_ones_own_goes_on_by_its_directory() {
    let folder = folder();
    let engine = engine("none 100000");
    let begin = ["play", "chess960", "-o", "s", "--setups", "0..2", "--max-plies", "20", "--black", &engine];
    succeed(folder.path(), &begin);
    let games = std::fs::read(folder.path().join("s/games.csv")).unwrap();
    let tear = || std::fs::write(folder.path().join("s/games.csv"), &games[..games.len() / 2]).unwrap();
    let goes_on = |arguments: &[&str]| {
        tear();
        succeed(folder.path(), arguments);
        assert!(std::fs::read(folder.path().join("s/games.csv")).unwrap() == games);
    };
    goes_on(&["play", "s"]);
    goes_on(&begin);
    // Elsewhere it is another study, which has to be named or trusted once.
    std::fs::rename(folder.path().join("s"), folder.path().join("t")).unwrap();
    assert!(refusal(folder.path(), &["play", "t"]).contains("black: "));
    succeed(folder.path(), &["play", "t", "--black", &engine]);
    succeed(folder.path(), &["play", "t"]);
    // Without the record, or on another machine.
    std::fs::remove_dir_all(folder.path().join("states")).unwrap();
    assert!(refusal(folder.path(), &["play", "t"]).contains("black: "));
    succeed(folder.path(), &["play", "t", "--trust-engines"]);
    succeed(folder.path(), &["play", "t"]);
}

#[test]
fn workers_play_with_the_embedded_engine_unless_they_are_told() {
    let folder = folder();
    let big = plan(folder.path());
    let toml = std::fs::read_to_string(big.join("study.toml")).unwrap();
    let (before, black) = toml.split_once("[black]").unwrap();
    let fingerprint = black.lines().find(|line| line.starts_with("fingerprint")).unwrap();
    let black = black.replacen("command = \"builtin\"", "command = \"touch ran\"", 1).replacen(
        &format!("{fingerprint}\n"),
        "",
        1,
    );
    std::fs::write(big.join("study.toml"), format!("{before}[black]{black}")).unwrap();
    for command in [
        &["work", "big"][..],
        &["work", "big", "--task", "1"],
        &["cluster", "big", "--slurm"],
        &["cluster", "big", "--parallel"],
    ] {
        let says = refusal(folder.path(), command);
        assert!(says.contains("black: touch ran") && says.contains("--trust-engines"), "{command:?}: {says}");
    }
    let _ = run(folder.path(), &["gather", "big"]);
    let _ = run(folder.path(), &["study", "big"]);
    assert!(!folder.path().join("ran").exists());
    for scheduler in ["--slurm", "--parallel"] {
        let script = succeed(folder.path(), &["cluster", "big", scheduler, "--trust-engines"]).stdout;
        let works = script.lines().filter(|line| line.contains(" work "));
        assert!(
            works.clone().count() > 0 && works.into_iter().all(|line| line.contains(" --trust-engines")),
            "{script}"
        );
    }
    let _ = run(folder.path(), &["work", "big", "--task", "1", "--trust-engines"]);
    assert!(folder.path().join("ran").exists());
}

/// A shell that speaks UCI as far as its search, writes down its process, and then does what it is told: it ignores SIGTERM.
fn shell(folder: &Path, then: &str) -> String {
    let script = format!(
        "trap '' TERM INT HUP\necho $$ > process\nwhile read -r word rest; do case $word in\n\
         uci) echo id name Shell; echo option name UCI_Chess960 type check default false; echo uciok;;\n\
         isready) echo readyok;;\ngo) {then};;\nesac; done\nwhile :; do sleep 1; done\n"
    );
    std::fs::write(folder.join("engine.sh"), script).unwrap();
    "sh engine.sh".to_string()
}

fn lives(folder: &Path) -> bool {
    let Ok(process) = std::fs::read_to_string(folder.join("process")) else { return false };
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn soon(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn no_engine_outlives_the_program() {
    for (then, signal) in [
        ("while :; do sleep 1; done", "TERM"),
        ("while :; do sleep 1; done", "INT"),
        ("while :; do sleep 1; done", "KILL"),
        ("while :; do echo info string and another thing; done", "TERM"),
        ("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", "TERM"),
    ] {
        let folder = folder();
        let engine = shell(folder.path(), then);
        let study = [
            "play",
            "chess960",
            "-o",
            "s",
            "--setups",
            "0..2",
            "--nodes",
            "20",
            "--threads",
            "1",
            "--opening-plies",
            "0",
            "--white",
            &engine,
        ];
        let mut play =
            command(folder.path(), &study).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        soon("the engine is started", || folder.path().join("s/games.csv").exists() && lives(folder.path()));
        std::thread::sleep(Duration::from_millis(300));
        let kill =
            Command::new("kill").args([&format!("-{signal}"), &play.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let mut status = None;
        soon(&format!("{then}, {signal}: the program ends"), || {
            status = play.try_wait().unwrap();
            status.is_some()
        });
        let status = status.unwrap();
        assert!(signal == "KILL" || status.code() == Some(1), "{then}, {signal}: {status}");
        soon(&format!("{then}, {signal}: it lives"), || !lives(folder.path()));
    }
    // While it is started, and does not answer.
    let folder = folder();
    std::fs::write(
        folder.path().join("engine.sh"),
        "trap '' TERM\necho $$ > process\nwhile :; do sleep 1; done\n",
    )
    .unwrap();
    let study = ["play", "chess960", "-o", "s", "--white", "sh engine.sh"];
    let mut play = command(folder.path(), &study).stderr(Stdio::null()).spawn().unwrap();
    soon("the engine is started", || lives(folder.path()));
    assert!(Command::new("kill").arg(play.id().to_string()).status().unwrap().success());
    assert_eq!(play.wait().unwrap().code(), Some(1));
    soon("it lives", || !lives(folder.path()));
    assert!(!folder.path().join("s").exists());
}

#[test]
fn an_engine_that_does_not_listen_keeps_nobody_waiting() {
    let folder = folder();
    // It answers whatever is not asked, and never reads.
    let script = "echo option name UCI_Chess960 type check default false; echo uciok\nwhile :; do echo readyok; echo bestmove a1a1; done\n";
    std::fs::write(folder.path().join("engine.sh"), script).unwrap();
    let study = [
        "play",
        "chess960",
        "-o",
        "s",
        "--setups",
        "0..200",
        "--nodes",
        "20",
        "--threads",
        "1",
        "--black",
        "sh engine.sh",
    ];
    let ran = run(folder.path(), &study);
    assert!(ran.code == Some(1) && ran.stderr.contains("3 games in a row"), "{ran:?}");
}

#[test]
fn a_directory_that_vanishes_is_a_failure() {
    for (what, replace) in [("removed", false), ("replaced", true)] {
        let folder = folder();
        let study = [
            "play",
            "chess960",
            "-o",
            "s",
            "--games",
            "4",
            "--nodes",
            "2000",
            "--setups",
            "random:400",
            "--threads",
            "1",
        ];
        let mut play =
            command(folder.path(), &study).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let games = folder.path().join("s/games.csv");
        soon("a game is played", || std::fs::metadata(&games).is_ok_and(|file| file.len() > 300));
        std::fs::remove_dir_all(folder.path().join("s")).unwrap();
        if replace {
            std::fs::create_dir(folder.path().join("s")).unwrap();
            std::fs::write(&games, "another\n").unwrap();
        }
        soon("it ends", || play.try_wait().unwrap().is_some());
        let output = play.wait_with_output().unwrap();
        let says = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{says}");
        assert!(says.contains("cannot write s/games.csv: it was ") && says.contains(what), "{says}");
    }
}

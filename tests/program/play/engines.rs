//! Engines that fail, and how that is told.

use super::*;

#[test]
fn failures_of_an_engine_end_the_game_and_not_the_study() {
    for (manner, timeout, says) in [
        ("crash 60", "60", "it ended before it said `bestmove`"),
        ("lie 60", "60", "it said `bestmove a1a1`, which is not legal in"),
        ("babble 60", "60", "it said `bestmove of all is none`, which is not UCI: moves are written e2e4"),
        ("none 60", "60", "it said `bestmove (none)`, which is no move, though there are legal ones in"),
        ("hang 50", "3", "it did not say `bestmove` within 3 s"),
        ("flood 50", "3", "it did not say `bestmove` within 3 s"),
    ] {
        let (_folder, one, other) = twice();
        let (fails, plays) = (engine(manner), engine(""));
        // Games that do not depend on how well the embedded player plays: it draws no opening, and a program that plays
        // at random has White.
        let study = ["crc", "--white", &plays, "--black", &fails, "--setups", "0..8", "--opening-plies", "0"];
        let study = [&study[..], &["--nodes", "20", "--timeout", timeout, "--max-plies", "30"]].concat();
        let played = games(&one, &[&study[..], &["--threads", "2"]].concat());
        let terminations = column(&played, "termination");
        let failed = terminations.iter().filter(|termination| *termination == "engine-failure").count();
        assert!((1..8).contains(&failed), "{manner}: {terminations:?}");
        for (termination, result) in terminations.iter().zip(column(&played, "result")) {
            assert!(termination != "engine-failure" || result == "1-0", "{manner}: who fails has lost");
        }
        let log = std::fs::read_to_string(one.join("failures.log")).unwrap();
        assert_eq!(log.matches("\ngame ").count() + 1, failed, "{log}");
        assert!(log.starts_with("game ") && log.contains(": misbehaving-engine-2: "), "{log}");
        assert!(log.contains(says), "{manner}: {log}");
        assert!(log.contains("\n    info "), "the last lines it said: {log}");
        assert!(manner != "crash 60" || log.contains("\n    thread 'search' panicked"), "{log}");
        // The same positions, so the same failures.
        let again = games(&other, &[&study[..], &["--threads", "1"]].concat());
        assert!(again == played, "{manner}");
    }
}

#[test]
fn three_failures_in_a_row_stop_the_study() {
    let (_folder, one, _) = twice();
    let engine = engine("crash 2");
    let directory = one.to_str().unwrap();
    let output = play(&["crc", "--engine", &engine, "-o", directory, "--threads", "1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("3 games in a row ended because a player failed"),
        "{}",
        stderr(&output)
    );
    let played = std::fs::read(one.join("games.csv")).unwrap();
    assert!(column(&played, "termination").ends_with(&vec!["engine-failure".to_string(); 3]));
}

#[test]
fn an_engine_that_cannot_play_leaves_no_study_behind() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("study");
    let deaf = engine("deaf");
    for (player, option, says) in [
        (deaf.as_str(), "Hash=1", "misbehaving-engine: it did not say `uciok` within 3 s"),
        ("no-such-engine", "Hash=1", "cannot start `no-such-engine`"),
        ("'no end", "Hash=1", "`'no end` is not a command line"),
        (&engine(""), "Hush=1", "Misbehaving Engine has no option `Hush`; it has Hash, "),
        (&engine(""), "Hash=512", "Misbehaving Engine has `Hash` from 1 to 64, not `512`"),
    ] {
        let output = directory.to_str().unwrap();
        let refused =
            refusal(&["crc", "--black", player, "--option", option, "-o", output, "--timeout", "3"]);
        assert!(refused.contains(says), "{refused}");
        assert!(!directory.exists());
    }
    games(
        &directory,
        &["crc", "--black", &engine("slow"), "--setups", "0..2", "--nodes", "5", "--threads", "1"],
    );
}

/// An engine that does not know `UCI_Chess960` castles by the king's move to where it lands, and is told so of the other side.
#[test]
fn an_engine_of_orthodox_chess_alone_castles() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let positions = ["r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -", "r3k3/8/8/8/8/8/8/R3K3 b Qq -"];
    std::fs::write(&book, positions.join("\n")).unwrap();
    let book = book.to_str().unwrap();
    let orthodox = engine("orthodox");
    let study = ["chess", "--openings", book, "--engine", &orthodox, "--max-plies", "10"];
    let played = games(&folder.path().join("study"), &study);
    assert_eq!(column(&played, "termination"), ["adjudication"; 2]);
    let moves = column(&played, "moves");
    assert!(moves[0].starts_with("e1h1 e8h8 ") && moves[1].starts_with("e8a8 "), "{moves:?}");
    let directory = folder.path().join("refused");
    let study = ["chess960", "--engine", &orthodox, "-o", directory.to_str().unwrap()];
    assert!(refusal(&study).contains("it has no option `UCI_Chess960`"));
}

/// FIDE 6.9: who runs out of time does not lose to a side that cannot mate.
#[test]
fn a_flag_falls_against_a_side_that_can_mate_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let positions = ["7k/8/8/8/8/8/8/K5Q1 w - -", "6nk/8/8/8/8/8/8/K5Q1 w - -", "6nk/8/8/8/8/8/P7/K7 w - -"];
    std::fs::write(&book, positions.join("\n")).unwrap();
    let late = engine("late 1");
    let study = ["chess", "--openings", book.to_str().unwrap(), "--white", &late, "--tc", "0.4+0"];
    let played = games(&folder.path().join("study"), &study);
    assert_eq!(column(&played, "termination"), ["time"; 3]);
    assert_eq!(column(&played, "result"), ["1/2-1/2", "1/2-1/2", "0-1"]);
    // What is recorded can be read.
    let mut values = Command::new(env!("CARGO_BIN_EXE_backrank"));
    values.arg("export").arg(folder.path().join("study")).args(["--format", "pgn"]).assert().success();
}

#[test]
fn the_engine_plays_the_same_games_over_uci() {
    let (_folder, one, other) = twice();
    let study = ["mmcc", "--games", "3", "--nodes", "80", "--max-plies", "60"];
    let embedded = games(&one, &study);
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_backrank"));
    let over_uci = games(&other, &[&study[..], &["--engine", &engine]].concat());
    assert_eq!(column(&over_uci, "moves"), column(&embedded, "moves"));
}

/// What goes wrong when an engine is started again is told as well as what goes wrong in a game.
#[cfg(unix)]
#[test]
fn an_engine_that_cannot_be_started_again_is_a_failure_with_its_last_lines() {
    let (folder, one, _) = twice();
    let been = folder.path().join("been");
    let script =
        format!("[ -e {0} ] && echo sorry >&2 && exit 1; touch {0}; exec {1}", been.display(), engine(""));
    let engine = format!("sh -c '{script}'");
    let output = play(&["crc", "--black", &engine, "-o", one.to_str().unwrap(), "--threads", "1"]).output();
    let says = stderr(&output.unwrap());
    assert!(
        says.contains("3 games in a row ended because a player failed, the last time sh: it ended before"),
        "{says}"
    );
    let log = std::fs::read_to_string(one.join("failures.log")).unwrap();
    let failure = "sh: it ended before it said `uciok`\n    sorry\n";
    assert_eq!(log, format!("game 0: {failure}game 1: {failure}game 2: {failure}"));
}

/// A script that starts the engine is killed with all it has started.
#[cfg(target_os = "linux")]
#[test]
fn nothing_that_hangs_is_left_behind() {
    let (_folder, one, _) = twice();
    let mark = format!("mark-{}", std::process::id());
    let engine = format!("sh -c '{} {mark}; true'", engine("hang 1"));
    let study = ["crc", "--black", &engine, "--setups", "0..1", "--timeout", "3"];
    assert_eq!(column(&games(&one, &study), "termination"), ["engine-failure"]);
    let left: Vec<String> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path().join("cmdline")).ok())
        .filter(|line| line.contains(&mark))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

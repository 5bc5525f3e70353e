//! Studies as a person runs them: begun, interrupted, gone on with, and played by engines that misbehave.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use assert_cmd::assert::OutputAssertExt;
use tempfile::TempDir;

fn play(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.arg("play").args(arguments);
    command
}

/// Plays to the end and gives the bytes of games.csv.
fn games(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let folder = folder.to_str().unwrap();
    play(&[arguments, &["-o", folder]].concat()).assert().success();
    std::fs::read(Path::new(folder).join("games.csv")).unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    let output = play(arguments).assert().code(2).stdout("").get_output().stderr.clone();
    String::from_utf8(output).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The engine that misbehaves: Cargo builds examples beside the tests.
fn engine(manner: &str) -> String {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(Path::parent).unwrap().join("examples/misbehaving-engine");
    assert!(
        program.exists(),
        "cargo test builds examples, cargo test --test play does not: cargo build --examples"
    );
    format!("{} {manner}", program.display())
}

/// The column of each row.
fn column(games: &[u8], name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(games);
    let index = reader.headers().unwrap().iter().position(|column| column == name).unwrap();
    reader.records().map(|row| row.unwrap()[index].to_string()).collect()
}

const STUDY: [&str; 8] = ["pmrc", "--setups", "random:12", "--seed", "7", "--nodes", "60", "--pairs"];

fn twice() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let paths = (folder.path().join("one"), folder.path().join("other"));
    (folder, paths.0, paths.1)
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let (folder, one, other) = twice();
    let alone = games(&one, &[&STUDY[..], &["--threads", "1"]].concat());
    assert_eq!(games(&other, &[&STUDY[..], &["--threads", "2"]].concat()), alone);
    assert_eq!(games(&folder.path().join("8"), &[&STUDY[..], &["--threads", "8"]].concat()), alone);
    assert_eq!(column(&alone, "game"), (0..24).map(|game| game.to_string()).collect::<Vec<_>>());
}

#[test]
fn killed_at_any_moment_a_study_goes_on_as_if_nothing_had_been() {
    let (_folder, one, other) = twice();
    let study =
        ["pmrc", "--setups", "random:40", "--seed", "7", "--nodes", "100", "--pairs", "--threads", "2"];
    let whole = games(&one, &study);
    let directory = other.to_str().unwrap();
    let mut killed = 0;
    for moment in 0..20_u64 {
        let begin = [&study[..], &["-o", directory]].concat();
        let arguments: &[&str] =
            if other.join("study.toml").exists() { &[directory, "--threads", "2"] } else { &begin };
        let mut run = play(arguments).spawn().unwrap();
        // A moment that is not the same from time to time, without chance.
        std::thread::sleep(Duration::from_millis(20 + moment * 37 % 90));
        killed += run.try_wait().unwrap().is_none() as u32;
        let _ = run.kill();
        run.wait().unwrap();
        if let Ok(so_far) = std::fs::read(other.join("games.csv")) {
            assert!(whole.starts_with(&so_far), "killed {moment}: not a beginning of the whole");
        }
    }
    assert!(killed > 5, "killed {killed} times only");
    play(&[directory]).assert().success();
    assert!(std::fs::read(other.join("games.csv")).unwrap() == whole);
}

#[test]
fn a_torn_last_line_is_played_again_and_a_damaged_middle_is_left_alone() {
    let (_folder, one, _) = twice();
    let whole = games(&one, &STUDY);
    let (path, directory) = (one.join("games.csv"), one.to_str().unwrap());
    std::fs::write(&path, &whole[..whole.len() - 30]).unwrap();
    play(&[directory]).assert().success();
    assert!(std::fs::read(&path).unwrap() == whole);

    let text = String::from_utf8(whole).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (before, moves) = lines[4].rsplit_once(',').unwrap();
    let (_, later) = moves.split_once(' ').unwrap();
    let other_move = text.replace(lines[4], &format!("{before},a1a9 {later}"));
    let foreign = text.replacen("opening_plies", "weather", 1);
    let missing = [&lines[..4], &lines[5..]].concat().join("\n") + "\n";
    let crlf = text.replace('\n', "\r\n");
    for (damaged, says) in [
        (other_move, "line 5: `a1a9`"),
        (foreign, "line 1: `weather` is not a column"),
        (missing, "line 5: game 4 stands where game 3 should"),
        (crlf, "line 1: the line ends in CR LF"),
        (text.replacen(",1/2-1/2,", ",1-0,", 1), "result is 1-0"),
    ] {
        std::fs::write(&path, &damaged).unwrap();
        let refused = refusal(&[directory]);
        assert!(refused.contains(says), "{refused}");
        assert!(std::fs::read_to_string(&path).unwrap() == damaged, "{says}: it was touched");
    }
}

#[test]
fn a_study_keeps_the_options_it_was_begun_with() {
    let (_folder, one, _) = twice();
    games(&one, &STUDY);
    let directory = one.to_str().unwrap();
    play(&[directory, "--nodes", "60", "--seed", "7"]).assert().success();
    let refused = refusal(&[directory, "--nodes", "70"]);
    assert!(refused.contains("limits.nodes: begun with 60, now 70"), "{refused}");
    let other = [&STUDY[..], &["--max-plies", "20", "-o", directory]].concat();
    let refused = refusal(&other);
    assert!(refused.contains("adjudication.max_plies: begun with nothing, now 20"), "{refused}");
    let refused = refusal(&["chess8400", "--nodes", "60", "-o", directory]);
    assert!(refused.contains("variant.key: begun with pmrc, now chess8400"), "{refused}");
    assert!(refused.contains("variant.text: begun with another text"), "{refused}");
}

#[test]
fn one_run_at_a_time() {
    let (_folder, one, _) = twice();
    let directory = one.to_str().unwrap();
    let long = ["pmrc", "-o", directory, "--nodes", "5000", "--threads", "1"];
    let mut first = play(&long).spawn().unwrap();
    while !one.join("games.csv").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = play(&[directory]).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(stderr(&second).contains("in use by another run"), "{}", stderr(&second));
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock of a dead process keeps nobody out: this one gets as far as the options.
    let refused = refusal(&[directory, "--nodes", "1"]);
    assert!(refused.contains("begun with 5000, now 1"), "{refused}");
}

#[test]
fn failures_of_an_engine_end_the_game_and_not_the_study() {
    for (manner, says) in [
        ("crash 60", "it ended before it said `bestmove`"),
        ("lie 60", "it said `bestmove a1a1`, which is not legal in"),
        ("babble 60", "it said `bestmove of all is none`, which is not legal in"),
        ("none 60", "it said `bestmove (none)`, which is no move, though there are legal ones in"),
        ("hang 50", "it did not say `bestmove` within 1 s"),
        ("flood 50", "it did not say `bestmove` within 1 s"),
    ] {
        let (_folder, one, other) = twice();
        let engine = engine(manner);
        let study = ["crc", "--black", &engine, "--setups", "0..8", "--nodes", "20", "--timeout", "1"];
        let played = games(&one, &[&study[..], &["--threads", "2", "--max-plies", "30"]].concat());
        let terminations = column(&played, "termination");
        let failed = terminations.iter().filter(|termination| *termination == "engine-failure").count();
        assert!((1..8).contains(&failed), "{manner}: {terminations:?}");
        for (termination, result) in terminations.iter().zip(column(&played, "result")) {
            assert!(termination != "engine-failure" || result == "1-0", "{manner}: who fails has lost");
        }
        let log = std::fs::read_to_string(one.join("failures.log")).unwrap();
        assert_eq!(log.matches("\ngame ").count() + 1, failed, "{log}");
        assert!(log.starts_with("game ") && log.contains(": misbehaving-engine: "), "{log}");
        assert!(log.contains(says), "{manner}: {log}");
        assert!(log.contains("\n    info "), "the last lines it said: {log}");
        assert!(manner != "crash 60" || log.contains("\n    thread 'search' panicked"), "{log}");
        // The same positions, so the same failures.
        let again = games(&other, &[&study[..], &["--threads", "1", "--max-plies", "30"]].concat());
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
    assert!(stderr(&output).contains("3 games in a row ended with a failure"), "{}", stderr(&output));
    let played = std::fs::read(one.join("games.csv")).unwrap();
    assert!(column(&played, "termination").ends_with(&vec!["engine-failure".to_string(); 3]));
}

#[test]
fn an_engine_that_cannot_play_leaves_no_study_behind() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("study");
    let deaf = engine("deaf");
    for (player, option, says) in [
        (deaf.as_str(), "Hash=1", "it did not say `uciok` within 1 s"),
        ("no-such-engine", "Hash=1", "cannot start `no-such-engine`"),
        ("'no end", "Hash=1", "`'no end` is not a command line"),
        (&engine(""), "Hush=1", "Misbehaving Engine has no option `Hush`; it has Hash, "),
        (&engine(""), "Hash=512", "Misbehaving Engine has `Hash` from 1 to 64, not `512`"),
    ] {
        let output = directory.to_str().unwrap();
        let refused =
            refusal(&["crc", "--black", player, "--option", option, "-o", output, "--timeout", "1"]);
        assert!(refused.contains(says), "{refused}");
        assert!(!directory.exists());
    }
    games(
        &directory,
        &["crc", "--black", &engine("slow"), "--setups", "0..2", "--nodes", "5", "--threads", "1"],
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("study");
    let output = output.to_str().unwrap();
    let ids = folder.path().join("ids.txt");
    std::fs::write(&ids, "3\nfour\n").unwrap();
    for (arguments, says) in [
        (vec!["pmrc"], "where to? a new study needs -o DIR"),
        (vec![folder.path().to_str().unwrap()], "holds no study to go on with"),
        (vec!["pmcr", "-o", output], "no variant `pmcr`; did you mean"),
        (vec!["chess99", "-o", output], "is counted and listed only"),
        (vec!["crc", "-o", output, "--setups", "1600..1700"], "goes past the end: there are 1,680 setups"),
        (vec!["crc", "-o", output, "--setups", "random:0"], "setups are written as all, 0..100"),
        (vec!["crc", "-o", output, "--setups", ids.to_str().unwrap()], "line 2: `four` is not an id"),
        (vec!["crc", "-o", output, "--pairs", "--games", "3"], "an even number of games"),
        (vec!["crc", "-o", output, "--shard", "9/8"], "the first is 1/8 and the last 8/8"),
    ] {
        let refused = refusal(&arguments);
        assert!(refused.contains(says), "{refused}");
        assert!(!Path::new(output).exists());
    }
}

#[test]
fn setups_come_from_a_file_of_ids() {
    let (folder, one, _) = twice();
    let ids = folder.path().join("ids.txt");
    std::fs::write(&ids, "7\n\n1679\n7\n").unwrap();
    let played = games(&one, &["crc", "--setups", ids.to_str().unwrap(), "--nodes", "5", "--max-plies", "4"]);
    assert_eq!(column(&played, "setup"), ["7", "1679", "7"]);
    // The study keeps them itself.
    std::fs::remove_file(&ids).unwrap();
    play(&[one.to_str().unwrap()]).assert().success();
}

#[test]
fn shards_put_together_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let study = [&STUDY[..], &["--setups", "0..9"]].concat();
    let study: Vec<&str> = [&study[..1], &study[3..]].concat();
    let whole = games(Path::new(&path("whole")), &study);
    let shards: Vec<String> = (1..=8).map(|shard| path(&format!("s{shard}"))).collect();
    for (shard, directory) in (1..=8).zip(&shards) {
        games(Path::new(directory), &[&study[..], &["--shard", &format!("{shard}/8")]].concat());
    }
    let merge = |shards: &[&str], to: &str| {
        Command::new(env!("CARGO_BIN_EXE_backrank"))
            .arg("merge")
            .args(shards)
            .args(["-o", to])
            .output()
            .unwrap()
    };
    let mut all: Vec<&str> = shards.iter().map(String::as_str).collect();
    all.reverse();
    assert!(merge(&all, &path("merged")).status.success());
    assert!(std::fs::read(folder.path().join("merged/games.csv")).unwrap() == whole);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("merged/study.toml"), text("whole/study.toml"));

    let (third, torn) = (path("s3"), path("torn"));
    games(
        Path::new(&path("other")),
        &["pmrc", "--nodes", "9", "--setups", "0..9", "--pairs", "--shard", "8/8"],
    );
    std::fs::create_dir(&torn).unwrap();
    std::fs::copy(format!("{third}/study.toml"), format!("{torn}/study.toml")).unwrap();
    let rows = std::fs::read(format!("{third}/games.csv")).unwrap();
    std::fs::write(format!("{torn}/games.csv"), &rows[..rows.len() - 9]).unwrap();
    let without_third: Vec<&str> = all.iter().copied().filter(|shard| *shard != third).collect();
    let other = path("other");
    for (shards, says) in [
        (without_third.clone(), "no shard has games 4 to 5"),
        ([&all[..], &[third.as_str()]].concat(), "which another shard has"),
        (all[1..].to_vec(), "no shard has games 14 to 17"),
        (
            [&all[1..], &[other.as_str()]].concat(),
            "are not of one study: they differ in limits.nodes: 60 and 9",
        ),
        (
            [&without_third[..], &[torn.as_str()]].concat(),
            "is not played to its end: game 5 is the next of 6",
        ),
        (vec![folder.path().to_str().unwrap()], "holds no study"),
    ] {
        let refused = merge(&shards, &path("refused"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(says), "{}", stderr(&refused));
        assert!(!folder.path().join("refused").exists());
    }
}

#[test]
fn pairs_and_odds_begin_alike_with_sides_swapped() {
    let (_folder, one, other) = twice();
    let engine = engine("");
    let played = games(
        &one,
        &["crc", "--black", &engine, "--setups", "random:6", "--pairs", "--nodes", "30", "--max-plies", "12"],
    );
    let opening = |moves: &String| moves.split(' ').take(8).collect::<Vec<_>>().join(" ");
    for (games, names) in column(&played, "moves").chunks(2).zip(column(&played, "white").chunks(2)) {
        assert_eq!(opening(&games[0]), opening(&games[1]));
        assert_eq!(names, ["builtin", "misbehaving-engine"]);
    }
    let setups = column(&played, "setup");
    assert!(setups.chunks(2).all(|pair| pair[0] == pair[1]), "{setups:?}");

    let played =
        games(&other, &["pmrc", "--odds", "B+N:M", "--games", "12", "--nodes", "30", "--max-plies", "12"]);
    assert_eq!(column(&played, "odds"), ["B+N:M", "M:B+N"].repeat(6));
    let lacks = |fen: &String, letter: char, number: usize| {
        let board = fen.split(' ').next().unwrap();
        board.chars().filter(|&other| other == letter).count() == number
    };
    for (game, fen) in column(&played, "fen").iter().enumerate() {
        let (minor, minister) = if game % 2 == 0 { (['B', 'N'], 'm') } else { (['b', 'n'], 'M') };
        assert!(lacks(fen, minor[0], 1) && lacks(fen, minor[1], 1) && lacks(fen, minister, 0), "{fen}");
    }
    for games in column(&played, "moves").chunks(2) {
        assert_eq!(opening(&games[0]), opening(&games[1]));
    }
    let mut openings: Vec<String> = column(&played, "moves").iter().map(opening).collect();
    openings.sort_unstable();
    openings.dedup();
    assert_eq!(openings.len(), 6, "each pair has an opening of its own");
}

#[test]
fn a_setup_gives_many_games() {
    let (_folder, one, _) = twice();
    let played = games(&one, &["chess", "--games", "20", "--nodes", "30", "--max-plies", "16"]);
    let mut moves = column(&played, "moves");
    moves.sort_unstable();
    moves.dedup();
    assert!(moves.len() >= 19, "{} of 20 games differ", moves.len());
    assert!(column(&played, "opening_plies").iter().all(|plies| plies == "8"));
}

#[test]
fn games_are_exported() {
    let (_folder, one, _) = twice();
    games(&one, &["chess960", "--setups", "518..520", "--nodes", "40", "--seed", "3"]);
    let export = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
        let output = command.args(["export", one.to_str().unwrap(), "--format", format]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let pgn = export("pgn");
    assert_eq!(pgn.matches("[Event \"backrank\"]\n").count(), 2);
    assert!(pgn.contains("[Variant \"chess960\"]\n[SetUp \"1\"]\n"), "{pgn}");
    assert!(pgn.contains("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1\"]\n"), "{pgn}");
    assert!(pgn.contains("\n\n1. "), "{pgn}");
    assert!(pgn.lines().all(|line| line.starts_with('[') || line.len() < 80), "{pgn}");
    let epd = export("epd");
    assert_eq!(epd.lines().count(), 2);
    assert!(epd.lines().all(|line| line.contains(" fmvn 5; id \"game ")), "{epd}");
}

/// A limit on the size of a file is as good as a full disk: a row is written in part, and then no more.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_a_beginning_of_the_whole() {
    let (_folder, one, other) = twice();
    let whole = games(&one, &STUDY);
    let directory = other.to_str().unwrap();
    let limited = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" play \"$@\" -o {directory}");
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &limited, env!("CARGO_BIN_EXE_backrank")]).args(STUDY).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let games_csv = other.join("games.csv");
    let says = format!("error: cannot write {}: ", games_csv.display());
    assert!(stderr(&output).contains(&says), "{}", stderr(&output));
    let so_far = std::fs::read(&games_csv).unwrap();
    assert!(whole.starts_with(&so_far) && so_far.ends_with(b"\n") && so_far.len() < whole.len());
    play(&[directory]).assert().success();
    assert!(std::fs::read(&games_csv).unwrap() == whole);
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

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_and_says_how_to_go_on() {
    let (_folder, one, _) = twice();
    let (directory, engine) = (one.to_str().unwrap(), engine(""));
    let mut command = play(&["crc", "--black", &engine, "-o", directory, "--nodes", "2000"]);
    let run = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    while std::fs::metadata(one.join("games.csv")).map_or(0, |file| file.len()) < 2000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let interrupt = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let says = stderr(&output);
    assert!(says.contains(" of 1680 games; `backrank play ") && says.contains("goes on from here"), "{says}");
    let played = std::fs::read(one.join("games.csv")).unwrap();
    assert!(played.ends_with(b"\n"));
    assert!(!column(&played, "termination").contains(&"engine-failure".to_string()));
}

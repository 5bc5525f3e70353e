//! Which games are played: setups, openings, pairs, odds, endings; and what is exported.

use super::*;

#[test]
fn wrong_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("study");
    let output = output.to_str().unwrap();
    let ids = folder.path().join("ids.txt");
    std::fs::write(&ids, "3\nfour\n").unwrap();
    for (arguments, says) in [
        (vec!["pmrc"], "a new study needs a directory: -o DIR"),
        (vec![folder.path().to_str().unwrap()], "holds no study to continue"),
        (vec!["pmcr", "-o", output], "no variant `pmcr`; did you mean"),
        (vec!["chess99", "-o", output], "is counted and listed only"),
        (
            vec!["crc", "-o", output, "--setups", "1600..1700"],
            "setups 1600..1700 go past the end: the ids of crc are 0 to 1679",
        ),
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
fn two_players_have_both_armies_and_one_has_the_first_move_with_each() {
    let (_folder, one, other) = twice();
    let options =
        ["cwda-fide-rookies", "--setups", "random:2", "--pairs", "--nodes", "5", "--max-plies", "12"];
    let first_moves = |table: &[u8]| -> Vec<bool> {
        column(table, "fen").iter().map(|fen| fen.split(' ').nth(1) == Some("w")).collect()
    };
    let of_armies = games(&one, &options);
    assert_eq!(first_moves(&of_armies), [true, false, true, false]);
    let of_players = games(&other, &[&options[..], &["--black-option", "NetFile=general"]].concat());
    assert_eq!(first_moves(&of_players), [true; 4]);
    assert_eq!(column(&of_players, "white"), ["builtin-1", "builtin-2", "builtin-1", "builtin-2"]);
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

/// Readers take a game that names no variant for orthodox chess.
#[test]
fn orthodox_chess_is_exported_as_every_reader_expects() {
    let (_folder, one, _) = twice();
    games(&one, &["chess", "--games", "2", "--nodes", "40", "--seed", "3"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    let output = command.args(["export", one.to_str().unwrap(), "--format", "pgn"]).output().unwrap();
    let pgn = String::from_utf8(output.stdout).unwrap();
    assert!(!pgn.contains("[Variant "), "{pgn}");
    assert!(pgn.contains("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n"), "{pgn}");
}

#[test]
fn games_by_the_clock_lose_nobody_on_time() {
    let (_folder, one, _) = twice();
    let uci = format!("{} uci", env!("CARGO_BIN_EXE_backrank"));
    let study = ["chess960", "--setups", "0..2", "--pairs", "--black", &uci, "--tc", "60/1:00+0.01"];
    // Far less than the clock would give: nodes end each search.
    let played = games(&one, &[&study[..], &["--nodes", "200", "--threads", "1"]].concat());
    assert_eq!(column(&played, "result").len(), 4);
    assert!(
        !column(&played, "termination").iter().any(|ending| ending == "time" || ending == "engine-failure")
    );
    let question = std::fs::read_to_string(one.join("study.toml")).unwrap();
    assert!(question.contains("nodes = 200\nclock = \"60/60+0.01\"\n"), "{question}");
    assert!(refusal(&["chess960", "-o", "nowhere", "--tc", "fast"]).contains("such as 10+0.1"));
}

//! Games that start from positions of recorded games, without a piece.

use backrank_rules::{Game, Position, Rules, Variant};

use super::*;

/// Recorded games of so many plies at most, and the path of their directory.
fn source(folder: &Path, max_plies: &str) -> String {
    let path = folder.join("source");
    games(&path, &["pmrc", "--setups", "random:16", "--nodes", "100", "--max-plies", max_plies]);
    path.to_str().unwrap().to_string()
}

fn what_if<'a>(source: &'a str, odds: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let asked =
        ["--from", source, "--at-plies", "40,12", "--odds", odds, "--nodes", "20", "--max-plies", "16"];
    [&asked[..], more].concat()
}

/// How many of each letter a position has.
fn letters(fen: &str) -> std::collections::BTreeMap<char, usize> {
    let mut counts = std::collections::BTreeMap::new();
    let board = fen.split(' ').next().unwrap();
    board.chars().filter(|c| c.is_alphabetic()).for_each(|letter| *counts.entry(letter).or_default() += 1);
    counts
}

#[test]
fn a_piece_of_either_side_is_taken_from_recorded_positions() {
    let (folder, one, other) = twice();
    let source = source(folder.path(), "90");
    let recorded = std::fs::read(Path::new(&source).join("games.csv")).unwrap();
    let played = games(&one, &what_if(&source, "N:-", &[]));
    assert!(
        games(&other, &[&["pmrc"][..], &what_if(&source, "N:-", &["--threads", "3"])].concat()) == played
    );

    let rules = Rules::new(&Variant::find("pmrc").unwrap());
    let [fens, source_games, plies, odds] =
        ["fen", "source_game", "source_ply", "odds"].map(|name| column(&played, name));
    assert!(fens.len() >= 20, "{} games", fens.len());
    assert_eq!(odds, ["N:-", "-:N"].repeat(fens.len() / 2));
    for (pair, fens) in fens.chunks(2).enumerate() {
        let (game, ply): (usize, usize) =
            (source_games[2 * pair].parse().unwrap(), plies[2 * pair].parse().unwrap());
        assert_eq!(
            (&source_games[2 * pair], &plies[2 * pair]),
            (&source_games[2 * pair + 1], &plies[2 * pair + 1])
        );
        assert!((12..22).contains(&ply) || (40..50).contains(&ply), "{ply}");
        for name in ["setup", "white_rank", "black_rank"] {
            assert_eq!(
                column(&played, name)[2 * pair],
                column(&recorded, name)[game],
                "the setup of the game"
            );
        }
        // The recorded position: quiet, and the same but for the knight.
        let start = Position::from_fen(&rules, &column(&recorded, "fen")[game]).unwrap();
        let mut replayed = Game::new(start);
        for text in column(&recorded, "moves")[game].split(' ').take(ply) {
            let next = replayed.position().parse_uci(text).unwrap();
            replayed.play(next);
        }
        let position = replayed.position();
        assert!(!position.is_check());
        for (fen, knight) in fens.iter().zip(['N', 'n']) {
            let start = Position::from_fen(&rules, fen).unwrap();
            assert_eq!(start.side_to_move(), position.side_to_move());
            let mut full = letters(&position.to_fen());
            *full.get_mut(&knight).unwrap() -= 1;
            full.retain(|_, count| *count > 0);
            assert_eq!(letters(fen), full, "{position}");
            let gone: Vec<_> =
                position.all_pieces().filter(|&(square, ..)| start.piece_at(square).is_none()).collect();
            assert_eq!(gone.len(), 1);
        }
    }
    // Positions after 12 and after 40 plies in turn.
    assert!(plies[0].parse::<u32>().unwrap() < 22 && plies[2].parse::<u32>().unwrap() >= 40, "{plies:?}");
    let pairs: std::collections::BTreeSet<_> = source_games.iter().zip(&plies).collect();
    assert_eq!(2 * pairs.len(), fens.len(), "no position twice");
}

#[test]
fn values_of_positions_at_a_ply_are_named_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let source = source(folder.path(), "90");
    let whole_games = ["--max-plies", "400", "--nodes", "60"];
    let studies = ["P:-", "N:P", "R:-"].map(|odds| {
        let path = folder.path().join(odds.replace(':', "-"));
        let asked = ["--from", &source, "--at-plies", "12,40", "--odds", odds];
        let played = games(&path, &[&asked[..], &whole_games].concat());
        (path, column(&played, "source_ply"))
    });
    let values = folder.path().join("values.csv");
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.arg("values").args(studies.iter().map(|(path, _)| path)).arg("--json").arg("--csv").arg(&values);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = &found["imbalances"];
    assert_eq!(found["imbalances"], serde_json::json!([]), "no game starts from a setup");
    for (at, by_ply) in [12, 40].into_iter().zip(found["by_ply"].as_array().unwrap()) {
        assert_eq!(by_ply["ply"], at);
        let in_stage = |ply: &String| (at..at + 10).contains(&ply.parse().unwrap());
        let all: usize =
            studies.iter().map(|(_, plies)| plies.iter().filter(|&ply| in_stage(ply)).count()).sum();
        let imbalances = by_ply["values"]["imbalances"].as_array().unwrap();
        let pairs: u64 = imbalances
            .iter()
            .flat_map(|found| found["pairs"].as_array().unwrap())
            .map(|n| n.as_u64().unwrap())
            .sum();
        assert_eq!(2 * pairs, all as u64, "ply {at}");
    }
    let table = std::fs::read(&values).unwrap();
    let plies = column(&table, "at_ply").into_iter().filter(|ply| !ply.is_empty()).collect::<Vec<_>>();
    assert_eq!(plies, ["12", "12", "12", "40", "40", "40"]);
}

#[test]
fn a_study_from_recorded_positions_is_sharded_and_continued_while_its_source_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let source = source(folder.path(), "60");
    // A source that is not finished.
    let recorded = path("source").join("games.csv");
    let complete = std::fs::read(&recorded).unwrap();
    std::fs::write(&recorded, &complete[..complete.len() * 3 / 4]).unwrap();
    let asked = what_if(&source, "Q:2N+P", &["--games", "8", "--seed", "5", "--balance", "300"]);
    let whole = games(&path("whole"), &asked);
    assert_eq!(column(&whole, "odds"), ["Q:2N+P", "2N+P:Q"].repeat(4));
    let shards: Vec<String> = (1..=2).map(|shard| path(&format!("s{shard}")).display().to_string()).collect();
    for (shard, directory) in (1..=2).zip(&shards) {
        games(Path::new(directory), &[&asked[..], &["--shard", &format!("{shard}/2")]].concat());
    }
    std::fs::write(&recorded, &complete).unwrap();
    let mut merge = Command::new(env!("CARGO_BIN_EXE_backrank"));
    merge.arg("merge").args(&shards).arg("-o").arg(path("merged")).assert().success();
    assert!(std::fs::read(path("merged").join("games.csv")).unwrap() == whole);

    let (directory, rows) = (path("whole").display().to_string(), path("whole").join("games.csv"));
    std::fs::write(&rows, &whole[..whole.len() / 2]).unwrap();
    play(&[&directory]).assert().success();
    assert!(std::fs::read(&rows).unwrap() == whole);

    // A row that says another source than the study's, and other games than those that it was begun with.
    let text = String::from_utf8(whole.clone()).unwrap();
    let last = text.lines().last().unwrap();
    let (rest, ply) = last.rsplit_once(',').unwrap();
    std::fs::write(&rows, text.replace(last, &format!("{rest},{}", ply.parse::<u32>().unwrap() + 1)))
        .unwrap();
    let refused = refusal(&[&directory]);
    assert!(refused.contains("line 9: the source is ply"), "{refused}");
    std::fs::write(&rows, text.replace(",source_game,source_ply", "")).unwrap();
    assert!(refusal(&[&directory]).contains("columns are missing: source_game, source_ply"));
    std::fs::write(&rows, &text).unwrap();
    let other =
        String::from_utf8(complete.clone()).unwrap().replacen("1/2-1/2,adjudication", "1-0,adjudication", 1);
    std::fs::write(&recorded, other).unwrap();
    let refused = refusal(&[&directory]);
    assert!(refused.contains("have changed since this study was begun"), "{refused}");
}

#[test]
fn wrong_options_with_recorded_positions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let source = source(folder.path(), "20");
    let nowhere = folder.path().join("study");
    let output = nowhere.to_str().unwrap();
    for (arguments, says) in [
        (&["--from", &source, "--at-plies", "12"][..], "--odds <WHITE:BLACK>"),
        (&["--from", &source, "--odds", "N:-"], "--at-plies <PLIES>"),
        (&["--at-plies", "12", "pmrc"], "--from <DIR>"),
        (&["--from", "nowhere", "--at-plies", "12", "--odds", "N:-"], "nowhere holds no study"),
        (
            &["chess", "--from", &source, "--at-plies", "12", "--odds", "N:-"],
            "its games are of pmrc, but this study is of chess",
        ),
        (
            &["--from", &source, "--at-plies", "500", "--odds", "N:-"],
            "none of its 16 games has a quiet position",
        ),
        (&["--from", &source, "--at-plies", "12", "--odds", "N:-", "--games", "400"], "enough for --games "),
        (&["--from", &source, "--at-plies", "12", "--odds", "3N:-"], "a side of pmrc has only 2 N"),
        (
            &["--from", &source, "--at-plies", "12", "--odds", "N:-", "--games", "3"],
            "so --games must be even, not 3",
        ),
        (
            &["--from", &source, "--at-plies", "12", "--odds", "N:-", "--opening-plies", "3"],
            "cannot be used with",
        ),
    ] {
        let refused = refusal(&[&["-o", output][..], arguments].concat());
        assert!(refused.contains(says), "{arguments:?}: {refused}");
        assert!(!nowhere.exists());
    }
}

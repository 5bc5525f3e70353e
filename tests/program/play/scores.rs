//! What players thought of their moves.

use super::*;

#[test]
fn scores_are_recorded_beside_the_games_and_change_none_of_their_bytes() {
    let (folder, one, other) = twice();
    let whole = games(&one, &STUDY);
    assert!(!one.join("scores.csv").exists());
    let study = [&STUDY[..], &["--scores"]].concat();
    assert!(games(&other, &study) == whole);
    let scores = std::fs::read_to_string(other.join("scores.csv")).unwrap();
    let rows: Vec<&str> = scores.lines().collect();
    assert_eq!(rows[0], "game,scores");
    assert_eq!(rows.len(), 25);
    for (row, (game, plies)) in rows[1..].iter().zip(column(&whole, "plies").iter().enumerate()) {
        let of_moves: Vec<&str> = row.split_once(',').unwrap().1.split(' ').collect();
        assert!(row.starts_with(&format!("{game},- - - - - - - - ")), "{row}");
        assert_eq!(of_moves.len().to_string(), *plies);
        assert!(of_moves[8..].iter().all(|score| score.contains('/')), "{row}");
    }
    // A mate in sight is told in plies.
    assert!(scores.contains(" M1/"), "{scores}");

    // Torn between the two files, and within a row of each.
    let directory = other.to_str().unwrap();
    let [games_bytes, scores_bytes] =
        ["games.csv", "scores.csv"].map(|file| std::fs::read(other.join(file)).unwrap());
    let end_of_row = |bytes: &[u8], row: usize| {
        bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(row).unwrap().0 + 1
    };
    for (games_rows, scores_rows, torn) in
        [(5, 5, 0), (5, 6, 0), (5, 6, 9), (0, 0, 0), (0, 1, 3), (24, 24, 0)]
    {
        let kept =
            |bytes: &[u8], rows: usize| bytes[..(end_of_row(bytes, rows) + torn).min(bytes.len())].to_vec();
        std::fs::write(other.join("games.csv"), kept(&games_bytes, games_rows)).unwrap();
        std::fs::write(other.join("scores.csv"), kept(&scores_bytes, scores_rows)).unwrap();
        play(&[directory]).assert().success();
        assert!(std::fs::read(other.join("games.csv")).unwrap() == games_bytes);
        assert!(std::fs::read(other.join("scores.csv")).unwrap() == scores_bytes);
    }

    // In parts.
    let shards = [1, 2, 3].map(|shard| {
        let directory = folder.path().join(shard.to_string());
        games(&directory, &[&study[..], &["--shard", &format!("{shard}/3")]].concat());
        directory.to_str().unwrap().to_string()
    });
    let merged = folder.path().join("merged");
    let mut merge = Command::new(env!("CARGO_BIN_EXE_backrank"));
    merge.arg("merge").args(&shards).arg("-o").arg(&merged).assert().success();
    assert!(std::fs::read(merged.join("scores.csv")).unwrap() == scores_bytes);
    assert!(std::fs::read(merged.join("games.csv")).unwrap() == games_bytes);

    // Fewer scores than games, after a crash that took some of them: the games without are played again.
    for kept in [rows[..3].join("\n") + "\n", String::new()] {
        std::fs::write(other.join("scores.csv"), kept).unwrap();
        play(&[directory]).assert().success();
        assert!(std::fs::read(other.join("games.csv")).unwrap() == games_bytes);
        assert!(std::fs::read(other.join("scores.csv")).unwrap() == scores_bytes);
    }

    // What is wrong is named.
    for (text, says) in [
        (scores.replacen("\n3,", "\n4,", 1), "scores.csv, line 5: this is game 4, where game 3 should be"),
        (scores.replacen("\n3,- ", "\n3,", 1), "scores.csv, line 5: "),
        (
            scores.replacen("game,scores", "game,score", 1),
            "scores.csv, line 1: `score` is not a column of this scores.csv",
        ),
    ] {
        std::fs::write(other.join("scores.csv"), text).unwrap();
        let output = play(&[directory]).output().unwrap();
        assert!(!output.status.success() && stderr(&output).contains(says), "{}", stderr(&output));
    }
}

#[test]
fn scores_are_operations_in_epd_and_a_column_in_parquet() {
    let (folder, one, _) = twice();
    games(&one, &["chess960", "--setups", "0..3", "--nodes", "200", "--scores"]);
    let export = |format: &str, path: &str| {
        let path = folder.path().join(path);
        let mut export = Command::new(env!("CARGO_BIN_EXE_backrank"));
        export.args(["export", "--format", format]).arg(&one).arg("-o").arg(&path).assert().success();
        std::fs::read(path).unwrap()
    };
    let epd = String::from_utf8(export("epd", "games.epd")).unwrap();
    let scores = std::fs::read_to_string(one.join("scores.csv")).unwrap();
    assert_eq!((epd.lines().count(), scores.lines().count()), (3, 4));
    for (line, row) in epd.lines().zip(scores.lines().skip(1)) {
        let first = row.split([',', ' ']).skip(1).find(|&score| score != "-").unwrap();
        let (score, depth) = first.split_once('/').unwrap();
        assert!(line.contains(&format!(" ce {score}; acd {depth};")) && line.contains(" bm "), "{line}");
    }
    // python/tests reads it back.
    let parquet = export("parquet", "games.parquet");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
}

#[test]
fn scores_are_comments_in_pgn() {
    let (_folder, one, _) = twice();
    games(&one, &["chess960", "--setups", "0..3", "--nodes", "200", "--scores"]);
    let mut export = Command::new(env!("CARGO_BIN_EXE_backrank"));
    let export = export.args(["export", "--format", "pgn"]).arg(&one).assert().success();
    let pgn = String::from_utf8(export.get_output().stdout.clone()).unwrap();
    let scores = std::fs::read_to_string(one.join("scores.csv")).unwrap();
    let of_moves: Vec<&str> = scores
        .lines()
        .skip(1)
        .flat_map(|row| row.split([',', ' ']).skip(1))
        .filter(|&score| score != "-")
        .collect();
    let comments: Vec<&str> = pgn.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0).collect();
    assert_eq!(comments.len(), of_moves.len());
    for (comment, score) in comments.into_iter().zip(of_moves) {
        let (score, depth) = score.split_once('/').unwrap();
        let shown = match score.parse::<f64>() {
            Ok(centipawns) => format!("{:+.2}/{depth}", centipawns / 100.0),
            Err(_) if score.starts_with('-') => format!("{score}/{depth}"),
            Err(_) => format!("+{score}/{depth}"),
        };
        assert_eq!(comment, shown);
    }
}

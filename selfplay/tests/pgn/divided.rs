//! Where games end and begin.

use super::{importer, read, told};

#[test]
fn a_game_ends_at_its_result_at_tags_and_at_move_number_1() {
    for (text, games) in [
        // At its result, on a line or on several, with and without tags.
        ("1. e4 e5 1-0\n\n1. d4 d5 0-1\n", &["e2e4 e7e5", "d2d4 d7d5"][..]),
        ("1. e4 e5 1-0 1. d4 d5 0-1", &["e2e4 e7e5", "d2d4 d7d5"]),
        ("e4 e5 1-0 d4 d5 0-1", &["e2e4 e7e5", "d2d4 d7d5"]),
        ("1. e4 e5 * {a comment} *\n1. d4 *", &["e2e4 e7e5", "d2d4"]),
        ("1. e4 e5 1/2 1. d4 d5 ½-½ 1. c4 1 - 0", &["e2e4 e7e5", "d2d4 d7d5", "c2c4"]),
        // At tags.
        ("[White \"a\"]\n1. e4 e5\n[White \"b\"]\n1. d4", &["e2e4 e7e5", "d2d4"]),
        ("[White \"a\"]1. e4 e5[White \"b\"]1. d4", &["e2e4 e7e5", "d2d4"]),
        ("1. e4 e5 1-0 [White \"b\"]\n[Black \"c\"]\n\n1. d4", &["e2e4 e7e5", "d2d4"]),
        ("1. e4 e5 1-0\n  \u{a0}[White \"b\"]\n[Black \"c\"]\n\n1. d4", &["e2e4 e7e5", "d2d4"]),
        ("1. e4 e5\r\r[White \"b\"]\r\r1. d4\r", &["e2e4 e7e5", "d2d4"]),
        // At move number 1 again.
        ("1. e4 e5\n\n1. d4 d5\n\n1. c4", &["e2e4 e7e5", "d2d4 d7d5", "c2c4"]),
        ("1. e4\n1. d4\n1. c4", &["e2e4", "d2d4", "c2c4"]),
        ("1. e4 e5 1. d4 d5", &["e2e4 e7e5", "d2d4 d7d5"]),
        ("1 e4 e5\n1 d4 d5", &["e2e4 e7e5", "d2d4 d7d5"]),
        ("0. e4 e5 1. Nf3 Nc6 *", &["e2e4 e7e5 g1f3 b8c6"]),
        // Without any number, at an empty line.
        ("e4 e5\n\nd4 d5\n", &["e2e4 e7e5", "d2d4 d7d5"]),
        // But not at Black's number 1, in a variation or in a comment.
        ("1. e4 {a comment} 1... e5 2. Nf3", &["e2e4 e7e5 g1f3"]),
        ("1. e4 1. ... e5", &["e2e4 e7e5"]),
        ("1. e4 1. e5", &["e2e4 e7e5"]),
        ("1. e4 e5 (1... c5\n1. d4) 2. Nf3", &["e2e4 e7e5 g1f3"]),
        ("1. e4 e5 {\n1. d4 1-0\n[White \"b\"]\n} 2. Nf3", &["e2e4 e7e5 g1f3"]),
        ("1. e4 e5 ; 1. d4 [White \"b\"] {\n2. Nf3", &["e2e4 e7e5 g1f3"]),
        ("1. e4 e5\n% 1. d4 {\n2. Nf3", &["e2e4 e7e5 g1f3"]),
        ("1. e4 {100\n% of} e5\n\n\n2. Nf3", &["e2e4 e7e5 g1f3"]),
        ("1. e4 e5 [%clk 0:01:00] [a remark] [#] 2. Nf3", &["e2e4 e7e5 g1f3"]),
        // What stands before, between and after games is none.
        ("Games of the club, 1924\n\n1. e4 *", &["e2e4"]),
        ("{All games}\n\n[White \"a\"]\n\n1. e4 *\n\n{The end}\n% done\n; done\n\u{1a}", &["e2e4"]),
    ] {
        let (records, imported) = read(&importer("chess"), text.as_bytes()).unwrap();
        let moves: Vec<&str> = records.iter().map(|record| &*record.moves).collect();
        assert_eq!(moves, games, "{text:?}: {imported:?}");
        assert_eq!(imported.read, games.len() as u64, "{text:?}: {imported:?}");
    }
    // A game from a position counts from there, and what comes after it from 1 again.
    let shuffled =
        "[FEN \"nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w KQkq - 0 12\"]\n12. g3 g6 13. d3\n\n1. e4 *\n";
    assert_eq!(
        told("chess960", shuffled.as_bytes()),
        ["g2g3 g7g6 d2d3 * unfinished", "no starting position: 1"]
    );
}

#[test]
fn a_game_that_is_wrong_is_counted_and_ends_where_it_ends() {
    let next = "1. d4 d5 0-1\n";
    for (text, why) in [
        ("1. e4 e5 2. Nf5 Nc6 3. Bb5 1-0", "an illegal move"),
        ("1. e4 e5 2. N f3 Nc6 1-0", "an illegal move"),
        ("1. e4 e5 2. Nf Nc6 1-0", "an illegal move"),
        ("1. e4 e5 2. -- Nc6 1-0", "a null move"),
        ("1. e4 e5 2. Z0 Nc6 1-0", "a null move"),
        ("1. e4 e5 1-0 0-1", "contradictory results"),
        ("[Result \"won\"]\n\n1. e4 e5 *", "a wrong result"),
        ("[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0", "a wrong result"),
        ("[Variant \"Atomic\"]\n\n1. e4 e5 1-0", "another variant"),
        ("[FEN \"8/8 w - -\"]\n\n1. e4 *", "not a position of the variant"),
        ("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Ke2 *", "not a setup of the variant"),
        ("[White here]\n\n1. e4 *", "not PGN"),
        ("[White \"here]\n\n1. e4 *", "not PGN"),
        ("[White \"a\"]\n\n*", "no moves"),
        ("[White \"a\"]\n\n[White \"b\"]\n\n1-0", "no moves"),
        ("1. e4 {no end", "not PGN"),
        ("1. e4 (1. d4 {a comment} d5 1-0", "not PGN"),
    ] {
        let games = if text.matches("[White").count() == 2 { 2 } else { 1 };
        for (before, after) in [("", ""), (next, "d2d4 d7d5 0-1 resignation")] {
            let whole = format!("{before}\n{text}\n\n{next}");
            let mut right = vec!["d2d4 d7d5 0-1 resignation".to_string(), format!("{why}: {games}")];
            if !after.is_empty() {
                right.insert(0, after.to_string());
            }
            assert_eq!(told("chess", whole.as_bytes()), right, "{whole:?}");
        }
    }
}

#[test]
fn the_line_of_what_is_wrong_is_told() {
    for (text, line) in [
        ("1. e4 *\n\n1. e5 *\n", 3),
        ("1. e4 *\r\r1. e5 *\r", 3),
        ("1. e4 *\r\n\r\n1. e5 *\r\n", 3),
        ("[White \"a\"]\n\n1. e4\ne5 2. Nf4 *\n", 4),
        ("1. e4 * [White \"a\"]\n[Variant \"Atomic\"]\n\n1. d4 *\n", 1),
        ("1. e4 *\n\n[Variant \"Atomic\"]\n\n1. d4 *\n", 3),
    ] {
        let (_, imported) = read(&importer("chess"), text.as_bytes()).unwrap();
        let lines: Vec<u64> = imported.left_out.values().map(|left_out| left_out.line).collect();
        assert_eq!(lines, [line], "{text:?}");
    }
}

/// 17 MiB of games without a tag, on one line and on many: more than a single game may have.
#[test]
fn games_without_tags_are_divided_in_archives_of_any_size() {
    for end in [" ", "\n"] {
        let text = format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0{end}").repeat(500_000);
        let importer = backrank_selfplay::import::Importer::new(
            &backrank_rules::Variant::find("chess").unwrap(),
            backrank_selfplay::import::ImportOptions { min_elo: Some(1), ..Default::default() },
        );
        let (_, imported) = read(&importer.unwrap(), text.as_bytes()).unwrap();
        assert_eq!((imported.read, imported.below_min_elo), (500_000, 500_000), "{end:?}");
    }
}

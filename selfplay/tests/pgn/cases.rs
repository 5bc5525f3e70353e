//! Archives after bug reports of other programs, each with its right answer.

use super::{importer, read, told};

macro_rules! case {
    ($name:literal) => {
        include_bytes!(concat!("cases/", $name))
    };
}

#[test]
fn archives_from_the_field_are_read() {
    const FOUR: &str = "e2e4 e7e5 g1f3 b8c6 * unfinished";
    const TWO: &str = "e2e4 e7e5 * unfinished";
    const CHESS960: &str = "g2g3 g7g6 f1g2 f8g7 g1h1 g8h8 d2d3 d7d6 * unfinished";
    const EN_PASSANT: &str = "e2e4 d7d5 e4e5 f7f5 e5f6 * unfinished";
    const MATE: &str = "f2f3 e7e5 g2g4 d8h4 0-1 checkmate";
    let cases: [(&str, &[u8], &[&str]); 29] = [
        ("capablanca-random", case!("capa.pgn"), &[TWO]),
        ("chess", case!("commas.pgn"), &[FOUR]),
        ("chess", case!("dots-after-number.pgn"), &[FOUR]),
        ("chess", case!("dots-apart.pgn"), &[TWO]),
        ("chess", case!("dots-split.pgn"), &[TWO]),
        ("chess", case!("draw-offer.pgn"), &["e2e4 e7e5 g1f3 * unfinished"]),
        ("chess", case!("en-passant-glued.pgn"), &[EN_PASSANT]),
        ("chess", case!("en-passant-in-parentheses.pgn"), &[EN_PASSANT]),
        ("chess960", case!("frc.pgn"), &[CHESS960]),
        ("chess", case!("glyph-apart.pgn"), &[FOUR]),
        ("chess", case!("glyph-equal.pgn"), &[FOUR]),
        ("chess", case!("glyph-glued.pgn"), &[FOUR]),
        ("chess", case!("glyph-in-parentheses.pgn"), &[FOUR]),
        ("chess", case!("glyph-latin1.pgn"), &[FOUR]),
        ("chess", case!("glyph-unicode.pgn"), &[FOUR]),
        ("chess", case!("long-algebraic.pgn"), &[FOUR]),
        ("chess", case!("mate-in-words.pgn"), &[MATE]),
        ("chess", case!("mate-sign-apart.pgn"), &[MATE]),
        ("chess", case!("nbsp.pgn"), &["e2e4 e7e5 g1f3 1-0 resignation", "e2e4 e7e5 1-0 resignation"]),
        ("chess", case!("norestwo.pgn"), &["e2e4 e7e5 1-0 resignation", "d2d4 d7d5 * unfinished"]),
        ("chess", case!("novelty.pgn"), &[FOUR]),
        ("chess", case!("pctcomment.pgn"), &["e2e4 e7e5 1-0 resignation", "d2d4 d7d5 0-1 resignation"]),
        (
            "chess",
            case!("resconf.pgn"),
            &[
                "e2e4 e7e5 g1f3 b8c6 1-0 resignation",
                "e2e4 e7e5 g1f3 b8c6 0-1 resignation",
                "e2e4 e7e5 g1f3 b8c6 1-0 resignation",
                "e2e4 e7e5 g1f3 b8c6 0-1 resignation",
                "e2e4 e7e5 g1f3 b8c6 0-1 resignation",
                "contradictory results: 1",
            ],
        ),
        (
            "chess",
            case!("results.pgn"),
            &[
                "e2e4 e7e5 g1f3 b8c6 1/2-1/2 agreement",
                "e2e4 e7e5 g1f3 b8c6 1/2-1/2 agreement",
                "e2e4 e7e5 g1f3 b8c6 1/2-1/2 agreement",
                "e2e4 e7e5 g1f3 b8c6 1/2-1/2 agreement",
                "e2e4 e7e5 g1f3 b8c6 1-0 resignation",
                "a wrong result: 1",
            ],
        ),
        ("chess", case!("sameline.pgn"), &["e2e4 e7e5 1-0 resignation", "d2d4 d7d5 0-1 resignation"]),
        (
            "chess",
            case!("scores2.pgn"),
            &["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 b7b5 a4b3 c6a5 e1h1 d7d6 c2c3 a5b3 * unfinished"],
        ),
        ("chess960", case!("semic.pgn"), &[CHESS960]),
        (
            "chess",
            case!("utf16.pgn"),
            &[
                "the games: this is text in UTF-16, not PGN as plain text; convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8",
            ],
        ),
        ("chess960", case!("zeroz.pgn"), &[CHESS960]),
    ];
    for (index, (key, text, right)) in cases.into_iter().enumerate() {
        assert_eq!(told(key, text), right, "case {index}:\n{}", String::from_utf8_lossy(text));
        // The same with other line ends.
        if !text.contains(&0) {
            let text = String::from_utf8_lossy(text);
            for end in ["\r\n", "\r"] {
                assert_eq!(told(key, text.replace('\n', end).as_bytes()), right, "case {index}, {end:?}");
            }
        }
    }
}

#[test]
fn how_a_game_ended_is_what_its_site_says() {
    let (records, _) = read(&importer("chess"), case!("chesscom_term.pgn")).unwrap();
    let endings: Vec<String> = records.iter().map(|record| record.termination.to_string()).collect();
    let ended = [
        "time",
        "resignation",
        "abandoned",
        "time",
        "time",
        "time",
        "time",
        "rules",
        "engine-failure",
        "engine-failure",
        "abandoned",
    ];
    assert_eq!(endings, ended);
    for (tags, moves, ended) in [
        ("[Result \"1-0\"]", "1. e4 e5 {Black resigns} 1-0", "1-0 resignation"),
        ("[Result \"1-0\"]", "1. e4 e5 1-0 {Black forfeits on time}", "1-0 time"),
        ("[Result \"1-0\"]", "1. e4 {Black resigns here in many games} e5 1-0", "1-0 resignation"),
        ("[Result \"0-1\"]", "1. e4 {White lost on time in another game} e5 0-1", "0-1 resignation"),
        ("[Result \"1/2-1/2\"]", "1. e4 e5 {Game drawn by repetition} 1/2-1/2", "1/2-1/2 rules"),
        ("[Result \"1/2-1/2\"]", "1. e4 e5 {Game drawn by mutual agreement} 1/2-1/2", "1/2-1/2 agreement"),
        (
            "[Result \"1-0\"]\n[Termination \"normal\"]",
            "1. e4 e5 {+1.0/9 1s, Black resigns} 1-0",
            "1-0 resignation",
        ),
        ("[Result \"1-0\"]\n[Termination \"adjudication\"]", "1. e4 e5 {+9.0/9 1s} 1-0", "1-0 adjudication"),
        (
            "[Result \"1-0\"]\n[ICCResult \"Black disconnected and forfeits\"]",
            "1. e4 e5 1-0",
            "1-0 abandoned",
        ),
        // Nobody has won or drawn a game that was broken off.
        ("[Result \"*\"]", "1. e4 e5 {Game aborted by mutual agreement} *", "* unfinished"),
        // What the moves show comes first.
        ("[Result \"0-1\"]\n[Termination \"time forfeit\"]", "1. f3 e5 2. g4 Qh4 0-1", "0-1 checkmate"),
        ("[Result \"1/2-1/2\"]\n[Ending \"rules\"]", "1. e4 e5 1/2-1/2", "1/2-1/2 rules"),
    ] {
        let games = told("chess", format!("{tags}\n\n{moves}\n").as_bytes());
        assert_eq!(games.len(), 1, "{moves}: {games:?}");
        assert!(games[0].ends_with(&format!(" {ended}")), "{tags} {moves}: {games:?}");
    }
}

#[test]
fn names_are_those_of_their_encoding() {
    let (records, _) = read(&importer("chess"), case!("cp1252b.pgn")).unwrap();
    let names: Vec<&str> = records.iter().flat_map(|record| [&*record.white, &*record.black]).collect();
    assert_eq!(names, ["Šariæ O’Brien", "Žukov", "šariæ O’Brien", "žukov"]);
}

#[test]
fn tags_are_read_in_any_form() {
    let moves = "1. e4 e5 1-0";
    for tags in [
        "[White \"A\"]\n[Black \"B\"]\n\n",
        "[white \"A\"]\n[BLACK \"B\"]\n\n",
        "  [White \"A\"]\n\t[Black \"B\"]\n\n",
        "[White \"A\"][Black \"B\"]",
        "[White \"A\"] [Black \"B\"] ",
        "[ White \"A\" ]\n[Black\t\"B\"  ]\n",
        "[White \"A\"]\r[Black \"B\"]\r\r",
        "\u{feff}[White \"A\"]\n\u{feff}[Black \"B\"]\n\n",
        "[White \"A\"]\n\n[Black \"B\"]\n\n",
        "% an escape\n[White \"A\"]\n; a comment\n[Black \"B\"]\n{a comment}\n",
        "[White \"A\"\n[Black \"B\"\n\n",
    ] {
        let (records, imported) = read(&importer("chess"), format!("{tags}{moves}\n").as_bytes()).unwrap();
        assert_eq!((imported.read, imported.games), (1, 1), "{tags:?}");
        assert_eq!((&*records[0].white, &*records[0].black), ("A", "B"), "{tags:?}");
    }
    for (tag, name) in [
        (r#"[White "O\"Neil \"Jr\""]"#, "O\"Neil \"Jr\""),
        (r#"[White "O"Neil "Jr""]"#, "O\"Neil \"Jr\""),
        (r#"[White "C:\games\"]"#, "C:games\\"),
        (r#"[White "A]B [C]"]"#, "A]B [C]"),
    ] {
        let (records, _) = read(&importer("chess"), format!("{tag}\n\n{moves}\n").as_bytes()).unwrap();
        assert_eq!(records[0].white, name, "{tag}");
    }
}

#[test]
fn castling_is_written_in_several_ways() {
    let fen = "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh";
    for (castling, white, black) in [
        // The minister stands to the left of White's king and to the right of Black's.
        ("O-M-O", "e1a1", "e9i9"),
        ("O-Q-O", "e1i1", "e9a9"),
        ("O-O-Oc", "e1a1", "e9a9"),
        ("O-M-O+", "e1a1", "e9i9"),
        ("0-Q-0", "e1i1", "e9a9"),
    ] {
        for (side, square) in [("w", white), ("b", black)] {
            let fen = fen
                .replace("rnbqkmbnr", "r3k3r")
                .replace("RNBMKQBNR", "R3K3R")
                .replace(" w ", &format!(" {side} "));
            let variant = backrank_rules::Variant::find("modern").unwrap();
            let rules = backrank_rules::Rules::new(&variant);
            let position =
                backrank_rules::Position::from_fen(&rules, &fen.replace(" BCDFGHbcdfgh", "")).unwrap();
            let played = position.parse_move(castling).unwrap();
            assert_eq!(played.uci(position.board()), square, "{castling} {side}");
        }
    }
}

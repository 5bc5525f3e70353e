//! Positions as text: what is wrong where, and round trips.

use crate::common::{self, Numbers, castling_rights, fen, rules};
use backrank_rules::{FenError, Position, Rules, Side, catalogue};

fn error(variant: &str, text: &str) -> FenError {
    let rules = rules(variant);
    match Position::from_fen(&rules, text) {
        Ok(position) => panic!("{text} was read as {position}"),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            error
        }
    }
}

fn square(text: &str) -> String {
    text.to_string()
}

#[test]
fn every_problem_names_its_field() {
    use FenError::*;
    let kings = "4k3/8/8/8/8/8/8/4K3";
    let with = |rest: &str| format!("{kings} {rest}");
    for (text, expected) in [
        (String::new(), Fields { found: 0 }),
        (kings.to_string(), Fields { found: 1 }),
        (with("w - - 0 1 - -"), Fields { found: 8 }),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1".into(), Ranks { found: 7, expected: 8 }),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1".into(), Ranks { found: 9, expected: 8 }),
        ("4k3/8/8/8/8/8/pp7/4K3 w - - 0 1".into(), RankTooLong { rank: 2, by: 1, expected: 8 }),
        ("4k3/8/8/12/8/8/8/4K3 w - - 0 1".into(), RankTooLong { rank: 5, by: 4, expected: 8 }),
        ("4k3/8/8/8/8/7/8/4K3 w - - 0 1".into(), RankTooShort { rank: 3, by: 1, expected: 8 }),
        ("4k3/8//8/8/8/8/4K3 w - - 0 1".into(), RankTooShort { rank: 6, by: 8, expected: 8 }),
        (
            "4k3/8/8/8/8/8/8/4KX2 w - - 0 1".into(),
            UnknownPiece { letter: 'X', rank: 1, known: "PBKNQR".into() },
        ),
        (
            "4k3/8/8/8/8/8/8/4Ké2 w - - 0 1".into(),
            UnknownPiece { letter: 'é', rank: 1, known: "PBKNQR".into() },
        ),
        ("4k3/08/8/8/8/8/8/4K3 w - - 0 1".into(), ZeroRun { rank: 7 }),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1".into(), NoKing { side: Side::Black }),
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1".into(), ManyKings { side: Side::White, kings: 2 }),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1".into(), PawnRank { side: Side::White, square: square("h8") }),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1".into(), PawnRank { side: Side::Black, square: square("a1") }),
        (with("x - - 0 1"), SideToMove { found: "x".into() }),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1".into(), NotToMoveInCheck { side: Side::White }),
        (with("w X - 0 1"), CastlingLetter { letter: 'X' }),
        (with("w K - 0 1"), CastlingPartner { letter: 'K', side: Side::White, partner: "R".to_string() }),
        (with("w a - 0 1"), CastlingPartner { letter: 'a', side: Side::Black, partner: "R".to_string() }),
        ("4k3/8/8/8/8/8/4K3/R7 w A - 0 1".into(), CastlingKing { letter: 'A', side: Side::White }),
        ("4k3/8/8/8/8/8/8/R3K3 w AA - 0 1".into(), CastlingTwice { letter: 'A', side: Side::White }),
        (
            "4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1".into(),
            CastlingHome { letter: 'B', side: Side::White, squares: "Ke1, Ra1, Rh1".into() },
        ),
        (with("w - e9 0 1"), EnPassantSquare { found: "e9".into() }),
        (with("w - é 0 1"), EnPassantSquare { found: "é".into() }),
        (with("w - e6 0 1"), EnPassantImpossible { square: square("e6") }),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e5 0 1".into(), EnPassantImpossible { square: square("e5") }),
        ("4k3/4p3/8/3Pp3/8/8/8/4K3 w - e6 0 1".into(), EnPassantImpossible { square: square("e6") }),
        ("4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1".into(), EnPassantImpossible { square: square("e6") }),
        (with("w - - x 1"), HalfmoveClock { found: "x".into() }),
        (with("w - - -1 1"), HalfmoveClock { found: "-1".into() }),
        (with("w - - +1 1"), HalfmoveClock { found: "+1".into() }),
        (with("w - - 65536 1"), HalfmoveClock { found: "65536".into() }),
        (with("w - - 0 -1"), FullmoveNumber { found: "-1".into() }),
        (with("w - - 0 4294967296"), FullmoveNumber { found: "4294967296".into() }),
        (with("w - - 0 1 X"), UnmovedLetter { letter: 'X' }),
        (with("w - - 0 1 C"), UnmovedPiece { letter: 'C', side: Side::White, square: square("c1") }),
        (
            with("w - - 0 1 e").replace("4k3", "3k4"),
            UnmovedPiece { letter: 'e', side: Side::Black, square: square("e8") },
        ),
        (with("w - - 0 1 EE"), UnmovedTwice { letter: 'E' }),
    ] {
        assert_eq!(error("chess", &text), expected, "{text}");
    }
    assert_eq!(error("merc", "4k3/8/8/8/8/8/8/R3K3 w A - 0 1"), NoCastling { letter: 'A' });
}

#[test]
fn the_last_three_fields_may_be_missing() {
    let rules = rules("modern");
    let whole = "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1 -";
    for text in
        [whole, &whole[..whole.len() - 2], "4k4/9/9/9/9/9/9/9/4K4 w - - 0", "4k4/9/9/9/9/9/9/9/4K4 w - -"]
    {
        assert_eq!(fen(&rules, text).to_fen(), whole);
    }
}

#[test]
fn there_is_a_seventh_field_only_where_unmoved_pieces_may_have_moves_of_their_own() {
    for variant in catalogue().filter(|variant| !variant.count_only) {
        let rules = Rules::new(&variant);
        let start = Position::new(&rules, &variant.written_setup()).unwrap();
        let has_seventh = ["mrc", "pmrc", "modern", "pmc", "mmcc", "crc", "icrc", "merc"];
        // Where checks win, their numbers are a field of their own.
        let usual = 6 + usize::from(variant.checks > 0);
        let fields = usual + usize::from(has_seventh.contains(&variant.key.as_str()));
        let text = start.to_fen();
        assert_eq!(text.split(' ').count(), fields, "{}: {text}", variant.key);
        assert_eq!(start.to_standard_fen().split(' ').count(), usual);
        assert!(text.starts_with(&start.to_standard_fen()));
        let with_seven = format!("{} -", start.to_standard_fen());
        assert!(Position::from_fen(&rules, &with_seven).is_ok(), "{with_seven}");
    }
    let chess = rules("chess");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(fen(&chess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1 -").to_fen(), start);
}

#[test]
fn castling_rights_in_letters_of_orthodox_chess() {
    let chess = rules("chess");
    assert_eq!(castling_rights(&fen(&chess, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")), "KQkq");
    assert_eq!(castling_rights(&fen(&chess, "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1")), "KQkq");
    assert_eq!(castling_rights(&fen(&chess, "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")), "Kq");
    assert_eq!(castling_rights(&fen(&chess, "rr2k1rr/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1")), "KQkq");
    // Where kings castle from anywhere, a partner that is not the outermost one is named by its file.
    let anywhere = rules("chess").castling_from_anywhere();
    assert_eq!(castling_rights(&fen(&anywhere, "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1")), "GBgb");
    assert_eq!(castling_rights(&fen(&anywhere, "r3k1rr/8/8/8/8/8/8/R3K1RR w Gkq - 0 1")), "Gkq");
    for displaced in [
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w G - 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w b - 0 1",
        "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1",
        "r2k3r/8/8/8/8/8/8/R3K2R w ha - 0 1",
        "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
    ] {
        let error = Position::from_fen(&chess, displaced).unwrap_err();
        let is_said =
            matches!(error, FenError::CastlingHome { .. } | FenError::CastlingPartner { letter: 'K', .. });
        assert!(is_said, "{displaced}: {error}");
        assert!(Position::from_fen(&anywhere, displaced).is_ok(), "{displaced}");
    }
    let chess960 = rules("chess960");
    assert_eq!(castling_rights(&fen(&chess960, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")), "AHah");
    // Where there is a k-file, K is that file if a partner stands there, and else the outermost one.
    let mmcc = rules("mmcc");
    assert_eq!(castling_rights(&fen(&mmcc, "5k5/11/11/11/11/11/11/R4K4R w KQ - 0 1")), "AK");
    assert_eq!(castling_rights(&fen(&mmcc, "5k5/11/11/11/11/11/11/R4K3R1 w KQ - 0 1")), "AJ");
}

#[test]
fn an_en_passant_square_is_there_only_where_a_pawn_can_take() {
    let rules = rules("modern");
    let alone = fen(&rules, "4k4/9/9/9/9/9/9/4P4/4K4 w - - 0 1");
    let played = alone.after(alone.parse_uci("e2e4").unwrap());
    assert_eq!(played.to_fen(), "4k4/9/9/9/9/4P4/9/9/4K4 b - - 0 1 -");
    let ready = fen(&rules, "4k4/9/9/9/9/3p5/9/4P4/4K4 w - - 0 1");
    let played = ready.after(ready.parse_uci("e2e4").unwrap());
    assert_eq!(played.to_fen(), "4k4/9/9/9/9/3pP4/9/9/4K4 b - e3 0 1 -");
    let dropped = fen(&rules, "4k4/9/9/9/9/4P4/9/9/4K4 b - e3 0 1");
    assert_eq!(dropped.en_passant(), None);
    assert_eq!(dropped.key(), alone.after(alone.parse_uci("e2e4").unwrap()).key());
    let chess = self::rules("chess");
    for (before, double_step, square) in [
        // The only pawn beside it is pinned: on a file, on a diagonal, or along the rank together with the pawn it would take.
        ("4k3/8/8/8/4p3/8/3P4/4R1K1 w - - 0 1", "d2d4", "-"),
        ("7k/8/8/8/3p4/8/1B2P3/7K w - - 0 1", "e2e4", "-"),
        ("8/8/8/8/k2p3R/8/4P3/7K w - - 0 1", "e2e4", "-"),
        // The step gives check by another piece, which taking the pawn does not answer.
        ("8/8/8/8/3p4/8/k3P2R/7K w - - 0 1", "e2e4", "-"),
        ("8/8/8/7k/3p4/8/4P3/3B3K w - - 0 1", "e2e4", "-"),
        // The pawn gives check itself, or one of two pawns is free.
        ("8/8/8/5k2/3p4/8/4P3/7K w - - 0 1", "e2e4", "e3"),
        ("4k3/8/8/8/2p1p3/8/3P4/4R1K1 w - - 0 1", "d2d4", "d3"),
    ] {
        let position = fen(&chess, before);
        let text = position.after(position.parse_uci(double_step).unwrap()).to_fen();
        assert_eq!(text.split(' ').nth(3), Some(square), "{text}");
        let claimed = text.replace(" - - ", &format!(" - {}3 ", &double_step[..1]));
        assert_eq!(fen(&chess, &claimed).to_fen(), text);
    }
}

/// Two Berolina pawns can have passed the same square, so the pawn is named, too, as Fairy-Stockfish does.
#[test]
fn the_en_passant_field_of_berolina_pawns_names_the_pawn() {
    let rules = rules("berolina960");
    for (before, double_step, field, takes) in [
        ("4k3/8/8/8/3pP3/8/4P3/4K3 w - - 0 1", "e2c4", "d3c4", "d4d3"),
        ("4k3/8/8/8/2Pp4/8/2P5/4K3 w - - 0 1", "c2e4", "d3e4", "d4d3"),
        // From White's end of the board the pawn comes first.
        ("4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1", "e7c5", "c5d6", "d5d6"),
        // Nobody stands ready to take, or the one that does would leave the diagonal to its king.
        ("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2c4", "-", ""),
        ("8/8/5k2/8/3p4/8/4P3/B3K3 w - - 0 1", "e2c4", "-", ""),
        // It stays on the file on which it shields its king.
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2c4", "d3c4", "d4d3"),
    ] {
        let position = fen(&rules, before);
        let after = position.after(position.parse_uci(double_step).unwrap());
        let text = after.to_fen();
        assert_eq!(text.split(' ').nth(3), Some(field), "{text}");
        assert_eq!(fen(&rules, &text), after);
        if takes.is_empty() {
            continue;
        }
        let (one, other) = field.split_at(2);
        assert_eq!(fen(&rules, &text.replace(field, &format!("{other}{one}"))), after);
        let taken = after.after(after.parse_uci(takes).unwrap());
        assert_eq!(
            taken.pieces(position.side_to_move()).count() + 1,
            position.pieces(position.side_to_move()).count()
        );
        assert!(taken.kind_at(after.en_passant_pawn().first().unwrap()).is_none());
    }
    let alone = "4k3/8/8/8/2Pp4/8/8/4K3 b - d3c4 0 1";
    assert_eq!(fen(&rules, &alone.replace("d3c4", "d3")).to_fen(), alone);
    // Which pawn has passed makes another position.
    let two = "4k3/8/8/8/2PpP3/8/8/4K3 b - d3c4 0 1";
    let [one, other] = [two, &two.replace("d3c4", "d3e4")].map(|text| fen(&rules, text));
    assert!(one != other && one.key() != other.key());
}

#[test]
fn unmoved_pieces_that_have_no_move_by_it_are_dropped() {
    let rules = rules("mmcc");
    let position = fen(&rules, "5k5/11/11/11/11/11/11/R1EB1K5 w A - 0 1 ACDF");
    assert_eq!(common::unmoved(&position), "CD");
}

#[test]
fn any_text_is_read_or_refused() {
    let seeds = [
        "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh",
        "2bemkmb1nr/p1pppp1pp1p/7r3/Pp4p2p1/2P1P1PP3/1B3P5/P2P3PEPP/RNE1MKBM1NR w k - 0 1 C",
        "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1",
        "\u{0}🦀 é/９/ß w - - ٣ 1",
    ];
    let all: Vec<_> = catalogue().map(|variant| Rules::new(&variant)).collect();
    let mut numbers = Numbers(1);
    for round in 0..20_000 {
        let mut letters: Vec<char> = seeds[numbers.below(seeds.len())].chars().collect();
        for _ in 0..numbers.below(6) {
            let place = numbers.below(letters.len());
            match numbers.below(3) {
                0 => drop(letters.remove(place)),
                1 => letters.insert(place, letters[numbers.below(letters.len())]),
                _ => letters[place] = ['9', '1', '/', ' ', 'K', 'k', 'é', '0', '-', 'P'][numbers.below(10)],
            }
        }
        let text: String = letters.into_iter().collect();
        let rules = &all[round % all.len()];
        if let Ok(position) = Position::from_fen(rules, &text) {
            let written = position.to_fen();
            let again = fen(rules, &written);
            assert_eq!(again.to_fen(), written, "{text}");
            assert_eq!(again, position);
            assert_eq!(again.legal_moves(), position.legal_moves());
        }
        let position = &fen(rules, &common_start(rules));
        assert!(position.parse_move(&text).is_err());
    }
}

fn common_start(rules: &Rules) -> String {
    let (files, ranks) = (rules.board().files(), rules.board().ranks());
    let empty = vec![files.to_string(); ranks - 2].join("/");
    format!("k{}/{empty}/{}K w - - 0 1", files - 1, files - 1)
}

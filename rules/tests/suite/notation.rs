//! Moves as text: what is read and what is refused.

use crate::common::{fen, mirrored, parse, rotated, rules};
use backrank_rules::{Letter, MoveError};

#[test]
fn disambiguation() {
    let rules = rules("chess");
    for (text, uci, notation) in [
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("R7/4k3/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4"),
        ("6k1/8/8/8/4Q2Q/K7/8/7Q w - - 0 1", "h4e1", "Qh4e1"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "d5e6", "dxe6"),
        ("r5k1/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", "bxa8=Q+"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ("5k2/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1", "O-O+"),
    ] {
        let position = fen(&rules, text);
        let played = position.parse_uci(uci).unwrap();
        assert_eq!(position.notation(played), notation, "{text}");
        assert_eq!(position.parse_notation(notation), Ok(played));
    }
}

/// As pieces, Berolina pawns have their file where another can go to the same square; captures always have it.
#[test]
fn steps_of_berolina_pawns() {
    let rules = rules("berolina960");
    for (text, uci, notation) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2d3", "d3"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2c4", "c4"),
        ("4k3/8/8/8/8/8/2P1P3/4K3 w - - 0 1", "e2d3", "ed3"),
        ("4k3/8/8/8/8/8/P3P3/4K3 w - - 0 1", "a2c4", "ac4"),
        ("4k3/8/8/3p4/3P4/8/8/4K3 w - - 0 1", "d4d5", "dxd5"),
        // A pawn takes en passant where another could go.
        ("4k3/8/8/8/2Ppp3/8/8/4K3 b - d3c4 0 1", "d4d3", "dxd3"),
        ("4k3/8/8/8/2Ppp3/8/8/4K3 b - d3c4 0 1", "e4d3", "ed3"),
        ("7k/1P1P4/8/8/8/8/8/4K3 w - - 0 1", "d7c8q", "dc8=Q+"),
        ("3r3k/3P4/8/8/8/8/8/4K3 w - - 0 1", "d7d8n", "dxd8=N"),
    ] {
        let position = fen(&rules, text);
        let played = position.parse_uci(uci).unwrap();
        assert_eq!(position.notation(played), notation, "{text}");
        for read in [notation.to_string(), format!("P{notation}")] {
            assert_eq!(position.parse_move(&read), Ok(played), "{text}: {read}");
        }
    }
}

#[test]
fn lenient_reading() {
    let chess = rules("chess");
    let position = fen(&chess, "r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQkq e6 0 1");
    for (text, uci) in [
        ("O-O", "e1h1"),
        ("0-0", "e1h1"),
        ("0-0-0", "e1a1"),
        ("O-O-O+", "e1a1"),
        ("e1g1", "e1h1"),
        ("e1c1", "e1a1"),
        ("dxe6", "d5e6"),
        ("de6", "d5e6"),
        ("d5xe6#", "d5e6"),
        ("Rxa8!?", "a1a8"),
        ("Ra8", "a1a8"),
        ("Pd6", "d5d6"),
    ] {
        assert_eq!(parse(&position, text), position.parse_uci(uci).unwrap(), "{text}");
    }
    let promotion = fen(&chess, "7k/P7/8/8/8/8/8/K7 w - - 0 1");
    for text in ["a8=Q", "a8Q", "a8=q", "a8=Q+", "a7a8q"] {
        assert_eq!(parse(&promotion, text), promotion.parse_uci("a7a8q").unwrap(), "{text}");
    }
    assert!(promotion.parse_move("a8").is_err());
}

#[test]
fn castling_texts_of_the_variant() {
    let modern = rules("modern");
    let position = fen(&modern, "4k4/9/9/9/9/9/9/9/R3K3R w AI - 0 1");
    assert_eq!(position.notation(position.parse_uci("e1a1").unwrap()), "O-O-Oc");
    assert_eq!(parse(&position, "0-0-0g"), position.parse_uci("e1i1").unwrap());
    assert!(matches!(position.parse_move("O-O-O"), Err(MoveError::Ambiguous { .. })));
    let one = fen(&modern, "4k4/9/9/9/9/9/9/9/R3K4 w A - 0 1");
    assert_eq!(parse(&one, "O-O-O"), one.parse_uci("e1a1").unwrap());
    let random = rules("pm-random");
    let position = fen(&random, "4k4/9/9/9/9/9/9/R3K3R w AI - 0 1");
    assert_eq!(position.notation(position.parse_uci("e1a1").unwrap()), "O-Ob");
    assert_eq!(position.notation(position.parse_uci("e1i1").unwrap()), "O-Oh");
}

#[test]
fn the_landing_file_of_an_adjustment_is_written_where_two_like_pieces_could_be_the_partner() {
    let rules = rules("mrc");
    let position = mirrored(&rules, "RNBNKQBMR");
    assert_eq!(position.notation(position.parse_uci("c1b1").unwrap()), "Bc<=>Nb");
    assert_eq!(position.notation(position.parse_uci("c1d1").unwrap()), "Bc<=>Nd");
    assert_eq!(position.notation(position.parse_uci("g1f1").unwrap()), "Bg<=>Q");
    assert!(matches!(position.parse_move("Bc<=>N"), Err(MoveError::Ambiguous { .. })));
    assert_eq!(parse(&position, "Bg<=>Qf"), position.parse_uci("g1f1").unwrap());
    assert_eq!(parse(&position, "B<=>Q"), position.parse_uci("g1f1").unwrap());
    assert!(position.parse_move("Bc<=>Q").is_err());
}

#[test]
fn mauras_notation() {
    let rules = rules("modern");
    let position = rotated(&rules, "RNBMKQBNR");
    for (text, uci) in
        [("B=Q", "g1f1"), ("B=M", "c1d1"), ("B=MN", "c1b1"), ("B=QN", "g1h1"), ("Bc=N", "c1b1")]
    {
        assert_eq!(parse(&position, text), position.parse_uci(uci).unwrap(), "{text}");
    }
    assert!(matches!(position.parse_move("B=N"), Err(MoveError::Ambiguous { .. })));
}

#[test]
fn two_digit_ranks() {
    let rules = rules("icrc");
    let position = fen(&rules, "9k/P9/10/10/10/10/10/10/10/9K w - - 0 1");
    let played = parse(&position, "a9a10q");
    assert_eq!(position.notation(played), "a10=Q+");
    assert_eq!(parse(&position, "a10=Q"), played);
}

#[test]
fn errors_say_what_is_wrong_and_what_the_piece_may_do() {
    let rules = rules("chess");
    let position = mirrored(&rules, "RNBQKBNR");
    assert_eq!(
        position.parse_move("Nd4"),
        Err(MoveError::Illegal {
            text: "Nd4".into(),
            piece: "N".into(),
            legal: ["Na3", "Nc3", "Nf3", "Nh3"].map(String::from).to_vec(),
        })
    );
    assert_eq!(
        position.parse_move("e2e5").unwrap_err().to_string(),
        "`e2e5` is not legal here; legal moves of the piece on e2: e3 e4"
    );
    assert_eq!(position.parse_move("e4e5").unwrap_err().to_string(), "`e4e5`: there is no piece on e4");
    assert_eq!(
        position.parse_move("e7e5").unwrap_err().to_string(),
        "`e7e5`: the piece on e7 is Black's, and White is to move"
    );
    assert_eq!(
        position.parse_move("a1a2").unwrap_err().to_string(),
        "`a1a2` is not legal here; the piece on a1 has no legal move"
    );
    assert!(matches!(position.parse_move("Xe4"), Err(MoveError::UnknownPiece { letter: Letter::X, .. })));
    assert!(matches!(position.parse_move("Nk3"), Err(MoveError::NoSquare { .. })));
    assert!(matches!(position.parse_move("e2e9"), Err(MoveError::NoSquare { .. })));
    for text in [
        "",
        " ",
        "+",
        "e",
        "é4",
        "N",
        "=Q",
        "B=",
        "<=>",
        "B<=>",
        "O-",
        "-",
        "x",
        "Nx",
        "♘f3",
        "e44444444444444444444",
    ] {
        assert!(position.parse_move(text).is_err(), "{text}");
    }
}

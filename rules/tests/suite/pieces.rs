//! Pins, checks and first moves with pieces of all kinds.

use crate::common::{self, fen, has, rules, uci};
use backrank_rules::{File, Letter, Rules, Side, Variant};

/// A game on 8×8 with the pieces given as lines of a variant file.
fn game(pieces: &str) -> Rules {
    let text = format!(
        "name = \"t\"\nsource = \"t\"\n[board]\nfiles = 8\nranks = 8\n[pieces]\n\
         K = {{ name = \"king\", betza = \"K\", royal = true }}\n\
         R = {{ name = \"rook\", betza = \"R\" }}\n{pieces}\n[setup]\nfirst_rank = \"R...K..R\"\n"
    );
    Rules::new(&Variant::parse("t", "t.toml", &text).unwrap_or_else(|error| panic!("{error}")))
}

/// However many kinds share a way of giving check, it is one way: a fourth rook-like kind is no other way of it.
#[test]
fn kinds_that_give_check_in_the_same_way_are_one_group() {
    let rook_like = [("Q", "RB"), ("C", "RN"), ("D", "RD"), ("S", "RF"), ("W", "RA")];
    for number in 0..=rook_like.len() {
        let more = rook_like[..number]
            .iter()
            .map(|(letter, betza)| format!("{letter} = {{ name = \"{betza}\", betza = \"{betza}\" }}\n"));
        let rules = game(&more.collect::<String>());
        let position = fen(&rules, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        let ranks_and_files = position.board().file_squares(File(4)) | position.board().rank_squares(7);
        let along_ranks_and_files = ranks_and_files & !position.king(Side::Black).bitboard();
        let mut groups = Vec::new();
        position.for_each_checking(Side::White, |kinds, squares| {
            if squares == along_ranks_and_files {
                groups.push(kinds.iter().map(|kind| rules.letter_of(kind)).collect::<Vec<_>>());
            }
        });
        let all = rook_like[..number].iter().map(|(letter, _)| letter.parse().unwrap());
        let mut letters: Vec<Letter> = all.chain([Letter::R]).collect();
        letters.sort_unstable();
        assert_eq!(groups, [letters], "one way, with every kind once");
    }
}

#[test]
fn en_passant_that_uncovers_a_check_along_the_rank() {
    let rules = rules("chess");
    let position = fen(&rules, "4k3/8/8/K2Pp2r/8/8/8/8 w - e6 0 1");
    assert!(!has(&position, "d5e6"));
    let shielded = fen(&rules, "4k3/8/8/K1NPp2r/8/8/8/8 w - e6 0 1");
    assert!(has(&shielded, "d5e6"));
}

#[test]
fn en_passant_that_uncovers_a_check_along_a_diagonal_or_a_file() {
    let rules = rules("chess");
    // The pawn that is taken shielded the king.
    let taken = fen(&rules, "6k1/5b2/8/3pP3/8/8/K7/8 w - d6 0 1");
    assert!(!has(&taken, "e5d6"));
    assert!(has(&fen(&rules, "6k1/8/8/3pP3/8/8/K7/8 w - d6 0 1"), "e5d6"));
    // The pawn that takes shielded its king on the file, or on a diagonal along which it may go on.
    assert!(!has(&fen(&rules, "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "e5d6"));
    assert!(!has(&fen(&rules, "6k1/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1"), "e5d6"));
    assert!(has(&fen(&rules, "6k1/2b5/8/3pP3/8/6K1/8/8 w - d6 0 1"), "e5d6"));
}

#[test]
fn en_passant_takes_a_pawn_that_gives_check() {
    let rules = rules("chess");
    let position = fen(&rules, "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1");
    assert!(position.is_check());
    assert!(has(&position, "e4d3"));
}

#[test]
fn a_nightrider_pins_along_its_line() {
    let rules = game("N = { name = \"nightrider\", betza = \"NN\" }");
    let position = fen(&rules, "k7/6n1/8/5R2/8/8/8/3K4 w - - 0 1");
    let moves = uci(&position);
    assert!(moves.iter().all(|text| !text.starts_with("f5")), "{moves:?}");
    let free = fen(&rules, "k7/6n1/8/4R3/8/8/8/3K4 w - - 0 1");
    assert!(free.is_check(), "nothing stands on the line");
    assert!(has(&free, "e5f5"), "it may be blocked where it steps");
    assert!(!has(&free, "e5e1"));
}

#[test]
fn a_leaper_cannot_be_blocked() {
    let rules = rules("chess");
    let position = fen(&rules, "4k3/8/8/8/8/3n4/8/R3K3 w - - 0 1");
    assert!(uci(&position).iter().all(|text| text.starts_with("e1")));
}

#[test]
fn a_short_rider_gives_check_within_its_range_only() {
    let rules = game("S = { name = \"short rook\", betza = \"R3\" }");
    assert!(fen(&rules, "4k3/8/8/8/4s3/8/8/4K3 w - - 0 1").is_check());
    assert!(!fen(&rules, "4k3/8/8/4s3/8/8/8/4K3 w - - 0 1").is_check());
    assert!(!fen(&rules, "4k3/8/8/8/4s3/4R3/8/4K3 w - - 0 1").is_check());
}

#[test]
fn black_plays_asymmetric_pieces_the_other_way_round() {
    let rules = game("S = { name = \"silver\", betza = \"FfW\" }\nL = { name = \"left\", betza = \"lW\" }");
    let position = fen(&rules, "4k3/8/8/3s4/8/3S4/8/4K3 w - - 0 1");
    assert!(has(&position, "d3d4") && !has(&position, "d3d2"));
    let black = fen(&rules, "4k3/8/8/3s4/8/3S4/8/4K3 b - - 0 1");
    assert!(has(&black, "d5d4") && !has(&black, "d5d6"));
    let left = fen(&rules, "4k3/8/8/3l4/8/3L4/8/4K3 w - - 0 1");
    assert!(has(&left, "d3c3") && !has(&left, "d3e3"));
    let left = fen(&rules, "4k3/8/8/3l4/8/3L4/8/4K3 b - - 0 1");
    assert!(has(&left, "d5e5") && !has(&left, "d5c5"));
}

#[test]
fn moves_and_captures_apart() {
    let rules = game("M = { name = \"mover\", betza = \"mRcB\" }");
    let position = fen(&rules, "4k3/8/8/1p1p4/8/1M1p4/2p5/4K3 w - - 0 1");
    assert!(has(&position, "b3b4") && !has(&position, "b3b5"));
    assert!(has(&position, "b3c2") && has(&position, "b3d5") && !has(&position, "b3d3"));
    assert!(!has(&position, "b3a2"));
    // It attacks as it captures.
    assert!(!fen(&rules, "4k3/8/8/8/8/8/8/m3K3 w - - 0 1").is_check());
    assert!(fen(&rules, "4k3/8/8/m7/8/8/8/4K3 w - - 0 1").is_check());
}

#[test]
fn an_elephant_leaps_once_and_attacks_with_its_leap() {
    let rules = rules("mmcc");
    let unmoved = fen(&rules, "2e8/11/2K8/11/11/11/11/6k4 w - - 0 1 c");
    assert!(unmoved.is_check());
    let moved = fen(&rules, "2e8/11/2K8/11/11/11/11/6k4 w - - 0 1 -");
    assert!(!moved.is_check());
    let leap = fen(&rules, "5k5/11/11/11/11/11/11/2E2K5 w - - 0 1 C");
    for to in ["a3", "c3", "e3", "a1", "e1"] {
        assert!(has(&leap, &format!("c1{to}")), "{to}");
    }
    let after = leap.after(leap.parse_uci("c1c3").unwrap());
    assert_eq!(common::unmoved(&after), "-");
}

#[test]
fn promotion_is_to_the_pieces_of_the_variant() {
    for (variant, files, letters) in [("modern", 9, "bmnqr"), ("mmcc", 11, "bemnr"), ("chess", 8, "bnqr")] {
        let rules = rules(variant);
        let ranks = rules.board().ranks();
        let empty = vec![files.to_string(); ranks - 3].join("/");
        let text = format!("{}k/P{}/{empty}/{}K w - - 0 1", files - 1, files - 1, files - 1);
        let position = fen(&rules, &text);
        let mut found: Vec<String> = uci(&position)
            .into_iter()
            .filter_map(|text| text.strip_prefix(&format!("a{}a{ranks}", ranks - 1)).map(String::from))
            .collect();
        found.sort();
        assert_eq!(found.concat(), letters, "{variant}");
    }
}

#[test]
fn a_double_step_starts_where_pawns_start() {
    let icrc = rules("icrc");
    let position = fen(&icrc, "9k/10/10/10/10/10/10/P9/1P8/9K w - - 0 1");
    assert!(has(&position, "a3a5") && has(&position, "b2b3") && !has(&position, "b2b4"));
}

//! Castling: its conditions one by one.

use crate::common::{castling_rights, castlings, fen, mirrored, play, rules};
use backrank_rules::{MoveKind, Position};

fn after(position: &Position, text: &str) -> String {
    position.after(position.parse_uci(text).unwrap()).to_fen()
}

#[test]
fn king_and_partner_land_where_the_variant_says() {
    for (variant, text, left, right) in [
        ("modern", "4k4/9/9/9/9/9/9/9/R3K3R w AI - 0 1", "2KR4R", "R4RK2"),
        ("pm-random", "4k4/9/9/9/9/9/9/R3K3R w AI - 0 1", "1KR5R", "R5RK1"),
        ("mmcc", "5k5/11/11/11/11/11/11/R4K4R w AK - 0 1", "2KR6R", "R6RK2"),
        ("icrc", "4k5/10/10/10/10/10/10/10/1R2K3R1/10 w BI - 0 1", "3KR3R1", "1R4RK2"),
        ("capablanca84000", "5k4/10/10/10/10/10/10/R4K3R w AJ - 0 1", "2KR5R", "R6RK1"),
        ("chess960", "4k3/8/8/8/8/8/8/R3K2R w AH - 0 1", "2KR3R", "R4RK1"),
    ] {
        let rules = rules(variant);
        let position = fen(&rules, text);
        let castlings = castlings(&position);
        assert_eq!(castlings.len(), 2, "{variant}: {castlings:?}");
        for (castling, rank) in castlings.iter().zip([left, right]) {
            let fen = after(&position, castling);
            let first_rank = if variant == "icrc" { 8 } else { rules.board().ranks() - 1 };
            assert_eq!(fen.split([' ', '/']).nth(first_rank).unwrap(), rank, "{variant}: {fen}");
            assert!(fen.contains(" b - - 1 1"), "{fen}");
        }
    }
}

#[test]
fn black_castles_too() {
    let rules = rules("modern");
    let position = fen(&rules, "r3k3r/9/9/9/9/9/9/9/4K4 b ai - 3 7");
    assert_eq!(after(&position, "e9a9"), "2kr4r/9/9/9/9/9/9/9/4K4 w - - 4 8 -");
    assert_eq!(after(&position, "e9i9"), "r4rk2/9/9/9/9/9/9/9/4K4 w - - 4 8 -");
}

#[test]
fn either_may_stand_still() {
    let rules = rules("chess960");
    let king_stays = fen(&rules, "4k3/8/8/8/8/8/8/6KR w H - 0 1");
    assert_eq!(after(&king_stays, "g1h1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    let rook_stays = fen(&rules, "4k3/8/8/8/8/8/8/3R1K2 w D - 0 1");
    assert_eq!(after(&rook_stays, "f1d1"), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
}

#[test]
fn they_may_change_places_or_jump_each_other() {
    let rules = rules("chess960");
    let position = fen(&rules, "4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    assert_eq!(after(&position, "f1g1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    let far = fen(&rules, "4k3/8/8/8/8/8/8/RK6 w A - 0 1");
    assert_eq!(after(&far, "b1a1"), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
}

#[test]
fn not_out_of_check_through_it_or_into_it() {
    let rules = rules("modern");
    for file in ["c", "d", "e"] {
        let column = usize::from(file.as_bytes()[0] - b'a');
        let row = format!("{}r{}", column, 8 - column);
        let position = fen(&rules, &format!("8k/{row}/9/9/9/9/9/9/R3K4 w A - 0 1"));
        assert!(castlings(&position).is_empty(), "{position}");
    }
    let rook_attacked = fen(&rules, "8k/r8/9/9/9/9/9/9/R3K4 w A - 0 1");
    assert_eq!(castlings(&rook_attacked), ["e1a1"]);
    let rook_passes_attack = fen(&rules, "8k/1r7/9/9/9/9/9/9/R3K4 w A - 0 1");
    assert_eq!(castlings(&rook_passes_attack), ["e1a1"]);
}

#[test]
fn nothing_in_the_way_of_either() {
    let rules = rules("modern");
    for row in ["RN2K4", "R1N1K4", "R2NK4", "Rn2K4"] {
        let position = fen(&rules, &format!("4k4/9/9/9/9/9/9/9/{row} w A - 0 1"));
        assert!(castlings(&position).is_empty(), "{row}");
    }
    // Beyond the squares that either passes anything may stand.
    let beyond = fen(&rules, "4k4/9/9/9/9/9/9/9/NNRK5 w C - 0 1");
    assert_eq!(castlings(&beyond), ["d1c1"]);
}

#[test]
fn a_rook_that_shielded_its_king_on_the_first_rank_no_longer_does() {
    let rules = rules("chess960");
    let position = fen(&rules, "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1");
    assert!(castlings(&position).is_empty());
    let queen_far = fen(&rules, "4k3/8/8/8/8/8/8/1R1K4 w B - 0 1");
    assert_eq!(castlings(&queen_far), ["d1b1"]);
}

#[test]
fn a_move_of_the_king_loses_both_rights_and_a_move_of_a_rook_its_own() {
    let rules = rules("modern");
    let position = fen(&rules, "4k4/9/9/9/9/9/9/9/R3K3R w AI - 0 1");
    assert_eq!(castling_rights(&play(position, "e1e2")), "-");
    assert_eq!(castling_rights(&play(position, "a1a2")), "I");
    assert_eq!(castling_rights(&play(position, "i1i9")), "A");
}

#[test]
fn a_rook_that_is_taken_takes_its_right_along() {
    let rules = rules("modern");
    let position = fen(&rules, "r3k4/9/9/9/9/9/9/9/R3K3R w AIa - 0 1");
    assert_eq!(castling_rights(&play(position, "a1a9")), "I");
    let promotion = fen(&rules, "r3k4/1P7/9/9/9/9/9/9/4K4 w a - 0 1");
    assert_eq!(castling_rights(&play(promotion, "b8a9q")), "-");
}

#[test]
fn a_side_has_a_right_for_the_outermost_partner_on_each_side_of_its_king() {
    let chess8400 = rules("chess8400");
    assert_eq!(castling_rights(&mirrored(&chess8400, "NQRKMBNRB")), "CHch");
    let merc = rules("merc");
    assert_eq!(castling_rights(&mirrored(&merc, "BQNRRNBK")), "-", "a game without castling");
}

#[test]
fn castling_is_its_own_kind_of_move_beside_the_kings_step() {
    let rules = rules("chess960");
    // Castling to the square beside it and stepping there are two moves.
    let position = fen(&rules, "4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let to_g: Vec<MoveKind> = position
        .legal_moves()
        .iter()
        .filter(|legal| ["f1g1", "f1h1"].contains(&legal.uci(rules.board()).as_str()))
        .map(|legal| legal.kind)
        .collect();
    assert_eq!(to_g, [MoveKind::Normal, MoveKind::Castling]);
}

/// J. K. Lewis: "the King is transferred from its original square two squares towards (or over) the Rook, then that Rook is
/// transferred to the square the King has just crossed (if it is not already there). If the King and Rook are adjacent in a corner and
/// the King can not move two spaces over the Rook, then the King and Rook exchange squares."
#[test]
fn the_king_goes_two_squares_towards_its_rook_in_chess480() {
    let rules = rules("chess480");
    for (start, castling, end) in [
        ("R1K4R w AH", "c1a1", "KR5R b -"),
        ("R1K4R w AH", "c1h1", "R2RK3 b -"),
        ("1R2K1R1 w BG", "e1g1", "1R3RK1 b -"),
        ("5KR1 w G", "f1g1", "6RK b -"),
        ("RK6 w A", "b1a1", "KR6 b -"),
        ("6KR w H", "g1h1", "6RK b -"),
        ("1RK5 w B", "c1b1", "KR6 b -"),
    ] {
        let position = fen(&rules, &format!("4k3/8/8/8/8/8/8/{start} - 0 1"));
        assert!(castlings(&position).contains(&castling.to_string()), "{start}: {:?}", castlings(&position));
        let after = play(position, castling).to_fen();
        assert!(after.starts_with(&format!("4k3/8/8/8/8/8/8/{end}")), "{start} {castling}: {after}");
    }
    // The king may not pass what is in its way, nor an attack.
    for blocked in [
        "4k3/8/8/8/8/8/8/5KRN w G - 0 1",
        "4k1r1/8/8/8/8/8/8/4K2R w H - 0 1",
        "4kr2/8/8/8/8/8/8/4K2R w H - 0 1",
    ] {
        assert!(castlings(&fen(&rules, blocked)).is_empty(), "{blocked}");
    }
}

//! The Bishop Adjustment: one test for each sentence of its rule.

use crate::common::{
    self, adjustments, castling_rights, castlings, fen, has, mirrored, play, rotated, rules, unmoved,
};
use backrank_rules::{Letter, Position, Rules, Side, Variant};

/// Two bishops of one colour, on c1 and g1, amid rooks, knights and the rest.
const MODERN: &str = "RNBMKQBNR";

#[test]
fn a_side_whose_bishops_start_on_one_colour_may_swap_one_with_a_neighbour() {
    let rules = rules("mrc");
    assert_eq!(adjustments(&rotated(&rules, MODERN)), ["c1b1", "c1d1", "g1f1", "g1h1"]);
}

#[test]
fn a_side_whose_bishops_start_on_two_colours_may_not() {
    let rules = rules("mrc");
    let start = rotated(&rules, "RNBMKBQNR");
    assert!(adjustments(&start).is_empty());
    assert_eq!(unmoved(&start), "-");
}

#[test]
fn a_single_bishop_may_not() {
    let rules = rules("mrc");
    assert!(adjustments(&rotated(&rules, "RNBMKQQNR")).is_empty());
}

#[test]
fn only_once_in_the_game() {
    let rules = rules("mrc");
    let position = play(rotated(&rules, MODERN), "c1b1 e8e7");
    assert!(adjustments(&position).is_empty());
    assert_eq!(unmoved(&position), "bcdfgh");
}

#[test]
fn only_left_and_right_count_and_a_pawn_is_never_a_partner() {
    let rules = rules("mrc");
    let position = rotated(&rules, MODERN);
    assert!(!has(&position, "c1c2") && !has(&position, "c1b2") && !has(&position, "c1d2"));
}

#[test]
fn a_bishop_in_the_corner_has_one_neighbour() {
    let rules = rules("mrc");
    assert_eq!(adjustments(&mirrored(&rules, "BNQMRKBNR")), ["a1b1", "g1f1", "g1h1"]);
    let other_corner = mirrored(&rules, "RNBMRKQNB");
    assert_eq!(adjustments(&other_corner), ["c1b1", "c1d1", "i1h1"]);
}

#[test]
fn neither_of_the_two_may_have_moved() {
    let rules = rules("mrc");
    // The knight and the bishop go out and come back.
    let knight = play(rotated(&rules, MODERN), "b1c3 b9c7 c3b1 c7b9");
    assert!(!has(&knight, "c1b1") && has(&knight, "c1d1"));
    let bishop = play(rotated(&rules, MODERN), "b2b3 e8e7 c1b2 e7e6 b2c1 e6e5");
    assert_eq!(adjustments(&bishop), ["g1f1", "g1h1"]);
}

#[test]
fn a_piece_that_came_to_the_place_of_a_neighbour_is_no_partner() {
    let rules = rules("mrc");
    let start = rotated(&rules, MODERN);
    assert!(has(&start, "c1d1"));
    // The minister leaves d1 and the king's knight comes there: it has moved.
    let position = play(start, "d1c3 h9g7 h1g3 g7h9 g3f5 h9g7 f5e3 g7h9 e3d1 h9g7");
    assert_eq!(
        position.piece_at(position.board().parse_square("d1").unwrap()),
        Some((Side::White, Letter::N))
    );
    assert_eq!(adjustments(&position), ["c1b1", "g1f1"]);
}

#[test]
fn after_the_swap_both_count_as_moved() {
    let rules = rules("mmcc");
    let start = rotated(&rules, "RNEBMKMBENR");
    // The elephant on c1 could leap to c3 and a3; once it has been swapped it cannot.
    assert!(has(&start, "c1a3"));
    let position = play(start, "d1c1 e7e6");
    assert!(!has(&position, "d1b3") && !has(&position, "d1f3"));
    assert!(has(&position, "i1k3"), "the other elephant still leaps");
    assert_eq!(unmoved(&position), "Icdeghi");
}

#[test]
fn a_swapped_rook_can_no_longer_castle_but_the_other_may() {
    let rules = rules("mrc");
    let start = mirrored(&rules, "RBNMKQNBR");
    assert_eq!(castling_rights(&start), "AIai");
    let position = start.after(start.parse_uci("b1a1").unwrap());
    assert_eq!(castling_rights(&position), "Iai");
}

#[test]
fn a_swapped_king_ends_castling_for_good() {
    let rules = rules("mrc");
    let start = mirrored(&rules, "RNBKMQBNR");
    let position = start.after(start.parse_uci("c1d1").unwrap());
    assert_eq!(castling_rights(&position), "ai");
    assert_eq!(position.to_fen(), "rnbkmqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNKBMQBNR b ai - 1 1 bcdfgh");
}

#[test]
fn it_is_a_move_and_the_turn_passes() {
    let rules = rules("mrc");
    let position = play(rotated(&rules, MODERN), "c1b1");
    assert_eq!(position.side_to_move(), Side::Black);
    assert_eq!(position.halfmove_clock(), 1, "it is not a capture and moves no pawn");
}

#[test]
fn it_is_optional_and_does_not_bind_the_other() {
    let rules = rules("mrc");
    let after_white = play(rotated(&rules, MODERN), "c1b1");
    assert_eq!(adjustments(&after_white), ["c9b9", "c9d9", "g9f9", "g9h9"]);
    let white_did_not = play(rotated(&rules, MODERN), "e2e3 c9b9");
    assert_eq!(adjustments(&white_did_not), ["c1b1", "c1d1", "g1f1", "g1h1"]);
}

#[test]
fn not_in_check_before_it() {
    let rules = rules("mrc");
    // The rook on e9 gives check; a swap with the king would lead out of it, others would not touch it.
    let check = fen(&rules, "k3r4/9/9/9/9/9/9/9/2NBK1B2 w - - 0 1 CDEG");
    assert!(check.is_check());
    assert!(adjustments(&check).is_empty());
    assert!(check.may_adjust(Side::White));
    let quiet = fen(&rules, "k8/9/9/9/9/9/9/9/2NBK1B2 w - - 0 1 CDEG");
    assert_eq!(adjustments(&quiet), ["d1c1", "d1e1"]);
}

#[test]
fn a_swap_with_the_king_may_not_put_it_on_an_attacked_square() {
    let rules = rules("mrc");
    let attacked = fen(&rules, "k2r5/9/9/9/9/9/9/9/2NBK1B2 w - - 0 1 CDEG");
    assert_eq!(adjustments(&attacked), ["d1c1"]);
    let by_pawn = fen(&rules, "k8/9/9/9/9/9/9/2p6/2NBK1B2 w - - 0 1 CDEG");
    assert_eq!(adjustments(&by_pawn), ["d1c1"]);
}

#[test]
fn a_pinned_bishop_may_swap_for_its_partner_shields_the_king_then() {
    let rules = rules("icrc");
    let position = fen(&rules, "9k/10/10/10/10/10/2K7/10/1NB5B1/2r7 w - - 0 1 BC");
    assert!(!has(&position, "c2d3"), "it is pinned");
    assert_eq!(adjustments(&position), ["c2b2"]);
    assert!(has(&position, "c2b2"));
    let next = position.after(position.parse_uci("c2b2").unwrap());
    assert_eq!(next.to_fen(), "9k/10/10/10/10/10/2K7/10/1BN5B1/2r7 b - - 1 1 -");
}

#[test]
fn a_pinned_partner_may_be_swapped() {
    let rules = rules("icrc");
    let position = fen(&rules, "9k/10/10/10/10/10/1K8/10/1NB5B1/1r8 w - - 0 1 BC");
    assert!(!has(&position, "b2d3"), "it is pinned");
    assert_eq!(adjustments(&position), ["c2b2"]);
}

#[test]
fn a_swap_may_give_check() {
    let rules = rules("crc");
    let position = fen(&rules, "8/8/8/8/6k1/8/8/2BNK1B1 w - - 0 1 CD");
    let swap = position.parse_move("Bc<=>N").unwrap();
    assert!(position.after(swap).is_check());
    assert_eq!(position.notation(swap), "Bc<=>N+");
}

#[test]
fn it_stays_available_after_the_other_bishop_is_gone() {
    let rules = rules("crc");
    let position = fen(&rules, "7k/8/8/8/8/8/8/2BNK3 w - - 0 1 CD");
    assert_eq!(adjustments(&position), ["c1d1"]);
    let taken = fen(&rules, "3k4/8/8/8/8/7n/8/2BNK1BN b - - 0 1 CDGH");
    assert_eq!(unmoved(&taken.after(taken.parse_uci("h3g1").unwrap())), "CD");
}

#[test]
fn a_bishop_whose_neighbours_are_gone_drops_out_of_the_text() {
    let rules = rules("crc");
    let position = fen(&rules, "3k4/8/8/8/8/2n5/8/2BNK1B1 b - - 0 1 CD");
    assert_eq!(unmoved(&position.after(position.parse_uci("c3d1").unwrap())), "-");
}

#[test]
fn the_partner_is_shared_by_two_bishops() {
    let rules = rules("crc");
    let position = fen(&rules, "3k4/8/8/8/8/8/8/2BNB1K1 w - - 0 1 CDE");
    assert_eq!(adjustments(&position), ["c1d1", "e1d1"]);
}

#[test]
fn mauras_partners_are_queen_minister_and_knight() {
    let rules = rules("modern");
    assert_eq!(adjustments(&rotated(&rules, MODERN)), ["c1b1", "c1d1", "g1f1", "g1h1"]);
    // A rook or king is no partner in his form.
    let other = fen(&rules, "4k4/9/9/9/9/9/9/9/RBK1N1B2 w - - 0 1 ABC");
    assert!(adjustments(&other).is_empty());
}

#[test]
fn without_adjustment_there_is_none() {
    let rules = Rules::new(&Variant::find("mrc").unwrap()).without_adjustment();
    let start = rotated(&rules, MODERN);
    assert!(adjustments(&start).is_empty());
    assert_eq!(unmoved(&start), "-");
    assert_eq!(start.count_legal_moves(), 24);
    let read = fen(&rules, "rnbmkqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh");
    assert_eq!(unmoved(&read), "-");
    let elephants = Rules::new(&Variant::find("mmcc").unwrap()).without_adjustment();
    assert_eq!(unmoved(&rotated(&elephants, "RNEBMKMBENR")), "CIci");
}

#[test]
fn castling_moves_the_king_away_from_its_bishop() {
    let rules = rules("mrc");
    let position = fen(&rules, "4k4/9/9/9/9/9/9/9/R3KBNRB w AH - 0 1 EF");
    assert_eq!(castlings(&position), ["e1a1"]);
    assert_eq!(unmoved(&position.after(position.parse_uci("e1a1").unwrap())), "-");
}

#[test]
fn the_sample_games_are_legal() {
    let samples = [
        ("modern", "RNBMKQBNR", "e4 d6 f4 e6 Bg<=>Q Nc7 Nc3 Bc<=>Q"),
        ("icrc", ".QRKNBRBN.", "g5 d6 Qa3 e7 Nh4 Nc7 Nd4 Be<=>N f5 Bd7 Bf<=>R Qj8"),
        // 000 shows this game in a diagram that did not survive; the moves fit this setup.
        ("crc", "QNRBKBNR", "e4 e5 c3 Be<=>R Bf<=>N c5"),
        ("merc", "BQNRRNBK", "Bg<=>K"),
        ("mmcc", "RNEBMKMBENR", "f3 f5 Ni3 Ni6 g4 fxg4 e4 Bd<=>M"),
        ("pmc", "RNBMKQBNR", "e4 e5 Bc<=>N Bg<=>M"),
    ];
    for (variant, rank, moves) in samples {
        let rules = rules(variant);
        let mut position = rotated(&rules, rank);
        for text in moves.split(' ') {
            let played = common::parse(&position, text);
            assert_eq!(position.notation(played), text, "{variant}: {position}");
            position.play(played);
        }
    }
}

fn walk(position: Position, text: &str) {
    let played = common::parse(&position, text);
    assert_eq!(position.notation(played), text);
}

#[test]
fn the_position_of_the_second_sample() {
    let rules = rules("mrc");
    let start = rotated(&rules, "BNBMRQKNR");
    walk(start, "Ba<=>N");
    let position = play(start, "e4 e6 d4 d6 c4 c6 Ba<=>N");
    walk(position, "Bg<=>M");
}

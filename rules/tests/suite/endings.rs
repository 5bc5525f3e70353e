//! How games end, each way with what is just not enough for it.

use crate::common::{fen, has, mirrored, parse, play, rotated, rules};
use backrank_rules::{Game, Outcome, Position, Rules, Side, Termination, Variant};

fn outcome(variant: &str, text: &str) -> Option<String> {
    fen(&rules(variant), text).outcome().map(|outcome| outcome.to_string())
}

fn is(variant: &str, text: &str, expected: &str) {
    assert_eq!(outcome(variant, text).as_deref(), Some(expected), "{text}");
}

fn goes_on(variant: &str, text: &str) {
    assert_eq!(outcome(variant, text), None, "{text}");
}

#[test]
fn checkmate() {
    is("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "0-1 checkmate");
    goes_on("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/8/PPPPPP1P/RNBQKBNR w KQkq - 1 3");
}

#[test]
fn checkmate_on_the_hundredth_ply_counts() {
    is("chess", "4k2R/8/4K3/8/8/8/8/8 b - - 100 90", "1-0 checkmate");
}

#[test]
fn the_prime_minister_mates_without_help() {
    // 001 and 002: it alone does so; neither queen nor any other piece can.
    is("modern", "k8/9/2M6/9/9/9/9/9/4K4 b - - 0 1", "1-0 checkmate");
    goes_on("modern", "k8/1Q7/9/9/9/9/9/9/4K4 b - - 0 1");
}

#[test]
fn stalemate_is_a_draw() {
    is("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 stalemate");
}

#[test]
fn threefold_repetition() {
    let rules = rules("chess");
    let mut game = Game::new(mirrored(&rules, "RNBQKBNR"));
    for (ply, text) in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ').enumerate() {
        assert_eq!(game.outcome(), None, "ply {ply}");
        let played = parse(game.position(), text);
        game.play(played);
    }
    assert_eq!(game.repetitions(), 3);
    assert_eq!(game.outcome(), Some(Outcome::draw(Termination::Repetition)));
}

/// The same moves again and again, where repetition is no draw.
#[test]
fn repetition_that_is_played_on_ends_by_fifty_moves() {
    let text = format!("{}\n[endings]\nrepetition = \"none\"\n", Variant::find("chess").unwrap().text());
    let rules = Rules::new(&Variant::parse("on", "on.toml", &text).unwrap());
    let mut game = Game::new(mirrored(&rules, "RNBQKBNR"));
    for (ply, text) in "Nf3 Nf6 Ng1 Ng8".split(' ').cycle().take(100).enumerate() {
        assert_eq!(game.outcome(), None, "ply {ply}");
        let played = parse(game.position(), text);
        game.play(played);
    }
    assert_eq!(game.outcome(), Some(Outcome::draw(Termination::FiftyMoves)));
}

/// FIDE 6.9: whether the side whose opponent has run out of time could still mate.
#[test]
fn who_can_still_mate() {
    for (key, fen, white, black) in [
        ("chess", "7k/8/8/8/8/8/8/K5Q1 w - - 0 1", true, false),
        ("chess", "4k3/8/8/8/8/8/7P/4K3 w - - 0 1", true, false),
        ("chess", "4k3/8/8/8/8/8/p7/4K2B w - - 0 1", true, true),
        ("chess", "4k3/q7/8/8/8/8/8/3NK3 w - - 0 1", false, true),
        ("chess", "4k3/qq6/8/8/8/8/8/3NK3 w - - 0 1", false, true),
        ("chess", "4k3/r7/8/8/8/8/8/3NK3 w - - 0 1", true, true),
        ("chess", "4k3/n7/8/8/8/8/8/3NK3 w - - 0 1", true, true),
        ("chess", "4k3/b7/8/8/8/8/8/3NK3 w - - 0 1", true, true),
        ("chess", "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", true, false),
        ("chess", "4k3/qr6/8/8/8/8/8/3BK3 w - - 0 1", false, true),
        ("chess", "4k3/n7/8/8/8/8/8/3BK3 w - - 0 1", true, true),
        ("chess", "4k3/b7/8/8/8/8/8/3BK3 w - - 0 1", true, true),
        ("chess", "4k3/1b6/8/8/8/8/8/3BK3 w - - 0 1", false, false),
        // On a larger board a king in the corner is mated as on a small one.
        ("pmrc", "4k4/q8/9/9/9/9/9/9/3NK4 w - - 0 1", false, true),
        ("pmrc", "4k4/m8/9/9/9/9/9/9/3NK4 w - - 0 1", false, true),
        ("pmrc", "4k4/m8/9/9/9/9/9/9/3MK4 w - - 0 1", true, true),
        // A minister of mmcc steps as a king, and so attacks squares of both colours. A bare king loses at once.
        ("mmcc", "5k5/m10/11/11/11/11/11/3N1K5 w - - 0 1", true, true),
    ] {
        let rules = rules(key);
        let Ok(position) = Position::from_fen(&rules, fen) else { panic!("{key} {fen}") };
        let [found_white, found_black] = Side::BOTH.map(|side| position.can_mate(side));
        assert_eq!((found_white, found_black), (white, black), "{key} {fen}");
    }
}

/// FIDE 9.2.3: positions are the same if the same moves are possible, and a pawn that may not capture en passant has none.
#[test]
fn a_double_step_beside_a_pawn_that_may_not_take_begins_a_repetition() {
    let rules = rules("chess");
    for (start, moves) in [
        ("4k3/8/8/8/4p3/8/3P4/4R1K1 w - - 0 1", "d4 Kf8 Kf2 Ke8 Kg1 Kf8 Kf2 Ke8 Kg1"),
        ("8/8/8/8/3p4/8/k3P2R/7K w - - 0 1", "e4 Ka3 Rh3 Ka2 Rh2 Ka1 Rh3 Ka2 Rh2"),
        ("8/8/8/8/3p3k/8/4P3/7K w - - 0 1", "e4 Kg4 Kg1 Kh4 Kh1 Kg4 Kg1 Kh4 Kh1 Kg4"),
    ] {
        let mut game = Game::new(Position::from_fen(&rules, start).unwrap());
        for text in moves.split(' ') {
            assert_eq!(game.outcome(), None, "{start}: {text}");
            let played = parse(game.position(), text);
            game.play(played);
        }
        assert_eq!(game.outcome(), Some(Outcome::draw(Termination::Repetition)), "{start}");
    }
}

#[test]
fn lost_rights_make_another_position() {
    let rules = rules("chess");
    let mut game = Game::new(mirrored(&rules, "RNBQKBNR"));
    // The rooks' first moves take castling rights away.
    for text in "a4 a5 Ra2 Ra7 Ra1 Ra8 Ra2 Ra7 Ra1 Ra8".split(' ') {
        let played = parse(game.position(), text);
        game.play(played);
    }
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn fifty_moves() {
    is("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 100 90", "1/2-1/2 fifty-moves");
    goes_on("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 99 90");
}

#[test]
fn an_adjustment_counts_towards_the_fifty_moves() {
    let rules = rules("mrc");
    let position = play(rotated(&rules, "RNBMKQBNR"), "Bc<=>N");
    assert_eq!(position.halfmove_clock(), 1);
}

#[test]
fn insufficient_material() {
    for text in [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1",
        "4k3/4b3/8/8/8/8/8/2B1K3 w - - 0 1",
        "4k3/8/3B4/4b3/8/8/8/2B1K3 w - - 0 1",
    ] {
        is("chess", text, "1/2-1/2 insufficient-material");
    }
}

#[test]
fn sufficient_material() {
    for text in [
        "4k3/8/8/8/8/8/8/2R1K3 w - - 0 1",
        "4k3/7p/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/7n/8/8/8/8/8/2N1K3 w - - 0 1",
        "4k3/7b/8/8/8/8/8/2N1K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1",
        "4k3/3b4/8/8/8/8/8/2B1K3 w - - 0 1",
    ] {
        goes_on("chess", text);
    }
    goes_on("modern", "4k4/9/9/9/9/9/9/9/2M1K4 w - - 0 1");
}

#[test]
fn mates_with_help_that_show_why_two_minor_pieces_go_on() {
    // Knight against knight and knight against bishop: the corner.
    is("chess", "kn6/2N5/1K6/8/8/8/8/8 b - - 0 1", "1-0 checkmate");
    is("chess", "kb6/8/KN6/8/8/8/8/8 b - - 0 1", "1-0 checkmate");
    // Bishops on two colours.
    is("chess", "kb6/8/1K6/8/4B3/8/8/8 b - - 0 1", "1-0 checkmate");
}

#[test]
fn a_bishop_that_may_still_adjust_can_change_colour() {
    goes_on("crc", "4k3/8/8/8/8/8/8/2BKB3 w - - 0 1 CDE");
    is("crc", "4k3/8/8/8/8/8/8/2BKB3 w - - 0 1", "1/2-1/2 insufficient-material");
}

#[test]
fn baring_the_king_wins() {
    let rules = rules("mmcc");
    let position = fen(&rules, "5k5/11/11/11/11/11/11/4KN1r3 b - - 0 1");
    let bared = play(position, "h1f1");
    assert_eq!(bared.outcome(), None, "the king takes the rook at once");
    let far = fen(&rules, "5k5/11/11/11/11/11/11/2K2N1r3 b - - 0 1");
    let bared = play(far, "h1f1");
    assert_eq!(bared.outcome(), Some(Outcome::win(Side::Black, Termination::BareKing)));
}

#[test]
fn baring_in_reply_draws() {
    let rules = rules("mmcc");
    let bared = play(fen(&rules, "5k5/11/11/11/11/11/11/4KN1r3 b - - 0 1"), "h1f1");
    assert!(has(&bared, "e1f1"));
    assert_eq!(play(bared, "e1f1").outcome(), Some(Outcome::draw(Termination::BareKing)));
    // Another move loses.
    assert_eq!(play(bared, "e1d2").outcome(), Some(Outcome::win(Side::Black, Termination::BareKing)));
}

#[test]
fn no_reply_helps_where_more_than_one_piece_is_left_or_the_last_is_guarded() {
    let rules = rules("mmcc");
    let two = play(fen(&rules, "5k5/11/11/11/11/11/10p/4KN1r3 b - - 0 1"), "h1f1");
    assert_eq!(two.outcome(), Some(Outcome::win(Side::Black, Termination::BareKing)));
    let guarded = play(fen(&rules, "11/11/11/11/11/11/6k4/4KN1r3 b - - 0 1"), "h1f1");
    assert_eq!(guarded.outcome(), Some(Outcome::win(Side::Black, Termination::BareKing)));
}

#[test]
fn a_lone_piece_goes_on_where_a_bare_king_loses() {
    goes_on("mmcc", "5k4n/11/11/11/11/11/11/2K2N5 w - - 0 1");
    is("mmcc", "5k5/11/11/11/11/11/11/2K2N5 w - - 0 1", "1-0 bare-king");
    is("mmcc", "5k5/11/11/11/11/11/11/2K8 w - - 0 1", "1/2-1/2 bare-king");
    // Other games know no bare king.
    goes_on("modern", "4k4/9/9/9/9/9/9/9/3QK4 b - - 0 1");
}

//! Pieces that are removed from positions take their rights along.

use backrank_rules::{Position, PositionBuilder, Rules, Variant};

/// The FEN of a position without what stands on some squares.
fn without(key: &str, fen: &str, squares: &[&str]) -> String {
    let rules = Rules::new(&Variant::find(key).unwrap());
    let position = Position::from_fen(&rules, fen).unwrap();
    let mut builder = PositionBuilder::from_position(&position);
    for square in squares {
        builder.remove(rules.board().parse_square(square).unwrap());
    }
    let left = builder.build().unwrap();
    let text = left.to_fen();
    assert_eq!(Position::from_fen(&rules, &text).unwrap().key(), left.key(), "{text}");
    text
}

#[test]
fn a_rook_takes_its_right_to_castle_along() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9";
    assert_eq!(without("chess", start, &["a1", "h8"]), "r3k3/8/8/8/8/8/8/4K2R w Kq - 3 9");
}

#[test]
fn a_bishop_or_a_neighbour_takes_the_right_to_adjust_along() {
    let start = "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh";
    let unmoved = |squares: &[&str]| {
        let text = without("modern", start, squares);
        text.rsplit(' ').next().unwrap().to_string()
    };
    // As after a capture, the other bishop may still adjust.
    assert_eq!(unmoved(&["c1"]), "FGHbcdfgh");
    assert_eq!(unmoved(&["d1"]), "BCFGHbcdfgh");
    assert_eq!(unmoved(&["b9", "d9"]), "BCDFGHfgh");
    assert_eq!(unmoved(&["c1", "g1"]), "bcdfgh");
}

#[test]
fn en_passant_goes_with_either_pawn() {
    let offered = "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1";
    assert_eq!(without("chess", offered, &["f4"]), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    assert_eq!(without("chess", offered, &["e4"]), "4k3/8/8/8/5p2/8/8/4K3 b - - 0 1");
    assert_eq!(
        without("chess", &offered.replace("4Pp2", "3pPp2"), &["f4"]),
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
    );
}

//! Any text as a position: refused, or a position whose text is read back and whose moves are those of the slow
//! generator of the tests.
//!
//! The first line of the input is the key of a variant, the second the text.
#![no_main]

#[path = "../../rules/tests/suite/slow/mod.rs"]
#[allow(unused_imports, reason = "the tests use more of it")]
mod slow;
mod variants;

use backrank_rules::Position;
use libfuzzer_sys::fuzz_target;
use slow::SlowPosition;

fuzz_target!(|input: &str| {
    let (key, text) = input.split_once('\n').unwrap_or(("", input));
    let rules = variants::rules(key);
    let position = match Position::from_fen(rules, text) {
        Ok(position) => position,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let fen = position.to_fen();
    let read = Position::from_fen(rules, &fen).expect("its own text is a position");
    assert_eq!(read.to_fen(), fen);
    assert_eq!(read.key(), position.key());
    position.outcome();

    let mut moves: Vec<_> =
        position.legal_moves().into_iter().map(|played| (played.uci(position.board()), played)).collect();
    moves.sort();
    let slow = SlowPosition::from_fen(rules.variant(), &fen);
    assert_eq!(slow.fen(), fen);
    let slow = slow.moves();
    let ucis = moves.iter().map(|(uci, _)| uci);
    assert!(ucis.eq(slow.iter().map(|(uci, _)| uci)), "{key} {fen}: {moves:?}");
    for ((uci, played), (_, next)) in moves.iter().zip(&slow) {
        let after = position.after(*played);
        // The slow generator counts further than a position's text can say.
        if position.halfmove_clock() < u16::MAX && position.fullmove_number() < u32::MAX {
            assert_eq!(after.to_fen(), next.fen(), "{key} {fen}: {uci}");
        }
        assert_eq!(after.count_legal_moves(), after.legal_moves().len());
    }
});

//! Any text as a variant file: an error with a place in the text, or a variant that holds together, whose first moves
//! are those of the slow generator of the tests, and whose space gives its setups the ids they come from.
#![no_main]

#[path = "../../rules/tests/suite/slow/mod.rs"]
#[allow(unused_imports, reason = "the tests use more of it")]
mod slow;
mod spaces;

use backrank_enumerate::{Space, SpaceError};
use backrank_rules::{Letter, Position, Rules, Variant, VariantError};
use libfuzzer_sys::fuzz_target;
use slow::SlowPosition;

fuzz_target!(|text: &str| match Variant::parse("fuzzed", "fuzzed.toml", text) {
    Err(error) => check_place(&error, text),
    Ok(variant) => {
        let ranks = variant.board.ranks();
        assert!(variant.first_rank + 1 < ranks - 1 - (variant.first_rank + 1), "room for the pawns");
        assert_eq!(variant.armies[0].files(), variant.board.files());
        let is_known = |&letter: &Letter| variant.piece(letter).is_some();
        assert!(variant.armies[0].pieces().all(|(_, letter)| is_known(&letter)));
        assert!(variant.pawn.promotes_to.iter().flatten().all(is_known));
        if let Some(castling) = &variant.castling {
            assert!(castling.partners.iter().all(is_known));
        }
        if let Some(adjustment) = &variant.adjustment {
            assert!(is_known(&adjustment.piece) && adjustment.partners.iter().all(is_known));
        }
        if !variant.count_only {
            play(&variant, text.len());
        }
        match Space::new(&variant) {
            Ok(space) => spaces::there_and_back(&space),
            Err(SpaceError::Variant(error)) => check_place(&error, text),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});

/// An error names a place in the text.
fn check_place(error: &VariantError, text: &str) {
    assert!((1..=text.matches('\n').count() + 1).contains(&error.line), "{error:?}");
    let line = text.split('\n').nth(error.line - 1).unwrap();
    assert!((1..=line.chars().count() + 1).contains(&error.column), "{error:?}");
    assert!(error.to_string().starts_with("fuzzed.toml:"), "{error}");
}

/// Plays some moves from the start, as arbitrary as a number makes them.
fn play(variant: &Variant, mut number: usize) {
    let rules = Rules::new(variant);
    let Ok(mut position) = Position::new(&rules, &variant.written_setup()) else {
        return;
    };
    for _ in 0..12 {
        let fen = position.to_fen();
        let slow = SlowPosition::from_fen(variant, &fen);
        assert_eq!(slow.fen(), fen);
        let mut moves: Vec<_> =
            position.legal_moves().into_iter().map(|played| (played.uci(position.board()), played)).collect();
        moves.sort();
        let ucis: Vec<_> = moves.iter().map(|(uci, _)| uci.clone()).collect();
        assert_eq!(ucis, slow.uci_moves(), "{fen}");
        if moves.is_empty() {
            return;
        }
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let played = moves[(number >> 33) % moves.len()].1;
        let _ = position.notation(played);
        position = position.after(played);
    }
}

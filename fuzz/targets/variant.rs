//! Any text as a variant file: an error with a place in the text, or a variant that holds together.
#![no_main]

use backrank_rules::Variant;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match Variant::parse("fuzzed", "fuzzed.toml", text) {
    Err(error) => {
        assert!((1..=text.matches('\n').count() + 1).contains(&error.line), "{error:?}");
        let line = text.split('\n').nth(error.line - 1).unwrap();
        assert!((1..=line.chars().count() + 1).contains(&error.column), "{error:?}");
        assert!(error.to_string().starts_with("fuzzed.toml:"), "{error}");
    }
    Ok(variant) => {
        let ranks = variant.board.ranks();
        assert!(variant.first_rank + 1 < ranks - 1 - (variant.first_rank + 1), "room for the pawns");
        assert_eq!(variant.army.files(), variant.board.files());
        let is_known = |&letter: &u8| variant.piece(letter).is_some();
        assert!(variant.army.pieces().all(|(_, letter)| is_known(&letter)));
        assert!(variant.pawn.promotes_to.iter().all(is_known));
        if let Some(castling) = &variant.castling {
            assert!(is_known(&castling.partner));
        }
        if let Some(adjustment) = &variant.adjustment {
            assert!(is_known(&adjustment.piece) && adjustment.partners.iter().all(is_known));
        }
    }
});

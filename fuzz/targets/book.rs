//! Any bytes as a book of openings: an error that says what is wrong, or positions that are read back.
//!
//! The first line of the input is the key of a variant, the rest the book, once as games and once as positions.
#![no_main]

mod variants;

use std::path::Path;

use backrank_rules::Position;
use backrank_selfplay::study::{Book, BookFormat};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (key, text) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    let rules = variants::rules_or(std::str::from_utf8(key).unwrap_or(""), "chess");
    for (format, plies) in
        [(BookFormat::Games, None), (BookFormat::Games, Some(2)), (BookFormat::Positions, None)]
    {
        match Book::parse(Path::new("book"), text, format, plies, rules) {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(openings) => {
                assert!(!openings.is_empty());
                for fen in openings {
                    let position = Position::from_fen(rules, &fen).expect("an opening is a position");
                    assert!(position.outcome().is_none());
                }
            }
        }
    }
});

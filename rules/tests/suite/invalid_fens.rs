//! Texts that are no positions, and that the error says what is wrong with each.

use backrank_rules::{Position, Rules, Variant};

/// A line for each: variant, what is wrong in the words of `FenError`, text.
const INVALID: &str = include_str!("../data/invalid-fens.txt");

#[test]
fn every_invalid_text_is_refused_for_what_is_wrong_with_it() {
    let mut others = Vec::new();
    for line in INVALID.lines().skip(1) {
        let [key, wrong, fen] = line.splitn(3, ',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let rules = Rules::new(&Variant::find(key).unwrap());
        match Position::from_fen(&rules, fen) {
            Err(error) if name(&format!("{error:?}")) == wrong => assert!(!error.to_string().is_empty()),
            other => others.push(format!("{line}\n    {other:?}")),
        }
    }
    assert!(others.is_empty(), "\n{}", others.join("\n"));
}

/// `rank-too-long` of `RankTooLong { … }`.
fn name(debug: &str) -> String {
    let mut name = String::new();
    for letter in debug.chars().take_while(char::is_ascii_alphabetic) {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

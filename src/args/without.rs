//! `--without`: pieces that neither side has.

use std::str::FromStr;

use backrank_rules::{Letter, Variant};
use backrank_selfplay::study::Odds;

use crate::terminal::failure::Failure;

/// Pieces that neither side has, at least one, pawns last.
#[derive(Clone, Debug)]
pub struct Without(Vec<Letter>);

impl Without {
    /// A letter for each piece.
    pub fn letters(&self) -> &[Letter] {
        &self.0
    }

    /// Refuses pieces that a side of a game does not have.
    pub fn check(&self, variant: &Variant) -> Result<(), Failure> {
        Odds::on_neither(&self.0).check(variant).map_err(|problem| self.refused(&problem))
    }

    /// Says what is wrong with them.
    pub fn refused(&self, problem: &str) -> Failure {
        Failure::Input(format!("--without {}: {problem}", Odds::side_text(&self.0)))
    }
}

impl FromStr for Without {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let letters = Odds::side_letters(text).filter(|letters| !letters.is_empty());
        letters.map(Self).ok_or_else(|| "pieces are written as 4P or N+4P, with capital letters".to_string())
    }
}

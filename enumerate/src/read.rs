//! Ranks and setups as a person writes them.

use backrank_rules::{FirstRank, Setup};
use thiserror::Error;

use crate::army::Army;
use crate::space::{NotInSpace, Sides, Space};

/// Why a text is not an arrangement of an army.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RankError {
    /// Its letters are not the army's.
    #[error("{text} is not an arrangement of {army}: {}", wrong_letters(.missing, .extra))]
    Letters {
        /// The text.
        text: String,
        /// The army's letters in the order of its own game.
        army: String,
        /// Letters that are missing.
        missing: String,
        /// Letters that are too many.
        extra: String,
    },
    /// The pieces are on other files than the army's.
    #[error("{text} has pieces on other files than {pattern}")]
    Files {
        /// The text.
        text: String,
        /// The arrangement the variant's file gives.
        pattern: String,
    },
    /// One rank where two are needed.
    #[error("{text} is one rank and the sides are {sides}: give White's and Black's as {text}/{text}")]
    OneSide {
        /// The text.
        text: String,
        /// The name of the symmetry.
        sides: &'static str,
    },
}

fn wrong_letters(missing: &str, extra: &str) -> String {
    match (missing, extra) {
        (missing, "") => format!("missing {missing}"),
        ("", extra) => format!("too many {extra}"),
        (missing, extra) => format!("missing {missing}, too many {extra}"),
    }
}

impl Army {
    /// Reads an arrangement of this army: its letters from the a-file in either case, with or without the dots of empty
    /// files.
    ///
    /// # Errors
    ///
    /// When letters are missing or too many, or an empty file is not where it should be.
    pub fn read_rank(&self, text: &str) -> Result<FirstRank, RankError> {
        let letters: Vec<char> = text.trim().chars().map(|letter| letter.to_ascii_uppercase()).collect();
        let pieces: Vec<char> = letters.iter().copied().filter(|&letter| letter != '.').collect();
        self.check_letters(text.trim(), &pieces)?;
        let mut rank = self.pattern();
        for (file, letter) in self.files().zip(&pieces) {
            rank.set(file, *letter as u8);
        }
        let dotted = letters.len() != pieces.len();
        if dotted && !letters.iter().copied().eq(rank.as_bytes().iter().map(|&letter| letter as char)) {
            return Err(self.other_files(text));
        }
        Ok(rank)
    }

    /// Whether a rank is an arrangement of this army.
    pub(crate) fn check(&self, rank: &FirstRank) -> Result<(), RankError> {
        let pieces: Vec<char> = rank.pieces().map(|(_, letter)| letter as char).collect();
        self.check_letters(&rank.to_string(), &pieces)?;
        let same_files =
            rank.files() == self.board_files() && rank.pieces().map(|(file, _)| file).eq(self.files());
        if same_files { Ok(()) } else { Err(self.other_files(&String::from_utf8_lossy(rank.as_bytes()))) }
    }

    fn other_files(&self, text: &str) -> RankError {
        let pattern = String::from_utf8_lossy(self.pattern().as_bytes()).into_owned();
        RankError::Files { text: text.to_string(), pattern }
    }

    fn check_letters(&self, text: &str, pieces: &[char]) -> Result<(), RankError> {
        let mut extra: Vec<char> = pieces.to_vec();
        let mut missing = String::new();
        for (_, letter) in self.pattern().pieces() {
            match extra.iter().position(|&given| given == letter as char) {
                Some(place) => {
                    extra.remove(place);
                }
                None => missing.push(letter as char),
            }
        }
        if extra.is_empty() && missing.is_empty() {
            return Ok(());
        }
        let extra = extra.into_iter().collect();
        Err(RankError::Letters { text: text.to_string(), army: self.pattern().to_string(), missing, extra })
    }
}

impl Space {
    /// Reads a setup of this space: White's rank, or both with `/` between them, or the name of a listed setup.
    ///
    /// # Errors
    ///
    /// When the text is not a setup of this space: which letters are wrong, or which constraint is broken.
    pub fn read(&self, text: &str) -> Result<Setup, NotInSpace> {
        let setup = match (text.split_once('/'), self.sides()) {
            (Some((white, black)), _) => {
                Setup { white: self.army().read_rank(white)?, black: self.army().read_rank(black)? }
            }
            (None, Sides::Listed(listed)) => {
                match listed.iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim())) {
                    Some((_, setup)) => *setup,
                    None => {
                        let white = self.army().read_rank(text)?;
                        let mut fitting = listed.iter().filter(|(_, setup)| setup.white == white);
                        match (fitting.next(), fitting.next()) {
                            (Some((_, setup)), None) => *setup,
                            _ => return Err(self.one_side(&white).into()),
                        }
                    }
                }
            }
            (None, sides) => {
                let white = self.army().read_rank(text)?;
                let black = sides.black(&white).ok_or_else(|| self.one_side(&white))?;
                Setup { white, black }
            }
        };
        self.rank(&setup).map(|_| setup)
    }

    fn one_side(&self, white: &FirstRank) -> RankError {
        RankError::OneSide { text: white.to_string(), sides: self.sides().name() }
    }
}

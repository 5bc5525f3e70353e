//! Books of openings: files of positions or of games that a study's games start from.

mod lines;
mod pgn;

use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use backrank_rules::files::read_file;
use backrank_rules::{Outcome, Position, Rules};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::pgn::{BYTE_ORDER_MARK, check_format, decoded, end_lines};
use crate::store::sha256;

/// The largest book, in bytes. It is read whole.
const LARGEST: u64 = 1 << 30;

/// The book of openings of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// The path of the file, relative to the directory in which the study was begun.
    pub path: PathBuf,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// The number of openings in it.
    pub openings: u64,
    /// The order in which they are played. After the last opening, the first is played again.
    pub order: BookOrder,
    /// The largest number of plies that are taken from each game of a PGN; `None` for all plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

/// What a book of openings consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// A position on each line, as FEN or EPD.
    Positions,
    /// Games in PGN.
    Games,
}

/// The order in which the openings of a book are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BookOrder {
    /// The order of the file.
    #[default]
    Sequential,
    /// An order that is drawn by the study's seed.
    Random,
}

/// What is wrong with a book of openings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the openings {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
    /// The file is not a book, or not the study's book.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A line is wrong.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
    /// A game is over after the moves that are its opening.
    #[error("{}, line {line}: {problem}", path.display())]
    Over {
        /// The file.
        path: PathBuf,
        /// The line, from 1, at which the game ends.
        line: usize,
        /// How it ends, and after how many plies.
        problem: String,
    },
}

/// A wrong line, counted from 1, and what is wrong with it.
#[derive(Debug)]
struct WrongLine {
    line: usize,
    problem: String,
    /// Whether the opening is a whole game, so that fewer of its moves are an opening.
    is_over: bool,
}

/// The stream of random numbers that shuffles openings. The games of a study never reach it.
const ORDER_STREAM: u64 = 5 << 61;

impl Book {
    /// Reads a file of openings to find how many there are.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or something in it is not an opening of the game.
    pub fn open(path: &Path, order: BookOrder, plies: Option<u32>, rules: &Rules) -> Result<Self, BookError> {
        let (openings, sha256) = read(path, plies, rules)?;
        Ok(Self { path: path.to_path_buf(), sha256, openings: openings.len() as u64, order, plies })
    }

    /// The openings in the bytes of a file, as FENs. Errors call the file `path`.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use backrank_rules::{Rules, Variant};
    /// use backrank_selfplay::study::{Book, BookFormat};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let openings = Book::parse(Path::new("a.pgn"), b"1. e4 e5\n\n1. c4\n", BookFormat::Games, None, &rules)?;
    /// assert_eq!(openings[1], "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When something in it is not an opening of the game, or there is none.
    pub fn parse(
        path: &Path,
        bytes: &[u8],
        format: BookFormat,
        plies: Option<u32>,
        rules: &Rules,
    ) -> Result<Vec<String>, BookError> {
        let in_file = |problem: String| BookError::File { path: path.to_path_buf(), problem };
        check_format(bytes).map_err(|problem| in_file(problem.to_string()))?;
        let mut text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).to_vec();
        end_lines(&mut text, 0);
        let text = decoded(&text);
        let found = match format {
            BookFormat::Games => pgn::openings(&text, rules, plies),
            BookFormat::Positions => lines::openings(&text, rules),
        };
        let openings = found.map_err(|WrongLine { line, problem, is_over }| {
            let path = path.to_path_buf();
            match is_over {
                true => BookError::Over { path, line, problem },
                false => BookError::Line { path, line, problem },
            }
        })?;
        if openings.is_empty() {
            return Err(in_file("there is no opening in it".to_string()));
        }
        Ok(openings)
    }

    /// The openings, as FENs.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or has changed since the study was begun.
    pub(super) fn load(&self, rules: &Rules) -> Result<Vec<String>, BookError> {
        let (openings, sha256) = read(&self.path, self.plies, rules)?;
        if sha256 != self.sha256 {
            let problem = format!(
                "these are not the openings that the study was begun with: the file's SHA-256 is {sha256}, and should be {}",
                self.sha256
            );
            return Err(BookError::File { path: self.path.clone(), problem });
        }
        if openings.len() as u64 != self.openings {
            let problem = format!("it has {} openings, and should have {}", openings.len(), self.openings);
            return Err(BookError::File { path: self.path.clone(), problem });
        }
        Ok(openings)
    }

    /// The order of the openings in a study with this seed.
    pub(super) fn schedule(&self, seed: u64) -> BookSchedule {
        let mut shuffled = Vec::new();
        if self.order == BookOrder::Random {
            shuffled.extend(0..self.openings);
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(ORDER_STREAM);
            shuffled.shuffle(&mut rng);
        }
        BookSchedule { openings: self.openings, shuffled }
    }
}

/// The order in which a study plays the openings of its book.
#[derive(Debug)]
pub(super) struct BookSchedule {
    openings: u64,
    /// The openings in their order; empty for the order of the file.
    shuffled: Vec<u64>,
}

impl BookSchedule {
    /// The number of the opening, from 0, for a start of the study.
    pub fn opening(&self, start: u64) -> u64 {
        let turn = start % self.openings.max(1);
        self.shuffled.get(turn as usize).copied().unwrap_or(turn)
    }
}

impl FromStr for BookOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "sequential" => Ok(Self::Sequential),
            "random" => Ok(Self::Random),
            _ => Err(format!("openings are played in sequential or in random order, not `{text}`")),
        }
    }
}

/// Reads a book: its openings, as FENs, and the SHA-256 of its bytes.
fn read(path: &Path, plies: Option<u32>, rules: &Rules) -> Result<(Vec<String>, String), BookError> {
    let in_file = |problem: String| BookError::File { path: path.to_path_buf(), problem };
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let format = match extension.as_deref() {
        Some("pgn") => BookFormat::Games,
        Some("epd" | "fen") => BookFormat::Positions,
        _ => {
            return Err(in_file(
                "openings come from a file whose name ends in .epd, .fen or .pgn".to_string(),
            ));
        }
    };
    if plies.is_some() && format == BookFormat::Positions {
        let problem =
            "its openings are positions; the number of plies can be limited only for games, in a .pgn file";
        return Err(in_file(problem.to_string()));
    }
    let bytes =
        read_file(path, LARGEST).map_err(|error| BookError::Read { path: path.to_path_buf(), error })?;
    Ok((Book::parse(path, &bytes, format, plies, rules)?, sha256(&bytes)))
}

/// The FEN of an opening, if the game is not over there.
fn playable(position: &Position<'_>, outcome: Option<Outcome>) -> Result<String, String> {
    match outcome {
        None => Ok(position.to_fen()),
        Some(outcome) => Err(format!("the opening leaves nothing to play: the game is over, {outcome}")),
    }
}

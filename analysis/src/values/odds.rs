//! Piece values by material odds: matches in which one side lacks one thing and the other side another.

use std::collections::{BTreeMap, HashMap};

use backrank_selfplay::Odds;
use nalgebra::{DMatrix, DVector};
use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::games::{Column, ReplayedGame};
use crate::stats::{Estimate, Interval, MatchScore, NORMAL_975, fieller};

/// Games at odds, gathered in pairs.
#[derive(Clone, Debug, Default)]
pub struct OddsMatches {
    matches: BTreeMap<[String; 2], [u64; 5]>,
    results: BTreeMap<[String; 2], [u64; 3]>,
    /// By study, a game whose partner is yet to come.
    waiting: HashMap<usize, Waiting>,
    unpaired: u64,
}

#[derive(Clone, Debug)]
struct Waiting {
    setup: u128,
    half_points: usize,
}

/// A match at odds: the side that keeps the first against the side that keeps the second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsMatch {
    /// What one side lacks and the other has, `M` or `B+N`.
    pub first: String,
    /// What the other side lacks; `-` for nothing.
    pub second: String,
    /// Games won, drawn and lost by the side that has the first.
    pub results: [u64; 3],
    /// Pairs by the half points in them of the side that has the first, 0 to 4.
    pub pairs: [u64; 5],
    /// The share of the points of the side that has the first.
    pub score: Estimate,
    /// How much more the first is worth than the second, in Elo.
    pub elo: Estimate,
    /// The same in pawns; none where there is no match at the odds of a pawn.
    pub pawns: Option<Estimate>,
    /// The standard error of `elo`; infinite where the score is 0 or 1.
    #[serde(skip)]
    pub error: f64,
}

/// What odds find for a piece, all matches taken together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsPiece {
    /// The piece.
    pub piece: Column,
    /// The games of the matches that it is part of.
    pub games: u64,
    /// What it is worth in Elo.
    pub elo: Option<Estimate>,
    /// And in pawns.
    pub pawns: Option<Estimate>,
    /// Why there is no value, or what to know of it.
    pub note: Option<String>,
}

/// What odds find.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsValues {
    /// The matches.
    pub matches: Vec<OddsMatch>,
    /// The pieces in them.
    pub pieces: Vec<OddsPiece>,
    /// Where there are more matches than it takes: the chance that they would be so far from adding up if worth did add
    /// up.
    pub additive: Option<f64>,
    /// Games without the other one of their pair, which say nothing.
    pub unpaired: u64,
}

impl OddsMatches {
    /// Adds a game; games come in the order of their study. One without odds is left aside, and so is one that starts in the
    /// middle of another: what a piece is worth there is another question.
    pub fn add(&mut self, game: &ReplayedGame) {
        if game.source.is_some() {
            return;
        }
        let Some((white, black)) = game.odds.split_once(':') else { return };
        let white_half_points = game.outcome();
        let (key, half_points) = match first_of(white, black) {
            // White lacks the first, so Black has it.
            true => ([white, black], 2 - white_half_points),
            false => ([black, white], white_half_points),
        };
        let key = key.map(str::to_string);
        self.results.entry(key.clone()).or_default()[2 - half_points] += 1;
        // Either game of a pair may have been left out as the same as an earlier one: a second game never waits.
        match self.waiting.remove(&game.study) {
            Some(waiting) if game.swapped && waiting.setup == game.setup => {
                self.matches.entry(key).or_default()[waiting.half_points + half_points] += 1;
            }
            lost => {
                self.unpaired += u64::from(lost.is_some());
                if game.swapped {
                    self.unpaired += 1;
                } else {
                    self.waiting.insert(game.study, Waiting { setup: game.setup, half_points });
                }
            }
        }
    }

    /// Whether there are no games at odds.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Adds the pairs of a match, where only their results are known, by the half points, 0 to 4, of the side that has
    /// what [`Odds::first`] names.
    pub fn add_pairs(&mut self, odds: &Odds, pairs: [u64; 5]) {
        let key = [odds.first(), odds.second()].map(Odds::side_text);
        self.results.entry(key.clone()).or_default();
        let counts = self.matches.entry(key).or_default();
        counts.iter_mut().zip(pairs).for_each(|(count, more)| *count += more);
    }

    /// What the matches say.
    pub fn values(&self) -> OddsValues {
        let mut matches: Vec<OddsMatch> = self
            .matches
            .iter()
            .filter_map(|([first, second], pairs)| {
                let results = self.results[&[first.clone(), second.clone()]];
                one_match(first, second, results, *pairs)
            })
            .collect();
        let pawn = matches.iter().find(|found| found.first == "P" && found.second == "-").cloned();
        for found in &mut matches {
            found.pawns = pawn.as_ref().map(|pawn| ratio(found, pawn));
        }
        let (pieces, additive) = together(&matches);
        let unpaired = self.unpaired + self.waiting.len() as u64;
        OddsValues { matches, pieces, additive, unpaired }
    }
}

/// Whether what White lacks is named first: nothing is named last, and of two things the one that comes first in the
/// alphabet.
fn first_of(white: &str, black: &str) -> bool {
    black == "-" || (white != "-" && white <= black)
}

/// What the pairs of a match say; none without a pair.
fn one_match(first: &str, second: &str, results: [u64; 3], pairs: [u64; 5]) -> Option<OddsMatch> {
    let MatchScore { score, elo, error } = MatchScore::of_pairs(pairs)?;
    let (first, second) = (first.to_string(), second.to_string());
    Some(OddsMatch { first, second, results, pairs, score, elo, pawns: None, error })
}

fn ratio(found: &OddsMatch, pawn: &OddsMatch) -> Estimate {
    if found == pawn {
        return Estimate::exact(1.0);
    }
    let value = found.elo.value / pawn.elo.value;
    let variances = [found.error.powi(2), pawn.error.powi(2), 0.0];
    let known = variances.iter().all(|variance| variance.is_finite());
    let interval = match known {
        true => fieller(found.elo.value, pawn.elo.value, variances),
        false => Interval::UNBOUNDED,
    };
    Estimate { value, interval }
}

/// What each piece is worth if values add up in Elo: weighted least squares of the matches' Elo, the weights one over their
/// variances. Also the chance of so large a sum of squares.
fn together(matches: &[OddsMatch]) -> (Vec<OddsPiece>, Option<f64>) {
    let letters = |text: &str| Odds::side_letters(text).unwrap_or_default();
    let mut all: Vec<u8> =
        matches.iter().flat_map(|found| [letters(&found.first), letters(&found.second)].concat()).collect();
    // The pawn first, as everywhere.
    all.sort_unstable_by_key(|&letter| (letter != b'P', letter));
    all.dedup();
    let usable: Vec<&OddsMatch> =
        matches.iter().filter(|found| found.error.is_finite() && found.error > 0.0).collect();
    let mut design = DMatrix::zeros(usable.len(), all.len());
    let mut seen = DVector::zeros(usable.len());
    for (row, found) in usable.iter().enumerate() {
        for (side, sign) in [(&found.first, 1.0), (&found.second, -1.0)] {
            for letter in letters(side) {
                if let Some(column) = all.iter().position(|&other| other == letter) {
                    design[(row, column)] += sign / found.error;
                }
            }
        }
        seen[row] = found.elo.value / found.error;
    }
    let empty = usable.is_empty();
    let solved = (!empty).then(|| solve(&design, &seen)).flatten();
    let additive = solved.as_ref().and_then(|(worth, _, rank, _)| {
        let freedom = usable.len() - rank;
        let squares = (&design * worth - &seen).norm_squared();
        (freedom > 0).then(|| ChiSquared::new(freedom as f64).map_or(1.0, |chi| chi.sf(squares)))
    });
    let pieces = all.iter().enumerate().map(|(column, &letter)| {
        let games = matches
            .iter()
            .filter(|found| [&found.first, &found.second].iter().any(|side| letters(side).contains(&letter)))
            .map(|found| 2 * found.pairs.iter().sum::<u64>())
            .sum();
        let known = solved.as_ref().filter(|(.., known)| known[column]);
        let mut piece = OddsPiece { piece: Column::Piece(letter), games, elo: None, pawns: None, note: None };
        let Some((worth, spread, _, known)) = known else {
            piece.note = Some("no chain of matches leads from it to nothing".to_string());
            return piece;
        };
        piece.elo = Some(Estimate::normal(worth[column], spread[(column, column)].max(0.0).sqrt()));
        if all[0] == b'P' && known[0] {
            let value = worth[column] / worth[0];
            piece.pawns = Some(match column {
                0 => Estimate::exact(1.0),
                _ => Estimate {
                    value,
                    interval: fieller(
                        worth[column],
                        worth[0],
                        [spread[(column, column)], spread[(0, 0)], spread[(column, 0)]],
                    ),
                },
            });
            if worth[0].abs() <= NORMAL_975 * spread[(0, 0)].sqrt() && column == 0 {
                piece.note =
                    Some("cannot be told from nothing, so that no ratio to it is bounded".to_string());
            }
        } else {
            piece.note = Some("no value in pawns without a match at the odds of a pawn, P:-".to_string());
        }
        piece
    });
    (pieces.collect(), additive)
}

/// Least squares by singular values: the solution, its covariance, the rank, and which unknowns it determines.
type Solved = (DVector<f64>, DMatrix<f64>, usize, Vec<bool>);

fn solve(design: &DMatrix<f64>, seen: &DVector<f64>) -> Option<Solved> {
    let normal = design.transpose() * design;
    let decomposed = normal.clone().symmetric_eigen();
    let largest = decomposed.eigenvalues.max();
    let size = design.ncols();
    let (mut inverse, mut reached) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
    let mut rank = 0;
    for (value, vector) in decomposed.eigenvalues.iter().zip(decomposed.eigenvectors.column_iter()) {
        if *value > 1e-9 * largest {
            inverse += vector * vector.transpose() / *value;
            reached += vector * vector.transpose();
            rank += 1;
        }
    }
    let known = (0..size).map(|index| (reached[(index, index)] - 1.0_f64).abs() < 1e-6).collect();
    let solution = &inverse * design.transpose() * seen;
    (rank > 0).then_some((solution, inverse, rank, known))
}

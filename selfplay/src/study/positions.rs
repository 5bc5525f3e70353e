//! Finding positions of recorded games from which games start, with pieces of one side removed.

use std::path::Path;

use backrank_engine::{Evaluator, Weights, is_quiet};
use backrank_rules::{Game, Letter, PieceKind, Position, PositionBuilder, Rules, Side, Square};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::directory::StudyDirectory;
use super::game_positions::GamePosition;
use super::odds::{Odds, draw};
use super::record::{GameRecord, SourcePosition};
use super::recorded::RecordedGames;
use super::spec::StudySpec;
use crate::store::StoreError;

/// The number of positions, from each ply that is asked for, among which the first suitable one is taken.
const WINDOW: u32 = 10;

/// The number of times that pieces are drawn before a position is rejected.
const TRIES: u32 = 8;

/// The number of games that are read before they are replayed in parallel.
const BATCH: usize = 1024;

/// The streams of random numbers that choose the missing pieces and the order of positions. The games of a study never reach
/// them.
const PIECES_STREAM: u64 = 7 << 61;
const ORDER_STREAM: u64 = 9 << 60;

/// A position of a recorded game, and the two starts that are made from it by removing pieces.
#[derive(Debug)]
pub(super) struct FoundPosition {
    /// The game and the ply of the position.
    pub source: SourcePosition,
    /// The id of the game's setup, or the number of its opening.
    pub setup: u128,
    /// The first ranks of that setup, White's and Black's.
    pub ranks: [String; 2],
    /// The starts of both games of a pair: first White lacks what stands before the colon of the odds, then Black does.
    pub fens: [String; 2],
}

impl RecordedGames {
    /// Finds the suitable positions in the recorded games of a study's directory.
    ///
    /// # Errors
    ///
    /// When the directory does not hold games of the study's variant, or none of them has a suitable position.
    pub fn find(
        path: &Path,
        at_plies: Vec<u32>,
        balance: u32,
        odds: &Odds,
        study: &StudySpec,
        rules: &Rules,
    ) -> Result<Self, StoreError> {
        let path = path.to_path_buf();
        let asked = Self { path, games: u64::MAX, sha256: String::new(), at_plies, balance, positions: 0 };
        let (found, games, sha256) = asked.search(odds, study, rules)?;
        let positions = found.len() as u64;
        if positions == 0 {
            return Err(asked.wrong(format!(
                "none of its {games} games has a quiet position within {balance} centipawns of even at these plies, from which \
                 {odds} can be taken"
            )));
        }
        Ok(Self { games, sha256, positions, ..asked })
    }

    /// The positions in the order of the study's pairs: one of each ply in turn. The study's seed decides the order of the
    /// positions of a ply.
    ///
    /// # Errors
    ///
    /// When the recorded games cannot be read, or are not those that the study was begun with.
    pub(super) fn load(
        &self,
        odds: &Odds,
        study: &StudySpec,
        rules: &Rules,
    ) -> Result<Vec<FoundPosition>, StoreError> {
        let (found, games, sha256) = self.search(odds, study, rules)?;
        if (games, &sha256) != (self.games, &self.sha256) || found.len() as u64 != self.positions {
            return Err(self.wrong(format!(
                "its first {} games have changed since this study was begun, or this version finds other positions in \
                 them",
                self.games
            )));
        }
        Ok(found)
    }

    fn wrong(&self, problem: String) -> StoreError {
        StoreError::Source { path: self.path.clone(), problem }
    }

    /// All positions, the number of games, and their hash.
    fn search(
        &self,
        odds: &Odds,
        study: &StudySpec,
        rules: &Rules,
    ) -> Result<(Vec<FoundPosition>, u64, String), StoreError> {
        let recorded = StudyDirectory::read(&self.path)?;
        if recorded.variant != study.variant {
            let key = &recorded.variant.key;
            return Err(self.wrong(format!(
                "its games are of {key}, but this study is of {}; both need the same variant, with the same text",
                study.variant.key
            )));
        }
        if recorded.without_moves {
            return Err(self.wrong("the moves of its games were not recorded".to_string()));
        }
        // More games may be played there, and the first of them count by their own checksum.
        let mut reader = StudyDirectory::read_games_so_far(&self.path, &recorded)?;
        let finder = Finder {
            rules,
            evaluator: Evaluator::new(rules, &Weights::new(rules)),
            odds,
            at_plies: &self.at_plies,
            balance: self.balance,
            seed: study.seed,
        };
        let mut stages: Vec<Vec<FoundPosition>> = self.at_plies.iter().map(|_| Vec::new()).collect();
        let mut games = 0;
        loop {
            let most = (self.games - games).min(BATCH as u64) as usize;
            let batch = reader.by_ref().take(most).collect::<Result<Vec<GameRecord>, _>>()?;
            if batch.is_empty() {
                break;
            }
            let found: Result<Vec<_>, _> = batch.par_iter().map(|record| finder.of_game(record)).collect();
            let found = found.map_err(|(game, problem)| self.wrong(format!("game {game}: {problem}")))?;
            for (stage, position) in found.into_iter().flatten() {
                stages[stage].push(position);
            }
            games += batch.len() as u64;
        }
        let sha256 = StudyDirectory::sha256_of_games(reader.path(), reader.end())?;
        Ok((in_turn(stages, study.seed), games, sha256))
    }
}

/// One position of each stage in turn, after the positions of each stage are shuffled.
fn in_turn(mut stages: Vec<Vec<FoundPosition>>, seed: u64) -> Vec<FoundPosition> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(ORDER_STREAM);
    stages.iter_mut().for_each(|stage| stage.shuffle(&mut rng));
    let longest = stages.iter().map(Vec::len).max().unwrap_or_default();
    let mut stages: Vec<_> = stages.into_iter().map(Vec::into_iter).collect();
    (0..longest).flat_map(|_| stages.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()).collect()
}

/// Finds positions in recorded games.
struct Finder<'f, 'r> {
    rules: &'r Rules,
    evaluator: Evaluator,
    odds: &'f Odds,
    at_plies: &'f [u32],
    balance: u32,
    seed: u64,
}

impl<'r> Finder<'_, 'r> {
    /// The positions of a game, each with the index of its ply in `at_plies`.
    fn of_game(&self, record: &GameRecord) -> Result<Vec<(usize, FoundPosition)>, (u64, String)> {
        let wrong = |problem: String| (record.game, problem);
        let (mut found, mut stage) = (Vec::new(), 0);
        let last = self.at_plies.last().map_or(0, |last| last + WINDOW);
        let mut positions = record.positions(self.rules, &[]).map_err(wrong)?;
        while let Some(GamePosition { ply, game, .. }) = positions.next().map_err(wrong)?
            && ply < last
        {
            // The number of stages that have begun; the last of them may still need a position.
            let begun = self.at_plies.partition_point(|&at| at <= ply);
            if begun > stage && ply < self.at_plies[begun - 1] + WINDOW {
                let source = SourcePosition { game: record.game, ply };
                if let Some(fens) = self.without_pieces(game, source) {
                    let ranks = [record.white_rank.clone(), record.black_rank.clone()];
                    found.push((begun - 1, FoundPosition { source, setup: record.setup, ranks, fens }));
                    stage = begun;
                }
            }
        }
        Ok(found)
    }

    /// The starts made from a position, if it is even and quiet, and stays quiet without the missing pieces.
    fn without_pieces(&self, game: &Game<'r>, source: SourcePosition) -> Option<[String; 2]> {
        let position = game.position();
        let fits = game.outcome().is_none()
            && self.evaluator.evaluate(position).unsigned_abs() <= self.balance
            && is_quiet(&self.evaluator, position);
        if !fits {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(PIECES_STREAM | (source.game << 16) ^ u64::from(source.ply));
        let goes_on =
            |position: &Position<'_>| position.outcome().is_none() && is_quiet(&self.evaluator, position);
        (0..TRIES).find_map(|_| {
            let [first, second] =
                [[Side::White, Side::Black], [Side::Black, Side::White]].map(|[one, other]| {
                    let mut builder = PositionBuilder::from_position(position);
                    for (side, letters) in [(one, self.odds.first()), (other, self.odds.second())] {
                        for square in self.drawn(position, side, letters, &mut rng)? {
                            builder.remove(square);
                        }
                    }
                    builder.build().ok().filter(goes_on).map(|start| start.to_fen())
                });
            Some([first?, second?])
        })
    }

    /// The squares of the pieces that a side is to lack, drawn with equal probabilities among pieces of a kind; `None`
    /// if it has too few.
    fn drawn(
        &self,
        position: &Position<'_>,
        side: Side,
        letters: &[Letter],
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<Square>> {
        let mut squares = Vec::new();
        for like in letters.chunk_by(|one, other| one == other) {
            let kind: PieceKind = self.rules.kind_of(like[0])?;
            let all: Vec<Square> = (position.pieces(side) & position.of_kind(kind)).iter().collect();
            if all.len() < like.len() {
                return None;
            }
            squares.extend(draw(like.len(), all.len(), rng).into_iter().map(|index| all[index]));
        }
        Some(squares)
    }
}

//! Replaying a recorded game by the rules, and sampling its positions.

use std::fmt;

use backrank_rules::{
    Game, GameResult, Letter, MoveKind, Outcome, PieceKind, Position, Rules, Side, Termination,
};
use backrank_selfplay::study::{Ending, GamePosition, GameRecord};

use serde::Serialize;

use super::material::{Difference, Material};

/// Which positions of a game are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// A position is quiet if there is no capture and no promotion in this many plies before it and as many after it.
    pub quiet_plies: u32,
    /// Positions are sampled from this ply on.
    pub from_ply: u32,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { quiet_plies: 2, from_ply: 16 }
    }
}

/// The stage of a game, by the number of pieces on the board other than kings and pawns, compared to the start of the
/// game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// More than three quarters of the pieces are left.
    Opening,
    /// More than three eighths are left.
    Middlegame,
    /// Three eighths or fewer are left.
    Endgame,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    fn of(pieces: u32, at_first: u32) -> Self {
        match 8 * pieces {
            left if left > 6 * at_first => Self::Opening,
            left if left > 3 * at_first => Self::Middlegame,
            _ => Self::Endgame,
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        })
    }
}

/// Quiet positions by their material difference, each with the number of positions.
pub type Samples = Vec<(Difference, u32)>;

/// A Bishop Adjustment that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedAdjustment {
    /// The ply at which it was played, from 0.
    pub ply: u32,
    /// The letter of the piece with which the bishop swapped squares.
    pub partner: Letter,
}

/// The result of replaying a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The material differences of the quiet positions, each with the number of positions, in order of first
    /// occurrence.
    pub samples: Samples,
    /// The same for each stage of the game.
    pub stages: [Samples; 3],
    /// For each side, the files on which it has pawns when the game begins. Bit 0 is the a-file.
    pub pawn_files: [u32; 2],
    /// Whether each side could play a Bishop Adjustment when the game began.
    pub may_adjust: [bool; 2],
    /// The adjustment of each side.
    pub adjusted: [Option<PlayedAdjustment>; 2],
}

/// Replays games of one variant. Each worker has its own, so that the buffers are reused.
#[derive(Debug)]
pub struct Replayer<'r> {
    rules: &'r Rules,
    material: &'r Material,
    sampling: Sampling,
    /// For each ply, whether the move was a capture or a promotion.
    tactical: Vec<bool>,
    /// For each ply from the first one sampled, the index of the position's difference; `None` in check.
    seen: Vec<Option<u32>>,
    /// The material differences that occurred, with the stage of the game.
    differences: Vec<(Difference, Stage)>,
}

impl<'r> Replayer<'r> {
    /// A replayer for games of a variant.
    pub fn new(rules: &'r Rules, material: &'r Material, sampling: Sampling) -> Self {
        let (tactical, seen, differences) = Default::default();
        Self { rules, material, sampling, tactical, seen, differences }
    }

    /// Replays a game. If its moves were not recorded, only the start is seen.
    ///
    /// # Errors
    ///
    /// When the start is not a valid position, a move is not legal, or the row's result or termination by the rules is
    /// not what the moves lead to or, without moves, could lead to.
    pub fn replay(&mut self, record: &GameRecord) -> Result<Replay, String> {
        let start = record.start(self.rules)?;
        let mut replayed = Replay {
            pawn_files: Side::BOTH.map(|side| pawn_files(&start, side)),
            may_adjust: Side::BOTH.map(|side| start.may_adjust(side)),
            ..Replay::default()
        };
        if !record.has_moves() {
            check_result(&start, record)?;
            return Ok(replayed);
        }
        self.tactical.clear();
        self.seen.clear();
        self.differences.clear();
        let at_first = self.material.pieces(&start);
        self.differences.push((self.material.difference(&start), Stage::Opening));
        let mut has_changed = false;
        let mut positions = record.positions_from(start, &[])?;
        while let Some(GamePosition { ply, game, played, .. }) = positions.next()? {
            let position = game.position();
            if has_changed {
                let stage = Stage::of(self.material.pieces(position), at_first);
                self.differences.push((self.material.difference(position), stage));
            }
            let Some(played) = played else {
                check_end(game, record)?;
                break;
            };
            if ply >= self.sampling.from_ply {
                let difference = self.differences.len() as u32 - 1;
                self.seen.push((!position.is_check()).then_some(difference));
            }
            if played.kind == MoveKind::Adjustment
                && let Some((_, partner)) = position.piece_at(played.to)
            {
                replayed.adjusted[position.side_to_move() as usize] = Some(PlayedAdjustment { ply, partner });
            }
            let tactical = position.is_tactical(played);
            self.tactical.push(tactical);
            // After an adjustment the bishop stands on a square of the other colour, so the material has changed as
            // well.
            has_changed = tactical || played.kind == MoveKind::Adjustment;
        }
        self.sample(&mut replayed);
        Ok(replayed)
    }

    /// Collects the quiet positions among those seen.
    fn sample(&self, replayed: &mut Replay) {
        let (from, window) = (self.sampling.from_ply as usize, self.sampling.quiet_plies as usize);
        let mut last_tactical =
            self.tactical[..from.min(self.tactical.len())].iter().rposition(|&tactical| tactical);
        let mut next_tactical = 0;
        for (index, difference) in self.seen.iter().enumerate() {
            let ply = from + index;
            if ply > 0 && self.tactical[ply - 1] {
                last_tactical = Some(ply - 1);
            }
            if next_tactical <= ply {
                next_tactical = self.tactical[ply..]
                    .iter()
                    .position(|&tactical| tactical)
                    .map_or(usize::MAX, |at| ply + at);
            }
            let quiet =
                last_tactical.is_none_or(|last| ply - 1 - last >= window) && next_tactical - ply >= window;
            let Some(difference) = difference.filter(|_| quiet) else { continue };
            let (difference, stage) = self.differences[difference as usize];
            for samples in [&mut replayed.samples, &mut replayed.stages[stage as usize]] {
                match samples.iter_mut().find(|(other, _)| *other == difference) {
                    Some((_, number)) => *number += 1,
                    None => samples.push((difference, 1)),
                }
            }
        }
    }
}

/// Checks that a game ended by the rules in the way that its row says.
fn check_end(game: &Game<'_>, record: &GameRecord) -> Result<(), String> {
    let Ending::Rules(termination) = record.termination else { return Ok(()) };
    let found = match game.position().outcome() {
        // A threefold repetition may coincide with the fiftieth move, and is looked for first.
        None | Some(Outcome { termination: Termination::FiftyMoves, .. })
            if termination == Termination::Repetition && game.repetitions() >= 3 =>
        {
            Some(Outcome::draw(Termination::Repetition))
        }
        outcome => outcome,
    };
    match found {
        Some(outcome) if (Some(outcome.result), outcome.termination) == (record.result, termination) => {
            Ok(())
        }
        Some(outcome) => Err(format!(
            "the row says {} {termination}, but the moves end in {outcome}",
            record.result_text()
        )),
        None => Err(format!(
            "the row says {} {termination}, but after the moves the game is not over",
            record.result_text()
        )),
    }
}

/// Checks that a game without moves can have ended in the way that its row says: the side that moved last has mated, and
/// most other endings are draws.
fn check_result(start: &Position<'_>, record: &GameRecord) -> Result<(), String> {
    let Ending::Rules(termination) = record.termination else { return Ok(()) };
    let to_move = start.side_to_move();
    let possible = match termination {
        Termination::Checkmate | Termination::Goal | Termination::Checks => {
            GameResult::Win(if record.plies % 2 == 1 { to_move } else { to_move.other() })
        }
        Termination::Repetition | Termination::FiftyMoves | Termination::InsufficientMaterial => {
            GameResult::Draw
        }
        Termination::Stalemate | Termination::BareKing => return Ok(()),
    };
    match record.result == Some(possible) {
        true => Ok(()),
        false => Err(format!(
            "the row says {} {termination} after {} plies, which can only be {possible}",
            record.result_text(),
            record.plies
        )),
    }
}

fn pawn_files(position: &Position<'_>, side: Side) -> u32 {
    let pawns = position.of_kind(PieceKind::PAWN) & position.pieces(side);
    pawns.iter().fold(0, |files, square| files | 1 << position.board().file_of(square).0)
}

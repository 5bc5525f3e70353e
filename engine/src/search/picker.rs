//! Returns the moves of a position one by one, the most promising first, and generates them only when they are due.

use arrayvec::ArrayVec;
use backrank_rules::{CheckInfo, Move, Position};

use super::history::{Continuation, History};
use super::see::{gain, see_ge};
use crate::eval::Evaluator;

/// A move and its score in the order of moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    played: Move,
    score: i32,
}

/// The kind of a move for the search, in the order in which the kinds are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveClass {
    /// The hash move: the best move of the table's entry.
    HashMove,
    /// A capture or promotion that loses nothing by static exchange evaluation.
    GoodCapture,
    /// Neither a capture nor a promotion.
    Quiet,
    /// A capture or promotion that loses material.
    BadCapture,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PickerStage {
    HashMove,
    GenerateCaptures,
    GoodCaptures,
    Killers,
    GenerateQuiets,
    Quiets,
    BadCaptures,
}

/// The quiet moves that are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuietMoves {
    All,
    /// Quiet moves that give check, if the side to move is not in check itself; not quite all of them.
    Checks,
    None,
}

/// The data that decide the order of moves.
pub(super) struct MoveOrder<'a> {
    pub evaluator: &'a Evaluator,
    pub history: &'a History,
    pub killers: [Option<Move>; 2],
    pub continuation: Continuation,
}

/// The moves of one position, in stages.
pub(super) struct MovePicker {
    stage: PickerStage,
    hash_move: Option<Move>,
    /// Bad captures, then the captures or quiet moves that were not returned yet.
    moves: Vec<ScoredMove>,
    bad_captures: usize,
    next: usize,
    quiets: QuietMoves,
    /// Captures that win less than this, in centipawns, are left out; promotions never are.
    min_gain: i32,
    check_info: CheckInfo,
    /// Killers that were returned before the quiet moves were listed.
    killers: ArrayVec<Move, 2>,
    next_killer: usize,
}

impl MovePicker {
    /// Returns all legal moves, the hash move first. The list is reused; [`MovePicker::into_list`] gives it back.
    pub fn new(
        position: &Position<'_>,
        check_info: CheckInfo,
        hash_move: Option<Move>,
        list: Vec<ScoredMove>,
    ) -> Self {
        Self::start(position, check_info, hash_move, list, QuietMoves::All, i32::MIN)
    }

    /// Returns moves that promote or capture at least this much, in centipawns, and perhaps checks.
    pub fn quiescence(
        position: &Position<'_>,
        check_info: CheckInfo,
        hash_move: Option<Move>,
        list: Vec<ScoredMove>,
        quiets: QuietMoves,
        min_gain: i32,
    ) -> Self {
        let hash_move = hash_move.filter(|&played| position.is_tactical(played));
        Self::start(position, check_info, hash_move, list, quiets, min_gain)
    }

    fn start(
        position: &Position<'_>,
        check_info: CheckInfo,
        hash_move: Option<Move>,
        mut list: Vec<ScoredMove>,
        quiets: QuietMoves,
        min_gain: i32,
    ) -> Self {
        list.clear();
        // A position with the same key may have left a move in the table that is not legal here.
        let hash_move = hash_move.filter(|&played| position.is_legal_with(&check_info, played));
        Self {
            stage: PickerStage::HashMove,
            hash_move,
            moves: list,
            bad_captures: 0,
            next: 0,
            quiets,
            min_gain,
            check_info,
            killers: ArrayVec::new(),
            next_killer: 0,
        }
    }

    /// Gives back the list.
    pub fn into_list(self) -> Vec<ScoredMove> {
        self.moves
    }

    /// From now on returns only those quiet moves that give check.
    pub fn skip_quiets(&mut self, position: &Position<'_>) {
        self.quiets = QuietMoves::Checks;
        if self.stage == PickerStage::Quiets {
            let gives_check = position.attacks_king();
            let mut kept = self.next;
            for index in self.next..self.moves.len() {
                if gives_check(self.moves[index].played) {
                    self.moves.swap(kept, index);
                    kept += 1;
                }
            }
            self.moves.truncate(kept);
        }
    }

    /// Whether quiet moves that do not give check are left out.
    pub fn skips_quiets(&self) -> bool {
        self.quiets != QuietMoves::All
    }

    /// The next move and its kind.
    pub fn next(&mut self, position: &Position<'_>, order: &MoveOrder<'_>) -> Option<(Move, MoveClass)> {
        loop {
            match self.stage {
                PickerStage::HashMove => {
                    self.stage = PickerStage::GenerateCaptures;
                    if let Some(hash_move) = self.hash_move {
                        return Some((hash_move, MoveClass::HashMove));
                    }
                }
                PickerStage::GenerateCaptures => {
                    self.generate_captures(position, order);
                    self.stage = PickerStage::GoodCaptures;
                }
                PickerStage::GoodCaptures => {
                    if self.next == self.moves.len() {
                        self.stage = PickerStage::Killers;
                        continue;
                    }
                    let ScoredMove { played, .. } = self.pick();
                    if Some(played) == self.hash_move {
                        continue;
                    }
                    if see_ge(order.evaluator, position, played, 0) {
                        return Some((played, MoveClass::GoodCapture));
                    }
                    self.moves.swap(self.bad_captures, self.next - 1);
                    self.bad_captures += 1;
                }
                PickerStage::Killers => {
                    // Often a killer is sufficient, and no list has to be made.
                    if self.quiets != QuietMoves::All || self.next_killer == order.killers.len() {
                        self.stage = PickerStage::GenerateQuiets;
                        continue;
                    }
                    let killer =
                        order.killers[self.next_killer].filter(|&killer| self.is_possible(position, killer));
                    self.next_killer += 1;
                    if let Some(killer) = killer {
                        self.killers.push(killer);
                        return Some((killer, MoveClass::Quiet));
                    }
                }
                PickerStage::GenerateQuiets => {
                    if self.quiets != QuietMoves::None {
                        self.generate_quiets(position, order);
                    }
                    self.stage = PickerStage::Quiets;
                }
                PickerStage::Quiets => {
                    if self.quiets != QuietMoves::None && self.next < self.moves.len() {
                        let ScoredMove { played, .. } = self.pick();
                        if Some(played) == self.hash_move || self.killers.contains(&played) {
                            continue;
                        }
                        return Some((played, MoveClass::Quiet));
                    }
                    self.next = 0;
                    self.stage = PickerStage::BadCaptures;
                }
                PickerStage::BadCaptures => {
                    if self.next == self.bad_captures {
                        return None;
                    }
                    self.next += 1;
                    return Some((self.moves[self.next - 1].played, MoveClass::BadCapture));
                }
            }
        }
    }

    /// Whether a killer is a quiet move here that was not returned yet.
    fn is_possible(&self, position: &Position<'_>, killer: Move) -> bool {
        Some(killer) != self.hash_move
            && !position.is_tactical(killer)
            && position.is_legal_with(&self.check_info, killer)
    }

    // This is not inlined, because the next move is asked for several times as often as a list is made.
    #[inline(never)]
    fn generate_captures(&mut self, position: &Position<'_>, order: &MoveOrder<'_>) {
        let (moves, min_gain) = (&mut self.moves, self.min_gain);
        position.for_each_tactical_move(&self.check_info, |played| {
            let gain = gain(order.evaluator, position, played);
            if gain >= min_gain || played.is_promotion() {
                moves.push(ScoredMove { played, score: order.capture_score(position, played, gain) });
            }
        });
    }

    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position<'_>, order: &MoveOrder<'_>) {
        self.moves.truncate(self.bad_captures);
        self.next = self.bad_captures;
        let moves = &mut self.moves;
        let add = |played| moves.push(ScoredMove { played, score: 0 });
        match self.quiets {
            QuietMoves::All => position.for_each_quiet_move(&self.check_info, add),
            _ => position.for_each_quiet_check(&self.check_info, add),
        }
        let history = order.history.quiets(position, &order.continuation);
        for scored in &mut self.moves[self.bad_captures..] {
            scored.score = history.of(position, scored.played);
        }
    }

    /// The best of the remaining moves.
    fn pick(&mut self) -> ScoredMove {
        let left = &mut self.moves[self.next..];
        // Finding the highest score and then its first index takes no branches.
        let highest = left.iter().fold(i32::MIN, |highest, scored| highest.max(scored.score));
        let best = left.iter().position(|scored| scored.score == highest).unwrap_or(0);
        left.swap(0, best);
        self.next += 1;
        left[0]
    }
}

impl MoveOrder<'_> {
    /// The score of a capture: by what it captures, then by its history.
    fn capture_score(&self, position: &Position<'_>, played: Move, gain: i32) -> i32 {
        gain * 16 + self.history.capture(position, played) / 8
    }
}

//! Hands out the moves of a position one by one, the most promising first, and finds them only when they are due.

use arrayvec::ArrayVec;
use backrank_rules::{CheckInfo, Move, MoveKind, PieceKind, Position};

use super::exchange::wins_at_least;
use super::history::{Before, History};
use crate::eval::Evaluator;

/// A move and how early among its like it is to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub played: Move,
    order: i32,
}

/// Why a move comes when it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The table says it was best before.
    Known,
    /// It takes or promotes, and does not lose by it.
    Winning,
    /// It neither takes nor promotes.
    Quiet,
    /// It takes or promotes, and loses by it.
    Losing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Known,
    ListTactical,
    Tactical,
    Killers,
    ListQuiet,
    Quiet,
    Losing,
}

/// Which moves that neither take nor promote are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quiets {
    All,
    /// Those that give check, when out of check; most of them.
    Checks,
    None,
}

/// What the order of moves depends on.
pub(super) struct Orders<'a> {
    pub evaluator: &'a Evaluator,
    pub history: &'a History,
    pub killers: [Option<Move>; 2],
    pub before: Before,
}

/// The moves of one position.
pub(super) struct Picker {
    stage: Stage,
    known: Option<Move>,
    /// Losing captures, then the tactical or quiet moves not yet handed out.
    candidates: Vec<Candidate>,
    losing: usize,
    next: usize,
    quiets: Quiets,
    /// Captures that win less than this are left out, promotions never.
    least_gain: i32,
    check_info: CheckInfo,
    /// Killers handed out before the quiet moves were listed.
    killers: ArrayVec<Move, 2>,
    next_killer: usize,
}

impl Picker {
    /// Hands out all legal moves, `known` first. The list is one to use again; [`Picker::list`] gives it back.
    pub fn new(
        position: &Position<'_>,
        check_info: CheckInfo,
        known: Option<Move>,
        list: Vec<Candidate>,
    ) -> Self {
        Self::start(position, check_info, known, list, Quiets::All, i32::MIN)
    }

    /// Hands out moves that promote or take at least so much, in centipawns, and perhaps checks.
    pub fn tactical(
        position: &Position<'_>,
        check_info: CheckInfo,
        known: Option<Move>,
        list: Vec<Candidate>,
        quiets: Quiets,
        least_gain: i32,
    ) -> Self {
        let known = known.filter(|&known| position.is_tactical(known));
        Self::start(position, check_info, known, list, quiets, least_gain)
    }

    fn start(
        position: &Position<'_>,
        check_info: CheckInfo,
        known: Option<Move>,
        mut list: Vec<Candidate>,
        quiets: Quiets,
        least_gain: i32,
    ) -> Self {
        list.clear();
        // Another position with the same key in the table may have left a move that is none here.
        let known = known.filter(|&known| position.is_legal_with(&check_info, known));
        Self {
            stage: Stage::Known,
            known,
            candidates: list,
            losing: 0,
            next: 0,
            quiets,
            least_gain,
            check_info,
            killers: ArrayVec::new(),
            next_killer: 0,
        }
    }

    /// The list, for another to use.
    pub fn list(self) -> Vec<Candidate> {
        self.candidates
    }

    /// Hands out no quiet moves any more but those that give check.
    pub fn skip_quiets(&mut self, position: &Position<'_>) {
        self.quiets = Quiets::Checks;
        if self.stage == Stage::Quiet {
            let gives_check = position.attacks_king();
            let mut kept = self.next;
            for place in self.next..self.candidates.len() {
                if gives_check(self.candidates[place].played) {
                    self.candidates.swap(kept, place);
                    kept += 1;
                }
            }
            self.candidates.truncate(kept);
        }
    }

    /// Whether quiet moves that do not give check are left out.
    pub fn skips_quiets(&self) -> bool {
        self.quiets != Quiets::All
    }

    /// The next move, and why it comes now.
    pub fn next(&mut self, position: &Position<'_>, orders: &Orders<'_>) -> Option<(Move, Reason)> {
        loop {
            match self.stage {
                Stage::Known => {
                    self.stage = Stage::ListTactical;
                    if let Some(known) = self.known {
                        return Some((known, Reason::Known));
                    }
                }
                Stage::ListTactical => {
                    self.list_tactical(position, orders);
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => {
                    if self.next == self.candidates.len() {
                        self.stage = Stage::Killers;
                        continue;
                    }
                    let Candidate { played, .. } = self.pick();
                    if Some(played) == self.known {
                        continue;
                    }
                    if wins_at_least(orders.evaluator, position, played, 0) {
                        return Some((played, Reason::Winning));
                    }
                    self.candidates.swap(self.losing, self.next - 1);
                    self.losing += 1;
                }
                Stage::Killers => {
                    // Often one of them is all it takes, and no list has to be made.
                    if self.quiets != Quiets::All || self.next_killer == orders.killers.len() {
                        self.stage = Stage::ListQuiet;
                        continue;
                    }
                    let killer =
                        orders.killers[self.next_killer].filter(|&killer| self.is_possible(position, killer));
                    self.next_killer += 1;
                    if let Some(killer) = killer {
                        self.killers.push(killer);
                        return Some((killer, Reason::Quiet));
                    }
                }
                Stage::ListQuiet => {
                    if self.quiets != Quiets::None {
                        self.list_quiet(position, orders);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if self.quiets != Quiets::None && self.next < self.candidates.len() {
                        let Candidate { played, .. } = self.pick();
                        if Some(played) == self.known || self.killers.contains(&played) {
                            continue;
                        }
                        return Some((played, Reason::Quiet));
                    }
                    self.next = 0;
                    self.stage = Stage::Losing;
                }
                Stage::Losing => {
                    if self.next == self.losing {
                        return None;
                    }
                    self.next += 1;
                    return Some((self.candidates[self.next - 1].played, Reason::Losing));
                }
            }
        }
    }

    /// Whether a killer is a quiet move here that was not handed out.
    fn is_possible(&self, position: &Position<'_>, killer: Move) -> bool {
        Some(killer) != self.known
            && !position.is_tactical(killer)
            && position.is_legal_with(&self.check_info, killer)
    }

    // Out of line, for the next move is asked for several times as often as a list is made.
    #[inline(never)]
    fn list_tactical(&mut self, position: &Position<'_>, orders: &Orders<'_>) {
        let (candidates, least_gain) = (&mut self.candidates, self.least_gain);
        position.for_each_tactical_move(&self.check_info, |played| {
            let gain = gain(orders.evaluator, position, played);
            if gain >= least_gain || played.is_promotion() {
                candidates.push(Candidate { played, order: orders.tactical(position, played, gain) });
            }
        });
    }

    #[inline(never)]
    fn list_quiet(&mut self, position: &Position<'_>, orders: &Orders<'_>) {
        self.candidates.truncate(self.losing);
        self.next = self.losing;
        let candidates = &mut self.candidates;
        let add = |played| candidates.push(Candidate { played, order: 0 });
        match self.quiets {
            Quiets::All => position.for_each_quiet_move(&self.check_info, add),
            _ => position.for_each_quiet_check(&self.check_info, add),
        }
        let history = orders.history.quiets(position, &orders.before);
        for candidate in &mut self.candidates[self.losing..] {
            candidate.order = history.of(position, candidate.played);
        }
    }

    /// The best of what is left.
    fn pick(&mut self) -> Candidate {
        let left = &mut self.candidates[self.next..];
        // The highest order and then its first place, for one after the other takes no branches.
        let highest = left.iter().fold(i32::MIN, |highest, candidate| highest.max(candidate.order));
        let best = left.iter().position(|candidate| candidate.order == highest).unwrap_or(0);
        left.swap(0, best);
        self.next += 1;
        left[0]
    }
}

impl Orders<'_> {
    /// What is taken first, then what has done well.
    fn tactical(&self, position: &Position<'_>, played: Move, gain: i32) -> i32 {
        gain * 16 + self.history.capture(position, played) / 8
    }
}

/// What a capture or promotion wins if nothing happens after it, in centipawns.
pub(super) fn gain(evaluator: &Evaluator, position: &Position<'_>, played: Move) -> i32 {
    let taken = match played.kind {
        MoveKind::EnPassant => evaluator.value(PieceKind::PAWN),
        MoveKind::Castling | MoveKind::Adjustment => 0,
        MoveKind::Normal | MoveKind::Promotion(_) => {
            position.kind_at(played.to).map_or(0, |kind| evaluator.value(kind))
        }
    };
    let promoted = played.promotion().and_then(|letter| position.rules().kind_of(letter));
    taken + promoted.map_or(0, |kind| evaluator.value(kind) - evaluator.value(PieceKind::PAWN))
}

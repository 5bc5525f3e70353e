//! Pawns: steps, captures, en passant and promotion.

use backrank_rules::{DoubleStep, Letter, PawnType};

use super::start::{pawns_start_on, starts_with};
use super::{Man, SlowPosition, Square};

impl SlowPosition<'_> {
    pub(super) fn pawn_moves(&self, from: Square, pawn: Man) -> Vec<(String, Self)> {
        let forward = pawn.side.forward();
        let mut moves = Vec::new();

        let (aside, straight): (&[i32], &[i32]) = (&[-1, 1], &[0]);
        let (steps, captures) = match self.variant.pawn.moves {
            PawnType::Orthodox => (straight, aside),
            PawnType::Berolina => (aside, straight),
        };
        for &files in steps {
            let one = from.step(files, forward);
            if !self.is_empty(one) {
                continue;
            }
            moves.extend(self.pawn_arrivals(from, one, pawn, None));
            let two = one.step(files, forward);
            let own_rank = pawn.side.own_rank(self.variant, from.rank);
            let doubles = match self.variant.pawn.double_step {
                DoubleStep::Never => false,
                DoubleStep::FromStart => own_rank == pawns_start_on(self.variant, pawn.side),
                DoubleStep::Always => true,
                DoubleStep::Ranks(ranks) => ranks >> own_rank & 1 != 0,
            };
            if doubles && self.is_empty(two) {
                for (uci, mut next) in self.pawn_arrivals(from, two, pawn, None) {
                    next.en_passant = next.open_en_passant(one, two);
                    moves.push((uci, next));
                }
            }
        }

        for &files in captures {
            let to = from.step(files, forward);
            if !self.is_on_board(to) {
                continue;
            }
            if let Some((_, taken)) = self.en_passant.filter(|&(passed, _)| passed == to) {
                moves.extend(self.pawn_arrivals(from, to, pawn, Some(taken)));
            } else if self.at(to).is_some_and(|man| man.side != pawn.side) {
                moves.extend(self.pawn_arrivals(from, to, pawn, None));
            }
        }
        moves
    }

    fn is_empty(&self, square: Square) -> bool {
        self.is_on_board(square) && self.at(square).is_none()
    }

    /// The pawn goes to a square, becoming each of the pieces it may where that is on the last rank, and takes what
    /// stood on `also`.
    fn pawn_arrivals(
        &self,
        from: Square,
        to: Square,
        pawn: Man,
        also: Option<Square>,
    ) -> Vec<(String, Self)> {
        let mut arrivals = Vec::new();
        let rules = &self.variant.pawn;
        let left = (to.rank - self.last_rank(pawn.side)).unsigned_abs() as usize;
        let mut becomes = Vec::new();
        if left >= rules.forced_promotion_ranks {
            becomes.push(Letter::PAWN);
        }
        if left < rules.promotion_ranks && also.is_none() {
            let number = |letter: Letter| self.men(pawn.side).filter(|(_, man)| man.letter == letter).count();
            let started = |letter: Letter| starts_with(self.variant, self.side, letter);
            let mut letters = rules.promotes_to[pawn.side as usize].clone();
            letters.retain(|&letter| !rules.promotes_to_captured || number(letter) < started(letter));
            becomes.extend(letters);
        }
        for letter in becomes {
            let mut changes = vec![(from, None), (to, Some(Man { letter, ..pawn }))];
            changes.extend(also.map(|square| (square, None)));
            let mut next = self.after(&changes);
            next.halfmoves = 0;
            let uci = match letter {
                Letter::PAWN => format!("{from}{to}"),
                _ => format!("{from}{to}{}", letter.lower()),
            };
            arrivals.push((uci, next));
        }
        arrivals
    }

    /// The square a pawn has passed and the one where it stands now, if a pawn of the side to move can take it there and leaves
    /// its king safe.
    pub(super) fn open_en_passant(&self, passed: Square, arrived: Square) -> Option<(Square, Square)> {
        let taker = Man { side: self.side, letter: Letter::PAWN };
        if self.at(arrived) != Some(Man { side: self.side.enemy(), letter: Letter::PAWN }) {
            return None;
        }
        let left = (passed.rank - self.last_rank(self.side)).unsigned_abs() as usize;
        if left < self.variant.pawn.forced_promotion_ranks || !self.variant.pawn.en_passant {
            return None;
        }
        let takes = |files: i32| {
            let from = passed.step(files, -self.side.forward());
            let stands_ready = self.is_on_board(from) && self.at(from) == Some(taker);
            stands_ready
                && !self.after(&[(from, None), (passed, Some(taker)), (arrived, None)]).is_in_check(self.side)
        };
        let can_take = match self.variant.pawn.moves {
            PawnType::Orthodox => takes(-1) || takes(1),
            PawnType::Berolina => takes(0),
        };
        can_take.then_some((passed, arrived))
    }
}

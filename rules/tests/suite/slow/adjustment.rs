//! The Bishop Adjustment, and the marks of unmoved men that say who may still adjust or leap.

use super::{Side, SlowPosition};

impl SlowPosition<'_> {
    /// Every swap, written as the bishop taking its own neighbour.
    pub(super) fn adjustments(&self) -> Vec<(String, Self)> {
        let mut moves = Vec::new();
        // 000: "The King is not allowed to be in check before or after a Bishop Adjustment."
        if self.is_in_check(self.side) {
            return moves;
        }
        for &(side, file) in self.unmoved.iter().filter(|&&(side, _)| side == self.side) {
            for neighbour_file in [file - 1, file + 1] {
                if !self.may_swap(side, file, neighbour_file) {
                    continue;
                }
                let bishop = self.on_first_rank(side, file);
                let neighbour = self.on_first_rank(side, neighbour_file);
                let mut next = self.after(&[(bishop, self.at(neighbour)), (neighbour, self.at(bishop))]);
                // Once in the game: a side has one adjustment, so its other bishop's mark goes, too.
                next.unmoved.retain(|&(marked, file)| marked != side || !self.is_adjuster(side, file));
                next.keep_useful_marks();
                moves.push((format!("{bishop}{neighbour}"), next));
            }
        }
        moves
    }

    /// Whether a bishop on one file and a neighbour on the other, both unmoved, may swap at some time.
    fn may_swap(&self, side: Side, bishop: i32, neighbour: i32) -> bool {
        let both_unmoved =
            self.unmoved.contains(&(side, bishop)) && self.unmoved.contains(&(side, neighbour));
        both_unmoved && self.is_adjuster(side, bishop) && self.is_partner(side, neighbour)
    }

    fn is_adjuster(&self, side: Side, file: i32) -> bool {
        let letter = self.at(self.on_first_rank(side, file)).map(|man| man.letter);
        self.variant.adjustment.as_ref().is_some_and(|adjustment| letter == Some(adjustment.piece))
    }

    fn is_partner(&self, side: Side, file: i32) -> bool {
        let letter = self.at(self.on_first_rank(side, file)).map(|man| man.letter);
        let partners = self.variant.adjustment.as_ref().map(|adjustment| &adjustment.partners);
        letter.zip(partners).is_some_and(|(letter, partners)| partners.contains(&letter))
    }

    /// Drops the marks of unmoved men that give no move any more: those of a bishop without an unmoved neighbour, of a
    /// neighbour without an unmoved bishop, unless it has a leap of its own.
    pub(super) fn keep_useful_marks(&mut self) {
        let mut useful = self.unmoved.clone();
        useful.retain(|&(side, file)| {
            let can_adjust = self.with_adjustment
                && [file - 1, file + 1]
                    .into_iter()
                    .any(|next| self.may_swap(side, file, next) || self.may_swap(side, next, file));
            can_adjust || self.has_first_move(side, file)
        });
        self.unmoved = useful;
    }

    fn has_first_move(&self, side: Side, file: i32) -> bool {
        let man = self.at(self.on_first_rank(side, file));
        let piece = man.and_then(|man| self.variant.piece(man.letter));
        piece.is_some_and(|piece| piece.betza.has_first_move())
    }
}

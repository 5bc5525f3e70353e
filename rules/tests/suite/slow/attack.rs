//! Where a piece can go, and what it attacks.

use std::collections::{BTreeMap, BTreeSet};

use backrank_rules::{Pawn, Ray};

use super::{Man, Side, SlowPosition, Square};

impl SlowPosition<'_> {
    /// Whether a side attacks a square, whatever stands there.
    pub(super) fn is_attacked(&self, square: Square, by: Side) -> bool {
        self.men(by).any(|(from, man)| self.attacks(from, man, square))
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_in_check(self.side)
    }

    /// Whether the side to move could take the king: no game leads to such a position.
    pub fn could_take_king(&self) -> bool {
        self.is_in_check(self.side.enemy())
    }

    pub fn is_in_check(&self, side: Side) -> bool {
        self.is_attacked(self.king(side), side.enemy())
    }

    fn attacks(&self, from: Square, man: Man, target: Square) -> bool {
        if man.letter == Pawn::LETTER {
            return [-1, 1].into_iter().any(|files| from.step(files, man.side.forward()) == target);
        }
        let mut capturing = self.rays(from, man).into_iter().filter(|ray| ray.captures);
        capturing.any(|ray| self.path(from, man, ray).contains(&target))
    }

    /// What each piece but pawns and kings attacks, by name.
    pub fn attacks_of_pieces(&self) -> BTreeMap<String, BTreeSet<String>> {
        let men = [Side::White, Side::Black].into_iter().flat_map(|side| self.men(side));
        let pieces = men.filter(|&(_, man)| man.letter != Pawn::LETTER && !self.is_royal(man));
        let attacks = pieces.map(|(from, man)| {
            let capturing = self.rays(from, man).into_iter().filter(|ray| ray.captures);
            let attacked = capturing.flat_map(|ray| self.path(from, man, ray));
            (from.to_string(), attacked.map(|square| square.to_string()).collect())
        });
        attacks.collect()
    }

    /// The squares a piece can go to, by the way its rays lead.
    pub(super) fn targets(&self, from: Square, man: Man) -> BTreeSet<Square> {
        let mut targets = BTreeSet::new();
        for ray in self.rays(from, man) {
            for square in self.path(from, man, ray) {
                let allowed = match self.at(square) {
                    None => ray.moves,
                    Some(other) => ray.captures && other.side != man.side,
                };
                if allowed {
                    targets.insert(square);
                }
            }
        }
        targets
    }

    /// The rays a piece has now: those of its first move only while it has not moved.
    fn rays(&self, from: Square, man: Man) -> Vec<Ray> {
        let piece = self.variant.piece(man.letter).expect("a piece of the variant");
        let rays = piece.betza.rays().iter().copied();
        rays.filter(|ray| !ray.first_move_only || self.is_unmoved(from, man)).collect()
    }

    /// The squares along a ray, up to the edge of the board or the first man, who is included.
    fn path(&self, from: Square, man: Man, ray: Ray) -> Vec<Square> {
        // Black plays from the other side of the board: its forwards and its right are the other way.
        let (files, ranks) = match man.side {
            Side::White => (ray.dx as i32, ray.dy as i32),
            Side::Black => (-ray.dx as i32, -ray.dy as i32),
        };
        let mut path = Vec::new();
        let mut square = from;
        for _ in 0..ray.range {
            square = square.step(files, ranks);
            if !self.is_on_board(square) {
                break;
            }
            path.push(square);
            if self.at(square).is_some() {
                break;
            }
        }
        path
    }
}

//! Where a piece can go, and what it attacks.

use std::collections::{BTreeMap, BTreeSet};

use backrank_rules::{Letter, Passage, PawnType, Ray};

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
        if man.letter == Letter::PAWN {
            let aside = match self.variant.pawn.moves {
                PawnType::Orthodox => 1,
                PawnType::Berolina => 0,
            };
            return [-aside, aside].into_iter().any(|files| from.step(files, man.side.forward()) == target);
        }
        let mut capturing = self.rays(from, man).into_iter().filter(|ray| ray.captures);
        capturing.any(|ray| self.path(from, man, ray).contains(&target))
    }

    /// What each piece but pawns and kings attacks, by name.
    pub fn attacks_of_pieces(&self) -> BTreeMap<String, BTreeSet<String>> {
        let men = [Side::White, Side::Black].into_iter().flat_map(|side| self.men(side));
        let pieces = men.filter(|&(_, man)| man.letter != Letter::PAWN && !self.is_royal(man));
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

    /// The squares that a man reaches along a ray, whatever stands there.
    fn path(&self, from: Square, man: Man, ray: Ray) -> Vec<Square> {
        // Black plays from the other side of the board: its forwards and its right are the other way.
        let seen = |dx: i8, dy: i8| match man.side {
            Side::White => (dx as i32, dy as i32),
            Side::Black => (-dx as i32, -dy as i32),
        };
        let (files, ranks) = seen(ray.dx, ray.dy);
        let is_empty = |square: Square| self.is_on_board(square) && self.at(square).is_none();
        let on_board = |square: &Square| self.is_on_board(*square);
        match ray.passage {
            Passage::Free => {}
            Passage::Lame => {
                let mut path = Vec::new();
                let mut square = from;
                for _ in 0..ray.range {
                    if !walk(square, files, ranks).into_iter().all(is_empty) {
                        break;
                    }
                    square = square.step(files, ranks);
                    path.extend(Some(square).filter(on_board));
                    if !is_empty(square) {
                        break;
                    }
                }
                return path;
            }
            Passage::Jump => {
                let to = from.step(files, ranks);
                let mut between = walk(from, files, ranks).into_iter();
                let leaps = self.is_on_board(to) && between.any(|square| !is_empty(square));
                return if leaps { vec![to] } else { vec![] };
            }
            Passage::Hop | Passage::Grasshopper => {
                let mut path = Vec::new();
                let (mut square, mut hops) = (from, 0);
                for _ in 0..ray.range {
                    let last = square;
                    square = square.step(files, ranks);
                    if !self.is_on_board(square) {
                        break;
                    }
                    let behind = ray.passage == Passage::Hop || (last != from && !is_empty(last));
                    if hops == 1 && behind {
                        path.push(square);
                    }
                    hops += u32::from(!is_empty(square));
                }
                return path;
            }
            Passage::Bent { dx, dy } => {
                let (files_after, ranks_after) = seen(dx, dy);
                let mut path = Vec::new();
                let mut square = from.step(files, ranks);
                for _ in 0..ray.range {
                    if !is_empty(square) {
                        break;
                    }
                    square = square.step(files_after, ranks_after);
                    path.extend(Some(square).filter(on_board));
                }
                return path;
            }
        }
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

/// The squares between a square and the one a leap away, which goes straight as far as it must and then diagonally.
fn walk(from: Square, files: i32, ranks: i32) -> Vec<Square> {
    let (far, near) = (files.abs().max(ranks.abs()), files.abs().min(ranks.abs()));
    let along = |step: i32| {
        let slanted = (step - (far - near)).max(0);
        let (files_gone, ranks_gone) =
            if files.abs() > ranks.abs() { (step, slanted) } else { (slanted, step) };
        from.step(files.signum() * files_gone, ranks.signum() * ranks_gone)
    };
    (1..far).map(along).collect()
}

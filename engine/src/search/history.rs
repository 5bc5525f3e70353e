//! History heuristics: which moves have done well elsewhere, so that they are tried first.

use backrank_rules::{Move, PieceKind, Position, Rules, Square};

/// The bound of every entry of a history, in both directions.
const MAX_HISTORY: i32 = 16_384;

/// A piece and the square that it went to: what continuation history remembers of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u32);

/// How well moves have done elsewhere. Quiet moves are remembered by side and squares (butterfly history) and by the
/// moves before them (continuation history), captures by what they captured.
pub(super) struct History {
    squares: usize,
    kinds: usize,
    /// The number of pairs of piece and square, plus one that stands for no move.
    piece_tos: usize,
    butterfly: Vec<i16>,
    continuations: Vec<i16>,
    captures: Vec<i16>,
}

/// The moves before this one: the last move, and the previous move of the same side.
pub(super) type Continuation = [PieceTo; 2];

impl History {
    pub fn new(rules: &Rules) -> Self {
        let squares = rules.board().squares();
        let kinds = rules.variant().pieces.len() + 1;
        let piece_tos = kinds * squares + 1;
        Self {
            squares,
            kinds,
            piece_tos,
            butterfly: vec![0; 2 * squares * squares],
            continuations: vec![0; 2 * piece_tos * piece_tos],
            captures: vec![0; kinds * squares * kinds],
        }
    }

    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        self.continuations.fill(0);
        self.captures.fill(0);
    }

    /// Stands for no move.
    pub fn no_move(&self) -> PieceTo {
        PieceTo(self.piece_tos as u32 - 1)
    }

    /// The pair of piece and square of a move.
    pub fn piece_to(&self, position: &Position<'_>, played: Move) -> PieceTo {
        PieceTo((kind_of(position, played.from) * self.squares + played.to.index()) as u32)
    }

    /// The target square of a remembered move; `None` for no move.
    pub fn target(&self, piece_to: PieceTo) -> Option<Square> {
        if piece_to == self.no_move() { None } else { Square::new(piece_to.0 as usize % self.squares) }
    }

    fn butterfly_index(&self, position: &Position<'_>, played: Move) -> usize {
        let side = position.side_to_move() as usize;
        (side * self.squares + played.from.index()) * self.squares + played.to.index()
    }

    fn continuation_index(&self, which: usize, before: PieceTo, piece_to: PieceTo) -> usize {
        (which * self.piece_tos + before.0 as usize) * self.piece_tos + piece_to.0 as usize
    }

    /// The history of quiet moves of the side to move after certain moves.
    #[inline]
    pub fn quiets(&self, position: &Position<'_>, before: &Continuation) -> QuietHistory<'_> {
        let continuation = |which: usize| {
            let index = self.continuation_index(which, before[which], PieceTo(0));
            &self.continuations[index..index + self.piece_tos]
        };
        let of_side = self.squares * self.squares;
        let start = position.side_to_move() as usize * of_side;
        QuietHistory {
            squares: self.squares,
            butterfly: &self.butterfly[start..start + of_side],
            continuation: [continuation(0), continuation(1)],
        }
    }

    fn capture_index(&self, position: &Position<'_>, played: Move) -> usize {
        let piece_to = self.piece_to(position, played).0 as usize;
        piece_to * self.kinds + kind_of(position, played.to)
    }

    /// The history of a capture.
    pub fn capture(&self, position: &Position<'_>, played: Move) -> i32 {
        i32::from(self.captures[self.capture_index(position, played)])
    }

    /// Records that a quiet move did well, or with a negative bonus badly.
    pub fn reward_quiet(&mut self, position: &Position<'_>, played: Move, before: &Continuation, bonus: i32) {
        let piece_to = self.piece_to(position, played);
        let index = self.butterfly_index(position, played);
        adjust(&mut self.butterfly[index], bonus);
        for (which, &before) in before.iter().enumerate() {
            let index = self.continuation_index(which, before, piece_to);
            adjust(&mut self.continuations[index], bonus);
        }
    }

    /// Records that a capture did well, or with a negative bonus badly.
    pub fn reward_capture(&mut self, position: &Position<'_>, played: Move, bonus: i32) {
        let index = self.capture_index(position, played);
        adjust(&mut self.captures[index], bonus);
    }
}

/// The history of quiet moves of one side after two moves.
#[derive(Clone, Copy)]
pub(super) struct QuietHistory<'h> {
    squares: usize,
    butterfly: &'h [i16],
    continuation: [&'h [i16]; 2],
}

impl QuietHistory<'_> {
    /// The history of a quiet move.
    #[inline(always)]
    pub fn of(&self, position: &Position<'_>, played: Move) -> i32 {
        let (from, to) = (played.from.index(), played.to.index());
        let piece_to = kind_of(position, played.from) * self.squares + to;
        let [last, own] = self.continuation;
        i32::from(self.butterfly[from * self.squares + to])
            + i32::from(last[piece_to])
            + i32::from(own[piece_to])
    }
}

fn kind_of(position: &Position<'_>, square: Square) -> usize {
    position.kind_at(square).unwrap_or(PieceKind::PAWN).index()
}

/// Adds a bonus to an entry; the nearer the entry is to its bound, the less of it.
fn adjust(value: &mut i16, bonus: i32) {
    let now = i32::from(*value);
    *value = (now + bonus - now * bonus.abs() / MAX_HISTORY) as i16;
}

//! What has worked elsewhere: which moves to try first among their like.

use backrank_rules::{Move, PieceKind, Position, Rules, Square};

/// What a quiet move's success elsewhere adds up to; between minus and plus this.
pub(super) const MOST_HISTORY: i32 = 16_384;

/// A piece of some kind that went to some square: what the move before it is remembered as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Went(u32);

/// How well quiet moves have done: by side and squares, and by what they answered.
pub(super) struct History {
    squares: usize,
    kinds: usize,
    /// One more than the kinds there are: the last stands for no move.
    places: usize,
    butterfly: Vec<i16>,
    answers: Vec<i16>,
    captures: Vec<i16>,
}

/// How quiet moves before this one went: the last, and the one of the same side before it.
pub(super) type Before = [Went; 2];

impl History {
    pub fn new(rules: &Rules) -> Self {
        let squares = rules.board().squares();
        let kinds = rules.variant().pieces.len() + 1;
        let places = kinds * squares + 1;
        Self {
            squares,
            kinds,
            places,
            butterfly: vec![0; 2 * squares * squares],
            answers: vec![0; 2 * places * places],
            captures: vec![0; kinds * squares * kinds],
        }
    }

    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        self.answers.fill(0);
        self.captures.fill(0);
    }

    /// What stands for no move.
    pub fn nothing(&self) -> Went {
        Went(self.places as u32 - 1)
    }

    /// What a move is remembered as.
    pub fn went(&self, position: &Position<'_>, played: Move) -> Went {
        Went((kind_of(position, played.from) * self.squares + played.to.index()) as u32)
    }

    fn butterfly_place(&self, position: &Position<'_>, played: Move) -> usize {
        let side = position.side_to_move() as usize;
        (side * self.squares + played.from.index()) * self.squares + played.to.index()
    }

    fn answer_place(&self, which: usize, before: Went, went: Went) -> usize {
        (which * self.places + before.0 as usize) * self.places + went.0 as usize
    }

    /// What tells how well quiet moves of the side to move have done after others.
    #[inline]
    pub fn quiets(&self, position: &Position<'_>, before: &Before) -> QuietHistory<'_> {
        let answers = |which: usize| {
            let place = self.answer_place(which, before[which], Went(0));
            &self.answers[place..place + self.places]
        };
        let of_side = self.squares * self.squares;
        let start = position.side_to_move() as usize * of_side;
        QuietHistory {
            squares: self.squares,
            butterfly: &self.butterfly[start..start + of_side],
            answers: [answers(0), answers(1)],
        }
    }

    fn capture_place(&self, position: &Position<'_>, played: Move) -> usize {
        let went = self.went(position, played).0 as usize;
        went * self.kinds + kind_of(position, played.to)
    }

    /// How well a capture has done.
    pub fn capture(&self, position: &Position<'_>, played: Move) -> i32 {
        i32::from(self.captures[self.capture_place(position, played)])
    }

    /// Remembers that a quiet move did well, or with a negative bonus badly.
    pub fn reward_quiet(&mut self, position: &Position<'_>, played: Move, before: &Before, bonus: i32) {
        let went = self.went(position, played);
        let place = self.butterfly_place(position, played);
        adjust(&mut self.butterfly[place], bonus);
        for (which, &before) in before.iter().enumerate() {
            let place = self.answer_place(which, before, went);
            adjust(&mut self.answers[place], bonus);
        }
    }

    /// Remembers that a capture did well, or with a negative bonus badly.
    pub fn reward_capture(&mut self, position: &Position<'_>, played: Move, bonus: i32) {
        let place = self.capture_place(position, played);
        adjust(&mut self.captures[place], bonus);
    }
}

/// How well quiet moves of one side have done after two moves.
#[derive(Clone, Copy)]
pub(super) struct QuietHistory<'h> {
    squares: usize,
    butterfly: &'h [i16],
    answers: [&'h [i16]; 2],
}

impl QuietHistory<'_> {
    /// How well a quiet move has done.
    #[inline(always)]
    pub fn of(&self, position: &Position<'_>, played: Move) -> i32 {
        let (from, to) = (played.from.index(), played.to.index());
        let went = kind_of(position, played.from) * self.squares + to;
        let [last, own] = self.answers;
        i32::from(self.butterfly[from * self.squares + to]) + i32::from(last[went]) + i32::from(own[went])
    }
}

fn kind_of(position: &Position<'_>, square: Square) -> usize {
    position.kind_at(square).unwrap_or(PieceKind::PAWN).index()
}

/// Moves a value by a bonus, less the nearer it is to its bound.
fn adjust(value: &mut i16, bonus: i32) {
    let now = i32::from(*value);
    *value = (now + bonus - now * bonus.abs() / MOST_HISTORY) as i16;
}

//! The inputs of a net: which piece stands where, and with whom a king may still castle.

use backrank_rules::{Board, MAX_SQUARES, PawnType, PieceKind, Position, Rules, Side, Square};

use super::OUTPUT_BUCKETS;

/// How a side sees the board: its own pieces below, and its king on the left half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub side: Side,
    /// Whether the files are reflected.
    pub is_reflected: bool,
}

/// The inputs of a game's net.
///
/// There is one for each kind of piece, each side and each square, and one more for each partner with which a king may
/// castle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inputs {
    board: Board,
    /// The kinds of pieces except the pawn in their order, each with its moves.
    pieces: Vec<String>,
    pawns: PawnType,
    /// Where each square is, by [`View`].
    seen: [[[u8; MAX_SQUARES]; 2]; 2],
}

impl Inputs {
    pub fn new(rules: &Rules) -> Self {
        let board = rules.board();
        let variant = rules.variant();
        let piece = |kind| variant.pieces.iter().find(|piece| piece.letter == rules.letter_of(kind));
        let pieces = rules.kinds().filter_map(piece);
        let pieces = pieces.map(|piece| format!("{}:{}", piece.letter, piece.betza)).collect();
        let mut seen = [[[0; MAX_SQUARES]; 2]; 2];
        for (side, of_side) in seen.iter_mut().enumerate() {
            for (reflected, squares) in of_side.iter_mut().enumerate() {
                for square in board.all_squares() {
                    let (file, rank) = (usize::from(board.file_of(square).0), board.rank_of(square));
                    let file = if reflected == 1 { board.files() - 1 - file } else { file };
                    let rank = if side == 1 { board.ranks() - 1 - rank } else { rank };
                    squares[square.index()] = (rank * board.files() + file) as u8;
                }
            }
        }
        Self { board, pieces, pawns: variant.pawn.moves, seen }
    }

    pub fn board(&self) -> Board {
        self.board
    }

    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// How the pawns move.
    pub fn pawns(&self) -> PawnType {
        self.pawns
    }

    /// The planes of each side: one for each kind, and one for the partners of castling.
    fn planes(&self) -> usize {
        self.castling_plane() + 1
    }

    fn castling_plane(&self) -> usize {
        1 + self.pieces.len()
    }

    /// The number of inputs.
    pub fn len(&self) -> usize {
        2 * self.planes() * self.board.squares()
    }

    /// How a side sees a position.
    #[inline]
    pub fn view(&self, position: &Position<'_>, side: Side) -> View {
        let file = usize::from(self.board.file_of(position.king(side)).0);
        View { side, is_reflected: 2 * file >= self.board.files() }
    }

    /// The input of a side's piece, as it is seen.
    #[inline]
    pub fn piece(&self, view: View, side: Side, kind: PieceKind, square: Square) -> u16 {
        self.index(view, side, kind.index(), square)
    }

    /// The input of a partner with which a side's king may castle, as it is seen.
    #[inline]
    pub fn castling(&self, view: View, side: Side, partner: Square) -> u16 {
        self.index(view, side, self.castling_plane(), partner)
    }

    #[inline]
    fn index(&self, view: View, side: Side, plane: usize, square: Square) -> u16 {
        let of_side = usize::from(side != view.side) * self.planes() + plane;
        let seen = self.seen[view.side as usize][usize::from(view.is_reflected)][square.index()];
        (of_side * self.board.squares() + usize::from(seen)) as u16
    }

    /// All inputs that are there in a position, as a side sees it.
    pub fn of(&self, position: &Position<'_>, side: Side) -> impl Iterator<Item = u16> {
        let view = self.view(position, side);
        let of_side = move |side: Side| {
            let own = position.pieces(side);
            let pieces = own.iter().filter_map(move |square| {
                position.kind_at(square).map(|kind| self.piece(view, side, kind, square))
            });
            pieces.chain(
                (position.castling() & own).iter().map(move |square| self.castling(view, side, square)),
            )
        };
        Side::BOTH.into_iter().flat_map(of_side)
    }

    /// The output bucket of positions with so many men on the board.
    #[inline]
    pub fn bucket(&self, men: u32) -> usize {
        (men as usize * OUTPUT_BUCKETS / (4 * self.board.files() + 1)).min(OUTPUT_BUCKETS - 1)
    }
}

//! What pieces on their first ranks attack on the other side's, before the first move.
//!
//! Which squares are occupied at the start does not depend on how the pieces are arranged: every piece has a pawn before
//! it. So what a piece attacks depends on its letter and its file only, and whether a king stands in check is known from
//! the attacks of each piece by itself.

use backrank_rules::{Bitboard, Board, ByLetter, File, FirstRank, Letter, Ray, Side, Variant};

/// Files as bits.
pub(crate) type Files = u16;

/// The pieces of a game as far as attacks between first ranks depend on them.
#[derive(Clone, Debug)]
pub(crate) struct Gaze {
    board: Board,
    /// White's first rank.
    row: usize,
    /// The rays for captures of each letter, as White plays them.
    rays: ByLetter<Vec<Ray>>,
    /// The letters of kings.
    royal: u32,
}

/// What pieces attack on the other side's first rank, by letter and file.
#[derive(Clone, Debug)]
pub(crate) struct StartAttacks {
    /// White's pieces, then Black's.
    sides: [ByLetter<[Files; 16]>; 2],
}

impl Gaze {
    pub(crate) fn new(variant: &Variant) -> Self {
        let mut rays = ByLetter::<Vec<Ray>>::default();
        let mut royal = 0;
        for piece in &variant.pieces {
            let captures = piece.betza.rays().iter().copied().filter(|ray| ray.captures);
            rays[piece.letter] = captures.collect();
            royal |= u32::from(piece.royal) << piece.letter.index();
        }
        Self { board: variant.board, row: variant.first_rank, rays, royal }
    }

    pub(crate) fn is_king(&self, letter: Letter) -> bool {
        self.royal >> letter.index() & 1 != 0
    }

    /// The files of the kings on a first rank.
    pub(crate) fn kings(&self, rank: &FirstRank) -> Files {
        rank.pieces()
            .filter(|&(_, letter)| self.is_king(letter))
            .fold(0, |kings, (file, _)| kings | 1 << file.0)
    }

    /// What pieces attack if these files of White's and of Black's first rank have pieces.
    pub(crate) fn attacks(&self, white: Files, black: Files) -> StartAttacks {
        let sides = Side::BOTH.map(|side| {
            ByLetter::from_fn(|letter| {
                std::array::from_fn(|file| {
                    let attacked =
                        self.rays[letter].iter().map(|ray| self.attacked(side, file, ray, [white, black]));
                    attacked.fold(0, |union, files| union | files)
                })
            })
        });
        StartAttacks { sides }
    }

    /// The files of the other side's first rank that a piece on a file of its own attacks along a ray; none from beyond the board.
    fn attacked(&self, side: Side, file: usize, ray: &Ray, pieces: [Files; 2]) -> Files {
        let board = self.board;
        let (files, ranks) = (board.files(), board.ranks());
        if file >= files {
            // There is room for the widest board.
            return 0;
        }
        let near = self.row;
        let rows = [[near, near + 1], [ranks - 1 - near, ranks - 2 - near]];
        let occupied: Bitboard = Side::BOTH
            .into_iter()
            .flat_map(|side| rows[side as usize].map(|row| (row, pieces[side as usize])))
            .flat_map(|(row, pieces)| {
                let stands = move |file: &u8| pieces >> file & 1 != 0;
                (0..files as u8).filter(stands).map(move |file| board.square(File(file), row))
            })
            .collect();
        // Black's pieces move as White's do, seen from the other end of the board.
        let (ray, from, goal) = match side {
            Side::White => (*ray, rows[0][0], rows[1][0]),
            Side::Black => (ray.reversed(), rows[1][0], rows[0][0]),
        };
        let from = board.square(File(file as u8), from);
        let attacked = ray.reached(board, from, occupied) & board.rank_squares(goal);
        attacked.into_iter().fold(0, |files, square| files | 1 << board.file_of(square).0)
    }
}

impl StartAttacks {
    /// The files of the other side's first rank that a piece of a side attacks.
    pub(crate) fn of(&self, side: Side, letter: Letter, file: usize) -> Files {
        self.sides[side as usize][letter][file]
    }

    /// The files that all pieces of a first rank attack.
    pub(crate) fn of_rank(&self, side: Side, rank: &FirstRank) -> Files {
        let of_piece = |(file, letter): (File, Letter)| self.of(side, letter, file.0.into());
        rank.pieces().map(of_piece).fold(0, |union, files| union | files)
    }
}

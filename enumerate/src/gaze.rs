//! What pieces attack before the first move: on the rank of the other side that is shuffled, and among their own pawns.
//!
//! Which squares are occupied at the start does not depend on how the pieces are arranged. So what a piece attacks depends on its
//! letter and its file only, and whether a king stands in check is known from the attacks of each piece by itself.

use backrank_rules::{
    Betza, Bitboard, Board, ByLetter, File, FirstRank, Letter, PawnType, Ray, Side, Square, Variant,
};

/// Files as bits.
pub(crate) type Files = u16;

/// What a piece of each letter sees from each file.
pub(crate) type ByLetterAndFile = ByLetter<[Files; 16]>;

/// The files that have a piece, as bits.
pub(crate) fn files_of(rank: &FirstRank) -> Files {
    rank.pieces().fold(0, |files, (file, _)| files | 1 << file.0)
}

/// The pieces of a game as far as attacks at the start depend on them.
#[derive(Clone, Debug)]
pub(crate) struct Gaze {
    board: Board,
    /// The rank of White's that is shuffled.
    row: usize,
    /// The rays for captures of each letter, as White plays them.
    rays: ByLetter<Vec<Ray>>,
    /// The letters of kings.
    royal: u32,
    /// What stands on the same square in every setup.
    fixed: Vec<(Square, Side, Letter)>,
    /// The rank on which each side's pawns start that pieces protect, as White counts ranks.
    pawn_rows: [usize; 2],
}

/// What pieces attack on the other side's rank that is shuffled.
#[derive(Clone, Debug)]
pub(crate) struct StartAttacks {
    /// The files that each of White's pieces attacks, then of Black's.
    sides: [ByLetterAndFile; 2],
    /// The files that what is fixed attacks: White's, then Black's.
    fixed: [Files; 2],
    /// For each letter, the files from which White's piece attacks a king of Black's that is fixed, and the other way round.
    hits_fixed_king: [ByLetter<Files>; 2],
    /// Whether a king of a side that is fixed stands in check by what is fixed.
    fixed_in_check: bool,
}

impl Gaze {
    pub(crate) fn new(variant: &Variant) -> Self {
        let mut rays = ByLetter::<Vec<Ray>>::default();
        let mut royal = 0;
        let captures = |betza: &Betza| betza.rays().iter().copied().filter(|ray| ray.captures).collect();
        for piece in &variant.pieces {
            rays[piece.letter] = captures(&piece.betza);
            royal |= u32::from(piece.royal) << piece.letter.index();
        }
        let pawn = match variant.pawn.moves {
            PawnType::Orthodox => "fcF",
            PawnType::Berolina => "fcW",
        };
        let pawn: Result<Betza, _> = pawn.parse();
        rays[Letter::PAWN] = pawn.as_ref().map_or(Vec::new(), captures);
        let far = variant.board.ranks() - 1;
        Self {
            board: variant.board,
            row: variant.first_rank,
            rays,
            royal,
            fixed: variant.fixed_pieces.clone(),
            pawn_rows: [variant.pawn_rank(Side::White), far - variant.pawn_rank(Side::Black)],
        }
    }

    pub(crate) fn is_king(&self, letter: Letter) -> bool {
        self.royal >> letter.index() & 1 != 0
    }

    /// The square of a side's king that stands on the same square in every setup, if there is one.
    pub(crate) fn fixed_king(&self, side: Side) -> Option<Square> {
        self.fixed.iter().find(|piece| piece.1 == side && self.is_king(piece.2)).map(|piece| piece.0)
    }

    /// The files of the kings on a rank.
    pub(crate) fn kings(&self, rank: &FirstRank) -> Files {
        let is_king = |&(_, letter): &(File, Letter)| self.is_king(letter);
        rank.pieces().filter(is_king).fold(0, |kings, (file, _)| kings | 1 << file.0)
    }

    /// A side's rank that is shuffled, as White counts ranks.
    fn row(&self, side: Side) -> usize {
        match side {
            Side::White => self.row,
            Side::Black => self.board.ranks() - 1 - self.row,
        }
    }

    /// The squares that are not empty if these files of White's and of Black's shuffled rank have pieces.
    fn occupied(&self, files: [Files; 2]) -> Bitboard {
        let shuffled = Side::BOTH.into_iter().flat_map(|side| {
            let stands = move |file: &u8| files[side as usize] >> file & 1 != 0;
            (0..self.board.files() as u8)
                .filter(stands)
                .map(move |file| self.board.square(File(file), self.row(side)))
        });
        shuffled.chain(self.fixed.iter().map(|piece| piece.0)).collect()
    }

    /// The squares that a piece attacks. Only on the rank that is shuffled has it moves of its first move.
    fn attacked(&self, side: Side, letter: Letter, from: Square, occupied: Bitboard) -> Bitboard {
        let is_on_row = self.board.rank_of(from) == self.row(side);
        let rays = self.rays[letter].iter().filter(|ray| is_on_row || !ray.first_move_only);
        let rays = rays.map(|&ray| match side {
            Side::White => ray,
            // Black's pieces move as White's do, seen from the other end of the board.
            Side::Black => ray.reversed(),
        });
        rays.map(|ray| ray.reached(self.board, from, occupied)).collect()
    }

    /// The files of those of some squares that are on a rank.
    fn files_on(&self, row: usize, squares: Bitboard) -> Files {
        let of_rank = squares & self.board.rank_squares(row);
        of_rank.into_iter().fold(0, |files, square| files | 1 << self.board.file_of(square).0)
    }

    /// For each letter and file of a side's shuffled rank, the squares that the piece attacks; none from beyond the board.
    fn by_letter_and_file(&self, side: Side, occupied: Bitboard) -> ByLetter<[Bitboard; 16]> {
        let from = |letter: Letter, file: usize| match file < self.board.files() {
            true => {
                let square = self.board.square(File(file as u8), self.row(side));
                self.attacked(side, letter, square, occupied)
            }
            false => Bitboard::EMPTY,
        };
        ByLetter::from_fn(|letter| std::array::from_fn(|file| from(letter, file)))
    }

    /// What pieces attack if these files of White's and of Black's shuffled rank have pieces.
    pub(crate) fn attacks(&self, files: [Files; 2]) -> StartAttacks {
        let occupied = self.occupied(files);
        let mut attacks = StartAttacks {
            sides: Default::default(),
            fixed: [0; 2],
            hits_fixed_king: Default::default(),
            fixed_in_check: false,
        };
        for side in Side::BOTH {
            let goal = self.row(side.other());
            let king = self.fixed_king(side.other()).map_or(Bitboard::EMPTY, Square::bitboard);
            let attacked = self.by_letter_and_file(side, occupied);
            attacks.hits_fixed_king[side as usize] = ByLetter::from_fn(|letter| {
                let hits = |file: &usize| !attacked[letter][*file].is_disjoint(king);
                (0..16).filter(hits).fold(0, |files, file| files | 1 << file)
            });
            let on_goal = |squares: &[Bitboard; 16]| squares.map(|squares| self.files_on(goal, squares));
            attacks.sides[side as usize] = ByLetter::from_fn(|letter| on_goal(&attacked[letter]));
            let of_fixed: Bitboard = self
                .fixed
                .iter()
                .filter(|piece| piece.1 == side)
                .map(|&(square, _, letter)| self.attacked(side, letter, square, occupied))
                .collect();
            attacks.fixed[side as usize] = self.files_on(goal, of_fixed);
            attacks.fixed_in_check |= !of_fixed.is_disjoint(king);
        }
        attacks
    }

    /// The files of a side's pawns, on the rank on which they start, that something protects: for each letter and file those
    /// protected by a piece there, and those protected by what is fixed; and the files of all these pawns.
    pub(crate) fn protected(&self, side: Side, files: [Files; 2]) -> (ByLetterAndFile, Files, Files) {
        let (occupied, row) = (self.occupied(files), self.pawn_rows[side as usize]);
        let own = |letter: Option<Letter>| {
            let is_own = move |piece: &&(Square, Side, Letter)| {
                piece.1 == side && letter.is_none_or(|one| piece.2 == one)
            };
            self.fixed.iter().filter(is_own)
        };
        let pawns = self.files_on(row, own(Some(Letter::PAWN)).map(|piece| piece.0).collect());
        let by_fixed =
            own(None).map(|&(square, _, letter)| self.attacked(side, letter, square, occupied)).collect();
        let on_pawns = |squares: &[Bitboard; 16]| squares.map(|squares| self.files_on(row, squares) & pawns);
        let attacked = self.by_letter_and_file(side, occupied);
        let by_pieces = ByLetter::from_fn(|letter| on_pawns(&attacked[letter]));
        (by_pieces, self.files_on(row, by_fixed) & pawns, pawns)
    }
}

impl StartAttacks {
    /// The files of the other side's shuffled rank that a piece of a side attacks.
    pub(crate) fn of(&self, side: Side, letter: Letter, file: usize) -> Files {
        self.sides[side as usize][letter][file]
    }

    /// The files of the other side's shuffled rank that what is fixed of a side attacks.
    pub(crate) fn of_fixed(&self, side: Side) -> Files {
        self.fixed[side as usize]
    }

    /// Whether a piece of a side attacks a king of the other side that is fixed.
    pub(crate) fn hits_fixed_king(&self, side: Side, letter: Letter, file: File) -> bool {
        self.hits_fixed_king[side as usize][letter] >> file.0 & 1 != 0
    }

    /// Whether a fixed king stands in check by what is fixed.
    pub(crate) fn fixed_in_check(&self) -> bool {
        self.fixed_in_check
    }

    /// Whether a side's rank, or what is fixed of it, attacks a king of the other side, whose kings on its shuffled rank stand on
    /// some files.
    pub(crate) fn hits_king(&self, side: Side, rank: &FirstRank, kings: Files) -> bool {
        let hits = |(file, letter): (File, Letter)| {
            self.of(side, letter, file.0.into()) & kings != 0 || self.hits_fixed_king(side, letter, file)
        };
        self.of_fixed(side) & kings != 0 || self.fixed_in_check || rank.pieces().any(hits)
    }
}

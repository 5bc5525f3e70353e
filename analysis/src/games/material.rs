//! Material: which pieces count, and the difference between the sides.

use std::fmt;

use backrank_rules::{Bitboard, Pawn, Piece, PieceKind, Position, Rules, Side, Variant};
use backrank_selfplay::Weights;
use serde::{Serialize, Serializer};

/// The most columns there can be: 26 kinds of pieces, and for those that keep to their colour a pair each.
pub const MAX_COLUMNS: usize = 32;

/// White's pieces less Black's, by column; zeros after the last.
pub type Difference = [i8; MAX_COLUMNS];

/// What one column of a [`Difference`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Pieces of a letter.
    Piece(u8),
    /// 1 for a side with pieces of a letter on both colours, where they never leave their colour: the bishop pair.
    Pair(u8),
    /// White's rating less Black's, in steps of [`RATING_STEP`] Elo.
    Rating,
}

/// The step in which a difference of ratings is counted, in Elo.
pub const RATING_STEP: f64 = 25.0;

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Piece(letter) => f.pad(&(letter as char).to_string()),
            Self::Pair(letter) => f.pad(&format!("{0}+{0}", letter as char)),
            Self::Rating => f.pad("rating"),
        }
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The columns of a variant: its pawn, its pieces without the king from the least to the most that the engine takes them
/// to be worth, and a pair for each kind that never leaves its colour and of which an army has at least two.
///
/// ```
/// use backrank_analysis::Material;
/// use backrank_rules::{Position, Rules, Variant};
///
/// let rules = Rules::new(&Variant::find("chess")?);
/// let material = Material::of(&rules);
/// let names: Vec<String> = material.columns().iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["P", "N", "B", "R", "Q", "B+B"]);
///
/// let position = Position::from_fen(&rules, "r3k3/8/8/8/8/8/PP6/2B1KB2 w - - 0 1")?;
/// assert_eq!(material.difference(&position)[..6], [2, 0, 2, -1, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Material {
    columns: Vec<Column>,
    /// The kinds that are counted, and those that make pairs.
    pieces: Vec<PieceKind>,
    pairs: Vec<PieceKind>,
    dark: Bitboard,
}

impl Material {
    /// The columns of a variant.
    pub fn of(rules: &Rules) -> Self {
        let variant = rules.variant();
        let (mut columns, mut pieces) = (vec![Column::Piece(Pawn::LETTER)], vec![PieceKind::PAWN]);
        let (mut pair_columns, mut pairs) = (Vec::new(), Vec::new());
        let worth = Weights::new(rules).material;
        let worth = |piece: &&Piece| worth[usize::from(piece.letter - b'A')];
        let mut all: Vec<&Piece> = variant.pieces.iter().filter(|piece| !piece.royal).collect();
        all.sort_by(|one, other| worth(one).total_cmp(&worth(other)));
        for piece in all {
            let Some(kind) = rules.kind_of(piece.letter) else { continue };
            columns.push(Column::Piece(piece.letter));
            pieces.push(kind);
            if piece.betza.is_colour_bound() && number_of(variant, piece.letter) > 1 {
                pair_columns.push(Column::Pair(piece.letter));
                pairs.push(kind);
            }
        }
        columns.extend(pair_columns);
        columns.truncate(MAX_COLUMNS);
        pairs.truncate(MAX_COLUMNS - pieces.len());
        Self { columns, pieces, pairs, dark: variant.board.dark_squares() }
    }

    /// The same with a column for the difference of the players' ratings, the last one. It is not counted on the board: see
    /// [`Material::rating_column`].
    #[must_use]
    pub fn with_ratings(mut self) -> Self {
        self.columns.truncate(MAX_COLUMNS - 1);
        self.pairs.truncate((MAX_COLUMNS - 1).saturating_sub(self.pieces.len()));
        self.columns.push(Column::Rating);
        self
    }

    /// Which column is for the difference of the players' ratings, if one is.
    pub fn rating_column(&self) -> Option<usize> {
        self.columns.iter().position(|&column| column == Column::Rating)
    }

    /// The columns in their order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// White's material less Black's.
    pub fn difference(&self, position: &Position<'_>) -> Difference {
        let mut difference = [0; MAX_COLUMNS];
        let [white, black] = Side::BOTH.map(|side| position.pieces(side));
        let (single, paired) = difference.split_at_mut(self.pieces.len());
        for (column, &kind) in single.iter_mut().zip(&self.pieces) {
            let all = position.of_kind(kind);
            *column = (all & white).count() as i8 - (all & black).count() as i8;
        }
        for (column, &kind) in paired.iter_mut().zip(&self.pairs) {
            let all = position.of_kind(kind);
            *column = self.is_pair(all & white) - self.is_pair(all & black);
        }
        difference
    }

    /// The number of pieces of both sides but kings and pawns.
    pub fn pieces(&self, position: &Position<'_>) -> u32 {
        self.pieces[1..].iter().map(|&kind| position.of_kind(kind).count()).sum()
    }

    fn is_pair(&self, pieces: Bitboard) -> i8 {
        i8::from(!pieces.is_disjoint(self.dark) && !pieces.is_disjoint(!self.dark))
    }
}

fn number_of(variant: &Variant, letter: u8) -> usize {
    variant.army.pieces().filter(|&(_, other)| other == letter).count()
}

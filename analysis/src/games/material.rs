//! Material: the pieces that count, and the difference between the sides.

use std::fmt;

use backrank_engine::Weights;
use backrank_rules::{Bitboard, Letter, Piece, PieceKind, Position, Rules, Side, Variant};
use serde::{Serialize, Serializer};

/// The maximum number of columns: up to 26 kinds of pieces, and a pair for each kind that never leaves its colour.
pub const MAX_COLUMNS: usize = 32;

/// White's pieces minus Black's, by column. Unused columns at the end are zero.
pub type Difference = [i8; MAX_COLUMNS];

/// What one column of a [`Difference`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Pieces with this letter.
    Piece(Letter),
    /// 1 for a side that has pieces with this letter on squares of both colours: the bishop pair, and that of every
    /// other kind that never leaves its colour.
    Pair(Letter),
    /// White's rating minus Black's, in steps of [`RATING_STEP`] Elo.
    Rating,
}

/// The step in which a rating difference is counted, in Elo.
pub const RATING_STEP: f64 = 25.0;

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Piece(letter) => letter.fmt(f),
            Self::Pair(letter) => f.pad(&format!("{letter}+{letter}")),
            Self::Rating => f.pad("rating"),
        }
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The columns of a variant: its pawn, its other pieces except the king in ascending order of the engine's values, and
/// a pair for each kind that never leaves its colour and of which an army has at least two.
///
/// ```
/// use backrank_analysis::games::Material;
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
    /// The kinds that are counted, in the order of their columns.
    pieces: Vec<PieceKind>,
    pairs: Vec<PieceKind>,
    dark: Bitboard,
}

impl Material {
    /// The columns of a variant.
    pub fn of(rules: &Rules) -> Self {
        let variant = rules.variant();
        let (mut columns, mut pieces) = (vec![Column::Piece(Letter::PAWN)], vec![PieceKind::PAWN]);
        let (mut pair_columns, mut pairs) = (Vec::new(), Vec::new());
        let worth = Weights::new(rules).material;
        let worth = |piece: &&Piece| worth[piece.letter];
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

    /// Adds a last column for the difference of the players' ratings. It does not come from the board, so
    /// [`Material::difference`] leaves it zero.
    #[must_use]
    pub fn with_ratings(mut self) -> Self {
        self.columns.truncate(MAX_COLUMNS - 1);
        self.pairs.truncate((MAX_COLUMNS - 1).saturating_sub(self.pieces.len()));
        self.columns.push(Column::Rating);
        self
    }

    /// The column of the difference of the players' ratings, if there is one.
    pub fn rating_column(&self) -> Option<usize> {
        self.columns.iter().position(|&column| column == Column::Rating)
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// White's material minus Black's.
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

    /// The number of pieces of both sides, without kings and pawns.
    pub fn pieces(&self, position: &Position<'_>) -> u32 {
        self.pieces[1..].iter().map(|&kind| position.of_kind(kind).count()).sum()
    }

    fn is_pair(&self, pieces: Bitboard) -> i8 {
        i8::from(!pieces.is_disjoint(self.dark) && !pieces.is_disjoint(!self.dark))
    }
}

fn number_of(variant: &Variant, letter: Letter) -> usize {
    // Of what a game has, each side has it or one of them does.
    Side::BOTH.map(|side| variant.starts_with(side, letter)).into_iter().max().unwrap_or(0)
}

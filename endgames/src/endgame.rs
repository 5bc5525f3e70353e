//! Endgames: the men on the board.

use std::fmt;

use arrayvec::ArrayVec;
use backrank_rules::{Letter, PieceKind, Rules, Side};
use thiserror::Error;

/// The largest number of men in an endgame, kings included.
pub const MAX_MEN: usize = 6;

/// A piece or pawn of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Man {
    /// Its side.
    pub side: Side,
    /// Its kind.
    pub kind: PieceKind,
}

impl Man {
    /// The same man of the other side.
    pub(crate) fn swapped(self) -> Self {
        Self { side: self.side.other(), ..self }
    }

    /// A code for it, greater than 0.
    pub(crate) fn code(self) -> u8 {
        (self.side as u8 + 1) << 5 | self.kind.index() as u8
    }
}

/// The men of both sides, kings included. In `KMvK` White's men come before the `v` and Black's after it.
///
/// ```
/// use backrank_endgames::Endgame;
/// use backrank_rules::{Rules, Variant};
///
/// let rules = Rules::new(&Variant::find("pmrc")?);
/// let endgame = Endgame::parse("KMvKR", &rules)?;
/// assert_eq!(endgame.men().len(), 4);
/// assert_eq!(endgame.to_string(), "KMvKR");
///
/// let error = Endgame::parse("KAvK", &rules).unwrap_err();
/// assert_eq!(error.to_string(), "`KAvK`: `A` is not a piece of the game; pieces are P, B, K, M, N, Q and R");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endgame {
    /// The men, White's first.
    men: ArrayVec<Man, MAX_MEN>,
    /// The letters of the men, in the same order.
    letters: ArrayVec<Letter, MAX_MEN>,
}

/// Why a text does not name an endgame.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EndgameError {
    /// There is no `v` between the sides, or more than one.
    #[error("`{text}`: {found} of `v`; one divides White's pieces from Black's, as in `KQvK`")]
    Divided {
        /// The text.
        text: String,
        /// The number of times that `v` occurs.
        found: usize,
    },
    /// A letter is not a piece of the game.
    #[error("`{text}`: `{letter}` is not a piece of the game; pieces are {known}")]
    UnknownPiece {
        /// The text.
        text: String,
        /// The letter.
        letter: char,
        /// The letters of the game's pieces.
        known: String,
    },
    /// A side does not have exactly one king.
    #[error("`{text}`: {side} has {kings} kings; a side has one")]
    Kings {
        /// The text.
        text: String,
        /// The side.
        side: Side,
        /// The number of its kings.
        kings: usize,
    },
    /// There are too many men.
    #[error("`{text}`: {men} pieces; at most {MAX_MEN} with both kings")]
    TooMany {
        /// The text.
        text: String,
        /// The number of men.
        men: usize,
    },
}

impl Endgame {
    /// Reads an endgame such as `KBNvK`.
    ///
    /// # Errors
    ///
    /// When there is not exactly one `v`, a letter is not a piece of the game, a side does not have exactly one king,
    /// or there are more than [`MAX_MEN`] men.
    pub fn parse(text: &str, rules: &Rules) -> Result<Self, EndgameError> {
        let given = || text.to_string();
        let divided: Vec<&str> = text.split('v').collect();
        let [white, black] = divided[..] else {
            return Err(EndgameError::Divided { text: given(), found: divided.len() - 1 });
        };
        let mut men = Vec::new();
        for (side, letters) in [(Side::White, white), (Side::Black, black)] {
            let mut kings = 0;
            for letter in letters.chars() {
                let kind = Letter::from_char(letter).and_then(|letter| rules.kind_of(letter));
                let Some(kind) = kind else {
                    return Err(EndgameError::UnknownPiece { text: given(), letter, known: known(rules) });
                };
                kings += usize::from(is_royal(rules, kind));
                men.push(Man { side, kind });
            }
            if kings != 1 {
                return Err(EndgameError::Kings { text: given(), side, kings });
            }
        }
        if men.len() > MAX_MEN {
            return Err(EndgameError::TooMany { text: given(), men: men.len() });
        }
        Ok(Self::of(rules, men))
    }

    /// A king and one more man against a king, for each kind of the game except kings, the pawn first.
    pub fn all_of_three(rules: &Rules) -> Vec<Self> {
        let others = rules.kinds().filter(|&kind| !is_royal(rules, kind));
        others.filter_map(|kind| Self::against_bare_king(rules, &[kind])).collect()
    }

    /// A king and some men against a king; `None` if the game has no king.
    pub(crate) fn against_bare_king(rules: &Rules, others: &[PieceKind]) -> Option<Self> {
        let king = |side: Side| {
            rules.kinds().find(|&kind| {
                is_royal(rules, kind) && rules.variant().starts_with(side, rules.letter_of(kind)) > 0
            })
        };
        let strong = std::iter::once(king(Side::White)?).chain(others.iter().copied());
        let strong = strong.map(|kind| Man { side: Side::White, kind });
        Some(Self::of(rules, strong.chain([Man { side: Side::Black, kind: king(Side::Black)? }])))
    }

    /// The endgame of some men. Their order is kept, but White's come before Black's.
    pub(crate) fn of(rules: &Rules, men: impl IntoIterator<Item = Man>) -> Self {
        let mut men: ArrayVec<Man, MAX_MEN> = men.into_iter().collect();
        men.sort_by_key(|man| man.side);
        let letters = men.iter().map(|man| rules.letter_of(man.kind)).collect();
        Self { men, letters }
    }

    /// All men, White's first.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// The number of men of a side.
    pub fn count(&self, side: Side) -> usize {
        self.men.iter().filter(|man| man.side == side).count()
    }

    /// Whether there are pawns.
    pub fn has_pawns(&self) -> bool {
        self.men.iter().any(|man| man.kind == PieceKind::PAWN)
    }
}

impl fmt::Display for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |side: Side| -> String {
            let of_side = self.men.iter().zip(&self.letters).filter(|(man, _)| man.side == side);
            of_side.map(|(_, &letter)| letter).collect()
        };
        write!(f, "{}v{}", text(Side::White), text(Side::Black))
    }
}

/// Men in the order of their table, and whether the sides are swapped because the table is that of the swapped endgame.
pub(crate) fn kept_order(men: &[Man]) -> Vec<Man> {
    let sorted = |mut men: Vec<Man>| {
        men.sort_unstable();
        men
    };
    let own = sorted(men.to_vec());
    let swapped = sorted(men.iter().map(|man| man.swapped()).collect());
    // White becomes the side with more men.
    let order = |men: &[Man]| (men.iter().filter(|man| man.side == Side::White).count(), men.to_vec());
    if order(&swapped) > order(&own) { swapped } else { own }
}

/// Whether a kind is a king.
pub(crate) fn is_royal(rules: &Rules, kind: PieceKind) -> bool {
    rules.variant().piece(rules.letter_of(kind)).is_some_and(|piece| piece.royal)
}

/// The letters of a game's pieces.
fn known(rules: &Rules) -> String {
    let letters: Vec<String> = rules.kinds().map(|kind| rules.letter_of(kind).to_string()).collect();
    match letters.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => letters.concat(),
    }
}

/// The kinds that pawns of either side can promote to.
pub(crate) fn promotions(rules: &Rules) -> impl Iterator<Item = PieceKind> {
    let letters = rules.variant().pawn.promotes_to.iter().flatten();
    let mut kinds: Vec<PieceKind> = letters.filter_map(|&letter| rules.kind_of(letter)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter()
}

//! Kinds of pieces, numbered for play.

use std::fmt;

use crate::bitboard::Bitboard;

/// A kind of piece of a game: the pawn, or one of the variant's pieces.
///
/// [`Rules::kind_of`](crate::Rules::kind_of) finds the kind a letter stands for, [`Rules::letter_of`](crate::Rules::letter_of)
/// the letter of a kind. Kinds are numbered: the pawn is the first, and the variant's pieces follow in their order.
///
/// ```
/// use backrank_rules::{Letter, PieceKind, Rules, Variant};
///
/// let rules = Rules::new(&Variant::find("pmrc")?);
/// assert_eq!(rules.kind_of(Letter::PAWN), Some(PieceKind::PAWN));
/// let minister = rules.kind_of(Letter::M).unwrap();
/// assert_eq!(rules.letter_of(minister), Letter::M);
/// assert_eq!(rules.kind_of(Letter::X), None);
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PieceKind(u8);

impl PieceKind {
    /// The pawn.
    pub const PAWN: Self = Self(0);

    /// An upper bound on the number of kinds in any game: an array of this length has room for all.
    pub const MAX: usize = 32;

    /// Stands for an empty square in a mailbox.
    pub(crate) const NONE: Self = Self(u8::MAX);

    /// The kind with this number.
    pub(crate) const fn at(index: usize) -> Self {
        debug_assert!(index < Self::MAX);
        Self(index as u8)
    }

    /// Its number, less than [`PieceKind::MAX`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask tells the compiler that the bound holds.
        self.0 as usize & (Self::MAX - 1)
    }
}

impl fmt::Debug for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PieceKind({})", self.0)
    }
}

/// A group of at least one kind of piece, which have something in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindGroup {
    /// The first three kinds; if there are fewer, the last is repeated. Hardly any game has more in a group, and these
    /// need no loop.
    first: [PieceKind; 3],
    rest: KindSet,
}

impl KindGroup {
    /// A group of some kinds, of which there must be at least one.
    pub(crate) fn new(kinds: &[PieceKind]) -> Self {
        let first: [PieceKind; 3] = std::array::from_fn(|place| kinds[place.min(kinds.len() - 1)]);
        Self { first, rest: kinds.iter().skip(first.len()).copied().collect() }
    }

    /// The kinds, each once.
    pub fn iter(self) -> impl Iterator<Item = PieceKind> {
        let [one, two, three] = self.first;
        let of_first =
            [Some(one), Some(two).filter(|&two| two != one), Some(three).filter(|&three| three != two)];
        of_first.into_iter().flatten().chain(self.rest.iter())
    }

    /// The union of the squares that a function gives for each kind.
    #[inline(always)]
    pub fn union(self, squares: impl Fn(PieceKind) -> Bitboard) -> Bitboard {
        let [one, two, three] = self.first;
        let union = squares(one) | squares(two) | squares(three);
        if self.rest.is_empty() { union } else { union | self.rest.iter().map(squares).collect() }
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KindSet(u32);

impl KindSet {
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds in their order.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = PieceKind> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let kind = (left != 0).then(|| PieceKind(left.trailing_zeros() as u8));
            left &= left.wrapping_sub(1);
            kind
        })
    }
}

impl FromIterator<PieceKind> for KindSet {
    fn from_iter<I: IntoIterator<Item = PieceKind>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |set, kind| set | 1 << kind.index()))
    }
}

//! Kinds of pieces, numbered for play.

use std::fmt;

/// A kind of piece of a game: the pawn, or one of the variant's pieces.
///
/// [`Rules::kind_of`](crate::Rules::kind_of) finds the kind a letter stands for, [`Rules::letter_of`](crate::Rules::letter_of)
/// the letter of a kind. Kinds are numbered: the pawn is the first, and the variant's pieces follow in their order.
///
/// ```
/// use backrank_rules::{PieceKind, Rules, Variant};
///
/// let rules = Rules::new(&Variant::find("pmrc")?);
/// assert_eq!(rules.kind_of(b'P'), Some(PieceKind::PAWN));
/// let minister = rules.kind_of(b'M').unwrap();
/// assert_eq!(rules.letter_of(minister), b'M');
/// assert_eq!(rules.kind_of(b'X'), None);
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PieceKind(u8);

impl PieceKind {
    /// The pawn.
    pub const PAWN: Self = Self(0);

    /// More kinds than any game has: a table with so many places has one for each.
    pub const MAX: usize = 32;

    /// What stands for no piece in a mailbox.
    pub(crate) const NONE: Self = Self(u8::MAX);

    /// The kind of a number.
    pub(crate) const fn at(index: usize) -> Self {
        debug_assert!(index < Self::MAX);
        Self(index as u8)
    }

    /// Its number, less than [`PieceKind::MAX`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The compiler then knows, too.
        self.0 as usize & (Self::MAX - 1)
    }
}

impl fmt::Debug for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PieceKind({})", self.0)
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindSet(u32);

impl KindSet {
    /// Whether it has a kind.
    #[inline(always)]
    pub const fn contains(self, kind: PieceKind) -> bool {
        self.0 >> kind.index() & 1 != 0
    }

    /// Its kinds, in their order.
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

//! Letters of pieces.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// The letter of a piece: a capital from A to Z. `P` is the pawn in every game; what the others stand for is up to the variant.
///
/// It takes one byte, and so does an `Option` of it.
///
/// ```
/// use backrank_rules::{Letter, Variant};
///
/// let minister = Letter::M;
/// assert_eq!(Letter::from_char('M'), Some(minister));
/// assert_eq!((minister.to_string(), minister.lower()), ("M".to_string(), 'm'));
/// assert_eq!(Variant::find("pmrc")?.piece(minister).unwrap().name, "prime minister");
///
/// let error = "m".parse::<Letter>().unwrap_err();
/// assert_eq!(error.to_string(), "`m` is not a piece letter; a piece has one capital letter, A to Z");
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Letter(NonZeroU8);

/// Names every letter.
macro_rules! letters {
    ($($letter:ident)*) => {
        impl Letter {
            $(
                #[doc = concat!("The letter ", stringify!($letter), ".")]
                pub const $letter: Self = match Self::new(stringify!($letter).as_bytes()[0]) {
                    Some(letter) => letter,
                    None => panic!("a letter has a name other than itself"),
                };
            )*

            /// All letters in the order of the alphabet.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$letter),*];
        }
    };
}

letters! { A B C D E F G H I J K L M N O P Q R S T U V W X Y Z }

impl Letter {
    /// The letter of the pawn in every game.
    pub const PAWN: Self = Self::P;

    /// The number of letters.
    pub const COUNT: usize = 26;

    /// The letter with an ASCII code; `None` if that is not a capital.
    #[inline]
    pub const fn new(code: u8) -> Option<Self> {
        match NonZeroU8::new(code) {
            Some(capital) if code.is_ascii_uppercase() => Some(Self(capital)),
            _ => None,
        }
    }

    /// The letter that a character is; `None` if it is not a capital from A to Z.
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        if letter.is_ascii() { Self::new(letter as u8) } else { None }
    }

    /// Its place in the alphabet, 0 for A.
    #[inline(always)]
    pub const fn index(self) -> usize {
        let index = (self.0.get() - b'A') as usize;
        // This tells the compiler that the bound holds.
        if index < Self::COUNT { index } else { Self::COUNT - 1 }
    }

    /// Its ASCII code.
    #[inline(always)]
    pub const fn as_u8(self) -> u8 {
        self.0.get()
    }

    /// The letter as a character.
    #[inline]
    pub const fn as_char(self) -> char {
        self.as_u8() as char
    }

    /// The small letter, as for a piece that a pawn promotes to in UCI, or for a piece of Black's in a FEN.
    #[inline]
    pub const fn lower(self) -> char {
        self.as_char().to_ascii_lowercase()
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_char().fmt(f)
    }
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Letter({self})")
    }
}

impl Serialize for Letter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.as_char())
    }
}

/// Letters that follow each other are a word.
impl FromIterator<Letter> for String {
    fn from_iter<I: IntoIterator<Item = Letter>>(letters: I) -> Self {
        letters.into_iter().map(Letter::as_char).collect()
    }
}

/// A text that is not the letter of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a piece letter; a piece has one capital letter, A to Z")]
pub struct LetterError(
    /// The text.
    pub String,
);

impl FromStr for Letter {
    type Err = LetterError;

    fn from_str(text: &str) -> Result<Self, LetterError> {
        match *text.as_bytes() {
            [code] => Self::new(code),
            _ => None,
        }
        .ok_or_else(|| LetterError(text.to_string()))
    }
}

/// Something for every letter, whether a game has a piece of that letter or not.
///
/// ```
/// use backrank_rules::{ByLetter, Letter};
///
/// let mut pieces = ByLetter::<u32>::default();
/// pieces[Letter::N] += 2;
/// assert_eq!((pieces[Letter::N], pieces[Letter::Q]), (2, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByLetter<T>([T; Letter::COUNT]);

impl<T> ByLetter<T> {
    /// What a function gives for each letter.
    pub fn from_fn(of_letter: impl FnMut(Letter) -> T) -> Self {
        Self(Letter::ALL.map(of_letter))
    }

    /// What there is for each letter, in the order of the alphabet.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }
}

impl<T> Index<Letter> for ByLetter<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, letter: Letter) -> &T {
        &self.0[letter.index()]
    }
}

impl<T> IndexMut<Letter> for ByLetter<T> {
    #[inline(always)]
    fn index_mut(&mut self, letter: Letter) -> &mut T {
        &mut self.0[letter.index()]
    }
}

//! Pieces that people know by name.

use std::sync::LazyLock;

use serde::Deserialize;
use thiserror::Error;

use crate::betza::Betza;
use crate::nearest::{nearest, normal};

/// A piece that people know by name, whatever game it is in: how it moves, and where it comes from.
///
/// ```
/// use backrank_rules::KnownPiece;
///
/// let waffle = KnownPiece::find("waffle")?;
/// assert_eq!((waffle.betza.to_string().as_str(), waffle.also_called[0].as_str()), ("WA", "phoenix"));
/// assert_eq!(KnownPiece::find("Night-Rider")?.betza.to_string(), "NN");
///
/// let error = KnownPiece::find("archbischop").unwrap_err();
/// assert_eq!(error.to_string(), "no piece is called `archbischop`; did you mean archbishop?");
/// # Ok::<(), backrank_rules::UnknownPiece>(())
/// ```
#[derive(Clone, Debug)]
pub struct KnownPiece {
    /// Its name.
    pub name: String,
    /// Other names.
    pub also_called: Vec<String>,
    /// How it moves.
    pub betza: Betza,
    /// Whether it is the king.
    pub royal: bool,
    /// Where it comes from.
    pub source: String,
}

/// That no piece has a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no piece is called `{name}`{}", hint(.nearest))]
pub struct UnknownPiece {
    /// The name.
    pub name: String,
    /// The names most like it, or those that say more.
    pub nearest: Vec<&'static str>,
}

fn hint(nearest: &[&str]) -> String {
    match nearest {
        [] => String::new(),
        [others @ .., last] if !others.is_empty() => {
            format!("; did you mean {} or {last}?", others.join(", "))
        }
        [name, ..] => format!("; did you mean {name}?"),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PiecesFile {
    pieces: Vec<PieceEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceEntry {
    name: String,
    betza: String,
    #[serde(default)]
    royal: bool,
    #[serde(default)]
    also: Vec<String>,
    source: String,
}

static PIECES: LazyLock<Vec<KnownPiece>> = LazyLock::new(|| {
    let file: PiecesFile =
        toml::from_str(include_str!("../pieces.toml")).expect("the embedded file is well formed");
    let read = |PieceEntry { name, betza, royal, also, source }| KnownPiece {
        name,
        also_called: also,
        royal,
        betza: betza.parse().expect("every piece of the embedded file has moves"),
        source,
    };
    file.pieces.into_iter().map(read).collect()
});

impl KnownPiece {
    /// Every known piece, those of chess first.
    pub fn all() -> &'static [Self] {
        &PIECES
    }

    /// The piece with a name. Case, blanks, `-` and `_` do not matter.
    ///
    /// # Errors
    ///
    /// When no piece has the name. The error has the names that may have been meant.
    pub fn find(name: &str) -> Result<&'static Self, UnknownPiece> {
        Self::all().iter().find(|piece| piece.name_like(name).is_some()).ok_or_else(|| {
            let names = || Self::all().iter().flat_map(Self::names);
            // Several games have an elephant: each of them has a longer name here.
            let longer =
                names().filter(|known| known.split(' ').any(|word| word.eq_ignore_ascii_case(name.trim())));
            let mut nearest: Vec<_> = longer.collect();
            if nearest.is_empty() {
                nearest = self::nearest(name, names());
            }
            UnknownPiece { name: name.to_string(), nearest }
        })
    }

    /// The piece that moves like this, if one is known.
    pub fn moving_like(betza: &Betza, royal: bool) -> Option<&'static Self> {
        Self::all().iter().find(|piece| piece.royal == royal && piece.betza.moves_like(betza))
    }

    /// The one of its names that a text means.
    pub fn name_like(&self, text: &str) -> Option<&str> {
        self.names().find(|known| squeezed(known) == squeezed(text))
    }

    /// Its name, and the others.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.also_called).map(String::as_str)
    }
}

/// A name as it is compared.
fn squeezed(name: &str) -> String {
    normal(name).replace(' ', "")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_name_is_of_one_piece_and_no_text_of_moves() {
        let mut seen = BTreeSet::new();
        for name in KnownPiece::all().iter().flat_map(KnownPiece::names) {
            assert!(seen.insert(squeezed(name)), "{name}");
            assert!(name.parse::<Betza>().is_err(), "{name}");
            assert!(KnownPiece::find(name).is_ok(), "{name}");
        }
        assert!(KnownPiece::all().len() >= 60);
    }

    /// The king and the piece that moves like it are two.
    #[test]
    fn pieces_that_move_alike_are_one_piece_with_several_names() {
        for (place, piece) in KnownPiece::all().iter().enumerate() {
            for other in &KnownPiece::all()[..place] {
                let alike = piece.royal == other.royal && piece.betza.moves_like(&other.betza);
                assert!(!alike, "{} {}", piece.name, other.name);
            }
        }
    }

    #[test]
    fn what_may_have_been_meant() {
        for (name, nearest) in [
            ("nightridr", &["nightrider", "knightrider"][..]),
            ("cannon", &["xiangqi cannon", "janggi cannon", "musketeer cannon"]),
            ("Pegasus", &[]),
        ] {
            assert_eq!(KnownPiece::find(name).unwrap_err().nearest, nearest, "{name}");
        }
    }
}

//! How the two sides' first ranks go together.

use backrank_rules::{ByLetter, File, FirstRank, Letter, Setup};

/// How Black is set up.
#[derive(Clone, Debug)]
pub enum Sides {
    /// Black has White's piece on each file, or its counterpart.
    Mirror(Counterparts),
    /// The board is turned half around.
    Rotate(Counterparts),
    /// Each side has a rank of its own.
    Independent,
    /// There are only these setups, each with its name.
    Listed(Vec<(String, Setup)>),
}

/// Which piece of Black's stands for each of White's. Where both sides have the same pieces, each stands for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counterparts(ByLetter<Letter>);

impl Counterparts {
    /// Those of two armies that stand opposite to each other.
    ///
    /// # Errors
    ///
    /// When a piece of White's stands opposite to two different ones, or opposite to an empty square.
    pub(crate) fn of(white: &FirstRank, black: &FirstRank) -> Result<Self, String> {
        let mut found = ByLetter::<Option<Letter>>::default();
        for file in (0..white.files() as u8).map(File) {
            let (of_white, of_black) = match (white.at(file), black.at(file)) {
                (Some(of_white), Some(of_black)) => (of_white, of_black),
                (None, None) => continue,
                _ => {
                    return Err(format!(
                        "on file {file} only one side has a piece, so that Black's rank does not follow from White's"
                    ));
                }
            };
            if let Some(other) = found[of_white].replace(of_black).filter(|other| *other != of_black) {
                return Err(format!(
                    "{of_white} of White's stands opposite to {other} and to {of_black}, so that Black's rank does not follow from White's; the sides can be independent"
                ));
            }
        }
        // What White does not have stands for itself.
        Ok(Self(ByLetter::from_fn(|letter| found[letter].unwrap_or(letter))))
    }

    /// The letter of Black's piece that stands for one of White's.
    pub fn black(&self, white: Letter) -> Letter {
        self.0[white]
    }

    fn black_rank(&self, white: &FirstRank) -> FirstRank {
        let mut black = *white;
        white.pieces().for_each(|(file, letter)| black.set(file, self.black(letter)));
        black
    }
}

impl Sides {
    /// The name in a variant file: `mirror`, `rotate` or `independent`; `listed` for listed setups.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mirror(_) => "mirror",
            Self::Rotate(_) => "rotate",
            Self::Independent => "independent",
            Self::Listed(_) => "listed",
        }
    }

    /// Black's rank, if White's determines it.
    pub(crate) fn black(&self, white: &FirstRank) -> Option<FirstRank> {
        match self {
            Self::Mirror(counterparts) => Some(counterparts.black_rank(white)),
            Self::Rotate(counterparts) => Some(counterparts.black_rank(white).reversed()),
            Self::Independent | Self::Listed(_) => None,
        }
    }
}

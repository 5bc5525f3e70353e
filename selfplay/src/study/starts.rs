//! What the games of a study start from.

use super::book::Book;
use super::imported::ImportedGames;
use super::recorded::RecordedGames;
use super::setup_choice::SetupChoice;

/// What the games of a study start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Setups of the variant's space.
    Setups(SetupChoice),
    /// A book of openings.
    Book(Book),
    /// Positions of recorded games, after the pieces that the odds name have been removed.
    Recorded(RecordedGames),
    /// Nothing, as the games were played elsewhere: each names its own setup.
    Imported(ImportedGames),
}

/// The texts of `setups` in `study.toml` for what is no choice of setups.
const OPENINGS: &str = "openings";
const RECORDED: &str = "recorded";
const IMPORTED: &str = "imported";

impl Starts {
    /// What a `study.toml` says of starts: the text of `setups`, the ids beside it, and the tables for what is no setup.
    ///
    /// # Errors
    ///
    /// When they do not agree. The text names the key, and says what would be right.
    pub(super) fn read(
        setups: &str,
        ids: &[u64],
        book: Option<Book>,
        from: Option<RecordedGames>,
        import: Option<ImportedGames>,
    ) -> Result<Self, String> {
        let starts = match (book, from, import) {
            (None, None, None) => return Ok(Self::Setups(SetupChoice::read(setups, ids)?)),
            (Some(book), None, None) => Self::Book(book),
            (None, Some(from), None) => Self::Recorded(from),
            (None, None, Some(import)) => Self::Imported(import),
            _ => return Err("there is more than one of book, from and import".to_string()),
        };
        if starts.text() != setups || !ids.is_empty() {
            return Err(format!("setups = {setups}: with this table it must be {}", starts.text()));
        }
        Ok(starts)
    }

    /// The text of `setups` in `study.toml`: `all`, `0..100`, `random:500` or `listed`; `openings` for a book, `recorded` for
    /// positions of recorded games, and `imported`.
    pub fn text(&self) -> String {
        match self {
            Self::Setups(choice) => choice.to_string(),
            Self::Book(_) => OPENINGS.to_string(),
            Self::Recorded(_) => RECORDED.to_string(),
            Self::Imported(_) => IMPORTED.to_string(),
        }
    }

    /// The choice of setups.
    pub fn choice(&self) -> Option<&SetupChoice> {
        match self {
            Self::Setups(choice) => Some(choice),
            _ => None,
        }
    }

    /// The book of openings.
    pub fn book(&self) -> Option<&Book> {
        match self {
            Self::Book(book) => Some(book),
            _ => None,
        }
    }

    /// The recorded games from whose positions games start.
    pub fn recorded(&self) -> Option<&RecordedGames> {
        match self {
            Self::Recorded(from) => Some(from),
            _ => None,
        }
    }

    /// Where the games were imported from.
    pub fn imported(&self) -> Option<&ImportedGames> {
        match self {
            Self::Imported(import) => Some(import),
            _ => None,
        }
    }
}

impl From<SetupChoice> for Starts {
    fn from(choice: SetupChoice) -> Self {
        Self::Setups(choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_round_trip() {
        let import = ImportedGames::default;
        for text in ["all", "0..100", "random:500"] {
            assert_eq!(Starts::read(text, &[], None, None, None).unwrap().text(), text);
        }
        let listed = Starts::read("listed", &[3, 1], None, None, None).unwrap();
        assert_eq!(listed, Starts::Setups(SetupChoice::Listed(vec![3, 1])));
        let imported = Starts::read("imported", &[], None, None, Some(import())).unwrap();
        assert_eq!((imported.text().as_str(), imported.choice()), ("imported", None));
        for (setups, ids, import) in [
            ("openings", &[][..], None),
            ("recorded", &[], None),
            ("imported", &[], None),
            ("", &[], None),
            ("all", &[], Some(import())),
            ("openings", &[], Some(import())),
            ("imported", &[1], Some(import())),
            ("all", &[1], None),
        ] {
            assert!(Starts::read(setups, ids, None, None, import).is_err(), "{setups}");
        }
    }
}

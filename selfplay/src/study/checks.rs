//! What a `study.toml` must be like, whoever wrote it: no number in it can make a run overflow, run out of memory or never
//! end.

use std::ops::Range;

use backrank_rules::{Variant, VariantError};
use thiserror::Error;

use super::odds::Odds;
use super::setup_choice::SetupChoice;
use super::spec::StudySpec;
use super::starts::Starts;

/// The largest number of any kind, which is the largest that TOML has.
const LARGEST: u64 = i64::MAX as u64;

/// The longest time for a move, in milliseconds: 30 days.
pub const LONGEST_MOVE: u64 = 30 * 24 * 60 * 60 * 1000;

/// The most random plies that an opening can have.
pub const MOST_OPENING_PLIES: u32 = 1_000;

/// The largest number of centipawns in a rule of openings.
pub const MOST_CENTIPAWNS: u32 = 100_000;

/// The latest ply at which a position is taken from a recorded game, and the most plies that a book gives of a game.
pub const LATEST_PLY: u32 = 100_000;

/// The largest transposition table, in mebibytes.
pub const LARGEST_HASH: u32 = 65_536;

/// The most openings of a book. A file of more would have gigabytes.
const MOST_OPENINGS: u64 = 100_000_000;

/// The highest depth of a search that can be asked for.
pub const DEEPEST: u32 = 1_000_000;

/// Why a study cannot be played, whoever defined it. The text names the key of `study.toml`, and says what would be right.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidStudy {
    /// The hash is not that of the variant's text.
    #[error("the variant's sha256 is not that of its text, which must not be edited")]
    EditedVariant,
    /// The text is not a variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A number is too small or too large.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// So many games from each setup are not possible.
    #[error("games = {0} from each setup is not possible")]
    Games(u64),
    /// There would be too many games.
    #[error("number_of_setups = {setups} times games = {games}: a study cannot have more than 2^63 games")]
    TooManyGames {
        /// The number of starts.
        setups: u64,
        /// The number of games from each.
        games: u64,
    },
    /// The starts are not consistent.
    #[error("{0}")]
    Starts(String),
    /// The choice of setups says another number of them.
    #[error("number_of_setups = {number}, but setups = {setups} are {chosen}")]
    NumberOfSetups {
        /// The number.
        number: u64,
        /// The text of the choice.
        setups: String,
        /// The number that it says.
        chosen: u64,
    },
    /// Openings of a book would be played at odds.
    #[error("book: games from a book cannot be at odds")]
    BookAtOdds,
    /// Sides are swapped without pairs of games from setups, or at odds.
    #[error("swap_sides: sides are swapped in pairs of games from setups, without odds")]
    SwapSides,
    /// Games from recorded positions are not played in pairs and at odds.
    #[error("from: games from recorded positions must be played in pairs and at odds")]
    RecordedWithoutOdds,
    /// Pieces would be replaced in recorded positions.
    #[error("from: odds of games from recorded positions take pieces away, and replace none")]
    RecordedReplaced,
    /// The plies of recorded positions are in no order.
    #[error("from.at_plies must be plies in ascending order")]
    PliesInDisorder,
    /// The part of the games is no part of the study.
    #[error("shard: {0}")]
    Shard(String),
    /// The variant does not have these odds.
    #[error("odds = {odds}: {problem}")]
    Odds {
        /// The odds.
        odds: Odds,
        /// What is wrong with them.
        problem: String,
    },
    /// The sequential test is not possible.
    #[error("sprt: {0}")]
    Sprt(String),
}

/// A number that is too small or too large.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key} = {number}: it must be from {least} to {most}")]
pub struct OutOfRange {
    /// The number's key in the TOML file.
    pub key: String,
    /// The number.
    pub number: String,
    /// The smallest number that is possible.
    pub least: String,
    /// The largest.
    pub most: String,
}

impl From<OutOfRange> for String {
    fn from(error: OutOfRange) -> Self {
        error.to_string()
    }
}

/// Checks that a number is in a range, where it is given.
pub(crate) fn within<T: PartialOrd + std::fmt::Display + Copy>(
    key: &str,
    number: impl Into<Option<T>>,
    least: T,
    most: T,
) -> Result<(), OutOfRange> {
    match number.into() {
        Some(number) if !(least..=most).contains(&number) => {
            let [number, least, most] = [number, least, most].map(|number| number.to_string());
            Err(OutOfRange { key: key.to_string(), number, least, most })
        }
        _ => Ok(()),
    }
}

impl StudySpec {
    /// Checks everything that can be checked without other files, but for the hash of the variant, which is given parsed.
    pub(crate) fn check(&self, variant: &Variant) -> Result<(), InvalidStudy> {
        self.check_numbers()?;
        self.check_starts()?;
        self.check_shard()?;
        if let Some(odds) = &self.odds {
            odds.check(variant).map_err(|problem| InvalidStudy::Odds { odds: odds.clone(), problem })?;
        }
        if self.swap_sides && (!self.pairs || self.odds.is_some() || self.starts.choice().is_none()) {
            return Err(InvalidStudy::SwapSides);
        }
        if let Some(test) = &self.sprt {
            test.validate().map_err(InvalidStudy::Sprt)?;
            if !self.pairs || self.shard.is_some() {
                let problem = "a sequential test needs pairs, and a study that is not divided into shards";
                return Err(InvalidStudy::Sprt(problem.to_string()));
            }
        }
        Ok(())
    }

    /// Checks that the games of this shard are games of the study, and that no pair is split.
    ///
    /// # Errors
    ///
    /// When they are not; the text says why.
    pub fn check_shard(&self) -> Result<(), InvalidStudy> {
        let Range { start, end } = self.range();
        let all = self.all_games();
        if end > all {
            return Err(InvalidStudy::Shard(format!(
                "games {start}..{end} are not all in the study, which has {all} games"
            )));
        }
        if self.pairs && (start % 2 == 1 || end % 2 == 1) {
            let problem = format!("games {start}..{end} split a pair; both numbers must be even");
            return Err(InvalidStudy::Shard(problem));
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), InvalidStudy> {
        if self.games == 0 || (self.pairs && self.games % 2 == 1) {
            return Err(InvalidStudy::Games(self.games));
        }
        let all = self.number_of_setups.checked_mul(self.games);
        if all.is_none_or(|all| all > LARGEST) {
            return Err(InvalidStudy::TooManyGames { setups: self.number_of_setups, games: self.games });
        }
        within("seed", self.seed, 0, LARGEST)?;
        within("limits.nodes", self.limits.nodes, 1, LARGEST)?;
        within("limits.depth", self.limits.depth, 1, DEEPEST)?;
        within("limits.time", self.limits.time, 1, LONGEST_MOVE)?;
        within("opening.plies", self.opening.plies, 0, MOST_OPENING_PLIES)?;
        within("opening.margin", self.opening.margin, 0, MOST_CENTIPAWNS)?;
        within("opening.balance", self.opening.balance, 0, MOST_CENTIPAWNS)?;
        for (key, player) in [("white", &self.white), ("black", &self.black)] {
            // Imported and simulated games were played by nobody here.
            within(&format!("{key}.hash"), player.hash, u32::from(player.is_builtin()), LARGEST_HASH)?;
        }
        if let Some(rule) = self.adjudication.resign {
            within("adjudication.resign.moves", rule.moves, 1, LATEST_PLY)?;
        }
        if let Some(rule) = self.adjudication.draw {
            within("adjudication.draw.moves", rule.moves, 1, LATEST_PLY)?;
        }
        Ok(within("adjudication.max_plies", self.adjudication.max_plies, 1, u32::MAX)?)
    }

    /// Checks what games start from, and that there are as many starts as that says, where it says how many.
    fn check_starts(&self) -> Result<(), InvalidStudy> {
        let choice = match &self.starts {
            Starts::Setups(choice) => choice,
            Starts::Book(_) if self.odds.is_some() => return Err(InvalidStudy::BookAtOdds),
            Starts::Book(book) => {
                within("book.openings", book.openings, 1, MOST_OPENINGS)?;
                return Ok(within("book.plies", book.plies, 0, LATEST_PLY)?);
            }
            Starts::Recorded(_) if self.odds.is_none() || !self.pairs => {
                return Err(InvalidStudy::RecordedWithoutOdds);
            }
            Starts::Recorded(_) if self.odds.iter().any(|odds| odds.replaced() != [&[], &[]]) => {
                return Err(InvalidStudy::RecordedReplaced);
            }
            Starts::Recorded(from) => {
                within("from.games", from.games, 1, LARGEST)?;
                within("from.balance", from.balance, 0, MOST_CENTIPAWNS)?;
                within("from.positions", from.positions, self.number_of_setups.max(1), LARGEST)?;
                if from.at_plies.is_empty() || !from.at_plies.is_sorted_by(|one, other| one < other) {
                    return Err(InvalidStudy::PliesInDisorder);
                }
                return Ok(within("from.at_plies", from.at_plies.last().copied(), 0, LATEST_PLY)?);
            }
            Starts::Imported(_) => return Ok(()),
        };
        let chosen = match choice {
            SetupChoice::All => return Ok(()),
            SetupChoice::Ids(ids) => ids.end - ids.start,
            SetupChoice::Random(number) => *number,
            SetupChoice::Listed(ids) => {
                ids.iter().try_for_each(|&id| within("setup_ids", id, 0, LARGEST))?;
                ids.len() as u64
            }
        };
        match self.number_of_setups {
            number if number == chosen => Ok(()),
            number => Err(InvalidStudy::NumberOfSetups { number, setups: choice.to_string(), chosen }),
        }
    }
}

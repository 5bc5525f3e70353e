//! What a `study.toml` must be like, whoever wrote it: no number in it can make a run overflow, run out of memory or never
//! end.

use super::definition::Study;
use super::setup_choice::SetupChoice;

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

/// Checks that a number is in a range, where it is given.
pub(crate) fn within<T: PartialOrd + std::fmt::Display + Copy>(
    key: &str,
    number: impl Into<Option<T>>,
    least: T,
    most: T,
) -> Result<(), String> {
    match number.into() {
        Some(number) if !(least..=most).contains(&number) => {
            Err(format!("{key} = {number}: it must be from {least} to {most}"))
        }
        _ => Ok(()),
    }
}

impl Study {
    /// Checks everything that can be checked without other files.
    ///
    /// # Errors
    ///
    /// When something is wrong. The text names the key, and says what would be right.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !self.variant.is_whole() {
            return Err("the variant's sha256 is not that of its text, which must not be edited".to_string());
        }
        self.check_numbers()?;
        self.check_setups()?;
        self.check_shard()?;
        if self.book.is_some() && self.odds.is_some() {
            return Err("book: games from a book cannot be at odds".to_string());
        }
        if self.from.is_some() && (self.book.is_some() || self.odds.is_none() || !self.pairs) {
            return Err("from: games from recorded positions must be played in pairs and at odds".to_string());
        }
        if let (Some(odds), Ok(variant)) = (&self.odds, self.variant()) {
            odds.check(&variant).map_err(|problem| format!("odds = {odds}: {problem}"))?;
        }
        if let Some(test) = &self.sprt {
            test.validate().map_err(|problem| format!("sprt: {problem}"))?;
            if !self.pairs || self.shard.is_some() {
                return Err(
                    "sprt: a sequential test needs pairs, and a study that is not divided into shards"
                        .to_string(),
                );
            }
        }
        self.plan
            .as_ref()
            .map_or(Ok(()), |plan| plan.check(self).map_err(|problem| format!("plan: {problem}")))
    }

    fn check_numbers(&self) -> Result<(), String> {
        if self.games == 0 || (self.pairs && self.games % 2 == 1) {
            return Err(format!("games = {} from each setup is not possible", self.games));
        }
        let all = self.number_of_setups.checked_mul(self.games);
        if all.is_none_or(|all| all > LARGEST) {
            return Err(format!(
                "number_of_setups = {} times games = {}: a study cannot have more than 2^63 games",
                self.number_of_setups, self.games
            ));
        }
        within("seed", self.seed, 0, LARGEST)?;
        within("limits.nodes", self.limits.nodes, 1, LARGEST)?;
        within("limits.depth", self.limits.depth, 1, DEEPEST)?;
        within("limits.time", self.limits.time, 1, LONGEST_MOVE)?;
        within("opening.plies", self.opening.plies, 0, MOST_OPENING_PLIES)?;
        within("opening.margin", self.opening.margin, 0, MOST_CENTIPAWNS)?;
        within("opening.balance", self.opening.balance, 0, MOST_CENTIPAWNS)?;
        if let Some(book) = &self.book {
            within("book.openings", book.openings, 1, MOST_OPENINGS)?;
            within("book.plies", book.plies, 0, LATEST_PLY)?;
        }
        if let Some(from) = &self.from {
            within("from.games", from.games, 1, LARGEST)?;
            within("from.balance", from.balance, 0, MOST_CENTIPAWNS)?;
            within("from.positions", from.positions, self.number_of_setups.max(1), LARGEST)?;
            if from.at_plies.is_empty() || !from.at_plies.is_sorted_by(|one, other| one < other) {
                return Err("from.at_plies must be plies in ascending order".to_string());
            }
            within("from.at_plies", from.at_plies.last().copied(), 0, LATEST_PLY)?;
        }
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
        within("adjudication.max_plies", self.adjudication.max_plies, 1, u32::MAX)
    }

    /// Checks that there are as many setups as the choice of setups says, where it says how many.
    fn check_setups(&self) -> Result<(), String> {
        if let Some(id) = self.setup_ids.iter().find(|&&id| id > LARGEST) {
            return Err(format!("setup_ids: {id} is more than {LARGEST}"));
        }
        if self.book.is_some() || self.from.is_some() || self.import.is_some() {
            return Ok(());
        }
        let chosen = match self.setup_choice().map_err(|error| error.to_string())? {
            SetupChoice::All => return Ok(()),
            SetupChoice::Ids(ids) => ids.end - ids.start,
            SetupChoice::Random(number) => number,
            SetupChoice::Listed(ids) => ids.len() as u64,
        };
        if chosen == self.number_of_setups {
            return Ok(());
        }
        let (number, setups) = (self.number_of_setups, &self.setups);
        Err(format!("number_of_setups = {number}, but setups = {setups} are {chosen}"))
    }
}

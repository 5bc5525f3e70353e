//! What is asked of a study: everything that determines its games.

use std::ops::Range;
use std::time::Duration;

use backrank_engine::{Limits, Weights};
use backrank_enumerate::{Numbering, Space};
use backrank_rules::{Rules, Variant, VariantError};
use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::book::Book;
use super::imported::ImportedGames;
use super::odds::Odds;
use super::recorded::RecordedGames;
use super::setup_choice::{SetupChoice, SetupsError, narrowed_space};
use super::shard::Shard;
use super::sprt::Sprt;
use super::starts::Starts;
use super::time_control::TimeControl;
use crate::player::{PlayerError, PlayerSpec};
use crate::store::sha256;

/// What somebody asks of a study, before it is known whether that can be played. [`Study::new`](super::Study::new) makes a study of it.
///
/// ```
/// use backrank_rules::Variant;
/// use backrank_selfplay::study::{SetupChoice, Starts, Study, StudySpec};
///
/// let chess960 = Variant::find("chess960")?;
/// let starts = Starts::Setups(SetupChoice::Ids(518..520));
/// let study = Study::new(StudySpec { seed: 7, ..StudySpec::new(&chess960, starts, "scharnagl", 2) })?;
/// assert_eq!(study.all_games(), 2);
/// assert!(study.changed(|spec| spec.number_of_setups = 3).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StudySpec {
    /// The version of the program that created the study.
    pub version: String,
    /// What games start from.
    pub starts: Starts,
    /// The number of setups, openings or positions that games start from. One that occurs twice counts twice.
    pub number_of_setups: u64,
    /// Constraints that narrow the variant's space, such as `opposite_colours=B,B`. Setups and ids are then those of
    /// the narrowed space.
    pub constraints: Vec<String>,
    /// The numbering to which the ids belong.
    pub numbering: String,
    /// The number of games from each of these starts.
    pub games: u64,
    /// Whether games come in pairs: two games in a row have the same start, and the players swap colours.
    pub pairs: bool,
    /// Whether the players keep their colours in the second game of a pair, and the side moves first that does not in the first
    /// game: for games whose sides have different pieces. That is the same as swapping the sides' pieces and the players.
    pub swap_sides: bool,
    /// The seed of the random number generator.
    pub seed: u64,
    /// The part of the games that is played here, such as `3/8` or `4000..8000`.
    pub shard: Option<Shard>,
    /// Whether the scores that players gave their moves are recorded in `scores.csv`.
    pub scores: bool,
    /// Whether `games.csv` leaves out the moves. Playing the games again reproduces them.
    pub without_moves: bool,
    /// The limits of the search for each move.
    pub limits: MoveLimits,
    /// The pieces that each side starts without, such as `M:Q`.
    pub odds: Option<Odds>,
    /// Whether the pawns that odds take away come from each file in turn. In studies of earlier versions their files
    /// were drawn at random.
    pub pawns_in_turn: bool,
    /// The random plies at the start of each game.
    pub opening: Opening,
    /// When a game is adjudicated.
    pub adjudication: Adjudication,
    /// A sequential test that ends the study after the pair of games that decides it.
    pub sprt: Option<Sprt>,
    /// The player of White; in pairs, of White in the first game.
    pub white: PlayerSpec,
    /// The other player.
    pub black: PlayerSpec,
    /// The variant that is played.
    pub variant: VariantText,
}

/// The copy of its variant that a study keeps, so that the study can be continued after the variant's file has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantText {
    /// The variant's key.
    pub key: String,
    /// The SHA-256 of the text.
    pub sha256: String,
    /// The text of the variant's file.
    pub text: String,
}

/// The limits of the search for a move. Each is optional.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimits {
    /// The number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The time in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The time control: the time that each side has for the game, or for a number of moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
}

/// The first plies of each game, drawn at random so that a setup gives more than one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The number of plies.
    pub plies: u32,
    /// How many centipawns worse than the best move a drawn move may be.
    pub margin: u32,
    /// How many centipawns the score of the position after the opening may differ from that of the start, by a shallow
    /// search of both. If it differs by more, another opening is drawn. `None` turns this check off; studies of earlier
    /// versions did not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<u32>,
}

impl Default for Opening {
    fn default() -> Self {
        Self { plies: 8, margin: 60, balance: Some(100) }
    }
}

/// The transposition table of the engine that draws openings, in mebibytes.
pub(crate) const OPENING_HASH: usize = 1;

impl Opening {
    /// An opening without random plies.
    pub const NONE: Self = Self { plies: 0, margin: 0, balance: None };
}

impl StudySpec {
    /// One game from each of these starts, by the embedded engine without a limit, with defaults for everything else.
    pub fn new(variant: &Variant, starts: Starts, numbering: &str, number_of_setups: u64) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_string(),
            starts,
            number_of_setups,
            constraints: Vec::new(),
            numbering: numbering.to_string(),
            games: 1,
            pairs: false,
            swap_sides: false,
            seed: 0,
            shard: None,
            scores: false,
            without_moves: false,
            limits: MoveLimits::default(),
            odds: None,
            pawns_in_turn: false,
            opening: Opening::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            white: PlayerSpec::default(),
            black: PlayerSpec::default(),
            variant: VariantText::new(variant),
        }
    }

    /// A study like this one with a seed of its own and at odds, of pairs of games from setups that are drawn for each of
    /// them. There are as many setups as here.
    pub fn part(&self, odds: Option<Odds>, seed: u64) -> Self {
        let mut spec = Self { seed, ..self.clone() };
        if let Some(odds) = odds {
            spec.give_odds(odds);
            spec.games = 2;
            spec.starts = Starts::Setups(SetupChoice::Random(self.number_of_setups));
        }
        spec
    }

    /// Plays the games at odds, in pairs. Missing pawns come from each file in turn.
    pub fn give_odds(&mut self, odds: Odds) {
        self.odds = Some(odds);
        self.pairs = true;
        self.swap_sides = false;
        self.pawns_in_turn = true;
    }

    /// Reduces the players' transposition tables to what the node limit needs.
    pub fn fit_hash(&mut self) {
        let Some(nodes) = self.limits.nodes else { return };
        // One mebibyte for every thousand nodes holds about sixty moves' nodes. A larger table would not change the
        // moves, but it would take longer to clear for each game.
        let mebibytes = nodes.div_ceil(1000).min(self.white.hash.into()) as u32;
        self.white.hash = mebibytes;
        self.black.hash = mebibytes;
    }

    /// Starts games from a book. Each of `openings` openings is played in one game, or in both games of a pair.
    pub fn start_from_book(&mut self, book: Book, openings: u64) {
        self.start_elsewhere(Starts::Book(book), openings);
    }

    /// Starts games from `positions` positions of recorded games, after the pieces that the study's odds name have been
    /// removed. Each position is played twice: first White lacks the pieces before the colon of the odds, then Black
    /// does.
    pub fn start_from_recorded(&mut self, from: RecordedGames, positions: u64) {
        self.pairs = true;
        self.pawns_in_turn = false;
        self.start_elsewhere(Starts::Recorded(from), positions);
    }

    /// Makes this a study of `games` imported games. Nothing is played, and the games name their own players.
    pub fn import(&mut self, import: ImportedGames, games: u64) {
        let elsewhere = "imported".to_string();
        let player =
            PlayerSpec { name: elsewhere.clone(), command: elsewhere, hash: 0, ..PlayerSpec::default() };
        [self.white, self.black] = [player.clone(), player];
        self.start_elsewhere(Starts::Imported(import), games);
    }

    pub(super) fn start_elsewhere(&mut self, starts: Starts, number: u64) {
        self.starts = starts;
        self.swap_sides = false;
        self.number_of_setups = number;
        self.games = if self.pairs { 2 } else { 1 };
        self.opening = Opening::NONE;
    }

    /// The number of games of the whole study, whatever part of it is played here.
    pub fn all_games(&self) -> u64 {
        self.number_of_setups.saturating_mul(self.games)
    }

    /// The numbers of the games that are played here.
    pub fn range(&self) -> Range<u64> {
        let shard = match &self.shard {
            None => return 0..self.all_games(),
            Some(Shard::Games(games)) => return games.clone(),
            Some(shard) => shard,
        };
        // A pair stays together.
        let unit = if self.pairs { 2 } else { 1 };
        let units = shard.range(self.all_games() / unit);
        units.start * unit..units.end * unit
    }

    /// The study's variant.
    ///
    /// # Errors
    ///
    /// When the text is not a valid variant.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        self.variant.parse("the variant in study.toml")
    }

    /// The space that setups are chosen from: the variant's setups that meet the study's own constraints.
    ///
    /// # Errors
    ///
    /// When the variant or a constraint is wrong.
    pub fn space(&self) -> Result<Space, SetupsError> {
        narrowed_space(&self.variant()?, &self.constraints)
    }

    /// The study's numbering, from a space of its variant.
    pub(crate) fn numbering_of<'s>(&self, space: &'s Space) -> Result<&'s Numbering, SetupsError> {
        space.numbering(&self.numbering).ok_or_else(|| SetupsError::Numbering {
            variant: self.variant.key.clone(),
            numbering: self.numbering.clone(),
        })
    }

    /// The weights by which openings are judged: those of the first player that is the embedded engine, White or Black. If
    /// neither is, they are the engine's own.
    ///
    /// # Errors
    ///
    /// When a file of weights cannot be read.
    pub(crate) fn opening_weights(&self, rules: &Rules) -> Result<Weights, PlayerError> {
        let judge = [&self.white, &self.black].into_iter().find(|player| player.is_builtin());
        judge.map_or_else(|| Ok(Weights::new(rules)), |player| player.weights(rules))
    }

    /// The memory in mebibytes that transposition tables take when `threads` games are played at a time: those of the
    /// players, and that of the engine that draws openings.
    ///
    /// ```
    /// use backrank_rules::Variant;
    /// use backrank_selfplay::study::{SetupChoice, Starts, StudySpec};
    ///
    /// let starts = Starts::Setups(SetupChoice::All);
    /// let study = StudySpec::new(&Variant::find("pmrc")?, starts, "lex", 15_120);
    /// assert_eq!(study.tables_mebibytes(4), 4 * (16 + 16 + 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tables_mebibytes(&self, threads: usize) -> u64 {
        let games = self.range();
        let at_a_time = (threads as u64).min(games.end - games.start);
        let players = u64::from(self.white.hash) + u64::from(self.black.hash);
        at_a_time.saturating_mul(players + OPENING_HASH as u64)
    }
}

impl VariantText {
    /// A variant's text and its hash.
    pub fn new(variant: &Variant) -> Self {
        Self {
            key: variant.key.clone(),
            sha256: sha256(variant.text().as_bytes()),
            text: variant.text().to_string(),
        }
    }

    /// Parses the variant. `path` is the name of the source in error messages.
    ///
    /// # Errors
    ///
    /// When the text is not a valid variant.
    pub fn parse(&self, path: &str) -> Result<Variant, VariantError> {
        Variant::parse(&self.key, path, &self.text)
    }

    /// Whether the hash is that of the text, which nobody has edited then.
    pub fn is_whole(&self) -> bool {
        self.sha256 == sha256(self.text.as_bytes())
    }
}

impl MoveLimits {
    /// These limits for a search. The clock is left out, since its time changes from move to move.
    pub fn search(self) -> Limits {
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.time.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

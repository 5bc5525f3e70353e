//! What a study asks: everything that decides its games.

use std::ops::Range;
use std::time::Duration;

use backrank_enumerate::{Numbering, Space};
use backrank_rules::{Variant, VariantError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::adjudication::Adjudication;
use super::book::Book;
use super::differences::differences;
use super::imported::ImportedGames;
use super::odds::Odds;
use super::recorded::RecordedGames;
use super::setup_choice::{SetupChoice, SetupsError, narrowed_space};
use super::shard::Shard;
use super::sprt::Sprt;
use super::time_control::TimeControl;
use crate::cluster::Plan;
use crate::limits::Limits;
use crate::player::PlayerSpec;
use crate::run::OPENING_HASH;

/// Everything that decides the games of a study; `study.toml` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The version of the program that plays it.
    pub version: String,
    /// Which setups: `all`, `0..100`, `random:500`, or `listed`; `openings` where games start from a book of them,
    /// `recorded` where they start from positions of recorded games, and `imported` where each imported game says it.
    pub setups: String,
    /// The ids, where setups are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup_ids: Vec<u64>,
    /// Constraints that narrow the variant's space, such as `opposite_colours=B,B`; setups and ids are then of what is
    /// left.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The numbering that ids are of.
    pub numbering: String,
    /// The number of setups, openings or positions that games start from; one that comes twice counts twice.
    pub number_of_setups: u64,
    /// The number of games from each of them.
    pub games: u64,
    /// Whether each two games in a row are the same but for who plays White.
    pub pairs: bool,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Which part of the games is played here, as `3/8` or `4000..8000`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Whether `scores.csv` has what the players thought of their moves.
    #[serde(default, skip_serializing_if = "is_false")]
    pub scores: bool,
    /// Whether `games.csv` leaves out the moves: playing the games again gives them.
    #[serde(default, skip_serializing_if = "is_false")]
    pub without_moves: bool,
    /// What a move may take.
    pub limits: MoveLimits,
    /// What the sides start without, as `M:Q`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds: Option<Odds>,
    /// Whether the pawns that odds take away are those of each file in turn; in studies from before that, each is drawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pawns_in_turn: bool,
    /// The plies that are drawn at random.
    pub opening: Opening,
    /// The book of openings that games start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Book>,
    /// The recorded games from whose positions games start, without what the odds take away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<RecordedGames>,
    /// The files that the games were imported from, where they were not played here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportedGames>,
    /// When a game is cut short.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// A sequential test that ends the study after the pair of games that decides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Who plays White, or with pairs the first game's White.
    pub white: PlayerSpec,
    /// The other player.
    pub black: PlayerSpec,
    /// The game.
    pub variant: VariantText,
    /// How its games, and those of studies at odds below its directory, are shared out among the workers of a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
}

/// A variant as a study keeps it, so that it can be continued when the file has changed.
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

/// What a player may use for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimits {
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The time that each side has for the game, or for some of its moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
}

/// The first plies of each game, drawn at random so that a setup gives more than one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// How many.
    pub plies: u32,
    /// How many centipawns a move may be behind the best.
    pub margin: u32,
    /// How many centipawns the position that results may be better or worse than the start, by a small search of both;
    /// where it is more, another opening is drawn. None where that is not looked at, as in studies of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<u32>,
}

/// Whether there is nothing to be said.
fn is_false(value: &bool) -> bool {
    !value
}

impl Default for Opening {
    fn default() -> Self {
        Self { plies: 8, margin: 60, balance: Some(100) }
    }
}

impl Opening {
    /// An opening without random plies.
    pub(super) const NONE: Self = Self { plies: 0, margin: 0, balance: None };
}

impl Study {
    /// A study of one game from each of some setups, by the embedded player with no limit to its moves; all else as
    /// usual. Setups and numbering are written as in `study.toml`.
    pub fn new(variant: &Variant, setups: String, numbering: &str, number_of_setups: u64) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_string(),
            setups,
            setup_ids: Vec::new(),
            constraints: Vec::new(),
            numbering: numbering.to_string(),
            number_of_setups,
            games: 1,
            pairs: false,
            seed: 0,
            shard: None,
            scores: false,
            without_moves: false,
            limits: MoveLimits::default(),
            odds: None,
            pawns_in_turn: false,
            opening: Opening::default(),
            book: None,
            from: None,
            import: None,
            adjudication: Adjudication::default(),
            sprt: None,
            white: PlayerSpec::default(),
            black: PlayerSpec::default(),
            variant: VariantText::new(variant),
            plan: None,
        }
    }

    /// Plays games at odds, in pairs. The pawns of each file are missing in turn.
    pub fn give_odds(&mut self, odds: Odds) {
        self.odds = Some(odds);
        self.pairs = true;
        self.pawns_in_turn = true;
    }

    /// Gives the players tables that are no larger than the nodes of a move need.
    pub fn fit_hash(&mut self) {
        let Some(nodes) = self.limits.nodes else { return };
        // Sixty moves' worth of nodes fit in; a larger table is cleared for each game and makes no other moves.
        let mebibytes = nodes.div_ceil(1000).min(self.white.hash.into()) as u32;
        self.white.hash = mebibytes;
        self.black.hash = mebibytes;
    }

    /// Starts games from a book. Each of this number of openings is played in one game, or in both games of a pair.
    pub fn start_from_book(&mut self, book: Book, openings: u64) {
        self.book = Some(book);
        self.start_elsewhere("openings", openings);
    }

    /// Starts games from this number of positions of recorded games, without the pieces that the study's odds take away. Each
    /// position is played twice: first White lacks what stands before the colon of the odds, then Black does.
    pub fn start_from_recorded(&mut self, from: RecordedGames, positions: u64) {
        self.from = Some(from);
        self.pairs = true;
        self.pawns_in_turn = false;
        self.start_elsewhere("recorded", positions);
    }

    /// Records this number of imported games, by players whose names the games have, instead of playing any.
    pub fn import(&mut self, import: ImportedGames, games: u64) {
        let elsewhere = "imported".to_string();
        let player =
            PlayerSpec { name: elsewhere.clone(), command: elsewhere, hash: 0, ..PlayerSpec::default() };
        [self.white, self.black] = [player.clone(), player];
        self.import = Some(import);
        self.start_elsewhere("imported", games);
    }

    fn start_elsewhere(&mut self, setups: &str, starts: u64) {
        self.setups = setups.to_string();
        self.setup_ids = Vec::new();
        self.number_of_setups = starts;
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

    /// Whether the games that are played here are games of the study, and no pair is split.
    ///
    /// # Errors
    ///
    /// When they are not, why.
    pub fn check_shard(&self) -> Result<(), String> {
        let games = self.range();
        if games.end > self.all_games() {
            return Err(format!(
                "shard: games {} to {} are not among {}",
                games.start,
                games.end,
                self.all_games()
            ));
        }
        if self.pairs && (games.start % 2 == 1 || games.end % 2 == 1) {
            return Err(format!("shard: games {} to {} split a pair", games.start, games.end));
        }
        Ok(())
    }

    /// The study's variant.
    ///
    /// # Errors
    ///
    /// When its text is not a variant.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        self.variant.parse("the variant in study.toml")
    }

    /// The setups that are to choose from: those of the variant that meet the study's own constraints.
    ///
    /// # Errors
    ///
    /// When the variant or a constraint is wrong.
    pub fn space(&self) -> Result<Space, SetupsError> {
        narrowed_space(&self.variant()?, &self.constraints)
    }

    /// The numbering that ids are of, as that of a space of the study's.
    pub(crate) fn numbering_of<'s>(&self, space: &'s Space) -> Result<&'s Numbering, SetupsError> {
        space.numbering(&self.numbering).ok_or_else(|| SetupsError::Numbering {
            variant: self.variant.key.clone(),
            numbering: self.numbering.clone(),
        })
    }

    /// Which setups are asked for.
    ///
    /// # Errors
    ///
    /// When the text is none of those that [`SetupChoice`] knows.
    pub fn setup_choice(&self) -> Result<SetupChoice, SetupsError> {
        SetupChoice::read(&self.setups, &self.setup_ids).map_err(SetupsError::Text)
    }

    /// Asks for these setups.
    pub fn choose_setups(&mut self, choice: &SetupChoice) {
        self.setups = choice.to_string();
        self.setup_ids = choice.listed().to_vec();
    }

    /// The mebibytes that its players' transposition tables take when so many games are played at a time, with that of the
    /// engine that draws openings.
    ///
    /// ```
    /// use backrank_rules::Variant;
    /// use backrank_selfplay::Study;
    ///
    /// let study = Study::new(&Variant::find("pmrc")?, "all".to_string(), "lex", 15_120);
    /// assert_eq!(study.tables_mebibytes(4), 4 * (16 + 16 + 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tables_mebibytes(&self, threads: usize) -> u64 {
        let games = self.range();
        let at_a_time = (threads as u64).min(games.end - games.start);
        let players = u64::from(self.white.hash) + u64::from(self.black.hash);
        at_a_time.saturating_mul(players + OPENING_HASH as u64)
    }

    /// Says which state of the embedded engine each player is, by [`fingerprint`](crate::fingerprint). The function is
    /// asked for it once for players with the same options.
    ///
    /// # Errors
    ///
    /// When the function fails.
    pub fn set_fingerprints<E>(
        &mut self,
        mut fingerprint: impl FnMut(&PlayerSpec) -> Result<String, E>,
    ) -> Result<(), E> {
        let [white, black] = [&mut self.white, &mut self.black];
        white.fingerprint = white.is_builtin().then(|| fingerprint(white)).transpose()?;
        black.fingerprint = match black.is_builtin() {
            true if white.is_builtin() && white.options == black.options => white.fingerprint.clone(),
            true => Some(fingerprint(black)?),
            false => None,
        };
        Ok(())
    }

    /// Its text, as `study.toml` holds it.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a study has nothing that TOML cannot hold")
    }

    /// Where another study asks for something else, by the names in `study.toml`: the name, and what either says. Of
    /// texts of several lines it is the first line that differs. Who plays which games makes no other study of it.
    pub fn differences(&self, other: &Self) -> Vec<[String; 3]> {
        // The hash says no more than the text, and of other files it says all.
        differences(self, other, &["plan", "variant.sha256", "book.path", "from.path"])
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

    /// The variant; `path` names where the text stands.
    ///
    /// # Errors
    ///
    /// When its text is not a variant.
    pub fn parse(&self, path: &str) -> Result<Variant, VariantError> {
        Variant::parse(&self.key, path, &self.text)
    }

    /// Whether the hash is that of the text.
    pub fn is_whole(&self) -> bool {
        self.sha256 == sha256(self.text.as_bytes())
    }
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl MoveLimits {
    /// The same for a search, but for the clock, which runs.
    pub fn search(self) -> Limits {
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.time.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

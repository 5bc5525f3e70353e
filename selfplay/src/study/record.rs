//! Rows of `games.csv`: one type for the writer and the reader.

use std::fmt;
use std::str::FromStr;

use backrank_rules::{GameResult, Side, Termination};
use serde::{Deserialize, Serialize};

/// A game as `games.csv` holds it; `data/README.md` says what each column means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The number of the game in its study, from 0.
    pub game: u64,
    /// The setup's id in the study's numbering.
    pub setup: u128,
    /// White's first rank in the setup.
    pub white_rank: String,
    /// Black's first rank in the setup.
    pub black_rank: String,
    /// The position from which the game starts, without the pieces that the odds take away.
    pub fen: String,
    /// The pieces that White and Black lack, such as `M:Q`; empty without odds.
    pub odds: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The result; `None` for an imported game that was not finished.
    #[serde(with = "text")]
    pub result: Option<GameResult>,
    /// Why the game ended.
    #[serde(with = "text")]
    pub termination: Ending,
    /// The number of plies, including those of the opening.
    pub plies: u32,
    /// The number of plies at the beginning that were drawn at random.
    pub opening_plies: u32,
    /// The moves in UCI notation, separated by spaces.
    pub moves: String,
    /// The recorded position from which the start was made. Only studies of such starts have the columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourcePosition>,
    /// The players' ratings. Only studies of imported games have the columns, which [`GamesReader`](crate::study::GamesReader)
    /// reads.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Ratings>,
}

/// The ratings of the players of an imported game; `None` if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratings {
    /// White's rating.
    pub white: Option<u16>,
    /// Black's rating.
    pub black: Option<u16>,
}

impl Ratings {
    /// White's rating minus Black's, if both are known.
    ///
    /// ```
    /// use backrank_selfplay::study::Ratings;
    ///
    /// assert_eq!(Ratings { white: Some(2000), black: Some(2100) }.difference(), Some(-100));
    /// assert_eq!(Ratings { white: Some(2000), black: None }.difference(), None);
    /// ```
    pub fn difference(self) -> Option<i32> {
        Some(i32::from(self.white?) - i32::from(self.black?))
    }
}

impl GameRecord {
    /// The half points of a side: 2 for a win, 1 for a draw or a game without a result.
    pub fn half_points(&self, side: Side) -> usize {
        match self.result {
            Some(GameResult::Win(winner)) if winner == side => 2,
            Some(GameResult::Win(_)) => 0,
            Some(GameResult::Draw) | None => 1,
        }
    }

    /// The result as `games.csv` and PGN write it; `*` for a game that was not finished.
    pub fn result_text(&self) -> String {
        self.result.written()
    }
}

impl GameRecord {
    /// Whether the moves were recorded.
    pub fn has_moves(&self) -> bool {
        self.plies == 0 || !self.moves.is_empty()
    }

    /// The side to move at each ply, without end: White first, unless Black is to move at the start.
    ///
    /// ```
    /// # fn show(record: &backrank_selfplay::study::GameRecord, scores: &[Option<backrank_selfplay::study::MoveScore>]) {
    /// for (side, score) in record.sides_to_move().zip(scores) {
    ///     println!("{side:?}: {score:?}");
    /// }
    /// # }
    /// ```
    pub fn sides_to_move(&self) -> impl Iterator<Item = Side> + use<> {
        let first = if self.fen.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White };
        std::iter::successors(Some(first), |side| Some(side.other()))
    }
}

/// A position of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePosition {
    /// The number of the game in its study.
    pub game: u64,
    /// The number of plies that were played before it.
    pub ply: u32,
}

/// Why a recorded game ended: by the rules, or for another reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// By the rules of the game.
    Rules(Termination),
    /// It was ended early by the study's adjudication.
    Adjudication,
    /// A player ran out of time. It lost, or drew if the opponent could not mate.
    Time,
    /// A player crashed, hung or did not play a legal move, and lost.
    EngineFailure,
    /// A player resigned an imported game.
    Resignation,
    /// The players of an imported game agreed to a draw, or one of them claimed it.
    Agreement,
    /// The rules ended an imported game by its text but not by its moves: some are missing, or the rules of the site differ.
    Claimed,
    /// A player abandoned an imported game, or broke a rule of conduct.
    Abandoned,
    /// An imported game has no result.
    Unfinished,
}

impl Ending {
    /// Every ending, in the order in which summaries list them.
    pub const ALL: [Self; 16] = [
        Self::Rules(Termination::Checkmate),
        Self::Rules(Termination::Goal),
        Self::Rules(Termination::Checks),
        Self::Rules(Termination::BareKing),
        Self::Rules(Termination::Stalemate),
        Self::Rules(Termination::Repetition),
        Self::Rules(Termination::FiftyMoves),
        Self::Rules(Termination::InsufficientMaterial),
        Self::Adjudication,
        Self::Time,
        Self::EngineFailure,
        Self::Resignation,
        Self::Agreement,
        Self::Claimed,
        Self::Abandoned,
        Self::Unfinished,
    ];

    /// Whether the game was decided on the board, rather than by a clock or by a player's conduct.
    pub fn is_by_moves(self) -> bool {
        !matches!(self, Self::Time | Self::EngineFailure | Self::Abandoned | Self::Unfinished)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(termination) => termination.fmt(f),
            Self::Adjudication => f.pad("adjudication"),
            Self::Time => f.pad("time"),
            Self::EngineFailure => f.pad("engine-failure"),
            Self::Resignation => f.pad("resignation"),
            Self::Agreement => f.pad("agreement"),
            Self::Claimed => f.pad("rules"),
            Self::Abandoned => f.pad("abandoned"),
            Self::Unfinished => f.pad("unfinished"),
        }
    }
}

impl FromStr for Ending {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|ending| ending.to_string() == text);
        known.ok_or_else(|| format!("`{text}` is not a termination"))
    }
}

/// Serializes values as text.
mod text {
    use std::borrow::Cow;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &impl super::Readable, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.written())
    }

    pub fn deserialize<'de, D: Deserializer<'de>, T: super::Readable>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        T::read(&text).map_err(serde::de::Error::custom)
    }
}

trait Readable: Sized {
    fn read(text: &str) -> Result<Self, String>;

    fn written(&self) -> String;
}

impl Readable for Ending {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }

    fn written(&self) -> String {
        self.to_string()
    }
}

/// The result of a game that was not finished.
const NO_RESULT: &str = "*";

impl Readable for Option<GameResult> {
    fn read(text: &str) -> Result<Self, String> {
        let results = [GameResult::Win(Side::White), GameResult::Win(Side::Black), GameResult::Draw];
        if text == NO_RESULT {
            return Ok(None);
        }
        let known = results.into_iter().find(|result| result.to_string() == text);
        known.map(Some).ok_or_else(|| format!("`{text}` is not a result: 1-0, 0-1 or 1/2-1/2"))
    }

    fn written(&self) -> String {
        self.map_or(NO_RESULT.to_string(), |result| result.to_string())
    }
}

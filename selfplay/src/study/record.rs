//! Rows of `games.csv`: one type, for the writer and the reader.

use std::fmt;
use std::str::FromStr;

use backrank_rules::{Game, GameResult, Position, Rules, Side, Termination};
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
    /// The position the game starts from, odds taken away.
    pub fen: String,
    /// What White lacks and what Black lacks, `M:Q`; empty without odds.
    pub odds: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Who won.
    #[serde(with = "text")]
    pub result: GameResult,
    /// Why the game is over.
    #[serde(with = "text")]
    pub termination: Ending,
    /// The number of plies, those of the opening included.
    pub plies: u32,
    /// The plies at the beginning that were drawn at random.
    pub opening_plies: u32,
    /// The moves in UCI, a blank between.
    pub moves: String,
    /// The recorded position from which the start was made. Only studies of such starts have the columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourcePosition>,
}

impl GameRecord {
    /// Whether the moves were recorded.
    pub fn has_moves(&self) -> bool {
        self.plies == 0 || !self.moves.is_empty()
    }

    /// The game as it was played, from its start to its last move.
    ///
    /// # Errors
    ///
    /// When the start is not a position of these rules, a move is not legal, or the moves were not recorded: a sentence.
    pub fn replay<'r>(&self, rules: &'r Rules) -> Result<Game<'r>, String> {
        if !self.has_moves() {
            return Err("the moves of this study were not recorded (without_moves); play it again with them"
                .to_string());
        }
        let start = Position::from_fen(rules, &self.fen).map_err(|error| format!("fen: {error}"))?;
        let mut game = Game::new(start);
        for text in self.moves.split_ascii_whitespace() {
            let played = game.position().parse_uci(text).map_err(|error| error.to_string())?;
            game.play(played);
        }
        Ok(game)
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

/// Why a recorded game is over: by the rules, or for a reason outside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// By the rules of the game.
    Rules(Termination),
    /// It was cut short as the study's adjudication says.
    Adjudication,
    /// A player used more time than it had; it lost.
    Time,
    /// A player crashed, hung or did not play a legal move; it lost.
    EngineFailure,
}

impl Ending {
    /// Every ending, in the order summaries list them.
    pub const ALL: [Self; 9] = [
        Self::Rules(Termination::Checkmate),
        Self::Rules(Termination::BareKing),
        Self::Rules(Termination::Stalemate),
        Self::Rules(Termination::Repetition),
        Self::Rules(Termination::FiftyMoves),
        Self::Rules(Termination::InsufficientMaterial),
        Self::Adjudication,
        Self::Time,
        Self::EngineFailure,
    ];
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(termination) => termination.fmt(f),
            Self::Adjudication => f.pad("adjudication"),
            Self::Time => f.pad("time"),
            Self::EngineFailure => f.pad("engine-failure"),
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

/// Values that are written as they print.
mod text {
    use std::fmt::Display;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>, T: super::Readable>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let text = String::deserialize(deserializer)?;
        T::read(&text).map_err(serde::de::Error::custom)
    }
}

trait Readable: Sized {
    fn read(text: &str) -> Result<Self, String>;
}

impl Readable for Ending {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Readable for GameResult {
    fn read(text: &str) -> Result<Self, String> {
        let results = [GameResult::Win(Side::White), GameResult::Win(Side::Black), GameResult::Draw];
        let known = results.into_iter().find(|result| result.to_string() == text);
        known.ok_or_else(|| format!("`{text}` is not a result: 1-0, 0-1 or 1/2-1/2"))
    }
}

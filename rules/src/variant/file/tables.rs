//! The TOML of a variant, as it is written.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::variant::piece_entry::PieceEntry;

/// A file. What it must have is optional here, so that what is wrong with one table does not hide what is wrong with others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariantFile {
    pub name: Option<String>,
    #[serde(default)]
    pub also_called: Vec<String>,
    pub source: Option<String>,
    #[serde(default)]
    pub count_only: bool,
    pub board: Option<Spanned<BoardTable>>,
    pub pieces: Option<Spanned<BTreeMap<Spanned<String>, Spanned<PieceEntry>>>>,
    #[serde(default)]
    pub pawn: PawnTable,
    pub setup: Option<Spanned<SetupTable>>,
    pub castling: Option<CastlingTable>,
    pub adjustment: Option<AdjustmentTable>,
    #[serde(default)]
    pub endings: EndingsTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardTable {
    pub files: usize,
    pub ranks: usize,
    pub first_rank: Option<Spanned<usize>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PawnTable {
    pub moves: Option<Spanned<String>>,
    pub double_step: Option<Spanned<DoubleStepEntry>>,
    pub en_passant: Option<bool>,
    pub promotes_to: Option<Spanned<SidesText>>,
    #[serde(default)]
    pub promotes_to_captured: bool,
    pub promotion: Option<Spanned<PromotionTable>>,
    pub value: Option<Spanned<i32>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "double_step is true, false, \"any\", or a list of ranks, such as [2]")]
pub(super) enum DoubleStepEntry {
    IsThere(bool),
    Where(String),
    Ranks(Vec<usize>),
}

/// A text of both sides, or one of each.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a text for both sides is expected, or { white = \"…\", black = \"…\" }")]
pub(super) enum SidesText {
    Both(String),
    Each { white: String, black: String },
}

impl SidesText {
    /// White's and Black's.
    pub fn each(&self) -> [&str; 2] {
        match self {
            Self::Both(text) => [text; 2],
            Self::Each { white, black } => [white, black],
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PromotionTable {
    pub ranks: usize,
    pub forced: usize,
}

/// The other keys of this table define the setups; `backrank-enumerate` reads and checks them.
#[derive(Deserialize)]
pub(super) struct SetupTable {
    pub first_rank: Option<Spanned<String>>,
    pub ranks: Option<Spanned<Vec<String>>>,
    pub white: Option<Spanned<ArmyEntry>>,
    pub black: Option<Spanned<ArmyEntry>>,
    pub shuffled_rank: Option<Spanned<usize>>,
    pub pawn_ranks: Option<Spanned<Vec<usize>>>,
    pub position: Option<Spanned<String>>,
    /// Where Black's king and its partners are at home depends on it.
    pub symmetry: Option<toml::Value>,
}

/// The pieces of a side.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a side's pieces are a text, such as \"RNBQKBNR\", or a list of ranks from its own first one: [\"RNBQKBNR\", \"PPPPPPPP\"]"
)]
pub(super) enum ArmyEntry {
    FirstRank(String),
    Ranks(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CastlingTable {
    pub partner: Option<Spanned<String>>,
    pub rights: Option<Spanned<String>>,
    pub left: LandingTable,
    pub right: LandingTable,
    #[serde(default)]
    pub with: BTreeMap<Spanned<String>, LandingsTable>,
}

/// Castling with one of several partners, where it ends elsewhere than with the others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LandingsTable {
    pub left: Option<LandingTable>,
    pub right: Option<LandingTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LandingTable {
    pub king: Option<Spanned<String>>,
    pub partner: Option<Spanned<String>>,
    pub king_steps: Option<Spanned<usize>>,
    pub notation: Spanned<Notations>,
}

/// How a castling is written, and how else people write it.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "castling is written as a text, or as a list of texts of which the first is written and all are read"
)]
pub(super) enum Notations {
    One(String),
    Many(Vec<SidesText>),
}

impl Notations {
    /// Every notation, White's and Black's.
    pub fn each(&self) -> Vec<[&str; 2]> {
        match self {
            Self::One(text) => vec![[text, text]],
            Self::Many(texts) => texts.iter().map(SidesText::each).collect(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AdjustmentTable {
    pub piece: Spanned<String>,
    pub partners: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndingsTable {
    #[serde(default)]
    pub bare_king: bool,
    pub stalemate: Option<Spanned<String>>,
    pub repetition: Option<Spanned<String>>,
    pub goal: Option<GoalTable>,
    pub checks: Option<Spanned<u8>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalTable {
    pub piece: Spanned<String>,
    pub squares: Spanned<SidesText>,
}

//! What a game is like, before anything is measured: its pieces, its setups, and some quick games.
//!
//! A [`Checkup`] brings them together, and [`Checkup::to_html`] shows them on one page.

mod games;
mod page;

use backrank_enumerate::InCheck;
use backrank_rules::{Letter, MoveDiagram, Rules, Variant};
use serde::Serialize;

pub use games::{QuickGames, Traded};

/// The part of the board that is occupied where mobility is told.
const OCCUPIED: f64 = 1.0 / 3.0;

/// A game as it is seen before it is studied.
#[derive(Debug)]
pub struct Checkup<'a> {
    /// The game.
    pub variant: &'a Variant,
    /// Its pieces.
    pub pieces: Vec<PieceFacts>,
    /// Its setups.
    pub setups: SetupFacts,
    /// Quick games from its setups; `None` for a game that is only counted.
    pub games: Option<QuickGames>,
    /// The command that made it.
    pub command: String,
}

/// A kind of piece.
#[derive(Clone, Debug, Serialize)]
pub struct PieceFacts {
    /// Its letter.
    pub letter: Letter,
    /// Its name.
    pub name: String,
    /// Its moves in Betza's notation.
    pub betza: String,
    /// Its moves in words.
    pub words: String,
    /// The mean number of squares that it reaches without capturing, a third of the board being occupied.
    pub moves: f64,
    /// The same to capture.
    pub captures: f64,
    /// Whether it never leaves its colour.
    pub colour_bound: bool,
    /// The number of squares that it can ever reach from the middle of the board.
    pub squares_in_reach: u32,
    /// Whether it can win against a bare king.
    pub mating: Mating,
}

/// Whether a piece can checkmate a bare king.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mating {
    /// It is the king.
    King,
    /// It forces mate with its king's help, in this many moves at most, from this part of the positions.
    Forced {
        /// The number of moves.
        moves: u16,
        /// From 0 to 1.
        from: f64,
    },
    /// It cannot force mate.
    Never,
    /// That is not known, for a reason.
    Unknown(String),
}

/// What setups a game has.
#[derive(Clone, Debug)]
pub struct SetupFacts {
    /// How many there are.
    pub number: u128,
    /// How many there are by brute force; `None` if that would take too long.
    pub brute_force: Option<u128>,
    /// Those in which a king stands in check before the first move; `None` if there are none.
    pub in_check: Option<InCheck>,
    /// How many have a pawn that no piece protects, if that is known.
    pub unprotected: Option<u128>,
}

impl PieceFacts {
    /// The pieces of a game, with what is known of how they mate.
    pub fn of(rules: &Rules, mating: impl Fn(Letter) -> Mating) -> Vec<Self> {
        let board = rules.board();
        let of = |piece: &backrank_rules::Piece| {
            let [moves, captures] = piece.betza.mean_mobility(board, OCCUPIED);
            Self {
                letter: piece.letter,
                name: piece.name.clone(),
                betza: piece.betza.to_string(),
                words: piece.betza.in_words(),
                moves,
                captures,
                colour_bound: piece.betza.is_colour_bound(),
                squares_in_reach: piece.betza.squares_in_reach(board, MoveDiagram::centre(board)).count(),
                mating: if piece.royal { Mating::King } else { mating(piece.letter) },
            }
        };
        rules.variant().pieces.iter().map(of).collect()
    }

    /// Where it can go, in a few words.
    pub fn reach(&self, squares: usize) -> String {
        match (self.colour_bound, self.squares_in_reach as usize) {
            (true, _) => "is bound to its colour".to_string(),
            (false, reached) if reached < squares => format!("reaches {reached} of {squares} squares"),
            _ => "reaches every square".to_string(),
        }
    }
}

impl std::fmt::Display for Mating {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::King => write!(f, "the king"),
            Self::Forced { moves, from } => {
                let plural = if *moves == 1 { "" } else { "s" };
                write!(f, "mates in {moves} move{plural} at most, from {:.1} % of positions", 100.0 * from)
            }
            Self::Never => write!(f, "cannot force mate"),
            Self::Unknown(why) => write!(f, "not known: {why}"),
        }
    }
}

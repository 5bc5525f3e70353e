//! Which piece is meant, and on which board.

use backrank_rules::{Betza, Board, Drawing, KnownPiece, Letter, MoveDiagram, Side, Variant};

use crate::args::find_variant;
use crate::args::piece::neither_name_nor_moves;
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;

/// A board, or the game that is played on it.
pub enum Place {
    Board(Board),
    Game(Box<Variant>),
}

/// A piece, by whatever it is called.
pub struct NamedPiece {
    pub betza: Betza,
    pub royal: bool,
    /// What it is called, in its game or anywhere.
    pub name: Option<String>,
    /// The game that it is a piece of.
    pub game: Option<String>,
    /// The known piece that moves like this.
    pub known: Option<&'static KnownPiece>,
    /// What is to be said about it besides.
    pub note: Option<&'static str>,
    letter: Option<Letter>,
}

impl Place {
    /// The board or the game that is named; without a name, the board of chess.
    pub fn read(name: Option<&str>) -> Result<Self, Failure> {
        let name = name.unwrap_or("8x8").trim();
        let Some((files, ranks)) = name.split_once(['x', '×']) else { return Self::game(name) };
        match (files.trim().parse(), ranks.trim().parse()) {
            (Ok(files), Ok(ranks)) => {
                Board::new(files, ranks).map(Self::Board).map_err(|error| Failure::Input(error.to_string()))
            }
            _ if name.starts_with(|first: char| first.is_ascii_digit()) && !name.ends_with(".toml") => {
                Err(Failure::Input(format!(
                    "`{name}` is not a board; a board is its files and ranks, such as 9x9"
                )))
            }
            _ => Self::game(name),
        }
    }

    fn game(name: &str) -> Result<Self, Failure> {
        Ok(Self::Game(Box::new(find_variant(name)?)))
    }

    pub fn board(&self) -> Board {
        match self {
            Self::Board(board) => *board,
            Self::Game(variant) => variant.board,
        }
    }
}

impl NamedPiece {
    /// The piece that a text stands for: a letter of the game, moves in Betza's notation, or a name.
    pub fn find(text: &str, place: &Place) -> Result<Self, Failure> {
        let text = text.trim();
        if let (Place::Game(variant), Ok(letter)) = (place, text.parse())
            && let Some(piece) = Self::of_game(variant, letter)
        {
            if text.parse::<Betza>().is_ok_and(|other| !other.moves_like(&piece.betza)) {
                let name = piece.name.as_deref().unwrap_or("piece");
                note(format_args!("note: {text} is the {name} of {} here, not Betza's {text}", variant.name));
            }
            return Ok(piece);
        }
        let invalid = match text.parse::<Betza>() {
            Ok(betza) => return Ok(Self::of_moves(betza)),
            Err(error) => error,
        };
        let unknown = match KnownPiece::find(text) {
            Ok(known) => return Ok(Self::known(known, text)),
            Err(error) => error,
        };
        let letters = match place {
            Place::Game(variant) => {
                let letters: Vec<String> =
                    variant.pieces.iter().map(|piece| piece.letter.to_string()).collect();
                format!("; {} has the pieces {} and P", variant.key, letters.join(", "))
            }
            Place::Board(_) => String::new(),
        };
        Err(Failure::Input(neither_name_nor_moves(&unknown, &invalid, &letters)))
    }

    /// The piece that moves like this: a king if it moves like one.
    fn of_moves(betza: Betza) -> Self {
        let known = KnownPiece::moving_like(&betza, true).or_else(|| KnownPiece::moving_like(&betza, false));
        let name = known.map(|known| known.name.clone());
        let royal = known.is_some_and(|known| known.royal);
        Self { betza, royal, name, game: None, known, note: None, letter: None }
    }

    /// A piece that is known by the name that is given.
    fn known(known: &'static KnownPiece, name: &str) -> Self {
        let name = known.name_like(name).unwrap_or(&known.name).to_string();
        let betza = known.betza.clone();
        Self {
            betza,
            royal: known.royal,
            name: Some(name),
            game: None,
            known: Some(known),
            note: None,
            letter: None,
        }
    }

    /// The piece of a game with a letter.
    fn of_game(variant: &Variant, letter: Letter) -> Option<Self> {
        let (betza, royal, name, note) = if letter == Letter::PAWN {
            let note = if variant.pawn.en_passant && variant.double_step_ranks(Side::White) != 0 {
                "a pawn also captures en passant after a double step, and becomes another piece at the end"
            } else {
                "a pawn becomes another piece at the end"
            };
            (variant.pawn.betza(), false, "pawn".to_string(), Some(note))
        } else {
            let piece = variant.piece(letter)?;
            (piece.betza.clone(), piece.royal, piece.name.clone(), None)
        };
        let known = KnownPiece::moving_like(&betza, royal);
        Some(Self {
            betza,
            royal,
            name: Some(name),
            game: Some(variant.name.clone()),
            known,
            note,
            letter: Some(letter),
        })
    }

    /// The line above the board.
    pub fn heading(&self) -> String {
        let royal = if self.royal { ", royal" } else { "" };
        match (&self.name, &self.game) {
            (Some(name), Some(game)) => format!("{name} of {game}: {}{royal}", self.betza),
            (Some(name), None) => format!("{name}: {}{royal}", self.betza),
            (None, _) => self.betza.to_string(),
        }
    }

    /// The diagram of its moves from the middle of a board.
    pub fn diagram(&self, board: Board) -> MoveDiagram {
        let diagram = MoveDiagram::new(board, MoveDiagram::centre(board), &self.betza);
        let drawing = if self.name.as_deref() == Some("pawn") {
            Drawing::of_pawn()
        } else {
            let letter = self.letter.map(Letter::as_char).or_else(|| self.name.as_ref()?.chars().next());
            let sign: String = letter.into_iter().flat_map(char::to_uppercase).collect();
            Drawing::of_moves(&self.betza, self.royal, &sign)
        };
        let diagram = diagram.drawn(drawing.shapes());
        match &self.name {
            Some(name) => diagram.titled(name),
            None => diagram,
        }
    }
}

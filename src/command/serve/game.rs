//! The games that are served, and their positions.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use backrank_enumerate::Space;
use backrank_rules::{
    Drawing, Game, GameResult, Letter, Move, MoveKind, Position, Rules, Setup, Side, StartFen, Variant,
};
use serde::{Deserialize, Serialize};

use crate::args::NumberingArg;
use crate::args::lookup::{find_setup, id_text};
use crate::command::export::pgn;
use crate::terminal::failure::Failure;

/// More moves than any game has.
const MOST_MOVES: usize = 5_000;

/// A game that is served.
pub struct ServedGame {
    pub rules: Arc<Rules>,
    space: Space,
}

/// All games that are served. What a game needs is made when it is first asked for.
pub struct ServedGames {
    variants: Vec<(Variant, Option<PathBuf>)>,
    made: BTreeMap<usize, ServedGame>,
}

/// A game as the page names it.
#[derive(Serialize)]
pub struct GameName<'a> {
    key: &'a str,
    name: &'a str,
    /// Whether it has recorded games.
    recorded: bool,
}

/// Where a game is: its index, what it starts from, and the moves since, in UCI.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub game: usize,
    /// A number, a rank or a FEN; `random` for a setup that is drawn.
    pub start: String,
    #[serde(default)]
    pub moves: Vec<String>,
    /// A move as somebody has written it, to be played last.
    pub text: Option<String>,
}

/// A position as the page shows it.
#[derive(Serialize)]
pub struct Shown {
    name: String,
    files: usize,
    ranks: usize,
    /// The start, from which the same position can be asked for again.
    start: String,
    /// The number of the setup with the name of the numbering, if it starts from one.
    setup: Option<String>,
    fen: String,
    to_move: &'static str,
    check: bool,
    /// Where the king of the side to move stands.
    king: String,
    /// What stands where: the square, the side and the letter.
    pieces: Vec<(String, &'static str, Letter)>,
    legal: Vec<ShownMove>,
    played: Vec<ShownMove>,
    /// The number of the first move.
    first_number: u32,
    first_to_move: &'static str,
    result: Option<String>,
    /// How it ended, in words.
    ending: Option<String>,
    /// The result, and how the game ended in words, if White's or Black's time is over now.
    on_time: [[String; 2]; 2],
}

/// A game that is saved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    pub place: Place,
    white: String,
    black: String,
    /// `white` or `black`, if the time of that side is over.
    #[serde(default)]
    flag: Option<String>,
}

/// A move.
#[derive(Serialize)]
pub struct ShownMove {
    uci: String,
    notation: String,
    from: String,
    /// The squares on which it can be dropped: where the piece goes, and for a move of two pieces where the other stands.
    to: Vec<String>,
    promotes_to: Option<Letter>,
}

/// How a piece is drawn: the shapes, and the attributes for each side.
#[derive(Serialize)]
pub struct ShownDrawings {
    shapes: BTreeMap<Letter, String>,
    white: &'static str,
    black: &'static str,
    names: BTreeMap<Letter, String>,
}

impl ServedGames {
    /// Games by their variants, each with the study whose games can be opened, if there is one.
    pub fn new(variants: Vec<(Variant, Option<PathBuf>)>) -> Self {
        Self { variants, made: BTreeMap::new() }
    }

    pub fn names(&self) -> Vec<GameName<'_>> {
        let all = self.variants.iter();
        all.map(|(variant, study)| GameName {
            key: &variant.key,
            name: &variant.name,
            recorded: study.is_some(),
        })
        .collect()
    }

    /// The study whose games belong to a game.
    pub fn study(&self, index: usize) -> Option<&Path> {
        self.variants.get(index).and_then(|(_, study)| study.as_deref())
    }

    /// The game with an index.
    pub fn game(&mut self, index: usize) -> Result<&ServedGame, String> {
        let (variant, _) = self.variants.get(index).ok_or_else(|| format!("there is no game {index}"))?;
        Ok(match self.made.entry(index) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(vacant) => {
                let space = Space::new(variant).map_err(|error| error.to_string())?;
                vacant.insert(ServedGame { rules: Arc::new(Rules::new(variant)), space })
            }
        })
    }
}

impl ServedGame {
    /// How its pieces are drawn.
    pub fn drawings(&self) -> ShownDrawings {
        let variant = self.rules.variant();
        let letters = variant.pieces.iter().map(|piece| piece.letter).chain([Letter::PAWN]);
        let shapes =
            letters.filter_map(|letter| Some((letter, Drawing::of(variant, letter)?.shapes().to_string())));
        let mut names: BTreeMap<Letter, String> =
            variant.pieces.iter().map(|piece| (piece.letter, piece.name.clone())).collect();
        names.insert(Letter::PAWN, "pawn".to_string());
        ShownDrawings {
            shapes: shapes.collect(),
            white: Drawing::attributes(Side::White),
            black: Drawing::attributes(Side::Black),
            names,
        }
    }

    /// The FEN of a start.
    pub fn start_fen(&self, start: &str) -> Result<String, String> {
        let variant = self.rules.variant();
        let text = start.trim();
        let fen = |setup: &Setup| StartFen::new(variant).of(setup);
        match text {
            "random" => {
                let numbering = self.space.default_numbering();
                let drawn = self.space.random_by(numbering, &mut rand::rng());
                drawn.map(|(_, setup)| fen(&setup)).ok_or_else(|| format!("{} has no setups", variant.key))
            }
            _ if text.contains(' ') => Ok(text.to_string()),
            _ => {
                let text = Some(text).filter(|text| !text.is_empty());
                let setup = find_setup(variant, &self.space, &NumberingArg::default(), text);
                match setup {
                    Ok(setup) => Ok(fen(&setup)),
                    Err(Failure::Input(problem) | Failure::Other(problem) | Failure::Again(problem)) => {
                        Err(problem)
                    }
                    Err(Failure::OutputClosed) => Err("nobody reads this".to_string()),
                }
            }
        }
    }

    /// The game at a place.
    pub fn at(&self, place: &Place) -> Result<Game<'_>, String> {
        if place.moves.len() > MOST_MOVES {
            return Err(format!("a game has {MOST_MOVES} moves at most"));
        }
        let fen = self.start_fen(&place.start)?;
        let start = Position::from_fen(&self.rules, &fen).map_err(|error| error.to_string())?;
        let mut game = Game::new(start);
        for text in &place.moves {
            let played = game.position().parse_uci(text).map_err(|error| error.to_string())?;
            game.try_play(played).map_err(|error| error.to_string())?;
        }
        if let Some(text) = &place.text {
            // As people write moves: with their number, and castling with zeros.
            let text = text.trim();
            let after_number = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let text =
                if after_number.starts_with('.') { after_number.trim_start_matches('.') } else { text };
            let text = text.trim().replace("0-0", "O-O").replace("O-0", "O-O");
            let position = game.position();
            let played = position.parse_move(&text).map_err(|error| error.to_string())?;
            game.try_play(played).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// A game as the page shows it.
    pub fn shown(&self, game: &Game<'_>) -> Shown {
        let position = game.position();
        let (board, variant) = (position.board(), self.rules.variant());
        let mut at = *game.start();
        let played = game.moves().iter().map(|&played| {
            let shown = shown_move(&at, played);
            at.play(played);
            shown
        });
        let played = played.collect();
        let outcome = game.outcome();
        let setup = self.space.read_start(variant, &game.start().to_fen()).ok();
        let numbering = self.space.default_numbering();
        let setup = setup.and_then(|setup| {
            let id = id_text(&self.space, numbering, &setup).ok()?;
            Some(format!("{id} ({})", numbering.name()))
        });
        Shown {
            name: variant.name.clone(),
            files: board.files(),
            ranks: board.ranks(),
            start: game.start().to_fen(),
            setup,
            fen: position.to_fen(),
            to_move: name_of(position.side_to_move()),
            check: position.is_check(),
            king: board.square_name(position.king(position.side_to_move())),
            pieces: position
                .all_pieces()
                .map(|(square, side, letter)| (board.square_name(square), name_of(side), letter))
                .collect(),
            legal: match outcome {
                Some(_) => Vec::new(),
                None => {
                    position.legal_moves().into_iter().map(|played| shown_move(position, played)).collect()
                }
            },
            played,
            first_number: game.start().fullmove_number(),
            first_to_move: name_of(game.start().side_to_move()),
            result: outcome.map(|outcome| outcome.result.to_string()),
            ending: outcome.map(|outcome| ending_text(outcome.result, &outcome.termination.to_string())),
            on_time: Side::BOTH.map(|side| {
                let result = on_time(position, side);
                [result.to_string(), ending_text(result, "time")]
            }),
        }
    }

    /// The game in Portable Game Notation.
    pub fn pgn(&self, game: &Game<'_>, saved: &SavedGame) -> String {
        let flag = Side::BOTH.into_iter().find(|&side| saved.flag.as_deref() == Some(name_of(side)));
        let (result, reason) = match (game.outcome(), flag) {
            (Some(outcome), _) => (outcome.result.to_string(), "normal"),
            (None, Some(side)) => (on_time(game.position(), side).to_string(), "time forfeit"),
            (None, None) => ("*".to_string(), "unterminated"),
        };
        let fen = pgn::fen(game.start());
        let tags = [
            ("Event", "backrank serve"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "-"),
            ("White", &saved.white),
            ("Black", &saved.black),
            ("Result", &result),
            ("Variant", pgn::variant_tag(self.rules.variant())),
            ("SetUp", "1"),
            ("FEN", &fen),
            ("Termination", reason),
        ];
        pgn::written(&tags, game, &result, |_, _| None)
    }
}

pub fn name_of(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

fn shown_move(position: &Position<'_>, played: Move) -> ShownMove {
    let board = position.board();
    let name = |square| board.square_name(square);
    let mut to = vec![name(played.to)];
    if played.kind == MoveKind::Castling {
        // Also where the king lands, if no other move of his goes there.
        let lands = position.after(played).king(position.side_to_move());
        let is_other = |other: &Move| other.from == played.from && other.to == lands && *other != played;
        if !position.legal_moves().iter().any(is_other) {
            to.push(name(lands));
        }
    }
    ShownMove {
        uci: played.uci(board),
        notation: position.notation(played),
        from: name(played.from),
        to,
        promotes_to: played.promotion(),
    }
}

/// The result if a side's time is over: the other one wins if it can mate at all, as in games that `play` plays.
fn on_time(position: &Position<'_>, side: Side) -> GameResult {
    if position.can_mate(side.other()) { GameResult::Win(side.other()) } else { GameResult::Draw }
}

fn ending_text(result: GameResult, how: &str) -> String {
    let how = how.replace('-', " ");
    match result {
        GameResult::Win(Side::White) => format!("White wins: {how}"),
        GameResult::Win(Side::Black) => format!("Black wins: {how}"),
        GameResult::Draw => format!("drawn: {how}"),
    }
}

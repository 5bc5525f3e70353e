//! One game of a PGN, as a study records it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, RwLock};

use backrank_enumerate::{Numbering, Space};
use backrank_rules::{
    File, FirstRank, Game, GameResult, Outcome, Position, Rules, Setup, SetupError, Side, Termination,
};

use super::comment::score_in;
use super::tags;
use super::tokens::{PgnError, PgnToken, PgnTokens};
use crate::study::{Ending, GameRecord, GameScores, MoveScore, Ratings};

/// Why a game of a PGN cannot be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rejection {
    /// The text is not a game in PGN.
    Syntax,
    /// The game is longer than any that is read.
    TooLong,
    /// It is a game of another variant.
    OtherVariant,
    /// It does not say from which setup it starts.
    NoStart,
    /// Its FEN is not a position of the variant.
    Fen,
    /// It does not start from a setup of the space.
    OtherStart,
    /// It has no moves.
    NoMoves,
    /// A move cannot be read or is not legal.
    Move,
    /// Its result is not valid, or contradicts its last position.
    Result,
}

impl Rejection {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::Syntax,
        Self::TooLong,
        Self::OtherVariant,
        Self::NoStart,
        Self::Fen,
        Self::OtherStart,
        Self::NoMoves,
        Self::Move,
        Self::Result,
    ];
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Syntax => "not PGN",
            Self::TooLong => "longer than 16 MiB",
            Self::OtherVariant => "another variant",
            Self::NoStart => "no starting position",
            Self::Fen => "not a position of the variant",
            Self::OtherStart => "not a setup of the variant",
            Self::NoMoves => "no moves",
            Self::Move => "an illegal move",
            Self::Result => "a wrong result",
        })
    }
}

/// The outcome of reading a game's text.
pub(super) enum PgnGame {
    /// It is recorded; its number in the study is still 0.
    Recorded(Box<GameRecord>, Option<GameScores>),
    /// A player has too low a rating, or none.
    BelowRating,
    /// It cannot be imported: the reason, the number of lines before it in the game's text, and a sentence that explains it.
    Rejected(Rejection, usize, String),
}

/// Reads the games of one variant.
pub(super) struct PgnGameReader<'r> {
    pub rules: &'r Rules,
    pub space: &'r Space,
    pub numbering: &'r Numbering,
    pub min_elo: Option<u16>,
    pub starts: StartsByFen<'r>,
}

/// A setup of the space, and the position that it starts from.
pub(super) struct KnownStart<'r> {
    id: u128,
    white_rank: String,
    black_rank: String,
    fen: String,
    position: Position<'r>,
}

/// The starts of the games that were read, by the FEN in their tags: most are those of games before. There are no more than
/// [`MAX_STARTS`].
pub(super) type StartsByFen<'r> = RwLock<HashMap<Option<String>, Arc<KnownStart<'r>>>>;

/// About 8 MB.
const MAX_STARTS: usize = 8192;

/// The contents of a game's tags.
#[derive(Default)]
struct Tags {
    variant: String,
    fen: Option<String>,
    names: [String; 2],
    ratings: [Option<u16>; 2],
    result: Option<String>,
    termination: String,
    ending: Option<Ending>,
}

/// Why a game cannot be imported, the position in the text in bytes, and a sentence that explains it.
type Rejected = (Rejection, usize, String);

/// How a game ended according to its text.
struct ClaimedEnd<'t> {
    result: Option<GameResult>,
    termination: &'t str,
    ending: Option<Ending>,
}

impl From<PgnError> for Rejected {
    fn from(error: PgnError) -> Self {
        (Rejection::Syntax, error.at, error.problem)
    }
}

impl<'r> PgnGameReader<'r> {
    /// Reads a game. Lines that are not UTF-8 are taken to be in Latin-1, which is that of the first version of the format.
    pub fn read(&self, text: &[u8]) -> PgnGame {
        let decoded = decoded(text);
        match self.read_game(&decoded) {
            Ok(game) => game,
            Err((why, at, problem)) => {
                let lines = decoded[..at].matches('\n').count();
                PgnGame::Rejected(why, lines, readable(&problem))
            }
        }
    }

    fn read_game(&self, text: &str) -> Result<PgnGame, Rejected> {
        let mut tokens = PgnTokens::new(text);
        let mut tags = Tags::default();
        let mut token = tokens.next()?;
        while let Some(PgnToken::Tag(name, value)) = token {
            tags.set(name, &value);
            token = tokens.next()?;
        }
        let after_tags = tokens.position();
        if !tags::means(self.rules.variant(), &tags.variant) {
            let problem = format!("the game's variant is `{}`", tags.variant);
            return Err((Rejection::OtherVariant, 0, problem));
        }
        let is_high_enough = |rating: &Option<u16>| rating.is_some_and(|rating| Some(rating) >= self.min_elo);
        if self.min_elo.is_some() && !tags.ratings.iter().all(is_high_enough) {
            return Ok(PgnGame::BelowRating);
        }
        let start = self.start(tags.fen)?;
        let mut game = Game::new(start.position);
        let mut moves = String::with_capacity(512);
        let mut scores: Vec<Option<MoveScore>> = Vec::new();
        let mut result_in_moves = None;
        while let Some(next) = token {
            match next {
                PgnToken::Move(text) => {
                    let played = game.position().parse_move(text).map_err(|error| {
                        (Rejection::Move, tokens.position(), format!("move {}: {error}", number(&game)))
                    })?;
                    if !moves.is_empty() {
                        moves.push(' ');
                    }
                    played.push_uci(game.position().board(), &mut moves);
                    game.play(played);
                }
                PgnToken::Comment(comment) => {
                    let plies = game.moves().len();
                    let mover = game.position().side_to_move().other();
                    if plies > 0
                        && let Some(score) = score_in(comment, mover)
                    {
                        scores.resize(plies, None);
                        scores[plies - 1] = Some(score);
                    }
                }
                PgnToken::Result(text) => {
                    result_in_moves = Some(text);
                    break;
                }
                PgnToken::Tag(..) => {
                    let problem = "a tag stands among the moves".to_string();
                    return Err((Rejection::Syntax, tokens.position(), problem));
                }
            }
            token = tokens.next()?;
        }
        let plies = game.moves().len();
        if plies == 0 {
            let problem = "there are no moves".to_string();
            return Err((Rejection::NoMoves, after_tags, problem));
        }
        let claimed = tags.result.as_deref().or(result_in_moves).unwrap_or("*");
        let at_end = |problem| (Rejection::Result, tokens.position(), problem);
        let result = tags::result(claimed).ok_or_else(|| at_end(format!("`{claimed}` is not a result")))?;
        let claimed = ClaimedEnd { result, termination: &tags.termination, ending: tags.ending };
        let (result, termination) = claimed.end_of(&game).map_err(at_end)?;
        let has_scores = !scores.is_empty();
        scores.resize(plies, None);
        let [white, black] = tags.names;
        let record = GameRecord {
            game: 0,
            setup: start.id,
            white_rank: start.white_rank.clone(),
            black_rank: start.black_rank.clone(),
            fen: start.fen.clone(),
            odds: String::new(),
            white,
            black,
            result,
            termination,
            plies: plies as u32,
            opening_plies: 0,
            moves,
            source: None,
            ratings: Some(Ratings { white: tags.ratings[0], black: tags.ratings[1] }),
        };
        Ok(PgnGame::Recorded(Box::new(record), has_scores.then(|| GameScores::new(0, &scores))))
    }

    /// The start of a game.
    fn start(&self, fen: Option<String>) -> Result<Arc<KnownStart<'r>>, Rejected> {
        if let Some(known) = self.starts.read().expect("no reader panics").get(&fen) {
            return Ok(Arc::clone(known));
        }
        let (id, setup) = self.setup(fen.as_deref())?;
        let wrong = |error: SetupError| (Rejection::NoStart, 0, error.to_string());
        let position = Position::new(self.rules, &setup).map_err(wrong)?;
        let start = Arc::new(KnownStart {
            id,
            white_rank: setup.white.to_string(),
            black_rank: setup.black.to_string(),
            fen: position.to_fen(),
            position,
        });
        let mut starts = self.starts.write().expect("no reader panics");
        if starts.len() < MAX_STARTS {
            starts.insert(fen, Arc::clone(&start));
        }
        Ok(start)
    }

    /// The setup that a game starts from, and its id.
    fn setup(&self, fen: Option<&str>) -> Result<(u128, Setup), Rejected> {
        let key = &self.rules.variant().key;
        let Some(fen) = fen else {
            return match self.space.len() {
                1 => Ok((0, self.space.unrank(0).expect("the only setup"))),
                setups => Err((
                    Rejection::NoStart,
                    0,
                    format!(
                        "the game has no FEN tag, and {key} has {setups} setups that it could start from"
                    ),
                )),
            };
        };
        let position = Position::from_fen(self.rules, fen)
            .map_err(|error| (Rejection::Fen, 0, format!("{error}, in `{fen}`")))?;
        let other = |problem: String| (Rejection::OtherStart, 0, format!("{problem}, in `{fen}`"));
        let [white, black] = Side::BOTH.map(|side| self.first_rank(&position, side));
        let setup = Setup { white, black };
        let id = self.space.rank_by(self.numbering, &setup).map_err(|error| other(error.to_string()))?;
        match Position::new(self.rules, &setup) {
            Ok(start) if start == position => Ok((id, setup)),
            Ok(start) => Err(other(format!("the start from {white}/{black} is `{start}`"))),
            Err(error) => Err(other(error.to_string())),
        }
    }

    /// The pieces on the first rank of a side.
    fn first_rank(&self, position: &Position<'_>, side: Side) -> FirstRank {
        let board = position.board();
        let row = self.rules.variant().first_rank;
        let row = if side == Side::White { row } else { board.ranks() - 1 - row };
        let mut rank = FirstRank::empty(board.files());
        for file in (0..board.files()).map(|file| File(file as u8)) {
            if let Some((owner, letter)) = position.piece_at(board.square(file, row))
                && owner == side
            {
                rank.set(file, letter);
            }
        }
        rank
    }
}

/// The longest sentence about a game, which may quote text of any length.
const MAX_PROBLEM: usize = 300;

/// Shortens a sentence to a line or two of a terminal.
fn readable(problem: &str) -> String {
    let mut letters = problem.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter });
    let mut text: String = letters.by_ref().take(MAX_PROBLEM).collect();
    if letters.next().is_some() {
        text.push('…');
    }
    text
}

/// A text line by line in UTF-8, or else in Latin-1.
fn decoded(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut lines = String::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) => lines.push_str(line),
            Err(_) => lines.extend(line.iter().copied().map(char::from)),
        }
    }
    Cow::Owned(lines)
}

/// The number of the move that is to be played, as in `12.` or `12...`.
fn number(game: &Game<'_>) -> String {
    let dots = if game.position().side_to_move() == Side::White { "." } else { "..." };
    format!("{}{dots}", game.position().fullmove_number())
}

impl Tags {
    fn set(&mut self, name: &str, value: &str) {
        let trimmed = || value.trim().to_string();
        match name {
            "FEN" => self.fen = Some(trimmed()),
            "Variant" => self.variant = trimmed(),
            "White" => self.names[0] = one_line(value),
            "Black" => self.names[1] = one_line(value),
            "WhiteElo" => self.ratings[0] = tags::rating(value),
            "BlackElo" => self.ratings[1] = tags::rating(value),
            "Result" => self.result = Some(trimmed()),
            "Ending" => self.ending = value.parse().ok(),
            "Termination" => self.termination = trimmed().to_lowercase(),
            _ => {}
        }
    }
}

/// A name without line breaks and other control characters, which a row cannot hold.
fn one_line(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

impl ClaimedEnd<'_> {
    /// The result, and why the game ended. The rules come first: checkmate and stalemate count whatever the tags say.
    fn end_of(&self, game: &Game<'_>) -> Result<(Option<GameResult>, Ending), String> {
        let outcome = game.outcome();
        let Some(result) = self.result else {
            return match outcome {
                // A mate is the end of a game even if nobody has written down the result.
                Some(outcome) if is_forced(outcome) => {
                    Ok((Some(outcome.result), Ending::Rules(outcome.termination)))
                }
                _ => Ok((None, Ending::Unfinished)),
            };
        };
        match outcome {
            Some(outcome) if outcome.result == result => {
                return Ok((Some(result), Ending::Rules(outcome.termination)));
            }
            Some(outcome) if is_forced(outcome) => {
                return Err(format!("the result is {result}, but the moves end in {outcome}"));
            }
            _ => {}
        }
        // Our own archives have a tag for it.
        if let Some(ending) = self.ending.filter(|ending| !matches!(ending, Ending::Rules(_))) {
            return Ok((Some(result), ending));
        }
        let ending = match self.termination {
            "time forfeit" | "time" => Ending::Time,
            "adjudication" => Ending::Adjudication,
            "illegal move" | "stalled connection" => Ending::EngineFailure,
            "abandoned" | "rules infraction" | "death" | "emergency" => Ending::Abandoned,
            _ if result == GameResult::Draw => Ending::Agreement,
            _ => Ending::Resignation,
        };
        Ok((Some(result), ending))
    }
}

/// Whether a game cannot continue. It can after repetitions, after fifty moves and with insufficient material, until a
/// player claims the draw; and a player can lose on time before.
fn is_forced(outcome: Outcome) -> bool {
    matches!(outcome.termination, Termination::Checkmate | Termination::Stalemate | Termination::BareKing)
}

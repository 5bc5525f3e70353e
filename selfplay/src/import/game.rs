//! One game of a PGN, as a study records it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use backrank_enumerate::{Numbering, Space};
use backrank_rules::{
    File, FirstRank, Game, GameResult, Letter, Outcome, Position, Rules, Setup, SetupError, Side, Termination,
};
use memchr::memchr_iter;

use super::rejection::Rejection;
use crate::pgn::tags::{self, VariantNames};
use crate::pgn::{PgnError, PgnGames, PgnToken, WordMeaning, decoded, ending, read_word, score_in};
use crate::study::{Ending, GameRecord, GameScores, MoveScore, Ratings, start_of_mover};

/// The outcome of reading a game's text.
pub(super) enum PgnGame {
    /// It is recorded; its number in the study is still 0.
    Recorded(Box<GameRecord>, Option<GameScores>),
    /// A player has too low a rating, or none.
    BelowRating,
    /// It cannot be imported: the reason, the line in the file, and a sentence that explains it.
    Rejected(Rejection, u64, String),
}

/// Reads the games of one variant.
pub(super) struct PgnGameReader<'r> {
    pub rules: &'r Rules,
    pub space: &'r Space,
    pub numbering: &'r Numbering,
    pub names: &'r VariantNames,
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

/// The starts of the games that were read, by the FEN in their tags, or by nothing if they have none: most are those of games before. There are no more than
/// [`MAX_STARTS`].
pub(super) type StartsByFen<'r> = RwLock<HashMap<String, Arc<KnownStart<'r>>>>;

/// About 8 MB.
const MAX_STARTS: usize = 8192;

/// The contents of a game's tags.
#[derive(Default)]
struct Tags<'t> {
    variant: Cow<'t, str>,
    fen: Option<Cow<'t, str>>,
    names: [String; 2],
    ratings: [Option<u16>; 2],
    result: Option<Cow<'t, str>>,
    termination: Cow<'t, str>,
    /// What the server says of the end, where that is not in the tag `Termination`.
    remark: Cow<'t, str>,
    ending: Option<Ending>,
}

/// Why a game cannot be imported, the position in the text in bytes, and a sentence that explains it.
type Rejected = (Rejection, usize, String);

/// How a game ended according to its text.
struct ClaimedEnd {
    result: Option<GameResult>,
    ending: Option<Ending>,
}

impl From<PgnError> for Rejected {
    fn from(error: PgnError) -> Self {
        (Rejection::Syntax, error.at, error.problem)
    }
}

impl<'r> PgnGameReader<'r> {
    /// Reads the games of a text, of which most have only one, and says what became of each. `line` is the first line of
    /// the text in its file.
    pub fn read(&self, text: &[u8], line: u64) -> Vec<PgnGame> {
        let text = decoded(text);
        let mut games = PgnGames::new(&text);
        let mut read = Vec::with_capacity(1);
        while let Some(begin) = games.next_game() {
            read.push(self.read_game(&mut games, begin).unwrap_or_else(|(why, at, problem)| {
                let lines = memchr_iter(b'\n', &text.as_bytes()[..at]).count();
                PgnGame::Rejected(why, line + lines as u64, readable(&problem))
            }));
            games.skip_rest();
        }
        read
    }

    /// Reads the game that begins at a place of the text.
    fn read_game(&self, games: &mut PgnGames<'_>, begin: usize) -> Result<PgnGame, Rejected> {
        let mut tags = Tags::default();
        let mut token = games.next()?;
        loop {
            match token {
                Some(PgnToken::Tag(name, value)) => tags.set(name, value),
                Some(PgnToken::Comment(_) | PgnToken::Stray(_)) => {}
                Some(PgnToken::BadTag) => {
                    let problem = "a tag is written as [Name \"value\"]".to_string();
                    return Err((Rejection::Syntax, games.position(), problem));
                }
                _ => break,
            }
            token = games.next()?;
        }
        let after_tags = games.tokens().token_begin();
        if !self.names.contain(&tags.variant) {
            let problem = format!("the game's variant is `{}`", tags.variant);
            return Err((Rejection::OtherVariant, begin, problem));
        }
        let is_high_enough = |rating: &Option<u16>| rating.is_some_and(|rating| Some(rating) >= self.min_elo);
        if self.min_elo.is_some() && !tags.ratings.iter().all(is_high_enough) {
            return Ok(PgnGame::BelowRating);
        }
        let start = self.start(tags.fen.as_deref()).map_err(|(why, problem)| (why, begin, problem))?;
        let mut game = Game::new(start.position);
        let mut moves = Vec::with_capacity(512);
        let mut scores: Vec<Option<MoveScore>> = Vec::new();
        let mut result_in_moves = None;
        // The comments after the last move, and the first word that is prose.
        let (mut closing, mut prose) = (Vec::new(), None);
        while let Some(next) = token {
            match next {
                PgnToken::Word(word) => match read_word(game.position(), word, games.tokens()) {
                    Ok(WordMeaning::Move(played)) => {
                        if !moves.is_empty() {
                            moves.push(b' ');
                        }
                        played.push_uci(game.position().board(), &mut moves);
                        game.play(played);
                        closing.clear();
                    }
                    Ok(WordMeaning::NullMove) => {
                        let problem = format!("move {}: `{word}` is a null move", number(&game));
                        return Err((Rejection::NullMove, games.position(), problem));
                    }
                    Ok(meaning) => {
                        games.was_no_move();
                        if meaning == WordMeaning::Prose {
                            prose.get_or_insert((word, games.position()));
                        }
                    }
                    Err(error) => {
                        let problem = format!("move {}: {error}", number(&game));
                        return Err((Rejection::Move, games.position(), problem));
                    }
                },
                PgnToken::Comment(comment) => {
                    let plies = game.moves().len();
                    let mover = game.position().side_to_move().other();
                    if plies > 0
                        && let Some(score) = score_in(comment, mover)
                    {
                        scores.resize(plies, None);
                        scores[plies - 1] = Some(score);
                    }
                    closing.push(comment);
                }
                PgnToken::Result(result) => {
                    if let (Some(result), Some(other)) = (result, result_in_moves)
                        && result != other
                    {
                        let problem = format!("the moves end in {other} and {result}");
                        return Err((Rejection::Contradiction, games.position(), problem));
                    }
                    result_in_moves = result.or(result_in_moves);
                }
                PgnToken::BadTag | PgnToken::Tag(..) => {
                    let problem = "a tag stands among the moves".to_string();
                    return Err((Rejection::Syntax, games.position(), problem));
                }
                PgnToken::Number(_) | PgnToken::Stray(_) => {}
            }
            token = match games.next_word() {
                Some(word) => Some(PgnToken::Word(word)),
                None => games.next()?,
            };
        }
        let plies = game.moves().len();
        if plies == 0 {
            return Err(match prose {
                Some((word, at)) => {
                    (Rejection::Move, at, format!("`{word}` is not a move, and there is none"))
                }
                None => (Rejection::NoMoves, after_tags, "there are no moves".to_string()),
            });
        }
        let claimed = tags.claimed_end(result_in_moves, &closing);
        let (result, termination) = claimed
            .and_then(|claimed| claimed.end_of(&game).map_err(|problem| (Rejection::Result, problem)))
            .map_err(|(why, problem)| (why, games.position(), problem))?;
        let scores = (!scores.is_empty()).then(|| {
            scores.resize(plies, None);
            GameScores::new(0, &scores)
        });
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
            moves: String::from_utf8(moves).expect("moves in UCI are ASCII"),
            source: None,
            ratings: Some(Ratings { white: tags.ratings[0], black: tags.ratings[1] }),
        };
        Ok(PgnGame::Recorded(Box::new(record), scores))
    }

    /// The start of a game.
    fn start(&self, fen: Option<&str>) -> Result<Arc<KnownStart<'r>>, (Rejection, String)> {
        let by = fen.unwrap_or_default();
        if let Some(known) = self.starts.read().expect("no reader panics").get(by) {
            return Ok(Arc::clone(known));
        }
        let (id, setup, position) = self.setup(fen)?;
        let start = Arc::new(KnownStart {
            id,
            white_rank: setup.white.to_string(),
            black_rank: setup.black.to_string(),
            fen: position.to_fen(),
            position,
        });
        let mut starts = self.starts.write().expect("no reader panics");
        if starts.len() < MAX_STARTS {
            starts.insert(by.to_string(), Arc::clone(&start));
        }
        Ok(start)
    }

    /// The setup that a game starts from, its id and the position. Where the sides differ, Black may move first: then they have
    /// swapped armies, seen from the other end of the board.
    fn setup(&self, fen: Option<&str>) -> Result<(u128, Setup, Position<'r>), (Rejection, String)> {
        let key = &self.rules.variant().key;
        let no_start = |error: SetupError| (Rejection::NoStart, error.to_string());
        let Some(fen) = fen else {
            return match self.space.len() {
                1 => {
                    let setup = self.space.unrank(0).expect("the only setup");
                    Ok((0, setup, Position::new(self.rules, &setup).map_err(no_start)?))
                }
                setups => Err((
                    Rejection::NoStart,
                    format!(
                        "the game has no FEN tag, and {key} has {setups} setups that it could start from"
                    ),
                )),
            };
        };
        let position = Position::from_fen(self.rules, fen)
            .map_err(|error| (Rejection::Fen, format!("{error}, in `{fen}`")))?;
        let other = |problem: String| (Rejection::OtherStart, format!("{problem}, in `{fen}`"));
        let [white, black] = Side::BOTH.map(|side| self.first_rank(&position, side));
        let setup = Setup { white, black };
        let id = self.space.rank_by(self.numbering, &setup).map_err(|error| other(error.to_string()))?;
        let start = Position::new(self.rules, &setup)
            .and_then(|start| start_of_mover(&start, position.side_to_move()))
            .map_err(|error| other(error.to_string()))?;
        match start == position {
            true => Ok((id, setup, start)),
            false => Err(other(format!("the start from {white}/{black} is `{start}`"))),
        }
    }

    /// The pieces on the first rank of a side, and its pawns on the farther of two ranks where they start on either.
    fn first_rank(&self, position: &Position<'_>, side: Side) -> FirstRank {
        let board = position.board();
        let variant = self.rules.variant();
        let from_own_side = |row: usize| if side == Side::White { row } else { board.ranks() - 1 - row };
        let row = from_own_side(variant.first_rank);
        let mut rank = FirstRank::empty(board.files());
        for file in (0..board.files()).map(|file| File(file as u8)) {
            if let Some((owner, letter)) = position.piece_at(board.square(file, row))
                && owner == side
            {
                rank.set(file, letter);
            }
        }
        let pawns_row = from_own_side(variant.pawn_rank(side) + 1);
        let is_advanced = |file: &File| {
            variant.pawn_choices[side as usize] >> file.0 & 1 != 0
                && position.piece_at(board.square(*file, pawns_row)) == Some((side, Letter::PAWN))
        };
        rank.with_advanced_pawns((0..board.files() as u8).map(File).filter(is_advanced))
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

/// The number of the move that is to be played, as in `12.` or `12...`.
fn number(game: &Game<'_>) -> String {
    let dots = if game.position().side_to_move() == Side::White { "." } else { "..." };
    format!("{}{dots}", game.position().fullmove_number())
}

impl<'t> Tags<'t> {
    /// Sets what a tag says; the case of its name does not matter.
    fn set(&mut self, name: &str, value: Cow<'t, str>) {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        // Names that are longer than these or shorter are not compared.
        match name.len() {
            3 if is("FEN") => {
                self.fen = Some(trimmed(value)).filter(|fen| !matches!(fen.as_ref(), "" | "?" | "-"));
            }
            7 if is("Variant") => self.variant = trimmed(value),
            5 if is("White") => self.names[0] = one_line(&value),
            5 if is("Black") => self.names[1] = one_line(&value),
            8 if is("WhiteElo") => self.ratings[0] = tags::rating(&value),
            8 if is("BlackElo") => self.ratings[1] = tags::rating(&value),
            6 if is("Result") => self.result = Some(trimmed(value)),
            6 if is("Ending") => self.ending = value.parse().ok(),
            11 if is("Termination") => self.termination = trimmed(value),
            9 if is("ICCResult") => self.remark = trimmed(value),
            _ => {}
        }
    }

    /// How the game ended by its tags, the result after its moves and the comments there. The tag counts unless it says
    /// nothing; then the result after the moves does.
    fn claimed_end(
        &self,
        in_moves: Option<GameResult>,
        closing: &[&str],
    ) -> Result<ClaimedEnd, (Rejection, String)> {
        let tag = self.result.as_deref().unwrap_or_default();
        let in_tag =
            tags::result(tag).ok_or_else(|| (Rejection::Result, format!("`{tag}` is not a result")))?;
        if let (Some(tag), Some(moves)) = (in_tag, in_moves)
            && tag != moves
        {
            let problem = format!("the result is {tag} in the tag, and {moves} after the moves");
            return Err((Rejection::Contradiction, problem));
        }
        // Our own archives have a tag for it, in which the rules need no tag: the moves show them.
        let own = self.ending.filter(|ending| !matches!(ending, Ending::Rules(_)));
        let ending = own
            .or_else(|| ending::in_tag(&self.termination, &self.names))
            .or_else(|| ending::in_tag(&self.remark, &self.names))
            .or_else(|| closing.iter().find_map(|comment| ending::in_comment(comment, &self.names)));
        Ok(ClaimedEnd { result: in_tag.or(in_moves), ending })
    }
}

/// A text without the blanks around it.
fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_string()),
    }
}

/// A name without line breaks and other control characters, which a row cannot hold.
fn one_line(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_control()) {
        return name.to_string();
    }
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

impl ClaimedEnd {
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
        let ending = self.ending.unwrap_or(match result {
            GameResult::Draw => Ending::Agreement,
            GameResult::Win(_) => Ending::Resignation,
        });
        Ok((Some(result), ending))
    }
}

/// Whether a game cannot continue. It can after repetitions, after fifty moves and with insufficient material, until a
/// player claims the draw; and a player can lose on time before.
fn is_forced(outcome: Outcome) -> bool {
    matches!(outcome.termination, Termination::Checkmate | Termination::Stalemate | Termination::BareKing)
}

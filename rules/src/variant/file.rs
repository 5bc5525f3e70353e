//! The TOML of a variant, read and checked.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::piece_entry::PieceEntry;
use super::{
    Adjustment, Castling, CastlingHome, DoubleStep, Goal, Landing, Pawn, Piece, RightsNotation, Stalemate,
    Variant, VariantError, VariantWarning,
};
use crate::betza::Betza;
use crate::bitboard::Bitboard;
use crate::board::{Board, File};
use crate::setup::FirstRank;
use crate::square::Side;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantFile {
    name: String,
    #[serde(default)]
    also_called: Vec<String>,
    source: String,
    #[serde(default)]
    count_only: bool,
    board: Spanned<BoardTable>,
    pieces: Spanned<BTreeMap<Spanned<String>, Spanned<PieceEntry>>>,
    #[serde(default)]
    pawn: PawnTable,
    setup: SetupTable,
    castling: Option<CastlingTable>,
    adjustment: Option<AdjustmentTable>,
    #[serde(default)]
    endings: EndingsTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardTable {
    files: usize,
    ranks: usize,
    first_rank: Option<Spanned<usize>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PawnTable {
    double_step: Option<Spanned<DoubleStepEntry>>,
    promotes_to: Option<Spanned<SidesLetters>>,
    #[serde(default)]
    promotes_to_captured: bool,
    promotion: Option<Spanned<PromotionTable>>,
    value: Option<Spanned<i32>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "double_step is true, false or \"any\"")]
enum DoubleStepEntry {
    IsThere(bool),
    Where(String),
}

/// The letters of both sides, or of each.
#[derive(Deserialize)]
#[serde(untagged, expecting = "promotes_to is a text of letters, or { white = \"…\", black = \"…\" }")]
enum SidesLetters {
    Both(String),
    Each { white: String, black: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromotionTable {
    ranks: usize,
    forced: usize,
}

/// The other keys of this table define the setups; `backrank-enumerate` reads and checks them.
#[derive(Deserialize)]
struct SetupTable {
    first_rank: Spanned<String>,
    /// Where Black's king and its partners are at home depends on it.
    symmetry: Option<toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CastlingTable {
    partner: Option<Spanned<String>>,
    rights: Option<Spanned<String>>,
    left: LandingTable,
    right: LandingTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LandingTable {
    king: Spanned<String>,
    partner: Spanned<String>,
    notation: Spanned<Notations>,
}

/// How a castling is written, and how else people write it.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "castling is written as a text, or as a list of texts of which the first is written and all are read"
)]
enum Notations {
    One(String),
    Many(Vec<SidesNotation>),
}

/// A notation of both sides, or one of each.
#[derive(Deserialize)]
#[serde(untagged)]
enum SidesNotation {
    Both(String),
    Each { white: String, black: String },
}

impl Notations {
    /// Every notation, White's and Black's.
    fn each(&self) -> Vec<[&str; 2]> {
        match self {
            Self::One(text) => vec![[text, text]],
            Self::Many(texts) => texts
                .iter()
                .map(|text| match text {
                    SidesNotation::Both(text) => [text.as_str(); 2],
                    SidesNotation::Each { white, black } => [white.as_str(), black.as_str()],
                })
                .collect(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdjustmentTable {
    piece: Spanned<String>,
    partners: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndingsTable {
    #[serde(default)]
    bare_king: bool,
    stalemate: Option<Spanned<String>>,
    goal: Option<GoalTable>,
    checks: Option<Spanned<u8>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalTable {
    piece: Spanned<String>,
    squares: Spanned<String>,
}

/// The most checks that a game may need.
const MAX_CHECKS: u8 = 9;

/// The largest value of a piece, in centipawns: a hundred pawns.
const MAX_VALUE: i32 = 10_000;

/// A problem, and the bytes of the file that it is about.
type Problem = (Range<usize>, String);

pub(super) fn parse(key: &str, path: &str, text: &str) -> Result<Variant, VariantError> {
    let file: VariantFile =
        toml::from_str(text).map_err(|error| VariantError::from_toml(path, text, &error))?;
    check(file, key, path, text).map_err(|(span, problem)| VariantError::new(path, text, span, problem))
}

fn check(file: VariantFile, key: &str, path: &str, text: &str) -> Result<Variant, Problem> {
    let table = file.board.get_ref();
    let board =
        Board::new(table.files, table.ranks).map_err(|error| (file.board.span(), error.to_string()))?;
    let first_rank = match &table.first_rank {
        None => 0,
        Some(rank) if (1..=board.ranks() / 2 - 1).contains(rank.get_ref()) => rank.get_ref() - 1,
        Some(rank) => {
            return Err((
                rank.span(),
                format!("first_rank is 1 to {}, so that both sides' pawns have room", board.ranks() / 2 - 1),
            ));
        }
    };
    let pieces = pieces(&file.pieces)?;
    let warnings = warnings(&file.pieces, &pieces, path, text);
    let kinds = PieceLetters { board, pieces: &pieces };
    let army = kinds.army(&file.setup.first_rank)?;
    if army.pieces().next().is_none() {
        return Err((
            file.setup.first_rank.span(),
            "no pieces on the first rank; there is nothing to set up".to_string(),
        ));
    }
    let kings = army.pieces().filter(|&(_, letter)| kinds.is_royal(letter)).count();
    if kings != 1 && !file.count_only {
        return Err((
            file.setup.first_rank.span(),
            format!("{kings} kings (pieces with `royal = true`) on the first rank; a game needs one"),
        ));
    }
    let promotes_to = kinds.promotes_to(&file)?;
    let double_step = match file.pawn.double_step.as_ref().map(|entry| (entry.get_ref(), entry.span())) {
        None | Some((DoubleStepEntry::IsThere(true), _)) => DoubleStep::FromStart,
        Some((DoubleStepEntry::IsThere(false), _)) => DoubleStep::Never,
        Some((DoubleStepEntry::Where(text), _)) if text == "any" => DoubleStep::Always,
        Some((DoubleStepEntry::Where(text), span)) => {
            let problem = format!(
                "`{text}`: a double step is true, false, or \"any\" where pawns have it on every rank"
            );
            return Err((span, problem));
        }
    };
    // A pawn starts on the second rank at least, and has a step before it comes to where it promotes.
    let most = board.ranks() - first_rank - 2;
    let promotion = match &file.pawn.promotion {
        None => (1, 1),
        Some(table) => {
            let &PromotionTable { ranks, forced } = table.get_ref();
            if !(1..=most).contains(&ranks) || !(1..=ranks).contains(&forced) {
                let problem = format!(
                    "a pawn may promote on 1 to {most} ranks of this board, and must on 1 to all of these; here it may on {ranks} and must on {forced}"
                );
                return Err((table.span(), problem));
            }
            (ranks, forced)
        }
    };
    let mut castling = file.castling.as_ref().map(|table| kinds.castling(table)).transpose()?;
    if let Some(castling) =
        castling.as_mut().filter(|castling| castling.rights == RightsNotation::KingAndQueenSide)
    {
        let is_rotated = file.setup.symmetry.as_ref().and_then(toml::Value::as_str) == Some("rotate");
        let ranks = [army, if is_rotated { army.reversed() } else { army }];
        let home =
            ranks.map(|rank| CastlingHome::of(&rank, castling.partner, |letter| kinds.is_royal(letter)));
        castling.home = match home {
            [Some(white), Some(black)] => Some([white, black]),
            _ => None,
        };
    }
    let pawn_value = file.pawn.value.as_ref().map(value).transpose()?;
    let stalemate = match file.endings.stalemate.as_ref().map(|text| (text.get_ref().as_str(), text.span())) {
        None | Some(("draw", _)) => Stalemate::Draw,
        Some(("loss", _)) => Stalemate::Loss,
        Some(("win", _)) => Stalemate::Win,
        Some((other, span)) => {
            let problem = format!(
                "`{other}`: stalemate is a `draw`, a `loss` or a `win` for the side that cannot move"
            );
            return Err((span, problem));
        }
    };
    let checks = match &file.endings.checks {
        None => 0,
        Some(checks) if (1..=MAX_CHECKS).contains(checks.get_ref()) => *checks.get_ref(),
        Some(checks) => return Err((checks.span(), format!("a game is won by 1 to {MAX_CHECKS} checks"))),
    };
    let goal = file.endings.goal.as_ref().map(|table| kinds.goal(table)).transpose()?;
    let adjustment = file.adjustment.as_ref().map(|table| kinds.adjustment(table)).transpose()?;
    Ok(Variant {
        key: key.to_string(),
        name: file.name,
        also_called: file.also_called,
        source: file.source,
        count_only: file.count_only,
        board,
        first_rank,
        army,
        pawn: Pawn {
            double_step,
            promotes_to,
            promotes_to_captured: file.pawn.promotes_to_captured,
            promotion_ranks: promotion.0,
            forced_promotion_ranks: promotion.1,
            value: pawn_value,
        },
        castling,
        adjustment,
        bare_king: file.endings.bare_king,
        stalemate,
        goal,
        checks,
        pieces,
        warnings,
        text: text.to_string(),
        path: path.to_string(),
    })
}

type PieceEntries = Spanned<BTreeMap<Spanned<String>, Spanned<PieceEntry>>>;

fn pieces(entries: &PieceEntries) -> Result<Vec<Piece>, Problem> {
    let mut pieces = Vec::new();
    for (letter, entry) in entries.get_ref() {
        let letter_byte = match letter.get_ref().as_bytes() {
            [Pawn::LETTER] => {
                return Err((
                    letter.span(),
                    "P is the pawn in every game; give the piece another letter".to_string(),
                ));
            }
            [byte @ b'A'..=b'Z'] => *byte,
            _ => {
                return Err((
                    letter.span(),
                    format!(
                        "`{}` is not a piece letter; a piece has one capital letter, A to Z",
                        letter.get_ref()
                    ),
                ));
            }
        };
        let table = entry.get_ref().table(letter.get_ref()).map_err(|problem| (entry.span(), problem))?;
        let betza: Betza = table
            .betza
            .get_ref()
            .parse()
            .map_err(|error: crate::betza::BetzaError| (table.betza.span(), error.to_string()))?;
        if table.royal && betza.hops() {
            let problem =
                "a royal piece that hops or must leap; a king may go with f b l r s v h m c i n only";
            return Err((table.betza.span(), problem.to_string()));
        }
        pieces.push(Piece {
            letter: letter_byte,
            name: table.name.clone(),
            betza,
            royal: table.royal,
            value: table.value.as_ref().map(value).transpose()?,
        });
    }
    if pieces.is_empty() {
        return Err((
            entries.span(),
            "no pieces; `K = { name = \"king\", betza = \"K\", royal = true }` is one".to_string(),
        ));
    }
    pieces.sort_by_key(|piece| piece.letter);
    Ok(pieces)
}

/// What others would read otherwise in the moves of the pieces.
fn warnings(entries: &PieceEntries, pieces: &[Piece], path: &str, text: &str) -> Vec<VariantWarning> {
    let of_piece = |piece: &Piece| {
        let of_letter = |(letter, _): &(&Spanned<String>, _)| letter.get_ref().as_bytes() == [piece.letter];
        let entry = entries.get_ref().iter().find(of_letter).and_then(|(_, entry)| entry.get_ref().betza());
        let warnings = piece.betza.warnings().iter();
        let place = |warning| Some(VariantWarning::new(path, text, entry?, piece.letter, warning));
        warnings.filter_map(place).collect::<Vec<_>>()
    };
    pieces.iter().flat_map(of_piece).collect()
}

/// The material value of a piece, in centipawns.
fn value(given: &Spanned<i32>) -> Result<i32, Problem> {
    if (0..=MAX_VALUE).contains(given.get_ref()) {
        return Ok(*given.get_ref());
    }
    let problem = format!("a piece is worth 0 to {MAX_VALUE} centipawns, and a pawn about 100");
    Err((given.span(), problem))
}

/// What the rest of the file is checked against.
struct PieceLetters<'a> {
    board: Board,
    pieces: &'a [Piece],
}

impl PieceLetters<'_> {
    fn is_royal(&self, letter: u8) -> bool {
        self.pieces.iter().any(|piece| piece.letter == letter && piece.royal)
    }

    fn known(&self, letter: char, span: Range<usize>) -> Result<u8, Problem> {
        self.pieces.iter().map(|piece| piece.letter).find(|&known| known as char == letter).ok_or_else(|| {
            let known: String = self.pieces.iter().map(|piece| piece.letter as char).collect();
            (span, format!("`{letter}` is not a piece of [pieces], which has {known}"))
        })
    }

    fn army(&self, text: &Spanned<String>) -> Result<FirstRank, Problem> {
        let files = self.board.files();
        let given = text.get_ref().chars().count();
        if given != files {
            return Err((
                text.span(),
                format!("a first rank of {given} files on a board of {files}; an empty file is written `.`"),
            ));
        }
        let mut rank = FirstRank::empty(files);
        for (file, letter) in text.get_ref().chars().enumerate() {
            if letter != '.' {
                rank.set(File(file as u8), self.known(letter, text.span())?);
            }
        }
        Ok(rank)
    }

    /// The pieces that a pawn becomes. There are some, or it would have no move before the last rank.
    fn promotes_to(&self, file: &VariantFile) -> Result<[Vec<u8>; 2], Problem> {
        let Some(given) = &file.pawn.promotes_to else {
            let all: Vec<u8> =
                self.pieces.iter().filter(|piece| !piece.royal).map(|piece| piece.letter).collect();
            if all.is_empty() && !file.count_only {
                return Err(self.stuck_pawns(file, None));
            }
            return Ok([all.clone(), all]);
        };
        let texts = match given.get_ref() {
            SidesLetters::Both(text) => [text; 2],
            SidesLetters::Each { white, black } => [white, black],
        };
        let mut letters = [Vec::new(), Vec::new()];
        for (letters, text) in letters.iter_mut().zip(texts) {
            *letters = self.letters(text, given.span(), "a pawn becomes")?;
            if letters.is_empty() && !file.count_only {
                return Err(self.stuck_pawns(file, Some(given.span())));
            }
        }
        Ok(letters)
    }

    /// What is wrong where a pawn can become nothing.
    fn stuck_pawns(&self, file: &VariantFile, given: Option<Range<usize>>) -> Problem {
        let others: String =
            self.pieces.iter().filter(|piece| !piece.royal).map(|piece| piece.letter as char).collect();
        let stuck = "a pawn could not move to the last rank, where it has to become another piece";
        match given {
            Some(given) if !others.is_empty() => {
                (given, format!("{stuck}; name some, as in promotes_to = \"{others}\""))
            }
            _ => {
                (file.pieces.span(), format!("{stuck}, and there is none but the king; add one to [pieces]"))
            }
        }
    }

    /// Reads a list of pieces other than the king, each at most once.
    fn letters(&self, text: &str, span: Range<usize>, what: &str) -> Result<Vec<u8>, Problem> {
        let mut letters = Vec::new();
        for letter in text.chars() {
            let known = self.known(letter, span.clone())?;
            if self.is_royal(known) || letters.contains(&known) {
                return Err((
                    span.clone(),
                    format!("`{letter}`: {what} any piece but the king, each named once"),
                ));
            }
            letters.push(known);
        }
        Ok(letters)
    }

    fn letter(&self, text: &Spanned<String>) -> Result<u8, Problem> {
        let mut letters = text.get_ref().chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => self.known(letter, text.span()),
            _ => Err((text.span(), "one piece letter is expected".to_string())),
        }
    }

    fn castling(&self, table: &CastlingTable) -> Result<Castling, Problem> {
        let partner = match &table.partner {
            Some(letter) => self.letter(letter)?,
            None => self.known('R', table.left.king.span())?,
        };
        if let Some(letter) = &table.partner
            && self.is_royal(partner)
        {
            return Err((letter.span(), "the king castles with a piece other than a king".to_string()));
        }
        let (left, right) = (self.landing(&table.left)?, self.landing(&table.right)?);
        let both = Side::BOTH.into_iter().find_map(|side| {
            right.notations(side).find(|text| left.notations(side).any(|other| other == *text))
        });
        if let Some(both) = both {
            return Err((
                table.right.king.span(),
                format!("castling to the left and to the right are both written `{both}`"),
            ));
        }
        let rights = match &table.rights {
            None => RightsNotation::Files,
            Some(text) => match text.get_ref().as_str() {
                "files" => RightsNotation::Files,
                "KQkq" => RightsNotation::KingAndQueenSide,
                other => {
                    let problem = format!("`{other}`: castling rights are written as `files` or as `KQkq`");
                    return Err((text.span(), problem));
                }
            },
        };
        Ok(Castling { partner, left, right, rights, home: None })
    }

    fn landing(&self, table: &LandingTable) -> Result<Landing, Problem> {
        let (king, partner) = (self.file(&table.king)?, self.file(&table.partner)?);
        if king == partner {
            return Err((table.partner.span(), "king and partner cannot land on one file".to_string()));
        }
        let texts = table.notation.get_ref().each();
        if let Some(wrong) = texts.iter().flatten().find(|text| !is_castling_notation(text)) {
            let problem = format!(
                "`{wrong}`: castling is written as O-O or O-O-O, with the letter of a piece for an O within (O-M-O), and the file of the king may follow: O-O-Oc"
            );
            return Err((table.notation.span(), problem));
        }
        match texts[..] {
            [[white, black], ref others @ ..] if white == black => Ok(Landing {
                king,
                partner,
                notation: white.to_string(),
                also_read: [0, 1].map(|side| others.iter().map(|texts| texts[side].to_string()).collect()),
            }),
            _ => {
                let problem = "the first notation is the one that is written, by both sides, as in [\"O-O-Oc\", { white = \"O-M-O\", black = \"O-Q-O\" }]";
                Err((table.notation.span(), problem.to_string()))
            }
        }
    }

    fn goal(&self, table: &GoalTable) -> Result<Goal, Problem> {
        let piece = match table.piece.get_ref().as_str() {
            "P" => Pawn::LETTER,
            _ => self.letter(&table.piece)?,
        };
        let mut squares = Bitboard::EMPTY;
        for name in table.squares.get_ref().split([' ', ',']).filter(|name| !name.is_empty()) {
            let square = self.board.parse_square(name).ok_or_else(|| {
                (table.squares.span(), format!("`{name}` is not a square of a board of {}", self.board))
            })?;
            squares |= square.into();
        }
        if squares.is_empty() {
            return Err((table.squares.span(), "a goal has squares, as in \"d4 e4 d5 e5\"".to_string()));
        }
        Ok(Goal { piece, squares })
    }

    fn file(&self, text: &Spanned<String>) -> Result<File, Problem> {
        self.board.parse_file(text.get_ref()).ok_or_else(|| {
            let last = File(self.board.files() as u8 - 1);
            (text.span(), format!("`{}` is not a file of this board; files are a to {last}", text.get_ref()))
        })
    }

    fn adjustment(&self, table: &AdjustmentTable) -> Result<Adjustment, Problem> {
        let piece = self.letter(&table.piece)?;
        // The FEN could not distinguish such a first move from the right to adjust.
        let fits = |kind: &&Piece| !kind.royal && !kind.betza.has_first_move();
        if !self.pieces.iter().filter(fits).any(|kind| kind.letter == piece) {
            return Err((
                table.piece.span(),
                "the piece that adjusts is not the king and has no moves of its first move only".to_string(),
            ));
        }
        let mut partners: Vec<u8> = match &table.partners {
            Some(letters) => letters
                .get_ref()
                .chars()
                .map(|letter| self.known(letter, letters.span()))
                .collect::<Result<_, _>>()?,
            None => self.pieces.iter().map(|kind| kind.letter).collect(),
        };
        // Two pieces that adjust gain nothing by swapping with each other.
        partners.retain(|&letter| letter != piece);
        Ok(Adjustment { piece, partners })
    }
}

/// Whether a text is `O-O`, `O-O-O`, `O-M-O` and so on, with or without the letter of a file after it. No other move is
/// written so.
fn is_castling_notation(text: &str) -> bool {
    let without_file = text.strip_suffix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(text);
    let parts: Vec<&str> = without_file.split('-').collect();
    match parts[..] {
        ["O", ref within @ .., "O"] => within.iter().all(|part| matches!(part.as_bytes(), [b'A'..=b'Z'])),
        _ => false,
    }
}

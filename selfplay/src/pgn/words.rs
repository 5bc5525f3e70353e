//! Words among the moves of a game: moves as people and programs write them, and remarks.

use backrank_rules::{Letter, Move, MoveError, MoveKind, Position};

use super::tokens::{PgnTokens, figurine, is_dash};

/// What a word among the moves means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordMeaning {
    /// A legal move.
    Move(Move),
    /// A null move, by which a side passes.
    NullMove,
    /// A remark on a move: `N`, `mate`, `e.p.`.
    Remark,
    /// No remark that is known, and nothing that could be a move: prose without braces.
    Prose,
}

/// Remarks that annotators write without braces. `N` is a novelty and `D` a diagram.
const REMARKS: [&str; 18] = [
    "n",
    "tn",
    "d",
    "rr",
    "ep",
    "e.p",
    "mate",
    "checkmate",
    "stalemate",
    "check",
    "ch",
    "dbl",
    "double",
    "dis",
    "disc",
    "dblch",
    "disch",
    "dis.ch",
];

/// What may be glued to a move, in the order in which it is cut off. Capital letters are no pieces here, as no move ends in
/// one but a promotion.
const SUFFIXES: [&str; 12] =
    ["checkmate", "mate", "dblch", "dis.ch", "disch", "dbl", "dis", "ch", "e.p", "ep", "TN", "N"];

/// The longest word that is tried as a move in several ways.
const MAX_MOVE: usize = 40;

/// Reads the last word of a text in a position: a move in the game's notation or in UCI, long algebraic notation with or
/// without hyphens, figurines, remarks glued to it, a promotion that stands apart.
///
/// # Errors
///
/// When it is neither a legal move nor a word that could not be one.
pub(crate) fn read_word(
    position: &Position<'_>,
    word: &str,
    tokens: &mut PgnTokens<'_>,
) -> Result<WordMeaning, MoveError> {
    match position.parse_move(word) {
        Ok(played) => Ok(WordMeaning::Move(played)),
        Err(error) => read_unusual(position, word, tokens).ok_or(error),
    }
}

#[cold]
fn read_unusual(position: &Position<'_>, word: &str, tokens: &mut PgnTokens<'_>) -> Option<WordMeaning> {
    let trimmed = word.trim_end_matches(is_mark);
    if matches!(trimmed, "Z0" | "0000")
        || matches!(word, "--" | "@@@@")
        || trimmed.eq_ignore_ascii_case("null")
    {
        return Some(WordMeaning::NullMove);
    }
    let is_remark = REMARKS.iter().any(|remark| trimmed.eq_ignore_ascii_case(remark));
    // Between its number and a move, a capital letter is that of a piece: `2. N f3`.
    let is_piece = tokens.follows_number() && trimmed.len() == 1;
    if is_remark && !is_piece {
        return Some(WordMeaning::Remark);
    }
    let text = usual_letters(word);
    if !is_piece && is_prose(position, &text) {
        return Some(WordMeaning::Prose);
    }
    let played = (word.len() <= MAX_MOVE).then(|| read_spellings(position, &text, tokens))?;
    played.map(WordMeaning::Move)
}

/// Tries a word as a move, and again without marks and remarks at its end.
fn read_spellings(position: &Position<'_>, text: &str, tokens: &mut PgnTokens<'_>) -> Option<Move> {
    let mut text = text;
    loop {
        if let Some(played) = read_spelling(position, text) {
            return Some(played);
        }
        let without_marks = text.trim_end_matches(is_mark);
        let shorter = (without_marks.len() < text.len()).then_some(without_marks).or_else(|| {
            let cut = |suffix: &&str| without_suffix(text, suffix);
            SUFFIXES.iter().find_map(cut)
        });
        match shorter {
            Some(shorter) if !shorter.is_empty() => text = shorter,
            _ => break,
        }
    }
    // A promotion whose piece stands apart.
    let is_pawn_move = text.starts_with(|first: char| first.is_ascii_lowercase() || first == 'P')
        && text.ends_with(|last: char| last.is_ascii_digit());
    if !is_pawn_move {
        return None;
    }
    let (letter, end) = tokens.promotion_ahead()?;
    let played = position.parse_move(&format!("{text}={}", letter.to_ascii_uppercase())).ok()?;
    played.promotion()?;
    tokens.skip_to(end);
    Some(played)
}

/// A text without a suffix, if it ends in it. The case of capitals matters.
fn without_suffix<'t>(text: &'t str, suffix: &str) -> Option<&'t str> {
    let cut = text.len().checked_sub(suffix.len()).filter(|&cut| text.is_char_boundary(cut))?;
    let (shorter, end) = text.split_at(cut);
    let has_capitals = suffix.starts_with(char::is_uppercase);
    (end == suffix || (!has_capitals && end.eq_ignore_ascii_case(suffix))).then_some(shorter)
}

/// Reads a move in one of the forms that the game's notation does not have.
fn read_spelling(position: &Position<'_>, text: &str) -> Option<Move> {
    if let Ok(played) = position.parse_move(text) {
        return Some(played);
    }
    // `Ke1-g1` is castling where the king cannot go there otherwise.
    let variant = position.rules().variant();
    if text
        .bytes()
        .next()
        .and_then(Letter::new)
        .and_then(|letter| variant.piece(letter))
        .is_some_and(|piece| piece.royal)
    {
        let squares: String = text[1..].chars().filter(|&letter| letter != '-').collect();
        let castling = position.parse_uci(&squares).ok().filter(|played| played.kind == MoveKind::Castling);
        if castling.is_some() {
            return castling;
        }
    }
    // `e8/Q` and `e8q`.
    let promotes = |text: &str| position.parse_move(text).ok().filter(|played| played.promotion().is_some());
    let last = text.chars().next_back().filter(char::is_ascii_alphabetic)?;
    if let Some((pawn, piece)) = text.split_once('/')
        && piece.len() == 1
    {
        return promotes(&format!("{pawn}={}", piece.to_ascii_uppercase()));
    }
    let pawn = &text[..text.len() - 1];
    pawn.ends_with(|digit: char| digit.is_ascii_digit())
        .then(|| promotes(&format!("{pawn}={}", last.to_ascii_uppercase())))
        .flatten()
}

/// Whether a character is a mark that may stand after a move: punctuation and glyphs, but neither letters nor digits nor
/// control characters.
fn is_mark(letter: char) -> bool {
    !letter.is_alphanumeric() && !letter.is_control()
}

/// A word with figurines, dashes and crosses as the game's notation has them.
fn usual_letters(word: &str) -> String {
    let usual = |letter: char| match letter {
        '×' => 'x',
        // Cyrillic letters that look like the O of castling and the x of captures.
        'О' | 'о' => 'O',
        'х' => 'x',
        _ if is_dash(letter) => '-',
        _ => figurine(letter).unwrap_or(letter),
    };
    word.chars().map(usual).collect()
}

/// Whether a word cannot be meant as a move: it names no square, is not formed like castling or an adjustment, and is not
/// the beginning of a move either.
fn is_prose(position: &Position<'_>, word: &str) -> bool {
    let variant = position.rules().variant();
    let files = b'a'..b'a' + variant.board.files() as u8;
    let is_file = |byte: u8| files.contains(&byte);
    let is_piece = |byte: u8| {
        Letter::new(byte).is_some_and(|letter| letter == Letter::PAWN || variant.piece(letter).is_some())
    };
    let bytes = word.trim_matches(is_mark).as_bytes();
    if bytes.is_empty() || word.contains(char::is_control) {
        return false;
    }
    let may_be_file = |letter: char| {
        letter.is_alphabetic() && u8::try_from(letter).is_ok_and(is_file) || !letter.is_ascii()
    };
    let names_square =
        word.chars().zip(word.chars().skip(1)).any(|(file, rank)| may_be_file(file) && rank.is_ascii_digit());
    let is_castling = bytes.split(|&byte| byte == b'-').all(|part| matches!(part, b"O" | b"o" | b"0"));
    let is_adjustment = word.contains('=') && is_piece(bytes[0]);
    let rest_is_of_move = |rest: &[u8]| rest.iter().all(|&byte| is_file(byte) || b"x:-".contains(&byte));
    let begins_move = match *bytes {
        [first, ref rest @ ..] if is_piece(first) => rest.len() <= 3 && rest_is_of_move(rest),
        [file] | [file, b'x'] => is_file(file),
        [file, b'x', other] => is_file(file) && is_file(other),
        [file, other] => is_file(file) && is_file(other) && file.abs_diff(other) == 1,
        _ => false,
    };
    !(names_square || is_castling || is_adjustment || begins_move)
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Rules, Variant};

    use super::*;
    use crate::pgn::PgnToken;

    /// What the first word of a text means in a position of a game, a move in UCI.
    fn meaning(key: &str, fen: &str, text: &str) -> Result<String, String> {
        let rules = Rules::new(&Variant::find(key).unwrap());
        let position = Position::from_fen(&rules, fen).unwrap();
        let mut tokens = PgnTokens::new(text);
        loop {
            match tokens.next().unwrap() {
                Some(PgnToken::Word(word)) => {
                    let read = read_word(&position, word, &mut tokens).map_err(|error| error.to_string())?;
                    let WordMeaning::Move(played) = read else { return Ok(format!("{read:?}")) };
                    return Ok(played.uci(position.board()));
                }
                Some(_) => {}
                None => return Ok("nothing".to_string()),
            }
        }
    }

    const MIDDLE: &str = "r3k2r/1P6/8/3Pp3/8/2n5/8/R3K1NR w KQkq e6 0 1";

    #[test]
    fn moves_are_read_as_people_write_them() {
        for (text, uci) in [
            ("Nf3", "g1f3"),
            ("Ng1-f3", "g1f3"),
            ("Ng1f3!?", "g1f3"),
            ("♘f3", "g1f3"),
            ("♞f3", "g1f3"),
            ("Nf3N,", "g1f3"),
            ("Nf3TN", "g1f3"),
            ("Nf3±", "g1f3"),
            ("Nf3⩲", "g1f3"),
            ("Nf3+/-", "g1f3"),
            ("Nf3=", "g1f3"),
            ("Nf3□", "g1f3"),
            ("Nf3,", "g1f3"),
            ("1.Nf3", "g1f3"),
            ("1...Nf3", "g1f3"),
            ("1…Nf3", "g1f3"),
            ("1Nf3", "g1f3"),
            ("d6", "d5d6"),
            ("d5-d6", "d5d6"),
            ("dxe6", "d5e6"),
            ("dxe6e.p.", "d5e6"),
            ("dxe6(e.p.)", "d5e6"),
            ("dxe6ep", "d5e6"),
            ("d5×e6", "d5e6"),
            ("d5:e6", "d5e6"),
            ("Rxa8mate", "a1a8"),
            ("Rxa8dblch", "a1a8"),
            ("Ra1xa8++", "a1a8"),
            ("bxa8=Q", "b7a8q"),
            ("bxa8Q", "b7a8q"),
            ("bxa8q", "b7a8q"),
            ("bxa8/Q", "b7a8q"),
            ("bxa8(Q)", "b7a8q"),
            ("bxa8 (N)", "b7a8n"),
            ("b8 =R", "b7b8r"),
            ("b8 N", "b7b8n"),
            ("b8=N", "b7b8n"),
            ("b7-b8=Q+", "b7b8q"),
            ("b7b8q", "b7b8q"),
        ] {
            assert_eq!(meaning("chess", MIDDLE, text).as_deref(), Ok(uci), "{text}");
        }
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (text, uci) in [
            ("O-O", "e1h1"),
            ("O-O-O+", "e1a1"),
            ("0-0", "e1h1"),
            ("0-0-0!", "e1a1"),
            ("o-o", "e1h1"),
            ("0–0–0", "e1a1"),
            ("О-О", "e1h1"),
            ("Ke1-g1", "e1h1"),
            ("Ke1g1", "e1h1"),
        ] {
            assert_eq!(meaning("chess", castling, text).as_deref(), Ok(uci), "{text}");
        }
    }

    #[test]
    fn remarks_are_no_moves_and_wrong_moves_are_no_remarks() {
        for (text, says) in [
            ("N,", "Remark"),
            ("N Nf3", "Remark"),
            ("D", "Remark"),
            ("mate", "Remark"),
            ("e.p.", "Remark"),
            ("ch", "Remark"),
            ("--", "NullMove"),
            ("Z0", "NullMove"),
            ("0000", "NullMove"),
            ("White", "Prose"),
            ("better", "Prose"),
            ("2nd", "Prose"),
            ("+- = ∞ ± 12", "nothing"),
        ] {
            assert_eq!(meaning("chess", MIDDLE, text).as_deref(), Ok(says), "{text}");
        }
        for text in [
            "Nf4", "e9", "Nf", "e", "exd", "ed", "Nxd", "O-O-O-O", "b8", "bxa8=K", "Sf3", "Qd1", "Bc<=>N",
            "1. N f3", "Nf3\0", "é4", "K",
        ] {
            assert!(meaning("chess", MIDDLE, text).is_err(), "{text}");
        }
        // Where a piece has the letter of a remark, its moves are moves all the same.
        let start = "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh";
        assert_eq!(meaning("modern", start, "Nc3N").as_deref(), Ok("b1c3"));
        assert_eq!(meaning("modern", start, "B=MN!").as_deref(), Ok("c1b1"));
        assert!(meaning("modern", start, "B=R").is_err());
    }
}

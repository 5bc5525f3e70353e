//! The tokens of a PGN: tags, move numbers, words, comments and results.
//!
//! Source: "Standard: Portable Game Notation Specification and Implementation Guide", Steven J. Edwards, 1994, in the import
//! format of its section 8.2, and what programs write beyond it. Variations, glyphs and punctuation are skipped.

use std::borrow::Cow;

use backrank_rules::{GameResult, Side};
use memchr::{memchr, memchr2};

use super::tag_place::{TagPlace, begins_name, is_tag, unescaped};
use super::text::{is_space, leading_spaces};

/// A part of a PGN that says something of the game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PgnToken<'t> {
    /// A tag: its name and its value.
    Tag(&'t str, Cow<'t, str>),
    /// What should be a tag but is not written like one.
    BadTag,
    /// The number 0 or 1 of a move. Other numbers are skipped.
    Number(FirstNumber),
    /// A move, or a word about one.
    Word(&'t str),
    /// A comment in braces that is not in a variation, without the braces.
    Comment(&'t str),
    /// The result that ends a game; `None` for `*`.
    Result(Option<GameResult>),
    /// A closing bracket without the opening one.
    Stray(char),
}

/// A move number with which a game may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstNumber {
    /// `0.`
    Zero,
    /// `1.` or `1`.
    One,
    /// `1...`, the number of Black's move.
    OneOfBlack,
}

/// What is wrong with a PGN, and at which byte.
#[derive(Debug)]
pub(crate) struct PgnError {
    /// The place in the text, in bytes.
    pub at: usize,
    /// What is wrong there.
    pub problem: String,
}

/// Splits a text into tokens.
#[derive(Debug)]
pub(crate) struct PgnTokens<'t> {
    text: &'t str,
    /// The number of bytes that were read.
    at: usize,
    /// Where the last token begins.
    begin: usize,
    /// Line feeds since the token before the last one.
    line_feeds: usize,
    /// Whether a move number was read since [`begin_game`](Self::begin_game).
    is_numbered: bool,
    /// Whether the last word comes directly after a move number.
    follows_number: bool,
    /// Whether the last token is a move number.
    gave_number: bool,
    /// Whether a bracket may be a remark rather than a tag that is not written like one.
    in_moves: bool,
    /// Where a line ends that was looked at last.
    line_end: usize,
    /// Whether no comment is closed any more.
    is_unclosed: bool,
}

/// The longest remark in brackets.
const MAX_REMARK: usize = 512;

/// What the bytes that end a word are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndOfWord {
    No,
    Yes,
    /// The first byte of a character that may be a space.
    Perhaps,
}

/// Whether each byte ends the word before it: blanks, brackets and `*` do. It is a table, as most bytes of an archive are
/// looked up.
const ENDS_WORD: [EndOfWord; 256] = {
    let mut ends = [EndOfWord::No; 256];
    let mut bytes: &[u8] = b" \t\n\r\x0b\x0c[](){};$*";
    while let [byte, rest @ ..] = bytes {
        ends[*byte as usize] = EndOfWord::Yes;
        bytes = rest;
    }
    let mut bytes: &[u8] = b"\xc2\xd8\xe1\xe2\xe3\xef";
    while let [byte, rest @ ..] = bytes {
        ends[*byte as usize] = EndOfWord::Perhaps;
        bytes = rest;
    }
    ends
};

impl<'t> PgnTokens<'t> {
    /// The tokens of a text.
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            begin: 0,
            line_feeds: 0,
            is_numbered: false,
            follows_number: false,
            gave_number: false,
            in_moves: false,
            line_end: 0,
            is_unclosed: false,
        }
    }

    /// The number of bytes that were read so far.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Where the last token begins.
    pub fn token_begin(&self) -> usize {
        self.begin
    }

    /// Whether the last token is the first on its line.
    pub fn begins_line(&self) -> bool {
        self.line_feeds > 0
    }

    /// Whether there is an empty line before the last token.
    pub fn follows_empty_line(&self) -> bool {
        self.line_feeds > 1
    }

    /// Whether the game has move numbers so far.
    pub fn is_numbered(&self) -> bool {
        self.is_numbered
    }

    /// Whether the last word comes directly after a move number.
    pub fn follows_number(&self) -> bool {
        self.follows_number
    }

    /// Says that a game begins with the last token.
    pub fn begin_game(&mut self) {
        self.is_numbered = self.gave_number || self.follows_number;
        self.in_moves = false;
    }

    /// Says that moves have begun, or that they have ended.
    pub fn set_in_moves(&mut self, in_moves: bool) {
        self.in_moves = in_moves;
    }

    /// The next token if it is a word, with or without a move number other than 0 and 1 before it, which is most of a game.
    /// Nothing is read otherwise.
    #[inline]
    pub fn next_word(&mut self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut at = self.at;
        let mut follows_number = false;
        loop {
            match bytes.get(at)? {
                b' ' | b'\n' | b'\r' => at += 1,
                b'2'..=b'9' => {
                    at += digits(at);
                    follows_number = true;
                }
                b'1' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                    at += digits(at);
                    follows_number = true;
                }
                b'.' => at += 1,
                b'a'..=b'z' | b'A'..=b'Z' => break,
                _ => return None,
            }
        }
        self.begin = at;
        self.at = at;
        self.line_feeds = 0;
        self.follows_number = std::mem::take(&mut self.gave_number) || follows_number;
        Some(self.word_from(1))
    }

    /// The next token; `None` at the end.
    ///
    /// # Errors
    ///
    /// When a comment or a variation has no end. The text is read on from the next line with which a game may begin.
    pub fn next(&mut self) -> Result<Option<PgnToken<'t>>, PgnError> {
        let bytes = self.text.as_bytes();
        // The number of open variations, and where the first began.
        let (mut depth, mut opened) = (0_usize, self.at);
        let mut line_feeds = 0;
        self.line_feeds = 0;
        self.follows_number = std::mem::take(&mut self.gave_number);
        while let Some(&byte) = bytes.get(self.at) {
            self.begin = self.at;
            if depth > 0 && !byte.is_ascii_whitespace() {
                if line_feeds > 1 && begins_game(&bytes[self.at..]) {
                    break;
                }
                line_feeds = 0;
            }
            match byte {
                b'\n' => {
                    line_feeds += 1;
                    self.line_feeds += 1;
                    self.at += 1;
                }
                // The control character is the end of a file in DOS.
                b' ' | b'\r' | b'\t' | 0x0b | 0x0c | 0x1a | b'.' => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' => {
                    let word = self.word_from(1);
                    if depth == 0 {
                        return Ok(Some(PgnToken::Word(word)));
                    }
                }
                b'{' => {
                    let begin = self.at + 1;
                    let closed = (!self.is_unclosed).then(|| memchr(b'}', &bytes[begin..])).flatten();
                    let Some(length) = closed else {
                        self.is_unclosed = true;
                        return Err(
                            self.unclosed(self.at, "the comment that begins here has no `}` that ends it")
                        );
                    };
                    self.at = begin + length + 1;
                    if depth == 0 {
                        return Ok(Some(PgnToken::Comment(&self.text[begin..begin + length])));
                    }
                }
                b';' => self.skip_line(),
                b'%' if self.at == 0 || bytes[self.at - 1] == b'\n' => self.skip_line(),
                b'(' => {
                    opened = if depth == 0 { self.at } else { opened };
                    depth += 1;
                    self.at += 1;
                }
                b')' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b')' | b']' | b'}' => {
                    self.at += 1;
                    if depth == 0 {
                        return Ok(Some(PgnToken::Stray(char::from(byte))));
                    }
                }
                b'[' => {
                    if depth == 0
                        && let Some(token) = self.bracket()
                    {
                        return Ok(Some(token));
                    }
                    if depth > 0 {
                        self.skip_bracket();
                    }
                }
                b'0'..=b'9' if depth > 0 => {
                    // Numbers in a variation are not those of the game.
                    let is_numbered = self.is_numbered;
                    self.digits();
                    self.is_numbered = is_numbered;
                    self.follows_number = false;
                    self.gave_number = false;
                }
                b'0'..=b'9' => {
                    if let Some(token) = self.digits() {
                        return Ok(Some(token));
                    }
                }
                _ => {
                    let token = self.sign(byte);
                    if depth == 0
                        && let Some(token) = token
                    {
                        return Ok(Some(token));
                    }
                }
            }
        }
        if depth > 0 {
            return Err(self.unclosed(opened, "the variation that begins here has no `)` that ends it"));
        }
        Ok(None)
    }

    /// The letter of a piece to which the pawn promotes whose move was read last, where it stands apart: `e8(Q)`, `e8 =Q`.
    /// With it comes the place at which it ends, for [`skip_to`](Self::skip_to).
    pub fn promotion_ahead(&self) -> Option<(char, usize)> {
        let rest = &self.text[self.at..];
        let blanks = |text: &'t str| text.trim_start_matches([' ', '\t', '\n', '\r']);
        let inner = blanks(rest);
        let (inner, is_closed) = match inner.strip_prefix('(') {
            Some(inner) => (blanks(inner.strip_prefix('=').unwrap_or(inner)), false),
            None => (blanks(inner.strip_prefix(['=', '/']).unwrap_or(inner)), true),
        };
        let letter = inner.chars().next().filter(char::is_ascii_alphabetic)?;
        let after = &inner[1..];
        let after = if is_closed { after } else { blanks(after).strip_prefix(')')? };
        let ends = |next: char| !next.is_alphanumeric();
        after.chars().next().is_none_or(ends).then_some((letter, self.text.len() - after.len()))
    }

    /// Reads on from a place.
    pub fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    /// The error for what begins at a place and has no end, after which the text is read on where a game may begin.
    fn unclosed(&mut self, at: usize, problem: &str) -> PgnError {
        let text = self.text.as_bytes();
        let mut after_empty_line = false;
        let mut line_begin = memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        self.at = text.len();
        while line_begin < text.len() {
            let line_end = memchr(b'\n', &text[line_begin..]).map_or(text.len(), |end| line_begin + end);
            let line = &text[line_begin..line_end];
            let line = &line[leading_spaces(line)..];
            if after_empty_line && begins_game(line) {
                self.at = line_begin;
                break;
            }
            after_empty_line = line.is_empty();
            line_begin = line_end + 1;
        }
        self.line_feeds = 2;
        PgnError { at, problem: problem.to_string() }
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += memchr(b'\n', rest).unwrap_or(rest.len());
        self.line_feeds = 0;
    }

    /// The bytes up to the next blank or bracket, at least one character.
    fn word(&mut self) -> &'t str {
        let first = self.text[self.at..].chars().next();
        self.word_from(first.map_or(1, char::len_utf8))
    }

    /// The same after the first character, which has this length.
    #[inline]
    fn word_from(&mut self, mut length: usize) -> &'t str {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        loop {
            let ends = |&byte: &u8| ENDS_WORD[usize::from(byte)] != EndOfWord::No;
            length = bytes[length..].iter().position(ends).map_or(bytes.len(), |more| length + more);
            match bytes.get(length) {
                Some(&byte) if ENDS_WORD[usize::from(byte)] == EndOfWord::Perhaps => {
                    let letter = rest[length..].chars().next().unwrap_or(' ');
                    if is_space(letter) {
                        break;
                    }
                    length += letter.len_utf8();
                }
                _ => break,
            }
        }
        self.at += length;
        &rest[..length]
    }

    /// What begins with a digit: a result, castling with zeros, or the number of a move, as in `12.`, `12 ...` or `12`.
    fn digits(&mut self) -> Option<PgnToken<'t>> {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        // Most numbers have no other meaning.
        if !matches!(bytes[0], b'0' | b'1') || (digits > 1 && bytes[0] == b'1') {
            self.at += digits;
            self.is_numbered = true;
            self.follows_number = true;
            return None;
        }
        if let Some((result, length)) = result_at(rest) {
            self.at += length;
            return Some(PgnToken::Result(result));
        }
        let next = rest[digits..].chars().next();
        if bytes[0] == b'0' && (next.is_some_and(is_dash) || &bytes[..digits] == b"0000") {
            return Some(PgnToken::Word(self.word()));
        }
        self.at += digits;
        self.is_numbered = true;
        self.follows_number = true;
        let number = match &bytes[..digits] {
            b"0" => FirstNumber::Zero,
            b"1" => self.dots_after_one(),
            _ => return None,
        };
        self.gave_number = true;
        Some(PgnToken::Number(number))
    }

    /// Reads the dots after the number 1, between which there may be blanks.
    fn dots_after_one(&mut self) -> FirstNumber {
        let rest = &self.text[self.at..];
        let mut dots = 0;
        for (at, letter) in rest.char_indices() {
            match letter {
                '.' => dots += 1,
                '…' => dots += 3,
                _ if is_space(letter) && letter != '\n' => continue,
                _ => break,
            }
            self.at = self.text.len() - rest.len() + at + letter.len_utf8();
        }
        if dots > 1 { FirstNumber::OneOfBlack } else { FirstNumber::One }
    }

    /// What begins with neither a letter of ASCII nor a digit.
    fn sign(&mut self, byte: u8) -> Option<PgnToken<'t>> {
        let rest = &self.text[self.at..];
        match byte {
            b'*' => {
                self.at += 1;
                Some(PgnToken::Result(None))
            }
            b'$' => {
                self.at += 1 + rest.as_bytes()[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                None
            }
            // Control characters belong to no text.
            0..0x20 | 0x7f => Some(PgnToken::Word(self.word())),
            0x80.. => {
                let letter = rest.chars().next().unwrap_or(' ');
                if let Some((result, length)) = result_at(rest) {
                    self.at += length;
                    return Some(PgnToken::Result(result));
                }
                if letter.is_alphabetic() || figurine(letter).is_some() {
                    return Some(PgnToken::Word(self.word()));
                }
                self.at += letter.len_utf8();
                None
            }
            // A glyph, such as `+-`. `--` alone is a null move.
            _ => {
                let is_sign = |byte: &&u8| {
                    byte.is_ascii_punctuation() && ENDS_WORD[usize::from(**byte)] == EndOfWord::No
                };
                let length = rest.as_bytes().iter().take_while(is_sign).count().max(1);
                let is_whole = rest[length..].chars().next().is_none_or(|next| !next.is_alphanumeric());
                self.at += length;
                let is_null = matches!(&rest[..length], "--" | "@@@@") && is_whole;
                is_null.then_some(PgnToken::Word(&rest[..length]))
            }
        }
    }

    /// What begins with `[`: a tag, a tag that is not written like one, or `None` for a remark.
    fn bracket(&mut self) -> Option<PgnToken<'t>> {
        let rest = &self.text.as_bytes()[self.at..];
        if !(begins_name(rest) && (!self.in_moves || is_tag(rest))) {
            self.skip_bracket();
            return None;
        }
        if self.line_end <= self.at {
            self.line_end = self.at + memchr(b'\n', rest).unwrap_or(rest.len());
        }
        let line = &self.text[self.at..self.line_end];
        let Some(tag) = TagPlace::of(line.as_bytes()) else {
            self.at = self.line_end;
            return Some(PgnToken::BadTag);
        };
        self.at += tag.length;
        let value = &line[tag.value];
        let has_escapes = memchr(b'\\', value.as_bytes()).is_some();
        let value = if has_escapes { Cow::Owned(unescaped(value)) } else { Cow::Borrowed(value) };
        Some(PgnToken::Tag(&line[tag.name], value))
    }

    /// Skips a remark in brackets, or a bracket that nothing closes on its line.
    fn skip_bracket(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let rest = &rest[..rest.len().min(MAX_REMARK)];
        self.at += match memchr2(b']', b'\n', rest) {
            Some(end) if rest[end] == b']' => end + 1,
            _ => 1,
        };
    }
}

/// Whether a game may begin with a line: a tag, or move number 1.
fn begins_game(line: &[u8]) -> bool {
    is_tag(line) || matches!(line, [b'1', b'.' | b' ', ..])
}

/// The letter of the piece that a figurine is.
pub(super) fn figurine(letter: char) -> Option<char> {
    let pieces = ['K', 'Q', 'R', 'B', 'N', 'P'];
    let index = (letter as u32).checked_sub('♔' as u32).filter(|&index| index < 12)?;
    pieces.get(index as usize % 6).copied()
}

/// Whether a character is a hyphen, a dash or a minus.
pub(super) fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// The points at the beginning of a text, in halves, and what follows them.
fn points(text: &str) -> Option<(u8, &str)> {
    let spellings = [("1/2", 1), ("½", 1), ("0.5", 1), ("0,5", 1), ("1", 2), ("0", 0)];
    spellings.into_iter().find_map(|(written, points)| text.strip_prefix(written).map(|rest| (points, rest)))
}

/// The result at the beginning of a text, in any of its spellings, and its length: `1-0`, `½-½`, `1/2 - 1/2`, `1:0`, `1/2`.
pub(super) fn result_at(text: &str) -> Option<(Option<GameResult>, usize)> {
    let blanks = |text: &str| text.len() - text.trim_start_matches([' ', '\t', '\u{a0}']).len();
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches([',', '.', '!']);
        rest.chars().next().is_none_or(|next| {
            is_space(next)
                || usize::try_from(next as u32)
                    .is_ok_and(|byte| byte < 256 && ENDS_WORD[byte] == EndOfWord::Yes)
        })
    };
    let (white, rest) = points(text)?;
    let separated = &rest[blanks(rest)..];
    let separator = separated.chars().next().filter(|&letter| is_dash(letter) || letter == ':');
    if let Some(separator) = separator {
        let other = &separated[separator.len_utf8()..];
        let (black, rest) = points(&other[blanks(other)..])?;
        let result = match (white, black) {
            (2, 0) => GameResult::Win(Side::White),
            (0, 2) => GameResult::Win(Side::Black),
            (1, 1) => GameResult::Draw,
            _ => return None,
        };
        return ends(rest).then_some((Some(result), text.len() - rest.len()));
    }
    (white == 1 && ends(rest)).then_some((Some(GameResult::Draw), text.len() - rest.len()))
}

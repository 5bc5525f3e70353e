//! The tokens of a PGN: tags, moves, comments and results.
//!
//! Source: "Standard: Portable Game Notation Specification and Implementation Guide", Steven J. Edwards, 1994. Variations
//! and annotations are skipped.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// A part of a PGN that says something of the game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PgnToken<'t> {
    /// A tag: its name and its value.
    Tag(&'t str, Cow<'t, str>),
    /// A move.
    Move(&'t str),
    /// A comment in braces that is not in a variation, without the braces.
    Comment(&'t str),
    /// The result that ends a game.
    Result(&'t str),
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
pub(crate) struct PgnTokens<'t> {
    text: &'t str,
    /// The number of bytes that were read.
    at: usize,
}

impl<'t> PgnTokens<'t> {
    /// The tokens of a text.
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The number of bytes that were read so far.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next token; `None` at the end.
    pub fn next(&mut self) -> Result<Option<PgnToken<'t>>, PgnError> {
        let bytes = self.text.as_bytes();
        // The number of open variations, and where the first began.
        let (mut depth, mut opened) = (0, self.at);
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b'{' => {
                    let begin = self.at + 1;
                    let Some(length) = memchr(b'}', &bytes[begin..]) else {
                        return Err(self.wrong("the comment that begins here has no `}` that ends it"));
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
                b')' if depth == 0 => return Err(self.wrong("a `)` without a variation that it could end")),
                b')' => {
                    depth -= 1;
                    self.at += 1;
                }
                b'[' => {
                    let tag = self.tag()?;
                    if depth == 0 {
                        return Ok(Some(tag));
                    }
                }
                b']' | b'}' => {
                    return Err(self.wrong(&format!("a `{}` that ends nothing", char::from(byte))));
                }
                _ if self.skip_number() => {}
                _ => {
                    let word = self.word();
                    if depth == 0
                        && let Some(token) = token(word)
                    {
                        return Ok(Some(token));
                    }
                }
            }
        }
        if depth > 0 {
            let problem = "the variation that begins here has no `)` that ends it".to_string();
            return Err(PgnError { at: opened, problem });
        }
        Ok(None)
    }

    fn wrong(&self, problem: &str) -> PgnError {
        PgnError { at: self.at, problem: problem.to_string() }
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// Skips the number before a move: `12.` or `12...`, with or without a blank after it.
    fn skip_number(&mut self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let count =
            |begin: usize, is: fn(&u8) -> bool| rest[begin..].iter().take_while(|&byte| is(byte)).count();
        let digits = count(0, u8::is_ascii_digit);
        let dots = if digits > 0 { count(digits, |&byte| byte == b'.') } else { 0 };
        self.at += if dots > 0 { digits + dots } else { 0 };
        dots > 0
    }

    /// The bytes up to the next blank or bracket, at least one.
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let ends = |&byte: &u8| ENDS_WORD[usize::from(byte)];
        let length = rest.as_bytes()[1..].iter().position(ends).map_or(rest.len(), |length| length + 1);
        self.at += length;
        &rest[..length]
    }

    /// A tag, such as `[FEN "…"]`. A quotation mark within the value has a backslash before it.
    fn tag(&mut self) -> Result<PgnToken<'t>, PgnError> {
        let wrong = || self.wrong("a tag is written as [Name \"value\"]");
        let rest = &self.text[self.at + 1..];
        let line = &rest[..memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())];
        let quote = memchr(b'"', line.as_bytes()).ok_or_else(wrong)?;
        let (name, quoted) = (line[..quote].trim_ascii(), &line[quote + 1..]);
        let mut end = 0;
        let mut has_escapes = false;
        loop {
            end +=
                memchr2(b'"', b'\\', quoted.as_bytes().get(end..).unwrap_or_default()).ok_or_else(wrong)?;
            if quoted.as_bytes()[end] == b'"' {
                break;
            }
            has_escapes = true;
            end += 2;
        }
        let after = &quoted[end + 1..];
        let blanks = after.len() - after.trim_ascii_start().len();
        if name.is_empty() || after.as_bytes().get(blanks) != Some(&b']') {
            return Err(wrong());
        }
        let value = &quoted[..end];
        let value = if has_escapes { Cow::Owned(unescaped(value)) } else { Cow::Borrowed(value) };
        self.at += 1 + quote + 1 + end + 1 + blanks + 1;
        Ok(PgnToken::Tag(name, value))
    }
}

/// Whether each byte ends the word before it: blanks and brackets do. It is a table, as most bytes of an archive are looked up.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut bytes: &[u8] = b" \t\n\r\x0b\x0c[](){};$";
    while let [byte, rest @ ..] = bytes {
        ends[*byte as usize] = true;
        bytes = rest;
    }
    ends
};

/// The value of a tag without the backslashes before quotation marks and backslashes.
fn unescaped(value: &str) -> String {
    let mut letters = value.chars();
    let mut text = String::with_capacity(value.len());
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    text
}

/// The token for a word; `None` for a move number or an annotation.
fn token(word: &str) -> Option<PgnToken<'_>> {
    // Most words are moves that begin with a letter.
    if word.as_bytes()[0].is_ascii_alphabetic() {
        return (word != "e.p.").then_some(PgnToken::Move(word));
    }
    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
        return Some(PgnToken::Result(word));
    }
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let is_remark = word.starts_with('$') || word.bytes().all(|byte| matches!(byte, b'!' | b'?'));
    (!is_number && !is_remark).then_some(PgnToken::Move(word))
}

//! Where the tags of a PGN are in their lines.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

/// The longest name of a tag, with the blanks around it.
const MAX_NAME: usize = 256;

/// Whether each byte may be in the name of a tag. It is a table, as every tag of an archive is looked up more than once.
const IS_IN_NAME: [bool; 256] = {
    let mut is_in_name = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        is_in_name[byte as usize] = byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'.' | b'/');
        byte += 1;
    }
    is_in_name
};

/// Where the parts of a tag are in its line, such as `[FEN "…"]`.
pub(super) struct TagPlace {
    pub name: Range<usize>,
    pub value: Range<usize>,
    /// The bytes up to its end.
    pub length: usize,
}

impl TagPlace {
    /// Reads the tag with which a line begins.
    ///
    /// A quotation mark within the value has a backslash before it; where it has none, the value ends at the first mark
    /// that a bracket follows. Where no bracket closes the tag, it ends with the line.
    pub fn of(line: &[u8]) -> Option<Self> {
        let (name, begin) = name_and_value(line)?;
        // Most values hold no quotation mark.
        let mark = begin + memchr(b'"', &line[begin..])?;
        if line.get(mark + 1) == Some(&b']') && line[mark - 1] != b'\\' {
            return Some(Self { name, value: begin..mark, length: mark + 2 });
        }
        let closed = |mark: usize| {
            let after = &line[mark + 1..];
            let blanks = after.len() - after.trim_ascii_start().len();
            (after.get(blanks) == Some(&b']')).then_some(mark + 1 + blanks + 1)
        };
        let is_escaped =
            |mark: usize| line[begin..mark].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1;
        let marks = || memchr_iter(b'"', &line[begin..]).map(|at| begin + at);
        let end = |mark: usize| closed(mark).map(|length| (mark, length));
        let (mark, length) = marks()
            .filter(|&mark| !is_escaped(mark))
            .find_map(end)
            .or_else(|| marks().find_map(end))
            .or_else(|| {
                let mark = marks().next_back()?;
                line[mark + 1..].trim_ascii().is_empty().then_some((mark, line.len()))
            })?;
        Some(Self { name, value: begin..mark, length })
    }
}

/// Where the name of a tag is, and where its value begins, if a line begins with a bracket, a name and a quotation mark.
fn name_and_value(line: &[u8]) -> Option<(Range<usize>, usize)> {
    let line = &line[..line.len().min(MAX_NAME)];
    let count = |begin: usize, is: fn(&u8) -> bool| line[begin..].iter().take_while(|&byte| is(byte)).count();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    if line.first() != Some(&b'[') {
        return None;
    }
    let begin = 1 + count(1, is_blank);
    let end = begin + count(begin, |&byte| IS_IN_NAME[usize::from(byte)]);
    let quote = end + count(end, is_blank);
    let fits = line.get(begin).is_some_and(u8::is_ascii_alphanumeric) && line.get(quote) == Some(&b'"');
    fits.then_some((begin..end, quote + 1))
}

/// Whether a line begins as a tag does: with a bracket, a name and a quotation mark.
pub(super) fn is_tag(line: &[u8]) -> bool {
    name_and_value(line).is_some()
}

/// Whether a line begins with a bracket and a letter.
pub(super) fn begins_name(line: &[u8]) -> bool {
    line.first() == Some(&b'[') && line[1..].trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic)
}

/// The value of a tag without the backslashes before quotation marks and backslashes.
pub(super) fn unescaped(value: &str) -> String {
    let mut letters = value.chars();
    let mut text = String::with_capacity(value.len());
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' { letters.next().or(Some(letter)) } else { Some(letter) });
    }
    text
}

//! The characters of a PGN.

use std::borrow::Cow;
use std::fmt::Write;

use memchr::memchr;

/// What the bytes from 0x80 on mean in Windows-1252. Five of them mean nothing there.
const WINDOWS_1252: [Option<char>; 32] = {
    let mut meanings = [None; 32];
    let used = [
        (0x80, '€'),
        (0x82, '‚'),
        (0x83, 'ƒ'),
        (0x84, '„'),
        (0x85, '…'),
        (0x86, '†'),
        (0x87, '‡'),
        (0x88, 'ˆ'),
        (0x89, '‰'),
        (0x8a, 'Š'),
        (0x8b, '‹'),
        (0x8c, 'Œ'),
        (0x8e, 'Ž'),
        (0x91, '‘'),
        (0x92, '’'),
        (0x93, '“'),
        (0x94, '”'),
        (0x95, '•'),
        (0x96, '–'),
        (0x97, '—'),
        (0x98, '˜'),
        (0x99, '™'),
        (0x9a, 'š'),
        (0x9b, '›'),
        (0x9c, 'œ'),
        (0x9e, 'ž'),
        (0x9f, 'Ÿ'),
    ];
    let mut index = 0;
    while index < used.len() {
        meanings[used[index].0 - 0x80] = Some(used[index].1);
        index += 1;
    }
    meanings
};

/// A text line by line in UTF-8, or else in Windows-1252, of which Latin-1, the first encoding of the format, is a part. A
/// byte that means nothing there is written as in `\x8d`, so that different names stay different.
pub(crate) fn decoded(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut lines = String::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) => lines.push_str(line),
            Err(_) => line.iter().for_each(|&byte| push_windows_1252(&mut lines, byte)),
        }
    }
    Cow::Owned(lines)
}

fn push_windows_1252(text: &mut String, byte: u8) {
    let meaning = match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => Some(char::from(byte)),
    };
    match meaning {
        Some(letter) => text.push(letter),
        None => write!(text, "\\x{byte:02x}").expect("text can be appended to a text"),
    }
}

/// Ends lines that end in a carriage return alone with a line feed, from an offset on. Returns how far it is done: a
/// carriage return at the very end may have its line feed in what follows.
pub(crate) fn end_lines(text: &mut [u8], from: usize) -> usize {
    let mut at = from;
    while let Some(found) = memchr(b'\r', &text[at..]) {
        at += found;
        let end = at + text[at..].iter().take_while(|&&byte| byte == b'\r').count();
        match text.get(end) {
            None => return at,
            Some(b'\n') => {}
            Some(_) => text[at..end].fill(b'\n'),
        }
        at = end;
    }
    text.len()
}

/// Whether a character is a space in a game: blanks, and what is not seen at all.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The number of bytes at the beginning of a line that are spaces, in UTF-8.
pub(super) fn leading_spaces(line: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        if byte.is_ascii_whitespace() || byte == 0x0b {
            at += 1;
            continue;
        }
        let length = match byte {
            0xc2 => 2,
            0xe1..=0xef => 3,
            _ => break,
        };
        let letter = line.get(at..at + length).and_then(|bytes| std::str::from_utf8(bytes).ok());
        if !letter.and_then(|letter| letter.chars().next()).is_some_and(is_space) {
            break;
        }
        at += length;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_bytes_are_different_letters() {
        assert_eq!(decoded("Zoë".as_bytes()), "Zoë");
        assert_eq!(decoded(b"\x8aari\xe6 O\x92Brien"), "Šariæ O’Brien");
        assert_eq!(decoded("Zoë\nZo\u{fffd}".replace('\u{fffd}', "").as_bytes()), "Zoë\nZo");
        // Each line is in its own encoding.
        assert_eq!(decoded(b"Zo\xc3\xab\nZo\xeb\n"), "Zoë\nZoë\n");
        let letters: std::collections::BTreeSet<String> =
            (0x80..=0xff).map(|byte| decoded(&[byte, b'a']).into_owned()).collect();
        assert_eq!(letters.len(), 128);
    }

    #[test]
    fn every_way_to_end_a_line_is_a_line_feed() {
        for (text, ended, done) in [
            ("a\rb\r\rc\n", "a\nb\n\nc\n", 7),
            ("a\r\nb\r\n", "a\r\nb\r\n", 6),
            ("a\r\r\nb", "a\r\r\nb", 5),
            ("a\rb\r", "a\nb\r", 3),
            ("a\rb\r\r", "a\nb\r\r", 3),
            ("", "", 0),
        ] {
            let mut bytes = text.as_bytes().to_vec();
            assert_eq!(end_lines(&mut bytes, 0), done, "{text:?}");
            assert_eq!(String::from_utf8(bytes).unwrap(), ended, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_seen_is_a_space() {
        for text in ["", " ", "\t", "\u{feff}", "\u{a0} ", "\u{200b}\u{2060}", "\u{ad}"] {
            assert_eq!(leading_spaces(format!("{text}é").as_bytes()), text.len(), "{text:?}");
        }
    }
}

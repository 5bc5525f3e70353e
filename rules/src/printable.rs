//! Text from anywhere on a terminal: nothing in it moves the cursor, changes colours or the order of letters.

use std::borrow::Cow;

/// A text with every character that a terminal would obey written as `\u{1b}`: control characters, those of the Latin-1 block
/// too, and those that change the direction of writing. Line breaks and tabs stay.
///
/// ```
/// use backrank_rules::printable;
///
/// assert_eq!(printable("Réti\n"), "Réti\n");
/// assert_eq!(printable("\x1b]0;title\x07 \u{9b}31m"), "\\u{1b}]0;title\\u{7} \\u{9b}31m");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| obeyed(letter) && letter != '\n' && letter != '\t')
}

/// The same of a text that belongs on one line, such as a name: line breaks and tabs are escaped, too.
///
/// ```
/// assert_eq!(backrank_rules::printable_line("one\ntwo"), "one\\u{a}two");
/// ```
pub fn printable_line(text: &str) -> Cow<'_, str> {
    escaped(text, obeyed)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match is_escaped(letter) {
            true => safe.extend(letter.escape_unicode()),
            false => safe.push(letter),
        }
    }
    Cow::Owned(safe)
}

/// Whether a terminal does something else with a character than show it.
fn obeyed(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            // Marks, embeddings, overrides and isolates of directions; separators of lines and paragraphs.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Tags, which are not shown at all.
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        for code in (0..0x20).chain(0x7f..0xa0).chain(0x202a..=0x202e).chain(0x2066..=0x2069) {
            let letter = char::from_u32(code).unwrap();
            let safe = printable_line(letter.encode_utf8(&mut [0; 4])).into_owned();
            assert_eq!(safe, format!("\\u{{{code:x}}}"));
        }
        for text in ["Žukov", "½–½", "王", "♔", "e\u{301}", ""] {
            assert!(matches!(printable_line(text), Cow::Borrowed(same) if same == text));
        }
        assert_eq!(printable("a\tb\r\n"), "a\tb\\u{d}\n");
    }
}

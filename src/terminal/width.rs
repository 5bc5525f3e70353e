//! How wide the terminal is.

use std::io::IsTerminal;

use unicode_width::UnicodeWidthStr;

/// The width of what is printed on standard output: that of the terminal, or what `COLUMNS` says. `None` where the reader is a file or
/// a program, for which no line is too long.
pub fn width() -> Option<usize> {
    let told =
        std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).filter(|&columns| columns > 0);
    told.or_else(|| {
        let shown = std::io::stdout().is_terminal();
        shown.then(terminal_size::terminal_size).flatten().map(|(width, _)| usize::from(width.0))
    })
}

/// The columns of the terminal that a text takes.
pub fn columns_of(text: &str) -> usize {
    text.width()
}

/// Paragraphs in lines that fit, broken between words.
pub fn wrapped(text: &str) -> String {
    wrapped_to(text, 0, width())
}

/// A name and what there is to say of it, in lines that fit; those after the first begin below the text's own beginning.
pub fn wrapped_after(name: &str, text: &str) -> String {
    const INDENT: usize = 13;
    format!("{name:<INDENT$}{}", wrapped_to(text, INDENT, width()))
}

/// Paragraphs in lines of so many columns, broken between words. A word that is longer stands in a line of its own.
pub fn wrapped_in(text: &str, width: usize) -> String {
    wrapped_to(text, 0, Some(width))
}

/// Paragraphs in lines of so many columns, of which so many are blank.
fn wrapped_to(text: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_string() };
    let room = width.saturating_sub(indent);
    let mut lines = String::with_capacity(text.len());
    for (number, paragraph) in text.split('\n').enumerate() {
        if number > 0 {
            lines.push('\n');
        }
        let mut used = 0;
        for word in paragraph.split(' ') {
            let columns = columns_of(word);
            if used > 0 && used + 1 + columns > room {
                lines.push('\n');
                lines.extend(std::iter::repeat_n(' ', indent));
                used = 0;
            } else if used > 0 {
                lines.push(' ');
                used += 1;
            }
            lines.push_str(word);
            used += columns;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_break_between_words() {
        assert_eq!(wrapped_to("a rook is worth five pawns", 0, Some(11)), "a rook is\nworth five\npawns");
        assert_eq!(wrapped_to("capablanca-random is a game", 0, Some(8)), "capablanca-random\nis a\ngame");
        assert_eq!(wrapped_to("a rook is worth five pawns", 0, None), "a rook is worth five pawns");
        assert_eq!(wrapped_to("\na rook\n\nis worth", 2, Some(7)), "\na\n  rook\n\nis\n  worth");
    }
}

//! What is wrong with a variant file.

use std::fmt;
use std::ops::Range;

use thiserror::Error;

use crate::nearest::nearest;

/// What is wrong with a variant file, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct VariantError {
    /// The name of the file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in letters, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub problem: String,
    excerpt: String,
    marked: usize,
}

impl VariantError {
    /// A problem with the bytes `span` of a text.
    pub fn new(path: &str, text: &str, span: Range<usize>, problem: impl Into<String>) -> Self {
        // A parser's span may end beyond the text or inside a letter.
        let start = text.floor_char_boundary(span.start.min(text.len()));
        let end = text.ceil_char_boundary(span.end.min(text.len())).max(start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let excerpt = text[line_start..].lines().next().unwrap_or("");
        let marked = text[start..end].lines().next().unwrap_or("");
        Self {
            path: path.to_string(),
            line: before.matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            problem: problem.into(),
            excerpt: excerpt.to_string(),
            marked: marked.chars().count().max(1),
        }
    }
}

/// What the TOML parser found to be wrong.
pub(super) fn message_of(error: &toml::de::Error) -> String {
    let message = error.message();
    with_meant(message).unwrap_or_else(|| message.to_string())
}

/// The message about a key that is not known, with the key that may have been meant.
fn with_meant(message: &str) -> Option<String> {
    let (key, expected) = message.strip_prefix("unknown field `")?.split_once("`, expected ")?;
    // The names stand between backquotes.
    let meant = *nearest(key, expected.split('`').skip(1).step_by(2)).first()?;
    Some(format!("unknown key `{key}`; did you mean `{meant}`? (expected {expected})"))
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(f, "{}:{}:{}: {}", self.path, self.line, self.column, self.problem)?;
        writeln!(f, "  {number} | {}", self.excerpt)?;
        write!(f, "  {margin} | {}{}", " ".repeat(self.column - 1), "^".repeat(self.marked))
    }
}

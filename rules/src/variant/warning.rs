//! What in a variant file others read otherwise.

use thiserror::Error;
use toml::Spanned;

use super::VariantError;
use crate::betza::BetzaWarning;
use crate::letter::Letter;

/// Something in a variant file that is right, but means something else to other programs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}:{line}:{column}: {piece}: {warning}")]
pub struct VariantWarning {
    /// The name of the file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in letters, from 1.
    pub column: usize,
    /// The letter of the piece.
    pub piece: Letter,
    /// What is read otherwise.
    pub warning: BetzaWarning,
}

impl VariantWarning {
    /// A warning about the moves of a piece, which stand in the text of a file.
    pub(super) fn new(
        path: &str,
        text: &str,
        betza: &Spanned<String>,
        piece: Letter,
        warning: &BetzaWarning,
    ) -> Self {
        let span = betza.span();
        // Where the text has escapes or more than one quotation mark on each side, the place is that of the whole.
        let is_plain = span.len() == betza.get_ref().len() + 2;
        let start = span.start + if is_plain { warning.column } else { 0 };
        let place = VariantError::new(path, text, start..span.end, String::new());
        Self {
            path: path.to_string(),
            line: place.line,
            column: place.column,
            piece,
            warning: warning.clone(),
        }
    }
}

//! Variants from texts, for which the rules are asked as well: only they know whether a position can be played.

use crate::compiled::Rules;
use crate::position::Position;
use crate::variant::{Faults, Variant, VariantError, file};

impl Variant {
    /// Reads the text of a variant file; errors call the file `path`.
    ///
    /// # Errors
    ///
    /// When the text is not a variant. The error says where it is wrong.
    pub fn parse(key: &str, path: &str, text: &str) -> Result<Self, VariantError> {
        let mut faults = Faults::default();
        let variant = Self::diagnose(key, path, text, &mut faults);
        match faults.first_error(path, text) {
            None => Ok(variant.expect("where nothing is wrong there is a variant")),
            Some(error) => Err(error),
        }
    }

    /// Reads the text of a variant file as far as it can be told, and adds everything that is wrong with it to `faults`. Where
    /// something is, what comes back is only good for finding more: a piece whose moves cannot be read moves like a wazir,
    /// for instance. `None` where the board, or how the pieces stand on it, is not known.
    pub fn diagnose(key: &str, path: &str, text: &str, faults: &mut Faults) -> Option<Self> {
        let (mut variant, span) = file::read(key, path, text, faults)?;
        if let Some(fen) = variant.position.as_ref().filter(|_| faults.is_empty()) {
            let rules = Rules::new(&variant);
            let start = Position::from_fen(&rules, fen).map(|start| start.to_fen());
            variant.position = faults.keep(start.map_err(|error| (span, error.to_string())));
        }
        Some(variant)
    }
}

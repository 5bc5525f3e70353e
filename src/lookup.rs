//! Looking up a setup, and its ids.

use backrank_analysis::thousands;
use backrank_enumerate::{Numbering, Space};
use backrank_rules::{Setup, Variant};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::output::json_number;

/// Whether a text is an id rather than a rank or a FEN.
pub fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The setup with an id, a rank or a FEN. If there is only one setup, the text may be missing.
pub fn find_setup(
    variant: &Variant,
    space: &Space,
    numbering: &Numbering,
    text: Option<&str>,
) -> Result<Setup, Failure> {
    let ids = || match space.len() {
        0 => format!("{} has no setups", variant.key),
        setups => format!("{} has {} setups, with ids 0 to {}", variant.key, thousands(setups), setups - 1),
    };
    match text {
        None if space.len() == 1 => Ok(space.unrank(0).expect("the only setup")),
        None => Err(Failure::Input(format!("{}; give an id or White's first rank", ids()))),
        Some(id) if is_id(id) => {
            let setup = id.parse().ok().and_then(|id| space.unrank_by(numbering, id));
            setup.ok_or_else(|| Failure::Input(format!("there is no setup {id}: {}", ids())))
        }
        Some(text) => Ok(space.read_start(variant, text)?),
    }
}

/// The ids of a setup in every numbering.
pub struct Ids<'a>(Vec<(&'a Numbering, u128)>);

impl<'a> Ids<'a> {
    pub fn of(space: &'a Space, setup: &Setup) -> Result<Self, Failure> {
        let id = |numbering| Ok((numbering, space.rank_by(numbering, setup)?));
        space.numberings().iter().map(id).collect::<Result<_, Failure>>().map(Self)
    }

    /// The lines to print, one for each id.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().map(|(numbering, id)| {
            let note = numbering.note().map_or_else(String::new, |note| format!(" ({note})"));
            ("id", format!("{id} in {}{note}", numbering.name()))
        })
    }

    /// The ids, by the names of their numberings.
    pub fn json(&self) -> Map<String, Value> {
        self.0.iter().map(|(numbering, id)| (numbering.name().to_string(), json_number(*id))).collect()
    }

    /// Notes on the origin of the numberings.
    pub fn json_notes(&self) -> Map<String, Value> {
        let notes = self.0.iter().filter_map(|(numbering, _)| {
            numbering.note().map(|note| (numbering.name().to_string(), note.into()))
        });
        notes.collect()
    }
}

/// Writes names and values in lines, with the values aligned.
pub fn write_lines(
    out: &mut impl std::io::Write,
    lines: impl IntoIterator<Item = (&'static str, String)>,
) -> std::io::Result<()> {
    lines.into_iter().try_for_each(|(name, value)| writeln!(out, "{name:<13}{value}"))
}

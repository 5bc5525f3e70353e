//! Looking up a setup, and its ids.

use backrank_analysis::table::thousands;
use backrank_enumerate::{Numbering, Sides, Space};
use backrank_rules::{Setup, Variant};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::NumberingArg;
use crate::terminal::failure::Failure;
use crate::terminal::output::json_number;

/// Whether a text is an id rather than a rank or a FEN.
pub fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The ids of White's rank and of Black's, if a text is two of them: `518/518`.
pub fn side_ids(text: &str) -> Option<[&str; 2]> {
    let (white, black) = text.split_once('/')?;
    (is_id(white) && is_id(black)).then_some([white, black])
}

/// The setup with an id, an id of each side's rank, a rank or a FEN. If there is only one setup, the text may be missing.
pub fn find_setup(
    variant: &Variant,
    space: &Space,
    numbering: &NumberingArg,
    text: Option<&str>,
) -> Result<Setup, Failure> {
    let ids = || match space.len() {
        0 => format!("{} has no setups", variant.key),
        setups => format!("{} has {} setups, with ids 0 to {}", variant.key, thousands(setups), setups - 1),
    };
    match text.map(str::trim) {
        None if space.len() == 1 => Ok(space.unrank(0).expect("the only setup")),
        None => Err(Failure::Input(format!("{}; give an id or White's first rank", ids()))),
        Some(id) if is_id(id) => {
            let numbering = numbering.of(space)?;
            let setup = id.parse().ok().and_then(|id| space.unrank_by(numbering, id));
            setup.ok_or_else(|| Failure::Input(format!("there is no setup {id}: {}", ids())))
        }
        Some(text) => match side_ids(text) {
            Some(ids) => {
                let numbering = numbering_of_sides(space, numbering, text)?;
                // What is beyond 128 bits is beyond any space, and is said to be.
                let ids = ids.map(|id| id.parse().unwrap_or(u128::MAX));
                Ok(space.unrank_sides(numbering, ids)?)
            }
            None => Ok(space.read_start(variant, text)?),
        },
    }
}

/// The numbering of one side's ranks that two ids are meant in: the one that is named, or one of the variant's file.
fn numbering_of_sides<'a>(
    space: &'a Space,
    numbering: &NumberingArg,
    ids: &str,
) -> Result<&'a Numbering, Failure> {
    if matches!(space.sides(), Sides::Listed(_)) {
        return Err(Failure::Input(format!(
            "{ids} are the numbers of two ranks, but these setups are listed one by one"
        )));
    }
    let named = numbering.of(space)?;
    let is_placed = |numbering: &&Numbering| matches!(numbering, Numbering::Placed(_));
    let of_file = || Some(named).filter(is_placed).or_else(|| space.numberings().iter().find(is_placed));
    let found = if numbering.is_given() { Some(named) } else { of_file() };
    found.ok_or_else(|| {
        Failure::Input(format!(
            "{ids} are the numbers of two ranks, and no numbering here has a name but lex: give --numbering lex if it is meant"
        ))
    })
}

/// The ids of a setup in every numbering.
pub struct Ids<'a>(Vec<Id<'a>>);

struct Id<'a> {
    numbering: &'a Numbering,
    /// The id of the setup.
    id: u128,
    /// The ids of White's rank and of Black's, where sides are independent and the numbering is one of ranks.
    sides: Option<[u128; 2]>,
}

impl<'a> Ids<'a> {
    pub fn of(space: &'a Space, setup: &Setup) -> Result<Self, Failure> {
        let ids = space.numberings().iter().map(|numbering| Id::of(space, numbering, setup));
        ids.collect::<Result<_, Failure>>().map(Self)
    }

    /// The lines to print, one for each id.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().map(|id| {
            let mut notes: Vec<String> = id.numbering.note().map(str::to_string).into_iter().collect();
            notes.extend(id.sides.map(|_| format!("{} for both", id.id)));
            let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
            ("id", format!("{} in {}{notes}", id.text(), id.numbering.name()))
        })
    }

    /// What is printed of them as JSON.
    pub fn json(&self) -> IdsJson {
        let by_name = |value: fn(&Id<'_>) -> Option<Value>| {
            let named = |id: &Id<'_>| Some((id.numbering.name().to_string(), value(id)?));
            self.0.iter().filter_map(named).collect()
        };
        IdsJson {
            ids: by_name(|id| Some(json_number(id.id))),
            side_ids: by_name(|id| Some(id.sides?.map(json_number).to_vec().into())),
            numbering_notes: by_name(|id| Some(id.numbering.note()?.into())),
        }
    }
}

/// The ids of a setup by the names of their numberings, as JSON.
#[derive(Serialize)]
pub struct IdsJson {
    ids: Map<String, Value>,
    /// Where sides are independent: the ids of White's rank and of Black's.
    #[serde(skip_serializing_if = "Map::is_empty")]
    side_ids: Map<String, Value>,
    /// Notes on the origin of the numberings.
    numbering_notes: Map<String, Value>,
}

impl<'a> Id<'a> {
    fn of(space: &Space, numbering: &'a Numbering, setup: &Setup) -> Result<Self, Failure> {
        let of_sides = matches!((space.sides(), numbering), (Sides::Independent, Numbering::Placed(_)));
        let sides = of_sides.then(|| space.rank_sides(numbering, setup)).transpose()?;
        Ok(Self { numbering, id: space.rank_by(numbering, setup)?, sides })
    }

    fn text(&self) -> String {
        match self.sides {
            Some([white, black]) => format!("{white}/{black}"),
            None => self.id.to_string(),
        }
    }
}

/// The id of a setup in a numbering, or those of both ranks, as they are printed.
pub fn id_text(space: &Space, numbering: &Numbering, setup: &Setup) -> Result<String, Failure> {
    Ok(Id::of(space, numbering, setup)?.text())
}

/// Writes names and values in lines, with the values aligned.
pub fn write_lines(
    out: &mut impl std::io::Write,
    lines: impl IntoIterator<Item = (&'static str, String)>,
) -> std::io::Result<()> {
    lines.into_iter().try_for_each(|(name, value)| writeln!(out, "{name:<13}{value}"))
}

//! The part of a variant file that defines the setups.

use std::ops::Range;

use backrank_rules::{FirstRank, Setup, Variant, VariantError};
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use crate::army::Army;
use crate::constraint::{Constraint, ConstraintList};
use crate::error::SpaceError;
use crate::numbering::{Numbering, Placed};
use crate::sides::Sides;

#[derive(Deserialize)]
struct VariantFile {
    setup: Spanned<SetupTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupTable {
    #[serde(rename = "first_rank")]
    _first_rank: IgnoredAny,
    symmetry: Option<Symmetry>,
    #[serde(default)]
    constraints: ConstraintList,
    #[serde(default)]
    numberings: Vec<Spanned<NumberingTable>>,
    #[serde(default)]
    listed: Vec<Spanned<ListedTable>>,
    #[serde(default)]
    notes: Vec<NoteTable>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
enum Symmetry {
    Mirror,
    Rotate,
    Independent,
}

impl TryFrom<String> for Symmetry {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "mirror" => Ok(Self::Mirror),
            "rotate" => Ok(Self::Rotate),
            "independent" => Ok(Self::Independent),
            _ => Err(format!("`{text}` is not a symmetry; it is `mirror`, `rotate` or `independent`")),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NumberingTable {
    name: String,
    #[serde(default)]
    default: bool,
    note: Option<String>,
    place: Vec<String>,
    rest: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedTable {
    name: String,
    white: Spanned<String>,
    symmetry: Option<Symmetry>,
    black: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteTable {
    rank: Spanned<String>,
    text: String,
}

/// A note on one rank of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) rank: FirstRank,
    pub(crate) text: String,
}

/// What `[setup]` says, checked against the army.
pub(crate) struct SetupPart {
    pub(crate) army: Army,
    pub(crate) sides: Sides,
    pub(crate) constraints: Vec<Constraint>,
    /// Each numbering with the bytes of the file that it is read from.
    pub(crate) numberings: Vec<(Placed, Range<usize>)>,
    /// The index in `numberings` of the one that is marked as default.
    pub(crate) default: Option<usize>,
    pub(crate) notes: Vec<Note>,
}

/// A problem, and the bytes of the file that it is about.
type Problem = (Range<usize>, String);

impl SetupPart {
    /// Reads `[setup]` of a variant's file, and adds further constraints.
    pub(crate) fn read(variant: &Variant, further: &[Constraint]) -> Result<Self, SpaceError> {
        let (path, text) = (variant.path(), variant.text());
        let file: VariantFile =
            toml::from_str(text).map_err(|error| VariantError::from_toml(path, text, &error))?;
        let mut part = check(&file.setup, Army::new(variant))
            .map_err(|(span, problem)| VariantError::new(path, text, span, problem))?;
        for constraint in further {
            let invalid = |problem| SpaceError::Constraint { name: constraint.name(), problem };
            constraint.rule().validate(&part.army).map_err(invalid)?;
            part.constraints.push(constraint.clone());
        }
        Ok(part)
    }
}

fn check(table: &Spanned<SetupTable>, army: Army) -> Result<SetupPart, Problem> {
    let span = table.span();
    let table = table.get_ref();
    let mut constraints = Vec::new();
    for constraint in &table.constraints.0 {
        constraint.get_ref().rule().validate(&army).map_err(|problem| (constraint.span(), problem))?;
        constraints.push(constraint.get_ref().clone());
    }
    let sides = match (table.symmetry, &table.listed[..]) {
        (Some(Symmetry::Mirror), []) => Sides::Mirror,
        (Some(Symmetry::Rotate), []) => Sides::Rotate,
        (Some(Symmetry::Independent), []) => Sides::Independent,
        (None, []) => {
            return Err((
                span,
                "how Black is set up is missing: symmetry = \"mirror\", \"rotate\" or \"independent\", or [[setup.listed]]"
                    .to_string(),
            ));
        }
        (None, listed) => {
            Sides::Listed(listed.iter().map(|entry| read_listed(entry, &army)).collect::<Result<_, _>>()?)
        }
        (Some(_), [entry, ..]) => {
            return Err((
                entry.span(),
                "there are listed setups and a symmetry; a game has only one of them".to_string(),
            ));
        }
    };
    let mut numberings: Vec<(Placed, Range<usize>)> = Vec::new();
    let mut default = None;
    for numbering in &table.numberings {
        let NumberingTable { name, default: is_default, note, place, rest } = numbering.get_ref();
        let taken = [Numbering::Lex.name(), Numbering::Listed.name()].contains(&name.as_str())
            || numberings.iter().any(|(other, _)| other.name() == name);
        if taken {
            return Err((numbering.span(), format!("there is another numbering called {name}")));
        }
        if *is_default && default.replace(numberings.len()).is_some() {
            return Err((numbering.span(), "there is another default numbering".to_string()));
        }
        let placed = Placed::read(name, note.as_deref(), place, rest, &army)
            .map_err(|problem| (numbering.span(), problem))?;
        numberings.push((placed, numbering.span()));
    }
    let mut notes = Vec::new();
    for note in &table.notes {
        notes.push(Note { rank: read_rank(&note.rank, &army)?, text: note.text.clone() });
    }
    Ok(SetupPart { army: army.facing(&sides), sides, constraints, numberings, default, notes })
}

fn read_rank(text: &Spanned<String>, army: &Army) -> Result<FirstRank, Problem> {
    army.read_rank(text.get_ref()).map_err(|error| (text.span(), error.to_string()))
}

fn read_listed(entry: &Spanned<ListedTable>, army: &Army) -> Result<(String, Setup), Problem> {
    let table = entry.get_ref();
    let white = read_rank(&table.white, army)?;
    let black = match (table.symmetry, &table.black) {
        (Some(Symmetry::Mirror), None) => white,
        (Some(Symmetry::Rotate), None) => white.reversed(),
        (None, Some(black)) => read_rank(black, army)?,
        _ => {
            return Err((
                entry.span(),
                "a listed setup has either symmetry = \"mirror\" or \"rotate\", or black = \"…\"".to_string(),
            ));
        }
    };
    Ok((table.name.clone(), Setup { white, black }))
}

//! The part of a variant file that defines the setups.

use std::ops::Range;

use backrank_rules::{Faults, FirstRank, Problem, Setup, Variant};
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use crate::army::Army;
use crate::constraint::{Constraint, ConstraintList};
use crate::error::SpaceError;
use crate::numbering::{Numbering, Placed};
use crate::sides::{Counterparts, Sides};

#[derive(Deserialize)]
struct VariantFile {
    setup: Option<Spanned<SetupTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupTable {
    /// Where pieces stand is read with the rest of the variant.
    #[serde(rename = "first_rank")]
    _first_rank: Option<IgnoredAny>,
    #[serde(rename = "ranks")]
    _ranks: Option<IgnoredAny>,
    #[serde(rename = "white")]
    _white: Option<IgnoredAny>,
    #[serde(rename = "black")]
    _black: Option<IgnoredAny>,
    #[serde(rename = "shuffled_rank")]
    _shuffled_rank: Option<IgnoredAny>,
    #[serde(rename = "pawn_ranks")]
    _pawn_ranks: Option<IgnoredAny>,
    position: Option<Spanned<IgnoredAny>>,
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
    /// White's army and Black's.
    pub(crate) armies: [Army; 2],
    pub(crate) sides: Sides,
    pub(crate) constraints: Vec<Constraint>,
    /// Each numbering with the bytes of the file that it is read from.
    pub(crate) numberings: Vec<(Placed, Range<usize>)>,
    /// The index in `numberings` of the one that is marked as default.
    pub(crate) default: Option<usize>,
    pub(crate) notes: Vec<Note>,
}

impl SetupPart {
    /// Reads `[setup]` of a variant's file, and adds further constraints.
    pub(crate) fn read(variant: &Variant, further: &[Constraint]) -> Result<Self, SpaceError> {
        let (path, text) = (variant.path(), variant.text());
        let mut faults = Faults::default();
        let part = Self::diagnose(text, Some(variant), &mut faults);
        if let Some(error) = faults.first_error(path, text) {
            return Err(error.into());
        }
        let mut part = part.expect("where nothing is wrong there are setups");
        for constraint in further {
            let invalid = |problem| SpaceError::Constraint { name: constraint.name(), problem };
            validate(constraint, &part.armies, &part.sides).map_err(invalid)?;
            part.constraints.push(constraint.clone());
        }
        Ok(part)
    }

    /// Reads `[setup]` as far as it can be told, and adds what is wrong with it to `faults`; without a variant, only what needs none
    /// is looked at.
    pub(crate) fn diagnose(text: &str, variant: Option<&Variant>, faults: &mut Faults) -> Option<Self> {
        let file: VariantFile = faults.read(text)?;
        check(&file.setup?, variant?, faults)
    }
}

/// Checks that a constraint makes sense for the armies that it is on.
fn validate(constraint: &Constraint, armies: &[Army; 2], sides: &Sides) -> Result<(), String> {
    let rule = constraint.rule();
    if let (Constraint::OfSide(of_side), Sides::Mirror(_) | Sides::Rotate(_)) = (constraint, sides) {
        return Err(format!(
            "Black's rank follows from White's where sides are {}; write {} without `{}.` before it",
            sides.name(),
            constraint.name(),
            of_side.side.to_string().to_lowercase(),
        ));
    }
    let [white, black] = armies;
    if white.has_pawn_choices()
        && matches!(
            constraint,
            Constraint::NoCheck(_) | Constraint::PawnsProtected(_) | Constraint::UpToReflection(_)
        )
    {
        return Err("it does not go with pawns that start on one of two ranks (`pawn_ranks`)".to_string());
    }
    rule.validate(white)?;
    if !matches!(sides, Sides::Independent) || white.is_like(black) {
        // A constraint on Black alone is not on White's army.
        return if matches!(constraint, Constraint::OfSide(_)) { rule.validate(black) } else { Ok(()) };
    }
    rule.validate(black).map_err(|problem| match constraint {
        Constraint::OfSide(_) => problem,
        _ => format!(
            "{problem} of Black's; a constraint on one side only is `white.{name}` or `black.{name}`",
            name = constraint.name()
        ),
    })
}

fn check(table: &Spanned<SetupTable>, variant: &Variant, faults: &mut Faults) -> Option<SetupPart> {
    let armies = Army::of_sides(variant);
    // Where that could not be read, it is not missing.
    let is_left_out = faults.left_out_of("setup").any(|key| ["symmetry", "listed"].contains(&key));
    let sides = read_sides(table, variant, &armies);
    let sides = if is_left_out { sides.ok() } else { faults.keep(sides) };
    let table = table.get_ref();
    let army = &armies[0];
    let mut constraints = Vec::new();
    // Which constraints there can be depends on how Black follows from White.
    for (sides, constraint) in
        sides.iter().flat_map(|sides| table.constraints.0.iter().map(move |one| (sides, one)))
    {
        let valid =
            validate(constraint.get_ref(), &armies, sides).map_err(|problem| (constraint.span(), problem));
        constraints.extend(faults.keep(valid).map(|()| constraint.get_ref().clone()));
    }
    let mut numberings: Vec<(Placed, Range<usize>)> = Vec::new();
    let mut default = None;
    for numbering in &table.numberings {
        let NumberingTable { name, default: is_default, note, place, rest } = numbering.get_ref();
        let taken = [Numbering::Lex.name(), Numbering::Listed.name()].contains(&name.as_str())
            || numberings.iter().any(|(other, _)| other.name() == name);
        if taken {
            faults.push((numbering.span(), format!("there is another numbering called {name}")));
            continue;
        }
        if *is_default && default.replace(numberings.len()).is_some() {
            faults.push((numbering.span(), "there is another default numbering".to_string()));
        }
        let placed = Placed::read(name, note.as_deref(), place, rest, army)
            .map_err(|problem| (numbering.span(), problem));
        numberings.extend(faults.keep(placed).map(|placed| (placed, numbering.span())));
    }
    let mut notes = Vec::new();
    for note in &table.notes {
        let rank = faults.keep(read_rank(&note.rank, army));
        notes.extend(rank.map(|rank| Note { rank, text: note.text.clone() }));
    }
    let sides = sides?;
    Some(SetupPart { armies: Army::set_up(armies, &sides), sides, constraints, numberings, default, notes })
}

/// How Black is set up.
fn read_sides(table: &Spanned<SetupTable>, variant: &Variant, armies: &[Army; 2]) -> Result<Sides, Problem> {
    let span = table.span();
    let table = table.get_ref();
    let [army, army_of_black] = armies;
    let has_two_armies = variant.armies[0] != variant.armies[1];
    let counterparts = || {
        Counterparts::of(&army.pattern(), &army_of_black.pattern())
            .map_err(|problem| (span.clone(), format!("symmetry = \"mirror\" or \"rotate\": {problem}")))
    };
    if let Some(position) = &table.position
        && (table.symmetry.is_some() || !table.listed.is_empty() || !table.constraints.0.is_empty())
    {
        let problem = "a start by its `position` is the only one: it has no symmetry, no constraints and no other setups";
        return Err((position.span(), problem.to_string()));
    }
    match (table.symmetry, &table.listed[..]) {
        (None, []) if variant.position.is_some() => {
            Ok(Sides::Listed(vec![("start".to_string(), variant.written_setup())]))
        }
        (Some(Symmetry::Mirror), []) => Ok(Sides::Mirror(counterparts()?)),
        (Some(Symmetry::Rotate), []) => Ok(Sides::Rotate(counterparts()?)),
        (Some(Symmetry::Independent), []) => Ok(Sides::Independent),
        // Two armies are shuffled each by itself unless the file says that one follows from the other.
        (None, []) if has_two_armies => Ok(Sides::Independent),
        (None, []) => {
            let problem = "how Black is set up is missing: symmetry = \"mirror\", \"rotate\" or \"independent\", or [[setup.listed]]";
            Err((span, problem.to_string()))
        }
        (None, listed) => Ok(Sides::Listed(
            listed.iter().map(|entry| read_listed(entry, armies)).collect::<Result<_, _>>()?,
        )),
        (Some(_), [entry, ..]) => {
            let problem = "there are listed setups and a symmetry; a game has only one of them";
            Err((entry.span(), problem.to_string()))
        }
    }
}

fn read_rank(text: &Spanned<String>, army: &Army) -> Result<FirstRank, Problem> {
    army.read_rank(text.get_ref()).map_err(|error| (text.span(), error.to_string()))
}

fn read_listed(entry: &Spanned<ListedTable>, armies: &[Army; 2]) -> Result<(String, Setup), Problem> {
    let table = entry.get_ref();
    let [army, army_of_black] = armies;
    let white = read_rank(&table.white, army)?;
    let black = match (table.symmetry, &table.black) {
        (Some(Symmetry::Mirror), None) if army.kinds() == army_of_black.kinds() => white,
        (Some(Symmetry::Rotate), None) if army.kinds() == army_of_black.kinds() => white.reversed(),
        (None, Some(black)) => read_rank(black, army_of_black)?,
        _ => {
            return Err((
                entry.span(),
                "a listed setup has either symmetry = \"mirror\" or \"rotate\", or black = \"…\", which two armies always need".to_string(),
            ));
        }
    };
    Ok((table.name.clone(), Setup { white, black }))
}

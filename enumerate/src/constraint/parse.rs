//! Constraints as text: in variant files and on the command line.

use std::fmt;

use backrank_rules::{File, Letter, nearest};
use serde::Deserialize;
use serde::de::{self, MapAccess, Visitor};
use thiserror::Error;
use toml::Spanned;

use super::{Constraint, OfSide};

/// Why a text is not a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConstraintError {
    /// No constraint has this name.
    #[error("unknown constraint `{name}`; {}", meant(name))]
    Unknown {
        /// The name.
        name: String,
    },
    /// A constraint with this name does not take this value.
    #[error("{name}={value}: {problem}; {}", example(name))]
    Value {
        /// The constraint's name.
        name: String,
        /// The value.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// What an unknown name may have been meant to be, with the form that is right.
fn meant(name: &str) -> String {
    let name = OfSide::split(name).map_or(name, |(_, name)| name);
    let names = || Constraint::KNOWN.iter().map(|(name, _)| *name);
    match nearest(name, names()).first() {
        Some(meant) => format!("did you mean `{meant}`? {}", in_file(meant)),
        None => format!("known are {}", names().collect::<Vec<_>>().join(", ")),
    }
}

/// An example of a constraint on the command line and in a file.
fn in_file(name: &str) -> String {
    let form = Constraint::KNOWN.iter().find(|known| known.0 == name).map_or("", |known| known.1);
    let in_quotes = if form == "true" { form.to_string() } else { format!("\"{form}\"") };
    format!("It is written {{ {name} = {in_quotes} }} in a file, and {name}={form} elsewhere")
}

fn example(name: &str) -> String {
    let name = OfSide::split(name).map_or(name, |(_, name)| name);
    let form = Constraint::KNOWN.iter().find(|known| known.0 == name).map_or("", |known| known.1);
    format!("an example is {name}={form}")
}

impl std::str::FromStr for Constraint {
    type Err = ConstraintError;

    /// Reads `name=value`, or only the name of a constraint whose value is `true`.
    fn from_str(text: &str) -> Result<Self, ConstraintError> {
        let (name, value) = text.split_once('=').unwrap_or((text, "true"));
        Self::read(name.trim(), value.trim())
    }
}

impl<'de> Deserialize<'de> for Constraint {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ConstraintEntry)
    }
}

/// The constraints in a file.
#[derive(Default)]
pub(crate) struct ConstraintList(pub(crate) Vec<Spanned<Constraint>>);

impl<'de> Deserialize<'de> for ConstraintList {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = ConstraintList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list in brackets, such as [{ between = \"K,R,R\" }]")
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<ConstraintList, A::Error> {
                let mut constraints = Vec::new();
                while let Some(constraint) = list.next_element()? {
                    constraints.push(constraint);
                }
                Ok(ConstraintList(constraints))
            }
        }
        deserializer.deserialize_any(List)
    }
}

/// A value in TOML: a string, or `true`.
struct Value(String);

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrTrue;
        impl<'de> Visitor<'de> for TextOrTrue {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text such as \"K,R,R\", or true")
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = list.next_element::<String>()? {
                    parts.push(part);
                }
                let meant = format!(
                    "letters are one text, with commas between them; did you mean \"{}\"?",
                    parts.join(",")
                );
                Err(de::Error::custom(meant))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
                Ok(Value(text.to_string()))
            }

            fn visit_bool<E: de::Error>(self, truth: bool) -> Result<Value, E> {
                Ok(Value(truth.to_string()))
            }
        }
        deserializer.deserialize_any(TextOrTrue)
    }
}

struct ConstraintEntry;

impl<'de> Visitor<'de> for ConstraintEntry {
    type Value = Constraint;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one constraint such as { between = \"K,R,R\" }")
    }

    /// A constraint as it is written after `--where`.
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Constraint, E> {
        text.parse::<Constraint>().map_err(E::custom)?;
        let (name, value) = text.split_once('=').unwrap_or((text, "true"));
        let (name, value) = (name.trim(), value.trim());
        let value = if value == "true" { value.to_string() } else { format!("\"{value}\"") };
        Err(E::custom(format!("a constraint is a table; did you mean {{ {name} = {value} }}?")))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Constraint, A::Error> {
        let Some(name) = map.next_key::<String>()? else {
            return Err(de::Error::invalid_length(0, &self));
        };
        // `white.between = "K,R,R"` is a table within the table.
        if let Some(side) = OfSide::side(&name) {
            let constraint: Constraint = map.next_value()?;
            if map.next_key::<de::IgnoredAny>()?.is_some() {
                return Err(de::Error::invalid_length(2, &self));
            }
            return constraint.on(side, &name, "…").map_err(de::Error::custom);
        }
        let Value(value) = map.next_value()?;
        if map.next_key::<de::IgnoredAny>()?.is_some() {
            return Err(de::Error::invalid_length(2, &self));
        }
        Constraint::read(&name, &value).map_err(de::Error::custom)
    }
}

/// Reads piece letters that are separated by commas.
pub(super) fn letters(text: &str) -> Result<Vec<Letter>, String> {
    text.split(',')
        .map(|part| part.trim().parse().map_err(|_| format!("`{part}` is not a piece letter")))
        .collect()
}

/// Reads two piece letters.
pub(super) fn two_letters(text: &str) -> Result<[Letter; 2], String> {
    letters(text)?
        .try_into()
        .map_err(|_| "two piece letters with a comma between them are expected".to_string())
}

/// Reads `true`.
pub(super) fn truth(text: &str) -> Result<(), String> {
    if text == "true" { Ok(()) } else { Err("it takes no value but `true`".to_string()) }
}

/// Reads file letters in a row, such as `abc`.
pub(super) fn files(text: &str) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for letter in text.trim().chars() {
        match letter {
            'a'..='p' if !files.contains(&File(letter as u8 - b'a')) => files.push(File(letter as u8 - b'a')),
            'a'..='p' => return Err(format!("file {letter} is named twice")),
            _ => return Err(format!("`{letter}` is not a file")),
        }
    }
    if files.is_empty() { Err("no files are named".to_string()) } else { Ok(files) }
}

//! Everything that is wrong with a file, not only the first of it.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer, Error};

use super::VariantError;
use super::error::message_of;

/// A problem, and the bytes of the file that it is about.
pub type Problem = (Range<usize>, String);

/// What is wrong with a file.
#[derive(Debug, Default)]
pub struct Faults {
    problems: Vec<Problem>,
    /// Where entries stood that were left out, because they could not be read: each by its keys.
    left_out: Vec<Vec<String>>,
    /// The places that are no TOML. What is around them is read as well as can be, but something may seem to be missing.
    torn: Vec<Range<usize>>,
}

impl Faults {
    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// What a part of the file says; `None` if it is wrong, which is noted.
    pub fn keep<T>(&mut self, part: Result<T, Problem>) -> Option<T> {
        part.map_err(|problem| self.push(problem)).ok()
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The first that was found, which is that of the form of a file where there is one.
    pub fn first_error(self, path: &str, text: &str) -> Option<VariantError> {
        self.problems.into_iter().next().map(|(span, problem)| VariantError::new(path, text, span, problem))
    }

    /// The problems in the order of their places, each once.
    pub fn into_errors(mut self, path: &str, text: &str) -> Vec<VariantError> {
        self.problems.sort_by_key(|(span, _)| span.start);
        self.problems.dedup();
        let error = |(span, problem)| VariantError::new(path, text, span, problem);
        self.problems.into_iter().map(error).collect()
    }

    /// Reads a text as TOML. What cannot be read is noted and left out, and the rest is read without it; `None` if a part is
    /// missing that `T` cannot do without.
    pub fn read<T: DeserializeOwned>(&mut self, text: &str) -> Option<T> {
        let (mut table, errors) = DeTable::parse_recoverable(text);
        for problem in errors.iter().map(problem_of) {
            self.torn.push(problem.0.clone());
            self.push(problem);
        }
        loop {
            let error = match T::deserialize(Deserializer::from(table.clone())) {
                Ok(file) => return Some(file),
                Err(error) => error,
            };
            let (span, message) = problem_of(&error);
            let mut keys = Vec::new();
            let is_left_out = leave_out(table.get_mut(), span.start, &mut keys);
            if !self.is_known(&keys, &message) && !self.is_torn(text, &span, &message) {
                self.push((span, message));
            }
            if !is_left_out {
                return None;
            }
            self.left_out.push(keys);
        }
    }

    /// The keys right below a table under which nothing could be read.
    pub fn left_out_of(&self, table: &str) -> impl Iterator<Item = &str> {
        self.left_out.iter().filter_map(move |keys| match &keys[..] {
            [of, key] if of == table => Some(key.as_str()),
            _ => None,
        })
    }

    /// Whether a key that seems to be missing may be there: it was left out, or stands where the file is no TOML.
    pub fn may_be_there(&self, key: &str) -> bool {
        !self.torn.is_empty() || self.left_out.iter().any(|keys| keys[..] == [key])
    }

    /// Whether a problem is what a place that is no TOML was taken for.
    fn is_torn(&self, text: &str, span: &Range<usize>, message: &str) -> bool {
        let line = |byte: usize| {
            text.as_bytes()[..byte.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
        };
        let is_on_its_line =
            |torn: &Range<usize>| (line(torn.start)..=line(torn.end)).contains(&line(span.start));
        !self.torn.is_empty()
            && (message.starts_with("missing field") || self.torn.iter().any(is_on_its_line))
    }

    /// Whether a key may be missing from a table only because it was left out, or was written otherwise.
    fn is_known(&self, table: &[String], message: &str) -> bool {
        message.starts_with("missing field")
            && self.left_out.iter().any(|keys| keys.split_last().is_some_and(|(_, of)| of == table))
    }
}

fn problem_of(error: &Error) -> Problem {
    (error.span().unwrap_or(0..0), message_of(error))
}

/// Takes out the innermost entry of a table that has a byte of the file, and says under which keys it stood; of a list it takes
/// out the element. Whether there is one.
fn leave_out(table: &mut DeTable<'_>, byte: usize, keys: &mut Vec<String>) -> bool {
    let has_byte = |span: Range<usize>| span.contains(&byte);
    // A table under a heading of its own has its span there, and its entries further down.
    let of = table.iter_mut().find_map(|(key, value)| {
        let is_here = has_byte(key.span()) || has_byte(value.span()) || is_within(value, byte);
        is_here.then(|| (key.get_ref().to_string(), has_byte(key.span()), value))
    });
    let Some((key, is_key, value)) = of else { return false };
    keys.push(key.clone());
    let is_inner_left_out = !is_key
        && match value.get_mut() {
            DeValue::Table(inner) => leave_out(inner, byte, keys),
            DeValue::Array(list) => leave_out_element(list, byte),
            _ => false,
        };
    if !is_inner_left_out {
        table.remove(key.as_str());
    }
    true
}

fn leave_out_element<'i>(list: &mut DeArray<'i>, byte: usize) -> bool {
    let before = list.len();
    let mut kept = DeArray::new();
    for value in std::mem::replace(list, DeArray::new()) {
        if !value.span().contains(&byte) && !is_within(&value, byte) {
            kept.push(value);
        }
    }
    *list = kept;
    list.len() < before
}

/// Whether a byte of the file belongs to something within a value.
fn is_within(value: &Spanned<DeValue<'_>>, byte: usize) -> bool {
    match value.get_ref() {
        DeValue::Table(table) => table.iter().any(|(key, value)| {
            key.span().contains(&byte) || value.span().contains(&byte) || is_within(value, byte)
        }),
        DeValue::Array(list) => {
            list.iter().any(|value| value.span().contains(&byte) || is_within(value, byte))
        }
        _ => false,
    }
}

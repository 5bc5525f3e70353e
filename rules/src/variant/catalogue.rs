//! The variants that come with the toolkit.

use std::io;
use std::path::Path;

use include_dir::{Dir, include_dir};
use thiserror::Error;

use super::{Variant, VariantError};
use crate::files::{read_named_text, read_text};
use crate::nearest::{nearest, normal};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/variants");

/// A larger file is no variant: the largest of the catalogue has a few thousand bytes.
const LARGEST: u64 = 1 << 20;

/// Why no variant was found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    /// The name is neither a key of the catalogue nor the path of a file.
    #[error("no variant `{name}`{}", hint(.nearest))]
    Unknown {
        /// The name.
        name: String,
        /// The keys most like it, the most similar first.
        nearest: Vec<&'static str>,
    },
    /// A file cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// Its path.
        path: String,
        /// What the operating system said.
        error: io::Error,
    },
    /// A file is not a variant.
    #[error(transparent)]
    Invalid(#[from] VariantError),
}

fn hint(nearest: &[&str]) -> String {
    match nearest {
        [] => String::new(),
        keys => format!("; did you mean {}?", keys.join(", ")),
    }
}

/// The keys and texts of the files, in alphabetical order of the keys.
fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut files: Vec<_> = FILES
        .files()
        .filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)))
        .collect();
    files.sort_unstable();
    files.into_iter()
}

/// Every variant that comes with the toolkit, in alphabetical order of the keys.
pub fn catalogue() -> impl Iterator<Item = Variant> {
    files().map(|(key, text)| embedded(key, text).expect("every file of the catalogue is a variant"))
}

fn embedded(key: &str, text: &str) -> Result<Variant, VariantError> {
    Variant::parse(key, &format!("{key}.toml"), text)
}

pub(super) fn find(name: &str) -> Result<Variant, FindError> {
    if let Some((key, text)) = files().find(|(key, _)| normal(key) == normal(name)) {
        return Ok(embedded(key, text)?);
    }
    let path = Path::new(name);
    // It need not be a regular file: a pipe can hold a variant.
    let is_readable = path.exists() && !path.is_dir();
    if path.extension().is_some_and(|extension| extension == "toml") || is_readable {
        return read(path, read_named_text);
    }
    Err(FindError::Unknown { name: name.to_string(), nearest: nearest(name, files().map(|(key, _)| key)) })
}

pub(super) fn open(path: &Path) -> Result<Variant, FindError> {
    read(path, read_text)
}

fn read(path: &Path, text_of: fn(&Path, u64) -> io::Result<String>) -> Result<Variant, FindError> {
    let shown = path.display().to_string();
    let text =
        text_of(path, LARGEST).map_err(|error| FindError::Unreadable { path: shown.clone(), error })?;
    let key = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok(Variant::parse(&key, &shown, &text)?)
}

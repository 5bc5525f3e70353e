//! Comparing two definitions by the names in their TOML files.

use std::path::Path;

use serde::Serialize;

use super::error::StoreError;
use super::kind::DirectoryKind;

/// The value of a setting that a definition does not have.
const NOTHING: &str = "nothing";

/// The settings in which two studies, or two atlases, differ: the name of each in the TOML file, its value in `ours`
/// and its value in `theirs`. Of values with several lines only the first line that differs is given. Names in
/// `left_out` and everything under them are ignored.
pub fn differences<Q: Serialize>(ours: &Q, theirs: &Q, left_out: &[&str]) -> Vec<[String; 3]> {
    let flat = |definition: &Q| {
        let table =
            toml::Table::try_from(definition).expect("a definition has nothing that TOML cannot hold");
        let mut values = Vec::new();
        flatten("", &toml::Value::Table(table), &mut values);
        values
    };
    let (ours, theirs) = (flat(ours), flat(theirs));
    let find = |values: &[(String, String)], name: &str| {
        values.iter().find(|(other, _)| other == name).map_or(NOTHING.to_string(), |(_, value)| value.clone())
    };
    let mut names: Vec<&String> = ours.iter().chain(&theirs).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .filter(|name| {
            !left_out.contains(&name.as_str())
                && !left_out.contains(&name.split('.').next().unwrap_or_default())
        })
        .map(|name| (name.clone(), find(&ours, name), find(&theirs, name)))
        .filter(|(_, ours, theirs)| ours != theirs)
        .map(|(name, ours, theirs)| {
            let [ours, theirs] = differing_lines(&ours, &theirs).unwrap_or([ours, theirs]);
            [name, ours, theirs]
        })
        .collect()
}

/// Refuses to continue what was begun in a directory with anything else, if there are [`differences`]
/// between the two.
///
/// # Errors
///
/// When there are. The error names them.
pub fn check_unchanged(
    what: DirectoryKind,
    path: &Path,
    differences: &[[String; 3]],
) -> Result<(), StoreError> {
    let path = path.to_path_buf();
    let is_engine = |name: &str| name.rsplit('.').next() == Some("fingerprint");
    match differences {
        [] => Ok(()),
        [[_, was, is], ..] if differences.iter().all(|[name, ..]| is_engine(name)) => {
            let was = Some(was.clone()).filter(|was| was != NOTHING);
            Err(StoreError::OtherEngine { what, path, was, is: is.clone() })
        }
        _ => {
            let line =
                |[name, begun, now]: &[String; 3]| format!("\n  {name}: begun with {begun}, now {now}");
            Err(StoreError::OtherOptions { what, path, lines: differences.iter().map(line).collect() })
        }
    }
}

/// The first line in which two texts differ, if either has several lines.
fn differing_lines(ours: &str, theirs: &str) -> Option<[String; 2]> {
    if !ours.contains('\n') && !theirs.contains('\n') {
        return None;
    }
    let line = |text: &str, number: usize| match text.lines().nth(number) {
        Some(line) => format!("`{line}` in line {}", number + 1),
        None => format!("no line {}", number + 1),
    };
    let number = ours.lines().zip(theirs.lines()).take_while(|(ours, theirs)| ours == theirs).count();
    Some([line(ours, number), line(theirs, number)])
}

/// Collects the values of a table and of the tables in it, by their dotted names.
fn flatten(name: &str, value: &toml::Value, into: &mut Vec<(String, String)>) {
    match value {
        toml::Value::Table(table) => table.iter().for_each(|(key, value)| {
            flatten(&if name.is_empty() { key.clone() } else { format!("{name}.{key}") }, value, into);
        }),
        toml::Value::String(text) => into.push((name.to_string(), text.clone())),
        value => into.push((name.to_string(), value.to_string())),
    }
}

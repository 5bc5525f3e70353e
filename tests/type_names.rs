//! One name means one thing: no two files declare a type of the same name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the sources of the workspace are.
const SOURCES: [&str; 10] =
    ["src", "rules", "enumerate", "endgames", "selfplay", "analysis", "tests", "benches", "examples", "fuzz"];

/// The slow generator of moves shares nothing with the crate that it is compared with, not even its types.
const APART: &str = "rules/tests/suite/slow";

fn add_sources(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            add_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}

/// The name of the type that a line declares. Indented lines, which declare the types of a trait or of a small module, do
/// not count.
fn declared(line: &str) -> Option<&str> {
    let item = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let (keyword, rest) = item.split_once(' ')?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    ["struct", "enum", "trait", "type", "union"].contains(&keyword).then_some(&rest[..end])
}

#[test]
fn no_two_files_declare_a_type_of_the_same_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in SOURCES {
        add_sources(&root.join(folder), &mut sources);
    }
    let mut declarations: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in sources.iter().filter(|path| !path.starts_with(root.join(APART))) {
        let text = std::fs::read_to_string(path).unwrap();
        for name in text.lines().filter_map(declared) {
            let files = declarations.entry(name.to_string()).or_default();
            if files.last() != Some(path) {
                files.push(path.clone());
            }
        }
    }
    assert!(declarations.contains_key("Bitboard") && declarations.contains_key("StudyDirectory"));
    let twice: Vec<_> = declarations.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

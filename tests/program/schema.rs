//! The JSON schema of variant files, held against what the reader accepts. `tests/schema.py` validates files by it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{backrank, stdout};

/// A file with a place in each of its tables for a key that nobody knows.
const FILE: &str = r#"
name = "t"
source = "t"
%root
[board]
files = 8
ranks = 8
%board
[pieces]
K = { name = "king", betza = "K", royal = true %piece }
R = { name = "rook", betza = "R" }
[pawn]
promotion = { ranks = 1, forced = 1 %promotion }
%pawn
[setup]
first_rank = "R...K..R"
%setup
%listed
%constraints
%numberings
%notes
[castling]
left = { king = "c", partner = "d", notation = "O-O-O" %landing }
right = { king = "g", partner = "f", notation = "O-O" }
%castling
%with
[adjustment]
piece = "R"
%adjustment
[endings]
goal = { piece = "K", squares = "d4" %goal }
%endings
"#;

/// The tables of a file: the mark of the place, what is written there, and where the schema has the table.
const TABLES: [(&str, &str, &str); 17] = [
    ("root", "nonesuch = 1", ""),
    ("board", "nonesuch = 1", "/properties/board"),
    ("piece", ", nonesuch = 1", "/properties/pieces/patternProperties/^[A-OQ-Z]$"),
    ("pawn", "nonesuch = 1", "/properties/pawn"),
    ("promotion", ", nonesuch = 1", "/properties/pawn/properties/promotion"),
    ("setup", "nonesuch = 1", "/properties/setup"),
    ("listed", "listed = [{ nonesuch = 1 }]", "/properties/setup/properties/listed/items"),
    ("constraints", "constraints = [{ nonesuch = true }]", "/properties/setup/properties/constraints/items"),
    ("constraints", "constraints = [{ white.nonesuch = true }]", "/definitions/constraint_of_side"),
    ("numberings", "numberings = [{ nonesuch = 1 }]", "/properties/setup/properties/numberings/items"),
    ("notes", "notes = [{ nonesuch = 1 }]", "/properties/setup/properties/notes/items"),
    ("castling", "nonesuch = 1", "/properties/castling"),
    ("with", "[castling.with.R]\nnonesuch = 1", "/definitions/landings"),
    ("landing", ", nonesuch = 1", "/definitions/landing"),
    ("adjustment", "nonesuch = 1", "/properties/adjustment"),
    ("endings", "nonesuch = 1", "/properties/endings"),
    ("goal", ", nonesuch = 1", "/properties/endings/properties/goal"),
];

fn schema() -> Value {
    serde_json::from_str(&stdout(&["schema"])).unwrap()
}

/// The file with something written in one of its places.
fn file(place: &str, written: &str) -> String {
    let line = |line: &str| {
        let (before, mark) = line.split_once('%').unwrap_or((line, ""));
        let mark_end = mark.find(' ').unwrap_or(mark.len());
        let filling = if &mark[..mark_end] == place { written } else { "" };
        format!("{before}{filling}{}\n", &mark[mark_end..])
    };
    FILE.lines().map(line).collect()
}

/// The keys that the reader says it expects in a table.
fn expected(place: &str, written: &str) -> BTreeSet<String> {
    let mut keys = named(place, written);
    match written.contains("white.") {
        // What is about both sides together has no side before it.
        true => keys.retain(|key| !["up_to_reflection", "no_check"].contains(&key.as_str())),
        false if place == "constraints" => keys.extend(["white", "black"].map(String::from)),
        false => (),
    }
    keys
}

/// The keys in the reader's refusal of a file.
fn named(place: &str, written: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.toml"), file(place, written)).unwrap();
    let output = backrank(&["count", "game.toml"]).current_dir(&folder).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("nonesuch`"), "{place}: {said}");
    let said = said.lines().next().unwrap();
    match said.split_once("known are ") {
        Some((_, names)) => names.split(", ").map(String::from).collect(),
        None => {
            let names = said.split("expected").nth(1).unwrap_or_else(|| panic!("{place}: {said}"));
            names.split('`').skip(1).step_by(2).map(String::from).collect()
        }
    }
}

#[test]
fn the_schema_has_every_key_that_the_reader_knows_and_no_other() {
    let schema = schema();
    for (place, written, pointer) in TABLES {
        let table = schema.pointer(pointer).unwrap_or_else(|| panic!("{place}: no {pointer}"));
        let keys: BTreeSet<String> = table["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            keys,
            expected(place, written),
            "{place}: the schema has the first, the reader the second"
        );
        assert_eq!(table["additionalProperties"], false, "{place}");
    }
}

/// Every table of the schema is one of those above, or names both sides.
#[test]
fn every_table_of_the_schema_is_compared_and_every_key_described() {
    fn tables<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
        if let Value::Object(fields) = value {
            if fields.get("properties").is_some_and(Value::is_object) && fields.contains_key("type") {
                found.push(value);
            }
            fields.values().for_each(|field| tables(field, found));
        } else if let Value::Array(items) = value {
            items.iter().for_each(|item| tables(item, found));
        }
    }
    let schema = schema();
    let mut found = Vec::new();
    tables(&schema, &mut found);
    let compared: Vec<&Value> = TABLES.iter().filter_map(|table| schema.pointer(table.2)).collect();
    for table in found {
        let fields = table["properties"].as_object().unwrap();
        let sides = fields.keys().map(String::as_str).eq(["white", "black"]);
        assert!(sides || compared.contains(&table), "{table}");
        for (key, field) in fields {
            let field = match field["$ref"].as_str() {
                Some(pointer) => {
                    schema.pointer(&pointer[1..]).unwrap_or_else(|| panic!("{key}: no {pointer}"))
                }
                None => field,
            };
            let described = field["description"].as_str().is_some_and(|text| text.ends_with('.'));
            assert!(described, "{key}: {field}");
        }
    }
}

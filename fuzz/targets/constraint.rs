//! Any text as constraints that narrow a space, as after `--where`: refused, or a space that counts what brute force
//! counts and whose setups have the ids they come from.
//!
//! The first line of the input is the key of a variant, each further line a constraint.
#![no_main]

mod spaces;

use backrank_enumerate::{Constraint, Space};
use backrank_rules::Variant;
use libfuzzer_sys::fuzz_target;

/// More than any army of eight files has.
const MAX_ARRANGEMENTS: u128 = 5_040;

fuzz_target!(|input: &str| {
    let mut lines = input.lines();
    let key = lines.next().unwrap_or_default();
    let keys = ["chess960", "crc", "icrc", "merc", "pmc", "double960"];
    let key = if keys.contains(&key) { key } else { "shuffle" };
    let variant = Variant::find(key).expect("a key of the catalogue");

    let mut constraints = Vec::new();
    for text in lines {
        match text.parse::<Constraint>() {
            Ok(constraint) => {
                assert!(!constraint.to_string().is_empty());
                constraints.push(constraint);
            }
            Err(error) => return assert!(!error.to_string().is_empty()),
        }
    }
    let space = match Space::narrowed(&variant, &constraints) {
        Ok(space) => space,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    if space.army().arrangements() <= MAX_ARRANGEMENTS {
        assert_eq!(space.len(), space.brute_force(&|_| ()), "{key} {constraints:?}");
    }
    spaces::there_and_back(&space);
});

//! Any text as constraints that narrow a space, as after `--where`. Either it is refused, or the space counts what brute
//! force counts, and ranking undoes unranking.
//!
//! The first line of the input is the key of a variant, each further line a constraint.
#![no_main]

mod spaces;

use backrank_enumerate::{BruteForce, Constraint, Space};
use backrank_rules::Variant;
use libfuzzer_sys::fuzz_target;

/// The number of arrangements of the largest army that brute force goes through: that of orthodox chess.
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
        let brute_force =
            BruteForce::new(&variant, &constraints).expect("constraints that a space can be made with");
        assert_eq!(space.len(), brute_force.count(&|_| ()), "{key} {constraints:?}");
    }
    spaces::there_and_back(&space);
});

//! The playable variants of the catalogue, by key.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use backrank_rules::{Rules, catalogue};

static RULES: LazyLock<BTreeMap<String, Rules>> = LazyLock::new(|| {
    let playable = catalogue().filter(|variant| !variant.count_only);
    playable.map(|variant| (variant.key.clone(), Rules::new(&variant))).collect()
});

/// The rules of a variant; those of Modern Random Chess where there is no such key.
#[allow(dead_code, reason = "not every target uses all of it")]
pub fn rules(key: &str) -> &'static Rules {
    rules_or(key, "mrc")
}

/// The rules of a variant, or of another where there is no such key.
#[allow(dead_code, reason = "not every target uses all of it")]
pub fn rules_or(key: &str, other: &str) -> &'static Rules {
    RULES.get(key).unwrap_or(&RULES[other])
}

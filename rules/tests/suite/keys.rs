//! Keys: one for each position, however it came about.

use std::collections::HashSet;

use crate::common::{fen, mirrored, play, rules};

#[test]
fn everything_that_tells_positions_apart_is_in_the_key() {
    let rules = rules("mmcc");
    let texts = [
        "r1e2k3nr/11/11/11/2pP7/11/11/R1EB1K3NR w AKak - 0 1 CDc",
        "r1e2k3nr/11/11/11/2pP7/11/11/R1EB1K3NR b AKak - 0 1 CDc",
        "r1e2k3nr/11/11/11/2pP7/11/11/R1EB1K3NR b AKak d3 0 1 CDc",
        "r1e2k3nr/11/11/11/2pP7/11/11/R1EB1K3NR w Aak - 0 1 CDc",
        "r1e2k3nr/11/11/11/2pP7/11/11/R1EB1K3NR w AKa - 0 1 CDc",
        "r1e2k3nr/11/11/11/2pP7/11/11/R1EB1K3NR w AKak - 0 1 Cc",
        "r1e2k3nr/11/11/11/2pP7/11/11/R1EB1K3NR w AKak - 0 1 CD",
        "r1e2k3nr/11/11/11/2pP7/11/11/R1EB1K3NR w AKak - 0 1",
        "r1e2k3nr/11/11/11/2pP7/11/11/R1BE1K3NR w AKak - 0 1",
        "r1E2k3nr/11/11/11/2pP7/11/11/R1eB1K3NR w AKak - 0 1",
    ];
    let keys: HashSet<u64> = texts.iter().map(|text| fen(&rules, text).key()).collect();
    assert_eq!(keys.len(), texts.len());
}

#[test]
fn counters_are_not() {
    let rules = rules("chess");
    let early = fen(&rules, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let late = fen(&rules, "4k3/8/8/8/8/8/4P3/4K3 w - - 77 100");
    assert_eq!(early.key(), late.key());
    assert_eq!(early, late);
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let rules = rules("mrc");
    let start = mirrored(&rules, "RNBMKQBNR");
    let one = play(start, "Bc<=>N d8d7 g2g3 h9g7");
    let other = play(start, "g2g3 h9g7 Bc<=>N d8d7");
    assert_eq!(one.key(), other.key());
    assert_eq!(one, other);
}

#[test]
fn keys_are_the_same_in_every_run() {
    let rules = rules("chess");
    assert_eq!(mirrored(&rules, "RNBQKBNR").key(), START);
}

/// Written down once: studies may keep keys.
const START: u64 = 16_414_397_730_489_437_814;
